//! From regular expressions to deterministic automata: Thompson's construction, then sets of states.

use rely_automata::Dfa;
use rely_base::{Id, StateId};
use rustc_hash::FxHashMap;

use super::Regex;

/// The most states of an automaton.
const MAX_STATES: usize = 100_000;

/// A nondeterministic automaton: state 0 is initial, state 1 accepts.
#[derive(Default)]
struct Nfa {
    /// For each state, where it leads without an event.
    silent: Vec<Vec<u32>>,
    /// For each state, where it leads by which events.
    steps: Vec<Vec<(usize, u32)>>,
}

/// The minimal automaton of a regular expression over `letters` letters; nothing if it has too many states.
pub(super) fn automaton(regex: &Regex, letters: usize) -> Option<Dfa> {
    let mut nfa = Nfa::default();
    let (start, end) = (nfa.state(), nfa.state());
    nfa.add(regex, start, end);
    let first = nfa.closure(vec![start]);
    let mut numbers: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
    let mut sets = vec![first.clone()];
    numbers.insert(first, 0);
    let mut successors = Vec::new();
    let mut next = 0;
    while next < sets.len() {
        for letter in 0..letters {
            let by = |&state: &u32| {
                nfa.steps[state as usize].iter().filter(|(by, _)| *by == letter).map(|&(_, to)| to)
            };
            let target = nfa.closure(sets[next].iter().flat_map(by).collect());
            let fresh = sets.len();
            let number = *numbers.entry(target.clone()).or_insert(fresh);
            if number == fresh {
                sets.push(target);
            }
            successors.push(StateId::from_index(number));
        }
        next += 1;
        if sets.len() > MAX_STATES {
            return None;
        }
    }
    let accepting = sets.iter().map(|set| set.contains(&end)).collect();
    Some(Dfa::new(letters, StateId::from_index(0), accepting, successors).minimise())
}

impl Nfa {
    fn state(&mut self) -> u32 {
        self.silent.push(Vec::new());
        self.steps.push(Vec::new());
        u32::try_from(self.silent.len() - 1).expect("a text has fewer symbols")
    }

    /// Adds ways from one state to another.
    fn add(&mut self, regex: &Regex, from: u32, to: u32) {
        match regex {
            Regex::OneOf(letters) => {
                self.steps[from as usize].extend(letters.iter().map(|&letter| (letter, to)));
            }
            Regex::Sequence(parts) => {
                let mut at = from;
                for part in parts {
                    let next = self.state();
                    self.add(part, at, next);
                    at = next;
                }
                self.silent[at as usize].push(to);
            }
            Regex::Choice(parts) => parts.iter().for_each(|part| self.add(part, from, to)),
            Regex::Star(inner) | Regex::Plus(inner) => {
                // States of its own, so that nothing else comes back into the loop.
                let (middle, back) = (self.state(), self.state());
                self.silent[from as usize].push(middle);
                self.add(inner, middle, back);
                self.silent[back as usize].extend([middle, to]);
                if matches!(regex, Regex::Star(_)) {
                    self.silent[middle as usize].push(to);
                }
            }
        }
    }

    /// The states with all that they lead to without an event, in order.
    fn closure(&self, mut states: Vec<u32>) -> Vec<u32> {
        let mut seen = vec![false; self.silent.len()];
        let mut all = Vec::new();
        while let Some(state) = states.pop() {
            if !std::mem::replace(&mut seen[state as usize], true) {
                all.push(state);
                states.extend(&self.silent[state as usize]);
            }
        }
        all.sort_unstable();
        all
    }
}
