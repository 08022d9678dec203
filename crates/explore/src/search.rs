//! Breadth-first search.
//!
//! Problem: visit every reachable state of a [`System`] once, in an order that gives shortest traces, within a
//! [`Budget`].
//!
//! Idea: states are numbered in the order in which they are found, and expanded in that order, so the queue is the set
//! of states itself and needs no memory of its own. Of the way to a state nothing is kept but where the levels begin:
//! the first state of the level before that has a transition to it is the one that it was found from.
//!
//! Successors are not looked up one by one: those of a few states are collected first (`batch.rs`), then the memory
//! that their lookups need is read at once, and then they are dealt with in the order in which they came. The visitor
//! sees what it would see if each were dealt with at once.
//!
//! Invariants: states below `expanded` have been expanded; the depth of states never decreases with their number;
//! `levels[d]` is the first state of depth d.
//!
//! Cost: time O(states + transitions), and a trace as much again at most; memory 8w + 4.6 to 5.7 bytes for a state of w
//! words.

use std::ops::ControlFlow;

use rely_base::{Budget, Exhausted, Id, Label, Progress, Resource, StateId};
use rely_lts::ComponentId;

use crate::batch::{Batch, Event};
use crate::{Known, StateSet, Successor, System};

/// Watches a search, and may end it.
pub trait Visitor {
    /// A state was found for the first time.
    fn discovered(&mut self, _state: StateId, _words: &[u64]) {}

    /// A transition between states was seen.
    fn transition(&mut self, _source: StateId, _label: Label, _target: StateId) {}

    /// A transition into the error state was seen, or the initial state is the error state and there is no source.
    fn error(&mut self, _source: Option<StateId>, _label: Label, _component: ComponentId) {}

    /// A transition out of the bounds of what is explored was seen.
    fn cut(&mut self, _source: StateId, _label: Label, _component: ComponentId) {}

    /// A state was expanded and has this number of transitions. All transitions reported since the last call start in
    /// it. `Break` ends the search.
    fn expanded(&mut self, _state: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Bytes that the visitor holds.
    fn bytes(&self) -> usize {
        0
    }
}

/// A visitor that does nothing.
impl Visitor for () {}

/// How a search ended that did not run out of its budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Every reachable state was expanded.
    Complete,
    /// The visitor ended the search.
    Stopped,
    /// The search paused because enough was found; it can be continued.
    Paused,
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
    /// The words of the state that is being expanded.
    current: Vec<u64>,
    reached: Reached,
}

impl<'s, S: System> Search<'s, S> {
    /// A search that has not begun.
    pub fn new(system: &'s S) -> Self {
        let states = StateSet::new(system.words());
        let reached = Reached {
            states,
            levels: vec![0, 1],
            expanded: 0,
            transitions: 0,
            pending: 0,
            system_bytes: system.bytes(),
        };
        Self { system, cursor: system.cursor(), current: vec![0; system.words()], reached }
    }

