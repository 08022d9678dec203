//! The states of one task, from its code.
//!
//! A state is a place in the code and the values of the slots that are alive there. From a state the task runs through
//! local steps, which nobody can notice, to the next place where it meets others; that place is the next state. What it can
//! meet there is taken from what the others offer ([`Offers`]): the calls that are made, the values that variables have.

use rely_base::{Budget, Exhausted, Id, Progress, Resource, Span};
use rustc_hash::FxHashMap;

use super::action::{Action, Door};
use super::exchange::Offers;
use super::tasks::{TaskId, Tasks};
use crate::code::{
    Callee, Choice, ChoiceKind, Code, Otherwise, Pc, Slot, Step, Stuck, UNSET, offset, within,
};
use crate::hir::{Fault, Subtype};

/// The most values of an undefined variable that are looked at.
pub(super) const MAX_UNDEFINED: u64 = 1024;

/// The most local steps in a row.
const MAX_LOCAL: usize = 1 << 22;

/// About how much memory a state and a step of a task take.
const BYTES_PER_STATE: usize = 128;
const BYTES_PER_STEP: usize = 96;

/// The states of a task.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unfolded {
    /// The states; the first is initial.
    pub(crate) states: Vec<State>,
}

impl Unfolded {
    /// Whether the task can come to its end.
    pub(super) fn can_end(&self) -> bool {
        self.states.iter().any(|state| state.is_done)
    }
}

/// A state of a task.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// The statement that comes next.
    pub(crate) span: Span,
    /// The steps: what is done (nothing if it is silent), where it leads, and its place if that is not the state's.
    pub(crate) steps: Vec<(Option<Action>, Goal, Option<Span>)>,
    /// The doors at which the task waits for calls.
    pub(super) ready: Vec<Door>,
    /// The door at which the task waits for its call to be accepted.
    pub(super) waits: Option<Door>,
    /// Whether the task has come to its end.
    pub(crate) is_done: bool,
}

/// Where a step leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Goal {
    /// To a state.
    State(usize),
    /// To the end.
    End,
    /// To the error state.
    Error,
}

/// Why a task cannot be unfolded.
pub(super) enum Trouble {
    /// An undefined variable with too many values is read at a place.
    TooManyValues(Span),
    /// A limit was met.
    Exhausted(Exhausted),
}

/// A place in the code and the slots that are alive.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Configuration {
    pc: Pc,
    /// Whether the task waits already, where it begins to wait by a step of its own.
    has_arrived: bool,
    is_done: bool,
    slots: Box<[i64]>,
}

/// Unfolds a task.
pub(super) fn unfold(
    tasks: &Tasks<'_>,
    task: TaskId,
    offers: &Offers,
    budget: &Budget<'_>,
) -> Result<Unfolded, Trouble> {
    let mut unfolder = Unfolder {
        tasks,
        task,
        code: tasks.code(task),
        offers,
        numbers: FxHashMap::default(),
        pending: Vec::new(),
        unfolded: Unfolded::default(),
        transitions: 0,
        budget,
    };
    let start = unfolder.go(&[], 0)?;
    unfolder.number(start);
    let mut expanded = 0_usize;
    while let Some(configuration) = unfolder.pending.pop() {
        expanded += 1;
        if expanded.is_multiple_of(1024) || unfolder.unfolded.states.len() > budget.max_states() {
            unfolder.watch(0)?;
        }
        unfolder.expand(&configuration)?;
    }
    Ok(unfolder.unfolded)
}

impl From<Exhausted> for Trouble {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

/// Why a state has not all its steps.
enum Halt {
    /// An expression has no value.
    Stuck(Stuck),
    /// A limit was met.
    Exhausted(Exhausted),
}

impl From<Stuck> for Halt {
    fn from(stuck: Stuck) -> Self {
        Self::Stuck(stuck)
    }
}

impl From<Exhausted> for Halt {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

struct Unfolder<'t, 'p> {
    tasks: &'t Tasks<'p>,
    task: TaskId,
    code: &'t Code,
    offers: &'t Offers,
    numbers: FxHashMap<Configuration, usize>,
    pending: Vec<Configuration>,
    unfolded: Unfolded,
    transitions: usize,
    budget: &'t Budget<'t>,
}

impl Unfolder<'_, '_> {
    /// Whether the budget allows to go on, after some local steps in a row.
    fn watch(&self, local: usize) -> Result<(), Exhausted> {
        let states = self.unfolded.states.len();
        if local == usize::MAX {
            return Err(Exhausted { resource: Resource::States, states, transitions: self.transitions });
        }
        let (transitions, frontier) = (self.transitions, self.pending.len());
        let bytes = states * BYTES_PER_STATE + transitions * BYTES_PER_STEP;
        self.budget.check(&Progress { states, transitions, frontier, bytes })
    }

