//! Traces: steps with the components that moved, the changes, and the places in the text.

use rely_base::Id;
use rely_lts::{Behaviour, Program};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Place, StateChange};
use crate::cause::state_changes;
use crate::states::StateNaming;

/// A step of a trace.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TraceStep {
    /// The action; `tau` is a silent one.
    pub action: String,
    /// The components that took part in it, by position in `components`.
    pub components: Vec<usize>,
    /// The fluents that hold after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fluents: Vec<String>,
    /// The variables that have another value after it, if the target has variables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// The states of the components that took part, before and after it, in the order of `components`, if they have
    /// states.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<StateChange>,
    /// The places in the text where the components do it, as far as the language provides them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<StepPlace>,
    /// The states that these components leave.
    #[serde(skip)]
    pub(crate) leaving: Vec<u32>,
}

/// Where a component takes a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StepPlace {
    /// The component, by position in `components`.
    pub component: usize,
    /// The place in the text.
    #[serde(flatten)]
    pub place: Place,
}

/// A variable that a step changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// Its name.
    pub variable: String,
    /// Its value before the step.
    pub from: String,
    /// Its value after the step.
    pub to: String,
}

impl TraceStep {
    /// A step of which only the action and the participants are known.
    pub fn plain(action: String, components: Vec<usize>) -> Self {
        let (fluents, changes) = (Vec::new(), Vec::new());
        Self {
            action,
            components,
            fluents,
            changes,
            states: Vec::new(),
            places: Vec::new(),
            leaving: Vec::new(),
        }
    }

    /// A step of a run, with action and participants only.
    pub(crate) fn of(step: &rely_decide::Step) -> Self {
        let components = step.movers.iter().map(|component| component.index()).collect();
        let fluents = step.fluents.clone();
        Self { fluents, leaving: leaving(step), ..Self::plain(step.action.clone(), components) }
    }

    /// A step of a run of a behaviour, with all its details.
    pub(crate) fn new(step: rely_decide::Step, behaviour: &Behaviour, naming: &StateNaming) -> Self {
        let components = step.movers.iter().map(|component| component.index()).collect();
        let changes = behaviour.as_program().map_or(Vec::new(), |program| changes(&step, program));
        let states = state_changes(behaviour, &step, naming);
        let leaving = if behaviour.as_network().is_some() { leaving(&step) } else { Vec::new() };
        let rely_decide::Step { action, fluents, .. } = step;
        Self { action, components, fluents, changes, states, places: Vec::new(), leaving }
    }
}

/// The states that the components of a network leave in a step.
fn leaving(step: &rely_decide::Step) -> Vec<u32> {
    step.movers.iter().filter_map(|component| step.before.get(component.index()).copied()).collect()
}

/// The variables of a program that a step changes.
fn changes(step: &rely_decide::Step, program: &Program) -> Vec<Change> {
    let (before, after) = (program.values(&step.before), program.values(&step.after));
    let values = program.slots().iter().zip(before.into_iter().zip(after));
    let changed = values.filter(|(_, (before, after))| before != after);
    changed
        .map(|(slot, (before, after))| Change {
            variable: slot.name.clone(),
            from: slot.values.show(before),
            to: slot.values.show(after),
        })
        .collect()
}
