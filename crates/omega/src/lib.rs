//! Linear temporal logic with fluents, and its translation to automata on infinite words.
//!
//! An [`Assertion`] is a [`Formula`] whose atoms stand for actions and fluents. [`Buchi::translate`] gives the automaton
//! of a formula, [`Monitor`] its bad prefixes, [`is_safety`] tells whether those are all there is to it, [`Letters`]
//! turns a run of actions into the word that all of them read, and an [`Outlook`] tells what is left of a formula where a
//! run was cut short.
//!
//! A [`Template`] says in words what is needed most often; its [`Automaton`] is deterministic. Automata have any [`Acceptance`]
//! condition, are complemented by their duals, read and written in the Hanoi format, and searched for accepting runs by
//! [`accepting_lasso`].
//!
//! ```
//! use rely_base::{Budget, Id};
//! use rely_omega::{AtomId, Formula, is_safety};
//!
//! let [p, q] = [0, 1].map(|number| Formula::atom(AtomId::from_raw(number)));
//! let always = Formula::Always(Box::new(p));
//! let eventually = Formula::Eventually(Box::new(q));
//! assert!(is_safety(&always, &Budget::UNLIMITED)?);
//! assert!(!is_safety(&eventually, &Budget::UNLIMITED)?);
//! # Ok::<(), rely_base::Exhausted>(())
//! ```
//!
//! Nothing here knows what a transition system is: an automaton reads words, and its letters are sets of atoms.

mod acceptance;
mod atom_set;
mod automaton;
mod bits;
mod buchi;
mod commitment;
mod components;
mod condition;
mod continuations;
mod degeneralise;
mod display;
mod emptiness;
mod expand;
mod fairness;
mod formula;
mod generalised;
mod guard;
mod hoa;
mod implication;
mod letters;
mod monitor;
mod normal_form;
mod outlook;
mod partition;
mod proposition;
mod reduce;
mod safety;
mod simplify;
mod simulation;
mod template;
mod translate;

#[cfg(test)]
mod naive;
#[cfg(test)]
mod tests;

pub use acceptance::{Acceptance, Colours};
pub use atom_set::AtomSet;
pub use automaton::{Automaton, AutomatonEdge, NotDeterministic};
pub use buchi::{Buchi, BuchiEdge};
pub use commitment::{Commitment, Justice, Scheduling, Statement};
pub use display::DisplayFormula;
pub use emptiness::{ColouredGraph, Lasso, Step, accepting_lasso};
pub use fairness::Fairness;
pub use formula::{AtomId, Formula};
pub use guard::Guard;
pub use hoa::{Hoa, HoaError, read_hoa};
pub use letters::{Fluents, Letters};
pub use monitor::{Monitor, MonitorState};
pub use outlook::Outlook;
pub use proposition::{Assertion, Fluent, ProgressProperty, Proposition};
pub use safety::{conjuncts, is_safety, is_syntactic_safety};
pub use template::Template;
