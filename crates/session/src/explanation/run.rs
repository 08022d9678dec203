//! The failing component at the end of a run.

use std::ops::ControlFlow;

use rely_base::{Id, Label, StateId};
use rely_decide::{Counterexample, Ending};
use rely_explore::{Composite, Product, Successor, System};
use rely_lts::Network;

use super::{Refutation, RunStep, Standing};

/// Maximum number of transitions of a state for which the alternatives to the last step are computed.
const MOST_STEPS: usize = 1 << 14;

/// The failing component at the end of a run of a network, whose components from a number on are those in question.
pub(super) fn refutation(
    network: &Network,
    run: &Counterexample,
    parts: usize,
    goal: Standing,
) -> Option<Refutation> {
    let Ending::Error(failed) = run.ending else { return None };
    let lts = &network.components()[failed.index()].lts;
    let state = run.trace.last().map_or(lts.initial(), |step| StateId::from_raw(step.before[failed.index()]));
    let allowed = lts.edges(state).iter().filter(|edge| lts.error() != Some(edge.target));
    let mut allowed: Vec<String> =
        allowed.map(|edge| lts.alphabet().label_name(edge.label).to_owned()).collect();
    allowed.sort_unstable();
    allowed.dedup();
    let shown = |state: StateId| (lts.error() != Some(state)).then_some(state.index());
    let step = |step: &rely_decide::Step| RunStep {
        action: step.action.clone(),
        movers: step.movers.iter().map(|mover| mover.index()).collect(),
        state: shown(StateId::from_raw(step.after[failed.index()])),
    };
    Some(Refutation {
        components: network.components().iter().map(|component| component.name.clone()).collect(),
        standings: (0..network.components().len())
            .map(|i| if i < parts { Standing::Part } else { goal })
            .collect(),
        steps: run.trace.iter().map(step).collect(),
        is_shortest: run.is_shortest,
        failed: failed.index(),
        state: state.index(),
        allowed,
        alternatives: alternatives(network, run),
        premises: None,
        fault: None,
    })
}

/// What a network could have done instead of the last step of a run, without failing.
fn alternatives(network: &Network, run: &Counterexample) -> Vec<String> {
    let Some(last) = run.trace.last() else { return Vec::new() };
    let product = Product::transparent(network);
    let Some(before) = product.state(&last.before) else { return Vec::new() };
    let mut labels: Vec<(Label, bool)> = Vec::new();
    let mut steps = 0;
    let all = product.try_successors(&before, &mut product.cursor(), &mut |label, successor| {
        let found = (label, matches!(successor, Successor::Error(_)));
        if !labels.contains(&found) {
            labels.push(found);
        }
        steps += 1;
        if steps < MOST_STEPS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    if all.is_break() {
        return Vec::new();
    }
    let fails = |label: Label| labels.iter().any(|&(other, fails)| fails && other == label);
    let good = labels.iter().filter(|(label, _)| !fails(*label));
    let mut names: Vec<String> =
        good.map(|(label, _)| network.alphabet().label_name(*label).to_owned()).collect();
    names.sort_unstable();
    names.dedup();
    names
}
