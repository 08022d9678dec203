//! Where a component is written, and how: the lines of its definition, as the author has them.
//!
//! **Problem.** Whoever reads that a property holds wants to see what was written, not what was made of it. The text of a
//! definition alone is often not enough: `property P = (put[i:R] -> …)` says little without `range R = 0..N`.
//!
//! **Idea.** The definition, the comment right above it, and every constant, range, set, fluent and formula that it
//! names, and what these name, in the order of the file. Names are found among the tokens of the lossless tree, so that
//! nothing has to be known about the places where a name may stand. Other processes are followed from a process that ends
//! with them, but not from a composite: that would be the whole model.
//!
//! **Complexity.** Linear in the text, and in the definitions for each component.
//!
//! **Callers.** `verify` and `verify_interface`, when a page is wanted.

use std::collections::{BTreeMap, BTreeSet};

use rely_fsp::syntax::{SyntaxKind, SyntaxNode};

use super::Explanation;
use crate::Project;
use crate::parts::process_of;

/// Where something is defined, and the lines that say what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The file.
    pub file: String,
    /// The first and the last line of the definition, from 1.
    pub place: (usize, usize),
    /// Lines with their numbers: the definition and what it rests on.
    pub lines: Vec<(usize, String)>,
}

/// Adds to the members of explanations where they are defined.
pub(crate) fn add_sources(explanations: &mut [Explanation], project: &Project) {
    let Some(definitions) = (!explanations.is_empty()).then(|| Definitions::of(project)).flatten() else {
        return;
    };
    for member in explanations.iter_mut().flat_map(|explanation| &mut explanation.members) {
        member.source = definitions.source(&member.name);
    }
}

/// The definitions of a file by name.
struct Definitions<'p> {
    project: &'p Project,
    /// The lines of the text.
    lines: Vec<&'p str>,
    /// Where two definitions have one name, the last counts.
    nodes: BTreeMap<String, SyntaxNode>,
}

impl<'p> Definitions<'p> {
    /// The definitions of a project in FSP.
    fn of(project: &'p Project) -> Option<Self> {
        let root = project.syntax()?;
        let named = |node: SyntaxNode| Some((defined_name(&node)?, node));
        let lines = project.text_of(project.name()).lines().collect();
        Some(Self { project, lines, nodes: root.children().filter_map(named).collect() })
    }

    /// Where a component is defined. Its name may be a path with a prefix and with parameters, as in
    /// `RING.node.1:NODE(1)`.
    fn source(&self, component: &str) -> Option<Source> {
        let name = process_of(component);
        let node = self.nodes.get(name)?;
        let place = self.place(node);
        let mut shown: BTreeSet<usize> = BTreeSet::new();
        for node in self.rests_on(name) {
            let (first, last) = self.place(node);
            shown.extend(first - self.comment_above(first)..=last);
        }
        let line = |number: usize| Some((number, (*self.lines.get(number - 1)?).to_owned()));
        let lines = shown.into_iter().filter_map(line).collect();
        Some(Source { file: self.project.name().to_owned(), place, lines })
    }

    /// The first and the last line of a node, without the blanks around it.
    fn place(&self, node: &SyntaxNode) -> (usize, usize) {
        let range = node.text_range();
        let place = self.project.place(rely_base::Span::new(range.start().into(), range.end().into()));
        (place.line, place.end_line)
    }

    /// How many lines of comment stand right above a line.
    fn comment_above(&self, line: usize) -> usize {
        let above = self.lines.iter().take(line - 1).rev();
        above.take_while(|text| text.trim_start().starts_with("//")).count()
    }

    /// The definitions that one rests on, with itself.
    fn rests_on(&self, name: &str) -> Vec<&SyntaxNode> {
        let mut known: BTreeSet<&str> = BTreeSet::new();
        let mut open: Vec<&str> =
            self.nodes.get_key_value(name).map(|(name, _)| name.as_str()).into_iter().collect();
        while let Some(name) = open.pop() {
            let Some(node) = self.nodes.get(name).filter(|_| known.insert(name)) else { continue };
            let mentioned = node.descendants_with_tokens().filter_map(|element| element.into_token());
            let mentioned: BTreeSet<String> = mentioned
                .filter(|token| token.kind() == SyntaxKind::Upper)
                .map(|token| token.text().to_owned())
                .collect();
            let is_followed = |other: &SyntaxNode| match other.kind() {
                SyntaxKind::ProcessDef => node.kind() == SyntaxKind::ProcessDef,
                SyntaxKind::CompositeDef => false,
                _ => true,
            };
            let further = mentioned.iter().filter_map(|name| self.nodes.get_key_value(name));
            open.extend(further.filter(|(_, other)| is_followed(other)).map(|(name, _)| name.as_str()));
        }
        known.into_iter().filter_map(|name| self.nodes.get(name)).collect()
    }
}

/// What a definition defines. The first local process of a process has its name.
fn defined_name(node: &SyntaxNode) -> Option<String> {
    let upper = |node: &SyntaxNode| {
        let mut tokens = node.descendants_with_tokens().filter_map(|element| element.into_token());
        tokens.find(|token| token.kind() == SyntaxKind::Upper).map(|token| token.text().to_owned())
    };
    match node.kind() {
        SyntaxKind::ConstDef
        | SyntaxKind::RangeDef
        | SyntaxKind::SetDef
        | SyntaxKind::ProcessDef
        | SyntaxKind::CompositeDef
        | SyntaxKind::ImportDef
        | SyntaxKind::FluentDef
        | SyntaxKind::AssertDef => upper(node),
        _ => None,
    }
}
