//! Random components as programs, to compare the explorers of harnesses with the definition of a premise.
//!
//! A component is a random transition system over actions of its own and actions that its environment calls. As a program
//! it is a state behind a lock: a thread of its own takes steps, and a universal environment calls methods, which do
//! nothing where they are not possible. The premise ⟨A⟩ M ⟨P⟩, with random automata A and P, is explored on the program, and
//! compared with a search written from its definition, at the same bounds.
//!
//! Besides, components are written as texts, in FSP and in Rust (`text.rs`). The compiler reads the one, `rely check` the
//! other, and the explored program has the verdict of the model.

#[cfg(any(feature = "shuttle", feature = "loom"))]
#[path = "../../../crates/harness/templates/outcome.rs"]
pub mod outcome;

#[cfg(all(feature = "shuttle", not(feature = "loom")))]
#[path = "../../../crates/harness/templates/shuttle.rs"]
pub mod explore;

#[cfg(feature = "loom")]
#[path = "../../../crates/harness/templates/loom.rs"]
pub mod explore;

pub mod case;
#[cfg(any(feature = "shuttle", feature = "loom"))]
pub mod program;
pub mod text;
pub mod texts;
