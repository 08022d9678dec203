//! Choices at random: does a violation have positive probability?
//!
//! Problem: let M be the network with its fluents, and let every choice of M be made at random, each alternative with some
//! positive probability. Let B be the automaton of the negated formula. With what probability does B accept the word of an
//! infinite run: 0, or more?
//!
//! Source: [Vardi 1985] and [Courcoubetis & Yannakakis 1995]. B is nondeterministic, and may guess the future. So it
//! is wrong to look for terminal components of the product of M and B: there the guesses of B would be made at
//! random, too. Instead of determinising B as a whole, we follow sets of its states inside one component of the
//! product at a time.
//!
//! Let C be a strongly connected component of the product P of M and B that has an edge and an accepting state. Write
//! post(m, S, w) for the set of the states of B that some runs of B in C lead to, which start in the states S beside the
//! state m of M and follow the path w of M from m. The *sets over C* are the pairs (m′, post(m, {q}, w)), for a state
//! (m, q) of C and the paths w from m to m′. Say that a pair is *immortal* if no path leads from it to the empty set.
//!
//! **Claim.** B accepts with positive probability if and only if, for some reachable C, some set over C is immortal.
//!
//! *Only if*: suppose none is, and take a state x of C. The sets over C from {x} on are a finite Markov chain in which
//! the empty set is reachable from everywhere; so it is reached with probability 1. That is: with probability 1 no run of B
//! that starts in x stays in C for ever. There are countably many moments at which a run may begin to stay in one of
//! finitely many components, so with probability 1 no run of B stays in such a component for ever, and none accepts.
//!
//! *If*: let (m₀, S₀) be immortal, with S₀ = post(x, w₀). From every state y of C there is a path in C that comes by an
//! accepting state and leads to x; let w(y) be its path of M, followed by w₀. So post(y, w(y)) includes S₀. Suppose that a
//! run of B has been at x when M began to take w₀. Since S₀ is immortal, and so is every set that includes it, there is at
//! every later moment a run of B that comes from there and is in some state y of C. With a probability that has a lower
//! bound, M takes w(y) next: then the run can come by an accepting state, and is at x when M begins to take w₀. With
//! probability 1 this happens infinitely often: the runs of B, one after the other, make up one that accepts. ∎
//!
//! It is enough to begin with any one state x₀ of C: a set that is reached from another state y is part of one that is
//! reached from x₀ by way of y, and what includes an immortal set is immortal.
//!
//! An accepted run is fair in choice with probability 1. So only components that `liveness.rs` finds for fair choice
//! have to be examined: their states of the network form a terminal component without a step to the error state.
//!
//! **The run that is shown** is fair to the choices of M with the sets: it enters a terminal component D of the sets over C
//! from {x₀}, and its cycle takes every edge of D. To be sure that B accepts, it follows one run of B at the same time:
//! nodes are an edge's end in D with one state of the set. By the argument above, from every node one can get to all edges
//! of D and to an accepting state; so a terminal component of the nodes has all of them.
//!
//! Complexity: for each state of M the sets of states of B at worst; for a B that is deterministic inside C, as many sets as
//! C has states. Called by `liveness.rs`.

use std::ops::ControlFlow;

use rely_base::{Alphabet, Budget, Exhausted, Id, Label, StateId};
use rely_explore::{Graph, SccIndex, StateSet, Successor, System};
use rely_lts::ComponentId;
use rely_omega::Fluents;

use super::Findings;
use super::components::Path;
use super::product::Violations;
use super::rounds::Rounds;
use crate::observed::Situation;

/// A strongly connected component of a product.
#[derive(Clone, Copy)]
pub(super) struct Component<'a> {
    pub(super) violations: &'a Violations<'a>,
    /// The states of the product.
    pub(super) states: &'a StateSet,
    pub(super) scc: &'a SccIndex,
    /// A state of the component.
    pub(super) member: StateId,
}

impl Component<'_> {
    /// Whether the automaton accepts runs that stay here with positive probability: whether some set is immortal.
    pub(super) fn is_probable(self, budget: &Budget<'_>, findings: &mut Findings) -> Result<bool, Exhausted> {
        let subsets = Subsets { component: self, follows_one: false };
        let (graph, search) = findings.explore(&subsets, budget)?;
        let scc = SccIndex::new(&graph, |_, _| true, budget, search.bytes())?;
        let terminal = scc.terminal(&graph);
        let is_immortal = |state| terminal[scc.of(state)] && !subsets.is_dead(search.states().get(state));
        Ok(graph.states().any(is_immortal))
    }

    /// A run that is fair to the choices of the network with its fluents and the sets, if the component is probable:
    /// a path from the member on, and a cycle. `None` if the cycle would be too long.
    pub(super) fn fair_run(self, budget: &Budget<'_>) -> Result<Option<(Path, Path)>, Exhausted> {
        let subsets = Subsets { component: self, follows_one: true };
        let (graph, mut search) = Graph::explore(&subsets, budget)?;
        let scc = SccIndex::new(&graph, |_, _| true, budget, search.bytes())?;
        let terminal = scc.terminal(&graph);
        let start = graph.states().find(|&state| terminal[scc.of(state)]);
        let start = start.expect("a finite graph has a terminal component");
        // Choices do not depend on the states of the automaton that are followed.
        let mut sets = StateSet::new(subsets.words() - 1);
        let places: Vec<StateId> =
            graph.states().map(|state| sets.insert(&search.states().get(state)[1..]).0).collect();
        let followed = |state: StateId| subsets.followed(search.states().get(state));
        let negation = self.violations.automaton.0;
        let accepting: Vec<bool> =
            graph.states().map(|state| negation.is_accepting(followed(state))).collect();
        let rounds = Rounds { graph: &graph, scc: &scc, places: &places, accepting: &accepting };
        let Some(cycle) = rounds.fair_cycle(start) else { return Ok(None) };
        let path = search.try_trace_to(start, budget)?;
        let place = |state: StateId| subsets.place(search.states().get(state));
        let path = path.into_iter().map(|step| (step.label, place(step.target))).collect();
        let cycle = cycle.into_iter().map(|edge| (edge.label, place(edge.target))).collect();
        Ok(Some((path, cycle)))
    }
}

