//! Charts: points and lines between two axes, written as SVG.
//!
//! **Problem.** A figure of a study has to be readable in a book and on a screen, and the same data have to give the same
//! bytes. **Idea.** A chart is plain data: two axes, series of points, and guides (straight lines for the eye). Scales are
//! linear or logarithmic; ticks are round numbers; what is not in the data is not drawn. **Invariants.** All coordinates
//! are written with one decimal, every text is escaped, and colours and shapes depend on the number of a series only.

use std::fmt::Write;

use rely_base::push_printable;

/// A picture of data.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    pub(super) title: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) series: Vec<Series>,
    pub(super) guides: Vec<Guide>,
    /// Whether both axes show the same values, so that a place can be compared with the diagonal.
    pub(super) is_square: bool,
}

/// What an axis shows.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub(super) label: String,
    pub(super) scale: Scale,
}

/// How values become places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scale {
    /// Whole numbers, such as sizes.
    Linear,
    /// Positive numbers by their order of magnitude.
    Logarithmic,
}

/// Points that belong together.
#[derive(Clone, Debug)]
pub(super) struct Series {
    /// What the legend says; a series without a name is not in it.
    pub(super) name: String,
    /// The number that decides on colour and shape.
    pub(super) look: usize,
    /// Whether the points are joined.
    pub(super) joined: bool,
    /// The points, with what they are about.
    pub(super) points: Vec<(f64, f64, String)>,
    /// Points at which something ended without an answer.
    pub(super) crosses: Vec<(f64, f64, String)>,
}

/// A line for the eye, across the whole chart.
#[derive(Clone, Debug)]
pub(super) enum Guide {
    /// y = c.
    Level(f64, &'static str),
    /// y = c · x.
    Slope(f64, &'static str),
}

/// Dark enough for thin lines on white, and told apart by people who do not see all colours [Okabe, Ito 2008].
const COLOURS: [&str; 8] =
    ["#3d4852", "#0072b2", "#d55e00", "#009e73", "#b0609a", "#c78a00", "#3f9bd0", "#7a5230"];

const WIDTH: f64 = 680.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 178.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 58.0;

const STYLE: &str = "text{font-family:'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;\
font-size:12px;fill:#1f2933}.title{font-size:14px;font-weight:bold}.middle{text-anchor:middle}.end{text-anchor:end}\
.grid{stroke:#e4e7eb;stroke-width:1}.axis{stroke:#52606d;stroke-width:1.25}\
.guide{stroke:#7b8794;stroke-width:1.25;stroke-dasharray:6 4}.note{font-size:11px;fill:#52606d}";

impl Chart {
    /// The chart as a document. Nothing if there are no points.
    pub(super) fn svg(&self) -> Option<String> {
        let points = || self.series.iter().flat_map(|series| series.points.iter().chain(&series.crosses));
        points().next()?;
        let mut widths: Vec<f64> = points().map(|point| point.0).collect();
        let mut heights: Vec<f64> = points().map(|point| point.1).collect();
        heights.extend(self.guides.iter().filter_map(|guide| match guide {
            Guide::Level(level, _) => Some(*level),
            Guide::Slope(..) => None,
        }));
        if self.is_square {
            widths.append(&mut heights.clone());
            heights.clone_from(&widths);
        }
        let x = Ruler::new(self.x.scale, &widths, LEFT, WIDTH - RIGHT);
        let y = Ruler::new(self.y.scale, &heights, HEIGHT - BOTTOM, TOP);
        let mut page = Page { svg: String::new(), x, y };
        page.open(&self.title);
        page.axes(self);
        self.guides.iter().for_each(|guide| page.guide(guide));
        self.series.iter().for_each(|series| page.series(series));
        page.legend(&self.series);
        page.svg.push_str("</svg>\n");
        Some(page.svg)
    }
}

/// From values to places along one direction.
struct Ruler {
    scale: Scale,
    /// The values at both ends, as logarithms on a logarithmic scale.
    low: f64,
    high: f64,
    /// The places of both ends.
    start: f64,
    end: f64,
}

impl Ruler {
    fn new(scale: Scale, values: &[f64], start: f64, end: f64) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for &value in values {
            low = low.min(value);
            high = high.max(value);
        }
        match scale {
            Scale::Linear => {
                let air = ((high - low) * 0.04).max(0.5);
                Self { scale, low: low - air, high: high + air, start, end }
            }
            Scale::Logarithmic => {
                // Both ends are powers of ten or halves of them, and there is some air.
                let low = (low.log10() * 2.0 - 0.1).floor() / 2.0;
                let high = (high.log10() * 2.0 + 0.1).ceil() / 2.0;
                Self { scale, low, high: high.max(low + 1.0), start, end }
            }
        }
    }

    fn place(&self, value: f64) -> f64 {
        let value = match self.scale {
            Scale::Linear => value,
            Scale::Logarithmic => value.log10(),
        };
        self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)
    }

