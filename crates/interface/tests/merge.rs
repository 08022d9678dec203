//! The laws of merging, for random contracts.

use std::collections::BTreeMap;

use rely_base::{Alphabet, Budget, Label, StateId};
use rely_interface::{Refusal, conjoin, merge};
use rely_lts::{InterfaceAutomaton, LtsBuilder, Role};
use rely_testkit::interfaces::{self, Shape, Signature, from_marked};
use rely_testkit::naive::interface as naive;
use rely_testkit::rng::{Rng, is_single_seed, seeds};

fn refines(one: &InterfaceAutomaton, other: &InterfaceAutomaton) -> bool {
    naive::refines(one, other, true)
}

/// Signatures of two views: an action has the same role in both, if both have it.
fn signatures(rng: &mut Rng) -> [Signature; 2] {
    let mut both = [Signature::new(), Signature::new()];
    for name in ["a", "b", "c", "d"] {
        let role = if rng.chance(1, 2) { Role::Input } else { Role::Output };
        for signature in &mut both {
            if rng.chance(3, 4) {
                signature.push((name.to_owned(), role));
            }
        }
    }
    both
}

fn random(rng: &mut Rng, signature: &Signature, shape: &Shape) -> InterfaceAutomaton {
    let percent = 40 + rng.below(60);
    interfaces::automaton(rng, signature, &Shape { states: 3, percent, ..*shape })
}

fn merged(one: &InterfaceAutomaton, other: &InterfaceAutomaton) -> InterfaceAutomaton {
    merge(&[one, other], &Budget::UNLIMITED).expect("they are views of one part")
}

/// The actions of two views, with their roles.
fn all_actions(one: &InterfaceAutomaton, other: &InterfaceAutomaton) -> BTreeMap<String, Role> {
    let of = |view: &InterfaceAutomaton| -> Vec<(String, Role)> {
        view.lts().alphabet().iter().map(|(action, name)| (name.to_owned(), view.role(action))).collect()
    };
    of(one).into_iter().chain(of(other)).collect()
}

/// Where an action leads to in A↑, which allows what A does not know.
fn extended(view: &InterfaceAutomaton, state: StateId, name: &str) -> Option<StateId> {
    let Some(action) = view.lts().alphabet().get(name) else { return Some(state) };
    view.lts().edges_with(state, Label::visible(action)).first().map(|edge| edge.target)
}

/// A|B, from its definition: A↑ without the inputs that B↑ does not accept, up to the first output that B↑ does not send.
/// After that there is no state of B.
fn under(one: &InterfaceAutomaton, other: &InterfaceAutomaton) -> InterfaceAutomaton {
    let actions = all_actions(one, other);
    let alphabet: Alphabet = actions.keys().collect();
    let mut builder = LtsBuilder::new(alphabet.clone());
    let mut numbers: BTreeMap<(StateId, Option<StateId>), StateId> = BTreeMap::new();
    let initial = (one.lts().initial(), Some(other.lts().initial()));
    let mut pending = vec![initial];
    numbers.insert(initial, builder.add_state());
    while let Some((a, b)) = pending.pop() {
        for (action, name) in alphabet.iter() {
            let Some(to) = extended(one, a, name) else { continue };
            let follows = b.and_then(|b| extended(other, b, name));
            if actions[name] == Role::Input && b.is_some() && follows.is_none() {
                continue;
            }
            let target = *numbers.entry((to, follows)).or_insert_with(|| {
                pending.push((to, follows));
                builder.add_state()
            });
            builder.add_transition(numbers[&(a, b)], Label::visible(action), target);
        }
    }
    builder.set_initial(numbers[&initial]);
    InterfaceAutomaton::with_roles(builder.build(), |name| actions[name])
}

