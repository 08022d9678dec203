//! A forger of interface proofs and of simulations: it attacks what is false with evidence of what is similar and true, and
//! with evidence of which nearly everything is right. None is accepted.
//!
//! *Safety by an interface.* The network is one of completed automata, or any other, and by a naive search some component
//! fails in it. The evidence is that of a network from which it differs in some transitions, or has an assumption that allows
//! everything, or nothing. Its groups, inputs and numbers may be changed.
//!
//! *Refinement by a simulation.* By definition 7 an automaton does not refine another. The pairs are those of similar
//! automata of which one does, or of the other reading, or all that there are, with some more or less.

use std::collections::BTreeSet;
use std::sync::Arc;

use rely_base::{Alphabet, Budget, Id, Label, StateId};
use rely_certificate::{
    Assumption, Claim, Evidence, InterfaceProof, Property, Refinement, Rejection, StateTable, check,
    check_refinement,
};
use rely_interface::{Answer, Source, alternating_simulation, verify};
use rely_lts::{InterfaceAutomaton, Lts, LtsBuilder, Network, Role, Transition};
use rely_testkit::interfaces::{self, Shape, signature};
use rely_testkit::naive::interface as naive;
use rely_testkit::naive::product::{NaiveProduct, error_in};
use rely_testkit::networks;
use rely_testkit::rng::{Rng, is_single_seed, seeds};

mod problems;
use problems::{plan, random_groups, random_problem};

const ANY: Budget<'static> = Budget::UNLIMITED;

/// How many forgeries are tried for each false statement.
const TRIES: usize = 12;

const ACTIONS: [&str; 5] = ["a", "b", "c", "d", "e"];

/// A system with some transitions left out, led elsewhere or added; its states keep their numbers.
fn similar(lts: &Lts, rng: &mut Rng) -> Lts {
    let mut steps: Vec<Transition> = lts.transitions().collect();
    let labels = 1 + lts.alphabet().len();
    for _ in 0..1 + rng.below(3) {
        let any_state = |rng: &mut Rng| StateId::from_index(rng.below(lts.state_count()));
        let place = rng.below(steps.len().max(1));
        match (rng.below(3), place < steps.len()) {
            (0, true) => _ = steps.swap_remove(place),
            (1, true) => steps[place].target = any_state(rng),
            _ => {
                let label = Label::from_raw(u32::try_from(rng.below(labels)).expect("a small number"));
                steps.push(Transition { source: any_state(rng), label, target: any_state(rng) });
            }
        }
    }
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_error(lts.error());
    for step in steps.iter().filter(|step| Some(step.source) != lts.error()) {
        builder.add_transition(step.source, step.label, step.target);
    }
    builder.build()
}

/// Whether some component of a network fails, by the definition.
fn fails(network: &Network) -> bool {
    NaiveProduct::new(network).moves.keys().any(|tuple| error_in(network, tuple).is_some())
}

/// A random problem with its network and the evidence for it, if it is safe and an interface proves it.
fn proved(rng: &mut Rng) -> Option<(Network, InterfaceProof)> {
    let aim = *rng.pick(&[0, 2, 3]);
    let problem = random_problem(rng, aim);
    let groups = random_groups(rng, &problem);
    match verify(&problem, &plan(Source::Direct, groups), &ANY) {
        Ok(Ok((Answer::Proved(proof), _))) => match proof.evidence(&problem) {
            Evidence::Interface(proof) => Some((problem.network(), proof)),
            _ => None,
        },
        _ => None,
    }
}

/// A network that is like another one, but for some of its components.
fn similar_network(network: &Network, rng: &mut Rng) -> Network {
    let mut components = network.components().to_vec();
    for _ in 0..1 + rng.below(4) {
        let place = rng.below(components.len());
        components[place].lts = Arc::new(similar(&components[place].lts, rng));
    }
    Network::new(components)
}

