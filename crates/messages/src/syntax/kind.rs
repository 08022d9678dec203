//! The kinds of tokens and nodes of the syntax tree, and the rules by which text is cut into tokens.
//!
//! Several spellings may give one kind: `=>` is read as the arrow `->` that was meant, and the lexer says so.

use logos::Logos;
use rely_syntax::{Codes, Kind};

use crate::codes;

rely_syntax::kinds! {
    /// The kind of a token or of a node.
    #[derive(Logos)]
    pub enum SyntaxKind {
    // Trivia.
    #[regex(r"[ \t\n\r\f\u{a0}\u{feff}\u{200b}\u{2028}\u{2029}]+")]
    Blank,
    #[regex(r"//[^\n]*", allow_greedy = true)]
    LineComment,
    #[token("/*", to_end_of_comment)]
    BlockComment,
    /// Characters that mean nothing.
    Stray,
    /// What is seen behind the last token.
    EndOfText,

    // Names and literals.
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Ident,
    #[regex(r"[0-9]+")]
    Int,
    #[regex(r#""[^"\n]*"?"#)]
    Text,

    // Keywords.
    #[token("any")]
    AnyKw,
    #[token("assuming")]
    AssumingKw,
    #[token("bool")]
    BoolKw,
    #[token("component")]
    ComponentKw,
    #[token("const")]
    ConstKw,
    #[token("else")]
    ElseKw,
    #[token("false")]
    FalseKw,
    #[token("final")]
    FinalKw,
    #[token("if")]
    IfKw,
    #[token("import")]
    ImportKw,
    #[token("input")]
    InputKw,
    #[token("on")]
    OnKw,
    #[token("output")]
    OutputKw,
    #[token("process")]
    ProcessKw,
    #[token("property")]
    PropertyKw,
    #[token("queue")]
    QueueKw,
    #[token("range")]
    RangeKw,
    #[token("send")]
    SendKw,
    #[token("state")]
    StateKw,
    #[token("true")]
    TrueKw,
    #[token("type")]
    TypeKw,
    #[token("visible")]
    VisibleKw,

    // Punctuation and operators.
    #[token("->")]
    #[token("-->")]
    #[token("=>")]
    #[token("→")]
    #[token("⇒")]
    Arrow,
    #[token("<->")]
    #[token("<=>")]
    #[token("↔")]
    DoubleArrow,
    #[token("..")]
    #[token("...")]
    #[token("…")]
    DotDot,
    #[token(".")]
    Dot,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":=")]
    Assign,
    #[token(":")]
    Colon,
    #[token("(")]
    LeftParen,
    #[token(")")]
    RightParen,
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token("[]")]
    Always,
    #[token("<>")]
    Eventually,
    #[token("||")]
    #[token("∥")]
    #[token("∨")]
    BarBar,
    #[token("|")]
    Bar,
    #[token("&&")]
    #[token("∧")]
    AmpAmp,
    #[token("&")]
    Amp,
    #[token("==")]
    EqualEqual,
    #[token("=")]
    Equal,
    #[token("!=")]
    #[token("≠")]
    NotEqual,
    #[token("!")]
    #[token("¬")]
    Not,
    #[token("<=")]
    #[token("≤")]
    LessEqual,
    #[token("<")]
    Less,
    #[token(">=")]
    #[token("≥")]
    GreaterEqual,
    #[token(">")]
    Greater,
    #[token("+")]
    Plus,
    #[token("-")]
    #[token("–")]
    #[token("−")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,

    // Nodes: definitions.
    File,
    ConstDef,
    RangeDef,
    TypeDef,
    ImportDef,
    ComponentDef,
    Name,
    // Nodes: members of components and processes.
    InputList,
    OutputList,
    Message,
    Param,
    QueueBound,
    ProcessDef,
    Variable,
    State,
    Block,
    Transition,
    Sources,
    Patterns,
    Pattern,
    PropertyDef,
    Assuming,
    TemplateClaim,
    TemplatePart,
    FormulaClaim,
    // Nodes: compositions.
    Part,
    Wiring,
    // Nodes: statements.
    AssignStmt,
    SendStmt,
    IfStmt,
    // Nodes: types and expressions.
    Type,
    Path,
    PathPart,
    Index,
    Arguments,
    IntExpr,
    BoolExpr,
    AnyExpr,
    PathExpr,
    UnaryExpr,
    BinaryExpr,
    ParenExpr,
    /// What could not be read.
    Unreadable,
    }
}

/// A block comment runs to the first `*/`, or to the end of the text.
fn to_end_of_comment(lexer: &mut logos::Lexer<'_, SyntaxKind>) {
    let rest = lexer.remainder();
    lexer.bump(rest.find("*/").map_or(rest.len(), |end| end + 2));
}

impl Kind for SyntaxKind {
    const LANGUAGE: &'static str = "the language of message components";
    const STRAY: Self = Self::Stray;
    const END_OF_TEXT: Self = Self::EndOfText;
    const FILE: Self = Self::File;
    const CODES: Codes = Codes {
        expected: codes::EXPECTED,
        stray: codes::STRAY_CHARACTER,
        no_text: codes::NO_TEXT,
        text_too_long: codes::TEXT_TOO_LONG,
        uncertain: codes::UNCERTAIN,
        harmless: codes::HARMLESS,
    };

    fn is_string(self) -> bool {
        self == Self::Text
    }

    fn is_trivia(self) -> bool {
        matches!(self, Self::Blank | Self::LineComment | Self::BlockComment | Self::Stray)
    }

    fn is_keyword(self) -> bool {
        (Self::AnyKw..=Self::VisibleKw).contains(&self)
    }

    fn spelling(self) -> Option<&'static str> {
        Some(match self {
            Self::Arrow => "->",
            Self::DoubleArrow => "<->",
            Self::DotDot => "..",
            Self::Dot => ".",
            Self::Comma => ",",
            Self::Semicolon => ";",
            Self::Assign => ":=",
            Self::Colon => ":",
            Self::LeftParen => "(",
            Self::RightParen => ")",
            Self::LeftBrace => "{",
            Self::RightBrace => "}",
            Self::LeftBracket => "[",
            Self::RightBracket => "]",
            Self::BarBar => "||",
            Self::AmpAmp => "&&",
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Not => "!",
            Self::LessEqual => "<=",
            Self::GreaterEqual => ">=",
            Self::Minus => "-",
            Self::OnKw => "on",
            Self::StateKw => "state",
            _ => return None,
        })
    }
}
