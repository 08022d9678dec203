//! Formulas that are not safety properties: does a run violate them that is fair in the required sense?
//!
//! Problem: let G be the reachable graph of the network, and B the automaton of the negated formula. Is there a run of
//! G that is fair, and whose word B accepts? `rely_omega::Fairness` says what fair may mean.
//!
//! Source: [Vardi & Wolper 1986] for the product; [Emerson & Lei 1987] for strong fairness in its components. Idea:
//! explore the product P of G, the fluents and B. **Without fairness** a violating infinite run exists if and only if some
//! reachable strongly connected component of P has an edge and an accepting state.
//!
//! **Fair choice.** Say that a set C of states of P *covers* G when for every (s, f, q) in C and every transition
//! s –a→ s′ of G, C has a transition (s, f₁, q₁) –a→ (s′, f₂, q₂) inside it.
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
//! **At random**: see `random.rs`.
//!
//! The cycle that is shown violates the formula when it is repeated for ever, and it is fair, unless a fair one would
//! be too long to be read (`rounds.rs`). A cycle that is not fair visits an accepting state of the same component; it
//! could be extended to a fair one, but it shows only how the automaton accepts.
//!
//! All formulas are checked, and of the violating runs the one with the shortest path to its cycle is shown. If a
//! formula is violated under fair choice, a bounded effort is made to find out whether choices at random would
//! satisfy all of them.
//!
//! Complexity: O(|G| × 2^fluents × |B|) time and memory. Called by `check_ltl`.

use rely_base::{Alphabet, Budget, Exhausted, Id, Limits, StateId};
use rely_explore::{Composite, Graph, SccIndex};
use rely_omega::{Buchi, Fairness, Formula};
use rustc_hash::FxHashSet;

use super::components::{Components, Path, Stay};
use super::premises::observe_premises;
use super::product::{Negation, Violations};
use super::{Findings, Question};
use crate::counterexample::{Storyteller, names_of};
use crate::reachability::ending_in;
use crate::{Counterexample, Ending};

/// Maximum number of sets of states for the additional answer about random choices: this takes less than a second.
const ASIDE: usize = 100_000;

/// A run that violates one of the formulas, if there is one.
pub(super) fn violating_run<C: Composite>(
    question: &Question<'_, C>,
    formulas: &[Formula],
    findings: &mut Findings,
) -> Result<Option<Counterexample>, Exhausted> {
    if formulas.is_empty() {
        return Ok(None);
    }
    let (graph, search) = findings.explore(question.system, question.budget)?;
    findings.note(&graph);
    if search.states().is_empty() {
        return Ok(None);
    }
    let terminal = terminal_states(&graph, question.budget, search.bytes())?;
    // The continuation of an error is not known, and so it has no probability.
    findings.is_improbable =
        question.fairness == Fairness::Choice && graph.error().is_none() && graph.cut().is_none();
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
        let (system, budget) = (question.system, question.budget);
        let story = Storyteller { system, states: search.states(), budget, held };
        let stays_in = lasso.stay.as_ref().filter(|_| question.fairness != Fairness::None);
        let recurring = stays_in.map(|stay| recurring(&graph, lasso.entry(stay), system.alphabet()));
        let mut run = tell(story, lasso, question.fairness)?;
        run.recurring = recurring.unwrap_or_default();
        run.is_shortest &= all_asked;
        findings.is_improbable &= all_asked;
        return Ok(Some(run));
    }
    if !findings.premises.is_done() {
        observe_premises(question, &graph, &mut findings.premises)?;
    }
    Ok(None)
}

impl<C: Composite> Question<'_, C> {
    /// A run that violates a formula, if there is one, with the shortest path to where it stops or stays for ever.
    fn lasso(
        &self,
        formula: &Formula,
        (graph, terminal): (&Graph, &[bool]),
        findings: &mut Findings,
    ) -> Result<Option<Lasso>, Exhausted> {
        let negation = Buchi::translate(&formula.clone().negated(), self.budget)?;
        let (letters, alphabet) = (self.letters, self.system.alphabet());
        Violations { graph, letters, alphabet, automaton: Negation(&negation) }.find(terminal, self, findings)
    }
}

/// By state of a graph, whether it belongs to a terminal component from which the error state is not reachable.
fn terminal_states(graph: &Graph, budget: &Budget<'_>, held: usize) -> Result<Vec<bool>, Exhausted> {
    let scc = SccIndex::new(graph, |_, _| true, budget, held)?;
    let terminal = scc.terminal(graph);
    Ok(graph.states().map(|state| terminal[scc.of(state)]).collect())
}

/// A run: a path to where it stops, or to where it enters the component in which it stays.
struct Lasso {
    path: Path,
    stay: Option<Stay>,
}