/// A proof made by hand: groups at random, and an assumption that allows everything, nothing, or anything.
fn near_proof(network: &Network, rng: &mut Rng) -> InterfaceProof {
    let names: Vec<&str> = ACTIONS.into_iter().filter(|_| rng.chance(3, 4)).collect();
    let percent = *rng.pick(&[0, 40, 70, 100]);
    let states = 1 + rng.below(2);
    let alphabet: Alphabet = names.iter().copied().collect();
    let mut builder = LtsBuilder::with_states(alphabet, states);
    for source in (0..states).map(StateId::from_index) {
        for action in 0..names.len() {
            let label = Label::visible(rely_base::ActionId::from_index(action));
            if rng.chance(percent, 100) {
                builder.add_transition(source, label, StateId::from_index(rng.below(states)));
            }
        }
    }
    let mut groups = [Vec::new(), Vec::new()];
    for member in 0..network.components().len() {
        groups[rng.below(2)].push(member);
    }
    let [first, second] = groups;
    let inputs = names.iter().filter(|_| rng.chance(1, 2)).map(|&name| name.to_owned()).collect();
    InterfaceProof { first, second, inputs, assumption: Assumption::of(&builder.build()) }
}

/// The proof with something changed.
fn changed(mut proof: InterfaceProof, components: usize, rng: &mut Rng) -> InterfaceProof {
    let any = rng.below(components);
    match rng.below(10) {
        0 => proof.first.retain(|&member| member != any),
        1 => proof.second.retain(|&member| member != any),
        // In the other group, or in both, or twice in one.
        2 => std::mem::swap(&mut proof.first, &mut proof.second),
        3 => proof.first.push(any),
        4 => proof.second.push(*rng.pick(&[any, components, usize::MAX])),
        5 => _ = proof.inputs.pop(),
        6 => proof.inputs.push((*rng.pick(&ACTIONS)).to_owned()),
        7 => proof.inputs.clone_from(&proof.assumption.alphabet),
        8 => proof.assumption.states = *rng.pick(&[0, 1, usize::MAX]),
        _ => _ = proof.assumption.transitions.pop(),
    }
    proof
}

/// What was tried.
#[derive(Default, Debug)]
struct Tried {
    /// False statements that were attacked.
    statements: usize,
    forgeries: usize,
    /// Forgeries that were rejected because of what they say about states, and not because they do not fit together.
    deep: usize,
}

#[test]
fn no_forged_interface_proves_that_nothing_fails() {
    let mut tried = Tried::default();
    let shape = networks::Shape { operators: false, states: 3, ..networks::Shape::FULL };
    for seed in seeds(6000) {
        let rng = &mut Rng::new(seed);
        // A network that is similar to one of which there is a proof, or any.
        let (network, proof) = match proved(rng) {
            Some((network, proof)) => (similar_network(&network, rng), Some(proof)),
            None => (networks::network(rng, &shape), None),
        };
        if !fails(&network) {
            continue;
        }
        tried.statements += 1;
        for number in 0..TRIES {
            let mut forgery = match &proof {
                Some(proof) if rng.chance(2, 3) => proof.clone(),
                _ => near_proof(&network, rng),
            };
            for _ in 0..rng.below(3) {
                forgery = changed(forgery, network.components().len(), rng);
            }
            let evidence = Evidence::Interface(forgery.clone());
            let claim = Claim::new("S", &network, &Property::Safety, evidence);
            let Err(rejection) = check(&claim, &network, &Property::Safety, &ANY) else {
                panic!("seed {seed}, forgery {number}: accepted {forgery:#?}")
            };
            tried.forgeries += 1;
            tried.deep += usize::from(matches!(rejection, Rejection::FalsePremise { .. }));
        }
    }
    println!("interface: {tried:?}");
    let is_enough = tried.statements > 500 && tried.deep > 3000;
    assert!(is_enough || is_single_seed(), "too few to mean anything: {tried:?}");
}

