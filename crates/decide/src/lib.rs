//! Decisions about a behaviour: deadlock, safety, progress, linear temporal logic, divergence.
//!
//! Each `check_*` explores a [`rely_lts::Network`] or a [`rely_lts::Program`] with [`rely_explore`] and returns a
//! [`Decision`]: the [`Verdict`] and what was explored for it. Hidden actions appear under their names. Every
//! counterexample has been replayed ([`replay`]), by code that shares nothing with the search, before it is returned;
//! one that cannot be replayed is an internal error and never a verdict. If runs of a program leave the bounds within
//! which it is explored, a property that is not violated is unknown ([`Unknown::Cut`]).
//!
//! Safety alone ([`check_safety`], [`SafetySearch`]) is a question about networks, for rules whose premises are about
//! parts of one. [`check_units`] asks it about the units of a program.
//!
//! ```
//! use rely_base::{Budget, Label};
//! use rely_lts::{Component, LtsBuilder, Network};
//!
//! // LIGHT = (on -> STOP).
//! let mut light = LtsBuilder::with_states(["on"].into_iter().collect(), 2);
//! let on = Label::visible(light.alphabet_mut().intern("on"));
//! light.add_transition(rely_base::StateId::from_raw(0), on, rely_base::StateId::from_raw(1));
//! let network = Network::new(vec![Component { name: "LIGHT".into(), lts: light.build().into() }]);
//!
//! let found = rely_decide::check_reachability(&network, &Budget::UNLIMITED)?;
//! let deadlock = found.deadlock.verdict.counterexample().expect("STOP is a deadlock");
//! assert_eq!(deadlock.trace_names(), ["on"]);
//! assert!(found.safety.verdict.holds());
//! # Ok::<(), rely_decide::ReplayError>(())
//! ```

mod abstraction;
mod certify;
mod commitment;
mod counterexample;
mod coverage;
mod deep;
mod divergence;
mod evidence;
mod exercise;
mod ltl;
mod observed;
mod observer;
mod progress;
mod reachability;
mod replay;
mod safety;
mod several;
mod vacuity;
mod verdict;
mod waiting;

pub use abstraction::{Abstraction, Offer, Outcome, Proof, prove};
pub use certify::certify;
pub use commitment::{check_commitment, holds_one_step_longer, unneeded_assumptions};
pub use counterexample::{Counterexample, Ending, Step};
pub use coverage::{Coverage, Exercised, ProgramCoverage, Sight, Witness, coverage, program_coverage};
pub use deep::FailureHunt;
pub use divergence::check_divergence;
pub use evidence::{RankedState, invariant, progress_ranks};
pub use exercise::{Unexercised, forbids_something, unexercised};
pub use ltl::{Constant, LtlDecision, OpenRun, check_ltl, constants};
pub use observer::check_observer;
pub use progress::{ProgressInquiry, check_default_progress, check_progress};
pub use reachability::{Inquiry, Reachability, check_reachability};
pub use rely_omega::ProgressProperty;
pub use replay::{ReplayError, replay};
pub use safety::{SafetySearch, check_safety, check_safety_of, check_units};
pub use several::{Several, Wanted, another_cycle, several};
pub use vacuity::{Vacuity, inactive};
pub use verdict::{Decision, Evidence, Explored, Limit, Unknown, Verdict};
pub use waiting::{Refusal, Waiting, cycle_of_waiting, refusing, waiting, waiting_of};

#[cfg(test)]
mod tests;
