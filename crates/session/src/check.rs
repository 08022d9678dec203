//! `check`: deadlock, safety, progress, assertions and divergence of targets.

mod alone;
mod asked;
mod by_flow;
mod checker;
mod fairness;
mod flow;
mod inquest;
mod spin;
mod words;

use std::cell::OnceCell;

use rely_base::{Budget, Diagnostic, Id, Span};
use rely_lts::{Behaviour, Component};
use rely_model::{Assumption, Environment, Failure, FlowModel, Naming, Target};
use serde::Deserialize;

use crate::doubts::{Doubts, unchecked, unused_fluents};
use crate::engine::{Constraints, Engine};
use crate::expect::Expectations;
use crate::meaning::{Meaning, is_made_by};
use crate::places::locate;
use crate::report::{CheckResult, Fairness, Finding, Kind, Level, Report, Verdict};
use crate::states::StateNaming;
use crate::{Internal, Project, explain};

use alone::{Alone, Stop};
use asked::{Asked, Declared, KINDS};
use checker::{Checker, PATIENCE};
use fairness::{is_of_processes, justice, wrong_fairness};
use flow::FlowSearch;
use inquest::{Inquest, Watched, ask_again};

pub use spin::{Spin, SpinAnswer};
pub(crate) use words::{list, named, warning};

/// What to check.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct CheckQuery {
    /// The targets; if there are none, every composite that no other uses, or all processes together.
    pub targets: Vec<String>,
    /// Whether composites inside of others are targets, too, where none are named.
    pub all_targets: bool,
    /// Kinds (`deadlock`, `safety`, `progress`, `ltl`, `divergence`) and names of properties; everything that the
    /// file declares if there are none.
    pub only: Vec<String>,
    /// Whether all states are to be looked at where some would do.
    pub no_reduction: bool,
    /// Whether it is to be said what was ever exercised, with the answer about safety.
    pub coverage: bool,
    /// Which runs assertions speak of; nothing for the usual ones of the language.
    pub fairness: Option<Fairness>,
    /// What a component on its own may assume about its environment.
    pub environment: Environment,
    /// Which model is searched, where the language has more than one.
    pub engine: Engine,
    /// What flow analysis is to know.
    pub constraints: Constraints,
}

impl CheckQuery {
    /// Whether a property is asked for by a name, and not only with all others of its kind.
    fn names(&self, property: &str) -> bool {
        self.only.iter().any(|word| !KINDS.contains(&word.as_str()) && is_made_by(property, word))
    }

    fn wants_kind(&self, kind: &str) -> bool {
        self.only.is_empty() || self.asks_for(kind)
    }

    fn asks_for(&self, word: &str) -> bool {
        self.only.iter().any(|only| only == word)
    }

    /// Whether a property is wanted: by its kind, its name, or the name of a definition that makes it with indices.
    fn wants(&self, kind: &str, name: &str) -> bool {
        self.wants_kind(kind) || self.only.iter().any(|word| is_made_by(name, word))
    }

    /// Findings about what the query leaves unchecked, although its kind is asked for.
    fn unchecked(&self, project: &Project, meaning: &Meaning<'_>) -> Vec<Finding> {
        let is_used = |name: &str| meaning.is_used(name);
        let are_chosen = !self.targets.is_empty();
        let mut findings = Vec::new();
        if self.wants_kind("safety") {
            findings.extend(unchecked(project, &is_used, are_chosen));
        }
        if self.wants_kind("ltl") {
            findings.extend(unused_fluents(project, &|name| are_chosen || is_used(name)));
        }
        findings
    }

    /// Whether something that a definition makes is wanted.
    fn wants_of(&self, kind: &str, definition: &str) -> bool {
        self.wants_kind(kind) || self.only.iter().any(|word| is_made_by(word, definition))
    }
}

/// Checks the targets of a project.
///
/// # Errors
/// A mistake in this program, such as a counterexample that cannot be replayed.
pub fn check(
    project: &Project,
    query: &CheckQuery,
    budget: Budget<'_>,
) -> Result<Report<CheckResult>, Internal> {
    check_with(project, query, None, budget)
}

