//! Expected verdicts: comments in which the author of a model states them, and which other tools ignore.
//!
//! **Problem.** A model of a known fault is worth keeping, and its check should fail only when the fault is gone. So
//! the expected verdict stands in the model, where every reader sees it: a line comment that begins with `//!` and
//! continues with `expect TARGET PROPERTY holds`, `violated` or `unknown`.
//!
//! **Meaning.** An expected verdict is not a failure, and any other one is. An expectation is also a question: its
//! target is checked even if it would not be by default, but then only for what is expected of it, and `divergence`
//! is checked if it is expected. Expectations about targets and properties that `--target` and `--only` exclude are
//! ignored.
//!
//! A mistyped word must not make an expectation disappear: an expectation that cannot be read, or names something
//! that does not exist, is an error at its place.
//!
//! **Callers.** `check` and `verify`.

use std::collections::BTreeMap;

use rely_base::{Diagnostic, Span};
use rely_model::{Comment, Declaration, DeclarationKind};
use rely_syntax::nearest;

use crate::Project;
use crate::explain::{BAD_EXPECTATION, EXPECTED_OF_NO_PROPERTY, EXPECTED_OF_NO_TARGET, NEARLY_EXPECTATION};
use crate::meaning::{Meaning, is_made_by};
use crate::report::{CheckResult, Verdict, VerifyResult};

/// Maximum number of findings about expectations.
const MAX_FINDINGS: usize = 100;

const FORM: &str = "write `//! expect TARGET PROPERTY holds`, `violated` or `unknown`";

/// An expected verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Expectation {
    verdict: Verdict,
    /// The place of the property.
    span: Span,
}

/// The expected verdicts of a file, by target and property.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Expectations {
    by_target: BTreeMap<String, BTreeMap<String, Expectation>>,
    /// The targets in the order of the text.
    targets: Vec<String>,
}

impl Expectations {
    /// Reads the expectations of a file, and reports those that cannot be read or make no sense.
    pub(crate) fn read(project: &Project, meaning: &mut Meaning<'_>) -> (Self, Vec<Diagnostic>) {
        let mut expectations = Self::default();
        let mut findings = Vec::new();
        for (words, span) in project.marked_comments().iter().filter_map(words) {
            let read = Line::read(&words, span).and_then(|line| {
                line.check_names(project, meaning)?;
                expectations.add(&line)
            });
            findings.extend(read.err());
            if findings.len() == MAX_FINDINGS {
                break;
            }
        }
        (expectations, findings)
    }

    fn add(&mut self, line: &Line<'_>) -> Result<(), Diagnostic> {
        let (target, property) = (line.target.text, line.property.text);
        let of_target = self.by_target.entry(target.to_owned()).or_default();
        if of_target.is_empty() {
            self.targets.push(target.to_owned());
        }
        let expectation = Expectation { verdict: line.verdict, span: line.property.span };
        match of_target.get(property) {
            Some(earlier) if earlier.verdict != line.verdict => {
                let message = format!("another verdict of `{target}` `{property}` is expected above");
                let error = Diagnostic::error(BAD_EXPECTATION, line.property.span, message);
                Err(error.with_note(earlier.span, "here"))
            }
            Some(_) => Ok(()),
            None => {
                of_target.insert(property.to_owned(), expectation);
                Ok(())
            }
        }
    }

    /// The targets of which something is expected, in the order of the text.
    pub(crate) fn targets(&self) -> &[String] {
        &self.targets
    }

    /// The properties about which something is expected of a target.
    pub(crate) fn properties(&self, target: &str) -> impl Iterator<Item = &str> {
        self.by_target.get(target).into_iter().flat_map(BTreeMap::keys).map(String::as_str)
    }

    /// Reports expectations about properties that an indexed definition does not have: `P.7` if `P` has the indices 1
    /// to 3. `made` has the names of all progress properties and assertions of the file.
    pub(crate) fn report_unmade(&self, project: &Project, made: &[String], meaning: &mut Meaning<'_>) {
        let expected = self.by_target.values().flatten();
        let is_unmade = |property: &str| {
            declared(project).any(|definition| is_made_by(property, definition))
                && !made.iter().any(|name| name == property)
        };
        let unmade = expected.filter(|(property, _)| is_unmade(property)).take(MAX_FINDINGS);
        for (property, expectation) in unmade {
            meaning.report(no_property(property, expectation.span, made.iter().map(String::as_str)));
        }
    }

    /// Adds the expected verdicts to results.
    pub(crate) fn judge<R: Judged>(&self, results: &mut [R]) {
        for result in results {
            let (target, property, expected) = result.judged();
            let expectation = self.by_target.get(target).and_then(|of_target| of_target.get(property));
            *expected = expectation.map(|expectation| expectation.verdict);
        }
    }
}

/// A result for which a verdict can be expected.
pub(crate) trait Judged {
    /// Its target, its property, and the place for the expected verdict.
    fn judged(&mut self) -> (&str, &str, &mut Option<Verdict>);
}

