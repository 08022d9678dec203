//! The file and the files that it imports: reading them, and the places in them.
//!
//! A file that is imported twice, or in a circle, is read once. The texts are thought of as one text, one after the other; an
//! imported file is parsed behind as many blanks as there are characters before it, so that its places are right from the
//! start.

use std::sync::Arc;

use rely_base::{Diagnostic, Span};
use rely_syntax::{MAX_TEXT, offset};

use super::scope::{Kind, Scope};
use super::{Elaborator, suggest};
use crate::{Parse, ast, codes, parse};

/// A text.
pub(super) struct Source {
    /// The path as the imports name it; empty for the file itself.
    path: String,
    /// The text; nothing for the file itself, whose places need no translation.
    text: String,
    /// Where it begins in the one text that all places are in.
    start: u32,
    /// Where it ends.
    pub(super) end: u32,
    /// The import in the file itself that led to it.
    import: Span,
}

impl Elaborator<'_> {
    /// Reads a file, and the files that it imports.
    pub(super) fn read(&mut self, parse: &Parse) {
        let end = u32::from(parse.syntax().text_range().end());
        let import = Span::new(0, 0);
        self.sources.push(Source { path: String::new(), text: String::new(), start: 0, end, import });
        self.defined = parse.defined().to_vec();
        self.collect(parse.file(), None);
        for (name, _) in std::mem::take(&mut self.defined) {
            if !self.globals.constants.contains_key(&name) && !self.has_flaws {
                let message = format!("no constant `{name}` is defined");
                let diagnostic = Diagnostic::error(codes::UNDEFINED, import, message);
                let diagnostic =
                    suggest(diagnostic, &name, self.globals.constants.keys().map(|known| &**known));
                self.report(diagnostic);
            }
        }
    }

    /// Where a place lies that is not in the file itself: the path of the imported file, and the place in it.
    pub fn locate(&self, place: Span) -> Option<(&str, Span)> {
        let source =
            self.sources[1..].iter().find(|source| (source.start..=source.end).contains(&place.start))?;
        Some((&source.path, Span::new(place.start - source.start, place.end.min(source.end) - source.start)))
    }

    /// A finding as it is said of the file itself.
    pub(super) fn seen_from_file(&self, diagnostic: &Diagnostic) -> Diagnostic {
        let Some((path, place)) = self.locate(diagnostic.span) else {
            let mut diagnostic = diagnostic.clone();
            diagnostic.notes.retain(|note| self.locate(note.span).is_none());
            return diagnostic;
        };
        let source = self.sources.iter().find(|source| source.path == path);
        let (text, import) = source.map_or(("", place), |source| (&source.text, source.import));
        let before = text.get(..place.start as usize).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let message = format!("{path}:{line}:{column}: {}", diagnostic.message);
        Diagnostic { span: import, message, notes: Vec::new(), ..diagnostic.clone() }
    }

    /// Takes the definitions of a file; `import` is the one in the main file that led to it.
    fn collect(&mut self, file: &ast::File, import: Option<(Span, &str)>) {
        self.has_flaws |= file.has_errors;
        for definition in &file.definitions {
            match definition {
                ast::Definition::Const { name, value } => self.constant_definition(name, value),
                ast::Definition::Type { name, value } => self.type_definition(name, value),
                ast::Definition::Import { path } => self.import(path, import),
                ast::Definition::Component(component) => self.component_definition(component, file),
                ast::Definition::Property(property) => self.stated.push(property.clone()),
            }
        }
    }

    fn constant_definition(&mut self, name: &ast::Name, value: &ast::Expr) {
        if self.globals.constants.contains_key(&name.text) || self.globals.types.contains_key(&name.text) {
            self.duplicate(name, "a constant or type");
        } else if let Some((_, value)) = self.defined.iter().rev().find(|(defined, _)| *defined == name.text)
        {
            self.globals.constants.insert(Arc::clone(&name.text), (*value, Kind::Int));
        } else if let Ok(value) = self.constant(value, Scope::GLOBAL) {
            self.globals.constants.insert(Arc::clone(&name.text), value);
        } else {
            // What uses it would only repeat that something is wrong.
            self.has_flaws = true;
        }
    }

    fn type_definition(&mut self, name: &ast::Name, value: &ast::TypeExpr) {
        if self.globals.constants.contains_key(&name.text) || self.globals.types.contains_key(&name.text) {
            self.duplicate(name, "a constant or type");
        } else if let Ok(ty) = self.ty(value, Scope::GLOBAL) {
            self.globals.types.insert(Arc::clone(&name.text), ty);
        } else {
            self.has_flaws = true;
        }
    }

    fn component_definition(&mut self, component: &ast::ComponentDef, file: &ast::File) {
        if self.by_name.contains_key(&component.name.text) {
            self.duplicate(&component.name, "a component");
            return;
        }
        if file.broken.iter().any(|broken| broken.overlaps(component.span)) {
            self.broken.insert(Arc::clone(&component.name.text));
        }
        self.by_name.insert(Arc::clone(&component.name.text), self.definitions.len());
        self.definitions.push(Arc::new(component.clone()));
    }

    fn import(&mut self, path: &ast::Name, from: Option<(Span, &str)>) {
        let full = match from.and_then(|(_, from)| from.rsplit_once('/')) {
            Some((folder, _)) if !path.text.starts_with('/') => format!("{folder}/{}", path.text),
            _ => path.text.to_string(),
        };
        if self.sources.iter().any(|source| source.path == full) {
            return;
        }
        let bytes = match (self.loader)(&full) {
            Ok(bytes) => bytes,
            Err(why) => {
                let message = format!("`{}` cannot be read: {why}", path.text);
                self.report(Diagnostic::error(codes::IMPORT, path.span, message));
                self.has_flaws = true;
                return;
            }
        };
        let start = self.sources.last().map_or(0, |last| last.end) as usize + 1;
        if start + bytes.len() > MAX_TEXT {
            let message = format!("the imported files have more than {MAX_TEXT} bytes");
            self.report(Diagnostic::error(codes::IMPORT, path.span, message));
            self.has_flaws = true;
            return;
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let import = from.map_or(path.span, |(place, _)| place);
        let read = parse(&(" ".repeat(start) + &text));
        let end = offset(start + text.len());
        self.sources.push(Source { path: full.clone(), text, start: offset(start), end, import });
        for diagnostic in read.diagnostics() {
            self.report(diagnostic.clone());
        }
        self.collect(read.file(), Some((import, &full)));
    }

    /// Says that a name is not defined, unless it may be defined where the text could not be read.
    pub(super) fn undefined(&mut self, name: &ast::Name, known: &[Arc<str>]) -> super::Reported {
        if self.has_flaws || self.doubtful.contains(&name.text) {
            return super::Reported;
        }
        let message = format!("`{}` is not defined", name.text);
        let diagnostic = Diagnostic::error(codes::UNDEFINED, name.span, message);
        let constants = self.globals.constants.keys().chain(self.globals.literals.keys());
        let mut constants: Vec<&Arc<str>> = constants.collect();
        constants.sort_unstable();
        let known = known.iter().chain(constants).map(|known| &**known);
        let diagnostic = suggest(diagnostic, &name.text, known);
        self.report(diagnostic)
    }
}
