//! What `verify` remembers from one run to the next.
//!
//! Three kinds of things are remembered, each by a digest of what it depends on:
//! - *answers*: the same question about the same components gets the same answer. One that says *violated* has its run
//!   replayed on the components before it is believed;
//! - *premises*: what has been shown of a group of components (`rely_assume::check_again`);
//! - the *last proof* of a property of a system, under their names. It is where to begin after a change, and nothing is
//!   believed because of it: its premises are checked, or known, for the components as they are.
//!
//! The last proof stays when a system turns out to be wrong, so that the next version is compared with one that was
//! right.

use std::sync::Arc;

use rely_assume::{
    Again, Assumption, Composition, Content, Effort, Goal, Inherited, Key, Memory, Premise, Problem, Proof,
    Rule, check_again, inherit, premises_to_remember,
};
use rely_base::{Budget, Exhausted, Id, Limits, Resource, StateId};
use rely_decide::{Counterexample, Ending, Step, replay};
use rely_lts::format::json;
use rely_lts::{Component, ComponentId, Network};
use serde::{Deserialize, Serialize};

use crate::explanation::Trail;
use crate::report::{AssumptionFault, BrokenAssumption, Reused, Verdict, VerifyResult};
use crate::{Strategy, VerifyQuery};

/// Systems with more transitions than this, in all components together, are not kept for comparison.
const MOST_TRANSITIONS: usize = 500_000;

/// A premise may take so many states, however small the earlier proof was.
const FEWEST_STATES: usize = 1 << 14;

/// The past of one question.
pub(crate) struct Past<'a> {
    memory: &'a dyn Memory,
    query: &'a VerifyQuery<'a>,
    property: &'a str,
    problem: &'a Problem,
}

/// An answer that is known.
pub(crate) struct Known {
    /// The answer.
    pub(crate) result: VerifyResult,
    /// The proof, if there is one with assumptions.
    pub(crate) proof: Option<Proof>,
    /// The run, if the property is broken.
    pub(crate) run: Option<Counterexample>,
    /// What localisation and reduction have done, if that was kept.
    pub(crate) ways: Option<Ways>,
}

/// What was done by the ways without assumptions.
#[derive(Clone, Default)]
pub(crate) struct Ways {
    /// The parts that localisation has needed.
    pub(crate) inside: Vec<usize>,
    /// What reduction has composed.
    pub(crate) compositions: Vec<Composition>,
    /// A chain of assumptions that may be a proof.
    pub(crate) sketch: Option<Proof>,
}

/// What the last proof says about the components as they are.
#[derive(Default)]
pub(crate) struct Look {
    /// The proof, if it stands.
    pub(crate) proof: Option<Proof>,
    /// The strategy that found it.
    pub(crate) strategy: String,
    pub(crate) reused: Reused,
    /// What does not stand, if the proof does not.
    pub(crate) broken: Option<BrokenAssumption>,
    /// Assumptions to begin with, where the proof does not stand, and the groups that they are for.
    pub(crate) start: Option<Proof>,
    pub(crate) effort: Effort,
    /// Whether the proof has been taken for the answer.
    pub(crate) stands: bool,
    /// Whether the proof is to be remembered as the last one.
    is_new: bool,
}

#[derive(Serialize, Deserialize)]
struct AnswerRecord {
    result: VerifyResult,
    proof: Option<ProofRecord>,
    run: Option<RunRecord>,
    #[serde(default)]
    ways: Option<WaysRecord>,
}

/// What localisation and reduction have done, with parts by number: an answer is about the same parts in the same order.
#[derive(Serialize, Deserialize)]
struct WaysRecord {
    inside: Vec<usize>,
    compositions: Vec<CompositionRecord>,
    sketch: Option<ProofRecord>,
}

#[derive(Serialize, Deserialize)]
struct CompositionRecord {
    has_goal: bool,
    first: Vec<usize>,
    second: Vec<usize>,
    before: [usize; 2],
    after: usize,
    can_fail: bool,
}

