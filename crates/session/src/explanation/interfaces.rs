//! Collects an explanation of an answer about interface automata.

use std::sync::Arc;

use rely_base::{Budget, Limits};
use rely_decide::Counterexample;
use rely_interface::{Aim, Problem, Proof};
use rely_lts::{InterfaceAutomaton, Network};

use super::gather::{connections, described, states_of};
use super::run::refutation;
use super::{
    Argument, AssumptionShown, Explanation, Group, Member, PremiseShown, Question, RuleProof, Standing,
};
use crate::report::{CoverageResult, Forbidden, Verdict, VerifyResult};

/// A product with more states than this is not counted for a page.
const MOST_STATES: usize = 1 << 20;

/// The data that an analysis of interface automata leaves.
#[derive(Default)]
pub(crate) struct InterfaceTrail {
    /// The proofs, each with the problem that it proves: for a property alone, that of compatibility comes first.
    pub(crate) proofs: Vec<(Problem, Proof)>,
    /// The run, and the network that it is a run of.
    pub(crate) run: Option<(Network, Counterexample)>,
}

/// The explanation of an answer about interface automata.
pub(crate) fn explain_interfaces(
    problem: &Problem,
    result: &VerifyResult,
    trail: &InterfaceTrail,
    coverage: CoverageResult,
    budget: &Budget<'_>,
) -> Explanation {
    let narrow = budget.narrowed(Limits { states: Some(MOST_STATES), bytes: None });
    let network = problem.network();
    let groups = [&result.left, &result.right].map(Clone::clone);
    let argument = match (&trail.run, trail.proofs.last()) {
        (Some((network, run)), _) => refuted(problem, network, run, result),
        (None, Some(_)) => Argument::Rule(rule(problem, result, trail, &narrow)),
        (None, None) if result.verdict == Verdict::Holds => Argument::Product {
            inside: (0..problem.system.parts().len()).collect(),
            states: states_of(network.components().to_vec(), &narrow),
            has_priority: false,
        },
        (None, None) => Argument::Nothing,
    };
    Explanation {
        system: result.system.clone(),
        property: result.property.clone(),
        question: match problem.aim {
            Aim::Compatible => Question::Compatibility,
            Aim::Safe(_) | Aim::CompatibleAndSafe(_) => Question::Property,
            Aim::Refines(_) => Question::Refinement,
        },
        verdict: result.verdict,
        asked: match &result.rule {
            Some(rule) => format!("{} with the rule {rule}", result.strategy),
            None => result.strategy.clone(),
        },
        strategy: result.strategy.clone(),
        reason: result.reason.clone(),
        warnings: result.warnings.clone(),
        members: members(problem, &network, &groups),
        fails_beside: Vec::new(),
        connections: connections(network.components()),
        argument,
        coverage,
        peak_states: result.peak_states,
        queries: result.queries,
        conjectures: result.conjectures,
        identities: Vec::new(),
        reused: None,
        broken_assumption: None,
        is_rechecked: false,
    }
}

/// The members, in the order of the network: parts, constraints, and the other components that must not fail.
fn members(problem: &Problem, network: &Network, groups: &[Vec<String>; 2]) -> Vec<Member> {
    let parts = problem.system.parts();
    let goal = problem.goal_components();
    let member = |(i, component): (usize, &rely_lts::Component)| {
        let automaton = parts.get(i).map(|part| &part.automaton);
        Member {
            name: component.name.clone(),
            definition: component.name.clone(),
            standing: match goal.iter().any(|id| rely_base::Id::index(*id) == i) {
                true => Standing::Property,
                false => Standing::Part,
            },
            group: groups.iter().position(|group| i < parts.len() && group.contains(&component.name)),
            lts: automaton
                .map_or_else(|| component.lts.clone(), |automaton| Arc::new(automaton.lts().clone())),
            roles: automaton.map(|automaton| automaton.roles().to_vec()),
            source: None,
        }
    };
    network.components().iter().enumerate().map(member).collect()
}

