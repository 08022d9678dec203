//! Proofs as certificates: the judge accepts what is right, and nothing else.

use rely_base::{Budget, Id, Label, StateId};
use rely_certificate::{
    Claim, Evidence, Identity, InterfaceAim, InterfaceProof, InterfaceQuestion, Property, Rejection, check,
};
use rely_interface::{Aim, Answer, Environment, Part, Problem, Proof, Receptiveness, Source, System, verify};
use rely_lts::{Component, InterfaceAutomaton, Lts, LtsBuilder, Network, Role, Transition};
use rely_testkit::interfaces::{self, Shape, from_marked};
use rely_testkit::naive::product::{NaiveProduct, error_in};
use rely_testkit::networks;
use rely_testkit::rng::{Rng, is_single_seed, seeds};

mod messaging;
mod problems;
use messaging::{c_1, e_bad, env, msg, system, usr};
use problems::{SOURCES, judged, plan, problem, proof_of, random_groups, random_problem};

/// A proof in which something is changed proves nothing, or something that is so all the same.
#[test]
fn the_judge_believes_nothing_that_is_wrong() {
    let whole = system(&[("msg", msg()), ("usr", usr()), ("env", env())]);
    let problem = problem(whole, Aim::Compatible);
    let (proof, _) = proof_of(&problem, &plan(Source::Direct, [vec![0, 1], vec![2]]));
    let Evidence::Interface(right) = proof.evidence(&problem) else { panic!("it is an interface proof") };
    assert_eq!(judged(&problem, Evidence::Interface(right.clone())), Ok(()));
    let with = |change: &dyn Fn(&mut InterfaceProof)| {
        let mut wrong = right.clone();
        change(&mut wrong);
        judged(&problem, Evidence::Interface(wrong))
    };
    let assume = |proof: &mut InterfaceProof, automaton: InterfaceAutomaton| {
        proof.assumption = rely_certificate::Assumption::of(automaton.lts());
    };
    assert!(matches!(with(&|proof| assume(proof, e_bad())), Err(Rejection::FalsePremise { .. })));
    assert!(matches!(with(&|proof| assume(proof, c_1())), Err(Rejection::FalsePremise { .. })));
    assert!(matches!(with(&|proof| proof.inputs.clear()), Err(Rejection::FalsePremise { .. })));
    assert!(matches!(with(&|proof| proof.inputs.push("x".into())), Err(Rejection::BadAssumption { .. })));
    assert!(matches!(with(&|proof| proof.assumption.states += 1), Err(Rejection::BadAssumption { .. })));
    assert!(matches!(with(&|proof| proof.first.truncate(1)), Err(Rejection::BadGroups(_))));
    assert!(matches!(with(&|proof| proof.first.push(2)), Err(Rejection::BadGroups(_))));
    assert!(matches!(with(&|proof| proof.second[0] = 9), Err(Rejection::BadGroups(_))));
}

/// Whatever the judge believes is so, also of networks and assumptions that no rule has made.
#[test]
fn the_judge_is_sound() {
    let shape = networks::Shape { operators: false, states: 3, ..networks::Shape::FULL };
    let mut counts = [0; 2];
    for seed in seeds(20_000) {
        let mut rng = Rng::new(seed);
        let component = |rng: &mut Rng| Component::new("M", networks::component(rng, &shape));
        let network = Network::new((0..2).map(|_| component(&mut rng)).collect());
        let names = ["a", "b", "c", "d", "e"].into_iter().filter(|_| rng.chance(2, 3)).collect::<Vec<_>>();
        let role = |rng: &mut Rng| if rng.chance(1, 2) { Role::Input } else { Role::Output };
        let signature: interfaces::Signature =
            names.iter().map(|name| ((*name).to_owned(), role(&mut rng))).collect();
        let percent = 30 + rng.below(70);
        let assumption = interfaces::automaton(
            &mut rng,
            &signature,
            &Shape { percent, states: 2, ..Shape::DETERMINISTIC },
        );
        let inputs = assumption.names(Role::Input).names().map(str::to_owned).collect();
        let written = rely_certificate::Assumption::of(assumption.lts());
        let proof = InterfaceProof { first: vec![0], second: vec![1], inputs, assumption: written };
        let claim = Claim::new("S", &network, &Property::Safety, Evidence::Interface(proof));
        let believed = check(&claim, &network, &Property::Safety, &Budget::UNLIMITED).is_ok();
        let fails =
            || NaiveProduct::new(&network).moves.keys().any(|tuple| error_in(&network, tuple).is_some());
        assert!(!believed || !fails(), "seed {seed}");
        // Where both can fail in some environment, belief is worth something.
        let both = network.components().iter().all(|component| component.lts.error().is_some());
        counts[usize::from(both)] += usize::from(believed);
    }
    assert!(is_single_seed() || counts.iter().all(|&count| count > 50), "{counts:?}");
}