    /// The number of a state; a new one will be expanded.
    fn number(&mut self, configuration: Configuration) -> Goal {
        if let Some(&number) = self.numbers.get(&configuration) {
            return Goal::State(number);
        }
        let number = self.unfolded.states.len();
        self.unfolded.states.push(State {
            span: self.code.spans[configuration.pc],
            steps: Vec::new(),
            ready: Vec::new(),
            waits: None,
            is_done: configuration.is_done,
        });
        self.numbers.insert(configuration.clone(), number);
        self.pending.push(configuration);
        Goal::State(number)
    }

    /// The slots that are alive at a place.
    fn alive(&self, slots: &[i64], pc: Pc) -> Configuration {
        let mut slots = slots.to_vec();
        slots.resize(self.code.heights[pc], UNSET);
        // What the next instruction brings is not there yet.
        match &self.code.steps[pc] {
            Step::Read { slot, .. } => slots[*slot] = UNSET,
            Step::Await { slots: brought, .. } => brought.iter().for_each(|&slot| slots[slot] = UNSET),
            _ => {}
        }
        Configuration { pc, has_arrived: false, is_done: false, slots: slots.into() }
    }

    /// Runs through local steps from a place, up to a state: a place where the task meets others, or cannot go on, or the
    /// least place of a loop of local steps, which are found as by Brent (1980).
    fn go(&self, slots: &[i64], pc: Pc) -> Result<Configuration, Exhausted> {
        let mut current = self.alive(slots, pc);
        let mut saved = current.clone();
        let (mut steps, mut until) = (0_usize, 1_usize);
        while let Ok(Some(next)) = self.local(&current) {
            steps += 1;
            if next == saved {
                return Ok(self.least_of_loop(&next));
            }
            if steps == until {
                (saved, until) = (next.clone(), until * 2);
            }
            if steps.is_multiple_of(Budget::INTERVAL) {
                self.watch(if steps > MAX_LOCAL { usize::MAX } else { steps })?;
            }
            current = next;
        }
        Ok(current)
    }

    /// The least state of a loop of local steps.
    fn least_of_loop(&self, start: &Configuration) -> Configuration {
        let mut least = start.clone();
        let mut current = start.clone();
        while let Ok(Some(next)) = self.local(&current) {
            if next == *start {
                break;
            }
            if (next.pc, &next.slots) < (least.pc, &least.slots) {
                least = next.clone();
            }
            current = next;
        }
        least
    }

    /// The state after a local step; nothing if the next step is not local.
    fn local(&self, at: &Configuration) -> Result<Option<Configuration>, Stuck> {
        let slots = &at.slots;
        Ok(Some(match &self.code.steps[at.pc] {
            Step::Set(slot, value, subtype) => {
                let target = match slot {
                    Slot::At(slot) => *slot,
                    Slot::Element { base, index, at } => base + offset(*index, at.value(slots)?)?,
                };
                let value = within(value.value(slots)?, *subtype)?;
                let mut slots = slots.to_vec();
                slots[target] = value;
                self.alive(&slots, at.pc + 1)
            }
            Step::Unset(first, count) => {
                let mut slots = slots.to_vec();
                slots[*first..first + count].fill(UNSET);
                self.alive(&slots, at.pc + 1)
            }
            Step::Jump(goal) => self.alive(slots, *goal),
            Step::Unless(condition, goal) => {
                let next = if condition.value(slots)? == 0 { *goal } else { at.pc + 1 };
                self.alive(slots, next)
            }
            _ => return Ok(None),
        }))
    }

    fn add(&mut self, from: usize, action: Option<Action>, goal: Goal, span: Option<Span>) {
        self.transitions += 1;
        self.unfolded.states[from].steps.push((action, goal, span));
    }

    fn step(&mut self, from: usize, action: Option<Action>, slots: &[i64], pc: Pc) -> Result<(), Exhausted> {
        self.step_at(from, action, slots, pc, None)
    }

    fn step_at(
        &mut self,
        from: usize,
        action: Option<Action>,
        slots: &[i64],
        pc: Pc,
        span: Option<Span>,
    ) -> Result<(), Exhausted> {
        let configuration = self.go(slots, pc)?;
        let goal = self.number(configuration);
        self.add(from, action, goal, span);
        Ok(())
    }

