//! The abstract syntax: what a text says, without what makes it pleasant to read.

use std::sync::Arc;

use rely_base::Span;

/// A name and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name.
    pub text: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// A whole text.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// The definitions that could be read, in order.
    pub definitions: Vec<Definition>,
    /// Whether the syntax has errors: what the text is found to lack may be in what could not be read.
    pub has_errors: bool,
    /// The definitions of which it is uncertain what was meant.
    pub broken: Vec<Span>,
}

/// A definition.
#[derive(Clone, Debug)]
pub enum Definition {
    /// `const N = 3`
    Const {
        /// Its name.
        name: Name,
        /// Its value.
        value: Expr,
    },
    /// `type Mode = {idle, busy}` or `range R = 0..3`
    Type {
        /// Its name.
        name: Name,
        /// What it stands for.
        value: TypeExpr,
    },
    /// `import "sensor.aim"`
    Import {
        /// The path as it is written, without quotes.
        path: Name,
    },
    /// `component C …`
    Component(ComponentDef),
    /// `property p: …`, about the targets of another file.
    Property(PropertyDef),
}

/// A component.
#[derive(Clone, Debug)]
pub struct ComponentDef {
    /// Its name.
    pub name: Name,
    /// What it is made of.
    pub body: Body,
    /// What is claimed of it.
    pub properties: Vec<PropertyDef>,
    /// The whole definition.
    pub span: Span,
}

/// What a component is made of.
#[derive(Clone, Debug)]
pub enum Body {
    /// Processes.
    Primitive(Primitive),
    /// Other components.
    Composition {
        /// The parts.
        parts: Vec<Part>,
        /// Which output goes to which inputs.
        wirings: Vec<Wiring>,
    },
}

/// A component that is not composed.
#[derive(Clone, Debug, Default)]
pub struct Primitive {
    /// The messages that come from outside.
    pub inputs: Vec<MessageDef>,
    /// The messages that go outside.
    pub outputs: Vec<MessageDef>,
    /// How many messages a queue holds, where a process does not say so.
    pub queue: Option<Expr>,
    /// The processes.
    pub processes: Vec<ProcessDef>,
}

/// A message and its parameters.
#[derive(Clone, Debug)]
pub struct MessageDef {
    /// Its name.
    pub name: Name,
    /// The names and types of its parameters.
    pub params: Vec<(Name, TypeExpr)>,
}

/// A process, or a family of processes with indices.
#[derive(Clone, Debug)]
pub struct ProcessDef {
    /// Its name.
    pub name: Name,
    /// The indices of the family.
    pub index: Option<Index>,
    /// How many messages its queue holds.
    pub queue: Option<Expr>,
    /// Messages that it takes from other processes of the component.
    pub inputs: Vec<MessageDef>,
    /// Its variables.
    pub variables: Vec<VariableDef>,
    /// Its states; the first is where it starts.
    pub states: Vec<StateDef>,
    /// Its transitions.
    pub transitions: Vec<TransitionDef>,
}

/// A variable, or an array of variables.
#[derive(Clone, Debug)]
pub struct VariableDef {
    /// Whether properties may speak of it.
    pub visible: bool,
    /// Its name.
    pub name: Name,
    /// The indices of the array.
    pub index: Option<Index>,
    /// Its values.
    pub ty: TypeExpr,
    /// Its value at the start.
    pub initial: Option<Expr>,
}

/// A state, with what is done when it is entered.
#[derive(Clone, Debug)]
pub struct StateDef {
    /// Its name.
    pub name: Name,
    /// Whether the process may rest there for ever.
    pub is_final: bool,
    /// What is done.
    pub action: Vec<Statement>,
}

/// A transition.
#[derive(Clone, Debug)]
pub struct TransitionDef {
    /// From where.
    pub from: Vec<Name>,
    /// To where.
    pub to: Name,
    /// The message that is taken from the head of the queue.
    pub message: Name,
    /// Where its parameters go, or what they have to be.
    pub patterns: Option<Vec<Expr>>,
    /// The whole transition.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Where it stands.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `x := e` or `x[i] := e`
    Assign(Path, Expr),
    /// `send P.m(e)`
    Send(Path, Vec<Expr>),
    /// `if e { … } else { … }`
    If(Expr, Vec<Statement>, Vec<Statement>),
}

