//! Linear temporal logic with fluents.
//!
//! Problem: does every run of the network satisfy an assertion? A *run* is infinite, and fair in the sense of the question
//! ([`Fairness`]); or it is finite and ends where nothing is possible, and then it is read as if it stuttered for ever,
//! with no action and the fluents as they are. The positions of the word are the moments just after each transition,
//! whatever its label [Giannakopoulou & Magee 2003]. Where choices are made at random, the question is whether the runs
//! that violate the assertion have probability 0.
//!
//! Idea: split the formula into conjuncts. One that is a safety property is violated exactly if a prefix is reachable
//! that no continuation can satisfy, which the breadth-first search of `safety.rs` finds with a shortest trace. Each
//! of the others goes to the product with the automaton of its negation, `liveness.rs`. If the whole formula is
//! broken earlier than either of them notices, `earliest.rs` finds the shortest run that breaks it.
//!
//! An action of the assertion that no component has is free to occur at any time, as in a composition with a machine
//! for the assertion: a component with one state and these actions is added to the network, and they are reported.
//!
//! A run into the error state ends there, its last step included, and nothing is known of what would have come next. It
//! violates the formula if every continuation would, and satisfies it if every continuation would; if that depends on
//! the continuation, the run leaves the formula open. Where no run violates the formula but one leaves it open, the
//! answer is unknown. See `into_error.rs`.
//!
//! Every finite run goes on to a fair one, to a stop or to the error, and has positive probability. So fairness makes no
//! difference to bad prefixes, to runs that stop, and to runs into the error state.
//!
//! Every counterexample is replayed on the components, and its word is evaluated straight from the meaning of fluents
//! and formulas (`word.rs`): it has to violate the assertion. A cycle that is said to be fair is replayed as one.

mod components;
mod constants;
mod earliest;
mod finite;
mod into_error;
mod liveness;
mod missing;
mod premises;
mod product;
mod random;
mod rounds;
mod safety;
mod watched;
mod word;

#[cfg(test)]
pub(crate) mod tests;

pub use self::constants::{Constant, constants};
pub(crate) use self::word::holds_on;

use std::fmt;
use std::sync::Arc;

use rely_base::{Alphabet, Budget, Exhausted, Id, Label, Limits};
use rely_certificate::closed_program;
use rely_explore::{Composite, Graph, Machine, Product, Search, System};
use rely_lts::{BehaviourRef, Component, ComponentId, LtsBuilder, Network};
use rely_omega::{Assertion, Fairness, Formula, Letters, Proposition, conjuncts, is_safety};

use self::earliest::{Seen, earliest};
use self::premises::Premises;
use crate::{Counterexample, Decision, Ending, Explored, Limit, ReplayError, Unknown};

/// The decision about an assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LtlDecision {
    /// The decision; what was explored are products with automata.
    pub decision: Decision,
    /// Actions of the assertion that no component has, in order of appearance: they are free to occur at any time.
    pub free: Vec<String>,
    /// If the answer is unknown because the error state is reachable: a run into it that leaves the formula open.
    pub open: Option<OpenRun>,
    /// Whether fair choice violates the assertion and choices at random satisfy it. If false, that may not be known.
    pub holds_at_random: bool,
}

/// The actions of a shortest run into the error state after which it depends on what would have come next whether a
/// formula holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenRun(pub Vec<String>);

impl fmt::Display for OpenRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Maximum number of actions that are named.
        const MOST: usize = 5;
        let actions = &self.0;
        match actions.last() {
            None => f.write_str("the error before the first step")?,
            Some(last) if actions.len() > MOST => {
                write!(f, "the error after {} steps, the last one {last},", actions.len())?;
            }
            Some(_) => write!(f, "the error after {}", actions.join(", "))?,
        }
        f.write_str(" leaves open what would come next; check safety first")
    }
}

/// Checks that every run that is fair in the given sense satisfies an assertion.
///
/// # Errors
/// A counterexample that could not be replayed: a mistake in the program.
pub fn check_ltl<'b>(
    behaviour: impl Into<BehaviourRef<'b>>,
    assertion: &Assertion,
    fairness: Fairness,
    budget: &Budget<'_>,
) -> Result<LtlDecision, ReplayError> {
    let behaviour = behaviour.into();
    match behaviour {
        BehaviourRef::Network(network) => {
            let closed = with_free_actions(network, &free_actions(network.alphabet(), assertion));
            check_system(&Product::transparent(&closed), behaviour, (assertion, fairness), budget)
        }
        BehaviourRef::Program(program) => {
            let closed = closed_program(program, assertion);
            check_system(&Machine::transparent(&closed), behaviour, (assertion, fairness), budget)
        }
    }
}