    fn holds(&self, value: f64) -> bool {
        let value = if self.scale == Scale::Linear { value } else { value.log10() };
        value >= self.low - 1e-9 && value <= self.high + 1e-9
    }

    /// The ends as values.
    fn ends(&self) -> (f64, f64) {
        match self.scale {
            Scale::Linear => (self.low, self.high),
            Scale::Logarithmic => (10_f64.powf(self.low), 10_f64.powf(self.high)),
        }
    }

    /// Round numbers between the ends.
    fn ticks(&self) -> Vec<f64> {
        match self.scale {
            Scale::Linear => {
                let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0];
                let step =
                    steps.into_iter().find(|step| (self.high - self.low) / step <= 12.0).unwrap_or(1e4);
                let first = (self.low / step).ceil();
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "there are few ticks"
                )]
                let count = ((self.high / step).floor() - first).max(0.0) as u32 + 1;
                (0..count).map(|i| (first + f64::from(i)) * step).collect()
            }
            Scale::Logarithmic => {
                let between = if self.high - self.low <= 2.5 { &[1.0, 2.0, 5.0][..] } else { &[1.0][..] };
                #[allow(clippy::cast_possible_truncation, reason = "exponents are small")]
                let (first, last) = (self.low.floor() as i32, self.high.ceil() as i32);
                let stride = if last - first > 12 { 2 } else { 1 };
                let decades = (first..=last).filter(|power| power % stride == 0);
                let ticks =
                    decades.flat_map(|power| between.iter().map(move |part| part * 10_f64.powi(power)));
                ticks.filter(|&tick| self.holds(tick)).collect()
            }
        }
    }
}

/// The document that is being written.
struct Page {
    svg: String,
    x: Ruler,
    y: Ruler,
}

