//! The grammar, one function for each production, and the definitions of the top level.
//!
//! Where a text is wrong, the functions say what is wrong, take what was most probably meant, and go on with the next
//! member or definition.

mod component;
mod composition;
mod expr;
mod process;
mod property;
mod recover;
mod statement;

use rely_syntax::Kind;

use super::Parser;
use super::SyntaxKind::{Arrow, Assign, BoolKw, Colon, Comma, LeftBracket, LeftParen, RightParen};
use super::SyntaxKind::{
    ComponentKw, ConstDef, ConstKw, DotDot, EndOfText, Equal, EqualEqual, File, Ident, ImportDef, ImportKw,
    LeftBrace, Message, Name, Param, PropertyKw, RangeDef, RangeKw, RightBrace, Text, Type, TypeDef, TypeKw,
};
use crate::codes;

/// The whole text.
pub(super) fn file(p: &mut Parser<'_>) {
    let file = p.start();
    while !p.at(EndOfText) {
        let start = p.span(0).start;
        p.be_certain();
        definition(p);
        p.end_definition(start);
    }
    p.complete(file, File);
}

/// One definition. Consumes at least one token.
fn definition(p: &mut Parser<'_>) {
    let definition = p.start();
    let (kind, is_read) = match p.current() {
        ConstKw => {
            p.bump();
            (ConstDef, name(p, "a constant") && equal(p) && expr::additive(p))
        }
        RangeKw => {
            p.bump();
            (RangeDef, name(p, "a range") && equal(p) && range(p))
        }
        TypeKw => {
            p.bump();
            (TypeDef, name(p, "a type") && equal(p) && type_expr(p))
        }
        ImportKw => {
            p.bump();
            let is_read = p.eat(Text);
            if !is_read {
                p.expected("the name of a file in quotes");
            }
            (ImportDef, is_read)
        }
        ComponentKw => {
            component::definition(p, definition);
            return;
        }
        PropertyKw => {
            p.abandon(definition);
            if !property::definition(p) {
                recover::skip_definition(p);
            }
            return;
        }
        _ => {
            p.abandon(definition);
            no_definition(p);
            return;
        }
    };
    if !is_read {
        recover::skip_definition(p);
    }
    p.complete(definition, kind);
}

/// Something that begins no definition.
fn no_definition(p: &mut Parser<'_>) {
    let found = p.found();
    if p.at(RightBrace) {
        let message = format!("this {found} closes nothing");
        p.error_with_help(
            codes::UNOPENED_BRACKET,
            message,
            "delete it, or open the bracket that it should close",
        );
    } else {
        let help = "a definition begins with one of the words `component`, `const`, `range`, `type`, `import` and `property`";
        p.error_with_help(codes::NO_DEFINITION, format!("expected a definition, found {found}"), help);
    }
    recover::skip_token(p);
    recover::skip_definition(p);
}

/// The name that a definition gives; `what` says to what.
fn name(p: &mut Parser<'_>, what: &str) -> bool {
    let name = p.start();
    if p.current().is_keyword() && !p.is_first_of_line(0) {
        let message = format!("`{}` is a reserved word and cannot be the name of {what}", p.text(0));
        p.error_with_help(codes::KEYWORD_AS_NAME, message, "choose another name");
    } else if !p.at(Ident) {
        p.expected(&format!("the name of {what}"));
        p.abandon(name);
        return false;
    }
    p.bump();
    p.complete(name, Name);
    true
}

/// `=`
fn equal(p: &mut Parser<'_>) -> bool {
    if p.at(EqualEqual) || p.at(Assign) {
        let message = format!("expected `=`, found `{}`", p.text(0));
        p.error_with_help(codes::EQUALITY, message, "a definition is made with `=`");
        p.bump();
        return true;
    }
    p.expect(Equal)
}

/// `0..3`
fn range(p: &mut Parser<'_>) -> bool {
    expr::additive(p) && range_end(p)
}

/// The `..3` of a range.
fn range_end(p: &mut Parser<'_>) -> bool {
    if !p.at(DotDot) {
        p.expected_as(codes::RANGE, "`..` and the greatest value of the range");
        return false;
    }
    p.bump();
    expr::additive(p)
}

/// `bool`, `0..3`, `{red, green}`, or the name of a type.
fn type_expr(p: &mut Parser<'_>) -> bool {
    let node = p.start();
    let is_read = match p.current() {
        BoolKw => {
            p.bump();
            true
        }
        LeftBrace => {
            let opening = p.span(0);
            p.bump();
            let mut is_read = name(p, "a value");
            while is_read && p.eat(Comma) {
                is_read = name(p, "a value");
            }
            is_read && recover::close(p, RightBrace, opening)
        }
        Ident if p.nth(1) != DotDot && !expr::at_additive_operator(p, 1) => name(p, "a type"),
        _ => range(p),
    };
    p.complete(node, Type);
    is_read
}

/// `Output(value: 0..1)`
fn message(p: &mut Parser<'_>) -> bool {
    let message = p.start();
    let mut is_read = name(p, "a message");
    if is_read && p.at(LeftParen) {
        let opening = p.span(0);
        p.bump();
        is_read = param(p);
        while is_read && p.eat(Comma) {
            is_read = param(p);
        }
        is_read = is_read && recover::close(p, RightParen, opening);
    }
    p.complete(message, Message);
    is_read
}

/// `value: 0..1`
fn param(p: &mut Parser<'_>) -> bool {
    let param = p.start();
    let is_read = name(p, "a parameter") && p.expect(Colon) && type_expr(p);
    p.complete(param, Param);
    is_read
}

/// Whether a variable or a transition stands here, rather than a message.
fn begins_member(p: &Parser<'_>) -> bool {
    matches!(p.nth(1), Colon | Arrow | LeftBracket)
}

/// `a, b(x: bool), c`: the messages behind `input` or `output`.
fn messages(p: &mut Parser<'_>) -> bool {
    let mut is_read = message(p);
    while is_read && (p.at(Comma) || (p.at(Ident) && !p.is_first_of_line(0) && !begins_member(p))) {
        if !p.eat(Comma) {
            let message = format!("expected `,` between two messages, found {}", p.found());
            p.error_with_help(codes::SEPARATOR, message, "put `,` before it");
        }
        is_read = message(p);
    }
    is_read
}
