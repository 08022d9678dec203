//! `cargo xtask studies [--all]`: programs against their designs.
//!
//! A harness is written for each study and run, once as it should be and once for each fault that is seeded into the
//! program. Which premises fail is compared with what is written here, and what was explored is printed as a table. A failure
//! is replayed. Without `--all`, which runs all faults, and everything under loom as well, it is a sample for `cargo xtask ci`.
//!
//! Random components are written as texts in FSP and in Rust; the verdict that `rely check` gives the model is the one that the
//! explorers give the program.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// The faults that are seeded without `--all`.
const SAMPLE: &[&str] = &["none", "hasty-clear", "unlocked-wake", "hasty-wait"];

/// A harness: its name, the explorer, what else `rely harness` is told, the variable that seeds faults, and for each fault
/// the tests that fail.
struct Study {
    name: &'static str,
    explorer: &'static str,
    arguments: &'static [&'static str],
    variable: &'static str,
    /// What is set for the compiler of all crates.
    cfg: &'static [&'static str],
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

const WAKEUP: &[&str] = &[
    "models/wakeup.lts",
    "--component=PLANNER",
    "--environment=RUNNER",
    "--property=HEARD",
    "--assumption=learned",
    "--mapping=studies/wakeup/mapping.toml",
];

const WAKEUP_FAULTS: &[(&str, &[&str])] = &[
    ("none", &[]),
    ("hasty-wait", &["premise_1", "premise_1_encoded", "whole", "whole_ends"]),
    ("silent-signal", &["whole_ends"]),
];

const GATE: &[&str] = &[
    "models/gate.lts",
    "--component=GUESTS",
    "--environment=KEEPER",
    "--property=OPEN_WHEN_WOKEN",
    "--assumption=learned",
    "--mapping=studies/gate/mapping.toml",
];

const GATE_FAULTS: &[(&str, &[&str])] = &[
    ("none", &[]),
    ("no-second-look", &["component_refines_its_model", "whole_ends"]),
    ("early-notify", &["environment_refines_its_model", "premise_2_assumption", "whole", "whole_ends"]),
    ("no-notify", &["whole_ends"]),
];

/// The study that is told to its end: what its program does is done by the design, and it is watched in production.
const TOLD: &str = "executive-shuttle";

const STUDIES: &[Study] = &[
    Study {
        name: TOLD,
        explorer: "shuttle",
        arguments: EXECUTIVE,
        variable: "EXECUTIVE_FAULT",
        cfg: &[],
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
        cfg: &[],
        faults: &[("none", &["premise_1", "premise_1_encoded"])],
    },
    Study {
        name: "wakeup-shuttle",
        explorer: "shuttle",
        arguments: WAKEUP,
        variable: "WAKEUP_FAULT",
        cfg: &[],
        faults: WAKEUP_FAULTS,
    },
    Study {
        name: "executive-loom",
        explorer: "loom",
        arguments: EXECUTIVE,
        variable: "EXECUTIVE_FAULT",
        cfg: &[],
        faults: EXECUTIVE_FAULTS,
    },
    Study {
        name: "wakeup-loom",
        explorer: "loom",
        arguments: WAKEUP,
        variable: "WAKEUP_FAULT",
        cfg: &[],
        faults: WAKEUP_FAULTS,
    },
    // A crate of others is explored, too; it has the locks of loom, and no others.
    Study {
        name: "gate-loom",
        explorer: "loom",
        arguments: GATE,
        variable: "GATE_FAULT",
        cfg: &["loom"],
        faults: GATE_FAULTS,
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
    let cases = if everything { 1000 } else { 60 };
    verdicts(root, &folder, cases)?;
    random(root, &folder, "shuttle", cases)?;
    if everything {
        random(root, &folder, "loom", cases)?;
    }
    let is_run = |study: &&Study| everything || study.explorer == "shuttle";
    for study in STUDIES.iter().filter(is_run) {
        generate(root, &folder, study)?;
    }
    for study in STUDIES.iter().filter(is_run) {
        let package = format!("harness-{}", study.name);
        let clippy = ["clippy", "--quiet", "--package", &package, "--all-targets", "--", "-D", "warnings"];
        let clippy = cargo_for(study, &folder, &clippy).output()?;
        ensure!(clippy.status.success(), "clippy has something against {package}:\n{}", text(&clippy));
        let is_run = |(fault, _): &&(&str, &[&str])| everything || SAMPLE.contains(fault);
        for &(fault, expected) in study.faults.iter().filter(is_run) {
            check(root, &folder, study, &package, fault, expected)?;
        }
    }
    production(root, &folder)
}

/// The file with the verdicts that the models of random texts have.
const VERDICTS: &str = "verdicts.txt";

/// The variable that says how many random components are written as texts; the build depends on it.
const TEXTS: &str = "RANDOM_TEXTS";

/// Asks `rely check` about the models of random texts.
fn verdicts(root: &Path, folder: &Path, cases: usize) -> Result<()> {
    let count = cases.to_string();
    let arguments = ["run", "--quiet", "--package", "random", "--bin", "model", "--", &count];
    let output = cargo(&root.join("studies"), &arguments).env(TEXTS, &count).output()?;
    ensure!(output.status.success(), "random texts cannot be written:\n{}", text(&output));
    let model = folder.join("random.lts");
    std::fs::write(&model, &output.stdout)?;
    let mut command = rely(root, &["check", "--only=safety", "--json"]);
    let output = command.arg(&model).output().context("rely does not start")?;
    let report: Value = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("rely check says:\n{}", text(&output)))?;
    let mut lines = String::new();
    for result in report["results"].as_array().into_iter().flatten() {
        let (target, verdict) = (result["target"].as_str(), result["verdict"].as_str());
        if let (Some(target), Some(verdict)) = (target, verdict) {
            lines.push_str(&format!("{target} {verdict}\n"));
        }
    }
    let found = lines.lines().count();
    ensure!(found == cases, "{found} of {cases} random texts have a verdict");
    Ok(std::fs::write(folder.join(VERDICTS), lines)?)
}

