//! Transitions that a reduced search has put off for ever.
//!
//! Problem: the search follows some of the transitions of each state. One that it does not follow stays possible after
//! those that it does follow; it is *ignored* if that goes on for ever. Where is something ignored?
//!
//! Source: [Valmari 1991].
//!
//! Idea: whoever follows the graph of the search ends up in a terminal strongly connected component, one that no edge
//! leaves, and can come to all its states again and again. So nothing is ignored if in each terminal component every
//! transition that is possible in one of its states is followed in one of them. Since what is not followed stays
//! possible, one state of the component has it all.
//!
//! Cost: O(states + edges) time and 12 bytes for each state, for the terminal components [Tarjan 1972].

use rely_base::{Id, StateId};

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

    pub(crate) fn bytes(&self) -> usize {
        self.first.capacity() * size_of::<usize>()
            + self.targets.capacity() * size_of::<StateId>()
            + self.more.capacity() * size_of::<(StateId, StateId)>()
    }

    /// The target of a state with a number, the later ones being those that were added later.
    fn target(&self, source: usize, number: usize) -> Option<usize> {
        let first = self.first[source];
        let end = self.first.get(source + 1).copied().unwrap_or(self.targets.len());
        if first + number < end {
            return Some(self.targets[first + number].index());
        }
        let start = self.more.partition_point(|&(more, _)| more.index() < source);
        let more = self.more.get(start + number - (end - first));
        more.filter(|(more, _)| more.index() == source).map(|(_, target)| target.index())
    }

    /// The terminal components, each with its states.
    pub(crate) fn terminal_components(&mut self) -> Vec<Vec<StateId>> {
        self.more.sort_unstable();
        Tarjan::new(self).run()
    }
}

/// Finds terminal components.
struct Tarjan<'g> {
    graph: &'g ReducedGraph,
    /// When each state was met, from 1 on; [`LEFT`] when its component is complete.
    met: Vec<u32>,
    clock: u32,
    /// The states that have been met and whose components are not complete, in the order in which they were met.
    open: Vec<u32>,
    /// The way to the current state: its number, the next target to look at, the earliest that can be reached, and
    /// whether a state of another component can be reached.
    path: Vec<Visit>,
    terminal: Vec<Vec<StateId>>,
}

struct Visit {
    state: usize,
    next: usize,
    low: u32,
    leaves: bool,
}

const LEFT: u32 = u32::MAX;

impl<'g> Tarjan<'g> {
    fn new(graph: &'g ReducedGraph) -> Self {
        let met = vec![0; graph.first.len()];
        Self { graph, met, clock: 0, open: Vec::new(), path: Vec::new(), terminal: Vec::new() }
    }

    /// All states can be reached from the first.
    fn run(mut self) -> Vec<Vec<StateId>> {
        if !self.met.is_empty() {
            self.enter(0);
        }
        while let Some(visit) = self.path.last_mut() {
            let Some(target) = self.graph.target(visit.state, visit.next) else {
                self.leave();
                continue;
            };
            visit.next += 1;
            match self.met[target] {
                0 => self.enter(target),
                LEFT => visit.leaves = true,
                when => visit.low = visit.low.min(when),
            }
        }
        self.terminal
    }

    fn enter(&mut self, state: usize) {
        self.clock += 1;
        self.met[state] = self.clock;
        self.open.push(StateId::from_index(state).raw());
        self.path.push(Visit { state, next: 0, low: self.clock, leaves: false });
    }

    fn leave(&mut self) {
        let Some(Visit { state, low, leaves, .. }) = self.path.pop() else { return };
        let is_root = low == self.met[state];
        if is_root {
            let start = self.open.iter().rposition(|&open| open as usize == state).unwrap_or(0);
            let component: Vec<StateId> = self.open.drain(start..).map(StateId::from_raw).collect();
            component.iter().for_each(|member| self.met[member.index()] = LEFT);
            if !leaves {
                self.terminal.push(component);
            }
        }
        if let Some(parent) = self.path.last_mut() {
            parent.low = if is_root { parent.low } else { parent.low.min(low) };
            // Whoever leads to a complete component leaves its own.
            parent.leaves |= is_root || leaves;
        }
    }
}
