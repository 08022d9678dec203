//! `check --certificate` and `certify`: certificates of what holds, and their judgement.
//!
//! The judge is `rely_certificate`; the engine only makes the evidence. Both read the model through the same front end.

mod interface;

use std::collections::BTreeSet;

use rely_base::{Budget, Exhausted, Id, Limits};
use rely_certificate::{Certificate, Claim, Decomposition, Evidence, Property, Rejection, Unreadable};
use rely_fsp::{Failure, ProgressProperty};
use rely_lts::{Component, ComponentId, Network};
use rely_omega::Assertion;

use crate::meaning::{Meaning, is_made_by};
use crate::parts::{Library, ids};
use crate::refines::Replacement;
use crate::report::{CertifyResult, CheckResult, Finding, Kind, Level, Place, Report, Verdict};
use crate::subject::Subject;
use crate::{Failed, Project, begin, explain};

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
    let claimed = holding().map(|result| (&*result.target, &*result.property));
    let model = Model::read(project, claimed, budget)?;
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
/// When the certificate cannot be read or claims nothing, the input has errors, or a limit is met.
pub fn certify(
    project: &Project,
    name: &str,
    text: &[u8],
    budget: Budget<'_>,
) -> Result<Report<CertifyResult>, Failed> {
    let certificate = Certificate::from_json(text)
        .map_err(|unreadable| Failed::Errors(vec![unreadable_finding(name, &unreadable)]))?;
    if certificate.claims.is_empty() {
        // Nothing that is judged must not look like something that was accepted.
        return Err(Failed::Errors(vec![empty_finding(name)]));
    }
    // The text is held all the time, and so is what has been read from it.
    let left = budget.max_bytes().saturating_sub(2 * text.len());
    let budget = budget.narrowed(Limits { states: None, bytes: Some(left) });
    let claimed = certificate.claims.iter().map(|claim| (&*claim.target, &*claim.property));
    let model = Model::read(project, claimed, budget)?;
    begin(&budget).map_err(|exhausted| Failed::Exhausted(exhausted, model.findings.clone()))?;
    let mut results = Vec::new();
    for claim in &certificate.claims {
        let reason = match model.judge(claim, &budget) {
            Ok(reason) => reason,
            Err(exhausted) => return Err(Failed::Exhausted(exhausted, model.findings)),
        };
        let (target, property) = named(claim);
        results.push(CertifyResult {
            target,
            property,
            kind: kind(claim.kind),
            accepted: reason.is_none(),
            reason,
        });
    }
    Ok(Report::new("certify", results, model.findings))
}

/// What a claim is about, and what it says of it, in short.
fn named(claim: &Claim) -> (String, String) {
    let subject = Subject::parse(&claim.target).map(|it| (it.names.join(", "), it.what()));
    let replacement = || Replacement::parse(&claim.target).map(|it| (it.implementation.clone(), it.what()));
    subject.or_else(replacement).unwrap_or((claim.target.clone(), claim.property.clone()))
}

/// The name of the property that no part fails, property processes left aside.
pub(crate) const ERROR: &str = "ERROR";

/// The components of a network that must not fail for a property to hold: a property process with its name, or for
/// [`ERROR`] the components that have an error state without being property processes. Where several property processes
/// have one name, there is a property for each.
fn goals(network: &Network, name: &str, is_property: impl Fn(&str) -> bool) -> Vec<Vec<ComponentId>> {
    let chosen = |is_meant: &dyn Fn(&Component) -> bool| -> Vec<ComponentId> {
        ids(network).filter(|id| is_meant(&network.components()[id.index()])).collect()
    };
    match name {
        ERROR => vec![chosen(&|part| part.lts.error().is_some() && !is_property(&part.name))],
        _ => {
            let named = chosen(&|part| part.name == name && is_property(&part.name));
            named.into_iter().map(|id| vec![id]).collect()
        }
    }
}

/// The claim that components of a target do not fail as long as nothing else does.
///
/// A property that is no part of the target is added to it behind its own components.
pub(crate) fn composition_claim(
    target: &str,
    network: &Network,
    name: &str,
    components: &[ComponentId],
    evidence: Evidence,
) -> Claim {
    let evidence = match network.priority() {
        None => evidence,
        // Rules do not know priority; the judge searches the whole.
        Some(_) => Evidence::Composition(Decomposition::monolithic(network.components().len(), components)),
    };
    Claim::new(target, network, &Property::Unbroken { name, components }, evidence)
}

/// The targets and properties that claims are about.
struct Model<'p> {
    project: &'p Project,
    /// The targets that exist, by name.
    targets: Vec<(String, Network)>,
    /// The names of parts of targets that are property processes.
    processes: BTreeSet<String>,
    progress: Vec<ProgressProperty>,
    assertions: Vec<Assertion>,
    findings: Vec<Finding>,
}

