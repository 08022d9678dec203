//! What `verify` stores from one run to the next.
//!
//! Three kinds of things are stored, each under a digest of what it depends on:
//! - *answers*: the same question about the same components gets the same answer. If it says *violated*, its run is
//!   replayed on the components before it is believed;
//! - *premises*: what has been shown of a group of components (`rely_assume::check_after`);
//! - *proofs*, with the components that they are about. One of them is the *last proof* of a property of a system,
//!   stored under their names. A check after a change begins with it, and does not trust it: its premises are
//!   checked, or known, for the current components.
//!
//! **Trust.** A program that can write to the store can put any answer there: a digest says what an entry is about,
//! and not who wrote it. So a store is not trusted unless the user says so (`Memory::is_trusted`). Entries of an
//! untrusted store are hints: the proof of an answer *holds* is checked, within a budget, before the answer is given
//! (`verify/remembered.rs`), premises are searched, and that a part does less than it did proves nothing.
//!
//! Names do not matter: an answer, and a last proof, can also be found without them. The same question about
//! components with other names gets the same answer, with the new names.
//!
//! The last proof stays when a system turns out to be wrong, so that the next version is compared with one that was
//! right. If a change is undone, the proof before it becomes the last one again.

mod records;

use std::collections::BTreeSet;

use rely_assume::{
    Again, Broken, Composition, Content, Effort, Inherited, Key, Matching, Memory, Premise, Problem, Proof,
    Unrealised, check_after, inherit, premises_to_remember,
};
use rely_base::{Budget, Limits, Resource};
use rely_decide::{Counterexample, replay};
use rely_lts::Component;
use rely_model::PartTable;

use self::records::{
    AnswerRecord, EarlierProof, LastRecord, Names, ProofRecord, RunRecord, WaysRecord, texts, written,
};
use crate::explanation::Trail;
use crate::report::{AssumptionFault, BrokenAssumption, Renamed, Reused, Verdict, VerifyResult};
use crate::{Strategy, VerifyQuery};

/// Systems with more transitions than this, in all components together, are not stored for comparison.
const MOST_TRANSITIONS: usize = 500_000;

/// Minimum limit on the states of a premise, however small the earlier proof was.
const FEWEST_STATES: usize = 1 << 14;

/// Maximum limit on the states of a premise, however large the earlier proof was according to the store.
const MOST_STATES: usize = 1 << 22;

/// The limit on states for re-checking an entry of the store, where finding it took `then` states.
pub(crate) fn states_for_a_look(then: usize) -> usize {
    then.saturating_mul(2).clamp(FEWEST_STATES, MOST_STATES)
}

/// An answer without a proof that took fewer states leaves no sketch: asking again is as fast as checking one.
pub(crate) const QUICK: usize = 1 << 13;

/// What is stored about one question.
pub(crate) struct History<'a> {
    pub(crate) memory: &'a dyn Memory,
    query: &'a VerifyQuery<'a>,
    property: &'a str,
    problem: &'a Problem,
    /// The parts of the system.
    table: &'a PartTable,
}

/// A stored answer.
pub(crate) struct Known {
    /// The answer.
    pub(crate) result: VerifyResult,
    /// The proof, if there is one with assumptions.
    pub(crate) proof: Option<Proof>,
    /// The run, if the property is broken.
    pub(crate) run: Option<Counterexample>,
    /// What localisation and reduction did, if that was stored.
    pub(crate) ways: Option<Ways>,
}

/// What the methods without assumptions did.
#[derive(Clone, Default)]
pub(crate) struct Ways {
    /// The parts that localisation needed.
    pub(crate) inside: Vec<usize>,
    /// The compositions that reduction made.
    pub(crate) compositions: Vec<Composition>,
    /// A chain of assumptions that may be a proof.
    pub(crate) sketch: Option<Proof>,
}

