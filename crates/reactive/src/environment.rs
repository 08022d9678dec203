//! Mining the environment of a component: its configurations are explored, and every rule that holds in all of them is
//! found.
//!
//! The environment runs against a component that may do anything its interface allows, and all of its configurations are
//! visited, so a rule that is found is true of the whole system: a proof may assume it without discharging it. What is
//! mined is never itself constrained by what was mined from the component: that would be circular.
//!
//! An environment of several components may be too large to be explored. Then each of them is explored alone, with all others
//! free: what it never does alone it never does in the system, so its rules are true as well. What several components do
//! together is not looked at. Of an event that more than one of them sends only rules are found that speak of nothing else,
//! and of no past, since another one may have sent it then.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use rely_base::{Budget, Exhausted, Id, StateId};
use rely_explore::{Machine, Search, System as Explored, Visitor};
use rely_model as model;

use crate::configurations::{Configurations, Observer, Past, TooManyEvents};
use crate::mine::{self, Mined};
use crate::program::{COUNTED, Lowered};
use crate::system::{ComponentId, EventId, System};

/// Why nothing was mined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unmined {
    /// The interface has too many events.
    TooManyEvents(usize),
    /// A limit was met. Rules that hold in some of the configurations need not hold in all.
    Exhausted(Exhausted),
}

/// Mines the rules that hold in every configuration of the environment of a component, and that speak of its past if that is
/// asked for.
///
/// # Errors
/// When the interface has too many events, or a limit is met.
pub fn mine(
    system: &System,
    component: ComponentId,
    past: Past,
    budget: &Budget<'_>,
) -> Result<Mined, Unmined> {
    let observed = Observer::new(system, component, past, COUNTED);
    Ok(mine::mine(explored(observed, budget)?))
}

/// Mines rules from each component of the environment alone; nothing if the environment has machines outside of components.
///
/// # Errors
/// When the interface has too many events, or a limit is met.
pub fn mine_by_part(
    system: &System,
    component: ComponentId,
    past: Past,
    budget: &Budget<'_>,
) -> Option<Result<Vec<Mined>, Unmined>> {
    if !has_parts(system) {
        return None;
    }
    let senders = |event| senders(system, component, event);
    let (mut parts, mut shared): (Vec<Mined>, BTreeMap<EventId, Configurations>) = Default::default();
    for (part, events) in parts_of(system, component) {
        let found = match explored(Observer::of_part(system, part, events.clone(), past, COUNTED), budget) {
            Ok(found) => found,
            Err(unmined) => return Some(Err(unmined)),
        };
        parts.push(mine::mine(found.seen_by(|event| senders(event).len() == 1)));
        if past != Past::None {
            continue;
        }
        for event in events.into_iter().filter(|&event| senders(event).len() > 1) {
            let seen = found.seen_by(|other| other == event);
            shared.entry(event).and_modify(|known| known.extend(&seen)).or_insert(seen);
        }
    }
    parts.extend(shared.into_values().map(mine::mine));
    Some(Ok(parts))
}

/// Whether all machines are in components.
fn has_parts(system: &System) -> bool {
    system.machines.iter().all(|machine| machine.component.is_some())
}

/// The components of the environment that send an event.
fn senders(system: &System, component: ComponentId, event: EventId) -> BTreeSet<ComponentId> {
    let machines = system.event(event).senders.iter().filter_map(|&id| system.machine(id).component);
    machines.filter(|&sender| sender != component).collect()
}

/// The components that send something to a component, each with what that is.
fn parts_of(system: &System, component: ComponentId) -> Vec<(ComponentId, Vec<EventId>)> {
    let takes = &system.component(component).takes;
    let others = (0..system.components.len()).map(ComponentId::from_index).filter(|&it| it != component);
    let sent = |part| {
        let own = takes.iter().copied().filter(|&event| senders(system, component, event).contains(&part));
        (part, own.collect::<Vec<EventId>>())
    };
    others.map(sent).filter(|(_, events)| !events.is_empty()).collect()
}

/// Everything that the rules depend on which [`mine()`] and [`mine_by_part`] find: the programs that they explore, and what they
/// look at. What is inside of the component is not among it.
///
/// # Errors
/// When the interface has too many events.
pub fn content(system: &System, component: ComponentId, past: Past) -> Result<String, TooManyEvents> {
    let names = |events: &[EventId]| -> Vec<&str> {
        events.iter().map(|&event| system.event(event).name.as_str()).collect()
    };
    let (whole, _) = Observer::new(system, component, past, COUNTED)?;
    let takes = &system.component(component).takes;
    let mut text = format!("{past:?} {COUNTED} {:?} {}", names(takes), whole.program.content());
    if has_parts(system) {
        for (part, events) in parts_of(system, component) {
            let sent = names(&events);
            let (alone, _) = Observer::of_part(system, part, events, past, COUNTED)?;
            text.push_str(&format!(" {sent:?} {}", alone.program.content()));
        }
    }
    Ok(text)
}

/// Explores a program and shows all its states to its observer.
fn explored(
    observed: Result<(Lowered, Observer), TooManyEvents>,
    budget: &Budget<'_>,
) -> Result<Configurations, Unmined> {
    let (lowered, observer) = observed.map_err(|TooManyEvents(events)| Unmined::TooManyEvents(events))?;
    let machine = Machine::transparent(&lowered.program);
    show_all(&machine, &machine, observer, budget).map(|(found, _)| found)
}

/// Shows all states of a system, which are states of a program, to an observer; and how many there are.
pub(crate) fn show_all<S: Explored>(
    system: &S,
    machine: &Machine<'_>,
    observer: Observer,
    budget: &Budget<'_>,
) -> Result<(Configurations, usize), Unmined> {
    let mut search = Search::new(system);
    let mut watch = Watch { machine, observer };
    search.run(budget, &mut watch).map_err(Unmined::Exhausted)?;
    Ok((watch.observer.finish(), search.states().len()))
}

/// Shows each configuration that is found to the observer.
struct Watch<'a, 'p> {
    machine: &'a Machine<'p>,
    observer: Observer,
}

impl Visitor for Watch<'_, '_> {
    fn discovered(&mut self, _state: StateId, words: &[u64]) {
        self.observer.observe_values(|slot| self.machine.value(words, slot));
    }

    fn expanded(&mut self, _state: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// What was mined as plain data, in the words of the system: from the environment as a whole, or from its parts.
pub fn in_words(parts: &[Mined], system: &System) -> model::Mined {
    let (mut rules, mut lines, mut assumptions) = (Vec::new(), Vec::new(), Vec::new());
    for mined in parts {
        let own = mined.rules.iter().flat_map(|rule| mined.implications(rule, system));
        rules.extend(own.map(|rule| model::MinedRule {
            when: rule.when,
            then: rule.then,
            support: rule.support,
        }));
        lines.extend(mined.lines(system).into_iter().map(|line| (line.text, line.support)));
        assumptions.extend(mined.assumptions(system).into_iter().map(model::Assumption::Rule));
    }
    model::Mined {
        // With their past they are the same configurations, told apart further.
        configurations: parts
            .iter()
            .filter(|mined| mined.configurations.past == Past::None)
            .map(|mined| mined.configurations.total())
            .sum(),
        rules,
        redundant: parts.iter().map(|mined| mined.redundant).sum(),
        lines,
        assumptions,
        is_by_part: false,
    }
}
