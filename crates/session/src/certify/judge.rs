//! The questions to the judge: each claim about the current file, whatever made the claim.

use rely_base::{Budget, Exhausted, Id};
use rely_certificate::{Claim, Property, Rejection};
use rely_lts::{Behaviour, BehaviourRef, ComponentId, Network};
use rely_model::Failure;
use rely_omega::Justice;

use super::interface;
use super::model::Model;
use crate::goals::{Goals, Unresolved};
use crate::parts::Library;
use crate::refines::Replacement;
use crate::report::{ClaimedComponent, Kind};
use crate::subject::Subject;

/// The result of judging a claim.
pub(super) struct Judged {
    /// Why it is not accepted; `None` if it is.
    pub(super) reason: Option<String>,
    /// The components, if the claim is that they do not fail.
    pub(super) components: Option<Vec<ClaimedComponent>>,
}

impl Judged {
    pub(super) fn rejected(reason: String) -> Self {
        Self { reason: Some(reason), components: None }
    }
}

impl Model<'_> {
    /// Judges a claim that a commitment holds, under the fairness that it names.
    fn judge_commitment(&self, claim: &Claim, budget: &Budget<'_>) -> Result<Option<String>, Exhausted> {
        let says = |justice: &Justice| claim.statement.ends_with(&format!("; fairness: {justice}"));
        let justice = Justice::ALL.into_iter().find(says).unwrap_or_default();
        let Some((behaviour, commitment)) = self.commitment(&claim.target, &claim.property) else {
            return Ok(Some(format!("the file has no commitment {}", claim.property)));
        };
        let scheduling = self.scheduling(&claim.target, justice);
        let property = Property::Commitment { commitment, scheduling: &scheduling };
        judged(claim, behaviour.view(), &property, budget)
    }

    /// Judges a claim.
    pub(super) fn judge(&self, claim: &Claim, budget: &Budget<'_>) -> Result<Judged, Exhausted> {
        let reason = if let Some(subject) = Subject::parse(&claim.target) {
            interface::judge(claim, &subject, self.project, budget)?
        } else if let Some(replacement) = Replacement::parse(&claim.target) {
            replacement.judge(claim, self.project, budget)?
        } else if let Some(behaviour) = self.target(&claim.target) {
            if claim.kind == rely_certificate::Kind::Commitment {
                let reason = self.judge_commitment(claim, budget)?;
                return Ok(Judged { reason, components: None });
            }
            if claim.kind == rely_certificate::Kind::Property {
                return match behaviour {
                    Behaviour::Network(network)
                        if !self.is_watcher(&claim.target, &claim.property, budget) =>
                    {
                        self.judge_property(claim, network, budget)
                    }
                    _ => self.judge_watcher(claim, budget),
                };
            }
            match self.property((kind(claim.kind), self.fairness(claim)), &claim.property) {
                Some(property) => judged(claim, behaviour.view(), &property, budget)?,
                None => Some(format!("the file has no {} property {}", claim.kind, claim.property)),
            }
        } else {
            Some(format!("the file has no target {}", claim.target))
        };
        Ok(Judged { reason, components: None })
    }

    /// Judges a claim that a property that observes a program is never broken.
    fn judge_watcher(&self, claim: &Claim, budget: &Budget<'_>) -> Result<Judged, Exhausted> {
        let name = &claim.property;
        let Some((behaviour, watcher)) = self.watched(&claim.target, name, budget)? else {
            return Ok(Judged::rejected(format!("there is no property {name}")));
        };
        let property = Property::Unbroken { name, components: &[watcher], observers: &[] };
        let reason = judged(claim, behaviour.view(), &property, budget)?;
        let name = behaviour.part_names()[watcher.index()].to_owned();
        let component = ClaimedComponent { number: watcher.index() + 1, name, beside: true };
        Ok(Judged { reason, components: Some(vec![component]) })
    }

    /// Judges a claim that components do not fail. Their names are resolved in the model, as `verify` does.
    fn judge_property(
        &self,
        claim: &Claim,
        network: &Network,
        budget: &Budget<'_>,
    ) -> Result<Judged, Exhausted> {
        let name = &claim.property;
        let mut library = Library::of(std::slice::from_ref(self.project), *budget);
        let mut goals = Goals::within(network.clone(), self.table.clone());
        match goals.name(name, &mut library, budget) {
            Ok(()) if !library.has_errors() => {}
            Err(Unresolved::Failure(Failure::Exhausted(exhausted))) => return Err(exhausted),
            Err(Unresolved::Ambiguous(names)) => {
                return Ok(Judged::rejected(format!("{name} may be {}", names.join(" or "))));
            }
            Ok(()) | Err(Unresolved::Failure(Failure::Errors)) => {
                return Ok(Judged::rejected(format!("there is no property {name}")));
            }
        }
        let [(meant, goal)] = &goals.named[..] else {
            let names: Vec<&str> = goals.named.iter().map(|(meant, _)| meant.as_str()).collect();
            return Ok(Judged::rejected(format!("{name} may be {}", names.join(" or "))));
        };
        if meant != name {
            return Ok(Judged::rejected(format!("{name} is called {meant} here")));
        }
        let observers = goals.set_aside(goal);
        let property = Property::Unbroken { name, components: goal, observers: &observers };
        let reason = judged(claim, (&goals.network).into(), &property, budget)?;
        Ok(Judged { reason, components: Some(claimed_components(&goals, goal)) })
    }
}

/// The components of a goal, by number from 1 and by name.
fn claimed_components(goals: &Goals, goal: &[ComponentId]) -> Vec<ClaimedComponent> {
    let claimed = |id: &ComponentId| ClaimedComponent {
        number: id.index() + 1,
        name: goals.network.components()[id.index()].name.clone(),
        beside: id.index() >= goals.own,
    };
    goal.iter().map(claimed).collect()
}

/// Why a claim about a property of a behaviour is not accepted; `None` if it is.
pub(super) fn judged(
    claim: &Claim,
    behaviour: BehaviourRef<'_>,
    property: &Property<'_>,
    budget: &Budget<'_>,
) -> Result<Option<String>, Exhausted> {
    match rely_certificate::check(claim, behaviour, property, budget) {
        Ok(()) => Ok(None),
        Err(Rejection::Exhausted(exhausted)) => Err(exhausted),
        Err(rejection @ Rejection::AnotherModel(_))
            if claim.components.len() != behaviour.part_names().len() =>
        {
            Ok(Some(format!("{rejection}; what was set with --define has to be set for the judge, too")))
        }
        Err(rejection) => Ok(Some(rejection.to_string())),
    }
}

pub(super) fn kind(kind: rely_certificate::Kind) -> Kind {
    match kind {
        rely_certificate::Kind::Deadlock => Kind::Deadlock,
        rely_certificate::Kind::Safety
        | rely_certificate::Kind::Property
        | rely_certificate::Kind::Refinement => Kind::Safety,
        rely_certificate::Kind::Commitment => Kind::Ltl,
        rely_certificate::Kind::Progress => Kind::Progress,
        rely_certificate::Kind::Ltl => Kind::Ltl,
        rely_certificate::Kind::Divergence => Kind::Divergence,
    }
}
