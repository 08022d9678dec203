//! What an exploration has found, and within which bounds.

use std::collections::BTreeSet;
use std::fmt;

use rely_runtime::{End, Report};

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
    seen_sequences: BTreeSet<u64>,
    seen_states: BTreeSet<Vec<u32>>,
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
        let mut sequence = Vec::new();
        for step in &report.steps {
            sequence.extend(step.event.as_bytes());
            sequence.push(b'\n');
            self.seen_states.insert(step.states.clone());
        }
        self.seen_sequences.insert(rely_runtime::digest(&[&sequence]));
        self.sequences = self.seen_sequences.len();
        self.states = self.seen_states.len();
    }
}

impl Outcome {
    /// Whether nothing went wrong, and no bound was met.
    pub fn holds_for_all(&self) -> bool {
        self.failure.is_none() && self.explored.bounded.is_empty()
    }

    /// Prints what was found.
    ///
    /// # Panics
    /// When something went wrong.
    pub fn expect_holds(&self) {
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
        write!(f, "{}: {verdict}; {executions} executions ({pruned} pruned, {blocked} blocked), ", self.question)?;
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
