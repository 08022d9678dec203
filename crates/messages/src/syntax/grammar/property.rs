//! Properties and what they assume: templates, or formulas of linear temporal logic.

use super::super::Parser;
use super::super::SyntaxKind::{
    Assuming, AssumingKw, Colon, Comma, FormulaClaim, Ident, LeftParen, PropertyDef, RightParen,
    TemplateClaim, TemplatePart,
};
use super::{expr, name, recover};
use crate::ast;

/// `property p: Repeatedly(m) assuming Never(n), …`
pub(super) fn definition(p: &mut Parser<'_>) -> bool {
    let property = p.start();
    p.bump();
    let mut is_read = name(p, "a property") && p.expect(Colon) && claim(p);
    if is_read && p.at(AssumingKw) {
        let assuming = p.start();
        p.bump();
        is_read = claim(p);
        while is_read && p.eat(Comma) {
            is_read = claim(p);
        }
        p.complete(assuming, Assuming);
    }
    p.complete(property, PropertyDef);
    is_read
}

/// A template or a formula.
fn claim(p: &mut Parser<'_>) -> bool {
    let claim = p.start();
    if !at_template(p) {
        let is_read = expr::expr(p);
        p.complete(claim, FormulaClaim);
        return is_read;
    }
    let mut is_read = true;
    while is_read && at_template(p) {
        let part = p.start();
        p.bump();
        let opening = p.span(0);
        p.bump();
        is_read = expr::expr(p) && recover::close(p, RightParen, opening);
        p.complete(part, TemplatePart);
    }
    p.complete(claim, TemplateClaim);
    is_read
}

/// Whether a word of a template stands here, before its argument.
fn at_template(p: &Parser<'_>) -> bool {
    p.at(Ident) && p.nth(1) == LeftParen && ast::TemplateWord::parse(p.text(0)).is_some()
}
