//! Questions to a tree that every language has: what stands directly in a node and where, which definition is at a
//! place, and which comments are marked.

use rely_base::Span;

use crate::{Kind, SyntaxNode, SyntaxToken};

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

/// Where a token stands in the text.
pub fn token_extent<K: Kind>(token: &SyntaxToken<K>) -> Span {
    let range = token.text_range();
    Span::new(range.start().into(), range.end().into())
}

/// The first node of a kind that stands directly in another node.
pub fn child<K: Kind>(node: &SyntaxNode<K>, kind: K) -> Option<SyntaxNode<K>> {
    children(node, kind).next()
}

/// The nodes of a kind that stand directly in another node.
pub fn children<K: Kind>(node: &SyntaxNode<K>, kind: K) -> impl Iterator<Item = SyntaxNode<K>> + use<K> {
    node.children().filter(move |child| child.kind() == kind)
}

/// The first token of a kind that stands directly in a node.
pub fn token<K: Kind>(node: &SyntaxNode<K>, kind: K) -> Option<SyntaxToken<K>> {
    tokens(node).find(|token| token.kind() == kind)
}

/// The tokens that stand directly in a node, without trivia.
pub fn tokens<K: Kind>(node: &SyntaxNode<K>) -> impl Iterator<Item = SyntaxToken<K>> + use<K> {
    node.children_with_tokens()
        .filter_map(|element| element.into_token())
        .filter(|token| !token.kind().is_trivia())
}

/// The comments of a kind that begin with a mark, such as `//!`, each with the place where it begins.
pub fn marked_comments<K: Kind>(root: &SyntaxNode<K>, kind: K, mark: &str) -> Vec<(String, u32)> {
    let tokens = root.descendants_with_tokens().filter_map(|element| element.into_token());
    let marked = tokens.filter(|token| token.kind() == kind && token.text().starts_with(mark));
    marked.map(|token| (token.text().to_owned(), token.text_range().start().into())).collect()
}
