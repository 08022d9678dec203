//! `compatible`: whether interface automata take what they send to each other.

use std::collections::BTreeSet;
use std::fmt;

use rely_base::{Budget, Id, Limits};
use rely_certificate::Certificate;
use rely_decide::Verdict as Decided;
use rely_interface::{
    Blame, Compatibility, Effort, Environment, Question, System, check_compatible, environment,
};
use rely_lts::{Network, Role};
use rely_model::Failure;
use serde::Deserialize;

use crate::automata::{enabled, system};
use crate::check::list;
use crate::doubts::near_misses;
use crate::meaning::Meaning;
use crate::report::{AssumptionSize, Avoid, CompatibleResult, Illegal, Report, TraceStep, Verdict};
use crate::subject::{Subject, Wanted};
use crate::{Built, Internal, Project};

/// The question: which automata are to be compatible, and in which sense.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct CompatibleQuery {
    /// Interface automata, or composites of them, which stand for their parts.
    pub components: Vec<String>,
    /// Whether an automaton may take internal steps before it takes what is sent to it.
    pub weak: bool,
    /// Whether an open system has to be compatible in every environment that keeps to its inputs, and not only in
    /// some.
    pub every_environment: bool,
    /// Whether the most permissive environment of an open system is to be built.
    pub environment: bool,
    /// Whether to make evidence if the answer is yes.
    pub certify: bool,
}

/// The answer, and the environment if it was asked for.
#[derive(Clone, Debug)]
pub struct Matched {
    /// The answer.
    pub report: Report<CompatibleResult>,
    /// The most permissive environment, called `ENVIRONMENT`.
    pub environment: Option<Built>,
    /// The evidence if the answer is yes and it was asked for.
    pub certificate: Certificate,
}

impl CompatibleQuery {
    /// The question as it appears in a certificate.
    fn subject(&self) -> Subject {
        Subject {
            names: self.components.clone(),
            wanted: Wanted::Compatible,
            every_environment: self.every_environment,
            weak: self.weak,
        }
    }
}

/// Checks whether some component sends what another cannot take.
///
/// # Errors
/// A trace that could not be replayed: a mistake in the program.
pub fn compatible(
    project: &Project,
    query: &CompatibleQuery,
    budget: Budget<'_>,
) -> Result<Matched, Internal> {
    let mut meaning = Meaning::of(project, budget);
    let system = system(&mut meaning, &query.components, &budget);
    let has_errors = meaning.has_errors();
    let findings = meaning.findings();
    let mut result = CompatibleResult::blank(query);
    let mut environment = None;
    let mut claims = Vec::new();
    match system {
        Err(Failure::Exhausted(exhausted)) if !has_errors => {
            (result.states, result.transitions) = (exhausted.states, exhausted.transitions);
            result.reason = Some(exhausted.to_string());
        }
        Ok(system) if !has_errors => {
            result.open = !system.is_closed();
            result.inputs = owned(&system.actions(Role::Input));
            result.outputs = owned(&system.actions(Role::Output));
            result.warnings = near_misses(&result.outputs, &result.inputs);
            let answer = check_compatible(&system, query.subject().question(), &budget)?;
            result.tell(&system, &answer);
            if query.certify && result.verdict == Verdict::Holds {
                match query.subject().claim_on_the_product(&answer.network, &budget) {
                    Ok(claim) => claims.push(claim),
                    Err(exhausted) => result.reason = Some(format!("there is no certificate: {exhausted}")),
                }
            }
            if result.open && result.verdict == Verdict::Holds {
                result.warn(&system, query, &budget)?;
                if result.avoid.is_some() {
                    result.tell_how_little_may_be_sent(&system, query, &budget);
                }
                if query.environment {
                    environment = result.environment(&system, query, &budget);
                }
            }
        }
        _ => {
            let report = Report::new("compatible", Vec::new(), findings);
            return Ok(Matched { report, environment, certificate: Certificate::new(claims) });
        }
    }
    let report = Report::new("compatible", vec![result], findings);
    Ok(Matched { report, environment, certificate: Certificate::new(claims) })
}

impl CompatibleResult {
    fn blank(query: &CompatibleQuery) -> Self {
        Self {
            components: query.components.clone(),
            open: false,
            verdict: Verdict::Unknown,
            trace: Vec::new(),
            illegal: None,
            inputs: Vec::new(),
            outputs: Vec::new(),
            every_environment: query.every_environment,
            weak: query.weak,
            steps: Vec::new(),
            parts: Vec::new(),
            avoid: None,
            may_send: None,
            warnings: Vec::new(),
            environment: None,
            reason: None,
            states: 0,
            transitions: 0,
        }
    }

