//! `rely assume`

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rely_session::report::{
    AssumeResult, Consequences, Equal, Forbidden, Hypothesis, Outcome, Sequel, Verdict,
};
use rely_session::{Algorithm, AssumeQuery, Built, Format, Project};

use super::convert::{format_of, note_lost};
use crate::args::Assume;
use crate::context::{Context, Exit, Usage};
use crate::files;
use crate::patience::stopped;
use crate::render::trace::{self, Columns, Run, Shown};
use crate::render::{Style, counted};

/// The files; that of properties is beside the first.
fn open(context: &Context, verb: &Assume) -> anyhow::Result<Vec<Project>> {
    let beside = verb.properties.properties.as_deref();
    let mut projects = context.open(verb.files.iter().map(PathBuf::as_path).chain(beside))?;
    if beside.is_some()
        && let Some(properties) = projects.pop()
    {
        let first = projects.remove(0);
        projects.insert(0, first.with_properties(properties));
    }
    Ok(projects)
}

pub(crate) fn run(context: &Context, verb: &Assume) -> anyhow::Result<Exit> {
    let learn = learn(verb)?;
    let destination = verb.output.as_deref().map(Destination::of).transpose()?;
    let projects = open(context, verb)?;
    let query = AssumeQuery {
        components: verb.component.clone(),
        property: verb.property.clone(),
        environment: verb.environment.clone(),
        alphabet: verb.alphabet.clone(),
        learn,
        deadlock_free: verb.deadlock_free,
        discharge: verb.discharge,
        equal: verb.equal,
    };
    let assumed = rely_session::assume(&projects, &query, context.watch.budget())?;
    let report = &assumed.report;
    if report.has_errors() {
        return Ok(context.fail(report, &projects));
    }
    let [result] = &report.results[..] else { return Ok(context.fail(report, &projects)) };
    let is_partial = result.partial.is_some();
    if let (Some(destination), Some(lts)) = (&destination, &assumed.assumption) {
        let what = if is_partial { "ENOUGH" } else { "NEEDS" };
        let name = format!("{}_{what}", verb.component.join("_").to_uppercase());
        let built = built(name, lts);
        match is_partial {
            false => destination.save(context, &built)?,
            true => destination.save_with(context, &built, PARTIAL)?,
        }
        if is_partial && destination.format != Some(Format::Fsp) {
            let path = destination.path.display();
            let what = "allows is certainly allowed; the assumption itself may allow more";
            context.remark(format_args!("what {path} {what}"));
        }
        note_lost(context, &built, destination.format, destination.path);
    }
    if context.global.json {
        context.answer(report);
    } else {
        context.show_findings(&report.diagnostics, &projects);
        let detail = match (context.global.quiet, context.global.verbose) {
            (true, _) => Detail::Verdict,
            (false, false) => Detail::Usual,
            (false, true) if learn.is_some() => Detail::Learning,
            (false, true) => Detail::Construction,
        };
        context.warn(&verb.component.join(", "), &result.warnings);
        let mut text = render(result, context.style, detail);
        if let (None, Some(lts), false) = (&destination, &assumed.assumption, context.global.quiet) {
            text.push_str(&shown(lts, if is_partial { "ENOUGH" } else { "ASSUMPTION" }));
        }
        context.print(&text)?;
        if destination.is_some() && assumed.assumption.is_none() {
            context.remark("there is no assumption to write");
        }
    }
    let further = [result.discharged, result.equal.as_ref().map(|equal| equal.verdict)];
    Ok(match result.outcome {
        Outcome::Unknown => Exit::Inconclusive,
        Outcome::FailsAlways => Exit::Violated,
        _ if further.contains(&Some(Verdict::Violated)) => Exit::Violated,
        _ if further.contains(&Some(Verdict::Unknown)) => Exit::Inconclusive,
        Outcome::HoldsAlways | Outcome::Assumption => Exit::Success,
    })
}

