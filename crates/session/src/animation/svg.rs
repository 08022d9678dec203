//! Pictures that somebody drew: SVG, reduced to shapes and text.
//!
//! **Problem.** An SVG file is a program: it can have scripts, load other files, and carry styles that change the page around it.
//! Drawing programs also write much that only they read.
//!
//! **Idea.** The text is read tag by tag and written again. Only shapes, groups, texts, gradients and markers pass, with the
//! attributes that place and colour them; a `style` is taken apart into such attributes. References lead into the picture itself
//! or are left out. Each `id` gets a prefix, so that it is no `id` of the page around. What passes is therefore known; what is
//! wrong elsewhere in a file does no harm.

use std::collections::BTreeMap;
use std::fmt::Write;

use rely_base::{Diagnostic, Span};
use rely_draw::escape_xml;

use super::BAD_PICTURE;

/// The largest picture, in bytes.
const MOST_BYTES: usize = 4 << 20;

/// How deeply tags may be nested.
const DEEPEST: usize = 200;

/// What an `id` begins with in the picture that is written.
pub(super) const PREFIX: &str = "view-";

const ELEMENTS: [&str; 20] = [
    "svg",
    "g",
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "text",
    "tspan",
    "title",
    "desc",
    "defs",
    "use",
    "symbol",
    "linearGradient",
    "radialGradient",
    "stop",
    "marker",
];

/// Attributes that place and colour; those are also what a view may change.
pub(super) const ATTRIBUTES: [&str; 59] = [
    "x",
    "y",
    "x1",
    "y1",
    "x2",
    "y2",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
    "fx",
    "fy",
    "dx",
    "dy",
    "width",
    "height",
    "d",
    "points",
    "transform",
    "viewBox",
    "preserveAspectRatio",
    "fill",
    "fill-opacity",
    "fill-rule",
    "stroke",
    "stroke-width",
    "stroke-opacity",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-dasharray",
    "stroke-dashoffset",
    "stroke-miterlimit",
    "opacity",
    "visibility",
    "display",
    "color",
    "font-size",
    "font-family",
    "font-weight",
    "font-style",
    "text-anchor",
    "dominant-baseline",
    "letter-spacing",
    "offset",
    "stop-color",
    "stop-opacity",
    "gradientUnits",
    "gradientTransform",
    "spreadMethod",
    "marker-start",
    "marker-mid",
    "marker-end",
    "markerWidth",
    "markerHeight",
    "refX",
    "refY",
    "orient",
    "paint-order",
];

/// The functions that a value may use, besides references into the picture.
const FUNCTIONS: [&str; 12] =
    ["rgb", "rgba", "hsl", "hsla", "matrix", "translate", "rotate", "scale", "skewx", "skewy", "calc", "var"];

/// A picture that is safe to be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Drawing {
    /// The picture.
    pub(super) svg: String,
    /// The names of its elements, without the prefix.
    pub(super) ids: Vec<String>,
}

/// Reads a picture.
///
/// # Errors
/// Why it is none.
pub(super) fn read(text: &str) -> Result<Drawing, Diagnostic> {
    if text.len() > MOST_BYTES {
        let message = format!("the picture has more than {MOST_BYTES} bytes");
        return Err(Diagnostic::error(BAD_PICTURE, Span::new(0, 0), message));
    }
    let mut reader =
        Reader { text, at: 0, open: Vec::new(), dropped: 0, svg: String::new(), ids: Vec::new() };
    reader.run()?;
    Ok(Drawing { svg: reader.svg, ids: reader.ids })
}

/// The value as it may stand in an attribute: nothing is loaded from elsewhere, and references have the prefix. Nothing if it
/// cannot be made so.
pub(super) fn safe_value(value: &str) -> Option<String> {
    if value.contains(['\\', '<', '@']) || value.contains("/*") {
        return None;
    }
    let mut safe = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(bracket) = rest.find('(') {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let function = rest[..bracket].trim_end_matches(|c: char| !is_part(c));
        let function = function.rsplit(|c: char| !is_part(c)).next().unwrap_or_default().to_ascii_lowercase();
        let (before, after) = rest.split_at(bracket + 1);
        safe.push_str(before);
        rest = after;
        if function == "url" {
            let name = rest.trim_start_matches([' ', '"', '\'']).strip_prefix('#')?;
            let (name, after) = name.split_once(')')?;
            let _ = write!(safe, "#{PREFIX}{})", name.trim_end_matches([' ', '"', '\'']));
            rest = after;
        } else if !function.is_empty() && !FUNCTIONS.contains(&&*function) {
            return None;
        }
    }
    safe.push_str(rest);
    Some(safe)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// The names of the open tags that pass.
    open: Vec<&'t str>,
    /// How many tags are open that do not pass.
    dropped: usize,
    svg: String,
    ids: Vec<String>,
}

