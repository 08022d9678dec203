//! The parts of the judge on their own: composition against its naive twin, tables, and each rule of evidence with the
//! smallest evidence that breaks it. That what the engine makes is accepted is tested where it is made.

use std::collections::BTreeSet;

use rely_base::{ActionId, Budget, Id, Label, Limits, StateId};
use rely_lts::{Component, ComponentId, Lts, LtsBuilder, Network, Rank};
use rely_omega::{Assertion, AtomId, AtomSet, Fairness, Fluent, Formula, Proposition};
use rely_testkit::naive::product::{NaiveProduct, error_in, is_terminated};
use rely_testkit::networks::{self, Shape, from_transitions};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use crate::semantics::network::Composition;
use crate::{
    Assumption, Certificate, Choice, Claim, Evidence, InterfaceProof, Malformed, Property, Rejection,
    StateTable, Table, Violations, check, closed,
};

const ANY: Budget<'static> = Budget::UNLIMITED;

#[test]
fn composition_is_as_defined() {
    let (mut ends, mut errors) = (0, 0);
    for seed in seeds(3000) {
        let network = networks::network(&mut Rng::new(seed), &Shape::FULL);
        let composition = Composition::new(&network);
        let naive = NaiveProduct::new(&network);
        let raw = |tuple: &[StateId]| tuple.iter().map(|state| state.raw()).collect::<Vec<u32>>();
        assert_eq!(composition.initial(), raw(&naive.initial), "seed {seed}");
        for (tuple, moves) in &naive.moves {
            let mut found: BTreeSet<(Option<ActionId>, Vec<u32>)> = BTreeSet::new();
            let visited = composition.steps(&raw(tuple), &mut |action, target| {
                found.insert((action, target.to_vec()));
                Ok::<(), ()>(())
            });
            assert_eq!(visited, Ok(()));
            let expected = moves.iter().map(|(action, target)| (*action, raw(target))).collect();
            assert_eq!(found, expected, "seed {seed}, {tuple:?}");
            assert_eq!(composition.failed(&raw(tuple)), error_in(&network, tuple), "seed {seed}, {tuple:?}");
            errors += usize::from(error_in(&network, tuple).is_some());
            if moves.is_empty() && error_in(&network, tuple).is_none() {
                let end = is_terminated(&network, tuple);
                assert_eq!(composition.is_end(&raw(tuple)), end, "seed {seed}, {tuple:?}");
                ends += usize::from(end);
            }
        }
    }
    assert!(ends > 50 && errors > 100 || is_single_seed(), "too few to mean anything: {ends}, {errors}");
}

fn random_table(rng: &mut Rng) -> StateTable {
    let (key, notes) = (rng.below(5), rng.below(3));
    let most = *rng.pick(&[2, 200, 70_000, u32::MAX as usize]);
    let rows: BTreeSet<Vec<usize>> =
        (0..rng.below(30)).map(|_| (0..key).map(|_| rng.below(most)).collect()).collect();
    let mut table = StateTable::new(key, notes);
    for row in rows.into_iter().rev() {
        let cells: Vec<usize> = row.into_iter().chain((0..notes).map(|_| rng.below(most))).collect();
        table.push(cells.into_iter().map(|cell| u32::try_from(cell).unwrap()));
    }
    table.sort();
    table
}

#[test]
fn tables_come_back() {
    for seed in seeds(3000) {
        let mut rng = Rng::new(seed);
        let table = random_table(&mut rng);
        let text = table.encode();
        let (key, notes) = table.row_width();
        let notes = if key == 0 && notes == 1 && rng.chance(1, 2) { 0 } else { notes };
        let read = StateTable::decode(&text, key, notes, &ANY).unwrap();
        assert_eq!(read, Ok(table.clone()), "seed {seed}");
        for row in 0..table.len() {
            assert_eq!(table.find(table.key(row)), Some(row), "seed {seed}");
        }
        assert_eq!(table.find(&vec![u32::MAX; key + 1]), None);
        // Any other text is another table or none; whatever it is, it is read without harm.
        let mut data = text.data.clone();
        data.truncate(rng.below(data.len() + 1));
        let cut = Table { rows: text.rows, data };
        assert_eq!(StateTable::decode(&cut, key, notes, &ANY).unwrap().is_ok(), cut == text, "seed {seed}");
    }
}

