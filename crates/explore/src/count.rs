//! Counting the reachable states and transitions of a system.
//!
//! All states where the system has terminated count as one state, and all ways to reach the error state lead to one
//! target. Transitions are distinct triples of source, label and target after this merging.

use rely_base::{Budget, Exhausted, Label, StateId};
use rely_lts::ComponentId;
use rustc_hash::FxHashSet;

use crate::sweep::{Inspector, Known, Sweep, sweep};
use crate::{StateSet, Successor, System, is_terminated};

/// The size of the reachable part of a system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// States, the error state not counted, all end states counted as one.
    pub states: usize,
    /// Distinct transitions, those into the error state included.
    pub transitions: usize,
    /// Whether the error state can be reached.
    pub error_reachable: bool,
    /// A unit because of which runs leave the bounds of what is explored; the first in order. There may be more states.
    pub cut: Option<ComponentId>,
}

/// Counts the states and transitions of a system without storing transitions or traces.
///
/// # Errors
/// The limit of the budget that was met.
pub fn count<S: System + Sync>(system: &S, budget: &Budget<'_>) -> Result<Size, Exhausted> {
    measure(system, budget).map(|(size, _)| size)
}

/// The size, as [`count`] computes it, and the bytes that the computation held in the end.
///
/// # Errors
/// The limit of the budget that was met.
pub fn measure<S: System + Sync>(system: &S, budget: &Budget<'_>) -> Result<(Size, usize), Exhausted> {
    let mut states = StateSet::new(system.words());
    let mut initial = vec![0; system.words()];
    if system.initial(&mut initial).is_err() {
        return Ok((Size { states: 0, transitions: 0, error_reachable: true, cut: None }, 0));
    }
    states.insert(&initial);
    let known = Known { states: &states, expanded: 0, transitions: 0 };
    let Sweep { inspector, states, transitions, bytes, exhausted } =
        sweep(system, &known, budget, Tally::new(system));
    if let Some(exhausted) = exhausted {
        return Err(exhausted);
    }
    let states = states - inspector.ends.saturating_sub(1);
    let Tally { error_reachable, cut, .. } = inspector;
    Ok((Size { states, transitions, error_reachable, cut }, bytes))
}

/// Counts what a sweep does not: end states, errors, and transitions that are shown more than once.
struct Tally<'s, S: System> {
    system: &'s S,
    cursor: S::Cursor,
    /// How many end states were found.
    ends: usize,
    error_reachable: bool,
    cut: Option<ComponentId>,
    /// Whether the system never shows a transition twice: [`System::has_distinct_transitions`].
    is_distinct: bool,
    /// The label of the last transition of the current state.
    last: Option<Label>,
    /// Whether the labels of the current state have strictly ascended, or strictly descended, so far. If so, no
    /// transition was shown twice.
    is_ascending: bool,
    is_descending: bool,
    /// Whether the labels of the last state were not in strict order. Then the transitions of the next states are
    /// kept and compared, until a state is in strict order again.
    is_keeping: bool,
    /// The transitions of the current state, if they are kept, and the words of their targets.
    edges: Vec<(Label, Target)>,
    targets: Vec<u64>,
}

/// Where a transition leads. All ways to fail are one target, and so are all ways to have terminated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Error,
    Cut,
    End,
    /// The state whose words begin at this place of `targets`.
    State(usize),
}

impl<'s, S: System> Tally<'s, S> {
    fn new(system: &'s S) -> Self {
        Self {
            system,
            cursor: system.cursor(),
            ends: 0,
            error_reachable: false,
            cut: None,
            is_distinct: system.has_distinct_transitions(),
            last: None,
            is_ascending: true,
            is_descending: true,
            is_keeping: false,
            edges: Vec::new(),
            targets: Vec::new(),
        }
    }

    #[inline]
    fn keep(&mut self, label: Label, successor: Successor<'_>) {
        match successor {
            Successor::Error(_) => self.edges.push((label, Target::Error)),
            Successor::Cut(_) => self.edges.push((label, Target::Cut)),
            Successor::State(words) => {
                self.edges.push((label, Target::State(self.targets.len())));
                self.targets.extend_from_slice(words);
            }
        }
    }

    /// Lists the transitions of a state that has been expanded already.
    #[cold]
    fn keep_all(&mut self, state: &[u64]) {
        let (system, mut cursor) = (self.system, self.system.cursor());
        system.successors(state, &mut cursor, &mut |label, successor| self.keep(label, successor));
    }

