//! `verify`: a system is proved from its parts.

use rely_assume::{
    Algorithm, Alphabets, Answer, Automatic, Effort, Goal, Inapplicable, Localisation, Memory, Method,
    Outcome, Plan, Problem, Proof, Reduction, Rule, Unrealised, Way, automatic, monolithic, verify_from,
};
use rely_base::{Budget, Exhausted, Id};
use rely_certificate::{Certificate, Claim};
use rely_decide::Counterexample;
use rely_fsp::Failure;
use rely_lts::{ComponentId, Network};

use crate::certify::{ERROR, composition_claim};
use crate::parts::{Library, ids};
use crate::report::{Finding, ProofAssumption, Report, TraceStep, Verdict, VerifyResult};
use crate::reuse::{Known, Look, Past};
use crate::{Internal, Project, explain};

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

/// What to prove, and how.
pub struct VerifyQuery<'a> {
    /// The system.
    pub system: String,
    /// The properties; every property process among the parts of the system if there are none.
    pub properties: Vec<String>,
    /// The parts of the first group; chosen if there are none.
    pub left: Vec<String>,
    /// The rule.
    pub rule: Rule,
    /// How to prove.
    pub strategy: Strategy,
    /// How to learn.
    pub algorithm: Algorithm,
    /// Over which actions assumptions are looked for.
    pub alphabets: Alphabets,
    /// The milliseconds since some moment.
    pub clock: &'a dyn Fn() -> u64,
}

/// The answers, and the claims that can be certified.
pub struct Verified {
    /// The answers.
    pub report: Report<VerifyResult>,
    /// What holds, with its evidence.
    pub certificate: Certificate,
}

/// The most groups of a rule when the user does not say which.
const MOST_GROUPS: usize = 4;

/// Proves the properties of a system, or finds runs that break them.
///
/// # Errors
/// A mistake in this program, such as a counterexample that cannot be replayed.
pub fn verify(project: &Project, query: &VerifyQuery<'_>, budget: Budget<'_>) -> Result<Verified, Internal> {
    verify_with_memory(project, query, None, budget)
}

/// The same, with what was found out before.
///
/// # Errors
/// A mistake in this program, such as a counterexample that cannot be replayed.
pub fn verify_with_memory(
    project: &Project,
    query: &VerifyQuery<'_>,
    memory: Option<&dyn Memory>,
    budget: Budget<'_>,
) -> Result<Verified, Internal> {
    let mut library = Library::of(std::slice::from_ref(project), budget);
    let questions = Questions::read(&mut library, query, &budget);
    let failed = library.has_errors();
    let warnings = std::mem::take(&mut library.warnings);
    let mut findings = library.findings();
    let report = |results, findings| Verified {
        report: Report::new("verify", results, findings),
        certificate: Certificate::new(Vec::new()),
    };
    let questions = match questions {
        Ok(questions) if !failed => questions,
        Ok(_) | Err(Trouble::Failure(Failure::Errors)) => return Ok(report(Vec::new(), findings)),
        Err(Trouble::Finding(finding)) => {
            findings.push(*finding);
            return Ok(report(Vec::new(), findings));
        }
        Err(Trouble::Failure(Failure::Exhausted(exhausted))) => {
            let mut result = blank(query, query.properties.first().map_or(ERROR, String::as_str));
            result.reason = Some(format!("a part that has to be built first: {exhausted}"));
            return Ok(report(vec![result], findings));
        }
    };
    let mut results = Vec::new();
    let mut claims = Vec::new();
    for question in &questions.questions {
        let started = (query.clock)();
        let (mut result, claim) = questions.answer(question, query, memory, budget)?;
        result.time_ms = (query.clock)().saturating_sub(started);
        result.warnings.splice(0..0, warnings.iter().cloned());
        results.push(result);
        claims.extend(claim);
    }
    let report = Report::new("verify", results, findings);
    Ok(Verified { report, certificate: Certificate::new(claims) })
}

