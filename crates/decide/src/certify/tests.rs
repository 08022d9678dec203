//! Certificates are accepted for what holds, and for nothing else.
//!
//! The truth comes from the naive twins; for temporal logic it comes from `check_ltl`, which has a twin of its own.

mod forger;
mod programs;

use std::sync::Arc;

use rely_base::{Budget, Id, Label, StateId};
use rely_certificate::{Claim, Evidence, Property, Rejection, StateTable, Table, Violations, check};
use rely_lts::{BehaviourRef, Component, Lts, LtsBuilder, Network};
use rely_omega::{Assertion, AtomId, Fairness, Formula, Proposition};
use rely_testkit::naive::decide::NaiveDecisions;
use rely_testkit::naive::product::NaiveProduct;
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::Rng;

use super::certify;
use crate::check_ltl;
use crate::ltl::tests::random_assertion;

const ANY: Budget<'static> = Budget::UNLIMITED;

/// How many kinds of questions there are.
const KINDS: usize = 8;

/// A property with what it borrows.
#[derive(Clone, Debug)]
enum Question {
    Deadlock,
    Safety,
    Divergence,
    Progress(Option<Vec<String>>, Vec<String>),
    EveryAction,
    Assertion(Assertion, Fairness),
}

impl Question {
    fn property(&self) -> Property<'_> {
        match self {
            Self::Deadlock => Property::Deadlock,
            Self::Safety => Property::Safety,
            Self::Divergence => Property::Divergence,
            Self::Progress(condition, actions) => {
                Property::Progress { name: "P", condition: condition.as_deref(), actions }
            }
            Self::EveryAction => Property::EveryAction,
            Self::Assertion(assertion, fairness) => Property::Assertion { assertion, fairness: *fairness },
        }
    }

    fn random(rng: &mut Rng, actions: &[&str]) -> [Self; KINDS] {
        let mut names = || actions.iter().filter(|_| rng.chance(1, 3)).map(|&n| n.to_owned()).collect();
        let (wanted, condition): (Vec<String>, Vec<String>) = (names(), names());
        let condition = rng.chance(1, 2).then_some(condition);
        let assertion = random_assertion(rng, actions);
        [
            Self::Deadlock,
            Self::Safety,
            Self::Divergence,
            Self::Progress(condition, wanted),
            Self::EveryAction,
            Self::Assertion(assertion.clone(), Fairness::None),
            Self::Assertion(assertion.clone(), Fairness::Choice),
            Self::Assertion(assertion, Fairness::Random),
        ]
    }

    /// Whether it holds.
    fn is_true(&self, network: &Network, naive: &NaiveDecisions<'_>) -> bool {
        match self {
            Self::Deadlock => naive.deadlock().is_none(),
            Self::Safety => naive.error().is_none(),
            Self::Divergence => naive.divergence().is_none(),
            Self::Progress(condition, actions) => {
                naive.error().is_none() && naive.progress(condition.as_deref(), actions).is_none()
            }
            Self::EveryAction => naive.error().is_none() && naive.default_progress().is_none(),
            Self::Assertion(assertion, fairness) => {
                check_ltl(network, assertion, *fairness, &ANY).unwrap().decision.verdict.holds()
            }
        }
    }
}

const ACTIONS: &[&str] = &["a", "b", "c", "d", "e"];

/// Random networks of several kinds.
fn random_network(seed: u64, rng: &mut Rng) -> Network {
    match seed % 4 {
        0 => networks::network(rng, &Shape::FULL),
        1 => networks::network(rng, &Shape::FAULTLESS),
        2 => networks::network(rng, &Shape::TINY),
        _ => lively_network(rng),
    }
}

