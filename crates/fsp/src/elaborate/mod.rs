//! Elaboration: from the definitions of a file to components and properties.
//!
//! Constants, ranges and sets are evaluated once, in order. Processes and composites are elaborated when a target
//! needs them, once for each tuple of actual parameters. All errors are collected: an error ends the elaboration of
//! the branch, label or definition that has it, and the rest goes on. What an error leaves behind is never shown,
//! because a target with errors is not analysed.
//!
//! Invariant: every `Err(Reported)` has been preceded by a diagnostic, here or of the syntax, or carries the limit
//! that was met.

pub(crate) mod codes;
mod composite;
mod constraint;
mod definitions;
mod effort;
mod evaluate;
mod labels;
mod machine;
mod piece;
mod process;
mod properties;
mod relabel;
mod scope;
mod signature;
#[cfg(test)]
mod tests;
mod uses;

use std::sync::Arc;

use rely_base::{Budget, Code, Diagnostic, Exhausted, Limits, Severity, Span};
use rely_lts::Lts;
use rely_model::{DEFAULT, Failure, IsWanted, Loader, Origin, Signature, StateNames, Target};
use rustc_hash::{FxHashMap, FxHashSet};

use self::scope::Globals;
use crate::ast;
use rely_syntax::{nearest, say_how_many_more};

/// How deeply definitions may call each other.
const MAX_DEPTH: usize = 200;

/// How many errors are kept, and how many other findings.
const MAX_FINDINGS: usize = 500;

/// Limits for parts that have to be built if only errors are wanted.
const NEXT_TO_NOTHING: Limits = Limits { states: Some(10_000), bytes: Some(64 << 20) };

/// A process or composite as one transition system, and its roles if it is an interface automaton.
#[derive(Clone, Debug)]
pub(crate) struct Built {
    lts: Arc<Lts>,
    signature: Option<Arc<Signature>>,
    /// The names of its states, if they are known.
    states: Option<Arc<StateNames>>,
    /// The process before it hides actions, if hiding is the last operation on it.
    before_hiding: Option<Open>,
    /// Its origin.
    origin: Origin,
}

/// A process before it hides actions, and the names of its states.
#[derive(Clone, Debug)]
struct Open {
    lts: Arc<Lts>,
    states: Arc<StateNames>,
}

impl Built {
    /// A formula as a process.
    fn formula(lts: Arc<Lts>) -> Self {
        Self { lts, signature: None, states: None, before_hiding: None, origin: Origin::Property }
    }
}

/// An error that has been reported by a diagnostic; or a limit that was met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Reported(Option<Exhausted>);

impl Reported {
    /// The error has been reported before.
    fn already() -> Self {
        Self(None)
    }
}

impl From<Exhausted> for Reported {
    fn from(exhausted: Exhausted) -> Self {
        Self(Some(exhausted))
    }
}

impl From<Reported> for Failure {
    fn from(reported: Reported) -> Self {
        reported.0.map_or(Self::Errors, Self::Exhausted)
    }
}

type Fallible<T> = Result<T, Reported>;

/// The names of the definitions that something uses, directly or through others.
type Uses = Arc<[Arc<str>]>;

/// Gives meaning to the definitions of a file.
pub struct Elaborator<'a> {
    file: &'a ast::File,
    loader: &'a Loader<'a>,
    budget: Budget<'a>,
    /// Constants, ranges and sets.
    globals: Globals,
    /// The definitions by name.
    definitions: definitions::Definitions<'a>,
    /// Processes and composites that have been built, by name and actual parameters, each with the definitions that it uses.
    built: FxHashMap<String, (Built, Uses)>,
    /// The processes, composites and assertions that are being elaborated, innermost last.
    active: Vec<String>,
    /// The definitions that some target has used.
    used: FxHashSet<Arc<str>>,
    /// The processes with actual parameters that sequences have called, and where.
    sequenced: Vec<(String, Span)>,
    /// Definitions that are known to have errors. Without this, chains of definitions that use each other twice would
    /// be elaborated exponentially often.
    failed: FxHashSet<String>,
    /// Whether some definitions have failed because they are circular or too deep, which depends on where one begins.
    failed_inside: bool,
    /// What has been paid for so far.
    effort: effort::Effort,
    /// What has been found so far, in order of discovery, up to [`MAX_FINDINGS`].
    diagnostics: Vec<Diagnostic>,
    /// The number of errors found, including repetitions and those that are not kept.
    errors: usize,
    /// The number of kept findings that are errors.
    kept_errors: usize,
    /// The number of kept findings that are not errors.
    kept_remarks: usize,
    /// The number of findings that were not kept.
    dropped: usize,
    /// Place and code of each finding, since different indices may lead to the same place.
    reported: FxHashSet<(Span, Code)>,
}

