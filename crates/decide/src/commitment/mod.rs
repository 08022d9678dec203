//! Commitments: temporal statements about programs, under assumptions and fairness to processes.
//!
//! **Problem.** Does every run of a program that is fair to its processes and meets all assumptions satisfy the claim?
//!
//! **Idea.** The product of the program with an automaton for each assumption and one for the violations of the claim has an
//! accepting run exactly if not [Vardi & Wolper 1986]. The automata of templates are deterministic, and their complements
//! are their duals; those of formulas are made of the formula and its negation. The reachable part of the product is searched
//! for a fair accepting lasso by decomposition into strongly connected components ([`rely_omega::accepting_lasso`]).
//!
//! Where a run leaves the bounds of what is explored, or a unit fails, after a prefix that the assumptions allow, the answer is
//! unknown unless another run breaks the claim.
//!
//! Every lasso is replayed step by step, and its word is judged straight from the definitions (`word.rs`). Evidence for what
//! holds is made in `certify/commitment.rs`.

pub(crate) mod prefix;
pub(crate) mod product;
mod word;

pub use prefix::holds_one_step_longer;

use std::ops::ControlFlow;

use rely_base::{Budget, Exhausted, Id, Label, StateId};
use rely_explore::{Graph, Machine, Search, System};
use rely_lts::{BehaviourRef, ComponentId, Observation, Program};
use rely_omega::{
    Acceptance, AtomId, AtomSet, Automaton, Colours, Commitment, Formula, Lasso, Scheduling, Statement,
    Template, accepting_lasso,
};

use self::product::{Coloured, Kind, Reader, Situations};
use crate::counterexample::Storyteller;
use crate::reachability::ending_in;
use crate::{Counterexample, Decision, Ending, Explored, ReplayError, Unknown, Vacuity};

/// Checks that a program keeps a commitment.
///
/// # Errors
/// A counterexample that could not be replayed: a mistake in the program.
pub fn check_commitment(
    program: &Program,
    commitment: &Commitment<Observation>,
    scheduling: &Scheduling,
    budget: &Budget<'_>,
) -> Result<Decision, ReplayError> {
    let machine = Machine::transparent(program);
    let question = Question { machine: &machine, commitment, scheduling, budget };
    let found = match question.search(true) {
        Ok(found) => found,
        Err(exhausted) => return Ok(Decision::exhausted(exhausted)),
    };
    let explored = found.explored;
    let run = match (found.run, found.failing_run) {
        (Some(run), _) => run,
        (None, Some(failing)) if question.is_about_failures() => {
            return Decision::violated(BehaviourRef::Program(program), failing, explored, budget);
        }
        (None, Some(_)) => return Ok(Decision::unknown(Unknown::FailureReachable, explored)),
        (None, None) => {
            let escape = match found.cut {
                Some(unit) => Ok(Some(Unknown::Cut(unit))),
                None => question.escape_beside_formulas(),
            };
            return Ok(match escape {
                Ok(Some(unknown)) => Decision::unknown(unknown, explored),
                Ok(None) => Decision::holds(explored, question.vacuity()),
                Err(exhausted) => Decision::exhausted(exhausted),
            });
        }
    };
    if let Ok(run) = &run
        && let Some(reason) = word::objection(program, (commitment, scheduling), run)
    {
        return Err(ReplayError { step: run.trace.len(), reason });
    }
    Decision::violated(BehaviourRef::Program(program), run, explored, budget)
}

/// The assumptions that a commitment which holds does not need, by number: what is left without all of them holds. They are
/// tried one after the other, the last one first.
///
/// # Errors
/// A counterexample that could not be replayed: a mistake in the program.
pub fn unneeded_assumptions(
    program: &Program,
    commitment: &Commitment<Observation>,
    scheduling: &Scheduling,
    budget: &Budget<'_>,
) -> Result<Vec<usize>, ReplayError> {
    let mut left = commitment.clone();
    let mut unneeded = Vec::new();
    for number in (0..commitment.assuming.len()).rev() {
        let weaker = left.without(number);
        if check_commitment(program, &weaker, scheduling, budget)?.verdict.holds() {
            left = weaker;
            unneeded.push(number);
        }
    }
    unneeded.reverse();
    Ok(unneeded)
}

