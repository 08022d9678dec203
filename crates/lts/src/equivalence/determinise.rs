//! Determinisation by the subset construction.
//!
//! **Problem.** A deterministic system with the same traces.
//!
//! **Source.** [Rabin, Scott 1959]; the treatment of π and of the end state is that of LTSA.
//!
//! **Idea.** The states of the result are the sets of states that a trace can lead to. The caller chooses whether
//! silent transitions are followed without being part of the trace, or are treated as an action.
//!
//! **Invariants.** A set that contains π is π: what may go wrong after a trace does go wrong. A set is the end state
//! only if it is the end state alone: otherwise the system may still do something else. A set in which all states are
//! stuck is an ordinary state without transitions, and a set of which some are stuck loses its deadlocks.
//!
//! **Complexity.** O(2ⁿ·m) time and O(2ⁿ·n) memory at worst; the budget sees the number of sets and their bytes as they
//! grow.
//!
//! **Deviations.** LTSA does not see π after silent transitions of the initial state; here the initial state then is π.
//!
//! **Callers.** The trace equivalences and safety equivalence; the keyword `deterministic`.

use std::hash::{BuildHasher, BuildHasherDefault};

use hashbrown::HashTable;
use rely_base::{Budget, Exhausted, Id, Label, Progress, StateId};
use rustc_hash::FxHasher;

use super::{
    Equivalence,
    graph::Meter,
    minimise,
    partition::{NONE, narrow},
};
use crate::{Lts, LtsBuilder};

/// The deterministic system without silent transitions that has the same visible traces, not minimised. Its states are
/// numbered breadth first, π last.
///
/// # Errors
/// When the budget is used up.
pub fn determinise(lts: &Lts, budget: &Budget<'_>) -> Result<Lts, Exhausted> {
    Subsets::construct(lts, Tau::Unseen, budget)
}

/// The system as [`determinise`] makes it; `None` if that takes more than `work` steps. Each member of a set and each
/// of its transitions is a step.
///
/// # Errors
/// When the budget is used up.
pub fn determinise_within(lts: &Lts, work: usize, budget: &Budget<'_>) -> Result<Option<Lts>, Exhausted> {
    Subsets::construct_within(lts, Tau::Unseen, work, budget)
}

/// A deterministic system with the same traces as the given one, to be minimised. If the subset construction takes
/// long, the system is first reduced by a bisimilarity that preserves the traces.
///
/// Bisimilar states do the same in every set, so the minimal system of the result is the same. Not so where there is an
/// end state: a set may become the end state alone by the reduction.
///
/// # Errors
/// When the budget is used up.
pub(super) fn determinise_reduced(lts: &Lts, tau: Tau, budget: &Budget<'_>) -> Result<Lts, Exhausted> {
    let limit = PATIENCE.saturating_mul(lts.state_count() + lts.transition_count());
    if lts.end().is_some() {
        return Subsets::construct(lts, tau, budget);
    }
    if let Some(deterministic) = Subsets::construct_within(lts, tau, limit, budget)? {
        return Ok(deterministic);
    }
    let equivalence = match tau {
        Tau::Seen => Equivalence::Strong,
        Tau::Unseen => Equivalence::Weak,
    };
    Subsets::construct(&minimise(lts, equivalence, budget)?, tau, budget)
}

/// The number of steps, per state and transition of the system, after which the system is reduced first.
const PATIENCE: usize = 8;

/// What the keyword `deterministic` does: a system that is deterministic already is left alone, any other is
/// determinised and minimised.
///
/// # Errors
/// When the budget is used up.
pub fn deterministic(lts: &Lts, budget: &Budget<'_>) -> Result<Lts, Exhausted> {
    if lts.is_deterministic() {
        return Ok(lts.clone());
    }
    minimise(&determinise(lts, budget)?, Equivalence::Strong, budget)
}

/// How silent transitions appear in a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tau {
    /// τ is an action like any other.
    Seen,
    /// They do not appear.
    Unseen,
}

/// The subset construction.
struct Subsets<'a> {
    lts: &'a Lts,
    tau: Tau,
    /// The members of all sets, one set after the other, each sorted.
    members: Vec<u32>,
    /// Where each set ends in `members`.
    ends: Vec<usize>,
    /// The sets by content.
    index: HashTable<u32>,
    hasher: BuildHasherDefault<FxHasher>,
    /// The set that is being made, and the states that are in it.
    draft: Vec<u32>,
    is_drafted: Vec<bool>,
    /// Number of members and transitions of sets looked at so far.
    work: usize,
    /// The transitions so far; π is `NONE` until the number of sets is known.
    transitions: Vec<(u32, Label, u32)>,
    meter: Meter<'a>,
}

impl<'a> Subsets<'a> {
    /// The deterministic system of the reachable sets.
    fn construct(lts: &'a Lts, tau: Tau, budget: &'a Budget<'a>) -> Result<Lts, Exhausted> {
        let deterministic = Self::construct_within(lts, tau, usize::MAX, budget)?;
        Ok(deterministic.expect("there is no limit to the work"))
    }

