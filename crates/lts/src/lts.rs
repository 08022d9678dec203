//! An explicit labelled transition system.

use rely_base::{Alphabet, Id, Label, StateId};

/// A finite labelled transition system (S, αM, Δ, q₀) with two states of special meaning.
///
/// The *error state* π is where a violated property ends; it has no transitions, and it is never counted among the
/// states that are reported. The *end state* is successful termination; it has no transitions either. Both are
/// ordinary members of S to the algorithms, which have to keep them apart from all other states.
///
/// The transitions of a state are sorted by label, then by target, and each occurs once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lts {
    /// αM: every action that the system takes part in, on a transition or not.
    alphabet: Alphabet,
    /// q₀.
    initial: StateId,
    /// π, if the system has it.
    error: Option<StateId>,
    /// The state of successful termination, if the system has it.
    end: Option<StateId>,
    /// The edges of state `s` are `edges[offsets[s] .. offsets[s + 1]]`.
    offsets: Vec<usize>,
    /// Label and target of each transition, grouped by source.
    edges: Vec<Edge>,
}

/// A transition, seen from its source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// What it is labelled with.
    pub label: Label,
    /// Where it leads.
    pub target: StateId,
}

/// A transition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Transition {
    /// Where it comes from.
    pub source: StateId,
    /// What it is labelled with.
    pub label: Label,
    /// Where it leads.
    pub target: StateId,
}

/// The states of a system that have a special meaning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Special {
    /// q₀.
    pub(crate) initial: StateId,
    /// π.
    pub(crate) error: Option<StateId>,
    /// Successful termination.
    pub(crate) end: Option<StateId>,
}

impl Lts {
    /// The system with the edges of state `s` at `edges[offsets[s] .. offsets[s + 1]]`, each row sorted and without
    /// duplicates.
    pub(crate) fn from_rows(
        alphabet: Alphabet,
        special: Special,
        offsets: Vec<usize>,
        edges: Vec<Edge>,
    ) -> Self {
        debug_assert_eq!(offsets.last(), Some(&edges.len()));
        debug_assert!(
            offsets.windows(2).all(|row| edges[row[0]..row[1]].windows(2).all(|pair| pair[0] < pair[1])),
            "rows are sorted"
        );
        let Special { initial, error, end } = special;
        Self { alphabet, initial, error, end, offsets, edges }
    }

    /// αM.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// q₀.
    pub fn initial(&self) -> StateId {
        self.initial
    }

    /// The error state π.
    pub fn error(&self) -> Option<StateId> {
        self.error
    }

    /// The state of successful termination.
    pub fn end(&self) -> Option<StateId> {
        self.end
    }

    /// How many states there are, the error state included: the length of a table indexed by states.
    pub fn state_count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// How many states there are without the error state: the number that users see.
    pub fn proper_state_count(&self) -> usize {
        self.state_count() - usize::from(self.error.is_some())
    }

    /// How many transitions there are, those into the error state included.
    pub fn transition_count(&self) -> usize {
        self.edges.len()
    }

    /// All states, the error state included.
    pub fn states(&self) -> impl ExactSizeIterator<Item = StateId> + use<> {
        (0..self.state_count()).map(StateId::from_index)
    }

    /// The transitions out of a state, sorted by label, then by target.
    #[inline]
    pub fn edges(&self, state: StateId) -> &[Edge] {
        &self.edges[self.offsets[state.index()]..self.offsets[state.index() + 1]]
    }

    /// The transitions out of a state with a given label.
    pub fn edges_with(&self, state: StateId, label: Label) -> &[Edge] {
        let edges = self.edges(state);
        let start = edges.partition_point(|edge| edge.label < label);
        let len = edges[start..].partition_point(|edge| edge.label == label);
        &edges[start..start + len]
    }

    /// The silent transitions out of a state.
    #[inline]
    pub fn silent_edges(&self, state: StateId) -> &[Edge] {
        // They come first, and in most states there is none.
        let edges = self.edges(state);
        let len = edges.iter().position(|edge| !edge.label.is_tau()).unwrap_or(edges.len());
        &edges[..len]
    }

