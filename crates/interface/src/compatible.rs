//! Compatibility: does some part send what another cannot take?
//!
//! **Problem.** A state of a system is *illegal* if a part may send an action that another part receives, but not now.
//! Parts are compatible if no illegal state is reachable. An open system depends on its environment: it is compatible if
//! some environment avoids all illegal states.
//!
//! **Source.** [Emmi, Giannakopoulou, Păsăreanu 2008], definitions 4 and 6 and theorem 3; the optimistic view of open
//! systems is that of [de Alfaro, Henzinger 2001].
//!
//! **Idea.** In the network of the completions A₁? ‖ … ‖ Aₙ? a part that cannot take what is sent to it fails. So
//! incompatibility is reachability of the error state, and the search, its shortest trace and its replay are those of
//! every other safety question. The environment that avoids illegal states best takes every output and sends nothing:
//! external inputs are left out of the completions, and no environment has to be built.
//!
//! **Invariants.** The components of the network are the parts, then the constraints, in their order, and states have
//! the same numbers as in the parts. The trace ends with the action that cannot be taken.
//!
//! **Callers.** `rely compatible`; the rules for the whole system.

use rely_base::{Budget, Id, Label, StateId};
use rely_decide::{Counterexample, Decision, Ending, Limit, ReplayError, check_safety};
use rely_lts::{Component, Network, Role};

use crate::completion::{Treatment, completion_after};
use crate::{Part, System};

/// What the environment of an open system does. It makes no difference for a closed system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Environment {
    /// It helps as well as it can: it takes every output and sends nothing. If illegal states can be avoided at all, they
    /// are.
    #[default]
    Helpful,
    /// It sends whatever is accepted: no environment that keeps to the inputs leads to an illegal state.
    Arbitrary,
}

/// When a part has to be able to take an action that is sent to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Receptiveness {
    /// At once, in the state in which it is [Emmi, Giannakopoulou, Păsăreanu 2008, definition 4].
    #[default]
    Now,
    /// After some internal steps of its own, in which no constraint takes part.
    Eventually,
}

/// Which compatibility is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Question {
    /// What the environment does.
    pub environment: Environment,
    /// When a part has to be able to take what is sent to it.
    pub receptiveness: Receptiveness,
}

/// The answer.
#[derive(Clone, Debug)]
pub struct Compatibility {
    /// The network of completions that was searched: the parts, then the constraints.
    pub network: Network,
    /// The decision about it.
    pub decision: Decision<Limit>,
    /// If it is violated, which part sent what, and which could not take it.
    pub blame: Option<Blame>,
}

/// Which part sent an action, and which could not take it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blame {
    /// The action.
    pub action: String,
    /// The part that sends it, and the state that it is in.
    pub sender: (usize, StateId),
    /// The part that cannot take it, and the state that it is in.
    pub receiver: (usize, StateId),
}

/// Whether the parts of a system are compatible.
///
/// # Errors
/// A counterexample that could not be replayed: a mistake in the program.
pub fn check_compatible(
    system: &System,
    question: Question,
    budget: &Budget<'_>,
) -> Result<Compatibility, ReplayError> {
    let network = system.completed(question);
    let decision = check_safety(&network, budget)?;
    let blame = decision.verdict.counterexample().and_then(|run| Blame::of(system, run));
    Ok(Compatibility { network, decision, blame })
}

impl System {
    /// The network of the completions of the parts, and the constraints: it fails exactly in illegal states.
    pub fn completed(&self, question: Question) -> Network {
        let parts = self.parts().iter().map(|part| self.completed_part(part, question));
        Network::new(parts.chain(self.constraints().iter().cloned()).collect())
    }

    /// The parts with all inputs completed, those from the environment included, and the constraints.
    pub(crate) fn receptive(&self, receptiveness: Receptiveness) -> Network {
        let treatment = |_: &str, role: Role| match role {
            Role::Input => Treatment::Completed,
            Role::Output | Role::Internal => Treatment::Kept,
        };
        let receptive = |part: &Part| self.treated(part, receptiveness, treatment);
        Network::new(self.parts().iter().map(receptive).chain(self.constraints().iter().cloned()).collect())
    }

    fn completed_part(&self, part: &Part, question: Question) -> Component {
        let treatment = |name: &str, role: Role| match (role, self.sender(name), question.environment) {
            (Role::Input, Some(_), _) => Treatment::Completed,
            (Role::Input, None, Environment::Helpful) => Treatment::Dropped,
            (Role::Input, None, Environment::Arbitrary) | (Role::Output | Role::Internal, _, _) => {
                Treatment::Kept
            }
        };
        self.treated(part, question.receptiveness, treatment)
    }

    /// A part with each of its actions treated as `treatment` says for its name and role.
    pub(crate) fn treated(
        &self,
        part: &Part,
        receptiveness: Receptiveness,
        treatment: impl Fn(&str, Role) -> Treatment,
    ) -> Component {
        let automaton = &part.automaton;
        let alphabet = automaton.lts().alphabet();
        // A constraint may block an action that it shares for ever, so a part must not wait for such an action.
        let is_shared = |name: &str| self.constraints().iter().any(|it| it.lts.alphabet().contains(name));
        let is_own: Vec<bool> = alphabet.names().map(|name| !is_shared(name)).collect();
        let may_precede = |label: Label| {
            receptiveness == Receptiveness::Eventually
                && automaton.role_of(label) == Role::Internal
                && label.action().is_none_or(|action| is_own[action.index()])
        };
        Component::new(&part.name, completion_after(automaton, may_precede, treatment))
    }
}

impl Blame {
    /// The blame for a run of a network whose first components are the parts of a system, in order, if it ends with
    /// something that a part of it cannot take from another.
    pub fn of(system: &System, run: &Counterexample) -> Option<Self> {
        let Ending::Error(failing) = run.ending else { return None };
        let step = run.trace.last()?;
        let receiver = system.receiver(&step.action).filter(|&part| part == failing.index())?;
        let sender = system.sender(&step.action)?;
        Some(Self {
            action: step.action.clone(),
            sender: (sender, StateId::from_raw(step.before[sender])),
            receiver: (receiver, StateId::from_raw(step.before[receiver])),
        })
    }
}
