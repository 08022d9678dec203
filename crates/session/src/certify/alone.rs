//! Claims about components alone, which rest on assumptions about their environments.
//!
//! That a property of a component holds under assumptions is one claim; that the environment of the component
//! satisfies them, whatever the component does, is another. Both are about programs that are not targets of the file,
//! so the target of a claim describes in words which program is meant, as in `interface.rs`: prover and judge read
//! the same words, and the same text gives them the same program. Rules are parsed again from the certificate: how
//! they were mined does not matter.
//!
//! A claim about a component is accepted only after an accepted claim about its environment with all its assumptions.
//! Then the property holds in the whole system: in each of its runs the component does what it can do alone if its
//! environment satisfies them.

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
const PART: &str = ", of it ";
const KEEPING: &str = " keeping to ";
const WRITTEN: &str = "assumption ";
const AND: &str = "; ";

/// The name of what an environment is claimed to do.
const KEEPS: &str = "keeps to them";

/// A program that is not a target: a component under assumptions, or the environment that satisfies them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Alone {
    is_environment: bool,
    pub(super) component: String,
    /// The component of the environment that satisfies them alone, if it is one.
    sender: Option<String>,
    assumptions: Vec<Assumption>,
}

impl fmt::Display for Alone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, between) = if self.is_environment { (ENVIRONMENT, KEEPING) } else { ("", RELYING) };
        write!(f, "{before}{}", self.component)?;
        if let Some(sender) = &self.sender {
            write!(f, "{PART}{sender}")?;
        }
        f.write_str(between)?;
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
    /// The program that a text describes; `None` if the text is the name of another target.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let environment = text.strip_prefix(ENVIRONMENT).and_then(|rest| rest.split_once(KEEPING));
        let (component, list) = environment.or_else(|| text.split_once(RELYING))?;
        let assumption = |text: &str| match text.strip_prefix(WRITTEN) {
            Some(name) => Assumption::Written(name.to_owned()),
            None => Assumption::Rule(text.to_owned()),
        };
        let assumptions = list.split(AND).map(assumption).collect();
        let (component, sender) = match component.split_once(PART) {
            Some((component, sender)) => (component, Some(sender.to_owned())),
            None => (component, None),
        };
        Some(Self {
            is_environment: environment.is_some(),
            component: component.to_owned(),
            sender,
            assumptions,
        })
    }

    /// A short form of a claim about it.
    pub(super) fn named(&self, property: &str) -> (String, String) {
        match self.is_environment {
            false => (self.component.clone(), property.to_owned()),
            true => {
                let all: Vec<String> = self.assumptions.iter().map(ToString::to_string).collect();
                let part = self.sender.iter().map(|sender| format!("{PART}{sender}"));
                let part = part.collect::<String>();
                (format!("{ENVIRONMENT}{}{part}", self.component), format!("keeps to {}", all.join(AND)))
            }
        }
    }

    /// The program, and the unit that must not fail; `None` means that no unit must.
    fn behaviour(
        &self,
        meaning: &mut Meaning<'_>,
        property: &str,
    ) -> Result<(Behaviour, Option<ComponentId>), Failure> {
        let Self { is_environment, component, sender, assumptions } = self;
        if *is_environment {
            let (behaviour, watcher) = meaning.environment(component, sender.as_deref(), assumptions)?;
            return Ok((behaviour, Some(watcher)));
        }
        if property == Property::Safety.name() {
            return Ok((meaning.alone(component, assumptions)?.behaviour, None));
        }
        let (target, watcher) = meaning.watched_alone(component, property, assumptions)?;
        Ok((target.behaviour, Some(watcher)))
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

/// The claimed property: that a unit does not fail, or that nothing does.
fn meant<'a>(name: &'a str, watchers: &'a [ComponentId]) -> Property<'a> {
    match watchers {
        [] => Property::Safety,
        _ => Property::Unbroken { name, components: watchers, observers: &[] },
    }
}

/// The claims of the results that rest on the environments of components, after the claims about these environments.
pub(super) fn claims(
    project: &Project,
    results: &[CheckResult],
    budget: &Budget<'_>,
) -> Result<Vec<Claim>, Exhausted> {
    let resting = results.iter().filter(|it| it.verdict == Verdict::Holds && !it.rests_on.is_empty());
    let resting: Vec<&CheckResult> = resting.collect();
    let mut environments: Vec<Alone> = Vec::new();
    let mut meaning = Meaning::of(project, *budget);
    for result in &resting {
        for assumption in result.rests_on.iter().map(Assumption::from) {
            let component = &result.target;
            let is_known = |it: &Alone| it.component == *component && it.assumptions.contains(&assumption);
            if environments.iter().any(is_known) {
                continue;
            }
            for sender in keeping(&mut meaning, component, &assumption, budget) {
                let place =
                    environments.iter_mut().find(|it| it.component == *component && it.sender == sender);
                match place {
                    Some(environment) => environment.assumptions.push(assumption.clone()),
                    None => environments.push(Alone {
                        is_environment: true,
                        component: component.clone(),
                        sender,
                        assumptions: vec![assumption.clone()],
                    }),
                }
            }
        }
    }
    let mut claims = Vec::new();
    for environment in &environments {
        claims.extend(environment.claim(&mut meaning, KEEPS, budget)?);
    }
    for result in resting {
        let assumptions = result.rests_on.iter().map(Assumption::from).collect();
        let alone =
            Alone { is_environment: false, component: result.target.clone(), sender: None, assumptions };
        claims.extend(alone.claim(&mut meaning, &result.property, budget)?);
    }
    Ok(claims)
}

/// The programs whose claims show that an assumption is satisfied: the components that control it, each whatever the
/// others do, or the environment as a whole.
fn keeping(
    meaning: &mut Meaning<'_>,
    component: &str,
    assumption: &Assumption,
    budget: &Budget<'_>,
) -> Vec<Option<String>> {
    let senders = senders(meaning, component, assumption);
    let watching = std::slice::from_ref(assumption);
    let mut keeps = |sender: &String| {
        let Ok((behaviour, watcher)) = meaning.environment(component, Some(sender.as_str()), watching) else {
            return false;
        };
        let decision = rely_decide::check_observer(&behaviour, watcher, budget);
        decision.is_ok_and(|decision| decision.verdict.holds())
    };
    match !senders.is_empty() && senders.iter().all(&mut keeps) {
        true => senders.into_iter().map(Some).collect(),
        false => vec![None],
    }
}

/// The components of an environment that control an assumption, if each can be checked alone.
fn senders(meaning: &mut Meaning<'_>, component: &str, assumption: &Assumption) -> Vec<String> {
    let open = meaning.open_components();
    open.and_then(|open| open.senders(component, assumption).ok()).unwrap_or_default()
}

/// The environments that have been shown to satisfy their assumptions.
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
        let mut meaning = Meaning::of(project, *budget);
        if let Some(open) = self.open(&alone, &mut meaning) {
            let why = format!("no accepted claim before it shows that the environment keeps to `{open}`");
            return Ok(Judged::rejected(why));
        }
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

    /// The first assumption of a component that its environment has not been shown to satisfy.
    fn open<'a>(&self, alone: &'a Alone, meaning: &mut Meaning<'_>) -> Option<&'a Assumption> {
        let is_shown = |sender: Option<&str>, assumption: &Assumption| {
            let mut same = self.0.iter().filter(|kept| kept.component == alone.component);
            same.any(|kept| kept.sender.as_deref() == sender && kept.assumptions.contains(assumption))
        };
        let mut is_open = |assumption: &Assumption| {
            let senders = senders(meaning, &alone.component, assumption);
            let by_all =
                !senders.is_empty() && senders.iter().all(|it| is_shown(Some(it.as_str()), assumption));
            !by_all && !is_shown(None, assumption)
        };
        alone.assumptions.iter().find(|assumption| !alone.is_environment && is_open(assumption))
    }
}
