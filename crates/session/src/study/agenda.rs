//! The runs of a study, in order.
//!
//! Runs that belong together form a *line*: one question, one strategy, one split, over growing sizes. A line can end
//! before its last size, when a run meets a limit or has passed a number of states; that is why lines, not runs, are what a
//! study on several machines is divided by, and why runs are handed out one at a time.

use std::collections::{BTreeMap, VecDeque};

use super::BASELINE;
use crate::report::{StudyResult, StudyRun, Verdict};

/// A question: a property of a system, apart from its size.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct StudySubject {
    /// The file of the model.
    pub file: String,
    /// The system.
    pub system: String,
    /// The property.
    pub property: String,
    /// The constants that have other values than in the file, apart from the size.
    pub constants: BTreeMap<String, i32>,
}

/// Which sizes are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// All of them.
    Every,
    /// A strategy that has met a limit is not tried on larger systems.
    UntilLimit,
    /// The baseline goes on until it has passed this many states; the others are tried on that size only.
    UntilStates(usize),
}

/// A split that a strategy is tried with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StudySplit {
    /// The parts of its first group; without any, the strategy chooses.
    pub left: Vec<String>,
    /// Whether it is the best one at the smallest size, generalised.
    pub generalised: bool,
}

/// The splits of a subject that a strategy is tried with at a size.
pub type Splits<'a> = dyn Fn(&str, &StudySubject, Option<i32>) -> Vec<StudySplit> + 'a;

/// What a study varies.
pub struct Axes<'a> {
    /// The questions.
    pub subjects: Vec<StudySubject>,
    /// The constant that is the size, if there is one.
    pub parameter: Option<String>,
    /// Its values, increasing.
    pub sizes: Vec<i32>,
    /// The names of strategies.
    pub strategies: Vec<String>,
    /// The splits; an empty one is chosen by the strategy.
    pub splits: &'a Splits<'a>,
    /// How often each run is done.
    pub repeat: usize,
    /// Which sizes are looked at.
    pub pace: Pace,
}

/// The runs that are left to do.
pub struct Agenda {
    lines: VecDeque<Line>,
    pace: Pace,
    /// How many runs have been handed out.
    done: usize,
}

/// Runs of growing size, and what follows at the size at which it ended.
struct Line {
    runs: VecDeque<StudyRun>,
    /// Runs whose size is not known yet.
    followers: Vec<StudyRun>,
}

impl Agenda {
    /// The runs along some axes.
    pub fn new(axes: &Axes<'_>) -> Self {
        let mut lines = VecDeque::new();
        for subject in &axes.subjects {
            match axes.pace {
                Pace::UntilStates(_) => lines.push_back(axes.pursuit(subject)),
                Pace::Every | Pace::UntilLimit => lines.extend(axes.lines(subject)),
            }
        }
        Self { lines, pace: axes.pace, done: 0 }
    }

    /// The part of it that is number `part`, from 1, of `of` parts.
    #[must_use]
    pub fn shard(mut self, part: usize, of: usize) -> Self {
        let mut number = 0;
        self.lines.retain(|_| {
            number += 1;
            (number - 1) % of == part - 1
        });
        self
    }

    /// How many runs have been handed out, and how many there are in all, as far as it is known.
    pub fn progress(&self) -> (usize, usize) {
        let left: usize = self.lines.iter().map(|line| line.runs.len() + line.followers.len()).sum();
        (self.done, self.done + left)
    }

    /// Hands out the next run. Its result is to be told before the one after it is asked for.
    pub fn next_run(&mut self) -> Option<StudyRun> {
        loop {
            let line = self.lines.front_mut()?;
            if let Some(run) = line.runs.pop_front() {
                self.done += 1;
                return Some(run);
            }
            self.lines.pop_front();
        }
    }

    /// Takes note of the result of the run that was handed out last.
    pub fn record(&mut self, result: &StudyResult) {
        let Some(line) = self.lines.front_mut() else { return };
        let has_met_limit = result.verdict == Verdict::Unknown;
        let is_last = match self.pace {
            Pace::Every => false,
            Pace::UntilLimit => has_met_limit,
            Pace::UntilStates(states) => has_met_limit || result.peak_states > states,
        };
        let is_larger = |run: &StudyRun| run.size > result.run.size;
        if is_last {
            line.runs.retain(|run| !is_larger(run));
        }
        if line.runs.is_empty() {
            let size = result.run.size;
            line.runs = std::mem::take(&mut line.followers).into();
            line.runs.iter_mut().for_each(|run| run.size = size);
        }
    }
}

