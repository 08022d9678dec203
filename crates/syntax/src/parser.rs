//! The machinery under the grammar: looking ahead, consuming tokens, opening and closing nodes, and reporting errors.
//!
//! The grammar emits events; the tree is built from them afterwards. A node may be given a parent after it was
//! closed (`precede`), which is how `a + b` becomes a sum once the `+` is seen.
//!
//! Two rules keep one mistake from giving two messages. No second error is reported at the token where the last one
//! was. And once it is uncertain which bracket belongs to which, because tokens were skipped or a bracket is missing,
//! no more errors of the definition are reported.

use rely_base::{Code, Diagnostic, Span};
use rowan::GreenNode;

use crate::{Kind, MAX_DEPTH, MAX_DIAGNOSTICS, Token, build, shorten};

/// The result of reading the tokens of a text.
pub struct Read {
    /// The tree over all tokens.
    pub root: GreenNode,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// How many further errors have been found than were collected.
    pub dropped: usize,
    /// The definitions of which it is uncertain what was meant, in order.
    pub broken: Vec<Span>,
}

/// A step in the making of the tree.
pub(crate) enum Event<K> {
    /// A node begins; it is the first part of the node that begins at event `parent`.
    Start {
        /// The node's kind.
        kind: K,
        /// The event of a node that was put around it later.
        parent: Option<u32>,
    },
    /// The next token that is not trivia belongs here.
    Token,
    /// The node that began last ends.
    Finish,
    /// No event.
    Abandoned,
}

/// A node that has begun and must be completed.
#[must_use]
pub struct Marker(usize);

/// A node that is complete.
#[derive(Clone, Copy)]
pub struct Completed {
    start: usize,
    /// The height of the expression or formula, for [`MAX_HEIGHT`](crate::MAX_HEIGHT).
    pub height: u32,
}

/// A parser over the tokens that are not trivia.
pub struct Parser<'t, K> {
    text: &'t str,
    /// The tokens without trivia.
    tokens: Vec<Token<K>>,
    /// For each token whether it is the first of its line.
    first_of_line: Vec<bool>,
    /// The next token.
    pos: usize,
    events: Vec<Event<K>>,
    diagnostics: Vec<Diagnostic>,
    /// How many further errors have been found.
    dropped: usize,
    /// The token at which the last error was reported.
    reported_at: Option<usize>,
    /// Whether the remaining errors of the definition are not reported.
    is_uncertain: bool,
    /// Whether it is uncertain what was meant by the definition that is being read.
    is_broken: bool,
    /// Whether it is uncertain what was meant by the next definition.
    doubts_next: bool,
    /// The definitions of which it is uncertain what was meant.
    broken: Vec<Span>,
    /// How deeply nested the production is that is being read.
    depth: u32,
}

impl<'t, K: Kind> Parser<'t, K> {
    /// A parser at the start of the text.
    pub fn new(text: &'t str, all: &[Token<K>]) -> Self {
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
        Self {
            text,
            tokens,
            first_of_line,
            pos: 0,
            events: Vec::new(),
            diagnostics: Vec::new(),
            dropped: 0,
            reported_at: None,
            is_uncertain: false,
            is_broken: false,
            doubts_next: false,
            broken: Vec::new(),
            depth: 0,
        }
    }

    /// What was read. `all` are the tokens that the parser was made from, trivia included.
    pub fn finish(self, all: &[Token<K>]) -> Read {
        Read {
            root: build::build(self.text, all, self.events),
            diagnostics: self.diagnostics,
            dropped: self.dropped,
            broken: self.broken,
        }
    }

    /// The tokens that are not trivia.
    pub fn tokens(&self) -> &[Token<K>] {
        &self.tokens
    }

    // Looking.

    /// The kind of the token `n` places ahead.
    pub fn nth(&self, n: usize) -> K {
        self.tokens.get(self.pos + n).map_or(K::END_OF_TEXT, |token| token.kind)
    }

