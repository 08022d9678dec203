//! Text without font metrics: its approximate width, where it is broken, and which characters are safe to show.

use rely_base::printable;

/// The size of the letters of labels.
pub(crate) const FONT_SIZE: f64 = 11.5;
/// The distance between two lines of a label.
pub(crate) const LINE_HEIGHT: f64 = 14.0;
/// Approximate width of the lines of a label, unless a single name is wider.
const WRAP_WIDTH: f64 = 130.0;
/// A single name wider than this is broken.
const MAX_NAME_WIDTH: f64 = 250.0;
/// Maximum number of lines of a label; the number of remaining names is shown.
const MAX_LINES: usize = 14;

/// The widths of the characters from blank to tilde in thousandths of the size, as in a wide sans-serif face: with a
/// narrower one some space remains, which does no harm.
const WIDTHS: [u16; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, // blank to /
    636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, // 0 to ?
    1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787, // @ to O
    603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, // P to _
    500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, // ` to o
    635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838, // p to ~
];

/// Lines of text.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Text {
    /// The lines.
    pub(crate) lines: Vec<String>,
    /// The width of the widest line.
    pub(crate) width: f64,
}

impl Text {
    /// Names separated by commas, broken into lines.
    pub(crate) fn wrapped(names: &[String]) -> Self {
        Self::wrapped_at(WRAP_WIDTH, names)
    }

    /// Names separated by commas, broken into lines of approximately the given width.
    pub(crate) fn wrapped_at(most: f64, names: &[String]) -> Self {
        let mut lines = vec![String::new()];
        // The number of names that end on each line or before it.
        let mut ended = vec![0];
        for (i, name) in names.iter().enumerate() {
            let comma = if i + 1 < names.len() { "," } else { "" };
            for piece in pieces(&format!("{name}{comma}")) {
                let line = lines.last_mut().expect("there is always a line");
                if line.is_empty() {
                    *line = piece;
                } else if width(line) + width(&piece) + width(" ") <= most {
                    *line = format!("{line} {piece}");
                } else {
                    lines.push(piece);
                    ended.push(i);
                }
            }
            ended[lines.len() - 1] = i + 1;
        }
        if lines.len() > MAX_LINES {
            lines.truncate(MAX_LINES - 1);
            lines.push(format!("… and {} more", names.len() - ended[MAX_LINES - 2]));
        }
        let width = lines.iter().map(|line| width(line)).fold(0.0, f64::max);
        Self { lines, width }
    }

    /// The distance from the top of the first line to the bottom of the last.
    pub(crate) fn height(&self) -> f64 {
        LINE_HEIGHT * self.lines.len() as f64
    }
}

/// The approximate width of a text in labels.
pub(crate) fn width(text: &str) -> f64 {
    text.chars().map(|c| f64::from(thousandths(c)) * FONT_SIZE / 1000.0).sum()
}

/// Parts of a name none of which is too wide, broken after punctuation if possible.
fn pieces(name: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut piece = String::new();
    // The length of the part of the piece that ends with punctuation.
    let mut boundary = 0;
    for c in name.chars() {
        piece.push(c);
        if width(&piece) > MAX_NAME_WIDTH {
            let cut = if boundary > 0 { boundary } else { piece.len() - c.len_utf8() };
            let rest = piece.split_off(cut);
            pieces.push(std::mem::replace(&mut piece, rest));
            boundary = 0;
        }
        if matches!(c, '.' | ']' | ')' | '_' | '-' | ' ' | ',') {
            boundary = piece.len();
        }
    }
    pieces.push(piece);
    pieces
}

fn thousandths(c: char) -> u16 {
    let ascii = (c as usize).checked_sub(32).and_then(|index| WIDTHS.get(index));
    match ascii {
        Some(&width) => width,
        // The East Asian scripts and the symbols beyond are about as wide as they are high.
        None if c >= '\u{1100}' => 1050,
        None => 800,
    }
}

/// The name, in which characters that are invisible, or reorder those around them, are shown by number.
pub(crate) fn visible(name: &str) -> String {
    printable(name).into_owned()
}

/// Text escaped for XML and HTML, in content and in attributes; invisible characters are shown by number.
pub fn escape_xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrap(names: &[&str]) -> Vec<String> {
        Text::wrapped(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>()).lines
    }

    #[test]
    fn names_are_wrapped() {
        assert_eq!(wrap(&["a", "b", "c"]), ["a, b, c"]);
        assert_eq!(wrap(&[""]), [""]);
        assert_eq!(
            wrap(&["phil.1.right.get", "phil.2.right.get", "a"]),
            ["phil.1.right.get,", "phil.2.right.get, a"]
        );
        let long = "controller.1.command[3].acknowledge.and.then.some.more.of.it";
        assert_eq!(wrap(&[long]), ["controller.1.command[3].acknowledge.", "and.then.some.more.of.it"]);
        assert!(wrap(&[&"x".repeat(200)]).iter().all(|line| width(line) <= MAX_NAME_WIDTH));
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let names: Vec<String> = (0..100).map(|i| format!("send({i},with,commas,in,the,name)")).collect();
        let text = Text::wrapped(&names);
        assert_eq!((text.lines.len(), text.lines[MAX_LINES - 1].as_str()), (MAX_LINES, "… and 87 more"));
        assert!(text.lines[MAX_LINES - 2].starts_with("send(12,"));
    }
}
