//! `rely verify`

use std::fmt::Write as _;
use std::time::Instant;

use rely_session::report::{Finding, Verdict, VerifyResult};
use rely_session::{
    Alphabets, Details, Gate, InterfaceMethod, InterfaceQuery, InterfaceRule, Memory, Packages, Project,
    Rule, Strategy, Verified, VerifyQuery, explanation_page, verify_with_packages,
};

use super::assume::{Destination, learner};
use super::certify::save;
use super::check::constraints;
use super::explanation;
use crate::args::{Verify, whole_names};
use crate::cache::Cache;
use crate::context::{Context, Exit, Usage};
use crate::gate;
use crate::packages::Shelved;
use crate::render::trace::{self, Columns, Run, Shown};
use crate::render::verdict::as_expected;
use crate::render::{cause, counted, coverage, reused, warned};

mod assumptions;

pub(crate) fn run(context: &Context, verb: &Verify) -> anyhow::Result<Exit> {
    explanation::check(verb.explanation.as_deref())?;
    verb.output.as_deref().map(Destination::of).transpose()?;
    if let Some(rule) = verb.rule.as_deref().and_then(InterfaceRule::from_name) {
        if verb.engine == "flow" {
            return Err(Usage(format!("{rule} is for interface automata: --engine flow is for tasks")).into());
        }
        return interfaces(context, verb, rule);
    }
    if verb.specification.is_some() || verb.every_environment || verb.weak {
        let options =
            "--specification, --every-environment and --weak are for interface automata: give a rule";
        return Err(Usage(format!("{options} such as --rule ia-altref")).into());
    }
    let (strategy, rule) = plan(verb)?;
    let project = context.open_with(&verb.model, &verb.properties)?;
    let start = Instant::now();
    let clock = || u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    let query = VerifyQuery {
        system: verb.system.clone(),
        properties: verb.property.clone(),
        left: whole_names(&verb.left),
        rule,
        strategy,
        algorithm: learner(verb.learner.as_deref()),
        alphabets: if verb.refine_alphabet { Alphabets::Refined } else { Alphabets::Whole },
        details: details(verb),
        by_flow: (verb.engine == "flow").then(|| constraints(&verb.constraints)),
        certify: verb.certificate.is_some(),
        clock: &clock,
    };
    let cache = Cache::open(&verb.kept, &context.watch.patience())?;
    let memory = cache.as_ref().map(|cache| cache as &dyn Memory);
    let packages = Shelved::open(verb.shelf.named())?;
    let shelf = packages.as_ref().map(|packages| packages as &dyn Packages);
    let verified = verify_with_packages(&project, &query, memory, shelf, context.watch.budget())?;
    if let Some(packages) = &packages {
        packages.warn();
    }
    if let Some(cache) = &cache {
        cache.warn();
    }
    show(context, verb, &project, &verified)
}

/// The rules for interface automata.
fn interfaces(context: &Context, verb: &Verify, rule: InterfaceRule) -> anyhow::Result<Exit> {
    let method = match verb.strategy.as_deref() {
        Some(other @ ("auto" | "direct" | "monolithic")) if verb.learner.is_some() => {
            return Err(of_no_use("--learner", other, "learns nothing"));
        }
        None if verb.learner.is_some() => InterfaceMethod::Learn(learner(verb.learner.as_deref())),
        None | Some("auto" | "direct") => InterfaceMethod::Direct,
        Some("learn") => InterfaceMethod::Learn(learner(verb.learner.as_deref())),
        Some(other @ "monolithic") if !verb.left.is_empty() => {
            return Err(of_no_use("--left", other, "takes the whole system"));
        }
        Some("monolithic") => InterfaceMethod::Monolithic,
        Some(other) => {
            return Err(
                Usage(format!("{rule} has no strategy {other}: use direct, learn or monolithic")).into()
            );
        }
    };
    if verb.refine_alphabet {
        return Err(
            Usage(format!("{rule} has one interface: --refine-alphabet is for the other rules")).into()
        );
    }
    if verb.kept.is_wanted() {
        return Err(Usage(format!("results of {rule} are not kept: --cache is for the other rules")).into());
    }
    let specification = match (rule, &verb.specification) {
        (InterfaceRule::AltRef, None) => {
            return Err(Usage(format!("{rule} needs a specification: give --specification NAME")).into());
        }
        (InterfaceRule::AltRef, Some(name)) => name.clone(),
        (_, None) => String::new(),
        (_, Some(_)) => return Err(Usage(format!("{rule} has no specification; ia-altref has")).into()),
    };
    if !verb.property.is_empty() && matches!(rule, InterfaceRule::Compat | InterfaceRule::AltRef) {
        return Err(Usage(format!("{rule} is about no property; ia-prop and ia-hybrid are")).into());
    }
    let project = context.open_with(&verb.model, &verb.properties)?;
    let start = Instant::now();
    let clock = || u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    let query = InterfaceQuery {
        system: verb.system.clone(),
        properties: verb.property.clone(),
        specification,
        left: whole_names(&verb.left),
        rule,
        method,
        every_environment: verb.every_environment,
        weak: verb.weak,
        sizes: context.global.verbose,
        certify: verb.certificate.is_some(),
        details: details(verb),
        clock: &clock,
    };
    let verified = rely_session::verify_interface(&project, &query, context.watch.budget())?;
    show(context, verb, &project, &verified)
}

