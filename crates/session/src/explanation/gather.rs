//! Collects an explanation from the analysis that gave the answer.

use std::collections::BTreeMap;

use rely_assume::{
    Again, Composition, Effort, Guarantee, Key, Memory, Premise, Problem, Proof, Rule, Unrealised,
    check_again, conjunct,
};
use rely_base::{Alphabet, Budget, Limits};
use rely_decide::{Counterexample, ReplayError};
use rely_explore::{Product, count};
use rely_lts::{Component, Lts, Network};

use super::conditions::alphabets;
use super::run::refutation;
use super::{
    Argument, AssumptionShown, Connection, Explanation, Group, Member, PremiseShown, Question, Refutation,
    RuleProof, Standing,
};
use crate::assume::forbidden;
use crate::goals::ERROR;
use crate::report::{CoverageResult, Forbidden, Verdict, VerifyResult};

/// A product with more states than this is not counted for a page.
const MOST_STATES: usize = 1 << 20;

/// Maximum number of states of an assumption that are described in words.
const LISTED: usize = 12;

/// The data that an analysis leaves in addition to its answer.
#[derive(Default)]
pub(crate) struct Trail {
    /// The proof, if there is one with assumptions.
    pub(crate) proof: Option<Proof>,
    /// A chain of assumptions that may be a proof.
    pub(crate) sketch: Option<Proof>,
    /// The run, if the property is broken.
    pub(crate) run: Option<Counterexample>,
    /// The parts that localisation needed.
    pub(crate) inside: Vec<usize>,
    /// The compositions that reduction made.
    pub(crate) compositions: Vec<Composition>,
    /// The groups, if a rule was used.
    pub(crate) groups: Vec<Vec<usize>>,
    /// Whether the proof is one of an earlier run, and its premises were checked once more.
    pub(crate) is_rechecked: bool,
}

/// The result of checking the premises of a proof of an earlier run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Recheck {
    /// They are true.
    True,
    /// At least one is not.
    False,
    /// Not all of them were checked.
    Unknown,
}

/// Checks the premises of a proof on the components, within the limits of a page, without using stored results.
///
/// # Errors
/// A mistake in this program: a run that cannot be replayed.
pub(crate) fn recheck(problem: &Problem, proof: &Proof, budget: &Budget<'_>) -> Result<Recheck, ReplayError> {
    let narrow = budget.narrowed(Limits { states: Some(MOST_STATES), bytes: None });
    match check_again(problem, proof, &Forgetful, &narrow, &mut Effort::default()) {
        Ok(Again::Stands(_)) => Ok(Recheck::True),
        // The last premise of this rule is about words, and cannot be searched like a product.
        Ok(Again::Unusable) if proof.rule == Rule::Symmetric => Ok(Recheck::Unknown),
        Ok(Again::Broken(_) | Again::Unusable) => Ok(Recheck::False),
        Err(Unrealised::Exhausted(_)) => Ok(Recheck::Unknown),
        Err(Unrealised::Mistake(mistake)) => Err(mistake),
    }
}

/// An answer with all data for explaining it.
pub(crate) struct Material<'a> {
    /// The problem.
    pub(crate) problem: &'a Problem,
    /// The closed system in question: the parts of the problem, and then its goal.
    pub(crate) network: &'a Network,
    /// The result that is reported.
    pub(crate) result: &'a VerifyResult,
    /// The data that the analysis has left.
    pub(crate) trail: &'a Trail,
    /// The parts that can fail by themselves; in the network they halt where they would fail.
    pub(crate) fails_beside: Vec<String>,
}

impl Material<'_> {
    /// The explanation, for an answer of a strategy.
    ///
    /// # Errors
    /// A mistake in this program: a run that cannot be replayed.
    pub(crate) fn explained(
        &self,
        asked: &str,
        coverage: CoverageResult,
        budget: &Budget<'_>,
    ) -> Result<Explanation, ReplayError> {
        let Self { problem, network, result, trail, .. } = *self;
        let narrow = budget.narrowed(Limits { states: Some(MOST_STATES), bytes: None });
        let argument = Gatherer { problem, network, trail, budget: &narrow }.argument(result)?;
        let groups = match &argument {
            Argument::Rule(proof) => proof.groups.iter().map(|group| group.parts.clone()).collect(),
            _ => trail.groups.clone(),
        };
        Ok(Explanation {
            system: result.system.clone(),
            property: result.property.clone(),
            question: Question::Property,
            verdict: result.verdict,
            asked: asked.to_owned(),
            strategy: result.strategy.clone(),
            reason: result.reason.clone(),
            warnings: result.warnings.clone(),
            members: members(problem, goal_standing(&result.property), &groups),
            fails_beside: self.fails_beside.clone(),
            connections: connections(network.components()),
            peak_states: result.peak_states.max(largest_premise(&argument)),
            argument,
            coverage,
            queries: result.queries,
            conjectures: result.conjectures,
            identities: Vec::new(),
            reused: result.reused.clone(),
            broken_assumption: result.broken_assumption.clone(),
            is_rechecked: trail.is_rechecked,
        })
    }
}

