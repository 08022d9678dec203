//! The naive twins: satisfaction and acceptance straight from their definitions, on words of the form u·vᵚ.

use rely_base::{Id, StateId};
use rely_testkit::rng::Rng;

use crate::{AtomId, AtomSet, Buchi, Formula};

/// The word u·vᵚ.
#[derive(Clone, Debug)]
pub(crate) struct Lasso {
    pub(crate) letters: Vec<AtomSet>,
    /// Where v starts.
    pub(crate) start: usize,
}

impl Lasso {
    pub(crate) fn next(&self, position: usize) -> usize {
        if position + 1 == self.letters.len() { self.start } else { position + 1 }
    }

    pub(crate) fn random(rng: &mut Rng, atoms: usize) -> Self {
        let (prefix, cycle) = (rng.below(4), 1 + rng.below(4));
        Self { letters: (0..prefix + cycle).map(|_| letter(rng.below(1 << atoms))).collect(), start: prefix }
    }
}

/// The letter whose atoms are the bits of a number.
pub(crate) fn letter(bits: usize) -> AtomSet {
    (0..16).filter(|atom| bits >> atom & 1 == 1).map(AtomId::from_index).collect()
}

/// At which positions of the lasso the formula holds.
pub(crate) fn satisfaction(formula: &Formula, lasso: &Lasso) -> Vec<bool> {
    let positions = lasso.letters.len();
    let of = |operand: &Formula| satisfaction(operand, lasso);
    let each = |value: &dyn Fn(usize) -> bool| (0..positions).map(value).collect::<Vec<bool>>();
    match formula {
        Formula::True => vec![true; positions],
        Formula::False => vec![false; positions],
        Formula::Atom(atom) => each(&|i| lasso.letters[i].contains(*atom)),
        Formula::Not(f) => of(f).into_iter().map(|value| !value).collect(),
        Formula::And(f, g) => {
            let (f, g) = (of(f), of(g));
            each(&|i| f[i] && g[i])
        }
        Formula::Or(f, g) => {
            let (f, g) = (of(f), of(g));
            each(&|i| f[i] || g[i])
        }
        Formula::Implies(f, g) => {
            let (f, g) = (of(f), of(g));
            each(&|i| !f[i] || g[i])
        }
        Formula::Iff(f, g) => {
            let (f, g) = (of(f), of(g));
            each(&|i| f[i] == g[i])
        }
        Formula::Next(f) => {
            let f = of(f);
            each(&|i| f[lasso.next(i)])
        }
        Formula::Eventually(f) => until(lasso, &vec![true; positions], &of(f)),
        Formula::Always(f) => weak_until(lasso, &of(f), &vec![false; positions]),
        Formula::Until(f, g) => until(lasso, &of(f), &of(g)),
        Formula::WeakUntil(f, g) => weak_until(lasso, &of(f), &of(g)),
        Formula::Release(f, g) => {
            let (f, g) = (of(f), of(g));
            weak_until(lasso, &g, &each(&|i| f[i] && g[i]))
        }
    }
}

/// f U g: walking on, g is met before a position without f. Two rounds see every position.
fn until(lasso: &Lasso, f: &[bool], g: &[bool]) -> Vec<bool> {
    (0..f.len()).map(|start| first_decision(lasso, start, f, g) == Some(true)).collect()
}

fn weak_until(lasso: &Lasso, f: &[bool], g: &[bool]) -> Vec<bool> {
    (0..f.len()).map(|start| first_decision(lasso, start, f, g) != Some(false)).collect()
}

fn first_decision(lasso: &Lasso, start: usize, f: &[bool], g: &[bool]) -> Option<bool> {
    let mut position = start;
    for _ in 0..2 * f.len() {
        if g[position] {
            return Some(true);
        }
        if !f[position] {
            return Some(false);
        }
        position = lasso.next(position);
    }
    None
}

/// Whether the word satisfies the formula.
pub(crate) fn satisfies(lasso: &Lasso, formula: &Formula) -> bool {
    satisfaction(formula, lasso)[0]
}

