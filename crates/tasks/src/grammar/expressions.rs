//! Expressions, names, ranges.

use rely_base::Span;

use super::{P, ident, outside_at};
use crate::ast::{
    Argument, Association, Binary, DiscreteRange, Expr, ExprKind, Ident, Name, NamePart, Unary,
};
use crate::codes;
use crate::kind::Token::*;
use crate::lexer::int_value;

/// How high an expression may be: how many operators, calls and indices are inside of one another.
const MAX_HEIGHT: u32 = 500;

/// An expression. What cannot be read is an [`ExprKind::Error`], and has been complained about.
pub(super) fn expr(p: &mut P<'_>) -> Expr {
    let start = p.span(0);
    nested(p, logical).unwrap_or_else(|| Expr::new(ExprKind::Error, start))
}

/// A production that may contain itself, unless the text is nested too deeply.
fn nested<T>(p: &mut P<'_>, production: impl Fn(&mut P<'_>) -> Option<T>) -> Option<T> {
    if !p.enter() {
        p.error_with_help(
            codes::TOO_DEEP,
            "this is nested too deeply",
            "compute parts of it in variables of their own",
        );
        return None;
    }
    let result = production(p);
    p.leave();
    result
}

/// A relation, or several that are joined by one logical operator.
fn logical(p: &mut P<'_>) -> Option<Expr> {
    let mut left = relation(p)?;
    let mut first: Option<Binary> = None;
    for _ in 0..MAX_HEIGHT {
        let (operator, tokens) = match (p.current(), p.nth(1)) {
            (And, Then) => (Binary::AndThen, 2),
            (And, _) => (Binary::And, 1),
            (Or, Else) => (Binary::OrElse, 2),
            (Or, _) => (Binary::Or, 1),
            (Xor, _) => (Binary::Xor, 1),
            _ => return Some(left),
        };
        if first.is_some_and(|first| first != operator) {
            p.error_with_help(
                codes::EXPECTED,
                "different logical operators need parentheses",
                "write `(a and b) or c`",
            );
        }
        first = Some(operator);
        (0..tokens).for_each(|_| p.bump());
        let right = relation(p)?;
        left = binary(p, operator, left, right)?;
    }
    too_high(p)
}

fn too_high<T>(p: &mut P<'_>) -> Option<T> {
    p.error_with_help(
        codes::TOO_DEEP,
        "this expression has too many operators",
        "compute parts of it in variables of their own",
    );
    None
}

fn relation(p: &mut P<'_>) -> Option<Expr> {
    let left = sum(p)?;
    let operator = match p.current() {
        Equal => Binary::Equal,
        NotEqual => Binary::NotEqual,
        Less => Binary::Less,
        LessEqual => Binary::LessEqual,
        Greater => Binary::Greater,
        GreaterEqual => Binary::GreaterEqual,
        In => return membership(p, left, false),
        Not if p.nth(1) == In => {
            p.bump();
            return membership(p, left, true);
        }
        _ => return Some(left),
    };
    p.bump();
    let right = sum(p)?;
    binary(p, operator, left, right)
}

fn membership(p: &mut P<'_>, value: Expr, negated: bool) -> Option<Expr> {
    p.bump();
    let range = range_of(p, sum)?;
    if p.at(Bar) {
        let span = p.span(0);
        outside_at(p, span, "a list of choices after `in`", "write `X in A or X in B`");
        return None;
    }
    let span = value.span.to(p.previous_span());
    made(p, ExprKind::Membership { value: Box::new(value), range: Box::new(range), negated }, span)
}

fn sum(p: &mut P<'_>) -> Option<Expr> {
    let start = p.span(0);
    let sign = match p.current() {
        Plus => Some(Unary::Plus),
        Minus => Some(Unary::Minus),
        _ => None,
    };
    if sign.is_some() {
        p.bump();
    }
    let mut left = term(p)?;
    if let Some(sign) = sign {
        let span = start.to(left.span);
        left = made(p, ExprKind::Unary(sign, Box::new(left)), span)?;
    }
    for _ in 0..MAX_HEIGHT {
        let operator = match p.current() {
            Plus => Binary::Add,
            Minus => Binary::Subtract,
            Ampersand => Binary::Concatenate,
            _ => return Some(left),
        };
        p.bump();
        let right = term(p)?;
        left = binary(p, operator, left, right)?;
    }
    too_high(p)
}

