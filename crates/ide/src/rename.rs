//! Giving something another name.
//!
//! **Problem.** A new name may be one that something else has already, at the same place or at one where the new name is then
//! understood in another way. An edit that changes what a text means must not be made.
//!
//! **Idea.** The text is changed and read again. Every name then has to mean what it meant before; names of actions, which mean
//! nothing but themselves, have to be equal where they were equal.

use std::collections::BTreeMap;

use rely_base::Span;
use rely_model::{NameClass, NameUse};
use rely_session::Project;

use crate::Document;

/// Why something cannot get a name: a sentence for the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RenameError(pub String);

impl Document<'_> {
    /// The place of the name at a byte, if it can be changed.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn can_rename(&self, byte: u32) -> Result<Span, RenameError> {
        let refuse = |reason: &str| Err(RenameError(reason.to_owned()));
        if !self.knows_all_names {
            return refuse("this language does not tell yet what every name means, so nothing is renamed");
        }
        match self.name_at(byte) {
            None => refuse("there is no name here"),
            Some(name) if name.class == NameClass::Predefined => {
                refuse("this name is defined by the language")
            }
            Some(name) if name.class == NameClass::Unknown => refuse("nothing defines this name"),
            Some(name) if name.class == NameClass::Action && !self.project.imports().is_empty() => {
                refuse("imported files may have this action as well, and they are not changed")
            }
            Some(name) => Ok(name.place),
        }
    }

    /// The places to change so that what is named at a byte gets another name, in order.
    ///
    /// # Errors
    /// Why it cannot get this name.
    pub fn rename(&self, byte: u32, to: &str) -> Result<Vec<Span>, RenameError> {
        let place = self.can_rename(byte)?;
        let is_word = to.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
            && to.chars().next().is_some_and(|first| !first.is_ascii_digit());
        if !is_word {
            return Err(RenameError(format!("`{to}` is no name")));
        }
        let mut places = self.references(byte);
        if self.declared_at(place).is_some()
            || self.definition(byte).is_some_and(|it| self.declared_at(it).is_some())
        {
            places.extend(self.mentions_in_comments(self.at(place)));
        }
        places.sort_unstable();
        places.dedup();
        self.check_meaning(&places, to)?;
        Ok(places)
    }

    /// The places of a word in the comments that say which verdicts are expected.
    fn mentions_in_comments(&self, word: &str) -> Vec<Span> {
        let mut places = Vec::new();
        for comment in self.project.marked_comments() {
            let part_of_word = |it: char| it.is_alphanumeric() || it == '_';
            for (at, _) in comment.text.match_indices(word) {
                let before = comment.text[..at].chars().next_back();
                let after = comment.text[at + word.len()..].chars().next();
                if !before.is_some_and(part_of_word) && !after.is_some_and(part_of_word) {
                    let start = comment.start + u32::try_from(at).unwrap_or(0);
                    places.push(Span::new(start, start + u32::try_from(word.len()).unwrap_or(0)));
                }
            }
        }
        places
    }

    /// Whether every name still means the same once these places are changed.
    fn check_meaning(&self, places: &[Span], to: &str) -> Result<(), RenameError> {
        let text = changed(self.text(), places, to);
        let renamed = Project::new(self.project.name(), text, Box::new(|_| Err("not read".to_owned())));
        let after = Document::new(&renamed);
        let keeps_meaning = self.structure() == after.structure();
        // What is imported is not known here, so mistakes tell nothing where something is.
        if keeps_meaning && (!self.project.imports().is_empty() || self.has_errors() || !after.has_errors()) {
            return Ok(());
        }
        Err(RenameError(format!(
            "with the name `{to}` the text would mean something else, or have no meaning"
        )))
    }

    /// What the names mean, whatever they are: for each, its class and the number of the one that introduces it; for an action,
    /// of the first one with the same name.
    fn structure(&self) -> Vec<(NameClass, Option<usize>)> {
        let introduced: BTreeMap<Span, usize> =
            self.names.iter().enumerate().map(|(number, name)| (name.place, number)).collect();
        let mut first: BTreeMap<&str, usize> = BTreeMap::new();
        let meaning = |(number, name): (usize, &NameUse)| {
            let means = match name.means {
                Some(place) => introduced.get(&place).copied(),
                None => Some(*first.entry(self.at(name.place)).or_insert(number)),
            };
            (name.class, means)
        };
        self.names.iter().enumerate().map(meaning).collect()
    }
}

/// A text in which something else stands at some places.
pub(crate) fn changed(text: &str, places: &[Span], to: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut done = 0;
    for place in places {
        result.push_str(text.get(done..place.start as usize).unwrap_or_default());
        result.push_str(to);
        done = place.end as usize;
    }
    result.push_str(text.get(done..).unwrap_or_default());
    result
}