    /// Searches until there is nothing left, the visitor has seen enough, or the budget is used up. To be called once,
    /// or after [`Search::run_until`] has paused.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn run(&mut self, budget: &Budget<'_>, visitor: &mut impl Visitor) -> Result<Outcome, Exhausted> {
        self.run_while(|_| true, budget, visitor)
    }

    /// Runs the search until at least `states` states have been found and a batch is complete, or to its end.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn run_until(
        &mut self,
        states: usize,
        budget: &Budget<'_>,
        visitor: &mut impl Visitor,
    ) -> Result<Outcome, Exhausted> {
        self.run_while(|reached| reached.states.len() < states, budget, visitor)
    }

    /// Runs the search until at least `transitions` transitions have been seen and a batch is complete, or to its
    /// end.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn run_for(
        &mut self,
        transitions: usize,
        budget: &Budget<'_>,
        visitor: &mut impl Visitor,
    ) -> Result<Outcome, Exhausted> {
        self.run_while(|reached| reached.transitions < transitions, budget, visitor)
    }

    /// Runs the search until at least `states` states have been found and a level is complete, or to its end. A sweep
    /// can continue from there: all states of the levels before have been expanded, and none of the last one.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn run_levels_until(
        &mut self,
        states: usize,
        budget: &Budget<'_>,
        visitor: &mut impl Visitor,
    ) -> Result<Outcome, Exhausted> {
        let goes_on = |reached: &Reached| reached.states.len() < states || !reached.is_between_levels();
        self.run_while(goes_on, budget, visitor)
    }

    fn run_while(
        &mut self,
        goes_on: impl Fn(&Reached) -> bool,
        budget: &Budget<'_>,
        visitor: &mut impl Visitor,
    ) -> Result<Outcome, Exhausted> {
        if self.reached.states.is_empty() {
            if let Err(component) = self.system.initial(&mut self.current) {
                visitor.error(None, Label::TAU, component);
                return Ok(Outcome::Complete);
            }
            let (initial, _) = self.reached.states.insert(&self.current);
            visitor.discovered(initial, &self.current);
        }
        let mut batch = Batch::new(self.system.words());
        let mut next_check = 0;
        while self.reached.expanded < self.reached.states.len() {
            if !goes_on(&self.reached) {
                return Ok(Outcome::Paused);
            }
            if self.reached.expanded >= next_check {
                budget.check(&self.reached.progress(visitor.bytes()))?;
                next_check = self.reached.expanded + Budget::INTERVAL;
            }
            if self.expand_some(&mut batch, budget, visitor)?.is_break() {
                return Ok(Outcome::Stopped);
            }
        }
        Ok(Outcome::Complete)
    }

    /// Expands the next few states. A state that has too many transitions for the batch is left for the next time,
    /// when it comes first; then it is dealt with piece by piece.
    fn expand_some(
        &mut self,
        batch: &mut Batch,
        budget: &Budget<'_>,
        visitor: &mut impl Visitor,
    ) -> Result<ControlFlow<()>, Exhausted> {
        let Self { system, cursor, current, reached } = self;
        for source in reached.expanded..reached.level_end().min(reached.expanded + Batch::SOURCES) {
            current.copy_from_slice(reached.states.get(StateId::from_index(source)));
            let mut exhausted = None;
            let all = system.try_successors(current, cursor, &mut |label, successor| {
                if batch.is_full() {
                    if batch.has_end() {
                        return ControlFlow::Break(());
                    }
                    // Only the visitor and the budget can stop the search, and the visitor is asked only at the end
                    // of a state.
                    exhausted = reached.settle(batch, budget, visitor).err();
                    if exhausted.is_some() {
                        return ControlFlow::Break(());
                    }
                }
                batch.push(label, successor);
                ControlFlow::Continue(())
            });
            if let Some(exhausted) = exhausted {
                return Err(exhausted);
            }
            if all.is_break() {
                batch.drop_unfinished();
                break;
            }
            batch.push_end();
        }
        reached.settle(batch, budget, visitor)
    }

    /// What was found so far, for a sweep to go on from where the search has paused.
    pub fn known(&self) -> Known<'_> {
        let Reached { states, expanded, transitions, .. } = &self.reached;
        Known { states, expanded: *expanded, transitions: *transitions }
    }

    /// Bytes that the search holds.
    pub fn bytes(&self) -> usize {
        self.reached.bytes()
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
        self.reached.transitions
    }

    /// The length of a shortest trace to a state.
    pub fn distance(&self, state: StateId) -> usize {
        self.reached.levels.partition_point(|&first| first <= state.raw()).saturating_sub(1)
    }

    /// How many steps a run takes at least that the search has not seen: fewer lead to states that were expanded.
    pub fn steps_seen(&self) -> usize {
        self.distance(StateId::from_index(self.reached.expanded)) + 1
    }

    /// A shortest trace from the initial state to a state that was found.
    pub fn trace_to(&mut self, state: StateId) -> Vec<Step> {
        self.try_trace_to(state, &Budget::UNLIMITED).expect("there is no limit")
    }

    /// A shortest trace to a state, within a budget. The budget is checked only while the trace is long: a short one
    /// is worth having even when a limit has ended the search.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn try_trace_to(&mut self, state: StateId, budget: &Budget<'_>) -> Result<Vec<Step>, Exhausted> {
        let depth = self.distance(state);
        let mut target = state;
        let mut trace = Vec::new();
        for level in (0..depth).rev() {
            if depth >= Budget::INTERVAL && level.is_multiple_of(Budget::INTERVAL) {
                budget.check(&self.reached.progress(depth * size_of::<Step>()))?;
            }
            let (source, label) = self.found_from(target, level);
            trace.push(Step { label, target });
            target = source;
        }
        trace.reverse();
        Ok(trace)
    }

    /// The first state of a level that has a transition to a state of the next, and the first label of one.
    fn found_from(&mut self, target: StateId, level: usize) -> (StateId, Label) {
        let Self { system, cursor, reached, .. } = self;
        let wanted = Successor::State(reached.states.get(target));
        for source in (reached.levels[level]..reached.levels[level + 1]).map(StateId::from_raw) {
            let mut found = None;
            let words = reached.states.get(source);
            let all = system.try_successors(words, cursor, &mut |label, successor| {
                if successor != wanted {
                    return ControlFlow::Continue(());
                }
                found = Some(label);
                ControlFlow::Break(())
            });
            debug_assert_eq!(all.is_break(), found.is_some());
            if let Some(label) = found {
                return (source, label);
            }
        }
        unreachable!("a state was found from a state of the level before")
    }
}

