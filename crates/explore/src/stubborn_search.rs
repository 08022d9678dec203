//! Breadth-first search of some of the states of a network: those that stubborn sets lead to.
//!
//! Problem: find a deadlock and an error wherever there is one, and every action that can occur, without looking at
//! all states.
//!
//! Idea: states are expanded in the order in which they were found, as in [`crate::Search`], but only by the
//! transitions that `stubborn.rs` chooses. At the end it looks for transitions that have been put off for ever
//! (`ignoring.rs`); a state that has one is expanded by all its transitions, and the search goes on.
//!
//! Traces are runs of the network, but they need not be shortest.
//!
//! Cost: as for [`crate::Search`], for the states that are visited, and about 20 bytes more for each of them, up to
//! 40 while it looks for ignored transitions. Each time that some are found, the look costs as much time again.
//! Called where deadlock and safety are decided.

use std::ops::ControlFlow;

use rely_base::{Budget, Exhausted, Id, Label, Progress, Resource, StateId};
use rely_lts::ComponentId;
use rustc_hash::FxHashSet;

use crate::ignoring::ReducedGraph;
use crate::state_set::hash;
use crate::stubborn::{Stubborn, Suffices};
use crate::{Outcome, Product, ProductCursor, StateSet, Step, Successor, System, Visitor};

/// A search of some of the states of a network.
pub struct StubbornSearch<'s, 'n> {
    product: &'s Product<'n>,
    cursor: ProductCursor,
    stubborn: Stubborn,
    /// The words of the state that is being expanded.
    current: Vec<u64>,
    reached: Reached,
}

/// What was found.
struct Reached {
    states: StateSet,
    /// The state that each state was found from.
    parents: Vec<StateId>,
    /// How many states have been expanded.
    expanded: usize,
    transitions: usize,
    /// How many transitions of the state that is being expanded were looked at.
    pending: usize,
    graph: ReducedGraph,
    /// The states that were expanded by all their transitions because some had been ignored.
    full: FxHashSet<StateId>,
    /// Bytes of the product, which are in memory beside what the search holds.
    product_bytes: usize,
}

impl<'s, 'n> StubbornSearch<'s, 'n> {
    /// A search that has not begun.
    pub fn new(product: &'s Product<'n>) -> Self {
        let reached = Reached {
            states: StateSet::new(product.words()),
            parents: Vec::new(),
            expanded: 0,
            transitions: 0,
            pending: 0,
            graph: ReducedGraph::default(),
            full: FxHashSet::default(),
            product_bytes: product.bytes(),
        };
        Self {
            product,
            cursor: product.cursor(),
            stubborn: Stubborn::new(product),
            current: vec![0; product.words()],
            reached,
        }
    }

