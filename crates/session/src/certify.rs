//! `check --certificate` and `certify`: certificates of what holds, and their judgement.
//!
//! The judge is `rely_certificate`; the engine only makes the evidence. Both read the model through the same front end.

mod alone;
mod coverage;
mod expected;
mod flow;
mod interface;

use rely_base::{Budget, Exhausted, Id, Limits};
use rely_certificate::{Certificate, Claim, Decomposition, Evidence, Property, Rejection, Unreadable};
use rely_lts::{Behaviour, BehaviourRef, ComponentId, Network, Observation};
use rely_model::{Commitments, Failure};
use rely_omega::{Assertion, Commitment, Justice, ProgressProperty, Scheduling};

use alone::{Alone, Kept};
use coverage::Coverage;

use crate::goals::{Goals, Unresolved};
use crate::meaning::{Meaning, is_made_by};
use crate::parts::Library;
use crate::refines::Replacement;
use crate::report::{
    CertifyResult, CheckResult, ClaimedComponent, Fairness, Finding, Kind, Level, Place, Report, Verdict,
};
use crate::subject::Subject;
use crate::{Failed, Project, begin, explain};

/// A certificate of everything that holds among the results of `check` on the same project.
///
/// # Errors
/// When the input has errors or a limit is met.
pub fn certificate(
    project: &Project,
    results: &[CheckResult],
    budget: Budget<'_>,
) -> Result<Certificate, Failed> {
    // What rests on the environment of a component is claimed with it; so are the assumptions that something rests on.
    let is_plain = |result: &&CheckResult| result.rests_on.is_empty() && !result.is_assumption;
    let holding = || results.iter().filter(|result| result.verdict == Verdict::Holds).filter(is_plain);
    let claimed = holding().map(|result| (&*result.target, &*result.property));
    let model = Model::read(project, claimed, budget)?;
    let mut claims: Vec<Claim> = Vec::new();
    for result in holding() {
        if let Some((behaviour, commitment)) = model.commitment(&result.target, &result.property) {
            let justice = match result.fairness {
                Some(Fairness::None) => Justice::None,
                Some(Fairness::Strong) => Justice::Strong,
                _ => Justice::Weak,
            };
            let scheduling = model.scheduling(&result.target, justice);
            let property = Property::Commitment { commitment, scheduling: &scheduling };
            let evidence = rely_decide::certify(behaviour, &property, &budget)
                .map_err(|exhausted| Failed::Exhausted(exhausted, Vec::new()))?;
            claims.push(Claim::new(&result.target, behaviour, &property, evidence));
            continue;
        }
        if result.kind == Kind::Safety && result.property != Property::Safety.name() {
            let claim = model.claim_of_watcher(&result.target, &result.property, &budget);
            let mut claim = claim.map_err(|exhausted| Failed::Exhausted(exhausted, Vec::new()))?;
            if let (Some(claim), Some(flow)) = (&mut claim, &result.flow) {
                flow::choose_evidence(claim, flow, &model, &budget);
            }
            claims.extend(claim);
            continue;
        }
        let behaviour = model.target(&result.target);
        let fairness = result.fairness.unwrap_or_default();
        let property = model.property((result.kind, fairness), &result.property);
        let (Some(behaviour), Some(property)) = (behaviour, property) else { continue };
        let evidence = match claims.last() {
            // Deadlock and safety have the same evidence.
            Some(Claim { target, evidence: evidence @ Evidence::Invariant { .. }, .. })
                if *target == result.target && matches!(property, Property::Deadlock | Property::Safety) =>
            {
                evidence.clone()
            }
            _ => rely_decide::certify(behaviour, &property, &budget)
                .map_err(|exhausted| Failed::Exhausted(exhausted, Vec::new()))?,
        };
        claims.push(Claim::new(&result.target, behaviour, &property, evidence));
    }
    let resting = alone::claims(project, results, &budget);
    claims.extend(resting.map_err(|exhausted| Failed::Exhausted(exhausted, Vec::new()))?);
    Ok(Certificate::new(claims))
}

