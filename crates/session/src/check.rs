//! `check`: deadlock, safety, progress, assertions and divergence of targets.

mod asked;
mod checker;
mod inquest;
mod words;

use rely_base::{Budget, Diagnostic, Span};
use rely_model::{Environment, Failure, Naming};
use rely_omega::Justice;

use crate::doubts::{Doubts, unchecked, unused_fluents};
use crate::expect::Expectations;
use crate::meaning::{Meaning, is_made_by};
use crate::report::{CheckResult, Fairness, Finding, Kind, Level, Report, Verdict};
use crate::{Internal, Project, explain};

use asked::{Asked, Declared, KINDS};
use checker::{Checker, PATIENCE};
use inquest::{Inquest, Watched, ask_again};

pub(crate) use words::{list, named, warning};

/// What to check.
#[derive(Clone, Debug, Default)]
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
    let mut meaning = Meaning::with_properties(project, budget);
    meaning.assume(query.environment);
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
    // A target is checked as soon as it is built: one that takes all the time leaves the answers about those before it.
    let (mut inquests, mut targets) = (Vec::new(), Vec::new());
    let asked = Asked::all(names, query, &declared, &expectations);
    for (number, asked_about) in asked.iter().enumerate() {
        let Asked { target: name, query, declared, also } = asked_about;
        let target = meaning.behaviour(name);
        if meaning.has_errors() || !unknown.is_empty() {
            continue;
        }
        let checker = Checker { query, declared, also, patience: PATIENCE, target: name };
        match (target, &exhausted) {
            (Err(Failure::Exhausted(exhausted)), _) => inquests.push(Inquest::unbuilt(checker, &exhausted)),
            (_, Some(exhausted)) => inquests.push(Inquest::unbuilt(checker, exhausted)),
            (Ok(target), None) => {
                let mut inquest = Inquest::new(checker, target.behaviour.clone(), &budget);
                match watched(&mut meaning, query, name) {
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
                inquest.ask(budget.share_of_time(asked.len() - number))?;
                inquests.push(inquest);
                targets.push(Some((target, declared)));
                continue;
            }
            (Err(Failure::Errors), None) => continue,
        }
        targets.push(None);
    }
    ask_again(&mut inquests, budget)?;
    let naming = meaning.shown_names();
    let mut results: Vec<CheckResult> = Vec::new();
    for (inquest, target) in inquests.into_iter().zip(&targets) {
        let mut answers: Vec<CheckResult> = inquest.into_results().collect();
        answers.iter_mut().for_each(|answer| show_names(answer, &naming));
        if let Some((target, declared)) = target {
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

/// How fair processes are treated, by the word for it; nothing if that is no word for it.
fn justice(fairness: Option<Fairness>) -> Option<Justice> {
    match fairness {
        None | Some(Fairness::Weak) => Some(Justice::Weak),
        Some(Fairness::None) => Some(Justice::None),
        Some(Fairness::Strong) => Some(Justice::Strong),
        Some(Fairness::Choice | Fairness::Random) => None,
    }
}

/// Whether a fairness is one of processes only.
fn is_of_processes(fairness: Option<Fairness>) -> bool {
    matches!(fairness, Some(Fairness::Weak | Fairness::Strong))
}

/// What is said of a fairness that a language does not have.
fn wrong_fairness(fairness: Option<Fairness>) -> Diagnostic {
    let (message, help) = match is_of_processes(fairness) {
        true => ("this language has no processes to be fair to", "there are `none`, `choice` and `random`"),
        false => ("in this language fairness is about processes", "there are `none`, `weak` and `strong`"),
    };
    Diagnostic::error(explain::NO_SUCH_FAIRNESS, Span::new(0, 0), message).with_help(help)
}

/// The properties that the text declares of a target and the query asks for, each with the behaviour that it watches.
fn watched(meaning: &mut Meaning<'_>, query: &CheckQuery, target: &str) -> Result<Vec<Watched>, Failure> {
    let names = meaning.properties_of(target)?;
    let wanted = names.into_iter().filter(|name| query.wants("safety", name));
    let mut watched = Vec::new();
    for name in wanted {
        let (target, watcher) = meaning.watched_target(target, &name)?;
        watched.push(Watched { name, behaviour: target.behaviour, watcher });
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
}

/// Leaves open what says nothing about the text, where the target does more than the text describes. A violation may be none.
/// Only of safety does it follow that it holds: what can always go on with the help of an environment that may do anything
/// may be stuck without it.
fn leave_open(answer: &mut CheckResult, why: &str) {
    let is_proved = answer.verdict == Verdict::Holds && answer.kind == Kind::Safety;
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
