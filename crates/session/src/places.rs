//! The places of the steps of a trace in the text.

use rely_base::{Span, StateId};
use rely_lts::Network;
use rely_model::Part;

use crate::Project;
use crate::report::{StepPlace, TraceStep};

/// Adds to the steps of a run of a network, whose actions have not been renamed, the places where the parts take
/// them.
pub(crate) fn locate<'s>(
    steps: impl Iterator<Item = &'s mut TraceStep>,
    network: &Network,
    parts: &[Part],
    project: &Project,
) {
    if parts.iter().all(|part| part.places.is_none()) {
        return;
    }
    for step in steps {
        let place = |(&component, &state): (&usize, &u32)| -> Option<StepPlace> {
            let places = parts.get(component)?.places.as_deref()?;
            let action = network.components().get(component)?.lts.alphabet().get(&step.action);
            let span = places.step(StateId::from_raw(state), action)?;
            Some(placed(component, span, project))
        };
        step.places = step.components.iter().zip(&step.leaving).filter_map(place).collect();
    }
}

/// The place at which a component takes a step.
pub(crate) fn placed(component: usize, span: Span, project: &Project) -> StepPlace {
    StepPlace { component, place: project.place(span) }
}
