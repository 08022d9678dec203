//! Elaboration: from the definitions of a file to components.
//!
//! Constants and types are evaluated once, in order. A component is elaborated when it is needed, once; a composition copies
//! its parts. All mistakes are collected: a mistake ends the elaboration of the expression, statement or connection that has
//! it, and the rest goes on. A component with mistakes is not given out.
//!
//! **Places.** Imported files have places, too: the texts are thought of as one text, the file itself first, so that a
//! [`Span`] says in which file it lies ([`Elaborator::locate`]). Diagnostics are given out for the file itself; what is wrong with an imported
//! file is said at the import.

mod compose;
mod expr;
mod imports;
mod primitive;
mod process;
mod property;
mod scope;
mod statement;

use std::sync::Arc;

use rely_base::{Budget, Code, Diagnostic, Span};
use rely_model::{Failure, Loader};
use rely_syntax::{nearest, say_how_many_more};
use rustc_hash::{FxHashMap, FxHashSet};

use self::imports::Source;
use self::scope::{Globals, Scope};
use crate::component::{Component, Type};
use crate::system::{Options, Refused, System};
use crate::{Parse, ast, codes};

/// How many findings are kept.
const MAX_FINDINGS: usize = 500;
/// How deeply compositions may be nested.
const MAX_DEPTH: usize = 64;
/// The largest family of processes or parts, the longest array, and the longest queue.
const MAX_FAMILY: i64 = 1000;
/// The most processes that a component may have.
const MAX_PROCESSES: usize = 10_000;

/// Something went wrong, and a diagnostic says what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Reported;

type Fallible<T> = Result<T, Reported>;

/// Gives meaning to the definitions of a file.
pub struct Elaborator<'a> {
    loader: &'a Loader<'a>,
    budget: Budget<'a>,
    /// The file, and the files that it imports.
    sources: Vec<Source>,
    /// Constants with values that replace those of the text.
    defined: Vec<(Arc<str>, i32)>,
    globals: Globals,
    /// The definitions of components, in order.
    definitions: Vec<Arc<ast::ComponentDef>>,
    by_name: FxHashMap<Arc<str>, usize>,
    /// The properties outside of components.
    stated: Vec<ast::PropertyDef>,
    /// What has been elaborated; nothing where there are mistakes.
    elaborated: FxHashMap<Arc<str>, Option<Arc<Component>>>,
    /// The components that are being elaborated, innermost last.
    active: Vec<Arc<str>>,
    /// Components that are of no use because their text could not be read.
    broken: FxHashSet<Arc<str>>,
    /// Whether a text could not be read completely: what is not found may be in there.
    has_flaws: bool,
    /// Variables and messages of the component that is being elaborated whose declarations are wrong.
    doubtful: FxHashSet<Arc<str>>,
    diagnostics: Vec<Diagnostic>,
    /// Place and code of what has been found: an index may lead to the same place many times.
    reported: FxHashSet<(Span, Code)>,
    /// How many errors have been found.
    errors: usize,
    dropped: usize,
}

impl<'a> Elaborator<'a> {
    /// Reads the definitions and those of imported files, evaluates constants and types, and elaborates all components of the
    /// file.
    pub fn new(parse: &Parse, loader: &'a Loader<'a>, budget: Budget<'a>) -> Self {
        let mut elaborator = Self {
            loader,
            budget,
            sources: Vec::new(),
            defined: Vec::new(),
            globals: Globals::default(),
            definitions: Vec::new(),
            by_name: FxHashMap::default(),
            stated: Vec::new(),
            elaborated: FxHashMap::default(),
            active: Vec::new(),
            broken: FxHashSet::default(),
            has_flaws: false,
            doubtful: FxHashSet::default(),
            diagnostics: Vec::new(),
            reported: FxHashSet::default(),
            errors: 0,
            dropped: 0,
        };
        elaborator.read(parse);
        elaborator.expect_statements_alone();
        for definition in elaborator.definitions.clone() {
            // What is wrong is among the diagnostics.
            let _ = elaborator.component(&definition.name);
        }
        elaborator
    }

