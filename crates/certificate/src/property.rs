//! What can be claimed of a network.

use std::fmt::{self, Write};

use rely_base::Id;
use rely_lts::{ComponentId, Observation};
use rely_omega::{Assertion, AtomId, Commitment, Fairness, Proposition, Scheduling};
use serde::{Deserialize, Serialize};

/// What a claim is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Something is always possible, or the network is at its end.
    Deadlock,
    /// No component reaches its error state.
    Safety,
    /// Actions occur again and again, under fair choice.
    Progress,
    /// An assertion of linear temporal logic.
    Ltl,
    /// The network does not work silently for ever.
    Divergence,
    /// Some components do not fail, unless something else has failed before.
    Property,
    /// An interface automaton refines another.
    Refinement,
    /// A statement holds under assumptions, of runs that are fair to processes.
    Commitment,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Deadlock => "deadlock",
            Self::Safety => "safety",
            Self::Progress => "progress",
            Self::Ltl => "ltl",
            Self::Divergence => "divergence",
            Self::Property => "property",
            Self::Refinement => "refinement",
            Self::Commitment => "commitment",
        })
    }
}

/// A property of a network, as the model declares it.
#[derive(Clone, Copy, Debug)]
pub enum Property<'a> {
    /// No state is reachable where nothing is possible, but for the end and the error state.
    Deadlock,
    /// The error state is not reachable.
    Safety,
    /// No cycle of silent steps is reachable; hidden actions are silent.
    Divergence,
    /// Every fair run contains infinitely many of the actions, if it contains infinitely many of the condition.
    /// The error state is not reachable.
    Progress {
        /// The name of the property.
        name: &'a str,
        /// Only runs in which some of these actions occur infinitely often have to satisfy the property.
        condition: Option<&'a [String]>,
        /// The actions.
        actions: &'a [String],
    },
    /// Every fair run contains infinitely many of each action of the alphabet. The error state is not reachable.
    EveryAction,
    /// Every run that is fair satisfies the assertion, and so does every run into the error state, however it could go on.
    Assertion {
        /// The assertion.
        assertion: &'a Assertion,
        /// Which runs are fair. At random, the runs that do not satisfy the assertion have probability 0.
        fairness: Fairness,
    },
    /// No run leads one of the components to its error state, unless a component has failed before. Other failures in
    /// the same step make no difference.
    Unbroken {
        /// The name of the property.
        name: &'a str,
        /// The components, in order.
        components: &'a [ComponentId],
        /// Other components that refuse nothing, in order. They are set aside: their error states count as ordinary
        /// states, in which they still refuse nothing.
        observers: &'a [ComponentId],
    },
    /// Every run that is fair to processes and meets all assumptions satisfies the claim.
    Commitment {
        /// The claim and its assumptions.
        commitment: &'a Commitment<Observation>,
        /// The processes, and how fair runs are to them.
        scheduling: &'a Scheduling,
    },
}

impl Property<'_> {
    /// The kind of claim that it makes.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Deadlock => Kind::Deadlock,
            Self::Safety => Kind::Safety,
            Self::Divergence => Kind::Divergence,
            Self::Progress { .. } | Self::EveryAction => Kind::Progress,
            Self::Assertion { .. } => Kind::Ltl,
            Self::Unbroken { .. } => Kind::Property,
            Self::Commitment { .. } => Kind::Commitment,
        }
    }

    /// Its name: the user's, or that of its kind.
    pub fn name(&self) -> &str {
        match self {
            Self::Deadlock => "deadlock",
            Self::Safety => "safety",
            Self::Divergence => "divergence",
            Self::Progress { name, .. } | Self::Unbroken { name, .. } => name,
            Self::EveryAction => "progress",
            Self::Assertion { assertion, .. } => &assertion.name,
            Self::Commitment { commitment, .. } => &commitment.name,
        }
    }

    /// What it says, in full.
    pub fn statement(&self) -> String {
        match self {
            Self::Deadlock => "no reachable state is stuck".to_owned(),
            Self::Safety => "no component reaches its error state".to_owned(),
            Self::Divergence => "no cycle of silent steps is reachable".to_owned(),
            Self::Progress { condition: None, actions, .. } => format!("again and again {}", set(actions)),
            Self::Progress { condition: Some(condition), actions, .. } => {
                format!("if again and again {} then again and again {}", set(condition), set(actions))
            }
            Self::EveryAction => "again and again every action".to_owned(),
            Self::Assertion { assertion, fairness } => {
                // The kind of fairness comes last, where no name of the user can be mistaken for it.
                format!("{}; fairness: {fairness}", of_assertion(assertion))
            }
            Self::Commitment { commitment, scheduling } => {
                format!("{}; fairness: {}", commitment.text(), scheduling.justice)
            }
            Self::Unbroken { components, observers, .. } => {
                let mut text =
                    format!("none of {} fails, unless something has failed before", numbers(components));
                if !observers.is_empty() {
                    let _ = write!(text, "; {} are set aside", numbers(observers));
                }
                text
            }
        }
    }
}

fn numbers(components: &[ComponentId]) -> String {
    let numbers: Vec<String> = components.iter().map(|component| component.raw().to_string()).collect();
    set(&numbers)
}

fn set(names: &[String]) -> String {
    format!("{{{}}}", names.join(", "))
}

/// The formula, the meaning of its fluents, and its further actions.
fn of_assertion(assertion: &Assertion) -> String {
    let name = |atom: AtomId| match assertion.propositions.get(atom.index()) {
        Some(Proposition::Fluent(fluent)) => fluent.name.clone(),
        Some(Proposition::Action(names)) => set(names),
        None => "?".to_owned(),
    };
    let mut text = assertion.formula.display(name).to_string();
    for proposition in &assertion.propositions {
        if let Proposition::Fluent(fluent) = proposition {
            let (on, off) = (set(&fluent.on), set(&fluent.off));
            let initially = if fluent.initially { " initially true" } else { "" };
            let _ = write!(text, "; {} = <{on}, {off}>{initially}", fluent.name);
        }
    }
    if !assertion.extension.is_empty() {
        let _ = write!(text, "; + {}", set(&assertion.extension));
    }
    text
}
