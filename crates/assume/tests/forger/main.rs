//! A forger: it makes claims for statements that are false, in every way that the evidence allows, and none is accepted.
//!
//! A checker that can be fooled makes every other promise empty. So somebody has to try, who knows the judge well. For a
//! random system and a statement about it that is false by a naive search, evidence is taken from a *false friend*
//! (`friends.rs`), a similar network or a similar statement that the engine can prove; or it is a *near proof*, made by
//! hand, of which nearly everything is right (`rules.rs`, `reductions.rs`). Then it is made to fit: identities, digests and
//! everything else that a claim repeats are those of the statement that is claimed. At last it may be changed in some
//! places: groups, assumptions, premises, reductions of premises, steps, pairs of states, numbers that are too large.
//!
//! Most forgeries must get as far as the premises and the steps, or the test would say nothing about these: this is counted.

#[path = "../changes/mod.rs"]
mod changes;
#[path = "../evidence/mod.rs"]
mod evidence;
mod friends;
#[path = "../groups/mod.rs"]
mod groups;
mod large;
mod reductions;
mod rules;
#[path = "../systems/mod.rs"]
mod systems;

use std::collections::BTreeMap;

use rely_assume::Rule;
use rely_base::Id;
use rely_certificate::{Decomposition, Evidence, Rejection};
use rely_lts::ComponentId;
use rely_testkit::naive::product::breaks_beside;
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use crate::changes::{CHANGES, change};
use crate::evidence::{Statement, Way};
use crate::friends::{Difference, friend};
use crate::systems::{ACTIONS, System, ids, refuses_nothing, some_of};

/// How many forgeries are tried for each false statement.
const TRIES: usize = 16;

fn numbers(components: &[ComponentId]) -> Vec<usize> {
    components.iter().map(|id| id.index()).collect()
}

/// A random statement about a system: some of the components that can fail are its goal, and properties outside of it are
/// set aside, all of them or some.
fn random_statement(system: &System, rng: &mut Rng) -> Option<Statement> {
    let failing = system.failing();
    let mut goal = some_of(rng, &failing);
    if goal.is_empty() {
        goal = failing.into_iter().take(1).collect();
    }
    let mut observers = system.set_aside(&goal);
    if rng.chance(1, 3) {
        observers = some_of(rng, &observers);
    }
    // To name a component twice changes nothing.
    if rng.chance(1, 30) {
        goal.extend(goal.first().copied());
        observers.extend(observers.first().copied());
    }
    (!goal.is_empty()).then(|| Statement { goal: ids(&goal), observers: ids(&observers) })
}

/// A statement that is like another one: with another goal, or other components set aside, also such as cannot be.
fn similar(system: &System, statement: &Statement, rng: &mut Rng) -> Statement {
    let others = |goal: &[ComponentId], rng: &mut Rng| {
        let all: Vec<usize> = (0..system.len()).filter(|&i| !numbers(goal).contains(&i)).collect();
        ids(&some_of(rng, &all))
    };
    match rng.below(6) {
        0 => random_statement(system, rng).unwrap_or_else(|| statement.clone()),
        1 => Statement { observers: Vec::new(), ..statement.clone() },
        2 => Statement { observers: others(&statement.goal, rng), ..statement.clone() },
        _ => statement.clone(),
    }
}

/// Evidence for something that is like a statement, made to be about the goal of the statement.
fn forged(system: &System, statement: &Statement, rng: &mut Rng) -> Option<Evidence> {
    let network = &system.network;
    let evidence = match rng.below(10) {
        0..=3 => rules::near_proof(network, statement, *rng.pick(&Rule::ALL), rng)?,
        4 => reductions::near_proof(network, statement, rng),
        _ => {
            let other = similar(system, statement, rng);
            let mut shown = friend(network, &other, *rng.pick(&Difference::ALL), rng);
            if rng.chance(1, 4) {
                shown = friend(&shown, &other, *rng.pick(&Difference::ALL), rng);
            }
            let random = *rng.pick(&Way::ALL);
            other.prove(&shown, random, rng)?
        }
    };
    Some(redirected(evidence, statement, rng))
}

/// Evidence that says that it is about the goal of a statement.
fn redirected(mut evidence: Evidence, statement: &Statement, rng: &mut Rng) -> Evidence {
    let goal = numbers(&statement.goal);
    match &mut evidence {
        Evidence::Composition(decomposition) => {
            if rng.chance(5, 6) {
                let has_no_business = [goal.clone(), numbers(&statement.observers)].concat();
                rules::leave_out(decomposition, &has_no_business);
            }
            decomposition.goal = goal;
        }
        Evidence::Reduction(proof) => {
            if rng.chance(3, 4) {
                proof.parts.retain(|part| !goal.contains(part));
            }
            proof.goal = goal;
        }
        _ => panic!("there is no other evidence that components do not fail"),
    }
    evidence
}

