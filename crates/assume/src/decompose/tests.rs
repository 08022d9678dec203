//! Splits give the verdict of the whole system, shared products are what they stand for, and nothing depends on threads.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rely_base::{Id, Label, Observer, Resource};
use rely_certificate::{Claim, Property, check};
use rely_decide::{Verdict, replay};
use rely_explore::generate;
use rely_lts::equivalence::{Equivalence, minimise};
use rely_lts::{ComponentId, Lts, Network};
use rely_testkit::naive::equivalence as naive;
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::*;
use crate::{Algorithm, Goal, monolithic};

const ACTIONS: &[&str] = &["a", "b", "c", "d", "e"];

const PART: Shape = Shape { components: 3, states: 3, errors: false, ..Shape::FULL };

fn random_problem(rng: &mut Rng, most: usize) -> Problem {
    let count = 2 + rng.below(most - 1);
    let part = |i| Component { name: format!("M{i}"), lts: Arc::new(networks::component(rng, &PART)) };
    let parts = (0..count).map(part).collect();
    let property = Component { name: "P".into(), lts: Arc::new(networks::property(rng, 3, ACTIONS)) };
    Problem { composites: Vec::new(), parts, goal: Goal::property(property) }
}

/// Units of one part each, or now and then of two.
fn random_units(rng: &mut Rng, parts: usize) -> Vec<Vec<usize>> {
    let mut units: Vec<Vec<usize>> = (0..parts).map(|part| vec![part]).collect();
    if parts > 2 && rng.chance(1, 2) {
        let second = units.pop().expect("there are parts");
        let at = rng.below(units.len());
        units[at].extend(second);
    }
    units
}

fn no_clock() -> u64 {
    0
}

fn trial(rule: Rule, method: Method) -> Trial<'static> {
    Trial { rule, method, alphabets: Alphabets::Whole, most_words: None, clock: &no_clock }
}

fn fails(problem: &Problem) -> bool {
    let (verdict, _) = monolithic(problem, &Budget::UNLIMITED).expect("no mistake");
    matches!(verdict, Verdict::Violated(_))
}

/// Checks an answer against the whole system: a proof by the judge, a run by replaying it.
fn is_right(problem: &Problem, answer: &Answer, fails: bool) -> bool {
    match answer {
        Answer::Unknown(_) => false,
        Answer::Refuted(run) => fails && replay(&problem.network(), run).is_ok(),
        Answer::Proved(proof) => {
            let network = problem.network();
            let parts: Vec<ComponentId> = (0..problem.parts.len()).map(ComponentId::from_index).collect();
            let goal = [ComponentId::from_index(problem.parts.len())];
            let property = Property::Unbroken { name: "P", components: &goal, observers: &[] };
            let claim = Claim::new("S", &network, &property, proof.evidence(&parts, &goal));
            !fails && check(&claim, &network, &property, &Budget::UNLIMITED) == Ok(())
        }
    }
}

#[test]
fn every_split_gives_the_verdict_of_the_whole() {
    let methods = [Method::Direct, Method::Learn(Algorithm::default()), Method::Separate];
    let (mut proved, mut refuted) = (0, 0);
    for seed in seeds(200) {
        let mut rng = Rng::new(seed);
        let problem = random_problem(&mut rng, 4);
        let units = random_units(&mut rng, problem.parts.len());
        let fails = fails(&problem);
        let rule = Rule::ALL[rng.below(Rule::ALL.len())];
        let method = methods[rng.below(methods.len())];
        let groups = if rule.is_binary() || units.len() < 3 { 2 } else { 3 };
        let splitter = Splitter::new(&problem, &units, trial(rule, method));
        if splitter.applies(groups).is_err() {
            continue;
        }
        let splits: Vec<Split> = all_splits(units.len(), groups).collect();
        let table = splitter.table(splits.clone(), &Budget::UNLIMITED).expect("no mistake");
        let attempts = table.attempts;
        assert_eq!(attempts.len(), splits.len());
        for attempt in &attempts {
            assert!(is_right(&problem, &attempt.answer, fails), "seed {seed}, {rule} {method:?} {attempt:?}");
        }
        *(if fails { &mut refuted } else { &mut proved }) += attempts.len();
    }
    assert!((proved > 200 && refuted > 200) || is_single_seed(), "too few: {proved}, {refuted}");
}

