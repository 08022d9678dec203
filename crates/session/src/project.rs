//! A project: the text that is analysed, and how its imports are read.

use std::io::Read;
use std::sync::Arc;

use rely_base::{Diagnostic, Span};
use rely_fsp::syntax::SyntaxNode;
use rely_fsp::{Parse, ast};
use rely_lts::{Lts, Role, format};
use rely_model::{Loader, Signature};

use crate::report::Place;

/// A text with its name; reading files is left to whoever makes one.
pub struct Project {
    name: String,
    text: String,
    content: Content,
    /// The byte at which each line starts.
    lines: Vec<usize>,
    loader: Box<Loader<'static>>,
}

/// What the text is.
enum Content {
    Fsp(Box<Parse>),
    System(System),
    Broken(Vec<Diagnostic>),
}

/// The transition system of an .aut or .json file.
pub(crate) struct System {
    pub(crate) lts: Arc<Lts>,
    /// What its actions are, if it is an interface automaton.
    pub(crate) signature: Option<Arc<Signature>>,
}

impl System {
    fn new((lts, roles): WithRoles) -> Self {
        let nowhere = Span::new(0, 0);
        let signature = roles.map(|roles| Arc::new(Signature::of(lts.alphabet(), &roles, nowhere)));
        Self { lts: Arc::new(lts), signature }
    }
}

/// A system, and the role of each action if it is an interface automaton.
type WithRoles = (Lts, Option<Vec<Role>>);

impl Project {
    /// A project of FSP text. The loader gives the content of imported files.
    pub fn new(name: impl Into<String>, text: impl Into<String>, loader: Box<Loader<'static>>) -> Self {
        let text = text.into();
        let content = Content::Fsp(Box::new(rely_fsp::parse(&text)));
        Self::with_content(name.into(), text, content, loader)
    }

    /// A project of the bytes of a file; the ending of its name tells whether it is FSP or a transition system in
    /// .aut or .json format.
    pub fn from_bytes(name: impl Into<String>, bytes: &[u8], loader: Box<Loader<'static>>) -> Self {
        let name = name.into();
        let read: fn(&[u8]) -> Result<WithRoles, Vec<Diagnostic>> =
            match name.rsplit('.').next().map(str::to_ascii_lowercase).as_deref() {
                Some("aut") => read_aut,
                Some("json") => read_json,
                _ => return Self::new(name, String::from_utf8_lossy(bytes), loader),
            };
        match read(bytes) {
            // The text is needed to show the place of an error only, and may be large.
            Ok(read) => Self::with_content(name, String::new(), Content::System(System::new(read)), loader),
            Err(diagnostics) => {
                let text = with_places_kept(bytes);
                Self::with_content(name, text, Content::Broken(diagnostics), loader)
            }
        }
    }

    /// A project of a text in .aut format that has so many bytes and is read a part at a time. Nothing if it has errors:
    /// [`Project::from_bytes`] tells which.
    pub fn from_aut(
        name: impl Into<String>,
        input: impl Read,
        length: usize,
        loader: Box<Loader<'static>>,
    ) -> Option<Self> {
        let lts = format::aut::read_from(input, length).ok()?;
        let system = System::new(format::unmarked(lts));
        Some(Self::with_content(name.into(), String::new(), Content::System(system), loader))
    }

    fn with_content(name: String, text: String, content: Content, loader: Box<Loader<'static>>) -> Self {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { name, text, content, lines, loader }
    }

    /// Gives a constant of an FSP file another value. Whether the file has such a constant.
    pub fn define(&mut self, name: &str, value: i32) -> bool {
        match &mut self.content {
            Content::Fsp(parse) => parse.define(name, value),
            Content::System(_) | Content::Broken(_) => false,
        }
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of the file without its folders and its ending.
    pub fn stem(&self) -> &str {
        let file = self.name.rsplit(['/', '\\']).next().unwrap_or(&self.name);
        file.rsplit_once('.').map_or(file, |(stem, _)| stem)
    }

    /// The text of a file that something was found in; empty where it is another file, or a transition system that
    /// could be read.
    pub fn text_of(&self, file: &str) -> &str {
        if file == self.name { &self.text } else { "" }
    }

    /// The definitions of an FSP file.
    pub(crate) fn file(&self) -> Option<&ast::File> {
        match &self.content {
            Content::Fsp(parse) => Some(parse.file()),
            Content::System(_) | Content::Broken(_) => None,
        }
    }

    /// The files that an FSP file imports, as it names them.
    pub fn imports(&self) -> Vec<&str> {
        let definitions = self.file().map_or(&[][..], |file| &file.definitions);
        let imported = definitions.iter().filter_map(|definition| match definition {
            ast::Definition::Import(import) => Some(&*import.path.text),
            _ => None,
        });
        imported.collect()
    }

    /// The tree of an FSP file.
    pub(crate) fn syntax(&self) -> Option<SyntaxNode> {
        match &self.content {
            Content::Fsp(parse) => Some(parse.syntax()),
            Content::System(_) | Content::Broken(_) => None,
        }
    }

    /// The transition system of an .aut or .json file.
    pub(crate) fn system(&self) -> Option<&System> {
        match &self.content {
            Content::System(system) => Some(system),
            Content::Fsp(_) | Content::Broken(_) => None,
        }
    }

    /// What was found while reading.
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        match &self.content {
            Content::Fsp(parse) => parse.diagnostics(),
            Content::Broken(diagnostics) => diagnostics,
            Content::System(_) => &[],
        }
    }

    pub(crate) fn loader(&self) -> &Loader<'static> {
        &*self.loader
    }

    /// Lines and columns of a span.
    pub fn place(&self, span: Span) -> Place {
        let (line, column) = self.position(span.start);
        let (end_line, end_column) = self.position(span.end);
        Place { line, column, end_line, end_column, bytes: self.whole_characters(span) }
    }

    /// The bytes of all characters that a span touches.
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

/// Bytes as text. What is not UTF-8 becomes a question mark for each byte, so that every other byte keeps its place.
fn with_places_kept(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}

fn read_aut(bytes: &[u8]) -> Result<WithRoles, Vec<Diagnostic>> {
    format::aut::read(bytes)
        .map(format::unmarked)
        .map_err(|errors| errors.iter().map(format::aut::AutError::to_diagnostic).collect())
}

fn read_json(bytes: &[u8]) -> Result<WithRoles, Vec<Diagnostic>> {
    let diagnostic = |error: &format::json::JsonError| {
        Diagnostic::error(crate::explain::BAD_DOCUMENT, Span::new(0, 0), error.to_string())
    };
    format::json::read_with_roles(bytes).map_err(|errors| errors.iter().map(diagnostic).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_bytes_that_are_no_text_are_whole_characters() {
        let bytes = b"des (0,1,1)\n\xFF\xFE(0,\xC3\xA9\xC3\xA9";
        let project = Project::from_bytes("x.aut", bytes, Box::new(|_| Err("no imports".to_owned())));
        assert_eq!(project.text_of("x.aut"), "des (0,1,1)\n??(0,éé");
        // Inside of the first é.
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
