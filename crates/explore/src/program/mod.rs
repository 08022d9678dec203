//! The transition system of a program, state by state.
//!
//! Problem: given a state of a [`Program`], enumerate its steps as the head of `rely_lts::Program`'s module defines them,
//! without allocation, and one by one: a tick may have exponentially many.
//!
//! Idea: compile once, then run. A state is packed into words (`layout.rs`); expressions become code for a small
//! stack machine (`code.rs`); commands are grouped by what triggers them (`plan.rs`). For a step, the menus of its
//! units say which commands are enabled; the effects of these are computed once, and all combinations are enumerated,
//! those of the last unit fastest.
//!
//! Cost of a state: the guards that may be true, the assignments of enabled commands, and O(assignments) for each step.
//! Called by every search of a program. The judge of `rely_certificate` has an interpreter of its own.

mod code;
mod conditions;
mod layout;
mod plan;

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use rely_base::{Alphabet, Id, Label};
use rely_lts::{ComponentId, Fault, Outcome, Program, SlotId};

pub use self::conditions::Conditions;

use self::code::Memory;
use self::layout::{Layout, Reset};
use self::plan::{Candidate, Joint, Menu, Plan, movers_of};
use crate::{Successor, System};

/// The [`System`] of a program.
#[derive(Clone, Debug)]
pub struct Machine<'p> {
    program: &'p Program,
    /// The names of the labels that are shown.
    alphabet: Alphabet,
    /// For each action of the program, the label that is shown.
    shown: Vec<Label>,
    layout: Layout,
    plan: Plan,
    initial: Vec<u64>,
    /// What a tick does to momentary slots before anything is assigned.
    resets: Vec<Reset>,
}

/// The scratch space of [`Machine`].
#[derive(Clone, Debug)]
pub struct MachineCursor {
    memory: Memory,
    /// The effects of the commands that are enabled for the step; those of one unit are adjacent.
    effects: Vec<Effect>,
    writes: Vec<Write>,
    /// What the units of the step choose.
    choices: Vec<Choice>,
    /// For each slot, the number of the last combination that has assigned it.
    assigned_by: Vec<u32>,
    combination: u32,
    /// The state after the step.
    next: Vec<u64>,
}

/// What a unit can do in a step: one of some effects, or nothing if there are none.
#[derive(Clone, Copy, Debug)]
struct Choice {
    unit: ComponentId,
    first: u32,
    end: u32,
    chosen: u32,
}

impl Choice {
    /// Chooses the next effect. After the last one, chooses the first again and returns false.
    #[inline]
    fn advance(&mut self) -> bool {
        if self.first == self.end {
            return false;
        }
        self.chosen += 1;
        let wrapped = self.chosen == self.end;
        if wrapped {
            self.chosen = self.first;
        }
        !wrapped
    }
}

/// What an enabled command does.
#[derive(Clone, Copy, Debug)]
struct Effect {
    command: u32,
    /// The writes that are defined.
    first: u32,
    end: u32,
    /// Why the remaining assignments are not defined.
    fault: Option<Fault>,
}

/// A new position for a slot.
#[derive(Clone, Copy, Debug)]
struct Write {
    slot: u32,
    position: u32,
}

/// The kinds of steps.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// A silent step of a unit.
    Alone(ComponentId),
    /// A joint step, by its place in the list of joint steps.
    Together(usize),
    /// A tick, by its place in the list of ticks.
    Tick(usize),
}

