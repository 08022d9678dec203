//! Proofs that somebody has changed: with every transition of every assumption taken away, led elsewhere or added, the
//! judge accepts exactly the proofs whose premises are still true, and none of a system that is broken.

mod premises;

use std::sync::Arc;

use rely_assume::{
    Algorithm, Alphabets, Answer, Assumption, Goal, Method, Plan, Problem, Proof, Rule, parts_of, verify,
};
use rely_base::{Budget, Id, Label, StateId};
use rely_certificate::{Claim, Digest, Evidence, Property, check};
use rely_lts::{Component, ComponentId, Lts, LtsBuilder, Network, Transition, operators};
use rely_testkit::networks::from_transitions;

use crate::premises::is_proof;

/// Parts and a property, and a part that breaks it in place of the last one.
struct Model {
    parts: Vec<Component>,
    broken: Component,
    property: Component,
}

type Steps<'a> = &'a [(usize, &'a str, usize)];

fn part(name: &str, states: usize, steps: Steps<'_>) -> Component {
    Component { name: name.to_owned(), lts: Arc::new(from_transitions(states, steps)) }
}

fn property(states: usize, steps: Steps<'_>) -> Component {
    Component { name: "P".to_owned(), lts: Arc::new(operators::complete(&from_transitions(states, steps))) }
}

/// A writer and its environment change something under a mutex.
fn writer() -> Model {
    let writer = [(0, "w.lock", 1), (1, "enter", 2), (2, "exit", 3), (3, "w.unlock", 0)];
    let mutex = [(0, "w.lock", 1), (1, "w.unlock", 0), (0, "e.lock", 2), (2, "e.unlock", 0)];
    let careful = [(0, "e.lock", 1), (1, "change", 2), (2, "e.unlock", 0)];
    let hasty = [(0, "change", 1), (1, "e.lock", 2), (2, "e.unlock", 0)];
    Model {
        parts: vec![part("WRITER", 4, &writer), part("MUTEX", 3, &mutex), part("CAREFUL", 3, &careful)],
        broken: part("HASTY", 3, &hasty),
        property: property(2, &[(0, "enter", 1), (0, "change", 0), (1, "exit", 0)]),
    }
}

/// Three stations, one token.
fn ring() -> Model {
    let station = |i: usize, first: usize| {
        let names = [format!("ring.{}", (i + 2) % 3), format!("start.{i}"), format!("finish.{i}")];
        let [take, start, finish] = names.each_ref().map(String::as_str);
        let pass = format!("ring.{i}");
        let all = [(0, take, 1), (1, start, 2), (2, finish, 3), (3, &pass, 0), (1, &pass, 0)];
        // The states are turned around, so that the one to begin with is 0.
        let turned = all.map(|(from, name, to)| ((from + 4 - first) % 4, name, (to + 4 - first) % 4));
        part(&format!("S{i}"), 4, &turned)
    };
    let alone = [
        (0, "start.0", 1),
        (1, "finish.0", 0),
        (0, "start.1", 2),
        (2, "finish.1", 0),
        (0, "start.2", 3),
        (3, "finish.2", 0),
    ];
    Model {
        parts: vec![station(0, 1), station(1, 0), station(2, 0)],
        // It has a token of its own.
        broken: station(2, 1),
        property: property(4, &alone),
    }
}

/// A server lends one thing to two clients.
fn server() -> Model {
    let server = [(0, "grant.1", 1), (1, "return.1", 0), (0, "grant.2", 2), (2, "return.2", 0)];
    let one = [(0, "grant.1", 1), (1, "begin.1", 2), (2, "end.1", 3), (3, "return.1", 0)];
    let two = [(0, "grant.2", 1), (1, "begin.2", 2), (2, "end.2", 3), (3, "return.2", 0)];
    let greedy = [(0, "grant.2", 1), (1, "begin.2", 2), (2, "return.2", 3), (3, "end.2", 0)];
    let alone = [(0, "begin.1", 1), (1, "end.1", 0), (0, "begin.2", 2), (2, "end.2", 0)];
    Model {
        parts: vec![part("SERVER", 3, &server), part("ONE", 4, &one), part("TWO", 4, &two)],
        broken: part("GREEDY", 4, &greedy),
        property: property(3, &alone),
    }
}

impl Model {
    fn problem(&self) -> Problem {
        Problem {
            composites: Vec::new(),
            parts: self.parts.clone(),
            goal: Goal::property(self.property.clone()),
        }
    }

    /// The same with the part that breaks the property.
    fn broken(&self) -> Problem {
        let mut problem = self.problem();
        *problem.parts.last_mut().expect("a model has parts") = self.broken.clone();
        problem
    }
}

/// All proofs of a problem: every rule, with assumptions that are constructed and learned; each proof once.
fn proofs(problem: &Problem) -> Vec<Proof> {
    let methods = [Method::Direct, Method::Learn(Algorithm::LStar)];
    let digests = |proof: &Proof| -> Vec<Digest> {
        proof.assumptions.iter().map(|assumption| written(assumption).digest).collect()
    };
    let mut found: Vec<Proof> = Vec::new();
    for rule in Rule::ALL {
        let groups =
            if rule.is_binary() { vec![vec![0], vec![1, 2]] } else { vec![vec![0], vec![1], vec![2]] };
        for method in methods {
            let groups = groups.clone();
            let plan = Plan { rule, method, groups, alphabets: Alphabets::Whole, most_words: None };
            plan.applies_to(problem).expect("there are parts enough, and the property only looks on");
            match verify(problem, &plan, &Budget::UNLIMITED).expect("a run can be replayed").0 {
                Answer::Proved(proof) => {
                    let is_known = |known: &Proof| known.rule == rule && digests(known) == digests(&proof);
                    if !found.iter().any(is_known) {
                        found.push(proof);
                    }
                }
                other => panic!("{rule}, {method:?}: {other:?}"),
            }
        }
    }
    found
}

/// An assumption as certificates write it.
fn written(assumption: &Assumption) -> rely_certificate::Assumption {
    rely_certificate::Assumption::of(assumption.lts())
}

fn is_accepted(problem: &Problem, evidence: impl Fn(&[ComponentId], &[ComponentId]) -> Evidence) -> bool {
    let network = Network::new(problem.components());
    let goal = [ComponentId::from_index(problem.parts.len())];
    let parts = parts_of(&network, &goal, &[]);
    let property = Property::Unbroken { name: "P", components: &goal, observers: &[] };
    let claim = Claim::new("S", &network, &property, evidence(&parts, &goal));
    check(&claim, &network, &property, &Budget::UNLIMITED).is_ok()
}

/// A system with other transitions.
fn with_transitions(lts: &Lts, transitions: impl IntoIterator<Item = Transition>) -> Assumption {
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    for transition in transitions {
        builder.add_transition(transition.source, transition.label, transition.target);
    }
    Assumption::new(builder.build())
}

/// Everything that can be done to a single transition: it is taken away, led elsewhere, or added.
fn mutants(lts: &Lts) -> Vec<Assumption> {
    let all: Vec<Transition> = lts.transitions().collect();
    let states: Vec<StateId> = lts.states().collect();
    let mut mutants = Vec::new();
    for changed in 0..all.len() {
        let others = || all.iter().enumerate().filter(move |&(i, _)| i != changed).map(|(_, &other)| other);
        mutants.push(with_transitions(lts, others()));
        for &target in states.iter().filter(|&&target| target != all[changed].target) {
            let led_elsewhere = Transition { target, ..all[changed] };
            mutants.push(with_transitions(lts, others().chain([led_elsewhere])));
        }
    }
    for &source in &states {
        let missing = lts.alphabet().iter().map(|(action, _)| Label::visible(action));
        for label in missing.filter(|&label| lts.edges_with(source, label).is_empty()) {
            for &target in &states {
                let added = Transition { source, label, target };
                mutants.push(with_transitions(lts, all.iter().copied().chain([added])));
            }
        }
    }
    mutants
}

/// The evidence with the digest that the assumption had before it was changed.
fn with_old_digest(evidence: Evidence, changed: usize, old: &Digest) -> Evidence {
    let Evidence::Composition(mut decomposition) = evidence else { panic!("a rule was used") };
    decomposition.assumptions[changed].digest = old.clone();
    Evidence::Composition(decomposition)
}

/// Changes every proof of a model in every way.
fn tamper_with(model: &Model) {
    let (problem, broken) = (model.problem(), model.broken());
    // How many changed proofs are no proofs any more, and how many still are.
    let mut counts = [0; 2];
    for proof in proofs(&problem) {
        assert!(is_accepted(&problem, |parts, goal| proof.evidence(parts, goal)), "{}", proof.rule);
        for changed in 0..proof.assumptions.len() {
            let old = written(&proof.assumptions[changed]).digest;
            for mutant in mutants(proof.assumptions[changed].lts()) {
                let mut proof = proof.clone();
                proof.assumptions[changed] = mutant;
                let is_valid = is_proof(&problem, &proof);
                let evidence = |parts: &[ComponentId], goal: &[ComponentId]| proof.evidence(parts, goal);
                assert_eq!(is_accepted(&problem, evidence), is_valid, "{proof:?}");
                assert!(!is_accepted(&broken, evidence), "{proof:?}");
                // What cannot be reached is not written, so some changes are none.
                if written(&proof.assumptions[changed]).digest != old {
                    let stale = |parts: &[ComponentId], goal: &[ComponentId]| {
                        with_old_digest(evidence(parts, goal), changed, &old)
                    };
                    assert!(!is_accepted(&problem, stale), "{proof:?}");
                }
                counts[usize::from(is_valid)] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 100), "too few to mean anything: {counts:?}");
}

#[test]
fn changed_proofs_about_a_writer_are_accepted_only_if_they_are_proofs() {
    tamper_with(&writer());
}

#[test]
fn changed_proofs_about_a_ring_are_accepted_only_if_they_are_proofs() {
    tamper_with(&ring());
}

#[test]
fn changed_proofs_about_a_server_are_accepted_only_if_they_are_proofs() {
    tamper_with(&server());
}
