//! `rely decompose`

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use rely_session::report::{DecomposeResult, LargerResult, MonolithicResult, Report, SplitResult, Verdict};
use rely_session::{DecomposeQuery, Extent, Larger, Method, Project, Rule};

use super::assume::learner;
use crate::args::Decompose;
use crate::context::{Context, Exit, Usage};
use crate::files;
use crate::render::{counted, grouped};

/// Without `--most`, all splits are tried up to this number, ...
pub(super) const MOST_OF_ALL: usize = 1024;
/// If there are more splits than that, this many of the most promising ones are tried.
pub(super) const MOST_PROMISING: usize = 64;

/// How many words a learner may ask about in a split when all of them are tried to their end: some would ask for days.
const MOST_WORDS: usize = 20_000;

/// How many splits are shown when not all of them are asked for.
const SHOWN: usize = 10;

pub(crate) fn run(context: &Context, verb: &Decompose) -> anyhow::Result<Exit> {
    let rule = Rule::from_name(&verb.rule).expect("the command line allows these only");
    if verb.groups < 2 || (rule.is_binary() && verb.groups != 2) {
        let wanted = if rule.is_binary() { "two groups" } else { "at least two groups" };
        return Err(Usage(format!("the rule {rule} needs {wanted}, not {}", verb.groups)).into());
    }
    let method = method(verb)?;
    let format = verb.output.as_deref().map(Format::of).transpose()?;
    let project = context.open_one(&verb.model.file)?;
    let larger = larger(context, verb)?;
    let start = Instant::now();
    let clock = || u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    let query = DecomposeQuery {
        system: verb.system.clone(),
        property: verb.property.clone(),
        rule,
        method,
        groups: verb.groups,
        extent: match verb.all {
            true => Extent::Table,
            false => Extent::Ranking {
                all: verb.most.unwrap_or(MOST_OF_ALL),
                promising: verb.most.unwrap_or(MOST_PROMISING),
            },
        },
        most_words: verb.max_words.or(verb.all.then_some(MOST_WORDS)),
        is_flat: verb.flat,
        larger: Larger { projects: &larger, is_tried: verb.verify },
        clock: &clock,
    };
    let report = rely_session::decompose(&project, &query, context.watch.budget())?;
    if report.has_errors() {
        return Ok(context.fail(&report, std::slice::from_ref(&project)));
    }
    if let (Some(path), Some(format)) = (&verb.output, format) {
        let text = format.write(&report)?;
        context.write(path, |out| out.write_all(text.as_bytes()).map_err(|error| error.to_string()))?;
    }
    if context.global.json {
        context.answer(&report);
    } else {
        context.show_findings(&report.diagnostics, std::slice::from_ref(&project));
        for result in &report.results {
            context.warn(&format!("{}: {}", result.system, result.property), &result.warnings);
        }
        let text: String = report.results.iter().map(|result| render(context, result, verb.all)).collect();
        context.print(&text)?;
    }
    let verdict = |result: &DecomposeResult| match (result.verdict, &result.limit) {
        (Verdict::Holds, Some(_)) => Verdict::Unknown,
        (verdict, _) => verdict,
    };
    let verdicts: Vec<_> = report.results.iter().map(verdict).collect();
    Ok(Exit::of_verdicts(&verdicts))
}

fn method(verb: &Decompose) -> anyhow::Result<Method> {
    let name = verb.method.as_str();
    // Those that are not named here learn where they do not get on.
    let useless = match name {
        "direct" if verb.learner.is_some() => Some(("learns nothing", "--learner")),
        "direct" if verb.max_words.is_some() => Some(("learns nothing", "--max-words")),
        "separate" | "abstract" if verb.learner.is_some() => {
            Some(("chooses a learner by itself", "--learner"))
        }
        _ => None,
    };
    if let Some((why, option)) = useless {
        return Err(Usage(format!("--method {name} {why}, so {option} is of no use")).into());
    }
    Ok(match name {
        "direct" => Method::Direct,
        "separate" => Method::Separate,
        "abstract" => Method::Abstract,
        _ => Method::Learn(learner(verb.learner.as_deref())),
    })
}

