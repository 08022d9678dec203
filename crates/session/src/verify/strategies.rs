//! The strategies of `verify`, from what was asked to what was found.

use rely_assume::{
    Answer, Automatic, Composition, Effort, Inapplicable, Localisation, Method, Outcome, Plan, Problem,
    Proof, Reduction, Rule, Unrealised, Way, automatic, monolithic, outlives_a_failure, verify_from,
};
use rely_base::{Budget, Exhausted, Id, Resource};
use rely_decide::Counterexample;
use rely_lts::{ComponentId, Network};

use super::questions::{Question, Questions};
use super::{Strategy, VerifyQuery};
use crate::Internal;
use crate::parts::ids;
use crate::reuse::Look;

/// The most groups of a rule when the user does not say which.
const MOST_GROUPS: usize = 4;

/// The most words that a learner asks about when nobody has asked for a learner.
const MOST_WORDS: usize = 1 << 14;

impl Questions {
    /// Asks in the way that the query wants.
    pub(super) fn ask(
        &self,
        question: &Question,
        query: &VerifyQuery<'_>,
        aid: &Aid,
        budget: Budget<'_>,
    ) -> Result<Asked, Internal> {
        if self.network.priority().is_some() {
            let reason = "the system has priority, which no rule allows for";
            let differs = query.strategy != Strategy::Monolithic;
            return self.exactly(question, differs.then(|| reason.to_owned()), &budget);
        }
        let asked = match query.strategy {
            Strategy::Auto => match Self::automatic(question, aid, &budget)? {
                asked if asked.is_too_large() => self.by_assumptions(asked, question, query, aid, &budget)?,
                asked => asked,
            },
            strategy => self.attempt(strategy, question, query, aid, &budget)?,
        };
        match &asked.found {
            Found::Refuted(run) if outlives_a_failure(run, &self.network, &question.parts) => {
                let reason =
                    "a part can fail by itself, which ends a run: the product was searched up to there";
                let exact = self.exactly(question, Some(reason.to_owned()), &budget)?;
                let mut effort = asked.effort;
                effort.add(exact.effort);
                Ok(Asked { effort, ..exact })
            }
            _ => Ok(asked),
        }
    }

    /// The search of the whole system, where a run ends as soon as something fails.
    fn exactly(
        &self,
        question: &Question,
        reason: Option<String>,
        budget: &Budget<'_>,
    ) -> Result<Asked, Internal> {
        let mut asked = Asked::new(Strategy::Monolithic);
        asked.reason = reason;
        // The judge has to search the same.
        asked.inside = (0..question.parts.len()).collect();
        let whole = self.whole(question);
        let goal: Vec<ComponentId> = ids(&whole).skip(question.parts.len()).collect();
        let decision = rely_decide::check_safety_of(&whole, &goal, budget)?;
        asked.effort.held(decision.explored.states);
        asked.found = decided(decision.verdict);
        Ok(asked)
    }

    /// The whole system as it is, the goal of a question last.
    fn whole(&self, question: &Question) -> Network {
        let parts = question.whole.clone();
        let goal = question.problem.goal.components.clone();
        let Some(priority) = self.own.priority() else { return Network::new([parts, goal].concat()) };
        let named = |name: &str| self.own.alphabet().get(name).is_some_and(|a| priority.is_named(a));
        let is_own = |id: &ComponentId| id.index() < self.own.components().len();
        match question.goal.iter().all(is_own) {
            true => Network::new([parts, goal].concat()).with_priority(priority.rank, named),
            // What only a property from outside has is not ordered.
            false => Network::new(parts).with_priority(priority.rank, named).with_components(goal),
        }
    }

    /// The parts and the goal of a question.
    pub(super) fn closed(&self, question: &Question) -> Network {
        match self.network.priority() {
            Some(_) => self.whole(question),
            None => question.problem.network(),
        }
    }

