//! Traces as lanes: a column for each component, a mark where it takes part in a step.

use std::fmt::Write;

use rely_session::report::{CheckResult, TraceStep};

use super::Style;

/// The trace and the cycle of a result, with the components as columns.
pub(crate) fn render(result: &CheckResult, style: Style) -> String {
    let all = || result.steps.iter().chain(&result.cycle_steps);
    let width = all().map(|step| step.action.chars().count()).max().unwrap_or(0);
    let digits = result.steps.len().max(result.cycle_steps.len()).to_string().len();
    let lane = result.components.len().to_string().len() + 1;
    let mut text = String::new();
    for (i, name) in result.components.iter().enumerate() {
        let _ = writeln!(text, "    {} {}", style.bold(format!("{:>lane$}", i + 1)), name);
    }
    let numbers: String = (1..=result.components.len()).map(|i| format!("{i:>lane$}")).collect();
    let _ = writeln!(text, "    {:digits$}  {:width$} {}", "", "", style.bold(numbers));
    let mut row = |number: usize, step: &TraceStep| {
        let lanes = lanes(step, result.components.len(), lane);
        let mut line = format!("    {number:>digits$}  {:width$} {lanes}", step.action);
        if !step.fluents.is_empty() {
            let _ = write!(line, "  {}", style.bold(format!("{{{}}}", step.fluents.join(", "))));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    };
    for (i, step) in result.steps.iter().enumerate() {
        row(i + 1, step);
    }
    if !result.cycle_steps.is_empty() {
        for (i, step) in result.cycle_steps.iter().enumerate() {
            row(result.steps.len() + i + 1, step);
        }
    }
    text
}

/// The lanes of one step: `●` takes part, `│` does not, and a line joins those that do.
fn lanes(step: &TraceStep, components: usize, lane: usize) -> String {
    let first = step.components.iter().min();
    let last = step.components.iter().max();
    let inside = |i: usize| first.is_some_and(|&first| i > first) && last.is_some_and(|&last| i <= last);
    let mut text = String::new();
    for i in 0..components {
        let joint = if inside(i) { "─" } else { " " };
        text.push_str(&joint.repeat(lane - 1));
        let crossed = inside(i) && inside(i + 1);
        text.push(if step.components.contains(&i) {
            '●'
        } else if crossed {
            '┼'
        } else {
            '│'
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_joins_the_components_that_move_together() {
        let step = |components: &[usize]| TraceStep {
            action: "a".to_owned(),
            components: components.to_vec(),
            fluents: Vec::new(),
        };
        assert_eq!(lanes(&step(&[1]), 4, 2), " │ ● │ │");
        assert_eq!(lanes(&step(&[0, 2]), 4, 2), " ●─┼─● │");
        assert_eq!(lanes(&step(&[2, 3]), 4, 2), " │ │ ●─●");
        assert_eq!(lanes(&step(&[]), 2, 2), " │ │");
    }
}
