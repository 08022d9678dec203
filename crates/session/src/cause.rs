//! What is shown about the end of a run: which component waits for what, which one refuses it, and what a property
//! would have allowed.

mod withheld;
mod words;

use rely_base::{Id, StateId};
use rely_decide::{Counterexample, Ending, Step};
use rely_lts::{Behaviour, ComponentId, Network, Program};

use crate::report::{Cause, Failing, Refused, StateChange, Variable, Waiting};
use crate::states::StateNaming;

pub use words::{CauseLine, cause_in_words};

/// What is shown about the end of a run of a behaviour; `None` if the run goes on for ever.
pub(crate) fn cause(behaviour: &Behaviour, run: &Counterexample, naming: &StateNaming) -> Option<Cause> {
    let last = run.trace.last();
    let end = last.map_or(&run.initial, |step| &step.after);
    // What matters is the state that led to the failure, not where the other components go in the last step.
    let before = last.map_or(&run.initial, |step| &step.before);
    match (behaviour, run.ending) {
        (Behaviour::Network(network), Ending::Deadlock) => Some(stuck(network, end, naming)),
        (Behaviour::Network(network), Ending::Error(component)) => {
            Some(failed(network, component, before, last, naming))
        }
        (Behaviour::Program(program), Ending::Deadlock) => Some(of_variables(program, end)),
        (Behaviour::Program(program), Ending::Error(_)) => Some(of_variables(program, before)),
        (Behaviour::Network(network), Ending::Cycle) => withheld::withheld(network, run, naming),
        (_, Ending::Terminated | Ending::Cycle | Ending::BadPrefix) => None,
    }
}

/// The states of the components that take part in a step, before and after it.
pub(crate) fn state_changes(behaviour: &Behaviour, step: &Step, naming: &StateNaming) -> Vec<StateChange> {
    let Some(network) = behaviour.as_network() else { return Vec::new() };
    // Observers outside of the network have no states.
    let moved = step.movers.iter().filter(|mover| mover.index() < network.components().len());
    let change = |mover: &ComponentId| {
        let lts = &network.components()[mover.index()].lts;
        let name = |tuple: &[u32]| naming.name(lts, StateId::from_raw(tuple[mover.index()]));
        StateChange { from: name(&step.before), to: name(&step.after) }
    };
    moved.map(change).collect()
}

/// A tuple in which nothing is possible.
pub(crate) fn stuck(network: &Network, tuple: &[u32], naming: &StateNaming) -> Cause {
    let tuple = &tuple[..network.components().len()];
    let waiting = rely_decide::waiting(network, tuple);
    let cycle = rely_decide::cycle_of_waiting(network, tuple, &waiting);
    let looks_on = |id: ComponentId| naming.is_property(&network.components()[id.index()].lts) == Some(true);
    let told = |waiting: rely_decide::Waiting| {
        let refused = |refusal: rely_decide::Refusal| Refused {
            action: network.alphabet().name(refusal.action).to_owned(),
            refused_by: refusal.refusing.iter().map(|id| id.index()).collect(),
        };
        Waiting {
            component: waiting.component.index(),
            actions: waiting.refusals.into_iter().map(refused).collect(),
        }
    };
    Cause {
        states: naming.all(network, tuple),
        waiting: waiting.into_iter().filter(|it| !looks_on(it.component)).map(told).collect(),
        waiting_cycle: cycle.iter().map(|id| id.index()).collect(),
        ..Cause::default()
    }
}

/// A tuple from which a step leads into the error state of a component.
fn failed(
    network: &Network,
    component: ComponentId,
    tuple: &[u32],
    last: Option<&Step>,
    naming: &StateNaming,
) -> Cause {
    let tuple = &tuple[..network.components().len()];
    let lts = &network.components()[component.index()].lts;
    let fails = |edge: &rely_lts::Edge| Some(edge.target) == lts.error();
    let edges = lts.edges(StateId::from_raw(tuple[component.index()])).iter();
    let harmless = edges.filter(|edge| !fails(edge)).filter_map(|edge| edge.label.action());
    let mut allowed: Vec<String> = harmless.map(|action| lts.alphabet().name(action).to_owned()).collect();
    allowed.sort();
    allowed.dedup();
    let movers = last.into_iter().flat_map(|step| &step.movers).map(|mover| mover.index());
    let failure = Failing {
        with: movers.filter(|&mover| mover != component.index() && mover < tuple.len()).collect(),
        component: component.index(),
        is_property: naming.is_property(lts).unwrap_or_else(|| is_observer(lts)),
        allowed,
    };
    Cause {
        states: naming.all(network, tuple),
        // For a component that starts in its error state there is no list of allowed actions.
        failure: last.is_some().then_some(failure),
        ..Cause::default()
    }
}

/// Whether a component takes part in every action in every state, as a property from another file does.
fn is_observer(lts: &rely_lts::Lts) -> bool {
    let is_proper = |state: &StateId| Some(*state) != lts.error();
    let is_ready = |state: StateId| {
        let mut names = lts.alphabet().iter();
        names.all(|(action, _)| !lts.edges_with(state, rely_base::Label::visible(action)).is_empty())
    };
    !lts.has_tau() && lts.states().filter(is_proper).all(is_ready)
}

/// The values of the variables of a program.
fn of_variables(program: &Program, state: &[u32]) -> Cause {
    let slots = program.slots().iter().zip(program.values(state));
    let variables =
        slots.map(|(slot, value)| Variable { variable: slot.name.clone(), value: slot.values.show(value) });
    Cause { variables: variables.collect(), ..Cause::default() }
}
