//! Packing a component, judging a package, and packing it again after a change.

use rely_base::Budget;
use rely_certificate::{Certificate, Claim};
use rely_model::Failure;

use super::Packages;
use super::package::{PACKAGE_SCHEMA, Package, PackageSource};
use crate::meaning::Meaning;
use crate::report::{Finding, Level, PackageResult, PackageStatus, PackagedProperty, Verdict};
use crate::verify::{VerifyQuery, verify_with_packages};
use crate::{CheckQuery, Failed, Internal, Project, certificate, certify, check};

/// What became of packing.
pub struct Packed {
    /// The package, if all that was asked for holds and its certificate was accepted.
    pub package: Option<Package>,
    /// What was found out.
    pub result: PackageResult,
    /// What is wrong with the texts.
    pub findings: Vec<Finding>,
    /// The texts, for showing the findings.
    pub project: Project,
}

/// Verifies properties of a component, all that its text declares if none are named, and packs it with them. Nothing is packed unless
/// all of them hold, or are violated as the text expects.
///
/// # Errors
/// A mistake in this program.
pub fn pack(
    source: &PackageSource,
    (name, component): (&str, &str),
    only: &[String],
    packages: Option<&dyn Packages>,
    budget: Budget<'_>,
) -> Result<Packed, Internal> {
    let packing = Packing { source, name, component, packages, budget };
    packing.pack(only, Vec::new())
}

/// Packs a component anew from texts that may have changed. Only properties whose evidence is not accepted any more are verified again.
///
/// # Errors
/// A mistake in this program.
pub fn renew(
    former: &Package,
    source: &PackageSource,
    packages: Option<&dyn Packages>,
    budget: Budget<'_>,
) -> Result<Packed, Internal> {
    let packing = Packing { source, name: &former.name, component: &former.component, packages, budget };
    let (project, _) = source.project();
    // What cannot be judged now is verified anew.
    let accepted = accepted(&project, &former.certificate, budget).unwrap_or_default();
    packing.pack(&former.properties, accepted)
}

/// Judges the certificate of a package on the texts of the package.
pub fn judge_package(package: &Package, budget: Budget<'_>) -> PackageResult {
    let (project, _) = package.source().project();
    let mut result = package.describe(PackageStatus::Verified, budget);
    match accepted(&project, &package.certificate, budget) {
        Ok(accepted) => {
            for property in &mut result.properties {
                let is_about =
                    |claim: &&Claim| claim.target == package.component && claim.property == property.name;
                if accepted.iter().any(|claim| is_about(&claim)) {
                    property.verdict = Verdict::Holds;
                } else {
                    property.reason = Some("the package has no evidence for it that is accepted".to_owned());
                    result.status = PackageStatus::Refused;
                    result.reason = Some("the judge does not accept its evidence".to_owned());
                }
            }
        }
        Err(Failed::Exhausted(exhausted, _)) => {
            result.status = PackageStatus::Packaged;
            result.reason = Some(format!("its certificate could not be judged: {exhausted}"));
        }
        Err(failed) => {
            result.status = PackageStatus::Refused;
            result.reason = Some(in_words(&failed));
        }
    }
    if result.properties.is_empty() && result.status == PackageStatus::Verified {
        result.status = PackageStatus::Refused;
        result.reason = Some("it has no properties".to_owned());
    }
    result
}

/// The claims of a certificate that the judge accepts for a project.
fn accepted(project: &Project, certificate: &Certificate, budget: Budget<'_>) -> Result<Vec<Claim>, Failed> {
    let text = serde_json::to_vec(certificate).map_err(|_| Failed::Errors(Vec::new()))?;
    let report = certify(project, "certificate", &text, &[], budget)?;
    // There is a result for each claim, in the same order, and more behind them.
    let judged = certificate.claims.iter().zip(&report.results);
    Ok(judged.filter(|(_, result)| result.accepted).map(|(claim, _)| claim.clone()).collect())
}

fn in_words(failed: &Failed) -> String {
    match failed {
        Failed::Errors(findings) => {
            let error = findings.iter().find(|finding| finding.severity == Level::Error);
            error.map_or_else(|| "its text has errors".to_owned(), |error| error.message.clone())
        }
        Failed::Exhausted(exhausted, _) => exhausted.to_string(),
        Failed::Unfinished(..) | Failed::Ambiguous(_) => "it names no component".to_owned(),
    }
}

/// A component that is being packed.
struct Packing<'a> {
    source: &'a PackageSource,
    name: &'a str,
    component: &'a str,
    packages: Option<&'a dyn Packages>,
    budget: Budget<'a>,
}

/// The answer to a question, with what is claimed of the component.
struct Answers {
    properties: Vec<PackagedProperty>,
    claims: Vec<Claim>,
    findings: Vec<Finding>,
}

