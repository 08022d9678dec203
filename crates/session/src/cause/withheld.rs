//! Why the actions that a progress property wants do not happen in a cycle.

use std::collections::BTreeSet;

use rely_base::{ActionId, Id, Label, StateId};
use rely_decide::{Counterexample, refusing};
use rely_lts::{ComponentId, Network};

use crate::report::{Cause, Refused, Waiting, Withheld};
use crate::states::StateNaming;

/// How many wanted actions are looked at.
const MOST: usize = 100;

/// Who keeps the wanted actions from happening in the cycle of a run; nothing if no property wants any.
pub(super) fn withheld(network: &Network, run: &Counterexample, naming: &StateNaming) -> Option<Cause> {
    let tuples: Vec<&[u32]> =
        run.cycle.iter().map(|step| &step.before[..network.components().len()]).collect();
    let withheld: Vec<Withheld> =
        run.wanted.iter().take(MOST).filter_map(|action| in_all(network, &tuples, action)).collect();
    let is_wanted = |name: &String| run.wanted.contains(name);
    let first = tuples.first().filter(|_| !withheld.is_empty())?;
    let refusing: BTreeSet<usize> = withheld.iter().flat_map(|it| &it.refused_by).copied().collect();
    let stalled =
        refusing.into_iter().map(ComponentId::from_index).filter_map(|id| stalled(network, &tuples, id));
    Some(Cause {
        states: naming.all(network, first),
        stalled: stalled.collect(),
        withheld,
        outranked: outranked(network, &tuples).into_iter().filter(|name| !is_wanted(name)).collect(),
        ..Cause::default()
    })
}

/// The actions that everybody is ready for in a cycle, where an action of higher priority comes first.
fn outranked(network: &Network, tuples: &[&[u32]]) -> Vec<String> {
    let Some(priority) = network.priority() else { return Vec::new() };
    let ids = || (0..network.alphabet().len()).map(ActionId::from_index);
    let low: Vec<ActionId> = ids().filter(|&action| priority.is_low(Some(action))).collect();
    let high: Vec<ActionId> = ids().filter(|&action| priority.is_high(Some(action))).collect();
    let mut outranked = BTreeSet::new();
    for tuple in tuples {
        let is_possible = |action: &&ActionId| refusing(network, tuple, **action).is_empty();
        if high.iter().any(|action| is_possible(&action)) {
            outranked
                .extend(low.iter().filter(is_possible).map(|&it| network.alphabet().name(it).to_owned()));
        }
    }
    outranked.into_iter().collect()
}

fn in_all(network: &Network, tuples: &[&[u32]], name: &str) -> Option<Withheld> {
    let action = network.alphabet().get(name)?;
    let refusing: Vec<Vec<ComponentId>> =
        tuples.iter().map(|tuple| refusing(network, tuple, action)).collect();
    let (all, some) = in_all_and_in_some(&refusing);
    Some(Withheld {
        action: name.to_owned(),
        in_turns: all.is_empty(),
        outranked: refusing.iter().any(Vec::is_empty),
        refused_by: if all.is_empty() { some } else { all },
    })
}

/// What a component waits for that stands still in a cycle. Nothing if it moves, or could move without being outranked: then
/// it goes on elsewhere, and the cycle is not the place to look for a reason.
fn stalled(network: &Network, tuples: &[&[u32]], component: ComponentId) -> Option<Waiting> {
    let place = component.index();
    let (first, rest) = tuples.split_first()?;
    let lts = &network.components()[place].lts;
    let can_go_on_alone = !lts.edges_with(StateId::from_raw(first[place]), Label::TAU).is_empty();
    if can_go_on_alone || rest.iter().any(|tuple| tuple[place] != first[place]) {
        return None;
    }
    let waiting = rely_decide::waiting_of(network, first, component);
    let refused = |action: ActionId| {
        let refusing: Vec<Vec<ComponentId>> =
            tuples.iter().map(|tuple| refusing(network, tuple, action)).collect();
        let is_possible = refusing.iter().any(Vec::is_empty);
        if is_possible && network.priority().is_none() {
            return None;
        }
        let (all, some) = in_all_and_in_some(&refusing);
        let refused_by = match (is_possible, all.is_empty()) {
            (true, _) => Vec::new(),
            (false, true) => some,
            (false, false) => all,
        };
        Some(Refused { action: network.alphabet().name(action).to_owned(), refused_by })
    };
    let actions = waiting.refusals.into_iter().map(|refusal| refused(refusal.action));
    Some(Waiting { component: place, actions: actions.collect::<Option<_>>()? })
}

/// The components, by position, that are in all of some lists, and those that are in at least one.
fn in_all_and_in_some(lists: &[Vec<ComponentId>]) -> (Vec<usize>, Vec<usize>) {
    let some: BTreeSet<ComponentId> = lists.iter().flatten().copied().collect();
    let in_all = |id: &&ComponentId| lists.iter().all(|list| list.contains(id));
    let all = some.iter().filter(in_all).map(|id| id.index()).collect();
    (all, some.into_iter().map(Id::index).collect())
}
