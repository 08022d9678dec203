//! `draw --diagram`: what a text says, and not what comes of it.

use rely_base::{Budget, Diagnostic, Span};
use rely_model::Failure;

use crate::meaning::Meaning;
use crate::{Built, Failed, Project, explain};

/// The diagram of a target, or of a part of one: of the only target if none is named.
///
/// # Errors
/// When the language has no diagrams, the input has errors, there are several targets, or none with this name.
pub fn diagram(project: &Project, name: Option<&str>, budget: Budget<'_>) -> Result<Built, Failed> {
    let mut meaning = Meaning::of(project, budget);
    let name = match (name, &meaning.default_targets()[..]) {
        (Some(name), _) => name.to_owned(),
        (None, [only]) => only.clone(),
        (None, []) => return Err(Failed::Errors(meaning.findings())),
        (None, several) => return Err(Failed::Ambiguous(several.to_vec())),
    };
    match meaning.diagram(&name) {
        Some(Ok(diagram)) => Ok(Built {
            target: name,
            lts: diagram.graph,
            roles: None,
            states: Some(diagram.names),
            findings: meaning.findings(),
        }),
        Some(Err(Failure::Exhausted(exhausted))) => Err(Failed::Exhausted(exhausted, meaning.findings())),
        Some(Err(Failure::Errors)) => Err(Failed::Errors(meaning.findings())),
        None => {
            let message = "this language has no diagrams";
            let error = Diagnostic::error(explain::NO_DIAGRAM, Span::new(0, 0), message);
            meaning.report(error.with_help("leave out `--diagram`"));
            Err(Failed::Errors(meaning.findings()))
        }
    }
}
