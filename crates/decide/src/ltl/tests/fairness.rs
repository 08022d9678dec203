//! The three kinds of fairness against brute force, and the fairness of the cycles that are shown.

use std::collections::BTreeSet;

use rely_base::{Id, StateId};
use rely_lts::{Component, Network};
use rely_omega::{Assertion, AtomId, Fairness, Fluent, Formula, Proposition};
use rely_testkit::naive::product::{self, moves_of};
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::super::rounds::LONGEST;
use super::super::{check_ltl, free_actions, with_free_actions};
use super::probability::is_probable;
use super::{ANY, Judge, about_a, can_fail, coin, random_assertion, violated};
use crate::{Counterexample, Ending, LtlDecision, replay};

/// A random network that goes on for ever more often than not.
fn random_network(rng: &mut Rng, seed: u64) -> Network {
    if seed.is_multiple_of(2) {
        return networks::network(rng, &Shape { errors: false, ..Shape::TINY });
    }
    let states = 1 + rng.below(3);
    let action = |rng: &mut Rng| *rng.pick(&["a", "b", "c"]);
    let mut transitions: Vec<_> = (0..states).map(|i| (i, action(rng), (i + 1) % states)).collect();
    for _ in 0..1 + rng.below(3) {
        transitions.push((rng.below(states), action(rng), rng.below(states)));
    }
    Network::new(vec![Component::new("M", networks::from_transitions(states, &transitions))])
}

/// A formula of the kind that choices at random may satisfy and fair choice does not: again and again a pattern.
fn random_pattern(rng: &mut Rng) -> Formula {
    let atom = |rng: &mut Rng| {
        let atom = Formula::Atom(AtomId::from_index(rng.below(3)));
        if rng.chance(1, 3) { atom.negated() } else { atom }
    };
    let pattern = atom(rng).and(atom(rng).and(atom(rng).next()).next());
    let pattern = if rng.chance(1, 3) { atom(rng).until(pattern) } else { pattern };
    match rng.below(3) {
        0 => pattern.eventually(),
        1 => pattern.eventually().always(),
        _ => atom(rng).implies(pattern.eventually()).always(),
    }
}

/// Random networks that cannot fail, with random assertions about them.
fn each_question(count: u64, mut visit: impl FnMut(u64, &Network, &Network, &Assertion)) {
    for seed in seeds(count) {
        let mut rng = Rng::new(seed);
        let network = random_network(&mut rng, seed);
        let mut assertion = random_assertion(&mut rng, &["a", "b", "c"]);
        if rng.chance(1, 2) {
            assertion.formula = random_pattern(&mut rng);
        }
        let closed = with_free_actions(&network, &free_actions(network.alphabet(), &assertion));
        if !can_fail(&closed) {
            visit(seed, &network, &closed, &assertion);
        }
    }
}

fn check(network: &Network, assertion: &Assertion, fairness: Fairness) -> LtlDecision {
    check_ltl(network, assertion, fairness, &ANY).unwrap()
}

#[test]
fn verdicts_without_fairness_are_those_of_brute_force() {
    let (mut holds, mut cycles) = (0, 0);
    each_question(2000, |seed, network, closed, assertion| {
        let Some(expected) = violated(closed, assertion, |_, _, _| true) else { return };
        let found = check(network, assertion, Fairness::None).decision.verdict;
        assert_eq!(found.holds(), !expected, "seed {seed}: {:?}", assertion.formula);
        holds += usize::from(!expected);
        cycles += usize::from(found.counterexample().is_some_and(|run| run.ending == Ending::Cycle));
    });
    assert!(is_single_seed() || holds > 100 && cycles > 100, "too lopsided: {holds} {cycles}");
}

