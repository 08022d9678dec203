//! Automata on infinite words with any acceptance condition.
//!
//! A transition reads a letter if its guard is true of it; guards are formulas without temporal operators. A run is accepting
//! if the colours that it passes infinitely often satisfy the condition; a run that ends, because no transition reads the
//! next letter, is not.
//!
//! **Complement.** The complement of a deterministic automaton is the same automaton with the dual condition, once it is
//! *complete*, that is, reads every letter in every state. [`Automaton::completed`] adds a sink for the letters that are not
//! read. The sink has a colour of its own, which the condition wants to be passed only finitely often: so it rejects, and the
//! dual accepts there.

use rely_base::{Budget, Exhausted, Id};

use crate::emptiness::{ColouredGraph, Lasso, accepting_lasso};
use crate::{Acceptance, AtomSet, Buchi, Colours, Formula};

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AutomatonEdge {
    /// Which letters it reads.
    pub guard: Formula,
    /// Where it leads.
    pub target: usize,
    /// The colours that it carries.
    pub colours: Colours,
}

/// An automaton on infinite words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// The states in which a run may start.
    pub initial: Vec<usize>,
    /// The transitions of each state.
    pub edges: Vec<Vec<AutomatonEdge>>,
    /// Which runs are accepting.
    pub acceptance: Acceptance,
}

/// Why an automaton has no complement here: a state in which two transitions read the same letter, or several initial states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotDeterministic {
    /// The state; nothing if there are several initial states.
    pub state: Option<usize>,
}

impl Automaton {
    /// An automaton without transitions that starts in state 0.
    pub fn with_states(count: usize, acceptance: Acceptance) -> Self {
        Self { initial: vec![0], edges: vec![Vec::new(); count], acceptance }
    }

    /// Adds a transition, unless its guard is false.
    pub fn add(
        &mut self,
        source: usize,
        guard: Formula,
        target: usize,
        colours: impl IntoIterator<Item = u32>,
    ) {
        if guard != Formula::False {
            let colours = colours.into_iter().collect();
            self.edges[source].push(AutomatonEdge { guard, target, colours });
        }
    }