#[test]
fn malformed_tables_are_not_read() {
    let read = |rows: usize, bytes: &[u8], key: usize, notes: usize| {
        let table = Table { rows, data: crate::base64::encode(bytes) };
        StateTable::decode(&table, key, notes, &ANY).unwrap().map(|table| table.len())
    };
    assert_eq!(read(2, &[0, 1, 0, 2], 1, 0), Ok(2));
    assert_eq!(read(3, &[0, 1, 0, 2], 1, 0), Err(Malformed::WrongLength));
    assert_eq!(read(2, &[0, 1, 0], 1, 0), Err(Malformed::WrongLength));
    assert_eq!(read(2, &[0, 2, 0, 1], 1, 0), Err(Malformed::NotSorted));
    assert_eq!(read(2, &[0, 1, 0, 1], 1, 0), Err(Malformed::NotSorted));
    assert_eq!(
        read(2, &[0, 1, 7, 1, 8], 1, 1),
        Err(Malformed::NotSorted),
        "the notes are not part of the key"
    );
    assert_eq!(read(2, &[0, 1, 1], 1, 0), Err(Malformed::NotSorted));
    assert_eq!(read(1, &[1, 1], 1, 0), Err(Malformed::BadNumber));
    assert_eq!(read(2, &[0, 1, 9, 1], 1, 0), Err(Malformed::BadNumber));
    assert_eq!(read(1, &[0, 0xff, 0xff, 0xff, 0xff, 0x1f], 1, 0), Err(Malformed::BadNumber));
    assert_eq!(read(1, &[0, 0xff, 0xff, 0xff, 0xff, 0xff, 0], 1, 0), Err(Malformed::BadNumber));
    assert_eq!(read(1, &[0, 0xff, 0xff, 0xff, 0xff, 0x0f], 1, 0), Ok(1));
    let table = Table { rows: 0, data: "?".to_owned() };
    assert_eq!(StateTable::decode(&table, 1, 0, &ANY), Ok(Err(Malformed::NotBase64)));
}

fn alone(lts: Lts) -> Network {
    Network::new(vec![Component::new("M", lts)])
}

fn table(key: usize, rows: &[&[u32]]) -> Table {
    let mut table = StateTable::new(key, rows.first().map_or(0, |row| row.len() - key));
    rows.iter().for_each(|row| table.push(row.iter().copied()));
    table.encode()
}

/// Judges states of one component as an invariant, or with ranks.
fn judge(network: &Network, property: &Property<'_>, rows: &[&[u32]]) -> Result<(), Rejection> {
    let states = table(1, rows);
    let evidence = match property {
        Property::Deadlock | Property::Safety => Evidence::Invariant { states },
        _ => Evidence::Ranks { states },
    };
    check(&Claim::new("T", network, property, evidence), network, property, &ANY)
}

/// The components with these numbers.
pub(crate) fn ids(numbers: &[usize]) -> Vec<ComponentId> {
    numbers.iter().map(|&number| ComponentId::from_index(number)).collect()
}

/// The judgement of evidence for the claim that no component of the goal fails, unless something has failed before.
pub(crate) fn judge_unbroken(network: &Network, goal: &[usize], evidence: Evidence) -> Result<(), Rejection> {
    judge_beside(network, goal, &[], evidence)
}

/// The judgement of evidence for the claim that no component of the goal fails, where observers are set aside.
pub(crate) fn judge_beside(
    network: &Network,
    goal: &[usize],
    observers: &[usize],
    evidence: Evidence,
) -> Result<(), Rejection> {
    let (components, observers) = (ids(goal), ids(observers));
    let property = Property::Unbroken { name: "P", components: &components, observers: &observers };
    check(&Claim::new("S", network, &property, evidence), network, &property, &ANY)
}

