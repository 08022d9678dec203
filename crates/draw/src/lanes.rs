//! Lanes: a column for each component, and on each row a mark for those that take part in it.
//!
//! It shows a run, one step on each row, or which components are connected, one set of shared actions on each row.
//! Unlike a drawing of boxes and lines it needs no layout: it is as readable with forty components as with four.
//! Names of columns are slanted above them.

use std::fmt::Write;

use crate::svg::number;
use crate::text::{FONT_SIZE, LINE_HEIGHT, Text, escape_xml, visible, width};

/// What is to be drawn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lanes {
    /// The alternative text of the picture.
    pub title: String,
    /// The columns, from left to right.
    pub columns: Vec<Lane>,
    /// The rows, from top to bottom.
    pub rows: Vec<LaneRow>,
}

/// A column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lane {
    /// What is written above it.
    pub name: String,
    /// The number of its colour; components that belong together have the same.
    pub tone: usize,
    /// Whether it is a property, which only observes.
    pub looks_on: bool,
}

/// A row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaneRow {
    /// The text before the row, such as the number of a step.
    pub number: String,
    /// Names that are written beside it.
    pub names: Vec<String>,
    /// The columns with a mark.
    pub marks: Vec<usize>,
    /// Whether a failure is shown in this row.
    pub fails: bool,
}

/// From one column to the next.
const COLUMN: f64 = 30.0;
/// The least height of a row.
const ROW: f64 = 24.0;
/// The radius of a mark.
const MARK: f64 = 5.5;
/// Around everything.
const MARGIN: f64 = 12.0;
/// Sine and cosine of the angle of the names of columns.
const SLANT: (f64, f64) = (0.6428, 0.7660);
/// Maximum length of the name of a column; a longer one is cut.
const LONGEST_NAME: usize = 36;
/// Approximate width of the lines of names beside a row.
const LABEL: f64 = 280.0;
/// Factor by which bold letters are wider.
const BOLD: f64 = 1.1;
/// How many colours there are.
const TONES: usize = 6;

const STYLE: &str = "\
.lanes{--paper:#ffffff;--ink:#1f2933;--lane:#d5dbe2;--error:#c62828;\
--t0:#2f6db5;--t1:#b3541e;--t2:#2e7d52;--t3:#8e4a9e;--t4:#8a6d00;--t5:#52606d}\
@media (prefers-color-scheme:dark){.lanes{--paper:#14181d;--ink:#e4e7eb;--lane:#3a444f;--error:#ff8a80;\
--t0:#7fb0e0;--t1:#f0a070;--t2:#78c69a;--t3:#d39be0;--t4:#e0c050;--t5:#9aa5b1}}\
.lanes text{font-family:'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;\
fill:#1f2933;fill:var(--ink)}\
.lanes .paper{fill:#ffffff;fill:var(--paper)}.lanes .label,.lanes .number{text-anchor:end}\
.lanes .number{fill:#7b8794}.lanes .lane{stroke:#d5dbe2;stroke:var(--lane);stroke-width:2}\
.lanes .looks-on{stroke-dasharray:3 4}.lanes .joint{stroke-width:2;stroke:#52606d;stroke:var(--ink)}\
.lanes .t0{fill:#2f6db5;fill:var(--t0)}.lanes .t1{fill:#b3541e;fill:var(--t1)}.lanes .t2{fill:#2e7d52;fill:var(--t2)}\
.lanes .t3{fill:#8e4a9e;fill:var(--t3)}.lanes .t4{fill:#8a6d00;fill:var(--t4)}.lanes .t5{fill:#52606d;fill:var(--t5)}\
.lanes .mark{stroke:#ffffff;stroke:var(--paper);stroke-width:1.5}\
.lanes .fails .joint{stroke:#c62828;stroke:var(--error)}.lanes .fails .label{fill:#c62828;fill:var(--error);font-weight:bold}\
.lanes .fails .mark{fill:#c62828;fill:var(--error)}";

/// The picture as an SVG document.
pub fn lanes(lanes: &Lanes) -> String {
    let picture = Picture::new(lanes);
    picture.document()
}

struct Picture<'l> {
    lanes: &'l Lanes,
    /// The names beside the rows, broken into lines.
    labels: Vec<Text>,
    /// Where each row begins, and where the last one ends.
    tops: Vec<f64>,
    /// Where the numbers of rows end, and where labels do.
    number_end: f64,
    label_end: f64,
    width: f64,
}

