//! Coverage: which parts of the components, and of a property, were ever exercised.
//!
//! **Problem.** A property that holds may hold for a poor reason: nothing that it speaks about happens, or a component
//! is blocked early on, and most of it never runs. Which states and transitions of each component occur in some run of
//! the whole network? And does the network ever come near to what a property forbids?
//!
//! **Idea.** In a reachable state of the network, a label that is possible is possible with every choice of its
//! participants: if `a` occurs, all transitions with `a` from the states that the participants are in are taken in some
//! run, and likewise for τ. So one breadth-first search suffices that looks at the source and at the labels of each
//! transition, and never at targets of the network; a component visits the targets of what it takes.
//!
//! A transition into the error state is *approached* if some other participant is ready for its action while the
//! component is at its source. If all of them are, the network fails; otherwise one keeps it from failing, and a
//! shortest run to such a state is a witness that the property forbids something that another component is ready to
//! do.
//!
//! **Invariants.** What is marked occurs in some run. What is not marked does not, if the search was exhaustive.
//!
//! **Complexity.** That of the search, times the participants of an action.
//!
//! Of a program, the commands are exercised in the same sense (`coverage/program.rs`).
//!
//! **Callers.** `rely verify --explanation` and `--coverage`.

mod program;

pub use program::{ProgramCoverage, program_coverage};

use std::ops::ControlFlow;

use rely_base::{Budget, Id, Label, StateId};
use rely_explore::{Product, Search, Visitor};
use rely_lts::{ComponentId, Lts, Network};

use crate::counterexample::{Storyteller, steps_to};
use crate::replay::replay_steps;
use crate::{Explored, ReplayError, Step};

/// What was exercised in a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coverage {
    /// By component.
    pub components: Vec<Exercised>,
    /// By action of the network, whether it occurs.
    pub actions: Vec<bool>,
    /// What was explored.
    pub explored: Explored,
    /// Whether everything was explored, so that what was not exercised cannot be.
    pub is_exhaustive: bool,
    /// A run that exercises the goal, if one was found.
    pub witness: Option<Witness>,
}

/// What was exercised of a component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exercised {
    /// By state, whether it was visited; also if something else fails in the same step.
    pub states: Vec<bool>,
    /// Whether a transition was taken, in the order of [`Lts::transitions`].
    pub transitions: Vec<bool>,
    /// Whether a transition into the error state was taken or came near to it, in the same order.
    pub approached: Vec<bool>,
}

/// A shortest run that exercises a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The run.
    pub steps: Vec<Step>,
    /// What can be seen at its end.
    pub sight: Sight,
}

/// What a witness shows at its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sight {
    /// A component of the goal forbids an action that others are ready for, and some refuse.
    Near {
        /// The component of the goal.
        goal: ComponentId,
        /// The action.
        action: String,
        /// The participants that are ready for it.
        ready: Vec<ComponentId>,
        /// The participants that refuse it.
        refusing: Vec<ComponentId>,
    },
    /// A component of the goal has taken part in the last step.
    Moved {
        /// The component of the goal.
        goal: ComponentId,
    },
}

/// Computes what is exercised in a network, and a witness for the components of a goal. If a limit is met, the result
/// is marked as not exhaustive.
///
/// # Errors
/// A witness that could not be replayed: a mistake in the program.
pub fn coverage(
    network: &Network,
    goal: &[ComponentId],
    budget: &Budget<'_>,
) -> Result<Coverage, ReplayError> {
    let product = Product::transparent(network);
    let mut search = Search::new(&product);
    let mut marks = Marks::new(&product, goal);
    let outcome = search.run(budget, &mut marks);
    let explored = Explored { states: search.states().len(), transitions: search.transitions() };
    let found = match (marks.near.take(), marks.moved.take()) {
        (Some((state, sight)), _) => Some((state, None, sight)),
        (None, Some((source, label, target, goal))) => {
            Some((source, Some((label, target)), Sight::Moved { goal }))
        }
        (None, None) => None,
    };
    // A witness that does not fit into the budget is left out.
    let witness = found.and_then(|(state, last, sight)| {
        let mut steps = steps_to(&product, &mut search, state, budget, marks.bytes()).ok()?;
        let held = search.bytes() + marks.bytes();
        let story = Storyteller { system: &product, states: search.states(), budget, held }.after(&steps);
        steps.extend(story.steps(state, last.into_iter()).ok()?);
        Some(Witness { steps, sight })
    });
    if let Some(witness) = &witness {
        replay_steps(network.into(), &witness.steps)?;
    }
    let Marks { components, mut seen, .. } = marks;
    seen.remove(Label::TAU.index());
    let components = components.into_iter().map(Tally::exercised).collect();
    Ok(Coverage { components, actions: seen, explored, is_exhaustive: outcome.is_ok(), witness })
}

