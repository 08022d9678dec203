//! The judge against searches of whole networks.

use rely_base::{Alphabet, Id, Label, StateId};
use rely_lts::{Component, Lts, LtsBuilder, Network, Rank};
use rely_testkit::naive::product::{breaks, breaks_beside, breaks_with_halting};
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use crate::tests::{ids, judge_beside};
use crate::{Decomposition, Evidence};

use super::reductions::{shuffled, with_reductions};
use super::{RULES, decomposition, judge, weakest_assumptions};

const ACTIONS: &[&str] = &["a", "b", "c", "d"];

const SHAPE: Shape = Shape { components: 3, states: 3, actions: ACTIONS, operators: false, ..Shape::FULL };

/// A network, the components of it that must not fail, and the others in groups.
struct Problem {
    network: Network,
    goal: Vec<usize>,
    groups: Vec<Vec<usize>>,
}

/// Components in random order. The goal takes part only where the rule allows it.
fn problem(rng: &mut Rng, by: &str) -> Problem {
    let parts = 2 + rng.below(2);
    let goals = if rng.chance(1, 4) { 2 } else { 1 };
    let mut is_goal: Vec<bool> = (0..parts + goals).map(|i| i >= parts).collect();
    for i in (1..is_goal.len()).rev() {
        is_goal.swap(i, rng.below(i + 1));
    }
    let observes = matches!(by, "conjunction" | "symmetric");
    let components: Vec<Component> = is_goal
        .iter()
        .map(|&is_goal| {
            let lts = match is_goal {
                true if observes || rng.chance(2, 3) => networks::property(rng, 3, ACTIONS),
                true => networks::component(rng, &SHAPE),
                false => networks::component(rng, &SHAPE),
            };
            Component::new("M", lts)
        })
        .collect();
    let of_kind = |kind: bool| (0..is_goal.len()).filter(|&i| is_goal[i] == kind).collect::<Vec<usize>>();
    let mut rest = of_kind(false);
    for i in (1..rest.len()).rev() {
        rest.swap(i, rng.below(i + 1));
    }
    let binary = matches!(by, "simple" | "alternating" | "conjunction");
    let groups = match rest[..] {
        [i, j, k] if !binary && rng.chance(1, 2) => vec![vec![i], vec![j], vec![k]],
        [i, j, k] => vec![vec![i], vec![j, k]],
        _ => rest.iter().map(|&i| vec![i]).collect(),
    };
    Problem { network: Network::new(components), goal: of_kind(true), groups }
}

#[test]
fn with_the_weakest_assumptions_the_judge_is_exact() {
    let (mut proved, mut disproved) = ([0; RULES.len()], [0; RULES.len()]);
    for seed in seeds(4000) {
        for (i, by) in RULES.into_iter().enumerate() {
            let Problem { network, goal, groups } = problem(&mut Rng::new(seed), by);
            // A rule is complete where components halt when they fail; and what is broken is broken then.
            let broken = breaks_with_halting(&network, &goal, &[]);
            assert!(broken || !breaks(&network, &goal), "seed {seed}, {by}");
            let Some(assumptions) = weakest_assumptions(by, &network, &groups, &goal) else {
                assert!(broken, "seed {seed}, {by}: there is no assumption");
                continue;
            };
            let proof = decomposition(by, &groups, &goal, &assumptions);
            let judgement = judge(&network, &goal, &proof);
            assert_eq!(judgement.is_ok(), !broken, "seed {seed}, {by}: {judgement:?}");
            if seed % 4 == 0 {
                let reduced = judge(&network, &goal, &with_reductions(&network, &proof));
                assert_eq!(reduced.is_ok(), !broken, "seed {seed}, {by}, reduced: {reduced:?}");
            }
            if broken { disproved[i] += 1 } else { proved[i] += 1 }
        }
    }
    let enough = proved.iter().chain(&disproved).all(|&count| count >= 80);
    assert!(enough || is_single_seed(), "too few to mean anything: {proved:?}, {disproved:?}");
}

/// A random deterministic system over some actions, some of which may belong to no component.
fn random_assumption(rng: &mut Rng) -> Lts {
    let names: Vec<&str> = ["a", "b", "c", "d", "z"].into_iter().filter(|_| rng.chance(1, 2)).collect();
    let alphabet: Alphabet = names.into_iter().collect();
    let states = 1 + rng.below(3);
    let mut builder = LtsBuilder::with_states(alphabet.clone(), states);
    for source in 0..states {
        for (action, _) in alphabet.iter() {
            if rng.chance(3, 4) {
                let target = StateId::from_index(rng.below(states));
                builder.add_transition(StateId::from_index(source), Label::visible(action), target);
            }
        }
    }
    builder.build()
}

