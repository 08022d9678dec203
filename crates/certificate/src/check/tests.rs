//! The judge keeps to its limits in every loop that is longer than what it reads, and looks at them often enough.

use std::sync::atomic::{AtomicUsize, Ordering};

use rely_base::{ActionId, Alphabet, Budget, Id, Label, Limits, Observer, Progress, Resource, StateId};
use rely_lts::{Component, ComponentId, InterfaceAutomaton, Lts, LtsBuilder, Network, Role};
use rely_omega::{Assertion, AtomId, Fairness, Fluent, Formula, Proposition};

use super::{check, check_refinement};
use crate::{
    Abstraction, Assumption, Claim, Evidence, InterfaceProof, Property, ReductionProof, ReductionStep,
    Refinement, Rejection, StateTable, Table, Violations,
};

/// Counts how often the judge checks the budget, and stops it after some checks.
struct Impatient {
    asked: AtomicUsize,
    most: usize,
}

impl Observer for Impatient {
    fn observe(&self, _: &Progress) -> Option<Resource> {
        (self.asked.fetch_add(1, Ordering::Relaxed) >= self.most).then_some(Resource::Time)
    }
}

/// How often the judge checks the budget if it never ends, and its answer then. With fewer checks allowed, it has to
/// stop at once, because the time is over.
fn asked(judge: impl Fn(&Budget<'_>) -> Result<(), Rejection>) -> (usize, Result<(), Rejection>) {
    let with = |most: usize| {
        let impatient = Impatient { asked: AtomicUsize::new(0), most };
        let judgement = judge(&Budget::new(Limits::default(), Some(&impatient)));
        (impatient.asked.into_inner(), judgement)
    };
    let (all, judgement) = with(usize::MAX);
    for most in [0, 1, all / 2, all - 1] {
        let (asked, stopped) = with(most);
        assert!(is_exhausted(&stopped, Resource::Time) && asked == most + 1, "{stopped:?} after {asked}");
    }
    (all, judgement)
}

fn is_exhausted(judgement: &Result<(), Rejection>, resource: Resource) -> bool {
    matches!(judgement, Err(Rejection::Exhausted(exhausted)) if exhausted.resource == resource)
}

/// Whether a judge with `bytes` bytes of memory finds them too few.
fn needs_more_than(bytes: usize, judge: impl Fn(&Budget<'_>) -> Result<(), Rejection>) -> bool {
    let budget = Budget::new(Limits { states: None, bytes: Some(bytes) }, None);
    is_exhausted(&judge(&budget), Resource::Memory)
}

fn names(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|number| format!("{prefix}{number}")).collect()
}

fn alphabet(names: &[String]) -> Alphabet {
    names.iter().map(String::as_str).collect()
}

fn state(number: usize) -> StateId {
    StateId::from_index(number)
}

fn action(number: usize) -> Label {
    Label::visible(ActionId::from_index(number))
}

fn network(systems: Vec<Lts>) -> Network {
    Network::new(systems.into_iter().map(|lts| Component::new("M", lts)).collect())
}

fn table(key: usize, notes: usize, rows: impl Iterator<Item = Vec<u32>>) -> Table {
    let mut table = StateTable::new(key, notes);
    rows.for_each(|row| table.push(row));
    table.sort();
    table.encode()
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("a small number")
}

/// 0 → 1 → … → 0, each step by an action of its own.
fn ring(states: usize) -> Lts {
    let mut builder = LtsBuilder::with_states(alphabet(&names("a", states)), states);
    (0..states).for_each(|i| builder.add_transition(state(i), action(i), state((i + 1) % states)));
    builder.build()
}

/// Judges the states of a component as evidence for a property.
fn judge_ranks(
    lts: &Lts,
    property: &Property<'_>,
    rank: impl Fn(usize) -> u32,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    let network = network(vec![lts.clone()]);
    let rows = (0..lts.state_count()).map(|i| vec![number(i), rank(i)]);
    let evidence = Evidence::Ranks { states: table(1, 1, rows) };
    check(&Claim::new("T", &network, property, evidence), &network, property, budget)
}

#[test]
fn searches_from_every_state() {
    // If every state is claimed to be a goal, the judge has to search from each of them.
    let judge = |budget: &Budget<'_>| judge_ranks(&ring(200), &Property::EveryAction, |_| 0, budget);
    let (asked, judgement) = asked(judge);
    assert_eq!(judgement, Ok(()));
    assert!(asked > 200 * 200 / Budget::INTERVAL, "{asked}");
    assert!(needs_more_than(2000, judge) && !needs_more_than(100_000, judge));
}

#[test]
fn actions_that_nobody_can_take() {
    // Two components refuse what the other offers, so there is nothing to do, but much to look at.
    let actions = names("a", 2000);
    let offers = |half: usize| {
        let mut builder = LtsBuilder::with_states(alphabet(&actions), 1);
        (half * 1000..(half + 1) * 1000).for_each(|i| builder.add_transition(state(0), action(i), state(0)));
        builder.build()
    };
    let mut silent = LtsBuilder::with_states(Alphabet::new(), 500);
    (0..499).for_each(|i| silent.add_transition(state(i), Label::TAU, state(i + 1)));
    let network = network(vec![offers(0), offers(1), silent.build()]);
    let rows = (0..500).map(|i| vec![0, 0, i]);
    let evidence = Evidence::Invariant { states: table(3, 0, rows) };
    let claim = Claim::new("T", &network, &Property::Safety, evidence);
    let (asked, judgement) = asked(|budget| check(&claim, &network, &Property::Safety, budget));
    assert_eq!(judgement, Ok(()));
    assert!(asked > 500 * 2 * 2000 / 16 / Budget::INTERVAL, "{asked}");
}

#[test]
fn assumptions_that_are_completed() {
    // A few lines in a certificate: as many states as actions, and each state lacks all actions but one.
    let chain = Assumption::of(&ring(1000));
    let network = network(vec![ring(1), ring(1)]);
    let proof = InterfaceProof { first: vec![0], second: vec![1], inputs: Vec::new(), assumption: chain };
    let claim = Claim::new("T", &network, &Property::Safety, Evidence::Interface(proof));
    let judge = |budget: &Budget<'_>| check(&claim, &network, &Property::Safety, budget);
    let (asked, judgement) = asked(judge);
    assert!(matches!(judgement, Err(Rejection::FalsePremise { .. })), "{judgement:?}");
    assert!(asked > 2 * 1000 * 1000 / Budget::INTERVAL, "{asked}");
    assert!(needs_more_than(1 << 20, judge));
}

#[test]
fn answers_of_a_replacement() {
    // A state with many silent steps, the last of which is the answer; it is asked for again and again.
    let many = 2000;
    let mut by = LtsBuilder::with_states(Alphabet::new(), many + 1);
    (1..=many).for_each(|i| by.add_transition(state(0), Label::TAU, state(i)));
    let mut goal = LtsBuilder::with_states(Alphabet::new(), 101);
    (1..=100).for_each(|i| goal.add_transition(state(0), Label::TAU, state(i)));
    let network = network(vec![goal.build()]);
    let last = number(many);
    let rows = (0..=100).map(|i| if i == 0 { vec![0, 0] } else { vec![i, last] });
    let step = ReductionStep::Replace {
        pieces: vec![0],
        by: Abstraction::of(&by.build()),
        relation: table(2, 0, rows),
    };
    let goal = [ComponentId::from_index(0)];
    let proof = ReductionProof { goal: vec![0], parts: Vec::new(), steps: vec![step] };
    let property = Property::Unbroken { name: "P", components: &goal, observers: &[] };
    let claim = Claim::new("T", &network, &property, Evidence::Reduction(proof));
    let (asked, judgement) = asked(|budget| check(&claim, &network, &property, budget));
    assert_eq!(judgement, Ok(()));
    assert!(asked > 100 * many / Budget::INTERVAL, "{asked}");
}

#[test]
fn steps_of_a_reduction_that_do_nothing() {
    let network = network(vec![ring(1)]);
    let goal = [ComponentId::from_index(0)];
    let steps = vec![ReductionStep::Idle { action: "nobody's".to_owned() }; 1000];
    let proof = ReductionProof { goal: vec![0], parts: Vec::new(), steps };
    let property = Property::Unbroken { name: "P", components: &goal, observers: &[] };
    let claim = Claim::new("T", &network, &property, Evidence::Reduction(proof));
    let (asked, judgement) = asked(|budget| check(&claim, &network, &property, budget));
    assert_eq!(judgement, Ok(()));
    assert!(asked > 1000, "{asked}");
}

#[test]
fn internal_steps_of_a_refinement() {
    // From each state of a long chain of internal steps all later ones can be reached.
    let states = 300;
    let mut builder = LtsBuilder::with_states(["step", "in"].into_iter().collect(), states);
    (1..states).for_each(|i| builder.add_transition(state(i - 1), action(0), state(i)));
    builder.add_transition(state(states - 1), action(1), state(states - 1));
    let role = |name: &str| if name == "in" { Role::Input } else { Role::Internal };
    let automaton = InterfaceAutomaton::with_roles(builder.build(), role);
    let one = ("A", &automaton);
    let refinement = Refinement { implementation: one, specification: one };
    let rows = (0..states).map(|i| vec![number(i), number(i)]);
    let claim = refinement.claim("A: in place of A", Evidence::Simulation { pairs: table(2, 0, rows) });
    let judge = |budget: &Budget<'_>| check_refinement(&claim, &refinement, budget);
    let (asked, judgement) = asked(judge);
    assert_eq!(judgement, Ok(()));
    assert!(asked > states * states / Budget::INTERVAL, "{asked}");
    assert!(needs_more_than(8000, judge) && !needs_more_than(1 << 20, judge));
}

#[test]
fn choices_in_many_components_at_once() {
    // Fourteen components with two ways to do the same: a single state with 2¹⁴ steps, and a rank of 0 to be looked at.
    let mut builder = LtsBuilder::with_states(["a"].into_iter().collect(), 2);
    (0..2).for_each(|source| {
        (0..2).for_each(|target| builder.add_transition(state(source), action(0), state(target)));
    });
    let network = network(vec![builder.build(); 14]);
    let assertion = Assertion {
        name: "A".to_owned(),
        formula: Formula::Atom(AtomId::from_raw(0)).eventually(),
        propositions: vec![Proposition::Action(vec!["a".to_owned()])],
        extension: Vec::new(),
    };
    // []!a is the obligation, which the first step breaks.
    let key = [vec![1], vec![0; 14], vec![0, 0]].concat();
    let evidence = Evidence::Automata { conjuncts: vec![table(15, 2, [key].into_iter())] };
    let property = Property::Assertion { assertion: &assertion, fairness: Fairness::Choice };
    let claim = Claim::new("T", &network, &property, evidence);
    let (asked, judgement) = asked(|budget| check(&claim, &network, &property, budget));
    assert_eq!(judgement, Ok(()));
    assert!(asked > 3 * (1 << 14) / Budget::INTERVAL, "{asked}");
}

/// An assertion about fluents that is always true, of a network that starts in its error state: all that is to be looked at
/// is what would follow.
fn after_an_error(fluents: usize) -> (Network, Assertion) {
    let (on, off) = (names("on", fluents), names("off", fluents));
    let mut builder = LtsBuilder::with_states(alphabet(&[on.clone(), off.clone()].concat()), 0);
    let error = builder.error_state();
    builder.set_initial(error);
    let propositions = (0..fluents).map(|i| {
        let (on, off) = (vec![on[i].clone()], vec![off[i].clone()]);
        Proposition::Fluent(Fluent { name: format!("F{i}"), on, off, initially: false })
    });
    let holds = |i: usize| Formula::Atom(AtomId::from_index(i));
    // It is always so that the first fluent holds or does not, or another one holds. The automaton waits for ever for the
    // opposite, whatever the fluents are.
    let some = (0..fluents).map(holds).fold(holds(0).negated(), Formula::or);
    let assertion = Assertion {
        name: "A".to_owned(),
        formula: some.always(),
        propositions: propositions.collect(),
        extension: Vec::new(),
    };
    (network(vec![builder.build()]), assertion)
}

#[test]
fn what_would_follow_an_error() {
    let (network, assertion) = after_an_error(10);
    let property = Property::Assertion { assertion: &assertion, fairness: Fairness::Choice };
    let conjuncts = vec![Table::default(); Violations::of(&assertion.formula).len()];
    let claim = Claim::new("T", &network, &property, Evidence::Automata { conjuncts });
    let judge = |budget: &Budget<'_>| check(&claim, &network, &property, budget);
    let (asked, judgement) = asked(judge);
    assert_eq!(judgement, Ok(()));
    assert!(asked > (1 << 10) * 20 / Budget::INTERVAL, "{asked}");
    assert!(needs_more_than(100_000, judge));
}

#[test]
fn long_texts() {
    // Rows that are not in order: it takes a while until that is found out.
    let table = Table { rows: 1, data: "A".repeat(8 << 20) };
    let network = network(vec![ring(1)]);
    let claim = Claim::new("T", &network, &Property::Safety, Evidence::Invariant { states: table });
    let judge = |budget: &Budget<'_>| check(&claim, &network, &Property::Safety, budget);
    let (asked, judgement) = asked(judge);
    assert!(matches!(judgement, Err(Rejection::Malformed(_))), "{judgement:?}");
    assert!(asked > 8, "{asked}");
    assert!(needs_more_than(1 << 20, judge));
}
