//! Claims that a composition keeps a commitment because its parts keep theirs.
//!
//! The judge searches what follows from what (`rely_certificate::check_derivation`). What the parts keep is said by claims of the same certificate,
//! which have to be accepted before this one; and that a property holds one step longer than what it assumes is searched on the component, or,
//! for a part that is a composition itself, said by such a claim about it.

use std::collections::HashMap;

use rely_base::{Budget, Exhausted};
use rely_certificate::{
    Claim, Composed, Derivation, Evidence, Interpreter, Property, Rejection, check_derivation,
    holds_one_step_longer, is_about,
};
use rely_lts::Observation;
use rely_model::{Composition, Failure};
use rely_omega::{AtomSet, Commitment, Justice};

use super::model::Model;
use crate::meaning::Meaning;

/// What was found out about components while the claims of a certificate were judged, in their order.
#[derive(Default)]
pub(super) struct Accepted {
    /// The components and properties of commitments that were accepted, and whether they hold one step longer than what they assume.
    claims: HashMap<(String, String), bool>,
    /// Why properties of components do not hold one step longer than what they assume; nothing where they do.
    longer: HashMap<(String, String), Option<String>>,
}

impl Accepted {
    /// A claim was accepted.
    pub(super) fn add(&mut self, claim: &Claim) {
        let is_commitment = claim.kind == rely_certificate::Kind::Commitment;
        // Other kinds of fairness are about other runs.
        if !is_commitment || !claim.statement.ends_with("; fairness: weak") {
            return;
        }
        let is_longer = matches!(&claim.evidence, Evidence::Derivation(derivation) if derivation.longer);
        let known = self.claims.entry((claim.target.clone(), claim.property.clone())).or_default();
        *known |= is_longer;
    }
}

impl Model<'_> {
    /// Why a claim with such evidence is not accepted; nothing if it is.
    pub(super) fn judge_derivation(
        &self,
        claim: &Claim,
        derivation: &Derivation,
        accepted: &mut Accepted,
        budget: &Budget<'_>,
    ) -> Result<Option<String>, Exhausted> {
        if !claim.statement.ends_with("; fairness: weak") {
            return Ok(Some(
                "runs of a composition are runs of its parts under weak fairness only".to_owned(),
            ));
        }
        let Some((behaviour, commitment)) = self.commitment(&claim.target, &claim.property) else {
            return Ok(Some(format!("the file has no commitment {}", claim.property)));
        };
        let scheduling = self.scheduling(&claim.target, Justice::Weak);
        let property = Property::Commitment { commitment, scheduling: &scheduling };
        if let Some(reason) = in_words(is_about(claim, behaviour, &property))? {
            return Ok(Some(reason));
        }
        let mut meaning = Meaning::with_properties(self.project, *budget);
        let composition = match meaning.composition(&claim.target) {
            Ok(Some(composition)) => composition,
            Err(Failure::Exhausted(exhausted)) => return Err(exhausted),
            Ok(None) | Err(Failure::Errors) => {
                return Ok(Some(format!("{} is not composed of others", claim.target)));
            }
        };
        if let Some(doubt) = &composition.doubt {
            return Ok(Some(doubt.clone()));
        }
        let Some(goal) = composition.goals.iter().find(|goal| goal.name == claim.property) else {
            return Ok(Some(format!("the file has no commitment {}", claim.property)));
        };
        if let Some(reason) = follows(&composition, goal, derivation, budget)? {
            return Ok(Some(reason));
        }
        for premise in &derivation.premises {
            let component = &composition.parts[premise.part].component;
            let key = (component.clone(), premise.property.clone());
            let is_claimed = accepted.claims.get(&key).copied();
            if is_claimed.is_none() {
                return Ok(Some(format!(
                    "no claim before it says that {component} has {}",
                    premise.property
                )));
            }
            if premise.inductive
                && is_claimed != Some(true)
                && let Some(reason) = self.not_longer(&mut meaning, key, accepted, budget)?
            {
                return Ok(Some(reason));
            }
        }
        Ok(None)
    }

    /// Why a property of a component does not hold one step longer than what it assumes.
    fn not_longer(
        &self,
        meaning: &mut Meaning<'_>,
        key: (String, String),
        accepted: &mut Accepted,
        budget: &Budget<'_>,
    ) -> Result<Option<String>, Exhausted> {
        if let Some(known) = accepted.longer.get(&key) {
            return Ok(known.clone());
        }
        let (component, name) = &key;
        // A component that is a part only is no target of the certificate.
        let target = match meaning.behaviour(component) {
            Ok(target) => target,
            Err(Failure::Exhausted(exhausted)) => return Err(exhausted),
            Err(Failure::Errors) => return Ok(Some(format!("there is no component {component}"))),
        };
        let commitments = meaning.commitments(component).ok().flatten();
        let own = commitments.as_ref().and_then(|all| all.list.iter().find(|it| it.name == *name));
        let (Some(program), Some(own)) = (target.behaviour.as_program(), own) else {
            return Ok(Some(format!("{component} has no property {name}")));
        };
        let answer = in_words(holds_one_step_longer(&Interpreter::new(program), own, budget))?;
        accepted.longer.insert(key, answer.clone());
        Ok(answer)
    }
}

fn follows(
    composition: &Composition,
    goal: &Commitment<Observation>,
    derivation: &Derivation,
    budget: &Budget<'_>,
) -> Result<Option<String>, Exhausted> {
    let parts: Vec<&[Commitment<Observation>]> =
        composition.parts.iter().map(|it| &it.commitments[..]).collect();
    let letters: Vec<AtomSet> = composition.letters.iter().map(|(_, letter)| letter.clone()).collect();
    let composed =
        Composed { goal, parts: &parts, propositions: &composition.propositions, letters: &letters };
    in_words(check_derivation(&composed, derivation, budget))
}

fn in_words(judged: Result<(), Rejection>) -> Result<Option<String>, Exhausted> {
    match judged {
        Ok(()) => Ok(None),
        Err(Rejection::Exhausted(exhausted)) => Err(exhausted),
        Err(rejection) => Ok(Some(rejection.to_string())),
    }
}
