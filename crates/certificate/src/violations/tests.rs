//! The automaton of violations against the meaning of formulas on words u·vᵚ.

use std::collections::BTreeSet;

use rely_base::{Budget, Id};
use rely_omega::{AtomId, AtomSet, Formula};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::{Choice, Violations};
use crate::Rejection;
use crate::check::acceptance::{Acceptance, Onward};
use crate::check::states::Meter;

const ANY: Budget<'static> = Budget::UNLIMITED;

/// The word u·vᵚ: the letters of u, then of v, and the length of u.
pub(crate) type Lasso = (Vec<AtomSet>, usize);

fn next(word: &Lasso, position: usize) -> usize {
    if position + 1 == word.0.len() { word.1 } else { position + 1 }
}

/// At which positions a formula holds: by unfolding the definition of each operator along the word, which has shown all
/// that it ever will after its length.
pub(crate) fn holds(formula: &Formula, word: &Lasso) -> Vec<bool> {
    let operands: Vec<Vec<bool>> = formula.operands().map(|operand| holds(operand, word)).collect();
    let future = |start: usize| {
        std::iter::successors(Some(start), |&i| Some(next(word, i)))
            .take(2 * word.0.len())
            .collect::<Vec<_>>()
    };
    let f = |i: usize| operands[0][i];
    let g = |i: usize| operands[1][i];
    let until = |start: usize| {
        let path = future(start);
        (0..path.len()).any(|k| g(path[k]) && path[..k].iter().all(|&i| f(i)))
    };
    let at = |i: usize| match formula {
        Formula::True => true,
        Formula::False => false,
        Formula::Atom(atom) => word.0[i].contains(*atom),
        Formula::Not(_) => !f(i),
        Formula::And(..) => f(i) && g(i),
        Formula::Or(..) => f(i) || g(i),
        Formula::Implies(..) => !f(i) || g(i),
        Formula::Iff(..) => f(i) == g(i),
        Formula::Next(_) => f(next(word, i)),
        Formula::Eventually(_) => future(i).into_iter().any(f),
        Formula::Always(_) => future(i).into_iter().all(f),
        Formula::Until(..) => until(i),
        Formula::WeakUntil(..) => until(i) || future(i).into_iter().all(f),
        Formula::Release(..) => {
            let path = future(i);
            path.iter().copied().all(g)
                || (0..path.len()).any(|k| f(path[k]) && path[..=k].iter().all(|&i| g(i)))
        }
    };
    (0..word.0.len()).map(at).collect()
}

/// Whether the automaton accepts a word: whether positions with states that reach one another postpone nothing for ever.
fn accepts(automaton: &Violations, word: &Lasso) -> bool {
    type Node = (usize, Vec<u32>);
    let steps = |(position, state): &Node| -> Vec<(Choice, Node)> {
        let choices = automaton.choices(state, &word.0[*position], &ANY).unwrap();
        choices
            .iter()
            .map(|choice| (choice.clone(), (next(word, *position), choice.target.clone())))
            .collect()
    };
    let reach = |from: &Node| {
        let mut reached = BTreeSet::new();
        let mut pending = vec![from.clone()];
        while let Some(node) = pending.pop() {
            if reached.insert(node.clone()) {
                pending.extend(steps(&node).into_iter().map(|(_, target)| target));
            }
        }
        reached
    };
    reach(&(0, automaton.initial())).iter().any(|node| {
        let class: BTreeSet<Node> =
            reach(node).into_iter().filter(|other| reach(other).contains(node)).collect();
        let inside: Vec<Choice> = class
            .iter()
            .flat_map(steps)
            .filter(|(_, target)| class.contains(target))
            .map(|(choice, _)| choice)
            .collect();
        !inside.is_empty()
            && (0..automaton.until_count()).all(|until| inside.iter().any(|c| !c.postponed[until]))
    })
}

fn random_formula(rng: &mut Rng, depth: usize) -> Formula {
    random_formula_of(rng, depth, 2)
}