/// The sets over a component, from a single state on.
///
/// A state has a word for the state of the automaton that is followed, if one is; a word for the state of the graph
/// of the network; the words of the fluents; and a bit for each state of the automaton, set if it is in the set. The
/// empty set has no steps, and its other words have no meaning.
struct Subsets<'a> {
    component: Component<'a>,
    /// Whether one run of the automaton is followed in addition to the set of all of them.
    follows_one: bool,
}

impl Subsets<'_> {
    /// Where the bits begin.
    fn bits_start(&self) -> usize {
        2 + self.component.violations.letters.fluent_count().div_ceil(64)
    }

    fn followed(&self, words: &[u64]) -> StateId {
        StateId::from_raw(u32::try_from(words[0]).expect("the word holds the number of a state"))
    }

    fn place(&self, words: &[u64]) -> StateId {
        StateId::from_raw(u32::try_from(words[1]).expect("the word holds the number of a state"))
    }

    fn members<'w>(&self, words: &'w [u64]) -> impl Iterator<Item = StateId> + use<'w> {
        let bits = words[self.bits_start()..].iter().enumerate();
        bits.flat_map(|(i, &bits)| (0..64).filter(move |j| bits >> j & 1 == 1).map(move |j| 64 * i + j))
            .map(StateId::from_index)
    }

    fn is_dead(&self, words: &[u64]) -> bool {
        words[self.bits_start()..].iter().all(|&bits| bits == 0)
    }

    /// Whether a state of the product belongs to the component.
    fn is_inside(&self, place: StateId, automaton: StateId, fluents: &Fluents, scratch: &mut [u64]) -> bool {
        let Component { violations, states, scc, member } = self.component;
        violations.write(scratch, place, automaton.raw(), fluents);
        states.find(scratch).is_some_and(|state| scc.of(state) == scc.of(member))
    }
}

/// Puts a state into the set that some bits describe.
fn insert(bits: &mut [u64], state: StateId) {
    bits[state.index() / 64] |= 1 << (state.index() % 64);
}

impl System for Subsets<'_> {
    /// The successor under construction, and a state of the product.
    type Cursor = (Vec<u64>, Vec<u64>);

    fn words(&self) -> usize {
        self.bits_start() + self.component.violations.automaton.0.state_count().div_ceil(64)
    }

    fn cursor(&self) -> Self::Cursor {
        (vec![0; self.words()], vec![0; self.component.violations.words()])
    }

    fn initial(&self, state: &mut [u64]) -> Result<(), ComponentId> {
        let Component { violations, states, member, .. } = self.component;
        let Situation { place, automaton, fluents } = violations.situation(states.get(member));
        state.fill(0);
        let (head, bits) = state.split_at_mut(self.bits_start());
        head[0] = if self.follows_one { u64::from(automaton) } else { 0 };
        head[1] = u64::from(place.raw());
        fluents.write_to(&mut head[2..]);
        insert(bits, StateId::from_raw(automaton));
        Ok(())
    }

    fn try_successors(
        &self,
        state: &[u64],
        (next, scratch): &mut Self::Cursor,
        visit: &mut impl FnMut(Label, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.is_dead(state) {
            return ControlFlow::Continue(());
        }
        let Violations { graph, letters, automaton, .. } = self.component.violations;
        let before = Fluents::from_words(&state[2..self.bits_start()]);
        for edge in graph.edges(self.place(state)) {
            let (after, letter) = letters.step(&before, edge.label);
            next.fill(0);
            let mut followers: Vec<StateId> = Vec::new();
            for member in self.members(state) {
                for target in automaton.0.successors(member, &letter) {
                    if self.is_inside(edge.target, target, &after, scratch) {
                        insert(&mut next[self.bits_start()..], target);
                        followers
                            .extend((self.follows_one && member == self.followed(state)).then_some(target));
                    }
                }
            }
            if !self.is_dead(next) {
                next[1] = u64::from(edge.target.raw());
                after.write_to(&mut next[2..self.bits_start()]);
            }
            if !self.follows_one {
                visit(edge.label, Successor::State(next))?;
            }
            for follower in followers {
                next[0] = u64::from(follower.raw());
                visit(edge.label, Successor::State(next))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn is_end(&self, _state: &[u64]) -> bool {
        true
    }

    fn alphabet(&self) -> &Alphabet {
        self.component.violations.alphabet
    }
}