/// A proof, with parts by name.
#[derive(Serialize, Deserialize)]
struct ProofRecord {
    rule: String,
    groups: Vec<Vec<String>>,
    /// In the exchange format for transition systems.
    assumptions: Vec<String>,
}

/// A run that fails: for each step its action, the components that move, and the states after it.
#[derive(Serialize, Deserialize)]
struct RunRecord {
    steps: Vec<(String, Vec<usize>, Vec<usize>)>,
    failed: usize,
    is_shortest: bool,
}

/// The last proof of a property of a system.
#[derive(Serialize, Deserialize)]
struct LastRecord {
    parts: Vec<(String, String)>,
    goal: Vec<(String, String)>,
    strategy: String,
    proof: Option<ProofRecord>,
    /// Whether the proof has been checked, or is only a sketch.
    is_sketch: bool,
    peak_states: usize,
}

impl<'a> Past<'a> {
    /// The past of a question about parts that can be told apart by their names.
    pub(crate) fn of(
        memory: &'a dyn Memory,
        query: &'a VerifyQuery<'a>,
        property: &'a str,
        problem: &'a Problem,
    ) -> Option<Self> {
        let mut names: Vec<&str> = problem.parts.iter().map(|part| part.name.as_str()).collect();
        names.sort_unstable();
        let distinct = names.windows(2).all(|two| two[0] != two[1]);
        distinct.then_some(Self { memory, query, property, problem })
    }

    /// The way of asking, which decides what an answer looks like.
    fn manner(&self, kind: &str) -> Content {
        let VerifyQuery { system, left, rule, strategy, algorithm, alphabets, .. } = self.query;
        let content =
            Content::new(kind).text(system).text(self.property).text(strategy.name()).text(rule.name());
        let content = content.text(&format!("{algorithm:?} {alphabets:?}")).number(left.len());
        left.iter().fold(content, |content, name| content.text(name))
    }

    fn key_of_answer(&self) -> Key {
        self.manner("answer").problem(self.problem).key()
    }

    /// The answer that was given to the same question.
    pub(crate) fn answer(&self) -> Option<Known> {
        let bytes = self.memory.recall(&self.key_of_answer())?;
        let AnswerRecord { mut result, proof, run, ways } = serde_json::from_slice(&bytes).ok()?;
        let run = match result.verdict {
            Verdict::Holds => None,
            Verdict::Violated => {
                let network = self.problem.network();
                let run = run?.read(&network)?;
                replay(&network, &run).ok()?;
                Some(run)
            }
            Verdict::Unknown => return None,
        };
        let proof = match proof {
            Some(proof) => Some(proof.read(self.problem)?),
            None => None,
        };
        let (premises, assumptions) = (result.premises.len(), result.assumptions.len());
        result.reused = Some(Reused { verdict: true, premises, assumptions, ..Reused::default() });
        result.broken_assumption = None;
        let ways = ways.and_then(|ways| ways.read(self.problem));
        Some(Known { result, proof, run, ways })
    }

    /// Looks at the last proof again.
    ///
    /// # Errors
    /// The limit of the budget that was met, other than one on states.
    pub(crate) fn look(&self, budget: &Budget<'_>) -> Result<Option<Look>, Exhausted> {
        if self.query.strategy == Strategy::Monolithic {
            return Ok(None);
        }
        let Some(last) = self.last() else { return Ok(None) };
        let Some(old) = last.problem(&self.problem.goal.name) else { return Ok(None) };
        let changed = self.changed(&old);
        // Something else that has the same name is not worth comparing.
        if 2 * changed.len() > self.problem.parts.len() {
            return Ok(None);
        }
        let mut look = Look { strategy: last.strategy.clone(), ..Look::default() };
        look.reused.changed = changed.iter().map(|&part| self.problem.parts[part].name.clone()).collect();
        look.reused.removed = self.removed(&old);
        look.reused.property_changed = !self.has_goal_of(&old);
        let states = Some(last.peak_states.saturating_mul(2).max(FEWEST_STATES));
        let narrow = budget.narrowed(Limits { states, bytes: None });
        let proof = last.proof.as_ref().and_then(|proof| proof.read_similar(self.problem));
        if let Some(proof) = proof
            && self.check(proof, last.is_sketch, &changed, &narrow, &mut look)?
        {
            return Ok(Some(look));
        }
        self.inherit(&old, &narrow, &mut look)?;
        Ok(Some(look))
    }

