//! What is done with answers before they are shown: places in the text, the names of the language, and what the target, where it
//! does more than the text describes, leaves open.

use rely_lts::Behaviour;
use rely_model::{Naming, Target};

use crate::Project;
use crate::places::locate;
use crate::report::{Cause, CheckResult, Finding, Kind, Level, TraceStep, Verdict};

/// Adds places in the text to the traces of an answer.
pub(super) fn locate_steps(answer: &mut CheckResult, target: &Target<Behaviour>, project: &Project) {
    // The states of reduced components are others, and paths of a flow model have their places already.
    if answer.equivalent_states_merged || answer.verdict == Verdict::Unknown {
        return;
    }
    if let Some(network) = target.behaviour.as_network() {
        let steps = answer.steps.iter_mut().chain(&mut answer.cycle_steps);
        locate(steps, network, &target.parts, project);
        for other in &mut answer.more_traces {
            let steps = other.steps.iter_mut().chain(&mut other.cycle_steps);
            locate(steps, network, &target.parts, project);
        }
    }
}

/// The line of the text that defines a property of a program, without its keyword. Other properties have a formula, or are
/// processes.
pub(super) fn line_of_property(
    target: &Target<Behaviour>,
    property: &str,
    project: &Project,
) -> Option<String> {
    target.behaviour.as_program()?;
    let part = target.parts.iter().find(|part| part.is_property() && part.is_called(property))?;
    let line = project.place(part.place?).line;
    let words: Vec<&str> = project.text().lines().nth(line - 1)?.split_whitespace().collect();
    Some(words.strip_prefix(&["property"]).unwrap_or(&words).join(" "))
}

/// Writes the actions of a trace as the language names them.
pub(super) fn show_names(answer: &mut CheckResult, naming: &Naming) {
    if naming.is_empty() {
        return;
    }
    let show = |name: &mut String| *name = naming.shown(name).to_owned();
    let show_steps = |steps: &mut [TraceStep]| {
        steps.iter_mut().map(|step| &mut step.action).for_each(show);
    };
    let show_cause = |cause: &mut Cause| {
        let waiting = cause.waiting.iter_mut().chain(&mut cause.stalled);
        waiting.flat_map(|it| &mut it.actions).for_each(|refused| show(&mut refused.action));
        cause.failure.iter_mut().flat_map(|it| &mut it.allowed).for_each(show);
        cause.withheld.iter_mut().map(|it| &mut it.action).for_each(show);
    };
    answer.trace.iter_mut().chain(&mut answer.cycle).for_each(show);
    show_steps(&mut answer.steps);
    show_steps(&mut answer.cycle_steps);
    answer.cause.iter_mut().for_each(show_cause);
    for other in &mut answer.more_traces {
        other.trace.iter_mut().chain(&mut other.cycle).for_each(show);
        show_steps(&mut other.steps);
        show_steps(&mut other.cycle_steps);
        other.cause.iter_mut().for_each(show_cause);
    }
}

/// Leaves open what says nothing about the text, where the target does more than the text describes. A violation may be none.
/// Only of safety does it follow that it holds: what can always go on with the help of an environment that may do anything
/// may be stuck without it.
pub(super) fn leave_open(answer: &mut CheckResult, why: &str) {
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
pub(super) fn advise_to_go_on(findings: &mut [Finding]) {
    const ADVICE: &str =
        "without it, `--only deadlock,safety` and the names of other properties can be checked";
    let Some(last) = findings.iter_mut().rfind(|finding| finding.severity == Level::Error) else { return };
    last.help = Some(last.help.take().map_or(ADVICE.to_owned(), |help| format!("{help}; {ADVICE}")));
}
