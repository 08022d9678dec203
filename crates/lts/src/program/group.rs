//! Separating some units of a program from the rest.
//!
//! Problem: part of a program is to be studied alone, as a component is taken out of a network, and put together again
//! with the rest by the names of actions. That is possible where nothing else passes between the two: no slot is used by
//! units of both, and no silent tick moves both.
//!
//! A tick that has an action and moves units of both goes to both, as an action that they share. Its guard stays where its
//! slots are. A tick also concerns a group that has momentary slots, since it sets them back. The condition of the end is
//! divided by its conjuncts.
//!
//! Where a guard for a shared action is undefined, the whole program fails by the action even if others are not ready for
//! it; the group fails only together with them. A tick without members belongs to no group. In everything else the parts,
//! put together, do what the program does.

use std::collections::BTreeSet;
use std::fmt;

use rely_base::{ActionId, Alphabet, Id};

use super::{
    Binary, Command, Expression, ExpressionId, Lifetime, Program, ProgramBuilder, SlotId, Target, Tick,
    TickId, Trigger, Unit, UnitId,
};

/// Why some units of a program cannot be separated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotSeparate {
    /// A slot is used by units of the group and by others.
    Slot {
        /// The name of the slot.
        slot: String,
        /// A unit outside the group that uses it.
        outside: String,
    },
    /// A tick that is silent, or has its action together with another one, moves units inside and outside, or sets slots
    /// of both back.
    Tick(TickId),
}

impl fmt::Display for NotSeparate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slot { slot, outside } => {
                write!(f, "{slot} is shared with {outside}, so the units cannot be taken by themselves")
            }
            Self::Tick(tick) => write!(
                f,
                "tick {} has no action of its own and moves other units as well, so the units cannot be taken by \
                 themselves",
                tick.index()
            ),
        }
    }
}

impl std::error::Error for NotSeparate {}

impl Program {
    /// Some units by themselves, with the actions that they have and all slots, of which they use their own only.
    ///
    /// # Errors
    /// What they share with others, besides actions.
    pub fn group(&self, units: &[UnitId]) -> Result<Self, NotSeparate> {
        Group::new(self, units).build()
    }

    /// The slots that an expression reads.
    fn slots_of(&self, root: ExpressionId) -> BTreeSet<SlotId> {
        let (mut slots, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![root]);
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.expression(id) {
                Expression::Slot(slot) => drop(slots.insert(slot)),
                Expression::Element(array, _) => {
                    slots.extend((0..array.length).map(|i| SlotId::from_raw(array.first.raw() + i)));
                }
                _ => {}
            }
            open.extend(self.expression(id).operands());
        }
        slots
    }

    /// The slots that a command reads or assigns.
    fn slots_of_command(&self, command: &Command) -> BTreeSet<SlotId> {
        let mut slots = self.slots_of(command.guard);
        for assignment in &command.assignments {
            slots.extend(self.slots_of(assignment.value));
            match assignment.target {
                Target::Slot(slot) => drop(slots.insert(slot)),
                Target::Element(array, index) => {
                    slots.extend((0..array.length).map(|i| SlotId::from_raw(array.first.raw() + i)));
                    slots.extend(self.slots_of(index));
                }
            }
        }
        slots
    }
}

/// The units, and what belongs to them.
struct Group<'p> {
    program: &'p Program,
    /// The units, in increasing order.
    units: Vec<UnitId>,
    slots: BTreeSet<SlotId>,
}

impl<'p> Group<'p> {
    fn new(program: &'p Program, units: &[UnitId]) -> Self {
        let units: BTreeSet<UnitId> = units.iter().copied().collect();
        let commands = units.iter().flat_map(|unit| &program.units()[unit.index()].commands);
        let slots = commands.flat_map(|command| program.slots_of_command(command)).collect();
        Self { program, units: units.into_iter().collect(), slots }
    }

    fn build(self) -> Result<Program, NotSeparate> {
        self.check_units()?;
        let (mut ticks, mut numbers) = (Vec::new(), vec![None; self.program.ticks().len()]);
        for id in (0..self.program.ticks().len()).map(TickId::from_index) {
            if let Some(guard) = self.own_guard(id)? {
                numbers[id.index()] = Some(TickId::from_index(ticks.len()));
                ticks.push((id, guard));
            }
        }
        let ends = self.own_end()?;
        let mut builder = ProgramBuilder::from(self.program.clone());
        builder.end = None;
        if !ends.is_empty() {
            let end = builder.all(ends);
            builder.end(end);
        }
        let always = builder.constant(1);
        let kept = ticks.iter().map(|&(id, guard)| {
            let tick = &self.program.ticks()[id.index()];
            let members = tick.members.iter().filter_map(|member| self.number(*member)).collect();
            Tick { action: tick.action, guard: guard.unwrap_or(always), members }
        });
        builder.ticks = kept.collect();
        let unit = |id: &UnitId| self.program.units()[id.index()].clone();
        builder.units = self.units.iter().map(unit).collect();
        for command in builder.units.iter_mut().flat_map(|unit| &mut unit.commands) {
            if let Trigger::Tick(tick) = &mut command.trigger {
                *tick = numbers[tick.index()].expect("a tick with a member inside is kept");
            }
        }
        rename_actions(&mut builder, self.program);
        Ok(builder.build().expect("a part of a program is a program"))
    }

