//! Counting the reachable states and transitions of a system.
//!
//! The states where a system has terminated count as one, and so do the ways to reach the error state: transitions are
//! distinct triples of source, label and target after that.

use std::ops::ControlFlow;

use rely_base::{Budget, Exhausted, Label, StateId};
use rely_lts::ComponentId;
use rustc_hash::FxHashSet;

use crate::count_words::count_words;
use crate::{Search, System, Visitor, is_terminated};

/// The size of the reachable part of a system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// States, the error state not counted, all end states counted as one.
    pub states: usize,
    /// Distinct transitions, those into the error state included.
    pub transitions: usize,
    /// Whether the error state can be reached.
    pub error_reachable: bool,
}

/// Counts the states and transitions of a system without storing transitions or traces.
///
/// # Errors
/// The limit of the budget that was met.
pub fn count<S: System>(system: &S, budget: &Budget<'_>) -> Result<Size, Exhausted> {
    if system.words() == 1 { count_words(system, budget) } else { count_numbered(system, budget) }
}

/// Counts with a search that numbers the states.
pub(crate) fn count_numbered<S: System>(system: &S, budget: &Budget<'_>) -> Result<Size, Exhausted> {
    let mut search = Search::new(system);
    let mut counter = Counter { merger: Merger::new(system), transitions: 0, error_reachable: false };
    search.run(budget, &mut counter)?;
    Ok(Size {
        states: search.states().len() - counter.merger.merged(),
        transitions: counter.transitions,
        error_reachable: counter.error_reachable,
    })
}

/// Collects the transitions of the state that is being expanded, with the end states merged into the first one found
/// and the error states into one.
pub(crate) struct Merger<'s, S: System> {
    system: &'s S,
    cursor: S::Cursor,
    /// The end states, and the one that stands for all of them.
    ends: FxHashSet<StateId>,
    end: Option<StateId>,
    /// Label and target of the transitions of the current state, with nothing as the target for the error state.
    edges: Vec<(Label, Option<StateId>)>,
}

impl<'s, S: System> Merger<'s, S> {
    pub(crate) fn new(system: &'s S) -> Self {
        Self { system, cursor: system.cursor(), ends: FxHashSet::default(), end: None, edges: Vec::new() }
    }

    /// Notes a new state.
    pub(crate) fn discovered(&mut self, state: StateId, words: &[u64]) {
        if is_terminated(self.system, words, &mut self.cursor) {
            self.ends.insert(state);
            self.end.get_or_insert(state);
        }
    }

    /// Notes a transition of the current state, to the error state if there is no target.
    #[inline]
    pub(crate) fn transition(&mut self, label: Label, target: Option<StateId>) {
        self.edges.push((label, target.map(|target| self.representative(target))));
    }

    /// The state that a state is merged into.
    #[inline]
    pub(crate) fn representative(&self, state: StateId) -> StateId {
        match self.end {
            Some(end) if self.ends.contains(&state) => end,
            _ => state,
        }
    }

    /// The distinct transitions of the current state, which ends with this call.
    pub(crate) fn take_edges(&mut self) -> impl ExactSizeIterator<Item = (Label, Option<StateId>)> + '_ {
        // Mostly each label occurs once, and systems show labels in order.
        if !self.edges.is_sorted_by(|one, next| one.0 < next.0) {
            self.edges.sort_unstable();
            self.edges.dedup();
        }
        self.edges.drain(..)
    }

    /// The end state that stands for all of them.
    pub(crate) fn end(&self) -> Option<StateId> {
        self.end
    }

    /// How many states disappear by merging.
    pub(crate) fn merged(&self) -> usize {
        self.ends.len().saturating_sub(1)
    }

    pub(crate) fn bytes(&self) -> usize {
        /// A hash set entry with its share of free places.
        const PER_END: usize = 8;
        self.ends.capacity() * PER_END + self.edges.capacity() * size_of::<(Label, Option<StateId>)>()
    }
}

struct Counter<'s, S: System> {
    merger: Merger<'s, S>,
    transitions: usize,
    error_reachable: bool,
}

impl<S: System> Visitor for Counter<'_, S> {
    fn discovered(&mut self, state: StateId, words: &[u64]) {
        self.merger.discovered(state, words);
    }

    fn transition(&mut self, _source: StateId, label: Label, target: StateId) {
        self.merger.transition(label, Some(target));
    }

    fn error(&mut self, source: Option<StateId>, label: Label, _component: ComponentId) {
        self.error_reachable = true;
        if source.is_some() {
            self.merger.transition(label, None);
        }
    }

    fn expanded(&mut self, _state: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        self.transitions += self.merger.take_edges().len();
        ControlFlow::Continue(())
    }

    fn bytes(&self) -> usize {
        self.merger.bytes()
    }
}
