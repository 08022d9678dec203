//! `rely completions` and `rely man`

use anyhow::Context as _;
use clap::CommandFactory;

use crate::args::{Cli, Completions, Man};
use crate::context::{Context, Exit, print_text};

pub(crate) fn completions(context: &Context, verb: &Completions) -> anyhow::Result<Exit> {
    super::check_no_json(context, "a script is no answer")?;
    let mut script = Vec::new();
    clap_complete::generate(verb.shell, &mut Cli::command(), "rely", &mut script);
    print_text(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Success)
}

pub(crate) fn man(verb: &Man) -> anyhow::Result<Exit> {
    std::fs::create_dir_all(&verb.folder)
        .with_context(|| format!("cannot create {}", verb.folder.display()))?;
    clap_mangen::generate_to(Cli::command(), &verb.folder)
        .with_context(|| format!("cannot write to {}", verb.folder.display()))?;
    Ok(Exit::Success)
}