impl<'t> Reader<'t> {
    fn run(&mut self) -> Result<(), Diagnostic> {
        while let Some(start) = self.text[self.at..].find('<').map(|found| self.at + found) {
            self.characters(&self.text[self.at..start]);
            self.at = start;
            let rest = &self.text[start..];
            if rest.starts_with("<!--") {
                self.skip("-->")?;
            } else if let Some(inner) = rest.strip_prefix("<![CDATA[") {
                self.skip("]]>")?;
                if self.dropped == 0 && self.holds_text() {
                    self.svg.push_str(&escape_xml(&inner[..self.at - start - "<![CDATA[]]>".len()]));
                }
            } else if rest.starts_with("<?") {
                self.skip("?>")?;
            } else if rest.starts_with("<!") {
                if rest.find('[').is_some_and(|bracket| rest.find('>').is_none_or(|end| bracket < end)) {
                    return Err(self.wrong("a picture must not declare entities"));
                }
                self.skip(">")?;
            } else if rest.starts_with("</") {
                self.end_tag()?;
            } else {
                self.start_tag()?;
            }
        }
        match self.open.is_empty() && self.dropped == 0 && self.svg.starts_with("<svg") {
            true => Ok(()),
            false if self.svg.is_empty() => Err(self.wrong("this is no SVG: there is no element `svg`")),
            false => Err(self.wrong("the picture ends before all of its elements do")),
        }
    }

    fn wrong(&self, message: &str) -> Diagnostic {
        let at = u32::try_from(self.at.min(self.text.len())).unwrap_or(u32::MAX);
        Diagnostic::error(BAD_PICTURE, Span::new(at, at.saturating_add(1)), message)
    }

    /// Goes on behind the end of something.
    fn skip(&mut self, end: &str) -> Result<(), Diagnostic> {
        let found = self.text[self.at..].find(end);
        let found = found
            .ok_or_else(|| self.wrong(&format!("something is opened here and never closed with `{end}`")))?;
        self.at += found + end.len();
        Ok(())
    }

    /// Whether text may stand in the tag that is open.
    fn holds_text(&self) -> bool {
        self.open.last().is_some_and(|name| matches!(*name, "text" | "tspan" | "title" | "desc"))
    }

    fn characters(&mut self, text: &str) {
        if self.dropped == 0 && self.holds_text() {
            self.svg.push_str(&escape_xml(&decoded(text)));
        }
    }

    fn end_tag(&mut self) -> Result<(), Diagnostic> {
        let name = self.text[self.at + 2..].split('>').next().unwrap_or_default().trim_end();
        let name = local(name).unwrap_or_default();
        match self.dropped {
            0 if self.open.last() != Some(&name) => {
                return Err(self.wrong(&format!("`{name}` ends here, but it is not what was opened last")));
            }
            0 => {
                self.open.pop();
                let _ = write!(self.svg, "</{name}>");
            }
            _ => self.dropped -= 1,
        }
        self.skip(">")
    }

