//! Programs: units of guarded commands over finite slots.
//!
//! **Problem.** A [`crate::Network`] describes components by their transitions. Reactive machines that all move at once,
//! or processes with queues, have far too many transitions for that, although a page of text describes them.
//!
//! **Idea.** A *slot* is a variable with finitely many values; a state of the program is one value for each slot. A *unit*
//! is a list of guarded *commands*. A command has a *trigger*, which says which units move with it; a *guard*, a condition on
//! the slots; and assignments. There are three kinds of steps:
//!
//! - *alone*: a unit takes one command whose trigger is [`Trigger::Silent`]. The step is silent.
//! - *together*: all units that have an action in their alphabet take one command with that action each
//!   ([`Trigger::Action`]), as the components of a network do. The step is labelled with the action. Actions that no
//!   unit has, and those of ticks, do not happen this way.
//! - *all at once*: a [`Tick`] moves all its members. Each member takes one of its enabled commands for the tick
//!   ([`Trigger::Tick`]); a member without an enabled command stutters, that is, it stays as it is. Where the tick has
//!   an action, the units that have it in their alphabet and are no members take one command for it each, as above; if
//!   one of them cannot, the tick is not possible. The step is labelled with the action, or silent.
//!
//! In each kind of step, all guards and expressions read the values *before* the step, and all assignments are made at
//! once. A tick also sets each [`Lifetime::Momentary`] slot that no command assigns back to its initial value: events
//! that last for one step need no command that removes them.
//!
//! **Failures.** A command ends with an [`Outcome`]: the program goes on, the unit *fails*, or the run is *cut* because it
//! leaves the bounds within which the program is explored. A step is also a failure of a unit (a *fault*) where the unit
//! - evaluates an undefined expression ([`Fault`]), in a guard of the step or in an assignment,
//! - assigns a value that the slot does not have, or
//! - assigns a slot a value other than one that an earlier unit of the same step assigns to it.
//!
//! Guards are evaluated for a step only where the step needs them: those of silent commands; those of commands for an
//! action in every unit that has it; those of a tick's members, and of the commands for its action in the other units that
//! have it, once the guard of the tick itself is true. Where a guard is undefined, the only step of this label that needs
//! it is the failure, even if a unit that has to take part is not ready: each silent command, each action and each tick
//! is considered by itself. An undefined guard of a tick is a fault of its first member, or of the first unit where it
//! has none. The program fails as soon as one unit does. Where a step fails and is cut, it fails. Of several units, the
//! first in the order of the program is the one that fails, and of several faults of a unit the first: guards in the
//! order of its commands, then the assignments of the command that it takes, in their order (the index, the value, whether
//! the slot has it, whether it clashes).
//!
//! **Ending.** A state without steps is a deadlock unless [`Program::end`] is true in it; where it is undefined it is not.
//! Failures and cuts are steps.
//!
//! A program is plain data: `rely_explore` compiles it to something fast, and the judge of `rely_certificate` interprets
//! it naively. Front ends write programs with [`ProgramBuilder`], which refuses what has no meaning.

mod builder;
mod component;
mod expression;
mod group;
mod network;

pub use builder::{Malformed, ProgramBuilder};
pub use expression::{Binary, Expression, ExpressionId, Fault, Unary};
pub use group::NotSeparate;

use rely_base::{ActionId, Alphabet, Id, Span};

rely_base::define_id! {
    /// A variable of a program.
    SlotId
}

rely_base::define_id! {
    /// A unit of a program.
    UnitId
}

rely_base::define_id! {
    /// A tick of a program.
    TickId
}

/// A variable with finitely many values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Its name, for traces and pictures.
    pub name: String,
    /// Its values.
    pub values: Values,
    /// The value at the start.
    pub initial: i32,
    /// How long a value lasts.
    pub lifetime: Lifetime,
}

/// The values of a slot. All of them are numbers; some have names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Values {
    /// 0 is false, 1 is true.
    Boolean,
    /// The numbers from the first to the second, both included.
    Range(i32, i32),
    /// 0, 1, 2 and so on, by name.
    Named(Vec<String>),
}