    /// Whether a proof settles what the change has done.
    fn check(
        &self,
        proof: Proof,
        is_sketch: bool,
        changed: &[usize],
        budget: &Budget<'_>,
        look: &mut Look,
    ) -> Result<bool, Exhausted> {
        let again = check_again(self.problem, &proof, self.memory, budget, &mut look.effort);
        match limited(again)? {
            Some(Again::Stands(known)) => {
                look.reused.premises = known;
                look.reused.assumptions = proof.assumptions.len();
                look.is_new = true;
                look.proof = Some(proof);
                Ok(true)
            }
            Some(Again::Broken(broken)) => {
                let Premise::Triple { group, .. } = broken.premise else { return Ok(false) };
                let group = &proof.groups[group];
                // A sketch may never have been a proof, and then no change is to blame.
                if is_sketch && !group.iter().any(|part| changed.contains(part)) {
                    return Ok(false);
                }
                let fault = if broken.is_breached {
                    AssumptionFault::Breached
                } else {
                    AssumptionFault::Insufficient
                };
                look.broken = Some(BrokenAssumption {
                    index: Some(broken.assumption + 1),
                    fault,
                    premise: Some(broken.premise.to_string()),
                    parts: group.iter().map(|&part| self.problem.parts[part].name.clone()).collect(),
                    trace: broken.trace,
                });
                if self.query.strategy == Strategy::Learn {
                    look.reused.assumptions = proof.assumptions.len();
                    look.start = Some(proof);
                }
                Ok(true)
            }
            Some(Again::Unusable) | None => Ok(false),
        }
    }

    /// Whether the parts that have changed do no more than they did.
    fn inherit(&self, old: &Problem, budget: &Budget<'_>, look: &mut Look) -> Result<(), Exhausted> {
        match limited(inherit(old, self.problem, budget, &mut look.effort))? {
            Some(Inherited::Stands(proof)) => {
                // That the others are content with this assumption is the old verdict.
                look.reused.premises = 1;
                look.reused.assumptions = 1;
                look.proof = Some(proof);
            }
            Some(Inherited::Surprise(surprise)) => {
                look.broken = Some(BrokenAssumption {
                    index: None,
                    fault: AssumptionFault::Breached,
                    premise: None,
                    parts: vec![self.problem.parts[surprise.part].name.clone()],
                    trace: surprise.trace,
                });
            }
            Some(Inherited::Unusable) | None => {}
        }
        Ok(())
    }

    /// Remembers an answer that was found, with its proof or run. A sketch is a proof that has not been checked.
    pub(crate) fn remember(&self, result: &VerifyResult, trail: &Trail, look: Option<&Look>) {
        let Trail { proof, run, sketch, .. } = trail;
        let (proof, sketch) = (proof.as_ref(), sketch.as_ref());
        if result.verdict == Verdict::Unknown {
            return;
        }
        let mut entries = Vec::new();
        let record = AnswerRecord {
            result: VerifyResult { reused: None, broken_assumption: None, ..result.clone() },
            proof: proof.map(|proof| ProofRecord::of(proof, self.problem)),
            run: run.as_ref().and_then(RunRecord::of),
            ways: proof.is_none().then(|| WaysRecord::of(trail, self.problem)),
        };
        entries.push((self.key_of_answer(), written(&record)));
        if let Some(proof) = proof {
            entries.extend(premises_to_remember(self.problem, proof));
        }
        let stands = look.is_some_and(|look| look.stands);
        let is_last = !stands || look.is_some_and(|look| look.is_new);
        let transitions: usize =
            self.problem.components().iter().map(|component| component.lts.transition_count()).sum();
        if result.verdict == Verdict::Holds && is_last && transitions <= MOST_TRANSITIONS {
            let record = LastRecord {
                parts: texts(&self.problem.parts),
                goal: texts(&self.problem.goal.components),
                strategy: result.strategy.clone(),
                proof: proof.or(sketch).map(|proof| ProofRecord::of(proof, self.problem)),
                is_sketch: proof.is_none(),
                peak_states: result.peak_states,
            };
            entries.push((self.manner("last").key(), written(&record)));
        }
        self.memory.remember(&entries);
    }

