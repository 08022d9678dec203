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
    reached: Reached,
    /// How many states have been expanded.
    expanded: usize,
    transitions: usize,
}

impl<'s, S: System> Search<'s, S> {
    /// A search that can give traces.
    pub fn new(system: &'s S) -> Self {
        let reached = Reached { states: StateSet::new(system.words()), parents: Some(Vec::new()) };
        Self { system, cursor: system.cursor(), reached, expanded: 0, transitions: 0 }
    }

    /// A search that cannot give traces and needs less memory.
    pub fn without_traces(system: &'s S) -> Self {
        let mut search = Self::new(system);
        search.reached.parents = None;
        search
    }

    /// Searches until there is nothing left, the visitor has seen enough, or the budget is used up. To be called once.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn run(&mut self, budget: &Budget<'_>, visitor: &mut impl Visitor) -> Result<Outcome, Exhausted> {
        let mut current = vec![0; self.system.words()];
        if let Err(component) = self.system.initial(&mut current) {
            visitor.error(None, Label::TAU, component);
            return Ok(Outcome::Complete);
        }
        let (initial, _) = self.reached.add(&current, StateId::from_raw(0));
        visitor.discovered(initial, &current);
        while self.expanded < self.reached.states.len() {
            if self.expanded.is_multiple_of(Budget::INTERVAL) {
                budget.check(&self.progress(visitor.bytes()))?;
            }
            let state = StateId::from_index(self.expanded);
            current.copy_from_slice(self.reached.states.get(state));
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
        let before = self.progress(0);
        let Self { system, cursor, reached, .. } = self;
        let mut count = 0;
        let mut exhausted = None;
        let all = system.try_successors(words, cursor, &mut |label, successor| {
            count += 1;
            let room = match successor {
                Successor::State(next) => reached.room_for(next, budget, visitor.bytes()),
                Successor::Error(_) => Ok(()),
            };
            // Few states have so many transitions that the budget has to be asked in between.
            let patience = match count % Budget::INTERVAL {
                0 => budget.check(&Progress { transitions: before.transitions + count, ..before }),
                _ => Ok(()),
            };
            if let Err(limit) = room.and(patience) {
                exhausted = Some(limit);
                return ControlFlow::Break(());
            }
            match successor {
                Successor::Error(component) => visitor.error(Some(source), label, component),
                Successor::State(next) => {
                    let (target, new) = reached.add(next, source);
                    if new {
                        visitor.discovered(target, next);
                    }
                    visitor.transition(source, label, target);
                }
            }
            ControlFlow::Continue(())
        });
        debug_assert_eq!(all.is_break(), exhausted.is_some());
        exhausted.map_or(Ok(count), Err)
    }

    fn progress(&self, visitor_bytes: usize) -> Progress {
        Progress {
            states: self.reached.states.len(),
            transitions: self.transitions,
            frontier: self.reached.states.len() - self.expanded,
            bytes: self.bytes() + visitor_bytes,
        }
    }

    /// Bytes that the search holds.
    pub fn bytes(&self) -> usize {
        self.reached.states.bytes() + self.reached.parent_bytes()
    }

    /// The states found.
    pub fn states(&self) -> &StateSet {
        &self.reached.states
    }

    /// The states found, when nothing else of the search is needed any more.
    pub fn into_states(self) -> StateSet {
        self.reached.states
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
        let parents = self.reached.parents.as_ref().expect("the search was made for traces");
        let mut path = vec![state];
        let mut current = state;
        while current.index() != 0 {
            current = StateId::from_raw(parents[current.index()]);
            path.push(current);
        }
        path.reverse();
        path.windows(2)
            .map(|pair| Step { label: self.label_between(pair[0], pair[1]), target: pair[1] })
            .collect()
    }

    /// The first label of a transition between two states that have one.
    fn label_between(&mut self, source: StateId, target: StateId) -> Label {
        let states = &self.reached.states;
        let wanted = states.get(target);
        let mut found = None;
        let all =
            self.system.try_successors(states.get(source), &mut self.cursor, &mut |label, successor| {
                if successor != Successor::State(wanted) {
                    return ControlFlow::Continue(());
                }
                found = Some(label);
                ControlFlow::Break(())
            });
        debug_assert!(all.is_break());
        found.expect("a parent has a transition to its child")
    }
}

/// The states that a search has found, and where from.
struct Reached {
    states: StateSet,
    /// For each state the one that it was found from, if traces are wanted.
    parents: Option<Vec<u32>>,
}

impl Reached {
    /// The number of a state, which is added if it is new; and whether it was new.
    #[inline]
    fn add(&mut self, state: &[u64], parent: StateId) -> (StateId, bool) {
        let (number, new) = self.states.insert(state);
        if let Some(parents) = &mut self.parents
            && new
        {
            parents.push(parent.raw());
        }
        (number, new)
    }

    /// Fails when a state is new and the budget has no room for it.
    #[inline]
    fn room_for(&self, state: &[u64], budget: &Budget<'_>, other_bytes: usize) -> Result<(), Exhausted> {
        if self.states.must_grow() || self.states.len() >= budget.max_states() {
            return self.room_to_grow(state, budget, other_bytes);
        }
        Ok(())
    }

    /// The same where a new state needs more memory, or where the limit on states is reached.
    #[cold]
    fn room_to_grow(&self, state: &[u64], budget: &Budget<'_>, other_bytes: usize) -> Result<(), Exhausted> {
        if self.states.find(state).is_some() {
            return Ok(());
        }
        let states = self.states.len();
        if self.states.is_full() || states >= budget.max_states() {
            return Err(Exhausted { resource: Resource::States, states });
        }
        // The parents grow at the same time as the states: for a moment they are there twice, once at double size.
        let bytes = self.states.bytes_to_grow() + 3 * self.parent_bytes() + other_bytes;
        if bytes > budget.max_bytes() {
            return Err(Exhausted { resource: Resource::Memory, states });
        }
        Ok(())
    }

    fn parent_bytes(&self) -> usize {
        self.parents.as_ref().map_or(0, |parents| parents.capacity() * size_of::<u32>())
    }
}
