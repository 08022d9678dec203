//! Finding words and signs in Ada text, past comments and strings.

/// The words and signs of a text from a place on, with their places.
pub(crate) fn tokens(text: &str, from: usize) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    let mut at = from;
    std::iter::from_fn(move || {
        loop {
            match *bytes.get(at)? {
                b'-' if bytes.get(at + 1) == Some(&b'-') => {
                    at = text[at..].find('\n').map_or(text.len(), |end| at + end);
                }
                b'"' => at = text[at + 1..].find('"').map_or(text.len(), |end| at + end + 2),
                byte if byte.is_ascii_alphanumeric() => {
                    let length = text[at..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                    let start = at;
                    at = length.map_or(text.len(), |length| at + length);
                    return Some((start, &text[start..at]));
                }
                byte if byte.is_ascii_whitespace() => at += 1,
                _ => {
                    let start = at;
                    let is_becomes = text[at..].starts_with(":=");
                    at += if is_becomes { 2 } else { 1 };
                    return Some((start, &text[start..at]));
                }
            }
        }
    })
}

/// The place of a word or sign outside of parentheses.
#[track_caller]
pub(crate) fn find(text: &str, from: usize, wanted: &str) -> usize {
    let mut depth = 0_i32;
    for (at, token) in tokens(text, from) {
        match token {
            _ if depth == 0 && token.eq_ignore_ascii_case(wanted) => return at,
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
    }
    panic!("no {wanted} behind {}", &text[from..]);
}

/// Behind the next `;`.
#[track_caller]
pub(crate) fn past_semicolon(text: &str, from: usize) -> usize {
    find(text, from, ";") + 1
}

/// Behind the pragmas that begin at a place.
pub(crate) fn past_pragmas(text: &str, mut from: usize) -> usize {
    while let Some((at, "pragma")) = tokens(text, from).next() {
        from = past_semicolon(text, at);
    }
    from
}

/// Behind the end of the select statement that begins at a place.
pub(crate) fn past_select(text: &str, from: usize) -> usize {
    let mut depth = 0_usize;
    let mut before = "";
    for (at, token) in tokens(text, from) {
        if token.eq_ignore_ascii_case("select") {
            if before.eq_ignore_ascii_case("end") {
                depth -= 1;
            } else {
                depth += 1;
            }
            if depth == 0 {
                return past_semicolon(text, at);
            }
        }
        before = token;
    }
    panic!("a select statement does not end");
}
