//! The tables of a product: for every state of every component its edges, in the order in which they are needed.
//!
//! An action is *led* by the first component that has it; the other participants *follow*. The edges of a component
//! state are grouped by label, silent ones first, then those that it leads, then those that it follows, each by the
//! network's number of the action. For every edge the *exclusive or* of source and target is kept, already shifted to
//! the component's field: taking a transition is one `^=` per participant, taking it back is the same again.
//!
//! Invariants: in `rows`, `groups` and `targets` the entries of one owner are adjacent, in order, and end where those
//! of the next begin; `rows` and `groups` have a sentinel at their end.

use std::ops::Range;

use rely_base::{ActionId, Id, Label, StateId};
use rely_lts::{ComponentId, Lts, Network};

use crate::packing::{Field, pack};

/// Stands for a step into the error state. No change of a field has all bits set.
pub(crate) const ERROR: u64 = u64::MAX;

/// The tables of a product.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    /// The number of words of a state.
    pub(crate) words: usize,
    /// Where the state of each component is kept.
    pub(crate) fields: Vec<Field>,
    /// The components that have silent steps. They are few in most networks, so the others need not be checked.
    pub(crate) silent_components: Vec<ComponentId>,
    /// For each component, the row of its state 0.
    first_row: Vec<usize>,
    /// For each state of each component, its groups.
    rows: Vec<Row>,
    groups: Vec<Group>,
    /// The changes of the component's word, or [`ERROR`].
    targets: Vec<u64>,
}

/// The groups of one state of one component: silent, then led, then followed.
#[derive(Clone, Copy, Debug)]
struct Row {
    silent: u32,
    led: u32,
    followed: u32,
}

/// The edges of one component state with one label.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// The network's label.
    label: Label,
    /// The first of its targets.
    targets: u32,
}

/// The edges of a component in the order of the tables. A component may have thousands of actions, in another order than
/// the network; so labels are ranked once, and edges are sorted by counting.
#[derive(Default)]
struct EdgeOrder {
    /// The network's labels by rank: τ, those that the component leads, those that it follows.
    labels: Vec<Label>,
    /// The rank of each label of the component.
    ranks: Vec<u32>,
    /// The first rank that is led, and the first that is followed.
    led: u32,
    followed: u32,
    /// The edges of state `s`, as rank and target, are at `starts[s] .. starts[s + 1]`.
    edges: Vec<(u32, StateId)>,
    starts: Vec<usize>,
    /// The edges by rank, with the source of each.
    by_rank: Vec<(StateId, u32, StateId)>,
}

impl EdgeOrder {
    /// Computes the order of the edges of a component; the order of the component before is overwritten.
    fn arrange(&mut self, network: &Network, component: ComponentId) {
        let lts = &*network.components()[component.index()].lts;
        self.rank(network, component);
        let mut next = vec![0; self.labels.len() + 1];
        lts.states().for_each(|state| {
            lts.edges(state).iter().for_each(|edge| next[self.ranks[edge.label.index()] as usize + 1] += 1);
        });
        (1..next.len()).for_each(|i| next[i] += next[i - 1]);
        let nothing = StateId::from_raw(0);
        self.by_rank.clear();
        self.by_rank.resize(lts.transition_count(), (nothing, 0, nothing));
        self.starts.clear();
        self.starts.push(0);
        for state in lts.states() {
            let edges = lts.edges(state);
            for edge in edges {
                let rank = self.ranks[edge.label.index()];
                self.by_rank[next[rank as usize]] = (state, rank, edge.target);
                next[rank as usize] += 1;
            }
            self.starts.push(self.starts[state.index()] + edges.len());
        }
        self.edges.clear();
        self.edges.resize(self.by_rank.len(), (0, nothing));
        let mut next = self.starts.clone();
        for &(source, rank, target) in &self.by_rank {
            self.edges[next[source.index()]] = (rank, target);
            next[source.index()] += 1;
        }
    }

