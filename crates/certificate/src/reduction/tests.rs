//! Proofs by reduction and their judge: small ones made by hand, and random ones, good and bad, whose judgement is computed
//! a second time from the definition.

use std::collections::{BTreeMap, BTreeSet};

use rely_base::{Alphabet, Id, Label, StateId};
use rely_lts::{Component, ComponentId, Lts, LtsBuilder, Network, operators};
use rely_testkit::naive::product::{NaiveProduct, Tuple, breaks, error_in};
use rely_testkit::networks::{self, Shape, from_transitions};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use crate::tests::judge_unbroken;
use crate::{
    Abstraction, Certificate, Claim, Evidence, Property, ReductionProof, ReductionStep, Rejection,
    StateTable, Table,
};

const ACTIONS: &[&str] = &["a", "b", "c"];

fn network(systems: Vec<Lts>) -> Network {
    Network::new(systems.into_iter().map(|lts| Component::new("M", lts)).collect())
}

fn judge(network: &Network, proof: &ReductionProof) -> Result<(), Rejection> {
    judge_unbroken(network, &proof.goal, Evidence::Reduction(proof.clone()))
}

/// A table of rows in any order.
fn table(width: usize, rows: impl IntoIterator<Item = Vec<u32>>) -> Table {
    let rows: BTreeSet<Vec<u32>> = rows.into_iter().collect();
    let mut table = StateTable::new(width, 0);
    rows.into_iter().for_each(|row| table.push(row));
    table.encode()
}

fn replace<const N: usize, const W: usize>(
    pieces: [usize; N],
    by: &Lts,
    relation: &[[u32; W]],
) -> ReductionStep {
    let relation = table(W, relation.iter().map(|row| row.to_vec()));
    ReductionStep::Replace { pieces: pieces.to_vec(), by: Abstraction::of(by), relation }
}

/// A lock, a user, a lamp, and the property that what is taken is not taken again.
fn example() -> Network {
    let turns = operators::complete(&from_transitions(2, &[(0, "take", 1), (1, "give", 0)]));
    let user = from_transitions(3, &[(0, "take", 1), (1, "look", 2), (2, "give", 0)]);
    let lamp = from_transitions(2, &[(0, "on", 1), (1, "off", 0)]);
    network(vec![turns, user, lamp])
}

/// The user without what only the user sees, then together with the property: nothing can fail.
fn example_proof() -> ReductionProof {
    let blind = from_transitions(2, &[(0, "take", 1), (1, "give", 0)]);
    let nothing = LtsBuilder::with_states(Alphabet::new(), 1).build();
    let steps = vec![
        replace([1], &blind, &[[0, 0], [1, 1], [2, 1]]),
        // The mark for giving up comes after the only state.
        replace([0, 3], &nothing, &[[0, 0, 1], [1, 1, 1]]),
    ];
    ReductionProof { goal: vec![0], parts: vec![1], steps }
}

