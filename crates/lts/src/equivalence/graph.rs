//! The transitions of a system as flat tables, for refinement, and the meter that watches the budget.

use rely_base::{Budget, Exhausted, Id, Progress, Resource};

use super::partition::narrow;
use crate::Lts;

/// The transitions of a system, numbered by source, with an index by target.
///
/// A transition may occur more than once.
pub(super) struct Graph {
    /// One more than the largest label.
    pub(super) label_count: usize,
    /// Source, label and target of each transition; label 0 is τ.
    pub(super) source: Vec<u32>,
    pub(super) label: Vec<u32>,
    pub(super) target: Vec<u32>,
    /// The transitions out of state `s` are numbered from `outgoing[s]` up to `outgoing[s + 1]`.
    outgoing: Vec<u32>,
    /// The transitions into state `s` are `incoming[into[s] .. into[s + 1]]`, the silent ones first.
    into: Vec<u32>,
    pub(super) incoming: Vec<u32>,
}

impl Graph {
    /// The graph of a system as it is.
    pub(super) fn new(lts: &Lts) -> Result<Self, Exhausted> {
        let transitions =
            || lts.transitions().map(|t| (narrow(t.source.index()), t.label.raw(), narrow(t.target.index())));
        Self::from_transitions(lts.state_count(), lts.alphabet().len() + 1, transitions)
    }

    /// The graph with the given transitions, which are enumerated several times.
    pub(super) fn from_transitions<I>(
        state_count: usize,
        label_count: usize,
        transitions: impl Fn() -> I,
    ) -> Result<Self, Exhausted>
    where
        I: Iterator<Item = (u32, u32, u32)>,
    {
        let mut outgoing = vec![0_usize; state_count + 1];
        let mut into = vec![0_usize; state_count + 1];
        for (source, _, target) in transitions() {
            outgoing[source as usize + 1] += 1;
            into[target as usize + 1] += 1;
        }
        for state in 0..state_count {
            outgoing[state + 1] += outgoing[state];
            into[state + 1] += into[state];
        }
        let count = outgoing[state_count];
        // The largest index marks the end of lists, so it must not be used.
        if count >= u32::MAX as usize || state_count >= u32::MAX as usize {
            return Err(Exhausted { resource: Resource::Memory, states: state_count, transitions: 0 });
        }
        let [mut source, mut label, mut target] = [vec![0; count], vec![0; count], vec![0; count]];
        let mut cursor = outgoing.clone();
        for transition in transitions() {
            let place = &mut cursor[transition.0 as usize];
            (source[*place], label[*place], target[*place]) = transition;
            *place += 1;
        }
        let mut incoming = vec![0; count];
        cursor.copy_from_slice(&into);
        for silent in [true, false] {
            for transition in (0..count).filter(|&t| (label[t] == 0) == silent) {
                let place = &mut cursor[target[transition] as usize];
                incoming[*place] = narrow(transition);
                *place += 1;
            }
        }
        let narrowed = |offsets: Vec<usize>| offsets.into_iter().map(narrow).collect();
        Ok(Self {
            label_count,
            source,
            label,
            target,
            outgoing: narrowed(outgoing),
            into: narrowed(into),
            incoming,
        })
    }

    pub(super) fn state_count(&self) -> usize {
        self.outgoing.len() - 1
    }

    pub(super) fn transition_count(&self) -> usize {
        self.source.len()
    }

    /// The numbers of the transitions out of a state.
    #[inline]
    pub(super) fn outgoing(&self, state: u32) -> std::ops::Range<u32> {
        self.outgoing[state as usize]..self.outgoing[state as usize + 1]
    }

    /// The places in `incoming` of the transitions into a state.
    #[inline]
    pub(super) fn incoming_range(&self, state: u32) -> std::ops::Range<u32> {
        self.into[state as usize]..self.into[state as usize + 1]
    }

    /// The transitions into a state, the silent ones first.
    #[inline]
    pub(super) fn incoming(&self, state: u32) -> &[u32] {
        &self.incoming[self.into[state as usize] as usize..self.into[state as usize + 1] as usize]
    }

    /// Bytes held by the tables.
    pub(super) fn bytes(&self) -> usize {
        size_of::<u32>() * (4 * self.source.len() + 2 * self.outgoing.len())
    }
}

/// The sources of the transitions into each state, without their labels.
pub(super) struct Predecessors {
    /// Those of state `s` are `sources[offsets[s] .. offsets[s + 1]]`.
    offsets: Vec<usize>,
    sources: Vec<u32>,
}

impl Predecessors {
    /// A counting sort by target. A source occurs once for each transition.
    pub(super) fn new(lts: &Lts) -> Self {
        let mut offsets = vec![0; lts.state_count() + 1];
        for transition in lts.transitions() {
            offsets[transition.target.index()] += 1;
        }
        let mut end = 0;
        for offset in &mut offsets {
            end += *offset;
            *offset = end;
        }
        // Each entry is where its list ends; filling the lists from behind moves it to the beginning.
        let mut sources = vec![0; lts.transition_count()];
        for source in lts.states() {
            for edge in lts.edges(source) {
                let place = &mut offsets[edge.target.index()];
                *place -= 1;
                sources[*place] = source.raw();
            }
        }
        Self { offsets, sources }
    }

    /// The sources of the transitions into a state.
    #[inline]
    pub(super) fn of(&self, state: u32) -> &[u32] {
        &self.sources[self.offsets[state as usize]..self.offsets[state as usize + 1]]
    }

    /// The bytes that the tables of a system take.
    pub(super) fn bytes_for(lts: &Lts) -> usize {
        size_of::<usize>() * (lts.state_count() + 1) + size_of::<u32>() * lts.transition_count()
    }

    /// Bytes held by the tables.
    pub(super) fn bytes(&self) -> usize {
        size_of::<usize>() * self.offsets.len() + size_of::<u32>() * self.sources.len()
    }
}

/// Counts steps, and checks the budget every [`Budget::INTERVAL`] steps.
pub(super) struct Meter<'a> {
    budget: &'a Budget<'a>,
    pub(super) progress: Progress,
    steps: usize,
}

impl<'a> Meter<'a> {
    pub(super) fn new(budget: &'a Budget<'a>, progress: Progress) -> Self {
        Self { budget, progress, steps: 0 }
    }

    /// The meter of a refinement, which holds several tables of the graph's size.
    pub(super) fn of_refinement(budget: &'a Budget<'a>, graph: &Graph) -> Self {
        let progress = Progress {
            states: graph.state_count(),
            transitions: graph.transition_count(),
            frontier: 0,
            bytes: 3 * graph.bytes(),
        };
        Self::new(budget, progress)
    }

    /// Checks that `more` bytes may be held in addition to what is held already.
    pub(super) fn afford(&self, more: usize) -> Result<(), Exhausted> {
        if self.progress.bytes.saturating_add(more) <= self.budget.max_bytes() {
            return Ok(());
        }
        let Progress { states, transitions, .. } = self.progress;
        Err(Exhausted { resource: Resource::Memory, states, transitions })
    }

    /// Counts `steps` more steps.
    #[inline]
    pub(super) fn tick(&mut self, steps: usize) -> Result<(), Exhausted> {
        self.steps += steps;
        if self.steps >= Budget::INTERVAL {
            self.steps = 0;
            self.budget.check(&self.progress)?;
        }
        Ok(())
    }
}
