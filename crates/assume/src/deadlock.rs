//! Potential deadlocks, which an assumption must not lead its components into.
//!
//! **Problem.** The weakest assumption may forbid everything that the components could do next. Such an assumption is
//! met by leaving the components stuck for ever, which is rarely what was wanted.
//!
//! **Source.** [Giannakopoulou, Păsăreanu, Barringer 2003], section 3.4.
//!
//! **Definition.** A state is *terminal* with respect to the actions that the components have in the interface if no path
//! from it that avoids the error state has one of these actions on it. What others do meanwhile does not count: the
//! components are stuck. Components that have ended are not, and they have done so whatever the goal or the environment
//! goes on with: to end is an action √ of theirs.
//!
//! **Idea.** Before determinisation: terminal states are errors, and what can reach an error by silent steps is an error;
//! until nothing changes. After it, a state of the automaton stands for all the states in which the components may be
//! after a word, and a single terminal one among them is too many. So paths are followed in pairs of a state and a set
//! that it belongs to, which are the states of system ‖ automaton. A set with a terminal pair is an error, and with it
//! every step into the set is forbidden; until nothing changes.
//!
//! **Invariants.** In what is left, no state of system ‖ automaton is terminal. It is the most that can be left: two
//! languages without terminal states have a union without, so there is a largest one, and no word of it leads to a set
//! that is taken away.
//!
//! **Complexity.** Each state that is left keeps a count of the transitions with which the components can act there, or
//! the next state on a path to such a one. Only states whose path has broken are looked at again. Where paths are short
//! or do not break this is linear in the transitions, and O(n·m) for n states at worst: a state may lose its path once
//! for every other state that is taken away.
//!
//! **Deviations.** The paper looks for terminal states of the automaton after determinisation. This is not enough where
//! the components choose by themselves: their other choices keep the set from being terminal.
//!
//! The paper has no components that end.
//!
//! **Callers.** `weakest.rs`, before determinisation, to have less to determinise, and after it.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::Arc;

use rely_base::{Budget, Exhausted, Id, Label, Progress, StateId};
use rely_explore::{Graph, Product, generate};
use rely_lts::equivalence::{self, TICK};
use rely_lts::operators::{merged_into_error, restrict, trim};
use rely_lts::{Component, Lts, Network};

use crate::Effort;
use crate::backwards::sources;

