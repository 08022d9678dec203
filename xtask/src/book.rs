//! What of the book a program can check without building it: every page is in the summary, everything that a link or
//! an image leads to is there, and every paper that the code or the book cites is in the bibliography.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result};

/// Where the pages are.
const FOLDER: &str = "docs/book/src";

/// The pages of the book, as they are read: with what they include.
struct Book {
    /// The text of each page by the name of its file; the summary is not among them.
    pages: BTreeMap<String, String>,
    summary: String,
    /// The other files, such as `images/phil.svg`.
    files: BTreeSet<String>,
}

/// Reports what is wrong with the book, and with the citations of the given sources.
pub(crate) fn check(root: &Path, sources: &[(String, String)], problems: &mut Vec<String>) -> Result<()> {
    let book = Book::read(&root.join(FOLDER), problems)?;
    book.check_summary(problems);
    book.check_links(problems);
    let bibliography = book.pages.get("bibliography.md").map_or("", String::as_str);
    for (name, text) in sources.iter().map(|(name, text)| (name, text)).chain(&book.pages) {
        check_citations(name, text, bibliography, problems);
    }
    Ok(())
}

impl Book {
    fn read(folder: &Path, problems: &mut Vec<String>) -> Result<Self> {
        let mut book = Self { pages: BTreeMap::new(), summary: String::new(), files: BTreeSet::new() };
        // Files that a page includes are parts of that page, and no pages.
        let mut parts: BTreeSet<String> = BTreeSet::new();
        let mut pending = vec![folder.to_owned()];
        while let Some(inside) = pending.pop() {
            for entry in std::fs::read_dir(&inside).with_context(|| inside.display().to_string())? {
                let path = entry?.path();
                let name = path.strip_prefix(folder).expect("it is inside").to_string_lossy().into_owned();
                if path.is_dir() {
                    pending.push(path);
                } else if path.extension().is_some_and(|extension| extension == "md") {
                    let text = std::fs::read_to_string(&path).context(name.clone())?;
                    if name == "SUMMARY.md" {
                        book.summary = text;
                    } else {
                        let whole = with_includes(folder, &name, &text, problems);
                        parts.extend(text.lines().filter_map(included).map(str::to_owned));
                        book.pages.insert(name, whole);
                    }
                } else {
                    book.files.insert(name);
                }
            }
        }
        book.pages.retain(|name, _| !parts.contains(name));
        Ok(book)
    }

    /// Every page is in the summary, once.
    fn check_summary(&self, problems: &mut Vec<String>) {
        let mut listed: BTreeMap<&str, usize> = BTreeMap::new();
        for link in links(&self.summary) {
            *listed.entry(link).or_default() += 1;
        }
        for page in self.pages.keys() {
            match listed.get(&**page) {
                None => problems.push(format!("{FOLDER}/{page} is not in SUMMARY.md")),
                Some(1) => {}
                Some(_) => problems.push(format!("{FOLDER}/{page} is in SUMMARY.md more than once")),
            }
        }
        for link in listed.keys().filter(|link| !self.pages.contains_key(**link)) {
            problems.push(format!("SUMMARY.md lists {link}, which is no page"));
        }
    }

    /// Every link leads to a page, a heading or a file that is there, and every file is shown somewhere.
    fn check_links(&self, problems: &mut Vec<String>) {
        let anchors: BTreeMap<&str, BTreeSet<String>> =
            self.pages.iter().map(|(name, text)| (&**name, anchors(text))).collect();
        let mut shown = BTreeSet::new();
        for (page, text) in &self.pages {
            for link in links(text).filter(|link| !link.contains("://")) {
                let (target, anchor) = link.split_once('#').map_or((link, None), |(to, at)| (to, Some(at)));
                let target = if target.is_empty() { page } else { target };
                shown.insert(target);
                let found = match (anchors.get(target), anchor) {
                    (Some(anchors), Some(anchor)) => anchors.contains(anchor),
                    (Some(_), None) => true,
                    (None, _) => self.files.contains(target),
                };
                if !found {
                    problems.push(format!("{FOLDER}/{page}: the link to {link} leads nowhere"));
                }
            }
        }
        for file in self.files.iter().filter(|file| !shown.contains(&***file)) {
            problems.push(format!("{FOLDER}/{file} is on no page"));
        }
    }
}

/// The file that a line of a page includes.
fn included(line: &str) -> Option<&str> {
    line.strip_prefix("{{#include ").and_then(|rest| rest.strip_suffix("}}"))
}

/// A page with the files that it includes in their places.
fn with_includes(folder: &Path, page: &str, text: &str, problems: &mut Vec<String>) -> String {
    let mut whole = String::new();
    for line in text.lines() {
        match included(line).map(|path| (path, std::fs::read_to_string(folder.join(path)))) {
            None => whole.push_str(line),
            Some((_, Ok(text))) => whole.push_str(&text),
            Some((path, Err(_))) => {
                problems.push(format!("{FOLDER}/{page} includes {path}, which is missing"));
            }
        }
        whole.push('\n');
    }
    whole
}

/// The lines of a page that are prose: those outside of fenced blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fence: Option<&str> = None;
    text.lines().filter(move |line| {
        let start = line.trim_start();
        let ticks = &start[..start.len() - start.trim_start_matches('`').len()];
        match fence {
            Some(open) => {
                if ticks.len() >= open.len() && start.len() == ticks.len() {
                    fence = None;
                }
                false
            }
            None if ticks.len() >= 3 => {
                fence = Some(ticks);
                false
            }
            None => true,
        }
    })
}

