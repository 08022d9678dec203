//! A page as one self-contained HTML document: without scripts, fonts, or other files.
//!
//! Everything from the model is escaped. Pictures are part of the document; their text follows so that it can be
//! copied. The style is for light and dark surroundings, and for paper.

use std::fmt::Write;

use rely_draw::escape_xml;

use super::page::{ANSWERS, Block, Page, Picture, Piece, Table, TextIs, Words, verdict_name};
use crate::report::Verdict;

const STYLE: &str = include_str!("page.css");

/// Columns whose cells are short, and are not broken into lines.
const UNBROKEN: [&str; 3] = ["Defined in", "Group", "Premise"];

/// Writes a page.
pub(super) fn render(page: &Page) -> String {
    let title = escape_xml(&page.title);
    let mut writer = Writer { html: String::new(), article: None };
    page.blocks.iter().for_each(|block| writer.block(block));
    writer.close();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main id=\"{ANSWERS}\">\n<h1>{title}</h1>\n{}</main>\n</body>\n</html>\n",
        writer.html
    )
}

struct Writer {
    html: String,
    /// The anchor of the open article.
    article: Option<String>,
}

impl Writer {
    fn block(&mut self, block: &Block) {
        match block {
            Block::Article(id, words) => {
                self.close();
                let _ =
                    writeln!(self.html, "<article id=\"{}\">\n<h2>{}</h2>", escape_xml(id), spoken(words));
                self.article = Some(id.clone());
            }
            Block::Heading(3, words) => {
                let id = self.section(&words.plain());
                self.line(&format!("<h3 id=\"{id}\">{}</h3>", spoken(words)));
            }
            Block::Heading(level, words) => self.line(&format!("<h{level}>{}</h{level}>", spoken(words))),
            Block::Sections(titles) => {
                let link = |title: &String| {
                    format!("<a href=\"#{}\">{}</a> ", self.section(title), escape_xml(title))
                };
                let links: String = titles.iter().map(link).collect();
                self.line(&format!("<nav>{}</nav>", links.trim_end()));
            }
            Block::Back => {
                self.line(&format!("<p class=\"back\"><a href=\"#{ANSWERS}\">↑ All answers</a></p>"));
            }
            Block::Listing(lines) => self.listing(lines),
            Block::Answer(verdict, words) => {
                let class = verdict_name(*verdict);
                let mark = match verdict {
                    Verdict::Holds => "✓",
                    Verdict::Violated => "✗",
                    Verdict::Unknown => "?",
                };
                self.line(&format!(
                    "<p class=\"answer {class}\"><span class=\"mark\" aria-hidden=\"true\">{mark}</span> {}</p>",
                    spoken(words)
                ));
            }
            Block::Paragraph(words) => self.line(&format!("<p>{}</p>", spoken(words))),
            Block::Warning(words) => {
                self.line(&format!("<p class=\"warning\"><strong>Warning:</strong> {}</p>", spoken(words)));
            }
            Block::List(items) => self.list("", items),
            Block::Compact(items) => self.list(" class=\"compact\"", items),
            Block::Facts(facts) => {
                let fact = |(name, words): &(&str, Words)| {
                    format!("<dt>{}</dt><dd>{}</dd>\n", escape_xml(name), spoken(words))
                };
                let facts: String = facts.iter().map(fact).collect();
                self.line(&format!("<dl>\n{facts}</dl>"));
            }
            Block::Table(table) => self.table(table),
            Block::Code(code) => self.line(&format!("<pre><code>{}</code></pre>", text_of(code))),
            Block::Inference { name, premises, conclusion } => {
                let premise = |premise: &String| format!("<span>{}</span> ", escape_xml(premise));
                let premises: String = premises.iter().map(premise).collect();
                self.line(&format!(
                    "<div class=\"rule\"><div class=\"fraction\"><div class=\"premises\">{premises}</div>\
                     <div class=\"conclusion\">{}</div></div><div class=\"rule-name\">{}</div></div>",
                    escape_xml(conclusion),
                    escape_xml(name)
                ));
            }
            Block::Picture(picture) => self.picture(picture),
        }
    }

    fn line(&mut self, html: &str) {
        self.html.push_str(html);
        self.html.push('\n');
    }

