//! Strategies: from a name that a user chooses to a proof or a run against it.
//!
//! **Problem.** A strategy leaves much open: which parts are in which group of a rule, what is to be done where a rule
//! cannot be used, and what is left where the product and every reduction of it are too large.
//!
//! **Idea.** Groups are those that the user wants, or else several splits compete (`split.rs`).
//! Where a rule cannot be used, the product is searched, and the reason is told. [`Strategy::Auto`] takes the ways without
//! assumptions in turns, and falls back on assumptions, found with few questions, where none of them fits into the
//! limits.
//!
//! **Callers.** `rely verify`.

use rely_base::{Budget, Exhausted, Limits, Resource};
use rely_decide::{Limit, ReplayError, Verdict};
use rely_learn::Algorithm;

use crate::split::{self, Promise, Sufficient};
use crate::{
    Alphabets, Answer, Automatic, Composition, Effort, Inapplicable, Localisation, Method, Plan, Problem,
    Proof, Reduction, Rule, Unrealised, Way, automatic, interface, monolithic, verify_from,
};

/// The most groups of a rule when the user does not say which.
const MOST_GROUPS: usize = 4;

/// The most words that a learner asks about when nobody has asked for a learner.
const MOST_WORDS: usize = 1 << 14;

/// How many states the first split may hold before others are looked for.
const FEW_STATES: usize = 1 << 12;

/// How many words a learner may ask about for each state that it may hold, while splits compete.
const WORDS_PER_STATE: usize = 64;

/// How to prove.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    /// Whatever promises to be cheapest, one after the other.
    #[default]
    Auto,
    /// The product of everything.
    Monolithic,
    /// The product of as few parts as the property needs.
    Localise,
    /// One part after the other, reduced after each.
    Reduce,
    /// A rule with assumptions that are constructed.
    Direct,
    /// A rule with assumptions that are learned.
    Learn,
    /// A rule with assumptions that are as small as possible.
    Separate,
    /// A rule with assumptions that are abstractions of the rest of the system.
    Abstract,
}

impl Strategy {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Auto,
        Self::Monolithic,
        Self::Localise,
        Self::Reduce,
        Self::Direct,
        Self::Learn,
        Self::Separate,
        Self::Abstract,
    ];

    /// The strategy with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|strategy| strategy.name() == name)
    }

    /// Whether it proves with a rule, and so with assumptions.
    pub fn uses_a_rule(self) -> bool {
        match self {
            Self::Direct | Self::Learn | Self::Separate | Self::Abstract => true,
            Self::Auto | Self::Monolithic | Self::Localise | Self::Reduce => false,
        }
    }

    /// Whether it looks for shortest runs. A rule stops at the first sequence of actions that breaks an assumption and
    /// leads to the error in all groups, and that may be a longer one; so may what is left of a run when silent steps of a
    /// reduction are played on the parts, or steps of parts outside are filled in.
    pub fn finds_shortest(self) -> bool {
        match self {
            Self::Auto | Self::Monolithic => true,
            Self::Localise | Self::Reduce => false,
            Self::Direct | Self::Learn | Self::Separate | Self::Abstract => false,
        }
    }

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Monolithic => "monolithic",
            Self::Localise => "localise",
            Self::Reduce => "reduce",
            Self::Direct => "direct",
            Self::Learn => "learn",
            Self::Separate => "separate",
            Self::Abstract => "abstract",
        }
    }
}

/// A strategy with what it may need.
#[derive(Clone, Copy, Debug)]
pub struct Approach<'a> {
    /// How to prove.
    pub strategy: Strategy,
    /// The rule, if one is used.
    pub rule: Rule,
    /// How assumptions are learned, if they are.
    pub algorithm: Algorithm,
    /// Over which actions assumptions are looked for.
    pub alphabets: Alphabets,
    /// The names of the parts of the first group; chosen if there are none.
    pub left: &'a [String],
}

/// What an earlier answer gives to a question, and what later ones want of it.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// From how many states on a sketch is wanted of an answer, because it will be remembered or explained.
    pub sketch_from: Option<usize>,
    /// A proof that does not stand any more, but whose assumptions are a good start.
    pub start: Option<Proof>,
}

/// An answer, and how it was found.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The answer; of a proof, the assumptions if there are any.
    pub answer: Answer<Option<Proof>>,
    /// The strategy that decided.
    pub strategy: Strategy,
    /// The groups of the rule, if one was used.
    pub groups: Vec<Vec<usize>>,
    /// What it has cost.
    pub effort: Effort,
    /// What led to this strategy, in the user's words, if another one was asked for.
    pub reason: Option<String>,
    /// Why the rule could not be used, if it could not.
    pub unsuited: Option<Unsuited>,
    /// What may be a proof, to be looked at after a change.
    pub sketch: Option<Proof>,
    /// The parts that localisation has needed, if it decided.
    pub inside: Vec<usize>,
    /// What reduction has composed, if it decided.
    pub compositions: Vec<Composition>,
}