/// The result of checking the last proof on the current components.
#[derive(Default)]
pub(crate) struct LastProof {
    /// The proof, if it is still valid.
    pub(crate) proof: Option<Proof>,
    /// The strategy that found it.
    pub(crate) strategy: String,
    pub(crate) reused: Reused,
    /// What is not valid any more, if the proof is not.
    pub(crate) broken: Option<BrokenAssumption>,
    /// Assumptions to begin with if the proof is not valid, and the groups that they are for.
    pub(crate) start: Option<Proof>,
    pub(crate) effort: Effort,
    /// Whether the proof was used as the answer.
    pub(crate) stands: bool,
    /// Whether the proof is to be stored as the last one.
    is_new: bool,
}

impl<'a> History<'a> {
    /// What is stored about a question whose parts have different names.
    pub(crate) fn of(
        memory: &'a dyn Memory,
        query: &'a VerifyQuery<'a>,
        (property, problem): (&'a str, &'a Problem),
        table: &'a PartTable,
    ) -> Option<Self> {
        let mut names: Vec<&str> = problem.parts.iter().map(|part| part.name.as_str()).collect();
        names.sort_unstable();
        let distinct = names.windows(2).all(|two| two[0] != two[1]);
        distinct.then_some(Self { memory, query, property, problem, table })
    }

    /// The form of the question, which determines the form of the answer.
    fn manner(&self, kind: &str) -> Content {
        let VerifyQuery { left, rule, strategy, algorithm, alphabets, .. } = self.query;
        let content = Content::new(kind).text(strategy.name()).text(rule.name());
        content.text(&format!("{algorithm:?} {alphabets:?}")).number(left.len())
    }

    /// The form of the question, with the names of the system, of the property and of the parts of the first group.
    fn named_manner(&self, kind: &str) -> Content {
        let content = self.manner(kind).text(&self.query.system).text(self.property);
        self.query.left.iter().fold(content, |content, name| content.text(name))
    }

    /// The form of the question, with the parts of the first group by number.
    fn unnamed_manner(&self, kind: &str) -> Content {
        let part = |name: &String| self.problem.parts.iter().position(|part| part.name == *name);
        let add = |content: Content, name: &String| match part(name) {
            Some(part) => content.number(part),
            None => content.text(name),
        };
        self.query.left.iter().fold(self.manner(kind), add)
    }

    fn key_of_answer(&self) -> Key {
        self.named_manner("answer").problem(self.problem).key()
    }

    /// The key of an entry of a kind about the same components, whatever they are called.
    fn unnamed_key(&self, kind: &str) -> Key {
        let Problem { parts, goal, .. } = self.problem;
        self.unnamed_manner(kind).systems(parts).systems(&goal.components).key()
    }

    /// The key of the names with which an answer about the same components was given.
    fn key_of_namesake(&self) -> Key {
        self.unnamed_key("names")
    }

    /// The key of the proof that these components have the property.
    fn key_of_proof(&self) -> Key {
        self.unnamed_key("proof")
    }

    /// The keys of the entry that holds the key of the last proof: by the names of the system and the property, and
    /// by the same property whatever it and the system are called.
    fn keys_of_last(&self) -> [Key; 2] {
        let unnamed = self.unnamed_manner("last of the property").systems(&self.problem.goal.components);
        [self.named_manner("last").key(), unnamed.key()]
    }

    /// The answer that was given to the same question, or to one that differs in names only. If the store is not
    /// trusted, the answer has to be checked.
    pub(crate) fn answer(&self) -> Option<Known> {
        if let Some(bytes) = self.memory.recall(&self.key_of_answer()) {
            return self.known(&bytes, self.problem);
        }
        let names: Names = serde_json::from_slice(&self.memory.recall(&self.key_of_namesake())?).ok()?;
        let bytes = self.memory.recall(&names.key()?)?;
        let mut known = self.known(&bytes, &names.given_to(self.problem)?)?;
        let now = self.names(&self.key_of_answer());
        names.replace(&now, &mut known.result);
        known.result.reused.get_or_insert_default().renamed = names.differences(&now);
        Some(known)
    }