/// The states of the largest premise that was counted.
fn largest_premise(argument: &Argument) -> usize {
    let premises = match argument {
        Argument::Rule(proof) => &proof.premises[..],
        _ => &[],
    };
    premises.iter().filter_map(|premise| premise.states).max().unwrap_or(0)
}

/// The standing of the components of a goal: parts that can fail, if the question is about these, and a property
/// otherwise.
fn goal_standing(property: &str) -> Standing {
    if property == ERROR { Standing::FailingPart } else { Standing::Property }
}

fn members(problem: &Problem, goal: Standing, groups: &[Vec<usize>]) -> Vec<Member> {
    let member = |(i, component): (usize, &Component)| Member {
        name: component.name.clone(),
        definition: component.name.clone(),
        standing: if i < problem.parts.len() { Standing::Part } else { goal },
        group: groups.iter().position(|group| group.contains(&i)),
        lts: component.lts.clone(),
        roles: None,
        source: None,
    };
    problem.components().iter().enumerate().map(member).collect()
}

/// The actions that components share. Actions with the same participants are one entry; the largest entries come
/// first.
pub(super) fn connections(components: &[Component]) -> Vec<Connection> {
    let mut owners: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, component) in components.iter().enumerate() {
        for name in component.lts.alphabet().names() {
            owners.entry(name).or_default().push(i);
        }
    }
    let mut shared: BTreeMap<Vec<usize>, Vec<String>> = BTreeMap::new();
    for (name, owners) in owners {
        if owners.len() > 1 {
            shared.entry(owners).or_default().push(name.to_owned());
        }
    }
    shared.into_iter().map(|(members, actions)| Connection { members, actions }).collect()
}

/// What an assumption forbids, and the number of further states that forbid something.
pub(super) fn described(lts: &Lts) -> (Vec<Forbidden>, usize) {
    forbidden(lts, LISTED)
}

/// The number of states of the product of components; `None` if it cannot be counted within the limits.
pub(super) fn states_of(components: Vec<Component>, budget: &Budget<'_>) -> Option<usize> {
    let network = Network::new(components);
    count(&Product::transparent(&network), budget).ok().map(|size| size.states)
}

struct Gatherer<'a> {
    problem: &'a Problem,
    network: &'a Network,
    trail: &'a Trail,
    budget: &'a Budget<'a>,
}

