//! `decompose`: which split of a system is best.

use rely_assume::{
    Alphabets, Answer, Attempt, Inapplicable, Method, Problem, Rule, Split, Splitter, Table, Trial,
    Ungeneralised, Why, all_splits, count_splits, generalise, monolithic, outlives_a_failure, parts_of,
    promising_splits,
};
use rely_base::{Budget, Limits, Progress};
use rely_decide::{self as decide, Counterexample};
use rely_lts::{ComponentId, Network};
use rely_model::Failure;

use crate::goals::{Goals, Unresolved, ambiguous};
use crate::parts::Library;
use crate::report::{DecomposeResult, Finding, LargerResult, MonolithicResult, Report, SplitResult, Verdict};
use crate::{Internal, Project};

/// Which splits are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// All of them, each until it is decided.
    Table,
    /// As long as they may be the best one.
    Ranking {
        /// All of them are tried if there are at most this many.
        all: usize,
        /// Otherwise this many of the most promising ones.
        promising: usize,
    },
}

/// The same system at larger sizes.
pub struct Larger<'a> {
    /// The sizes, as in `N=3`, and the system.
    pub projects: &'a [(String, Project)],
    /// Whether the splits are tried there.
    pub is_tried: bool,
}

/// What to split, and for what.
pub struct DecomposeQuery<'a> {
    /// The system.
    pub system: String,
    /// The property.
    pub property: String,
    /// The rule.
    pub rule: Rule,
    /// Where assumptions come from.
    pub method: Method,
    /// How many groups.
    pub groups: usize,
    /// Which splits.
    pub extent: Extent,
    /// The most words that learners may ask about in one split.
    pub most_words: Option<usize>,
    /// Whether the operands of the system that are composites are split, too.
    pub is_flat: bool,
    /// Where the best split is to be used as well.
    pub larger: Larger<'a>,
    /// The milliseconds since some moment.
    pub clock: &'a (dyn Fn() -> u64 + Sync),
}

/// Ranks the ways to split a system.
///
/// # Errors
/// A mistake in this program, such as a counterexample that cannot be replayed.
pub fn decompose(
    project: &Project,
    query: &DecomposeQuery<'_>,
    budget: Budget<'_>,
) -> Result<Report<DecomposeResult>, Internal> {
    let started = (query.clock)();
    let mut result = blank(query);
    let (subject, findings) = Subject::read(project, query, &budget);
    let subject = match subject {
        Ok(subject) => subject,
        Err(None) => return Ok(Report::new("decompose", Vec::new(), findings)),
        Err(Some(reason)) => {
            result.reason = Some(reason);
            return Ok(Report::new("decompose", vec![result], findings));
        }
    };
    result.property.clone_from(&subject.problem.goal.name);
    result.units.clone_from(&subject.names);
    result.warnings.clone_from(&subject.warnings);
    result.possible = count_splits(subject.units.len(), query.groups);
    let Tried { attempts, reason, limit } = subject.attempts(query, &budget)?;
    result.reason = reason;
    result.tried = attempts.len();
    let is_best = |i: usize| i == 0 && attempts[i].is_decided();
    result.splits =
        attempts.iter().enumerate().map(|(i, attempt)| subject.split_result(attempt, is_best(i))).collect();
    let best = attempts.first().filter(|attempt| attempt.is_decided());
    let (whole, trace) = subject.monolithic(query, best, &budget)?;
    result.verdict = result.splits.first().map_or(whole.verdict, |split| split.verdict);
    if result.verdict == Verdict::Unknown {
        result.verdict = whole.verdict;
    }
    result.monolithic = Some(whole);
    result.trace = match best.map(|attempt| &attempt.answer) {
        Some(Answer::Refuted(run)) if subject.is_run(run) => {
            run.trace_names().into_iter().map(str::to_owned).collect()
        }
        _ => trace,
    };
    if let Some(best) = best {
        for (size, project) in query.larger.projects {
            result.larger.push(larger(&subject, best, size, project, query, &budget)?);
        }
    }
    // Limits of states and memory are met by single splits, which say so; these are met by all that follows.
    let now = budget.check(&Progress::default()).err().map(|exhausted| exhausted.resource.to_string());
    result.limit = limit.or(now);
    result.time_ms = (query.clock)().saturating_sub(started);
    Ok(Report::new("decompose", vec![result], findings))
}

