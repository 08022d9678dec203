//! The product of a behaviour, the fluents, and the automaton of a negated formula.
//!
//! Called by `liveness.rs`; `random.rs` follows sets of states of the automaton through it.

use std::ops::ControlFlow;

use rely_base::{Id, StateId};
use rely_omega::{AtomSet, Buchi};

use crate::observed::{Automaton, Observed, Situation};

/// The automaton of a negated formula. Before the first letter it is in a state of its own, which stands for all its initial
/// states.
#[derive(Clone, Copy)]
pub(super) struct Negation<'a>(pub(super) &'a Buchi);

/// The product: its accepting runs are the violations of the formula.
pub(super) type Violations<'a> = Observed<'a, Negation<'a>>;

impl Negation<'_> {
    /// The state before the first letter.
    fn start(self) -> StateId {
        StateId::from_index(self.0.state_count())
    }

    /// Calls `visit` with the states of the automaton that a state stands for.
    fn try_each(self, state: StateId, visit: &mut impl FnMut(StateId) -> ControlFlow<()>) -> ControlFlow<()> {
        if state == self.start() {
            self.0.initial().iter().copied().try_for_each(visit)
        } else {
            visit(state)
        }
    }
}

impl Automaton for Negation<'_> {
    fn initial(&self) -> u32 {
        self.start().raw()
    }

    fn try_read(
        &self,
        state: u32,
        letter: &AtomSet,
        visit: &mut impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.try_each(StateId::from_raw(state), &mut |from| {
            self.0.successors(from, letter).try_for_each(|to| visit(to.raw()))
        })
    }
}

impl Violations<'_> {
    pub(super) fn is_accepting(&self, situation: &Situation) -> bool {
        let state = StateId::from_raw(situation.automaton);
        state != self.automaton.start() && self.automaton.0.is_accepting(state)
    }

    /// Whether the behaviour stops here, and stuttering for ever violates the formula.
    pub(super) fn stuttering_violates(&self, Situation { place, automaton, fluents }: &Situation) -> bool {
        let stops = self.graph.edges(*place).is_empty() && !self.graph.is_failing(*place);
        let letter = self.letters.stutter_letter(fluents);
        let accepted = self.automaton.try_each(StateId::from_raw(*automaton), &mut |state| match self
            .automaton
            .0
            .accepts_forever(state, &letter)
        {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        stops && accepted.is_break()
    }
}
