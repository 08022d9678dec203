//! The grammar of quantified regular expressions.

use rely_base::{Diagnostic, Span};
use rely_syntax::{MAX_HEIGHT, Parser, nearest};

use super::kind::Token::{self, *};
use super::{Quantifier, Regex};
use crate::codes;

type P<'t> = Parser<'t, Token>;

/// A property as it is written.
pub(super) struct Written {
    /// The name before `:`.
    pub(super) name: Option<String>,
    /// The events between braces.
    pub(super) events: Vec<(String, Span)>,
    pub(super) quantifier: Quantifier,
    pub(super) regex: Regex,
    /// For each pair of `where`, the event of the property and the event of the program.
    pub(super) renamings: Vec<(String, String, Span)>,
    pub(super) span: Span,
}

/// All properties of a text.
pub(super) fn file(p: &mut P<'_>) -> Vec<Written> {
    let mut all = Vec::new();
    while !p.at(EndOfText) {
        let start = p.span(0);
        match property(p) {
            Some(property) => all.push(property),
            None => {
                // The next property begins with `for`, or with a name and a colon.
                if p.span(0) == start {
                    p.bump();
                }
                while !(p.at(EndOfText) || p.at(For) || p.at(Name) && p.nth(1) == Colon) {
                    p.bump();
                }
                p.forget_reported();
            }
        }
    }
    all
}

fn property(p: &mut P<'_>) -> Option<Written> {
    let start = p.span(0);
    let name = if p.at(Name) && p.nth(1) == Colon {
        let name = p.text(0).to_owned();
        p.bump();
        p.bump();
        Some(name)
    } else {
        None
    };
    if !(p.expect(For) && p.expect(Events) && p.expect(OpenBrace)) {
        return None;
    }
    let events = names(p)?;
    if !(p.expect(CloseBrace) && p.expect(Show)) {
        return None;
    }
    let quantifier = match p.current() {
        All => Quantifier::All,
        No => Quantifier::No,
        _ => {
            p.expected("`all` or `no`");
            return None;
        }
    };
    p.bump();
    if !(p.expect(Executions) && p.expect(Satisfy)) {
        return None;
    }
    let regex = choice(p, &events)?;
    let mut renamings = Vec::new();
    if p.eat(Where) {
        loop {
            let span = p.span(0);
            let (event, _) = event(p, &events)?;
            if !p.expect(Equal) {
                return None;
            }
            let (meant, place) = name_of(p)?;
            renamings.push((event, meant.to_lowercase(), span.to(place)));
            if !p.eat(Comma) {
                break;
            }
        }
    }
    Some(Written { name, events, quantifier, regex, renamings, span: start.to(p.previous_span()) })
}

fn name_of(p: &mut P<'_>) -> Option<(String, Span)> {
    if !p.at(Name) {
        p.expected("the name of an event");
        return None;
    }
    let found = (p.text(0).to_owned(), p.span(0));
    p.bump();
    Some(found)
}

fn names(p: &mut P<'_>) -> Option<Vec<(String, Span)>> {
    let mut all: Vec<(String, Span)> = Vec::new();
    loop {
        let (name, span) = name_of(p)?;
        if !all.iter().any(|(known, _)| *known == name) {
            all.push((name, span));
        }
        if !p.eat(Comma) {
            return Some(all);
        }
    }
}

/// An event of the property.
fn event(p: &mut P<'_>, events: &[(String, Span)]) -> Option<(String, usize)> {
    let span = p.span(0);
    let (name, _) = name_of(p)?;
    let Some(at) = events.iter().position(|(known, _)| *known == name) else {
        let message = format!("`{name}` is not among the events of the property");
        let mut diagnostic = Diagnostic::error(codes::QRE_EVENT, span, message);
        diagnostic = match nearest(&name, events.iter().map(|(known, _)| known.as_str())) {
            Some(meant) => diagnostic.did_you_mean(meant),
            None => diagnostic.with_help("add it to `for events {…}`"),
        };
        p.forget_reported();
        p.report(diagnostic);
        p.forget_reported();
        return Some((name, 0));
    };
    Some((name, at))
}

fn choice(p: &mut P<'_>, events: &[(String, Span)]) -> Option<Regex> {
    if !p.enter() {
        p.error(codes::TOO_DEEP, "this is nested too deeply");
        return None;
    }
    let mut all = vec![sequence(p, events)?];
    while p.eat(Bar) {
        all.push(sequence(p, events)?);
    }
    p.leave();
    Some(if all.len() == 1 { all.remove(0) } else { Regex::Choice(all) })
}

fn sequence(p: &mut P<'_>, events: &[(String, Span)]) -> Option<Regex> {
    let mut all = vec![repeated(p, events)?];
    while p.eat(Semicolon) {
        all.push(repeated(p, events)?);
    }
    Some(if all.len() == 1 { all.remove(0) } else { Regex::Sequence(all) })
}

fn repeated(p: &mut P<'_>, events: &[(String, Span)]) -> Option<Regex> {
    let mut regex = primary(p, events)?;
    for _ in 0..MAX_HEIGHT {
        regex = match p.current() {
            Star => Regex::Star(Box::new(regex)),
            Question => Regex::Choice(vec![Regex::Sequence(Vec::new()), regex]),
            Plus => Regex::Plus(Box::new(regex)),
            _ => return Some(regex),
        };
        p.bump();
    }
    p.error(codes::TOO_DEEP, "this is nested too deeply");
    None
}

fn primary(p: &mut P<'_>, events: &[(String, Span)]) -> Option<Regex> {
    match p.current() {
        Name => event(p, events).map(|(_, at)| Regex::OneOf(vec![at])),
        Dot => {
            p.bump();
            Some(Regex::OneOf((0..events.len()).collect()))
        }
        Open => {
            p.bump();
            let inner = choice(p, events)?;
            p.expect(Close).then_some(inner)
        }
        OpenBracket => {
            p.bump();
            let is_negated = p.eat(Minus);
            let mut named = Vec::new();
            loop {
                named.push(event(p, events)?.1);
                if !p.eat(Comma) {
                    break;
                }
            }
            let chosen = (0..events.len()).filter(|at| named.contains(at) != is_negated).collect();
            p.expect(CloseBracket).then_some(Regex::OneOf(chosen))
        }
        _ => {
            p.expected("an event, `.`, `[` or `(`");
            None
        }
    }
}