/// 0 –a→ 1 –b→ 0, and 0 –fail→ π if asked.
fn two_states(fails: bool) -> Network {
    let mut builder = LtsBuilder::with_states(["a", "b", "fail"].into_iter().collect(), 2);
    let state = StateId::from_raw;
    builder.add_transition(state(0), Label::visible(ActionId::from_raw(0)), state(1));
    builder.add_transition(state(1), Label::visible(ActionId::from_raw(1)), state(0));
    if fails {
        let error = builder.error_state();
        builder.add_transition(state(0), Label::visible(ActionId::from_raw(2)), error);
    }
    alone(builder.build())
}

#[test]
fn invariants() {
    let (sound, failing) = (two_states(false), two_states(true));
    let stuck = alone(from_transitions(2, &[(0, "a", 1)]));
    let all: &[&[u32]] = &[&[0], &[1]];
    assert_eq!(judge(&sound, &Property::Safety, all), Ok(()));
    assert_eq!(judge(&sound, &Property::Deadlock, all), Ok(()));
    assert_eq!(judge(&failing, &Property::Deadlock, all), Ok(()));
    assert!(matches!(judge(&failing, &Property::Safety, all), Err(Rejection::Fails { .. })));
    assert!(matches!(judge(&stuck, &Property::Deadlock, all), Err(Rejection::Stuck(_))));
    assert_eq!(judge(&stuck, &Property::Safety, all), Ok(()));
    let ended = {
        let mut builder = LtsBuilder::with_states(["a"].into_iter().collect(), 2);
        builder.add_transition(
            StateId::from_raw(0),
            Label::visible(ActionId::from_raw(0)),
            StateId::from_raw(1),
        );
        builder.set_end(Some(StateId::from_raw(1)));
        alone(builder.build())
    };
    assert_eq!(judge(&ended, &Property::Deadlock, all), Ok(()));
    assert_eq!(judge(&sound, &Property::Safety, &[&[1]]), Err(Rejection::InitialMissing));
    assert_eq!(judge(&sound, &Property::Safety, &[]), Err(Rejection::InitialMissing));
    assert!(matches!(judge(&sound, &Property::Safety, &[&[0]]), Err(Rejection::NotClosed { .. })));
    assert!(matches!(judge(&sound, &Property::Safety, &[&[0], &[1], &[2]]), Err(Rejection::NoState(_))));
    assert!(matches!(judge(&failing, &Property::Deadlock, &[&[0], &[1], &[2]]), Err(Rejection::NoState(_))));
}

#[test]
fn a_network_that_starts_in_error() {
    let mut builder = LtsBuilder::with_states(["a"].into_iter().collect(), 0);
    let error = builder.error_state();
    builder.set_initial(error);
    let network = alone(builder.build());
    let actions = ["a".to_owned()];
    let progress = Property::Progress { name: "P", condition: None, actions: &actions };
    assert_eq!(judge(&network, &Property::Deadlock, &[]), Ok(()));
    assert_eq!(judge(&network, &Property::Divergence, &[]), Ok(()));
    for property in [Property::Safety, progress, Property::EveryAction] {
        let judgement = judge(&network, &property, &[]);
        assert!(matches!(judgement, Err(Rejection::Fails { state: None, .. })), "{judgement:?}");
    }
}

#[test]
fn ranks_of_progress() {
    let network = two_states(false);
    let (a, b, none) = (["a".to_owned()], ["b".to_owned()], ["fail".to_owned()]);
    let judge = |condition: Option<&[String]>, actions: &[String], ranks: [u32; 2]| {
        let property = Property::Progress { name: "P", condition, actions };
        judge(&network, &property, &[&[0, ranks[0]], &[1, ranks[1]]])
    };
    assert_eq!(judge(None, &b, [2, 1]), Ok(()));
    assert_eq!(judge(None, &a, [7, 8]), Ok(()));
    assert!(matches!(judge(None, &b, [1, 1]), Err(Rejection::RankNotDecreasing(_))));
    assert!(matches!(judge(None, &b, [1, 0]), Err(Rejection::NotAGoal(_))));
    assert!(matches!(judge(None, &none, [2, 1]), Err(Rejection::RankNotDecreasing(_))));
    assert_eq!(judge(Some(&none), &none, [0, 0]), Ok(()));
    assert!(matches!(judge(Some(&none), &none, [0, 1]), Err(Rejection::NotAGoal(_))));
    assert!(matches!(judge(Some(&a), &none, [0, 0]), Err(Rejection::NotAGoal(_))));
    assert!(matches!(judge(Some(&b), &none, [0, 0]), Err(Rejection::NotAGoal(_))));
}

