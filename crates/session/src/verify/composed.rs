//! `verify` for compositions of message components: from the properties of their parts, by abstraction; or in the product.
//!
//! The abstraction ([`rely_decide::prove`]) is asked first, as if all properties that the parts declare were true. Those that its proof uses are
//! then verified on their components, once for all instances; if one is not true, it is not offered any more, and the
//! proof is looked for again. A part that is a composition itself is verified in the same way. Where there is no such proof, the
//! product of all processes decides, within the limits: what is *violated* is always a run of the components themselves.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rely_assume::Strategy;
use rely_base::Budget;
use rely_certificate::{Certificate, Claim, Evidence, Property};
use rely_decide::{Abstraction, Offer, Outcome, Proof, Unknown};
use rely_lts::{Behaviour, Observation, Program};
use rely_model::{Commitments, Composition, Failure};
use rely_omega::{Commitment, Justice, Scheduling};

use super::packaged::{Judged, judged};
use super::{Verified, VerifyQuery};
use crate::meaning::{Meaning, is_made_by};
use crate::report::{AbstractionEffort, Finding, Report, TraceStep, Used, Verdict, VerifyResult};
use crate::repository::Packages;
use crate::states::StateNaming;
use crate::{Internal, Project, explain};

/// The answers about a system that commits itself to something, or about commitments that a file of properties states; nothing about others.
pub(super) fn answered(
    project: &Project,
    query: &VerifyQuery<'_>,
    packages: Option<&dyn Packages>,
    budget: Budget<'_>,
) -> Result<Option<Verified>, Internal> {
    let mut meaning = Meaning::with_properties(project, budget);
    if !meaning.has_target(&query.system) {
        return Ok(None);
    }
    // What is wrong is told by the usual way.
    let Ok(declared) = meaning.declared_commitments(&query.system) else { return Ok(None) };
    let Ok(Some(commitments)) = meaning.commitments(&query.system) else { return Ok(None) };
    let is_asked =
        |name: &str| query.properties.is_empty() || query.properties.iter().any(|it| is_made_by(name, it));
    let names: Vec<String> = commitments.list.iter().map(|it| it.name.clone()).collect();
    let unknown = query.properties.iter().filter(|it| !names.iter().any(|name| is_made_by(name, it)));
    let unknown: Vec<&String> = unknown.collect();
    if declared.is_none() && (query.properties.is_empty() || !unknown.is_empty()) {
        return Ok(None);
    }
    let mut findings: Vec<Finding> = unknown
        .into_iter()
        .map(|name| {
            let message = format!("{} has no property `{name}`", query.system);
            let mut finding = Finding::about(project.name(), explain::NO_SUCH_PROPERTY, &message);
            finding.help = Some(format!("there are {}", names.join(", ")));
            finding
        })
        .collect();
    let mut verifier =
        Verifier { meaning, query, packages, budget, known: BTreeMap::new(), claims: Vec::new() };
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
    /// Where verified components are found.
    packages: Option<&'q dyn Packages>,
    budget: Budget<'a>,
    /// What is known of properties of components, by component and property.
    known: BTreeMap<(String, String), Known>,
    claims: Vec<Claim>,
}

/// What is known of a property of a component.
#[derive(Clone, Default)]
struct Known {
    /// Whether it holds, if that was asked.
    holds: Option<bool>,
    /// Whether it holds one step longer than what it assumes, if that was asked.
    longer: Option<bool>,
    /// The states of the search for it.
    states: usize,
    time_ms: u64,
    /// The package that it was found in.
    package: Option<String>,
}

/// A component on its own.
pub(super) struct Alone {
    pub(super) program: Program,
    pub(super) commitments: Commitments,
    pub(super) scheduling: Scheduling,
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
            match self.by_abstraction(&composition, component, name, false)? {
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
                self.claim(Claim::new(component, &alone.program, &property, evidence));
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
        let Some(program) = target.behaviour.to_program().map(Cow::into_owned) else { return Ok(None) };
        // A file of properties is about the system.
        let commitments = match component == self.query.system {
            true => self.meaning.commitments(component)?,
            false => self.meaning.declared_commitments(component)?,
        };
        let Some(commitments) = commitments else { return Ok(None) };
        let scheduling = commitments.scheduling(Justice::Weak);
        Ok(Some(Alone { program, commitments, scheduling }))
    }

