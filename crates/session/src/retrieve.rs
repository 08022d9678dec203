//! `retrieve`: which components satisfy an assumption.

use std::collections::BTreeSet;
use std::sync::Arc;

use rely_assume::Assumption;
use rely_base::Budget;
use rely_decide::check_safety;
use rely_lts::equivalence::deterministic;
use rely_lts::{Component, Lts, Network, operators};
use rely_model::Failure;

use crate::parts::Library;
use crate::report::{Finding, Level, Report, RetrieveResult, Verdict};
use crate::{Built, Internal, Project, doubts};

/// Finds the components of projects that satisfy an assumption. If no names are given, all processes and composites
/// are checked.
///
/// # Errors
/// A mistake in this program, such as a counterexample that cannot be replayed.
pub fn retrieve(
    assumption: &Built,
    projects: &[Project],
    names: &[String],
    budget: Budget<'_>,
) -> Result<Report<RetrieveResult>, Internal> {
    let mut results = Vec::new();
    let mut findings = assumption.findings.clone();
    let property = match as_property(&assumption.lts, &budget) {
        Ok(property) => property,
        Err(exhausted) => {
            let mut result = blank(assumption.target.clone(), String::new());
            result.reason = Some(exhausted.to_string());
            return Ok(Report::new("retrieve", vec![result], findings));
        }
    };
    // The actions of all components; `None` if they are not all known.
    let mut actions = Some(BTreeSet::new());
    let (mut observers, mut mistaken) = (Vec::new(), Vec::new());
    for project in projects {
        let mut library = Library::of(std::slice::from_ref(project), budget);
        let known = library.names();
        let candidates = known.into_iter().filter(|name| names.is_empty() || names.contains(name));
        for name in candidates {
            let of_target = library.actions(&name).ok().map(BTreeSet::from_iter);
            actions = actions.zip(of_target).map(|(all, of_target)| &all | &of_target);
            // It is an error if a composite that was named cannot be judged; in a whole library it is not.
            let refusal = if names.is_empty() { library.refusal(&name).unwrap_or(None) } else { None };
            if let Some(reason) = refusal {
                let nothing = blank(project.name().to_owned(), name);
                results.push(RetrieveResult { reason: Some(reason), ..nothing });
                continue;
            }
            let parts = library.behaviour(std::slice::from_ref(&name), &budget);
            let mut result = blank(project.name().to_owned(), name);
            match parts {
                Err(Failure::Errors) => {
                    mistaken.push(result.component);
                    continue;
                }
                Err(Failure::Exhausted(exhausted)) => result.reason = Some(exhausted.to_string()),
                Ok(parts) => {
                    // A component that only observes satisfies nothing.
                    let components = library.faultless(parts);
                    if components.is_empty() {
                        observers.push(result.component);
                        continue;
                    }
                    judge(&components, &property, &budget, &mut result)?;
                }
            }
            results.push(result);
        }
        findings.extend(library.findings());
    }
    let is_known =
        |name: &&String| mistaken.contains(name) || results.iter().any(|result| result.component == **name);
    for name in names.iter().filter(|name| !is_known(name)) {
        let message = match observers.contains(name) {
            true => format!("`{name}` is a property, which satisfies nothing"),
            false => format!("no file has a process or composite `{name}`"),
        };
        findings.push(Finding::without_place(crate::explain::NO_SUCH_PART, &message));
    }
    if let Some(actions) = actions.filter(|actions| !actions.is_empty()) {
        findings.extend(doubts::of_library(&assumption.lts, &actions));
    }
    if findings.iter().any(|finding| finding.severity == Level::Error) {
        results.clear();
    }
    Ok(Report::new("retrieve", results, findings))
}

fn judge(
    components: &[Component],
    property: &Component,
    budget: &Budget<'_>,
    result: &mut RetrieveResult,
) -> Result<(), Internal> {
    let has = |name: &str| components.iter().any(|component| component.lts.alphabet().contains(name));
    result.shared = property.lts.alphabet().names().filter(|name| has(name)).count();
    let together = components.iter().cloned().chain([property.clone()]).collect();
    let decision = check_safety(&Network::new(together), budget)?;
    match decision.verdict {
        rely_decide::Verdict::Holds(_) => result.verdict = Verdict::Holds,
        rely_decide::Verdict::Violated(run) => {
            result.verdict = Verdict::Violated;
            result.trace = run.trace_names().into_iter().map(str::to_owned).collect();
            let foreign = result.trace.last().filter(|name| !has(name));
            result.reason =
                foreign.map(|name| format!("it does not have {name}, and so cannot keep it from occurring"));
        }
        rely_decide::Verdict::Unknown(reason) => result.reason = Some(reason.to_string()),
    }
    Ok(())
}

/// The assumption as a property. If it is written as a property already, it is not changed.
fn as_property(lts: &Lts, budget: &Budget<'_>) -> Result<Component, rely_base::Exhausted> {
    let lts = deterministic(lts, budget)?;
    let lts = match lts.error() {
        Some(_) => operators::complete(&lts),
        None => Assumption::new(lts).property("the assumption").lts.as_ref().clone(),
    };
    Ok(Component { name: "the assumption".to_owned(), lts: Arc::new(lts) })
}

fn blank(file: String, component: String) -> RetrieveResult {
    RetrieveResult { file, component, verdict: Verdict::Unknown, trace: Vec::new(), shared: 0, reason: None }
}