#[test]
fn ranks_of_every_action() {
    let fine = alone(from_transitions(2, &[(0, "a", 1), (1, "b", 0)]));
    let lost = alone(from_transitions(2, &[(0, "a", 1), (1, "b", 1)]));
    let judge =
        |network, ranks: [u32; 2]| judge(network, &Property::EveryAction, &[&[0, ranks[0]], &[1, ranks[1]]]);
    assert_eq!(judge(&fine, [0, 1]), Ok(()));
    assert_eq!(judge(&fine, [0, 0]), Ok(()));
    assert!(matches!(judge(&fine, [1, 1]), Err(Rejection::RankNotDecreasing(_))));
    assert!(matches!(judge(&lost, [1, 0]), Err(Rejection::ActionLost { .. })));
    assert!(matches!(judge(&lost, [0, 1]), Err(Rejection::RankNotDecreasing(_))));
    // The states have to be closed even where the search for actions ends early.
    let long = alone(from_transitions(3, &[(0, "a", 0), (0, "a", 1), (1, "a", 2)]));
    let judgement = self::judge(&long, &Property::EveryAction, &[&[0, 0], &[1, 0]]);
    assert!(matches!(judgement, Err(Rejection::NotClosed { .. })), "{judgement:?}");
}

#[test]
fn ranks_of_divergence() {
    let network = two_states(false).with_hidden(|name| name == "a");
    let judge =
        |network, ranks: [u32; 2]| judge(network, &Property::Divergence, &[&[0, ranks[0]], &[1, ranks[1]]]);
    assert_eq!(judge(&network, [1, 0]), Ok(()));
    assert!(matches!(judge(&network, [1, 1]), Err(Rejection::RankNotDecreasing(_))));
    assert!(matches!(judge(&network, [0, 1]), Err(Rejection::RankNotDecreasing(_))));
    let mut builder = LtsBuilder::with_states(["a"].into_iter().collect(), 2);
    for (source, target) in [(0, 1), (1, 0)] {
        builder.add_transition(StateId::from_raw(source), Label::TAU, StateId::from_raw(target));
    }
    let silent = alone(builder.build());
    assert!(judge(&silent, [1, 0]).is_err(), "a step of a component may be silent itself");
    let all = network.clone().with_hidden(|_| true);
    for ranks in [[0, 0], [1, 0], [0, 1]] {
        assert!(matches!(judge(&all, ranks), Err(Rejection::RankNotDecreasing(_))));
    }
}

/// An assertion about an action.
fn about(action: &str, formula: impl Fn(Formula) -> Formula) -> Assertion {
    Assertion {
        name: "A".to_owned(),
        formula: formula(Formula::Atom(AtomId::from_raw(0))),
        propositions: vec![Proposition::Action(vec![action.to_owned()])],
        extension: Vec::new(),
    }
}

fn judge_assertion(network: &Network, assertion: &Assertion, tables: Vec<Table>) -> Result<(), Rejection> {
    let property = Property::Assertion { assertion, fairness: Fairness::Choice };
    let claim = Claim::new("T", network, &property, Evidence::Automata { conjuncts: tables });
    check(&claim, network, &property, &ANY)
}

/// Rows of a product with a network of one component and no fluents: a state of the automaton, one of the component, a
/// class and a rank.
fn product(rows: &[(&[u32], u32, u32, u32)]) -> Table {
    let mut table = StateTable::new(rows.first().map_or(1, |row| row.0.len() + 1), 2);
    for (automaton, place, class, rank) in rows {
        table.push(automaton.iter().copied().chain([*place, *class, *rank]));
    }
    table.sort();
    table.encode()
}

