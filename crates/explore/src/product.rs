//! The transition system of a network, state by state.
//!
//! Problem: given a state of M₁ ‖ … ‖ Mₙ, enumerate its transitions, without allocation and touching as little memory
//! as possible, in the order τ first and then by action number.
//!
//! Idea: an action is *led* by the first component that has it; the other participants *follow*. To find what is
//! enabled, look only at the edges that each component leads in its current state, and ask the followers. Since the
//! network numbers actions by first appearance, walking the components in order and the led edges of each by label
//! meets the actions in the order of their numbers: nothing has to be sorted. The tables hold, for every component
//! state, its edges grouped by action, and for every edge the *exclusive or* of source and target, already shifted to
//! the component's field: taking a transition is one `^=` per participant, taking it back is the same again.
//!
//! Priority: among what is enabled, if some action of the high side is, the low side is dropped ([`rely_lts::Rank`]).
//!
//! Invariants: in `rows`, `groups` and `targets` the entries of one owner are adjacent, in order, and end where those
//! of the next begin; each of these tables has a sentinel at its end. Cost of a state: O(n + led edges × participants).

use rely_base::{ActionId, Alphabet, Id, Label, StateId};
use rely_lts::{ComponentId, Edge, Lts, Network, Priority};

use crate::packing::{Field, pack};
use crate::{Successor, System};

/// Stands for a step into the error state. No change of a field has so many bits.
const ERROR: u64 = u64::MAX;

/// The [`System`] of a network.
#[derive(Clone, Debug)]
pub struct Product<'n> {
    network: &'n Network,
    /// The names of the labels that are shown.
    alphabet: Alphabet,
    /// For each action of the network, the label that is shown.
    shown: Vec<Label>,
    words: usize,
    fields: Vec<Field>,
    /// For each component, the row of its state 0.
    first_row: Vec<usize>,
    /// For each state of each component, its groups.
    rows: Vec<Row>,
    groups: Vec<Group>,
    /// The changes of the component's word, or [`ERROR`].
    targets: Vec<u64>,
    /// Where every component that has an end state is in it, `state & end_mask == end_value`.
    end_mask: Vec<u64>,
    end_value: Vec<u64>,
    can_terminate: bool,
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

/// The scratch space of [`Product`].
#[derive(Clone, Debug)]
pub struct ProductCursor {
    /// The row of each component's current state.
    rows: Vec<usize>,
    /// What is enabled.
    moves: Vec<Move>,
    /// The parts of the moves, adjacent for each move.
    choices: Vec<Choice>,
    /// The successor under construction; equal to the current state between two successors.
    next: Vec<u64>,
}

/// A label that is enabled.
#[derive(Clone, Copy, Debug)]
struct Move {
    label: Label,
    /// The first of its choices; they end where those of the next move begin.
    choices: usize,
}

/// What one participant of a move can do.
#[derive(Clone, Copy, Debug)]
struct Choice {
    component: ComponentId,
    /// The targets to choose from, and the one chosen.
    first: u32,
    end: u32,
    chosen: u32,
}

impl<'n> Product<'n> {
    /// The network as it is seen from outside: its hidden actions are silent.
    pub fn new(network: &'n Network) -> Self {
        let alphabet = network.visible_alphabet();
        let shown = network
            .alphabet()
            .iter()
            .map(|(action, name)| match network.is_hidden(action) {
                true => Label::TAU,
                false => Label::visible(alphabet.get(name).expect("an action that is not hidden is visible")),
            })
            .collect();
        Self::with_labels(network, alphabet, shown)
    }

    /// The network seen through its hiding: hidden actions appear under their names, and labels are those of
    /// [`Network::alphabet`].
    pub fn transparent(network: &'n Network) -> Self {
        let shown = network.alphabet().iter().map(|(action, _)| Label::visible(action)).collect();
        Self::with_labels(network, network.alphabet().clone(), shown)
    }

    fn with_labels(network: &'n Network, alphabet: Alphabet, shown: Vec<Label>) -> Self {
        let (fields, words) = pack(network.components().iter().map(|component| &*component.lts));
        let mut product = Self {
            network,
            alphabet,
            shown,
            words,
            fields,
            first_row: Vec::new(),
            rows: Vec::new(),
            groups: Vec::new(),
            targets: Vec::new(),
            end_mask: vec![0; words],
            end_value: vec![0; words],
            can_terminate: network.can_terminate(),
        };
        for component in 0..network.components().len() {
            product.add_component(ComponentId::from_index(component));
        }
        product.push_row_start();
        product.groups.push(Group { label: Label::TAU, targets: position(product.targets.len()) });
        product
    }