/// Judges the claims of a certificate, given by the name of its file and its text, about the targets of a project.
///
/// Claims about properties say together whether anything can fail in a target: see `certify/coverage.rs`. What is
/// `expected`, such as `S: P`, and not among the claims that are accepted, is a result that is not accepted.
///
/// # Errors
/// When the certificate cannot be read or claims nothing, the input has errors, or a limit is met.
pub fn certify(
    project: &Project,
    name: &str,
    text: &[u8],
    expected: &[String],
    budget: Budget<'_>,
) -> Result<Report<CertifyResult>, Failed> {
    let certificate = Certificate::from_json(text)
        .map_err(|unreadable| Failed::Errors(vec![unreadable_finding(name, &unreadable)]))?;
    if certificate.claims.is_empty() {
        // Nothing that is judged must not look like something that was accepted.
        return Err(Failed::Errors(vec![empty_finding(name)]));
    }
    // The text is held all the time, and so is what has been read from it.
    let left = budget.max_bytes().saturating_sub(2 * text.len());
    let budget = budget.narrowed(Limits { states: None, bytes: Some(left) });
    let claimed = certificate.claims.iter().map(|claim| (&*claim.target, &*claim.property));
    let mut model = Model::read(project, claimed, budget)?;
    begin(&budget).map_err(|exhausted| Failed::Exhausted(exhausted, model.findings.clone()))?;
    let mut results = Vec::new();
    let mut coverage = Coverage::default();
    let mut kept = Kept::default();
    for claim in &certificate.claims {
        let judged = match certificate.outdated(claim) {
            Some(why) => Ok(Judged::rejected(why.to_owned())),
            None => match Alone::parse(&claim.target) {
                Some(alone) => kept.judge(claim, alone, project, &budget),
                None => model.judge(claim, &budget),
            },
        };
        let Judged { reason, components } = match judged {
            Ok(judged) => judged,
            Err(exhausted) => return Err(Failed::Exhausted(exhausted, model.findings)),
        };
        coverage.add(claim, reason.is_none(), components.as_deref());
        let (target, property) = named(claim);
        let accepted = reason.is_none();
        let kind = match (claim.kind, claim.property.as_str()) {
            (rely_certificate::Kind::Commitment, "deadlock") => Kind::Deadlock,
            (rely_certificate::Kind::Commitment, "safety" | "lost") => Kind::Safety,
            (other, _) => kind(other),
        };
        let fairness = match claim.kind {
            rely_certificate::Kind::Commitment => {
                let (_, justice) = claim.statement.rsplit_once("; fairness: ").unwrap_or_default();
                [(Fairness::None, "none"), (Fairness::Strong, "strong")]
                    .into_iter()
                    .find(|it| it.1 == justice)
                    .map(|it| it.0)
            }
            _ => model.fairness(claim).unless_usual(kind),
        };
        results.push(CertifyResult {
            target,
            is_commitment: claim.kind == rely_certificate::Kind::Commitment,
            property,
            kind,
            fairness,
            components,
            derived: false,
            accepted,
            reason,
        });
    }
    let mut findings = std::mem::take(&mut model.findings);
    let library = Library::of(std::slice::from_ref(project), budget);
    for (target, behaviour) in &model.targets {
        let Some(network) = behaviour.as_network() else { continue };
        match coverage.of(target, &Goals::within(network.clone(), &library)) {
            None => {}
            Some(Ok(safety)) => results.push(safety),
            Some(Err(finding)) => findings.push(finding.or_about(project.name())),
        }
    }
    results.extend(expected::missing(expected, &results));
    Ok(Report::new("certify", results, findings))
}

/// What became of a claim.
struct Judged {
    /// Why it is not accepted; nothing if it is.
    reason: Option<String>,
    /// If it says that components do not fail, which.
    components: Option<Vec<ClaimedComponent>>,
}

