//! Runs every command of the suite, of the book and of the README, and compares what it prints.
//!
//! A document is Markdown. The runner looks at fenced blocks only:
//!
//! * a block whose info string has a file name as its second word, such as `fsp light.lts`, is stored under that name in
//!   a folder of its own for the document, which also has a copy of `models/`;
//! * a `console` block has lines `$ COMMAND`, each followed by what the command prints: standard output, then a line
//!   `[stderr]` and standard error if there is any, then `[exit N]` if the status is not 0. Commands are `rely …`,
//!   `cargo rely …`, and `cat FILE`; others are not run. `< FILE` and `> FILE` at the end of a command redirect.
//!
//! A line `…` stands for any lines. Blanks at the ends of lines and blank lines at the end do not count. With
//! `UPDATE_SUITE=1` the expected output is rewritten in place; read the difference before you keep it.

mod common;

use std::path::{Path, PathBuf};

/// A document stays below this many failures in a report.
const MAX_REPORTED: usize = 5;

#[test]
fn the_suite_is_true() {
    let documents = markdown_in(&root().join("suite"));
    assert!(documents.len() >= 8, "the suite has only {} documents", documents.len());
    run_all(&documents);
}

#[test]
fn the_book_is_true() {
    run_all(&markdown_in(&root().join("docs/book/src")));
}

#[test]
fn the_readme_is_true() {
    run_all(&[root().join("README.md")]);
}

#[test]
fn every_model_is_used() {
    let mut texts = String::new();
    for path in markdown_in(&root().join("suite")).iter().chain(&markdown_in(&root().join("docs/book/src"))) {
        texts.push_str(&read(path));
    }
    for path in files_in(&root().join("models")) {
        let name = format!("models/{}", path.file_name().expect("a file has a name").to_string_lossy());
        let uses = [format!("rely check {name}"), format!("--properties {name}")];
        assert!(uses.iter().any(|it| texts.contains(it)), "no document checks {name}");
    }
}

