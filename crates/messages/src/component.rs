//! Components after elaboration: plain data, flat, with every name resolved.
//!
//! A component is a list of processes, whatever it was composed from. Composition joins the lists of its parts, puts the
//! names of the parts before those of their processes, and routes outputs to inputs. Messages of parts that nobody connects
//! stay inputs and outputs of the composition.
//!
//! All values are numbers, as in [`rely_lts::Program`]: `false` is 0, `true` is 1, and the values of an enumeration are
//! counted from 0.

use std::sync::Arc;

use rely_base::Span;
use rely_model::Ports;
use rely_omega::Statement as Temporal;

/// A component, primitive or composed.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its name in the text.
    pub name: Arc<str>,
    /// Where its definition stands.
    pub place: Span,
    /// Its parts, if it is composed.
    pub parts: Vec<Part>,
    /// All processes.
    pub processes: Vec<Process>,
    /// All outputs of primitive components in it.
    pub ports: Vec<Port>,
    /// The messages that come from outside.
    pub inputs: Vec<Input>,
    /// The messages that go outside.
    pub outputs: Vec<Output>,
    /// What is claimed of it.
    pub properties: Vec<Property>,
    /// The names that properties have for messages: several names may mean one.
    pub subjects: Vec<(String, Subject)>,
}

impl Component {
    /// The messages at its border, with the types of their parameters.
    pub fn ports(&self) -> Ports {
        let text = |name: &str, params: &[Type]| match params {
            [] => name.to_owned(),
            _ => format!("{name}({})", params.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
        };
        let input = |it: &Input| {
            let message = &self.processes[it.receiver.process].messages[it.receiver.message];
            text(&it.name, &message.params)
        };
        let output = |it: &Output| text(&it.name, &self.ports[it.port].params);
        Ports {
            inputs: self.inputs.iter().map(input).collect(),
            outputs: self.outputs.iter().map(output).collect(),
        }
    }
}

/// A part of a composition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Its name in the composition, with its index, such as `s.1`.
    pub name: String,
    /// The component that it is an instance of.
    pub component: Arc<str>,
    /// Its processes, as a range of those of the composition.
    pub processes: std::ops::Range<usize>,
}

/// A message of a process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MessageRef {
    /// The process, by its place in [`Component::processes`].
    pub process: usize,
    /// The message, by its place in [`Process::messages`].
    pub message: usize,
}

/// A message that comes from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// Its name at the border of this component.
    pub name: String,
    /// The message that it becomes.
    pub receiver: MessageRef,
    /// Where it is declared.
    pub place: Span,
}

/// A message that goes outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// Its name at the border of this component.
    pub name: String,
    /// The port that it leaves by.
    pub port: usize,
}

/// An output of a primitive component, and where it goes.
#[derive(Clone, Debug)]
pub struct Port {
    /// Its name, with the names of the parts that it is in.
    pub name: String,
    /// The types of its parameters.
    pub params: Vec<Type>,
    /// The inputs that it is connected to.
    pub routes: Vec<MessageRef>,
    /// Where it is declared.
    pub place: Span,
}

/// The names of the values of an enumeration, in order.
pub type ValueNames = Arc<[Arc<str>]>;

/// The values of a variable or a parameter.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `false` and `true`.
    Bool,
    /// Numbers from the first to the second.
    Range(i32, i32),
    /// Names.
    Enumeration(ValueNames),
}

impl Type {
    /// The least and the greatest value.
    pub fn bounds(&self) -> (i32, i32) {
        match self {
            Self::Bool => (0, 1),
            &Self::Range(low, high) => (low, high),
            Self::Enumeration(names) => (0, i32::try_from(names.len()).unwrap_or(i32::MAX) - 1),
        }
    }

    /// How many values there are.
    pub fn count(&self) -> u64 {
        let (low, high) = self.bounds();
        u64::try_from(i64::from(high) - i64::from(low) + 1).unwrap_or(0)
    }

    /// How a value is written.
    pub fn show(&self, value: i32) -> String {
        self.to_values().show(value)
    }

    /// The same for a slot of a program.
    pub fn to_values(&self) -> rely_lts::Values {
        match self {
            Self::Bool => rely_lts::Values::Boolean,
            &Self::Range(low, high) => rely_lts::Values::Range(low, high),
            Self::Enumeration(names) => {
                rely_lts::Values::Named(names.iter().map(ToString::to_string).collect())
            }
        }
    }

    /// Whether every value of this type is one of another.
    pub fn is_within(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Range(low, high), Self::Range(least, greatest)) => least <= low && high <= greatest,
            _ => self == other,
        }
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Bool => f.write_str("bool"),
            Self::Range(low, high) => write!(f, "{low}..{high}"),
            Self::Enumeration(names) => write!(f, "{{{}}}", names.join(", ")),
        }
    }
}

