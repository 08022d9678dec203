//! Traces as tables: the action, who moved, what holds.

use rely_session::report::{CheckResult, TraceStep};

use super::Style;

/// The steps of a trace and of its cycle, one on each line.
pub(crate) fn render(result: &CheckResult, style: Style) -> String {
    let all = || result.steps.iter().chain(&result.cycle_steps);
    let width = all().map(|step| step.action.chars().count()).max().unwrap_or(0);
    let digits = result.steps.len().max(result.cycle_steps.len()).to_string().len();
    let show_components = result.components.len() > 1;
    let mut text = String::new();
    let mut rows = |steps: &[TraceStep], first: usize| {
        for (i, step) in steps.iter().enumerate() {
            let mut line = format!("    {:>digits$}  {:width$}", first + i, step.action);
            if show_components {
                let names: Vec<&str> =
                    step.components.iter().map(|&component| result.components[component].as_str()).collect();
                line.push_str("  ");
                line.push_str(&style.dim(names.join(", ")));
            }
            if !step.fluents.is_empty() {
                line.push_str("  ");
                line.push_str(&style.bold(format!("{{{}}}", step.fluents.join(", "))));
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
    };
    rows(&result.steps, 1);
    if !result.cycle_steps.is_empty() {
        text_cycle_heading(&mut rows, result);
    }
    text
}

fn text_cycle_heading(rows: &mut impl FnMut(&[TraceStep], usize), result: &CheckResult) {
    rows(&result.cycle_steps, result.steps.len() + 1);
}