    /// An answer about these components under the names that they had then.
    fn known(&self, bytes: &[u8], named: &Problem) -> Option<Known> {
        let AnswerRecord { mut result, proof, run, ways } = serde_json::from_slice(bytes).ok()?;
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
            Some(proof) => Some(proof.read(named)?),
            None => None,
        };
        let (premises, assumptions) = (result.premises.len(), result.assumptions.len());
        let unchecked = result.verdict == Verdict::Holds;
        result.reused = Some(Reused { verdict: true, premises, assumptions, unchecked, ..Reused::default() });
        result.broken_assumption = None;
        let ways = ways.and_then(|ways| ways.read(named));
        Some(Known { result, proof, run, ways })
    }

    /// The names, and the key of the answer that was found with them.
    fn names(&self, key: &Key) -> Names {
        Names::of(&self.query.system, self.property, self.problem, key)
    }

    /// Checks the last proof again.
    ///
    /// # Errors
    /// The limit of the budget that was met, other than one on states; or a mistake in this program.
    pub(crate) fn last_proof(&self, budget: &Budget<'_>) -> Result<Option<LastProof>, Unrealised> {
        if self.query.strategy == Strategy::Monolithic {
            return Ok(None);
        }
        let Some(last) = self.last() else { return Ok(None) };
        let Some(old) = last.problem(&self.problem.goal.name) else { return Ok(None) };
        let matching = Matching::new(&old, self.problem);
        let changed = self.changed(&old, &matching);
        let mut revisited = LastProof { strategy: last.strategy.clone(), ..LastProof::default() };
        let (edited, added): (Vec<usize>, Vec<usize>) =
            changed.iter().partition(|&&part| matching.before(part).is_some());
        // It is another system with the same name: there is nothing to compare.
        if added.len() == self.problem.parts.len() {
            return Ok(None);
        }
        let gone: Vec<usize> = (0..old.parts.len()).filter(|&part| matching.now(part).is_none()).collect();
        revisited.reused.changed = names_of(&self.problem.parts, &edited);
        revisited.reused.added = names_of(&self.problem.parts, &added);
        revisited.reused.removed = names_of(&old.parts, &gone);
        revisited.reused.property_changed = !self.has_goal_of(&old);
        revisited.reused.renamed = self.renamed(&last, &old, &matching);
        // If it seems to be something else with the same name, only a short check is worthwhile.
        let states = states_for_a_look(if self.is_edited(&changed) { last.peak_states } else { 0 });
        let narrow = budget.narrowed(Limits { states: Some(states), bytes: None });
        let problem = matching.earlier_as_now(&old, self.problem);
        let is_proof = matches!(last.proof, EarlierProof::Proof(_));
        if !is_proof {
            // Checking the changed parts alone is cheaper than checking a sketch.
            self.inherit(problem.as_ref(), &narrow, &mut revisited)?;
            if revisited.proof.is_some() {
                return Ok(Some(revisited));
            }
        }
        let mut is_settled = false;
        if let Some(proof) = last.proof.record().and_then(|proof| proof.read(&old)) {
            let (matching, changed, problem) = (&matching, &changed[..], problem.as_ref());
            let earlier = Earlier { proof, problem, is_sketch: !is_proof, matching, changed };
            is_settled = self.check(&earlier, &narrow, &mut revisited)?;
        }
        if !is_settled && is_proof {
            self.inherit(problem.as_ref(), &narrow, &mut revisited)?;
        }
        Ok(Some(revisited))
    }

    /// Whether the changed parts look like an edit: copies of one process, or no more than half of the processes.
    fn is_edited(&self, changed: &[usize]) -> bool {
        let process = |part: usize| self.table.definition(&self.problem.parts[part].name);
        let edited: BTreeSet<&str> = changed.iter().map(|&part| process(part)).collect();
        let all: BTreeSet<&str> = (0..self.problem.parts.len()).map(process).collect();
        edited.len() <= 1 || 2 * edited.len() <= all.len()
    }

    /// Whether an earlier proof answers the question after the change.
    fn check(
        &self,
        earlier: &Earlier<'_>,
        budget: &Budget<'_>,
        revisited: &mut LastProof,
    ) -> Result<bool, Unrealised> {
        let Earlier { proof, matching, .. } = earlier;
        let mut attempts = vec![matching.proof_now(proof)];
        if !matching.covers_all() {
            attempts.push(matching.completed(&attempts[0]));
        }
        let mut again = None;
        for attempt in attempts {
            let checked = check_after(
                self.problem,
                earlier.problem,
                &attempt,
                self.memory,
                budget,
                &mut revisited.effort,
            );
            again = limited(checked)?;
            if let Some(Again::Stands(known)) = again {
                revisited.reused.premises = known;
                revisited.reused.unchecked = known > 0;
                revisited.reused.assumptions = attempt.assumptions.len();
                revisited.is_new = true;
                revisited.proof = Some(attempt);
                revisited.broken = None;
                return Ok(true);
            }
        }
        match again {
            Some(Again::Broken(broken)) if earlier.is_to_blame(&broken) => {
                self.blame(earlier, broken, revisited);
                Ok(true)
            }
            Some(Again::Broken(_) | Again::Unusable) if !matching.is_complete() && !earlier.is_sketch => {
                revisited.reused.split_misfits = true;
                Ok(false)
            }
            _ => Ok(false),
        }
    }

    /// Reports which assumption a change has broken.
    fn blame(&self, earlier: &Earlier<'_>, broken: Broken, revisited: &mut LastProof) {
        let proof = earlier.matching.proof_now(&earlier.proof);
        let group = match broken.premise {
            Premise::Triple { group, .. } => &proof.groups[group][..],
            Premise::NoneOutside => &[],
        };
        let fault =
            if broken.is_breached { AssumptionFault::Breached } else { AssumptionFault::Insufficient };
        revisited.broken = Some(BrokenAssumption {
            index: Some(broken.assumption + 1),
            fault,
            premise: Some(broken.premise.to_string()),
            parts: names_of(&self.problem.parts, group),
            trace: broken.trace,
        });
        if self.query.strategy == Strategy::Learn {
            revisited.reused.assumptions = proof.assumptions.len();
            revisited.start = Some(proof);
        }
    }

    /// Whether the parts that have changed do no more than they did before.
    fn inherit(
        &self,
        old: Option<&Problem>,
        budget: &Budget<'_>,
        revisited: &mut LastProof,
    ) -> Result<(), Unrealised> {
        let Some(old) = old else { return Ok(()) };
        let inherited = inherit(old, self.problem, budget, &mut revisited.effort);
        match limited(inherited.map_err(Unrealised::Exhausted))? {
            // This relies on the old verdict, that the others are satisfied with what the parts did; it may be
            // forged.
            Some(Inherited::Stands(_)) if !self.memory.is_trusted() => {}
            Some(Inherited::Stands(proof)) => {
                // This relies on the old verdict, that the others are satisfied with this assumption.
                revisited.reused.premises = 1;
                revisited.reused.assumptions = 1;
                revisited.reused.unchecked = true;
                revisited.proof = Some(proof);
            }
            Some(Inherited::Surprise(surprise)) => {
                revisited.broken = Some(BrokenAssumption {
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

    /// Stores an answer, with its proof or run. A sketch is a proof that has not been checked.
    pub(crate) fn remember(&self, result: &VerifyResult, trail: &Trail, revisited: Option<&LastProof>) {
        let Trail { proof, run, sketch, .. } = trail;
        // A fast answer leaves no sketch.
        let (proof, sketch) = (proof.as_ref(), sketch.as_ref().filter(|_| result.peak_states >= QUICK));
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
        let key = self.key_of_answer();
        entries.push((key, written(&record)));
        entries.push((self.key_of_namesake(), written(&self.names(&key))));
        if let Some(proof) = proof {
            entries.extend(premises_to_remember(self.problem, proof));
        }
        let stands = revisited.is_some_and(|revisited| revisited.stands);
        let is_last = !stands || revisited.is_some_and(|revisited| revisited.is_new);
        let transitions: usize =
            self.problem.components().iter().map(|component| component.lts.transition_count()).sum();
        if result.verdict == Verdict::Holds && is_last && transitions <= MOST_TRANSITIONS {
            let record = LastRecord {
                system: self.query.system.clone(),
                property: self.property.to_owned(),
                parts: texts(&self.problem.parts),
                goal: texts(&self.problem.goal.components),
                strategy: result.strategy.clone(),
                proof: EarlierProof::of(proof, sketch, self.problem),
                peak_states: result.peak_states,
            };
            let key = self.key_of_proof();
            entries.push((key, written(&record)));
            entries.extend(self.keys_of_last().map(|last| (last, key.to_vec())));
        }
        self.memory.remember(&entries);
    }

    /// Makes the stored proof about these components the last one.
    pub(crate) fn make_last(&self) {
        let key = self.key_of_proof();
        let is_other = |last: &Key| self.memory.recall(last).is_none_or(|found| found != key);
        let others: Vec<(Key, Vec<u8>)> =
            self.keys_of_last().into_iter().filter(is_other).map(|last| (last, key.to_vec())).collect();
        if !others.is_empty() && self.memory.recall(&key).is_some() {
            self.memory.remember(&others);
        }
    }

    fn last(&self) -> Option<LastRecord> {
        let recall = |last: &Key| {
            let key = self.memory.recall(last)?;
            serde_json::from_slice(&self.memory.recall(&key.try_into().ok()?)?).ok()
        };
        self.keys_of_last().iter().find_map(recall)
    }

    /// The parts that do not occur unchanged in an old problem, whatever they were called there.
    fn changed(&self, old: &Problem, matching: &Matching) -> Vec<usize> {
        let parts = &self.problem.parts;
        let is_old =
            |part: usize| matching.before(part).is_some_and(|was| old.parts[was].lts == parts[part].lts);
        (0..parts.len()).filter(|&part| !is_old(part)).collect()
    }

    /// What has another name than in an old problem, and is unchanged otherwise.
    fn renamed(&self, last: &LastRecord, old: &Problem, matching: &Matching) -> Vec<Renamed> {
        let mut renamed = Vec::new();
        renamed.extend(Renamed::of(&last.system, &self.query.system));
        let property = Renamed::of(&last.property, self.property);
        renamed.extend(property.filter(|_| self.has_goal_of(old)));
        for (part, now) in self.problem.parts.iter().enumerate() {
            let was = matching.before(part).map(|was| &old.parts[was]);
            let same = was.filter(|was| was.lts == now.lts);
            renamed.extend(same.and_then(|was| Renamed::of(&was.name, &now.name)));
        }
        renamed
    }

    /// Whether the goal is that of an old problem.
    fn has_goal_of(&self, old: &Problem) -> bool {
        let (goal, old) = (&self.problem.goal.components, &old.goal.components);
        let is_same = |(one, other): (&Component, &Component)| one.lts == other.lts;
        goal.len() == old.len() && goal.iter().zip(old).all(is_same)
    }
}

/// An earlier proof, with its problem compared to the current one.
struct Earlier<'a> {
    /// The proof, of the earlier problem.
    proof: Proof,
    /// That problem with the current names and order of the parts, if each has a match.
    problem: Option<&'a Problem>,
    /// Whether it has never been checked.
    is_sketch: bool,
    matching: &'a Matching,
    /// The parts of the current problem that have changed.
    changed: &'a [usize],
}

impl Earlier<'_> {
    /// Whether a false premise is about a group of the earlier proof, so that a change has broken it.
    fn is_to_blame(&self, broken: &Broken) -> bool {
        let Premise::Triple { group, .. } = broken.premise else { return false };
        let group = &self.proof.groups[group];
        let has_changed =
            |&part: &usize| self.matching.now(part).is_some_and(|now| self.changed.contains(&now));
        // A sketch may never have been a proof, so a change is to blame only if its group has changed.
        let is_proof = !self.is_sketch || group.iter().any(has_changed);
        is_proof && self.matching.covers_all() && self.matching.keeps(group)
    }
}

fn names_of(components: &[Component], chosen: &[usize]) -> Vec<String> {
    chosen.iter().map(|&part| components[part].name.clone()).collect()
}

/// A limit on states means that another method has to be tried; other limits end the question.
fn limited<T>(result: Result<T, Unrealised>) -> Result<Option<T>, Unrealised> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Unrealised::Exhausted(exhausted)) if exhausted.resource == Resource::States => Ok(None),
        Err(unrealised) => Err(unrealised),
    }
}