    /// Search of the product and reduction in turns.
    fn automatic(question: &Question, aid: &Aid, budget: &Budget<'_>) -> Result<Asked, Internal> {
        let found = automatic(&question.problem, budget)?;
        let sketch = if aid.wants_sketch(&found.effort) { found.sketch(budget) } else { None };
        let compositions = found.compositions();
        let Automatic { outcome, way, effort, story, inside, .. } = found;
        let mut asked = Asked::new(match way {
            Way::Monolithic => Strategy::Monolithic,
            Way::Localise => Strategy::Localise,
            Way::Reduce => Strategy::Reduce,
        });
        asked.effort = effort;
        asked.reason = Some(story);
        asked.sketch = sketch;
        (asked.inside, asked.compositions) = (inside, compositions);
        asked.found = match outcome {
            Outcome::Proved => Found::Proved(None),
            Outcome::Refuted(run) => Found::Refuted(run),
            Outcome::Unknown(exhausted) => Found::Unknown(exhausted),
        };
        Ok(asked)
    }

    /// What is left when neither the product nor a reduction fits into the limits: an assumption, if it is found without
    /// asking for ever.
    fn by_assumptions(
        &self,
        mut asked: Asked,
        question: &Question,
        query: &VerifyQuery<'_>,
        aid: &Aid,
        budget: &Budget<'_>,
    ) -> Result<Asked, Internal> {
        let methods = [Method::Learn(query.algorithm), Method::Separate, Method::Direct];
        for (strategy, method) in
            [Strategy::Learn, Strategy::Separate, Strategy::Direct].into_iter().zip(methods)
        {
            let plan = Plan { most_words: Some(MOST_WORDS), ..self.plan(method, &question.problem, query) };
            if applies(&plan, &question.problem).is_err() {
                break;
            }
            let tried = by_rule(strategy, plan, &question.problem, aid, budget)?;
            asked.effort.add(tried.effort);
            if !matches!(tried.found, Found::Unknown(_)) {
                let reason = "neither the product nor a reduction fits into the limits".to_owned();
                return Ok(Asked { effort: asked.effort, reason: Some(reason), ..tried });
            }
            if !tried.is_too_large() {
                break;
            }
        }
        Ok(asked)
    }

    /// A rule with the assumptions of a method.
    fn plan(&self, method: Method, problem: &Problem, query: &VerifyQuery<'_>) -> Plan {
        let groups = self.groups(problem, query.rule);
        Plan { rule: query.rule, method, alphabets: query.alphabets, groups, most_words: None }
    }

    fn attempt(
        &self,
        strategy: Strategy,
        question: &Question,
        query: &VerifyQuery<'_>,
        aid: &Aid,
        budget: &Budget<'_>,
    ) -> Result<Asked, Internal> {
        let problem = &question.problem;
        let mut asked = Asked::new(strategy);
        let method = match strategy {
            Strategy::Direct => Method::Direct,
            Strategy::Learn | Strategy::Auto => Method::Learn(query.algorithm),
            Strategy::Separate => Method::Separate,
            Strategy::Abstract => Method::Abstract,
            Strategy::Localise => {
                let cone = problem.cone();
                let mut localisation = Localisation::new(&cone.problem);
                asked.found = match localisation.run_for(usize::MAX, &cone.problem, budget, &mut asked.effort)
                {
                    Ok(Outcome::Proved) => Found::Proved(None),
                    Ok(Outcome::Refuted(run)) => Found::Refuted(Box::new(cone.widened(*run)?)),
                    Ok(Outcome::Unknown(exhausted)) | Err(Unrealised::Exhausted(exhausted)) => {
                        Found::Unknown(exhausted)
                    }
                    Err(Unrealised::Mistake(mistake)) => return Err(mistake.into()),
                };
                let parts: Vec<usize> = cone.parts().collect();
                asked.inside = localisation.inside().map(|part| parts[part]).collect();
                return Ok(asked);
            }
            Strategy::Reduce => {
                let mut reduction = Reduction::new(problem);
                asked.found = match reduction.run(budget, &mut asked.effort) {
                    Ok(false) => Found::Proved(None),
                    Err(exhausted) => Found::Unknown(exhausted),
                    Ok(true) => match reduction.counterexample(problem, budget, &mut asked.effort) {
                        Ok(run) => Found::Refuted(Box::new(run)),
                        Err(Unrealised::Exhausted(exhausted)) => Found::Unknown(exhausted),
                        Err(Unrealised::Mistake(mistake)) => return Err(mistake.into()),
                    },
                };
                if aid.wants_sketch(&asked.effort) && matches!(asked.found, Found::Proved(_)) {
                    asked.sketch = reduction.sketch(budget);
                }
                asked.compositions = reduction.compositions().to_vec();
                return Ok(asked);
            }
            Strategy::Monolithic => {
                asked.found = on_the_product(problem, budget, &mut asked.effort)?;
                return Ok(asked);
            }
        };
        let plan = self.plan(method, problem, query);
        if let Err(inapplicable) = applies(&plan, problem) {
            asked = Asked::new(Strategy::Monolithic);
            asked.reason = Some(inapplicable.to_owned());
            asked.found = on_the_product(problem, budget, &mut asked.effort)?;
            return Ok(asked);
        }
        by_rule(strategy, plan, problem, aid, budget)
    }

