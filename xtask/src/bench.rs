//! `cargo xtask bench [explore | reductions | growth | families [NAME…] | learners [FOLDER] | deep | composed |
//! near-error [CORPUS] | reactive [PART…]]`: our time and memory against a peer's, on the same input, in one run; how both
//! grow; how the strategies of `verify` compare on families of systems; how soon a hunt finds mistakes that lie deep; what
//! proofs from parts save; what asking for progress beside an error costs; and what assumptions do for reactive components.
//!
//! Absolute times say little about another machine on another day; ratios within one run do. So every run of ours is
//! followed by one of the peer, several times over, and what is printed is medians, their spread, and ratios.

mod assumptions;
mod composed;
mod deep;
mod exploration;
mod families;
mod growth;
mod learners;
pub(crate) mod measure;
mod near_error;
pub(crate) mod networks;
mod random;
mod reactive;
mod reductions;
mod spin;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use self::spin::Spin;

/// How often each program is run on each network.
const RUNS: usize = 3;

pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<()> {
    match arguments {
        [] | ["explore"] => explore(root),
        ["reductions"] => reductions::run(root),
        ["growth"] => growth::run(root, None),
        ["growth", "--draw"] => growth::draw(root),
        ["growth", program] => growth::run(root, Some(Path::new(program))),
        ["learners"] => assumptions::run(root, None),
        ["learners", "--program", program] => assumptions::run(root, Some(Path::new(program))),
        ["learners", folder] => learners::run(Path::new(folder)),
        ["families", rest @ ..] => families::run(root, rest),
        ["deep"] => deep::run(root, None),
        ["deep", "--program", program] => deep::run(root, Some(Path::new(program))),
        ["composed"] => composed::run(root),
        ["near-error"] => near_error::run(None),
        ["near-error", corpus] => near_error::run(Some(Path::new(corpus))),
        ["reactive", parts @ ..] => reactive::run(root, parts),
        _ => bail!(
            "usage: cargo xtask bench [explore | reductions | growth [--draw | PROGRAM] | families [--draw | --program PROGRAM] \
             [--instructions] [NAME…] | \
             learners [FOLDER] | deep | composed | near-error [CORPUS] | reactive [story] [whole] [mining]]"
        ),
    }
}

/// Every state and transition of a product by explicit search.
fn explore(root: &Path) -> Result<()> {
    let rely = build(root)?;
    let spin = Spin::find();
    if spin.is_none() {
        println!("SPIN is not installed and cannot be: measuring ours alone");
    }
    let folder = std::env::temp_dir().join(format!("rely-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).context("a folder for the networks")?;
    let done = exploration::run(&rely, spin.as_ref(), &folder);
    std::fs::remove_dir_all(&folder).context("the folder of the networks")?;
    done
}

/// Builds what users run, and these commands with it: built alone, each would need some dependencies with other features,
/// and everything that rests on them twice.
pub(crate) fn build(root: &Path) -> Result<PathBuf> {
    let mut cargo = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    let arguments = ["build", "--release", "--quiet", "--package", "rely-cli", "--package", "xtask"];
    let status = cargo.args(arguments).current_dir(root).status()?;
    ensure!(status.success(), "rely cannot be built");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(root.join(target).join("release").join("rely"))
}