impl<'l> Picture<'l> {
    fn new(lanes: &'l Lanes) -> Self {
        let shown = |row: &LaneRow| -> Vec<String> { row.names.iter().map(|name| visible(name)).collect() };
        let labels: Vec<Text> = lanes.rows.iter().map(|row| Text::wrapped_at(LABEL, &shown(row))).collect();
        let names = lanes.columns.iter().enumerate().map(|(i, column)| (i, width(&cut(&column.name)) * 1.08));
        let mut top = MARGIN + names.clone().map(|(_, width)| width * SLANT.0).fold(0.0, f64::max) + 14.0;
        let mut tops = vec![top];
        for label in &labels {
            top += ROW.max(label.height() + 8.0);
            tops.push(top);
        }
        let numbers = lanes.rows.iter().map(|row| width(&row.number)).fold(0.0, f64::max);
        // What fails is written in bold, which is wider.
        let bold = |row: &LaneRow| if row.fails { BOLD } else { 1.0 };
        let widths = labels.iter().zip(&lanes.rows).map(|(label, row)| label.width * bold(row));
        let number_end = MARGIN + numbers;
        let label_end = number_end + 10.0 + widths.fold(0.0, f64::max);
        let reach = names.map(|(i, width)| COLUMN * (i as f64 + 0.7) + width * SLANT.1 + 6.0);
        let columns = COLUMN * lanes.columns.len() as f64;
        let width = label_end + reach.fold(columns, f64::max) + MARGIN;
        Self { lanes, labels, tops, number_end, label_end, width }
    }

    fn x(&self, column: usize) -> f64 {
        self.label_end + COLUMN * (column as f64 + 0.7)
    }

    fn document(&self) -> String {
        let first = self.tops.first().copied().unwrap_or(MARGIN);
        let bottom = self.tops.last().copied().unwrap_or(MARGIN);
        let (width, height) = (number(self.width), number(bottom + MARGIN));
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"lanes\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n<style>{STYLE}</style>\n\
             <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n",
            escape_xml(&self.lanes.title)
        );
        for (i, column) in self.lanes.columns.iter().enumerate() {
            self.column(&mut svg, i, column, (first, bottom));
        }
        for i in 0..self.lanes.rows.len() {
            self.row(&mut svg, i);
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn column(&self, svg: &mut String, i: usize, column: &Lane, (top, bottom): (f64, f64)) {
        let (x, y) = (number(self.x(i)), number(top - 8.0));
        let looks_on = if column.looks_on { " looks-on" } else { "" };
        let (name, whole) = (escape_xml(&cut(&column.name)), escape_xml(&column.name));
        let _ = writeln!(
            svg,
            "<g class=\"column\"><title>{whole}</title><line class=\"lane{looks_on}\" x1=\"{x}\" y1=\"{}\" x2=\"{x}\" \
             y2=\"{}\"/><text class=\"t{}\" font-size=\"12\" transform=\"translate({x},{y}) rotate(-40)\">{name}</text></g>",
            number(top - 2.0),
            number(bottom),
            column.tone % TONES
        );
    }

    fn row(&self, svg: &mut String, i: usize) {
        let (row, label) = (&self.lanes.rows[i], &self.labels[i]);
        let middle = (self.tops[i] + self.tops[i + 1]) / 2.0;
        let class = if row.fails { "row fails" } else { "row" };
        let _ = write!(svg, "<g class=\"{class}\"><title>{}</title>", escape_xml(&self.spoken(row)));
        let baseline = |line: usize| {
            let lines = label.lines.len() as f64;
            number(middle + LINE_HEIGHT * (line as f64 - (lines - 1.0) / 2.0) + FONT_SIZE * 0.36)
        };
        let _ = write!(
            svg,
            "<text class=\"number\" font-size=\"{FONT_SIZE}\" x=\"{}\" y=\"{}\">{}</text>",
            number(self.number_end),
            number(middle + FONT_SIZE * 0.36),
            escape_xml(&row.number)
        );
        for (line, text) in label.lines.iter().enumerate() {
            let _ = write!(
                svg,
                "<text class=\"label\" font-size=\"{FONT_SIZE}\" x=\"{}\" y=\"{}\">{}</text>",
                number(self.label_end),
                baseline(line),
                escape_xml(text)
            );
        }
        let y = number(middle);
        if let (Some(&first), Some(&last)) = (row.marks.iter().min(), row.marks.iter().max()) {
            let (x1, x2) = (number(self.x(first)), number(self.x(last)));
            let _ = write!(svg, "<line class=\"joint\" x1=\"{x1}\" y1=\"{y}\" x2=\"{x2}\" y2=\"{y}\"/>");
        }
        for &mark in &row.marks {
            let tone = self.lanes.columns.get(mark).map_or(0, |column| column.tone % TONES);
            let x = number(self.x(mark));
            let _ = write!(svg, "<circle class=\"mark t{tone}\" cx=\"{x}\" cy=\"{y}\" r=\"{MARK}\"/>");
        }
        svg.push_str("</g>\n");
    }

    /// A row as text, for screen readers.
    fn spoken(&self, row: &LaneRow) -> String {
        let name = |&mark: &usize| self.lanes.columns.get(mark).map_or("", |column| column.name.as_str());
        let who: Vec<&str> = row.marks.iter().map(name).collect();
        format!("{} {}: {}", row.number, row.names.join(", "), who.join(", ")).trim_start().to_owned()
    }
}

/// A name that fits. If it is too long, its end is kept, which distinguishes parts of one composite.
fn cut(name: &str) -> String {
    let name = visible(name);
    let length = name.chars().count();
    if length <= LONGEST_NAME {
        return name;
    }
    let rest: String = name.chars().skip(length - LONGEST_NAME + 1).collect();
    format!("…{rest}")
}