    /// All transitions, sorted by source, label and target.
    pub fn transitions(&self) -> impl ExactSizeIterator<Item = Transition> + '_ {
        Transitions { lts: self, source: 0, next: 0 }
    }

    /// Whether some transition is silent.
    pub fn has_tau(&self) -> bool {
        self.edges.iter().any(|edge| edge.label.is_tau())
    }

    /// Whether no state has a silent transition or two transitions with the same label.
    pub fn is_deterministic(&self) -> bool {
        !self.has_tau()
            && self
                .states()
                .all(|state| self.edges(state).windows(2).all(|pair| pair[0].label != pair[1].label))
    }

    /// Whether all states are reachable and numbered breadth first, π last, which is how `trim` numbers them.
    pub(crate) fn is_trimmed(&self) -> bool {
        let proper = self.proper_state_count();
        if self.error.is_some_and(|error| error.index() != proper) {
            // π is initial, or it is not the last state.
            return false;
        }
        if self.initial.index() != 0 || proper == 0 {
            return self.state_count() == 1;
        }
        let mut reached = 1;
        let mut reaches_error = false;
        for state in (0..proper).map(StateId::from_index) {
            if state.index() == reached {
                return false;
            }
            for edge in self.edges(state) {
                if Some(edge.target) == self.error {
                    reaches_error = true;
                } else if edge.target.index() > reached {
                    return false;
                } else {
                    reached += usize::from(edge.target.index() == reached);
                }
            }
        }
        reached == proper && (reaches_error || self.error.is_none())
    }

    /// Where the edges of a state are among all edges, in the order of their sources.
    #[inline]
    pub(crate) fn edge_range(&self, state: StateId) -> std::ops::Range<usize> {
        self.offsets[state.index()]..self.offsets[state.index() + 1]
    }

    /// The edges of all states, in the order of their sources.
    #[inline]
    pub(crate) fn all_edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The system with other names for its actions, by number.
    ///
    /// # Panics
    /// If there is not exactly one name for each action.
    #[must_use]
    pub fn with_names(self, names: Alphabet) -> Self {
        assert_eq!(self.alphabet.len(), names.len(), "every action has a name of its own");
        Self { alphabet: names, ..self }
    }

    /// Whether another system is equal to this one except for the names of its actions.
    pub fn is_copy_of(&self, other: &Self) -> bool {
        (self.alphabet.len(), self.initial, self.error, self.end)
            == (other.alphabet.len(), other.initial, other.error, other.end)
            && self.offsets == other.offsets
            && self.edges == other.edges
    }

    /// Bytes held by the transition tables.
    pub fn bytes(&self) -> usize {
        self.offsets.capacity() * size_of::<usize>() + self.edges.capacity() * size_of::<Edge>()
    }
}

/// All transitions of a system, in order. A loop over them is the heart of many operators, and this is quicker than one
/// iterator for each state.
struct Transitions<'a> {
    lts: &'a Lts,
    /// The number of a state; the next transition is one of it or of a later state.
    source: usize,
    /// The next transition.
    next: usize,
}

