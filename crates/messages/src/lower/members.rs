//! What stands inside of components and processes.

use super::{child, children, defined_name, expr, names, span, token, tokens};
use crate::ast::{
    Claim, ClaimKind, Expr, MessageDef, Part, ProcessDef, PropertyDef, StateDef, Statement, StatementKind,
    TemplateWord, TransitionDef, VariableDef, Wiring,
};
use crate::syntax::{SyntaxKind, SyntaxNode};

/// The messages of all lists of a kind that stand directly in a node.
pub(super) fn messages(node: &SyntaxNode, list: SyntaxKind) -> Vec<MessageDef> {
    let lists = children(node, list);
    lists.flat_map(|list| children(&list, SyntaxKind::Message)).filter_map(|it| message(&it)).collect()
}

fn message(node: &SyntaxNode) -> Option<MessageDef> {
    let params = children(node, SyntaxKind::Param);
    let params = params.filter_map(|param| Some((defined_name(&param)?, expr::type_child(&param)?)));
    Some(MessageDef { name: defined_name(node)?, params: params.collect() })
}

/// The bound of a queue that stands directly in a node.
pub(super) fn queue(node: &SyntaxNode) -> Option<Expr> {
    expr::children(&children(node, SyntaxKind::QueueBound).last()?).next()
}

pub(super) fn process(node: &SyntaxNode) -> Option<ProcessDef> {
    Some(ProcessDef {
        name: defined_name(node)?,
        index: child(node, SyntaxKind::Index).and_then(|index| expr::index(&index)),
        queue: queue(node),
        inputs: messages(node, SyntaxKind::InputList),
        variables: children(node, SyntaxKind::Variable).filter_map(|it| variable(&it)).collect(),
        states: children(node, SyntaxKind::State).filter_map(|it| state(&it)).collect(),
        transitions: children(node, SyntaxKind::Transition).filter_map(|it| transition(&it)).collect(),
    })
}

fn variable(node: &SyntaxNode) -> Option<VariableDef> {
    Some(VariableDef {
        visible: token(node, SyntaxKind::VisibleKw).is_some(),
        name: defined_name(node)?,
        index: child(node, SyntaxKind::Index).and_then(|index| expr::index(&index)),
        ty: expr::type_child(node)?,
        initial: expr::children(node).next(),
    })
}

fn state(node: &SyntaxNode) -> Option<StateDef> {
    Some(StateDef {
        name: defined_name(node)?,
        is_final: token(node, SyntaxKind::FinalKw).is_some(),
        action: child(node, SyntaxKind::Block).map(|block| statements(&block)).unwrap_or_default(),
    })
}

fn transition(node: &SyntaxNode) -> Option<TransitionDef> {
    let mut after = names(node);
    let patterns = child(node, SyntaxKind::Patterns).map(|patterns| {
        children(&patterns, SyntaxKind::Pattern).filter_map(|it| expr::children(&it).next()).collect()
    });
    Some(TransitionDef {
        from: names(&child(node, SyntaxKind::Sources)?).collect(),
        to: after.next()?,
        message: after.next()?,
        patterns,
        span: span(node),
    })
}

fn statements(block: &SyntaxNode) -> Vec<Statement> {
    block.children().filter_map(|node| statement(&node)).collect()
}

fn statement(node: &SyntaxNode) -> Option<Statement> {
    let kind = match node.kind() {
        SyntaxKind::AssignStmt => {
            StatementKind::Assign(expr::path_child(node)?, expr::children(node).next()?)
        }
        SyntaxKind::SendStmt => {
            let arguments = child(node, SyntaxKind::Arguments);
            let arguments = arguments.map(|arguments| expr::children(&arguments).collect());
            StatementKind::Send(expr::path_child(node)?, arguments.unwrap_or_default())
        }
        SyntaxKind::IfStmt => {
            let mut blocks = children(node, SyntaxKind::Block).map(|block| statements(&block));
            let then = blocks.next()?;
            let nested = child(node, SyntaxKind::IfStmt).and_then(|nested| statement(&nested));
            let otherwise = blocks.next().unwrap_or_else(|| nested.into_iter().collect());
            StatementKind::If(expr::children(node).next()?, then, otherwise)
        }
        _ => return None,
    };
    Some(Statement { kind, span: span(node) })
}

pub(super) fn part(node: &SyntaxNode) -> Option<Part> {
    let mut found: Vec<_> = names(node).collect();
    let component = found.pop()?;
    let index = child(node, SyntaxKind::Index).and_then(|index| expr::index(&index));
    Some(Part { name: found.pop(), index, component })
}

pub(super) fn wiring(node: &SyntaxNode) -> Option<Wiring> {
    let mut paths = children(node, SyntaxKind::Path).filter_map(|path| expr::path(&path));
    let output = paths.next()?;
    let inputs: Vec<_> = paths.collect();
    (!inputs.is_empty()).then(|| Wiring {
        output,
        inputs,
        exported: token(node, SyntaxKind::Ident).is_some(),
    })
}

pub(super) fn property(node: &SyntaxNode) -> Option<PropertyDef> {
    let assuming = child(node, SyntaxKind::Assuming);
    Some(PropertyDef {
        name: defined_name(node)?,
        claim: claims(node).next()?,
        assuming: assuming.map(|assuming| claims(&assuming).collect()).unwrap_or_default(),
        span: span(node),
    })
}

fn claims(node: &SyntaxNode) -> impl Iterator<Item = Claim> {
    node.children().filter_map(|node| {
        let kind = match node.kind() {
            SyntaxKind::FormulaClaim => ClaimKind::Formula(expr::children(&node).next()?),
            SyntaxKind::TemplateClaim => {
                let parts = children(&node, SyntaxKind::TemplatePart);
                ClaimKind::Template(parts.map(|part| template_part(&part)).collect::<Option<_>>()?)
            }
            _ => return None,
        };
        Some(Claim { kind, span: span(&node) })
    })
}

fn template_part(node: &SyntaxNode) -> Option<(TemplateWord, Expr)> {
    Some((TemplateWord::parse(tokens(node).next()?.text())?, expr::children(node).next()?))
}
