//! Components of a system that are checked alone, and what they may assume about the rest of the system.
//!
//! A component alone has more behaviour than in the system: its environment may do anything. Assumptions exclude some
//! of it. A *mined* rule is true of the rest of the system, whatever the component does; an assumption that is
//! *written* in the text may be wrong, and has to be discharged on the rest of the system before a result can rest on
//! it.

use std::fmt;

use rely_base::Budget;
use rely_lts::{Behaviour, ComponentId};
use serde::Deserialize;

use crate::{Failure, Mined, Target};

/// What a component may assume about its environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Environment {
    /// Nothing: it may do anything that the interface allows.
    #[default]
    Universal,
    /// The rules that were mined from the rest of the system; they are true.
    Mined,
    /// The assumptions of the text; results hold as far as the rest of the system satisfies them.
    Written,
    /// Both mined rules and assumptions of the text.
    Mixed,
}

impl Environment {
    /// Whether mined rules are assumed.
    pub fn has_rules(self) -> bool {
        matches!(self, Self::Mined | Self::Mixed)
    }

    /// Whether the assumptions of the text are assumed.
    pub fn has_written(self) -> bool {
        matches!(self, Self::Written | Self::Mixed)
    }
}

/// How many consecutive microsteps, or macrosteps, a rule may speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(try_from = "u8")]
pub enum Window {
    /// One microstep.
    #[default]
    One,
    /// A microstep, and the microstep or the macrostep before it.
    Two,
}

impl TryFrom<u8> for Window {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        match number {
            1 => Ok(Self::One),
            2 => Ok(Self::Two),
            _ => Err(format!("a window has 1 or 2 steps, not {number}")),
        }
    }
}

/// An assumption about the environment of a component.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Assumption {
    /// The assumption of the text with this name.
    Written(String),
    /// A rule, in the form in which it is printed when it has been mined.
    Rule(String),
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Written(text) | Self::Rule(text)) = self;
        f.write_str(text)
    }
}

/// A target, and the part of it that observes the others and fails if the observed property is broken.
pub type WatchedTarget = (Target<Behaviour>, ComponentId);

/// A text with components that can be checked alone. A component is given by the name of its target.
pub trait OpenComponents {
    /// The target of the system that a component belongs to; `None` if the target is not a component.
    fn system_of(&mut self, target: &str) -> Option<String>;

    /// The rules that hold at the interface of a component in every configuration of its environment.
    ///
    /// # Errors
    /// When the target is no component, has errors or an interface that is too large, or a limit is met.
    fn mine(&mut self, component: &str, window: Window, budget: &Budget<'_>) -> Result<Mined, Failure>;

    /// Everything that the mined rules of a component depend on, as text: where it is the same, so are the rules.
    ///
    /// # Errors
    /// When the target is no component, or has errors or an interface that is too large.
    fn content_of_environment(&mut self, component: &str, window: Window) -> Result<String, Failure>;

    /// Whether a rule about the environment of a component follows from others. It may follow though the answer is no.
    ///
    /// # Errors
    /// When the component has errors.
    fn follows(&mut self, component: &str, rule: &Assumption, from: &[Assumption]) -> Result<bool, Failure>;

    /// The assumptions of the text about the environment of a component, in order.
    ///
    /// # Errors
    /// When the component has errors.
    fn written(&mut self, component: &str) -> Result<Vec<Assumption>, Failure>;

    /// The targets of those components of the environment that send the events of an assumption, if the assumption
    /// holds as soon as each of them alone satisfies it; none if they have to be checked together.
    ///
    /// # Errors
    /// When the component has errors, or the assumption has no meaning for it.
    fn senders(&mut self, component: &str, assumption: &Assumption) -> Result<Vec<String>, Failure>;

    /// The assumption that the environment of a component sends at most one event per microstep, which need not be
    /// true. It leaves few runs of the component to be checked.
    ///
    /// # Errors
    /// When the component has errors.
    fn one_at_a_time(&mut self, component: &str) -> Result<Vec<Assumption>, Failure>;

    /// A component under assumptions.
    ///
    /// # Errors
    /// When the component has errors, or an assumption has no meaning for it.
    fn alone(&mut self, component: &str, assumed: &[Assumption]) -> Result<Target<Behaviour>, Failure>;

    /// A component under assumptions, observed by one of its properties.
    ///
    /// # Errors
    /// When the component has errors, no such property, or an assumption has no meaning for it.
    fn watched_alone(
        &mut self,
        component: &str,
        property: &str,
        assumed: &[Assumption],
    ) -> Result<WatchedTarget, Failure>;

    /// The environment of a component, with a component in its place that may do anything, and a part that fails if
    /// one of some assumptions is violated. If a sender is given, that component of the environment alone; all others
    /// may do anything.
    ///
    /// # Errors
    /// When the component has errors, or an assumption has no meaning for it.
    fn environment(
        &mut self,
        component: &str,
        sender: Option<&str>,
        watching: &[Assumption],
    ) -> Result<WatchedTarget, Failure>;

    /// The position of the first of some assumptions that a run of the component alone violates; the run is given by
    /// its actions.
    ///
    /// # Errors
    /// When the component has errors, or an assumption has no meaning for it.
    fn first_broken(
        &mut self,
        component: &str,
        trace: &[String],
        assumptions: &[Assumption],
    ) -> Result<Option<usize>, Failure>;
}
