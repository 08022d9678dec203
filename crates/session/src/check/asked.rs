//! What is asked about each target: the properties that the file declares, as far as the query asks for them, and what the
//! file expects.

use std::borrow::Cow;

use rely_lts::Component;
use rely_model::Failure;
use rely_omega::Assertion;
use rely_omega::ProgressProperty;

use super::CheckQuery;
use crate::expect::Expectations;
use crate::meaning::{Meaning, is_made_by};
use crate::report::Finding;

/// A target, and what is asked about it.
pub(super) struct TargetQuestion<'a> {
    pub(super) target: String,
    pub(super) query: Cow<'a, CheckQuery>,
    pub(super) declared: Cow<'a, Declared>,
    /// The properties of which something is expected: some kinds are checked only where they are asked for.
    pub(super) also: Vec<String>,
}

impl<'a> TargetQuestion<'a> {
    /// The targets of a query, and the others of which something is expected that the query does not leave out.
    pub(super) fn all(
        names: Vec<String>,
        query: &'a CheckQuery,
        declared: &'a Declared,
        expectations: &Expectations,
    ) -> Vec<Self> {
        let expected = |target: &str| -> Vec<String> {
            let properties = expectations.properties(target);
            properties.filter(|property| declared.is_asked(query, property)).map(str::to_owned).collect()
        };
        let is_other = |target: &&String| query.targets.is_empty() && !names.contains(target);
        let others: Vec<String> = expectations.targets().iter().filter(is_other).cloned().collect();
        let wanted = names.into_iter().map(|target| {
            let also = expected(&target);
            TargetQuestion { target, query: Cow::Borrowed(query), declared: Cow::Borrowed(declared), also }
        });
        let others = others.into_iter().filter_map(|target| {
            let only = Some(expected(&target)).filter(|only| !only.is_empty())?;
            let declared = Cow::Owned(declared.narrowed(&only));
            let query = Cow::Owned(CheckQuery { only, ..query.clone() });
            Some(TargetQuestion { target, query, declared, also: Vec::new() })
        });
        wanted.chain(others).collect()
    }
}

/// The kinds of properties that a query can ask for.
pub(super) const KINDS: [&str; 5] = ["deadlock", "safety", "progress", "ltl", "divergence"];

/// The properties that the file declares and the query asks for.
#[derive(Clone, Default)]
pub(super) struct Declared {
    /// The names of all properties.
    pub(super) names: Vec<String>,
    /// The property processes of a file of properties.
    pub(super) properties: Vec<Component>,
    pub(super) progress: Vec<ProgressProperty>,
    /// Whether the file declares no progress property at all.
    pub(super) no_progress: bool,
    pub(super) assertions: Vec<Assertion>,
}

impl Declared {
    /// Fails if one that is asked for has errors or a limit is met.
    pub(super) fn new(meaning: &mut Meaning<'_>, query: &CheckQuery) -> Result<Self, Failure> {
        let properties = meaning.properties_beside(&|name| query.wants_of("safety", name))?;
        let progress = meaning.progress_properties(&|name| query.wants_of("progress", name));
        let assertions = meaning.assertions(&|name| query.wants_of("ltl", name));
        let (progress, assertions) = (progress?, assertions?);
        let names = progress.iter().map(|property| &*property.name);
        let names = names.chain(assertions.iter().map(|assertion| &*assertion.name));
        Ok(Self {
            names: names.chain(meaning.names_beside()).map(str::to_owned).collect(),
            properties: properties
                .into_iter()
                .filter(|property| query.wants("safety", &property.name))
                .collect(),
            no_progress: progress.is_empty(),
            progress: progress
                .into_iter()
                .filter(|property| query.wants("progress", &property.name))
                .collect(),
            assertions: assertions
                .into_iter()
                .filter(|assertion| query.wants("ltl", &assertion.name))
                .collect(),
        })
    }

    /// Whether a query leaves room for a property about which something is expected.
    fn is_asked(&self, query: &CheckQuery, property: &str) -> bool {
        match property {
            "deadlock" | "safety" | "divergence" => query.wants_kind(property),
            "progress" if self.no_progress => query.wants_kind(property),
            _ => {
                self.properties.iter().any(|component| component.name == property)
                    || self.progress.iter().any(|progress| progress.name == property)
                    || self.assertions.iter().any(|assertion| assertion.name == property)
            }
        }
    }

    /// Only the properties with some names.
    fn narrowed(&self, names: &[String]) -> Self {
        let mut narrowed = self.clone();
        narrowed.properties.retain(|property| names.contains(&property.name));
        narrowed.progress.retain(|property| names.contains(&property.name));
        narrowed.assertions.retain(|assertion| names.contains(&assertion.name));
        narrowed
    }

    /// Says which words of a query are neither kinds nor names of properties. `properties` are those of its words that name
    /// property processes, and `own` the names of all properties that the targets declare.
    pub(super) fn unknown_names(
        &self,
        query: &CheckQuery,
        file: &str,
        (properties, own): (&[&String], &[String]),
    ) -> Vec<Finding> {
        let known = |word: &&String| {
            KINDS.contains(&word.as_str()) || self.names.iter().chain(own).any(|name| is_made_by(name, word))
        };
        let unknown = query.only.iter().filter(|word| !known(word));
        let finding = |word: &String| {
            let message = format!("there is no property `{word}` to check");
            let mut finding = Finding::about(file, crate::explain::NO_SUCH_PROPERTY, &message);
            finding.help = Some(self.advice(word, own, properties.contains(&word)));
            finding
        };
        unknown.map(finding).collect()
    }

    /// What could have been meant by a word that names nothing to check.
    fn advice(&self, word: &str, own: &[String], is_property: bool) -> String {
        if is_property {
            return format!(
                "`{word}` is a property process, which is part of `safety` where it is composed: `rely \
                 check --only safety`, or `rely verify --property {word}`"
            );
        }
        let choices: Vec<&str> =
            KINDS.into_iter().chain(self.names.iter().chain(own).map(String::as_str)).collect();
        format!("there are {}", choices.join(", "))
    }
}
