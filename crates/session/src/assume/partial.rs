//! The part of an assumption that is known when time, memory or states have run out.

use rely_assume::{Certain, Effort, Partial, Variant, certain, learn_weakest, weakest};
use rely_base::{Budget, Exhausted, Limits, Resource};
use rely_lts::Network;

use super::{AssumeQuery, Open, shown, words};
use crate::Internal;
use crate::report::{AssumeResult, PartialAssumption, Verdict};

/// Limits for what is done after a limit of time or memory was met, or after cancellation: little enough not to delay
/// the answer.
const AFTERWARDS: Limits = Limits { states: Some(20_000), bytes: Some(16 << 20) };

impl Open {
    /// The requirement on the environment; or as much of it as is certain when a limit was met, with the limit as the
    /// reason of the result.
    pub(super) fn requirement(
        &self,
        query: &AssumeQuery,
        budget: &Budget<'_>,
        effort: &mut Effort,
        result: &mut AssumeResult,
    ) -> Certain {
        let (components, goal, interface) = (&self.components, &self.goal, &self.interface);
        if let Some(algorithm) = query.learn {
            let mut conjectures = Vec::new();
            let (learner, history) = (algorithm, (&mut *effort, &mut conjectures));
            let learned = learn_weakest(components, goal, interface, learner, budget, history);
            result.hypotheses = conjectures.iter().map(words::hypothesis).collect();
            return match learned {
                Ok(requirement) => Certain::All(requirement),
                Err(exhausted) => {
                    result.reason = Some(exhausted.to_string());
                    let all = components.iter().chain(&goal.components).cloned().collect();
                    certain(&Network::new(all), interface, &afterwards(&exhausted, budget), effort)
                }
            };
        }
        let variant = if query.deadlock_free { Variant::DeadlockFree } else { Variant::Weakest };
        match weakest(components, goal, interface, variant, budget, effort) {
            Ok((requirement, steps)) => {
                result.steps = shown(steps);
                Certain::All(requirement)
            }
            Err(interrupted) => {
                result.steps = shown(interrupted.steps);
                result.reason = Some(interrupted.exhausted.to_string());
                if query.deadlock_free {
                    // What is not known yet would have to be forbidden, which may leave the component stuck.
                    return Certain::Nothing;
                }
                let rest = afterwards(&interrupted.exhausted, budget);
                interrupted.certain(components, goal, interface, &rest, effort)
            }
        }
    }

    /// Describes what is certain although a limit was met, also about the environment.
    pub(super) fn describe_part(
        &self,
        query: &AssumeQuery,
        partial: &Partial,
        budget: &Budget<'_>,
        effort: &mut Effort,
        result: &mut AssumeResult,
    ) -> Result<(), Internal> {
        let Partial { enough, needed, looked_at, open } = partial;
        result.partial =
            Some(PartialAssumption { enough: words::size(enough), looked_at: *looked_at, open: *open });
        (result.forbids, result.further) = words::forbidden(needed.lts(), words::LISTED);
        if query.discharge {
            let reason = result.reason.take();
            self.discharge(query, needed, budget, effort, result)?;
            if result.discharged == Some(Verdict::Holds) {
                // The environment does nothing that is certainly forbidden. It satisfies the assumption if everything
                // that it does is certainly allowed; otherwise the answer is not known.
                let decision = self.satisfied(enough, budget, effort)?;
                if !matches!(decision.verdict, rely_decide::Verdict::Holds(_)) {
                    result.discharged = Some(Verdict::Unknown);
                }
            }
            result.reason = reason;
        }
        Ok(())
    }
}

/// The budget for what is done after a limit was met. A limit on states applies to each step, so the next step gets
/// the same limit again.
fn afterwards<'b>(exhausted: &Exhausted, budget: &Budget<'b>) -> Budget<'b> {
    match exhausted.resource {
        Resource::States => *budget,
        Resource::Time | Resource::Memory | Resource::Cancelled => {
            let limits = Limits { states: Some(budget.max_states()), bytes: Some(budget.max_bytes()) };
            Budget::new(limits, None).narrowed(AFTERWARDS)
        }
    }
}
