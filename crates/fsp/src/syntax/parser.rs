//! The parser of FSP: the machinery that all languages share, and the state that only FSP needs.

use std::ops::{Deref, DerefMut};

use rely_base::{Code, Span};
use rely_syntax::Token;
pub(super) use rely_syntax::{Completed, Marker};
use rustc_hash::{FxHashMap, FxHashSet};

use super::SyntaxKind;
use super::overview::Overview;
use crate::codes;

/// Errors after which it is uncertain which bracket belongs to which.
pub(super) const UNCERTAIN: &[Code] = &[
    codes::UNCLOSED_BRACKET,
    codes::UNOPENED_BRACKET,
    codes::PARENTHESES,
    codes::BRACES,
    codes::COMPOSITION_PARENTHESES,
    codes::FORMULA_PARENTHESES,
];

/// Errors after which it is still certain what was meant, so that further findings about the definition are right.
pub(super) const HARMLESS: &[Code] = &[
    codes::NO_DOT,
    codes::END_OF_DEFINITION,
    codes::UPPER_CASE,
    codes::TAIL_ORDER,
    codes::MODIFIER_ORDER,
    codes::LOWER_CASE,
    codes::CHOICE_BARS,
    codes::KEYWORD_AS_NAME,
    codes::TAU,
    codes::MARK,
    codes::MARK_PLACE,
    codes::COMPOSITION_BAR,
];

/// The meaning of `?` and `!` behind a label, which depends on the place of the label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Marks {
    /// The role of the action.
    Roles,
    /// A mistake.
    Misplaced,
    /// `!` is an operator; `?` is a mistake.
    Operators,
}

/// A parser over the tokens that are not trivia.
pub(super) struct Parser<'t> {
    /// The machinery that is not specific to FSP.
    machinery: rely_syntax::Parser<'t, SyntaxKind>,
    /// How many choices are open.
    pub(super) open_choices: u32,
    /// Whether the definition that is being read is an interface automaton.
    pub(super) is_interface: bool,
    /// The name that is being defined.
    pub(super) defined: Span,
    /// The meaning of `?` and `!` behind a label.
    pub(super) marks: Marks,
    /// Whether it has been reported that the current definition has no roles.
    pub(super) is_refused: bool,
    /// The number of labels that had a mark.
    pub(super) marked: usize,
    /// Upper-case names that have been reported, once each.
    complaints: FxHashSet<&'t str>,
    /// The sets that were defined so far, and where: their names are labels.
    sets: FxHashMap<&'t str, Span>,
    /// The names of the whole text, for advice.
    pub(super) overview: Overview<'t>,
}

impl<'t> AsMut<rely_syntax::Parser<'t, SyntaxKind>> for Parser<'t> {
    fn as_mut(&mut self) -> &mut rely_syntax::Parser<'t, SyntaxKind> {
        &mut self.machinery
    }
}

impl<'t> Deref for Parser<'t> {
    type Target = rely_syntax::Parser<'t, SyntaxKind>;

    fn deref(&self) -> &Self::Target {
        &self.machinery
    }
}

impl DerefMut for Parser<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.machinery
    }
}

impl<'t> Parser<'t> {
    /// A parser at the start of the text.
    pub(super) fn new(text: &'t str, all: &[Token<SyntaxKind>]) -> Self {
        let machinery = rely_syntax::Parser::new(text, all);
        let overview = Overview::new(text, machinery.tokens());
        Self {
            machinery,
            open_choices: 0,
            is_interface: false,
            defined: Span::new(0, 0),
            marks: Marks::Misplaced,
            is_refused: false,
            marked: 0,
            complaints: FxHashSet::default(),
            sets: FxHashMap::default(),
            overview,
        }
    }

    /// What was read. `all` are the tokens that the parser was made from, trivia included.
    pub(super) fn finish(self, all: &[Token<SyntaxKind>]) -> rely_syntax::Read {
        self.machinery.finish(all)
    }

    /// Whether the token `n` places ahead is the name of a set that was defined above.
    pub(super) fn is_set(&self, n: usize) -> bool {
        self.nth(n) == SyntaxKind::Upper && self.sets.contains_key(self.text(n))
    }

    /// Where the set with this name was defined.
    pub(super) fn set_place(&self, name: &str) -> Option<Span> {
        self.sets.get(name).copied()
    }

    /// From here on, the name is that of a set.
    pub(super) fn define_set(&mut self, name: &'t str, place: Span) {
        self.sets.entry(name).or_insert(place);
    }

    /// Whether nothing has been reported about this name yet.
    pub(super) fn is_new_complaint(&mut self, name: &'t str) -> bool {
        self.complaints.insert(name)
    }
}
