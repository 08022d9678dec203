//! Traces as tables: the action, who takes part in it, and which fluents hold after it.

use std::fmt::Write;

use rely_base::column_width;
use rely_session::report::{CheckResult, OtherTrace, StepPlace, TraceStep};

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

/// A run: the steps of a trace, and those that are repeated after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<'r> {
    /// The components that the steps refer to.
    pub(crate) components: &'r [String],
    pub(crate) steps: &'r [TraceStep],
    pub(crate) cycle_steps: &'r [TraceStep],
}

impl<'r> From<&'r CheckResult> for Run<'r> {
    fn from(result: &'r CheckResult) -> Self {
        Self { components: &result.components, steps: &result.steps, cycle_steps: &result.cycle_steps }
    }
}

impl<'r> From<&'r OtherTrace> for Run<'r> {
    fn from(other: &'r OtherTrace) -> Self {
        Self { components: &other.components, steps: &other.steps, cycle_steps: &other.cycle_steps }
    }
}

/// What is shown of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown<'s> {
    pub(crate) columns: Columns,
    /// Whether it is shown how components move from state to state.
    pub(crate) with_states: bool,
    /// Actions that are left out, and those that begin with them.
    pub(crate) hidden: &'s [String],
}

impl Shown<'_> {
    /// Everything but states.
    pub(crate) fn plain(columns: Columns) -> Self {
        Self { columns, with_states: false, hidden: &[] }
    }

    fn leaves_out(&self, action: &str) -> bool {
        let begins =
            |name: &String| action.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('.'));
        self.hidden.iter().any(|name| name == action || begins(name))
    }
}

/// A run, one step on each line.
pub(crate) fn render(run: Run<'_>, shown: Shown<'_>, style: Style) -> String {
    Table::new(run, shown, style).render()
}

struct Table<'r> {
    run: Run<'r>,
    style: Style,
    shown: Shown<'r>,
    /// The columns of the components, if they have columns.
    lanes: Option<Lanes>,
    /// The width of the numbers of the steps.
    digits: usize,
    /// The width of the actions.
    width: usize,
    text: String,
}

impl<'r> Table<'r> {
    fn new(run: Run<'r>, shown: Shown<'r>, style: Style) -> Self {
        let steps = || run.steps.iter().chain(run.cycle_steps);
        let visible = || steps().filter(|step| !shown.leaves_out(&step.action));
        Self {
            run,
            style,
            shown,
            lanes: (shown.columns == Columns::Lanes).then(|| Lanes::new(run.components.len())),
            digits: steps().count().to_string().len(),
            width: column_width(visible().map(|step| &*step.action)),
            text: String::new(),
        }
    }

    fn render(mut self) -> String {
        if let Some(lanes) = &self.lanes {
            self.text.push_str(&lanes.legend(self.run.components, self.style));
            let (digits, width) = (self.digits, self.width);
            let _ = writeln!(self.text, "    {:digits$}  {:width$} {}", "", "", lanes.numbers(self.style));
        }
        for (i, step) in self.run.steps.iter().enumerate() {
            self.row(i + 1, step);
        }
        if !self.run.cycle_steps.is_empty() {
            self.text.push_str("  and then for ever:\n");
        }
        for (i, step) in self.run.cycle_steps.iter().enumerate() {
            self.row(self.run.steps.len() + i + 1, step);
        }
        let steps = self.run.steps.iter().chain(self.run.cycle_steps);
        let left_out = steps.filter(|step| self.shown.leaves_out(&step.action)).count();
        if left_out > 0 {
            let _ = writeln!(self.text, "    ({} hidden)", super::counted(left_out, "step"));
        }
        self.text
    }

    fn row(&mut self, number: usize, step: &TraceStep) {
        if self.shown.leaves_out(&step.action) {
            return;
        }
        let (digits, width) = (self.digits, self.width);
        let mut line = format!("    {number:>digits$}  {:width$}", step.action);
        if let Some(lanes) = &self.lanes {
            let _ = write!(line, " {}", lanes.row(&step.components));
            let at = |it: &StepPlace| format!("{}:{}", it.place.line, it.place.column);
            let places: Vec<String> = step.places.iter().map(at).collect();
            if !places.is_empty() {
                let _ = write!(line, "  {}", self.style.dim(places.join(", ")));
            }
        } else if self.run.components.len() > 1 {
            let change = |component: usize| {
                step.changes.iter().find(|it| it.variable == self.run.components[component])
            };
            // Where components move at the same time, most of them stay where they are.
            let some_change = step.components.iter().any(|&component| change(component).is_some());
            let is_shown = |(_, component): &(usize, &usize)| !some_change || change(**component).is_some();
            let name = |(i, &component): (usize, &usize)| {
                if let Some(change) = change(component) {
                    return format!("{} {} → {}", change.variable, change.from, change.to);
                }
                let place = step.places.iter().find(|it| it.component == component);
                let name = match place {
                    Some(at) => {
                        format!("{} {}:{}", self.run.components[component], at.place.line, at.place.column)
                    }
                    None => self.run.components[component].clone(),
                };
                match step.states.get(i).filter(|_| self.shown.with_states) {
                    Some(state) if state.from == state.to => format!("{name}: {}", state.from),
                    Some(state) => format!("{name}: {} → {}", state.from, state.to),
                    None => name,
                }
            };
            let names: Vec<String> = step.components.iter().enumerate().filter(is_shown).map(name).collect();
            let _ = write!(line, "  {}", self.style.dim(names.join(", ")));
        }
        if !step.fluents.is_empty() {
            let _ = write!(line, "  {}", self.style.bold(format!("{{{}}}", step.fluents.join(", "))));
        }
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }
}
