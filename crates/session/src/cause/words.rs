//! The end of a run in words: which component waits for what, and what a property would have allowed.

use crate::report::{Cause, Failing, Waiting, Withheld};

/// Maximum number of components, actions and variables in a short list.
const SHOWN: usize = 8;

/// A line below a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CauseLine {
    /// A sentence, or the beginning of one that items continue.
    Sentence(String),
    /// One of several things that the sentence before is about.
    Item(String),
}

/// The lines below a trace. `last` is its last action; `with_all` says whether long lists are complete.
pub fn cause_in_words(
    cause: &Cause,
    components: &[String],
    last: Option<&str>,
    with_all: bool,
) -> Vec<CauseLine> {
    let page = Page { cause, components, most: if with_all { usize::MAX } else { SHOWN } };
    let mut lines = Vec::new();
    match page.cycle_is_the_reason() && !with_all {
        true => page.cycle(&mut lines),
        false => {
            page.waiting(&mut lines);
            page.cycle_among_them(&mut lines);
        }
    }
    if let (Some(failure), Some(action)) = (&cause.failure, last) {
        lines.push(CauseLine::Sentence(page.failure(failure, action)));
        page.partners(failure, action, &mut lines);
    }
    page.withheld(&mut lines);
    page.variables(&mut lines);
    lines
}

struct Page<'a> {
    cause: &'a Cause,
    components: &'a [String],
    /// Maximum number of entries of a list.
    most: usize,
}

