//! `cargo xtask long CORPUS`: what takes too long for `ci`, run to its end.

use std::path::Path;

use anyhow::Result;

use crate::misspell::{self, Extent};

pub(crate) fn run(root: &Path, corpus: &Path) -> Result<()> {
    misspell::run(&[&corpus.join("models"), &root.join("models")], Extent::Everything)
}
