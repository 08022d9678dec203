//! `cargo xtask bench`: our time and memory against a peer's, on the same input, in one run.

use std::path::Path;

use anyhow::{Result, bail};

pub(crate) fn run(_root: &Path, _arguments: &[&str]) -> Result<()> {
    bail!("no benchmark is defined yet")
}
