//! A program whose names are looked up and whose types are checked: what remains is what it does.
//!
//! Everything that is declared has a number, and the tables of [`Program`] say the rest. Named numbers, constants and
//! enumeration literals are gone: they are values. All values are integers; a Boolean is 0 or 1, and an enumeration
//! literal its position.

use std::sync::Arc;

use rely_base::Span;
use rustc_hash::FxHashSet;

pub use crate::ast::{Ident, Unary};

rely_base::define_id! {
    /// A type.
    TypeId
}

rely_base::define_id! {
    /// A variable, parameter, loop parameter or discriminant.
    VariableId
}

rely_base::define_id! {
    /// A procedure or function.
    SubprogramId
}

rely_base::define_id! {
    /// A task, or an array of tasks: what a call of an entry names.
    GroupId
}

rely_base::define_id! {
    /// A kind of tasks: a task type, a single task, or the main procedure.
    UnitId
}

rely_base::define_id! {
    /// An entry of a kind of tasks.
    EntryId
}

rely_base::define_id! {
    /// A loop, for those who leave it.
    LoopId
}

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The name of the main procedure.
    pub name: Ident,
    /// The types, Boolean and Integer first.
    pub types: Vec<Type>,
    /// All variables.
    pub variables: Vec<Variable>,
    /// The variables that all tasks share, in the order in which they get their initial values.
    pub shared: Vec<VariableId>,
    /// Those that are atomic: accesses of several tasks come one after the other.
    pub atomic: FxHashSet<VariableId>,
    /// The procedures and functions.
    pub subprograms: Vec<Subprogram>,
    /// The kinds of tasks; the main procedure is the last.
    pub units: Vec<Unit>,
    /// The tasks and arrays of tasks; the main procedure is the last.
    pub groups: Vec<Group>,
    /// The entries.
    pub entries: Vec<Entry>,
}

/// A discrete type.
#[derive(Clone, Debug)]
pub struct Type {
    /// Its name.
    pub name: Arc<str>,
    /// What its values are.
    pub kind: TypeKind,
}

/// What the values of a type are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeKind {
    /// False and True.
    Boolean,
    /// Literals, by position.
    Enumeration(Vec<Arc<str>>),
    /// Integers of 32 bits.
    Integer,
    /// Integers from 0 up to, not including, a modulus.
    Modular(i64),
    /// The type of integer literals, which goes with every integer type.
    Universal,
    /// Nothing is known, because of a mistake that was reported.
    Unknown,
}

/// A type with bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Subtype {
    /// The type.
    pub base: TypeId,
    /// The least value.
    pub low: i64,
    /// The greatest value; below the least one if there are no values.
    pub high: i64,
}

impl Subtype {
    /// Whether a value is between the bounds.
    pub fn contains(&self, value: i64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// How many values there are.
    pub fn count(&self) -> u64 {
        u64::try_from(self.high - self.low + 1).unwrap_or(0)
    }
}

/// What a variable holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// One value.
    Scalar(Subtype),
    /// One value for each index.
    Array {
        /// The indices.
        index: Subtype,
        /// The values.
        element: Subtype,
    },
}

impl Form {
    /// The values of the variable, or of one of its elements.
    pub fn element(&self) -> Subtype {
        match *self {
            Self::Scalar(subtype) | Self::Array { element: subtype, .. } => subtype,
        }
    }

    /// How many values it holds.
    pub fn len(&self) -> usize {
        match self {
            Self::Scalar(_) => 1,
            Self::Array { index, .. } => usize::try_from(index.count()).unwrap_or(usize::MAX),
        }
    }

    /// Whether it holds nothing: an array without indices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Ident,
    /// What it holds.
    pub form: Form,
    /// What it is at first; nothing if it may be anything.
    pub initial: Option<Initial>,
    /// Who has it.
    pub role: Role,
}

/// Who has a variable, and who may change it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// All tasks.
    Shared,
    /// The task whose body, subprogram or block declares it.
    Local,
    /// A task, and it may not be assigned: loop parameters, `in` parameters, constants whose value is computed.
    Fixed,
    /// A discriminant, whose value each task has from its declaration.
    Discriminant,
}

/// What a variable is at first.
#[derive(Clone, Debug)]
pub enum Initial {
    /// A value.
    Scalar(Expr),
    /// A value for each element, in the order of the indices.
    Array(Vec<Expr>),
    /// The same as another array.
    Copy(VariableId),
}

/// A procedure or function.
#[derive(Clone, Debug)]
pub struct Subprogram {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The values of a function.
    pub result: Option<Subtype>,
    /// Its own variables, in the order in which they get their initial values.
    pub locals: Vec<VariableId>,
    /// What it does.
    pub body: Vec<Stmt>,
}

/// A parameter of a subprogram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// The variable inside.
    pub variable: VariableId,
    /// How values are exchanged.
    pub mode: Mode,
}

