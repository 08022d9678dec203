//! The stable codes of diagnostics, and what `rely explain` says about each.

mod meaning;
mod syntax;

pub use meaning::*;
pub use rely_syntax::Explanation;
pub use syntax::*;

use rely_base::Code;

/// Errors after which it is uncertain which bracket belongs to which.
pub(crate) const UNCERTAIN: &[Code] = &[UNCLOSED_BRACKET, UNOPENED_BRACKET];

/// Errors after which it is still certain what was meant.
pub(crate) const HARMLESS: &[Code] = &[KEYWORD_AS_NAME, EQUALITY, WORD_OPERATOR, ASSIGNMENT, SEPARATOR];
