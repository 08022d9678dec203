//! The abstract syntax: what was written, with places, before any name is looked up.
//!
//! The parser makes it directly. A lossless tree in between would serve formatters and refactorings; Ada has its own
//! tools for those, and what rely needs are places for diagnostics and traces, which every node here has.
//!
//! Names are in lower case, because Ada does not distinguish. What could not be read is missing from the lists, or an
//! [`ExprKind::Error`], about which nothing more is said.

use std::sync::Arc;

use rely_base::Span;

/// A name where it stands, in lower case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name.
    pub text: Arc<str>,
    /// Its place.
    pub span: Span,
}

/// The packages named in `with` and `use` clauses, with dots; whether it was `use`.
pub type Context = Vec<(Ident, bool)>;

/// A file: one main procedure and what it needs.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// The packages beside the main procedure, in any order, each with its context clauses.
    pub packages: Vec<(Context, Package)>,
    /// The context clauses of the main procedure.
    pub context: Context,
    /// The main procedure.
    pub main: Option<Subprogram>,
    /// Names of declarations that could not be read: they are defined, but nothing is known of them.
    pub unread: Vec<Ident>,
}

/// A declaration.
#[derive(Clone, Debug)]
pub enum Declaration {
    /// Constants and variables, and objects of task types.
    Object(Object),
    /// `type T is …` and `subtype T is …`.
    Type(TypeDeclaration),
    /// `task T is …` and `task type T is …`.
    Task(TaskSpec),
    /// `task body T is …`.
    TaskBody(TaskBody),
    /// A procedure or function, with or without body.
    Subprogram(Subprogram),
    /// `package P is …` and `package body P is …`.
    Package(Package),
    /// `use P;`
    Use(Ident),
    /// `pragma Atomic (X);` and `pragma Atomic_Components (X);`
    Atomic(Ident),
}

/// `package P is … [private …] end P;` and `package body P is … end P;`
#[derive(Clone, Debug)]
pub struct Package {
    /// Its name.
    pub name: Ident,
    /// Whether it is the body.
    pub is_body: bool,
    /// What it declares; of a specification, what others see of it.
    pub declarations: Vec<Declaration>,
    /// What a specification declares for its body alone.
    pub private: Vec<Declaration>,
}

/// `A, B : [constant] T := E;`
#[derive(Clone, Debug)]
pub struct Object {
    /// What is declared.
    pub names: Vec<Ident>,
    /// Whether it is a constant.
    pub constant: bool,
    /// Its type; a named number has none.
    pub subtype: Option<TypeUse>,
    /// Its initial value.
    pub value: Option<Expr>,
    /// Whether it has the aspect `Atomic` or `Atomic_Components`.
    pub is_atomic: bool,
}

/// A type where it is used.
#[derive(Clone, Debug)]
pub enum TypeUse {
    /// `T`, `T range 1 .. 3`, `T (1)`.
    Named {
        /// The type.
        name: Ident,
        /// The range after `range`.
        range: Option<Box<(Expr, Expr)>>,
        /// What stands in parentheses: the discriminants of a task.
        arguments: Vec<Expr>,
    },
    /// `array (I) of T`.
    Array(Box<ArrayType>),
}

/// `array (I) of T`.
#[derive(Clone, Debug)]
pub struct ArrayType {
    /// The index.
    pub index: DiscreteRange,
    /// The type of an element.
    pub element: TypeUse,
    /// Its place.
    pub span: Span,
}

/// The values that an index, a loop or a choice goes through.
#[derive(Clone, Debug)]
pub enum DiscreteRange {
    /// `E .. F`, or `T range E .. F`.
    Range {
        /// The type, if it is named.
        subtype: Option<Ident>,
        /// The first value.
        low: Expr,
        /// The last value.
        high: Expr,
    },
    /// A type or `A'Range`; also a single value, where that is allowed.
    Expr(Expr),
}

/// `type T is …` or `subtype T is …`.
#[derive(Clone, Debug)]
pub struct TypeDeclaration {
    /// Its name.
    pub name: Ident,
    /// What it is.
    pub definition: TypeDefinition,
}

/// What a type is.
#[derive(Clone, Debug)]
pub enum TypeDefinition {
    /// `(a, b, c)`.
    Enumeration(Vec<Ident>),
    /// `range E .. F`.
    Range(Box<(Expr, Expr)>),
    /// `mod E`.
    Modular(Box<Expr>),
    /// `array (I) of T`.
    Array(Box<ArrayType>),
    /// `new T`, a type of its own.
    Derived(TypeUse),
    /// A subtype.
    Subtype(TypeUse),
}