    /// The kind of the next token.
    pub fn current(&self) -> K {
        self.nth(0)
    }

    /// Whether the next token is of this kind.
    pub fn at(&self, kind: K) -> bool {
        self.current() == kind
    }

    /// The kind of the token that was consumed last.
    pub fn previous(&self) -> K {
        self.before(0)
    }

    /// The kind of the token before the one `n` places ahead.
    pub fn before(&self, n: usize) -> K {
        (self.pos + n)
            .checked_sub(1)
            .and_then(|i| self.tokens.get(i))
            .map_or(K::END_OF_TEXT, |token| token.kind)
    }

    /// The text of the token `n` places ahead.
    pub fn text(&self, n: usize) -> &'t str {
        self.tokens.get(self.pos + n).map_or("", |t| &self.text[t.span.start as usize..t.span.end as usize])
    }

    /// The text between two offsets.
    pub fn source(&self, span: Span) -> &'t str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// Whether the token `n` places ahead is the first of its line.
    pub fn is_first_of_line(&self, n: usize) -> bool {
        self.first_of_line.get(self.pos + n).copied().unwrap_or(true)
    }

    /// Whether the token `n` places ahead follows the one before it without a blank.
    pub fn is_joined(&self, n: usize) -> bool {
        let i = self.pos + n;
        i > 0 && i < self.tokens.len() && self.tokens[i - 1].span.end == self.tokens[i].span.start
    }

    /// The place of the token `n` places ahead.
    pub fn span(&self, n: usize) -> Span {
        self.tokens.get(self.pos + n).map_or_else(|| self.end_of_text(), |token| token.span)
    }

    /// The place of the token that was consumed last.
    pub fn previous_span(&self) -> Span {
        self.pos.checked_sub(1).map_or(Span::new(0, 0), |i| self.tokens[i].span)
    }

    fn end_of_text(&self) -> Span {
        self.tokens.last().map_or(Span::new(0, 0), |last| Span::new(last.span.end, last.span.end))
    }

    /// The next token in the user's words.
    pub fn found(&self) -> String {
        match self.current() {
            kind if kind == K::END_OF_TEXT => "the end of the text".to_owned(),
            kind if kind.is_keyword() => format!("the keyword `{}`", self.text(0)),
            kind if kind.is_string() => format!("the string {}", shorten(self.text(0))),
            _ => format!("`{}`", shorten(self.text(0))),
        }
    }

    // Consuming.

    /// Consumes the next token.
    pub fn bump(&mut self) {
        if self.pos < self.tokens.len() {
            self.pos += 1;
            self.events.push(Event::Token);
        }
    }

    /// Consumes the next token if it is of this kind.
    pub fn eat(&mut self, kind: K) -> bool {
        let is_there = self.at(kind);
        if is_there {
            self.bump();
        }
        is_there
    }

    /// Begins a node.
    pub fn start(&mut self) -> Marker {
        self.events.push(Event::Abandoned);
        Marker(self.events.len() - 1)
    }

    /// Ends a node.
    pub fn complete(&mut self, Marker(start): Marker, kind: K) -> Completed {
        self.events[start] = Event::Start { kind, parent: None };
        self.events.push(Event::Finish);
        Completed { start, height: 1 }
    }

    /// Gives up a node that was begun: what was read since then belongs to the node around it.
    pub fn abandon(&mut self, Marker(start): Marker) {
        self.events[start] = Event::Abandoned;
    }

    /// Begins a node whose first part is a node that is complete already.
    pub fn precede(&mut self, completed: Completed) -> Marker {
        let marker = self.start();
        let at = u32::try_from(marker.0).ok();
        if let Event::Start { parent, .. } = &mut self.events[completed.start] {
            *parent = at;
        }
        marker
    }

    /// Goes one level deeper; false if the text is nested too deeply. Every success needs a [`Parser::leave`].
    pub fn enter(&mut self) -> bool {
        if self.depth >= MAX_DEPTH {
            return false;
        }
        self.depth += 1;
        true
    }

    /// Goes back one level.
    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    // Reporting.

    /// Whether an error at the next token would only follow from one that was reported.
    pub fn is_reported(&self) -> bool {
        self.reported_at == Some(self.pos)
    }

    /// Marks everything at the next token as reported.
    pub fn mark_reported(&mut self) {
        self.reported_at = Some(self.pos);
    }

    /// Forgets where the last error was, so that the next one will be reported.
    pub fn forget_reported(&mut self) {
        self.reported_at = None;
    }

    /// Whether the remaining errors of the definition are not reported.
    pub fn is_uncertain(&self) -> bool {
        self.is_uncertain
    }

    /// From now on, no more errors of the definition are reported.
    pub fn be_uncertain(&mut self) {
        self.is_uncertain = true;
        self.is_broken = true;
    }

    /// Begins a definition: errors are reported again.
    pub fn be_certain(&mut self) {
        self.is_uncertain = false;
        self.reported_at = None;
    }

    /// Ends a definition that began at an offset.
    pub fn end_definition(&mut self, start: u32) {
        if std::mem::replace(&mut self.is_broken, std::mem::take(&mut self.doubts_next)) {
            self.broken.push(Span::new(start, self.previous_span().end.max(start)));
        }
    }

    /// Marks the current definition: it is uncertain what was meant by it.
    pub fn doubt(&mut self) {
        self.is_broken = true;
    }

    /// Marks the next definition as well: it is uncertain what was meant by it.
    pub fn doubt_next(&mut self) {
        self.doubts_next = true;
    }

    /// Reports an error that was found at the next token, unless it only follows from another.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        if self.is_reported() || self.is_uncertain {
            return;
        }
        self.mark_reported();
        self.is_uncertain = K::CODES.uncertain.contains(&diagnostic.code);
        self.is_broken |= !K::CODES.harmless.contains(&diagnostic.code);
        match self.diagnostics.len() <= MAX_DIAGNOSTICS {
            true => self.diagnostics.push(diagnostic),
            false => self.dropped += 1,
        }
    }

    /// Reports an error at the next token.
    pub fn error(&mut self, code: Code, message: impl Into<String>) {
        let span = self.span(0);
        self.report(Diagnostic::error(code, span, message));
    }

    /// Reports an error at the next token, with advice.
    pub fn error_with_help(&mut self, code: Code, message: impl Into<String>, help: impl Into<String>) {
        let span = self.span(0);
        self.report(Diagnostic::error(code, span, message).with_help(help));
    }

    /// Reports an error at the next token, for which something else was meant.
    pub fn error_meaning(&mut self, code: Code, message: impl Into<String>, meant: &str) {
        let span = self.span(0);
        self.report(Diagnostic::error(code, span, message).did_you_mean(meant));
    }

    /// Reports that something else was expected at the next token.
    pub fn expected(&mut self, what: &str) {
        self.expected_as(K::CODES.expected, what);
    }

    /// Reports with a code of its own that something else was expected at the next token.
    pub fn expected_as(&mut self, code: Code, what: &str) {
        let message = format!("expected {what}, found {}", self.found());
        self.error(code, message);
    }

    /// Reports that the bracket at `opening` is not closed at the next token.
    pub fn unclosed(&mut self, code: Code, closing: K, opening: Span) {
        let spelling = closing.spelling().unwrap_or("a bracket");
        let message = format!("expected `{spelling}`, found {}", self.found());
        let opener = self.source(opening);
        let diagnostic = Diagnostic::error(code, self.span(0), message)
            .with_note(opening, format!("this `{opener}` is not closed"))
            .with_help(format!("close it with `{spelling}`"));
        self.report(diagnostic);
    }

    /// Consumes a token of this kind, or complains.
    pub fn expect(&mut self, kind: K) -> bool {
        if self.eat(kind) {
            return true;
        }
        let spelling = kind.spelling().unwrap_or("a name");
        self.expected(&format!("`{spelling}`"));
        false
    }
}
