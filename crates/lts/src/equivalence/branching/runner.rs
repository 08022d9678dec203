//! The refinement loop of branching bisimilarity; the [module](super) above explains its ideas.

use rely_base::{Budget, Exhausted};

use super::{
    super::{
        bunch::{Bunches, Counters},
        graph::{Graph, Meter},
        partition::{NONE, Partition, Refinable, narrow},
    },
    blocks::Blocks,
    slices::{Slices, Start},
    walk::{Part, Surroundings, Walks},
};

pub(super) struct Runner<'a> {
    /// The transitions between τ-components: without silent cycles.
    graph: &'a Graph,
    blocks: Blocks,
    /// How many inert transitions leave each state; 0 for bottom states.
    inert_out: Vec<u32>,
    bunches: Bunches,
    /// The block-bunch slices.
    slices: Slices,
    counters: Counters,
    walks: Walks,
    /// The transitions that stopped being inert in the last split: all those from R to U.
    exposed: Vec<u32>,
    /// The states of the smaller part of the last split.
    smaller: Vec<u32>,
    meter: Meter<'a>,
}

/// A block after its split into R and U; one of them is `NONE` if it is empty.
struct Split {
    reaching: u32,
    unable: u32,
    /// What is left of a slice of the block in either part; `NONE` if it has no transitions there.
    watched_reaching: u32,
    watched_unable: u32,
}

impl<'a> Runner<'a> {
    /// One bunch of all transitions that are not inert, and blocks that are stable under it.
    pub(super) fn new(graph: &'a Graph, classes: &[u32], class_count: usize, budget: &'a Budget<'a>) -> Self {
        let active = active_states(graph, classes);
        let classes: Vec<u32> =
            classes.iter().zip(active).map(|(class, active)| 2 * class + u32::from(active)).collect();
        let class_count = 2 * class_count;
        let is_inert = |transition: usize| {
            graph.label[transition] == 0
                && classes[graph.source[transition] as usize] == classes[graph.target[transition] as usize]
        };
        let mut inert_out = vec![0; graph.state_count()];
        for transition in (0..graph.transition_count()).filter(|&t| is_inert(t)) {
            inert_out[graph.source[transition] as usize] += 1;
        }
        let mut slices = Slices::new(graph.transition_count());
        let slice_of_class: Vec<u32> = (0..narrow(class_count)).map(|block| slices.create(block)).collect();
        for transition in (0..graph.transition_count()).filter(|&t| !is_inert(t)) {
            let source = graph.source[transition] as usize;
            let start = if inert_out[source] == 0 { Start::Bottom } else { Start::Other };
            slices.link(narrow(transition), slice_of_class[classes[source] as usize], start);
        }
        Self {
            graph,
            bunches: bunches_by_class(graph, &classes, class_count, is_inert),
            counters: Counters::new(graph, is_inert),
            slices,
            walks: Walks::new(graph.state_count()),
            blocks: Blocks::new(classes, class_count, |state| inert_out[state as usize] == 0),
            inert_out,
            exposed: Vec::new(),
            smaller: Vec::new(),
            meter: Meter::of_refinement(budget, graph),
        }
    }

    /// Refines until every bunch is a single slice.
    pub(super) fn run(mut self) -> Result<Partition, Exhausted> {
        let mut small = Vec::new();
        let mut unstable = Vec::new();
        while self.bunches.split_bunch(&mut small) {
            self.counters.move_to_new_bunch(self.graph, &small);
            for &transition in &small {
                let source = self.graph.source[transition as usize];
                let block = self.blocks.block_of(source);
                self.slices.move_to_offshoot(transition, block, start(&self.inert_out, source));
            }
            self.slices.settle(|_, rest, small| {
                if rest != NONE {
                    unstable.push((small, rest));
                }
            });
            self.meter.tick(small.len())?;
            for (small, rest) in unstable.drain(..) {
                self.stabilise(small, rest)?;
            }
        }
        let block_count = self.blocks.count();
        Ok(Partition::from_classes(&self.blocks.into_classes(), block_count))
    }
}

