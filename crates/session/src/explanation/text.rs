//! A page as text or as Markdown.

use std::fmt::Write;

use rely_base::WIDEST_COLUMN;

use super::page::{ANSWERS, Block, Page, Picture, Piece, Table, TextIs, Words, one_line};

/// The amount of markup.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Markup {
    /// None: for a terminal or a mail.
    Plain,
    Markdown,
}

/// The width of lines of text.
const WIDTH: usize = 100;

/// Approximate width of the lines of a column of a table.
const COLUMN: usize = 64;

/// Writes a page.
pub(super) fn render(page: &Page, markup: Markup) -> String {
    let mut writer = Writer { markup, text: String::new() };
    if markup == Markup::Markdown && page.blocks.iter().any(|block| matches!(block, Block::Back)) {
        let _ = writeln!(writer.text, "<a id=\"{ANSWERS}\"></a>\n");
    }
    writer.heading(1, &Words::new(&page.title));
    page.blocks.iter().for_each(|block| writer.block(block));
    writer.text.truncate(writer.text.trim_end().len());
    writer.text.push('\n');
    writer.text
}

struct Writer {
    markup: Markup,
    text: String,
}

impl Writer {
    fn block(&mut self, block: &Block) {
        match block {
            Block::Article(id, words) => {
                if !self.is_plain() {
                    let _ = writeln!(self.text, "<a id=\"{id}\"></a>\n");
                }
                self.heading(2, words);
            }
            Block::Heading(level, words) => self.heading(*level, words),
            // Plain text has no links.
            Block::Sections(_) => {}
            Block::Back if self.is_plain() => {}
            Block::Back => {
                let _ = writeln!(self.text, "[All answers](#{ANSWERS})\n");
            }
            Block::Listing(lines) => self.listing(lines),
            Block::Answer(_, words) => self.paragraph(words, if self.is_plain() { "" } else { "> " }),
            Block::Paragraph(words) => self.paragraph(words, ""),
            Block::Warning(words) => {
                let lead = if self.is_plain() { "Warning: " } else { "**Warning:** " };
                let spoken = format!("{lead}{}", self.words(words));
                self.lines(&spoken, "", "");
                self.text.push('\n');
            }
            Block::List(items) | Block::Compact(items) => {
                for item in items {
                    let spoken = self.words(item);
                    self.lines(&spoken, "- ", "  ");
                }
                self.text.push('\n');
            }
            Block::Facts(facts) => self.facts(facts),
            Block::Table(table) => self.table(table),
            Block::Code(code) => self.code(code),
            Block::Inference { name, premises, conclusion } => self.inference(name, premises, conclusion),
            Block::Picture(picture) => self.picture(picture),
        }
    }

    fn is_plain(&self) -> bool {
        self.markup == Markup::Plain
    }

    fn words(&self, words: &Words) -> String {
        words.0.iter().map(|piece| self.piece(piece)).collect()
    }

    fn piece(&self, piece: &Piece) -> String {
        match (piece, self.markup) {
            (Piece::Plain(text), Markup::Plain) => one_line(text),
            (Piece::Name(name), Markup::Plain) => one_line(name),
            (Piece::Plain(text), Markup::Markdown) => escaped(&one_line(text)),
            (Piece::Name(name), Markup::Markdown) => code_span(&one_line(name)),
            (Piece::Link(name, _), Markup::Plain) => one_line(name),
            (Piece::Link(name, to), Markup::Markdown) => format!("[{}](#{to})", code_span(&one_line(name))),
        }
    }

    fn heading(&mut self, level: usize, words: &Words) {
        match self.markup {
            Markup::Markdown => {
                let _ = writeln!(self.text, "{} {}\n", "#".repeat(level), self.words(words));
            }
            Markup::Plain => {
                let title = self.words(words);
                let length = title.chars().count();
                let _ = match level {
                    1 => writeln!(self.text, "{title}\n{}\n", "=".repeat(length)),
                    2 => writeln!(self.text, "\n{title}\n{}\n", "=".repeat(length)),
                    3 => writeln!(self.text, "{title}\n{}\n", "-".repeat(length)),
                    _ => writeln!(self.text, "{title}\n"),
                };
            }
        }
    }