#[test]
fn the_ranking_finds_the_best_of_the_table_on_any_number_of_threads() {
    let mut pruned = 0;
    for seed in seeds(150) {
        let mut rng = Rng::new(seed);
        let problem = random_problem(&mut rng, 5);
        let units = random_units(&mut rng, problem.parts.len());
        let trial = trial(Rule::Simple, Method::Learn(Algorithm::default()));
        let splits: Vec<Split> = all_splits(units.len(), 2).collect();
        let rankings: Vec<Vec<Attempt>> = [1, 2, 5]
            .into_iter()
            .map(|threads| {
                let splitter = Splitter::new(&problem, &units, trial);
                let threads = NonZeroUsize::new(threads).expect("some threads");
                splitter.ranking(&splits, &Budget::UNLIMITED.with_threads(threads)).expect("no mistake")
            })
            .collect();
        let shown = |ranking: &Vec<Attempt>| -> Vec<String> {
            let show = |attempt: &Attempt| {
                let sizes = attempt.assumption_states();
                format!("{:?} {:?} {} {sizes}", attempt.split, attempt.effort, attempt.is_decided())
            };
            ranking.iter().map(show).collect()
        };
        assert_eq!(shown(&rankings[0]), shown(&rankings[1]), "seed {seed}");
        assert_eq!(shown(&rankings[0]), shown(&rankings[2]), "seed {seed}");
        let table = Splitter::new(&problem, &units, trial).table(splits, &Budget::UNLIMITED);
        let table = table.expect("no mistake").attempts;
        let best = &rankings[0][0];
        assert!(best.is_decided(), "seed {seed}");
        assert_eq!((&best.split, best.effort), (&table[0].split, table[0].effort), "seed {seed}");
        for attempt in rankings[0].iter().filter(|attempt| !attempt.is_decided()) {
            assert!(matches!(&attempt.answer, Answer::Unknown(why) if why.resource == Resource::States));
            let unlimited = table.iter().find(|other| other.split == attempt.split).expect("all splits");
            assert!(unlimited.effort.peak_states >= best.effort.peak_states, "seed {seed}");
            pruned += 1;
        }
    }
    assert!(pruned > 50 || is_single_seed(), "too few to mean anything: {pruned}");
}

/// What the rest feels of parts, from the definition: the whole product, with what nobody else has hidden.
fn unshared(problem: &Problem, parts: &[usize]) -> Lts {
    let inside: Vec<Component> = parts.iter().map(|&part| problem.parts[part].clone()).collect();
    let outside = (0..problem.parts.len()).filter(|part| !parts.contains(part));
    let others = outside.map(|part| problem.parts[part].clone()).chain(problem.goal.components.clone());
    let felt = alphabet_of(&others.collect::<Vec<_>>());
    let network = Network::new(inside).with_hidden(|name| !felt.contains(name));
    let lts = generate(&network, &Budget::UNLIMITED).expect("no limit");
    minimise(&lts, Equivalence::Branching, &Budget::UNLIMITED).expect("no limit")
}

/// A system with its alphabet in dictionary order, in which to have ended is to do nothing more: whether a product has
/// ended depends on what it is composed of, and no goal feels it.
fn comparable(lts: &Lts) -> Lts {
    let alphabet: Alphabet = lts.alphabet().sorted_names().into_iter().collect();
    let mut builder = LtsBuilder::with_states(alphabet.clone(), lts.state_count());
    builder.set_initial(lts.initial());
    for transition in lts.transitions() {
        let label = transition.label.action().map_or(Label::TAU, |action| {
            Label::visible(alphabet.get(lts.alphabet().name(action)).expect("it has the same actions"))
        });
        builder.add_transition(transition.source, label, transition.target);
    }
    builder.build()
}

