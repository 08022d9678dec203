//! Constants, ranges, index variables and arithmetic.

use rely_base::{Diagnostic, Span};

use super::{Resolver, Scope};
use crate::ast::{BinaryOp, Binder, Definition, Domain, Expr, ExprKind, Name, Param, UnaryOp};
use crate::codes;

impl Resolver<'_> {
    /// Evaluates the constants and ranges of the file, in order.
    pub(super) fn constants(&mut self, definitions: &[Definition]) {
        let scope = Scope::default();
        for definition in definitions {
            match definition {
                Definition::Const(constant) => self.constant(constant),
                Definition::Range(name, domain) => {
                    let bounds = self.domain(domain, &scope);
                    if self.define(name)
                        && let Some(bounds) = bounds
                    {
                        self.ranges.insert(name.text.clone(), bounds);
                    }
                }
            }
        }
    }

    /// Evaluates the parameters of the system.
    pub(super) fn parameters(&mut self, params: &[Param]) {
        for param in params {
            self.constant(param);
        }
    }

    fn constant(&mut self, constant: &Param) {
        let value = self.number(&constant.value, &Scope::default());
        if self.define(&constant.name)
            && let Some(value) = value
        {
            self.constants.insert(constant.name.text.clone(), value);
        }
    }

    /// Takes the name of a constant, parameter or range.
    fn define(&mut self, name: &Name) -> bool {
        if let Some(&first) = self.defined.get(&name.text) {
            let diagnostic =
                Diagnostic::error(codes::DUPLICATE, name.span, format!("`{}` is defined twice", name.text));
            self.report::<()>(diagnostic.with_note(first, "it is defined here"));
            return false;
        }
        self.defined.insert(name.text.clone(), name.span);
        true
    }

    /// The scopes that binders open, one for each tuple of values, in order.
    pub(super) fn bindings(&mut self, binders: &[Binder], scope: &Scope) -> Vec<Scope> {
        let mut scopes = vec![scope.clone()];
        for binder in binders {
            let Name { text, span } = &binder.variable;
            if scopes.first().is_some_and(|scope| scope.variables.iter().any(|(known, _)| known == text)) {
                let diagnostic = Diagnostic::error(
                    codes::SHADOWED,
                    *span,
                    format!("`{text}` is the name of another index around it"),
                );
                self.report::<()>(diagnostic.with_help("choose another name"));
                return Vec::new();
            }
            let mut inner = Vec::new();
            for scope in &scopes {
                let Some((first, last)) = self.domain(&binder.domain, scope) else { return Vec::new() };
                for value in first..=last {
                    if !self.pay(binder.domain.span) {
                        return Vec::new();
                    }
                    let mut scope = scope.clone();
                    scope.variables.push((text.clone(), value));
                    inner.push(scope);
                }
            }
            scopes = inner;
        }
        scopes
    }

    /// The tuples of values of some indices, as they are written: `[1][2]`.
    pub(super) fn index_tuples(&mut self, indices: &[Domain], scope: &Scope) -> Option<Vec<String>> {
        let mut tuples = vec![String::new()];
        for index in indices {
            let (first, last) = self.domain(index, scope)?;
            let mut longer = Vec::new();
            for tuple in &tuples {
                for value in first..=last {
                    if !self.pay(index.span) {
                        return None;
                    }
                    longer.push(format!("{tuple}[{value}]"));
                }
            }
            tuples = longer;
        }
        Some(tuples)
    }

    /// The only tuple of values of some indices.
    pub(super) fn index_tuple(&mut self, indices: &[Domain], scope: &Scope) -> Option<String> {
        if let Some(range) = indices.iter().find(|index| index.last.is_some()) {
            let help = "name one element, or bind an index: `forall [i: 1..3] …`";
            let message = "one element is needed here, and this is a range";
            return self.report(Diagnostic::error(codes::KIND, range.span, message).with_help(help));
        }
        let mut tuple = String::new();
        for index in indices {
            tuple += &format!("[{}]", self.number(&index.first, scope)?);
        }
        Some(tuple)
    }

    /// The first and the last value of an index.
    pub(super) fn domain(&mut self, domain: &Domain, scope: &Scope) -> Option<(i32, i32)> {
        let Some(last) = &domain.last else {
            if let Some(name) = single_name(&domain.first)
                && let Some(&range) = self.ranges.get(&name.text)
            {
                return Some(range);
            }
            let value = self.number(&domain.first, scope)?;
            return Some((value, value));
        };
        let (first, last) = (self.number(&domain.first, scope), self.number(last, scope));
        let (first, last) = (first?, last?);
        if first > last {
            let message = format!("the range {first}..{last} is empty");
            return self.error(codes::EMPTY_RANGE, domain.span, message);
        }
        Some((first, last))
    }

    /// The value of an expression that is to be a number.
    pub(super) fn number(&mut self, expr: &Expr, scope: &Scope) -> Option<i32> {
        let Expr { kind, span } = expr;
        match kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Path(_) => match single_name(expr) {
                Some(name) => self.named_number(name, scope),
                None => self.no_number(*span),
            },
            ExprKind::Unary(UnaryOp::Minus, operand) => {
                let value = self.number(operand, scope)?;
                self.in_range(value.checked_neg(), *span)
            }
            ExprKind::Binary(op, left, right) if is_arithmetic(*op) => {
                let (left, divisor) = (self.number(left, scope), right.span);
                let (left, right) = (left?, self.number(right, scope)?);
                if right == 0 && matches!(op, BinaryOp::Divide | BinaryOp::Remainder) {
                    return self.error(
                        codes::ARITHMETIC,
                        divisor,
                        "this is 0, and nothing can be divided by it",
                    );
                }
                self.in_range(arithmetic(*op, left, right), *span)
            }
            _ => self.no_number(*span),
        }
    }

    fn in_range(&mut self, value: Option<i32>, span: Span) -> Option<i32> {
        if value.is_none() {
            return self.error(
                codes::ARITHMETIC,
                span,
                "the value of this expression does not fit into 32 bits",
            );
        }
        value
    }

    fn no_number<T>(&mut self, span: Span) -> Option<T> {
        self.error(codes::KIND, span, "a number is needed here, and this is a condition")
    }

    fn named_number(&mut self, name: &Name, scope: &Scope) -> Option<i32> {
        if let Some(value) = self.known_number(&name.text, scope) {
            return Some(value);
        }
        if self.ranges.contains_key(&name.text) {
            let message = format!("`{}` is a range, and a number is needed here", name.text);
            return self.error(codes::KIND, name.span, message);
        }
        let is_upper = name.text.starts_with(|c: char| c.is_ascii_uppercase());
        let (code, what) = match is_upper {
            true => (codes::UNDEFINED_CONSTANT, "constant"),
            false => (codes::UNDEFINED_NAME, "index variable"),
        };
        let diagnostic =
            Diagnostic::error(code, name.span, format!("{what} `{}` is not defined here", name.text));
        let mut known: Vec<String> = self.constants.keys().map(ToString::to_string).collect();
        known.extend(scope.variables.iter().map(|(name, _)| name.to_string()));
        known.sort_unstable();
        self.undefined(diagnostic, name, known.iter().map(String::as_str))
    }

    /// The value of a constant, a parameter or an index variable.
    pub(super) fn known_number(&self, name: &str, scope: &Scope) -> Option<i32> {
        let variable = scope.variables.iter().find(|(known, _)| &**known == name).map(|&(_, value)| value);
        variable.or_else(|| self.constants.get(name).copied())
    }
}

/// The name that an expression consists of, if it is one without dots and indices.
pub(super) fn single_name(expr: &Expr) -> Option<&Name> {
    let ExprKind::Path(path) = &expr.kind else { return None };
    let [only] = &path.segments[..] else { return None };
    only.indices.is_empty().then_some(&only.name)
}

/// Whether an operator gives a number.
pub(super) fn is_arithmetic(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder
    )
}

fn arithmetic(op: BinaryOp, left: i32, right: i32) -> Option<i32> {
    match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Subtract => left.checked_sub(right),
        BinaryOp::Multiply => left.checked_mul(right),
        BinaryOp::Divide => left.checked_div(right),
        _ => left.checked_rem(right),
    }
}
