//! Assertions and their formulas.

use super::{child, defined_name, expr, extension, label, name_token, params, span, token, tokens};
use crate::ast::{AssertDef, AssertKind, Formula, FormulaKind, TemporalBinary, TemporalUnary};
use crate::syntax::{SyntaxKind, SyntaxNode, SyntaxToken};

/// `assert A = formula`
pub(super) fn assertion(node: &SyntaxNode) -> Option<AssertDef> {
    let kind = match tokens(node).next()?.kind() {
        SyntaxKind::AssertKw => AssertKind::Assert,
        SyntaxKind::ConstraintKw => AssertKind::Constraint,
        _ => AssertKind::Property,
    };
    Some(AssertDef {
        kind,
        name: defined_name(node)?,
        params: params(node),
        formula: children(node).next()?,
        extension: extension(node),
        span: span(node),
    })
}

/// The formulas that stand directly in a node.
fn children(node: &SyntaxNode) -> impl Iterator<Item = Formula> {
    node.children().filter_map(|child| formula(&child))
}

fn formula(node: &SyntaxNode) -> Option<Formula> {
    let kind = match node.kind() {
        SyntaxKind::UnaryFormula => {
            FormulaKind::Unary(unary(&tokens(node).next()?), Box::new(children(node).next()?))
        }
        SyntaxKind::ParenFormula => children(node).next()?.kind,
        SyntaxKind::NamedFormula => named(node)?,
        SyntaxKind::ActionFormula => FormulaKind::Action(label::children(node).next()?),
        SyntaxKind::QuantifiedFormula => FormulaKind::Quantified {
            universal: token(node, SyntaxKind::ForallKw).is_some(),
            indices: label::indices(node),
            body: Box::new(children(node).next()?),
        },
        SyntaxKind::RigidFormula => FormulaKind::Rigid(expr::children(node).next()?),
        SyntaxKind::BinaryFormula => return chain(node),
        _ => return None,
    };
    Some(Formula { kind, span: span(node) })
}

fn named(node: &SyntaxNode) -> Option<FormulaKind> {
    let arguments = child(node, SyntaxKind::Arguments);
    Some(FormulaKind::Named {
        name: name_token(node)?,
        indices: label::indices(node),
        arguments: arguments.map(|arguments| expr::children(&arguments).collect()),
    })
}

/// Formulas and operators in turn; operators of one precedence associate to the left.
fn chain(node: &SyntaxNode) -> Option<Formula> {
    let mut operands = children(node);
    let mut left = operands.next()?;
    for operator in tokens(node) {
        let right = operands.next()?;
        let span = left.span.to(right.span);
        left =
            Formula { kind: FormulaKind::Binary(binary(&operator)?, Box::new(left), Box::new(right)), span };
    }
    Some(left)
}

fn unary(operator: &SyntaxToken) -> TemporalUnary {
    match operator.kind() {
        SyntaxKind::Always => TemporalUnary::Always,
        SyntaxKind::Eventually => TemporalUnary::Eventually,
        SyntaxKind::Upper => TemporalUnary::Next,
        _ => TemporalUnary::Not,
    }
}

fn binary(operator: &SyntaxToken) -> Option<TemporalBinary> {
    Some(match (operator.kind(), operator.text()) {
        (SyntaxKind::AmpAmp | SyntaxKind::Amp, _) | (_, "and") => TemporalBinary::And,
        (SyntaxKind::BarBar | SyntaxKind::Bar, _) | (_, "or") => TemporalBinary::Or,
        (SyntaxKind::Arrow, _) | (_, "implies") => TemporalBinary::Implies,
        (SyntaxKind::DoubleArrow, _) | (_, "iff") => TemporalBinary::Iff,
        (_, "U" | "until") => TemporalBinary::Until,
        (_, "W" | "unless") => TemporalBinary::WeakUntil,
        _ => return None,
    })
}
