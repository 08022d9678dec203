//! The machinery under the grammar: looking ahead, consuming tokens, opening and closing nodes, and complaining.
//!
//! The grammar emits events; the tree is built from them afterwards. A node may be given a parent after it was
//! closed (`precede`), which is how `a + b` becomes a sum once the `+` is seen.
//!
//! Two rules keep one mistake from giving two messages. No second error is reported at the token where the last one
//! was. And once it is uncertain which bracket belongs to which, because tokens were skipped or a bracket is missing,
//! the rest of the definition is read in silence.

use rely_base::{Code, Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::SyntaxKind::{self, EndOfText};
use super::overview::Overview;
use crate::codes;
use crate::lexer::{Token, shorten};
use crate::parse::MAX_DIAGNOSTICS;

/// How many brackets, conditions and operators may be open at once. It bounds the height of the tree, and with it
/// the recursion of everything that walks it.
pub(super) const MAX_DEPTH: u32 = 256;

/// How high an expression or a formula may grow by its binary operators, whose chains are trees that lean left.
pub(super) const MAX_HEIGHT: u32 = 1024;

/// Errors after which it is uncertain which bracket belongs to which.
const UNCERTAIN: &[Code] = &[
    codes::UNCLOSED_BRACKET,
    codes::UNOPENED_BRACKET,
    codes::PARENTHESES,
    codes::BRACES,
    codes::COMPOSITION_PARENTHESES,
    codes::FORMULA_PARENTHESES,
];

/// Errors after which it is still certain what was meant: what is found out about a definition with one of these is true.
const HARMLESS: &[Code] = &[
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

/// What parsing gives, before the tree is built.
pub(super) struct Parsed {
    /// The steps in the making of the tree.
    pub(super) events: Vec<Event>,
    /// What is wrong.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The definitions of which it is uncertain what was meant, in order.
    pub(super) broken: Vec<Span>,
}

/// A step in the making of the tree.
pub(super) enum Event {
    /// A node begins; it is the first part of the node that begins at event `parent`.
    Start {
        /// The node's kind.
        kind: SyntaxKind,
        /// The event of a node that was put around it later.
        parent: Option<u32>,
    },
    /// The next token that is not trivia belongs here.
    Token,
    /// The node that began last ends.
    Finish,
    /// Nothing.
    Abandoned,
}

/// What `?` and `!` behind a label are, which depends on where the label stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Marks {
    /// The role of the action.
    Roles,
    /// A mistake.
    Misplaced,
    /// `!` is an operator; `?` is a mistake.
    Operators,
}

/// A node that has begun and must be completed.
#[must_use]
pub(super) struct Marker(usize);

/// A node that is complete.
#[derive(Clone, Copy)]
pub(super) struct Completed {
    start: usize,
    /// The height of the expression or formula, for `MAX_HEIGHT`.
    pub(super) height: u32,
}

/// A parser over the tokens that are not trivia.
pub(super) struct Parser<'t> {
    text: &'t str,
    /// The tokens without trivia.
    tokens: Vec<Token>,
    /// For each token whether it is the first of its line.
    first_of_line: Vec<bool>,
    /// The next token.
    pos: usize,
    events: Vec<Event>,
    diagnostics: Vec<Diagnostic>,
    /// The token at which the last error was reported.
    reported_at: Option<usize>,
    /// Whether the rest of the definition is read in silence.
    is_uncertain: bool,
    /// Whether it is uncertain what was meant by the definition that is being read.
    is_broken: bool,
    /// Whether it will be of the one after it.
    doubts_next: bool,
    /// The definitions of which it is uncertain what was meant.
    broken: Vec<Span>,
    /// How deeply nested the production is that is being read.
    depth: u32,
    /// How many choices are open.
    pub(super) open_choices: u32,
    /// Whether the definition that is being read is an interface automaton.
    pub(super) is_interface: bool,
    /// The name that is being defined.
    pub(super) defined: Span,
    /// What `?` and `!` behind a label are.
    pub(super) marks: Marks,
    /// Whether it has been said that the definition that is being read has no roles.
    pub(super) is_refused: bool,
    /// How many labels have had a mark.
    pub(super) marked: usize,
    /// Upper-case names that were complained about, once each.
    complaints: FxHashSet<&'t str>,
    /// The sets that were defined so far, and where: their names are labels.
    sets: FxHashMap<&'t str, Span>,
    /// The names of the whole text, for advice.
    pub(super) overview: Overview<'t>,
}

