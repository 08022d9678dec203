//! Message components, the language of `.aim` files: the lossless syntax tree, and its meaning as components
//! and as programs.
//!
//! **Source.** The computation model is that of [Xie & Browne 2003]: processes that interleave, each with a queue, which
//! take messages in transitions and send them in the actions of states.

pub mod ast;
pub mod codes;
pub mod component;
mod elaborate;
mod front_end;
pub mod lexer;
mod lower;
mod parse;
pub mod syntax;
pub mod system;

pub use elaborate::Elaborator;
pub use front_end::Messages;
pub use parse::{Parse, parse};
pub use system::{Environment, Options, Overflow, System, Unexpected};

/// What all codes of this crate mean.
pub fn explanations() -> impl Iterator<Item = &'static codes::Explanation> {
    codes::SYNTAX.iter().chain(codes::MEANING)
}

#[cfg(test)]
mod tests;
