//! Expressions as code for a small stack machine.
//!
//! Problem: the guards of a program are evaluated in every state, and its expressions are a graph: common parts are written
//! once, and may be used very often. Idea: an expression that is used once is part of the code of the one that uses it. One
//! that is used more often is a routine, which is called; it keeps its value, so that it is evaluated once for each state.
//! The second operand of a logical operator, and the branch of a condition that is not taken, are jumped over.
//!
//! Invariants: the code is linear in the number of expressions, however often they are used. It calls only routines of
//! expressions that stand before its own, so that every evaluation ends. Values that were kept count for one state only:
//! each state has a number, and a value the number of its state.

use rely_base::Id;
use rely_lts::{Array, Binary, Expression, ExpressionId, Fault, Program, Unary};

use super::layout::Layout;

/// An instruction. Targets of jumps are places in the code.
#[derive(Clone, Copy, Debug)]
enum Op {
    Constant(i64),
    /// The value of a slot.
    Slot(u32),
    /// Whether a slot has a value.
    SlotIs(u32, i32),
    /// Replaces an index by the value of the element.
    Element(Array),
    Unary(Unary),
    /// An operator that needs both operands.
    Binary(Binary),
    /// Leaves 0 and jumps where the value is 0; otherwise drops it.
    AndThen(u32),
    /// Leaves 1 and jumps where the value is not 0; otherwise drops it.
    OrElse(u32),
    /// Normalises a truth value: 1 for everything but 0.
    Truth,
    /// Drops the value, and jumps if it is 0.
    Branch(u32),
    Jump(u32),
    /// The value of a routine: the one that was kept, or else the routine is called.
    Call(u32),
    /// The end of a routine.
    Return(u32),
    /// The end of an expression.
    Done,
}

/// An expression that can be evaluated: where its code begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry(u32);

/// The code of the expressions of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    ops: Vec<Op>,
    /// Where each routine begins.
    routines: Vec<u32>,
}

/// What an evaluation needs: a stack, where to return to, and the values that were kept.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    stack: Vec<i64>,
    returns: Vec<u32>,
    kept: Vec<i64>,
    /// For each routine, the number of the state that its value belongs to.
    kept_for: Vec<u32>,
    /// The number of the current state, from 1.
    state: u32,
}

impl Memory {
    /// Begins another state: all kept values become invalid.
    pub(super) fn begin_state(&mut self) {
        self.state = self.state.checked_add(1).unwrap_or_else(|| {
            self.kept_for.fill(0);
            1
        });
    }
}

impl Code {
    /// Memory for evaluations.
    pub(super) fn memory(&self) -> Memory {
        let routines = self.routines.len();
        Memory {
            stack: Vec::new(),
            returns: Vec::new(),
            kept: vec![0; routines],
            kept_for: vec![0; routines],
            state: 0,
        }
    }

    /// The value of an expression in a state. `memory` has begun this state.
    pub(super) fn evaluate(
        &self,
        Entry(mut place): Entry,
        layout: &Layout,
        state: &[u64],
        memory: &mut Memory,
    ) -> Result<i64, Fault> {
        let Memory { stack, returns, kept, kept_for, state: number } = memory;
        stack.clear();
        returns.clear();
        loop {
            let op = self.ops[place as usize];
            place += 1;
            match op {
                Op::Constant(value) => stack.push(value),
                Op::Slot(slot) => stack.push(layout.value(slot as usize, state)),
                Op::SlotIs(slot, value) => {
                    stack.push(i64::from(layout.value(slot as usize, state) == i64::from(value)));
                }
                Op::Element(array) => {
                    let slot = array.element(pop(stack)).ok_or(Fault::Index)?;
                    stack.push(layout.value(slot.index(), state));
                }
                Op::Unary(operator) => {
                    let value = pop(stack);
                    stack.push(unary(operator, value)?);
                }
                Op::Binary(operator) => {
                    let second = pop(stack);
                    let first = pop(stack);
                    stack.push(binary(operator, first, second)?);
                }
                Op::AndThen(target) => {
                    if pop(stack) == 0 {
                        stack.push(0);
                        place = target;
                    }
                }
                Op::OrElse(target) => {
                    if pop(stack) != 0 {
                        stack.push(1);
                        place = target;
                    }
                }
                Op::Truth => {
                    let value = pop(stack);
                    stack.push(i64::from(value != 0));
                }
                Op::Branch(target) => {
                    if pop(stack) == 0 {
                        place = target;
                    }
                }
                Op::Jump(target) => place = target,
                Op::Call(routine) => match kept_for[routine as usize] == *number {
                    true => stack.push(kept[routine as usize]),
                    false => {
                        returns.push(place);
                        place = self.routines[routine as usize];
                    }
                },
                Op::Return(routine) => {
                    kept[routine as usize] = *stack.last().expect("a routine leaves its value");
                    kept_for[routine as usize] = *number;
                    place = returns.pop().expect("a routine was called");
                }
                Op::Done => return Ok(pop(stack)),
            }
        }
    }
}

