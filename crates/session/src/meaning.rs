//! What a project means: the definitions of an FSP file, or the one system of an .aut or .json file.

use std::sync::Arc;

use rely_base::{Budget, Diagnostic, Span};
use rely_fsp::{Asked, Elaborator};
use rely_lts::{Component, Lts, Network};
use rely_model::{DEFAULT, Failure, Part, Target};
use rely_omega::Assertion;
use rely_omega::ProgressProperty;

use crate::Project;
use crate::project::System;
use crate::report::Finding;

/// The targets and properties of a project.
pub(crate) struct Meaning<'a> {
    project: &'a Project,
    kind: MeaningKind<'a>,
    /// Names that were asked for and do not exist, or do not go together.
    unknown: Vec<Diagnostic>,
}

enum MeaningKind<'a> {
    Fsp(Box<Elaborator<'a>>),
    System(&'a System),
    /// The file could not be read; the project knows why.
    Nothing,
}

impl<'a> Meaning<'a> {
    pub(crate) fn of(project: &'a Project, budget: Budget<'a>) -> Self {
        let kind = match (project.file(), project.system()) {
            (Some(file), _) => MeaningKind::Fsp(Box::new(Elaborator::new(file, project.loader(), budget))),
            (None, Some(system)) => MeaningKind::System(system),
            (None, None) => MeaningKind::Nothing,
        };
        Self { project, kind, unknown: Vec::new() }
    }

    /// Whether this is a text in FSP.
    pub(crate) fn is_fsp(&self) -> bool {
        matches!(self.kind, MeaningKind::Fsp(_))
    }

    /// The targets that are meant when none is named.
    pub(crate) fn default_targets(&self) -> Vec<String> {
        match &self.kind {
            MeaningKind::Fsp(elaborator) => elaborator.default_targets(),
            MeaningKind::System(_) => vec![DEFAULT.to_owned()],
            MeaningKind::Nothing => Vec::new(),
        }
    }

    /// Every composite, whether or not others use it; where there is none, the targets that are meant when none is named.
    fn all_composites(&self) -> Vec<String> {
        match &self.kind {
            MeaningKind::Fsp(elaborator) => elaborator.all_composites(),
            MeaningKind::System(_) | MeaningKind::Nothing => self.default_targets(),
        }
    }

    /// The targets that are meant by some names, each once. If there are no names, the default ones, or every composite if
    /// all are wanted.
    pub(crate) fn wanted_targets(&self, names: &[String], all: bool) -> Vec<String> {
        if names.is_empty() {
            return if all { self.all_composites() } else { self.default_targets() };
        }
        let is_first = |(i, name): &(usize, &String)| !names[..*i].contains(name);
        names.iter().enumerate().filter(is_first).map(|(_, name)| name.clone()).collect()
    }

    /// The process of a file that has no other.
    pub(crate) fn only_process(&self) -> Option<String> {
        match (&self.kind, self.all_targets().as_slice()) {
            (MeaningKind::Fsp(_), [name]) => Some(name.clone()),
            _ => None,
        }
    }

    /// All processes and composites, in order of definition.
    pub(crate) fn all_targets(&self) -> Vec<String> {
        match &self.kind {
            MeaningKind::Fsp(elaborator) => elaborator.target_names(),
            MeaningKind::System(_) => vec![DEFAULT.to_owned()],
            MeaningKind::Nothing => Vec::new(),
        }
    }

    /// Whether there is a target with a name.
    pub(crate) fn has_target(&self, name: &str) -> bool {
        match &self.kind {
            MeaningKind::Fsp(elaborator) => {
                name == DEFAULT || elaborator.target_names().iter().any(|known| known == name)
            }
            MeaningKind::System(_) => name == DEFAULT || name == self.project.stem(),
            MeaningKind::Nothing => false,
        }
    }

    pub(crate) fn target(&mut self, name: &str) -> Result<Target, Failure> {
        match &mut self.kind {
            MeaningKind::Fsp(elaborator) => elaborator.target(name),
            // The system of a file has the name of the file.
            MeaningKind::System(system) if name == DEFAULT || name == self.project.stem() => {
                let lts = Arc::clone(&system.lts);
                let component = Component { name: self.project.stem().to_owned(), lts };
                let target = Target::of_processes(name, Network::new(vec![component]));
                let part = Part { signature: system.signature.clone(), ..Part::default() };
                Ok(Target { parts: vec![part], ..target })
            }
            MeaningKind::System(_) => {
                self.unknown.push(rely_fsp::undefined_target(name));
                Err(Failure::Errors)
            }
            MeaningKind::Nothing => Err(Failure::Errors),
        }
    }

    /// The property process of an assertion, if there is one with the name.
    pub(crate) fn assertion_as_property(&mut self, name: &str) -> Option<Result<Arc<Lts>, Failure>> {
        match &mut self.kind {
            MeaningKind::Fsp(elaborator) => elaborator.assertion_as_property(name),
            MeaningKind::System(_) | MeaningKind::Nothing => None,
        }
    }

    /// Whether a part of a target is a property process.
    pub(crate) fn is_property(&self, part: &str) -> bool {
        match &self.kind {
            MeaningKind::Fsp(elaborator) => elaborator.is_property(part),
            MeaningKind::System(_) | MeaningKind::Nothing => false,
        }
    }

    /// Whether a target that was asked for has used a definition.
    pub(crate) fn is_used(&self, definition: &str) -> bool {
        match &self.kind {
            MeaningKind::Fsp(elaborator) => elaborator.is_used(definition),
            MeaningKind::System(_) | MeaningKind::Nothing => false,
        }
    }

    /// The place of a composite and the name of a property process inside of it, if there is one.
    pub(crate) fn property_inside(&self, composite: &str) -> Option<(Span, String)> {
        match &self.kind {
            MeaningKind::Fsp(elaborator) => elaborator.property_inside(composite),
            MeaningKind::System(_) | MeaningKind::Nothing => None,
        }
    }

    /// The progress properties; what is wrong with the definitions that are not asked for does no harm.
    pub(crate) fn progress_properties(&mut self, asked: Asked<'_>) -> Result<Vec<ProgressProperty>, Failure> {
        match &mut self.kind {
            MeaningKind::Fsp(elaborator) => elaborator.asked_progress_properties(asked),
            MeaningKind::System(_) | MeaningKind::Nothing => Ok(Vec::new()),
        }
    }

    /// The assertions; what is wrong with those that are not asked for does no harm.
    pub(crate) fn assertions(&mut self, asked: Asked<'_>) -> Result<Vec<Assertion>, Failure> {
        match &mut self.kind {
            MeaningKind::Fsp(elaborator) => elaborator.asked_assertions(asked),
            MeaningKind::System(_) | MeaningKind::Nothing => Ok(Vec::new()),
        }
    }

    pub(crate) fn has_errors(&self) -> bool {
        let own = match &self.kind {
            MeaningKind::Fsp(elaborator) => elaborator.has_errors(),
            MeaningKind::System(_) => false,
            MeaningKind::Nothing => true,
        };
        own || self.unknown.iter().chain(self.project.diagnostics()).any(Diagnostic::is_error)
    }

    /// How many errors have been found in the meaning of the text and in the question so far.
    pub(crate) fn error_count(&self) -> usize {
        let own = match &self.kind {
            MeaningKind::Fsp(elaborator) => elaborator.error_count(),
            MeaningKind::System(_) | MeaningKind::Nothing => 0,
        };
        own + self.unknown.iter().filter(|diagnostic| diagnostic.is_error()).count()
    }

    /// Adds something that is wrong with the question.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        if !self.unknown.contains(&diagnostic) {
            self.unknown.push(diagnostic);
        }
    }

    /// Looks at the definitions that no target has used, and gives everything that was found.
    pub(crate) fn findings(mut self) -> Vec<Finding> {
        let mut diagnostics: Vec<Diagnostic> = self.project.diagnostics().to_vec();
        if diagnostics.iter().any(Diagnostic::is_error) {
            // The question does not fit what could be read of the text; it may fit what was meant.
            self.unknown.retain(|diagnostic| !diagnostic.is_error());
        }
        diagnostics.append(&mut self.unknown);
        if let MeaningKind::Fsp(elaborator) = &mut self.kind {
            elaborator.check_unused();
            let read = diagnostics.clone();
            let overlaps = |diagnostic: &Diagnostic| {
                read.iter().any(|syntax| syntax.is_error() && diagnostic.span.overlaps(syntax.span))
            };
            // What could not be read has been reported, and its meaning is of no interest.
            diagnostics
                .extend(elaborator.diagnostics().into_iter().filter(|diagnostic| !overlaps(diagnostic)));
        }
        diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end));
        diagnostics.iter().map(|diagnostic| Finding::new(self.project, diagnostic)).collect()
    }
}

/// Whether a word is the name of a property that a definition makes: its own name, or one with indices, as `P.1` is of
/// `P`.
pub(crate) fn is_made_by(word: &str, definition: &str) -> bool {
    word.strip_prefix(definition).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
