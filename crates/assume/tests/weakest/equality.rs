//! Equality by submodule construction, against sequences that are followed one by one.

use std::collections::BTreeSet;
use std::sync::Arc;

use rely_assume::{Assumption, Effort, Requirement, Variant, equality, weakest};
use rely_base::Budget;
use rely_lts::{Component, LtsBuilder, Network, operators};
use rely_testkit::naive::product::{Tuple, initial, moves_of};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use crate::open::{Open, random_alphabet};

/// Sequences of up to this length are followed.
const LENGTH: usize = 4;

type Word = Vec<String>;

/// All sequences of visible actions that a network does, up to the length.
fn words(network: &Network, sees: impl Fn(&str) -> bool) -> BTreeSet<Word> {
    let start: BTreeSet<(Word, Tuple)> = BTreeSet::from([(Word::new(), initial(network))]);
    let (mut known, mut open) = (start.clone(), start);
    while let Some((word, tuple)) = open.pop_first() {
        for (action, target) in moves_of(network, &tuple) {
            let mut word = word.clone();
            word.extend(
                action.map(|action| network.alphabet().name(action).to_owned()).filter(|name| sees(name)),
            );
            if word.len() <= LENGTH && known.insert((word.clone(), target.clone())) {
                open.insert((word, target));
            }
        }
    }
    known.into_iter().map(|(word, _)| word).collect()
}

/// A part of an assumption: some of its transitions are left out.
fn part_of(assumption: &Assumption, rng: &mut Rng) -> Component {
    let lts = assumption.lts();
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    for transition in lts.transitions() {
        if rng.chance(3, 4) {
            builder.add_transition(transition.source, transition.label, transition.target);
        }
    }
    Component { name: "Y".to_owned(), lts: Arc::new(operators::trim(&builder.build())) }
}

#[test]
fn the_most_general_environment_decides_whether_there_is_one_for_equality() {
    let mut answers = [0; 2];
    for seed in seeds(600) {
        let rng = &mut Rng::new(seed);
        let open = Open::random(rng);
        let interface = random_alphabet(rng);
        let (budget, effort) = (Budget::UNLIMITED, &mut Effort::default());
        let (requirement, _) =
            weakest(&open.components, &open.goal, &interface, Variant::Weakest, &budget, effort)
                .expect("there is no limit");
        let assumption = match requirement {
            Requirement::Impossible => continue,
            Requirement::Nothing => None,
            Requirement::Assumption(assumption) => Some(assumption),
        };
        let decision = equality(&open.components, &open.goal, assumption.as_ref(), &budget, effort)
            .expect("runs are replayed")
            .expect("there is no limit");
        // What the goal speaks of and nobody has is free to occur.
        let parts = |environment: Option<Component>| {
            Network::new(open.components.iter().cloned().chain(environment).collect())
        };
        let whole = parts(assumption.as_ref().map(|assumption| assumption.component("X")));
        let sees = |name: &str| open.goal.alphabet().contains(name) && whole.alphabet().contains(name);
        let allowed = open.goal.components.iter().map(|component| Component {
            name: component.name.clone(),
            lts: Arc::new(operators::without_error(&component.lts)),
        });
        let allowed = words(&Network::new(allowed.collect()), sees);
        let done = words(&whole, sees);
        assert!(done.is_subset(&allowed), "seed {seed}: the assumption lets the goal fail");
        match decision.verdict.counterexample() {
            None => {
                answers[0] += 1;
                assert!(decision.verdict.holds(), "seed {seed}");
                assert_eq!(done, allowed, "seed {seed}");
            }
            Some(run) => {
                answers[1] += 1;
                let missing: Word =
                    run.trace_names().into_iter().filter(|name| sees(name)).map(str::to_owned).collect();
                if missing.len() <= LENGTH {
                    assert!(
                        allowed.contains(&missing) && !done.contains(&missing),
                        "seed {seed}: {missing:?}"
                    );
                    if let Some(assumption) = &assumption {
                        let less = words(&parts(Some(part_of(assumption, rng))), sees);
                        assert!(!less.contains(&missing), "seed {seed}: a smaller environment does more");
                    }
                }
            }
        }
    }
    assert!(is_single_seed() || answers.iter().all(|&count| count > 20), "{answers:?}");
}
