//! Questions to flow analysis, and what it found, as results.

use rely_base::{Budget, Diagnostic, Id, Span};
use rely_lts::{Behaviour, Component, Network};
use rely_model::{Failure, FlowModel, Target};

use super::checker::Checker;
use super::flow::{FlowAnswer, FlowOutcome, FlowSearch};
use super::inquest::Watched;
use super::watched;
use super::words::{list, show};
use crate::engine::{Constraints, Engine};
use crate::meaning::Meaning;
use crate::places::placed;
use crate::report::{CheckResult, Feasible, FlowConstraint, FlowResult, Kind, TraceStep, Verdict};
use crate::states::StateNaming;
use crate::{Internal, Project, explain};

/// What is said of questions that flow analysis does not answer.
const SAFETY_ONLY: &str =
    "flow analysis is about safety properties only (`--properties` adds some): `--engine exact` answers this";

/// That flow analysis was asked for in a language that has none.
pub(crate) fn no_flow() -> Diagnostic {
    let message = "this language has no flow models";
    Diagnostic::error(explain::NO_FLOW, Span::new(0, 0), message).with_help("leave out `--engine flow`")
}

/// Names of constraints that the flow model has not.
pub(crate) fn unknown_constraints(choice: &Constraints, model: &dyn FlowModel) -> Vec<Diagnostic> {
    let Constraints::Named(names) = choice else { return Vec::new() };
    let known = || model.constraints().iter().map(|constraint| &*constraint.name);
    let unknown = |name: &&String| FlowSearch::named(model, name).is_empty();
    let diagnostic = |name: &String| {
        let help = match rely_syntax::nearest(name, known()) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("there are {}", list(&known().map(str::to_owned).collect::<Vec<_>>())),
        };
        let message = format!("there is no variable or task `{name}` whose automaton could be a constraint");
        Diagnostic::error(explain::NO_CONSTRAINT, Span::new(0, 0), message).with_help(help)
    };
    names.iter().filter(unknown).map(diagnostic).collect()
}

/// The answers of flow analysis about a target.
pub(super) fn by_flow(
    meaning: &mut Meaning<'_>,
    checker: &Checker<'_>,
    target: &Target<Behaviour>,
    project: &Project,
    budget: &Budget<'_>,
) -> Result<Result<Vec<CheckResult>, Failure>, Internal> {
    let model = match meaning.flow(checker.target) {
        Ok(model) => model,
        Err(failure) => return Ok(Err(failure)),
    };
    let unknown = unknown_constraints(&checker.query.constraints, &*model);
    let Some(exact) = target.behaviour.as_network().filter(|_| unknown.is_empty()) else {
        unknown.into_iter().for_each(|diagnostic| meaning.report(diagnostic));
        return Ok(Err(Failure::Errors));
    };
    let properties = match safety_properties(meaning, checker) {
        Ok(properties) => properties,
        Err(failure) => return Ok(Err(failure)),
    };
    checker.all_by_flow(&*model, exact, &properties, project, budget).map(Ok)
}

/// The properties that flow analysis can answer: those that the text declares of a target that is a network, and those of the
/// file of properties.
fn safety_properties(meaning: &mut Meaning<'_>, checker: &Checker<'_>) -> Result<Vec<Component>, Failure> {
    let own = watched(meaning, checker.query, checker.target, None)?;
    let watcher = |watched: &Watched| {
        let network = watched.behaviour.as_network()?;
        Some(network.components()[watched.watcher.index()].clone())
    };
    Ok(own.iter().filter_map(watcher).chain(checker.declared.properties.iter().cloned()).collect())
}

/// Asks once more, by flow analysis, about the properties that are still open. An answer takes the place of none.
pub(super) fn again_by_flow(
    answers: &mut [CheckResult],
    meaning: &mut Meaning<'_>,
    checker: &Checker<'_>,
    target: &Target<Behaviour>,
    project: &Project,
    budget: &Budget<'_>,
) -> Result<(), Internal> {
    if answers.iter().all(|answer| answer.verdict != Verdict::Unknown) {
        return Ok(());
    }
    let Ok(properties) = safety_properties(meaning, checker) else { return Ok(()) };
    let is_open = |answer: &&mut CheckResult| {
        answer.verdict == Verdict::Unknown && properties.iter().any(|it| it.name == answer.property)
    };
    let mut open: Vec<&mut CheckResult> = answers.iter_mut().filter(is_open).collect();
    if open.is_empty() || budget.is_out_of_time() {
        return Ok(());
    }
    let (Ok(model), Some(exact)) = (meaning.flow(checker.target), target.behaviour.as_network()) else {
        return Ok(());
    };
    let count = open.len();
    for (number, answer) in open.iter_mut().enumerate() {
        let Some(property) = properties.iter().find(|it| it.name == answer.property) else { continue };
        let budget = budget.share_of_time(count - number);
        let found = checker.by_flow(&*model, exact, property, project, &budget)?;
        if found.verdict != Verdict::Unknown {
            **answer = found;
        }
    }
    Ok(())
}

