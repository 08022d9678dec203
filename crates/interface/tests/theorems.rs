//! The theorems and lemmas of [Emmi, Giannakopoulou, Păsăreanu 2008] as properties of random automata, and the smallest
//! automata against those that need more conditions than the paper says. All from the definitions alone, but for what is
//! constructed: assumptions.

use std::collections::BTreeSet;
use std::sync::Arc;

use rely_base::{Budget, Label};
use rely_interface::{
    Aim, Effort, Environment, Goal, Method, Part, Problem, Question, Receptiveness, System, check_refinement,
    input_completion, output_completion, weakest,
};
use rely_lts::{Component, InterfaceAutomaton, Network, Role};
use rely_testkit::interfaces::{self, Shape, Signature, from_marked, signature};
use rely_testkit::naive::interface as naive;
use rely_testkit::naive::product::{NaiveProduct, error_in};
use rely_testkit::networks;
use rely_testkit::rng::{Rng, is_single_seed, seeds};

fn refines(one: &InterfaceAutomaton, other: &InterfaceAutomaton) -> bool {
    naive::refines(one, other, true)
}

/// Compatibility where the environment, if there is one, sends nothing.
fn compatible(one: &InterfaceAutomaton, other: &InterfaceAutomaton) -> bool {
    naive::distance_to_illegal(&[one.clone(), other.clone()], false, false).is_none()
}

/// Compatibility where the environment, if there is one, sends whatever is accepted.
fn always_compatible(one: &InterfaceAutomaton, other: &InterfaceAutomaton) -> bool {
    naive::distance_to_illegal(&[one.clone(), other.clone()], true, false).is_none()
}

fn compose(one: &InterfaceAutomaton, other: &InterfaceAutomaton) -> InterfaceAutomaton {
    naive::compose(&[one.clone(), other.clone()])
}

fn are_composable(one: &InterfaceAutomaton, other: &InterfaceAutomaton) -> bool {
    let fits = |name: &str| {
        matches!(
            (one.role_named(name), other.role_named(name)),
            (_, None) | (Some(Role::Input), Some(Role::Output)) | (Some(Role::Output), Some(Role::Input))
        )
    };
    one.lts().alphabet().names().all(fits)
}

fn random_signature(rng: &mut Rng, names: &[&str]) -> Signature {
    let mut signature = Signature::new();
    for name in names {
        let role = match rng.below(12) {
            0..4 => Role::Input,
            4..8 => Role::Output,
            8 => Role::Internal,
            _ => continue,
        };
        signature.push(((*name).to_owned(), role));
    }
    signature
}

fn random(rng: &mut Rng, signature: &Signature, states: usize) -> InterfaceAutomaton {
    let percent = 25 + rng.below(70);
    interfaces::automaton(rng, signature, &Shape { states, percent, ..Shape::ANY })
}

/// Some automaton that refines another, if it is found soon: part of the other, or anything.
fn refining(rng: &mut Rng, other: &InterfaceAutomaton, names: &[&str]) -> Option<InterfaceAutomaton> {
    for _ in 0..4 {
        let alphabet = other.lts().alphabet();
        let same: Signature = alphabet.iter().map(|(id, name)| (name.to_owned(), other.role(id))).collect();
        let signature = if rng.chance(1, 2) { same } else { random_signature(rng, names) };
        let found = random(rng, &signature, 3);
        if refines(&found, other) {
            return Some(found);
        }
    }
    None
}

#[test]
fn theorem_1_refinement_is_a_preorder() {
    let names = ["a", "b", "c"];
    let mut chains = [0; 2];
    for seed in seeds(6000) {
        let mut rng = Rng::new(seed);
        let signature = random_signature(&mut rng, &names);
        let third = random(&mut rng, &signature, 3);
        assert!(refines(&third, &third), "seed {seed}: not reflexive");
        let Some(second) = refining(&mut rng, &third, &names) else { continue };
        let Some(first) = refining(&mut rng, &second, &names) else { continue };
        let receives = |name: &str| first.role_named(name) == Some(Role::Input);
        let is_turned = third.names(Role::Output).names().any(receives);
        assert_eq!(refines(&first, &third), !is_turned, "seed {seed}: not transitive");
        chains[usize::from(is_turned)] += 1;
    }
    assert!(is_single_seed() || chains[0] > 500 && chains[1] > 20, "{chains:?}");
}