/// Why a rule cannot be used with some groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsuited {
    /// There are fewer than two parts.
    TooFewParts,
    /// The first group is empty.
    FirstGroupEmpty,
    /// All parts are in the first group.
    FirstGroupFull,
    /// The rule needs a goal that only looks on.
    GoalTakesPart,
    /// The method needs a rule that is a chain.
    MethodNeedsChain,
    /// The choice of alphabets needs a rule that is a chain.
    AlphabetsNeedChain,
    /// The groups share no action, so that there is nothing to assume.
    NothingShared,
}

impl Answered {
    /// What is known before anything was done.
    pub fn new(strategy: Strategy) -> Self {
        let nothing = Exhausted { resource: Resource::Cancelled, states: 0, transitions: 0 };
        Self {
            answer: Answer::Unknown(nothing),
            strategy,
            groups: Vec::new(),
            effort: Effort::default(),
            reason: None,
            unsuited: None,
            sketch: None,
            inside: Vec::new(),
            compositions: Vec::new(),
        }
    }

    /// Whether there is no answer because something has too many states.
    fn is_too_large(&self) -> bool {
        match &self.answer {
            Answer::Unknown(exhausted) => matches!(exhausted.resource, Resource::States | Resource::Memory),
            Answer::Proved(_) | Answer::Refuted(_) => false,
        }
    }
}

impl Hints {
    fn wants_sketch(&self, effort: &Effort) -> bool {
        self.sketch_from.is_some_and(|states| effort.peak_states >= states)
    }
}

/// Proves a problem by a strategy, or finds a run that breaks it.
///
/// # Errors
/// A run that cannot be replayed: a mistake in the program.
pub fn prove(
    problem: &Problem,
    approach: &Approach<'_>,
    hints: &Hints,
    budget: &Budget<'_>,
) -> Result<Answered, ReplayError> {
    match approach.strategy {
        Strategy::Auto => match in_turns(problem, hints, budget)? {
            found if found.is_too_large() => by_assumptions(found, problem, approach, hints, budget),
            found => Ok(found),
        },
        Strategy::Monolithic => on_the_product(problem, budget),
        Strategy::Localise => by_localisation(problem, budget),
        Strategy::Reduce => by_reduction(problem, hints, budget),
        Strategy::Direct => by_method(Method::Direct, problem, approach, hints, budget),
        Strategy::Learn => by_method(Method::Learn(approach.algorithm), problem, approach, hints, budget),
        Strategy::Separate => by_method(Method::Separate, problem, approach, hints, budget),
        Strategy::Abstract => by_method(Method::Abstract, problem, approach, hints, budget),
    }
}

/// The ways without assumptions, in turns.
fn in_turns(problem: &Problem, hints: &Hints, budget: &Budget<'_>) -> Result<Answered, ReplayError> {
    let found = automatic(problem, budget)?;
    let sketch = if hints.wants_sketch(&found.effort) { found.sketch(budget) } else { None };
    let compositions = found.compositions();
    let Automatic { outcome, way, effort, story, inside, .. } = found;
    let strategy = match way {
        // What was hunted down is a run of the product.
        Way::Monolithic | Way::Hunt => Strategy::Monolithic,
        Way::Localise => Strategy::Localise,
        Way::Reduce => Strategy::Reduce,
    };
    let answer = outcome.map_proof(|()| None);
    let reason = Some(story);
    Ok(Answered { answer, effort, reason, sketch, inside, compositions, ..Answered::new(strategy) })
}

/// What is left when neither the product nor a reduction fits into the limits: an assumption, if it is found without asking
/// for ever.
fn by_assumptions(
    mut found: Answered,
    problem: &Problem,
    approach: &Approach<'_>,
    hints: &Hints,
    budget: &Budget<'_>,
) -> Result<Answered, ReplayError> {
    let methods = [Method::Learn(approach.algorithm), Method::Separate, Method::Direct];
    for (strategy, method) in [Strategy::Learn, Strategy::Separate, Strategy::Direct].into_iter().zip(methods)
    {
        let left = first_group(problem, approach);
        let plan = Plan { most_words: Some(MOST_WORDS), ..plan(method, problem, approach, &left) };
        if suits(&plan, problem).is_err() {
            break;
        }
        let tried = by_rule(strategy, plan, problem, hints, budget)?;
        found.effort.add(tried.effort);
        if !matches!(tried.answer, Answer::Unknown(_)) {
            let reason = "neither the product nor a reduction fits into the limits".to_owned();
            return Ok(Answered { effort: found.effort, reason: Some(reason), ..tried });
        }
        if !tried.is_too_large() {
            break;
        }
    }
    Ok(found)
}

