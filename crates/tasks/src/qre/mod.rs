//! Quantified regular expressions, FLAVERS' language of properties:
//!
//! ```text
//! DOORS: for events {open, close, move} show no executions satisfy .*; open; [-close]*; move; .*
//!     where open = car.open_doors, close = car.close_doors, move = car.move_car
//! ```
//!
//! `;` is sequence, `|` choice, `*`, `+` and `?` repeat what is before them, `.` is any event of the property, `[a, b]` one
//! of some events, `[-a, b]` one of the others. The name and the renaming of events are optional.
//!
//! **Meaning.** An execution is the sequence of the property's events from the start to the end of the program. A program
//! that never ends has no such sequence, so a property is also judged on the way: once no continuation can satisfy it, it
//! is violated. As a transition system for the network, a property is in its error state then; and where the program ends
//! by an action, that action leads there from a state in which an execution may not end.

mod automaton;
mod front_end;
mod grammar;
mod kind;

use rely_automata::Dfa;
use rely_base::{Alphabet, Diagnostic, Id, Label, Span, StateId};
use rely_lts::{Lts, LtsBuilder};
use rely_syntax::{Kind, Lexed, Parser, settle, text_too_long};

use crate::codes;
use kind::Token;

pub use front_end::QreFiles;

/// Whether all executions are to satisfy an expression, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Quantifier {
    All,
    No,
}

/// A regular expression over events, by number.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Regex {
    OneOf(Vec<usize>),
    Sequence(Vec<Regex>),
    Choice(Vec<Regex>),
    Star(Box<Regex>),
    Plus(Box<Regex>),
}

/// A property of executions.
#[derive(Clone, Debug)]
pub struct Qre {
    /// Its name: the one it was given, or `qre1`, `qre2` and so on.
    pub name: String,
    /// The events of the program that it speaks of; letter by letter, those of the automaton.
    pub events: Vec<String>,
    /// The executions that it allows.
    pub allowed: Dfa,
    /// Its place.
    pub span: Span,
}

/// Reads a text of properties. It always succeeds: what cannot be read is in the diagnostics.
pub fn parse_qre(text: &str) -> (Vec<Qre>, Vec<Diagnostic>) {
    if let Some(diagnostic) = text_too_long::<Token>(text) {
        return (Vec::new(), vec![diagnostic]);
    }
    let Lexed { tokens, mut diagnostics, dropped: dropped_tokens } =
        rely_syntax::lex_counting::<Token>(text, |_, _, _| None);
    let mut parser = Parser::new(text, &tokens);
    let root = parser.start();
    let written = grammar::file(&mut parser);
    parser.complete(root, Token::FILE);
    let read = parser.finish(&tokens);
    diagnostics.extend(read.diagnostics);
    let mut properties = Vec::new();
    for (number, written) in written.into_iter().enumerate() {
        let events = renamed(&written, &mut diagnostics);
        let Some(satisfying) = automaton::automaton(&written.regex, events.len()) else {
            let message = "the automaton of this expression has too many states";
            diagnostics.push(Diagnostic::error(codes::TOO_LARGE, written.span, message));
            continue;
        };
        let allowed = match written.quantifier {
            Quantifier::All => satisfying,
            Quantifier::No => satisfying.complement(),
        };
        let name = written.name.unwrap_or_else(|| format!("qre{}", number + 1));
        properties.push(Qre { name, events, allowed, span: written.span });
    }
    settle(&mut diagnostics, dropped_tokens + read.dropped);
    (properties, diagnostics)
}

/// The events of the program, in the order of the property's events.
fn renamed(written: &grammar::Written, diagnostics: &mut Vec<Diagnostic>) -> Vec<String> {
    let mut events: Vec<String> = written.events.iter().map(|(name, _)| name.to_lowercase()).collect();
    for (event, meant, span) in &written.renamings {
        if let Some(at) = written.events.iter().position(|(name, _)| name == event) {
            if events.iter().enumerate().any(|(other, name)| other != at && name == meant) {
                let message = format!("`{meant}` is the event of two names");
                diagnostics.push(Diagnostic::error(codes::QRE_EVENT, *span, message));
            }
            events[at].clone_from(meant);
        }
    }
    events
}

impl Qre {
    /// The property as a component that watches a network: what it does not allow leads to the error state. `end` is the
    /// action by which the program ends, if it can.
    pub fn lts(&self, end: Option<&str>) -> Lts {
        let mut alphabet: Alphabet = self.events.iter().collect();
        let end = end.map(|end| Label::visible(alphabet.intern(end)));
        let can_be_satisfied = self.can_be_satisfied();
        let mut builder = LtsBuilder::with_states(alphabet, self.allowed.state_count());
        let error = builder.error_state();
        let goal = |state: StateId| if can_be_satisfied[state.index()] { state } else { error };
        builder.set_initial(goal(self.allowed.initial()));
        for state in self.allowed.states() {
            for letter in self.allowed.letters() {
                builder.add_transition(state, Label::visible(letter), goal(self.allowed.step(state, letter)));
            }
            if let Some(end) = end {
                let goal = if self.allowed.is_accepting(state) { state } else { error };
                builder.add_transition(state, end, goal);
            }
        }
        rely_lts::operators::trim(&builder.build())
    }

    /// For each state, whether some continuation is allowed.
    fn can_be_satisfied(&self) -> Vec<bool> {
        let mut predecessors = vec![Vec::new(); self.allowed.state_count()];
        for state in self.allowed.states() {
            for &next in self.allowed.successors(state) {
                predecessors[next.index()].push(state);
            }
        }
        let mut can = vec![false; self.allowed.state_count()];
        let mut pending: Vec<StateId> =
            self.allowed.states().filter(|&state| self.allowed.is_accepting(state)).collect();
        while let Some(state) = pending.pop() {
            if !std::mem::replace(&mut can[state.index()], true) {
                pending.extend(&predecessors[state.index()]);
            }
        }
        can
    }
}
