//! Breadth-first search.
//!
//! Problem: visit every reachable state of a [`System`] once, in an order that gives shortest traces, within a
//! [`Budget`].
//!
//! Idea: states are numbered in the order in which they are found, and expanded in that order, so the queue is the set
//! of states itself and needs no memory of its own. With each state the number of the state that it was found from is
//! kept; labels are not: a trace is found again by expanding the few states that it passes.
//!
//! Invariants: states below `expanded` have been expanded; `parents[s] < s` but for the initial state, which is its
//! own parent; the depth of states never decreases with their number. So the path along parents is a shortest one.
//!
//! Cost: time O(states + transitions), memory 8w + 4 bytes for a state of w words and its place in the hash table.

use std::ops::ControlFlow;

use rely_base::{Budget, Exhausted, Id, Label, Progress, Resource, StateId};
use rely_lts::ComponentId;

use crate::{StateSet, Successor, System};

/// Looks on while a system is searched, and may end the search.
pub trait Visitor {
    /// A state was found for the first time.
    fn discovered(&mut self, _state: StateId, _words: &[u64]) {}

    /// A transition between states was seen.
    fn transition(&mut self, _source: StateId, _label: Label, _target: StateId) {}

    /// A transition into the error state was seen, or the initial state is the error state and there is no source.
    fn error(&mut self, _source: Option<StateId>, _label: Label, _component: ComponentId) {}

    /// A state was expanded and has so many transitions; what was seen since the last call belongs to it. `Break` ends
    /// the search.
    fn expanded(&mut self, _state: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Bytes that the visitor holds.
    fn bytes(&self) -> usize {
        0
    }
}

/// A visitor that only watches the search go by.
impl Visitor for () {}

/// How a search ended that did not run out of its budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Every reachable state was expanded.
    Complete,
    /// The visitor ended the search.
    Stopped,
}

/// A step of a trace through a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The label.
    pub label: Label,
    /// The state that it leads to.
    pub target: StateId,
}

/// A breadth-first search of a system.
pub struct Search<'s, S: System> {
    system: &'s S,
    cursor: S::Cursor,
    states: StateSet,
    /// For each state the one that it was found from; empty when no traces are wanted.
    parents: Vec<u32>,
    traces: bool,
    /// How many states have been expanded.
    expanded: usize,
    transitions: usize,
}

impl<'s, S: System> Search<'s, S> {
    /// A search that can give traces.
    pub fn new(system: &'s S) -> Self {
        Self {
            system,
            cursor: system.cursor(),
            states: StateSet::new(system.words()),
            parents: Vec::new(),
            traces: true,
            expanded: 0,
            transitions: 0,
        }
    }

    /// A search that cannot give traces and needs less memory.
    pub fn without_traces(system: &'s S) -> Self {
        Self { traces: false, ..Self::new(system) }
    }

    /// Searches until there is nothing left, the visitor has seen enough, or the budget is used up.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn run(&mut self, budget: &Budget<'_>, visitor: &mut impl Visitor) -> Result<Outcome, Exhausted> {
        let mut current = vec![0; self.system.words()];
        if let Err(component) = self.system.initial(&mut current) {
            visitor.error(None, Label::TAU, component);
            return Ok(Outcome::Complete);
        }
        let (initial, _) = self.states.insert(&current);
        self.note_parent(initial);
        visitor.discovered(initial, &current);
        while self.expanded < self.states.len() {
            if self.expanded.is_multiple_of(Budget::INTERVAL) {
                budget.check(&self.progress(visitor.bytes()))?;
            }
            let state = StateId::from_index(self.expanded);
            current.copy_from_slice(self.states.get(state));
            let transitions = self.expand(state, &current, budget, visitor)?;
            self.expanded += 1;
            self.transitions += transitions;
            if visitor.expanded(state, &current, transitions).is_break() {
                return Ok(Outcome::Stopped);
            }
        }
        Ok(Outcome::Complete)
    }

    /// Shows the transitions of a state to the visitor and adds the states that are new.
    fn expand(
        &mut self,
        source: StateId,
        words: &[u64],
        budget: &Budget<'_>,
        visitor: &mut impl Visitor,
    ) -> Result<usize, Exhausted> {
        let Self { system, cursor, states, parents, traces, expanded, transitions } = self;
        let mut result = Ok(());
        let mut count = 0;
        system.successors(words, cursor, &mut |label, successor| match successor {
            Successor::Error(component) => {
                count += 1;
                visitor.error(Some(source), label, component);
            }
            Successor::State(next) => {
                if result.is_err() {
                    return;
                }
                if states.must_grow() || states.len() >= budget.max_states() {
                    let progress = Progress {
                        states: states.len(),
                        transitions: *transitions + count,
                        frontier: states.len() - *expanded,
                        bytes: states.bytes_to_grow() + 3 * bytes_of(parents) + visitor.bytes(),
                    };
                    if states.find(next).is_none() {
                        result = room_for_one_more(budget, states, &progress);
                        if result.is_err() {
                            return;
                        }
                    }
                }
                count += 1;
                let (target, new) = states.insert(next);
                if new {
                    if *traces {
                        parents.push(source.raw());
                    }
                    visitor.discovered(target, next);
                }
                visitor.transition(source, label, target);
            }
        });
        result.map(|()| count)
    }

    fn note_parent(&mut self, initial: StateId) {
        if self.traces {
            self.parents.push(initial.raw());
        }
    }

    fn progress(&self, visitor_bytes: usize) -> Progress {
        Progress {
            states: self.states.len(),
            transitions: self.transitions,
            frontier: self.states.len() - self.expanded,
            bytes: self.bytes() + visitor_bytes,
        }
    }

    /// Bytes that the search holds.
    pub fn bytes(&self) -> usize {
        self.states.bytes() + bytes_of(&self.parents)
    }

    /// The states found.
    pub fn states(&self) -> &StateSet {
        &self.states
    }

    /// The states found, when nothing else of the search is needed any more.
    pub fn into_states(self) -> StateSet {
        self.states
    }

    /// How many transitions were seen.
    pub fn transitions(&self) -> usize {
        self.transitions
    }

    /// A shortest trace from the initial state to a state that was found.
    ///
    /// # Panics
    /// When the search was made without traces.
    pub fn trace_to(&mut self, state: StateId) -> Vec<Step> {
        let mut path = vec![state];
        let mut current = state;
        while current.index() != 0 {
            current = StateId::from_raw(self.parents[current.index()]);
            path.push(current);
        }
        path.reverse();
        path.windows(2)
            .map(|pair| Step { label: self.label_between(pair[0], pair[1]), target: pair[1] })
            .collect()
    }

    /// The first label of a transition between two states that have one.
    fn label_between(&mut self, source: StateId, target: StateId) -> Label {
        let mut found = None;
        let wanted = self.states.get(target);
        self.system.successors(self.states.get(source), &mut self.cursor, &mut |label, successor| {
            if found.is_none() && successor == Successor::State(wanted) {
                found = Some(label);
            }
        });
        found.expect("a parent has a transition to its child")
    }
}

/// Fails when the budget has no room for another state.
#[cold]
fn room_for_one_more(budget: &Budget<'_>, states: &StateSet, progress: &Progress) -> Result<(), Exhausted> {
    if states.is_full() || states.len() >= budget.max_states() {
        return Err(Exhausted { resource: Resource::States, states: states.len() });
    }
    if progress.bytes > budget.max_bytes() {
        return Err(Exhausted { resource: Resource::Memory, states: states.len() });
    }
    Ok(())
}

fn bytes_of(parents: &Vec<u32>) -> usize {
    parents.capacity() * size_of::<u32>()
}