#[test]
fn runs_that_stop() {
    // 0 –a→ 1, where nothing is possible; b is on a transition that is not reachable.
    let network = alone(from_transitions(3, &[(0, "a", 1), (2, "b", 2)]));
    // <>b is violated while []!b is the obligation, and stuttering in 1 is without b.
    let rows: &[(&[u32], u32, u32, u32)] = &[(&[1], 0, 1, 0), (&[1], 1, 0, 0)];
    let judgement = judge_assertion(&network, &about("b", Formula::eventually), vec![product(rows)]);
    assert!(matches!(judgement, Err(Rejection::StopsInViolation(_))), "{judgement:?}");
    // []!a cannot be kept up after a.
    let eventually = about("a", Formula::eventually);
    assert_eq!(judge_assertion(&network, &eventually, vec![product(&rows[..1])]), Ok(()));
    for rows in [&rows[1..], &[]] {
        let judgement = judge_assertion(&network, &eventually, vec![product(rows)]);
        assert_eq!(judgement, Err(Rejection::InitialMissing));
    }
}

#[test]
fn classes_and_ranks_of_assertions() {
    // []<>b on one state with a and b. First <>[]!b is the obligation, then []!b.
    let network = alone(from_transitions(1, &[(0, "a", 0), (0, "b", 0)]));
    let recurs = about("b", |b| b.eventually().always());
    let automaton = &Violations::of(&recurs.formula)[0];
    let waiting = automaton.initial();
    let seen: Vec<u32> = waiting.iter().map(|bit| 1 - bit).collect();
    assert_eq!((automaton.width(), automaton.until_count()), (2, 1));
    let verdict = |first: [u32; 2], second: [u32; 2]| {
        let rows = [(&*waiting, 0, first[0], first[1]), (&*seen, 0, second[0], second[1])];
        judge_assertion(&network, &recurs, vec![product(&rows)])
    };
    assert_eq!(verdict([1, 0], [0, 0]), Ok(()));
    assert_eq!(verdict([5, 3], [2, 0]), Ok(()));
    assert!(matches!(verdict([0, 0], [1, 0]), Err(Rejection::ClassIncreases(_))));
    assert!(matches!(verdict([1, 0], [0, 1]), Err(Rejection::RankNotDecreasing(_))));
    // One class for all is not waiting, and covers both actions.
    assert!(matches!(verdict([0, 0], [0, 0]), Err(Rejection::NotAGoal(_))));
    let two = judge_assertion(&network, &recurs, vec![product(&[]), product(&[])]);
    assert_eq!(two, Err(Rejection::WrongEvidence));
}

#[test]
fn ranks_stay_in_their_class() {
    // <>(X !p && X !q) on a state that repeats p: false. Its negation chooses between X p and X q again and again, and
    // the choice of q leads nowhere.
    let network = alone(from_transitions(2, &[(0, "p", 0), (1, "q", 1)]));
    let atom = |number: u32| Formula::Atom(AtomId::from_raw(number)).negated().next();
    let assertion = Assertion {
        name: "A".to_owned(),
        formula: atom(0).and(atom(1)).eventually(),
        propositions: ["p", "q"].map(|name| Proposition::Action(vec![name.to_owned()])).to_vec(),
        extension: Vec::new(),
    };
    let automaton = &Violations::of(&assertion.formula)[0];
    let letter: AtomSet = [AtomId::from_raw(0)].into_iter().collect();
    let start = automaton.initial();
    let choices = automaton.choices(&start, &letter, &ANY).unwrap();
    let [one, two] = &choices[..] else { panic!("{choices:?}") };
    let goes_on = |choice: &Choice| !automaton.choices(&choice.target, &letter, &ANY).unwrap().is_empty();
    let (p, q) = if goes_on(one) { (one, two) } else { (two, one) };
    assert!(goes_on(p) && !goes_on(q));
    for rank in 0..3 {
        let rows = [(&*start, 0, 2, 0), (&*p.target, 0, 1, rank), (&*q.target, 0, 0, 0)];
        let judgement = judge_assertion(&network, &assertion, vec![product(&rows)]);
        let expected = if rank == 0 { "is no goal" } else { "does not decrease" };
        assert!(judgement.as_ref().is_err_and(|e| e.to_string().contains(expected)), "{judgement:?}");
    }
}

