//! `rely verify -o`: the assumptions of the proofs, each in a file of its own.

use std::path::{Path, PathBuf};

use rely_session::{Argument, AssumptionShown, Built, Explanation};

use crate::context::Context;
use crate::verbs::assume::Destination;

/// Writes every assumption. One goes to the path itself; of several, each has its number before the ending.
pub(super) fn save(context: &Context, path: &Path, explanations: &[Explanation]) -> anyhow::Result<()> {
    let all: Vec<(&Explanation, &AssumptionShown)> = explanations
        .iter()
        .flat_map(|explanation| assumptions(&explanation.argument).iter().map(move |one| (explanation, one)))
        .collect();
    if all.is_empty() {
        context.remark(format_args!("{} is not written: no proof has an assumption", path.display()));
    }
    for (number, (explanation, assumption)) in all.iter().enumerate() {
        let path = if all.len() == 1 { path.to_owned() } else { numbered(path, number + 1) };
        let target = format!("ASSUMPTION{}", number + 1);
        let built = Built {
            target,
            lts: assumption.lts.as_ref().clone(),
            roles: assumption.roles.clone(),
            states: None,
            findings: Vec::new(),
        };
        Destination::of(&path)?.save(context, &built)?;
        context.remark(format_args!(
            "{}: {} of the proof of {}: {}",
            path.display(),
            assumption.name,
            explanation.property,
            assumption.between
        ));
    }
    Ok(())
}

/// The assumptions of a proof; none where the answer rests on something else.
fn assumptions(argument: &Argument) -> &[AssumptionShown] {
    match argument {
        Argument::Rule(proof) => &proof.assumptions,
        Argument::Reduction { proof: Some(proof), .. } => &proof.assumptions,
        _ => &[],
    }
}

/// A path with a number before its ending.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{number}.{ending}"))
}
