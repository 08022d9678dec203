//! Automata in the Hanoi omega-automata format, version 1 [Babiak et al. 2015].
//!
//! What is read: any number of initial states, labels on states or transitions, implicit labels, aliases, acceptance sets on
//! states or transitions, and any acceptance condition. What is refused: alternation, that is `&` between states. Acceptance
//! sets of a state are put on its transitions.

use std::fmt;

use rely_base::Id;
use rustc_hash::FxHashMap;

use crate::{Acceptance, AtomId, Automaton, AutomatonEdge, Colours, Formula};

/// How deeply labels and conditions may be nested.
const MAX_DEPTH: u32 = 256;
/// The most states, atoms and acceptance sets that are read.
const MAX_STATES: usize = 1 << 24;
const MAX_ATOMS: usize = 1 << 12;
const MAX_SETS: u32 = 1 << 12;
/// Implicit labels list all letters, so there are few atoms.
const MAX_IMPLICIT_ATOMS: usize = 16;

/// An automaton that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hoa {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The names of the atoms, by number.
    pub atoms: Vec<String>,
    /// The automaton.
    pub automaton: Automaton,
}

/// What is wrong with a text in the Hanoi format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HoaError {
    /// The line, counted from 1.
    pub line: usize,
    /// A sentence for the user.
    pub message: String,
}

impl fmt::Display for HoaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for HoaError {}

impl Automaton {
    /// The automaton as text; `name` gives the names of the atoms.
    pub fn to_hoa(&self, name: impl Fn(AtomId) -> String) -> String {
        let atoms: Vec<AtomId> = self.atoms().iter().collect();
        let places: FxHashMap<AtomId, usize> =
            atoms.iter().enumerate().map(|(place, &atom)| (atom, place)).collect();
        let mut lines = vec!["HOA: v1".to_owned(), format!("States: {}", self.edges.len())];
        lines.extend(self.initial.iter().map(|state| format!("Start: {state}")));
        let names: String = atoms.iter().map(|&atom| format!(" \"{}\"", escaped(&name(atom)))).collect();
        lines.push(format!("AP: {}{names}", atoms.len()));
        if let Some(classical) = self.acceptance.classical_name() {
            lines.push(format!("acc-name: {classical}"));
        }
        lines.push(format!("Acceptance: {} {}", self.colour_count(), self.acceptance));
        lines.push("properties: trans-labels explicit-labels trans-acc".to_owned());
        lines.push("--BODY--".to_owned());
        for (state, edges) in self.edges.iter().enumerate() {
            lines.push(format!("State: {state}"));
            for edge in edges {
                let sets: Vec<String> = edge.colours.iter().map(|colour| colour.to_string()).collect();
                let sets = if sets.is_empty() { String::new() } else { format!(" {{{}}}", sets.join(" ")) };
                lines.push(format!("[{}] {}{sets}", label(&edge.guard, &places), edge.target));
            }
        }
        lines.push("--END--\n".to_owned());
        lines.join("\n")
    }
}

/// A name between quotes.
fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace('"', "\\\"")
}

/// A condition as a label.
fn label(guard: &Formula, places: &FxHashMap<AtomId, usize>) -> String {
    let of = |operand: &Formula| match operand {
        Formula::True | Formula::False | Formula::Atom(_) | Formula::Not(_) => label(operand, places),
        _ => format!("({})", label(operand, places)),
    };
    match guard {
        Formula::True => "t".to_owned(),
        Formula::Atom(atom) => places.get(atom).map_or("f".to_owned(), ToString::to_string),
        Formula::Not(operand) => format!("!{}", of(operand)),
        Formula::And(left, right) => format!("{} & {}", of(left), of(right)),
        Formula::Or(left, right) => format!("{} | {}", of(left), of(right)),
        Formula::Implies(left, right) => format!("!{} | {}", of(left), of(right)),
        Formula::Iff(left, right) => {
            let (left, right) = (of(left), of(right));
            format!("({left} & {right}) | (!{left} & !{right})")
        }
        // Guards have no temporal operators.
        _ => "f".to_owned(),
    }
}

/// Reads an automaton.
///
/// ```
/// let text = "HOA: v1 States: 1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--";
/// let read = rely_omega::read_hoa(text)?;
/// assert_eq!(read.atoms, ["a"]);
/// assert_eq!(read.automaton.edges[0].len(), 2);
/// # Ok::<(), rely_omega::HoaError>(())
/// ```
///
/// # Errors
/// What is wrong with the text, and where.
pub fn read_hoa(text: &str) -> Result<Hoa, HoaError> {
    let mut reader =
        Reader { tokens: tokens(text)?, next: 0, aliases: FxHashMap::default(), atoms: 0, depth: 0 };
    reader.read()
}