#[test]
fn a_merger_is_what_each_view_needs_under_the_assumptions_of_the_other() {
    let mut counts = [0; 2];
    for seed in seeds(4000) {
        let mut rng = Rng::new(seed);
        let [first, second] = signatures(&mut rng);
        let one = random(&mut rng, &first, &Shape::DETERMINISTIC);
        let other = random(&mut rng, &second, &Shape::DETERMINISTIC);
        let both = merged(&one, &other);
        let actions: Signature = all_actions(&one, &other).into_iter().collect();
        for (name, role) in &actions {
            assert_eq!(both.role_named(name), Some(*role), "seed {seed}: {name}");
        }
        assert!(both.lts().is_deterministic(), "seed {seed}");
        // Parts of it are more likely to refine it than random automata.
        let part = match rng.below(4) {
            0 => both.clone(),
            1 => conjoin(&[&under(&one, &other), &under(&other, &one)], &Budget::UNLIMITED)
                .expect("they are plain"),
            _ => random(&mut rng, &actions, &Shape::ANY),
        };
        let expected = refines(&part, &under(&one, &other)) && refines(&part, &under(&other, &one));
        assert_eq!(refines(&part, &both), expected, "seed {seed}");
        counts[usize::from(expected)] += 1;
    }
    assert!(is_single_seed() || counts.iter().all(|&count| count > 500), "{counts:?}");
}

#[test]
fn merging_is_between_the_conjunction_and_its_mirror() {
    for seed in seeds(1500) {
        let mut rng = Rng::new(seed);
        let [first, _] = signatures(&mut rng);
        let [one, other, third] = [0; 3].map(|_| random(&mut rng, &first, &Shape::DETERMINISTIC));
        let both = merged(&one, &other);
        let conjoined = conjoin(&[&one, &other], &Budget::UNLIMITED).expect("they are plain");
        assert!(refines(&conjoined, &both), "seed {seed}");
        // The other bound is the mirror of what the mirrors have in common.
        let mirrors = conjoin(&[&one.mirror(), &other.mirror()], &Budget::UNLIMITED).expect("they are plain");
        assert!(refines(&both, &mirrors.mirror()), "seed {seed}");
        assert_eq!(merged(&one.mirror(), &other.mirror()), both.mirror(), "seed {seed}");
        let equal =
            |one: &InterfaceAutomaton, other: &InterfaceAutomaton| refines(one, other) && refines(other, one);
        assert!(equal(&merged(&other, &one), &both), "seed {seed}: not commutative");
        assert!(equal(&merged(&one, &one), &one), "seed {seed}: not idempotent");
        let all = merge(&[&one, &other, &third], &Budget::UNLIMITED).expect("they are views of one part");
        assert!(equal(&merged(&both, &third), &all), "seed {seed}: not associative");
    }
}

#[test]
fn a_conjunction_asks_for_more() {
    // Both views promise to answer, each for callers of its own.
    let one = from_marked(2, &[(0, "call?", 1), (1, "yes!", 0), (1, "no!", 0)], &["mail?"]);
    let other = from_marked(2, &[(0, "call?", 1), (1, "yes!", 0), (0, "mail?", 1)], &["no!"]);
    let both = merged(&one, &other);
    let conjoined = conjoin(&[&one, &other], &Budget::UNLIMITED).expect("they are plain");
    let answerer = from_marked(2, &[(0, "call?", 1), (1, "yes!", 0)], &["mail?", "no!"]);
    assert!(refines(&answerer, &both), "where nobody sends mail, nobody has to take it");
    assert!(!refines(&answerer, &conjoined));
}

#[test]
fn what_cannot_be_merged_is_refused() {
    let choices = from_marked(2, &[(0, "x!", 0), (0, "x!", 1)], &[]);
    let (sends, takes) = (from_marked(1, &[(0, "x!", 0)], &[]), from_marked(1, &[(0, "x?", 0)], &["y?"]));
    let refusal = |one, other| merge(&[one, other], &Budget::UNLIMITED).expect_err("they do not fit");
    assert_eq!(refusal(&sends, &choices), Refusal::NotPlain(1));
    assert_eq!(refusal(&sends, &takes), Refusal::Disputed(vec!["x".to_owned()]));
    // An internal action that is never taken does not matter.
    let internal = from_marked(1, &[], &["x;"]);
    assert_eq!(merged(&internal, &sends).names(Role::Output).sorted_names(), ["x"]);
}