impl Packing<'_> {
    /// Packs the component with some properties, of which some claims are accepted already.
    fn pack(&self, wanted: &[String], kept: Vec<Claim>) -> Result<Packed, Internal> {
        let (project, imported) = self.source.project();
        let mut result =
            PackageResult::new(self.name, self.component, &self.source.origin, PackageStatus::Refused);
        let is_kept =
            |name: &String| kept.iter().any(|it| it.target == self.component && it.property == *name);
        let (known, open): (Vec<String>, Vec<String>) = wanted.iter().cloned().partition(is_kept);
        for name in &known {
            let mut property = PackagedProperty::new(name, Verdict::Holds);
            property.kept = true;
            result.properties.push(property);
        }
        let mut answers = Answers { properties: Vec::new(), claims: Vec::new(), findings: Vec::new() };
        if wanted.is_empty() || !open.is_empty() {
            answers = self.answers(&project, open)?;
        }
        let mut claims = answers.claims;
        let is_new = |claim: &Claim, claims: &[Claim]| {
            !claims
                .iter()
                .any(|it| (&it.target, it.kind, &it.property) == (&claim.target, claim.kind, &claim.property))
        };
        for claim in kept {
            if is_new(&claim, &claims) {
                claims.push(claim);
            }
        }
        let mut findings = answers.findings;
        let has_errors = findings.iter().any(|finding| finding.severity == Level::Error);
        let fails =
            |it: &PackagedProperty| it.verdict != Verdict::Holds && it.reason.as_deref() != Some(EXPECTED);
        let is_refused = has_errors || answers.properties.iter().any(fails);
        result.properties.extend(answers.properties);
        if has_errors {
            result.reason = Some("its text has errors".to_owned());
        }
        if is_refused {
            return Ok(Packed { package: None, result, findings, project });
        }
        let holds = result.properties.iter().filter(|it| it.verdict == Verdict::Holds);
        let properties: Vec<String> = holds.map(|it| it.name.clone()).collect();
        if properties.is_empty() {
            result.reason = Some("it has no property that could be verified".to_owned());
            return Ok(Packed { package: None, result, findings, project });
        }
        // Work out everything, so that all imports have been read.
        findings.extend(
            Meaning::of(&project, self.budget)
                .findings()
                .into_iter()
                .filter(|it| it.severity == Level::Error),
        );
        let package = Package {
            schema: PACKAGE_SCHEMA.to_owned(),
            name: self.name.to_owned(),
            component: self.component.to_owned(),
            origin: self.source.origin.clone(),
            texts: self.source.texts(&imported),
            defines: self.source.defines.clone(),
            properties,
            certificate: Certificate::new(claims),
        };
        let judged = judge_package(&package, self.budget);
        for property in &mut result.properties {
            if let Some(judged) = judged.properties.iter().find(|it| it.name == property.name) {
                property.claim.clone_from(&judged.claim);
                property.assuming.clone_from(&judged.assuming);
                property.verdict = judged.verdict;
                property.reason.clone_from(&judged.reason);
            }
        }
        (result.inputs, result.outputs, result.actions) = (judged.inputs, judged.outputs, judged.actions);
        if judged.status != PackageStatus::Verified {
            result.reason =
                judged.reason.or_else(|| Some("the judge does not accept its certificate".to_owned()));
            return Ok(Packed { package: None, result, findings, project });
        }
        result.status = PackageStatus::Added;
        Ok(Packed { package: Some(package), result, findings, project })
    }

    /// Verifies properties: a composition from those of its parts, any other component by looking at it.
    fn answers(&self, project: &Project, only: Vec<String>) -> Result<Answers, Internal> {
        let composition = Meaning::of(project, self.budget).composition(self.component);
        match composition {
            Ok(Some(_)) => self.of_composition(project, only),
            Ok(None) | Err(Failure::Errors | Failure::Exhausted(_)) => self.of_component(project, only),
        }
    }

    fn of_composition(&self, project: &Project, properties: Vec<String>) -> Result<Answers, Internal> {
        let query = VerifyQuery { properties, certify: true, ..VerifyQuery::about(self.component) };
        let verified = verify_with_packages(project, &query, None, self.packages, self.budget)?;
        let property = |result: &crate::report::VerifyResult| {
            let mut property = PackagedProperty::new(&result.property, result.verdict);
            property.from =
                result.used.iter().map(|used| format!("{}.{}", used.component, used.property)).collect();
            property.reason = reason(result.verdict, result.expected, result.reason.as_ref());
            property
        };
        let properties = verified.report.results.iter().map(property).collect();
        let (claims, findings) = (verified.certificate.claims, verified.report.diagnostics);
        Ok(Answers { properties, claims, findings })
    }

    fn of_component(&self, project: &Project, only: Vec<String>) -> Result<Answers, Internal> {
        let query = CheckQuery { targets: vec![self.component.to_owned()], only, ..CheckQuery::default() };
        let mut report = check(project, &query, self.budget)?;
        let property = |result: &crate::report::CheckResult| {
            let mut property = PackagedProperty::new(&result.property, result.verdict);
            property.reason = reason(result.verdict, result.expected, result.reason.as_ref());
            property
        };
        let properties: Vec<PackagedProperty> = report.results.iter().map(property).collect();
        let claims = match certificate(project, &report.results, self.budget) {
            Ok(certificate) => certificate.claims,
            Err(failed) => {
                let message = format!("there is no certificate: {}", in_words(&failed));
                report.diagnostics.push(Finding::about(project.name(), crate::NO_CERTIFICATE, &message));
                Vec::new()
            }
        };
        Ok(Answers { properties, claims, findings: report.diagnostics })
    }
}

/// Why a property is left out although the package is made.
const EXPECTED: &str = "violated, as the text expects; it is left out";

fn reason(verdict: Verdict, expected: Option<Verdict>, reason: Option<&String>) -> Option<String> {
    match verdict {
        Verdict::Holds => None,
        Verdict::Violated if expected == Some(Verdict::Violated) => Some(EXPECTED.to_owned()),
        Verdict::Violated | Verdict::Unknown => reason.cloned(),
    }
}