/// A part of a composition.
#[derive(Clone, Debug)]
pub struct Part {
    /// The name of the part, if it is not that of the component.
    pub name: Option<Name>,
    /// The indices of a family of parts.
    pub index: Option<Index>,
    /// The component that it is an instance of.
    pub component: Name,
}

/// An output that goes to inputs.
#[derive(Clone, Debug)]
pub struct Wiring {
    /// The output of a part.
    pub output: Path,
    /// The inputs of parts.
    pub inputs: Vec<Path>,
    /// Whether it stays an output of the composition.
    pub exported: bool,
}

/// A property, and what has to be true of the environment.
#[derive(Clone, Debug)]
pub struct PropertyDef {
    /// Its name.
    pub name: Name,
    /// What is claimed.
    pub claim: Claim,
    /// What is assumed.
    pub assuming: Vec<Claim>,
    /// The whole definition.
    pub span: Span,
}

/// A temporal statement.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What it says.
    pub kind: ClaimKind,
    /// Where it stands.
    pub span: Span,
}

/// A template or a formula.
#[derive(Clone, Debug)]
pub enum ClaimKind {
    /// Words with their arguments: `After(e) Eventually(d)`.
    Template(Vec<(TemplateWord, Expr)>),
    /// A formula of linear temporal logic.
    Formula(Expr),
}

/// The words that templates are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each name is the word")]
pub enum TemplateWord {
    Never,
    Always,
    Eventually,
    UntilAfter,
    After,
    Repeatedly,
    EventuallyAlways,
    IfRepeatedly,
}

impl TemplateWord {
    /// The word that is written so.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "Never" => Self::Never,
            "Always" => Self::Always,
            "Eventually" => Self::Eventually,
            "UntilAfter" => Self::UntilAfter,
            "After" => Self::After,
            "Repeatedly" => Self::Repeatedly,
            "EventuallyAlways" => Self::EventuallyAlways,
            "IfRepeatedly" => Self::IfRepeatedly,
            _ => return None,
        })
    }
}

/// A type.
#[derive(Clone, Debug)]
pub struct TypeExpr {
    /// What it is.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
}

/// What a type is.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `bool`
    Bool,
    /// `0..3`
    Range(Expr, Expr),
    /// `{red, green}`
    Enumeration(Vec<Name>),
    /// The name of a type or range.
    Named(Name),
}

/// Names with dots between them.
#[derive(Clone, Debug)]
pub struct Path {
    /// The names, each with its index.
    pub parts: Vec<(Name, Option<Index>)>,
    /// Where it stands.
    pub span: Span,
}

impl Path {
    /// The only name, if there are no dots and no indices.
    pub fn as_name(&self) -> Option<&Name> {
        match self.parts.as_slice() {
            [(name, None)] => Some(name),
            _ => None,
        }
    }
}

/// What stands between `[` and `]`.
#[derive(Clone, Debug)]
pub struct Index {
    /// The variable that takes each value in turn.
    pub variable: Option<Name>,
    /// The value, the least value, or the name of a range.
    pub low: Box<Expr>,
    /// The greatest value.
    pub high: Option<Box<Expr>>,
    /// Where it stands.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
    /// Whether it stands in parentheses of its own.
    pub in_parentheses: bool,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number.
    Int(i32),
    /// `true` or `false`
    Bool(bool),
    /// `any 0..3`: each value of a type, chosen without a reason.
    Any(Box<TypeExpr>),
    /// A variable, constant, value of an enumeration, or message; a message may have arguments, and then `.received`.
    Path {
        /// The names.
        path: Path,
        /// The values of the message's parameters.
        arguments: Option<Vec<Expr>>,
        /// What stands behind the arguments.
        suffix: Option<Name>,
    },
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
}

/// An operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are the operators'")]
pub enum UnaryOp {
    Not,
    Negate,
    Always,
    Eventually,
    Next,
}

/// An operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are the operators'")]
pub enum BinaryOp {
    Or,
    And,
    Implies,
    Iff,
    Until,
    WeakUntil,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}
