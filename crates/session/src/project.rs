//! A project: the text that is analysed, its imports, and the targets that have been computed.

use std::collections::HashMap;
use std::io::Read;
use std::sync::{Mutex, PoisonError};

use rely_base::{Budget, Diagnostic, SourceToken, Span};
use rely_lts::Behaviour;
use rely_model::{Comment, Declaration, Elaboration, Loader, Model, NameUse, Reading, SystemFile, Target};

use crate::Languages;
use crate::report::Place;
use crate::weights::Weights;

/// A text with its name. The caller reads the files.
pub struct Project {
    name: String,
    text: String,
    model: Box<dyn Model>,
    /// What the text declares.
    declarations: Vec<Declaration>,
    /// What the text says about the weight of warnings.
    weights: Weights,
    /// The byte at which each line starts.
    lines: Vec<usize>,
    loader: Box<Loader<'static>>,
    /// A file of properties for this text.
    properties: Option<Box<Self>>,
    /// Whether the project is asked again and again, and its imports never change.
    is_lasting: bool,
    /// Targets that were computed for earlier questions.
    kept: Mutex<HashMap<String, Kept>>,
}

/// A target that was computed for an earlier question.
#[derive(Clone)]
pub(crate) struct Kept {
    pub(crate) target: Target<Behaviour>,
    /// The warnings that were found on the way.
    pub(crate) warnings: Vec<Diagnostic>,
}

impl Project {
    /// A project of a text, in the language that its name indicates. The loader reads imported files.
    pub fn new(name: impl Into<String>, text: impl Into<String>, loader: Box<Loader<'static>>) -> Self {
        Self::from_bytes(name, text.into().as_bytes(), loader)
    }

    /// A project of the bytes of a file. The ending of its name indicates the language.
    pub fn from_bytes(name: impl Into<String>, bytes: &[u8], loader: Box<Loader<'static>>) -> Self {
        Self::in_one_of(&Languages::all(), name, bytes, loader)
    }

    /// A project of the bytes of a file, in one of some languages.
    pub fn in_one_of(
        languages: &Languages,
        name: impl Into<String>,
        bytes: &[u8],
        loader: Box<Loader<'static>>,
    ) -> Self {
        let name = name.into();
        let reading = languages.read(&name, bytes);
        Self::of(name, reading, loader)
    }

    /// A project of a text in .aut format with `length` bytes that is read a part at a time. `None` if it has errors,
    /// which [`Project::from_bytes`] reports.
    pub fn from_aut(
        name: impl Into<String>,
        input: impl Read,
        length: usize,
        loader: Box<Loader<'static>>,
    ) -> Option<Self> {
        let name = name.into();
        let model = Box::new(SystemFile::read_aut(&name, input, length)?);
        Some(Self::of(name, Reading { model, text: String::new() }, loader))
    }

    fn of(name: String, Reading { model, text }: Reading, loader: Box<Loader<'static>>) -> Self {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let declarations = model.declarations();
        let weights = Weights::read(&model.marked_comments());
        let (properties, is_lasting, kept) = (None, false, Mutex::default());
        Self { name, text, model, declarations, weights, lines, loader, properties, is_lasting, kept }
    }

    /// Makes the project last for many questions: whatever has no error is worked out once and kept. So the project has to be
    /// dropped when an imported text changes.
    pub(crate) fn lasting(self) -> Self {
        Self { is_lasting: true, ..self }
    }

    /// Whether the project is asked again and again, and its imports never change.
    pub(crate) fn is_lasting(&self) -> bool {
        self.is_lasting
    }

    /// The project with a file of properties: property processes that observe each of its targets, progress
    /// properties and assertions. The file may be in another language.
    #[must_use]
    pub fn with_properties(mut self, properties: Self) -> Self {
        self.properties = Some(Box::new(properties));
        self
    }

    /// The file of properties.
    pub(crate) fn properties(&self) -> Option<&Self> {
        self.properties.as_deref()
    }

