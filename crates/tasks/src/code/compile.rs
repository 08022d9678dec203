//! From the body of a task to instructions.

use rely_base::{Id, Span};
use rustc_hash::FxHashMap;

use super::{Code, Pc, Pure, Slot, Step};
use crate::hir::{Fault, Form, GroupId, Initial, LoopId, Program, Role, Subtype, VariableId};

/// The most instructions of a task: subprograms that call subprograms grow quickly when they are put in place.
const MAX_STEPS: usize = 1 << 20;

/// How many statements may be inside of one another, those of subprograms that are put in place included.
const MAX_NESTED: usize = 400;

/// The instructions of the tasks of a group. They are the same for all tasks of an array.
pub(crate) fn compile(program: &Program, group: GroupId) -> Code {
    let group = &program.groups[group.index()];
    let unit = &program.units[group.unit.index()];
    let mut compiler = Compiler {
        program,
        code: Code::default(),
        height: 0,
        slots: FxHashMap::default(),
        discriminants: unit.discriminants.iter().copied().zip(group.discriminants.iter().copied()).collect(),
        exits: Vec::new(),
        returns: Vec::new(),
        nested: 0,
        span: unit.name.span,
    };
    // The main procedure may be left by `return`, a task may not.
    compiler.returns.push(Return { result: None, jumps: Vec::new() });
    compiler.declare(&unit.locals);
    compiler.statements(&unit.body);
    compiler.land_returns();
    compiler.height = 0;
    compiler.span = unit.end;
    compiler.emit(Step::End);
    compiler.code
}

pub(super) struct Compiler<'p> {
    pub(super) program: &'p Program,
    pub(super) code: Code,
    /// How many slots are taken.
    pub(super) height: usize,
    /// The first slot of each variable that is alive.
    pub(super) slots: FxHashMap<VariableId, usize>,
    pub(super) discriminants: FxHashMap<VariableId, i64>,
    /// The loops around, with the jumps that leave them.
    pub(super) exits: Vec<(LoopId, Vec<Pc>)>,
    /// What `return` leaves, innermost last.
    pub(super) returns: Vec<Return>,
    /// How many lists of statements are open.
    pub(super) nested: usize,
    /// The place of the statement that is being compiled.
    pub(super) span: Span,
}

/// What `return` leaves: a subprogram, an accept statement or the main procedure.
pub(super) struct Return {
    /// The slot of the result of a function, and its values.
    pub(super) result: Option<(usize, Subtype)>,
    /// The jumps to its end.
    pub(super) jumps: Vec<Pc>,
}

impl Compiler<'_> {
    pub(super) fn emit(&mut self, step: Step) -> Pc {
        self.code.steps.push(step);
        self.code.spans.push(self.span);
        self.code.heights.push(self.height);
        self.here() - 1
    }

    /// Opens a list of statements, unless there is too much already. Every success needs an end.
    pub(super) fn enter(&mut self) -> bool {
        if self.nested >= MAX_NESTED || self.code.steps.len() >= MAX_STEPS {
            self.code.is_too_large = true;
            return false;
        }
        self.nested += 1;
        true
    }

    /// Where the next instruction will be.
    pub(super) fn here(&self) -> Pc {
        self.code.steps.len()
    }

    /// A jump whose goal is not known yet.
    pub(super) fn jump(&mut self) -> Pc {
        self.emit(Step::Jump(0))
    }

    /// The goal of a jump or branch is here.
    pub(super) fn land(&mut self, at: Pc) {
        let here = self.here();
        match &mut self.code.steps[at] {
            Step::Jump(goal) | Step::Unless(_, goal) => *goal = here,
            other => unreachable!("{other:?} has no goal"),
        }
    }

    /// All jumps of the innermost thing that `return` leaves end here.
    pub(super) fn land_returns(&mut self) {
        for jump in self.returns.pop().map(|left| left.jumps).unwrap_or_default() {
            self.land(jump);
        }
    }

    /// Takes slots.
    pub(super) fn take(&mut self, count: usize) -> usize {
        let first = self.height;
        self.height += count;
        first
    }

    /// A slot for an intermediate value.
    pub(super) fn materialise(&mut self, value: Pure, subtype: Subtype) -> Pure {
        if let Pure::Literal(known) = value
            && subtype.contains(known)
        {
            return value;
        }
        let slot = self.take(1);
        self.emit(Step::Set(Slot::At(slot), value, subtype));
        Pure::Slot(slot, subtype)
    }

    pub(super) fn form(&self, variable: VariableId) -> Form {
        self.program.variables[variable.index()].form
    }

    pub(super) fn is_shared(&self, variable: VariableId) -> bool {
        self.program.variables[variable.index()].role == Role::Shared
    }

    /// Gives variables slots and initial values, in order.
    pub(super) fn declare(&mut self, variables: &[VariableId]) {
        for &variable in variables {
            let declared = &self.program.variables[variable.index()];
            self.span = declared.name.span;
            let values = declared.initial.as_ref().map(|initial| self.initial_values(initial));
            // Intermediate values of the initial value stay below: they are few, and forgotten with the variable.
            let slot = self.take(declared.form.len());
            self.slots.insert(variable, slot);
            let element = declared.form.element();
            if values.is_none() {
                self.emit(Step::Unset(slot, declared.form.len()));
            }
            for (at, value) in values.into_iter().flatten().enumerate() {
                self.emit(Step::Set(Slot::At(slot + at), value, element));
            }
        }
    }

    /// The values that are assigned to a variable or to all elements of an array.
    pub(super) fn initial_values(&mut self, initial: &Initial) -> Vec<Pure> {
        match initial {
            Initial::Scalar(value) => vec![self.value(value)],
            Initial::Array(values) => self.values(values.iter()),
            &Initial::Copy(source) => {
                let form = self.form(source);
                (0..form.len()).map(|at| self.element_value(source, at)).collect()
            }
        }
    }

    /// The value of an element whose position is known.
    fn element_value(&mut self, variable: VariableId, at: usize) -> Pure {
        let element = self.form(variable).element();
        if !self.is_shared(variable) {
            return Pure::Slot(self.slots[&variable] + at, element);
        }
        let index = match self.form(variable) {
            Form::Array { index, .. } => Some(Pure::Literal(index.low + i64::try_from(at).unwrap_or(0))),
            Form::Scalar(_) => None,
        };
        let slot = self.take(1);
        self.emit(Step::Read { variable, index, slot });
        Pure::Slot(slot, element)
    }

    pub(super) fn raise(&mut self, fault: Fault) {
        self.emit(Step::Raise(fault));
    }
}
