//! Growth as a picture: points between logarithmic axes, and for each series what it would be if it grew with m log n.

use std::fmt::Write;

/// A chart; several are next to each other.
pub(super) struct Panel {
    pub(super) title: &'static str,
    pub(super) series: Vec<Series>,
}

/// Points that belong together.
pub(super) struct Series {
    pub(super) name: String,
    /// Transitions, what was measured, and m log n.
    pub(super) points: Vec<(f64, f64, f64)>,
}

/// Told apart by people who do not see all colours [Okabe, Ito 2008].
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#7a5230"];

/// The place of a chart within its panel, which is as wide as this and its margins.
const WIDTH: f64 = 370.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 34.0;
const PANEL: f64 = WIDTH + LEFT + 24.0;
const BOTTOM: f64 = 46.0;
/// A line of the legend.
const LINE: f64 = 20.0;

const STYLE: &str = "text{font-family:Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;font-size:12px;\
fill:#1f2933}.title{font-size:13px;font-weight:bold}.middle{text-anchor:middle}.end{text-anchor:end}\
.grid{stroke:#e4e7eb}.axis{stroke:#52606d}polyline{fill:none;stroke-width:1.75}.guide{stroke-width:1;\
stroke-dasharray:5 4}";

/// Draws panels next to each other, with a legend below.
pub(super) fn picture(panels: &[Panel]) -> String {
    let names: Vec<&str> = panels
        .first()
        .map_or(Vec::new(), |panel| panel.series.iter().map(|series| series.name.as_str()).collect());
    let width = PANEL * panels.len() as f64;
    let height = TOP + HEIGHT + BOTTOM + LINE * (names.len() + 1) as f64;
    let mut page = Page(String::new());
    page.line(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">"
    ));
    page.line(format_args!("<title>Growth with the number of transitions</title>\n<style>{STYLE}</style>"));
    page.line(format_args!("<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"));
    for (i, panel) in panels.iter().enumerate() {
        page.panel(panel, LEFT + PANEL * i as f64);
    }
    page.legend(&names, TOP + HEIGHT + BOTTOM + LINE / 2.0);
    page.0.push_str("</svg>\n");
    page.0
}

/// From values to places, by their order of magnitude.
struct Ruler {
    /// The logarithms at both ends.
    low: f64,
    high: f64,
    /// The places of both ends.
    start: f64,
    end: f64,
}

impl Ruler {
    /// Both ends are powers of ten.
    fn new(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Self {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value.log10()), high.max(value.log10()))
        });
        Self { low: low.floor(), high: high.ceil().max(low.floor() + 1.0), start, end }
    }

    fn place(&self, value: f64) -> f64 {
        self.start + (value.log10() - self.low) / (self.high - self.low) * (self.end - self.start)
    }

    /// The powers of ten, as exponents.
    #[allow(clippy::cast_possible_truncation, reason = "exponents are small")]
    fn ticks(&self) -> std::ops::RangeInclusive<i32> {
        self.low as i32..=self.high as i32
    }
}

/// The document that is being written.
struct Page(String);