    fn expand(&mut self, at: &Configuration) -> Result<(), Trouble> {
        let from = self.numbers[at];
        if at.is_done {
            return Ok(());
        }
        match self.try_expand(from, at) {
            Ok(()) => Ok(()),
            Err(Halt::Exhausted(exhausted)) => Err(exhausted.into()),
            Err(Halt::Stuck(Stuck::Fault(fault))) => {
                self.add(from, Some(Action::Fault { task: self.task, fault }), Goal::Error, None);
                Ok(())
            }
            Err(Halt::Stuck(Stuck::Unset(slot, subtype))) => self.define(from, at, slot, subtype),
        }
    }

    /// A slot without a value gets each of the values that it may have.
    fn define(
        &mut self,
        from: usize,
        at: &Configuration,
        slot: usize,
        subtype: Subtype,
    ) -> Result<(), Trouble> {
        if subtype.count() > MAX_UNDEFINED {
            return Err(Trouble::TooManyValues(self.code.spans[at.pc]));
        }
        for value in subtype.low..=subtype.high {
            let mut slots = at.slots.to_vec();
            slots[slot] = value;
            self.step(from, None, &slots, at.pc)?;
        }
        Ok(())
    }

    fn try_expand(&mut self, from: usize, at: &Configuration) -> Result<(), Halt> {
        let code = self.code;
        let task = self.task;
        let slots = &at.slots;
        match &code.steps[at.pc] {
            Step::Set(..) | Step::Unset(..) | Step::Jump(_) | Step::Unless(..) => {
                // Either it cannot be done, or it is part of a loop of local steps.
                if let Some(next) = self.local(at)? {
                    self.step(from, None, &next.slots, next.pc)?;
                }
            }
            Step::Read { variable, index, slot } => {
                let cell = self.cell(*variable, index.as_ref(), slots)?;
                for &value in self.offers.values(cell) {
                    let mut slots = slots.to_vec();
                    slots[*slot] = value;
                    self.step(from, Some(Action::Read { task, cell, value }), &slots, at.pc + 1)?;
                }
            }
            Step::Write { variable, index, value } => {
                let cell = self.cell(*variable, index.as_ref(), slots)?;
                let value = value.value(slots)?;
                self.step(from, Some(Action::Write { task, cell, value }), slots, at.pc + 1)?;
            }
            Step::Call { callee, values, otherwise } => {
                let door = self.door(callee, slots)?;
                let values = values.iter().map(|value| value.value(slots)).collect::<Result<Vec<_>, _>>()?;
                self.call(from, at, door, values, *otherwise)?;
            }
            Step::Await { callee, slots: brought } => {
                let door = self.door(callee, slots)?;
                for values in self.offers.returns(task, door) {
                    let mut slots = slots.to_vec();
                    for (&slot, &value) in brought.iter().zip(values) {
                        slots[slot] = value;
                    }
                    let action = Action::Finish { caller: task, door, values: values.clone() };
                    self.step(from, Some(action), &slots, at.pc + 1)?;
                }
            }
            Step::Select { choices, otherwise } => self.select(from, at, choices, *otherwise)?,
            Step::Finish { caller, entry, family, values } => {
                let values = values.iter().map(|value| value.value(slots)).collect::<Result<Vec<_>, _>>()?;
                let caller =
                    TaskId::from_index(usize::try_from(slots[*caller]).expect("a task is in this slot"));
                let family = (slots[*family] != UNSET).then_some(slots[*family]);
                let door = Door { acceptor: task, entry: *entry, family };
                self.step(from, Some(Action::Finish { caller, door, values }), slots, at.pc + 1)?;
            }
            Step::Event(name) => {
                let action = Action::Event { task, name: std::sync::Arc::clone(name) };
                self.step(from, Some(action), slots, at.pc + 1)?;
            }
            Step::Raise(fault) => return Err(Stuck::Fault(*fault).into()),
            Step::End => {
                let done = Configuration { is_done: true, ..at.clone() };
                let goal = self.number(done);
                self.add(from, Some(Action::End { task }), goal, None);
            }
        }
        Ok(())
    }

    fn cell(
        &self,
        variable: crate::hir::VariableId,
        index: Option<&crate::code::Pure>,
        slots: &[i64],
    ) -> Result<super::tasks::CellId, Stuck> {
        let at = match (index, self.tasks.program.variables[variable.index()].form) {
            (Some(index), crate::hir::Form::Array { index: subtype, .. }) => {
                offset(subtype, index.value(slots)?)?
            }
            _ => 0,
        };
        Ok(self.tasks.cell(variable, at))
    }