/// How the values of a parameter are exchanged. All of them are copied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mode {
    /// The caller gives a value.
    pub is_in: bool,
    /// The caller gets a value.
    pub is_out: bool,
}

/// A kind of tasks.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Its name.
    pub name: Ident,
    /// Its discriminants.
    pub discriminants: Vec<VariableId>,
    /// Its entries.
    pub entries: Vec<EntryId>,
    /// Its own variables, in the order in which they get their initial values.
    pub locals: Vec<VariableId>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// The place of its end.
    pub end: Span,
}

/// A task, or an array of tasks.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its name.
    pub name: Ident,
    /// What kind of tasks.
    pub unit: UnitId,
    /// The indices of an array.
    pub index: Option<Subtype>,
    /// The values of the discriminants.
    pub discriminants: Vec<i64>,
}

/// An entry.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name.
    pub name: Ident,
    /// The indices of a family.
    pub family: Option<Subtype>,
    /// How values are exchanged, and which.
    pub parameters: Vec<(Mode, Subtype)>,
    /// Whether the caller waits for an end of the rendezvous: some `accept` of it has a body, or a parameter is `out`.
    pub has_end: bool,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Its place.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Nothing happens.
    Null,
    /// One value is assigned.
    Assign(Target, Expr),
    /// All elements of an array are assigned, in the order of the indices.
    AssignArray(VariableId, Initial),
    /// The first condition that is true says what is done.
    If(Vec<(Expr, Vec<Stmt>)>, Vec<Stmt>),
    /// The value says what is done.
    Case(Expr, Vec<CaseArm>),
    /// A loop.
    Loop(LoopId, LoopScheme, Vec<Stmt>),
    /// A loop is left, if the condition is true.
    Exit(LoopId, Option<Expr>),
    /// A subprogram or task is left; a function with a value.
    Return(Option<Expr>),
    /// Variables with initial values, and what is done with them.
    Block(Vec<VariableId>, Vec<Stmt>),
    /// A call of a procedure.
    Call(SubprogramId, Vec<Actual>),
    /// A call of an entry.
    EntryCall(EntryCall),
    /// A call of an entry that may not be accepted.
    SelectCall {
        /// The call.
        call: EntryCall,
        /// What is done when it was accepted.
        accepted: Vec<Stmt>,
        /// What is done when it was not.
        otherwise: Vec<Stmt>,
        /// Whether the call is given up at some time (`or delay`), and not only if it cannot be accepted at once (`else`).
        is_timed: bool,
    },
    /// An accept statement, or a selective accept.
    Select(Select),
    /// A mark.
    Event(Arc<str>),
}

/// An arm of a case statement.
#[derive(Clone, Debug)]
pub struct CaseArm {
    /// The values, as ranges; those of `others` included.
    pub ranges: Vec<(i64, i64)>,
    /// What is done.
    pub body: Vec<Stmt>,
}

/// How often a loop goes round.
#[derive(Clone, Debug)]
pub enum LoopScheme {
    /// Until it is left.
    Forever,
    /// As long as the condition is true.
    While(Expr),
    /// Once for each value between two, which are computed once.
    For {
        /// The loop parameter.
        variable: VariableId,
        /// The least value.
        low: Expr,
        /// The greatest value.
        high: Expr,
        /// Whether it goes downwards.
        reverse: bool,
    },
}

/// What can be assigned: a variable, or an element of an array.
#[derive(Clone, Debug)]
pub struct Target {
    /// The variable.
    pub variable: VariableId,
    /// The index of the element.
    pub index: Option<Expr>,
    /// The place.
    pub span: Span,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub enum Actual {
    /// A value.
    In(Expr),
    /// A variable whose value may be given, and which gets a value.
    Out(Target),
}

/// A call of an entry.
#[derive(Clone, Debug)]
pub struct EntryCall {
    /// The task or array of tasks.
    pub group: GroupId,
    /// The index of the task in an array.
    pub index: Option<Expr>,
    /// The entry.
    pub entry: EntryId,
    /// The index in a family.
    pub family: Option<Expr>,
    /// The arguments.
    pub actuals: Vec<Actual>,
    /// The place.
    pub span: Span,
}

/// A selective accept; an accept statement is one with a single alternative.
#[derive(Clone, Debug)]
pub struct Select {
    /// The alternatives.
    pub alternatives: Vec<Alternative>,
    /// What is done if no call can be accepted at once.
    pub otherwise: Option<Vec<Stmt>>,
}

/// An alternative.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// It is only waited for if this is true.
    pub guard: Option<Expr>,
    /// What is waited for.
    pub kind: AlternativeKind,
    /// What is done then.
    pub body: Vec<Stmt>,
    /// The place.
    pub span: Span,
}

/// What an alternative waits for.
#[derive(Clone, Debug)]
pub enum AlternativeKind {
    /// A call of an entry.
    Accept(Accept),
    /// Time, which may pass whenever it likes.
    Delay,
    /// That the main procedure and all other tasks have ended, or wait for this as well.
    Terminate,
}

