//! Calls of entries, accept and select statements.

use rely_base::Id;

use super::compile::{Compiler, Return};
use super::expressions::whole;
use super::{Callee, Choice, ChoiceKind, Otherwise, Pure, Step};
use crate::hir::{Actual, AlternativeKind, EntryCall, Form, Mode, Select, Stmt, VariableId};

/// An argument of a call, after everything has been read that it needs.
pub(super) struct Argument {
    /// The value that is given.
    pub(super) value: Option<Pure>,
    /// What gets a value, with the index of an element.
    pub(super) target: Option<(VariableId, Option<Pure>)>,
}

impl Compiler<'_> {
    /// Arguments from left to right. The index of an element that gets a value is computed before the call.
    pub(super) fn arguments(&mut self, actuals: &[Actual], modes: &[Mode]) -> Vec<Argument> {
        let mut arguments = Vec::new();
        for (actual, mode) in actuals.iter().zip(modes) {
            arguments.push(match actual {
                Actual::In(value) => {
                    let value = self.value(value);
                    Argument { value: Some(self.materialise(value, whole())), target: None }
                }
                Actual::Out(target) => {
                    let index = target.index.as_ref().map(|index| {
                        let value = self.value(index);
                        let Form::Array { index, .. } = self.form(target.variable) else { return value };
                        self.materialise(value, index)
                    });
                    let value = mode.is_in.then(|| {
                        let value = self.read(target.variable, index.clone());
                        self.materialise(value, whole())
                    });
                    Argument { value, target: Some((target.variable, index)) }
                }
            });
        }
        arguments
    }

    /// The value of a variable or element.
    fn read(&mut self, variable: VariableId, index: Option<Pure>) -> Pure {
        let element = self.form(variable).element();
        if self.is_shared(variable) {
            let slot = self.take(1);
            self.emit(Step::Read { variable, index, slot });
            return Pure::Slot(slot, element);
        }
        let base = self.slots[&variable];
        match (self.form(variable), index) {
            (Form::Array { index, element }, Some(at)) => {
                Pure::Element { base, index, at: Box::new(at), element }
            }
            _ => Pure::Slot(base, element),
        }
    }

    pub(super) fn entry_call(&mut self, call: &EntryCall) {
        let prepared = self.prepare(call);
        self.emit(Step::Call {
            callee: prepared.callee.clone(),
            values: prepared.values.clone(),
            otherwise: Otherwise::Wait,
        });
        self.complete(prepared);
    }

    pub(super) fn select_call(
        &mut self,
        call: &EntryCall,
        accepted: &[Stmt],
        otherwise: &[Stmt],
        is_timed: bool,
    ) {
        let height = self.height;
        let prepared = self.prepare(call);
        let at = self.emit(Step::Call {
            callee: prepared.callee.clone(),
            values: prepared.values.clone(),
            otherwise: Otherwise::Wait,
        });
        self.complete(prepared);
        self.height = height;
        self.statements(accepted);
        let end = self.jump();
        let here = self.here();
        if let Step::Call { otherwise, .. } = &mut self.code.steps[at] {
            *otherwise = if is_timed { Otherwise::Timeout(here) } else { Otherwise::Else(here) };
        }
        self.statements(otherwise);
        self.land(end);
    }

    /// Everything that a call needs is computed before it.
    fn prepare(&mut self, call: &EntryCall) -> Prepared {
        let entry = &self.program.entries[call.entry.index()];
        let index = call.index.as_ref().map(|index| {
            let value = self.value(index);
            let subtype = self.program.groups[call.group.index()].index.unwrap_or(whole());
            self.materialise(value, subtype)
        });
        let family = call.family.as_ref().map(|family| {
            let value = self.value(family);
            self.materialise(value, entry.family.unwrap_or(whole()))
        });
        let modes: Vec<Mode> = entry.parameters.iter().map(|&(mode, _)| mode).collect();
        let arguments = self.arguments(&call.actuals, &modes);
        let mut values = Vec::new();
        let mut targets = Vec::new();
        for (argument, &(_, subtype)) in arguments.into_iter().zip(&entry.parameters) {
            if let Some(value) = argument.value {
                values.push(self.materialise(value, subtype));
            }
            targets.extend(argument.target.map(|(variable, index)| (variable, index, subtype)));
        }
        let callee = Callee { group: call.group, index, entry: call.entry, family };
        Prepared { callee, values, targets, has_end: entry.has_end }
    }

    /// The end of the rendezvous, where it has one, and what it brings.
    fn complete(&mut self, prepared: Prepared) {
        if !prepared.has_end {
            return;
        }
        let first = self.take(prepared.targets.len());
        let slots: Vec<usize> = (first..self.height).collect();
        self.emit(Step::Await { callee: prepared.callee, slots: slots.clone() });
        for (slot, (variable, index, subtype)) in slots.into_iter().zip(prepared.targets) {
            self.assign(variable, index, Pure::Slot(slot, subtype));
        }
    }

    pub(super) fn select(&mut self, select: &Select) {
        let mark = self.height;
        let mut choices = Vec::new();
        for alternative in &select.alternatives {
            self.span = alternative.span;
            let boolean = |ty| crate::hir::Subtype { base: ty, low: 0, high: 1 };
            let guard = alternative.guard.as_ref().map(|guard| {
                let value = self.value(guard);
                self.materialise(value, boolean(guard.ty))
            });
            let kind = match &alternative.kind {
                AlternativeKind::Accept(accept) => {
                    let declared = self.program.entries[accept.entry.index()].family;
                    let family = accept.family.as_ref().map(|family| {
                        let value = self.value(family);
                        self.materialise(value, declared.unwrap_or(whole()))
                    });
                    ChoiceKind::Accept { entry: accept.entry, family, mark }
                }
                AlternativeKind::Delay => ChoiceKind::Delay,
                AlternativeKind::Terminate => ChoiceKind::Terminate,
            };
            choices.push(Choice { guard, kind, target: 0, span: alternative.span });
        }
        let at = self.emit(Step::Select { choices, otherwise: None });
        self.height = mark;
        let mut ends = Vec::new();
        for (number, alternative) in select.alternatives.iter().enumerate() {
            let here = self.here();
            if let Step::Select { choices, .. } = &mut self.code.steps[at] {
                choices[number].target = here;
            }
            if let AlternativeKind::Accept(accept) = &alternative.kind {
                self.span = alternative.span;
                self.accept_body(accept);
            }
            self.height = mark;
            self.statements(&alternative.body);
            ends.push(self.jump());
        }
        if let Some(body) = &select.otherwise {
            let here = self.here();
            if let Step::Select { otherwise, .. } = &mut self.code.steps[at] {
                *otherwise = Some(here);
            }
            self.statements(body);
        }
        ends.into_iter().for_each(|end| self.land(end));
    }

    /// What is done between begin and end of a rendezvous, if it has an end.
    fn accept_body(&mut self, accept: &crate::hir::Accept) {
        let program = self.program;
        let entry = &program.entries[accept.entry.index()];
        if !entry.has_end {
            return;
        }
        let caller = self.take(1);
        let family = self.take(1);
        let first = self.take(accept.parameters.len());
        for (at, &parameter) in accept.parameters.iter().enumerate() {
            self.slots.insert(parameter, first + at);
        }
        let height = self.height;
        self.returns.push(Return { result: None, jumps: Vec::new() });
        self.statements(&accept.body);
        self.height = height;
        self.land_returns();
        self.span = accept.end;
        let mut values = Vec::new();
        for (at, &(mode, subtype)) in entry.parameters.iter().enumerate() {
            if mode.is_out {
                let value = Pure::Slot(first + at, subtype);
                values.push(self.materialise(value, subtype));
            }
        }
        self.emit(Step::Finish { caller, entry: accept.entry, family, values });
    }
}

/// A call for which everything has been computed.
struct Prepared {
    callee: Callee,
    values: Vec<Pure>,
    /// What gets the values that come back, and which values these may be.
    targets: Vec<(VariableId, Option<Pure>, crate::hir::Subtype)>,
    has_end: bool,
}
