//! The abstract syntax of a file: what was written, with places, before names and indices have a meaning.

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

/// A whole file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// Constants and ranges, in order.
    pub definitions: Vec<Definition>,
    /// The systems, in order.
    pub systems: Vec<SystemDef>,
    /// What could not be read.
    pub flaws: Flaws,
}

/// What could not be read. Whatever a text with flaws is found to lack may be in there.
#[derive(Clone, Debug, Default)]
pub struct Flaws {
    /// Whether the syntax has errors.
    pub has_errors: bool,
    /// The definitions of which it is uncertain what was meant, in order.
    pub broken: Vec<Span>,
    /// The names that stand in what could not be read, sorted.
    pub unread: Vec<Arc<str>>,
}

impl Flaws {
    /// Whether a place is in a definition of which it is uncertain what was meant.
    pub fn cover(&self, place: Span) -> bool {
        covers(&self.broken, place)
    }

    /// Whether a name stands in what could not be read.
    pub fn may_define(&self, name: &str) -> bool {
        self.unread.binary_search_by(|unread| (**unread).cmp(name)).is_ok()
    }
}

/// Whether one of some places, which are in order, has another one in it.
pub(crate) fn covers(places: &[Span], place: Span) -> bool {
    let after = places.partition_point(|it| it.start <= place.start);
    places[..after].last().is_some_and(|it| place.end <= it.end)
}

/// A constant or a range.
#[derive(Clone, Debug)]
pub enum Definition {
    /// `const N = 3`
    Const(Param),
    /// `range R = 1..N`
    Range(Name, Domain),
}

/// A constant or a parameter with its value.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// Its value, unless it is defined from outside.
    pub value: Expr,
}

/// `system S(N = 2) { … }`
#[derive(Clone, Debug)]
pub struct SystemDef {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// What stands in it.
    pub items: Vec<Item>,
}

/// A part of a system or of a component.
#[derive(Clone, Debug)]
pub enum Item {
    /// `input a, b`
    Events(EventsDef),
    /// `machine M { … }`
    Machine(MachineDef),
    /// `component C { … }`
    Component(ComponentDef),
    /// `property p at macrostep: …`
    Property(PropertyDef),
    /// `assume a: …`
    Assume(AssumeDef),
}

/// `input a, b`, `input one of a, b`
#[derive(Clone, Debug)]
pub struct EventsDef {
    /// Where they come from or go to.
    pub direction: Direction,
    /// Whether at most one of them can come at a time.
    pub is_one_of: bool,
    /// The events.
    pub events: Vec<EventDecl>,
}

/// Where declared events come from or go to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From the environment of the system.
    Input,
    /// To the environment of the system.
    Output,
    /// From other components.
    Takes,
    /// To other components.
    Gives,
}

/// `e`, `e[2]`, `e[1..N]`: one event or all events of an array.
#[derive(Clone, Debug)]
pub struct EventDecl {
    /// The name.
    pub name: Name,
    /// The indices.
    pub indices: Vec<Domain>,
    /// The place of the whole.
    pub span: Span,
}

/// The values of an index.
#[derive(Clone, Debug)]
pub struct Domain {
    /// The only value, the name of a range, or the first value.
    pub first: Expr,
    /// The last value.
    pub last: Option<Expr>,
    /// The place of the whole.
    pub span: Span,
}

/// `[i: 1..N]`
#[derive(Clone, Debug)]
pub struct Binder {
    /// The variable.
    pub variable: Name,
    /// Its values.
    pub domain: Domain,
}

/// `component C[i: 1..N] { … }`
#[derive(Clone, Debug)]
pub struct ComponentDef {
    /// Its name.
    pub name: Name,
    /// Its indices: there is one component for each tuple of values.
    pub binders: Vec<Binder>,
    /// What stands in it.
    pub items: Vec<Item>,
}