/// How the assumption is learned, if it is: a learner without a method asks for that.
fn learn(verb: &Assume) -> anyhow::Result<Option<Algorithm>> {
    let wrong = |message: &str| Err(Usage(message.to_owned()).into());
    let learns = match (verb.method.as_deref(), &verb.learner) {
        (Some("direct"), Some(_)) => {
            return wrong("--method direct learns nothing, so --learner is of no use");
        }
        (method, learner) => method == Some("learn") || learner.is_some(),
    };
    match learns && verb.deadlock_free {
        true => wrong("an assumption that is free of deadlock cannot be learned, only constructed"),
        false => Ok(learns.then(|| learner(verb.learner.as_deref()))),
    }
}

/// The learner with a name.
pub(super) fn learner(name: Option<&str>) -> Algorithm {
    match name {
        Some("lstar") => Algorithm::LStar,
        Some("tree") => Algorithm::DiscriminationTree,
        Some("lsharp") => Algorithm::LSharp,
        _ => Algorithm::Adaptive,
    }
}

/// What a file says that has only a part of an assumption.
const PARTIAL: &str = "A part of the assumption: a limit was reached before all of it was known.\n\
    What is allowed here is certainly allowed; the assumption itself may allow more.";

/// Where and how to write an automaton.
pub(super) struct Destination<'p> {
    pub(super) path: &'p Path,
    /// Nothing for a picture.
    pub(super) format: Option<Format>,
}

impl<'p> Destination<'p> {
    pub(super) fn of(path: &'p Path) -> anyhow::Result<Self> {
        let is_picture = files::ending_of(path) == "svg";
        let format = if is_picture { None } else { Some(format_of(path, "i")?) };
        Ok(Self { path, format })
    }

    pub(super) fn save(&self, context: &Context, built: &Built) -> anyhow::Result<()> {
        self.save_with(context, built, "")
    }

    /// Writes an automaton, with a comment above it where the format has comments.
    fn save_with(&self, context: &Context, built: &Built, comment: &str) -> anyhow::Result<()> {
        match self.format {
            Some(format) => context.write(self.path, |out| {
                for line in comment.lines().filter(|_| format == Format::Fsp) {
                    writeln!(out, "// {}", line.trim_start()).map_err(|error| error.to_string())?;
                }
                rely_session::write(built, format, out)
            }),
            None => {
                // What is too large for a picture has met a limit.
                let picture = rely_session::draw(built).map_err(stopped)?;
                context.write(self.path, |out| {
                    out.write_all(picture.as_bytes()).map_err(|error| error.to_string())
                })
            }
        }
    }
}

fn built(name: String, lts: &Arc<rely_session::Lts>) -> Built {
    Built { target: name, lts: lts.as_ref().clone(), roles: None, states: None, findings: Vec::new() }
}

/// A small assumption as FSP.
fn shown(lts: &Arc<rely_session::Lts>, name: &str) -> String {
    const SMALL: usize = 30;
    if lts.state_count() > SMALL {
        return String::from("  (-o FILE writes it: .fsp, .aut, .json, .dot or .svg)\n");
    }
    let mut text = Vec::new();
    match rely_session::write(&built(name.to_owned(), lts), Format::Fsp, &mut text) {
        Ok(()) => format!("\n{}", String::from_utf8_lossy(&text)),
        Err(_) => String::new(),
    }
}

/// How much is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// Only the answer.
    Verdict,
    /// What the assumption says.
    Usual,
    /// The steps of the construction, too.
    Construction,
    /// The questions of the learner, too.
    Learning,
}

