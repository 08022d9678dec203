//! How far away a failure seems to be.
//!
//! Problem: an estimate of how many steps lead from a state of a network to a failure, so quick that it can be asked of
//! many states.
//!
//! Source: the heuristic of planning by relaxed plans [Hoffmann, Nebel 2001], for networks of automata as in [Kupferschmid
//! et al. 2006].
//!
//! Idea: a component that has once been in a state counts as still being there when it has gone on. Then no step spoils
//! another, and the places that can be reached are found as shortest paths are, from the nearest on: a step of several
//! components comes after all of them have come to where they take it. When a failure is reached, the steps that have led to
//! it are gathered backwards, and counted; what several of them need is counted once.
//!
//! Invariants: depths are found in ascending order. If no failure has a depth, no run from the state fails: every run is
//! also one of components that stay where they have been.
//!
//! Cost: O(e log e) for e transitions of all components together, and mostly less, since it ends at the first failure.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rely_base::{ActionId, Id, Label, StateId};
use rely_lts::Network;

/// The depth of what has not been reached, and the place that is none.
const UNKNOWN: u32 = u32::MAX;

/// The port of a silent transition.
const SILENT: u32 = u32::MAX;

/// Estimates distances in one network.
///
/// A *place* is a state of a component; a *port* is a component's part in an action.
pub(super) struct Distance {
    /// The place of each component's state 0.
    first: Vec<usize>,
    is_error: Vec<bool>,
    /// The transitions of place `p`, as port and target, are `edges[starts[p] .. starts[p + 1]]`.
    starts: Vec<usize>,
    edges: Vec<(u32, u32)>,
    /// The action of each port, and the ports of each action.
    action_of: Vec<usize>,
    ports_of: Vec<Vec<usize>>,
    /// What is known of the state that is looked at: the depth of each place, and the port and the place that it was reached
    /// by.
    depths: Vec<u32>,
    reached_by: Vec<(u32, u32)>,
    /// By port: the place that has it and was reached first, and the transitions that wait for others.
    earliest: Vec<u32>,
    waiting: Vec<Vec<(u32, u32)>>,
    /// By action: how many of its ports have no place yet, and the depth at which the last of the others got one.
    missing: Vec<usize>,
    ready: Vec<u32>,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    /// By action, and after those for silent steps, the number of the last estimate that begins with it.
    begins: Vec<usize>,
    asked: usize,
    /// How many transitions were looked at.
    work: usize,
}

impl Distance {
    pub(super) fn new(network: &Network) -> Self {
        let (mut first, mut is_error, mut starts, mut edges) = (vec![], vec![], vec![0], vec![]);
        let mut ports_of = vec![Vec::new(); network.alphabet().len()];
        let mut action_of = Vec::new();
        for (number, component) in network.components().iter().enumerate() {
            let base = is_error.len();
            let first_port = action_of.len();
            first.push(base);
            for &action in network.actions_of(Id::from_index(number)) {
                ports_of[action.index()].push(action_of.len());
                action_of.push(action.index());
            }
            let port = |action: ActionId| number_of(first_port + action.index());
            for state in component.lts.states() {
                is_error.push(component.lts.error() == Some(state));
                edges.extend(component.lts.edges(state).iter().map(|edge| {
                    (edge.label.action().map_or(SILENT, port), number_of(base + edge.target.index()))
                }));
                starts.push(edges.len());
            }
        }
        Self {
            depths: vec![UNKNOWN; is_error.len()],
            reached_by: vec![(SILENT, UNKNOWN); is_error.len()],
            earliest: vec![UNKNOWN; action_of.len()],
            waiting: vec![Vec::new(); action_of.len()],
            missing: vec![0; ports_of.len()],
            ready: vec![0; ports_of.len()],
            queue: BinaryHeap::new(),
            begins: vec![0; ports_of.len() + 1],
            asked: 0,
            work: 0,
            first,
            is_error,
            starts,
            edges,
            action_of,
            ports_of,
        }
    }