/// Whether a component of a network can fail, from the definition.
fn can_fail(network: &Network) -> bool {
    NaiveProduct::new(network).moves.keys().any(|tuple| error_in(network, tuple).is_some())
}

/// An automaton with other transitions.
fn with_transitions(automaton: &InterfaceAutomaton, transitions: &[Transition]) -> InterfaceAutomaton {
    let lts = automaton.lts();
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    for step in transitions {
        builder.add_transition(step.source, step.label, step.target);
    }
    InterfaceAutomaton::new(builder.build(), automaton.roles().to_vec())
}

/// The automaton with one transition left out, each in turn; with one that leads elsewhere; and with one more.
fn changed(rng: &mut Rng, automaton: &InterfaceAutomaton) -> Vec<InterfaceAutomaton> {
    let lts = automaton.lts();
    let all: Vec<Transition> = lts.transitions().collect();
    let mut found = Vec::new();
    for i in 0..all.len() {
        let mut fewer = all.clone();
        fewer.remove(i);
        found.push(with_transitions(automaton, &fewer));
        let mut other = all.clone();
        other[i].target = StateId::from_index(rng.below(lts.state_count()));
        found.push(with_transitions(automaton, &other));
    }
    found.extend(one_more(rng, lts).map(|step| with_transitions(automaton, &[all, vec![step]].concat())));
    found
}

/// A transition that can be added to a system so that it stays deterministic.
fn one_more(rng: &mut Rng, lts: &Lts) -> Option<Transition> {
    let labels =
        (0..lts.alphabet().len()).map(|action| Label::visible(rely_base::ActionId::from_index(action)));
    let labels: Vec<Label> = labels.collect();
    let free = |source: StateId| {
        labels
            .iter()
            .filter(move |&&label| lts.edges_with(source, label).is_empty())
            .map(move |&label| (source, label))
    };
    let places: Vec<(StateId, Label)> = lts.states().flat_map(free).collect();
    if places.is_empty() {
        return None;
    }
    let (source, label) = *rng.pick(&places);
    Some(Transition { source, label, target: StateId::from_index(rng.below(lts.state_count())) })
}

/// Of a proof for every rule, whatever is changed in its assumption: the judge rejects it exactly if a premise is false
/// by the definition, and always if the digest is left as it was.
#[test]
fn a_changed_assumption_is_judged_by_its_premises() {
    let mut counts = [[0; 2]; 4];
    for seed in seeds(2400) {
        let mut rng = Rng::new(seed);
        let aim = usize::try_from(seed % 4).expect("a small number");
        let problem = random_problem(&mut rng, aim);
        let groups = random_groups(&mut rng, &problem);
        let source = *rng.pick(&SOURCES);
        let answer = verify(&problem, &plan(source, groups), &Budget::UNLIMITED);
        let Ok(Ok((Answer::Proved(proof), _))) = answer else { continue };
        for assumption in changed(&mut rng, &proof.assumption) {
            let wrong = Proof { assumption, ..proof.clone() };
            let is_right = !wrong.premises(&problem).iter().any(can_fail);
            let judgement = judged(&problem, wrong.evidence(&problem));
            assert_eq!(judgement.is_ok(), is_right, "seed {seed}: {judgement:?}");
            counts[aim][usize::from(is_right)] += 1;
            let stale = with_digest_of(wrong.evidence(&problem), &proof.evidence(&problem));
            assert_eq!(
                judged(&problem, stale.clone()).is_ok(),
                stale == proof.evidence(&problem),
                "seed {seed}"
            );
        }
    }
    assert!(is_single_seed() || counts.iter().flatten().all(|&count| count > 100), "{counts:?}");
}

/// Evidence with an assumption that was changed, and all digests as they were.
fn with_digest_of(changed: Evidence, original: &Evidence) -> Evidence {
    match (changed, original) {
        (Evidence::Interface(mut proof), Evidence::Interface(original)) => {
            proof.assumption.digest = original.assumption.digest.clone();
            Evidence::Interface(proof)
        }
        (Evidence::Composition(mut proof), Evidence::Composition(original)) => {
            proof.assumptions[0].digest = original.assumptions[0].digest.clone();
            proof.premises = original.premises.clone();
            Evidence::Composition(proof)
        }
        _ => panic!("the evidence is of the same kind"),
    }
}

