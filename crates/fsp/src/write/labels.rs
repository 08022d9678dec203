//! Sets of actions, written briefly: `task[1..2].{abort, finish}` for four names.
//!
//! *Idea*: a name is a sequence of parts, and a *pattern* has a choice in the place of each part: a range of numbers,
//! or some names. It stands for all combinations of choices. Two patterns that differ in one place only can be joined
//! to a pattern with both choices there, if these are consecutive numbers, or names. This is tried at each place,
//! from the last to the first.
//!
//! *Invariant*: at any time the patterns stand for exactly the given names, each of them once.
//!
//! The result need not be the shortest possible; finding that would be a covering problem.

use std::cmp::Ordering;
use std::fmt::Write as _;

use crate::lexer::lex;
use crate::syntax::SyntaxKind;

/// Maximum length of the name of an action that can certainly be read back.
const MAX_NAME: usize = 1 << 12;

/// Maximum number of bytes of names in the braces of one pattern, since lines are broken only between patterns.
const MAX_BRACES: usize = 60;

/// A part of the name of an action.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Part<'a> {
    /// A number, in brackets.
    Index(i32),
    /// A lower-case name.
    Name(&'a str),
}

/// The choice of a pattern in one place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Choice<'a> {
    /// The numbers from the first to the second.
    Range(i32, i32),
    /// Names, in order.
    Names(Vec<&'a str>),
}

/// A choice for each part.
type Pattern<'a> = Vec<Choice<'a>>;

/// The parts of a name, if FSP can spell all of them.
pub(super) fn parts_of(name: &str) -> Option<Vec<Part<'_>>> {
    if name.len() > MAX_NAME {
        return None;
    }
    name.split('.').map(part_of).collect()
}

fn part_of(part: &str) -> Option<Part<'_>> {
    // The smallest number is written as a minus before a number that is too large.
    match part.parse::<i32>() {
        Ok(number) if number > i32::MIN && number.to_string() == part => Some(Part::Index(number)),
        _ => (is_token(part, SyntaxKind::Lower) && part != "tau").then_some(Part::Name(part)),
    }
}

/// Whether a text can be the name of a process.
pub(super) fn is_process_name(name: &str) -> bool {
    is_token(name, SyntaxKind::Upper) && !matches!(name, "STOP" | "END" | "ERROR")
}

/// Whether a text is one token of a kind, and nothing about it would be reported.
fn is_token(text: &str, kind: SyntaxKind) -> bool {
    // Letters that the lexer accepts only with a warning are not written.
    text.len() <= MAX_NAME && text.is_ascii() && {
        let (tokens, diagnostics) = lex(text);
        diagnostics.is_empty() && matches!(&*tokens, [token] if token.kind == kind)
    }
}

/// Labels that together stand for some names, in dictionary order, numbers as numbers.
pub(super) fn spell_set(names: &[&[Part<'_>]]) -> Vec<String> {
    let mut patterns: Vec<Pattern<'_>> =
        names.iter().map(|name| name.iter().map(|&part| Choice::of(part)).collect()).collect();
    let longest = patterns.iter().map(Vec::len).max().unwrap_or(0);
    for place in (0..longest).rev() {
        patterns = joined_at(place, patterns);
    }
    patterns.sort_unstable();
    patterns.iter().map(spell).collect()
}

/// The patterns after joining those that differ only at a place, as far as possible.
fn joined_at(place: usize, patterns: Vec<Pattern<'_>>) -> Vec<Pattern<'_>> {
    let mut patterns = patterns;
    // Sorting makes those that differ only at the place adjacent, in the order of their choices there.
    patterns.sort_unstable_by(|one, other| {
        compare_elsewhere(one, other, place).then_with(|| one.get(place).cmp(&other.get(place)))
    });
    let mut joined: Vec<Pattern<'_>> = Vec::new();
    for pattern in patterns {
        let is_joined = joined.last_mut().is_some_and(|last| {
            compare_elsewhere(last, &pattern, place).is_eq() && join(last, &pattern, place)
        });
        if !is_joined {
            joined.push(pattern);
        }
    }
    joined
}

/// Compares two patterns without looking at a place.
fn compare_elsewhere(one: &Pattern<'_>, other: &Pattern<'_>, place: usize) -> Ordering {
    let elsewhere = |pattern: &Pattern<'_>| pattern.len().min(place);
    let behind = |pattern: &Pattern<'_>| pattern.len().min(place + 1);
    one.len()
        .cmp(&other.len())
        .then_with(|| one[..elsewhere(one)].cmp(&other[..elsewhere(other)]))
        .then_with(|| one[behind(one)..].cmp(&other[behind(other)..]))
}

/// Joins the choice of the next pattern at a place to a pattern, if one choice can stand for both.
fn join<'a>(pattern: &mut Pattern<'a>, next: &Pattern<'a>, place: usize) -> bool {
    // A name of one part stands in the braces of the whole set already.
    let is_nested = pattern.len() > 1;
    match (pattern.get_mut(place), next.get(place)) {
        (Some(Choice::Range(_, last)), Some(&Choice::Range(first, end)))
            if last.checked_add(1) == Some(first) =>
        {
            *last = end;
            true
        }
        (Some(Choice::Names(names)), Some(Choice::Names(more)))
            if is_nested && names.iter().chain(more).map(|name| name.len()).sum::<usize>() <= MAX_BRACES =>
        {
            names.extend(more);
            true
        }
        _ => false,
    }
}

impl<'a> Choice<'a> {
    fn of(part: Part<'a>) -> Self {
        match part {
            Part::Index(number) => Self::Range(number, number),
            Part::Name(name) => Self::Names(vec![name]),
        }
    }
}

fn spell(pattern: &Pattern<'_>) -> String {
    let mut text = String::new();
    for choice in pattern {
        let dot = if text.is_empty() { "" } else { "." };
        let _ = match choice {
            Choice::Range(first, last) if first == last => write!(text, "[{first}]"),
            Choice::Range(first, last) => write!(text, "[{first}..{last}]"),
            Choice::Names(names) => match &**names {
                [name] => write!(text, "{dot}{name}"),
                names => write!(text, "{dot}{{{}}}", names.join(", ")),
            },
        };
    }
    text
}
