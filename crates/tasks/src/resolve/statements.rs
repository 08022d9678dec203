//! Statements.

use std::sync::Arc;

use rely_base::{Diagnostic, Id, Span};

use super::scope::Entity;
use super::{INTEGER, Place, Resolver, UNIVERSAL, UNKNOWN};
use crate::ast::{self, Ident};
use crate::codes;
use crate::hir::{
    Accept, Alternative, AlternativeKind, CaseArm, Expr, ExprKind, Form, LoopId, LoopScheme, Role, Select,
    Stmt, StmtKind, Subtype, TypeKind, UnitId, Variable, VariableId,
};

impl Resolver<'_> {
    pub(super) fn statements(&mut self, statements: &[ast::Stmt]) -> Vec<Stmt> {
        let mut all = Vec::new();
        for statement in statements {
            let kind = self.statement(statement);
            all.extend(kind.map(|kind| Stmt { kind, span: statement.span }));
        }
        all
    }

    fn statement(&mut self, statement: &ast::Stmt) -> Option<StmtKind> {
        let span = statement.span;
        match &statement.kind {
            ast::StmtKind::Null | ast::StmtKind::Delay => Some(StmtKind::Null),
            ast::StmtKind::Assign(name, value) => self.assignment(name, value),
            ast::StmtKind::Call(name) => self.call(name),
            ast::StmtKind::If(arms, otherwise) => {
                let arms = arms
                    .iter()
                    .map(|(condition, body)| (self.condition(condition), self.statements(body)))
                    .collect();
                Some(StmtKind::If(arms, self.statements(otherwise)))
            }
            ast::StmtKind::Case(selector, arms) => self.case(selector, arms, span),
            ast::StmtKind::Loop(it) => self.loop_statement(it),
            ast::StmtKind::Exit(label, condition) => self.exit(label.as_ref(), condition.as_ref(), span),
            ast::StmtKind::Return(value) => self.return_statement(value.as_ref(), span),
            ast::StmtKind::Block(declarations, statements) => {
                self.scopes.open();
                let locals = self.declarations(declarations);
                let body = self.statements(statements);
                self.scopes.close();
                Some(StmtKind::Block(locals, body))
            }
            ast::StmtKind::Accept(accept) => {
                let unit = self.accepting(accept.span)?;
                let kind = AlternativeKind::Accept(self.accept(accept, unit)?);
                let alternative = Alternative { guard: None, kind, body: Vec::new(), span };
                Some(StmtKind::Select(Select { alternatives: vec![alternative], otherwise: None }))
            }
            ast::StmtKind::Select(select) => self.select(select, span),
            ast::StmtKind::Event(name) => self.event(name),
        }
    }

    fn assignment(&mut self, name: &ast::Name, value: &ast::Expr) -> Option<StmtKind> {
        let name = &*self.without_packages(name);
        if let [part] = &name.parts[..]
            && part.arguments.is_empty()
            && let Some(Entity::Variable(variable)) = self.scopes.get(&part.ident.text)
            && let form @ Form::Array { .. } = self.variables[variable.index()].form
        {
            self.assignable(variable, name.span)?;
            return self.initial(value, form).map(|values| StmtKind::AssignArray(variable, values));
        }
        let target = self.target(name);
        let Some(target) = target else {
            // The value may have mistakes of its own.
            if !matches!(value.kind, ast::ExprKind::Aggregate(_)) {
                self.expr(value);
            }
            return None;
        };
        let subtype = self.variables[target.variable.index()].form.element();
        let value = self.value_for(value, subtype);
        Some(StmtKind::Assign(target, value))
    }

    fn event(&mut self, name: &Ident) -> Option<StmtKind> {
        let is_part = |part: &str| {
            let mut letters = part.bytes();
            letters.next().is_some_and(|first| first.is_ascii_lowercase())
                && letters.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
                || !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit())
        };
        let starts_with_letter = name.text.starts_with(|c: char| c.is_ascii_lowercase());
        if !starts_with_letter || !name.text.split('.').all(is_part) {
            self.error_with_help(
                codes::EVENT,
                name.span,
                format!("\"{}\" is no name for an event", name.text),
                "use small letters, digits and `_`, with dots between the parts",
            );
            return None;
        }
        Some(StmtKind::Event(Arc::clone(&name.text)))
    }

    // Case.

    fn case(&mut self, selector: &ast::Expr, arms: &[ast::CaseArm], span: Span) -> Option<StmtKind> {
        let value = self.expr(selector);
        let bounds = self.bounds_of(&value);
        let mut seen: Vec<(i64, i64)> = Vec::new();
        let mut resolved = Vec::new();
        for (position, arm) in arms.iter().enumerate() {
            let ranges = match &arm.choices {
                None if position + 1 < arms.len() => {
                    self.error(codes::CHOICES, arm.span, "`others` is the last choice");
                    Vec::new()
                }
                None => gaps(&seen, self.whole(value.ty)),
                Some(choices) => self.choices(choices, &value, arm.span, &mut seen),
            };
            if arm.choices.is_none() {
                seen.extend(&ranges);
            }
            resolved.push(CaseArm { ranges, body: self.statements(&arm.statements) });
        }
        let missing = gaps(&seen, bounds);
        if value.ty != UNKNOWN
            && let Some(&(low, _)) = missing.first()
        {
            let message = format!("no choice covers the value {}", self.shown(value.ty, low));
            self.error_with_help(codes::CHOICES, span, message, "add `when others => null;`");
        }
        (value.ty != UNKNOWN).then_some(StmtKind::Case(value, resolved))
    }

    fn choices(
        &mut self,
        choices: &[ast::DiscreteRange],
        value: &Expr,
        span: Span,
        seen: &mut Vec<(i64, i64)>,
    ) -> Vec<(i64, i64)> {
        let mut ranges = Vec::new();
        for choice in choices {
            let Some(range) = self.static_range(choice) else {
                // Whatever it covers, nothing is to be said about what is missing.
                seen.push((i64::MIN, i64::MAX));
                continue;
            };
            let is_literal = range.base == INTEGER && self.is_integer(value.ty);
            if !is_literal && self.unified(range.base, value.ty).is_none() {
                self.mismatch(span, range.base, value.ty);
                continue;
            }
            if seen.iter().any(|&(low, high)| low <= range.high && range.low <= high)
                && range.low <= range.high
            {
                let message = format!("the value {} has two choices", self.shown(value.ty, range.low));
                self.error(codes::CHOICES, span, message);
            }
            seen.push((range.low, range.high));
            ranges.push((range.low, range.high));
        }
        ranges
    }

    /// The values that an expression can have at all.
    fn bounds_of(&self, value: &Expr) -> Subtype {
        match &value.kind {
            ExprKind::Variable(variable) | ExprKind::Element(variable, _) => {
                self.variables[variable.index()].form.element()
            }
            ExprKind::Checked(_, subtype) => *subtype,
            ExprKind::Call(function, _) => {
                self.subprograms[function.index()].result.unwrap_or(self.whole(value.ty))
            }
            _ => self.whole(value.ty),
        }
    }

    fn shown(&self, ty: crate::hir::TypeId, value: i64) -> String {
        match (self.kind(ty), usize::try_from(value)) {
            (TypeKind::Boolean, _) => (value != 0).to_string(),
            (TypeKind::Enumeration(literals), Ok(position)) => {
                literals.get(position).map_or(value.to_string(), ToString::to_string)
            }
            _ => value.to_string(),
        }
    }

    // Loops.

    fn loop_statement(&mut self, it: &ast::Loop) -> Option<StmtKind> {
        let id = LoopId::from_index(self.loop_count);
        self.loop_count += 1;
        self.scopes.open();
        let scheme = match &it.scheme {
            ast::LoopScheme::Forever => Some(LoopScheme::Forever),
            ast::LoopScheme::While(condition) => Some(LoopScheme::While(self.condition(condition))),
            ast::LoopScheme::For { name, reverse, range } => self.for_scheme(name, *reverse, range),
        };
        self.loops.push((id, it.label.as_ref().map(|label| Arc::clone(&label.text))));
        let body = self.statements(&it.body);
        self.loops.pop();
        self.scopes.close();
        scheme.map(|scheme| StmtKind::Loop(id, scheme, body))
    }

    fn for_scheme(&mut self, name: &Ident, reverse: bool, range: &ast::DiscreteRange) -> Option<LoopScheme> {
        let Some((low, high)) = self.range(range) else {
            self.declare(name, Entity::Unknown);
            return None;
        };
        let base = if low.ty == UNIVERSAL { INTEGER } else { low.ty };
        let mut subtype = self.whole(base);
        // Known bounds are the bounds of the loop parameter.
        if let (&ExprKind::Literal(low), &ExprKind::Literal(high)) = (&low.kind, &high.kind)
            && low <= high
        {
            subtype = Subtype { base, low, high };
        }
        let variable = self.add_variable(Variable {
            name: name.clone(),
            form: Form::Scalar(subtype),
            initial: None,
            role: Role::Fixed,
        });
        self.declare(name, Entity::Variable(variable));
        Some(LoopScheme::For { variable, low, high, reverse })
    }

    fn exit(&mut self, label: Option<&Ident>, condition: Option<&ast::Expr>, span: Span) -> Option<StmtKind> {
        let condition = condition.map(|condition| self.condition(condition));
        let found = match label {
            None => self.loops.last(),
            Some(label) => self.loops.iter().rev().find(|(_, name)| name.as_ref() == Some(&label.text)),
        };
        let Some(&(id, _)) = found else {
            let message = match label {
                None => "`exit` stands outside of a loop".to_owned(),
                Some(label) => format!("no loop around this is called `{}`", label.text),
            };
            self.error(codes::MISPLACED, span, message);
            return None;
        };
        Some(StmtKind::Exit(id, condition))
    }

    fn return_statement(&mut self, value: Option<&ast::Expr>, span: Span) -> Option<StmtKind> {
        let result = match self.place {
            Place::Subprogram(_, result) => result,
            Place::Main | Place::Accept(_) => None,
            Place::Task(_) => {
                let help = "leave the outermost loop with `exit`";
                self.error_with_help(codes::MISPLACED, span, "a task has no `return`", help);
                return None;
            }
        };
        match (value, result) {
            (None, None) => Some(StmtKind::Return(None)),
            (Some(value), Some(result)) => Some(StmtKind::Return(Some(self.value_for(value, result)))),
            (None, Some(_)) => {
                self.error(codes::MISPLACED, span, "a function returns a value");
                None
            }
            (Some(value), None) => {
                self.error(codes::MISPLACED, value.span, "only functions return a value");
                None
            }
        }
    }

    // Accept and select.

    /// The task in whose body an accept statement stands.
    fn accepting(&mut self, span: Span) -> Option<UnitId> {
        match self.place {
            Place::Task(unit) | Place::Accept(unit) => Some(unit),
            Place::Main | Place::Subprogram(..) => {
                self.error_with_help(
                    codes::MISPLACED,
                    span,
                    "`accept` stands outside of the body of a task",
                    "move it into the task that declares the entry",
                );
                None
            }
        }
    }

    fn accept(&mut self, accept: &ast::Accept, unit: UnitId) -> Option<Accept> {
        let Some(entry) = self.entry_of(unit, &accept.entry) else {
            let message = format!("this task has no entry `{}`", accept.entry.text);
            let names = self.units[unit.index()].entries.iter();
            let known: Vec<Arc<str>> =
                names.map(|entry| Arc::clone(&self.entries[entry.index()].name.text)).collect();
            let mut diagnostic = Diagnostic::error(codes::UNDEFINED, accept.entry.span, message);
            if let Some(meant) = rely_syntax::nearest(&accept.entry.text, known.iter().map(|name| &**name)) {
                diagnostic = diagnostic.did_you_mean(meant);
            }
            self.report(diagnostic);
            return None;
        };
        self.accepted.insert(entry);
        let declared = self.entries[entry.index()].clone();
        let family = match (&accept.family, declared.family) {
            (None, None) => None,
            (Some(index), Some(family)) => Some(self.value_for(index, family)),
            (Some(_), None) => {
                let message = format!("`{}` is no family of entries", accept.entry.text);
                self.error(codes::ARGUMENTS, accept.entry.span, message);
                return None;
            }
            (None, Some(_)) => {
                let message =
                    format!("`{}` is a family of entries, and one of them is needed", accept.entry.text);
                let help = format!("write its index: `accept {} (1)`", accept.entry.text);
                self.error_with_help(codes::ARGUMENTS, accept.entry.span, message, help);
                return None;
            }
        };
        self.scopes.open();
        let parameters = self.accept_parameters(accept, &declared);
        let outer = std::mem::replace(&mut self.place, Place::Accept(unit));
        let loops = std::mem::take(&mut self.loops);
        let body = accept.body.as_deref().map(|body| self.statements(body));
        (self.place, self.loops) = (outer, loops);
        self.scopes.close();
        self.entries[entry.index()].has_end |= body.is_some();
        Some(Accept {
            entry,
            family,
            parameters: parameters?,
            body: body.unwrap_or_default(),
            end: accept.end,
        })
    }

    fn accept_parameters(
        &mut self,
        accept: &ast::Accept,
        declared: &crate::hir::Entry,
    ) -> Option<Vec<VariableId>> {
        let found: Vec<_> = accept
            .parameters
            .iter()
            .map(|parameter| (parameter, self.scalar(parameter).unwrap_or(self.whole(UNKNOWN))))
            .collect();
        let is_same = found.len() == declared.parameters.len()
            && found.iter().zip(&declared.parameters).all(|((parameter, subtype), (mode, expected))| {
                subtype.base == UNKNOWN
                    || subtype == expected && (parameter.is_in, parameter.is_out) == (mode.is_in, mode.is_out)
            });
        if !is_same {
            let message =
                format!("the parameters of `{}` are not those of its declaration", accept.entry.text);
            let diagnostic = Diagnostic::error(codes::ARGUMENTS, accept.entry.span, message)
                .with_note(declared.name.span, "the entry is declared here")
                .with_help("repeat the list of parameters as it is declared");
            self.report(diagnostic);
        }
        let mut parameters = Vec::new();
        for (parameter, subtype) in found {
            let variable = self.add_variable(Variable {
                name: parameter.name.clone(),
                form: Form::Scalar(subtype),
                initial: None,
                role: if parameter.is_out { Role::Local } else { Role::Fixed },
            });
            self.declare(&parameter.name, Entity::Variable(variable));
            parameters.push(variable);
        }
        is_same.then_some(parameters)
    }

    fn select(&mut self, select: &ast::Select, span: Span) -> Option<StmtKind> {
        let is_call = matches!(
            select.alternatives.first(),
            Some(ast::Alternative { kind: ast::AlternativeKind::Call(_), .. })
        );
        if is_call { self.select_call(select, span) } else { self.selective_accept(select, span) }
    }

    fn select_call(&mut self, select: &ast::Select, span: Span) -> Option<StmtKind> {
        let bad = |resolver: &mut Self, span: Span| {
            resolver.error_with_help(
                codes::SELECT,
                span,
                "a conditional or timed call has one call, and either `else` or one `or delay`",
                "write `select T.E; else … end select;` or `select T.E; or delay D; … end select;`",
            );
        };
        for alternative in &select.alternatives {
            if let Some(guard) = &alternative.guard {
                self.error(codes::SELECT, guard.span, "the call of an entry has no guard");
            }
        }
        let first = select.alternatives.first()?;
        let ast::AlternativeKind::Call(name) = &first.kind else { return None };
        let call = self.entry_call_of(name);
        let accepted = self.statements(&first.statements);
        let (otherwise, is_timed) = match (&select.alternatives[1..], &select.otherwise) {
            ([], Some(otherwise)) => (self.statements(otherwise), false),
            ([delay], None) if matches!(delay.kind, ast::AlternativeKind::Delay) => {
                (self.statements(&delay.statements), true)
            }
            (rest, _) => {
                bad(self, rest.last().map_or(span, |last| last.span));
                return None;
            }
        };
        Some(StmtKind::SelectCall { call: call?, accepted, otherwise, is_timed })
    }

    /// A call in a select statement has to be that of an entry.
    fn entry_call_of(&mut self, name: &ast::Name) -> Option<crate::hir::EntryCall> {
        let name = &*self.without_packages(name);
        if name.parts.len() == 1 {
            let help = "call an entry as `Task.Entry`";
            self.error_with_help(codes::SELECT, name.span, "only calls of entries can be selected", help);
            return None;
        }
        self.entry_call(name)
    }

    /// A barrier of a protected object depends on its data alone.
    fn own_barrier(&mut self, barrier: &Expr) {
        let is_foreign = |part: &Expr| match &part.kind {
            ExprKind::Variable(variable) | ExprKind::Element(variable, _) => {
                self.variables[variable.index()].role == Role::Shared
            }
            ExprKind::Call(..) => true,
            _ => false,
        };
        if barrier.any(&is_foreign) {
            let what = "a barrier that depends on more than the data of its protected object";
            self.outside(barrier.span, what, "keep what it depends on in the protected object");
        }
    }

    fn selective_accept(&mut self, select: &ast::Select, span: Span) -> Option<StmtKind> {
        let unit = self.accepting(span)?;
        let mut alternatives = Vec::new();
        let (mut accepts, mut delays, mut terminates) = (0, 0, 0);
        for alternative in &select.alternatives {
            let guard = alternative.guard.as_ref().map(|guard| self.condition(guard));
            if let Some(guard) = guard.as_ref().filter(|_| self.protected.contains_key(&unit)) {
                self.own_barrier(guard);
            }
            let kind = match &alternative.kind {
                ast::AlternativeKind::Accept(accept) => {
                    accepts += 1;
                    self.accept(accept, unit).map(AlternativeKind::Accept)
                }
                ast::AlternativeKind::Delay => {
                    delays += 1;
                    Some(AlternativeKind::Delay)
                }
                ast::AlternativeKind::Terminate => {
                    terminates += 1;
                    Some(AlternativeKind::Terminate)
                }
                ast::AlternativeKind::Call(name) => {
                    let message = "a call and `accept` do not go together";
                    self.error(codes::SELECT, name.span, message);
                    None
                }
            };
            let body = self.statements(&alternative.statements);
            if let Some(kind) = kind {
                alternatives.push(Alternative { guard, kind, body, span: alternative.span });
            }
        }
        let others = usize::from(select.otherwise.is_some()) + usize::from(delays > 0) + terminates;
        if accepts == 0 || others > 1 {
            self.error_with_help(
                codes::SELECT,
                span,
                "these alternatives do not go together",
                "a selective accept has an `accept`, and at most one of `else`, `terminate` and `delay`",
            );
            return None;
        }
        let otherwise = select.otherwise.as_deref().map(|otherwise| self.statements(otherwise));
        Some(StmtKind::Select(Select { alternatives, otherwise }))
    }
}

/// The values of a type that no range covers.
fn gaps(ranges: &[(i64, i64)], whole: Subtype) -> Vec<(i64, i64)> {
    let mut sorted: Vec<(i64, i64)> = ranges.to_vec();
    sorted.sort_unstable();
    let mut gaps = Vec::new();
    let mut next = whole.low;
    for (low, high) in sorted {
        if low > next && next <= whole.high {
            gaps.push((next, (low - 1).min(whole.high)));
        }
        next = next.max(high.saturating_add(1));
    }
    if next <= whole.high {
        gaps.push((next, whole.high));
    }
    gaps
}