    /// Adds the tables of a component.
    fn add_component(&mut self, component: ComponentId) {
        let lts = &*self.network.components()[component.index()].lts;
        let field = self.fields[component.index()];
        self.first_row.push(self.rows.len());
        for state in lts.states().filter(|&state| Some(state) != lts.error()) {
            self.add_row(component, lts, state);
        }
        if let Some(end) = lts.end() {
            self.end_mask[field.word] |= field.mask << field.shift;
            self.end_value[field.word] |= field.encode(end) << field.shift;
        }
    }

    /// Adds the tables of one state of a component.
    fn add_row(&mut self, component: ComponentId, lts: &Lts, state: StateId) {
        let network = self.network;
        let leads =
            |label: &Label| label.action().is_some_and(|action| network.participants(action)[0] == component);
        let mut edges: Vec<Edge> = lts.edges(state).to_vec();
        for edge in &mut edges {
            if let Some(own) = edge.label.action() {
                edge.label = Label::visible(network.actions_of(component)[own.index()]);
            }
        }
        edges.sort_unstable();
        self.push_row_start();
        self.add_groups(component, lts, state, edges.iter().filter(|edge| edge.label.is_tau()));
        self.rows.last_mut().expect("just pushed").led = position(self.groups.len());
        self.add_groups(component, lts, state, edges.iter().filter(|edge| leads(&edge.label)));
        self.rows.last_mut().expect("just pushed").followed = position(self.groups.len());
        let follows = |edge: &&Edge| !edge.label.is_tau() && !leads(&edge.label);
        self.add_groups(component, lts, state, edges.iter().filter(follows));
    }

    fn push_row_start(&mut self) {
        let start = position(self.groups.len());
        self.rows.push(Row { silent: start, led: start, followed: start });
    }

