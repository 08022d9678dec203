//! A minimal automaton cannot be distinguished from the original by partners, specifications or implementations.

use std::collections::BTreeSet;

use rely_base::{Budget, Id, StateId};
use rely_interface::minimise;
use rely_lts::equivalence::{self, Equivalence};
use rely_lts::operators::trim;
use rely_lts::{InterfaceAutomaton, Lts, Role};
use rely_testkit::interfaces::{self, Shape, Signature, from_marked};
use rely_testkit::naive::equivalence::receptive_branching;
use rely_testkit::naive::interface as naive;
use rely_testkit::rng::{Rng, is_single_seed, seeds};

fn smallest(automaton: &InterfaceAutomaton) -> InterfaceAutomaton {
    minimise(automaton, &Budget::UNLIMITED).expect("there is no limit")
}

/// Minimisation modulo observational equivalence, which is wrong.
fn observed(automaton: &InterfaceAutomaton) -> InterfaceAutomaton {
    let lts = equivalence::minimise(automaton.lts(), Equivalence::Weak, &Budget::UNLIMITED);
    let role = |name: &str| automaton.role_named(name).expect("the alphabet is the same");
    InterfaceAutomaton::with_roles(lts.expect("there is no limit"), role)
}

/// An automaton with many silent steps, so that there is something to join.
fn random(rng: &mut Rng, signature: &Signature, states: usize) -> InterfaceAutomaton {
    let percent = 30 + rng.below(60);
    let automaton = interfaces::automaton(rng, signature, &Shape { states, percent, ..Shape::ANY });
    if rng.chance(1, 3) {
        return automaton;
    }
    // What is hidden becomes silent.
    let hidden: BTreeSet<String> = automaton.names(Role::Internal).names().map(str::to_owned).collect();
    let lts = rely_lts::operators::hide(automaton.lts(), |name| hidden.contains(name));
    let role = |name: &str| automaton.role_named(name).expect("it was there before");
    InterfaceAutomaton::with_roles(lts, role)
}

/// What partners, specifications and implementations see of an automaton.
fn answers(
    automaton: &InterfaceAutomaton,
    partner: &InterfaceAutomaton,
    constraints: &[Lts],
    other: &InterfaceAutomaton,
) -> Vec<bool> {
    let mut answers = Vec::new();
    for inputs in [false, true] {
        for eventually in [false, true] {
            let parts = [automaton.clone(), partner.clone()];
            let found = naive::distance_to_illegal_under(&parts, constraints, inputs, eventually);
            answers.push(found.is_none());
        }
    }
    for after in [false, true] {
        answers.push(naive::refines(automaton, other, after));
        answers.push(naive::refines(other, automaton, after));
    }
    answers
}

#[test]
fn nobody_can_tell_the_minimal_automaton_from_the_original() {
    let names = ["a", "b", "c", "d"];
    let (mut smaller, mut told, mut kinds) = (0, 0, BTreeSet::new());
    for seed in seeds(2500) {
        let mut rng = Rng::new(seed);
        let open = rng.chance(1, 2);
        let mut signatures = interfaces::signatures(&mut rng, 2, &names, open);
        signatures[0].push(("h".to_owned(), Role::Internal));
        let automaton = random(&mut rng, &signatures[0], 5);
        let partner = random(&mut rng, &signatures[1], 3);
        let constrained: Signature = names.iter().map(|name| ((*name).to_owned(), Role::Internal)).collect();
        let constraint = random(&mut rng, &constrained, 2).into_lts();
        let constraints = if rng.chance(1, 3) { vec![constraint] } else { Vec::new() };
        let same: Signature =
            signatures[0].iter().filter(|(_, role)| *role != Role::Internal).cloned().collect();
        let other = random(&mut rng, &same, 3);
        // Something close to the automaton is more likely to refine it, or to be refined.
        let other = if rng.chance(1, 2) { other } else { observed(&automaton) };
        let minimal = smallest(&automaton);
        let expected = answers(&automaton, &partner, &constraints, &other);
        assert_eq!(answers(&minimal, &partner, &constraints, &other), expected, "seed {seed}");
        smaller += usize::from(minimal.lts().state_count() < trim(automaton.lts()).state_count());
        told += usize::from(answers(&observed(&automaton), &partner, &constraints, &other) != expected);
        kinds.extend(expected.into_iter().enumerate());
    }
    assert!(
        is_single_seed() || (smaller > 500 && told > 50 && kinds.len() == 16),
        "{smaller} {told} {kinds:?}"
    );
}

