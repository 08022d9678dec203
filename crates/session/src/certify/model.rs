//! The targets and properties of claims, as the file defines them, and claims about properties that observe a target.

use std::borrow::Cow;

use rely_base::{Budget, Exhausted};
use rely_certificate::{Claim, Decomposition, Evidence, Property};
use rely_lts::{Behaviour, ComponentId, Observation};
use rely_model::{Commitments, Failure, PartTable};
use rely_omega::{Assertion, Commitment, Justice, ProgressProperty, Scheduling};

use super::composition_claim;
use crate::goals::{Goals, Unresolved};
use crate::meaning::{Meaning, is_made_by};
use crate::parts::Library;
use crate::report::{Fairness, Finding, Kind};
use crate::{Failed, Project};

/// The targets and properties of claims.
pub(super) struct Model<'p> {
    pub(super) project: &'p Project,
    /// The targets that exist, by name.
    pub(super) targets: Vec<(String, Behaviour)>,
    /// Their parts.
    pub(super) table: PartTable,
    /// Their commitments, as far as they have some, and the behaviour as a program.
    commitments: Vec<(String, Commitments, Behaviour)>,
    progress: Vec<ProgressProperty>,
    assertions: Vec<Assertion>,
    pub(super) findings: Vec<Finding>,
}

