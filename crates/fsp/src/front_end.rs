//! FSP as one of the languages that rely reads.

use std::sync::Arc;

use rely_base::{Budget, Diagnostic, Explanation, SourceToken, Span};
use rely_lts::{Behaviour, Lts};
use rely_model::{
    Comment, Declaration, DeclarationKind, Elaboration, Failure, FrontEnd, IsWanted, Loader, Model, NameUse,
    Reading, Target,
};
use rely_omega::{Assertion, ProgressProperty};
use rely_syntax::{Definitions, extent};

use crate::ast::{AssertKind, Definition, Name};
use crate::syntax::{SyntaxKind, SyntaxNode};
use crate::{Elaborator, Parse, explanations, parse};

/// The front end for FSP.
pub struct Fsp;

impl FrontEnd for Fsp {
    fn endings(&self) -> &'static [&'static str] {
        &["lts", "fsp"]
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
        let declaration = |definition| {
            let (kind, name): (DeclarationKind, &Name) = kind_and_name(definition)?;
            let place = name.span;
            let node = definitions.at(place)?;
            let mentions = names_in(node).filter(|mentioned| **mentioned != *name.text).collect();
            Some(Declaration { name: Arc::clone(&name.text), kind, place, extent: extent(node), mentions })
        };
        self.file().definitions.iter().filter_map(declaration).collect()
    }

    fn marked_comments(&self) -> Vec<Comment> {
        let marked = rely_syntax::marked_comments(&self.syntax(), SyntaxKind::LineComment, "//!");
        marked.into_iter().map(|(text, start)| Comment { text, start }).collect()
    }

    fn imports(&self) -> Vec<&str> {
        let imported = self.file().definitions.iter().filter_map(|definition| match definition {
            Definition::Import(import) => Some(&*import.path.text),
            _ => None,
        });
        imported.collect()
    }

    fn tokens(&self, text: &str) -> Vec<SourceToken> {
        rely_syntax::classify(text, &crate::lexer::lex_counting(text).tokens)
    }

    fn names(&self) -> Option<Vec<NameUse>> {
        Some(crate::names::names(self.file()))
    }

    fn formatted(&self, _text: &str) -> Option<String> {
        crate::format::formatted(self)
    }

    fn advice_on_interfaces(&self) -> &'static str {
        "begin its definition with `interface`, and mark inputs with `?` and outputs with `!`"
    }

    fn elaborate<'a>(&'a self, loader: &'a Loader<'a>, budget: Budget<'a>) -> Box<dyn Elaboration + 'a> {
        Box::new(Elaborator::new(self.file(), loader, budget))
    }
}

/// What a definition declares; nothing for menus and animations, which other tools use.
fn kind_and_name(definition: &Definition) -> Option<(DeclarationKind, &Name)> {
    use DeclarationKind as Kind;
    Some(match definition {
        Definition::Const(def) => (Kind::Definition, &def.name),
        Definition::Range(def) => (Kind::Definition, &def.name),
        Definition::Set(def) => (Kind::Definition, &def.name),
        Definition::Import(def) => (Kind::Definition, &def.name),
        Definition::Process(def) => {
            let (is_property, is_interface) = (def.modifiers.property, def.modifiers.interface);
            (Kind::Process { is_property, is_interface }, &def.name)
        }
        Definition::Composite(def) => (Kind::Composite { is_property: def.modifiers.property }, &def.name),
        Definition::Progress(def) => (Kind::Progress, &def.name),
        Definition::Fluent(def) => (Kind::Fluent, &def.name),
        Definition::Assert(def) => match def.kind {
            AssertKind::Assert => (Kind::Assertion, &def.name),
            kind => (Kind::FormulaProcess { is_property: kind == AssertKind::Property }, &def.name),
        },
        Definition::Menu(_) | Definition::Animation(_) => return None,
    })
}

/// The names of definitions in a part of the text.
fn names_in(node: &SyntaxNode) -> impl Iterator<Item = Arc<str>> {
    let tokens = node.descendants_with_tokens().filter_map(|element| element.into_token());
    tokens.filter(|token| token.kind() == SyntaxKind::Upper).map(|token| Arc::from(token.text()))
}

impl Elaboration for Elaborator<'_> {
    fn default_targets(&self) -> Vec<String> {
        Self::default_targets(self)
    }

    fn all_composites(&self) -> Vec<String> {
        Self::all_composites(self)
    }

    fn target_names(&self) -> Vec<String> {
        Self::target_names(self)
    }

    fn target(&mut self, name: &str) -> Result<Target<Behaviour>, Failure> {
        Self::target(self, name).map(Target::into)
    }

    fn progress_properties(&mut self, asked: IsWanted<'_>) -> Result<Vec<ProgressProperty>, Failure> {
        self.asked_progress_properties(asked)
    }

    fn assertions(&mut self, asked: IsWanted<'_>) -> Result<Vec<Assertion>, Failure> {
        self.asked_assertions(asked)
    }

    fn assertion_as_property(&mut self, name: &str) -> Option<Result<Arc<Lts>, Failure>> {
        Self::assertion_as_property(self, name)
    }

    fn is_used(&self, definition: &str) -> bool {
        Self::is_used(self, definition)
    }

    fn property_inside(&self, composite: &str) -> Option<(Span, String)> {
        Self::property_inside(self, composite)
    }

    fn check_unused(&mut self, used_elsewhere: IsWanted<'_>) {
        Self::check_unused(self, used_elsewhere);
    }

    fn diagnostics(&self) -> Vec<Diagnostic> {
        Self::diagnostics(self)
    }

    fn error_count(&self) -> usize {
        Self::error_count(self)
    }
}
