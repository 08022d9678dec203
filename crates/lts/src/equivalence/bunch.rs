//! Bunches of transitions, and the counters that tell how many transitions a state has in a bunch.
//!
//! An *action-block slice* is the set of transitions with one label into one block; a *bunch* is a union of such slices
//! [Jansen, Groote, Keiren, Wijs 2020]. In the words of Paige and Tarjan a bunch is a compound splitter. Refinement
//! keeps the partition stable under every bunch; it is done when every bunch is a single slice. Splitting off a slice
//! that has at most half of the transitions of its bunch lets each transition take part log m times only.

use super::{
    graph::Graph,
    partition::{NONE, Refinable, narrow},
};

/// The transitions, partitioned into slices, and the slices partitioned into bunches.
pub(super) struct Bunches {
    /// The action-block slices; those of one bunch are neighbours.
    slices: Refinable,
    /// The bunch of each slice.
    bunch_of: Vec<u32>,
    /// Where each bunch begins and ends in the order of `slices`.
    ranges: Vec<std::ops::Range<u32>>,
    /// Bunches that may have more than one slice, each once.
    nontrivial: Vec<u32>,
    is_queued: Vec<bool>,
    /// The inert transitions, which are in no bunch, are kept as one more slice; `NONE` when there are none any more.
    inert: u32,
}

impl Bunches {
    /// One bunch of all transitions but the inert ones, sliced by label; the caller goes on to slice it by the blocks of
    /// the targets.
    pub(super) fn new(graph: &Graph, is_inert: impl Fn(usize) -> bool) -> Self {
        // The inert transitions are class 0, so that all others are neighbours.
        let class = |t: usize| if is_inert(t) { 0 } else { 1 + graph.label[t] };
        let class_count = 1 + graph.label_count;
        let slices = Refinable::new((0..graph.transition_count()).map(class).collect(), class_count);
        let all = slices.range(0).end..narrow(graph.transition_count());
        let inert = if slices.range(0).is_empty() { NONE } else { 0 };
        let mut bunch_of = vec![0; class_count];
        bunch_of[0] = NONE;
        Self { slices, bunch_of, ranges: vec![all], nontrivial: vec![0], is_queued: vec![true], inert }
    }

    /// Splits a slice with at most half of the transitions off a bunch that has several, as a bunch of its own.
    /// The transitions of the new bunch are put into `small`. Returns false if every bunch is a single slice.
    pub(super) fn split_bunch(&mut self, small: &mut Vec<u32>) -> bool {
        small.clear();
        while let Some(bunch) = self.nontrivial.pop() {
            self.is_queued[bunch as usize] = false;
            let range = self.ranges[bunch as usize].clone();
            if range.is_empty() {
                continue;
            }
            let slice_at = |place: u32| self.slices.set_of(self.slices.elements(place..place + 1)[0]);
            let (first, last) = (slice_at(range.start), slice_at(range.end - 1));
            if first == last {
                continue;
            }
            let (head, tail) = (self.slices.range(first), self.slices.range(last));
            let (slice, part, rest) = if head.len() <= tail.len() {
                (first, head.clone(), head.end..range.end)
            } else {
                (last, tail.clone(), range.start..tail.start)
            };
            self.ranges[bunch as usize] = rest;
            self.queue(bunch);
            small.extend_from_slice(self.slices.elements(part.clone()));
            self.add_bunch(slice, part);
            return true;
        }
        false
    }

    /// Marks a transition that leads into a new block.
    #[inline]
    pub(super) fn mark(&mut self, transition: u32) {
        self.slices.mark(transition);
    }

    /// Splits all slices into their marked and unmarked transitions.
    pub(super) fn split_slices(&mut self) {
        while let Some(slice) = self.slices.next_touched() {
            if self.slices.split_marked(slice).is_some() {
                let bunch = self.bunch_of[slice as usize];
                self.bunch_of.push(bunch);
                self.queue(bunch);
            }
        }
    }

