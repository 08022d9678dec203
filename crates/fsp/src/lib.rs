//! FSP, the process algebra of LTSA: the lossless syntax tree, and its meaning as components and properties.
//!
//! - [`parse`] reads a text and never fails: it gives a lossless tree, the abstract syntax [`ast::File`], and a list of
//!   diagnostics that are explained in [`codes`].
//! - An [`Elaborator`] works out what is asked for, within a budget: constants are computed, indices expanded, processes
//!   become transition systems, and composites become networks of them, which nothing here composes.
//! - [`write()`] goes back, from a transition system to a process.
//! - [`Fsp`] is all of this behind the interface that every language has.
//!
//! ```
//! use rely_base::Budget;
//! use rely_fsp::Elaborator;
//!
//! let parse = rely_fsp::parse("const N = 3  LAMP = (on -> off -> LAMP).  ||ROW = (lamp[1..N]:LAMP).");
//! let no_imports = |_: &str| -> Result<Vec<u8>, String> { Err("there are no other files".to_owned()) };
//! let mut elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
//! let row = elaborator.target("ROW").expect("it has no errors");
//! assert_eq!(row.behaviour.components().len(), 3);
//! assert_eq!(row.behaviour.components()[0].name, "lamp.1:LAMP");
//! ```

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
