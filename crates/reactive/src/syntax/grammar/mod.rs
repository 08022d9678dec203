//! The grammar, one function for each production: files, systems, components and what stands in them.
//!
//! Items have no sign at their end: each begins with a keyword, and ends where the next one begins. Where an item cannot
//! be read, its rest is passed over and the next one is read as if nothing had happened.

mod expr;
mod machine;
mod recover;
mod rule;

use rely_syntax::Kind;

use super::SyntaxKind::{
    self, AssumeDef, AssumeKw, AtKw, Binder, Colon, Comma, ComponentDef, ComponentKw, ConstDef, ConstKw,
    Domain, DotDot, EndOfText, Equal, EqualEqual, EventDecl, EventsDef, File, FromKw, GivesKw, Index,
    InputKw, Instant, LeftBrace, LeftBracket, LeftParen, Lower, MachineKw, MacrostepKw, MicrostepKw, Name,
    OutputKw, Param, ParamList, PropertyDef, PropertyKw, RangeDef, RangeKw, RightBrace, RightBracket,
    RightParen, Semicolon, Sources, SystemDef, SystemKw, TakesKw, Upper,
};
use crate::codes;
use recover::{close, skip_item, skip_token};

/// The parser of this language.
type Parser<'t> = rely_syntax::Parser<'t, SyntaxKind>;

/// The whole text.
pub(super) fn file(p: &mut Parser<'_>) {
    let file = p.start();
    while !p.at(EndOfText) {
        p.be_certain();
        match p.current() {
            ConstKw => constant(p),
            RangeKw => range(p),
            SystemKw => system(p),
            Semicolon => separator(p),
            _ => {
                let message = format!("expected a definition, found {}", p.found());
                let help = "a file has constants, ranges and systems: `const N = 3`, `range R = 1..N`, `system S { … }`";
                p.error_with_help(codes::NO_DEFINITION, message, help);
                skip_token(p);
                skip_item(p);
            }
        }
    }
    p.complete(file, File);
}

/// `const N = 3`
fn constant(p: &mut Parser<'_>) {
    let start = p.span(0).start;
    let definition = p.start();
    p.bump();
    if !(defined_name(p, Upper, "a constant") && equal(p) && expr::expr(p)) {
        skip_item(p);
    }
    p.complete(definition, ConstDef);
    p.end_definition(start);
}

/// `range R = 1..N`
fn range(p: &mut Parser<'_>) {
    let start = p.span(0).start;
    let definition = p.start();
    p.bump();
    if !(defined_name(p, Upper, "a range") && equal(p) && domain(p)) {
        skip_item(p);
    }
    p.complete(definition, RangeDef);
    p.end_definition(start);
}

/// `system S(N = 2) { … }`
fn system(p: &mut Parser<'_>) {
    let definition = p.start();
    p.bump();
    if defined_name(p, Upper, "a system") && params(p) {
        body(p, "system", |p| p.at(SystemKw), item);
    } else {
        skip_item(p);
    }
    p.complete(definition, SystemDef);
}

/// `(N = 2, M = 3)`
fn params(p: &mut Parser<'_>) -> bool {
    if !p.at(LeftParen) {
        return true;
    }
    let list = p.start();
    let opening = p.span(0);
    p.bump();
    loop {
        let param = p.start();
        let is_read = defined_name(p, Upper, "a parameter") && equal(p) && expr::expr(p);
        p.complete(param, Param);
        if !is_read {
            p.complete(list, ParamList);
            return false;
        }
        if !p.eat(Comma) {
            break;
        }
    }
    let is_closed = close(p, RightParen, opening);
    p.complete(list, ParamList);
    is_closed
}

/// `{ … }` around items. `one` reads one of them and consumes at least one token; what satisfies `stop` belongs to no
/// item, so that a `}` must be missing before it.
fn body(p: &mut Parser<'_>, what: &str, stop: fn(&Parser<'_>) -> bool, one: fn(&mut Parser<'_>)) {
    if !p.at(LeftBrace) {
        let message = format!("expected `{{` and the parts of the {what}, found {}", p.found());
        p.error(codes::EXPECTED, message);
        skip_item(p);
        return;
    }
    let opening = p.span(0);
    p.bump();
    while !matches!(p.current(), RightBrace | EndOfText) && !stop(p) {
        if p.at(Semicolon) {
            separator(p);
            continue;
        }
        let start = p.span(0).start;
        p.be_certain();
        one(p);
        p.end_definition(start);
    }
    p.be_certain();
    close(p, RightBrace, opening);
}