/// Random components as programs: their premises have the verdicts of the definition, and those of the models of texts.
fn random(root: &Path, folder: &Path, explorer: &str, cases: usize) -> Result<()> {
    let arguments = ["test", "--quiet", "--package", "random", "--features", explorer, "--", "--show-output"];
    let count = cases.to_string();
    let mut command = cargo(&root.join("studies"), &arguments);
    command.env("RANDOM_CASES", &count).env(TEXTS, &count).env("RANDOM_VERDICTS", folder.join(VERDICTS));
    let output = command.output()?;
    let text = text(&output);
    ensure!(output.status.success(), "random components under {explorer}:\n{text}");
    for line in text.lines().filter(|line| line.contains(" violated, ") && line.contains(" executions")) {
        println!("studies: {explorer}: {line}");
    }
    Ok(())
}

/// Writes the harness of a study.
fn generate(root: &Path, folder: &Path, study: &Study) -> Result<()> {
    let output = folder.join(format!("harness-{}", study.name));
    let mut command = rely(root, &["harness"]);
    command.args(study.arguments).args(["--for", study.explorer, "-o"]).arg(&output);
    let output = command.output().context("rely does not start")?;
    ensure!(output.status.success(), "{}: rely harness failed:\n{}", study.name, text(&output));
    Ok(())
}

/// Runs the tests of a harness with a fault, and compares those that fail.
fn check(
    root: &Path,
    folder: &Path,
    study: &Study,
    package: &str,
    fault: &str,
    expected: &[&str],
) -> Result<()> {
    let test = |arguments: &[&str]| {
        let all = ["test", "--quiet", "--package", package, "--test", "premises", "--", "--format", "pretty"];
        let mut command = cargo_for(study, folder, &[&all, arguments].concat());
        command.env(study.variable, fault);
        command
    };
    let text = text(&test(&["--show-output"]).output()?);
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
    for (name, choices) in replays(&text) {
        let trace = folder.join("replayed.trace");
        let mut again = test(&["--exact", name]);
        let output = again.env("RELY_REPLAY", choices).env("RELY_TRACE", &trace).output()?;
        let text = self::text(&output);
        ensure!(text.contains(": violated; 1 executions"), "{name} is not seen again:\n{text}");
        if study.name == TOLD && fault == "hasty-clear" && name == "whole" {
            design_does(root, &trace)?;
        }
    }
    if expected.is_empty() {
        println!("\n| premise | executions | steps | sequences of events | states of the monitors |");
        println!("|---|---|---|---|---|");
        text.lines().filter_map(row).for_each(|row| println!("{row}"));
        println!();
    }
    Ok(())
}

