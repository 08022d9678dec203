//! Calls of subprograms and entries, with their arguments.

use std::borrow::Cow;
use std::sync::Arc;

use rely_base::{Id, Span};

use super::scope::Entity;
use super::{Place, Resolver, UNKNOWN};
use crate::ast::{Argument, Ident, Name, NamePart};
use crate::codes;
use crate::hir::{
    self, Actual, EntryCall, EntryId, Expr, Form, GroupId, Mode, Role, StmtKind, SubprogramId, Subtype,
    Target,
};

/// The procedures of `Ada.Text_IO` that are passed over.
const OUTPUT: &[&str] = &["put", "put_line", "new_line", "flush", "set_col"];

impl Resolver<'_> {
    /// A call as a statement: of a procedure, an entry, or of something that prints.
    pub(super) fn call(&mut self, name: &Name) -> Option<StmtKind> {
        if self.is_output(name) {
            return Some(StmtKind::Null);
        }
        let name = &*self.without_packages(name);
        if name.parts.len() > 1 {
            return self.entry_call(name).map(StmtKind::EntryCall);
        }
        let part = &name.parts[0];
        if let Some(entry) = self.own_entry(&part.ident) {
            let text = &self.entries[entry.index()].name.text;
            let message = format!("the task calls its own entry `{text}`, and waits for itself for ever");
            self.error_with_help(codes::SELF_CALL, name.span, message, format!("write `accept {text};`"));
            return None;
        }
        match self.lookup(&part.ident)? {
            Entity::Subprogram(subprogram) => {
                let callee = &self.subprograms[subprogram.index()];
                if callee.result.is_some() {
                    let message = format!("`{}` is a function: its result has to be used", part.ident.text);
                    self.error(codes::WRONG_KIND, name.span, message);
                    return None;
                }
                let actuals = self.subprogram_arguments(part, subprogram, name.span)?;
                Some(StmtKind::Call(subprogram, actuals))
            }
            other => {
                self.wrong_kind(&part.ident, other, "a procedure");
                None
            }
        }
    }

    /// Whether this prints something.
    fn is_output(&self, name: &Name) -> bool {
        let Some((last, before)) = name.parts.split_last() else { return false };
        let is_known = OUTPUT.contains(&&*last.ident.text);
        let path: Vec<&str> = before.iter().map(|part| &*part.ident.text).collect();
        let is_with = self.context.iter().any(|(unit, _)| &**unit == "ada.text_io");
        let is_used = self.context.iter().any(|(unit, is_use)| *is_use && &**unit == "ada.text_io");
        match &path[..] {
            [] => is_known && (is_used || is_with) && self.scopes.get(&last.ident.text).is_none(),
            ["ada", "text_io"] | ["text_io"] => is_known && is_with,
            _ => false,
        }
    }

    /// A name in which packages and what they declare are one part, as in `Store.Full`.
    pub(super) fn without_packages<'n>(&self, name: &'n Name) -> Cow<'n, Name> {
        let mut parts = name.parts.iter();
        let Some(mut first) = parts.next().cloned() else { return Cow::Borrowed(name) };
        while first.arguments.is_empty()
            && matches!(self.scopes.get(&first.ident.text), Some(Entity::Package(_)))
            && let Some(next) = parts.next()
        {
            let text = format!("{}.{}", first.ident.text, next.ident.text).into();
            let ident = Ident { text, span: first.ident.span.to(next.ident.span) };
            first = NamePart { ident, arguments: next.arguments.clone() };
        }
        if parts.len() + 1 == name.parts.len() {
            return Cow::Borrowed(name);
        }
        Cow::Owned(Name { parts: [first].into_iter().chain(parts.cloned()).collect(), span: name.span })
    }

    fn own_entry(&self, name: &Ident) -> Option<EntryId> {
        let (Place::Task(unit) | Place::Accept(unit)) = self.place else { return None };
        self.entry_of(unit, name)
    }

    /// The entry of a kind of tasks with a name.
    pub(super) fn entry_of(&self, unit: hir::UnitId, name: &Ident) -> Option<EntryId> {
        let entries = &self.units[unit.index()].entries;
        entries.iter().copied().find(|entry| self.entries[entry.index()].name.text == name.text)
    }

    /// `T.E`, `T (I).E (F) (arguments)`.
    pub(super) fn entry_call(&mut self, name: &Name) -> Option<EntryCall> {
        let [task, entry] = &name.parts[..] else {
            self.outside(name.span, "a name with dots", "call an entry as `Task.Entry`");
            return None;
        };
        let group = match self.lookup(&task.ident)? {
            Entity::Group(group) => group,
            other => {
                self.wrong_kind(&task.ident, other, "a task");
                return None;
            }
        };
        let index = self.task_index(task, group)?;
        let unit = self.groups[group.index()].unit;
        let Some(id) = self.entry_of(unit, &entry.ident) else {
            self.no_such_entry(unit, task, &entry.ident);
            return None;
        };
        self.called.entry(id).or_insert(name.span);
        let (family, actuals) = self.entry_arguments(entry, id, name.span)?;
        Some(EntryCall { group, index, entry: id, family, actuals, span: name.span })
    }

    fn no_such_entry(&mut self, unit: hir::UnitId, task: &NamePart, entry: &Ident) {
        let entries = self.units[unit.index()].entries.iter();
        let known: Vec<Arc<str>> =
            entries.map(|entry| Arc::clone(&self.entries[entry.index()].name.text)).collect();
        let message = format!("the task `{}` has no entry `{}`", task.ident.text, entry.text);
        let help = match rely_syntax::nearest(&entry.text, known.iter().map(|name| &**name)) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if known.is_empty() => "it has no entries".to_owned(),
            None => format!("its entries are {}", known.join(", ")),
        };
        self.error_with_help(codes::UNDEFINED, entry.span, message, help);
    }

    /// The index of a task in an array of tasks.
    #[allow(clippy::option_option, reason = "no index is not the same as a mistake")]
    fn task_index(&mut self, task: &NamePart, group: GroupId) -> Option<Option<Expr>> {
        match (self.groups[group.index()].index, &task.arguments[..]) {
            (None, []) => Some(None),
            (Some(index), [arguments]) => self.single_index(&task.ident, arguments, index).map(Some),
            (None, _) => {
                let message = format!("`{}` is a single task, not an array", task.ident.text);
                self.error(codes::ARGUMENTS, task.ident.span, message);
                None
            }
            (Some(_), _) => {
                let message =
                    format!("`{}` is an array of tasks, and one of them is needed", task.ident.text);
                self.error_with_help(
                    codes::ARGUMENTS,
                    task.ident.span,
                    message,
                    "write its index: `T (1).E`",
                );
                None
            }
        }
    }

    fn entry_arguments(
        &mut self,
        part: &NamePart,
        entry: EntryId,
        span: Span,
    ) -> Option<(Option<Expr>, Vec<Actual>)> {
        let declared = &self.entries[entry.index()];
        let family = declared.family;
        let parameters = declared.parameters.clone();
        let names = self.formals[entry.index()].clone();
        let (index, rest) = match (family, part.arguments.split_first()) {
            (None, _) => (None, &part.arguments[..]),
            (Some(family), Some((first, rest))) => {
                (Some(self.single_index(&part.ident, first, family)?), rest)
            }
            (Some(_), None) => {
                let message =
                    format!("`{}` is a family of entries, and one of them is needed", part.ident.text);
                self.error_with_help(codes::ARGUMENTS, span, message, "write its index: `T.E (1)`");
                return None;
            }
        };
        let formals: Vec<(Arc<str>, Mode, Subtype)> =
            names.into_iter().zip(parameters).map(|(name, (mode, subtype))| (name, mode, subtype)).collect();
        let actuals = self.actuals(&part.ident, rest, &formals, span)?;
        Some((index, actuals))
    }

    pub(super) fn subprogram_arguments(
        &mut self,
        part: &NamePart,
        subprogram: SubprogramId,
        span: Span,
    ) -> Option<Vec<Actual>> {
        if let Place::Subprogram(caller, _) = self.place {
            self.uses.push((caller, subprogram, span));
        }
        let parameters = self.subprograms[subprogram.index()].parameters.clone();
        let formals: Vec<(Arc<str>, Mode, Subtype)> = parameters
            .iter()
            .map(|parameter| {
                let variable = &self.variables[parameter.variable.index()];
                (Arc::clone(&variable.name.text), parameter.mode, variable.form.element())
            })
            .collect();
        self.actuals(&part.ident, &part.arguments, &formals, span)
    }

    /// The arguments in the order of the parameters.
    fn actuals(
        &mut self,
        callee: &Ident,
        lists: &[Vec<Argument>],
        formals: &[(Arc<str>, Mode, Subtype)],
        span: Span,
    ) -> Option<Vec<Actual>> {
        let arguments: &[Argument] = match lists {
            [] => &[],
            [arguments] => arguments,
            _ => {
                let message = format!("`{}` has too many lists of arguments", callee.text);
                self.error(codes::ARGUMENTS, span, message);
                return None;
            }
        };
        if arguments.len() != formals.len() {
            let count = |n: usize| format!("{n} argument{}", if n == 1 { "" } else { "s" });
            let message = format!(
                "`{}` needs {}, and {} given",
                callee.text,
                count(formals.len()),
                are(arguments.len())
            );
            self.error(codes::ARGUMENTS, span, message);
            return None;
        }
        let mut ordered: Vec<Option<&Argument>> = vec![None; formals.len()];
        for (position, argument) in arguments.iter().enumerate() {
            let at = match &argument.name {
                None => Some(position),
                Some(name) => formals.iter().position(|(formal, ..)| *formal == name.text),
            };
            match at.and_then(|at| ordered.get_mut(at)) {
                Some(free @ None) => *free = Some(argument),
                _ => {
                    let span = argument.name.as_ref().map_or(argument.value.span, |name| name.span);
                    let message = format!("`{}` has no such parameter left", callee.text);
                    self.error(codes::ARGUMENTS, span, message);
                    return None;
                }
            }
        }
        let mut actuals = Vec::new();
        for (argument, &(_, mode, subtype)) in ordered.into_iter().flatten().zip(formals) {
            actuals.push(self.actual(argument, mode, subtype)?);
        }
        Some(actuals)
    }

    fn actual(&mut self, argument: &Argument, mode: Mode, subtype: Subtype) -> Option<Actual> {
        if !mode.is_out {
            let value = self.value_for(&argument.value, subtype);
            return (value.ty != UNKNOWN).then_some(Actual::In(value));
        }
        let crate::ast::ExprKind::Name(name) = &argument.value.kind else {
            self.error(
                codes::ARGUMENTS,
                argument.value.span,
                "a parameter of mode `out` needs a variable, not a value",
            );
            return None;
        };
        let target = self.target(name)?;
        let found = self.variables[target.variable.index()].form.element().base;
        if self.unified(found, subtype.base).is_none() {
            self.mismatch(argument.value.span, found, subtype.base);
            return None;
        }
        Some(Actual::Out(target))
    }

    /// What is assigned: a variable or an element of an array.
    pub(super) fn target(&mut self, name: &Name) -> Option<Target> {
        let name = &*self.without_packages(name);
        let [part] = &name.parts[..] else {
            self.selected(name);
            return None;
        };
        let variable = match self.lookup(&part.ident)? {
            Entity::Variable(variable) => variable,
            Entity::Constant(..) => {
                self.error(codes::NOT_ASSIGNABLE, name.span, format!("`{}` is a constant", part.ident.text));
                return None;
            }
            other => {
                self.wrong_kind(&part.ident, other, "a variable");
                return None;
            }
        };
        self.assignable(variable, name.span)?;
        let index = match (self.variables[variable.index()].form, &part.arguments[..]) {
            (Form::Scalar(_), []) => None,
            (Form::Array { index, .. }, [arguments]) => {
                Some(self.single_index(&part.ident, arguments, index)?)
            }
            (Form::Array { .. }, _) => {
                let message = format!("`{}` is an array, and one of its elements is needed", part.ident.text);
                self.error(codes::TYPE, name.span, message);
                return None;
            }
            (Form::Scalar(_), _) => {
                self.error(codes::ARGUMENTS, name.span, format!("`{}` is no array", part.ident.text));
                return None;
            }
        };
        Some(Target { variable, index, span: name.span })
    }

    pub(super) fn assignable(&mut self, variable: hir::VariableId, span: Span) -> Option<()> {
        let role = self.variables[variable.index()].role;
        let is_constant = self.constant_arrays.contains(&variable);
        if is_constant || matches!(role, Role::Fixed | Role::Discriminant) {
            let name = &self.variables[variable.index()].name.text;
            let what = match role {
                Role::Discriminant => "a discriminant",
                Role::Shared => "a constant",
                _ => "a constant, a loop parameter or a parameter of mode `in`",
            };
            let message = format!("`{name}` is {what}, which cannot be assigned");
            self.error_with_help(codes::NOT_ASSIGNABLE, span, message, "declare a variable of your own");
            return None;
        }
        Some(())
    }

    /// The call of a function.
    pub(super) fn function_call(&mut self, name: &Name, function: SubprogramId) -> Option<Expr> {
        let Some(result) = self.subprograms[function.index()].result else {
            let message = format!("`{}` is a procedure, which has no result", name.parts[0].ident.text);
            self.error(codes::WRONG_KIND, name.span, message);
            return None;
        };
        let actuals = self.subprogram_arguments(&name.parts[0], function, name.span)?;
        let mut values = Vec::new();
        for actual in actuals {
            match actual {
                Actual::In(value) => values.push(value),
                Actual::Out(target) => {
                    self.outside(target.span, "a function that changes its arguments", "use a procedure");
                    return None;
                }
            }
        }
        Some(Expr { kind: hir::ExprKind::Call(function, values), ty: result.base, span: name.span })
    }
}

fn are(count: usize) -> String {
    if count == 1 { "1 is".to_owned() } else { format!("{count} are") }
}