#[test]
fn verdicts_at_random_are_those_of_brute_force() {
    let (mut holds, mut cycles, mut differ) = (0, 0, 0);
    each_question(6000, |seed, network, closed, assertion| {
        let expected = is_probable(closed, assertion);
        let found = check(network, assertion, Fairness::Random).decision.verdict;
        assert_eq!(found.holds(), !expected, "seed {seed}: {:?}", assertion.formula);
        // What is said beside a violation of fair choice is the same.
        let choice = check(network, assertion, Fairness::Choice);
        let is_violated = !choice.decision.verdict.holds();
        assert!(is_violated || !expected, "seed {seed}: fair choice satisfies it");
        assert_eq!(choice.holds_at_random, is_violated && !expected, "seed {seed}: {:?}", assertion.formula);
        holds += usize::from(!expected);
        cycles += usize::from(found.counterexample().is_some_and(|run| run.ending == Ending::Cycle));
        differ += usize::from(is_violated && !expected);
    });
    let counts = (holds, cycles, differ);
    let enough = holds > 500 && cycles > 300 && differ > 50;
    assert!(is_single_seed() || enough, "too lopsided: {counts:?}");
}

#[test]
fn choosing_for_the_automaton_at_random_would_be_noticed() {
    // A canary: terminal components of the product with the automaton, whose guesses are then made at random, too.
    let mut differences = 0;
    each_question(1000, |_, network, closed, assertion| {
        let is_terminal: Judge = |set, _, nodes| {
            set.iter().all(|node| nodes[*node].iter().all(|(_, target)| set.contains(target)))
        };
        let Some(wrong) = violated(closed, assertion, is_terminal) else { return };
        let found = check(network, assertion, Fairness::Random).decision.verdict;
        differences += usize::from(wrong == found.holds());
    });
    assert!(is_single_seed() || differences > 10, "{differences}");
}

/// Whether a cycle takes every transition of every state that it comes by, straight from the definition.
fn takes_everything(network: &Network, run: &Counterexample) -> bool {
    let environment = (!run.free.is_empty()).then(|| StateId::from_raw(0));
    let closed = with_free_actions(network, &run.free);
    let tuple =
        |states: &[u32]| product::tuple(states).into_iter().chain(environment).collect::<Vec<StateId>>();
    let steps: BTreeSet<_> = run
        .cycle
        .iter()
        .map(|step| (tuple(&step.before), closed.alphabet().get(&step.action), tuple(&step.after)))
        .collect();
    let sources: BTreeSet<_> = steps.iter().map(|(source, ..)| source.clone()).collect();
    sources.iter().all(|source| {
        let mut moves = moves_of(&closed, source).into_iter();
        moves.all(|(action, target)| steps.contains(&(source.clone(), action, target)))
    })
}

#[test]
fn cycles_are_fair() {
    let (mut long, mut seen) = (0, 0);
    each_question(4000, |seed, network, _, assertion| {
        for fairness in [Fairness::Choice, Fairness::Random] {
            let found = check(network, assertion, fairness).decision.verdict;
            let Some(run) = found.counterexample().filter(|run| run.ending == Ending::Cycle) else {
                continue;
            };
            let message = format!("seed {seed}, {fairness}: {:?}", assertion.formula);
            assert_eq!(run.fair, Some(fairness), "{message}");
            assert!(takes_everything(network, run), "{message}");
            seen += 1;
            long += usize::from(run.cycle.len() > 3);
            // Replay notices a cycle that is not, and a claim that is wrong.
            let mut twice = run.clone();
            twice.cycle.extend(run.cycle.clone());
            assert_eq!(replay(network, &twice), Ok(()), "{message}");
        }
    });
    assert!(is_single_seed() || seen > 500 && long > 100, "too lopsided: {seen} {long}");
}

#[test]
fn replay_refuses_cycles_that_are_not_fair() {
    let (mut refused, mut accepted) = (0, 0);
    each_question(3000, |seed, network, _, assertion| {
        let found = check(network, assertion, Fairness::None).decision.verdict;
        let Some(run) = found.counterexample().filter(|run| run.ending == Ending::Cycle) else { return };
        assert_eq!(run.fair, None, "seed {seed}: nothing is claimed");
        let claimed = Counterexample { fair: Some(Fairness::Choice), ..run.clone() };
        let is_fair = takes_everything(network, run);
        assert_eq!(replay(network, &claimed).is_ok(), is_fair, "seed {seed}");
        refused += usize::from(!is_fair);
        accepted += usize::from(is_fair);
    });
    assert!(is_single_seed() || refused > 50 && accepted > 50, "too lopsided: {refused} {accepted}");
}

