//! `refines`: whether an interface automaton can take the place of another.

use std::fmt;

use rely_base::{Budget, Exhausted, Id};
use rely_certificate::{self as certificate, Certificate, Claim, Rejection};
use rely_interface::{
    Failure as Why, Method, Offence, Refinement, Refutation, check_refinement, simulation_evidence,
};
use rely_lts::{InterfaceAutomaton, Role};
use rely_model::Failure;
use serde::Deserialize;

use crate::automata::{automaton, enabled, warn_of_illegal_states};
use crate::meaning::Meaning;
use crate::report::{RefinementMethod, RefinementMove, RefinesResult, Report, Verdict};
use crate::{Internal, Project};

/// The question: which automaton is to refine which.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
pub struct RefinesQuery {
    /// The one that takes the place of the other.
    pub implementation: String,
    /// The other.
    pub specification: String,
    /// Whether to make evidence if the answer is yes.
    #[serde(default)]
    pub certify: bool,
}

/// The answer, and its evidence.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The answer.
    pub report: Report<RefinesResult>,
    /// The evidence, if the answer is yes and it was asked for.
    pub certificate: Certificate,
}

impl Compared {
    fn without_evidence(report: Report<RefinesResult>) -> Self {
        Self { report, certificate: Certificate::new(Vec::new()) }
    }
}

/// Checks whether the implementation accepts at least the inputs of the specification, and sends at most its outputs.
///
/// # Errors
/// A trace that could not be replayed: a mistake in the program.
pub fn refines(project: &Project, query: &RefinesQuery, budget: Budget<'_>) -> Result<Compared, Internal> {
    let mut meaning = Meaning::of(project, budget);
    // Both are elaborated, so that the errors of both are reported.
    let implementation = automaton(&mut meaning, &query.implementation, &budget);
    let specification = automaton(&mut meaning, &query.specification, &budget);
    if meaning.has_errors() {
        return Ok(Compared::without_evidence(Report::new("refines", Vec::new(), meaning.findings())));
    }
    for name in [&query.implementation, &query.specification] {
        warn_of_illegal_states(&mut meaning, name, &budget)?;
    }
    let findings = meaning.findings();
    let mut result = RefinesResult::blank(query);
    let mut claims = Vec::new();
    match (implementation, specification) {
        (Ok(implementation), Ok(specification)) => {
            let (refinement, method, explored) = check_refinement(&implementation, &specification, &budget)?;
            result.states = explored.states;
            result.method = Some(RefinementMethod::of(method));
            result.tell(&refinement, &implementation, &specification);
            if query.certify && refinement.holds() {
                match Replacement::of(query).claim(&implementation, &specification, &budget) {
                    Ok(claim) => claims.extend(claim),
                    Err(exhausted) => result.reason = Some(format!("there is no certificate: {exhausted}")),
                }
            }
        }
        (Err(Failure::Exhausted(exhausted)), _) | (_, Err(Failure::Exhausted(exhausted))) => {
            result.states = exhausted.states;
            result.reason = Some(exhausted.to_string());
        }
        (Err(Failure::Errors), _) | (_, Err(Failure::Errors)) => {
            return Ok(Compared::without_evidence(Report::new("refines", Vec::new(), findings)));
        }
    }
    let report = Report::new("refines", vec![result], findings);
    Ok(Compared { report, certificate: Certificate::new(claims) })
}

/// The question as it appears in a certificate, such as `ENV: in place of E_GOOD`. It differs from `ENV: refines
/// E_GOOD` ([`crate::subject`]), which is about the parts of a system and what they send to each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Replacement {
    pub(crate) implementation: String,
    pub(crate) specification: String,
}

const IN_PLACE_OF: &str = ": in place of ";

impl fmt::Display for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{IN_PLACE_OF}{}", self.implementation, self.specification)
    }
}

impl Replacement {
    fn of(query: &RefinesQuery) -> Self {
        Self { implementation: query.implementation.clone(), specification: query.specification.clone() }
    }