    /// The number of a unit in the group.
    fn number(&self, unit: UnitId) -> Option<UnitId> {
        self.units.binary_search(&unit).ok().map(UnitId::from_index)
    }

    /// Checks that no other unit uses the slots.
    fn check_units(&self) -> Result<(), NotSeparate> {
        for (number, unit) in self.program.units().iter().enumerate() {
            if self.number(UnitId::from_index(number)).is_some() {
                continue;
            }
            let mut used = unit.commands.iter().flat_map(|command| self.program.slots_of_command(command));
            if let Some(slot) = used.find(|slot| self.slots.contains(slot)) {
                return Err(self.shared(slot, unit.name.clone()));
            }
        }
        Ok(())
    }

    fn shared(&self, slot: SlotId, outside: String) -> NotSeparate {
        NotSeparate::Slot { slot: self.program.slots()[slot.index()].name.clone(), outside }
    }

    /// The guard of a tick that concerns the group, `None` inside if its slots are outside; `None` if the tick does
    /// not concern the group.
    fn own_guard(&self, id: TickId) -> Result<Option<Option<ExpressionId>>, NotSeparate> {
        let tick = &self.program.ticks()[id.index()];
        let read = self.program.slots_of(tick.guard);
        let (inside, outside): (Vec<SlotId>, Vec<SlotId>) =
            read.into_iter().partition(|slot| self.slots.contains(slot));
        let is_momentary = |slot: SlotId| self.program.slots()[slot.index()].lifetime == Lifetime::Momentary;
        let moves = tick.members.iter().any(|&member| self.number(member).is_some());
        let resets = self.slots.iter().any(|&slot| is_momentary(slot));
        if !moves && !resets && inside.is_empty() {
            return Ok(None);
        }
        let all = (0..self.program.slots().len()).map(SlotId::from_index);
        let resets_others = all.into_iter().any(|slot| !self.slots.contains(&slot) && is_momentary(slot));
        let moves_others = tick.members.iter().any(|&member| self.number(member).is_none());
        let concerns_others = moves_others || resets_others || !outside.is_empty();
        let same_name = |other: &&Tick| other.action == tick.action;
        let is_alone = tick.action.is_some() && self.program.ticks().iter().filter(same_name).count() == 1;
        if !is_alone && concerns_others {
            return Err(NotSeparate::Tick(id));
        }
        match (inside.first(), outside.first()) {
            (Some(&slot), Some(_)) => Err(self.shared(slot, format!("the guard of tick {}", id.index()))),
            (None, Some(_)) => Ok(Some(None)),
            _ => Ok(Some(Some(tick.guard))),
        }
    }

    /// The conjuncts of the end condition that are about the group.
    fn own_end(&self) -> Result<Vec<ExpressionId>, NotSeparate> {
        let mut own = Vec::new();
        let mut open: Vec<ExpressionId> = self.program.end().into_iter().collect();
        while let Some(id) = open.pop() {
            if let Expression::Binary(Binary::And, first, second) = self.program.expression(id) {
                open.extend([second, first]);
                continue;
            }
            let read = self.program.slots_of(id);
            let inside = read.iter().filter(|slot| self.slots.contains(slot)).count();
            match inside {
                0 if !read.is_empty() => {}
                count if count == read.len() => own.push(id),
                _ => {
                    let slot = read.into_iter().find(|slot| self.slots.contains(slot));
                    let slot = slot.expect("some are inside");
                    return Err(self.shared(slot, "the condition of the end".to_owned()));
                }
            }
        }
        Ok(own)
    }
}

/// Removes the actions that belong to no unit and no tick.
fn rename_actions(builder: &mut ProgramBuilder, program: &Program) {
    let of_units = builder.units.iter().flat_map(|unit: &Unit| unit.alphabet.iter().copied());
    let used: BTreeSet<ActionId> =
        of_units.chain(builder.ticks.iter().filter_map(|tick| tick.action)).collect();
    let names: Alphabet = used.iter().map(|&action| program.alphabet().name(action)).collect();
    let renamed = |action: ActionId| {
        names.get(program.alphabet().name(action)).expect("actions that are used have names")
    };
    for unit in &mut builder.units {
        unit.alphabet.iter_mut().for_each(|action| *action = renamed(*action));
        for command in &mut unit.commands {
            if let Trigger::Action(action) = &mut command.trigger {
                *action = renamed(*action);
            }
        }
    }
    for tick in &mut builder.ticks {
        tick.action = tick.action.map(renamed);
    }
    builder.hidden = used.iter().map(|&action| program.is_hidden(action)).collect();
    builder.alphabet = names;
}
