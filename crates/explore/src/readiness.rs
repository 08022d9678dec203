//! Which components are ready for which actions, kept up to date from state to state.
//!
//! Problem: which steps are enabled in a state? A component may be ready for hundreds of actions of which hardly one
//! is enabled, and a search goes through thousands of states that differ in few components each.
//!
//! Idea: count, for each action, the participants that are ready for it, and change the counts only for the
//! components whose state differs from the one in the last state. A participant that is ready for an action in all
//! its states, as a property is for all its actions, never matters and is not counted.
//!
//! Invariants: `ready[a]` is the number of participants of a that can refuse it in some state, and do not refuse it in
//! their present one; an action is enabled where that is all of them.
//!
//! Cost: for a state, O(words + transitions of the components that have moved). Called by
//! `stubborn.rs` and `product.rs`.

use rely_base::{ActionId, Id};
use rely_lts::ComponentId;

use crate::tables::Tables;
use crate::{Product, bits};

/// What is enabled in the state that was looked at last.
#[derive(Clone, Debug)]
pub(crate) struct Readiness {
    /// The state; there is none in the beginning.
    state: Option<Vec<u64>>,
    /// The row of each component's state.
    rows: Vec<usize>,
    /// For each bit of a state, the component that it belongs to.
    owners: Vec<usize>,
    /// The actions that the component of row `r` is ready for, and refuses elsewhere, are
    /// `actions[first[r] .. first[r + 1]]`.
    first: Vec<usize>,
    actions: Vec<ActionId>,
    /// By action, how many participants can refuse it, and how many of them are ready for it.
    refusers: Vec<u32>,
    ready: Vec<u32>,
    /// The component that leads each action.
    leaders: Vec<usize>,
    /// The set of the actions that are enabled.
    enabled: Vec<u64>,
    /// By component, how many steps are enabled that it leads or makes silently.
    steps: Vec<usize>,
}

impl Readiness {
    pub(crate) fn new(product: &Product<'_>) -> Self {
        let (network, tables) = (product.network(), product.tables());
        let components = network.components().len();
        let mut readiness = Self {
            state: None,
            rows: vec![0; components],
            owners: owners(tables),
            first: vec![0],
            actions: Vec::new(),
            refusers: vec![0; network.alphabet().len()],
            ready: vec![0; network.alphabet().len()],
            leaders: network.alphabet().iter().map(|(a, _)| network.participants(a)[0].index()).collect(),
            enabled: bits::empty(network.alphabet().len()),
            steps: vec![0; components],
        };
        let can_refuse = Refusals::new(product);
        for component in 0..components {
            for row in tables.rows_of(ComponentId::from_index(component)) {
                let actions = tables.actions(row).filter(|&action| can_refuse.contains(component, action));
                readiness.actions.extend(actions);
                readiness.first.push(readiness.actions.len());
            }
        }
        for (action, _) in network.alphabet().iter() {
            let participants = network.participants(action).iter();
            let refusers = participants.filter(|who| can_refuse.contains(who.index(), action)).count();
            readiness.refusers[action.index()] =
                u32::try_from(refusers).expect("there are fewer than 2^32 components");
            if refusers == 0 {
                readiness.enable(action.index());
            }
        }
        readiness
    }

    /// Updates everything for another state.
    pub(crate) fn look(&mut self, tables: &Tables, state: &[u64]) {
        let Some(mut last) = self.state.take() else {
            (0..self.rows.len()).for_each(|component| self.enter(tables, component, state));
            self.state = Some(state.to_vec());
            return;
        };
        for (word, (last, &now)) in last.iter_mut().zip(state).enumerate() {
            let mut changed = std::mem::replace(last, now) ^ now;
            while changed != 0 {
                let bit = changed.trailing_zeros() as usize;
                let component = self.owners[word * u64::BITS as usize + bit];
                let field = &tables.fields[component];
                changed &= !(field.mask << field.shift);
                self.leave(tables, component);
                self.enter(tables, component, state);
            }
        }
        self.state = Some(last);
    }

    /// The row of a component's state.
    #[inline]
    pub(crate) fn row(&self, component: usize) -> usize {
        self.rows[component]
    }

    #[inline]
    pub(crate) fn is_enabled(&self, action: ActionId) -> bool {
        bits::contains(&self.enabled, action.index())
    }

    /// The actions that are enabled, in order.
    pub(crate) fn enabled(&self) -> impl Iterator<Item = ActionId> + '_ {
        bits::iter(&self.enabled).map(ActionId::from_index)
    }

    /// How many steps are enabled that a component leads or makes silently.
    #[inline]
    pub(crate) fn steps(&self, component: usize) -> usize {
        self.steps[component]
    }

    /// How many steps are enabled.
    pub(crate) fn all_steps(&self) -> usize {
        self.steps.iter().sum()
    }

    fn leave(&mut self, tables: &Tables, component: usize) {
        let row = self.rows[component];
        self.steps[component] -= tables.silent(row).len();
        for place in self.first[row]..self.first[row + 1] {
            let action = self.actions[place].index();
            if self.ready[action] == self.refusers[action] {
                bits::remove(&mut self.enabled, action);
                self.steps[self.leaders[action]] -= 1;
            }
            self.ready[action] -= 1;
        }
    }

    fn enter(&mut self, tables: &Tables, component: usize, state: &[u64]) {
        let row = tables.row(component, state);
        self.rows[component] = row;
        self.steps[component] += tables.silent(row).len();
        for place in self.first[row]..self.first[row + 1] {
            let action = self.actions[place].index();
            self.ready[action] += 1;
            if self.ready[action] == self.refusers[action] {
                self.enable(action);
            }
        }
    }

    fn enable(&mut self, action: usize) {
        bits::insert(&mut self.enabled, action);
        self.steps[self.leaders[action]] += 1;
    }
}

/// For each bit of a state, the component that it belongs to. For bits that belong to no component the answer is
/// never used.
fn owners(tables: &Tables) -> Vec<usize> {
    let mut owners = vec![0; tables.words * u64::BITS as usize];
    for (component, field) in tables.fields.iter().enumerate() {
        let start = field.word * u64::BITS as usize + field.shift as usize;
        owners[start..start + field.mask.count_ones() as usize].fill(component);
    }
    owners
}

/// For each component, the actions that it can refuse: those for which some of its states has no transition.
pub(crate) struct Refusals {
    /// By component, its actions that it refuses somewhere, in order.
    refused: Vec<Vec<ActionId>>,
}

impl Refusals {
    pub(crate) fn new(product: &Product<'_>) -> Self {
        let (network, tables) = (product.network(), product.tables());
        let mut states_with = vec![0_usize; network.alphabet().len()];
        let refused = (0..network.components().len()).map(|component| {
            let component = ComponentId::from_index(component);
            let rows = tables.rows_of(component);
            let states = rows.len();
            rows.flat_map(|row| tables.actions(row)).for_each(|action| states_with[action.index()] += 1);
            let mut refused = network.actions_of(component).to_vec();
            refused.retain(|action| std::mem::take(&mut states_with[action.index()]) < states);
            refused.sort_unstable();
            refused
        });
        Self { refused: refused.collect() }
    }

    pub(crate) fn contains(&self, component: usize, action: ActionId) -> bool {
        self.refused[component].binary_search(&action).is_ok()
    }
}
