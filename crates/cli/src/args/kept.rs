//! The arguments that say where results are kept.

use std::path::PathBuf;

use clap::Args;

/// Results of earlier runs.
#[derive(Args, Debug)]
pub(crate) struct Kept {
    /// Keep results in this folder, and use those that are there; the user's cache folder if none is given
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    pub(crate) cache: Option<PathBuf>,

    /// Believe what the folder holds without checking it again: nobody else can write to it
    #[arg(long, conflicts_with = "no_cache")]
    pub(crate) trust_cache: bool,

    /// Neither keep results nor use those of earlier runs
    #[arg(long)]
    pub(crate) no_cache: bool,
}

impl Kept {
    /// Whether something is asked for that only makes sense where results are kept.
    pub(crate) fn is_wanted(&self) -> bool {
        self.cache.is_some() || self.trust_cache
    }
}
