//! Judging claims about interface automata: the question is read from the file, and the judge constructs the network.

use rely_base::{Budget, Exhausted};
use rely_certificate::{Claim, InterfaceAim, InterfaceQuestion};
use rely_interface::{Aim, Environment, Problem, Receptiveness};

use super::judged;
use crate::Project;
use crate::subject::{Subject, Unread};

/// Why a claim about interface automata is not accepted; `None` if it is.
///
/// Of the problem only what stands in the file is used: the automata, the constraints, and the question. The
/// completions are made by the judge, from the definitions.
pub(super) fn judge(
    claim: &Claim,
    subject: &Subject,
    project: &Project,
    budget: &Budget<'_>,
) -> Result<Option<String>, Exhausted> {
    let problem = match subject.read(project, budget) {
        Ok(problem) => Some(problem),
        Err(Unread::Exhausted(exhausted)) => return Err(exhausted),
        Err(Unread::Errors(_)) => None,
    };
    let question = problem.as_ref().map(question);
    let Some((question, network)) = question.and_then(|it| it.network().map(|network| (it, network))) else {
        return Ok(Some(format!("the file has no interface automata of which one can ask: {subject}")));
    };
    judged(claim, (&network).into(), &subject.property(&question.goal_components()), budget)
}

fn question(problem: &Problem) -> InterfaceQuestion<'_> {
    let system = &problem.system;
    InterfaceQuestion {
        parts: system.parts().iter().map(|part| (part.name.as_str(), &*part.automaton)).collect(),
        constraints: system.constraints(),
        aim: match &problem.aim {
            Aim::Compatible => InterfaceAim::Compatible,
            Aim::Safe(goal) => InterfaceAim::Safe(&goal.components),
            Aim::CompatibleAndSafe(goal) => InterfaceAim::CompatibleAndSafe(&goal.components),
            Aim::Refines(specification) => InterfaceAim::Refines(specification),
        },
        every_environment: problem.question.environment == Environment::Arbitrary,
        weak: problem.question.receptiveness == Receptiveness::Eventually,
    }
}
