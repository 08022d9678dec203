//! Evidence for properties that hold, from which certificates are written.
//!
//! The rules that evidence has to satisfy are those of [`rely_certificate`], which judges it with code of its own.
//! Here it is only made, on request, by exploring the behaviour once more. For a property that does not hold the
//! result satisfies no rule.

mod commitment;
mod ltl;
mod numbered;
mod ranks;

#[cfg(test)]
mod tests;

use rely_base::{Budget, Exhausted, Id, Progress, StateId};
use rely_certificate::{Decomposition, Evidence, Property, StateTable, closed, closed_program};
use rely_explore::{Composite, Machine, Product, Search};
use rely_lts::BehaviourRef;

/// The evidence for a property that holds for a behaviour.
///
/// # Errors
/// The limit of the budget that was met.
pub fn certify<'b>(
    behaviour: impl Into<BehaviourRef<'b>>,
    property: &Property<'_>,
    budget: &Budget<'_>,
) -> Result<Evidence, Exhausted> {
    match (behaviour.into(), property) {
        (BehaviourRef::Network(network), Property::Assertion { assertion, .. }) => {
            certify_system(&Product::transparent(&closed(network, assertion)), property, budget)
        }
        (BehaviourRef::Program(program), Property::Assertion { assertion, .. }) => {
            certify_system(&Machine::transparent(&closed_program(program, assertion)), property, budget)
        }
        (BehaviourRef::Program(program), Property::Commitment { commitment, scheduling }) => {
            Ok(Evidence::Measures {
                measures: commitment::measures(program, commitment, scheduling, budget)?,
            })
        }
        (BehaviourRef::Network(network), _) => {
            certify_system(&Product::transparent(network), property, budget)
        }
        (BehaviourRef::Program(program), _) => {
            certify_system(&Machine::transparent(program), property, budget)
        }
    }
}

/// Evidence for a property, from the system of a behaviour. The system has all actions that the property names.
fn certify_system<C: Composite>(
    system: &C,
    property: &Property<'_>,
    budget: &Budget<'_>,
) -> Result<Evidence, Exhausted> {
    let table = match property {
        Property::Deadlock | Property::Safety => {
            return Ok(Evidence::Invariant { states: reachable(system, budget)?.encode() });
        }
        Property::Assertion { assertion, fairness } => {
            let conjuncts = ltl::products(system, assertion, *fairness, budget)?;
            return Ok(Evidence::Automata { conjuncts });
        }
        Property::Unbroken { components, observers, .. } => {
            return Ok(match system.behaviour() {
                BehaviourRef::Network(network) => {
                    let parts = network.components().len();
                    Evidence::Composition(Decomposition::monolithic(parts, components, observers))
                }
                BehaviourRef::Program(_) => {
                    Evidence::Invariant { states: reachable(system, budget)?.encode() }
                }
            });
        }
        Property::Progress { condition, actions, .. } => {
            ranks::to_actions(system, *condition, actions, budget)?
        }
        // Only programs have commitments; see above.
        Property::Commitment { .. } => return Ok(Evidence::Measures { measures: Vec::new() }),
        Property::EveryAction => ranks::to_terminal_components(system, budget)?,
        Property::Divergence => ranks::along_silent_steps(system, budget)?,
    };
    Ok(Evidence::Ranks { states: table.encode() })
}

/// The reachable states: the smallest inductive invariant.
fn reachable<C: Composite>(system: &C, budget: &Budget<'_>) -> Result<StateTable, Exhausted> {
    let mut search = Search::new(system);
    search.run(budget, &mut ())?;
    tabulate(system, &search, |_| [], budget)
}

/// The states that a search has found, with notes about each.
fn tabulate<C: Composite, const N: usize>(
    system: &C,
    search: &Search<'_, C>,
    notes: impl Fn(StateId) -> [u32; N],
    budget: &Budget<'_>,
) -> Result<StateTable, Exhausted> {
    let states = search.states();
    let mut table = StateTable::new(system.width(), N);
    for state in (0..states.len()).map(StateId::from_index) {
        table.push(system.numbers(states.get(state)).into_iter().chain(notes(state)));
        if state.index().is_multiple_of(Budget::INTERVAL) {
            let bytes = search.bytes() + table.bytes();
            budget.check(&Progress { states: states.len(), bytes, ..Progress::default() })?;
        }
    }
    table.sort();
    Ok(table)
}
