//! Partitions of states: the result of a refinement, and the refinable form that an algorithm works on.

use rely_base::{Id, StateId};

use crate::Lts;

rely_base::define_id! {
    /// A block of a [`Partition`].
    BlockId
}

/// A partition of the states of a system into disjoint blocks.
///
/// Blocks are numbered in the order of their first states, so that two equal partitions are equal as values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partition {
    /// The block of each state.
    block_of: Vec<BlockId>,
    block_count: usize,
}

impl Partition {
    /// The coarsest partition that every equivalence starts from: π, the end state, and all others.
    pub fn of_special_states(lts: &Lts) -> Self {
        let class = |state: StateId| {
            if Some(state) == lts.error() {
                1
            } else if Some(state) == lts.end() {
                2
            } else {
                0
            }
        };
        Self::from_classes(&lts.states().map(class).collect::<Vec<u32>>(), 3)
    }

    /// The partition that has two states in one block when they have the same class, all classes being below a bound.
    pub(super) fn from_classes(classes: &[u32], bound: usize) -> Self {
        let mut number: Vec<Option<BlockId>> = vec![None; bound];
        let mut block_count = 0;
        let block_of = classes
            .iter()
            .map(|&class| {
                *number[class as usize].get_or_insert_with(|| {
                    block_count += 1;
                    BlockId::from_index(block_count - 1)
                })
            })
            .collect();
        Self { block_of, block_count }
    }

    /// The block of a state.
    #[inline]
    pub fn block(&self, state: StateId) -> BlockId {
        self.block_of[state.index()]
    }

    /// How many blocks there are.
    pub fn block_count(&self) -> usize {
        self.block_count
    }

    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.block_of.len()
    }

    /// Whether two states are in the same block.
    pub fn equivalent(&self, left: StateId, right: StateId) -> bool {
        self.block(left) == self.block(right)
    }

    /// The partition of the domain of `image`: x and y are in one block if the states `image[x]` and `image[y]` are.
    pub(super) fn pulled_back(&self, image: &[u32]) -> Self {
        let classes: Vec<u32> = image.iter().map(|&state| self.block_of[state as usize].raw()).collect();
        Self::from_classes(&classes, self.block_count)
    }
}

/// Converts an index that is known to fit: the graph is refused if its tables are longer than 2³².
#[inline]
pub(super) fn narrow(index: usize) -> u32 {
    u32::try_from(index).expect("tables stay below 2^32 elements")
}

/// No element, no set: the end of a list.
pub(super) const NONE: u32 = u32::MAX;

/// States of one block that a round of refinement puts into one part.
#[derive(Clone, Copy)]
pub(super) struct Group {
    /// The block.
    pub(super) block: u32,
    /// How many there are.
    pub(super) count: u32,
    /// The number of the block that they become.
    pub(super) becomes: u32,
}

impl Group {
    /// An empty group of a block, without a number yet.
    pub(super) fn of(block: u32) -> Self {
        Self { block, count: 0, becomes: NONE }
    }
}

/// Turns every group into a block. If the groups cover a block completely, the largest of them keeps the block's
/// number. New blocks are numbered after the old ones, in the order of the groups.
pub(super) fn name_groups(groups: &mut [Group], size: &mut Vec<u32>) {
    let mut left = size.clone();
    let mut largest = vec![NONE; size.len()];
    for (i, group) in groups.iter().enumerate() {
        let block = group.block as usize;
        left[block] -= group.count;
        let best = largest[block];
        if best == NONE || groups[best as usize].count < group.count {
            largest[block] = narrow(i);
        }
    }
    for (i, group) in groups.iter_mut().enumerate() {
        let block = group.block as usize;
        if left[block] == 0 && largest[block] == narrow(i) {
            group.becomes = group.block;
            size[block] = group.count;
        } else {
            group.becomes = narrow(size.len());
            size.push(group.count);
            if left[block] != 0 {
                size[block] -= group.count;
            }
        }
    }
}

/// A partition of the numbers 0 … n-1 that can be refined: elements of a set are marked, then the marked ones are
/// split off, in time proportional to their number [Valmari, Lehtinen 2008].
///
/// Each set is a range of `elements`, its marked members first.
pub(super) struct Refinable {
    /// The elements, set after set.
    elements: Vec<u32>,
    /// Where each element is in `elements`.
    position: Vec<u32>,
    /// The set of each element.
    set_of: Vec<u32>,
    /// Where each set begins and ends in `elements`.
    first: Vec<u32>,
    end: Vec<u32>,
    /// How many elements of each set are marked.
    marked: Vec<u32>,
    /// The sets that have marked elements.
    touched: Vec<u32>,
}

