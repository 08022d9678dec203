//! What a reduction or a localisation has proved is certified by evidence of the reduction itself, and whoever changes the
//! evidence, or the components, has to have a proof all the same.

mod changes;
mod following;

use std::sync::Arc;

use rely_assume::{Answer, Effort, Judgeable, Localisation, Problem, Reduction, Whole, parts_of};
use rely_base::{Budget, Id};
use rely_certificate::{Claim, Evidence, Property, ReductionStep, Rejection, check};
use rely_lts::{Component, ComponentId, LtsBuilder, Network};
use rely_testkit::naive::assumption as naive;
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use crate::changes::{CHANGES, change};

const ANY: Budget<'static> = Budget::UNLIMITED;
const ACTIONS: &[&str] = &["a", "b", "c", "d", "e"];

/// A network, the components that must not fail, and those that only look on.
struct Case {
    network: Network,
    goal: Vec<ComponentId>,
    observers: Vec<ComponentId>,
}

impl Case {
    /// Two to six parts, of which some may fail, a goal that looks on or takes part, and now and then another property.
    fn random(rng: &mut Rng) -> Self {
        let shape = Shape { components: 3, states: 4, errors: rng.chance(1, 3), ..Shape::FULL };
        let mut components: Vec<Component> = (0..2 + rng.below(5))
            .map(|i| Component { name: format!("M{i}"), lts: Arc::new(networks::component(rng, &shape)) })
            .collect();
        let mut add = |lts| {
            components.insert(0, Component { name: "P".to_owned(), lts: Arc::new(lts) });
        };
        let mut goals = 1;
        if rng.chance(1, 2) {
            goals += rng.below(2);
            (0..goals).for_each(|_| add(networks::property(rng, 3, ACTIONS)));
        } else {
            add(networks::component(rng, &Shape { errors: true, ..shape }));
        }
        let mut observers = Vec::new();
        if rng.chance(1, 4) {
            observers.push(ComponentId::from_index(components.len()));
            components
                .push(Component { name: "Q".to_owned(), lts: Arc::new(networks::property(rng, 3, ACTIONS)) });
        }
        let goal = (0..goals).map(ComponentId::from_index).collect();
        Self { network: Network::new(components), goal, observers }
    }

    fn problem(&self) -> Problem {
        Problem::new("P", &self.network, &self.goal, &self.observers)
    }

    fn judge(&self, evidence: Evidence) -> Result<(), Rejection> {
        let property = Property::Unbroken { name: "P", components: &self.goal, observers: &self.observers };
        let claim = Claim::new("S", &self.network, &property, evidence);
        check(&claim, &self.network, &property, &ANY)
    }

    /// The evidence of a reduction, if it proves the problem.
    fn reduced(&self) -> Option<Evidence> {
        let mut reduction = Reduction::new(&self.problem());
        let fails = reduction.run(&ANY, &mut Effort::default()).expect("there is no limit");
        let parts = parts_of(&self.network, &self.goal, &self.observers);
        let whole = Whole { network: &self.network, parts: &parts, goal: &self.goal };
        let evidence =
            || whole.reduction_evidence(reduction.compositions(), &ANY).expect("there is no limit");
        (!fails).then(|| Evidence::Reduction(evidence().expect("what was proved has evidence")))
    }

    /// The evidence of a localisation, if it proves the problem.
    fn localised(&self) -> Option<Evidence> {
        let problem = self.problem();
        let mut localisation = Localisation::new(&problem);
        let outcome = localisation.run_for(usize::MAX, &problem, &ANY, &mut Effort::default());
        let Ok(Answer::Proved(())) = outcome else { return None };
        let parts = parts_of(&self.network, &self.goal, &self.observers);
        let whole = Whole { network: &self.network, parts: &parts, goal: &self.goal };
        let inside: Vec<usize> = localisation.inside().collect();
        match whole.evidence_of_parts(&problem, &inside, &ANY).expect("there is no limit") {
            Judgeable::ByReduction(proof) => Some(Evidence::Reduction(proof)),
            Judgeable::ByProduct | Judgeable::Dear => panic!("what was proved has evidence"),
        }
    }
}

/// Whether several pieces were replaced by one.
fn has_compositions(evidence: &Evidence) -> bool {
    let Evidence::Reduction(proof) = evidence else { panic!("it is evidence of a reduction") };
    let composes = |step: &ReductionStep| match step {
        ReductionStep::Replace { pieces, .. } => pieces.len() > 1,
        ReductionStep::Never { .. } | ReductionStep::Idle { .. } => false,
    };
    proof.steps.iter().any(composes)
}