/// Why a split gives no answer although it seems to show a violation.
const PART_FAILS: &str = "a part fails by itself first; `rely verify` looks at runs up to there";

/// The best split at a larger size.
fn larger(
    small: &Subject,
    best: &Attempt,
    size: &str,
    project: &Project,
    query: &DecomposeQuery<'_>,
    budget: &Budget<'_>,
) -> Result<LargerResult, Internal> {
    let mut result = LargerResult {
        size: size.to_owned(),
        groups: Vec::new(),
        special: Vec::new(),
        split: None,
        monolithic: None,
        reason: None,
    };
    let (subject, findings) = Subject::read(project, query, budget);
    let subject = match subject {
        Ok(subject) => subject,
        Err(reason) => {
            let message = findings.first().map(|finding| finding.message.clone());
            result.reason = reason.or(message);
            return Ok(result);
        }
    };
    let Subject { problem, units, names, .. } = &subject;
    let generalised = match generalise(&small.names, &best.split, names, problem, units) {
        Ok(generalised) => generalised,
        Err(ungeneralised) => {
            result.reason = Some(match ungeneralised {
                Ungeneralised::Stranger(unit) => {
                    format!("no unit of the small system is like {}", names[unit])
                }
                Ungeneralised::Empty(group) => {
                    format!("no unit would be in group {} at this size", group + 1)
                }
            });
            return Ok(result);
        }
    };
    result.groups = subject.group_names(&generalised.split);
    result.special = generalised.special.iter().map(|&unit| names[unit].clone()).collect();
    if query.larger.is_tried {
        let splitter = Splitter::new(problem, units, trial(query));
        let attempts = splitter.table([generalised.split], budget)?.attempts;
        let attempt = attempts.first().filter(|attempt| attempt.is_decided());
        result.split = attempts.first().map(|attempt| subject.split_result(attempt, false));
        result.monolithic = Some(subject.monolithic(query, attempt, budget)?.0);
    }
    Ok(result)
}

fn trial<'a>(query: &DecomposeQuery<'a>) -> Trial<'a> {
    Trial {
        rule: query.rule,
        method: query.method,
        alphabets: Alphabets::Whole,
        most_words: query.most_words,
        clock: query.clock,
    }
}

/// The most splits that are all tried: beyond that nobody would wait for the end, or read all of it.
const MOST_SPLITS: u64 = 1 << 20;

/// What became of the splits.
struct Tried {
    attempts: Vec<Attempt>,
    /// Why there are none.
    reason: Option<String>,
    /// What ran out before all were tried.
    limit: Option<String>,
}

impl Tried {
    fn not(reason: &str) -> Self {
        Self { attempts: Vec::new(), reason: Some(reason.to_owned()), limit: None }
    }
}

/// A system, divided into units, and its property.
struct Subject {
    problem: Problem,
    /// The parts of each unit.
    units: Vec<Vec<usize>>,
    /// The names of the units.
    names: Vec<String>,
    warnings: Vec<String>,
    /// The system, with everything in it that can fail.
    network: Network,
    /// The components of it that are the parts of the problem.
    parts: Vec<ComponentId>,
}

impl Subject {
    /// Reads a project. Where that fails there are findings, or the reason is a limit.
    fn read(
        project: &Project,
        query: &DecomposeQuery<'_>,
        budget: &Budget<'_>,
    ) -> (Result<Self, Option<String>>, Vec<Finding>) {
        let mut library = Library::of(std::slice::from_ref(project), *budget);
        let subject = Self::in_library(&mut library, query, budget);
        let failed = library.has_errors();
        let mut findings = library.findings();
        let subject = match subject {
            Ok(subject) if !failed => Ok(subject),
            Ok(_) | Err(Unresolved::Failure(Failure::Errors)) => Err(None),
            Err(Unresolved::Failure(Failure::Exhausted(exhausted))) => {
                Err(Some(format!("a part that has to be built first: {exhausted}")))
            }
            Err(Unresolved::Ambiguous(names)) => {
                let finding = ambiguous(&query.system, &query.property, &names);
                findings.push(finding.or_about(project.name()));
                Err(None)
            }
        };
        (subject, findings)
    }

