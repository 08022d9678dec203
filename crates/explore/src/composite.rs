//! What traces and replay need to know about a system besides its transitions: who moves, and with which values.
//!
//! A search needs no more than a [`System`]: packed states and labels. To show a run, one also needs readable states
//! and the parts that take part in each step. Outside of the searches a state is a list of small numbers for both
//! kinds of behaviour: for a network the states of its components, for a program the position of each slot's value,
//! counted from the slot's least value.

use std::ops::ControlFlow;

use rely_base::{ActionId, Budget, Exhausted, Id, Label, Progress, StateId};
use rely_lts::{BehaviourRef, ComponentId, Fault};

use crate::program::{End, Kind};
use crate::{Machine, Product, Successor, System};

/// A step of a behaviour, with everything needed to show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The label, in the alphabet of the system.
    pub label: Label,
    /// The components or units that take part, in order. Of a tick these are all its members.
    pub movers: Vec<ComponentId>,
    /// Where it leads.
    pub end: MoveEnd,
}

/// Where a step leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveEnd {
    /// To a state.
    State(Vec<u32>),
    /// To the error state.
    Error {
        /// The component or unit that fails; the first, if there are several.
        part: ComponentId,
        /// What went wrong, if the unit did not fail by a failing command.
        fault: Option<Fault>,
        /// The state after it, as far as it has a meaning: a component that fails is in its error state, units that
        /// have assigned something have done so. After a fault, the state before it.
        after: Vec<u32>,
    },
    /// Out of the bounds within which the behaviour is explored.
    Cut(ComponentId),
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Product<'_> {}
    impl Sealed for super::Machine<'_> {}
}

/// The system of a behaviour, seen through its hiding: [`Product::transparent`] or [`Machine::transparent`].
pub trait Composite: System + Sync + sealed::Sealed {
    /// The behaviour.
    fn behaviour(&self) -> BehaviourRef<'_>;

    /// The numbers of a packed state.
    fn numbers(&self, state: &[u64]) -> Vec<u32>;

    /// The packed state with these numbers; `None` if there is no such state, or if it is the error state.
    fn state(&self, numbers: &[u32]) -> Option<Vec<u64>>;

    /// How many numbers a state has.
    fn width(&self) -> usize;

    /// Whether a part may fail: if not, no error is reachable.
    fn can_fail(&self) -> bool;

    /// Everything needed to show a transition.
    ///
    /// # Panics
    /// If the state does not have the transition.
    fn explain(&self, state: &[u64], label: Label, successor: Successor<'_>) -> Move;

    /// Calls `visit` for each step of a state, until it breaks.
    fn try_moves(&self, state: &[u64], visit: &mut impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()>;

    /// The product, if this is the system of a network.
    fn as_product(&self) -> Option<&Product<'_>>;
}

/// All steps of a behaviour in a state, which is given by its numbers; `None` if there is no such state. Labels are
/// those of the behaviour's alphabet: hidden actions appear under their names.
///
/// # Errors
/// The limit of the budget that was met: a state may have very many steps.
pub fn moves<'b>(
    behaviour: impl Into<BehaviourRef<'b>>,
    state: &[u32],
    budget: &Budget<'_>,
) -> Result<Option<Vec<Move>>, Exhausted> {
    match behaviour.into() {
        BehaviourRef::Network(network) => moves_of(&Product::transparent(network), state, budget),
        BehaviourRef::Program(program) => moves_of(&Machine::transparent(program), state, budget),
    }
}

/// The steps of a state, as [`moves`] lists them, for callers who have built the system already.
///
/// # Errors
/// The limit of the budget that was met.
pub fn moves_of(
    system: &impl Composite,
    state: &[u32],
    budget: &Budget<'_>,
) -> Result<Option<Vec<Move>>, Exhausted> {
    let Some(words) = system.state(state) else { return Ok(None) };
    let (mut moves, mut limit) = (Vec::new(), Ok(()));
    let per_move = size_of::<Move>() + 2 * size_of_val(state);
    let _ = system.try_moves(&words, &mut |it| {
        moves.push(it);
        if moves.len().is_multiple_of(Budget::INTERVAL) {
            let bytes = moves.len() * per_move;
            limit = budget.check(&Progress { transitions: moves.len(), bytes, ..Progress::default() });
        }
        if limit.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    limit.map(|()| Some(moves))
}

impl Composite for Product<'_> {
    fn behaviour(&self) -> BehaviourRef<'_> {
        self.network().into()
    }

    fn numbers(&self, state: &[u64]) -> Vec<u32> {
        self.unpack(state).into_iter().map(StateId::raw).collect()
    }

    fn state(&self, numbers: &[u32]) -> Option<Vec<u64>> {
        let components = self.network().components();
        let is_state = |(component, &number): (&rely_lts::Component, &u32)| {
            (number as usize) < component.lts.state_count()
                && component.lts.error() != Some(StateId::from_raw(number))
        };
        let are_states = numbers.len() == components.len() && components.iter().zip(numbers).all(is_state);
        are_states.then(|| self.pack(&numbers.iter().copied().map(StateId::from_raw).collect::<Vec<_>>()))
    }

    fn width(&self) -> usize {
        self.network().components().len()
    }

    fn can_fail(&self) -> bool {
        self.network().components().iter().any(|component| component.lts.error().is_some())
    }

    fn explain(&self, state: &[u64], label: Label, successor: Successor<'_>) -> Move {
        let before = self.unpack(state);
        match successor {
            Successor::State(target) => {
                let after = self.unpack(target);
                let movers = self.participants(label).unwrap_or_else(|| {
                    vec![self.silent_mover(&before, &after).expect("a silent step is one component's")]
                });
                Move { label, movers, end: MoveEnd::State(after.into_iter().map(StateId::raw).collect()) }
            }
            Successor::Error(part) => self.failing_move(label, before, part),
            Successor::Cut(part) => Move { label, movers: vec![part], end: MoveEnd::Cut(part) },
        }
    }

    fn try_moves(&self, state: &[u64], visit: &mut impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        self.try_successors(state, &mut self.cursor(), &mut |label, successor| {
            visit(self.explain(state, label, successor))
        })
    }

    fn as_product(&self) -> Option<&Product<'_>> {
        Some(self)
    }
}

