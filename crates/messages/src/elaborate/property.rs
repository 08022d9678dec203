//! Properties: templates and formulas over messages and visible variables.
//!
//! A name means the message or variable that it is the whole name of; else the only one that it is the end of, so that
//! `RFM.pending` will do for `Network.RFM.pending`.
//!
//! Properties of another file's targets have other names ([`Names`]), and everything else in common with these.

use std::sync::Arc;

use rely_base::{Diagnostic, Id};
use rely_omega::{AtomId, Formula, Statement, Template};
use rustc_hash::FxHashSet;

use super::process::counted;
use super::scope::{Kind, Scope};
use super::{Elaborator, Fallible, Reported, suggest};
use crate::ast::{self, BinaryOp, ExprKind, TemplateWord, UnaryOp};
use crate::codes;
use crate::component::{
    Claim, Component, Event, EventKind, Expr, Property, Proposition, Subject, Type, Variable, VariableRef,
};

/// What the names in a statement mean.
pub(super) trait Names {
    /// The proposition that a name stands for, such as a message with `arguments` and, behind them, a `suffix`. `expr` is all of it.
    fn named(
        &mut self,
        elaborator: &mut Elaborator<'_>,
        expr: &ast::Expr,
        path: &ast::Path,
        arguments: Option<&[ast::Expr]>,
        suffix: Option<&ast::Name>,
    ) -> Fallible<Formula>;

    /// A condition on variables.
    fn condition(&mut self, elaborator: &mut Elaborator<'_>, expr: &ast::Expr) -> Fallible<Formula>;
}

/// A claim that is being elaborated.
struct Claiming<'c> {
    component: &'c Component,
    propositions: Vec<Proposition>,
}

impl Claiming<'_> {
    /// The atom of a proposition; equal propositions have one.
    fn atom(&mut self, proposition: Proposition) -> Formula {
        let known = self.propositions.iter().position(|known| *known == proposition);
        let number = known.unwrap_or_else(|| {
            self.propositions.push(proposition);
            self.propositions.len() - 1
        });
        Formula::atom(AtomId::from_index(number))
    }
}

impl Names for Claiming<'_> {
    fn named(
        &mut self,
        elaborator: &mut Elaborator<'_>,
        expr: &ast::Expr,
        path: &ast::Path,
        arguments: Option<&[ast::Expr]>,
        suffix: Option<&ast::Name>,
    ) -> Fallible<Formula> {
        elaborator.named_proposition(expr, path, arguments, suffix, self)
    }

    fn condition(&mut self, elaborator: &mut Elaborator<'_>, expr: &ast::Expr) -> Fallible<Formula> {
        elaborator.state_proposition(expr, self)
    }
}

