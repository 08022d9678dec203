//! Random designs, what happens to their programs, and what `rely-runtime` says to it.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rely_monitor::{Next, WatchInput, WatchedAutomaton, WatchedEvent};
use rely_runtime::{
    Answer, Automaton, Design, End, EventKey, Host, LEFT, Reaction, Report, VIOLATED, ValueRange, Watch,
};
use rely_testkit::rng::Rng;

/// Methods, objects and threads, some of them hard to write down.
const NAMES: [&str; 8] = ["a", "b", "get", "\"\\\n", "é😀", "{events}", "??/", "*/"];

/// A design.
pub(crate) struct Case {
    pub(crate) input: WatchInput,
    design: &'static Design,
    /// Whether it is an assumption, and the automaton.
    automata: Vec<(bool, &'static Automaton)>,
}

/// An event.
#[derive(Debug)]
struct Event {
    thread: String,
    method: String,
    object: String,
    values: Vec<i64>,
}

/// What happens to a watch.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) case: usize,
    /// The first letters of the reactions to assumptions and properties.
    reactions: [char; 2],
    events: Vec<Event>,
}

impl Case {
    pub(crate) fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let actions: Vec<String> =
            (0..1 + rng.below(6)).map(|i| format!("{}.{i}", NAMES[rng.below(NAMES.len())])).collect();
        let mut events: Vec<WatchedEvent> =
            (0..1 + rng.below(8)).map(|_| event(&mut rng, actions.len())).collect();
        events.sort();
        events.dedup_by(|one, other| {
            (&one.method, &one.object, &one.thread) == (&other.method, &other.object, &other.thread)
        });
        let assumptions = rng.below(3);
        let automata =
            (0..assumptions + rng.below(3)).map(|i| automaton(&mut rng, i, i < assumptions, actions.len()));
        let automata = automata.collect();
        Self::of(WatchInput {
            name: format!("CASE_{seed}"),
            digest: rng.next_u64(),
            actions,
            events,
            automata,
        })
    }

    /// A lock, taken and given back.
    pub(crate) fn lock() -> Self {
        let event = |method: &str, action| WatchedEvent {
            method: method.to_owned(),
            object: "mutex".to_owned(),
            thread: "*".to_owned(),
            values: Vec::new(),
            actions: vec![action],
        };
        let row = |next: [Next; 2]| next.to_vec();
        let lock = WatchedAutomaton {
            name: "LOCK".to_owned(),
            constant: "LOCK".to_owned(),
            is_assumption: false,
            rows: vec![row([Next::State(1), Next::Violated]), row([Next::Violated, Next::State(0)])],
        };
        Self::of(WatchInput {
            name: "LOCK".to_owned(),
            digest: 0xfedc_ba98_7654_3210,
            actions: vec!["lock".to_owned(), "unlock".to_owned()],
            events: vec![event("lock", 0), event("unlock", 1)],
            automata: vec![lock],
        })
    }

    /// The same for `rely-runtime`, which wants tables that live as long as the program.
    fn of(input: WatchInput) -> Self {
        let number = |number: usize| u32::try_from(number).expect("small");
        let text = |text: &str| -> &'static str { text.to_owned().leak() };
        let key = |it: &WatchedEvent| EventKey {
            method: text(&it.method),
            object: text(&it.object),
            thread: text(&it.thread),
            values: it.values.iter().map(|&(first, last)| ValueRange(first, last)).collect::<Vec<_>>().leak(),
            actions: it.actions.iter().map(|&action| number(action)).collect::<Vec<_>>().leak(),
        };
        let design = Design {
            name: text(&input.name),
            digest: input.digest,
            actions: input.actions.iter().map(|name| text(name)).collect::<Vec<_>>().leak(),
            events: input.events.iter().map(key).collect::<Vec<_>>().leak(),
        };
        let next = |next: &Next| match *next {
            Next::State(state) => number(state),
            Next::Violated => VIOLATED,
            Next::Left => LEFT,
        };
        let automaton = |it: &WatchedAutomaton| -> (bool, &'static Automaton) {
            let automaton = Automaton {
                name: text(&it.name),
                digest: input.digest,
                next: it.rows.iter().flatten().map(next).collect::<Vec<_>>().leak(),
                starts_violated: it.rows.is_empty(),
            };
            (it.is_assumption, Box::leak(Box::new(automaton)))
        };
        let automata = input.automata.iter().map(automaton).collect();
        Self { design: Box::leak(Box::new(design)), automata, input }
    }
}

fn event(rng: &mut Rng, actions: usize) -> WatchedEvent {
    let values: Vec<(i64, i64)> = (0..rng.below(3))
        .map(|_| {
            let first = [-2, 0, 5, 4_000_000_000][rng.below(4)];
            (first, first + i64::try_from(rng.below(3)).expect("small"))
        })
        .collect();
    let count: i64 = values.iter().map(|(first, last)| last - first + 1).product();
    let thread = if rng.chance(1, 3) { "*" } else { NAMES[rng.below(3)] };
    WatchedEvent {
        method: NAMES[rng.below(NAMES.len())].to_owned(),
        object: NAMES[rng.below(2)].to_owned(),
        thread: thread.to_owned(),
        actions: (0..count).map(|_| rng.below(actions)).collect(),
        values,
    }
}

