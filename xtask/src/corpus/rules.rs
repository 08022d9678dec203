//! The rules by which we deviate from LTSA on purpose. Each is described in the book («Differences from LTSA») under
//! the same name, with an example, and is decided here from the model and from LTSA's answers, never from a file's name.

use rely_base::{Budget, Exhausted, Id, StateId};
use rely_lts::equivalence::{self, Equivalence};
use rely_lts::{Lts, LtsBuilder, operators};

/// LTSA minimises after replacing states that only have silent transitions by their successors.
pub(crate) const SILENT_STATES: &str = "minimisation keeps silent choices";

/// LTSA's two ways to check progress disagree with each other.
pub(crate) const PROGRESS_TWICE: &str = "progress is unknown only where the error is reachable";

/// LTSA looks for an error first, and does not look for progress if it finds one.
pub(crate) const PROGRESS_BESIDE_ERROR: &str = "a lack of progress is a violation beside an error, too";

/// LTSA cannot evaluate an index that depends on an earlier one.
pub(crate) const DEPENDENT_RANGES: &str = "ranges may depend on earlier indices";

/// LTSA forgets to unbind the variables of an old label.
pub(crate) const OLD_LABEL_VARIABLES: &str = "old labels may bind variables";

/// The number of states that LTSA's minimisation gives, and whether its first step changed the meaning.
///
/// The first step, as LTSA documents it, turns `a -> (tau -> P | tau -> Q)` into `a -> P | a -> Q`, which is not
/// observationally equivalent.
pub(crate) fn minimised_as_ltsa_does(lts: &Lts, budget: &Budget<'_>) -> Result<(usize, bool), Exhausted> {
    let shortened = without_silent_states(lts);
    let changed = !equivalence::compare(lts, &shortened, Equivalence::Weak, budget)?;
    let minimal = equivalence::minimise(&shortened, Equivalence::Weak, budget)?;
    Ok((minimal.proper_state_count(), changed))
}

/// Replaces, again and again, transitions into states that have nothing but silent transitions by transitions to the
/// successors of those states.
fn without_silent_states(lts: &Lts) -> Lts {
    let mut lts = operators::trim(lts);
    loop {
        let own = |state: StateId| {
            lts.edges(state).iter().filter(move |edge| !(edge.label.is_tau() && edge.target == state))
        };
        let is_silent: Vec<bool> = lts
            .states()
            .map(|state| {
                state != lts.initial()
                    && own(state).next().is_some()
                    && own(state).all(|edge| edge.label.is_tau())
            })
            .collect();
        let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
        builder.set_error(lts.error());
        builder.set_end(lts.end());
        for state in lts.states() {
            for edge in own(state) {
                if is_silent[edge.target.index()] && !is_silent[state.index()] {
                    for next in own(edge.target) {
                        builder.add_transition(state, edge.label, next.target);
                    }
                } else {
                    builder.add_transition(state, edge.label, edge.target);
                }
            }
        }
        let shorter = operators::trim(&builder.build());
        if shorter.state_count() == lts.state_count() {
            return shorter;
        }
        lts = shorter;
    }
}
