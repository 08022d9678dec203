//! Every state and transition of a product by explicit search: rely on one core and on two, and SPIN without reduction.
//!
//! On one core, processor time is compared; on two, the time on the clock, which means something only while nothing else
//! runs. A ratio is that of two runs that followed each other; printed are the median and the extremes.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::RUNS;
use super::measure::{Sample, measured, median};
use super::networks::{Instance, System};
use super::spin::{self, Spin};

/// What is explored: several sizes of each, to see how time and memory grow.
const INSTANCES: [Instance; 8] = [
    Instance { system: System::Philosophers, size: 6, states: 46_656, transitions: 246_612 },
    Instance { system: System::Philosophers, size: 7, states: 279_934, transitions: 1_726_256 },
    Instance { system: System::Philosophers, size: 8, states: 1_679_616, transitions: 11_837_296 },
    Instance { system: System::Milner, size: 14, states: 344_064, transitions: 2_580_480 },
    Instance { system: System::Milner, size: 16, states: 1_572_864, transitions: 13_369_344 },
    Instance { system: System::Ring, size: 14, states: 344_064, transitions: 2_695_168 },
    Instance { system: System::Ring, size: 16, states: 1_572_864, transitions: 13_893_632 },
    Instance { system: System::Ring, size: 18, states: 7_077_888, transitions: 69_599_232 },
];

/// What takes longer than the peer can wait for: measured alone, once, on two cores.
const LARGE: [Instance; 2] = [
    Instance { system: System::Philosophers, size: 9, states: 10_077_694, transitions: 79_901_712 },
    Instance { system: System::Philosophers, size: 10, states: 60_466_176, transitions: 532_678_220 },
];

/// Up to this many states SPIN is run as well.
const PEER: usize = 2_000_000;

/// Runs everything, in a folder that is there already.
pub(super) fn run(rely: &Path, spin: Option<&Spin>, folder: &Path) -> Result<()> {
    println!(
        "{:<10}{:>12}{:>13} {:>8}{:>8}{:>8}{:>9}{:>9}  {:>20}  {:>20}",
        "network",
        "states",
        "transitions",
        "1 core s",
        "2 cores",
        "B/state",
        "SPIN s",
        "SPIN MB",
        "ratio on 1 core",
        "ratio on 2 cores"
    );
    for instance in &INSTANCES {
        compare(instance, rely, spin.filter(|_| instance.states <= PEER), folder)?;
    }
    for instance in &LARGE {
        let model = write(instance, folder)?;
        let two = ours(instance, rely, &model, folder, 2)?;
        println!(
            "{:<10}{:>12}{:>13} {:>8}{:>8.2}{:>8.1}",
            instance.to_string(),
            instance.states,
            instance.transitions,
            "",
            two.elapsed,
            per_state(&two, instance),
        );
    }
    Ok(())
}

/// Measures one network with us and with the peer, in turns, and prints a line of the table.
fn compare(instance: &Instance, rely: &Path, spin: Option<&Spin>, folder: &Path) -> Result<()> {
    let model = write(instance, folder)?;
    let verifier = spin.map(|spin| spin.verifier(instance, folder)).transpose()?;
    let (mut ones, mut twos, mut theirs): (Vec<Sample>, Vec<Sample>, Vec<Sample>) = Default::default();
    for _ in 0..RUNS {
        ones.push(ours(instance, rely, &model, folder, 1)?);
        twos.push(ours(instance, rely, &model, folder, 2)?);
        if let Some(verifier) = &verifier {
            let (sample, output) = measured(&verifier.command(instance), folder)?;
            spin::check(instance, &output)?;
            theirs.push(sample);
        }
    }
    let mut line = format!(
        "{:<10}{:>12}{:>13} {:>8.2}{:>8.2}{:>8.1}",
        instance.to_string(),
        instance.states,
        instance.transitions,
        median(ones.iter().map(|sample| sample.seconds)),
        median(twos.iter().map(|sample| sample.elapsed)),
        per_state(&ones[0], instance),
    );
    if !theirs.is_empty() {
        let alone = theirs.iter().zip(&ones).map(|(theirs, ours)| theirs.seconds / ours.seconds);
        let together = theirs.iter().zip(&twos).map(|(theirs, ours)| theirs.elapsed / ours.elapsed);
        line += &format!(
            "{:>9.2}{:>9.0}  {:>20}  {:>20}",
            median(theirs.iter().map(|sample| sample.seconds)),
            median(theirs.iter().map(|sample| sample.megabytes)),
            spread(alone.collect()),
            spread(together.collect()),
        );
    }
    println!("{line}");
    Ok(())
}

fn write(instance: &Instance, folder: &Path) -> Result<std::path::PathBuf> {
    let model = folder.join(format!("{instance}.lts"));
    std::fs::write(&model, instance.fsp()).context("a network")?;
    Ok(model)
}

/// One run of ours: of philosophers, who deadlock, all states are counted; of the others, deadlock is checked.
fn ours(instance: &Instance, rely: &Path, model: &Path, folder: &Path, cores: usize) -> Result<Sample> {
    let mut command = Command::new(rely);
    match instance.system {
        System::Philosophers => command.arg("compose"),
        System::Milner | System::Ring | System::Random { .. } => {
            command.args(["check", "--no-reduction", "--only", "deadlock"])
        }
    };
    command.arg(model).args(["--target", "SYS", "--verbose", "--jobs", &cores.to_string()]);
    let (sample, output) = measured(&command, folder)?;
    check_ours(instance, &output)?;
    Ok(sample)
}

/// Fails when we have not counted what is known to be there.
fn check_ours(instance: &Instance, output: &str) -> Result<()> {
    let digits: String = output.chars().filter(|&c| c != ',' && c != '(').collect();
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

fn per_state(sample: &Sample, instance: &Instance) -> f64 {
    sample.megabytes * 1e6 / instance.states as f64
}

/// The median with the least and the greatest.
fn spread(mut values: Vec<f64>) -> String {
    values.sort_by(f64::total_cmp);
    format!("{:.1} ({:.1}–{:.1})", median(values.iter().copied()), values[0], values[values.len() - 1])
}