fn on_the_product(problem: &Problem, budget: &Budget<'_>) -> Result<Answered, ReplayError> {
    let (verdict, effort) = monolithic(problem, budget)?;
    Ok(Answered { answer: verdict.into(), effort, ..Answered::new(Strategy::Monolithic) })
}

fn by_localisation(problem: &Problem, budget: &Budget<'_>) -> Result<Answered, ReplayError> {
    let mut found = Answered::new(Strategy::Localise);
    let cone = problem.cone();
    let mut localisation = Localisation::new(&cone.problem);
    found.answer = match localisation.run_for(usize::MAX, &cone.problem, budget, &mut found.effort) {
        Ok(Answer::Proved(())) => Answer::Proved(None),
        Ok(Answer::Refuted(run)) => Answer::Refuted(Box::new(cone.widened(*run)?)),
        Ok(Answer::Unknown(exhausted)) | Err(Unrealised::Exhausted(exhausted)) => Answer::Unknown(exhausted),
        Err(Unrealised::Mistake(mistake)) => return Err(mistake),
    };
    let parts: Vec<usize> = cone.parts().collect();
    found.inside = localisation.inside().map(|part| parts[part]).collect();
    Ok(found)
}

fn by_reduction(problem: &Problem, hints: &Hints, budget: &Budget<'_>) -> Result<Answered, ReplayError> {
    let mut found = Answered::new(Strategy::Reduce);
    let mut reduction = Reduction::new(problem);
    found.answer = match reduction.run(budget, &mut found.effort) {
        Ok(false) => Answer::Proved(None),
        Err(exhausted) => Answer::Unknown(exhausted),
        Ok(true) => match reduction.counterexample(problem, budget, &mut found.effort) {
            Ok(run) => Answer::Refuted(Box::new(run)),
            Err(Unrealised::Exhausted(exhausted)) => Answer::Unknown(exhausted),
            Err(Unrealised::Mistake(mistake)) => return Err(mistake),
        },
    };
    if hints.wants_sketch(&found.effort) && matches!(found.answer, Answer::Proved(_)) {
        found.sketch = reduction.sketch(budget);
    }
    found.compositions = reduction.compositions().to_vec();
    Ok(found)
}

/// A rule with the assumptions of a method; the product where the rule cannot be used.
fn by_method(
    method: Method,
    problem: &Problem,
    approach: &Approach<'_>,
    hints: &Hints,
    budget: &Budget<'_>,
) -> Result<Answered, ReplayError> {
    let first = plan(method, problem, approach, &first_group(problem, approach));
    let suited = suits(&first, problem);
    if !approach.left.is_empty() && suited.is_ok() {
        return by_rule(approach.strategy, first, problem, hints, budget);
    }
    match suited {
        Ok(()) => by_some_split(method, first, problem, approach, hints, budget),
        Err(unsuited) => Ok(Answered { unsuited: Some(unsuited), ..on_the_product(problem, budget)? }),
    }
}

