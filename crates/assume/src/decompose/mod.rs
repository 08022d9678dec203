//! Which split of a system is best for a rule.
//!
//! **Problem.** A rule proves a problem from groups of parts, and how much work that is depends on the split more than
//! on anything else. Which split keeps the fewest states in view at once?
//!
//! **Source.** [Cobleigh 2007, chapter 5] tries all 2ⁿ − 2 splits in two groups, each from scratch, and finds no
//! pattern in the good ones.
//!
//! **Idea.** Splits are tried with a limit on states, which is doubled until one of them is decided; from then on the
//! best so far is the limit. So no split costs much more than the best one. A split is tried with the reduced products
//! of its groups, which are made once for all splits (`shared.rs`), and with single parts, which are composed only as
//! far as assumptions allow. Where there are too many splits, only promising ones are tried (`cut.rs`).
//!
//! **Invariants.** The outcome of a split is a function of the split and the limit that it was given, and limits
//! change only between rounds of a fixed size: the ranking does not depend on the number of threads. A proof speaks about
//! the parts as they were given, and a run has been replayed on them.
//!
//! **Complexity.** With s splits and a best peak of b states, at most s · (2 + 1 + 1/2 + …) · b states at a time, each
//! limit tried anew.
//!
//! **Deviation.** Splits that are abandoned are not ranked among each other; without limits ([`Splitter::table`]) all
//! are.
//!
//! **Callers.** `rely decompose`.

mod cut;
mod generalise;
#[cfg(test)]
mod naive_cut;
mod shared;
mod splits;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rely_base::{Alphabet, Budget, Exhausted, Limits, Progress, Resource};
use rely_decide::{Counterexample, ReplayError};
use rely_lts::{Component, LtsBuilder};

use crate::problem::alphabet_of;
use crate::{
    Alphabets, Answer, Effort, Inapplicable, Method, Plan, Problem, Proof, Rule, Unrealised, realise, verify,
};

pub use cut::promising_splits;
pub use generalise::{Generalised, Ungeneralised, generalise};
pub use splits::{Split, all_splits, count_splits};

use shared::{Made, Shared};

/// How splits are tried.
#[derive(Clone, Copy)]
pub struct Trial<'c> {
    /// The rule.
    pub rule: Rule,
    /// Where assumptions come from.
    pub method: Method,
    /// Over which actions assumptions are looked for.
    pub alphabets: Alphabets,
    /// The most words that learners may ask about in one split.
    pub most_words: Option<usize>,
    /// The milliseconds since some moment.
    pub clock: &'c (dyn Fn() -> u64 + Sync),
}

/// What became of a split.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The split, by units.
    pub split: Split,
    /// Whether the groups were composed and reduced first.
    pub composed: bool,
    /// The answer. A proof is one about the parts of the problem.
    pub answer: Answer,
    /// Why there is no answer.
    pub why: Option<Why>,
    /// What it took, making the products of the groups included; for a split that was abandoned, at least that. Of the
    /// two ways to try a split, only the better one counts.
    pub effort: Effort,
    /// How long it took, in milliseconds.
    pub time_ms: u64,
}

/// Why a split was abandoned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// A step would have held too many states.
    States,
    /// A learner asked about too many words.
    Words,
    /// The time was over, or the memory full.
    Other,
}

impl Attempt {
    /// Whether there is an answer.
    pub fn is_decided(&self) -> bool {
        !matches!(self.answer, Answer::Unknown(_))
    }

    /// The states of all assumptions of a proof.
    pub fn assumption_states(&self) -> usize {
        match &self.answer {
            Answer::Proved(proof) => proof.assumptions.iter().map(crate::Assumption::state_count).sum(),
            Answer::Refuted(_) | Answer::Unknown(_) => 0,
        }
    }

    /// About how much memory it takes.
    fn bytes(&self) -> usize {
        let of_split = self.split.iter().map(|group| size_of_val(group) + size_of_val(group.as_slice()));
        let of_answer = match &self.answer {
            Answer::Proved(proof) => {
                proof.assumptions.iter().map(|assumption| assumption.lts().bytes()).sum()
            }
            Answer::Refuted(run) => run.trace_names().len() * size_of::<Counterexample>(),
            Answer::Unknown(_) => 0,
        };
        size_of_val(self) + of_split.sum::<usize>() + of_answer
    }