impl Lasso {
    /// The length of its path, then whether there is a cycle: a run that stops is preferred to one of the same length
    /// with a cycle.
    fn length(&self) -> (usize, bool) {
        (self.path.len(), self.stay.is_some())
    }

    /// The state at which its cycle begins.
    fn entry(&self, stay: &Stay) -> StateId {
        let last = stay.path.last().or(self.path.last());
        last.map_or(StateId::from_raw(0), |&(_, state)| state)
    }
}

/// The names of the actions that can still occur from a state on, in dictionary order.
fn recurring(graph: &Graph, state: StateId, alphabet: &Alphabet) -> Vec<String> {
    let (mut is_seen, mut open) = (vec![false; graph.state_count()], vec![state]);
    let mut labels = FxHashSet::default();
    is_seen[state.index()] = true;
    while let Some(state) = open.pop() {
        for edge in graph.edges(state) {
            labels.insert(edge.label);
            if edge.target.index() < is_seen.len()
                && !std::mem::replace(&mut is_seen[edge.target.index()], true)
            {
                open.push(edge.target);
            }
        }
    }
    names_of(labels, alphabet)
}

/// Builds the counterexample, with the fairness of its cycle.
fn tell<C: Composite>(
    story: Storyteller<'_, C>,
    lasso: Lasso,
    fairness: Fairness,
) -> Result<Counterexample, Exhausted> {
    let behaviour = story.system.behaviour();
    let start = StateId::from_raw(0);
    let end = |path: &Path| path.last().map_or(start, |&(_, state)| state);
    let Some(stay) = lasso.stay else {
        let trace = story.steps(start, lasso.path.iter().copied())?;
        let ending = ending_in(story.system, story.states.get(end(&lasso.path)));
        return Ok(Counterexample::new(behaviour, trace, ending));
    };
    // Another fair cycle may begin nearer to where the component is entered.
    let is_shortest = stay.path.is_empty();
    let path = [lasso.path, stay.path].concat();
    let trace = story.steps(start, path.iter().copied())?;
    let cycle = story.after(&trace).steps(end(&path), stay.cycle.iter().copied())?;
    let fair = stay.is_fair.then_some(fairness);
    Ok(Counterexample { cycle, fair, is_shortest, ..Counterexample::new(behaviour, trace, Ending::Cycle) })
}

impl Violations<'_> {
    /// A violating run that enters its last state, or else its component, as early as possible.
    fn find<C: Composite>(
        &self,
        terminal: &[bool],
        question: &Question<'_, C>,
        findings: &mut Findings,
    ) -> Result<Option<Lasso>, Exhausted> {
        let Question { fairness, budget, .. } = *question;
        let (product, mut search) = findings.explore(self, budget)?;
        let situation = |state: StateId| self.situation(search.states().get(state));
        let places: Vec<StateId> = product.states().map(|state| situation(state).place).collect();
        let accepting: Vec<bool> =
            product.states().map(|state| self.is_accepting(&situation(state))).collect();
        let scc = SccIndex::new(&product, |_, _| true, budget, search.bytes() + self.graph.bytes())?;
        let components = Components {
            violations: self,
            product: &product,
            states: search.states(),
            scc: &scc,
            places: &places,
            accepting: &accepting,
        };
        let stopping = product.states().find(|&state| self.stuttering_violates(&situation(state)));
        let mut entries = components.entries(fairness, terminal);
        // The data for the components are held in addition to the product.
        let held = search.bytes() + product.bytes() + self.graph.bytes();
        let rest = budget.after_holding(held);
        if findings.is_improbable && (stopping.is_some() || !entries.is_empty()) {
            let modest = rest.narrowed(Limits { states: Some(ASIDE), bytes: None });
            let probable = components.first_probable(&entries, &modest, &mut Findings::default());
            findings.is_improbable = stopping.is_none() && probable == Ok(None);
        }
        let is_nearer = |entry: &StateId| {
            stopping.is_none_or(|stopping| search.distance(*entry) < search.distance(stopping))
        };
        entries.retain(is_nearer);
        let recurring = match fairness {
            Fairness::None | Fairness::Choice => entries.first().copied(),
            Fairness::Random => components.first_probable(&entries, &rest, findings)?,
        };
        let Some(state) = recurring.or(stopping) else { return Ok(None) };
        findings.is_violated = true;
        let stay = recurring.map(|entry| components.stay(entry, fairness, &rest));
        let path = search.try_trace_to(state, budget)?.into_iter();
        let path = path.map(|step| (step.label, places[step.target.index()])).collect();
        Ok(Some(Lasso { path, stay }))
    }
}
