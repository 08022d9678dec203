//! `cargo xtask bench reductions`: `rely minimise` and merc on the same .aut files.
//!
//! merc is a set of Rust libraries. A small program around them is written into the target folder and built there, as a
//! workspace of its own: nothing of ours depends on it. A first part compares the numbers of classes on many small random
//! systems, a second one time and memory on large networks, and how both grow with size.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use rely_base::{Alphabet, Budget, Id, Label, StateId};
use rely_lts::equivalence::{Equivalence, minimise};
use rely_lts::format::aut::{self, Spelling};
use rely_lts::{Lts, LtsBuilder, operators};

use super::measure::{Sample, Summary, measured};
use super::networks::{Instance, System};
use super::random::Random;
use super::{RUNS, build};

/// A file and what to do with it.
struct Job {
    network: Instance,
    /// How the names of the actions begin that stay visible; all do if there are none.
    visible: &'static [&'static str],
    equivalence: Equivalence,
    /// Whether merc is known to answer within minutes.
    merc_answers: bool,
}

const fn job(
    network: Instance,
    visible: &'static [&'static str],
    equivalence: Equivalence,
    merc_answers: bool,
) -> Job {
    Job { network, visible, equivalence, merc_answers }
}

const fn network(system: System, size: usize, states: usize, transitions: usize) -> Instance {
    Instance { system, size, states, transitions }
}

const EAT: &[&str] = &["eat"];
const CRITICAL: &[&str] = &["enter", "exit"];
const WORK: &[&str] = &["work"];
const SEEN: &[&str] = &["seen"];

/// How the names of the actions of a network begin that stay visible where others are hidden.
pub(super) fn visible(network: &Instance) -> &'static [&'static str] {
    match network.system {
        System::Philosophers => EAT,
        System::Milner => WORK,
        System::Ring => CRITICAL,
        System::Random { .. } => SEEN,
    }
}

/// Sizes that differ by a factor of about six show how time and memory grow.
const JOBS: [Job; 23] = [
    job(network(System::Philosophers, 6, 46_656, 246_612), EAT, Equivalence::Branching, true),
    job(network(System::Philosophers, 7, 279_934, 1_726_256), EAT, Equivalence::Branching, true),
    job(network(System::Philosophers, 8, 1_679_616, 11_837_296), EAT, Equivalence::Branching, true),
    job(network(System::Milner, 16, 1_572_864, 13_369_344), WORK, Equivalence::Branching, true),
    job(network(System::Ring, 12, 73_728, 503_808), CRITICAL, Equivalence::Branching, true),
    job(network(System::Ring, 14, 344_064, 2_695_168), CRITICAL, Equivalence::Branching, true),
    job(network(System::Ring, 16, 1_572_864, 13_893_632), CRITICAL, Equivalence::Branching, true),
    job(network(System::Ring, 12, 73_728, 503_808), &[], Equivalence::Strong, true),
    job(network(System::Ring, 14, 344_064, 2_695_168), &[], Equivalence::Strong, true),
    job(network(System::Ring, 16, 1_572_864, 13_893_632), &[], Equivalence::Strong, true),
    job(network(System::Philosophers, 8, 1_679_616, 11_837_296), &[], Equivalence::Strong, true),
    job(network(System::Philosophers, 6, 46_656, 246_612), EAT, Equivalence::Weak, true),
    job(network(System::Philosophers, 7, 279_934, 1_726_256), EAT, Equivalence::Weak, false),
    job(network(System::Ring, 10, 15_360, 89_600), CRITICAL, Equivalence::Weak, true),
    job(network(System::Ring, 12, 73_728, 503_808), CRITICAL, Equivalence::Weak, false),
    job(network(System::Ring, 14, 344_064, 2_695_168), CRITICAL, Equivalence::Weak, false),
    job(network(System::Random { seed: 3 }, 5, 5_733, 36_453), SEEN, Equivalence::Weak, true),
    job(network(System::Random { seed: 5 }, 5, 5_857, 37_882), SEEN, Equivalence::Weak, true),
    job(network(System::Random { seed: 3 }, 6, 34_403, 276_472), SEEN, Equivalence::Weak, false),
    job(network(System::Random { seed: 5 }, 6, 42_768, 318_816), SEEN, Equivalence::Weak, false),
    job(network(System::Random { seed: 3 }, 7, 197_164, 1_835_427), SEEN, Equivalence::Weak, false),
    job(network(System::Random { seed: 5 }, 7, 213_840, 1_951_560), SEEN, Equivalence::Weak, false),
    job(network(System::Ring, 14, 344_064, 2_695_168), CRITICAL, Equivalence::WeakTrace, false),
];

/// How many random systems are compared.
const AGREEMENTS: usize = 3000;

