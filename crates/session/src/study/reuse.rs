//! What a proof costs when its assumptions are given [Cobleigh 2007, section 5.6]: the model is read, its parts are
//! reduced as for learning, and each premise is searched once.

use std::sync::Arc;

use rely_assume::{Effort, Goal, Problem, failures, parts_of};
use rely_base::{Alphabet, Budget, Id, Label, StateId};
use rely_certificate::{Assumption, Claim, Decomposition, Evidence, Guarantee, Premise};
use rely_lts::{Component, ComponentId, LtsBuilder, operators};

use crate::parts::{Library, ids};
use crate::report::{StudyResult, Verdict};
use crate::{Internal, Project, Rule, VerifyQuery};

/// Whether it is not known what the proof of a result costs with its assumptions given, and could be: it has
/// assumptions, and a rule whose premises are searched like products.
pub(super) fn is_missing(result: &StudyResult) -> bool {
    let is_searched = |premise: &rely_assume::Premise| {
        use rely_assume::{Guarantee, Premise};
        matches!(premise, Premise::Triple { guarantees: Guarantee::Goal | Guarantee::Assumption(_), .. })
    };
    let rule = result.rule.as_deref().and_then(Rule::from_name);
    let has_proof = result.verdict == Verdict::Holds && !result.assumptions.is_empty();
    result.reuse.is_none() && has_proof && rule.is_some_and(|rule| rule.premises(2).iter().all(is_searched))
}

/// The largest number of states that a premise of a proof held. Nothing where there are no assumptions, where a rule has
/// premises that are not searched like a product, or where a limit was met.
pub(super) fn check_again(
    project: &Project,
    query: &VerifyQuery<'_>,
    claim: &Claim,
    budget: &Budget<'_>,
) -> Option<Result<usize, Internal>> {
    let Evidence::Composition(decomposition) = &claim.evidence else { return None };
    if decomposition.assumptions.is_empty() {
        return None;
    }
    let (problem, parts) = problem_of(project, query, claim, decomposition, budget)?;
    let problem = problem.abstracted(budget).ok()?;
    let part = |component: &usize| {
        let position = parts.iter().position(|part| part.index() == *component)?;
        Some(problem.parts[position].clone())
    };
    let assumption = |number: usize| component_of(decomposition.assumptions.get(number)?);
    let mut effort = Effort::default();
    for premise in &decomposition.premises {
        let Premise::Triple { assumes, components, guarantees, .. } = premise else { return None };
        let mut all: Vec<Component> = components.iter().map(part).collect::<Option<_>>()?;
        if let Some(reference) = assumes {
            all.push(assumption(reference.assumption)?);
        }
        match guarantees {
            Guarantee::Goal => all.extend(problem.goal.components.iter().cloned()),
            Guarantee::Within(reference) => {
                let Component { name, lts } = assumption(reference.assumption)?;
                all.push(Component { name, lts: Arc::new(operators::complete(&lts)) });
            }
            Guarantee::Half(_) => return None,
        }
        // An assumption that allows everything is not broken, whatever the components do: nothing is searched for it when the
        // proof is found, either.
        if all.iter().all(|component| component.lts.error().is_none()) {
            continue;
        }
        let failing = failures(all, 1, budget, &mut effort).ok()?;
        if !failing.is_empty() {
            return Some(Err(Internal(format!("{premise} was proved and is not true"))));
        }
    }
    Some(Ok(effort.peak_states))
}

/// The problem that a claim is about, and which components of the system its parts are.
fn problem_of(
    project: &Project,
    query: &VerifyQuery<'_>,
    claim: &Claim,
    decomposition: &Decomposition,
    budget: &Budget<'_>,
) -> Option<(Problem, Vec<ComponentId>)> {
    let mut library = Library::of(std::slice::from_ref(project), *budget);
    let mut network = library.system(&query.system).ok()?;
    if network.components().len() < claim.components.len() {
        let Goal { components, .. } = library.property(query.properties.first()?, budget).ok()?;
        network = network.with_components(components);
    }
    let goal: Vec<ComponentId> = decomposition.goal.iter().map(|&i| ComponentId::from_index(i)).collect();
    let is_property = |id: &ComponentId| library.table.is_property(&network.components()[id.index()].name);
    let observers: Vec<ComponentId> = ids(&network).filter(is_property).collect();
    let parts = parts_of(&network, &goal, &observers);
    Some((Problem::new(&claim.property, &network, &goal, &observers), parts))
}

/// An assumption as a component. Nothing if it makes no sense, which that of a proof does.
fn component_of(assumption: &Assumption) -> Option<Component> {
    let alphabet: Alphabet = assumption.alphabet.iter().map(String::as_str).collect();
    let mut builder = LtsBuilder::with_states(alphabet.clone(), assumption.states);
    for transition in &assumption.transitions {
        let (source, rest) = transition.split_once(' ')?;
        let (action, target) = rest.rsplit_once(' ')?;
        let state = |text: &str| text.parse().ok().map(StateId::from_index);
        builder.add_transition(state(source)?, Label::visible(alphabet.get(action)?), state(target)?);
    }
    Some(Component { name: "assumption".to_owned(), lts: Arc::new(builder.build()) })
}
