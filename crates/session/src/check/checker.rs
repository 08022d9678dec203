//! Asking the questions about one target, each in one search, and telling what was found.

use std::cell::OnceCell;

use rely_base::{Budget, Id, Limits};
use rely_decide::{self as decide, Decision};
use rely_lts::{Behaviour, Component, ComponentId, Observation};
use rely_omega::{Assertion, Commitment, Scheduling};

use super::CheckQuery;
use super::asked::Declared;
use super::inquest::{Known, Question};
use super::spin::Spin;
use super::words::{formula, show, vacuous_premises, warning};
use crate::Internal;
use crate::explanation::exercised;
use crate::parts::ids;
use crate::report::{CheckResult, CoverageResult, Fairness, Kind, Verdict};
use crate::states::StateNaming;

/// What is said of a violation of fair choice that has no probability.
const HOLDS_AT_RANDOM: &str = "if choices are made at random, it holds almost surely: see --fairness random";

/// The least number of states to look at for an assertion when something else has been found to be violated.
pub(super) const PATIENCE: usize = decide::Inquiry::USUAL.patience;

/// The most states of a product for which it is looked whether assumptions are needed.
const SMALL: usize = 5_000;

/// Checks one target.
#[derive(Clone, Copy)]
pub(super) struct Checker<'a> {
    pub(super) query: &'a CheckQuery,
    pub(super) declared: &'a Declared,
    /// Properties that are asked for beyond the query.
    pub(super) also: &'a [String],
    /// See [`PATIENCE`].
    pub(super) patience: usize,
    /// The name of the target.
    pub(super) target: &'a str,
    /// The names of the states, once the target is there.
    pub(super) states: &'a OnceCell<StateNaming>,
    /// Who runs SPIN, if SPIN is to be asked what fails.
    pub(super) spin: Option<&'a dyn Spin>,
}

