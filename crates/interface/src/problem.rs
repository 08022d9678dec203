//! What is to be proved of a system, and how it is split in two.
//!
//! Every aim is a question about error states of one network: completed parts, constraints, and what must not fail
//! besides. So a rule is about two networks, and needs to know only which actions they share and who decides about them.

use std::sync::Arc;

use rely_assume::Goal;
use rely_base::{Alphabet, Budget, Id, Label, StateId};
use rely_decide::{Decision, ReplayError, check_safety};
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

/// Why a problem cannot be put, or a rule cannot be used on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Inapplicable {
    /// A rule needs two groups of parts, and each part in one of them.
    BadGroups,
    /// The system is open, and nothing is ever sent to it: a property of it would say next to nothing.
    Open,
    /// The property does not only look on.
    GoalTakesPart,
    /// There is a property, and parts need not take at once what is sent to them: then the second group may do something
    /// before it takes what the first sends, and the property may see it.
    NotAtOnce,
    /// A constraint may keep the second group from an action that it decides about.
    Blocked {
        /// The constraint.
        constraint: String,
        /// The action.
        action: String,
    },
    /// The signature of the system does not fit that of the specification.
    Signature(Vec<Mismatch>),
    /// The specification has choices: it is not deterministic, or has internal steps.
    SpecificationChooses,
}

impl Problem {
    /// The parts, treated as the aim needs it, then the constraints, then what must not fail besides.
    pub fn components(&self) -> Vec<Component> {
        let parts = self.system.parts().iter().map(|part| self.treated(part));
        parts.chain(self.system.constraints().iter().cloned()).chain(self.goal()).collect()
    }

    /// The whole system: it fails exactly if the aim is not met.
    pub fn network(&self) -> Network {
        Network::new(self.components())
    }

    /// Whether the aim is met, found on the product of everything; and if parts are not compatible, who is to blame.
    ///
    /// # Errors
    /// A counterexample that could not be replayed: a mistake in the program.
    pub fn check(&self, budget: &Budget<'_>) -> Result<(Decision, Option<Blame>), ReplayError> {
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
                if self.question.receptiveness == Receptiveness::Eventually {
                    return Err(Inapplicable::NotAtOnce);
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

    fn treated(&self, part: &Part) -> Component {
        let treatment = |name: &str, role: Role| self.treatment(name, role);
        let lts = completion(&part.automaton, self.question.receptiveness, treatment);
        Component { name: part.name.clone(), lts: Arc::new(lts) }
    }

    /// What becomes of an action of a part.
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

    /// What must not fail besides the parts.
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
        let lts = over(&completion(specification, self.question.receptiveness, treatment), &alphabet);
        Component { name: "SPECIFICATION".to_owned(), lts: Arc::new(lts) }
    }
}

/// A problem whose parts are in two groups.
///
/// The first group has the constraints and what must not fail besides; the second has nothing but its parts.
pub(crate) struct Split {
    /// The components of both groups, as numbers of [`Problem::components`].
    pub(crate) members: [Vec<usize>; 2],
    /// Σ: the actions of the second group that somebody in the first has, in dictionary order.
    pub(crate) letters: Alphabet,
    /// For each of them, what it is to the assumption: an input if the second group has to take it, an output if it
    /// sends it, internal if it is only looked at.
    pub(crate) roles: Vec<Role>,
}

impl Split {
    /// Splits a problem.
    pub(crate) fn new(problem: &Problem, groups: &[Vec<usize>; 2]) -> Result<Self, Inapplicable> {
        problem.well_posed()?;
        let parts = problem.system.parts();
        let mut all: Vec<usize> = groups.concat();
        all.sort_unstable();
        if groups.iter().any(Vec::is_empty) || !all.iter().copied().eq(0..parts.len()) {
            return Err(Inapplicable::BadGroups);
        }
        let components = problem.components();
        let mut first = groups[0].clone();
        first.extend(parts.len()..components.len());
        let names_of = |members: &[usize]| -> Alphabet {
            members.iter().flat_map(|&member| components[member].lts.alphabet().names()).collect()
        };
        let own = names_of(&first);
        let other = names_of(&groups[1]);
        let letters: Alphabet = other.sorted_names().into_iter().filter(|name| own.contains(name)).collect();
        let roles = letters.names().map(|name| problem.role_in(&groups[1], name)).collect();
        let split = Self { members: [first, groups[1].clone()], letters, roles };
        split.check_constraints(problem)?;
        Ok(split)
    }

    /// A constraint that refuses what the second group decides about is outside of what an assumption can say.
    fn check_constraints(&self, problem: &Problem) -> Result<(), Inapplicable> {
        for constraint in problem.system.constraints() {
            for (action, name) in self.letters.iter() {
                if self.roles[action.index()] != Role::Input && constraint.lts.alphabet().contains(name) {
                    let (constraint, action) = (constraint.name.clone(), name.to_owned());
                    return Err(Inapplicable::Blocked { constraint, action });
                }
            }
        }
        Ok(())
    }

    /// Whether the second group has to take an action, and does not decide about it.
    pub(crate) fn is_input(&self, name: &str) -> bool {
        self.letters.get(name).is_some_and(|action| self.roles[action.index()] == Role::Input)
    }
}

impl Problem {
    /// What an action is to a group of parts, as far as an assumption about the group is concerned.
    fn role_in(&self, group: &[usize], name: &str) -> Role {
        let has = |part: Option<usize>| part.is_some_and(|part| group.contains(&part));
        let (sender, receiver) = (self.system.sender(name), self.system.receiver(name));
        if has(sender) {
            return if has(receiver) { Role::Internal } else { Role::Output };
        }
        let from_others = matches!(self.aim, Aim::Safe(_)) && sender.is_some();
        if has(receiver) && (from_others || self.treatment(name, Role::Input) == Treatment::Completed) {
            return Role::Input;
        }
        Role::Internal
    }
}

/// The same system over another alphabet: actions that are not in it are left out, with their transitions.
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

/// The states from which an error state can be reached by steps of a kind.
pub(crate) fn doomed(lts: &Lts, counts: impl Fn(Label) -> bool) -> Vec<bool> {
    let mut sources: Vec<Vec<StateId>> = vec![Vec::new(); lts.state_count()];
    for transition in lts.transitions().filter(|transition| counts(transition.label)) {
        sources[transition.target.index()].push(transition.source);
    }
    let mut fails = vec![false; lts.state_count()];
    let mut stack: Vec<StateId> = lts.error().into_iter().collect();
    while let Some(state) = stack.pop() {
        if !std::mem::replace(&mut fails[state.index()], true) {
            stack.extend(&sources[state.index()]);
        }
    }
    fails
}