/// The equivalences that merc has, by the names that its program here gives them.
const SHARED: [Equivalence; 4] =
    [Equivalence::Strong, Equivalence::Branching, Equivalence::DivergenceBranching, Equivalence::Weak];

pub(super) fn run(root: &Path) -> Result<()> {
    let rely = build(root)?;
    let merc = Merc::build(root);
    if let Err(error) = &merc {
        println!("merc cannot be built, measuring ours alone: {error:#}");
    }
    let merc = merc.ok();
    let folder = std::env::temp_dir().join(format!("rely-reductions-{}", std::process::id()));
    std::fs::create_dir_all(&folder).context("a folder for the systems")?;
    let done = compare_all(&rely, merc.as_ref(), &folder);
    std::fs::remove_dir_all(&folder).context("the folder of the systems")?;
    done
}

fn compare_all(rely: &Path, merc: Option<&Merc>, folder: &Path) -> Result<()> {
    if let Some(merc) = merc {
        agree(merc, folder)?;
    }
    println!(
        "{:<10}{:<12}{:>12}{:>11}  {:>18}{:>8}  {:>18}{:>8}  {:>7}{:>10}",
        "network",
        "equivalence",
        "transitions",
        "classes",
        "rely s (spread)",
        "MB",
        "merc s (spread)",
        "MB",
        "time ×",
        "memory ×"
    );
    JOBS.iter().try_for_each(|job| measure(job, rely, merc, folder))
}

/// Measures one reduction with us and with merc, in turns, and prints a line of the table.
fn measure(job: &Job, rely: &Path, merc: Option<&Merc>, folder: &Path) -> Result<()> {
    let file = folder.join("system.aut");
    write_system(&job.network, job.visible, rely, folder, &file)?;
    let merc = merc.filter(|_| job.merc_answers && SHARED.contains(&job.equivalence));
    let (mut ours, mut theirs): (Vec<Sample>, Vec<Sample>) = (Vec::new(), Vec::new());
    let mut classes = 0;
    for _ in 0..RUNS {
        let mut command = Command::new(rely);
        command.arg("minimise").arg(&file).args(["--equivalence", job.equivalence.name()]);
        let (sample, output) = measured(&command, folder)?;
        classes = states_in(&output).with_context(|| format!("rely printed {output}"))?;
        ours.push(sample);
        if let Some(merc) = merc {
            let (sample, output) = measured(&merc.command(job.equivalence, &file), folder)?;
            let theirs_classes: usize =
                output.trim().parse().with_context(|| format!("merc printed {output}"))?;
            ensure!(
                classes == theirs_classes,
                "{}: {classes} classes, merc has {theirs_classes}",
                job.network
            );
            theirs.push(sample);
        }
    }
    print_line(job, classes, &ours, &theirs);
    Ok(())
}

/// Writes the product of a network, with all but the visible actions hidden; all are visible if none are named.
pub(super) fn write_system(
    network: &Instance,
    visible: &[&str],
    rely: &Path,
    folder: &Path,
    file: &Path,
) -> Result<()> {
    let model = folder.join("system.lts");
    let mut text = network.fsp();
    if visible.is_empty() {
        text += "||HIDDEN = SYS.\n";
    } else {
        text += &format!("||HIDDEN = SYS @ {{{}}}.\n", visible.join(", "));
    }
    std::fs::write(&model, text)?;
    let mut compose = Command::new(rely);
    compose.arg("compose").arg(&model).args(["--target", "HIDDEN", "--output"]).arg(file);
    let (_, output) = measured(&compose, folder)?;
    let found = states_in(&output);
    ensure!(found == Some(network.states), "{network}: {found:?} states");
    Ok(())
}

/// The number before the word `states` in what rely prints.
fn states_in(output: &str) -> Option<usize> {
    let digits: String = output.chars().filter(|&c| c != ',').collect();
    let words: Vec<&str> = digits.split_whitespace().collect();
    let place = words.iter().position(|word| word.starts_with("state"))?;
    words[place.checked_sub(1)?].parse().ok()
}

fn print_line(job: &Job, classes: usize, ours: &[Sample], theirs: &[Sample]) {
    let rely = Summary::of(ours);
    let mut line = format!(
        "{:<10}{:<12}{:>12}{:>11}  {:>18}{:>8.1}",
        job.network.to_string(),
        job.equivalence.name(),
        job.network.transitions,
        classes,
        rely.seconds_with_spread(),
        rely.megabytes,
    );
    if !theirs.is_empty() {
        let merc = Summary::of(theirs);
        line += &format!(
            "  {:>18}{:>8.1}  {:>7.1}{:>10.1}",
            merc.seconds_with_spread(),
            merc.megabytes,
            merc.seconds / rely.seconds,
            merc.megabytes / rely.megabytes,
        );
    }
    println!("{line}");
}

