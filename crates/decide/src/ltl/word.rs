//! The word of a counterexample, and whether it satisfies the formula: straight from the definitions.
//!
//! Nothing here shares code with the automata: letters are computed from the names of the actions, and the formula is
//! evaluated on the word u·vᵚ bottom-up, each subformula by the equations of its operator. U is the least solution of
//! `f U g = g ∨ (f ∧ X (f U g))` and W the greatest; on a lasso two rounds backwards reach them.

use rely_base::Id;
use rely_omega::{Assertion, AtomId, AtomSet, Formula, Proposition};

use crate::{Counterexample, Ending};

/// An infinite word u·vᵚ.
struct Lasso {
    /// u, then v.
    letters: Vec<AtomSet>,
    /// The length of u.
    turn: usize,
}

/// Writes down which fluents hold before the run and after each of its steps.
pub(super) fn annotate(assertion: &Assertion, counterexample: &mut Counterexample) {
    let names = |values: &[bool]| -> Vec<String> {
        let fluents = assertion.propositions.iter().zip(values);
        fluents
            .filter_map(|(proposition, &value)| match proposition {
                Proposition::Fluent(fluent) if value => Some(fluent.name.clone()),
                Proposition::Fluent(_) | Proposition::Action(_) => None,
            })
            .collect()
    };
    let mut values = initially(assertion);
    counterexample.fluents = names(&values);
    for step in counterexample.trace.iter_mut().chain(&mut counterexample.cycle) {
        values = after(assertion, &values, Some(&step.action));
        step.fluents = names(&values);
    }
}

/// Whether the word of a counterexample violates the assertion. A finite run is extended by stuttering; so is a bad
/// prefix, of which any continuation will do.
pub(super) fn violates(assertion: &Assertion, counterexample: &Counterexample) -> bool {
    let mut values = initially(assertion);
    let mut letters = Vec::new();
    for step in counterexample.trace.iter().chain(&counterexample.cycle) {
        values = after(assertion, &values, Some(&step.action));
        letters.push(letter(&values));
    }
    if counterexample.ending != Ending::Cycle {
        letters.push(letter(&after(assertion, &values, None)));
    }
    !holds_on(&assertion.formula, letters, counterexample.trace.len())
}

/// Whether the word of some letters, of which those from the `turn`th on are repeated for ever, satisfies a formula.
pub(crate) fn holds_on(formula: &Formula, letters: Vec<AtomSet>, turn: usize) -> bool {
    holds_at(formula, &Lasso { letters, turn })[0]
}

/// Whether a formula without temporal operators holds for a letter.
pub(super) fn holds_for(formula: &Formula, letter: &AtomSet) -> bool {
    holds_on(formula, vec![letter.clone()], 0)
}

/// The value of each proposition before the first action.
fn initially(assertion: &Assertion) -> Vec<bool> {
    let value = |proposition: &Proposition| match proposition {
        Proposition::Action(_) => false,
        Proposition::Fluent(fluent) => fluent.initially,
    };
    assertion.propositions.iter().map(value).collect()
}

/// The value of each proposition just after an action, or after nothing.
fn after(assertion: &Assertion, before: &[bool], action: Option<&String>) -> Vec<bool> {
    let among = |names: &[String]| action.is_some_and(|action| names.contains(action));
    let value = |(proposition, &before): (&Proposition, &bool)| match proposition {
        Proposition::Action(names) => among(names),
        Proposition::Fluent(fluent) => among(&fluent.on) || (before && !among(&fluent.off)),
    };
    assertion.propositions.iter().zip(before).map(value).collect()
}

fn letter(values: &[bool]) -> AtomSet {
    (0..values.len()).filter(|&i| values[i]).map(AtomId::from_index).collect()
}

/// At which positions of a lasso a formula holds.
fn holds_at(formula: &Formula, lasso: &Lasso) -> Vec<bool> {
    // The operands of a formula are evaluated before it; their values are kept on a stack.
    let mut pending = vec![(formula, false)];
    let mut values: Vec<Vec<bool>> = Vec::new();
    while let Some((formula, operands_done)) = pending.pop() {
        if operands_done {
            let first = values.len() - formula.operands().count();
            let operands = values.split_off(first);
            values.push(combine(formula, &operands, lasso));
        } else {
            pending.push((formula, true));
            pending.extend(formula.operands().rev().map(|operand| (operand, false)));
        }
    }
    values.pop().expect("the formula itself has a value")
}

/// At which positions a formula holds whose operands hold at the given ones.
fn combine(formula: &Formula, operands: &[Vec<bool>], lasso: &Lasso) -> Vec<bool> {
    let length = lasso.letters.len();
    let each = |value: &dyn Fn(usize) -> bool| (0..length).map(value).collect::<Vec<bool>>();
    let (f, g) = (|i: usize| operands[0][i], |i: usize| operands[1][i]);
    match formula {
        Formula::True => vec![true; length],
        Formula::False => vec![false; length],
        Formula::Atom(atom) => each(&|i| lasso.letters[i].contains(*atom)),
        Formula::Not(_) => each(&|i| !f(i)),
        Formula::And(..) => each(&|i| f(i) && g(i)),
        Formula::Or(..) => each(&|i| f(i) || g(i)),
        Formula::Implies(..) => each(&|i| !f(i) || g(i)),
        Formula::Iff(..) => each(&|i| f(i) == g(i)),
        Formula::Next(_) => each(&|i| f(lasso.next(i))),
        Formula::Eventually(_) => lasso.solve(false, |i, next| f(i) || next),
        Formula::Always(_) => lasso.solve(true, |i, next| f(i) && next),
        Formula::Until(..) => lasso.solve(false, |i, next| g(i) || (f(i) && next)),
        Formula::WeakUntil(..) => lasso.solve(true, |i, next| g(i) || (f(i) && next)),
        Formula::Release(..) => lasso.solve(true, |i, next| g(i) && (f(i) || next)),
    }
}

impl Lasso {
    /// The position after a position.
    fn next(&self, position: usize) -> usize {
        if position + 1 == self.letters.len() { self.turn } else { position + 1 }
    }

    /// The least or, from `true`, the greatest solution of an equation that gives the value at a position from the
    /// value at the next one.
    fn solve(&self, start: bool, value: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut solution = vec![start; self.letters.len()];
        for _ in 0..2 {
            for i in (0..self.letters.len()).rev() {
                solution[i] = value(i, solution[self.next(i)]);
            }
        }
        solution
    }
}