    /// Adds edges that are sorted by label, as groups.
    fn add_groups<'e>(
        &mut self,
        component: ComponentId,
        lts: &Lts,
        state: StateId,
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
            self.targets.push(if error { ERROR } else { field.delta(state, edge.target) });
        }
    }

    /// The network.
    pub fn network(&self) -> &'n Network {
        self.network
    }

    /// The states of the components.
    pub fn unpack(&self, state: &[u64]) -> Vec<StateId> {
        self.fields.iter().map(|field| field.decode(field.extract(state))).collect()
    }

    /// The state in which the components are in these states, none of which is an error state.
    pub fn pack(&self, components: &[StateId]) -> Vec<u64> {
        let mut state = vec![0; self.words];
        for (field, &component) in self.fields.iter().zip(components) {
            state[field.word] |= field.encode(component) << field.shift;
        }
        state
    }

    /// The components whose bits are not all zero: of the *exclusive or* of two states, those that differ.
    pub fn components_in<'a>(&'a self, words: &'a [u64]) -> impl Iterator<Item = ComponentId> + 'a {
        let fields = self.fields.iter().enumerate();
        fields.filter(|(_, field)| field.extract(words) != 0).map(|(i, _)| ComponentId::from_index(i))
    }

    /// Lists what is enabled.
    fn collect_moves(&self, state: &[u64], cursor: &mut ProductCursor) {
        cursor.moves.clear();
        cursor.choices.clear();
        for (component, field) in self.fields.iter().enumerate() {
            let row = self.first_row[component] + field.extract(state);
            cursor.rows[component] = row;
            let Row { silent, led, .. } = self.rows[row];
            for group in silent..led {
                cursor.moves.push(Move { label: Label::TAU, choices: cursor.choices.len() });
                cursor.choices.push(self.choice(ComponentId::from_index(component), group));
            }
        }
        for component in 0..self.fields.len() {
            let Row { led, followed, .. } = self.rows[cursor.rows[component]];
            for group in led..followed {
                self.collect_joint(ComponentId::from_index(component), group, cursor);
            }
        }
    }

    /// Lists the action of a group of its leader, if all followers are ready for it.
    #[inline]
    fn collect_joint(&self, leader: ComponentId, group: u32, cursor: &mut ProductCursor) {
        let label = self.groups[group as usize].label;
        let action = label.action().expect("a component leads actions, not τ");
        let start = cursor.choices.len();
        cursor.choices.push(self.choice(leader, group));
        for &follower in &self.network.participants(action)[1..] {
            let Some(group) = self.followed_group(cursor.rows[follower.index()], label) else {
                cursor.choices.truncate(start);
                return;
            };
            cursor.choices.push(self.choice(follower, group));
        }
        cursor.moves.push(Move { label, choices: start });
    }

    /// The group of a label that a component follows in a state.
    #[inline]
    fn followed_group(&self, row: usize, label: Label) -> Option<u32> {
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

    #[inline]
    fn choice(&self, component: ComponentId, group: u32) -> Choice {
        let first = self.groups[group as usize].targets;
        Choice { component, first, end: self.groups[group as usize + 1].targets, chosen: first }
    }

    /// Shows every way to make a move: all combinations of targets, those of the last participant varying fastest.
    #[inline]
    fn show(
        &self,
        label: Label,
        choices: &mut [Choice],
        next: &mut [u64],
        visit: &mut impl FnMut(Label, Successor<'_>),
    ) {
        loop {
            match self.error_of(choices) {
                Some(component) => visit(label, Successor::Error(component)),
                None => {
                    self.apply(choices, next);
                    visit(label, Successor::State(next));
                    self.apply(choices, next);
                }
            }
            let advanced = choices.iter_mut().rev().any(|choice| {
                choice.chosen += 1;
                let wrapped = choice.chosen == choice.end;
                if wrapped {
                    choice.chosen = choice.first;
                }
                !wrapped
            });
            if !advanced {
                return;
            }
        }
    }

    /// The first component that the chosen targets bring to its error state.
    #[inline]
    fn error_of(&self, choices: &[Choice]) -> Option<ComponentId> {
        let error = choices.iter().find(|choice| self.targets[choice.chosen as usize] == ERROR);
        error.map(|choice| choice.component)
    }

    /// Moves to the chosen targets, or back.
    #[inline]
    fn apply(&self, choices: &[Choice], state: &mut [u64]) {
        for choice in choices {
            state[self.fields[choice.component.index()].word] ^= self.targets[choice.chosen as usize];
        }
    }
}

impl System for Product<'_> {
    type Cursor = ProductCursor;

    fn words(&self) -> usize {
        self.words
    }

    fn cursor(&self) -> ProductCursor {
        ProductCursor {
            rows: vec![0; self.fields.len()],
            moves: Vec::new(),
            choices: Vec::new(),
            next: vec![0; self.words],
        }
    }

    fn initial(&self, state: &mut [u64]) -> Result<(), ComponentId> {
        state.fill(0);
        for (i, component) in self.network.components().iter().enumerate() {
            let (lts, field) = (&component.lts, &self.fields[i]);
            if lts.error() == Some(lts.initial()) {
                return Err(ComponentId::from_index(i));
            }
            state[field.word] |= field.encode(lts.initial()) << field.shift;
        }
        Ok(())
    }

    #[inline]
    fn successors(
        &self,
        state: &[u64],
        cursor: &mut ProductCursor,
        visit: &mut impl FnMut(Label, Successor<'_>),
    ) {
        self.collect_moves(state, cursor);
        let ProductCursor { moves, choices, next, .. } = cursor;
        next.copy_from_slice(state);
        let threshold = self
            .network
            .priority()
            .filter(|priority| moves.iter().any(|&Move { label, .. }| is_high(priority, label)));
        for (i, &Move { label, choices: start }) in moves.iter().enumerate() {
            if threshold.is_some_and(|priority| !is_high(priority, label)) {
                continue;
            }
            let end = moves.get(i + 1).map_or(choices.len(), |following| following.choices);
            let shown = label.action().map_or(Label::TAU, |action| self.shown[action.index()]);
            self.show(shown, &mut choices[start..end], next, visit);
        }
    }

    fn is_end(&self, state: &[u64]) -> bool {
        self.can_terminate
            && state
                .iter()
                .zip(self.end_mask.iter().zip(&self.end_value))
                .all(|(word, (mask, value))| word & mask == *value)
    }

    fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }
}

/// Whether a label is on the side that goes first.
fn is_high(priority: &Priority, label: Label) -> bool {
    label.action().map_or(priority.is_tau_high(), |action: ActionId| priority.is_high(action))
}

/// A position in one of the tables.
fn position(index: usize) -> u32 {
    u32::try_from(index).expect("the tables of the components stay below 2^32 entries")
}
