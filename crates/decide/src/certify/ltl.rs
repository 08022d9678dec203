//! The product with the automaton of a negated formula, with classes and ranks.
//!
//! Classes come from the strongly connected components of the product, which are numbered so that steps never lead to
//! larger numbers. Components without an accepting state need no evidence, and neighbours of that kind share a class;
//! so a formula with no violating run at all, as a safety property that holds, needs one class only. In a component
//! with an accepting state the rank is the distance, inside it, to a state of the network that a fair run has to leave
//! the component from.

use std::ops::ControlFlow;

use rely_base::{Alphabet, Budget, Exhausted, Id, Label, StateId};
use rely_certificate::{StateTable, Table, closed};
use rely_explore::{Graph, Product, SccIndex, Search, Successor, System};
use rely_lts::{ComponentId, Network};
use rely_omega::{Assertion, Buchi, Fluents, Letters, conjuncts};
use rustc_hash::FxHashSet;

use crate::evidence::Sources;

/// The products for the conjuncts of an assertion.
pub(super) fn products(
    network: &Network,
    assertion: &Assertion,
    budget: &Budget<'_>,
) -> Result<Vec<Table>, Exhausted> {
    let network = closed(network, assertion);
    let product = Product::transparent(&network);
    let letters = Letters::compile(assertion, network.alphabet());
    let (graph, search) = Graph::explore(&product, budget)?;
    let mut tables = Vec::new();
    for conjunct in conjuncts(&assertion.formula) {
        let negation = Buchi::translate(&conjunct.negated(), budget)?;
        let alphabet = network.alphabet();
        let violations = Violations { graph: &graph, letters: &letters, negation: &negation, alphabet };
        tables.push(violations.table(&product, &search, budget)?.encode());
    }
    Ok(tables)
}

/// The product of the graph of a network, the fluents, and the automaton of a negated formula.
///
/// A state is a word with the state of the graph in its lower half and in the upper one that of the automaton plus one,
/// or 0 before the first letter; then the words of the fluents.
struct Violations<'a> {
    graph: &'a Graph,
    letters: &'a Letters,
    negation: &'a Buchi,
    alphabet: &'a Alphabet,
}

impl Violations<'_> {
    fn table(
        &self,
        network: &Product<'_>,
        places: &Search<'_, Product<'_>>,
        budget: &Budget<'_>,
    ) -> Result<StateTable, Exhausted> {
        let fluents = self.letters.fluent_count();
        let mut table = StateTable::new(1 + fluents + network.network().components().len(), 2);
        if self.graph.state_count() == 0 {
            return Ok(table);
        }
        let (graph, search) = Graph::explore(self, budget)?;
        let classes = Classes::new(self, &graph, &search, budget)?;
        let ranks = classes.ranks();
        for state in graph.states() {
            let words = search.states().get(state);
            let values = Fluents::from_words(&words[1..]);
            let tuple = network.unpack(places.states().get(place(words))).into_iter().map(StateId::raw);
            let notes = [classes.class(state), ranks[state.index()].unwrap_or(0)];
            let values = (0..fluents).map(|fluent| u32::from(values.contains(fluent)));
            table.push([automaton(words)].into_iter().chain(values).chain(tuple).chain(notes));
        }
        table.sort();
        Ok(table)
    }

    fn is_accepting(&self, words: &[u64]) -> bool {
        automaton(words)
            .checked_sub(1)
            .is_some_and(|state| self.negation.is_accepting(StateId::from_raw(state)))
    }

    fn write(&self, state: &mut [u64], place: StateId, automaton: u32, fluents: &Fluents) {
        state[0] = u64::from(place.raw()) | u64::from(automaton) << 32;
        for (i, word) in state[1..].iter_mut().enumerate() {
            *word = fluents.word(i);
        }
    }
}