struct Question<'a> {
    machine: &'a Machine<'a>,
    commitment: &'a Commitment<Observation>,
    scheduling: &'a Scheduling,
    budget: &'a Budget<'a>,
}

struct Found {
    /// A run, if there is one and as far as it could be told.
    run: Option<Result<Counterexample, Exhausted>>,
    /// A shortest run by which a unit fails, if there is one and as far as it could be told.
    failing_run: Option<Result<Counterexample, Exhausted>>,
    /// A unit because of which runs leave the bounds of what is explored.
    cut: Option<ComponentId>,
    explored: Explored,
}

impl Question<'_> {
    /// Looks for a fair run that meets all assumptions and, if that is asked, breaks the claim.
    fn search(&self, breaks_claim: bool) -> Result<Found, Exhausted> {
        let Self { commitment, budget, .. } = self;
        let mut automata = Vec::new();
        for assumption in &commitment.assuming {
            automata.push(assumption.automaton(budget)?);
        }
        if breaks_claim {
            automata.push(commitment.claim.complement(budget)?);
        }
        let (mut readers, mut conditions, mut offset) = (Vec::new(), Vec::new(), 0);
        for automaton in automata {
            let colours = automaton.colour_count();
            conditions.push(automaton.acceptance.shifted(offset));
            readers.push(AutomatonReader::new(automaton, offset));
            offset += colours;
        }
        let observed = &commitment.propositions;
        let product = Situations::new(self.machine, observed, self.scheduling, &readers, offset);
        conditions.push(product.fairness());
        let (graph, mut search) = Graph::explore(&product, budget)?;
        let kinds = product.kinds();
        let coloured = Coloured { graph: &graph, kinds: &kinds };
        let lasso = accepting_lasso(&coloured, &Acceptance::all(conditions), budget)?;
        Ok(Found {
            run: lasso.map(|lasso| self.tell(&lasso, &graph, &search, &kinds)),
            cut: graph.cut().map(|(_, _, unit)| unit),
            explored: Explored { states: search.states().len(), transitions: search.transitions() },
            failing_run: self.failing_run(&graph, &mut search, &kinds),
        })
    }

    /// Where formulas take part: a run that fails or is cut, and that all templates allow. The automata of formulas may give up
    /// a run before those of the judge do, so nothing is concluded from it that only formulas forbid to fail.
    fn escape_beside_formulas(&self) -> Result<Option<Unknown>, Exhausted> {
        let is_formula = |statement: &Statement| matches!(statement, Statement::Formula(_));
        let Commitment { claim, assuming, .. } = self.commitment;
        if !assuming.iter().chain([claim]).any(is_formula) {
            return Ok(None);
        }
        let mut commitment = self.commitment.clone();
        commitment.assuming.retain(|assumption| !is_formula(assumption));
        let found = Question { commitment: &commitment, ..*self }.search(false)?;
        let fails = found.failing_run.map(|_| Unknown::FailureReachable);
        Ok(fails.or(found.cut.map(Unknown::Cut)))
    }

    /// Whether the claim is true of all runs: then it is asked whether a unit fails.
    fn is_about_failures(&self) -> bool {
        self.commitment.claim == Statement::Template(Template::Always(Formula::True))
    }

    /// A shortest run by which a unit fails.
    fn failing_run<S: System>(
        &self,
        graph: &Graph,
        search: &mut Search<'_, S>,
        kinds: &[Kind],
    ) -> Option<Result<Counterexample, Exhausted>> {
        let (Some(state), label, unit) = graph.error()? else { return None };
        let shown = |label: Label| kinds[label.action().map_or(0, Id::index)].0;
        let mut tell = || {
            let path: Vec<_> = search.try_trace_to(state, self.budget)?;
            let (states, held) = (search.states(), graph.bytes() + search.bytes());
            let story = Storyteller { system: self.machine, states, budget: self.budget, held };
            let path = path.iter().map(|step| (shown(step.label), step.target));
            let mut trace = story.steps(StateId::from_raw(0), path)?;
            let (last, fault) = story.failing_step(state, shown(label), unit);
            trace.push(last);
            let behaviour = BehaviourRef::Program(self.machine.program());
            Ok(Counterexample { fault, ..Counterexample::new(behaviour, trace, Ending::Error(unit)) })
        };
        Some(tell())
    }

    /// Whether the commitment holds for a poor reason. Where that cannot be found out, nothing is said.
    fn vacuity(&self) -> Vec<Vacuity> {
        if self.commitment.assuming.is_empty() {
            return Vec::new();
        }
        match self.search(false) {
            Ok(Found { run: None, .. }) => vec![Vacuity::AssumptionsUnmet],
            Ok(_) | Err(_) => Vec::new(),
        }
    }

    fn tell<S: System>(
        &self,
        lasso: &Lasso,
        graph: &Graph,
        search: &Search<'_, S>,
        kinds: &[Kind],
    ) -> Result<Counterexample, Exhausted> {
        let path = |steps: &[rely_omega::Step]| -> Vec<(Label, StateId)> {
            let edge = |step: &rely_omega::Step| graph.edges(StateId::from_index(step.source))[step.edge];
            let label = |label: Label| kinds[label.action().map_or(0, Id::index)].0;
            steps.iter().map(edge).map(|edge| (label(edge.label), edge.target)).collect()
        };
        let (system, states, held) = (self.machine, search.states(), graph.bytes() + search.bytes());
        let stops = |step: &&rely_omega::Step| {
            let state = &states.get(StateId::from_index(step.source))[..system.words()];
            system
                .try_successors(state, &mut system.cursor(), &mut |_, _| ControlFlow::Break(()))
                .is_continue()
        };
        let story = Storyteller { system, states, budget: self.budget, held };
        let behaviour = BehaviourRef::Program(system.program());
        // Where nothing is possible the automata may go on for a while, but the program does not.
        let moving = lasso.prefix.iter().take_while(|step| !stops(step)).count();
        let trace = story.steps(StateId::from_raw(0), path(&lasso.prefix[..moving]).into_iter())?;
        let turn = StateId::from_index(lasso.cycle[0].source);
        if stops(&&lasso.cycle[0]) {
            let run =
                Counterexample::new(behaviour, trace, ending_in(system, &states.get(turn)[..system.words()]));
            return Ok(Counterexample { is_shortest: false, ..run });
        }
        let cycle = story.after(&trace).steps(turn, path(&lasso.cycle).into_iter())?;
        let run = Counterexample::new(behaviour, trace, Ending::Cycle);
        Ok(Counterexample { cycle, is_shortest: false, ..run })
    }
}

