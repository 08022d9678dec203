//! What a source file may contain.
//!
//! The rules are about text, line by line; what rustfmt does to a file makes that good enough. Lines that are comments, and
//! items that are only there for tests, are left out where a rule is about what a library does.

use std::path::Path;

/// The crates that may read files, the environment and the clock, and print.
const OUTSIDE: &[&str] = &["cli", "repository", "testkit"];

/// What the other crates must not contain.
const EFFECTS: &[&str] = &[
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "io::stdin",
    "io::stdout",
    "io::stderr",
    "Instant::now",
    "SystemTime",
    "print!",
    "println!",
    "eprint!",
    "eprintln!",
];

/// What no code contains: state that all share, and what the compiler does not check.
const FORBIDDEN: &[&str] = &["static mut", "thread_local!", "unsafe"];

/// What makes a global variable one that changes.
const MUTABLE: &[&str] = &["Mutex<", "RwLock<", "Atomic", "Cell<", "OnceLock<"];

/// What no source file contains.
const BANNED: &[&str] = &["to\u{64}o!(", "unimp\u{6c}emented!(", "#[ig\u{6e}ore", "FIX\u{4d}E", "db\u{67}!("];

/// Words that say nothing about what they name.
const EMPTY_WORDS: &[&str] = &["manager", "helper", "util", "managers", "helpers", "utils"];

/// What the naive twins must not contain: the algorithms of the one crate of ours that has both data and algorithms.
const ALGORITHMS: &[&str] = &[
    "rely_lts::operators",
    "equivalence::compare",
    "equivalence::determinise",
    "equivalence::minimise",
    "condensed(",
];

/// The front ends, and the one file of the product that names them.
const FRONT_ENDS: &[&str] = &["rely_fsp", "rely_tasks", "rely_reactive", "rely_messages"];
const TABLE_OF_FRONT_ENDS: &str = "crates/session/src/languages.rs";

/// No file is longer than this.
const MAX_LINES: usize = 800;

/// What becomes a part of programs of others: the watch that a program has installed, and explorers.
const OF_OTHERS: &[&str] = &["crates/runtime/src/ambient.rs", "crates/harness/templates"];

/// Reports what is wrong with any text.
pub(super) fn check_text(path: &Path, text: &str) -> Vec<String> {
    let (name, mut problems) = (path.display(), Vec::new());
    for (i, line) in text.lines().enumerate() {
        if line.ends_with([' ', '\t']) && path.extension().is_none_or(|extension| extension != "svg") {
            problems.push(format!("{name}:{}: blanks at the end of the line", i + 1));
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        problems.push(format!("{name}: no newline at the end"));
    }
    problems
}

/// Reports what is wrong with a source file.
pub(super) fn check_source(path: &Path, text: &str) -> Vec<String> {
    let (name, mut problems) = (path.display(), Vec::new());
    let lines = text.lines().count();
    if lines > MAX_LINES {
        problems.push(format!("{name}: {lines} lines, more than {MAX_LINES}"));
    }
    if !text.starts_with("//!") && !text.starts_with("#!") {
        problems.push(format!("{name}: does not say at its head what it is about"));
    }
    for word in BANNED.iter().filter(|word| text.contains(**word)) {
        problems.push(format!("{name}: contains {word}"));
    }
    let code = code(text);
    // Who checks for words has to write them, and programs of others have variables of their own.
    let is_of_others = OF_OTHERS.iter().any(|other| path.starts_with(other));
    let is_free = path.starts_with("xtask/src/tidy") || is_of_others;
    let is_forbidden = |word: &&&str| !is_free && has_word(&code, word);
    for word in FORBIDDEN.iter().filter(is_forbidden) {
        problems.push(format!("{name}: {word} has no place anywhere"));
    }
    for global in code.lines().filter(|line| !is_of_others && is_global_variable(line)) {
        problems.push(format!("{name}: {} is a global variable", global.trim()));
    }
    let stem = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    for empty in declared_names(&code).chain([&*stem]).filter(|name| says_nothing(name)) {
        problems.push(format!("{name}: {empty} says nothing about what it names"));
    }
    problems.extend(library_problems(path, &code));
    problems
}

/// What a library must not do, whatever its tests do.
fn library_problems(path: &Path, code: &str) -> Vec<String> {
    if path.starts_with("crates/testkit") {
        return testkit_problems(path, code);
    }
    let is_part = |wanted: &str| path.components().any(|part| part.as_os_str() == wanted);
    let is_outside = OUTSIDE.iter().any(|outside| path.starts_with(format!("crates/{outside}")));
    let is_test = is_part("tests") || path.ends_with("tests.rs");
    if !path.starts_with("crates") || !is_part("src") || is_outside || is_test {
        return Vec::new();
    }
    let without_tests = without_tests(code);
    let is_named =
        |front_end: &&&str| has_word(&without_tests, front_end) && !path.ends_with(TABLE_OF_FRONT_ENDS);
    let named = FRONT_ENDS.iter().filter(is_named);
    let everything = with_imports(&without_tests, "std");
    let found = EFFECTS.iter().filter(|effect| has_word(&everything, effect));
    let found = found.map(|effect| format!("{}: {effect} has no place in a library", path.display()));
    let table = TABLE_OF_FRONT_ENDS;
    found.chain(named.map(|it| format!("{}: only {table} names {it}", path.display()))).collect()
}

/// The naive twins use none of the algorithms that are compared with them.
fn testkit_problems(path: &Path, code: &str) -> Vec<String> {
    let everything = with_imports(code, "rely_lts");
    let used = ALGORITHMS.iter().filter(|algorithm| has_word(&everything, algorithm));
    used.map(|algorithm| format!("{}: a naive twin must not use {algorithm}", path.display())).collect()
}

/// The lines that are not comments.
fn code(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The code without the items that are marked as being there for tests: up to the end of the line, or to the brace that
/// stands below the beginning of the item.
fn without_tests(code: &str) -> String {
    let mut kept = String::new();
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            kept.push_str(line);
            kept.push('\n');
            continue;
        }
        let indentation = &line[..line.len() - line.trim_start().len()];
        let end = format!("{indentation}}}");
        let mut item = lines.by_ref().skip_while(|line| line.trim_start().starts_with("#["));
        if item.next().is_some_and(|first| !first.ends_with([';', '}'])) {
            let _ = lines.by_ref().find(|line| *line == end);
        }
    }
    kept
}

