//! The transitions between τ-components, as tables that are read in the order of the components.

use rely_base::{Id, StateId};

use super::{
    super::{partition::narrow, silent::SilentComponents},
    Divergence,
};
use crate::Lts;

/// A system whose states are the τ-components of another. Silent transitions lead to smaller states only.
pub(in super::super) struct Acyclic {
    /// One more than the largest label.
    pub(in super::super) label_count: usize,
    /// The transitions of state `s` are `edges[offsets[s] .. offsets[s + 1]]`.
    offsets: Vec<usize>,
    /// Label and target, the silent ones first; those with the same label are neighbours.
    edges: Vec<(u32, u32)>,
}

impl Acyclic {
    /// The system of the τ-components. Divergent ones get a loop with a label of its own, if divergence is explicit.
    pub(in super::super) fn new(lts: &Lts, components: &SilentComponents, divergence: Divergence) -> Self {
        let label_count = lts.alphabet().len() + 1;
        let states = members(components);
        let mut offsets = Vec::with_capacity(components.count() + 1);
        let mut edges: Vec<(u32, u32)> = Vec::with_capacity(lts.transition_count());
        offsets.push(0);
        let mut rest = states.as_slice();
        for component in 0..components.count() {
            let start = edges.len();
            let is_member = |state: &&u32| components.component_of[**state as usize] as usize == component;
            let size = rest.iter().take_while(is_member).count();
            for &state in &rest[..size] {
                let image = lts
                    .edges(StateId::from_raw(state))
                    .iter()
                    .map(|edge| (edge.label.raw(), components.component_of[edge.target.index()]));
                edges.extend(image.filter(|&(label, target)| label != 0 || target as usize != component));
            }
            rest = &rest[size..];
            if divergence == Divergence::Explicit && components.is_divergent[component] {
                edges.push((narrow(label_count), narrow(component)));
            }
            if size > 1 {
                edges[start..].sort_unstable();
                let mut kept = start;
                for i in start..edges.len() {
                    if kept == start || edges[kept - 1] != edges[i] {
                        edges[kept] = edges[i];
                        kept += 1;
                    }
                }
                edges.truncate(kept);
            }
            offsets.push(edges.len());
        }
        Self { label_count: label_count + 1, offsets, edges }
    }

    pub(in super::super) fn state_count(&self) -> usize {
        self.offsets.len() - 1
    }

    pub(in super::super) fn transition_count(&self) -> usize {
        self.edges.len()
    }

    /// Labels and targets of the transitions of a state.
    #[inline]
    pub(in super::super) fn edges(&self, state: u32) -> &[(u32, u32)] {
        &self.edges[self.offsets[state as usize]..self.offsets[state as usize + 1]]
    }

    /// Labels and targets of the silent transitions of a state.
    #[inline]
    pub(in super::super) fn silent_edges(&self, state: u32) -> &[(u32, u32)] {
        let edges = self.edges(state);
        let count = edges.iter().take_while(|edge| edge.0 == 0).count();
        &edges[..count]
    }

    /// All transitions, as source, label and target.
    pub(in super::super) fn transitions(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        (0..narrow(self.state_count())).flat_map(move |source| {
            self.edges(source).iter().map(move |&(label, target)| (source, label, target))
        })
    }

    /// Bytes held by the tables.
    pub(in super::super) fn bytes(&self) -> usize {
        self.offsets.capacity() * size_of::<usize>() + self.edges.capacity() * size_of::<(u32, u32)>()
    }
}

/// The states, grouped by component in the order of the components.
fn members(components: &SilentComponents) -> Vec<u32> {
    let mut ends = vec![0_usize; components.count()];
    for &component in &components.component_of {
        ends[component as usize] += 1;
    }
    let mut end = 0;
    for count in &mut ends {
        end += *count;
        *count = end;
    }
    let mut states = vec![0; components.component_of.len()];
    for (state, &component) in components.component_of.iter().enumerate().rev() {
        ends[component as usize] -= 1;
        states[ends[component as usize]] = narrow(state);
    }
    states
}

/// The sources of the transitions into each state, the silent ones before the others.
pub(super) struct Predecessors {
    /// Those of state `s` begin at `starts[s]`; the silent ones end at `silent_ends[s]`.
    starts: Vec<usize>,
    silent_ends: Vec<usize>,
    sources: Vec<u32>,
}

impl Predecessors {
    /// A counting sort by target.
    pub(super) fn new(system: &Acyclic) -> Self {
        let state_count = system.state_count();
        let mut silent = vec![0_usize; state_count];
        let mut starts = vec![0_usize; state_count + 1];
        for &(label, target) in &system.edges {
            starts[target as usize + 1] += 1;
            silent[target as usize] += usize::from(label == 0);
        }
        for state in 0..state_count {
            starts[state + 1] += starts[state];
            silent[state] += starts[state];
        }
        let silent_ends = silent.clone();
        let mut next = [starts[..state_count].to_vec(), silent];
        let mut sources = vec![0; system.transition_count()];
        for (source, label, target) in system.transitions() {
            let place = &mut next[usize::from(label != 0)][target as usize];
            sources[*place] = source;
            *place += 1;
        }
        Self { starts, silent_ends, sources }
    }

    /// The sources of the silent transitions into a state.
    #[inline]
    pub(super) fn silent(&self, state: u32) -> &[u32] {
        &self.sources[self.starts[state as usize]..self.silent_ends[state as usize]]
    }

    /// The sources of the visible transitions into a state.
    #[inline]
    pub(super) fn visible(&self, state: u32) -> &[u32] {
        &self.sources[self.silent_ends[state as usize]..self.starts[state as usize + 1]]
    }

    /// Upper bound of the bytes held while the tables of a system are made.
    pub(super) fn bytes_for(system: &Acyclic) -> usize {
        size_of::<usize>() * 4 * system.state_count() + size_of::<u32>() * system.transition_count()
    }

    /// Bytes held by the tables.
    pub(super) fn bytes(&self) -> usize {
        size_of::<usize>() * 2 * self.starts.len() + size_of::<u32>() * self.sources.len()
    }
}
