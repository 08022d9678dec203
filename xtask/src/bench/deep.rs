//! `cargo xtask bench deep`: how soon a hunt finds mistakes that lie deep.
//!
//! Ten mistakes are seeded into families, one into each: a participant too few, a message taken twice, a token kept. Each is hunted
//! at the largest size of its family with five seeds, and asked for with `rely verify` as users do. More than ten seconds of
//! processor time for any of them is a failure. No setting of the hunt was chosen by looking at these mistakes.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use rely_base::Budget;
use rely_explore::{Hunt, Product};
use rely_lts::Network;
use rely_session::Project;
use serde_json::Value;

use super::build;
use super::measure::{cpu_milliseconds, measured_with};

/// A mistake in a family.
struct Mistake {
    family: &'static str,
    property: &'static str,
    size: i32,
    /// A size at which it is there and quickly found.
    small: i32,
    right: &'static str,
    wrong: &'static str,
}

const SEEDS: std::ops::RangeInclusive<u64> = 1..=5;

/// The most seconds that a mistake may take.
const MOST: f64 = 10.0;

/// The work after which a hunt is given up, in transitions.
const WORK: usize = 1 << 26;

const MISTAKES: [Mistake; 10] = [
    Mistake {
        family: "two-phase-commit",
        property: "ATOMIC",
        size: 25,
        small: 3,
        right: "COMMIT[i:P] = (commit[i] -> if i < N then COMMIT[i+1] else",
        wrong: "COMMIT[i:P] = (commit[i] -> if i < N-1 then COMMIT[i+1] else if i < N then ABORT[i+1] else",
    },
    Mistake {
        family: "three-phase-commit",
        property: "ALL_KNOW",
        size: 16,
        small: 3,
        right: "(confirm[i] -> if i < N then",
        wrong: "(confirm[i] -> if i < N-1 then",
    },
    Mistake {
        family: "ring",
        property: "MUTEX",
        size: 48,
        small: 4,
        right: "PASSING = (token[(I+1)%N] -> IDLE)",
        wrong: "PASSING = (token[(I+1)%N] -> if I == N-2 then HOLDING else IDLE)",
    },
    Mistake {
        family: "pipeline",
        property: "ALTERNATE",
        size: 20,
        small: 4,
        right: "work[I] -> d[I+1][b] -> STAGE)",
        wrong: "work[I] -> if I == N-1 then (d[I+1][1-b] -> STAGE) else (d[I+1][b] -> STAGE))",
    },
    Mistake {
        family: "hops",
        property: "CAPACITY",
        size: 10,
        small: 2,
        right: "if c == b then (item[I+1]",
        wrong: "if c == b || I == N-1 then (item[I+1]",
    },
    Mistake {
        family: "barrier",
        property: "ALL_HAVE_COME",
        size: 16,
        small: 3,
        right: "when (n == N) open -> GO[1]",
        wrong: "when (n >= N-1) open -> GO[1]",
    },
    Mistake {
        family: "philosophers",
        property: "ROOM",
        size: 14,
        small: 3,
        right: "H[n:0..N-1] = (when (n < N-1) sit[P]",
        wrong: "H[n:0..N] = (when (n < N) sit[P]",
    },
    Mistake {
        family: "cyclers",
        property: "IN_TURN",
        size: 24,
        small: 4,
        right: "LATE    = (end[I] -> READY)",
        wrong: "LATE    = (end[I] -> if I == N-1 then PASS else READY)",
    },
    Mistake {
        family: "tree",
        property: "ALONE",
        size: 12,
        small: 2,
        right: "UP_CHILD = (request[I] -> grant[I] -> grant[I+1] -> release[I+1] -> release[I] -> ARBITER)",
        wrong: "UP_CHILD = (request[I] -> grant[I] -> grant[I+1] -> if I == N-1 then (release[I] -> release[I+1] -> ARBITER) \
                else (release[I+1] -> release[I] -> ARBITER))",
    },
    Mistake {
        family: "saga",
        property: "OPPOSITE_ORDER",
        size: 14,
        small: 3,
        right: "failed[i] -> if i > 1 then UNDO[i-1]",
        wrong: "failed[i] -> if i == N && i > 2 then UNDO[i-2] else if i > 1 then UNDO[i-1]",
    },
];

