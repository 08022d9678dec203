//! What is to be proved of a system, and how the system is split in two.
//!
//! Every aim is a question about error states of one network: completed parts, constraints, and further components
//! that must not fail. So a rule is about two networks, and needs to know only which actions they share and which of
//! them controls each action.

use std::sync::Arc;

use rely_assume::Goal;
use rely_base::{Alphabet, Budget, Id, Label};
use rely_decide::{Decision, Limit, ReplayError, check_safety};
use rely_lts::{Component, InterfaceAutomaton, Lts, LtsBuilder, Network, Role};

use crate::completion::{Treatment, completion};
use crate::refinement::{is_plain, signature_mismatches};
use crate::{Blame, Environment, Mismatch, Part, Question, Receptiveness, System};

/// What is to be proved.
#[derive(Clone, Debug)]
pub enum Aim {
    /// The parts are compatible (IA-Compat).
    Compatible,
    /// A property is not broken, where the parts are compatible (IA-Prop).
    Safe(Goal),
    /// The parts are compatible and a property is not broken, both at once.
    CompatibleAndSafe(Goal),
    /// The parts are compatible in every environment that a specification allows, and refine it together (IA-AltRef).
    Refines(Arc<InterfaceAutomaton>),
}

impl Aim {
    /// The name of the rule for it.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::Compatible => "ia-compat",
            Self::Safe(_) => "ia-prop",
            Self::CompatibleAndSafe(_) => "ia-hybrid",
            Self::Refines(_) => "ia-altref",
        }
    }

    /// The premises of the rule, in the words of the literature.
    pub fn premises(&self) -> [&'static str; 2] {
        match self {
            Self::Compatible => ["M1 ~ A", "M2 ≼ A"],
            Self::Safe(_) => ["M1 ‖ A ⊨ P", "M2 ⊨ A"],
            Self::CompatibleAndSafe(_) => ["M1 ~ A and M1 ‖ A ⊨ P", "M2 ≼ A"],
            Self::Refines(_) => ["M1 ~ A and M1 ‖ A ≼ S", "M2 ≼ A"],
        }
    }
}

/// A system and what is to be proved of it.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The system.
    pub system: System,
    /// What is to be proved.
    pub aim: Aim,
    /// What the environment does, unless a specification says so, and when a part has to be able to take what is sent.
    pub question: Question,
}

/// Why a problem is not well-posed, or a rule cannot be applied to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Inapplicable {
    /// A rule needs two non-empty groups of parts, and each part in exactly one of them.
    BadGroups,
    /// The system is open and nothing may be sent to it, so a property would be checked on hardly any runs.
    Open,
    /// The property can block actions instead of only observing them.
    GoalTakesPart,
    /// Parts may take what is sent to them later, and there is a property, or a constraint has internal actions of a
    /// part: these would not see what is done before something is taken.
    NotAtOnce,
    /// The signature of the system does not fit that of the specification.
    Signature(Vec<Mismatch>),
    /// The specification leaves choices: it is not deterministic, or has internal steps.
    SpecificationChooses,
}

impl Problem {
    /// The parts, treated as the aim requires, then the constraints, then the further components that must not fail.
    pub fn components(&self) -> Vec<Component> {
        let parts = self.system.parts().iter().map(|part| self.treated(part));
        parts.chain(self.system.constraints().iter().cloned()).chain(self.goal()).collect()
    }

    /// The whole system: it fails exactly if the aim is not met.
    pub fn network(&self) -> Network {
        Network::new(self.components())
    }

    /// Whether the aim is met, decided on the product of everything; and the blame if parts are not compatible.
    ///
    /// # Errors
    /// A counterexample that could not be replayed: a mistake in the program.
    pub fn check(&self, budget: &Budget<'_>) -> Result<(Decision<Limit>, Option<Blame>), ReplayError> {
        let decision = check_safety(&self.network(), budget)?;
        let blame = decision.verdict.counterexample().and_then(|run| Blame::of(&self.system, run));
        Ok((decision, blame))
    }

