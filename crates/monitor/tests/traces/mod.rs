//! The systems that are monitored, what happens to them, and the naive interpreter.

use std::collections::BTreeMap;

use rely_base::{Alphabet, Id, Label, StateId};
use rely_lts::{Lts, LtsBuilder};
use rely_testkit::rng::Rng;

/// Names that are hard to write down in one language or another.
const NAMES: &[&str] = &[
    "a",
    "b",
    "p.1.enter",
    "p.2.enter",
    "",
    " ",
    "\"",
    "\\",
    "\\n",
    "\n",
    "\r\n",
    "\t",
    "'",
    "??/",
    "??=",
    "%s",
    "{rows}",
    "{actions}",
    "{model}",
    "${x}",
    "\\u0041",
    "\\u000a",
    "\u{7f}",
    "\u{1}2",
    "é",
    "ü\u{308}",
    "\u{ff}0",
    "\u{2028}",
    "\u{feff}",
    "\u{ffff}",
    "😀",
    "\u{10ffff}",
    "*/",
    "//",
    "/*",
    "#",
    "class",
    "None",
    "\\",
    "\"\"\"",
    "a\\",
    "zz\u{80}",
];

/// A system with the name of its monitor.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) lts: Lts,
    /// For each state, whether some sequence of actions from it is not allowed.
    risky: Vec<bool>,
}

/// By the definition: where an action is forbidden, and wherever an action leads to such a state.
fn risky(lts: &Lts) -> Vec<bool> {
    let mut risky = vec![false; lts.state_count()];
    let mut sources = vec![Vec::new(); lts.state_count()];
    lts.transitions().for_each(|step| sources[step.target.index()].push(step.source));
    let forbids = |state: &StateId| {
        Some(*state) == lts.error()
            || lts
                .alphabet()
                .iter()
                .any(|(action, _)| lts.edges_with(*state, Label::visible(action)).is_empty())
    };
    let mut pending: Vec<StateId> = lts.states().filter(forbids).collect();
    while let Some(state) = pending.pop() {
        if !std::mem::replace(&mut risky[state.index()], true) {
            pending.append(&mut sources[state.index()]);
        }
    }
    risky
}

/// What a monitor is asked to do.
#[derive(Clone, Debug)]
pub(crate) enum Word {
    /// A step with the name of an action.
    Name(String),
    /// A step with the number of an action.
    Number(usize),
    /// To begin again.
    Reset,
}

impl Word {
    /// The word as the drivers read it.
    pub(crate) fn encode(&self) -> String {
        match self {
            Self::Name(name) => {
                let bytes: String = name.bytes().map(|byte| format!("{byte:02x}")).collect();
                format!("s{bytes}")
            }
            Self::Number(number) => format!("n{number}"),
            Self::Reset => "r".to_owned(),
        }
    }
}

/// Which names the actions of the systems may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Names {
    /// All.
    All,
    /// Those without the character NUL, which ends a string in C.
    WithoutNul,
}

/// All systems.
pub(crate) fn cases(names: Names) -> Vec<Case> {
    let mut systems = vec![LtsBuilder::new(Alphabet::new()).build(), begins_in_error()];
    // At these sizes the states need larger numbers, or Java a long text.
    systems.extend([254, 255, 256, 257, 1001, 66_000].map(ring));
    let mut rng = Rng::new(0);
    systems.extend((0..40).map(|_| random(&mut rng, names)));
    let name = |i: usize| format!("case {i} */ \n \\u000a ??/ # coding: x \u{e9}");
    systems.into_iter().enumerate().map(|(i, lts)| Case { name: name(i), risky: risky(&lts), lts }).collect()
}

fn begins_in_error() -> Lts {
    let mut builder = LtsBuilder::new(["a", "b"].into_iter().collect());
    let error = builder.error_state();
    builder.set_initial(error);
    builder.build()
}

/// As many states in a circle.
fn ring(states: usize) -> Lts {
    let mut builder = LtsBuilder::with_states(["on", "back"].into_iter().collect(), states);
    for state in 0..states {
        let next = StateId::from_index((state + 1) % states);
        let last = StateId::from_index((state + states - 1) % states);
        builder.add_transition(StateId::from_index(state), Label::from_raw(1), next);
        if state != states / 2 {
            builder.add_transition(StateId::from_index(state), Label::from_raw(2), last);
        }
    }
    builder.build()
}

/// A random deterministic system, with the error and the end or not.
fn random(rng: &mut Rng, names: Names) -> Lts {
    let mut alphabet: Alphabet = (0..rng.below(9)).map(|_| *rng.pick(NAMES)).collect();
    if names == Names::All && rng.chance(1, 3) {
        alphabet.intern("a\0b");
        alphabet.intern("a\u{0}");
    }
    let states = 1 + rng.below(7);
    let labels: Vec<Label> = alphabet.iter().map(|(action, _)| Label::visible(action)).collect();
    let mut builder = LtsBuilder::with_states(alphabet, states);
    if rng.chance(1, 2) {
        let end = builder.add_state();
        builder.set_end(Some(end));
    }
    let has_error = rng.chance(1, 2);
    if has_error {
        builder.error_state();
    }
    let all = builder.state_count();
    for source in 0..states {
        for &label in &labels {
            if rng.chance(3, 4) {
                let target = StateId::from_index(rng.below(all));
                builder.add_transition(StateId::from_index(source), label, target);
            }
        }
    }
    builder.set_initial(StateId::from_index(rng.below(states)));
    builder.build()
}

