//! Deadlock and safety of a composite that is too large for one search.
//!
//! Problem: a composite with twenty clients may have 10²⁰ states, although each of its properties depends on few of the parts,
//! or is broken in ways that are easy to find.
//! Idea: the search of the whole comes first, up to [`LARGE`] states. If it has not decided about safety by then, a hunt looks
//! for a failure that lies deep, and each property is shown by itself, as `verify` does (`verify/piecewise.rs`). What is left
//! open is searched once more, without these limits: deadlock, which no part has by itself.
//! Invariant: how far each step goes is counted in states and transitions, not in time, but for a share of the time that is
//! allowed. Where these steps decide nothing, they have taken a small multiple of the work of the first search.

use rely_base::{Budget, Limits};
use rely_decide::{FailureHunt, Unknown};
use rely_explore::Product;
use rely_lts::{Behaviour, Network};

use super::checker::{Checker, can_fail};
use crate::report::{CheckResult, Kind, Verdict};
use crate::verify::nothing_fails;
use crate::{Internal, Project};

/// The most states of the whole that are searched before anything else is tried, and the most that a proof of a property may
/// hold in one step.
pub(super) const LARGE: usize = 1 << 18;

/// How much work the hunt may do, in transitions.
const HUNT: usize = 1 << 21;

/// Which of many ways the hunt goes.
const SEED: u64 = 1;

/// Whether a behaviour is one that these steps know how to decide: a network without priority in which something can fail, and
/// a budget that allows for more states than the first search.
pub(super) fn applies_to<'b>(behaviour: &'b Behaviour, budget: &Budget<'_>) -> Option<&'b Network> {
    let network = behaviour.as_network().filter(|network| network.priority().is_none())?;
    (can_fail(behaviour) && budget.max_states() > LARGE).then_some(network)
}

/// The budget of the first search.
pub(super) fn first_search<'b>(budget: &Budget<'b>) -> Budget<'b> {
    budget.narrowed(Limits { states: Some(LARGE), bytes: None })
}

impl Checker<'_> {
    /// Whether anything fails, without a search of the whole; nothing if that is not found out.
    pub(super) fn safety_by_parts(
        &self,
        project: &Project,
        behaviour: &Behaviour,
        network: &Network,
        budget: &Budget<'_>,
    ) -> Result<Option<CheckResult>, Internal> {
        let product = Product::transparent(network);
        let share = budget.share_of_time(4);
        if let Some(decision) = FailureHunt::new(&product, SEED).run_for(HUNT, 0, &share)? {
            return Ok(Some(self.result(behaviour, Kind::Safety, "safety", decision.into())));
        }
        drop(product);
        let few = first_search(&budget.share_of_time(2));
        let Some(shown) = nothing_fails(project, self.target, network, &few)? else { return Ok(None) };
        let mut result = self.blank(Kind::Safety, "safety");
        (result.by_parts, result.states, result.is_final) = (Some(shown.properties), shown.states, true);
        Ok(Some(result))
    }
}

/// The answer about deadlock where a failure has been found meanwhile: it is not looked for any further.
pub(super) fn given_up(mut deadlock: CheckResult) -> CheckResult {
    if deadlock.verdict == Verdict::Unknown {
        deadlock.reason = Some(Unknown::GivenUp.to_string());
        deadlock.met_limit = false;
    }
    deadlock
}

/// The answer about deadlock where safety was shown by parts: if it is open, that says why.
pub(super) fn needs_the_whole(mut deadlock: CheckResult) -> CheckResult {
    if let (Verdict::Unknown, Some(reason)) = (deadlock.verdict, &mut deadlock.reason) {
        reason.push_str("; safety was shown by parts, and a deadlock is one of the whole");
    }
    deadlock
}
