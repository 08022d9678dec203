//! Proving a problem by a rule.

use std::sync::Arc;

use rely_base::{Budget, Exhausted, Id, Label};
use rely_decide::{Counterexample, Limit, ReplayError, SafetySearch, Verdict};
use rely_explore::Product;
use rely_learn::Algorithm;
use rely_lts::{Component, Lts, LtsBuilder};

use crate::chain::{Chain, Solved};
use crate::problem::alphabet_of;
use crate::{Alphabets, Assumption, Effort, Goal, Problem, Rule, Unrealised, realise, symmetric};

/// Where assumptions come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// The weakest ones are constructed.
    Direct,
    /// They are learned, and learning ends as soon as they are good enough.
    Learn(Algorithm),
    /// As small as possible: between what the groups that follow do and what must not be done. Where that takes too
    /// much, they are learned.
    Separate,
    /// What the groups that follow do, at first only roughly known, and better where that is not enough.
    Abstract,
}

impl Method {
    /// Whether each assumption is found with the groups that follow at hand, so that the rule has to be a chain.
    pub fn needs_chain(self) -> bool {
        matches!(self, Self::Separate | Self::Abstract)
    }
}

/// Which rule to use on which groups of parts.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The rule.
    pub rule: Rule,
    /// Where assumptions come from.
    pub method: Method,
    /// Over which actions assumptions are looked for.
    pub alphabets: Alphabets,
    /// The parts of each group, by number; every part is in exactly one group.
    pub groups: Vec<Vec<usize>>,
    /// The most words that learners may ask about. They can ask for hours with few states in view, so that a limit on
    /// states does not stop them.
    pub most_words: Option<usize>,
}

/// Why a rule cannot be used on a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inapplicable {
    /// The rule needs two groups, or at least two.
    TooFewGroups,
    /// The rule needs a goal that only looks on.
    GoalTakesPart,
    /// The rule is not a chain of assumptions, which the method or the choice of alphabets needs.
    NoChain,
}

/// A proof that a problem has been solved: with these assumptions, the premises of the rule are true.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The rule.
    pub rule: Rule,
    /// The parts of each group, by number.
    pub groups: Vec<Vec<usize>>,
    /// The assumptions, in the order of the rule.
    pub assumptions: Vec<Assumption>,
}

/// The answer to a problem, with what proves or refutes it.
#[derive(Clone, Debug)]
pub enum Answer<P = Proof, R = Counterexample> {
    /// The goal cannot fail.
    Proved(P),
    /// The goal fails; the run has been replayed on the parts and the goal, in the order of [`Problem::components`].
    Refuted(Box<R>),
    /// A limit was met first.
    Unknown(Exhausted),
}

impl<P, R> Answer<P, R> {
    /// The same answer with another kind of proof.
    pub fn map_proof<Q>(self, map: impl FnOnce(P) -> Q) -> Answer<Q, R> {
        match self {
            Self::Proved(proof) => Answer::Proved(map(proof)),
            Self::Refuted(run) => Answer::Refuted(run),
            Self::Unknown(exhausted) => Answer::Unknown(exhausted),
        }
    }
}

impl Plan {
    /// Whether the rule can be used on a problem.
    ///
    /// # Errors
    /// Why not.
    pub fn applies_to(&self, problem: &Problem) -> Result<(), Inapplicable> {
        let groups = self.groups.iter().filter(|group| !group.is_empty()).count();
        let enough = if self.rule.is_binary() { groups == 2 && self.groups.len() == 2 } else { groups >= 2 };
        if !enough || groups != self.groups.len() {
            return Err(Inapplicable::TooFewGroups);
        }
        if self.rule.needs_observer() && !problem.goal.is_observer() {
            return Err(Inapplicable::GoalTakesPart);
        }
        if self.rule == Rule::Symmetric && (self.method.needs_chain() || self.alphabets == Alphabets::Refined)
        {
            return Err(Inapplicable::NoChain);
        }
        Ok(())
    }
}

/// Proves a problem by a rule, or finds a run that breaks it. The rule has to be one that applies.
///
/// # Errors
/// A run that cannot be replayed: a mistake in the program.
pub fn verify(problem: &Problem, plan: &Plan, budget: &Budget<'_>) -> Result<(Answer, Effort), ReplayError> {
    verify_from(problem, plan, &[], budget)
}

