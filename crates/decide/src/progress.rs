//! Progress: no matter what has happened, some action of a set will happen again and again.
//!
//! Problem: under *fair choice*, where a transition of a state that is visited infinitely often is taken infinitely
//! often, does every infinite run contain infinitely many actions of the set? A conditional property asks this only of
//! the runs that contain infinitely many actions of its condition.
//!
//! Source: [Magee & Kramer 1999]. Idea: a fair run ends in a *terminal* strongly connected component of the reachable
//! graph, one that no edge leaves, and takes all its edges for ever. So the property is violated exactly if some
//! terminal component has no edge labelled from the set (and, if there is a condition, has one labelled from that). A
//! state without transitions is a terminal component without edges, whether it is a deadlock or the end.
//!
//! The error state is not a terminal component, and no claim is made about what happens after an error. So a terminal
//! component without the actions is a violation, whether or not an error is reachable; but if one is, the property
//! does not hold. Then it suffices to look at some of the states (`progress/beside_error.rs`).
//!
//! Cost: time O(properties × transitions), memory 8 bytes per transition besides the search.

mod beside_error;

#[cfg(test)]
mod tests;

use rely_base::{Alphabet, Budget, Exhausted, Label, StateId};
use rely_explore::{Composite, Graph, Machine, Outcome, Product, SccIndex, Search, System};
use rely_lts::{BehaviourRef, Edge};
use rely_omega::ProgressProperty;
use rustc_hash::FxHashSet;

use crate::counterexample::{Storyteller, names_of, steps_to};
use crate::reachability::ending_in;
use crate::several::{Several, replayed};
use crate::{Counterexample, Decision, Ending, Explored, ReplayError, Step, Unknown, Vacuity};

/// Checks progress properties, in all states; the decisions are in the order of the properties.
///
/// # Errors
/// A counterexample that could not be replayed: a mistake in the program.
pub fn check_progress<'b>(
    behaviour: impl Into<BehaviourRef<'b>>,
    properties: &[ProgressProperty],
    budget: &Budget<'_>,
) -> Result<Vec<Decision>, ReplayError> {
    ProgressInquiry::ALL_STATES.check(behaviour, properties, budget)
}

/// Checks, in all states, that every action of the alphabet stays possible for ever: the default if no progress
/// property is given.
///
/// # Errors
/// A counterexample that could not be replayed: a mistake in the program.
pub fn check_default_progress<'b>(
    behaviour: impl Into<BehaviourRef<'b>>,
    budget: &Budget<'_>,
) -> Result<Decision, ReplayError> {
    ProgressInquiry::ALL_STATES.check_every_action(behaviour, budget)
}

/// How thoroughly progress is checked.
#[derive(Clone, Copy, Debug)]
pub struct ProgressInquiry {
    /// Maximum number of transitions for each of two searches, if an error is known to be reachable; `None` if all
    /// states are to be explored.
    most: Option<usize>,
}

impl ProgressInquiry {
    /// In all states.
    pub const ALL_STATES: Self = Self { most: None };

    /// The minimum effort, however soon an error is found: a fraction of a millisecond of work, so that checking
    /// progress as well takes less than twice the time of reading a small model and finding its error.
    const LEAST: usize = 1 << 11;

    /// The effort if an error is known to be reachable: about as much as was explored until the error was found. The
    /// two searches share it.
    pub fn beside_error(explored: Explored) -> Self {
        Self { most: Some(Self::LEAST.max(explored.transitions / 2)) }
    }

