//! Premises that never hold.
//!
//! An assertion `[](p -> q)` holds without saying anything where p never holds. For every implication that is a
//! conjunct under `[]` and whose premise has no temporal operator, the searches note whether the premise held at some
//! position [Beer et al. 2001].

use std::ops::ControlFlow;

use rely_base::{Alphabet, Exhausted, Label, StateId};
use rely_explore::{Composite, Graph, Search, Successor, System, Visitor};
use rely_lts::ComponentId;
use rely_omega::{AtomSet, Fluents, Formula, Letters};

use super::Question;
use super::word::holds_for;
use crate::Vacuity;

/// The premises of an assertion that have not held yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Premises {
    open: Vec<Formula>,
}

impl Premises {
    /// The premises of the implications that are to hold always.
    pub(super) fn of(formula: &Formula) -> Self {
        let mut open = Vec::new();
        let mut pending = vec![(formula, false)];
        while let Some((formula, always)) = pending.pop() {
            match formula {
                Formula::And(left, right) => pending.extend([(&**right, always), (&**left, always)]),
                Formula::Always(operand) => pending.push((&**operand, true)),
                Formula::Implies(premise, _) if always && is_propositional(premise) => {
                    open.push((**premise).clone());
                }
                _ => {}
            }
        }
        Self { open }
    }

    /// Whether every premise has held.
    pub(super) fn is_done(&self) -> bool {
        self.open.is_empty()
    }

    /// Notes which premises hold at a position.
    pub(super) fn observe(&mut self, letter: &AtomSet) {
        self.open.retain(|premise| !holds_for(premise, letter));
    }

    /// The premises that never held.
    pub(super) fn vacuity(self) -> Vec<Vacuity> {
        self.open.into_iter().map(Vacuity::PremiseNeverHolds).collect()
    }
}

fn is_propositional(formula: &Formula) -> bool {
    let mut pending = vec![formula];
    while let Some(formula) = pending.pop() {
        match formula {
            Formula::True
            | Formula::False
            | Formula::Atom(_)
            | Formula::Not(_)
            | Formula::And(..)
            | Formula::Or(..)
            | Formula::Implies(..)
            | Formula::Iff(..) => pending.extend(formula.operands()),
            Formula::Next(_)
            | Formula::Eventually(_)
            | Formula::Always(_)
            | Formula::Until(..)
            | Formula::WeakUntil(..)
            | Formula::Release(..) => return false,
        }
    }
    true
}

/// Looks at the letters of positions until it has seen enough.
pub(super) trait Observer {
    /// Whether it has seen enough.
    fn is_done(&self) -> bool;

    /// Looks at the letter of a position.
    fn observe(&mut self, letter: &AtomSet);
}

impl Observer for Premises {
    fn is_done(&self) -> bool {
        self.is_done()
    }

    fn observe(&mut self, letter: &AtomSet) {
        self.observe(letter);
    }
}

/// Notes which premises hold at a position of a run of the network whose graph is given.
pub(super) fn observe_premises<C: Composite>(
    question: &Question<'_, C>,
    graph: &Graph,
    premises: &mut Premises,
) -> Result<(), Exhausted> {
    observe(question, graph, premises)
}

/// Shows the letters of all positions of runs of the network whose graph is given.
pub(super) fn observe<C: Composite>(
    question: &Question<'_, C>,
    graph: &Graph,
    observer: &mut impl Observer,
) -> Result<(), Exhausted> {
    let (letters, alphabet) = (question.letters, question.system.alphabet());
    let valuations = Valuations { graph, letters, alphabet };
    let mut watch = Watch { valuations, observer };
    Search::new(&valuations).run(question.budget, &mut watch)?;
    Ok(())
}

/// The product of the graph of a network and the fluents: a word with the state of the graph, then those of the
/// fluents.
#[derive(Clone, Copy)]
struct Valuations<'a> {
    graph: &'a Graph,
    letters: &'a Letters,
    alphabet: &'a Alphabet,
}

impl Valuations<'_> {
    fn place(&self, words: &[u64]) -> StateId {
        StateId::from_raw(u32::try_from(words[0]).expect("the word holds the number of a state"))
    }

    fn fluents(&self, words: &[u64]) -> Fluents {
        Fluents::from_words(&words[1..])
    }

    fn write(&self, state: &mut [u64], place: StateId, fluents: &Fluents) {
        state[0] = u64::from(place.raw());
        fluents.write_to(&mut state[1..]);
    }
}

impl System for Valuations<'_> {
    /// The successor under construction.
    type Cursor = Vec<u64>;

    fn words(&self) -> usize {
        1 + self.letters.fluent_count().div_ceil(64)
    }

    fn cursor(&self) -> Vec<u64> {
        vec![0; self.words()]
    }

    fn initial(&self, state: &mut [u64]) -> Result<(), ComponentId> {
        self.write(state, StateId::from_raw(0), &self.letters.initial());
        Ok(())
    }

    fn try_successors(
        &self,
        state: &[u64],
        next: &mut Vec<u64>,
        visit: &mut impl FnMut(Label, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let fluents = self.fluents(state);
        for edge in self.graph.edges(self.place(state)) {
            self.write(next, edge.target, &self.letters.step(&fluents, edge.label).0);
            visit(edge.label, Successor::State(next))?;
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

/// Shows the letters of every state, until the observer has seen enough.
struct Watch<'a, O> {
    valuations: Valuations<'a>,
    observer: &'a mut O,
}

impl<O: Observer> Visitor for Watch<'_, O> {
    fn expanded(&mut self, _state: StateId, words: &[u64], transitions: usize) -> ControlFlow<()> {
        let Valuations { graph, letters, .. } = self.valuations;
        let fluents = self.valuations.fluents(words);
        if transitions == 0 {
            self.observer.observe(&letters.stutter_letter(&fluents));
        }
        let labels = graph.edges(self.valuations.place(words)).iter().map(|edge| edge.label);
        for label in labels {
            self.observer.observe(&letters.step(&fluents, label).1);
        }
        if self.observer.is_done() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
