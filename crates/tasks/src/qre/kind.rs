//! The tokens of quantified regular expressions.

use logos::Logos;
use rely_syntax::{Codes, Kind};

use crate::codes;

rely_syntax::kinds! {
    /// The kind of a token; the tree has one node, for the whole file.
    #[derive(Logos)]
    pub enum Token {
        #[regex(r"[ \t\n\r\f]+")] Blank,
        #[regex(r"//[^\n]*", allow_greedy = true)] Comment,
        Stray, EndOfText, File,
        #[token("for")] For,
        #[token("events")] Events,
        #[token("show")] Show,
        #[token("all")] All,
        #[token("no")] No,
        #[token("executions")] Executions,
        #[token("satisfy")] Satisfy,
        #[token("where")] Where,
        // An event of the program may have dots and a value: `car.open_doors`, `car.x==true`.
        #[regex(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)*(==?-?[A-Za-z0-9_]+)?")] Name,
        #[token("{")] OpenBrace,
        #[token("}")] CloseBrace,
        #[token("[")] OpenBracket,
        #[token("]")] CloseBracket,
        #[token("(")] Open,
        #[token(")")] Close,
        #[token(",")] Comma,
        #[token(";")] Semicolon,
        #[token("|")] Bar,
        #[token("*")] Star,
        #[token("+")] Plus,
        #[token("?")] Question,
        #[token(".")] Dot,
        #[token("-")] Minus,
        #[token("=")] Equal,
        #[token(":")] Colon,
    }
}

impl Kind for Token {
    const LANGUAGE: &'static str = "a quantified regular expression";
    const STRAY: Self = Self::Stray;
    const END_OF_TEXT: Self = Self::EndOfText;
    const FILE: Self = Self::File;
    const CODES: Codes = Codes {
        expected: codes::QRE_EXPECTED,
        stray: codes::STRAY_CHARACTER,
        no_text: codes::NO_TEXT,
        text_too_long: codes::TEXT_TOO_LONG,
        uncertain: &[],
        harmless: &[],
    };

    fn is_trivia(self) -> bool {
        matches!(self, Self::Blank | Self::Comment | Self::Stray)
    }

    fn is_keyword(self) -> bool {
        self.spelling().is_some_and(|spelling| spelling.starts_with(|c: char| c.is_ascii_lowercase()))
    }

    fn spelling(self) -> Option<&'static str> {
        Some(match self {
            Self::For => "for",
            Self::Events => "events",
            Self::Show => "show",
            Self::All => "all",
            Self::No => "no",
            Self::Executions => "executions",
            Self::Satisfy => "satisfy",
            Self::Where => "where",
            Self::OpenBrace => "{",
            Self::CloseBrace => "}",
            Self::OpenBracket => "[",
            Self::CloseBracket => "]",
            Self::Open => "(",
            Self::Close => ")",
            Self::Comma => ",",
            Self::Semicolon => ";",
            Self::Bar => "|",
            Self::Star => "*",
            Self::Plus => "+",
            Self::Question => "?",
            Self::Dot => ".",
            Self::Minus => "-",
            Self::Equal => "=",
            Self::Colon => ":",
            _ => return None,
        })
    }
}