    /// The groups that the user wants, or else those that seem good.
    fn groups(&self, problem: &Problem, rule: Rule) -> Vec<Vec<usize>> {
        let all = 0..problem.parts.len();
        let is_named = |&part: &usize| self.left.contains(&problem.parts[part].name);
        let (left, right): (Vec<usize>, Vec<usize>) = match self.left.is_empty() {
            false => all.partition(is_named),
            true => good_split(problem),
        };
        if rule.is_binary() || right.len() < 2 {
            return vec![left, right];
        }
        let size = right.len().div_ceil(MOST_GROUPS - 1);
        std::iter::once(left).chain(right.chunks(size).map(<[usize]>::to_vec)).collect()
    }
}

/// A first group that promises a small assumption: of the candidates that have actions of the goal, the one with the
/// smallest interface to the rest, and the fewest states among those. Without an interface there is nothing to assume.
///
/// Candidates are all parts that have actions of the goal, each of them alone, and all of them but one.
fn good_split(problem: &Problem) -> (Vec<usize>, Vec<usize>) {
    let goal = problem.goal.alphabet();
    let is_near = |&part: &usize| problem.parts[part].lts.alphabet().names().any(|name| goal.contains(name));
    let all: Vec<usize> = (0..problem.parts.len()).collect();
    let mut near: Vec<usize> = all.iter().copied().filter(is_near).collect();
    if near.is_empty() {
        near.clone_from(&all);
    }
    let without = |part: usize| near.iter().copied().filter(|&other| other != part).collect();
    let mut candidates: Vec<Vec<usize>> = vec![near.clone()];
    candidates.extend(near.iter().map(|&part| vec![part]));
    candidates.extend(near.iter().map(|&part| without(part)));
    candidates.retain(|left| !left.is_empty() && left.len() < all.len());
    let rest =
        |left: &[usize]| -> Vec<usize> { all.iter().copied().filter(|part| !left.contains(part)).collect() };
    let pick =
        |group: &[usize]| -> Vec<_> { group.iter().map(|&part| problem.parts[part].clone()).collect() };
    let merit = |left: &Vec<usize>| {
        let shared = rely_assume::interface(&pick(left), &problem.goal, &pick(&rest(left))).len();
        let states = left.iter().map(|&part| problem.parts[part].lts.state_count());
        (shared == 0, shared, states.fold(1, usize::saturating_mul))
    };
    match candidates.into_iter().min_by_key(merit) {
        Some(left) => (left.clone(), rest(&left)),
        None => (all, Vec::new()),
    }
}

/// What became of a question.
pub(super) struct Asked {
    pub(super) found: Found,
    /// The strategy that decided.
    pub(super) strategy: Strategy,
    /// The groups of the rule, if one was used.
    pub(super) groups: Vec<Vec<usize>>,
    pub(super) effort: Effort,
    /// Why another strategy was used than was asked for.
    pub(super) reason: Option<String>,
    /// What may be a proof, to be looked at after a change.
    pub(super) sketch: Option<Proof>,
    /// The parts that localisation has needed, if it decided.
    pub(super) inside: Vec<usize>,
    /// What reduction has composed, if it decided.
    pub(super) compositions: Vec<Composition>,
}

/// What the past gives to a question, and the future wants of it.
#[derive(Default)]
pub(super) struct Aid {
    /// From how many states on a sketch is wanted of an answer, because it will be remembered or explained.
    pub(super) sketch_from: Option<usize>,
    /// A proof that does not stand any more, but whose assumptions are a good start.
    pub(super) start: Option<Proof>,
}

impl Aid {
    fn wants_sketch(&self, effort: &Effort) -> bool {
        self.sketch_from.is_some_and(|states| effort.peak_states >= states)
    }
}

