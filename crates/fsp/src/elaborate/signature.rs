//! The roles of actions of interface automata, as the text gives them.

use rely_base::{Diagnostic, Span};
use rely_lts::Role;
use rely_model::{Conflict, Signature, Use};

use super::effort::name_bytes;
use super::labels::{Instance, MAX_LABEL_BYTES, MAX_LABELS};
use super::machine::Machine;
use super::scope::Scope;
use super::{Elaborator, Fallible, codes};
use crate::ast::{LabelExpr, LabelPartKind, SetBase, SetExpr};

/// A role with its article.
pub(super) fn named(role: Role) -> &'static str {
    match role {
        Role::Input => "an input",
        Role::Output => "an output",
        Role::Internal => "internal",
    }
}

/// The bytes of a signature.
pub(super) fn signature_bytes(signature: &Signature) -> usize {
    signature.actions().map(|(name, _)| name_bytes(name)).sum()
}

impl Elaborator<'_> {
    /// The actions of a prefix with their roles. If the prefix is a set whose elements have marks, each has its own
    /// role.
    pub(super) fn actions(&mut self, label: &LabelExpr, scope: &Scope) -> Fallible<Vec<(Instance, Use)>> {
        let Some(elements) = marked_elements(label) else {
            let used = use_of(label);
            let instances = self.expand(label, scope)?;
            return Ok(instances.into_iter().map(|instance| (instance, used)).collect());
        };
        let mut actions: Vec<(Instance, Use)> = Vec::new();
        let mut bytes = 0;
        for element in elements {
            // As in every set, the variables that an element binds are not visible outside.
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

    /// Reports that an action has two roles in one automaton.
    pub(super) fn two_roles(&mut self, conflict: &Conflict, help: &str) -> super::Reported {
        let Conflict { action, first, second } = conflict;
        // Places are not found in the order of the text.
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

    /// Reports hidden inputs.
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
