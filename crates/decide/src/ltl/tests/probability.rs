//! The naive twin of choices at random: with what probability does a run satisfy a formula, 0, 1, or between?
//!
//! It has no automata. It follows [Courcoubetis & Yannakakis 1995]: the network with the values of the propositions is a
//! Markov chain. One operator after the other, from the inside of the formula to the outside, the chain gets a column that
//! says in which states the operator holds. Where `f U g` holds with a probability between 0 and 1, the state is split into
//! one after which it holds and one after which it does not, each with the steps that lead to where that is so. What is
//! left of the chain is a chain again, in which every run satisfies with probability 1 what its columns say.

use std::collections::{BTreeMap, BTreeSet};

use rely_lts::Network;
use rely_omega::{Assertion, AtomId, Formula};
use rely_testkit::naive::product::Tuple;

use super::{after, initial_values, moves};

/// A Markov chain without its numbers. State 0 is the initial one, or those from `initial` on that it was split into.
#[derive(Clone)]
struct Chain {
    initial: Vec<usize>,
    steps: Vec<BTreeSet<usize>>,
    /// The propositions, and one column for each operator that has been looked at: its value in each state.
    columns: Vec<Vec<bool>>,
}

/// Whether a run violates an assertion with positive probability, in a network that cannot fail.
pub(in crate::ltl) fn is_probable(network: &Network, assertion: &Assertion) -> bool {
    let mut chain = Chain::new(network, assertion);
    // The formula speaks of what comes after the first step.
    let column = chain.evaluate(&assertion.formula.clone().next());
    chain.initial.iter().any(|&state| !chain.columns[column][state])
}

impl Chain {
    fn new(network: &Network, assertion: &Assertion) -> Self {
        let moves = moves(network);
        let start: Tuple = network.components().iter().map(|component| component.lts.initial()).collect();
        let start = (start, initial_values(assertion));
        let mut numbers: BTreeMap<(Tuple, Vec<bool>), usize> = BTreeMap::from([(start.clone(), 0)]);
        let mut states = vec![start];
        let mut steps = Vec::new();
        while let Some((tuple, values)) = states.get(steps.len()).cloned() {
            let mut here = BTreeSet::new();
            for (action, target) in &moves[&tuple] {
                let next = (target.clone(), after(assertion, &values, action.as_ref()));
                let number = *numbers.entry(next.clone()).or_insert(states.len());
                if number == states.len() {
                    states.push(next);
                }
                here.insert(number);
            }
            steps.push(here);
        }
        let column = |i: usize| states.iter().map(|(_, values)| values[i]).collect();
        Self { initial: vec![0], steps, columns: (0..assertion.propositions.len()).map(column).collect() }
    }

    /// Adds columns until one says where a formula holds, and says which.
    fn evaluate(&mut self, formula: &Formula) -> usize {
        use Formula as F;
        match formula {
            F::True => self.each(|_, _| true),
            F::False => self.each(|_, _| false),
            F::Atom(atom) => rely_base::Id::index(*atom),
            F::Not(f) => self.unary(f, |f| !f),
            F::And(f, g) => self.binary(f, g, |f, g| f && g),
            F::Or(f, g) => self.binary(f, g, |f, g| f || g),
            F::Implies(f, g) => self.binary(f, g, |f, g| !f || g),
            F::Iff(f, g) => self.binary(f, g, |f, g| f == g),
            F::Next(f) => {
                let f = self.evaluate(f);
                self.next(f)
            }
            F::Until(f, g) => {
                let (f, g) = (self.evaluate(f), self.evaluate(g));
                self.until(f, g)
            }
            F::Eventually(f) => {
                let f = self.evaluate(f);
                let always = self.each(|_, _| true);
                self.until(always, f)
            }
            // The others say that some until-formula does not hold.
            F::Always(f) => self.release(&F::False, f),
            F::Release(f, g) => self.release(f, g),
            // f W g is g R (f or g).
            F::WeakUntil(f, g) => self.release(g, &(**f).clone().or((**g).clone())),
        }
    }

    /// f R g is the negation of !f U !g.
    fn release(&mut self, f: &Formula, g: &Formula) -> usize {
        let (f, g) = (self.unary(f, |f| !f), self.unary(g, |g| !g));
        let until = self.until(f, g);
        self.each(|chain, state| !chain.columns[until][state])
    }

    fn unary(&mut self, f: &Formula, value: impl Fn(bool) -> bool) -> usize {
        let f = self.evaluate(f);
        self.each(|chain, state| value(chain.columns[f][state]))
    }

