//! The equivalences against their definitions: all small systems, and random ones.

use rely_base::{Alphabet, Budget, Exhausted, Id, Label, Limits, Observer, Progress, Resource, StateId};
use rely_lts::{
    Lts, LtsBuilder,
    equivalence::{Equivalence, compare, determinise, deterministic, minimise, partition},
    operators::trim,
};
use rely_testkit::{
    generate::{Shape, Special, all_ltss, random_layered_lts, random_lts},
    naive::equivalence as naive,
    rng::{Rng, is_single_seed, seeds},
};

const BUDGET: Budget<'static> = Budget::UNLIMITED;

/// Compares the partition of every bisimilarity with its definition, on all states.
fn check_partitions(lts: &Lts, origin: &str) {
    for equivalence in
        [Equivalence::Strong, Equivalence::Branching, Equivalence::DivergenceBranching, Equivalence::Weak]
    {
        let partition = partition(lts, equivalence, &BUDGET).expect("there is no limit");
        let relation = naive::relation(lts, equivalence);
        for s in lts.states() {
            for t in lts.states() {
                assert_eq!(
                    partition.equivalent(s, t),
                    relation[s.index()][t.index()],
                    "{equivalence:?}: {s:?} and {t:?}, {origin}, of {lts:#?}"
                );
            }
        }
    }
}

/// Checks that a minimised system is equivalent to the original, has no equivalent states, and is in normal form.
fn check_minimised(lts: &Lts, equivalence: Equivalence, origin: &str) {
    let minimal = minimise(lts, equivalence, &BUDGET).expect("there is no limit");
    let context = || format!("{equivalence:?}, {origin}, of {lts:#?}\nto {minimal:#?}");
    assert!(naive::equivalent(lts, &minimal, equivalence), "not equivalent: {}", context());
    let relation = naive::relation(&minimal, equivalence);
    for (s, row) in relation.iter().enumerate() {
        for (t, &related) in row.iter().enumerate() {
            assert_eq!(related, s == t, "{s} and {t} are equivalent: {}", context());
        }
    }
    assert_eq!(trim(&minimal), minimal, "not in normal form: {}", context());
    assert_eq!(
        minimise(&minimal, equivalence, &BUDGET).expect("there is no limit"),
        minimal,
        "not minimal: {}",
        context()
    );
    assert_eq!(minimal.alphabet(), lts.alphabet());
    if matches!(equivalence, Equivalence::WeakTrace | Equivalence::Safety) {
        assert!(minimal.is_deterministic(), "not deterministic: {}", context());
    }
}

fn check_minimised_all(lts: &Lts, origin: &str) {
    for equivalence in Equivalence::ALL {
        check_minimised(lts, equivalence, origin);
    }
}

#[test]
fn all_systems_with_three_states() {
    for lts in all_ltss(3, 1, Special::NONE) {
        check_partitions(&lts, "exhaustive");
        check_minimised_all(&lts, "exhaustive");
    }
}

#[test]
fn all_systems_with_two_states_and_special_ones() {
    for special in Special::ALL {
        for lts in all_ltss(2, 1, special) {
            check_partitions(&lts, "exhaustive");
            check_minimised_all(&lts, "exhaustive");
        }
    }
}

#[test]
fn partitions_of_random_systems() {
    for seed in seeds(6000) {
        let mut rng = Rng::new(seed);
        let shape = Shape::random(&mut rng, 12);
        check_partitions(&random_lts(&mut rng, &shape), &format!("seed {seed}"));
        check_partitions(&random_layered_lts(&mut rng, &shape), &format!("layered, seed {seed}"));
    }
}

#[test]
fn partitions_of_larger_random_systems() {
    for seed in seeds(40) {
        let mut rng = Rng::new(seed);
        let shape = Shape { states: 40, transitions: 90, ..Shape::random(&mut rng, 12) };
        check_partitions(&random_lts(&mut rng, &shape), &format!("seed {seed}"));
        check_partitions(&random_layered_lts(&mut rng, &shape), &format!("layered, seed {seed}"));
    }
}