/// Whether a word occurs that is not a part of a longer one.
fn has_word(code: &str, word: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + word.len()..].chars().next();
        !before.is_some_and(is_letter) && (!word.ends_with(is_letter) || !after.is_some_and(is_letter))
    })
}

/// The code, and after it everything that is imported from a crate, in full: `use std::{fs, io::{self, Read}};` are three.
fn with_imports(code: &str, of: &str) -> String {
    let mut everything = code.to_owned();
    let uses = code.split("use ").skip(1).filter_map(|rest| rest.split(';').next());
    let mut pending: Vec<(String, &str)> =
        uses.filter(|tree| tree.starts_with(of)).map(|tree| (String::new(), tree)).collect();
    while let Some((before, tree)) = pending.pop() {
        match tree.split_once('{') {
            None => everything.extend([&before, tree.trim(), "\n"]),
            Some((path, rest)) => {
                let inside = rest.rsplit_once('}').map_or(rest, |(inside, _)| inside);
                let before = format!("{before}{}", path.trim());
                pending.extend(branches(inside).into_iter().map(|branch| (before.clone(), branch)));
            }
        }
    }
    everything
}

/// The parts of a list, at the commas that are in no inner list.
fn branches(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0_i32, 0, Vec::new());
    for (at, c) in list.char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if c == ',' && depth == 0 {
            found.push(&list[start..at]);
            start = at + 1;
        }
    }
    found.push(&list[start..]);
    found.retain(|branch| !branch.trim().is_empty());
    found
}

/// Whether a line declares a global variable that can change.
fn is_global_variable(line: &str) -> bool {
    let line = line.trim_start();
    let line = line.strip_prefix("pub ").or_else(|| line.strip_prefix("pub(crate) ")).unwrap_or(line);
    line.starts_with("static ") && MUTABLE.iter().any(|kind| line.contains(kind))
}

/// The names that items are given.
fn declared_names(code: &str) -> impl Iterator<Item = &str> {
    let keywords = ["struct ", "enum ", "trait ", "type ", "mod ", "fn "];
    code.lines().filter_map(move |line| {
        let declared = keywords.iter().find_map(|keyword| {
            let at = line.find(keyword)?;
            let is_keyword = line[..at].chars().all(|c| c.is_alphanumeric() || " ()_".contains(c));
            is_keyword.then(|| &line[at + keyword.len()..])
        })?;
        declared.split(|c: char| !c.is_alphanumeric() && c != '_').next()
    })
}

/// Whether a name has an empty word in it, or is that of an abstract something.
fn says_nothing(name: &str) -> bool {
    let is_abstract = name.strip_prefix("Abstract").is_some_and(|rest| rest.starts_with(char::is_uppercase));
    let mut words = vec![String::new()];
    for c in name.chars() {
        if c == '_' || c.is_uppercase() {
            words.push(String::new());
        }
        if let (Some(word), true) = (words.last_mut(), c != '_') {
            word.extend(c.to_lowercase());
        }
    }
    is_abstract || words.iter().any(|word| EMPTY_WORDS.contains(&&**word))
}

#[cfg(test)]
mod tests;