/// A process: an extended Moore machine with a queue.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name, with the names of the parts that it is in, such as `Sensor.ADC`.
    pub name: String,
    /// Where its definition stands.
    pub place: Span,
    /// How many messages its queue holds.
    pub queue: u32,
    /// Its variables.
    pub variables: Vec<Variable>,
    /// The messages that it takes.
    pub messages: Vec<Message>,
    /// Its states; the first is where it starts.
    pub states: Vec<State>,
    /// Its transitions.
    pub transitions: Vec<Transition>,
}

/// A variable, or an array of them.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Arc<str>,
    /// Whether properties may speak of it.
    pub visible: bool,
    /// The values of it, or of each element.
    pub ty: Type,
    /// The least index and the number of elements, if it is an array.
    pub array: Option<(i32, u32)>,
    /// The value at the start.
    pub initial: i32,
}

/// A message that a process takes.
#[derive(Clone, Debug)]
pub struct Message {
    /// Its name in the process.
    pub name: Arc<str>,
    /// The types of its parameters.
    pub params: Vec<Type>,
    /// Whether it is an input of the primitive component.
    pub is_input: bool,
    /// Where it first stands.
    pub place: Span,
}

/// A state.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name.
    pub name: Arc<str>,
    /// Whether the process may rest there for ever.
    pub is_final: bool,
    /// What is done when it is entered.
    pub action: Vec<Statement>,
    /// Where its name stands.
    pub place: Span,
}

/// A transition: taken when the head of the queue is its message.
#[derive(Clone, Debug)]
pub struct Transition {
    /// From this state.
    pub from: usize,
    /// To this state.
    pub to: usize,
    /// The message.
    pub message: usize,
    /// What becomes of each parameter.
    pub patterns: Vec<Pattern>,
    /// Where it stands.
    pub place: Span,
}

/// What becomes of a parameter of a message that is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// Nothing.
    Ignore,
    /// It is the new value of a variable.
    Bind(usize),
    /// It has to be this value, or the transition is not possible.
    Match(i32),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// A new value for a variable, or for the element of an array.
    Assign {
        /// The variable.
        variable: usize,
        /// The index, if it is an array.
        index: Option<Expr>,
        /// The value.
        value: Value,
        /// Where it stands.
        place: Span,
    },
    /// A message.
    Send {
        /// To whom.
        receiver: Receiver,
        /// The values of the parameters.
        arguments: Vec<Value>,
        /// Where it stands.
        place: Span,
    },
    /// A condition.
    If {
        /// What decides.
        condition: Value,
        /// What is done where it is true.
        then: Vec<Statement>,
        /// What is done where it is false.
        otherwise: Vec<Statement>,
    },
}

/// Where a message goes.
#[derive(Clone, Debug)]
pub enum Receiver {
    /// Out of the primitive component.
    Port(usize),
    /// To a process of the same primitive component.
    Process(MessageRef),
    /// To one of a family of processes.
    Family {
        /// Which one.
        index: Expr,
        /// The indices with the messages of the processes.
        members: Vec<(i32, MessageRef)>,
    },
}

/// What a statement computes.
#[derive(Clone, Debug)]
pub enum Value {
    /// The value of an expression.
    Expr(Expr),
    /// Any value of a type.
    Any(Type),
}

/// An expression over the variables of one process; in a property, over those of all processes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A number.
    Constant(i64),
    /// The value of a variable.
    Variable(VariableRef),
    /// The value of an element of an array. The index is counted as in the text.
    Element(VariableRef, Box<Expr>),
    /// An operator with one operand.
    Unary(rely_lts::Unary, Box<Expr>),
    /// An operator with two operands.
    Binary(rely_lts::Binary, Box<Expr>, Box<Expr>),
}

/// A variable of a process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct VariableRef {
    /// The process, by its place in [`Component::processes`].
    pub process: usize,
    /// The variable, by its place in [`Process::variables`].
    pub variable: usize,
}

/// A property, with what has to be true of the environment.
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

/// A temporal statement about the runs of a component.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What it says.
    pub kind: Temporal,
    /// What the atoms of its formulas stand for.
    pub propositions: Vec<Proposition>,
    /// Where it stands.
    pub place: Span,
}

/// What an atom of a formula stands for. It is judged just after a step, as in [`rely_omega::Proposition`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proposition {
    /// The step was one of these events.
    Event(Event),
    /// The condition is true after the step.
    State(Expr),
}

/// Something that happens to messages of a kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Which messages.
    pub subject: Subject,
    /// Whether they are sent or received.
    pub kind: EventKind,
    /// The values that the parameters have to have; nothing where any value will do.
    pub values: Vec<Option<i32>>,
}

/// Which messages an event is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// Those that leave a primitive component by a port.
    Port(usize),
    /// Those that a process takes.
    Message(MessageRef),
}

/// What happens to a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// It is put into a queue, or leaves the component.
    Sent,
    /// It is taken from the head of a queue.
    Received,
}
