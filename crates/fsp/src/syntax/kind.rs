//! The kinds of tokens and nodes of the syntax tree, and the rules by which text is cut into tokens.
//!
//! Several spellings may have one kind: `=>` is read as the arrow `->` that was meant, and reported by the lexer. The
//! parser then sees what was meant, and one slip gives one message.

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
    /// Characters that have no meaning in FSP.
    Stray,
    /// What is seen behind the last token.
    EndOfText,

    // Names and literals.
    #[regex(r"[A-Z][A-Za-z0-9_\p{L}]*")]
    Upper,
    #[regex(r"[a-z_][A-Za-z0-9_\p{L}]*")]
    Lower,
    #[regex(r"[0-9]+|0[xX][0-9A-Fa-f]*")]
    Int,
    #[regex(r#""[^"\n]*"?"#)]
    #[regex(r"[“”„][^“”„\x22\n]*[“”„\x22]")]
    Text,

    // Keywords.
    #[token("const")]
    ConstKw,
    #[token("property")]
    PropertyKw,
    #[token("range")]
    RangeKw,
    #[token("if")]
    IfKw,
    #[token("then")]
    ThenKw,
    #[token("else")]
    ElseKw,
    #[token("forall")]
    ForallKw,
    #[token("when")]
    WhenKw,
    #[token("set")]
    SetKw,
    #[token("progress")]
    ProgressKw,
    #[token("menu")]
    MenuKw,
    #[token("animation")]
    AnimationKw,
    #[token("actions")]
    ActionsKw,
    #[token("controls")]
    ControlsKw,
    #[token("deterministic")]
    DeterministicKw,
    #[token("minimal")]
    MinimalKw,
    #[token("compose")]
    ComposeKw,
    #[token("target")]
    TargetKw,
    #[token("import")]
    ImportKw,
    #[token("assert")]
    AssertKw,
    #[token("fluent")]
    FluentKw,
    #[token("exists")]
    ExistsKw,
    #[token("rigid")]
    RigidKw,
    #[token("constraint")]
    ConstraintKw,
    #[token("initially")]
    InitiallyKw,

    // Punctuation and operators.
    #[token("->")]
    #[token("-->")]
    #[token("--->")]
    #[token("=>")]
    #[token("==>")]
    #[token("–>")]
    #[token("—>")]
    #[token("−>")]
    #[token("→")]
    #[token("⇒")]
    Arrow,
    #[token("<->")]
    #[token("<=>")]
    #[token("↔")]
    #[token("⇔")]
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
    #[token("::")]
    ColonColon,
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
    #[token("□")]
    Always,
    #[token("<>")]
    #[token("◇")]
    #[token("♢")]
    Eventually,
    #[token("||")]
    #[token("‖")]
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
    #[token("^")]
    Caret,
    #[token("==")]
    EqualEqual,
    #[token("=")]
    #[token(":=")]
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
    #[token("<<")]
    ShiftLeft,
    #[token("<")]
    Less,
    #[token(">=")]
    #[token("≥")]
    GreaterEqual,
    #[token(">>")]
    ShiftRight,
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
    #[token("\\")]
    Backslash,
    #[token("@")]
    At,
    #[token("#")]
    Hash,
    #[token("'")]
    #[token("’")]
    #[token("‘")]
    Quote,
    #[token("?")]
    Question,
    #[token("~")]
    Tilde,

    // Nodes: definitions.
    File,
    ConstDef,
    RangeDef,
    SetDef,
    ProcessDef,
    CompositeDef,
    ImportDef,
    ProgressDef,
    MenuDef,
    AnimationDef,
    FluentDef,
    AssertDef,
    Name,
    ParamList,
    Param,
    // Nodes: processes.
    LocalDef,
    Indices,
    Goto,
    IfBody,
    Choice,
    Branch,
    Guard,
    Call,
    Arguments,
    Extension,
    RelabelList,
    RelabelPair,
    RelabelForall,
    Hiding,
    // Nodes: labels.
    Label,
    NamePart,
    SetPart,
    IndexPart,
    BindPart,
    Mark,
    SetExpr,
    SetLiteral,
    // Nodes: composites.
    CompositeIf,
    CompositeForall,
    Instance,
    Share,
    Prefix,
    Parallel,
    Priority,
    // Nodes: formulas.
    UnaryFormula,
    BinaryFormula,
    NamedFormula,
    ActionFormula,
    ParenFormula,
    QuantifiedFormula,
    RigidFormula,
    // Nodes: expressions.
    IntExpr,
    NameExpr,
    LabelExpr,
    SizeExpr,
    SelectExpr,
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
    const LANGUAGE: &'static str = "FSP";
    const STRAY: Self = Self::Stray;
    const END_OF_TEXT: Self = Self::EndOfText;
    const FILE: Self = Self::File;
    const CODES: Codes = Codes {
        expected: codes::EXPECTED,
        stray: codes::STRAY_CHARACTER,
        no_text: codes::NO_TEXT,
        text_too_long: codes::TEXT_TOO_LONG,
        uncertain: super::parser::UNCERTAIN,
        harmless: super::parser::HARMLESS,
    };

    fn is_string(self) -> bool {
        self == Self::Text
    }

    fn is_trivia(self) -> bool {
        matches!(self, Self::Blank | Self::LineComment | Self::BlockComment | Self::Stray)
    }

    fn is_keyword(self) -> bool {
        (Self::ConstKw..=Self::InitiallyKw).contains(&self)
    }

    fn spelling(self) -> Option<&'static str> {
        Some(match self {
            Self::Arrow => "->",
            Self::DoubleArrow => "<->",
            Self::DotDot => "..",
            Self::Dot => ".",
            Self::Comma => ",",
            Self::Semicolon => ";",
            Self::ColonColon => "::",
            Self::Colon => ":",
            Self::LeftParen => "(",
            Self::RightParen => ")",
            Self::LeftBrace => "{",
            Self::RightBrace => "}",
            Self::LeftBracket => "[",
            Self::RightBracket => "]",
            Self::Always => "[]",
            Self::Eventually => "<>",
            Self::BarBar => "||",
            Self::Bar => "|",
            Self::AmpAmp => "&&",
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Not => "!",
            Self::LessEqual => "<=",
            Self::Less => "<",
            Self::GreaterEqual => ">=",
            Self::Greater => ">",
            Self::Minus => "-",
            Self::Slash => "/",
            Self::Quote => "'",
            Self::ThenKw => "then",
            _ => return None,
        })
    }
}
