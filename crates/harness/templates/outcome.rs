//! What an exploration has found, and within which bounds.

use std::any::Any;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt;
use std::panic::PanicHookInfo;
use std::sync::OnceLock;

use rely_runtime::{End, Report, Watch};

/// How far to look. What is cut off by a bound is said.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The most events of an execution.
    pub events: u64,
    /// The most calls of each universal environment; locks count as calls.
    pub calls: usize,
    /// The most preemptions of an execution: switches away from a thread that could go on.
    pub preemptions: usize,
    /// The most steps of an execution.
    pub steps: usize,
    /// The most executions.
    pub executions: usize,
    /// Whether every execution ends by itself, so that threads that wait for ever are a failure.
    pub ends: bool,
}

/// What was explored.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// Executions.
    pub executions: usize,
    /// Executions that an assumption ended.
    pub pruned: usize,
    /// Executions that ended with threads that wait for ever.
    pub blocked: usize,
    /// Decisions, of all executions.
    pub steps: usize,
    /// Different sequences of events.
    pub sequences: usize,
    /// Different states of all automata together.
    pub states: usize,
    /// Which bounds were met.
    pub bounded: BTreeSet<&'static str>,
    /// The events that some execution had, by the names of the design.
    pub events: BTreeSet<String>,
    seen_sequences: BTreeSet<u64>,
    seen_states: BTreeSet<Vec<u32>>,
}

/// What the mapping says that a call signals.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The call.
    pub call: &'static str,
    /// The event: object, method and thread.
    pub event: &'static str,
    /// The actions that it may be.
    pub actions: &'static [&'static str],
}

/// What a premise comes to on the program.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The question.
    pub question: String,
    /// What was explored.
    pub explored: Explored,
    /// What went wrong.
    pub failure: Option<Failure>,
}

/// An execution that fails.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What happened, with lanes and states.
    pub message: String,
    /// The events, by the names of the design, up to the end of the execution.
    pub trace: Vec<String>,
    /// What RELY_REPLAY has to be to see it again; empty if the explorer cannot replay it.
    pub replay: String,
}

impl Explored {
    /// Counts an execution that has ended.
    pub(crate) fn count(&mut self, report: &Report) {
        self.executions += 1;
        match report.end {
            Some(End::Pruned(_)) => self.pruned += 1,
            Some(End::Cut) => {
                self.bounded.insert("events");
            }
            Some(End::Failed | End::Closed) | None => {}
        }
        self.seen_states.extend(report.steps.iter().map(|step| step.states.clone()));
        for step in &report.steps {
            if !self.events.contains(&step.event) {
                self.events.insert(step.event.clone());
            }
        }
        self.seen_sequences.insert(digest_of(report.steps.iter().map(|step| step.event.as_str())));
        self.sequences = self.seen_sequences.len();
        self.states = self.seen_states.len();
    }

    /// Whether an execution had these events, and no others.
    pub fn has_seen(&self, events: &[&str]) -> bool {
        self.seen_sequences.contains(&digest_of(events.iter().copied()))
    }
}

fn digest_of<'e>(events: impl Iterator<Item = &'e str>) -> u64 {
    let texts: Vec<&[u8]> = events.map(str::as_bytes).collect();
    rely_runtime::digest(&texts)
}

impl Failure {
    /// What a report says, and how to see it again.
    pub(crate) fn new(message: String, report: Option<Report>, replay: String) -> Self {
        let steps = report.map(|report| report.steps).unwrap_or_default();
        Self { message, trace: steps.into_iter().map(|step| step.event).collect(), replay }
    }

    /// What a panic says.
    pub(crate) fn of_panic(payload: &(dyn Any + Send), report: Option<Report>, replay: String) -> Self {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        Self::new(text.unwrap_or("a thread panicked").to_owned(), report, replay)
    }
}

