//! Progress where an error is reachable.
//!
//! Problem: if an error is reachable the property does not hold, since no claim is made about runs after an error;
//! but it may also be violated, by a terminal component from which no error is reachable. Finding out for certain
//! takes all states, and the error has to be corrected first anyway. So a violation is looked for with a bounded
//! effort.
//!
//! Idea: two searches of the same number of transitions. The first goes level by level, and finds near terminal
//! components: those that lie within the states that it has expanded. If it explores everything, the answer is as
//! without an error. If not, the second looks for terminal components on the fly ([`TerminalSearch`]), depth first,
//! which is far away after a few steps. What either finds is certainly a violation. The path to a component of the
//! second search is a shortest one among the states of the first, or else among its own.
//!
//! Cost: time and memory of at most four times the allowed transitions: for both searches, for the component that was
//! found, and for the path to it.

use std::ops::ControlFlow;

use rely_base::{Budget, Exhausted, Id, StateId};
use rely_explore::{Composite, Graph, Part, Search, StateSet, Terminal, TerminalSearch, Visitor};

use super::{Components, Goal};
use crate::counterexample::steps_to;
use crate::replay::Stopped;
use crate::{Decision, Explored, Limit, ReplayError, Step, Unknown, Verdict};

/// The cost of examining a component, in transitions, in addition to its own transitions.
const PER_COMPONENT: usize = 64;

/// Decides goals with two searches, each of at most `most` transitions.
pub(super) fn decide<C: Composite>(
    system: &C,
    goals: &[Goal],
    most: usize,
    budget: &Budget<'_>,
) -> Result<Vec<Decision>, ReplayError> {
    let near = Graph::explore_some(system, most, budget);
    let mut near = match near.and_then(|explored| Components::new(system, explored, budget)) {
        Ok(near) => near,
        Err(exhausted) => return Ok(vec![Decision::exhausted(exhausted); goals.len()]),
    };
    let decisions: Vec<Decision> = goals.iter().map(|goal| near.decide(goal)).collect::<Result<_, _>>()?;
    let is_open = |decision: &Decision| decision.verdict == Verdict::Unknown(Unknown::GivenUpBesideError);
    if !decisions.iter().any(is_open) {
        return Ok(decisions);
    }
    let budget = budget.after_holding(near.graph.bytes() + near.search.bytes());
    let decisions = decisions.into_iter().map(|decision| Some(decision).filter(|it| !is_open(it))).collect();
    OnTheFly { system, budget, near: near.search, far: TerminalSearch::new(system) }
        .decide(goals, most, decisions)
}

/// The two searches, when the first has paused.
struct OnTheFly<'p, C: Composite> {
    system: &'p C,
    /// The budget that the first search has left.
    budget: Budget<'p>,
    near: Search<'p, C>,
    far: TerminalSearch<'p, C>,
}

impl<C: Composite> OnTheFly<'_, C> {
    /// Makes the missing decisions.
    fn decide(
        mut self,
        goals: &[Goal],
        most: usize,
        mut decisions: Vec<Option<Decision>>,
    ) -> Result<Vec<Decision>, ReplayError> {
        let rest = match self.decide_some(goals, most, &mut decisions) {
            Ok(rest) => rest,
            Err(Stopped::Exhausted(exhausted)) => Limit::Answer(exhausted).into(),
            Err(Stopped::Mistake(mistake)) => return Err(mistake),
        };
        let unknown = Decision::unknown(rest, self.explored());
        Ok(decisions.into_iter().map(|decision| decision.unwrap_or(unknown.clone())).collect())
    }

    /// Decides goals that terminal components violate; returns why the others are not decided.
    fn decide_some(
        &mut self,
        goals: &[Goal],
        most: usize,
        decisions: &mut [Option<Decision>],
    ) -> Result<Unknown, Stopped> {
        let mut left = most;
        while decisions.contains(&None) {
            match self.far.find_next(left, &self.budget).map_err(Stopped::Exhausted)? {
                Terminal::Component(root) => {
                    let cost = self.decide_in(root, goals, decisions)?;
                    left = left.saturating_sub(cost);
                }
                Terminal::Paused => return Ok(Unknown::GivenUpBesideError),
                Terminal::Complete => return Ok(Unknown::ErrorReachable),
            }
        }
        Ok(Unknown::GivenUpBesideError)
    }

    /// What both searches have looked at.
    fn explored(&self) -> Explored {
        Explored {
            states: self.near.states().len() + self.far.states().len(),
            transitions: self.near.transitions() + self.far.transitions(),
        }
    }

    /// Decides the goals that the terminal component of a state violates; returns the cost, in transitions.
    fn decide_in(
        &mut self,
        root: StateId,
        goals: &[Goal],
        decisions: &mut [Option<Decision>],
    ) -> Result<usize, Stopped> {
        let (system, budget) = (self.system, self.budget.after_holding(self.far.bytes()));
        let part = Part::starting_at(system, self.far.states().get(root));
        let component = component(system, &part, &budget)?;
        let cost = PER_COMPONENT + component.graph.edge_count();
        let is_open = |number: &usize| decisions[*number].is_none();
        let violates = |number: &usize| component.violating(&goals[*number]).is_some();
        let violated: Vec<usize> = (0..goals.len()).filter(is_open).filter(violates).collect();
        if violated.is_empty() {
            return Ok(cost);
        }
        let (lead, entry) = self.way_to(component.search.states()).map_err(Stopped::Exhausted)?;
        let part = Part::starting_at(system, &entry);
        let component = self::component(system, &part, &budget)?;
        let mut component = Components { lead, explored: self.explored(), ..component };
        for number in violated {
            let decision = component.decide(&goals[number]).map_err(Stopped::Mistake)?;
            decisions[number] = Some(decision);
        }
        Ok(cost)
    }

    /// A path to a component, and the state where it enters it.
    fn way_to(&mut self, component: &StateSet) -> Result<(Vec<Step>, Vec<u64>), Exhausted> {
        let (system, held) = (self.system, self.far.bytes());
        let mut states = (0..self.near.states().len()).map(StateId::from_index);
        let near = self.near.states();
        if let Some(entry) = states.find(|&state| component.find(near.get(state)).is_some()) {
            let lead = steps_to(system, &mut self.near, entry, &self.budget, held)?;
            return Ok((lead, self.near.states().get(entry).to_vec()));
        }
        let known = Part::within(system, self.far.states());
        let mut search = Search::new(&known);
        let mut watch = Entry { component, found: None };
        search.run(&self.budget.after_holding(held), &mut watch)?;
        let entry =
            watch.found.expect("the component is among the known states, which are all reachable in them");
        let lead = steps_to(system, &mut search, entry, &self.budget, held)?;
        Ok((lead, search.states().get(entry).to_vec()))
    }
}

/// What is reached from a state of a terminal component, which is that component.
fn component<'c, C: Composite>(
    system: &'c C,
    part: &'c Part<'c, C>,
    budget: &'c Budget<'c>,
) -> Result<Components<'c, C, Part<'c, C>>, Stopped> {
    let explored = Graph::explore_some(part, usize::MAX, budget);
    explored.and_then(|explored| Components::new(system, explored, budget)).map_err(Stopped::Exhausted)
}

/// Ends a search as soon as a state of a component was found.
struct Entry<'c> {
    component: &'c StateSet,
    found: Option<StateId>,
}

impl Visitor for Entry<'_> {
    fn discovered(&mut self, state: StateId, words: &[u64]) {
        if self.found.is_none() && self.component.find(words).is_some() {
            self.found = Some(state);
        }
    }

    fn expanded(&mut self, _state: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        if self.found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
