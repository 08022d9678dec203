//! What is known of an assumption when time, memory or states have run out.

use rely_assume::{Certain, Effort, Partial, Variant, certain, learn_weakest, weakest};
use rely_base::{Budget, Exhausted, Limits, Resource};
use rely_lts::Network;

use super::{AssumeQuery, Open, shown, words};
use crate::Internal;
use crate::report::{AssumeResult, PartialAssumption, Verdict};

/// What is done after a limit of time or memory was met, or somebody asked to stop: so little that nobody has to wait.
const AFTERWARDS: Limits = Limits { states: Some(20_000), bytes: Some(16 << 20) };

impl Open {
    /// What is required of the environment: all of it, or as much as is certain when a limit was met, which is then the
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
                    // What is not known yet would have to be forbidden, and may leave the component stuck.
                    return Certain::Nothing;
                }
                let rest = afterwards(&interrupted.exhausted, budget);
                interrupted.certain(components, goal, interface, &rest, effort)
            }
        }
    }

    /// What is certain although a limit was met, about the environment, too.
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
                // Nothing that it does is certainly forbidden. It is fine if all of it is certainly allowed.
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

/// What may still be used up when a limit was met. A limit on states is one for each step, so that the next may go as
/// far again.
fn afterwards<'b>(exhausted: &Exhausted, budget: &Budget<'b>) -> Budget<'b> {
    match exhausted.resource {
        Resource::States => *budget,
        Resource::Time | Resource::Memory | Resource::Cancelled => {
            let limits = Limits { states: Some(budget.max_states()), bytes: Some(budget.max_bytes()) };
            Budget::new(limits, None).narrowed(AFTERWARDS)
        }
    }
}