/// The same, with somebody who runs SPIN where that is the engine.
///
/// # Errors
/// A mistake in this program, such as a counterexample that cannot be replayed.
pub fn check_with(
    project: &Project,
    query: &CheckQuery,
    spin: Option<&dyn Spin>,
    budget: Budget<'_>,
) -> Result<Report<CheckResult>, Internal> {
    let spin = spin.filter(|_| query.engine == Engine::Spin);
    let mut meaning = Meaning::with_properties(project, budget);
    meaning.choose(query.environment);
    let has_flow = meaning.has_flow();
    if query.engine == Engine::Flow && !has_flow {
        meaning.report(no_flow());
    }
    if spin.is_some() && meaning.open_components().is_none() {
        let message = "SPIN is asked about reactive machines only";
        meaning.report(Diagnostic::error(explain::NO_SPIN, Span::new(0, 0), message));
    }
    let names = meaning.wanted_targets(&query.targets, query.all_targets);
    let (expectations, nonsense) = Expectations::read(project, &mut meaning);
    nonsense.into_iter().for_each(|finding| meaning.report(finding));
    let readable = !meaning.has_errors();
    let declared = Declared::new(&mut meaning, query);
    let properties: Vec<&String> = query.only.iter().filter(|word| meaning.is_property(word)).collect();
    let errors_of_properties = meaning.error_count();
    let (declared, exhausted) = match declared {
        Ok(declared) => (declared, None),
        // Not even the questions are known; those that every target has go without an answer.
        Err(Failure::Exhausted(exhausted)) => (Declared::default(), Some(exhausted)),
        Err(Failure::Errors) => (Declared::default(), None),
    };
    if query.only.is_empty() && exhausted.is_none() && !meaning.has_errors() {
        expectations.report_unmade(project, &declared.names, &mut meaning);
    }
    let own: Vec<String> = names.iter().flat_map(|name| meaning.own_names(name)).collect();
    let mut unknown = match exhausted.is_some() || meaning.has_errors() {
        true => Vec::new(),
        false => declared.unknown_names(query, project.name(), (&properties, &own)),
    };
    let has_properties = !declared.properties.is_empty() || !own.is_empty();
    let is_asked_again = has_flow && query.engine == Engine::Auto && has_properties;
    // A target is checked as soon as it is built: one that takes all the time leaves the answers about those before it.
    let (mut inquests, mut targets) = (Vec::new(), Vec::new());
    let asked = Asked::all(names, query, &declared, &expectations);
    let states: Vec<OnceCell<StateNaming>> = asked.iter().map(|_| OnceCell::new()).collect();
    for (number, asked_about) in asked.iter().enumerate() {
        let Asked { target: name, query, declared, also } = asked_about;
        let checker = Checker {
            query,
            declared,
            also,
            patience: PATIENCE,
            target: name,
            states: &states[number],
            spin,
        };
        let alone = match meaning.has_errors() {
            true => Ok(None),
            false => Alone::new(checker, &mut meaning, &budget.share_of_time(asked.len() - number + 1)),
        };
        let (alone, target) = match alone {
            Ok(None) => (None, meaning.behaviour(name)),
            Ok(Some(alone)) => {
                let target = meaning.alone(name, &alone.assumed);
                (Some(alone), target)
            }
            Err(Stop::Failure(failure)) => (None, Err(failure)),
            Err(Stop::Internal(internal)) => return Err(internal),
        };
        if meaning.has_errors() || !unknown.is_empty() {
            continue;
        }
        if let Ok(target) = &target {
            states[number].get_or_init(|| StateNaming::of(target));
        }
        match (target, &exhausted) {
            (Err(Failure::Exhausted(exhausted)), _) => inquests.push(Inquest::unbuilt(checker, &exhausted)),
            (_, Some(exhausted)) => inquests.push(Inquest::unbuilt(checker, exhausted)),
            (Ok(target), None) if query.engine == Engine::Flow => {
                let share = budget.share_of_time(asked.len() - number);
                match by_flow(&mut meaning, &checker, &target, project, &share)? {
                    Ok(answers) => inquests.push(Inquest::settled(checker, answers)),
                    Err(Failure::Errors) => continue,
                    Err(Failure::Exhausted(exhausted)) => {
                        inquests.push(Inquest::unbuilt(checker, &exhausted));
                    }
                }
                targets.push(Some((target, declared, alone)));
                continue;
            }
            (Ok(target), None) => {
                let mut inquest = Inquest::new(checker, target.behaviour.clone(), &budget);
                let assumed = alone.as_ref().map(|alone| &alone.assumed[..]);
                match watched(&mut meaning, query, name, assumed) {
                    Ok(watched) => inquest.ask_also(watched),
                    Err(Failure::Errors) => continue,
                    Err(Failure::Exhausted(exhausted)) => inquest = Inquest::unbuilt(checker, &exhausted),
                }
                match (meaning.commitments(name), justice(query.fairness)) {
                    (Ok(Some(commitments)), Some(justice)) => inquest.ask_of(commitments, justice),
                    (Ok(Some(_)), None) => meaning.report(wrong_fairness(query.fairness)),
                    (Ok(None), _) if is_of_processes(query.fairness) => {
                        meaning.report(wrong_fairness(query.fairness));
                    }
                    _ => {}
                }
                if meaning.has_errors() {
                    continue;
                }
                // What is left open is asked once more by flow analysis, which takes time, too.
                let shares = (asked.len() - number) * if is_asked_again { 2 } else { 1 };
                inquest.ask(budget.share_of_time(shares))?;
                inquests.push(inquest);
                targets.push(Some((target, declared, alone)));
                continue;
            }
            (Err(Failure::Errors), None) => continue,
        }
        targets.push(None);
    }
    if !is_asked_again {
        ask_again(&mut inquests, budget)?;
    }
    let naming = meaning.shown_names();
    let mut results: Vec<CheckResult> = Vec::new();
    for (inquest, target) in inquests.into_iter().zip(&targets) {
        let checker = inquest.checker();
        let mut answers: Vec<CheckResult> = inquest.into_results().collect();
        if let Some((target, _, alone)) = target {
            if is_asked_again {
                again_by_flow(&mut answers, &mut meaning, &checker, target, project, &budget)?;
            }
            if let Some(alone) = alone {
                match alone.judge(&mut meaning, &mut answers, &budget) {
                    Ok(()) | Err(Stop::Failure(Failure::Exhausted(_))) => {}
                    Err(Stop::Failure(Failure::Errors)) => continue,
                    Err(Stop::Internal(internal)) => return Err(internal),
                }
                answers.extend(alone.discharges.iter().cloned());
            }
            answers.iter_mut().for_each(|answer| locate_steps(answer, target, project));
        }
        for answer in &mut answers {
            answer.engine = answer.engine.or(has_flow.then_some(Engine::Exact));
            show_names(answer, &naming);
        }
        if let Some((target, declared, _)) = target {
            if let Some(why) = target.overapproximates {
                answers.iter_mut().for_each(|answer| leave_open(answer, why));
            }
            let Declared { properties, progress, assertions, .. } = declared.as_ref();
            Doubts { target, properties, progress, assertions, budget }.add(&mut answers);
        }
        results.extend(answers);
    }
    let failed = meaning.has_errors();
    let only_properties_fail = readable && meaning.error_count() == errors_of_properties;
    let unchecked = if failed { Vec::new() } else { query.unchecked(project, &meaning) };
    let mut findings = meaning.findings();
    findings.extend(unchecked);
    if failed {
        results.clear();
        if only_properties_fail {
            advise_to_go_on(&mut findings);
        }
    }
    findings.append(&mut unknown);
    expectations.judge(&mut results);
    Ok(Report::new("check", results, findings))
}