/// What the third sends and the second does not know may be an input of the first.
#[test]
fn theorem_1_needs_an_implementation_that_receives_no_output_of_the_specification() {
    let [receives, nothing, sends] =
        [&["x?"][..], &[], &["x!"]].map(|signature| from_marked(1, &[], signature));
    assert!(refines(&receives, &nothing) && refines(&nothing, &sends) && !refines(&receives, &sends));
}

/// Theorem 2 for A, B and C: nothing if its premises are not given.
fn theorem_2(
    a: &InterfaceAutomaton,
    b: &InterfaceAutomaton,
    c: &InterfaceAutomaton,
    compatible: impl Fn(&InterfaceAutomaton, &InterfaceAutomaton) -> bool,
) -> Option<(bool, bool)> {
    let of_c = |name: &&str| c.role_named(name) == Some(Role::Output);
    let condition =
        b.names(Role::Input).names().filter(of_c).all(|name| a.role_named(name) == Some(Role::Input));
    let given =
        are_composable(a, c) && are_composable(b, c) && condition && refines(b, a) && compatible(a, c);
    given.then(|| (compatible(b, c), refines(&compose(b, c), &compose(a, c))))
}

#[test]
fn theorem_2_refinement_keeps_compatibility() {
    let names = ["a", "b", "c"];
    let mut counts = [0; 2];
    for seed in seeds(6000) {
        let mut rng = Rng::new(seed);
        let [of_a, of_c] = [0; 2].map(|_| random_signature(&mut rng, &names));
        let (a, c) = (random(&mut rng, &of_a, 3), random(&mut rng, &of_c, 3));
        let Some(b) = refining(&mut rng, &a, &names) else { continue };
        if let Some((is_compatible, refines)) = theorem_2(&a, &b, &c, compatible) {
            let always = always_compatible(&a, &c);
            assert!(is_compatible && (refines || !always), "seed {seed}");
            counts[usize::from(always)] += 1;
        }
    }
    assert!(is_single_seed() || counts[0] > 0 && counts[1] > 500, "{counts:?}");
}

/// If some environment leads A and C to an illegal state, they stop there, where B and C may go on.
#[test]
fn theorem_2_needs_a_composition_without_illegal_states() {
    let (a, b) = (from_marked(1, &[], &["x?"]), from_marked(1, &[(0, "x?", 0)], &[]));
    let c = from_marked(3, &[(0, "i?", 1), (1, "x!", 2), (2, "y!", 2)], &[]);
    assert!(!always_compatible(&a, &c));
    assert_eq!(theorem_2(&a, &b, &c, compatible), Some((true, false)));
}

/// In theorem 2 A ‖ C is closed, but B ‖ C need not be: B may have inputs that A does not have. If they come, B may send
/// what A never sends.
#[test]
fn theorem_2_needs_an_environment_that_sends_nothing_new() {
    let a = from_marked(1, &[], &["x!"]);
    let b = from_marked(2, &[(0, "i?", 1), (1, "x!", 0)], &[]);
    let c = from_marked(1, &[], &["x?"]);
    assert!(compose(&a, &c).is_closed() && !compose(&b, &c).is_closed());
    assert_eq!(theorem_2(&a, &b, &c, always_compatible), Some((false, true)));
    assert_eq!(theorem_2(&a, &b, &c, compatible), Some((true, true)));
    // Equal signatures do not help: what counts is that the input comes where A does not accept it.
    let a = from_marked(1, &[], &["x!", "i?"]);
    assert_eq!(theorem_2(&a, &b, &c, always_compatible), Some((false, true)));
}

