//! Watches: automata that are stepped together, in one atomic step for each event.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::automaton::{Automaton, LEFT, VIOLATED};
use crate::design::{Design, Found, NO_ACTION, Unknown};
use crate::host::{Host, Std};
use crate::{Answer, End, lanes};

/// What a violated automaton means.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reaction {
    /// It is an assumption: the execution does not count from there on, which is no failure.
    Prune,
    /// It has to hold: the program panics, with everything that has happened so far.
    Check,
    /// The program goes on: the violation is recorded, counted, and told to whoever wanted to know.
    Log,
}

/// Why a watch cannot be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The automaton was made from another version of the design.
    OtherDesign {
        /// Its name.
        automaton: &'static str,
    },
    /// The table of the automaton does not have the form of one.
    Malformed {
        /// Its name.
        automaton: &'static str,
    },
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherDesign { automaton } => {
                write!(f, "{automaton} was made from another version of the design: run `rely harness` again")
            }
            Self::Malformed { automaton } => {
                write!(f, "the table of {automaton} is damaged: run `rely harness` again")
            }
        }
    }
}

impl std::error::Error for Refused {}

/// Something that has happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The thread.
    pub thread: String,
    /// The object.
    pub object: String,
    /// The method.
    pub method: String,
    /// The values.
    pub values: Vec<i64>,
    /// The action of the design; for an unknown event, how the program calls it.
    pub event: String,
    /// The state of each automaton after it.
    pub states: Vec<u32>,
}

/// What a watch has seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The names of the automata.
    pub automata: Vec<&'static str>,
    /// The state of each of them.
    pub states: Vec<u32>,
    /// The last steps; all of them unless a watch keeps fewer.
    pub steps: Vec<Step>,
    /// How many steps before them were forgotten.
    pub forgotten: u64,
    /// How many events violated an automaton that is logged, or were unknown.
    pub violations: u64,
    /// Why the execution does not count any more.
    pub end: Option<End>,
    /// Why an event was unknown, if one was.
    pub unknown: Option<Unknown>,
    /// The place of the first automaton that is violated.
    pub violated: Option<usize>,
}

impl Report {
    /// What is wrong, in a sentence; nothing if everything is as it should be.
    pub fn complaint(&self) -> Option<String> {
        match (self.unknown, self.violated) {
            (Some(why), _) => {
                let event = self.steps.last().map_or("an event", |step| &step.event);
                let why = match why {
                    Unknown::Key => "no event of the design has this method, object and thread",
                    Unknown::Values => "the design does not know its values",
                };
                Some(format!("{event} is not known: {why}"))
            }
            (None, Some(place)) => Some(format!("{} is violated", self.automata[place])),
            (None, None) => None,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(complaint) = self.complaint() {
            writeln!(f, "{complaint}")?;
        }
        f.write_str(&lanes(self))
    }
}

/// Who is told of the first violation of each automaton.
type Callback = Box<dyn Fn(&Report) + Send + Sync>;

/// The making of a [`Watch`].
pub struct WatchBuilder {
    design: &'static Design,
    automata: Vec<(&'static Automaton, Reaction)>,
    bound: u64,
    keep: usize,
    host: Box<dyn Host>,
    callback: Option<Callback>,
}

impl WatchBuilder {
    /// Adds an automaton.
    pub fn with(mut self, automaton: &'static Automaton, reaction: Reaction) -> Self {
        self.automata.push((automaton, reaction));
        self
    }

    /// The execution does not count beyond this many events.
    pub fn bound(mut self, events: u64) -> Self {
        self.bound = events;
        self
    }

    /// Keeps no more than this many of the last steps.
    pub fn keep(mut self, steps: usize) -> Self {
        self.keep = steps;
        self
    }

    /// Where the program runs, if not on threads of the standard library.
    pub fn host(mut self, host: impl Host + 'static) -> Self {
        self.host = Box::new(host);
        self
    }

    /// Who is told of the first violation of each automaton that is logged, and of the first unknown event.
    pub fn on_violation(mut self, callback: impl Fn(&Report) + Send + Sync + 'static) -> Self {
        self.callback = Some(Box::new(callback));
        self
    }