/// The states that a search has found, and how far it has come.
struct Reached {
    states: StateSet,
    /// The first state of each level; the last level is the one that is being found.
    levels: Vec<u32>,
    /// How many states have been expanded.
    expanded: usize,
    /// How many transitions these have.
    transitions: usize,
    /// How many transitions of the state that is being expanded have been seen.
    pending: usize,
    /// Bytes of the system, which are in memory beside what the search holds.
    system_bytes: usize,
}

impl Reached {
    /// Looks up the targets of a batch, adds those that are new, and shows everything to the visitor.
    fn settle(
        &mut self,
        batch: &mut Batch,
        budget: &Budget<'_>,
        visitor: &mut impl Visitor,
    ) -> Result<ControlFlow<()>, Exhausted> {
        batch.guess(&self.states);
        for event in batch.events() {
            let source = StateId::from_index(self.expanded);
            match event {
                Event::Transition { label, target, hash, guess } => {
                    let target = match self.states.is_at(guess, target) {
                        true => StateId::from_raw(guess),
                        false => self.settle_target(target, hash, budget, visitor)?,
                    };
                    visitor.transition(source, label, target);
                    self.pending += 1;
                }
                Event::Error { label, component } => {
                    visitor.error(Some(source), label, component);
                    self.pending += 1;
                }
                Event::Cut { label, component } => {
                    visitor.cut(source, label, component);
                    self.pending += 1;
                }
                Event::End => {
                    if self.end_state(visitor).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
            // The budget is checked here only within states that have very many transitions.
            if self.pending > 0 && self.pending.is_multiple_of(Budget::INTERVAL) {
                budget.check(&self.progress(visitor.bytes()))?;
            }
        }
        batch.clear();
        Ok(ControlFlow::Continue(()))
    }

    /// The number of a state that was found once more, or for the first time.
    #[inline]
    fn settle_target(
        &mut self,
        words: &[u64],
        hash: u64,
        budget: &Budget<'_>,
        visitor: &mut impl Visitor,
    ) -> Result<StateId, Exhausted> {
        if let Some(known) = self.states.find_hashed(words, hash) {
            return Ok(known);
        }
        if !self.states.has_room() || self.states.len() >= budget.max_states().min(StateSet::MAX) {
            self.make_room(budget, visitor.bytes())?;
        }
        let new = self.states.add(words, hash);
        visitor.discovered(new, words);
        Ok(new)
    }

    /// Makes room for a new state, if the budget allows it.
    #[cold]
    fn make_room(&mut self, budget: &Budget<'_>, other_bytes: usize) -> Result<(), Exhausted> {
        let (states, transitions) = (self.states.len(), self.transitions);
        if states >= budget.max_states().min(StateSet::MAX) {
            return Err(Exhausted { resource: Resource::States, states, transitions });
        }
        let other_bytes = other_bytes + self.system_bytes;
        if self.states.bytes_grown(1) + self.level_bytes() + other_bytes > budget.max_bytes() {
            return Err(Exhausted { resource: Resource::Memory, states, transitions });
        }
        self.states.grow();
        Ok(())
    }

    /// Counts a state as expanded.
    #[inline]
    fn end_state(&mut self, visitor: &mut impl Visitor) -> ControlFlow<()> {
        let state = StateId::from_index(self.expanded);
        let transitions = std::mem::take(&mut self.pending);
        self.expanded += 1;
        self.transitions += transitions;
        if self.levels.last().is_some_and(|&next| next as usize == self.expanded) {
            self.levels.push(StateId::from_index(self.states.len()).raw());
        }
        visitor.expanded(state, self.states.get(state), transitions)
    }

    /// The first state of the next level.
    fn level_end(&self) -> usize {
        self.levels.last().map_or(0, |&next| next as usize)
    }

    /// Whether all states of a level have been expanded, and none of the next.
    fn is_between_levels(&self) -> bool {
        self.levels.iter().rev().nth(1).is_some_and(|&first| first as usize == self.expanded)
    }

    fn progress(&self, other_bytes: usize) -> Progress {
        Progress {
            states: self.states.len(),
            transitions: self.transitions + self.pending,
            frontier: self.states.len() - self.expanded,
            bytes: self.bytes() + self.system_bytes + other_bytes,
        }
    }

    fn bytes(&self) -> usize {
        self.states.bytes() + self.level_bytes()
    }

    fn level_bytes(&self) -> usize {
        self.levels.capacity() * size_of::<u32>()
    }
}
