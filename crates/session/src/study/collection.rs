//! Results that are there: read from lines of text, and put together.
//!
//! A file of results has one JSON object on each line and only ever grows, so whatever happens to the process that
//! writes it, at most the last line is damaged. A run may be in it more than once, since models and limits change: the
//! last one counts.

use std::collections::BTreeMap;
use std::fmt;

use crate::report::{StudyLimits, StudyResult, StudyRun, Verdict};

/// Results, at most one for each run, in the order of runs.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    results: BTreeMap<StudyRun, StudyResult>,
}

/// Results that cannot all be right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contradiction(String);

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Contradiction {}

impl Collection {
    /// The results in a text, and which of its lines are no results, counted from 1.
    pub fn read(text: &str) -> (Self, Vec<usize>) {
        let mut collection = Self::default();
        let mut damaged = Vec::new();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            match serde_json::from_str::<StudyResult>(line) {
                Ok(result) => collection.insert(result),
                Err(_) => damaged.push(number),
            }
        }
        (collection, damaged)
    }

    /// How many bytes of a text are whole lines, and whether the rest is a result that only lacks the end of its line.
    pub fn whole_lines(text: &[u8]) -> (usize, bool) {
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        (whole, serde_json::from_slice::<StudyResult>(&text[whole..]).is_ok())
    }

    /// A result as a line.
    pub fn line(result: &StudyResult) -> String {
        serde_json::to_string(result).expect("a result is plain JSON") + "\n"
    }

    /// Adds a result in the place of an earlier one of the same run. Results of the same file with another text are
    /// dropped.
    pub fn insert(&mut self, result: StudyResult) {
        let is_outdated =
            |run: &StudyRun, old: &mut StudyResult| run.file == result.run.file && old.model != result.model;
        self.results.retain(|run, old| !is_outdated(run, old));
        self.results.insert(result.run.clone(), result);
    }

    /// The result of a run of a model, if there is one that need not be computed again: an answer, or that there is none
    /// within the same limits.
    pub fn settled(&self, run: &StudyRun, model: &str, limits: &StudyLimits) -> Option<&StudyResult> {
        let result = self.results.get(run)?;
        let is_settled = result.verdict != Verdict::Unknown || result.limits == *limits;
        (result.model == model && is_settled).then_some(result)
    }

    /// All results in order.
    pub fn results(&self) -> Vec<StudyResult> {
        self.results.values().cloned().collect()
    }

    /// Adds the results of another collection. Where both have a run, an answer is better than none.
    ///
    /// # Errors
    /// The same run was answered in two ways, or models differ.
    pub fn merge(&mut self, other: Self) -> Result<(), Contradiction> {
        let mut models: BTreeMap<&str, &str> = BTreeMap::new();
        for result in self.results.values() {
            models.insert(&result.run.file, &result.model);
        }
        for result in other.results.values() {
            let file = result.run.file.as_str();
            if models.get(file).is_some_and(|model| *model != result.model) {
                return Err(Contradiction(format!("the results are about different versions of {file}")));
            }
            if let Some(known) = self.results.get(&result.run) {
                agree(known, result)?;
            }
        }
        for (run, result) in other.results {
            let is_answered = self.results.get(&run).is_some_and(|known| known.verdict != Verdict::Unknown);
            if !is_answered {
                self.results.insert(run, result);
            }
        }
        Ok(())
    }

    /// Checks that all strategies agree about each subject at each size.
    ///
    /// # Errors
    /// Two that do not.
    pub fn check(&self) -> Result<(), Contradiction> {
        let mut answers: BTreeMap<StudyRun, &StudyResult> = BTreeMap::new();
        for result in self.results.values().filter(|result| result.verdict != Verdict::Unknown) {
            let question = StudyRun {
                strategy: String::new(),
                split: Vec::new(),
                generalised: false,
                repeat: 0,
                ..result.run.clone()
            };
            let first = answers.entry(question).or_insert(result);
            if first.verdict != result.verdict {
                let (one, other) = (named(first.verdict), named(result.verdict));
                return Err(Contradiction(format!(
                    "{}: {one} by {}, {other} by {}",
                    title(&result.run),
                    first.run.strategy,
                    result.run.strategy
                )));
            }
        }
        Ok(())
    }
}

/// Two answers to the same run have to be the same, but for times and memory.
fn agree(one: &StudyResult, other: &StudyResult) -> Result<(), Contradiction> {
    if one.verdict == Verdict::Unknown || other.verdict == Verdict::Unknown {
        return Ok(());
    }
    let run = format!("{} by {}", title(&one.run), one.run.strategy);
    if one.verdict != other.verdict {
        let (one, other) = (named(one.verdict), named(other.verdict));
        return Err(Contradiction(format!("{run}: {one} in one place, {other} in another")));
    }
    if one.peak_states != other.peak_states || one.assumptions != other.assumptions {
        let (one, other) = (one.peak_states, other.peak_states);
        return Err(Contradiction(format!(
            "{run}: the results have been computed in different ways ({one} and {other} states)"
        )));
    }
    Ok(())
}