/// Compares the numbers of classes of many random systems.
fn agree(merc: &Merc, folder: &Path) -> Result<()> {
    let systems: Vec<Lts> = (0..AGREEMENTS).map(|seed| random_system(seed as u64)).collect();
    let files = folder.join("random");
    std::fs::create_dir_all(&files)?;
    for (seed, lts) in systems.iter().enumerate() {
        let mut text = Vec::new();
        aut::write(lts, Spelling::CADP, &mut text).context("a system in .aut format")?;
        std::fs::write(files.join(format!("{seed}.aut")), text)?;
    }
    for equivalence in SHARED {
        let (_, output) = measured(&merc.command(equivalence, &files), folder)?;
        let theirs: Vec<usize> = output.lines().map(str::parse).collect::<Result<_, _>>()?;
        ensure!(theirs.len() == systems.len(), "merc has read {} systems", theirs.len());
        for (seed, (lts, theirs)) in systems.iter().zip(theirs).enumerate() {
            let ours = minimise(lts, equivalence, &Budget::UNLIMITED)?.state_count();
            ensure!(ours == theirs, "{equivalence:?}, seed {seed}: {ours} classes, merc has {theirs}");
        }
        println!("{AGREEMENTS} random systems: as many {} classes as merc", equivalence.name());
    }
    Ok(())
}

/// A system of up to 60 states, all of them reachable; of each three transitions about one is silent.
fn random_system(seed: u64) -> Lts {
    let mut random = Random::new(seed);
    let mut below = |n: usize| random.below(n);
    let states = 1 + below(60);
    let labels = [0, 0, 1, 2, 1, 3].map(Label::from_raw);
    let alphabet: Alphabet = ["a", "b", "c"].into_iter().collect();
    let mut builder = LtsBuilder::with_states(alphabet, states);
    for _ in 0..states + below(2 * states) {
        let [source, target] = [0; 2].map(|_| StateId::from_index(below(states)));
        builder.add_transition(source, labels[below(labels.len())], target);
    }
    operators::trim(&builder.build())
}

/// The program around merc's libraries.
struct Merc {
    program: PathBuf,
}

impl Merc {
    /// Writes the program and builds it; needs the network the first time.
    fn build(root: &Path) -> Result<Self> {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        let folder = root.join(target).join("bench-merc");
        std::fs::create_dir_all(folder.join("src"))?;
        std::fs::write(folder.join("Cargo.toml"), MANIFEST)?;
        std::fs::write(folder.join("src/main.rs"), PROGRAM)?;
        let mut cargo = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
        cargo.args(["build", "--release", "--target-dir", "target"]).current_dir(&folder);
        ensure!(cargo.status()?.success(), "merc cannot be built");
        Ok(Self { program: folder.join("target/release/bench-merc") })
    }

    /// The number of classes of a file, or of all the files of a folder.
    fn command(&self, equivalence: Equivalence, path: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(equivalence.name()).arg(path);
        command
    }
}

const MANIFEST: &str = r#"[package]
name = "bench-merc"
version = "0.1.0"
edition = "2024"

[workspace]

[dependencies]
merc_lts = "=2.0.0"
merc_reduction = "=2.0.0"
merc_utilities = "=2.0.0"

[profile.release]
lto = "thin"
codegen-units = 4
"#;

const PROGRAM: &str = r#"use merc_lts::{LTS, read_aut};
use merc_reduction::{Equivalence, reduce_lts};
use merc_utilities::Timing;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let equivalence = match arguments[1].as_str() {
        "strong" => Equivalence::StrongBisim,
        "branching" => Equivalence::BranchingBisim,
        "divergence-branching" => Equivalence::BranchingBisimDivergencePreserving,
        "weak" => Equivalence::WeakBisimSigref,
        other => panic!("no equivalence {other}"),
    };
    let path = std::path::Path::new(&arguments[2]);
    let count = if path.is_dir() { path.read_dir().unwrap().count() } else { 1 };
    for i in 0..count {
        let file = if path.is_dir() { path.join(format!("{i}.aut")) } else { path.to_owned() };
        let lts = read_aut(std::fs::File::open(file).unwrap()).unwrap();
        println!("{}", reduce_lts(lts, equivalence, true, &Timing::new()).num_of_states());
    }
}
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_found_in_the_output() {
        assert_eq!(states_in("SYS: 1,154 states, 5,968 transitions, 8 actions\n"), Some(1154));
        assert_eq!(states_in("SYS: 1 state, 0 transitions\n"), Some(1));
        assert_eq!(states_in("states"), None);
    }

    #[test]
    fn random_systems_are_trimmed_and_have_silent_steps() {
        let systems: Vec<Lts> = (0..50).map(random_system).collect();
        assert!(systems.iter().all(|lts| operators::trim(lts) == *lts));
        assert!(systems.iter().filter(|lts| lts.has_tau()).count() > 30);
    }
}
