//! Languages of finite words, as complete deterministic automata.
//!
//! A [`Dfa`] knows how many letters it has, not what they are called: letters are [`ActionId`](rely_base::ActionId)s
//! from 0, and the caller keeps the alphabet. There is one canonical form: [`Dfa::minimise`] gives equal values for
//! equal languages. Every negative answer comes with a *shortest* word as evidence.
//!
//! ```
//! use rely_automata::Dfa;
//! use rely_base::{ActionId, Id};
//!
//! let [a, b] = [0, 1].map(ActionId::from_index);
//! // The words in which no b comes before the first a.
//! let first_a = Dfa::from_rows(2, 0, &[(true, &[1, 2]), (true, &[1, 1]), (false, &[2, 2])]);
//! assert!(first_a.accepts(&[a, b]));
//! assert_eq!(first_a.shortest_rejected(), Some(vec![b]));
//! assert_eq!(first_a.complement().complement(), first_a);
//! ```

mod boolean;
mod dfa;
mod minimise;
mod prefixes;
mod separate;
mod witness;

pub use dfa::Dfa;
pub use separate::{Mark, Patience, Sample, Separation};

#[cfg(test)]
mod tests;
