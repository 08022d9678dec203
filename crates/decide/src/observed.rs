//! The product of a graph, the fluents, and an automaton that reads the letters of its runs.
//!
//! Source: [Vardi & Wolper 1986]. A run of the product is a run of a behaviour together with a run of the automaton on its
//! word. The states of the behaviour are those of its reachable graph, by number, so that the product is small and quick to
//! make, and it does not matter what kind of behaviour it is.
//!
//! The automaton is that of a negated formula (`ltl/product.rs`), that of the judge's violations (`certify/ltl.rs`),
//! or a trivial one, if only the letters are needed (`ltl/premises.rs`).

use std::ops::ControlFlow;

use rely_base::{Alphabet, Label, StateId};
use rely_explore::{Graph, Successor, System};
use rely_lts::ComponentId;
use rely_omega::{AtomSet, Fluents, Letters};

/// An automaton that reads letters. Its states are numbers.
pub(crate) trait Automaton {
    /// The state before the first letter.
    fn initial(&self) -> u32;

    /// Calls `visit` with each state that a letter leads to, until it breaks.
    fn try_read(
        &self,
        state: u32,
        letter: &AtomSet,
        visit: &mut impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()>;
}

/// The automaton of one state that reads everything.
impl Automaton for () {
    fn initial(&self) -> u32 {
        0
    }

    fn try_read(
        &self,
        state: u32,
        _letter: &AtomSet,
        visit: &mut impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        visit(state)
    }
}

/// The product.
///
/// A state is a word with the state of the graph in its lower half and that of the automaton in the upper one, then
/// the words of the fluents.
#[derive(Clone, Copy)]
pub(crate) struct Observed<'a, A> {
    pub(crate) graph: &'a Graph,
    pub(crate) letters: &'a Letters,
    pub(crate) alphabet: &'a Alphabet,
    pub(crate) automaton: A,
}

/// The components of a state of [`Observed`].
pub(crate) struct Situation {
    pub(crate) place: StateId,
    pub(crate) automaton: u32,
    pub(crate) fluents: Fluents,
}

impl<A> Observed<'_, A> {
    pub(crate) fn situation(&self, words: &[u64]) -> Situation {
        let half = |word: u64| u32::try_from(word & u64::from(u32::MAX)).expect("half a word");
        Situation { place: self.place(words), automaton: half(words[0] >> 32), fluents: self.fluents(words) }
    }

    /// The state of the graph.
    pub(crate) fn place(&self, words: &[u64]) -> StateId {
        StateId::from_raw(u32::try_from(words[0] & u64::from(u32::MAX)).expect("half a word"))
    }

    pub(crate) fn fluents(&self, words: &[u64]) -> Fluents {
        Fluents::from_words(&words[1..])
    }

    pub(crate) fn write(&self, state: &mut [u64], place: StateId, automaton: u32, fluents: &Fluents) {
        state[0] = u64::from(place.raw()) | u64::from(automaton) << 32;
        fluents.write_to(&mut state[1..]);
    }
}

impl<A: Automaton> System for Observed<'_, A> {
    /// The successor under construction.
    type Cursor = Vec<u64>;

    fn words(&self) -> usize {
        1 + self.letters.fluent_count().div_ceil(64)
    }

    fn cursor(&self) -> Vec<u64> {
        vec![0; self.words()]
    }

    fn initial(&self, state: &mut [u64]) -> Result<(), ComponentId> {
        self.write(state, StateId::from_raw(0), self.automaton.initial(), &self.letters.initial());
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
            self.automaton.try_read(automaton, &letter, &mut |to| {
                self.write(next, edge.target, to, &after);
                visit(edge.label, Successor::State(next))
            })?;
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