impl Asked {
    /// What the past has decided, if it has.
    pub(super) fn of_look(look: &mut Look) -> Option<Self> {
        let proof = look.proof.take()?;
        let earlier = Strategy::from_name(&look.strategy).unwrap_or_default();
        let mut asked = Self::new(if earlier.uses_a_rule() { earlier } else { Strategy::Abstract });
        if !earlier.uses_a_rule() {
            // What was composed before, or what the parts did, is what the others are abstracted to.
            let way = earlier.name();
            asked.reason = Some(format!("the assumptions are from an earlier answer by {way}"));
        }
        asked.groups.clone_from(&proof.groups);
        asked.effort = look.effort;
        asked.found = Found::Proved(Some(proof));
        look.stands = true;
        Some(asked)
    }

    /// Whether there is no answer because something has too many states.
    fn is_too_large(&self) -> bool {
        let resource = match &self.found {
            Found::Unknown(exhausted) => exhausted.resource,
            Found::Proved(_) | Found::Refuted(_) => return false,
        };
        matches!(resource, Resource::States | Resource::Memory)
    }

    pub(super) fn new(strategy: Strategy) -> Self {
        let nothing = Exhausted { resource: Resource::Cancelled, states: 0, transitions: 0 };
        Self {
            found: Found::Unknown(nothing),
            strategy,
            groups: Vec::new(),
            effort: Effort::default(),
            reason: None,
            sketch: None,
            inside: Vec::new(),
            compositions: Vec::new(),
        }
    }
}

/// What was found.
pub(super) enum Found {
    Proved(Option<Proof>),
    Refuted(Box<Counterexample>),
    Unknown(Exhausted),
}

/// What a rule that applies finds, with the assumptions of an earlier proof to start from.
fn by_rule(
    strategy: Strategy,
    plan: Plan,
    problem: &Problem,
    aid: &Aid,
    budget: &Budget<'_>,
) -> Result<Asked, Internal> {
    let start = aid.start.as_ref().filter(|start| start.rule == plan.rule && start.groups == plan.groups);
    let start = start.map_or(&[][..], |start| &start.assumptions);
    let (answer, effort) = verify_from(problem, &plan, start, budget)?;
    let found = match answer {
        Answer::Proved(proof) => Found::Proved(Some(proof)),
        Answer::Refuted(run) => Found::Refuted(run),
        Answer::Unknown(exhausted) => Found::Unknown(exhausted),
    };
    Ok(Asked { effort, groups: plan.groups, found, ..Asked::new(strategy) })
}

/// Why a rule cannot be used, in the user's words.
fn applies(plan: &Plan, problem: &Problem) -> Result<(), &'static str> {
    plan.applies_to(problem).map_err(|inapplicable| match inapplicable {
        Inapplicable::TooFewGroups if problem.parts.len() < 2 => "there are too few parts to split",
        Inapplicable::TooFewGroups if plan.groups[0].is_empty() => {
            "--left names no part but what can fail, so nothing is left for M1"
        }
        Inapplicable::TooFewGroups => "--left names all parts, so nothing is left for M2",
        Inapplicable::GoalTakesPart => "the rule needs a property that only looks on",
        Inapplicable::NoChain if plan.method.needs_chain() => "the strategy needs a rule that is a chain",
        Inapplicable::NoChain => "--refine-alphabet needs a rule that is a chain",
    })?;
    let group =
        |group: &Vec<usize>| -> Vec<_> { group.iter().map(|&part| problem.parts[part].clone()).collect() };
    let rest: Vec<_> = plan.groups[1..].iter().flat_map(group).collect();
    match rely_assume::interface(&group(&plan.groups[0]), &problem.goal, &rest).is_empty() {
        true => Err("the groups share nothing, so there is nothing to assume"),
        false => Ok(()),
    }
}

fn on_the_product(problem: &Problem, budget: &Budget<'_>, effort: &mut Effort) -> Result<Found, Internal> {
    let (verdict, cost) = monolithic(problem, budget)?;
    effort.add(cost);
    Ok(decided(verdict))
}

fn decided(verdict: rely_decide::Verdict<rely_decide::Limit>) -> Found {
    match verdict {
        rely_decide::Verdict::Holds(_) => Found::Proved(None),
        rely_decide::Verdict::Violated(run) => Found::Refuted(run),
        rely_decide::Verdict::Unknown(limit) => Found::Unknown(limit.exhausted()),
    }
}