    fn last(&self) -> Option<LastRecord> {
        serde_json::from_slice(&self.memory.recall(&self.manner("last").key())?).ok()
    }

    /// The parts that are not in an old problem as they are.
    fn changed(&self, old: &Problem) -> Vec<usize> {
        let is_old = |part: &Component| old.parts.iter().any(|old| is_same(old, part));
        (0..self.problem.parts.len()).filter(|&part| !is_old(&self.problem.parts[part])).collect()
    }

    /// The names of the parts of an old problem that are not there any more.
    fn removed(&self, old: &Problem) -> Vec<String> {
        let is_gone = |old: &&Component| !self.problem.parts.iter().any(|part| part.name == old.name);
        old.parts.iter().filter(is_gone).map(|old| old.name.clone()).collect()
    }

    /// Whether the goal is that of an old problem.
    fn has_goal_of(&self, old: &Problem) -> bool {
        let (goal, old) = (&self.problem.goal.components, &old.goal.components);
        goal.len() == old.len() && goal.iter().zip(old).all(|(one, other)| is_same(one, other))
    }
}

fn is_same(one: &Component, other: &Component) -> bool {
    one.name == other.name && one.lts == other.lts
}

/// A limit on states means that another way has to be tried; others end the question.
fn limited<T>(result: Result<T, Exhausted>) -> Result<Option<T>, Exhausted> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(exhausted) if exhausted.resource == Resource::States => Ok(None),
        Err(exhausted) => Err(exhausted),
    }
}

fn written(record: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(record).expect("a record is plain JSON")
}

fn text(lts: &rely_lts::Lts) -> String {
    serde_json::to_string(&json::to_document(lts)).expect("a document is plain JSON")
}

fn texts(components: &[Component]) -> Vec<(String, String)> {
    components.iter().map(|component| (component.name.clone(), text(&component.lts))).collect()
}

fn components(texts: &[(String, String)]) -> Option<Vec<Component>> {
    let read = |(name, text): &(String, String)| {
        Some(Component { name: name.clone(), lts: Arc::new(json::read(text.as_bytes()).ok()?) })
    };
    texts.iter().map(read).collect()
}

impl LastRecord {
    fn problem(&self, goal: &str) -> Option<Problem> {
        let goal = Goal { name: goal.to_owned(), components: components(&self.goal)? };
        Some(Problem { parts: components(&self.parts)?, goal })
    }
}

impl ProofRecord {
    fn of(proof: &Proof, problem: &Problem) -> Self {
        let names = |group: &Vec<usize>| group.iter().map(|&part| problem.parts[part].name.clone()).collect();
        Self {
            rule: proof.rule.name().to_owned(),
            groups: proof.groups.iter().map(names).collect(),
            assumptions: proof.assumptions.iter().map(|assumption| text(assumption.lts())).collect(),
        }
    }

    /// The proof for a problem that has all its parts.
    fn read(&self, problem: &Problem) -> Option<Proof> {
        let part = |name: &String| problem.parts.iter().position(|part| part.name == *name);
        let group = |names: &Vec<String>| names.iter().map(part).collect::<Option<Vec<usize>>>();
        let groups = self.groups.iter().map(group).collect::<Option<Vec<_>>>()?;
        let assumption = |text: &String| {
            let lts = json::read(text.as_bytes()).ok()?;
            (lts.is_deterministic() && lts.error().is_none()).then(|| Assumption::new(lts))
        };
        let assumptions = self.assumptions.iter().map(assumption).collect::<Option<Vec<_>>>()?;
        Some(Proof { rule: Rule::from_name(&self.rule)?, groups, assumptions })
    }

