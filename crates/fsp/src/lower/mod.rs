//! From the syntax tree to the abstract syntax.
//!
//! Incomplete parts of the tree are left out; the parser has reported them. The recursion follows the tree, whose
//! height the parser bounds; chains of operators are flat in the tree and are folded here one operand at a time.

mod composite;
mod expr;
mod formula;
mod label;
mod process;

use std::sync::Arc;

use rely_syntax::{Kind, child, extent as span, token, token_extent as token_span, tokens};

use crate::ast::{
    AnimationDef, ConstDef, Definition, File, Flaws, FluentDef, Hiding, ImportDef, MenuDef, Modifiers, Name,
    Param, ProgressDef, RangeDef, SetDef, SetExpr,
};
use crate::syntax::{SyntaxKind, SyntaxNode, SyntaxToken};

/// The abstract syntax of a whole text.
pub(crate) fn file(root: &SyntaxNode) -> File {
    File {
        definitions: root.children().filter_map(|node| definition(&node)).collect(),
        flaws: Flaws::default(),
    }
}

/// The names that may be defined in parts that could not be read, sorted: upper-case names that were skipped, those
/// of incomplete definitions and parameters, and all indices, which are recognised by their `:`.
pub(crate) fn unread_names(root: &SyntaxNode) -> Vec<Arc<str>> {
    let mut names: Vec<Arc<str>> = Vec::new();
    for node in root.children() {
        let is_incomplete = definition(&node).is_none();
        for inner in node.descendants() {
            let is_unread = match inner.kind() {
                SyntaxKind::Unreadable => true,
                SyntaxKind::Name => {
                    is_incomplete || inner.parent().is_some_and(|parent| lacks_value(&parent))
                }
                _ => false,
            };
            let upper = tokens(&inner).filter(|token| is_unread && token.kind() == SyntaxKind::Upper);
            names.extend(upper.map(|token| token.text().into()));
        }
    }
    let all = root.descendants_with_tokens().filter_map(|element| element.into_token());
    let all: Vec<SyntaxToken> = all.filter(|token| !token.kind().is_trivia()).collect();
    let is_index =
        |pair: &&[SyntaxToken]| pair[0].kind() == SyntaxKind::Lower && pair[1].kind() == SyntaxKind::Colon;
    names.extend(all.windows(2).filter(is_index).map(|pair| pair[0].text().into()));
    names.sort_unstable();
    names.dedup();
    names
}

/// Whether a node is a parameter without its default value.
fn lacks_value(node: &SyntaxNode) -> bool {
    node.kind() == SyntaxKind::Param && expr::children(node).next().is_none()
}

fn definition(node: &SyntaxNode) -> Option<Definition> {
    Some(match node.kind() {
        SyntaxKind::ConstDef => Definition::Const(constant(node)?),
        SyntaxKind::RangeDef => Definition::Range(range(node)?),
        SyntaxKind::SetDef => Definition::Set(set(node)?),
        SyntaxKind::ProcessDef => Definition::Process(process::process(node)?),
        SyntaxKind::CompositeDef => Definition::Composite(composite::definition(node)?),
        SyntaxKind::ImportDef => Definition::Import(import(node)?),
        SyntaxKind::ProgressDef => Definition::Progress(progress(node)?),
        SyntaxKind::MenuDef => Definition::Menu(menu(node)?),
        SyntaxKind::AnimationDef => {
            Definition::Animation(AnimationDef { name: defined_name(node)?, span: span(node) })
        }
        SyntaxKind::FluentDef => Definition::Fluent(fluent(node)?),
        SyntaxKind::AssertDef => Definition::Assert(formula::assertion(node)?),
        _ => return None,
    })
}

fn constant(node: &SyntaxNode) -> Option<ConstDef> {
    Some(ConstDef { name: defined_name(node)?, value: expr::children(node).next()? })
}

fn range(node: &SyntaxNode) -> Option<RangeDef> {
    let mut bounds = expr::children(node);
    Some(RangeDef { name: defined_name(node)?, low: bounds.next()?, high: bounds.next()? })
}

fn set(node: &SyntaxNode) -> Option<SetDef> {
    let labels = label::literal(&child(node, SyntaxKind::SetLiteral)?);
    Some(SetDef { name: defined_name(node)?, labels })
}

fn import(node: &SyntaxNode) -> Option<ImportDef> {
    let written = token(node, SyntaxKind::Text)?;
    let text = written.text().trim_matches(['"', '“', '”', '„']);
    Some(ImportDef {
        name: defined_name(node)?,
        path: Name { text: Arc::from(text), span: token_span(&written) },
    })
}

fn progress(node: &SyntaxNode) -> Option<ProgressDef> {
    let mut actions: Vec<_> = label::children(node).collect();
    let last = actions.pop()?;
    let condition = actions.pop();
    if condition.is_some() != token(node, SyntaxKind::IfKw).is_some() {
        return None;
    }
    Some(ProgressDef { name: defined_name(node)?, indices: label::indices(node), condition, actions: last })
}

fn menu(node: &SyntaxNode) -> Option<MenuDef> {
    Some(MenuDef { name: defined_name(node)?, actions: label::children(node).next()? })
}

fn fluent(node: &SyntaxNode) -> Option<FluentDef> {
    let mut actions = label::children(node);
    Some(FluentDef {
        name: defined_name(node)?,
        indices: label::indices(node),
        on: actions.next()?,
        off: actions.next()?,
        initially: expr::children(node).next(),
    })
}

/// The keywords before a process or a composition.
fn modifiers(node: &SyntaxNode) -> Modifiers {
    let has = |kind| token(node, kind).is_some();
    Modifiers {
        deterministic: has(SyntaxKind::DeterministicKw),
        minimal: has(SyntaxKind::MinimalKw),
        compose: has(SyntaxKind::ComposeKw),
        property: has(SyntaxKind::PropertyKw),
        interface: token(node, SyntaxKind::Lower).is_some_and(|word| word.text() == "interface"),
    }
}

/// The parameters that are defined in a node.
fn params(node: &SyntaxNode) -> Vec<Param> {
    let list = child(node, SyntaxKind::ParamList);
    let params = list.iter().flat_map(|list| list.children());
    params
        .filter_map(|param| {
            Some(Param { name: defined_name(&param)?, default: expr::children(&param).next()? })
        })
        .collect()
}

/// The set behind `+`.
fn extension(node: &SyntaxNode) -> Option<SetExpr> {
    label::set_child(&child(node, SyntaxKind::Extension)?)
}

/// The set behind `\` or `@`.
fn hiding(node: &SyntaxNode) -> Option<Hiding> {
    let hiding = child(node, SyntaxKind::Hiding)?;
    Some(Hiding { expose: token(&hiding, SyntaxKind::At).is_some(), labels: label::set_child(&hiding)? })
}

/// The name that a definition gives.
fn defined_name(node: &SyntaxNode) -> Option<Name> {
    name_token(&child(node, SyntaxKind::Name)?)
}

/// The first identifier that stands directly in a node.
fn name_token(node: &SyntaxNode) -> Option<Name> {
    tokens(node).find(is_name).map(|token| name(&token))
}

/// Whether the token is a name, or something that the parser treated as one.
fn is_name(token: &SyntaxToken) -> bool {
    matches!(token.kind(), SyntaxKind::Upper | SyntaxKind::Lower) || token.kind().is_keyword()
}

fn name(token: &SyntaxToken) -> Name {
    Name { text: Arc::from(token.text()), span: token_span(token) }
}
