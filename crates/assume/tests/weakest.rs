//! Weakest assumptions against their definition, and theorem 3.2 of the paper as a property.

#[path = "weakest/equality.rs"]
mod equality;
mod open;

use std::sync::Arc;

use rely_assume::{
    Algorithm, Assumption, Conjecture, Effort, Goal, Requirement, Variant, interface, learn_weakest, weakest,
};
use rely_base::{Alphabet, Budget, Id, Label, StateId};
use rely_lts::{Component, Lts, LtsBuilder, operators};
use rely_testkit::naive::assumption as naive;
use rely_testkit::networks;
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use crate::open::{ACTIONS, Open, PART, random_alphabet, rows};

#[test]
fn the_construction_gives_the_minimal_automaton_of_the_definition() {
    let mut outcomes = [0; 3];
    for seed in seeds(4000) {
        let rng = &mut Rng::new(seed);
        let open = Open::random(rng);
        let alphabet = random_alphabet(rng);
        let expected = naive::weakest(&open.all(), &alphabet.names().collect::<Vec<_>>());
        let (requirement, steps) = weakest(
            &open.components,
            &open.goal,
            &alphabet,
            Variant::Weakest,
            &Budget::UNLIMITED,
            &mut Effort::default(),
        )
        .expect("there is no limit");
        let found = requirement.assumption(&alphabet).map(|assumption| rows(&assumption));
        assert_eq!(found, expected, "seed {seed}");
        match requirement {
            Requirement::Nothing => outcomes[0] += 1,
            Requirement::Impossible => outcomes[1] += 1,
            Requirement::Assumption(assumption) => {
                outcomes[2] += 1;
                assert_eq!(steps.last, assumption.state_count(), "seed {seed}");
            }
        }
    }
    assert!(outcomes.iter().all(|&count| count > 0) || is_single_seed(), "{outcomes:?}");
}

#[test]
fn learning_gives_the_same_automaton() {
    for seed in seeds(1000) {
        let rng = &mut Rng::new(seed);
        let open = Open::random(rng);
        let alphabet = random_alphabet(rng);
        let expected = naive::weakest(&open.all(), &alphabet.names().collect::<Vec<_>>());
        for algorithm in Algorithm::ALL {
            let (mut effort, mut conjectures) = (Effort::default(), Vec::new());
            let requirement = learn_weakest(
                &open.components,
                &open.goal,
                &alphabet,
                algorithm,
                &Budget::UNLIMITED,
                (&mut effort, &mut conjectures),
            )
            .expect("there is no limit");
            let assumption = requirement.assumption(&alphabet);
            are_refuted_rightly(&conjectures, assumption.as_ref());
            assert_eq!(conjectures.len(), effort.conjectures, "seed {seed}, {algorithm:?}");
            let found = assumption.map(|assumption| rows(&assumption));
            assert_eq!(found, expected, "seed {seed}, {algorithm:?}");
        }
    }
}

/// All conjectures but the last are wrong about a word, and in the way that is told.
fn are_refuted_rightly(conjectures: &[Conjecture], right: Option<&Assumption>) {
    let allows = |assumption: Option<&Assumption>, word: &[String]| {
        let Some(lts) = assumption.map(Assumption::lts) else { return false };
        let step = |state: StateId, name: &String| match lts.alphabet().get(name) {
            Some(action) => lts.edges_with(state, Label::visible(action)).first().map(|edge| edge.target),
            None => Some(state),
        };
        word.iter().try_fold(lts.initial(), step).is_some()
    };
    for (place, conjecture) in conjectures.iter().enumerate() {
        match &conjecture.counterexample {
            None => assert_eq!(place + 1, conjectures.len(), "what is accepted is the last"),
            Some(word) => {
                assert_eq!(allows(conjecture.assumption.as_ref(), word), conjecture.is_too_weak);
                assert_ne!(allows(right, word), conjecture.is_too_weak);
            }
        }
    }
}

