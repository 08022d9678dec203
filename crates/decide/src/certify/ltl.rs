//! The product with the automaton of the violations of a formula, with classes and ranks.
//!
//! Classes come from the strongly connected components of the product, which are numbered so that steps never lead to
//! larger numbers. Neighbours share a class while there is an until-formula that all steps between them postpone: such a
//! class needs no ranks, and a safety property that holds needs one class only. For fair choice, the rank in the other
//! components is the distance, inside the component, to a state of the network that a fair run has to leave the component
//! from. For no fairness there are no other components with steps, and for choices at random the judge looks itself how
//! runs leave them: so all ranks are 0.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;

use rely_base::{Alphabet, Budget, Exhausted, Id, Label, Progress, StateId};
use rely_certificate::{Choice, StateTable, Table, Violations, closed};
use rely_explore::{Graph, Product, SccIndex, Search, Successor, System};
use rely_lts::{ComponentId, Network};
use rely_omega::{Assertion, AtomSet, Fairness, Fluents, Letters};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::evidence::Sources;

/// The products for the conjuncts of an assertion.
pub(super) fn products(
    network: &Network,
    assertion: &Assertion,
    fairness: Fairness,
    budget: &Budget<'_>,
) -> Result<Vec<Table>, Exhausted> {
    let network = closed(network, assertion);
    let product = Product::transparent(&network);
    let letters = Letters::compile(assertion, network.alphabet());
    let (graph, search) = Graph::explore(&product, budget)?;
    let mut tables = Vec::new();
    for violations in Violations::of(&assertion.formula) {
        let observed = Observed {
            graph: &graph,
            letters: &letters,
            alphabet: network.alphabet(),
            automaton: Automaton::new(&violations, budget),
            fairness,
        };
        tables.push(observed.table(&product, &search, budget)?.encode());
    }
    Ok(tables)
}

/// The automaton of violations, with its states numbered as they are met.
struct Automaton<'a> {
    violations: &'a Violations,
    budget: &'a Budget<'a>,
    states: RefCell<Numbered>,
    /// The limit that was met, if one was. There are no successors from then on.
    exhausted: RefCell<Option<Exhausted>>,
}

/// States by number, and back. State 0 is the initial one.
#[derive(Default)]
struct Numbered {
    states: Vec<Vec<u32>>,
    numbers: FxHashMap<Vec<u32>, u32>,
}

impl<'a> Automaton<'a> {
    fn new(violations: &'a Violations, budget: &'a Budget<'a>) -> Self {
        let automaton =
            Self { violations, budget, states: RefCell::default(), exhausted: RefCell::new(None) };
        automaton.number(&violations.initial());
        automaton
    }

    fn number(&self, state: &[u32]) -> u32 {
        let Numbered { states, numbers } = &mut *self.states.borrow_mut();
        if let Some(&number) = numbers.get(state) {
            return number;
        }
        let number = u32::try_from(states.len()).expect("there are fewer states");
        states.push(state.to_vec());
        numbers.insert(state.to_vec(), number);
        number
    }

    fn state(&self, number: u32) -> Vec<u32> {
        self.states.borrow().states[number as usize].clone()
    }

    fn choices(&self, number: u32, letter: &AtomSet) -> Rc<Vec<Choice>> {
        match self.violations.choices(&self.state(number), letter, self.budget) {
            Ok(choices) => choices,
            Err(exhausted) => {
                self.exhausted.replace(Some(exhausted));
                Rc::default()
            }
        }
    }
}

/// The product of the graph of a network, the fluents, and the automaton.
///
/// A state is a word with the state of the graph in its lower half and that of the automaton in the upper one; then the
/// words of the fluents.
struct Observed<'a> {
    graph: &'a Graph,
    letters: &'a Letters,
    alphabet: &'a Alphabet,
    automaton: Automaton<'a>,
    fairness: Fairness,
}

impl Observed<'_> {
    fn table(
        &self,
        network: &Product<'_>,
        places: &Search<'_, Product<'_>>,
        budget: &Budget<'_>,
    ) -> Result<StateTable, Exhausted> {
        let fluents = self.letters.fluent_count();
        let key = self.automaton.violations.width() + fluents + network.network().components().len();
        let mut table = StateTable::new(key, 2);
        if self.graph.state_count() == 0 {
            return Ok(table);
        }
        let (graph, search) = Graph::explore(self, budget)?;
        if let Some(exhausted) = self.automaton.exhausted.take() {
            return Err(exhausted);
        }
        let classes = Classes::new(self, &graph, &search, budget)?;
        // The judge of the other kinds of fairness needs no ranks.
        let ranks = match self.fairness {
            Fairness::Choice => classes.ranks(),
            Fairness::None | Fairness::Random => vec![None; graph.state_count()],
        };
        for state in graph.states() {
            let words = search.states().get(state);
            let obligations = self.automaton.state(automaton_state(words));
            let values = Fluents::from_words(&words[1..]);
            let values = (0..fluents).map(|fluent| u32::from(values.contains(fluent)));
            let tuple = network.unpack(places.states().get(place(words))).into_iter().map(StateId::raw);
            let notes = [classes.class(state), ranks[state.index()].unwrap_or(0)];
            table.push(obligations.into_iter().chain(values).chain(tuple).chain(notes));
            if state.index().is_multiple_of(Budget::INTERVAL) {
                let bytes = search.bytes() + self.graph.bytes() + graph.bytes() + table.bytes();
                budget.check(&Progress { states: graph.state_count(), bytes, ..Progress::default() })?;
            }
        }
        table.sort();
        Ok(table)
    }

    fn write(&self, state: &mut [u64], place: StateId, automaton: u32, fluents: &Fluents) {
        state[0] = u64::from(place.raw()) | u64::from(automaton) << 32;
        fluents.write_to(&mut state[1..]);
    }
}