/// Two components that go round in circles, so that everything may stay possible.
fn lively_network(rng: &mut Rng) -> Network {
    let component = |rng: &mut Rng, name: &str| {
        let states = 1 + rng.below(3);
        let action = |rng: &mut Rng| *rng.pick(&ACTIONS[..3]);
        let mut transitions: Vec<_> = (0..states).map(|i| (i, action(rng), (i + 1) % states)).collect();
        for _ in 0..rng.below(3) {
            transitions.push((rng.below(states), action(rng), rng.below(states)));
        }
        Component { name: name.into(), lts: Arc::new(networks::from_transitions(states, &transitions)) }
    };
    Network::new(vec![component(rng, "M0"), component(rng, "M1")])
}

/// Random networks with few tuples, with random questions and whether they hold.
fn each_question(
    seeds: std::ops::Range<u64>,
    mut visit: impl FnMut(u64, &mut Rng, &Network, &Question, bool),
) {
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let network = random_network(seed, &mut rng);
        if NaiveProduct::new(&network).moves.len() > 24 {
            continue;
        }
        let naive = NaiveDecisions::new(&network);
        for question in Question::random(&mut rng, ACTIONS) {
            let truth = question.is_true(&network, &naive);
            visit(seed, &mut rng, &network, &question, truth);
        }
    }
}

/// Judges evidence as if it had been made for this behaviour and this question.
fn judge<'b>(
    behaviour: impl Into<BehaviourRef<'b>>,
    question: &Question,
    evidence: Evidence,
) -> Result<(), Rejection> {
    let (behaviour, property) = (behaviour.into(), question.property());
    check(&Claim::new("T", behaviour, &property, evidence), behaviour, &property, &ANY)
}

fn kind_of(question: &Question) -> usize {
    match question {
        Question::Deadlock => 0,
        Question::Safety => 1,
        Question::Divergence => 2,
        Question::Progress(..) => 3,
        Question::EveryAction => 4,
        Question::Assertion(_, Fairness::None) => 5,
        Question::Assertion(_, Fairness::Choice) => 6,
        Question::Assertion(_, Fairness::Random) => 7,
    }
}

#[test]
fn what_holds_is_accepted() {
    let mut accepted = [0; KINDS];
    each_question(0..3600, |seed, _, network, question, truth| {
        if truth {
            let evidence = certify(network, &question.property(), &ANY).unwrap();
            assert_eq!(judge(network, question, evidence), Ok(()), "seed {seed}: {question:?}");
            accepted[kind_of(question)] += 1;
        }
    });
    assert!(accepted.iter().all(|&count| count > 200), "too few to mean anything: {accepted:?}");
}

/// The tables of evidence, each with the numbers of its key and its notes.
fn tables<'b>(
    behaviour: impl Into<BehaviourRef<'b>>,
    question: &Question,
    evidence: &Evidence,
) -> Vec<StateTable> {
    let behaviour = behaviour.into();
    let components = behaviour.initial().len();
    let read = |table: &Table, key: usize, notes: usize| {
        StateTable::decode(table, key, notes, &ANY).unwrap().unwrap()
    };
    match (evidence, question) {
        (Evidence::Invariant { states }, _) => vec![read(states, components, 0)],
        (Evidence::Ranks { states }, _) => vec![read(states, components, 1)],
        (Evidence::Automata { conjuncts }, Question::Assertion(assertion, _)) => {
            let closed = match behaviour {
                BehaviourRef::Network(network) => {
                    rely_certificate::closed(network, assertion).components().len()
                }
                BehaviourRef::Program(_) => components,
            };
            let width = |violations: &Violations| violations.width() + 1 + closed;
            let automata = Violations::of(&assertion.formula);
            conjuncts
                .iter()
                .zip(&automata)
                .map(|(table, automaton)| read(table, width(automaton), 2))
                .collect()
        }
        (
            Evidence::Automata { .. }
            | Evidence::Composition(_)
            | Evidence::Flow(_)
            | Evidence::Interface(_)
            | Evidence::Reduction(_)
            | Evidence::Simulation { .. }
            | Evidence::Derivation(_)
            | Evidence::Measures { .. },
            _,
        ) => panic!("automata are for assertions, and proofs come from elsewhere"),
    }
}