    /// Checks progress properties; the decisions are in their order.
    ///
    /// # Errors
    /// A counterexample that could not be replayed: a mistake in the program.
    pub fn check<'b>(
        self,
        behaviour: impl Into<BehaviourRef<'b>>,
        properties: &[ProgressProperty],
        budget: &Budget<'_>,
    ) -> Result<Vec<Decision>, ReplayError> {
        let behaviour = behaviour.into();
        let alphabet = behaviour.alphabet();
        let goals: Vec<Goal> = properties.iter().map(|property| Goal::of(alphabet, property)).collect();
        self.decide(behaviour, &goals, budget)
    }

    /// Checks that every action of the alphabet stays possible for ever.
    ///
    /// # Errors
    /// A counterexample that could not be replayed: a mistake in the program.
    pub fn check_every_action<'b>(
        self,
        behaviour: impl Into<BehaviourRef<'b>>,
        budget: &Budget<'_>,
    ) -> Result<Decision, ReplayError> {
        let decisions = self.decide(behaviour.into(), &[Goal::EveryAction], budget)?;
        Ok(decisions.into_iter().next().expect("one goal, one decision"))
    }

    /// Looks for at most `most` violations that end in different terminal sets of states: of a progress property, or
    /// of the progress of every action if `property` is not given.
    ///
    /// # Errors
    /// A counterexample that could not be replayed: a mistake in the program.
    pub fn several<'b>(
        behaviour: impl Into<BehaviourRef<'b>>,
        property: Option<&ProgressProperty>,
        most: usize,
        budget: &Budget<'_>,
    ) -> Result<Several, ReplayError> {
        let behaviour = behaviour.into();
        let goal = property.map_or(Goal::EveryAction, |property| Goal::of(behaviour.alphabet(), property));
        match behaviour {
            BehaviourRef::Network(network) => several(&Product::transparent(network), &goal, most, budget),
            BehaviourRef::Program(program) => several(&Machine::transparent(program), &goal, most, budget),
        }
    }

    fn decide(
        self,
        behaviour: BehaviourRef<'_>,
        goals: &[Goal],
        budget: &Budget<'_>,
    ) -> Result<Vec<Decision>, ReplayError> {
        match behaviour {
            BehaviourRef::Network(network) => {
                self.decide_system(&Product::transparent(network), goals, budget)
            }
            BehaviourRef::Program(program) => {
                self.decide_system(&Machine::transparent(program), goals, budget)
            }
        }
    }

    fn decide_system<C: Composite>(
        self,
        system: &C,
        goals: &[Goal],
        budget: &Budget<'_>,
    ) -> Result<Vec<Decision>, ReplayError> {
        if let Some(most) = self.most {
            return beside_error::decide(system, goals, most, budget);
        }
        let explored = Graph::explore_some(system, usize::MAX, budget);
        match explored.and_then(|explored| Components::new(system, explored, budget)) {
            Err(exhausted) => Ok(vec![Decision::exhausted(exhausted); goals.len()]),
            Ok(mut components) => goals.iter().map(|goal| components.decide(goal)).collect(),
        }
    }
}

fn several<C: Composite>(
    system: &C,
    goal: &Goal,
    most: usize,
    budget: &Budget<'_>,
) -> Result<Several, ReplayError> {
    let explored = Graph::explore_some(system, usize::MAX, budget);
    let Ok(mut components) = explored.and_then(|explored| Components::new(system, explored, budget)) else {
        return Ok(Several::default());
    };
    let states: Vec<StateId> = components.all_violating(goal).take(most).collect();
    let mut several = Several { runs: Vec::new(), are_all: components.is_complete && states.len() < most };
    for state in states {
        let told = components.tell(state, goal);
        several.add(replayed(system.behaviour(), told, components.explored, budget)?);
    }
    Ok(several)
}

/// What has to happen infinitely often, in the labels of a behaviour.
enum Goal {
    /// At least one of the wanted labels, if at least one of the condition does.
    Some { wanted: Vec<bool>, condition: Option<Vec<bool>> },
    /// Every action of the alphabet.
    EveryAction,
}

impl Goal {
    fn of(alphabet: &Alphabet, property: &ProgressProperty) -> Self {
        let condition = property.condition.as_ref().map(|condition| members(alphabet, condition));
        Self::Some { wanted: members(alphabet, &property.actions), condition }
    }

    /// The wanted actions that do not recur, in dictionary order.
    fn wanted(&self, alphabet: &Alphabet, recurring: &[String]) -> Vec<String> {
        let is_wanted = |label: Label| match self {
            Self::Some { wanted, .. } => wanted[label.index()],
            Self::EveryAction => true,
        };
        let wanted = alphabet.iter().filter(|&(action, _)| is_wanted(Label::visible(action)));
        let mut names: Vec<String> = wanted.map(|(_, name)| name.to_owned()).collect();
        names.sort_unstable();
        names.retain(|name| recurring.binary_search(name).is_err());
        names
    }

