//! What could be typed at a place.

use std::collections::BTreeMap;

use rely_base::{Span, TokenClass};
use rely_model::NameClass;

use crate::Document;

/// A word that could stand at a place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Proposal {
    /// The word.
    pub word: String,
    /// What it is a name of; nothing for a reserved word.
    pub class: Option<NameClass>,
}

impl Document<'_> {
    /// The words that could stand at a byte, sorted, each once, and the place of what has been typed of one: names that are
    /// known there, actions of the text, and reserved words that it uses. Nothing inside of a comment or a string.
    pub fn completions(&self, byte: u32) -> (Span, Vec<Proposal>) {
        let nothing = (Span::new(byte, byte), Vec::new());
        let touching = self.tokens.iter().rfind(|token| token.span.start < byte && byte <= token.span.end);
        let typed = match touching {
            Some(token)
                if matches!(token.class, TokenClass::Comment | TokenClass::Text | TokenClass::Number) =>
            {
                return nothing;
            }
            Some(token) if matches!(token.class, TokenClass::Name | TokenClass::Keyword) => token.span,
            _ => Span::new(byte, byte),
        };
        let declaration = self.declaration_at(byte).map(|it| it.extent);
        let mut proposals: BTreeMap<&str, Option<NameClass>> = BTreeMap::new();
        for token in &self.tokens {
            if token.class == TokenClass::Keyword && token.span != typed {
                proposals.insert(self.at(token.span), None);
            }
        }
        for name in self.names.iter().filter(|name| name.place != typed) {
            let introduces = name.means == Some(name.place);
            let is_inside =
                declaration.is_some_and(|it| it.start <= name.place.start && name.place.end <= it.end);
            let is_known = match name.class {
                NameClass::Variable | NameClass::Parameter | NameClass::Local => introduces && is_inside,
                NameClass::Action | NameClass::Predefined => true,
                NameClass::Unknown => !self.knows_all_names,
                _ => introduces,
            };
            if is_known {
                proposals.insert(self.at(name.place), Some(name.class));
            }
        }
        let proposals = proposals.into_iter().map(|(word, class)| Proposal { word: word.to_owned(), class });
        (typed, proposals.collect())
    }
}
