//! `cargo xtask studies [--all]`: programs against their designs.
//!
//! A harness is written for each study and run, once as it should be and once for each fault that is seeded into the
//! program. Which premises fail is compared with what is written here. Without `--all`, which runs all faults, and everything
//! under loom as well, it takes about two minutes, most of them for the compiler.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context, Result, bail, ensure};

/// The faults that are seeded without `--all`.
const SAMPLE: &[&str] = &["none", "hasty-clear", "unlocked-wake"];

/// A harness: its name, the explorer, what else `rely harness` is told, the variable that seeds faults, and for each fault
/// the tests that fail.
struct Study {
    name: &'static str,
    explorer: &'static str,
    arguments: &'static [&'static str],
    variable: &'static str,
    faults: &'static [(&'static str, &'static [&'static str])],
}

const EXECUTIVE: &[&str] = &[
    "models/executive.lts",
    "--component=COND_CHECKER",
    "--environment=EXECUTIVE",
    "--property=TAKEN_ONCE",
    "--assumption=learned",
    "--assumption=studies/executive/held.fsp",
    "--mapping=studies/executive/mapping.toml",
];

const EXECUTIVE_FAULTS: &[(&str, &[&str])] = &[
    ("none", &[]),
    ("hasty-clear", &["environment_refines_its_model", "premise_2_assumption", "whole"]),
    ("unlocked-get", &["environment_refines_its_model", "premise_2_held", "whole"]),
    ("late-clear", &["environment_refines_its_model", "premise_2_assumption", "premise_2_held", "whole"]),
    ("no-clear", &["environment_refines_its_model", "premise_2_assumption", "whole"]),
    ("early-clear", &["environment_refines_its_model", "premise_2_assumption", "whole"]),
    ("unlocked-wake", &["component_refines_its_model", "premise_1", "premise_1_encoded", "whole"]),
    ("second-look", &["component_refines_its_model", "premise_1", "premise_1_encoded", "whole"]),
    ("blind-put", &["component_refines_its_model"]),
    ("second-put", &["component_refines_its_model"]),
    ("unknown-event", &["component_refines_its_model", "premise_1", "premise_1_encoded", "whole"]),
];

const STUDIES: &[Study] = &[
    Study {
        name: "executive-shuttle",
        explorer: "shuttle",
        arguments: EXECUTIVE,
        variable: "EXECUTIVE_FAULT",
        faults: EXECUTIVE_FAULTS,
    },
    // Without what the design takes for granted, premise 1 fails on the program.
    Study {
        name: "executive-learned-shuttle",
        explorer: "shuttle",
        arguments: &[
            "models/executive.lts",
            "--component=COND_CHECKER",
            "--environment=EXECUTIVE",
            "--property=TAKEN_ONCE",
            "--assumption=learned",
            "--mapping=studies/executive/mapping.toml",
        ],
        variable: "EXECUTIVE_FAULT",
        faults: &[("none", &["premise_1", "premise_1_encoded"])],
    },
    Study {
        name: "executive-loom",
        explorer: "loom",
        arguments: EXECUTIVE,
        variable: "EXECUTIVE_FAULT",
        faults: EXECUTIVE_FAULTS,
    },
];