/// Theorem 3.2: E ⊨ A if and only if E ‖ T ⊨ P, for every environment E.
#[test]
fn an_environment_meets_the_assumption_exactly_if_the_property_holds_in_it() {
    let mut meets = [0; 2];
    for seed in seeds(4000) {
        let rng = &mut Rng::new(seed);
        let open = Open::random(rng);
        let environment =
            vec![Component { name: "E".into(), lts: Arc::new(networks::component(rng, &PART)) }];
        let alphabet = interface(&open.components, &open.goal, &environment);
        let (requirement, _) = weakest(
            &open.components,
            &open.goal,
            &alphabet,
            Variant::Weakest,
            &Budget::UNLIMITED,
            &mut Effort::default(),
        )
        .expect("there is no limit");
        let all = [open.all(), environment.clone()].concat();
        let fails = match requirement.assumption(&alphabet) {
            None => true,
            Some(assumption) => naive::fails(&[environment, vec![assumption.property("A")]].concat()),
        };
        meets[usize::from(!fails)] += 1;
        assert_eq!(fails, naive::fails(&all), "seed {seed}");
    }
    assert!(meets.iter().all(|&count| count > 0) || is_single_seed(), "{meets:?}");
}

/// Section 3.4: what is allowed neither breaks the property nor leaves a component stuck that may choose by itself, in
/// secret, what to do next; and nothing else is forbidden.
#[test]
fn the_deadlock_free_form_forbids_what_leads_to_a_stuck_component() {
    let mut outcomes = [0; 3];
    for seed in seeds(12000) {
        let rng = &mut Rng::new(seed);
        let open = Open::random(rng);
        // Most components are stuck at once if much is hidden.
        let alphabet: Alphabet = ACTIONS.iter().filter(|_| rng.chance(7, 8)).collect();
        let ask = |variant| {
            let budget = &Budget::UNLIMITED;
            let (requirement, _) =
                weakest(&open.components, &open.goal, &alphabet, variant, budget, &mut Effort::default())
                    .expect("there is no limit");
            requirement.assumption(&alphabet)
        };
        let found = ask(Variant::DeadlockFree);
        let names: Vec<&str> = alphabet.names().collect();
        let expected = naive::deadlock_free(&open.all(), open.components.len(), &names);
        assert_eq!(found.as_ref().map(rows), expected, "seed {seed}");
        match (found, ask(Variant::Weakest)) {
            (Some(found), Some(weakest)) => {
                assert!(found.dfa().is_included_in(&weakest.dfa()), "seed {seed}");
                outcomes[usize::from(found.dfa() != weakest.dfa())] += 1;
            }
            (None, Some(_)) => outcomes[2] += 1,
            (found, None) => assert!(found.is_none(), "seed {seed}"),
        }
    }
    assert!(outcomes.iter().all(|&count| count > 200) || is_single_seed(), "{outcomes:?}");
}

/// `C = (a -> END | b -> C)`: what the property goes on with does not matter to a component that has ended.
#[test]
fn who_has_ended_is_not_stuck() {
    let interface: Alphabet = ["a", "b", "c"].into_iter().collect();
    let mut component = LtsBuilder::with_states(["a", "b"].into_iter().collect(), 2);
    let [start, end] = [0, 1].map(StateId::from_index);
    let label = |name| Label::visible(interface.get(name).expect("a name of the interface"));
    component.add_transition(start, label("a"), end);
    component.add_transition(start, label("b"), start);
    let deadlock_free = |component: Lts, property: &[(usize, &str, usize)]| {
        let components = [Component { name: "C".into(), lts: Arc::new(component) }];
        let property = operators::complete(&networks::from_transitions(2, property));
        let goal = Goal::property(Component { name: "P".into(), lts: Arc::new(property) });
        let (variant, budget) = (Variant::DeadlockFree, &Budget::UNLIMITED);
        let (requirement, _) =
            weakest(&components, &goal, &interface, variant, budget, &mut Effort::default())
                .expect("there is no limit");
        requirement.assumption(&interface).map(|assumption| rows(&assumption).rows)
    };
    let stopped = component.clone().build();
    component.set_end(Some(end));
    let ended = component.build();
    // The property has an action of its own, which may always occur, or it does not.
    let with_its_own: &[_] = &[(0, "a", 1), (0, "c", 0), (1, "c", 1)];
    let [first, own] = [Some(0), None];
    assert_eq!(deadlock_free(ended.clone(), with_its_own), Some(vec![vec![first; 3]]));
    assert_eq!(deadlock_free(ended, &[(0, "a", 1)]), Some(vec![vec![first; 3]]));
    assert_eq!(deadlock_free(stopped.clone(), with_its_own), Some(vec![vec![own, first, first]]));
    assert_eq!(deadlock_free(stopped, &[(0, "a", 1)]), Some(vec![vec![own, first, first]]));
}
