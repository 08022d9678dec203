//! Potential deadlocks, which an assumption must not lead its components into.
//!
//! **Problem.** The weakest assumption may forbid everything that the components could do next. Such an assumption is
//! met by leaving the components stuck for ever, which is rarely what was wanted.
//!
//! **Source.** [Giannakopoulou, Păsăreanu, Barringer 2003], section 3.4.
//!
//! **Definition.** A state is *terminal* with respect to the actions that the components have in the interface if no path
//! from it that avoids the error state has one of these actions on it. What others do meanwhile does not count: the
//! components are stuck. Components that have ended are not, and they have done so whatever the goal or the environment
//! goes on with: to end is an action √ of theirs.
//!
//! **Idea.** Before determinisation: terminal states are errors, and what can reach an error by silent steps is an error;
//! until nothing changes. After it, a state of the automaton stands for all the states in which the components may be
//! after a word, and a single terminal one among them is too many. So paths are followed in pairs of a state and a set
//! that it belongs to, which are the states of system ‖ automaton. A set with a terminal pair is an error, and with it
//! every step into the set is forbidden; until nothing changes.
//!
//! **Invariants.** In what is left, no state of system ‖ automaton is terminal. It is the most that can be left: two
//! languages without terminal states have a union without, so there is a largest one, and no word of it leads to a set
//! that is taken away.
//!
//! **Complexity.** O(n·m) at worst, for n sets and m transitions between pairs: each round is linear and finds at least
//! one new error.
//!
//! **Deviations.** The paper looks for terminal states of the automaton after determinisation. This is not enough where
//! the components choose by themselves: their other choices keep the set from being terminal.
//!
//! The paper has no components that end.
//!
//! **Callers.** `weakest.rs`, before determinisation, to have less to determinise, and after it.

use std::sync::Arc;

use rely_base::{Budget, Exhausted, Id, Label, StateId};
use rely_explore::{Graph, Product, generate};
use rely_lts::equivalence::{self, TICK};
use rely_lts::operators::{merged_into_error, propagate_error, restrict, trim};
use rely_lts::{Component, Lts, Network, Transition};

use crate::Effort;
use crate::backwards::{reaching, sources};

/// The same components, side by side, with the action √ where they have ended; they are one component then.
///
/// # Errors
/// The limit of the budget that was met.
pub(crate) fn with_visible_end(
    components: &[Component],
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Vec<Component>, Exhausted> {
    let network = Network::new(components.to_vec());
    if !network.can_terminate() {
        return Ok(components.to_vec());
    }
    let composed = generate(&network, budget)?;
    effort.held(composed.state_count());
    let component = |lts| vec![Component { name: "M".to_owned(), lts: Arc::new(lts) }];
    Ok(equivalence::with_visible_end(&composed).map_or_else(|| components.to_vec(), component))
}

/// The system in which the states where the components are stuck, and those from which silent steps may lead there, are
/// the error state; `is_own` tells the actions of the components.
pub(crate) fn without_deadlocks(lts: &Lts, is_own: impl Fn(&str) -> bool) -> Lts {
    let own: Vec<bool> = lts.alphabet().names().map(is_own).collect();
    let is_own = |label: Label| label.action().is_some_and(|action| own[action.index()]);
    let mut lts = trim(lts);
    loop {
        let alive = alive(&lts, is_own);
        if lts.states().all(|state| alive[state.index()] || Some(state) == lts.error()) {
            return lts;
        }
        lts = propagate_error(&merged_into_error(&lts, |state| !alive[state.index()]));
        if lts.error() == Some(lts.initial()) {
            return lts;
        }
    }
}

/// For each state, whether a path that avoids the error leads from it to a transition of the components.
fn alive(lts: &Lts, is_own: impl Fn(Label) -> bool) -> Vec<bool> {
    let proper = |transition: &Transition| Some(transition.target) != lts.error();
    let edges = lts.transitions().filter(proper).map(|transition| (transition.source, transition.target));
    let own = lts.transitions().filter(proper).filter(|transition| is_own(transition.label));
    reaching(&sources(lts.state_count(), edges), own.map(|transition| transition.source))
}

/// The automaton of a system, as determinisation gives it, in which the sets with a state where the components are stuck
/// are the error state.
///
/// # Errors
/// The limit of the budget that was met.
pub(crate) fn without_stuck_members(
    system: Lts,
    automaton: &Lts,
    is_own: impl Fn(&str) -> bool,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Lts, Exhausted> {
    let component = |name: &str, lts| Component { name: name.to_owned(), lts: Arc::new(lts) };
    let network = Network::new(vec![component("M", system), component("A", automaton.clone())]);
    let product = Product::transparent(&network);
    let (graph, search) = Graph::explore(&product, budget)?;
    effort.held(graph.state_count());
    let sets = graph.states().map(|pair| product.unpack(search.states().get(pair))[1]).collect();
    let own = network.alphabet().names().map(is_own).collect();
    let is_stuck = vec![false; automaton.state_count()];
    let pairs = Pairs { graph, sets, own, is_stuck };
    let is_stuck = pairs.run();
    // What follows √ is a part of what could be there without it.
    Ok(trim(&restrict(&merged_into_error(automaton, |set| is_stuck[set.index()]), |name| name == TICK)))
}

/// The states of a system beside the sets of its automaton that they belong to.
struct Pairs {
    /// System ‖ automaton, without what leads to the error.
    graph: Graph,
    /// For each pair its set.
    sets: Vec<StateId>,
    /// By action, whether it is one of the components.
    own: Vec<bool>,
    /// For each set whether the components may be stuck in it.
    is_stuck: Vec<bool>,
}

impl Pairs {
    /// For each set whether it has to be avoided.
    fn run(mut self) -> Vec<bool> {
        loop {
            let alive = self.alive();
            let is_left = |pair: &StateId| !self.is_stuck[self.sets[pair.index()].index()];
            let stuck: Vec<StateId> =
                self.graph.states().filter(is_left).filter(|pair| !alive[pair.index()]).collect();
            if stuck.is_empty() {
                return self.is_stuck;
            }
            for pair in stuck {
                self.is_stuck[self.sets[pair.index()].index()] = true;
            }
        }
    }

    /// For each pair, whether a path that is still allowed leads from it to a transition of the components.
    fn alive(&self) -> Vec<bool> {
        let is_allowed = |target: StateId| !self.is_stuck[self.sets[target.index()].index()];
        let is_own = |label: Label| label.action().is_some_and(|action| self.own[action.index()]);
        let edges = self.graph.states().flat_map(|pair| {
            let allowed = self.graph.edges(pair).iter().filter(|edge| is_allowed(edge.target));
            allowed.map(move |edge| (pair, edge.target))
        });
        let acts = |pair: StateId| {
            self.graph.edges(pair).iter().any(|edge| is_own(edge.label) && is_allowed(edge.target))
        };
        let goals = self.graph.states().filter(|&pair| acts(pair));
        reaching(&sources(self.graph.state_count(), edges), goals)
    }
}
