//! Terminal components, found on the fly.
//!
//! Problem: find sets of states that reach one another and that no transition leaves, without building the graph of
//! everything that can be reached.
//!
//! Source: [Tarjan 1972], with an explicit stack; states wait for their component as in [Pearce 2016].
//!
//! Idea: depth first. When a strongly connected component is complete, everything that it leads to is complete, too. So it
//! is terminal exactly if none of its transitions leads to a component that was completed before, or into the error
//! state. The first component to be completed is one, unless it can fail: often long before most states are known.
//!
//! Invariants: `met` is 0 for states that are known and were never entered, the time of entering for those whose component is
//! not complete, and [`LEFT`] for the others; the targets of the states of the path lie in `targets` one after the other.
//!
//! Cost: time O(states + transitions) of what is visited. Memory: as for the states of [`crate::Search`], 4 bytes for each
//! of them, and while a state is on the path, 32 more and 4 for each of its transitions. Called where progress is decided
//! beside an error.

use std::ops::ControlFlow;

use rely_base::{Budget, Exhausted, Id, Progress, Resource, StateId};

use crate::state_set::hash;
use crate::{StateSet, Successor, System};

/// A depth-first search for terminal components.
pub struct TerminalSearch<'s, S: System> {
    system: &'s S,
    cursor: S::Cursor,
    /// The words of the state that is being entered.
    current: Vec<u64>,
    known: Known,
    /// When each state was entered, from 1 on.
    met: Vec<u32>,
    clock: u32,
    /// The states that have left the path but whose components are not complete, in the order in which they left it.
    open: Vec<StateId>,
    /// The path from the initial state to the current one.
    path: Vec<Visit>,
}

/// The states that are known, and the transitions that are still to be followed.
struct Known {
    states: StateSet,
    targets: Vec<StateId>,
    transitions: usize,
}

/// A state on the path.
struct Visit {
    state: StateId,
    /// The earliest state that can be reached and whose component is not complete.
    low: u32,
    /// Where its targets begin, and the next of them to look at.
    first: usize,
    next: usize,
    /// Whether a transition of it, or of a state of its component that was left, leads out of the component.
    leaves: bool,
}

/// A state whose component is complete.
const LEFT: u32 = u32::MAX;

/// How far a search for terminal components has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terminal {
    /// To a state of the next terminal component.
    Component(StateId),
    /// To the end: there is no other.
    Complete,
    /// The search paused after the allowed number of transitions.
    Paused,
}

