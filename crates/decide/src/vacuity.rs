//! Verdicts that hold vacuously.
//!
//! **Problem.** A property none of whose actions ever occurs holds, and says nothing. A search of the whole product
//! notices this ([`crate::check_reachability`]); a proof from parts does not. Can it be found out nevertheless?
//!
//! **Idea.** Two steps. An action never occurs if one of its participants never takes it by itself, whatever the
//! others do. If this does not decide, the product is searched for the first occurrence: most properties take part
//! within a few steps, and then the search ends. Only if nothing occurs it goes on, up to the limit of its budget.
//!
//! A component that forbids all of its actions from the start is not reported: it requires that none of them occurs.
//!
//! **Complexity.** The first step is linear in the components; the second is a search within its budget.
//!
//! **Callers.** `rely verify`, whatever the strategy.

use std::ops::ControlFlow;

use rely_base::{ActionId, Budget, Id, Label, StateId};
use rely_explore::{Outcome, Product, Search, Visitor};
use rely_lts::operators::trim;
use rely_lts::{ComponentId, Lts, Network};
use rely_omega::Formula;

/// Why a verdict that holds may be vacuous.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Vacuity {
    /// A component or unit that could fail never does anything: none of its actions ever occurs.
    PropertyNeverActive(ComponentId),
    /// A component never leaves its initial state, although it has others.
    ComponentNeverMoves(ComponentId),
    /// A progress property none of whose actions exists; it holds since its condition never does.
    ProgressWithoutActions,
    /// The condition of a progress property can never recur: none of its actions exists.
    ConditionWithoutActions,
    /// The condition of a progress property can never recur: its actions exist, but do not occur for ever.
    ConditionNeverRecurs,
    /// The premise of an implication under `[]` never holds.
    PremiseNeverHolds(Formula),
    /// No run meets all assumptions of a commitment.
    AssumptionsUnmet,
}

/// Those of some components none of whose actions ever occurs, as far as this can be found out within the budget. If
/// something fails in the network, the search ends there.
pub fn inactive(network: &Network, among: &[ComponentId], budget: &Budget<'_>) -> Vec<ComponentId> {
    let is_meant = |id: &ComponentId| {
        let lts = &network.components()[id.index()].lts;
        !lts.has_tau() && !forbids_everything(lts)
    };
    let among: Vec<ComponentId> = among.iter().copied().filter(is_meant).collect();
    let refused = refused_for_ever(network, &among);
    let is_refused = |id: &ComponentId| network.actions_of(*id).iter().all(|action| refused[action.index()]);
    let (mut inactive, open): (Vec<_>, Vec<_>) = among.into_iter().partition(is_refused);
    if open.is_empty() {
        return inactive;
    }
    let product = Product::transparent(network);
    let mut activity = Activity::new(network, open);
    if let Ok(Outcome::Complete) = Search::new(&product).run(budget, &mut activity) {
        inactive.extend(activity.open);
    }
    inactive.sort_unstable();
    inactive
}

/// Whether a component fails at once by each of its actions.
pub(crate) fn forbids_everything(lts: &Lts) -> bool {
    let edges = lts.edges(lts.initial());
    let fails =
        |label: Label| edges.iter().any(|edge| edge.label == label && lts.error() == Some(edge.target));
    let actions = (0..lts.alphabet().len()).map(|action| Label::visible(ActionId::from_index(action)));
    lts.error().is_some() && !lts.alphabet().is_empty() && actions.into_iter().all(fails)
}

/// By action of the network, whether it belongs to one of some components and some component that has it (possibly
/// the same one) never takes it by itself.
fn refused_for_ever(network: &Network, among: &[ComponentId]) -> Vec<bool> {
    let mut asked = vec![false; network.alphabet().len()];
    among.iter().flat_map(|&id| network.actions_of(id)).for_each(|action| asked[action.index()] = true);
    let mut refused = vec![false; network.alphabet().len()];
    for (i, component) in network.components().iter().enumerate() {
        let actions = network.actions_of(ComponentId::from_index(i));
        if !actions.iter().any(|action| asked[action.index()]) {
            continue;
        }
        let taken = taken(&component.lts);
        for (own, action) in actions.iter().enumerate() {
            refused[action.index()] |= asked[action.index()] && !taken[own];
        }
    }
    refused
}

/// By action of a system, whether one of its reachable states has a transition with it.
fn taken(lts: &Lts) -> Vec<bool> {
    let mut taken = vec![false; lts.alphabet().len()];
    for action in trim(lts).transitions().filter_map(|transition| transition.label.action()) {
        taken[action.index()] = true;
    }
    taken
}

/// Waits for the first action of each of some components.
struct Activity<'n> {
    network: &'n Network,
    /// The components none of whose actions has occurred.
    open: Vec<ComponentId>,
    /// By action of the network, whether one of these components has it.
    wanted: Vec<bool>,
}

impl<'n> Activity<'n> {
    fn new(network: &'n Network, open: Vec<ComponentId>) -> Self {
        let mut activity = Self { network, open, wanted: Vec::new() };
        activity.want();
        activity
    }

