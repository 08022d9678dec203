//! The arguments that say which reports a system for continuous integration gets.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Debug)]
pub(crate) struct Reports {
    /// Write a report in JUnit's format: a case for each question
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,

    /// Write a report in SARIF, with traces as code flows: what was found in the text, and each question that does not pass
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<PathBuf>,

    /// Append a summary in Markdown, with a table for each trace: on GitHub, `--summary "$GITHUB_STEP_SUMMARY"`
    #[arg(long, value_name = "FILE")]
    pub(crate) summary: Option<PathBuf>,

    /// Print annotations as GitHub reads them, for each finding and each question that does not pass
    #[arg(long, conflicts_with = "json")]
    pub(crate) annotations: bool,
}
