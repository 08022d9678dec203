//! Runs into the error state: do they satisfy a formula, whatever would have come after the error?
//!
//! Problem: a run into the error state ends there, its last step included, and nothing is known of what would have come
//! next. For a formula there are three cases: every continuation breaks it, every continuation satisfies it, or that
//! depends on the continuation. A continuation is any sequence of actions. The formula is violated if the first case
//! occurs, it holds if only the second one does, and otherwise there is no answer: a run has left it open.
//!
//! Source: the three values of [Bauer, Leucker & Schallhart 2011]. Idea: the formula's monitor and that of its negation
//! follow the network side by side. Each knows which states its automaton can be in after a step, and [`Continuations`]
//! know whether one of them accepts anything from there. The conjuncts of a formula are followed one by one, as
//! everywhere: a run breaks a conjunction if it breaks a conjunct.
//!
//! Invariants: a state is the words of the product, then a word for each conjunct with the state of the monitor in the
//! lower half and in the upper half that of the negation's, or [`NONE`], and then the words of the fluents. No step is
//! taken from a state where no negation's monitor has a state: whatever comes next, the formula is satisfied.
//!
//! Complexity: as for safety formulas, with two monitors for each conjunct. Called where no other run violates the
//! formula, and only if the error state is reachable.

use std::cell::RefCell;
use std::ops::ControlFlow;

use rely_base::{Alphabet, Budget, Exhausted, Id, Label, StateId};
use rely_explore::{Product, ProductCursor, Search, Successor, System, Visitor};
use rely_lts::ComponentId;
use rely_omega::{Continuations, Fluents, Formula, Letters, Monitor, MonitorState};

use super::safety::tell_bad_step;
use super::{Findings, Question};
use crate::{Counterexample, Ending};

/// In the place of the state of a monitor that has none: no continuation is accepted.
const NONE: u32 = u32::MAX;

/// A shortest run after which no continuation satisfies one of the formulas, if there is one; otherwise notes a shortest
/// run into the error state that leaves one of them open, if there is one.
pub(super) fn breaking_run(
    question: &Question<'_, '_>,
    formulas: &[Formula],
    findings: &mut Findings,
) -> Result<Option<Counterexample>, Exhausted> {
    let judges: Vec<Judge> =
        formulas.iter().map(|formula| Judge::new(formula, question)).collect::<Result<_, _>>()?;
    let watched = Watched {
        product: question.product,
        letters: question.letters,
        budget: question.budget,
        conjuncts: judges.len(),
        judges: RefCell::new(judges),
        exhausted: RefCell::new(None),
    };
    if watched.value(&watched.start(), &question.letters.initial(), Place::State) == Value::Broken {
        return Ok(Some(Counterexample::new(question.product.network(), Vec::new(), Ending::BadPrefix)));
    }
    let mut search = Search::new(&watched);
    let mut watch = Watch { watched: &watched, broken: None, open: None };
    let outcome = search.run(question.budget, &mut watch);
    let Watch { broken, open, .. } = watch;
    findings.explored.states += search.states().len();
    findings.explored.transitions += search.transitions();
    outcome?;
    if let Some(exhausted) = watched.exhausted.take() {
        return Err(exhausted);
    }
    findings.is_violated = broken.is_some();
    if let Some(step) = broken {
        return tell_bad_step(question.product, &mut search, step, question.budget).map(Some);
    }
    let name = |step| names(question.product.alphabet(), &mut search, step, question.budget);
    findings.open = open.map(name).transpose()?;
    Ok(None)
}

/// A step into the error state: its source and its label; nothing where the initial state is the error state.
type LastStep = Option<(StateId, Label)>;

/// The actions of a shortest run with a given last step.
fn names(
    alphabet: &Alphabet,
    search: &mut Search<'_, Watched<'_, '_>>,
    last: LastStep,
    budget: &Budget<'_>,
) -> Result<Vec<String>, Exhausted> {
    let Some((source, label)) = last else { return Ok(Vec::new()) };
    let path = search.try_trace_to(source, budget)?.into_iter().map(|step| step.label);
    Ok(path.chain([label]).map(|label| alphabet.label_name(label).to_owned()).collect())
}

