//! Reactive machines: finite-state machines that move together in microsteps and macrosteps, as in RSML and STATEMATE.
//!
//! - [`parse`] reads a text and never fails: it gives a lossless tree, the abstract syntax [`ast::File`], and a list of
//!   diagnostics that are explained in [`codes`].
//! - An [`Elaborator`] resolves names and indices: each system becomes a [`system::System`].
//! - [`program::lower`] makes a system, a component on its own, or the environment of a component a program that others
//!   explore.
//! - [`configurations::Observer`] looks at the states of the program of an environment, and [`mine::mine`] finds the rules
//!   that hold in all of them: what the component may rely on. [`assumed`] reads such rules again.

pub mod assumed;
pub mod ast;
pub mod codes;
pub mod configurations;
mod diagram;
mod elaborate;
pub mod environment;
pub mod formula;
mod front_end;
pub mod implied;
mod lexer;
mod lower;
pub mod mine;
mod open;
mod parse;
pub mod program;
mod resolve;
mod satisfiable;
pub mod short_circuit;
pub mod syntax;
pub mod system;

pub use elaborate::Elaborator;
pub use front_end::Reactive;
pub use parse::{Parse, parse};

/// What all codes of this crate mean.
pub fn explanations() -> impl Iterator<Item = &'static rely_syntax::Explanation> {
    codes::EXPLANATIONS.iter()
}

#[cfg(test)]
mod tests;
