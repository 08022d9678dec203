//! Relabellings, hidings and priorities: their labels, and warnings about those that match nothing.

use rely_base::{Code, Diagnostic, Span};
use rely_lts::operators::{NameSet, Relabelling};
use rustc_hash::FxHashSet;

use super::effort::name_bytes;
use super::labels::MAX_LABELS;
use super::scope::Scope;
use super::{Elaborator, Fallible, codes};
use crate::ast::{Hiding, LabelExpr, LabelPart, Relabel, SetBase, SetExpr};

/// A relabelling, and where each old label was written.
#[derive(Default)]
pub(super) struct Relabels {
    /// The relation.
    pub(super) relabelling: Relabelling,
    /// The old and new labels with their places, to warn about those that match nothing.
    pairs: Vec<(String, String, Span)>,
}

impl Elaborator<'_> {
    /// The relation that relabellings stand for.
    pub(super) fn relabels(&mut self, relabels: &[Relabel], scope: &Scope) -> Fallible<Relabels> {
        let mut result = Relabels::default();
        self.add_relabels(relabels, scope, &mut result)?;
        Ok(result)
    }

    fn add_relabels(&mut self, relabels: &[Relabel], scope: &Scope, result: &mut Relabels) -> Fallible<()> {
        let mut outcome = Ok(());
        for relabel in relabels {
            // After an error in one of them, the others are still elaborated.
            let added = match relabel {
                Relabel::Pair { new, old } => self.add_pair(new, old, scope, result),
                Relabel::Forall { indices, relabels } => self.each(indices, scope).and_then(|scopes| {
                    scopes.iter().try_for_each(|scope| self.add_relabels(relabels, scope, result))
                }),
            };
            outcome = outcome.and(added);
        }
        outcome
    }

    fn add_pair(
        &mut self,
        new: &LabelExpr,
        old: &LabelExpr,
        scope: &Scope,
        result: &mut Relabels,
    ) -> Fallible<()> {
        for new in self.expand(new, scope)? {
            for instance in self.expand(old, &scope.extended(&new.bindings))? {
                self.hold(2 * (name_bytes(&instance.name) + name_bytes(&new.name)))?;
                result.pairs.push((instance.name.clone(), new.name.clone(), old.span));
                if result.pairs.len() > MAX_LABELS {
                    return Err(self.too_large(old.span));
                }
                result.relabelling.add(new.name.clone(), instance.name);
            }
        }
        Ok(())
    }

    /// The scopes in which a `forall` repeats what follows it.
    pub(super) fn each(&mut self, indices: &[LabelPart], scope: &Scope) -> Fallible<Vec<Scope>> {
        let span = match (indices.first(), indices.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => Span::new(0, 0),
        };
        let instances = self.expand_parts(indices, span, scope)?;
        self.spend(instances.len() * (1 + scope.variable_count() / 16))?;
        Ok(instances.iter().map(|instance| scope.extended(&instance.bindings)).collect())
    }

    /// Warns of places where no label is an action or the beginning of one.
    pub(super) fn warn_idle_relabels(&mut self, relabels: &Relabels, actions: &Prefixes<'_>) {
        let idle = relabels.pairs.iter().filter(|(old, _, _)| !actions.contain(old));
        let mut useful: FxHashSet<Span> = FxHashSet::default();
        useful
            .extend(relabels.pairs.iter().filter(|(old, _, _)| actions.contain(old)).map(|(.., span)| *span));
        for (old, new, span) in idle {
            if useful.insert(*span) {
                let help = if actions.contain(new) {
                    format!("a relabelling is written new/old: did you mean `{old}/{new}`?")
                } else {
                    "a relabelling is written new/old, and the old label has to be an action".to_owned()
                };
                let message = format!("there is no action `{old}` to relabel");
                self.report(Diagnostic::warning(codes::RELABELS_NOTHING, *span, message).with_help(help));
            }
        }
    }

    /// The labels of a hiding, exposure or priority, and warnings about those that match no action.
    pub(super) fn selection(
        &mut self,
        labels: &SetExpr,
        scope: &Scope,
        actions: &Prefixes<'_>,
    ) -> Fallible<NameSet> {
        let names = self.set(labels, scope)?;
        if let (SetBase::Literal(elements), None) = (&labels.base, &labels.minus) {
            for element in elements {
                let names = self.names(element, scope)?;
                if let Some(name) = names.first()
                    && names.iter().all(|name| !actions.contain(name))
                {
                    let message = format!("there is no action `{name}` here");
                    self.warn_idle(codes::HIDES_NOTHING, element.span, message);
                }
            }
        }
        Ok(names.into_iter().collect())
    }

    /// The names that a hiding or exposure makes silent.
    pub(super) fn hidden_names(
        &mut self,
        hiding: &Hiding,
        scope: &Scope,
        actions: &Prefixes<'_>,
    ) -> Fallible<impl Fn(&str) -> bool + use<>> {
        let names = self.selection(&hiding.labels, scope, actions)?;
        let expose = hiding.expose;
        Ok(move |name: &str| names.covers(name) != expose)
    }

    fn warn_idle(&mut self, code: Code, span: Span, message: String) {
        self.report(Diagnostic::warning(code, span, message));
    }
}

/// The actions of some components, sorted, so that actions with the same beginning are adjacent.
pub(super) struct Prefixes<'n>(Vec<&'n str>);

impl<'n> Prefixes<'n> {
    /// The table for actions with these names.
    pub(super) fn of(actions: impl Iterator<Item = &'n str>) -> Self {
        let mut actions: Vec<&str> = actions.collect();
        actions.sort_unstable();
        Self(actions)
    }

    /// Whether a label is an action or the beginning of one, up to a dot.
    fn contain(&self, label: &str) -> bool {
        let below = format!("{label}.");
        let first = self.0.partition_point(|&action| action < below.as_str());
        self.0.get(first).is_some_and(|action| action.starts_with(&below))
            || self.0.binary_search(&label).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::Prefixes;

    #[test]
    fn a_label_is_an_action_or_the_beginning_of_one() {
        let actions = Prefixes::of(["a.b.c", "a-b", "ab", "a.b", "b", "a/x"].into_iter());
        for label in ["a", "a.b", "a.b.c", "ab", "b", "a-b"] {
            assert!(actions.contain(label), "{label}");
        }
        for label in ["", "a.", "a.b.", "a.b.c.d", "a.c", "abc", "c", "a/"] {
            assert!(!actions.contain(label), "{label}");
        }
    }
}
