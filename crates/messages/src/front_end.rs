//! Message components as one of the languages that rely reads.

use std::sync::Arc;

use rely_base::{Budget, Diagnostic, Explanation, SourceToken, Span};
use rely_lts::{Behaviour, Observation};
use rely_model::{
    Comment, Commitments, Composition, Declaration, DeclarationKind, Elaboration, Events, Failure, FrontEnd,
    Loader, Model, Naming, Part, Ports, Reading, Reduction, Target,
};
use rely_omega::Commitment;
use rely_syntax::{Definitions, extent};

use crate::syntax::SyntaxKind;
use crate::{Elaborator, Options, Parse, ast, codes, explanations, parse};

/// The front end for message components.
pub struct Messages;

impl FrontEnd for Messages {
    fn endings(&self) -> &'static [&'static str] {
        &["aim"]
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
        let components = self.file().definitions.iter().filter_map(|definition| {
            let ast::Definition::Component(component) = definition else { return None };
            let place = component.name.span;
            let extent = extent(definitions.at(place)?);
            let mentions: Vec<Arc<str>> = match &component.body {
                ast::Body::Composition { parts, .. } => {
                    parts.iter().map(|part| Arc::clone(&part.component.text)).collect()
                }
                ast::Body::Primitive(_) => Vec::new(),
            };
            let kind = match &component.body {
                ast::Body::Composition { .. } => DeclarationKind::Composite { is_property: false },
                ast::Body::Primitive(_) => {
                    DeclarationKind::Process { is_property: false, is_interface: false }
                }
            };
            Some(Declaration { name: Arc::clone(&component.name.text), kind, place, extent, mentions })
        });
        components.collect()
    }

    fn marked_comments(&self) -> Vec<Comment> {
        let marked = rely_syntax::marked_comments(&self.syntax(), SyntaxKind::LineComment, "//!");
        marked.into_iter().map(|(text, start)| Comment { text, start }).collect()
    }

    fn tokens(&self, text: &str) -> Vec<SourceToken> {
        rely_syntax::classify(text, &crate::lexer::lex_counting(text).tokens)
    }

    fn advice_on_interfaces(&self) -> &'static str {
        "message components are no interface automata: a message that is not expected waits in its queue"
    }

    fn elaborate<'a>(&'a self, loader: &'a Loader<'a>, budget: Budget<'a>) -> Box<dyn Elaboration + 'a> {
        Box::new(Elaborator::new(self, loader, budget))
    }
}

impl Elaboration for Elaborator<'_> {
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
        // A component of an imported file is none of the targets that are listed, but can be asked for: proofs rest on such.
        self.knows(name)
    }

    fn target(&mut self, name: &str) -> Result<Target<Behaviour>, Failure> {
        let system = self.system(name, &Options::default())?;
        let place = Some(system.component.place);
        let part = |unit: &rely_lts::Unit| Part { place, ..Part::new(&unit.name) };
        let parts = system.program.units().iter().map(part).collect();
        Ok(Target {
            name: name.to_owned(),
            behaviour: system.program.into(),
            reduction: Reduction::default(),
            parts,
            overapproximates: None,
            uses: Arc::default(),
        })
    }

    fn commitments(&mut self, target: &str) -> Result<Option<Commitments>, Failure> {
        let system = self.system(target, &Options::default())?;
        let mut general = system.general_commitments();
        if system.environment().is_none() {
            // Without an environment that may go on at any time, deadlock and safety are what they are for everybody.
            general.retain(|commitment| commitment.name == "lost");
        }
        let (list, processes) = (system.commitments(), system.processes());
        Ok(Some(Commitments { general, list, processes }))
    }

    fn composition(&mut self, target: &str) -> Result<Option<Composition>, Failure> {
        let component = self.target(target)?;
        let mut parts = Vec::new();
        for part in &component.parts {
            parts.push(self.target(&part.component)?);
        }
        let composed = crate::system::composition::composition(&component, &parts, &self.budget());
        composed.map_err(|refused| self.refuse(&component, &refused))
    }

    fn ports(&mut self, target: &str) -> Result<Option<Ports>, Failure> {
        Ok(Some(self.target(target)?.ports()))
    }

    fn takes_properties(&mut self) -> bool {
        // A step may send several messages at once; a process that knows one of them by its name would miss it.
        let message = "message components cannot be checked with properties of another file yet";
        self.warn(Diagnostic::error(codes::NO_OTHER_PROPERTIES, Span::new(0, 0), message));
        false
    }

    fn naming_of(&mut self, target: &str) -> Result<Naming, Failure> {
        Ok(self.system(target, &Options::default())?.event_names())
    }

    fn has_statements(&self) -> bool {
        self.has_stated()
    }

    fn statements(&mut self, events: &Events<'_>) -> Result<Vec<Commitment<Observation>>, Failure> {
        self.stated_of(events)
    }

    fn is_used(&self, _definition: &str) -> bool {
        true
    }

    fn diagnostics(&self) -> Vec<Diagnostic> {
        Self::diagnostics(self)
    }
}
