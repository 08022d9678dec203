//! Just enough XML to notice a document that is not well-formed.

/// The names of the elements of a document in order, or what is wrong with it.
pub(super) fn check(document: &str) -> Result<Vec<String>, String> {
    let is_forbidden =
        |c: &char| (*c < ' ' && !matches!(c, '\n' | '\t' | '\r')) || matches!(c, '\u{FFFE}' | '\u{FFFF}');
    if let Some(c) = document.chars().find(is_forbidden) {
        return Err(format!("forbidden character {c:?}"));
    }
    let mut open: Vec<String> = Vec::new();
    let mut elements = Vec::new();
    let mut rest = document;
    while let Some(at) = rest.find('<') {
        text(&rest[..at])?;
        let end = rest[at..].find('>').ok_or("a tag without an end")? + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop().as_deref() != Some(name) {
                return Err(format!("</{name}> closes nothing"));
            }
            continue;
        }
        let (body, is_empty) = tag.strip_suffix('/').map_or((tag, false), |body| (body, true));
        let (name, attributes) = body.split_once(' ').unwrap_or((body, ""));
        self::attributes(attributes)?;
        elements.push(name.to_owned());
        if !is_empty {
            open.push(name.to_owned());
        }
    }
    if open.is_empty() && rest.trim().is_empty() {
        Ok(elements)
    } else {
        Err(format!("left over: {open:?} {rest:?}"))
    }
}

/// References only where there is an ampersand.
fn text(text: &str) -> Result<(), String> {
    const REFERENCES: [&str; 5] = ["amp;", "lt;", "gt;", "quot;", "#39;"];
    let mut parts = text.split('&');
    parts.next();
    match parts.find(|part| !REFERENCES.iter().any(|reference| part.starts_with(reference))) {
        Some(part) => Err(format!("a bare ampersand before {part:?}")),
        None => Ok(()),
    }
}

/// Names, each with a value in quotes.
fn attributes(mut rest: &str) -> Result<(), String> {
    rest = rest.trim();
    while !rest.is_empty() {
        let (name, value) = rest.split_once("=\"").ok_or_else(|| format!("no value: {rest:?}"))?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == ':';
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(format!("not a name: {name:?}"));
        }
        let (value, after) = value.split_once('"').ok_or("a value without an end")?;
        text(value)?;
        rest = after.trim_start();
    }
    Ok(())
}

#[test]
fn the_check_can_fail() {
    assert_eq!(check("<a x=\"1\"><b/>&lt;</a>").unwrap(), ["a", "b"]);
    for wrong in ["<a>", "</a>", "<a></b>", "<a>&</a>", "<a x=1/>", "<a\u{1}/>", "<a/>b", "<a x=\"1\"y/>"] {
        assert!(check(wrong).is_err(), "{wrong}");
    }
}