/// What was explored for a premise that holds, as a row of a table: the numbers before these words.
fn row(line: &str) -> Option<String> {
    let (question, explored) = line.trim().rsplit_once(": holds")?;
    let number = |what: &str| explored.split_once(what)?.0.rsplit(' ').next();
    let [executions, steps, sequences, states] =
        [" executions", " steps", " sequences", " states"].map(number);
    Some(format!("| {question} | {} | {} | {} | {} |", executions?, steps?, sequences?, states?))
}

/// The choices that lead to each failure, for those that can be seen again.
fn replays(text: &str) -> Vec<(&str, &str)> {
    let (mut name, mut found) = ("", Vec::new());
    for line in text.lines() {
        if let Some(head) = line.strip_prefix("---- ").and_then(|line| line.strip_suffix(" stdout ----")) {
            name = head;
        }
        found.extend(line.strip_prefix("to see it again: RELY_REPLAY=").map(|choices| (name, choices)));
    }
    found
}

/// The design can do what the program did, up to the violation.
fn design_does(root: &Path, trace: &Path) -> Result<()> {
    let mut command = rely(root, &["simulate", "models/executive.lts", "--target=HASTY_ROVER"]);
    command.args(["--between=checker.look", "--replay"]).arg(trace).stdin(Stdio::null());
    let text = text(&command.output()?);
    ensure!(text.contains("error in TAKEN_ONCE"), "the design does not do what the program did:\n{text}");
    println!("studies: {TOLD}: the design does the same, up to the violation");
    Ok(())
}

const PRODUCTION: &str = "\
[package]
name = \"production\"
version = \"0.1.0\"
edition = \"2024\"
publish = false

[dependencies]
executive = { path = \"../../../executive\" }
rely-runtime = { path = \"../../../../crates/runtime\" }
";

/// The automata of the harness watch the program without an explorer. With the mistake, that is told while it happens, and by
/// what was recorded.
fn production(root: &Path, folder: &Path) -> Result<()> {
    let package = folder.join("harness-production");
    std::fs::create_dir_all(package.join("src"))?;
    std::fs::write(package.join("Cargo.toml"), PRODUCTION)?;
    std::fs::copy(root.join("studies/executive/production.rs"), package.join("src/main.rs"))?;
    let automata = folder.join(format!("harness-{TOLD}/src/automata.rs"));
    std::fs::copy(automata, package.join("src/automata.rs"))?;
    for (fault, verdict, told) in
        [("none", "holds", ""), ("hasty-clear", "violated", "ASSUMPTION is violated")]
    {
        let mut command = cargo(folder, &["run", "--quiet", "--package", "production"]);
        let output = command.env("EXECUTIVE_FAULT", fault).output()?;
        let log = String::from_utf8_lossy(&output.stderr);
        let is_told = if told.is_empty() { log.is_empty() } else { log.contains(told) };
        ensure!(output.status.success() && is_told, "in production, fault {fault}:\n{}", text(&output));
        let recording = folder.join("events.jsonl");
        std::fs::write(&recording, &output.stdout)?;
        let mut command = rely(root, &["monitor", "models/executive.lts", "--target=EXECUTIVE", "--json"]);
        command.arg("--mapping=studies/executive/mapping.toml").arg("--check").arg(&recording);
        let output = command.output()?;
        let report: Value = serde_json::from_slice(&output.stdout)
            .with_context(|| format!("rely monitor says:\n{}", text(&output)))?;
        let result = &report["results"][0];
        ensure!(result["verdict"] == verdict, "what fault {fault} recorded: {result:#}");
        println!("studies: in production, fault {fault}: {} recorded events, {verdict}", result["events"]);
    }
    Ok(())
}

/// The verdict of a test: `test premise_1 ... ok`.
fn verdict(line: &str) -> Option<(&str, bool)> {
    let (name, verdict) = line.strip_prefix("test ")?.split_once(" ... ")?;
    Some((name, verdict == "ok"))
}

/// The verifier.
fn rely(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--quiet", "--package", "rely-cli", "--"]).args(arguments).current_dir(root);
    command
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

/// cargo with what a study sets for the compiler. What is built for it is kept apart, or everything would be built again.
fn cargo_for(study: &Study, folder: &Path, arguments: &[&str]) -> Command {
    let mut command = cargo(folder, arguments);
    if !study.cfg.is_empty() {
        let flags: Vec<String> = study.cfg.iter().map(|cfg| format!("--cfg {cfg}")).collect();
        let target = folder.join(format!("target-{}", study.cfg.join("-")));
        command.env("RUSTFLAGS", flags.join(" ")).env("CARGO_TARGET_DIR", target);
    }
    command
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}
