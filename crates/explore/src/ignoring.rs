//! Transitions that a reduced search has put off for ever.
//!
//! Problem: the search follows some of the transitions of each state. One that it does not follow stays possible after
//! those that it does follow; it is *ignored* if that goes on for ever. Where is something ignored?
//!
//! Source: [Valmari 1991].
//!
//! Idea: a run of the reduced graph that goes on for ever ends up in a terminal strongly connected component, one
//! that no edge leaves, and can visit all its states again and again. So nothing is ignored if in each terminal
//! component every transition that is possible in one of its states is followed in one of them. Since what is not
//! followed stays possible, it is enough to compare what is possible in a single state of the component with what the
//! component follows.
//!
//! Cost: O(states + edges) time for the terminal components [Tarjan 1972]. A state needs 4 bytes, 16 more while it is on
//! the path to the current state, and 4 more from then until its component is complete: as in [Pearce 2016], it is put
//! on the stack of open states only when it has been left. All of them count for the budget, which is checked before
//! the path grows.

use rely_base::{Budget, Exhausted, Id, Progress, StateId};

/// The states that a reduced search has expanded, and where the transitions lead that it has followed.
#[derive(Default)]
pub(crate) struct ReducedGraph {
    /// The targets of state `s` are `targets[first[s] .. first[s + 1]]`.
    first: Vec<usize>,
    targets: Vec<StateId>,
    /// More targets of states that were expanded again, by the number of the state.
    more: Vec<(StateId, StateId)>,
}

impl ReducedGraph {
    /// Adds a transition of the state that is being expanded; states are expanded in order.
    pub(crate) fn add(&mut self, source: StateId, target: StateId) {
        if self.first.len() <= source.index() {
            self.first.push(self.targets.len());
        }
        if source.index() + 1 == self.first.len() {
            self.targets.push(target);
        } else {
            self.more.push((source, target));
        }
    }

    /// Notes that a state was expanded.
    pub(crate) fn end_state(&mut self, source: StateId) {
        if self.first.len() <= source.index() {
            self.first.push(self.targets.len());
        }
    }

    /// The bytes that are needed before one more transition, or state, is added: a vector doubles when it grows.
    #[inline]
    pub(crate) fn growth(&self) -> usize {
        fn growth<T>(vec: &Vec<T>) -> usize {
            if vec.len() < vec.capacity() { 0 } else { vec.capacity() * size_of::<T>() }
        }
        growth(&self.first) + growth(&self.targets) + growth(&self.more)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.first.capacity() * size_of::<usize>()
            + self.targets.capacity() * size_of::<StateId>()
            + self.more.capacity() * size_of::<(StateId, StateId)>()
    }

    /// Target number `number` of a state; targets added while it was expanded again come after the first ones.
    fn target(&self, source: usize, number: usize) -> Option<usize> {
        let first = self.first_targets(source);
        match first.get(number) {
            Some(target) => Some(target.index()),
            None => self.more_targets(source).get(number - first.len()).map(|(_, target)| target.index()),
        }
    }

    /// The targets of a state that were added while it was expanded for the first time.
    fn first_targets(&self, source: usize) -> &[StateId] {
        let end = self.first.get(source + 1).copied().unwrap_or(self.targets.len());
        &self.targets[self.first[source]..end]
    }

    /// The targets of a state that were added later.
    fn more_targets(&self, source: usize) -> &[(StateId, StateId)] {
        let start = self.more.partition_point(|&(more, _)| more.index() < source);
        let count = self.more[start..].partition_point(|&(more, _)| more.index() == source);
        &self.more[start..start + count]
    }

    fn targets(&self, source: usize) -> impl Iterator<Item = usize> {
        let more = self.more_targets(source).iter().map(|(_, target)| target.index());
        self.first_targets(source).iter().map(|target| target.index()).chain(more)
    }

    /// Calls `see` with the states of each terminal component; its root, which was met first, comes last. The
    /// progress `held` counts for the budget, too.
    ///
    /// # Errors The limit of the budget that was met, here or in `see`.
    pub(crate) fn try_terminal_components(
        &mut self,
        budget: &Budget<'_>,
        held: Progress,
        see: impl FnMut(&[StateId], Progress) -> Result<(), Exhausted>,
    ) -> Result<(), Exhausted> {
        self.more.sort_unstable();
        let mut tarjan = Tarjan {
            graph: self,
            budget,
            held,
            met: Vec::new(),
            clock: 0,
            open: Vec::new(),
            path: Vec::new(),
        };
        tarjan.run(see)
    }
}

/// Finds terminal components.
struct Tarjan<'g> {
    graph: &'g ReducedGraph,
    budget: &'g Budget<'g>,
    /// What is held elsewhere, which counts for the budget, too.
    held: Progress,
    /// When each state was met, from 1 on; [`LEFT`] when its component is complete.
    met: Vec<u32>,
    clock: u32,
    /// The states that are not on the way any more and whose components are not complete, in the order in which they
    /// were left.
    open: Vec<StateId>,
    /// The way to the current state.
    path: Vec<Visit>,
}

/// A state on the depth-first path.
struct Visit {
    state: StateId,
    /// The earliest state that is known to be reachable and whose component is not complete, by the time it was met.
    low: u32,
    /// The number of the next target to look at.
    next: usize,
}

const LEFT: u32 = u32::MAX;

