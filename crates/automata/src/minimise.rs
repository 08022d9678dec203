//! The minimal automaton of a language.
//!
//! Problem: the automaton with the fewest states that accepts the same words, in a numbering that depends on the
//! language alone. Source: [Hopcroft 1971], with the refinable partition of [Valmari & Lehtinen 2008]. Idea: begin with
//! the accepting and the other states; as long as some block and letter are waiting, split every block into the states
//! that reach the waiting block by the letter and those that do not; of the two halves, the smaller one waits for the
//! letters for which the block was not waiting anyway. Invariants: states that accept the same words are in one block;
//! when nothing is waiting, the states of a block have the same successor blocks. Complexity: kn log n. We deviate in
//! the end: the quotient is numbered breadth first, so that equal languages have equal values.

use rely_base::{Id, StateId};

use crate::Dfa;

impl Dfa {
    /// The minimal automaton of the same language, numbered breadth first from the initial state, letters in order:
    /// automata that accept the same words give equal values.
    #[must_use]
    pub fn minimise(&self) -> Self {
        let trimmed = self.trim();
        let blocks = Runner::new(&trimmed).run();
        let first_of: Vec<StateId> = {
            let mut firsts = vec![None; trimmed.state_count()];
            for state in trimmed.states() {
                firsts[blocks[state.index()]].get_or_insert(state);
            }
            firsts.into_iter().flatten().collect()
        };
        // Blocks are numbered without gaps, so that `first_of` is indexed by them.
        Self::reachable(
            trimmed.letter_count(),
            blocks[trimmed.initial().index()],
            |&block| trimmed.is_accepting(first_of[block]),
            |&block, letter| blocks[trimmed.step(first_of[block], letter).index()],
        )
    }
}

/// Partition refinement.
struct Runner<'a> {
    dfa: &'a Dfa,
    /// The predecessors of state `s` by letter `a` are `sources[starts[i]..starts[i + 1]]`, where `i` is the place of
    /// the pair in the table of the automaton.
    starts: Vec<usize>,
    sources: Vec<usize>,
    partition: Partition,
    /// The pairs of a block and a letter that may still split a block, as a list and as a table.
    waiting: Vec<(usize, usize)>,
    is_waiting: Vec<bool>,
}

impl<'a> Runner<'a> {
    fn new(dfa: &'a Dfa) -> Self {
        let (n, k) = (dfa.state_count(), dfa.letter_count());
        let mut starts = vec![0; n * k + 1];
        for state in dfa.states() {
            for letter in dfa.letters() {
                starts[dfa.step(state, letter).index() * k + letter.index() + 1] += 1;
            }
        }
        for i in 0..n * k {
            starts[i + 1] += starts[i];
        }
        let mut free = starts.clone();
        let mut sources = vec![0; n * k];
        for state in dfa.states() {
            for letter in dfa.letters() {
                let slot = &mut free[dfa.step(state, letter).index() * k + letter.index()];
                sources[*slot] = state.index();
                *slot += 1;
            }
        }
        let mut partition = Partition::new(n);
        for state in dfa.states().filter(|&state| dfa.is_accepting(state)) {
            partition.mark(state.index());
        }
        let mut runner =
            Self { dfa, starts, sources, partition, waiting: Vec::new(), is_waiting: vec![false; n * k] };
        let smaller = runner.partition.split(0).unwrap_or(0);
        for letter in 0..k {
            runner.wait(smaller, letter);
        }
        runner
    }

    fn wait(&mut self, block: usize, letter: usize) {
        let place = block * self.dfa.letter_count() + letter;
        if !std::mem::replace(&mut self.is_waiting[place], true) {
            self.waiting.push((block, letter));
        }
    }

    /// The block of every state.
    fn run(mut self) -> Vec<usize> {
        let k = self.dfa.letter_count();
        let mut touched = Vec::new();
        while let Some((splitter, letter)) = self.waiting.pop() {
            self.is_waiting[splitter * k + letter] = false;
            let members = self.partition.members(splitter).to_vec();
            for target in members {
                let place = target * k + letter;
                for i in self.starts[place]..self.starts[place + 1] {
                    let source = self.sources[i];
                    if self.partition.mark(source) {
                        touched.push(self.partition.block_of[source]);
                    }
                }
            }
            for block in touched.drain(..) {
                let Some(new) = self.partition.split(block) else { continue };
                // The new block is the smaller half. If the old block is waiting for the letter, both halves have to
                // wait; otherwise the new one is enough.
                for letter in 0..k {
                    self.wait(new, letter);
                }
            }
        }
        self.partition.block_of
    }
}

/// A partition of numbers into blocks that can be split. The members of a block are adjacent, marked ones first.
struct Partition {
    /// The numbers, block by block.
    elements: Vec<usize>,
    /// Where a number is in `elements`.
    place_of: Vec<usize>,
    block_of: Vec<usize>,
    /// For each block, where it begins, where its marked members end, and where it ends.
    bounds: Vec<(usize, usize, usize)>,
}

impl Partition {
    /// One block with everything.
    fn new(count: usize) -> Self {
        let elements: Vec<usize> = (0..count).collect();
        Self { place_of: elements.clone(), elements, block_of: vec![0; count], bounds: vec![(0, 0, count)] }
    }

    fn members(&self, block: usize) -> &[usize] {
        let (begin, _, end) = self.bounds[block];
        &self.elements[begin..end]
    }

    /// Marks a member of its block; returns whether it is the first marked one there.
    fn mark(&mut self, element: usize) -> bool {
        let (begin, marked, _) = self.bounds[self.block_of[element]];
        let place = self.place_of[element];
        if place < marked {
            return false;
        }
        let other = self.elements[marked];
        self.elements.swap(place, marked);
        self.place_of[other] = place;
        self.place_of[element] = marked;
        self.bounds[self.block_of[element]].1 += 1;
        marked == begin
    }

    /// Splits a block into its marked and unmarked members and removes the marks. The smaller half becomes a new
    /// block, which is returned; `None` if one half is empty.
    fn split(&mut self, block: usize) -> Option<usize> {
        let (begin, marked, end) = self.bounds[block];
        self.bounds[block].1 = begin;
        if marked == begin || marked == end {
            return None;
        }
        let new = self.bounds.len();
        let (kept, moved) = if marked - begin <= end - marked {
            ((marked, end), (begin, marked))
        } else {
            ((begin, marked), (marked, end))
        };
        self.bounds[block] = (kept.0, kept.0, kept.1);
        self.bounds.push((moved.0, moved.0, moved.1));
        for place in moved.0..moved.1 {
            self.block_of[self.elements[place]] = new;
        }
        Some(new)
    }
}