    /// Gives a constant of the file another value. Returns whether the file has such a constant.
    pub fn define(&mut self, name: &str, value: i32) -> bool {
        self.kept = Mutex::default();
        self.model.define(name, value)
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of the file without its folders and its ending.
    pub fn stem(&self) -> &str {
        rely_model::stem(&self.name)
    }

    /// The text of a file in which something was found; empty if it is another file, or a transition system that
    /// could be read.
    pub fn text_of(&self, file: &str) -> &str {
        match &self.properties {
            _ if file == self.name => &self.text,
            Some(properties) => properties.text_of(file),
            None => "",
        }
    }

    /// The text; empty where it is a transition system that could be read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The tokens of the text without blanks, in order; none in a language that does not tell.
    pub fn tokens(&self) -> Vec<SourceToken> {
        self.model.tokens(&self.text)
    }

    /// What every name in the text means, in order; nothing in a language that does not tell.
    pub fn names(&self) -> Option<Vec<NameUse>> {
        self.model.names()
    }

    /// The text in its usual layout; nothing if it has mistakes, or in a language without a layout.
    pub fn formatted(&self) -> Option<String> {
        self.model.formatted(&self.text)
    }

    /// The targets that are meant where none is named, and all that can be named.
    pub fn targets(&self, budget: Budget<'_>) -> (Vec<String>, Vec<String>) {
        let meaning = self.elaborate(budget);
        (meaning.default_targets(), meaning.target_names())
    }

    /// What the text declares, in its order.
    pub fn declarations(&self) -> &[Declaration] {
        &self.declarations
    }

    /// What the text says about the weight of warnings.
    pub(crate) fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The line comments that are marked with `!`.
    pub fn marked_comments(&self) -> Vec<Comment> {
        self.model.marked_comments()
    }

    /// The files that the text imports, as it names them.
    pub fn imports(&self) -> Vec<&str> {
        self.model.imports()
    }

    /// What was found while reading.
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        self.model.diagnostics()
    }

    /// Advice on how to turn a component into an interface automaton.
    pub(crate) fn advice_on_interfaces(&self) -> &'static str {
        self.model.advice_on_interfaces()
    }

    /// Begins an elaboration of the text.
    pub(crate) fn elaborate<'a>(&'a self, budget: Budget<'a>) -> Box<dyn Elaboration + 'a> {
        self.model.elaborate(&*self.loader, budget)
    }

    /// A target that was computed for an earlier question.
    pub(crate) fn recall(&self, target: &str) -> Option<Kept> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(target).cloned()
    }

    /// Keeps a target for later questions, with the findings about it, which later questions report again. Targets with
    /// errors are not kept; nor, unless the project is lasting, are those with warnings, and those that depend on other
    /// files.
    pub(crate) fn keep(&self, name: &str, target: &Target<Behaviour>, findings: &[Diagnostic]) {
        let may_change = !findings.is_empty() || !self.imports().is_empty();
        if (self.is_lasting || !may_change) && !findings.iter().any(Diagnostic::is_error) {
            let kept = Kept { target: target.clone(), warnings: findings.to_vec() };
            self.kept.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), kept);
        }
    }

    /// Lines and columns of a span.
    pub fn place(&self, span: Span) -> Place {
        let (line, column) = self.position(span.start);
        let (end_line, end_column) = self.position(span.end);
        Place { line, column, end_line, end_column, bytes: self.whole_characters(span) }
    }

    /// The bytes of all characters that a span overlaps.
    fn whole_characters(&self, span: Span) -> (u32, u32) {
        let length = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        let is_boundary = |offset: &u32| self.text.is_char_boundary(*offset as usize);
        let (start, end) = (span.start.min(length), span.end.min(length));
        let start = (0..=start).rev().find(is_boundary).unwrap_or(0);
        let end = (end..=length).find(is_boundary).unwrap_or(length);
        (start, end.max(start))
    }

    fn position(&self, offset: u32) -> (usize, usize) {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.lines.partition_point(|&start| start <= offset);
        let start = self.lines[line - 1];
        (line, self.text[start..offset].chars().count() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_bytes_that_are_no_text_are_whole_characters() {
        let bytes = b"des (0,1,1)\n\xFF\xFE(0,\xC3\xA9\xC3\xA9";
        let project = Project::from_bytes("x.aut", bytes, Box::new(|_| Err("no imports".to_owned())));
        assert_eq!(project.text_of("x.aut"), "des (0,1,1)\n??(0,éé");
        // Inside the first é.
        let place = project.place(Span::new(18, 19));
        assert_eq!((place.bytes, place.line, place.column), ((17, 19), 2, 6));
        for start in 0..30 {
            for end in start..30 {
                let (from, to) = project.place(Span::new(start, end)).bytes;
                assert!(project.text_of("x.aut").get(from as usize..to as usize).is_some(), "{start}..{end}");
            }
        }
    }
}
