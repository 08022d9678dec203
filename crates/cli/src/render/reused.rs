//! What an answer owes to earlier ones, and what a change has broken.

use std::fmt::Write as _;

use rely_session::report::{AssumptionFault, BrokenAssumption, Renamed, Reused, Verdict, VerifyResult};

use super::counted;

/// A few lines; none where nothing was known before.
pub(crate) fn render(result: &VerifyResult) -> String {
    let mut text = String::new();
    if let Some(broken) = &result.broken_assumption {
        text.push_str(&breakage(broken));
    }
    if result.reused.as_ref().is_some_and(|reused| reused.split_misfits) {
        text.push_str("  the split of the earlier proof does not fit any more\n");
    }
    if let Some(reused) = &result.reused {
        let _ = writeln!(text, "  {}", debt(reused, result));
    }
    text
}

/// What is said of what a trusted store is believed.
const UNCHECKED: &str = "remembered, not re-checked";

fn debt(reused: &Reused, result: &VerifyResult) -> String {
    if reused.verdict {
        let names = match reused.renamed.is_empty() {
            true => String::new(),
            false => format!(" but names ({})", renamings(reused)),
        };
        let checked = match (reused.unchecked, result.verdict) {
            (true, _) => UNCHECKED,
            (false, Verdict::Violated) => "its run was replayed",
            (false, _) => "its proof was checked again",
        };
        return format!("known from before: nothing has changed{names}; {checked}");
    }
    let changed = changes(reused);
    let mut known = Vec::new();
    if reused.premises > 0 {
        let unchecked = if reused.unchecked { format!(" ({UNCHECKED})") } else { String::new() };
        known.push(format!("{} of {} premises{unchecked}", reused.premises, result.premises.len()));
    }
    if reused.assumptions > 0 {
        known.push(counted(reused.assumptions, "assumption"));
    }
    match known.is_empty() {
        true => format!("{changed}; nothing is known from before"),
        false => format!("{changed}; known from before: {}", known.join(", ")),
    }
}

/// What is not as it was in the earlier proof.
fn changes(reused: &Reused) -> String {
    let property = reused.property_changed.then_some("the property").into_iter();
    let changed: Vec<&str> = property.chain(reused.changed.iter().map(String::as_str)).collect();
    let lists = [
        ("changed", changed.join(", ")),
        ("added", reused.added.join(", ")),
        ("removed", reused.removed.join(", ")),
        ("renamed", renamings(reused)),
    ];
    let lists: Vec<String> = lists
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(what, names)| format!("{what}: {names}"))
        .collect();
    if lists.is_empty() { "changed: no part".to_owned() } else { lists.join("; ") }
}

fn renamings(reused: &Reused) -> String {
    let one = |renamed: &Renamed| format!("{} → {}", renamed.before, renamed.now);
    reused.renamed.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn breakage(broken: &BrokenAssumption) -> String {
    let parts = broken.parts.join(" || ");
    let trace = match broken.trace.as_slice() {
        [] => "at once".to_owned(),
        actions => actions.join(", "),
    };
    let Some(index) = broken.index else {
        return format!("  the others relied on what {parts} did before; new is: {trace}\n");
    };
    let premise = broken.premise.as_ref().map_or(String::new(), |premise| format!(" ({premise})"));
    let fault = match broken.fault {
        AssumptionFault::Breached => format!("{parts} does what it forbids"),
        AssumptionFault::Insufficient => format!("{parts} fails although it is kept"),
    };
    format!("  the change broke A{index} of the earlier proof{premise}: {fault}: {trace}\n")
}
