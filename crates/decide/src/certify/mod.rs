//! Evidence for properties that hold, from which certificates are written.
//!
//! The rules that evidence has to satisfy are those of [`rely_certificate`], which judges it with code of its own. Here
//! it is only made, on request, by exploring the network once more. For a property that does not hold there is evidence
//! as well, but it satisfies no rule.

mod ltl;
mod ranks;

#[cfg(test)]
mod tests;

use rely_base::{Budget, Exhausted, Id, Progress, StateId};
use rely_certificate::{Decomposition, Evidence, Property, StateTable};
use rely_explore::{Product, Search};
use rely_lts::Network;

/// The evidence for a property that holds for a network.
///
/// # Errors
/// The limit of the budget that was met.
pub fn certify(
    network: &Network,
    property: &Property<'_>,
    budget: &Budget<'_>,
) -> Result<Evidence, Exhausted> {
    let table = match property {
        Property::Deadlock | Property::Safety => {
            return Ok(Evidence::Invariant { states: reachable(network, budget)?.encode() });
        }
        Property::Assertion { assertion, fairness } => {
            let conjuncts = ltl::products(network, assertion, *fairness, budget)?;
            return Ok(Evidence::Automata { conjuncts });
        }
        Property::Unbroken { components, observers, .. } => {
            let whole = Decomposition::monolithic(network.components().len(), components, observers);
            return Ok(Evidence::Composition(whole));
        }
        Property::Progress { condition, actions, .. } => {
            ranks::to_actions(network, *condition, actions, budget)?
        }
        Property::EveryAction => ranks::to_terminal_components(network, budget)?,
        Property::Divergence => ranks::along_silent_steps(network, budget)?,
    };
    Ok(Evidence::Ranks { states: table.encode() })
}

/// The reachable states: the smallest inductive invariant.
fn reachable(network: &Network, budget: &Budget<'_>) -> Result<StateTable, Exhausted> {
    let product = Product::transparent(network);
    let mut search = Search::new(&product);
    search.run(budget, &mut ())?;
    tabulate(&product, &search, |_| [], budget)
}

/// The states that a search has found, with notes about each.
fn tabulate<const N: usize>(
    product: &Product<'_>,
    search: &Search<'_, Product<'_>>,
    notes: impl Fn(StateId) -> [u32; N],
    budget: &Budget<'_>,
) -> Result<StateTable, Exhausted> {
    let states = search.states();
    let mut table = StateTable::new(product.network().components().len(), N);
    for state in (0..states.len()).map(StateId::from_index) {
        let tuple = product.unpack(states.get(state));
        table.push(tuple.into_iter().map(StateId::raw).chain(notes(state)));
        if state.index().is_multiple_of(Budget::INTERVAL) {
            let bytes = search.bytes() + table.bytes();
            budget.check(&Progress { states: states.len(), bytes, ..Progress::default() })?;
        }
    }
    table.sort();
    Ok(table)
}
