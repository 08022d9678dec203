//! A component on its own: what it assumes about its environment, and what an answer about it says about the whole system.
//!
//! **Problem.** A component alone may do more than it does in its system. What holds under true assumptions holds in the
//! system, but an *alarm*, a run in which a property is broken, may be false.
//!
//! **Source.** The process of [de la Riva, Tuya 2006], with the analysis of alarms done by the tool.
//!
//! **Idea.** Nothing is assumed that is not true: rules are mined from the environment, and assumptions of the text are
//! discharged on it first; one that is not discharged is left out. Then
//!
//! - a property that holds is looked at for what it really rests on: beginning with no assumptions, each run that breaks it
//!   breaks one that was assumed, which is added; in the end those that are dispensable are taken away again;
//! - an alarm that breaks a mined rule is false, and the rule says why. With the rule there may be another alarm, until there
//!   is none, or one that the rules allow;
//! - that one is looked for in the whole system: *violated* has a run of the whole system.
//!
//! An environment that may do anything can be too much to look at. Then alarms are looked for among the runs in which it sends one
//! event at a time: they are runs of the component, too.
//!
//! Rules may come from an earlier run (`rules.rs`). If others could have written to the store, they are hints: those that
//! proofs rest on are discharged like assumptions of the text, and where one is not kept, mining and all questions follow.
//!
//! What is only there to explain an answer gets a bounded number of states ([`PATIENCE`]).

use std::collections::BTreeSet;
use std::slice;

use rely_assume::Memory;
use rely_base::{Budget, Limits};
use rely_model::{Assumption, Failure, Window};

use super::checker::Checker;
use crate::Internal;
use crate::meaning::Meaning;
use crate::report::{CheckResult, Reliance, Source, Verdict};
use crate::rules::{Rules, rules};

/// How many states are looked at to explain an answer, where the answer itself took fewer.
const PATIENCE: usize = 200_000;

/// The question whether anything goes wrong in the component itself, such as a macrostep that does not end. No property of a
/// component has this name, because its name begins with that of the component.
const SAFETY: &str = "safety";

/// Why an answer about a component on its own may be none about the whole system.
const MAY_BE_FALSE: &str =
    "the component alone can break it, in an environment that may do anything that is not assumed away";

/// A component on its own.
pub(super) struct Alone<'a> {
    checker: Checker<'a>,
    /// The target of the whole system.
    system: String,
    /// What is assumed. All of it is true.
    pub(super) assumed: Vec<Assumption>,
    /// What the text assumes, and the environment is not known to keep.
    undischarged: Vec<Assumption>,
    /// What became of the assumptions of the text.
    pub(super) discharges: Vec<CheckResult>,
    /// The rules that are among what is assumed, if any may be.
    rules: Option<Rules>,
    memory: Option<&'a dyn Memory>,
}

impl<'a> Alone<'a> {
    /// Finds out what the target of a checker may assume, if it is a component.
    ///
    /// # Errors
    /// When the component has errors, or a limit is met while rules are mined.
    pub(super) fn new(
        checker: Checker<'a>,
        meaning: &mut Meaning<'_>,
        memory: Option<&'a dyn Memory>,
        budget: &Budget<'_>,
    ) -> Result<Option<Self>, Stop> {
        let (component, environment) = (checker.target, checker.query.environment);
        let Some(open) = meaning.open_components() else { return Ok(None) };
        let Some(system) = open.system_of(component) else { return Ok(None) };
        let written = if environment.has_written() { open.written(component)? } else { Vec::new() };
        let mut alone = Self {
            checker,
            system,
            assumed: Vec::new(),
            undischarged: Vec::new(),
            discharges: Vec::new(),
            rules: None,
            memory,
        };
        if environment.has_rules() {
            let found = rules(meaning, (component, alone.checker.query.window), memory, true, budget)?;
            alone.assumed.clone_from(&found.mined.assumptions);
            alone.rules = Some(found);
        }
        for (number, assumption) in written.iter().enumerate() {
            let share = budget.share_of_time(written.len() - number + 1);
            let result = alone.discharge(meaning, assumption, &share)?;
            match result.verdict {
                Verdict::Holds => alone.assumed.push(assumption.clone()),
                Verdict::Violated | Verdict::Unknown => alone.undischarged.push(assumption.clone()),
            }
            alone.discharges.push(result);
        }
        Ok(Some(alone))
    }

