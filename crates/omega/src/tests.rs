//! The translation, the monitors and the test for safety against the definitions.

use std::collections::BTreeSet;

use rely_base::{Budget, Id, Limits, Resource, StateId};
use rely_testkit::rng::Rng;

use crate::naive::{
    Lasso, accepts, accepts_from, all_formulas, all_lassos, letter, random_formula, satisfies,
};
use crate::{AtomId, AtomSet, Buchi, Formula, Monitor, conjuncts, is_safety, is_syntactic_safety};

fn translate(formula: &Formula) -> Buchi {
    Buchi::translate(formula, &Budget::UNLIMITED).expect("the budget is not limited")
}

fn safety(formula: &Formula) -> bool {
    is_safety(formula, &Budget::UNLIMITED).expect("the budget is not limited")
}

fn monitor(formula: &Formula) -> Monitor {
    Monitor::new(formula, &Budget::UNLIMITED).expect("the budget is not limited")
}

fn atom(number: u32) -> Formula {
    Formula::Atom(AtomId::from_raw(number))
}

fn response(number: u32) -> Formula {
    atom(2 * number).implies(atom(2 * number + 1).eventually()).always()
}

fn often(number: u32) -> Formula {
    atom(number).eventually().always()
}

#[test]
fn small_formulas_on_small_words() {
    let lassos = all_lassos();
    for formula in (1..=4).flat_map(all_formulas) {
        let buchi = translate(&formula);
        let simplified = formula.simplified();
        let conjunction = Formula::all(conjuncts(&formula));
        for lasso in &lassos {
            let expected = satisfies(lasso, &formula);
            assert_eq!(accepts(&buchi, lasso), expected, "{formula} on {lasso:?}");
            assert_eq!(satisfies(lasso, &simplified), expected, "{formula} as {simplified} on {lasso:?}");
            assert_eq!(satisfies(lasso, &conjunction), expected, "{formula} as {conjunction} on {lasso:?}");
        }
    }
}

#[test]
fn random_formulas_on_random_words() {
    let mut exhausted = 0;
    for seed in 0..40_000 {
        let mut rng = Rng::new(seed);
        let (atoms, depth) = (1 + rng.below(3), 2 + rng.below(4));
        let formula = random_formula(&mut rng, depth, atoms);
        let simplified = formula.simplified();
        let conjunction = Formula::all(conjuncts(&formula));
        let limits = Limits { states: Some(300), bytes: None };
        let buchi = Buchi::translate(&formula, &Budget::new(limits, None)).ok();
        exhausted += usize::from(buchi.is_none());
        for _ in 0..20 {
            let lasso = Lasso::random(&mut rng, atoms);
            let expected = satisfies(&lasso, &formula);
            let context = || format!("seed {seed}: {formula} on {lasso:?}");
            assert_eq!(satisfies(&lasso, &simplified), expected, "{} as {simplified}", context());
            assert_eq!(satisfies(&lasso, &conjunction), expected, "{} as {conjunction}", context());
            if let Some(buchi) = &buchi {
                assert_eq!(accepts(buchi, &lasso), expected, "{}", context());
            }
        }
    }
    assert!(exhausted < 20, "{exhausted} of the automata are large");
}

/// Formulas in which fairness, persistence and until meet, where random formulas seldom go.
#[test]
fn random_combinations_of_fairness() {
    for seed in 0..10_000 {
        let mut rng = Rng::new(seed);
        let parts: Vec<Formula> = (0..1 + rng.below(4))
            .map(|_| {
                let inner = random_formula(&mut rng, 2, 3);
                match rng.below(6) {
                    0 => inner.eventually().always(),
                    1 => inner.always().eventually(),
                    2 => inner.implies(atom(0).eventually()).always(),
                    3 => inner.until(atom(1).eventually().always().and(atom(2))),
                    4 => atom(1).release(inner.and(atom(2).eventually().always())),
                    _ => inner.weak_until(atom(0).always().eventually()),
                }
            })
            .collect();
        let formula = if rng.chance(2, 3) { Formula::all(parts) } else { Formula::any(parts) };
        let limits = Limits { states: Some(200), bytes: None };
        let Ok(buchi) = Buchi::translate(&formula, &Budget::new(limits, None)) else { continue };
        for _ in 0..20 {
            let lasso = Lasso::random(&mut rng, 3);
            assert_eq!(
                accepts(&buchi, &lasso),
                satisfies(&lasso, &formula),
                "seed {seed}: {formula} on {lasso:?}"
            );
        }
    }
}

