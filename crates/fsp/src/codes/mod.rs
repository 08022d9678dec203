//! The stable codes of diagnostics, and their explanations for `rely explain`.

mod syntax;

pub use syntax::SYNTAX;

use rely_base::Code;
pub use rely_syntax::Explanation;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal;)*) => {
        $($(#[$doc])* pub const $name: Code = Code($code);)*

        /// Every code of this module, to see that none lacks an explanation.
        #[cfg(test)]
        pub(crate) const ALL: &[Code] = &[$($name,)*];
    };
}

codes! {
    /// A character that FSP does not use.
    STRAY_CHARACTER = "E0101";
    /// A number that does not fit 32 bits.
    NUMBER_TOO_LARGE = "E0102";
    /// A number with digits that its base does not have.
    NUMBER = "E0103";
    /// A string that does not end on its line.
    UNCLOSED_STRING = "E0104";
    /// A symbol of another language, or a typographic one.
    LOOK_ALIKE = "E0105";
    /// A file that is not text.
    NO_TEXT = "E0106";
    /// Something that does not begin a definition.
    NO_DEFINITION = "E0110";
    /// A definition without its full stop.
    NO_DOT = "E0111";
    /// Two processes with nothing between them.
    NO_SEPARATOR = "E0112";
    /// A full stop, semicolon or comma that does not belong there.
    END_OF_DEFINITION = "E0113";
    /// A name that should begin with an upper-case letter.
    UPPER_CASE = "E0114";
    /// A definition that begins with an indexed process.
    INDEXED_PROCESS = "E0115";
    /// A composition whose name lacks the bars.
    MISSING_BARS = "E0116";
    /// `+`, `/`, `>>`, `\` or `@` at a wrong place.
    TAIL_ORDER = "E0117";
    /// A construct of MTSA.
    MTSA = "E0118";
    /// Too deeply nested brackets or operators.
    TOO_DEEP = "E0119";
    /// An opening bracket without its closing one.
    UNCLOSED_BRACKET = "E0120";
    /// A closing bracket without its opening one.
    UNOPENED_BRACKET = "E0121";
    /// Something else was expected.
    EXPECTED = "E0122";
    /// A text that is too long.
    TEXT_TOO_LONG = "E0123";
    /// `include`
    INCLUDE = "E0124";
    /// Modifiers in a wrong order.
    MODIFIER_ORDER = "E0125";
    /// A name that should begin with a lower-case letter.
    LOWER_CASE = "E0130";
    /// An action that leads to no process.
    NO_PROCESS = "E0131";
    /// An alternative that does not begin with an action.
    ALTERNATIVE = "E0132";
    /// A choice without its parentheses.
    PARENTHESES = "E0133";
    /// A guard behind an action.
    LATE_GUARD = "E0134";
    /// An action without its arrow.
    ARROW = "E0135";
    /// Something between a guard and its action.
    GUARD = "E0136";
    /// `||` in a choice.
    CHOICE_BARS = "E0137";
    /// A keyword as a name.
    KEYWORD_AS_NAME = "E0138";
    /// `tau` as a label.
    TAU = "E0139";
    /// Something that is not an action.
    ACTION = "E0140";
    /// Labels without their braces.
    BRACES = "E0141";
    /// An empty set or relabelling.
    EMPTY_SET = "E0142";
    /// `?` or `!` outside of an interface automaton.
    MARK = "E0143";
    /// `?` or `!` where an interface automaton has none.
    MARK_PLACE = "E0144";
    /// `|` in a composition.
    COMPOSITION_BAR = "E0150";
    /// A composition without its parentheses.
    COMPOSITION_PARENTHESES = "E0151";
    /// A composition of nothing.
    EMPTY_COMPOSITION = "E0152";
    /// `=` where `==` is meant.
    EQUALITY = "E0160";
    /// A word or sign where an operator is meant.
    WORD_OPERATOR = "E0161";
    /// Something that is not an expression.
    EXPRESSION = "E0162";
    /// A range that lacks a bound.
    RANGE = "E0163";
    /// An operator that needs parentheses.
    OPERATOR = "E0164";
    /// A formula that needs parentheses around it.
    FORMULA_PARENTHESES = "E0170";
    /// Something that is not a formula.
    FORMULA = "E0171";
    /// Two of `->`, `<->`, `U`, `W` without parentheses.
    FORMULA_CHAIN = "E0172";
    /// The name of a file without its quotes.
    QUOTES = "E0180";
    /// A comment that is never closed.
    UNCLOSED_COMMENT = "W0101";
}
