//! From the parser's events to the tree; blanks and comments are put back in.
//!
//! Trivia before a node stay outside of it, so a node begins with its first token and ends with its last.

use rowan::{GreenNode, GreenNodeBuilder, Language};

use crate::parser::Event;
use crate::{Kind, Token, Tree};

/// Builds the tree that the events describe over all the tokens of the text.
pub(crate) fn build<K: Kind>(text: &str, tokens: &[Token<K>], mut events: Vec<Event<K>>) -> GreenNode {
    let mut builder = Builder { text, tokens, next: 0, tree: GreenNodeBuilder::new() };
    // The nodes that begin at one event, innermost first.
    let mut opened = Vec::new();
    for i in 0..events.len() {
        match std::mem::replace(&mut events[i], Event::Abandoned) {
            Event::Abandoned => {}
            Event::Start { kind, parent } => {
                opened.push(kind);
                let mut parent = parent;
                while let Some(at) = parent {
                    let Event::Start { kind, parent: next } =
                        std::mem::replace(&mut events[at as usize], Event::Abandoned)
                    else {
                        break;
                    };
                    opened.push(kind);
                    parent = next;
                }
                for kind in opened.drain(..).rev() {
                    builder.start(kind);
                }
            }
            Event::Token => builder.token(),
            Event::Finish => builder.finish(i + 1 == events.len()),
        }
    }
    builder.tree.finish()
}

struct Builder<'t, K> {
    text: &'t str,
    tokens: &'t [Token<K>],
    /// The first token that is not in the tree yet.
    next: usize,
    tree: GreenNodeBuilder<'static>,
}

impl<K: Kind> Builder<'_, K> {
    fn start(&mut self, kind: K) {
        if kind != K::FILE {
            self.trivia();
        }
        self.tree.start_node(Tree::<K>::kind_to_raw(kind));
    }

    fn finish(&mut self, is_root: bool) {
        if is_root {
            self.trivia();
        }
        self.tree.finish_node();
    }

    fn token(&mut self) {
        self.trivia();
        self.push();
    }

    fn trivia(&mut self) {
        while self.tokens.get(self.next).is_some_and(|token| token.kind.is_trivia()) {
            self.push();
        }
    }

    fn push(&mut self) {
        let token = self.tokens[self.next];
        let text = &self.text[token.span.start as usize..token.span.end as usize];
        self.tree.token(Tree::<K>::kind_to_raw(token.kind), text);
        self.next += 1;
    }
}