#[test]
fn every_proof_is_certified() {
    let (mut proved, mut composed) = (0, 0);
    for seed in seeds(3000) {
        let case = Case::random(&mut Rng::new(seed));
        let fails = naive::fails(&case.problem().components());
        for evidence in [case.reduced(), case.localised()] {
            assert_eq!(evidence.is_none(), fails, "seed {seed}");
            let Some(evidence) = evidence else { continue };
            composed += usize::from(has_compositions(&evidence));
            assert_eq!(case.judge(evidence), Ok(()), "seed {seed}");
            proved += 1;
        }
    }
    let enough = proved > 1000 && composed > 200;
    assert!(enough || is_single_seed(), "too few to mean anything: {proved}, {composed} with compositions");
}

#[test]
fn a_changed_proof_is_accepted_only_if_it_is_one() {
    let mut accepted = [0; CHANGES.len()];
    let mut rejected = [0; CHANGES.len()];
    for seed in seeds(1500) {
        let rng = &mut Rng::new(seed);
        let case = Case::random(rng);
        let Some(Evidence::Reduction(proof)) = case.reduced() else { continue };
        assert!(following::is_proof(&case.network, &proof), "seed {seed}");
        for (i, kind) in CHANGES.into_iter().enumerate() {
            let mut changed = proof.clone();
            let size = case.network.components().len();
            change(&mut changed, kind, (size, ACTIONS), rng);
            if changed == proof {
                continue;
            }
            let judgement = case.judge(Evidence::Reduction(changed.clone()));
            let is_proof = following::is_proof(&case.network, &changed);
            assert!(is_proof || judgement.is_err(), "seed {seed}, {kind:?}");
            accepted[i] += usize::from(judgement.is_ok());
            rejected[i] += usize::from(judgement.is_err());
        }
    }
    let enough = rejected.iter().all(|&count| count >= 10) && accepted.iter().sum::<usize>() > 0;
    assert!(enough || is_single_seed(), "accepted {accepted:?}, rejected {rejected:?}");
}

/// A component gets a transition more, or one that leads elsewhere, and the proof stays as it was.
#[test]
fn a_proof_for_other_components_is_accepted_only_if_nothing_fails() {
    let (mut accepted, mut failing) = (0, 0);
    for seed in seeds(2500) {
        let rng = &mut Rng::new(seed);
        let case = Case::random(rng);
        let evidence = if rng.chance(1, 2) { case.reduced() } else { case.localised() };
        let Some(evidence) = evidence else { continue };
        for _ in 0..6 {
            let other = Case {
                network: (0..1 + rng.below(8))
                    .fold(case.network.clone(), |network, _| changed_network(&network, rng)),
                goal: case.goal.clone(),
                observers: case.observers.clone(),
            };
            let fails = naive::fails(&other.problem().components());
            let judgement = other.judge(evidence.clone());
            assert!(!fails || judgement.is_err(), "seed {seed}");
            accepted += usize::from(judgement.is_ok());
            failing += usize::from(fails);
        }
    }
    assert!((accepted > 100 && failing > 100) || is_single_seed(), "{accepted} accepted, {failing} failing");
}

fn changed_network(network: &Network, rng: &mut Rng) -> Network {
    let mut components = network.components().to_vec();
    let place = rng.below(components.len());
    let lts = Arc::clone(&components[place].lts);
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_error(lts.error());
    let mut transitions: Vec<_> = lts.transitions().collect();
    let state = |rng: &mut Rng| rely_base::StateId::from_index(rng.below(lts.state_count()));
    if !transitions.is_empty() {
        let changed = rng.below(transitions.len());
        let mut transition = transitions[changed];
        match rng.below(3) {
            0 => transition.target = state(rng),
            1 => transition.source = state(rng),
            _ => transition.label = transitions[rng.below(transitions.len())].label,
        }
        match rng.chance(1, 2) {
            true => transitions.push(transition),
            false => transitions[changed] = transition,
        }
    }
    transitions.retain(|transition| Some(transition.source) != lts.error());
    transitions.into_iter().for_each(|t| builder.add_transition(t.source, t.label, t.target));
    components[place].lts = Arc::new(builder.build());
    Network::new(components)
}
