//! The Hanoi format, out and in again, and texts that are wrong.

use rely_base::{Budget, Id};
use rely_testkit::rng::{Rng, seeds};

use super::read_hoa;
use crate::naive::{self, Lasso};
use crate::{Acceptance, AtomId, Automaton, Buchi, Formula};

fn automaton(rng: &mut Rng) -> Automaton {
    let states = 1 + rng.below(3);
    let acceptance = crate::emptiness::tests::condition(rng, 4, 2);
    let mut automaton = Automaton::with_states(states, acceptance);
    for _ in 0..2 + rng.below(6) {
        let atom = |rng: &mut Rng| Formula::atom(AtomId::from_index(rng.below(2)));
        let (one, two) = (atom(rng), atom(rng));
        let guard = match rng.below(6) {
            0 => Formula::True,
            1 => one,
            2 => one.negated(),
            3 => one.and(two.negated()),
            4 => one.implies(two),
            _ => one.iff(two.negated()),
        };
        let colours: Vec<u32> = (0..4).filter(|_| rng.chance(1, 3)).collect();
        automaton.add(rng.below(states), guard, rng.below(states), colours);
    }
    automaton
}

#[test]
fn what_is_written_is_read() {
    for seed in seeds(500) {
        let mut rng = Rng::new(seed);
        let before = automaton(&mut rng);
        let text = before.to_hoa(|atom| format!("p\"{}\\", atom.raw()));
        let read = read_hoa(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        let after = read.automaton;
        assert_eq!(after.acceptance, before.acceptance, "seed {seed}\n{text}");
        // Atoms that no guard has are not written, so that the others may have other numbers.
        let kept: Vec<AtomId> = before.atoms().iter().collect();
        let names: Vec<String> = kept.iter().map(|atom| format!("p\"{}\\", atom.raw())).collect();
        assert_eq!(read.atoms, names);
        let lasso = Lasso::random(&mut rng, 2);
        let renamed = |letters: &[crate::AtomSet]| -> Vec<crate::AtomSet> {
            let letter = |letter: &crate::AtomSet| {
                let places = kept.iter().enumerate().filter(|(_, atom)| letter.contains(**atom));
                places.map(|(place, _)| AtomId::from_index(place)).collect()
            };
            letters.iter().map(letter).collect()
        };
        let (prefix, cycle) = lasso.letters.split_at(lasso.start);
        let expected = before.accepts(prefix, cycle);
        assert_eq!(after.accepts(&renamed(prefix), &renamed(cycle)), expected, "seed {seed}\n{text}");
    }
}

#[test]
fn many_forms_are_read() {
    let text = "HOA: v1 /* a /* nested */ comment */ name: \"GFa\" tool: \"x\" \"1\" States: 2 Start: 0 AP: 2 \"a\" \"b\"
        acc-name: Rabin 1 Acceptance: 2 Fin(0) & Inf(1) Alias: @x 0 & !1 properties: deterministic
        --BODY-- State: [@x | f] 0 \"first\" {0} 1 State: 1 0 1 {1} 0 1 --END--";
    let read = read_hoa(text).expect("it is right");
    assert_eq!(read.name.as_deref(), Some("GFa"));
    assert_eq!(read.automaton.acceptance, Acceptance::rabin([(0, 1)]));
    let [a, b] = [0, 1].map(|atom| Formula::atom(AtomId::from_index(atom)));
    assert_eq!(read.automaton.edges[0][0].guard, a.clone().and(b.clone().negated()));
    assert!(read.automaton.edges[0][0].colours.contains(0));
    // Implicit labels list the letters by the numbers whose bits they are.
    assert_eq!(read.automaton.edges[1].len(), 4);
    assert_eq!(read.automaton.edges[1][1].guard, a.and(b.negated()));
    assert!(read.automaton.edges[1][1].colours.contains(1));
}

#[test]
fn what_is_wrong_is_said() {
    let head = "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"a\"\nAcceptance: 1 Inf(0)\n--BODY--\n";
    let wrong = [
        ("", "line 1: expected `HOA: v1` at the start"),
        ("HOA: v1\nStates: 1\n--BODY--\n--END--", "line 3: there is no `Acceptance:`"),
        ("HOA: v1 Acceptance: 1 Inf(1)", "line 1: the number 1 is greater than 0"),
        ("HOA: v1 Acceptance: 99999 Inf(1)", "line 1: the number 99999 is greater than 4096"),
        ("HOA: v1 Start: 0&1", "line 1: alternating automata are not supported"),
        ("HOA: v1 \"open", "line 1: a string is not closed"),
        ("HOA: v1 #", "line 1: `#` has no meaning here"),
    ];
    for (text, message) in wrong {
        assert_eq!(read_hoa(text).expect_err("it is wrong").to_string(), message, "{text}");
    }
    let wrong = [
        ("State: 3 --END--", "there is no state 3"),
        ("State: 0 [1] 0 --END--", "the number 1 is greater than 0"),
        ("State: 0 [@x] 0 --END--", "the alias `@x` is not defined"),
        ("State: 0 [t] 7 --END--", "there is no state 7"),
        ("State: 0 0 0 0 --END--", "there are too many transitions without labels"),
        ("--ABORT--", "the automaton was given up: `--ABORT--`"),
    ];
    for (body, message) in wrong {
        let error = read_hoa(&format!("{head}{body}")).expect_err("it is wrong");
        assert_eq!((error.line, error.message.as_str()), (7, message), "{body}");
    }
    let deep = format!("{head}State: 0 [{}", "(".repeat(100_000));
    assert!(read_hoa(&deep).is_err_and(|error| error.message.contains("nested")));
}

#[test]
fn mutations_never_panic() {
    let sample = "HOA: v1 States: 2 Start: 0 AP: 2 \"a\" \"b\" Alias: @x 0&!1 Acceptance: 2 Fin(0)|(Inf(1)&t) --BODY-- \
                  State: 0 {0} [@x] 1 [!(0|1)] 0 {1} State: 1 0 1 0 1 --END--";
    let pieces = [
        "(", ")", "[", "]", "{", "}", "!", "&", "|", "0", "99", "\"", "@x", "Inf(", "/*", "*/", "--", "t",
        "é",
    ];
    for seed in seeds(3000) {
        let mut rng = Rng::new(seed);
        let mut text = sample.to_owned();
        for _ in 0..1 + rng.below(3) {
            let places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
            let (from, length) = (rng.below(places.len()), rng.below(4));
            let (start, end) = (places[from], *places.get(from + length).unwrap_or(&text.len()));
            text.replace_range(start..end, rng.pick::<&str>(&pieces));
        }
        if let Ok(read) = read_hoa(&text) {
            assert!(
                read.automaton.edges.iter().flatten().all(|edge| edge.target < read.automaton.edges.len())
            );
        }
    }
}

#[test]
fn automata_of_formulas_are_read() {
    for seed in seeds(300) {
        let mut rng = Rng::new(seed);
        let formula = naive::random_formula(&mut rng, 3, 2);
        let buchi = Buchi::translate(&formula, &Budget::UNLIMITED).expect("there is no limit");
        let direct = Automaton::from(&buchi);
        let read = read_hoa(&buchi.to_hoa(|atom| atom.raw().to_string())).expect("it was written here");
        let lasso = Lasso::random(&mut rng, 2);
        let (prefix, cycle) = lasso.letters.split_at(lasso.start);
        let expected = naive::satisfaction(&formula, &lasso)[0];
        assert_eq!(direct.accepts(prefix, cycle), expected, "seed {seed}: {formula:?}");
        // The atoms that were written, under their new numbers.
        let renamed = |letter: &crate::AtomSet| -> crate::AtomSet {
            let is_in = |name: &str| name.parse().is_ok_and(|atom| letter.contains(AtomId::from_raw(atom)));
            let places = read.atoms.iter().enumerate().filter(|(_, name)| is_in(name));
            places.map(|(place, _)| AtomId::from_index(place)).collect()
        };
        let [prefix, cycle] = [prefix, cycle].map(|word| word.iter().map(renamed).collect::<Vec<_>>());
        assert_eq!(read.automaton.accepts(&prefix, &cycle), expected, "seed {seed}: {formula:?}");
    }
}