/// The condition of theorem 2 on inputs cannot be left out.
#[test]
fn theorem_2_needs_its_condition() {
    let (a, b) = (from_marked(1, &[], &[]), from_marked(1, &[], &["x?"]));
    let c = from_marked(1, &[(0, "x!", 0)], &[]);
    assert!(refines(&b, &a) && compatible(&a, &c) && !compatible(&b, &c));
    assert_eq!(theorem_2(&a, &b, &c, compatible), None);
}

/// Whether an error state is reachable in the composition of two systems.
fn fails(one: rely_lts::Lts, other: rely_lts::Lts) -> bool {
    let component = |lts| Component::new("", lts);
    let network = Network::new(vec![component(one), component(other)]);
    NaiveProduct::new(&network).moves.keys().any(|tuple| error_in(&network, tuple).is_some())
}

#[test]
fn theorem_3_compatibility_is_reachability() {
    let mut counts = [0; 2];
    for seed in seeds(4000) {
        let mut rng = Rng::new(seed);
        let signatures = interfaces::signatures(&mut rng, 2, &["a", "b", "c"], false);
        let (one, other) = (random(&mut rng, &signatures[0], 3), random(&mut rng, &signatures[1], 3));
        let expected = compatible(&one, &other);
        assert_eq!(!fails(input_completion(&one), input_completion(&other)), expected, "seed {seed}");
        counts[usize::from(expected)] += 1;
    }
    assert!(is_single_seed() || counts.iter().all(|&count| count > 500), "{counts:?}");
}

/// The third rule of composition in section 2 lets a component fail by an action in which the other does not take part.
/// Taken literally, it makes theorem 3 wrong: an input that no part sends would be an error.
#[test]
fn theorem_3_needs_both_to_take_part_in_failing() {
    let (receiver, sender) = (from_marked(1, &[], &["a?"]), from_marked(1, &[], &["a!"]));
    assert!(compatible(&receiver, &sender));
    let completed = input_completion(&receiver);
    let action = completed.alphabet().get("a").expect("its action");
    let failing = completed.edges_with(completed.initial(), Label::visible(action));
    assert_eq!(failing.first().map(|edge| edge.target), completed.error());
    assert!(!fails(completed, input_completion(&sender)));
}

/// Theorem 4 for A and B: whether reachability in A? ‖ B! says what refinement is.
fn theorem_4(a: &InterfaceAutomaton, b: &InterfaceAutomaton) -> bool {
    fails(input_completion(a), output_completion(b)) != refines(a, b)
}

#[test]
fn theorem_4_refinement_is_reachability() {
    let of_b = signature(&["a", "b"], &["x", "y"], &[]);
    let of_a = signature(&["a", "b"], &["x", "y"], &["h"]);
    let mut counts = [0; 2];
    for seed in seeds(6000) {
        let mut rng = Rng::new(seed);
        let (few, many) = (10 + rng.below(50), 50 + rng.below(50));
        let a = interfaces::automaton(&mut rng, &of_a, &Shape { percent: few, ..Shape::ANY });
        let b = interfaces::automaton(&mut rng, &of_b, &Shape { percent: many, ..Shape::DETERMINISTIC });
        let (a, b) = if rng.chance(1, 4) { (b.clone(), b) } else { (a, b) };
        assert!(theorem_4(&a, &b), "seed {seed}");
        counts[usize::from(refines(&a, &b))] += 1;
    }
    assert!(is_single_seed() || counts.iter().all(|&count| count > 300), "{counts:?}");
}

/// The paper calls an automaton deterministic if no action leads to two states, and allows internal actions.
#[test]
fn theorem_4_needs_a_specification_without_internal_steps() {
    let a = from_marked(1, &[(0, "x!", 0)], &[]);
    let b = from_marked(2, &[(0, "h;", 1), (1, "x!", 1)], &[]);
    assert!(b.lts().is_deterministic() && refines(&a, &b) && !theorem_4(&a, &b));
    let found = check_refinement(&a, &b, &Budget::UNLIMITED).expect("no mistake");
    assert!(found.0.holds() && found.1 == Method::Game);
    // An input that is not sure need not be accepted.
    let a = from_marked(1, &[], &["i?"]);
    let b = from_marked(2, &[(0, "i?", 0), (0, "h;", 1)], &[]);
    assert!(refines(&a, &b) && !theorem_4(&a, &b));
}

