//! Abstract syntax: the content of the lossless tree, without blanks, comments and mistakes.
//!
//! Owned and plain, so that elaboration can walk it as often as an index or a parameter requires. Everything that a
//! diagnostic may refer to has a span. What the parser could not read is simply absent; it has been reported. A name
//! is not resolved here; whether `N` is a constant, a range, a set or a parameter is decided when it is looked up.

use std::sync::Arc;

use rely_base::Span;
use rely_lts::Role;

pub use crate::flaws::Flaws;

/// An identifier with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The text.
    pub text: Arc<str>,
    /// The place.
    pub span: Span,
}

/// A whole text: its definitions in order.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// The definitions in order.
    pub definitions: Vec<Definition>,
    /// The parts of the text that could not be read.
    pub flaws: Flaws,
}

/// A definition at the top level.
#[derive(Clone, Debug)]
pub enum Definition {
    /// `const N = 3`
    Const(ConstDef),
    /// `range R = 0..N`
    Range(RangeDef),
    /// `set S = {a, b[1..2]}`
    Set(SetDef),
    /// `P(N = 2) = (a -> P) + {b} / {c/a} \ {d}.`, `interface A = (a? -> b! -> A).`
    Process(ProcessDef),
    /// `||S = (a:P || Q) / {b/a} >> {c} \ {d}.`
    Composite(CompositeDef),
    /// `import P = "file.aut"`
    Import(ImportDef),
    /// `progress P = if {a} then {b}`
    Progress(ProgressDef),
    /// `menu M = {a, b}`
    Menu(MenuDef),
    /// `animation …`
    Animation(AnimationDef),
    /// `fluent F[i:R] = <{on}, {off}> initially 1`
    Fluent(FluentDef),
    /// `assert A = [](a -> <>b)`, `constraint C = …`, `ltl_property L = …`
    Assert(AssertDef),
}

/// `const NAME = value`
#[derive(Clone, Debug)]
pub struct ConstDef {
    /// The constant.
    pub name: Name,
    /// Its value.
    pub value: Expr,
}

/// `range NAME = low..high`
#[derive(Clone, Debug)]
pub struct RangeDef {
    /// The range.
    pub name: Name,
    /// Its first value.
    pub low: Expr,
    /// Its last value.
    pub high: Expr,
}

/// `set NAME = {labels}`
#[derive(Clone, Debug)]
pub struct SetDef {
    /// The set.
    pub name: Name,
    /// Its elements.
    pub labels: Vec<LabelExpr>,
}

/// A parameter with its default, `N = 2`.
#[derive(Clone, Debug)]
pub struct Param {
    /// The parameter.
    pub name: Name,
    /// The value that it has when none is given.
    pub default: Expr,
}

/// The keywords before a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Modifiers {
    /// `deterministic`
    pub deterministic: bool,
    /// `minimal`
    pub minimal: bool,
    /// `compose`
    pub compose: bool,
    /// `property`
    pub property: bool,
    /// `interface`: the process is an interface automaton.
    pub interface: bool,
}

/// A primitive process: a state machine given by its local processes, the first of which is the process itself.
#[derive(Clone, Debug)]
pub struct ProcessDef {
    /// The process; the same name as that of the first local process.
    pub name: Name,
    /// `interface`, `property`, `minimal`, `deterministic`.
    pub modifiers: Modifiers,
    /// Its parameters.
    pub params: Vec<Param>,
    /// The local processes; never empty.
    pub locals: Vec<LocalDef>,
    /// `+ {…}`
    pub extension: Option<SetExpr>,
    /// `/ {new/old, …}`
    pub relabels: Vec<Relabel>,
    /// `\ {…}` or `@ {…}`
    pub hiding: Option<Hiding>,
    /// The whole definition.
    pub span: Span,
}

/// A local process, `BUSY[i:R] = body`.
#[derive(Clone, Debug)]
pub struct LocalDef {
    /// The local process.
    pub name: Name,
    /// `NAME@ = …`: the state is accepting.
    pub accepting: bool,
    /// Its indices: `[i:R][j:0..N]`; a `.label` part is possible, too.
    pub indices: Vec<LabelPart>,
    /// What it does.
    pub body: Body,
    /// The whole definition.
    pub span: Span,
}

/// What a local process does.
#[derive(Clone, Debug)]
pub struct Body {
    /// The kind of body.
    pub kind: BodyKind,
    /// The place.
    pub span: Span,
}

/// The kinds of bodies.
#[derive(Clone, Debug)]
pub enum BodyKind {
    /// `P; Q(3); NAME[e1][e2]`: processes that run to their END one after the other, then a local process, `STOP`,
    /// `END` or `ERROR`.
    Goto {
        /// The processes that run first.
        sequence: Vec<Call>,
        /// Where it goes on.
        name: Name,
        /// The indices of the local process.
        indices: Vec<Expr>,
    },
    /// `if e then body else body`; a missing `else` is `STOP`.
    If {
        /// The condition.
        condition: Expr,
        /// What is done if it is not 0.
        then: Box<Body>,
        /// What is done if it is 0.
        otherwise: Option<Box<Body>>,
    },
    /// `(branch | branch)`
    Choice(Vec<Branch>),
}

