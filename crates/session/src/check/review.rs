//! What is wrong with a text and its meaning, without any search: what an editor shows while somebody types.

use rely_base::Budget;

use super::asked::Declared;
use super::{CheckQuery, watched};
use crate::Project;
use crate::expect::Expectations;
use crate::meaning::Meaning;
use crate::report::Finding;

/// What `check` finds in the text of a project: the same findings, while nothing is explored. The budget limits what has to
/// be built before it has a meaning, such as composites that are made minimal.
pub fn review(project: &Project, budget: Budget<'_>) -> Vec<Finding> {
    let query = CheckQuery::default();
    let mut meaning = Meaning::with_properties(project, budget);
    let names = meaning.wanted_targets(&[], false);
    let (expectations, nonsense) = Expectations::read(project, &mut meaning);
    nonsense.into_iter().for_each(|finding| meaning.report(finding));
    // What cannot be worked out is among the findings.
    let declared = Declared::new(&mut meaning, &query).ok();
    if let Some(declared) = declared.filter(|_| !meaning.has_errors()) {
        expectations.report_unmade(project, &declared.names, &mut meaning);
    }
    let also = expectations.targets().iter().filter(|name| !names.contains(name));
    for name in names.iter().chain(also) {
        let target = meaning.behaviour(name);
        if meaning.has_errors() || target.is_err() {
            continue;
        }
        let _ = watched(&mut meaning, &query, name, None);
        let _ = meaning.commitments(name);
    }
    let unchecked = if meaning.has_errors() { Vec::new() } else { query.unchecked(project, &meaning) };
    let mut findings = meaning.findings();
    findings.extend(unchecked);
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_what_check_finds() {
        for text in [
            "P = (a -> P).",
            "P = (a -> Q).",
            "P = (a -> P",
            "P = (a -> P). property X = (b -> X).\n||S = P.",
            "P = (a -> P). progress G = {b}\n//! expect P deadlock holds\n//! expect Q deadlock holds",
            "fluent F = <a, b>\nP = (a -> P).",
            "||S = (P || Q).",
        ] {
            let project = Project::new("x.lts", text, Box::new(|_| Err("no imports".to_owned())));
            let checked =
                crate::check(&project, &CheckQuery::default(), Budget::UNLIMITED).expect("no mistake");
            assert_eq!(review(&project, Budget::UNLIMITED), checked.diagnostics, "{text}");
        }
    }
}
