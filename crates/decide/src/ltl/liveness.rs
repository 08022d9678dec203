//! Formulas that are not safety properties: is there a fair run that violates them?
//!
//! Problem: let G be the reachable graph of the network, and B the automaton of the negated formula. Is there a run of
//! G that is fair in choice, and whose word B accepts?
//!
//! Source: [Vardi & Wolper 1986] for the product; [Emerson & Lei 1987] for strong fairness in its components. Idea:
//! explore the product P of G, the fluents and B. Say that a set C of states of P *covers* G when for every (s, f, q)
//! in C and every transition s –a→ s′ of G, C has a transition (s, f₁, q₁) –a→ (s′, f₂, q₂) inside it.
//!
//! **Claim.** A violating infinite run exists if and only if some reachable strongly connected component C of P has a
//! transition inside it, has an accepting state of B in it, covers G, and no state of G in it leads to the error state.
//!
//! *If*: go to C and then take all its transitions again and again. B accepts. The states of G that occur infinitely
//! often are those in C, and since C covers G each of their transitions is taken infinitely often: the run is fair.
//!
//! *Only if*: the states of P that an accepting run visits infinitely often lie in one component C, which has a
//! transition inside and an accepting state. Let S be the states of G that occur infinitely often. By fairness every
//! transition of a state of S is taken infinitely often; so it leads to S, it does not lead to the error state, and
//! some transition of P inside C has it as its projection. As S is closed under transitions, and all of C is reachable
//! from a part of C over S, all states of G in C belong to S. So C covers G. ∎
//!
//! It also follows that the states of G in C form a terminal component of G, all of it: so only components over
//! terminal components of G need a closer look.
//!
//! The cycle that is shown is a short one through an accepting state: repeated for ever it violates the formula, and
//! any transitions that it leaves out can be woven in.
//!
//! Of several formulas all are asked for, and the run with the shortest way to its cycle is shown.
//!
//! Complexity: O(|G| × 2^fluents × |B|) time and memory. Called by `check_ltl`.

use std::ops::ControlFlow;

use rely_base::{Alphabet, Budget, Exhausted, Id, Label, StateId};
use rely_explore::{Graph, SccIndex, Successor, System};
use rely_lts::{ComponentId, Edge, Transition};
use rely_omega::{AtomSet, Buchi, Fluents, Formula, Letters};

use super::premises::observe_premises;
use super::{Findings, Question};
use crate::counterexample::Storyteller;
use crate::reachability::ending_in;
use crate::{Counterexample, Ending};

/// A run that violates one of the formulas, if there is one.
pub(super) fn violating_run(
    question: &Question<'_, '_>,
    formulas: &[Formula],
    findings: &mut Findings,
) -> Result<Option<Counterexample>, Exhausted> {
    if formulas.is_empty() {
        return Ok(None);
    }
    let (graph, search) = findings.explore(question.product, question.budget)?;
    findings.error_reachable |= graph.error().is_some();
    if search.states().is_empty() {
        return Ok(None);
    }
    let terminal = terminal_states(&graph, question.budget, search.bytes())?;
    let (mut found, mut all_asked): (Option<Lasso>, bool) = (None, true);
    for formula in formulas {
        match question.lasso(formula, (&graph, &terminal), findings) {
            Ok(lasso) => found = found.into_iter().chain(lasso).min_by_key(Lasso::length),
            Err(exhausted) if found.is_none() => return Err(exhausted),
            Err(_) => all_asked = false,
        }
    }
    if let Some(lasso) = found {
        let held = search.bytes() + graph.bytes();
        let (product, budget) = (question.product, question.budget);
        let story = Storyteller { product, states: search.states(), budget, held };
        return Ok(Some(Counterexample { is_shortest: all_asked, ..tell(story, &lasso)? }));
    }
    if !findings.premises.is_done() {
        observe_premises(question, &graph, &mut findings.premises)?;
    }
    Ok(None)
}

impl Question<'_, '_> {
    /// A run that violates a formula, if there is one, with the shortest way to where it stops or stays for ever.
    fn lasso(
        &self,
        formula: &Formula,
        (graph, terminal): (&Graph, &[bool]),
        findings: &mut Findings,
    ) -> Result<Option<Lasso>, Exhausted> {
        let negation = &Buchi::translate(&formula.clone().negated(), self.budget)?;
        let (letters, alphabet) = (self.letters, self.product.alphabet());
        Violations { graph, letters, negation, alphabet }.find(terminal, self, findings)
    }
}