/// Collects what is exercised while a network is searched.
struct Marks<'p, 'n> {
    product: &'p Product<'n>,
    components: Vec<Tally<'n>>,
    goal: &'p [ComponentId],
    /// The labels of the state that is being expanded, without repetition.
    labels: Vec<Label>,
    /// By label, whether it occurs.
    seen: Vec<bool>,
    /// The first state in which a component of the goal forbids an action that others are ready for.
    near: Option<(StateId, Sight)>,
    /// The first step that a component of the goal has taken part in.
    moved: Option<(StateId, Label, StateId, ComponentId)>,
}

/// What was exercised of a component so far.
struct Tally<'n> {
    lts: &'n Lts,
    states: Vec<bool>,
    transitions: Vec<bool>,
    approached: Vec<bool>,
    /// By state, the number of its first transition.
    first: Vec<usize>,
    /// By action of the network, the component's own label.
    own: Vec<Option<Label>>,
}

impl<'n> Tally<'n> {
    fn new(network: &'n Network, id: ComponentId) -> Self {
        let lts: &Lts = &network.components()[id.index()].lts;
        let mut count = 0;
        let mut first = Vec::with_capacity(lts.state_count());
        for state in lts.states() {
            first.push(count);
            count += lts.edges(state).len();
        }
        let mut own = vec![None; network.alphabet().len()];
        for (i, action) in network.actions_of(id).iter().enumerate() {
            own[action.index()] = Some(Label::visible(rely_base::ActionId::from_index(i)));
        }
        // If a network begins in an error state, no state is expanded; the initial states are visited nevertheless.
        let mut states = vec![false; lts.state_count()];
        states[lts.initial().index()] = true;
        Self { lts, states, first, transitions: vec![false; count], approached: vec![false; count], own }
    }

    /// The component's own label for a label of the network.
    fn own(&self, label: Label) -> Option<Label> {
        label.action().map_or(Some(Label::TAU), |action| self.own[action.index()])
    }

    /// The transitions of a state with a label, by number.
    fn numbers(&self, state: StateId, label: Label) -> std::ops::Range<usize> {
        let before = self.lts.edges(state).partition_point(|edge| edge.label < label);
        let first = self.first[state.index()] + before;
        first..first + self.lts.edges_with(state, label).len()
    }

    /// Marks all transitions of a state with a label, and their targets. The targets have to be marked here, because
    /// the search does not continue after a failure and so would miss where the others go in that step.
    fn take(&mut self, state: StateId, label: Label) {
        let numbers = self.numbers(state, label);
        self.transitions[numbers.clone()].fill(true);
        for edge in self.lts.edges_with(state, label) {
            self.states[edge.target.index()] = true;
            if self.lts.error() == Some(edge.target) {
                self.approached[numbers.clone()].fill(true);
            }
        }
    }

    fn exercised(self) -> Exercised {
        let Self { lts, states, transitions, approached, .. } = self;
        let into_error = lts.transitions().map(|transition| lts.error() == Some(transition.target));
        let approached = approached.into_iter().zip(into_error).map(|(near, error)| near && error).collect();
        Exercised { states, transitions, approached }
    }
}

