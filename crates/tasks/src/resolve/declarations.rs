//! Declarations: objects, tasks, subprograms, and names in general.

use std::sync::Arc;

use rely_base::{Diagnostic, Id, Span};
use rely_syntax::nearest;

use super::scope::Entity;
use super::types::Used;
use super::{Place, Resolver, UNIVERSAL, UNKNOWN};
use crate::ast::{self, Declaration, Ident, Object, Parameter, TaskBody, TaskSpec};
use crate::codes;
use crate::hir::{
    self, Entry, EntryId, Form, Group, GroupId, Mode, Role, Subprogram, SubprogramId, Subtype, Unit, UnitId,
    Variable, VariableId,
};

impl Resolver<'_> {
    /// Reads declarations, and gives the local variables among them, in order.
    pub(super) fn declarations(&mut self, declarations: &[Declaration]) -> Vec<VariableId> {
        // The declarative part of the main procedure or of a package itself, and not that of a block inside.
        let is_outermost = self.scopes.depth() == self.shared_depth;
        let mut locals = Vec::new();
        for declaration in declarations {
            match declaration {
                Declaration::Object(object) => self.object(object, is_outermost, &mut locals),
                Declaration::Type(declaration) => self.type_declaration(declaration),
                Declaration::Task(spec) if is_outermost => self.task(spec),
                Declaration::TaskBody(body) if is_outermost => self.task_body(body),
                Declaration::Task(TaskSpec { name, .. }) => {
                    self.outside(
                        name.span,
                        "a task inside of another unit",
                        "declare it in the main procedure or in a package",
                    );
                    self.declare(name, Entity::Unknown);
                }
                Declaration::Package(package) if is_outermost => self.package(package),
                Declaration::Package(package) => {
                    self.outside(
                        package.name.span,
                        "a package inside of a task, subprogram or block",
                        "declare it in the main procedure or beside it",
                    );
                    self.declare(&package.name, Entity::Unknown);
                }
                // The task itself has been refused, or is not known.
                Declaration::TaskBody(_) => {}
                Declaration::Use(name) => self.use_clause(name),
                Declaration::Subprogram(subprogram) => self.subprogram(subprogram),
                Declaration::Atomic(name) => {
                    if let Some(Entity::Variable(variable)) = self.scopes.get(&name.text) {
                        self.atomic.insert(variable);
                    }
                }
            }
        }
        locals
    }

    // Names.

    pub(super) fn declare(&mut self, name: &Ident, entity: Entity) {
        if let Some(before) = self.scopes.declare(Arc::clone(&name.text), name.span, entity) {
            self.declared_twice(name, before);
        }
    }

    pub(super) fn declared_twice(&mut self, name: &Ident, before: Span) {
        let message = format!("`{}` is declared twice", name.text);
        let diagnostic = Diagnostic::error(codes::DUPLICATE, name.span, message)
            .with_note(before, "the first declaration is here")
            .with_help("give one of them another name");
        self.report(diagnostic);
    }

    /// What a name stands for, or a complaint.
    pub(super) fn lookup(&mut self, name: &Ident) -> Option<Entity> {
        let entity = self.scopes.get(&name.text);
        if entity.is_none() {
            self.undefined(name, "is not declared");
        }
        entity
    }

    pub(super) fn undefined(&mut self, name: &Ident, what: &str) {
        let mut diagnostic =
            Diagnostic::error(codes::UNDEFINED, name.span, format!("`{}` {what}", name.text));
        if let Some(meant) = nearest(&name.text, self.scopes.names()) {
            diagnostic = diagnostic.did_you_mean(meant);
        }
        self.report(diagnostic);
    }

    pub(super) fn wrong_kind(&mut self, name: &Ident, entity: Entity, wanted: &str) {
        match entity {
            Entity::Unknown => {}
            Entity::Outside(advice) => self.outside(name.span, &format!("`{}`", name.text), advice),
            _ => {
                let message = format!("`{}` is {}, not {wanted}", name.text, entity.describe());
                self.error(codes::WRONG_KIND, name.span, message);
            }
        }
    }

    // Objects.

    fn object(&mut self, object: &Object, is_shared: bool, locals: &mut Vec<VariableId>) {
        let used = object.subtype.as_ref().map(|subtype| self.type_use(subtype));
        let declare_unknown = |resolver: &mut Self| {
            for name in &object.names {
                resolver.declare(name, Entity::Unknown);
            }
        };
        match used {
            None => self.named_number(object),
            Some(Used::Unknown) => {
                // The value may have mistakes of its own.
                if let Some(value) = &object.value
                    && !matches!(value.kind, ast::ExprKind::Aggregate(_))
                {
                    self.expr(value);
                }
                declare_unknown(self);
            }
            Some(Used::Task { unit, index, discriminants }) => {
                if !is_shared {
                    let span = object.names[0].span;
                    let advice = "declare it in the main procedure or in a package";
                    self.outside(span, "a task inside of another unit", advice);
                    return declare_unknown(self);
                }
                for name in &object.names {
                    self.group(name, unit, index, discriminants.clone());
                }
            }
            Some(Used::Form(form)) => {
                for name in &object.names {
                    self.variable(object, name, form, is_shared, locals);
                }
            }
        }
    }

    fn named_number(&mut self, object: &Object) {
        let value = object.value.as_ref().map(|value| self.expr(value));
        let known = value.as_ref().and_then(|value| self.known(value).map(|known| (known, value.ty)));
        if let Some((_, ty)) = known
            && !self.is_integer(ty)
        {
            let span = value.as_ref().map_or(object.names[0].span, |value| value.span);
            self.error_with_help(
                codes::TYPE,
                span,
                "a named number is an integer",
                "give the constant a type: `C : constant Boolean := True;`",
            );
        }
        for name in &object.names {
            let entity = known.map_or(Entity::Unknown, |(value, _)| Entity::Constant(value, UNIVERSAL));
            self.declare(name, entity);
        }
    }

    fn variable(
        &mut self,
        object: &Object,
        name: &Ident,
        form: Form,
        is_shared: bool,
        locals: &mut Vec<VariableId>,
    ) {
        self.scopes.hide(&name.text, name.span);
        let initial = object.value.as_ref().and_then(|value| self.initial(value, form));
        self.scopes.unhide(&name.text);
        if object.constant
            && let (Form::Scalar(subtype), Some(hir::Initial::Scalar(value))) = (form, &initial)
            && let hir::ExprKind::Literal(value) = value.kind
        {
            return self.declare(name, Entity::Constant(value, subtype.base));
        }
        if is_shared && let Some(initial) = &initial {
            self.only_known(initial, form.element());
        }
        let role = match (is_shared, object.constant) {
            (true, false) => Role::Shared,
            (false, false) => Role::Local,
            // A constant array of the main procedure never changes, but is read like a variable.
            (true, true) => Role::Shared,
            (false, true) => Role::Fixed,
        };
        let full = if is_shared { self.qualified(name) } else { name.clone() };
        let variable = self.add_variable(Variable { name: full, form, initial, role });
        if object.is_atomic {
            self.atomic.insert(variable);
        }
        if is_shared {
            self.claim_name(name);
            self.shared.push(variable);
            if object.constant {
                self.constant_arrays.insert(variable);
            }
        } else {
            locals.push(variable);
        }
        self.declare(name, Entity::Variable(variable));
    }

    /// The initial values of shared variables are there before anything runs, and are in range.
    fn only_known(&mut self, initial: &hir::Initial, subtype: Subtype) {
        let values = match initial {
            hir::Initial::Scalar(value) => std::slice::from_ref(value),
            hir::Initial::Array(values) => values,
            hir::Initial::Copy(_) => &[],
        };
        for value in values {
            let known = self.known(value);
            if known.is_some_and(|known| !subtype.contains(known)) && value.ty != UNKNOWN {
                // The warning becomes an error: the program would fail before it begins.
                let is_same =
                    |found: &&mut Diagnostic| (found.span, found.code) == (value.span, codes::OUT_OF_RANGE);
                if let Some(found) = self.diagnostics.iter_mut().find(is_same) {
                    found.severity = rely_base::Severity::Error;
                }
            }
        }
    }

    // Tasks.

    fn task(&mut self, spec: &TaskSpec) {
        let unit = UnitId::from_index(self.units.len());
        self.units.push(Unit {
            name: self.qualified(&spec.name),
            discriminants: Vec::new(),
            entries: Vec::new(),
            locals: Vec::new(),
            body: Vec::new(),
            end: spec.name.span,
        });
        let discriminants = spec
            .discriminants
            .iter()
            .filter_map(|discriminant| {
                let subtype = self.scalar(discriminant)?;
                Some(self.add_variable(Variable {
                    name: discriminant.name.clone(),
                    form: Form::Scalar(subtype),
                    initial: None,
                    role: Role::Discriminant,
                }))
            })
            .collect();
        self.units[unit.index()].discriminants = discriminants;
        let mut entries: Vec<EntryId> = Vec::new();
        for entry in &spec.entries {
            if let Some(&before) =
                entries.iter().find(|&&id| self.entries[id.index()].name.text == entry.name.text)
            {
                let message = format!("the entry `{}` is declared twice", entry.name.text);
                let before = self.entries[before.index()].name.span;
                let diagnostic = Diagnostic::error(codes::DUPLICATE, entry.name.span, message)
                    .with_note(before, "the first declaration is here");
                self.report(diagnostic);
                continue;
            }
            let entry = self.entry(entry);
            entries.push(entry);
        }
        self.units[unit.index()].entries = entries;
        if let Some(private) = &spec.private {
            self.protected.insert(unit, private.clone());
        }
        if spec.is_type {
            self.declare(&spec.name, Entity::TaskType(unit));
        } else {
            self.group(&spec.name, unit, None, Vec::new());
        }
    }

    fn group(&mut self, name: &Ident, unit: UnitId, index: Option<Subtype>, discriminants: Vec<i64>) {
        let id = GroupId::from_index(self.groups.len());
        self.groups.push(Group { name: self.qualified(name), unit, index, discriminants });
        self.claim_name(name);
        self.declare(name, Entity::Group(id));
    }

    fn entry(&mut self, entry: &ast::Entry) -> EntryId {
        let family = entry.family.as_ref().and_then(|family| self.static_range(family));
        let family = family.filter(|family| self.is_small(*family, entry.name.span));
        let mut parameters = Vec::new();
        let mut names = Vec::new();
        for parameter in &entry.parameters {
            let subtype = self.scalar(parameter).unwrap_or(self.whole(UNKNOWN));
            parameters.push((mode(parameter), subtype));
            names.push(Arc::clone(&parameter.name.text));
        }
        let has_end = parameters.iter().any(|(mode, _)| mode.is_out);
        let id = EntryId::from_index(self.entries.len());
        self.entries.push(Entry { name: entry.name.clone(), family, parameters, has_end });
        self.formals.push(names);
        id
    }

    /// The type of a parameter or discriminant, which has to be discrete.
    pub(super) fn scalar(&mut self, parameter: &Parameter) -> Option<Subtype> {
        match self.type_use(&parameter.subtype) {
            Used::Form(Form::Scalar(subtype)) => Some(subtype),
            Used::Unknown => None,
            _ => {
                self.outside(
                    parameter.name.span,
                    "a parameter that is an array or a task",
                    "pass the index of an element",
                );
                None
            }
        }
    }

    fn task_body(&mut self, body: &TaskBody) {
        let unit = match self.scopes.get_here(&body.name.text) {
            Some(Entity::TaskType(unit)) => unit,
            Some(Entity::Group(group)) => self.groups[group.index()].unit,
            Some(Entity::Unknown) => return,
            Some(other) => return self.wrong_kind(&body.name, other, "a task"),
            None => return self.undefined(&body.name, "is not declared as a task"),
        };
        if self.units[unit.index()].name.text != self.qualified(&body.name).text {
            return self.wrong_kind(
                &body.name,
                Entity::Group(GroupId::from_raw(0)),
                "a task type or single task",
            );
        }
        if !self.has_body.insert(self.units[unit.index()].name.span) {
            let message = format!("`{}` has two bodies", body.name.text);
            return self.error(codes::DUPLICATE, body.name.span, message);
        }
        if self.protected.contains_key(&unit) != body.is_protected {
            let message = format!("`{}` is a task here, and a protected object there", body.name.text);
            let diagnostic = Diagnostic::error(codes::WRONG_KIND, body.name.span, message)
                .with_note(self.units[unit.index()].name.span, "it is declared here");
            return self.report(diagnostic);
        }
        self.scopes.open();
        for discriminant in self.units[unit.index()].discriminants.clone() {
            let name = self.variables[discriminant.index()].name.clone();
            self.declare(&name, Entity::Variable(discriminant));
        }
        self.scopes.open();
        self.place = Place::Task(unit);
        let mut locals = match self.protected.get(&unit).cloned() {
            Some(private) => self.declarations(&private),
            None => Vec::new(),
        };
        locals.extend(self.declarations(&body.declarations));
        let statements = self.statements(&body.statements);
        self.place = Place::Main;
        self.scopes.close();
        self.scopes.close();
        let unit = &mut self.units[unit.index()];
        (unit.locals, unit.body, unit.end) = (locals, statements, body.end);
    }

    // Subprograms.

    fn subprogram(&mut self, subprogram: &ast::Subprogram) {
        let announced = match self.scopes.get_here(&subprogram.name.text) {
            Some(Entity::Subprogram(id))
                if !self.has_body.contains(&self.subprograms[id.index()].name.span) =>
            {
                Some(id)
            }
            _ => None,
        };
        self.scopes.open();
        let parameters: Vec<hir::Parameter> =
            subprogram.parameters.iter().map(|parameter| self.parameter(parameter)).collect();
        let result = subprogram.result.as_ref().map(|result| match self.type_use(result) {
            Used::Form(Form::Scalar(subtype)) => subtype,
            Used::Unknown => self.whole(UNKNOWN),
            _ => {
                self.outside(subprogram.name.span, "a function with this result", "return a discrete value");
                self.whole(UNKNOWN)
            }
        });
        let id = announced.unwrap_or_else(|| SubprogramId::from_index(self.subprograms.len()));
        if let Some(announced) = announced {
            self.same_profile(announced, &subprogram.name, &parameters, result);
            self.subprograms[announced.index()].parameters.clone_from(&parameters);
        } else {
            self.subprograms.push(Subprogram {
                name: subprogram.name.clone(),
                parameters: parameters.clone(),
                result,
                locals: Vec::new(),
                body: Vec::new(),
            });
            self.scopes.close();
            self.declare(&subprogram.name, Entity::Subprogram(id));
            self.scopes.open();
        }
        if let Some((declarations, statements)) = &subprogram.body {
            self.has_body.insert(self.subprograms[id.index()].name.span);
            for parameter in &parameters {
                let name = self.variables[parameter.variable.index()].name.clone();
                self.declare(&name, Entity::Variable(parameter.variable));
            }
            let outer = std::mem::replace(&mut self.place, Place::Subprogram(id, result));
            let loops = std::mem::take(&mut self.loops);
            let locals = self.declarations(declarations);
            let body = self.statements(statements);
            (self.place, self.loops) = (outer, loops);
            let subprogram = &mut self.subprograms[id.index()];
            (subprogram.locals, subprogram.body) = (locals, body);
        }
        self.scopes.close();
    }

    fn parameter(&mut self, parameter: &Parameter) -> hir::Parameter {
        let subtype = self.scalar(parameter).unwrap_or(self.whole(UNKNOWN));
        let mode = mode(parameter);
        let variable = self.add_variable(Variable {
            name: parameter.name.clone(),
            form: Form::Scalar(subtype),
            initial: None,
            role: if mode.is_out { Role::Local } else { Role::Fixed },
        });
        hir::Parameter { variable, mode }
    }

    /// A body has the parameters that were announced.
    fn same_profile(
        &mut self,
        announced: SubprogramId,
        name: &Ident,
        parameters: &[hir::Parameter],
        result: Option<Subtype>,
    ) {
        let announced = &self.subprograms[announced.index()];
        let form = |parameter: &hir::Parameter| {
            let variable = &self.variables[parameter.variable.index()];
            (Arc::clone(&variable.name.text), variable.form, parameter.mode)
        };
        let is_same = announced.result == result
            && announced.parameters.iter().map(form).eq(parameters.iter().map(form));
        if !is_same {
            let span = announced.name.span;
            let message = format!("the body of `{}` has other parameters than its declaration", name.text);
            let diagnostic = Diagnostic::error(codes::ARGUMENTS, name.span, message)
                .with_note(span, "it is declared here");
            self.report(diagnostic);
        }
    }
}

fn mode(parameter: &Parameter) -> Mode {
    Mode { is_in: parameter.is_in, is_out: parameter.is_out }
}
