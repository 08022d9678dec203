//! `harness`: test crates that check the premises of a design on its program.

use std::collections::BTreeSet;

use rely_base::{Budget, Code};
use rely_explore::generate;
use rely_harness::{Actions, Input, Mapping, Part};
pub use rely_harness::{Explorer, File as HarnessFile, MARK as HARNESS_MARK};
use rely_lts::equivalence::{Equivalence, minimise};
use rely_lts::{Component, Lts, Network, operators};
use rely_model::Failure;

use crate::assume::{AssumeQuery, assume};
use crate::monitor::build_single;
use crate::parts::Library;
use crate::report::{Finding, HarnessAssumption, HarnessResult, Outcome, Report};
use crate::{Failed, Internal, Project};

/// No assumption makes the property hold.
const HOPELESS: Code = Code("E0270");

/// A file with an assumption has several processes.
const SEVERAL: Code = Code("E0271");

/// The question: which component, environment and property to write a harness for.
#[derive(Clone, Debug)]
pub struct HarnessQuery {
    /// The processes that form the component.
    pub components: Vec<String>,
    /// The processes that form its environment.
    pub environment: Vec<String>,
    /// The property.
    pub property: String,
    /// Whether the weakest assumption is computed, and used in addition to those of files.
    pub learned: bool,
    /// The explorer.
    pub explorer: Explorer,
    /// The name of the crate that is written.
    pub package: String,
    /// The folder of the mapping, from that of the harness.
    pub folder: String,
    /// The files of the design, relative to the folder of the harness, and their digests.
    pub sources: Vec<(String, u64)>,
}

/// A harness, or the findings.
#[derive(Clone, Debug)]
pub struct Harnessed {
    /// The answer.
    pub report: Report<HarnessResult>,
    /// The files.
    pub files: Vec<HarnessFile>,
    /// The limit that was met, if there is no harness because of it.
    pub stopped: Option<String>,
}

/// The digest of a file of the design.
pub fn source_digest(bytes: &[u8]) -> u64 {
    rely_runtime::digest(&[bytes])
}

/// Writes a harness for a component of a design. The project of the mapping provides its text and places.
///
/// # Errors
/// A mistake in this program.
///
/// # Panics
/// When there is no project.
pub fn harness(
    projects: &[Project],
    assumptions: &[Project],
    mapping_file: &Project,
    query: &HarnessQuery,
    budget: Budget<'_>,
) -> Result<Harnessed, Internal> {
    let (mapping, mistakes) = Mapping::read(mapping_file.text_of(mapping_file.name()));
    // If there are only unknown keys, the rest can be understood, and is checked as well.
    let is_readable = mistakes.iter().all(|it| it.code == rely_harness::UNKNOWN_KEY);
    let mut findings: Vec<Finding> = mistakes.iter().map(|it| Finding::new(mapping_file, it)).collect();
    let nothing = |findings, stopped| Harnessed {
        report: Report::new("harness", Vec::new(), findings),
        files: Vec::new(),
        stopped,
    };
    let mut library = Library::of(projects, budget);
    let design = Design::read(&mut library, query, &mapping, &budget);
    let (has_errors, found) = (library.has_errors(), library.findings());
    findings.extend(found);
    let mut assumed = Vec::new();
    for project in assumptions {
        match assumption_of(project, &budget) {
            Ok((part, found)) => {
                assumed.push(part);
                findings.extend(found);
            }
            Err(Unassumed::Errors(found)) => findings.extend(found),
            Err(Unassumed::Stopped(reason)) => return Ok(nothing(findings, Some(reason))),
        }
    }
    if query.learned && !has_errors && design.is_ok() {
        match learned(projects, query, &mapping, budget)? {
            Ok(part) => assumed.extend(part),
            Err(Unassumed::Errors(found)) => findings.extend(found),
            Err(Unassumed::Stopped(reason)) => return Ok(nothing(findings, Some(reason))),
        }
    }
    let design = match design {
        Ok(design) if !has_errors && is_readable => design,
        Err(Failure::Exhausted(exhausted)) => {
            return Ok(nothing(findings, Some(format!("the design: {exhausted}"))));
        }
        _ => return Ok(nothing(findings, None)),
    };
    let name = projects[0].stem();
    let input = Input {
        mapping: &mapping,
        explorer: query.explorer,
        name,
        package: &query.package,
        sources: &query.sources,
        folder: &query.folder,
        properties: &design.properties,
        assumptions: &assumed,
        component: design.component,
        environment: design.environment,
        modelled: &design.modelled,
    };
    let (harness, found) = rely_harness::generate(&input);
    findings.extend(found.iter().map(|it| Finding::new(mapping_file, it)));
    let is_whole =
        !harness.files.is_empty() && !findings.iter().any(|it| it.severity == crate::report::Level::Error);
    if !is_whole {
        return Ok(nothing(findings, None));
    }
    let assumption =
        |part: &Part| HarnessAssumption { name: part.name.clone(), states: part.lts.proper_state_count() };
    let result = HarnessResult {
        component: query.components.join(","),
        property: query.property.clone(),
        explorer: query.explorer.name().to_owned(),
        assumptions: assumed.iter().map(assumption).collect(),
        actions: harness.actions,
        premises: harness.premises,
        files: harness.files.iter().map(|file| file.path.clone()).collect(),
    };
    Ok(Harnessed {
        report: Report::new("harness", vec![result], findings),
        files: harness.files,
        stopped: None,
    })
}