impl Iterator for Transitions<'_> {
    type Item = Transition;

    #[inline]
    fn next(&mut self) -> Option<Transition> {
        let &Edge { label, target } = self.lts.edges.get(self.next)?;
        while self.lts.offsets[self.source + 1] <= self.next {
            self.source += 1;
        }
        self.next += 1;
        Some(Transition { source: StateId::from_index(self.source), label, target })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.lts.edges.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Transitions<'_> {}

/// Collects the states and transitions of an [`Lts`], in any order.
///
/// If transitions are added in the order of their sources, as searches and files usually give them, they are stored
/// as the system will store them, and nothing has to be moved at the end.
#[derive(Clone, Debug)]
pub struct LtsBuilder {
    alphabet: Alphabet,
    initial: StateId,
    error: Option<StateId>,
    end: Option<StateId>,
    state_count: usize,
    /// Label and target of each transition, in the order in which they were added.
    edges: Vec<Edge>,
    /// The source of each transition.
    sources: Sources,
}

/// Where transitions come from.
#[derive(Clone, Debug)]
enum Sources {
    /// They came in order: those of state `s` begin at the entry `s`, up to the last state that has any.
    Sorted(Vec<usize>),
    /// Each by itself.
    Listed(Vec<StateId>),
}

impl LtsBuilder {
    /// A builder without states; state 0 will be initial unless another one is chosen.
    pub fn new(alphabet: Alphabet) -> Self {
        Self {
            alphabet,
            initial: StateId::from_raw(0),
            error: None,
            end: None,
            state_count: 0,
            edges: Vec::new(),
            sources: Sources::Sorted(Vec::new()),
        }
    }

    /// A builder with this number of states.
    pub fn with_states(alphabet: Alphabet, state_count: usize) -> Self {
        Self { state_count, ..Self::new(alphabet) }
    }

    /// The alphabet, to extend it.
    pub fn alphabet_mut(&mut self) -> &mut Alphabet {
        &mut self.alphabet
    }

    /// The alphabet so far.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// How many states there are so far.
    pub fn state_count(&self) -> usize {
        self.state_count
    }

    /// A new state.
    pub fn add_state(&mut self) -> StateId {
        let state = StateId::from_index(self.state_count);
        self.state_count += 1;
        state
    }

    /// The error state; it is added at the first call.
    pub fn error_state(&mut self) -> StateId {
        if let Some(error) = self.error {
            return error;
        }
        let error = self.add_state();
        self.error = Some(error);
        error
    }

    /// Makes a state the initial one.
    pub fn set_initial(&mut self, state: StateId) {
        self.initial = state;
    }

    /// Makes a state the error state.
    pub fn set_error(&mut self, state: Option<StateId>) {
        self.error = state;
    }

    /// Makes a state the end state.
    pub fn set_end(&mut self, state: Option<StateId>) {
        self.end = state;
    }

    /// Allocates memory for this number of further transitions at once.
    pub fn reserve(&mut self, transitions: usize) {
        self.edges.reserve_exact(transitions);
    }

    /// A new transition between states that exist.
    pub fn add_transition(&mut self, source: StateId, label: Label, target: StateId) {
        debug_assert!(source.index() < self.state_count && target.index() < self.state_count);
        debug_assert!(Some(source) != self.error, "the error state has no transitions");
        let edge = Edge { label, target };
        match &mut self.sources {
            Sources::Sorted(starts) if source.index() + 1 >= starts.len() => {
                if source.index() >= starts.len() {
                    starts.resize(source.index() + 1, self.edges.len());
                }
            }
            Sources::Sorted(starts) => {
                let mut sources = listed(starts, self.edges.len());
                sources.push(source);
                self.sources = Sources::Listed(sources);
            }
            Sources::Listed(sources) => sources.push(source),
        }
        self.edges.push(edge);
    }

    /// The system. A system without states gets one, so that there is an initial state.
    ///
    /// Transitions out of the error state are dropped: nothing happens after an error.
    pub fn build(mut self) -> Lts {
        self.state_count = self.state_count.max(1);
        let (mut offsets, mut edges) = match self.sources {
            Sources::Sorted(mut starts) => {
                starts.resize(self.state_count + 1, self.edges.len());
                (starts, self.edges)
            }
            Sources::Listed(sources) => group_by_source(self.state_count, &sources, &self.edges),
        };
        sort_rows(&mut offsets, &mut edges, self.error);
        Lts::from_rows(
            self.alphabet,
            Special { initial: self.initial, error: self.error, end: self.end },
            offsets,
            edges,
        )
    }
}

/// The source of each transition, from the lists of where each state's transitions begin.
fn listed(starts: &[usize], count: usize) -> Vec<StateId> {
    let mut sources = Vec::with_capacity(count + 1);
    for (state, &start) in starts.iter().enumerate() {
        let end = starts.get(state + 1).copied().unwrap_or(count);
        sources.resize(sources.len() + end - start, StateId::from_index(state));
    }
    sources
}

/// The edges of each state, unsorted: `edges[offsets[s] .. offsets[s + 1]]`. A counting sort.
fn group_by_source(state_count: usize, sources: &[StateId], edges: &[Edge]) -> (Vec<usize>, Vec<Edge>) {
    let mut offsets = vec![0; state_count + 1];
    for source in sources {
        offsets[source.index()] += 1;
    }
    let mut end = 0;
    for offset in &mut offsets {
        end += *offset;
        *offset = end;
    }
    // Each entry is the end of its row; filling the rows from behind turns it into the beginning.
    let nowhere = Edge { label: Label::TAU, target: StateId::from_raw(0) };
    let mut grouped = vec![nowhere; edges.len()];
    for (source, edge) in sources.iter().zip(edges).rev() {
        let place = &mut offsets[source.index()];
        *place -= 1;
        grouped[*place] = *edge;
    }
    (offsets, grouped)
}

/// Sorts the edges of each state, squeezes out duplicates, and empties the row of the error state.
fn sort_rows(offsets: &mut [usize], edges: &mut Vec<Edge>, error: Option<StateId>) {
    let (mut start, mut kept) = (0, 0);
    for state in 0..offsets.len() - 1 {
        let end = offsets[state + 1];
        let first = kept;
        if error.is_none_or(|error| error.index() != state) {
            if !edges[start..end].is_sorted() {
                edges[start..end].sort_unstable();
            }
            for i in start..end {
                if kept == first || edges[kept - 1] != edges[i] {
                    edges[kept] = edges[i];
                    kept += 1;
                }
            }
        }
        start = end;
        offsets[state + 1] = kept;
    }
    edges.truncate(kept);
    edges.shrink_to_fit();
}

#[cfg(test)]
mod tests {
    use rely_testkit::rng::{Rng, seeds};

    use super::*;
    use crate::operators::trim;

    #[test]
    fn transitions_come_in_any_order_and_any_number_of_times() {
        let mut alphabet = Alphabet::new();
        let a = Label::visible(alphabet.intern("a"));
        let mut builder = LtsBuilder::with_states(alphabet, 3);
        let state = StateId::from_raw;
        for (source, label, target) in
            [(2, a, 0), (0, a, 2), (0, a, 1), (2, a, 0), (0, Label::TAU, 2), (0, a, 1)]
        {
            builder.add_transition(state(source), label, state(target));
        }
        let lts = builder.build();
        let transitions: Vec<(u32, Label, u32)> =
            lts.transitions().map(|t| (t.source.raw(), t.label, t.target.raw())).collect();
        assert_eq!(transitions, [(0, Label::TAU, 2), (0, a, 1), (0, a, 2), (2, a, 0)]);
        assert_eq!(lts.edges(state(1)), []);
        assert_eq!(lts.edges_with(state(0), a).len(), 2);
    }

    /// Sources, labels and targets at random.
    fn random_transitions(rng: &mut Rng, states: usize) -> Vec<(usize, u32, usize)> {
        let count = rng.below(4 * states);
        (0..count)
            .map(|_| {
                (
                    rng.below(states),
                    u32::from(rng.chance(1, 2)) + u32::from(rng.chance(1, 2)),
                    rng.below(states),
                )
            })
            .collect()
    }

    /// The system with these transitions; the error state has none in the end.
    fn build(states: usize, transitions: &[(usize, u32, usize)], error: Option<usize>) -> Lts {
        let mut builder = LtsBuilder::with_states(["a", "b"].into_iter().collect(), states);
        for &(source, label, target) in transitions {
            let [source, target] = [source, target].map(StateId::from_index);
            builder.add_transition(source, Label::from_raw(label), target);
        }
        builder.set_error(error.map(StateId::from_index));
        builder.build()
    }

    #[test]
    fn the_order_of_random_transitions_does_not_matter() {
        for seed in seeds(500) {
            let mut rng = Rng::new(seed);
            let mut transitions = random_transitions(&mut rng, 9);
            let error = (seed % 3 == 0).then_some(4);
            let any_order = build(9, &transitions, error);
            transitions.sort_by_key(|transition| transition.0);
            assert_eq!(build(9, &transitions, error), any_order, "seed {seed}: {transitions:?}");
            transitions.sort_unstable();
            transitions.dedup();
            transitions.retain(|&(source, _, _)| Some(source) != error);
            let sorted: Vec<(usize, u32, usize)> = any_order
                .transitions()
                .map(|t| (t.source.index(), t.label.raw(), t.target.index()))
                .collect();
            assert_eq!(sorted, transitions, "seed {seed}");
        }
    }

    /// Whether the states in the order of a breadth-first search, π last, are all states in the order of their numbers.
    fn is_breadth_first(lts: &Lts) -> bool {
        let mut order = vec![lts.initial()];
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            for edge in lts.edges(state) {
                if !order.contains(&edge.target) {
                    order.push(edge.target);
                }
            }
        }
        // The sort is stable, so all others keep their order.
        order.sort_by_key(|&state| Some(state) == lts.error());
        order == lts.states().collect::<Vec<StateId>>()
    }

    #[test]
    fn trimmed_systems_are_known() {
        let mut counts = [0; 2];
        for seed in seeds(3000) {
            let mut rng = Rng::new(seed);
            let states = 1 + rng.below(5);
            let error = rng.chance(1, 2).then(|| rng.below(states));
            let lts = build(states, &random_transitions(&mut rng, states), error);
            for lts in [&lts, &trim(&lts)] {
                assert_eq!(lts.is_trimmed(), is_breadth_first(lts), "seed {seed}: {lts:?}");
                counts[usize::from(lts.is_trimmed())] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
    }
}