fn automaton(rng: &mut Rng, number: usize, is_assumption: bool, actions: usize) -> WatchedAutomaton {
    // Now and then nothing at all is allowed.
    let states = if rng.chance(1, 12) { 0 } else { 1 + rng.below(4) };
    let next = |rng: &mut Rng| match rng.below(12) {
        0 => Next::Violated,
        1 => Next::Left,
        _ => Next::State(rng.below(states)),
    };
    WatchedAutomaton {
        name: format!("{}{number}", NAMES[rng.below(NAMES.len())]),
        constant: format!("A{number}"),
        is_assumption,
        rows: (0..states).map(|_| (0..actions).map(|_| next(rng)).collect()).collect(),
    }
}

/// So many sessions of each case.
pub(crate) fn random_sessions(rng: &mut Rng, cases: &[Case], count: usize) -> Vec<Session> {
    let mut sessions = Vec::new();
    for (case, it) in cases.iter().enumerate() {
        for _ in 0..count {
            let events = (0..rng.below(25)).map(|_| random_event(rng, &it.input)).collect();
            let reactions = [*rng.pick(&['p', 'l']), *rng.pick(&['c', 'l'])];
            sessions.push(Session { case, reactions, events });
        }
    }
    sessions
}

/// An event that is mostly one of the design.
fn random_event(rng: &mut Rng, input: &WatchInput) -> Event {
    let key = &input.events[rng.below(input.events.len())];
    let mut values: Vec<i64> = key
        .values
        .iter()
        .map(|&(first, last)| {
            first
                + i64::try_from(rng.below(usize::try_from(last - first + 1).expect("small"))).expect("small")
        })
        .collect();
    if rng.chance(1, 30) {
        match values.first_mut() {
            Some(value) => *value = [i64::MIN, i64::MAX, 7][rng.below(3)],
            None => values.push(0),
        }
    }
    let thread = if key.thread == "*" || rng.chance(1, 20) { "somebody" } else { &key.thread };
    Event { thread: thread.to_owned(), method: key.method.clone(), object: key.object.clone(), values }
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

/// Notes that something is checked that was violated, and goes on.
struct Noting(Arc<AtomicUsize>);

impl Host for Noting {
    fn with_thread_name(&self, f: &mut dyn FnMut(&str)) {
        f("");
    }

    fn failed(&self, _: &Report) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Session {
    /// As the drivers read it: the case, the reactions, and for each event names in hexadecimal and values.
    pub(crate) fn encoded(&self) -> String {
        let mut line = format!("{} {}{}", self.case, self.reactions[0], self.reactions[1]);
        for it in &self.events {
            let values: Vec<String> = it.values.iter().map(i64::to_string).collect();
            let _ = write!(
                line,
                " {}:{}:{}:{}",
                hex(&it.thread),
                hex(&it.method),
                hex(&it.object),
                values.join(",")
            );
        }
        line.push('\n');
        line
    }

    /// What the drivers are to write: for each event a letter, the states, and how many events and violations there were; at
    /// the end how often somebody was told.
    pub(crate) fn expected(&self, case: &Case) -> String {
        let (failures, told) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let mut builder = Watch::builder(case.design);
        let reaction = |letter: char| match letter {
            'p' => Reaction::Prune,
            'c' => Reaction::Check,
            _ => Reaction::Log,
        };
        for &(is_assumption, automaton) in &case.automata {
            builder = builder.with(automaton, reaction(self.reactions[usize::from(!is_assumption)]));
        }
        let count = Arc::clone(&told);
        let builder = builder.host(Noting(Arc::clone(&failures)));
        let builder = builder.on_violation(move |_| _ = count.fetch_add(1, Ordering::SeqCst));
        let watch = builder.build().expect("they belong together");
        let mut text = String::new();
        for it in &self.events {
            let before = failures.load(Ordering::SeqCst);
            let answer = watch.event_of(&it.thread, &it.method, &it.object, &it.values);
            let letter = match answer {
                _ if failures.load(Ordering::SeqCst) > before => 'f',
                Answer::Ok => 'o',
                Answer::Left(_) => 'l',
                Answer::Unknown(_) => 'u',
                Answer::Violated(_) => 'v',
                Answer::Ended(End::Pruned(_) | End::Failed | End::Cut | End::Closed) | Answer::Unwatched => {
                    'e'
                }
            };
            let report = watch.report();
            let states = report.states.iter().map(|&state| match state {
                VIOLATED => -1,
                LEFT => -2,
                state => i64::from(state),
            });
            let states: Vec<String> = states.map(|state| state.to_string()).collect();
            let _ = write!(text, "{letter}[{}]{}/{} ", states.join(","), watch.events(), report.violations);
        }
        format!("{text}{}", told.load(Ordering::SeqCst))
    }
}