impl<'a> Elaborator<'a> {
    /// Reads the definitions, and evaluates constants, ranges and sets.
    pub fn new(file: &'a ast::File, loader: &'a Loader<'a>, budget: Budget<'a>) -> Self {
        // If the text has errors, only further errors are of interest.
        let budget = if file.flaws.has_errors { budget.narrowed(NEXT_TO_NOTHING) } else { budget };
        let mut elaborator = Self {
            file,
            loader,
            budget,
            globals: Globals::default(),
            definitions: definitions::Definitions::default(),
            built: FxHashMap::default(),
            active: Vec::new(),
            used: FxHashSet::default(),
            sequenced: Vec::new(),
            failed: FxHashSet::default(),
            failed_inside: false,
            effort: effort::Effort::default(),
            diagnostics: Vec::new(),
            errors: 0,
            kept_errors: 0,
            kept_remarks: 0,
            dropped: 0,
            reported: FxHashSet::default(),
        };
        elaborator.collect_definitions();
        elaborator
    }

    /// The targets that are used if none is named: every composite that no other composite uses, or [`DEFAULT`] if
    /// there is no composite.
    pub fn default_targets(&self) -> Vec<String> {
        named_or_default(&self.outermost_composites())
    }

    /// Every composite, or [`DEFAULT`] if there is none.
    pub fn all_composites(&self) -> Vec<String> {
        named_or_default(&self.definitions.composites)
    }

    /// The composites and processes that can be targets, in order of definition.
    pub fn target_names(&self) -> Vec<String> {
        self.definitions.order.iter().map(ToString::to_string).collect()
    }

    /// The target with a name.
    ///
    /// # Errors
    /// When the target, or something that it uses, has errors; or when a part that has to be built first meets a
    /// limit.
    pub fn target(&mut self, name: &str) -> Result<Target, Failure> {
        let (target, uses) = self.with_uses(|elaborator| elaborator.elaborate_target(name));
        Ok(Target { uses, ..self.unless_exhausted(target)? })
    }

    /// Whether a definition is that of a property process: one that is declared with `property` or `ltl_property`.
    fn is_property(&self, name: &str) -> bool {
        let definitions = &self.definitions;
        definitions.processes.get(name).is_some_and(|def| def.modifiers.property)
            || definitions.constraints.get(name).is_some_and(|def| def.kind == ast::AssertKind::Property)
            || (!self.is_primitive(name) && self.composite(name).is_some_and(|def| def.modifiers.property))
    }

    /// Whether something that has been elaborated uses a process or composite of the file, or is it.
    pub fn is_used(&self, definition: &str) -> bool {
        self.used.contains(definition)
    }

    /// Does something, and returns the definitions that it used.
    fn with_uses<T>(&mut self, action: impl FnOnce(&mut Self) -> T) -> (T, Uses) {
        let outside = std::mem::take(&mut self.used);
        let result = action(self);
        let uses: Uses = self.used.iter().cloned().collect();
        self.used.extend(outside);
        (result, uses)
    }

    /// What has been built under a name with actual parameters. The definitions that it uses count as used.
    fn recall(&mut self, instance: &str) -> Option<Built> {
        let (built, uses) = self.built.get(instance)?;
        self.used.extend(uses.iter().cloned());
        Some(built.clone())
    }

    /// Builds something that has not been built before, and keeps it.
    fn build(
        &mut self,
        instance: String,
        action: impl FnOnce(&mut Self, &str) -> Fallible<Built>,
    ) -> Fallible<Built> {
        let (built, uses) = self.with_uses(|elaborator| action(elaborator, &instance));
        let built = built?;
        self.built.insert(instance, (built.clone(), uses));
        Ok(built)
    }

    /// A result, unless a limit was met: then the failure may not be an error of the text.
    fn unless_exhausted<T>(&self, result: Fallible<T>) -> Result<T, Failure> {
        match self.effort.exhausted() {
            Some(exhausted) => Err(Failure::Exhausted(exhausted.clone())),
            None => result.map_err(Failure::from),
        }
    }

