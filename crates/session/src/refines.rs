//! `refines`: whether an interface automaton can take the place of another.

use rely_base::{Budget, Id};
use rely_fsp::Failure;
use rely_interface::{Closure, Failure as Why, Method, Offence, Refinement, Refutation, check_refinement};
use rely_lts::{InterfaceAutomaton, Role};

use crate::automata::{automaton, enabled, warn_of_illegal_states};
use crate::meaning::Meaning;
use crate::report::{RefinementMethod, RefinementMove, RefinesResult, Report, Verdict};
use crate::{Internal, Project};

/// Which automaton is to refine which.
#[derive(Clone, Debug, Default)]
pub struct RefinesQuery {
    /// The one that takes the place of the other.
    pub implementation: String,
    /// The other.
    pub specification: String,
    /// Whether the internal steps after an action do not belong to it.
    pub closure_before: bool,
}

/// Asks whether the implementation accepts at least the inputs of the specification, and sends at most its outputs.
///
/// # Errors
/// A trace that could not be replayed: a mistake in the program.
pub fn refines(
    project: &Project,
    query: &RefinesQuery,
    budget: Budget<'_>,
) -> Result<Report<RefinesResult>, Internal> {
    let mut meaning = Meaning::of(project, budget);
    // Both are looked at, so that the errors of both are found.
    let implementation = automaton(&mut meaning, &query.implementation, &budget);
    let specification = automaton(&mut meaning, &query.specification, &budget);
    if meaning.has_errors() {
        return Ok(Report::new("refines", Vec::new(), meaning.findings()));
    }
    for name in [&query.implementation, &query.specification] {
        warn_of_illegal_states(&mut meaning, name, &budget)?;
    }
    let findings = meaning.findings();
    let mut result = RefinesResult::blank(query);
    match (implementation, specification) {
        (Ok(implementation), Ok(specification)) => {
            let closure = if query.closure_before { Closure::Before } else { Closure::BeforeAndAfter };
            let (refinement, method, explored) =
                check_refinement(&implementation, &specification, closure, &budget)?;
            result.states = explored.states;
            result.method = Some(RefinementMethod::of(method));
            result.tell(&refinement, &implementation, &specification);
        }
        (Err(Failure::Exhausted(exhausted)), _) | (_, Err(Failure::Exhausted(exhausted))) => {
            result.states = exhausted.states;
            result.reason = Some(exhausted.to_string());
        }
        (Err(Failure::Errors), _) | (_, Err(Failure::Errors)) => {
            return Ok(Report::new("refines", Vec::new(), findings));
        }
    }
    Ok(Report::new("refines", vec![result], findings))
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

    /// Which side moved, and what was not offered.
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

/// What somebody takes or sends.
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