/// How a step ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End<'a> {
    /// In a state.
    State(&'a [u64]),
    /// A unit fails, by a fault or because it says so. The state after it is known if there was no fault.
    Failure { unit: ComponentId, fault: Option<Fault>, after: Option<&'a [u64]> },
    /// The run leaves the bounds of what is explored.
    Cut(ComponentId),
}

impl<'p> Machine<'p> {
    /// The program as it is seen from outside: its hidden actions are silent.
    pub fn new(program: &'p Program) -> Self {
        let alphabet = program.visible_alphabet();
        let label = |(_, name): (_, &str)| alphabet.get(name).map_or(Label::TAU, Label::visible);
        let shown = program.alphabet().iter().map(label).collect();
        Self::with_labels(program, alphabet, shown)
    }

    /// The program seen through its hiding: hidden actions appear under their names, and labels are those of
    /// [`Program::alphabet`].
    pub fn transparent(program: &'p Program) -> Self {
        let shown = program.alphabet().iter().map(|(action, _)| Label::visible(action)).collect();
        Self::with_labels(program, program.alphabet().clone(), shown)
    }

    fn with_labels(program: &'p Program, alphabet: Alphabet, shown: Vec<Label>) -> Self {
        let layout = Layout::new(program);
        let plan = Plan::new(program, &layout);
        let initial = layout.pack(&program.positions(&program.initial()));
        let initial = initial.expect("slots have their initial values");
        let resets = layout.resets(program, &initial);
        Self { program, alphabet, shown, layout, plan, initial, resets }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The value of a slot in a state.
    #[inline]
    pub fn value(&self, state: &[u64], slot: SlotId) -> i64 {
        self.layout.value(slot.index(), state)
    }

    /// The positions of the slots' values.
    pub(crate) fn unpack(&self, state: &[u64]) -> Vec<u32> {
        self.layout.unpack(state)
    }

    /// The packed state with these positions; `None` if some slot does not have its position.
    pub(crate) fn pack(&self, positions: &[u32]) -> Option<Vec<u64>> {
        self.layout.pack(positions)
    }

    /// The label that is shown for a kind of step.
    pub(crate) fn label(&self, kind: Kind) -> Label {
        let label = match kind {
            Kind::Alone(_) => Label::TAU,
            Kind::Together(number) => self.plan.together[number].label,
            Kind::Tick(number) => self.plan.ticks[number].label,
        };
        self.shown_as(label)
    }

    /// The units that take part in a kind of step, in order.
    pub(crate) fn movers(&self, kind: Kind) -> Vec<ComponentId> {
        let units = match kind {
            Kind::Alone(unit) => return vec![unit],
            Kind::Tick(number) => movers_of(self.program, &self.program.ticks()[number]),
            Kind::Together(number) => {
                let action = self.plan.together[number].label.action().expect("an action is no silent step");
                self.program.participants(action).to_vec()
            }
        };
        units.into_iter().map(|unit| ComponentId::from_index(unit.index())).collect()
    }

    #[inline]
    fn shown_as(&self, label: Label) -> Label {
        label.action().map_or(Label::TAU, |action| self.shown[action.index()])
    }

    /// Calls `visit` for each step of a state, until it breaks.
    #[inline]
    pub(crate) fn try_steps(
        &self,
        state: &[u64],
        cursor: &mut MachineCursor,
        visit: &mut impl FnMut(Kind, End<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        cursor.memory.begin_state();
        for menu in &self.plan.alone {
            self.try_alone(menu, state, cursor, visit)?;
        }
        for (number, joint) in self.plan.together.iter().enumerate() {
            self.try_joint(joint, Kind::Together(number), state, cursor, visit)?;
        }
        for (number, joint) in self.plan.ticks.iter().enumerate() {
            self.try_joint(joint, Kind::Tick(number), state, cursor, visit)?;
        }
        ControlFlow::Continue(())
    }

    /// Marks in `taken` the commands that some step of a state takes; commands are numbered through all units. In a
    /// step that is possible, every unit may take each of its enabled commands.
    pub fn mark_taken(&self, state: &[u64], cursor: &mut MachineCursor, taken: &mut [bool]) {
        cursor.memory.begin_state();
        for candidate in self.plan.alone.iter().flat_map(|menu| menu.candidates(&self.layout, state)) {
            if self.guard(*candidate, state, cursor).is_ok_and(|value| value != 0) {
                taken[candidate.command as usize] = true;
            }
        }
        for joint in self.plan.together.iter().chain(&self.plan.ticks) {
            if self.is_possible(joint, state, cursor) == Ok(true) {
                cursor.effects.iter().for_each(|effect| taken[effect.command as usize] = true);
            }
        }
    }

    /// The silent steps of a unit.
    fn try_alone(
        &self,
        menu: &Menu,
        state: &[u64],
        cursor: &mut MachineCursor,
        visit: &mut impl FnMut(Kind, End<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (unit, kind) = (menu.unit, Kind::Alone(menu.unit));
        for &candidate in menu.candidates(&self.layout, state) {
            let command = candidate.command;
            match self.guard(candidate, state, cursor) {
                Ok(0) => {}
                Err(fault) => visit(kind, End::Failure { unit, fault: Some(fault), after: None })?,
                Ok(_) => {
                    cursor.clear();
                    cursor.effects.push(Effect { command, first: 0, end: 0, fault: None });
                    cursor.choices.push(Choice { unit, first: 0, end: 1, chosen: 0 });
                    self.find_effects(state, cursor);
                    self.show(kind, state, cursor, visit)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The steps of several units with an action or a tick.
    fn try_joint(
        &self,
        joint: &Joint,
        kind: Kind,
        state: &[u64],
        cursor: &mut MachineCursor,
        visit: &mut impl FnMut(Kind, End<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self.is_possible(joint, state, cursor) {
            Ok(false) => ControlFlow::Continue(()),
            Err((unit, fault)) => visit(kind, End::Failure { unit, fault: Some(fault), after: None }),
            Ok(true) => {
                self.find_effects(state, cursor);
                self.show(kind, state, cursor, visit)
            }
        }
    }

    /// Collects what the units of a step can choose from; returns whether the step is possible.
    fn is_possible(
        &self,
        joint: &Joint,
        state: &[u64],
        cursor: &mut MachineCursor,
    ) -> Result<bool, (ComponentId, Fault)> {
        cursor.clear();
        if let Some((guard, unit)) = joint.guard {
            let value = self.plan.code.evaluate(guard, &self.layout, state, &mut cursor.memory);
            if value.map_err(|fault| (unit, fault))? == 0 {
                return Ok(false);
            }
        }
        let mut is_possible = true;
        for (number, menu) in joint.menus.iter().enumerate() {
            if !is_possible && number >= joint.defined_from {
                return Ok(false);
            }
            let first = cursor.effects.len();
            for &candidate in menu.candidates(&self.layout, state) {
                let command = candidate.command;
                if self.guard(candidate, state, cursor).map_err(|fault| (menu.unit, fault))? != 0 {
                    cursor.effects.push(Effect { command, first: 0, end: 0, fault: None });
                }
            }
            is_possible &= cursor.effects.len() > first || !menu.is_required;
            let (first, end) = (index(first), index(cursor.effects.len()));
            cursor.choices.push(Choice { unit: menu.unit, first, end, chosen: first });
        }
        Ok(is_possible)
    }

    #[inline]
    fn guard(&self, candidate: Candidate, state: &[u64], cursor: &mut MachineCursor) -> Result<i64, Fault> {
        candidate
            .guard
            .map_or(Ok(1), |guard| self.plan.code.evaluate(guard, &self.layout, state, &mut cursor.memory))
    }

    /// Computes what the enabled commands do.
    fn find_effects(&self, state: &[u64], cursor: &mut MachineCursor) {
        let MachineCursor { effects, writes, memory, .. } = cursor;
        for effect in effects {
            let command = self.plan.commands[effect.command as usize];
            effect.first = index(writes.len());
            for number in command.first..command.last {
                match self.write(number, state, memory) {
                    Ok(write) => writes.push(write),
                    Err(fault) => {
                        effect.fault = Some(fault);
                        break;
                    }
                }
            }
            effect.end = index(writes.len());
        }
    }

    /// What an assignment writes.
    fn write(&self, number: u32, state: &[u64], memory: &mut Memory) -> Result<Write, Fault> {
        let plan::Assignment { mut slot, index, value } = self.plan.assignments[number as usize];
        let mut evaluate = |entry| self.plan.code.evaluate(entry, &self.layout, state, memory);
        if let Some((index, length)) = index {
            let index = u32::try_from(evaluate(index)?).map_err(|_| Fault::Index)?;
            if index >= length {
                return Err(Fault::Index);
            }
            slot += index;
        }
        let value = evaluate(value)?;
        let position = self.layout.position_of(slot as usize, value);
        Ok(Write { slot, position: position.ok_or(Fault::Range(SlotId::from_raw(slot)))? })
    }

    /// Shows the steps that result from all combinations of the units' choices.
    #[inline]
    fn show(
        &self,
        kind: Kind,
        state: &[u64],
        cursor: &mut MachineCursor,
        visit: &mut impl FnMut(Kind, End<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        loop {
            let ending = self.combine(kind, state, cursor);
            let end = match ending {
                Ending::State => End::State(&cursor.next),
                Ending::Cut(unit) => End::Cut(unit),
                Ending::Failure { unit, fault, is_defined } => {
                    End::Failure { unit, fault, after: is_defined.then_some(&cursor.next) }
                }
            };
            visit(kind, end)?;
            let advanced = cursor.choices.iter_mut().rev().any(Choice::advance);
            if !advanced {
                return ControlFlow::Continue(());
            }
        }
    }

    /// Writes the state after the chosen commands.
    #[inline]
    fn combine(&self, kind: Kind, state: &[u64], cursor: &mut MachineCursor) -> Ending {
        cursor.begin_combination();
        let MachineCursor { effects, writes, choices, assigned_by, combination, next, .. } = cursor;
        next.copy_from_slice(state);
        if matches!(kind, Kind::Tick(_)) {
            self.resets.iter().for_each(|reset| reset.apply(next));
        }
        let (mut failure, mut cut, mut is_defined) = (None, None, true);
        for choice in choices.iter().filter(|choice| choice.first < choice.end) {
            let effect = effects[choice.chosen as usize];
            let mut fault = None;
            for &Write { slot, position } in &writes[effect.first as usize..effect.end as usize] {
                let at = slot as usize;
                if assigned_by[at] == *combination {
                    if self.layout.position(at, next) != position {
                        fault = Some(Fault::Clash(SlotId::from_raw(slot)));
                        break;
                    }
                } else {
                    assigned_by[at] = *combination;
                    self.layout.write(at, position, next);
                }
            }
            let fault = fault.or(effect.fault);
            is_defined &= fault.is_none();
            let outcome = self.plan.commands[effect.command as usize].outcome;
            if fault.is_some() || outcome == Outcome::Fail {
                failure.get_or_insert((choice.unit, fault));
            } else if outcome == Outcome::Cut {
                cut.get_or_insert(choice.unit);
            }
        }
        match (failure, cut) {
            (Some((unit, fault)), _) => Ending::Failure { unit, fault, is_defined },
            (None, Some(unit)) => Ending::Cut(unit),
            (None, None) => Ending::State,
        }
    }
}

/// How a combination ends.
enum Ending {
    State,
    Cut(ComponentId),
    Failure { unit: ComponentId, fault: Option<Fault>, is_defined: bool },
}

impl MachineCursor {
    /// Forgets the last step.
    fn clear(&mut self) {
        self.effects.clear();
        self.writes.clear();
        self.choices.clear();
    }

    /// Forgets which slots are assigned.
    #[inline]
    fn begin_combination(&mut self) {
        self.combination = self.combination.checked_add(1).unwrap_or_else(|| {
            self.assigned_by.fill(0);
            1
        });
    }
}

fn index(length: usize) -> u32 {
    u32::try_from(length).expect("a step has fewer commands and assignments")
}

impl System for Machine<'_> {
    type Cursor = MachineCursor;

    fn words(&self) -> usize {
        self.layout.words()
    }

    fn cursor(&self) -> MachineCursor {
        MachineCursor {
            memory: self.plan.code.memory(),
            effects: Vec::new(),
            writes: Vec::new(),
            choices: Vec::new(),
            assigned_by: vec![0; self.program.slots().len()],
            combination: 0,
            next: vec![0; self.layout.words()],
        }
    }

    fn initial(&self, state: &mut [u64]) -> Result<(), ComponentId> {
        state.copy_from_slice(&self.initial);
        Ok(())
    }

    fn try_successors(
        &self,
        state: &[u64],
        cursor: &mut MachineCursor,
        visit: &mut impl FnMut(Label, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.try_steps(state, cursor, &mut |kind, end| {
            let successor = match end {
                End::State(target) => Successor::State(target),
                End::Failure { unit, .. } => Successor::Error(unit),
                End::Cut(unit) => Successor::Cut(unit),
            };
            visit(self.label(kind), successor)
        })
    }

    fn is_end(&self, state: &[u64]) -> bool {
        let Some(end) = self.plan.end else { return false };
        let mut memory = self.plan.code.memory();
        memory.begin_state();
        self.plan.code.evaluate(end, &self.layout, state, &mut memory).is_ok_and(|value| value != 0)
    }

    fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }
}