    /// The deterministic system of the reachable sets; `None` if that takes more steps than the limit.
    fn construct_within(
        lts: &'a Lts,
        tau: Tau,
        limit: usize,
        budget: &'a Budget<'a>,
    ) -> Result<Option<Lts>, Exhausted> {
        let mut subsets = Self {
            lts,
            tau,
            members: Vec::new(),
            ends: Vec::new(),
            index: HashTable::new(),
            hasher: BuildHasherDefault::default(),
            draft: Vec::new(),
            is_drafted: vec![false; lts.state_count()],
            work: 0,
            transitions: Vec::new(),
            meter: Meter::new(budget, Progress::default()),
        };
        let initial = subsets.intern(&[lts.initial()]);
        let mut edges = Vec::new();
        let mut set = 0;
        while (set as usize) < subsets.ends.len() {
            if subsets.work > limit {
                return Ok(None);
            }
            subsets.expand(set, &mut edges)?;
            set += 1;
        }
        Ok(Some(subsets.into_lts(initial)))
    }

    /// Adds the transitions of a set.
    fn expand(&mut self, set: u32, edges: &mut Vec<(Label, StateId)>) -> Result<(), Exhausted> {
        edges.clear();
        for &state in members_of(&self.members, &self.ends, set) {
            let seen = self.lts.edges(StateId::from_raw(state)).iter();
            let seen = seen.filter(|edge| self.tau == Tau::Seen || !edge.label.is_tau());
            edges.extend(seen.map(|edge| (edge.label, edge.target)));
        }
        edges.sort_unstable();
        edges.dedup();
        let mut targets = Vec::new();
        for group in edges.chunk_by(|left, right| left.0 == right.0) {
            targets.clear();
            targets.extend(group.iter().map(|&(_, target)| target));
            let target = self.intern(&targets);
            self.transitions.push((set, group[0].0, target));
            self.work += 1 + group.len() + self.draft.len();
            self.meter.tick(1 + group.len() + self.draft.len())?;
        }
        self.meter.progress = Progress {
            states: self.ends.len(),
            transitions: self.transitions.len(),
            frontier: self.ends.len() - set as usize,
            bytes: self.lts.bytes()
                + size_of::<u32>() * (self.members.capacity() + 3 * self.transitions.capacity()),
        };
        self.meter.tick(1)
    }

    /// The number of the set of some states, closed under silent transitions if these are unseen; `NONE` if it has π.
    fn intern(&mut self, states: &[StateId]) -> u32 {
        self.draft_closure(states);
        if self.lts.error().is_some_and(|error| self.draft.binary_search(&error.raw()).is_ok()) {
            return NONE;
        }
        let Self { members, ends, index, hasher, draft, .. } = self;
        let hash = hasher.hash_one(draft.as_slice());
        if let Some(&set) = index.find(hash, |&set| members_of(members, ends, set) == draft) {
            return set;
        }
        let set = narrow(ends.len());
        members.extend_from_slice(draft);
        ends.push(members.len());
        index.insert_unique(hash, set, |&set| hasher.hash_one(members_of(members, ends, set)));
        set
    }

    /// Puts the closure of some states into the draft.
    fn draft_closure(&mut self, states: &[StateId]) {
        self.draft.clear();
        for &state in states {
            if !std::mem::replace(&mut self.is_drafted[state.index()], true) {
                self.draft.push(state.raw());
            }
        }
        let mut next = 0;
        while self.tau == Tau::Unseen
            && let Some(&state) = self.draft.get(next)
        {
            next += 1;
            for edge in self.lts.silent_edges(StateId::from_raw(state)) {
                if !std::mem::replace(&mut self.is_drafted[edge.target.index()], true) {
                    self.draft.push(edge.target.raw());
                }
            }
        }
        for &state in &self.draft {
            self.is_drafted[state as usize] = false;
        }
        self.draft.sort_unstable();
    }

    fn into_lts(self, initial: u32) -> Lts {
        let set_count = self.ends.len();
        let mut builder = LtsBuilder::with_states(self.lts.alphabet().clone(), set_count);
        let has_error = initial == NONE || self.transitions.iter().any(|&(_, _, target)| target == NONE);
        let error = has_error.then(|| builder.error_state());
        let image = |set: u32| match error {
            Some(error) if set == NONE => error,
            _ => StateId::from_raw(set),
        };
        builder.set_initial(image(initial));
        if let Some(end) = self.lts.end() {
            let is_end = |&set: &u32| members_of(&self.members, &self.ends, set) == [end.raw()];
            builder.set_end((0..narrow(set_count)).find(is_end).map(StateId::from_raw));
        }
        for &(source, label, target) in &self.transitions {
            builder.add_transition(image(source), label, image(target));
        }
        builder.build()
    }
}

fn members_of<'a>(members: &'a [u32], ends: &[usize], set: u32) -> &'a [u32] {
    let set = set as usize;
    let start = if set == 0 { 0 } else { ends[set - 1] };
    &members[start..ends[set]]
}