    /// Whether the environment, whatever the component does, keeps an assumption of the text.
    fn discharge(
        &self,
        meaning: &mut Meaning<'_>,
        assumption: &Assumption,
        budget: &Budget<'_>,
    ) -> Result<CheckResult, Stop> {
        let component = self.checker.target;
        let senders = match meaning.open_components() {
            Some(open) => open.senders(component, assumption)?,
            None => Vec::new(),
        };
        // The components that have to keep to it are looked at one by one; if that is not enough, the environment as a whole.
        let mut result = None;
        for sender in &senders {
            let found = self.watched_sender(meaning, Some(sender.as_str()), assumption, budget)?;
            if found.verdict != Verdict::Holds {
                result = None;
                break;
            }
            result = Some(found);
        }
        let mut result = match result {
            Some(result) => result,
            None => self.watched_sender(meaning, None, assumption, budget)?,
        };
        result.is_assumption = true;
        if result.verdict == Verdict::Violated {
            result.verdict = Verdict::Unknown;
            result.violates = None;
            let why = "its environment, where the component may do anything itself, does not keep it, so nothing rests on it";
            result.reason = Some(why.to_owned());
        }
        Ok(result)
    }

    /// Whether the environment, or a component of it, keeps an assumption.
    fn watched_sender(
        &self,
        meaning: &mut Meaning<'_>,
        sender: Option<&str>,
        assumption: &Assumption,
        budget: &Budget<'_>,
    ) -> Result<CheckResult, Stop> {
        let watching = slice::from_ref(assumption);
        let (behaviour, watcher) = meaning.environment(self.checker.target, sender, watching)?;
        Ok(self.checker.watched(&behaviour, watcher, &assumption.to_string(), budget)?)
    }

    /// Says what answers about properties of the component mean, and stores what the proofs rest on.
    pub(super) fn judge(
        &mut self,
        meaning: &mut Meaning<'_>,
        answers: &mut [CheckResult],
        budget: &Budget<'_>,
    ) -> Result<(), Stop> {
        let mut properties = meaning.properties_of(self.checker.target)?;
        properties.push(SAFETY.to_owned());
        let own = answers.iter_mut().filter(|answer| properties.contains(&answer.property));
        let mut own: Vec<&mut CheckResult> = own.collect();
        self.judge_own(meaning, &mut own, budget)?;
        if !self.confirms(meaning, &own, budget)? {
            self.begin_anew(meaning, &mut own, budget)?;
        }
        let Some(rules) = self.rules.take() else { return Ok(()) };
        for answer in &mut own {
            answer.rules_reused = rules.is_reused;
            answer.rules_gone = rules.missing(&answer.property);
        }
        let of_proof = |answer: &CheckResult| {
            let mined = answer.rests_on.iter().filter(|it| it.source == Source::Mined);
            mined.map(|it| it.assumption.clone()).collect::<BTreeSet<String>>()
        };
        let proofs = own.iter().map(|answer| {
            let holds = answer.verdict == Verdict::Holds;
            (answer.property.clone(), holds.then(|| of_proof(answer)))
        });
        let proofs = proofs.collect();
        let asked = (self.checker.target, self.checker.query.window);
        rules.store(meaning, asked, self.memory, proofs);
        Ok(())
    }

