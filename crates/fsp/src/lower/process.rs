//! Processes.

use super::{
    child, defined_name, expr, extension, hiding, label, modifiers, name, name_token, params, span, token,
    tokens,
};
use crate::ast::{Body, BodyKind, Branch, Call, LocalDef, ProcessDef};
use crate::syntax::{SyntaxKind, SyntaxNode};

/// `P = body, Q = body.`; absent if no local process could be read.
pub(super) fn process(node: &SyntaxNode) -> Option<ProcessDef> {
    let first = child(node, SyntaxKind::LocalDef)?;
    let locals: Vec<LocalDef> = node.children().filter_map(|child| local(&child)).collect();
    if locals.is_empty() {
        return None;
    }
    Some(ProcessDef {
        name: defined_name(&first)?,
        modifiers: modifiers(node),
        params: params(&first),
        locals,
        extension: extension(node),
        relabels: label::relabels(node),
        hiding: hiding(node),
        span: span(node),
    })
}

fn local(node: &SyntaxNode) -> Option<LocalDef> {
    if node.kind() != SyntaxKind::LocalDef {
        return None;
    }
    Some(LocalDef {
        name: defined_name(node)?,
        accepting: token(node, SyntaxKind::At).is_some(),
        indices: label::indices(node),
        body: bodies(node).next()?,
        span: span(node),
    })
}

/// The bodies that stand directly in a node.
fn bodies(node: &SyntaxNode) -> impl Iterator<Item = Body> {
    node.children().filter_map(|child| body(&child))
}

fn body(node: &SyntaxNode) -> Option<Body> {
    let kind = match node.kind() {
        SyntaxKind::Goto => goto(node)?,
        SyntaxKind::IfBody => condition(node)?,
        SyntaxKind::Choice => BodyKind::Choice(node.children().filter_map(|child| branch(&child)).collect()),
        _ => return None,
    };
    Some(Body { kind, span: span(node) })
}

fn goto(node: &SyntaxNode) -> Option<BodyKind> {
    Some(BodyKind::Goto {
        sequence: node.children().filter_map(|child| call(&child)).collect(),
        name: tokens(node).find(super::is_name).map(|token| name(&token))?,
        indices: expr::children(node).collect(),
    })
}

fn condition(node: &SyntaxNode) -> Option<BodyKind> {
    let mut alternatives = bodies(node);
    Some(BodyKind::If {
        condition: expr::children(node).next()?,
        then: Box::new(alternatives.next()?),
        otherwise: alternatives.next().map(Box::new),
    })
}

fn branch(node: &SyntaxNode) -> Option<Branch> {
    if node.kind() != SyntaxKind::Branch {
        return None;
    }
    let prefixes: Vec<_> = label::children(node).collect();
    let guard = child(node, SyntaxKind::Guard);
    Some(Branch {
        guard: guard.and_then(|guard| expr::children(&guard).next()),
        prefixes: (!prefixes.is_empty()).then_some(prefixes)?,
        body: bodies(node).next()?,
    })
}

/// `P(3)`
pub(super) fn call(node: &SyntaxNode) -> Option<Call> {
    if node.kind() != SyntaxKind::Call {
        return None;
    }
    let arguments = child(node, SyntaxKind::Arguments);
    Some(Call {
        name: name_token(node)?,
        arguments: arguments.map(|arguments| expr::children(&arguments).collect()),
        span: span(node),
    })
}