    fn paragraph(&mut self, words: &Words, lead: &str) {
        let spoken = self.words(words);
        self.lines(&spoken, lead, lead);
        self.text.push('\n');
    }

    /// Text in lines, with a prefix for the first line and another for the others. In Markdown it stays on one line:
    /// a name that is broken could be taken for a heading or an item.
    fn lines(&mut self, text: &str, first: &str, other: &str) {
        let width = if self.is_plain() { WIDTH } else { usize::MAX };
        for (i, line) in wrapped(text, width).into_iter().enumerate() {
            let _ = writeln!(self.text, "{}{line}", if i == 0 { first } else { other });
        }
    }

    fn facts(&mut self, facts: &[(&'static str, Words)]) {
        let width = facts.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, words) in facts {
            let spoken = self.words(words);
            match self.markup {
                Markup::Markdown => self.lines(&format!("**{name}:** {spoken}"), "- ", "  "),
                Markup::Plain => {
                    let first = format!("{:<1$}", format!("{name}:"), width + 2);
                    self.lines(&spoken, &first, &" ".repeat(width + 2));
                }
            }
        }
        self.text.push('\n');
    }

    fn table(&mut self, table: &Table) {
        let cells: Vec<Vec<String>> =
            table.rows.iter().map(|row| row.iter().map(|words| self.words(words)).collect()).collect();
        match self.markup {
            Markup::Markdown => self.markdown_table(table, &cells),
            Markup::Plain => self.plain_table(table, &cells),
        }
        self.text.push('\n');
    }

    fn markdown_table(&mut self, table: &Table, cells: &[Vec<String>]) {
        let head: Vec<&str> = table.head.iter().map(|(name, _)| *name).collect();
        let _ = writeln!(self.text, "| {} |", head.join(" | "));
        let rule = |&(_, is_number): &(&str, bool)| if is_number { "---:" } else { "---" };
        let rules: Vec<&str> = table.head.iter().map(rule).collect();
        let _ = writeln!(self.text, "| {} |", rules.join(" | "));
        for row in cells {
            let row: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            let _ = writeln!(self.text, "| {} |", row.join(" | "));
        }
    }

    fn plain_table(&mut self, table: &Table, cells: &[Vec<String>]) {
        let broken: Vec<Vec<Vec<String>>> =
            cells.iter().map(|row| row.iter().map(|cell| wrapped(cell, COLUMN)).collect()).collect();
        let width = |column: usize| {
            let cells = broken.iter().filter_map(|row| row.get(column)).flatten();
            cells
                .map(|line| line.chars().count())
                .max()
                .unwrap_or(0)
                .max(table.head[column].0.chars().count())
                .min(WIDEST_COLUMN)
        };
        let widths: Vec<usize> = (0..table.head.len()).map(width).collect();
        let put = |text: &mut String, line: Vec<&str>| {
            let mut row = String::new();
            for (i, cell) in line.into_iter().enumerate() {
                let width = widths[i];
                let _ = match table.head[i].1 {
                    true => write!(row, "{cell:>width$}  "),
                    false => write!(row, "{cell:<width$}  "),
                };
            }
            let _ = writeln!(text, "  {}", row.trim_end());
        };
        put(&mut self.text, table.head.iter().map(|(name, _)| *name).collect());
        let rules: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
        put(&mut self.text, rules.iter().map(String::as_str).collect());
        for row in &broken {
            let height = row.iter().map(Vec::len).max().unwrap_or(0);
            for line in 0..height {
                put(
                    &mut self.text,
                    row.iter().map(|cell| cell.get(line).map_or("", String::as_str)).collect(),
                );
            }
        }
    }

    fn code(&mut self, code: &str) {
        match self.markup {
            Markup::Markdown => {
                let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
                let fence = "`".repeat(3.max(longest + 1));
                let lines: Vec<String> = code.trim_end().lines().map(one_line).collect();
                let _ = writeln!(self.text, "{fence}text\n{}\n{fence}\n", lines.join("\n"));
            }
            Markup::Plain => {
                for line in code.lines() {
                    let _ = writeln!(self.text, "{}", format!("    {}", one_line(line)).trim_end());
                }
                self.text.push('\n');
            }
        }
    }

    /// Lines with their numbers; gaps are shown by an ellipsis.
    fn listing(&mut self, lines: &[(usize, String)]) {
        let width = lines.last().map_or(0, |(number, _)| number.to_string().len());
        let mut code = String::new();
        let mut before = None;
        for (number, line) in lines {
            if before.is_some_and(|before| before + 1 < *number) {
                let _ = writeln!(code, "{:>width$}", "…");
            }
            let _ = writeln!(code, "{number:>width$}  {}", one_line(line));
            before = Some(*number);
        }
        self.code(&code);
    }

    fn inference(&mut self, name: &str, premises: &[String], conclusion: &str) {
        let widest = premises.iter().map(|premise| premise.chars().count()).max().unwrap_or(0);
        let width = widest.max(conclusion.chars().count());
        let above: Vec<String> = premises.iter().map(|premise| one_line(premise)).collect();
        let line = format!("{} ({})", "─".repeat(width), one_line(name));
        let code = format!("{}\n{line}\n{}", above.join("\n"), one_line(conclusion));
        self.code(&code);
    }

    fn picture(&mut self, picture: &Picture) {
        // A picture right after a heading needs no caption.
        match picture.text_is {
            TextIs::Characters => self.paragraph(&picture.caption, ""),
            text_is => self.paragraph(&Words::new(format!("{}:", text_is.name())), ""),
        }
        self.code(&picture.text);
    }
}

/// Plain text, escaped for Markdown.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '*' | '_' | '`' | '\\' | '[' | ']' | '#' => escaped.extend(['\\', c]),
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A name as a piece of code, whatever characters it has.
fn code_span(name: &str) -> String {
    let longest = name.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if name.starts_with('`') || name.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{name}{space}{fence}")
}

/// Text in lines of at most the given width, unless a single word is longer.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut length = 0;
    for word in text.split(' ') {
        let more = word.chars().count();
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            line.push_str(word);
            length = more;
        } else if length + 1 + more <= width {
            line.push(' ');
            line.push_str(word);
            length += 1 + more;
        } else {
            lines.push(word.to_owned());
            length = more;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markdown(words: Words) -> String {
        render(&Page { title: String::new(), blocks: vec![Block::Paragraph(words)] }, Markup::Markdown)
    }

    #[test]
    fn names_are_code_whatever_they_are_made_of() {
        assert_eq!(code_span("a.b"), "`a.b`");
        assert_eq!(code_span("a`b``c"), "```a`b``c```");
        assert_eq!(code_span("`"), "`` ` ``");
    }

    #[test]
    fn a_name_is_never_broken_in_markdown() {
        let name = "# a ".repeat(100);
        let page = markdown(Words::new("The part ").name(&name).text(" is *not* <b>bold</b>."));
        assert_eq!(page.lines().filter(|line| !line.is_empty()).count(), 2, "{page}");
        assert!(page.contains("is \\*not\\* &lt;b>bold&lt;/b>."), "{page}");
    }

    #[test]
    fn lines_of_text_are_short() {
        let words = Words::new("word ".repeat(100));
        let page =
            render(&Page { title: String::new(), blocks: vec![Block::Paragraph(words)] }, Markup::Plain);
        assert!(page.lines().count() > 4 && page.lines().all(|line| line.chars().count() <= WIDTH));
    }
}
