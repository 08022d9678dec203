//! Signatures: which actions an interface automaton receives and sends, through every operator that a text can apply.
//!
//! *Problem*: elaboration works on transition systems, whose actions have names only. The roles of the actions go along
//! as a table by name, and with each role the place that gave it, so that a conflict can name both places.
//!
//! *Source*: definitions 1 to 3 of [Emmi, Giannakopoulou, Păsăreanu 2008]. Composed, an action that is an output of one
//! part and an input of another becomes internal; every other action that two interface automata have is a conflict. A
//! process or a property that is composed with interface automata synchronises with them and changes no role.
//!
//! *Decisions*: what only a process has, and no interface automaton, is internal to their composition. Hidden actions
//! are silent and leave the signature. An input cannot be hidden, because nobody could then decide when it comes.
//!
//! Called by the elaboration of processes and composites, and by those who ask a [`super::Target`] for its roles.

use std::collections::BTreeMap;
use std::sync::Arc;

use rely_base::{Alphabet, Diagnostic, Label, Span};
use rely_lts::operators::Relabelling;
use rely_lts::{InterfaceAutomaton, Lts, Role};

use super::effort::name_bytes;
use super::labels::{Instance, MAX_LABEL_BYTES, MAX_LABELS};
use super::machine::Machine;
use super::scope::Scope;
use super::{Elaborator, Fallible, codes};
use crate::ast::{LabelExpr, LabelPartKind, SetBase, SetExpr};

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

/// Two uses of an action that do not go together.
pub(super) struct Conflict {
    pub(super) action: Arc<str>,
    pub(super) first: Use,
    pub(super) second: Use,
}

/// A conflict between parts of a composition, which are given by position.
pub(super) struct PartsConflict {
    pub(super) uses: Conflict,
    pub(super) parts: (usize, usize),
}

impl Signature {
    /// The signature of an automaton that is not written in the text, but named at a place of it.
    pub fn of(alphabet: &Alphabet, roles: &[Role], span: Span) -> Self {
        let names = alphabet.names().zip(roles);
        let actions = names.map(|(name, &role)| (Arc::from(name), Use { role, span })).collect();
        Self { actions, ..Self::default() }
    }

    /// The role of an action; nothing for one that no interface automaton has.
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

    /// Whether it is the signature of a composition in which one automaton sends to another. Once that is built, what is
    /// sent and cannot be taken looks like something that is never sent.
    pub fn is_linked(&self) -> bool {
        self.is_linked
    }

    /// Whether it is the signature of a composition in which a process may keep an automaton from taking an input. As
    /// parts, the process keeps the sender from sending as well; once they are built, the input is refused.
    pub fn is_restricted(&self) -> bool {
        self.is_restricted
    }

    /// The interface automaton with this signature and a behaviour; what is not in the signature is internal.
    pub fn automaton(&self, lts: Lts) -> InterfaceAutomaton {
        InterfaceAutomaton::with_roles(lts, |name| self.role(name).unwrap_or(Role::Internal))
    }

