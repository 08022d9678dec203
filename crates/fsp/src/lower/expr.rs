//! Expressions.

use super::{label, name_token, span, token, tokens};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::lexer::int_value;
use crate::syntax::{SyntaxKind, SyntaxNode, SyntaxToken};

/// The expressions that stand directly in a node.
pub(super) fn children(node: &SyntaxNode) -> impl Iterator<Item = Expr> {
    node.children().filter_map(|child| expr(&child))
}

fn expr(node: &SyntaxNode) -> Option<Expr> {
    let kind = match node.kind() {
        SyntaxKind::IntExpr => int(node)?,
        SyntaxKind::NameExpr => ExprKind::Name(name_token(node)?),
        SyntaxKind::LabelExpr => ExprKind::Label(label::children(node).next()?),
        SyntaxKind::SizeExpr => ExprKind::Size(label::children(node).next()?),
        SyntaxKind::SelectExpr => {
            ExprKind::Select(label::children(node).next()?, Box::new(children(node).next()?))
        }
        SyntaxKind::UnaryExpr => ExprKind::Unary(unary_op(node)?, Box::new(children(node).next()?)),
        SyntaxKind::ParenExpr => children(node).next()?.kind,
        SyntaxKind::BinaryExpr => return chain(node),
        _ => return None,
    };
    Some(Expr { kind, span: span(node) })
}

/// A literal. One that does not fit 32 bits has been reported; it stands for the largest number.
fn int(node: &SyntaxNode) -> Option<ExprKind> {
    let literal = token(node, SyntaxKind::Int)?;
    Some(ExprKind::Int(int_value(literal.text()).unwrap_or(i32::MAX)))
}

fn unary_op(node: &SyntaxNode) -> Option<UnaryOp> {
    Some(match tokens(node).next()?.kind() {
        SyntaxKind::Plus => UnaryOp::Plus,
        SyntaxKind::Minus => UnaryOp::Minus,
        _ => UnaryOp::Not,
    })
}

/// Operands and operators in turn; operators of one precedence associate to the left.
fn chain(node: &SyntaxNode) -> Option<Expr> {
    let mut operands = children(node);
    let mut left = operands.next()?;
    for operator in tokens(node) {
        let right = operands.next()?;
        let span = left.span.to(right.span);
        left = Expr { kind: ExprKind::Binary(binary_op(&operator)?, Box::new(left), Box::new(right)), span };
    }
    Some(left)
}

fn binary_op(token: &SyntaxToken) -> Option<BinaryOp> {
    Some(match token.kind() {
        SyntaxKind::BarBar => BinaryOp::Or,
        SyntaxKind::AmpAmp => BinaryOp::And,
        SyntaxKind::Bar => BinaryOp::BitOr,
        SyntaxKind::Caret => BinaryOp::BitXor,
        SyntaxKind::Amp => BinaryOp::BitAnd,
        SyntaxKind::EqualEqual | SyntaxKind::Equal => BinaryOp::Equal,
        SyntaxKind::NotEqual => BinaryOp::NotEqual,
        SyntaxKind::Less => BinaryOp::Less,
        SyntaxKind::LessEqual => BinaryOp::LessEqual,
        SyntaxKind::Greater => BinaryOp::Greater,
        SyntaxKind::GreaterEqual => BinaryOp::GreaterEqual,
        SyntaxKind::ShiftLeft => BinaryOp::ShiftLeft,
        SyntaxKind::ShiftRight => BinaryOp::ShiftRight,
        SyntaxKind::Plus => BinaryOp::Add,
        SyntaxKind::Minus => BinaryOp::Subtract,
        SyntaxKind::Star => BinaryOp::Multiply,
        SyntaxKind::Slash => BinaryOp::Divide,
        SyntaxKind::Percent => BinaryOp::Remainder,
        _ => match token.text() {
            "and" => BinaryOp::And,
            "or" => BinaryOp::Or,
            "mod" => BinaryOp::Remainder,
            _ => return None,
        },
    })
}
