//! Naive twins: a second implementation of each algorithm, straight from its definition, without regard to speed.

pub mod assumption;
pub mod consequences;
pub mod decide;
pub mod equivalence;
pub mod interface;
pub mod product;
pub mod program;
