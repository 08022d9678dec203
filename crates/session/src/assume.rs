//! `assume`: the weakest assumption that components need about their environment.

mod equal;
mod partial;
mod words;

use std::sync::Arc;

use rely_assume::{
    Algorithm, Assumption, Certain, Effort, Goal, Requirement, Steps, Unrealised, consequences, interface,
    realise,
};
use rely_base::{Alphabet, Budget, Limits};
use rely_decide::{Decision, Limit};
use rely_lts::{Component, Lts, Network, operators::NameSet};
use rely_model::Failure;

use crate::doubts::Names;
use crate::parts::Library;
use crate::report::{AssumeResult, ConstructionSteps, Equal, Finding, Outcome, Report, TraceStep, Verdict};
use crate::{Internal, Project, begin};

pub(crate) use words::forbidden;

/// The question: which components, which property, and how to find the assumption.
#[derive(Clone, Debug, Default)]
pub struct AssumeQuery {
    /// The components, together.
    pub components: Vec<String>,
    /// The property.
    pub property: String,
    /// The environment: the interface is what it shares with the components and the property.
    pub environment: Vec<String>,
    /// The interface itself.
    pub alphabet: Option<Vec<String>>,
    /// If given, the assumption is learned with this algorithm instead of constructed.
    pub learn: Option<Algorithm>,
    /// Whether the assumption has to keep the components from being stuck.
    pub deadlock_free: bool,
    /// Whether to check that the environment satisfies the assumption.
    pub discharge: bool,
    /// Whether the components do all that the property allows, in the most general environment, is asked as well.
    pub equal: bool,
}

/// The answer, and the assumption itself where there is one.
#[derive(Clone, Debug)]
pub struct Assumed {
    /// The answer.
    pub report: Report<AssumeResult>,
    /// The assumption; if only a part of it is known, what is certainly allowed.
    pub assumption: Option<Arc<Lts>>,
}

/// Limits for examining the consequences of an assumption for the component.
const LARGEST: Limits = Limits { states: Some(100_000), bytes: None };

/// Finds the weakest assumption about the environment under which components satisfy a property.
///
/// # Errors
/// A mistake in this program, such as a counterexample that cannot be replayed.
///
/// # Panics
/// When there is no project.
pub fn assume(projects: &[Project], query: &AssumeQuery, budget: Budget<'_>) -> Result<Assumed, Internal> {
    let mut library = Library::of(projects, budget);
    let open = Open::read(&mut library, query, &budget);
    let failed = library.has_errors();
    let warnings = std::mem::take(&mut library.warnings);
    let findings = library.findings();
    let nothing = |findings: Vec<Finding>| Assumed {
        report: Report::new("assume", Vec::new(), findings),
        assumption: None,
    };
    let open = match open {
        Err(Failure::Exhausted(exhausted)) => {
            let mut result = blank(query);
            result.warnings = warnings;
            result.discharged = query.discharge.then_some(Verdict::Unknown);
            result.reason = Some(format!("a part that has to be built first: {exhausted}"));
            let report = Report::new("assume", vec![result], findings);
            return Ok(Assumed { report, assumption: None });
        }
        Err(Failure::Errors) => return Ok(nothing(findings)),
        Ok(_) if failed => return Ok(nothing(findings)),
        Ok(open) => open,
    };
    let (mut result, assumption) = open.ask(query, &budget)?;
    result.warnings.splice(0..0, warnings);
    let report = Report::new("assume", vec![result], findings);
    Ok(Assumed { report, assumption: assumption.map(|assumption| Arc::clone(assumption.lts())) })
}

/// An open system: components, a property and an interface to their environment.
struct Open {
    components: Vec<Component>,
    goal: Goal,
    environment: Vec<Component>,
    interface: Alphabet,
}

impl Open {
    fn read(library: &mut Library<'_>, query: &AssumeQuery, budget: &Budget<'_>) -> Result<Self, Failure> {
        let components = library.behaviour(&query.components, budget);
        let environment = library.behaviour(&query.environment, budget);
        let goal = library.property(&query.property, budget);
        let (components, environment, goal) = (components?, environment?, goal?);
        let components = library.faultless(components);
        let environment = library.faultless(environment);
        let warnings = &mut library.warnings;
        let own: Alphabet = names(&components).chain(goal.alphabet().names()).collect();
        let interface = match (&query.alphabet, query.environment.is_empty()) {
            (Some(named), _) => chosen(named, &own, warnings),
            (None, false) => interface(&components, &goal, &environment),
            (None, true) => own.sorted_names().into_iter().collect(),
        };
        let open = Self { components, goal, environment, interface };
        open.note(query, warnings);
        Ok(open)
    }

