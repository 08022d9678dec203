//! `draw --flow`: the flow graph of a program, or the control flow of one of its tasks, with places in the text.

use rely_base::{Budget, Diagnostic, Span};
use rely_lts::operators::{Relabelling, relabel};
use rely_model::{Failure, FlowSlice, Naming};

use crate::meaning::Meaning;
use crate::report::SizeResult;
use crate::{Built, Failed, Project, explain};

/// The flow graph of a target, or the control flow of one of its parts if a part is named. The edges into a node are
/// labelled with what happens there, and with the lines.
///
/// # Errors
/// When the language has no flow models, the input has errors, or a limit is met.
pub fn flow_graph(project: &Project, name: Option<&str>, budget: Budget<'_>) -> Result<Built, Failed> {
    let mut meaning = Meaning::of(project, budget);
    if !meaning.has_flow() {
        let message = "this language has no flow models";
        let error = Diagnostic::error(explain::NO_FLOW, Span::new(0, 0), message);
        meaning.report(error.with_help("leave out `--flow`"));
        return Err(Failed::Errors(meaning.findings()));
    }
    let Some(target) = meaning.default_targets().into_iter().next() else {
        return Err(Failed::Errors(meaning.findings()));
    };
    let shown = meaning.shown_names();
    let built = meaning.flow(&target).and_then(|model| {
        let parts = meaning.target(&target)?.behaviour;
        let part = name.map(|name| parts.components().iter().position(|it| it.name == name.to_lowercase()));
        match part {
            Some(None) if name != Some(&target) => Ok(Err(())),
            part => {
                let all = model.slice(&model.threads(), &budget).map_err(Failure::Exhausted)?;
                Ok(Ok(with_places(&*all, part.flatten(), project, &shown)))
            }
        }
    });
    match built {
        Ok(Ok(lts)) => {
            let target = name.unwrap_or(&target).to_owned();
            Ok(Built { target, lts, roles: None, states: None, findings: meaning.findings() })
        }
        Ok(Err(())) => {
            let message = format!("there is no task `{}`", name.unwrap_or_default());
            meaning.report(Diagnostic::error(explain::NO_SUCH_PART, Span::new(0, 0), message));
            Err(Failed::Errors(meaning.findings()))
        }
        Err(Failure::Errors) => Err(Failed::Errors(meaning.findings())),
        Err(Failure::Exhausted(exhausted)) => {
            let size = SizeResult::unfinished(&target, &exhausted);
            Err(Failed::Unfinished(Box::new(size), meaning.findings()))
        }
    }
}

/// The graph with events and lines instead of the names of nodes.
fn with_places(
    model: &dyn FlowSlice,
    part: Option<usize>,
    project: &Project,
    naming: &Naming,
) -> rely_lts::Lts {
    let graph = model.graph(part);
    let mut relabelling = Relabelling::new();
    for event in (0..model.node_count()).filter_map(|node| model.event(node)) {
        let line = |&(_, span): &(usize, Span)| project.place(span).line.to_string();
        let lines: Vec<String> = event.places.iter().map(line).collect();
        let label = format!("{} ({})", naming.shown(&event.action), lines.join(", "));
        relabelling.add(label, event.node);
    }
    relabel(&graph, &relabelling)
}