/// By state of a graph, whether it belongs to a terminal component from which the error state is not reachable.
fn terminal_states(graph: &Graph, budget: &Budget<'_>, held: usize) -> Result<Vec<bool>, Exhausted> {
    let scc = SccIndex::new(graph, |_, _| true, budget, held)?;
    let terminal = scc.terminal(graph);
    Ok(graph.states().map(|state| terminal[scc.of(state)]).collect())
}

/// A run as a path in the graph of the network, and a path back from its end; empty when the run stutters there.
struct Lasso {
    path: Vec<(Label, StateId)>,
    cycle: Vec<(Label, StateId)>,
}

impl Lasso {
    /// The length of its path, then whether there is a cycle: a run that stops says more than one of the same length that
    /// goes on.
    fn length(&self) -> (usize, bool) {
        (self.path.len(), !self.cycle.is_empty())
    }
}

fn tell(story: Storyteller<'_, '_>, lasso: &Lasso) -> Result<Counterexample, Exhausted> {
    let start = StateId::from_raw(0);
    let turn = lasso.path.last().map_or(start, |&(_, state)| state);
    let trace = story.steps(start, lasso.path.iter().copied())?;
    let ending = match lasso.cycle.is_empty() {
        true => ending_in(story.product, story.states.get(turn)),
        false => Ending::Cycle,
    };
    let cycle = story.after(&trace).steps(turn, lasso.cycle.iter().copied())?;
    Ok(Counterexample { cycle, ..Counterexample::new(story.product.network(), trace, ending) })
}

/// The product of the graph of a network, the fluents, and the automaton of a negated formula.
///
/// A state is a word with the state of the graph in its lower half and that of the automaton in the upper one, then
/// the words of the fluents. Before the first letter the automaton is in a state of its own, which stands for all its
/// initial states.
#[derive(Clone, Copy)]
struct Violations<'a> {
    graph: &'a Graph,
    letters: &'a Letters,
    negation: &'a Buchi,
    alphabet: &'a Alphabet,
}

/// A state of [`Violations`], taken apart.
struct Situation {
    place: StateId,
    automaton: StateId,
    fluents: Fluents,
}

impl Violations<'_> {
    /// A violating run that enters its last state, or else its component, as early as possible.
    fn find(
        &self,
        terminal: &[bool],
        question: &Question<'_, '_>,
        findings: &mut Findings,
    ) -> Result<Option<Lasso>, Exhausted> {
        let (product, mut search) = findings.explore(self, question.budget)?;
        let situation = |state: StateId| self.situation(search.states().get(state));
        let places: Vec<StateId> = product.states().map(|state| situation(state).place).collect();
        let scc = SccIndex::new(&product, |_, _| true, question.budget, search.bytes() + self.graph.bytes())?;
        let accepting: Vec<bool> =
            product.states().map(|state| self.is_accepting(&situation(state))).collect();
        let covering = Covering { graph: self.graph, product: &product, scc: &scc, places: &places };
        let violating = covering.violating(&accepting, terminal);
        let stopping = product.states().find(|&state| self.stuttering_violates(&situation(state)));
        let recurring = product.states().find(|&state| violating[scc.of(state)]);
        let found = stopping.into_iter().chain(recurring).min_by_key(|&state| search.distance(state));
        let Some(state) = found else { return Ok(None) };
        let cycle = match found == stopping {
            true => Vec::new(),
            false => accepting_cycle(&product, &scc, &accepting, state),
        };
        findings.is_violated = true;
        let path = search.try_trace_to(state, question.budget)?;
        let place = |label: Label, state: StateId| (label, places[state.index()]);
        Ok(Some(Lasso {
            path: path.into_iter().map(|step| place(step.label, step.target)).collect(),
            cycle: cycle.into_iter().map(|edge| place(edge.label, edge.target)).collect(),
        }))
    }

    fn situation(&self, words: &[u64]) -> Situation {
        let half =
            |word: u64| StateId::from_raw(u32::try_from(word & u64::from(u32::MAX)).expect("half a word"));
        let fluents = Fluents::from_words(&words[1..]);
        Situation { place: half(words[0]), automaton: half(words[0] >> 32), fluents }
    }

    fn write(&self, state: &mut [u64], place: StateId, automaton: StateId, fluents: &Fluents) {
        state[0] = u64::from(place.raw()) | u64::from(automaton.raw()) << 32;
        fluents.write_to(&mut state[1..]);
    }

    /// The state of the automaton before the first letter.
    fn start(&self) -> StateId {
        StateId::from_index(self.negation.state_count())
    }

    /// The states of the automaton that a state stands for.
    fn automaton_states<'s>(&'s self, state: &'s StateId) -> &'s [StateId] {
        if *state == self.start() { self.negation.initial() } else { std::slice::from_ref(state) }
    }

    fn is_accepting(&self, situation: &Situation) -> bool {
        situation.automaton != self.start() && self.negation.is_accepting(situation.automaton)
    }

    /// Whether the network stops here, and stuttering for ever violates the formula.
    fn stuttering_violates(&self, Situation { place, automaton, fluents }: &Situation) -> bool {
        let stops = self.graph.edges(*place).is_empty() && !self.graph.is_failing(*place);
        let accepts = |letter: &AtomSet| {
            self.automaton_states(automaton).iter().any(|&state| self.negation.accepts_forever(state, letter))
        };
        stops && accepts(&self.letters.stutter_letter(fluents))
    }
}