    /// How many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        self.actions.keys().map(|name| name_bytes(name)).sum()
    }

    /// Gives an action a role, unless it has another one.
    pub(super) fn declare(&mut self, action: &str, used: Use) -> Result<(), Conflict> {
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
    pub(super) fn shared<S: AsRef<str>>(&self, prefixes: &[S]) -> Self {
        let under = |prefix: &S| {
            let prefix = prefix.as_ref().to_owned();
            self.actions.iter().map(move |(name, &used)| (Arc::from(format!("{prefix}.{name}")), used))
        };
        Self { actions: prefixes.iter().flat_map(under).collect(), ..self.without_actions() }
    }

    /// What is known of the composition, and no actions yet.
    fn without_actions(&self) -> Self {
        Self { actions: BTreeMap::new(), is_linked: self.is_linked, is_restricted: self.is_restricted }
    }

    /// The same for a composition with a process beside the automata.
    pub(super) fn beside(mut self, process: &Lts) -> Self {
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
    pub(super) fn relabelled(&self, relabelling: &Relabelling) -> Result<Self, Conflict> {
        let mut signature = self.without_actions();
        for (name, &used) in &self.actions {
            for image in relabelling.apply(name) {
                signature.declare(&image, used)?;
            }
        }
        Ok(signature)
    }

    /// The signature without the actions of a kind, which have become silent.
    pub(super) fn without(&self, hidden: impl Fn(&str) -> bool) -> Self {
        let kept = self.actions.iter().filter(|(name, _)| !hidden(name));
        let actions = kept.map(|(name, &used)| (Arc::clone(name), used)).collect();
        Self { actions, ..self.without_actions() }
    }

    /// The signature of a composition; nothing if no part is an interface automaton.
    ///
    /// # Errors
    /// All conflicts between the parts, in their order.
    pub(super) fn composed<'s>(
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

/// A role with its article.
pub(super) fn named(role: Role) -> &'static str {
    match role {
        Role::Input => "an input",
        Role::Output => "an output",
        Role::Internal => "internal",
    }
}

impl Elaborator<'_> {
    /// The actions of a prefix with their roles. Where the prefix is a set whose elements have marks of their own, each
    /// has its own role.
    pub(super) fn actions(&mut self, label: &LabelExpr, scope: &Scope) -> Fallible<Vec<(Instance, Use)>> {
        let Some(elements) = marked_elements(label) else {
            let used = use_of(label);
            let instances = self.expand(label, scope)?;
            return Ok(instances.into_iter().map(|instance| (instance, used)).collect());
        };
        let mut actions: Vec<(Instance, Use)> = Vec::new();
        let mut bytes = 0;
        for element in elements {
            // As in every set, the variables that an element binds are not known outside.
            let without_bindings =
                |(instance, used): (Instance, Use)| (Instance { bindings: Vec::new(), ..instance }, used);
            let more = self.actions(element, scope)?;
            bytes += more.iter().map(|(instance, _)| name_bytes(&instance.name)).sum::<usize>();
            actions.extend(more.into_iter().map(without_bindings));
            if actions.len() > MAX_LABELS || bytes > MAX_LABEL_BYTES {
                return Err(self.too_large(label.span));
            }
        }
        Ok(actions)
    }

    /// The roles that `+ {…}` adds to an interface automaton.
    pub(super) fn extend_signature(
        &mut self,
        extension: &SetExpr,
        scope: &Scope,
        machine: &mut Machine,
    ) -> Fallible<()> {
        if let (SetBase::Literal(elements), None) = (&extension.base, &extension.minus) {
            for element in elements {
                for (instance, used) in self.actions(element, scope)? {
                    self.declare(machine, &instance.name, used);
                }
            }
            return Ok(());
        }
        for name in self.set(extension, scope)? {
            self.declare(machine, &name, Use { role: Role::Internal, span: extension.span });
        }
        Ok(())
    }

    /// Gives an action of the interface automaton that is being built a role.
    pub(super) fn declare(&mut self, machine: &mut Machine, action: &str, used: Use) {
        let Some(signature) = &mut machine.signature else { return };
        if let Err(conflict) = signature.declare(action, used) {
            self.two_roles(&conflict, "an action has one role in an automaton: use another name");
        }
    }

    /// Says that an action has two roles in one automaton.
    pub(super) fn two_roles(&mut self, conflict: &Conflict, help: &str) -> super::Reported {
        let Conflict { action, first, second } = conflict;
        // Places are not met in the order of the text.
        let (first, second) =
            if second.span.start < first.span.start { (second, first) } else { (first, second) };
        let message =
            format!("`{action}` is {} here, but {} elsewhere", named(second.role), named(first.role));
        self.report(
            Diagnostic::error(codes::TWO_ROLES, second.span, message)
                .with_note(first.span, format!("here it is {}", named(first.role)))
                .with_help(help),
        )
    }

    /// Refuses to hide inputs.
    pub(super) fn check_hidden(
        &mut self,
        signature: &Signature,
        hidden: impl Fn(&str) -> bool,
        span: Span,
    ) -> Fallible<()> {
        let is_hidden_input = |(name, used): &(&str, Use)| used.role == Role::Input && hidden(name);
        let Some((name, used)) = signature.actions().find(is_hidden_input) else { return Ok(()) };
        let message = format!("the input `{name}` cannot be hidden");
        Err(self.report(
            Diagnostic::error(codes::HIDDEN_INPUT, span, message)
                .with_note(used.span, "here it is an input")
                .with_help("the environment decides when an input comes; only outputs and internal actions can be hidden"),
        ))
    }
}

/// The role that a label gives to its actions.
fn use_of(label: &LabelExpr) -> Use {
    match label.mark {
        Some(mark) => Use { role: mark.role, span: label.span.to(mark.span) },
        None => Use { role: Role::Internal, span: label.span },
    }
}

/// The elements of a label that is a set whose elements have marks.
fn marked_elements(label: &LabelExpr) -> Option<&[LabelExpr]> {
    let [part] = &*label.parts else { return None };
    let LabelPartKind::Set(SetExpr { base: SetBase::Literal(elements), minus: None, .. }) = &part.kind else {
        return None;
    };
    let is_marked = |element: &LabelExpr| element.mark.is_some() || marked_elements(element).is_some();
    elements.iter().any(is_marked).then_some(elements)
}
