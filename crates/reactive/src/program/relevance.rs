//! Which events the environment need not choose: those that make no difference to any transition.
//!
//! **Problem.** A component that takes twelve events is offered 4096 sets of them in each microstep, and almost all lead to the
//! same configurations: in the states that the machines are in, most events are read by nobody. Most states of a program are
//! choices half made.
//!
//! **Idea.** An event is offered only where it may change whether some transition is enabled. That is the Boolean difference of
//! the transition's condition by the event [Akers 1959]: of a conjunction, one part depends on the event and all others may be
//! true; of a disjunction, one depends on it and all others may be false. States of machines and events that machines sent are
//! known; an event that may still be chosen may be there or not.
//!
//! What is left out changes no configuration that a tick leaves, so all of these are reached as before, and the same properties
//! of the text fail. An event that something else looks at is always offered: one that a property mentions, one that is
//! remembered, or one that an assumption asks for. The actions of runs do differ, so this is not for those who look at actions.

use rely_lts::ExpressionId;

use super::builder::{Lowering, Slots};
use super::formulas::Sight;
use crate::formula::{Atom, Formula};
use crate::system::EventId;

impl Lowering<'_> {
    /// Whether it makes a difference that the environment chooses an event; nothing if it always may.
    pub(super) fn matters(&mut self, event: EventId) -> Option<ExpressionId> {
        if self.options.all_choices || self.is_observed(event) {
            return None;
        }
        let (system, view) = (self.system, self.view);
        let mut some = Vec::new();
        for (id, machine) in system.machines().filter(|(_, machine)| view.has(machine.component)) {
            for transition in &machine.transitions {
                if let Some(differs) = self.difference(&transition.condition, event) {
                    let here = self.builder.is(self.slots.machines[&id], i64::from(transition.from));
                    some.push(self.builder.and(here, differs));
                }
            }
        }
        Some(self.builder.any(some))
    }

    /// Whether an event is looked at by something that is no transition.
    fn is_observed(&self, event: EventId) -> bool {
        let mentions = |formula: &Formula| {
            let mut found = false;
            formula.for_each_atom(&mut |atom| {
                let is_it = |other: &EventId| *other == event;
                found |= matches!(atom, Atom::Event(it) | Atom::OldEvent(it) | Atom::Before(it) if is_it(it));
            });
            found
        };
        let asks = |formula: &&Formula| !formula.only_forbids();
        let is_remembered = |list: &[(EventId, rely_lts::SlotId)]| Slots::find(list, event).is_some();
        self.options.checks.iter().any(|check| mentions(&check.formula))
            || self.options.assumptions.iter().filter(asks).any(mentions)
            || is_remembered(&self.slots.before)
            || is_remembered(&self.slots.last)
    }

    /// Whether the value of a formula may depend on an event; nothing if it cannot.
    fn difference(&mut self, formula: &Formula, event: EventId) -> Option<ExpressionId> {
        match formula {
            Formula::Atom(Atom::Event(it)) if *it == event => Some(self.builder.constant(1)),
            Formula::Constant(_) | Formula::Atom(_) => None,
            Formula::Not(inner) => self.difference(inner, event),
            Formula::All(parts) => self.difference_of_one(parts, event, true),
            Formula::Any(parts) => self.difference_of_one(parts, event, false),
            Formula::Iff(left, right) => {
                let both = [self.difference(left, event), self.difference(right, event)];
                let both: Vec<_> = both.into_iter().flatten().collect();
                (!both.is_empty()).then(|| self.builder.any(both))
            }
        }
    }

    /// Whether one part depends on an event, and all others may have a value.
    fn difference_of_one(&mut self, parts: &[Formula], event: EventId, others: bool) -> Option<ExpressionId> {
        let mut some = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let Some(differs) = self.difference(part, event) else { continue };
            let rest = parts.iter().enumerate().filter(|(other, _)| *other != at);
            let mut all: Vec<_> = rest.map(|(_, part)| self.may_be(part, others)).collect();
            all.push(differs);
            some.push(self.builder.all(all));
        }
        (!some.is_empty()).then(|| self.builder.any(some))
    }

    /// Whether a formula may have a value once the environment has chosen.
    fn may_be(&mut self, formula: &Formula, value: bool) -> ExpressionId {
        match formula {
            Formula::Constant(it) => self.builder.constant(i64::from(*it == value)),
            Formula::Atom(Atom::Event(event)) => {
                let now = self.event(*event, Sight::Now);
                match value {
                    true => {
                        let later = self.may_still_come(*event);
                        self.builder.or(now, later)
                    }
                    false => self.builder.not(now),
                }
            }
            Formula::Atom(_) => {
                let now = self.formula(formula, Sight::Now);
                if value { now } else { self.builder.not(now) }
            }
            Formula::Not(inner) => self.may_be(inner, !value),
            Formula::All(parts) | Formula::Any(parts) => {
                let is_all = matches!(formula, Formula::All(_));
                let each: Vec<_> = parts.iter().map(|part| self.may_be(part, value)).collect();
                if is_all == value { self.builder.all(each) } else { self.builder.any(each) }
            }
            Formula::Iff(left, right) => {
                let mut ways = Vec::new();
                for first in [true, false] {
                    let (left, right) = (self.may_be(left, first), self.may_be(right, first == value));
                    ways.push(self.builder.and(left, right));
                }
                self.builder.any(ways)
            }
        }
    }

    /// Whether the environment may choose an event now.
    fn may_still_come(&mut self, event: EventId) -> ExpressionId {
        let stable = self.is_stable();
        let running = self.builder.not(stable);
        let is_input = Slots::find(&self.slots.inputs, event).is_some();
        let is_taken = Slots::find(&self.slots.taken, event).is_some();
        let ways = [(is_input, stable), (is_taken, running)];
        self.builder.any(ways.into_iter().filter(|(is_so, _)| *is_so).map(|(_, when)| when))
    }
}
