//! `monitor`: programs that watch whether an assumption is kept.

pub use rely_monitor::Language;

use crate::Built;

/// The text of a monitor for a target that was built.
///
/// # Errors
/// When the target cannot be monitored; the text says why, and what can be done.
pub fn monitor(built: &Built, language: Language) -> Result<String, String> {
    rely_monitor::generate(language, &built.target, &built.lts).map_err(|reason| reason.to_string())
}

/// The name that the file of a monitor should have, as its language wants it.
pub fn monitor_file(built: &Built, language: Language) -> String {
    rely_monitor::file_name(language, &built.target)
}
