//! Further traces of one answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Cause, CheckResult, TraceStep};

/// Another counterexample of the same property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OtherTrace {
    /// The property process that it breaks, as in the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub violates: Option<String>,
    /// The actions of the trace.
    pub trace: Vec<String>,
    /// Whether no trace that ends like this is shorter; left out if so.
    #[serde(default = "super::yes", skip_serializing_if = "super::is_yes")]
    pub shortest: bool,
    /// The actions that are repeated for ever after the trace.
    pub cycle: Vec<String>,
    /// Whether the cycle that breaks an assertion is fair; left out if it is, or need not be.
    #[serde(default = "super::yes", skip_serializing_if = "super::is_yes")]
    pub fair: bool,
    /// The steps of the trace, with the components that moved and the fluents that hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<TraceStep>,
    /// The steps of the cycle, with the components that moved and the fluents that hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycle_steps: Vec<TraceStep>,
    /// The components that the steps refer to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<String>,
    /// What is shown about the end of the trace, unless the run goes on for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// A further remark on its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl OtherTrace {
    /// The trace of an answer.
    pub(crate) fn of(answer: CheckResult) -> Self {
        let CheckResult {
            violates,
            trace,
            shortest,
            cycle,
            fair,
            steps,
            cycle_steps,
            components,
            cause,
            reason,
            ..
        } = answer;
        Self { violates, trace, shortest, cycle, fair, steps, cycle_steps, components, cause, reason }
    }

    /// Makes the trace that of an answer.
    pub(crate) fn write_into(self, answer: &mut CheckResult) {
        let Self { violates, trace, shortest, cycle, fair, steps, cycle_steps, components, cause, reason } =
            self;
        answer.violates = violates;
        answer.trace = trace;
        answer.shortest = shortest;
        answer.cycle = cycle;
        answer.fair = fair;
        answer.steps = steps;
        answer.cycle_steps = cycle_steps;
        answer.components = components;
        answer.cause = cause;
        answer.reason = reason.or(answer.reason.take());
    }
}