impl Page {
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        writeln!(self.svg, "{text}").expect("a string can be written to");
    }

    fn open(&mut self, title: &str) {
        let title = escaped(title);
        self.line(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">"
        ));
        self.line(format_args!("<title>{title}</title>\n<style>{STYLE}</style>"));
        self.line(format_args!("<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>"));
        self.line(format_args!("<text class=\"title\" x=\"{LEFT:.1}\" y=\"24\">{title}</text>"));
    }

    fn axes(&mut self, chart: &Chart) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        for tick in self.x.ticks() {
            let x = self.x.place(tick);
            self.segment("grid", (x, TOP), (x, bottom));
            let y = bottom + 18.0;
            self.line(format_args!(
                "<text class=\"middle\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
                number(tick)
            ));
        }
        for tick in self.y.ticks() {
            let y = self.y.place(tick);
            self.segment("grid", (LEFT, y), (right, y));
            let (x, y) = (LEFT - 8.0, y + 4.0);
            self.line(format_args!("<text class=\"end\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", number(tick)));
        }
        self.segment("axis", (LEFT, TOP), (LEFT, bottom));
        self.segment("axis", (LEFT, bottom), (right, bottom));
        let (x, y) = (f64::midpoint(LEFT, right), f64::midpoint(TOP, bottom));
        let (across, up) = (escaped(&chart.x.label), escaped(&chart.y.label));
        self.line(format_args!(
            "<text class=\"middle\" x=\"{x:.1}\" y=\"{:.1}\">{across}</text>",
            HEIGHT - 16.0
        ));
        self.line(format_args!(
            "<text class=\"middle\" x=\"18\" y=\"{y:.1}\" transform=\"rotate(-90 18 {y:.1})\">{up}</text>"
        ));
    }

    fn segment(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.line(format_args!(
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        ));
    }

    fn guide(&mut self, guide: &Guide) {
        let (from, to, label) = match *guide {
            Guide::Level(level, label) => {
                let (low, high) = self.x.ends();
                ((low, level), (high, level), label)
            }
            Guide::Slope(factor, label) => {
                let ((left, right), (low, high)) = (self.x.ends(), self.y.ends());
                let (first, last) = (left.max(low / factor), right.min(high / factor));
                if first >= last {
                    return;
                }
                ((first, first * factor), (last, last * factor), label)
            }
        };
        let (from, to) =
            ((self.x.place(from.0), self.y.place(from.1)), (self.x.place(to.0), self.y.place(to.1)));
        self.segment("guide", from, to);
        // A guide that ends at the top has its name above the end, any other one to the right.
        let (class, x, y) = match to.1 - TOP < 1.0 && to.0 < WIDTH - RIGHT - 1.0 {
            true => ("note middle", to.0, to.1 - 4.0),
            false => ("note", to.0 + 5.0, to.1 + 4.0),
        };
        self.line(format_args!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{label}</text>"));
    }

    fn series(&mut self, series: &Series) {
        let colour = COLOURS[series.look % COLOURS.len()];
        self.line(format_args!("<g stroke=\"{colour}\" fill=\"{colour}\" fill-opacity=\"0.75\">"));
        if series.joined && series.points.len() > 1 {
            let place = |point: &(f64, f64, String)| {
                format!("{:.1},{:.1}", self.x.place(point.0), self.y.place(point.1))
            };
            let places: Vec<String> = series.points.iter().map(place).collect();
            // The first series is drawn broadly below the others, so that it is seen where they agree with it.
            let width = if series.look == 0 { "5\" stroke-opacity=\"0.35" } else { "1.75" };
            let places = places.join(" ");
            self.line(format_args!("<polyline fill=\"none\" stroke-width=\"{width}\" points=\"{places}\"/>"));
        }
        for (x, y, about) in &series.points {
            let shape = shape(series.look, self.x.place(*x), self.y.place(*y));
            self.line(format_args!("<g><title>{}</title>{shape}</g>", escaped(about)));
        }
        for (x, y, about) in &series.crosses {
            let shape = cross(self.x.place(*x), self.y.place(*y));
            self.line(format_args!("<g><title>{}</title>{shape}</g>", escaped(about)));
        }
        self.line(format_args!("</g>"));
    }

    fn legend(&mut self, all: &[Series]) {
        let x = WIDTH - RIGHT + 46.0;
        let mut y = TOP + 10.0;
        let is_shown =
            |series: &&Series| !series.name.is_empty() && series.points.len() + series.crosses.len() > 0;
        for series in all.iter().filter(is_shown) {
            let colour = COLOURS[series.look % COLOURS.len()];
            let (shape, name) = (shape(series.look, x, y), escaped(&series.name));
            self.line(format_args!("<g stroke=\"{colour}\" fill=\"{colour}\">{shape}</g>"));
            self.line(format_args!("<text x=\"{:.1}\" y=\"{:.1}\">{name}</text>", x + 12.0, y + 4.0));
            y += 20.0;
        }
        if all.iter().any(|series| !series.crosses.is_empty()) {
            let shape = cross(x, y);
            self.line(format_args!("<g stroke=\"#52606d\">{shape}</g>"));
            self.line(format_args!("<text x=\"{:.1}\" y=\"{:.1}\">met a limit</text>", x + 12.0, y + 4.0));
        }
    }
}

fn shape(look: usize, x: f64, y: f64) -> String {
    match look % 4 {
        0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{}\"/>", if look == 0 { "5" } else { "3.5" }),
        1 => format!("<rect x=\"{:.1}\" y=\"{:.1}\" width=\"7\" height=\"7\"/>", x - 3.5, y - 3.5),
        2 => format!("<path d=\"M{x:.1} {:.1}l4.5 8h-9z\"/>", y - 5.0),
        _ => format!("<path d=\"M{x:.1} {:.1}l5 5l-5 5l-5 -5z\"/>", y - 5.0),
    }
}