#[test]
fn theorem_4_needs_a_deterministic_specification() {
    // The specification may choose the state in which it sends.
    let a = from_marked(2, &[(0, "i?", 1), (1, "x!", 1)], &[]);
    let b = from_marked(3, &[(0, "i?", 1), (0, "i?", 2), (1, "x!", 1)], &[]);
    assert!(refines(&a, &b) && !theorem_4(&a, &b));
}

#[test]
fn theorem_4_needs_equal_signatures() {
    // An input that only A has never comes; an output that only B has is never sent.
    let (a, b) = (from_marked(1, &[], &["i?"]), from_marked(1, &[], &[]));
    assert!(refines(&a, &b) && !theorem_4(&a, &b));
    let (a, b) = (from_marked(1, &[], &[]), from_marked(1, &[], &["x!"]));
    assert!(refines(&a, &b) && !theorem_4(&a, &b));
}

/// IA-Compat and IA-AltRef for M₁, M₂, A and S: whether the premises are true, and whether the conclusion is.
fn rule(
    first: &InterfaceAutomaton,
    second: &InterfaceAutomaton,
    assumption: &InterfaceAutomaton,
    specification: Option<&InterfaceAutomaton>,
) -> (bool, bool) {
    let meets = |with: &InterfaceAutomaton| {
        compatible(first, with) && specification.is_none_or(|spec| refines(&compose(first, with), spec))
    };
    (meets(assumption) && refines(second, assumption), meets(second))
}

#[test]
fn theorem_5_the_rules_are_sound_and_complete() {
    let mut counts = [0; 2];
    for seed in seeds(8000) {
        let mut rng = Rng::new(seed);
        let signatures = interfaces::signatures(&mut rng, 2, &["a", "b", "c"], seed % 2 == 0);
        let [first, second, assumption] =
            [0, 1, 1].map(|i: usize| random(&mut rng, &signatures[i], 2 + usize::from(i == 0)));
        let whole = compose(&first, &second);
        let alphabet = whole.lts().alphabet();
        let external: Signature = alphabet
            .iter()
            .filter(|&(id, _)| whole.role(id) != Role::Internal)
            .map(|(id, name)| (name.to_owned(), whole.role(id)))
            .collect();
        let specification = random(&mut rng, &external, 2);
        for specification in [None, Some(&specification)] {
            let (premises, conclusion) = rule(&first, &second, &assumption, specification);
            assert!(!premises || conclusion, "seed {seed}: not sound");
            counts[usize::from(specification.is_some())] += usize::from(premises);
            let (premises, conclusion) = rule(&first, &second, &second, specification);
            assert!(premises || !conclusion, "seed {seed}: not complete");
        }
    }
    assert!(is_single_seed() || counts.iter().all(|&count| count > 100), "{counts:?}");
}

/// IA-Prop for M₁, M₂, A and P: whether the premises are true, and whether the conclusion is. A is deterministic.
fn ia_prop(
    first: &InterfaceAutomaton,
    second: &InterfaceAutomaton,
    assumption: &InterfaceAutomaton,
    property: &rely_lts::Lts,
) -> (bool, bool) {
    let meets = |with: &InterfaceAutomaton| !naive::breaks(&[first.clone(), with.clone()], property, true);
    // M₂ ⊨ lts(A): what M₂ does, seen through the alphabet of A, is a trace of A.
    let within =
        !naive::breaks(std::slice::from_ref(second), &rely_lts::operators::complete(assumption.lts()), true);
    (meets(assumption) && within, meets(second))
}