    /// Whether the problem makes sense.
    ///
    /// # Errors
    /// Why not.
    pub fn well_posed(&self) -> Result<(), Inapplicable> {
        match &self.aim {
            Aim::Compatible => Ok(()),
            Aim::Safe(goal) | Aim::CompatibleAndSafe(goal) => {
                if !goal.is_observer() {
                    return Err(Inapplicable::GoalTakesPart);
                }
                match self.system.is_closed() || self.question.environment == Environment::Arbitrary {
                    true => Ok(()),
                    false => Err(Inapplicable::Open),
                }
            }
            Aim::Refines(specification) => {
                let roles = |name: &str| self.system.role(name);
                let outputs = self.system.actions(Role::Output);
                let mismatches = signature_mismatches(roles, &outputs, specification);
                if !mismatches.is_empty() {
                    return Err(Inapplicable::Signature(mismatches));
                }
                if is_plain(specification) { Ok(()) } else { Err(Inapplicable::SpecificationChooses) }
            }
        }
    }

    /// Whether a property or a constraint has internal actions of a part.
    fn internal_steps_are_seen(&self) -> bool {
        let is_known =
            |name: &str| self.system.constraints().iter().any(|it| it.lts.alphabet().contains(name));
        let has_known = |part: &Part| part.automaton.names(Role::Internal).names().any(is_known);
        let has_goal = matches!(self.aim, Aim::Safe(_) | Aim::CompatibleAndSafe(_));
        has_goal || self.system.parts().iter().any(has_known)
    }

    fn treated(&self, part: &Part) -> Component {
        let treatment = |name: &str, role: Role| self.treatment(name, role);
        self.system.treated(part, self.question.receptiveness, treatment)
    }

    /// The treatment of an action of a part.
    fn treatment(&self, name: &str, role: Role) -> Treatment {
        if role != Role::Input {
            return Treatment::Kept;
        }
        match (&self.aim, self.system.sender(name), self.question.environment) {
            (Aim::Safe(_), Some(_), _) => Treatment::Kept,
            (_, Some(_), _) => Treatment::Completed,
            (Aim::Refines(specification), None, _) => match specification.role_named(name) {
                Some(Role::Input) => Treatment::Completed,
                _ => Treatment::Dropped,
            },
            (_, None, Environment::Helpful) => Treatment::Dropped,
            (_, None, Environment::Arbitrary) => Treatment::Kept,
        }
    }

    /// The number of components that must not fail, the parts not counted.
    pub(crate) fn goal_count(&self) -> usize {
        match &self.aim {
            Aim::Compatible => 0,
            Aim::Safe(goal) | Aim::CompatibleAndSafe(goal) => goal.components.len(),
            Aim::Refines(_) => 1,
        }
    }

    /// The components that must not fail, without the parts.
    fn goal(&self) -> Vec<Component> {
        match &self.aim {
            Aim::Compatible => Vec::new(),
            Aim::Safe(goal) | Aim::CompatibleAndSafe(goal) => goal.components.clone(),
            Aim::Refines(specification) => vec![self.specified(specification)],
        }
    }

    /// S!, over the actions that the system has with its environment.
    fn specified(&self, specification: &InterfaceAutomaton) -> Component {
        let shared = |name: &str, role: Role| role != Role::Internal && self.system.role(name) == Some(role);
        let treatment = |_: &str, role: Role| match role {
            Role::Output => Treatment::Completed,
            _ => Treatment::Kept,
        };
        let alphabet: Alphabet = specification
            .lts()
            .alphabet()
            .iter()
            .filter(|&(action, name)| shared(name, specification.role(action)))
            .map(|(_, name)| name)
            .collect();
        let lts = over(&completion(specification, treatment), &alphabet);
        Component::new("SPECIFICATION", lts)
    }
}

/// A problem whose parts are in two groups.
pub(crate) struct Split {
    /// The components of both groups, as numbers of [`Problem::components`].
    pub(crate) members: [Vec<usize>; 2],
    /// Σ: the actions of the second group that some component of the first has, in dictionary order.
    pub(crate) letters: Alphabet,
    /// The role of each of them in the assumption: an input if the first group controls it, so that the second has to
    /// take it; an output if the second group sends it; internal if the first group only observes it.
    pub(crate) roles: Vec<Role>,
}

impl Split {
    /// Splits a problem.
    pub(crate) fn new(problem: &Problem, groups: &[Vec<usize>; 2]) -> Result<Self, Inapplicable> {
        problem.well_posed()?;
        if problem.question.receptiveness == Receptiveness::Eventually && problem.internal_steps_are_seen() {
            return Err(Inapplicable::NotAtOnce);
        }
        let mut all: Vec<usize> = groups.concat();
        all.sort_unstable();
        if groups.iter().any(Vec::is_empty) || !all.iter().copied().eq(0..problem.system.parts().len()) {
            return Err(Inapplicable::BadGroups);
        }
        let components = problem.components();
        let members = problem.members(groups);
        let [own, other] = members.each_ref().map(|members| -> Alphabet {
            members.iter().flat_map(|&member| components[member].lts.alphabet().names()).collect()
        });
        let letters: Alphabet = other.sorted_names().into_iter().filter(|name| own.contains(name)).collect();
        let roles = letters.names().map(|name| problem.role_in(&groups[1], name)).collect();
        Ok(Self { members, letters, roles })
    }

