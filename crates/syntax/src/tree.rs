//! Questions to a tree that every language has: which definition stands where, and which comments are marked.

use rely_base::Span;

use crate::{Kind, SyntaxNode};

/// The definitions of a text: the children of the root of its tree.
pub struct Definitions<K: Kind> {
    nodes: Vec<SyntaxNode<K>>,
}

impl<K: Kind> Definitions<K> {
    /// The definitions below a root.
    pub fn of(root: &SyntaxNode<K>) -> Self {
        Self { nodes: root.children().collect() }
    }

    /// The definition that a place is in.
    pub fn at(&self, place: Span) -> Option<&SyntaxNode<K>> {
        let after = self.nodes.partition_point(|node| extent(node).start <= place.start);
        self.nodes.get(after.checked_sub(1)?)
    }
}

/// Where a node stands in the text.
pub fn extent<K: Kind>(node: &SyntaxNode<K>) -> Span {
    let range = node.text_range();
    Span::new(range.start().into(), range.end().into())
}

/// The comments of a kind that begin with a mark, such as `//!`, each with the place where it begins.
pub fn marked_comments<K: Kind>(root: &SyntaxNode<K>, kind: K, mark: &str) -> Vec<(String, u32)> {
    let tokens = root.descendants_with_tokens().filter_map(|element| element.into_token());
    let marked = tokens.filter(|token| token.kind() == kind && token.text().starts_with(mark));
    marked.map(|token| (token.text().to_owned(), token.text_range().start().into())).collect()
}
