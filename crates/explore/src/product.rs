//! The transition system of a network, state by state.
//!
//! Problem: given a state of M₁ ‖ … ‖ Mₙ, enumerate its transitions, without allocation and touching as little memory
//! as possible, in the order τ first and then by action number.
//!
//! Idea: an action is *led* by the first component that has it; the other participants *follow* (`tables.rs`). To find
//! what is enabled, look only at the edges that each component leads in its current state, and ask the followers. Since
//! the network numbers actions by first appearance, walking the components in order and the led edges of each by label
//! meets the actions in the order of their numbers: nothing has to be sorted.
//!
//! Priority: among what is enabled, if some action of the high side is, the low side is dropped ([`rely_lts::Rank`]).
//!
//! A search that asks for many states uses a faster way: few components move from one state to the next, so it keeps
//! up to date which components are ready for which actions (`readiness.rs`) and looks only at what is enabled.
//!
//! Cost of a state: O(components + led edges × participants + transitions), and after some states O(components + edges of
//! those that have moved + transitions × participants). Called by every search of a network.
//!
//! Most networks are small enough to be compiled further, for such searches: to guards and changes of words
//! (`moves.rs`). These give the same transitions in the same order, so they affect only time. A search that does not
//! need to see each transition, such as a sweep, uses sets of steps (`steps.rs`).

use std::ops::{ControlFlow, Range};
use std::sync::OnceLock;

use rely_base::{Alphabet, Id, Label, StateId};
use rely_lts::{ComponentId, Network, Priority};

use crate::moves::Moves;
use crate::readiness::Readiness;
use crate::steps::{Enabled, Steps};
use crate::tables::{ERROR, Tables};
use crate::{Arrival, Arrivals, Successor, System};

/// The [`System`] of a network.
#[derive(Clone, Debug)]
pub struct Product<'n> {
    network: &'n Network,
    /// The names of the labels that are shown.
    alphabet: Alphabet,
    /// For each action of the network, the label that is shown.
    shown: Vec<Label>,
    tables: Tables,
    /// The network's moves, if it can be compiled to them, and its steps as sets, if there are not too many. They are
    /// built when a search has looked at [`FEW`] states: small searches end before the preparation pays.
    moves: OnceLock<Option<Moves>>,
    steps: OnceLock<Option<Steps>>,
    /// The participants of the silent steps of components and of the actions, as sets of bits; empty where there are too
    /// many components, and with priority, which makes all depend on all.
    participants: Vec<u128>,
    /// Where every component that has an end state is in it, `state & end_mask == end_value`.
    end_mask: Vec<u64>,
    end_value: Vec<u64>,
    can_terminate: bool,
}

/// The scratch space of [`Product`].
#[derive(Clone, Debug)]
pub struct ProductCursor {
    /// The row of each component's current state.
    rows: Vec<usize>,
    /// The number of states looked at so far without readiness, and the readiness in the last state, once it is used.
    unprepared: usize,
    readiness: Option<Readiness>,
    /// What is enabled.
    moves: Vec<Move>,
    /// The choices of the moves; those of one move are adjacent.
    choices: Vec<Choice>,
    /// The successor under construction; between two successors it equals the current state.
    next: Vec<u64>,
    /// The successor by a simple step.
    simple: Vec<u64>,
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

/// Up to this number of states, preparing moves, steps and readiness costs more than it saves.
const FEW: usize = if cfg!(test) { 3 } else { 1 << 8 };

impl Choice {
    /// Chooses the next target. After the last one, chooses the first again and returns false.
    #[inline]
    fn advance(&mut self) -> bool {
        self.chosen += 1;
        let wrapped = self.chosen == self.end;
        if wrapped {
            self.chosen = self.first;
        }
        !wrapped
    }
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

    /// The maximum number of bytes that the product of a network can take before a search begins.
    pub(crate) fn bytes_needed(network: &Network) -> usize {
        Tables::bytes_needed(network)
    }