fn show(context: &Context, verb: &Verify, project: &Project, verified: &Verified) -> anyhow::Result<Exit> {
    let report = &verified.report;
    gate::write(context, &verb.reports, &Gate::of_verify(project, report))?;
    if report.has_errors() {
        return Ok(context.fail(report, std::slice::from_ref(project)));
    }
    if context.global.json {
        context.answer(report);
    } else {
        context.show_findings(&report.diagnostics, std::slice::from_ref(project));
        let columns = if verb.lanes { Columns::Lanes } else { Columns::Names };
        for result in &report.results {
            context.warn(&format!("{}: {}", result.system, result.property), &result.warnings);
        }
        let text: String = report.results.iter().map(|result| render(context, result, columns)).collect();
        context.print(&text)?;
    }
    if let Some(path) = &verb.certificate {
        save(context, path, &verified.certificate)?;
    }
    if let Some(path) = &verb.output {
        assumptions::save(context, path, &verified.explanations)?;
    }
    let asked =
        explanation::Asked { project, file: &verb.model.file, certificate: verb.certificate.as_deref() };
    explanation::save(context, verb.explanation.as_deref(), asked, |origin, format| {
        explanation_page(&verified.explanations, origin, format)
    })?;
    let is_doubtful = context.weighed(&report.diagnostics).iter().any(Finding::questions_verdicts)
        || report.results.iter().any(|result| !result.warnings.is_empty());
    let verdicts = report.results.iter().map(|result| (result.verdict, result.expected));
    Ok(Exit::of_expected(verdicts).unless_strict(verb.strict, is_doubtful))
}

/// What is wanted beyond the answers.
fn details(verb: &Verify) -> Details {
    Details { explanation: verb.explanation.is_some() || verb.output.is_some(), coverage: verb.coverage }
}

/// The strategy and the rule that the options stand for.
fn plan(verb: &Verify) -> anyhow::Result<(Strategy, Rule)> {
    let rule =
        verb.rule.as_deref().map(|name| Rule::from_name(name).expect("the command line allows these only"));
    let named = verb.strategy.as_deref();
    let implied = named.and_then(Rule::from_name);
    if let (Some(rule), Some(implied)) = (rule, implied)
        && rule != implied
    {
        return Err(Usage(format!("the strategy {implied} is the rule {implied}, not {rule}")).into());
    }
    let strategy = match named {
        // The name of a rule: its assumptions are learned.
        Some(name) => Strategy::from_name(name).unwrap_or(Strategy::Learn),
        None if rule.is_some() || wants_rule(verb) => Strategy::Learn,
        None => Strategy::Auto,
    };
    useful(verb, strategy)?;
    Ok((strategy, implied.or(rule).unwrap_or(Rule::Simple)))
}

/// Whether an option asks for a rule without naming one.
fn wants_rule(verb: &Verify) -> bool {
    !verb.left.is_empty() || verb.learner.is_some() || verb.refine_alphabet
}

/// Whether all options have a meaning for a strategy.
fn useful(verb: &Verify, strategy: Strategy) -> anyhow::Result<()> {
    let name = strategy.name();
    match (&verb.rule, strategy.uses_a_rule()) {
        (Some(rule), false) => return Err(of_no_use(rule, name, "uses no rule")),
        (None, false) if verb.refine_alphabet => {
            return Err(of_no_use("--refine-alphabet", name, "uses no rule"));
        }
        (None, false) if !verb.left.is_empty() => return Err(of_no_use("--left", name, "uses no rule")),
        _ => {}
    }
    match strategy {
        _ if verb.learner.is_none() => {}
        Strategy::Learn => {}
        Strategy::Separate | Strategy::Abstract => {
            return Err(of_no_use("--learner", name, "chooses a learner by itself"));
        }
        _ => return Err(of_no_use("--learner", name, "learns nothing")),
    }
    Ok(())
}

fn of_no_use(option: &str, strategy: &str, why: &str) -> anyhow::Error {
    Usage(format!("the strategy {strategy} {why}, so {option} is of no use")).into()
}