/// A word that the automaton accepts from a state, found by breadth-first search.
fn witness(buchi: &Buchi, from: StateId) -> Option<(Vec<AtomSet>, Vec<AtomSet>)> {
    let paths = |from: StateId| {
        let mut paths: Vec<(StateId, Vec<AtomSet>)> = Vec::new();
        let mut reached = BTreeSet::new();
        let mut pending = std::collections::VecDeque::from([(from, Vec::new())]);
        while let Some((state, path)) = pending.pop_front() {
            for edge in buchi.edges(state) {
                if reached.insert(edge.target) {
                    let mut path = path.clone();
                    path.push(edge.guard.positive.clone());
                    paths.push((edge.target, path.clone()));
                    pending.push_back((edge.target, path));
                }
            }
        }
        paths
    };
    let mut starts = paths(from);
    starts.push((from, Vec::new()));
    starts.into_iter().filter(|(state, _)| buchi.is_accepting(*state)).find_map(|(state, prefix)| {
        paths(state).into_iter().find(|(end, _)| *end == state).map(|(_, cycle)| (prefix, cycle))
    })
}

#[test]
fn every_state_accepts_a_word() {
    for seed in 0..5_000 {
        let mut rng = Rng::new(seed);
        let depth = 2 + rng.below(3);
        let formula = random_formula(&mut rng, depth, 2);
        let buchi = translate(&formula);
        for state in buchi.states() {
            let (prefix, cycle) = witness(&buchi, state).expect("every state accepts some word");
            let lasso = Lasso { start: prefix.len(), letters: [prefix, cycle].concat() };
            assert!(accepts_from(&buchi, &[state], &lasso), "seed {seed}: {formula}");
            if buchi.initial().contains(&state) {
                assert!(satisfies(&lasso, &formula), "seed {seed}: {formula}");
            }
        }
    }
}

#[test]
fn accepting_one_letter_for_ever() {
    for seed in 0..3_000 {
        let mut rng = Rng::new(seed);
        let formula = random_formula(&mut rng, 4, 2);
        let buchi = translate(&formula);
        for bits in 0..4 {
            let lasso = Lasso { letters: vec![letter(bits)], start: 0 };
            let found = buchi.initial().iter().any(|&state| buchi.accepts_forever(state, &letter(bits)));
            assert_eq!(found, satisfies(&lasso, &formula), "seed {seed}: {formula}");
        }
    }
}

/// Whether some word of the form prefix·u·vᵚ with small u and v over one atom satisfies the formula.
fn can_be_continued(prefix: &[AtomSet], formula: &Formula, continuations: &[Lasso]) -> bool {
    continuations.iter().any(|rest| {
        let letters = [prefix, &rest.letters].concat();
        satisfies(&Lasso { letters, start: prefix.len() + rest.start }, formula)
    })
}

#[test]
fn bad_prefixes_of_small_formulas() {
    let mut lassos = all_lassos();
    lassos.retain(|lasso| lasso.letters.len() <= 4);
    for formula in (1..=4).flat_map(all_formulas) {
        let mut monitor = monitor(&formula);
        let mut prefixes = vec![(Vec::new(), monitor.initial())];
        while let Some((prefix, state)) = prefixes.pop() {
            let possible = can_be_continued(&prefix, &formula, &lassos);
            assert_eq!(state.is_some(), possible, "{formula} after {prefix:?}");
            let Some(state) = state.filter(|_| prefix.len() < 4) else { continue };
            for bits in 0..2 {
                let longer = [&*prefix, &[letter(bits)]].concat();
                prefixes.push((longer, monitor.step(state, &letter(bits))));
            }
        }
    }
}

#[test]
fn satisfied_words_have_no_bad_prefix() {
    for seed in 0..10_000 {
        let mut rng = Rng::new(seed);
        let depth = 2 + rng.below(3);
        let formula = random_formula(&mut rng, depth, 2);
        let mut monitor = monitor(&formula);
        let safe = safety(&formula);
        for _ in 0..10 {
            let lasso = Lasso::random(&mut rng, 2);
            let bad = has_bad_prefix(&mut monitor, &lasso);
            let satisfied = satisfies(&lasso, &formula);
            assert!(!(bad && satisfied), "seed {seed}: {formula} on {lasso:?}");
            assert!(
                bad || satisfied || !safe,
                "seed {seed}: {formula} on {lasso:?} violates without a bad prefix"
            );
        }
    }
}

