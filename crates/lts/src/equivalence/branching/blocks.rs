//! The current partition of the states, with the bottom states of each block.

use super::super::partition::{NONE, narrow};

/// Blocks of states. A *bottom state* has no inert transition.
///
/// Only the bottom states of a block can be enumerated; the algorithm does not need the others.
pub(super) struct Blocks {
    block_of: Vec<u32>,
    /// How many states and how many bottom states each block has.
    size: Vec<u32>,
    bottom_count: Vec<u32>,
    /// The bottom states of each block, as a list with links both ways.
    first_bottom: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
}

impl Blocks {
    /// Blocks for the given classes. A class without states becomes an empty block, which is never used.
    pub(super) fn new(block_of: Vec<u32>, block_count: usize, is_bottom: impl Fn(u32) -> bool) -> Self {
        let state_count = block_of.len();
        let mut blocks = Self {
            block_of,
            size: vec![0; block_count],
            bottom_count: vec![0; block_count],
            first_bottom: vec![NONE; block_count],
            next: vec![NONE; state_count],
            previous: vec![NONE; state_count],
        };
        for state in 0..narrow(state_count) {
            let block = blocks.block_of(state);
            blocks.size[block as usize] += 1;
            if is_bottom(state) {
                blocks.add_bottom(state);
            }
        }
        blocks
    }

    pub(super) fn count(&self) -> usize {
        self.size.len()
    }

    #[inline]
    pub(super) fn block_of(&self, state: u32) -> u32 {
        self.block_of[state as usize]
    }

    pub(super) fn into_classes(self) -> Vec<u32> {
        self.block_of
    }

    pub(super) fn size(&self, block: u32) -> u32 {
        self.size[block as usize]
    }

    pub(super) fn bottom_count(&self, block: u32) -> u32 {
        self.bottom_count[block as usize]
    }

    /// The first bottom state of a block. There always is one, since there are no silent cycles.
    pub(super) fn first_bottom(&self, block: u32) -> u32 {
        self.first_bottom[block as usize]
    }

    /// The bottom state after another, or `NONE`.
    #[inline]
    pub(super) fn next_bottom(&self, state: u32) -> u32 {
        self.next[state as usize]
    }

    /// Makes a state of a block a bottom state.
    pub(super) fn add_bottom(&mut self, state: u32) {
        let block = self.block_of(state) as usize;
        let head = std::mem::replace(&mut self.first_bottom[block], state);
        self.next[state as usize] = head;
        self.previous[state as usize] = NONE;
        if head != NONE {
            self.previous[head as usize] = state;
        }
        self.bottom_count[block] += 1;
    }

    fn remove_bottom(&mut self, state: u32) {
        let block = self.block_of(state) as usize;
        let (next, previous) = (self.next[state as usize], self.previous[state as usize]);
        if previous == NONE {
            self.first_bottom[block] = next;
        } else {
            self.next[previous as usize] = next;
        }
        if next != NONE {
            self.previous[next as usize] = previous;
        }
        self.bottom_count[block] -= 1;
    }

    /// Moves some states of a block to a new block.
    pub(super) fn split(&mut self, block: u32, states: &[u32], is_bottom: impl Fn(u32) -> bool) -> u32 {
        let new = narrow(self.size.len());
        self.size.push(narrow(states.len()));
        self.bottom_count.push(0);
        self.first_bottom.push(NONE);
        self.size[block as usize] -= narrow(states.len());
        for &state in states {
            if is_bottom(state) {
                self.remove_bottom(state);
                self.block_of[state as usize] = new;
                self.add_bottom(state);
            } else {
                self.block_of[state as usize] = new;
            }
        }
        new
    }
}