/// An accept statement.
#[derive(Clone, Debug)]
pub struct Accept {
    /// The entry.
    pub entry: EntryId,
    /// The index in a family.
    pub family: Option<Expr>,
    /// The parameters inside.
    pub parameters: Vec<VariableId>,
    /// What is done while the caller waits.
    pub body: Vec<Stmt>,
    /// The place of its end.
    pub end: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: TypeId,
    /// Its place.
    pub span: Span,
}

impl Expr {
    /// Whether a test is true of it, or of an expression inside of it.
    pub fn any(&self, test: &dyn Fn(&Self) -> bool) -> bool {
        test(self)
            || match &self.kind {
                ExprKind::Literal(_) | ExprKind::Variable(_) => false,
                ExprKind::Element(_, a)
                | ExprKind::Unary(_, a)
                | ExprKind::Checked(a, _)
                | ExprKind::Wrapped(a, _) => a.any(test),
                ExprKind::Binary(_, a, b) | ExprKind::Short(_, a, b) => a.any(test) || b.any(test),
                ExprKind::Within(a, b, c) => [a, b, c].into_iter().any(|part| part.any(test)),
                ExprKind::Call(_, arguments) => arguments.iter().any(|part| part.any(test)),
            }
    }
}

/// The kinds of expressions. Operands are evaluated from left to right.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A value.
    Literal(i64),
    /// The value of a variable.
    Variable(VariableId),
    /// The value of an element of an array.
    Element(VariableId, Box<Expr>),
    /// An operator with one operand.
    Unary(Unary, Box<Expr>),
    /// An operator with two operands, both of which are evaluated.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `and then`, if true; `or else` otherwise.
    Short(bool, Box<Expr>, Box<Expr>),
    /// Whether a value is between two others.
    Within(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The value if it is in a range; otherwise an error of the program.
    Checked(Box<Expr>, Subtype),
    /// The value modulo a number.
    Wrapped(Box<Expr>, i64),
    /// The result of a function.
    Call(SubprogramId, Vec<Expr>),
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each name is that of the operator")]
pub enum Binary {
    And,
    Or,
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
}

/// Why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fault {
    /// A value is out of range, or a division by zero.
    ConstraintError,
    /// A call of a task that has ended.
    TaskingError,
    /// A selective accept without open alternatives, or a function that ends without a value.
    ProgramError,
}

impl Fault {
    /// Its name in Ada, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::ConstraintError => "constraint_error",
            Self::TaskingError => "tasking_error",
            Self::ProgramError => "program_error",
        }
    }
}

/// The value of an operator with two operands.
///
/// # Errors
/// When it has none, or it does not fit into 32 bits.
pub fn apply(operator: Binary, a: i64, b: i64) -> Result<i64, Fault> {
    let value = match operator {
        Binary::And => Some(a & b),
        Binary::Or => Some(a | b),
        Binary::Xor => Some(a ^ b),
        Binary::Equal => Some(i64::from(a == b)),
        Binary::NotEqual => Some(i64::from(a != b)),
        Binary::Less => Some(i64::from(a < b)),
        Binary::LessEqual => Some(i64::from(a <= b)),
        Binary::Greater => Some(i64::from(a > b)),
        Binary::GreaterEqual => Some(i64::from(a >= b)),
        Binary::Add => a.checked_add(b),
        Binary::Subtract => a.checked_sub(b),
        Binary::Multiply => a.checked_mul(b),
        Binary::Divide => a.checked_div(b),
        // The result of `mod` has the sign of the divisor, that of `rem` the sign of the dividend.
        Binary::Mod => {
            a.checked_rem(b).map(|rest| if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
        }
        Binary::Rem => a.checked_rem(b),
        Binary::Power => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
    };
    within_32_bits(value)
}

/// The value of an operator with one operand.
///
/// # Errors
/// When it does not fit into 32 bits.
pub fn apply_unary(operator: Unary, a: i64) -> Result<i64, Fault> {
    within_32_bits(match operator {
        Unary::Plus => Some(a),
        Unary::Minus => a.checked_neg(),
        Unary::Abs => a.checked_abs(),
        Unary::Not => Some(1 - a),
    })
}

fn within_32_bits(value: Option<i64>) -> Result<i64, Fault> {
    value.filter(|&value| i32::try_from(value).is_ok()).ok_or(Fault::ConstraintError)
}

impl Program {
    /// How a value of a type is written: literals in lower case, integers in decimal.
    pub fn show(&self, ty: TypeId, value: i64) -> String {
        use rely_base::Id;
        let position = usize::try_from(value).unwrap_or(usize::MAX);
        match &self.types[ty.index()].kind {
            TypeKind::Boolean => (value != 0).to_string(),
            TypeKind::Enumeration(literals) => {
                literals.get(position).map_or_else(|| value.to_string(), ToString::to_string)
            }
            _ => value.to_string(),
        }
    }
}
