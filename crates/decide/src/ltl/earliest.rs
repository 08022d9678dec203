//! Shortest traces: is the formula broken before the other searches can notice it?
//!
//! Problem: a run violates the formula. Is there a shorter one after which the formula is broken, however it goes on,
//! or that stops and breaks it? The other searches may miss it. That of `safety.rs` takes the conjuncts one by one,
//! which may contradict one another before one of them is broken, and its monitors assume that any propositions may
//! hold at once. That of `liveness.rs` looks for runs that never end, and `(p W q) -> r` can be broken by such a run
//! and, once q has occurred, by a finite one.
//!
//! Idea: first without the network. Most formulas cannot be broken by any finite sequence of actions that the search
//! before would have missed, and for them nothing is left to do. For the others, breadth-first search of the network
//! in parallel with the whole formula ([`Watched`]), only as deep as the known run. If the automaton of the whole
//! formula is large, its conjuncts take its place; this misses only conjuncts that contradict one another before one
//! is broken.
//!
//! If a limit is met, the known run is marked: there may be a shorter one. Complexity: as for safety formulas. Called
//! when a violation was found.

use std::ops::ControlFlow;

use rely_base::{Exhausted, Label, StateId};
use rely_explore::{Composite, Search, Visitor};
use rely_lts::ComponentId;
use rely_omega::{Formula, Monitor, Outlook};

use super::finite::{BreakingRun, Levels};
use super::watched::{Value, Watched};
use super::{Findings, Question};
use crate::{Counterexample, Ending};

/// What the earlier search cannot have missed.
pub(super) struct Seen<'a> {
    /// Conjuncts of the formula: runs that their monitors call bad.
    pub(super) prefixes: &'a [Formula],
    /// The other conjuncts that may be broken.
    pub(super) others: &'a [Formula],
    /// Whether all runs that stop have been examined.
    pub(super) stops: bool,
}

/// A run that violates the formula, or a shorter one if there is one.
pub(super) fn earliest<C: Composite>(
    question: &Question<'_, C>,
    seen: &Seen<'_>,
    known: Counterexample,
    findings: &mut Findings,
) -> Counterexample {
    // A run without a cycle is preferred to a run of the same length with one.
    let bound = known.trace.len() + usize::from(!known.cycle.is_empty());
    if bound == 0 {
        return known;
    }
    match shorter(question, seen, bound, findings) {
        Ok(Some(shorter)) => shorter,
        Ok(None) => known,
        Err(_) => Counterexample { is_shortest: false, ..known },
    }
}

/// A shortest run of fewer than `bound` steps that breaks the formula, if there is one.
fn shorter<C: Composite>(
    question: &Question<'_, C>,
    seen: &Seen<'_>,
    bound: usize,
    findings: &mut Findings,
) -> Result<Option<Counterexample>, Exhausted> {
    if seen.stops && !breaks_unseen(question, seen)? {
        return Ok(None);
    }
    let (system, budget) = (question.system, question.budget);
    let conjuncts = [seen.prefixes, seen.others].concat();
    let watched = Watched::of(question, &conjuncts)?;
    if watched.is_broken() {
        return Ok(Some(Counterexample::new(system.behaviour(), Vec::new(), Ending::BadPrefix)));
    }
    let mut search = Search::new(&watched);
    let mut watch = Watch { watched: &watched, bound, found: None, levels: Levels::new() };
    let outcome = search.run(budget, &mut watch);
    let found = watch.found;
    findings.explored.states += search.states().len();
    findings.explored.transitions += search.transitions();
    outcome?;
    watched.within_limits()?;
    found.map(|run| run.tell(system, &mut search, budget)).transpose()
}

/// Whether some sequence of actions breaks the formula in a way that the earlier search has missed; also true if
/// finding out is too expensive.
fn breaks_unseen<C: Composite>(question: &Question<'_, C>, seen: &Seen<'_>) -> Result<bool, Exhausted> {
    let letters = question.letters;
    let budget = question.modest_budget();
    let monitor = |formula| Monitor::new(formula, question.budget);
    let whole = question.short_formula().map(|formula| Outlook::new(formula, letters, &budget));
    if let Some(Ok(mut whole)) = whole {
        let mut monitors = seen.prefixes.iter().map(monitor).collect::<Result<Vec<Monitor>, _>>()?;
        return Ok(whole.breaks_unseen(&mut monitors, letters, &budget).unwrap_or(true));
    }
    for (formulas, is_watched) in [(seen.prefixes, true), (seen.others, false)] {
        for formula in formulas {
            let mut outlook = Outlook::new(formula, letters, question.budget)?;
            let mut own = if is_watched { vec![monitor(formula)?] } else { Vec::new() };
            if outlook.breaks_unseen(&mut own, letters, &budget).unwrap_or(true) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Looks for the nearest run that breaks the formula.
struct Watch<'w, 'a, C> {
    watched: &'w Watched<'a, C>,
    /// Only shorter runs count.
    bound: usize,
    found: Option<BreakingRun>,
    levels: Levels,
}

impl<C: Composite> Visitor for Watch<'_, '_, C> {
    fn discovered(&mut self, _state: StateId, _words: &[u64]) {
        self.levels.discover();
    }

    fn error(&mut self, source: Option<StateId>, label: Label, component: ComponentId) {
        if let Some(source) = source
            && component == self.watched.id(Value::Broken)
            && self.levels.distance + 1 < self.bound
        {
            self.found.get_or_insert(BreakingRun::Step(source, label));
        }
    }

    fn expanded(&mut self, state: StateId, words: &[u64], transitions: usize) -> ControlFlow<()> {
        if self.watched.met_limit() {
            return ControlFlow::Break(());
        }
        if transitions == 0 && self.watched.breaks_by_stuttering(words) {
            self.found = Some(BreakingRun::Stop(state));
            return ControlFlow::Break(());
        }
        let level_ends = self.levels.end_with(state);
        let enough = self.found.is_some() || self.levels.distance >= self.bound;
        match level_ends && enough {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn bytes(&self) -> usize {
        self.watched.bytes()
    }
}
