//! The grammar: one function for each production, which reads tokens and gives abstract syntax.
//!
//! A production that cannot go on complains once and returns nothing. Lists then recover: a list of statements goes on
//! after the next `;`, or at a word that begins a statement or ends the list.

mod declarations;
mod expressions;
mod protected;
mod statements;

use rely_base::{Diagnostic, Span};
use rely_syntax::Parser;

use crate::ast::{Context, File, Ident};
use crate::codes;
use crate::kind::Token::{self, *};

type P<'t> = Parser<'t, Token>;

/// A whole text: packages and the main procedure, each behind its context clauses.
pub(crate) fn file(p: &mut P<'_>) -> File {
    let mut file = File::default();
    let mut context = Context::new();
    loop {
        match p.current() {
            EndOfText => break,
            With | Use => context_clause(p, &mut context),
            Pragma => {
                declarations::pragma(p);
            }
            Procedure | Function => main(p, &mut file, std::mem::take(&mut context)),
            Package => {
                p.be_certain();
                let context = std::mem::take(&mut context);
                match declarations::package(p, &mut file.unread) {
                    Some(package) => file.packages.push((context, package)),
                    None => skip_to(p, &[With, Use, Procedure, Function, Package]),
                }
            }
            Generic | Private | Separate => library_unit(p),
            _ => {
                p.expected("`with`, a package or the main procedure");
                skip_to(p, &[With, Use, Procedure, Function, Package]);
            }
        }
    }
    if file.main.is_none() {
        let message = "there is no main procedure";
        p.report(Diagnostic::error(codes::NO_MAIN, p.span(0), message).with_help(
            "write `procedure Main is … begin … end Main;` with the tasks in its declarative part",
        ));
    }
    file
}

fn main(p: &mut P<'_>, file: &mut File, context: Context) {
    p.be_certain();
    let before = p.span(0);
    let subprogram = declarations::subprogram(p, &mut file.unread);
    match subprogram {
        Some(subprogram) if file.main.is_some() => {
            let message = format!("`{}` is a second library unit", subprogram.name.text);
            p.report(Diagnostic::error(codes::OUTSIDE, subprogram.name.span, message).with_help(
                "a file has one main procedure; move this one into a package, or into its declarative part",
            ));
            p.forget_reported();
        }
        Some(subprogram) => (file.main, file.context) = (Some(subprogram), context),
        None if p.span(0) == before => p.bump(),
        None => skip_to(p, &[Procedure, Function, Package]),
    }
}

/// A library unit that is neither procedure nor package is refused, and passed over up to its `end` with its name.
fn library_unit(p: &mut P<'_>) {
    let span = p.span(0);
    outside_at(
        p,
        span,
        "a generic, private or separate library unit",
        "put what it declares into a package, or into the declarative part of the main procedure",
    );
    let name = (1..3).find(|&n| p.nth(n) == Name).map(|n| p.text(n).to_lowercase());
    let ends = |p: &P<'_>| p.at(End) && p.nth(1) == Name && Some(p.text(1).to_lowercase()) == name;
    while !p.at(EndOfText) && !ends(p) {
        p.bump();
    }
    skip_past_semicolon(p);
}

fn context_clause(p: &mut P<'_>, context: &mut Context) {
    let is_use = p.at(Use);
    p.bump();
    while let Some(name) = dotted(p) {
        context.push((name, is_use));
        if !p.eat(Comma) {
            break;
        }
    }
    semicolon(p);
}

/// A name, in lower case.
fn ident(p: &mut P<'_>) -> Option<Ident> {
    if !p.at(Name) {
        p.expected("a name");
        return None;
    }
    let ident = Ident { text: p.text(0).to_lowercase().into(), span: p.span(0) };
    p.bump();
    Some(ident)
}

/// Names with dots between them, as one name.
fn dotted(p: &mut P<'_>) -> Option<Ident> {
    let first = ident(p)?;
    let (mut text, mut span) = (first.text.to_string(), first.span);
    while p.eat(Dot) {
        let next = ident(p)?;
        text.push('.');
        text.push_str(&next.text);
        span = span.to(next.span);
    }
    Some(Ident { text: text.into(), span })
}

/// The name after `end`, if there is one, has to be the right one.
fn end_name(p: &mut P<'_>, name: &Ident) {
    if !p.at(Name) {
        return;
    }
    let span = p.span(0);
    if let Some(found) = dotted(p)
        && found.text != name.text
    {
        let message = format!("`{}` ends here, not `{}`", name.text, found.text);
        let diagnostic = Diagnostic::error(codes::END_NAME, span.to(found.span), message)
            .with_note(name.span, format!("`{}` begins here", name.text))
            .with_help("every `begin`, `if`, `loop`, `case`, `select` and `do` needs an `end` of its own");
        p.report(diagnostic);
        p.forget_reported();
    }
}

/// A `;`. One that is missing at the end of a line is missed there, and not at what begins the next line.
fn semicolon(p: &mut P<'_>) -> bool {
    if p.at(Semicolon) || !p.is_first_of_line(0) {
        return p.expect(Semicolon);
    }
    let place = p.previous_span();
    let diagnostic =
        Diagnostic::error(codes::EXPECTED, place, format!("expected `;` behind `{}`", p.source(place)));
    p.report(diagnostic);
    // What follows is read as if it were there.
    p.forget_reported();
    true
}

/// Says that something is Ada, but not in the subset, and reads on after the next `;`.
fn outside(p: &mut P<'_>, what: &str, advice: &str) {
    outside_at(p, p.span(0), what, advice);
    skip_past_semicolon(p);
}

fn outside_at(p: &mut P<'_>, span: Span, what: &str, advice: &str) {
    let message = format!("{what} is outside of the subset of Ada that can be analysed");
    p.report(Diagnostic::error(codes::OUTSIDE, span, message).with_help(advice));
}

/// Reads past the next `;`, and at least one token.
fn skip_past_semicolon(p: &mut P<'_>) {
    while !p.at(Semicolon) && !p.at(EndOfText) {
        p.bump();
    }
    p.bump();
    p.forget_reported();
}

/// Reads up to one of some tokens, and at least one token.
fn skip_to(p: &mut P<'_>, kinds: &[Token]) {
    p.bump();
    while !p.at(EndOfText) && !kinds.contains(&p.current()) {
        p.bump();
    }
}
