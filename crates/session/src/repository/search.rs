//! Searching packages: by what they take and give, by a property, and by another package that is to be replaced.
//!
//! A property is written as in a text, in the names of the component, with what is assumed of the environment. The component becomes the only part of
//! a composition that has this property. If that follows from the packaged properties (`verify/composed.rs`), and their evidence is accepted
//! by the judge, the package is found. So a package is never found because of what it says of itself.

use rely_base::Budget;
use rely_model::Failure;

use super::pack::judge_package;
use super::package::Package;
use crate::meaning::Meaning;
use crate::report::{Level, PackageResult, PackageStatus, PackagedProperty, Verdict};
use crate::verify::{VerifyQuery, verify_with_packages};
use crate::{Internal, Strategy};

/// What to search for. All of it has to be there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchQuery {
    /// Messages that are taken, by name.
    pub inputs: Vec<String>,
    /// Messages that are given.
    pub outputs: Vec<String>,
    /// Actions, in a language that knows neither.
    pub actions: Vec<String>,
    /// Properties with assumptions, as texts write them: `After(a) Eventually(b) assuming Repeatedly(c)`.
    pub properties: Vec<String>,
}

impl SearchQuery {
    /// What another package has to have to take the place of this one.
    pub fn instead_of(package: &Package, budget: Budget<'_>) -> Self {
        let described = package.describe(PackageStatus::Packaged, budget);
        let property = |it: &PackagedProperty| {
            let claim = it.claim.clone()?;
            Some(if it.assuming.is_empty() {
                claim
            } else {
                format!("{claim} assuming {}", it.assuming.join(", "))
            })
        };
        // What is asked of every component has no text of its own.
        let is_own = |it: &&PackagedProperty| !["deadlock", "safety", "lost"].contains(&it.name.as_str());
        let properties = described.properties.iter().filter(is_own).filter_map(property).collect();
        Self { inputs: described.inputs, outputs: described.outputs, actions: described.actions, properties }
    }
}

/// Which packages have what is searched for. Those whose interface fits are results, found or not.
///
/// # Errors
/// A mistake in this program.
pub fn search(
    packages: &[Package],
    query: &SearchQuery,
    budget: Budget<'_>,
) -> Result<Vec<PackageResult>, Internal> {
    let mut results = Vec::new();
    for package in packages {
        let described = package.describe(PackageStatus::Unsuited, budget);
        let fits = is_within(&query.inputs, &described.inputs)
            && is_within(&query.outputs, &described.outputs)
            && is_within(&query.actions, &described.actions);
        if fits {
            results.push(answer(package, described, query, budget)?);
        }
    }
    Ok(results)
}

/// Whether all of some messages are among others: by name, or by name and types.
fn is_within(wanted: &[String], there: &[String]) -> bool {
    let name = |message: &str| message.split('(').next().unwrap_or_default().to_owned();
    wanted.iter().all(|wanted| there.iter().any(|it| it == wanted || name(it) == *wanted))
}

fn answer(
    package: &Package,
    described: PackageResult,
    query: &SearchQuery,
    budget: Budget<'_>,
) -> Result<PackageResult, Internal> {
    if query.properties.is_empty() {
        let mut judged = judge_package(package, budget);
        if judged.status == PackageStatus::Verified {
            judged.status = PackageStatus::Found;
        }
        return Ok(judged);
    }
    let mut result = PackageResult { properties: Vec::new(), ..described };
    for text in &query.properties {
        result.properties.push(asked(package, text, budget)?);
    }
    if result.properties.iter().all(|property| property.verdict == Verdict::Holds) {
        result.status = PackageStatus::Found;
    }
    Ok(result)
}

/// The name of the property that is asked for.
const ASKED: &str = "asked";

/// Whether a property follows from those of a package.
fn asked(package: &Package, text: &str, budget: Budget<'_>) -> Result<PackagedProperty, Internal> {
    let mut answer = PackagedProperty::new(text, Verdict::Unknown);
    answer.claim = Some(text.to_owned());
    let mut source = package.source();
    let is_known = |name: &String| package.texts.iter().any(|it| it.text.contains(name.as_str()));
    let mut whole = "Whole".to_owned();
    while is_known(&whole) {
        whole.push('_');
    }
    source.text.push_str(&format!(
        "\ncomponent {whole} = {} {{\n    property {ASKED}: {text}\n}}\n",
        package.component
    ));
    let (project, _) = source.project();
    let mut meaning = Meaning::of(&project, budget);
    match meaning.composition(&whole) {
        Ok(Some(_)) => {}
        Ok(None) => {
            answer.reason = Some("its language has no properties that could be asked for".to_owned());
            return Ok(answer);
        }
        Err(Failure::Exhausted(exhausted)) => {
            answer.reason = Some(exhausted.to_string());
            return Ok(answer);
        }
        Err(Failure::Errors) => {
            let findings = meaning.findings();
            let error = findings.iter().find(|finding| finding.severity == Level::Error);
            let message =
                error.map_or_else(|| "it has no such property".to_owned(), |error| error.message.clone());
            answer.reason = Some(message);
            return Ok(answer);
        }
    }
    let query = VerifyQuery { strategy: Strategy::Abstract, ..VerifyQuery::about(&whole) };
    let own = vec![package.clone()];
    let verified = verify_with_packages(&project, &query, None, Some(&own), budget)?;
    let Some(result) = verified.report.results.first() else {
        answer.reason = Some("it has no such property".to_owned());
        return Ok(answer);
    };
    answer.verdict = result.verdict;
    answer.reason.clone_from(&result.reason);
    answer.from = result.used.iter().map(|used| used.property.clone()).collect();
    Ok(answer)
}