fn term(p: &mut P<'_>) -> Option<Expr> {
    let mut left = factor(p)?;
    for _ in 0..MAX_HEIGHT {
        let operator = match p.current() {
            Times => Binary::Multiply,
            Divide => Binary::Divide,
            Mod => Binary::Mod,
            Rem => Binary::Rem,
            _ => return Some(left),
        };
        p.bump();
        let right = factor(p)?;
        left = binary(p, operator, left, right)?;
    }
    too_high(p)
}

fn factor(p: &mut P<'_>) -> Option<Expr> {
    let start = p.span(0);
    let operator = match p.current() {
        Not => Unary::Not,
        Abs => Unary::Abs,
        _ => {
            let base = primary(p)?;
            if !p.eat(Power) {
                return Some(base);
            }
            let exponent = primary(p)?;
            return binary(p, Binary::Power, base, exponent);
        }
    };
    p.bump();
    let operand = primary(p)?;
    let span = start.to(operand.span);
    made(p, ExprKind::Unary(operator, Box::new(operand)), span)
}

fn primary(p: &mut P<'_>) -> Option<Expr> {
    let span = p.span(0);
    match p.current() {
        Int => {
            let value = int_value(p.text(0));
            p.bump();
            // A number that is none has been complained about.
            Some(Expr::new(value.map_or(ExprKind::Error, ExprKind::Int), span))
        }
        Real | Text | Character => {
            let is_open = p.at(Text) && (p.text(0).len() < 2 || !p.text(0).ends_with('"'));
            p.bump();
            if is_open {
                // What should follow is in the string.
                p.mark_reported();
            }
            Some(Expr::new(ExprKind::Text, span))
        }
        Name => name_or_attribute(p),
        Open => nested(p, parenthesised),
        New => {
            outside_at(
                p,
                span,
                "`new`",
                "declare the object; arrays of tasks take the place of dynamic tasks",
            );
            None
        }
        Null => {
            outside_at(p, span, "a pointer", "use an array and an index");
            None
        }
        If | Case | For => {
            outside_at(p, span, "a conditional expression", "use an `if` statement and a variable");
            None
        }
        _ => {
            p.expected("an expression");
            None
        }
    }
}

/// An expression in parentheses, or an aggregate.
fn parenthesised(p: &mut P<'_>) -> Option<Expr> {
    let start = p.span(0);
    p.bump();
    let mut associations = Vec::new();
    loop {
        associations.push(association(p)?);
        if !p.eat(Comma) {
            break;
        }
    }
    if !p.expect(Close) {
        return None;
    }
    let span = start.to(p.previous_span());
    if let [single] = &associations[..]
        && single.choices.is_none()
        && !single.is_others
    {
        let kind = associations.pop().map_or(ExprKind::Error, |single| single.value.kind);
        return made(p, kind, span);
    }
    made(p, ExprKind::Aggregate(associations), span)
}

fn association(p: &mut P<'_>) -> Option<Association> {
    if p.at(Others) {
        p.bump();
        if !p.expect(Arrow) {
            return None;
        }
        return Some(Association { choices: None, is_others: true, value: nested(p, logical)? });
    }
    let first = discrete_range(p)?;
    if !p.at(Arrow) && !p.at(Bar) {
        return match first {
            DiscreteRange::Expr(value) => Some(Association { choices: None, is_others: false, value }),
            DiscreteRange::Range { .. } => {
                p.expected("`=>`");
                None
            }
        };
    }
    let mut choices = vec![first];
    while p.eat(Bar) {
        choices.push(discrete_range(p)?);
    }
    if !p.expect(Arrow) {
        return None;
    }
    Some(Association { choices: Some(choices), is_others: false, value: nested(p, logical)? })
}