/// A process that knows actions of both groups: in one of them only, it does not help.
#[test]
fn a_process_may_have_to_be_in_both_groups() {
    let parts = [
        from_marked(1, &[(0, "x!", 0)], &[]),
        from_marked(1, &[(0, "x?", 0), (0, "y!", 0)], &[]),
        from_marked(1, &[], &["y?"]),
    ];
    let parts = parts.into_iter().enumerate().map(|(i, part)| Part::new(format!("M{i}"), part)).collect();
    let never_y = from_marked(1, &[(0, "x;", 0)], &["y;"]).into_lts();
    let process = Component::new("T", never_y);
    let system = System::new(parts, vec![process]).expect("they can be composed");
    let problem = problem(system, Aim::Compatible);
    let (proof, _) = proof_of(&problem, &plan(Source::Direct, [vec![0], vec![1, 2]]));
    let Evidence::Interface(right) = proof.evidence(&problem) else { panic!("it is an interface proof") };
    let is_believed = |proof| judged(&problem, Evidence::Interface(proof)).is_ok();
    assert_eq!((&right.first, &right.second), (&vec![0, 3], &vec![1, 2, 3]));
    assert!(!is_believed(InterfaceProof { second: vec![1, 2], ..right.clone() }));
    assert!(is_believed(right));
}

/// Without one of its premises, or one of its parts, a proof proves nothing.
#[test]
fn a_premise_that_is_left_out_is_missed() {
    let mut counts = [0; 4];
    for seed in seeds(3000) {
        let mut rng = Rng::new(seed);
        let aim = usize::try_from(seed % 4).expect("a small number");
        let problem = random_problem(&mut rng, aim);
        let groups = random_groups(&mut rng, &problem);
        let answer = verify(&problem, &plan(Source::Direct, groups), &Budget::UNLIMITED);
        let Ok(Ok((Answer::Proved(proof), _))) = answer else { continue };
        let evidence = proof.evidence(&problem);
        for wrong in with_something_left_out(&problem, &evidence) {
            assert!(judged(&problem, wrong.clone()).is_err(), "seed {seed}: {wrong:?}");
            counts[aim] += 1;
        }
    }
    assert!(is_single_seed() || counts.iter().all(|&count| count > 50), "{counts:?}");
}

/// The evidence without each of its premises, or without each component that can fail.
fn with_something_left_out(problem: &Problem, evidence: &Evidence) -> Vec<Evidence> {
    match evidence {
        Evidence::Composition(proof) => {
            let without = |premise: usize| {
                let mut wrong = proof.clone();
                wrong.premises.remove(premise);
                Evidence::Composition(wrong)
            };
            (0..proof.premises.len()).map(without).collect()
        }
        Evidence::Interface(proof) => {
            let network = problem.network();
            let can_fail = |&member: &usize| network.components()[member].lts.error().is_some();
            let members: Vec<usize> =
                proof.first.iter().chain(&proof.second).copied().filter(can_fail).collect();
            let without = |left_out: usize| {
                let mut wrong = proof.clone();
                wrong.first.retain(|&member| member != left_out);
                wrong.second.retain(|&member| member != left_out);
                Evidence::Interface(wrong)
            };
            members.into_iter().map(without).collect()
        }
        _ => panic!("a rule gives one of these"),
    }
}

/// The judge completes automata by itself, from the definitions, and comes to the same networks.
#[test]
fn the_judge_knows_by_itself_which_network_a_question_is_about() {
    let mut counts = [0; 2];
    for seed in seeds(4000) {
        let mut rng = Rng::new(seed);
        let problem = random_problem(&mut rng, (seed % 4) as usize);
        let system = &problem.system;
        let question = InterfaceQuestion {
            parts: system.parts().iter().map(|part| (part.name.as_str(), &*part.automaton)).collect(),
            constraints: system.constraints(),
            aim: match &problem.aim {
                Aim::Compatible => InterfaceAim::Compatible,
                Aim::Safe(goal) => InterfaceAim::Safe(&goal.components),
                Aim::CompatibleAndSafe(goal) => InterfaceAim::CompatibleAndSafe(&goal.components),
                Aim::Refines(specification) => InterfaceAim::Refines(specification),
            },
            every_environment: problem.question.environment == Environment::Arbitrary,
            weak: problem.question.receptiveness == Receptiveness::Eventually,
        };
        let network = question.network();
        assert_eq!(
            network.is_some(),
            problem.well_posed().is_ok(),
            "seed {seed}: {:?}",
            problem.well_posed()
        );
        counts[usize::from(network.is_some())] += 1;
        let Some(network) = network else { continue };
        assert_eq!(question.goal_components(), problem.goal_components(), "seed {seed}");
        let identities =
            |network: &Network| -> Vec<Identity> { network.components().iter().map(Identity::of).collect() };
        assert_eq!(identities(&network), identities(&problem.network()), "seed {seed}: {:?}", problem.aim);
    }
    assert!(is_single_seed() || counts[1] > 2000, "{counts:?}");
}
