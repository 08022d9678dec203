//! Whether a property that holds was put to the test.
//!
//! **Problem.** A property process forbids some actions in some of its states. It holds vacuously if it forbids
//! nothing at all, if nothing ever leads it to a state where it forbids something (its trigger never fires), or if it
//! has actions that never occur. Which of its states and actions are met in the network?
//!
//! **Idea.** One search of the network notes the states of each property and the actions that occur, and ends as soon
//! as all of them have been met: usually after a few states. It goes on only if something has not been met. After
//! some states it follows stubborn sets only, since these lead to every action that can occur and to every move that
//! a component can make (`stubborn.rs` in `rely_explore` says why): so this works for targets that only a reduced
//! search can decide, too. If the budget is used up there is no answer, since a state that was not visited may be the
//! missing one.
//!
//! What is never met is compared with what the property can do by itself: an action that it allows nowhere must not
//! occur, so its absence is what the property requires.
//!
//! **Complexity.** That of a search within its budget, and for each state of it the number of properties.
//!
//! **Callers.** `rely check` and `rely verify`, about properties that hold.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use rely_base::{ActionId, Budget, Id, Label, StateId};
use rely_explore::{Outcome, Product, Search, StubbornSearch, Visitor};
use rely_lts::{ComponentId, Lts, Network};

/// The states and actions of a property that are never met in a network in which it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unexercised {
    /// The property.
    pub property: ComponentId,
    /// Whether it forbids something in some state that is met.
    pub forbids: bool,
    /// The actions that it allows somewhere, and that never occur, sorted.
    pub absent: Vec<String>,
    /// The path to a nearest one of its states that are never met: the actions to the state before, and the action
    /// that never occurs there.
    pub unreached: Option<(Vec<String>, String)>,
}

/// Whether a property can fail at all, whatever it is composed with.
pub fn forbids_something(property: &Lts) -> bool {
    let way = Ways::of(property);
    property.states().any(|state| way.reaches(state) && forbids_in(property, state))
}

/// What is never met of properties that hold in a network; properties that are met completely are left out. `None` if
/// the budget is used up before.
pub fn unexercised(
    network: &Network,
    properties: &[ComponentId],
    budget: &Budget<'_>,
) -> Option<Vec<Unexercised>> {
    let product = Product::transparent(network);
    let mut meetings = Meetings::new(&product, properties);
    if meetings.is_done() {
        return Some(Vec::new());
    }
    let may_reduce = network.priority().is_none();
    let few = if may_reduce { FEW } else { usize::MAX };
    let mut end = Search::new(&product).run_until(few, budget, &mut meetings);
    if matches!(end, Ok(Outcome::Paused)) {
        end = StubbornSearch::new(&product).run(budget, &mut meetings);
    }
    match end {
        Ok(Outcome::Complete) => Some(meetings.unexercised()),
        Ok(Outcome::Stopped | Outcome::Paused) => Some(Vec::new()),
        Err(_) => None,
    }
}

/// The search uses stubborn sets after this number of states. In tests, small systems count as large.
const FEW: usize = if cfg!(test) { 3 } else { 1 << 11 };

/// Whether a property forbids something in a state.
fn forbids_in(property: &Lts, state: StateId) -> bool {
    property.edges(state).iter().any(|edge| Some(edge.target) == property.error())
}

/// Shortest paths, as a tree, to the states of a property by itself, without failing.
struct Ways<'n> {
    property: &'n Lts,
    /// By state, the state before and the label, for all but the first.
    before: Vec<Option<(StateId, Label)>>,
    /// The states that it can reach, nearest first.
    order: Vec<StateId>,
    is_reached: Vec<bool>,
}

impl<'n> Ways<'n> {
    fn of(property: &'n Lts) -> Self {
        let mut ways = Self {
            property,
            before: vec![None; property.state_count()],
            order: Vec::new(),
            is_reached: vec![false; property.state_count()],
        };
        let mut agenda = VecDeque::from([property.initial()]);
        ways.is_reached[property.initial().index()] = true;
        while let Some(state) = agenda.pop_front() {
            if Some(state) == property.error() {
                continue;
            }
            ways.order.push(state);
            for edge in property.edges(state) {
                if !std::mem::replace(&mut ways.is_reached[edge.target.index()], true) {
                    ways.before[edge.target.index()] = Some((state, edge.label));
                    agenda.push_back(edge.target);
                }
            }
        }
        ways
    }

    fn reaches(&self, state: StateId) -> bool {
        self.is_reached[state.index()] && Some(state) != self.property.error()
    }