/// Decides an assertion for a behaviour and its system, which has one more part: this part does the actions that the
/// assertion names and the behaviour does not have.
fn check_system<C: Composite>(
    system: &C,
    behaviour: BehaviourRef<'_>,
    (assertion, fairness): (&Assertion, Fairness),
    budget: &Budget<'_>,
) -> Result<LtlDecision, ReplayError> {
    let free = free_actions(behaviour.alphabet(), assertion);
    let letters = Letters::compile(assertion, system.alphabet());
    let question = Question { system, letters: &letters, assertion, fairness, budget };
    let mut findings = Findings { premises: Premises::of(&assertion.formula), ..Findings::default() };
    let verdict = question.answer(&mut findings);
    let explored = findings.explored;
    let decision = match verdict {
        Err(exhausted) => {
            // An automaton may have met the limit before anything was explored: then the states reached are those of
            // the automaton.
            let explored = Explored {
                states: explored.states.max(exhausted.states),
                transitions: explored.transitions.max(exhausted.transitions),
            };
            match findings.is_violated {
                true => Decision::unknown(Limit::Run(exhausted), explored),
                false => Decision::unknown(Limit::Answer(exhausted), explored),
            }
        }
        Ok(None) if findings.open.is_some() => Decision::unknown(Unknown::ErrorReachable, explored),
        Ok(None) => match findings.cut {
            Some(unit) => Decision::unknown(Unknown::Cut(unit), explored),
            // If an error is reachable, `[](p -> q)` can hold only if no run at all breaks it, so its premise is not
            // reported.
            None if findings.error_reachable => Decision::holds(explored, Vec::new()),
            None => Decision::holds(explored, findings.premises.vacuity()),
        },
        Ok(Some(mut counterexample)) => {
            leave_out_environment(&mut counterexample, behaviour);
            counterexample.free.clone_from(&free);
            word::annotate(assertion, &mut counterexample);
            if fairness != Fairness::None {
                counterexample.recurring.retain(|name| !free.contains(name));
                counterexample.wanted = missing::missing(assertion, &counterexample);
                counterexample.wanted.retain(|name| !free.contains(name));
            }
            if !word::violates(assertion, &counterexample) {
                return Err(ReplayError {
                    step: counterexample.trace.len(),
                    reason: "the run satisfies the formula",
                });
            }
            Decision::violated(behaviour, Ok(counterexample), explored, budget)?
        }
    };
    let is_cycle = decision.verdict.counterexample().is_some_and(|run| run.ending == Ending::Cycle);
    let holds_at_random = is_cycle && findings.is_improbable;
    Ok(LtlDecision { decision, free, open: findings.open.map(OpenRun), holds_at_random })
}

/// The question.
struct Question<'a, C> {
    /// The behaviour, transparent, with the free actions.
    system: &'a C,
    letters: &'a Letters,
    assertion: &'a Assertion,
    fairness: Fairness,
    budget: &'a Budget<'a>,
}

/// Findings in addition to the answer.
#[derive(Default)]
struct Findings {
    explored: Explored,
    /// Whether a violation was found, even if its run was not built.
    is_violated: bool,
    /// Whether a run into the error state was met.
    error_reachable: bool,
    /// A unit because of which runs leave the bounds of what is explored.
    cut: Option<ComponentId>,
    /// The actions of a run into the error state that leaves the formula open.
    open: Option<Vec<String>>,
    premises: Premises,
    /// Whether choices at random are known to satisfy what fair choice violates.
    is_improbable: bool,
}

impl Findings {
    /// Notes the runs of a graph that are not known completely: those into the error state, and those that are cut.
    fn note(&mut self, graph: &Graph) {
        self.error_reachable |= graph.error().is_some();
        self.cut = self.cut.or(graph.cut().map(|(_, _, unit)| unit));
    }