/// A run in words.
pub(super) fn title(run: &StudyRun) -> String {
    let mut title = format!("{} {} {}", run.file, run.system, run.property);
    for (name, value) in &run.constants {
        title.push_str(&format!(" {name}={value}"));
    }
    if let (Some(parameter), Some(size)) = (&run.parameter, run.size) {
        title.push_str(&format!(" {parameter}={size}"));
    }
    title
}

pub(super) fn named(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Unknown => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::lost;
    use super::*;

    fn result(strategy: &str, size: i32, verdict: Verdict) -> StudyResult {
        let run = StudyRun {
            file: "m.lts".into(),
            system: "S".into(),
            property: "P".into(),
            constants: BTreeMap::new(),
            parameter: Some("N".into()),
            size: Some(size),
            strategy: strategy.into(),
            split: Vec::new(),
            generalised: false,
            repeat: 1,
        };
        StudyResult { verdict, model: "digest".into(), reason: None, ..lost(&run, "") }
    }

    fn collection(results: &[StudyResult]) -> Collection {
        let text: String = results.iter().map(Collection::line).collect();
        let (collection, damaged) = Collection::read(&text);
        assert!(damaged.is_empty());
        collection
    }

    #[test]
    fn lines_are_read_as_they_were_written() {
        let all = [result("auto", 2, Verdict::Holds), result("auto", 3, Verdict::Unknown)];
        assert_eq!(collection(&all).results(), all);
        let text = Collection::line(&all[0]) + "{\"file\":\"m.l";
        assert_eq!(Collection::read(&text).1, [2]);
        let whole = Collection::line(&all[0]).len();
        assert_eq!(Collection::whole_lines(text.as_bytes()), (whole, false));
        assert_eq!(Collection::whole_lines(&text.as_bytes()[..whole]), (whole, false));
        assert_eq!(Collection::whole_lines(&text.as_bytes()[..whole - 1]), (0, true));
    }

    #[test]
    fn the_last_line_and_the_last_model_count() {
        let old = result("auto", 2, Verdict::Unknown);
        let new = result("auto", 2, Verdict::Holds);
        assert_eq!(collection(&[old.clone(), new.clone()]).results(), [new]);
        let mut other = result("auto", 3, Verdict::Holds);
        other.model = "another".into();
        assert_eq!(collection(&[old, other.clone()]).results(), [other]);
    }

    #[test]
    fn what_is_settled_is_not_computed_again() {
        let mut unknown = result("auto", 3, Verdict::Unknown);
        unknown.limits.states = Some(10);
        let all = collection(&[result("auto", 2, Verdict::Holds), unknown.clone()]);
        let (none, ten) = (StudyLimits::default(), unknown.limits);
        let known = result("auto", 2, Verdict::Holds).run;
        assert!(
            all.settled(&known, "digest", &none).is_some() && all.settled(&known, "digest", &ten).is_some()
        );
        assert!(all.settled(&known, "another", &none).is_none());
        assert!(all.settled(&unknown.run, "digest", &ten).is_some());
        assert!(all.settled(&unknown.run, "digest", &none).is_none());
    }

    #[test]
    fn contradictions_are_found() {
        let holds = result("auto", 2, Verdict::Holds);
        let merged = |other: StudyResult| {
            let mut all = collection(std::slice::from_ref(&holds));
            all.merge(collection(&[other])).map(|()| all)
        };
        let message = |other| merged(other).map(|_| ()).map_err(|error| error.to_string());
        assert_eq!(
            message(result("auto", 2, Verdict::Violated)),
            Err("m.lts S P N=2 by auto: holds in one place, violated in another".into())
        );
        assert!(message(StudyResult { peak_states: 7, ..holds.clone() }).is_err());
        assert!(message(StudyResult { model: "another".into(), ..holds.clone() }).is_err());
        assert_eq!(message(StudyResult { time_ms: 7.0, ..holds.clone() }), Ok(()));
        let all = merged(result("auto", 2, Verdict::Unknown)).expect("no contradiction");
        assert_eq!(all.results(), std::slice::from_ref(&holds));
        let all = merged(result("learn", 2, Verdict::Violated)).expect("these are two runs");
        assert_eq!(
            all.check().map_err(|error| error.to_string()),
            Err("m.lts S P N=2: holds by auto, violated by learn".into())
        );
        let all = merged(result("learn", 3, Verdict::Violated)).expect("these are two sizes");
        assert_eq!(all.check(), Ok(()));
    }
}