/// Two automata of which one may refine the other.
fn random_pair(rng: &mut Rng) -> [InterfaceAutomaton; 2] {
    let inputs: &[&str] = if rng.chance(1, 2) { &["a", "b"] } else { &["a"] };
    let outputs: &[&str] = if rng.chance(1, 2) { &["x", "y"] } else { &["x"] };
    let automaton = |rng: &mut Rng, percent: usize| {
        let of = signature(inputs, outputs, &["h"]);
        interfaces::automaton(rng, &of, &Shape { percent, ..Shape::ANY })
    };
    let (few, many) = (20 + rng.below(50), 50 + rng.below(50));
    [automaton(rng, few), automaton(rng, many)]
}

fn simulation(a: &InterfaceAutomaton, b: &InterfaceAutomaton) -> Option<Vec<[u32; 2]>> {
    let pairs = alternating_simulation(a, b, &ANY).expect("there is no limit")?;
    Some(pairs.into_iter().map(|(p, q)| [p.raw(), q.raw()]).collect())
}

/// The automaton with other transitions, or with a role that differs.
fn similar_automaton(automaton: &InterfaceAutomaton, rng: &mut Rng) -> InterfaceAutomaton {
    let mut roles = automaton.roles().to_vec();
    if rng.chance(1, 3) {
        let place = rng.below(roles.len());
        roles[place] = *rng.pick(&[Role::Input, Role::Output, Role::Internal]);
        return InterfaceAutomaton::new(automaton.lts().clone(), roles);
    }
    InterfaceAutomaton::new(similar(automaton.lts(), rng), roles)
}

/// Pairs that show that something similar is true, or nearly all that there are.
fn forged_pairs([a, b]: &[InterfaceAutomaton; 2], rng: &mut Rng) -> BTreeSet<[u32; 2]> {
    let other = (similar_automaton(a, rng), similar_automaton(b, rng));
    let found = match rng.below(6) {
        0 => simulation(&other.0, b),
        1 => simulation(a, &other.1),
        2 => simulation(b, b),
        3 => simulation(b, a).map(|pairs| pairs.into_iter().map(|[p, q]| [q, p]).collect()),
        4 => simulation(a, a),
        _ => None,
    };
    let all = || {
        let pairs = a.lts().states().flat_map(|p| b.lts().states().map(move |q| [p.raw(), q.raw()]));
        pairs.collect::<Vec<_>>()
    };
    let mut pairs: BTreeSet<[u32; 2]> = found.unwrap_or_else(all).into_iter().collect();
    match rng.below(5) {
        0 => _ = pairs.pop_last(),
        1 => pairs.retain(|_| rng.chance(4, 5)),
        2 => _ = pairs.insert([0, *rng.pick(&[1, 4, u32::MAX])]),
        _ => {}
    }
    pairs
}

#[test]
fn no_forged_simulation_proves_a_refinement() {
    let mut tried = Tried::default();
    for seed in seeds(2500) {
        let rng = &mut Rng::new(seed);
        let [a, mut b] = random_pair(rng);
        // What refines itself, with some transitions more or less.
        if rng.chance(1, 2) {
            b = similar_automaton(&a, rng);
        }
        let pair = [a, b];
        let [a, b] = &pair;
        if naive::refines(a, b, true) {
            continue;
        }
        tried.statements += 1;
        let refinement = Refinement { implementation: ("A", a), specification: ("B", b) };
        for number in 0..TRIES {
            let pairs = forged_pairs(&pair, rng);
            let mut table = StateTable::new(2, 0);
            pairs.iter().for_each(|&pair| table.push(pair));
            let claim = refinement.claim("Q", Evidence::Simulation { pairs: table.encode() });
            let Err(rejection) = check_refinement(&claim, &refinement, &ANY) else {
                panic!("seed {seed}, forgery {number}: accepted {pairs:?}")
            };
            tried.forgeries += 1;
            let is_shallow = matches!(rejection, Rejection::BadSignature(_) | Rejection::NoState(_));
            tried.deep += usize::from(!is_shallow);
        }
    }
    println!("simulation: {tried:?}");
    let is_enough = tried.statements > 500 && tried.deep > 3000;
    assert!(is_enough || is_single_seed(), "too few to mean anything: {tried:?}");
}
