//! Components: interfaces, processes and properties; or a composition of others.

use super::super::Parser;
use super::super::SyntaxKind::{
    ComponentDef, Equal, InputKw, InputList, LeftBrace, OutputKw, OutputList, ProcessKw, PropertyKw,
    QueueBound, QueueKw,
};
use super::{composition, expr, messages, name, process, property, recover};
use crate::codes;
use rely_syntax::Marker;

/// `component C { … }` or `component C = A || B { … }`
pub(super) fn definition(p: &mut Parser<'_>, definition: Marker) {
    p.bump();
    let mut is_read = name(p, "a component");
    if is_read {
        is_read = match p.current() {
            Equal => composition::parts(p) && (!p.at(LeftBrace) || recover::block(p, composition::member)),
            LeftBrace => recover::block(p, member),
            _ => {
                p.expected("`{` and the members of the component, or `=` and its parts");
                false
            }
        };
    }
    if !is_read {
        recover::skip_definition(p);
    }
    p.complete(definition, ComponentDef);
}

/// A member of a component that is not composed.
fn member(p: &mut Parser<'_>) -> bool {
    match p.current() {
        InputKw | OutputKw => {
            let kind = if p.at(InputKw) { InputList } else { OutputList };
            let list = p.start();
            p.bump();
            let is_read = messages(p);
            p.complete(list, kind);
            is_read
        }
        QueueKw => queue(p),
        ProcessKw => process::definition(p),
        PropertyKw => property::definition(p),
        _ => {
            let message = format!("expected a member of the component, found {}", p.found());
            let help = "a component has `input`, `output`, `queue`, `process` and `property`";
            p.error_with_help(codes::NO_MEMBER, message, help);
            false
        }
    }
}

/// `queue 3`
pub(super) fn queue(p: &mut Parser<'_>) -> bool {
    let bound = p.start();
    p.bump();
    let is_read = expr::additive(p);
    p.complete(bound, QueueBound);
    is_read
}