impl Runner<'_> {
    /// Makes a block stable under the two parts, both on it, that a bunch was split into.
    fn stabilise(&mut self, small: u32, rest: u32) -> Result<(), Exhausted> {
        self.add_bottom_sources(small);
        let split = self.split(small, rest)?;
        // U has no transitions in the small part, and had some in the bunch: it is stable. R is stable under the
        // small part. States of R without transitions in the rest are among the sources of the small part.
        let (block, rest) = self.separate_new_bottoms(split.reaching, split.watched_reaching)?;
        if block != NONE && rest != NONE {
            let mut bottom = self.blocks.first_bottom(block);
            while bottom != NONE {
                if !self.counters.moved_all(bottom) {
                    self.walks.add_source(bottom);
                }
                bottom = self.blocks.next_bottom(bottom);
            }
            let split = self.split(rest, NONE)?;
            self.separate_new_bottoms(split.reaching, NONE)?;
        }
        while let Some(slice) = self.slices.next_pending() {
            self.add_bottom_sources(slice);
            let split = self.split(slice, NONE)?;
            self.separate_new_bottoms(split.reaching, NONE)?;
        }
        Ok(())
    }

    /// After a split: makes the silent transitions from R to U a bunch, and makes R stable under it, by splitting off
    /// the part N that can reach U. All bottom states of N are new; N is to be checked under all its slices.
    ///
    /// Returns R without N, and what is left there of a watched slice of R; both may be `NONE`.
    fn separate_new_bottoms(&mut self, reaching: u32, watched: u32) -> Result<(u32, u32), Exhausted> {
        if self.exposed.is_empty() {
            return Ok((reaching, watched));
        }
        let slice = self.release_exposed(reaching);
        self.add_bottom_sources(slice);
        let split = self.split(slice, watched)?;
        if !self.exposed.is_empty() {
            self.release_exposed(split.reaching);
        }
        self.slices.set_all_pending(split.reaching);
        Ok((split.unable, split.watched_unable))
    }

    /// Marks the bottom states that are a source of the slice, for the walks.
    fn add_bottom_sources(&mut self, slice: u32) {
        let mut transition = self.slices.first(slice, Start::Bottom);
        while transition != NONE {
            self.walks.add_source(self.graph.source[transition as usize]);
            transition = self.slices.next(transition);
        }
    }

    /// Splits the block of a slice by whether its states can reach a source of it. The walks know the bottom states
    /// among the sources.
    fn split(&mut self, slice: u32, watched: u32) -> Result<Split, Exhausted> {
        self.exposed.clear();
        let block = self.slices.block(slice);
        let around = Surroundings {
            graph: self.graph,
            blocks: &self.blocks,
            slices: &self.slices,
            inert_out: &self.inert_out,
        };
        let Some(part) = self.walks.run(&around, block, slice, &mut self.smaller) else {
            let unsplit =
                Split { reaching: block, unable: NONE, watched_reaching: watched, watched_unable: NONE };
            return Ok(unsplit);
        };
        let (new, watched_new, watched_old) = self.move_smaller(block, watched)?;
        Ok(match part {
            Part::Reaching => Split {
                reaching: new,
                unable: block,
                watched_reaching: watched_new,
                watched_unable: watched_old,
            },
            Part::Unable => Split {
                reaching: block,
                unable: new,
                watched_reaching: watched_old,
                watched_unable: watched_new,
            },
        })
    }

    /// Makes the smaller part of a split a new block, and finds the transitions that are no longer inert.
    ///
    /// Returns the new block, and what a watched slice has become in the new block and in the old one.
    fn move_smaller(&mut self, block: u32, watched: u32) -> Result<(u32, u32, u32), Exhausted> {
        let new = self.blocks.split(block, &self.smaller, |state| self.inert_out[state as usize] == 0);
        for &state in &self.smaller {
            let start = start(&self.inert_out, state);
            for transition in self.graph.outgoing(state) {
                if !self.slices.is_inert(transition) {
                    self.slices.move_to_offshoot(transition, new, start);
                } else if self.blocks.block_of(self.graph.target[transition as usize]) != new {
                    self.exposed.push(transition);
                }
            }
            for &transition in self.graph.incoming(state) {
                if !self.slices.is_inert(transition) {
                    self.bunches.mark(transition);
                } else if self.blocks.block_of(self.graph.source[transition as usize]) != new {
                    self.exposed.push(transition);
                }
            }
            self.meter.tick(1 + self.graph.outgoing(state).len() + self.graph.incoming(state).len())?;
        }
        self.bunches.split_slices();
        let mut parts = (new, NONE, watched);
        self.slices.settle(|slice, rest, offshoot| {
            if slice == watched {
                parts = (new, offshoot, rest);
            }
        });
        Ok(parts)
    }

    /// Makes the exposed transitions, which start from the given block, a bunch, and their sources bottom states
    /// where they have no other inert transitions. Returns the slice of these transitions.
    fn release_exposed(&mut self, block: u32) -> u32 {
        for &transition in &self.exposed {
            let source = self.graph.source[transition as usize];
            self.inert_out[source as usize] -= 1;
            if self.inert_out[source as usize] == 0 {
                self.blocks.add_bottom(source);
                for transition in self.graph.outgoing(source) {
                    if !self.slices.is_inert(transition) {
                        self.slices.move_to_bottom(transition);
                    }
                }
            }
        }
        let slice = self.slices.create(block);
        for &transition in &self.exposed {
            let source = self.graph.source[transition as usize];
            self.slices.link(transition, slice, start(&self.inert_out, source));
        }
        self.bunches.release_inert(&self.exposed);
        self.counters.add_bunch(self.graph, &self.exposed);
        slice
    }
}

/// The kind of state that a state's transitions start from.
fn start(inert_out: &[u32], state: u32) -> Start {
    if inert_out[state as usize] == 0 { Start::Bottom } else { Start::Other }
}

/// The states that can reach, by silent transitions inside their class, a transition that is not silent inside its
/// class.
fn active_states(graph: &Graph, classes: &[u32]) -> Vec<bool> {
    let stays = |transition: usize| {
        graph.label[transition] == 0
            && classes[graph.source[transition] as usize] == classes[graph.target[transition] as usize]
    };
    let mut is_active = vec![false; graph.state_count()];
    let mut stack = Vec::new();
    for transition in (0..graph.transition_count()).filter(|&t| !stays(t)) {
        let source = graph.source[transition];
        if !std::mem::replace(&mut is_active[source as usize], true) {
            stack.push(source);
        }
    }
    while let Some(state) = stack.pop() {
        for &transition in graph.incoming(state).iter().filter(|&&t| stays(t as usize)) {
            let source = graph.source[transition as usize];
            if !std::mem::replace(&mut is_active[source as usize], true) {
                stack.push(source);
            }
        }
    }
    is_active
}

/// One bunch, sliced by label and by class of the target.
fn bunches_by_class(
    graph: &Graph,
    classes: &[u32],
    class_count: usize,
    is_inert: impl Fn(usize) -> bool,
) -> Bunches {
    let mut bunches = Bunches::new(graph, &is_inert);
    let states = Refinable::new(classes.to_vec(), class_count);
    for class in 0..narrow(class_count) {
        for &state in states.elements(states.range(class)) {
            for &transition in graph.incoming(state).iter().filter(|&&t| !is_inert(t as usize)) {
                bunches.mark(transition);
            }
        }
        bunches.split_slices();
    }
    bunches
}
