//! The product with the automaton of the violations of a formula, with classes and ranks.
//!
//! Classes come from the strongly connected components of the product, which are numbered so that steps never lead to
//! larger numbers. Consecutive components share a class as long as there is an until-formula that all steps between
//! their states postpone: such a class needs no ranks, and a safety property that holds needs one class only. For
//! fair choice, the rank in the other components is the distance, inside the component, to a state of the network
//! that a fair run has to leave the component from. Without fairness there are no other components with steps, and
//! for choices at random the judge itself examines how runs leave them: so all ranks are 0.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;

use rely_base::{Budget, Exhausted, Id, Label, Progress, StateId};
use rely_certificate::{Choice, StateTable, Table, Violations};
use rely_explore::{Composite, Graph, SccIndex, Search};
use rely_omega::{Assertion, AtomSet, Fairness, Letters};
use rustc_hash::FxHashSet;

use super::numbered::Numbered;
use crate::evidence::Sources;
use crate::observed::{Automaton, Observed, Situation};

/// The products for the conjuncts of an assertion, in the system of a behaviour that has all its actions.
pub(super) fn products<C: Composite>(
    system: &C,
    assertion: &Assertion,
    fairness: Fairness,
    budget: &Budget<'_>,
) -> Result<Vec<Table>, Exhausted> {
    let letters = Letters::compile(assertion, system.alphabet());
    let (graph, search) = Graph::explore(system, budget)?;
    let mut tables = Vec::new();
    for violations in Violations::of(&assertion.formula) {
        let observed = Observed {
            graph: &graph,
            letters: &letters,
            alphabet: system.alphabet(),
            automaton: Numbering::new(&violations, budget),
        };
        tables.push(table(&observed, fairness, (system, &search), budget)?.encode());
    }
    Ok(tables)
}

/// The automaton of violations, with its states numbered as they are met.
struct Numbering<'a> {
    violations: &'a Violations,
    budget: &'a Budget<'a>,
    states: Numbered,
    /// The limit that was met, if one was. There are no successors from then on.
    exhausted: RefCell<Option<Exhausted>>,
}

impl<'a> Numbering<'a> {
    fn new(violations: &'a Violations, budget: &'a Budget<'a>) -> Self {
        let states = Numbered::from_initial(&violations.initial());
        Self { violations, budget, states, exhausted: RefCell::new(None) }
    }

    fn choices(&self, number: u32, letter: &AtomSet) -> Rc<Vec<Choice>> {
        match self.violations.choices(&self.states.state(number), letter, self.budget) {
            Ok(choices) => choices,
            Err(exhausted) => {
                self.exhausted.replace(Some(exhausted));
                Rc::default()
            }
        }
    }
}

impl Automaton for Numbering<'_> {
    fn initial(&self) -> u32 {
        0
    }

    fn try_read(
        &self,
        state: u32,
        letter: &AtomSet,
        visit: &mut impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.choices(state, letter).iter().try_for_each(|choice| visit(self.states.number(&choice.target)))
    }
}

/// The states of the product with their classes and ranks.
fn table<C: Composite>(
    observed: &Observed<'_, Numbering<'_>>,
    fairness: Fairness,
    (system, places): (&C, &Search<'_, C>),
    budget: &Budget<'_>,
) -> Result<StateTable, Exhausted> {
    let (automaton, fluents) = (&observed.automaton, observed.letters.fluent_count());
    let key = automaton.violations.width() + fluents + system.width();
    let mut table = StateTable::new(key, 2);
    if observed.graph.state_count() == 0 {
        return Ok(table);
    }
    let (graph, search) = Graph::explore(observed, budget)?;
    if let Some(exhausted) = automaton.exhausted.take() {
        return Err(exhausted);
    }
    let classes = Classes::new(observed, &graph, &search, budget)?;
    // The judge needs no ranks for the other kinds of fairness.
    let ranks = match fairness {
        Fairness::Choice => classes.ranks(),
        Fairness::None | Fairness::Random => vec![None; graph.state_count()],
    };
    for state in graph.states() {
        let Situation { place, automaton: number, fluents: values } =
            observed.situation(search.states().get(state));
        let obligations = automaton.states.state(number);
        let values = (0..fluents).map(|fluent| u32::from(values.contains(fluent)));
        let numbers = system.numbers(places.states().get(place));
        let notes = [classes.class(state), ranks[state.index()].unwrap_or(0)];
        table.push(obligations.into_iter().chain(values).chain(numbers).chain(notes));
        if state.index().is_multiple_of(Budget::INTERVAL) {
            let bytes = search.bytes() + observed.graph.bytes() + graph.bytes() + table.bytes();
            budget.check(&Progress { states: graph.state_count(), bytes, ..Progress::default() })?;
        }
    }
    table.sort();
    Ok(table)
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
    fn new<'n>(
        observed: &Observed<'a, Numbering<'n>>,
        product: &'a Graph,
        search: &Search<'_, Observed<'a, Numbering<'n>>>,
        budget: &Budget<'_>,
    ) -> Result<Self, Exhausted> {
        let held = search.bytes() + observed.graph.bytes();
        let scc = SccIndex::new(product, |_, _| true, budget, held)?;
        let places = product.states().map(|state| observed.place(search.states().get(state))).collect();
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
struct Grouping<'g, 'a, 'n> {
    observed: &'g Observed<'a, Numbering<'n>>,
    product: &'g Graph,
    search: &'g Search<'g, Observed<'a, Numbering<'n>>>,
    scc: &'g SccIndex,
    /// By component, its class.
    classes: Vec<u32>,
    /// By class, the until-formulas that all its steps postpone.
    waiting: Vec<Vec<bool>>,
}

impl Grouping<'_, '_, '_> {
    /// Adds a component to the last class if the class is waiting with it, and to a new one otherwise.
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

    /// Those of the until-formulas that all steps of a component to other components postpone.
    fn postponed(
        &self,
        component: &[StateId],
        inside: impl Fn(usize) -> bool,
        mut untils: Vec<bool>,
    ) -> Vec<bool> {
        let automaton = &self.observed.automaton;
        for &state in component {
            let Situation { automaton: from, fluents, .. } =
                self.observed.situation(self.search.states().get(state));
            for edge in self.product.edges(state).iter().filter(|edge| inside(self.scc.of(edge.target))) {
                let letter = self.observed.letters.step(&fluents, edge.label).1;
                let target = self.observed.situation(self.search.states().get(edge.target)).automaton;
                for choice in automaton.choices(from, &letter).iter() {
                    if automaton.states.number(&choice.target) == target {
                        untils.iter_mut().zip(&choice.postponed).for_each(|(all, step)| *all &= step);
                    }
                }
            }
        }
        untils
    }
}