impl<'t> Parser<'t> {
    /// A parser at the start of the text.
    pub(super) fn new(text: &'t str, all: &[Token]) -> Self {
        let mut tokens = Vec::with_capacity(all.len() / 2);
        let mut first_of_line = Vec::with_capacity(all.len() / 2);
        let mut is_first = true;
        for token in all {
            if token.kind.is_trivia() {
                is_first |= text[token.span.start as usize..token.span.end as usize].contains('\n');
            } else {
                tokens.push(*token);
                first_of_line.push(std::mem::take(&mut is_first));
            }
        }
        let overview = Overview::new(text, &tokens);
        Self {
            text,
            tokens,
            first_of_line,
            pos: 0,
            events: Vec::new(),
            diagnostics: Vec::new(),
            reported_at: None,
            is_uncertain: false,
            is_broken: false,
            doubts_next: false,
            broken: Vec::new(),
            depth: 0,
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

    /// What was read.
    pub(super) fn finish(self) -> Parsed {
        Parsed { events: self.events, diagnostics: self.diagnostics, broken: self.broken }
    }

    // Looking.

    /// The kind of the token `n` places ahead.
    pub(super) fn nth(&self, n: usize) -> SyntaxKind {
        self.tokens.get(self.pos + n).map_or(EndOfText, |token| token.kind)
    }

    /// The kind of the next token.
    pub(super) fn current(&self) -> SyntaxKind {
        self.nth(0)
    }

    /// Whether the next token is of this kind.
    pub(super) fn at(&self, kind: SyntaxKind) -> bool {
        self.current() == kind
    }

    /// The kind of the token that was consumed last.
    pub(super) fn previous(&self) -> SyntaxKind {
        self.before(0)
    }

    /// The kind of the token before the one `n` places ahead.
    pub(super) fn before(&self, n: usize) -> SyntaxKind {
        (self.pos + n).checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(EndOfText, |token| token.kind)
    }

    /// The text of the token `n` places ahead.
    pub(super) fn text(&self, n: usize) -> &'t str {
        self.tokens.get(self.pos + n).map_or("", |t| &self.text[t.span.start as usize..t.span.end as usize])
    }

    /// The text between two offsets.
    pub(super) fn source(&self, span: Span) -> &'t str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// Whether the token `n` places ahead is the first of its line.
    pub(super) fn is_first_of_line(&self, n: usize) -> bool {
        self.first_of_line.get(self.pos + n).copied().unwrap_or(true)
    }

    /// Whether the token `n` places ahead follows the one before it without a blank.
    pub(super) fn is_joined(&self, n: usize) -> bool {
        let i = self.pos + n;
        i > 0 && i < self.tokens.len() && self.tokens[i - 1].span.end == self.tokens[i].span.start
    }

    /// The place of the token `n` places ahead.
    pub(super) fn span(&self, n: usize) -> Span {
        self.tokens.get(self.pos + n).map_or_else(|| self.end_of_text(), |token| token.span)
    }

    /// The place of the token that was consumed last.
    pub(super) fn previous_span(&self) -> Span {
        self.pos.checked_sub(1).map_or(Span::new(0, 0), |i| self.tokens[i].span)
    }

    fn end_of_text(&self) -> Span {
        self.tokens.last().map_or(Span::new(0, 0), |last| Span::new(last.span.end, last.span.end))
    }

    /// The next token in the user's words.
    pub(super) fn found(&self) -> String {
        match self.current() {
            EndOfText => "the end of the text".to_owned(),
            kind if kind.is_keyword() => format!("the keyword `{}`", self.text(0)),
            SyntaxKind::Text => format!("the string {}", shorten(self.text(0))),
            _ => format!("`{}`", shorten(self.text(0))),
        }
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

    // Consuming.

    /// Consumes the next token.
    pub(super) fn bump(&mut self) {
        if self.pos < self.tokens.len() {
            self.pos += 1;
            self.events.push(Event::Token);
        }
    }

    /// Consumes the next token if it is of this kind.
    pub(super) fn eat(&mut self, kind: SyntaxKind) -> bool {
        let is_there = self.at(kind);
        if is_there {
            self.bump();
        }
        is_there
    }

    /// Begins a node.
    pub(super) fn start(&mut self) -> Marker {
        self.events.push(Event::Abandoned);
        Marker(self.events.len() - 1)
    }

    /// Ends a node.
    pub(super) fn complete(&mut self, Marker(start): Marker, kind: SyntaxKind) -> Completed {
        self.events[start] = Event::Start { kind, parent: None };
        self.events.push(Event::Finish);
        Completed { start, height: 1 }
    }

    /// Gives up a node that was begun: what was read since then belongs to the node around it.
    pub(super) fn abandon(&mut self, Marker(start): Marker) {
        self.events[start] = Event::Abandoned;
    }

    /// Begins a node whose first part is a node that is complete already.
    pub(super) fn precede(&mut self, completed: Completed) -> Marker {
        let marker = self.start();
        let at = u32::try_from(marker.0).ok();
        if let Event::Start { parent, .. } = &mut self.events[completed.start] {
            *parent = at;
        }
        marker
    }

    /// Goes one level deeper, unless the text is nested too deeply. Every success needs a [`Parser::leave`].
    pub(super) fn enter(&mut self) -> bool {
        if self.depth >= MAX_DEPTH {
            return false;
        }
        self.depth += 1;
        true
    }

    /// Comes back from a level.
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    // Complaining.

    /// Whether an error at the next token would only follow from one that was reported.
    pub(super) fn is_reported(&self) -> bool {
        self.reported_at == Some(self.pos)
    }

    /// Everything at the next token counts as reported.
    pub(super) fn mark_reported(&mut self) {
        self.reported_at = Some(self.pos);
    }

    /// A new start: the next error will be reported.
    pub(super) fn forget_reported(&mut self) {
        self.reported_at = None;
    }

    /// Whether the rest of the definition is read in silence.
    pub(super) fn is_uncertain(&self) -> bool {
        self.is_uncertain
    }

    /// The rest of the definition is read in silence.
    pub(super) fn be_uncertain(&mut self) {
        self.is_uncertain = true;
        self.is_broken = true;
    }

    /// A definition begins: what went wrong before does not matter.
    pub(super) fn be_certain(&mut self) {
        self.is_uncertain = false;
        self.reported_at = None;
    }

    /// A definition that began at an offset has been read.
    pub(super) fn end_definition(&mut self, start: u32) {
        if std::mem::replace(&mut self.is_broken, std::mem::take(&mut self.doubts_next)) {
            self.broken.push(Span::new(start, self.previous_span().end.max(start)));
        }
    }

    /// It is uncertain what was meant by the definition that is being read.
    pub(super) fn doubt(&mut self) {
        self.is_broken = true;
    }

    /// It is uncertain what was meant by the definition that comes next, as well.
    pub(super) fn doubt_next(&mut self) {
        self.doubts_next = true;
    }

    /// Reports an error that was found at the next token, unless it only follows from another.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if self.is_reported() || self.is_uncertain {
            return;
        }
        self.mark_reported();
        self.is_uncertain = UNCERTAIN.contains(&diagnostic.code);
        self.is_broken |= !HARMLESS.contains(&diagnostic.code);
        if self.diagnostics.len() <= MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Whether nothing was said about this name yet.
    pub(super) fn is_new_complaint(&mut self, name: &'t str) -> bool {
        self.complaints.insert(name)
    }

    /// Reports an error at the next token.
    pub(super) fn error(&mut self, code: Code, message: impl Into<String>) {
        let span = self.span(0);
        self.report(Diagnostic::error(code, span, message));
    }

    /// Reports an error at the next token, with advice.
    pub(super) fn error_with_help(
        &mut self,
        code: Code,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let span = self.span(0);
        self.report(Diagnostic::error(code, span, message).with_help(help));
    }

    /// Reports that something else was expected at the next token.
    pub(super) fn expected(&mut self, what: &str) {
        let message = format!("expected {what}, found {}", self.found());
        self.error(codes::EXPECTED, message);
    }

    /// Consumes a token of this kind, or complains.
    pub(super) fn expect(&mut self, kind: SyntaxKind) -> bool {
        if self.eat(kind) {
            return true;
        }
        let spelling = kind.spelling().unwrap_or("a name");
        self.expected(&format!("`{spelling}`"));
        false
    }
}
