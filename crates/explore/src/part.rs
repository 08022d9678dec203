//! A part of a system: what can be reached from another state, or what lies within some states.
//!
//! From a state of a terminal component exactly that component is reached, so any search that starts there looks at the
//! component and nothing else. Within the states that a search has found, a breadth-first search finds a way to each of
//! them that is no longer than the one by which it was found.

use std::ops::ControlFlow;

use rely_base::{Alphabet, Label};
use rely_lts::ComponentId;

use crate::{StateSet, Successor, System};

/// A part of a system.
pub struct Part<'s, S> {
    system: &'s S,
    /// Where it starts, if not where the system does.
    start: Option<Vec<u64>>,
    /// The states that belong to it, if not all do.
    within: Option<&'s StateSet>,
}

impl<'s, S> Part<'s, S> {
    /// What can be reached from a state.
    pub fn starting_at(system: &'s S, state: &[u64]) -> Self {
        Self { system, start: Some(state.to_vec()), within: None }
    }

    /// The system without the transitions to other states than these, and without errors.
    pub fn within(system: &'s S, states: &'s StateSet) -> Self {
        Self { system, start: None, within: Some(states) }
    }
}

impl<S: System> System for Part<'_, S> {
    type Cursor = S::Cursor;

    fn words(&self) -> usize {
        self.system.words()
    }

    fn bytes(&self) -> usize {
        self.system.bytes()
    }

    fn cursor(&self) -> Self::Cursor {
        self.system.cursor()
    }

    fn initial(&self, state: &mut [u64]) -> Result<(), ComponentId> {
        match &self.start {
            None => self.system.initial(state),
            Some(start) => {
                state.copy_from_slice(start);
                Ok(())
            }
        }
    }

    fn try_successors(
        &self,
        state: &[u64],
        cursor: &mut Self::Cursor,
        visit: &mut impl FnMut(Label, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(within) = self.within else { return self.system.try_successors(state, cursor, visit) };
        self.system.try_successors(state, cursor, &mut |label, successor| match successor {
            Successor::State(words) if within.find(words).is_some() => visit(label, successor),
            Successor::State(_) | Successor::Error(_) | Successor::Cut(_) => ControlFlow::Continue(()),
        })
    }

    fn is_end(&self, state: &[u64]) -> bool {
        self.system.is_end(state)
    }

    fn alphabet(&self) -> &Alphabet {
        self.system.alphabet()
    }
}
