//! Expressions, types, paths and indices.

use super::{child, children as nodes, defined_name, names, span, token, tokens};
use crate::ast::{BinaryOp, Expr, ExprKind, Index, Path, TypeExpr, TypeKind, UnaryOp};
use crate::syntax::{SyntaxKind, SyntaxNode, SyntaxToken};

/// The expressions that stand directly in a node.
pub(super) fn children(node: &SyntaxNode) -> impl Iterator<Item = Expr> {
    node.children().filter_map(|child| expr(&child))
}

fn expr(node: &SyntaxNode) -> Option<Expr> {
    let kind = match node.kind() {
        // A number that is too large has been reported.
        SyntaxKind::IntExpr => ExprKind::Int(tokens(node).next()?.text().parse().unwrap_or(i32::MAX)),
        SyntaxKind::BoolExpr => ExprKind::Bool(token(node, SyntaxKind::TrueKw).is_some()),
        SyntaxKind::AnyExpr => ExprKind::Any(Box::new(type_child(node)?)),
        SyntaxKind::PathExpr => {
            let arguments = child(node, SyntaxKind::Arguments);
            ExprKind::Path {
                path: path_child(node)?,
                arguments: arguments.map(|arguments| children(&arguments).collect()),
                suffix: defined_name(node),
            }
        }
        SyntaxKind::UnaryExpr => {
            ExprKind::Unary(unary(&tokens(node).next()?), Box::new(children(node).next()?))
        }
        SyntaxKind::ParenExpr => {
            let inner = children(node).next()?;
            return Some(Expr { span: span(node), in_parentheses: true, ..inner });
        }
        SyntaxKind::BinaryExpr => return chain(node),
        _ => return None,
    };
    Some(Expr { kind, span: span(node), in_parentheses: false })
}

/// Operands and operators in turn; operators of one precedence associate to the left.
fn chain(node: &SyntaxNode) -> Option<Expr> {
    let mut operands = children(node);
    let mut left = operands.next()?;
    for operator in tokens(node) {
        let right = operands.next()?;
        let span = left.span.to(right.span);
        let kind = ExprKind::Binary(binary(&operator)?, Box::new(left), Box::new(right));
        left = Expr { kind, span, in_parentheses: false };
    }
    Some(left)
}

fn unary(operator: &SyntaxToken) -> UnaryOp {
    match operator.kind() {
        SyntaxKind::Minus => UnaryOp::Negate,
        SyntaxKind::Always => UnaryOp::Always,
        SyntaxKind::Eventually => UnaryOp::Eventually,
        SyntaxKind::Ident if operator.text() == "X" => UnaryOp::Next,
        _ => UnaryOp::Not,
    }
}

fn binary(operator: &SyntaxToken) -> Option<BinaryOp> {
    Some(match (operator.kind(), operator.text()) {
        (SyntaxKind::BarBar | SyntaxKind::Bar, _) | (_, "or" | "OR") => BinaryOp::Or,
        (SyntaxKind::AmpAmp | SyntaxKind::Amp, _) | (_, "and" | "AND") => BinaryOp::And,
        (SyntaxKind::Arrow, _) | (_, "implies") => BinaryOp::Implies,
        (SyntaxKind::DoubleArrow, _) => BinaryOp::Iff,
        (_, "U" | "until") => BinaryOp::Until,
        (_, "W" | "unless") => BinaryOp::WeakUntil,
        (SyntaxKind::EqualEqual | SyntaxKind::Equal, _) => BinaryOp::Equal,
        (SyntaxKind::NotEqual, _) => BinaryOp::NotEqual,
        (SyntaxKind::Less, _) => BinaryOp::Less,
        (SyntaxKind::LessEqual, _) => BinaryOp::LessOrEqual,
        (SyntaxKind::Greater, _) => BinaryOp::Greater,
        (SyntaxKind::GreaterEqual, _) => BinaryOp::GreaterOrEqual,
        (SyntaxKind::Plus, _) => BinaryOp::Add,
        (SyntaxKind::Minus, _) => BinaryOp::Subtract,
        (SyntaxKind::Star, _) => BinaryOp::Multiply,
        (SyntaxKind::Slash, _) => BinaryOp::Divide,
        (SyntaxKind::Percent, _) | (_, "mod") => BinaryOp::Remainder,
        _ => return None,
    })
}

/// The type that stands directly in a node.
pub(super) fn type_child(node: &SyntaxNode) -> Option<TypeExpr> {
    let node = child(node, SyntaxKind::Type)?;
    if token(&node, SyntaxKind::BoolKw).is_some() {
        return Some(TypeExpr { kind: TypeKind::Bool, span: span(&node) });
    }
    if token(&node, SyntaxKind::LeftBrace).is_some() {
        let kind = TypeKind::Enumeration(names(&node).collect());
        return Some(TypeExpr { kind, span: span(&node) });
    }
    match defined_name(&node) {
        Some(name) => Some(TypeExpr { kind: TypeKind::Named(name), span: span(&node) }),
        None => range(&node),
    }
}

/// The range whose bounds stand directly in a node.
pub(super) fn range(node: &SyntaxNode) -> Option<TypeExpr> {
    let mut bounds = children(node);
    let (low, high) = (bounds.next()?, bounds.next()?);
    let span = low.span.to(high.span);
    Some(TypeExpr { kind: TypeKind::Range(low, high), span })
}

/// The path that stands directly in a node.
pub(super) fn path_child(node: &SyntaxNode) -> Option<Path> {
    path(&child(node, SyntaxKind::Path)?)
}

pub(super) fn path(node: &SyntaxNode) -> Option<Path> {
    let part = |part: SyntaxNode| {
        let has_index = child(&part, SyntaxKind::Index);
        let index = match has_index {
            Some(node) => Some(index(&node)?),
            None => None,
        };
        Some((defined_name(&part)?, index))
    };
    let parts = nodes(node, SyntaxKind::PathPart).map(part).collect::<Option<Vec<_>>>()?;
    (!parts.is_empty()).then(|| Path { parts, span: span(node) })
}

pub(super) fn index(node: &SyntaxNode) -> Option<Index> {
    let mut bounds = children(node);
    Some(Index {
        variable: defined_name(node),
        low: Box::new(bounds.next()?),
        high: bounds.next().map(Box::new),
        span: span(node),
    })
}