impl Values {
    /// The least and the greatest value.
    pub fn bounds(&self) -> (i32, i32) {
        match self {
            Self::Boolean => (0, 1),
            &Self::Range(low, high) => (low, high),
            Self::Named(names) => (0, i32::try_from(names.len()).unwrap_or(i32::MAX) - 1),
        }
    }

    /// Whether a number is one of the values.
    pub fn contains(&self, value: i64) -> bool {
        let (low, high) = self.bounds();
        (i64::from(low)..=i64::from(high)).contains(&value)
    }

    /// How many values there are.
    pub fn count(&self) -> u64 {
        let (low, high) = self.bounds();
        u64::try_from(i64::from(high) - i64::from(low) + 1).unwrap_or(0)
    }

    /// How a value is written.
    pub fn show(&self, value: i32) -> String {
        match self {
            Self::Boolean => (value != 0).to_string(),
            Self::Range(..) => value.to_string(),
            Self::Named(names) => usize::try_from(value)
                .ok()
                .and_then(|value| names.get(value))
                .cloned()
                .unwrap_or_else(|| value.to_string()),
        }
    }
}

/// How long the value of a slot lasts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Lifetime {
    /// Until it is assigned another one.
    #[default]
    Kept,
    /// Until the next tick, which sets the slot back to its initial value unless a command assigns it.
    Momentary,
}

/// A part of a program that moves by guarded commands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Its name in the user's text.
    pub name: String,
    /// The actions that cannot happen without it, in increasing order.
    pub alphabet: Vec<ActionId>,
    /// What it can do.
    pub commands: Vec<Command>,
}

/// Which units move together with a command.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Trigger {
    /// Alone, in a silent step.
    Silent,
    /// Together with all units that have the action.
    Action(ActionId),
    /// With all members of a tick.
    Tick(TickId),
}

/// Something that a unit can do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// Which units move together with it.
    pub trigger: Trigger,
    /// When it is enabled: where this is not 0.
    pub guard: ExpressionId,
    /// What it changes; no slot is assigned twice by one command, but where two elements of an array happen to be the
    /// same one, which is a fault if the values differ.
    pub assignments: Vec<Assignment>,
    /// How it ends.
    pub outcome: Outcome,
    /// Where it stands in the user's text.
    pub place: Option<Span>,
}

/// A new value for a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// What is assigned.
    pub target: Target,
    /// Its value after the step.
    pub value: ExpressionId,
}

/// What an assignment assigns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A slot.
    Slot(SlotId),
    /// An element of an array of slots; an index beyond the array is a fault.
    Element(Array, ExpressionId),
}

/// Slots that are numbered one after the other, and are known by an index from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Array {
    /// The slot with index 0.
    pub first: SlotId,
    /// How many slots there are.
    pub length: u32,
}

impl Array {
    /// The element at an index, if there is one.
    pub fn element(self, index: i64) -> Option<SlotId> {
        let index = u32::try_from(index).ok().filter(|&index| index < self.length)?;
        Some(SlotId::from_raw(self.first.raw() + index))
    }
}

/// How a command ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Outcome {
    /// The program goes on.
    #[default]
    Continue,
    /// The unit fails.
    Fail,
    /// The run leaves the bounds of what is explored. What happens after it is not known.
    Cut,
}

/// What can be observed of a step of a program, just after it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Observation {
    /// The step was one of these actions, which are in increasing order.
    Actions(Vec<ActionId>),
    /// The expression is defined and not 0 in the state after the step.
    Condition(ExpressionId),
}

/// A step that many units take at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tick {
    /// The name of the step, if it has one.
    pub action: Option<ActionId>,
    /// When it can happen: where this is not 0, and the units that share its action are ready.
    pub guard: ExpressionId,
    /// The units that move, in increasing order.
    pub members: Vec<UnitId>,
}

/// A system of units over slots. See the head of this module for its meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    alphabet: Alphabet,
    slots: Vec<Slot>,
    units: Vec<Unit>,
    ticks: Vec<Tick>,
    expressions: Vec<Expression>,
    end: Option<ExpressionId>,
    /// For each action, the units that have it, in order.
    participants: Vec<Vec<UnitId>>,
    /// For each action, whether it is silent when seen from outside.
    hidden: Vec<bool>,
}

