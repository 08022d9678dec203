//! A page: its content in order, independent of the output format.

use rely_base::push_printable;

use super::{Explanation, Origin, sections};
use crate::report::Verdict;

/// The content of a page.
pub(super) struct Page {
    pub(super) title: String,
    pub(super) blocks: Vec<Block>,
}

/// A block of a page.
pub(super) enum Block {
    /// The beginning of an article, such as an answer: its anchor, and its title.
    Article(String, Words),
    /// A heading: of level 3 inside an answer, and of level 4 for details.
    Heading(usize, Words),
    /// The sections of an article, for formats with links.
    Sections(Vec<String>),
    /// A link back to the table of all answers, for the same formats.
    Back,
    /// Lines of a file with their numbers.
    Listing(Vec<(usize, String)>),
    /// An answer in a sentence.
    Answer(Verdict, Words),
    Paragraph(Words),
    /// Something that must not be overlooked.
    Warning(Words),
    List(Vec<Words>),
    /// A list of short things.
    Compact(Vec<Words>),
    /// Pairs of a term and its description.
    Facts(Vec<(&'static str, Words)>),
    Table(Table),
    /// Text to be copied literally.
    Code(String),
    /// A rule: the conclusion follows from the premises.
    Inference {
        name: String,
        premises: Vec<String>,
        conclusion: String,
    },
    Picture(Picture),
}

/// Rows with the same columns.
pub(super) struct Table {
    /// The names of the columns, and whether they have numbers.
    pub(super) head: Vec<(&'static str, bool)>,
    pub(super) rows: Vec<Vec<Words>>,
}

/// A picture, and its equivalent in characters.
pub(super) struct Picture {
    /// The picture as SVG; `None` if it would be too large.
    pub(super) svg: Option<String>,
    /// The text that is shown instead.
    pub(super) text: String,
    /// The kind of the text.
    pub(super) text_is: TextIs,
    pub(super) caption: Words,
}

/// The kind of text that replaces a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TextIs {
    /// A process.
    Fsp,
    /// A list of transitions, if the names cannot be written in FSP.
    Transitions,
    /// The same picture.
    Characters,
}

impl TextIs {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Fsp => "As FSP",
            Self::Transitions => "Its transitions",
            Self::Characters => "In characters",
        }
    }
}

/// Words of a sentence, some of which are names from the model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Words(pub(super) Vec<Piece>);

/// A piece of a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Piece {
    Plain(String),
    /// A name from the model.
    Name(String),
    /// A name of something with an article of its own, and its anchor.
    Link(String, String),
}

/// The anchor of the table of all answers.
pub(super) const ANSWERS: &str = "answers";

/// The anchor of the text of the model.
pub(super) const MODEL: &str = "model";

/// Maximum number of lines of the model on a page.
const MOST_LINES: usize = 400;

/// Maximum number of names in a list; the others are counted.
const LISTED: usize = 24;

impl Words {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self::default().text(text)
    }

    pub(super) fn of_name(name: &str) -> Self {
        Self::default().name(name)
    }

    pub(super) fn number(number: usize) -> Self {
        Self::new(number.to_string())
    }

    /// Adds plain text.
    pub(super) fn text(mut self, text: impl Into<String>) -> Self {
        self.0.push(Piece::Plain(text.into()));
        self
    }

    /// Adds a name.
    pub(super) fn name(mut self, name: &str) -> Self {
        self.0.push(Piece::Name(name.to_owned()));
        self
    }

    /// Adds the name of something with an article of its own, as a link.
    pub(super) fn link(mut self, name: &str, to: &str) -> Self {
        self.0.push(Piece::Link(name.to_owned(), to.to_owned()));
        self
    }

    /// Adds names with commas between them; of many names, some and the number of the others.
    pub(super) fn names<'n>(self, names: impl IntoIterator<Item = &'n str>) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        let listed = if names.len() > LISTED + 1 { LISTED } else { names.len() };
        let mut words = self;
        for (i, name) in names[..listed].iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            words = words.text(comma).name(name);
        }
        match names.len() - listed {
            0 => words,
            more => words.text(format!(" and {more} more")),
        }
    }

    /// Appends other words.
    pub(super) fn chained(mut self, more: Self) -> Self {
        self.0.extend(more.0);
        self
    }

    /// The plain text, without markup.
    pub(super) fn plain(&self) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Plain(text) | Piece::Name(text) | Piece::Link(text, _) => text.clone(),
        };
        self.0.iter().map(text).collect()
    }
}