#[test]
fn minimised_random_systems() {
    for seed in seeds(4000) {
        let mut rng = Rng::new(seed);
        let shape = Shape::random(&mut rng, 7);
        check_minimised_all(&random_lts(&mut rng, &shape), &format!("seed {seed}"));
    }
}

#[test]
fn comparison_of_random_systems() {
    let mut agreements = [[0; 2]; 7];
    for seed in seeds(6000) {
        let mut rng = Rng::new(seed);
        let shape = Shape { actions: 1, ..Shape::random(&mut rng, 4) };
        let left = random_lts(&mut rng, &shape);
        let shape = Shape { actions: 1, ..Shape::random(&mut rng, 4) };
        let right = random_lts(&mut rng, &shape);
        for (i, equivalence) in Equivalence::ALL.into_iter().enumerate() {
            let answer = compare(&left, &right, equivalence, &BUDGET).expect("there is no limit");
            assert_eq!(
                answer,
                naive::equivalent(&left, &right, equivalence),
                "{equivalence:?}, seed {seed}: {left:#?} and {right:#?}"
            );
            agreements[i][usize::from(answer)] += 1;
        }
    }
    // Both answers have to occur often, or the test says little.
    let enough = agreements.iter().flatten().all(|&count| count > 100);
    assert!(enough || is_single_seed(), "{agreements:?}");
}

/// The equivalences are ordered: what is finer distinguishes more.
#[test]
fn finer_equivalences_give_larger_systems() {
    for seed in seeds(100) {
        let mut rng = Rng::new(seed);
        let shape = Shape { states: 60, transitions: 150, ..Shape::random(&mut rng, 12) };
        let lts = random_layered_lts(&mut rng, &shape);
        let size =
            |equivalence| minimise(&lts, equivalence, &BUDGET).expect("there is no limit").state_count();
        let strong = minimise(&lts, Equivalence::Strong, &BUDGET).expect("there is no limit");
        for equivalence in Equivalence::ALL {
            let direct = minimise(&lts, equivalence, &BUDGET).expect("there is no limit");
            let stepwise = minimise(&strong, equivalence, &BUDGET).expect("there is no limit");
            assert_eq!(direct.state_count(), stepwise.state_count(), "{equivalence:?}, seed {seed}");
            assert_eq!(
                direct.transition_count(),
                stepwise.transition_count(),
                "{equivalence:?}, seed {seed}"
            );
            assert!(
                compare(&lts, &direct, equivalence, &BUDGET).expect("there is no limit"),
                "{equivalence:?}, seed {seed}"
            );
        }
        assert!(strong.state_count() >= size(Equivalence::DivergenceBranching), "seed {seed}");
        assert!(size(Equivalence::DivergenceBranching) >= size(Equivalence::Branching), "seed {seed}");
        assert!(size(Equivalence::Branching) >= size(Equivalence::Weak), "seed {seed}");
    }
}

/// Without silent transitions all bisimilarities are the same: four algorithms, one answer.
#[test]
fn bisimilarities_agree_without_silent_transitions() {
    for seed in seeds(30) {
        let mut rng = Rng::new(seed);
        let shape =
            Shape { states: 2000, transitions: 3500, silent_percent: 0, ..Shape::random(&mut rng, 12) };
        let lts = random_layered_lts(&mut rng, &shape);
        let strong = minimise(&lts, Equivalence::Strong, &BUDGET).expect("there is no limit");
        for equivalence in [Equivalence::Branching, Equivalence::DivergenceBranching, Equivalence::Weak] {
            let other = minimise(&lts, equivalence, &BUDGET).expect("there is no limit");
            assert_eq!(other, strong, "{equivalence:?}, seed {seed}");
        }
    }
}

#[test]
fn names_of_equivalences_are_unique() {
    for equivalence in Equivalence::ALL {
        assert_eq!(Equivalence::from_name(equivalence.name()), Some(equivalence));
    }
}

