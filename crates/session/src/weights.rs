//! The weight of warnings: what the author of a model says about single kinds of them, in comments that other tools pass
//! over.
//!
//! A line comment that begins with `//!` and goes on with `allow` or `deny` and the codes of warnings decides for everybody
//! who works with the file, as `--allow` and `--deny` do for one run. An allowed warning is not reported. A denied one is
//! a failure, even if everything holds. What is said last about a code counts; errors and notes keep their weight.
//!
//! A misspelt code must not leave a file unguarded without a word, so a code that does not exist is an error at its place.

use std::collections::{BTreeMap, BTreeSet};

use rely_base::{Diagnostic, Span};
use rely_model::Comment;
use rely_syntax::nearest;

use crate::explain::{NO_WARNING, explanations};

/// How many findings about such comments are kept.
const MAX_FINDINGS: usize = 100;

const FORM: &str = "write `//! allow W0301` or `//! deny W0301`, with the codes that are meant";

/// What is to be done with a warning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Weight {
    /// It is not reported.
    Allowed,
    /// It counts as a failure.
    Denied,
}

/// What a file says about warnings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights {
    by_code: BTreeMap<String, Weight>,
    /// What is wrong with these comments.
    pub(crate) findings: Vec<Diagnostic>,
}

impl Weights {
    /// Reads the comments of a file that are marked with `!`.
    pub(crate) fn read(comments: &[Comment]) -> Self {
        let mut weights = Self::default();
        let mut codes: Option<BTreeSet<String>> = None;
        for comment in comments {
            let words = comment.words();
            let weight = match words.first() {
                Some(&("allow", _)) => Weight::Allowed,
                Some(&("deny", _)) => Weight::Denied,
                _ => continue,
            };
            let codes = codes.get_or_insert_with(|| explanations().into_iter().map(|it| it.code).collect());
            weights.add(weight, &words, codes);
        }
        weights
    }

    /// What the file says about a code.
    pub(crate) fn of(&self, code: &str) -> Option<Weight> {
        self.by_code.get(code).copied()
    }

    /// Adds what one comment says; its first word is the weight.
    fn add(&mut self, weight: Weight, words: &[(&str, Span)], codes: &BTreeSet<String>) {
        if let [(_, place)] = words {
            self.findings
                .push(Diagnostic::error(NO_WARNING, *place, "no code of a warning follows").with_help(FORM));
        }
        for &(code, place) in words.iter().skip(1) {
            if code.starts_with('W') && codes.contains(code) {
                self.by_code.insert(code.to_owned(), weight);
            } else {
                self.findings.push(no_warning(code, place, codes));
            }
        }
        self.findings.truncate(MAX_FINDINGS);
    }
}

fn no_warning(code: &str, place: Span, codes: &BTreeSet<String>) -> Diagnostic {
    let message = format!("`{code}` is not the code of a warning");
    let diagnostic = Diagnostic::error(NO_WARNING, place, message);
    if codes.contains(code) {
        return diagnostic.with_help("errors can be neither allowed nor denied");
    }
    let warnings = codes.iter().map(String::as_str).filter(|known| known.starts_with('W'));
    match nearest(code, warnings) {
        Some(near) => diagnostic.did_you_mean(near),
        None => diagnostic.with_help(FORM),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Weights {
        let comment = |text: &&str| Comment { text: (*text).to_owned(), start: 0 };
        Weights::read(&lines.iter().map(comment).collect::<Vec<_>>())
    }

    #[test]
    fn the_last_comment_about_a_code_counts() {
        let weights = read(&["//! allow W0010, W0011", "--! deny W0011"]);
        assert_eq!(weights.of("W0010"), Some(Weight::Allowed));
        assert_eq!(weights.of("W0011"), Some(Weight::Denied));
        assert_eq!(weights.of("W0012"), None);
        assert_eq!(weights.findings, []);
    }

    #[test]
    fn what_is_no_warning_is_an_error_at_its_place() {
        let weights = read(&["//! allow", "//! deny W001 E0240", "//! expect S deadlock holds"]);
        let found: Vec<(u32, u32, Option<&str>)> =
            weights.findings.iter().map(|it| (it.span.start, it.span.end, it.help.as_deref())).collect();
        assert_eq!(found[0], (4, 9, Some(FORM)));
        assert_eq!((found[1].0, found[1].1), (9, 13));
        assert!(found[1].2.is_some_and(|help| help.starts_with("did you mean `W00")), "{found:?}");
        assert_eq!(found[2], (14, 19, Some("errors can be neither allowed nor denied")));
        assert_eq!(found.len(), 3);
    }
}