fn with_tables(evidence: &Evidence, tables: &[StateTable]) -> Evidence {
    match evidence {
        Evidence::Invariant { .. } => Evidence::Invariant { states: tables[0].encode() },
        Evidence::Ranks { .. } => Evidence::Ranks { states: tables[0].encode() },
        Evidence::Automata { .. } => {
            Evidence::Automata { conjuncts: tables.iter().map(StateTable::encode).collect() }
        }
        Evidence::Composition(_)
        | Evidence::Interface(_)
        | Evidence::Reduction(_)
        | Evidence::Simulation { .. }
        | Evidence::Flow(_)
        | Evidence::Derivation(_)
        | Evidence::Measures { .. } => {
            panic!("proofs come from elsewhere")
        }
    }
}

/// The table with its rows changed or left out; the keys stay in order.
fn changed(
    table: &StateTable,
    mut change: impl FnMut(usize, &[u32], &[u32]) -> Option<Vec<u32>>,
) -> StateTable {
    let mut result = StateTable::new(table.row_width().0, table.row_width().1);
    for row in 0..table.len() {
        if let Some(notes) = change(row, table.key(row), table.notes(row)) {
            result.push(table.key(row).iter().copied().chain(notes));
        }
    }
    result
}

/// Wrong evidence of all kinds, made from what the engine gives.
fn forge(rng: &mut Rng, table: &StateTable) -> StateTable {
    let most = u32::try_from(1 + rng.below(4)).unwrap();
    let victim = rng.below(table.len().max(1));
    match rng.below(6) {
        // Leave one out.
        0 => changed(table, |row, _, notes| (row != victim).then(|| notes.to_vec())),
        // Leave some out.
        1 => changed(table, |_, _, notes| (!rng.chance(1, 4)).then(|| notes.to_vec())),
        // All notes at random.
        2 => {
            let mut note = || u32::try_from(rng.below(most as usize + 1)).unwrap();
            changed(table, |_, _, notes| Some(notes.iter().map(|_| note()).collect()))
        }
        // All notes the same.
        3 => changed(table, |_, _, notes| Some(vec![most - 1; notes.len()])),
        // One note at random.
        4 => {
            let note = u32::try_from(rng.below(most as usize + 1)).unwrap();
            let place = rng.below(2);
            changed(table, |row, _, notes| {
                let mut notes = notes.to_vec();
                if let (true, Some(old)) = (row == victim, notes.get_mut(place)) {
                    *old = note;
                }
                Some(notes)
            })
        }
        // Distinct notes.
        _ => changed(table, |row, _, notes| {
            let row = u32::try_from(row).unwrap();
            Some(notes.iter().enumerate().map(|(i, _)| if i == 0 { row } else { 0 }).collect())
        }),
    }
}

#[test]
fn what_is_false_is_rejected() {
    let mut rejected = [0; KINDS];
    each_question(0..1800, |seed, rng, network, question, truth| {
        if truth {
            return;
        }
        let honest = certify(network, &question.property(), &ANY).unwrap();
        assert!(judge(network, question, honest.clone()).is_err(), "seed {seed}: {question:?}");
        let honest_tables = tables(network, question, &honest);
        for _ in 0..12 {
            let forged: Vec<StateTable> = honest_tables.iter().map(|table| forge(rng, table)).collect();
            let evidence = with_tables(&honest, &forged);
            assert!(judge(network, question, evidence).is_err(), "seed {seed}: {question:?} {forged:?}");
        }
        rejected[kind_of(question)] += 1;
    });
    assert!(rejected.iter().all(|&count| count > 60), "too few to mean anything: {rejected:?}");
}

