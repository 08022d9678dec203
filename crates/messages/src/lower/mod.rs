//! From the syntax tree to the abstract syntax.
//!
//! What is incomplete in the tree is left out: the parser has said so. The recursion follows the tree, whose height the
//! parser bounds.

mod expr;
mod members;

use std::sync::Arc;

use rely_syntax::{child, children, extent as span, token, token_extent as token_span, tokens};

use crate::ast::{Body, ComponentDef, Definition, File, Name, Primitive};
use crate::syntax::{SyntaxKind, SyntaxNode};

/// The abstract syntax of a whole text.
pub(crate) fn file(root: &SyntaxNode) -> File {
    File { definitions: root.children().filter_map(|node| definition(&node)).collect(), ..File::default() }
}

fn definition(node: &SyntaxNode) -> Option<Definition> {
    Some(match node.kind() {
        SyntaxKind::ConstDef => {
            Definition::Const { name: defined_name(node)?, value: expr::children(node).next()? }
        }
        SyntaxKind::RangeDef => Definition::Type { name: defined_name(node)?, value: expr::range(node)? },
        SyntaxKind::TypeDef => Definition::Type { name: defined_name(node)?, value: expr::type_child(node)? },
        SyntaxKind::ImportDef => {
            let written = token(node, SyntaxKind::Text)?;
            let text = Arc::from(written.text().trim_matches('"'));
            Definition::Import { path: Name { text, span: token_span(&written) } }
        }
        SyntaxKind::ComponentDef => Definition::Component(component(node)?),
        SyntaxKind::PropertyDef => Definition::Property(members::property(node)?),
        _ => return None,
    })
}

fn component(node: &SyntaxNode) -> Option<ComponentDef> {
    let body = match token(node, SyntaxKind::Equal) {
        Some(_) => Body::Composition {
            parts: children(node, SyntaxKind::Part).filter_map(|part| members::part(&part)).collect(),
            wirings: children(node, SyntaxKind::Wiring).filter_map(|it| members::wiring(&it)).collect(),
        },
        None => Body::Primitive(Primitive {
            inputs: members::messages(node, SyntaxKind::InputList),
            outputs: members::messages(node, SyntaxKind::OutputList),
            queue: members::queue(node),
            processes: children(node, SyntaxKind::ProcessDef)
                .filter_map(|it| members::process(&it))
                .collect(),
        }),
    };
    let properties =
        children(node, SyntaxKind::PropertyDef).filter_map(|it| members::property(&it)).collect();
    Some(ComponentDef { name: defined_name(node)?, body, properties, span: span(node) })
}

/// The name that a definition gives.
fn defined_name(node: &SyntaxNode) -> Option<Name> {
    names(node).next()
}

/// The names that stand directly in a node.
fn names(node: &SyntaxNode) -> impl Iterator<Item = Name> {
    let named = node.children().filter(|child| child.kind() == SyntaxKind::Name);
    named.filter_map(|child| {
        let token = tokens(&child).next()?;
        Some(Name { text: Arc::from(token.text()), span: token_span(&token) })
    })
}