/// 0 –a→ 1 –b→ 0, and π by `fail` from 1 or from 0. No component does c.
fn fails_from(state: u32) -> Network {
    let mut builder = LtsBuilder::with_states(["a", "b", "fail", "c"].into_iter().collect(), 2);
    let error = builder.error_state();
    let action = |number| Label::visible(ActionId::from_raw(number));
    builder.add_transition(StateId::from_raw(0), action(0), StateId::from_raw(1));
    builder.add_transition(StateId::from_raw(1), action(1), StateId::from_raw(0));
    builder.add_transition(StateId::from_raw(state), action(2), error);
    alone(builder.build())
}

#[test]
fn assertions_beside_errors() {
    // Whatever comes after the error, a has come before b; but not if the error can come first.
    let order = about("b", Formula::negated);
    let order = Assertion {
        formula: order.formula.weak_until(Formula::Atom(AtomId::from_raw(1))),
        propositions: ["b", "a"].map(|name| Proposition::Action(vec![name.to_owned()])).to_vec(),
        ..order
    };
    let rows: &[(&[u32], u32, u32, u32)] = &[(&[1], 0, 0, 0)];
    assert_eq!(judge_assertion(&fails_from(1), &order, vec![product(rows)]), Ok(()));
    let fails = |judgement: Result<(), Rejection>, action: &str| {
        let named = matches!(&judgement, Err(Rejection::Fails { action: by, .. }) if by == action);
        assert!(named, "{judgement:?}");
    };
    fails(judge_assertion(&fails_from(0), &order, vec![product(rows)]), "fail");
    // No run does c, or never does b again; but after the error both might be.
    let rows: &[(&[u32], u32, u32, u32)] = &[(&[1], 0, 0, 0), (&[1], 1, 0, 0)];
    let never = about("c", |c| c.negated().always());
    fails(judge_assertion(&fails_from(1), &never, vec![product(rows)]), "fail");
    fails(judge_assertion(&fails_from(1), &about("b", Formula::eventually), vec![product(rows)]), "fail");
    // The error state is no state that could be among the others, and the one before it cannot be left out.
    let with_error = product(&[rows, &[(&[1], 2, 0, 0)]].concat());
    let judgement = judge_assertion(&fails_from(1), &never, vec![with_error]);
    assert!(matches!(judgement, Err(Rejection::NoState(_))), "{judgement:?}");
    let judgement = judge_assertion(&fails_from(1), &never, vec![product(&rows[..1])]);
    assert!(matches!(judgement, Err(Rejection::NotClosed { .. })), "{judgement:?}");
    // Evidence for one assertion is none for another.
    assert!(judge_assertion(&fails_from(1), &never, Vec::new()).is_err());
}

