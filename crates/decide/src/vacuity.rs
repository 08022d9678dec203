//! Verdicts that hold for a poor reason.

use rely_lts::ComponentId;
use rely_omega::Formula;

/// Why something that holds may say less than it seems to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Vacuity {
    /// A component that could fail never does anything: none of its actions ever occurs.
    PropertyNeverActive(ComponentId),
    /// A component never leaves its initial state, although it has others.
    ComponentNeverMoves(ComponentId),
    /// A progress property none of whose actions exists holds since its condition never does.
    ProgressWithoutActions,
    /// The condition of a progress property can never recur: none of its actions exists.
    ConditionWithoutActions,
    /// This premise of an implication that is to hold always never holds itself.
    PremiseNeverHolds(Formula),
}