    fn list(&mut self, class: &str, items: &[Words]) {
        let items: String = items.iter().map(|item| format!("<li>{}</li>\n", spoken(item))).collect();
        self.line(&format!("<ul{class}>\n{items}</ul>"));
    }

    fn close(&mut self) {
        if self.article.take().is_some() {
            self.line("</article>");
        }
    }

    /// The anchor of a section of the open article: that of the article, and the letters of the title.
    fn section(&self, title: &str) -> String {
        let letters = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        let title: String = title.chars().map(letters).collect();
        format!("{}-{title}", escape_xml(self.article.as_deref().unwrap_or_default()))
    }

    /// Lines with their numbers, which are not selected when the text is copied.
    fn listing(&mut self, lines: &[(usize, String)]) {
        let mut html = String::from("<pre class=\"listing\">");
        let mut before = None;
        for (number, line) in lines {
            let gap = if before.is_some_and(|before| before + 1 < *number) { " class=\"gap\"" } else { "" };
            let _ = writeln!(html, "<span{gap} data-line=\"{number}\">{}</span>", escape_xml(line));
            before = Some(*number);
        }
        html.truncate(html.trim_end().len());
        html.push_str("</pre>");
        self.line(&html);
    }

    fn table(&mut self, table: &Table) {
        let class = |name: &str, is_number: bool| match name {
            _ if is_number => " class=\"number\"",
            name if UNBROKEN.contains(&name) => " class=\"unbroken\"",
            _ => "",
        };
        let mut html = String::from("<div class=\"wide\"><table>\n<thead><tr>");
        for (name, is_number) in &table.head {
            let _ = write!(html, "<th scope=\"col\"{}>{}</th>", class(name, *is_number), escape_xml(name));
        }
        html.push_str("</tr></thead>\n<tbody>\n");
        for row in &table.rows {
            html.push_str("<tr>");
            for (words, (name, is_number)) in row.iter().zip(&table.head) {
                let _ = write!(html, "<td{}>{}</td>", class(name, *is_number), spoken(words));
            }
            html.push_str("</tr>\n");
        }
        html.push_str("</tbody>\n</table></div>");
        self.line(&html);
    }

    fn picture(&mut self, picture: &Picture) {
        let text = text_of(&picture.text);
        let caption = spoken(&picture.caption);
        match &picture.svg {
            Some(svg) => {
                // A picture that is slightly too wide is scaled; one that is much too wide can be scrolled.
                let width =
                    svg.split(" width=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or("0");
                self.line(&format!(
                    "<figure style=\"--width:{}px\">\n<div class=\"wide\">{}</div>\n<figcaption>{caption}</figcaption>\n\
                     </figure>",
                    escape_xml(width),
                    svg.trim_end()
                ));
                if !picture.text.is_empty() {
                    let summary = picture.text_is.name();
                    self.line(&format!("<details><summary>{summary}</summary><pre>{text}</pre></details>"));
                }
            }
            None if picture.text_is == TextIs::Characters => {
                self.line(&format!(
                    "<figure>\n<pre>{text}</pre>\n<figcaption>{caption}</figcaption>\n</figure>"
                ));
            }
            None => {
                let summary = picture.text_is.name();
                self.line(&format!(
                    "<p class=\"soft\">{caption} is too large to be drawn.</p>\n\
                     <details><summary>{summary}</summary><pre class=\"long\">{text}</pre></details>"
                ));
            }
        }
    }
}

/// Words, with the names from the model highlighted.
fn spoken(words: &Words) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Plain(text) => escape_xml(text),
        Piece::Name(name) => format!("<code>{}</code>", breakable(name)),
        Piece::Link(name, to) => {
            format!("<a href=\"#{}\"><code>{}</code></a>", escape_xml(to), breakable(name))
        }
    };
    words.0.iter().map(piece).collect()
}

/// A name that may be broken after its dots and colons, if it is long.
fn breakable(name: &str) -> String {
    const SHORT: usize = 24;
    let escaped = escape_xml(name);
    if name.chars().count() <= SHORT {
        return escaped;
    }
    escaped.replace('.', ".<wbr>").replace(':', ":<wbr>")
}

/// Text of several lines.
fn text_of(text: &str) -> String {
    let lines: Vec<String> = text.trim_end().lines().map(escape_xml).collect();
    lines.join("\n")
}