/// Whether the monitor stops on the word: it runs until it meets the same state at the same position again.
fn has_bad_prefix(monitor: &mut Monitor, lasso: &Lasso) -> bool {
    let Some(mut state) = monitor.initial() else { return true };
    let mut seen = BTreeSet::new();
    let mut position = 0;
    while seen.insert((state, position)) {
        match monitor.step(state, &lasso.letters[position]) {
            Some(next) => state = next,
            None => return true,
        }
        position = lasso.next(position);
    }
    false
}

#[test]
fn safety_of_small_formulas() {
    let lassos = all_lassos();
    let continuations: Vec<Lasso> = lassos.iter().filter(|lasso| lasso.letters.len() <= 4).cloned().collect();
    let mut counts = [0; 2];
    for formula in (1..=4).flat_map(all_formulas) {
        // Not a safety property: a word violates it, and each of its prefixes has a continuation that does not.
        let escapes = |lasso: &Lasso| {
            let unrolled = |length: usize| {
                let mut position = 0;
                let mut letters = Vec::new();
                for _ in 0..length {
                    letters.push(lasso.letters[position].clone());
                    position = lasso.next(position);
                }
                letters
            };
            !satisfies(lasso, &formula)
                && (0..8).all(|n| can_be_continued(&unrolled(n), &formula, &continuations))
        };
        let expected = !lassos.iter().any(escapes);
        assert_eq!(safety(&formula), expected, "{formula}");
        counts[usize::from(expected)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 100), "both answers have to occur: {counts:?}");
}

#[test]
fn safety_of_well_known_formulas() {
    let (a, b) = (|| atom(0), || atom(1));
    let exact = [
        (a().weak_until(b()), true),
        (a().and(b()).negated().always(), true),
        (a().until(b()).or(a().always()), true),
        (a().eventually().implies(b()).always(), true),
        (a().until(b()), false),
        (response(0), false),
        (often(0).implies(often(1)), false),
        (a().always().eventually(), false),
        // The liveness part follows from the safety part, or contradicts it.
        (a().always().and(a().eventually()), true),
        (a().negated().always().and(a().or(a().next().next()).eventually()), true),
        (a().always().and(b().implies(a().eventually()).always()), true),
    ];
    for (formula, expected) in exact {
        assert_eq!(safety(&formula), expected, "{formula}");
    }
    assert!(is_syntactic_safety(&a().weak_until(b())));
    assert!(!is_syntactic_safety(&a().until(b())));
}

#[test]
fn the_automata_of_usual_assertions_are_small() {
    let exclusion = |i: u32| atom(2 * i).and(atom(2 * i + 1)).negated().always();
    let precedence = atom(0).implies(atom(1).negated().until(atom(2))).always();
    let ten = || Formula::all((0..10).map(often));
    let cases = [
        ("response", response(0), (2, 5)),
        ("not response", response(0).negated(), (2, 3)),
        ("exclusion", exclusion(0), (1, 2)),
        ("not exclusion", exclusion(0).negated(), (2, 3)),
        ("fairness", often(0).implies(often(1)), (4, 7)),
        ("not fairness", often(0).implies(often(1)).negated(), (3, 6)),
        ("until", atom(0).until(atom(1)), (2, 3)),
        ("precedence", precedence.clone(), (2, 5)),
        ("not precedence", precedence.negated(), (3, 6)),
        ("two responses", Formula::all((0..2).map(response)), (6, 35)),
        ("not ten responses", Formula::all((0..10).map(response)).negated(), (11, 21)),
        ("not ten exclusions", Formula::all((0..10).map(exclusion)).negated(), (2, 12)),
        ("ten fair", ten(), (11, 76)),
        ("not (ten fair imply fair)", ten().implies(often(10)).negated(), (12, 78)),
        ("false", often(0).and(atom(0).negated().always().eventually()), (0, 0)),
        ("true", often(0).or(atom(0).negated().always().eventually()), (1, 1)),
    ];
    for (name, formula, expected) in cases {
        let buchi = translate(&formula);
        assert_eq!((buchi.state_count(), buchi.edge_count()), expected, "{name}: {formula}");
    }
}