fn render(result: &AssumeResult, style: Style, detail: Detail) -> String {
    let component = style.bold(result.component.join(", "));
    let mut text = match leaves_stuck(result) {
        true => format!("{component}: every environment "),
        false => format!("{component}: {} ", result.property),
    };
    match result.outcome {
        Outcome::HoldsAlways => {
            let _ = writeln!(text, "{} in every environment", style.green("holds"));
        }
        Outcome::FailsAlways if leaves_stuck(result) => {
            let breaks = style.red("breaks");
            let _ = writeln!(text, "{breaks} {} or leaves the component stuck", result.property);
        }
        Outcome::FailsAlways => {
            let _ = writeln!(text, "{} in every environment", style.red("fails"));
        }
        Outcome::Assumption => {
            let size = result.assumption.as_ref().map_or(0, |assumption| assumption.states);
            let where_ = match result.deadlock_free {
                true => "without leaving the component stuck where the environment satisfies",
                false => "exactly in the environments that satisfy",
            };
            let size = counted(size, "state");
            let _ = writeln!(text, "{} {where_} an assumption of {size}", style.green("holds"));
        }
        Outcome::Unknown => {
            let reason = result.reason.as_deref().unwrap_or_default();
            let _ = writeln!(text, "{}: {reason}", style.yellow("unknown"));
        }
    }
    if detail == Detail::Verdict {
        verdict_of_discharge(&mut text, result, style);
        equality(&mut text, result, style);
        return text;
    }
    if let Some(made) = made(result, detail) {
        let _ = writeln!(text, "  {}", style.dim(format!("{made}; peak {}", result.peak_states)));
    }
    if result.outcome == Outcome::FailsAlways && !result.trace.is_empty() {
        let _ = writeln!(text, "  by {}, whatever the environment does", result.trace.join(", "));
    }
    if detail == Detail::Learning {
        conjectures(&mut text, &result.hypotheses);
    }
    let partial = result.partial.as_ref();
    if let Some(partial) = partial {
        let open = counted(partial.open, "step");
        let _ = writeln!(text, "  a part of the assumption is certain; still open: {open}");
    } else if result.outcome == Outcome::Unknown {
        text.push_str("  nothing is certain about the assumption yet\n");
    }
    if let Some(assumption) = result.assumption.as_ref().or(partial.map(|partial| &partial.enough)) {
        let _ = writeln!(text, "  over {}", assumption.alphabet.join(", "));
    }
    forbidden(&mut text, &result.forbids, result.further);
    if let Some(found) = &result.consequences {
        consequences(&mut text, found, detail);
    }
    if partial.is_some() {
        text.push_str(
            "  the property holds in every environment that does no more than ENOUGH; in others it may\n",
        );
    }
    discharge(&mut text, result, style);
    equality(&mut text, result, style);
    text
}

/// What the learner conjectured, and what was wrong with it.
fn conjectures(text: &mut String, hypotheses: &[Hypothesis]) {
    for (place, hypothesis) in hypotheses.iter().enumerate() {
        let Hypothesis { states, counterexample, too_weak, process } = hypothesis;
        let answer = match counterexample {
            None => "accepted".to_owned(),
            Some(word) if word.is_empty() => "wrong from the start".to_owned(),
            Some(word) if *too_weak => format!("too weak: it allows {}", word.join(", ")),
            Some(word) => format!("too strong: it forbids {}", word.join(", ")),
        };
        let _ = writeln!(text, "  conjecture {}: {}, {answer}", place + 1, counted(*states, "state"));
        for line in process.iter().flat_map(|process| process.lines()) {
            let _ = writeln!(text, "    {line}");
        }
    }
}

/// Whether the component can be made to do exactly what the property allows.
fn equality(text: &mut String, result: &AssumeResult, style: Style) {
    let Some(Equal { verdict, trace, reason }) = &result.equal else { return };
    let component = result.component.join(", ");
    let line = match verdict {
        Verdict::Holds => format!(
            "with the most general environment {component} {} that {} allows",
            style.green("does all"),
            result.property
        ),
        Verdict::Violated if trace.is_empty() => {
            format!("{} environment makes {component} do what {} allows", style.red("no"), result.property)
        }
        Verdict::Violated => format!(
            "{} environment makes {component} do all that {} allows: not {}",
            style.red("no"),
            result.property,
            trace.join(", ")
        ),
        Verdict::Unknown => format!(
            "whether {component} can do all that {} allows is {}: {}",
            result.property,
            style.yellow("unknown"),
            reason.as_deref().unwrap_or_default()
        ),
    };
    let _ = writeln!(text, "  {line}");
}

/// Whether there is no assumption for another reason than that the property fails by itself.
fn leaves_stuck(result: &AssumeResult) -> bool {
    result.outcome == Outcome::FailsAlways && result.deadlock_free && result.trace.is_empty()
}

