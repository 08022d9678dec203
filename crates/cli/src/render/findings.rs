//! Findings about the input: the line, a caret, and advice.

use annotate_snippets::{AnnotationKind, Group, Level as Title, Renderer, Snippet};
use rely_session::report::{Finding, Level, Place};

use super::Style;

/// Longer excerpts of the input are not shown.
const MAX_EXCERPT: usize = 2_000;

/// A finding as text.
pub(crate) fn render(finding: &Finding, text: &str, style: Style) -> String {
    let title = match finding.severity {
        Level::Error => Title::ERROR,
        Level::Warning => Title::WARNING,
        Level::Note => Title::NOTE,
    };
    let mut group = Group::with_title(title.primary_title(&*finding.message).id(&*finding.code));
    match excerpt(finding, text) {
        Some((source, line)) => {
            let start = offset_of_line(text, line);
            let range = |place: &Place| clamp(place, start, source.len());
            let mut snippet = Snippet::source(source)
                .line_start(line)
                .path(&*finding.file)
                .annotation(AnnotationKind::Primary.span(range(&finding.place)));
            for note in &finding.notes {
                let annotation = AnnotationKind::Context.span(range(&note.place)).label(&*note.message);
                snippet = snippet.annotation(annotation);
            }
            group = group.element(snippet);
        }
        None if has_place(finding) => group = group.element(place_only(finding)),
        None => {}
    }
    if let Some(help) = &finding.help {
        group = group.element(Title::HELP.message(&**help));
    }
    let renderer = if style.coloured { Renderer::styled() } else { Renderer::plain() };
    let groups: [Group<'_>; 1] = [group];
    renderer.render(&groups)
}

fn place_only(finding: &Finding) -> annotate_snippets::Origin<'_> {
    annotate_snippets::Origin::path(&*finding.file).line(finding.place.line).char_column(finding.place.column)
}

/// Whether a finding is about a place in the text: one about the command line, say, is about none.
fn has_place(finding: &Finding) -> bool {
    finding.place.bytes != (0, 0)
}

/// The lines that a finding speaks about, if they are few enough to be shown, and the number of the first one.
fn excerpt<'t>(finding: &Finding, text: &'t str) -> Option<(&'t str, usize)> {
    let places = || std::iter::once(&finding.place).chain(finding.notes.iter().map(|note| &note.place));
    let first = places().map(|place| place.line).min()?;
    let last = places().map(|place| place.end_line).max()?;
    let start = offset_of_line(text, first);
    let end = offset_of_line(text, last + 1);
    let source = text.get(start..end)?.trim_end_matches(['\n', '\r']);
    // The parts of a long excerpt between the places are folded; a place of many lines shows only its beginning.
    let shown: usize = places().map(|place| line_length(text, place)).sum();
    (shown <= MAX_EXCERPT && has_place(finding)).then_some((source, first))
}

fn line_length(text: &str, place: &Place) -> usize {
    offset_of_line(text, place.end_line + 1) - offset_of_line(text, place.line)
}

/// The byte at which a line starts, lines counted from 1; the end of the text for lines after the last.
fn offset_of_line(text: &str, line: usize) -> usize {
    if line <= 1 {
        return 0;
    }
    text.match_indices('\n').nth(line - 2).map_or(text.len(), |(at, _)| at + 1)
}

fn clamp(place: &Place, start: usize, len: usize) -> std::ops::Range<usize> {
    let from = (place.bytes.0 as usize).saturating_sub(start).min(len);
    let to = (place.bytes.1 as usize).saturating_sub(start).clamp(from, len);
    from..to
}