    /// The actions of the shortest path to a state, and the last of them separately.
    fn to(&self, state: StateId) -> Option<(Vec<String>, String)> {
        let mut actions = Vec::new();
        let mut state = state;
        while let Some((before, label)) = self.before[state.index()] {
            actions.push(self.property.alphabet().label_name(label).to_owned());
            state = before;
        }
        actions.reverse();
        let last = actions.pop()?;
        Some((actions, last))
    }
}

/// A property, and its states and actions that have not been met.
struct Open {
    id: ComponentId,
    /// By state, whether it is still to be met.
    states: Vec<bool>,
    states_left: usize,
    /// By action of the property, whether it is still to occur.
    actions: Vec<bool>,
    actions_left: usize,
}

impl Open {
    fn new(network: &Network, id: ComponentId) -> Self {
        let lts: &Lts = &network.components()[id.index()].lts;
        let ways = Ways::of(lts);
        let states: Vec<bool> = lts.states().map(|state| ways.reaches(state)).collect();
        let mut actions = vec![false; lts.alphabet().len()];
        for edge in ways.order.iter().flat_map(|&state| lts.edges(state)) {
            if let Some(action) = edge.label.action().filter(|_| Some(edge.target) != lts.error()) {
                actions[action.index()] = true;
            }
        }
        let count = |marks: &[bool]| marks.iter().filter(|mark| **mark).count();
        Self { id, states_left: count(&states), actions_left: count(&actions), states, actions }
    }

    fn is_done(&self) -> bool {
        self.states_left == 0 && self.actions_left == 0
    }

    fn meets(&mut self, state: StateId) {
        if std::mem::take(&mut self.states[state.index()]) {
            self.states_left -= 1;
        }
    }

    fn occurs(&mut self, own: ActionId) {
        if std::mem::take(&mut self.actions[own.index()]) {
            self.actions_left -= 1;
        }
    }

    fn unexercised(&self, network: &Network) -> Unexercised {
        let lts: &Lts = &network.components()[self.id.index()].lts;
        let ways = Ways::of(lts);
        let is_met = |state: StateId| ways.reaches(state) && !self.states[state.index()];
        let mut absent: Vec<String> = lts
            .alphabet()
            .names()
            .zip(&self.actions)
            .filter(|(_, is_open)| **is_open)
            .map(|(name, _)| name.to_owned())
            .collect();
        absent.sort_unstable();
        let nearest = ways.order.iter().copied().find(|&state| !is_met(state));
        Unexercised {
            property: self.id,
            forbids: lts.states().any(|state| is_met(state) && forbids_in(lts, state)),
            absent,
            unreached: nearest.and_then(|state| ways.to(state)),
        }
    }
}

/// Notes which states and actions of some properties are met.
struct Meetings<'p, 'n> {
    product: &'p Product<'n>,
    open: Vec<Open>,
    /// By action of the network, the properties that wait for it, with their own number of it.
    waiting: Vec<Vec<(usize, ActionId)>>,
}

impl<'p, 'n> Meetings<'p, 'n> {
    fn new(product: &'p Product<'n>, properties: &[ComponentId]) -> Self {
        let network = product.network();
        let open: Vec<Open> = properties.iter().map(|&id| Open::new(network, id)).collect();
        let mut waiting = vec![Vec::new(); network.alphabet().len()];
        for (i, &id) in properties.iter().enumerate() {
            for (own, action) in network.actions_of(id).iter().enumerate() {
                if open[i].actions[own] {
                    waiting[action.index()].push((i, ActionId::from_index(own)));
                }
            }
        }
        Self { product, open, waiting }
    }

    fn is_done(&self) -> bool {
        self.open.iter().all(Open::is_done)
    }

    fn occurs(&mut self, label: Label) {
        let Some(action) = label.action() else { return };
        for (i, own) in std::mem::take(&mut self.waiting[action.index()]) {
            self.open[i].occurs(own);
        }
    }

    fn unexercised(&self) -> Vec<Unexercised> {
        let open = self.open.iter().filter(|open| !open.is_done());
        open.map(|open| open.unexercised(self.product.network())).collect()
    }
}

impl Visitor for Meetings<'_, '_> {
    fn discovered(&mut self, _state: StateId, words: &[u64]) {
        for open in self.open.iter_mut().filter(|open| open.states_left > 0) {
            open.meets(self.product.state_of(open.id, words));
        }
    }

    fn transition(&mut self, _source: StateId, label: Label, _target: StateId) {
        self.occurs(label);
    }