    /// Better attempts are less: those that are decided, with fewer states at once, with smaller assumptions, with fewer
    /// words asked; and then by split, so that there are no ties.
    fn merit(&self) -> (bool, usize, usize, usize, &Split) {
        let Effort { peak_states, queries, .. } = self.effort;
        (!self.is_decided(), peak_states, self.assumption_states(), queries, &self.split)
    }
}

/// What became of all splits.
#[derive(Clone, Debug)]
pub struct Table {
    /// The splits that were tried, the best one first.
    pub attempts: Vec<Attempt>,
    /// What ran out, if it was before all of them were tried or with the last ones.
    pub limit: Option<Resource>,
}

/// Tries splits of a problem.
pub struct Splitter<'p> {
    problem: &'p Problem,
    /// The parts of each unit: what is never split.
    units: &'p [Vec<usize>],
    trial: Trial<'p>,
    shared: Shared<'p>,
}

/// The most bytes that shared products may take.
const MOST_BYTES: usize = 256 << 20;

/// How many splits are tried with the same limit before the limit is looked at again. It is the same for any number of
/// threads, so that results are.
const ROUND: usize = 8;

/// How many splits of a table are listed at a time.
const LISTED: usize = 1024;

/// The first limit on states.
const FIRST_LIMIT: usize = 16;

/// The first limit on states where splits do not compete.
const GENEROUS_LIMIT: usize = 1024;

/// How many words a learner may ask about for each state that it may hold, while splits compete. Some ask for hours with
/// few states in view.
const WORDS_PER_STATE: usize = 64;

impl<'p> Splitter<'p> {
    /// Tries splits of a problem into units: each part is in exactly one of them.
    pub fn new(problem: &'p Problem, units: &'p [Vec<usize>], trial: Trial<'p>) -> Self {
        Self { problem, units, trial, shared: Shared::new(problem, MOST_BYTES) }
    }

    /// Whether splits into `groups` groups can be used at all.
    ///
    /// # Errors
    /// Why not.
    pub fn applies(&self, groups: usize) -> Result<(), Inapplicable> {
        if self.units.len() < groups {
            return Err(Inapplicable::TooFewGroups);
        }
        self.plan((0..groups).map(|part| vec![part]).collect(), None).applies_to(self.problem)
    }

    /// Every split with nothing but the limits of the budget, the best one first. Those that are left when a limit of
    /// all of them together is met, such as that of the time, are not tried.
    ///
    /// # Errors
    /// A run that cannot be replayed: a mistake in the program.
    pub fn table(
        &self,
        splits: impl IntoIterator<Item = Split>,
        budget: &Budget<'_>,
    ) -> Result<Table, ReplayError> {
        let mut splits = splits.into_iter();
        let mut table = Table { attempts: Vec::new(), limit: None };
        let mut bytes = 0_usize;
        loop {
            // Splits are listed as they are tried: there may be more than the memory can hold.
            let round: Vec<Split> = splits.by_ref().take(LISTED).collect();
            let made = self.in_parallel(&round, budget, |split, budget| self.settled(split, budget))?;
            let is_over = made.len() < round.len();
            bytes = made.iter().map(Attempt::bytes).fold(bytes, usize::saturating_add);
            table.attempts.extend(made);
            let checked = budget.check(&Progress { bytes, ..Progress::default() });
            table.limit = checked.err().map(|exhausted| exhausted.resource);
            if is_over || round.len() < LISTED || table.limit.is_some() {
                sort(&mut table.attempts);
                return Ok(table);
            }
        }
    }

    /// The splits with the best ones first; those that take more states than the best one are abandoned.
    ///
    /// # Errors
    /// A run that cannot be replayed: a mistake in the program.
    pub fn ranking(&self, splits: &[Split], budget: &Budget<'_>) -> Result<Vec<Attempt>, ReplayError> {
        let mut limit = FIRST_LIMIT;
        loop {
            let allowed = limit.saturating_mul(WORDS_PER_STATE);
            let words = self.trial.most_words.map_or(allowed, |most| most.min(allowed));
            let attempts = self.level(splits, limit, words, budget)?;
            let is_enough = attempts.iter().any(Attempt::is_decided)
                || limit >= budget.max_states()
                || attempts.len() < splits.len()
                || attempts.iter().all(|attempt| attempt.why == Some(Why::Other));
            if is_enough {
                return Ok(attempts);
            }
            limit = limit.saturating_mul(2);
        }
    }

