//! Generators of random systems and naive twins of the algorithms, for tests only; and the diagnostics that a text
//! announces.

pub mod automata;
pub mod carets;
pub mod generate;
pub mod interfaces;
pub mod naive;
pub mod networks;
pub mod programs;
pub mod rng;