/// What to say of threads that wait for ever.
pub(crate) fn stuck(names: &BTreeSet<&'static str>, watch: &Watch) -> String {
    let names: Vec<&str> = names.iter().copied().collect();
    format!("nothing goes on, and these threads have not ended: {}\n{}", names.join(", "), watch.report())
}

impl Outcome {
    /// Whether nothing went wrong, and no bound was met.
    pub fn holds_for_all(&self) -> bool {
        self.failure.is_none() && self.explored.bounded.is_empty()
    }

    /// Makes it a failure if a call never signals an event that the mapping says it does, or if nothing has happened at all.
    /// What is watched and never signalled cannot be violated, so a premise would seem to hold.
    #[must_use]
    pub fn signalling(mut self, claims: &[Claim]) -> Self {
        // Executions that are drawn, or counted, may have missed it.
        let is_sample = ["executions", "random"].iter().any(|bound| self.explored.bounded.contains(bound));
        if self.failure.is_some() || is_sample {
            return self;
        }
        let events = &self.explored.events;
        let is_seen = |claim: &&Claim| claim.actions.iter().any(|action| events.contains(*action));
        let message = match claims.iter().find(|claim| !is_seen(claim)) {
            _ if events.is_empty() => {
                format!(
                    "no execution has any event: {}",
                    "is the program linked to the rely-runtime of this harness?"
                )
            }
            Some(Claim { call, event, .. }) => format!(
                "no execution has the event {event}, which the mapping says that `{call}` signals: {}",
                "is `event!` missing there, or is a bound too small?"
            ),
            None => return self,
        };
        self.failure = Some(Failure::new(message, None, String::new()));
        self
    }

    /// Prints what was found. If something went wrong, its events are written to the file that RELY_TRACE names, for
    /// `rely simulate --replay`.
    ///
    /// # Panics
    /// When something went wrong.
    pub fn expect_holds(&self) {
        if let (Some(failure), Ok(path)) = (&self.failure, std::env::var("RELY_TRACE")) {
            std::fs::write(&path, failure.trace.join("\n")).expect("the file of RELY_TRACE can be written");
        }
        assert!(self.failure.is_none(), "{self}");
        println!("{self}");
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Explored { executions, pruned, blocked, steps, sequences, states, bounded, .. } = &self.explored;
        let verdict = match (&self.failure, bounded.is_empty()) {
            (Some(_), _) => "violated".to_owned(),
            (None, true) => "holds".to_owned(),
            (None, false) => {
                let bounded: Vec<&str> = bounded.iter().copied().collect();
                format!("holds within bounds ({})", bounded.join(", "))
            }
        };
        write!(
            f,
            "{}: {verdict}; {executions} executions ({pruned} pruned, {blocked} blocked), ",
            self.question
        )?;
        write!(f, "{steps} steps, {sequences} sequences of events, {states} states of the monitors")?;
        if let Some(failure) = &self.failure {
            write!(f, "\n{}", failure.message)?;
            if !failure.replay.is_empty() {
                write!(f, "\nto see it again: RELY_REPLAY={}", failure.replay)?;
            }
        }
        Ok(())
    }
}

/// A function that is called when a thread panics.
type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Send + Sync>;

/// Runs a function without the messages of panics, which are reported with more detail afterwards. The hook belongs to the whole
/// program, and tests run beside each other: only this thread is quiet.
pub(crate) fn quietly<T>(f: impl FnOnce() -> T) -> T {
    static BEFORE: OnceLock<Hook> = OnceLock::new();
    thread_local! {
        static IS_QUIET: Cell<bool> = const { Cell::new(false) };
    }
    let before = BEFORE.get_or_init(std::panic::take_hook);
    let set = || {
        std::panic::set_hook(Box::new(move |info| {
            if !IS_QUIET.try_with(Cell::get).unwrap_or_default() {
                before(info);
            }
        }));
    };
    set();
    IS_QUIET.set(true);
    let result = f();
    IS_QUIET.set(false);
    // Explorers set hooks of their own.
    set();
    result
}
