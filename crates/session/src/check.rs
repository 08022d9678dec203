//! `check`: deadlock, safety, progress, assertions and divergence of targets.

mod alone;
mod asked;
mod by_flow;
mod by_parts;
mod checker;
mod fairness;
mod finish;
mod flow;
mod growth;
mod inquest;
mod more;
mod query;
mod review;
mod spin;
mod words;

use std::cell::OnceCell;

use rely_assume::Memory;
use rely_base::{Budget, Diagnostic, Span};
use rely_model::{Assumption, Failure};

use crate::doubts::Doubts;
use crate::engine::Engine;
use crate::expect::Expectations;
use crate::meaning::Meaning;
use crate::report::{CheckResult, Report};
use crate::states::StateNaming;
use crate::{Internal, Project, explain};

use alone::{Alone, Stop};
use asked::{Declared, TargetQuestion};
use by_flow::{again_by_flow, by_flow};
pub(crate) use by_flow::{no_flow, unknown_constraints};
use checker::{Checker, PATIENCE};
use fairness::{is_of_processes, justice, wrong_fairness};
use finish::{advise_to_go_on, leave_open, line_of_property, locate_steps, show_names};
pub(crate) use flow::{Concrete, FlowSearch, made_concrete};
use inquest::{Inquest, Watched, ask_again};

pub use query::CheckQuery;
pub use review::review;
pub use spin::{Spin, SpinAnswer};
pub(crate) use words::{list, named, warning};

/// Checks the targets of a project.
///
/// # Errors
/// A mistake in this program, such as a counterexample that cannot be replayed.
pub fn check(
    project: &Project,
    query: &CheckQuery,
    budget: Budget<'_>,
) -> Result<Report<CheckResult>, Internal> {
    check_with(project, query, Outside::default(), budget)
}

/// What a check may use besides this program.
#[derive(Clone, Copy, Default)]
pub struct Outside<'a> {
    /// Runs SPIN, where that is the engine.
    pub spin: Option<&'a dyn Spin>,
    /// What earlier runs have stored.
    pub memory: Option<&'a dyn Memory>,
}

/// Checks a project with the help of SPIN, where that is the engine, and of earlier runs.
///
/// # Errors
/// A mistake in this program, such as a counterexample that cannot be replayed.
pub fn check_with(
    project: &Project,
    query: &CheckQuery,
    outside: Outside<'_>,
    budget: Budget<'_>,
) -> Result<Report<CheckResult>, Internal> {
    let spin = outside.spin.filter(|_| query.engine == Engine::Spin);
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
    let properties: Vec<&String> = query.only.iter().filter(|word| meaning.may_be_property(word)).collect();
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
    let asked = TargetQuestion::all(names, query, &declared, &expectations);
    let states: Vec<OnceCell<StateNaming>> = asked.iter().map(|_| OnceCell::new()).collect();
    for (number, asked_about) in asked.iter().enumerate() {
        let TargetQuestion { target: name, query, declared, also } = asked_about;
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
            false => {
                let share = budget.share_of_time(asked.len() - number + 1);
                Alone::new(checker, &mut meaning, outside.memory, &share)
            }
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
            states[number].get_or_init(|| StateNaming::of(target).located(target, project));
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
                if alone.is_none() && !query.no_reduction && spin.is_none() {
                    inquest = inquest.within(project);
                }
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
    if query.traces > 1 {
        for inquest in &mut inquests {
            inquest.find_more(query.traces, &budget)?;
        }
    }
    let naming = meaning.shown_names();
    let mut results: Vec<CheckResult> = Vec::new();
    for (inquest, target) in inquests.into_iter().zip(&mut targets) {
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
            if let Some(place) = answers.iter().position(|answer| answer.met_limit) {
                answers[place].growth = Some(growth::growth(target, query, &answers));
            }
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
    let project = meaning.project();
    let mut watched = Vec::new();
    for name in wanted {
        let (target, watcher) = match assumed {
            Some(assumed) => meaning.watched_alone(target, &name, assumed)?,
            None => meaning.watched_target(target, &name)?,
        };
        let states = OnceCell::from(StateNaming::of(&target).located(&target, project));
        let definition = line_of_property(&target, &name, project);
        watched.push(Watched { name, behaviour: target.behaviour, watcher, states, definition });
    }
    Ok(watched)
}

#[cfg(test)]
mod tests;
