//! Tasks: concurrent programs in a subset of Ada, with rendezvous and shared variables.
//!
//! [`parse`] reads a text and never fails: it gives the abstract syntax [`ast::File`] and diagnostics. [`resolve`] looks
//! up names, checks types and gives the program with everything known ([`hir::Program`]). [`exact`] gives it a meaning as
//! a network of components: one for each task, one for each shared variable.
//!
//! All diagnostics have codes, which [`codes`] explains.

pub mod ast;
mod code;
pub mod codes;
mod exact;
mod front_end;
mod grammar;
pub mod hir;
mod kind;
mod lexer;
mod parse;
mod resolve;

pub use exact::{Exact, Places, Refused, exact};
pub use front_end::Tasks;
pub use parse::{Parse, parse};
pub use resolve::{Resolved, resolve};

/// What all codes of this crate mean.
pub fn explanations() -> impl Iterator<Item = &'static codes::Explanation> {
    codes::ALL.iter()
}

#[cfg(test)]
mod tests;
