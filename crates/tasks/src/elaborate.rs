//! The front door for whoever analyses programs: from what was parsed to targets, within a budget.
//!
//! A program has one target, which is named after its main procedure. Its parts are the tasks and the shared variables, and
//! each of them can be asked for on its own.

use rely_base::{Budget, Diagnostic, Id, Span};
use rely_lts::Network;
use rely_model::{DEFAULT, Failure, Part, Target};

use crate::exact::{Exact, Refused, exact, unfoldings};
use crate::flow::Constrained;
use crate::hir::Program;
use crate::{Parse, resolve};

/// Gives meaning to a program that was parsed.
pub struct Elaborator<'a> {
    program: Option<Program>,
    budget: Budget<'a>,
    /// What is wrong with names and types, and what is found while the program is unfolded.
    diagnostics: Vec<Diagnostic>,
    /// The network, once it has been asked for.
    exact: Option<Exact>,
}

impl<'a> Elaborator<'a> {
    /// Looks up names and checks types.
    pub fn new(parse: &Parse, budget: Budget<'a>) -> Self {
        let resolved = resolve(parse);
        Self { program: resolved.program, budget, diagnostics: resolved.diagnostics, exact: None }
    }

    /// What it may use.
    pub(crate) fn budget(&self) -> Budget<'a> {
        self.budget
    }

    /// The program, unless it has errors.
    pub fn program(&self) -> Option<&Program> {
        self.program.as_ref()
    }

    /// What was found so far; what the parser found is not repeated.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The names of all targets: that of the main procedure.
    pub fn target_names(&self) -> Vec<String> {
        self.program.iter().map(|program| program.name.text.to_lowercase()).collect()
    }

    /// The targets of a file for which none was asked.
    pub fn default_targets(&self) -> Vec<String> {
        self.target_names()
    }

    /// The exact model.
    ///
    /// # Errors
    /// When the program has errors, which are among the diagnostics, or a limit is met.
    pub fn exact(&mut self) -> Result<&Exact, Failure> {
        if self.exact.is_none() {
            let program = self.program.as_ref().ok_or(Failure::Errors)?;
            let found = exact(program, &self.budget);
            self.exact = Some(self.or_say(found)?);
        }
        self.exact.as_ref().ok_or(Failure::Errors)
    }

    /// The flow model, of which slices can be made.
    ///
    /// # Errors
    /// As for [`Elaborator::exact`].
    pub(crate) fn constrained(&mut self) -> Result<Constrained, Failure> {
        let program = self.program.as_ref().ok_or(Failure::Errors)?;
        let found = unfoldings(program, &self.budget);
        Ok(Constrained::new(self.or_say(found)?))
    }

    /// The exact model as a target.
    ///
    /// # Errors
    /// As for [`Elaborator::exact`], or when there is no such target.
    pub fn target(&mut self, name: &str) -> Result<Target, Failure> {
        let known = self.target_names();
        let is_whole = name == DEFAULT || known.is_empty() || known.iter().any(|known| known == name);
        if !is_whole
            && self.may_be_part(name)
            && let Some(part) = self.part(name)?
        {
            return Ok(part);
        }
        if !is_whole {
            let message = format!("there is no program `{name}`");
            let unknown = Diagnostic::error(crate::codes::NO_SUCH_PROGRAM, Span::new(0, 0), message)
                .with_help(format!("the file has `{}`", known.join(", ")));
            if !self.diagnostics.contains(&unknown) {
                self.diagnostics.push(unknown);
            }
            return Err(Failure::Errors);
        }
        let Exact { network, places, .. } = self.exact()?;
        let (network, places) = (network.clone(), places.clone());
        let mut target = Target::of_processes(name, network);
        if let Some(program) = &self.program {
            for (part, component) in target.parts.iter_mut().zip(target.behaviour.components()) {
                *part = described(program, &component.name);
            }
        }
        for (part, places) in target.parts.iter_mut().zip(places) {
            part.places = Some(places);
        }
        Ok(target)
    }

    /// Whether a task or shared variable has a name, or is an element of an array that has it.
    pub(crate) fn may_be_part(&self, name: &str) -> bool {
        self.program.as_ref().is_some_and(|program| {
            let groups = program.groups.iter().map(|group| &group.name);
            let shared = program.shared.iter().map(|variable| &program.variables[variable.index()].name);
            groups.chain(shared).any(|known| is_or_is_in(name, &known.text))
        })
    }

    /// A task or a shared variable on its own, for questions about what it needs of the others.
    fn part(&mut self, name: &str) -> Result<Option<Target>, Failure> {
        let whole = self.target(DEFAULT)?;
        let mut parts = whole.behaviour.components().iter().zip(whole.parts);
        let found = parts.find(|(component, _)| component.name == name);
        Ok(found.map(|(component, part)| {
            let network = Network::new(vec![component.clone()]);
            Target { parts: vec![part], ..Target::of_processes(name, network) }
        }))
    }

    /// A result, or its mistakes among the diagnostics.
    fn or_say<T>(&mut self, found: Result<T, Refused>) -> Result<T, Failure> {
        found.map_err(|refused| {
            let failure = Failure::from(&refused);
            if let Refused::Mistakes(mistakes) = refused {
                let fresh: Vec<Diagnostic> =
                    mistakes.into_iter().filter(|mistake| !self.diagnostics.contains(mistake)).collect();
                self.diagnostics.extend(fresh);
            }
            failure
        })
    }
}

/// Whether a component is a task or variable with a name, or an element of an array with it.
fn is_or_is_in(component: &str, name: &str) -> bool {
    component.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// What a component is an instance of: an element of an array of tasks is one of its task type.
fn described(program: &Program, component: &str) -> Part {
    let group = program.groups.iter().find(|group| is_or_is_in(component, &group.name.text));
    let mut shared = program.shared.iter().map(|it| &program.variables[it.index()].name);
    let (definition, place): (&str, Option<Span>) = match group {
        Some(group) => {
            let unit = &program.units[group.unit.index()].name;
            (&unit.text, Some(unit.span))
        }
        None => match shared.find(|name| is_or_is_in(component, &name.text)) {
            Some(name) => (&name.text, Some(name.span)),
            None => (component, None),
        },
    };
    Part { definition: definition.into(), place, ..Part::new(component) }
}
