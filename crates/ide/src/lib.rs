//! What editors and pages show of a text, as plain data: text in, data out.
//!
//! **Problem.** An editor wants colours, the definition of a name, its uses, a hover, a list of what could be typed, folds,
//! and a line above each composite with its verdicts. So does a page. The answers must not depend on who asks.
//!
//! **Idea.** A [`Document`] looks at one text that was read: everything in it comes from the tokens, names and declarations that
//! each language tells in the same words. A [`Board`] keeps the verdicts that are known, and says of each whether the texts
//! have changed since; nobody else decides what is still true. A [`Desk`] puts both together with the questions of
//! [`rely_session`] behind one function that takes and gives JSON, for whoever can send nothing but text.
//!
//! Nothing here knows a protocol or a language. Places are bytes; [`Lines`] turns them into the lines and UTF-16 columns of
//! editors, and back.

mod board;
mod complete;
mod desk;
mod document;
mod examples;
mod folds;
mod hover;
mod lens;
mod lines;
mod rename;
mod symbols;

pub use board::{Board, Known, Standing};
pub use complete::Proposal;
pub use desk::Desk;
pub use document::{Coloured, Document};
pub use examples::{EXAMPLES, Example};
pub use folds::{Fold, FoldKind};
pub use hover::Hover;
pub use lens::{Lens, answer_in_words};
pub use lines::{Lines, Position};
pub use rename::RenameError;
pub use symbols::Symbol;