    fn want(&mut self) {
        self.wanted = vec![false; self.network.alphabet().len()];
        let actions = self.open.iter().flat_map(|&id| self.network.actions_of(id));
        actions.for_each(|action| self.wanted[action.index()] = true);
    }

    fn occurs(&mut self, label: Label) {
        let Some(action) = label.action().filter(|action| self.wanted[action.index()]) else { return };
        let participants = self.network.participants(action);
        self.open.retain(|id| !participants.contains(id));
        self.want();
    }
}

impl Visitor for Activity<'_> {
    fn transition(&mut self, _source: StateId, label: Label, _target: StateId) {
        self.occurs(label);
    }

    fn error(&mut self, _source: Option<StateId>, label: Label, _component: ComponentId) {
        self.occurs(label);
    }

    fn expanded(&mut self, _state: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        if self.open.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeSet;

    use rely_base::Limits;
    use rely_lts::Component;
    use rely_testkit::networks::{Shape, component, from_transitions, property};
    use rely_testkit::rng::{Rng, seeds};

    use super::*;

    /// The names of the actions that occur in some run, and the tuples of states that runs lead to: a walk over all of
    /// them.
    pub(crate) fn walked(network: &Network) -> (BTreeSet<String>, BTreeSet<Vec<StateId>>) {
        let all = network.components();
        let has_failed = |tuple: &[StateId]| {
            all.iter().zip(tuple).any(|(component, &state)| component.lts.error() == Some(state))
        };
        let mut names = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open: Vec<Vec<StateId>> = vec![all.iter().map(|component| component.lts.initial()).collect()];
        while let Some(tuple) = open.pop() {
            if !seen.insert(tuple.clone()) || has_failed(&tuple) {
                continue;
            }
            for (i, component) in all.iter().enumerate() {
                for edge in component.lts.edges_with(tuple[i], Label::TAU) {
                    let mut next = tuple.clone();
                    next[i] = edge.target;
                    open.push(next);
                }
            }
            for name in network.alphabet().names() {
                let mut together = vec![tuple.clone()];
                for (i, component) in all.iter().enumerate() {
                    let Some(own) = component.lts.alphabet().get(name) else { continue };
                    let edges = component.lts.edges_with(tuple[i], Label::visible(own));
                    let moved = |before: &Vec<StateId>, target: StateId| {
                        let mut next = before.clone();
                        next[i] = target;
                        next
                    };
                    together = together
                        .iter()
                        .flat_map(|before| {
                            edges.iter().map(|edge| moved(before, edge.target)).collect::<Vec<_>>()
                        })
                        .collect();
                }
                if !together.is_empty() {
                    names.insert(name.to_owned());
                }
                open.extend(together);
            }
        }
        (names, seen)
    }

    /// Some components, and a property after them.
    pub(crate) fn random(rng: &mut Rng) -> Network {
        let shape = Shape { components: 4, states: 4, errors: false, operators: false, ..Shape::FULL };
        let count = 1 + rng.below(4);
        let mut all: Vec<Component> =
            (0..count).map(|i| Component::new(format!("M{i}"), component(rng, &shape))).collect();
        let names = ["a", "b", "c", "d", "e"];
        let first = rng.below(names.len() - 1);
        all.push(Component::new("P".to_owned(), property(rng, 3, &names[first..first + 2])));
        Network::new(all)
    }

    #[test]
    fn what_is_inactive_is_what_a_walk_never_sees_move() {
        let (mut inactive_seen, mut active_seen) = (0, 0);
        for seed in seeds(600) {
            let network = random(&mut Rng::new(seed));
            let last = ComponentId::from_index(network.components().len() - 1);
            let lts = &network.components()[last.index()].lts;
            let (occurring, _) = walked(&network);
            let expected =
                !lts.alphabet().names().any(|name| occurring.contains(name)) && !forbids_everything(lts);
            let found = inactive(&network, &[last], &Budget::UNLIMITED);
            assert_eq!(found == [last], expected, "seed {seed}");
            // A limit may hide a finding, but never produces one.
            let limits = Limits { states: Some(2), bytes: None };
            let known = inactive(&network, &[last], &Budget::new(limits, None));
            assert!(known.is_empty() || expected, "seed {seed}");
            if expected { inactive_seen += 1 } else { active_seen += 1 }
        }
        assert!(inactive_seen > 10 && active_seen > 100, "{inactive_seen} {active_seen}");
    }

    #[test]
    fn what_a_part_never_takes_is_known_without_a_search() {
        let part = from_transitions(3, &[(0, "tick", 0), (1, "say", 2), (2, "hush", 1)]);
        let goal = |transitions: &[(usize, &str, usize)]| from_transitions(2, transitions);
        let property = goal(&[(0, "say", 1), (1, "hush", 0)]);
        let network = Network::new(vec![
            Component::new("M".to_owned(), part),
            Component::new("P".to_owned(), property),
        ]);
        let nothing = Budget::new(Limits { states: Some(0), bytes: None }, None);
        let last = ComponentId::from_index(1);
        assert_eq!(inactive(&network, &[last], &nothing), [last]);
    }
}
