//! What would follow an error, against the words that might: all of them up to a length, judged by the meaning of the
//! formula.

use rely_base::{ActionId, Alphabet, Budget, Id};
use rely_omega::{Assertion, AtomId, AtomSet, Fluent, Formula, Proposition};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::Continuations;
use crate::Violations;
use crate::check::meaning::Meaning;
use crate::check::states::Meter;
use crate::violations::tests::{holds, random_formula_of};

const ANY: Budget<'static> = Budget::UNLIMITED;

/// Two actions and two fluents; `c` switches both fluents.
fn assertion(formula: Formula) -> Assertion {
    let fluent = |name: &str, on: &[&str], off: &[&str]| {
        let [on, off] = [on, off].map(|names| names.iter().map(|&name| name.to_owned()).collect());
        Proposition::Fluent(Fluent { name: name.into(), on, off, initially: false })
    };
    let propositions = vec![
        Proposition::Action(vec!["a".to_owned()]),
        fluent("F", &["a", "c"], &["b"]),
        fluent("G", &["b"], &["c"]),
    ];
    Assertion { name: "A".into(), formula, propositions, extension: Vec::new() }
}

/// All sequences of actions and silence of a length.
fn sequences(length: usize) -> Vec<Vec<Option<ActionId>>> {
    let steps = [Some(0), Some(1), Some(2), None].map(|action| action.map(ActionId::from_raw));
    (0..length).fold(vec![Vec::new()], |shorter, _| {
        let longer = |word: &Vec<_>| steps.map(|step| [word.as_slice(), &[step]].concat());
        shorter.iter().flat_map(longer).collect()
    })
}

/// The letters of a run that goes round in a circle from some point on. The fluents need a second round to settle.
fn word(
    meaning: &Meaning,
    prefix: &[Option<ActionId>],
    circle: &[Option<ActionId>],
) -> (Vec<AtomSet>, usize) {
    let all: AtomSet = (0..3).map(AtomId::from_index).collect();
    let mut fluents = meaning.initial();
    let mut letters = Vec::new();
    for &step in prefix.iter().chain(circle).chain(circle) {
        fluents = meaning.after(&fluents, step);
        letters.push(meaning.letter(&fluents, step, &all));
    }
    (letters, prefix.len() + circle.len())
}

#[test]
fn continuations_are_those_that_violate() {
    let alphabet: Alphabet = ["a", "b", "c"].into_iter().collect();
    let (mut yes, mut no) = (0, 0);
    for seed in seeds(150) {
        let mut rng = Rng::new(seed);
        let assertion = assertion(random_formula_of(&mut rng, 2, 3));
        let meaning = Meaning::new(&assertion, &alphabet);
        let automata = Violations::of(&assertion.formula);
        let mut continuations: Vec<_> =
            automata.iter().map(|one| Continuations::new(&meaning, one)).collect();
        for _ in 0..3 {
            let prefix = rng.pick(&sequences(2)).clone();
            let found = automata.iter().zip(&mut continuations).any(|(automaton, continuations)| {
                let (states, fluents) = after(&meaning, automaton, &prefix);
                let meter = Meter::new(&ANY, 0);
                states.iter().any(|state| continuations.some_violates(state, &fluents, &meter).unwrap())
            });
            let violates = |more: &Vec<Option<ActionId>>, circle: &Vec<Option<ActionId>>| {
                !holds(&assertion.formula, &word(&meaning, &[prefix.as_slice(), more].concat(), circle))[0]
            };
            let expected = (0..3)
                .flat_map(sequences)
                .any(|more| (1..3).flat_map(sequences).any(|circle| violates(&more, &circle)));
            assert_eq!(found, expected, "seed {seed}: {} after {prefix:?}", assertion.formula);
            *(if expected { &mut yes } else { &mut no }) += 1;
        }
    }
    assert!(yes > 40 && no > 40 || is_single_seed(), "lopsided: {yes}, {no}");
}

/// The states of an automaton and the fluents after a sequence of actions.
fn after(meaning: &Meaning, automaton: &Violations, steps: &[Option<ActionId>]) -> (Vec<Vec<u32>>, Vec<u32>) {
    let mut states = vec![automaton.initial()];
    let mut fluents = meaning.initial();
    for &step in steps {
        fluents = meaning.after(&fluents, step);
        let letter = meaning.letter(&fluents, step, automaton.atoms());
        let choices = states.iter().flat_map(|state| {
            automaton
                .choices(state, &letter, &ANY)
                .unwrap()
                .iter()
                .map(|choice| choice.target.clone())
                .collect::<Vec<_>>()
        });
        states = choices.collect();
    }
    (states, fluents)
}