#[test]
fn every_rule_of_the_corpus_has_a_section() {
    let rules = read(&root().join("xtask/src/corpus/rules.rs"));
    let sections = read(&root().join("suite/differences.md"));
    let names: Vec<&str> =
        rules.split("&str = \"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(!names.is_empty());
    for name in names {
        let heading = format!("## {name}");
        assert!(
            sections.lines().any(|line| line == heading),
            "suite/differences.md has no section {heading}"
        );
    }
}

/// Runs documents, and fails with what differs; or updates them.
fn run_all(documents: &[PathBuf]) {
    let update = std::env::var_os("UPDATE_SUITE").is_some_and(|value| value == "1");
    let mut report = String::new();
    for path in documents {
        let text = read(path);
        let name = path.strip_prefix(root()).unwrap_or(path).display().to_string();
        let folder = Folder::new(&name);
        let mut outcome = run(&text, &folder);
        compare_pictures(path, &text, &folder, update, &mut outcome);
        if update && outcome.text != text {
            std::fs::write(path, &outcome.text).expect("the document can be written");
        } else if !update {
            for failure in outcome.failures.iter().take(MAX_REPORTED) {
                report.push_str(&format!("{name}:{failure}\n"));
            }
        }
        if path.starts_with(root().join("suite")) {
            assert!(outcome.commands > 0, "{name} runs nothing");
        }
    }
    assert!(report.is_empty(), "{report}\nUPDATE_SUITE=1 rewrites the expected output");
}

/// Compares the pictures of a document, `![…](images/NAME.svg)`, with those that its commands have drawn.
fn compare_pictures(path: &Path, text: &str, folder: &Folder, update: bool, outcome: &mut Outcome) {
    for name in text.split("](images/").skip(1).filter_map(|rest| rest.split(')').next()) {
        let kept = path.with_file_name("images").join(name);
        let drawn = read(&folder.0.join(name));
        if update {
            std::fs::write(&kept, drawn).expect("the picture can be written");
        } else if read(&kept) != drawn {
            outcome.failures.push(format!(" images/{name} is not what its command draws"));
        }
    }
}

/// What became of a document.
struct Outcome {
    /// How many commands were run.
    commands: usize,
    /// What was printed and not expected, each with its line.
    failures: Vec<String>,
    /// The document with the output that there was.
    text: String,
}

/// Runs the commands of a document in a folder.
fn run(text: &str, folder: &Folder) -> Outcome {
    let mut outcome = Outcome { commands: 0, failures: Vec::new(), text: String::new() };
    let lines: Vec<&str> = text.lines().collect();
    let mut i = 0;
    while i < lines.len() {
        outcome.text.push_str(lines[i]);
        outcome.text.push('\n');
        let Some(info) = opening(lines[i]) else {
            i += 1;
            continue;
        };
        let end = (i + 1..lines.len()).find(|&j| lines[j].starts_with("```"));
        let end = end.unwrap_or_else(|| panic!("the block of line {} is not closed", i + 1));
        let block = &lines[i + 1..end];
        let mut words = info.split_whitespace();
        match (words.next(), words.next()) {
            (Some("console"), None) => run_block(block, i + 2, folder, &mut outcome),
            (_, name) => {
                if let Some(name) = name {
                    folder.store(name, &(block.join("\n") + "\n"));
                }
                outcome.text.extend(block.iter().map(|line| format!("{line}\n")));
            }
        }
        i = end;
        outcome.text.push_str(lines[i]);
        outcome.text.push('\n');
        i += 1;
    }
    outcome
}

/// The info string of a line that opens a block.
fn opening(line: &str) -> Option<&str> {
    line.strip_prefix("```").filter(|info| !info.is_empty())
}

/// Runs the commands of a console block whose first line has a number.
fn run_block(block: &[&str], first: usize, folder: &Folder, outcome: &mut Outcome) {
    let mut i = 0;
    while i < block.len() {
        let line = block[i];
        outcome.text.push_str(line);
        outcome.text.push('\n');
        let next = (i + 1..block.len()).find(|&j| block[j].starts_with("$ ")).unwrap_or(block.len());
        let expected = &block[i + 1..next];
        let actual = line.strip_prefix("$ ").and_then(|command| folder.run(command));
        let kept = match &actual {
            None => join(expected),
            Some(actual) => {
                outcome.commands += 1;
                let actual_lines: Vec<&str> = actual.lines().collect();
                if matches(expected, &actual_lines) {
                    join(expected)
                } else {
                    outcome.failures.push(format!(
                        "{}: {line}\n--- expected\n{}--- printed\n{actual}---",
                        first + i,
                        join(expected)
                    ));
                    actual.clone()
                }
            }
        };
        outcome.text.push_str(&kept);
        i = next;
    }
}

fn join(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Whether lines are as expected, where `…` stands for any lines. Blank lines at the end do not count.
fn matches(expected: &[&str], actual: &[&str]) -> bool {
    match expected.split_first() {
        None => actual.iter().all(|line| line.is_empty()),
        Some((&"…", rest)) => (0..=actual.len()).any(|skip| matches(rest, &actual[skip..])),
        Some((first, rest)) => match actual.split_first() {
            None => expected.iter().all(|line| line.is_empty()),
            Some((line, others)) => first.trim_end() == *line && matches(rest, others),
        },
    }
}

/// The folder in which the commands of a document run.
struct Folder(PathBuf);

impl Folder {
    /// An empty folder with a copy of the models.
    fn new(document: &str) -> Self {
        let path = common::folder(&document.replace(['/', '.'], "-"));
        std::fs::create_dir(path.join("models")).expect("a temporary folder can be made");
        std::fs::create_dir(path.join("models/views")).expect("a temporary folder can be made");
        for folder in ["models", "models/views"] {
            for model in files_in(&root().join(folder)) {
                let name = model.file_name().expect("a file has a name");
                std::fs::copy(&model, path.join(folder).join(name)).expect("a model can be copied");
            }
        }
        Self(path)
    }

    fn store(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("a file can be written");
    }

    /// What a command prints; nothing if it is not run here.
    fn run(&self, command: &str) -> Option<String> {
        let mut words = split(command);
        if words.first().is_some_and(|word| word == "cargo") {
            words.remove(0);
        }
        match words.first()?.as_str() {
            "cat" => Some(tidy(&read(&self.0.join(&words[1])))),
            "rely" => Some(self.rely(&words[1..])),
            _ => None,
        }
    }

    /// Runs `rely` with arguments.
    fn rely(&self, words: &[String]) -> String {
        let mut command = common::command::<&str>(&[]);
        command.current_dir(&self.0).env_remove("COLUMNS").env("NO_COLOR", "1");
        let (mut input, mut output_to) = (Vec::new(), None);
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut file = || self.0.join(words.next().expect("a file name follows"));
            match word.as_str() {
                "<" => input = std::fs::read(file()).expect("the input exists"),
                ">" => output_to = Some(file()),
                argument => drop(command.arg(argument)),
            }
        }
        let common::Run { mut stdout, stderr, status, .. } = common::start(command, &input).end();
        if let Some(path) = output_to {
            std::fs::write(path, std::mem::take(&mut stdout)).expect("the output can be written");
        }
        let mut text = tidy(&stdout);
        let stderr = tidy(&stderr);
        if !stderr.is_empty() {
            text.push_str("[stderr]\n");
            text.push_str(&stderr);
        }
        if status != 0 {
            text.push_str(&format!("[exit {status}]\n"));
        }
        text
    }
}

/// A text without blanks at the ends of lines and without blank lines at its end.
fn tidy(text: &str) -> String {
    let lines: String = text.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    let trimmed = lines.trim_end_matches('\n');
    if trimmed.is_empty() { String::new() } else { format!("{trimmed}\n") }
}

/// The words of a command; quotes keep blanks together.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    for c in command.chars().chain([' ']) {
        match quote {
            Some(q) if c == q => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == ' ' => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            _ => word.push(c),
        }
    }
    words
}

