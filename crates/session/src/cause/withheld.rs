//! Why the actions that a progress property wants do not happen in a cycle.

use rely_base::Id;
use rely_decide::{Counterexample, refusing};
use rely_lts::{ComponentId, Network};

use crate::report::{Cause, Withheld};

/// How many wanted actions are looked at.
const MOST: usize = 100;

/// Who keeps the wanted actions from happening in the cycle of a run; nothing if no property wants any.
pub(super) fn withheld(network: &Network, run: &Counterexample) -> Option<Cause> {
    let tuples: Vec<&[u32]> =
        run.cycle.iter().map(|step| &step.before[..network.components().len()]).collect();
    let withheld: Vec<Withheld> =
        run.wanted.iter().take(MOST).filter_map(|action| in_all(network, &tuples, action)).collect();
    (!withheld.is_empty()).then(|| Cause { withheld, ..Cause::default() })
}

fn in_all(network: &Network, tuples: &[&[u32]], name: &str) -> Option<Withheld> {
    let action = network.alphabet().get(name)?;
    let refusing: Vec<Vec<ComponentId>> =
        tuples.iter().map(|tuple| refusing(network, tuple, action)).collect();
    let mut some: Vec<ComponentId> = refusing.iter().flatten().copied().collect();
    some.sort_unstable();
    some.dedup();
    let all: Vec<ComponentId> =
        some.iter().copied().filter(|id| refusing.iter().all(|refusing| refusing.contains(id))).collect();
    Some(Withheld {
        action: name.to_owned(),
        in_turns: all.is_empty(),
        outranked: refusing.iter().any(Vec::is_empty),
        refused_by: if all.is_empty() { some } else { all }.into_iter().map(Id::index).collect(),
    })
}
