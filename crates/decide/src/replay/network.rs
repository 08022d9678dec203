//! Re-executing runs of a network on its components.
//!
//! Straight from the definition of composition in [`Network`]: an action is taken by all components that have its name in
//! their alphabet and by no other, τ by one component alone, and a step of the low side of a priority only where nothing of
//! the high side is possible.

use std::collections::BTreeSet;

use rely_base::{Id, Label, StateId};
use rely_lts::{Lts, Network, Rank};

use super::{Last, Stage};
use crate::{Ending, Step};

/// The components, and the actions that are free to occur.
pub(super) struct Components<'a> {
    pub(super) network: &'a Network,
    pub(super) free: &'a [String],
}

impl Stage for Components<'_> {
    fn initial(&self) -> Vec<u32> {
        self.network.components().iter().map(|component| component.lts.initial().raw()).collect()
    }

    fn check_step(&self, step: &Step, _last: Option<Last>) -> Result<(), &'static str> {
        let Step { action, movers, before, after, .. } = step;
        if !self.is_tuple(before) || !self.is_tuple(after) {
            return Err("a component has no such state");
        }
        if self.has_failed(before) {
            return Err("nothing happens after an error");
        }
        let moves = |i: usize| movers.iter().any(|mover| mover.index() == i);
        if self.components().any(|i| !moves(i) && before[i] != after[i]) {
            return Err("a component moves that does not take part");
        }
        let silent = action == "tau";
        if silent && movers.len() != 1 {
            return Err("a silent step is one component's alone");
        }
        if !silent && self.components().any(|i| moves(i) != self.lts(i).alphabet().contains(action)) {
            return Err("those who take part are not those who have the action");
        }
        if !silent && movers.is_empty() && !self.free.contains(action) {
            return Err("no component has the action");
        }
        if self.components().any(|i| moves(i) && !self.has_edge(i, action, before[i], Some(after[i]))) {
            return Err("a component has no such transition");
        }
        if self.goes_first(action) == Some(false) && self.preferred_is_possible(before) {
            return Err("an action of higher priority is possible");
        }
        Ok(())
    }

    fn check_ending(
        &self,
        ending: Ending,
        state: &[u32],
        (cyclic, _): (bool, bool),
    ) -> Result<(), &'static str> {
        let stuck = !self.has_failed(state) && self.possible(state).next().is_none();
        let right = match ending {
            Ending::Deadlock => stuck && !cyclic && !self.is_end(state),
            Ending::Terminated => stuck && !cyclic && self.is_end(state),
            Ending::Error(component) => {
                !cyclic
                    && self.lts(component.index()).error()
                        == Some(StateId::from_raw(state[component.index()]))
            }
            Ending::Cycle => cyclic,
            Ending::BadPrefix => !cyclic,
        };
        if right { Ok(()) } else { Err("the run does not end as it says") }
    }

    /// Every step that the components can do together in a state: its action, and where it leads.
    fn steps(&self, state: &[u32]) -> Vec<(&str, Vec<u32>)> {
        let mut steps: Vec<(&str, Vec<u32>)> =
            self.free.iter().map(|action| (action.as_str(), state.to_vec())).collect();
        let mut names = BTreeSet::new();
        for i in self.components() {
            for edge in self.edges(i, state[i]) {
                match edge.label.action() {
                    Some(action) => drop(names.insert(self.lts(i).alphabet().name(action))),
                    None => steps.push(("tau", moved(state, i, edge.target.raw()))),
                }
            }
        }
        for name in names {
            let mut ends = vec![state.to_vec()];
            for i in self.components() {
                let Some(action) = self.lts(i).alphabet().get(name) else { continue };
                let edges = self.edges(i, state[i]).iter();
                let targets: Vec<u32> = edges
                    .filter(|edge| edge.label.action() == Some(action))
                    .map(|edge| edge.target.raw())
                    .collect();
                ends = ends.iter().flat_map(|end| targets.iter().map(|&to| moved(end, i, to))).collect();
            }
            steps.extend(ends.into_iter().map(|end| (name, end)));
        }
        if self.preferred_is_possible(state) {
            steps.retain(|(action, _)| self.goes_first(action) != Some(false));
        }
        steps
    }
}

impl Components<'_> {
    fn lts(&self, component: usize) -> &Lts {
        &self.network.components()[component].lts
    }

    fn edges(&self, component: usize, state: u32) -> &[rely_lts::Edge] {
        self.lts(component).edges(StateId::from_raw(state))
    }

    fn components(&self) -> std::ops::Range<usize> {
        0..self.network.components().len()
    }

    /// Whether some numbers are states of the components.
    fn is_tuple(&self, numbers: &[u32]) -> bool {
        numbers.len() == self.network.components().len()
            && self.components().all(|i| (numbers[i] as usize) < self.lts(i).state_count())
    }

    /// Whether a component has a transition with an action, to some state or to a given one.
    fn has_edge(&self, component: usize, action: &str, source: u32, target: Option<u32>) -> bool {
        let lts = self.lts(component);
        let label =
            if action == "tau" { Some(Label::TAU) } else { lts.alphabet().get(action).map(Label::visible) };
        lts.edges(StateId::from_raw(source))
            .iter()
            .any(|edge| Some(edge.label) == label && target.is_none_or(|target| target == edge.target.raw()))
    }

    /// Whether an action is on the high side of the priority; `None` if it is on no side, as free actions are.
    fn goes_first(&self, action: &str) -> Option<bool> {
        let priority = self.network.priority()?;
        let named = match action {
            "tau" => false,
            _ => *priority.actions.get(self.network.alphabet().get(action)?.index())?,
        };
        Some(named == (priority.rank == Rank::High))
    }

    /// Whether some action of the high side of the priority is possible.
    fn preferred_is_possible(&self, state: &[u32]) -> bool {
        self.possible(state).any(|action| self.goes_first(action) == Some(true))
    }

    /// The actions that are possible without regard to priority.
    fn possible<'a>(&'a self, state: &'a [u32]) -> impl Iterator<Item = &'a str> {
        let joint = move |name: &&str| {
            self.components()
                .all(|i| !self.lts(i).alphabet().contains(name) || self.has_edge(i, name, state[i], None))
        };
        let silent = self.components().any(|i| self.has_edge(i, "tau", state[i], None));
        let actions = self.network.alphabet().names().filter(joint);
        actions.chain(silent.then_some("tau")).chain(self.free.iter().map(String::as_str))
    }

    fn has_failed(&self, state: &[u32]) -> bool {
        self.components().any(|i| self.lts(i).error() == Some(StateId::from_raw(state[i])))
    }

    /// Whether every component with an end state is in it, there is one, and no other component has an action of its
    /// own.
    fn is_end(&self, state: &[u32]) -> bool {
        let ends = |i: &usize| self.lts(*i).end().is_some();
        let known =
            |name: &str| self.components().filter(ends).any(|i| self.lts(i).alphabet().contains(name));
        self.components().any(|i| ends(&i))
            && self
                .components()
                .all(|i| if ends(&i) { self.lts(i).end() == Some(StateId::from_raw(state[i])) } else { true })
            && self.components().filter(|i| !ends(i)).all(|i| self.lts(i).alphabet().names().all(known))
    }
}

/// The state with one component moved to another state.
fn moved(state: &[u32], component: usize, target: u32) -> Vec<u32> {
    let mut after = state.to_vec();
    after[component] = target;
    after
}