/// An automaton of the engine, with its colours moved to make room for those of others.
pub(crate) struct AutomatonReader {
    automaton: Automaton,
    /// The state that runs begin in.
    initial: u32,
    bits: u32,
}

impl AutomatonReader {
    pub(crate) fn new(mut automaton: Automaton, offset: u32) -> Self {
        let initial = match automaton.initial[..] {
            [only] => only,
            // One more state that begins with what any of the initial states can do.
            _ => {
                let edges =
                    automaton.initial.iter().flat_map(|&state| automaton.edges[state].clone()).collect();
                automaton.edges.push(edges);
                automaton.edges.len() - 1
            }
        };
        for edge in automaton.edges.iter_mut().flatten() {
            edge.colours = edge.colours.shifted(offset);
        }
        let initial = u32::try_from(initial).expect("automata have fewer states");
        let bits = usize::BITS - (automaton.edges.len().max(2) - 1).leading_zeros();
        Self { automaton, initial, bits }
    }
}

impl Reader for AutomatonReader {
    fn initial(&self) -> u32 {
        self.initial
    }

    fn bits(&self) -> u32 {
        self.bits
    }

    fn read(&self, state: u32, letter: &AtomSet) -> Vec<(u32, Colours)> {
        let edges = self.automaton.reading(state as usize, letter);
        edges.map(|edge| (u32::try_from(edge.target).unwrap_or(u32::MAX), edge.colours.clone())).collect()
    }

    fn may_read(&self, state: u32, known: &dyn Fn(AtomId) -> Option<bool>) -> bool {
        self.automaton.edges[state as usize].iter().any(|edge| edge.guard.may_hold(&|atom| known(atom)))
    }
}

#[cfg(test)]
mod tests;