/// Text without line breaks, without control characters of terminals, and without characters that reorder others.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => line.push(' '),
            c => push_printable(&mut line, c),
        }
    }
    line
}

/// A number with a noun, such as `3 states`.
pub(super) fn counted(count: usize, thing: &str) -> String {
    format!("{} {thing}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// A number with a thin space after each thousand.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A page about some answers.
pub(super) fn page(explanations: &[Explanation], origin: &Origin) -> Page {
    let mut blocks = Vec::new();
    let facts = facts(origin);
    if !facts.is_empty() {
        blocks.push(Block::Facts(facts));
    }
    if explanations.is_empty() {
        blocks.push(Block::Paragraph(Words::new("There is no answer to explain.")));
    }
    let has_contents = explanations.len() > 1;
    if has_contents {
        blocks.push(Block::Table(summary(explanations)));
    }
    for (i, explanation) in explanations.iter().enumerate() {
        sections::write(explanation, &article(i), origin, &mut blocks);
        if has_contents {
            blocks.push(Block::Back);
        }
    }
    model(origin, &mut blocks);
    let title = match explanations {
        [only] => format!("{}: one answer explained", only.system),
        [first, ..] => format!("{}: {} answers explained", first.system, explanations.len()),
        [] => "Nothing to explain".to_owned(),
    };
    Page { title, blocks }
}

/// The anchor of the article of an answer.
pub(super) fn article(number: usize) -> String {
    format!("answer-{}", number + 1)
}

/// The origin of the answers.
pub(super) fn facts(origin: &Origin) -> Vec<(&'static str, Words)> {
    let mut facts = Vec::new();
    if !origin.file.is_empty() {
        facts.push(("Model", Words::of_name(&origin.file)));
    }
    for (i, (file, digest)) in origin.digests.iter().enumerate() {
        match i == 0 && *file == origin.file {
            true => facts.push(("SHA-256", Words::of_name(digest))),
            false => facts.push(("Imported", Words::of_name(file).text(", SHA-256 ").name(digest))),
        }
    }
    if !origin.constants.is_empty() {
        let given: Vec<String> =
            origin.constants.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let words = Words::default().names(given.iter().map(String::as_str));
        facts.push(("Constants", words.text(", other than in the text")));
    }
    if !origin.command.is_empty() {
        facts.push(("Command", Words::of_name(&origin.command)));
    }
    if !origin.program.is_empty() {
        facts.push(("Program", Words::new(&origin.program)));
    }
    facts
}

/// A table of all answers, each with a link to its article.
fn summary(explanations: &[Explanation]) -> Table {
    let row = |(i, explanation): (usize, &Explanation)| {
        vec![
            Words::number(i + 1),
            Words::default().link(&explanation.property, &article(i)),
            Words::new(verdict_name(explanation.verdict)),
            Words::new(match explanation.verdict {
                Verdict::Unknown => "nothing",
                Verdict::Holds | Verdict::Violated => &explanation.strategy,
            }),
            Words::new(grouped(explanation.peak_states)),
        ]
    };
    Table {
        head: vec![
            ("", true),
            ("Property", false),
            ("Answer", false),
            ("Decided by", false),
            ("Most states at once", true),
        ],
        rows: explanations.iter().enumerate().map(row).collect(),
    }
}

/// The text of the model, so that the page is self-contained.
pub(super) fn model(origin: &Origin, blocks: &mut Vec<Block>) {
    let lines: Vec<(usize, String)> =
        origin.text.lines().take(MOST_LINES).enumerate().map(|(i, line)| (i + 1, line.to_owned())).collect();
    if lines.is_empty() {
        return;
    }
    blocks.push(Block::Article(MODEL.to_owned(), Words::new("The model")));
    blocks.push(Block::Listing(lines));
    match origin.text.lines().count().saturating_sub(MOST_LINES) {
        0 => {}
        more => blocks.push(Block::Paragraph(Words::new(format!("And {}.", counted(more, "more line"))))),
    }
}

/// The word for a verdict.
pub(super) fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Unknown => "unknown",
    }
}
