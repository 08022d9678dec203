//! The meaning of a component: a program, one unit for each process.
//!
//! **Steps.** A process that has entered a state does the action of the state, in one step; a state without an action
//! needs none. Then it waits, until the head of its queue is a message that a transition of its state takes: that is
//! another step. At every moment one process that is ready is chosen, without fairness. The messages of one action are sent in
//! its one step, in order, each to the end of a queue.
//!
//! **Environment.** A component with inputs has one more unit, `ENV`, which sends any input at any time, or does nothing.
//!
//! **Queues** are unbounded in the language. They are explored with a bound: a step that would overflow a queue is cut
//! ([`Outcome::Cut`](rely_lts::Outcome)), so that a verdict that rests on it is one within bounds. A head that no transition takes waits, and everything
//! behind it, for ever: its state does not change before it takes a message. [`System::lost`] tells where this happens.
//!
//! **Failures.** A process fails where a value lies outside of its type, an index outside of its array, or where it divides
//! by zero; and, by [`Options`], where a queue overflows or an unexpected message comes.
//!
//! **Units share nothing.** Every slot is read and written by one unit: its process. A message is sent in a step that the
//! sender and the receivers take together. So a group of units is a component of its own, with the actions of the others'
//! messages in its alphabet.
//!
//! **Names.** A step that sends messages is called after them: `App.sample.1`, or `App.sample.1+A_Ret` if there are two. Where
//! two processes can send the same, the sender comes first: `ADC.App.sample.1`. Taking a message is `App.sample.1.received`, and
//! the action of a state that sends nothing is `App.idle.done`. What a step means beyond its name is in [`System::steps`].

mod claims;
mod commitments;
pub(crate) mod composition;
mod emit;
mod naming;
mod observe;
mod queue;
mod term;
mod values;
mod ways;

use std::sync::Arc;

use rely_base::{ActionId, Budget, Exhausted, Id, Span};
use rely_lts::{Array, ExpressionId, Observation, Program, SlotId, UnitId};
use rely_omega::Statement;

use crate::component::{Component, Event, EventKind, MessageRef, Subject};

/// What the language leaves open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Who sends the inputs.
    pub environment: Environment,
    /// What becomes of a step that would overflow a queue.
    pub overflow: Overflow,
    /// What becomes of a head that no transition takes.
    pub unexpected: Unexpected,
    /// The bound of all queues, whatever the text says.
    pub queue: Option<u32>,
}

/// Who sends the inputs of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Environment {
    /// Somebody who sends any input at any time, and may do nothing.
    #[default]
    Universal,
    /// Nobody.
    Absent,
}

/// What becomes of a step that would overflow a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Overflow {
    /// The run is cut: what is found out is true within the bounds of the queues.
    #[default]
    Cut,
    /// The receiver fails.
    Fail,
}

/// What becomes of a head that no transition of the state takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Unexpected {
    /// It waits.
    #[default]
    Wait,
    /// It is thrown away, in a step of its own.
    Drop,
    /// The process fails.
    Fail,
}

/// A component as a program.
#[derive(Clone, Debug)]
pub struct System {
    /// The component.
    pub component: Arc<Component>,
    /// What it does: one unit for each process in their order, then that of the environment, if there is one.
    pub program: Program,
    /// What each action of the program means.
    pub steps: Vec<Step>,
    /// The events that each action is, by name and in order: several where several messages are sent.
    pub events: Vec<Vec<String>>,
    /// For each unit and each of its commands that does not go on, why.
    pub reasons: Vec<Vec<Option<Reason>>>,
    /// Where each process keeps what it knows.
    pub layouts: Vec<Layout>,
    /// For each process, whether the head of its queue is taken by no transition, so that it waits for ever.
    pub lost: Vec<ExpressionId>,
    /// Whether some message waits for ever.
    pub any_lost: ExpressionId,
    /// Whether no process is ready, and some message waits for ever.
    pub stuck: ExpressionId,
    /// The properties of the component.
    pub properties: Vec<Property>,
}

/// What a step is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Messages are sent.
    Sent {
        /// The process, or nothing for the environment.
        sender: Option<usize>,
        /// The messages, in order.
        messages: Vec<Sent>,
    },
    /// A message is taken from the head of its queue.
    Received(MessageRef, Vec<i32>),
    /// A message that no transition takes is thrown away.
    Dropped(MessageRef, Vec<i32>),
    /// A message that no transition takes makes its process fail.
    Unexpected(MessageRef, Vec<i32>),
    /// The action of a state that sends nothing.
    Done {
        /// The process.
        process: usize,
        /// The state.
        state: usize,
    },
}

