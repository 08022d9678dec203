//! The stored data, as plain data.

use std::collections::BTreeMap;
use std::sync::Arc;

use rely_assume::{Assumption, Composition, Goal, Key, Problem, Proof, Rule, fits};
use rely_base::{Id, StateId};
use rely_decide::{Counterexample, Ending, Step};
use rely_lts::format::json;
use rely_lts::{Component, ComponentId, Network};
use serde::{Deserialize, Serialize};

use super::Ways;
use crate::explanation::Trail;
use crate::report::{Renamed, VerifyResult};

#[derive(Serialize, Deserialize)]
pub(super) struct AnswerRecord {
    pub(super) result: VerifyResult,
    pub(super) proof: Option<ProofRecord>,
    pub(super) run: Option<RunRecord>,
    #[serde(default)]
    pub(super) ways: Option<WaysRecord>,
}

/// What localisation and reduction did, with parts by number: an answer is about the same parts in the same order.
#[derive(Serialize, Deserialize)]
pub(super) struct WaysRecord {
    pub(super) inside: Vec<usize>,
    pub(super) compositions: Vec<CompositionRecord>,
    pub(super) sketch: Option<ProofRecord>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct CompositionRecord {
    pub(super) has_goal: bool,
    pub(super) first: Vec<usize>,
    pub(super) second: Vec<usize>,
    pub(super) before: [usize; 2],
    pub(super) after: usize,
    pub(super) can_fail: bool,
}

/// A proof, with parts by name.
#[derive(Serialize, Deserialize)]
pub(super) struct ProofRecord {
    pub(super) rule: String,
    pub(super) groups: Vec<Vec<String>>,
    /// In the exchange format for transition systems.
    pub(super) assumptions: Vec<String>,
}

/// A run that fails: for each step its action, the components that move, and the states after it.
#[derive(Serialize, Deserialize)]
pub(super) struct RunRecord {
    pub(super) steps: Vec<(String, Vec<usize>, Vec<usize>)>,
    pub(super) failed: usize,
    pub(super) is_shortest: bool,
}

/// The last proof of a property of a system.
#[derive(Serialize, Deserialize)]
pub(super) struct LastRecord {
    pub(super) system: String,
    pub(super) property: String,
    pub(super) parts: Vec<(String, String)>,
    pub(super) goal: Vec<(String, String)>,
    pub(super) strategy: String,
    pub(super) proof: EarlierProof,
    pub(super) peak_states: usize,
}

/// What is stored of an earlier proof.
#[derive(Serialize, Deserialize)]
pub(super) enum EarlierProof {
    /// A proof with assumptions.
    Proof(ProofRecord),
    /// What may be a proof: its premises have never been checked.
    Sketch(ProofRecord),
    /// Only the verdict.
    Verdict,
}

/// The names under which something was found, and its key.
#[derive(Serialize, Deserialize)]
pub(super) struct Names {
    key: Vec<u8>,
    system: String,
    property: String,
    /// The parts, and then the components of the goal.
    components: Vec<String>,
}

pub(super) fn written(record: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(record).expect("a record is plain JSON")
}

fn text(lts: &rely_lts::Lts) -> String {
    serde_json::to_string(&json::to_document(lts)).expect("a document is plain JSON")
}

pub(super) fn texts(components: &[Component]) -> Vec<(String, String)> {
    components.iter().map(|component| (component.name.clone(), text(&component.lts))).collect()
}

fn components(texts: &[(String, String)]) -> Option<Vec<Component>> {
    let read = |(name, text): &(String, String)| {
        // A name with a line break was not written by this program.
        if name.contains('\n') {
            return None;
        }
        Some(Component { name: name.clone(), lts: Arc::new(json::read(text.as_bytes()).ok()?) })
    };
    texts.iter().map(read).collect()
}

impl LastRecord {
    pub(super) fn problem(&self, goal: &str) -> Option<Problem> {
        if [&self.system, &self.property, &self.strategy].iter().any(|name| name.contains('\n')) {
            return None;
        }
        let goal = Goal { name: goal.to_owned(), components: components(&self.goal)? };
        Some(Problem { composites: Vec::new(), parts: components(&self.parts)?, goal })
    }
}

impl EarlierProof {
    pub(super) fn of(proof: Option<&Proof>, sketch: Option<&Proof>, problem: &Problem) -> Self {
        match (proof, sketch) {
            (Some(proof), _) => Self::Proof(ProofRecord::of(proof, problem)),
            (None, Some(sketch)) => Self::Sketch(ProofRecord::of(sketch, problem)),
            (None, None) => Self::Verdict,
        }
    }

