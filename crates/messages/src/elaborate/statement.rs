//! Properties outside of components: statements about the targets of another file, in any language.
//!
//! They speak of events, by the names that properties of that language have for them. An event that a target does not have never happens
//! in it, and that is a warning.

use rely_base::{Diagnostic, Id};
use rely_lts::Observation;
use rely_model::{Events, Failure};
use rely_omega::{AtomId, Commitment, Formula};

use super::property::Names;
use super::scope::Scope;
use super::{Elaborator, Fallible, suggest};
use crate::{ast, codes};

/// A statement that is being elaborated.
struct Stating<'e> {
    events: &'e Events<'e>,
    /// The atoms, each with its name.
    atoms: Vec<(String, Observation)>,
}

impl Names for Stating<'_> {
    fn named(
        &mut self,
        elaborator: &mut Elaborator<'_>,
        _expr: &ast::Expr,
        path: &ast::Path,
        arguments: Option<&[ast::Expr]>,
        suffix: Option<&ast::Name>,
    ) -> Fallible<Formula> {
        let mut name = elaborator.dotted(path, &[])?;
        for argument in arguments.unwrap_or_default() {
            name.push_str(&format!(".{}", elaborator.argument(argument)?));
        }
        if let Some(suffix) = suffix {
            name.push_str(&format!(".{}", suffix.text));
        }
        let actions = self.events.actions(&name);
        if actions.is_empty() {
            elaborator.warn_of_no_event(path, &name, self.events);
        }
        let atom = (name, Observation::Actions(actions));
        let number = self.atoms.iter().position(|known| *known == atom).unwrap_or(self.atoms.len());
        if number == self.atoms.len() {
            self.atoms.push(atom);
        }
        Ok(Formula::atom(AtomId::from_index(number)))
    }

    fn condition(&mut self, elaborator: &mut Elaborator<'_>, expr: &ast::Expr) -> Fallible<Formula> {
        let message = "a property of another file speaks of events, not of variables";
        Err(elaborator.report(Diagnostic::error(codes::TEMPORAL, expr.span, message)))
    }
}

impl Elaborator<'_> {
    /// Whether there are properties outside of components.
    pub(crate) fn has_stated(&self) -> bool {
        !self.stated.is_empty()
    }

    /// Says that nobody is meant by properties outside of components, in a file that has components.
    pub(super) fn expect_statements_alone(&mut self) {
        if self.definitions.is_empty() {
            return;
        }
        for property in self.stated.clone() {
            let message = format!("property `{}` stands outside of a component", property.name.text);
            let help = "write it into the component that it is about; a file of properties alone is about the targets of \
                        another file: --properties FILE";
            self.report(
                Diagnostic::error(codes::PROPERTY_OUTSIDE, property.name.span, message).with_help(help),
            );
        }
    }

    /// The properties outside of components, as commitments of a target.
    pub(crate) fn stated_of(&mut self, events: &Events<'_>) -> Result<Vec<Commitment<Observation>>, Failure> {
        let before = self.errors;
        let mut list = Vec::new();
        for property in self.stated.clone() {
            let mut stating = Stating { events, atoms: Vec::new() };
            let claim = self.temporal_statement(&property.claim, &mut stating);
            let assuming: Vec<Fallible<_>> = property
                .assuming
                .iter()
                .map(|assumption| self.temporal_statement(assumption, &mut stating))
                .collect();
            if let (Ok(claim), Ok(assuming)) = (claim, assuming.into_iter().collect()) {
                let (names, propositions) = stating.atoms.into_iter().unzip();
                let name = property.name.text.to_string();
                list.push(Commitment { name, claim, assuming, propositions, names });
            }
        }
        if self.errors > before { Err(Failure::Errors) } else { Ok(list) }
    }

    /// A value behind the name of an event: a number or a word.
    fn argument(&mut self, expr: &ast::Expr) -> Fallible<String> {
        if let ast::ExprKind::Path { path, arguments: None, suffix: None } = &expr.kind
            && let Some(name) = path.as_name()
            && !self.is_constant(path)
        {
            return Ok(name.text.to_string());
        }
        self.number(expr, Scope::GLOBAL).map(|value| value.to_string())
    }

    fn warn_of_no_event(&mut self, path: &ast::Path, name: &str, events: &Events<'_>) {
        let message = format!("{} has no event `{name}`: it never happens", events.target);
        let diagnostic = Diagnostic::warning(codes::NO_EVENT, path.span, message);
        let diagnostic = suggest(diagnostic, name, events.names().into_iter());
        self.warn(diagnostic);
    }
}
