//! `contract`: interface automata as contracts, combined into new ones.

use rely_base::{Budget, Diagnostic, Exhausted, Span};
use rely_interface::{
    Clash, Conflict, Consistency, Effort, Refusal, check_consistent, compose, conjoin, merge, quotient,
};
use rely_lts::{InterfaceAutomaton, Role};
use rely_model::Failure;

use crate::automata::{automaton, system, warn_of_illegal_states};
use crate::explain::NOT_COMBINABLE;
use crate::meaning::Meaning;
use crate::report::{ContractResult, ContractSize, Report, Verdict};
use crate::{Built, Internal, Project};

/// An operation on contracts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// The joint guarantee, as long as the environment keeps them from illegal states.
    Compose,
    /// The least refined contract that refines all of them.
    Conjoin,
    /// What one part has to do that all of them describe, in an environment that satisfies the assumptions of all of
    /// them.
    Merge,
    /// What is missing between a specification (the first) and a part (the second).
    Quotient,
    /// The contract of the other side.
    Mirror,
    /// Whether one part can meet all of them without ever being stuck.
    Consistent,
}

impl Operation {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Compose, Self::Conjoin, Self::Merge, Self::Quotient, Self::Mirror, Self::Consistent];

    /// The operation with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.name() == name)
    }

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Compose => "compose",
            Self::Conjoin => "conjoin",
            Self::Merge => "merge",
            Self::Quotient => "quotient",
            Self::Mirror => "mirror",
            Self::Consistent => "consistent",
        }
    }

    /// The name of its result when it is written.
    fn result(self) -> &'static str {
        match self {
            Self::Compose => "COMPOSITION",
            Self::Conjoin | Self::Consistent => "CONJUNCTION",
            Self::Merge => "MERGER",
            Self::Quotient => "QUOTIENT",
            Self::Mirror => "MIRROR",
        }
    }

    /// The minimum and the maximum number of contracts.
    pub fn arity(self) -> (usize, usize) {
        match self {
            Self::Compose => (1, usize::MAX),
            Self::Conjoin | Self::Merge | Self::Consistent => (2, usize::MAX),
            Self::Quotient => (2, 2),
            Self::Mirror => (1, 1),
        }
    }
}

/// The question: which contracts to combine, and how.
#[derive(Clone, Debug)]
pub struct ContractQuery {
    /// The operation.
    pub operation: Operation,
    /// Interface automata, or composites of them.
    pub operands: Vec<String>,
}

/// The answer, and the contract if there is one.
#[derive(Clone, Debug)]
pub struct Combined {
    /// The answer.
    pub report: Report<ContractResult>,
    /// The contract.
    pub contract: Option<Built>,
}

/// Combines contracts.
///
/// # Errors
/// A trace that could not be replayed: a mistake in the program.
pub fn contract(project: &Project, query: &ContractQuery, budget: Budget<'_>) -> Result<Combined, Internal> {
    let mut meaning = Meaning::of(project, budget);
    let found = combine(&mut meaning, query, &budget);
    // All operations except composition use a composite as one automaton.
    if query.operation != Operation::Compose && found.is_ok() {
        for name in &query.operands {
            warn_of_illegal_states(&mut meaning, name, &budget)?;
        }
    }
    let has_errors = meaning.has_errors();
    let findings = meaning.findings();
    let mut result = ContractResult {
        operation: query.operation.name().to_owned(),
        operands: query.operands.clone(),
        verdict: Verdict::Unknown,
        contract: None,
        disputed: Vec::new(),
        dead_end: None,
        reason: None,
    };
    let mut built = None;
    match found {
        _ if has_errors => {
            return Ok(Combined { report: Report::new("contract", Vec::new(), findings), contract: None });
        }
        Err(Failure::Errors) => {
            return Ok(Combined { report: Report::new("contract", Vec::new(), findings), contract: None });
        }
        Err(Failure::Exhausted(exhausted)) => result.reason = Some(exhausted.to_string()),
        Ok(Outcome::Contract(automaton)) => {
            result.verdict = Verdict::Holds;
            result.contract = Some(ContractSize::of(&automaton));
            let roles = Some(automaton.roles().to_vec());
            let target = query.operation.result().to_owned();
            built =
                Some(Built { target, lts: automaton.into_lts(), roles, states: None, findings: Vec::new() });
        }
        Ok(Outcome::None(reason)) => {
            result.verdict = Verdict::Violated;
            result.reason = Some(reason.to_owned());
        }
        Ok(Outcome::Consistency(consistency)) => {
            result.verdict = if consistency.holds() { Verdict::Holds } else { Verdict::Violated };
            result.disputed = consistency.disputed;
            result.dead_end = consistency.dead_end;
        }
    }
    Ok(Combined { report: Report::new("contract", vec![result], findings), contract: built })
}