/// The folder of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is above")
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_file()).collect();
    paths.sort();
    paths
}

fn markdown_in(folder: &Path) -> Vec<PathBuf> {
    files_in(folder)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .collect()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

mod canaries {
    //! The runner itself: it must see what is wrong.
    use super::*;

    fn document(expected: &str) -> String {
        format!(
            "# Light\n\n```fsp light.lts\nP = (a -> P).\n```\n\n```console\n$ rely check light.lts\n{expected}```\n\nEnd\n"
        )
    }

    #[test]
    fn the_right_output_passes() {
        let text = document("DEFAULT: deadlock holds\nDEFAULT: safety holds\n");
        let outcome = run(&text, &Folder::new("canary-right"));
        assert_eq!(outcome.failures, Vec::<String>::new());
        assert_eq!((outcome.commands, outcome.text), (1, text));
    }

    #[test]
    fn wrong_output_fails_and_is_updated() {
        let right = document("DEFAULT: deadlock holds\nDEFAULT: safety holds\n");
        for (i, wrong) in [
            "",
            "DEFAULT: deadlock holds\n",
            "DEFAULT: deadlock violated\nDEFAULT: safety holds\n",
            "…\n[exit 1]\n",
        ]
        .iter()
        .enumerate()
        {
            let outcome = run(&document(wrong), &Folder::new(&format!("canary-wrong-{i}")));
            assert_eq!(outcome.failures.len(), 1, "{wrong}");
            assert_eq!(outcome.text, right);
        }
    }

    #[test]
    fn an_ellipsis_stands_for_any_lines() {
        assert!(matches(&["a", "…", "d"], &["a", "b", "c", "d"]));
        assert!(matches(&["…"], &[]) && matches(&["…", "a"], &["a"]));
        assert!(!matches(&["…", "a"], &["a", "b"]) && !matches(&["a", "…"], &["b"]));
    }

    #[test]
    fn standard_error_and_the_status_are_part_of_the_output() {
        let folder = Folder::new("canary-errors");
        folder.store("bad.lts", "||S = (T).\n");
        let text = folder.run("cargo rely check bad.lts").expect("it is run");
        assert!(text.starts_with("[stderr]\nerror[") && text.ends_with("[exit 3]\n"), "{text}");
        assert_eq!(folder.run("make coffee"), None);
        assert_eq!(split("rely check 'a b' --only \"x y\""), ["rely", "check", "a b", "--only", "x y"]);
    }
}
