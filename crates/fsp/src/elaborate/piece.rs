//! The parts of a composition while it is put together: components with the roles of their actions.

use std::sync::Arc;

use rely_base::Diagnostic;
use rely_lts::operators::{self, Relabelling};
use rely_lts::{Component, Lts, Network};
use rely_model::{Conflict, Origin, PartsConflict, Scope, Signature};

use super::effort::lts_bytes;
use super::signature::{named, signature_bytes};
use super::{Elaborator, Fallible, Reported, codes};

/// A component, and its description.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) component: Component,
    pub(super) about: rely_model::Part,
}

impl Part {
    fn signature(&self) -> Option<&Arc<Signature>> {
        self.about.signature.as_ref()
    }

    /// The part under prefixes, which its actions also get.
    fn under(self, lts: Lts, prefixes: &[impl AsRef<str>], scope: Scope) -> Self {
        let signature = self.signature().map(|signature| Arc::new(signature.shared(prefixes)));
        let images =
            |name: &str| prefixes.iter().map(|prefix| format!("{}.{name}", prefix.as_ref())).collect();
        let origin = self.about.origin.renamed(images);
        Self::new(rely_model::Part { signature, origin, ..self.about }, Arc::new(lts)).within(scope)
    }

    /// A component, under the name in its description.
    pub(super) fn new(about: rely_model::Part, lts: Arc<Lts>) -> Self {
        Self { component: Component { name: about.name.to_string(), lts }, about }
    }

    /// The part under another scope, with the same actions.
    pub(super) fn within(self, scope: Scope) -> Self {
        Self::new(within(self.about, scope), self.component.lts)
    }

    /// The bytes of the part if its actions are multiplied and become longer.
    pub(super) fn bytes(&self, copies: usize, longer: usize) -> usize {
        let names = self.component.lts.alphabet().len();
        let roles = self.signature().map_or(0, |signature| signature_bytes(signature) + names * longer);
        lts_bytes(&self.component.lts, copies, longer).saturating_add(roles.saturating_mul(copies.max(1)))
    }

    /// Every action gets the prefix.
    fn prefixed(self, prefix: &str) -> Self {
        let lts = operators::prefix(&self.component.lts, prefix);
        self.under(lts, &[prefix], Scope::Prefix(prefix.to_owned()))
    }

    /// Every action is offered under every prefix.
    fn shared(self, prefixes: &[String]) -> Self {
        let lts = operators::share(&self.component.lts, prefixes);
        self.under(lts, prefixes, Scope::Shared(prefixes.to_vec()))
    }
}

/// The description of a part under another scope.
fn within(about: rely_model::Part, scope: Scope) -> rely_model::Part {
    rely_model::Part { name: about.name.within(scope), ..about }
}

/// What a composite expression contributes.
pub(super) enum Piece {
    /// A single part.
    Part(Part),
    /// A composite that has not been built.
    Group {
        /// Its description if it were built, except for signature and origin.
        about: rely_model::Part,
        /// Its parts.
        parts: Vec<Part>,
    },
}

impl Piece {
    pub(super) fn into_parts(self) -> Vec<Part> {
        match self {
            Self::Part(part) => vec![part],
            Self::Group { parts, .. } => parts,
        }
    }

    pub(super) fn parts(&self) -> &[Part] {
        match self {
            Self::Part(part) => std::slice::from_ref(part),
            Self::Group { parts, .. } => parts,
        }
    }

    /// `a:P`
    pub(super) fn prefixed(self, prefix: &str) -> Self {
        self.map(&Scope::Prefix(prefix.to_owned()), |part| part.prefixed(prefix))
    }

    /// `{a,b}::P`
    pub(super) fn shared_by(self, prefixes: &[String]) -> Self {
        self.map(&Scope::Shared(prefixes.to_vec()), |part| part.shared(prefixes))
    }

    fn map(self, scope: &Scope, change: impl Fn(Part) -> Part) -> Self {
        match self {
            Self::Part(part) => Self::Part(change(part)),
            Self::Group { about, parts } => Self::Group {
                about: within(about, scope.clone()),
                parts: parts.into_iter().map(change).collect(),
            },
        }
    }
}