/// Proves a problem with learners that start from assumptions that were good for a similar problem, in the order of the
/// rule. They are where the search begins, and nothing is proved by them.
///
/// # Errors
/// A run that cannot be replayed: a mistake in the program.
pub fn verify_from(
    problem: &Problem,
    plan: &Plan,
    start: &[Assumption],
    budget: &Budget<'_>,
) -> Result<(Answer, Effort), ReplayError> {
    let mut effort = Effort::default();
    let solved = problem.abstracted(budget).and_then(|reduced| {
        // What a reduction is given counts as a step like any other.
        let largest = problem.parts.iter().map(|part| part.lts.state_count()).max();
        effort.held(largest.unwrap_or(0));
        solve(&reduced, plan, start, budget, &mut effort).map(|solved| (solved, reduced))
    });
    let answer = match solved {
        Err(exhausted) => {
            effort.held(exhausted.states);
            Answer::Unknown(exhausted)
        }
        Ok((Solved::Proved(assumptions), _)) => {
            Answer::Proved(Proof { rule: plan.rule, groups: plan.groups.clone(), assumptions })
        }
        Ok((Solved::Refuted(sequences), reduced)) => {
            let alphabet = alphabet_of(&reduced.components());
            match realise(&problem.components(), &sequences[0], &alphabet, budget, &mut effort) {
                Ok(run) => Answer::Refuted(Box::new(run)),
                Err(Unrealised::Exhausted(exhausted)) => Answer::Unknown(exhausted),
                Err(Unrealised::Mistake(mistake)) => return Err(mistake),
            }
        }
    };
    Ok((answer, effort))
}

fn solve(
    problem: &Problem,
    plan: &Plan,
    start: &[Assumption],
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Solved, Exhausted> {
    let pick = |group: &Vec<usize>| group.iter().map(|&part| problem.parts[part].clone()).collect();
    let groups: Vec<Vec<Component>> = plan.groups.iter().map(pick).collect();
    let mut chain = |sequence: Vec<usize>, goal: &Goal, start: &[Assumption]| {
        let mut chain = Chain::new(&groups, sequence, plan, budget);
        for (memory, assumption) in chain.memory.iter_mut().zip(start) {
            *memory = Some(assumption.dfa());
        }
        let solved = chain.solve(0, goal);
        effort.add(chain.effort);
        solved
    };
    match plan.rule {
        Rule::Simple | Rule::Chain | Rule::Alternating | Rule::Circular => {
            chain(plan.rule.sequence(groups.len()), &problem.goal, start)
        }
        Rule::Conjunction => {
            let mut assumptions = Vec::new();
            for half in 0..2 {
                let start = start.get(half..=half).unwrap_or_default();
                match chain(vec![half, 1 - half], &conjunct(&problem.goal, &groups[0], half), start)? {
                    Solved::Proved(more) => assumptions.extend(more),
                    refuted @ Solved::Refuted(_) => return Ok(refuted),
                }
            }
            Ok(Solved::Proved(assumptions))
        }
        Rule::Symmetric => symmetric::solve(&groups, &problem.goal, plan, budget, effort),
    }
}

/// Half of a goal that only looks on: that it is not broken by an action of the first group (0), or by any other (1).
///
/// A sequence breaks the goal exactly if it breaks one of the halves: its last action decides which.
pub fn conjunct(goal: &Goal, first: &[Component], half: usize) -> Goal {
    let own = alphabet_of(first);
    let components = goal.components.iter().map(|component| Component {
        name: component.name.clone(),
        lts: Arc::new(broken_only_by(&component.lts, |name| own.contains(name) == (half == 0))),
    });
    Goal { name: goal.name.clone(), components: components.collect() }
}

/// The property in which what is broken by other actions is allowed, and everything after it.
fn broken_only_by(lts: &Lts, counts: impl Fn(&str) -> bool) -> Lts {
    let counts: Vec<bool> = lts.alphabet().names().map(counts).collect();
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_error(lts.error());
    let sink = builder.add_state();
    for transition in lts.transitions() {
        let excused = Some(transition.target) == lts.error()
            && transition.label.action().is_some_and(|action| !counts[action.index()]);
        let target = if excused { sink } else { transition.target };
        builder.add_transition(transition.source, transition.label, target);
    }
    for (action, _) in lts.alphabet().iter() {
        builder.add_transition(sink, Label::visible(action), sink);
    }
    rely_lts::operators::trim(&builder.build())
}

/// The verdict on the product of everything that the goal can feel.
///
/// # Errors
/// A counterexample that could not be replayed: a mistake in the program.
pub fn monolithic(problem: &Problem, budget: &Budget<'_>) -> Result<(Verdict<Limit>, Effort), ReplayError> {
    let cone = problem.cone();
    let network = cone.problem.network();
    let product = Product::transparent(&network);
    // Nobody else has a say here, so the states are as few as they can be from the first on.
    let mut search = SafetySearch::new(&product).with_all_below(0);
    let decision = search.run_until(usize::MAX, budget)?.expect("it goes on until there is a decision");
    let mut effort = Effort::default();
    effort.held(search.states());
    let verdict = match decision.verdict {
        Verdict::Violated(run) => Verdict::Violated(Box::new(cone.widened(*run)?)),
        verdict => verdict,
    };
    Ok((verdict, effort))
}