/// A `;`, of which the language has none.
fn separator(p: &mut Parser<'_>) {
    p.error_with_help(
        codes::SEPARATOR,
        "nothing ends with `;` here",
        "delete it: an item ends where the next begins",
    );
    skip_token(p);
}

/// One part of a system or of a component.
fn item(p: &mut Parser<'_>) {
    match p.current() {
        InputKw | OutputKw | TakesKw | GivesKw => events(p),
        MachineKw => machine::machine(p),
        ComponentKw => component(p),
        PropertyKw => property(p),
        AssumeKw => assumption(p),
        _ => no_item(p),
    }
}

fn no_item(p: &mut Parser<'_>) {
    let message = format!("expected a part of the system, found {}", p.found());
    let help = match p.current() {
        Lower if p.nth(1) == SyntaxKind::Arrow => "a transition stands in a machine: `machine M { … }`",
        Upper => "a machine begins with `machine`, a component with `component`",
        _ => {
            "parts begin with `input`, `output`, `takes`, `gives`, `machine`, `component`, `property` or `assume`"
        }
    };
    p.error_with_help(codes::NO_DEFINITION, message, help);
    skip_token(p);
    skip_item(p);
}

/// `input a, b[1..N]`, `input one of a, b`
fn events(p: &mut Parser<'_>) {
    let definition = p.start();
    let is_input = p.at(InputKw);
    p.bump();
    if p.at(Lower) && p.text(0) == "one" && p.nth(1) == Lower && p.text(1) == "of" {
        if !is_input {
            let help = "only events from outside can be told to exclude each other";
            p.error_with_help(codes::MISPLACED, "`one of` belongs to `input`", help);
        }
        p.bump();
        p.bump();
    }
    loop {
        if !event(p) {
            skip_item(p);
            break;
        }
        if !p.eat(Comma) {
            break;
        }
    }
    p.complete(definition, EventsDef);
}

/// `a`, `b[2]`, `c[1..N]`
fn event(p: &mut Parser<'_>) -> bool {
    let declaration = p.start();
    let is_read = defined_name(p, Lower, "an event") && indices(p);
    p.complete(declaration, EventDecl);
    is_read
}

/// `[1..N][2]`, or nothing.
fn indices(p: &mut Parser<'_>) -> bool {
    while p.at(LeftBracket) {
        let index = p.start();
        let opening = p.span(0);
        p.bump();
        let is_read = domain(p) && close(p, RightBracket, opening);
        p.complete(index, Index);
        if !is_read {
            return false;
        }
    }
    true
}

/// `[i: 1..N][j: R]`, or nothing.
fn binders(p: &mut Parser<'_>) -> bool {
    while p.at(LeftBracket) {
        let binder = p.start();
        let opening = p.span(0);
        p.bump();
        let is_read = bound(p) && close(p, RightBracket, opening);
        p.complete(binder, Binder);
        if !is_read {
            return false;
        }
    }
    true
}

/// The `i: 1..N` of a binder.
fn bound(p: &mut Parser<'_>) -> bool {
    if !matches!(p.current(), Lower | Upper) || p.nth(1) != Colon {
        let message = format!("expected a variable and its range, found {}", p.found());
        p.error_with_help(codes::EXPECTED, message, "write the index as in `[i: 1..3]`");
        return false;
    }
    defined_name(p, Lower, "an index variable") && p.expect(Colon) && domain(p)
}

/// `1..N`, `R` or `2`
fn domain(p: &mut Parser<'_>) -> bool {
    let domain = p.start();
    let is_read = expr::additive(p) && (!p.eat(DotDot) || expr::additive(p));
    p.complete(domain, Domain);
    is_read
}

