//! Premises that never hold.
//!
//! If p never holds, an assertion `[](p -> q)` holds without saying anything. For every implication that is a
//! conjunct under `[]` and whose premise has no temporal operator, the searches note whether the premise held at some
//! position [Beer et al. 2001].

use std::ops::ControlFlow;

use rely_base::{Exhausted, StateId};
use rely_explore::{Composite, Graph, Search, Visitor};
use rely_omega::{AtomSet, Formula};

use super::Question;
use super::word::holds_for;
use crate::Vacuity;
use crate::observed::Observed;

/// The premises of an assertion that have not held yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Premises {
    open: Vec<Formula>,
}

impl Premises {
    /// The premises of the implications under `[]`.
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

/// Receives the letters of positions until it is done.
pub(super) trait Observer {
    /// Whether it needs no more letters.
    fn is_done(&self) -> bool;

    /// Receives the letter of a position.
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

/// Notes which premises hold at a position of a run of the behaviour whose graph is given.
pub(super) fn observe_premises<C: Composite>(
    question: &Question<'_, C>,
    graph: &Graph,
    premises: &mut Premises,
) -> Result<(), Exhausted> {
    observe(question, graph, premises)
}

/// Shows the letters of all positions of runs of the behaviour whose graph is given.
pub(super) fn observe<C: Composite>(
    question: &Question<'_, C>,
    graph: &Graph,
    observer: &mut impl Observer,
) -> Result<(), Exhausted> {
    let (letters, alphabet) = (question.letters, question.system.alphabet());
    let observed = Observed { graph, letters, alphabet, automaton: () };
    let mut watch = Watch { observed, observer };
    Search::new(&observed).run(question.budget, &mut watch)?;
    Ok(())
}

/// Passes the letters of every state to an observer, until it is done.
struct Watch<'a, O> {
    observed: Observed<'a, ()>,
    observer: &'a mut O,
}

impl<O: Observer> Visitor for Watch<'_, O> {
    fn expanded(&mut self, _state: StateId, words: &[u64], transitions: usize) -> ControlFlow<()> {
        let Observed { graph, letters, .. } = self.observed;
        let fluents = self.observed.fluents(words);
        if transitions == 0 {
            self.observer.observe(&letters.stutter_letter(&fluents));
        }
        let labels = graph.edges(self.observed.place(words)).iter().map(|edge| edge.label);
        for label in labels {
            self.observer.observe(&letters.step(&fluents, label).1);
        }
        if self.observer.is_done() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