/// Why there are no questions.
enum Trouble {
    Failure(Failure),
    Finding(Box<Finding>),
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

/// The system and what is asked of it.
struct Questions {
    /// The whole system with everything that can fail in it.
    network: Network,
    /// The system by itself; properties that were named and are no parts of it come after its components.
    own: Network,
    questions: Vec<Question>,
    /// The parts of the first group as the user named them.
    left: Vec<String>,
}

/// One property.
struct Question {
    name: String,
    problem: Problem,
    /// The components of the network that are the parts of the problem, and those that are its goal.
    parts: Vec<ComponentId>,
    goal: Vec<ComponentId>,
}

impl Questions {
    fn read(
        library: &mut Library<'_>,
        query: &VerifyQuery<'_>,
        budget: &Budget<'_>,
    ) -> Result<Self, Trouble> {
        let mut network = library.system(&query.system)?;
        let own = network.clone();
        let is_property = |id: &ComponentId| library.is_property(&network.components()[id.index()].name);
        let mut observers: Vec<ComponentId> = ids(&network).filter(is_property).collect();
        let mut wanted: Vec<(String, Vec<ComponentId>)> = Vec::new();
        for name in &query.properties {
            let found: Vec<ComponentId> =
                observers.iter().copied().filter(|&id| is_called(&network, id, name)).collect();
            if found.is_empty() && name == ERROR {
                wanted.push((ERROR.to_owned(), faulty(&network, &observers)));
                continue;
            }
            if found.is_empty() {
                // A property that is not among the parts looks on from outside.
                let Goal { components, .. } = library.property(name, budget)?;
                let first = network.components().len();
                network = network.with_components(components);
                let goal: Vec<ComponentId> = ids(&network).skip(first).collect();
                observers.extend(&goal);
                wanted.push((name.clone(), goal));
                continue;
            }
            let name = |id: ComponentId| network.components()[id.index()].name.clone();
            wanted.extend(found.into_iter().map(|id| (name(id), vec![id])));
        }
        // Who names a property twice gets one answer.
        let mut seen: Vec<Vec<ComponentId>> = Vec::new();
        wanted.retain(|(_, goal)| {
            let is_new = !seen.contains(goal);
            seen.push(goal.clone());
            is_new
        });
        if query.properties.is_empty() {
            let name = |id: ComponentId| network.components()[id.index()].name.clone();
            wanted.extend(observers.iter().map(|&id| (name(id), vec![id])));
            let faulty = faulty(&network, &observers);
            if !faulty.is_empty() {
                wanted.push((ERROR.to_owned(), faulty));
            }
        }
        if wanted.is_empty() {
            let message = format!("`{}` has no property, and nothing in it can fail", query.system);
            let mut finding = Finding::without_place(explain::NOTHING_TO_VERIFY, &message);
            finding.help =
                Some("add a property process to the composition, or name one with --property".to_owned());
            return Err(Trouble::Finding(Box::new(finding)));
        }
        let question = |(name, goal): (String, Vec<ComponentId>)| {
            let is_part = |id: &ComponentId| !goal.contains(id) && !observers.contains(id);
            let parts: Vec<ComponentId> = ids(&network).filter(is_part).collect();
            Question { problem: Problem::new(&name, &network, &goal, &observers), name, parts, goal }
        };
        let questions: Vec<Question> = wanted.into_iter().map(question).collect();
        let left = Self::left(&network, query)?;
        Ok(Self { network, own, questions, left })
    }

    /// The parts that the user wants in the first group, by their full names.
    fn left(network: &Network, query: &VerifyQuery<'_>) -> Result<Vec<String>, Trouble> {
        let mut left = Vec::new();
        for name in &query.left {
            let before = left.len();
            let named = ids(network).filter(|&id| is_called(network, id, name));
            left.extend(named.map(|id| network.components()[id.index()].name.clone()));
            if left.len() == before {
                let message = format!("`{}` has no part `{name}`", query.system);
                let mut finding = Finding::without_place(explain::NO_SUCH_PART, &message);
                let all: Vec<&str> =
                    network.components().iter().map(|component| component.name.as_str()).collect();
                finding.help = Some(format!("its parts are {}", all.join(", ")));
                return Err(Trouble::Finding(Box::new(finding)));
            }
        }
        Ok(left)
    }