    /// Elaborates the definitions that no target has used, and reports their errors as warnings. `used_elsewhere`
    /// says which have been used in targets that were elaborated elsewhere. Nothing else may be elaborated after
    /// this.
    pub fn check_unused(&mut self, used_elsewhere: IsWanted<'_>) {
        let before = self.diagnostics.len();
        self.budget = self.budget.narrowed(NEXT_TO_NOTHING);
        for name in self.definitions.order.clone() {
            if !self.used.contains(&name) && !used_elsewhere(&name) {
                // Errors are among the diagnostics; a limit that is met here is of no interest.
                let _ = self.elaborate_target(&name);
            }
        }
        self.forgive(before, "no target that is analysed uses this definition, so it does no harm");
        let before = self.diagnostics.len();
        self.look_at_properties();
        self.forgive(before, "nothing that is asked for uses this definition, so it does no harm");
    }

    /// Turns the errors after the first `before` ones into warnings.
    fn forgive(&mut self, before: usize, help: &str) {
        for diagnostic in self.diagnostics[before..].iter_mut().filter(|diagnostic| diagnostic.is_error()) {
            diagnostic.severity = Severity::Warning;
            diagnostic.help.get_or_insert_with(|| help.to_owned());
        }
    }

    /// What has been found so far, sorted by place.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut diagnostics = self.diagnostics.clone();
        diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end, diagnostic.code));
        say_how_many_more(&mut diagnostics, self.dropped);
        diagnostics
    }

    /// Whether an error has been found.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// How many errors have been found so far.
    pub fn error_count(&self) -> usize {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count()
    }

    /// Whether a further remark would be kept, because making one may be expensive. If not, it is counted.
    fn keeps_remark(&mut self, place: Span, code: Code) -> bool {
        let is_kept = self.kept_remarks < MAX_FINDINGS;
        self.dropped += usize::from(!is_kept && self.reported.insert((place, code)));
        is_kept
    }

    /// Whether a finding may only follow from parts that could not be read, so that it must not be reported: the
    /// local processes of a broken definition are unknown, and so is its behaviour, which matters to the definitions
    /// that use it.
    fn follows_from_flaws(&self, diagnostic: &Diagnostic) -> bool {
        const INSIDE: &[Code] = &[codes::DEFINED_AS_ERROR, codes::CIRCULAR];
        const DEPENDENT: &[Code] = &[
            codes::NONDETERMINISTIC_PROPERTY,
            codes::NOT_SEQUENTIAL,
            codes::ARITY,
            codes::EMPTY_COMPOSITION,
            codes::RELABELS_NOTHING,
            codes::HIDES_NOTHING,
            codes::DIVERGENCE_LOST,
        ];
        let flaws = &self.file.flaws;
        (INSIDE.contains(&diagnostic.code) && flaws.cover(diagnostic.span))
            || (DEPENDENT.contains(&diagnostic.code) && !flaws.broken.is_empty())
    }

    /// Reports a name that is not defined, unless it may be defined where the text could not be read.
    fn report_undefined(&mut self, name: &str, diagnostic: Diagnostic) -> Reported {
        if self.file.flaws.may_define(name) { Reported::already() } else { self.report(diagnostic) }
    }

    /// Reports a finding, once, unless it may only follow from parts that could not be read.
    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.errors += usize::from(diagnostic.is_error());
        if self.follows_from_flaws(&diagnostic) {
            return Reported::already();
        }
        let kept = match diagnostic.is_error() {
            true => &mut self.kept_errors,
            false => &mut self.kept_remarks,
        };
        // Names that were asked for and do not exist have no place in the text that would distinguish them.
        let is_placeless = diagnostic.span == Span::new(0, 0);
        let known = match is_placeless {
            true => self.diagnostics.contains(&diagnostic),
            false => !self.reported.insert((diagnostic.span, diagnostic.code)),
        };
        match known {
            true => {}
            false if *kept == MAX_FINDINGS => self.dropped += 1,
            false => {
                *kept += 1;
                self.diagnostics.push(diagnostic);
            }
        }
        Reported::already()
    }
}

/// Adds "did you mean" advice if a known name is near. The comparisons are limited in total: thousands of mistakes
/// would not be read, and comparing each with thousands of names takes long.
fn suggest<'n>(
    effort: &mut effort::Effort,
    diagnostic: Diagnostic,
    name: &str,
    known: impl Iterator<Item = &'n str>,
) -> Diagnostic {
    let known: Vec<&str> = known.take(effort.comparisons).collect();
    effort.comparisons -= known.len();
    match nearest(name, known.into_iter()) {
        Some(near) => diagnostic.did_you_mean(near),
        None => diagnostic,
    }
}

/// The names of composites; [`DEFAULT`] if there is none.
fn named_or_default(composites: &[&ast::CompositeDef]) -> Vec<String> {
    match composites {
        [] => vec![DEFAULT.to_owned()],
        _ => composites.iter().map(|composite| composite.name.text.to_string()).collect(),
    }
}
