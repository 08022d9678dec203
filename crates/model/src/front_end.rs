//! The door through which a language comes in: what a front end, a text that it has read, and the meaning of that text
//! have to offer.
//!
//! **Idea.** Three steps, each with a trait of its own:
//!
//! 1. A [`FrontEnd`] reads a file. That never fails: what cannot be read is in the diagnostics of the [`Model`].
//! 2. A [`Model`] is the text that was read. It knows what the text declares ([`Declaration`]) and what is wrong with its
//!    form, but not what it means.
//! 3. An [`Elaboration`] is the meaning of a model, worked out as far as it is asked for and within a budget. It gives
//!    targets and properties.
//!
//! A question makes an elaboration of its own, asks for what it needs, and throws it away; the model stays. What an
//! elaboration cannot work out is among its [`Elaboration::diagnostics`], or it is a limit, which is no mistake of the
//! author ([`Failure`]).
//!
//! Most methods have a default for a language that has no such thing, such as progress properties.

use std::sync::Arc;

use rely_base::{Budget, Diagnostic, Explanation, Span};
use rely_lts::{Behaviour, Lts};
use rely_omega::{Assertion, ProgressProperty};

use crate::{
    Commitments, Composition, DEFAULT, Declaration, Failure, FlowModel, Naming, OpenComponents, Ports,
    Target, WatchedTarget,
};

/// Reads another file that a text names, given the path as it is written; the error is a sentence for the user.
pub type Loader<'a> = dyn Fn(&str) -> Result<Vec<u8>, String> + Send + Sync + 'a;

/// Whether a definition is asked for, by its name.
pub type IsWanted<'q> = &'q dyn Fn(&str) -> bool;

/// A language that can be read.
pub trait FrontEnd: Sync {
    /// The endings of its files, in small letters and without the dot.
    fn endings(&self) -> &'static [&'static str];

    /// Reads a file, given by its name and its content.
    fn read(&self, name: &str, bytes: &[u8]) -> Reading;

    /// What the codes of its diagnostics mean.
    fn explanations(&self) -> Vec<Explanation>;
}

/// A file that has been read.
pub struct Reading {
    /// What was read.
    pub model: Box<dyn Model>,
    /// The text that places in diagnostics and declarations refer to. It may be empty where there are none.
    pub text: String,
}

/// A line comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment {
    /// Its text, with the mark that begins it.
    pub text: String,
    /// Where it begins.
    pub start: u32,
}

/// A text that has been read.
pub trait Model: Send + Sync {
    /// What is wrong with the form of the text, in the order of the text.
    fn diagnostics(&self) -> &[Diagnostic];

    /// Gives a constant of the text another value, whatever its definition says. Whether there is such a constant.
    fn define(&mut self, constant: &str, value: i32) -> bool;

    /// What the text declares, in its order.
    fn declarations(&self) -> Vec<Declaration>;

    /// The line comments with `!` right after the two characters that begin them, such as `//!`: authors write there which
    /// verdicts they expect.
    fn marked_comments(&self) -> Vec<Comment>;

    /// The files that the text names, as it names them.
    fn imports(&self) -> Vec<&str> {
        Vec::new()
    }

    /// How to make an interface automaton of a component of this text, as advice.
    fn advice_on_interfaces(&self) -> &'static str;

    /// Begins to work out what the text means. The loader gives the content of the files that it names.
    fn elaborate<'a>(&'a self, loader: &'a Loader<'a>, budget: Budget<'a>) -> Box<dyn Elaboration + 'a>;
}

/// What a text means, as far as it has been asked for.
pub trait Elaboration {
    /// The targets that are meant where none is named.
    fn default_targets(&self) -> Vec<String>;

    /// Every target that is composed of others, whether or not others use it; where there is none, the default ones.
    fn all_composites(&self) -> Vec<String> {
        self.default_targets()
    }

    /// All names that a target can be given by, in the order of the text; [`DEFAULT`] is understood as well.
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

    /// The properties that the text declares of a target and that are checked one by one, each with a result under its own
    /// name, in order. Those that are parts of the target, as in FSP, are not among them.
    ///
    /// # Errors
    /// When the target has errors.
    fn properties_of(&mut self, _target: &str) -> Result<Vec<String>, Failure> {
        Ok(Vec::new())
    }

    /// The target while one of these properties watches it and no other, and the part that fails where the property is
    /// broken.
    ///
    /// # Errors
    /// When the target has errors, or no such property.
    fn watched_target(&mut self, _target: &str, _property: &str) -> Result<WatchedTarget, Failure> {
        Err(Failure::Errors)
    }

    /// What a target commits itself to, with results under the names of the commitments; nothing in a language without
    /// processes that take turns.
    ///
    /// # Errors
    /// When the target has errors.
    fn commitments(&mut self, _target: &str) -> Result<Option<Commitments>, Failure> {
        Ok(None)
    }

    /// A target with its parts and what they commit themselves to; nothing if it has none.
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

    /// The progress properties, in order. Those whose definition is not asked for by name are left out if they have
    /// errors, which are warnings then.
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

    /// The property process that says the same as the assertion with a name, if there is one with the name.
    fn assertion_as_property(&mut self, _name: &str) -> Option<Result<Arc<Lts>, Failure>> {
        None
    }

    /// Whether something that was asked for has used a definition.
    fn is_used(&self, _definition: &str) -> bool {
        false
    }

    /// The place of a composite and the name of a property process inside of it, if there is one.
    fn property_inside(&self, _composite: &str) -> Option<(Span, String)> {
        None
    }

    /// Looks at the definitions that nothing has used, neither here nor elsewhere, too: what is wrong with them is a warning.
    /// Nothing else is asked for after this.
    fn check_unused(&mut self, _used_elsewhere: IsWanted<'_>) {}

    /// The components of the text that can be looked at alone; nothing in a language in which that is not asked.
    fn open_components(&mut self) -> Option<&mut dyn OpenComponents> {
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

    /// Whether properties that stand in another file can watch targets of this text; if not, the reason is among the
    /// diagnostics.
    fn takes_properties(&mut self) -> bool {
        true
    }

    /// The names by which properties may call the events of the text, where they are not those of actions.
    ///
    /// # Errors
    /// When the text has errors, or a limit is met.
    fn naming(&mut self) -> Result<Naming, Failure> {
        Ok(Naming::default())
    }

    /// What has been found so far, sorted by place.
    fn diagnostics(&self) -> Vec<Diagnostic>;

    /// How many errors have been found so far.
    fn error_count(&self) -> usize {
        self.diagnostics().iter().filter(|diagnostic| diagnostic.is_error()).count()
    }
}