    fn answer(
        &self,
        question: &Question,
        query: &VerifyQuery<'_>,
        memory: Option<&dyn Memory>,
        budget: Budget<'_>,
    ) -> Result<(VerifyResult, Option<Claim>), Internal> {
        // With priority, premises say nothing about the whole.
        let memory = memory.filter(|_| self.network.priority().is_none());
        let past = memory.and_then(|memory| Past::of(memory, query, &question.name, &question.problem));
        let Some(past) = past else {
            let asked = self.ask(question, query, &Aid::default(), budget)?;
            return Ok(self.told(question, query, &asked));
        };
        if let Some(Known { result, proof }) = past.answer() {
            let proof = proof.unwrap_or_else(|| whole(question));
            let holds = result.verdict == Verdict::Holds;
            let claim = holds.then(|| self.claim(query, question, &proof));
            return Ok((result, claim));
        }
        // If a limit ends the look at the past, it ends what comes after as well, which then says so.
        let mut look = past.look(&budget).ok().flatten();
        let asked = match look.as_mut().and_then(Asked::of_look) {
            Some(asked) => asked,
            None => {
                let start = look.as_ref().and_then(|look| look.start.clone());
                let mut asked = self.ask(question, query, &Aid { is_remembered: true, start }, budget)?;
                asked.effort.add(look.as_ref().map(|look| look.effort).unwrap_or_default());
                asked
            }
        };
        let (mut result, claim) = self.told(question, query, &asked);
        let (proof, run) = match &asked.found {
            Found::Proved(proof) => (proof.as_ref(), None),
            Found::Refuted(run) => (None, Some(&**run)),
            Found::Unknown(_) => (None, None),
        };
        past.remember(&result, proof, run, asked.sketch.as_ref(), look.as_ref());
        if let Some(look) = look {
            result.reused = Some(look.reused);
            result.broken_assumption = look.broken;
        }
        Ok((result, claim))
    }

    /// What is reported, and claimed.
    fn told(
        &self,
        question: &Question,
        query: &VerifyQuery<'_>,
        asked: &Asked,
    ) -> (VerifyResult, Option<Claim>) {
        let mut result = blank(query, &question.name);
        let Asked { found, strategy, groups, effort, reason, .. } = asked;
        result.strategy = strategy.name().to_owned();
        result.reason.clone_from(reason);
        result.peak_states = effort.peak_states;
        result.queries = effort.queries;
        result.conjectures = effort.conjectures;
        let names = |group: &Vec<usize>| -> Vec<String> {
            group.iter().map(|&part| question.problem.parts[part].name.clone()).collect()
        };
        if let Some((first, rest)) = groups.split_first() {
            let rule = if let Found::Proved(Some(proof)) = found { proof.rule } else { query.rule };
            result.rule = Some(rule.name().to_owned());
            result.left = names(first);
            result.right = rest.iter().flat_map(names).collect();
            if rest.len() > 1 {
                result.groups = groups.iter().map(names).collect();
            }
        }
        let claim = match found {
            Found::Proved(proof) => {
                result.verdict = Verdict::Holds;
                let proof = proof.clone().unwrap_or_else(|| whole(question));
                if !groups.is_empty() {
                    let premises = proof.rule.premises(proof.groups.len());
                    result.premises = premises.iter().map(ToString::to_string).collect();
                }
                let size = |assumption: &rely_assume::Assumption| ProofAssumption {
                    states: assumption.state_count(),
                    alphabet: assumption.alphabet().sorted_names().into_iter().map(str::to_owned).collect(),
                };
                result.assumptions = proof.assumptions.iter().map(size).collect();
                Some(self.claim(query, question, &proof))
            }
            Found::Refuted(run) => {
                result.verdict = Verdict::Violated;
                result.trace = run.trace_names().into_iter().map(str::to_owned).collect();
                result.steps = run.trace.iter().map(TraceStep::of).collect();
                let all = question.problem.components();
                result.components = all.into_iter().map(|component| component.name).collect();
                None
            }
            Found::Unknown(exhausted) => {
                result.reason = Some(exhausted.to_string());
                None
            }
        };
        (result, claim)
    }