/// A system over `a` and `b` from transitions; τ is written `-`. The last state may be the end or the error state.
fn system(states: usize, transitions: &[(usize, char, usize)]) -> LtsBuilder {
    let alphabet: Alphabet = ["a", "b"].into_iter().collect();
    let mut builder = LtsBuilder::with_states(alphabet, states);
    for &(source, label, target) in transitions {
        let label = match label {
            'a' => Label::from_raw(1),
            'b' => Label::from_raw(2),
            _ => Label::TAU,
        };
        builder.add_transition(StateId::from_index(source), label, StateId::from_index(target));
    }
    builder
}

/// a.(τ.b + a) + a.b, whose last summand is redundant for weak bisimilarity and not for branching bisimilarity
/// [van Glabbeek, Weijland 1996].
#[test]
fn milners_third_law_separates_branching_from_weak() {
    let lts = system(4, &[(0, 'a', 1), (1, '-', 2), (1, 'a', 3), (2, 'b', 3), (0, 'a', 2)]).build();
    let law = system(4, &[(0, 'a', 1), (1, '-', 2), (1, 'a', 3), (2, 'b', 3)]).build();
    assert!(compare(&lts, &law, Equivalence::Weak, &BUDGET).expect("there is no limit"));
    assert!(!compare(&lts, &law, Equivalence::Branching, &BUDGET).expect("there is no limit"));
}

#[test]
fn divergence_is_a_silent_loop_after_reduction() {
    let lts = system(3, &[(0, 'a', 1), (1, '-', 2), (2, '-', 1), (1, 'b', 0)]).build();
    let minimal = minimise(&lts, Equivalence::DivergenceBranching, &BUDGET).expect("there is no limit");
    let expected = system(2, &[(0, 'a', 1), (1, '-', 1), (1, 'b', 0)]).build();
    assert_eq!(minimal, expected);
    let minimal = minimise(&lts, Equivalence::Branching, &BUDGET).expect("there is no limit");
    assert_eq!(minimal, system(2, &[(0, 'a', 1), (1, 'b', 0)]).build());
}

#[test]
fn a_set_with_the_error_state_is_the_error_state() {
    let mut builder = system(3, &[(0, 'a', 1), (0, 'a', 2), (1, 'b', 0)]);
    builder.set_error(Some(StateId::from_index(2)));
    let mut expected = system(2, &[(0, 'a', 1)]);
    expected.set_error(Some(StateId::from_index(1)));
    assert_eq!(determinise(&builder.build(), &BUDGET).expect("there is no limit"), expected.build());
}

#[test]
fn a_set_is_the_end_state_if_it_has_nothing_else() {
    let mut builder = system(4, &[(0, 'a', 3), (0, 'b', 1), (0, 'b', 3), (1, 'a', 3)]);
    builder.set_end(Some(StateId::from_index(3)));
    let mut expected = system(3, &[(0, 'a', 1), (0, 'b', 2), (2, 'a', 1)]);
    expected.set_end(Some(StateId::from_index(1)));
    assert_eq!(determinise(&builder.build(), &BUDGET).expect("there is no limit"), expected.build());
}

#[test]
fn an_error_that_is_reached_silently_is_there_from_the_start() {
    let mut builder = system(2, &[(0, '-', 1), (0, 'a', 0)]);
    builder.set_error(Some(StateId::from_index(1)));
    let automaton = determinise(&builder.build(), &BUDGET).expect("there is no limit");
    assert_eq!(automaton.error(), Some(automaton.initial()));
    assert_eq!(automaton.state_count(), 1);
}

#[test]
fn deterministic_leaves_deterministic_systems_alone() {
    let lts = system(3, &[(0, 'a', 1), (1, 'a', 2), (2, 'a', 0)]).build();
    assert_eq!(deterministic(&lts, &BUDGET).expect("there is no limit"), lts);
    let lts = system(3, &[(0, 'a', 1), (1, '-', 2), (2, 'a', 0)]).build();
    assert_eq!(deterministic(&lts, &BUDGET).expect("there is no limit"), system(1, &[(0, 'a', 0)]).build());
}

