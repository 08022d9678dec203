//! Runs into the error state against brute force.
//!
//! The naive twin has no automata. It carries the formula along every run by its equations (what `f U g` asks now, and
//! what it leaves for the next position), so that a run leaves behind a formula; and it tries out all continuations
//! that are a few actions and then a few more for ever.

use std::collections::{BTreeMap, BTreeSet};

use rely_base::Budget;
use rely_lts::Network;
use rely_omega::{Assertion, AtomSet, Formula, conjuncts};
use rely_testkit::naive::product::{NaiveProduct, Tuple, error_in};
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::{Rng, seeds};

use super::super::tests::{after, initial_values, is_fair, letter, random_assertion, violated};
use super::super::word::holds_on;
use super::super::{LtlDecision, check_ltl, free_actions, with_free_actions};
use super::Value;
use crate::{Ending, Unknown, Verdict};

const ANY: Budget<'static> = Budget::UNLIMITED;

/// The actions that assertions speak of.
const ACTIONS: [&str; 3] = ["a", "b", "c"];

/// The most situations that a run may be in.
const MOST: usize = 300;

/// The longest formula that may be left.
const LONGEST: usize = 120;

/// What is left of a formula after a letter.
fn rest(formula: &Formula, letter: &AtomSet) -> Formula {
    let rest = |formula: &Formula| rest(formula, letter);
    let again = || formula.clone();
    match formula {
        Formula::True | Formula::False => formula.clone(),
        Formula::Atom(atom) if letter.contains(*atom) => Formula::True,
        Formula::Atom(_) => Formula::False,
        Formula::Not(f) => rest(f).negated(),
        Formula::And(f, g) => both(rest(f), rest(g)),
        Formula::Or(f, g) => either(rest(f), rest(g)),
        Formula::Implies(f, g) => either(rest(f).negated(), rest(g)),
        Formula::Iff(f, g) => rest(f).iff(rest(g)),
        Formula::Next(f) => (**f).clone(),
        Formula::Eventually(f) => either(rest(f), again()),
        Formula::Always(f) => both(rest(f), again()),
        Formula::Until(f, g) | Formula::WeakUntil(f, g) => either(rest(g), both(rest(f), again())),
        Formula::Release(f, g) => both(rest(g), either(rest(f), again())),
    }
}

/// A conjunction without repetitions, so that what is left of a formula does not grow for ever.
fn both(one: Formula, other: Formula) -> Formula {
    let mut parts = BTreeSet::new();
    let mut pending = vec![one, other];
    while let Some(formula) = pending.pop() {
        match formula {
            Formula::And(f, g) => pending.extend([*f, *g]),
            other => drop(parts.insert(other)),
        }
    }
    parts.into_iter().fold(Formula::True, Formula::and)
}

fn either(one: Formula, other: Formula) -> Formula {
    both(one.negated(), other.negated()).negated()
}

/// The letters of all continuations that are tried, by the values at their beginning: with each one the position from
/// which on it is repeated.
fn continuations(assertion: &Assertion, values: &[bool]) -> Vec<(Vec<AtomSet>, usize)> {
    let labels = || ACTIONS.iter().map(|name| Some((*name).to_owned())).chain([None]);
    let words = |length: usize| {
        (0..length).fold(vec![Vec::new()], |words: Vec<Vec<Option<String>>>, _| {
            words.iter().flat_map(|word| labels().map(|label| [&word[..], &[label]].concat())).collect()
        })
    };
    let mut found = Vec::new();
    for (first, again) in [(0, 1), (1, 1), (2, 1), (3, 1), (0, 2), (1, 2), (2, 2), (0, 3)] {
        for word in words(first + again) {
            let (start, cycle) = word.split_at(first);
            let mut values = values.to_vec();
            // Once the cycle has been passed, it leaves the fluents as they are.
            let run = start.iter().chain(cycle).chain(cycle);
            let letters = run.map(|label| {
                values = after(assertion, &values, label.as_ref());
                letter(&values)
            });
            found.push((letters.collect(), first + again));
        }
    }
    found
}

/// What runs into the error state mean for a formula.
struct Twin<'a> {
    network: &'a Network,
    assertion: &'a Assertion,
    known: BTreeMap<(Formula, Vec<bool>), Value>,
    /// The continuations that are tried, by the values at their beginning.
    continuations: BTreeMap<Vec<bool>, Vec<(Vec<AtomSet>, usize)>>,
}

