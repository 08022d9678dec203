//! Cutting a text into tokens, and the values of literals.

use rely_base::{Diagnostic, Span};
use rely_syntax::{Lexed, invisible_character, shorten};

use crate::codes;
use crate::kind::Token;

/// Cuts a text into tokens. Nothing is lost: the tokens, blanks and comments included, are the text.
pub(crate) fn lex_counting(text: &str) -> Lexed<Token> {
    rely_syntax::lex_counting(text, judge)
}

/// The value of an integer literal such as `12`, `1_000`, `16#FF#` or `2E3`, if it is a number of 32 bits.
pub(crate) fn int_value(literal: &str) -> Option<i64> {
    let literal: String = literal.chars().filter(|&c| c != '_').collect();
    let (mantissa, exponent) = match literal.rfind(['e', 'E']) {
        // In a based literal, E before the closing `#` is a digit.
        Some(at) if !literal[at..].contains('#') => (&literal[..at], literal[at + 1..].parse().ok()?),
        _ => (&*literal, 0_u32),
    };
    let (digits, radix) = match mantissa.split_once('#') {
        None => (mantissa, 10),
        Some((radix, digits)) => (digits.trim_end_matches('#'), radix.parse().ok()?),
    };
    if !(2..=16).contains(&radix) {
        return None;
    }
    let value =
        i64::from_str_radix(digits, radix).ok()?.checked_mul(i64::from(radix).checked_pow(exponent)?)?;
    (value <= i64::from(i32::MAX)).then_some(value)
}

/// What is wrong with a token of a known kind.
fn judge(kind: Token, span: Span, text: &str) -> Option<Diagnostic> {
    match kind {
        Token::Blank => invisible_character::<Token>(span, text),
        Token::Int if int_value(text).is_none() => {
            let message = format!("the number `{}` is too large, or no number", shorten(text));
            Some(
                Diagnostic::error(codes::NUMBER, span, message)
                    .with_help("the largest number is 2147483647; the base of a number is 2 to 16"),
            )
        }
        Token::Text if text.len() < 2 || !text.ends_with('"') => Some(
            Diagnostic::error(codes::UNCLOSED_STRING, span, "this string is not closed on its line")
                .with_help("end it with `\"`"),
        ),
        Token::Name if !text.is_ascii() => {
            let message = format!("the name `{}` has a letter that is not plain ASCII", shorten(text));
            Some(
                Diagnostic::error(codes::STRAY_CHARACTER, span, message)
                    .with_help("names are made of the letters a to z, digits and `_`"),
            )
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::int_value;

    #[test]
    fn literals_have_values() {
        let values = ["12", "1_000", "16#FF#", "2E3", "16#E#", "2#1010#E1", "2147483647"].map(int_value);
        assert_eq!(values, [12, 1000, 255, 2000, 14, 20, 2_147_483_647].map(Some));
        assert_eq!(["2147483648", "17#1#", "2#3#", "9E99"].map(int_value), [None; 4]);
    }
}