impl Judged {
    fn rejected(reason: String) -> Self {
        Self { reason: Some(reason), components: None }
    }
}

/// What a claim is about, and what it says of it, in short.
fn named(claim: &Claim) -> (String, String) {
    if let Some(alone) = Alone::parse(&claim.target) {
        return alone.named(&claim.property);
    }
    let subject = Subject::parse(&claim.target).map(|it| (it.names.join(", "), it.what()));
    let replacement = || Replacement::parse(&claim.target).map(|it| (it.implementation.clone(), it.what()));
    subject.or_else(replacement).unwrap_or((claim.target.clone(), claim.property.clone()))
}

/// The claim that components of a target do not fail, unless something has failed before.
///
/// A property that is no part of the target is added to it behind its own components.
pub(crate) fn composition_claim(
    target: &str,
    network: &Network,
    property: &Property<'_>,
    evidence: Evidence,
) -> Claim {
    let evidence = match (network.priority(), property) {
        // Rules do not know priority; the judge searches the whole.
        (Some(_), Property::Unbroken { components, observers, .. }) => {
            let count = network.components().len();
            Evidence::Composition(Decomposition::monolithic(count, components, observers))
        }
        _ => evidence,
    };
    Claim::new(target, network, property, evidence)
}

/// The targets and properties that claims are about.
struct Model<'p> {
    project: &'p Project,
    /// The targets that exist, by name.
    targets: Vec<(String, Behaviour)>,
    /// What they commit themselves to, as far as they do.
    commitments: Vec<(String, Commitments)>,
    progress: Vec<ProgressProperty>,
    assertions: Vec<Assertion>,
    findings: Vec<Finding>,
}