#[test]
fn a_missing_state_is_noticed() {
    // The reachable states are the smallest invariant, so none can be left out.
    let mut rejected = [0; KINDS];
    each_question(0..800, |seed, _, network, question, truth| {
        if !truth {
            return;
        }
        let honest = certify(network, &question.property(), &ANY).unwrap();
        let honest_tables = tables(network, question, &honest);
        for number in 0..honest_tables.len() {
            for victim in 0..honest_tables[number].len() {
                let mut forged = honest_tables.clone();
                forged[number] =
                    changed(&forged[number], |row, _, notes| (row != victim).then(|| notes.to_vec()));
                let judgement = judge(network, question, with_tables(&honest, &forged));
                let noticed =
                    matches!(judgement, Err(Rejection::InitialMissing | Rejection::NotClosed { .. }));
                assert!(noticed, "seed {seed}: {question:?} {judgement:?}");
                rejected[kind_of(question)] += 1;
            }
        }
    });
    assert!(rejected.iter().all(|&count| count > 100), "too few to mean anything: {rejected:?}");
}

#[test]
fn notes_that_break_a_rule_are_noticed() {
    let mut rejected = [0; KINDS];
    each_question(0..800, |seed, _, network, question, truth| {
        if !truth || matches!(question, Question::Deadlock | Question::Safety) {
            return;
        }
        let honest = certify(network, &question.property(), &ANY).unwrap();
        let honest_tables = tables(network, question, &honest);
        for number in 0..honest_tables.len() {
            for victim in 0..honest_tables[number].len() {
                let mut forged = honest_tables.clone();
                let key = forged[number].key(victim).to_vec();
                let start = match question {
                    Question::Assertion(assertion, _) => Violations::of(&assertion.formula)[number].initial(),
                    _ => Vec::new(),
                };
                forged[number] = changed(&forged[number], |row, _, notes| match (question, row == victim) {
                    (_, false) => Some(notes.to_vec()),
                    // Something leads here, unless it is where the product starts; nothing may lead upwards.
                    (Question::Assertion(..), _) if !key.starts_with(&start) => {
                        Some(vec![u32::MAX, notes[1]])
                    }
                    // There is no condition that could be over.
                    (Question::Progress(None, _), _) => Some(vec![0]),
                    _ => Some(notes.to_vec()),
                });
                if forged == honest_tables {
                    continue;
                }
                let judgement = judge(network, question, with_tables(&honest, &forged));
                assert!(judgement.is_err(), "seed {seed}: {question:?}");
                rejected[kind_of(question)] += 1;
            }
        }
    });
    assert!(
        rejected[3] > 100 && rejected[5..].iter().all(|&count| count > 100),
        "too few to mean anything: {rejected:?}"
    );
}

/// The network with a transition of one component left out, added, or led elsewhere.
fn mutated(rng: &mut Rng, network: &Network) -> Network {
    let victim = rng.below(network.components().len());
    let mut components = network.components().to_vec();
    components[victim].lts = Arc::new(mutated_lts(rng, &components[victim].lts));
    let mut result = Network::new(components);
    if let Some(priority) = network.priority() {
        let named = |name: &str| network.alphabet().get(name).is_some_and(|a| priority.actions[a.index()]);
        result = result.with_priority(priority.rank, named);
    }
    result.with_hidden(|name| network.alphabet().get(name).is_some_and(|action| network.is_hidden(action)))
}

fn mutated_lts(rng: &mut Rng, lts: &Lts) -> Lts {
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_error(lts.error());
    builder.set_end(lts.end());
    let mut transitions: Vec<_> = lts.transitions().collect();
    let state = |rng: &mut Rng| StateId::from_index(rng.below(lts.state_count()));
    let ends = |state: StateId| Some(state) == lts.error() || Some(state) == lts.end();
    match (rng.below(3), transitions.is_empty()) {
        (0, false) => drop(transitions.swap_remove(rng.below(transitions.len()))),
        (1, false) => {
            let place = rng.below(transitions.len());
            transitions[place].target = state(rng);
        }
        _ => {
            let label = Label::from_raw(u32::try_from(rng.below(1 + lts.alphabet().len())).unwrap());
            let (source, target) = (state(rng), state(rng));
            transitions.extend((!ends(source)).then_some(rely_lts::Transition { source, label, target }));
        }
    }
    for t in transitions {
        builder.add_transition(t.source, t.label, t.target);
    }
    builder.build()
}