fn cross(x: f64, y: f64) -> String {
    format!("<path fill=\"none\" stroke-width=\"1.75\" d=\"M{:.1} {:.1}l8 8m0 -8l-8 8\"/>", x - 4.0, y - 4.0)
}

/// A tick in few characters: 0.01, 50, 1,000, 10⁶.
fn number(value: f64) -> String {
    let power = value.abs().log10();
    if power >= 3.99 {
        let (digits, exponent) =
            (10_f64.powf(power - (power + 1e-9).floor()).round(), (power + 1e-9).floor());
        let raised: String = format!("{exponent}").chars().map(superscript).collect();
        return if digits > 1.0 { format!("{digits}·10{raised}") } else { format!("10{raised}") };
    }
    if value.abs() >= 1000.0 {
        return format!("{:.0},{:03.0}", (value / 1000.0).trunc(), value.abs() % 1000.0);
    }
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn superscript(digit: char) -> char {
    let raised = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    digit.to_digit(10).map_or(digit, |digit| raised[digit as usize])
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            letter => push_printable(&mut escaped, letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let ticks = |scale, values: &[f64]| -> Vec<String> {
            let ruler = Ruler::new(scale, values, 0.0, 100.0);
            ruler.ticks().into_iter().map(number).collect()
        };
        assert_eq!(ticks(Scale::Linear, &[2.0, 5.0]), ["2", "3", "4", "5"]);
        assert_eq!(ticks(Scale::Linear, &[2.0, 40.0]), ["5", "10", "15", "20", "25", "30", "35", "40"]);
        assert_eq!(ticks(Scale::Linear, &[3.0]), ["3"]);
        assert_eq!(
            ticks(Scale::Logarithmic, &[12.0, 3e6]),
            ["10", "100", "1,000", "10⁴", "10⁵", "10⁶", "10⁷"]
        );
        assert_eq!(ticks(Scale::Logarithmic, &[0.4, 1.2]), ["0.5", "1", "2"]);
        assert_eq!(ticks(Scale::Logarithmic, &[30_000.0]), ["10⁴", "2·10⁴", "5·10⁴", "10⁵"]);
    }

    #[test]
    fn places_keep_order_and_stay_inside() {
        for (scale, values) in [
            (Scale::Linear, vec![-3.0, 0.0, 1.0, 250.0]),
            (Scale::Logarithmic, vec![0.001, 0.9, 1.0, 7.0, 1e9]),
            (Scale::Logarithmic, vec![5.0]),
        ] {
            let ruler = Ruler::new(scale, &values, 20.0, 300.0);
            let places: Vec<f64> = values.iter().map(|&value| ruler.place(value)).collect();
            assert!(
                places.is_sorted() && places.iter().all(|place| (20.0..=300.0).contains(place)),
                "{places:?}"
            );
        }
    }

    #[test]
    fn a_chart_is_a_document() {
        let axis = |label: &str| Axis { label: label.to_owned(), scale: Scale::Logarithmic };
        let mut chart = Chart {
            title: "a < b & \"c\"".to_owned(),
            x: axis("x"),
            y: axis("y"),
            series: Vec::new(),
            guides: vec![Guide::Slope(1.0, "equal"), Guide::Level(1.0, "1")],
            is_square: true,
        };
        assert_eq!(chart.svg(), None);
        chart.series.push(Series {
            name: "one".to_owned(),
            look: 9,
            joined: true,
            points: vec![(1.0, 2.0, "<p>".to_owned()), (10.0, 20.0, String::new())],
            crosses: vec![(100.0, 3.0, String::new())],
        });
        let svg = chart.svg().expect("there are points");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(
            svg.contains("a &lt; b &amp; &quot;c&quot;") && svg.contains("&lt;p&gt;") && !svg.contains("NaN")
        );
        let count = |text: &str| svg.matches(text).count();
        assert_eq!((count("<polyline"), count("class=\"guide\""), count("met a limit")), (1, 2, 1));
        assert_eq!(count("<g"), count("</g>"));
        assert_eq!(chart.svg(), Some(svg));
    }
}