/// The model at the sizes that the best split is to be generalised to.
fn larger(context: &Context, verb: &Decompose) -> anyhow::Result<Vec<(String, Project)>> {
    let Some(sizes) = &verb.generalise else { return Ok(Vec::new()) };
    let mut projects = Vec::new();
    for value in sizes.values.clone() {
        let mut project = context.open_one(&verb.model.file)?;
        if !project.define(&sizes.name, value) {
            let message = format!("--generalise: {} has no constant `{}`", project.name(), sizes.name);
            return Err(Usage(message).into());
        }
        projects.push((format!("{}={value}", sizes.name), project));
    }
    Ok(projects)
}

fn render(context: &Context, result: &DecomposeResult, is_whole: bool) -> String {
    let style = context.style;
    let verdict = match result.verdict {
        Verdict::Holds => style.green("holds"),
        Verdict::Violated => style.red("violated"),
        Verdict::Unknown => style.yellow("unknown"),
    };
    let mut text = format!("{}: {} {verdict}\n", style.bold(&result.system), result.property);
    if context.global.quiet {
        return text;
    }
    if let Some(reason) = &result.reason {
        let _ = writeln!(text, "  {reason}");
    }
    let decided = result.splits.iter().filter(|split| split.verdict != Verdict::Unknown).count();
    if !result.splits.is_empty() {
        let possible = result.possible.map_or("more than 2^64".to_owned(), |count| count.to_string());
        let _ = writeln!(
            text,
            "  {} of {possible} splits tried, {decided} decided (rule {}, {})",
            result.tried, result.rule, result.method
        );
    }
    if let Some(limit) = &result.limit {
        let _ = writeln!(text, "  {limit}: a split that was not tried may be better");
    }
    let shown = if is_whole { result.splits.len() } else { decided.min(SHOWN) };
    let splits = &result.splits[..shown];
    text.push_str(&table(splits, context.global.verbose));
    let is_composed = |split: &SplitResult| split.composed && split.verdict != Verdict::Unknown;
    if splits.iter().any(is_composed) {
        text.push_str(
            "  peaks are those of groups that were reduced first, which `rely verify --left` does not do\n",
        );
    }
    if let Some(whole) = &result.monolithic {
        let _ = writeln!(text, "  {}", product(whole));
    }
    for larger in &result.larger {
        generalised(&mut text, larger);
    }
    if context.global.verbose {
        let _ = writeln!(text, "  {}", style.dim(format!("{} ms", result.time_ms)));
    }
    text
}

/// The product of everything beside the splits.
fn product(whole: &MonolithicResult) -> String {
    match whole.verdict {
        Verdict::Unknown if whole.peak_states <= 1 => "the whole product: not searched".to_owned(),
        Verdict::Unknown => format!("the whole product: more than {} states", grouped(whole.peak_states)),
        _ => format!("the whole product: {} states", grouped(whole.peak_states)),
    }
}

/// Splits as lines of text; numbers stand below each other.
fn table(splits: &[SplitResult], with_times: bool) -> String {
    if splits.is_empty() {
        return String::new();
    }
    let mut rows = vec![["", "peak", "assumption", "words", "conjectures"].map(str::to_owned)];
    for split in splits {
        rows.push([
            if split.best { "*" } else { "" }.to_owned(),
            peak(split),
            grouped(split.assumption_states),
            grouped(split.queries),
            grouped(split.conjectures),
        ]);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..5).map(width).collect();
    let mut text = String::new();
    for (i, row) in rows.iter().enumerate() {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:>width$}")).collect();
        let split = i.checked_sub(1).map(|i| &splits[i]);
        let groups = split.map_or_else(|| "split".to_owned(), groups);
        let time =
            split.filter(|_| with_times).map_or(String::new(), |split| format!("  {} ms", split.time_ms));
        let _ = writeln!(text, "  {}  {groups}{time}", cells.join("  "));
    }
    text
}

/// The states that a split held; of one that was abandoned a lower bound.
fn peak(split: &SplitResult) -> String {
    match split.verdict {
        Verdict::Unknown => format!("≥ {}", grouped(split.peak_states)),
        _ => grouped(split.peak_states),
    }
}

/// The groups of a split in a line.
fn groups(split: &SplitResult) -> String {
    let two = [split.left.clone(), split.right.clone()];
    let groups = if split.groups.is_empty() { &two[..] } else { &split.groups[..] };
    in_line(groups)
}

fn in_line(groups: &[Vec<String>]) -> String {
    groups.iter().map(|group| group.join(" ")).collect::<Vec<_>>().join(" | ")
}

