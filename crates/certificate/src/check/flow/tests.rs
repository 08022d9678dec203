//! The judge of flow proofs against searches of whole networks.

use rely_lts::{Component, Network};
use rely_testkit::naive::product::breaks;
use rely_testkit::networks::{self, Shape, from_transitions};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use crate::tests::judge_unbroken;
use crate::{Evidence, FlowProof, Rejection};

const ACTIONS: &[&str] = &["a", "b", "c", "d", "e"];

const SHAPE: Shape = Shape { components: 4, states: 3, actions: ACTIONS, operators: false, ..Shape::FULL };

fn judge(network: &Network, goal: usize, threads: &[usize], kept: &[usize]) -> Result<(), Rejection> {
    let proof = FlowProof { threads: threads.to_vec(), kept: kept.to_vec() };
    judge_unbroken(network, &[goal], Evidence::Flow(proof))
}

/// Some numbers below another one.
fn some(rng: &mut Rng, below: usize) -> Vec<usize> {
    (0..below).filter(|_| rng.chance(1, 2)).collect()
}

#[test]
fn nothing_is_accepted_that_fails_whatever_is_forgotten() {
    let (mut accepted, mut refused, mut broken, mut few) = (0, 0, 0, 0);
    for seed in seeds(6000) {
        let mut rng = Rng::new(seed);
        let parts = 2 + rng.below(3);
        let component = |rng: &mut Rng| Component::new("M", networks::component(rng, &SHAPE));
        let mut components: Vec<Component> = (0..parts).map(|_| component(&mut rng)).collect();
        components.push(Component::new("P", networks::property(&mut rng, 3, ACTIONS)));
        let is_hidden = rng.chance(1, 3);
        let network = Network::new(components).with_hidden(|name| is_hidden && name == "a");
        let fails = breaks(&network, &[parts]);
        let (threads, kept) = match rng.chance(1, 3) {
            // The order of threads is all that is known.
            true => ((0..parts).collect(), Vec::new()),
            false => (some(&mut rng, parts), some(&mut rng, parts)),
        };
        let judgement = judge(&network, parts, &threads, &kept);
        assert!(!fails || judgement.is_err(), "seed {seed}: {threads:?} {kept:?}");
        match (fails, judgement) {
            (true, _) => broken += 1,
            (false, Ok(())) => {
                accepted += 1;
                few += usize::from(kept.len() < parts);
            }
            (false, Err(_)) => refused += 1,
        }
        // With every component kept, nothing is forgotten but what has failed.
        let all: Vec<usize> = (0..parts).collect();
        let can_fail = network.components()[..parts].iter().any(|it| it.lts.error().is_some());
        if !can_fail {
            assert_eq!(judge(&network, parts, &threads, &all).is_ok(), !fails, "seed {seed}: {threads:?}");
        }
    }
    println!("broken {broken}, accepted {accepted}, of these {few} with less than all, refused {refused}");
    let enough = broken > 500 && accepted > 500 && few > 300 && refused > 20;
    assert!(enough || is_single_seed(), "{broken} {accepted} {few} {refused}");
}

/// Two threads that meet twice by `r`, and one of them does `x` in between: `x` comes after the first meeting.
fn meeting() -> Network {
    let first = from_transitions(4, &[(0, "r", 1), (1, "x", 2), (2, "s", 3)]);
    let second = from_transitions(3, &[(0, "r", 1), (1, "s", 2)]);
    let order = rely_lts::operators::complete(&from_transitions(4, &[(0, "r", 1), (1, "x", 2), (2, "s", 3)]));
    let components = [("A", first), ("B", second), ("ORDER", order)];
    Network::new(components.map(|(name, lts)| Component::new(name, lts)).to_vec())
}

#[test]
fn meetings_put_steps_in_order() {
    let network = meeting();
    assert_eq!(judge(&network, 2, &[0, 1], &[]), Ok(()));
    // Without the second thread, or without any, more is possible than the order allows.
    assert_eq!(judge(&network, 2, &[0], &[]), Ok(()));
    assert!(judge(&network, 2, &[1], &[]).is_err());
    assert!(judge(&network, 2, &[], &[]).is_err());
    assert_eq!(judge(&network, 2, &[], &[0]), Ok(()));
}

#[test]
fn components_play_one_part() {
    let network = meeting();
    for (threads, kept) in [(&[0, 0][..], &[][..]), (&[2], &[]), (&[0, 7], &[]), (&[], &[2]), (&[], &[1, 1])]
    {
        let judgement = judge(&network, 2, threads, kept);
        assert_eq!(judgement, Err(Rejection::BadGroups("flow".to_owned())), "{threads:?} {kept:?}");
    }
}

/// Three threads meet by `k`, which nobody else sees; after it one of them does what must not be done.
#[test]
fn what_three_threads_do_together_is_not_forgotten() {
    let beside = from_transitions(1, &[(0, "k", 0)]);
    let worker = from_transitions(3, &[(0, "a", 1), (1, "k", 2), (2, "b", 0)]);
    let never = rely_lts::operators::complete(&from_transitions(2, &[(0, "a", 0), (1, "b", 1)]));
    let parts = [("A", beside.clone()), ("B", beside), ("WORKER", worker), ("NEVER", never)];
    let network = Network::new(parts.map(|(name, lts)| Component::new(name, lts)).to_vec());
    assert!(breaks(&network, &[3]));
    for threads in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        assert!(judge(&network, 3, &threads, &[]).is_err(), "{threads:?}");
    }
}

/// Threads that go round, meet all together by actions that nobody else sees, and are watched in between.
#[test]
fn meetings_of_many_threads_are_judged_as_they_are() {
    let (mut accepted, mut broken) = (0, 0);
    for seed in seeds(3000) {
        let mut rng = Rng::new(seed);
        let own = ["x", "y", "z"];
        let thread = |rng: &mut Rng, name: &'static str| {
            let states = 2 + rng.below(3);
            let label = |rng: &mut Rng| *rng.pick(&["k", "l", name, name]);
            let mut steps: Vec<_> = (0..states).map(|at| (at, label(rng), (at + 1) % states)).collect();
            steps.push((rng.below(states), label(rng), rng.below(states)));
            Component::new(name, from_transitions(states, &steps))
        };
        let mut components: Vec<Component> = own.iter().map(|name| thread(&mut rng, name)).collect();
        components.push(Component::new("P", networks::property(&mut rng, 3, &own)));
        let network = Network::new(components);
        let fails = breaks(&network, &[3]);
        let judgement = judge(&network, 3, &[0, 1, 2], &[]);
        assert!(!fails || judgement.is_err(), "seed {seed}");
        broken += usize::from(fails);
        accepted += usize::from(judgement.is_ok());
    }
    println!("broken {broken}, accepted {accepted}");
    assert!((broken > 300 && accepted > 300) || is_single_seed(), "{broken} {accepted}");
}
