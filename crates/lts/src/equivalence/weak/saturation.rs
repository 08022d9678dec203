//! The saturated system, where it is small.
//!
//! **Problem.** Weak bisimilarity is strong bisimilarity of the system that has a transition for every s ⇒ t and every
//! s ⇒ -a-> ⇒ t. It may have quadratically many transitions; where there are few silent ones it has hardly more than the
//! system itself.
//!
//! **Idea.** Silent transitions lead to smaller states, so the states that are reached silently are known for all
//! smaller states when they are computed for one. The computation gives up when the saturated system has several
//! times the transitions of the system.
//!
//! **Complexity.** O(n + m) time and memory, since it gives up beyond that.
//!
//! **Callers.** `mod.rs`, where summaries take long.

use rely_base::{Alphabet, Budget, Exhausted, Label, StateId};

use super::super::{branching::Acyclic, memory::afford_bytes, partition::narrow};
use crate::{Edge, Lts, LtsBuilder, Transition};

/// The saturated system may have at most this multiple of the system's size.
const TIMES: usize = 3;

/// The saturated system; `None` if it is much larger than the system.
///
/// # Errors
/// When the budget does not allow even a small one.
pub(super) fn saturated(
    system: &Acyclic,
    alphabet: &Alphabet,
    budget: &Budget<'_>,
) -> Result<Option<Lts>, Exhausted> {
    let (states, transitions) = (system.state_count(), system.transition_count());
    let most = TIMES * (states + transitions);
    // The transitions, unsorted and sorted; the states that are reached, and their tables.
    let bytes = most * (size_of::<Transition>() + 2 * size_of::<Edge>() + size_of::<u32>())
        + 3 * states * size_of::<usize>();
    afford_bytes(system.bytes() + bytes, (states, transitions), budget)?;
    let Some(reached) = Reached::new(system, most) else { return Ok(None) };
    let mut builder = LtsBuilder::with_states(alphabet.clone(), states);
    let mut left = most;
    let mut add = |source: u32, label: u32, targets: &[u32]| {
        for &target in targets {
            let [source, target] = [source, target].map(StateId::from_raw);
            builder.add_transition(source, Label::from_raw(label), target);
        }
        left.checked_sub(targets.len()).inspect(|&rest| left = rest).is_some()
    };
    for source in 0..narrow(states) {
        let mut fits = add(source, 0, reached.from(source));
        for &between in reached.from(source) {
            let visible = system.edges(between).iter().filter(|&&(label, _)| label != 0);
            fits = fits && visible.copied().all(|(label, first)| add(source, label, reached.from(first)));
        }
        if !fits {
            return Ok(None);
        }
    }
    Ok(Some(builder.build()))
}

/// The states that each state reaches silently, itself included.
struct Reached {
    /// Those of state `s` are `members[offsets[s] .. offsets[s + 1]]`.
    offsets: Vec<usize>,
    members: Vec<u32>,
}

impl Reached {
    /// The states that each state reaches silently; `None` if there are more than `most` pairs.
    fn new(system: &Acyclic, most: usize) -> Option<Self> {
        let mut reached = Self { offsets: vec![0], members: Vec::new() };
        let mut own = Vec::new();
        for state in 0..narrow(system.state_count()) {
            own.clear();
            own.push(state);
            for &(_, target) in system.silent_edges(state) {
                own.extend_from_slice(reached.from(target));
                if reached.members.len() + own.len() > most {
                    return None;
                }
            }
            own.sort_unstable();
            own.dedup();
            reached.members.extend_from_slice(&own);
            reached.offsets.push(reached.members.len());
        }
        Some(reached)
    }

    fn from(&self, state: u32) -> &[u32] {
        &self.members[self.offsets[state as usize]..self.offsets[state as usize + 1]]
    }
}