    /// The question that a text states; `None` if the text is another question, or the name of a target.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (implementation, rest) = text.split_once(IN_PLACE_OF)?;
        Some(Self { implementation: implementation.to_owned(), specification: rest.to_owned() })
    }

    /// The text of the question, without the name of the implementation.
    pub(crate) fn what(&self) -> String {
        format!("in place of {}", self.specification)
    }

    fn refinement<'a>(
        &'a self,
        implementation: &'a InterfaceAutomaton,
        specification: &'a InterfaceAutomaton,
    ) -> certificate::Refinement<'a> {
        certificate::Refinement {
            implementation: (&self.implementation, implementation),
            specification: (&self.specification, specification),
        }
    }

    /// The claim that the answer is yes; `None` if it is not.
    fn claim(
        &self,
        implementation: &InterfaceAutomaton,
        specification: &InterfaceAutomaton,
        budget: &Budget<'_>,
    ) -> Result<Option<Claim>, Exhausted> {
        let refinement = self.refinement(implementation, specification);
        let evidence = simulation_evidence(&refinement, budget)?;
        Ok(evidence.map(|evidence| refinement.claim(&self.to_string(), evidence)))
    }

    /// Why a claim is not accepted; `None` if it is.
    pub(crate) fn judge(
        &self,
        claim: &Claim,
        project: &Project,
        budget: &Budget<'_>,
    ) -> Result<Option<String>, Exhausted> {
        let mut meaning = Meaning::of(project, *budget);
        let read =
            [&self.implementation, &self.specification].map(|name| automaton(&mut meaning, name, budget));
        let [implementation, specification] = match read {
            [Ok(implementation), Ok(specification)] if !meaning.has_errors() => {
                [implementation, specification]
            }
            [Err(Failure::Exhausted(exhausted)), _] | [_, Err(Failure::Exhausted(exhausted))] => {
                return Err(exhausted);
            }
            _ => return Ok(Some(format!("the file has no interface automata of which one can ask: {self}"))),
        };
        let refinement = self.refinement(&implementation, &specification);
        match certificate::check_refinement(claim, &refinement, budget) {
            Ok(()) => Ok(None),
            Err(Rejection::Exhausted(exhausted)) => Err(exhausted),
            Err(rejection) => Ok(Some(rejection.to_string())),
        }
    }
}

impl RefinesResult {
    fn blank(query: &RefinesQuery) -> Self {
        Self {
            implementation: query.implementation.clone(),
            specification: query.specification.clone(),
            verdict: Verdict::Unknown,
            trace: Vec::new(),
            reason: None,
            mismatches: Vec::new(),
            moves: Vec::new(),
            method: None,
            states: 0,
        }
    }

    fn tell(
        &mut self,
        refinement: &Refinement,
        implementation: &InterfaceAutomaton,
        specification: &InterfaceAutomaton,
    ) {
        match refinement {
            Refinement::Refines => self.verdict = Verdict::Holds,
            Refinement::Unknown(exhausted) => self.reason = Some(exhausted.to_string()),
            Refinement::Fails(why) => {
                self.verdict = Verdict::Violated;
                match &**why {
                    Why::Signature(mismatches) => {
                        self.mismatches = mismatches.iter().map(ToString::to_string).collect();
                        self.reason = Some(self.mismatches.join("; "));
                    }
                    Why::Behaviour(refutation) => {
                        self.show(refutation);
                        self.reason = Some(self.blame(refutation, implementation, specification));
                    }
                }
            }
        }
    }

    fn show(&mut self, refutation: &Refutation) {
        self.moves = refutation
            .moves
            .iter()
            .map(|step| RefinementMove {
                action: step.action.clone(),
                role: step.role.mark(),
                implementation: step.implementation.index(),
                specification: step.specification.index(),
                answers: step.answers,
            })
            .collect();
        self.trace = self.moves.iter().map(|step| step.action.clone()).collect();
        self.trace.push(refutation.action.clone());
    }

    /// Which side moved, and which action was not offered.
    fn blame(
        &self,
        refutation: &Refutation,
        implementation: &InterfaceAutomaton,
        specification: &InterfaceAutomaton,
    ) -> String {
        let Refutation { action, offence, implementation: here, specification: there, .. } = refutation;
        let (one, other) = (&self.implementation, &self.specification);
        match offence {
            Offence::InputRefused => {
                let accepted = offered(&enabled(implementation, *here, Role::Input), "takes");
                format!(
                    "{other} takes {action}? in its state {}, and {one} does not in its state {}: there it {accepted}",
                    there.index(),
                    here.index()
                )
            }
            Offence::OutputNotAllowed => {
                let allowed = offered(&enabled(specification, *there, Role::Output), "sends");
                format!(
                    "{one} sends {action}! in its state {}, and {other} does not in its state {}: there it {allowed}",
                    here.index(),
                    there.index()
                )
            }
        }
    }
}

/// A clause about the actions that one side takes or sends.
fn offered(actions: &[String], verb: &str) -> String {
    match actions {
        [] => format!("{verb} nothing"),
        some => format!("{verb} {} only", some.join(", ")),
    }
}

impl RefinementMethod {
    fn of(method: Method) -> Self {
        match method {
            Method::Signature => Self::Signature,
            Method::Reachability => Self::Reachability,
            Method::Game => Self::Game,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_read_as_they_are_written() {
        let (implementation, specification) = ("a.1:ENV".to_owned(), "E_GOOD".to_owned());
        let replacement = Replacement { implementation, specification };
        assert_eq!(Replacement::parse(&replacement.to_string()), Some(replacement.clone()), "{replacement}");
        assert_eq!(crate::subject::Subject::parse(&replacement.to_string()), None, "{replacement}");
        assert_eq!(Replacement::parse("SYSTEM: refines SPEC"), None);
    }
}