#[test]
fn evidence_for_another_model_proves_nothing_that_is_false() {
    let (mut accepted, mut refuted, mut foreign) = ([0; KINDS], [0; KINDS], 0);
    each_question(0..2600, |seed, rng, network, question, truth| {
        let other = mutated(rng, network);
        if !truth || NaiveProduct::new(&other).moves.len() > 40 {
            return;
        }
        let property = question.property();
        let claim = Claim::new("T", network, &property, certify(network, &property, &ANY).unwrap());
        let same =
            (0..network.components().len()).all(|i| network.components()[i].lts == other.components()[i].lts);
        if !same {
            let judgement = check(&claim, &other, &property, &ANY);
            assert!(matches!(judgement, Err(Rejection::AnotherModel(_))), "seed {seed}: {judgement:?}");
            foreign += 1;
        }
        let naive = NaiveDecisions::new(&other);
        match judge(&other, question, claim.evidence) {
            Ok(()) => {
                assert!(question.is_true(&other, &naive), "seed {seed}: {question:?}");
                accepted[kind_of(question)] += 1;
            }
            Err(_) if !question.is_true(&other, &naive) => refuted[kind_of(question)] += 1,
            Err(_) => {}
        }
    });
    assert!(accepted.iter().all(|&count| count > 50), "too few to mean anything: {accepted:?}");
    assert!(refuted.iter().all(|&count| count > 5), "too few to mean anything: {refuted:?}");
    assert!(foreign > 500, "too few to mean anything: {foreign}");
}

#[test]
fn another_property_is_noticed() {
    let mut compared = 0;
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let network = networks::network(&mut rng, &Shape::TINY);
        let questions = Question::random(&mut rng, Shape::TINY.actions);
        let others = Question::random(&mut rng, Shape::TINY.actions);
        for (one, other) in questions.iter().flat_map(|one| others.iter().map(move |other| (one, other))) {
            let (claimed, asked) = (one.property(), other.property());
            if claimed.name() == asked.name() && claimed.statement() == asked.statement() {
                continue;
            }
            let claim = Claim::new("T", &network, &claimed, certify(&network, &claimed, &ANY).unwrap());
            let judgement = check(&claim, &network, &asked, &ANY);
            assert!(
                matches!(judgement, Err(Rejection::AnotherProperty { .. })),
                "seed {seed}: {judgement:?}"
            );
            compared += 1;
        }
    }
    assert!(compared > 1000);
}

#[test]
fn damaged_text_does_no_harm() {
    let mut unreadable = 0;
    each_question(0..300, |seed, rng, network, question, truth| {
        let mut evidence = certify(network, &question.property(), &ANY).unwrap();
        let data = match &mut evidence {
            Evidence::Invariant { states } | Evidence::Ranks { states } => &mut states.data,
            Evidence::Automata { conjuncts } => match conjuncts.first_mut() {
                Some(table) => &mut table.data,
                None => return,
            },
            Evidence::Composition(_)
            | Evidence::Flow(_)
            | Evidence::Interface(_)
            | Evidence::Reduction(_)
            | Evidence::Simulation { .. }
            | Evidence::Derivation(_)
            | Evidence::Measures { .. } => {
                panic!("proofs come from elsewhere")
            }
        };
        for _ in 0..8 {
            let before = data.clone();
            let place = rng.below(data.len() + 1);
            match rng.below(3) {
                0 => data.truncate(place),
                1 => data.insert(place, *rng.pick(&['A', '/', '7', '=', 'é'])),
                _ => data.replace_range(place.min(data.len().saturating_sub(1))..data.len(), "////"),
            }
            let damaged = data.clone();
            let claim = match question {
                Question::Deadlock | Question::Safety => {
                    let rows =
                        tables(network, question, &certify(network, &question.property(), &ANY).unwrap());
                    Evidence::Invariant { states: Table { rows: rows[0].len(), data: damaged } }
                }
                _ => break,
            };
            match judge(network, question, claim) {
                Ok(()) => assert!(truth, "seed {seed}"),
                Err(Rejection::Malformed(_)) => unreadable += 1,
                Err(_) => {}
            }
            *data = before;
        }
    });
    assert!(unreadable > 200, "{unreadable}");
}