impl Mistake {
    /// The family with the mistake, and a composite of it with the property.
    fn text(&self, root: &Path) -> Result<String> {
        let file = root.join("models/families").join(format!("{}.lts", self.family));
        let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let parts: Vec<&str> = text.split(self.right).collect();
        let [before, after] = parts[..] else { bail!("{}: not once: {}", self.family, self.right) };
        // What the family expects is not true any more.
        let text: String = format!("{before}{}{after}", self.wrong)
            .lines()
            .filter(|line| !line.starts_with("//! expect"))
            .flat_map(|line| [line, "\n"])
            .collect();
        Ok(format!("{text}||WATCHED = (SYSTEM || {}).\n", self.property))
    }

    fn network(&self, root: &Path, size: i32) -> Result<Network> {
        let text = self.text(root)?;
        let mut project =
            Project::new("family.lts", text, Box::new(|_| Err("a family imports nothing".to_owned())));
        ensure!(project.define("N", size), "a family has a size");
        let target = rely_session::target(&project, Some("WATCHED"), Budget::UNLIMITED).ok();
        let target = target.with_context(|| format!("{}: the mistake is no model", self.family))?;
        target.behaviour.as_network().cloned().context("a network")
    }
}

/// How many steps the run takes that a hunt has found, and how many states it held.
fn hunted(network: &Network, seed: u64) -> Option<(usize, usize)> {
    let product = Product::transparent(network);
    let mut hunt = Hunt::new(&product, seed);
    let prey = hunt.run_for(WORK, &Budget::UNLIMITED).ok().flatten()?;
    Some((prey.path.len() + 1, hunt.states()))
}

/// With the program that users run, or with another one.
pub(super) fn run(root: &Path, program: Option<&Path>) -> Result<()> {
    let rely = match program {
        Some(program) => program.to_owned(),
        None => build(root)?,
    };
    let folder = std::env::temp_dir().join(format!("rely-deep-{}", std::process::id()));
    std::fs::create_dir_all(&folder).context("a folder for the models")?;
    let done = MISTAKES.iter().try_for_each(|mistake| measure(mistake, root, &rely, &folder));
    std::fs::remove_dir_all(&folder).context("the folder of the models")?;
    done
}

fn measure(mistake: &Mistake, root: &Path, rely: &Path, folder: &Path) -> Result<()> {
    let Mistake { family, property, size, .. } = mistake;
    let is_there = hunted(&mistake.network(root, mistake.small)?, 1).is_some();
    ensure!(is_there, "{family}: the mistake is not there at size {}", mistake.small);
    let network = mistake.network(root, *size)?;
    let mut found = Vec::new();
    for seed in SEEDS {
        let start = cpu_milliseconds();
        let (steps, states) =
            hunted(&network, seed).with_context(|| format!("{family}, seed {seed}: nothing found"))?;
        let seconds = (cpu_milliseconds() - start) / 1e3;
        ensure!(seconds < MOST, "{family}, seed {seed}: {seconds:.1} s");
        found.push(format!("{steps} steps, {states} states, {seconds:.2} s"));
    }
    let model = folder.join("model.lts");
    std::fs::write(&model, mistake.text(root)?).context("the model")?;
    let mut verify = Command::new(rely);
    verify.arg("verify").arg(&model).args([
        "--system",
        "SYSTEM",
        "--property",
        property,
        "--no-cache",
        "--json",
    ]);
    verify.args(["--define", &format!("N={size}"), "--timeout", "10s", "--jobs", "1"]);
    let (sample, output) = measured_with(&verify, folder, &[1, 4])?;
    let report: Value = serde_json::from_str(&output).context("the report")?;
    let result = report.pointer("/results/0").context("a result")?;
    let verdict = result.get("verdict").and_then(Value::as_str).unwrap_or_default();
    let strategy = result.get("strategy").and_then(Value::as_str).unwrap_or_default();
    ensure!(verdict == "violated", "{family}: `rely verify` does not find it");
    println!("| {family} {property} {size} | {} | {:.2} s ({strategy}) |", found.join(" | "), sample.seconds);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_found_with_every_seed_where_systems_are_small() {
        let root = crate::root();
        for mistake in &MISTAKES {
            let network = mistake.network(&root, mistake.small).unwrap();
            for seed in SEEDS {
                assert!(hunted(&network, seed).is_some(), "{}, seed {seed}", mistake.family);
            }
        }
    }
}