/// What a run means for a formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    /// Nothing bad: it is not over, or every continuation satisfies the formula.
    Good,
    /// It is over, and whether it satisfies the formula depends on the continuation.
    Open,
    /// No continuation satisfies the formula.
    Broken,
}

/// Where a run has led.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    State,
    Error,
}

/// A formula and its negation, and what they accept.
struct Judge {
    formula: Side,
    negation: Side,
}

/// A monitor, and the continuations that its automaton accepts.
struct Side {
    monitor: Monitor,
    continuations: Continuations,
}

impl Judge {
    fn new(formula: &Formula, question: &Question<'_, '_>) -> Result<Self, Exhausted> {
        let side = |formula: &Formula| {
            let monitor = Monitor::new(formula, question.budget)?;
            Ok(Side { monitor, continuations: Continuations::new(question.letters) })
        };
        Ok(Self { formula: side(formula)?, negation: side(&formula.clone().negated())? })
    }

    /// The value of a run that led to some states of the monitors, if there are any, and to some fluents.
    fn value(&mut self, word: u64, run: &End<'_>) -> Result<Value, Exhausted> {
        let [formula, negation] = unpack(word);
        if !self.formula.can_go_on(formula, run)? {
            return Ok(Value::Broken);
        }
        let open = run.place == Place::Error && self.negation.can_go_on(negation, run)?;
        Ok(if open { Value::Open } else { Value::Good })
    }
}

/// The end of a run.
struct End<'a> {
    place: Place,
    fluents: &'a Fluents,
    letters: &'a Letters,
    budget: &'a Budget<'a>,
}