/// The state of the graph.
fn place(words: &[u64]) -> StateId {
    StateId::from_raw(u32::try_from(words[0] & u64::from(u32::MAX)).expect("half a word"))
}

/// The state of the automaton.
fn automaton_state(words: &[u64]) -> u32 {
    u32::try_from(words[0] >> 32).expect("half a word")
}

impl System for Observed<'_> {
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
        for edge in self.graph.edges(place(state)) {
            let (after, letter) = self.letters.step(&fluents, edge.label);
            for choice in self.automaton.choices(automaton_state(state), &letter).iter() {
                self.write(next, edge.target, self.automaton.number(&choice.target), &after);
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

/// The strongly connected components of the product, and the classes that they make.
struct Classes<'a> {
    /// The graph of the network.
    network: &'a Graph,
    product: &'a Graph,
    scc: SccIndex,
    /// By state of the product, the state of the network.
    places: Vec<StateId>,
    /// By component, its class.
    classes: Vec<u32>,
    /// By class, whether some until-formula is postponed by all its steps.
    waiting: Vec<bool>,
}

impl<'a> Classes<'a> {
    fn new(
        observed: &Observed<'a>,
        product: &'a Graph,
        search: &Search<'_, Observed<'a>>,
        budget: &Budget<'_>,
    ) -> Result<Self, Exhausted> {
        let held = search.bytes() + observed.graph.bytes();
        let scc = SccIndex::new(product, |_, _| true, budget, held)?;
        let places = product.states().map(|state| place(search.states().get(state))).collect();
        let mut members: Vec<StateId> = product.states().collect();
        members.sort_by_key(|&state| scc.of(state));
        let mut grouping =
            Grouping { observed, product, search, scc: &scc, classes: Vec::new(), waiting: Vec::new() };
        for component in members.chunk_by(|&one, &other| scc.of(one) == scc.of(other)) {
            grouping.add(component);
        }
        let Grouping { classes, waiting, .. } = grouping;
        let waiting = waiting.into_iter().map(|untils| untils.contains(&true)).collect();
        Ok(Self { network: observed.graph, product, scc, places, classes, waiting })
    }

    fn class(&self, state: StateId) -> u32 {
        self.classes[self.scc.of(state)]
    }

    fn place(&self, state: StateId) -> StateId {
        self.places[state.index()]
    }

    /// The distances, inside components that are not waiting, to where a fair run has to leave them.
    fn ranks(&self) -> Vec<Option<u32>> {
        let is_active = |&state: &StateId| !self.waiting[self.class(state) as usize];
        let members = || self.product.states().filter(is_active);
        let mut covered: FxHashSet<(u32, StateId, Label, StateId)> = FxHashSet::default();
        for state in members() {
            let class = self.class(state);
            for edge in self.product.edges(state).iter().filter(|edge| self.class(edge.target) == class) {
                covered.insert((class, self.place(state), edge.label, self.place(edge.target)));
            }
        }
        let mut goals = vec![None; self.product.state_count()];
        for state in members() {
            let (class, here) = (self.class(state), self.place(state));
            let edges = self.network.edges(here);
            let left = edges.iter().any(|edge| !covered.contains(&(class, here, edge.label, edge.target)));
            if left || edges.is_empty() || self.network.is_failing(here) {
                goals[state.index()] = Some(0);
            }
        }
        let inside = |source: StateId, target: StateId| self.class(source) == self.class(target);
        Sources::within(self.product, inside).distances(goals)
    }
}

/// Puts components into classes, in the order of their numbers.
struct Grouping<'g, 'a> {
    observed: &'g Observed<'a>,
    product: &'g Graph,
    search: &'g Search<'g, Observed<'a>>,
    scc: &'g SccIndex,
    /// By component, its class.
    classes: Vec<u32>,
    /// By class, the until-formulas that all its steps postpone.
    waiting: Vec<Vec<bool>>,
}

impl Grouping<'_, '_> {
    /// Adds a component to the last class if that goes on waiting then, and to a new one otherwise.
    fn add(&mut self, component: &[StateId]) {
        let number = self.scc.of(component[0]);
        if let Some(last) = self.waiting.last() {
            let class = u32::try_from(self.waiting.len() - 1).expect("there are fewer classes");
            let inside = |target: usize| target == number || self.classes[target] == class;
            let joint = self.postponed(component, inside, last.clone());
            if joint.contains(&true) {
                self.waiting.pop();
                self.waiting.push(joint);
                self.classes.push(class);
                return;
            }
        }
        let all = vec![true; self.observed.automaton.violations.until_count()];
        let own = self.postponed(component, |target| target == number, all);
        self.classes.push(u32::try_from(self.waiting.len()).expect("there are fewer classes"));
        self.waiting.push(own);
    }

    /// Those of the until-formulas that all steps of a component to others postpone.
    fn postponed(
        &self,
        component: &[StateId],
        inside: impl Fn(usize) -> bool,
        mut untils: Vec<bool>,
    ) -> Vec<bool> {
        let automaton = &self.observed.automaton;
        for &state in component {
            let words = self.search.states().get(state);
            let fluents = Fluents::from_words(&words[1..]);
            for edge in self.product.edges(state).iter().filter(|edge| inside(self.scc.of(edge.target))) {
                let letter = self.observed.letters.step(&fluents, edge.label).1;
                let target = automaton_state(self.search.states().get(edge.target));
                for choice in automaton.choices(automaton_state(words), &letter).iter() {
                    if automaton.number(&choice.target) == target {
                        untils.iter_mut().zip(&choice.postponed).for_each(|(all, step)| *all &= step);
                    }
                }
            }
        }
        untils
    }
}
