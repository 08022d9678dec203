//! The deterministic automaton of a system observed through some of its actions, built on demand.
//!
//! **Problem.** An observer sees some of the actions of a system, the *letters*. After a word of letters, can the error
//! state have been reached; and which words are there that lead to it?
//!
//! **Source.** The subset construction [Rabin, Scott 1959], on the fly.
//!
//! **Idea.** What an observer knows after a word is the set of states that the system may be in, closed under steps
//! that are not seen. Sets are interned. The target of a set by a letter is computed at the first request and
//! remembered: asking for a word again, or for a longer one, simulates nothing a second time.
//!
//! **Invariants.** A set that contains the error state *is* the error ([`Belief::Error`]): if the system may have
//! failed after a word, the word and all longer ones count as failures. The transitions of a state of the system are
//! computed once. Sets are closed and sorted, so equal sets are equal arrays.
//!
//! **Complexity.** Each new pair of a set and a letter costs time linear in the transitions of the states of the set.
//! At worst there are 2ⁿ sets; the budget sees states, sets and bytes.
//!
//! **Callers.** The teachers and the learning form of assumption generation in the crate `assume`.

use std::hash::{BuildHasher, BuildHasherDefault, Hash};
use std::ops::ControlFlow;

use hashbrown::HashTable;
use rely_base::{ActionId, Budget, Exhausted, Id, Label, Progress, Resource, StateId};
use rustc_hash::{FxHashSet, FxHasher};

use crate::{StateSet, Successor, System};

rely_base::define_id! {
    /// A set of states that the letters seen so far cannot distinguish.
    SubsetId
}

/// What is known after a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Belief {
    /// The system is in one of the states of a set, and cannot have failed.
    Possible(SubsetId),
    /// The system may have failed.
    Error,
}

/// The transition has not been computed.
const UNASKED: u32 = u32::MAX;
/// The transition leads to the error.
const ERROR: u32 = u32::MAX - 1;

/// A transition of a state: the letter, or nothing for a step that is not seen, and the target.
type Edge = (Option<ActionId>, u32);

/// The sets of states that words of letters lead to.
pub struct Subsets<'s, S: System> {
    system: &'s S,
    cursor: S::Cursor,
    /// By label, the letter that is seen.
    letters: Vec<Option<ActionId>>,
    letter_count: usize,
    /// The states of the system that have been met.
    states: StateSet,
    /// For each state whose transitions have been computed, where they are in `edges`.
    ranges: Vec<Option<(usize, usize)>>,
    /// The transitions of states, those of one state next to each other.
    edges: Vec<Edge>,
    /// The members of all sets, one set after the other, each sorted.
    members: Vec<u32>,
    /// Where each set ends in `members`.
    ends: Vec<usize>,
    /// The sets by content.
    index: HashTable<u32>,
    hasher: BuildHasherDefault<FxHasher>,
    /// For each set and letter where it leads, [`UNASKED`] or [`ERROR`].
    next: Vec<u32>,
    /// The states that are in the set under construction.
    is_drafted: Vec<bool>,
    /// How many states have had their transitions computed.
    expansions: usize,
    /// The most transitions that one of them has.
    widest: usize,
}

impl<'s, S: System> Subsets<'s, S> {
    /// A system of which only some labels are seen: `letters` gives for each label of the system, by its index, the
    /// letter that it shows as. Letters are numbered from 0.
    pub fn new(system: &'s S, letters: Vec<Option<ActionId>>) -> Self {
        debug_assert_eq!(letters.len(), 1 + system.alphabet().len());
        let letter_count = letters.iter().flatten().map(|letter| letter.index() + 1).max().unwrap_or(0);
        Self {
            system,
            cursor: system.cursor(),
            letters,
            letter_count,
            states: StateSet::new(system.words()),
            ranges: Vec::new(),
            edges: Vec::new(),
            members: Vec::new(),
            ends: Vec::new(),
            index: HashTable::new(),
            hasher: BuildHasherDefault::default(),
            next: Vec::new(),
            is_drafted: Vec::new(),
            expansions: 0,
            widest: 0,
        }
    }