/// The result of an operation.
enum Outcome {
    Contract(InterfaceAutomaton),
    /// There is no such contract; with the reason.
    None(&'static str),
    Consistency(Consistency),
}

fn combine(
    meaning: &mut Meaning<'_>,
    query: &ContractQuery,
    budget: &Budget<'_>,
) -> Result<Outcome, Failure> {
    let mut effort = Effort::default();
    if query.operation == Operation::Compose {
        let system = system(meaning, &query.operands, budget)?;
        let composed = compose(&system, budget, &mut effort).map_err(Failure::Exhausted)?;
        let none = "no environment keeps them from sending what cannot be taken";
        return Ok(composed.map_or(Outcome::None(none), Outcome::Contract));
    }
    let mut contracts = Vec::new();
    let mut failure = None;
    for name in &query.operands {
        // After an error in one name, the others are still checked.
        match automaton(meaning, name, budget) {
            Ok(automaton) => contracts.push(automaton),
            Err(Failure::Errors) => failure = Some(Failure::Errors),
            Err(exhausted) => return Err(exhausted),
        }
    }
    if let Some(failure) = failure {
        return Err(failure);
    }
    let all: Vec<&InterfaceAutomaton> = contracts.iter().collect();
    let outcome = match (query.operation, all.as_slice()) {
        (Operation::Mirror, [contract, ..]) => Ok(Outcome::Contract(contract.mirror())),
        (Operation::Quotient, [specification, part, ..]) => {
            let none = "no contract with the part refines the specification";
            quotient(specification, part, budget, &mut effort)
                .map(|found| found.map_or(Outcome::None(none), Outcome::Contract))
        }
        (Operation::Consistent, all) => check_consistent(all, budget).map(Outcome::Consistency),
        (Operation::Merge, all) => merge(all, budget).map(Outcome::Contract),
        (_, all) => conjoin(all, budget).map(Outcome::Contract),
    };
    outcome.map_err(|refusal| refuse(meaning, query, &refusal))
}

/// Reports why contracts cannot be combined.
fn refuse(meaning: &mut Meaning<'_>, query: &ContractQuery, refusal: &Refusal) -> Failure {
    let operands = &query.operands;
    match refusal {
        Refusal::Exhausted(exhausted) => return Failure::Exhausted(Exhausted::clone(exhausted)),
        Refusal::NotPlain(which) => {
            let name = &operands[*which];
            let message = format!(
                "`{name}` has choices: it is nondeterministic, has internal actions, or reaches ERROR"
            );
            let help = format!("`rely contract compose --operands {name}` gives a contract without choices");
            meaning.report(Diagnostic::error(NOT_COMBINABLE, Span::new(0, 0), message).with_help(help));
        }
        Refusal::Disputed(actions) => {
            for action in actions {
                let message = format!("`{action}` is an input of one operand and an output of another");
                let help = "views of one part agree on what it receives and what it sends";
                meaning.report(Diagnostic::error(NOT_COMBINABLE, Span::new(0, 0), message).with_help(help));
            }
        }
        Refusal::Conflicts(conflicts) => {
            for Conflict { action, clash, first, .. } in conflicts {
                // For a quotient, the first automaton is the part, and the second the environment of the
                // specification.
                let owner = &operands[1 - (*first).min(1)];
                let message = match clash {
                    Clash::TwoReceivers => {
                        format!(
                            "`{action}` is an input of `{}` and an output of `{}`",
                            operands[1], operands[0]
                        )
                    }
                    Clash::TwoSenders => {
                        format!(
                            "`{action}` is an output of `{}` and an input of `{}`",
                            operands[1], operands[0]
                        )
                    }
                    Clash::Internal => {
                        format!("`{action}` is internal to `{owner}`, and the other has it, too")
                    }
                };
                let help = "a part has inputs and outputs of the whole, or actions of its own";
                meaning.report(Diagnostic::error(NOT_COMBINABLE, Span::new(0, 0), message).with_help(help));
            }
        }
    }
    Failure::Errors
}

impl ContractSize {
    fn of(automaton: &InterfaceAutomaton) -> Self {
        let names = |role: Role| -> Vec<String> {
            automaton.names(role).sorted_names().into_iter().map(str::to_owned).collect()
        };
        Self {
            states: automaton.lts().proper_state_count(),
            transitions: automaton.lts().transition_count(),
            inputs: names(Role::Input),
            outputs: names(Role::Output),
        }
    }
}
