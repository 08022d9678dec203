//! Rules as people say them, as formulas.

use rely_base::Span;

use super::{child, path, span, tokens};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::syntax::{SyntaxKind, SyntaxNode};

/// The formula that a rule stands for.
pub(super) fn rule(node: &SyntaxNode) -> Option<Expr> {
    let place = span(node);
    let make = |kind: ExprKind| Expr { kind, span: place };
    let not = |expr: Expr| make(ExprKind::Unary(UnaryOp::Not, Box::new(expr)));
    let implies =
        |left: Expr, right: Expr| make(ExprKind::Binary(BinaryOp::Implies, Box::new(left), Box::new(right)));
    let events = paths(&child(node, SyntaxKind::RuleEvents)?);
    let without = child(node, SyntaxKind::RuleWithout).map_or_else(Vec::new, |node| paths(&node));
    let past = child(node, SyntaxKind::RuleAfter).map_or_else(Vec::new, |node| past(&node));
    let when = child(node, SyntaxKind::RuleWhen).and_then(|node| when(&node));
    let in_time = |expr: Expr| match &when {
        None => expr,
        Some(when) => implies(when.clone(), expr),
    };
    let words: Vec<String> = tokens(node).map(|token| token.text().to_owned()).collect();
    let word = words.iter().find(|word| ["never", "always", "no", "only"].contains(&word.as_str()))?;
    let is_about_each = words.iter().any(|word| word == ":");
    Some(match (word.as_str(), is_about_each) {
        ("never", false) => {
            let without = without.into_iter().map(not);
            let all = events.into_iter().chain(without).chain(past);
            in_time(not(make(ExprKind::Chain(false, all.collect()))))
        }
        ("always", false) => {
            let past = past.into_iter().map(not);
            in_time(make(ExprKind::Chain(true, events.into_iter().chain(past).collect())))
        }
        ("only", _) => implies(make(ExprKind::Chain(true, events)), when?),
        ("always", true) => in_time(make(ExprKind::Chain(false, events))),
        _ => in_time(not(make(ExprKind::Chain(true, events)))),
    })
}

fn paths(node: &SyntaxNode) -> Vec<Expr> {
    let paths = node.children().filter_map(|node| path(&node));
    paths.map(|path| Expr { span: path.span, kind: ExprKind::Path(path) }).collect()
}

/// What was there earlier, and what was not: one condition for each event.
fn past(node: &SyntaxNode) -> Vec<Expr> {
    let is_macrostep = tokens(node).any(|token| token.kind() == SyntaxKind::MacrostepKw);
    let operator = if is_macrostep { UnaryOp::Old } else { UnaryOp::Before };
    let unary =
        |operator, expr: Expr| Expr { span: expr.span, kind: ExprKind::Unary(operator, Box::new(expr)) };
    let of = |kind| child(node, kind).map_or_else(Vec::new, |node| paths(&node));
    let with = of(SyntaxKind::RuleEvents).into_iter().map(|path| unary(operator, path));
    let without = of(SyntaxKind::RuleWithout).into_iter();
    let without = without.map(|path| unary(UnaryOp::Not, unary(operator, path)));
    with.chain(without).collect()
}

/// That the microstep is one of those that are named.
fn when(node: &SyntaxNode) -> Option<Expr> {
    let place = span(node);
    let numbers = tokens(node).filter(|token| token.kind() == SyntaxKind::Int);
    let numbers: Vec<i32> = numbers.map(|token| token.text().parse().unwrap_or(i32::MAX)).collect();
    let mut parts: Vec<Expr> =
        numbers.iter().map(|&number| compared(BinaryOp::Equal, number, place)).collect();
    if tokens(node).any(|token| token.text() == "later") {
        parts.push(compared(BinaryOp::Greater, *numbers.last()?, place));
    }
    (!parts.is_empty()).then_some(Expr { kind: ExprKind::Chain(true, parts), span: place })
}

fn compared(op: BinaryOp, number: i32, span: Span) -> Expr {
    let (left, right) = (Expr { kind: ExprKind::Ms, span }, Expr { kind: ExprKind::Int(number), span });
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}