    fn with_labels(network: &'n Network, alphabet: Alphabet, shown: Vec<Label>) -> Self {
        let tables = Tables::new(network);
        let (mut end_mask, mut end_value) = (vec![0; tables.words], vec![0; tables.words]);
        for (component, field) in network.components().iter().zip(&tables.fields) {
            if let Some(end) = component.lts.end() {
                end_mask[field.word] |= field.mask << field.shift;
                end_value[field.word] |= field.encode(end) << field.shift;
            }
        }
        let can_terminate = network.can_terminate();
        let participants = participants(network);
        Self {
            network,
            alphabet,
            shown,
            tables,
            moves: OnceLock::new(),
            steps: OnceLock::new(),
            participants,
            end_mask,
            end_value,
            can_terminate,
        }
    }

    /// Whether there are compiled moves.
    #[cfg(test)]
    pub(crate) fn is_compiled(&self) -> bool {
        self.moves().is_some()
    }

    /// The product without compiled moves and steps, for tests.
    #[cfg(test)]
    pub(crate) fn interpreted(mut self) -> Self {
        self.moves = OnceLock::from(None);
        self.steps = OnceLock::from(None);
        self
    }

    /// The network.
    pub fn network(&self) -> &'n Network {
        self.network
    }

    /// The states of the components.
    pub fn unpack(&self, state: &[u64]) -> Vec<StateId> {
        self.tables.fields.iter().map(|field| field.decode(field.extract(state))).collect()
    }

    /// The state of one component.
    pub fn state_of(&self, component: ComponentId, state: &[u64]) -> StateId {
        let field = &self.tables.fields[component.index()];
        field.decode(field.extract(state))
    }

    /// The packed state in which the components are in the given states, none of which is an error state.
    pub fn pack(&self, components: &[StateId]) -> Vec<u64> {
        let mut state = vec![0; self.tables.words];
        for (field, &component) in self.tables.fields.iter().zip(components) {
            state[field.word] |= field.encode(component) << field.shift;
        }
        state
    }

    /// The components that have a bit set in `words`. If `words` is the *exclusive or* of two states, they are those
    /// that differ.
    pub fn components_in<'a>(&'a self, words: &'a [u64]) -> impl Iterator<Item = ComponentId> + 'a {
        let fields = self.tables.fields.iter().enumerate();
        fields.filter(|(_, field)| field.extract(words) != 0).map(|(i, _)| ComponentId::from_index(i))
    }

    fn moves(&self) -> Option<&Moves> {
        self.moves.get_or_init(|| Moves::new(self.network, &self.tables, &self.shown)).as_ref()
    }

    fn steps(&self) -> Option<&Steps> {
        self.steps.get_or_init(|| Steps::new(self.network, &self.tables, &self.shown)).as_ref()
    }