    /// Ranks the labels of a component.
    fn rank(&mut self, network: &Network, component: ComponentId) {
        let actions = network.actions_of(component);
        let is_followed = |own: usize| network.participants(actions[own])[0] != component;
        let mut order: Vec<(bool, ActionId, usize)> =
            actions.iter().enumerate().map(|(own, &action)| (is_followed(own), action, own)).collect();
        order.sort_unstable();
        self.led = 1;
        self.followed = 1 + position(order.partition_point(|&(is_followed, ..)| !is_followed));
        self.labels.clear();
        self.labels.push(Label::TAU);
        self.labels.extend(order.iter().map(|&(_, action, _)| Label::visible(action)));
        self.ranks.clear();
        self.ranks.resize(self.labels.len(), 0);
        for (rank, &(.., own)) in order.iter().enumerate() {
            self.ranks[Label::visible(ActionId::from_index(own)).index()] = position(rank + 1);
        }
    }

    fn edges(&self, state: StateId) -> &[(u32, StateId)] {
        &self.edges[self.starts[state.index()]..self.starts[state.index() + 1]]
    }
}

impl Tables {
    /// The tables of a network.
    pub(crate) fn new(network: &Network) -> Self {
        let (fields, words) = pack(network.components().iter().map(|component| &*component.lts));
        let mut tables = Self {
            words,
            fields,
            silent_components: Vec::new(),
            first_row: Vec::new(),
            rows: Vec::with_capacity(sum_of(network, Lts::state_count) + 1),
            groups: Vec::new(),
            targets: Vec::with_capacity(sum_of(network, Lts::transition_count)),
        };
        let mut order = EdgeOrder::default();
        for (i, component) in network.components().iter().enumerate() {
            let lts = &*component.lts;
            let id = ComponentId::from_index(i);
            if lts.has_tau() {
                tables.silent_components.push(id);
            }
            tables.first_row.push(tables.rows.len());
            order.arrange(network, id);
            for state in lts.states().filter(|&state| Some(state) != lts.error()) {
                tables.add_row(lts, id, state, &order);
            }
        }
        tables.push_row_start();
        tables.groups.push(Group { label: Label::TAU, targets: position(tables.targets.len()) });
        tables
    }

    /// Adds the tables of one state of a component.
    fn add_row(&mut self, lts: &Lts, component: ComponentId, state: StateId, order: &EdgeOrder) {
        let field = self.fields[component.index()];
        let row = self.push_row_start();
        let mut current = None;
        for &(rank, target) in order.edges(state) {
            if current != Some(rank) {
                current = Some(rank);
                self.rows[row].led += u32::from(rank < order.led);
                self.rows[row].followed += u32::from(rank < order.followed);
                let label = order.labels[rank as usize];
                self.groups.push(Group { label, targets: position(self.targets.len()) });
            }
            let error = lts.error() == Some(target);
            self.targets.push(if error { ERROR } else { field.delta(state, target) });
        }
    }

    fn push_row_start(&mut self) -> usize {
        let start = position(self.groups.len());
        self.rows.push(Row { silent: start, led: start, followed: start });
        self.rows.len() - 1
    }

    /// Bytes held by the tables, and by the [`crate::readiness::Readiness`] that longer searches make of them.
    pub(crate) fn bytes(&self) -> usize {
        let tables = self.rows.capacity() * size_of::<Row>()
            + self.groups.capacity() * size_of::<Group>()
            + self.targets.capacity() * size_of::<u64>();
        tables + self.rows.len() * size_of::<usize>() + self.groups.len() * size_of::<ActionId>()
    }

