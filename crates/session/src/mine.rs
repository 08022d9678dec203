//! `mine`: what is true of the interface of a component, whatever its environment does.

use rely_base::Budget;
use rely_model::{Failure, Window};

use crate::meaning::Meaning;
use crate::report::{Finding, MineResult, MinedLine, MinedRule, Report};
use crate::{Failed, Project, explain};

/// Mines the environments of components: all rules of confidence 1 about their interfaces, in a microstep, or in a window of
/// two.
///
/// # Errors
/// When the input has errors, the language knows no such thing, or a limit is met.
pub fn mine(
    project: &Project,
    components: &[String],
    window: Window,
    budget: Budget<'_>,
) -> Result<Report<MineResult>, Failed> {
    let mut meaning = Meaning::of(project, budget);
    let mut results = Vec::new();
    let mut limit = None;
    for component in components {
        let Some(open) = meaning.open_components() else {
            return Err(Failed::Errors(vec![nothing_to_mine(project)]));
        };
        match open.mine(component, window, &budget) {
            Ok(mined) => results.push(MineResult::new(component, mined)),
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

fn nothing_to_mine(project: &Project) -> Finding {
    let message = "rules are mined from systems of reactive machines, in .srs files";
    Finding::about(project.name(), explain::NOTHING_TO_MINE, message)
}

impl MineResult {
    fn new(component: &str, mined: rely_model::Mined) -> Self {
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
        }
    }
}