    /// The estimate for a state, given by the states of the components; nothing if no failure can be reached from it.
    pub(super) fn of(&mut self, state: &[StateId]) -> Option<u32> {
        self.asked += 1;
        self.depths.fill(UNKNOWN);
        self.earliest.fill(UNKNOWN);
        self.waiting.iter_mut().for_each(Vec::clear);
        self.ready.fill(0);
        self.missing.iter_mut().zip(&self.ports_of).for_each(|(missing, ports)| *missing = ports.len());
        self.queue.clear();
        for (component, state) in state.iter().enumerate() {
            self.reach(number_of(self.first[component] + state.index()), 0, (SILENT, UNKNOWN));
        }
        while let Some(Reverse((depth, place))) = self.queue.pop() {
            let at = place as usize;
            if depth > self.depths[at] {
                continue;
            }
            if self.is_error[at] {
                return Some(self.steps_to(place));
            }
            self.work += 1 + self.starts[at + 1] - self.starts[at];
            for edge in self.starts[at]..self.starts[at + 1] {
                match self.edges[edge] {
                    (SILENT, target) => self.reach(target, depth + 1, (SILENT, place)),
                    (port, target) => self.follow(port, place, target),
                }
            }
        }
        None
    }

    /// A component in a place that has been reached goes to another by its part in an action.
    fn follow(&mut self, port: u32, place: u32, target: u32) {
        let (at, depth) = (port as usize, self.depths[place as usize]);
        let action = self.action_of[at];
        if self.earliest[at] == UNKNOWN {
            self.earliest[at] = place;
            self.missing[action] -= 1;
            self.ready[action] = depth;
            if self.missing[action] == 0 {
                self.enable(action);
            }
        }
        match self.missing[action] {
            0 => self.reach(target, self.ready[action].max(depth) + 1, (port, place)),
            _ => self.waiting[at].push((place, target)),
        }
    }

    /// All participants of an action can be where they take it, for the first time.
    fn enable(&mut self, action: usize) {
        for number in 0..self.ports_of[action].len() {
            let port = self.ports_of[action][number];
            let mut waiting = std::mem::take(&mut self.waiting[port]);
            for (place, target) in waiting.drain(..) {
                self.work += 1;
                self.reach(target, self.ready[action] + 1, (number_of(port), place));
            }
            self.waiting[port] = waiting;
        }
    }

    fn reach(&mut self, place: u32, depth: u32, by: (u32, u32)) {
        let at = place as usize;
        if depth < self.depths[at] {
            self.depths[at] = depth;
            self.reached_by[at] = by;
            self.queue.push(Reverse((depth, place)));
        }
    }

    /// How many steps have led to a place: those of the same action at the same depth are one.
    fn steps_to(&mut self, place: u32) -> u32 {
        let mut steps = Vec::new();
        let mut open = vec![place];
        let mut seen = rustc_hash::FxHashSet::from_iter([place]);
        while let Some(place) = open.pop() {
            let depth = self.depths[place as usize];
            let (port, source) = self.reached_by[place as usize];
            if source == UNKNOWN {
                continue;
            }
            let action = self.action_of.get(port as usize).copied();
            // A silent step is one of a single component.
            steps.push((depth, action.ok_or(place)));
            if depth == 1 {
                self.begins[action.unwrap_or(self.ports_of.len())] = self.asked;
            }
            let others = action.map_or(&[][..], |action| &self.ports_of[action]);
            let others =
                others.iter().filter(|&&other| other != port as usize).map(|&other| self.earliest[other]);
            open.extend(others.chain([source]).filter(|&place| seen.insert(place)));
        }
        self.work += steps.len();
        steps.sort_unstable();
        steps.dedup();
        number_of(steps.len())
    }

    /// Whether the last estimate counts a step with a label that is possible at once.
    pub(super) fn begins_with(&self, label: Label) -> bool {
        let place = label.action().map_or(self.ports_of.len(), |action| action.index());
        self.begins[place] == self.asked
    }

    /// How many transitions of components have been looked at since this was asked last.
    pub(super) fn take_work(&mut self) -> usize {
        std::mem::take(&mut self.work)
    }

    pub(super) fn bytes(&self) -> usize {
        let of_place = 3 * size_of::<u32>() + size_of::<usize>() + 1;
        let of_port = size_of::<u32>() + 2 * size_of::<usize>() + size_of::<Vec<(u32, u32)>>();
        let of_edge = 2 * size_of::<(u32, u32)>();
        self.depths.len() * of_place + self.edges.len() * of_edge + self.earliest.len() * of_port
    }
}

fn number_of(index: usize) -> u32 {
    u32::try_from(index).expect("components have fewer states and actions together than 2³²")
}
