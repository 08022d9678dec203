//! The product of a network, the fluents, and the automaton of a negated formula.
//!
//! Source: [Vardi & Wolper 1986]. A run of the product is a run of the network together with a run of the automaton on its
//! word. The states of the network are those of its graph, by number, so that the product is small and quick to make.
//!
//! Called by `liveness.rs`; `random.rs` follows sets of states of the automaton through it.

use std::ops::ControlFlow;

use rely_base::{Alphabet, Id, Label, StateId};
use rely_explore::{Graph, Successor, System};
use rely_lts::ComponentId;
use rely_omega::{AtomSet, Buchi, Fluents, Letters};

/// The product.
///
/// A state is a word with the state of the graph in its lower half and that of the automaton in the upper one, then
/// the words of the fluents. Before the first letter the automaton is in a state of its own, which stands for all its
/// initial states.
#[derive(Clone, Copy)]
pub(super) struct Violations<'a> {
    pub(super) graph: &'a Graph,
    pub(super) letters: &'a Letters,
    pub(super) negation: &'a Buchi,
    pub(super) alphabet: &'a Alphabet,
}

/// A state of [`Violations`], taken apart.
pub(super) struct Situation {
    pub(super) place: StateId,
    pub(super) automaton: StateId,
    pub(super) fluents: Fluents,
}

impl Violations<'_> {
    pub(super) fn situation(&self, words: &[u64]) -> Situation {
        let half =
            |word: u64| StateId::from_raw(u32::try_from(word & u64::from(u32::MAX)).expect("half a word"));
        let fluents = Fluents::from_words(&words[1..]);
        Situation { place: half(words[0]), automaton: half(words[0] >> 32), fluents }
    }

    pub(super) fn write(&self, state: &mut [u64], place: StateId, automaton: StateId, fluents: &Fluents) {
        state[0] = u64::from(place.raw()) | u64::from(automaton.raw()) << 32;
        fluents.write_to(&mut state[1..]);
    }

    /// The state of the automaton before the first letter.
    fn start(&self) -> StateId {
        StateId::from_index(self.negation.state_count())
    }

    /// The states of the automaton that a state stands for.
    fn automaton_states<'s>(&'s self, state: &'s StateId) -> &'s [StateId] {
        if *state == self.start() { self.negation.initial() } else { std::slice::from_ref(state) }
    }

    pub(super) fn is_accepting(&self, situation: &Situation) -> bool {
        situation.automaton != self.start() && self.negation.is_accepting(situation.automaton)
    }

    /// Whether the network stops here, and stuttering for ever violates the formula.
    pub(super) fn stuttering_violates(&self, Situation { place, automaton, fluents }: &Situation) -> bool {
        let stops = self.graph.edges(*place).is_empty() && !self.graph.is_failing(*place);
        let accepts = |letter: &AtomSet| {
            self.automaton_states(automaton).iter().any(|&state| self.negation.accepts_forever(state, letter))
        };
        stops && accepts(&self.letters.stutter_letter(fluents))
    }
}

impl System for Violations<'_> {
    /// The successor under construction.
    type Cursor = Vec<u64>;

    fn words(&self) -> usize {
        1 + self.letters.fluent_count().div_ceil(64)
    }

    fn cursor(&self) -> Vec<u64> {
        vec![0; self.words()]
    }

    fn initial(&self, state: &mut [u64]) -> Result<(), ComponentId> {
        self.write(state, StateId::from_raw(0), self.start(), &self.letters.initial());
        Ok(())
    }

    fn try_successors(
        &self,
        state: &[u64],
        next: &mut Vec<u64>,
        visit: &mut impl FnMut(Label, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Situation { place, automaton, fluents } = self.situation(state);
        for edge in self.graph.edges(place) {
            let (after, letter) = self.letters.step(&fluents, edge.label);
            for &from in self.automaton_states(&automaton) {
                for to in self.negation.successors(from, &letter) {
                    self.write(next, edge.target, to, &after);
                    visit(edge.label, Successor::State(next))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn is_end(&self, _state: &[u64]) -> bool {
        true
    }

    fn alphabet(&self) -> &Alphabet {
        self.alphabet
    }
}