#[test]
fn it_has_a_state_for_each_class() {
    for seed in seeds(1500) {
        let mut rng = Rng::new(seed);
        let signature = interfaces::signature(&["a", "b"], &["x"], &["h"]);
        let automaton = random(&mut rng, &signature, 7);
        let role = |name: &str| automaton.role_named(name).expect("the alphabet is the same");
        let trimmed = InterfaceAutomaton::with_roles(trim(automaton.lts()), role);
        let related = receptive_branching(&trimmed);
        let first = |state: usize| related[state].iter().position(|&is_related| is_related);
        let classes: BTreeSet<Option<usize>> = (0..related.len()).map(first).collect();
        let minimal = smallest(&automaton);
        assert_eq!(minimal.lts().state_count(), classes.len(), "seed {seed}");
        assert_eq!(smallest(&minimal), minimal, "seed {seed}: it is minimal already");
        for role in [Role::Input, Role::Output, Role::Internal] {
            assert_eq!(minimal.names(role), automaton.names(role), "seed {seed}");
        }
    }
}

/// The smallest example: an input that is taken after a silent step only.
#[test]
fn a_silent_step_before_an_input_is_kept() {
    let automaton = from_marked(3, &[(0, "h;", 1), (1, "h;", 2), (2, "call?", 0)], &[]);
    let hidden = rely_lts::operators::hide(automaton.lts(), |name| name == "h");
    let automaton = InterfaceAutomaton::with_roles(hidden, |_| Role::Input);
    let caller = from_marked(1, &[(0, "call!", 0)], &[]);
    let illegal =
        |part: InterfaceAutomaton| naive::distance_to_illegal(&[part, caller.clone()], false, false);
    assert_eq!(smallest(&automaton).lts().state_count(), 2);
    assert_eq!(illegal(smallest(&automaton)), Some(0));
    assert_eq!(observed(&automaton).lts().state_count(), 1);
    assert_eq!(illegal(observed(&automaton)), None);
}

/// The name of the mark is not taken from the user.
#[test]
fn an_action_may_have_any_name() {
    let automaton = from_marked(2, &[(0, "changes!", 1), (1, "changes_?", 0)], &["changes__;"]);
    assert_eq!(smallest(&automaton).lts().transition_count(), 2);
    assert_eq!(smallest(&automaton).lts().initial(), StateId::from_index(0));
}

/// END is observed, and an error is kept apart.
#[test]
fn ends_and_errors_are_kept() {
    let mut builder = rely_lts::LtsBuilder::with_states(["a"].into_iter().collect(), 3);
    let [start, end, stuck] = [0, 1, 2].map(StateId::from_raw);
    let action = rely_base::Label::visible(builder.alphabet_mut().intern("a"));
    builder.set_end(Some(end));
    builder.add_transition(start, action, end);
    builder.add_transition(start, action, stuck);
    let error = builder.error_state();
    builder.add_transition(stuck, rely_base::Label::TAU, error);
    let automaton = InterfaceAutomaton::new(builder.build(), vec![Role::Output]);
    let minimal = smallest(&automaton);
    assert_eq!(minimal.lts().state_count(), 4);
    assert!(minimal.lts().end().is_some() && minimal.lts().error().is_some());
}
