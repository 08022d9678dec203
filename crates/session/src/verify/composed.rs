//! `verify` for compositions of message components: from the properties of their parts, by abstraction; or in the product.
//!
//! The abstraction ([`rely_decide::prove`]) is asked first, as if all properties that the parts declare were true. Those that its proof uses are
//! then verified on their components, once for all instances; if one is not true, it is not offered any more, and the
//! proof is looked for again. A part that is a composition itself is verified in the same way. Where there is no such proof, the
//! product of all processes decides, within the limits: what is *violated* is always a run of the components themselves.

use std::collections::BTreeMap;

use rely_assume::Strategy;
use rely_base::Budget;
use rely_certificate::{Certificate, Claim, Property};
use rely_decide::{Abstraction, Offer, Outcome, Proof, Unknown};
use rely_lts::{Behaviour, Observation, Program};
use rely_model::{Commitments, Composition, Failure};
use rely_omega::{Commitment, Justice, Scheduling};

use super::{Verified, VerifyQuery};
use crate::meaning::{Meaning, is_made_by};
use crate::report::{Finding, Report, TraceStep, Used, Verdict, VerifyResult};
use crate::states::StateNaming;
use crate::{Internal, Project, explain};

/// The answers about a system that commits itself to something; nothing about others.
pub(super) fn answered(
    project: &Project,
    query: &VerifyQuery<'_>,
    budget: Budget<'_>,
) -> Result<Option<Verified>, Internal> {
    let mut meaning = Meaning::of(project, budget);
    if !meaning.has_target(&query.system) {
        return Ok(None);
    }
    // What is wrong is told by the usual way.
    let Ok(Some(commitments)) = meaning.commitments(&query.system) else { return Ok(None) };
    let is_asked =
        |name: &str| query.properties.is_empty() || query.properties.iter().any(|it| is_made_by(name, it));
    let names: Vec<String> = commitments.list.iter().map(|it| it.name.clone()).collect();
    let unknown = query.properties.iter().filter(|it| !names.iter().any(|name| is_made_by(name, it)));
    let mut findings: Vec<Finding> = unknown
        .map(|name| {
            let message = format!("{} has no property `{name}`", query.system);
            let mut finding = Finding::about(project.name(), explain::NO_SUCH_PROPERTY, &message);
            finding.help = Some(format!("there are {}", names.join(", ")));
            finding
        })
        .collect();
    let mut verifier = Verifier { meaning, query, budget, known: BTreeMap::new(), claims: Vec::new() };
    let mut results = Vec::new();
    if findings.is_empty() {
        for name in names.iter().filter(|name| is_asked(name)) {
            let started = (query.clock)();
            let mut result = verifier.prove(&query.system, name, query.strategy)?;
            result.time_ms = (query.clock)().saturating_sub(started);
            results.push(result);
        }
    }
    findings.extend(verifier.meaning.findings());
    if findings.iter().any(|finding| finding.severity == crate::report::Level::Error) {
        results.clear();
    }
    Ok(Some(Verified {
        report: Report::new("verify", results, findings),
        certificate: Certificate::new(verifier.claims),
        explanations: Vec::new(),
    }))
}

struct Verifier<'a, 'q> {
    meaning: Meaning<'a>,
    query: &'q VerifyQuery<'q>,
    budget: Budget<'a>,
    /// Whether properties of components hold; and whether they hold one step longer than what they assume, if that was asked.
    known: BTreeMap<(String, String), (bool, Option<bool>)>,
    claims: Vec<Claim>,
}

/// A component on its own.
struct Alone {
    program: Program,
    commitments: Commitments,
    scheduling: Scheduling,
}

impl Verifier<'_, '_> {
    /// Whether a component keeps the commitment with a name.
    fn prove(&mut self, component: &str, name: &str, strategy: Strategy) -> Result<VerifyResult, Internal> {
        let mut result = VerifyResult::unknown(component, name, Strategy::Monolithic.name());
        let by_abstraction = matches!(strategy, Strategy::Auto | Strategy::Abstract);
        let composition = match self.meaning.composition(component) {
            Ok(composition) => composition.filter(|_| by_abstraction),
            Err(Failure::Exhausted(exhausted)) => {
                result.reason = Some(exhausted.to_string());
                return Ok(result);
            }
            Err(Failure::Errors) => return Ok(result),
        };
        let mut why = None;
        if let Some(composition) = composition {
            match self.by_abstraction(&composition, component, name)? {
                Ok(proved) => return Ok(proved),
                Err(reason) => why = Some(format!("no proof from the parts: {reason}")),
            }
        }
        if strategy == Strategy::Abstract && why.is_some() {
            result.strategy = Strategy::Abstract.name().to_owned();
            result.reason = why;
            return Ok(result);
        }
        self.directly(component, name, why, result)
    }