/// A formula with at most this number of atoms.
pub(crate) fn random_formula_of(rng: &mut Rng, depth: usize, atoms: usize) -> Formula {
    if depth == 0 || rng.chance(1, 6) {
        return match rng.below(12) {
            0 => Formula::True,
            1 => Formula::False,
            _ => Formula::Atom(AtomId::from_index(rng.below(atoms))),
        };
    }
    let kind = rng.below(11);
    let mut operand = || Box::new(random_formula_of(rng, depth - 1, atoms));
    match kind {
        0 => Formula::Not(operand()),
        1 => Formula::And(operand(), operand()),
        2 => Formula::Or(operand(), operand()),
        3 => Formula::Implies(operand(), operand()),
        4 => Formula::Iff(operand(), operand()),
        5 => Formula::Next(operand()),
        6 => Formula::Eventually(operand()),
        7 => Formula::Always(operand()),
        8 => Formula::Until(operand(), operand()),
        9 => Formula::WeakUntil(operand(), operand()),
        _ => Formula::Release(operand(), operand()),
    }
}

fn random_letter(rng: &mut Rng) -> AtomSet {
    (0..2).filter(|_| rng.chance(1, 2)).map(AtomId::from_index).collect()
}

#[test]
fn words_that_violate_a_formula_are_accepted() {
    let (mut violated, mut satisfied, mut split) = (0, 0, 0);
    for seed in seeds(6000) {
        let mut rng = Rng::new(seed);
        let formula = random_formula(&mut rng, 3);
        let automata = Violations::of(&formula);
        split += usize::from(automata.len() > 1);
        let turn = rng.below(4);
        let letters = (0..turn + 1 + rng.below(3)).map(|_| random_letter(&mut rng)).collect();
        let word = (letters, turn);
        let found = automata.iter().any(|automaton| accepts(automaton, &word));
        assert_eq!(found, !holds(&formula, &word)[0], "seed {seed}: {formula} on {word:?}");
        *(if found { &mut violated } else { &mut satisfied }) += 1;
    }
    let enough = violated > 1000 && satisfied > 1000 && split > 100;
    assert!(enough || is_single_seed(), "lopsided: {violated} {satisfied} {split}");
}

#[test]
fn letters_that_are_repeated_for_ever() {
    for seed in seeds(2000) {
        let mut rng = Rng::new(seed);
        let formula = random_formula(&mut rng, 3);
        let letter = random_letter(&mut rng);
        let word = (vec![letter.clone()], 0);
        let accepts = |automaton: &Violations| {
            let meter = Meter::new(&ANY, 0);
            let mut steps = |state: &Vec<u32>| -> Result<Vec<Onward<Vec<u32>>>, Rejection> {
                let choices = automaton.choices(state, &letter, &ANY).unwrap();
                Ok(choices.iter().map(|choice| (choice.target.clone(), choice.postponed.clone())).collect())
            };
            Acceptance::new(0).is_accepted(&automaton.initial(), &meter, &mut steps).unwrap()
        };
        let found = Violations::of(&formula).iter().any(accepts);
        assert_eq!(found, !holds(&formula, &word)[0], "seed {seed}: {formula} on {letter:?}");
    }
}

#[test]
fn common_formulas_need_few_obligations() {
    let atom = |number: u32| Formula::Atom(AtomId::from_raw(number));
    let response = atom(0).implies(atom(1).eventually()).always();
    let exclusion = atom(0).and(atom(1)).negated().always();
    let (both, recurs) = (response.clone().and(exclusion.clone()), atom(0).eventually().always());
    for (formula, widths) in
        [(response, vec![2]), (exclusion, vec![1]), (both, vec![2, 1]), (recurs, vec![2])]
    {
        let found: Vec<usize> = Violations::of(&formula).iter().map(Violations::width).collect();
        assert_eq!(found, widths, "{formula}");
    }
}
