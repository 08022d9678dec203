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
use rely_lts::{ComponentId, Edge, Lts, Network};

use crate::packing::{Field, pack};

/// Stands for a step into the error state. No change of a field has so many bits.
pub(crate) const ERROR: u64 = u64::MAX;

/// The tables of a product.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    /// The number of words of a state.
    pub(crate) words: usize,
    /// Where the state of each component is kept.
    pub(crate) fields: Vec<Field>,
    /// The components that have silent steps: mostly few, so that nobody has to ask the others in each state.
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

impl Tables {
    /// The tables of a network.
    pub(crate) fn new(network: &Network) -> Self {
        let (fields, words) = pack(network.components().iter().map(|component| &*component.lts));
        let mut tables = Self {
            words,
            fields,
            silent_components: Vec::new(),
            first_row: Vec::new(),
            rows: Vec::new(),
            groups: Vec::new(),
            targets: Vec::new(),
        };
        for (i, component) in network.components().iter().enumerate() {
            let lts = &*component.lts;
            if lts.has_tau() {
                tables.silent_components.push(ComponentId::from_index(i));
            }
            tables.first_row.push(tables.rows.len());
            for state in lts.states().filter(|&state| Some(state) != lts.error()) {
                tables.add_row(network, ComponentId::from_index(i), state);
            }
        }
        tables.push_row_start();
        tables.groups.push(Group { label: Label::TAU, targets: position(tables.targets.len()) });
        tables
    }

    /// Adds the tables of one state of a component.
    fn add_row(&mut self, network: &Network, component: ComponentId, state: StateId) {
        let lts = &*network.components()[component.index()].lts;
        let mut edges: Vec<Edge> = lts.edges(state).to_vec();
        for edge in &mut edges {
            if let Some(own) = edge.label.action() {
                edge.label = Label::visible(network.actions_of(component)[own.index()]);
            }
        }
        edges.sort_unstable();
        let is_silent = |edge: &Edge| edge.label.is_tau();
        let is_led =
            |edge: &Edge| edge.label.action().is_some_and(|a| network.participants(a)[0] == component);
        let row = self.push_row_start();
        self.add_groups(lts, component, state, edges.iter().filter(|edge| is_silent(edge)));
        self.rows[row].led = position(self.groups.len());
        self.add_groups(lts, component, state, edges.iter().filter(|edge| is_led(edge)));
        self.rows[row].followed = position(self.groups.len());
        self.add_groups(lts, component, state, edges.iter().filter(|edge| !is_silent(edge) && !is_led(edge)));
    }

    fn push_row_start(&mut self) -> usize {
        let start = position(self.groups.len());
        self.rows.push(Row { silent: start, led: start, followed: start });
        self.rows.len() - 1
    }

    /// Adds edges that are sorted by label, as groups.
    fn add_groups<'e>(
        &mut self,
        lts: &Lts,
        component: ComponentId,
        source: StateId,
        edges: impl Iterator<Item = &'e Edge>,
    ) {
        let field = self.fields[component.index()];
        let mut current = None;
        for edge in edges {
            if current != Some(edge.label) {
                current = Some(edge.label);
                self.groups.push(Group { label: edge.label, targets: position(self.targets.len()) });
            }
            let error = lts.error() == Some(edge.target);
            self.targets.push(if error { ERROR } else { field.delta(source, edge.target) });
        }
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
        /// Up to so many groups, looking at each is faster than halving.
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

/// A position in one of the tables.
fn position(index: usize) -> u32 {
    u32::try_from(index).expect("the tables of the components stay below 2^32 entries")
}