    fn in_library(
        library: &mut Library<'_>,
        query: &DecomposeQuery<'_>,
        budget: &Budget<'_>,
    ) -> Result<Self, Unresolved> {
        let system = library.system_with(&query.system, std::slice::from_ref(&query.property), budget)?;
        let mut goals = Goals::within(system, library.table.clone());
        goals.name(&query.property, library, budget)?;
        let Goals { network, observers, named, .. } = goals;
        let goal: Vec<ComponentId> = named.into_iter().flat_map(|(_, goal)| goal).collect();
        let problem = Problem::new(&query.property, &network, &goal, &observers);
        let parts = parts_of(&network, &goal, &observers);
        let operand = |part: &str| {
            let mut path = library.table.path(part);
            (path.len() > 1 && !query.is_flat).then(|| path.swap_remove(0))
        };
        let (units, names) = units_of(&problem, operand);
        let warnings = std::mem::take(&mut library.warnings);
        Ok(Self { problem, network, parts, units, names, warnings })
    }

    /// Whether a run of the problem is one of the system: it ends when a part fails.
    fn is_run(&self, run: &Counterexample) -> bool {
        !outlives_a_failure(run, &self.network, &self.parts)
    }

    /// Tries the splits that are asked for.
    fn attempts(&self, query: &DecomposeQuery<'_>, budget: &Budget<'_>) -> Result<Tried, Internal> {
        if self.network.priority().is_some() {
            return Ok(Tried::not("the system has priority, which no rule allows for"));
        }
        let splitter = Splitter::new(&self.problem, &self.units, trial(query));
        if let Err(inapplicable) = splitter.applies(query.groups) {
            return Ok(Tried::not(match inapplicable {
                Inapplicable::TooFewGroups => "there are too few parts to split",
                Inapplicable::GoalTakesPart => "the rule needs a property that only looks on",
                Inapplicable::NoChain => "the method needs a rule that is a chain",
            }));
        }
        let count = self.units.len();
        let all = || all_splits(count, query.groups);
        let number = count_splits(count, query.groups);
        let is_feasible = |most: u64| number.is_some_and(|number| number <= most);
        match query.extent {
            Extent::Table if is_feasible(MOST_SPLITS) => {
                let Table { attempts, limit } = splitter.table(all(), budget)?;
                Ok(Tried { attempts, reason: None, limit: limit.map(|resource| resource.to_string()) })
            }
            Extent::Table => {
                let number = number.map_or("more than 2^64".to_owned(), |number| number.to_string());
                let limit = Some("there are too many splits".to_owned());
                let reason = format!("{number} splits cannot all be tried: the most is {MOST_SPLITS}");
                Ok(Tried { limit, ..Tried::not(&reason) })
            }
            Extent::Ranking { all: most, promising } => {
                let splits = match is_feasible(MOST_SPLITS.min(most as u64)) {
                    true => Ok(all().collect()),
                    false => promising_splits(&self.problem, &self.units, query.groups, promising, budget),
                };
                // Without splits there is a limit that ends all that follows as well.
                let splits: Vec<Split> = splits.unwrap_or_default();
                let attempts = splitter.ranking(&splits, budget)?;
                Ok(Tried { attempts, reason: None, limit: None })
            }
        }
    }

