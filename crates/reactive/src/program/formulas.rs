//! Formulas as expressions over the slots of the program.

use rely_lts::{Binary, ExpressionId, SlotId};

use super::builder::{Lowering, Slots};
use crate::formula::{Atom, Comparison, Formula};
use crate::system::{EventId, EventKind};

/// What it means that an event is there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sight {
    /// In the configuration: that is what transitions see.
    Now,
    /// In the configuration, from outside of what is in view: that is what assumptions see.
    Border,
    /// In the configuration, sent by a machine in view: that is what is seen where assumptions are discharged.
    Sent,
    /// In the microstep that led to the configuration. Inputs are there in the first one.
    Microstep,
    /// In the macrostep so far.
    Macrostep,
}

impl Lowering<'_> {
    /// A formula as an expression. Its height is bounded.
    pub(super) fn formula(&mut self, formula: &Formula, sight: Sight) -> ExpressionId {
        match formula {
            Formula::Constant(value) => self.builder.constant(i64::from(*value)),
            Formula::Atom(atom) => self.atom(atom, sight),
            Formula::Not(inner) => {
                let inner = self.formula(inner, sight);
                self.builder.not(inner)
            }
            Formula::All(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.formula(part, sight)).collect();
                self.builder.all(parts)
            }
            Formula::Any(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.formula(part, sight)).collect();
                self.builder.any(parts)
            }
            Formula::Iff(left, right) => {
                let (left, right) = (self.formula(left, sight), self.formula(right, sight));
                // A condition may be any number but 0, so only negations can be compared.
                let (left, right) = (self.builder.not(left), self.builder.not(right));
                self.builder.equal(left, right)
            }
        }
    }

    fn atom(&mut self, atom: &Atom, sight: Sight) -> ExpressionId {
        match atom {
            Atom::Event(event) => self.event(*event, sight),
            Atom::OldEvent(event) => {
                let is_border = matches!(sight, Sight::Border | Sight::Sent);
                let list = if is_border { &self.slots.last } else { &self.slots.old_events };
                self.slot_or_false(Slots::find(list, *event))
            }
            Atom::Before(event) => self.slot_or_false(Slots::find(&self.slots.before, *event)),
            Atom::State(machine, states) => {
                let slot = self.slots.machines.get(machine).copied();
                self.one_of(slot, states)
            }
            Atom::OldState(machine, states) => {
                let slot = self.slots.old_states.iter().find(|(id, _)| id == machine).map(|&(_, slot)| slot);
                self.one_of(slot, states)
            }
            Atom::After(machine, timer, count) => {
                let Some(&slot) = self.slots.timers.get(&(*machine, *timer)) else {
                    return self.builder.constant(0);
                };
                let stable = self.is_stable();
                let shows = self.builder.is(slot, i64::from(*count));
                self.builder.and(stable, shows)
            }
            Atom::Microstep(comparison, number) => {
                let microstep = self.builder.value(self.slots.microstep);
                let number = self.builder.constant(i64::from(*number));
                let operator = match comparison {
                    Comparison::Equal => Binary::Equal,
                    Comparison::Less => Binary::Less,
                    Comparison::LessEqual => Binary::LessOrEqual,
                };
                self.builder.binary(operator, microstep, number)
            }
        }
    }

    /// Whether an event is there.
    pub(super) fn event(&mut self, event: EventId, sight: Sight) -> ExpressionId {
        let seen = Slots::find(&self.slots.seen, event);
        if sight == Sight::Microstep && self.system.event(event).kind == EventKind::Input {
            let seen = self.slot_or_false(seen);
            let first = self.builder.is(self.slots.microstep, 1);
            return self.builder.and(first, seen);
        }
        if sight == Sight::Border && self.supposed == Some(event) {
            return self.builder.constant(1);
        }
        let slots = match sight {
            Sight::Border => Slots::find(&self.slots.taken, event).into_iter().collect(),
            Sight::Sent => self.slots.sent.get(&event).copied().into_iter().collect(),
            _ => self.slots.of(event),
        };
        let now: Vec<_> = slots.into_iter().map(|slot| self.builder.value(slot)).collect();
        let now = self.builder.any(now);
        match (sight, seen) {
            (Sight::Macrostep, Some(seen)) => {
                let seen = self.builder.value(seen);
                self.builder.or(seen, now)
            }
            _ => now,
        }
    }

    pub(super) fn slot_or_false(&mut self, slot: Option<SlotId>) -> ExpressionId {
        match slot {
            Some(slot) => self.builder.value(slot),
            None => self.builder.constant(0),
        }
    }

    fn one_of(&mut self, slot: Option<SlotId>, states: &[u32]) -> ExpressionId {
        let Some(slot) = slot else { return self.builder.constant(0) };
        let here: Vec<_> = states.iter().map(|&state| self.builder.is(slot, i64::from(state))).collect();
        self.builder.any(here)
    }

    /// Whether no macrostep is going on.
    pub(super) fn is_stable(&mut self) -> ExpressionId {
        self.builder.is(self.slots.microstep, 0)
    }
}