impl<'p, 'n> Marks<'p, 'n> {
    fn new(product: &'p Product<'n>, goal: &'p [ComponentId]) -> Self {
        let network = product.network();
        let ids = (0..network.components().len()).map(ComponentId::from_index);
        Self {
            product,
            components: ids.map(|id| Tally::new(network, id)).collect(),
            goal,
            labels: Vec::new(),
            seen: vec![false; 1 + network.alphabet().len()],
            near: None,
            moved: None,
        }
    }

    fn note(&mut self, label: Label) {
        if self.labels.last() != Some(&label) && !self.labels.contains(&label) {
            self.labels.push(label);
        }
    }

    /// Marks what the labels of a state exercise.
    fn mark(&mut self, states: &[StateId]) {
        let labels = std::mem::take(&mut self.labels);
        for &label in &labels {
            self.seen[label.index()] = true;
            match label.action() {
                Some(action) => {
                    for &id in self.product.network().participants(action) {
                        let tally = &mut self.components[id.index()];
                        let own = tally.own(label).expect("a participant has the action");
                        tally.take(states[id.index()], own);
                    }
                }
                None => {
                    self.components.iter_mut().zip(states).for_each(|(tally, &s)| tally.take(s, Label::TAU));
                }
            }
        }
        self.labels = labels;
        self.labels.clear();
    }

    /// Marks transitions into error states that are approached in a state.
    fn approach(&mut self, number: StateId, states: &[StateId]) {
        let network = self.product.network();
        for i in 0..states.len() {
            let id = ComponentId::from_index(i);
            let lts = self.components[i].lts;
            let Some(error) = lts.error() else { continue };
            let is_goal = self.goal.contains(&id);
            for edge in lts.edges(states[i]).iter().filter(|edge| edge.target == error) {
                let Some(own) = edge.label.action() else { continue };
                let numbers = self.components[i].numbers(states[i], edge.label);
                let is_known = self.components[i].approached[numbers.start];
                if is_known && (self.near.is_some() || !is_goal) {
                    continue;
                }
                let action = network.actions_of(id)[own.index()];
                let others = network.participants(action).iter().copied().filter(|&other| other != id);
                let (ready, refusing): (Vec<_>, Vec<_>) =
                    others.partition(|&other| self.is_ready(other, states, Label::visible(action)));
                if ready.is_empty() {
                    continue;
                }
                self.components[i].approached[numbers].fill(true);
                if is_goal && !refusing.is_empty() && self.near.is_none() {
                    let action = network.alphabet().name(action).to_owned();
                    self.near = Some((number, Sight::Near { goal: id, action, ready, refusing }));
                }
            }
        }
    }

    fn is_ready(&self, component: ComponentId, states: &[StateId], label: Label) -> bool {
        let tally = &self.components[component.index()];
        tally.own(label).is_some_and(|own| !tally.lts.edges_with(states[component.index()], own).is_empty())
    }
}

impl Visitor for Marks<'_, '_> {
    fn discovered(&mut self, _state: StateId, words: &[u64]) {
        for (tally, state) in self.components.iter_mut().zip(self.product.unpack(words)) {
            tally.states[state.index()] = true;
        }
    }

    fn transition(&mut self, source: StateId, label: Label, target: StateId) {
        self.note(label);
        if self.moved.is_none()
            && let Some(action) = label.action()
            && let Some(&goal) =
                self.goal.iter().find(|goal| self.product.network().participants(action).contains(goal))
        {
            self.moved = Some((source, label, target, goal));
        }
    }

    fn error(&mut self, _source: Option<StateId>, label: Label, _component: ComponentId) {
        // Without a source, no state is expanded, so what is noted here has no effect.
        self.note(label);
    }

    fn expanded(&mut self, state: StateId, words: &[u64], _transitions: usize) -> ControlFlow<()> {
        let states = self.product.unpack(words);
        self.mark(&states);
        self.approach(state, &states);
        ControlFlow::Continue(())
    }

    fn bytes(&self) -> usize {
        self.components.iter().map(|tally| 2 * tally.transitions.len() + tally.states.len()).sum()
    }
}

#[cfg(test)]
mod tests;