    pub(super) fn record(&self) -> Option<&ProofRecord> {
        match self {
            Self::Proof(record) | Self::Sketch(record) => Some(record),
            Self::Verdict => None,
        }
    }
}

impl Names {
    pub(super) fn of(system: &str, property: &str, problem: &Problem, key: &Key) -> Self {
        let components = problem.components().into_iter().map(|component| component.name).collect();
        Self { key: key.to_vec(), system: system.to_owned(), property: property.to_owned(), components }
    }

    /// The key; `None` if a name has a line break, which valid names never have.
    pub(super) fn key(&self) -> Option<Key> {
        let mut names = [&self.system, &self.property].into_iter().chain(&self.components);
        match names.any(|name| name.contains('\n')) {
            true => None,
            false => self.key.as_slice().try_into().ok(),
        }
    }

    /// The problem with these names; `None` if it has more or fewer components.
    pub(super) fn given_to(&self, problem: &Problem) -> Option<Problem> {
        let mut named = problem.clone();
        let all = named.parts.iter_mut().chain(&mut named.goal.components);
        let mut names = self.components.iter();
        for component in all {
            component.name.clone_from(names.next()?);
        }
        names.next().is_none().then_some(named)
    }

    /// Replaces these names in an answer by others.
    pub(super) fn replace(&self, now: &Self, result: &mut VerifyResult) {
        let new: BTreeMap<&String, &String> = self.components.iter().zip(&now.components).collect();
        let groups = result.groups.iter_mut().flatten();
        let all = result.left.iter_mut().chain(&mut result.right).chain(groups).chain(&mut result.components);
        for name in all {
            if let Some(&new) = new.get(name) {
                name.clone_from(new);
            }
        }
        result.system.clone_from(&now.system);
        result.property.clone_from(&now.property);
    }

    /// The differences between these names and the current ones.
    pub(super) fn differences(&self, now: &Self) -> Vec<Renamed> {
        let own = [&self.system, &self.property].into_iter().chain(&self.components);
        let new = [&now.system, &now.property].into_iter().chain(&now.components);
        let mut renamed: Vec<Renamed> = Vec::new();
        for one in own.zip(new).filter_map(|(before, now)| Renamed::of(before, now)) {
            // A property and its only component often have the same name.
            if !renamed.contains(&one) {
                renamed.push(one);
            }
        }
        renamed
    }
}

impl ProofRecord {
    pub(super) fn of(proof: &Proof, problem: &Problem) -> Self {
        let names = |group: &Vec<usize>| group.iter().map(|&part| problem.parts[part].name.clone()).collect();
        Self {
            rule: proof.rule.name().to_owned(),
            groups: proof.groups.iter().map(names).collect(),
            assumptions: proof.assumptions.iter().map(|assumption| text(assumption.lts())).collect(),
        }
    }

    /// The proof for a problem that has all its parts; `None` if it does not have the groups and assumptions of its
    /// rule.
    pub(super) fn read(&self, problem: &Problem) -> Option<Proof> {
        let part = |name: &String| problem.parts.iter().position(|part| part.name == *name);
        let group = |names: &Vec<String>| names.iter().map(part).collect::<Option<Vec<usize>>>();
        let groups = self.groups.iter().map(group).collect::<Option<Vec<_>>>()?;
        let assumption = |text: &String| {
            let lts = json::read(text.as_bytes()).ok()?;
            (lts.is_deterministic() && lts.error().is_none()).then(|| Assumption::new(lts))
        };
        let assumptions = self.assumptions.iter().map(assumption).collect::<Option<Vec<_>>>()?;
        let proof = Proof { rule: Rule::from_name(&self.rule)?, groups, assumptions };
        fits(problem, &proof).then_some(proof)
    }
}

impl WaysRecord {
    pub(super) fn of(trail: &Trail, problem: &Problem) -> Self {
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

    /// What was done, if the parts belong to the problem.
    pub(super) fn read(self, problem: &Problem) -> Option<Ways> {
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
    pub(super) fn of(run: &Counterexample) -> Option<Self> {
        let Ending::Error(failed) = run.ending else { return None };
        let step = |step: &Step| {
            let movers = step.movers.iter().map(|mover| mover.index()).collect();
            (step.action.clone(), movers, step.after.iter().map(|&state| state as usize).collect())
        };
        let steps = run.trace.iter().map(step).collect();
        Some(Self { steps, failed: failed.index(), is_shortest: run.is_shortest })
    }

    /// The run for a network. Only a replay shows whether it is a run of it.
    pub(super) fn read(&self, network: &Network) -> Option<Counterexample> {
        let count = network.components().len();
        let initial: Vec<u32> =
            network.components().iter().map(|component| component.lts.initial().raw()).collect();
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
            let after: Vec<u32> = after.iter().map(|&state| StateId::from_index(state).raw()).collect();
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
            fault: None,
            recurring: Vec::new(),
            wanted: Vec::new(),
            free: Vec::new(),
            fluents: Vec::new(),
            fair: None,
            is_shortest: self.is_shortest,
        })
    }
}
