//! A transition system as a unit of a program, so that property processes can watch one.

use rely_base::{ActionId, Id};

use super::{Outcome, Program, ProgramBuilder, SlotId, Trigger, UnitId, Values};
use crate::{Component, Lts};

impl Program {
    /// The program together with an observer, which takes part in the actions of its alphabet. The observer becomes
    /// the first unit: if several units fail in one step, the first of them is reported, so a step that the observer
    /// forbids is reported as the observer's failure, whatever else fails.
    #[must_use]
    pub fn watched_by(self, observer: &Component) -> Self {
        let mut builder = self.into_builder();
        builder.component(observer.name.as_str(), &observer.lts);
        let program = builder.build().expect("a transition system is a unit that makes sense");
        let last = UnitId::from_index(program.units().len() - 1);
        program.with_unit_first(last)
    }

    /// The program with one of its units moved to the front.
    #[must_use]
    pub fn with_unit_first(self, unit: UnitId) -> Self {
        let mut builder = self.into_builder();
        builder.units[..=unit.index()].rotate_right(1);
        for tick in &mut builder.ticks {
            for member in &mut tick.members {
                *member = match *member {
                    member if member == unit => UnitId::from_raw(0),
                    member if member < unit => UnitId::from_raw(member.raw() + 1),
                    member => member,
                };
            }
            tick.members.sort_unstable();
        }
        builder.build().expect("the order of units decides only which of them is named")
    }
}

impl ProgramBuilder {
    /// Adds a transition system as a unit with one slot, its state. It takes part in the actions of its alphabet, and
    /// fails where it reaches its error state. Returns the unit and the slot.
    ///
    /// A system that starts in its error state fails in a silent step of its own.
    pub fn component(&mut self, name: impl Into<String>, lts: &Lts) -> (UnitId, SlotId) {
        let name = name.into();
        let last = i32::try_from(lts.state_count()).unwrap_or(i32::MAX) - 1;
        let initial = i32::try_from(lts.initial().index()).unwrap_or(i32::MAX);
        let state = self.slot(&name, Values::Range(0, last), initial);
        let unit = self.unit(name);
        let actions: Vec<ActionId> = lts.alphabet().names().map(|name| self.action(name)).collect();
        for &action in &actions {
            self.take_part(unit, action);
        }
        for from in lts.states() {
            let here = self.is(state, i64::from(from.raw()));
            if Some(from) == lts.error() {
                self.command(unit, Trigger::Silent, here).outcome(Outcome::Fail);
                continue;
            }
            for edge in lts.edges(from) {
                let trigger = match edge.label.action() {
                    None => Trigger::Silent,
                    Some(action) => Trigger::Action(actions[action.index()]),
                };
                let outcome =
                    if Some(edge.target) == lts.error() { Outcome::Fail } else { Outcome::Continue };
                let to = self.constant(i64::from(edge.target.raw()));
                self.command(unit, trigger, here).assign(state, to).outcome(outcome);
            }
        }
        (unit, state)
    }
}