    /// Warns of differences between the question and what was probably meant.
    fn note(&self, query: &AssumeQuery, warnings: &mut Vec<String>) {
        let is_open = query.environment.is_empty() && query.alphabet.is_none();
        let own: Alphabet = names(&self.components).collect();
        let is_free = |name: &&str| !own.contains(name) && (is_open || !self.interface.contains(name));
        let goal = self.goal.alphabet();
        let free: Vec<String> = goal.names().filter(is_free).map(str::to_owned).collect();
        let known = Names::new(names(&self.components).chain(names(&self.environment)).collect());
        if goal.is_empty() {
            warnings.push(format!("property {} has no actions", self.goal.name));
        } else if !is_open && !free.is_empty() {
            warnings.extend(known.warning_of_goal(&free));
        } else if query.environment.is_empty() && !goal.names().any(|name| own.contains(name)) {
            warnings.push(format!("the component has no action of property {}", self.goal.name));
        }
        if self.interface.is_empty() {
            let what = if query.environment.is_empty() {
                "the interface is empty, so no environment has any influence"
            } else {
                "the environment shares no action with the component and the property, so it has no influence"
            };
            warnings.push(what.to_owned());
        }
    }

    fn ask(
        &self,
        query: &AssumeQuery,
        budget: &Budget<'_>,
    ) -> Result<(AssumeResult, Option<Assumption>), Internal> {
        let mut effort = Effort::default();
        let mut result = blank(query);
        if let Err(exhausted) = begin(budget) {
            result.reason = Some(exhausted.to_string());
            result.discharged = query.discharge.then_some(Verdict::Unknown);
            return Ok((result, None));
        }
        let requirement = match self.requirement(query, budget, &mut effort, &mut result) {
            Certain::All(requirement) => requirement,
            Certain::Nothing => {
                result.discharged = query.discharge.then_some(Verdict::Unknown);
                tell(&mut result, effort);
                return Ok((result, None));
            }
            Certain::Part(partial) => {
                self.describe_part(query, &partial, budget, &mut effort, &mut result)?;
                tell(&mut result, effort);
                return Ok((result, Some(partial.enough)));
            }
        };
        result.reason = None;
        let assumption = match requirement {
            Requirement::Nothing => {
                result.outcome = Outcome::HoldsAlways;
                result.steps.last = 1;
                None
            }
            Requirement::Impossible => {
                result.outcome = Outcome::FailsAlways;
                result.trace = self.failure(query, &self.interface, budget, &mut effort)?;
                None
            }
            Requirement::Assumption(assumption) => {
                result.outcome = Outcome::Assumption;
                result.steps.last = assumption.state_count();
                result.trace = self.failure(query, &Alphabet::new(), budget, &mut effort)?;
                self.describe(&assumption, budget, &mut effort, &mut result);
                Some(assumption)
            }
        };
        if query.discharge {
            match &assumption {
                Some(assumption) => self.discharge(query, assumption, budget, &mut effort, &mut result)?,
                None if result.outcome == Outcome::HoldsAlways => result.discharged = Some(Verdict::Holds),
                None => result.discharged = Some(Verdict::Violated),
            }
        }
        if query.equal {
            result.equal = Some(match result.outcome {
                Outcome::FailsAlways => Equal::new(Verdict::Violated, Vec::new(), None),
                _ => self.equality(assumption.as_ref(), budget, &mut effort)?,
            });
        }
        tell(&mut result, effort);
        Ok((result, assumption))
    }

