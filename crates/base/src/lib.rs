//! The vocabulary that all other crates share.
//!
//! - [`Id`], [`StateId`]: numbers of 32 bits that cannot be mixed up, made by the container that they belong to;
//! - [`Alphabet`], [`ActionId`], [`Label`]: actions by name and by number, and what a transition is labelled with;
//! - [`Span`], [`Diagnostic`], [`Code`], [`Explanation`]: places in a text, and what is wrong there;
//! - [`Budget`], [`Exhausted`]: how much an analysis may hold, when it has to stop, and where it stood then;
//! - [`printable`], [`column_width`]: names as they are shown, whatever characters they have.
//!
//! A limit is a value that is passed on, and no error of the program: whoever meets one says so with [`Exhausted`].
//!
//! ```
//! use rely_base::{Alphabet, Budget, Label, Limits};
//!
//! let alphabet: Alphabet = ["on", "off"].into_iter().collect();
//! let off = alphabet.get("off").expect("it is one of the two");
//! assert_eq!(alphabet.label_name(Label::visible(off)), "off");
//!
//! let limits = Limits { states: Some(1000), bytes: None };
//! assert_eq!(Budget::new(limits, None).max_states(), 1000);
//! ```
//!
//! Nothing here reads a file, a clock or the environment, and nothing here knows a front end or an algorithm.

mod action;
mod budget;
mod diagnostic;
mod id;
mod span;
mod text;
mod token;

pub use action::{ActionId, Alphabet, Label};
pub use budget::{Budget, Exhausted, Limits, Observer, Progress, Resource};
pub use diagnostic::{Code, Diagnostic, Explanation, Note, Severity};
pub use id::{Id, StateId};
pub use span::{SourceId, Span};
pub use text::{WIDEST_COLUMN, column_width, is_unprintable, printable, push_printable};
pub use token::{SourceToken, TokenClass};