    /// The labels of the condition, if there is one.
    fn condition(&self) -> Option<&[bool]> {
        match self {
            Self::Some { condition, .. } => condition.as_deref(),
            Self::EveryAction => None,
        }
    }

    /// Why the goal may hold vacuously.
    fn vacuity(&self) -> Vec<Vacuity> {
        let Self::Some { wanted, condition } = self else { return Vec::new() };
        let mut notes = Vec::new();
        if condition.as_ref().is_some_and(|condition| !condition.contains(&true)) {
            notes.push(Vacuity::ConditionWithoutActions);
        }
        if !wanted.contains(&true) {
            notes.push(Vacuity::ProgressWithoutActions);
        }
        notes
    }
}

/// By label, whether it is one of the named actions.
fn members(alphabet: &Alphabet, names: &[String]) -> Vec<bool> {
    let mut members = vec![false; 1 + alphabet.len()];
    for action in names.iter().filter_map(|name| alphabet.get(name)) {
        members[Label::visible(action).index()] = true;
    }
    members
}

/// The graph of what a part of a behaviour's system reaches, and its terminal components.
struct Components<'p, C, S: System> {
    system: &'p C,
    budget: &'p Budget<'p>,
    search: Search<'p, S>,
    graph: Graph,
    scc: SccIndex,
    /// By component, whether it is terminal: no edge leaves it.
    terminal: Vec<bool>,
    /// What was explored in all.
    explored: Explored,
    /// Whether these are all states of the system. If not, there may be further terminal components.
    is_complete: bool,
    /// The steps from the initial state of the behaviour to that of the part; there may be a shorter path.
    lead: Vec<Step>,
}