    /// The tables.
    pub(crate) fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Shows the transitions of a state by computing which steps are enabled, without compiled moves.
    fn interpret(
        &self,
        state: &[u64],
        cursor: &mut ProductCursor,
        visit: &mut impl FnMut(Label, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.collect_moves(state, cursor);
        let ProductCursor { moves, choices, next, .. } = cursor;
        next.copy_from_slice(state);
        let threshold = self.threshold(moves);
        for (i, &Move { label, choices: start }) in moves.iter().enumerate() {
            if threshold.is_some_and(|priority| priority.is_low(label.action())) {
                continue;
            }
            let end = moves.get(i + 1).map_or(choices.len(), |following| following.choices);
            self.show(self.shown_as(label), &mut choices[start..end], next, visit)?;
        }
        ControlFlow::Continue(())
    }

    /// Shows the transitions by some steps of a state that are known to be enabled. A step is given by the component
    /// that leads it and the network's label. The rows of the components are up to date in the cursor.
    pub(crate) fn try_steps(
        &self,
        steps: impl Iterator<Item = (ComponentId, Label)>,
        row: impl Fn(usize) -> usize,
        state: &[u64],
        cursor: &mut ProductCursor,
        visit: &mut impl FnMut(Label, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let ProductCursor { choices, next, .. } = cursor;
        next.copy_from_slice(state);
        for (leader, label) in steps {
            choices.clear();
            let alone = std::slice::from_ref(&leader);
            let participants = label.action().map_or(alone, |action| self.network.participants(action));
            self.choose(participants, label, &row, choices);
            self.show(self.shown_as(label), choices, next, visit)?;
        }
        ControlFlow::Continue(())
    }

    /// Shows all transitions in reverse order, each with the number of its step, or with nothing if the step is
    /// asleep. The rule is that of `moves.rs`, applied to actions and silent steps of components in the order in
    /// which they are shown.
    fn interpret_awake(
        &self,
        state: &[u64],
        arrival: Arrival,
        cursor: &mut ProductCursor,
        visit: &mut impl FnMut(Label, Successor<'_>, Option<Arrival>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.collect_moves(state, cursor);
        let ProductCursor { moves, choices, next, .. } = cursor;
        next.copy_from_slice(state);
        let threshold = self.threshold(moves);
        let last = self.participants.get(arrival.0 as usize).copied().unwrap_or(u128::MAX);
        let mut end = choices.len();
        for &Move { label, choices: start } in moves.iter().rev() {
            let (these, leader) = (start..end, choices[start].component);
            end = start;
            if threshold.is_some_and(|priority| priority.is_low(label.action())) {
                continue;
            }
            let own = self.number(label, leader);
            let together = self.participants.get(own.0 as usize).copied().unwrap_or(u128::MAX);
            let awake = own.0 <= arrival.0 || together & last != 0;
            let own = awake.then_some(own);
            let visit = &mut |label: Label, successor: Successor<'_>| visit(label, successor, own);
            self.show(self.shown_as(label), &mut choices[these], next, visit)?;
        }
        ControlFlow::Continue(())
    }

    /// The number of a silent step of a component, or of an action: first all components, then all actions.
    fn number(&self, label: Label, leader: ComponentId) -> Arrival {
        let number =
            label.action().map_or(leader.index(), |action| self.tables.fields.len() + action.index());
        u32::try_from(number).map_or(Arrival::UNKNOWN, Arrival)
    }

    /// The priority, if something is enabled that goes first.
    fn threshold(&self, moves: &[Move]) -> Option<&'n Priority> {
        self.network
            .priority()
            .filter(|priority| moves.iter().any(|&Move { label, .. }| priority.is_high(label.action())))
    }

    fn shown_as(&self, label: Label) -> Label {
        label.action().map_or(Label::TAU, |action| self.shown[action.index()])
    }

    /// Lists what is enabled.
    fn collect_moves(&self, state: &[u64], cursor: &mut ProductCursor) {
        cursor.moves.clear();
        cursor.choices.clear();
        if cursor.unprepared == FEW {
            return self.collect_ready(state, cursor);
        }
        cursor.unprepared += 1;
        for component in 0..self.tables.fields.len() {
            let row = self.tables.row(component, state);
            cursor.rows[component] = row;
            for group in self.tables.silent(row) {
                cursor.moves.push(Move { label: Label::TAU, choices: cursor.choices.len() });
                cursor.choices.push(self.choice(ComponentId::from_index(component), group));
            }
        }
        for component in 0..self.tables.fields.len() {
            for group in self.tables.led(cursor.rows[component]) {
                self.collect_joint(ComponentId::from_index(component), group, cursor);
            }
        }
    }

    /// Lists what is enabled, like [`Product::collect_moves`], by means of the readiness of the components.
    fn collect_ready(&self, state: &[u64], cursor: &mut ProductCursor) {
        let ProductCursor { readiness, moves, choices, .. } = cursor;
        let readiness = readiness.get_or_insert_with(|| Readiness::new(self));
        readiness.look(&self.tables, state);
        for &component in &self.tables.silent_components {
            for group in self.tables.silent(readiness.row(component.index())) {
                moves.push(Move { label: Label::TAU, choices: choices.len() });
                choices.push(self.choice(component, group));
            }
        }
        for action in readiness.enabled() {
            let label = Label::visible(action);
            moves.push(Move { label, choices: choices.len() });
            self.choose(self.network.participants(action), label, |who| readiness.row(who), choices);
        }
    }

    /// Adds the choices of the participants of an enabled action, those of the leader first.
    fn choose(
        &self,
        participants: &[ComponentId],
        label: Label,
        row: impl Fn(usize) -> usize,
        choices: &mut Vec<Choice>,
    ) {
        let (leader, followers) = participants.split_first().expect("an action has a component");
        let led = self.tables.own(row(leader.index()), label);
        choices.push(self.choice(*leader, led.expect("what is enabled has a leader who is ready")));
        for &follower in followers {
            let group = self.tables.followed(row(follower.index()), label);
            choices.push(self.choice(follower, group.expect("all are ready for what is enabled")));
        }
    }

    /// Lists the action of a group of its leader, if all followers are ready for it.
    #[inline]
    fn collect_joint(&self, leader: ComponentId, group: u32, cursor: &mut ProductCursor) {
        let label = self.tables.label(group);
        let action = label.action().expect("a component leads actions, not τ");
        let start = cursor.choices.len();
        cursor.choices.push(self.choice(leader, group));
        for &follower in &self.network.participants(action)[1..] {
            let Some(group) = self.tables.followed(cursor.rows[follower.index()], label) else {
                cursor.choices.truncate(start);
                return;
            };
            cursor.choices.push(self.choice(follower, group));
        }
        cursor.moves.push(Move { label, choices: start });
    }

    #[inline]
    fn choice(&self, component: ComponentId, group: u32) -> Choice {
        let Range { start, end } = self.tables.targets(group);
        Choice { component, first: start, end, chosen: start }
    }

    /// Shows every way to make a move: all combinations of targets, those of the last participant varying fastest.
    #[inline]
    fn show(
        &self,
        label: Label,
        choices: &mut [Choice],
        next: &mut [u64],
        visit: &mut impl FnMut(Label, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        loop {
            match self.error_of(choices) {
                Some(component) => visit(label, Successor::Error(component))?,
                None => {
                    self.apply(choices, next);
                    visit(label, Successor::State(next))?;
                    self.apply(choices, next);
                }
            }
            let advanced = choices.iter_mut().rev().any(Choice::advance);
            if !advanced {
                return ControlFlow::Continue(());
            }
        }
    }

    /// The first component that the chosen targets bring to its error state.
    #[inline]
    fn error_of(&self, choices: &[Choice]) -> Option<ComponentId> {
        let error = choices.iter().find(|choice| self.tables.change(choice.chosen) == ERROR);
        error.map(|choice| choice.component)
    }

    /// Moves to the chosen targets. Called a second time, it moves back.
    #[inline]
    fn apply(&self, choices: &[Choice], state: &mut [u64]) {
        for choice in choices {
            state[self.tables.fields[choice.component.index()].word] ^= self.tables.change(choice.chosen);
        }
    }
}

impl System for Product<'_> {
    type Cursor = ProductCursor;

    fn bytes(&self) -> usize {
        self.tables.bytes()
    }

    fn words(&self) -> usize {
        self.tables.words
    }

    fn cursor(&self) -> ProductCursor {
        ProductCursor {
            rows: vec![0; self.tables.fields.len()],
            unprepared: 0,
            readiness: None,
            moves: Vec::new(),
            choices: Vec::new(),
            next: vec![0; self.tables.words],
            simple: vec![0; self.tables.words],
        }
    }

    fn initial(&self, state: &mut [u64]) -> Result<(), ComponentId> {
        state.fill(0);
        for (i, component) in self.network.components().iter().enumerate() {
            let (lts, field) = (&component.lts, &self.tables.fields[i]);
            if lts.error() == Some(lts.initial()) {
                return Err(ComponentId::from_index(i));
            }
            state[field.word] |= field.encode(lts.initial()) << field.shift;
        }
        Ok(())
    }

    #[inline]
    fn try_successors(
        &self,
        state: &[u64],
        cursor: &mut ProductCursor,
        visit: &mut impl FnMut(Label, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // With or without compiled moves, the transitions are the same, in the same order.
        let moves = if cursor.unprepared < FEW { None } else { self.moves() };
        match (moves, state) {
            (Some(moves), &[word]) => moves.try_each(word, &mut |label, target| visit(label, one(&target))),
            (Some(moves), _) => moves.try_each_wide(state, &mut cursor.next, &mut |label, target| {
                visit(label, target.map_or_else(Successor::Error, Successor::State))
            }),
            (None, _) => self.interpret(state, cursor, visit),
        }
    }

    #[inline]
    fn try_awake(
        &self,
        state: &[u64],
        arrival: Arrival,
        cursor: &mut ProductCursor,
        visit: &mut impl FnMut(Label, Successor<'_>, Option<Arrival>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match (self.moves(), state) {
            (Some(moves), &[word]) => moves
                .try_awake(word, arrival, &mut |label, target, arrival| visit(label, one(&target), arrival)),
            (Some(moves), _) => {
                moves.try_awake_wide(state, arrival, &mut cursor.next, &mut |label, target, arrival| {
                    visit(label, target.map_or_else(Successor::Error, Successor::State), arrival)
                })
            }
            (None, _) => self.interpret_awake(state, arrival, cursor, visit),
        }
    }

    fn can_fan_out(&self) -> bool {
        self.steps().is_some()
    }

    #[inline]
    fn fan_out(
        &self,
        state: &[u64],
        arrival: Arrival,
        cursor: &mut ProductCursor,
        into: &mut Arrivals,
        show: &mut impl FnMut(Label, Successor<'_>),
    ) -> usize {
        let steps = self.steps().expect("it can fan out");
        let mut next = std::mem::take(&mut cursor.simple);
        let mut others = 0;
        let simple = steps.for_each(state, arrival, &mut next, |enabled, own| match enabled {
            Enabled::Simple(label, target) => {
                into.push(target, own.unwrap_or(Arrival::UNKNOWN));
                show(label, Successor::State(target));
            }
            Enabled::Other(leader, label) => {
                let row = |component| self.tables.row(component, state);
                let step = std::iter::once((leader, label));
                let _ = self.try_steps(step, row, state, cursor, &mut |label, successor| {
                    others += 1;
                    match (successor, own) {
                        (Successor::State(_), None) => return ControlFlow::Continue(()),
                        (Successor::State(target), Some(own)) => into.push(target, own),
                        (Successor::Error(_) | Successor::Cut(_), _) => {}
                    }
                    show(label, successor);
                    ControlFlow::Continue(())
                });
            }
        });
        cursor.simple = next;
        simple + others
    }

    fn has_distinct_transitions(&self) -> bool {
        self.steps().is_some_and(Steps::has_distinct_transitions)
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

/// The participants of each silent step and of each action: see the field of that name.
fn participants(network: &Network) -> Vec<u128> {
    let components = network.components().len();
    if components > u128::BITS as usize || network.priority().is_some() {
        return Vec::new();
    }
    let actions = network.alphabet().iter().map(|(action, _)| {
        network.participants(action).iter().fold(0, |set, participant| set | 1 << participant.index())
    });
    (0..components).map(|component| 1 << component).chain(actions).collect()
}

/// A state of one word, or an error.
#[inline]
fn one(target: &Result<u64, ComponentId>) -> Successor<'_> {
    match target {
        Ok(word) => Successor::State(std::slice::from_ref(word)),
        Err(component) => Successor::Error(*component),
    }
}