/// Whether a strategy uses a rule with the split that it is given.
pub fn has_rule(strategy: &str) -> bool {
    !matches!(strategy, BASELINE | "localise" | "reduce" | "auto")
}

impl Axes<'_> {
    /// How many runs there are at most; `usize::MAX` stands for more than can be counted.
    pub fn count(&self) -> usize {
        let sizes = self.all_sizes();
        let of_strategy = |strategy: &String, subject: &StudySubject, sizes: &[Option<i32>]| {
            let splits = sizes.iter().map(|&size| self.splits_for(strategy, subject, size).len());
            splits.fold(0, usize::saturating_add).saturating_mul(self.repeat)
        };
        let of_subject = |subject: &StudySubject| {
            let (first, baseline) = match self.pace {
                Pace::UntilStates(_) => (&sizes[..sizes.len().min(1)], sizes.len()),
                Pace::Every | Pace::UntilLimit => (&sizes[..], 0),
            };
            let strategies = self.strategies.iter().map(|strategy| of_strategy(strategy, subject, first));
            strategies.fold(baseline, usize::saturating_add)
        };
        self.subjects.iter().map(of_subject).fold(0, usize::saturating_add)
    }

    fn run(&self, subject: &StudySubject, strategy: &str) -> StudyRun {
        let StudySubject { file, system, property, constants } = subject.clone();
        let (parameter, strategy) = (self.parameter.clone(), strategy.to_owned());
        StudyRun {
            file,
            system,
            property,
            constants,
            parameter,
            size: None,
            strategy,
            split: Vec::new(),
            generalised: false,
            repeat: 1,
        }
    }

    fn all_sizes(&self) -> Vec<Option<i32>> {
        match self.parameter {
            Some(_) => self.sizes.iter().copied().map(Some).collect(),
            None => vec![None],
        }
    }

    /// A line for each strategy and split.
    fn lines(&self, subject: &StudySubject) -> Vec<Line> {
        let mut lines = Vec::new();
        for strategy in &self.strategies {
            // Splits come and go with the size, so lines are gathered by split. What is generalised is one split.
            let mut by_split: BTreeMap<(bool, Vec<String>), VecDeque<StudyRun>> = BTreeMap::new();
            for size in self.all_sizes() {
                for StudySplit { left: split, generalised } in self.splits_for(strategy, subject, size) {
                    let key = (generalised, if generalised { Vec::new() } else { split.clone() });
                    let run = StudyRun { size, split, generalised, ..self.run(subject, strategy) };
                    let repeated = (1..=self.repeat).map(|repeat| StudyRun { repeat, ..run.clone() });
                    by_split.entry(key).or_default().extend(repeated);
                }
            }
            lines.extend(by_split.into_values().map(|runs| Line { runs, followers: Vec::new() }));
        }
        lines
    }

    /// The baseline over all sizes, and everything else at the one that it stops at.
    fn pursuit(&self, subject: &StudySubject) -> Line {
        let sizes = self.all_sizes();
        let runs = sizes.iter().map(|&size| StudyRun { size, ..self.run(subject, BASELINE) }).collect();
        let mut followers = Vec::new();
        for strategy in &self.strategies {
            let first = sizes.first().copied().flatten();
            for StudySplit { left: split, generalised } in self.splits_for(strategy, subject, first) {
                let run = StudyRun { split, generalised, ..self.run(subject, strategy) };
                let repeated = (1..=self.repeat).map(|repeat| StudyRun { repeat, ..run.clone() });
                followers.extend(repeated.filter(|run| run.strategy != BASELINE || run.repeat > 1));
            }
        }
        Line { runs, followers }
    }

    /// The splits that a strategy is tried with: those without rules have none, and `auto` chooses for itself.
    fn splits_for(&self, strategy: &str, subject: &StudySubject, size: Option<i32>) -> Vec<StudySplit> {
        match has_rule(strategy) {
            true => (self.splits)(strategy, subject, size),
            false => vec![StudySplit::default()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lost;
    use super::*;

    fn axes(pace: Pace) -> Axes<'static> {
        let subject = |property: &str| StudySubject {
            file: "m.lts".into(),
            system: "S".into(),
            property: property.into(),
            constants: BTreeMap::new(),
        };
        Axes {
            subjects: vec![subject("P"), subject("Q")],
            parameter: Some("N".into()),
            sizes: vec![2, 3, 4],
            strategies: vec!["monolithic".into(), "auto".into(), "learn".into()],
            splits: &|_, _, size| {
                let split = |left: String| StudySplit { left: vec![left], generalised: false };
                vec![split("A".into()), split(format!("B{}", size.unwrap_or(0)))]
            },
            repeat: 1,
            pace,
        }
    }

    /// The runs of an agenda if a run of the baseline of size n holds a fixed number of states times n, and fails above a size.
    fn played(mut agenda: Agenda, fails_above: i32) -> Vec<String> {
        let mut runs = Vec::new();
        while let Some(run) = agenda.next_run() {
            let size = run.size.expect("there is a size");
            let mut result = lost(&run, "");
            result.peak_states = 100 * usize::try_from(size).expect("sizes are positive");
            result.verdict = if size > fails_above { Verdict::Unknown } else { Verdict::Holds };
            runs.push(format!("{} {size} {}{}", run.property, run.strategy, run.split.concat()));
            agenda.record(&result);
        }
        assert_eq!(agenda.progress(), (runs.len(), runs.len()));
        runs
    }

    #[test]
    fn every_size_or_until_a_limit() {
        let all = played(Agenda::new(&axes(Pace::Every)), 9);
        // For each property: three sizes of two strategies, of the split A, and one for each other split.
        assert_eq!(all.len(), 2 * (3 + 3 + 3 + 3));
        assert_eq!(all[..4], ["P 2 monolithic", "P 3 monolithic", "P 4 monolithic", "P 2 auto"]);
        let limited = played(Agenda::new(&axes(Pace::UntilLimit)), 2);
        assert_eq!(limited.len(), 2 * (2 + 2 + 2 + 3));
        assert!(!limited.contains(&"P 4 monolithic".to_owned()));
        assert_eq!(played(Agenda::new(&axes(Pace::Every)), 2), all);
    }

    #[test]
    fn the_others_follow_the_baseline() {
        let runs = played(Agenda::new(&axes(Pace::UntilStates(299))), 9);
        let first: Vec<&str> = runs.iter().map(String::as_str).take(5).collect();
        assert_eq!(first, ["P 2 monolithic", "P 3 monolithic", "P 3 auto", "P 3 learnA", "P 3 learnB2"]);
        assert_eq!(runs.len(), 10);
        let runs = played(Agenda::new(&axes(Pace::UntilStates(9999))), 9);
        assert_eq!(runs[3], "P 4 auto");
    }

    #[test]
    fn generalised_splits_are_one_line() {
        let splits = |_: &str, _: &StudySubject, size: Option<i32>| {
            let left = vec![format!("B{}", size.unwrap_or(0))];
            vec![StudySplit { left, generalised: true }]
        };
        let axes = Axes { splits: &splits, strategies: vec!["learn".into()], ..axes(Pace::UntilLimit) };
        let runs = played(Agenda::new(&axes), 2);
        assert_eq!(runs[..3], ["P 2 learnB2", "P 3 learnB3", "Q 2 learnB2"]);
    }

    #[test]
    fn shards_are_a_partition() {
        let all = played(Agenda::new(&axes(Pace::Every)), 9);
        let mut parts: Vec<String> =
            (1..=5).flat_map(|part| played(Agenda::new(&axes(Pace::Every)).shard(part, 5), 9)).collect();
        assert_ne!(parts, all);
        let mut all = all;
        all.sort();
        parts.sort();
        assert_eq!(parts, all);
    }

    #[test]
    fn runs_are_counted_before_they_are_listed() {
        for pace in [Pace::Every, Pace::UntilLimit] {
            assert_eq!(axes(pace).count(), played(Agenda::new(&axes(pace)), 9).len());
        }
        // The baseline may go on to the last size, and its run there need not be done again.
        assert_eq!(axes(Pace::UntilStates(9999)).count(), 2 * (3 + 1 + 1 + 2));
        assert_eq!(played(Agenda::new(&axes(Pace::UntilStates(9999))), 9).len(), 2 * (3 + 1 + 2));
        let often = Axes { repeat: 100_000_000_000, ..axes(Pace::Every) };
        assert_eq!(often.count(), 24 * 100_000_000_000);
        assert_eq!(Axes { repeat: usize::MAX, ..axes(Pace::Every) }.count(), usize::MAX);
    }

    #[test]
    fn repetitions_stay_together() {
        let mut twice = Axes { repeat: 2, ..axes(Pace::UntilLimit) };
        twice.strategies = vec!["auto".into()];
        assert_eq!(played(Agenda::new(&twice), 2)[..4], ["P 2 auto", "P 2 auto", "P 3 auto", "P 3 auto"]);
        let pursuit = Axes { repeat: 2, strategies: vec!["monolithic".into()], ..axes(Pace::UntilStates(0)) };
        assert_eq!(
            played(Agenda::new(&pursuit), 9)[..3],
            ["P 2 monolithic", "P 2 monolithic", "Q 2 monolithic"]
        );
    }
}
