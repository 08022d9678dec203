//! The verdicts that are known, and whether they are still about the texts as they are.
//!
//! **Problem.** A verdict is about a text, and texts change while somebody looks at verdicts about them. A view that forgets this
//! shows a proof of something else; and if each view keeps its own table, they contradict each other.
//!
//! **Idea.** One table for all views. A verdict is kept with the texts that it is about, all of them, since texts may import
//! each other. It is *stale* as long as one of them differs. Whoever undoes an edit sees the verdict become fresh again, without
//! a search, since it is about that text.

use std::collections::BTreeMap;
use std::sync::Arc;

use rely_session::report::{CheckResult, Report};

use crate::lens::answer_in_words;

/// Texts by their names.
type Texts = Arc<BTreeMap<String, String>>;

/// What is known of the questions about a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Nothing is known.
    Unasked,
    /// The questions wait for others to be answered.
    Queued,
    /// They are being answered.
    Running,
    /// They are answered, for the text as it is.
    Fresh,
    /// They are answered for another text.
    Stale,
}

/// The table.
#[derive(Default)]
pub struct Board {
    texts: Texts,
    files: BTreeMap<String, Entry>,
}

#[derive(Default)]
struct Entry {
    /// The answers that came last, and the texts that they are about.
    answered: Option<(Texts, Report<CheckResult>)>,
    /// Whether the questions have been asked again.
    asked: Option<Standing>,
}

/// An answer that is known.
#[derive(Clone, Copy, Debug)]
pub struct Known<'b> {
    /// The answer.
    pub result: &'b CheckResult,
    /// Whether a text has changed since.
    pub is_stale: bool,
}

impl Board {
    /// Adds a text, or changes it.
    pub fn set(&mut self, name: &str, text: &str) {
        if self.texts.get(name).is_none_or(|known| known != text) {
            Arc::make_mut(&mut self.texts).insert(name.to_owned(), text.to_owned());
        }
    }

    /// Removes a text and what is known of it.
    pub fn remove(&mut self, name: &str) {
        Arc::make_mut(&mut self.texts).remove(name);
        self.files.remove(name);
    }

    /// The texts as they are: to be given back with the answers about them.
    pub fn texts(&self) -> Arc<BTreeMap<String, String>> {
        Arc::clone(&self.texts)
    }

    /// Says that the questions about a text wait, or are being answered.
    pub fn ask(&mut self, file: &str, standing: Standing) {
        self.files.entry(file.to_owned()).or_default().asked = Some(standing);
    }

    /// Says that the questions about a text are not answered any more: they were cancelled.
    pub fn cancel(&mut self, file: &str) {
        if let Some(entry) = self.files.get_mut(file) {
            entry.asked = None;
        }
    }

    /// Keeps the answers of `check` about a text; `about` are the texts that they were found in.
    pub fn answer(&mut self, file: &str, about: Arc<BTreeMap<String, String>>, report: Report<CheckResult>) {
        let entry = self.files.entry(file.to_owned()).or_default();
        entry.asked = None;
        entry.answered = Some((about, report));
    }

    /// What is known of the questions about a text.
    pub fn standing(&self, file: &str) -> Standing {
        let Some(entry) = self.files.get(file) else { return Standing::Unasked };
        match (entry.asked, &entry.answered) {
            (Some(asked), _) => asked,
            (None, None) => Standing::Unasked,
            (None, Some(_)) if self.is_stale(entry) => Standing::Stale,
            (None, Some(_)) => Standing::Fresh,
        }
    }

    fn is_stale(&self, entry: &Entry) -> bool {
        entry.answered.as_ref().is_some_and(|(about, _)| **about != *self.texts)
    }

    /// The answers about a text, in their order.
    pub fn known(&self, file: &str) -> impl Iterator<Item = Known<'_>> {
        let entry = self.files.get(file);
        let is_stale = entry.is_some_and(|entry| self.is_stale(entry));
        let results = entry.and_then(|entry| entry.answered.as_ref()).map(|(_, report)| &report.results);
        results.into_iter().flatten().map(move |result| Known { result, is_stale })
    }

    /// The answers about a target or a property, a sentence for each.
    pub fn in_words(&self, file: &str, name: &str) -> Vec<String> {
        let is_about = |known: &Known<'_>| {
            let result = known.result;
            result.target == name || is_made_by(&result.property, name)
        };
        let told = |known: Known<'_>| {
            let words = answer_in_words(known.result);
            let stale = if known.is_stale { " (of an earlier text)" } else { "" };
            format!("{}: {words}{stale}", known.result.target)
        };
        self.known(file).filter(is_about).map(told).collect()
    }
}

/// Whether a property is one that a definition makes: its own name, or one with indices.
pub(crate) fn is_made_by(property: &str, definition: &str) -> bool {
    property.strip_prefix(definition).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use rely_session::{CheckQuery, Project, check};

    use super::*;

    fn report(text: &str) -> Report<CheckResult> {
        let project = Project::new("x.lts", text, Box::new(|_| Err("no imports".to_owned())));
        check(&project, &CheckQuery::default(), rely_base::Budget::UNLIMITED).expect("no mistake")
    }

    #[test]
    fn an_answer_is_stale_while_a_text_differs() {
        let mut board = Board::default();
        board.set("x.lts", "P = (a -> P).");
        assert_eq!(board.standing("x.lts"), Standing::Unasked);
        let texts = board.texts();
        board.ask("x.lts", Standing::Running);
        assert_eq!(board.standing("x.lts"), Standing::Running);
        // An edit while the questions are answered: the answer is about the text before it.
        board.set("x.lts", "P = STOP.");
        board.answer("x.lts", texts, report("P = (a -> P)."));
        assert_eq!(board.standing("x.lts"), Standing::Stale);
        assert!(board.known("x.lts").all(|known| known.is_stale));
        board.set("x.lts", "P = (a -> P).");
        assert_eq!(board.standing("x.lts"), Standing::Fresh);
        // Another text may be imported.
        board.set("y.lts", "Q = STOP.");
        assert_eq!(board.standing("x.lts"), Standing::Stale);
        board.remove("x.lts");
        assert_eq!(board.known("x.lts").count(), 0);
    }
}