    /// A proof from properties of the parts, or why there is none. If `longer`, the property is to hold one step longer than what it
    /// assumes.
    fn by_abstraction(
        &mut self,
        composition: &Composition,
        component: &str,
        name: &str,
        longer: bool,
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
        let mut effort = AbstractionEffort::default();
        loop {
            let started = (self.query.clock)();
            let outcome = rely_decide::prove(&abstraction, goal, &offers, longer, &self.budget)?;
            effort.time_ms += (self.query.clock)().saturating_sub(started);
            let proof = match outcome {
                Outcome::Proved(proof) => proof,
                Outcome::Open { missing, circles } => {
                    return Ok(Err(in_words(composition, &offers, &missing, &circles)));
                }
            };
            effort.states += proof.states;
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
                    result.abstraction = Some(effort);
                    result.used =
                        proof.used.iter().map(|&number| self.used(composition, &offers[number])).collect();
                    if self.query.certify {
                        let evidence = Evidence::Derivation(proof.derivation(&offers));
                        self.claim_derived(component, name, evidence, &mut result);
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

    /// What a result says of a property that its proof uses.
    fn used(&self, composition: &Composition, offer: &Offer) -> Used {
        let part = &composition.parts[offer.part];
        let key = (part.component.clone(), offer.commitment.name.clone());
        let known = self.known.get(&key).cloned().unwrap_or_default();
        Used {
            component: part.name.clone(),
            property: offer.commitment.name.clone(),
            package: known.package,
            states: known.states,
            time_ms: known.time_ms,
        }
    }

    /// Adds the claim that a composition keeps a commitment because its parts keep theirs.
    fn claim_derived(&mut self, component: &str, name: &str, evidence: Evidence, result: &mut VerifyResult) {
        let Ok(Some(alone)) = self.alone(component) else {
            result.warnings.push(format!("{component}: {name} is not certified: it has no program"));
            return;
        };
        let Some(commitment) = alone.commitments.list.iter().find(|it| it.name == name) else { return };
        let property = Property::Commitment { commitment, scheduling: &alone.scheduling };
        self.claim(Claim::new(component, &alone.program, &property, evidence));
    }

    fn claim(&mut self, claim: Claim) {
        if !self.claims.contains(&claim) {
            self.claims.push(claim);
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
            let is_longer = proof.one_step.contains(&number);
            let known = self.look(&component, &commitment.name, is_longer)?;
            *peak = (*peak).max(known.states);
            if known.holds != Some(true) && known.longer != Some(true) {
                return Ok(Some(False::Property(number)));
            }
            if is_longer && known.longer != Some(true) {
                return Ok(Some(False::OneStep(number)));
            }
        }
        Ok(None)
    }

    /// What is known of a property of a component after it was looked at; and whether it holds one step longer than what it
    /// assumes, if that is asked.
    fn look(&mut self, component: &str, name: &str, is_longer: bool) -> Result<Known, Internal> {
        let key = (component.to_owned(), name.to_owned());
        let mut known = self.known.get(&key).cloned().unwrap_or_default();
        let started = (self.query.clock)();
        if is_longer && known.longer.is_none() {
            known.longer = Some(self.holds_longer(component, name, &mut known)?);
        }
        // What holds one step longer than what it assumes holds. In a certificate, the evidence of a primitive component is that it holds.
        let is_enough = known.longer == Some(true) && (!self.query.certify || self.is_composed(component));
        if known.holds.is_none() && !is_enough {
            known.holds = Some(match self.packaged(component, name)? {
                Some(package) => {
                    known.package = Some(package);
                    true
                }
                None => {
                    let result = self.prove(component, name, Strategy::Auto)?;
                    known.states = known.states.max(result.peak_states);
                    result.verdict == Verdict::Holds
                }
            });
        }
        known.time_ms += (self.query.clock)().saturating_sub(started);
        self.known.insert(key, known.clone());
        Ok(known)
    }

    fn is_composed(&mut self, component: &str) -> bool {
        matches!(self.meaning.composition(component), Ok(Some(_)))
    }

    /// Whether a property of a component holds one step longer than what it assumes; where a limit is met it is not known to. That of a
    /// composition has to follow from its parts: its product may be too large.
    fn holds_longer(&mut self, component: &str, name: &str, known: &mut Known) -> Result<bool, Internal> {
        match self.meaning.composition(component) {
            Ok(Some(composition)) => {
                let proved = self.by_abstraction(&composition, component, name, true)?;
                let Ok(result) = proved else { return Ok(false) };
                known.states = known.states.max(result.peak_states);
                Ok(true)
            }
            Ok(None) => {
                let Ok(Some(alone)) = self.alone(component) else { return Ok(false) };
                let Some(own) = alone.commitments.list.iter().find(|it| it.name == name) else {
                    return Ok(false);
                };
                let answer = rely_decide::holds_one_step_longer(&alone.program, own, &self.budget);
                let (holds, states) = answer.unwrap_or_default();
                known.states = known.states.max(states);
                Ok(holds)
            }
            Err(_) => Ok(false),
        }
    }

    /// The package in which there is evidence for a property of a component, after it has been judged on the component as it is here.
    fn packaged(&mut self, component: &str, name: &str) -> Result<Option<String>, Internal> {
        let Some(packages) = self.packages else { return Ok(None) };
        let Ok(Some(alone)) = self.alone(component) else { return Ok(None) };
        let Some(Judged { package, claim }) = judged(packages, component, &alone, name, &self.budget) else {
            return Ok(None);
        };
        if self.query.certify {
            self.claim(claim);
        }
        Ok(Some(package))
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
        let advice = match others.is_empty() {
            true => "assume it".to_owned(),
            false => format!("prove it of {}, or assume it", others.join(" or ")),
        };
        texts.push(format!("{} needs {assumption}: {advice}", name(number)));
    }
    match texts.is_empty() {
        true => "it does not follow from the properties of the parts".to_owned(),
        false => texts.join("; "),
    }
}