    fn binary(&mut self, f: &Formula, g: &Formula, value: impl Fn(bool, bool) -> bool) -> usize {
        let (f, g) = (self.evaluate(f), self.evaluate(g));
        self.each(|chain, state| value(chain.columns[f][state], chain.columns[g][state]))
    }

    /// Adds a column.
    fn each(&mut self, value: impl Fn(&Self, usize) -> bool) -> usize {
        let column = (0..self.steps.len()).map(|state| value(self, state)).collect();
        self.columns.push(column);
        self.columns.len() - 1
    }

    /// Splits states by what holds in the next one.
    fn next(&mut self, f: usize) -> usize {
        let holds = self.columns[f].clone();
        let values = |chain: &Self, state: usize| {
            chain.steps[state].iter().map(|&target| holds[target]).collect::<BTreeSet<bool>>()
        };
        self.split(values, |value, _, (target, _)| holds[target] == value)
    }

    /// Splits states by whether `f U g` holds.
    fn until(&mut self, f: usize, g: usize) -> usize {
        let (f, g) = (self.columns[f].clone(), self.columns[g].clone());
        // Where it has positive probability; and where its negation has.
        let goes_on = |state: usize| f[state] && !g[state];
        let possible = self.reaches(|state| g[state], goes_on);
        let impossible = self.reaches(|state| !possible[state], goes_on);
        let values = |_: &Self, state: usize| {
            [(true, possible[state]), (false, impossible[state])]
                .into_iter()
                .filter_map(|(value, is)| is.then_some(value))
                .collect::<BTreeSet<bool>>()
        };
        self.split(values, |value, state, (_, after)| !goes_on(state) || value == after)
    }

    /// The states that are goals, and those that lead to one through states that go on.
    fn reaches(&self, goal: impl Fn(usize) -> bool, goes_on: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut found: Vec<bool> = (0..self.steps.len()).map(goal).collect();
        loop {
            let reached = |state: &usize| {
                !found[*state] && goes_on(*state) && self.steps[*state].iter().any(|&target| found[target])
            };
            let new: Vec<usize> = (0..self.steps.len()).filter(reached).collect();
            if new.is_empty() {
                return found;
            }
            new.into_iter().for_each(|state| found[state] = true);
        }
    }

    /// Makes a copy of each state for each of its values, with the steps to those copies that agree with it, and adds the
    /// column of the values. `agrees` is asked for the value and the state, and for the target with its value.
    fn split(
        &mut self,
        values: impl Fn(&Self, usize) -> BTreeSet<bool>,
        agrees: impl Fn(bool, usize, (usize, bool)) -> bool,
    ) -> usize {
        let copies: Vec<(usize, bool)> = (0..self.steps.len())
            .flat_map(|state| values(self, state).into_iter().map(move |value| (state, value)))
            .collect();
        let steps = copies.iter().map(|&(state, value)| {
            let is_target = |&i: &usize| {
                let target: (usize, bool) = copies[i];
                self.steps[state].contains(&target.0) && agrees(value, state, target)
            };
            (0..copies.len()).filter(is_target).collect::<BTreeSet<usize>>()
        });
        let steps: Vec<BTreeSet<usize>> = steps.collect();
        assert!(steps.iter().all(|steps| !steps.is_empty()), "every copy has a future");
        let initial = (0..copies.len()).filter(|&i| self.initial.contains(&copies[i].0)).collect();
        let mut columns: Vec<Vec<bool>> = self
            .columns
            .iter()
            .map(|column| copies.iter().map(|&(state, _)| column[state]).collect())
            .collect();
        columns.push(copies.iter().map(|&(_, value)| value).collect());
        *self = Self { initial, steps, columns };
        self.columns.len() - 1
    }
}

#[test]
fn probabilities_of_a_coin() {
    // One state with a and b, which is a coin.
    let coin = super::coin();
    let a = || Formula::Atom(AtomId::from_raw(0));
    let probable = |formula: Formula| is_probable(&coin, &super::about_a(formula));
    assert!(!probable(a().eventually()), "a comes some time");
    assert!(!probable(a().and(a().next()).eventually().always()), "and twice in a row, again and again");
    assert!(probable(a()), "it need not come at once");
    assert!(probable(a().always()));
    assert!(!probable(a().always().negated()));
    assert!(probable(a().negated().until(a().and(a().next()))), "the first a may be alone");
}
