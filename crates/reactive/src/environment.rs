//! Mining the environment of a component: its configurations are explored, and every rule that holds in all of them is
//! found.
//!
//! The environment runs against a component that may do anything its interface allows, and all of its configurations are
//! visited, so a rule that is found is true of the whole system: a proof may assume it without discharging it. What is
//! mined is never itself constrained by what was mined from the component: that would be circular.

use std::ops::ControlFlow;

use rely_base::{Budget, Exhausted, StateId};
use rely_explore::{Composite, Machine, Search, Visitor};
use rely_model as model;

use crate::configurations::{Observer, TooManyEvents};
use crate::mine::{self, Mined};
use crate::program::COUNTED;
use crate::system::{ComponentId, System};

/// Why nothing was mined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unmined {
    /// The interface has too many events.
    TooManyEvents(usize),
    /// A limit was met. Rules that hold in some of the configurations need not hold in all.
    Exhausted(Exhausted),
}

/// Mines the rules that hold in every configuration of the environment of a component.
///
/// # Errors
/// When the interface has too many events, or a limit is met.
pub fn mine(system: &System, component: ComponentId, budget: &Budget<'_>) -> Result<Mined, Unmined> {
    let (lowered, observer) = Observer::new(system, component, COUNTED)
        .map_err(|TooManyEvents(events)| Unmined::TooManyEvents(events))?;
    let machine = Machine::transparent(&lowered.program);
    let mut search = Search::new(&machine);
    let mut watch = Watch { machine: &machine, observer };
    search.run(budget, &mut watch).map_err(Unmined::Exhausted)?;
    drop(search);
    Ok(mine::mine(watch.observer.finish()))
}

/// Shows each configuration that is found to the observer.
struct Watch<'a, 'p> {
    machine: &'a Machine<'p>,
    observer: Observer,
}

impl Visitor for Watch<'_, '_> {
    fn discovered(&mut self, _state: StateId, words: &[u64]) {
        let values = self.machine.program().values(&self.machine.numbers(words));
        self.observer.observe(&values);
    }

    fn expanded(&mut self, _state: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// What was mined as plain data, in the words of the system.
pub fn in_words(mined: &Mined, system: &System) -> model::Mined {
    let rules = mined.rules.iter().flat_map(|rule| mined.implications(rule, system));
    let rules =
        rules.map(|rule| model::MinedRule { when: rule.when, then: rule.then, support: rule.support });
    let assumptions = mined.assumptions(system).into_iter().map(model::Assumption::Rule);
    let lines = mined.lines(system).into_iter().map(|line| (line.text, line.support));
    model::Mined {
        configurations: mined.configurations.total(),
        rules: rules.collect(),
        redundant: mined.redundant,
        lines: lines.collect(),
        assumptions: assumptions.collect(),
    }
}