impl Twin<'_> {
    /// What it means that a run ends in the error state and leaves a formula behind.
    fn value(&mut self, left: &Formula, values: &[bool]) -> Value {
        let question = (left.clone(), values.to_vec());
        if let Some(&value) = self.known.get(&question) {
            return value;
        }
        let (mut satisfied, mut broken) = (false, false);
        let tried = self.continuations.entry(values.to_vec());
        for (letters, turn) in tried.or_insert_with(|| continuations(self.assertion, values)) {
            let holds = holds_on(left, letters.clone(), *turn);
            satisfied |= holds;
            broken |= !holds;
            if satisfied && broken {
                break;
            }
        }
        let value = match (satisfied, broken) {
            (true, true) => Value::Open,
            (true, false) => Value::Good,
            _ => Value::Broken,
        };
        self.known.insert(question, value);
        value
    }

    /// The values of the runs into the error state with their lengths, as long as they are new; nothing if there are too
    /// many.
    fn values(&mut self) -> Option<Vec<(usize, Value)>> {
        let naive = NaiveProduct::new(self.network);
        let start = (naive.initial.clone(), initial_values(self.assertion), self.assertion.formula.clone());
        let mut found = Vec::new();
        let mut seen: BTreeSet<(Tuple, Vec<bool>, Formula)> = BTreeSet::new();
        let mut level = BTreeSet::from([start]);
        for length in 0.. {
            let mut next = BTreeSet::new();
            for situation in std::mem::take(&mut level) {
                if seen.len() > MOST {
                    return None;
                }
                if !seen.insert(situation.clone()) {
                    continue;
                }
                let (tuple, values, formula) = situation;
                if error_in(self.network, &tuple).is_some() {
                    found.push((length, self.value(&formula, &values)));
                    continue;
                }
                for (action, target) in &naive.moves[&tuple] {
                    let name = action.map(|action| self.network.alphabet().name(action).to_owned());
                    let values = after(self.assertion, &values, name.as_ref());
                    let left = rest(&formula, &letter(&values));
                    if left.size() > LONGEST {
                        return None;
                    }
                    next.insert((target.clone(), values, left));
                }
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        Some(found)
    }
}

/// The worst value of any run for an assertion, and the length of the shortest run into the error that leaves it open.
fn expected(network: &Network, assertion: &Assertion) -> Option<(Value, Option<usize>)> {
    let mut twin = Twin { network, assertion, known: BTreeMap::new(), continuations: BTreeMap::new() };
    let values = twin.values()?;
    let open = values.iter().filter(|(_, value)| *value == Value::Open).map(|(length, _)| *length).min();
    if violated(network, assertion, is_fair)? {
        return Some((Value::Broken, open));
    }
    Some((values.iter().map(|(_, value)| *value).max().unwrap_or(Value::Good), open))
}

fn value_of(found: &LtlDecision) -> Value {
    match &found.decision.verdict {
        Verdict::Holds(_) => Value::Good,
        Verdict::Violated(_) => Value::Broken,
        Verdict::Unknown(reason) => {
            assert_eq!(*reason, Unknown::ErrorReachable);
            Value::Open
        }
    }
}

#[test]
fn verdicts_are_those_of_all_continuations() {
    let (mut good, mut open, mut broken, mut clash) = (0, 0, 0, 0);
    for seed in seeds(4000) {
        let mut rng = Rng::new(seed);
        let network = networks::network(&mut rng, &Shape { errors: true, ..Shape::TINY });
        let assertion = random_assertion(&mut rng, &ACTIONS);
        let closed = with_free_actions(&network, &free_actions(&network, &assertion));
        if !NaiveProduct::new(&closed).moves.keys().any(|tuple| error_in(&closed, tuple).is_some()) {
            continue;
        }
        let parts: Vec<Assertion> = conjuncts(&assertion.formula)
            .into_iter()
            .map(|formula| Assertion { formula, ..assertion.clone() })
            .collect();
        let Some(values) = parts.iter().map(|part| expected(&closed, part)).collect::<Option<Vec<_>>>()
        else {
            continue;
        };
        let Some((whole, _)) = expected(&closed, &assertion) else { continue };
        let worst = values.iter().map(|(value, _)| *value).max().unwrap_or(Value::Good);
        let found = check_ltl(&network, &assertion, &ANY).unwrap();
        let message = || format!("seed {seed}: {:?}, open {:?}", assertion.formula, found.open);
        assert!(value_of(&found) == worst, "{}", message());
        // To ask for the conjuncts one by one loses nothing, unless they contradict each other.
        assert!(
            worst <= whole && (worst == whole || whole == Value::Broken && parts.len() > 1),
            "{}",
            message()
        );
        clash += usize::from(worst != whole);
        let shortest = values.iter().filter_map(|(_, open)| *open).min();
        assert_eq!(found.open.is_some(), worst == Value::Open, "{}", message());
        if let Some(run) = &found.open {
            assert_eq!(Some(run.0.len()), shortest, "{}", message());
            open += 1;
        }
        good += usize::from(worst == Value::Good);
        let counterexample = found.decision.verdict.counterexample();
        broken += usize::from(counterexample.is_some_and(|found| {
            found.ending == Ending::BadPrefix
                && found.trace.last().is_none_or(|step| error_in(&network, &step.after).is_some())
        }));
    }
    let counts = (good, open, broken, clash);
    assert!(good > 30 && open > 150 && broken > 60, "too lopsided: {counts:?}");
}
