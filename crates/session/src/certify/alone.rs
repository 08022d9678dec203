//! Claims about components on their own, which rest on what their environments do.
//!
//! That a property of a component holds under assumptions is one claim; that the environment of the component keeps to them,
//! whatever the component does, is another. Both are about programs that are no targets of the file, so the target of a
//! claim says in words which program is meant, as in `interface.rs`: whoever proves and whoever judges read the same words,
//! and the same text gives them the same program. Rules are parsed again from the certificate: how they were mined does not
//! matter.
//!
//! A claim about a component is accepted only behind an accepted claim about its environment that has all its assumptions. Then
//! the property holds in the whole system: in each of its runs the component does what it can do alone when its environment
//! keeps to them.

use std::fmt;

use rely_base::{Budget, Exhausted, Id};
use rely_certificate::{Claim, Property};
use rely_lts::{Behaviour, ComponentId};
use rely_model::{Assumption, Failure};

use super::{Judged, judged};
use crate::Project;
use crate::meaning::Meaning;
use crate::report::{CheckResult, ClaimedComponent, Verdict};

const RELYING: &str = " relying on ";
const ENVIRONMENT: &str = "the environment of ";
const KEEPING: &str = " keeping to ";
const WRITTEN: &str = "assumption ";
const AND: &str = "; ";

/// The name of what an environment is claimed to do.
const KEEPS: &str = "keeps to them";

/// A program that is no target: a component under assumptions, or the environment that keeps to them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Alone {
    is_environment: bool,
    pub(super) component: String,
    assumptions: Vec<Assumption>,
}

impl fmt::Display for Alone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, between) = if self.is_environment { (ENVIRONMENT, KEEPING) } else { ("", RELYING) };
        write!(f, "{before}{}{between}", self.component)?;
        for (number, assumption) in self.assumptions.iter().enumerate() {
            let and = if number > 0 { AND } else { "" };
            match assumption {
                Assumption::Written(name) => write!(f, "{and}{WRITTEN}{name}")?,
                Assumption::Rule(text) => write!(f, "{and}{text}")?,
            }
        }
        Ok(())
    }
}

impl Alone {
    /// The program with a text; nothing if the text is that of another target.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let environment = text.strip_prefix(ENVIRONMENT).and_then(|rest| rest.split_once(KEEPING));
        let (component, list) = environment.or_else(|| text.split_once(RELYING))?;
        let assumption = |text: &str| match text.strip_prefix(WRITTEN) {
            Some(name) => Assumption::Written(name.to_owned()),
            None => Assumption::Rule(text.to_owned()),
        };
        let assumptions = list.split(AND).map(assumption).collect();
        Some(Self { is_environment: environment.is_some(), component: component.to_owned(), assumptions })
    }

    /// What a claim about it says, in short.
    pub(super) fn named(&self, property: &str) -> (String, String) {
        match self.is_environment {
            false => (self.component.clone(), property.to_owned()),
            true => {
                let all: Vec<String> = self.assumptions.iter().map(ToString::to_string).collect();
                (format!("{ENVIRONMENT}{}", self.component), format!("keeps to {}", all.join(AND)))
            }
        }
    }

    /// The program, and the unit that must not fail; no unit must if there is none.
    fn behaviour(
        &self,
        meaning: &mut Meaning<'_>,
        property: &str,
    ) -> Result<(Behaviour, Option<ComponentId>), Failure> {
        let Self { is_environment, component, assumptions } = self;
        if *is_environment {
            let (behaviour, watcher) = meaning.environment(component, assumptions)?;
            return Ok((behaviour, Some(watcher)));
        }
        if property == Property::Safety.name() {
            return Ok((meaning.alone(component, assumptions)?.behaviour, None));
        }
        let (behaviour, watcher) = meaning.watched_alone(component, property, assumptions)?;
        Ok((behaviour, Some(watcher)))
    }

    fn claim(
        &self,
        meaning: &mut Meaning<'_>,
        name: &str,
        budget: &Budget<'_>,
    ) -> Result<Option<Claim>, Exhausted> {
        let (behaviour, watcher) = match self.behaviour(meaning, name) {
            Ok(found) => found,
            Err(Failure::Exhausted(exhausted)) => return Err(exhausted),
            Err(Failure::Errors) => return Ok(None),
        };
        let watchers: Vec<ComponentId> = watcher.into_iter().collect();
        let property = meant(name, &watchers);
        let evidence = rely_decide::certify(&behaviour, &property, budget)?;
        Ok(Some(Claim::new(&self.to_string(), &behaviour, &property, evidence)))
    }
}

