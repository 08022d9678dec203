//! What a task of the naive interpreter still has to do.

use std::rc::Rc;

use rely_tasks::hir::{
    Accept, Actual, CaseArm, Expr, LoopId, LoopScheme, Mode, Select, Stmt, SubprogramId, VariableId,
};

use super::Door;

/// What gets a value: a variable, and the position of an element.
pub(super) type Place = (VariableId, usize);

/// What a task still has to do; the last item is next.
#[derive(Clone)]
pub(super) enum Item<'p> {
    Stmts(&'p [Stmt]),
    /// Expressions to be evaluated, and what is done with their values.
    Eval(Vec<Expr>, Then<'p>),
    /// Values to be assigned, in order.
    Store(Vec<(Place, i64)>),
    Declare(&'p [VariableId]),
    /// The end of a round of a loop: the loop, and where a `for` loop is, and its last value.
    Loop(LoopId, &'p LoopScheme, &'p [Stmt], Option<(i64, i64)>),
    /// The end of a function: the value goes into the hole of the expressions below.
    Function,
    /// The end of a procedure: parameters are copied out.
    Procedure(SubprogramId, Vec<Option<Place>>),
    /// Arguments that are still to be evaluated.
    Arguments(Rc<Arguments<'p>>),
    Call {
        call: Rc<Prepared<'p>>,
        is_waiting: bool,
    },
    Await {
        door: Door,
        targets: Vec<Place>,
    },
    Guards(&'p Select, Vec<(bool, Option<i64>)>),
    Select {
        select: &'p Select,
        state: Vec<(bool, Option<i64>)>,
        is_waiting: bool,
    },
    /// The end of an accept statement.
    Accept {
        caller: usize,
        door: Door,
        accept: &'p Accept,
    },
}

/// What is done with the values of expressions.
#[derive(Clone)]
pub(super) enum Then<'p> {
    Assign(VariableId, bool),
    AssignAll(VariableId),
    Initial(VariableId),
    If(&'p [(Expr, Vec<Stmt>)], &'p [Stmt]),
    Case(&'p [CaseArm]),
    While(LoopId, &'p LoopScheme, &'p [Stmt]),
    For(LoopId, &'p LoopScheme, &'p [Stmt]),
    Exit(LoopId),
    Return,
    /// A parameter is copied out.
    CopyOut(Place),
    /// The next argument of a call.
    Argument(Rc<Arguments<'p>>),
    /// The index of what gets a value, and what follows.
    Target(Rc<Arguments<'p>>),
    Guard(&'p Select, Vec<(bool, Option<i64>)>),
    Family(&'p Select, Vec<(bool, Option<i64>)>),
    TaskIndex(&'p Stmt),
    FamilyIndex(&'p Stmt, usize),
}

/// A call whose arguments are being evaluated.
#[derive(Clone)]
pub(super) struct Arguments<'p> {
    pub(super) actuals: &'p [Actual],
    pub(super) modes: Vec<Mode>,
    /// The values and targets so far.
    pub(super) values: Vec<Option<i64>>,
    pub(super) targets: Vec<Option<Place>>,
    pub(super) callee: CalleeOf<'p>,
}

#[derive(Clone)]
pub(super) enum CalleeOf<'p> {
    Procedure(SubprogramId),
    Entry(&'p Stmt, Door),
}

/// A call of an entry for which everything has been evaluated.
#[derive(Clone)]
pub(super) struct Prepared<'p> {
    pub(super) statement: &'p Stmt,
    pub(super) door: Door,
    pub(super) values: Vec<i64>,
    pub(super) targets: Vec<Place>,
}

impl Item<'_> {
    pub(super) fn key(&self) -> String {
        let at = |statements: &[Stmt]| format!("{:p}+{}", statements.as_ptr(), statements.len());
        match self {
            Self::Stmts(statements) => at(statements),
            Self::Eval(exprs, then) => format!("eval {exprs:?} {}", then.key()),
            Self::Store(stores) => format!("store {stores:?}"),
            Self::Declare(variables) => format!("declare {variables:?}"),
            Self::Loop(id, _, _, state) => format!("loop {id:?} {state:?}"),
            Self::Function => "function".to_owned(),
            Self::Procedure(id, targets) => format!("procedure {id:?} {targets:?}"),
            Self::Arguments(arguments) => arguments.key(),
            Self::Call { call, is_waiting } => {
                format!(
                    "call {:p} {:?} {:?} {:?} {is_waiting}",
                    call.statement, call.door, call.values, call.targets
                )
            }
            Self::Await { door, targets } => format!("await {door:?} {targets:?}"),
            Self::Guards(select, state) => format!("guards {:p} {state:?}", *select),
            Self::Select { select, state, is_waiting } => {
                format!("select {:p} {state:?} {is_waiting}", *select)
            }
            Self::Accept { caller, door, accept } => format!("accept {caller} {door:?} {:p}", *accept),
        }
    }
}

impl Arguments<'_> {
    pub(super) fn key(&self) -> String {
        let callee = match self.callee {
            CalleeOf::Procedure(id) => format!("{id:?}"),
            CalleeOf::Entry(statement, door) => format!("{statement:p} {door:?}"),
        };
        format!("arguments {:p} {:?} {:?} {callee}", self.actuals.as_ptr(), self.values, self.targets)
    }
}

impl Then<'_> {
    pub(super) fn key(&self) -> String {
        match self {
            Self::Assign(variable, _) => format!("assign {variable:?}"),
            Self::AssignAll(variable) => format!("all {variable:?}"),
            Self::Initial(variable) => format!("initial {variable:?}"),
            Self::If(arms, _) => format!("if {:p}", arms.as_ptr()),
            Self::Case(arms) => format!("case {:p}", arms.as_ptr()),
            Self::While(id, ..) => format!("while {id:?}"),
            Self::For(id, ..) => format!("for {id:?}"),
            Self::Exit(id) => format!("exit {id:?}"),
            Self::Return => "return".to_owned(),
            Self::CopyOut(place) => format!("out {place:?}"),
            Self::Argument(arguments) => format!("argument {}", arguments.key()),
            Self::Target(arguments) => format!("target {}", arguments.key()),
            Self::Guard(select, state) => format!("guard {:p} {state:?}", *select),
            Self::Family(select, state) => format!("family {:p} {state:?}", *select),
            Self::TaskIndex(statement) => format!("index {:p}", *statement),
            Self::FamilyIndex(statement, acceptor) => format!("family {:p} {acceptor}", *statement),
        }
    }
}
