//! Results by subject, by strategy and by size, and how strategies compare with the baseline.

use std::collections::{BTreeMap, BTreeSet};

use super::BASELINE;
use super::agenda::StudySubject;
use crate::report::{Reuse, StudyResult, StudyRun, Verdict};

/// What a strategy gave at a size: of repetitions the quickest, of splits the one with the fewest states.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Cell {
    pub(super) verdict: Verdict,
    pub(super) states: usize,
    /// Milliseconds.
    pub(super) time: f64,
    pub(super) bytes: Option<u64>,
    pub(super) decided_by: String,
    pub(super) assumptions: Vec<usize>,
    pub(super) queries: usize,
    pub(super) conjectures: usize,
    pub(super) reuse: Option<Reuse>,
    /// The first group that was asked for.
    pub(super) split: Vec<String>,
    /// Of how many splits it is the best one.
    pub(super) splits: usize,
    pub(super) reason: Option<String>,
}

impl Cell {
    pub(super) fn is_decided(&self) -> bool {
        self.verdict != Verdict::Unknown
    }

    /// What ran out, in a word.
    pub(super) fn lack(&self) -> &'static str {
        let reason = self.reason.as_deref().unwrap_or_default();
        let known = [("time", "time ran out"), ("memory", "memory ran out"), ("states", "limit on states")];
        known.into_iter().find(|(_, text)| reason.contains(text)).map_or("lost", |(word, _)| word)
    }
}

/// The results of a study, arranged.
pub(super) struct Comparison {
    /// Every subject with its name, which is as short as it can be.
    pub(super) subjects: Vec<(StudySubject, String)>,
    /// The strategies: the baseline, `auto`, and the others by name. With generalised splits a strategy is another one.
    pub(super) strategies: Vec<String>,
    /// The constant that is the size.
    pub(super) parameter: String,
    cells: BTreeMap<Place, BTreeMap<i32, Cell>>,
}

/// A column of a table: a subject and a strategy.
type Place = (StudySubject, String);

/// A strategy and the baseline on one subject, at the largest size that both have decided.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Pair<'a> {
    /// The number of the subject.
    pub(super) subject: usize,
    pub(super) size: i32,
    pub(super) baseline: &'a Cell,
    pub(super) strategy: &'a Cell,
}

impl Pair<'_> {
    /// The states of the strategy, where those of the baseline are 1.
    pub(super) fn states(&self) -> f64 {
        count(self.strategy.states) / count(self.baseline.states)
    }

    /// The peak memory of the strategy, where that of the baseline is 1, if both were measured.
    #[allow(clippy::cast_precision_loss, reason = "for figures and ratios")]
    pub(super) fn bytes(&self) -> Option<f64> {
        Some(self.strategy.bytes? as f64 / self.baseline.bytes?.max(1) as f64)
    }

    /// The time of the strategy, where that of the baseline is 1.
    pub(super) fn time(&self) -> f64 {
        moment(self.strategy.time) / moment(self.baseline.time)
    }
}

/// A number of states that can be divided by.
#[allow(clippy::cast_precision_loss, reason = "for figures and ratios")]
pub(super) fn count(states: usize) -> f64 {
    states.max(1) as f64
}

/// A time that can be divided by: at least a microsecond.
pub(super) fn moment(time: f64) -> f64 {
    time.max(0.001)
}

impl Comparison {
    pub(super) fn of(results: &[StudyResult]) -> Self {
        let mut strategies: Vec<String> = results.iter().map(|result| strategy(&result.run)).collect();
        strategies.sort_by_key(|name| (name != BASELINE, name != "auto", name.clone()));
        strategies.dedup();
        let mut subjects: Vec<StudySubject> = results.iter().map(subject).collect();
        subjects.sort();
        subjects.dedup();
        let mut cells: BTreeMap<Place, BTreeMap<i32, Cell>> = BTreeMap::new();
        let mut splits: BTreeMap<(Place, i32), BTreeSet<&Vec<String>>> = BTreeMap::new();
        for result in results {
            let key = (subject(result), strategy(&result.run));
            let size = result.run.size.unwrap_or_default();
            let tried = splits.entry((key.clone(), size)).or_default();
            tried.insert(&result.run.split);
            let cell = cell(result);
            let column = cells.entry(key).or_default();
            match column.get_mut(&size) {
                Some(known) => better(known, cell, &result.run.strategy),
                None => drop(column.insert(size, cell)),
            }
            column.entry(size).and_modify(|cell| cell.splits = tried.len());
        }
        let parameter = results.iter().find_map(|result| result.run.parameter.clone());
        Self {
            subjects: named(&subjects),
            strategies,
            parameter: parameter.unwrap_or_else(|| "size".to_owned()),
            cells,
        }
    }

    /// The strategies other than the baseline.
    pub(super) fn challengers(&self) -> impl Iterator<Item = &str> {
        self.strategies.iter().map(String::as_str).filter(|name| *name != BASELINE)
    }

    /// What a strategy gave on a subject, by size.
    pub(super) fn column(&self, subject: usize, strategy: &str) -> impl Iterator<Item = (i32, &Cell)> {
        let key = (self.subjects[subject].0.clone(), strategy.to_owned());
        self.cells.get(&key).into_iter().flatten().map(|(&size, cell)| (size, cell))
    }