/// What a text is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    /// `States:`
    Header(String),
    Identifier(String),
    Alias(String),
    Int(u64),
    Text(String),
    Sign(char),
    /// `--BODY--`
    Mark(String),
}

/// Cuts a text into tokens with their lines.
fn tokens(text: &str) -> Result<Vec<(Token, usize)>, HoaError> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let mut length = first.len_utf8();
        let fail = |message: &str| HoaError { line, message: message.to_owned() };
        let word = |from: &str| {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            from.find(|c: char| !is_part(c)).unwrap_or(from.len())
        };
        match first {
            _ if first.is_whitespace() => {}
            '/' if rest.starts_with("/*") => {
                length = comment(rest).ok_or_else(|| fail("a comment is not closed"))?;
            }
            '"' => {
                let (content, end) = string(rest).ok_or_else(|| fail("a string is not closed"))?;
                found.push((Token::Text(content), line));
                length = end;
            }
            '-' if rest.starts_with("--") => {
                length = word(rest);
                found.push((Token::Mark(rest[..length].to_owned()), line));
            }
            '@' => {
                length = 1 + word(&rest[1..]);
                found.push((Token::Alias(rest[1..length].to_owned()), line));
            }
            '0'..='9' => {
                length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let number = rest[..length].parse().map_err(|_| fail("a number is too large"))?;
                found.push((Token::Int(number), line));
            }
            _ if first.is_ascii_alphabetic() || first == '_' => {
                length = word(rest);
                let name = rest[..length].to_owned();
                if rest[length..].starts_with(':') {
                    length += 1;
                    found.push((Token::Header(name), line));
                } else {
                    found.push((Token::Identifier(name), line));
                }
            }
            '[' | ']' | '{' | '}' | '(' | ')' | '!' | '&' | '|' => found.push((Token::Sign(first), line)),
            _ => return Err(fail(&format!("`{}` has no meaning here", first.escape_default()))),
        }
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    Ok(found)
}

/// The length of a comment, which may contain comments.
fn comment(text: &str) -> Option<usize> {
    let mut open = 0_usize;
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let next = rest.find("/*").unwrap_or(usize::MAX).min(rest.find("*/").unwrap_or(usize::MAX));
        if next == usize::MAX {
            return None;
        }
        match rest[next..].starts_with("/*") {
            true => open += 1,
            false => open -= 1,
        }
        at += next + 2;
        if open == 0 {
            return Some(at);
        }
    }
}

/// The content of a string, and its length with the quotes.
fn string(text: &str) -> Option<(String, usize)> {
    let mut content = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((content, at + 1)),
            '\\' => content.push(characters.next()?.1),
            _ => content.push(character),
        }
    }
    None
}

struct Reader {
    tokens: Vec<(Token, usize)>,
    next: usize,
    aliases: FxHashMap<String, Formula>,
    /// How many atoms there are.
    atoms: usize,
    depth: u32,
}