    /// The reachable graph of a system. What was explored is counted even if a limit is met.
    fn explore<'s, S: System>(
        &mut self,
        system: &'s S,
        budget: &Budget<'_>,
    ) -> Result<(Graph, Search<'s, S>), Exhausted> {
        let explored = Graph::explore(system, budget);
        let (states, transitions) = match &explored {
            Ok((_, search)) => (search.states().len(), search.transitions()),
            Err(exhausted) => (exhausted.states, exhausted.transitions),
        };
        self.explored.states += states;
        self.explored.transitions += transitions;
        explored
    }
}

impl<C: Composite> Question<'_, C> {
    /// A run that violates the assertion, if there is one.
    fn answer(&self, findings: &mut Findings) -> Result<Option<Counterexample>, Exhausted> {
        let (mut safety, mut liveness) = (Vec::new(), Vec::new());
        for conjunct in conjuncts(&self.assertion.formula) {
            let kind = if is_safety(&conjunct, self.budget)? { &mut safety } else { &mut liveness };
            kind.push(conjunct);
        }
        if safety.is_empty() && liveness.is_empty() {
            self.observe_all(findings)?;
            return Ok(None);
        }
        if !safety.is_empty() {
            let found = safety::bad_prefix(self, &safety, findings)?;
            if let Some(run) = found {
                let seen = Seen { prefixes: &safety, others: &liveness, stops: liveness.is_empty() };
                return Ok(Some(earliest(self, &seen, run, findings)));
            }
        }
        let found = liveness::violating_run(self, &liveness, findings)?;
        if let Some(run) = found {
            let seen = Seen { prefixes: &[], others: &liveness, stops: true };
            return Ok(Some(earliest(self, &seen, run, findings)));
        }
        if !findings.error_reachable {
            return Ok(None);
        }
        safety.append(&mut liveness);
        into_error::breaking_run(self, &safety, findings)
    }

    /// The budget for the automaton of the whole formula, if its conjuncts can take its place.
    fn modest_budget(&self) -> Budget<'_> {
        /// Automata with more states mostly belong to conjunctions of many parts.
        const STATES: usize = 500;
        self.budget.narrowed(Limits { states: Some(STATES), ..Limits::default() })
    }

    /// The whole formula, if it is short enough that its automaton may be small.
    fn short_formula(&self) -> Option<&Formula> {
        /// In operators and atoms.
        const LONG: usize = 60;
        Some(&self.assertion.formula).filter(|formula| formula.size() <= LONG)
    }

    /// Finds out which premises ever hold, for a formula that nothing can break.
    fn observe_all(&self, findings: &mut Findings) -> Result<(), Exhausted> {
        let (graph, _) = findings.explore(self.system, self.budget)?;
        findings.note(&graph);
        if graph.state_count() == 0 || findings.premises.is_done() {
            return Ok(());
        }
        premises::observe_premises(self, &graph, &mut findings.premises)
    }
}

/// The actions of an assertion that no component has.
fn free_actions(alphabet: &Alphabet, assertion: &Assertion) -> Vec<String> {
    let named = assertion.propositions.iter().flat_map(|proposition| match proposition {
        Proposition::Action(names) => names.iter().chain(&[]),
        Proposition::Fluent(fluent) => fluent.on.iter().chain(&fluent.off),
    });
    let unknown: Alphabet =
        named.chain(&assertion.extension).filter(|name| !alphabet.contains(name)).collect();
    unknown.names().map(str::to_owned).collect()
}

/// The network with a component that does the free actions at any time.
fn with_free_actions(network: &Network, free: &[String]) -> Network {
    if free.is_empty() {
        return network.clone();
    }
    let mut builder = LtsBuilder::new(free.iter().collect());
    let state = builder.add_state();
    for i in 0..free.len() {
        builder.add_transition(state, Label::visible(Id::from_index(i)), state);
    }
    let environment = Component { name: "environment".into(), lts: Arc::new(builder.build()) };
    network.clone().with_components([environment])
}

/// Removes the component that does the free actions from a counterexample.
fn leave_out_environment(counterexample: &mut Counterexample, behaviour: BehaviourRef<'_>) {
    let (width, parts) = (behaviour.initial().len(), behaviour.part_count());
    counterexample.initial.truncate(width);
    for step in counterexample.trace.iter_mut().chain(&mut counterexample.cycle) {
        step.before.truncate(width);
        step.after.truncate(width);
        step.movers.retain(|mover| mover.index() < parts);
    }
}