/// The same components, side by side, with the action √ where they have ended; they are one component then.
///
/// # Errors
/// The limit of the budget that was met.
pub(crate) fn with_visible_end(
    components: &[Component],
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Vec<Component>, Exhausted> {
    let network = Network::new(components.to_vec());
    if !network.can_terminate() {
        return Ok(components.to_vec());
    }
    let composed = generate(&network, budget)?;
    effort.held(composed.state_count());
    let component = |lts| vec![Component { name: "M".to_owned(), lts: Arc::new(lts) }];
    Ok(equivalence::with_visible_end(&composed).map_or_else(|| components.to_vec(), component))
}

/// The system in which the states where the components are stuck, and those from which silent steps may lead there, are
/// the error state; `is_own` tells the actions of the components. Errors have been propagated before.
///
/// # Errors
/// The limit of the budget that was met.
pub(crate) fn without_deadlocks(
    lts: &Lts,
    is_own: impl Fn(&str) -> bool,
    budget: &Budget<'_>,
) -> Result<Lts, Exhausted> {
    let own: Vec<bool> = lts.alphabet().names().map(is_own).collect();
    let is_own = |label: Label| label.action().is_some_and(|action| own[action.index()]);
    let lts = trim(lts);
    let silent = lts.transitions().filter(|transition| transition.label.is_tau());
    let silent = sources(lts.state_count(), silent.map(|transition| (transition.source, transition.target)));
    let edges = |state| lts.edges(state).iter().map(|edge| (edge.target, is_own(edge.label)));
    let survivors = Survivors::new(lts.state_count(), edges, budget);
    let is_left = survivors.run(lts.error(), |state| silent[state.index()].clone())?;
    let is_lost = |state: StateId| !is_left[state.index()];
    if lts.states().all(|state| !is_lost(state) || Some(state) == lts.error()) {
        return Ok(lts);
    }
    Ok(merged_into_error(&lts, is_lost))
}

/// The automaton of a system, as determinisation gives it, in which the sets with a state where the components are stuck
/// are the error state.
///
/// # Errors
/// The limit of the budget that was met.
pub(crate) fn without_stuck_members(
    system: Lts,
    automaton: &Lts,
    is_own: impl Fn(&str) -> bool,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Lts, Exhausted> {
    let component = |name: &str, lts| Component { name: name.to_owned(), lts: Arc::new(lts) };
    let network = Network::new(vec![component("M", system), component("A", automaton.clone())]);
    let product = Product::transparent(&network);
    let (graph, search) = Graph::explore(&product, budget)?;
    effort.held(graph.state_count());
    let sets: Vec<StateId> =
        graph.states().map(|pair| product.unpack(search.states().get(pair))[1]).collect();
    let own: Vec<bool> = network.alphabet().names().map(is_own).collect();
    let is_stuck = stuck_sets(&graph, &sets, automaton.state_count(), &own, budget)?;
    // What follows √ is a part of what could be there without it.
    Ok(trim(&restrict(&merged_into_error(automaton, |set| is_stuck[set.index()]), |name| name == TICK)))
}

/// For each set of states whether it has to be avoided; `graph` is system ‖ automaton without what leads to the error,
/// `sets` tells the set of each pair, and `own` the actions of the components.
fn stuck_sets(
    graph: &Graph,
    sets: &[StateId],
    count: usize,
    own: &[bool],
    budget: &Budget<'_>,
) -> Result<Vec<bool>, Exhausted> {
    let is_own = |label: Label| label.action().is_some_and(|action| own[action.index()]);
    let mut members = sources(count, graph.states().map(|pair| (pair, sets[pair.index()])));
    let edges = |pair| graph.edges(pair).iter().map(|edge| (edge.target, is_own(edge.label)));
    let survivors = Survivors::new(graph.state_count(), edges, budget);
    // With one of its pairs a set is gone, and all its pairs with it.
    let is_left = survivors.run(None, |pair| std::mem::take(&mut members[sets[pair.index()].index()]))?;
    let mut is_stuck = vec![false; count];
    for pair in graph.states().filter(|pair| !is_left[pair.index()]) {
        is_stuck[sets[pair.index()].index()] = true;
    }
    Ok(is_stuck)
}

/// The states that are left when those are taken away in which the components are stuck, and others with them.
struct Survivors<'b, E> {
    /// The transitions of a state: where they lead, and whether they are actions of the components.
    edges: E,
    /// For each state where transitions into it come from, and whether they are actions of the components.
    sources: Vec<Vec<(StateId, bool)>>,
    is_left: Vec<bool>,
    /// For each state, how many actions of the components lead from it to states that are left.
    acting: Vec<usize>,
    /// For each state that is left and cannot act, the next one on a path to one that can.
    next: Vec<Option<StateId>>,
    /// The states for which such a path is being looked for.
    is_doubtful: Vec<bool>,
    budget: &'b Budget<'b>,
    steps: usize,
}

impl<'b, E, I> Survivors<'b, E>
where
    E: Fn(StateId) -> I,
    I: Iterator<Item = (StateId, bool)>,
{
    fn new(count: usize, edges: E, budget: &'b Budget<'b>) -> Self {
        let mut sources = vec![Vec::new(); count];
        let mut acting = vec![0; count];
        for source in (0..count).map(StateId::from_index) {
            for (target, is_own) in edges(source) {
                sources[target.index()].push((source, is_own));
                acting[source.index()] += usize::from(is_own);
            }
        }
        let (is_left, next, is_doubtful) = (vec![true; count], vec![None; count], vec![false; count]);
        Self { edges, sources, is_left, acting, next, is_doubtful, budget, steps: 0 }
    }

    /// For each state whether it is left; `first` is not, and `companions` tells which states go with one that does.
    fn run(
        mut self,
        first: Option<StateId>,
        mut companions: impl FnMut(StateId) -> Vec<StateId>,
    ) -> Result<Vec<bool>, Exhausted> {
        self.take_away(first.into_iter().collect(), &mut companions)?;
        let all = (0..self.is_left.len()).map(StateId::from_index);
        let mut doubtful: Vec<StateId> = all.filter(|state| self.is_left[state.index()]).collect();
        while !doubtful.is_empty() {
            let stuck = self.without_path(doubtful)?;
            doubtful = self.take_away(stuck, &mut companions)?;
        }
        Ok(self.is_left)
    }

    /// Takes states away; the result is whose path to an action of the components breaks.
    fn take_away(
        &mut self,
        mut stack: Vec<StateId>,
        companions: &mut impl FnMut(StateId) -> Vec<StateId>,
    ) -> Result<Vec<StateId>, Exhausted> {
        let mut broken = Vec::new();
        while let Some(state) = stack.pop() {
            if !std::mem::replace(&mut self.is_left[state.index()], false) {
                continue;
            }
            stack.extend(companions(state));
            for (source, is_own) in std::mem::take(&mut self.sources[state.index()]) {
                self.step()?;
                let place = source.index();
                self.acting[place] -= usize::from(is_own);
                let has_path = self.acting[place] > 0 || self.next[place].is_some_and(|next| next != state);
                if !has_path {
                    broken.push(source);
                }
            }
        }
        broken.retain(|state| self.is_left[state.index()]);
        self.relying_on(broken)
    }

    /// The states whose path leads through some states, and those themselves, each once.
    fn relying_on(&mut self, states: Vec<StateId>) -> Result<Vec<StateId>, Exhausted> {
        let mut relying = Vec::new();
        let mut stack = states;
        while let Some(state) = stack.pop() {
            if std::mem::replace(&mut self.is_doubtful[state.index()], true) {
                continue;
            }
            relying.push(state);
            for number in 0..self.sources[state.index()].len() {
                self.step()?;
                let (source, _) = self.sources[state.index()][number];
                if self.is_left[source.index()] && self.next[source.index()] == Some(state) {
                    stack.push(source);
                }
            }
        }
        Ok(relying)
    }

    /// Looks for paths from states, of which the others that are left have one; the result is which have none.
    fn without_path(&mut self, doubtful: Vec<StateId>) -> Result<Vec<StateId>, Exhausted> {
        doubtful.iter().for_each(|state| self.is_doubtful[state.index()] = true);
        let mut found: VecDeque<StateId> = VecDeque::new();
        for &state in &doubtful {
            self.step()?;
            let place = state.index();
            let is_sure = |target: StateId| self.is_left[target.index()] && !self.is_doubtful[target.index()];
            let next = (self.edges)(state).map(|(target, _)| target).find(|&target| is_sure(target));
            self.next[place] = next.filter(|_| self.acting[place] == 0);
            if self.acting[place] > 0 || next.is_some() {
                found.push_back(state);
            }
        }
        found.iter().for_each(|state| self.is_doubtful[state.index()] = false);
        while let Some(state) = found.pop_front() {
            for number in 0..self.sources[state.index()].len() {
                self.step()?;
                let (source, _) = self.sources[state.index()][number];
                if std::mem::replace(&mut self.is_doubtful[source.index()], false) {
                    self.next[source.index()] = Some(state);
                    found.push_back(source);
                }
            }
        }
        let mut stuck = doubtful;
        stuck.retain(|state| std::mem::replace(&mut self.is_doubtful[state.index()], false));
        Ok(stuck)
    }

    /// Takes note of a step, and now and then of the limits.
    fn step(&mut self) -> Result<(), Exhausted> {
        self.steps += 1;
        match self.steps.is_multiple_of(Budget::INTERVAL) {
            true => self.budget.check(&Progress { states: self.is_left.len(), ..Progress::default() }),
            false => Ok(()),
        }
    }
}