#[test]
fn safety_allows_everything_where_no_error_can_follow() {
    let mut builder = system(3, &[(0, 'a', 1), (1, 'a', 2), (1, 'b', 0)]);
    builder.set_error(Some(StateId::from_index(2)));
    let minimal = minimise(&builder.build(), Equivalence::Safety, &BUDGET).expect("there is no limit");
    // 0 and 1 as before, the sink 2, π last.
    let mut expected =
        system(4, &[(0, 'a', 1), (0, 'b', 2), (1, 'a', 3), (1, 'b', 0), (2, 'a', 2), (2, 'b', 2)]);
    expected.set_error(Some(StateId::from_index(3)));
    assert_eq!(minimal, expected.build());
    let harmless = system(2, &[(0, 'a', 1)]).build();
    let minimal = minimise(&harmless, Equivalence::Safety, &BUDGET).expect("there is no limit");
    assert_eq!(minimal, system(1, &[(0, 'a', 0), (0, 'b', 0)]).build());
}

#[test]
fn systems_with_different_alphabets_are_compared_by_name() {
    let left = system(1, &[(0, 'b', 0)]).build();
    let mut builder = LtsBuilder::with_states(["b"].into_iter().collect(), 1);
    builder.add_transition(StateId::from_index(0), Label::from_raw(1), StateId::from_index(0));
    let right = builder.build();
    for equivalence in Equivalence::ALL {
        assert!(compare(&left, &right, equivalence, &BUDGET).expect("there is no limit"), "{equivalence:?}");
    }
}

#[test]
fn every_reduction_counts_the_system_that_it_was_given() {
    let shape =
        Shape { states: 5000, actions: 3, transitions: 20_000, silent_percent: 20, special: Special::ALL[1] };
    let trimmed = random_layered_lts(&mut Rng::new(2), &shape);
    // Another state 0, from which nothing leads here: a copy has to be made.
    let mut builder = LtsBuilder::with_states(trimmed.alphabet().clone(), trimmed.state_count() + 1);
    let moved = |state: StateId| StateId::from_index(state.index() + 1);
    for transition in trimmed.transitions() {
        builder.add_transition(moved(transition.source), transition.label, moved(transition.target));
    }
    builder.set_initial(moved(trimmed.initial()));
    builder.set_error(trimmed.error().map(moved));
    builder.set_end(trimmed.end().map(moved));
    let untrimmed = builder.build();
    for (lts, times) in [(&trimmed, 1), (&untrimmed, 2)] {
        for equivalence in
            [Equivalence::Strong, Equivalence::Branching, Equivalence::DivergenceBranching, Equivalence::Weak]
        {
            let within = |bytes: usize| {
                minimise(lts, equivalence, &Budget::new(Limits { states: None, bytes: Some(bytes) }, None))
            };
            let exhausted = within(times * lts.bytes());
            assert!(
                matches!(exhausted, Err(Exhausted { resource: Resource::Memory, .. })),
                "{equivalence:?}, {times}"
            );
            assert_eq!(
                within(100 * lts.bytes()),
                minimise(lts, equivalence, &Budget::UNLIMITED),
                "{equivalence:?}"
            );
        }
    }
}

/// Stops everything.
struct Stop;

impl Observer for Stop {
    fn observe(&self, _: &Progress) -> Option<Resource> {
        Some(Resource::Cancelled)
    }
}

#[test]
fn every_reduction_honours_the_budget() {
    let mut rng = Rng::new(1);
    let shape =
        Shape { states: 5000, actions: 3, transitions: 20_000, silent_percent: 20, special: Special::ALL[1] };
    let lts = random_layered_lts(&mut rng, &shape);
    let stopped = Budget::new(Limits::default(), Some(&Stop));
    for equivalence in Equivalence::ALL {
        let cancelled = minimise(&lts, equivalence, &stopped);
        assert!(
            matches!(cancelled, Err(Exhausted { resource: Resource::Cancelled, .. })),
            "{equivalence:?}: {cancelled:?}"
        );
    }
    let few_states = Budget::new(Limits { states: Some(100), bytes: None }, None);
    let exhausted = determinise(&lts, &few_states);
    assert!(matches!(exhausted, Err(Exhausted { resource: Resource::States, .. })), "{exhausted:?}");
}
