//! Localisation: as few parts as the goal needs.
//!
//! **Problem.** Whether a goal can fail, without looking at the parts that have nothing to do with it, although they are
//! connected with it.
//!
//! **Source.** Localisation reduction [Kurshan 1994], guided by counterexamples [Clarke et al. 2000].
//!
//! **Idea.** A part that is left out refuses nothing, so what cannot fail without it cannot fail with it. Begin with the
//! goal alone. A run that fails is shown to the parts outside: one that refuses it is taken in, and it starts again. Of
//! several that refuse it, the one is taken after which failures are furthest away.
//!
//! **Invariants.** The parts inside let the goal fail after more sequences of actions than the whole does, and each one that
//! was taken in has refused one of these.
//!
//! **Complexity.** At most one search for each part that is taken in, and a few short ones to choose it; the last one is
//! of the product of those inside, where actions of parts outside are free to occur.
//!
//! **Callers.** `auto`.

use rely_base::{Budget, Exhausted, Limits, Resource};
use rely_decide::{Counterexample, SafetySearch, Unknown, Verdict};
use rely_explore::Product;
use rely_lts::Component;

use crate::problem::alphabet_of;
use crate::realise::realisable;
use crate::{Effort, Outcome, Problem, Unrealised};

/// A localisation under way.
#[derive(Clone, Debug)]
pub struct Localisation {
    /// By part, whether it has been taken in.
    is_inside: Vec<bool>,
    /// The limit that the last search met.
    met: Option<Exhausted>,
}

/// How many parts that refuse a run are looked at more closely.
const CANDIDATES: usize = 12;

/// How many states are looked at to find out how far away failures are with a candidate.
const LOOKAHEAD: usize = 1 << 11;

impl Localisation {
    /// A localisation that has not begun.
    pub fn new(problem: &Problem) -> Self {
        Self { is_inside: vec![false; problem.parts.len()], met: None }
    }

    /// The parts that have been taken in, by number.
    pub fn inside(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.is_inside.len()).filter(|&part| self.is_inside[part])
    }

    /// Goes on until there is an answer, or searches have looked at so many states and transitions. After a limit was met
    /// it can be called again, and needs a larger one.
    ///
    /// # Errors
    /// A limit, or a mistake in the program.
    pub fn run_for(
        &mut self,
        mut work: usize,
        problem: &Problem,
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Result<Outcome, Unrealised> {
        if let Some(met) = self.met.take_if(|met| met.states >= budget.max_states().min(work)) {
            self.met = Some(met.clone());
            return Err(Unrealised::Exhausted(met));
        }
        loop {
            let run = match self.search(problem, None, &mut work, budget, effort) {
                Ok(None) => return Ok(Outcome::Proved),
                Ok(Some(run)) => run,
                Err(unrealised) => {
                    if let Unrealised::Exhausted(exhausted) = &unrealised {
                        self.met = Some(exhausted.clone());
                    }
                    return Err(unrealised);
                }
            };
            let trace: Vec<String> =
                run.trace_names().into_iter().filter(|&name| name != "tau").map(str::to_owned).collect();
            match self.helpful(problem, &trace, &mut work, budget, effort)? {
                Some(part) => self.is_inside[part] = true,
                None => {
                    // Nobody refuses it alone; perhaps nobody does.
                    let inside: Vec<Component> =
                        self.inside().map(|part| problem.parts[part].clone()).collect();
                    let known: Vec<Component> =
                        inside.into_iter().chain(problem.goal.components.clone()).collect();
                    let alphabet = alphabet_of(&known);
                    match realisable(&problem.components(), &trace, &alphabet, budget, effort)? {
                        Some(run) => return Ok(Outcome::Refuted(Box::new(run))),
                        None => self.take_in_neighbours(problem, &trace),
                    }
                }
            }
        }
    }

    /// A run of those inside, and perhaps one more, that fails, if there is one.
    fn search(
        &self,
        problem: &Problem,
        more: Option<usize>,
        work: &mut usize,
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Result<Option<Counterexample>, Unrealised> {
        let parts = self.inside().chain(more).map(|part| problem.parts[part].clone()).collect();
        let network = Problem { parts, goal: problem.goal.clone() }.network();
        let product = Product::transparent(&network);
        let mut search = SafetySearch::new(&product);
        let narrow = budget.narrowed(Limits { states: Some(*work), bytes: None });
        let decision = search.run_until(usize::MAX, &narrow).map_err(Unrealised::Mistake)?;
        effort.held(search.states());
        let read: usize = network.components().iter().map(|part| part.lts.transition_count()).sum();
        *work = work.saturating_sub(read / 4 + search.states() + search.transitions());
        match decision.expect("it goes on until there is a decision").verdict {
            Verdict::Holds(_) => Ok(None),
            Verdict::Violated(run) => Ok(Some(*run)),
            Verdict::Unknown(Unknown::Exhausted(exhausted)) => Err(Unrealised::Exhausted(exhausted)),
            Verdict::Unknown(Unknown::ErrorReachable) => unreachable!("safety does not depend on itself"),
        }
    }

    /// Of the parts outside that refuse a run, the one after which failures are furthest away.
    fn helpful(
        &self,
        problem: &Problem,
        trace: &[String],
        work: &mut usize,
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Result<Option<usize>, Unrealised> {
        let outside = (0..problem.parts.len()).filter(|&part| !self.is_inside[part]);
        let mut refusing: Vec<usize> =
            outside.filter(|&part| !crate::reduce::accepts(&problem.parts[part].lts, trace)).collect();
        let size = |part: usize| {
            let lts = &problem.parts[part].lts;
            (lts.state_count(), lts.transition_count())
        };
        refusing.sort_by_key(|&part| size(part));
        // Parts of the same size are copies of each other, as far as can be seen here.
        refusing.dedup_by_key(|part| size(*part));
        refusing.truncate(CANDIDATES);
        if refusing.len() < 2 {
            return Ok(refusing.pop());
        }
        let mut best: Option<(usize, usize)> = None;
        for &part in &refusing {
            let narrow = budget.narrowed(Limits { states: Some(LOOKAHEAD), bytes: None });
            let mut allowed = *work;
            let distance = match self.search(problem, Some(part), &mut allowed, &narrow, effort) {
                Ok(None) => return Ok(Some(part)),
                Ok(Some(run)) => run.trace.len(),
                // Further away than can be seen.
                Err(Unrealised::Exhausted(Exhausted { resource: Resource::States, .. })) => usize::MAX,
                Err(unrealised) => return Err(unrealised),
            };
            *work = allowed;
            if best.is_none_or(|(furthest, _)| distance > furthest) {
                best = Some((distance, part));
            }
        }
        Ok(best.map(|(_, part)| part))
    }

    /// Takes in all parts that have a say in a run.
    fn take_in_neighbours(&mut self, problem: &Problem, trace: &[String]) {
        let mut some = false;
        for (part, is_inside) in self.is_inside.iter_mut().enumerate() {
            let alphabet = problem.parts[part].lts.alphabet();
            if !*is_inside && trace.iter().any(|name| alphabet.contains(name)) {
                *is_inside = true;
                some = true;
            }
        }
        if !some {
            self.is_inside.fill(true);
        }
    }
}