    /// Whether answers are as they would be with rules that were mined now, where the rules come from a store that is not trusted:
    /// the environment keeps to those that proofs rest on, and the others are runs of the whole system. What is open
    /// might be decided by the true rules.
    fn confirms(
        &self,
        meaning: &mut Meaning<'_>,
        answers: &[&mut CheckResult],
        budget: &Budget<'_>,
    ) -> Result<bool, Stop> {
        if self.rules.as_ref().is_none_or(|rules| rules.is_certain) {
            return Ok(true);
        }
        if answers.iter().any(|answer| answer.verdict == Verdict::Unknown) {
            return Ok(false);
        }
        let proofs = answers.iter().filter(|answer| answer.verdict == Verdict::Holds);
        let reliances = proofs.flat_map(|answer| &answer.rests_on).filter(|it| it.source == Source::Mined);
        let needed: BTreeSet<Assumption> = reliances.map(Assumption::from).collect();
        for rule in &needed {
            if self.discharge(meaning, rule, budget)?.verdict != Verdict::Holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Mines the rules after all, and asks everything once more.
    fn begin_anew(
        &mut self,
        meaning: &mut Meaning<'_>,
        answers: &mut [&mut CheckResult],
        budget: &Budget<'_>,
    ) -> Result<(), Stop> {
        let asked = (self.checker.target, self.checker.query.window);
        let found = rules(meaning, asked, self.memory, false, budget)?;
        self.assumed.retain(|it| matches!(it, Assumption::Written(_)));
        self.assumed.splice(..0, found.mined.assumptions.iter().cloned());
        self.rules = Some(found);
        for answer in answers.iter_mut() {
            **answer = self.ask(meaning, &answer.property, &self.assumed, budget)?;
        }
        self.judge_own(meaning, answers, budget)
    }

    fn judge_own(
        &self,
        meaning: &mut Meaning<'_>,
        own: &mut [&mut CheckResult],
        budget: &Budget<'_>,
    ) -> Result<(), Stop> {
        let mut left = own.len();
        for answer in own {
            let share = budget.share_of_time(left + 1);
            if answer.verdict == Verdict::Unknown && self.rules.is_none() {
                self.look_for_alarm(meaning, answer, &share)?;
            }
            match answer.verdict {
                Verdict::Holds => answer.rests_on = self.needed(meaning, answer, &share)?,
                Verdict::Violated => self.explain(meaning, answer, &share)?,
                Verdict::Unknown => {}
            }
            left -= 1;
        }
        Ok(())
    }

    /// Looks for an alarm where the environment sends one event at a time, after there was too much to look at.
    fn look_for_alarm(
        &self,
        meaning: &mut Meaning<'_>,
        answer: &mut CheckResult,
        budget: &Budget<'_>,
    ) -> Result<(), Stop> {
        let Some(open) = meaning.open_components() else { return Ok(()) };
        let mut assumed = open.one_at_a_time(self.checker.target)?;
        assumed.extend(self.assumed.iter().cloned());
        let found = self.ask(meaning, &answer.property, &assumed, &patient(budget, answer.states))?;
        if found.verdict == Verdict::Violated {
            *answer = CheckResult { shortest: false, ..found };
        }
        Ok(())
    }

    /// The component under assumptions, asked about one property.
    fn ask(
        &self,
        meaning: &mut Meaning<'_>,
        property: &str,
        assumed: &[Assumption],
        budget: &Budget<'_>,
    ) -> Result<CheckResult, Stop> {
        if property == SAFETY {
            let target = meaning.alone(self.checker.target, assumed)?;
            return Ok(self.checker.safety(&target.behaviour, budget)?);
        }
        let (target, watcher) = meaning.watched_alone(self.checker.target, property, assumed)?;
        Ok(self.checker.watched(&target.behaviour, watcher, property, budget)?)
    }

    /// The position of the first of some assumptions that the run of an answer breaks.
    fn broken(
        &self,
        meaning: &mut Meaning<'_>,
        answer: &CheckResult,
        assumptions: &[Assumption],
    ) -> Result<Option<usize>, Stop> {
        let Some(open) = meaning.open_components() else { return Ok(None) };
        Ok(open.first_broken(self.checker.target, &answer.trace, assumptions)?)
    }

    /// What a property that holds rests on: no assumption can be taken away. Where that takes too long to find out, all that
    /// was assumed.
    fn needed(
        &self,
        meaning: &mut Meaning<'_>,
        answer: &CheckResult,
        budget: &Budget<'_>,
    ) -> Result<Vec<Reliance>, Stop> {
        let budget = patient(budget, answer.states);
        let mut needed: Vec<Assumption> = Vec::new();
        loop {
            let result = self.ask(meaning, &answer.property, &needed, &budget)?;
            let broken = match result.verdict {
                Verdict::Holds => break,
                Verdict::Violated => self.broken(meaning, &result, &self.assumed)?,
                Verdict::Unknown => None,
            };
            match broken {
                Some(at) if !needed.contains(&self.assumed[at]) => needed.push(self.assumed[at].clone()),
                _ => return Ok(self.assumed.iter().map(Reliance::from).collect()),
            }
        }
        for at in (0..needed.len()).rev() {
            let mut fewer = needed.clone();
            fewer.remove(at);
            if self.ask(meaning, &answer.property, &fewer, &budget)?.verdict == Verdict::Holds {
                needed = fewer;
            }
        }
        Ok(needed.iter().map(Reliance::from).collect())
    }

    /// Finds out whether an alarm is false.
    fn explain(
        &self,
        meaning: &mut Meaning<'_>,
        answer: &mut CheckResult,
        budget: &Budget<'_>,
    ) -> Result<(), Stop> {
        let patient = patient(budget, answer.states);
        let only_under = self.only_under(meaning, answer, &patient)?;
        let rules = match (&self.rules, meaning.open_components()) {
            (None, Some(open)) => match open.mine(self.checker.target, self.checker.query.window, &patient) {
                Ok(mined) => mined.assumptions,
                Err(_) => Vec::new(),
            },
            _ => Vec::new(),
        };
        let (mut assumed, mut shown) = (self.assumed.clone(), None);
        let mut alarm = answer.clone();
        while let Some(at) = self.broken(meaning, &alarm, &rules)? {
            shown.get_or_insert((alarm.clone(), rules[at].clone()));
            assumed.push(rules[at].clone());
            alarm = self.ask(meaning, &answer.property, &assumed, &patient)?;
            if alarm.verdict != Verdict::Violated {
                break;
            }
        }
        *answer = match (shown, alarm.verdict) {
            (Some((shown, rule)), Verdict::Holds | Verdict::Unknown) => {
                refuted(shown, &rule, self.checker.query.window)
            }
            _ => self.replayed(meaning, &alarm, &patient)?,
        };
        if let (Some(reason), Some(only)) = (&mut answer.reason, only_under) {
            *reason = format!("{reason}; it would hold under {only}, which is not discharged");
        }
        Ok(())
    }

    /// The assumptions that are not discharged, if the property holds under them.
    fn only_under(
        &self,
        meaning: &mut Meaning<'_>,
        answer: &CheckResult,
        budget: &Budget<'_>,
    ) -> Result<Option<String>, Stop> {
        if self.undischarged.is_empty() {
            return Ok(None);
        }
        let all: Vec<Assumption> = self.assumed.iter().chain(&self.undischarged).cloned().collect();
        let result = self.ask(meaning, &answer.property, &all, budget)?;
        let names = self.undischarged.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        Ok((result.verdict == Verdict::Holds).then_some(names))
    }

    /// Looks for an alarm that no rule refutes in the whole system.
    fn replayed(
        &self,
        meaning: &mut Meaning<'_>,
        alarm: &CheckResult,
        budget: &Budget<'_>,
    ) -> Result<CheckResult, Stop> {
        let whole = if alarm.property == SAFETY {
            self.checker.safety(&meaning.behaviour(&self.system)?.behaviour, budget)?
        } else {
            let (target, watcher) = meaning.watched_target(&self.system, &alarm.property)?;
            self.checker.watched(&target.behaviour, watcher, &alarm.property, budget)?
        };
        let open = |false_positive, why: String| CheckResult {
            verdict: Verdict::Unknown,
            violates: None,
            false_positive: Some(false_positive),
            reason: Some(why),
            ..alarm.clone()
        };
        Ok(match whole.verdict {
            Verdict::Violated => CheckResult { is_replayed: true, ..whole },
            Verdict::Holds => open(
                Some(true),
                format!(
                    "a false alarm: no run of the whole system, which has {} states, breaks it",
                    whole.states
                ),
            ),
            Verdict::Unknown => {
                let why = whole.reason.as_deref().unwrap_or("it could not be explored");
                open(None, format!("{MAY_BE_FALSE}; whether the whole system can is open: {why}"))
            }
        })
    }
}

/// An alarm that breaks a rule.
fn refuted(alarm: CheckResult, rule: &Assumption, window: Window) -> CheckResult {
    let options = match window {
        Window::One => "--environment mined",
        Window::Two => "--environment mined --window 2",
    };
    CheckResult {
        verdict: Verdict::Unknown,
        violates: None,
        false_positive: Some(Some(true)),
        rule: Some(rule.to_string()),
        reason: Some(format!("a false alarm: its environment keeps to `{rule}`; see {options}")),
        ..alarm
    }
}

/// A budget for what only explains an answer that took `states` states.
fn patient<'b>(budget: &Budget<'b>, states: usize) -> Budget<'b> {
    budget.narrowed(Limits { states: Some(PATIENCE.max(states.saturating_mul(4))), bytes: None })
}

/// Why there is no answer.
pub(super) enum Stop {
    Failure(Failure),
    Internal(Internal),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<Internal> for Stop {
    fn from(internal: Internal) -> Self {
        Self::Internal(internal)
    }
}
