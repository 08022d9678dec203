//! The definition of a component in the text.
//!
//! **Problem.** A reader of a result wants to see the original text, not what was made of it. The text of a
//! definition alone is often not enough: `property P = (put[i:R] -> …)` says little without `range R = 0..N`.
//!
//! **Idea.** The definition, the comment right above it, and every constant, range, set, fluent and formula that it
//! names, and what these name, in the order of the file ([`rests_on`]).
//!
//! **Complexity.** Linear in the text, and in the definitions for each component.
//!
//! **Callers.** `verify` and `verify_interface`, when a page is wanted.

use std::collections::BTreeSet;

use rely_model::{Declaration, PartTable, rests_on};

use super::Explanation;
use crate::Project;

/// The place of a definition, and the lines that are needed to understand it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The file.
    pub file: String,
    /// The first and the last line of the definition, from 1.
    pub place: (usize, usize),
    /// Lines with their numbers: the definition and those that it depends on.
    pub lines: Vec<(usize, String)>,
}

/// Adds to the members of explanations the definitions that they are instances of, and their places.
pub(crate) fn add_sources(explanations: &mut [Explanation], project: &Project, table: &PartTable) {
    if explanations.is_empty() {
        return;
    }
    let definitions = Definitions { project, lines: project.text_of(project.name()).lines().collect() };
    for member in explanations.iter_mut().flat_map(|explanation| &mut explanation.members) {
        member.definition = table.definition(&member.name).to_owned();
        member.source = definitions.source(&member.definition);
    }
}

/// The definitions of a file.
struct Definitions<'p> {
    project: &'p Project,
    /// The lines of the text.
    lines: Vec<&'p str>,
}

impl Definitions<'_> {
    /// The definition with a name.
    fn source(&self, name: &str) -> Option<Source> {
        let needed = rests_on(self.project.declarations(), name);
        let place = self.place(needed.iter().find(|it| &*it.name == name)?);
        let mut shown: BTreeSet<usize> = BTreeSet::new();
        for declaration in needed {
            let (first, last) = self.place(declaration);
            shown.extend(first - self.comment_above(first)..=last);
        }
        let line = |number: usize| Some((number, (*self.lines.get(number - 1)?).to_owned()));
        let lines = shown.into_iter().filter_map(line).collect();
        Some(Source { file: self.project.name().to_owned(), place, lines })
    }

    /// The first and the last line of a declaration.
    fn place(&self, declaration: &Declaration) -> (usize, usize) {
        let place = self.project.place(declaration.extent);
        (place.line, place.end_line)
    }

    /// The number of comment lines right above a line.
    fn comment_above(&self, line: usize) -> usize {
        let above = self.lines.iter().take(line - 1).rev();
        above.take_while(|text| text.trim_start().starts_with("//")).count()
    }
}
