//! `cargo xtask bench reactive`: what assumptions do for the components of the steam boiler, and what finding them costs.
//!
//! - `story`: each component of the boiler with one pump, alone, under no assumptions, those of the text, those that are mined,
//!   and both: how many properties hold, how many alarms are false, and what it takes, us and SPIN. Names of components behind
//!   it choose some of them.
//! - `whole`: the boiler as a whole, us and SPIN, for as many states as fit.
//! - `mining`: mining beside a pass that only collects distinct valuations, and beside Apriori as in mlxtend, if that is
//!   installed; how it grows; rules with a past; and the short cut of the literature.
//!
//! Times are processor times of one run of one thread. Ours are taken inside of this program.

mod apriori;
mod mining;
mod pan;
mod story;

use std::path::Path;

use anyhow::{Context, Result, bail};
use rely_reactive::Elaborator;
use rely_reactive::system::System;

use self::pan::Pan;

pub(crate) fn run(root: &Path, parts: &[&str]) -> Result<()> {
    let all = ["story", "whole", "mining"];
    let components: Vec<&str> =
        parts.iter().copied().filter(|part| story::COMPONENTS.contains(part)).collect();
    let is_known = |part: &&&str| all.contains(*part) || story::COMPONENTS.contains(*part);
    if let Some(part) = parts.iter().find(|part| !is_known(part)) {
        bail!("there is no `{part}` in the bench of reactive machines, but: {}", all.join(", "));
    }
    let folder = std::env::temp_dir().join(format!("rely-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).context("a folder for programs in Promela")?;
    let pan = Pan::find(&folder);
    if pan.is_none() {
        println!("SPIN is not installed and cannot be: measuring ours alone");
    }
    let done = measure(root, parts, &components, (&folder, pan.as_ref()));
    std::fs::remove_dir_all(&folder).context("the folder of the programs")?;
    done
}

/// Measures the parts that are named, or all, for the components that are named, or all.
fn measure(
    root: &Path,
    parts: &[&str],
    components: &[&str],
    (folder, pan): (&Path, Option<&Pan>),
) -> Result<()> {
    let is_wanted = |part| parts.is_empty() || parts.contains(&part);
    if is_wanted("story") {
        let chosen = if components.is_empty() { &story::COMPONENTS[..] } else { components };
        story::components(root, chosen, pan)?;
    }
    if is_wanted("whole") {
        story::whole(root, pan)?;
    }
    if is_wanted("mining") {
        mining::run(root, folder)?;
    }
    Ok(())
}

/// The text of a model.
fn text(root: &Path, name: &str) -> Result<String> {
    let path = root.join("models").join(name);
    std::fs::read_to_string(&path).with_context(|| path.display().to_string())
}

/// The elaborated text of a model, and its only system.
fn elaborated(text: &str) -> Result<(Elaborator, System)> {
    let parse = rely_reactive::parse(text);
    let elaborator = Elaborator::new(parse.file());
    let system = elaborator.systems().next().cloned().context("a system without errors")?;
    Ok((elaborator, system))
}