    /// What a certificate says about a proof. A property that is no part of the system stands behind its parts.
    fn claim(&self, query: &VerifyQuery<'_>, question: &Question, proof: &Proof) -> Claim {
        let count = self.own.components().len();
        let is_part = question.goal.iter().all(|id| id.index() < count);
        let (network, goal) = match is_part {
            true => (self.own.clone(), question.goal.clone()),
            false => {
                let network = self.own.clone().with_components(question.problem.goal.components.clone());
                let goal = ids(&network).skip(count).collect();
                (network, goal)
            }
        };
        let evidence = proof.evidence(&question.parts, &goal);
        composition_claim(&query.system, &network, &question.name, &goal, evidence)
    }

    fn ask(
        &self,
        question: &Question,
        query: &VerifyQuery<'_>,
        aid: &Aid,
        budget: Budget<'_>,
    ) -> Result<Asked, Internal> {
        let mut asked = Asked::new(Strategy::Monolithic);
        if self.network.priority().is_some() {
            if query.strategy != Strategy::Monolithic {
                asked.reason = Some("the system has priority, which no rule allows for".to_owned());
            }
            let whole = self.network.clone().without_hiding();
            asked.found = with_priority(&whole, question, &budget, &mut asked.effort)?;
            return Ok(asked);
        }
        match query.strategy {
            Strategy::Auto => Self::automatic(question, aid, &budget),
            strategy => self.attempt(strategy, question, query, aid, &budget),
        }
    }

    /// Search of the product and reduction in turns.
    fn automatic(question: &Question, aid: &Aid, budget: &Budget<'_>) -> Result<Asked, Internal> {
        let found = automatic(&question.problem, budget)?;
        let sketch = if aid.is_remembered { found.sketch(budget) } else { None };
        let Automatic { outcome, way, effort, story, .. } = found;
        let mut asked = Asked::new(match way {
            Way::Monolithic => Strategy::Monolithic,
            Way::Localise => Strategy::Localise,
            Way::Reduce => Strategy::Reduce,
        });
        asked.effort = effort;
        asked.reason = Some(story);
        asked.sketch = sketch;
        asked.found = match outcome {
            Outcome::Proved => Found::Proved(None),
            Outcome::Refuted(run) => Found::Refuted(run),
            Outcome::Unknown(exhausted) => Found::Unknown(exhausted),
        };
        Ok(asked)
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
                if aid.is_remembered && matches!(asked.found, Found::Proved(_)) {
                    asked.sketch = reduction.sketch(budget);
                }
                return Ok(asked);
            }
            Strategy::Monolithic => {
                asked.found = on_the_product(problem, budget, &mut asked.effort)?;
                return Ok(asked);
            }
        };
        let groups = self.groups(problem, query.rule);
        let plan = Plan { rule: query.rule, method, alphabets: query.alphabets, groups, most_words: None };
        if let Err(inapplicable) = applies(&plan, problem) {
            asked = Asked::new(Strategy::Monolithic);
            asked.reason = Some(inapplicable.to_owned());
            asked.found = on_the_product(problem, budget, &mut asked.effort)?;
            return Ok(asked);
        }
        let start = aid.start.as_ref().filter(|start| start.rule == plan.rule && start.groups == plan.groups);
        let start = start.map_or(&[][..], |start| &start.assumptions);
        let (answer, effort) = verify_from(problem, &plan, start, budget)?;
        asked.effort = effort;
        asked.groups = plan.groups;
        asked.found = match answer {
            Answer::Proved(proof) => Found::Proved(Some(proof)),
            Answer::Refuted(run) => Found::Refuted(run),
            Answer::Unknown(exhausted) => Found::Unknown(exhausted),
        };
        Ok(asked)
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
/// smallest interface to the rest, and the fewest states among those.
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
        (shared, states.fold(1, usize::saturating_mul))
    };
    match candidates.into_iter().min_by_key(merit) {
        Some(left) => (left.clone(), rest(&left)),
        None => (all, Vec::new()),
    }
}

/// What became of a question.
struct Asked {
    found: Found,
    /// The strategy that decided.
    strategy: Strategy,
    /// The groups of the rule, if one was used.
    groups: Vec<Vec<usize>>,
    effort: Effort,
    /// Why another strategy was used than was asked for.
    reason: Option<String>,
    /// What may be a proof, to be looked at after a change.
    sketch: Option<Proof>,
}