impl<'p, C: Composite, S: System> Components<'p, C, S> {
    /// The components of a part that starts in the initial state of the behaviour.
    fn new(
        system: &'p C,
        (graph, search, outcome): (Graph, Search<'p, S>, Outcome),
        budget: &'p Budget<'p>,
    ) -> Result<Self, Exhausted> {
        let explored = Explored { states: search.states().len(), transitions: search.transitions() };
        let scc = SccIndex::new(&graph, |_, _| true, budget, search.bytes())?;
        let terminal = scc.terminal(&graph);
        let is_complete = outcome == Outcome::Complete;
        Ok(Self { system, budget, search, graph, scc, terminal, explored, is_complete, lead: Vec::new() })
    }

    fn decide(&mut self, goal: &Goal) -> Result<Decision, ReplayError> {
        match self.violating(goal) {
            Some(state) => self.violated(state, goal),
            None if !self.is_complete => Ok(Decision::unknown(Unknown::GivenUpBesideError, self.explored)),
            None if self.graph.error().is_some() => {
                Ok(Decision::unknown(Unknown::ErrorReachable, self.explored))
            }
            None => Ok(match self.graph.cut() {
                Some((_, _, unit)) => Decision::unknown(Unknown::Cut(unit), self.explored),
                None => Decision::holds(self.explored, self.vacuity(goal)),
            }),
        }
    }

    /// Why a goal that holds may hold vacuously.
    fn vacuity(&self, goal: &Goal) -> Vec<Vacuity> {
        let mut notes = goal.vacuity();
        let recurs = |condition: &[bool]| self.components_with(condition).contains(&true);
        if notes.is_empty() && goal.condition().is_some_and(|condition| !recurs(condition)) {
            notes.push(Vacuity::ConditionNeverRecurs);
        }
        notes
    }

    /// The first state of a terminal component that violates a goal.
    fn violating(&self, goal: &Goal) -> Option<StateId> {
        self.all_violating(goal).next()
    }

    /// The first state of each terminal component that violates a goal, nearest first.
    fn all_violating(&self, goal: &Goal) -> impl Iterator<Item = StateId> {
        let lacks: Vec<bool> = match goal {
            Goal::EveryAction => self.components_without_some_action(),
            Goal::Some { wanted, condition } => {
                let good = self.components_with(wanted);
                let bad = condition.as_ref().map(|condition| self.components_with(condition));
                let lacks =
                    |component: usize| !good[component] && bad.as_ref().is_none_or(|bad| bad[component]);
                (0..self.scc.count()).map(lacks).collect()
            }
        };
        let mut is_left: Vec<bool> =
            self.terminal.iter().zip(lacks).map(|(terminal, lacks)| *terminal && lacks).collect();
        self.graph.states().filter(move |state| std::mem::take(&mut is_left[self.scc.of(*state)]))
    }

    /// For each terminal component, whether some action of the alphabet does not occur in it.
    fn components_without_some_action(&self) -> Vec<bool> {
        let mut seen: FxHashSet<(usize, Label)> = FxHashSet::default();
        let mut kinds = vec![0; self.scc.count()];
        for state in self.graph.states().filter(|&state| self.terminal[self.scc.of(state)]) {
            let component = self.scc.of(state);
            for edge in self.graph.edges(state) {
                if !edge.label.is_tau() && seen.insert((component, edge.label)) {
                    kinds[component] += 1;
                }
            }
        }
        let all = self.system.alphabet().len();
        kinds.into_iter().map(|kinds| kinds < all).collect()
    }

    /// For each terminal component, whether one of the labels occurs on an edge inside it.
    fn components_with(&self, members: &[bool]) -> Vec<bool> {
        let mut found = vec![false; self.scc.count()];
        for state in self.graph.states().filter(|&state| self.terminal[self.scc.of(state)]) {
            found[self.scc.of(state)] |=
                self.graph.edges(state).iter().any(|edge| members[edge.label.index()]);
        }
        found
    }

    /// The shortest run to a state of a terminal component, and a short cycle in it, which takes an action of the
    /// condition if there is one.
    fn violated(&mut self, state: StateId, goal: &Goal) -> Result<Decision, ReplayError> {
        let told = self.tell(state, goal);
        Decision::violated(self.system.behaviour(), told, self.explored, self.budget)
    }

    fn tell(&mut self, state: StateId, goal: &Goal) -> Result<Counterexample, Exhausted> {
        let (system, budget, held) = (self.system, self.budget, self.graph.bytes());
        let mut trace = self.lead.clone();
        trace.append(&mut steps_to(system, &mut self.search, state, budget, held)?);
        let states = self.search.states();
        let story = Storyteller { system, states, budget, held: held + self.search.bytes() }.after(&trace);
        let cycle = self.cycle_from(state, goal.condition());
        let ending = match cycle.is_empty() {
            true => ending_in(system, states.get(state)),
            false => Ending::Cycle,
        };
        let cycle = story.steps(state, cycle.iter().map(|edge| (edge.label, edge.target)))?;
        let recurring = self.recurring(self.scc.of(state));
        // No shorter run is possible after at most one step: a terminal component leads to no other one.
        let is_shortest = self.is_complete && self.lead.is_empty() || trace.len() < 2;
        let run = Counterexample::new(system.behaviour(), trace, ending);
        let wanted = goal.wanted(self.system.alphabet(), &recurring);
        Ok(Counterexample { cycle, recurring, wanted, is_shortest, ..run })
    }

    fn cycle_from(&self, state: StateId, condition: Option<&[bool]>) -> Vec<Edge> {
        let back_from = |from: StateId| {
            self.graph.shortest_path(from, |_, _| true, |_, edge| edge.target == state).unwrap_or_default()
        };
        let Some(condition) = condition else { return back_from(state) };
        let through = self.graph.shortest_path(state, |_, _| true, |_, edge| condition[edge.label.index()]);
        let mut cycle = through.expect("the condition occurs in the component");
        let last = cycle.last().expect("a path has at least one edge").target;
        if last != state {
            cycle.extend(back_from(last));
        }
        cycle
    }

    /// The names of the actions inside a terminal component.
    fn recurring(&self, component: usize) -> Vec<String> {
        let members = self.graph.states().filter(|&state| self.scc.of(state) == component);
        let labels: FxHashSet<Label> =
            members.flat_map(|state| self.graph.edges(state)).map(|edge| edge.label).collect();
        names_of(labels, self.system.alphabet())
    }
}
