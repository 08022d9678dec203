//! Searching for the answers to transitions.
//!
//! **Idea.** The *challenges* of a block are the labels and target blocks of the transitions of all its states,
//! except for silent ones inside the block. Every state of the block has to answer each of them: s ⇒ B for a silent
//! one, s ⇒ -a-> ⇒ B for others. Answers are searched forwards from the state, the closest ones first, until all are
//! found; where there are answers, they are seldom far away. States that answer different challenges are not weakly
//! bisimilar.
//!
//! If all states of all blocks answer all challenges of their block, the partition is a weak bisimulation.
//!
//! **Complexity.** A search visits at most the states that can be reached by silent steps, then a visible one, then
//! silent ones. As that may be much, steps are counted, and the search gives up beyond a limit.

use rely_base::{Budget, Exhausted, Progress};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    super::{branching::Acyclic, graph::Meter, partition::narrow},
    Blocks,
};

/// What came out of a search in all blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answered {
    /// Every state answers all challenges of its block.
    All,
    /// Some did not, and were split off.
    Some,
    /// The search gave up because it took too many steps.
    GaveUp,
}

/// Splits blocks by the challenges that their states answer.
pub(super) struct Answers<'a> {
    system: &'a Acyclic,
    /// The challenges of the block at hand, and their numbers.
    challenges: FxHashMap<(u32, u32), usize>,
    /// How many challenges there are for each label.
    open: FxHashMap<u32, usize>,
    /// The challenges that the state at hand has answered, as bits.
    answered: Vec<u64>,
    /// The states that are reached silently, and those that are reached after a visible label, in order of discovery.
    before: Vec<u32>,
    after: Vec<(u32, u32)>,
    is_before: FxHashSet<u32>,
    is_after: FxHashSet<(u32, u32)>,
    /// How many steps are left.
    steps: usize,
    meter: Meter<'a>,
}

impl<'a> Answers<'a> {
    pub(super) fn new(system: &'a Acyclic, limit: usize, budget: &'a Budget<'a>) -> Self {
        let progress = Progress {
            states: system.state_count(),
            transitions: system.transition_count(),
            frontier: 0,
            bytes: 2 * system.bytes(),
        };
        Self {
            system,
            challenges: FxHashMap::default(),
            open: FxHashMap::default(),
            answered: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            is_before: FxHashSet::default(),
            is_after: FxHashSet::default(),
            steps: limit,
            meter: Meter::new(budget, progress),
        }
    }

    /// Searches in all blocks with more than one state.
    pub(super) fn split(&mut self, blocks: &mut Blocks) -> Result<Answered, Exhausted> {
        let mut members: Vec<u32> =
            (0..narrow(blocks.block_of.len())).filter(|&state| !blocks.is_single(state)).collect();
        members.sort_by_key(|&state| blocks.block_of[state as usize]);
        let mut parts: Vec<(u32, u32)> = Vec::new();
        for block in members.chunk_by(|&s, &t| blocks.block_of[s as usize] == blocks.block_of[t as usize]) {
            self.challenge(blocks, block);
            let mut patterns: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
            for &state in block {
                self.answer(blocks, state)?;
                if self.steps == 0 {
                    return Ok(Answered::GaveUp);
                }
                let next = narrow(patterns.len());
                let part = *patterns.entry(self.answered.clone()).or_insert(next);
                if part != 0 {
                    parts.push((state, part));
                }
            }
        }
        let is_split = !parts.is_empty();
        separate(blocks, &parts);
        Ok(if is_split { Answered::Some } else { Answered::All })
    }

    /// Collects the challenges of a block.
    fn challenge(&mut self, blocks: &Blocks, states: &[u32]) {
        self.challenges.clear();
        self.open.clear();
        let block = blocks.block_of[states[0] as usize];
        for &state in states {
            for &(label, target) in self.system.edges(state) {
                let challenge = (label, blocks.block_of[target as usize]);
                let next = self.challenges.len();
                if challenge != (0, block) && *self.challenges.entry(challenge).or_insert(next) == next {
                    *self.open.entry(label).or_insert(0) += 1;
                }
            }
        }
    }

    /// Finds the challenges that a state answers.
    fn answer(&mut self, blocks: &Blocks, state: u32) -> Result<(), Exhausted> {
        self.answered.clear();
        self.answered.resize(self.challenges.len().div_ceil(64), 0);
        self.before.clear();
        self.after.clear();
        self.is_before.clear();
        self.is_after.clear();
        let mut missing = self.challenges.len();
        self.before.push(state);
        let (mut next_before, mut next_after) = (0, 0);
        while missing > 0 {
            // Near states come first, before and after the visible step.
            let steps = if let Some(&(label, state)) = self.after.get(next_after) {
                next_after += 1;
                missing -= self.find(label, blocks.block_of[state as usize]);
                for &(_, target) in self.system.silent_edges(state) {
                    if self.is_after.insert((label, target)) {
                        self.after.push((label, target));
                    }
                }
                self.system.silent_edges(state).len()
            } else if let Some(&state) = self.before.get(next_before) {
                next_before += 1;
                missing -= self.find(0, blocks.block_of[state as usize]);
                for &(label, target) in self.system.edges(state) {
                    if label == 0 {
                        if self.is_before.insert(target) {
                            self.before.push(target);
                        }
                    } else if self.open.contains_key(&label) && self.is_after.insert((label, target)) {
                        self.after.push((label, target));
                    }
                }
                self.system.edges(state).len()
            } else {
                break;
            };
            self.steps = self.steps.saturating_sub(1 + steps);
            self.meter.tick(1 + steps)?;
        }
        Ok(())
    }

    /// Marks a challenge as answered. Returns 1 if it is a challenge that was not answered yet, and 0 otherwise.
    fn find(&mut self, label: u32, block: u32) -> usize {
        let Some(&number) = self.challenges.get(&(label, block)) else { return 0 };
        let word = &mut self.answered[number / 64];
        let bit = 1 << (number % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        usize::from(is_new)
    }
}

/// Makes each part of a block but the first, which is not listed, a block of its own.
fn separate(blocks: &mut Blocks, parts: &[(u32, u32)]) {
    let mut new_blocks: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    for &(state, part) in parts {
        let block = blocks.block_of[state as usize];
        let next = narrow(blocks.size.len());
        let new = *new_blocks.entry((block, part)).or_insert(next);
        if new == next {
            blocks.size.push(0);
        }
        blocks.size[new as usize] += 1;
        blocks.size[block as usize] -= 1;
        blocks.block_of[state as usize] = new;
    }
}