    /// The proof for a problem that has other parts as well, or does not have some: new ones are left out, so that
    /// more is proved than has to be.
    fn read_similar(&self, problem: &Problem) -> Option<Proof> {
        let mut similar = Self {
            rule: self.rule.clone(),
            groups: self.groups.clone(),
            assumptions: self.assumptions.clone(),
        };
        let exists = |name: &String| problem.parts.iter().any(|part| part.name == *name);
        similar.groups.iter_mut().for_each(|group| group.retain(exists));
        similar.read(problem)
    }
}

impl WaysRecord {
    fn of(trail: &Trail, problem: &Problem) -> Self {
        let composition = |one: &Composition| CompositionRecord {
            has_goal: one.has_goal,
            first: one.first.clone(),
            second: one.second.clone(),
            before: one.before,
            after: one.after,
            can_fail: one.can_fail,
        };
        Self {
            inside: trail.inside.clone(),
            compositions: trail.compositions.iter().map(composition).collect(),
            sketch: trail.sketch.as_ref().map(|sketch| ProofRecord::of(sketch, problem)),
        }
    }

    /// What was done, if the parts are parts of the problem.
    fn read(self, problem: &Problem) -> Option<Ways> {
        let Self { inside, compositions, sketch } = self;
        let is_part = |&part: &usize| part < problem.parts.len();
        let composed = |one: CompositionRecord| {
            let CompositionRecord { has_goal, first, second, before, after, can_fail } = one;
            let exist = first.iter().chain(&second).all(is_part);
            exist.then_some(Composition { has_goal, first, second, before, after, can_fail })
        };
        let compositions = compositions.into_iter().map(composed).collect::<Option<Vec<_>>>()?;
        let sketch = sketch.and_then(|sketch| sketch.read(problem));
        inside.iter().all(is_part).then_some(Ways { inside, compositions, sketch })
    }
}

impl RunRecord {
    fn of(run: &Counterexample) -> Option<Self> {
        let Ending::Error(failed) = run.ending else { return None };
        let step = |step: &Step| {
            let movers = step.movers.iter().map(|mover| mover.index()).collect();
            (step.action.clone(), movers, step.after.iter().map(|state| state.index()).collect())
        };
        let steps = run.trace.iter().map(step).collect();
        Some(Self { steps, failed: failed.index(), is_shortest: run.is_shortest })
    }

    /// The run as one of a network. Whether it is one has to be seen by replaying it.
    fn read(&self, network: &Network) -> Option<Counterexample> {
        let count = network.components().len();
        let initial: Vec<StateId> =
            network.components().iter().map(|component| component.lts.initial()).collect();
        let mut before = initial.clone();
        let mut trace = Vec::new();
        for (action, movers, after) in &self.steps {
            let is_state = |(i, &state): (usize, &usize)| state < network.components()[i].lts.state_count();
            if after.len() != count
                || movers.iter().any(|&mover| mover >= count)
                || !after.iter().enumerate().all(is_state)
            {
                return None;
            }
            let after: Vec<StateId> = after.iter().map(|&state| StateId::from_index(state)).collect();
            let movers = movers.iter().map(|&mover| ComponentId::from_index(mover)).collect();
            let step =
                Step { action: action.clone(), movers, before, after: after.clone(), fluents: Vec::new() };
            trace.push(step);
            before = after;
        }
        Some(Counterexample {
            initial,
            trace,
            cycle: Vec::new(),
            ending: Ending::Error(ComponentId::from_index(self.failed.min(count.checked_sub(1)?))),
            recurring: Vec::new(),
            free: Vec::new(),
            fluents: Vec::new(),
            is_shortest: self.is_shortest,
        })
    }
}