/// Evidence with something changed in it.
fn changed(evidence: Evidence, system: &System, statement: &Statement, rng: &mut Rng) -> Evidence {
    let size = system.len();
    match evidence {
        Evidence::Composition(decomposition) => Evidence::Composition(match rng.below(5) {
            0 => rules::damaged(decomposition, size, rng),
            1 | 2 => rules::resealed(decomposition, size, rng),
            _ => rules::with_wrong_reductions(decomposition, rng),
        }),
        Evidence::Reduction(mut proof) => {
            match rng.chance(1, 2) {
                true => change(&mut proof, *rng.pick(&CHANGES), (size, ACTIONS), rng),
                false => reductions::lie(&mut proof, &numbers(&statement.observers), size, rng),
            }
            Evidence::Reduction(proof)
        }
        other => other,
    }
}

/// The name of a kind of evidence.
fn kind(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Composition(Decomposition { by, reductions, .. }) if reductions.is_empty() => by.clone(),
        Evidence::Composition(Decomposition { by, .. }) => format!("{by}, reduced"),
        _ => "reduction".to_owned(),
    }
}

/// Whether a forgery got as far as what it says about systems.
fn is_deep(rejection: &Rejection) -> bool {
    matches!(
        rejection,
        Rejection::FalsePremise { .. }
            | Rejection::BadStep { .. }
            | Rejection::MayFail { .. }
            | Rejection::BadReduction { .. }
    )
}

/// What was tried, by kind of evidence.
#[derive(Default, Debug)]
struct Tried {
    /// False statements that were attacked.
    statements: usize,
    /// Forgeries.
    forgeries: usize,
    /// Forgeries that were rejected because of what they say about systems.
    deep: usize,
}

#[test]
fn no_forgery_proves_that_components_do_not_fail() {
    let mut tried: BTreeMap<String, Tried> = BTreeMap::new();
    let mut attacked = 0;
    for seed in seeds(6000) {
        let rng = &mut Rng::new(seed);
        let count = 3 + rng.below(4);
        let system = System::random(rng, count);
        let Some(statement) = random_statement(&system, rng) else { continue };
        let (goal, observers) = (numbers(&statement.goal), numbers(&statement.observers));
        if !breaks_beside(&system.network, &goal, &observers) {
            continue;
        }
        attacked += 1;
        let mut kinds: Vec<String> = Vec::new();
        for number in 0..TRIES {
            let Some(mut evidence) = forged(&system, &statement, rng) else { continue };
            for _ in 0..rng.below(4).saturating_sub(1) {
                evidence = changed(evidence, &system, &statement, rng);
            }
            let kind = kind(&evidence);
            let judgement = statement.judge(&system.network, evidence.clone());
            let Err(rejection) = judgement else {
                panic!("seed {seed}, forgery {number}: accepted {statement:?} {evidence:#?}")
            };
            let count = tried.entry(kind.clone()).or_default();
            count.forgeries += 1;
            count.deep += usize::from(is_deep(&rejection));
            count.statements += usize::from(!kinds.contains(&kind));
            kinds.push(kind);
        }
    }
    println!("{attacked} false statements, {tried:#?}");
    let expected =
        Rule::ALL.iter().flat_map(|rule| [rule.name().to_owned(), format!("{}, reduced", rule.name())]);
    for kind in expected.chain(["monolithic".to_owned(), "reduction".to_owned()]) {
        let is_enough = tried.get(&kind).is_some_and(|it| it.statements >= 150 && it.deep >= 75);
        assert!(is_enough || is_single_seed(), "too few to mean anything: {kind} {tried:?}");
    }
}

/// Only a component that refuses nothing and is not asked about can be set aside: with any other among its observers, a
/// statement is not accepted, whatever its evidence is and whether it is true or not.
#[test]
fn nothing_else_can_be_set_aside() {
    let mut rejected = [0; 2];
    for seed in seeds(1500) {
        let rng = &mut Rng::new(seed);
        let count = 2 + rng.below(4);
        let system = System::random(rng, count);
        let Some(statement) = random_statement(&system, rng) else { continue };
        let goal = numbers(&statement.goal);
        let is_wrong =
            |&i: &usize| goal.contains(&i) || !refuses_nothing(&system.network.components()[i].lts);
        for wrong in (0..system.len()).filter(is_wrong) {
            let mut other = statement.clone();
            other.observers.push(ComponentId::from_index(wrong));
            let way = *rng.pick(&Way::ALL);
            for shown in [&statement, &other] {
                let Some(evidence) = shown.prove(&system.network, way, rng) else { continue };
                let judgement = other.judge(&system.network, evidence);
                assert!(matches!(judgement, Err(Rejection::NoObserver(_))), "seed {seed}: {judgement:?}");
                rejected[usize::from(goal.contains(&wrong))] += 1;
            }
        }
    }
    println!("{rejected:?} rejected");
    assert!(rejected.iter().all(|&count| count > 300) || is_single_seed(), "{rejected:?}");
}