/// How the answer was found.
fn made(result: &AssumeResult, detail: Detail) -> Option<String> {
    let steps = &result.steps;
    match detail {
        Detail::Verdict | Detail::Usual => None,
        Detail::Construction => Some(format!(
            "composed {} → minimised {} → propagated {} → determinised {} → final {}",
            steps.composed, steps.minimised, steps.propagated, steps.determinised, steps.last
        )),
        Detail::Learning => {
            let conjectures = counted(result.conjectures, "conjecture");
            Some(format!("{} asked, {conjectures}", counted(result.queries, "word")))
        }
    }
}

/// What the environment must not do, in words.
fn forbidden(text: &mut String, forbids: &[Forbidden], further: usize) {
    if forbids.is_empty() {
        return;
    }
    text.push_str("  the environment must not do\n");
    for Forbidden { after, actions } in forbids {
        let _ = writeln!(text, "    {}: {}", when(after), actions.join(", "));
    }
    if further > 0 {
        let _ = writeln!(text, "    and more, in {}", counted(further, "further state"));
    }
}

fn when(after: &[String]) -> String {
    match after.is_empty() {
        true => "at the start".to_owned(),
        false => format!("after {}", after.join(", ")),
    }
}

/// What the assumption means for the component, in words.
fn consequences(text: &mut String, found: &Consequences, detail: Detail) {
    let mut lines = Vec::new();
    if !found.never.is_empty() {
        lines.push(format!("never: {}", found.never.join(", ")));
    }
    let stuck = "the component may be stuck";
    if let Some(after) =
        found.stuck.as_ref().filter(|after| found.never_again.iter().all(|e| e.after != **after))
    {
        lines.push(format!("{}: {stuck}", when(after)));
    }
    for Sequel { after, actions } in &found.never_again {
        let also = if found.stuck.as_ref() == Some(after) { format!("{stuck}; ") } else { String::new() };
        lines.push(format!("{}: {also}never again {}", when(after), actions.join(", ")));
    }
    if matches!(detail, Detail::Construction | Detail::Learning) {
        let only =
            |Sequel { after, actions }: &Sequel| format!("{}: only {}", when(after), actions.join(", "));
        lines.extend(found.only.iter().map(only));
    }
    if !lines.is_empty() {
        text.push_str("  with an environment that does all that it may\n");
    }
    for line in lines {
        let _ = writeln!(text, "    {line}");
    }
}

/// Whether the environment satisfies the assumption, in a line.
fn verdict_of_discharge(text: &mut String, result: &AssumeResult, style: Style) {
    let verdict = match result.discharged {
        None => return,
        Some(Verdict::Violated) if leaves_stuck(result) => style.red("is no exception"),
        Some(Verdict::Holds) => style.green("satisfies it"),
        Some(Verdict::Violated) => style.red("breaks it"),
        Some(Verdict::Unknown) => style.yellow("unknown"),
    };
    let _ = writeln!(text, "  {} {verdict}", result.environment.join(", "));
}

fn discharge(text: &mut String, result: &AssumeResult, style: Style) {
    let environment = result.environment.join(", ");
    match result.discharged {
        None => {}
        Some(Verdict::Holds) => {
            let _ = writeln!(text, "  {environment} {} it", style.green("satisfies"));
        }
        Some(Verdict::Unknown) => {
            let reason = result.reason.as_deref().unwrap_or_default();
            let _ = writeln!(
                text,
                "  whether {environment} satisfies it is {}: {reason}",
                style.yellow("unknown")
            );
        }
        Some(Verdict::Violated) if leaves_stuck(result) => {
            let _ = writeln!(text, "  {environment} {}", style.red("is no exception"));
        }
        Some(Verdict::Violated) if result.steps_of_violation.is_empty() => {
            let _ =
                writeln!(text, "  {environment} {} it by {}", style.red("breaks"), result.trace.join(", "));
        }
        Some(Verdict::Violated) => {
            let _ = writeln!(text, "  {environment} {} it; on the whole system:", style.red("breaks"));
            let run =
                Run { components: &result.components, steps: &result.steps_of_violation, cycle_steps: &[] };
            text.push_str(&trace::render(run, Shown::plain(Columns::Names), style));
        }
    }
}
