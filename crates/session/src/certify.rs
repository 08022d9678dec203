//! `check --certificate` and `certify`: certificates of what holds, and their judgement.
//!
//! The judge is `rely_certificate`; the engine only makes the evidence. Both read the model through the same front end.

mod alone;
mod coverage;
mod derived;
mod expected;
mod flow;
mod interface;
mod judge;
mod model;

use rely_base::{Budget, Limits};
use rely_certificate::{Certificate, Claim, Decomposition, Evidence, Property, Unreadable};
use rely_lts::Network;
use rely_omega::Justice;

use alone::{Alone, Kept};
use coverage::Coverage;
use derived::Accepted;
pub(crate) use flow::{Rests, choose_evidence_in};
use judge::{Judged, judged, kind};
use model::Model;

use crate::goals::Goals;
use crate::refines::Replacement;
use crate::report::{CertifyResult, CheckResult, Fairness, Finding, Kind, Place, Report, Verdict};
use crate::subject::Subject;
use crate::{Failed, Project, VerifyQuery, begin, explain, verify};

/// A certificate of everything that holds among the results of `check` on the same project.
///
/// # Errors
/// When the input has errors or a limit is met.
pub fn certificate(
    project: &Project,
    results: &[CheckResult],
    budget: Budget<'_>,
) -> Result<Certificate, Failed> {
    // Assumptions, and answers that rest on the environment of a component, get claims of their own below.
    let is_plain = |result: &&CheckResult| result.rests_on.is_empty() && !result.is_assumption;
    let holding = || results.iter().filter(|result| result.verdict == Verdict::Holds).filter(is_plain);
    let claimed = holding().map(|result| (&*result.target, &*result.property));
    let model = Model::read(project, claimed, budget)?;
    let mut claims: Vec<Claim> = Vec::new();
    for result in holding() {
        if let Some((behaviour, commitment)) = model.commitment(&result.target, &result.property) {
            let justice = match result.fairness {
                Some(Fairness::None) => Justice::None,
                Some(Fairness::Strong) => Justice::Strong,
                _ => Justice::Weak,
            };
            let scheduling = model.scheduling(&result.target, justice);
            let property = Property::Commitment { commitment, scheduling: &scheduling };
            let evidence = rely_decide::certify(behaviour, &property, &budget)
                .map_err(|exhausted| Failed::Exhausted(exhausted, Vec::new()))?;
            claims.push(Claim::new(&result.target, behaviour, &property, evidence));
            continue;
        }
        if result.kind == Kind::Safety && result.property != Property::Safety.name() {
            let claim = model.claim_of_watcher(&result.target, &result.property, &budget);
            let mut claim = claim.map_err(|exhausted| Failed::Exhausted(exhausted, Vec::new()))?;
            if let (Some(claim), Some(flow)) = (&mut claim, &result.flow) {
                let constraints = flow.constraints.iter().map(|it| it.name.clone()).collect();
                let rests = Rests { followed: flow.followed.clone(), constraints };
                flow::choose_evidence(claim, &rests, &model, &budget);
            }
            claims.extend(claim);
            continue;
        }
        if result.by_parts.is_some() {
            // The claims about all of its properties say together that nothing fails.
            let query = VerifyQuery { certify: true, ..VerifyQuery::about(&result.target) };
            // A mistake in this program leaves the claims out, and judging the certificate says what is missing.
            let verified = verify(project, &query, budget).ok();
            begin(&budget).map_err(|exhausted| Failed::Exhausted(exhausted, Vec::new()))?;
            claims.extend(verified.into_iter().flat_map(|verified| verified.certificate.claims));
            continue;
        }
        let behaviour = model.target(&result.target);
        let fairness = result.fairness.unwrap_or_default();
        let property = model.property((result.kind, fairness), &result.property);
        let (Some(behaviour), Some(property)) = (behaviour, property) else { continue };
        let evidence = match claims.last() {
            // The two claims of deadlock and safety have the same evidence, which is computed once.
            Some(Claim { target, evidence: evidence @ Evidence::Invariant { .. }, .. })
                if *target == result.target && matches!(property, Property::Deadlock | Property::Safety) =>
            {
                evidence.clone()
            }
            _ => rely_decide::certify(behaviour, &property, &budget)
                .map_err(|exhausted| Failed::Exhausted(exhausted, Vec::new()))?,
        };
        claims.push(Claim::new(&result.target, behaviour, &property, evidence));
    }
    let resting = alone::claims(project, results, &budget);
    claims.extend(resting.map_err(|exhausted| Failed::Exhausted(exhausted, Vec::new()))?);
    Ok(Certificate::new(claims))
}