impl Refinable {
    /// The partition by class; classes without elements become empty sets.
    pub(super) fn new(classes: Vec<u32>, class_count: usize) -> Self {
        let mut first = vec![0_u32; class_count + 1];
        for &class in &classes {
            first[class as usize + 1] += 1;
        }
        for class in 0..class_count {
            first[class + 1] += first[class];
        }
        let end = first[1..].to_vec();
        first.pop();
        let mut cursor = first.clone();
        let mut elements = vec![0; classes.len()];
        let mut position = vec![0; classes.len()];
        for (element, &class) in classes.iter().enumerate() {
            let place = &mut cursor[class as usize];
            elements[*place as usize] = narrow(element);
            position[element] = *place;
            *place += 1;
        }
        Self {
            elements,
            position,
            set_of: classes,
            first,
            end,
            marked: vec![0; class_count],
            touched: Vec::new(),
        }
    }

    /// How many sets there are.
    pub(super) fn set_count(&self) -> usize {
        self.first.len()
    }

    /// The set of an element.
    #[inline]
    pub(super) fn set_of(&self, element: u32) -> u32 {
        self.set_of[element as usize]
    }

    /// The set of each element.
    pub(super) fn into_classes(self) -> Vec<u32> {
        self.set_of
    }

    /// Where a set begins and ends in the order of elements.
    pub(super) fn range(&self, set: u32) -> std::ops::Range<u32> {
        self.first[set as usize]..self.end[set as usize]
    }

    /// The elements of a range.
    pub(super) fn elements(&self, range: std::ops::Range<u32>) -> &[u32] {
        &self.elements[range.start as usize..range.end as usize]
    }

    /// Marks an element.
    #[inline]
    pub(super) fn mark(&mut self, element: u32) {
        let set = self.set_of[element as usize] as usize;
        let boundary = self.first[set] + self.marked[set];
        let position = self.position[element as usize];
        if position < boundary {
            return;
        }
        let other = self.elements[boundary as usize];
        self.elements.swap(position as usize, boundary as usize);
        self.position[element as usize] = boundary;
        self.position[other as usize] = position;
        self.marked[set] += 1;
        if self.marked[set] == 1 {
            self.touched.push(narrow(set));
        }
    }

    /// Takes a set that has marked elements and has to be split next; `None` if there is none.
    pub(super) fn next_touched(&mut self) -> Option<u32> {
        self.touched.pop()
    }

    /// Splits the marked elements off a set and returns the new set that has them; `None` if all were marked.
    pub(super) fn split_marked(&mut self, set: u32) -> Option<u32> {
        let boundary = self.take_boundary(set)?;
        let begin = std::mem::replace(&mut self.first[set as usize], boundary);
        Some(self.add_set(begin, boundary))
    }

    /// Splits a set into its marked and its unmarked elements and returns the new set, which is the smaller of the
    /// two; `None` if all were marked.
    pub(super) fn split_smaller(&mut self, set: u32) -> Option<u32> {
        let boundary = self.take_boundary(set)?;
        let (begin, end) = (self.first[set as usize], self.end[set as usize]);
        if boundary - begin <= end - boundary {
            self.first[set as usize] = boundary;
            Some(self.add_set(begin, boundary))
        } else {
            self.end[set as usize] = boundary;
            Some(self.add_set(boundary, end))
        }
    }

    /// The end of the marked elements of a set, if others follow. The marks are removed.
    fn take_boundary(&mut self, set: u32) -> Option<u32> {
        let marked = std::mem::take(&mut self.marked[set as usize]);
        let boundary = self.first[set as usize] + marked;
        (boundary != self.end[set as usize]).then_some(boundary)
    }

    fn add_set(&mut self, begin: u32, end: u32) -> u32 {
        let set = narrow(self.first.len());
        self.first.push(begin);
        self.end.push(end);
        self.marked.push(0);
        for &element in &self.elements[begin as usize..end as usize] {
            self.set_of[element as usize] = set;
        }
        set
    }
}