/// A formal parameter or a discriminant.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: Ident,
    /// Whether the caller gives a value.
    pub is_in: bool,
    /// Whether the caller gets a value.
    pub is_out: bool,
    /// Its type.
    pub subtype: TypeUse,
}

/// `task [type] T (discriminants) is entries end T;`
#[derive(Clone, Debug)]
pub struct TaskSpec {
    /// Its name.
    pub name: Ident,
    /// Whether it is a type, of which objects are declared.
    pub is_type: bool,
    /// The discriminants.
    pub discriminants: Vec<Parameter>,
    /// The entries.
    pub entries: Vec<Entry>,
    /// The data of a protected object, which is read as a task; nothing for a task.
    pub private: Option<Vec<Declaration>>,
}

/// `entry E (family) (parameters);`
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name.
    pub name: Ident,
    /// The index of a family.
    pub family: Option<DiscreteRange>,
    /// The parameters.
    pub parameters: Vec<Parameter>,
}

/// `task body T is … begin … end T;`
#[derive(Clone, Debug)]
pub struct TaskBody {
    /// The name of the task.
    pub name: Ident,
    /// Whether it is that of a protected object.
    pub is_protected: bool,
    /// Declarations.
    pub declarations: Vec<Declaration>,
    /// Statements.
    pub statements: Vec<Stmt>,
    /// The place of its end.
    pub end: Span,
}

/// A procedure or function.
#[derive(Clone, Debug)]
pub struct Subprogram {
    /// Its name.
    pub name: Ident,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The type of the result of a function.
    pub result: Option<TypeUse>,
    /// Declarations and statements; nothing if it is only announced.
    pub body: Option<(Vec<Declaration>, Vec<Stmt>)>,
    /// The place of its end.
    pub end: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Its place: all of a simple statement, the heading of one with statements inside.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `null;`
    Null,
    /// `delay E;` and `delay until E;`, which take time and change nothing.
    Delay,
    /// `N := E;`
    Assign(Name, Expr),
    /// The call of a procedure or of an entry.
    Call(Name),
    /// `if … elsif … else … end if;`
    If(Vec<(Expr, Vec<Stmt>)>, Vec<Stmt>),
    /// `case … end case;`
    Case(Expr, Vec<CaseArm>),
    /// Any loop.
    Loop(Loop),
    /// `exit [L] [when E];`
    Exit(Option<Ident>, Option<Expr>),
    /// `return [E];`
    Return(Option<Expr>),
    /// `declare … begin … end;`
    Block(Vec<Declaration>, Vec<Stmt>),
    /// `accept E …;`
    Accept(Accept),
    /// `select … end select;`
    Select(Select),
    /// `pragma Annotate (Rely, Event, "name");`
    Event(Ident),
}

/// `when choices => statements`
#[derive(Clone, Debug)]
pub struct CaseArm {
    /// The choices; none stands for `others`.
    pub choices: Option<Vec<DiscreteRange>>,
    /// What is done.
    pub statements: Vec<Stmt>,
    /// The place of the heading.
    pub span: Span,
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Its label.
    pub label: Option<Ident>,
    /// How often it goes round.
    pub scheme: LoopScheme,
    /// What is repeated.
    pub body: Vec<Stmt>,
}

/// How often a loop goes round.
#[derive(Clone, Debug)]
pub enum LoopScheme {
    /// Until it is left.
    Forever,
    /// As long as the condition is true.
    While(Expr),
    /// Once for each value.
    For {
        /// The loop parameter.
        name: Ident,
        /// Whether it goes downwards.
        reverse: bool,
        /// The values.
        range: DiscreteRange,
    },
}

/// `accept E (family) (parameters) [do … end E];`
#[derive(Clone, Debug)]
pub struct Accept {
    /// The entry.
    pub entry: Ident,
    /// The index of a family. In `accept E (X)` this is also what is in the parentheses if it is no parameter list.
    pub family: Option<Expr>,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// What is done while the caller waits.
    pub body: Option<Vec<Stmt>>,
    /// The place of `accept` and the name.
    pub span: Span,
    /// The place of its end.
    pub end: Span,
}

