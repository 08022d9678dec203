//! Traces as tables: the action, who takes part in it, and which fluents hold after it.

use std::fmt::Write;

use rely_session::report::{CheckResult, TraceStep};

use super::Style;
use super::lanes::Lanes;

/// How the components that take part are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Columns {
    /// By name.
    Names,
    /// By a column for each component.
    Lanes,
}

/// The trace of a result and its cycle, one step on each line.
pub(crate) fn render(result: &CheckResult, columns: Columns, style: Style) -> String {
    Table::new(result, columns, style).render()
}

struct Table<'r> {
    result: &'r CheckResult,
    style: Style,
    /// The columns of the components, if they have columns.
    lanes: Option<Lanes>,
    /// The width of the numbers of the steps.
    digits: usize,
    /// The width of the actions.
    width: usize,
    text: String,
}

impl<'r> Table<'r> {
    fn new(result: &'r CheckResult, columns: Columns, style: Style) -> Self {
        let steps = || result.steps.iter().chain(&result.cycle_steps);
        Self {
            result,
            style,
            lanes: (columns == Columns::Lanes).then(|| Lanes::new(result.components.len())),
            digits: steps().count().to_string().len(),
            width: steps().map(|step| step.action.chars().count()).max().unwrap_or(0),
            text: String::new(),
        }
    }

    fn render(mut self) -> String {
        if let Some(lanes) = &self.lanes {
            self.text.push_str(&lanes.legend(&self.result.components, self.style));
            let (digits, width) = (self.digits, self.width);
            let _ = writeln!(self.text, "    {:digits$}  {:width$} {}", "", "", lanes.numbers(self.style));
        }
        for (i, step) in self.result.steps.iter().enumerate() {
            self.row(i + 1, step);
        }
        if !self.result.cycle_steps.is_empty() {
            self.text.push_str("  and then for ever:\n");
        }
        for (i, step) in self.result.cycle_steps.iter().enumerate() {
            self.row(self.result.steps.len() + i + 1, step);
        }
        self.text
    }

    fn row(&mut self, number: usize, step: &TraceStep) {
        let (digits, width) = (self.digits, self.width);
        let mut line = format!("    {number:>digits$}  {:width$}", step.action);
        if let Some(lanes) = &self.lanes {
            let _ = write!(line, " {}", lanes.row(&step.components));
        } else if self.result.components.len() > 1 {
            let name = |&component: &usize| self.result.components[component].as_str();
            let names: Vec<&str> = step.components.iter().map(name).collect();
            let _ = write!(line, "  {}", self.style.dim(names.join(", ")));
        }
        if !step.fluents.is_empty() {
            let _ = write!(line, "  {}", self.style.bold(format!("{{{}}}", step.fluents.join(", "))));
        }
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }
}