impl Checker<'_> {
    /// The questions, in the order of their answers.
    pub(super) fn questions(&self) -> Vec<Question> {
        let (deadlock, safety) = (self.query.wants_kind("deadlock"), self.query.wants_kind("safety"));
        let reachability = (deadlock || safety).then_some(Question::Reachability { deadlock, safety });
        let progress = match self.declared.no_progress {
            true => self.asks_for("progress"),
            false => !self.declared.progress.is_empty(),
        };
        let properties = (0..self.declared.properties.len()).map(Question::Property);
        let assertions = (0..self.declared.assertions.len()).map(Question::Assertion);
        let divergence = self.asks_for("divergence").then_some(Question::Divergence);
        let first = reachability.into_iter().chain(properties).chain(progress.then_some(Question::Progress));
        first.chain(assertions).chain(divergence).collect()
    }

    /// Which runs assertions speak of.
    pub(super) fn fairness(&self) -> Fairness {
        self.query.fairness.unwrap_or_default()
    }

    /// Asks a question about a behaviour.
    pub(super) fn ask(
        &self,
        behaviour: &Behaviour,
        question: Question,
        known: &mut Known,
        budget: &Budget<'_>,
    ) -> Result<Vec<CheckResult>, Internal> {
        match question {
            Question::Reachability { deadlock, safety } => {
                self.reachability(behaviour, self.inquiry(deadlock, safety), known, budget)
            }
            Question::Property(number) => {
                Ok(vec![self.property(behaviour, &self.declared.properties[number], budget)?])
            }
            // These need more than the behaviour: see `Checker::watched` and `Checker::commitment`.
            Question::Declared(_) | Question::Commitment(_) => Ok(Vec::new()),
            Question::Progress => self.progress(behaviour, known, budget),
            Question::Assertion(number) => {
                Ok(vec![self.assertion(behaviour, &self.declared.assertions[number], known, budget)?])
            }
            Question::Divergence => {
                let decision = decide::check_divergence(behaviour, budget)?;
                Ok(vec![self.result(behaviour, Kind::Divergence, "divergence", decision)])
            }
        }
    }

    /// Whether a kind is asked for that is not checked otherwise.
    fn asks_for(&self, kind: &str) -> bool {
        self.query.asks_for(kind) || self.also.iter().any(|word| word == kind)
    }

    /// How deadlocks and errors are looked for, as far as they are.
    fn inquiry(&self, deadlock: bool, safety: bool) -> decide::Inquiry {
        let mut inquiry = match self.query.no_reduction {
            true => decide::Inquiry::ALL_STATES,
            false => decide::Inquiry::USUAL,
        };
        (inquiry.deadlock, inquiry.safety) = (deadlock, safety);
        inquiry
    }

    fn reachability(
        &self,
        behaviour: &Behaviour,
        inquiry: decide::Inquiry,
        known: &mut Known,
        budget: &Budget<'_>,
    ) -> Result<Vec<CheckResult>, Internal> {
        if inquiry.safety && self.spin.is_some() {
            let mut results = match inquiry.deadlock {
                true => self.reachability(behaviour, self.inquiry(true, false), known, budget)?,
                false => Vec::new(),
            };
            if let Some(safety) = self.by_spin(behaviour, None, "safety", budget)? {
                results.push(safety);
                return Ok(results);
            }
        }
        let found = inquiry.check(behaviour, budget)?;
        known.note(&found);
        let mut results = Vec::new();
        if inquiry.deadlock {
            let mut result = self.result(behaviour, Kind::Deadlock, "deadlock", found.deadlock);
            if found.can_fail {
                // A component may move in the step into the error alone.
                result.warnings.clear();
            }
            results.push(result);
        }
        if inquiry.safety {
            let mut result = self.result(behaviour, Kind::Safety, "safety", found.safety);
            if self.query.coverage {
                result.coverage = self.coverage(behaviour, budget)?;
            }
            results.push(result);
        }
        results.iter_mut().for_each(|result| result.bytes = Some(found.bytes));
        Ok(results)
    }

    /// Whether a property process that watches the behaviour from outside is ever broken. What fails in the behaviour itself is
    /// not the question, but ends a run.
    fn property(
        &self,
        behaviour: &Behaviour,
        property: &Component,
        budget: &Budget<'_>,
    ) -> Result<CheckResult, Internal> {
        let can_fail = can_fail(behaviour);
        let (behaviour, watcher) = behaviour.clone().watched_by(property.clone());
        if can_fail {
            return self.watched(&behaviour, watcher, &property.name, budget);
        }
        let decision = self.inquiry(false, true).check(&behaviour, budget)?.safety;
        Ok(self.result(&behaviour, Kind::Safety, &property.name, decision))
    }

    /// Whether the part of a behaviour that watches it for a property ever fails.
    pub(super) fn watched(
        &self,
        behaviour: &Behaviour,
        watcher: ComponentId,
        name: &str,
        budget: &Budget<'_>,
    ) -> Result<CheckResult, Internal> {
        let decision = decide::check_observer(behaviour, watcher, budget)?;
        Ok(self.result(behaviour, Kind::Safety, name, decision))
    }

    /// Whether anything fails in a behaviour.
    pub(super) fn safety(&self, behaviour: &Behaviour, budget: &Budget<'_>) -> Result<CheckResult, Internal> {
        let decision = self.inquiry(false, true).check(behaviour, budget)?.safety;
        Ok(self.result(behaviour, Kind::Safety, "safety", decision))
    }

    /// Whether a program keeps a commitment.
    pub(super) fn commitment(
        &self,
        behaviour: &Behaviour,
        (commitment, scheduling): (&Commitment<Observation>, &Scheduling),
        budget: &Budget<'_>,
    ) -> Result<CheckResult, Internal> {
        let kind = match commitment.name.as_str() {
            "deadlock" => Kind::Deadlock,
            "safety" | "lost" => Kind::Safety,
            _ => Kind::Ltl,
        };
        let Some(program) = behaviour.to_program() else { return Ok(self.blank(kind, &commitment.name)) };
        let program = program.as_ref();
        let decision = decide::check_commitment(program, commitment, scheduling, budget)?;
        let holds = decision.verdict.holds();
        let cut = match &decision.verdict {
            decide::Verdict::Unknown(decide::Unknown::Cut(unit)) => Some(*unit),
            _ => None,
        };
        let mut result = self.result(behaviour, kind, &commitment.name, decision);
        result.fairness =
            Some(Fairness::from(scheduling.justice)).filter(|it| *it != Fairness::Weak && kind == Kind::Ltl);
        result.is_commitment = true;
        // Fairness is about processes here, and a run that is not fair to them is never shown.
        result.fair = true;
        if result.verdict == Verdict::Violated && kind == Kind::Ltl {
            result.formula = Some(commitment.text());
        }
        result.assuming = commitment.assuming.iter().map(|it| commitment.show(it)).collect();
        if let Some(unit) = cut {
            let queue = format!("queue of {}", behaviour.part_names()[unit.index()]);
            result.reason = Some(format!(
                "bounded: some runs overflow the {queue}: enlarge it; all others are as they should be"
            ));
            result.bounded = Some(queue);
        }
        if holds && kind == Kind::Ltl && result.states <= SMALL && !commitment.assuming.is_empty() {
            let most = Limits { states: Some(4 * SMALL), bytes: None };
            let unneeded =
                decide::unneeded_assumptions(program, commitment, scheduling, &budget.narrowed(most))?;
            result.unneeded = unneeded.into_iter().map(|number| result.assuming[number].clone()).collect();
        }
        Ok(result)
    }

    fn assertion(
        &self,
        behaviour: &Behaviour,
        assertion: &Assertion,
        known: &Known,
        whole: &Budget<'_>,
    ) -> Result<CheckResult, Internal> {
        let budget = self.budget_after(known, whole);
        let mut outcome = decide::check_ltl(behaviour, assertion, self.fairness().of_choices(), &budget)?;
        if budget.max_states() < whole.max_states() {
            outcome.decision.give_up();
        }
        let warnings = vacuous_premises(assertion, &outcome.decision);
        let mut result = self.result(behaviour, Kind::Ltl, &assertion.name, outcome.decision);
        result.warnings = warnings;
        result.holds_at_random = outcome.holds_at_random;
        if outcome.holds_at_random {
            result.reason = Some(HOLDS_AT_RANDOM.to_owned());
        }
        if result.verdict == Verdict::Violated {
            result.formula = Some(formula(assertion));
        }
        if let Some(open) = &outcome.open {
            result.reason = Some(open.to_string());
        }
        Ok(result)
    }

    /// Whether a result of reduced components may be another one for the components as they are written.
    ///
    /// Fair choice is about states. A fair run is fair still where states that do the same are made one, so what holds
    /// there holds. But a run that is fair there may always make the same choice in one of two states that do the same:
    /// then there may be no such run of the components as they are written.
    pub(super) fn depends_on_states(&self, result: &CheckResult) -> bool {
        result.kind == Kind::Ltl && self.fairness() == Fairness::Choice && !result.cycle.is_empty()
    }

    /// The budget for an assertion. Where a violation is known, the target has to be mended anyway, and the search is given
    /// up after several times the states that it took, as it is for deadlocks and errors in one search.
    fn budget_after<'b>(&self, known: &Known, budget: &Budget<'b>) -> Budget<'b> {
        let Some(states) = known.violated_after else { return *budget };
        let most = self.patience.max(states.saturating_mul(4));
        budget.narrowed(Limits { states: Some(most), bytes: None })
    }

    /// What is exercised; whatever can fail is a property. Nothing for a program, whose units have no states of their own.
    fn coverage(
        &self,
        behaviour: &Behaviour,
        budget: &Budget<'_>,
    ) -> Result<Option<CoverageResult>, Internal> {
        let Some(network) = behaviour.as_network() else { return Ok(None) };
        let can_fail = |id: &ComponentId| network.components()[id.index()].lts.error().is_some();
        let properties: Vec<ComponentId> = ids(network).filter(can_fail).collect();
        exercised(network, &properties, budget).map(Some)
    }

    /// Progress. Where an error is reachable it is looked for with a bounded effort, unless a property is asked for by name.
    fn progress(
        &self,
        behaviour: &Behaviour,
        known: &mut Known,
        budget: &Budget<'_>,
    ) -> Result<Vec<CheckResult>, Internal> {
        let declared = &self.declared.progress;
        let in_all_states =
            self.query.no_reduction || declared.iter().any(|property| self.query.names(&property.name));
        let error = if in_all_states { None } else { self.reachable_error(behaviour, known, budget)? };
        let inquiry =
            error.map_or(decide::ProgressInquiry::ALL_STATES, decide::ProgressInquiry::beside_error);
        if self.declared.no_progress {
            let decision = inquiry.check_every_action(behaviour, budget)?;
            return Ok(vec![self.progress_result(behaviour, "progress", "--no-reduction", decision)]);
        }
        let decisions = inquiry.check(behaviour, declared, budget)?;
        let mut results = Vec::new();
        for (property, decision) in declared.iter().zip(decisions) {
            let advice = format!("--only {}", property.name);
            results.push(self.progress_result(behaviour, &property.name, &advice, decision));
        }
        Ok(results)
    }

    /// A result, with the advice how to have all states looked at where some were.
    fn progress_result(
        &self,
        behaviour: &Behaviour,
        name: &str,
        advice: &str,
        decision: Decision,
    ) -> CheckResult {
        let is_given_up = decision.verdict == decide::Verdict::Unknown(decide::Unknown::GivenUpBesideError);
        let mut result = self.result(behaviour, Kind::Progress, name, decision);
        if let Some(reason) = result.reason.as_mut().filter(|_| is_given_up) {
            reason.push_str(&format!("; `{advice}` looks at all states"));
        }
        result
    }

    /// What was explored until an error was found, if one is reachable. If safety was not asked about, it is now: that takes
    /// less than looking at all states for progress.
    fn reachable_error(
        &self,
        behaviour: &Behaviour,
        known: &mut Known,
        budget: &Budget<'_>,
    ) -> Result<Option<decide::Explored>, Internal> {
        if can_fail(behaviour) && !known.is_settled() {
            known.note(&self.inquiry(false, true).check(behaviour, budget)?);
        }
        Ok(known.error)
    }

    /// The answers when a part of the target could not even be built.
    pub(super) fn unknown(&self, reason: &str) -> Vec<CheckResult> {
        let always = [(Kind::Deadlock, "deadlock"), (Kind::Safety, "safety")];
        let mut questions: Vec<(Kind, &str)> =
            always.into_iter().filter(|(_, name)| self.query.wants_kind(name)).collect();
        questions.extend(self.declared.properties.iter().map(|property| (Kind::Safety, &*property.name)));
        questions.extend(self.declared.progress.iter().map(|property| (Kind::Progress, &*property.name)));
        questions.extend(self.declared.assertions.iter().map(|assertion| (Kind::Ltl, &*assertion.name)));
        if questions.is_empty() {
            // What was asked for is not known, but that there is no answer has to be said.
            questions.extend(always);
        }
        let unknown = |(kind, name): (Kind, &str)| {
            let reason = format!("a part that has to be built first: {reason}");
            CheckResult { verdict: Verdict::Unknown, reason: Some(reason), ..self.blank(kind, name) }
        };
        questions.into_iter().map(unknown).collect()
    }

    pub(super) fn blank(&self, kind: Kind, property: &str) -> CheckResult {
        CheckResult {
            target: self.target.to_owned(),
            property: property.to_owned(),
            kind,
            verdict: Verdict::Holds,
            expected: None,
            violates: None,
            trace: Vec::new(),
            shortest: true,
            cycle: Vec::new(),
            fairness: self.fairness().unless_usual(kind),
            fair: true,
            holds_at_random: false,
            steps: Vec::new(),
            cycle_steps: Vec::new(),
            components: Vec::new(),
            cause: None,
            more_traces: Vec::new(),
            no_more_traces: false,
            reason: None,
            is_assumption: false,
            rests_on: Vec::new(),
            rules_reused: false,
            rules_gone: Vec::new(),
            false_positive: None,
            rule: None,
            is_replayed: false,
            warnings: Vec::new(),
            engine: None,
            feasible: None,
            flow: None,
            assuming: Vec::new(),
            unneeded: Vec::new(),
            bounded: None,
            coverage: None,
            states: 0,
            transitions: 0,
            equivalent_states_merged: false,
            growth: None,
            formula: None,
            met_limit: false,
            is_final: false,
            bytes: None,
            is_commitment: false,
            by_parts: None,
        }
    }

    /// Whether it is said of a process that it is a property which is never active.
    fn is_about_a_process(&self, behaviour: &Behaviour, vacuity: &decide::Vacuity) -> bool {
        let (decide::Vacuity::PropertyNeverActive(id), Some(network)) = (vacuity, behaviour.as_network())
        else {
            return false;
        };
        let naming = self.states.get();
        naming.is_some_and(|naming| naming.is_process(&network.components()[id.index()].lts))
    }

    pub(super) fn result(
        &self,
        behaviour: &Behaviour,
        kind: Kind,
        property: &str,
        decision: Decision,
    ) -> CheckResult {
        let mut result = self.blank(kind, property);
        result.states = decision.explored.states;
        result.transitions = decision.explored.transitions;
        match decision.verdict {
            decide::Verdict::Holds(evidence) => {
                result.is_final = true;
                result.warnings = evidence
                    .vacuity
                    .iter()
                    .filter(|vacuity| !self.is_about_a_process(behaviour, vacuity))
                    .filter_map(|vacuity| warning(behaviour.view(), kind, vacuity))
                    .collect();
            }
            decide::Verdict::Violated(counterexample) => {
                result.verdict = Verdict::Violated;
                show(behaviour, *counterexample, self.states.get_or_init(StateNaming::default), &mut result);
            }
            decide::Verdict::Unknown(reason) => {
                result.verdict = Verdict::Unknown;
                result.met_limit = matches!(reason, decide::Unknown::Limit(_));
                result.is_final = kind == Kind::Progress && reason == decide::Unknown::ErrorReachable;
                result.reason = Some(reason.to_string());
            }
        }
        result
    }
}

/// Whether a part may fail: if not, no error is reachable.
pub(super) fn can_fail(behaviour: &Behaviour) -> bool {
    match behaviour {
        Behaviour::Network(network) => {
            network.components().iter().any(|component| component.lts.error().is_some())
        }
        // A unit may do what has no meaning, such as dividing by zero.
        Behaviour::Program(_) => true,
    }
}
