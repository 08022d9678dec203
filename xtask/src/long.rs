//! `cargo xtask long CORPUS`: what takes too long for `ci`, run to its end. It takes about an hour on two cores.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::misspell::{self, Extent};

/// Random tests with more seeds than in `ci`: the package, the test or its filter, and how many times the seeds. For what the
/// judge must never accept that makes about a million systems.
const RANDOM: [(&str, &[&str], usize); 7] = [
    ("rely-assume", &["--test", "claims"], 667),
    ("rely-assume", &["--test", "forger"], 167),
    ("rely-interface", &["--test", "forger"], 170),
    ("rely-decide", &["--lib", "certify::tests::forger"], 25),
    ("rely-session", &["--test", "failures"], 100),
    // Every family by every strategy.
    ("rely-session", &["--test", "families"], 6),
    // Ada programs that are compiled by GNAT and run.
    ("rely-tasks", &["--test", "gnat"], 12),
];

pub(crate) fn run(root: &Path, corpus: &Path) -> Result<()> {
    misspell::run(&[&corpus.join("models"), &root.join("models")], Extent::Everything)?;
    crate::studies::run(root, true)?;
    for (package, test, times) in RANDOM {
        println!("long: {package} {}, {times} times the seeds", test.join(" "));
        let status = Command::new(env!("CARGO"))
            .args(["test", "--release", "--quiet", "--package", package])
            .args(test)
            .args(["--", "--nocapture"])
            .env("SEEDS_TIMES", times.to_string())
            .current_dir(root)
            .status()
            .context("it does not start")?;
        ensure!(status.success(), "{package} {} failed", test.join(" "));
    }
    Ok(())
}
