//! Rules as people say them, and as plain data.

use std::collections::BTreeMap;

use super::{Cube, Mined, Rule};
use crate::configurations::{Past, Valuation};
use crate::system::System;

/// A rule as an association rule: whenever all of `if` hold, all of `then` hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Implication {
    /// Items: `level_low`, `!level_low`, `ms=3`, and `ms>=16` for the last microstep that is counted.
    pub when: Vec<String>,
    /// Items.
    pub then: Vec<String>,
    /// In how many configurations `when` holds.
    pub support: u64,
}

/// A line for people, which may stand for several rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// What holds.
    pub text: String,
    /// In how many configurations it says something.
    pub support: u64,
}

impl Mined {
    /// A rule as association rules: more than one where it holds in some microsteps only.
    pub fn implications(&self, rule: &Rule, system: &System) -> Vec<Implication> {
        let configurations = &self.configurations;
        let literals = self.literals(rule.never, system);
        let allowed = self.other_microsteps(&rule.microsteps);
        if self.is_always(rule) {
            return vec![self.oriented(&literals, None)];
        }
        if let ([only], false) = (&allowed[..], literals.is_empty()) {
            let when = literals.iter().map(|literal| literal.text.clone()).collect();
            let support = configurations.count(rule.never, |_| true);
            return vec![Implication { when, then: vec![self.item(*only)], support }];
        }
        rule.microsteps.iter().map(|&number| self.oriented(&literals, Some(number))).collect()
    }

    /// The rule whose *then* is one literal, chosen so that its *if* is met as often as possible.
    fn oriented(&self, literals: &[Literal], microstep: Option<i32>) -> Implication {
        let here = |number: i32| microstep.is_none_or(|only| only == number);
        let support = |then: usize| {
            let others = literals.iter().enumerate().filter(|(at, _)| *at != then);
            let cube = others.fold(Cube::default(), |cube, (_, literal)| cube.and(literal.cube));
            self.configurations.count(cube, here)
        };
        let item = microstep.map(|number| self.item(number));
        let best = (0..literals.len()).max_by_key(|&then| (support(then), then));
        let Some(then) = best else {
            // Nothing happens in this microstep at all.
            let then = item.map(|item| format!("!{item}"));
            return Implication {
                when: Vec::new(),
                then: then.into_iter().collect(),
                support: self.configurations.total(),
            };
        };
        let others = literals.iter().enumerate().filter(|(at, _)| *at != then);
        let when = item.into_iter().chain(others.map(|(_, literal)| literal.text.clone())).collect();
        Implication { when, then: vec![literals[then].negated.clone()], support: support(then) }
    }

    /// The number of a microstep as an item.
    fn item(&self, number: i32) -> String {
        if number == self.configurations.counted { format!("ms>={number}") } else { format!("ms={number}") }
    }

    fn literals(&self, cube: Cube, system: &System) -> Vec<Literal> {
        let mut literals = Vec::new();
        let count = self.configurations.events.len();
        for bit in 0..self.configurations.variables() {
            let (name, mask) =
                (&system.event(self.configurations.events[bit % count]).name, (1 as Valuation) << bit);
            let (with, without) = (cube.with & mask, cube.without & mask);
            let when = match self.configurations.past {
                Past::Microstep if bit >= count => "before ",
                Past::Macrostep if bit >= count => "old ",
                _ => "",
            };
            let (yes, no) = (format!("{when}{name}"), format!("!{when}{name}"));
            if with != 0 {
                literals.push(Literal { cube: Cube { with, without }, text: yes, negated: no });
            } else if without != 0 {
                literals.push(Literal { cube: Cube { with, without }, text: no, negated: yes });
            }
        }
        literals
    }

    /// All microsteps but some.
    fn other_microsteps(&self, microsteps: &[i32]) -> Vec<i32> {
        (1..=self.configurations.counted).filter(|number| !microsteps.contains(number)).collect()
    }