/// Whether some run of the automaton on the word, from one of the states, is accepting: a pair of an accepting state
/// and a position is reachable, and reachable from itself.
pub(crate) fn accepts_from(buchi: &Buchi, states: &[StateId], lasso: &Lasso) -> bool {
    let step = |&(state, position): &(StateId, usize)| {
        let successors =
            buchi.edges(state).iter().filter(move |edge| edge.guard.allows(&lasso.letters[position]));
        successors.map(move |edge| (edge.target, lasso.next(position))).collect::<Vec<_>>()
    };
    let reach = |mut pending: Vec<(StateId, usize)>| {
        let mut reached = std::collections::BTreeSet::new();
        while let Some(pair) = pending.pop() {
            if reached.insert(pair) {
                pending.extend(step(&pair));
            }
        }
        reached
    };
    let reachable = reach(states.iter().map(|&state| (state, 0)).collect());
    let mut accepting = reachable.iter().filter(|(state, _)| buchi.is_accepting(*state));
    accepting.any(|pair| reach(step(pair)).contains(pair))
}

pub(crate) fn accepts(buchi: &Buchi, lasso: &Lasso) -> bool {
    accepts_from(buchi, buchi.initial(), lasso)
}

/// A random formula, written without the simplifying constructors.
pub(crate) fn random_formula(rng: &mut Rng, depth: usize, atoms: usize) -> Formula {
    if depth == 0 || rng.chance(1, 6) {
        return match rng.below(12) {
            0 => Formula::True,
            1 => Formula::False,
            _ => Formula::Atom(AtomId::from_index(rng.below(atoms))),
        };
    }
    let kind = rng.below(12);
    let mut operand = || Box::new(random_formula(rng, depth - 1, atoms));
    match kind {
        0 | 1 => Formula::Not(operand()),
        2 => Formula::And(operand(), operand()),
        3 => Formula::Or(operand(), operand()),
        4 => Formula::Implies(operand(), operand()),
        5 => Formula::Iff(operand(), operand()),
        6 => Formula::Next(operand()),
        7 => Formula::Eventually(operand()),
        8 => Formula::Always(operand()),
        9 => Formula::Until(operand(), operand()),
        10 => Formula::WeakUntil(operand(), operand()),
        _ => Formula::Release(operand(), operand()),
    }
}

/// All formulas of exactly this many operators and atoms over one atom.
pub(crate) fn all_formulas(size: usize) -> Vec<Formula> {
    if size == 0 {
        return Vec::new();
    }
    if size == 1 {
        return vec![Formula::True, Formula::False, Formula::Atom(AtomId::from_raw(0))];
    }
    let mut formulas = Vec::new();
    for operand in all_formulas(size - 1) {
        let operand = || Box::new(operand.clone());
        formulas.extend([
            Formula::Not(operand()),
            Formula::Next(operand()),
            Formula::Eventually(operand()),
            Formula::Always(operand()),
        ]);
    }
    for left_size in 1..size - 1 {
        for left in all_formulas(left_size) {
            for right in all_formulas(size - 1 - left_size) {
                let (left, right) = (|| Box::new(left.clone()), || Box::new(right.clone()));
                formulas.extend([
                    Formula::And(left(), right()),
                    Formula::Or(left(), right()),
                    Formula::Implies(left(), right()),
                    Formula::Iff(left(), right()),
                    Formula::Until(left(), right()),
                    Formula::WeakUntil(left(), right()),
                    Formula::Release(left(), right()),
                ]);
            }
        }
    }
    formulas
}

/// All words u·vᵚ over one atom with u and v of up to three letters.
pub(crate) fn all_lassos() -> Vec<Lasso> {
    let mut lassos = Vec::new();
    for prefix in 0..=3 {
        for cycle in 1..=3 {
            for bits in 0..1usize << (prefix + cycle) {
                let letters = (0..prefix + cycle).map(|position| letter(bits >> position & 1)).collect();
                lassos.push(Lasso { letters, start: prefix });
            }
        }
    }
    lassos
}