    fn tell(&mut self, system: &System, answer: &Compatibility) {
        self.states = answer.decision.explored.states;
        self.transitions = answer.decision.explored.transitions;
        match &answer.decision.verdict {
            Decided::Holds(_) => self.verdict = Verdict::Holds,
            Decided::Violated(run) => {
                self.verdict = Verdict::Violated;
                self.trace = run.trace_names().into_iter().map(str::to_owned).collect();
                self.steps = run.trace.iter().map(TraceStep::of).collect();
                self.parts = names(&answer.network);
                self.illegal = answer.blame.as_ref().map(|blame| Illegal::of(system, blame));
                if self.illegal.is_none() {
                    self.reason = Some("a part reaches its own error state".to_owned());
                }
            }
            Decided::Unknown(reason) => self.reason = Some(reason.to_string()),
        }
    }

    /// Shows what an environment has to avoid, if it can go wrong. If a limit is met, nothing is shown.
    fn warn(
        &mut self,
        system: &System,
        query: &CompatibleQuery,
        budget: &Budget<'_>,
    ) -> Result<(), Internal> {
        if query.every_environment {
            return Ok(());
        }
        let question = Question { environment: Environment::Arbitrary, ..query.subject().question() };
        let answer = check_compatible(system, question, budget)?;
        if let (Some(run), Some(blame)) = (answer.decision.verdict.counterexample(), &answer.blame) {
            self.parts = names(&answer.network);
            self.avoid = Some(Avoid {
                trace: run.trace_names().into_iter().map(str::to_owned).collect(),
                steps: run.trace.iter().map(TraceStep::of).collect(),
                illegal: Illegal::of(system, blame),
            });
        }
        Ok(())
    }

    /// Warns if no environment that keeps the components compatible ever sends some input, or anything at all. There
    /// is no warning if the most permissive environment is too large to compute.
    fn tell_how_little_may_be_sent(&mut self, system: &System, query: &CompatibleQuery, budget: &Budget<'_>) {
        const LARGE: Limits = Limits { states: Some(100_000), bytes: Some(256 << 20) };
        let receptiveness = query.subject().question().receptiveness;
        let found = environment(system, receptiveness, &budget.narrowed(LARGE), &mut Effort::default());
        let Ok(Some(permissive)) = found else { return };
        let taken: BTreeSet<&str> = permissive
            .lts()
            .transitions()
            .map(|step| permissive.lts().alphabet().label_name(step.label))
            .collect();
        let (may, never): (Vec<String>, Vec<String>) =
            self.inputs.iter().cloned().partition(|input| taken.contains(input.as_str()));
        if never.is_empty() {
            return;
        }
        let never = list(&never);
        self.warnings.push(match (taken.is_empty(), may.is_empty()) {
            (true, _) => format!("the environment must never do anything: it must not send {never}, ever"),
            (false, true) => format!("the environment must never send anything: not {never}, ever"),
            (false, false) => {
                format!("the environment must never send {never}; at most it may send {}", list(&may))
            }
        });
        self.may_send = Some(may);
    }

    /// The most permissive environment.
    fn environment(
        &mut self,
        system: &System,
        query: &CompatibleQuery,
        budget: &Budget<'_>,
    ) -> Option<Built> {
        match environment(system, query.subject().question().receptiveness, budget, &mut Effort::default()) {
            Ok(found) => {
                let automaton = found?;
                let roles = Some(automaton.roles().to_vec());
                let lts = automaton.into_lts();
                self.environment = Some(AssumptionSize {
                    states: lts.proper_state_count(),
                    transitions: lts.transition_count(),
                    alphabet: owned(&lts.alphabet().sorted_names()),
                });
                Some(Built {
                    target: "ENVIRONMENT".to_owned(),
                    lts,
                    roles,
                    states: None,
                    findings: Vec::new(),
                })
            }
            Err(exhausted) => {
                self.reason = Some(exhausted.to_string());
                None
            }
        }
    }
}

fn names(network: &Network) -> Vec<String> {
    network.components().iter().map(|component| component.name.clone()).collect()
}

impl Illegal {
    pub(crate) fn of(system: &System, blame: &Blame) -> Self {
        let (sender, from) = blame.sender;
        let (receiver, to) = blame.receiver;
        let parts = system.parts();
        Self {
            action: blame.action.clone(),
            sender: parts[sender].name.clone(),
            receiver: parts[receiver].name.clone(),
            sender_state: from.index(),
            receiver_state: to.index(),
            accepted: enabled(&parts[receiver].automaton, to, Role::Input),
        }
    }
}

/// Which component sent what, which one could not take it, and in which states.
impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { action, sender, receiver, sender_state, receiver_state, accepted } = self;
        let instead = match &**accepted {
            [] => "nothing".to_owned(),
            actions => format!("{} only", actions.join(", ")),
        };
        write!(f, "{sender} sends {action}! in its state {sender_state}, and {receiver} cannot take it ")?;
        write!(f, "in its state {receiver_state}: there it takes {instead}")
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}