#[test]
fn theorem_5_ia_prop_is_sound_and_complete() {
    let (mut proved, mut counts) = (0, [0; 2]);
    for seed in seeds(8000) {
        let mut rng = Rng::new(seed);
        let names = ["a", "b", "c"];
        let signatures = interfaces::signatures(&mut rng, 2, &names, seed % 2 == 0);
        let [first, second] = [0, 1].map(|i: usize| random(&mut rng, &signatures[i], 3));
        let property = networks::property(&mut rng, 3, &names);
        // An assumption speaks about some actions of the second group.
        let known: Signature = signatures[1].iter().filter(|_| rng.chance(3, 4)).cloned().collect();
        let percent = 40 + rng.below(60);
        let shape = Shape { states: 2, percent, ..Shape::DETERMINISTIC };
        let assumption = interfaces::automaton(&mut rng, &known, &shape);
        let (premises, conclusion) = ia_prop(&first, &second, &assumption, &property);
        assert!(!premises || conclusion, "seed {seed}: not sound");
        proved += usize::from(premises);
        counts[usize::from(conclusion)] += 1;
        // A second group that leaves no choice is an assumption itself.
        let second = interfaces::automaton(&mut rng, &signatures[1], &shape);
        let (premises, conclusion) = ia_prop(&first, &second, &second, &property);
        assert_eq!(premises, conclusion, "seed {seed}: not complete");
    }
    assert!(
        is_single_seed() || proved > 300 && counts.iter().all(|&count| count > 300),
        "{proved} {counts:?}"
    );
}

/// The rules of figure 3 do not say which actions A has. If it lacks an input of M₂ that M₁ sends, M₁ ~ A says nothing
/// about it, and M₂ ≼ A neither.
#[test]
fn theorem_5_needs_an_assumption_with_all_inputs() {
    let (first, second) = (from_marked(1, &[(0, "x!", 0)], &[]), from_marked(1, &[], &["x?"]));
    assert_eq!(rule(&first, &second, &from_marked(1, &[], &[]), None), (true, false));
    assert_eq!(rule(&first, &second, &from_marked(1, &[], &["x?"]), None), (false, false));
}

/// IA-Prop in the same way: an action of A that M₂ does not have is one that A may keep M₁ from, and M₂ cannot.
#[test]
fn theorem_5_needs_an_assumption_without_other_actions() {
    let first = from_marked(1, &[(0, "x!", 0)], &[]);
    let (second, assumption) = (from_marked(1, &[], &[]), from_marked(1, &[], &["x?"]));
    let never_x = output_completion(&from_marked(1, &[], &["x!"]));
    let breaks = |with: &InterfaceAutomaton| naive::breaks(&[first.clone(), with.clone()], &never_x, false);
    // M₂ has no action of A, so all its traces are traces of A.
    assert!(!breaks(&assumption) && breaks(&second));
}

/// A system of two groups whose second has everything that the first does not decide about.
fn two_groups(rng: &mut Rng) -> (System, [Vec<usize>; 2]) {
    let count = 2 + rng.below(2);
    let signatures = interfaces::signatures(rng, count, &["a", "b", "c", "d"], false);
    let parts = signatures.iter().map(|signature| {
        let percent = 50 + rng.below(50);
        interfaces::automaton(rng, signature, &Shape { states: 3, percent, ..Shape::ANY })
    });
    let parts = parts.enumerate().map(|(i, part)| Part::new(format!("M{i}"), part)).collect();
    let groups = [(0..count - 1).collect(), vec![count - 1]];
    (System::new(parts, Vec::new()).expect("they can be composed"), groups)
}

fn constructed(problem: &Problem, groups: &[Vec<usize>; 2]) -> Option<InterfaceAutomaton> {
    weakest(problem, groups, &Budget::UNLIMITED, &mut Effort::default())
        .expect("it applies")
        .expect("no limit")
}

