//! `mine`: what is true of the interface of a component, whatever its environment does.

use rely_assume::Memory;
use rely_base::Budget;
use rely_model::{Failure, Window};

use crate::meaning::Meaning;
use crate::report::{Finding, MineResult, MinedLine, MinedRule, Report};
use crate::rules::{Rules, rules};
use crate::{Failed, Project, explain};

/// Mines the environments of components, of all if none is named: all rules of confidence 1 about their interfaces, in a
/// microstep, or in a window of two. A trusted memory may know them already; any memory knows which have gone.
///
/// # Errors
/// When the input has errors, the language knows no such thing, or a limit is met.
pub fn mine(
    project: &Project,
    components: &[String],
    window: Window,
    memory: Option<&dyn Memory>,
    budget: Budget<'_>,
) -> Result<Report<MineResult>, Failed> {
    let mut meaning = Meaning::of(project, budget);
    if meaning.open_components().is_none() {
        return Err(Failed::Errors(vec![nothing_to_mine(project)]));
    }
    let components = match components {
        [] => all_components(&mut meaning),
        named => named.to_vec(),
    };
    let mut results = Vec::new();
    let mut limit = None;
    for component in &components {
        match rules(&mut meaning, (component, window), memory, false, &budget) {
            Ok(found) => {
                results.push(MineResult::new(component, &found));
                // What the proofs rest on is known to whoever checks them.
                found.store(&mut meaning, (component, window), memory, Vec::new());
            }
            Err(Failure::Exhausted(exhausted)) => limit = Some(exhausted),
            Err(Failure::Errors) => {}
        }
    }
    let failed = meaning.has_errors();
    let findings = meaning.findings();
    match limit {
        _ if failed => Err(Failed::Errors(findings)),
        Some(exhausted) => Err(Failed::Exhausted(exhausted, findings)),
        None => Ok(Report::new("mine", results, findings)),
    }
}

/// All targets that are components of a system.
fn all_components(meaning: &mut Meaning<'_>) -> Vec<String> {
    let targets = meaning.all_targets();
    let Some(open) = meaning.open_components() else { return Vec::new() };
    targets.into_iter().filter(|target| open.system_of(target).is_some()).collect()
}

fn nothing_to_mine(project: &Project) -> Finding {
    let message = "rules are mined from systems of reactive machines, in .srs files";
    Finding::about(project.name(), explain::NOTHING_TO_MINE, message)
}

impl MineResult {
    fn new(component: &str, found: &Rules) -> Self {
        let mined = found.mined.clone();
        let rule = |rule: rely_model::MinedRule| MinedRule {
            when: rule.when,
            then: rule.then,
            support: rule.support,
        };
        Self {
            component: component.to_owned(),
            configurations: mined.configurations,
            rules: mined.rules.into_iter().map(rule).collect(),
            redundant: mined.redundant,
            by_part: mined.is_by_part,
            lines: mined.lines.into_iter().map(|(text, support)| MinedLine { text, support }).collect(),
            reused: found.is_reused,
            gone: found.gone.clone(),
            broken_proofs: found.broken_proofs(),
        }
    }
}