impl Program {
    /// The actions, before hiding.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The variables.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The units.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The steps that many units take at once.
    pub fn ticks(&self) -> &[Tick] {
        &self.ticks
    }

    /// All expressions. The operands of an expression stand before it.
    pub fn expressions(&self) -> &[Expression] {
        &self.expressions
    }

    /// An expression.
    pub fn expression(&self, id: ExpressionId) -> Expression {
        self.expressions[id.index()]
    }

    /// Where a state without steps is as it should be: where this is not 0.
    pub fn end(&self) -> Option<ExpressionId> {
        self.end
    }

    /// The units that have an action in their alphabet, in order.
    pub fn participants(&self, action: ActionId) -> &[UnitId] {
        &self.participants[action.index()]
    }

    /// Whether an action is silent when seen from outside.
    pub fn is_hidden(&self, action: ActionId) -> bool {
        self.hidden[action.index()]
    }

    /// Whether an action is that of a tick, and so happens with ticks only.
    pub fn is_ticked(&self, action: ActionId) -> bool {
        self.ticks.iter().any(|tick| tick.action == Some(action))
    }

    /// The actions that are seen from outside.
    pub fn visible_alphabet(&self) -> Alphabet {
        self.alphabet.iter().filter(|&(action, _)| !self.is_hidden(action)).map(|(_, name)| name).collect()
    }

    /// The values at the start.
    pub fn initial(&self) -> Vec<i32> {
        self.slots.iter().map(|slot| slot.initial).collect()
    }

    /// Everything that the behaviour depends on, as text: two programs with one text are the same but for the places of
    /// their commands in the texts of users.
    pub fn content(&self) -> String {
        let mut bare = self.clone();
        for command in bare.units.iter_mut().flat_map(|unit| &mut unit.commands) {
            command.place = None;
        }
        let Self { alphabet, slots, units, ticks, expressions, end, participants: _, hidden } = &bare;
        let actions: Vec<&str> = alphabet.iter().map(|(_, name)| name).collect();
        format!("{actions:?} {slots:?} {units:?} {ticks:?} {expressions:?} {end:?} {hidden:?}")
    }

    /// The positions of values, counted from the least value of each slot: how a state is written outside of programs.
    ///
    /// # Panics
    /// If a slot does not have its value.
    pub fn positions(&self, values: &[i32]) -> Vec<u32> {
        let position = |(slot, &value): (&Slot, &i32)| {
            let position = i64::from(value) - i64::from(slot.values.bounds().0);
            u32::try_from(position).expect("the slot has the value")
        };
        self.slots.iter().zip(values).map(position).collect()
    }

    /// The values at some positions; the greatest value of a slot that has fewer.
    pub fn values(&self, positions: &[u32]) -> Vec<i32> {
        let value = |(slot, &position): (&Slot, &u32)| {
            let (low, high) = slot.values.bounds();
            let value = (i64::from(low) + i64::from(position)).min(i64::from(high));
            i32::try_from(value).expect("it lies between two values of the slot")
        };
        self.slots.iter().zip(positions).map(value).collect()
    }

    /// A state as text: the slots whose values differ from those at the start, or all of them.
    pub fn show(&self, state: &[i32], all: bool) -> String {
        let shown = self.slots.iter().zip(state).filter(|(slot, value)| all || slot.initial != **value);
        let shown: Vec<String> =
            shown.map(|(slot, &value)| format!("{}={}", slot.name, slot.values.show(value))).collect();
        shown.join(", ")
    }

    /// The same program with the actions of a kind hidden.
    #[must_use]
    pub fn with_hidden(mut self, hidden: impl Fn(&str) -> bool) -> Self {
        self.hidden = self.alphabet.names().map(hidden).collect();
        self
    }

    /// A builder that goes on from this program, to add observers and further units.
    pub fn into_builder(self) -> ProgramBuilder {
        ProgramBuilder::from(self)
    }
}

#[cfg(test)]
mod tests;
