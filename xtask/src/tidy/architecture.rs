//! The map of the code: every crate has its paragraph in ARCHITECTURE.md, with an invariant, and every path that is named
//! there exists.

use std::path::Path;

use anyhow::{Context, Result};

use super::layers::LAYERS;

/// The section that has a paragraph for each crate.
const SECTION: &str = "## Crates, in dependency order";

/// Reports what is wrong with ARCHITECTURE.md.
pub(super) fn check(root: &Path) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).context("ARCHITECTURE.md")?;
    let mut problems = path_problems(&text, |path| root.join(path).exists());
    let layers: Vec<&str> = LAYERS.iter().map(|&(name, _)| name).collect();
    problems.extend(paragraph_problems(&text, &layers));
    for entry in std::fs::read_dir(root.join("crates"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !layers.contains(&&*name) {
            problems.push(format!("crates/{name} has no place among the layers of xtask/src/tidy/layers.rs"));
        }
    }
    Ok(problems)
}

/// Every path between backticks exists.
fn path_problems(text: &str, exists: impl Fn(&str) -> bool) -> Vec<String> {
    let is_path =
        |word: &str| word.contains('/') && !word.contains(|c: char| c.is_whitespace() || "<*{".contains(c));
    let paths = text.split('`').skip(1).step_by(2).filter(|word| is_path(word));
    paths
        .filter(|path| !exists(path))
        .map(|path| format!("ARCHITECTURE.md names {path}, which does not exist"))
        .collect()
}

/// The paragraphs are those of the layers, in this order, and each says what always holds in its crate.
fn paragraph_problems(text: &str, layers: &[&str]) -> Vec<String> {
    let section = text.split(SECTION).nth(1).unwrap_or_default();
    let section = section.split("\n## ").next().unwrap_or_default();
    let paragraphs: Vec<(&str, &str)> = section
        .split("\n\n")
        .filter_map(|paragraph| {
            Some((paragraph.trim().strip_prefix("`crates/")?.split('`').next()?, paragraph))
        })
        .collect();
    let mut problems = Vec::new();
    for name in layers.iter().filter(|name| !paragraphs.iter().any(|(known, _)| known == *name)) {
        problems.push(format!("ARCHITECTURE.md says nothing about crates/{name}"));
    }
    for (name, paragraph) in &paragraphs {
        if !paragraph.contains("*Invariant*") {
            problems.push(format!("ARCHITECTURE.md names no invariant of crates/{name}"));
        }
    }
    let order: Vec<&str> = paragraphs.iter().map(|&(name, _)| name).collect();
    if problems.is_empty() && order != layers {
        problems
            .push("ARCHITECTURE.md has the crates in another order than xtask/src/tidy/layers.rs".to_owned());
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_exist() {
        let text = "`crates/lts` and `Lts`, `cargo xtask tidy`, `a/<b>`, `a/gone.rs`";
        let found = path_problems(text, |path| path == "crates/lts");
        assert_eq!(found, ["ARCHITECTURE.md names a/gone.rs, which does not exist"]);
    }

    #[test]
    fn every_crate_has_its_paragraph_in_order() {
        let of = |paragraphs: &str| {
            paragraph_problems(&format!("# A\n\n{SECTION}\n\n{paragraphs}\n\n## B\n"), &["base", "lts"])
        };
        let (base, lts) =
            ("`crates/base` has ids.\n*Invariant*: x.", "`crates/lts` has Lts. *Invariant*: y.");
        assert_eq!(of(&format!("{base}\n\n{lts}\n\nMore about `crates/lts`.")), [""; 0]);
        assert_eq!(of(base), ["ARCHITECTURE.md says nothing about crates/lts"]);
        let found = of(&format!("{base}\n\n`crates/lts` has Lts."));
        assert_eq!(found, ["ARCHITECTURE.md names no invariant of crates/lts"]);
        let found = of(&format!("{lts}\n\n{base}"));
        assert_eq!(found, ["ARCHITECTURE.md has the crates in another order than xtask/src/tidy/layers.rs"]);
    }
}
