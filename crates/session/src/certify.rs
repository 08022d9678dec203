//! `check --certificate` and `certify`: certificates of what holds, and their judgement.
//!
//! The judge is `rely_certificate`; the engine only makes the evidence. Both read the model through the same front end.

use std::collections::BTreeSet;

use rely_base::{Budget, Exhausted, Id};
use rely_certificate::{Certificate, Claim, Evidence, Property, Rejection, Unreadable};
use rely_fsp::{Failure, ProgressProperty};
use rely_lts::{Component, ComponentId, Network};
use rely_omega::Assertion;

use crate::meaning::Meaning;
use crate::report::{CertifyResult, CheckResult, Finding, Kind, Level, Place, Report, Verdict};
use crate::{Failed, Project, explain};

/// A certificate of everything that holds among the results of `check` on the same project.
///
/// # Errors
/// When the input has errors or a limit is met.
pub fn certificate(
    project: &Project,
    results: &[CheckResult],
    budget: Budget<'_>,
) -> Result<Certificate, Failed> {
    let holding = || results.iter().filter(|result| result.verdict == Verdict::Holds);
    let model = Model::read(project, holding().map(|result| &*result.target), budget)?;
    let mut claims: Vec<Claim> = Vec::new();
    for result in holding() {
        let network = model.target(&result.target);
        let property = model.property(result.kind, &result.property);
        let (Some(network), Some(property)) = (network, property) else { continue };
        let evidence = match claims.last() {
            // Deadlock and safety have the same evidence.
            Some(Claim { target, evidence: evidence @ Evidence::Invariant { .. }, .. })
                if *target == result.target && matches!(property, Property::Deadlock | Property::Safety) =>
            {
                evidence.clone()
            }
            _ => rely_decide::certify(network, &property, &budget)
                .map_err(|exhausted| Failed::Exhausted(exhausted, Vec::new()))?,
        };
        claims.push(Claim::new(&result.target, network, &property, evidence));
    }
    Ok(Certificate::new(claims))
}

/// Judges the claims of a certificate, given by the name of its file and its text, about the targets of a project.
///
/// # Errors
/// When the certificate cannot be read, the input has errors, or a limit is met.
pub fn certify(
    project: &Project,
    name: &str,
    certificate: &[u8],
    budget: Budget<'_>,
) -> Result<Report<CertifyResult>, Failed> {
    let certificate = Certificate::from_json(certificate)
        .map_err(|unreadable| Failed::Errors(vec![unreadable_finding(name, &unreadable)]))?;
    let model = Model::read(project, certificate.claims.iter().map(|claim| &*claim.target), budget)?;
    let mut results = Vec::new();
    for claim in &certificate.claims {
        let reason = match model.judge(claim, &budget) {
            Ok(reason) => reason,
            Err(exhausted) => return Err(Failed::Exhausted(exhausted, model.findings)),
        };
        results.push(CertifyResult {
            target: claim.target.clone(),
            property: claim.property.clone(),
            kind: kind(claim.kind),
            accepted: reason.is_none(),
            reason,
        });
    }
    Ok(Report::new("certify", results, model.findings))
}

/// The name of the property that no part fails, property processes left aside.
pub(crate) const ERROR: &str = "ERROR";

/// The components of a network that must not fail for a property to hold: the property processes with its name, or for
/// [`ERROR`] the components that have an error state without being property processes.
pub(crate) fn goal(network: &Network, name: &str, is_property: impl Fn(&str) -> bool) -> Vec<ComponentId> {
    let is_meant = |component: &Component| match name {
        ERROR => component.lts.error().is_some() && !is_property(&component.name),
        _ => component.name == name && is_property(&component.name),
    };
    let components = network.components().iter().enumerate().filter(|(_, component)| is_meant(component));
    components.map(|(i, _)| ComponentId::from_index(i)).collect()
}

/// The claim that the components of [`goal`] do not fail as long as nothing else does.
pub(crate) fn composition_claim(
    target: &str,
    network: &Network,
    name: &str,
    components: &[ComponentId],
    evidence: Evidence,
) -> Claim {
    Claim::new(target, network, &Property::Unbroken { name, components }, evidence)
}

/// The targets and properties that claims are about.
struct Model {
    /// The targets that exist, by name.
    targets: Vec<(String, Network)>,
    /// The names of parts of targets that are property processes.
    processes: BTreeSet<String>,
    progress: Vec<ProgressProperty>,
    assertions: Vec<Assertion>,
    findings: Vec<Finding>,
}