impl Elaborator<'_> {
    /// `P/{new/old}`
    pub(super) fn relabelled(&mut self, piece: Piece, relabelling: &Relabelling) -> Fallible<Piece> {
        if let Piece::Group { about, parts } = &piece
            && parts.len() > 1
        {
            let network = Network::new(parts.iter().map(|part| part.component.clone()).collect());
            if relabelling.merges(network.alphabet().names()) {
                let signature = self.composed(parts)?;
                let lts = rely_explore::generate(&network, &self.budget)?;
                let origin = Origin::of_product(parts.iter().map(|part| (&part.component, &part.about)));
                let about = rely_model::Part { signature, origin, ..about.clone() };
                let built = Part::new(about, Arc::new(lts));
                return Ok(Piece::Part(self.relabelled_part(built, relabelling)?));
            }
        }
        Ok(match piece {
            Piece::Part(part) => Piece::Part(self.relabelled_part(part, relabelling)?),
            Piece::Group { about, parts } => {
                let parts = parts.into_iter().map(|part| self.relabelled_part(part, relabelling));
                Piece::Group { about, parts: parts.collect::<Fallible<_>>()? }
            }
        })
    }

    fn relabelled_part(&mut self, part: Part, relabelling: &Relabelling) -> Fallible<Part> {
        let Part { component: Component { lts, .. }, about } = part;
        let signature = match &about.signature {
            Some(old) => Some(Arc::new(self.relabelled_signature(old, relabelling)?)),
            None => None,
        };
        let lts = Arc::new(operators::relabel(&lts, relabelling));
        let origin = about.origin.relabelled(relabelling);
        Ok(Part::new(rely_model::Part { signature, origin, ..about }, lts))
    }

    /// The signature after a relabelling, which must not join actions with different roles.
    pub(super) fn relabelled_signature(
        &mut self,
        old: &Signature,
        relabelling: &Relabelling,
    ) -> Fallible<Signature> {
        old.relabelled(relabelling).map_err(|conflict| {
            self.two_roles(
                &conflict,
                "a relabelling makes one action of these two: give them different names",
            )
        })
    }

    /// The signature of a composition, whose parts have to be composable.
    pub(super) fn composed(&mut self, parts: &[Part]) -> Fallible<Option<Arc<Signature>>> {
        match Signature::composed(parts.iter().map(Part::signature)) {
            Ok(signature) => {
                let processes = || parts.iter().filter(|part| part.signature().is_none());
                let beside = |signature: Signature, process: &Part| signature.beside(&process.component.lts);
                Ok(signature.map(|signature| Arc::new(processes().fold(signature, beside))))
            }
            Err(conflicts) => {
                conflicts.iter().for_each(|conflict| self.not_composable(parts, conflict));
                Err(Reported::already())
            }
        }
    }

    /// Reports which parts cannot be composed, and why.
    fn not_composable(&mut self, parts: &[Part], conflict: &PartsConflict) {
        let PartsConflict { uses: Conflict { action, first, second }, parts: (one, other) } = conflict;
        let name = |part: usize| &*parts[part].component.name;
        let message = if first.role == second.role {
            format!("`{action}` is {} of both `{}` and `{}`", of_both(first.role), name(*one), name(*other))
        } else if second.role == first.role.mirrored() {
            let shared = "shared by two parts already";
            format!("`{action}` is {} of `{}`, but is {shared}", named(second.role), name(*other))
        } else {
            let (first, second) = (of(first.role), of(second.role));
            format!("`{action}` is {first} `{}`, but {second} `{}`", name(*one), name(*other))
        };
        self.report(
            Diagnostic::error(codes::NOT_COMPOSABLE, second.span, message)
                .with_note(first.span, format!("here it is {} `{}`", of(first.role), name(*one)))
                .with_help(
                    "interface automata share an action if it is an output of one and an input of another, and of \
                     nobody else; give it another name with a prefix `a:P` or a relabelling",
                ),
        );
    }
}

/// A clause about a part with this role.
fn of(role: rely_lts::Role) -> &'static str {
    match role {
        rely_lts::Role::Input => "an input of",
        rely_lts::Role::Output => "an output of",
        rely_lts::Role::Internal => "internal to",
    }
}

/// A clause about two parts with this role.
fn of_both(role: rely_lts::Role) -> &'static str {
    match role {
        rely_lts::Role::Internal => "an internal action",
        role => named(role),
    }
}
