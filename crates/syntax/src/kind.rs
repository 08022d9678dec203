//! The kinds of tokens and nodes of a language, and the trees over them.

use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;

use crate::Codes;

/// An enumeration whose values have numbers; [`kinds!`](crate::kinds) makes one.
pub trait Numbered: Copy + 'static {
    /// Every value, at the position of its number.
    const ALL: &'static [Self];

    /// The position of the value in [`Numbered::ALL`].
    fn number(self) -> u16;
}

/// The kinds of tokens and nodes of a language.
///
/// Several spellings may have one kind, so that the parser sees what was meant; the lexer reports a wrong spelling,
/// so one slip gives one message.
pub trait Kind: Numbered + Ord + Hash + Debug {
    /// What the language is called in messages.
    const LANGUAGE: &'static str;
    /// What begins a comment that ends with its line.
    const COMMENT: &'static str = "//";
    /// Characters that have no meaning in the language. They are trivia.
    const STRAY: Self;
    /// What is seen behind the last token.
    const END_OF_TEXT: Self;
    /// The root of the tree.
    const FILE: Self;
    /// The codes of the messages of the lexer and the parser.
    const CODES: Codes;

    /// Whether the parser passes over tokens of this kind: blanks, comments and stray characters.
    fn is_trivia(self) -> bool;

    /// Whether this is a reserved word.
    fn is_keyword(self) -> bool {
        false
    }

    /// Whether this is a string.
    fn is_string(self) -> bool {
        false
    }

    /// The one spelling that the language has for a token that always looks the same.
    fn spelling(self) -> Option<&'static str> {
        None
    }
}

/// The language of a tree, for rowan.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tree<K>(PhantomData<K>);

impl<K: Kind> rowan::Language for Tree<K> {
    type Kind = K;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> K {
        K::ALL[usize::from(raw.0)]
    }

    fn kind_to_raw(kind: K) -> rowan::SyntaxKind {
        rowan::SyntaxKind(kind.number())
    }
}

/// A node of a tree.
pub type SyntaxNode<K> = rowan::SyntaxNode<Tree<K>>;
/// A token of a tree.
pub type SyntaxToken<K> = rowan::SyntaxToken<Tree<K>>;

/// Defines the enumeration of the kinds of a language, with the numbers that a tree stores ([`Numbered`]).
#[macro_export]
macro_rules! kinds {
    ($(#[$outer:meta])* $visibility:vis enum $name:ident { $($(#[$attribute:meta])* $kind:ident),* $(,)? }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u16)]
        #[allow(missing_docs, reason = "each name is the token's or the production's")]
        $visibility enum $name {
            $($(#[$attribute])* $kind,)*
        }

        impl $crate::Numbered for $name {
            const ALL: &'static [Self] = &[$(Self::$kind,)*];

            fn number(self) -> u16 {
                self as u16
            }
        }
    };
}