    /// The actions of a shortest run that breaks the property without any of the actions in `blocked`; none if there
    /// is no such run, for example because a deadlock is the problem, or if a limit is met.
    fn failure(
        &self,
        query: &AssumeQuery,
        blocked: &Alphabet,
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Result<Vec<String>, Internal> {
        let all: Vec<Component> = self.components.iter().chain(&self.goal.components).cloned().collect();
        match realise(&all, &[], blocked, budget, effort) {
            Ok(run) => Ok(run.trace_names().into_iter().map(str::to_owned).collect()),
            Err(Unrealised::Mistake(mistake)) if !query.deadlock_free => Err(mistake.into()),
            Err(_) => Ok(Vec::new()),
        }
    }

    fn describe(
        &self,
        assumption: &Assumption,
        budget: &Budget<'_>,
        effort: &mut Effort,
        result: &mut AssumeResult,
    ) {
        result.assumption = Some(words::size(assumption));
        (result.forbids, result.further) = forbidden(assumption.lts(), words::LISTED);
        let found = consequences(&self.components, assumption, &budget.narrowed(LARGEST), effort);
        result.consequences = found.ok().map(words::shown);
        let own: Alphabet = names(&self.components).collect();
        if !words::leaves_something_to_do(assumption.lts(), &own) {
            result
                .warnings
                .push("the assumption leaves the component nothing to do with its environment".to_owned());
        }
    }

    /// Whether the environment satisfies the assumption; if not, how the whole system breaks the property.
    fn discharge(
        &self,
        query: &AssumeQuery,
        assumption: &Assumption,
        budget: &Budget<'_>,
        effort: &mut Effort,
        result: &mut AssumeResult,
    ) -> Result<(), Internal> {
        let decision = self.satisfied(assumption, budget, effort)?;
        match decision.verdict {
            rely_decide::Verdict::Holds(_) => result.discharged = Some(Verdict::Holds),
            rely_decide::Verdict::Unknown(reason) => {
                result.discharged = Some(Verdict::Unknown);
                result.reason = Some(reason.to_string());
            }
            rely_decide::Verdict::Violated(run) => {
                result.discharged = Some(Verdict::Violated);
                self.blame(query, &run.trace_names(), budget, effort, result)?;
            }
        }
        Ok(())
    }

    /// Whether the environment satisfies an assumption.
    fn satisfied(
        &self,
        assumption: &Assumption,
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Result<Decision<Limit>, Internal> {
        let premise = self.environment.iter().cloned().chain([assumption.property("the assumption")]);
        let decision = rely_decide::check_safety(&Network::new(premise.collect()), budget)?;
        effort.held(decision.explored.states);
        Ok(decision)
    }

    /// Shows on the whole system how an environment violates the assumption.
    fn blame(
        &self,
        query: &AssumeQuery,
        trace: &[&str],
        budget: &Budget<'_>,
        effort: &mut Effort,
        result: &mut AssumeResult,
    ) -> Result<(), Internal> {
        let all: Vec<Component> =
            self.components.iter().chain(&self.environment).chain(&self.goal.components).cloned().collect();
        let shared: Alphabet = names(&self.environment).collect();
        let sequence: Vec<String> =
            trace.iter().filter(|name| shared.contains(name)).map(|&name| name.to_owned()).collect();
        match realise(&all, &sequence, &shared, budget, effort) {
            Ok(run) => {
                result.components = all.iter().map(|component| component.name.clone()).collect();
                result.trace = run.trace_names().into_iter().map(str::to_owned).collect();
                result.steps_of_violation = run.trace.iter().map(TraceStep::of).collect();
            }
            Err(Unrealised::Exhausted(exhausted)) => result.reason = Some(exhausted.to_string()),
            // A violation of the deadlock-free assumption need not break the property.
            Err(Unrealised::Mistake(_)) if query.deadlock_free => {
                result.trace = trace.iter().map(|&name| name.to_owned()).collect();
            }
            Err(Unrealised::Mistake(mistake)) => return Err(mistake.into()),
        }
        Ok(())
    }
}

fn names(components: &[Component]) -> impl Iterator<Item = &str> {
    components.iter().flat_map(|component| component.lts.alphabet().names())
}

/// The actions that some names stand for: a name stands for itself and for all actions below it.
fn chosen(named: &[String], own: &Alphabet, warnings: &mut Vec<String>) -> Alphabet {
    let mut alphabet = Alphabet::new();
    for name in named.iter().filter(|name| !name.is_empty()) {
        let set: NameSet = std::iter::once(name.as_str()).collect();
        let covered: Vec<&str> = own.sorted_names().into_iter().filter(|own| set.covers(own)).collect();
        if covered.is_empty() {
            let advice = Names::new(own.names().collect()).advice(name);
            warnings.push(format!("neither the component nor the property has {name}{advice}"));
            alphabet.intern(name);
        }
        for name in covered {
            alphabet.intern(name);
        }
    }
    alphabet
}

fn blank(query: &AssumeQuery) -> AssumeResult {
    AssumeResult {
        component: query.components.clone(),
        property: query.property.clone(),
        environment: query.environment.clone(),
        deadlock_free: query.deadlock_free,
        outcome: Outcome::Unknown,
        assumption: None,
        steps: ConstructionSteps::default(),
        trace: Vec::new(),
        forbids: Vec::new(),
        further: 0,
        consequences: None,
        partial: None,
        discharged: None,
        equal: None,
        steps_of_violation: Vec::new(),
        components: Vec::new(),
        peak_states: 0,
        queries: 0,
        conjectures: 0,
        hypotheses: Vec::new(),
        reason: None,
        warnings: Vec::new(),
    }
}

fn tell(result: &mut AssumeResult, effort: Effort) {
    result.peak_states = effort.peak_states;
    result.queries = effort.queries;
    result.conjectures = effort.conjectures;
}

fn shown(steps: Steps) -> ConstructionSteps {
    let Steps { composed, minimised, propagated, determinised, last } = steps;
    ConstructionSteps { composed, minimised, propagated, determinised, last }
}
