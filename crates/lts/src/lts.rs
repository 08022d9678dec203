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

impl Lts {
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

    /// All transitions, sorted by source, label and target.
    pub fn transitions(&self) -> impl Iterator<Item = Transition> + '_ {
        self.states().flat_map(move |source| {
            self.edges(source).iter().map(move |edge| Transition {
                source,
                label: edge.label,
                target: edge.target,
            })
        })
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

    /// Bytes held by the transition tables.
    pub fn bytes(&self) -> usize {
        self.offsets.capacity() * size_of::<usize>() + self.edges.capacity() * size_of::<Edge>()
    }
}

/// Collects the states and transitions of an [`Lts`], in any order.
#[derive(Clone, Debug)]
pub struct LtsBuilder {
    alphabet: Alphabet,
    initial: StateId,
    error: Option<StateId>,
    end: Option<StateId>,
    state_count: usize,
    transitions: Vec<Transition>,
}

impl LtsBuilder {
    /// A system with no states yet; state 0 will be initial unless said otherwise.
    pub fn new(alphabet: Alphabet) -> Self {
        Self {
            alphabet,
            initial: StateId::from_raw(0),
            error: None,
            end: None,
            state_count: 0,
            transitions: Vec::new(),
        }
    }

    /// A system with as many states as said.
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

    /// The error state, which is added when it is asked for the first time.
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

    /// A new transition between states that exist.
    pub fn add_transition(&mut self, source: StateId, label: Label, target: StateId) {
        debug_assert!(source.index() < self.state_count && target.index() < self.state_count);
        debug_assert!(Some(source) != self.error, "the error state has no transitions");
        self.transitions.push(Transition { source, label, target });
    }

    /// The system. A system without states gets one, so that there is an initial state.
    ///
    /// Transitions out of the error state are dropped: nothing happens after an error.
    pub fn build(mut self) -> Lts {
        self.state_count = self.state_count.max(1);
        if let Some(error) = self.error {
            self.transitions.retain(|transition| transition.source != error);
        }
        let (offsets, edges) = group_by_source(self.state_count, &self.transitions);
        Lts {
            alphabet: self.alphabet,
            initial: self.initial,
            error: self.error,
            end: self.end,
            offsets,
            edges,
        }
    }
}

/// The edges of each state, sorted and each once: `edges[offsets[s] .. offsets[s + 1]]`.
///
/// A counting sort by source, then a sort of the few edges of each state: linear but for the degrees.
fn group_by_source(state_count: usize, transitions: &[Transition]) -> (Vec<usize>, Vec<Edge>) {
    let mut next = vec![0; state_count + 1];
    for transition in transitions {
        next[transition.source.index() + 1] += 1;
    }
    for state in 0..state_count {
        next[state + 1] += next[state];
    }
    let nowhere = Edge { label: Label::TAU, target: StateId::from_raw(0) };
    let mut edges = vec![nowhere; transitions.len()];
    for transition in transitions {
        let place = &mut next[transition.source.index()];
        edges[*place] = Edge { label: transition.label, target: transition.target };
        *place += 1;
    }
    // Each entry of `next` is now where the edges of its state end; duplicates are squeezed out on the way.
    let mut offsets = vec![0; state_count + 1];
    let (mut start, mut kept) = (0, 0);
    for state in 0..state_count {
        let end = next[state];
        edges[start..end].sort_unstable();
        let first = kept;
        for i in start..end {
            if kept == first || edges[kept - 1] != edges[i] {
                edges[kept] = edges[i];
                kept += 1;
            }
        }
        start = end;
        offsets[state + 1] = kept;
    }
    edges.truncate(kept);
    (offsets, edges)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
