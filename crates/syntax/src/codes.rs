//! Codes of diagnostics, and what `rely explain` says about each.

use rely_base::Code;

/// The codes that a language assigns to the messages of the lexer and the parser.
#[derive(Clone, Copy, Debug)]
pub struct Codes {
    /// Something else was expected.
    pub expected: Code,
    /// A character that has no meaning in the language.
    pub stray: Code,
    /// A file that is not text.
    pub no_text: Code,
    /// A text that is too long.
    pub text_too_long: Code,
    /// Errors after which it is uncertain which bracket belongs to which: no more errors of the definition are
    /// reported.
    pub uncertain: &'static [Code],
    /// Errors after which it is still certain what was meant, so that further findings about the definition are
    /// right.
    pub harmless: &'static [Code],
}

/// Defines codes together with their explanations: the constants, and the list of explanations in order.
///
/// ```
/// rely_syntax::codes! {
///     /// What can be wrong.
///     pub MISTAKES;
///     UNDEFINED = "E9001", "a name is not defined", "Define it first.";
/// }
/// assert_eq!(MISTAKES[0].code, UNDEFINED);
/// ```
#[macro_export]
macro_rules! codes {
    ($(#[$doc:meta])* $visibility:vis $list:ident; $($name:ident = $code:literal, $title:literal, $text:expr;)*) => {
        $(#[doc = $title] $visibility const $name: rely_base::Code = rely_base::Code($code);)*

        $(#[$doc])*
        $visibility const $list: &[rely_base::Explanation] =
            &[$(rely_base::Explanation { code: $name, title: $title, text: $text },)*];
    };
}