fn names(automaton: &InterfaceAutomaton, roles: &[Role]) -> BTreeSet<String> {
    roles
        .iter()
        .flat_map(|&role| automaton.names(role).names().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

/// Lemma 3 (i): the words of the weakest assumption are those that simulating the first group finds good.
#[test]
fn lemma_3_the_words_of_the_weakest_assumption() {
    let mut counts = [0; 2];
    for seed in seeds(600) {
        let (system, groups) = two_groups(&mut Rng::new(seed));
        let parts: Vec<InterfaceAutomaton> =
            groups[0].iter().map(|&part| (*system.parts()[part].automaton).clone()).collect();
        let second = Arc::clone(&system.parts()[groups[1][0]].automaton);
        let problem = Problem { system, aim: Aim::Compatible, question: Question::default() };
        let assumption = constructed(&problem, &groups);
        let (takes, decides) = (names(&second, &[Role::Input]), names(&second, &[Role::Output]));
        let letters: Vec<String> = takes.union(&decides).cloned().collect();
        for word in naive::words(&letters, 4) {
            let expected = naive::is_assumed(&parts, &takes, &decides, &word);
            let found = assumption.as_ref().is_some_and(|automaton| naive::is_trace(automaton, &word));
            assert_eq!(found, expected, "seed {seed}: {word:?}");
            counts[usize::from(expected)] += 1;
        }
    }
    assert!(is_single_seed() || counts.iter().all(|&count| count > 1000), "{counts:?}");
}

/// Lemma 1, and that the weakest assumption is the weakest: whatever is compatible with the first group refines it.
#[test]
fn lemma_1_the_weakest_assumption_decides() {
    let mut counts = [0; 2];
    for seed in seeds(3000) {
        let mut rng = Rng::new(seed);
        let (system, groups) = two_groups(&mut rng);
        let parts: Vec<InterfaceAutomaton> =
            system.parts().iter().map(|part| (*part.automaton).clone()).collect();
        let second = parts.last().expect("there are two").clone();
        let problem = Problem { system, aim: Aim::Compatible, question: Question::default() };
        let assumption = constructed(&problem, &groups);
        let whole = |second: &InterfaceAutomaton| {
            let all = [&parts[..parts.len() - 1], std::slice::from_ref(second)].concat();
            naive::distance_to_illegal(&all, false, false).is_none()
        };
        let refines_it = |second: &InterfaceAutomaton| {
            assumption.as_ref().is_some_and(|assumption| refines(second, assumption))
        };
        assert_eq!(refines_it(&second), whole(&second), "seed {seed}");
        // The first premise for the weakest assumption itself.
        assert!(assumption.as_ref().is_none_or(&whole), "seed {seed}");
        let alphabet = second.lts().alphabet();
        let like: Signature = alphabet.iter().map(|(id, name)| (name.to_owned(), second.role(id))).collect();
        let other = random(&mut rng, &like, 3);
        assert_eq!(refines_it(&other), whole(&other), "seed {seed}: another one");
        counts[usize::from(whole(&second))] += 1;
    }
    assert!(is_single_seed() || counts.iter().all(|&count| count > 300), "{counts:?}");
}

/// Lemma 2: where the groups are compatible, A_C decides as A_W does, and is not larger.
#[test]
fn lemma_2_the_smaller_assumption_decides() {
    let (mut counts, mut smaller) = ([0; 2], 0);
    for seed in seeds(4000) {
        let mut rng = Rng::new(seed);
        let (system, groups) = two_groups(&mut rng);
        let parts: Vec<InterfaceAutomaton> =
            system.parts().iter().map(|part| (*part.automaton).clone()).collect();
        let property = networks::property(&mut rng, 3, &["a", "b", "c", "d"]);
        let goal = Goal::property(Component::new("P", property.clone()));
        let components: Vec<Component> =
            parts.iter().map(|part| Component::new("", part.lts().clone())).collect();
        let (first, second) = components.split_at(components.len() - 1);
        let interface = rely_assume::interface(first, &goal, second);
        let variant = rely_assume::Variant::Weakest;
        let mut effort = Effort::default();
        let weakest =
            rely_assume::weakest(first, &goal, &interface, variant, &Budget::UNLIMITED, &mut effort)
                .expect("no limit")
                .0
                .assumption(&interface);
        let problem = Problem { system, aim: Aim::Safe(goal), question: Question::default() };
        let small = constructed(&problem, &groups);
        let Some(small) = small else { continue };
        let states = weakest.expect("it is weaker").state_count();
        assert!(small.lts().state_count() <= states, "seed {seed}");
        smaller += usize::from(small.lts().state_count() < states);
        if naive::distance_to_illegal(&parts, false, false).is_some() {
            continue;
        }
        let met = !fails(second[0].lts.as_ref().clone(), rely_lts::operators::complete(small.lts()));
        let holds = !naive::breaks(&parts, &property, false);
        assert_eq!(met, holds, "seed {seed}");
        counts[usize::from(holds)] += 1;
    }
    assert!(is_single_seed() || counts.iter().all(|&count| count > 100), "{counts:?}");
    assert!(is_single_seed() || smaller > 10, "{smaller}");
}

/// If a part may do something before it takes what is sent, the property may depend on what it does.
#[test]
fn lemma_2_needs_parts_that_take_at_once() {
    let first = from_marked(2, &[(0, "x!", 1)], &[]);
    let second = from_marked(2, &[(0, "h;", 1), (1, "x?", 1)], &[]);
    // Not x before h.
    let property = output_completion(&from_marked(2, &[(0, "h!", 1), (1, "h!", 1), (1, "x!", 1)], &[]));
    let parts = [first.clone(), second.clone()];
    assert!(naive::distance_to_illegal(&parts, false, true).is_none());
    assert!(naive::distance_to_illegal(&parts, false, false).is_some());
    assert!(!naive::breaks(&parts, &property, false));
    let parts = vec![Part::new("M1", first), Part::new("M2", second)];
    let system = System::new(parts, Vec::new()).expect("they can be composed");
    let goal = Goal::property(Component::new("P", property));
    let problem = Problem { system, aim: Aim::Safe(goal), question: Question::default() };
    assert!(constructed(&problem, &[vec![0], vec![1]]).is_none());
}

/// The set that section 5 gives for L(A_C) takes words away and leaves longer ones: here ε goes, because M₁ may send x
/// and break the property at once, and y stays, because after it M₁ never does.
#[test]
fn lemma_2_the_printed_set_is_not_prefix_closed() {
    let first = from_marked(3, &[(0, "x!", 1), (0, "y?", 2)], &[]);
    let never_x = output_completion(&from_marked(1, &[], &["x!"]));
    let breaks = |word: &[&str]| {
        let marked: Vec<String> = word.iter().map(|name| format!("{name};")).collect();
        let steps: Vec<(usize, &str, usize)> =
            marked.iter().enumerate().map(|(i, name)| (i, name.as_str(), i + 1)).collect();
        let path = from_marked(word.len() + 1, &steps, &["x;", "y;"]);
        naive::breaks(&[first.clone(), path], &never_x, true)
    };
    let in_weakest = |word: &[&str]| !breaks(word);
    let printed = |word: &[&str]| in_weakest(word) && in_weakest(&[word, &["x"]].concat());
    assert!(!printed(&[]) && printed(&["y"]));
    // So the groups that the property is met with are those of the weakest assumption whose first action is y.
    let second = from_marked(1, &[(0, "y!", 0)], &["x?"]);
    let parts = vec![Part::new("M1", first), Part::new("M2", second)];
    let system = System::new(parts, Vec::new()).expect("they can be composed");
    let goal = Goal::property(Component::new("P", never_x));
    let question = Question { environment: Environment::Arbitrary, receptiveness: Receptiveness::Now };
    let problem = Problem { system, aim: Aim::Safe(goal), question };
    assert!(constructed(&problem, &[vec![0], vec![1]]).is_none(), "nothing that M₂ does helps");
}
