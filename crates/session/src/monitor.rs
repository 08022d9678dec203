//! `monitor`: programs that check at run time whether an assumption is satisfied.

use rely_base::Budget;
pub use rely_monitor::Language;

use crate::meaning::Meaning;
use crate::{Built, DEFAULT, Failed, Project, build, doubts};

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
