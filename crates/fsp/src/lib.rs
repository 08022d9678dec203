//! FSP, the process algebra of LTSA: the lossless syntax tree, and its meaning as components and properties.
//!
//! [`parse`] reads a text and never fails: it gives a lossless tree, the abstract syntax [`ast::File`], and a list of
//! diagnostics that are explained in [`codes`].

pub mod ast;
pub mod codes;
mod flaws;
mod format;
mod front_end;
pub mod lexer;
mod lower;
mod names;
mod parse;
pub mod syntax;
mod write;

pub use parse::{Parse, parse};
pub use rely_syntax::{MAX_TEXT, nearest};
pub use write::{Unwritable, write, write_interface, write_property};

mod elaborate;

pub use elaborate::Elaborator;
pub use front_end::Fsp;

/// The explanations of all codes of this crate.
pub fn explanations() -> impl Iterator<Item = &'static codes::Explanation> {
    codes::SYNTAX.iter().chain(elaborate::codes::MEANING)
}

#[cfg(test)]
mod tests;