impl<'p> Model<'p> {
    /// Reads the named targets and properties, as far as they exist. What is wrong with other properties does no harm.
    fn read<'n>(
        project: &'p Project,
        claimed: impl Iterator<Item = (&'n str, &'n str)>,
        budget: Budget<'_>,
    ) -> Result<Self, Failed> {
        let (names, properties): (Vec<&str>, Vec<&str>) = claimed.unzip();
        let asked = |definition: &str| properties.iter().any(|name| is_made_by(name, definition));
        // That every action stays possible is asked only of a file that declares no progress property.
        let any_progress = properties.contains(&"progress");
        let mut meaning = Meaning::with_properties(project, budget);
        let mut targets: Vec<(String, Behaviour)> = Vec::new();
        let mut commitments = Vec::new();
        let mut exhausted = None;
        for name in names {
            if targets.iter().any(|(known, _)| known == name) || !meaning.has_target(name) {
                continue;
            }
            match meaning.behaviour(name) {
                Ok(target) => {
                    targets.push((name.to_owned(), target.behaviour));
                    if let Ok(Some(own)) = meaning.commitments(name) {
                        commitments.push((name.to_owned(), own));
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
                Ok(Self { project, targets, commitments, progress, assertions, findings })
            }
            (Err(Failure::Exhausted(limit)), ..)
            | (_, Err(Failure::Exhausted(limit)), _)
            | (_, _, Some(limit)) => Err(Failed::Exhausted(limit, findings)),
            _ => Err(Failed::Errors(findings)),
        }
    }

    fn target(&self, name: &str) -> Option<&Behaviour> {
        self.targets.iter().find(|(known, _)| known == name).map(|(_, behaviour)| behaviour)
    }

    /// The commitment of a target with a name, and the behaviour of the target.
    fn commitment(&self, target: &str, name: &str) -> Option<(&Behaviour, &Commitment<Observation>)> {
        let (_, own) = self.commitments.iter().find(|(known, _)| known == target)?;
        let commitment = own.all().find(|commitment| commitment.name == name)?;
        Some((self.target(target)?, commitment))
    }

    /// How the processes of a target take turns.
    fn scheduling(&self, target: &str, justice: Justice) -> Scheduling {
        let own = self.commitments.iter().find(|(known, _)| known == target);
        own.map_or_else(Scheduling::default, |(_, own)| own.scheduling(justice))
    }

    /// Judges a claim that a commitment is kept, by the fairness that it says.
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

    /// Which runs a claim about an assertion speaks of, as far as it says so.
    fn fairness(&self, claim: &Claim) -> Fairness {
        let says = |fairness: &Fairness| {
            let property = self.property((Kind::Ltl, *fairness), &claim.property);
            property.is_some_and(|property| property.statement() == claim.statement)
        };
        rely_omega::Fairness::ALL.map(Fairness::from).into_iter().find(says).unwrap_or_default()
    }

    /// The property of a kind with a name; if it is an assertion, about runs with some fairness.
    fn property(&self, (kind, fairness): (Kind, Fairness), name: &str) -> Option<Property<'_>> {
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

    /// A target while a property watches it that the text declares of it, or that stands in the file of properties; and the
    /// part that fails where the property is broken.
    fn watched(
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

    /// Whether a property is one that watches a target from outside and is no property process of the network: it watches a
    /// program, or the text declares it of the target.
    fn is_watcher(&self, target: &str, property: &str, budget: &Budget<'_>) -> bool {
        let is_program = self.target(target).is_some_and(|behaviour| behaviour.as_program().is_some());
        let own = || Meaning::of(self.project, *budget).properties_of(target);
        is_program || own().is_ok_and(|own| own.iter().any(|name| name == property))
    }

    /// The claim that a property that watches a target is never broken.
    fn claim_of_watcher(
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

    /// The same for a network, with no other evidence than that the judge finds it out.
    fn claim_of_property_beside(
        &self,
        target: &str,
        name: &str,
        budget: &Budget<'_>,
    ) -> Result<Option<Claim>, Exhausted> {
        let Some(network) = self.target(target).and_then(Behaviour::as_network) else { return Ok(None) };
        let mut library = Library::of(std::slice::from_ref(self.project), *budget);
        let mut goals = Goals::within(network.clone(), &library);
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

    /// Judges a claim.
    fn judge(&self, claim: &Claim, budget: &Budget<'_>) -> Result<Judged, Exhausted> {
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

    /// Judges a claim that a property that watches a program is never broken.
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

    /// Judges a claim that components do not fail. What its name means is found in the model, as `verify` finds it.
    fn judge_property(
        &self,
        claim: &Claim,
        network: &Network,
        budget: &Budget<'_>,
    ) -> Result<Judged, Exhausted> {
        let name = &claim.property;
        let mut library = Library::of(std::slice::from_ref(self.project), *budget);
        let mut goals = Goals::within(network.clone(), &library);
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

/// Why a claim about a property of a behaviour is not accepted; nothing if it is.
fn judged(
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

fn kind(kind: rely_certificate::Kind) -> Kind {
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

/// What is wrong with a file that is no certificate.
fn unreadable_finding(name: &str, unreadable: &Unreadable) -> Finding {
    let (line, column) = (unreadable.line, unreadable.column.max(1));
    let place = Place { line, column, end_line: line, end_column: column, bytes: (0, 0) };
    let help = "`rely check MODEL --certificate FILE` writes one";
    bad_certificate(name, (line > 0).then_some(place), format!("this is no certificate: {unreadable}"), help)
}

/// What is wrong with a certificate without claims.
fn empty_finding(name: &str) -> Finding {
    let help = "a certificate has a claim for each property that was found to hold";
    let message = "the certificate claims nothing, so there is nothing to accept";
    bad_certificate(name, None, message.to_owned(), help)
}

fn bad_certificate(name: &str, place: Option<Place>, message: String, help: &str) -> Finding {
    Finding {
        severity: Level::Error,
        code: explain::BAD_CERTIFICATE.to_string(),
        message,
        file: name.to_owned(),
        place,
        help: Some(help.to_owned()),
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