fn generalised(text: &mut String, larger: &LargerResult) {
    let _ = match &larger.reason {
        Some(reason) => writeln!(text, "  {}: {reason}", larger.size),
        None => writeln!(text, "  {}: {}", larger.size, in_line(&larger.groups)),
    };
    if let Some(split) = &larger.split {
        let verdict = match (split.verdict, &split.reason) {
            (Verdict::Holds, _) => "holds".to_owned(),
            (Verdict::Violated, _) => "violated".to_owned(),
            (Verdict::Unknown, reason) => reason.clone().unwrap_or_else(|| "unknown".to_owned()),
        };
        let whole = larger.monolithic.as_ref().map_or(String::new(), |whole| format!("; {}", product(whole)));
        let states = counted(split.assumption_states, "state");
        let _ = match (split.verdict, split.peak_states) {
            // What was given up has no assumption, and may have held nothing that was counted.
            (Verdict::Unknown, 0) => writeln!(text, "    not decided: {verdict}{whole}"),
            (Verdict::Unknown, _) => {
                writeln!(text, "    not decided: {verdict}, peak {}{whole}", peak(split))
            }
            _ => writeln!(text, "    {verdict}: peak {}, assumption of {states}{whole}", peak(split)),
        };
    }
}

/// How splits are written to a file.
#[derive(Clone, Copy)]
enum Format {
    Csv,
    Markdown,
    Json,
}

impl Format {
    fn of(path: &Path) -> anyhow::Result<Self> {
        match &*files::ending_of(path) {
            "csv" => Ok(Self::Csv),
            "md" => Ok(Self::Markdown),
            "json" => Ok(Self::Json),
            _ => Err(Usage(format!("{}: the ending should be .csv, .md or .json", path.display())).into()),
        }
    }

    fn write(self, report: &Report<DecomposeResult>) -> anyhow::Result<String> {
        let rows = |with_bounds: bool| {
            let all = report.results.iter();
            all.flat_map(|result| {
                let own = result.splits.iter().map(|split| cells(split, "", with_bounds));
                own.chain(result.larger.iter().map(|larger| larger_cells(larger, with_bounds)))
                    .collect::<Vec<_>>()
            })
            .collect::<Vec<_>>()
        };
        Ok(match self {
            Self::Json => serde_json::to_string_pretty(report)? + "\n",
            Self::Csv => {
                let heads = HEADS.join(",") + "\n";
                let quoted = |cell: &String| rely_session::csv_field(cell);
                let line = |row: &Row| row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n";
                heads + &rows(false).iter().map(line).collect::<String>()
            }
            Self::Markdown => {
                let rule = vec!["---"; HEADS.len()].join(" | ");
                let heads = format!("| {} |\n| {rule} |\n", HEADS.join(" | "));
                let line = |row: &Row| format!("| {} |\n", row.join(" | ").replace('\n', " "));
                heads + &rows(true).iter().map(line).collect::<String>()
            }
        })
    }
}

/// A line of a file of splits.
type Row = [String; HEADS.len()];

const HEADS: [&str; 11] = [
    "groups",
    "verdict",
    "best",
    "peak_states",
    "assumption_states",
    "queries",
    "conjectures",
    "time_ms",
    "at_least",
    "size",
    "reason",
];

/// A split, cell by cell. Groups are separated by semicolons. Where a split was abandoned, the states are at least so
/// many, which a column says, and the number as well if that is wanted.
fn cells(split: &SplitResult, size: &str, with_bounds: bool) -> Row {
    let verdict = match split.verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Unknown => "unknown",
    };
    [
        groups(split).replace(" | ", "; "),
        verdict.to_owned(),
        split.best.to_string(),
        if with_bounds { peak(split) } else { split.peak_states.to_string() },
        split.assumption_states.to_string(),
        split.queries.to_string(),
        split.conjectures.to_string(),
        split.time_ms.to_string(),
        (split.verdict == Verdict::Unknown).to_string(),
        size.to_owned(),
        split.reason.clone().unwrap_or_default(),
    ]
}

/// The best split at a larger size. What is not known because it was not tried is empty.
fn larger_cells(larger: &LargerResult, with_bounds: bool) -> Row {
    if let Some(split) = &larger.split {
        return cells(split, &larger.size, with_bounds);
    }
    let mut row = Row::default();
    row[0] = in_line(&larger.groups).replace(" | ", "; ");
    row[9].clone_from(&larger.size);
    row[10] = larger.reason.clone().unwrap_or_default();
    row
}
