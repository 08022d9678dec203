//! What the textual languages share: cutting a text into tokens, parsing with recovery, lossless trees, codes of
//! diagnostics with their explanations, and the name that was probably meant.
//!
//! A language has one enumeration of the kinds of its tokens and nodes ([`kinds!`] and [`Kind`]). [`lex`] cuts the text,
//! a [`Parser`] reads the tokens, and [`Parser::finish`] gives the tree. Parsing never fails: whatever the text is, its
//! tree has every character of it, and all mistakes are collected. This is a language of sums, `1 + 2 + 3`:
//!
//! ```
//! use logos::Logos;
//! use rely_base::Code;
//! use rely_syntax::{Codes, Kind, Parser, SyntaxNode, lex};
//!
//! rely_syntax::kinds! {
//!     #[derive(Logos)]
//!     enum Sum {
//!         #[regex(r"[ \n]+")] Blank,
//!         Stray, EndOfText,
//!         #[regex(r"[0-9]+")] Int,
//!         #[token("+")] Plus,
//!         File, Operand,
//!     }
//! }
//!
//! impl Kind for Sum {
//!     const LANGUAGE: &'static str = "a sum";
//!     const STRAY: Self = Sum::Stray;
//!     const END_OF_TEXT: Self = Sum::EndOfText;
//!     const FILE: Self = Sum::File;
//!     const CODES: Codes = Codes { expected: Code("E9001"), stray: Code("E9002"), no_text: Code("E9003"),
//!         text_too_long: Code("E9004"), uncertain: &[], harmless: &[] };
//!     fn is_trivia(self) -> bool { matches!(self, Sum::Blank | Sum::Stray) }
//! }
//!
//! let text = "1 + 2 + ";
//! let (tokens, mut diagnostics) = lex::<Sum>(text, |_, _, _| None);
//! let mut p = Parser::<Sum>::new(text, &tokens);
//! let file = p.start();
//! loop {
//!     let operand = p.start();
//!     if !p.eat(Sum::Int) { p.expected("a number"); }
//!     p.complete(operand, Sum::Operand);
//!     if !p.eat(Sum::Plus) { break; }
//! }
//! p.complete(file, Sum::File);
//! let read = p.finish(&tokens);
//! diagnostics.extend(read.diagnostics);
//! assert_eq!(SyntaxNode::<Sum>::new_root(read.root).text(), text);
//! assert_eq!(diagnostics[0].message, "expected a number, found the end of the text");
//! ```
//!
//! Nothing here knows what a text means, or any of the languages.

mod build;
mod classify;
mod codes;
mod infix;
mod kind;
mod lexer;
mod limits;
mod nearest;
mod parser;
mod read;
mod tree;

pub use classify::classify;
pub use codes::Codes;
pub use infix::{Infix, infix, infix_after, operand};
pub use kind::{Kind, Numbered, SyntaxNode, SyntaxToken, Tree};
pub use lexer::{Lexed, Token, invisible_character, lex, lex_counting, offset};
pub use limits::{
    MAX_DEPTH, MAX_DIAGNOSTICS, MAX_HEIGHT, MAX_TEXT, say_how_many_more, settle, shorten, text_too_long,
};
pub use nearest::nearest;
pub use parser::{Completed, Marker, Parser, Read};
pub use read::{ReadText, read_text};
pub use rely_base::Explanation;
pub use tree::{Definitions, child, children, extent, marked_comments, token, token_extent, tokens};
