//! The only table of the languages that rely reads. No other module names a front end.

use rely_base::Explanation;
use rely_fsp::Fsp;
/// Systems are written in FSP, whatever language they were read from.
pub(crate) use rely_fsp::{write, write_interface, write_property};
use rely_messages::Messages;
use rely_model::{FrontEnd, Reading, SystemFiles};
use rely_reactive::Reactive;
use rely_tasks::{QreFiles, Tasks};

/// Languages, each known by the endings of its files.
#[derive(Clone)]
pub struct Languages {
    /// A file whose ending belongs to none of them is read by the first.
    front_ends: Vec<&'static dyn FrontEnd>,
}

impl Languages {
    /// All languages that rely reads.
    pub fn all() -> Self {
        Self { front_ends: vec![&Fsp, &SystemFiles, &Tasks, &QreFiles, &Reactive, &Messages] }
    }

    /// These languages and another one.
    #[must_use]
    pub fn with(mut self, front_end: &'static dyn FrontEnd) -> Self {
        self.front_ends.push(front_end);
        self
    }

    /// Reads a file in the language that its name indicates.
    pub(crate) fn read(&self, name: &str, bytes: &[u8]) -> Reading {
        let ending = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        let is_meant = |front_end: &&&dyn FrontEnd| front_end.endings().contains(&ending.as_str());
        let front_end = self.front_ends.iter().find(is_meant).unwrap_or(&self.front_ends[0]);
        front_end.read(name, bytes)
    }

    /// Whether files with this ending, in lower case, are models in one of these languages.
    pub fn has_ending(&self, ending: &str) -> bool {
        self.front_ends.iter().any(|front_end| front_end.endings().contains(&ending))
    }

    /// The explanations of the codes of all languages.
    pub(crate) fn explanations(&self) -> Vec<Explanation> {
        self.front_ends.iter().flat_map(|front_end| front_end.explanations()).collect()
    }
}