#[test]
fn fluents_and_free_actions() {
    // [](F -> !b) where `on` is free to occur: F is on after it, and b is possible: false.
    let network = alone(from_transitions(1, &[(0, "b", 0)]));
    let fluent =
        Fluent { name: "F".into(), on: vec!["on".into()], off: vec!["off".into()], initially: false };
    let (f, b) = (Formula::Atom(AtomId::from_raw(0)), Formula::Atom(AtomId::from_raw(1)));
    let assertion = |formula: Formula| Assertion {
        name: "A".to_owned(),
        formula,
        propositions: vec![Proposition::Fluent(fluent.clone()), Proposition::Action(vec!["b".to_owned()])],
        extension: vec!["walk".to_owned()],
    };
    let claimed = assertion(f.clone().implies(b.clone().negated()).always());
    let whole = closed(&network, &claimed);
    assert_eq!(whole.alphabet().names().collect::<Vec<_>>(), ["b", "on", "off", "walk"]);
    assert_eq!(whole.components().len(), 2);
    // Key: automaton, F, M, environment. The obligation is the same until F and b hold.
    let rows: [&[u32]; 2] = [&[1, 0, 0, 0, 0, 0], &[1, 1, 0, 0, 0, 0]];
    let judgement = judge_assertion(&network, &claimed, vec![table(4, &rows)]);
    assert!(matches!(judgement, Err(Rejection::NotClosed { .. })), "{judgement:?}");
    // Without b it would be true.
    let quiet = alone(from_transitions(2, &[(1, "b", 1)]));
    assert_eq!(judge_assertion(&quiet, &claimed, vec![table(4, &rows)]), Ok(()));
    assert!(judge_assertion(&quiet, &claimed, vec![table(4, &rows[..1])]).is_err());
    assert!(judge_assertion(&quiet, &claimed, vec![table(4, &rows[1..])]).is_err());
    // A fluent has no third value, and neither has an obligation.
    for strange in [[1, 2, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0], [1, 0, 2, 0, 0, 0]] {
        let judgement = judge_assertion(&quiet, &claimed, vec![table(4, &[&strange])]);
        assert!(matches!(judgement, Err(Rejection::NoState(_))), "{judgement:?}");
    }
    // `true` has no conjunct, and needs no evidence.
    assert_eq!(judge_assertion(&network, &assertion(Formula::True), Vec::new()), Ok(()));
}

#[test]
fn proofs_with_an_interface() {
    // The first fails by b before a; the second does a, then b.
    let mut fragile = LtsBuilder::with_states(["a", "b"].into_iter().collect(), 2);
    let (a, b) = (Label::visible(ActionId::from_raw(0)), Label::visible(ActionId::from_raw(1)));
    let error = fragile.error_state();
    for (source, label, target) in [(0, a, 1), (1, a, 1), (1, b, 1)] {
        fragile.add_transition(StateId::from_raw(source), label, StateId::from_raw(target));
    }
    fragile.add_transition(StateId::from_raw(0), b, error);
    let orderly = from_transitions(3, &[(0, "a", 1), (1, "b", 2)]);
    let network = Network::new(vec![
        Component::new("FIRST", fragile.build()),
        Component::new("SECOND", orderly.clone()),
    ]);
    let judge = |assumption: &Lts, inputs: &[&str], groups: [&[usize]; 2]| {
        let [first, second] = groups.map(<[usize]>::to_vec);
        let inputs = inputs.iter().map(|&input| input.to_owned()).collect();
        let proof = InterfaceProof { first, second, inputs, assumption: Assumption::of(assumption) };
        let claim = Claim::new("T", &network, &Property::Safety, Evidence::Interface(proof));
        check(&claim, &network, &Property::Safety, &ANY)
    };
    let is_false = |premise: &str, trace: &[&str]| {
        let trace = trace.iter().map(|&action| action.to_owned()).collect();
        Err(Rejection::FalsePremise { premise: premise.to_owned(), trace })
    };
    let sides: [&[usize]; 2] = [&[0], &[1]];
    assert_eq!(judge(&orderly, &[], sides), Ok(()));
    // What the second group has to take, the first must not send where the assumption does not accept it.
    assert_eq!(judge(&orderly, &["a"], sides), is_false("M1 ‖ A?", &["a", "a"]));
    assert_eq!(judge(&orderly, &["b"], sides), is_false("M1 ‖ A?", &["b"]));
    let anything = from_transitions(1, &[(0, "a", 0), (0, "b", 0)]);
    assert_eq!(judge(&anything, &[], sides), is_false("M1 ‖ A?", &["b"]));
    let nothing_more = from_transitions(2, &[(0, "a", 1)]);
    assert_eq!(judge(&nothing_more, &[], [&[0], &[1]]), is_false("M1 ‖ A?", &["b"]));
    let only_once = from_transitions(4, &[(0, "a", 1), (1, "a", 2), (2, "b", 3)]);
    assert_eq!(judge(&only_once, &[], sides), is_false("M2 ‖ A!", &["a", "b"]));
    let groups = |what: &str| Err(Rejection::BadGroups(what.to_owned()));
    assert_eq!(judge(&orderly, &[], [&[], &[1]]), groups("FIRST can fail and is in none"));
    assert_eq!(judge(&orderly, &[], [&[0], &[0]]), groups("FIRST is there twice"));
    assert_eq!(judge(&orderly, &[], [&[0], &[2]]), groups("the target has no component 2"));
    assert!(matches!(judge(&orderly, &["c"], sides), Err(Rejection::BadAssumption { .. })));
}