    pub(super) fn cell(&self, subject: usize, strategy: &str, size: i32) -> Option<&Cell> {
        self.column(subject, strategy).find(|(known, _)| *known == size).map(|(_, cell)| cell)
    }

    /// The sizes at which something was done on a subject.
    pub(super) fn sizes(&self, subject: usize) -> Vec<i32> {
        let all = self.strategies.iter().flat_map(|strategy| self.column(subject, strategy));
        all.map(|(size, _)| size).collect::<BTreeSet<i32>>().into_iter().collect()
    }

    /// The largest size that a strategy has decided.
    pub(super) fn reach(&self, subject: usize, strategy: &str) -> Option<i32> {
        self.column(subject, strategy).filter(|(_, cell)| cell.is_decided()).map(|(size, _)| size).last()
    }

    /// A strategy and the baseline at every size that both have decided.
    pub(super) fn pairs_of(&self, subject: usize, strategy: &str) -> Vec<Pair<'_>> {
        let pair = |(size, cell): (i32, _)| {
            let baseline = self.cell(subject, BASELINE, size).filter(|cell| cell.is_decided())?;
            Some(Pair { subject, size, baseline, strategy: cell })
        };
        self.column(subject, strategy).filter(|(_, cell)| cell.is_decided()).filter_map(pair).collect()
    }

    /// A strategy and the baseline on every subject that both have decided at some size.
    pub(super) fn pairs(&self, strategy: &str) -> Vec<Pair<'_>> {
        let last = |subject| self.pairs_of(subject, strategy).pop();
        (0..self.subjects.len()).filter_map(last).collect()
    }

    /// A strategy with what its columns show.
    pub(super) fn title(&self, strategy: &str) -> String {
        match strategy.strip_suffix(GENERALISED) {
            Some(name) => format!("{name}, generalised split"),
            None if self.has_splits(strategy) => format!("{strategy}, best split"),
            None => strategy.to_owned(),
        }
    }

    /// Whether a strategy was tried with several splits of a subject.
    fn has_splits(&self, strategy: &str) -> bool {
        let own = self.cells.iter().filter(|((_, name), _)| name == strategy);
        { own }.any(|(_, column)| column.values().any(|cell| cell.splits > 1))
    }

    /// The file that a subject is about, without its folder and ending.
    pub(super) fn family(&self, subject: usize) -> &str {
        stem(&self.subjects[subject].0.file)
    }
}

/// The geometric mean of some ratios; nothing if there are none.
pub(super) fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    #[allow(clippy::cast_precision_loss, reason = "a study has fewer than 2^53 subjects")]
    let count = ratios.len() as f64;
    (!ratios.is_empty()).then(|| (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / count).exp())
}

/// The name of a file without its folders and its ending.
pub(super) fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// What the name of a strategy ends with if its splits are generalised.
const GENERALISED: &str = "-generalised";

/// What a run counts for: its strategy, which is another one with generalised splits.
pub(super) fn strategy(run: &StudyRun) -> String {
    run.strategy.clone() + if run.generalised { GENERALISED } else { "" }
}

fn subject(result: &StudyResult) -> StudySubject {
    let run = &result.run;
    StudySubject {
        file: run.file.clone(),
        system: run.system.clone(),
        property: run.property.clone(),
        constants: run.constants.clone(),
    }
}

fn cell(result: &StudyResult) -> Cell {
    Cell {
        verdict: result.verdict,
        states: result.peak_states,
        time: result.time_ms,
        bytes: result.peak_bytes,
        decided_by: result.decided_by.clone(),
        assumptions: result.assumptions.clone(),
        queries: result.queries,
        conjectures: result.conjectures,
        reuse: result.reuse,
        split: result.run.split.clone(),
        splits: 1,
        reason: result.reason.clone(),
    }
}

/// Keeps the better of two cells: one that is decided, by the strategy itself, with fewer states, in less time.
fn better(known: &mut Cell, cell: Cell, strategy: &str) {
    let rank = |cell: &Cell| {
        let is_fallback = cell.decided_by == BASELINE && strategy != BASELINE && strategy != "auto";
        (!cell.is_decided(), is_fallback, cell.states)
    };
    let is_better = match rank(&cell).cmp(&rank(known)) {
        std::cmp::Ordering::Equal => cell.time < known.time,
        order => order.is_lt(),
    };
    if is_better {
        *known = cell;
    }
}

/// Subjects with names: file and property, and what else is needed to tell them apart.
fn named(subjects: &[StudySubject]) -> Vec<(StudySubject, String)> {
    let short = |subject: &StudySubject| format!("{} {}", stem(&subject.file), subject.property);
    let long = |subject: &StudySubject| {
        let constants = subject.constants.iter().map(|(name, value)| format!(" {name}={value}"));
        format!("{} {}{}", stem(&subject.file), subject.system, constants.collect::<String>())
            + &format!(" {}", subject.property)
    };
    let names: Vec<String> = subjects.iter().map(short).collect();
    let name = |subject: &StudySubject| {
        let name = short(subject);
        let is_unique = names.iter().filter(|other| **other == name).count() == 1;
        if is_unique { name } else { long(subject) }
    };
    subjects.iter().map(|subject| (subject.clone(), name(subject))).collect()
}
