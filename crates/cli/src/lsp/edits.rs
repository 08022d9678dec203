//! Edits of texts, as the protocol has them.

use rely_ide::{Lines, Position};
use serde_json::Value;

/// The longest text that edits may make; a longer one is cut off, and refused when it is read.
const LONGEST: usize = rely_session::MAX_TEXT + 1;

/// A text after some edits, one after the other. An edit that makes no sense is passed over.
pub(super) fn apply(mut text: String, changes: &[Value]) -> String {
    for change in changes {
        let Some(new) = change["text"].as_str() else { continue };
        match range(&text, &change["range"]) {
            Some((start, end)) => text.replace_range(start..end, new),
            None if change["range"].is_null() => new.clone_into(&mut text),
            None => {}
        }
        if text.len() > LONGEST {
            let end = (0..=LONGEST).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
            text.truncate(end);
        }
    }
    text
}

/// The bytes of a range; nothing if it is none.
fn range(text: &str, range: &Value) -> Option<(usize, usize)> {
    let lines = Lines::new(text);
    let start = lines.byte(position(&range["start"])?) as usize;
    let end = lines.byte(position(&range["end"])?) as usize;
    (start <= end).then_some((start, end))
}

/// A place in a message.
pub(super) fn position(value: &Value) -> Option<Position> {
    let number = |name: &str| value[name].as_u64().map(|it| u32::try_from(it).unwrap_or(u32::MAX));
    Some(Position { line: number("line")?, column: number("character")? })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn edits_are_made_one_after_the_other() {
        let at = |line: u32, character: u32| json!({"line": line, "character": character});
        let edit = |start, end, text: &str| json!({"range": {"start": start, "end": end}, "text": text});
        let edits = [
            edit(at(0, 0), at(0, 1), "Q"),
            edit(at(1, 2), at(9, 9), "→"),
            json!({"nonsense": 1}),
            edit(at(3, 0), at(0, 0), "backwards"),
        ];
        assert_eq!(apply("P = a\n😀b\nc".to_owned(), &edits), "Q = a\n😀→");
        assert_eq!(apply("P".to_owned(), &[json!({"text": "new"})]), "new");
    }
}
