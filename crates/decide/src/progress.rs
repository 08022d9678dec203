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
//! Cost: time O(properties × transitions), memory 8 bytes per transition besides the search. Where the error state is
//! reachable there is no answer, since nothing is said about what happens after an error.

use rely_base::{Budget, Exhausted, Label, StateId};
use rely_explore::{Graph, Product, SccIndex, Search};
use rely_lts::{Edge, Network};
use rustc_hash::FxHashSet;

use crate::counterexample::{Storyteller, steps_to};
use crate::reachability::ending_in;
use crate::{Counterexample, Decision, Ending, Explored, Limit, ReplayError, Unknown, Vacuity};

/// A set of actions of which some must always happen again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgressProperty {
    /// Its name in the user's text.
    pub name: String,
    /// Only runs in which some of these happen again and again are asked about.
    pub condition: Option<Vec<String>>,
    /// The set.
    pub actions: Vec<String>,
}

/// Checks progress properties, in one exploration; the decisions are in the order of the properties.
///
/// # Errors
/// A counterexample that could not be replayed: a mistake in the program.
pub fn check_progress(
    network: &Network,
    properties: &[ProgressProperty],
    budget: &Budget<'_>,
) -> Result<Vec<Decision>, ReplayError> {
    let product = Product::transparent(network);
    match Terminal::explore(&product, budget) {
        Err(unknown) => Ok(vec![unknown; properties.len()]),
        Ok(mut terminal) => properties.iter().map(|property| terminal.check(property)).collect(),
    }
}

/// Checks that every action of the alphabet stays possible for ever: what is asked where no progress property is
/// given.
///
/// # Errors
/// A counterexample that could not be replayed: a mistake in the program.
pub fn check_default_progress(network: &Network, budget: &Budget<'_>) -> Result<Decision, ReplayError> {
    let product = Product::transparent(network);
    match Terminal::explore(&product, budget) {
        Err(unknown) => Ok(unknown),
        Ok(mut terminal) => terminal.check_every_action(),
    }
}

/// The reachable graph of a network and its terminal components.
struct Terminal<'p, 'n> {
    product: &'p Product<'n>,
    budget: &'p Budget<'p>,
    search: Search<'p, Product<'n>>,
    graph: Graph,
    scc: SccIndex,
    /// By component, whether no edge leaves it.
    terminal: Vec<bool>,
    explored: Explored,
}

impl<'p, 'n> Terminal<'p, 'n> {
    fn explore(product: &'p Product<'n>, budget: &'p Budget<'p>) -> Result<Self, Decision> {
        let (graph, search) =
            Graph::explore(product, budget).map_err(|e: Exhausted| Decision::exhausted(e))?;
        let explored = Explored { states: search.states().len(), transitions: search.transitions() };
        if graph.error().is_some() {
            return Err(Decision::unknown(Unknown::ErrorReachable, explored));
        }
        let scc = SccIndex::new(&graph, |_, _| true, budget, search.bytes())
            .map_err(|exhausted| Decision::unknown(Limit::Answer(exhausted), explored))?;
        let terminal = scc.terminal(&graph);
        Ok(Self { product, budget, search, graph, scc, terminal, explored })
    }

    fn network(&self) -> &'n Network {
        self.product.network()
    }

    fn check(&mut self, property: &ProgressProperty) -> Result<Decision, ReplayError> {
        let wanted = self.members(&property.actions);
        let condition = property.condition.as_ref().map(|condition| self.members(condition));
        let good = self.components_with(&wanted);
        let bad = condition.as_ref().map(|condition| self.components_with(condition));
        let violates = |state: &StateId| {
            let component = self.scc.of(*state);
            self.terminal[component] && !good[component] && bad.as_ref().is_none_or(|bad| bad[component])
        };
        match self.graph.states().find(violates) {
            Some(state) => self.violated(state, condition.as_deref()),
            None => {
                let mut notes = vacuity(&wanted, condition.as_deref());
                if notes.is_empty() && bad.is_some_and(|bad| !bad.contains(&true)) {
                    notes.push(Vacuity::ConditionNeverRecurs);
                }
                Ok(Decision::holds(self.explored, notes))
            }
        }
    }

    fn check_every_action(&mut self) -> Result<Decision, ReplayError> {
        let wanted = self.network().alphabet().len();
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
        let violates = |state: &StateId| {
            let component = self.scc.of(*state);
            self.terminal[component] && kinds[component] < wanted
        };
        match self.graph.states().find(violates) {
            Some(state) => self.violated(state, None),
            None => Ok(Decision::holds(self.explored, Vec::new())),
        }
    }

    /// By label, whether it is one of the named actions.
    fn members(&self, names: &[String]) -> Vec<bool> {
        let alphabet = self.network().alphabet();
        let mut members = vec![false; 1 + alphabet.len()];
        for action in names.iter().filter_map(|name| alphabet.get(name)) {
            members[Label::visible(action).index()] = true;
        }
        members
    }

    /// By strongly connected component, whether one of the labels occurs on an edge inside it.
    fn components_with(&self, members: &[bool]) -> Vec<bool> {
        let mut found = vec![false; self.scc.count()];
        for state in self.graph.states().filter(|&state| self.terminal[self.scc.of(state)]) {
            found[self.scc.of(state)] |=
                self.graph.edges(state).iter().any(|edge| members[edge.label.index()]);
        }
        found
    }

    /// The shortest run to a state of a terminal component, and a short cycle in it, through the condition if there
    /// is one.
    fn violated(&mut self, state: StateId, condition: Option<&[bool]>) -> Result<Decision, ReplayError> {
        let told = self.tell(state, condition);
        Decision::violated(self.network(), told, self.explored, self.budget)
    }

    fn tell(&mut self, state: StateId, condition: Option<&[bool]>) -> Result<Counterexample, Exhausted> {
        let (product, budget, held) = (self.product, self.budget, self.graph.bytes());
        let trace = steps_to(product, &mut self.search, state, budget, held)?;
        let states = self.search.states();
        let story = Storyteller { product, states, budget, held: held + self.search.bytes() }.after(&trace);
        let cycle = self.cycle_from(state, condition);
        let ending = match cycle.is_empty() {
            true => ending_in(product, states.get(state)),
            false => Ending::Cycle,
        };
        let cycle = story.steps(state, cycle.iter().map(|edge| (edge.label, edge.target)))?;
        let recurring = self.recurring(self.scc.of(state));
        Ok(Counterexample { cycle, recurring, ..Counterexample::new(self.network(), trace, ending) })
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
        let alphabet = self.network().alphabet();
        let mut names: Vec<String> = labels
            .into_iter()
            .filter(|label| !label.is_tau())
            .map(|label| alphabet.label_name(label).to_owned())
            .collect();
        names.sort_unstable();
        names
    }
}

/// Why a property may hold for a poor reason.
fn vacuity(wanted: &[bool], condition: Option<&[bool]>) -> Vec<Vacuity> {
    let mut notes = Vec::new();
    if condition.is_some_and(|condition| !condition.contains(&true)) {
        notes.push(Vacuity::ConditionWithoutActions);
    }
    if !wanted.contains(&true) {
        notes.push(Vacuity::ProgressWithoutActions);
    }
    notes
}
