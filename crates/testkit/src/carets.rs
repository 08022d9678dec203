//! Diagnostics that are announced in the text under test, with carets below the place.

use rely_base::Diagnostic;

/// Compares diagnostics with those that a text announces on comment lines below them: `// ^^^ E0101 part of message`.
///
/// The carets stand under the place of the diagnostic (one caret if it is empty), which must not go beyond its line.
/// `comment` is what begins a comment: `//`.
///
/// # Panics
/// When a diagnostic is missing or was not announced.
#[track_caller]
pub fn compare(text: &str, comment: &str, diagnostics: &[Diagnostic]) {
    let mut expected = announced(text, comment);
    let mut unexpected = Vec::new();
    for diagnostic in diagnostics {
        match expected.iter().position(|announced| announced.is(diagnostic)) {
            Some(at) => _ = expected.remove(at),
            None => unexpected.push(describe(text, diagnostic)),
        }
    }
    let missing: Vec<String> =
        expected.iter().map(|e| format!("line {}: {} {}", e.line, e.code, e.part)).collect();
    assert!(
        missing.is_empty() && unexpected.is_empty(),
        "in{text}\nmissing:\n  {}\nunexpected:\n  {}",
        missing.join("\n  "),
        unexpected.join("\n  ")
    );
}

/// A diagnostic that a text announces.
struct Announced<'t> {
    line: usize,
    start: usize,
    end: usize,
    code: &'t str,
    part: &'t str,
}

impl Announced<'_> {
    fn is(&self, diagnostic: &Diagnostic) -> bool {
        let end = diagnostic.span.end.max(diagnostic.span.start + 1);
        self.code == diagnostic.code.0
            && self.start == diagnostic.span.start as usize
            && self.end == end as usize
            && diagnostic.message.contains(self.part)
    }
}

fn announced<'t>(text: &'t str, sign: &str) -> Vec<Announced<'t>> {
    let mut all = Vec::new();
    // Where the last line begins that is not an announcement.
    let mut subject = 0;
    let mut begin = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let comment =
            line.trim_start().strip_prefix(sign).map(str::trim_start).filter(|rest| rest.starts_with('^'));
        if let Some(comment) = comment {
            let column = line.find('^').expect("it was just seen");
            let carets = comment.bytes().take_while(|&b| b == b'^').count();
            let (code, part) =
                comment[carets..].trim().split_once(' ').unwrap_or((comment[carets..].trim(), ""));
            let start = subject + column;
            all.push(Announced { line: number, start, end: start + carets, code, part });
        } else {
            subject = begin;
        }
        begin += line.len();
    }
    all
}

fn describe(text: &str, diagnostic: &Diagnostic) -> String {
    let start = diagnostic.span.start as usize;
    let begin = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
    let carets = "^".repeat((diagnostic.span.end - diagnostic.span.start).max(1) as usize);
    let help = diagnostic.help.as_deref().unwrap_or("");
    let column = " ".repeat(start - begin);
    format!("{}\n  {column}{carets} {} {} ({help})", &text[begin..end], diagnostic.code, diagnostic.message)
}