    /// The number of distinct transitions in the list, which is cleared.
    fn distinct_edges(&mut self) -> usize {
        let Self { system, cursor, edges, targets, .. } = self;
        let words = |start: usize| &targets[start..start + system.words()];
        for (_, target) in edges.iter_mut() {
            if let Target::State(start) = *target
                && is_terminated(*system, words(start), cursor)
            {
                *target = Target::End;
            }
        }
        let key = |&(label, target): &(Label, Target)| match target {
            Target::Error => (label, 0, &[][..]),
            Target::End => (label, 1, &[][..]),
            Target::Cut => (label, 2, &[][..]),
            Target::State(start) => (label, 3, words(start)),
        };
        edges.sort_unstable_by(|one, other| key(one).cmp(&key(other)));
        edges.dedup_by(|one, other| key(one) == key(other));
        let count = edges.len();
        edges.clear();
        targets.clear();
        count
    }
}

impl<S: System + Sync> Inspector for Tally<'_, S> {
    fn fresh(&self) -> Self {
        Self::new(self.system)
    }

    #[inline]
    fn found(&mut self, state: &[u64]) {
        self.ends += usize::from(is_terminated(self.system, state, &mut self.cursor));
    }

    fn is_thorough(&self) -> bool {
        !self.is_distinct
    }

    #[inline]
    fn transition(&mut self, label: Label, successor: Successor<'_>) {
        match successor {
            Successor::State(_) => {}
            Successor::Error(_) => self.error_reachable = true,
            Successor::Cut(unit) => self.cut = first(self.cut, Some(unit)),
        }
        if self.is_distinct {
            return;
        }
        self.is_ascending &= self.last < Some(label);
        self.is_descending &= self.last.is_none_or(|last| last > label);
        self.last = Some(label);
        if self.is_keeping {
            self.keep(label, successor);
        }
    }

    #[inline]
    fn expanded(&mut self, state: &[u64], transitions: usize) -> usize {
        if self.is_distinct {
            return transitions;
        }
        let distinct = self.is_ascending || self.is_descending;
        (self.last, self.is_ascending, self.is_descending) = (None, true, true);
        if distinct {
            if std::mem::take(&mut self.is_keeping) {
                self.edges.clear();
                self.targets.clear();
            }
            return transitions;
        }
        if !std::mem::replace(&mut self.is_keeping, true) {
            self.keep_all(state);
        }
        self.distinct_edges()
    }

    fn absorb(&mut self, other: Self) {
        self.ends += other.ends;
        self.error_reachable |= other.error_reachable;
        self.cut = first(self.cut, other.cut);
    }
}

/// The smaller of two unit numbers, as far as they are given.
fn first(one: Option<ComponentId>, other: Option<ComponentId>) -> Option<ComponentId> {
    one.into_iter().chain(other).min()
}

/// Collects the transitions of the state that is being expanded; all end states become the one that was found first,
/// and all error states become one.
pub(crate) struct Merger<'s, S: System> {
    system: &'s S,
    cursor: S::Cursor,
    /// The end states, and the one that stands for all of them.
    ends: FxHashSet<StateId>,
    end: Option<StateId>,
    /// Label and target of the transitions of the current state, with nothing as the target for the error state.
    edges: Vec<(Label, Option<StateId>)>,
}

impl<'s, S: System> Merger<'s, S> {
    pub(crate) fn new(system: &'s S) -> Self {
        Self { system, cursor: system.cursor(), ends: FxHashSet::default(), end: None, edges: Vec::new() }
    }

    /// Notes a new state.
    pub(crate) fn discovered(&mut self, state: StateId, words: &[u64]) {
        if is_terminated(self.system, words, &mut self.cursor) {
            self.ends.insert(state);
            self.end.get_or_insert(state);
        }
    }

    /// Notes a transition of the current state, to the error state if there is no target.
    #[inline]
    pub(crate) fn transition(&mut self, label: Label, target: Option<StateId>) {
        self.edges.push((label, target.map(|target| self.representative(target))));
    }

    /// The state that a state is merged into.
    #[inline]
    pub(crate) fn representative(&self, state: StateId) -> StateId {
        match self.end {
            Some(end) if self.ends.contains(&state) => end,
            _ => state,
        }
    }

    /// The distinct transitions of the current state, which ends with this call.
    pub(crate) fn take_edges(&mut self) -> impl ExactSizeIterator<Item = (Label, Option<StateId>)> + '_ {
        // Usually each label occurs once, and systems show labels in order.
        if !self.edges.is_sorted_by(|one, next| one.0 < next.0) {
            self.edges.sort_unstable();
            self.edges.dedup();
        }
        self.edges.drain(..)
    }

    /// The end state that stands for all of them.
    pub(crate) fn end(&self) -> Option<StateId> {
        self.end
    }

    /// How many states disappear when the end states are merged into one.
    pub(crate) fn merged(&self) -> usize {
        self.ends.len().saturating_sub(1)
    }

    pub(crate) fn bytes(&self) -> usize {
        /// A hash set entry with its share of free places.
        const PER_END: usize = 8;
        self.ends.capacity() * PER_END + self.edges.capacity() * size_of::<(Label, Option<StateId>)>()
    }
}