fn render(context: &Context, result: &VerifyResult, columns: Columns) -> String {
    let style = context.style;
    let verdict = match result.verdict {
        Verdict::Holds => style.green("holds"),
        Verdict::Violated => style.red("violated"),
        Verdict::Unknown => style.yellow("unknown"),
    };
    let mark = warned(&result.warnings);
    let mut text = format!("{}: {} {verdict}{mark}", style.bold(&result.system), result.property);
    match (result.verdict, &result.reason) {
        (Verdict::Unknown, Some(reason)) => {
            let _ = write!(text, ": {reason}");
        }
        (Verdict::Unknown, None) => {}
        (Verdict::Holds | Verdict::Violated, _) => {
            let _ = write!(text, " ({})", how(result));
        }
    }
    text.push_str(&as_expected(result.verdict, result.expected));
    text.push('\n');
    if context.global.quiet {
        return text;
    }
    if let (Verdict::Holds | Verdict::Violated, Some(reason)) = (result.verdict, &result.reason) {
        let _ = writeln!(text, "  {reason}");
    }
    if result.verdict == Verdict::Holds && !result.premises.is_empty() {
        proof(&mut text, result);
    }
    if !result.used.is_empty() {
        let used: Vec<String> =
            result.used.iter().map(|used| format!("{}.{}", used.component, used.property)).collect();
        let _ = writeln!(text, "  from {}", used.join(", "));
        packaged(&mut text, result);
    }
    text.push_str(&reused::render(result));
    if let (Some(abstraction), true) = (result.abstraction, context.global.verbose) {
        for used in &result.used {
            let states = if used.states > 0 { counted(used.states, "state") } else { "no search".to_owned() };
            let line = format!("{}.{}: {states}, {} ms", used.component, used.property, used.time_ms);
            let _ = writeln!(text, "  {}", style.dim(line));
        }
        let line =
            format!("abstraction: {}, {} ms", counted(abstraction.states, "state"), abstraction.time_ms);
        let _ = writeln!(text, "  {}", style.dim(line));
    }
    if let Some(coverage) = &result.coverage {
        text.push_str(&coverage::render(coverage));
    }
    if context.global.verbose {
        if !result.premise_states.is_empty() {
            let sizes: Vec<String> =
                result.premise_states.iter().map(|&states| counted(states, "state")).collect();
            let _ = writeln!(text, "  {}", style.dim(format!("premises with {}", sizes.join(", "))));
        }
        let mut effort = format!("peak {}", counted(result.peak_states, "state"));
        if result.conjectures > 0 {
            let _ = write!(
                effort,
                ", {} words asked, {}",
                result.queries,
                counted(result.conjectures, "conjecture")
            );
        }
        let _ = writeln!(text, "  {}", style.dim(format!("{effort}, {} ms", result.time_ms)));
    }
    if result.verdict == Verdict::Violated {
        let leads = if result.trace.len() == 1 { "leads" } else { "lead" };
        let what = if result.cycle.is_empty() { "the error" } else { "a cycle that breaks it" };
        let _ = writeln!(text, "  {} {leads} to {what}:", counted(result.trace.len(), "step"));
        let run =
            Run { components: &result.components, steps: &result.steps, cycle_steps: &result.cycle_steps };
        let shown = Shown { with_states: context.global.verbose, ..Shown::plain(columns) };
        text.push_str(&trace::render(run, shown, style));
        if let Some(cause) = &result.cause {
            let last = result.trace.last().map(String::as_str);
            text.push_str(&cause::render(cause, &result.components, last, context.global.verbose));
        }
        if !result.shortest && result.cycle.is_empty() {
            // The search of the product has looked for one, and given up after a while.
            let how = match result.strategy.as_str() {
                "monolithic" => "`rely check --no-reduction` looks for it",
                _ => "--strategy monolithic looks for it",
            };
            let _ = writeln!(text, "  there may be a shorter trace: {how}");
        }
    }
    text
}

/// What was found in packages.
fn packaged(text: &mut String, result: &VerifyResult) {
    let mut packages: Vec<&String> = result.used.iter().filter_map(|used| used.package.as_ref()).collect();
    packages.sort();
    packages.dedup();
    if !packages.is_empty() {
        let count = result.used.iter().filter(|used| used.package.is_some()).count();
        let names: Vec<&str> = packages.into_iter().map(String::as_str).collect();
        let _ = writeln!(text, "  {count} of these judged by the evidence in {}", names.join(", "));
    }
}

/// By what the verdict was found.
fn how(result: &VerifyResult) -> String {
    match &result.rule {
        Some(rule) => format!("{}, rule {rule}", result.strategy),
        None => result.strategy.clone(),
    }
}

/// The proof: the groups, the premises, and the sizes of the assumptions.
fn proof(text: &mut String, result: &VerifyResult) {
    let two = [result.left.clone(), result.right.clone()];
    let groups = if result.groups.is_empty() { &two[..] } else { &result.groups[..] };
    for (i, group) in groups.iter().enumerate() {
        let _ = writeln!(text, "  M{} = {}", i + 1, group.join(" || "));
    }
    for (i, assumption) in result.assumptions.iter().enumerate() {
        let actions = assumption.alphabet.join(", ");
        let _ = writeln!(text, "  A{}: {} over {actions}", i + 1, counted(assumption.states, "state"));
    }
    let _ = writeln!(text, "  because {}", result.premises.join(", "));
}