/// That flow analysis was asked for in a language that has none.
fn no_flow() -> Diagnostic {
    let message = "this language has no flow models";
    Diagnostic::error(explain::NO_FLOW, Span::new(0, 0), message).with_help("leave out `--engine flow`")
}

/// Names of constraints that the flow model has not.
fn unknown_constraints(query: &CheckQuery, model: &dyn FlowModel) -> Vec<Diagnostic> {
    let Constraints::Named(names) = &query.constraints else { return Vec::new() };
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
fn by_flow(
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
    let unknown = unknown_constraints(checker.query, &*model);
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
fn again_by_flow(
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

/// Adds places in the text to the traces of an answer.
fn locate_steps(answer: &mut CheckResult, target: &Target<Behaviour>, project: &Project) {
    // The states of reduced components are others, and paths of a flow model have their places already.
    if answer.equivalent_states_merged || answer.verdict == Verdict::Unknown {
        return;
    }
    if let Some(network) = target.behaviour.as_network() {
        let steps = answer.steps.iter_mut().chain(&mut answer.cycle_steps);
        locate(steps, network, &target.parts, project);
    }
}

/// The properties that the text declares of a target and the query asks for, each with the behaviour that it watches: under
/// assumptions, if it is a component.
fn watched(
    meaning: &mut Meaning<'_>,
    query: &CheckQuery,
    target: &str,
    assumed: Option<&[Assumption]>,
) -> Result<Vec<Watched>, Failure> {
    let names = meaning.properties_of(target)?;
    let wanted = names.into_iter().filter(|name| query.wants("safety", name));
    let mut watched = Vec::new();
    for name in wanted {
        let (behaviour, watcher) = match assumed {
            Some(assumed) => meaning.watched_alone(target, &name, assumed)?,
            None => {
                let (target, watcher) = meaning.watched_target(target, &name)?;
                (target.behaviour, watcher)
            }
        };
        watched.push(Watched { name, behaviour, watcher });
    }
    Ok(watched)
}

/// Writes the actions of a trace as the language names them.
fn show_names(answer: &mut CheckResult, naming: &Naming) {
    if naming.is_empty() {
        return;
    }
    let show = |name: &mut String| *name = naming.shown(name).to_owned();
    answer.trace.iter_mut().chain(&mut answer.cycle).for_each(show);
    let steps = answer.steps.iter_mut().chain(&mut answer.cycle_steps);
    steps.map(|step| &mut step.action).for_each(show);
    if let Some(cause) = &mut answer.cause {
        cause.waiting.iter_mut().flat_map(|it| &mut it.actions).for_each(|refused| show(&mut refused.action));
        cause.failure.iter_mut().flat_map(|it| &mut it.allowed).for_each(show);
    }
}

/// Leaves open what says nothing about the text, where the target does more than the text describes. A violation may be none.
/// Only of safety does it follow that it holds: what can always go on with the help of an environment that may do anything
/// may be stuck without it.
fn leave_open(answer: &mut CheckResult, why: &str) {
    let is_proved = answer.verdict == Verdict::Holds && answer.kind == Kind::Safety;
    // A run of the whole system has been found for it.
    let is_real = answer.verdict == Verdict::Violated && answer.is_replayed;
    if is_real {
        return;
    }
    if answer.verdict != Verdict::Unknown && !is_proved {
        answer.verdict = Verdict::Unknown;
        answer.violates = None;
        answer.reason = Some(match answer.reason.take() {
            Some(reason) => format!("{reason}; {why}"),
            None => why.to_owned(),
        });
    }
}

/// Says how to go on without the properties that have errors, where nothing else has.
fn advise_to_go_on(findings: &mut [Finding]) {
    const ADVICE: &str =
        "without it, `--only deadlock,safety` and the names of other properties can be checked";
    let Some(last) = findings.iter_mut().rfind(|finding| finding.severity == Level::Error) else { return };
    last.help = Some(last.help.take().map_or(ADVICE.to_owned(), |help| format!("{help}; {ADVICE}")));
}

#[cfg(test)]
mod tests;
