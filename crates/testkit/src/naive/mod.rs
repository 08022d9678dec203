//! Naive twins: each algorithm once more, straight from its definition, with no thought for speed.

pub mod assumption;
pub mod consequences;
pub mod decide;
pub mod equivalence;
pub mod interface;
pub mod product;
pub mod program;
