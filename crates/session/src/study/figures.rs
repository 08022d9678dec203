//! The figures of a study, after those of [Cobleigh 2007, chapter 5]: states by size, ratios by size, one strategy against
//! the baseline over all subjects, and what learning costs.

use std::collections::BTreeSet;

use super::BASELINE;
use super::chart::{Axis, Chart, Guide, Scale, Series};
use super::comparison::{Cell, Comparison, Pair, count, moment};
use crate::report::StudyResult;

/// A figure, with the name of its file and what is to be seen.
pub(super) struct Figure {
    pub(super) file: String,
    pub(super) caption: String,
    /// The number of the subject that it is about, if it is about one.
    pub(super) subject: Option<usize>,
    pub(super) svg: String,
}

/// All figures that the results have data for.
pub(super) fn figures(comparison: &Comparison, results: &[StudyResult]) -> Vec<Figure> {
    let mut figures = Vec::new();
    let mut add = |file: String, subject, chart: Chart| {
        let caption = chart.title.clone();
        figures.extend(chart.svg().map(|svg| Figure { file, caption, subject, svg }));
    };
    for subject in 0..comparison.subjects.len() {
        if comparison.sizes(subject).len() > 1 {
            add(
                format!("states-{}.svg", slug(comparison, subject)),
                Some(subject),
                growth(comparison, subject),
            );
        }
    }
    for strategy in comparison.challengers() {
        let title = comparison.title(strategy);
        let states = |cell: &Cell| count(cell.states);
        let time = |cell: &Cell| moment(cell.time);
        let against = |what: &str| format!("{what}: {title} against {BASELINE}");
        add(
            format!("scatter-states-{strategy}.svg"),
            None,
            scatter(comparison, strategy, against("Peak states"), &states),
        );
        add(
            format!("scatter-time-{strategy}.svg"),
            None,
            scatter(comparison, strategy, against("Milliseconds"), &time),
        );
        let relative = |what: &str| format!("{what} of {title}, relative to {BASELINE}");
        let has_sizes =
            (0..comparison.subjects.len()).any(|subject| comparison.pairs_of(subject, strategy).len() > 1);
        if has_sizes {
            add(
                format!("ratio-states-{strategy}.svg"),
                None,
                ratios(comparison, strategy, relative("Peak states"), &|pair| pair.states()),
            );
            add(
                format!("ratio-time-{strategy}.svg"),
                None,
                ratios(comparison, strategy, relative("Time"), &|pair| pair.time()),
            );
        }
    }
    add("learning.svg".to_owned(), None, learning(comparison, results));
    figures
}

/// Peak states by size, a line for each strategy.
fn growth(comparison: &Comparison, subject: usize) -> Chart {
    let line = |(look, strategy): (usize, &String)| {
        let (decided, open): (Vec<_>, Vec<_>) =
            comparison.column(subject, strategy).partition(|(_, cell)| cell.is_decided());
        let point = |(size, cell): (i32, &Cell)| {
            let about = format!("{strategy}, {size}: {} states", cell.states);
            (f64::from(size), count(cell.states), about)
        };
        Series {
            name: comparison.title(strategy),
            look,
            joined: true,
            points: decided.into_iter().map(point).collect(),
            crosses: open.into_iter().map(point).collect(),
        }
    };
    Chart {
        title: comparison.subjects[subject].1.clone(),
        x: Axis { label: comparison.parameter.clone(), scale: Scale::Linear },
        y: Axis { label: "peak states".to_owned(), scale: Scale::Logarithmic },
        series: comparison.strategies.iter().enumerate().map(line).collect(),
        guides: Vec::new(),
        is_square: false,
    }
}