/// One alternative of a choice, `when e a -> b[i:R] -> body`.
#[derive(Clone, Debug)]
pub struct Branch {
    /// `when e`
    pub guard: Option<Expr>,
    /// The prefixes in order; never empty.
    pub prefixes: Vec<LabelExpr>,
    /// What comes after them.
    pub body: Body,
}

/// A process with actual parameters, `P(2, 'a)`.
#[derive(Clone, Debug)]
pub struct Call {
    /// The process.
    pub name: Name,
    /// The actual parameters, if a parenthesis was written.
    pub arguments: Option<Vec<Expr>>,
    /// The place.
    pub span: Span,
}

/// A compound label: parts that are joined by dots, `a.b[e].{x,y}[i:R]`; it stands for every choice of its parts.
#[derive(Clone, Debug)]
pub struct LabelExpr {
    /// The parts; never empty.
    pub parts: Vec<LabelPart>,
    /// The mark behind it, in an interface automaton.
    pub mark: Option<Mark>,
    /// The place, without the mark.
    pub span: Span,
}

/// `?` or `!` behind an action: its role in an interface automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// Input for `?`, output for `!`.
    pub role: Role,
    /// The place of the sign.
    pub span: Span,
}

/// A part of a compound label.
#[derive(Clone, Debug)]
pub struct LabelPart {
    /// What kind of part it is.
    pub kind: LabelPartKind,
    /// The place.
    pub span: Span,
}

/// The kinds of parts of a label.
#[derive(Clone, Debug)]
pub enum LabelPartKind {
    /// `name`
    Name(Name),
    /// `{a, b}`, `S`, `S \ {c}`
    Set(SetExpr),
    /// `[domain]`
    Index(Domain),
    /// `[v:domain]`
    Bind(Name, Domain),
}

/// What an index ranges over.
#[derive(Clone, Debug)]
pub enum Domain {
    /// One value; a bare upper-case name may turn out to be a range or a set.
    Expr(Expr),
    /// `low..high`
    Range(Expr, Expr),
    /// `{a, b}`
    Set(SetExpr),
}

/// A set of labels, `{a, b}`, `S`, or a difference of two, `S \ T`.
#[derive(Clone, Debug)]
pub struct SetExpr {
    /// The elements, or the name of the set.
    pub base: SetBase,
    /// The set that is taken away.
    pub minus: Option<Box<SetExpr>>,
    /// The place.
    pub span: Span,
}

/// A set of labels, without difference.
#[derive(Clone, Debug)]
pub enum SetBase {
    /// `{a, b}`
    Literal(Vec<LabelExpr>),
    /// `S`
    Named(Name),
}

/// One relabelling.
#[derive(Clone, Debug)]
pub enum Relabel {
    /// `new/old`
    Pair {
        /// The new labels.
        new: LabelExpr,
        /// The old labels.
        old: LabelExpr,
    },
    /// `forall[i:R] {…}`
    Forall {
        /// The indices.
        indices: Vec<LabelPart>,
        /// What is done for each of their values.
        relabels: Vec<Relabel>,
    },
}

/// `\ {…}` hides the labels, `@ {…}` hides all others.
#[derive(Clone, Debug)]
pub struct Hiding {
    /// Whether the labels are those that stay visible.
    pub expose: bool,
    /// The labels.
    pub labels: SetExpr,
}

/// A composite process.
#[derive(Clone, Debug)]
pub struct CompositeDef {
    /// The composite.
    pub name: Name,
    /// `deterministic`, `minimal`, `compose`, `property`.
    pub modifiers: Modifiers,
    /// Its parameters.
    pub params: Vec<Param>,
    /// What is composed.
    pub body: Composite,
    /// `>> {…}` or `<< {…}`
    pub priority: Option<Priority>,
    /// `\ {…}` or `@ {…}`
    pub hiding: Option<Hiding>,
    /// The whole definition.
    pub span: Span,
}

/// `>> {…}` gives the labels low priority, `<< {…}` high priority.
#[derive(Clone, Debug)]
pub struct Priority {
    /// Whether the labels get high priority.
    pub high: bool,
    /// The labels.
    pub labels: SetExpr,
}

/// What a composite is made of.
#[derive(Clone, Debug)]
pub struct Composite {
    /// What kind of composite it is.
    pub kind: CompositeKind,
    /// The place.
    pub span: Span,
}

/// The kinds of composite expressions.
#[derive(Clone, Debug)]
pub enum CompositeKind {
    /// `if e then body else body`; a missing `else` is nothing.
    If {
        /// The condition.
        condition: Expr,
        /// What is composed if it is not 0.
        then: Box<Composite>,
        /// What is composed if it is 0.
        otherwise: Option<Box<Composite>>,
    },
    /// `forall[i:R] body`
    Forall {
        /// The indices.
        indices: Vec<LabelPart>,
        /// What is composed for each of their values.
        body: Box<Composite>,
    },
    /// `share::prefix:body / {…}`
    Instance {
        /// `{a,b}::`, one copy whose actions are offered under every prefix.
        share: Option<LabelExpr>,
        /// `a:`, a copy for every prefix.
        prefix: Option<LabelExpr>,
        /// What is instantiated.
        of: Instance,
        /// `/ {…}`
        relabels: Vec<Relabel>,
    },
}

