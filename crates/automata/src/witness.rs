//! Questions about languages, answered with a shortest word.
//!
//! Problem: is a language empty, are two equal, is one in the other; and if not, which word shows it? Idea: a
//! breadth-first search of the automaton, or of the product of two, for a state that shows it, letters in order: the
//! first one found ends a shortest word, and the least one among those in the order of letters. Equality needs no
//! product of states: pairs that follow from pairs already assumed equal are skipped, with a union-find [Hopcroft &
//! Karp 1971]. A skipped pair follows from earlier pairs, whose words are no longer, so the first difference found
//! still is a shortest one. Complexity: kn for one automaton, kn·α for equality, kn² for inclusion. Callers: tests
//! and oracles of learners, and comparisons of assumptions.

use std::collections::VecDeque;

use rely_base::{ActionId, Id, StateId};

use crate::Dfa;

impl Dfa {
    /// Whether no word is accepted.
    pub fn is_empty(&self) -> bool {
        self.shortest_accepted().is_none()
    }

    /// A shortest word that is accepted, the first one in the order of letters.
    pub fn shortest_accepted(&self) -> Option<Vec<ActionId>> {
        self.shortest_to(|state| self.is_accepting(state))
    }

    /// A shortest word that is not accepted, the first one in the order of letters.
    pub fn shortest_rejected(&self) -> Option<Vec<ActionId>> {
        self.shortest_to(|state| !self.is_accepting(state))
    }

    /// A shortest word that one of the automata accepts and the other does not, or nothing when they accept the same.
    ///
    /// # Panics
    /// When the automata have different numbers of letters.
    pub fn shortest_difference(&self, other: &Self) -> Option<Vec<ActionId>> {
        self.separating_word(self.initial(), other, other.initial())
    }

    /// A shortest word that is accepted from `state` here and not from `other_state` there, or the other way round.
    ///
    /// # Panics
    /// When the automata have different numbers of letters.
    pub fn separating_word(
        &self,
        state: StateId,
        other: &Self,
        other_state: StateId,
    ) -> Option<Vec<ActionId>> {
        assert_eq!(self.letter_count(), other.letter_count(), "words are compared over one alphabet");
        let offset = self.state_count();
        let mut equal = UnionFind::new(offset + other.state_count());
        let mut search = Search::new((state, other_state));
        equal.union(state.index(), offset + other_state.index());
        while let Some((place, (p, q))) = search.next() {
            if self.is_accepting(p) != other.is_accepting(q) {
                return Some(search.word_to(place));
            }
            for letter in self.letters() {
                let next = (self.step(p, letter), other.step(q, letter));
                if equal.union(next.0.index(), offset + next.1.index()) {
                    search.push(place, letter, next);
                }
            }
        }
        None
    }

    /// A shortest word that this automaton accepts and the other does not, or nothing when the language of this one is
    /// included in the language of the other.
    ///
    /// # Panics
    /// When the automata have different numbers of letters.
    pub fn shortest_not_in(&self, other: &Self) -> Option<Vec<ActionId>> {
        assert_eq!(self.letter_count(), other.letter_count(), "words are compared over one alphabet");
        let mut seen = vec![false; self.state_count() * other.state_count()];
        let mut see = |(p, q): (StateId, StateId)| {
            !std::mem::replace(&mut seen[p.index() * other.state_count() + q.index()], true)
        };
        let start = (self.initial(), other.initial());
        see(start);
        let mut search = Search::new(start);
        while let Some((place, (p, q))) = search.next() {
            if self.is_accepting(p) && !other.is_accepting(q) {
                return Some(search.word_to(place));
            }
            for letter in self.letters() {
                let next = (self.step(p, letter), other.step(q, letter));
                if see(next) {
                    search.push(place, letter, next);
                }
            }
        }
        None
    }

    /// Whether every word of this automaton is one of the other.
    ///
    /// # Panics
    /// When the automata have different numbers of letters.
    pub fn is_included_in(&self, other: &Self) -> bool {
        self.shortest_not_in(other).is_none()
    }

    /// A shortest word to each state, the first one in the order of letters; nothing for states that cannot be reached.
    pub fn access_words(&self) -> Vec<Option<Vec<ActionId>>> {
        let mut words = vec![None; self.state_count()];
        words[self.initial().index()] = Some(Vec::new());
        let mut queue = VecDeque::from([self.initial()]);
        while let Some(state) = queue.pop_front() {
            for letter in self.letters() {
                let next = self.step(state, letter);
                if words[next.index()].is_none() {
                    let mut word = words[state.index()].clone().expect("only states with a word are queued");
                    word.push(letter);
                    words[next.index()] = Some(word);
                    queue.push_back(next);
                }
            }
        }
        words
    }

    /// A shortest word to a state that is looked for.
    fn shortest_to(&self, goal: impl Fn(StateId) -> bool) -> Option<Vec<ActionId>> {
        let mut seen = vec![false; self.state_count()];
        seen[self.initial().index()] = true;
        let mut search = Search::new(self.initial());
        while let Some((place, state)) = search.next() {
            if goal(state) {
                return Some(search.word_to(place));
            }
            for letter in self.letters() {
                let next = self.step(state, letter);
                if !std::mem::replace(&mut seen[next.index()], true) {
                    search.push(place, letter, next);
                }
            }
        }
        None
    }
}

/// A breadth-first search: everything that was reached, in order, with how it was reached.
struct Search<S> {
    /// What was reached, and by which letter from which earlier place; the start is its own predecessor.
    reached: Vec<(S, usize, Option<ActionId>)>,
    /// The place whose turn is next.
    next: usize,
}

impl<S: Copy> Search<S> {
    fn new(start: S) -> Self {
        Self { reached: vec![(start, 0, None)], next: 0 }
    }

    fn next(&mut self) -> Option<(usize, S)> {
        let place = self.next;
        let &(state, ..) = self.reached.get(place)?;
        self.next += 1;
        Some((place, state))
    }

    fn push(&mut self, from: usize, letter: ActionId, state: S) {
        self.reached.push((state, from, Some(letter)));
    }

    fn word_to(&self, mut place: usize) -> Vec<ActionId> {
        let mut word = Vec::new();
        while let (_, from, Some(letter)) = self.reached[place] {
            word.push(letter);
            place = from;
        }
        word.reverse();
        word
    }
}

/// Disjoint sets of numbers [Tarjan 1975], with path halving and union by size.
struct UnionFind {
    parents: Vec<usize>,
    sizes: Vec<usize>,
}

impl UnionFind {
    fn new(count: usize) -> Self {
        Self { parents: (0..count).collect(), sizes: vec![1; count] }
    }

    fn find(&mut self, mut x: usize) -> usize {
        while self.parents[x] != x {
            self.parents[x] = self.parents[self.parents[x]];
            x = self.parents[x];
        }
        x
    }

    /// Merges the sets of two numbers; returns whether they were different.
    fn union(&mut self, x: usize, y: usize) -> bool {
        let (x, y) = (self.find(x), self.find(y));
        let (small, large) = if self.sizes[x] <= self.sizes[y] { (x, y) } else { (y, x) };
        if small == large {
            return false;
        }
        self.parents[small] = large;
        self.sizes[large] += self.sizes[small];
        true
    }
}