impl Step {
    /// The process that takes the step, which is not the environment. Fairness is about these: a process that is ready from
    /// some time on takes a step of its own some time later. That others put messages into its queue does not count.
    pub fn process(&self) -> Option<usize> {
        match self {
            Self::Sent { sender, .. } => *sender,
            Self::Received(to, _) | Self::Dropped(to, _) | Self::Unexpected(to, _) => Some(to.process),
            Self::Done { process, .. } => Some(*process),
        }
    }
}

/// A message that is sent.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Sent {
    /// The port of the primitive component that it leaves by, if it leaves it.
    pub port: Option<usize>,
    /// The queues that it goes to.
    pub deliveries: Vec<MessageRef>,
    /// The values of its parameters.
    pub values: Vec<i32>,
}

/// Why a command does not go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The queue of a process is full.
    Overflow {
        /// The process.
        process: usize,
    },
    /// No transition takes the head of the queue.
    Unexpected(MessageRef),
    /// A value lies outside of its type, or an index outside of its array or family.
    Range {
        /// Where it is assigned, sent or used.
        place: Span,
    },
}

/// The slots of a process.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The state, and whether its action is still to be done.
    pub control: SlotId,
    /// For each state, the value of `control` where the process waits in it.
    pub waiting: Vec<i32>,
    /// For each state with an action, the value of `control` where the action is still to be done.
    pub entering: Vec<Option<i32>>,
    /// For each variable, its first slot.
    pub variables: Vec<SlotId>,
    /// The number of messages in the queue.
    pub length: SlotId,
    /// The messages in the queue, the head first; 0 beyond the last.
    pub cells: Array,
    /// For each message, the value of a cell that stands for it with the least values of its parameters. The values of the
    /// last parameter follow each other.
    pub codes: Vec<i32>,
}

/// A property over the steps and slots of a program.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name in the text.
    pub name: Arc<str>,
    /// What is claimed.
    pub claim: Claim,
    /// What is assumed.
    pub assuming: Vec<Claim>,
    /// Where it stands.
    pub place: Span,
}

/// A temporal statement over the steps and slots of a program.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What it says.
    pub kind: Statement,
    /// What the atoms of its formulas stand for.
    pub propositions: Vec<Observation>,
    /// Where it stands.
    pub place: Span,
}

/// Why a component has no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The action of a state has too many ways through it.
    TooManyWays(Span),
    /// There are too many commands.
    TooManyCommands,
    /// A limit was met.
    Exhausted(Exhausted),
}

impl System {
    /// The program of a component.
    ///
    /// # Errors
    /// When it would be too large, or a limit is met.
    pub fn new(component: &Arc<Component>, options: &Options, budget: &Budget<'_>) -> Result<Self, Refused> {
        emit::system(component, options, budget)
    }

    /// The unit that stands for the environment, if there is one.
    pub fn environment(&self) -> Option<UnitId> {
        let processes = self.component.processes.len();
        (self.program.units().len() > processes).then(|| UnitId::from_index(processes))
    }

    /// Whether a step is an event.
    pub fn is(&self, action: ActionId, event: &Event) -> bool {
        let fits = |values: &[i32]| {
            event
                .values
                .iter()
                .zip(values)
                .all(|(wanted, value)| wanted.is_none_or(|wanted| wanted == *value))
        };
        match (&self.steps[action.index()], event.kind) {
            (Step::Sent { messages, .. }, EventKind::Sent) => messages.iter().any(|message| {
                let is_subject = match event.subject {
                    Subject::Port(port) => message.port == Some(port),
                    Subject::Message(to) => message.deliveries.contains(&to),
                };
                is_subject && fits(&message.values)
            }),
            (Step::Received(message, values), EventKind::Received) => {
                event.subject == Subject::Message(*message) && fits(values)
            }
            _ => false,
        }
    }

    /// The actions that are an event, in increasing order.
    pub fn actions(&self, event: &Event) -> Vec<ActionId> {
        let all = (0..self.steps.len()).map(ActionId::from_index);
        all.filter(|&action| self.is(action, event)).collect()
    }
}
