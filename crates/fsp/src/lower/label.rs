//! Labels, sets, indices and relabellings.

use rely_lts::Role;

use super::{child, expr, name, name_token, span, token, tokens};
use crate::ast::{Domain, LabelExpr, LabelPart, LabelPartKind, Mark, Name, Relabel, SetBase, SetExpr};
use crate::syntax::{SyntaxKind, SyntaxNode};

/// The labels that stand directly in a node.
pub(super) fn children(node: &SyntaxNode) -> impl Iterator<Item = LabelExpr> {
    node.children().filter(|child| child.kind() == SyntaxKind::Label).filter_map(|child| label(&child))
}

fn label(node: &SyntaxNode) -> Option<LabelExpr> {
    let parts = parts(node);
    let mark = child(node, SyntaxKind::Mark).and_then(|node| mark(&node));
    let first = parts.first()?.span;
    let span = parts.last().map_or(first, |last| first.to(last.span));
    Some(LabelExpr { parts, mark, span })
}

/// `?` or `!`
fn mark(node: &SyntaxNode) -> Option<Mark> {
    let role = match tokens(node).next()?.kind() {
        SyntaxKind::Question => Role::Input,
        _ => Role::Output,
    };
    Some(Mark { role, span: span(node) })
}

/// The parts of a label that stand directly in a node.
fn parts(node: &SyntaxNode) -> Vec<LabelPart> {
    node.children()
        .filter_map(|part| Some(LabelPart { kind: part_kind(&part)?, span: span(&part) }))
        .collect()
}

fn part_kind(node: &SyntaxNode) -> Option<LabelPartKind> {
    Some(match node.kind() {
        SyntaxKind::NamePart => {
            let token = tokens(node).next()?;
            LabelPartKind::Name(name(&token))
        }
        SyntaxKind::SetPart => LabelPartKind::Set(set_child(node)?),
        SyntaxKind::IndexPart => LabelPartKind::Index(domain(node)?),
        SyntaxKind::BindPart => LabelPartKind::Bind(variable(node)?, domain(node)?),
        _ => return None,
    })
}

fn variable(node: &SyntaxNode) -> Option<Name> {
    token(node, SyntaxKind::Lower).map(|token| name(&token))
}

fn domain(node: &SyntaxNode) -> Option<Domain> {
    if let Some(set) = set_child(node) {
        return Some(Domain::Set(set));
    }
    let mut values = expr::children(node);
    let low = values.next()?;
    Some(match values.next() {
        Some(high) => Domain::Range(low, high),
        None => Domain::Expr(low),
    })
}

/// The set that stands directly in a node.
pub(super) fn set_child(node: &SyntaxNode) -> Option<SetExpr> {
    set(&child(node, SyntaxKind::SetExpr)?)
}

fn set(node: &SyntaxNode) -> Option<SetExpr> {
    let base = match child(node, SyntaxKind::SetLiteral) {
        Some(elements) => SetBase::Literal(literal(&elements)),
        None => SetBase::Named(name_token(node)?),
    };
    Some(SetExpr { base, minus: set_child(node).map(Box::new), span: span(node) })
}

/// The elements of `{a, b}`.
pub(super) fn literal(node: &SyntaxNode) -> Vec<LabelExpr> {
    children(node).collect()
}

/// The indices that stand in a node.
pub(super) fn indices(node: &SyntaxNode) -> Vec<LabelPart> {
    let Some(indices) = child(node, SyntaxKind::Indices) else { return Vec::new() };
    match child(&indices, SyntaxKind::Label) {
        Some(label) => parts(&label),
        None => parts(&indices),
    }
}

/// The relabellings `/ {…}` that stand in a node.
pub(super) fn relabels(node: &SyntaxNode) -> Vec<Relabel> {
    let list = child(node, SyntaxKind::RelabelList);
    let relabels = list.iter().flat_map(|list| list.children());
    relabels.filter_map(|child| relabel(&child)).collect()
}

fn relabel(node: &SyntaxNode) -> Option<Relabel> {
    match node.kind() {
        SyntaxKind::RelabelPair => {
            let mut labels = children(node);
            Some(Relabel::Pair { new: labels.next()?, old: labels.next()? })
        }
        SyntaxKind::RelabelForall => {
            Some(Relabel::Forall { indices: indices(node), relabels: relabels(node) })
        }
        _ => None,
    }
}