fn bad_step(judgement: &Result<(), Rejection>) -> (usize, String) {
    match judgement {
        Err(Rejection::BadStep { number, what }) => (*number, what.clone()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_reduction_by_hand() {
    let (network, proof) = (example(), example_proof());
    assert_eq!(judge(&network, &proof), Ok(()));
    let certificate = Certificate::new(vec![Claim::new(
        "S",
        &network,
        &Property::Unbroken { name: "P", components: &[ComponentId::from_index(0)], observers: &[] },
        Evidence::Reduction(proof),
    )]);
    let mut text = Vec::new();
    certificate.write(&mut text).expect("a vector can be written to");
    assert_eq!(Certificate::from_json(&text), Ok(certificate));
}

#[test]
fn what_is_wrong_with_a_step_is_said() {
    let (network, proof) = (example(), example_proof());
    let with = |change: &dyn Fn(&mut Vec<ReductionStep>)| {
        let mut wrong = proof.clone();
        change(&mut wrong.steps);
        judge(&network, &wrong)
    };
    let says = |change: &dyn Fn(&mut Vec<ReductionStep>)| bad_step(&with(change));
    let never = |action: &str, piece| ReductionStep::Never { action: action.to_owned(), piece };
    assert_eq!(with(&|steps| steps.truncate(1)), Err(Rejection::MayFail { piece: 0 }));
    assert_eq!(says(&|steps| steps.insert(0, never("on", 7))), (1, "there is no piece 7".into()));
    assert_eq!(says(&|steps| steps.insert(0, never("on", 1))), (1, "piece 1 does not know on".into()));
    assert_eq!(says(&|steps| steps.insert(0, never("take", 1))), (1, "piece 1 can do take".into()));
    let idle = |action: &str| ReductionStep::Idle { action: action.to_owned() };
    assert_eq!(says(&|steps| steps.insert(0, idle("take"))), (1, "piece 0 is changed by take".into()));
    assert_eq!(with(&|steps| steps.insert(0, idle("on"))), Ok(()), "the lamp is left out");
    assert_eq!(
        says(&|steps| steps.push(steps[0].clone())),
        (3, "piece 1 is left out, or has been replaced".into())
    );
    fn nth(steps: &mut [ReductionStep], i: usize) -> (&mut Vec<usize>, &mut Abstraction, &mut Table) {
        match &mut steps[i] {
            ReductionStep::Replace { pieces, by, relation } => (pieces, by, relation),
            ReductionStep::Never { .. } | ReductionStep::Idle { .. } => panic!("it replaces"),
        }
    }
    assert_eq!(says(&|steps| nth(steps, 0).0.clear()), (1, "it replaces nothing".into()));
    assert_eq!(says(&|steps| nth(steps, 0).0.push(1)), (1, "piece 1 is there twice".into()));
    assert_eq!(
        says(&|steps| nth(steps, 0).1.alphabet.push("shout".to_owned())),
        (1, "its result knows shout, which none of its pieces does".into())
    );
    // To see what the user does in between is to refuse it here.
    assert_eq!(
        says(&|steps| nth(steps, 0).1.alphabet.push("look".to_owned())),
        (1, "its result does not follow look from state (1)".into())
    );
    assert_eq!(
        says(&|steps| nth(steps, 0).1.alphabet.push("take".to_owned())),
        (1, "an action is twice in the alphabet of its result".into())
    );
    assert_eq!(
        says(&|steps| nth(steps, 0).1.error = Some(2)),
        (1, "the error state of its result is none of its states".into())
    );
    assert_eq!(
        says(&|steps| nth(steps, 0).1.states = 9),
        (1, "its result has no states, or states that no transition leads to".into())
    );
    for transition in [[2, 1, 0], [0, 3, 0], [0, 1, 2]] {
        let added = || table(3, [vec![0, 1, 1], vec![1, 2, 0], transition.to_vec()]);
        let (number, what) = says(&|steps| nth(steps, 0).1.transitions = added());
        assert!(number == 1 && what.starts_with("its result has no transition"), "{what}");
    }
    let (number, what) = says(&|steps| nth(steps, 0).1.error = Some(1));
    assert_eq!((number, &*what), (1, "its result has no transition 1 2 0"), "nothing happens after an error");
    let relations: [(&[[u32; 2]], &str); 5] = [
        (&[[1, 1], [2, 1]], "its relation lacks the initial states"),
        (&[[0, 0], [1, 1]], "its result does not follow look from state (1)"),
        (&[[0, 0], [1, 1], [2, 0]], "its result does not follow look from state (1)"),
        (&[[0, 0], [1, 1], [2, 1], [3, 0]], "its relation has state (3), which is no proper state"),
        (&[[0, 0], [1, 1], [2, 1], [2, 3]], "its relation has 3, which is no proper state of its result"),
    ];
    for (rows, reason) in relations {
        let rows = || table(2, rows.iter().map(|row| row.to_vec()));
        assert_eq!(says(&|steps| *nth(steps, 0).2 = rows()), (1, reason.into()));
    }
    // The user must not be given up: that would leave out everything, and the property could not fail any more.
    let rows = || table(2, [vec![0, 2], vec![1, 2], vec![2, 2]]);
    assert_eq!(
        says(&|steps| *nth(steps, 0).2 = rows()),
        (1, "it leaves out what cannot fail, but another piece can fail".into())
    );
    let with_parts =
        |parts: &[usize]| judge(&network, &ReductionProof { parts: parts.to_vec(), ..proof.clone() });
    assert_eq!(with_parts(&[2, 1]), Ok(()), "a part more does no harm");
    assert_eq!(bad_step(&with_parts(&[2])), (1, "piece 1 is left out, or has been replaced".into()));
    let groups = |what: &str| Err(Rejection::BadGroups(what.to_owned()));
    assert_eq!(with_parts(&[1, 0]), groups("M is there twice"));
    assert_eq!(with_parts(&[1, 3]), groups("the target has no component 3"));
    let mut other = proof.clone();
    other.goal = vec![1];
    other.parts = vec![0];
    assert_eq!(judge_unbroken(&network, &[0], Evidence::Reduction(other)), Err(Rejection::AnotherGoal));
}

#[test]
fn who_is_never_ready_keeps_the_others_from_failing() {
    // The guard knows `push` and never does it; the property fails by it.
    let mut guard = LtsBuilder::with_states(["push", "wait"].into_iter().collect(), 1);
    let wait = Label::visible(guard.alphabet().get("wait").expect("it is there"));
    guard.add_transition(StateId::from_raw(0), wait, StateId::from_raw(0));
    let mut fragile = LtsBuilder::with_states(["push"].into_iter().collect(), 1);
    let error = fragile.error_state();
    fragile.add_transition(StateId::from_raw(0), Label::visible(Id::from_index(0)), error);
    let network = network(vec![guard.build(), fragile.build()]);
    let nothing = LtsBuilder::with_states(Alphabet::new(), 1).build();
    let never = ReductionStep::Never { action: "push".to_owned(), piece: 0 };
    let calm = replace([1], &nothing, &[[0, 1]]);
    let proof = |steps| ReductionProof { goal: vec![1], parts: vec![0], steps };
    assert_eq!(judge(&network, &proof(vec![never, calm.clone()])), Ok(()));
    assert_eq!(
        bad_step(&judge(&network, &proof(vec![calm]))),
        (1, "its result does not follow push from state (0)".into())
    );
}

/// The pieces of a random proof, as the test sees them, and whether everything so far is right.
struct Forger {
    pieces: Vec<Option<Lts>>,
    steps: Vec<ReductionStep>,
    is_right: bool,
}

impl Forger {
    fn new(network: &Network, goal: &[usize]) -> Self {
        let piece = |(i, component): (usize, &Component)| {
            let keeps_error = goal.contains(&i);
            let mut builder =
                LtsBuilder::with_states(component.lts.alphabet().clone(), component.lts.state_count());
            builder.set_initial(component.lts.initial());
            builder.set_error(component.lts.error().filter(|_| keeps_error));
            for t in component.lts.transitions() {
                builder.add_transition(t.source, t.label, t.target);
            }
            Some(builder.build())
        };
        let pieces = network.components().iter().enumerate().map(piece).collect();
        Self { pieces, steps: Vec::new(), is_right: true }
    }

    /// Leaves components out; the parts that stay.
    fn leave_out(&mut self, rng: &mut Rng, goal: &[usize]) -> Vec<usize> {
        let others: Vec<usize> = self.live().into_iter().filter(|i| !goal.contains(i)).collect();
        let (kept, lost): (Vec<usize>, Vec<usize>) = others.into_iter().partition(|_| rng.chance(3, 4));
        lost.into_iter().for_each(|i| self.pieces[i] = None);
        kept
    }

    /// An action that changes nothing; now and then one that does.
    fn idle(&mut self, rng: &mut Rng) {
        let action = (*rng.pick(ACTIONS)).to_owned();
        let moves = |lts: &Lts| {
            lts.alphabet().get(&action).map(Label::visible).is_some_and(|label| {
                lts.transitions().any(|step| step.label == label && step.source != step.target)
            })
        };
        let is_idle = !self.pieces.iter().flatten().any(moves);
        if !is_idle && !rng.chance(1, 12) {
            return;
        }
        self.is_right &= is_idle;
        for lts in self.pieces.iter_mut().flatten() {
            *lts = operators::restrict(lts, |name| name == action);
        }
        self.steps.push(ReductionStep::Idle { action });
    }

    fn live(&self) -> Vec<usize> {
        (0..self.pieces.len()).filter(|&i| self.pieces[i].is_some()).collect()
    }

    fn can_fail(&self, except: &[usize]) -> bool {
        let has_error = |&i: &usize| self.pieces[i].as_ref().is_some_and(|lts| lts.error().is_some());
        self.live().iter().filter(|i| !except.contains(i)).any(has_error)
    }

    /// An action of a piece that does not occur; now and then one that does.
    fn never(&mut self, rng: &mut Rng) {
        let piece = *rng.pick(&self.live());
        let lts = self.pieces[piece].clone().expect("it is live");
        let occurs = |name: &&str| {
            lts.transitions().any(|t| t.label.action().is_some_and(|a| lts.alphabet().name(a) == *name))
        };
        let careless = rng.chance(1, 12);
        let candidates: Vec<&str> = lts.alphabet().names().filter(|name| careless || !occurs(name)).collect();
        if candidates.is_empty() {
            return;
        }
        let action = (*rng.pick(&candidates)).to_owned();
        self.is_right &= !occurs(&&*action);
        for lts in self.pieces.iter_mut().flatten() {
            *lts = operators::restrict(lts, |name| name == action);
        }
        self.steps.push(ReductionStep::Never { action, piece });
    }

    /// Replaces one or two pieces by something that may or may not do what they do.
    fn replace(&mut self, rng: &mut Rng) {
        let mut live = self.live();
        let mut pieces = Vec::new();
        for _ in 0..(1 + rng.below(2)).min(live.len()) {
            pieces.push(live.swap_remove(rng.below(live.len())));
        }
        let systems = pieces.iter().map(|&i| self.pieces[i].clone().expect("it is live")).collect();
        let network = network(systems);
        let product = NaiveProduct::new(&network);
        let result = abstraction(rng, &network, &product);
        let may_give_up = !self.can_fail(&pieces);
        let careless = rng.chance(1, 12);
        let (relation, is_right) = greatest_relation(&network, &product, &result, may_give_up || careless);
        self.is_right &= is_right;
        if careless && !may_give_up {
            let (modest, _) = greatest_relation(&network, &product, &result, false);
            self.is_right &= modest == relation;
        }
        let by = Abstraction::of(&result);
        self.steps.push(ReductionStep::Replace { pieces: pieces.clone(), by, relation });
        pieces.iter().for_each(|&i| self.pieces[i] = None);
        self.pieces.push(Some(result));
    }
}

/// The product with some actions hidden, some states merged, and perhaps something left out.
fn abstraction(rng: &mut Rng, network: &Network, product: &NaiveProduct) -> Lts {
    let names = network.alphabet().names().filter(|_| rng.chance(2, 3));
    let mut builder = LtsBuilder::new(names.collect());
    let states = if rng.chance(1, 4) { 1 } else { 1 + rng.below(product.moves.len()) };
    (0..states).for_each(|_| _ = builder.add_state());
    let mut classes: BTreeMap<&Tuple, StateId> = BTreeMap::new();
    for (i, tuple) in product.moves.keys().enumerate() {
        let class = if states > product.moves.len() / 2 { i % states } else { rng.below(states) };
        let class = match error_in(network, tuple) {
            Some(_) => builder.error_state(),
            None if *tuple == product.initial => StateId::from_index(0),
            None => StateId::from_index(class),
        };
        classes.insert(tuple, class);
    }
    let leaves_out = rng.chance(1, 2);
    for (tuple, moves) in &product.moves {
        for (action, target) in moves {
            let name = action.map(|action| network.alphabet().name(action));
            let label = name.and_then(|name| builder.alphabet().get(name)).map_or(Label::TAU, Label::visible);
            if !(leaves_out && rng.chance(1, 4)) {
                builder.add_transition(classes[tuple], label, classes[target]);
            }
        }
    }
    // States that cannot be reached are of no use.
    operators::trim(&builder.build())
}

/// The greatest set of pairs that satisfies the conditions on steps, and whether it suffices: all pairs at first, then
/// those are taken away that have no answer.
fn greatest_relation(
    network: &Network,
    product: &NaiveProduct,
    result: &Lts,
    may_give_up: bool,
) -> (Table, bool) {
    let given_up = result.state_count();
    let proper = |&image: &usize| result.error() != Some(StateId::from_index(image));
    let images: Vec<usize> = (0..given_up + usize::from(may_give_up)).filter(proper).collect();
    let tuples = product.moves.keys().filter(|tuple| error_in(network, tuple).is_none());
    let mut pairs: BTreeSet<(Tuple, usize)> =
        tuples.flat_map(|tuple| images.iter().map(|&image| (tuple.clone(), image))).collect();
    let stands = |pairs: &BTreeSet<(Tuple, usize)>, tuple: &Tuple, state: StateId| {
        result.error() == Some(state) || pairs.contains(&(tuple.clone(), state.index()))
    };
    let is_answered = |pairs: &BTreeSet<(Tuple, usize)>, (tuple, image): &(Tuple, usize)| {
        product.moves[tuple].iter().all(|(action, target)| {
            if pairs.contains(&(target.clone(), given_up)) {
                return true;
            }
            if *image == given_up {
                return false;
            }
            let name = action.map(|action| network.alphabet().name(action));
            let label = name.and_then(|name| result.alphabet().get(name)).map_or(Label::TAU, Label::visible);
            let state = StateId::from_index(*image);
            let mut answers = result.transitions().filter(|t| t.source == state && t.label == label);
            label.is_tau() && stands(pairs, target, state) || answers.any(|t| stands(pairs, target, t.target))
        })
    };
    loop {
        let (kept, lost): (BTreeSet<_>, BTreeSet<_>) =
            pairs.iter().cloned().partition(|pair| is_answered(&pairs, pair));
        pairs = kept;
        if lost.is_empty() {
            break;
        }
    }
    let initial = &product.initial;
    let suffices = stands(&pairs, initial, result.initial())
        || may_give_up && pairs.contains(&(initial.clone(), given_up));
    let row = |(tuple, image): &(Tuple, usize)| -> Vec<u32> {
        let image = u32::try_from(*image).expect("few states");
        tuple.iter().map(|state| state.raw()).chain([image]).collect()
    };
    (table(network.components().len() + 1, pairs.iter().map(row)), suffices)
}

/// Random proofs, many of them wrong: the judge accepts exactly what the definition does, and then the claim is true.
#[test]
fn what_is_accepted_is_true() {
    let (mut accepted, mut broken) = (0, 0);
    for seed in seeds(6000) {
        let rng = &mut Rng::new(seed);
        let shape = Shape { components: 3, states: 3, actions: ACTIONS, operators: false, ..Shape::FULL };
        let systems = (0..2 + rng.below(2)).map(|_| networks::component(rng, &shape)).collect();
        let network = network(systems);
        let goal: Vec<usize> = if rng.chance(1, 4) { vec![0, 1] } else { vec![0] };
        let mut forger = Forger::new(&network, &goal);
        let parts = forger.leave_out(rng, &goal);
        for _ in 0..1 + rng.below(4) {
            match rng.below(6) {
                0 => forger.never(rng),
                1 => forger.idle(rng),
                _ => forger.replace(rng),
            }
        }
        let expected = forger.is_right && !forger.can_fail(&[]);
        let proof = ReductionProof { goal: goal.clone(), parts, steps: forger.steps };
        let judgement = judge(&network, &proof);
        assert_eq!(judgement.is_ok(), expected, "seed {seed}: {judgement:?}");
        let is_broken = breaks(&network, &goal);
        assert!(!(expected && is_broken), "seed {seed}: a false claim was accepted");
        accepted += usize::from(expected);
        broken += usize::from(is_broken);
    }
    assert!((accepted > 300 && broken > 300) || is_single_seed(), "{accepted} accepted, {broken} broken");
}
