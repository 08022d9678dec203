//! From a file to its targets: each system as a whole, and each of its components on its own.

use rely_base::{Budget, Diagnostic, Exhausted, Limits, Resource, Span};
use rely_model::{Assumption, Diagram, Failure, Window};
use rely_syntax::nearest;
use rustc_hash::FxHashMap;

use crate::assumed::formula;
use crate::configurations::{Past, TooManyEvents};
use crate::diagram::{machine_called, of_machine, of_parts};
use crate::environment::{Unmined, content, in_words, mine, mine_by_part};
use crate::formula::Formula;
use crate::mine::Mined;
use crate::program::{Lowered, Options, View, lower};
use crate::system::{ComponentId, System};
use crate::{ast, codes, resolve};

/// How many states an environment may have that is explored as a whole, if it can be explored in parts.
const EXACT: usize = 1_000_000;

/// Gives meaning to the systems of a file.
pub struct Elaborator {
    /// The systems in order, with their names; those with errors are missing.
    systems: Vec<(String, Option<System>)>,
    diagnostics: Vec<Diagnostic>,
    /// What has been mined from the environments of components, by the names that they were asked for by.
    mined: Vec<(String, Window, rely_model::Mined)>,
}

impl Elaborator {
    /// Resolves all systems of a file.
    pub fn new(file: &ast::File) -> Self {
        let mut diagnostics: Vec<Diagnostic> = Vec::new();
        let mut places: FxHashMap<&str, Span> = FxHashMap::default();
        let mut systems = Vec::new();
        for def in &file.systems {
            let (system, found) = resolve::system(file, def);
            // Constants are read for each system, and what is wrong with them is found again.
            diagnostics.extend(found.into_iter().filter(|it| !diagnostics.contains(it)).collect::<Vec<_>>());
            if let Some(&first) = places.get(&*def.name.text) {
                let message = format!("system `{}` is defined twice", def.name.text);
                let diagnostic = Diagnostic::error(codes::DUPLICATE, def.name.span, message);
                diagnostics.push(diagnostic.with_note(first, "it is defined here"));
                continue;
            }
            places.insert(&def.name.text, def.name.span);
            systems.push((def.name.text.to_string(), system));
        }
        diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end, diagnostic.code));
        Self { systems, diagnostics, mined: Vec::new() }
    }

    /// What is wrong with the systems, in the order of the text.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Whether something is wrong that is more than a warning.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// The systems without errors.
    pub fn systems(&self) -> impl Iterator<Item = &System> {
        self.systems.iter().filter_map(|(_, system)| system.as_ref())
    }

    /// The targets of a file for which none was asked: the systems.
    pub fn default_targets(&self) -> Vec<String> {
        self.systems.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Everything that can be a target: the systems, and their components on their own.
    pub fn target_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for (name, system) in &self.systems {
            names.push(name.clone());
            let components = system.iter().flat_map(|system| &system.components);
            names.extend(components.map(|component| format!("{name}.{}", component.name)));
        }
        names
    }

    /// The system, and what of it is meant by the name of a target: `Boiler`, `Boiler.Control`, or `Control` where only one
    /// system has such a component.
    ///
    /// # Errors
    /// When there is no such target, which is then among the diagnostics, or when its system has errors.
    pub fn find(&mut self, name: &str) -> Result<(&System, View), Failure> {
        let found = self.systems.iter().enumerate().find_map(|(number, (system, _))| {
            let rest = name.strip_prefix(system.as_str())?;
            match rest.strip_prefix('.') {
                None if rest.is_empty() => Some((number, None)),
                Some(component) => Some((number, Some(component.to_owned()))),
                None => None,
            }
        });
        let (number, component) = match found {
            Some(found) => found,
            None => match self.with_component(name) {
                Some(number) => (number, Some(name.to_owned())),
                None => return self.no_target(name),
            },
        };
        let Some(system) = &self.systems[number].1 else { return Err(Failure::Errors) };
        let view = match component {
            None => Some(View::Whole),
            Some(component) => system.component_called(&component).map(View::Component),
        };
        match view {
            Some(view) => {
                let system = self.systems[number].1.as_ref().expect("it was there just now");
                Ok((system, view))
            }
            None => self.no_target(name),
        }
    }

    /// The only system that has a component with a name.
    fn with_component(&self, name: &str) -> Option<usize> {
        let has = |system: &Option<System>| {
            system.as_ref().is_some_and(|system| system.component_called(name).is_some())
        };
        let mut having = self.systems.iter().enumerate().filter(|(_, (_, system))| has(system));
        let (number, _) = having.next()?;
        having.next().is_none().then_some(number)
    }

    fn no_target<T>(&mut self, name: &str) -> Result<T, Failure> {
        let known = self.target_names();
        let message = format!("there is no system or component `{name}`");
        let diagnostic = Diagnostic::error(codes::UNDEFINED_TARGET, Span::new(0, 0), message);
        let diagnostic = match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => diagnostic.with_help(format!("did you mean `{near}`?")),
            None => diagnostic.with_help(format!("there are: {}", known.join(", "))),
        };
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
        Err(Failure::Errors)
    }

    /// Whether there is a target with a name.
    pub(crate) fn names_target(&self, name: &str) -> bool {
        self.target_names().iter().any(|known| known == name) || self.with_component(name).is_some()
    }

    /// A diagram of a machine, or else of the parts of a system or component.
    ///
    /// # Errors
    /// When there is nothing with this name, or its system has errors.
    pub(crate) fn diagram(&mut self, name: &str) -> Result<Diagram, Failure> {
        let machine = self.systems().find_map(|system| Some((system, machine_called(system, name)?)));
        if let (Some((system, machine)), false) = (machine, self.names_target(name)) {
            return Ok(of_machine(system, machine));
        }
        let (system, view) = self.find(name)?;
        Ok(of_parts(system, view))
    }

    /// The program of a target with all its properties. A component is open, and nothing is assumed about its environment.
    ///
    /// # Errors
    /// When there is no such target, or it has errors.
    pub fn target(&mut self, name: &str) -> Result<Lowered, Failure> {
        let (system, view) = self.find(name)?;
        Ok(lower(system, view, &Options::with_properties(system, view)))
    }

    /// What a target has in view, and its program under assumptions if it is a component.
    pub(crate) fn lowered(
        &mut self,
        name: &str,
        property: Option<&str>,
        assumed: &[Assumption],
    ) -> Result<(View, Lowered), Failure> {
        let (system, view) = self.find(name)?;
        let mut options = Options::with_properties(system, view);
        options.checks.retain(|check| property == Some(check.name.as_str()));
        if let View::Component(component) = view {
            options.assumptions = formulas(system, component, assumed)?;
        }
        Ok((view, lower(system, view, &options)))
    }

    /// The system of a component, which is a target.
    ///
    /// # Errors
    /// When there is no such component, which is then among the diagnostics, or its system has errors.
    pub(crate) fn component(&mut self, name: &str) -> Result<(&System, ComponentId), Failure> {
        let (system, view) = self.find(name)?;
        let View::Component(component) = view else {
            let message = format!("`{name}` is a whole system, which has no environment to mine");
            let known = system.components.iter().map(|component| component.name.as_str());
            let help = format!("its components are: {}", known.collect::<Vec<_>>().join(", "));
            let diagnostic = Diagnostic::error(codes::NO_COMPONENT, Span::new(0, 0), message);
            self.diagnostics.push(diagnostic.with_help(help));
            return Err(Failure::Errors);
        };
        let (system, _) = self.find(name)?;
        Ok((system, component))
    }

    /// What is true of the interface of a component in every configuration of its environment. It is found once.
    ///
    /// # Errors
    /// When there is no such component, its system has errors, or a limit is met.
    pub fn mine(
        &mut self,
        name: &str,
        window: Window,
        budget: &Budget<'_>,
    ) -> Result<rely_model::Mined, Failure> {
        let is_known = |(known, size, _): &&(String, Window, _)| known == name && *size == window;
        if let Some((_, _, mined)) = self.mined.iter().find(is_known) {
            return Ok(mined.clone());
        }
        let (system, component) = self.component(name)?;
        let (mut parts, mut is_by_part, mut failure) = (Vec::new(), false, None);
        for &past in pasts(window) {
            match mine_in_time(system, component, past, budget) {
                Ok((mined, one_by_one)) => {
                    parts.extend(mined);
                    is_by_part |= one_by_one;
                }
                Err(unmined) => failure = failure.or(Some(unmined)),
            }
        }
        let mined = rely_model::Mined { is_by_part, ..in_words(&parts, system) };
        match failure {
            None => {
                self.mined.push((name.to_owned(), window, mined.clone()));
                Ok(mined)
            }
            Some(Unmined::Exhausted(exhausted)) => Err(Failure::Exhausted(exhausted)),
            Some(Unmined::TooManyEvents(events)) => self.too_many_events(events),
        }
    }

    /// Everything that the rules depend on which [`Elaborator::mine`] finds for a component.
    ///
    /// # Errors
    /// When there is no such component, or its system has errors.
    pub(crate) fn content_of_environment(&mut self, name: &str, window: Window) -> Result<String, Failure> {
        let (system, component) = self.component(name)?;
        let mut text = format!("{EXACT} {}", system.component(component).name);
        for &past in pasts(window) {
            match content(system, component, past) {
                Ok(more) => text.push_str(&more),
                Err(TooManyEvents(events)) => return self.too_many_events(events),
            }
        }
        Ok(text)
    }

    fn too_many_events<T>(&mut self, events: usize) -> Result<T, Failure> {
        let message = format!("the interface has {events} events, which are too many to be mined");
        self.diagnostics.push(Diagnostic::error(codes::NO_COMPONENT, Span::new(0, 0), message));
        Err(Failure::Errors)
    }
}