    fn door(&self, callee: &Callee, slots: &[i64]) -> Result<Door, Stuck> {
        let value = |operand: &Option<crate::code::Pure>| {
            operand.as_ref().map(|operand| operand.value(slots)).transpose()
        };
        let acceptor = self.tasks.member(callee.group, value(&callee.index)?);
        Ok(Door { acceptor, entry: callee.entry, family: value(&callee.family)? })
    }

    /// A silent step by which the task begins to wait.
    fn arrive(&mut self, from: usize, at: &Configuration) {
        let goal = self.number(Configuration { has_arrived: true, ..at.clone() });
        self.add(from, None, goal, None);
    }

    fn call(
        &mut self,
        from: usize,
        at: &Configuration,
        door: Door,
        values: Vec<i64>,
        otherwise: Otherwise,
    ) -> Result<(), Exhausted> {
        let caller = self.task;
        let gone = Action::Gone { caller, acceptor: door.acceptor };
        self.add(from, Some(gone), Goal::Error, None);
        let begins_to_wait =
            !matches!(otherwise, Otherwise::Else(_)) && self.tasks.is_polling(door.entry) && !at.has_arrived;
        if begins_to_wait {
            self.arrive(from, at);
            return Ok(());
        }
        self.step(from, Some(Action::Begin { caller, door, values }), &at.slots, at.pc + 1)?;
        match otherwise {
            Otherwise::Wait => self.unfolded.states[from].waits = Some(door),
            Otherwise::Timeout(goal) => {
                self.unfolded.states[from].waits = Some(door);
                self.step(from, None, &at.slots, goal)?;
            }
            Otherwise::Else(goal) => {
                self.step(from, Some(Action::Refused { caller, door }), &at.slots, goal)?;
            }
        }
        Ok(())
    }

    fn select(
        &mut self,
        from: usize,
        at: &Configuration,
        choices: &[Choice],
        otherwise: Option<Pc>,
    ) -> Result<(), Halt> {
        let slots = &at.slots;
        let mut open = Vec::new();
        for choice in choices {
            let is_open = choice.guard.as_ref().map_or(Ok(1), |guard| guard.value(slots))? != 0;
            if is_open {
                open.push(choice);
            }
        }
        if open.is_empty() && otherwise.is_none() {
            return Err(Stuck::Fault(Fault::ProgramError).into());
        }
        let mut doors = Vec::new();
        for choice in &open {
            if let ChoiceKind::Accept { entry, family, .. } = &choice.kind {
                let family = family.as_ref().map(|family| family.value(slots)).transpose()?;
                doors.push(Door { acceptor: self.task, entry: *entry, family });
            }
        }
        let is_polled = doors.iter().any(|door| self.tasks.is_polled(door.entry));
        if otherwise.is_none() && is_polled && !at.has_arrived {
            self.arrive(from, at);
            return Ok(());
        }
        let mut next = doors.iter();
        for choice in open {
            match choice.kind {
                ChoiceKind::Accept { mark, .. } => {
                    let door = *next.next().expect("every accept has a door");
                    self.accept(from, at, choice, door, mark)?;
                }
                ChoiceKind::Delay => self.step_at(from, None, slots, choice.target, Some(choice.span))?,
                ChoiceKind::Terminate => {
                    self.add(from, Some(Action::Terminate), Goal::End, Some(choice.span));
                }
            }
        }
        doors.sort_unstable();
        doors.dedup();
        match otherwise {
            Some(goal) => {
                let action = Action::Idle { acceptor: self.task, doors };
                self.step(from, Some(action), slots, goal)?;
            }
            None => self.unfolded.states[from].ready = doors,
        }
        Ok(())
    }

    fn accept(
        &mut self,
        from: usize,
        at: &Configuration,
        choice: &Choice,
        door: Door,
        mark: usize,
    ) -> Result<(), Exhausted> {
        let has_end = self.tasks.program.entries[door.entry.index()].has_end;
        let modes = &self.tasks.program.entries[door.entry.index()].parameters;
        for (caller, values) in self.offers.calls(door) {
            let mut slots = at.slots[..mark].to_vec();
            if has_end {
                slots.push(i64::try_from(caller.index()).unwrap_or(i64::MAX));
                slots.push(door.family.unwrap_or(UNSET));
                let mut given = values.iter();
                slots.extend(
                    modes
                        .iter()
                        .map(|(mode, _)| if mode.is_in { *given.next().unwrap_or(&UNSET) } else { UNSET }),
                );
            }
            let action = Action::Begin { caller, door, values: values.clone() };
            self.step_at(from, Some(action), &slots, choice.target, Some(choice.span))?;
        }
        Ok(())
    }
}