/// What the past gives to a question, and the future wants of it.
#[derive(Default)]
struct Aid {
    /// Whether the answer will be remembered.
    is_remembered: bool,
    /// A proof that does not stand any more, but whose assumptions are a good start.
    start: Option<Proof>,
}

impl Asked {
    /// What the past has decided, if it has.
    fn of_look(look: &mut Look) -> Option<Self> {
        let proof = look.proof.take()?;
        let strategy = Strategy::from_name(&look.strategy).unwrap_or_default();
        let groups = proof.groups.clone();
        look.stands = true;
        Some(Self { found: Found::Proved(Some(proof)), groups, effort: look.effort, ..Self::new(strategy) })
    }

    fn new(strategy: Strategy) -> Self {
        let nothing = Exhausted { resource: rely_base::Resource::Cancelled, states: 0, transitions: 0 };
        Self {
            found: Found::Unknown(nothing),
            strategy,
            groups: Vec::new(),
            effort: Effort::default(),
            reason: None,
            sketch: None,
        }
    }
}

enum Found {
    Proved(Option<Proof>),
    Refuted(Box<Counterexample>),
    Unknown(Exhausted),
}

/// The proof that has a single group.
fn whole(question: &Question) -> Proof {
    let groups = vec![(0..question.problem.parts.len()).collect()];
    Proof { rule: Rule::Chain, groups, assumptions: Vec::new() }
}

/// Why a rule cannot be used, in the user's words.
fn applies(plan: &Plan, problem: &Problem) -> Result<(), &'static str> {
    plan.applies_to(problem).map_err(|inapplicable| match inapplicable {
        Inapplicable::TooFewGroups => "there are too few parts to split",
        Inapplicable::GoalTakesPart => "the rule needs a property that only looks on",
        Inapplicable::NoChain => "the strategy needs a rule that is a chain",
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

fn decided(verdict: rely_decide::Verdict) -> Found {
    match verdict {
        rely_decide::Verdict::Holds(_) => Found::Proved(None),
        rely_decide::Verdict::Violated(run) => Found::Refuted(run),
        rely_decide::Verdict::Unknown(rely_decide::Unknown::Exhausted(exhausted)) => {
            Found::Unknown(exhausted)
        }
        rely_decide::Verdict::Unknown(rely_decide::Unknown::ErrorReachable) => {
            unreachable!("safety is never unknown because of an error")
        }
    }
}

/// The product of a system with priority: who goes first is said by the names of actions, so it stays as it is when
/// parts are left out.
fn with_priority(
    network: &Network,
    question: &Question,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Found, Internal> {
    let mut whole = question.problem.network();
    if let Some(priority) = network.priority() {
        let named =
            |name: &str| network.alphabet().get(name).is_some_and(|action| priority.actions[action.index()]);
        whole = whole.with_priority(priority.rank, named);
    }
    let decision = rely_decide::check_safety(&whole, budget)?;
    effort.held(decision.explored.states);
    Ok(decided(decision.verdict))
}

/// The parts that can fail and are no properties.
fn faulty(network: &Network, observers: &[ComponentId]) -> Vec<ComponentId> {
    let can_fail = |id: &ComponentId| network.components()[id.index()].lts.error().is_some();
    ids(network).filter(|id| can_fail(id) && !observers.contains(id)).collect()
}

/// Whether a part has a name: its own, that of its definition, or that of a composite or a prefix that it is under. So
/// `RING.node.1:NODE(1)` is `node.1:NODE`, `NODE`, `RING` and `node.1`.
pub(crate) fn is_called(network: &Network, id: ComponentId, name: &str) -> bool {
    let full = network.components()[id.index()].name.as_str();
    let plain = full.split('(').next().unwrap_or(full);
    let is_limit = |rest: &str, first: bool| {
        let next = if first { rest.chars().next() } else { rest.chars().next_back() };
        next.is_none_or(|next| next == '.' || next == ':')
    };
    let mut places = plain.match_indices(name);
    full == name
        || places.any(|(at, _)| is_limit(&plain[..at], false) && is_limit(&plain[at + name.len()..], true))
}

fn blank(query: &VerifyQuery<'_>, property: &str) -> VerifyResult {
    VerifyResult::unknown(&query.system, property, query.strategy.name())
}
