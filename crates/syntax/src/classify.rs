//! Tokens as they are shown: the same few classes for every language.

use rely_base::{SourceToken, TokenClass};

use crate::{Kind, Token};

/// The tokens of a text without blanks, each with its class.
pub fn classify<K: Kind>(text: &str, tokens: &[Token<K>]) -> Vec<SourceToken> {
    let classified = tokens.iter().filter_map(|token| {
        let word = text.get(token.span.start as usize..token.span.end as usize)?;
        Some(SourceToken { span: token.span, class: class_of(token.kind, word)? })
    });
    classified.collect()
}

/// The class of a token; nothing for blanks and for characters that mean nothing.
fn class_of<K: Kind>(kind: K, word: &str) -> Option<TokenClass> {
    let first = word.chars().next()?;
    Some(match kind {
        _ if kind.is_trivia() && (word.starts_with(K::COMMENT) || word.starts_with("/*")) => {
            TokenClass::Comment
        }
        _ if kind.is_trivia() => return None,
        _ if kind.is_keyword() => TokenClass::Keyword,
        _ if kind.is_string() => TokenClass::Text,
        _ if first.is_ascii_digit() => TokenClass::Number,
        _ if first.is_alphabetic() || first == '_' => TokenClass::Name,
        _ => TokenClass::Sign,
    })
}