/// A rule where the split is not given: the first one as long as it is little work, then those that analysis finds.
fn by_some_split(
    method: Method,
    first: Plan,
    problem: &Problem,
    approach: &Approach<'_>,
    hints: &Hints,
    budget: &Budget<'_>,
) -> Result<Answered, ReplayError> {
    let few = budget.narrowed(Limits { states: Some(FEW_STATES), bytes: None });
    let words = Some(WORDS_PER_STATE * FEW_STATES);
    let groups = first.groups.clone();
    let attempt = by_rule(approach.strategy, Plan { most_words: words, ..first }, problem, hints, &few)?;
    if !attempt.is_too_large() {
        return Ok(attempt);
    }
    let mut effort = attempt.effort;
    let mut promises = Vec::new();
    if let Sufficient::Parts(promise) = split::sufficient(problem, budget, &mut effort)? {
        promises.push(promise);
    }
    match split::competing(problem, budget) {
        Ok(more) => promises.extend(more),
        Err(exhausted) => {
            return Ok(Answered { effort, answer: Answer::Unknown(exhausted), ..attempt });
        }
    }
    let narrow =
        Promise { left: groups[0].clone(), why: "its interface to the other parts is narrow".to_owned() };
    promises.push(narrow);
    let plans =
        promises.into_iter().map(|promise| (plan(method, problem, approach, &promise.left), promise.why));
    let plans: Vec<(Plan, String)> = plans.filter(|(plan, _)| suits(plan, problem).is_ok()).collect();
    let mut limit = FEW_STATES;
    loop {
        let narrow = budget.narrowed(Limits { states: Some(limit), bytes: None });
        let (mut last, mut is_full) = (None, false);
        for (plan, why) in &plans {
            let plan = Plan { most_words: Some(limit.saturating_mul(WORDS_PER_STATE)), ..plan.clone() };
            let found = by_rule(approach.strategy, plan, problem, hints, &narrow)?;
            effort.add(found.effort);
            if !found.is_too_large() {
                let reason = Some(format!("M1 was chosen because {why}"));
                return Ok(Answered { effort, reason, ..found });
            }
            is_full |= matches!(&found.answer, Answer::Unknown(met) if met.resource == Resource::Memory);
            last = Some(found);
        }
        // With more states allowed the memory would be full as well.
        if limit >= budget.max_states() || plans.is_empty() || is_full {
            return Ok(Answered { effort, ..last.unwrap_or(attempt) });
        }
        limit = limit.saturating_mul(4);
    }
}

/// What a rule that can be used finds, with the assumptions of an earlier proof to start from.
fn by_rule(
    strategy: Strategy,
    plan: Plan,
    problem: &Problem,
    hints: &Hints,
    budget: &Budget<'_>,
) -> Result<Answered, ReplayError> {
    let start = hints.start.as_ref().filter(|start| start.rule == plan.rule && start.groups == plan.groups);
    let start = start.map_or(&[][..], |start| &start.assumptions);
    let (answer, effort) = verify_from(problem, &plan, start, budget)?;
    let answer = answer.map_proof(Some);
    Ok(Answered { effort, groups: plan.groups, answer, ..Answered::new(strategy) })
}

/// A rule with the assumptions of a method, and a first group.
fn plan(method: Method, problem: &Problem, approach: &Approach<'_>, left: &[usize]) -> Plan {
    let Approach { rule, alphabets, .. } = *approach;
    let right = split::others(problem, left);
    let groups = if approach.rule.is_binary() || right.len() < 2 {
        vec![left.to_vec(), right]
    } else {
        let size = right.len().div_ceil(MOST_GROUPS - 1);
        std::iter::once(left.to_vec()).chain(right.chunks(size).map(<[usize]>::to_vec)).collect()
    };
    Plan { rule, method, alphabets, groups, most_words: None }
}

/// The first group that the user wants, or else one that may be good.
fn first_group(problem: &Problem, approach: &Approach<'_>) -> Vec<usize> {
    let is_named = |&part: &usize| approach.left.contains(&problem.parts[part].name);
    match approach.left.is_empty() {
        false => (0..problem.parts.len()).filter(is_named).collect(),
        true => split::narrow(problem),
    }
}

/// Whether a rule can be used, and has something to assume.
fn suits(plan: &Plan, problem: &Problem) -> Result<(), Unsuited> {
    plan.applies_to(problem).map_err(|inapplicable| match inapplicable {
        Inapplicable::TooFewGroups if problem.parts.len() < 2 => Unsuited::TooFewParts,
        Inapplicable::TooFewGroups if plan.groups[0].is_empty() => Unsuited::FirstGroupEmpty,
        Inapplicable::TooFewGroups => Unsuited::FirstGroupFull,
        Inapplicable::GoalTakesPart => Unsuited::GoalTakesPart,
        Inapplicable::NoChain if plan.method.needs_chain() => Unsuited::MethodNeedsChain,
        Inapplicable::NoChain => Unsuited::AlphabetsNeedChain,
    })?;
    let group =
        |group: &Vec<usize>| -> Vec<_> { group.iter().map(|&part| problem.parts[part].clone()).collect() };
    let rest: Vec<_> = plan.groups[1..].iter().flat_map(group).collect();
    match interface(&group(&plan.groups[0]), &problem.goal, &rest).is_empty() {
        true => Err(Unsuited::NothingShared),
        false => Ok(()),
    }
}

impl From<Verdict<Limit>> for Answer<Option<Proof>> {
    fn from(verdict: Verdict<Limit>) -> Self {
        match verdict {
            Verdict::Holds(_) => Self::Proved(None),
            Verdict::Violated(run) => Self::Refuted(run),
            Verdict::Unknown(limit) => Self::Unknown(limit.exhausted()),
        }
    }
}
