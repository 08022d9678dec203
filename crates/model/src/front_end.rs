//! The interface of languages: what a front end, a text that it has read, and the meaning of that text have to offer.
//!
//! **Idea.** Three steps, each with a trait of its own:
//!
//! 1. A [`FrontEnd`] reads a file. That never fails: what cannot be read is in the diagnostics of the [`Model`].
//! 2. A [`Model`] is the text that was read. It knows what the text declares ([`Declaration`]) and what is wrong with its
//!    form, but not what it means.
//! 3. An [`Elaboration`] is the meaning of a model, worked out as far as it is asked for and within a budget. It gives
//!    targets and properties.
//!
//! Each question makes its own elaboration, asks for what it needs, and drops it; the model stays. What an
//! elaboration cannot evaluate is reported in its [`Elaboration::diagnostics`], or it is a limit, which is not a
//! mistake of the author ([`Failure`]).
//!
//! Most methods have a default for a language that has no such thing, such as progress properties.

use std::sync::Arc;

use rely_base::{Budget, Diagnostic, Explanation, SourceToken, Span};
use rely_lts::{Behaviour, Lts, Observation};
use rely_omega::{Assertion, Commitment, ProgressProperty};

use crate::{
    Commitments, Composition, DEFAULT, Declaration, Diagram, Events, Failure, FlowModel, NameUse, Naming,
    OpenComponents, Ports, Target, WatchedTarget,
};

/// Reads another file that a text names, given the path as it is written. The error is a sentence for the user.
pub type Loader<'a> = dyn Fn(&str) -> Result<Vec<u8>, String> + Send + Sync + 'a;

/// Whether a definition is asked for, given its name.
pub type IsWanted<'q> = &'q dyn Fn(&str) -> bool;

/// A language that can be read.
pub trait FrontEnd: Sync {
    /// The endings of its files, in lower case and without the dot.
    fn endings(&self) -> &'static [&'static str];

    /// Reads a file, given by its name and its content.
    fn read(&self, name: &str, bytes: &[u8]) -> Reading;

    /// The explanations of the codes of its diagnostics.
    fn explanations(&self) -> Vec<Explanation>;
}

/// A file that has been read.
pub struct Reading {
    /// What was read.
    pub model: Box<dyn Model>,
    /// The text that places in diagnostics and declarations refer to. It may be empty if there are none.
    pub text: String,
}

impl Reading {
    /// What `parse` makes of the bytes of a file that is text. Bytes that are no UTF-8 become characters that no
    /// language has.
    pub fn of_text<M: Model + 'static>(bytes: &[u8], parse: impl FnOnce(&str) -> M) -> Self {
        let text = String::from_utf8_lossy(bytes).into_owned();
        Self { model: Box::new(parse(&text)), text }
    }
}

/// A line comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment {
    /// Its text, with the mark that begins it.
    pub text: String,
    /// Where it begins.
    pub start: u32,
}

impl Comment {
    /// The bytes of the mark: `//!`, or `--!` in Ada.
    const MARK: usize = "//!".len();

    /// The words behind the mark, which white space and commas separate, each with its place.
    pub fn words(&self) -> Vec<(&str, Span)> {
        let mut words = Vec::new();
        let mut at = Self::MARK;
        for text in self.text.get(Self::MARK..).into_iter().flat_map(|body| body.split(is_separator)) {
            if !text.is_empty() {
                words.push((text, Span::new(self.place(at), self.place(at + text.len()))));
            }
            // The separator may have more than one byte.
            let behind = at + text.len();
            at = behind
                + self.text.get(behind..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        }
        words
    }

    fn place(&self, offset: usize) -> u32 {
        self.start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX))
    }
}

fn is_separator(character: char) -> bool {
    character.is_whitespace() || character == ','
}

/// A text that has been read.
pub trait Model: Send + Sync {
    /// What is wrong with the form of the text, in the order of the text.
    fn diagnostics(&self) -> &[Diagnostic];

    /// Gives a constant of the text another value, whatever its definition is. Returns whether there is such a
    /// constant.
    fn define(&mut self, constant: &str, value: i32) -> bool;

    /// What the text declares, in its order.
    fn declarations(&self) -> Vec<Declaration>;

    /// The line comments that have `!` right after their two opening characters, such as `//!`: authors declare
    /// expected verdicts there.
    fn marked_comments(&self) -> Vec<Comment>;

    /// The paths of the files that the text imports, as they are written.
    fn imports(&self) -> Vec<&str> {
        Vec::new()
    }

    /// The tokens of the text, without blanks, in order: what an editor gives colours to. The text is the one that was read.
    fn tokens(&self, _text: &str) -> Vec<SourceToken> {
        Vec::new()
    }

    /// What every name in the text means, in order; nothing in a language that does not tell.
    fn names(&self) -> Option<Vec<NameUse>> {
        None
    }

    /// The text, which is the one that was read, in its usual layout; nothing if it has mistakes, or in a language without a
    /// layout. It consists of the same tokens and comments.
    fn formatted(&self, _text: &str) -> Option<String> {
        None
    }

    /// Advice on how to turn a component of this text into an interface automaton.
    fn advice_on_interfaces(&self) -> &'static str;

    /// Begins an elaboration of the text. The loader returns the content of the files that it imports.
    fn elaborate<'a>(&'a self, loader: &'a Loader<'a>, budget: Budget<'a>) -> Box<dyn Elaboration + 'a>;
}

/// What a text means, as far as it has been asked for.
pub trait Elaboration {
    /// The targets that are checked if the user names none.
    fn default_targets(&self) -> Vec<String>;