impl Model {
    /// Reads the named targets, as far as they exist, and all properties.
    fn read<'n>(
        project: &Project,
        names: impl Iterator<Item = &'n str>,
        budget: Budget<'_>,
    ) -> Result<Self, Failed> {
        let mut meaning = Meaning::of(project, budget);
        let mut targets: Vec<(String, Network)> = Vec::new();
        let mut exhausted = None;
        for name in names {
            if targets.iter().any(|(known, _)| known == name) || !meaning.has_target(name) {
                continue;
            }
            match meaning.target(name) {
                Ok(target) => targets.push((name.to_owned(), target.network)),
                Err(Failure::Exhausted(limit)) => exhausted = Some(limit),
                Err(Failure::Errors) => {}
            }
        }
        let parts = targets.iter().flat_map(|(_, network)| network.components());
        let names = parts.map(|component| component.name.clone());
        let processes = names.filter(|name| meaning.is_property(name)).collect();
        let progress = meaning.progress_properties();
        let assertions = meaning.assertions();
        let failed = meaning.has_errors();
        let findings = meaning.findings();
        match (progress, assertions, exhausted) {
            _ if failed => Err(Failed::Errors(findings)),
            (Ok(progress), Ok(assertions), None) => {
                Ok(Self { targets, processes, progress, assertions, findings })
            }
            (Err(Failure::Exhausted(limit)), ..)
            | (_, Err(Failure::Exhausted(limit)), _)
            | (_, _, Some(limit)) => Err(Failed::Exhausted(limit, findings)),
            _ => Err(Failed::Errors(findings)),
        }
    }

    fn target(&self, name: &str) -> Option<&Network> {
        self.targets.iter().find(|(known, _)| known == name).map(|(_, network)| network)
    }

    /// The property of a kind with a name.
    fn property(&self, kind: Kind, name: &str) -> Option<Property<'_>> {
        let fixed = |property: Property<'static>| (property.name() == name).then_some(property);
        match kind {
            Kind::Deadlock => fixed(Property::Deadlock),
            Kind::Safety => fixed(Property::Safety),
            Kind::Divergence => fixed(Property::Divergence),
            Kind::Progress if self.progress.is_empty() => fixed(Property::EveryAction),
            Kind::Progress => {
                let property = self.progress.iter().find(|property| property.name == name)?;
                Some(Property::Progress {
                    name: &property.name,
                    condition: property.condition.as_deref(),
                    actions: &property.actions,
                })
            }
            Kind::Ltl => self.assertions.iter().find(|a| a.name == name).map(Property::Assertion),
        }
    }

    /// Why a claim is not accepted; nothing if it is.
    fn judge(&self, claim: &Claim, budget: &Budget<'_>) -> Result<Option<String>, Exhausted> {
        let Some(network) = self.target(&claim.target) else {
            return Ok(Some(format!("the file has no target {}", claim.target)));
        };
        let goal = goal(network, &claim.property, |name| self.processes.contains(name));
        let property = match claim.kind {
            rely_certificate::Kind::Property => {
                (!goal.is_empty()).then_some(Property::Unbroken { name: &claim.property, components: &goal })
            }
            _ => self.property(kind(claim.kind), &claim.property),
        };
        let Some(property) = property else {
            return Ok(Some(match claim.kind {
                rely_certificate::Kind::Property => format!("the target has no property {}", claim.property),
                kind => format!("the file has no {kind} property {}", claim.property),
            }));
        };
        match rely_certificate::check(claim, network, &property, budget) {
            Ok(()) => Ok(None),
            Err(Rejection::Exhausted(exhausted)) => Err(exhausted),
            Err(rejection) => Ok(Some(rejection.to_string())),
        }
    }
}

fn kind(kind: rely_certificate::Kind) -> Kind {
    match kind {
        rely_certificate::Kind::Deadlock => Kind::Deadlock,
        rely_certificate::Kind::Safety | rely_certificate::Kind::Property => Kind::Safety,
        rely_certificate::Kind::Progress => Kind::Progress,
        rely_certificate::Kind::Ltl => Kind::Ltl,
        rely_certificate::Kind::Divergence => Kind::Divergence,
    }
}

/// What is wrong with a file that is no certificate.
fn unreadable_finding(name: &str, unreadable: &Unreadable) -> Finding {
    let (line, column) = (unreadable.line.max(1), unreadable.column.max(1));
    Finding {
        severity: Level::Error,
        code: explain::BAD_CERTIFICATE.to_string(),
        message: format!("this is no certificate: {unreadable}"),
        file: name.to_owned(),
        place: Place { line, column, end_line: line, end_column: column, bytes: (0, 0) },
        help: Some("`rely check MODEL --certificate FILE` writes one".to_owned()),
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