/// The state of the graph.
fn place(words: &[u64]) -> StateId {
    StateId::from_raw(u32::try_from(words[0] & u64::from(u32::MAX)).expect("half a word"))
}

/// The state of the automaton plus one, or 0.
fn automaton(words: &[u64]) -> u32 {
    u32::try_from(words[0] >> 32).expect("half a word")
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
        self.write(state, StateId::from_raw(0), 0, &self.letters.initial());
        Ok(())
    }

    fn try_successors(
        &self,
        state: &[u64],
        next: &mut Vec<u64>,
        visit: &mut impl FnMut(Label, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let fluents = Fluents::from_words(&state[1..]);
        let here = automaton(state).checked_sub(1).map(StateId::from_raw);
        let from = here.as_ref().map_or(self.negation.initial(), std::slice::from_ref);
        for edge in self.graph.edges(place(state)) {
            let (after, letter) = self.letters.step(&fluents, edge.label);
            for to in from.iter().flat_map(|&from| self.negation.successors(from, &letter)) {
                self.write(next, edge.target, to.raw() + 1, &after);
                visit(edge.label, Successor::State(next))?;
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

/// The strongly connected components of the product.
struct Classes<'a> {
    /// The graph of the network.
    network: &'a Graph,
    product: &'a Graph,
    scc: SccIndex,
    /// By state of the product, the state of the network.
    places: Vec<StateId>,
    /// By component, whether it has an accepting state.
    accepting: Vec<bool>,
    /// By component, its class: those with an accepting state have odd classes of their own.
    classes: Vec<u32>,
}

impl<'a> Classes<'a> {
    fn new(
        violations: &Violations<'a>,
        product: &'a Graph,
        search: &Search<'_, Violations<'_>>,
        budget: &Budget<'_>,
    ) -> Result<Self, Exhausted> {
        let words = |state: StateId| search.states().get(state);
        let scc = SccIndex::new(product, |_, _| true, budget, search.bytes() + violations.graph.bytes())?;
        let mut accepting = vec![false; scc.count()];
        for state in product.states() {
            accepting[scc.of(state)] |= violations.is_accepting(words(state));
        }
        let mut before = 0;
        let class = |&accepting: &bool| {
            before += u32::from(accepting);
            if accepting { 2 * before - 1 } else { 2 * before }
        };
        let classes = accepting.iter().map(class).collect();
        let places = product.states().map(|state| place(words(state))).collect();
        Ok(Self { network: violations.graph, product, scc, places, accepting, classes })
    }

    fn class(&self, state: StateId) -> u32 {
        self.classes[self.scc.of(state)]
    }

    fn place(&self, state: StateId) -> StateId {
        self.places[state.index()]
    }

    fn is_accepting(&self, state: StateId) -> bool {
        self.accepting[self.scc.of(state)]
    }

    /// The distances, inside components with an accepting state, to where a fair run has to leave them.
    fn ranks(&self) -> Vec<Option<u32>> {
        let members = || self.product.states().filter(|&state| self.is_accepting(state));
        let mut covered: FxHashSet<(usize, StateId, Label, StateId)> = FxHashSet::default();
        for state in members() {
            let component = self.scc.of(state);
            for edge in self.product.edges(state).iter().filter(|edge| self.scc.of(edge.target) == component)
            {
                covered.insert((component, self.place(state), edge.label, self.place(edge.target)));
            }
        }
        let mut goals = vec![None; self.product.state_count()];
        for state in members() {
            let (component, here) = (self.scc.of(state), self.place(state));
            let edges = self.network.edges(here);
            let left =
                edges.iter().any(|edge| !covered.contains(&(component, here, edge.label, edge.target)));
            if left || edges.is_empty() || self.network.is_failing(here) {
                goals[state.index()] = Some(0);
            }
        }
        let inside = |source: StateId, target: StateId| self.scc.of(source) == self.scc.of(target);
        Sources::within(self.product, inside).distances(goals)
    }
}
