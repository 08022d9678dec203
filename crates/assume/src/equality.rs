//! Whether an environment exists with which components do exactly what a property allows: submodule construction for
//! equality [Merlin & Bochmann 1983].
//!
//! **Problem.** Given components C and a property B, is there an X over the interface so that C ‖ X, seen at the actions of
//! B, has the same sequences of actions as B?
//!
//! **Idea.** The weakest assumption is the most general X with which C ‖ X does nothing but what B allows, and what C ‖ X
//! does grows with X. So if there is any X for equality, the weakest assumption is one, and a single inclusion decides it:
//! everything that B allows is possible in C ‖ X. For that C ‖ X is made deterministic, with everything hidden that B does
//! not speak of, and then serves as a property of B.
//!
//! **Complexity.** That of making C ‖ X deterministic, which is exponential at worst.
//!
//! **Callers.** `rely assume --equal`.

use std::sync::Arc;

use rely_base::{Budget, Exhausted};
use rely_decide::{Decision, Limit, ReplayError};
use rely_lts::equivalence::{Equivalence, minimise};
use rely_lts::{Component, Network, operators};

use crate::{Assumption, Effort, Goal};

/// Whether components together with the weakest assumption, if they have one, do all that a goal allows. If not, the
/// counterexample is a shortest sequence that the goal allows and that they cannot do.
///
/// The inner error is the limit of the budget that was met before there was a question to decide.
///
/// # Errors
/// A run that cannot be replayed: a mistake in the program.
pub fn equality(
    components: &[Component],
    goal: &Goal,
    assumption: Option<&Assumption>,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Result<Decision<Limit>, Exhausted>, ReplayError> {
    let environment = assumption.map(|assumption| assumption.component("X"));
    let parts = components.iter().cloned().chain(environment).collect();
    let done = match seen_by(goal, &Network::new(parts), budget, effort) {
        Ok(done) => done,
        Err(exhausted) => return Ok(Err(exhausted)),
    };
    let allowed = goal.components.iter().map(|component| Component {
        name: component.name.clone(),
        lts: Arc::new(operators::without_error(&component.lts)),
    });
    let question = Network::new(allowed.chain([done.property("what is done")]).collect());
    let decision = rely_decide::check_safety(&question, budget)?;
    effort.held(decision.explored.states);
    Ok(Ok(decision))
}

/// The sequences of actions of a goal that a network does, as a deterministic system.
fn seen_by(
    goal: &Goal,
    network: &Network,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Assumption, Exhausted> {
    let whole = rely_explore::generate(network, budget)?;
    effort.held(whole.state_count());
    let seen = operators::hide(&whole, |name| !goal.alphabet().contains(name));
    Ok(Assumption::new(minimise(&seen, Equivalence::WeakTrace, budget)?))
}
