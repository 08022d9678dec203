//! What was exercised, as text.

use std::fmt::Write;

use rely_base::column_width;
use rely_session::report::{ComponentCoverage, CoverageResult};

use super::counted;

/// A line for each component, and what is never taken in it.
pub(crate) fn render(coverage: &CoverageResult) -> String {
    let looked = match coverage.exhaustive {
        true => format!("in the whole, {}", counted(coverage.states, "state")),
        false => format!("at least, in the first {}", counted(coverage.states, "state")),
    };
    let mut text = format!("  exercised {looked}:\n");
    let width = column_width(coverage.components.iter().map(|one| &*one.name));
    for one in &coverage.components {
        component(&mut text, one, width, if coverage.exhaustive { "never" } else { "not so far" });
    }
    if coverage.components.iter().any(|one| one.property) && !coverage.exercised {
        let where_ = if coverage.exhaustive { "it holds vacuously" } else { "as far as it was looked at" };
        let _ = writeln!(text, "  the property is never exercised: {where_}");
    }
    text
}

fn component(text: &mut String, one: &ComponentCoverage, width: usize, never: &str) {
    let _ = write!(
        text,
        "    {:width$}  {} of {}, {} of {}",
        one.name,
        one.states_visited,
        counted(one.states, "state"),
        one.transitions_taken,
        counted(one.transitions, "transition")
    );
    if one.forbidden > 0 {
        let _ = write!(text, "; of {} forbidden, {} approached", one.forbidden, one.forbidden_approached);
    }
    text.push('\n');
    if !one.never.is_empty() {
        let _ = writeln!(text, "    {:width$}  {never}: {}", "", shortened(&one.never));
    }
}

/// The first few names, and how many more there are.
fn shortened(names: &[String]) -> String {
    const FEW: usize = 8;
    match names.len() {
        0..=FEW => names.join(", "),
        all => format!("{} and {} more", names[..FEW].join(", "), all - FEW),
    }
}