#[test]
fn evidence_of_another_kind_is_no_evidence() {
    let network = two_states(false);
    let states = table(1, &[&[0], &[1]]);
    let claim = Claim::new("T", &network, &Property::Safety, Evidence::Ranks { states });
    assert_eq!(check(&claim, &network, &Property::Safety, &ANY), Err(Rejection::WrongEvidence));
}

#[test]
fn a_name_and_what_it_stands_for_are_not_exchanged() {
    let network = two_states(false);
    let (actions, condition) = (["b".to_owned()], ["fail: x".to_owned()]);
    let property = Property::Progress { name: "P", condition: Some(&condition), actions: &actions };
    let evidence = Evidence::Ranks { states: table(1, &[&[0, 2], &[1, 1]]) };
    let claim = Claim::new("T", &network, &property, evidence);
    assert_eq!(check(&claim, &network, &property, &ANY), Ok(()));
    // The same words in the same order, with another name.
    let (more, rest) = claim.statement.split_once(": ").expect("an action with a colon");
    let (name, statement) = (format!("P: {more}"), rest.to_owned());
    for (name, statement) in [(name, statement), ("Q".to_owned(), claim.statement.clone())] {
        let other = Claim { property: name, statement, ..claim.clone() };
        let judgement = check(&other, &network, &property, &ANY);
        assert!(matches!(judgement, Err(Rejection::AnotherProperty { .. })), "{judgement:?}");
    }
}

#[test]
fn other_operators_are_noticed() {
    let network = two_states(false);
    let evidence = Evidence::Invariant { states: table(1, &[&[0], &[1]]) };
    let claim = Claim::new("T", &network, &Property::Safety, evidence);
    assert_eq!(check(&claim, &network, &Property::Safety, &ANY), Ok(()));
    let hidden = network.clone().with_hidden(|name| name == "a");
    let preferred = |rank| network.clone().with_priority(rank, |name| name == "a");
    for other in [hidden, preferred(Rank::High), preferred(Rank::Low)] {
        let judgement = check(&claim, &other, &Property::Safety, &ANY);
        assert!(matches!(judgement, Err(Rejection::AnotherModel(_))), "{judgement:?}");
    }
}

#[test]
fn limits_are_kept() {
    let table = {
        let mut table = StateTable::new(1, 0);
        (0..10_000).for_each(|state| table.push([state]));
        table.encode()
    };
    let budget = Budget::new(Limits { states: Some(100), bytes: None }, None);
    assert!(StateTable::decode(&table, 1, 0, &budget).is_err());
}

#[test]
fn certificates_come_back() {
    let network = two_states(true).with_hidden(|name| name == "a");
    let actions = ["a".to_owned()];
    let progress = Property::Progress { name: "P", condition: Some(&actions), actions: &actions };
    let evidence = [
        Evidence::Invariant { states: table(1, &[&[0], &[1]]) },
        Evidence::Ranks { states: table(1, &[&[0, 300], &[1, 0]]) },
        Evidence::Automata { conjuncts: vec![table(1, &[]), table(1, &[&[1, 2, 3]])] },
    ];
    let claims =
        evidence.into_iter().map(|evidence| Claim::new("T", &network, &progress, evidence)).collect();
    let certificate = Certificate::new(claims);
    let mut text = Vec::new();
    certificate.write(&mut text).unwrap();
    assert_eq!(Certificate::from_json(&text), Ok(certificate));
    for end in 0..text.len() - 1 {
        assert!(Certificate::from_json(&text[..end]).is_err(), "cut at {end}");
    }
}
