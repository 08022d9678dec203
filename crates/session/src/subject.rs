//! Questions about interface automata, in the form in which certificates repeat them.
//!
//! A proof about interface automata is about a network of their completions, which is not a target of a file. The
//! target of its claim is the question instead, such as `SYSTEM: compatible` or `SYSTEM: refines SPEC`. Prover and
//! judge read the same question from the same file, and so get the same network.

use std::fmt;
use std::sync::Arc;

use rely_assume::Goal;
use rely_base::{Budget, Exhausted};
use rely_certificate::{Claim, Evidence, Property};
use rely_interface::{Aim, Environment, Problem, Question, Receptiveness, System};
use rely_lts::{Component, Network};
use rely_model::{Failure, PartTable};

use crate::Project;
use crate::automata::{automaton, system};
use crate::meaning::Meaning;
use crate::parts::Library;
use crate::report::Finding;

/// A question about interface automata.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Subject {
    /// The automata, or composites of them.
    pub(crate) names: Vec<String>,
    /// What is to be proved.
    pub(crate) wanted: Wanted,
    /// Whether every environment that keeps to the inputs is considered, and not only the best one.
    pub(crate) every_environment: bool,
    /// Whether a receiver may take internal steps first.
    pub(crate) weak: bool,
}

/// What is to be proved, by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    Compatible,
    Safe(String),
    CompatibleAndSafe(String),
    Refines(String),
}

const EVERY_ENVIRONMENT: &str = ", in every environment";
const WEAK: &str = ", weak";

impl Wanted {
    /// The name of what is proved, as in reports.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Compatible => "compatible",
            Self::Safe(name) | Self::CompatibleAndSafe(name) | Self::Refines(name) => name,
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compatible => f.write_str("compatible"),
            Self::Safe(name) => f.write_str(name),
            Self::CompatibleAndSafe(name) => write!(f, "compatible and {name}"),
            Self::Refines(name) => write!(f, "refines {name}"),
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let environment = if self.every_environment { EVERY_ENVIRONMENT } else { "" };
        let weak = if self.weak { WEAK } else { "" };
        write!(f, "{}: {}{environment}{weak}", self.names.join(","), self.wanted)
    }
}

impl Subject {
    /// The question that a text states; `None` if the text is the name of a target.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (names, rest) = text.split_once(": ")?;
        let (rest, weak) = rest.strip_suffix(WEAK).map_or((rest, false), |rest| (rest, true));
        let (rest, every_environment) =
            rest.strip_suffix(EVERY_ENVIRONMENT).map_or((rest, false), |rest| (rest, true));
        let wanted = match rest.split_once(' ') {
            None if rest == "compatible" => Wanted::Compatible,
            None => Wanted::Safe(rest.to_owned()),
            Some(("refines", name)) => Wanted::Refines(name.to_owned()),
            Some(("compatible", and)) => Wanted::CompatibleAndSafe(and.strip_prefix("and ")?.to_owned()),
            Some(_) => return None,
        };
        let names = names.split(',').map(str::to_owned).collect();
        Some(Self { names, wanted, every_environment, weak })
    }

    /// The text of the question, without the names of the automata.
    pub(crate) fn what(&self) -> String {
        let text = self.to_string();
        text.split_once(": ").map(|(_, what)| what.to_owned()).unwrap_or_default()
    }

    pub(crate) fn question(&self) -> Question {
        Question {
            environment: if self.every_environment { Environment::Arbitrary } else { Environment::Helpful },
            receptiveness: if self.weak { Receptiveness::Eventually } else { Receptiveness::Now },
        }
    }

    /// The problem that the question stands for, in the given file.
    pub(crate) fn read(&self, project: &Project, budget: &Budget<'_>) -> Result<Problem, Unread> {
        let mut meaning = Meaning::of(project, *budget);
        match Scene::read(&mut meaning, &self.names, budget) {
            Ok(scene) => self.problem(&scene, &mut meaning, project, budget),
            Err(failure) => Err(Unread::of(failure, meaning)),
        }
    }

    /// The problem for automata that have been read.
    pub(crate) fn problem(
        &self,
        scene: &Scene,
        meaning: &mut Meaning<'_>,
        project: &Project,
        budget: &Budget<'_>,
    ) -> Result<Problem, Unread> {
        let aim = match &self.wanted {
            Wanted::Compatible => Aim::Compatible,
            Wanted::Safe(name) => Aim::Safe(scene.goal(project, name, budget)?),
            Wanted::CompatibleAndSafe(name) => Aim::CompatibleAndSafe(scene.goal(project, name, budget)?),
            Wanted::Refines(name) => match automaton(meaning, name, budget) {
                Ok(specification) => Aim::Refines(Arc::new(specification)),
                Err(Failure::Exhausted(exhausted)) => return Err(Unread::Exhausted(exhausted)),
                Err(Failure::Errors) => return Err(Unread::Errors(Vec::new())),
            },
        };
        Ok(Problem { system: scene.system.clone(), aim, question: self.question() })
    }

    /// The claim that the answer is yes.
    pub(crate) fn claim(&self, problem: &Problem, evidence: Evidence) -> Claim {
        let components = problem.goal_components();
        let property = self.property(&components);
        Claim::new(&self.to_string(), &problem.network(), &property, evidence)
    }

    /// The claim that the answer is yes, with the evidence that the judge searches the whole product.
    pub(crate) fn claim_on_the_product(
        &self,
        network: &Network,
        budget: &Budget<'_>,
    ) -> Result<Claim, Exhausted> {
        let evidence = rely_decide::certify(network, &Property::Safety, budget)?;
        Ok(Claim::new(&self.to_string(), network, &Property::Safety, evidence))
    }

    /// The property that the claim states of the network of the problem, if the given components are the goal.
    pub(crate) fn property<'a>(&'a self, goal: &'a [rely_lts::ComponentId]) -> Property<'a> {
        match &self.wanted {
            Wanted::Safe(name) => Property::Unbroken { name, components: goal, observers: &[] },
            Wanted::Compatible | Wanted::CompatibleAndSafe(_) | Wanted::Refines(_) => Property::Safety,
        }
    }
}