/// Judges the claims of a certificate, given by the name of its file and its text, about the targets of a project.
///
/// Claims about properties also say together whether anything can fail in a target: see `certify/coverage.rs`. An
/// entry of `expected`, such as `S: P`, that is not among the accepted claims becomes a result that is not accepted.
///
/// # Errors
/// When the certificate cannot be read or claims nothing, the input has errors, or a limit is met.
pub fn certify(
    project: &Project,
    name: &str,
    text: &[u8],
    expected: &[String],
    budget: Budget<'_>,
) -> Result<Report<CertifyResult>, Failed> {
    let certificate = Certificate::from_json(text)
        .map_err(|unreadable| Failed::Errors(vec![unreadable_finding(name, &unreadable)]))?;
    if certificate.claims.is_empty() {
        // An empty certificate must not look like an accepted one.
        return Err(Failed::Errors(vec![empty_finding(name)]));
    }
    // The text is held all the time, and so is what has been read from it.
    let left = budget.max_bytes().saturating_sub(2 * text.len());
    let budget = budget.narrowed(Limits { states: None, bytes: Some(left) });
    let claimed = certificate.claims.iter().map(|claim| (&*claim.target, &*claim.property));
    let mut model = Model::read(project, claimed, budget)?;
    begin(&budget).map_err(|exhausted| Failed::Exhausted(exhausted, model.findings.clone()))?;
    let mut results = Vec::new();
    let mut coverage = Coverage::default();
    let mut kept = Kept::default();
    let mut known = Accepted::default();
    for claim in &certificate.claims {
        let judged = match certificate.outdated(claim) {
            Some(why) => Ok(Judged::rejected(why.to_owned())),
            None => match (Alone::parse(&claim.target), &claim.evidence) {
                (Some(alone), _) => kept.judge(claim, alone, project, &budget),
                (None, Evidence::Derivation(derivation)) => model
                    .judge_derivation(claim, derivation, &mut known, &budget)
                    .map(|reason| Judged { reason, components: None }),
                (None, _) => model.judge(claim, &budget),
            },
        };
        let Judged { reason, components } = match judged {
            Ok(judged) => judged,
            Err(exhausted) => return Err(Failed::Exhausted(exhausted, model.findings)),
        };
        if reason.is_none() {
            known.add(claim);
        }
        coverage.add(claim, reason.is_none(), components.as_deref());
        let (target, property) = named(claim);
        let accepted = reason.is_none();
        let kind = match (claim.kind, claim.property.as_str()) {
            (rely_certificate::Kind::Commitment, "deadlock") => Kind::Deadlock,
            (rely_certificate::Kind::Commitment, "safety" | "lost") => Kind::Safety,
            (other, _) => kind(other),
        };
        let fairness = match claim.kind {
            rely_certificate::Kind::Commitment => {
                let (_, justice) = claim.statement.rsplit_once("; fairness: ").unwrap_or_default();
                [(Fairness::None, "none"), (Fairness::Strong, "strong")]
                    .into_iter()
                    .find(|it| it.1 == justice)
                    .map(|it| it.0)
            }
            _ => model.fairness(claim).unless_usual(kind),
        };
        results.push(CertifyResult {
            target,
            is_commitment: claim.kind == rely_certificate::Kind::Commitment,
            property,
            kind,
            fairness,
            components,
            derived: false,
            accepted,
            reason,
        });
    }
    let mut findings = std::mem::take(&mut model.findings);
    for (target, behaviour) in &model.targets {
        let Some(network) = behaviour.as_network() else { continue };
        match coverage.of(target, &Goals::within(network.clone(), model.table.clone())) {
            None => {}
            Some(Ok(safety)) => results.push(safety),
            Some(Err(finding)) => findings.push(finding.or_about(project.name())),
        }
    }
    results.extend(expected::missing(expected, &results));
    Ok(Report::new("certify", results, findings))
}

/// The target of a claim, and a short form of what it claims.
fn named(claim: &Claim) -> (String, String) {
    if let Some(alone) = Alone::parse(&claim.target) {
        return alone.named(&claim.property);
    }
    let subject = Subject::parse(&claim.target).map(|it| (it.names.join(", "), it.what()));
    let replacement = || Replacement::parse(&claim.target).map(|it| (it.implementation.clone(), it.what()));
    subject.or_else(replacement).unwrap_or((claim.target.clone(), claim.property.clone()))
}

/// The claim that components of a target do not fail, unless something has failed before.
///
/// A property that is not part of the target is added to it after its own components.
pub(crate) fn composition_claim(
    target: &str,
    network: &Network,
    property: &Property<'_>,
    evidence: Evidence,
) -> Claim {
    let evidence = match (network.priority(), property) {
        // Rules cannot handle priority; the judge searches the whole network.
        (Some(_), Property::Unbroken { components, observers, .. }) => {
            let count = network.components().len();
            Evidence::Composition(Decomposition::monolithic(count, components, observers))
        }
        _ => evidence,
    };
    Claim::new(target, network, property, evidence)
}

/// The finding about a file that is not a certificate.
fn unreadable_finding(name: &str, unreadable: &Unreadable) -> Finding {
    let (line, column) = (unreadable.line, unreadable.column.max(1));
    let place = Place { line, column, end_line: line, end_column: column, bytes: (0, 0) };
    let help = "`rely check MODEL --certificate FILE` writes one";
    bad_certificate(name, (line > 0).then_some(place), &format!("this is no certificate: {unreadable}"), help)
}

/// The finding about a certificate without claims.
fn empty_finding(name: &str) -> Finding {
    let help = "a certificate has a claim for each property that was found to hold";
    let message = "the certificate claims nothing, so there is nothing to accept";
    bad_certificate(name, None, message, help)
}

fn bad_certificate(name: &str, place: Option<Place>, message: &str, help: &str) -> Finding {
    let finding = Finding::about(name, explain::BAD_CERTIFICATE, message);
    Finding { place, help: Some(help.to_owned()), ..finding }
}

#[cfg(test)]
mod tests;
