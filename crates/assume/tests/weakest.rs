//! Weakest assumptions against their definition, and theorem 3.2 of the paper as a property.

use std::sync::Arc;

use rely_assume::{
    Algorithm, Assumption, Effort, Goal, Requirement, Variant, interface, learn_weakest, weakest,
};
use rely_base::{Alphabet, Budget, Id, Label};
use rely_lts::Component;
use rely_testkit::naive::assumption::{self as naive, NaiveAssumption};
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

const ACTIONS: &[&str] = &["a", "b", "c", "d", "e"];

const PART: Shape = Shape { components: 3, states: 3, errors: false, ..Shape::FULL };

/// An open system: its components, its goal, and what its environment may share with it.
struct Open {
    components: Vec<Component>,
    goal: Goal,
}

impl Open {
    fn random(rng: &mut Rng) -> Self {
        let count = 1 + rng.below(3);
        let part = |i| Component { name: format!("M{i}"), lts: Arc::new(networks::component(rng, &PART)) };
        let components = (0..count).map(part).collect();
        let property = networks::property(rng, 3, ACTIONS);
        Self { components, goal: Goal::property(Component { name: "P".into(), lts: Arc::new(property) }) }
    }

    fn all(&self) -> Vec<Component> {
        self.components.iter().chain(&self.goal.components).cloned().collect()
    }
}

fn random_alphabet(rng: &mut Rng) -> Alphabet {
    ACTIONS.iter().filter(|_| rng.chance(1, 2)).collect()
}

fn rows(assumption: &Assumption) -> NaiveAssumption {
    let lts = assumption.lts();
    let row = |state| {
        let next = |(action, _)| {
            lts.edges_with(state, Label::visible(action)).first().map(|edge| edge.target.index())
        };
        lts.alphabet().iter().map(next).collect()
    };
    NaiveAssumption { rows: lts.states().map(row).collect() }
}

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
            let requirement = learn_weakest(
                &open.components,
                &open.goal,
                &alphabet,
                algorithm,
                &Budget::UNLIMITED,
                &mut Effort::default(),
            )
            .expect("there is no limit");
            let found = requirement.assumption(&alphabet).map(|assumption| rows(&assumption));
            assert_eq!(found, expected, "seed {seed}, {algorithm:?}");
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

/// Section 3.4: what is allowed neither breaks the property nor leaves the component stuck, and nothing else is
/// forbidden. For a deterministic component all of whose actions are in the interface, that is a simple fixed point.
#[test]
fn the_deadlock_free_form_forbids_what_leads_to_a_stuck_component() {
    const SINGLE: Shape = Shape { states: 4, silent: false, ..PART };
    let mut different = 0;
    for seed in seeds(6000) {
        let rng = &mut Rng::new(seed);
        let component = networks::component(rng, &SINGLE);
        if !component.is_deterministic() {
            continue;
        }
        let component = Component { name: "M".into(), lts: Arc::new(component) };
        let property = networks::property(rng, 3, ACTIONS);
        let goal = Goal::property(Component { name: "P".into(), lts: Arc::new(property) });
        let all = [vec![component.clone()], goal.components.clone()].concat();
        let alphabet: Alphabet = all.iter().flat_map(|component| component.lts.alphabet().names()).collect();
        let ask = |variant| {
            let components = std::slice::from_ref(&component);
            let budget = &Budget::UNLIMITED;
            let (requirement, _) =
                weakest(components, &goal, &alphabet, variant, budget, &mut Effort::default())
                    .expect("there is no limit");
            requirement.assumption(&alphabet)
        };
        let found = ask(Variant::DeadlockFree);
        let expected = naive::deadlock_free(&all, &alphabet.names().collect::<Vec<_>>());
        assert_eq!(found.as_ref().map(rows), expected, "seed {seed}");
        let weakest = ask(Variant::Weakest);
        if let (Some(found), Some(weakest)) = (found, weakest) {
            assert!(found.dfa().is_included_in(&weakest.dfa()), "seed {seed}");
            different += usize::from(found.dfa() != weakest.dfa());
        }
    }
    assert!(different > 100 || is_single_seed(), "{different}");
}
