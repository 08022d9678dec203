//! The last step before text is printed: nothing that came from an input is a command to the terminal.
//!
//! A name or a source line may hold any character: one that clears the screen, moves the cursor to the verdict above, or
//! reverses the order of what follows. Here, and only here, such characters are replaced by their numbers
//! (`rely_base::is_unprintable`), for everything that goes to standard output and standard error. So no verb has to
//! think of it. Line breaks are not touched here, because the text itself has some: what is printed on one line
//! ([`one_line`]) has none, and the readers of files allow none in a name.

use std::borrow::Cow;

use rely_base::{is_unprintable, printable, push_printable};

/// A text without colours.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    shown(text, |_| None)
}

/// A text in which the sequences are kept that change the weight and the colour of letters, and no others. A letter
/// that is concealed, or has the colour of its background, is not possible with them.
pub(crate) fn styled(text: &str) -> Cow<'_, str> {
    shown(text, style_length)
}

/// A text on one line, for what has to stay on it.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    printable(text)
}

/// A JSON text in which strings have escapes for what is unprintable: it means the same.
pub(crate) fn json(text: &str) -> Cow<'_, str> {
    // Between strings there are no such characters but blanks and line breaks.
    let is_odd = |c: char| is_unprintable(c) && !matches!(c, '\n' | '\t' | '\r');
    if !text.contains(is_odd) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 64);
    for c in text.chars() {
        if is_odd(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

/// A text without anything that a terminal would obey, but for line breaks, tabs, and sequences whose length is told.
fn shown(text: &str, allowed: impl Fn(&str) -> Option<usize>) -> Cow<'_, str> {
    let is_odd = |c: char| is_unprintable(c) && !matches!(c, '\n' | '\t');
    let Some(first) = text.find(is_odd) else { return Cow::Borrowed(text) };
    let mut shown = text[..first].to_owned();
    let mut rest = &text[first..];
    while let Some(c) = rest.chars().next() {
        let length = match allowed(rest) {
            Some(length) => {
                shown.push_str(&rest[..length]);
                length
            }
            None => {
                match is_odd(c) {
                    true => push_printable(&mut shown, c),
                    false => shown.push(c),
                }
                c.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    Cow::Owned(shown)
}

/// The length of the sequence that a text begins with, if it only sets weight and colour: `ESC [ 1 ; 32 m`.
fn style_length(text: &str) -> Option<usize> {
    let codes = text.strip_prefix("\u{1b}[")?;
    let end = codes.find('m')?;
    let is_style = |code: &str| {
        code.bytes().all(|byte| byte.is_ascii_digit())
            && matches!(code.parse::<u8>(), Ok(0..=4 | 22..=24 | 31..=37 | 39 | 90..=97))
    };
    codes[..end].split(';').all(is_style).then_some("\u{1b}[m".len() + end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_no_command() {
        assert_eq!(plain("a\tb\n"), "a\tb\n");
        assert_eq!(plain("x\u{1b}[2Jy\r\u{9b}\u{202e}\n"), "x\\u{1b}[2Jy\\r\\u{9b}\\u{202e}\n");
        assert_eq!(plain("\u{1b}[1;32mholds"), "\\u{1b}[1;32mholds");
        assert_eq!(one_line("a\nb"), "a\\nb");
    }

    #[test]
    fn colours_are_kept_where_there_are_colours() {
        let coloured = "\u{1b}[1;32mholds\u{1b}[0m \u{1b}[1m\u{1b}[94m é\u{1b}[0m\n";
        assert_eq!(styled(coloured), coloured);
        for other in
            ["\u{1b}[8m", "\u{1b}[30m", "\u{1b}[m", "\u{1b}[2J", "\u{1b}[+1m", "\u{1b}[41m", "\u{1b}]0;m"]
        {
            assert!(!styled(other).contains('\u{1b}'), "{other:?}");
        }
    }

    #[test]
    fn json_means_the_same() {
        let text =
            serde_json::to_string_pretty(&["\u{202e}\u{9b}\u{7f}\u{e0041}é\n\u{1b}"]).expect("plain data");
        let escaped = json(&text);
        assert!(!escaped.chars().any(|c| is_unprintable(c) && c != '\n'), "{escaped:?}");
        let read = |text: &str| serde_json::from_str::<Vec<String>>(text).expect("JSON");
        assert_eq!(read(&escaped), read(&text));
    }
}
