//! Reactive machines: finite-state machines that move together in microsteps and macrosteps, as in RSML and STATEMATE.
//!
//! [`parse`] reads a text and never fails: it gives a lossless tree, the abstract syntax [`ast::File`], and a list of
//! diagnostics that are explained in [`codes`].

pub mod ast;
pub mod codes;
mod elaborate;
pub mod formula;
mod front_end;
mod lexer;
mod lower;
mod parse;
pub mod program;
mod resolve;
mod satisfiable;
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