/// A point for each subject at the largest size that both have decided, coloured by file.
fn scatter(comparison: &Comparison, strategy: &str, title: String, value: &dyn Fn(&Cell) -> f64) -> Chart {
    let pairs = comparison.pairs(strategy);
    let point = |pair: &Pair<'_>| {
        let name = &comparison.subjects[pair.subject].1;
        let about = format!("{name}, {} = {}", comparison.parameter, pair.size);
        (value(pair.baseline), value(pair.strategy), about)
    };
    let series = by_family(comparison).into_iter().enumerate().map(|(look, family)| {
        let own = pairs.iter().filter(|pair| comparison.family(pair.subject) == family);
        Series {
            name: family.to_owned(),
            look,
            joined: false,
            points: own.map(point).collect(),
            crosses: Vec::new(),
        }
    });
    Chart {
        title,
        x: Axis { label: BASELINE.to_owned(), scale: Scale::Logarithmic },
        y: Axis { label: comparison.title(strategy), scale: Scale::Logarithmic },
        series: series.collect(),
        guides: vec![Guide::Slope(1.0, "equal"), Guide::Slope(0.5, "half")],
        is_square: true,
    }
}

/// The ratio to the baseline by size, a line for each subject, coloured by file.
fn ratios(comparison: &Comparison, strategy: &str, title: String, value: &dyn Fn(&Pair<'_>) -> f64) -> Chart {
    let families = by_family(comparison);
    let mut named: BTreeSet<&str> = BTreeSet::new();
    let mut series = Vec::new();
    for subject in 0..comparison.subjects.len() {
        let family = comparison.family(subject);
        let pairs = comparison.pairs_of(subject, strategy);
        let point = |pair: &Pair<'_>| {
            let about =
                format!("{}, {} = {}", comparison.subjects[subject].1, comparison.parameter, pair.size);
            (f64::from(pair.size), value(pair), about)
        };
        let name = if named.insert(family) { family.to_owned() } else { String::new() };
        let look = families.iter().position(|known| *known == family).unwrap_or_default();
        let points = pairs.iter().map(point).collect();
        series.push(Series { name, look, joined: true, points, crosses: Vec::new() });
    }
    Chart {
        title,
        x: Axis { label: comparison.parameter.clone(), scale: Scale::Linear },
        y: Axis { label: format!("ratio to {BASELINE}"), scale: Scale::Logarithmic },
        series,
        guides: vec![Guide::Level(1.0, "equal"), Guide::Level(0.5, "half")],
        is_square: false,
    }
}

/// The part of the time that went into finding assumptions, by how large the largest of them is.
fn learning(comparison: &Comparison, results: &[StudyResult]) -> Chart {
    let line = |(look, strategy): (usize, &String)| {
        let own = results.iter().filter(|result| super::comparison::strategy(&result.run) == *strategy);
        let point = |result: &StudyResult| {
            let largest = result.assumptions.iter().copied().max()?;
            let about = super::collection::title(&result.run);
            Some((count(largest), learning_percent(result.time_ms, result.reuse?.time_ms), about))
        };
        Series {
            name: strategy.clone(),
            look,
            joined: false,
            points: own.filter_map(point).collect(),
            crosses: Vec::new(),
        }
    };
    let series: Vec<Series> = comparison.strategies.iter().enumerate().map(line).collect();
    Chart {
        title: "Time spent on finding assumptions".to_owned(),
        x: Axis { label: "states of the largest assumption".to_owned(), scale: Scale::Logarithmic },
        y: Axis { label: "percent of the time".to_owned(), scale: Scale::Linear },
        series: series.into_iter().filter(|series| !series.points.is_empty()).collect(),
        guides: Vec::new(),
        is_square: false,
    }
}

/// Of the time of a proof, the part that checking its premises does not need, in percent.
pub(super) fn learning_percent(time: f64, reuse: f64) -> f64 {
    (100.0 * (1.0 - reuse / moment(time))).clamp(0.0, 100.0)
}

fn by_family(comparison: &Comparison) -> Vec<&str> {
    let families: BTreeSet<&str> = (0..comparison.subjects.len()).map(|i| comparison.family(i)).collect();
    families.into_iter().collect()
}

/// The name of a subject as part of a file name: letters and digits, with a number where two would be the same.
fn slug(comparison: &Comparison, subject: usize) -> String {
    let plain = |subject: usize| -> String {
        let name = comparison.subjects[subject].1.chars();
        name.map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' })
            .collect()
    };
    let name = plain(subject);
    match (0..subject).filter(|&earlier| plain(earlier) == name).count() {
        0 => name,
        earlier => format!("{name}-{}", earlier + 1),
    }
}