    /// The transitions of a state that read a letter.
    pub fn reading<'a>(
        &'a self,
        state: usize,
        letter: &'a AtomSet,
    ) -> impl Iterator<Item = &'a AutomatonEdge> + 'a {
        self.edges[state].iter().filter(|edge| edge.guard.holds(letter))
    }

    /// The atoms that its guards speak of.
    pub fn atoms(&self) -> AtomSet {
        let mut atoms = AtomSet::new();
        for edge in self.edges.iter().flatten() {
            atoms.insert_all(&edge.guard.atoms());
        }
        atoms
    }

    /// Why there may be two runs on one word; nothing if there never are.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn choice(&self, budget: &Budget<'_>) -> Result<Option<NotDeterministic>, Exhausted> {
        if self.initial.len() > 1 {
            return Ok(Some(NotDeterministic { state: None }));
        }
        for (state, edges) in self.edges.iter().enumerate() {
            for (number, edge) in edges.iter().enumerate() {
                for other in &edges[number + 1..] {
                    if edge.guard.clone().and(other.guard.clone()).is_satisfiable(budget)? {
                        return Ok(Some(NotDeterministic { state: Some(state) }));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The automaton that accepts the same words and reads every letter in every state.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn completed(&self, budget: &Budget<'_>) -> Result<Self, Exhausted> {
        let mut complete = self.clone();
        let sink = self.edges.len();
        let colour = self.colour_count();
        let mut needs_sink = self.initial.is_empty();
        for edges in &mut complete.edges {
            let unread = Formula::any(edges.iter().map(|edge| edge.guard.clone())).negated();
            if unread.is_satisfiable(budget)? {
                needs_sink = true;
                edges.push(AutomatonEdge { guard: unread, target: sink, colours: Colours::none() });
            }
        }
        if needs_sink {
            let colours = [colour].into_iter().collect();
            complete.edges.push(vec![AutomatonEdge { guard: Formula::True, target: sink, colours }]);
            complete.acceptance = Acceptance::all([complete.acceptance, Acceptance::Fin(colour)]);
            if complete.initial.is_empty() {
                complete.initial.push(sink);
            }
        }
        Ok(complete)
    }

    /// The automaton that accepts exactly the words that this one does not; why there is none here, if it is not
    /// deterministic.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn complement(&self, budget: &Budget<'_>) -> Result<Result<Self, NotDeterministic>, Exhausted> {
        if let Some(choice) = self.choice(budget)? {
            return Ok(Err(choice));
        }
        let mut complement = self.completed(budget)?;
        complement.acceptance = complement.acceptance.dual();
        Ok(Ok(complement))
    }

    /// The number above all colours of transitions and of the condition.
    pub fn colour_count(&self) -> u32 {
        let used = self.edges.iter().flatten().flat_map(|edge| edge.colours.iter()).max();
        self.acceptance.colour_count().max(used.map_or(0, |colour| colour + 1))
    }

    /// Whether it accepts the word `prefix` · `cycle` · `cycle` · …; the cycle is not empty.
    ///
    /// # Panics
    /// When the cycle is empty.
    pub fn accepts(&self, prefix: &[AtomSet], cycle: &[AtomSet]) -> bool {
        assert!(!cycle.is_empty(), "an infinite word has a cycle");
        lasso(&OnWord::new(self, prefix, cycle), &self.acceptance).is_some()
    }

    /// An accepting run on some word, if there is one: whatever letters its guards allow.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn accepting_run(&self, budget: &Budget<'_>) -> Result<Option<Lasso>, Exhausted> {
        let mut possible = self.clone();
        for edges in &mut possible.edges {
            for edge in &mut *edges {
                if !edge.guard.is_satisfiable(budget)? {
                    edge.guard = Formula::False;
                }
            }
            edges.retain(|edge| edge.guard != Formula::False);
        }
        accepting_lasso(&possible, &self.acceptance, budget)
    }
}

impl ColouredGraph for Automaton {
    fn state_count(&self) -> usize {
        self.edges.len()
    }

    fn initial(&self) -> Vec<usize> {
        self.initial.clone()
    }

    fn edge_count(&self, state: usize) -> usize {
        self.edges[state].len()
    }

    fn edge(&self, state: usize, number: usize) -> (usize, &Colours) {
        let edge = &self.edges[state][number];
        (edge.target, &edge.colours)
    }
}

/// An accepting lasso, looked for without limits: automata are small.
fn lasso<G: ColouredGraph>(graph: &G, acceptance: &Acceptance) -> Option<Lasso> {
    accepting_lasso(graph, acceptance, &Budget::UNLIMITED).expect("there is no limit")
}

/// The automaton of a formula, with a colour on every transition that leaves an accepting state.
impl From<&Buchi> for Automaton {
    fn from(buchi: &Buchi) -> Self {
        let mut automaton = Self::with_states(buchi.state_count(), Acceptance::Inf(0));
        automaton.initial = buchi.initial().iter().map(|state| state.index()).collect();
        for state in buchi.states() {
            let colour = buchi.is_accepting(state).then_some(0);
            for edge in buchi.edges(state) {
                let positive = edge.guard.positive.iter().map(Formula::atom);
                let negative = edge.guard.negative.iter().map(|atom| Formula::atom(atom).negated());
                automaton.add(
                    state.index(),
                    Formula::all(positive.chain(negative)),
                    edge.target.index(),
                    colour,
                );
            }
        }
        automaton
    }
}

/// The runs of an automaton on one word: states are pairs of a state and a position.
struct OnWord<'a> {
    positions: usize,
    initial: Vec<usize>,
    edges: Vec<Vec<(usize, &'a Colours)>>,
}

impl<'a> OnWord<'a> {
    fn new(automaton: &'a Automaton, prefix: &[AtomSet], cycle: &[AtomSet]) -> Self {
        let positions = prefix.len() + cycle.len();
        let mut edges = Vec::with_capacity(automaton.edges.len() * positions);
        for state in &automaton.edges {
            for (position, letter) in prefix.iter().chain(cycle).enumerate() {
                let next = if position + 1 == positions { prefix.len() } else { position + 1 };
                let reading = state.iter().filter(|edge| edge.guard.holds(letter));
                edges.push(reading.map(|edge| (edge.target * positions + next, &edge.colours)).collect());
            }
        }
        let initial = automaton.initial.iter().map(|state| state * positions).collect();
        Self { positions, initial, edges }
    }
}

impl ColouredGraph for OnWord<'_> {
    fn state_count(&self) -> usize {
        self.edges.len()
    }

    fn initial(&self) -> Vec<usize> {
        debug_assert!(self.initial.iter().all(|state| state.is_multiple_of(self.positions)), "at the start");
        self.initial.clone()
    }

    fn edge_count(&self, state: usize) -> usize {
        self.edges[state].len()
    }

    fn edge(&self, state: usize, number: usize) -> (usize, &Colours) {
        self.edges[state][number]
    }
}