    /// The search of the whole product, and a run that breaks the property. With a split that is much better at hand, it
    /// need not end.
    fn monolithic(
        &self,
        query: &DecomposeQuery<'_>,
        best: Option<&Attempt>,
        budget: &Budget<'_>,
    ) -> Result<(MonolithicResult, Vec<String>), Internal> {
        const LEAST: usize = 1 << 20;
        const TIMES: usize = 16;
        let enough = |attempt: &Attempt| attempt.effort.peak_states.saturating_mul(TIMES).max(LEAST);
        let states = best.filter(|_| query.extent != Extent::Table).map(enough);
        let started = (query.clock)();
        let mut result = MonolithicResult { verdict: Verdict::Unknown, peak_states: 0, time_ms: 0 };
        let mut trace = Vec::new();
        if self.network.priority().is_none() {
            let limited = budget.narrowed(Limits { states, bytes: None });
            let (verdict, effort) = monolithic(&self.problem, &limited)?;
            result.peak_states = effort.peak_states;
            result.verdict = match verdict {
                decide::Verdict::Holds(_) => Verdict::Holds,
                decide::Verdict::Unknown(_) => Verdict::Unknown,
                decide::Verdict::Violated(run) if !self.is_run(&run) => Verdict::Unknown,
                decide::Verdict::Violated(run) => {
                    trace = run.trace_names().into_iter().map(str::to_owned).collect();
                    Verdict::Violated
                }
            };
        }
        result.time_ms = (query.clock)().saturating_sub(started);
        Ok((result, trace))
    }

    fn group_names(&self, split: &Split) -> Vec<Vec<String>> {
        let names = |group: &Vec<usize>| group.iter().map(|&unit| self.names[unit].clone()).collect();
        split.iter().map(names).collect()
    }

    fn split_result(&self, attempt: &Attempt, best: bool) -> SplitResult {
        let groups = self.group_names(&attempt.split);
        let (verdict, reason) = match &attempt.answer {
            Answer::Proved(_) => (Verdict::Holds, None),
            Answer::Refuted(run) if self.is_run(run) => (Verdict::Violated, None),
            Answer::Refuted(_) => (Verdict::Unknown, Some(PART_FAILS.to_owned())),
            Answer::Unknown(exhausted) => {
                let reason = match attempt.why {
                    Some(Why::Words) => "a learner asked about too many words".to_owned(),
                    Some(Why::States) => "too many states".to_owned(),
                    Some(Why::Other) | None => exhausted.to_string(),
                };
                (Verdict::Unknown, Some(reason))
            }
        };
        SplitResult {
            left: groups.first().cloned().unwrap_or_default(),
            right: groups.iter().skip(1).flatten().cloned().collect(),
            groups: if groups.len() > 2 { groups } else { Vec::new() },
            verdict,
            best,
            composed: attempt.composed,
            peak_states: attempt.effort.peak_states,
            assumption_states: attempt.assumption_states(),
            queries: attempt.effort.queries,
            conjectures: attempt.effort.conjectures,
            reason,
            time_ms: attempt.time_ms,
        }
    }
}

/// The parts of a problem in units, with names: the operands of the system, or else every part by itself.
fn units_of(problem: &Problem, operand: impl Fn(&str) -> Option<String>) -> (Vec<Vec<usize>>, Vec<String>) {
    let mut units: Vec<Vec<usize>> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let mut last: Option<String> = None;
    for (i, part) in problem.parts.iter().enumerate() {
        let operand = operand(&part.name);
        match units.last_mut() {
            Some(unit) if operand.is_some() && operand == last => unit.push(i),
            _ => {
                units.push(vec![i]);
                names.push(operand.clone().unwrap_or_else(|| part.name.clone()));
            }
        }
        last = operand;
    }
    (units, names)
}

fn blank(query: &DecomposeQuery<'_>) -> DecomposeResult {
    let method = match query.method {
        Method::Direct => "direct",
        Method::Learn(_) => "learn",
        Method::Separate => "separate",
        Method::Abstract => "abstract",
    };
    DecomposeResult {
        system: query.system.clone(),
        property: query.property.clone(),
        verdict: Verdict::Unknown,
        rule: query.rule.name().to_owned(),
        method: method.to_owned(),
        units: Vec::new(),
        possible: None,
        tried: 0,
        splits: Vec::new(),
        monolithic: None,
        trace: Vec::new(),
        larger: Vec::new(),
        reason: None,
        limit: None,
        warnings: Vec::new(),
        time_ms: 0,
    }
}
