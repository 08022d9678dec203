//! The files of a harness.

mod automata;
mod premises;

use std::fmt::Write as _;

use rely_monitor::Language;

use crate::reader::Text;
use crate::{Explorer, File, Plan};

pub(crate) use automata::{constant, watch_input};
pub(crate) use premises::premise_names;

/// The first line of the manifest, by which a harness is known.
pub const MARK: &str = "# Written by `rely harness`: change the mapping or the design, and run it again.";

/// The sources of the runtime, for programs that have none beside them.
const RUNTIME: [(&str, &str); 11] = [
    ("lib.rs", include_str!("../../../runtime/src/lib.rs")),
    ("ambient.rs", include_str!("../../../runtime/src/ambient.rs")),
    ("answer.rs", include_str!("../../../runtime/src/answer.rs")),
    ("automaton.rs", include_str!("../../../runtime/src/automaton.rs")),
    ("design.rs", include_str!("../../../runtime/src/design.rs")),
    ("digest.rs", include_str!("../../../runtime/src/digest.rs")),
    ("guard.rs", include_str!("../../../runtime/src/guard.rs")),
    ("host.rs", include_str!("../../../runtime/src/host.rs")),
    ("lanes.rs", include_str!("../../../runtime/src/lanes.rs")),
    ("task.rs", include_str!("../../../runtime/src/task.rs")),
    ("watch.rs", include_str!("../../../runtime/src/watch.rs")),
];

/// All files of a plan.
pub(crate) fn files(plan: &Plan<'_>) -> Vec<File> {
    let explorer = match plan.input.explorer {
        Explorer::Shuttle => include_str!("../../templates/shuttle.rs"),
        Explorer::Loom => include_str!("../../templates/loom.rs"),
    };
    let file = |path: &str, text: String| File { path: path.to_owned(), text };
    let mut files = vec![
        file("Cargo.toml", manifest(plan)),
        file("src/lib.rs", library(plan)),
        file("src/automata.rs", automata::automata(plan)),
        file("src/events.rs", automata::events(plan)),
        file("src/explore.rs", explorer.to_owned()),
        file("src/outcome.rs", include_str!("../../templates/outcome.rs").to_owned()),
        file("src/premises.rs", premises::premises(plan)),
        file("tests/premises.rs", premises::tests(plan)),
    ];
    if plan.input.explorer == Explorer::Loom && !plan.input.mapping.program.loom_cfg.is_empty() {
        files.push(file(".cargo/config.toml", compiler(&plan.input.mapping.program.loom_cfg)));
    }
    if plan.input.mapping.program.runtime.is_none() {
        files.push(file("runtime/Cargo.toml", RUNTIME_MANIFEST.to_owned()));
        files.extend(
            RUNTIME.iter().map(|(name, text)| file(&format!("runtime/src/{name}"), (*text).to_owned())),
        );
    }
    files
}

const RUNTIME_MANIFEST: &str = "\
[package]
name = \"rely-runtime\"
version = \"0.1.0\"
edition = \"2024\"
license = \"MIT OR Apache-2.0\"
publish = false
";

fn manifest(plan: &Plan<'_>) -> String {
    let input = plan.input;
    let program = &input.mapping.program;
    let (explorer, version, features) = match input.explorer {
        Explorer::Shuttle => ("shuttle", "0.9", &program.shuttle),
        Explorer::Loom => ("loom", "0.7", &program.loom),
    };
    let features: Vec<String> = features.iter().map(|feature| string(&feature.text)).collect();
    let features = match features.is_empty() {
        true => String::new(),
        false => format!(", features = [{}]", features.join(", ")),
    };
    let path = |path: &str| string(&joined(input.folder, path));
    let runtime = program.runtime.as_ref().map_or_else(|| string("runtime"), |text| path(&text.text));
    format!(
        "{MARK}\n[package]\nname = {}\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n\
         [lib]\nname = \"harness\"\n\n\
         [dependencies]\n{} = {{ path = {}{features} }}\nrely-runtime = {{ path = {runtime} }}\n{explorer} = \"{version}\"\n",
        string(input.package),
        program.name.text,
        path(&program.path.text),
    )
}

/// What cargo tells the compiler of every crate.
fn compiler(cfg: &[Text]) -> String {
    let flags: Vec<String> = cfg.iter().map(|cfg| format!("\"--cfg\", {}", string(&cfg.text))).collect();
    format!("{MARK}\n[build]\nrustflags = [{}]\n", flags.join(", "))
}

/// A path from a folder.
fn joined(folder: &str, path: &str) -> String {
    match (folder, path) {
        ("", path) => path.to_owned(),
        (folder, "." | "") => folder.to_owned(),
        (_, path) if path.starts_with('/') => path.to_owned(),
        (folder, path) => format!("{folder}/{path}"),
    }
}

fn library(plan: &Plan<'_>) -> String {
    let mut text = format!(
        "//! Checks the premises of the design {} on the program, under {}.\n//!\n\
         //! Written by `rely harness`: change the mapping or the design, and run it again.\n\n\
         pub mod automata;\npub mod events;\npub mod explore;\npub mod outcome;\npub mod premises;\n\n",
        comment(plan.input.name),
        plan.input.explorer.name()
    );
    text.push_str(
        "/// What the monitors were made from: files, from the folder of this crate, and their digests.\n",
    );
    text.push_str("pub const SOURCES: &[(&str, u64)] = &[\n");
    for (path, digest) in plan.input.sources {
        let _ = writeln!(text, "    ({}, 0x{digest:016x}),", string(path));
    }
    text.push_str("];\n");
    text
}

/// A string of Rust or TOML.
fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\n' => quoted.push_str("\\n"),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

/// A name as it may stand in a comment.
fn comment(name: &str) -> String {
    name.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// The name of a thing in Rust: `saved.get` is `saved_get`.
fn identifier(name: &str) -> String {
    let stem = rely_monitor::file_name(Language::Rust, name);
    let stem = stem.strip_suffix("_monitor.rs").or(stem.strip_suffix(".rs")).unwrap_or_default();
    if stem.is_empty() || stem == "monitor" { "it".to_owned() } else { stem.to_owned() }
}
