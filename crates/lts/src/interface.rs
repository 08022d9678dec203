//! Interface automata: transition systems that know which actions they receive and which they send.

use rely_base::{ActionId, Alphabet, Id, Label};

use crate::Lts;

/// What an action is to an interface automaton.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// It is received: `a?`. The environment decides when it comes; where it is not enabled it must not come.
    Input,
    /// It is sent: `a!`. The automaton decides when it goes; the environment has to take it.
    Output,
    /// No other component has it: `a;`.
    Internal,
}

impl Role {
    /// The mark that the literature puts behind an action.
    pub fn mark(self) -> char {
        match self {
            Self::Input => '?',
            Self::Output => '!',
            Self::Internal => ';',
        }
    }

    /// The role of the same action on the other side of the interface.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::Input => Self::Output,
            Self::Output => Self::Input,
            Self::Internal => Self::Internal,
        }
    }
}

/// An interface automaton ⟨Q, I, αᴵ, αᴼ, αᴴ, δ⟩ [de Alfaro, Henzinger 2001].
///
/// The transition system has the alphabet αᴵ ∪ αᴼ ∪ αᴴ; actions that were hidden are silent steps, which are internal
/// as well.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InterfaceAutomaton {
    lts: Lts,
    /// For each action of the alphabet, by number, what it is.
    roles: Vec<Role>,
}

impl InterfaceAutomaton {
    /// The automaton with this behaviour, whose actions have these roles, by number.
    ///
    /// # Panics
    /// If there is not exactly one role for each action of the alphabet.
    pub fn new(lts: Lts, roles: Vec<Role>) -> Self {
        assert_eq!(lts.alphabet().len(), roles.len(), "every action has a role");
        Self { lts, roles }
    }

    /// The automaton with this behaviour; `role` gives the role of each action by name.
    pub fn with_roles(lts: Lts, role: impl Fn(&str) -> Role) -> Self {
        let roles = lts.alphabet().names().map(role).collect();
        Self { lts, roles }
    }

    /// lts(A): the behaviour alone.
    pub fn lts(&self) -> &Lts {
        &self.lts
    }

    /// The behaviour, taken out of the automaton.
    pub fn into_lts(self) -> Lts {
        self.lts
    }

    /// The role of an action.
    pub fn role(&self, action: ActionId) -> Role {
        self.roles[action.index()]
    }

    /// The roles of all actions, by number.
    pub fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// The role of a label; τ is internal.
    pub fn role_of(&self, label: Label) -> Role {
        label.action().map_or(Role::Internal, |action| self.role(action))
    }

    /// The role of the action with this name; `None` if the automaton does not have it.
    pub fn role_named(&self, name: &str) -> Option<Role> {
        self.lts.alphabet().get(name).map(|action| self.role(action))
    }

    /// The actions with a role, in order of their numbers: αᴵ, αᴼ or αᴴ.
    pub fn actions(&self, role: Role) -> impl Iterator<Item = ActionId> + '_ {
        let has_role = move |&action: &ActionId| self.role(action) == role;
        (0..self.roles.len()).map(ActionId::from_index).filter(has_role)
    }

    /// The names of the actions with a role.
    pub fn names(&self, role: Role) -> Alphabet {
        self.actions(role).map(|action| self.lts.alphabet().name(action)).collect()
    }

    /// Whether nothing is sent to or received from outside.
    pub fn is_closed(&self) -> bool {
        self.roles.iter().all(|&role| role == Role::Internal)
    }

    /// Mirror(A): the same behaviour seen from the other side, with inputs and outputs exchanged.
    #[must_use]
    pub fn mirror(&self) -> Self {
        let roles = self.roles.iter().map(|role| role.mirrored()).collect();
        Self { lts: self.lts.clone(), roles }
    }
}