    /// Searches until there is nothing left, the visitor has seen enough, or the budget is used up.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn run(&mut self, budget: &Budget<'_>, visitor: &mut impl Visitor) -> Result<Outcome, Exhausted> {
        self.run_until(usize::MAX, budget, visitor)
    }

    /// Searches until the end, or until `states` states are known, when it pauses. Called again with the same
    /// visitor, it continues where it was.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn run_until(
        &mut self,
        states: usize,
        budget: &Budget<'_>,
        visitor: &mut impl Visitor,
    ) -> Result<Outcome, Exhausted> {
        if self.reached.states.is_empty() {
            if let Err(component) = self.product.initial(&mut self.current) {
                visitor.error(None, Label::TAU, component);
                return Ok(Outcome::Complete);
            }
            self.reached.find(StateId::from_raw(0), &self.current, budget, visitor)?;
        }
        loop {
            while self.reached.expanded < self.reached.states.len() {
                if self.reached.states.len() >= states {
                    return Ok(Outcome::Paused);
                }
                if self.reached.expanded.is_multiple_of(Budget::INTERVAL) {
                    budget.check(&self.reached.progress(visitor.bytes()))?;
                }
                if self.expand(budget, visitor)?.is_break() {
                    return Ok(Outcome::Stopped);
                }
            }
            if !self.expand_ignored(budget, visitor)? {
                return Ok(Outcome::Complete);
            }
        }
    }

    /// Expands the next state by what suffices.
    fn expand(
        &mut self,
        budget: &Budget<'_>,
        visitor: &mut impl Visitor,
    ) -> Result<ControlFlow<()>, Exhausted> {
        let source = StateId::from_index(self.reached.expanded);
        let all = self.choose(source) == Suffices::All;
        self.follow(source, |stubborn, leader| all || stubborn.is_chosen(leader), budget, visitor)?;
        self.reached.ask_for(self.reached.graph.growth(), budget, visitor)?;
        self.reached.graph.end_state(source);
        self.reached.expanded += 1;
        let transitions = self.reached.end_state();
        Ok(visitor.expanded(source, &self.current, transitions))
    }

    /// Makes a state the current one, and chooses some of its transitions.
    fn choose(&mut self, state: StateId) -> Suffices {
        self.current.copy_from_slice(self.reached.states.get(state));
        match self.reached.full.contains(&state) {
            true => Suffices::All,
            false => self.stubborn.choose(self.product, &self.current),
        }
    }

    /// Expands states by all their transitions where some have been ignored; returns whether there were any.
    fn expand_ignored(&mut self, budget: &Budget<'_>, visitor: &mut impl Visitor) -> Result<bool, Exhausted> {
        let held = self.reached.progress(visitor.bytes());
        let mut graph = std::mem::take(&mut self.reached.graph);
        let mut ignoring = Vec::new();
        let end = graph.try_terminal_components(budget, held, |component, progress| {
            if self.ignores(component, budget, &progress)? {
                ignoring.extend(component.last());
            }
            Ok(())
        });
        self.reached.graph = graph;
        end?;
        for &state in &ignoring {
            self.choose(state);
            self.reached.full.insert(state);
            self.follow(state, |stubborn, leader| !stubborn.is_chosen(leader), budget, visitor)?;
            self.reached.end_state();
        }
        Ok(!ignoring.is_empty())
    }

    /// Whether some step is possible in the states of a terminal component that none of them follows.
    fn ignores(
        &mut self,
        component: &[StateId],
        budget: &Budget<'_>,
        progress: &Progress,
    ) -> Result<bool, Exhausted> {
        let mut done: FxHashSet<(ComponentId, Label)> = FxHashSet::default();
        for (number, &state) in component.iter().enumerate() {
            if number.is_multiple_of(Budget::INTERVAL) {
                budget.check(progress)?;
            }
            if self.choose(state) == Suffices::All {
                return Ok(false);
            }
            let steps = self.stubborn.steps(self.product);
            done.extend(steps.filter(|(leader, _)| self.stubborn.is_chosen(leader.index())));
        }
        // What is ignored stays possible, so it is possible in the last state.
        Ok(self.stubborn.steps(self.product).any(|step| !done.contains(&step)))
    }

    /// Follows the transitions that some components lead or make silently.
    fn follow(
        &mut self,
        source: StateId,
        who: impl Fn(&Stubborn, usize) -> bool,
        budget: &Budget<'_>,
        visitor: &mut impl Visitor,
    ) -> Result<(), Exhausted> {
        let Self { product, cursor, current, reached, stubborn } = self;
        let mut end = Ok(());
        let see = &mut |label: Label, successor: Successor<'_>| {
            end = reached.see(source, label, successor, budget, visitor);
            if end.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let _ = match product.network().priority() {
            Some(_) => product.try_successors(current, cursor, see),
            None => {
                let steps = stubborn.steps(product).filter(|(leader, _)| who(stubborn, leader.index()));
                product.try_steps(steps, |component| stubborn.row(component), current, cursor, see)
            }
        };
        end
    }

    /// The states found.
    pub fn states(&self) -> &StateSet {
        &self.reached.states
    }

    /// How many transitions were followed.
    pub fn transitions(&self) -> usize {
        self.reached.transitions
    }

    /// Bytes that the search holds.
    pub fn bytes(&self) -> usize {
        self.reached.bytes()
    }

    /// A trace from the initial state to a state that was found; there may be shorter ones. The budget is checked
    /// while the trace is long.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn try_trace_to(&mut self, state: StateId, budget: &Budget<'_>) -> Result<Vec<Step>, Exhausted> {
        let Self { product, cursor, reached, .. } = self;
        let mut trace: Vec<Step> = Vec::new();
        let mut target = state;
        while target.index() != 0 {
            if !trace.is_empty() && trace.len().is_multiple_of(Budget::INTERVAL) {
                // A vector doubles when it grows.
                budget.check(&reached.progress(2 * trace.capacity() * size_of::<Step>()))?;
            }
            let source = reached.parents[target.index()];
            let wanted = Successor::State(reached.states.get(target));
            let mut label = Label::TAU;
            let found = product.try_successors(reached.states.get(source), cursor, &mut |by, successor| {
                label = by;
                if successor == wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            debug_assert!(found.is_break());
            trace.push(Step { label, target });
            target = source;
        }
        trace.reverse();
        Ok(trace)
    }
}

