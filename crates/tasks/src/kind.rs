//! The kinds of tokens of the language, and the rules by which a text is cut into them.
//!
//! Ada does not distinguish upper and lower case, in reserved words as in names. All reserved words of Ada are known
//! here, those included that the subset has no use for: they cannot be names, and the parser says what to write instead.

use logos::Logos;
use rely_syntax::{Codes, Kind};

use crate::codes;

/// Defines the kinds, and the spelling of those that always look the same.
macro_rules! kinds {
    (words { $($word:ident = $spelling:literal,)* } signs { $($sign:ident = $text:literal,)* }) => {
        rely_syntax::kinds! {
            /// The kind of a token; the tree has one node, for the whole file.
            #[derive(Logos)]
            pub enum Token {
                #[regex(r"[ \t\n\r\f\u{a0}\u{feff}\u{200b}\u{2028}\u{2029}]+")]
                Blank,
                #[regex(r"--[^\n]*", allow_greedy = true)]
                Comment,
                Stray,
                EndOfText,
                File,
                #[regex(r"[A-Za-z\p{L}][A-Za-z0-9_\p{L}]*")]
                Name,
                #[regex(r"[0-9][0-9_]*(#[0-9A-Fa-f_]+#)?([eE][0-9]+)?")]
                Int,
                #[regex(r"[0-9][0-9_]*\.[0-9][0-9_]*([eE][+-]?[0-9]+)?")]
                Real,
                #[regex(r#""([^"\n]|"")*"?"#)]
                Text,
                #[regex(r"'[^'\n]'")]
                Character,
                $(#[token($spelling, ignore(case))] $word,)*
                $(#[token($text)] $sign,)*
            }
        }

        impl Token {
            fn word(self) -> Option<&'static str> {
                match self {
                    $(Self::$word => Some($spelling),)*
                    _ => None,
                }
            }

            fn sign(self) -> Option<&'static str> {
                match self {
                    $(Self::$sign => Some($text),)*
                    _ => None,
                }
            }
        }
    };
}

kinds! {
    words {
        Abort = "abort", Abs = "abs", Abstract = "abstract", Accept = "accept", Access = "access",
        Aliased = "aliased", All = "all", And = "and", Array = "array", At = "at", Begin = "begin", Body = "body",
        Case = "case", Constant = "constant", Declare = "declare", Delay = "delay", Delta = "delta",
        Digits = "digits", Do = "do", Else = "else", Elsif = "elsif", End = "end", Entry = "entry",
        Exception = "exception", Exit = "exit", For = "for", Function = "function", Generic = "generic",
        Goto = "goto", If = "if", In = "in", Interface = "interface", Is = "is", Limited = "limited",
        Loop = "loop", Mod = "mod", New = "new", Not = "not", Null = "null", Of = "of", Or = "or",
        Others = "others", Out = "out", Overriding = "overriding", Package = "package", Pragma = "pragma",
        Private = "private", Procedure = "procedure", Protected = "protected", Raise = "raise", Range = "range",
        Record = "record", Rem = "rem", Renames = "renames", Requeue = "requeue", Return = "return",
        Reverse = "reverse", Select = "select", Separate = "separate", SomeWord = "some", Subtype = "subtype",
        Synchronized = "synchronized", Tagged = "tagged", Task = "task", Terminate = "terminate",
        Then = "then", Type = "type", Until = "until", Use = "use", When = "when", While = "while",
        With = "with", Xor = "xor",
    }
    signs {
        Becomes = ":=", Arrow = "=>", DotDot = "..", Power = "**", Equal = "=", NotEqual = "/=", LessEqual = "<=",
        GreaterEqual = ">=", LabelOpen = "<<", LabelClose = ">>", Diamond = "<>", Less = "<", Greater = ">",
        Plus = "+", Minus = "-", Times = "*", Divide = "/", Ampersand = "&", Tick = "'", Open = "(", Close = ")",
        Comma = ",", Semicolon = ";", Colon = ":", Dot = ".", Bar = "|",
    }
}

impl Kind for Token {
    const LANGUAGE: &'static str = "Ada";
    const COMMENT: &'static str = "--";
    const STRAY: Self = Self::Stray;
    const END_OF_TEXT: Self = Self::EndOfText;
    const FILE: Self = Self::File;
    const CODES: Codes = Codes {
        expected: codes::EXPECTED,
        stray: codes::STRAY_CHARACTER,
        no_text: codes::NO_TEXT,
        text_too_long: codes::TEXT_TOO_LONG,
        uncertain: &[],
        harmless: &[codes::END_NAME, codes::OUTSIDE],
    };

    fn is_trivia(self) -> bool {
        matches!(self, Self::Blank | Self::Comment | Self::Stray)
    }

    fn is_keyword(self) -> bool {
        self.word().is_some()
    }

    fn is_string(self) -> bool {
        self == Self::Text
    }

    fn spelling(self) -> Option<&'static str> {
        self.word().or_else(|| self.sign())
    }
}
