//! Signatures: which actions an interface automaton receives and sends, through every operator that a text can apply.
//!
//! *Problem*: elaboration works on transition systems, whose actions have names only. The roles of the actions are
//! kept in a table by name, with the place that gave each role, so that a conflict can name both places.
//!
//! *Source*: definitions 1 to 3 of [Emmi, Giannakopoulou, Păsăreanu 2008]. Composed, an action that is an output of one
//! part and an input of another becomes internal; every other action that two interface automata have is a conflict. A
//! process or a property that is composed with interface automata synchronises with them and changes no role.
//!
//! *Decisions*: an action that a process has, and no interface automaton, is internal to their composition. Hidden
//! actions are silent and leave the signature. An input cannot be hidden, since then nothing would decide when it
//! comes.
//!
//! Called by the elaboration of processes and composites, and to compute the roles of a [`Target`](crate::Target).

use std::collections::BTreeMap;
use std::sync::Arc;

use rely_base::{Alphabet, Label, Span};
use rely_lts::operators::Relabelling;
use rely_lts::{InterfaceAutomaton, Lts, Role};

/// A role, and the place in the text that gives it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// The role.
    pub role: Role,
    /// The place.
    pub span: Span,
}

/// The roles of the actions of an interface automaton, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signature {
    actions: BTreeMap<Arc<str>, Use>,
    /// Whether it is that of a composition in which one automaton sends to another.
    is_linked: bool,
    /// Whether it is that of a composition in which a process may keep an automaton from taking an input.
    is_restricted: bool,
}

/// Two uses of an action that contradict each other.
pub struct Conflict {
    /// The action.
    pub action: Arc<str>,
    /// Its first use.
    pub first: Use,
    /// A later one.
    pub second: Use,
}

/// A conflict between parts of a composition, which are given by position.
pub struct PartsConflict {
    /// The uses.
    pub uses: Conflict,
    /// The parts of the first and of the second use.
    pub parts: (usize, usize),
}

impl Signature {
    /// The signature of an automaton that is not written in the text, but named at a place of it.
    pub fn of(alphabet: &Alphabet, roles: &[Role], span: Span) -> Self {
        let names = alphabet.names().zip(roles);
        let actions = names.map(|(name, &role)| (Arc::from(name), Use { role, span })).collect();
        Self { actions, ..Self::default() }
    }

    /// The role of an action; `None` for an action that no interface automaton has.
    pub fn role(&self, action: &str) -> Option<Role> {
        self.actions.get(action).map(|used| used.role)
    }

    /// The actions in order of their names.
    pub fn actions(&self) -> impl Iterator<Item = (&str, Use)> {
        self.actions.iter().map(|(name, &used)| (&**name, used))
    }

    /// Whether there is an input or an output.
    pub fn is_open(&self) -> bool {
        self.actions.values().any(|used| used.role != Role::Internal)
    }

    /// Whether it is the signature of a composition in which one automaton sends to another. In the product, an
    /// action that is sent but cannot be taken cannot be distinguished from one that is never sent.
    pub fn is_linked(&self) -> bool {
        self.is_linked
    }

    /// Whether it is the signature of a composition in which a process may keep an automaton from taking an input. As
    /// long as they are separate parts, the process keeps the sender from sending as well; in the product, the input
    /// is refused.
    pub fn is_restricted(&self) -> bool {
        self.is_restricted
    }

    /// The interface automaton with this signature and a behaviour. Actions without a role are internal.
    pub fn automaton(&self, lts: Lts) -> InterfaceAutomaton {
        InterfaceAutomaton::with_roles(lts, |name| self.role(name).unwrap_or(Role::Internal))
    }

    /// Gives an action a role. It is a conflict if it has another one.
    pub fn declare(&mut self, action: &str, used: Use) -> Result<(), Conflict> {
        match self.actions.get(action) {
            Some(first) if first.role != used.role => {
                Err(Conflict { action: action.into(), first: *first, second: used })
            }
            Some(_) => Ok(()),
            None => {
                self.actions.insert(action.into(), used);
                Ok(())
            }
        }
    }

