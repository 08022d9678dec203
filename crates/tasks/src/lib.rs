//! Tasks: concurrent programs in a subset of Ada, with rendezvous and shared variables.
//!
//! [`parse`] reads a text and never fails: it gives the abstract syntax [`ast::File`] and diagnostics. [`resolve`] looks
//! up names, checks types and gives the program with everything known ([`hir::Program`]). [`exact`] gives it a meaning as
//! a network of components: one for each task, one for each shared variable. [`flow`] gives the flow model: one graph that
//! all executions are paths of.
//!
//! [`parse_qre`] reads properties that are written as quantified regular expressions ([`Qre`]).
//!
//! [`Elaborator`] does all of this within a budget, for those who want targets.
//!
//! All diagnostics have codes, which [`codes`] explains.

pub mod ast;
mod code;
pub mod codes;
mod elaborate;
mod exact;
mod flow;
mod front_end;
mod grammar;
pub mod hir;
mod kind;
mod lexer;
mod parse;
mod qre;
mod resolve;

pub use elaborate::Elaborator;
pub use exact::{Exact, Refused, exact, flow};
pub use flow::{Constraint, FINAL, Flow, FlowError, Node, NodeId, Parallel};
pub use front_end::Tasks;
pub use parse::{Parse, parse};
pub use qre::{Qre, QreFiles, parse_qre};
pub use resolve::{Resolved, resolve};

/// What all codes of this crate mean.
pub fn explanations() -> impl Iterator<Item = &'static codes::Explanation> {
    codes::ALL.iter()
}

#[cfg(test)]
mod tests;
