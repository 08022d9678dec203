//! Reading TOML with places: every mistake is collected, and what is missing does not keep the rest from being read.

use rely_base::{Code, Diagnostic, Span};
use rely_syntax::nearest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::codes::{BAD_VALUE, MISSING, NO_TOML, UNKNOWN_KEY};

/// The mistakes that were found so far.
#[derive(Default)]
pub(crate) struct Findings(pub(crate) Vec<Diagnostic>);

impl Findings {
    pub(crate) fn error(&mut self, code: Code, span: Span, message: String, help: impl Into<String>) {
        self.0.push(Diagnostic::error(code, span, message).with_help(help));
    }
}

/// A string with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// The string.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A table of the file: the keys that it has, with their values.
pub(crate) struct Section<'t> {
    /// What it is called in messages.
    name: String,
    span: Span,
    entries: Vec<(&'t str, Span, &'t DeValue<'t>, Span)>,
}

/// The table of a whole file, and what the parser says.
pub(crate) fn parse(text: &str) -> (Spanned<DeTable<'_>>, Findings) {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut findings = Findings::default();
    for error in errors {
        let span = error.span().map_or(Span::new(0, 0), span);
        findings.error(NO_TOML, span, format!("this is no TOML: {}", error.message()), "see https://toml.io");
    }
    (table, findings)
}

fn span(range: std::ops::Range<usize>) -> Span {
    let place = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    Span::new(place(range.start), place(range.end))
}

impl<'t> Section<'t> {
    pub(crate) fn new(name: &str, place: std::ops::Range<usize>, table: &'t DeTable<'t>) -> Self {
        let entry = |(key, value): (&'t Spanned<_>, &'t Spanned<DeValue<'t>>)| {
            let name: &std::borrow::Cow<'t, str> = key.get_ref();
            (&**name, span(key.span()), value.get_ref(), span(value.span()))
        };
        let mut entries: Vec<_> = table.iter().map(entry).collect();
        // The order of the file is that of the statements.
        entries.sort_by_key(|&(_, key, ..)| key.start);
        Self { name: name.to_owned(), span: span(place), entries }
    }

    pub(crate) fn span(&self) -> Span {
        self.span
    }

    /// Reports keys that mean nothing here.
    pub(crate) fn check_keys(&self, known: &[&str], findings: &mut Findings) {
        for &(key, span, ..) in self.entries.iter().filter(|(key, ..)| !known.contains(key)) {
            let help = match nearest(key, known.iter().copied()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("there are {}", known.join(", ")),
            };
            findings.error(UNKNOWN_KEY, span, format!("{} has no key `{key}`", self.name), help);
        }
    }

    fn get(&self, key: &str) -> Option<(&'t DeValue<'t>, Span)> {
        self.entries.iter().find(|(name, ..)| *name == key).map(|&(_, _, value, span)| (value, span))
    }

    fn wrong(&self, key: &str, expected: &str, span: Span, findings: &mut Findings) {
        findings.error(
            BAD_VALUE,
            span,
            format!("`{key}` of {} is not {expected}", self.name),
            format!("write {expected}"),
        );
    }

    /// A string that may be missing.
    pub(crate) fn text(&self, key: &str, findings: &mut Findings) -> Option<Text> {
        let (value, span) = self.get(key)?;
        match value {
            DeValue::String(text) => Some(Text { text: text.clone().into_owned(), span }),
            _ => {
                self.wrong(key, "a string", span, findings);
                None
            }
        }
    }

    /// A string that has to be there.
    pub(crate) fn needed(&self, key: &str, findings: &mut Findings) -> Text {
        if self.get(key).is_none() {
            let message = format!("{} has no `{key}`", self.name);
            findings.error(MISSING, self.span, message, format!("add `{key} = \"…\"`"));
        }
        self.text(key, findings).unwrap_or(Text { text: String::new(), span: self.span })
    }

    /// A list of strings; empty if it is missing.
    pub(crate) fn texts(&self, key: &str, findings: &mut Findings) -> Vec<Text> {
        let mut texts = Vec::new();
        for (value, span) in self.array(key, "a list of strings", findings) {
            match value {
                DeValue::String(text) => texts.push(Text { text: text.clone().into_owned(), span }),
                _ => self.wrong(key, "a list of strings", span, findings),
            }
        }
        texts
    }

    /// A list of numbers; empty if it is missing.
    pub(crate) fn numbers(&self, key: &str, findings: &mut Findings) -> Vec<i64> {
        let mut numbers = Vec::new();
        for (value, span) in self.array(key, "a list of numbers", findings) {
            match number(value) {
                Some(number) => numbers.push(number),
                None => self.wrong(key, "a list of numbers", span, findings),
            }
        }
        numbers
    }

    /// A number that counts something.
    pub(crate) fn count(&self, key: &str, findings: &mut Findings) -> Option<usize> {
        let (value, span) = self.get(key)?;
        let count = number(value).and_then(|number| usize::try_from(number).ok());
        if count.is_none() {
            self.wrong(key, "a number that is not negative", span, findings);
        }
        count
    }

    /// Whether something is so; it is not if it is missing.
    pub(crate) fn truth(&self, key: &str, findings: &mut Findings) -> bool {
        match self.get(key) {
            Some((DeValue::Boolean(truth), _)) => *truth,
            Some((_, span)) => {
                self.wrong(key, "true or false", span, findings);
                false
            }
            None => false,
        }
    }

    /// The strings of a table, in the order of the file.
    pub(crate) fn text_table(&self, key: &str, findings: &mut Findings) -> Vec<(Text, Text)> {
        let Some(section) = self.section(key, findings) else { return Vec::new() };
        let keys: Vec<(&str, Span)> = section.entries.iter().map(|&(key, span, ..)| (key, span)).collect();
        let entry = |(key, span): (&str, Span)| {
            let name = Text { text: key.to_owned(), span };
            Some((name, section.text(key, findings)?))
        };
        keys.into_iter().filter_map(entry).collect()
    }

    /// A table that may be missing.
    pub(crate) fn section(&self, key: &str, findings: &mut Findings) -> Option<Section<'t>> {
        let (value, span) = self.get(key)?;
        match value {
            DeValue::Table(table) => Some(Section::new(&format!("[{key}]"), range(span), table)),
            _ => {
                self.wrong(key, "a table", span, findings);
                None
            }
        }
    }

    /// A list of tables; empty if it is missing.
    pub(crate) fn sections(&self, key: &str, findings: &mut Findings) -> Vec<Section<'t>> {
        let mut sections = Vec::new();
        for (value, span) in self.array(key, "a list of tables", findings) {
            match value {
                DeValue::Table(table) => {
                    sections.push(Section::new(&format!("[[{key}]]"), range(span), table));
                }
                _ => self.wrong(key, "a list of tables", span, findings),
            }
        }
        sections
    }

    fn array(&self, key: &str, expected: &str, findings: &mut Findings) -> Vec<(&'t DeValue<'t>, Span)> {
        match self.get(key) {
            None => Vec::new(),
            Some((DeValue::Array(array), _)) => {
                array.iter().map(|value| (value.get_ref(), span(value.span()))).collect()
            }
            Some((_, span)) => {
                self.wrong(key, expected, span, findings);
                Vec::new()
            }
        }
    }
}

fn range(span: Span) -> std::ops::Range<usize> {
    span.start as usize..span.end as usize
}

fn number(value: &DeValue<'_>) -> Option<i64> {
    match value {
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix()).ok(),
        _ => None,
    }
}