    fn start_tag(&mut self) -> Result<(), Diagnostic> {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '-' | '.');
        self.at += 1;
        let full = self.word(is_name);
        if full.is_empty() {
            return Err(self.wrong("a `<` begins no element here"));
        }
        let mut attributes = Vec::new();
        let is_closed = loop {
            self.word(char::is_whitespace);
            let rest = &self.text[self.at..];
            if rest.starts_with("/>") || rest.starts_with('>') {
                self.at += if rest.starts_with('>') { 1 } else { 2 };
                break rest.starts_with('/');
            }
            let name = self.word(is_name);
            self.word(char::is_whitespace);
            if name.is_empty() || !self.text[self.at..].starts_with('=') {
                return Err(self.wrong(&format!("an attribute of `{full}` is not written NAME=\"VALUE\"")));
            }
            self.at += 1;
            self.word(char::is_whitespace);
            let rest = &self.text[self.at..];
            let mark = rest.chars().next().filter(|mark| matches!(mark, '"' | '\''));
            let value = mark.and_then(|mark| rest[1..].split_once(mark));
            let Some((value, _)) = value else {
                return Err(self.wrong(&format!("the value of `{name}` is not in quotation marks")));
            };
            self.at += value.len() + 2;
            attributes.push((name, decoded(value)));
        };
        let name =
            local(full).filter(|name| ELEMENTS.contains(name) && (*name == "svg") == self.open.is_empty());
        match name {
            Some(name) if self.dropped == 0 => {
                if self.open.is_empty() && !self.svg.is_empty() {
                    return Err(self.wrong("there is a second picture behind the first one"));
                }
                if self.open.len() >= DEEPEST {
                    return Err(self.wrong("elements are nested too deeply"));
                }
                self.write(name, &attributes);
                match is_closed {
                    true => {
                        let _ = write!(self.svg, "</{name}>");
                    }
                    false => self.open.push(name),
                }
            }
            _ => self.dropped += usize::from(!is_closed),
        }
        Ok(())
    }

    /// The characters from here on that are of a kind.
    fn word(&mut self, is_part: impl Fn(char) -> bool) -> &'t str {
        let rest = &self.text[self.at..];
        let word = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    fn write(&mut self, name: &str, attributes: &[(&str, String)]) {
        let mut kept: BTreeMap<&str, String> = BTreeMap::new();
        let mut keep = |attribute: &str, value: &str| {
            let known = ATTRIBUTES.iter().find(|known| **known == attribute);
            if let (Some(&known), Some(value)) = (known, safe_value(value)) {
                kept.insert(known, value);
            }
        };
        for (attribute, value) in attributes {
            keep(attribute, value);
        }
        // What a style says goes before what the attribute of the same name says.
        for (_, style) in attributes.iter().filter(|(attribute, _)| *attribute == "style") {
            for (property, value) in style.split(';').filter_map(|it| it.split_once(':')) {
                keep(property.trim(), value.trim());
            }
        }
        let _ = write!(self.svg, "<{name}");
        if name == "svg" {
            self.svg.push_str(" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
            let number = |key: &str| {
                kept.get(key)?.trim_end_matches("px").parse::<f64>().ok().filter(|it| it.is_finite())
            };
            // Without it a picture cannot be made larger or smaller.
            if let (None, Some(width), Some(height)) =
                (kept.get("viewBox"), number("width"), number("height"))
            {
                kept.insert("viewBox", format!("0 0 {width} {height}"));
            }
        }
        for (attribute, value) in attributes {
            if *attribute == "id" {
                self.ids.push(value.clone());
                let _ = write!(self.svg, " id=\"{PREFIX}{}\"", escape_xml(value));
            }
            if matches!(*attribute, "href" | "xlink:href")
                && let Some(own) = value.strip_prefix('#')
            {
                let _ = write!(self.svg, " href=\"#{PREFIX}{}\"", escape_xml(own));
            }
        }
        for (attribute, value) in kept {
            let _ = write!(self.svg, " {attribute}=\"{}\"", escape_xml(&value));
        }
        self.svg.push('>');
    }
}

/// The name of an element of SVG; nothing for one of another language, which a prefix tells.
fn local(name: &str) -> Option<&str> {
    let name = name.strip_prefix("svg:").unwrap_or(name);
    (!name.contains(':')).then_some(name)
}

/// A text with the characters that its references mean.
fn decoded(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        decoded.push_str(before);
        let meant = after.split_once(';').filter(|(name, _)| name.len() <= 8).and_then(|(name, after)| {
            let number =
                |digits: &str, base: u32| u32::from_str_radix(digits, base).ok().and_then(char::from_u32);
            let meant = match name {
                "amp" => Some('&'),
                "lt" => Some('<'),
                "gt" => Some('>'),
                "quot" => Some('"'),
                "apos" => Some('\''),
                _ => match name.strip_prefix("#x") {
                    Some(digits) => number(digits, 16),
                    None => number(name.strip_prefix('#')?, 10),
                },
            };
            Some((meant?, after))
        });
        let (meant, after) = meant.unwrap_or(('&', after));
        decoded.push(meant);
        rest = after;
    }
    decoded.push_str(rest);
    decoded
}