/// The kinds of past that rules of a window may speak of.
fn pasts(window: Window) -> &'static [Past] {
    match window {
        Window::One => &[Past::None],
        Window::Two => &[Past::None, Past::Microstep, Past::Macrostep],
    }
}

/// What was mined from the environment of a component as a whole, or, if that is too large, from its parts; and which it was.
fn mine_in_time(
    system: &System,
    component: ComponentId,
    past: Past,
    budget: &Budget<'_>,
) -> Result<(Vec<Mined>, bool), Unmined> {
    let few = budget.narrowed(Limits { states: Some(EXACT), bytes: None });
    let whole = match mine(system, component, past, &few) {
        Err(whole @ Unmined::Exhausted(Exhausted { resource: Resource::States, .. })) => whole,
        mined => return mined.map(|mined| (vec![mined], false)),
    };
    match mine_by_part(system, component, past, budget) {
        Some(parts) => parts.map(|parts| (parts, true)),
        None if budget.max_states() <= EXACT => Err(whole),
        None => mine(system, component, past, budget).map(|mined| (vec![mined], false)),
    }
}

/// What assumptions say about the environment of a component.
pub(crate) fn formulas(
    system: &System,
    component: ComponentId,
    assumed: &[Assumption],
) -> Result<Vec<Formula>, Failure> {
    let formulas = assumed.iter().map(|assumption| formula(system, component, assumption));
    formulas.collect::<Option<_>>().ok_or(Failure::Errors)
}