const WORKSPACE: &str = "\
[workspace]
resolver = \"3\"
members = [\"harness-*\"]

[profile.dev]
opt-level = 1
debug = false

[profile.dev.package.\"*\"]
opt-level = 2
";

pub(crate) fn run(root: &Path, everything: bool) -> Result<()> {
    let folder = root.join("studies/target/harnesses");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("Cargo.toml"), WORKSPACE)?;
    std::fs::copy(root.join("studies/Cargo.lock"), folder.join("Cargo.lock"))?;
    let fetched =
        cargo(&root.join("studies"), &["fetch", "--quiet"]).output().context("cargo does not start")?;
    if !fetched.status.success() {
        println!("studies: the explorers cannot be fetched, so this is not checked");
        return Ok(());
    }
    random(root, "shuttle", if everything { 1000 } else { 60 })?;
    if everything {
        random(root, "loom", 1000)?;
    }
    let is_run = |study: &&Study| everything || study.explorer == "shuttle";
    for study in STUDIES.iter().filter(is_run) {
        generate(root, &folder, study)?;
    }
    for study in STUDIES.iter().filter(is_run) {
        let package = format!("harness-{}", study.name);
        let clippy = ["clippy", "--quiet", "--package", &package, "--all-targets", "--", "-D", "warnings"];
        let clippy = cargo(&folder, &clippy).output()?;
        ensure!(clippy.status.success(), "clippy has something against {package}:\n{}", text(&clippy));
        let is_run = |(fault, _): &&(&str, &[&str])| everything || SAMPLE.contains(fault);
        for &(fault, expected) in study.faults.iter().filter(is_run) {
            check(&folder, study, &package, fault, expected)?;
        }
    }
    Ok(())
}

/// Random components as programs: their premises have the verdicts that the definition gives.
fn random(root: &Path, explorer: &str, cases: usize) -> Result<()> {
    let arguments = ["test", "--quiet", "--package", "random", "--features", explorer, "--", "--show-output"];
    let output = cargo(&root.join("studies"), &arguments).env("RANDOM_CASES", cases.to_string()).output()?;
    let text = text(&output);
    ensure!(output.status.success(), "random components under {explorer}:\n{text}");
    for line in text.lines().filter(|line| line.contains(" components, ")) {
        println!("studies: {explorer}: {line}");
    }
    Ok(())
}

/// Writes the harness of a study.
fn generate(root: &Path, folder: &Path, study: &Study) -> Result<()> {
    let output = folder.join(format!("harness-{}", study.name));
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--quiet", "--package", "rely-cli", "--", "harness"]).args(study.arguments);
    command.args(["--for", study.explorer, "-o"]).arg(&output).current_dir(root);
    let output = command.output().context("rely does not start")?;
    ensure!(output.status.success(), "{}: rely harness failed:\n{}", study.name, text(&output));
    Ok(())
}

/// Runs the tests of a harness with a fault, and compares those that fail.
fn check(folder: &Path, study: &Study, package: &str, fault: &str, expected: &[&str]) -> Result<()> {
    let arguments = [
        "test",
        "--quiet",
        "--package",
        package,
        "--test",
        "premises",
        "--",
        "--format",
        "pretty",
        "--show-output",
    ];
    let output = cargo(folder, &arguments).env(study.variable, fault).output()?;
    let text = text(&output);
    let tests: BTreeSet<(&str, bool)> = text.lines().filter_map(verdict).collect();
    ensure!(!tests.is_empty(), "{}: no test was run:\n{text}", study.name);
    let failed: BTreeSet<&str> = tests.iter().filter(|(_, passed)| !passed).map(|(name, _)| *name).collect();
    let wanted: BTreeSet<&str> = expected.iter().copied().collect();
    if failed != wanted {
        bail!("{}, fault {fault}: {failed:?} fail, and {wanted:?} should:\n{text}", study.name);
    }
    let named: Vec<&str> = failed.into_iter().collect();
    let found = if named.is_empty() {
        "everything holds".to_owned()
    } else {
        format!("found by {}", named.join(", "))
    };
    println!("studies: {}, fault {fault}: {found}", study.name);
    for line in text.lines().filter(|line| line.contains(" executions (")) {
        println!("  {line}");
    }
    Ok(())
}

/// The verdict of a test: `test premise_1 ... ok`.
fn verdict(line: &str) -> Option<(&str, bool)> {
    let (name, verdict) = line.strip_prefix("test ")?.split_once(" ... ")?;
    Some((name, verdict == "ok"))
}

fn cargo(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments).current_dir(folder);
    // A program has the locks of one explorer only, so features must not be united over packages.
    command.env_remove("CARGO_RESOLVER_FEATURE_UNIFICATION");
    // The folder is inside of that of another target.
    command.env(
        "CARGO_TARGET_DIR",
        folder.ancestors().find(|it| it.ends_with("studies")).unwrap_or(folder).join("target"),
    );
    command
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}