impl Judged for CheckResult {
    fn judged(&mut self) -> (&str, &str, &mut Option<Verdict>) {
        (&self.target, &self.property, &mut self.expected)
    }
}

impl Judged for VerifyResult {
    fn judged(&mut self) -> (&str, &str, &mut Option<Verdict>) {
        (&self.system, &self.property, &mut self.expected)
    }
}

/// A word and its place.
#[derive(Clone, Copy)]
struct Word<'t> {
    text: &'t str,
    span: Span,
}

/// The words of a comment behind `//!`, and its place, if its first word is `expect` or similar to it.
fn words(comment: &Comment) -> Option<(Vec<Word<'_>>, Span)> {
    let words: Vec<Word<'_>> = comment.words().into_iter().map(|(text, span)| Word { text, span }).collect();
    nearest(words.first()?.text, std::iter::once("expect"))?;
    let place = Span::new(comment.start, words.last()?.span.end);
    Some((words, place))
}

/// An expectation as it is written.
struct Line<'t> {
    target: Word<'t>,
    property: Word<'t>,
    verdict: Verdict,
}

impl<'t> Line<'t> {
    fn read(words: &[Word<'t>], span: Span) -> Result<Self, Diagnostic> {
        let malformed =
            |span: Span, message: String| Diagnostic::error(BAD_EXPECTATION, span, message).with_help(FORM);
        match *words {
            [first, ..] if first.text != "expect" => {
                let message = format!("this comment says `{}`, so it expects nothing", first.text);
                Err(Diagnostic::warning(NEARLY_EXPECTATION, first.span, message).with_help(FORM))
            }
            [_, target, property, verdict] => {
                let verdict = match verdict.text {
                    "holds" => Verdict::Holds,
                    "violated" => Verdict::Violated,
                    "unknown" => Verdict::Unknown,
                    other => return Err(malformed(verdict.span, format!("`{other}` is no verdict"))),
                };
                Ok(Self { target, property, verdict })
            }
            _ => {
                let message = "an expectation has a target, a property and a verdict".to_owned();
                Err(malformed(span, message))
            }
        }
    }

    /// Fails if there is no such target, or no possible property with this name.
    fn check_names(&self, project: &Project, meaning: &mut Meaning<'_>) -> Result<(), Diagnostic> {
        let (target, property) = (self.target, self.property);
        if !meaning.has_target(target.text) {
            let known = meaning.all_targets();
            let message = format!("there is no process or composite `{}`", target.text);
            let error = Diagnostic::error(EXPECTED_OF_NO_TARGET, target.span, message);
            return Err(with_advice(error, target.text, known.iter().map(String::as_str)));
        }
        let own = meaning.own_names(target.text);
        let declares_progress = project.declarations().iter().any(|it| it.kind == DeclarationKind::Progress);
        let is_known = match property.text {
            "deadlock" | "safety" | "divergence" | "ERROR" | "compatible" => true,
            "progress" if !declares_progress => true,
            name => {
                declared(project).any(|definition| is_made_by(name, definition))
                    || meaning.may_be_property(name)
                    || is_specification(project, name)
                    || own.iter().any(|known| known == name)
            }
        };
        let known = ["deadlock", "safety", "divergence"]
            .into_iter()
            .chain(declared(project))
            .chain(own.iter().map(String::as_str));
        if is_known { Ok(()) } else { Err(no_property(property.text, property.span, known)) }
    }
}

fn no_property<'n>(name: &str, span: Span, known: impl Iterator<Item = &'n str>) -> Diagnostic {
    let message = format!("there is no property `{name}`");
    with_advice(Diagnostic::error(EXPECTED_OF_NO_PROPERTY, span, message), name, known)
}

/// The finding, with the nearest known name, or with all known ones.
fn with_advice<'n>(error: Diagnostic, name: &str, known: impl Iterator<Item = &'n str>) -> Diagnostic {
    const SHOWN: usize = 12;
    let known: Vec<&str> = known.collect();
    match nearest(name, known.iter().copied()) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None if known.len() <= SHOWN => error.with_help(format!("there are {}", known.join(", "))),
        None => error,
    }
}

/// The names of the definitions of progress properties and assertions.
fn declared(project: &Project) -> impl Iterator<Item = &str> {
    let is_meant =
        |it: &&Declaration| matches!(it.kind, DeclarationKind::Progress | DeclarationKind::Assertion);
    project.declarations().iter().filter(is_meant).map(|it| &*it.name)
}

/// Whether a name can be that of a specification, which `verify --rule ia-altref` checks: an interface automaton, or
/// a composite of a file that has some.
fn is_specification(project: &Project, name: &str) -> bool {
    let is_interface =
        |it: &Declaration| matches!(it.kind, DeclarationKind::Process { is_interface: true, .. });
    let is_composite = |it: &Declaration| matches!(it.kind, DeclarationKind::Composite { .. });
    let declarations = project.declarations();
    declarations.iter().any(is_interface)
        && declarations.iter().any(|it| &*it.name == name && (is_interface(it) || is_composite(it)))
}