impl<'p> Model<'p> {
    /// Reads the named targets and properties, as far as they exist. Errors in other properties do no harm.
    pub(super) fn read<'n>(
        project: &'p Project,
        claimed: impl Iterator<Item = (&'n str, &'n str)>,
        budget: Budget<'_>,
    ) -> Result<Self, Failed> {
        let (names, properties): (Vec<&str>, Vec<&str>) = claimed.unzip();
        let asked = |definition: &str| properties.iter().any(|name| is_made_by(name, definition));
        // The default progress property exists only in a file that declares no progress property.
        let any_progress = properties.contains(&"progress");
        let mut meaning = Meaning::with_properties(project, budget);
        let mut targets: Vec<(String, Behaviour)> = Vec::new();
        let mut commitments = Vec::new();
        let mut table = PartTable::default();
        let mut exhausted = None;
        for name in names {
            if targets.iter().any(|(known, _)| known == name) || !meaning.has_target(name) {
                continue;
            }
            match meaning.behaviour(name) {
                Ok(target) => {
                    table.add(&target.parts);
                    let program = target.behaviour.to_program().map(Cow::into_owned);
                    targets.push((name.to_owned(), target.behaviour));
                    if let (Ok(Some(own)), Some(program)) = (meaning.commitments(name), program) {
                        commitments.push((name.to_owned(), own, program.into()));
                    }
                }
                Err(Failure::Exhausted(limit)) => exhausted = Some(limit),
                Err(Failure::Errors) => {}
            }
        }
        let progress = meaning.progress_properties(&|definition| any_progress || asked(definition));
        let assertions = meaning.assertions(&asked);
        let failed = meaning.has_errors();
        let findings = meaning.findings();
        match (progress, assertions, exhausted) {
            _ if failed => Err(Failed::Errors(findings)),
            (Ok(progress), Ok(assertions), None) => {
                Ok(Self { project, targets, table, commitments, progress, assertions, findings })
            }
            (Err(Failure::Exhausted(limit)), ..)
            | (_, Err(Failure::Exhausted(limit)), _)
            | (_, _, Some(limit)) => Err(Failed::Exhausted(limit, findings)),
            _ => Err(Failed::Errors(findings)),
        }
    }

    pub(super) fn target(&self, name: &str) -> Option<&Behaviour> {
        self.targets.iter().find(|(known, _)| known == name).map(|(_, behaviour)| behaviour)
    }

    /// The commitment of a target with a name, and the behaviour of the target as a program.
    pub(super) fn commitment(
        &self,
        target: &str,
        name: &str,
    ) -> Option<(&Behaviour, &Commitment<Observation>)> {
        let (_, own, program) = self.commitments.iter().find(|(known, ..)| known == target)?;
        let commitment = own.all().find(|commitment| commitment.name == name)?;
        Some((program, commitment))
    }

    /// The processes of a target, and how they take turns.
    pub(super) fn scheduling(&self, target: &str, justice: Justice) -> Scheduling {
        let own = self.commitments.iter().find(|(known, ..)| known == target);
        own.map_or_else(Scheduling::default, |(_, own, _)| own.scheduling(justice))
    }

    /// The fairness that a claim about an assertion names, if any.
    pub(super) fn fairness(&self, claim: &Claim) -> Fairness {
        let says = |fairness: &Fairness| {
            let property = self.property((Kind::Ltl, *fairness), &claim.property);
            property.is_some_and(|property| property.statement() == claim.statement)
        };
        rely_omega::Fairness::ALL.map(Fairness::from).into_iter().find(says).unwrap_or_default()
    }

    /// The property of a kind with a name; for an assertion, under some fairness.
    pub(super) fn property(&self, (kind, fairness): (Kind, Fairness), name: &str) -> Option<Property<'_>> {
        let fixed = |property: Property<'static>| (property.name() == name).then_some(property);
        match kind {
            Kind::Deadlock => fixed(Property::Deadlock),
            Kind::Safety => fixed(Property::Safety),
            Kind::Divergence => fixed(Property::Divergence),
            Kind::Progress if self.progress.is_empty() => fixed(Property::EveryAction),
            Kind::Progress => {
                let property = self.progress.iter().find(|property| property.name == name)?;
                Some(Property::Progress {
                    name: &property.name,
                    condition: property.condition.as_deref(),
                    actions: &property.actions,
                })
            }
            Kind::Ltl => {
                let assertion = self.assertions.iter().find(|assertion| assertion.name == name)?;
                Some(Property::Assertion { assertion, fairness: fairness.of_choices() })
            }
        }
    }

    /// A target observed by a property, which the text declares for it or which is in the file of properties; and the
    /// part that fails if the property is broken.
    pub(super) fn watched(
        &self,
        target: &str,
        property: &str,
        budget: &Budget<'_>,
    ) -> Result<Option<(Behaviour, ComponentId)>, Exhausted> {
        let mut meaning = Meaning::with_properties(self.project, *budget);
        let is_own = meaning.properties_of(target).is_ok_and(|own| own.iter().any(|name| name == property));
        if is_own {
            return match meaning.watched_target(target, property) {
                Ok((target, watcher)) => Ok(Some((target.behaviour, watcher))),
                Err(Failure::Exhausted(exhausted)) => Err(exhausted),
                Err(Failure::Errors) => Ok(None),
            };
        }
        let Some(behaviour) = self.target(target) else { return Ok(None) };
        match meaning.properties_beside(&|name| name == property) {
            Ok(components) => {
                let observer = components.into_iter().find(|component| component.name == property);
                Ok(observer.map(|observer| behaviour.clone().watched_by(observer)))
            }
            Err(Failure::Exhausted(exhausted)) => Err(exhausted),
            Err(Failure::Errors) => Ok(None),
        }
    }

    /// Whether a property observes a target from outside and is not a property process of the network: it observes a
    /// program, or the text declares it for the target.
    pub(super) fn is_watcher(&self, target: &str, property: &str, budget: &Budget<'_>) -> bool {
        let is_program = self.target(target).is_some_and(|behaviour| behaviour.as_program().is_some());
        let own = || Meaning::of(self.project, *budget).properties_of(target);
        is_program || own().is_ok_and(|own| own.iter().any(|name| name == property))
    }

    /// The claim that a property that observes a target is never broken.
    pub(super) fn claim_of_watcher(
        &self,
        target: &str,
        name: &str,
        budget: &Budget<'_>,
    ) -> Result<Option<Claim>, Exhausted> {
        if !self.is_watcher(target, name, budget) {
            return self.claim_of_property_beside(target, name, budget);
        }
        let Some((behaviour, watcher)) = self.watched(target, name, budget)? else { return Ok(None) };
        let property = Property::Unbroken { name, components: &[watcher], observers: &[] };
        let evidence = match &behaviour {
            Behaviour::Program(_) => rely_decide::certify(&behaviour, &property, budget)?,
            Behaviour::Network(network) => {
                let count = network.components().len();
                Evidence::Composition(Decomposition::monolithic(count, &[watcher], &[]))
            }
        };
        Ok(Some(Claim::new(target, &behaviour, &property, evidence)))
    }

    /// The claim for a network, whose evidence is that the judge searches it.
    fn claim_of_property_beside(
        &self,
        target: &str,
        name: &str,
        budget: &Budget<'_>,
    ) -> Result<Option<Claim>, Exhausted> {
        let Some(network) = self.target(target).and_then(Behaviour::as_network) else { return Ok(None) };
        let mut library = Library::of(std::slice::from_ref(self.project), *budget);
        let mut goals = Goals::within(network.clone(), self.table.clone());
        match goals.name(name, &mut library, budget) {
            Ok(()) => {}
            Err(Unresolved::Failure(Failure::Exhausted(exhausted))) => return Err(exhausted),
            Err(Unresolved::Failure(Failure::Errors) | Unresolved::Ambiguous(_)) => return Ok(None),
        }
        let Some((_, goal)) = goals.named.first() else { return Ok(None) };
        let observers = goals.set_aside(goal);
        let property = Property::Unbroken { name, components: goal, observers: &observers };
        let count = goals.network.components().len();
        let evidence = Evidence::Composition(Decomposition::monolithic(count, goal, &observers));
        Ok(Some(composition_claim(target, &goals.network, &property, evidence)))
    }
}
