//! A layout as a self-contained SVG document: the style is inside, for light and for dark surroundings.

use std::fmt::Write;

use rely_base::Id;

use crate::Options;
use crate::geometry::{Path, Point};
use crate::layout::{Layout, PlacedArrow, PlacedLabel, PlacedState, Role};
use crate::text::{FONT_SIZE, LINE_HEIGHT, escape_xml, visible};

/// The colours are variables, so that a page around the picture can set its own.
const STYLE: &str = "\
.rely{--paper:#ffffff;--ink:#1f2933;--line:#52606d;--state:#eef4fb;--rim:#3b6ea5;--error:#c62828;--error-fill:#fdecea}\
@media (prefers-color-scheme:dark){.rely{--paper:#14181d;--ink:#e4e7eb;--line:#9aa5b1;--state:#1d2a38;--rim:#7fb0e0;\
--error:#ff8a80;--error-fill:#3a1d1d}}\
.rely text{font-family:'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;\
text-anchor:middle;fill:#1f2933;fill:var(--ink)}\
.rely .paper{fill:#ffffff;fill:var(--paper)}\
.rely .line{fill:none;stroke:#52606d;stroke:var(--line);stroke-width:1.25;stroke-linecap:round}\
.rely .head{fill:#52606d;fill:var(--line);stroke:none}\
.rely .silent .line{stroke-dasharray:5 4}\
.rely .label{stroke:#ffffff;stroke:var(--paper);stroke-width:3;stroke-linejoin:round;paint-order:stroke}\
.rely circle{fill:#eef4fb;fill:var(--state);stroke:#3b6ea5;stroke:var(--rim);stroke-width:1.5}\
.rely .error circle{fill:#fdecea;fill:var(--error-fill);stroke:#c62828;stroke:var(--error)}\
.rely .error text{fill:#c62828;fill:var(--error);font-weight:bold}\
.rely .to-error .line{stroke:#c62828;stroke:var(--error)}\
.rely .to-error .head{fill:#c62828;fill:var(--error)}\
.rely .stuck circle{fill:#fdecea;fill:var(--error-fill);stroke:#c62828;stroke:var(--error)}\
.rely .run .line{stroke-width:3.5}.rely .run circle{stroke-width:3.5}";

/// The maximum length of a name in a circle.
const LONGEST: usize = 8;

/// The distance between the two circles of the end state.
const RIM: f64 = 3.5;

/// The document.
pub(crate) fn document(layout: &Layout, options: &Options) -> String {
    let mut svg = String::new();
    let (width, height) = (number(layout.width), number(layout.height));
    line(
        &mut svg,
        &format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"rely\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">"
        ),
    );
    line(&mut svg, &format!("<title>{}</title>", escape_xml(&options.title)));
    line(&mut svg, &format!("<style>{STYLE}</style>"));
    line(&mut svg, &format!("<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>"));
    let (entry, head) = &layout.entry;
    line(&mut svg, &format!("<g class=\"entry\">{}{}</g>", path(entry), polygon(head)));
    let error = layout.states.iter().find(|state| state.role == Role::Error).map(|state| state.state);
    for arrow in &layout.arrows {
        let is_run = options.run.contains(&(arrow.source, arrow.target));
        self::arrow(&mut svg, arrow, Some(arrow.target) == error, is_run);
    }
    layout.states.iter().for_each(|state| self::state(&mut svg, state, options));
    // Labels come last, so that no line is drawn over one.
    layout.arrows.iter().for_each(|arrow| label(&mut svg, &arrow.label));
    svg.push_str("</svg>\n");
    svg
}

fn line(svg: &mut String, text: &str) {
    svg.push_str(text);
    svg.push('\n');
}

fn arrow(svg: &mut String, arrow: &PlacedArrow, to_error: bool, is_run: bool) {
    let silent = arrow.labels.iter().all(|label| label.is_tau());
    let marks = [(silent, " silent"), (to_error, " to-error"), (is_run, " run")];
    let marks: String = marks.into_iter().filter(|(is_so, _)| *is_so).map(|(_, mark)| mark).collect();
    let class = format!("arrow{marks}");
    let (source, target) = (arrow.source.raw(), arrow.target.raw());
    let names = escape_xml(&arrow.names.join(", "));
    line(
        svg,
        &format!(
            "<g class=\"{class}\" data-from=\"{source}\" data-to=\"{target}\"><title>{source} → {target}: {names}</title>{}{}</g>",
            path(&arrow.path),
            polygon(&arrow.head)
        ),
    );
}

fn state(svg: &mut String, state: &PlacedState, options: &Options) {
    let (x, y) = (number(state.center.x), number(state.center.y));
    let circle = |radius: f64| format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>", number(radius));
    let id = state.state.raw();
    let name = options.names.get(state.state.index()).and_then(Option::as_deref);
    // A short name stands in the circle, a long one is shown as a tooltip.
    let short = name.filter(|name| name.chars().count() <= LONGEST);
    let text = short.map_or_else(|| id.to_string(), |name| escape_xml(&visible(name)));
    let size = short.map_or(13.0, |name| (2.9 * state.radius / name.chars().count().max(1) as f64).min(13.0));
    let (class, circles, text, size) = match state.role {
        Role::Ordinary => ("state", circle(state.radius), text, size),
        Role::Stuck => ("state stuck", circle(state.radius), text, size),
        Role::End => ("state end", circle(state.radius) + &circle(state.radius - RIM), text, size.min(11.5)),
        Role::Error => ("state error", circle(state.radius), "ERROR".to_owned(), 11.0),
    };
    let title = name.map_or(String::new(), |name| format!("<title>{}</title>", escape_xml(&visible(name))));
    let is_run = options.run.iter().any(|&(source, target)| source == state.state || target == state.state);
    let run = if is_run { " run" } else { "" };
    let baseline = number(state.center.y + size * 0.36);
    line(
        svg,
        &format!(
            "<g class=\"{class}{run}\" data-state=\"{id}\">{title}{circles}<text x=\"{x}\" y=\"{baseline}\" font-size=\"{size}\">{text}</text></g>"
        ),
    );
}

fn label(svg: &mut String, label: &PlacedLabel) {
    let x = number(label.area.x + label.area.width / 2.0);
    let _ = write!(svg, "<text class=\"label\" font-size=\"{FONT_SIZE}\">");
    let mut baseline = label.area.y + LINE_HEIGHT * 0.76;
    for text in &label.lines {
        let _ = write!(svg, "<tspan x=\"{x}\" y=\"{}\">{}</tspan>", number(baseline), escape_xml(text));
        baseline += LINE_HEIGHT;
    }
    svg.push_str("</text>\n");
}

fn path(path: &Path) -> String {
    let mut d = format!("M{}", pair(path.start));
    for [first, second, end] in &path.curves {
        let _ = write!(d, "C{} {} {}", pair(*first), pair(*second), pair(*end));
    }
    format!("<path class=\"line\" d=\"{d}\"/>")
}

fn polygon(corners: &[Point]) -> String {
    let corners: Vec<String> = corners.iter().map(|&corner| pair(corner)).collect();
    format!("<polygon class=\"head\" points=\"{}\"/>", corners.join(" "))
}

fn pair(point: Point) -> String {
    format!("{},{}", number(point.x), number(point.y))
}

/// A coordinate to a tenth of a pixel, without a useless zero.
pub(crate) fn number(value: f64) -> String {
    // Adding zero turns a negative zero into a plain one.
    let rounded = (value * 10.0).round() / 10.0 + 0.0;
    rounded.to_string()
}