#[test]
fn shared_products_are_those_of_their_parts_and_made_once() {
    let mut composed = 0;
    for seed in seeds(80) {
        let mut rng = Rng::new(seed);
        let problem = random_problem(&mut rng, 5);
        let shared = Shared::new(&problem, MOST_BYTES);
        let forgetful = Shared::new(&problem, 0);
        let felt: Vec<String> = problem.cone().problem.parts.into_iter().map(|part| part.name).collect();
        let subsets: Vec<Vec<usize>> =
            all_splits(problem.parts.len(), 2).map(|mut split| split.remove(0)).collect();
        for parts in &subsets {
            let made = shared.group(parts, &Budget::UNLIMITED).expect("no limit");
            let product = generate(&Network::new(made.pieces.clone()), &Budget::UNLIMITED).expect("no limit");
            let is_felt = |part: &&usize| felt.contains(&problem.parts[**part].name);
            let parts: Vec<usize> = parts.iter().filter(is_felt).copied().collect();
            if !parts.is_empty() {
                let unshared = unshared(&problem, &parts);
                let [product, unshared] = [product, unshared].map(|lts| comparable(&lts));
                let same = naive::equivalent(&product, &unshared, Equivalence::Branching);
                assert!(same, "seed {seed}, {parts:?}");
            }
            let again = forgetful.group(&parts, &Budget::UNLIMITED).expect("no limit");
            let sizes = |made: &Made| -> Vec<usize> {
                made.pieces.iter().map(|piece| piece.lts.state_count()).chain([made.peak_states]).collect()
            };
            assert_eq!(sizes(&made), sizes(&again), "seed {seed}: what is kept changes nothing");
        }
        // Each set of at least two parts is composed once at most, whoever asks how often.
        let first = shared.composed();
        assert!(first <= (1 << problem.parts.len()) - 1 - problem.parts.len(), "seed {seed}");
        for parts in &subsets {
            shared.group(parts, &Budget::UNLIMITED).expect("no limit");
        }
        assert_eq!(shared.composed(), first, "seed {seed}");
        composed += first;
    }
    assert!(composed > 100 || is_single_seed(), "too few to mean anything: {composed}");
}

#[test]
fn limits_on_products_do_not_depend_on_who_came_first() {
    for seed in seeds(60) {
        let mut rng = Rng::new(seed);
        let problem = random_problem(&mut rng, 5);
        let all: Vec<usize> = (0..problem.parts.len()).collect();
        let peak = |shared: &Shared<'_>, limit: usize| {
            let budget = Budget::UNLIMITED.narrowed(Limits { states: Some(limit), bytes: None });
            shared.group(&all, &budget).ok().map(|made| made.peak_states)
        };
        let increasing = Shared::new(&problem, MOST_BYTES);
        let decreasing = Shared::new(&problem, MOST_BYTES);
        let limits = [1, 2, 4, 8, 16, 32, 64, 128, 256];
        let up: Vec<_> = limits.iter().map(|&limit| peak(&increasing, limit)).collect();
        let mut down: Vec<_> = limits.iter().rev().map(|&limit| peak(&decreasing, limit)).collect();
        down.reverse();
        assert_eq!(up, down, "seed {seed}");
    }
}

#[test]
fn promising_splits_are_splits_and_come_cheapest_first() {
    let mut hits = 0;
    let mut count = 0;
    for seed in seeds(60) {
        let mut rng = Rng::new(seed);
        let problem = random_problem(&mut rng, 6);
        let units = random_units(&mut rng, problem.parts.len());
        for groups in 2..=units.len().min(3) {
            let promising = promising_splits(&problem, &units, groups, 12, &Budget::UNLIMITED);
            let promising = promising.expect("no limit");
            let all: Vec<Split> = all_splits(units.len(), groups).collect();
            assert!(
                !promising.is_empty() && promising.iter().all(|split| all.contains(split)),
                "seed {seed}"
            );
            let mut distinct = promising.clone();
            distinct.sort();
            distinct.dedup();
            assert_eq!(distinct.len(), promising.len(), "seed {seed}: no split comes twice");
            if groups == 2 {
                // The first one is the cheapest of all, nearly always.
                let cheapest = all.iter().map(|split| naive_cut::cost(&problem, &units, split)).min();
                hits += usize::from(cheapest == Some(naive_cut::cost(&problem, &units, &promising[0])));
                count += 1;
            }
        }
    }
    assert!(hits * 10 >= count * 9, "{hits} of {count}");
}