impl Tarjan<'_> {
    /// Runs the search from state 0, from which all states can be reached.
    fn run(
        &mut self,
        mut see: impl FnMut(&[StateId], Progress) -> Result<(), Exhausted>,
    ) -> Result<(), Exhausted> {
        let states = self.graph.first.len();
        if states == 0 {
            return Ok(());
        }
        self.ask_for(states * size_of::<u32>())?;
        self.met = vec![0; states];
        self.enter(StateId::from_raw(0))?;
        let mut steps = 0_usize;
        while let Some(visit) = self.path.last_mut() {
            steps += 1;
            if steps.is_multiple_of(Budget::INTERVAL) {
                self.ask_for(0)?;
                continue;
            }
            let Some(target) = self.graph.target(visit.state.index(), visit.next) else {
                self.leave(&mut see)?;
                continue;
            };
            visit.next += 1;
            match self.met[target] {
                0 => self.enter(StateId::from_index(target))?,
                LEFT => {}
                when => visit.low = visit.low.min(when),
            }
        }
        Ok(())
    }

    fn enter(&mut self, state: StateId) -> Result<(), Exhausted> {
        if self.path.len() == self.path.capacity() {
            // A vector doubles when it grows.
            self.ask_for(self.path.capacity() * size_of::<Visit>())?;
        }
        self.clock += 1;
        self.met[state.index()] = self.clock;
        self.path.push(Visit { state, low: self.clock, next: 0 });
        Ok(())
    }

    /// Leaves the current state: its component is completed if it is the root, and otherwise it waits for the root.
    fn leave(
        &mut self,
        see: &mut impl FnMut(&[StateId], Progress) -> Result<(), Exhausted>,
    ) -> Result<(), Exhausted> {
        let Some(Visit { state, low, .. }) = self.path.pop() else { return Ok(()) };
        if self.open.len() == self.open.capacity() {
            self.ask_for(self.open.capacity() * size_of::<StateId>())?;
        }
        self.open.push(state);
        if low == self.met[state.index()] {
            return self.complete(see);
        }
        if let Some(parent) = self.path.last_mut() {
            parent.low = parent.low.min(low);
        }
        Ok(())
    }

    /// Completes the component of the state that was left last; the states met after it and still open belong to it,
    /// too.
    fn complete(
        &mut self,
        see: &mut impl FnMut(&[StateId], Progress) -> Result<(), Exhausted>,
    ) -> Result<(), Exhausted> {
        let root = self.open.last().map_or(0, |root| self.met[root.index()]);
        let earlier = |state: &StateId| self.met[state.index()] < root;
        let start = self.open.iter().rposition(earlier).map_or(0, |last| last + 1);
        let members = &self.open[start..];
        // Any other target is not complete yet, so it belongs to the component.
        let leaves = |state: &StateId| self.graph.targets(state.index()).any(|to| self.met[to] == LEFT);
        if !members.iter().any(leaves) {
            see(members, self.progress(0))?;
        }
        for member in self.open.drain(start..) {
            self.met[member.index()] = LEFT;
        }
        Ok(())
    }

    /// Checks whether the budget allows this many bytes more.
    fn ask_for(&self, bytes: usize) -> Result<(), Exhausted> {
        self.budget.check(&self.progress(bytes))
    }

    fn progress(&self, more: usize) -> Progress {
        let bytes = self.met.capacity() * size_of::<u32>()
            + self.open.capacity() * size_of::<StateId>()
            + self.path.capacity() * size_of::<Visit>();
        Progress { bytes: self.held.bytes + bytes + more, ..self.held }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rely_testkit::rng::{Rng, seeds};

    use super::*;

    /// A graph whose states can all be reached from the first, and its edges; some of them were added later.
    fn random(rng: &mut Rng) -> (ReducedGraph, Vec<(usize, usize)>) {
        let states = 1 + rng.below(8);
        let mut graph = ReducedGraph::default();
        let mut edges: Vec<(usize, usize)> = (1..states).map(|state| (rng.below(state), state)).collect();
        edges.extend((0..rng.below(2 * states)).map(|_| (rng.below(states), rng.below(states))));
        type Edges = Vec<(usize, usize)>;
        let (first, more): (Edges, Edges) = edges.iter().partition(|_| rng.chance(2, 3));
        let add = |graph: &mut ReducedGraph, (source, target): (usize, usize)| {
            graph.add(StateId::from_index(source), StateId::from_index(target));
        };
        for source in 0..states {
            first.iter().filter(|edge| edge.0 == source).for_each(|&edge| add(&mut graph, edge));
            graph.end_state(StateId::from_index(source));
        }
        // The last state cannot be expanded again before there is another one.
        graph.first.push(graph.targets.len());
        more.iter().for_each(|&edge| add(&mut graph, edge));
        graph.first.pop();
        (graph, edges)
    }

    #[test]
    fn terminal_components_are_the_sets_that_reach_themselves_and_nothing_else() {
        for seed in seeds(5_000) {
            let (mut graph, edges) = random(&mut Rng::new(seed));
            let reached = |from: usize| {
                let mut reached = BTreeSet::from([from]);
                while edges.iter().any(|edge| reached.contains(&edge.0) && reached.insert(edge.1)) {}
                reached
            };
            let all: Vec<BTreeSet<usize>> = (0..graph.first.len()).map(reached).collect();
            let is_terminal = |set: &&BTreeSet<usize>| set.iter().all(|&state| &all[state] == *set);
            let expected: BTreeSet<&BTreeSet<usize>> = all.iter().filter(is_terminal).collect();
            let mut found = Vec::new();
            let see = |component: &[StateId], _: Progress| {
                found.push(component.iter().map(|state| state.index()).collect::<BTreeSet<usize>>());
                Ok(())
            };
            let end = graph.try_terminal_components(&Budget::UNLIMITED, Progress::default(), see);
            assert_eq!(end, Ok(()), "seed {seed}");
            assert_eq!(found.len(), expected.len(), "seed {seed}");
            assert_eq!(found.iter().collect::<BTreeSet<_>>(), expected, "seed {seed}");
        }
    }
}
