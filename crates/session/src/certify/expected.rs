//! The claims that have to be accepted, written as in the output: `S: safety`,
//! `S: progress EATS`, `S: property P`, or only the last word for any target.

use crate::report::{CertifyResult, Fairness, Kind};

/// The expected claims that are not accepted, as results.
pub(super) fn missing(expected: &[String], results: &[CertifyResult]) -> Vec<CertifyResult> {
    let is_missing =
        |expectation: &&Expectation<'_>| !results.iter().any(|result| expectation.is_met(result));
    let expectations: Vec<Expectation<'_>> = expected.iter().map(|text| Expectation::read(text)).collect();
    expectations.iter().filter(is_missing).map(Expectation::missed).collect()
}

struct Expectation<'a> {
    /// The target, if one is named.
    target: Option<&'a str>,
    /// The kind of property, if it is given.
    word: Option<&'a str>,
    property: &'a str,
}

/// The words for kinds whose properties have names.
const WORDS: [&str; 3] = ["progress", "assert", "property"];

impl<'a> Expectation<'a> {
    fn read(text: &'a str) -> Self {
        let (target, what) =
            text.split_once(": ").map_or((None, text), |(target, what)| (Some(target), what));
        match what.split_once(' ') {
            Some((word, property)) if WORDS.contains(&word) => Self { target, word: Some(word), property },
            _ => Self { target, word: None, property: what },
        }
    }

    fn is_met(&self, result: &CertifyResult) -> bool {
        let is_kind = match self.word {
            None => true,
            Some("progress") => result.kind == Kind::Progress,
            Some("assert") => result.kind == Kind::Ltl,
            Some(_) => result.components.is_some() || result.is_commitment,
        };
        let is_target = self.target.is_none_or(|target| target == result.target);
        // An assertion that holds almost surely is weaker than one that holds, so it has to be asked for explicitly.
        let is_property = match result.fairness {
            Some(Fairness::Random) => {
                self.property.strip_suffix(" with random choices") == Some(&*result.property)
            }
            _ => self.property == result.property,
        };
        result.accepted && is_kind && is_target && is_property
    }

    fn missed(&self) -> CertifyResult {
        let kind = match (self.word, self.property) {
            (Some("progress"), _) => Kind::Progress,
            (Some("assert"), _) => Kind::Ltl,
            (None, "deadlock") => Kind::Deadlock,
            (None, "divergence") => Kind::Divergence,
            _ => Kind::Safety,
        };
        CertifyResult {
            target: self.target.unwrap_or("").to_owned(),
            is_commitment: false,
            property: self.property.to_owned(),
            kind,
            fairness: None,
            components: None,
            derived: false,
            accepted: false,
            reason: Some("it was expected, and no claim of it is accepted".to_owned()),
        }
    }
}