/// A problem with enough units for a pass to have a choice; nobody explores it.
fn wide_problem(rng: &mut Rng, units: usize) -> Problem {
    const MANY: &[&str] = &["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let shape = Shape { states: 20, actions: MANY, ..PART };
    let part = |i| Component { name: format!("M{i}"), lts: Arc::new(networks::component(rng, &shape)) };
    let parts = (0..units).map(part).collect();
    let property = Component { name: "P".into(), lts: Arc::new(networks::property(rng, 3, ACTIONS)) };
    Problem { composites: Vec::new(), parts, goal: Goal::property(property) }
}

#[test]
fn promising_splits_are_those_whose_costs_are_computed_anew() {
    for seed in seeds(60) {
        let mut rng = Rng::new(seed);
        let count = 2 + rng.below(8);
        let problem = wide_problem(&mut rng, count);
        let units = random_units(&mut rng, count);
        for groups in 2..=units.len().min(4) {
            for most in [2, 1000] {
                let found = promising_splits(&problem, &units, groups, most, &Budget::UNLIMITED);
                let naive = naive_cut::promising_splits(&problem, &units, groups, most);
                assert_eq!(found.expect("no limit"), naive, "seed {seed}, {groups} groups, {most}");
            }
        }
    }
}

/// Stops whatever it observes after `most` looks.
struct Impatient {
    looks: AtomicUsize,
    most: usize,
}

impl Impatient {
    fn after(most: usize) -> Self {
        Self { looks: AtomicUsize::new(0), most }
    }
}

impl Observer for Impatient {
    fn observe(&self, _: &Progress) -> Option<Resource> {
        (self.looks.fetch_add(1, Ordering::Relaxed) >= self.most).then_some(Resource::Time)
    }
}

#[test]
fn looking_for_splits_can_be_stopped() {
    let mut rng = Rng::new(7);
    let problem = wide_problem(&mut rng, 40);
    let units: Vec<Vec<usize>> = (0..40).map(|part| vec![part]).collect();
    for groups in [2, 20] {
        let impatient = Impatient::after(200);
        let budget = Budget::new(Limits::default(), Some(&impatient));
        let found = promising_splits(&problem, &units, groups, 64, &budget);
        assert_eq!(found.map_err(|exhausted| exhausted.resource), Err(Resource::Time));
    }
}

#[test]
fn a_table_of_more_splits_than_can_be_listed_ends_with_the_budget() {
    let mut rng = Rng::new(7);
    let problem = wide_problem(&mut rng, 60);
    let units: Vec<Vec<usize>> = (0..60).map(|part| vec![part]).collect();
    let splitter = Splitter::new(&problem, &units, trial(Rule::Simple, Method::Direct));
    let impatient = Impatient::after(50);
    let budget = Budget::new(Limits::default(), Some(&impatient));
    let table = splitter.table(all_splits(60, 2), &budget).expect("no mistake");
    assert_eq!(table.limit, Some(Resource::Time));
    assert!(table.attempts.len() <= 50, "{}", table.attempts.len());
    // What the attempts take counts as memory, too.
    let limits = Limits { states: Some(1), bytes: Some(100_000) };
    let table = splitter.table(all_splits(60, 2), &Budget::new(limits, None)).expect("no mistake");
    assert_eq!((table.limit, table.attempts.len()), (Some(Resource::Memory), LISTED));
}