impl<'p> Model<'p> {
    /// Reads the named targets and properties, as far as they exist. What is wrong with other properties does no harm.
    fn read<'n>(
        project: &'p Project,
        claimed: impl Iterator<Item = (&'n str, &'n str)>,
        budget: Budget<'_>,
    ) -> Result<Self, Failed> {
        let (names, properties): (Vec<&str>, Vec<&str>) = claimed.unzip();
        let asked = |definition: &str| properties.iter().any(|name| is_made_by(name, definition));
        // That every action stays possible is asked only of a file that declares no progress property.
        let any_progress = properties.contains(&"progress");
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
        let progress = meaning.progress_properties(&|definition| any_progress || asked(definition));
        let assertions = meaning.assertions(&asked);
        let failed = meaning.has_errors();
        let findings = meaning.findings();
        match (progress, assertions, exhausted) {
            _ if failed => Err(Failed::Errors(findings)),
            (Ok(progress), Ok(assertions), None) => {
                Ok(Self { project, targets, processes, progress, assertions, findings })
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
        if let Some(subject) = Subject::parse(&claim.target) {
            return interface::judge(claim, &subject, self.project, budget);
        }
        if let Some(replacement) = Replacement::parse(&claim.target) {
            return replacement.judge(claim, self.project, budget);
        }
        let Some(network) = self.target(&claim.target) else {
            return Ok(Some(format!("the file has no target {}", claim.target)));
        };
        if claim.kind == rely_certificate::Kind::Property {
            return self.judge_process(claim, network, budget);
        }
        let Some(property) = self.property(kind(claim.kind), &claim.property) else {
            return Ok(Some(format!("the file has no {} property {}", claim.kind, claim.property)));
        };
        judged(claim, network, &property, budget)
    }

    /// The same for a claim that components do not fail.
    fn judge_process(
        &self,
        claim: &Claim,
        network: &Network,
        budget: &Budget<'_>,
    ) -> Result<Option<String>, Exhausted> {
        let name = &claim.property;
        let mut goals = goals(network, name, |part| self.processes.contains(part));
        let mut extended = None;
        if goals.is_empty() {
            let Some(with_property) = self.with_property(network, name, budget)? else {
                return Ok(Some(format!("there is no property {name}")));
            };
            goals = vec![ids(&with_property).skip(network.components().len()).collect()];
            extended = Some(with_property);
        }
        let property = |components| Property::Unbroken { name, components };
        let goal =
            goals.iter().find(|goal| property(goal).statement() == claim.statement).unwrap_or(&goals[0]);
        judged(claim, extended.as_ref().unwrap_or(network), &property(goal), budget)
    }

    /// A target with a property that is no part of it.
    fn with_property(
        &self,
        network: &Network,
        name: &str,
        budget: &Budget<'_>,
    ) -> Result<Option<Network>, Exhausted> {
        let mut library = Library::of(std::slice::from_ref(self.project), *budget);
        match library.property(name, budget) {
            Ok(goal) if !library.has_errors() => Ok(Some(network.clone().with_components(goal.components))),
            Err(Failure::Exhausted(exhausted)) => Err(exhausted),
            Ok(_) | Err(Failure::Errors) => Ok(None),
        }
    }
}

/// Why a claim about a property of a network is not accepted; nothing if it is.
fn judged(
    claim: &Claim,
    network: &Network,
    property: &Property<'_>,
    budget: &Budget<'_>,
) -> Result<Option<String>, Exhausted> {
    match rely_certificate::check(claim, network, property, budget) {
        Ok(()) => Ok(None),
        Err(Rejection::Exhausted(exhausted)) => Err(exhausted),
        Err(rejection @ Rejection::AnotherModel(_))
            if claim.components.len() != network.components().len() =>
        {
            Ok(Some(format!("{rejection}; what was set with --define has to be set for the judge, too")))
        }
        Err(rejection) => Ok(Some(rejection.to_string())),
    }
}

fn kind(kind: rely_certificate::Kind) -> Kind {
    match kind {
        rely_certificate::Kind::Deadlock => Kind::Deadlock,
        rely_certificate::Kind::Safety
        | rely_certificate::Kind::Property
        | rely_certificate::Kind::Refinement => Kind::Safety,
        rely_certificate::Kind::Progress => Kind::Progress,
        rely_certificate::Kind::Ltl => Kind::Ltl,
        rely_certificate::Kind::Divergence => Kind::Divergence,
    }
}

/// What is wrong with a file that is no certificate.
fn unreadable_finding(name: &str, unreadable: &Unreadable) -> Finding {
    let (line, column) = (unreadable.line, unreadable.column.max(1));
    let place = Place { line, column, end_line: line, end_column: column, bytes: (0, 0) };
    let help = "`rely check MODEL --certificate FILE` writes one";
    bad_certificate(name, (line > 0).then_some(place), format!("this is no certificate: {unreadable}"), help)
}

/// What is wrong with a certificate without claims.
fn empty_finding(name: &str) -> Finding {
    let help = "a certificate has a claim for each property that was found to hold";
    let message = "the certificate claims nothing, so there is nothing to accept";
    bad_certificate(name, None, message.to_owned(), help)
}

fn bad_certificate(name: &str, place: Option<Place>, message: String, help: &str) -> Finding {
    Finding {
        severity: Level::Error,
        code: explain::BAD_CERTIFICATE.to_string(),
        message,
        file: name.to_owned(),
        place,
        help: Some(help.to_owned()),
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