/// What is instantiated in a composite.
#[derive(Clone, Debug)]
pub enum Instance {
    /// `P(3)`
    Call(Call),
    /// `(body || body)`
    Parallel(Vec<Composite>),
}

/// `import NAME = "file.aut"`
#[derive(Clone, Debug)]
pub struct ImportDef {
    /// The process.
    pub name: Name,
    /// The file, as it is written between the quotes.
    pub path: Name,
}

/// `progress NAME[i:R] = {…}` or `= if {…} then {…}`
#[derive(Clone, Debug)]
pub struct ProgressDef {
    /// The progress property.
    pub name: Name,
    /// Its indices.
    pub indices: Vec<LabelPart>,
    /// The actions after `if`.
    pub condition: Option<LabelExpr>,
    /// The actions one of which has to occur again and again.
    pub actions: LabelExpr,
}

/// `menu NAME = {…}`
#[derive(Clone, Debug)]
pub struct MenuDef {
    /// The menu.
    pub name: Name,
    /// Its actions.
    pub actions: LabelExpr,
}

/// `animation NAME = "file.xml" …`, which is read and ignored.
#[derive(Clone, Debug)]
pub struct AnimationDef {
    /// The animation.
    pub name: Name,
    /// The whole definition.
    pub span: Span,
}

/// `fluent NAME[i:R] = <on, off> initially e`
#[derive(Clone, Debug)]
pub struct FluentDef {
    /// The fluent.
    pub name: Name,
    /// Its indices.
    pub indices: Vec<LabelPart>,
    /// The actions that make it true.
    pub on: LabelExpr,
    /// The actions that make it false.
    pub off: LabelExpr,
    /// Whether it holds at the start.
    pub initially: Option<Expr>,
}

/// What an LTL formula is used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssertKind {
    /// `assert`: checked on a target.
    Assert,
    /// `constraint`: a process that allows what the formula allows.
    Constraint,
    /// `ltl_property`: a property process.
    Property,
}

/// `assert NAME(N = 2) = formula + {…}`
#[derive(Clone, Debug)]
pub struct AssertDef {
    /// What it is used for.
    pub kind: AssertKind,
    /// The name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// The formula.
    pub formula: Formula,
    /// `+ {…}`
    pub extension: Option<SetExpr>,
    /// The whole definition.
    pub span: Span,
}

/// A formula of linear temporal logic.
#[derive(Clone, Debug)]
pub struct Formula {
    /// What kind of formula it is.
    pub kind: FormulaKind,
    /// The place.
    pub span: Span,
}

/// The kinds of formulas.
#[derive(Clone, Debug)]
pub enum FormulaKind {
    /// `!f`, `X f`, `<>f`, `[]f`
    Unary(TemporalUnary, Box<Formula>),
    /// `f && g`, `f U g`, …
    Binary(TemporalBinary, Box<Formula>, Box<Formula>),
    /// `NAME`, `NAME[e]…`: a fluent, an assertion, or a set of actions.
    Named {
        /// The name.
        name: Name,
        /// The indices.
        indices: Vec<LabelPart>,
        /// The actual parameters, if a parenthesis was written.
        arguments: Option<Vec<Expr>>,
    },
    /// An action, or one of a set of actions.
    Action(LabelExpr),
    /// `forall[i:R] f`, `exists[i:R] f`
    Quantified {
        /// Whether this is `forall`.
        universal: bool,
        /// The indices.
        indices: Vec<LabelPart>,
        /// The formula.
        body: Box<Formula>,
    },
    /// `rigid(e)`
    Rigid(Expr),
}

/// The unary operators of formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TemporalUnary {
    /// `!`
    Not,
    /// `X`
    Next,
    /// `<>`
    Eventually,
    /// `[]`
    Always,
}

/// The binary operators of formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TemporalBinary {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `->`
    Implies,
    /// `<->`
    Iff,
    /// `U`
    Until,
    /// `W`
    WeakUntil,
}

/// An expression over integers and labels.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What kind of expression it is.
    pub kind: ExprKind,
    /// The place.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `42`
    Int(i32),
    /// A variable, constant or parameter.
    Name(Name),
    /// `'a.b`
    Label(LabelExpr),
    /// `#{a, b}`, the number of labels.
    Size(LabelExpr),
    /// `@({a, b}, e)`, the label at a position, from 0.
    Select(LabelExpr, Box<Expr>),
    /// `-e`
    Unary(UnaryOp, Box<Expr>),
    /// `e + e`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
}

/// The unary operators of expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `!`, which is 1 for everything that is not above 0
    Not,
}

/// The binary operators of expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are the operators'")]
pub enum BinaryOp {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}