impl Gatherer<'_> {
    fn argument(&self, result: &VerifyResult) -> Result<Argument, ReplayError> {
        if result.verdict == Verdict::Unknown {
            return Ok(Argument::Nothing);
        }
        if let Some(run) = &self.trail.run {
            let refutation = self.refutation(run, result);
            return Ok(refutation.map_or(Argument::Nothing, |run| Argument::Run(Box::new(run))));
        }
        if let Some(proof) = self.trail.proof.as_ref().filter(|proof| proof.groups.len() > 1) {
            return Ok(Argument::Rule(self.rule(proof)));
        }
        Ok(match result.strategy.as_str() {
            "localise" => {
                let inside = self.trail.inside.clone();
                let states = states_of(self.with_goal(&inside), self.budget);
                Argument::Localisation { inside, states }
            }
            "reduce" => {
                let mut proof = None;
                if let Some(sketch) = &self.trail.sketch
                    && recheck(self.problem, sketch, self.budget)? == Recheck::True
                {
                    proof = Some(Box::new(self.rule(sketch)));
                }
                Argument::Reduction { compositions: self.trail.compositions.clone(), proof }
            }
            _ => {
                let has_priority = self.network.priority().is_some();
                let inside: Vec<usize> = match has_priority {
                    true => (0..self.problem.parts.len()).collect(),
                    false => self.problem.cone().parts().collect(),
                };
                let states = match has_priority {
                    true => {
                        count(&Product::transparent(self.network), self.budget).ok().map(|size| size.states)
                    }
                    false => states_of(self.with_goal(&inside), self.budget),
                };
                Argument::Product { inside, states, has_priority }
            }
        })
    }

    fn pick(&self, parts: &[usize]) -> Vec<Component> {
        parts.iter().map(|&part| self.problem.parts[part].clone()).collect()
    }

    fn with_goal(&self, parts: &[usize]) -> Vec<Component> {
        self.pick(parts).into_iter().chain(self.problem.goal.components.clone()).collect()
    }

    fn rule(&self, proof: &Proof) -> RuleProof {
        let Proof { rule, groups, .. } = proof;
        let premises = rule.premises(groups.len());
        let all: Vec<String> = (1..=groups.len()).map(|group| format!("M{group}")).collect();
        let mut conditions = vec![alphabets(self.problem, proof).to_owned()];
        if rule.needs_observer() {
            conditions.push("the property only observes: it refuses nothing".to_owned());
        }
        let assumptions =
            (0..proof.assumptions.len()).map(|i| self.assumption(proof, &premises, i)).collect();
        RuleProof {
            rule: rule.name().to_owned(),
            conclusion: format!("{} ⊨ P", all.join(" ‖ ")),
            groups: groups.iter().map(|group| self.group(group)).collect(),
            premises: premises.iter().map(|&premise| self.premise(proof, premise)).collect(),
            assumptions,
            conditions,
            soundness: rule.soundness().to_owned(),
        }
    }

    fn group(&self, parts: &[usize]) -> Group {
        Group { parts: parts.to_vec(), states: states_of(self.pick(parts), self.budget) }
    }

    fn premise(&self, proof: &Proof, premise: Premise) -> PremiseShown {
        let statement = premise.to_string();
        let Premise::Triple { assumes, group, guarantees } = premise else {
            let words =
                "No sequence of actions that breaks P is outside of all assumptions: each of them is within \
                         at least one."
                    .to_owned();
            return PremiseShown { statement, words, states: None };
        };
        let mut components = self.pick(&proof.groups[group]);
        components.extend(assumes.map(|assumption| proof.assumptions[assumption].component("A")));
        components.extend(match guarantees {
            Guarantee::Goal => self.problem.goal.components.clone(),
            Guarantee::Conjunct(half) => {
                conjunct(&self.problem.goal, &self.pick(&proof.groups[0]), half).components
            }
            Guarantee::Assumption(assumption) => vec![proof.assumptions[assumption].property("G")],
        });
        let does = match guarantees {
            Guarantee::Goal => "never breaks P".to_owned(),
            Guarantee::Conjunct(0) => "never breaks P by an action of M1".to_owned(),
            Guarantee::Conjunct(_) => "never breaks P by an action that M1 does not have".to_owned(),
            Guarantee::Assumption(assumption) => format!("keeps to A{}", assumption + 1),
        };
        let given = match assumes {
            Some(assumption) => format!(", as long as what is around it keeps to A{}", assumption + 1),
            None => ", whatever is around it".to_owned(),
        };
        let words = format!("M{} {does}{given}.", group + 1);
        PremiseShown { statement, words, states: states_of(components, self.budget) }
    }

    fn assumption(&self, proof: &Proof, premises: &[Premise], number: usize) -> AssumptionShown {
        let lts = proof.assumptions[number].lts().clone();
        let (forbids, further) = described(&lts);
        let relies = premises.iter().position(
            |premise| matches!(premise, Premise::Triple { assumes: Some(assumption), .. } if *assumption == number),
        );
        let guarantees = premises.iter().position(|premise| {
            matches!(premise, Premise::Triple { guarantees: Guarantee::Assumption(assumption), .. } if *assumption == number)
        });
        let group = |at: usize| match premises[at] {
            Premise::Triple { group, .. } => group,
            Premise::NoneOutside => 0,
        };
        let between = match (relies, guarantees) {
            (Some(first), Some(second)) => format!(
                "M{} relies on it (premise {}), and M{} guarantees it (premise {}).",
                group(first) + 1,
                first + 1,
                group(second) + 1,
                second + 1
            ),
            (Some(first), None) => format!(
                "M{} relies on it (premise {}); no single group has to guarantee it.",
                group(first) + 1,
                first + 1
            ),
            _ => String::new(),
        };
        let own = relies.map(group);
        let stands_for = match (proof.rule, guarantees) {
            (Rule::Symmetric, _) | (_, None) => {
                (0..proof.groups.len()).filter(|&other| Some(other) != own).collect()
            }
            (Rule::Chain, Some(second)) => (group(second)..proof.groups.len()).collect(),
            (_, Some(second)) => vec![group(second)],
        };
        let name = format!("A{}", number + 1);
        AssumptionShown { name, lts, roles: None, between, stands_for, forbids, further }
    }

    fn refutation(&self, run: &Counterexample, result: &VerifyResult) -> Option<Refutation> {
        let goal = goal_standing(&result.property);
        let mut refutation = refutation(self.network, run, self.problem.parts.len(), goal)?;
        // Whether the run is shortest is known only by the strategy that found it.
        refutation.is_shortest = result.shortest;
        refutation.premises = self.failed_premise(&result.trace, result.rule.as_deref());
        Some(refutation)
    }

    /// Why no assumptions can make the premises of the rule true.
    fn failed_premise(&self, trace: &[String], rule: Option<&str>) -> Option<String> {
        let rule = rule.and_then(Rule::from_name)?;
        let (first, rest) = self.trail.groups.split_first()?;
        let rest: Vec<usize> = rest.concat();
        let of_first = alphabet_of(&self.pick(first));
        // The halves of P in the rule `conjunction`: the second is broken if the breaking action is not one of M1.
        let is_second_half =
            rule == Rule::Conjunction && trace.last().is_some_and(|last| !of_first.contains(last));
        let (one, other) = match is_second_half {
            false => (first, &rest),
            true => (&rest, first),
        };
        let (one, other) = (alphabet_of(&self.with_goal(one)), alphabet_of(&self.pick(other)));
        let is_shown = |name: &&str| one.contains(name) && other.contains(name);
        let shown: Vec<&str> = trace.iter().map(String::as_str).filter(is_shown).collect();
        let half = if is_second_half { Half::Second } else { Half::First };
        Some(why_premises_fail(rule, self.trail.groups.len(), half, &shown.join(", ")))
    }
}

