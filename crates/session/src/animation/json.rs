//! JSON with places: a tree whose values know where they stand, and whose tables keep the order of the file.
//!
//! `serde_json` decides whether a text is JSON and says where it is not. What it has accepted is only cut into pieces here, so
//! that nothing can go wrong any more; strings are decoded by it as well.

use rely_base::Span;
use serde::de::IgnoredAny;

/// A value with its place.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Node {
    /// Where it stands.
    pub(super) span: Span,
    /// What it is.
    pub(super) value: Value,
}

/// A string with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Text {
    /// Where it stands, with its quotation marks.
    pub(super) span: Span,
    /// The string.
    pub(super) text: String,
}

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    Text(String),
    List(Vec<Node>),
    /// The keys and values, in the order of the file.
    Table(Vec<(Text, Node)>),
    /// A number, a truth value or `null`, as it is written.
    Other(String),
}

/// Reads a text.
///
/// # Errors
/// Where it is no JSON, and why.
pub(super) fn parse(text: &str) -> Result<Node, (Span, String)> {
    // Nesting is bounded by `serde_json`, and so is the recursion below.
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        let start =
            text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
        let at = (start + error.column().saturating_sub(1)).min(text.len());
        let whole = error.to_string();
        let message = whole.rsplit_once(" at line ").map_or(&*whole, |(message, _)| message).to_owned();
        return Err((span(at, (at + 1).min(text.len())), message));
    }
    Ok(Reader { text, at: 0 }.node())
}

fn span(start: usize, end: usize) -> Span {
    let place = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    Span::new(place(start), place(end))
}

/// Cuts a text that is known to be JSON.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    /// The next byte that is no blank; 0 at the end.
    fn peek(&mut self) -> u8 {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        bytes.get(self.at).copied().unwrap_or(0)
    }

    fn node(&mut self) -> Node {
        let first = self.peek();
        let start = self.at;
        let value = match first {
            b'"' => Value::Text(self.string().text),
            b'[' => Value::List(self.entries(b']', Self::node)),
            b'{' => Value::Table(self.entries(b'}', |reader| {
                reader.peek();
                let key = reader.string();
                reader.peek();
                reader.at += 1;
                (key, reader.node())
            })),
            _ => {
                let rest = &self.text[start..];
                let is_end = |c: char| c.is_ascii_whitespace() || matches!(c, ',' | ']' | '}');
                let word = &rest[..rest.find(is_end).unwrap_or(rest.len())];
                self.at += word.len();
                Value::Other(word.to_owned())
            }
        };
        Node { span: span(start, self.at), value }
    }

    /// What stands between brackets, with commas in between.
    fn entries<T>(&mut self, end: u8, mut entry: impl FnMut(&mut Self) -> T) -> Vec<T> {
        self.at += 1;
        let mut entries = Vec::new();
        while !matches!(self.peek(), 0) {
            let next = self.peek();
            if next == end {
                self.at += 1;
                break;
            }
            if next == b',' {
                self.at += 1;
            }
            entries.push(entry(self));
        }
        entries
    }

    fn string(&mut self) -> Text {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut end = start + 1;
        while bytes.get(end).is_some_and(|&byte| byte != b'"') {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        self.at = (end + 1).min(bytes.len());
        let written = self.text.get(start..self.at).unwrap_or_default();
        Text { span: span(start, self.at), text: serde_json::from_str(written).unwrap_or_default() }
    }
}

#[cfg(test)]
mod tests {
    use rely_testkit::rng::{Rng, seeds};
    use serde_json::json;

    use super::*;

    /// The value without the places of its parts. Of several equal keys the last one counts, as it does for `serde_json`.
    fn plain(node: &Node) -> serde_json::Value {
        match &node.value {
            Value::Text(text) => json!(text),
            Value::List(nodes) => nodes.iter().map(plain).collect(),
            Value::Table(entries) => {
                entries.iter().map(|(key, node)| (key.text.clone(), plain(node))).collect()
            }
            Value::Other(word) => serde_json::from_str(word).expect("a word of JSON"),
        }
    }

    fn random(rng: &mut Rng, depth: usize) -> serde_json::Value {
        const TEXTS: [&str; 6] = ["", "a", "\"]},:", "é\n\\", "\u{1F600}\u{1}", " b "];
        match rng.below(if depth == 0 { 4 } else { 6 }) {
            0 => json!(TEXTS[rng.below(TEXTS.len())]),
            1 => json!(-1.5e3),
            2 => json!(null),
            3 => json!(rng.below(1000)),
            4 => (0..rng.below(4)).map(|_| random(rng, depth - 1)).collect(),
            _ => (0..rng.below(4))
                .map(|i| (format!("{}{i}", TEXTS[rng.below(TEXTS.len())]), random(rng, depth - 1)))
                .collect(),
        }
    }

    #[test]
    fn trees_are_those_of_serde_json() {
        for seed in seeds(300) {
            let mut rng = Rng::new(seed);
            let value = random(&mut rng, 4);
            let compact = value.to_string();
            let airy = serde_json::to_string_pretty(&value).expect("JSON");
            for text in [compact, airy] {
                let node = parse(&text).expect("JSON");
                assert_eq!(plain(&node), value, "seed {seed}: {text}");
                assert_eq!(node.span, span(0, text.len()), "seed {seed}: {text}");
            }
        }
    }

    #[test]
    fn what_is_no_json_is_found_where_it_is() {
        for (text, at) in [("", 0), ("{\n  \"a\": b}", 9), ("[1,]", 3), ("{\"é\": 1 2}", 9), ("\"a", 1)] {
            let (place, message) = parse(text).expect_err("no JSON");
            assert_eq!(place.start as usize, at, "{text}: {message}");
        }
        assert!(parse(&"[".repeat(100_000)).is_err(), "nesting is bounded");
    }
}