/// Why there is no problem.
#[derive(Debug)]
pub(crate) enum Unread {
    /// Errors in the file or the question, in addition to those in the meaning of the file.
    Errors(Vec<Finding>),
    /// A part that has to be built first is too large.
    Exhausted(Exhausted),
}

impl Unread {
    fn of(failure: Failure, meaning: Meaning<'_>) -> Self {
        match failure {
            Failure::Exhausted(exhausted) => Self::Exhausted(exhausted),
            Failure::Errors => Self::Errors(meaning.findings()),
        }
    }
}

/// Interface automata and the property processes that observe them.
pub(crate) struct Scene {
    pub(crate) system: System,
    /// The properties among the parts of composites.
    pub(crate) observers: Vec<Component>,
    /// All parts.
    pub(crate) table: PartTable,
    /// Whether the system has priority.
    pub(crate) has_priority: bool,
}

impl Scene {
    pub(crate) fn read(
        meaning: &mut Meaning<'_>,
        names: &[String],
        budget: &Budget<'_>,
    ) -> Result<Self, Failure> {
        let system = system(meaning, names, budget)?;
        let mut observers = Vec::new();
        let mut table = PartTable::default();
        let mut has_priority = false;
        for name in names {
            let target = meaning.target(name)?;
            let network = &target.behaviour;
            has_priority |= network.priority().is_some();
            let parts = network.components().iter().zip(&target.parts);
            observers.extend(parts.filter(|(_, part)| part.is_property()).map(|(it, _)| it.clone()));
            table.add(&target.parts);
        }
        Ok(Self { system, observers, table, has_priority })
    }

    /// The property with a name: one of those beside the automata, by its full name, or another one of the file.
    pub(crate) fn goal(&self, project: &Project, name: &str, budget: &Budget<'_>) -> Result<Goal, Unread> {
        let is_named = |observer: &&Component| observer.name == name;
        let components: Vec<Component> = self.observers.iter().filter(is_named).cloned().collect();
        if !components.is_empty() {
            return Ok(Goal { name: name.to_owned(), components });
        }
        let mut library = Library::of(std::slice::from_ref(project), *budget);
        match library.property(name, budget) {
            Ok(goal) if !library.has_errors() => Ok(goal),
            Err(Failure::Exhausted(exhausted)) => Err(Unread::Exhausted(exhausted)),
            Ok(_) | Err(Failure::Errors) => Err(Unread::Errors(library.findings())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_read_as_they_are_written() {
        let wanted = [
            Wanted::Compatible,
            Wanted::Safe("A.P(1,2)".to_owned()),
            Wanted::CompatibleAndSafe("a.1:P".to_owned()),
            Wanted::Refines("SPEC".to_owned()),
        ];
        for wanted in wanted {
            for (every_environment, weak) in [(false, false), (false, true), (true, false), (true, true)] {
                let names = vec!["A".to_owned(), "B".to_owned()];
                let subject = Subject { names, wanted: wanted.clone(), every_environment, weak };
                assert_eq!(Subject::parse(&subject.to_string()), Some(subject.clone()), "{subject}");
            }
        }
        for other in ["SYSTEM", "a.1:NODE", "S: compatible with P", "S: and P"] {
            assert_eq!(Subject::parse(other), None, "{other}");
        }
    }
}