/// `machine M[i: 1..N] { … }`
#[derive(Clone, Debug)]
pub struct MachineDef {
    /// Its name.
    pub name: Name,
    /// Its indices: there is one machine for each tuple of values.
    pub binders: Vec<Binder>,
    /// Its states and transitions.
    pub body: Vec<MachinePart>,
}

/// A part of a machine.
#[derive(Clone, Debug)]
pub enum MachinePart {
    /// `state s { … }`
    State(StateDef),
    /// `a -> b on c / d`
    Transition(TransitionDef),
}

/// A state that is declared, perhaps with states in it.
#[derive(Clone, Debug)]
pub struct StateDef {
    /// Its name.
    pub name: Name,
    /// Its indices: `at[0..3]` declares four states.
    pub indices: Vec<Domain>,
    /// The states and transitions in it.
    pub body: Vec<MachinePart>,
}

/// `forall [i: 1..N] from -> to on condition / outputs`
#[derive(Clone, Debug)]
pub struct TransitionDef {
    /// Its indices: there is one transition for each tuple of values.
    pub binders: Vec<Binder>,
    /// The state before it.
    pub from: StateRef,
    /// The state behind it.
    pub to: StateRef,
    /// When it is enabled; always if there is none.
    pub condition: Option<Expr>,
    /// What it sends.
    pub outputs: Vec<EventDecl>,
    /// The place of the whole.
    pub span: Span,
}

/// `s[i + 1]`
#[derive(Clone, Debug)]
pub struct StateRef {
    /// The name.
    pub name: Name,
    /// The indices.
    pub indices: Vec<Domain>,
    /// The place of the whole.
    pub span: Span,
}

/// `property p[i: 1..N] at macrostep: formula from q`
#[derive(Clone, Debug)]
pub struct PropertyDef {
    /// Its name.
    pub name: Name,
    /// Its indices: there is one property for each tuple of values.
    pub binders: Vec<Binder>,
    /// When it is to hold.
    pub instant: Instant,
    /// What is to hold.
    pub formula: Expr,
    /// The properties that are to imply it.
    pub from: Vec<Path>,
    /// The place of the whole.
    pub span: Span,
}

/// When a property is to hold.
#[derive(Clone, Debug)]
pub enum Instant {
    /// At the end of each macrostep.
    Macrostep,
    /// At the end of each microstep, or of the one with a number.
    Microstep(Option<Expr>),
}

/// `assume a[i: 1..N]: formula`
#[derive(Clone, Debug)]
pub struct AssumeDef {
    /// Its name.
    pub name: Name,
    /// Its indices: there is one assumption for each tuple of values.
    pub binders: Vec<Binder>,
    /// What is assumed at the end of each microstep.
    pub formula: Expr,
    /// The place of the whole.
    pub span: Span,
}

/// An expression: a number or a truth value.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `3`
    Int(i32),
    /// `true` or `false`
    Truth(bool),
    /// `ms`, the number of the microstep.
    Ms,
    /// `N`, `e`, `Door.open`
    Path(Path),
    /// `!a`, `-3`, `old a`, `after 3`
    Unary(UnaryOp, Box<Expr>),
    /// `a & b`, `i + 1`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a & b & c` and `a | b | c`, however long: whether it is a disjunction, and the operands.
    Chain(bool, Vec<Expr>),
    /// `forall [i: 1..N] a[i]` and `exists …`: whether it is `exists`.
    Quantified(bool, Vec<Binder>, Box<Expr>),
}

/// Names with dots between them.
#[derive(Clone, Debug)]
pub struct Path {
    /// The names, at least one.
    pub segments: Vec<Segment>,
    /// The place of the whole.
    pub span: Span,
}

/// A name of a path.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The name.
    pub name: Name,
    /// The indices.
    pub indices: Vec<Domain>,
}

/// An operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Minus,
    /// `old`
    Old,
    /// One microstep earlier: `after` in a rule.
    Before,
    /// `after`
    After,
}

/// An operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `=>`
    Implies,
    /// `<=>`
    Iff,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
}