#[test]
fn components_that_are_swapped_are_noticed() {
    let one = networks::from_transitions(2, &[(0, "a", 1), (1, "b", 0)]);
    let two = networks::from_transitions(1, &[(0, "c", 0)]);
    let component = |name: &str, lts: &Lts| Component { name: name.into(), lts: Arc::new(lts.clone()) };
    let network = |order: [(&str, &Lts); 2]| {
        Network::new(order.into_iter().map(|(name, lts)| component(name, lts)).collect())
    };
    let here = network([("ONE", &one), ("TWO", &two)]);
    let evidence = certify(&here, &Property::Deadlock, &ANY).unwrap();
    let claim = Claim::new("T", &here, &Property::Deadlock, evidence);
    assert_eq!(check(&claim, &here, &Property::Deadlock, &ANY), Ok(()));
    for there in [network([("TWO", &two), ("ONE", &one)]), network([("ONE", &two), ("TWO", &one)])] {
        let judgement = check(&claim, &there, &Property::Deadlock, &ANY);
        assert!(matches!(judgement, Err(Rejection::AnotherModel(_))), "{judgement:?}");
    }
}

#[test]
fn a_claim_is_for_one_kind_of_fairness() {
    // One state with a and b: that a comes three times in a row, again and again, is almost sure, and not fair choice's.
    let lts = networks::from_transitions(1, &[(0, "a", 0), (0, "b", 0)]);
    let network = Network::new(vec![Component::new("COIN", lts)]);
    let a = || Formula::Atom(AtomId::from_raw(0));
    let assertion = |formula| Assertion {
        name: "A".into(),
        formula,
        propositions: vec![Proposition::Action(vec!["a".into()])],
        extension: Vec::new(),
    };
    let thrice = assertion(a().and(a().and(a().next()).next()).eventually().always());
    let once = assertion(a().eventually());
    let property = |assertion, fairness| Property::Assertion { assertion, fairness };
    for (assertion, certified, weakest) in
        [(&thrice, Fairness::Random, 2), (&once, Fairness::Choice, 1), (&once, Fairness::Random, 1)]
    {
        let evidence = certify(&network, &property(assertion, certified), &ANY).unwrap();
        let claim = Claim::new("T", &network, &property(assertion, certified), evidence.clone());
        for (i, fairness) in Fairness::ALL.into_iter().enumerate() {
            let judgement = check(&claim, &network, &property(assertion, fairness), &ANY);
            match fairness == certified {
                true => assert_eq!(judgement, Ok(()), "{fairness}"),
                false => {
                    let is_another = matches!(judgement, Err(Rejection::AnotherProperty { .. }));
                    assert!(is_another, "{certified} as {fairness}: {judgement:?}");
                }
            }
            // Nor does it help to say that the evidence is for another kind, where the assertion does not hold.
            let forged = Claim::new("T", &network, &property(assertion, fairness), evidence.clone());
            let judgement = check(&forged, &network, &property(assertion, fairness), &ANY);
            assert!(i >= weakest || judgement.is_err(), "{certified} as {fairness}");
        }
    }
}