    fn expanded(&mut self, _state: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        if self.is_done() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rely_base::Limits;
    use rely_lts::Component;
    use rely_testkit::networks::from_transitions;
    use rely_testkit::rng::{Rng, is_single_seed, seeds};

    use super::*;
    use crate::check_safety;
    use crate::vacuity::tests::{random, walked};

    /// The states that a property can reach by itself, from the definition: computed until there are no more.
    fn naive_states(lts: &Lts) -> BTreeSet<StateId> {
        let mut known = BTreeSet::from([lts.initial()]);
        loop {
            let next = lts.transitions().filter(|step| known.contains(&step.source)).map(|step| step.target);
            let more: BTreeSet<StateId> = next.filter(|&state| Some(state) != lts.error()).collect();
            let before = known.len();
            known.extend(more);
            if known.len() == before {
                return known;
            }
        }
    }

    #[test]
    fn what_is_never_met_is_what_a_walk_does_not_meet() {
        let (mut partly, mut wholly, mut unarmed) = (0, 0, 0);
        for seed in seeds(3_000) {
            let network = random(&mut Rng::new(seed));
            let last = ComponentId::from_index(network.components().len() - 1);
            let lts: &Lts = &network.components()[last.index()].lts;
            let holds =
                check_safety(&network, &Budget::UNLIMITED).expect("runs can be replayed").verdict.holds();
            if !holds || Some(lts.initial()) == lts.error() {
                continue;
            }
            let (occurring, tuples) = walked(&network);
            let met: BTreeSet<StateId> = tuples.iter().map(|tuple| tuple[last.index()]).collect();
            let possible = naive_states(lts);
            let steps = || lts.transitions().filter(|step| possible.contains(&step.source));
            let allowed: BTreeSet<&str> = steps()
                .filter(|step| Some(step.target) != lts.error())
                .map(|step| lts.alphabet().label_name(step.label))
                .collect();
            let absent: Vec<String> = allowed
                .iter()
                .filter(|&&name| !occurring.contains(name))
                .map(|&name| name.to_owned())
                .collect();
            let forbids = steps().any(|step| met.contains(&step.source) && Some(step.target) == lts.error());
            assert_eq!(
                forbids_something(lts),
                steps().any(|step| Some(step.target) == lts.error()),
                "seed {seed}"
            );
            let found = unexercised(&network, &[last], &Budget::UNLIMITED).expect("there is no limit");
            let is_all_met = absent.is_empty() && possible.is_subset(&met);
            assert_eq!(found.is_empty(), is_all_met, "seed {seed}");
            // A limit may hide a finding, but never produces one.
            let few = Budget::new(Limits { states: Some(2), bytes: None }, None);
            assert!(
                unexercised(&network, &[last], &few).is_none_or(|some| some.is_empty() || some == found),
                "seed {seed}"
            );
            let Some(found) = found.first() else {
                wholly += 1;
                continue;
            };
            partly += 1;
            unarmed += usize::from(!forbids);
            assert_eq!(
                (found.property, found.forbids, &found.absent),
                (last, forbids, &absent),
                "seed {seed}"
            );
            assert_eq!(found.unreached.is_some(), !possible.is_subset(&met), "seed {seed}");
            if let Some((way, action)) = &found.unreached {
                let after = |state: StateId, name: &str| {
                    let label =
                        Label::visible(lts.alphabet().get(name).expect("it is an action of the property"));
                    lts.edges_with(state, label)[0].target
                };
                let before = way.iter().fold(lts.initial(), |state, name| after(state, name));
                assert!(met.contains(&before), "seed {seed}: the way is met");
                assert!(!met.contains(&after(before, action)), "seed {seed}: the last step is not");
            }
        }
        assert!(
            is_single_seed() || (partly > 100 && wholly > 50 && unarmed > 10),
            "{partly} {wholly} {unarmed}"
        );
    }

    #[test]
    fn a_property_that_is_met_soon_needs_few_states() {
        let ticks: Vec<(usize, &str, usize)> = (1..1_000).map(|i| (i, "tick", i + 1)).collect();
        let part = |first: &[(usize, &'static str, usize)]| {
            Component::new("M".to_owned(), from_transitions(1_001, &[first, &ticks].concat()))
        };
        let property = Component::new("P".to_owned(), from_transitions(2, &[(0, "a", 1), (1, "b", 0)]));
        let few = Budget::new(Limits { states: Some(10), bytes: None }, None);
        let last = [ComponentId::from_index(1)];
        let soon = Network::new(vec![part(&[(0, "a", 1), (1, "b", 0)]), property.clone()]);
        assert_eq!(unexercised(&soon, &last, &few), Some(Vec::new()));
        let never = Network::new(vec![part(&[(0, "a", 1), (0, "b", 0)]), property]);
        assert_eq!(unexercised(&never, &last, &few), None);
        let found = unexercised(&never, &last, &Budget::UNLIMITED).expect("there is no limit");
        assert_eq!(found[0].absent, ["b"]);
    }
}
