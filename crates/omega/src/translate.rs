//! From formulas of linear temporal logic to Büchi automata.
//!
//! Problem: an automaton that accepts exactly the words that satisfy a formula, and a small one: the product with the
//! system multiplies its states.
//!
//! Source: [Couvreur 1999] for the construction on the fly with acceptance on transitions, [Gastin & Oddoux 2001] for
//! the simplifications on the way, [Babiak et al. 2012] for what is done about `GF`.
//!
//! Idea: a state is a set of formulas that the rest of the word has to satisfy; its transitions are the terms of its
//! expansion (see `expand.rs`). That gives a generalised Büchi automaton with one condition for each until-formula:
//! infinitely often, it is not put off. Then `degeneralise.rs` makes one condition of the many, and `reduce.rs` merges
//! states and drops transitions.
//!
//! Complexity: exponential in the formula at worst. Called by the check of assertions, by `Monitor` and `is_safety`.

use rely_base::{Budget, Exhausted};
use rustc_hash::FxHashMap;

use crate::bits::Bits;
use crate::degeneralise::degeneralise;
use crate::expand::Expansion;
use crate::generalised::{Generalised, GeneralisedEdge};
use crate::normal_form::{Form, FormId, NormalForms};
use crate::reduce::reduce;
use crate::{Buchi, Formula, Guard};

impl Buchi {
    /// The automaton that accepts exactly the words that satisfy the formula.
    ///
    /// # Errors
    /// When the budget is used up.
    ///
    /// ```
    /// use rely_base::Budget;
    /// use rely_omega::{AtomId, Buchi, Formula};
    ///
    /// let (ask, answer) = (Formula::atom(AtomId::from_raw(0)), Formula::atom(AtomId::from_raw(1)));
    /// let response = ask.implies(answer.eventually()).always();
    /// let violations = Buchi::translate(&response.negated(), &Budget::UNLIMITED)?;
    /// assert_eq!(violations.state_count(), 2);
    /// # Ok::<(), rely_base::Exhausted>(())
    /// ```
    pub fn translate(formula: &Formula, budget: &Budget<'_>) -> Result<Self, Exhausted> {
        let mut forms = NormalForms::new();
        let form = forms.enter_formula(formula);
        let mut generalised = Construction::new(forms, budget).run(form)?;
        generalised.reduce();
        let candidates = degeneralise(&generalised, budget)?;
        let reduced: Result<Vec<Self>, Exhausted> =
            candidates.into_iter().map(|candidate| reduce(candidate, budget)).collect();
        let smallest = reduced?.into_iter().min_by_key(|buchi| (buchi.state_count(), buchi.edge_count()));
        Ok(smallest.expect("there is a candidate for each way to enter components"))
    }
}

/// The construction of the generalised automaton.
struct Construction<'a> {
    expansion: Expansion<'a>,
    /// The number of each set of elements that is a state.
    states: FxHashMap<Bits, usize>,
    /// The sets by number.
    sets: Vec<Bits>,
    /// The number of each fairness condition, by the b of `GF b`.
    fairness_ids: FxHashMap<FormId, usize>,
    automaton: Generalised,
}

impl<'a> Construction<'a> {
    fn new(forms: NormalForms, budget: &'a Budget<'a>) -> Self {
        Self {
            expansion: Expansion::new(forms, budget),
            states: FxHashMap::default(),
            sets: Vec::new(),
            fairness_ids: FxHashMap::default(),
            automaton: Generalised::default(),
        }
    }

    fn run(mut self, form: FormId) -> Result<Generalised, Exhausted> {
        // The runs of a disjunction are those of its parts: each part gets an initial state of its own.
        let parts = match self.expansion.forms.form(form) {
            Form::Or(operands) => operands.clone(),
            Form::False => Vec::new(),
            _ => vec![form],
        };
        for part in parts {
            let set = self.expansion.conjuncts(part);
            let state = self.state(set)?;
            self.automaton.initial.push(state);
        }
        let mut done = 0;
        while done < self.sets.len() {
            let edges = self.edges_of(done)?;
            self.automaton.edges.push(edges);
            done += 1;
        }
        Ok(self.automaton)
    }

    /// The number of the state with a set of elements.
    fn state(&mut self, set: Bits) -> Result<usize, Exhausted> {
        let set = self.expansion.without_repetitions(set);
        if let Some(&state) = self.states.get(&set) {
            return Ok(state);
        }
        // The set is kept twice, and its number once.
        self.expansion.count_state(2 * (size_of::<Bits>() + set.word_count() * size_of::<u64>()))?;
        let mut fairness = Vec::new();
        for number in set.iter() {
            if let Some(often) = self.expansion.fairness_of(number) {
                fairness.push(self.fairness(often)?);
            }
        }
        let state = self.sets.len();
        self.automaton.fairness.push(fairness);
        self.sets.push(set.clone());
        self.states.insert(set, state);
        Ok(state)
    }

    fn edges_of(&mut self, state: usize) -> Result<Vec<GeneralisedEdge>, Exhausted> {
        let set = self.sets[state].clone();
        let mut edges = Vec::new();
        for term in self.expansion.expand_set(&set)? {
            let target = self.state(term.next)?;
            edges.push(GeneralisedEdge { guard: term.guard, target, promises: term.promises });
        }
        self.expansion
            .hold(size_of::<Vec<GeneralisedEdge>>() + edges.capacity() * size_of::<GeneralisedEdge>());
        Ok(edges)
    }

    /// The number of the condition that `often` holds infinitely often.
    fn fairness(&mut self, often: FormId) -> Result<usize, Exhausted> {
        if let Some(&number) = self.fairness_ids.get(&often) {
            return Ok(number);
        }
        let guards: Vec<Guard> =
            self.expansion.expand(often)?.iter().map(|term| term.guard.clone()).collect();
        let number = self.automaton.conditions.len();
        self.automaton.conditions.push(guards);
        self.fairness_ids.insert(often, number);
        Ok(number)
    }
}