/// What the links and images of a page lead to. Code, which may look like a link, has none.
fn links(text: &str) -> impl Iterator<Item = &str> {
    prose(text).flat_map(|line| {
        line.split('`').step_by(2).flat_map(|plain| {
            plain.split("](").skip(1).filter_map(|rest| rest.split(')').next()).map(str::trim)
        })
    })
}

/// The anchors of a page: its headings in small letters, with hyphens for blanks and without punctuation; the second of
/// the same name ends in `-1`, and so on.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let headings = prose(text).filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let anchor: String = line
                .trim_start_matches('#')
                .trim()
                .chars()
                .filter(|c| c.is_alphanumeric() || c.is_whitespace() || matches!(c, '-' | '_'))
                .map(|c| if c.is_whitespace() { '-' } else { c })
                .flat_map(char::to_lowercase)
                .collect();
            let count = counts.entry(anchor.clone()).or_default();
            *count += 1;
            if *count == 1 { anchor } else { format!("{anchor}-{}", *count - 1) }
        })
        .collect()
}

/// Every citation, such as `[Tarjan 1972]`, has an entry in the bibliography.
fn check_citations(name: &str, text: &str, bibliography: &str, problems: &mut Vec<String>) {
    let entries: Vec<Vec<&str>> = bibliography
        .lines()
        .filter_map(|line| line.strip_prefix("- **")?.split("**").next())
        .map(words)
        .collect();
    for cited in text.split('[').skip(1).filter_map(|rest| rest.split(']').next()) {
        if is_citation(cited) && !entries.iter().any(|entry| is_entry_of(entry, &words(cited))) {
            problems.push(format!("{name} cites [{cited}], which is not in the bibliography"));
        }
    }
}

fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

/// Names in one line, and a year at the end.
fn is_citation(text: &str) -> bool {
    let year = text.rsplit(' ').next().unwrap_or_default();
    let is_name = |c: char| c.is_alphanumeric() || " ,.&-".contains(c);
    text.starts_with(char::is_uppercase)
        && text.chars().all(is_name)
        && year.len() == 4
        && (year.starts_with("19") || year.starts_with("20"))
}

/// Whether an entry has the names and the year of a citation; `et al.` stands for any further names, on either side.
fn is_entry_of(entry: &[&str], cited: &[&str]) -> bool {
    let shortens = |short: &[&str], long: &[&str]| match short {
        [names @ .., "et", "al", year] => long.starts_with(names) && long.last() == Some(year),
        _ => short == long,
    };
    shortens(cited, entry) || shortens(entry, cited)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems_of(summary: &str, pages: &[(&str, &str)], files: &[&str]) -> Vec<String> {
        let book = Book {
            pages: pages.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect(),
            summary: summary.to_owned(),
            files: files.iter().map(|&file| file.to_owned()).collect(),
        };
        let mut problems = Vec::new();
        book.check_summary(&mut problems);
        book.check_links(&mut problems);
        problems
    }

    #[test]
    fn a_book_in_order() {
        let page = "# Two words, `code`\n![](images/a.svg)\n[here](#two-words-code) [there](b.md#b-1)\n";
        let other =
            "# B\n```text\n[none](c.md)\n# C\n```\n# B\n`[none](c.md)` <https://x.y> [z](https://x.y#z)\n";
        let summary = "- [A](a.md)\n- [B](b.md)\n";
        assert_eq!(problems_of(summary, &[("a.md", page), ("b.md", other)], &["images/a.svg"]), [""; 0]);
    }

    #[test]
    fn what_is_wrong_is_found() {
        let problems = |summary, text| problems_of(summary, &[("a.md", text)], &[]).join("\n");
        assert!(problems("", "").contains("a.md is not in SUMMARY.md"));
        assert!(problems("[A](a.md)\n[A](a.md)", "").contains("more than once"));
        assert!(problems("[A](a.md)\n[B](b.md)", "").contains("b.md, which is no page"));
        assert!(problems("[A](a.md)", "[x](b.md)").contains("b.md leads nowhere"));
        assert!(problems("[A](a.md)", "# Head\n[x](#feet)").contains("#feet leads nowhere"));
        assert!(problems("[A](a.md)", "```\n# Feet\n```\n[x](#feet)").contains("#feet leads nowhere"));
        assert!(problems("[A](a.md)", "![x](images/b.svg)").contains("b.svg leads nowhere"));
        assert_eq!(problems_of("", &[], &["images/a.svg"]), ["docs/book/src/images/a.svg is on no page"]);
    }

    #[test]
    fn citations() {
        let bibliography =
            "- **Paige & Tarjan 1987** – R. Paige, R. E. Tarjan: …\n- **Gansner et al. 1993** – …\n";
        let found = |text| {
            let mut problems = Vec::new();
            check_citations("x.rs", text, bibliography, &mut problems);
            problems.len()
        };
        assert_eq!(found("after [Paige, Tarjan 1987], [Gansner, North 1993], [Paige et al. 1987]"), 0);
        assert_eq!(found("after [Tarjan 1972] and [Paige & Tarjan 1988]"), 2);
        assert_eq!(found("an index [i], [Link](x.md), [SOME 12]"), 0);
    }
}