/// The assumption with a transition more or less, or one that leads elsewhere.
fn changed(rng: &mut Rng, lts: &Lts) -> Lts {
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    let slots = lts.state_count() * lts.alphabet().len();
    let chosen = if slots == 0 { 0 } else { rng.below(slots) };
    for state in lts.states() {
        for (action, _) in lts.alphabet().iter() {
            let label = Label::visible(action);
            let mut target = lts.edges_with(state, label).first().map(|edge| edge.target);
            if state.index() * lts.alphabet().len() + action.index() == chosen {
                let remove = target.is_some() && rng.chance(1, 2);
                target = (!remove).then(|| StateId::from_index(rng.below(lts.state_count())));
            }
            if let Some(target) = target {
                builder.add_transition(state, label, target);
            }
        }
    }
    builder.build()
}

#[test]
fn what_is_accepted_is_true() {
    let (mut accepted, mut false_claims) = ([0; RULES.len()], [0; RULES.len()]);
    for seed in seeds(15_000) {
        let mut rng = Rng::new(seed);
        let i = rng.below(RULES.len());
        let by = RULES[i];
        let Problem { mut network, goal, groups } = problem(&mut rng, by);
        let expected = match by {
            "simple" => 1,
            "chain" => groups.len() - 1,
            "alternating" | "conjunction" => 2,
            _ => groups.len(),
        };
        let weakest = weakest_assumptions(by, &network, &groups, &goal).filter(|_| rng.chance(2, 3));
        let mut assumptions =
            weakest.unwrap_or_else(|| (0..expected).map(|_| random_assumption(&mut rng)).collect());
        for _ in 0..rng.below(3) {
            let which = rng.below(assumptions.len());
            assumptions[which] = match rng.chance(3, 4) {
                true => changed(&mut rng, &assumptions[which]),
                false => random_assumption(&mut rng),
            };
        }
        if rng.chance(1, 4) {
            let named: Vec<&str> = ACTIONS.iter().copied().filter(|_| rng.chance(1, 2)).collect();
            let rank = if rng.chance(1, 2) { Rank::High } else { Rank::Low };
            network =
                network.with_priority(rank, |name| named.contains(&name)).with_hidden(|name| name == "a");
        }
        let proof = decomposition(by, &groups, &goal, &assumptions);
        let judgement = judge(&network, &goal, &proof);
        let broken = breaks(&network, &goal);
        assert!(judgement.is_err() || !broken, "seed {seed}, {by}: the claim is false");
        if rng.chance(1, 4) {
            let forged = shuffled(&mut rng, with_reductions(&network, &proof));
            let reduced = judge(&network, &goal, &forged);
            assert!(reduced.is_err() || judgement.is_ok(), "seed {seed}, {by}: a premise is false");
        }
        accepted[i] += usize::from(judgement.is_ok());
        false_claims[i] += usize::from(broken);
    }
    let enough = accepted.iter().chain(&false_claims).all(|&count| count >= 200);
    assert!(enough || is_single_seed(), "too few to mean anything: {accepted:?}, {false_claims:?}");
}

#[test]
fn a_search_of_the_whole_is_exact() {
    let (mut proved, mut disproved, mut halting) = (0, 0, 0);
    for seed in seeds(4000) {
        let rng = &mut Rng::new(seed);
        let network = networks::network(rng, &Shape::FULL);
        let first = network.components().len();
        let properties = (0..rng.below(3)).map(|_| Component::new("P", networks::property(rng, 3, ACTIONS)));
        let network = network.with_components(properties.collect::<Vec<_>>());
        let count = network.components().len();
        let can_fail = |&i: &usize| network.components()[i].lts.error().is_some();
        let mut goal: Vec<usize> = (0..count).filter(can_fail).filter(|_| rng.chance(1, 2)).collect();
        goal.truncate(2);
        // Properties that are not the goal are set aside, or end a run like other components.
        let observers: Vec<usize> =
            (first..count).filter(|i| !goal.contains(i) && rng.chance(2, 3)).collect();
        let proof = Decomposition::monolithic(count, &ids(&goal), &ids(&observers));
        let judgement = judge_beside(&network, &goal, &observers, Evidence::Composition(proof));
        let broken = breaks_beside(&network, &goal, &observers);
        assert_eq!(judgement.is_ok(), !broken, "seed {seed}: {judgement:?}");
        halting += usize::from(broken != breaks_with_halting(&network, &goal, &observers));
        if broken { disproved += 1 } else { proved += 1 }
    }
    let enough = proved >= 500 && disproved >= 500 && halting >= 5;
    assert!(enough || is_single_seed(), "{proved}, {disproved}, {halting}");
}

#[test]
fn components_may_be_left_out() {
    // What is proved of fewer components is true of all; groups need not contain every component.
    let mut accepted = 0;
    for seed in seeds(3000) {
        let mut rng = Rng::new(seed);
        let Problem { network, goal, groups } = problem(&mut rng, "simple");
        let mut groups = groups;
        if groups[1].len() < 2 {
            continue;
        }
        groups[1].truncate(1);
        let Some(assumptions) = weakest_assumptions("simple", &network, &groups, &goal) else { continue };
        let judgement = judge(&network, &goal, &decomposition("simple", &groups, &goal, &assumptions));
        assert!(judgement.is_err() || !breaks(&network, &goal), "seed {seed}");
        accepted += usize::from(judgement.is_ok());
    }
    assert!(accepted >= 100 || is_single_seed(), "too few to mean anything: {accepted}");
}