impl Side {
    /// Whether some continuation is accepted.
    fn can_go_on(&mut self, state: Option<MonitorState>, run: &End<'_>) -> Result<bool, Exhausted> {
        let Self { monitor, continuations } = self;
        let Some(state) = state else { return Ok(false) };
        for reached in monitor.reached(state) {
            let automaton = (monitor.buchi(), run.letters);
            if continuations.accepts(automaton, reached, run.fluents, run.budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The product of a network, its fluents, and two monitors for each formula. A step into the error state, or to where a
/// formula is broken, leads to the error with a component that stands for its [`Value`].
struct Watched<'a, 'n> {
    product: &'a Product<'n>,
    letters: &'a Letters,
    budget: &'a Budget<'a>,
    /// How many formulas there are.
    conjuncts: usize,
    /// One for each formula; their states are made as the search goes on.
    judges: RefCell<Vec<Judge>>,
    /// The limit that was met, if one was. There are no successors from then on.
    exhausted: RefCell<Option<Exhausted>>,
}

/// The scratch space of [`Watched`].
struct WatchedCursor {
    product: ProductCursor,
    /// The words of the formulas after the step.
    verdicts: Vec<u64>,
    /// The successor under construction.
    next: Vec<u64>,
}

impl Watched<'_, '_> {
    /// Where the fluents begin.
    fn fluents_start(&self) -> usize {
        self.product.words() + self.conjuncts
    }

    fn fluents(&self, state: &[u64]) -> Fluents {
        Fluents::from_words(&state[self.fluents_start()..])
    }

    /// The words of the formulas in a state.
    fn verdicts<'s>(&self, state: &'s [u64]) -> &'s [u64] {
        &state[self.product.words()..self.fluents_start()]
    }

    fn write(&self, state: &mut [u64], verdicts: &[u64], fluents: &Fluents) {
        let (formulas, fluent_words) = state[self.product.words()..].split_at_mut(self.conjuncts);
        formulas.copy_from_slice(verdicts);
        fluents.write_to(fluent_words);
    }

    /// The words of the formulas before the first letter.
    fn start(&self) -> Vec<u64> {
        let judges = self.judges.borrow();
        judges
            .iter()
            .map(|judge| pack([judge.formula.monitor.initial(), judge.negation.monitor.initial()]))
            .collect()
    }

    /// The worst value of a formula after a run.
    fn value(&self, verdicts: &[u64], fluents: &Fluents, place: Place) -> Value {
        let run = End { place, fluents, letters: self.letters, budget: self.budget };
        let mut worst = Value::Good;
        for (judge, &word) in self.judges.borrow_mut().iter_mut().zip(verdicts) {
            match judge.value(word, &run) {
                Ok(value) => worst = worst.max(value),
                Err(exhausted) => {
                    self.exhausted.replace(Some(exhausted));
                }
            }
        }
        worst
    }

    /// Stands for a value where a component is named that failed.
    fn id(&self, value: Value) -> ComponentId {
        ComponentId::from_index(self.product.network().components().len() + value as usize)
    }
}

/// A word with the states of a formula's monitor and of its negation's.
fn pack(states: [Option<MonitorState>; 2]) -> u64 {
    let [formula, negation] = states.map(|state| u64::from(state.map_or(NONE, MonitorState::raw)));
    formula | negation << 32
}

fn unpack(word: u64) -> [Option<MonitorState>; 2] {
    [word, word >> 32].map(|half| {
        let raw = u32::try_from(half & u64::from(u32::MAX)).expect("half a word");
        (raw != NONE).then(|| MonitorState::from_raw(raw))
    })
}

impl System for Watched<'_, '_> {
    type Cursor = WatchedCursor;

    fn words(&self) -> usize {
        self.fluents_start() + self.letters.fluent_count().div_ceil(64)
    }

    fn cursor(&self) -> WatchedCursor {
        WatchedCursor { product: self.product.cursor(), verdicts: Vec::new(), next: vec![0; self.words()] }
    }

    fn initial(&self, state: &mut [u64]) -> Result<(), ComponentId> {
        let (start, fluents) = (self.start(), self.letters.initial());
        if self.product.initial(&mut state[..self.product.words()]).is_err() {
            return Err(self.id(self.value(&start, &fluents, Place::Error)));
        }
        self.write(state, &start, &fluents);
        Ok(())
    }

    fn try_successors(
        &self,
        state: &[u64],
        cursor: &mut WatchedCursor,
        visit: &mut impl FnMut(Label, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let settled = self.verdicts(state).iter().all(|&word| unpack(word)[1].is_none());
        if settled || self.exhausted.borrow().is_some() {
            return ControlFlow::Continue(());
        }
        let words = self.product.words();
        let fluents = self.fluents(state);
        let WatchedCursor { product, verdicts, next } = cursor;
        self.product.try_successors(&state[..words], product, &mut |label, successor| {
            let (after, letter) = self.letters.step(&fluents, label);
            verdicts.clear();
            for (judge, &word) in self.judges.borrow_mut().iter_mut().zip(self.verdicts(state)) {
                let [formula, negation] = unpack(word);
                let formula = formula.and_then(|state| judge.formula.monitor.step(state, &letter));
                let negation = negation.and_then(|state| judge.negation.monitor.step(state, &letter));
                verdicts.push(pack([formula, negation]));
            }
            let (place, target) = match successor {
                Successor::State(target) => (Place::State, Some(target)),
                Successor::Error(_) => (Place::Error, None),
            };
            let value = self.value(verdicts, &after, place);
            let Some(target) = target.filter(|_| value != Value::Broken) else {
                return visit(label, Successor::Error(self.id(value)));
            };
            next[..words].copy_from_slice(target);
            self.write(next, verdicts, &after);
            visit(label, Successor::State(next))
        })
    }

    fn is_end(&self, _state: &[u64]) -> bool {
        true
    }

    fn alphabet(&self) -> &Alphabet {
        self.product.alphabet()
    }
}

/// Looks for the nearest run into the error state that breaks a formula, or leaves one open.
struct Watch<'w, 'a, 'n> {
    watched: &'w Watched<'a, 'n>,
    broken: Option<(StateId, Label)>,
    open: Option<LastStep>,
}

impl Visitor for Watch<'_, '_, '_> {
    fn error(&mut self, source: Option<StateId>, label: Label, component: ComponentId) {
        let last = source.map(|source| (source, label));
        if component == self.watched.id(Value::Broken) {
            self.broken = self.broken.or(last);
        } else if component == self.watched.id(Value::Open) {
            self.open.get_or_insert(last);
        }
    }

    fn expanded(&mut self, _state: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        let done = self.broken.is_some() || self.watched.exhausted.borrow().is_some();
        if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[cfg(test)]
mod tests;
