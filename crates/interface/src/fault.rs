//! What violates an aim at the end of a run.

use rely_base::{Id, StateId};
use rely_decide::{Counterexample, Ending};

use crate::{Aim, Blame, Problem};

/// Why a run violates the aim of a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A part sends what another cannot take.
    Incompatible(Blame),
    /// The specification promises to accept an input, and a part refuses it.
    InputRefused {
        /// The input.
        action: String,
        /// The part that receives it, and the state that it is in.
        receiver: (usize, StateId),
    },
    /// A part sends an output that the specification does not allow.
    OutputNotAllowed {
        /// The output.
        action: String,
        /// The part that sends it, and the state that it is in.
        sender: (usize, StateId),
    },
    /// A property is broken.
    PropertyBroken {
        /// The component that has failed, by number in [`Problem::network`].
        component: usize,
    },
}

impl Fault {
    /// What is wrong at the end of a run of the network of a problem. `None` if the run does not fail; the runs of
    /// decisions do.
    pub fn of(problem: &Problem, run: &Counterexample) -> Option<Self> {
        let Ending::Error(failing) = run.ending else { return None };
        if let Some(blame) = Blame::of(&problem.system, run) {
            return Some(Self::Incompatible(blame));
        }
        let component = failing.index();
        if !matches!(problem.aim, Aim::Refines(_)) {
            return Some(Self::PropertyBroken { component });
        }
        let last = run.trace.last()?;
        let action = last.action.clone();
        match component < problem.system.parts().len() {
            true => Some(Self::InputRefused {
                action,
                receiver: (component, StateId::from_raw(last.before[component])),
            }),
            false => {
                let sender = problem.system.sender(&action)?;
                Some(Self::OutputNotAllowed {
                    action,
                    sender: (sender, StateId::from_raw(last.before[sender])),
                })
            }
        }
    }
}