    /// All rules as lines for people. Rules about one event each that say the same share a line.
    pub fn lines(&self, system: &System) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        // Where the line of a kind of rule stands, and the events that it is about.
        let mut shared: BTreeMap<(bool, Vec<i32>), (usize, Vec<String>)> = BTreeMap::new();
        for rule in &self.rules {
            if rule.never.size() != 1 {
                lines.push(Line { text: self.sentence(rule, system), support: self.support(rule, system) });
                continue;
            }
            let name = self.names(rule.never.with | rule.never.without, system).join(", ");
            let key = (rule.never.with != 0, rule.microsteps.clone());
            let (at, names) = shared.entry(key).or_insert_with(|| {
                lines.push(Line { text: String::new(), support: 0 });
                (lines.len() - 1, Vec::new())
            });
            names.push(name);
            lines[*at].support = lines[*at].support.saturating_add(self.support(rule, system));
        }
        for ((is_with, microsteps), (at, names)) in shared {
            lines[at].text = self.about_single_events(is_with, &microsteps, &names.join(", "));
        }
        lines
    }

    /// The rules as lines, one for each, those that say something in the most configurations first. Only of an environment
    /// that cannot go on could there be a rule without events, which says nothing that a component can use.
    pub fn assumptions(&self, system: &System) -> Vec<String> {
        let rules = self.rules.iter().filter(|rule| rule.never.size() > 0);
        let mut rules: Vec<(u64, String)> =
            rules.map(|rule| (self.support(rule, system), self.line(rule, system))).collect();
        rules.sort_by_key(|(support, _)| std::cmp::Reverse(*support));
        rules.into_iter().map(|(_, text)| text).collect()
    }

    fn line(&self, rule: &Rule, system: &System) -> String {
        if rule.never.size() != 1 {
            return self.sentence(rule, system);
        }
        let name = self.names(rule.never.with | rule.never.without, system).join(", ");
        self.about_single_events(rule.never.with != 0, &rule.microsteps, &name)
    }

    fn support(&self, rule: &Rule, system: &System) -> u64 {
        self.implications(rule, system).iter().map(|implication| implication.support).sum()
    }

    fn about_single_events(&self, is_with: bool, microsteps: &[i32], names: &str) -> String {
        let allowed = self.other_microsteps(microsteps);
        match (is_with, allowed.len()) {
            (true, 0) => format!("{names}: never"),
            (false, 0) => format!("{names}: always"),
            (false, _) => format!("{names}: always in {}", self.microsteps(microsteps)),
            (true, count) if count <= microsteps.len() => {
                format!("{names}: only in {}", self.microsteps(&allowed))
            }
            (true, _) => format!("no {names} in {}", self.microsteps(microsteps)),
        }
    }

    fn sentence(&self, rule: &Rule, system: &System) -> String {
        let (with, without) = (self.names(rule.never.with, system), self.names(rule.never.without, system));
        let when = if self.is_always(rule) {
            String::new()
        } else {
            format!(" in {}", self.microsteps(&rule.microsteps))
        };
        let when = format!("{}{when}", self.after(rule.never, system));
        match (with.is_empty(), without.is_empty()) {
            (true, true) => format!("no macrostep gets so far{when}"),
            (true, false) => format!("always {}{when}", without.join(" or ")),
            (false, true) => format!("never {}{when}", with.join(" with ")),
            (false, false) => format!("never {} without {}{when}", with.join(" with "), without.join(" or ")),
        }
    }

    /// ` after a with b without c`, ` after no c`, ` after a macrostep with a`, ` after a macrostep without c`
    fn after(&self, cube: Cube, system: &System) -> String {
        let count = self.configurations.events.len();
        let earlier = |set: Valuation| match self.configurations.past {
            Past::None => Vec::new(),
            Past::Microstep | Past::Macrostep => self.names(set >> count, system),
        };
        let (with, without) = (earlier(cube.with).join(" with "), earlier(cube.without).join(" or "));
        let (first, none) = match self.configurations.past {
            Past::Macrostep => (" after a macrostep with ", " after a macrostep without "),
            Past::None | Past::Microstep => (" after ", " after no "),
        };
        match (with.is_empty(), without.is_empty()) {
            (true, true) => String::new(),
            (true, false) => format!("{none}{without}"),
            (false, true) => format!("{first}{with}"),
            (false, false) => format!("{first}{with} without {without}"),
        }
    }

    fn names(&self, set: Valuation, system: &System) -> Vec<String> {
        let events = self.configurations.events.iter().enumerate();
        events
            .filter(|(bit, _)| set >> bit & 1 == 1)
            .map(|(_, &event)| system.event(event).name.clone())
            .collect()
    }

    /// `microstep 3`, `microsteps 1, 2 and 4`, `microsteps 3, 4 and later`
    fn microsteps(&self, numbers: &[i32]) -> String {
        let mut words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        if numbers.last() == Some(&self.configurations.counted) {
            words.push("later".to_owned());
        }
        let noun = if words.len() == 1 { "microstep" } else { "microsteps" };
        match words.pop() {
            None => "no microstep".to_owned(),
            Some(last) if words.is_empty() => format!("{noun} {last}"),
            Some(last) => format!("{noun} {} and {last}", words.join(", ")),
        }
    }
}

/// An event that is there or not.
struct Literal {
    cube: Cube,
    text: String,
    negated: String,
}

impl Cube {
    /// What is in both cubes, if that is one.
    fn and(self, other: Self) -> Self {
        Self { with: self.with | other.with, without: self.without | other.without }
    }
}