/// What is claimed: that a unit does not fail, or that nothing does.
fn meant<'a>(name: &'a str, watchers: &'a [ComponentId]) -> Property<'a> {
    match watchers {
        [] => Property::Safety,
        _ => Property::Unbroken { name, components: watchers, observers: &[] },
    }
}

/// The claims of the results that rest on the environments of components, behind those about the environments.
pub(super) fn claims(
    project: &Project,
    results: &[CheckResult],
    budget: &Budget<'_>,
) -> Result<Vec<Claim>, Exhausted> {
    let resting = results.iter().filter(|it| it.verdict == Verdict::Holds && !it.rests_on.is_empty());
    let resting: Vec<&CheckResult> = resting.collect();
    let mut environments: Vec<Alone> = Vec::new();
    for result in &resting {
        let known = environments.iter().position(|it| it.component == result.target);
        let at = known.unwrap_or_else(|| {
            let component = result.target.clone();
            environments.push(Alone { is_environment: true, component, assumptions: Vec::new() });
            environments.len() - 1
        });
        let all = &mut environments[at].assumptions;
        for assumption in result.rests_on.iter().map(Assumption::from) {
            if !all.contains(&assumption) {
                all.push(assumption);
            }
        }
    }
    let mut meaning = Meaning::of(project, *budget);
    let mut claims = Vec::new();
    for environment in &environments {
        claims.extend(environment.claim(&mut meaning, KEEPS, budget)?);
    }
    for result in resting {
        let assumptions = result.rests_on.iter().map(Assumption::from).collect();
        let alone = Alone { is_environment: false, component: result.target.clone(), assumptions };
        claims.extend(alone.claim(&mut meaning, &result.property, budget)?);
    }
    Ok(claims)
}

/// What environments have been shown to keep to.
#[derive(Default)]
pub(super) struct Kept(Vec<Alone>);

impl Kept {
    /// Judges a claim.
    pub(super) fn judge(
        &mut self,
        claim: &Claim,
        alone: Alone,
        project: &Project,
        budget: &Budget<'_>,
    ) -> Result<Judged, Exhausted> {
        if let Some(open) = self.open(&alone) {
            let why = format!("no accepted claim before it shows that the environment keeps to `{open}`");
            return Ok(Judged::rejected(why));
        }
        let mut meaning = Meaning::of(project, *budget);
        let (behaviour, watcher) = match alone.behaviour(&mut meaning, &claim.property) {
            Ok(found) => found,
            Err(Failure::Exhausted(exhausted)) => return Err(exhausted),
            Err(Failure::Errors) => {
                let why = format!("the file has no {} under these assumptions", claim.property);
                return Ok(Judged::rejected(why));
            }
        };
        let watchers: Vec<ComponentId> = watcher.into_iter().collect();
        let reason = judged(claim, behaviour.view(), &meant(&claim.property, &watchers), budget)?;
        let number = watcher.filter(|_| !alone.is_environment).map(|watcher| watcher.index() + 1);
        let component =
            number.map(|number| ClaimedComponent { number, name: claim.property.clone(), beside: true });
        if reason.is_none() && alone.is_environment {
            self.0.push(alone);
        }
        Ok(Judged { reason, components: component.map(|component| vec![component]) })
    }

    /// The first assumption of a component that its environment has not been shown to keep to.
    fn open<'a>(&self, alone: &'a Alone) -> Option<&'a Assumption> {
        let shown = |assumption: &Assumption| {
            let mut same = self.0.iter().filter(|kept| kept.component == alone.component);
            same.any(|kept| kept.assumptions.contains(assumption))
        };
        alone.assumptions.iter().find(|assumption| !alone.is_environment && !shown(assumption))
    }
}