    /// In the product of all processes.
    fn directly(
        &mut self,
        component: &str,
        name: &str,
        why: Option<String>,
        mut result: VerifyResult,
    ) -> Result<VerifyResult, Internal> {
        let alone = match self.alone(component) {
            Ok(Some(alone)) => alone,
            Ok(None) | Err(Failure::Errors) => return Ok(result),
            Err(Failure::Exhausted(exhausted)) => {
                result.reason = Some(exhausted.to_string());
                return Ok(result);
            }
        };
        let Some(commitment) = alone.commitments.list.iter().find(|it| it.name == name) else {
            return Ok(result);
        };
        let decision =
            rely_decide::check_commitment(&alone.program, commitment, &alone.scheduling, &self.budget)?;
        result.peak_states = decision.explored.states;
        let behaviour = Behaviour::from(alone.program.clone());
        match decision.verdict {
            rely_decide::Verdict::Holds(_) => {
                result.verdict = Verdict::Holds;
                result.reason = why;
                self.certify(component, &alone, commitment, &mut result);
            }
            rely_decide::Verdict::Violated(run) => {
                result.verdict = Verdict::Violated;
                result.trace = run.trace_names().into_iter().map(str::to_owned).collect();
                result.cycle = run.cycle_names().into_iter().map(str::to_owned).collect();
                result.shortest = run.trace.is_empty();
                if run.cycle.is_empty() {
                    result.reason = Some("it ends where nothing is possible any more".to_owned());
                }
                result.components = behaviour.part_names().into_iter().map(str::to_owned).collect();
                // Programs have variables instead of states with names.
                let step = |step| TraceStep::new(step, &behaviour, &StateNaming::default());
                result.steps = run.trace.into_iter().map(step).collect();
                result.cycle_steps = run.cycle.into_iter().map(step).collect();
            }
            rely_decide::Verdict::Unknown(unknown) => {
                let reason = match &unknown {
                    Unknown::Cut(_) => format!("bounded: {}", unknown.describe(&behaviour)),
                    other => other.to_string(),
                };
                result.reason = Some(
                    why.map_or_else(|| reason.clone(), |why| format!("{why}; in the product: {reason}")),
                );
            }
        }
        Ok(result)
    }

    /// Adds the claim that a component keeps a commitment, if certificates are wanted.
    fn certify(
        &mut self,
        component: &str,
        alone: &Alone,
        commitment: &Commitment<Observation>,
        result: &mut VerifyResult,
    ) {
        if !self.query.certify {
            return;
        }
        let property = Property::Commitment { commitment, scheduling: &alone.scheduling };
        match rely_decide::certify(&alone.program, &property, &self.budget) {
            Ok(evidence) => {
                let claim = Claim::new(component, &alone.program, &property, evidence);
                if !self.claims.contains(&claim) {
                    self.claims.push(claim);
                }
            }
            Err(exhausted) => {
                result
                    .warnings
                    .push(format!("{component}: {} is not certified: {exhausted}", commitment.name));
            }
        }
    }

    fn alone(&mut self, component: &str) -> Result<Option<Alone>, Failure> {
        let target = self.meaning.behaviour(component)?;
        let Some(program) = target.behaviour.as_program().cloned() else { return Ok(None) };
        let Some(commitments) = self.meaning.commitments(component)? else { return Ok(None) };
        let scheduling = commitments.scheduling(Justice::Weak);
        Ok(Some(Alone { program, commitments, scheduling }))
    }

    /// A proof from properties of the parts, or why there is none.
    fn by_abstraction(
        &mut self,
        composition: &Composition,
        component: &str,
        name: &str,
    ) -> Result<Result<VerifyResult, String>, Internal> {
        if let Some(doubt) = &composition.doubt {
            return Ok(Err(doubt.clone()));
        }
        let Some(goal) = composition.goals.iter().find(|goal| goal.name == name) else {
            return Ok(Err("it has no such property".to_owned()));
        };
        let Composition { propositions, names, letters, .. } = composition;
        let abstraction = Abstraction { propositions, names, letters };
        let mut offers: Vec<Offer> = Vec::new();
        for (part, packaged) in composition.parts.iter().enumerate() {
            let offer = |commitment: &Commitment<Observation>| Offer {
                part,
                commitment: commitment.clone(),
                is_one_step: true,
            };
            offers.extend(packaged.commitments.iter().map(offer));
        }
        let mut peak = 0;
        loop {
            let proof = match rely_decide::prove(&abstraction, goal, &offers, &self.budget)? {
                Outcome::Proved(proof) => proof,
                Outcome::Open { missing, circles } => {
                    return Ok(Err(in_words(composition, &offers, &missing, &circles)));
                }
            };
            let proof = match keeping_all_parts(&offers, proof, composition.parts.len()) {
                Ok(proof) => proof,
                Err(part) => {
                    let part = &composition.parts[part].name;
                    return Ok(Err(format!("no enabled property of {part} shows that it does not fail")));
                }
            };
            match self.first_false(composition, &offers, &proof, &mut peak)? {
                None => {
                    let mut result = VerifyResult::unknown(component, name, Strategy::Abstract.name());
                    result.verdict = Verdict::Holds;
                    result.peak_states = peak;
                    let used = |&number: &usize| Used {
                        component: composition.parts[offers[number].part].name.clone(),
                        property: offers[number].commitment.name.clone(),
                    };
                    result.used = proof.used.iter().map(used).collect();
                    if self.query.certify {
                        result.warnings.push(
                            "the certificate has the properties of the parts; that this one follows from them is not \
                             in it"
                                .to_owned(),
                        );
                    }
                    return Ok(Ok(result));
                }
                Some(False::Property(number)) => _ = offers.remove(number),
                Some(False::OneStep(number)) => offers[number].is_one_step = false,
            }
            if self.budget.is_out_of_time() {
                return Ok(Err("time ran out".to_owned()));
            }
        }
    }