impl Reader {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(token, _)| token)
    }

    fn bump(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.next += 1;
        token
    }

    fn eat(&mut self, sign: char) -> bool {
        let is_there = self.peek() == Some(&Token::Sign(sign));
        self.next += usize::from(is_there);
        is_there
    }

    /// An error at the next token.
    fn fail<T>(&self, message: impl Into<String>) -> Result<T, HoaError> {
        let last = self.tokens.last().map_or(1, |(_, line)| *line);
        let line = self.tokens.get(self.next).map_or(last, |(_, line)| *line);
        Err(HoaError { line, message: message.into() })
    }

    fn expect(&mut self, sign: char) -> Result<(), HoaError> {
        if self.eat(sign) { Ok(()) } else { self.fail(format!("expected `{sign}`")) }
    }

    fn number(&mut self, most: usize) -> Result<usize, HoaError> {
        match self.peek() {
            Some(Token::Int(number)) => match usize::try_from(*number).ok().filter(|it| *it <= most) {
                Some(number) => {
                    self.next += 1;
                    Ok(number)
                }
                None => self.fail(format!("the number {number} is greater than {most}")),
            },
            _ => self.fail("expected a number"),
        }
    }

    fn read(&mut self) -> Result<Hoa, HoaError> {
        if self.bump() != Some(Token::Header("HOA".to_owned())) {
            self.next = 0;
            return self.fail("expected `HOA: v1` at the start");
        }
        self.bump();
        let mut hoa =
            Hoa { name: None, atoms: Vec::new(), automaton: Automaton::with_states(0, Acceptance::True) };
        hoa.automaton.initial.clear();
        let mut acceptance = None;
        let mut states = None;
        while let Some(Token::Header(header)) = self.peek().cloned() {
            self.next += 1;
            match header.as_str() {
                "States" => states = Some(self.number(MAX_STATES)?),
                "Start" => {
                    hoa.automaton.initial.push(self.number(MAX_STATES)?);
                    if self.peek() == Some(&Token::Sign('&')) {
                        return self.fail("alternating automata are not supported");
                    }
                }
                "AP" => self.propositions(&mut hoa.atoms)?,
                "Alias" => self.alias()?,
                "Acceptance" => {
                    let sets = self.number(MAX_SETS as usize)?;
                    acceptance = Some(self.acceptance_or(u32::try_from(sets).unwrap_or(MAX_SETS))?);
                }
                "name" => {
                    hoa.name = match self.peek() {
                        Some(Token::Text(name)) => Some(name.clone()),
                        _ => return self.fail("expected a name in quotes"),
                    };
                    self.next += 1;
                }
                _ => self.skip_header(),
            }
        }
        let Some(acceptance) = acceptance else { return self.fail("there is no `Acceptance:`") };
        hoa.automaton.acceptance = acceptance;
        hoa.automaton.edges = vec![Vec::new(); states.unwrap_or(0)];
        self.body(&mut hoa.automaton, states.is_some())?;
        let count = hoa.automaton.edges.len();
        let targets = hoa.automaton.edges.iter().flatten().map(|edge| edge.target);
        match targets.chain(hoa.automaton.initial.iter().copied()).find(|&state| state >= count) {
            Some(state) => self.fail(format!("there is no state {state}")),
            None => Ok(hoa),
        }
    }

    /// Passes over a header that says nothing that matters here.
    fn skip_header(&mut self) {
        while matches!(self.peek(), Some(token) if !matches!(token, Token::Header(_) | Token::Mark(_))) {
            self.next += 1;
        }
    }

    fn propositions(&mut self, atoms: &mut Vec<String>) -> Result<(), HoaError> {
        self.atoms = self.number(MAX_ATOMS)?;
        for _ in 0..self.atoms {
            match self.peek() {
                Some(Token::Text(name)) => atoms.push(name.clone()),
                _ => return self.fail("expected the name of an atomic proposition in quotes"),
            }
            self.next += 1;
        }
        Ok(())
    }

    fn alias(&mut self) -> Result<(), HoaError> {
        let Some(Token::Alias(name)) = self.peek().cloned() else { return self.fail("expected an alias") };
        self.next += 1;
        let formula = self.label_or()?;
        self.aliases.insert(name, formula);
        Ok(())
    }

    /// Goes one level deeper.
    fn enter(&mut self) -> Result<(), HoaError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { self.fail("this is nested too deeply") } else { Ok(()) }
    }

    fn label_or(&mut self) -> Result<Formula, HoaError> {
        self.enter()?;
        let mut operands = vec![self.label_and()?];
        while self.eat('|') {
            operands.push(self.label_and()?);
        }
        self.depth -= 1;
        Ok(Formula::any(operands))
    }

    fn label_and(&mut self) -> Result<Formula, HoaError> {
        let mut operands = vec![self.label_atom()?];
        while self.eat('&') {
            operands.push(self.label_atom()?);
        }
        Ok(Formula::all(operands))
    }

    fn label_atom(&mut self) -> Result<Formula, HoaError> {
        let mut is_negated = false;
        while self.eat('!') {
            is_negated = !is_negated;
        }
        let formula = match self.peek().cloned() {
            Some(Token::Identifier(word)) if word == "t" => Formula::True,
            Some(Token::Identifier(word)) if word == "f" => Formula::False,
            Some(Token::Int(_)) => {
                let atom = self.number(self.atoms.saturating_sub(1))?;
                self.next -= 1;
                Formula::atom(AtomId::from_index(atom))
            }
            Some(Token::Alias(name)) => match self.aliases.get(&name) {
                Some(formula) => formula.clone(),
                None => return self.fail(format!("the alias `@{name}` is not defined")),
            },
            Some(Token::Sign('(')) => {
                self.next += 1;
                let inner = self.label_or()?;
                self.expect(')')?;
                self.next -= 1;
                inner
            }
            _ => return self.fail("expected a label"),
        };
        self.next += 1;
        Ok(if is_negated { formula.negated() } else { formula })
    }

    fn acceptance_or(&mut self, sets: u32) -> Result<Acceptance, HoaError> {
        self.enter()?;
        let mut operands = vec![self.acceptance_and(sets)?];
        while self.eat('|') {
            operands.push(self.acceptance_and(sets)?);
        }
        self.depth -= 1;
        Ok(Acceptance::any(operands))
    }

    fn acceptance_and(&mut self, sets: u32) -> Result<Acceptance, HoaError> {
        let mut operands = vec![self.acceptance_atom(sets)?];
        while self.eat('&') {
            operands.push(self.acceptance_atom(sets)?);
        }
        Ok(Acceptance::all(operands))
    }

    fn acceptance_atom(&mut self, sets: u32) -> Result<Acceptance, HoaError> {
        if self.eat('(') {
            let inner = self.acceptance_or(sets)?;
            self.expect(')')?;
            return Ok(inner);
        }
        let Some(Token::Identifier(word)) = self.peek().cloned() else {
            return self.fail("expected a part of an acceptance condition");
        };
        self.next += 1;
        let make: fn(u32) -> Acceptance = match word.as_str() {
            "t" => return Ok(Acceptance::True),
            "f" => return Ok(Acceptance::False),
            "Inf" => Acceptance::Inf,
            "Fin" => Acceptance::Fin,
            _ => return self.fail(format!("`{word}` is no part of an acceptance condition")),
        };
        self.expect('(')?;
        if self.peek() == Some(&Token::Sign('!')) {
            return self.fail("negated acceptance sets are not supported");
        }
        let set = u32::try_from(self.number(sets.saturating_sub(1) as usize)?).unwrap_or(MAX_SETS);
        self.expect(')')?;
        Ok(make(set))
    }

    /// Acceptance sets in braces, if there are some.
    fn sets(&mut self) -> Result<Colours, HoaError> {
        let mut colours = Colours::none();
        if self.eat('{') {
            while !self.eat('}') {
                colours.insert(u32::try_from(self.number(MAX_SETS as usize)?).unwrap_or(MAX_SETS));
            }
        }
        Ok(colours)
    }

    /// A label in brackets, if there is one.
    fn label(&mut self) -> Result<Option<Formula>, HoaError> {
        if !self.eat('[') {
            return Ok(None);
        }
        let formula = self.label_or()?;
        self.expect(']')?;
        Ok(Some(formula))
    }

    fn body(&mut self, automaton: &mut Automaton, is_counted: bool) -> Result<(), HoaError> {
        if self.peek() != Some(&Token::Mark("--BODY--".to_owned())) {
            return self.fail("expected `--BODY--`");
        }
        self.next += 1;
        while self.peek() == Some(&Token::Header("State".to_owned())) {
            self.next += 1;
            let shared = self.label()?;
            let state = self.number(MAX_STATES)?;
            if state >= automaton.edges.len() {
                if is_counted {
                    return self.fail(format!("there is no state {state}"));
                }
                automaton.edges.resize(state + 1, Vec::new());
            }
            if matches!(self.peek(), Some(Token::Text(_))) {
                self.next += 1;
            }
            let colours = self.sets()?;
            automaton.edges[state] = self.state_edges(shared.as_ref(), &colours)?;
        }
        match self.peek() {
            Some(Token::Mark(mark)) if mark == "--END--" => Ok(()),
            Some(Token::Mark(mark)) if mark == "--ABORT--" => {
                self.fail("the automaton was given up: `--ABORT--`")
            }
            _ => self.fail("expected `State:` or `--END--`"),
        }
    }

    fn state_edges(
        &mut self,
        shared: Option<&Formula>,
        of_state: &Colours,
    ) -> Result<Vec<AutomatonEdge>, HoaError> {
        let mut edges = Vec::new();
        while matches!(self.peek(), Some(Token::Sign('[') | Token::Int(_))) {
            let own = self.label()?;
            let guard = match (own, shared) {
                (Some(_), Some(_)) => return self.fail("a state and its transition both have a label"),
                (Some(own), None) => own,
                (None, Some(shared)) => shared.clone(),
                (None, None) => self.implicit(edges.len())?,
            };
            let target = self.number(MAX_STATES)?;
            if self.peek() == Some(&Token::Sign('&')) {
                return self.fail("alternating automata are not supported");
            }
            let mut colours = self.sets()?;
            colours.insert_all(of_state);
            edges.push(AutomatonEdge { guard, target, colours });
        }
        Ok(edges)
    }

    /// The letter of the transition with a number, where labels are left out.
    fn implicit(&mut self, number: usize) -> Result<Formula, HoaError> {
        if self.atoms > MAX_IMPLICIT_ATOMS || number >= 1 << self.atoms {
            return self.fail("there are too many transitions without labels");
        }
        let literal = |atom: usize| {
            let formula = Formula::atom(AtomId::from_index(atom));
            if number >> atom & 1 == 1 { formula } else { formula.negated() }
        };
        Ok(Formula::all((0..self.atoms).map(literal)))
    }
}

#[cfg(test)]
mod tests;
