//! The vocabulary that all other crates share: typed ids, spans and diagnostics, actions and alphabets, budgets, and
//! how names are shown.
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
