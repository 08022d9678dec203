//! `cargo xtask bench [explore]`: our time and memory against a peer's, on the same input, in one run.
//!
//! Absolute times say little about another machine on another day; ratios within one run do. So every run of ours is
//! followed by one of the peer, several times over, and what is printed is medians, their spread, and ratios.

mod measure;
mod networks;
mod spin;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use self::measure::{Sample, Summary, measured};
use self::networks::{Instance, System};
use self::spin::Spin;

/// How often each program is run on each network.
const RUNS: usize = 3;

pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<()> {
    match arguments {
        [] | ["explore"] => explore(root),
        _ => bail!("usage: cargo xtask bench [explore]"),
    }
}

/// What is explored: two sizes of each, to see how time and memory grow.
const INSTANCES: [Instance; 6] = [
    Instance { system: System::Philosophers, size: 7, states: 279_934, transitions: 1_726_256 },
    Instance { system: System::Philosophers, size: 8, states: 1_679_616, transitions: 11_837_296 },
    Instance { system: System::Milner, size: 14, states: 344_064, transitions: 2_580_480 },
    Instance { system: System::Milner, size: 16, states: 1_572_864, transitions: 13_369_344 },
    Instance { system: System::Ring, size: 14, states: 344_064, transitions: 2_695_168 },
    Instance { system: System::Ring, size: 16, states: 1_572_864, transitions: 13_893_632 },
];

/// Every state and transition of a product by explicit search: `rely compose` and SPIN without reduction.
fn explore(root: &Path) -> Result<()> {
    let rely = build(root)?;
    let spin = Spin::find();
    if spin.is_none() {
        println!("SPIN is not installed and cannot be: measuring ours alone");
    }
    let folder = std::env::temp_dir().join(format!("rely-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).context("a folder for the networks")?;
    print_header();
    let done = INSTANCES.iter().try_for_each(|instance| compare(instance, &rely, spin.as_ref(), &folder));
    std::fs::remove_dir_all(&folder).context("the folder of the networks")?;
    done
}

/// Builds what users run.
fn build(root: &Path) -> Result<PathBuf> {
    let mut cargo = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    let status = cargo.args(["build", "--release", "--package", "rely"]).current_dir(root).status()?;
    ensure!(status.success(), "rely cannot be built");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(root.join(target).join("release").join("rely"))
}

/// Measures one network with us and with the peer, in turns, and prints a line of the table.
fn compare(instance: &Instance, rely: &Path, spin: Option<&Spin>, folder: &Path) -> Result<()> {
    let model = folder.join(format!("{instance}.lts"));
    std::fs::write(&model, instance.fsp())?;
    let verifier = spin.map(|spin| spin.verifier(instance, folder)).transpose()?;
    let (mut ours, mut theirs): (Vec<Sample>, Vec<Sample>) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let mut compose = Command::new(rely);
        compose.arg("compose").arg(&model).args(["--target", "SYS"]);
        let (sample, output) = measured(&compose, folder)?;
        check_ours(instance, &output)?;
        ours.push(sample);
        if let Some(verifier) = &verifier {
            let (sample, output) = measured(&verifier.command(instance), folder)?;
            spin::check(instance, &output)?;
            theirs.push(sample);
        }
    }
    print_line(instance, &ours, &theirs);
    Ok(())
}

/// Fails when we have not counted what is known to be there.
fn check_ours(instance: &Instance, output: &str) -> Result<()> {
    let digits: String = output.chars().filter(|&c| c != ',').collect();
    let words: Vec<&str> = digits.split_whitespace().collect();
    let number_before = |what: &str| {
        let place = words.iter().position(|word| word.starts_with(what))?;
        words[place.checked_sub(1)?].parse::<usize>().ok()
    };
    let found = (number_before("states"), number_before("transitions"));
    let expected = (Some(instance.states), Some(instance.transitions));
    ensure!(found == expected, "{instance}: rely found {found:?} states and transitions, not {expected:?}");
    Ok(())
}

fn print_header() {
    println!(
        "{:<14}{:>11}{:>13}  {:>18}{:>9}{:>9}  {:>18}{:>9}  {:>8}{:>10}",
        "network",
        "states",
        "transitions",
        "rely s (spread)",
        "MB",
        "B/state",
        "SPIN s (spread)",
        "MB",
        "time ×",
        "memory ×"
    );
}

fn print_line(instance: &Instance, ours: &[Sample], theirs: &[Sample]) {
    let rely = Summary::of(ours);
    let mut line = format!(
        "{:<14}{:>11}{:>13}  {:>18}{:>9.1}{:>9.1}",
        instance.to_string(),
        instance.states,
        instance.transitions,
        rely.seconds_with_spread(),
        rely.megabytes,
        rely.megabytes * 1e6 / instance.states as f64,
    );
    if !theirs.is_empty() {
        let spin = Summary::of(theirs);
        line += &format!(
            "  {:>18}{:>9.1}  {:>8.1}{:>10.1}",
            spin.seconds_with_spread(),
            spin.megabytes,
            spin.seconds / rely.seconds,
            spin.megabytes / rely.megabytes,
        );
    }
    println!("{line}");
}
