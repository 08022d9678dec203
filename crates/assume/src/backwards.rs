//! Reachability, backwards: from which states does a path lead to one of some states?

use rely_base::{Id, StateId};

/// For each state where transitions into it come from.
pub(crate) fn sources(states: usize, edges: impl Iterator<Item = (StateId, StateId)>) -> Vec<Vec<StateId>> {
    let mut sources = vec![Vec::new(); states];
    for (source, target) in edges {
        sources[target.index()].push(source);
    }
    sources
}

/// For each state whether a path leads from it to one of these.
pub(crate) fn reaching(sources: &[Vec<StateId>], goals: impl Iterator<Item = StateId>) -> Vec<bool> {
    let mut stack: Vec<StateId> = goals.collect();
    let mut reaches = vec![false; sources.len()];
    while let Some(state) = stack.pop() {
        if !std::mem::replace(&mut reaches[state.index()], true) {
            stack.extend(&sources[state.index()]);
        }
    }
    reaches
}