    /// Whether the second group has to take an action that it does not control.
    pub(crate) fn is_input(&self, name: &str) -> bool {
        self.letters.get(name).is_some_and(|action| self.roles[action.index()] == Role::Input)
    }
}

impl Problem {
    /// The components of two groups of parts, as numbers of [`Problem::components`]. Components that must not fail,
    /// other than parts, belong to the first.
    ///
    /// A constraint belongs to the first as well, unless it has actions that the second group controls. Then it
    /// belongs to the second; or to both, if the first group has some of its actions, too. Two copies allow the same
    /// runs as one, because the actions of the constraint are seen by the assumption, so that both copies take the
    /// same steps. If the aim is a property alone the first group is enough: what cannot happen there does not
    /// matter.
    pub(crate) fn members(&self, groups: &[Vec<usize>; 2]) -> [Vec<usize>; 2] {
        let parts = self.system.parts().len();
        let constraints = self.system.constraints().len();
        let mut members = groups.clone();
        for constraint in 0..constraints {
            let [first, second] = self.belongs(constraint, groups);
            members[0].extend(first.then_some(parts + constraint));
            members[1].extend(second.then_some(parts + constraint));
        }
        members[0].extend((parts + constraints..).take(self.goal_count()));
        members
    }

    /// Whether a constraint belongs to each of two groups.
    fn belongs(&self, constraint: usize, groups: &[Vec<usize>; 2]) -> [bool; 2] {
        let all = self.system.constraints();
        let names = || all[constraint].lts.alphabet().names();
        let is_of = |group: &[usize], name: &str| {
            group.iter().any(|&part| self.system.parts()[part].automaton.role_named(name).is_some())
        };
        let is_decided =
            |name: &str| is_of(&groups[1], name) && self.role_in(&groups[1], name) != Role::Input;
        if matches!(self.aim, Aim::Safe(_)) || !names().any(is_decided) {
            return [true, false];
        }
        let others = |name: &str| {
            let mut others = all.iter().enumerate().filter(|&(other, _)| other != constraint);
            others.any(|(_, other)| other.lts.alphabet().contains(name))
        };
        // Actions that only this constraint has are controlled by the first group as soon as a component there has
        // them.
        let goal = self.goal();
        let is_looked_at = |name: &str| {
            !is_of(&groups[1], name) && goal.iter().any(|goal| goal.lts.alphabet().contains(name))
        };
        [names().any(|name| is_of(&groups[0], name) || others(name) || is_looked_at(name)), true]
    }

    /// The role of an action in a group of parts, for an assumption about the group. The group does not control an
    /// action that none of its parts has.
    fn role_in(&self, group: &[usize], name: &str) -> Role {
        let has = |part: Option<usize>| part.is_some_and(|part| group.contains(&part));
        let (sender, receiver) = (self.system.sender(name), self.system.receiver(name));
        if has(sender) {
            return if has(receiver) { Role::Internal } else { Role::Output };
        }
        let is_own = |&part: &usize| self.system.parts()[part].automaton.role_named(name).is_some();
        if !group.iter().any(is_own) {
            return Role::Input;
        }
        let from_others = matches!(self.aim, Aim::Safe(_)) && sender.is_some();
        if has(receiver) && (from_others || self.treatment(name, Role::Input) == Treatment::Completed) {
            return Role::Input;
        }
        Role::Internal
    }
}

/// The system over another alphabet: actions that are not in it are dropped, with their transitions.
pub(crate) fn over(lts: &Lts, alphabet: &Alphabet) -> Lts {
    let mut builder = LtsBuilder::with_states(alphabet.clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_error(lts.error());
    for transition in lts.transitions() {
        let label = match transition.label.action() {
            None => Some(Label::TAU),
            Some(action) => alphabet.get(lts.alphabet().name(action)).map(Label::visible),
        };
        if let Some(label) = label {
            builder.add_transition(transition.source, label, transition.target);
        }
    }
    builder.build()
}
