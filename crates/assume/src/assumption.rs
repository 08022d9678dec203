//! Assumptions: prefix-closed regular languages over an interface.

use std::sync::Arc;

use rely_automata::Dfa;
use rely_base::{ActionId, Alphabet, Label, StateId};
use rely_lts::{Component, Lts, LtsBuilder, operators};

/// What an environment may do at an interface.
///
/// The transition system is deterministic, has no silent steps and no error state, and its alphabet is the interface:
/// an action without a transition is one that the environment must not take. It is composed like any component where
/// it is assumed, and as a property where it is to be guaranteed.
#[derive(Clone, Debug)]
pub struct Assumption {
    lts: Arc<Lts>,
}

impl Assumption {
    /// The assumption of a transition system.
    ///
    /// # Panics
    /// When the system is not deterministic or has an error state.
    pub fn new(lts: Lts) -> Self {
        assert!(
            lts.is_deterministic() && lts.error().is_none(),
            "an assumption is deterministic and cannot fail"
        );
        Self { lts: Arc::new(lts) }
    }

    /// The words of an automaton all of whose prefixes it accepts. The letters are the actions of the alphabet.
    ///
    /// Nothing if it does not even accept the empty word: then no environment is good enough.
    pub fn of_dfa(alphabet: &Alphabet, dfa: &Dfa) -> Option<Self> {
        if !dfa.is_accepting(dfa.initial()) {
            return None;
        }
        let mut builder = LtsBuilder::with_states(alphabet.clone(), dfa.state_count());
        builder.set_initial(dfa.initial());
        for state in dfa.states().filter(|&state| dfa.is_accepting(state)) {
            for letter in dfa.letters() {
                let target = dfa.step(state, letter);
                if dfa.is_accepting(target) {
                    builder.add_transition(state, Label::visible(letter), target);
                }
            }
        }
        Some(Self::new(operators::trim(&builder.build())))
    }

    /// The automaton of the language, minimal: the letters are the actions of [`Assumption::alphabet`].
    pub fn dfa(&self) -> Dfa {
        let lts = &self.lts;
        let step = |state: &Option<StateId>, letter: ActionId| {
            let edges = state.map_or(&[][..], |state| lts.edges_with(state, Label::visible(letter)));
            edges.first().map(|edge| edge.target)
        };
        Dfa::reachable(lts.alphabet().len(), Some(lts.initial()), Option::is_some, step).minimise()
    }

    /// The same language with as few states as possible.
    #[must_use]
    pub fn minimised(&self) -> Self {
        Self::of_dfa(self.alphabet(), &self.dfa())
            .expect("the empty word is in the language of every assumption")
    }

    /// The transition system.
    pub fn lts(&self) -> &Arc<Lts> {
        &self.lts
    }

    /// The interface.
    pub fn alphabet(&self) -> &Alphabet {
        self.lts.alphabet()
    }

    /// How many states it has.
    pub fn state_count(&self) -> usize {
        self.lts.state_count()
    }

    /// How many transitions it has.
    pub fn transition_count(&self) -> usize {
        self.lts.transition_count()
    }

    /// The assumption as a component, for the side that relies on it.
    pub fn component(&self, name: &str) -> Component {
        Component { name: name.to_owned(), lts: Arc::clone(&self.lts) }
    }

    /// The assumption as a property, for the side that is to guarantee it.
    pub fn property(&self, name: &str) -> Component {
        Component { name: name.to_owned(), lts: Arc::new(operators::complete(&self.lts)) }
    }

    /// The sink θ, in which everything is allowed for ever; the initial state where nothing is forbidden at all.
    ///
    /// In a minimal assumption it is the only state from which nothing can be forbidden any more.
    pub fn sink(&self) -> Option<StateId> {
        let loops = |state: &StateId| {
            let edges = self.lts.edges(*state);
            edges.len() == self.alphabet().len() && edges.iter().all(|edge| edge.target == *state)
        };
        self.lts.states().find(loops)
    }
}