impl Page {
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        writeln!(self.0, "{text}").expect("a string can be written to");
    }

    fn panel(&mut self, panel: &Panel, left: f64) {
        let points = || panel.series.iter().flat_map(|series| &series.points);
        let x = Ruler::new(points().map(|point| point.0), left, left + WIDTH);
        let y = Ruler::new(points().map(|point| point.1), TOP + HEIGHT, TOP);
        self.line(format_args!("<text class=\"title\" x=\"{left:.1}\" y=\"20\">{}</text>", panel.title));
        self.axes(&x, &y);
        for (series, colour) in panel.series.iter().zip(COLOURS.iter().cycle()) {
            self.line(format_args!("<g stroke=\"{colour}\" fill=\"{colour}\">"));
            self.series(series, &x, &y);
            self.line(format_args!("</g>"));
        }
    }

    fn axes(&mut self, x: &Ruler, y: &Ruler) {
        for power in x.ticks() {
            let (place, below) = (x.place(10_f64.powi(power)), y.start + 18.0);
            self.segment("grid", (place, y.start), (place, y.end));
            let text = raised(power);
            self.line(format_args!("<text class=\"middle\" x=\"{place:.1}\" y=\"{below:.1}\">{text}</text>"));
        }
        for power in y.ticks() {
            let (place, beside) = (y.place(10_f64.powi(power)), x.start - 8.0);
            self.segment("grid", (x.start, place), (x.end, place));
            let (text, place) = (raised(power), place + 4.0);
            self.line(format_args!("<text class=\"end\" x=\"{beside:.1}\" y=\"{place:.1}\">{text}</text>"));
        }
        self.segment("axis", (x.start, y.start), (x.end, y.start));
        self.segment("axis", (x.start, y.start), (x.start, y.end));
        let (middle, below) = (f64::midpoint(x.start, x.end), y.start + 38.0);
        self.line(format_args!(
            "<text class=\"middle\" x=\"{middle:.1}\" y=\"{below:.1}\">transitions</text>"
        ));
    }

    fn segment(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.line(format_args!(
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        ));
    }

    /// The points, and from the first large one on what m log n would be.
    fn series(&mut self, series: &Series, x: &Ruler, y: &Ruler) {
        /// Below this, the start of the program counts.
        const LARGE: f64 = 1e5;
        let place = |(across, up): (f64, f64)| format!("{:.1},{:.1}", x.place(across), y.place(up));
        let places: Vec<String> = series.points.iter().map(|point| place((point.0, point.1))).collect();
        self.line(format_args!("<polyline points=\"{}\"/>", places.join(" ")));
        for point in &series.points {
            let (across, up) = (x.place(point.0), y.place(point.1));
            self.line(format_args!("<circle cx=\"{across:.1}\" cy=\"{up:.1}\" r=\"3\"/>"));
        }
        let Some(&(_, measured, bound)) = series.points.iter().find(|point| point.0 >= LARGE) else { return };
        let large = series.points.iter().filter(|point| point.0 >= LARGE);
        let guide: Vec<String> = large
            .map(|&(transitions, _, bigger)| (transitions, measured / bound * bigger))
            // Beyond the top there is nothing to be seen.
            .filter(|&(_, up)| up.log10() <= y.high)
            .map(place)
            .collect();
        self.line(format_args!("<polyline class=\"guide\" points=\"{}\"/>", guide.join(" ")));
    }

    fn legend(&mut self, names: &[&str], top: f64) {
        for (i, (name, colour)) in names.iter().zip(COLOURS.iter().cycle()).enumerate() {
            let y = top + LINE * i as f64;
            self.line(format_args!(
                "<circle cx=\"{LEFT:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\">{name}</text>",
                LEFT + 12.0,
                y + 4.0
            ));
        }
        let y = top + LINE * names.len() as f64;
        self.line(format_args!(
            "<line class=\"guide axis\" x1=\"{:.1}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">dashed: m log n, through the first point of at least 10⁵ transitions</text>",
            LEFT - 14.0,
            LEFT + 8.0,
            LEFT + 12.0,
            y + 4.0
        ));
    }
}

/// A power of ten.
fn raised(power: i32) -> String {
    let digit = |letter: char| match letter.to_digit(10) {
        Some(digit) => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize],
        None => '⁻',
    };
    format!("10{}", power.to_string().chars().map(digit).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_grows_with_the_bound_is_on_the_dashed_line() {
        let points: Vec<(f64, f64, f64)> =
            [1e4, 1e5, 1e6].map(|m: f64| (m, 2.0 * m * m.log2(), m * m.log2())).to_vec();
        let series = Series { name: "a".to_owned(), points };
        let svg = picture(&[Panel { title: "t", series: vec![series] }]);
        let lines: Vec<&str> = svg.lines().filter_map(|line| line.split("points=\"").nth(1)).collect();
        let (all, guide) = (lines[0].trim_end_matches("\"/>"), lines[1].trim_end_matches("\"/>"));
        assert!(all.ends_with(&format!(" {guide}")), "{all} and {guide}");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && !svg.contains("NaN"));
    }

    #[test]
    fn powers_of_ten() {
        assert_eq!([-2, 0, 12].map(raised), ["10⁻²", "10⁰", "10¹²"]);
    }
}