impl<'s, S: System> TerminalSearch<'s, S> {
    /// A search that has not begun.
    pub fn new(system: &'s S) -> Self {
        let states = StateSet::new(system.words());
        Self {
            system,
            cursor: system.cursor(),
            current: vec![0; system.words()],
            known: Known { states, targets: Vec::new(), transitions: 0 },
            met: Vec::new(),
            clock: 0,
            open: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Looks for the next terminal component, until `transitions` transitions have been seen in all.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn find_next(&mut self, transitions: usize, budget: &Budget<'_>) -> Result<Terminal, Exhausted> {
        if self.known.states.is_empty() {
            if self.system.initial(&mut self.current).is_err() {
                return Ok(Terminal::Complete);
            }
            let (initial, _) = self.known.states.insert(&self.current);
            self.enter(initial, budget)?;
        }
        while let Some(visit) = self.path.last_mut() {
            let Some(&target) = self.known.targets.get(visit.next) else {
                if let Some(root) = self.leave() {
                    return Ok(Terminal::Component(root));
                }
                continue;
            };
            match self.met[target.index()] {
                0 if self.known.transitions >= transitions => return Ok(Terminal::Paused),
                0 => {
                    visit.next += 1;
                    self.enter(target, budget)?;
                    continue;
                }
                LEFT => visit.leaves = true,
                when => visit.low = visit.low.min(when),
            }
            visit.next += 1;
        }
        Ok(Terminal::Complete)
    }

    /// Puts a state on the path, with all its targets.
    fn enter(&mut self, state: StateId, budget: &Budget<'_>) -> Result<(), Exhausted> {
        let bytes = self.bytes();
        let Self { system, cursor, current, known, .. } = self;
        current.copy_from_slice(known.states.get(state));
        let (first, mut leaves, mut met) = (known.targets.len(), false, Ok(()));
        let _ = system.try_successors(current, cursor, &mut |_, successor| {
            met = known.count(bytes, budget);
            match successor {
                Successor::Error(_) | Successor::Cut(_) => leaves = true,
                Successor::State(words) => met = met.clone().and_then(|()| known.add(words, bytes, budget)),
            }
            if met.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        met?;
        self.make_room(budget)?;
        self.met.resize(self.known.states.len(), 0);
        self.clock += 1;
        self.met[state.index()] = self.clock;
        self.path.push(Visit { state, low: self.clock, first, next: first, leaves });
        Ok(())
    }

    /// Makes room for one more state on the path, and for all of the path in `open`, if the budget allows it.
    fn make_room(&mut self, budget: &Budget<'_>) -> Result<(), Exhausted> {
        let (waiting, unmet) = (self.path.len() + 1, self.known.states.len() - self.met.len());
        let more = growth(&self.path, 1) + growth(&self.open, waiting) + growth(&self.met, unmet);
        if more > 0 && more.saturating_add(self.bytes()) > budget.max_bytes() {
            return Err(self.known.exhausted(Resource::Memory));
        }
        self.open.reserve(waiting);
        Ok(())
    }

    /// Leaves the current state; returns it if it is the root of a terminal component, which is complete then.
    fn leave(&mut self) -> Option<StateId> {
        let Visit { state, low, first, leaves, .. } = self.path.pop()?;
        self.known.targets.truncate(first);
        self.open.push(state);
        let is_root = low == self.met[state.index()];
        if let Some(parent) = self.path.last_mut() {
            parent.low = parent.low.min(low);
            // The step from the parent leads out of its component if this state completes one of its own.
            parent.leaves |= is_root || leaves;
        }
        if !is_root {
            return None;
        }
        let earlier = |member: &StateId| self.met[member.index()] < low;
        let start = self.open.iter().rposition(earlier).map_or(0, |last| last + 1);
        for member in self.open.drain(start..) {
            self.met[member.index()] = LEFT;
        }
        (!leaves).then_some(state)
    }

    /// The states that are known.
    pub fn states(&self) -> &StateSet {
        &self.known.states
    }

    /// How many transitions were seen.
    pub fn transitions(&self) -> usize {
        self.known.transitions
    }

    /// Bytes that the search holds.
    pub fn bytes(&self) -> usize {
        self.known.states.bytes()
            + (self.known.targets.capacity() + self.open.capacity()) * size_of::<StateId>()
            + self.met.capacity() * size_of::<u32>()
            + self.path.capacity() * size_of::<Visit>()
    }
}

impl Known {
    /// Counts a transition, and checks the budget now and then; `held` bytes were held when the state was entered.
    fn count(&mut self, held: usize, budget: &Budget<'_>) -> Result<(), Exhausted> {
        self.transitions += 1;
        match self.transitions.is_multiple_of(Budget::INTERVAL) {
            true => budget.check(&Progress {
                states: self.states.len(),
                transitions: self.transitions,
                frontier: self.targets.len(),
                bytes: held,
            }),
            false => Ok(()),
        }
    }

    /// Adds a target, which may be known or new.
    fn add(&mut self, words: &[u64], held: usize, budget: &Budget<'_>) -> Result<(), Exhausted> {
        let more = growth(&self.targets, 1);
        if more > 0 && held.saturating_add(more) > budget.max_bytes() {
            return Err(self.exhausted(Resource::Memory));
        }
        let hash = hash(words);
        let target = match self.states.find_hashed(words, hash) {
            Some(target) => target,
            None => {
                self.make_room(held, budget)?;
                self.states.add(words, hash)
            }
        };
        self.targets.push(target);
        Ok(())
    }

    /// Makes room for a new state, if the budget allows it.
    fn make_room(&mut self, held: usize, budget: &Budget<'_>) -> Result<(), Exhausted> {
        if self.states.len() >= budget.max_states().min(StateSet::MAX) {
            return Err(self.exhausted(Resource::States));
        }
        if self.states.has_room() {
            return Ok(());
        }
        let more = self.states.bytes_grown(1) - self.states.bytes();
        if held.saturating_add(more) > budget.max_bytes() {
            return Err(self.exhausted(Resource::Memory));
        }
        self.states.grow();
        Ok(())
    }

    fn exhausted(&self, resource: Resource) -> Exhausted {
        Exhausted { resource, states: self.states.len(), transitions: self.transitions }
    }
}

/// Upper bound of the bytes that a list grows by when `more` elements are added; a list that is full at least
/// doubles.
fn growth<T>(list: &Vec<T>, more: usize) -> usize {
    if list.len() + more <= list.capacity() { 0 } else { list.capacity().max(more) * size_of::<T>() }
}

#[cfg(test)]
mod tests;
