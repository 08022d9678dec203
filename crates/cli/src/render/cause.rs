//! What there is to see where a run ends, as text: who waits for what, and what a property would have allowed.

use std::fmt::Write;

use rely_session::report::{Cause, Failing, Waiting};

use super::counted;

/// Components, actions and variables that are listed where not all are wanted.
const SHOWN: usize = 8;

/// The lines below a trace. `last` is its last action.
pub(crate) fn render(cause: &Cause, components: &[String], last: Option<&str>, verbose: bool) -> String {
    let page = Page { cause, components, most: if verbose { usize::MAX } else { SHOWN } };
    let mut text = String::new();
    // Where some wait for each other in a circle, that is the reason, and the others can only follow.
    if cause.waiting_cycle.is_empty() || verbose {
        page.waiting(&mut text);
    }
    page.cycle(&mut text);
    if let (Some(failure), Some(action)) = (&cause.failure, last) {
        let _ = writeln!(text, "  {}", page.failure(failure, action));
    }
    page.variables(&mut text);
    text
}

struct Page<'a> {
    cause: &'a Cause,
    components: &'a [String],
    /// How much of a list is shown.
    most: usize,
}

impl Page<'_> {
    /// A component and its state.
    fn at(&self, component: usize) -> String {
        match self.cause.states.get(component) {
            Some(state) => format!("{} is at {state}", self.name(component)),
            None => self.name(component).to_owned(),
        }
    }

    fn name(&self, component: usize) -> &str {
        self.components.get(component).map_or("the environment", String::as_str)
    }

    fn waiting(&self, text: &mut String) {
        let waiting = &self.cause.waiting;
        if waiting.is_empty() {
            return;
        }
        text.push_str("  who waits for what there:\n");
        for it in waiting.iter().take(self.most) {
            let _ = writeln!(text, "    {}, {}", self.at(it.component), self.needs(it));
        }
        self.more(text, waiting.len(), "component");
    }

    fn more(&self, text: &mut String, count: usize, what: &str) {
        if count > self.most {
            let more = counted(count - self.most, &format!("more {what}"));
            let _ = writeln!(text, "    and {more} (-v shows all)");
        }
    }

    /// What a component needs to go on.
    fn needs(&self, waiting: &Waiting) -> String {
        if waiting.actions.is_empty() {
            return "and does nothing any more".to_owned();
        }
        // Actions that the same components refuse are told together.
        let mut groups: Vec<(&[usize], Vec<&str>)> = Vec::new();
        for refused in &waiting.actions {
            match groups.iter_mut().find(|(by, _)| *by == refused.refused_by) {
                Some((_, actions)) => actions.push(&refused.action),
                None => groups.push((&refused.refused_by, vec![&refused.action])),
            }
        }
        let told = groups.iter().take(self.most).map(|(by, actions)| {
            let refusing: Vec<&str> = by.iter().map(|&component| self.name(component)).collect();
            let (which, refuse) =
                (self.list(actions, " or "), if refusing.len() > 1 { "refuse" } else { "refuses" });
            format!("{which}, which {} {refuse}", self.list(&refusing, " and "))
        });
        let mut needs = format!("and waits for {}", told.collect::<Vec<_>>().join("; for "));
        if groups.len() > self.most {
            let _ = write!(needs, "; and for {}", counted(groups.len() - self.most, "other action"));
        }
        needs
    }

    /// Some names with a word before the last one, or how many more there are.
    fn list(&self, names: &[&str], word: &str) -> String {
        match names.split_last() {
            Some((last, first)) if !first.is_empty() && names.len() <= self.most => {
                format!("{}{word}{last}", first.join(", "))
            }
            _ if names.len() > self.most => {
                format!("{} and {} more", names[..self.most].join(", "), names.len() - self.most)
            }
            _ => names.concat(),
        }
    }

    fn cycle(&self, text: &mut String) {
        let cycle = &self.cause.waiting_cycle;
        if cycle.is_empty() {
            return;
        }
        text.push_str("  a cycle of waiting:\n");
        for (place, &component) in cycle.iter().enumerate() {
            let next = cycle[(place + 1) % cycle.len()];
            let waiting = self.cause.waiting.iter().find(|it| it.component == component);
            let mut actions = waiting.into_iter().flat_map(|it| &it.actions);
            let action = actions.find(|it| it.refused_by.contains(&next)).map_or("", |it| &*it.action);
            let (at, next) = (self.at(component), self.name(next));
            let _ = writeln!(text, "    {at}, and waits for {action}, which {next} refuses");
        }
        let others = self.cause.waiting.len().saturating_sub(cycle.len());
        if others > 0 && self.most < usize::MAX {
            let others = counted(others, "component");
            let _ = writeln!(text, "    {others} outside of the cycle: -v shows who waits for what");
        }
    }

    fn failure(&self, failure: &Failing, action: &str) -> String {
        let allowed: Vec<&str> = failure.allowed.iter().map(String::as_str).collect();
        let name = self.name(failure.component);
        let state = self.cause.states.get(failure.component).map_or("the start", String::as_str);
        match (failure.is_property, allowed.is_empty()) {
            (true, true) => {
                format!("{name} was at {state}, where it allows none of its actions, {action} among them")
            }
            (true, false) => {
                format!(
                    "{name} was at {state}, where it allows {} and not {action}",
                    self.list(&allowed, " or ")
                )
            }
            (false, true) => format!("{name} was at {state}, where {action} leads to ERROR"),
            (false, false) => format!(
                "{name} was at {state}, where {action} leads to ERROR, and {} does not",
                self.list(&allowed, " or ")
            ),
        }
    }

    fn variables(&self, text: &mut String) {
        let variables = &self.cause.variables;
        if variables.is_empty() {
            return;
        }
        let told = variables.iter().take(self.most).map(|it| format!("{} = {}", it.variable, it.value));
        let _ = writeln!(text, "  the variables there: {}", told.collect::<Vec<_>>().join(", "));
        self.more(text, variables.len(), "variable");
    }
}
