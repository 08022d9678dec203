//! Block-bunch slices: the transitions of one bunch out of one block.

use super::super::partition::{NONE, narrow};

/// Which kind of state a transition starts from. The two kinds are kept in separate lists, so that the bottom states
/// with a transition in a slice are found without looking at the others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    Bottom,
    Other,
}

/// The partition of the transitions that are not inert into block-bunch slices.
pub(super) struct Slices {
    /// The slice of each transition; `NONE` while it is inert.
    slice_of: Vec<u32>,
    /// The neighbours of each transition in its list.
    next: Vec<u32>,
    previous: Vec<u32>,
    table: Vec<Slice>,
    /// Places in the table that are free.
    free: Vec<u32>,
    /// The first slice of each block.
    first_of_block: Vec<u32>,
    /// Slices whose stability has to be checked. The list may also contain slices that need no check any more.
    pending: Vec<u32>,
    /// Slices that lost transitions since the last `settle`.
    touched: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Slice {
    /// The block that the transitions start from.
    block: u32,
    /// The first transition from a bottom state and from another.
    heads: [u32; 2],
    /// The neighbours in the list of the slices of the block.
    next: u32,
    previous: u32,
    /// While transitions move away: the slice that they go to.
    offshoot: u32,
    is_pending: bool,
}

impl Slices {
    /// The initial partition: all transitions are inert.
    pub(super) fn new(transition_count: usize) -> Self {
        Self {
            slice_of: vec![NONE; transition_count],
            next: vec![NONE; transition_count],
            previous: vec![NONE; transition_count],
            table: Vec::new(),
            free: Vec::new(),
            first_of_block: Vec::new(),
            pending: Vec::new(),
            touched: Vec::new(),
        }
    }

    #[inline]
    pub(super) fn slice_of(&self, transition: u32) -> u32 {
        self.slice_of[transition as usize]
    }

    #[inline]
    pub(super) fn is_inert(&self, transition: u32) -> bool {
        self.slice_of[transition as usize] == NONE
    }

    pub(super) fn block(&self, slice: u32) -> u32 {
        self.table[slice as usize].block
    }

    /// The first transition of a slice from states of a kind.
    pub(super) fn first(&self, slice: u32, start: Start) -> u32 {
        self.table[slice as usize].heads[start as usize]
    }

    /// The transition after another, in the same slice and from the same kind of state.
    #[inline]
    pub(super) fn next(&self, transition: u32) -> u32 {
        self.next[transition as usize]
    }

    /// A new, empty slice of a block.
    pub(super) fn create(&mut self, block: u32) -> u32 {
        if self.first_of_block.len() <= block as usize {
            self.first_of_block.resize(block as usize + 1, NONE);
        }
        let next = self.first_of_block[block as usize];
        let slice =
            Slice { block, heads: [NONE; 2], next, previous: NONE, offshoot: NONE, is_pending: false };
        let id = if let Some(id) = self.free.pop() {
            self.table[id as usize] = slice;
            id
        } else {
            self.table.push(slice);
            narrow(self.table.len() - 1)
        };
        self.first_of_block[block as usize] = id;
        if next != NONE {
            self.table[next as usize].previous = id;
        }
        id
    }

    /// Puts a transition that is in no slice into one.
    pub(super) fn link(&mut self, transition: u32, slice: u32, start: Start) {
        let head = std::mem::replace(&mut self.table[slice as usize].heads[start as usize], transition);
        self.slice_of[transition as usize] = slice;
        self.next[transition as usize] = head;
        self.previous[transition as usize] = NONE;
        if head != NONE {
            self.previous[head as usize] = transition;
        }
    }

    fn unlink(&mut self, transition: u32, start: Start) {
        let (next, previous) = (self.next[transition as usize], self.previous[transition as usize]);
        if previous == NONE {
            let slice = self.slice_of(transition);
            debug_assert_eq!(self.first(slice, start), transition);
            self.table[slice as usize].heads[start as usize] = next;
        } else {
            self.next[previous as usize] = next;
        }
        if next != NONE {
            self.previous[next as usize] = previous;
        }
    }

    /// Notes that the source of a transition has become a bottom state.
    pub(super) fn move_to_bottom(&mut self, transition: u32) {
        let slice = self.slice_of(transition);
        self.unlink(transition, Start::Other);
        self.link(transition, slice, Start::Bottom);
    }

    /// Moves a transition to the offshoot of its slice, a slice of the given block; the same one for all transitions of
    /// the slice until `settle` is called.
    pub(super) fn move_to_offshoot(&mut self, transition: u32, block: u32, start: Start) {
        let slice = self.slice_of(transition);
        let mut offshoot = self.table[slice as usize].offshoot;
        if offshoot == NONE {
            offshoot = self.create(block);
            self.table[slice as usize].offshoot = offshoot;
            self.touched.push(slice);
            if self.table[slice as usize].is_pending {
                self.set_pending(offshoot);
            }
        }
        self.unlink(transition, start);
        self.link(transition, offshoot, start);
    }

    /// Ends a series of moves and removes the slices that have become empty. Calls `report` for each slice that lost
    /// transitions: with what is left of it, or `NONE`, and with its offshoot.
    pub(super) fn settle(&mut self, mut report: impl FnMut(u32, u32, u32)) {
        while let Some(slice) = self.touched.pop() {
            let offshoot = std::mem::replace(&mut self.table[slice as usize].offshoot, NONE);
            let is_empty = self.table[slice as usize].heads == [NONE; 2];
            if is_empty {
                self.remove(slice);
            }
            report(slice, if is_empty { NONE } else { slice }, offshoot);
        }
    }

    fn remove(&mut self, slice: u32) {
        let Slice { block, next, previous, .. } = self.table[slice as usize];
        if previous == NONE {
            self.first_of_block[block as usize] = next;
        } else {
            self.table[previous as usize].next = next;
        }
        if next != NONE {
            self.table[next as usize].previous = previous;
        }
        self.table[slice as usize].is_pending = false;
        self.free.push(slice);
    }

    fn set_pending(&mut self, slice: u32) {
        if !std::mem::replace(&mut self.table[slice as usize].is_pending, true) {
            self.pending.push(slice);
        }
    }

    /// Marks all slices of a block as to be checked.
    pub(super) fn set_all_pending(&mut self, block: u32) {
        let mut slice = self.first_of_block.get(block as usize).copied().unwrap_or(NONE);
        while slice != NONE {
            self.set_pending(slice);
            slice = self.table[slice as usize].next;
        }
    }

    /// Takes a slice that has to be checked.
    pub(super) fn next_pending(&mut self) -> Option<u32> {
        while let Some(slice) = self.pending.pop() {
            // A place of the table may have been emptied, or used again, since it was put on the list.
            if std::mem::replace(&mut self.table[slice as usize].is_pending, false) {
                return Some(slice);
            }
        }
        None
    }
}
