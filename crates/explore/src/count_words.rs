//! Counting a system whose states are single words.
//!
//! Problem: the size of the reachable part, in as little time and memory as possible. Nobody asks for the number of a
//! state or for a trace, so nothing is kept but the set of words seen, and the words of two levels: the one that is
//! being expanded and the one that is being found.
//!
//! As in the numbered search, the successors of a few states are collected before they are looked up, so that the
//! cache misses of the lookups overlap.
//!
//! Invariants: `seen` holds what was found, up to the words in `pending`; levels have no state twice; transitions are
//! those of the states expanded, each once.
//!
//! Cost: time O(states + transitions), memory 9 to 12 bytes for each state and 8 for each of two levels.
//!
//! Called by [`crate::count`].

use std::ops::ControlFlow;

use rely_base::{Budget, Exhausted, Label, Progress, Resource};

use crate::word_set::WordSet;
use crate::{Size, Successor, System, is_terminated};

/// Counts a system of single words.
pub(crate) fn count_words<S: System>(system: &S, budget: &Budget<'_>) -> Result<Size, Exhausted> {
    let mut initial = [0];
    let mut counter = Counter::new(system, budget);
    match system.initial(&mut initial) {
        Err(_) => counter.error_reachable = true,
        Ok(()) => counter.run(initial[0])?,
    }
    Ok(Size {
        states: counter.seen.len() - counter.ends.saturating_sub(1),
        transitions: counter.transitions,
        error_reachable: counter.error_reachable,
    })
}

/// So many states are expanded before their successors are looked up.
const SOURCES: usize = 16;

/// Not many more successors than this are collected.
const MOST_PENDING: usize = 1 << 10;

/// Where a transition leads, all ways to fail being the same, and all ways to have terminated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Error,
    End,
    State(u64),
}

struct Counter<'a, S: System> {
    system: &'a S,
    /// To find out whether a state has terminated.
    cursor: S::Cursor,
    budget: &'a Budget<'a>,
    seen: WordSet,
    /// The next level, as far as it was found.
    next: Vec<u64>,
    /// How many words the level that is being expanded takes.
    level_capacity: usize,
    /// The targets that have not been looked up.
    pending: Vec<u64>,
    /// The transitions of the current state.
    edges: Vec<(Label, Target)>,
    /// How many states have been expanded.
    expanded: usize,
    /// How many distinct transitions these have.
    transitions: usize,
    /// How many end states were found.
    ends: usize,
    error_reachable: bool,
}

impl<'a, S: System> Counter<'a, S> {
    fn new(system: &'a S, budget: &'a Budget<'a>) -> Self {
        Self {
            system,
            cursor: system.cursor(),
            budget,
            seen: WordSet::new(),
            next: Vec::new(),
            level_capacity: 0,
            pending: Vec::new(),
            edges: Vec::new(),
            expanded: 0,
            transitions: 0,
            ends: 0,
            error_reachable: false,
        }
    }

    /// Expands level after level.
    fn run(&mut self, initial: u64) -> Result<(), Exhausted> {
        let mut cursor = self.system.cursor();
        let mut level = Vec::new();
        self.pending.push(initial);
        self.settle()?;
        while !self.next.is_empty() {
            level.clear();
            std::mem::swap(&mut level, &mut self.next);
            self.level_capacity = level.capacity();
            for sources in level.chunks(SOURCES) {
                for &source in sources {
                    self.expand(source, &mut cursor)?;
                }
                self.settle()?;
            }
        }
        Ok(())
    }

    /// Collects the successors of a state and counts its transitions.
    #[inline]
    fn expand(&mut self, source: u64, cursor: &mut S::Cursor) -> Result<(), Exhausted> {
        if self.expanded.is_multiple_of(Budget::INTERVAL) {
            self.budget.check(&self.progress())?;
        }
        let mut end = Ok(());
        let all = self.system.try_successors(&[source], cursor, &mut |label, successor| {
            if self.pending.len() >= MOST_PENDING {
                end = self.settle();
            }
            self.collect(label, successor);
            if end.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        debug_assert_eq!(all.is_break(), end.is_err());
        self.expanded += 1;
        self.transitions += self.distinct_edges();
        self.edges.clear();
        end
    }

    #[inline]
    fn collect(&mut self, label: Label, successor: Successor<'_>) {
        let target = match successor {
            Successor::Error(_) => {
                self.error_reachable = true;
                Target::Error
            }
            Successor::State(words) => {
                self.pending.push(words[0]);
                Target::State(words[0])
            }
        };
        self.edges.push((label, target));
    }

    /// How many different transitions the current state has.
    #[inline]
    fn distinct_edges(&mut self) -> usize {
        // Mostly each label occurs once, and systems show labels in order.
        if !self.edges.is_sorted_by(|one, next| one.0 < next.0) {
            self.merge_edges();
        }
        self.edges.len()
    }

    fn merge_edges(&mut self) {
        let Self { system, cursor, edges, .. } = self;
        for (_, target) in edges.iter_mut() {
            if let Target::State(word) = *target
                && is_terminated(*system, &[word], cursor)
            {
                *target = Target::End;
            }
        }
        edges.sort_unstable();
        edges.dedup();
    }

    /// Looks up the targets that were collected; those that are new belong to the next level.
    fn settle(&mut self) -> Result<(), Exhausted> {
        if !self.seen.has_room(self.pending.len()) {
            self.make_room()?;
        }
        self.seen.touch(&self.pending);
        for &word in &self.pending {
            if !self.seen.insert(word) {
                continue;
            }
            if self.seen.len() > self.budget.max_states() {
                return Err(Exhausted {
                    resource: Resource::States,
                    states: self.budget.max_states(),
                    transitions: self.transitions,
                });
            }
            self.next.push(word);
            self.ends += usize::from(is_terminated(self.system, &[word], &mut self.cursor));
        }
        self.pending.clear();
        Ok(())
    }

    /// Makes room for the targets that were collected, if the budget allows it.
    #[cold]
    fn make_room(&mut self) -> Result<(), Exhausted> {
        let bytes = self.seen.bytes_grown() + self.level_bytes();
        if bytes > self.budget.max_bytes() {
            return Err(Exhausted {
                resource: Resource::Memory,
                states: self.seen.len(),
                transitions: self.transitions,
            });
        }
        self.seen.reserve(self.pending.len());
        self.budget.check(&self.progress())
    }

    fn progress(&self) -> Progress {
        Progress {
            states: self.seen.len(),
            transitions: self.transitions + self.edges.len(),
            frontier: self.seen.len() - self.expanded,
            bytes: self.seen.bytes() + self.level_bytes(),
        }
    }

    fn level_bytes(&self) -> usize {
        (self.next.capacity() + self.level_capacity) * size_of::<u64>()
            + self.edges.capacity() * size_of::<(Label, Target)>()
    }
}
