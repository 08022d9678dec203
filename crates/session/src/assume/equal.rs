//! Whether the components can be made to do exactly what the property allows.

use rely_assume::{Assumption, Effort, equality};
use rely_base::Budget;

use super::Open;
use crate::Internal;
use crate::report::{Equal, Verdict};

impl Open {
    /// Whether the components do all that the property allows, with the most general environment; that is one without
    /// influence where there is no assumption.
    pub(super) fn equality(
        &self,
        assumption: Option<&Assumption>,
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Result<Equal, Internal> {
        let unknown = |reason: String| Equal::new(Verdict::Unknown, Vec::new(), Some(reason));
        Ok(match equality(&self.components, &self.goal, assumption, budget, effort)? {
            Err(exhausted) => unknown(exhausted.to_string()),
            Ok(decision) => match decision.verdict {
                rely_decide::Verdict::Holds(_) => Equal::new(Verdict::Holds, Vec::new(), None),
                rely_decide::Verdict::Violated(run) => {
                    let trace = run.trace_names().into_iter().map(str::to_owned).collect();
                    Equal::new(Verdict::Violated, trace, None)
                }
                rely_decide::Verdict::Unknown(reason) => unknown(reason.to_string()),
            },
        })
    }
}