    /// The signature after every action got each of some prefixes.
    pub fn shared<S: AsRef<str>>(&self, prefixes: &[S]) -> Self {
        let under = |prefix: &S| {
            let prefix = prefix.as_ref().to_owned();
            self.actions.iter().map(move |(name, &used)| (Arc::from(format!("{prefix}.{name}")), used))
        };
        Self { actions: prefixes.iter().flat_map(under).collect(), ..self.without_actions() }
    }

    /// A signature without actions, of the same kind of composition.
    fn without_actions(&self) -> Self {
        Self { actions: BTreeMap::new(), is_linked: self.is_linked, is_restricted: self.is_restricted }
    }

    /// The signature of the composition with a process.
    pub fn beside(mut self, process: &Lts) -> Self {
        let blocks = |name: &str| {
            let label = process.alphabet().get(name).map(Label::visible);
            let is_blocked =
                |state, label| Some(state) != process.error() && process.edges_with(state, label).is_empty();
            label.is_some_and(|label| process.states().any(|state| is_blocked(state, label)))
        };
        let mut inputs = self.actions.iter().filter(|(_, used)| used.role == Role::Input);
        self.is_restricted |= inputs.any(|(name, _)| blocks(name));
        self
    }

    /// The signature after a relabelling.
    pub fn relabelled(&self, relabelling: &Relabelling) -> Result<Self, Conflict> {
        let mut signature = self.without_actions();
        for (name, &used) in &self.actions {
            for image in relabelling.apply(name) {
                signature.declare(&image, used)?;
            }
        }
        Ok(signature)
    }

    /// The signature without the actions that satisfy `hidden`, which have become silent.
    pub fn without(&self, hidden: impl Fn(&str) -> bool) -> Self {
        let kept = self.actions.iter().filter(|(name, _)| !hidden(name));
        let actions = kept.map(|(name, &used)| (Arc::clone(name), used)).collect();
        Self { actions, ..self.without_actions() }
    }

    /// The signature of a composition; `None` if no part is an interface automaton.
    ///
    /// # Errors
    /// All conflicts between the parts, in their order.
    pub fn composed<'s>(
        parts: impl Iterator<Item = Option<&'s Arc<Self>>>,
    ) -> Result<Option<Self>, Vec<PartsConflict>> {
        // For each action the part that has it and, once there are two, the other.
        let mut owners: BTreeMap<Arc<str>, (usize, Use, bool)> = BTreeMap::new();
        let mut conflicts = Vec::new();
        let (mut has_interface, mut is_linked, mut is_restricted) = (false, false, false);
        for (part, signature) in parts.enumerate() {
            let Some(signature) = signature else { continue };
            has_interface = true;
            is_linked |= signature.is_linked;
            is_restricted |= signature.is_restricted;
            for (name, &used) in &signature.actions {
                match owners.get_mut(name) {
                    None => _ = owners.insert(Arc::clone(name), (part, used, false)),
                    Some((_, first, is_shared @ false)) if match_up(first.role, used.role) => {
                        (*is_shared, is_linked) = (true, true);
                    }
                    Some(&mut (other, first, _)) => {
                        let uses = Conflict { action: Arc::clone(name), first, second: used };
                        conflicts.push(PartsConflict { uses, parts: (other, part) });
                    }
                }
            }
        }
        if !conflicts.is_empty() {
            return Err(conflicts);
        }
        let role = |used: Use, is_shared| if is_shared { Role::Internal } else { used.role };
        let actions = owners
            .into_iter()
            .map(|(name, (_, used, is_shared))| (name, Use { role: role(used, is_shared), ..used }));
        Ok(has_interface.then(|| Self { actions: actions.collect(), is_linked, is_restricted }))
    }
}

/// Whether one sends what the other receives.
fn match_up(first: Role, second: Role) -> bool {
    first != Role::Internal && second == first.mirrored()
}