    /// Every target that is composed of others, whether or not others use it; where there is none, the default ones.
    fn all_composites(&self) -> Vec<String> {
        self.default_targets()
    }

    /// All names of targets, in the order of the text; [`DEFAULT`] is accepted as well.
    fn target_names(&self) -> Vec<String>;

    /// Whether there is a target with a name.
    fn has_target(&self, name: &str) -> bool {
        name == DEFAULT || self.target_names().iter().any(|known| known == name)
    }

    /// The target with a name.
    ///
    /// # Errors
    /// When there is none, when it or something that it uses has errors, or when a part that has to be built first meets a
    /// limit.
    fn target(&mut self, name: &str) -> Result<Target<Behaviour>, Failure>;

    /// The properties that the text declares for a target and that are checked one by one, each with a result under
    /// its own name, in order. Properties that are parts of the target, as in FSP, are not included.
    ///
    /// # Errors
    /// When the target has errors.
    fn properties_of(&mut self, _target: &str) -> Result<Vec<String>, Failure> {
        Ok(Vec::new())
    }

    /// The target, observed by one of these properties and by no other, and the part that fails if the property is
    /// broken.
    ///
    /// # Errors
    /// When the target has errors, or no such property.
    fn watched_target(&mut self, _target: &str, _property: &str) -> Result<WatchedTarget, Failure> {
        Err(Failure::Errors)
    }

    /// The commitments of a target, with results under their names; `None` in a language without processes that take
    /// turns.
    ///
    /// # Errors
    /// When the target has errors.
    fn commitments(&mut self, _target: &str) -> Result<Option<Commitments>, Failure> {
        Ok(None)
    }

    /// A target with its parts and their commitments; `None` if it has no parts.
    ///
    /// # Errors
    /// When the target has errors.
    fn composition(&mut self, _target: &str) -> Result<Option<Composition>, Failure> {
        Ok(None)
    }

    /// The messages that a target takes and gives; nothing in a language that knows neither.
    ///
    /// # Errors
    /// When the target has errors.
    fn ports(&mut self, _target: &str) -> Result<Option<Ports>, Failure> {
        Ok(None)
    }

    /// The progress properties, in order. Those that are not asked for by name are left out if they have errors,
    /// which are warnings then.
    ///
    /// # Errors
    /// When one that is asked for has errors, or a limit is met.
    fn progress_properties(&mut self, _asked: IsWanted<'_>) -> Result<Vec<ProgressProperty>, Failure> {
        Ok(Vec::new())
    }

    /// The assertions, in order. Those that are not asked for by name are left out if they have errors, which are warnings
    /// then.
    ///
    /// # Errors
    /// When one that is asked for has errors, or a limit is met.
    fn assertions(&mut self, _asked: IsWanted<'_>) -> Result<Vec<Assertion>, Failure> {
        Ok(Vec::new())
    }

    /// The property process that is equivalent to the assertion with a name; `None` if there is no such assertion.
    fn assertion_as_property(&mut self, _name: &str) -> Option<Result<Arc<Lts>, Failure>> {
        None
    }

    /// Whether a definition has been used for something that was asked.
    fn is_used(&self, _definition: &str) -> bool {
        false
    }

    /// The place of a composite and the name of a property process inside it, if there is one.
    fn property_inside(&self, _composite: &str) -> Option<(Span, String)> {
        None
    }

    /// Also checks the definitions that nothing has used, here or elsewhere; their errors are warnings. Nothing else
    /// may be asked after this.
    fn check_unused(&mut self, _used_elsewhere: IsWanted<'_>) {}

    /// The components of the text that can be checked alone; `None` if the language does not support that.
    fn open_components(&mut self) -> Option<&mut dyn OpenComponents> {
        None
    }

    /// A diagram of what the text says about a target or a part of one; nothing if the language has no diagrams.
    fn diagram(&mut self, _name: &str) -> Option<Result<Diagram, Failure>> {
        None
    }

    /// Whether the language has flow models.
    fn has_flow(&self) -> bool {
        false
    }

    /// The flow model of a target.
    ///
    /// # Errors
    /// When the language has none, the target has errors, or a limit is met.
    fn flow(&mut self, _target: &str) -> Result<Box<dyn FlowModel>, Failure> {
        Err(Failure::Errors)
    }

    /// Whether properties from another file can observe targets of this text; if not, the reason is among the
    /// diagnostics.
    fn takes_properties(&mut self) -> bool {
        true
    }

    /// The names that properties may use for the events of the text, if these differ from the names of actions.
    ///
    /// # Errors
    /// When the text has errors, or a limit is met.
    fn naming(&mut self) -> Result<Naming, Failure> {
        Ok(Naming::default())
    }

    /// The names that statements of another text may use for the events of a target.
    ///
    /// # Errors
    /// When the target has errors, or a limit is met.
    fn naming_of(&mut self, _target: &str) -> Result<Naming, Failure> {
        self.naming()
    }

    /// Whether the text has statements about targets of other texts.
    fn has_statements(&self) -> bool {
        false
    }

    /// The statements of the text about targets of other texts, as commitments of one of these.
    ///
    /// # Errors
    /// When a statement has errors.
    fn statements(&mut self, _events: &Events<'_>) -> Result<Vec<Commitment<Observation>>, Failure> {
        Ok(Vec::new())
    }

    /// What has been found so far, sorted by place.
    fn diagnostics(&self) -> Vec<Diagnostic>;

    /// How many errors have been found so far.
    fn error_count(&self) -> usize {
        self.diagnostics().iter().filter(|diagnostic| diagnostic.is_error()).count()
    }
}
