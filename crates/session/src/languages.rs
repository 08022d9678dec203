//! The one table of the languages that rely reads. Nothing else names a front end.

use rely_base::Explanation;
use rely_fsp::Fsp;
/// Whatever language a system was read from, it is written down in FSP.
pub(crate) use rely_fsp::{write, write_interface, write_property};
use rely_messages::Messages;
use rely_model::{FrontEnd, Reading, SystemFiles};
use rely_reactive::Reactive;
use rely_tasks::{QreFiles, Tasks};

/// Languages, each known by the endings of its files.
#[derive(Clone)]
pub struct Languages {
    /// A file with an ending that none of them has is read by the first.
    front_ends: Vec<&'static dyn FrontEnd>,
}

impl Languages {
    /// All languages that rely reads.
    pub fn all() -> Self {
        Self { front_ends: vec![&Fsp, &SystemFiles, &Tasks, &QreFiles, &Reactive, &Messages] }
    }

    /// The same languages and another one.
    #[must_use]
    pub fn with(mut self, front_end: &'static dyn FrontEnd) -> Self {
        self.front_ends.push(front_end);
        self
    }

    /// Reads a file in the language that its name says.
    pub(crate) fn read(&self, name: &str, bytes: &[u8]) -> Reading {
        let ending = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        let is_meant = |front_end: &&&dyn FrontEnd| front_end.endings().contains(&ending.as_str());
        let front_end = self.front_ends.iter().find(is_meant).unwrap_or(&self.front_ends[0]);
        front_end.read(name, bytes)
    }

    /// Whether a file with this ending, in small letters, is a model in one of them.
    pub fn has_ending(&self, ending: &str) -> bool {
        self.front_ends.iter().any(|front_end| front_end.endings().contains(&ending))
    }

    /// What the codes of all languages mean.
    pub(crate) fn explanations(&self) -> Vec<Explanation> {
        self.front_ends.iter().flat_map(|front_end| front_end.explanations()).collect()
    }
}