/// Words, most of which a monitor allows.
pub(crate) fn random_words(rng: &mut Rng, case: &Case) -> Vec<Word> {
    let alphabet = case.lts.alphabet();
    let names: Vec<&str> = alphabet.names().collect();
    let mut interpreter = Interpreter::new(case);
    let mut words = Vec::new();
    if rng.chance(1, 8) && !names.is_empty() {
        return long_walk(rng, names[0], &names);
    }
    for _ in 0..rng.below(40) {
        let is_over = !matches!(interpreter.at, Place::State(_));
        let word = match rng.below(20) {
            0 => Word::Reset,
            _ if is_over && rng.chance(1, 2) => Word::Reset,
            1 => Word::Name((*rng.pick(NAMES)).to_owned()),
            2 => Word::Number(rng.below(names.len() + 3)),
            3 if !names.is_empty() => Word::Name(format!("{}x", rng.pick(&names))),
            _ if names.is_empty() => Word::Number(0),
            kind => {
                // A few attempts to stay out of trouble.
                let allowed = (0..8).map(|_| *rng.pick(&names)).find(|name| interpreter.allows(name));
                let name = allowed.unwrap_or(names[0]);
                let number = alphabet.sorted_names().iter().position(|other| *other == name);
                match kind % 2 {
                    0 => Word::Name(name.to_owned()),
                    _ => Word::Number(number.expect("the name is in the alphabet")),
                }
            }
        };
        interpreter.take(&word);
        words.push(word);
    }
    words
}

/// Mostly one and the same action, so that states far away are met.
fn long_walk(rng: &mut Rng, action: &str, others: &[&str]) -> Vec<Word> {
    let mut words = vec![Word::Name(action.to_owned()); rng.below(700)];
    words.push(Word::Name((*rng.pick(others)).to_owned()));
    words.extend(vec![Word::Name(action.to_owned()); rng.below(20)]);
    words
}

/// What an assumption means, step by step.
struct Interpreter<'a> {
    lts: &'a Lts,
    risky: &'a [bool],
    at: Place,
}

/// Where the actions so far have led.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Place {
    State(StateId),
    Violated,
    Outside,
}

impl<'a> Interpreter<'a> {
    fn new(case: &'a Case) -> Self {
        let Case { lts, risky, .. } = case;
        Self { lts, risky, at: Self::start(lts) }
    }

    fn start(lts: &Lts) -> Place {
        if lts.error() == Some(lts.initial()) { Place::Violated } else { Place::State(lts.initial()) }
    }

    /// Where an action leads, if it is allowed.
    fn successor_of(&self, state: StateId, name: &str) -> Option<StateId> {
        let is_it = |edge: &&rely_lts::Edge| self.lts.alphabet().label_name(edge.label) == name;
        let edge = self.lts.edges(state).iter().find(is_it)?;
        Some(edge.target).filter(|_| Some(edge.target) != self.lts.error())
    }

    fn allows(&self, name: &str) -> bool {
        matches!(self.at, Place::State(state) if self.successor_of(state, name).is_some())
    }

    fn step(&self, state: StateId, name: Option<String>) -> Place {
        let Some(name) = name.filter(|name| self.lts.alphabet().contains(name)) else {
            return Place::Outside;
        };
        match self.successor_of(state, &name) {
            None => Place::Violated,
            Some(next) if self.risky[self.lts.initial().index()] && !self.risky[next.index()] => {
                Place::Outside
            }
            Some(next) => Place::State(next),
        }
    }

    /// The answer: `o`k, `v`iolated, `l`eft the model; or `r` for a reset.
    fn take(&mut self, word: &Word) -> char {
        let name = match word {
            Word::Reset => {
                self.at = Self::start(self.lts);
                return 'r';
            }
            Word::Name(name) => Some(name.clone()),
            Word::Number(number) => {
                self.lts.alphabet().sorted_names().get(*number).map(|&name| name.to_owned())
            }
        };
        if let Place::State(state) = self.at {
            self.at = self.step(state, name);
        }
        match self.at {
            Place::State(_) => 'o',
            Place::Violated => 'v',
            Place::Outside => 'l',
        }
    }
}

/// Compares what a program has written with what the interpreter says. States may have any numbers, as long as each has
/// one of its own.
pub(crate) fn check_answers(cases: &[Case], traces: &[(usize, Vec<Word>)], output: &str) {
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), traces.len(), "there is an answer for each trace");
    let mut numbers: Vec<BTreeMap<Place, &str>> = vec![BTreeMap::new(); cases.len()];
    let mut answered = std::collections::BTreeSet::new();
    for ((case, words), line) in traces.iter().zip(&lines) {
        let mut interpreter = Interpreter::new(&cases[*case]);
        let answers: Vec<&str> = line.split_ascii_whitespace().collect();
        assert_eq!(answers.len(), words.len(), "case {case}: {words:?}\n{line}");
        for (word, answer) in words.iter().zip(answers) {
            let expected = interpreter.take(word);
            let violated = if interpreter.at == Place::Violated { "!" } else { "" };
            let number = answer.trim_start_matches(['o', 'v', 'l', 'r']).trim_end_matches('!');
            answered.insert(expected);
            assert_eq!(answer, format!("{expected}{number}{violated}"), "case {case}: {words:?}\n{line}");
            let known = *numbers[*case].entry(interpreter.at).or_insert(number);
            assert_eq!(number, known, "case {case}: {words:?}\n{line}");
        }
    }
    assert_eq!(answered.into_iter().collect::<String>(), "lorv", "all answers are given");
    for (case, numbers) in numbers.iter().enumerate() {
        let distinct: std::collections::BTreeSet<&str> = numbers.values().copied().collect();
        assert_eq!(distinct.len(), numbers.len(), "case {case}: two states with one number");
    }
}
