//! `monitor`: programs that check at run time whether assumptions and properties are satisfied.

use rely_base::{Budget, Code};
pub use rely_harness::Mapping;
use rely_harness::{Part, watch_of};
pub use rely_monitor::Language;

use crate::meaning::Meaning;
use crate::report::Finding;
use crate::{Built, DEFAULT, Failed, Project, build, doubts};

/// A language cannot hold a watch.
const NO_WATCH: Code = Code("E0274");

/// The system in a file that contains an assumption: the process or composite with a name, or the only one.
///
/// Unlike in other commands, several processes are not composed if none is named: their composition would be another
/// assumption, and hardly the intended one.
///
/// # Errors
/// When the input has errors, a limit is met, or it is not clear which of several is meant.
pub fn build_single(project: &Project, target: Option<&str>, budget: Budget<'_>) -> Result<Built, Failed> {
    let meaning = Meaning::of(project, budget);
    let names = meaning.all_targets();
    let is_together = meaning.default_targets() == [DEFAULT] && names.len() > 1;
    match target.is_none() && is_together && !meaning.has_errors() {
        true => Err(Failed::Ambiguous(names)),
        false => {
            let mut built = build(project, target, None, budget)?;
            built.findings.extend(doubts::of_its_file(project, &built.target, &built.lts, budget));
            Ok(built)
        }
    }
}

/// The text of a monitor for a target that was built.
///
/// # Errors
/// When the target cannot be monitored; the text says why, and what to do.
pub fn monitor(built: &Built, language: Language) -> Result<String, String> {
    rely_monitor::generate(language, &built.target, &built.lts).map_err(|reason| reason.to_string())
}

/// The name for the file of a monitor that its language requires.
pub fn monitor_file(built: &Built, language: Language) -> String {
    rely_monitor::file_name(language, &built.target)
}

/// The text of a watch: assumptions and a property that see each event in one atomic step, the assumptions first. The mapping,
/// a file that is given for its places, says which event is which action.
///
/// # Errors
/// What is wrong with the mapping, or with what is to be watched.
pub fn watch(
    property: &Built,
    assumptions: &[Built],
    mapping: &Mapping,
    mapping_file: &Project,
    language: Language,
) -> Result<String, Vec<Finding>> {
    let part = |built: &Built| Part { name: built.target.clone(), lts: built.lts.clone() };
    let assumed: Vec<Part> = assumptions.iter().map(part).collect();
    let (input, found) = watch_of(&property.target, mapping, &assumed, &[part(property)]);
    let Some(input) = input else {
        return Err(found.iter().map(|it| Finding::new(mapping_file, it)).collect());
    };
    rely_monitor::generate_watch(language, &input).map_err(|reason| {
        vec![Finding::about(mapping_file.name(), NO_WATCH, &format!("{}: {reason}", property.target))]
    })
}

/// The name that the file of a watch should have, as its language wants it.
pub fn watch_file(property: &Built, language: Language) -> String {
    rely_monitor::watch_file_name(language, &property.target)
}