impl Reached {
    /// Deals with a transition of the state that is being expanded.
    fn see(
        &mut self,
        source: StateId,
        label: Label,
        successor: Successor<'_>,
        budget: &Budget<'_>,
        visitor: &mut impl Visitor,
    ) -> Result<(), Exhausted> {
        self.pending += 1;
        // The budget is checked here only within states that have very many transitions.
        if self.pending.is_multiple_of(Budget::INTERVAL) {
            budget.check(&self.progress(visitor.bytes()))?;
        }
        match successor {
            Successor::Error(component) => visitor.error(Some(source), label, component),
            Successor::Cut(component) => visitor.cut(source, label, component),
            Successor::State(words) => {
                let target = self.find(source, words, budget, visitor)?;
                self.ask_for(self.graph.growth(), budget, visitor)?;
                self.graph.add(source, target);
                visitor.transition(source, label, target);
            }
        }
        Ok(())
    }

    /// The number of the target of a transition from `source`; a target that is new is added.
    fn find(
        &mut self,
        source: StateId,
        words: &[u64],
        budget: &Budget<'_>,
        visitor: &mut impl Visitor,
    ) -> Result<StateId, Exhausted> {
        let hash = hash(words);
        if let Some(known) = self.states.find_hashed(words, hash) {
            return Ok(known);
        }
        let (states, transitions) = (self.states.len(), self.transitions);
        if states >= budget.max_states().min(StateSet::MAX) {
            return Err(Exhausted { resource: Resource::States, states, transitions });
        }
        if self.parents.len() == self.parents.capacity() {
            self.ask_for(self.parents.capacity() * size_of::<StateId>(), budget, visitor)?;
        }
        if !self.states.has_room_for(1) {
            self.ask_for(self.states.bytes_grown(1) - self.states.bytes(), budget, visitor)?;
            self.states.grow();
        }
        let new = self.states.add(words, hash);
        self.parents.push(source);
        visitor.discovered(new, words);
        Ok(new)
    }

    /// Checks whether the budget allows this many bytes more. It always allows none.
    #[inline]
    fn ask_for(&self, bytes: usize, budget: &Budget<'_>, visitor: &impl Visitor) -> Result<(), Exhausted> {
        if bytes == 0 || bytes + self.bytes() + self.product_bytes + visitor.bytes() <= budget.max_bytes() {
            return Ok(());
        }
        let (states, transitions) = (self.states.len(), self.transitions);
        Err(Exhausted { resource: Resource::Memory, states, transitions })
    }

    /// Ends a state; returns the number of its transitions.
    fn end_state(&mut self) -> usize {
        let transitions = std::mem::take(&mut self.pending);
        self.transitions += transitions;
        transitions
    }

    fn progress(&self, other_bytes: usize) -> Progress {
        Progress {
            states: self.states.len(),
            transitions: self.transitions + self.pending,
            frontier: self.states.len() - self.expanded,
            bytes: self.bytes() + self.product_bytes + other_bytes,
        }
    }

    fn bytes(&self) -> usize {
        self.states.bytes()
            + self.parents.capacity() * size_of::<StateId>()
            + self.graph.bytes()
            + self.full.capacity() * size_of::<StateId>()
    }
}