fn refuted(problem: &Problem, network: &Network, run: &Counterexample, result: &VerifyResult) -> Argument {
    let before = problem.system.parts().len() + problem.system.constraints().len();
    match refutation(network, run, before, Standing::Property) {
        Some(mut refutation) => {
            // A rule finds a run that shows a word at the interface, so there may be shorter ones.
            refutation.is_shortest = result.shortest;
            refutation.fault.clone_from(&result.reason);
            Argument::Run(Box::new(refutation))
        }
        None => Argument::Nothing,
    }
}

fn rule(problem: &Problem, result: &VerifyResult, trail: &InterfaceTrail, budget: &Budget<'_>) -> RuleProof {
    let parts = problem.system.parts();
    let mut groups = Vec::new();
    let (mut premises, mut assumptions) = (Vec::new(), Vec::new());
    for (i, (problem, proof)) in trail.proofs.iter().enumerate() {
        let name = format!("A{}", i + 1);
        let components = problem.components();
        groups = proof
            .groups
            .iter()
            .map(|parts| {
                let picked = parts.iter().map(|&part| components[part].clone()).collect();
                Group { parts: parts.clone(), states: states_of(picked, budget) }
            })
            .collect();
        let networks = proof.premises(problem);
        let statements = problem.aim.premises().into_iter().zip(in_words(&problem.aim)).zip(networks);
        premises.extend(statements.map(|((statement, words), network)| PremiseShown {
            statement: statement.replace('A', &name),
            words: words.replace("{A}", &name),
            states: states_of(network.components().to_vec(), budget),
        }));
        assumptions.push(assumption(&name, &proof.assumption));
    }
    debug_assert!(groups.iter().flat_map(|group| &group.parts).all(|&part| part < parts.len()));
    let conclusion = match &problem.aim {
        Aim::Compatible => "M1 ~ M2",
        Aim::Safe(_) => "M1 ‖ M2 ⊨ P",
        Aim::CompatibleAndSafe(_) => "M1 ~ M2 and M1 ‖ M2 ⊨ P",
        Aim::Refines(_) => "M1 ‖ M2 ≼ S",
    };
    RuleProof {
        rule: result.rule.clone().unwrap_or_default(),
        conclusion: conclusion.to_owned(),
        groups,
        premises,
        assumptions,
        conditions: vec![
            "the assumption is over the actions that M2 shares with M1 and with what is to be shown; about some of them \
             M2 decides, and the others it has to take"
                .to_owned(),
        ],
        soundness: "take a run of the whole by which something fails, and what the interface shows of it. Each action \
                    that the second group has to take is accepted by the assumption, or the first premise would fail; \
                    each that it sends is allowed by it, or the second would. So the assumption follows the run on both \
                    sides, and whoever fails does so in a premise"
            .to_owned(),
    }
}

/// The premises of the rule for an aim, in words.
fn in_words(aim: &Aim) -> [&'static str; 2] {
    let refines = "M2 can take the place of {A}: it accepts at least what {A} accepts, and sends at most what {A} sends.";
    match aim {
        Aim::Compatible => ["M1 and {A} take whatever they send to each other.", refines],
        Aim::Safe(_) => ["M1 never breaks P where its environment keeps to {A}.", "M2 keeps to {A}."],
        Aim::CompatibleAndSafe(_) => {
            ["M1 and {A} take whatever they send to each other, and together they never break P.", refines]
        }
        Aim::Refines(_) => {
            ["M1 and {A} take whatever they send to each other, and together they refine S.", refines]
        }
    }
}

fn assumption(name: &str, automaton: &InterfaceAutomaton) -> AssumptionShown {
    let lts = Arc::new(automaton.lts().clone());
    let (mut forbids, further) = described(&lts);
    let mark = |name: &mut String| {
        if let Some(role) = automaton.role_named(name) {
            name.push(role.mark());
        }
    };
    for Forbidden { after, actions } in &mut forbids {
        after.iter_mut().chain(actions).for_each(mark);
    }
    AssumptionShown {
        name: name.to_owned(),
        lts,
        roles: Some(automaton.roles().to_vec()),
        between: "M1 relies on it, and M2 can take its place. An input (?) that it does not have in a state must not be \
                  sent to M2 there; an output (!) that it does not have must not be sent by M2."
            .to_owned(),
        stands_for: vec![1],
        forbids,
        further,
    }
}