/// `select … or … else … end select;`
#[derive(Clone, Debug)]
pub struct Select {
    /// The alternatives.
    pub alternatives: Vec<Alternative>,
    /// What comes after `else`.
    pub otherwise: Option<Vec<Stmt>>,
}

/// An alternative of a select statement.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The guard after `when`.
    pub guard: Option<Expr>,
    /// What is waited for.
    pub kind: AlternativeKind,
    /// What is done then.
    pub statements: Vec<Stmt>,
    /// The place of its first statement.
    pub span: Span,
}

/// What an alternative waits for.
#[derive(Clone, Debug)]
pub enum AlternativeKind {
    /// A call of an entry of this task.
    Accept(Accept),
    /// Time.
    Delay,
    /// The end of everything else.
    Terminate,
    /// That a call of an entry is accepted.
    Call(Name),
}

/// A name with everything that is attached to it: `Pumps (I).Start (3)`.
#[derive(Clone, Debug)]
pub struct Name {
    /// The parts between dots.
    pub parts: Vec<NamePart>,
    /// All of it.
    pub span: Span,
}

/// A part of a name, with what follows it in parentheses.
#[derive(Clone, Debug)]
pub struct NamePart {
    /// The identifier.
    pub ident: Ident,
    /// The lists in parentheses.
    pub arguments: Vec<Vec<Argument>>,
}

/// What stands between commas in parentheses.
#[derive(Clone, Debug)]
pub struct Argument {
    /// The name before `=>`.
    pub name: Option<Ident>,
    /// The value.
    pub value: Expr,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its place.
    pub span: Span,
    /// How many expressions are inside of one another at most, this one included.
    pub height: u32,
}

impl Expr {
    /// An expression of some parts.
    pub fn new(kind: ExprKind, span: Span) -> Self {
        let of_range = |range: &DiscreteRange| match range {
            DiscreteRange::Range { low, high, .. } => low.height.max(high.height),
            DiscreteRange::Expr(expr) => expr.height,
        };
        let of_name = |name: &Name| {
            let arguments = name.parts.iter().flat_map(|part| part.arguments.iter().flatten());
            arguments.map(|argument| argument.value.height).max().unwrap_or(0)
        };
        let inside = match &kind {
            ExprKind::Int(_) | ExprKind::Text | ExprKind::Error => 0,
            ExprKind::Name(name) => of_name(name),
            ExprKind::Attribute { prefix, arguments, .. } => {
                arguments.iter().map(|argument| argument.height).max().unwrap_or(0).max(of_name(prefix))
            }
            ExprKind::Unary(_, a) => a.height,
            ExprKind::Binary(_, a, b) => a.height.max(b.height),
            ExprKind::Membership { value, range, .. } => value.height.max(of_range(range)),
            ExprKind::Aggregate(associations) => {
                associations.iter().map(|association| association.value.height).max().unwrap_or(0)
            }
        };
        Self { kind, span, height: inside + 1 }
    }
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer.
    Int(i64),
    /// A string, character or real number: only for output and delays.
    Text,
    /// A name, element, call or conversion.
    Name(Name),
    /// `N'A (E)`.
    Attribute {
        /// What has the attribute.
        prefix: Name,
        /// The attribute.
        attribute: Ident,
        /// What follows in parentheses.
        arguments: Vec<Expr>,
    },
    /// An operator with one operand.
    Unary(Unary, Box<Expr>),
    /// An operator with two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `E in R`, `E not in R`.
    Membership {
        /// The value.
        value: Box<Expr>,
        /// The values that it is compared with.
        range: Box<DiscreteRange>,
        /// Whether it is `not in`.
        negated: bool,
    },
    /// `(1 => E, others => F)` or `(E, F)`.
    Aggregate(Vec<Association>),
    /// What could not be read.
    Error,
}

/// `choices => E` in an aggregate.
#[derive(Clone, Debug)]
pub struct Association {
    /// The indices; none if the value stands at its position.
    pub choices: Option<Vec<DiscreteRange>>,
    /// Whether it is `others`.
    pub is_others: bool,
    /// The value.
    pub value: Expr,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `abs`
    Abs,
    /// `not`
    Not,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each name is that of the operator")]
pub enum Binary {
    And,
    AndThen,
    Or,
    OrElse,
    Xor,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Mod,
    Rem,
    Power,
    Concatenate,
}