    /// The program of a component.
    ///
    /// # Errors
    /// When the component, or one of its parts, has mistakes, or a limit is met.
    pub fn system(&mut self, name: &str, options: &Options) -> Result<System, Failure> {
        let component = self.target(name)?;
        System::new(&component, options, &self.budget).map_err(|refused| self.refuse(&component, &refused))
    }

    /// What may be spent.
    pub(crate) fn budget(&self) -> Budget<'a> {
        self.budget
    }

    /// Says why a component has no program.
    pub(crate) fn refuse(&mut self, component: &Component, refused: &Refused) -> Failure {
        let (place, what) = match refused {
            Refused::Exhausted(exhausted) => return Failure::Exhausted(exhausted.clone()),
            Refused::TooManyWays(place) => (*place, "the action of this state has too many ways through it"),
            Refused::TooManyCommands => (component.place, "this component is too large to be explored"),
        };
        let help = "choose smaller ranges for variables and parameters, or fewer choices";
        self.report(Diagnostic::error(codes::TOO_LARGE, place, what).with_help(help));
        Failure::Errors
    }

    /// The components of the file that no other component uses as a part.
    pub fn default_targets(&self) -> Vec<String> {
        let mut used: FxHashSet<&str> = FxHashSet::default();
        for definition in &self.definitions {
            if let ast::Body::Composition { parts, .. } = &definition.body {
                used.extend(parts.iter().map(|part| &*part.component.text));
            }
        }
        let own = self.own_components().filter(|name| !used.contains(name));
        own.map(str::to_owned).collect()
    }

    /// The components of the file, in order of definition; without those that it imports.
    pub fn target_names(&self) -> Vec<String> {
        self.own_components().map(str::to_owned).collect()
    }

    /// Whether there is a component with a name, in the file or in an imported one.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.definitions.iter().any(|definition| *definition.name.text == *name)
    }

    fn own_components(&self) -> impl Iterator<Item = &str> {
        let end = self.sources.first().map_or(0, |source| source.end);
        let own = self.definitions.iter().filter(move |definition| definition.span.start < end);
        own.map(|definition| &*definition.name.text)
    }

    /// The component with a name, of the file or of an imported one.
    ///
    /// # Errors
    /// When the component, or one of its parts, has mistakes.
    pub fn target(&mut self, name: &str) -> Result<Arc<Component>, Failure> {
        let name = ast::Name { text: Arc::from(name), span: Span::new(0, 0) };
        self.component(&name).map_err(|Reported| Failure::Errors)
    }

    /// What has been found so far, sorted by place. All places are in the file itself.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut found: Vec<&Diagnostic> = self.diagnostics.iter().collect();
        found.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
        let mut diagnostics: Vec<Diagnostic> =
            found.into_iter().map(|diagnostic| self.seen_from_file(diagnostic)).collect();
        // What is said at one import stays in the order of the imported file.
        diagnostics.sort_by_key(|diagnostic| diagnostic.span);
        say_how_many_more(&mut diagnostics, self.dropped);
        diagnostics
    }

    /// Whether an error has been found.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// A component, elaborated once.
    fn component(&mut self, name: &ast::Name) -> Fallible<Arc<Component>> {
        if let Some(known) = self.elaborated.get(&name.text) {
            return known.clone().ok_or(Reported);
        }
        let Some(&number) = self.by_name.get(&name.text) else {
            return Err(self.undefined_component(name));
        };
        if self.active.contains(&name.text) || self.active.len() >= MAX_DEPTH {
            let message = match self.active.contains(&name.text) {
                true => format!("component `{}` contains itself", name.text),
                false => "components are nested too deeply".to_owned(),
            };
            return Err(self.report(Diagnostic::error(codes::RECURSIVE, name.span, message)));
        }
        let definition = Arc::clone(&self.definitions[number]);
        self.active.push(Arc::clone(&definition.name.text));
        let component = self.elaborate(&definition);
        self.active.pop();
        let kept = component.as_ref().ok().cloned();
        self.elaborated.insert(Arc::clone(&definition.name.text), kept);
        component
    }

    fn elaborate(&mut self, definition: &ast::ComponentDef) -> Fallible<Arc<Component>> {
        if self.broken.contains(&definition.name.text) {
            return Err(Reported);
        }
        let before = self.errors;
        let component = match &definition.body {
            ast::Body::Primitive(primitive) => Ok(self.primitive(definition, primitive)),
            ast::Body::Composition { parts, wirings } => self.composition(definition, parts, wirings),
        };
        let mut component = component?;
        self.properties(definition, &mut component);
        if self.errors > before { Err(Reported) } else { Ok(Arc::new(component)) }
    }

    fn undefined_component(&mut self, name: &ast::Name) -> Reported {
        if self.has_flaws && name.span != Span::new(0, 0) {
            return Reported;
        }
        let known: Vec<Arc<str>> = self.definitions.iter().map(|it| Arc::clone(&it.name.text)).collect();
        let message = format!("component `{}` is not defined", name.text);
        let diagnostic = Diagnostic::error(codes::UNDEFINED_COMPONENT, name.span, message);
        let diagnostic = suggest(diagnostic, &name.text, known.iter().map(|known| &**known));
        self.report(diagnostic)
    }

    /// The type that a text describes.
    fn ty(&mut self, written: &ast::TypeExpr, scope: Scope<'_>) -> Fallible<Type> {
        match &written.kind {
            ast::TypeKind::Bool => Ok(Type::Bool),
            ast::TypeKind::Range(low, high) => {
                let bounds = (self.number(low, scope), self.number(high, scope));
                let (low, high) = (bounds.0?, bounds.1?);
                if low > high {
                    let message = format!("the range {low}..{high} has no values");
                    return Err(self.report(Diagnostic::error(codes::EMPTY_TYPE, written.span, message)));
                }
                Ok(Type::Range(low, high))
            }
            ast::TypeKind::Enumeration(names) => {
                let mut seen = FxHashSet::default();
                if let Some(twice) = names.iter().find(|name| !seen.insert(&name.text)) {
                    return Err(self.duplicate(twice, "a value"));
                }
                let names: Arc<[Arc<str>]> = names.iter().map(|name| Arc::clone(&name.text)).collect();
                self.globals.add_enumeration(&names);
                Ok(Type::Enumeration(names))
            }
            ast::TypeKind::Named(name) => match self.globals.types.get(&name.text) {
                Some(ty) => Ok(ty.clone()),
                None if self.has_flaws => Err(Reported),
                None => {
                    let message = format!("type `{}` is not defined", name.text);
                    let diagnostic = Diagnostic::error(codes::UNDEFINED_TYPE, name.span, message);
                    let known = self.globals.types.keys().map(|known| &**known);
                    let diagnostic = suggest(diagnostic, &name.text, known);
                    Err(self.report(diagnostic))
                }
            },
        }
    }

    fn duplicate(&mut self, name: &ast::Name, what: &str) -> Reported {
        let message = format!("`{}` is defined twice: {what} of this name stands above", name.text);
        self.report(Diagnostic::error(codes::DUPLICATE, name.span, message).with_help("choose another name"))
    }

    /// Adds a finding, once.
    /// Adds a remark.
    pub(crate) fn warn(&mut self, diagnostic: Diagnostic) {
        let Reported = self.report(diagnostic);
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.errors += usize::from(diagnostic.is_error());
        let is_placeless = diagnostic.span == Span::new(0, 0);
        let is_known = match is_placeless {
            true => self.diagnostics.contains(&diagnostic),
            false => !self.reported.insert((diagnostic.span, diagnostic.code)),
        };
        if !is_known {
            match self.diagnostics.len() < MAX_FINDINGS {
                true => self.diagnostics.push(diagnostic),
                false => self.dropped += 1,
            }
        }
        Reported
    }
}

/// Adds "did you mean" advice when a known name is near.
fn suggest<'n>(diagnostic: Diagnostic, name: &str, known: impl Iterator<Item = &'n str>) -> Diagnostic {
    const MOST: usize = 1000;
    match nearest(name, known.take(MOST)) {
        Some(near) => diagnostic.did_you_mean(near),
        None => diagnostic,
    }
}
