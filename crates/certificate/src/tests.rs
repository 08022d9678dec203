//! The parts of the judge on their own: composition against its naive twin, tables, and each rule of evidence with the
//! smallest evidence that breaks it. That what the engine makes is accepted is tested where it is made.

use std::collections::BTreeSet;
use std::sync::Arc;

use rely_base::{ActionId, Budget, Label, Limits, StateId};
use rely_lts::{Component, Lts, LtsBuilder, Network};
use rely_omega::{Assertion, AtomId, Fluent, Formula, Proposition};
use rely_testkit::naive::product::{NaiveProduct, error_in, is_terminated};
use rely_testkit::networks::{self, Shape, from_transitions};
use rely_testkit::rng::Rng;

use crate::composition::Composition;
use crate::{Certificate, Claim, Evidence, Malformed, Property, Rejection, StateTable, Table, check, closed};

const ANY: Budget<'static> = Budget::UNLIMITED;

#[test]
fn composition_is_as_defined() {
    let (mut ends, mut errors) = (0, 0);
    for seed in 0..1500 {
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
    assert!(ends > 50 && errors > 100, "too few to mean anything: {ends}, {errors}");
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
    for seed in 0..3000 {
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
    Network::new(vec![Component { name: "M".to_owned(), lts: Arc::new(lts) }])
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
    let property = Property::Assertion(assertion);
    let claim = Claim::new("T", network, &property, Evidence::Automata { conjuncts: tables });
    check(&claim, network, &property, &ANY)
}

#[test]
fn runs_that_stop() {
    // <>b on 0 –a→ 1. The automaton of []!b has one state, which is accepting.
    let network = alone(from_transitions(2, &[(0, "a", 1)]));
    let rows: &[&[u32]] = &[&[0, 0, 0, 0], &[1, 1, 0, 0]];
    let eventually = about("a", Formula::eventually);
    // Before the first letter, 0; the letter a leaves the automaton no way to go on.
    assert_eq!(judge_assertion(&network, &eventually, vec![table(2, &rows[..1])]), Ok(()));
    let again = about("a", |a| a.next().eventually());
    let judgement = judge_assertion(&network, &again, vec![table(2, rows)]);
    assert!(
        matches!(judgement, Err(Rejection::StopsInViolation(_) | Rejection::NotClosed { .. })),
        "{judgement:?}"
    );
}

#[test]
fn classes_and_ranks_of_assertions() {
    // []<>b on one state with a and b. The automaton of <>[]!b: state 1 waits, state 2 has seen the last b.
    let network = alone(from_transitions(1, &[(0, "a", 0), (0, "b", 0)]));
    let recurs = about("b", |b| b.eventually().always());
    let judge = |notes: [[u32; 2]; 3]| {
        let row = |i: usize| [u32::try_from(i).unwrap(), 0, notes[i][0], notes[i][1]];
        let rows = [row(0), row(1), row(2)];
        judge_assertion(&network, &recurs, vec![table(2, &rows.each_ref().map(|row| &row[..]))])
    };
    // Which of the two states accepts is for the translation to choose; the other numbering is the mirror image.
    let orders = [|w: [u32; 2], s: [u32; 2]| [w, s], |w: [u32; 2], s: [u32; 2]| [s, w]];
    let best = orders.iter().find(|order| {
        let [one, two] = order([1, 0], [0, 0]);
        judge([[1, 0], one, two]).is_ok()
    });
    let order = best.expect("the class of the accepting state does not cover b");
    let verdict = |start: [u32; 2], waiting: [u32; 2], seen: [u32; 2]| {
        let [one, two] = order(waiting, seen);
        judge([start, one, two])
    };
    assert_eq!(verdict([1, 0], [1, 0], [0, 0]), Ok(()));
    assert_eq!(verdict([9, 0], [5, 3], [2, 0]), Ok(()));
    assert!(matches!(verdict([1, 0], [0, 0], [1, 0]), Err(Rejection::ClassIncreases(_))));
    assert!(matches!(verdict([0, 0], [1, 0], [0, 0]), Err(Rejection::ClassIncreases(_))));
    assert!(matches!(verdict([1, 0], [1, 0], [0, 1]), Err(Rejection::RankNotDecreasing(_))));
    // One class for all covers both actions, and an accepting state is in it.
    assert!(matches!(verdict([0, 0], [0, 0], [0, 0]), Err(Rejection::NotAGoal(_))));
    let two = judge_assertion(&network, &recurs, vec![table(2, &[]), table(2, &[])]);
    assert_eq!(two, Err(Rejection::WrongEvidence));
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
    // Key: automaton, F, M, environment. All states of the waiting automaton.
    let waiting: Vec<[u32; 6]> =
        [[0, 0], [1, 0], [1, 1], [2, 0], [2, 1]].map(|[automaton, f]| [automaton, f, 0, 0, 0, 0]).to_vec();
    for rows in 1..=waiting.len() {
        let rows: Vec<&[u32]> = waiting[..rows].iter().map(|row| &row[..]).collect();
        assert!(judge_assertion(&network, &claimed, vec![table(4, &rows)]).is_err());
    }
    // A fluent has no third value.
    let strange = table(4, &[&[0, 2, 0, 0, 0, 0]]);
    assert!(matches!(judge_assertion(&network, &claimed, vec![strange]), Err(Rejection::NoState(_))));
    // `true` has no conjunct, and needs no evidence.
    assert_eq!(judge_assertion(&network, &assertion(Formula::True), Vec::new()), Ok(()));
}

#[test]
fn evidence_of_another_kind_is_no_evidence() {
    let network = two_states(false);
    let states = table(1, &[&[0], &[1]]);
    let claim = Claim::new("T", &network, &Property::Safety, Evidence::Ranks { states });
    assert_eq!(check(&claim, &network, &Property::Safety, &ANY), Err(Rejection::WrongEvidence));
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