#[test]
fn many_obligations_do_not_multiply() {
    let fair = Formula::all((0..60).map(often));
    assert_eq!(translate(&fair).state_count(), 61);
    let responses = Formula::all((0..100).map(response));
    assert_eq!(translate(&responses.clone().negated()).state_count(), 101);
    assert_eq!(conjuncts(&responses).len(), 100);
}

#[test]
fn conjuncts_of_assertions() {
    let formula = response(0).and(response(1)).and(often(4).and(atom(5).next()));
    let parts: Vec<String> = conjuncts(&formula).iter().map(ToString::to_string).collect();
    assert_eq!(parts, ["[]<>p4", "X p5", "[](!p0 || <>p1)", "[](!p2 || <>p3)"]);
    assert_eq!(conjuncts(&Formula::all((0..3).map(atom)).next()).len(), 3);
    assert_eq!(conjuncts(&atom(3).release(Formula::all((0..3).map(atom)))).len(), 3);
    assert!(conjuncts(&Formula::True).is_empty());
    assert_eq!(conjuncts(&Formula::False), [Formula::False]);
}

#[test]
fn wide_and_deep_formulas() {
    let wide = Formula::all((0..20_000).map(|i| atom(i).implies(atom(i + 1).eventually()))).always();
    assert_eq!(conjuncts(&wide).len(), 20_000);
    let left_deep = (0..20_000).map(atom).reduce(|left, right| Formula::And(Box::new(left), Box::new(right)));
    assert_eq!(translate(&left_deep.expect("there are atoms")).state_count(), 2);
    let nested = (0..300).fold(atom(0), |formula, i| match i % 3 {
        0 => Formula::Next(Box::new(formula)),
        1 => Formula::Not(Box::new(formula)),
        _ => Formula::Eventually(Box::new(formula)),
    });
    assert!(!nested.to_string().is_empty());
    let iffs = (0..200).fold(atom(0), |formula, i| Formula::Iff(Box::new(formula), Box::new(atom(i + 1))));
    assert_eq!(iffs.simplified(), iffs, "as a tree its normal form is too large to be written down");
    let narrow = Limits { states: None, bytes: Some(1 << 20) };
    assert_eq!(translation_exhausts(&iffs.always(), narrow), Resource::Memory);
}

/// What runs out first when a formula is translated that is too large for the limits.
fn translation_exhausts(formula: &Formula, limits: Limits) -> Resource {
    Buchi::translate(formula, &Budget::new(limits, None)).expect_err("it is too large").resource
}

/// The automaton of n strong fairness conditions has 2^n ways to go on from its first state, and all the work is done
/// before there is a second one: it counts as well.
#[test]
fn a_limit_on_states_limits_the_work_on_one_of_them() {
    let strongly_fair = |i| often(2 * i).implies(often(2 * i + 1));
    let persistent = |i| atom(i).always().eventually();
    for count in [20, 60] {
        for states in [100, 10_000] {
            let limits = Limits { states: Some(states), bytes: None };
            let premise = Formula::all((0..count).map(strongly_fair));
            assert_eq!(translation_exhausts(&premise.and(persistent(0)), limits), Resource::States);
            let choice = Formula::all((0..count).map(|i| often(2 * i).or(atom(2 * i + 1).next())));
            assert_eq!(translation_exhausts(&choice, limits), Resource::States);
        }
    }
}

#[test]
fn formulas_as_text() {
    let formula =
        atom(0).and(atom(1)).and(atom(2)).implies(atom(0).until(atom(1).or(atom(2).negated()))).always();
    assert_eq!(formula.to_string(), "[]((p0 && p1 && p2) -> (p0 U (p1 || !p2)))");
    let named = response(0).display(|atom| ["ask", "answer"][atom.index()].to_owned()).to_string();
    assert_eq!(named, "[](ask -> <>answer)");
}

#[test]
fn automata_as_text() {
    let hoa = translate(&response(0).negated()).to_hoa(|atom| format!("p{}", atom.raw()));
    let expected = "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"p0\" \"p1\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n\
                    properties: state-acc\n--BODY--\nState: 0\n[t] 0\n[0&!1] 1\nState: 1 {0}\n[!1] 1\n--END--\n";
    assert_eq!(hoa, expected);
}