/// `A0 = ({a,b} -> A1), A1 = (c -> e -> A0 | d -> f -> A0).`
fn two_choices() -> Network {
    let transitions = [(0, "a", 1), (0, "b", 1), (1, "c", 2), (2, "e", 0), (1, "d", 3), (3, "f", 0)];
    Network::new(vec![Component::new("A0", networks::from_transitions(4, &transitions))])
}

#[test]
fn the_cycle_breaks_the_conjunct_that_does_not_hold() {
    let fluent = |name: &str, on: &str, off: &[&str]| {
        let off = off.iter().map(|&name| name.to_owned()).collect();
        Proposition::Fluent(Fluent { name: name.into(), on: vec![on.into()], off, initially: false })
    };
    let propositions = vec![
        fluent("F1", "a", &["e"]),
        fluent("F3", "c", &["a", "b", "d", "e", "f"]),
        fluent("F2", "f", &["a", "b", "c", "d", "e"]),
    ];
    let atom = |i: u32| Formula::Atom(AtomId::from_raw(i));
    let again = |formula: Formula| formula.eventually().always();
    let first = again(atom(0).negated().and(atom(1)));
    let network = two_choices();
    let assertion = |formula| Assertion {
        name: "BOTH".into(),
        formula,
        propositions: propositions.clone(),
        extension: Vec::new(),
    };
    // The second conjunct holds under fair choice, so the cycle may not avoid f.
    assert!(check(&network, &assertion(again(atom(2))), Fairness::Choice).decision.verdict.holds());
    let both = assertion(first.and(again(atom(2))));
    let found = check(&network, &both, Fairness::Choice);
    assert!(found.holds_at_random);
    let run = found.decision.verdict.counterexample().unwrap();
    let mut actions = run.cycle_names();
    actions.sort_unstable();
    assert_eq!(actions, ["a", "b", "c", "d", "e", "f"]);
    assert!(check(&network, &both, Fairness::Random).decision.verdict.holds());
}

#[test]
fn what_choices_at_random_do_and_fair_choice_need_not() {
    let a = || Formula::Atom(AtomId::from_raw(0));
    let thrice = about_a(a().and(a().and(a().next()).next()).eventually().always());
    let found = check(&coin(), &thrice, Fairness::Choice);
    assert!(!found.decision.verdict.holds() && found.holds_at_random);
    assert!(check(&coin(), &thrice, Fairness::Random).decision.verdict.holds());
    // Without fairness a need not come at all.
    let once = about_a(a().eventually());
    let verdicts = Fairness::ALL.map(|fairness| check(&coin(), &once, fairness).decision.verdict.holds());
    assert_eq!(verdicts, [false, true, true]);
}

#[test]
fn a_cycle_that_would_be_too_long_is_not_said_to_be_fair() {
    // A ring of states, each with a step on the spot: a fair cycle goes all the way round.
    for (states, is_fair) in [(20, true), (150, false)] {
        let ring = (0..states).flat_map(|i| [(i, "step", (i + 1) % states), (i, "stay", i)]);
        // The only state with a is not reachable.
        let transitions: Vec<_> = ring.chain([(states, "a", states)]).collect();
        let lts = networks::from_transitions(states + 1, &transitions);
        let network = Network::new(vec![Component::new("RING", lts)]);
        let some_time = about_a(Formula::Atom(AtomId::from_raw(0)).eventually());
        let found = check(&network, &some_time, Fairness::Choice).decision.verdict;
        let run = found.counterexample().expect("a never happens");
        assert_eq!(run.fair.is_some(), is_fair, "{states} states");
        assert_eq!(is_fair, (2 * states..=LONGEST).contains(&run.cycle.len()));
        assert_eq!(replay(&network, run), Ok(()));
    }
}