    /// Makes inert transitions, all between the same two blocks, a new bunch.
    pub(super) fn release_inert(&mut self, transitions: &[u32]) {
        for &transition in transitions {
            self.slices.mark(transition);
        }
        let inert = self.slices.next_touched().expect("inert transitions were marked");
        debug_assert_eq!(inert, self.inert);
        let slice = if let Some(slice) = self.slices.split_marked(inert) {
            self.bunch_of.push(NONE);
            slice
        } else {
            std::mem::replace(&mut self.inert, NONE)
        };
        self.add_bunch(slice, self.slices.range(slice));
    }

    fn add_bunch(&mut self, slice: u32, range: std::ops::Range<u32>) {
        self.bunch_of[slice as usize] = narrow(self.ranges.len());
        self.ranges.push(range);
        self.is_queued.push(false);
    }

    fn queue(&mut self, bunch: u32) {
        if !std::mem::replace(&mut self.is_queued[bunch as usize], true) {
            self.nontrivial.push(bunch);
        }
    }
}

/// How many transitions each state has in each bunch: a cell for each pair that has any.
pub(super) struct Counters {
    /// The cell of each transition: that of its source and its bunch.
    cell_of: Vec<u32>,
    /// The counts. A cell is 0 only for a state that has no transitions in the first bunch.
    cells: Vec<u32>,
    /// While a bunch is split: the cell of a state in the new bunch, `NONE` otherwise.
    new_cell: Vec<u32>,
    /// After a bunch was split: whether the new bunch got all the transitions that a state had in the old one.
    /// Defined only for states with a transition in the new bunch.
    moved_all: Vec<bool>,
}

impl Counters {
    /// One bunch of all transitions but the inert ones.
    pub(super) fn new(graph: &Graph, is_inert: impl Fn(usize) -> bool) -> Self {
        let mut cells = vec![0; graph.state_count()];
        for transition in (0..graph.transition_count()).filter(|&t| !is_inert(t)) {
            cells[graph.source[transition] as usize] += 1;
        }
        Self {
            cell_of: graph.source.clone(),
            cells,
            new_cell: vec![NONE; graph.state_count()],
            moved_all: vec![false; graph.state_count()],
        }
    }

    /// Moves transitions, all of one bunch, to a new bunch.
    pub(super) fn move_to_new_bunch(&mut self, graph: &Graph, transitions: &[u32]) {
        for &transition in transitions {
            self.cells[self.cell_of[transition as usize] as usize] -= 1;
        }
        for &transition in transitions {
            let state = graph.source[transition as usize] as usize;
            let old = self.cell_of[transition as usize];
            if self.new_cell[state] == NONE {
                // A cell that all transitions have left becomes the cell of the new bunch.
                self.moved_all[state] = self.cells[old as usize] == 0;
                self.new_cell[state] = if self.moved_all[state] { old } else { self.add_cell() };
            }
            let cell = self.new_cell[state];
            self.cell_of[transition as usize] = cell;
            self.cells[cell as usize] += 1;
        }
        for &transition in transitions {
            self.new_cell[graph.source[transition as usize] as usize] = NONE;
        }
    }

    /// Adds a bunch for transitions that were inert until now.
    pub(super) fn add_bunch(&mut self, graph: &Graph, transitions: &[u32]) {
        for &transition in transitions {
            let state = graph.source[transition as usize] as usize;
            if self.new_cell[state] == NONE {
                self.new_cell[state] = self.add_cell();
            }
            self.cell_of[transition as usize] = self.new_cell[state];
            self.cells[self.new_cell[state] as usize] += 1;
        }
        for &transition in transitions {
            self.new_cell[graph.source[transition as usize] as usize] = NONE;
        }
    }

    /// Whether the last new bunch got all the transitions that this source of it had in the old one.
    #[inline]
    pub(super) fn moved_all(&self, state: u32) -> bool {
        self.moved_all[state as usize]
    }

    fn add_cell(&mut self) -> u32 {
        self.cells.push(0);
        narrow(self.cells.len() - 1)
    }
}
