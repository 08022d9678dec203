//! The tables of a study: a report in Markdown, after appendix C of [Cobleigh 2007], and all numbers as CSV.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::BASELINE;
use super::collection::named;
use super::comparison::{Cell, Comparison, Pair, geometric_mean};
use super::figures::{Figure, learning_percent};
use crate::report::{StudyResult, Verdict};

/// The whole report.
pub(super) fn report(comparison: &Comparison, results: &[StudyResult], figures: &[Figure]) -> String {
    let mut text = opening(comparison, results);
    text.push_str("\n## Subjects\n\n");
    text.push_str(
        "*States* is the largest number of states that any single step held. Times are in seconds, from reading the \
         model to the answer; of several repetitions the quickest counts. Where there is no answer, the table says what \
         ran out. Of several splits the one with the fewest states counts, and the table names its first group.\n",
    );
    for (subject, (_, name)) in comparison.subjects.iter().enumerate() {
        let _ = write!(text, "\n### {}\n\n", escaped(name));
        text.push_str(&subject_table(comparison, subject));
        for figure in figures.iter().filter(|figure| figure.subject == Some(subject)) {
            let _ = write!(text, "\n![{}]({})\n", escaped(&figure.caption), figure.file);
        }
    }
    for strategy in comparison.challengers() {
        text.push_str(&against_baseline(comparison, strategy));
        let own =
            |figure: &&Figure| figure.subject.is_none() && figure.file.ends_with(&format!("-{strategy}.svg"));
        for figure in figures.iter().filter(own) {
            let _ = write!(text, "\n![{}]({})\n", escaped(&figure.caption), figure.file);
        }
    }
    text.push_str(&assumptions(comparison));
    text.push_str(&learning(comparison, figures));
    text.push_str("\n## Summary\n\n");
    text.push_str(&summary(comparison));
    text
}

/// How each strategy compares with the baseline, over all subjects.
pub(super) fn summary(comparison: &Comparison) -> String {
    let mut text = String::new();
    for strategy in comparison.challengers() {
        let pairs = comparison.pairs(strategy);
        let title = comparison.title(strategy);
        if pairs.is_empty() {
            let _ = writeln!(text, "- **{title}**: no subject that {BASELINE} has decided as well.");
            continue;
        }
        let (subjects, sizes) = (pairs.len(), "each at the largest size that both have decided");
        let _ =
            writeln!(text, "- **{title}** against {BASELINE} on {}, {sizes}:", counted(subjects, "subject"));
        let states: Vec<f64> = pairs.iter().map(Pair::states).collect();
        let times: Vec<f64> = pairs.iter().map(Pair::time).collect();
        for (what, ratios, bound) in [("peak states", &states, 1.1), ("time", &times, 1.2)] {
            let _ = writeln!(text, "  - {what}: {}", distribution(&pairs, ratios, bound, comparison));
        }
        let measured: Vec<Pair<'_>> = pairs.iter().filter(|pair| pair.bytes().is_some()).cloned().collect();
        let bytes: Vec<f64> = measured.iter().filter_map(Pair::bytes).collect();
        if !bytes.is_empty() {
            let told = distribution(&measured, &bytes, 1.1, comparison);
            let _ = writeln!(text, "  - peak memory: {told}");
        }
        text.push_str(&further(comparison, strategy));
    }
    for strategy in &comparison.strategies {
        let is_tried = |&subject: &usize| comparison.column(subject, strategy).next().is_some();
        let tried: Vec<usize> = (0..comparison.subjects.len()).filter(is_tried).collect();
        let decided = tried.iter().filter(|&&subject| comparison.reach(subject, strategy).is_some());
        let (count, all) = (decided.count(), tried.len());
        if count < all {
            let _ = writeln!(text, "- {strategy} decides {count} of {}.", counted(all, "subject"));
        }
    }
    if text.is_empty() {
        let _ = writeln!(text, "- There is nothing to compare with {BASELINE}.");
    }
    text
}