/// The parts of the design that a harness needs.
struct Design {
    component: Part,
    environment: Option<Part>,
    properties: Vec<Part>,
    /// All actions of the components.
    modelled: BTreeSet<String>,
}

impl Design {
    fn read(
        library: &mut Library<'_>,
        query: &HarnessQuery,
        mapping: &Mapping,
        budget: &Budget<'_>,
    ) -> Result<Self, Failure> {
        let component = library.behaviour(&query.components, budget);
        let environment = library.behaviour(&query.environment, budget);
        let goal = library.property(&query.property, budget);
        let (component, environment, goal) = (component?, environment?, goal?);
        let component = library.faultless(component);
        let environment = library.faultless(environment);
        let modelled = component.iter().chain(&environment).flat_map(|it| it.lts.alphabet().names());
        let modelled = modelled.map(str::to_owned).collect();
        let side = |names: &[String], components: Vec<Component>| {
            let name = names.join("_");
            side(&name, components, mapping, budget).map_err(Failure::Exhausted)
        };
        let property = |it: Component| Part { name: it.name.clone(), lts: Lts::clone(&it.lts) };
        Ok(Self {
            component: side(&query.components, component)?,
            environment: match query.environment.is_empty() {
                true => None,
                false => Some(side(&query.environment, environment)?),
            },
            properties: goal.components.into_iter().map(property).collect(),
            modelled,
        })
    }
}

/// The behaviour of components as far as their events show it: everything else is silent, and only sequences matter.
fn side(
    name: &str,
    components: Vec<Component>,
    mapping: &Mapping,
    budget: &Budget<'_>,
) -> Result<Part, rely_base::Exhausted> {
    let lts = generate(&Network::new(components), budget)?;
    let is_internal = |action: &str| mapping.internal.iter().any(|internal| internal.text == action);
    let lts = minimise(&operators::hide(&lts, is_internal), Equivalence::WeakTrace, budget)?;
    Ok(Part { name: name.to_owned(), lts })
}

/// Why there is no assumption.
enum Unassumed {
    Errors(Vec<Finding>),
    /// A limit was met.
    Stopped(String),
}

/// The assumption in a file.
fn assumption_of(project: &Project, budget: &Budget<'_>) -> Result<(Part, Vec<Finding>), Unassumed> {
    match build_single(project, None, *budget) {
        Ok(built) => {
            let name = if built.target == crate::DEFAULT { project.stem().to_owned() } else { built.target };
            Ok((Part { name, lts: built.lts }, built.findings))
        }
        Err(Failed::Errors(findings)) => Err(Unassumed::Errors(findings)),
        Err(Failed::Exhausted(exhausted, _)) => {
            Err(Unassumed::Stopped(format!("{}: {exhausted}", project.name())))
        }
        Err(Failed::Unfinished(size, _)) => {
            Err(Unassumed::Stopped(format!("{}: {}", project.name(), size.reason.unwrap_or_default())))
        }
        Err(Failed::Ambiguous(names)) => {
            let message =
                format!("there are several processes ({}), and an assumption is one", names.join(", "));
            Err(Unassumed::Errors(vec![Finding::about(project.name(), SEVERAL, &message)]))
        }
    }
}

/// The weakest assumption; `None` if the property holds without one.
fn learned(
    projects: &[Project],
    query: &HarnessQuery,
    mapping: &Mapping,
    budget: Budget<'_>,
) -> Result<Result<Option<Part>, Unassumed>, Internal> {
    let asked = AssumeQuery {
        components: query.components.clone(),
        property: query.property.clone(),
        environment: query.environment.clone(),
        alphabet: query.environment.is_empty().then(|| Actions::of(mapping).of_others()),
        ..AssumeQuery::default()
    };
    let assumed = assume(projects, &asked, budget)?;
    let result = assumed.report.results.into_iter().next();
    let outcome = result.as_ref().map(|result| result.outcome);
    Ok(match (outcome, assumed.assumption) {
        (Some(Outcome::Assumption), Some(lts)) => {
            Ok(Some(Part { name: "ASSUMPTION".to_owned(), lts: Lts::clone(&lts) }))
        }
        (Some(Outcome::HoldsAlways), _) => Ok(None),
        (Some(Outcome::FailsAlways), _) => {
            let message = format!("{} fails in every environment: there is no assumption", query.property);
            Err(Unassumed::Errors(vec![Finding::without_place(HOPELESS, &message)]))
        }
        _ => {
            let reason = result.and_then(|result| result.reason).unwrap_or_default();
            Err(Unassumed::Stopped(format!("the assumption: {reason}")))
        }
    })
}