fn name_or_attribute(p: &mut P<'_>) -> Option<Expr> {
    let prefix = name(p)?;
    if !p.at(Tick) {
        let span = prefix.span;
        return made(p, ExprKind::Name(prefix), span);
    }
    p.bump();
    if p.at(Open) {
        let span = prefix.span;
        outside_at(p, span, "a qualified expression", "write a conversion, `T (E)`, or a typed constant");
        return None;
    }
    let attribute = attribute_name(p)?;
    let mut arguments = Vec::new();
    if p.eat(Open) {
        loop {
            arguments.push(nested(p, logical)?);
            if !p.eat(Comma) {
                break;
            }
        }
        if !p.expect(Close) {
            return None;
        }
    }
    let span = prefix.span.to(p.previous_span());
    made(p, ExprKind::Attribute { prefix, attribute, arguments }, span)
}

/// The name of an attribute; `Range` is a reserved word, too.
fn attribute_name(p: &mut P<'_>) -> Option<Ident> {
    if matches!(p.current(), Range | Access | Delta | Digits | Mod) {
        let ident = Ident { text: p.text(0).to_lowercase().into(), span: p.span(0) };
        p.bump();
        return Some(ident);
    }
    ident(p)
}

/// A name with arguments: `Pumps (I).Start (3)`.
pub(super) fn name(p: &mut P<'_>) -> Option<Name> {
    let start = p.span(0);
    let mut parts = Vec::new();
    loop {
        if p.at(All) && !parts.is_empty() {
            let span = p.span(0);
            outside_at(p, span, "a pointer", "use an array and an index");
            return None;
        }
        let mut part = NamePart { ident: ident(p)?, arguments: Vec::new() };
        while p.at(Open) {
            part.arguments.push(nested(p, arguments)?);
        }
        parts.push(part);
        if !p.eat(Dot) {
            break;
        }
    }
    Some(Name { parts, span: start.to(p.previous_span()) })
}

fn arguments(p: &mut P<'_>) -> Option<Vec<Argument>> {
    p.bump();
    let mut arguments = Vec::new();
    loop {
        let named = p.at(Name) && p.nth(1) == Arrow;
        let name = if named { ident(p) } else { None };
        if named {
            p.bump();
        }
        let value = logical(p)?;
        if p.at(DotDot) {
            let span = p.span(0);
            outside_at(p, span, "a slice of an array", "write a loop over its elements");
            return None;
        }
        arguments.push(Argument { name, value });
        if !p.eat(Comma) {
            break;
        }
    }
    p.expect(Close).then_some(arguments)
}

/// `E .. F`, `T range E .. F`, `T`, `A'Range`, or a single value.
pub(super) fn discrete_range(p: &mut P<'_>) -> Option<DiscreteRange> {
    range_of(p, logical)
}

fn range_of(p: &mut P<'_>, single: impl Fn(&mut P<'_>) -> Option<Expr>) -> Option<DiscreteRange> {
    if p.at(Name) && p.nth(1) == Range {
        let subtype = ident(p);
        p.bump();
        let (low, high) = range(p)?;
        return Some(DiscreteRange::Range { subtype, low, high });
    }
    let low = nested(p, single)?;
    if !p.eat(DotDot) {
        return Some(DiscreteRange::Expr(low));
    }
    let high = nested(p, sum)?;
    Some(DiscreteRange::Range { subtype: None, low, high })
}

/// `E .. F`.
pub(super) fn range(p: &mut P<'_>) -> Option<(Expr, Expr)> {
    let low = nested(p, sum)?;
    if !p.expect(DotDot) {
        return None;
    }
    Some((low, nested(p, sum)?))
}

fn binary(p: &mut P<'_>, operator: Binary, left: Expr, right: Expr) -> Option<Expr> {
    let span: Span = left.span.to(right.span);
    made(p, ExprKind::Binary(operator, Box::new(left), Box::new(right)), span)
}

/// An expression, unless it is too high.
fn made(p: &mut P<'_>, kind: ExprKind, span: Span) -> Option<Expr> {
    let expr = Expr::new(kind, span);
    if expr.height > MAX_HEIGHT { too_high(p) } else { Some(expr) }
}
