//! Compositions.

use super::{child, defined_name, expr, hiding, label, modifiers, params, process, span, token};
use crate::ast::{Composite, CompositeDef, CompositeKind, Instance, LabelExpr, Priority};
use crate::syntax::{SyntaxKind, SyntaxNode};

/// `||S = (P || Q).`
pub(super) fn definition(node: &SyntaxNode) -> Option<CompositeDef> {
    Some(CompositeDef {
        name: defined_name(node)?,
        modifiers: modifiers(node),
        params: params(node),
        body: children(node).next()?,
        priority: priority(node),
        hiding: hiding(node),
        span: span(node),
    })
}

fn priority(node: &SyntaxNode) -> Option<Priority> {
    let priority = child(node, SyntaxKind::Priority)?;
    Some(Priority {
        high: token(&priority, SyntaxKind::ShiftLeft).is_some(),
        labels: label::set_child(&priority)?,
    })
}

/// The composites that stand directly in a node.
fn children(node: &SyntaxNode) -> impl Iterator<Item = Composite> {
    node.children().filter_map(|child| composite(&child))
}

fn composite(node: &SyntaxNode) -> Option<Composite> {
    let kind = match node.kind() {
        SyntaxKind::CompositeIf => condition(node)?,
        SyntaxKind::CompositeForall => {
            CompositeKind::Forall { indices: label::indices(node), body: Box::new(children(node).next()?) }
        }
        SyntaxKind::Instance => CompositeKind::Instance {
            share: prefix(node, SyntaxKind::Share),
            prefix: prefix(node, SyntaxKind::Prefix),
            of: node.children().find_map(|child| instance(&child))?,
            relabels: label::relabels(node),
        },
        _ => return None,
    };
    Some(Composite { kind, span: span(node) })
}

fn condition(node: &SyntaxNode) -> Option<CompositeKind> {
    let mut alternatives = children(node);
    Some(CompositeKind::If {
        condition: expr::children(node).next()?,
        then: Box::new(alternatives.next()?),
        otherwise: alternatives.next().map(Box::new),
    })
}

fn prefix(node: &SyntaxNode, kind: SyntaxKind) -> Option<LabelExpr> {
    label::children(&child(node, kind)?).next()
}

fn instance(node: &SyntaxNode) -> Option<Instance> {
    match node.kind() {
        SyntaxKind::Call => process::call(node).map(Instance::Call),
        SyntaxKind::Parallel => Some(Instance::Parallel(children(node).collect())),
        _ => None,
    }
}
