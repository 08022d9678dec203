//! Properties of a composition from properties of its parts.
//!
//! **Source.** The abstraction of section 3.5 of [Xie & Browne 2003]: the composition is replaced by a system that may do anything
//! but break the *enabled* properties of its parts, those whose assumptions are met by other enabled properties and by what is
//! assumed of the environment.
//!
//! **Why it is sound.** A run of the composition is a run of each part in an environment that idles while others move, if no step of others sends two
//! messages into one part at once. So on every run, whatever a part commits itself to is true as an implication: its claim holds if its
//! assumptions do.
//!
//! - *Safety in circles.* A claim that holds one step longer than its assumptions ([`crate::holds_one_step_longer`]) may rest on others
//!   that rest on it: by induction over time nothing is broken first [McMillan 1999]. So among these properties the greatest
//!   set is enabled in which every assumption about safety follows, prefix by prefix, from the claims of the set and the environment's.
//! - *Everything else* is enabled in the least set that is closed under: if all its assumptions follow from what is enabled already.
//!   There are no circles, and *Eventually X if Eventually Y* with *Eventually Y if Eventually X* enables nothing. The circles that
//!   were refused are told.
//!
//! *Follows* means: for all words over the letters that steps of the composition make (`stub.rs`). Only statements that share atoms, step by step, with
//! what is to be shown are looked at: the cone of influence.

mod enable;
mod stub;

pub use enable::{Offer, Outcome, Proof, prove};

use rely_lts::Observation;
use rely_omega::AtomSet;

/// What is known of the steps of a composition.
#[derive(Clone, Copy, Debug)]
pub struct Abstraction<'a> {
    /// What the atoms of all statements stand for: of events, only that they are none of conditions matters.
    pub propositions: &'a [Observation],
    /// What they are called.
    pub names: &'a [String],
    /// The events of each kind of step, and its name. Conditions may have any value after it.
    pub letters: &'a [(String, AtomSet)],
}

#[cfg(test)]
mod tests;