    /// Tries all splits with a limit, which becomes narrower when one of them needs less.
    fn level(
        &self,
        splits: &[Split],
        limit: usize,
        words: usize,
        budget: &Budget<'_>,
    ) -> Result<Vec<Attempt>, ReplayError> {
        let mut limit = limit;
        let mut attempts = Vec::with_capacity(splits.len());
        for round in splits.chunks(ROUND) {
            let made = self.in_parallel(round, budget, |split, budget| {
                self.attempt(split, limit, Some(words), budget)
            })?;
            let decided = made.iter().filter(|attempt| attempt.is_decided());
            limit = decided.map(|attempt| attempt.effort.peak_states).fold(limit, usize::min);
            let is_over = made.len() < round.len();
            attempts.extend(made);
            if is_over {
                break;
            }
        }
        sort(&mut attempts);
        Ok(attempts)
    }

    /// Tries splits, on as many threads as the budget allows. When a limit other than that of states is met, those that
    /// have not been begun are left out: each by itself may be too small to notice.
    fn in_parallel(
        &self,
        splits: &[Split],
        budget: &Budget<'_>,
        attempt: impl Fn(&Split, &Budget<'_>) -> Result<Attempt, ReplayError> + Sync,
    ) -> Result<Vec<Attempt>, ReplayError> {
        let threads = budget.threads().get().min(splits.len()).max(1);
        let share = Limits { states: None, bytes: Some(budget.max_bytes() / threads) };
        let single = budget.with_threads(std::num::NonZeroUsize::MIN).narrowed(share);
        let next = AtomicUsize::new(0);
        let places: Vec<Mutex<Option<Result<Attempt, ReplayError>>>> =
            splits.iter().map(|_| Mutex::default()).collect();
        let work = || {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(split) = splits.get(at) else { break };
                if budget.check(&Progress::default()).is_err() {
                    break;
                }
                let started = (self.trial.clock)();
                let mut made = attempt(split, &single);
                if let Ok(attempt) = &mut made {
                    attempt.time_ms = (self.trial.clock)().saturating_sub(started);
                }
                *places[at].lock().unwrap_or_else(PoisonError::into_inner) = Some(made);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        let made = |place: Mutex<Option<Result<Attempt, ReplayError>>>| {
            place.into_inner().unwrap_or_else(PoisonError::into_inner)
        };
        places.into_iter().filter_map(made).collect()
    }

    /// Tries a split with more and more states, until it is decided or nothing more is allowed.
    fn settled(&self, split: &Split, budget: &Budget<'_>) -> Result<Attempt, ReplayError> {
        let mut limit = GENEROUS_LIMIT;
        loop {
            let attempt = self.attempt(split, limit, self.trial.most_words, budget)?;
            if attempt.why != Some(Why::States) || limit >= budget.max_states() {
                return Ok(attempt);
            }
            limit = limit.saturating_mul(4);
        }
    }

    /// Tries a split within limits, with products of the groups and without; the better outcome counts.
    ///
    /// Products are small where the parts of a group know each other well. Where they are only kept in check by the
    /// other groups, their product may be larger than the whole system.
    fn attempt(
        &self,
        split: &Split,
        limit: usize,
        words: Option<usize>,
        budget: &Budget<'_>,
    ) -> Result<Attempt, ReplayError> {
        let composed = self.variant(split, true, limit, words, budget)?;
        let below = match composed.is_decided() {
            true => composed.effort.peak_states.saturating_sub(1),
            false => limit,
        };
        let is_single = |group: &Vec<usize>| self.parts_of(group).len() == 1;
        if matches!(composed.why, Some(Why::Other)) || split.iter().all(is_single) {
            return Ok(composed);
        }
        let separate = self.variant(split, false, below, words, budget)?;
        let is_better = separate.is_decided()
            || (!composed.is_decided()
                && composed.why == Some(Why::Words)
                && separate.why == Some(Why::States));
        Ok(if is_better { separate } else { composed })
    }

    /// Tries a split within limits, with the products of its groups or with single parts.
    fn variant(
        &self,
        split: &Split,
        composed: bool,
        limit: usize,
        words: Option<usize>,
        budget: &Budget<'_>,
    ) -> Result<Attempt, ReplayError> {
        let limited = budget.narrowed(Limits { states: Some(limit), bytes: None });
        let groups = match composed {
            true => self.groups(split, &limited),
            false => split.iter().map(|group| self.shared.parts(&self.parts_of(group), &limited)).collect(),
        };
        let (mut answer, mut effort) = match groups {
            Ok(groups) => self.verify(split, groups, words, &limited)?,
            Err(exhausted) => {
                let mut effort = Effort::default();
                effort.held(exhausted.states);
                (Answer::Unknown(exhausted), effort)
            }
        };
        if effort.peak_states > limit && !matches!(answer, Answer::Unknown(_)) {
            // Some steps notice only after a few thousand states that they are beyond the limit.
            answer = Answer::Unknown(beyond(limit));
        }
        let why = match &answer {
            Answer::Proved(_) | Answer::Refuted(_) => None,
            Answer::Unknown(_) if words.is_some_and(|most| effort.queries > most) => Some(Why::Words),
            Answer::Unknown(exhausted) if exhausted.resource == Resource::States => Some(Why::States),
            Answer::Unknown(_) => Some(Why::Other),
        };
        if why == Some(Why::States) {
            // How far a step was beyond the limit is chance.
            effort.peak_states = limited.max_states().saturating_add(1);
        }
        Ok(Attempt { split: split.clone(), composed, answer, why, effort, time_ms: 0 })
    }

    /// What the groups of a split are made of.
    fn groups(&self, split: &Split, budget: &Budget<'_>) -> Result<Vec<Made>, Exhausted> {
        split.iter().map(|group| self.shared.group(&self.parts_of(group), budget)).collect()
    }

    fn parts_of(&self, group: &[usize]) -> Vec<usize> {
        group.iter().flat_map(|&unit| self.units[unit].iter().copied()).collect()
    }

    fn plan(&self, groups: Vec<Vec<usize>>, most_words: Option<usize>) -> Plan {
        let Trial { rule, method, alphabets, .. } = self.trial;
        Plan { rule, method, alphabets, groups, most_words }
    }

    /// Uses the rule on the products of the groups.
    fn verify(
        &self,
        split: &Split,
        groups: Vec<Made>,
        words: Option<usize>,
        budget: &Budget<'_>,
    ) -> Result<(Answer, Effort), ReplayError> {
        let mut parts: Vec<Component> = Vec::new();
        let mut numbers: Vec<Vec<usize>> = Vec::new();
        let mut effort = Effort::default();
        for Made { pieces, peak_states } in groups {
            effort.held(peak_states);
            let first = parts.len();
            // A group of which the goal feels nothing is still a group.
            parts.extend(if pieces.is_empty() { vec![nothing()] } else { pieces });
            numbers.push((first..parts.len()).collect());
        }
        let products = Problem { composites: Vec::new(), parts, goal: self.problem.goal.clone() };
        let (answer, cost) = verify(&products, &self.plan(numbers, words), budget)?;
        effort.add(cost);
        let answer = match answer {
            Answer::Proved(Proof { rule, assumptions, .. }) => {
                let groups = split.iter().map(|group| self.parts_of(group)).collect();
                Answer::Proved(Proof { rule, groups, assumptions })
            }
            Answer::Refuted(run) => self.realised(&products, &run, budget, &mut effort)?,
            unknown @ Answer::Unknown(_) => unknown,
        };
        Ok((answer, effort))
    }

    /// A run of the products as a run of the parts.
    fn realised(
        &self,
        products: &Problem,
        run: &Counterexample,
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Result<Answer, ReplayError> {
        let names = run.trace_names().into_iter();
        let sequence: Vec<String> = names.filter(|&name| name != "tau").map(str::to_owned).collect();
        let alphabet = alphabet_of(&products.components());
        match realise(&self.problem.components(), &sequence, &alphabet, budget, effort) {
            Ok(run) => Ok(Answer::Refuted(Box::new(run))),
            Err(Unrealised::Exhausted(exhausted)) => Ok(Answer::Unknown(exhausted)),
            Err(Unrealised::Mistake(mistake)) => Err(mistake),
        }
    }
}

fn sort(attempts: &mut [Attempt]) {
    attempts.sort_by(|first, second| first.merit().cmp(&second.merit()));
}

fn beyond(limit: usize) -> Exhausted {
    Exhausted { resource: Resource::States, states: limit.saturating_add(1), transitions: 0 }
}

/// The component that does nothing.
fn nothing() -> Component {
    let lts = LtsBuilder::with_states(Alphabet::new(), 1).build();
    Component { name: "NOTHING".to_owned(), lts: std::sync::Arc::new(lts) }
}