#[inline]
fn pop(stack: &mut Vec<i64>) -> i64 {
    stack.pop().expect("an operator comes after its operands")
}

fn unary(operator: Unary, value: i64) -> Result<i64, Fault> {
    match operator {
        Unary::Not => Ok(i64::from(value == 0)),
        Unary::Negate => value.checked_neg().ok_or(Fault::Overflow),
    }
}

#[inline]
fn binary(operator: Binary, first: i64, second: i64) -> Result<i64, Fault> {
    let number = |result: Option<i64>| result.ok_or(Fault::Overflow);
    let is_division = matches!(operator, Binary::Divide | Binary::Remainder | Binary::Modulo);
    if is_division && second == 0 {
        return Err(Fault::DivisionByZero);
    }
    match operator {
        Binary::And => Ok(i64::from(first != 0 && second != 0)),
        Binary::Or => Ok(i64::from(first != 0 || second != 0)),
        Binary::Equal => Ok(i64::from(first == second)),
        Binary::NotEqual => Ok(i64::from(first != second)),
        Binary::Less => Ok(i64::from(first < second)),
        Binary::LessOrEqual => Ok(i64::from(first <= second)),
        Binary::Add => number(first.checked_add(second)),
        Binary::Subtract => number(first.checked_sub(second)),
        Binary::Multiply => number(first.checked_mul(second)),
        Binary::Divide => number(first.checked_div(second)),
        // A division by -1 leaves no remainder, not even for the least number, where the quotient overflows.
        Binary::Remainder => Ok(first.wrapping_rem(second)),
        Binary::Modulo => {
            let rest = first.wrapping_rem(second);
            Ok(if rest != 0 && (rest < 0) != (second < 0) { rest + second } else { rest })
        }
    }
}

/// The work list for writing code.
enum Task {
    /// The code of an expression, or a call if it is a routine.
    Expression(ExpressionId),
    /// The code of an expression, even if it is a routine.
    Body(ExpressionId),
    Op(Op),
    /// A jump whose target is not known yet.
    Open(Op),
    /// The first branch of a condition ends here, and the second begins.
    Else,
    /// The target of the last jump that is open.
    Close,
}

/// Writes the code of expressions.
pub(super) struct Writer<'p> {
    program: &'p Program,
    code: Code,
    /// For each expression, the number of its routine if it is one.
    routine_of: Vec<Option<u32>>,
    /// Jumps whose targets come later.
    open: Vec<usize>,
}

impl<'p> Writer<'p> {
    /// Decides which expressions become routines, and writes these. `used` are the expressions used from outside.
    pub(super) fn new(program: &'p Program, used: impl Iterator<Item = ExpressionId>) -> Self {
        let mut uses = vec![0_u32; program.expressions().len()];
        let mut count = |id: ExpressionId| uses[id.index()] = uses[id.index()].saturating_add(1);
        used.for_each(&mut count);
        program.expressions().iter().flat_map(|it| it.operands()).for_each(&mut count);
        let mut writer =
            Self { program, code: Code::default(), routine_of: vec![None; uses.len()], open: Vec::new() };
        for (number, &uses) in uses.iter().enumerate() {
            let id = ExpressionId::from_index(number);
            if uses > 1 && !writer.is_short(id) {
                let routine = u32::try_from(writer.code.routines.len()).expect("ids have 32 bits");
                let start = writer.place();
                writer.write(vec![Task::Op(Op::Return(routine)), Task::Body(id)]);
                writer.code.routines.push(start);
                writer.routine_of[number] = Some(routine);
            }
        }
        writer
    }

    /// Writes an expression.
    pub(super) fn add(&mut self, id: ExpressionId) -> Entry {
        let entry = Entry(self.place());
        self.write(vec![Task::Op(Op::Done), Task::Expression(id)]);
        entry
    }

    /// The code.
    pub(super) fn finish(self) -> Code {
        self.code
    }

    fn place(&self) -> u32 {
        u32::try_from(self.code.ops.len())
            .expect("code is linear in the expressions, which have ids of 32 bits")
    }

    /// Whether the code of an expression is a single instruction.
    fn is_short(&self, id: ExpressionId) -> bool {
        let it = self.program.expression(id);
        matches!(it, Expression::Constant(_) | Expression::Slot(_)) || self.as_slot_is(it).is_some()
    }

    fn as_slot_is(&self, it: Expression) -> Option<Op> {
        let (slot, value) = slot_is(self.program, it)?;
        Some(Op::SlotIs(slot, i32::try_from(value).ok()?))
    }

