//! The chapter shows the study as it is: its mapping, its assumption, and its code.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The blocks of a section whose info string begins so.
fn blocks<'t>(chapter: &'t str, section: &str, info: &str) -> Vec<&'t str> {
    let (_, rest) = chapter.split_once(&format!("\n## {section}\n")).expect("the chapter has the section");
    let section = rest.split("\n## ").next().expect("there is a first part");
    let opening = format!("\n```{info}\n");
    section.split(&opening).skip(1).filter_map(|rest| rest.split("\n```").next()).collect()
}

/// The lines that say something, without their places.
fn lines(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

#[test]
fn the_files_are_those_of_the_study() {
    let chapter = read("suite/code.md");
    let [shown] = blocks(&chapter, "The program", "toml mapping.toml")[..] else { panic!("one mapping") };
    let mapping = read("studies/executive/mapping.toml");
    // The harness of the chapter has the runtime beside it.
    let of_study = lines(&mapping).into_iter().filter(|line| !line.starts_with("runtime = "));
    assert_eq!(lines(shown), of_study.collect::<Vec<_>>());
    let [held] = blocks(&chapter, "The harness", "fsp held.fsp")[..] else { panic!("one assumption") };
    let written = read("studies/executive/held.fsp");
    let written: Vec<&str> = lines(&written).into_iter().filter(|line| !line.starts_with("//")).collect();
    assert_eq!(lines(held), written);
}

#[test]
fn the_code_is_that_of_the_study() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies/executive/src");
    let files =
        std::fs::read_dir(folder).expect("the study has sources").map(|entry| entry.map(|it| it.path()));
    let files: Vec<PathBuf> = files.collect::<Result<_, _>>().expect("they can be listed");
    let mut code = read("studies/executive/production.rs");
    for file in files {
        code.push_str(&std::fs::read_to_string(file).expect("a source can be read"));
    }
    let code: BTreeSet<&str> = code.lines().map(str::trim).collect();
    let chapter = read("suite/code.md");
    let of_program = blocks(&chapter, "The program", "rust");
    let in_production = blocks(&chapter, "In production", "rust");
    assert!(of_program.len() == 2 && !in_production.is_empty());
    for block in of_program.iter().chain(&in_production[..1]) {
        for line in block.lines().map(str::trim) {
            assert!(code.contains(line), "the study does not have the line `{line}`");
        }
    }
}