impl Elaborator<'_> {
    /// Elaborates the properties of a component.
    pub(super) fn properties(&mut self, definition: &ast::ComponentDef, component: &mut Component) {
        let mut names = FxHashSet::default();
        let mut properties = Vec::new();
        for def in &definition.properties {
            if !names.insert(&def.name.text) {
                self.duplicate(&def.name, "a property");
            }
            let claim = self.claim(&def.claim, component);
            let assuming: Vec<Fallible<Claim>> =
                def.assuming.iter().map(|assumption| self.claim(assumption, component)).collect();
            let assuming = assuming.into_iter().collect::<Fallible<Vec<Claim>>>();
            if let (Ok(claim), Ok(assuming)) = (claim, assuming) {
                let name = Arc::clone(&def.name.text);
                properties.push(Property { name, claim, assuming, place: def.span });
            }
        }
        component.properties = properties;
    }

    fn claim(&mut self, claim: &ast::Claim, component: &Component) -> Fallible<Claim> {
        let mut claiming = Claiming { component, propositions: Vec::new() };
        let kind = self.temporal_statement(claim, &mut claiming)?;
        Ok(Claim { kind, propositions: claiming.propositions, place: claim.span })
    }

    /// A statement over the atoms that its names stand for.
    pub(super) fn temporal_statement(
        &mut self,
        claim: &ast::Claim,
        names: &mut impl Names,
    ) -> Fallible<Statement> {
        match &claim.kind {
            ast::ClaimKind::Formula(formula) => Ok(Statement::Formula(self.formula(formula, names, true)?)),
            ast::ClaimKind::Template(parts) => {
                let conditions: Vec<Fallible<Formula>> =
                    parts.iter().map(|(_, it)| self.formula(it, names, false)).collect();
                let conditions = conditions.into_iter().collect::<Fallible<Vec<Formula>>>()?;
                let words: Vec<TemplateWord> = parts.iter().map(|(word, _)| *word).collect();
                Ok(Statement::Template(self.template(claim, &words, conditions)?))
            }
        }
    }

    fn template(
        &mut self,
        claim: &ast::Claim,
        words: &[TemplateWord],
        conditions: Vec<Formula>,
    ) -> Fallible<Template> {
        use TemplateWord as Word;
        let mut conditions = conditions.into_iter();
        let mut next = || conditions.next().unwrap_or(Formula::True);
        Ok(match words {
            [Word::Never] => Template::Never(next()),
            [Word::Always] => Template::Always(next()),
            [Word::Eventually] => Template::Eventually(next()),
            [Word::Repeatedly] => Template::Repeatedly(next()),
            [Word::EventuallyAlways] => Template::EventuallyAlways(next()),
            [Word::Never, Word::UntilAfter] => Template::NeverUntilAfter(next(), next()),
            [Word::After, Word::Never, Word::UntilAfter] => {
                Template::AfterNeverUntilAfter(next(), next(), next())
            }
            [Word::After, Word::Eventually] => Template::AfterEventually(next(), next()),
            [Word::IfRepeatedly, Word::Repeatedly] => Template::IfRepeatedlyRepeatedly(next(), next()),
            _ => {
                let message = "there is no such template";
                let help = "two claims are separated by `,`; the words of a template have a fixed order, such as \
                            `After(e) Never(d) UntilAfter(f)`";
                let diagnostic = Diagnostic::error(codes::TEMPLATE, claim.span, message);
                return Err(self.report(diagnostic.with_help(help)));
            }
        })
    }

    fn formula(&mut self, expr: &ast::Expr, names: &mut impl Names, temporal: bool) -> Fallible<Formula> {
        match &expr.kind {
            ExprKind::Bool(value) => Ok(if *value { Formula::True } else { Formula::False }),
            ExprKind::Unary(UnaryOp::Negate, _) | ExprKind::Int(_) | ExprKind::Any(_) => {
                names.condition(self, expr)
            }
            ExprKind::Unary(op, operand) => {
                if *op != UnaryOp::Not && !temporal {
                    return Err(self.temporal(expr));
                }
                let operand = self.formula(operand, names, temporal)?;
                Ok(match op {
                    UnaryOp::Always => operand.always(),
                    UnaryOp::Eventually => operand.eventually(),
                    UnaryOp::Next => operand.next(),
                    _ => operand.negated(),
                })
            }
            ExprKind::Path { path, arguments, suffix } => {
                names.named(self, expr, path, arguments.as_deref(), suffix.as_ref())
            }
            ExprKind::Binary(op, left, right) => self.connected(expr, *op, left, right, names, temporal),
        }
    }

    fn connected(
        &mut self,
        expr: &ast::Expr,
        op: BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        names: &mut impl Names,
        temporal: bool,
    ) -> Fallible<Formula> {
        let join: fn(Formula, Formula) -> Formula = match op {
            BinaryOp::Or | BinaryOp::Add => Formula::or,
            BinaryOp::And => Formula::and,
            BinaryOp::Implies => Formula::implies,
            BinaryOp::Iff => Formula::iff,
            BinaryOp::Until | BinaryOp::WeakUntil if !temporal => return Err(self.temporal(expr)),
            BinaryOp::Until => Formula::until,
            BinaryOp::WeakUntil => Formula::weak_until,
            _ => return names.condition(self, expr),
        };
        let operands = (self.formula(left, names, temporal), self.formula(right, names, temporal));
        Ok(join(operands.0?, operands.1?))
    }

    /// A condition on variables.
    fn state_proposition(&mut self, expr: &ast::Expr, claiming: &mut Claiming<'_>) -> Fallible<Formula> {
        let (value, kind) = self.observed(expr, claiming.component)?;
        self.expect_kind(expr, &kind, &Kind::Bool)?;
        Ok(claiming.atom(Proposition::State(value)))
    }

    /// An expression over visible variables: those that it names are put into a scope of their own, in which they are
    /// looked up like those of a process.
    fn observed(&mut self, expr: &ast::Expr, component: &Component) -> Fallible<(Expr, Kind)> {
        let mut known: Vec<(VariableRef, Variable)> = Vec::new();
        let mut expr = expr.clone();
        self.name_variables(&mut expr, component, &mut known)?;
        let variables: Vec<Variable> = known.iter().map(|(_, variable)| variable.clone()).collect();
        let scope = Scope { indices: &[], process: Some((0, &variables)) };
        let (mut value, kind) = self.expr(&expr, scope, None)?;
        rename(&mut value, &known);
        Ok((value, kind))
    }

    /// Replaces paths by names of their own for the variables that they mean.
    fn name_variables(
        &mut self,
        expr: &mut ast::Expr,
        component: &Component,
        known: &mut Vec<(VariableRef, Variable)>,
    ) -> Fallible<()> {
        match &mut expr.kind {
            ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Any(_) => Ok(()),
            ExprKind::Unary(_, operand) => self.name_variables(operand, component, known),
            ExprKind::Binary(_, left, right) => {
                let left = self.name_variables(left, component, known);
                self.name_variables(right, component, known).and(left)
            }
            ExprKind::Path { path, arguments, suffix } => {
                if let [(_, None)] = path.parts.as_slice()
                    && self.is_constant(path)
                {
                    return Ok(());
                }
                if arguments.is_some() || suffix.is_some() {
                    return Err(self.no_value(path));
                }
                let variable = match self.visible_variable(path, component)? {
                    Some(variable) => variable,
                    None if self.subjects(path, component).is_empty() => {
                        return Err(self.unknown_subject(path, component));
                    }
                    None => return Err(self.no_value(path)),
                };
                let position = known.iter().position(|(it, _)| *it == variable);
                let position = position.unwrap_or_else(|| {
                    let mut it = component.processes[variable.process].variables[variable.variable].clone();
                    // No name of a text has a dot in it.
                    it.name = Arc::from(format!(".{}", known.len()));
                    known.push((variable, it));
                    known.len() - 1
                });
                let Some((mut name, index)) = path.parts.pop() else { return Err(Reported) };
                name.text = Arc::clone(&known[position].1.name);
                path.parts = vec![(name, index)];
                Ok(())
            }
        }
    }

    pub(super) fn is_constant(&self, path: &ast::Path) -> bool {
        path.as_name().is_some_and(|name| {
            self.globals.constants.contains_key(&name.text) || self.globals.literals.contains_key(&name.text)
        })
    }

    fn no_value(&mut self, path: &ast::Path) -> Reported {
        let message = "a message is no value";
        let diagnostic = Diagnostic::error(codes::TYPE_MISMATCH, path.span, message);
        self.report(diagnostic.with_help("put parentheses around the comparison that stands beside it"))
    }

    /// A message, or a variable that is a truth value.
    fn named_proposition(
        &mut self,
        expr: &ast::Expr,
        path: &ast::Path,
        arguments: Option<&[ast::Expr]>,
        suffix: Option<&ast::Name>,
        claiming: &mut Claiming<'_>,
    ) -> Fallible<Formula> {
        let component = claiming.component;
        let mut kind = EventKind::Sent;
        if let Some(suffix) = suffix {
            if &*suffix.text != "received" {
                let message = format!("expected `received`, found `{}`", suffix.text);
                return Err(self.report(Diagnostic::error(codes::UNDEFINED_MESSAGE, suffix.span, message)));
            }
            kind = EventKind::Received;
        }
        let mut found = self.subjects(path, component);
        if found.is_empty()
            && suffix.is_none()
            && let Some((shorter, _)) = without_received(path)
        {
            found = self.subjects(&shorter, component);
            kind = EventKind::Received;
        }
        match found.as_slice() {
            [] => match self.visible_variable(path, component)? {
                Some(_) => self.state_proposition(expr, claiming),
                None => Err(self.unknown_subject(path, component)),
            },
            &[subject] => {
                let event = self.event(path, subject, kind, arguments, component)?;
                Ok(claiming.atom(Proposition::Event(event)))
            }
            _ => Err(self.ambiguous(path)),
        }
    }

    fn ambiguous(&mut self, path: &ast::Path) -> Reported {
        let message = "several parts have something of this name";
        let diagnostic = Diagnostic::error(codes::AMBIGUOUS, path.span, message);
        self.report(diagnostic.with_help("write the name of the part before it"))
    }

    fn event(
        &mut self,
        path: &ast::Path,
        subject: Subject,
        kind: EventKind,
        arguments: Option<&[ast::Expr]>,
        component: &Component,
    ) -> Fallible<Event> {
        let params = match subject {
            Subject::Port(port) => &component.ports[port].params,
            Subject::Message(it) => &component.processes[it.process].messages[it.message].params,
        };
        if matches!(subject, Subject::Port(_)) && kind == EventKind::Received {
            let message = "an output is received outside, where nobody sees it";
            let diagnostic = Diagnostic::error(codes::UNDEFINED_MESSAGE, path.span, message);
            return Err(self.report(diagnostic.with_help("name the input that it is mapped to")));
        }
        let values = match arguments {
            None => vec![None; params.len()],
            Some(arguments) if arguments.len() == params.len() => {
                let values: Vec<Fallible<Option<i32>>> =
                    arguments.iter().zip(params).map(|(it, ty)| self.event_value(it, ty)).collect();
                values.into_iter().collect::<Fallible<_>>()?
            }
            Some(arguments) => {
                let (wanted, given) = (counted(params.len()), arguments.len());
                let message = format!("this message has {wanted}, not {given}");
                return Err(self.report(Diagnostic::error(codes::ARGUMENTS, path.span, message)));
            }
        };
        Ok(Event { subject, kind, values })
    }

    fn event_value(&mut self, expr: &ast::Expr, ty: &Type) -> Fallible<Option<i32>> {
        if let ExprKind::Path { path, .. } = &expr.kind
            && path.as_name().is_some_and(|name| &*name.text == "_")
        {
            return Ok(None);
        }
        self.constant_of(expr, Scope::GLOBAL, ty).map(Some)
    }

    /// The messages that a path may mean.
    fn subjects(&mut self, path: &ast::Path, component: &Component) -> Vec<Subject> {
        let Ok(written) = self.dotted(path, &[]) else { return Vec::new() };
        let exact: Vec<Subject> =
            component.subjects.iter().filter(|(name, _)| *name == written).map(|(_, it)| *it).collect();
        let mut found = exact;
        if found.is_empty() {
            let is_end = |name: &str| name.strip_suffix(&written).is_some_and(|before| before.ends_with('.'));
            found = component.subjects.iter().filter(|(name, _)| is_end(name)).map(|(_, it)| *it).collect();
        }
        let mut distinct: Vec<Subject> = Vec::new();
        for subject in found {
            if !distinct.contains(&subject) {
                distinct.push(subject);
            }
        }
        distinct
    }

    /// The visible variable that a path means, if there is one.
    fn visible_variable(&mut self, path: &ast::Path, component: &Component) -> Fallible<Option<VariableRef>> {
        let mut bare = path.clone();
        if let Some((_, index)) = bare.parts.last_mut() {
            *index = None;
        }
        let written = self.dotted(&bare, &[])?;
        let mut exact = Vec::new();
        let mut ends = Vec::new();
        for (process, it) in component.processes.iter().enumerate() {
            for (variable, def) in it.variables.iter().enumerate() {
                let name = format!("{}.{}", it.name, def.name);
                let found = VariableRef { process, variable };
                if name == written {
                    exact.push(found);
                } else if written.contains('.')
                    && name.strip_suffix(&written).is_some_and(|it| it.ends_with('.'))
                {
                    ends.push(found);
                }
            }
        }
        let found = if exact.is_empty() { ends } else { exact };
        match found.as_slice() {
            [] => Ok(None),
            &[variable] => {
                let def = &component.processes[variable.process].variables[variable.variable];
                if def.visible {
                    return Ok(Some(variable));
                }
                let message = format!("the variable `{written}` is not visible");
                let diagnostic = Diagnostic::error(codes::NOT_VISIBLE, path.span, message);
                Err(self.report(diagnostic.with_help(format!("declare it as `visible {}: …`", def.name))))
            }
            _ => Err(self.ambiguous(path)),
        }
    }

    fn unknown_subject(&mut self, path: &ast::Path, component: &Component) -> Reported {
        let Ok(written) = self.dotted(path, &[]) else { return Reported };
        if path.parts.iter().any(|(name, _)| self.doubtful.contains(&name.text)) {
            return Reported;
        }
        let message = format!("there is no message or variable `{written}`");
        let diagnostic = Diagnostic::error(codes::UNDEFINED_MESSAGE, path.span, message);
        let variables = component.processes.iter().flat_map(|process| {
            process.variables.iter().map(|variable| format!("{}.{}", process.name, variable.name))
        });
        let known: Vec<String> =
            component.subjects.iter().map(|(name, _)| name.clone()).chain(variables).collect();
        self.report(suggest(diagnostic, &written, known.iter().map(String::as_str)))
    }
}

/// A path without the `received` at its end.
fn without_received(path: &ast::Path) -> Option<(ast::Path, ast::Name)> {
    let mut shorter = path.clone();
    let (last, index) = shorter.parts.pop()?;
    (&*last.text == "received" && index.is_none() && !shorter.parts.is_empty()).then_some((shorter, last))
}

/// Puts the variables of the component in the place of those of the scope.
fn rename(expr: &mut Expr, known: &[(VariableRef, Variable)]) {
    match expr {
        Expr::Constant(_) => {}
        Expr::Variable(variable) => *variable = known[variable.variable].0,
        Expr::Element(variable, index) => {
            *variable = known[variable.variable].0;
            rename(index, known);
        }
        Expr::Unary(_, operand) => rename(operand, known),
        Expr::Binary(_, first, second) => {
            rename(first, known);
            rename(second, known);
        }
    }
}
