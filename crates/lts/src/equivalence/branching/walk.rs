//! Splitting a block in time proportional to its smaller part.
//!
//! For a slice of a block, R are the states that can reach a source of the slice by inert transitions, and U are the
//! others. R is found backwards from the sources, U backwards from the bottom states that are no source: a state is in
//! U when it is no source and all its inert transitions lead to U. The two searches take turns, a transition each;
//! one that finds more than half of the block gives up, and the first to finish decides.

use super::{
    super::{graph::Graph, partition::NONE},
    blocks::Blocks,
    slices::{Slices, Start},
};

/// The parts of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// R: the states that can reach a source of the slice.
    Reaching,
    /// U: the others.
    Unable,
}

/// The data that the walks read and do not change.
pub(super) struct Surroundings<'a> {
    pub(super) graph: &'a Graph,
    pub(super) blocks: &'a Blocks,
    pub(super) slices: &'a Slices,
    /// How many inert transitions leave each state.
    pub(super) inert_out: &'a [u32],
}

/// The two searches and the tables that they share. Between two splits the tables are empty.
pub(super) struct Walks {
    /// The part that each state is known to belong to.
    part_of: Vec<Option<Part>>,
    /// For each state of the block that was met, its inert transitions that are not yet known to lead to U; 0 for the
    /// others.
    unknown: Vec<u32>,
    met: Vec<u32>,
    reaching: Walk,
    unable: Walk,
    /// A state whose inert transitions all lead to U, and the transitions that are still to be searched for one of the
    /// slice.
    candidate: Option<(u32, std::ops::Range<u32>)>,
}

/// A backward search.
#[derive(Default)]
struct Walk {
    /// The states found.
    found: Vec<u32>,
    /// How many of the found states have been expanded.
    expanded: usize,
    /// The places in the graph's index of incoming transitions that are left of the state that is being expanded.
    incoming: std::ops::Range<u32>,
    /// The next starting point: a transition of the slice, or a bottom state.
    seed: u32,
}

impl Walk {
    /// The next transition to follow backwards; `None` if the current state has no more.
    fn next_silent(&mut self, graph: &Graph) -> Option<u32> {
        let transition = graph.incoming[self.incoming.next()? as usize];
        if graph.label[transition as usize] != 0 {
            // The silent transitions come first, so there are no more.
            self.incoming = 0..0;
            return None;
        }
        Some(transition)
    }

    /// Begins the next state; false if all were expanded.
    fn next_state(&mut self, graph: &Graph) -> bool {
        let Some(&state) = self.found.get(self.expanded) else { return false };
        self.expanded += 1;
        self.incoming = graph.incoming_range(state);
        true
    }

    fn reset(&mut self) {
        self.found.clear();
        self.expanded = 0;
        self.incoming = 0..0;
    }
}

impl Walks {
    pub(super) fn new(state_count: usize) -> Self {
        Self {
            part_of: vec![None; state_count],
            unknown: vec![0; state_count],
            met: Vec::new(),
            reaching: Walk::default(),
            unable: Walk::default(),
            candidate: None,
        }
    }

    /// Adds a bottom state that is a source of the slice. All of them have to be added before `run`.
    pub(super) fn add_source(&mut self, state: u32) {
        self.find(Part::Reaching, state);
    }

    /// Finds the smaller part of a block and puts its states into `smaller`; `None` if U is empty.
    pub(super) fn run(
        &mut self,
        around: &Surroundings<'_>,
        block: u32,
        slice: u32,
        smaller: &mut Vec<u32>,
    ) -> Option<Part> {
        smaller.clear();
        let mut part = None;
        // Every state can reach a bottom state, so U is empty if it has no bottom state.
        if self.reaching.found.len() != around.blocks.bottom_count(block) as usize {
            self.reaching.seed = around.slices.first(slice, Start::Other);
            self.unable.seed = around.blocks.first_bottom(block);
            part = Some(self.race(around, slice, around.blocks.size(block) as usize / 2));
            let winner = if part == Some(Part::Reaching) { &self.reaching } else { &self.unable };
            smaller.extend_from_slice(&winner.found);
        }
        self.reset();
        part
    }

    /// Alternates the searches until one is done.
    fn race(&mut self, around: &Surroundings<'_>, slice: u32, half: usize) -> Part {
        loop {
            if self.reaching.found.len() <= half && !self.step_reaching(around) {
                return Part::Reaching;
            }
            if self.unable.found.len() <= half && !self.step_unable(around, slice) {
                return Part::Unable;
            }
        }
    }

    /// One step of the search for R; false when it is done.
    fn step_reaching(&mut self, around: &Surroundings<'_>) -> bool {
        let transition = self.reaching.seed;
        if transition != NONE {
            self.reaching.seed = around.slices.next(transition);
            self.find(Part::Reaching, around.graph.source[transition as usize]);
            return true;
        }
        if let Some(transition) = self.reaching.next_silent(around.graph) {
            if around.slices.is_inert(transition) {
                self.find(Part::Reaching, around.graph.source[transition as usize]);
            }
            return true;
        }
        self.reaching.next_state(around.graph)
    }

    /// One step of the search for U; false when it is done.
    fn step_unable(&mut self, around: &Surroundings<'_>, slice: u32) -> bool {
        let bottom = self.unable.seed;
        if bottom != NONE {
            self.unable.seed = around.blocks.next_bottom(bottom);
            self.find(Part::Unable, bottom);
            return true;
        }
        if let Some((state, transitions)) = &mut self.candidate {
            match transitions.next() {
                // It is a source of the slice, so it is in R.
                Some(transition) if around.slices.slice_of(transition) == slice => self.candidate = None,
                Some(_) => {}
                None => {
                    let state = *state;
                    self.candidate = None;
                    self.find(Part::Unable, state);
                }
            }
            return true;
        }
        if let Some(transition) = self.unable.next_silent(around.graph) {
            if around.slices.is_inert(transition) {
                self.meet(around, around.graph.source[transition as usize]);
            }
            return true;
        }
        self.unable.next_state(around.graph)
    }

    /// Counts one more inert transition of a state that leads to U.
    fn meet(&mut self, around: &Surroundings<'_>, state: u32) {
        let unknown = &mut self.unknown[state as usize];
        if *unknown == 0 {
            *unknown = around.inert_out[state as usize];
            self.met.push(state);
        }
        *unknown -= 1;
        if *unknown == 0 && self.part_of[state as usize].is_none() {
            self.candidate = Some((state, around.graph.outgoing(state)));
        }
    }

    fn find(&mut self, part: Part, state: u32) {
        let known = &mut self.part_of[state as usize];
        if known.is_none() {
            *known = Some(part);
            let walk = if part == Part::Reaching { &mut self.reaching } else { &mut self.unable };
            walk.found.push(state);
        }
    }

    fn reset(&mut self) {
        for &state in self.reaching.found.iter().chain(&self.unable.found) {
            self.part_of[state as usize] = None;
        }
        for state in self.met.drain(..) {
            self.unknown[state as usize] = 0;
        }
        self.reaching.reset();
        self.unable.reset();
        self.candidate = None;
    }
}