    /// Verifies what a proof uses on the components. The first that does not hold, or not one step longer than what it assumes.
    fn first_false(
        &mut self,
        composition: &Composition,
        offers: &[Offer],
        proof: &Proof,
        peak: &mut usize,
    ) -> Result<Option<False>, Internal> {
        for &number in &proof.used {
            let Offer { part, commitment, .. } = &offers[number];
            let component = composition.parts[*part].component.clone();
            let key = (component.clone(), commitment.name.clone());
            let known = self.known.get(&key).copied();
            let holds = match known {
                Some((holds, _)) => holds,
                None => {
                    let result = self.prove(&component, &commitment.name, Strategy::Auto)?;
                    *peak = (*peak).max(result.peak_states);
                    result.verdict == Verdict::Holds
                }
            };
            let mut one_step = known.and_then(|(_, one_step)| one_step);
            if holds && one_step.is_none() && proof.one_step.contains(&number) {
                let alone = self.alone(&component).ok().flatten();
                let own = alone.as_ref().and_then(|alone| {
                    let own = alone.commitments.list.iter().find(|it| it.name == commitment.name)?;
                    Some((&alone.program, own))
                });
                // Where a limit is met it is not known to.
                one_step = Some(own.is_some_and(|(program, own)| {
                    rely_decide::holds_one_step_longer(program, own, &self.budget).unwrap_or(false)
                }));
            }
            self.known.insert(key, (holds, one_step));
            if !holds {
                return Ok(Some(False::Property(number)));
            }
            if proof.one_step.contains(&number) && one_step != Some(true) {
                return Ok(Some(False::OneStep(number)));
            }
        }
        Ok(None)
    }
}

/// What is not as a proof takes it to be.
enum False {
    /// The property does not hold, or is not known to.
    Property(usize),
    /// It does not hold one step longer than what it assumes, or is not known to.
    OneStep(usize),
}

/// The proof with a property of each part that shows, by induction over time, that the part does not fail; or the first part without one.
fn keeping_all_parts(offers: &[Offer], mut proof: Proof, parts: usize) -> Result<Proof, usize> {
    for part in 0..parts {
        let is_of = |number: &&usize| offers[**number].part == part;
        if proof.one_step.iter().any(|number| is_of(&number)) {
            continue;
        }
        let inductive = proof.inductive.iter().find(|(number, _)| is_of(&number)).cloned();
        let Some((number, rests_on)) = inductive else { return Err(part) };
        for number in rests_on.into_iter().chain([number]) {
            if !proof.used.contains(&number) {
                proof.used.push(number);
            }
            if !proof.one_step.contains(&number) {
                proof.one_step.push(number);
            }
        }
    }
    proof.used.sort_unstable();
    proof.one_step.sort_unstable();
    Ok(proof)
}

/// Why there is no proof, and what would help.
fn in_words(
    composition: &Composition,
    offers: &[Offer],
    missing: &[(usize, usize)],
    circles: &[Vec<usize>],
) -> String {
    let name = |number: usize| {
        let Offer { part, commitment, .. } = &offers[number];
        format!("{}.{}", composition.parts[*part].name, commitment.name)
    };
    let mut texts = Vec::new();
    for circle in circles {
        let names: Vec<String> = circle.iter().chain(circle.first()).map(|&number| name(number)).collect();
        texts.push(format!("the circle {} is refused: each rests on the next", names.join(" -> ")));
    }
    for &(number, place) in missing.iter().take(3) {
        let Offer { part, commitment, .. } = &offers[number];
        let others: Vec<&str> = composition
            .parts
            .iter()
            .enumerate()
            .filter(|(other, _)| other != part)
            .map(|(_, other)| other.name.as_str())
            .collect();
        let assumption = commitment.show(&commitment.assuming[place]);
        texts.push(format!(
            "{} needs {assumption}: prove it of {}, or assume it",
            name(number),
            others.join(" or ")
        ));
    }
    match texts.is_empty() {
        true => "it does not follow from the properties of the parts".to_owned(),
        false => texts.join("; "),
    }
}