impl System for Violations<'_> {
    /// The successor under construction.
    type Cursor = Vec<u64>;

    fn words(&self) -> usize {
        1 + self.letters.fluent_count().div_ceil(64)
    }

    fn cursor(&self) -> Vec<u64> {
        vec![0; self.words()]
    }

    fn initial(&self, state: &mut [u64]) -> Result<(), ComponentId> {
        self.write(state, StateId::from_raw(0), self.start(), &self.letters.initial());
        Ok(())
    }

    fn try_successors(
        &self,
        state: &[u64],
        next: &mut Vec<u64>,
        visit: &mut impl FnMut(Label, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Situation { place, automaton, fluents } = self.situation(state);
        for edge in self.graph.edges(place) {
            let (after, letter) = self.letters.step(&fluents, edge.label);
            for &from in self.automaton_states(&automaton) {
                for to in self.negation.successors(from, &letter) {
                    self.write(next, edge.target, to, &after);
                    visit(edge.label, Successor::State(next))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn is_end(&self, _state: &[u64]) -> bool {
        true
    }

    fn alphabet(&self) -> &Alphabet {
        self.alphabet
    }
}

/// Looks for the components that the claim above speaks of.
struct Covering<'a> {
    graph: &'a Graph,
    product: &'a Graph,
    scc: &'a SccIndex,
    /// By state of the product, the state of the graph.
    places: &'a [StateId],
}

impl Covering<'_> {
    /// By component of the product, whether it is accepting and covers the graph.
    fn violating(&self, accepting: &[bool], terminal: &[bool]) -> Vec<bool> {
        let mut violating = vec![false; self.scc.count()];
        for state in self.product.states().filter(|state| accepting[state.index()]) {
            violating[self.scc.of(state)] |= terminal[self.places[state.index()].index()];
        }
        let mut members: Vec<(usize, StateId)> = self
            .product
            .states()
            .map(|state| (self.scc.of(state), state))
            .filter(|&(c, _)| violating[c])
            .collect();
        members.sort_unstable();
        for component in members.chunk_by(|one, other| one.0 == other.0) {
            violating[component[0].0] = self.covers(component);
        }
        violating
    }

    /// Whether a component, given by its states, has every transition that its states have in the graph.
    fn covers(&self, component: &[(usize, StateId)]) -> bool {
        let mut places: Vec<StateId> =
            component.iter().map(|(_, state)| self.places[state.index()]).collect();
        sort_distinct(&mut places);
        let mut wanted: Vec<Transition> = places
            .iter()
            .flat_map(|&source| {
                self.graph.edges(source).iter().map(move |edge| transition(source, edge.label, edge.target))
            })
            .collect();
        sort_distinct(&mut wanted);
        let mut present: Vec<Transition> = Vec::new();
        for &(number, state) in component {
            let inside = self.product.edges(state).iter().filter(|edge| self.scc.of(edge.target) == number);
            let place = |state: StateId| self.places[state.index()];
            present.extend(inside.map(|edge| transition(place(state), edge.label, place(edge.target))));
        }
        sort_distinct(&mut present);
        !present.is_empty() && present == wanted
    }
}

fn transition(source: StateId, label: Label, target: StateId) -> Transition {
    Transition { source, label, target }
}

fn sort_distinct<T: Ord>(items: &mut Vec<T>) {
    items.sort_unstable();
    items.dedup();
}

/// A short cycle from a state through an accepting state of its component.
fn accepting_cycle(product: &Graph, scc: &SccIndex, accepting: &[bool], state: StateId) -> Vec<Edge> {
    let inside = |source: StateId, edge: &Edge| scc.of(source) == scc.of(edge.target);
    let back = |from: StateId| {
        let cycle = product.shortest_path(from, inside, |_, edge| edge.target == state);
        cycle.expect("the states of a component reach one another")
    };
    if accepting[state.index()] {
        return back(state);
    }
    let there = product.shortest_path(state, inside, |_, edge| accepting[edge.target.index()]);
    let mut cycle = there.expect("the component has an accepting state");
    let last = cycle.last().expect("a path has at least one edge").target;
    cycle.extend(back(last));
    cycle
}
