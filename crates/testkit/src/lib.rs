//! Generators of random systems and naive twins of the algorithms, for tests only.

pub mod automata;
pub mod generate;
pub mod interfaces;
pub mod naive;
pub mod networks;
pub mod rng;
