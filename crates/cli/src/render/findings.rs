//! Findings about the input: the line, a caret, and advice.

use annotate_snippets::{AnnotationKind, Group, Level as Title, Origin, Renderer, Snippet};
use rely_base::printable;
use rely_session::report::{Finding, Level, Place, Remark};

use super::Style;

/// Longer excerpts of the input are not shown.
const MAX_EXCERPT: usize = 2_000;

/// Notes that are further away from the place itself are left out.
const MAX_DISTANCE: usize = 64 << 10;

/// A finding as text.
pub(crate) fn render(finding: &Finding, text: &str, style: Style) -> String {
    let title = match finding.severity {
        Level::Error => Title::ERROR,
        Level::Warning => Title::WARNING,
        Level::Note => Title::NOTE,
    };
    // A name in a message, or that of a file, does not begin a line of its own.
    let (message, file) = (printable(&finding.message), printable(&finding.file));
    let mut group = Group::with_title(title.primary_title(&*message).id(&*finding.code));
    if let Some(place) = &finding.place {
        group = match excerpt(finding, place, text) {
            Some(Excerpt { source, start, line }) => {
                let range = |place: &Place| clamp(place, start, source.len());
                let mut snippet = Snippet::source(source)
                    .line_start(line)
                    .path(&*file)
                    .annotation(AnnotationKind::Primary.span(range(place)));
                for note in near_notes(finding, place) {
                    let annotation = AnnotationKind::Context.span(range(&note.place)).label(&*note.message);
                    snippet = snippet.annotation(annotation);
                }
                group.element(snippet)
            }
            None => group.element(Origin::path(&*file).line(place.line).char_column(place.column)),
        };
    } else if !finding.file.is_empty() {
        group = group.element(Origin::path(&*file));
    }
    if let Some(help) = &finding.help {
        group = group.element(Title::HELP.message(&**help));
    }
    let renderer = if style.coloured { Renderer::styled() } else { Renderer::plain() };
    let groups: [Group<'_>; 1] = [group];
    renderer.render(&groups)
}

/// Some lines of the text.
struct Excerpt<'t> {
    source: &'t str,
    /// The byte of the text at which they start.
    start: usize,
    /// The number of the first one.
    line: usize,
}

/// The lines that a finding speaks about, if they are short enough to be shown. Only their surroundings are looked at:
/// there may be many findings in a long text.
fn excerpt<'t>(finding: &Finding, place: &Place, text: &'t str) -> Option<Excerpt<'t>> {
    let places = || std::iter::once(place).chain(near_notes(finding, place).map(|note| &note.place));
    let lines: Option<Vec<(usize, usize)>> = places().map(|place| lines_of(place, text)).collect();
    let lines = lines.filter(|_| !text.is_empty())?;
    // The parts of a long excerpt between the places are folded; a place of many lines shows only its beginning.
    let shown: usize = lines.iter().map(|(start, end)| end - start).sum();
    let start = lines.iter().map(|&(start, _)| start).min()?;
    let end = lines.iter().map(|&(_, end)| end).max()?;
    let source = text.get(start..end)?.trim_end_matches(['\n', '\r']);
    let line = places().map(|place| place.line).min()?;
    (shown <= MAX_EXCERPT).then_some(Excerpt { source, start, line })
}

/// The notes that are near enough to be shown in one excerpt with the place.
fn near_notes<'f>(finding: &'f Finding, place: &Place) -> impl Iterator<Item = &'f Remark> {
    let at = place.bytes.0 as usize;
    finding.notes.iter().filter(move |note| at.abs_diff(note.place.bytes.0 as usize) <= MAX_DISTANCE)
}

/// Where the lines of a place start and end, unless they are too long.
fn lines_of(place: &Place, text: &str) -> Option<(usize, usize)> {
    let (from, to) = (place.bytes.0 as usize, place.bytes.1 as usize);
    let bytes = text.as_bytes();
    let is_end = |&byte: &u8| byte == b'\n';
    let before = bytes.get(..from)?.iter().rev().take(MAX_EXCERPT).position(is_end);
    let after = bytes.get(to..)?.iter().take(MAX_EXCERPT).position(is_end);
    let start = before.map_or((from <= MAX_EXCERPT).then_some(0), |length| Some(from - length))?;
    let end =
        after.map_or((bytes.len() - to <= MAX_EXCERPT).then_some(bytes.len()), |length| Some(to + length))?;
    Some((start, end.max(start)))
}

fn clamp(place: &Place, start: usize, len: usize) -> std::ops::Range<usize> {
    let from = (place.bytes.0 as usize).saturating_sub(start).min(len);
    let to = (place.bytes.1 as usize).saturating_sub(start).clamp(from, len);
    from..to
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(start: u32, end: u32) -> Finding {
        let place = Place { line: 2, column: 1, end_line: 2, end_column: 2, bytes: (start, end) };
        let about = Finding::about("file.lts", rely_base::Code("E0000"), "message");
        Finding { place: Some(place), ..about }
    }

    fn shown<'t>(finding: &Finding, text: &'t str) -> Option<Excerpt<'t>> {
        excerpt(finding, finding.place.as_ref().expect("it has a place"), text)
    }

    #[test]
    fn an_excerpt_is_whole_lines() {
        let text = "first\nsecond\nthird";
        let excerpt = shown(&finding(8, 9), text).expect("it is short");
        assert_eq!((excerpt.source, excerpt.start, excerpt.line), ("second", 6, 2));
        assert!(shown(&finding(20, 90), text).is_none(), "a place outside of the text");
    }

    #[test]
    fn long_lines_and_notes_that_are_far_away_are_not_shown() {
        let text = format!("first\n{}\nlast", "a".repeat(1 << 20));
        assert!(shown(&finding(9, 10), &text).is_none());
        let mut far = finding(1, 2);
        let place = Place { line: 3, column: 1, end_line: 3, end_column: 2, bytes: (1 << 20, 1 << 20) };
        far.notes.push(Remark { place, message: "far away".to_owned() });
        assert_eq!(shown(&far, &text).map(|excerpt| excerpt.source), Some("first"));
    }
}
