//! What there is to see where a run ends, below its trace.

use rely_session::report::Cause;
use rely_session::{CauseLine, cause_in_words};

/// The lines below a trace. `last` is its last action.
pub(crate) fn render(cause: &Cause, components: &[String], last: Option<&str>, verbose: bool) -> String {
    let line = |line| match line {
        CauseLine::Sentence(text) => format!("  {text}\n"),
        CauseLine::Item(text) => format!("    {text}\n"),
    };
    cause_in_words(cause, components, last, verbose).into_iter().map(line).collect()
}