    /// The watch.
    ///
    /// # Errors
    /// When an automaton does not belong to the design.
    pub fn build(mut self) -> Result<Watch, Refused> {
        for &(automaton, _) in &self.automata {
            let actions = self.design.actions.len();
            if automaton.digest != self.design.digest {
                return Err(Refused::OtherDesign { automaton: automaton.name });
            }
            let is_table =
                if actions == 0 { automaton.next.is_empty() } else { automaton.next.len() % actions == 0 };
            if !is_table {
                return Err(Refused::Malformed { automaton: automaton.name });
            }
        }
        // Assumptions go first: what breaks both breaks only the assumption.
        self.automata.sort_by_key(|&(_, reaction)| reaction != Reaction::Prune);
        let states: Vec<u32> = self.automata.iter().map(|(automaton, _)| automaton.initial()).collect();
        let is_empty =
            |(&state, &(_, reaction)): (&u32, &(_, _))| state == VIOLATED && reaction == Reaction::Prune;
        let end = states.iter().zip(&self.automata).position(is_empty).map(End::Pruned);
        let seen = Seen { states, end, ..Seen::default() };
        Ok(Watch { made: self, seen: Mutex::new(seen) })
    }
}

/// Automata that are stepped together.
pub struct Watch {
    made: WatchBuilder,
    seen: Mutex<Seen>,
}

/// What a watch has seen.
#[derive(Default)]
struct Seen {
    /// The state of each automaton.
    states: Vec<u32>,
    /// The last steps.
    records: VecDeque<Record>,
    /// The states of all automata after each of these steps.
    history: VecDeque<u32>,
    /// How many steps have been forgotten.
    forgotten: u64,
    /// How many events have counted.
    events: u64,
    violations: u64,
    unknown: Option<Unknown>,
    end: Option<End>,
}

/// A step, in little space.
enum Record {
    /// An event that a key of the design says everything about.
    Known(Found),
    /// One of which the thread, or more, is not in the key.
    Other(Box<Step>),
}

/// What is to be done after the atomic step.
enum Consequence {
    None,
    Stop,
    Fail(Box<Report>),
    Tell(Box<Report>),
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("design", &self.made.design.name).finish_non_exhaustive()
    }
}

impl Watch {
    /// A watch for a design, without automata so far, on threads of the standard library.
    pub fn builder(design: &'static Design) -> WatchBuilder {
        WatchBuilder {
            design,
            automata: Vec::new(),
            bound: u64::MAX,
            keep: usize::MAX,
            host: Box::new(Std),
            callback: None,
        }
    }

    /// A method of an object is called in the current thread.
    ///
    /// # Panics
    /// When this violates an automaton that is checked, or is unknown while one is checked.
    pub fn event(&self, method: &str, object: &str, values: &[i64]) -> Answer {
        let mut answer = Answer::Ok;
        self.made.host.with_thread_name(&mut |thread| answer = self.event_of(thread, method, object, values));
        answer
    }

    /// A method of an object is called in a thread.
    ///
    /// # Panics
    /// When this violates an automaton that is checked, or is unknown while one is checked.
    pub fn event_of(&self, thread: &str, method: &str, object: &str, values: &[i64]) -> Answer {
        let mut result = (Answer::Ok, Consequence::None);
        self.made.host.atomically(&mut || result = self.step(thread, method, object, values));
        let (answer, consequence) = result;
        match consequence {
            Consequence::None => {}
            Consequence::Stop => self.made.host.ended(),
            Consequence::Fail(report) => self.made.host.failed(&report),
            Consequence::Tell(report) => self.made.callback.iter().for_each(|callback| callback(&report)),
        }
        answer
    }

