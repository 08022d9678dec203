//! Further counterexamples that differ from the first (`rely_decide::several` says what that means).
//!
//! They are looked for when everything else is answered, in the components as they are written, with a bounded effort: what
//! they take must not decide whether there is an answer.

use rely_base::{Budget, Limits};
use rely_decide::{self as decide, Counterexample, ProgressInquiry, Several, Wanted, another_cycle};
use rely_lts::Behaviour;
use rely_omega::Assertion;

use super::checker::{Checker, PATIENCE};
use super::inquest::{Inquest, Question, Watched};
use super::words::show;
use crate::Internal;
use crate::report::{CheckResult, Kind, OtherTrace, Verdict};
use crate::states::StateNaming;

impl Inquest<'_> {
    /// Adds traces to the answers that are violated, so that each has at most `most`.
    pub(super) fn find_more(&mut self, most: usize, budget: &Budget<'_>) -> Result<(), Internal> {
        let checker = self.checker();
        for number in 0..self.questions().len() {
            let question = self.questions()[number];
            for place in 0..self.answers()[number].len() {
                let answer = &self.answers()[number][place];
                if answer.verdict != Verdict::Violated {
                    continue;
                }
                let states = PATIENCE.max(answer.states.saturating_mul(4));
                let budget = budget.narrowed(Limits { states: Some(states), bytes: None });
                let found = match question {
                    Question::Declared(declared) => {
                        let Watched { behaviour, watcher, .. } = &self.watched()[declared];
                        let wanted = Wanted::Failure(Some(*watcher));
                        Some((behaviour.clone(), decide::several(behaviour, wanted, most, &budget)?))
                    }
                    _ => checker.several(self.behaviour(), question, answer, most, &budget)?,
                };
                if let Some((behaviour, several)) = found {
                    let answer = &mut self.answers_mut()[number][place];
                    checker.add(&behaviour, several, answer);
                }
            }
        }
        Ok(())
    }
}

impl Checker<'_> {
    /// Runs that differ, with the behaviour that they are runs of; nothing where only one can be told.
    fn several(
        &self,
        behaviour: &Behaviour,
        question: Question,
        answer: &CheckResult,
        most: usize,
        budget: &Budget<'_>,
    ) -> Result<Option<(Behaviour, Several)>, Internal> {
        let several = match question {
            Question::Reachability { .. } if answer.kind == Kind::Deadlock => {
                decide::several(behaviour, Wanted::Deadlock, most, budget)?
            }
            Question::Reachability { .. } => decide::several(behaviour, Wanted::Failure(None), most, budget)?,
            Question::Property(number) => {
                let property = self.declared.properties[number].clone();
                let (watched, watcher) = behaviour.clone().watched_by(property);
                let several = decide::several(&watched, Wanted::Failure(Some(watcher)), most, budget)?;
                return Ok(Some((watched, several)));
            }
            Question::Progress => {
                let mut declared = self.declared.progress.iter();
                let property = declared.find(|property| property.name == answer.property);
                ProgressInquiry::several(behaviour, property, most, budget)?
            }
            Question::Assertion(number) => {
                self.cycles(behaviour, &self.declared.assertions[number], most, budget)?
            }
            Question::Declared(_) | Question::Commitment(_) | Question::Divergence => return Ok(None),
        };
        Ok(Some((behaviour.clone(), several)))
    }

    /// Runs that break an assertion, with other actions in their cycles. One that breaks it with a finite prefix is the
    /// only one.
    fn cycles(
        &self,
        behaviour: &Behaviour,
        assertion: &Assertion,
        most: usize,
        budget: &Budget<'_>,
    ) -> Result<Several, Internal> {
        let mut several = Several::default();
        let mut asked = assertion.clone();
        while several.runs.len() < most {
            let outcome = decide::check_ltl(behaviour, &asked, self.fairness().of_choices(), budget)?;
            match outcome.decision.verdict {
                decide::Verdict::Violated(run) if run.cycle.is_empty() => {
                    several.runs.push(*run);
                    break;
                }
                decide::Verdict::Violated(run) => {
                    asked = another_cycle(&asked, &run.cycle_names(), behaviour.alphabet());
                    several.runs.push(*run);
                }
                decide::Verdict::Holds(_) => {
                    several.are_all = true;
                    break;
                }
                decide::Verdict::Unknown(_) => break,
            }
        }
        Ok(several)
    }

    /// Writes runs into an answer, in the place of the one that it has: that one need not differ from all of them.
    fn add(&self, behaviour: &Behaviour, several: Several, answer: &mut CheckResult) {
        let Several { runs, are_all } = several;
        let mut told = runs.into_iter().map(|run: Counterexample| {
            let mut told = self.blank(answer.kind, &answer.property);
            show(behaviour, run, self.states.get_or_init(StateNaming::default), &mut told);
            OtherTrace::of(told)
        });
        let Some(first) = told.next() else { return };
        let more: Vec<OtherTrace> = told.collect();
        first.write_into(answer);
        answer.more_traces = more;
        answer.no_more_traces = are_all;
    }
}