/// `component C[i: 1..N] { … }`
fn component(p: &mut Parser<'_>) {
    let definition = p.start();
    p.bump();
    if defined_name(p, Upper, "a component") && binders(p) {
        body(p, "component", |p| p.at(SystemKw), part);
    } else {
        skip_item(p);
    }
    p.complete(definition, ComponentDef);
}

/// One part of a component.
fn part(p: &mut Parser<'_>) {
    if p.at(ComponentKw) {
        let help = "put the components side by side, or merge their machines";
        p.error_with_help(codes::MISPLACED, "a component cannot stand in another one", help);
    }
    item(p);
}

/// `property p[i: 1..N] at macrostep: formula from q, r`
fn property(p: &mut Parser<'_>) {
    let definition = p.start();
    p.bump();
    let is_read = defined_name(p, Lower, "a property")
        && binders(p)
        && instant(p)
        && p.expect(Colon)
        && expr::expr(p)
        && sources(p);
    if !is_read {
        skip_item(p);
    }
    p.complete(definition, PropertyDef);
}

/// `at macrostep`, `at microstep`, `at microstep 3`
fn instant(p: &mut Parser<'_>) -> bool {
    let instant = p.start();
    let is_read = p.at(AtKw) && matches!(p.nth(1), MacrostepKw | MicrostepKw);
    if !is_read {
        let message = format!("expected `at macrostep` or `at microstep`, found {}", p.found());
        let help =
            "say when the property is to hold: `property p at macrostep: …` or `property p at microstep: …`";
        p.error_with_help(codes::EXPECTED, message, help);
        p.abandon(instant);
        return false;
    }
    p.bump();
    let counts = p.at(MicrostepKw) && p.nth(1) != Colon;
    p.bump();
    let is_read = !counts || expr::additive(p);
    p.complete(instant, Instant);
    is_read
}

/// `from Water.risk_is_real, Control.stop_has_reason`
fn sources(p: &mut Parser<'_>) -> bool {
    if !p.at(FromKw) {
        return true;
    }
    let sources = p.start();
    p.bump();
    let mut is_read = true;
    while is_read {
        is_read = expr::path(p);
        if !p.eat(Comma) {
            break;
        }
    }
    p.complete(sources, Sources);
    is_read
}

/// `assume a: formula`, `assume a { rules }`
fn assumption(p: &mut Parser<'_>) {
    let definition = p.start();
    p.bump();
    let is_named = defined_name(p, Lower, "an assumption") && binders(p);
    if is_named && p.at(LeftBrace) {
        body(p, "assumption", recover::at_item, rule::rule);
        p.complete(definition, AssumeDef);
        return;
    }
    let is_read = is_named && p.expect(Colon) && expr::expr(p);
    if !is_read {
        skip_item(p);
    }
    p.complete(definition, AssumeDef);
}

/// The name that a definition gives; `what` says to what, and `kind` whether it begins with a capital.
fn defined_name(p: &mut Parser<'_>, kind: SyntaxKind, what: &str) -> bool {
    let name = p.start();
    match p.current() {
        found if found == kind => p.bump(),
        Upper | Lower => {
            let (letter, meant) = match kind {
                Upper => ("an upper-case", capitalised(p.text(0))),
                _ => ("a lower-case", p.text(0).to_ascii_lowercase()),
            };
            let message = format!("the name of {what} begins with {letter} letter");
            p.error_with_help(codes::CASE, message, format!("did you mean `{meant}`?"));
            p.bump();
        }
        found if found.is_keyword() => {
            let message = format!("`{}` is a keyword and cannot be the name of {what}", p.text(0));
            p.error_with_help(codes::KEYWORD_AS_NAME, message, "choose another name");
            p.abandon(name);
            return false;
        }
        _ => {
            p.expected(&format!("the name of {what}"));
            p.abandon(name);
            return false;
        }
    }
    p.complete(name, Name);
    true
}

fn capitalised(name: &str) -> String {
    let mut letters = name.trim_start_matches('_').chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

/// `=`
fn equal(p: &mut Parser<'_>) -> bool {
    if p.at(EqualEqual) {
        let help = "`==` compares; a definition is made with `=`";
        p.error_with_help(codes::EXPECTED, "expected `=`, found `==`", help);
        p.bump();
        return true;
    }
    p.expect(Equal)
}