impl Product<'_> {
    /// The components that have an action; nothing for a silent step.
    fn participants(&self, label: Label) -> Option<Vec<ComponentId>> {
        Some(self.network().participants(label.action()?).to_vec())
    }

    /// The component whose silent step leads from one state to the other.
    fn silent_mover(&self, before: &[StateId], after: &[StateId]) -> Option<ComponentId> {
        let components = self.network().components();
        let explains = |&i: &usize| {
            let silent = components[i].lts.silent_edges(before[i]);
            silent.iter().any(|edge| edge.target == after[i])
                && (0..before.len()).all(|j| j == i || before[j] == after[j])
        };
        (0..before.len()).find(explains).map(ComponentId::from_index)
    }

    /// A step by which a component reaches its error state; the others go where they may.
    fn failing_move(&self, label: Label, mut after: Vec<StateId>, part: ComponentId) -> Move {
        let movers = self.participants(label).unwrap_or_else(|| vec![part]);
        for &component in &movers {
            let state = &mut after[component.index()];
            *state = match component == part {
                true => self.network().components()[part.index()].lts.error().expect("what failed can fail"),
                false => self.any_target(component, label, *state),
            };
        }
        let after = after.into_iter().map(StateId::raw).collect();
        Move { label, movers, end: MoveEnd::Error { part, fault: None, after } }
    }

    /// Where a component may go with an action of the network.
    fn any_target(&self, component: ComponentId, label: Label, state: StateId) -> StateId {
        let network = self.network();
        let own = network.actions_of(component).iter().position(|&action| Some(action) == label.action());
        let own = own.map_or(Label::TAU, |own| Label::visible(ActionId::from_index(own)));
        let edges = network.components()[component.index()].lts.edges_with(state, own);
        edges.first().expect("every participant takes part in a joint action").target
    }
}

impl Composite for Machine<'_> {
    fn behaviour(&self) -> BehaviourRef<'_> {
        self.program().into()
    }

    fn numbers(&self, state: &[u64]) -> Vec<u32> {
        self.unpack(state)
    }

    fn state(&self, numbers: &[u32]) -> Option<Vec<u64>> {
        self.pack(numbers)
    }

    fn width(&self) -> usize {
        self.program().slots().len()
    }

    fn can_fail(&self) -> bool {
        true
    }

    fn explain(&self, state: &[u64], label: Label, successor: Successor<'_>) -> Move {
        let mut found = None;
        let _ = self.try_steps(state, &mut self.cursor(), &mut |kind, end| {
            let is_it = self.label(kind) == label
                && match (end, successor) {
                    (End::State(after), Successor::State(target)) => after == target,
                    (End::Failure { unit, .. }, Successor::Error(part)) => unit == part,
                    (End::Cut(unit), Successor::Cut(part)) => unit == part,
                    _ => false,
                };
            if !is_it {
                return ControlFlow::Continue(());
            }
            found = Some(self.told(state, kind, end));
            ControlFlow::Break(())
        });
        found.expect("the state has the transition")
    }

    fn try_moves(&self, state: &[u64], visit: &mut impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        self.try_steps(state, &mut self.cursor(), &mut |kind, end| visit(self.told(state, kind, end)))
    }

    fn as_product(&self) -> Option<&Product<'_>> {
        None
    }
}

impl Machine<'_> {
    fn told(&self, state: &[u64], kind: Kind, end: End<'_>) -> Move {
        let end = match end {
            End::State(after) => MoveEnd::State(self.unpack(after)),
            End::Cut(unit) => MoveEnd::Cut(unit),
            End::Failure { unit, fault, after } => {
                MoveEnd::Error { part: unit, fault, after: self.unpack(after.unwrap_or(state)) }
            }
        };
        Move { label: self.label(kind), movers: self.movers(kind), end }
    }
}