fn alphabet_of(components: &[Component]) -> Alphabet {
    components.iter().flat_map(|component| component.lts.alphabet().names()).collect()
}

/// The half of P that a run breaks, if the rule has halves; otherwise the first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    First,
    Second,
}

/// Why no assumptions can make the premises of a rule true after a run of all groups that breaks P; `word` are its
/// actions between the group that breaks P and the others.
fn why_premises_fail(rule: Rule, groups: usize, half: Half, word: &str) -> String {
    let (one, other, premise, next) = match half {
        Half::First => ("M1", "M2", "first", "second"),
        Half::Second => ("M2", "M1", "third", "fourth"),
    };
    if rule == Rule::Symmetric {
        let word = if word.is_empty() { "nothing at all" } else { word };
        return format!(
            "Each group lets this run happen, so an assumption that keeps its group from breaking P has to forbid what \
             it shows of the run; then the run is outside of all of them, and the last premise fails, whatever the \
             assumptions are. Between M1 and the others the run shows: {word}."
        );
    }
    if word.is_empty() {
        return format!(
            "This run needs nothing of the others: it shows no action between {one} and them that an assumption could \
             forbid. So no assumption makes the {premise} premise true."
        );
    }
    let others = if groups > 2 { "the others" } else { other };
    let forbids = format!(
        "Every assumption with which the {premise} premise is true forbids what this run shows between {one} and \
         {others}: {word}."
    );
    match rule {
        Rule::Conjunction => format!(
            "{forbids} {other} does it all the same, so the {next} premise fails, that {other} keeps to this \
             assumption."
        ),
        Rule::Alternating | Rule::Circular => format!(
            "{forbids} The groups do it together all the same, so one of the other premises fails, whatever the \
             assumptions are."
        ),
        Rule::Chain if groups > 2 => format!(
            "{forbids} The others do it together, so one of the premises about them fails, whatever the assumptions \
             are."
        ),
        _ => format!(
            "{forbids} {other} does it all the same, so the premise that {other} keeps to the assumption fails, \
             whatever the assumption is."
        ),
    }
}

/// A memory that stores nothing.
struct Forgetful;

impl Memory for Forgetful {
    fn recall(&self, _key: &Key) -> Option<Vec<u8>> {
        None
    }

    fn remember(&self, _entries: &[(Key, Vec<u8>)]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_names_the_premise_that_has_to_fail() {
        let why = |rule, groups, half| why_premises_fail(rule, groups, half, "go");
        assert!(why(Rule::Simple, 2, Half::First).contains("M2 keeps to the assumption fails"));
        assert!(why(Rule::Alternating, 2, Half::First).contains("one of the other premises fails"));
        assert!(why(Rule::Chain, 3, Half::First).contains("one of the premises about them fails"));
        assert!(
            why(Rule::Conjunction, 2, Half::First).contains("so the second premise fails, that M2 keeps")
        );
        let second = why(Rule::Conjunction, 2, Half::Second);
        assert!(second.starts_with("Every assumption with which the third premise is true"), "{second}");
        assert!(
            second.contains("between M2 and M1: go. M1 does it all the same, so the fourth premise fails")
        );
        assert!(why(Rule::Symmetric, 2, Half::First).starts_with("Each group lets this run happen"));
    }

    #[test]
    fn no_assumption_helps_against_a_run_without_the_others() {
        for rule in Rule::ALL.into_iter().filter(|&rule| rule != Rule::Symmetric) {
            let why = why_premises_fail(rule, 2, Half::First, "");
            assert!(why.ends_with("So no assumption makes the first premise true."), "{rule}: {why}");
        }
    }
}