/// In how many cases a ratio is small, and where it is largest.
fn distribution(pairs: &[Pair<'_>], ratios: &[f64], bound: f64, comparison: &Comparison) -> String {
    let count = |limit: f64| ratios.iter().filter(|&&ratio| ratio <= limit).count();
    let less = ratios.iter().filter(|&&ratio| ratio < 1.0).count();
    let mean = geometric_mean(ratios).unwrap_or(1.0);
    let largest = ratios.iter().zip(pairs).max_by(|one, other| one.0.total_cmp(other.0));
    let largest = largest.map_or(String::new(), |(ratio, pair)| {
        format!("{} ({})", ratio_text(*ratio), escaped(&comparison.subjects[pair.subject].1))
    });
    format!(
        "at most 1/2 on {} of {}, less on {less}, more than {bound} × on {}; largest ratio {largest}; geometric mean {}.",
        count(0.5),
        ratios.len(),
        ratios.len() - count(bound),
        ratio_text(mean)
    )
}

/// Whether a strategy gets to larger systems.
fn further(comparison: &Comparison, strategy: &str) -> String {
    let reach = |subject: usize| {
        let sizes = comparison.sizes(subject);
        let position = |name: &str| {
            comparison.reach(subject, name).and_then(|size| sizes.iter().position(|s| *s == size))
        };
        let tried = |name: &str| comparison.column(subject, name).last().map(|(size, _)| size);
        // Who was not asked about larger sizes may get there all the same.
        let is_comparable = may_end_at(comparison, subject, BASELINE, tried(strategy)?)
            && may_end_at(comparison, subject, strategy, tried(BASELINE)?);
        let ahead = |name: &str| position(name).map_or(0, |position| position + 1);
        is_comparable.then(|| (ahead(strategy), ahead(BASELINE)))
    };
    let reached: Vec<(usize, usize)> = (0..comparison.subjects.len()).filter_map(reach).collect();
    let count = |test: &dyn Fn(&(usize, usize)) -> bool| reached.iter().filter(|pair| test(pair)).count();
    let (further, two) = (count(&|(own, base)| own > base), count(&|(own, base)| *own >= base + 2));
    let behind = count(&|(own, base)| own < base);
    if further + behind == 0 {
        return String::new();
    }
    format!(
        "  - size: further on {further} of {}, two sizes or more on {two}, less far on {behind}.\n",
        reached.len()
    )
}

/// Whether a strategy was tried up to a size, or up to one at which it met a limit.
fn may_end_at(comparison: &Comparison, subject: usize, strategy: &str, size: i32) -> bool {
    comparison.column(subject, strategy).any(|(tried, cell)| tried >= size || !cell.is_decided())
}

fn opening(comparison: &Comparison, results: &[StudyResult]) -> String {
    let mut text = "# Study\n\n".to_owned();
    let unknown = results.iter().filter(|result| result.verdict == Verdict::Unknown).count();
    let _ = writeln!(
        text,
        "{} about {}: {}. {} without an answer.",
        counted(results.len(), "run"),
        counted(comparison.subjects.len(), "subject"),
        comparison.strategies.join(", "),
        if unknown == 0 { "None".to_owned() } else { unknown.to_string() }
    );
    let limits: BTreeSet<String> = results.iter().map(limits_of).collect();
    for limits in limits {
        let _ = writeln!(text, "Limits of a run: {limits}.");
    }
    text
}

fn limits_of(result: &StudyResult) -> String {
    let limits = &result.limits;
    let mut all = Vec::new();
    all.extend(limits.time_ms.map(|time| format!("{} s", decimal(milliseconds(time) / 1000.0))));
    all.extend(limits.bytes.map(|bytes| format!("{} MiB", bytes >> 20)));
    all.extend(limits.states.map(|states| format!("{} states", grouped(states))));
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

#[allow(clippy::cast_precision_loss, reason = "a limit is not centuries")]
fn milliseconds(time: u64) -> f64 {
    time as f64
}

/// The sizes of a subject, and for each strategy states and time, and memory if it was measured.
fn subject_table(comparison: &Comparison, subject: usize) -> String {
    let used = |strategy: &&String| comparison.column(subject, strategy).next().is_some();
    let strategies: Vec<&String> = comparison.strategies.iter().filter(used).collect();
    let has_bytes =
        |strategy: &str| comparison.column(subject, strategy).any(|(_, cell)| cell.bytes.is_some());
    let has_splits = |strategy: &str| {
        comparison.column(subject, strategy).any(|(_, cell)| cell.splits > 1 || !cell.split.is_empty())
    };
    let mut header = format!("| {} |", escaped(&comparison.parameter));
    let mut rule = "|---:|".to_owned();
    for strategy in &strategies {
        let title = escaped(&comparison.title(strategy));
        let _ = write!(header, " {title}: states | time |");
        rule.push_str("---:|---:|");
        if has_bytes(strategy) {
            header.push_str(" MiB |");
            rule.push_str("---:|");
        }
        if has_splits(strategy) {
            header.push_str(" split |");
            rule.push_str("---|");
        }
    }
    let mut text = format!("{header}\n{rule}\n");
    for size in comparison.sizes(subject) {
        let _ = write!(text, "| {size} |");
        for strategy in &strategies {
            let cell = comparison.cell(subject, strategy, size);
            let _ = match cell {
                Some(cell) if cell.is_decided() => {
                    write!(text, " {} | {} |", grouped(cell.states), seconds(cell))
                }
                Some(cell) => write!(text, " {} | {} |", cell.lack(), seconds(cell)),
                None => write!(text, " | |"),
            };
            if has_bytes(strategy) {
                let bytes = cell.and_then(|cell| cell.bytes).map(|bytes| (bytes >> 20).to_string());
                let _ = write!(text, " {} |", bytes.unwrap_or_default());
            }
            if has_splits(strategy) {
                let _ = write!(text, " {} |", cell.map(split_text).unwrap_or_default());
            }
        }
        text.push('\n');
    }
    let verdicts = comparison.strategies.iter().flat_map(|strategy| comparison.column(subject, strategy));
    let said = |verdict: Verdict| match verdict {
        Verdict::Violated => "is violated",
        Verdict::Holds | Verdict::Unknown => named(verdict),
    };
    let verdicts: BTreeSet<&str> =
        verdicts.filter(|(_, cell)| cell.is_decided()).map(|(_, cell)| said(cell.verdict)).collect();
    if !verdicts.is_empty() {
        let _ = write!(text, "\nThe property {}.\n", verdicts.into_iter().collect::<Vec<_>>().join(" or "));
    }
    text
}

/// The first group of a split, and how many others there were.
fn split_text(cell: &Cell) -> String {
    let name = match cell.split.is_empty() {
        true => "chosen".to_owned(),
        false => escaped(&cell.split.join(", ")),
    };
    if cell.splits > 1 { format!("{name} (best of {})", cell.splits) } else { name }
}

/// A row for each subject: a strategy beside the baseline.
fn against_baseline(comparison: &Comparison, strategy: &str) -> String {
    let pairs = comparison.pairs(strategy);
    if pairs.is_empty() {
        return String::new();
    }
    let parameter = escaped(&comparison.parameter);
    let mut text = format!("\n## {} against {BASELINE}\n\n", escaped(&comparison.title(strategy)));
    let _ = writeln!(text, "Each subject at the largest size that both have decided.\n");
    // Memory is measured where each run has a process of its own.
    let has_bytes = pairs.iter().any(|pair| pair.bytes().is_some());
    let (memory, rule) = match has_bytes {
        true => (format!(" {BASELINE}: MiB | {strategy}: MiB | ratio |"), "---:|---:|---:|"),
        false => (String::new(), ""),
    };
    let _ = writeln!(
        text,
        "| subject | {parameter} | {BASELINE}: states | {strategy}: states | ratio |{memory} {BASELINE}: time | {strategy}: time \
         | ratio | decided by |\n|---|---:|---:|---:|---:|{rule}---:|---:|---:|---|"
    );
    for pair in &pairs {
        let Pair { subject, size, baseline, strategy } = pair;
        let name = escaped(&comparison.subjects[*subject].1);
        let (one, other) = (grouped(baseline.states), grouped(strategy.states));
        let (states, time) = (ratio_text(pair.states()), ratio_text(pair.time()));
        let mut how = strategy.decided_by.clone();
        if !strategy.split.is_empty() {
            let _ = write!(how, ", split at {}", split_text(strategy));
        }
        let (quick, slow) = (seconds(baseline), seconds(strategy));
        let mebibytes = |cell: &Cell| cell.bytes.map_or_else(String::new, |bytes| (bytes >> 20).to_string());
        let memory = match has_bytes {
            true => {
                let ratio = pair.bytes().map_or_else(String::new, ratio_text);
                format!(" {} | {} | {ratio} |", mebibytes(baseline), mebibytes(strategy))
            }
            false => String::new(),
        };
        let _ = writeln!(
            text,
            "| {name} | {size} | {one} | {other} | {states} |{memory} {quick} | {slow} | {time} | {how} |"
        );
    }
    text
}

/// The sizes of assumptions, and what was asked to find them.
fn assumptions(comparison: &Comparison) -> String {
    let mut rows = String::new();
    for (subject, (_, name)) in comparison.subjects.iter().enumerate() {
        for strategy in comparison.challengers() {
            for (size, cell) in comparison.column(subject, strategy) {
                if cell.assumptions.is_empty() {
                    continue;
                }
                let sizes: Vec<String> = cell.assumptions.iter().map(usize::to_string).collect();
                let (name, sizes) = (escaped(name), sizes.join(", "));
                let (queries, conjectures) = (grouped(cell.queries), grouped(cell.conjectures));
                let _ =
                    writeln!(rows, "| {name} | {size} | {strategy} | {sizes} | {queries} | {conjectures} |");
            }
        }
    }
    if rows.is_empty() {
        return rows;
    }
    let parameter = escaped(&comparison.parameter);
    format!(
        "\n## Assumptions\n\n| subject | {parameter} | strategy | states of assumptions | queries | conjectures |\n\
         |---|---:|---|---:|---:|---:|\n{rows}"
    )
}

/// What finding the assumptions costs, compared with checking the premises when they are there.
fn learning(comparison: &Comparison, figures: &[Figure]) -> String {
    let mut rows = String::new();
    for (subject, (_, name)) in comparison.subjects.iter().enumerate() {
        for strategy in comparison.challengers() {
            for (size, cell) in comparison.column(subject, strategy) {
                let Some(reuse) = cell.reuse else { continue };
                let (name, states, again) = (escaped(name), grouped(cell.states), grouped(reuse.peak_states));
                let (time, quick) = (seconds(cell), decimal(reuse.time_ms / 1000.0));
                let percent = learning_percent(cell.time, reuse.time_ms);
                let _ = writeln!(
                    rows,
                    "| {name} | {size} | {strategy} | {states} | {again} | {time} | {quick} | {percent:.0} |"
                );
            }
        }
    }
    if rows.is_empty() {
        return rows;
    }
    let parameter = escaped(&comparison.parameter);
    let mut text = format!(
        "\n## Finding an assumption and using it again\n\nThe same proof with its assumptions given: the model is read, \
         and each premise is checked once.\n\n\
         | subject | {parameter} | strategy | states | states again | time | time again | percent spent on finding |\n\
         |---|---:|---|---:|---:|---:|---:|---:|\n{rows}"
    );
    for figure in figures.iter().filter(|figure| figure.file == "learning.svg") {
        let _ = write!(text, "\n![{}]({})\n", escaped(&figure.caption), figure.file);
    }
    text
}

/// All results, one on each line.
pub(super) fn csv(results: &[StudyResult]) -> String {
    let mut text = "file,system,property,constants,parameter,size,strategy,split,repeat,verdict,decided_by,rule,peak_states,\
                    queries,conjectures,assumptions,time_ms,peak_bytes,reuse_peak_states,reuse_time_ms,reason,generalised\n"
        .to_owned();
    for result in results {
        let run = &result.run;
        let constants: Vec<String> =
            run.constants.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let assumptions: Vec<String> = result.assumptions.iter().map(usize::to_string).collect();
        let fields = [
            run.file.clone(),
            run.system.clone(),
            run.property.clone(),
            constants.join(" "),
            run.parameter.clone().unwrap_or_default(),
            optional(run.size),
            run.strategy.clone(),
            run.split.join(" "),
            run.repeat.to_string(),
            named(result.verdict).to_owned(),
            result.decided_by.clone(),
            result.rule.clone().unwrap_or_default(),
            result.peak_states.to_string(),
            result.queries.to_string(),
            result.conjectures.to_string(),
            assumptions.join(" "),
            format!("{:.3}", result.time_ms),
            optional(result.peak_bytes),
            optional(result.reuse.map(|reuse| reuse.peak_states)),
            result.reuse.map(|reuse| format!("{:.3}", reuse.time_ms)).unwrap_or_default(),
            result.reason.clone().unwrap_or_default(),
            run.generalised.to_string(),
        ];
        let fields: Vec<String> = fields.iter().map(|field| csv_field(field)).collect();
        let _ = writeln!(text, "{}", fields.join(","));
    }
    text
}

fn optional(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// A field of a CSV file (RFC 4180): in quotation marks where it has to be.
pub fn csv_field(field: &str) -> String {
    match field.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}

/// Text in a table of Markdown.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('_', "\\_").replace(['\n', '\r'], " ")
}

fn seconds(cell: &Cell) -> String {
    decimal(cell.time / 1000.0)
}

/// A few digits: 0.0012, 0.012, 0.12, 1.23, 123.
fn decimal(value: f64) -> String {
    match value {
        value if value < 0.01 => format!("{value:.4}"),
        value if value < 1.0 => format!("{value:.3}"),
        value if value < 100.0 => format!("{value:.2}"),
        value => format!("{value:.0}"),
    }
}

fn ratio_text(ratio: f64) -> String {
    if ratio < 0.1 { format!("{ratio:.4}") } else { format!("{ratio:.2}") }
}

/// `1 run`, `1,234 runs`.
fn counted(count: usize, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// A number with a comma between thousands.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
