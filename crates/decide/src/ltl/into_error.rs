//! Runs into the error state: do they satisfy a formula, whatever would have followed the error?
//!
//! Problem: a run into the error state ends there, its last step included, and nothing is known of what would have come
//! next. The formula is violated if every continuation of such a run breaks it, it holds if every continuation of every
//! such run satisfies it, and otherwise there is no answer: a run has left it open.
//!
//! Idea: the search of [`Watched`], for the whole formula, or for its conjuncts one by one if its automaton is too
//! large. A run breaks a conjunction if it breaks a conjunct; so this misses only conjuncts that contradict one
//! another before one of them is broken.
//!
//! Called where no other run violates the formula, and only if the error state is reachable.

use std::ops::ControlFlow;

use rely_base::{Alphabet, Budget, Exhausted, Label, StateId};
use rely_explore::{Composite, Search, Visitor};
use rely_lts::ComponentId;
use rely_omega::Formula;

use super::finite::BreakingRun;
use super::watched::{Value, Watched};
use super::{Findings, Question};
use crate::{Counterexample, Ending};

/// A shortest run after which no continuation satisfies the conjunction of the formulas, if there is one; otherwise notes
/// a shortest run into the error state that leaves it open, if there is one.
pub(super) fn breaking_run<C: Composite>(
    question: &Question<'_, C>,
    conjuncts: &[Formula],
    findings: &mut Findings,
) -> Result<Option<Counterexample>, Exhausted> {
    let watched = Watched::of(question, conjuncts)?;
    if watched.is_broken() {
        return Ok(Some(Counterexample::new(question.system.behaviour(), Vec::new(), Ending::BadPrefix)));
    }
    let mut search = Search::new(&watched);
    let mut watch = Watch { watched: &watched, broken: None, open: None };
    let outcome = search.run(question.budget, &mut watch);
    let Watch { broken, open, .. } = watch;
    findings.explored.states += search.states().len();
    findings.explored.transitions += search.transitions();
    outcome?;
    watched.within_limits()?;
    findings.is_violated = broken.is_some();
    if let Some((source, label)) = broken {
        let run = BreakingRun::Step(source, label);
        return run.tell(question.system, &mut search, question.budget).map(Some);
    }
    let name = |step| names(question.system.alphabet(), &mut search, step, question.budget);
    findings.open = open.map(name).transpose()?;
    Ok(None)
}

/// A step into the error state: its source and its label; nothing where the initial state is the error state.
type LastStep = Option<(StateId, Label)>;

/// The actions of a shortest run with a given last step.
fn names<C: Composite>(
    alphabet: &Alphabet,
    search: &mut Search<'_, Watched<'_, C>>,
    last: LastStep,
    budget: &Budget<'_>,
) -> Result<Vec<String>, Exhausted> {
    let Some((source, label)) = last else { return Ok(Vec::new()) };
    let path = search.try_trace_to(source, budget)?.into_iter().map(|step| step.label);
    Ok(path.chain([label]).map(|label| alphabet.label_name(label).to_owned()).collect())
}

/// Looks for the nearest run into the error state that breaks a formula, or leaves one open.
struct Watch<'w, 'a, C> {
    watched: &'w Watched<'a, C>,
    broken: Option<(StateId, Label)>,
    open: Option<LastStep>,
}

impl<C: Composite> Visitor for Watch<'_, '_, C> {
    fn error(&mut self, source: Option<StateId>, label: Label, component: ComponentId) {
        let last = source.map(|source| (source, label));
        if component == self.watched.id(Value::Broken) {
            self.broken = self.broken.or(last);
        } else if component == self.watched.id(Value::Open) {
            self.open.get_or_insert(last);
        }
    }

    fn expanded(&mut self, _state: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        let done = self.broken.is_some() || self.watched.met_limit();
        if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn bytes(&self) -> usize {
        self.watched.bytes()
    }
}

#[cfg(test)]
mod tests;