    /// Upper bound of the bytes needed to make the tables of a network, the tables included: each transition may be a
    /// group of its own, there may be room for twice as many groups, and the transitions of one component are sorted.
    pub(crate) fn bytes_needed(network: &Network) -> usize {
        const SORTING: usize = size_of::<(StateId, u32, StateId)>() + size_of::<(u32, StateId)>();
        const TRANSITION: usize = 2 * size_of::<Group>() + size_of::<u64>();
        let most = network.components().iter().map(|component| component.lts.transition_count()).max();
        sum_of(network, Lts::state_count) * size_of::<Row>()
            + sum_of(network, Lts::transition_count) * TRANSITION
            + most.unwrap_or(0) * SORTING
    }

    /// The row of the state that a component is in.
    #[inline]
    pub(crate) fn row(&self, component: usize, state: &[u64]) -> usize {
        self.first_row[component] + self.fields[component].extract(state)
    }

    /// The rows of the states of a component, in order.
    pub(crate) fn rows_of(&self, component: ComponentId) -> Range<usize> {
        // The last row is a sentinel.
        let end = self.first_row.get(component.index() + 1).copied().unwrap_or(self.rows.len() - 1);
        self.first_row[component.index()]..end
    }

    /// The silent groups of a row: at most one.
    #[inline]
    pub(crate) fn silent(&self, row: usize) -> Range<u32> {
        self.rows[row].silent..self.rows[row].led
    }

    /// The groups of the actions that the component leads, by action.
    #[inline]
    pub(crate) fn led(&self, row: usize) -> Range<u32> {
        self.rows[row].led..self.rows[row].followed
    }

    /// The groups of the actions that the component follows, by action.
    pub(crate) fn all_followed(&self, row: usize) -> Range<u32> {
        self.rows[row].followed..self.rows[row + 1].silent
    }

    /// The group of an action that the component follows, if it is ready for it.
    #[inline]
    pub(crate) fn followed(&self, row: usize, label: Label) -> Option<u32> {
        /// Up to this number of groups, linear search is faster than binary search.
        const FEW: usize = 8;
        let start = self.rows[row].followed;
        let groups = &self.groups[start as usize..self.rows[row + 1].silent as usize];
        let found = if groups.len() <= FEW {
            groups.iter().position(|group| group.label == label)
        } else {
            groups.binary_search_by_key(&label, |group| group.label).ok()
        };
        found.map(|offset| start + position(offset))
    }

    /// The actions for which the component has a transition.
    pub(crate) fn actions(&self, row: usize) -> impl Iterator<Item = ActionId> + '_ {
        let groups = &self.groups[self.rows[row].led as usize..self.rows[row + 1].silent as usize];
        groups.iter().filter_map(|group| group.label.action())
    }

    /// Whether the component has a transition with a label that is not silent.
    pub(crate) fn has(&self, row: usize, label: Label) -> bool {
        self.own(row, label).is_some() || self.followed(row, label).is_some()
    }

    /// The group of τ, or of an action that the component leads, if it is ready for it.
    pub(crate) fn own(&self, row: usize, label: Label) -> Option<u32> {
        let start = self.rows[row].silent;
        let own = &self.groups[start as usize..self.rows[row].followed as usize];
        let found = own.binary_search_by_key(&label, |group| group.label).ok();
        found.map(|offset| start + position(offset))
    }

    /// The label of a group.
    #[inline]
    pub(crate) fn label(&self, group: u32) -> Label {
        self.groups[group as usize].label
    }

    /// The targets of a group.
    #[inline]
    pub(crate) fn targets(&self, group: u32) -> Range<u32> {
        self.groups[group as usize].targets..self.groups[group as usize + 1].targets
    }

    /// The change of the component's word that leads to a target, or [`ERROR`].
    #[inline]
    pub(crate) fn change(&self, target: u32) -> u64 {
        self.targets[target as usize]
    }
}

/// The sum over all components of a size, such as the number of states.
fn sum_of(network: &Network, size: impl Fn(&Lts) -> usize) -> usize {
    network.components().iter().map(|component| size(&component.lts)).sum()
}

/// A position in one of the tables.
fn position(index: usize) -> u32 {
    u32::try_from(index).expect("the tables of the components stay below 2^32 entries")
}