impl Checker<'_> {
    /// The answers of flow analysis: one for each property, and that there is none to other questions that are asked for.
    pub(super) fn all_by_flow(
        &self,
        model: &dyn FlowModel,
        exact: &Network,
        properties: &[Component],
        project: &Project,
        budget: &Budget<'_>,
    ) -> Result<Vec<CheckResult>, Internal> {
        let mut results = Vec::new();
        for (number, property) in properties.iter().enumerate() {
            let budget = budget.share_of_time(properties.len() - number);
            results.push(self.by_flow(model, exact, property, project, &budget)?);
        }
        let mut others: Vec<(Kind, &str)> = Vec::new();
        if self.query.asks_for("deadlock") {
            others.push((Kind::Deadlock, "deadlock"));
        }
        // Safety means the properties. Where there are none, silence must not look like an answer.
        if properties.is_empty() && self.query.wants_kind("safety") {
            others.push((Kind::Safety, "safety"));
        }
        others.extend(self.declared.progress.iter().map(|property| (Kind::Progress, &*property.name)));
        others.extend(self.declared.assertions.iter().map(|assertion| (Kind::Ltl, &*assertion.name)));
        results.extend(others.into_iter().map(|(kind, name)| CheckResult {
            verdict: Verdict::Unknown,
            reason: Some(SAFETY_ONLY.to_owned()),
            engine: Some(Engine::Flow),
            ..self.blank(kind, name)
        }));
        Ok(results)
    }

    /// Whether a property holds, by flow analysis.
    pub(super) fn by_flow(
        &self,
        model: &dyn FlowModel,
        exact: &Network,
        property: &Component,
        project: &Project,
        budget: &Budget<'_>,
    ) -> Result<CheckResult, Internal> {
        let search = FlowSearch::new(model, exact, property, *budget);
        let FlowAnswer { outcome, constraints, threads, searches, states, transitions } =
            search.answer(&self.query.constraints)?;
        let constraint = |number: usize| FlowConstraint {
            name: model.constraints()[number].name.clone(),
            states: FlowSearch::size_of(model, exact, number),
        };
        let constraints = constraints.into_iter().map(constraint).collect();
        let name_of = |thread: usize| exact.components()[thread].name.clone();
        let followed = match threads.len() < model.threads().len() {
            true => threads.into_iter().map(name_of).collect(),
            false => Vec::new(),
        };
        let mut flow = FlowResult { constraints, followed, searches, removed_by: Vec::new() };
        let mut result = CheckResult {
            engine: Some(Engine::Flow),
            states,
            transitions,
            ..self.blank(Kind::Safety, &property.name)
        };
        match outcome {
            FlowOutcome::Holds => {}
            FlowOutcome::Violated(found) => {
                let (behaviour, run) = *found;
                result.verdict = Verdict::Violated;
                result.feasible = Some(Feasible(Some(true)));
                show(&behaviour, run, self.states.get_or_init(StateNaming::default), &mut result);
                forget_last_component(&mut result, &behaviour);
                // It is a shortest one of those with the events of the path, and not of all.
                result.shortest = false;
            }
            FlowOutcome::Open { path, is_refuted, removed_by } => {
                result.verdict = Verdict::Unknown;
                result.feasible = Some(Feasible(is_refuted.then_some(false)));
                flow.removed_by = removed_by.into_iter().map(|number| constraint(number).name).collect();
                result.reason = Some(why_open(is_refuted, &flow.removed_by));
                result.trace = path.iter().map(|event| event.action.clone()).collect();
                result.components = exact.components().iter().map(|part| part.name.clone()).collect();
                let step = |mut event: rely_model::FlowEvent| {
                    event.places.sort_unstable();
                    let places = event.places.iter().map(|&(part, span)| placed(part, span, project));
                    let parts = event.places.iter().map(|&(part, _)| part).collect();
                    TraceStep { places: places.collect(), ..TraceStep::plain(event.action, parts) }
                };
                result.steps = path.into_iter().map(step).collect();
            }
            FlowOutcome::Limit(reason) => {
                result.verdict = Verdict::Unknown;
                result.reason = Some(reason);
            }
        }
        result.flow = Some(flow);
        Ok(result)
    }
}

/// Why a path that breaks a property is no answer.
fn why_open(is_refuted: bool, removed_by: &[String]) -> String {
    let what = match is_refuted {
        true => "the path below is no run of the program",
        false => "it is not known whether the path below is a run of the program",
    };
    match removed_by {
        [] if is_refuted => format!("{what}, and no constraint that the program gives rules it out"),
        [] => what.to_owned(),
        [name] => format!("{what}; the constraint {name} rules it out"),
        names => format!("{what}; each of the constraints {} rules it out", list(names)),
    }
}

/// Leaves the last component of a behaviour, which only follows a path, out of a run.
fn forget_last_component(result: &mut CheckResult, behaviour: &Behaviour) {
    let last = behaviour.part_names().len() - 1;
    result.components.truncate(last);
    for step in &mut result.steps {
        if let Some(at) = step.components.iter().position(|&component| component == last) {
            step.components.remove(at);
            step.leaving.remove(at);
        }
    }
}