    /// What is known before anything has been seen.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn initial(&mut self, budget: &Budget<'_>) -> Result<Belief, Exhausted> {
        let mut words = vec![0; self.system.words()];
        if self.system.initial(&mut words).is_err() {
            return Ok(Belief::Error);
        }
        let state = self.intern(&words);
        self.closed(vec![state], budget)
    }

    /// What is known after one more letter.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn step(&mut self, from: Belief, letter: ActionId, budget: &Budget<'_>) -> Result<Belief, Exhausted> {
        let Belief::Possible(set) = from else { return Ok(Belief::Error) };
        if letter.index() >= self.letter_count {
            // Nothing in the system shows as this letter.
            return self.closed(Vec::new(), budget);
        }
        let place = set.index() * self.letter_count + letter.index();
        match self.next[place] {
            UNASKED => {}
            ERROR => return Ok(Belief::Error),
            known => return Ok(Belief::Possible(SubsetId::from_raw(known))),
        }
        let belief = self.computed_step(set, letter, budget)?;
        self.next[place] = match belief {
            Belief::Possible(target) => target.raw(),
            Belief::Error => ERROR,
        };
        Ok(belief)
    }

    /// Words on which an automaton and the system disagree, a shortest one first; none if they always agree. They
    /// disagree on a word if the automaton, given by its start state, its steps and its accepting states, accepts the
    /// word although the system may fail by it, or the other way round.
    ///
    /// Both are searched together, breadth first, so the search builds all sets that it needs to compare them. It
    /// gathers at most `most` words, and after the first word it looks at no more than as many further pairs as
    /// before it.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn disagreements<Q: Copy + Eq + Hash>(
        &mut self,
        (letters, most): (usize, usize),
        start: Q,
        accepts: impl Fn(Q) -> bool,
        step: impl Fn(Q, ActionId) -> Q,
        budget: &Budget<'_>,
    ) -> Result<Vec<Vec<ActionId>>, Exhausted> {
        // Each pair with the place in the queue that it came from, and by which letter.
        let mut queue: Vec<(Q, Belief, usize, Option<ActionId>)> =
            vec![(start, self.initial(budget)?, 0, None)];
        let mut seen: FxHashSet<(Q, Belief)> =
            queue.iter().map(|&(state, belief, ..)| (state, belief)).collect();
        let mut found = Vec::new();
        // After the first word, the search goes on for as many pairs as it took to find it.
        let mut end = usize::MAX;
        let mut next = 0;
        while let Some(&(state, belief, ..)) = queue.get(next).filter(|_| found.len() < most && next < end) {
            if accepts(state) != (belief != Belief::Error) {
                if found.is_empty() {
                    end = 2 * next + 1;
                }
                found.push(word_to(&queue, next));
            } else {
                for letter in (0..letters).map(ActionId::from_index) {
                    let pair = (step(state, letter), self.step(belief, letter, budget)?);
                    if seen.insert(pair) {
                        queue.push((pair.0, pair.1, next, Some(letter)));
                    }
                }
            }
            next += 1;
        }
        Ok(found)
    }

    /// Whether the system cannot have been here: it has no run with the word.
    pub fn is_impossible(&self, belief: Belief) -> bool {
        matches!(belief, Belief::Possible(set) if self.members_of(set).is_empty())
    }

    /// How many states of the system have been met.
    pub fn state_count(&self) -> usize {
        self.states.len()
    }

    /// How many sets have been made.
    pub fn subset_count(&self) -> usize {
        self.ends.len()
    }

    /// How many letters there are.
    pub fn letter_count(&self) -> usize {
        self.letter_count
    }

    fn computed_step(
        &mut self,
        set: SubsetId,
        letter: ActionId,
        budget: &Budget<'_>,
    ) -> Result<Belief, Exhausted> {
        let mut reached = Vec::new();
        let start = set.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        for member in start..self.ends[set.index()] {
            let range = self.expanded(self.members[member], budget)?;
            for &(shown, target) in &self.edges[range.0..range.1] {
                if shown == Some(letter) {
                    if target == ERROR {
                        return Ok(Belief::Error);
                    }
                    reached.push(target);
                }
            }
        }
        self.closed(reached, budget)
    }

    /// The set of these states and those that can be reached from them unseen.
    fn closed(&mut self, reached: Vec<u32>, budget: &Budget<'_>) -> Result<Belief, Exhausted> {
        let mut draft = Vec::new();
        let belief = self.close(reached, &mut draft, budget);
        for &state in &draft {
            self.is_drafted[state as usize] = false;
        }
        match belief? {
            false => Ok(Belief::Error),
            true => {
                draft.sort_unstable();
                self.observe(budget)?;
                Ok(Belief::Possible(self.interned_set(&draft)))
            }
        }
    }

    /// Follows unseen steps; returns false if they reach the error.
    fn close(
        &mut self,
        mut stack: Vec<u32>,
        draft: &mut Vec<u32>,
        budget: &Budget<'_>,
    ) -> Result<bool, Exhausted> {
        while let Some(state) = stack.pop() {
            if std::mem::replace(&mut self.is_drafted[state as usize], true) {
                continue;
            }
            draft.push(state);
            let range = self.expanded(state, budget)?;
            for &(shown, target) in &self.edges[range.0..range.1] {
                match (shown, target) {
                    (None, ERROR) => return Ok(false),
                    (None, target) => stack.push(target),
                    (Some(_), _) => {}
                }
            }
        }
        Ok(true)
    }

    /// Where the transitions of a state are, which are computed if they have not been.
    fn expanded(&mut self, state: u32, budget: &Budget<'_>) -> Result<(usize, usize), Exhausted> {
        if let Some(range) = self.ranges[state as usize] {
            return Ok(range);
        }
        self.make_room(budget)?;
        let words = self.states.get(StateId::from_raw(state)).to_vec();
        let start = self.edges.len();
        let Self { system, cursor, letters, states, edges, ranges, is_drafted, widest, .. } = self;
        let all = system.try_successors(&words, cursor, &mut |label: Label, successor| {
            let target = match successor {
                // What lies outside the bounds is not known, so it may be an error.
                Successor::Error(_) | Successor::Cut(_) => ERROR,
                Successor::State(words) => {
                    let (target, is_new) = states.insert(words);
                    if is_new {
                        ranges.push(None);
                        is_drafted.push(false);
                    }
                    target.raw()
                }
            };
            edges.push((letters[label.index()], target));
            if states.len() > budget.max_states() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if all.is_break() {
            edges.truncate(start);
            let (states, transitions) = (self.states.len(), self.edges.len());
            return Err(Exhausted { resource: Resource::States, states, transitions });
        }
        *widest = (*widest).max(edges.len() - start);
        edges[start..].sort_unstable();
        let mut kept = start;
        for i in start..edges.len() {
            if i == start || edges[i] != edges[kept - 1] {
                edges[kept] = edges[i];
                kept += 1;
            }
        }
        edges.truncate(kept);
        let range = (start, kept);
        ranges[state as usize] = Some(range);
        self.expansions += 1;
        if self.expansions.is_multiple_of(Budget::INTERVAL) {
            self.observe(budget)?;
        }
        Ok(range)
    }

    /// Makes room for the transitions of one more state, judged by the widest so far, if the budget allows it.
    /// Transitions take most of the memory, so the table grows by a quarter instead of doubling.
    fn make_room(&mut self, budget: &Budget<'_>) -> Result<(), Exhausted> {
        /// Minimum number of transitions to grow by.
        const LEAST: usize = 1 << 8;
        let room = self.edges.capacity() - self.edges.len();
        if room <= self.widest {
            let more = (self.edges.capacity() / 4).max(LEAST).max(2 * self.widest);
            self.check(budget, more * size_of::<Edge>())?;
            self.edges.reserve_exact(room + more);
        }
        Ok(())
    }

    fn intern(&mut self, words: &[u64]) -> u32 {
        let (state, is_new) = self.states.insert(words);
        if is_new {
            self.ranges.push(None);
            self.is_drafted.push(false);
        }
        state.raw()
    }

    fn members_of(&self, set: SubsetId) -> &[u32] {
        let start = set.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.members[start..self.ends[set.index()]]
    }

    /// The number of a sorted set, which is added if it is new.
    fn interned_set(&mut self, draft: &[u32]) -> SubsetId {
        let hash = self.hasher.hash_one(draft);
        let found = self.index.find(hash, |&set| self.members_of(SubsetId::from_raw(set)) == draft).copied();
        if let Some(set) = found {
            return SubsetId::from_raw(set);
        }
        let set = SubsetId::from_index(self.ends.len());
        self.members.extend_from_slice(draft);
        self.ends.push(self.members.len());
        self.next.resize(self.ends.len() * self.letter_count, UNASKED);
        let Self { index, hasher, members, ends, .. } = self;
        index.insert_unique(hash, set.raw(), |&set| {
            let start = (set as usize).checked_sub(1).map_or(0, |before| ends[before]);
            hasher.hash_one(&members[start..ends[set as usize]])
        });
        set
    }

    fn observe(&self, budget: &Budget<'_>) -> Result<(), Exhausted> {
        self.check(budget, 0)
    }

    /// Checks whether the budget allows `more` bytes in addition to those held.
    fn check(&self, budget: &Budget<'_>, more: usize) -> Result<(), Exhausted> {
        budget.check(&Progress {
            states: self.states.len().max(self.ends.len()),
            transitions: self.edges.len(),
            frontier: 0,
            bytes: self.system.bytes() + self.bytes() + more,
        })
    }

    /// Bytes held. The lists with an entry per state count twice, since they may be about to double, and that also
    /// covers the set under construction and the states that it has still to close.
    pub fn bytes(&self) -> usize {
        const PER_STATE: usize = 2 * size_of::<Option<(usize, usize)>>() + size_of::<bool>();
        const PER_SET: usize = size_of::<usize>() + size_of::<u32>() + 1;
        self.states.bytes()
            + self.edges.capacity() * size_of::<Edge>()
            + self.ranges.capacity() * PER_STATE
            + (self.members.capacity() + self.next.capacity()) * size_of::<u32>()
            + self.ends.capacity() * PER_SET
    }
}

/// The letters on the way to a place of the queue. Each entry of the queue has its predecessor's place and the
/// letter.
fn word_to<Q>(queue: &[(Q, Belief, usize, Option<ActionId>)], mut place: usize) -> Vec<ActionId> {
    let mut word = Vec::new();
    while let (_, _, before, Some(letter)) = queue[place] {
        word.push(letter);
        place = before;
    }
    word.reverse();
    word
}

#[cfg(test)]
mod tests {
    use rely_base::Limits;
    use rely_lts::{Component, Network};
    use rely_testkit::networks::from_transitions;

    use super::*;
    use crate::Product;

    #[test]
    fn observers_reach_no_more_states_than_they_may() {
        // A long path of unseen steps through many states.
        let steps: Vec<_> = (0..3000).map(|state| (state, "step", state + 1)).collect();
        let network = Network::new(vec![Component::new("LONG", from_transitions(3001, &steps))]);
        let product = Product::transparent(&network);
        let budget = Budget::new(Limits { states: Some(100), bytes: None }, None);
        let mut unseeing = Subsets::new(&product, vec![None; network.alphabet().len() + 1]);
        let met = unseeing.initial(&budget).expect_err("there are more");
        assert_eq!((met.resource, met.states), (Resource::States, 101));
    }

    #[test]
    fn observers_stop_in_the_middle_of_a_state_that_has_many_successors() {
        let steps: Vec<_> = (0..3000).map(|state| (0, "step", state + 1)).collect();
        let network = Network::new(vec![Component::new("WIDE", from_transitions(3001, &steps))]);
        let product = Product::transparent(&network);
        let narrow = Budget::new(Limits { states: Some(100), bytes: None }, None);
        let mut unseeing = Subsets::new(&product, vec![None; network.alphabet().len() + 1]);
        for _ in 0..2 {
            let met = unseeing.initial(&narrow).expect_err("there are more");
            assert_eq!((met.resource, met.states), (Resource::States, 101));
        }
        // With a larger limit it continues where it was.
        assert!(unseeing.initial(&Budget::UNLIMITED).is_ok());
        assert_eq!(unseeing.state_count(), 3001);
    }

    #[test]
    fn observers_ask_before_their_table_of_transitions_grows() {
        let steps: Vec<_> = (0..100_000).map(|state| (state, "step", state + 1)).collect();
        let network = Network::new(vec![Component::new("LONG", from_transitions(100_001, &steps))]);
        let product = Product::transparent(&network);
        for kibibytes in [8 << 10, 12 << 10] {
            let limit = kibibytes << 10;
            let budget = Budget::new(Limits { states: None, bytes: Some(limit) }, None);
            let mut unseeing = Subsets::new(&product, vec![None; network.alphabet().len() + 1]);
            let met = unseeing.initial(&budget).expect_err("there is more");
            assert_eq!(met.resource, Resource::Memory);
            let held = unseeing.edges.capacity() * size_of::<Edge>() + unseeing.states.bytes();
            assert!(held + product.bytes() <= limit, "{held} bytes of {limit}");
        }
    }
}