    /// Gives what runs now another name, or its own again; the name that it was given before.
    pub(crate) fn rename(&self, name: Option<&'static str>) -> Option<&'static str> {
        self.made.host.rename(name)
    }

    /// Whether the assumptions allow a method to be called in a thread now, with some values at least.
    pub fn allows(&self, thread: &str, method: &str, object: &str) -> bool {
        let mut is_allowed = false;
        self.made.host.atomically(&mut || {
            let seen = self.seen();
            let actions = self.made.design.actions_of(thread, method, object);
            is_allowed = actions.iter().any(|&action| {
                let prunes = |(i, &(automaton, reaction)): (usize, &(&Automaton, Reaction))| {
                    reaction == Reaction::Prune && self.next(automaton, seen.states[i], action) == VIOLATED
                };
                action != NO_ACTION && !self.made.automata.iter().enumerate().any(prunes)
            });
        });
        is_allowed
    }

    /// Why the execution does not count any more, if it does not.
    pub fn end(&self) -> Option<End> {
        self.seen().end
    }

    /// Nothing counts from here on: the program is being taken down.
    pub fn close(&self) {
        let mut seen = self.seen();
        seen.end = seen.end.or(Some(End::Closed));
    }

    /// How many events have counted.
    pub fn events(&self) -> u64 {
        self.seen().events
    }

    /// What has been seen.
    pub fn report(&self) -> Report {
        self.report_of(&self.seen())
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        // Nothing panics while it is locked but the allocator.
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self, automaton: &Automaton, state: u32, action: u32) -> u32 {
        automaton.step(state, action, self.made.design.actions.len())
    }

    fn step(&self, thread: &str, method: &str, object: &str, values: &[i64]) -> (Answer, Consequence) {
        let mut guard = self.seen();
        let seen = &mut *guard;
        if let Some(end) = seen.end {
            return (Answer::Ended(end), Consequence::None);
        }
        if seen.events >= self.made.bound {
            seen.end = Some(End::Cut);
            return (Answer::Ended(End::Cut), Consequence::Stop);
        }
        seen.events += 1;
        let found = self.made.design.find(thread, method, object, values);
        let mut fresh = None;
        if let Ok(Found { action, .. }) = found {
            for (i, &(automaton, reaction)) in self.made.automata.iter().enumerate() {
                let before = seen.states[i];
                let after = self.next(automaton, before, action);
                seen.states[i] = after;
                // An automaton that starts violated has been, too.
                let is_violated = after == VIOLATED && (before != VIOLATED || seen.events == 1);
                if is_violated && reaction == Reaction::Prune {
                    // The others do not see this event any more.
                    seen.end = Some(End::Pruned(i));
                    break;
                }
                if is_violated {
                    fresh = fresh.or(Some(i));
                }
            }
        }
        self.record(seen, thread, method, object, values, found.ok());
        if let Some(end) = seen.end {
            return (Answer::Ended(end), Consequence::Stop);
        }
        let is_first_unknown = seen.unknown.is_none() && found.is_err();
        seen.unknown = seen.unknown.or(found.err());
        let answer = self.answer(seen);
        if !matches!(answer, Answer::Ok | Answer::Left(_)) {
            seen.violations += 1;
        }
        let checks = |&(_, reaction): &(&Automaton, Reaction)| reaction == Reaction::Check;
        let fails = match fresh {
            Some(_) => self
                .made
                .automata
                .iter()
                .zip(&seen.states)
                .any(|(it, &state)| checks(it) && state == VIOLATED),
            None => is_first_unknown && self.made.automata.iter().any(checks),
        };
        let consequence = if fails {
            seen.end = Some(End::Failed);
            Consequence::Fail(Box::new(self.report_of(seen)))
        } else if fresh.is_some() || is_first_unknown {
            Consequence::Tell(Box::new(self.report_of(seen)))
        } else {
            Consequence::None
        };
        (answer, consequence)
    }

    /// The worst that is to be said.
    fn answer(&self, seen: &Seen) -> Answer {
        let place = |wanted: u32| seen.states.iter().position(|&state| state == wanted);
        match (place(VIOLATED), seen.unknown, place(LEFT)) {
            (Some(i), _, _) => Answer::Violated(i),
            (None, Some(why), _) => Answer::Unknown(why),
            (None, None, Some(i)) => Answer::Left(i),
            (None, None, None) => Answer::Ok,
        }
    }

    fn record(
        &self,
        seen: &mut Seen,
        thread: &str,
        method: &str,
        object: &str,
        values: &[i64],
        found: Option<Found>,
    ) {
        if self.made.keep == 0 {
            seen.forgotten += 1;
            return;
        }
        if seen.records.len() == self.made.keep {
            seen.records.pop_front();
            seen.history.drain(..self.made.automata.len());
            seen.forgotten += 1;
        }
        let is_in_key = |found: &Found| self.made.design.events[found.key as usize].thread != "*";
        seen.records.push_back(match found {
            Some(found) if is_in_key(&found) => Record::Known(found),
            _ => Record::Other(Box::new(Step {
                thread: thread.to_owned(),
                object: object.to_owned(),
                method: method.to_owned(),
                values: values.to_vec(),
                event: found.map_or_else(
                    || shown_call(method, object, values),
                    |found| self.made.design.action_name(found.action).to_owned(),
                ),
                states: Vec::new(),
            })),
        });
        seen.history.extend(&seen.states);
    }

    fn report_of(&self, seen: &Seen) -> Report {
        let count = self.made.automata.len();
        let step = |(i, record): (usize, &Record)| {
            let states = seen.history.range(i * count..(i + 1) * count).copied().collect();
            self.step_of(record, states)
        };
        Report {
            automata: self.made.automata.iter().map(|(automaton, _)| automaton.name).collect(),
            states: seen.states.clone(),
            steps: seen.records.iter().enumerate().map(step).collect(),
            forgotten: seen.forgotten,
            violations: seen.violations,
            end: seen.end,
            unknown: seen.unknown,
            violated: seen.states.iter().position(|&state| state == VIOLATED),
        }
    }

    fn step_of(&self, record: &Record, states: Vec<u32>) -> Step {
        let design = self.made.design;
        match record {
            Record::Known(found) => {
                let key = &design.events[found.key as usize];
                Step {
                    thread: key.thread.to_owned(),
                    object: key.object.to_owned(),
                    method: key.method.to_owned(),
                    values: key.values_at(found.place as usize),
                    event: design.action_name(found.action).to_owned(),
                    states,
                }
            }
            Record::Other(step) => Step { states, ..(**step).clone() },
        }
    }
}

/// An event that has no other name.
fn shown_call(method: &str, object: &str, values: &[i64]) -> String {
    let values: Vec<String> = values.iter().map(i64::to_string).collect();
    format!("{object}.{method}({})", values.join(", "))
}
