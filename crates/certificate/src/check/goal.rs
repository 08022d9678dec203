//! What must not fail, and what follows if all goals are met.
//!
//! **Claim.** G is a set of components, the *goal*; O are *observers*, other components that refuse nothing. The claim
//! about G is: *no run of the network ends with a component of G in its error state, unless a component has failed before
//! its last step.* An observer of O never counts as failed: its error state is treated as an ordinary one that is
//! never left and refuses nothing. Other failures in the last step, together with that of G, make no difference.
//!
//! **Theorem.** If such claims about goals G₁ … Gₙ are true, whatever their observers are, and every component of the
//! network that has an error state is in some Gᵢ, then no component ever fails.
//!
//! *Proof.* Otherwise take a shortest run after which a component X has failed, and a claim with X ∈ Gᵢ. Before its
//! last step nothing has failed in this run, observers included, since it is shortest. So the special treatment of
//! the observers' error states does not affect it: the run violates the claim. ∎
//!
//! It would not suffice to ask for runs in which *no other* component fails: two properties that are broken by the
//! same step would then hide each other, and so would a property and a component that fails by itself.
//!
//! **Components that are neither.** A component F outside of G and O that can fail ends a run by failing. In a
//! premise about some of the components it is *stopped* (`premise.rs`): the steps by which it fails lead to an
//! ordinary state without transitions. So a run against the claim, up to its last step, is still a run. More runs may
//! be possible than before: components that share no action with F can go on when it has stopped. If the whole
//! network is searched and this makes a difference, the search is repeated exactly as the claim says.

use rely_base::Id;
use rely_lts::{ComponentId, Lts, Network};

use super::premise::refuses_nothing;
use crate::Rejection;

/// The components that must not fail, and those that are set aside, by number.
pub(super) struct Goal {
    pub(super) members: Vec<usize>,
    pub(super) observers: Vec<usize>,
}

impl Goal {
    pub(super) fn new(
        network: &Network,
        members: &[ComponentId],
        observers: &[ComponentId],
    ) -> Result<Self, Rejection> {
        for id in observers {
            let component = &network.components()[id.index()];
            if members.contains(id) || !refuses_nothing(&component.lts) {
                return Err(Rejection::NoObserver(component.name.clone()));
            }
        }
        let numbers = |ids: &[ComponentId]| ids.iter().map(|id| id.index()).collect();
        Ok(Self { members: numbers(members), observers: numbers(observers) })
    }

    /// Components that must not fail, where nothing is set aside.
    pub(super) fn of(members: &[ComponentId]) -> Self {
        Self { members: members.iter().map(|id| id.index()).collect(), observers: Vec::new() }
    }

    /// The goal as systems.
    pub(super) fn systems<'n>(&self, network: &'n Network) -> impl Iterator<Item = &'n Lts> {
        self.members.iter().map(|&member| &*network.components()[member].lts)
    }
}

/// The components of a network that can fail and are in none of these goals. If there are none, and the claims about all
/// of the goals are true, then no component ever fails.
pub fn uncovered<'g>(
    network: &Network,
    goals: impl IntoIterator<Item = &'g [ComponentId]>,
) -> Vec<ComponentId> {
    let covered: Vec<ComponentId> = goals.into_iter().flatten().copied().collect();
    let components = network.components().iter().enumerate();
    let can_fail = components.filter(|(_, component)| component.lts.error().is_some());
    can_fail.map(|(i, _)| ComponentId::from_index(i)).filter(|id| !covered.contains(id)).collect()
}
