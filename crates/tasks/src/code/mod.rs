//! What a task does, as instructions: the form from which its states are unfolded.
//!
//! A task has *slots* for its own variables and for intermediate values. They are taken and given back like a stack, so
//! that a place in the code knows how many are alive ([`Code::heights`]); what is above is forgotten, and states that
//! differ only in values nobody will read are one state.
//!
//! An instruction is *local* if nobody else can notice it: an assignment to a slot, a jump, a branch. All others are
//! where a task meets other tasks and shared variables. Expressions are [`Pure`]: every shared variable that they need was
//! read into a slot before, from left to right, and functions are put in place of their calls.

mod compile;
mod expressions;
mod rendezvous;
mod statements;

use std::sync::Arc;

use rely_base::Span;

use crate::ast::Unary;
use crate::hir::{Binary, EntryId, Fault, GroupId, Subtype, VariableId, apply, apply_unary};

pub(crate) use compile::compile;

/// The position of an instruction.
pub(crate) type Pc = usize;

/// The value of a slot that has none yet: it may be any value of its type.
pub(crate) const UNSET: i64 = i64::MIN;

/// What a task does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    /// The instructions; the first is where the task begins.
    pub(crate) steps: Vec<Step>,
    /// For each instruction, its place in the text.
    pub(crate) spans: Vec<Span>,
    /// For each instruction, how many slots are alive before it.
    pub(crate) heights: Vec<usize>,
    /// Whether something was left out because the code would get too large or too deeply nested.
    pub(crate) is_too_large: bool,
}

/// An instruction.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A slot gets a value, which must be in a range.
    Set(Slot, Pure, Subtype),
    /// Slots have no value yet: the first, and how many.
    Unset(usize, usize),
    /// The task goes on elsewhere.
    Jump(Pc),
    /// The task goes on elsewhere unless a condition is true.
    Unless(Pure, Pc),
    /// The value of a shared variable, or of its element, is read into a slot.
    Read { variable: VariableId, index: Option<Pure>, slot: usize },
    /// A shared variable, or its element, is assigned.
    Write { variable: VariableId, index: Option<Pure>, value: Pure },
    /// An entry is called.
    Call {
        callee: Callee,
        /// The values that the callee gets.
        values: Vec<Pure>,
        /// What is done if the call is not accepted.
        otherwise: Otherwise,
    },
    /// The end of a rendezvous is waited for; it brings these slots their values.
    Await { callee: Callee, slots: Vec<usize> },
    /// Calls are waited for.
    Select { choices: Vec<Choice>, otherwise: Option<Pc> },
    /// A rendezvous ends: the caller, which is in a slot, goes on, with these values.
    Finish { caller: usize, entry: EntryId, family: usize, values: Vec<Pure> },
    /// A mark is passed.
    Event(Arc<str>),
    /// Something went wrong.
    Raise(Fault),
    /// The task has ended.
    End,
}

/// A slot, or an element of an array that begins there.
#[derive(Clone, Debug)]
pub(crate) enum Slot {
    /// The slot itself.
    At(usize),
    /// The slot of an element.
    Element { base: usize, index: Subtype, at: Pure },
}

/// Who is called. All operands are literals, or slots that have values.
#[derive(Clone, Debug)]
pub(crate) struct Callee {
    pub(crate) group: GroupId,
    /// The index of the task in an array of tasks.
    pub(crate) index: Option<Pure>,
    pub(crate) entry: EntryId,
    /// The index in a family.
    pub(crate) family: Option<Pure>,
}

/// What is done if a call is not accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Otherwise {
    /// It waits.
    Wait,
    /// It waits until some time, and then goes on elsewhere.
    Timeout(Pc),
    /// It goes on elsewhere at once.
    Else(Pc),
}

/// An alternative of a selective accept.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// Whether it is open: a literal, or a slot that has a value.
    pub(crate) guard: Option<Pure>,
    pub(crate) kind: ChoiceKind,
    /// Where the task goes on.
    pub(crate) target: Pc,
    /// Its place in the text.
    pub(crate) span: Span,
}

/// What an alternative waits for.
#[derive(Clone, Debug)]
pub(crate) enum ChoiceKind {
    /// A call. Where the rendezvous has an end, the slots from `mark` on are the caller, the index in the family, and
    /// the parameters.
    Accept { entry: EntryId, family: Option<Pure>, mark: usize },
    /// Time.
    Delay,
    /// The end of everything else.
    Terminate,
}

/// An expression over slots.
#[derive(Clone, Debug)]
pub(crate) enum Pure {
    Literal(i64),
    /// The value of a slot, and which values it may have if it has none yet.
    Slot(usize, Subtype),
    /// The value of an element of an array of slots.
    Element {
        base: usize,
        index: Subtype,
        at: Box<Pure>,
        element: Subtype,
    },
    Unary(Unary, Box<Pure>),
    Binary(Binary, Box<Pure>, Box<Pure>),
    Short(bool, Box<Pure>, Box<Pure>),
    Within(Box<Pure>, Box<Pure>, Box<Pure>),
    Checked(Box<Pure>, Subtype),
    Wrapped(Box<Pure>, i64),
}

/// Why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stuck {
    /// It never has.
    Fault(Fault),
    /// A slot has no value yet, and may have any of these.
    Unset(usize, Subtype),
}

impl From<Fault> for Stuck {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl Pure {
    /// The value, given the slots.
    pub(crate) fn value(&self, slots: &[i64]) -> Result<i64, Stuck> {
        Ok(match self {
            Self::Literal(value) => *value,
            &Self::Slot(slot, subtype) => slot_value(slots, slot, subtype)?,
            Self::Element { base, index, at, element } => {
                slot_value(slots, base + offset(*index, at.value(slots)?)?, *element)?
            }
            Self::Unary(operator, a) => apply_unary(*operator, a.value(slots)?)?,
            Self::Binary(operator, a, b) => apply(*operator, a.value(slots)?, b.value(slots)?)?,
            Self::Short(is_and, a, b) => {
                if (a.value(slots)? != 0) == *is_and {
                    b.value(slots)?
                } else {
                    i64::from(!is_and)
                }
            }
            Self::Within(value, low, high) => {
                let (value, low, high) = (value.value(slots)?, low.value(slots)?, high.value(slots)?);
                i64::from((low..=high).contains(&value))
            }
            Self::Checked(value, subtype) => within(value.value(slots)?, *subtype)?,
            Self::Wrapped(value, modulus) => value.value(slots)?.rem_euclid(*modulus),
        })
    }
}

fn slot_value(slots: &[i64], slot: usize, subtype: Subtype) -> Result<i64, Stuck> {
    match slots[slot] {
        UNSET => Err(Stuck::Unset(slot, subtype)),
        value => Ok(value),
    }
}

/// The position of an element in its array.
pub(crate) fn offset(index: Subtype, at: i64) -> Result<usize, Fault> {
    let at = within(at, index)?;
    usize::try_from(at - index.low).map_err(|_| Fault::ConstraintError)
}

/// A value, if it is in a range.
pub(crate) fn within(value: i64, subtype: Subtype) -> Result<i64, Fault> {
    if subtype.contains(value) { Ok(value) } else { Err(Fault::ConstraintError) }
}
