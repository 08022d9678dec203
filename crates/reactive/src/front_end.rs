//! Reactive machines as one of the languages that rely reads.

use std::sync::Arc;

use rely_base::{Budget, Diagnostic, Explanation, SourceToken};
use rely_lts::Behaviour;
use rely_model::{
    Comment, Declaration, DeclarationKind, Diagram, Elaboration, Failure, FrontEnd, Loader, Model,
    OpenComponents, Reading, Reduction, Target, WatchedTarget,
};
use rely_syntax::{Definitions, extent};

use crate::program::{Lowered, View};
use crate::syntax::SyntaxKind;
use crate::{Elaborator, Parse, explanations, parse};

/// The front end for reactive machines.
pub struct Reactive;

impl FrontEnd for Reactive {
    fn endings(&self) -> &'static [&'static str] {
        &["srs"]
    }

    fn read(&self, _name: &str, bytes: &[u8]) -> Reading {
        Reading::of_text(bytes, parse)
    }

    fn explanations(&self) -> Vec<Explanation> {
        explanations().copied().collect()
    }
}

impl Model for Parse {
    fn diagnostics(&self) -> &[Diagnostic] {
        Self::diagnostics(self)
    }

    fn define(&mut self, constant: &str, value: i32) -> bool {
        Self::define(self, constant, value)
    }

    fn declarations(&self) -> Vec<Declaration> {
        let definitions = Definitions::of(&self.syntax());
        let systems = self.file().systems.iter().map(|system| {
            let place = system.name.span;
            let extent = definitions.at(place).map_or(place, extent);
            let kind = DeclarationKind::Composite { is_property: false };
            Declaration { name: Arc::clone(&system.name.text), kind, place, extent, mentions: Vec::new() }
        });
        systems.collect()
    }

    fn marked_comments(&self) -> Vec<Comment> {
        let marked = rely_syntax::marked_comments(&self.syntax(), SyntaxKind::LineComment, "//!");
        marked.into_iter().map(|(text, start)| Comment { text, start }).collect()
    }

    fn tokens(&self, text: &str) -> Vec<SourceToken> {
        rely_syntax::classify(text, &crate::lexer::lex_counting(text).tokens)
    }

    fn advice_on_interfaces(&self) -> &'static str {
        "reactive machines are no interface automata: an event that nobody reads is lost, and not refused"
    }

    fn elaborate<'a>(&'a self, _loader: &'a Loader<'a>, _budget: Budget<'a>) -> Box<dyn Elaboration + 'a> {
        Box::new(Elaborator::new(self.file()))
    }
}

/// Why an answer about a component on its own may be none about the whole system.
const ALONE: &str = "this is the component alone, in an environment that may do anything that is not assumed away; the whole system may do less";

pub(crate) fn target(name: &str, view: View, Lowered { program, parts, .. }: Lowered) -> Target<Behaviour> {
    Target {
        name: name.to_owned(),
        behaviour: program.into(),
        reduction: Reduction::default(),
        parts,
        overapproximates: (view != View::Whole).then_some(ALONE),
        uses: Arc::default(),
    }
}

impl Elaboration for Elaborator {
    fn default_targets(&self) -> Vec<String> {
        Self::default_targets(self)
    }

    fn all_composites(&self) -> Vec<String> {
        Self::target_names(self)
    }

    fn target_names(&self) -> Vec<String> {
        Self::target_names(self)
    }

    fn has_target(&self, name: &str) -> bool {
        self.names_target(name)
    }

    fn target(&mut self, name: &str) -> Result<Target<Behaviour>, Failure> {
        let (view, lowered) = self.lowered(name, None, &[])?;
        Ok(target(name, view, lowered))
    }

    fn properties_of(&mut self, target: &str) -> Result<Vec<String>, Failure> {
        let (system, view) = self.find(target)?;
        let options = crate::program::Options::with_properties(system, view);
        Ok(options.checks.into_iter().map(|check| check.name).collect())
    }

    fn watched_target(&mut self, name: &str, property: &str) -> Result<WatchedTarget, Failure> {
        self.watched(name, property, &[])
    }

    fn open_components(&mut self) -> Option<&mut dyn OpenComponents> {
        Some(self)
    }

    fn diagram(&mut self, name: &str) -> Option<Result<Diagram, Failure>> {
        Some(Self::diagram(self, name))
    }

    fn is_used(&self, _definition: &str) -> bool {
        true
    }

    fn diagnostics(&self) -> Vec<Diagnostic> {
        Self::diagnostics(self).to_vec()
    }
}