impl Page<'_> {
    /// Whether the cycle of waiting alone explains the deadlock: whatever a member waits for, another member refuses.
    /// A member that also waits for a component outside could be freed from there, so the cause may be outside, too.
    fn cycle_is_the_reason(&self) -> bool {
        let cycle = &self.cause.waiting_cycle;
        let members = self.cause.waiting.iter().filter(|it| cycle.contains(&it.component));
        let mut actions = members.flat_map(|it| &it.actions);
        !cycle.is_empty() && actions.all(|it| it.refused_by.iter().any(|who| cycle.contains(who)))
    }

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

    /// All components that wait. Those that have stopped for good come first, since no other component can free them.
    fn waiting(&self, lines: &mut Vec<CauseLine>) {
        let (stopped, others): (Vec<&Waiting>, Vec<&Waiting>) =
            self.cause.waiting.iter().partition(|it| it.actions.is_empty());
        let all: Vec<&Waiting> = stopped.into_iter().chain(others).collect();
        if all.is_empty() {
            return;
        }
        lines.push(CauseLine::Sentence("who waits for what there:".to_owned()));
        for it in all.iter().take(self.most) {
            lines.push(CauseLine::Item(format!("{}, {}", self.at(it.component), self.needs(it))));
        }
        self.more(lines, all.len(), "component");
    }

    fn more(&self, lines: &mut Vec<CauseLine>, count: usize, what: &str) {
        if count > self.most {
            let more = counted(count - self.most, &format!("more {what}"));
            lines.push(CauseLine::Item(format!("and {more} (-v shows all)")));
        }
    }

    /// What a component needs to go on.
    fn needs(&self, waiting: &Waiting) -> String {
        if waiting.actions.is_empty() {
            return "and does nothing any more".to_owned();
        }
        // Actions that the same components refuse are listed together.
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
            match refusing.is_empty() {
                true => format!("{which}, which nobody refuses, but actions of higher priority come first"),
                false => format!("{which}, which {} {refuse}", self.list(&refusing, " and ")),
            }
        });
        let mut needs = format!("and waits for {}", told.collect::<Vec<_>>().join("; for "));
        if groups.len() > self.most {
            needs.push_str(&format!("; and for {}", counted(groups.len() - self.most, "other action")));
        }
        needs
    }

    /// Some names with a conjunction before the last one, or with the number of further names.
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

    /// The action that a member of the cycle waits for and the next one refuses.
    fn blocked(&self, component: usize, next: usize) -> &str {
        let waiting = self.cause.waiting.iter().find(|it| it.component == component);
        let mut actions = waiting.into_iter().flat_map(|it| &it.actions);
        actions.find(|it| it.refused_by.contains(&next)).map_or("", |it| &*it.action)
    }

    /// The members of the cycle, each with the member that it waits for.
    fn links(&self) -> impl Iterator<Item = (usize, usize)> {
        let cycle = &self.cause.waiting_cycle;
        let next = |place: usize| cycle[(place + 1) % cycle.len()];
        cycle.iter().enumerate().map(move |(place, &component)| (component, next(place)))
    }

    fn cycle(&self, lines: &mut Vec<CauseLine>) {
        lines.push(CauseLine::Sentence("a cycle of waiting:".to_owned()));
        for (component, next) in self.links() {
            let (at, action) = (self.at(component), self.blocked(component, next));
            let next = self.name(next);
            lines.push(CauseLine::Item(format!("{at}, and waits for {action}, which {next} refuses")));
        }
        let others = self.cause.waiting.len().saturating_sub(self.cause.waiting_cycle.len());
        if others > 0 {
            let others = counted(others, "component");
            lines
                .push(CauseLine::Item(format!("{others} outside of the cycle: -v shows who waits for what")));
        }
    }

    /// If all components are shown, the cycle is one additional line.
    fn cycle_among_them(&self, lines: &mut Vec<CauseLine>) {
        let cycle = &self.cause.waiting_cycle;
        let line = match cycle[..] {
            [] => return,
            [one, other] => format!("{} and {} wait for each other", self.name(one), self.name(other)),
            _ => {
                let link = |(component, next)| format!("{} for {}", self.name(component), self.name(next));
                let links: Vec<String> = self.links().take(self.most).map(link).collect();
                let rest = if cycle.len() > self.most { ", and so on in a cycle" } else { "" };
                format!("a cycle of waiting among them: {}{rest}", links.join(", "))
            }
        };
        lines.push(CauseLine::Sentence(line));
    }

    fn failure(&self, failure: &Failing, action: &str) -> String {
        let allowed: Vec<&str> = failure.allowed.iter().map(String::as_str).collect();
        let name = self.name(failure.component);
        let state = self.cause.states.get(failure.component).map_or("the start", String::as_str);
        match (failure.is_property, allowed.is_empty()) {
            (true, true) => {
                format!("{name} was at {state}, where it allows none of its actions, {action} among them")
            }
            (true, false) if allowed.len() > self.most => {
                let others = counted(allowed.len(), "other action");
                format!("{name} was at {state}, where it allows {others}, but not {action}")
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

    /// The states of the components that take the failing step together.
    fn partners(&self, failure: &Failing, action: &str, lines: &mut Vec<CauseLine>) {
        let told: Vec<String> = failure
            .with
            .iter()
            .filter_map(|&component| {
                let (name, state) = (self.name(component), self.cause.states.get(component)?);
                // A process that is where it starts is at a state with its own name, which says nothing.
                (name != state).then(|| format!("{name} at {state}"))
            })
            .take(self.most)
            .collect();
        if !told.is_empty() {
            lines.push(CauseLine::Sentence(format!("{action} was done by {}", told.join(", "))));
        }
    }

    /// Who keeps the wanted actions from happening. Actions for which that is the same are told together.
    fn withheld(&self, lines: &mut Vec<CauseLine>) {
        let mut groups: Vec<(&Withheld, Vec<&str>)> = Vec::new();
        for withheld in &self.cause.withheld {
            let is_alike = |other: &Withheld| {
                (&other.refused_by, other.in_turns, other.outranked)
                    == (&withheld.refused_by, withheld.in_turns, withheld.outranked)
            };
            match groups.iter_mut().find(|(first, _)| is_alike(first)) {
                Some((_, actions)) => actions.push(&withheld.action),
                None => groups.push((withheld, vec![&withheld.action])),
            }
        }
        for (withheld, actions) in groups.iter().take(self.most) {
            let names: Vec<&str> = withheld.refused_by.iter().map(|&id| self.name(id)).collect();
            let (which, who) = (self.list(actions, " and "), self.list(&names, " and "));
            let (come, them) = if actions.len() > 1 { ("come", "them") } else { ("comes", "it") };
            let why = match (withheld.outranked, withheld.in_turns) {
                (true, _) => format!("nobody refuses {them}, but actions of higher priority come first"),
                (false, true) => format!("{who} are never ready for {them} at the same time"),
                (false, false) => {
                    let refuse = if names.len() > 1 { "refuse" } else { "refuses" };
                    format!("{who} {refuse} {them} all the time")
                }
            };
            lines.push(CauseLine::Sentence(format!("{which} never {come}: {why}")));
        }
        for it in self.cause.stalled.iter().take(self.most) {
            lines.push(CauseLine::Item(format!("{}, {}", self.at(it.component), self.needs(it))));
        }
        self.more(lines, self.cause.stalled.len(), "component");
        let is_told = |action: &str| {
            self.cause.stalled.iter().flat_map(|it| &it.actions).any(|refused| refused.action == action)
        };
        let outranked: Vec<&str> =
            self.cause.outranked.iter().map(String::as_str).filter(|action| !is_told(action)).collect();
        if !outranked.is_empty() {
            let which = self.list(&outranked, " and ");
            let are = if outranked.len() > 1 { "are" } else { "is" };
            lines.push(CauseLine::Sentence(format!(
                "{which} {are} kept back somewhere in this cycle: actions of higher priority come first"
            )));
        }
    }

    fn variables(&self, lines: &mut Vec<CauseLine>) {
        let variables = &self.cause.variables;
        if variables.is_empty() {
            return;
        }
        let told = variables.iter().take(self.most).map(|it| format!("{} = {}", it.variable, it.value));
        let told = told.collect::<Vec<_>>().join(", ");
        lines.push(CauseLine::Sentence(format!("the variables there: {told}")));
        self.more(lines, variables.len(), "variable");
    }
}

/// A number with a noun in singular or plural.
fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}
