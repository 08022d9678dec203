//! The kinds of tokens and nodes of the syntax tree, and the rules by which text is cut into tokens.
//!
//! Several spellings may give one kind: `&&` is read as the `&` that was meant, and the lexer says so. The parser then
//! sees what the user had in mind, and one slip gives one message.

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
    /// Characters that mean nothing in the language.
    Stray,
    /// What is seen behind the last token.
    EndOfText,

    // Names and literals.
    #[regex(r"[A-Z][A-Za-z0-9_\p{L}]*")]
    Upper,
    #[regex(r"[a-z_][A-Za-z0-9_\p{L}]*")]
    Lower,
    #[regex(r"[0-9]+")]
    Int,

    // Keywords.
    #[token("const")]
    ConstKw,
    #[token("range")]
    RangeKw,
    #[token("system")]
    SystemKw,
    #[token("input")]
    InputKw,
    #[token("output")]
    OutputKw,
    #[token("takes")]
    TakesKw,
    #[token("gives")]
    GivesKw,
    #[token("machine")]
    MachineKw,
    #[token("state")]
    StateKw,
    #[token("component")]
    ComponentKw,
    #[token("property")]
    PropertyKw,
    #[token("assume")]
    AssumeKw,
    #[token("at")]
    AtKw,
    #[token("macrostep")]
    MacrostepKw,
    #[token("microstep")]
    MicrostepKw,
    #[token("on")]
    OnKw,
    #[token("old")]
    OldKw,
    #[token("after")]
    AfterKw,
    #[token("from")]
    FromKw,
    #[token("forall")]
    ForallKw,
    #[token("exists")]
    ExistsKw,
    #[token("true")]
    TrueKw,
    #[token("false")]
    FalseKw,
    #[token("ms")]
    MsKw,

    // Punctuation and operators.
    #[token("->")]
    #[token("-->")]
    #[token("–>")]
    #[token("−>")]
    #[token("→")]
    Arrow,
    #[token("=>")]
    #[token("==>")]
    #[token("⇒")]
    Implies,
    #[token("<=>")]
    #[token("<->")]
    #[token("⇔")]
    #[token("↔")]
    Iff,
    #[token("..")]
    #[token("...")]
    #[token("…")]
    DotDot,
    #[token(".")]
    Dot,
    #[token(",")]
    Comma,
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
    #[token("|")]
    #[token("||")]
    #[token("∨")]
    Bar,
    #[token("&")]
    #[token("&&")]
    #[token("∧")]
    Amp,
    #[token("!")]
    #[token("¬")]
    #[token("~")]
    Not,
    #[token("=")]
    #[token(":=")]
    Equal,
    #[token("==")]
    EqualEqual,
    #[token("!=")]
    #[token("≠")]
    NotEqual,
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
    #[token(";")]
    Semicolon,

    // Nodes: definitions.
    File,
    ConstDef,
    RangeDef,
    SystemDef,
    ParamList,
    Param,
    EventsDef,
    EventDecl,
    MachineDef,
    StateDef,
    ComponentDef,
    PropertyDef,
    AssumeDef,
    /// A rule as it is mined: `never a with b`, `a, b: only in microstep 3`
    Rule,
    /// The events that a rule is about.
    RuleEvents,
    /// The events without which the others never are.
    RuleWithout,
    /// `after a with b`, `after a macrostep without c`
    RuleAfter,
    /// `in microsteps 1 and 2`
    RuleWhen,
    Transition,
    /// The state before or behind the arrow of a transition.
    StateRef,
    /// `on …`
    Condition,
    /// `/ …`
    Outputs,
    /// `at macrostep`, `at microstep 3`
    Instant,
    /// `from …`
    Sources,
    /// The name that a definition gives.
    Name,
    /// `[i: 1..N]`
    Binder,
    /// `[1..N]` or `[2]`
    Index,
    /// One value, or the two bounds of a range.
    Domain,
    // Nodes: expressions.
    IntExpr,
    /// `true`, `false` or `ms`
    WordExpr,
    Path,
    Segment,
    UnaryExpr,
    BinaryExpr,
    ParenExpr,
    QuantifiedExpr,
    /// What could not be read.
    Unreadable,
    }
}

/// A block comment runs to the first `*/`, or to the end of the text.
fn to_end_of_comment(lexer: &mut logos::Lexer<'_, SyntaxKind>) {
    let rest = lexer.remainder();
    lexer.bump(rest.find("*/").map_or(rest.len(), |end| end + 2));
}

impl SyntaxKind {
    /// Whether a name may be spelled like this where a state is named: states are often called `on`.
    pub(crate) fn names_state(self) -> bool {
        self == Self::Lower || self.is_keyword()
    }
}

impl Kind for SyntaxKind {
    const LANGUAGE: &'static str = "a system of reactive machines";
    const STRAY: Self = Self::Stray;
    const END_OF_TEXT: Self = Self::EndOfText;
    const FILE: Self = Self::File;
    const CODES: Codes = Codes {
        expected: codes::EXPECTED,
        stray: codes::STRAY_CHARACTER,
        no_text: codes::NO_TEXT,
        text_too_long: codes::TEXT_TOO_LONG,
        uncertain: &[codes::UNCLOSED_BRACKET],
        harmless: &[codes::CASE, codes::SEPARATOR, codes::LOOK_ALIKE, codes::MISPLACED],
    };

    fn is_trivia(self) -> bool {
        matches!(self, Self::Blank | Self::LineComment | Self::BlockComment | Self::Stray)
    }

    fn is_keyword(self) -> bool {
        (Self::ConstKw..=Self::MsKw).contains(&self)
    }

    fn spelling(self) -> Option<&'static str> {
        Some(match self {
            Self::Arrow => "->",
            Self::Implies => "=>",
            Self::Iff => "<=>",
            Self::DotDot => "..",
            Self::Dot => ".",
            Self::Comma => ",",
            Self::Colon => ":",
            Self::LeftParen => "(",
            Self::RightParen => ")",
            Self::LeftBrace => "{",
            Self::RightBrace => "}",
            Self::LeftBracket => "[",
            Self::RightBracket => "]",
            Self::Bar => "|",
            Self::Amp => "&",
            Self::Not => "!",
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::LessEqual => "<=",
            Self::Less => "<",
            Self::GreaterEqual => ">=",
            Self::Greater => ">",
            Self::Minus => "-",
            Self::Slash => "/",
            Self::Semicolon => ";",
            _ => return None,
        })
    }
}