    /// Works off the tasks, the last one first.
    fn write(&mut self, mut tasks: Vec<Task>) {
        while let Some(task) = tasks.pop() {
            match task {
                Task::Expression(id) => match self.routine_of[id.index()] {
                    Some(routine) => self.code.ops.push(Op::Call(routine)),
                    None => self.body(id, &mut tasks),
                },
                Task::Body(id) => self.body(id, &mut tasks),
                Task::Op(op) => self.code.ops.push(op),
                Task::Open(op) => {
                    self.open.push(self.code.ops.len());
                    self.code.ops.push(op);
                }
                Task::Else => {
                    let jump = self.code.ops.len();
                    self.code.ops.push(Op::Jump(0));
                    self.close();
                    self.open.push(jump);
                }
                Task::Close => self.close(),
            }
        }
    }

    /// Makes the current place the target of the last open jump.
    fn close(&mut self) {
        let here = self.place();
        let jump = self.open.pop().expect("a jump was opened");
        match &mut self.code.ops[jump] {
            Op::AndThen(target) | Op::OrElse(target) | Op::Branch(target) | Op::Jump(target) => {
                *target = here;
            }
            op => unreachable!("{op:?} is no jump"),
        }
    }

    /// Adds the tasks for an expression, in reverse order.
    fn body(&mut self, id: ExpressionId, tasks: &mut Vec<Task>) {
        let it = self.program.expression(id);
        if let Some(op) = self.as_slot_is(it) {
            return self.code.ops.push(op);
        }
        match it {
            Expression::Constant(value) => self.code.ops.push(Op::Constant(value)),
            Expression::Slot(slot) => self.code.ops.push(Op::Slot(slot.raw())),
            Expression::Element(array, index) => {
                tasks.extend([Task::Op(Op::Element(array)), Task::Expression(index)]);
            }
            Expression::Unary(operator, operand) => {
                tasks.extend([Task::Op(Op::Unary(operator)), Task::Expression(operand)]);
            }
            Expression::Binary(operator, first, second) => {
                let second = Task::Expression(second);
                match operator {
                    Binary::And => {
                        tasks.extend([Task::Close, Task::Op(Op::Truth), second, Task::Open(Op::AndThen(0))]);
                    }
                    Binary::Or => {
                        tasks.extend([Task::Close, Task::Op(Op::Truth), second, Task::Open(Op::OrElse(0))]);
                    }
                    _ => tasks.extend([Task::Op(Op::Binary(operator)), second]),
                }
                tasks.push(Task::Expression(first));
            }
            Expression::If(condition, then, otherwise) => tasks.extend([
                Task::Close,
                Task::Expression(otherwise),
                Task::Else,
                Task::Expression(then),
                Task::Open(Op::Branch(0)),
                Task::Expression(condition),
            ]),
        }
    }
}

/// The slot and the value, if an expression says that a slot has a value.
pub(super) fn slot_is(program: &Program, it: Expression) -> Option<(u32, i64)> {
    let Expression::Binary(Binary::Equal, first, second) = it else { return None };
    match (program.expression(first), program.expression(second)) {
        (Expression::Slot(slot), Expression::Constant(value))
        | (Expression::Constant(value), Expression::Slot(slot)) => Some((slot.raw(), value)),
        _ => None,
    }
}

/// For each expression, whether it is certainly defined in every state. It may be so even if the answer is no.
pub(super) fn always_defined(program: &Program) -> Vec<bool> {
    let mut defined: Vec<bool> = Vec::new();
    // For each expression, a bound of its absolute value, if a bound of at most 62 bits is known.
    let mut bounds: Vec<Option<i64>> = Vec::new();
    for it in program.expressions() {
        let bound = |id: ExpressionId| bounds[id.index()];
        let both = |first, second, join: fn(i64, i64) -> Option<i64>| join(bound(first)?, bound(second)?);
        let small = match *it {
            Expression::Constant(value) => value.checked_abs(),
            Expression::Slot(slot) => {
                let (low, high) = program.slots()[slot.index()].values.bounds();
                Some(i64::from(low).abs().max(i64::from(high).abs()))
            }
            Expression::Element(..) => Some(1 << 31),
            Expression::Unary(Unary::Not, _) => Some(1),
            Expression::Unary(Unary::Negate, operand) => bound(operand),
            Expression::Binary(operator, first, second) => match operator {
                Binary::Add | Binary::Subtract => both(first, second, i64::checked_add),
                Binary::Multiply => both(first, second, i64::checked_mul),
                Binary::Divide => bound(first),
                Binary::Remainder | Binary::Modulo => bound(second),
                _ => Some(1),
            },
            Expression::If(_, then, otherwise) => both(then, otherwise, |one, other| Some(one.max(other))),
        };
        let small = small.filter(|&bound| bound < 1 << 62);
        let is_division = matches!(
            it,
            Expression::Binary(Binary::Divide | Binary::Remainder | Binary::Modulo, _, divisor)
                if !matches!(program.expression(*divisor), Expression::Constant(value) if value != 0)
        );
        let is_own = small.is_some() && !is_division && !matches!(it, Expression::Element(..));
        defined.push(is_own && it.operands().all(|operand| defined[operand.index()]));
        bounds.push(small);
    }
    defined
}
