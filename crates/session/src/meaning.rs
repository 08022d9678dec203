//! The meaning of a project: its targets and properties, and the errors in the text and in the question.

use std::collections::HashSet;
use std::sync::Arc;

use rely_base::{Budget, Diagnostic, Id, Span};
use rely_explore::NotGenerated;
use rely_lts::{Behaviour, Component, ComponentId, Lts, Network};
use rely_model::{
    Ambiguous, Assumption, Commitments, Composition, DEFAULT, Diagram, END_OF_EXECUTION, Elaboration, End,
    Environment, Events, Failure, FlowModel, IsWanted, Naming, OpenComponents, Ports, Target, WatchedTarget,
    definition_meant,
};
use rely_omega::Assertion;
use rely_omega::ProgressProperty;

use crate::parts::with_known_names;
use crate::project::Kept;
use crate::report::Finding;
use crate::{Project, explain};

/// The targets and properties of a project.
pub(crate) struct Meaning<'a> {
    project: &'a Project,
    elaboration: Box<dyn Elaboration + 'a>,
    budget: Budget<'a>,
    /// The definitions that the requested targets use.
    used: HashSet<Arc<str>>,
    /// Errors about names that were asked for and do not exist, or do not fit together.
    unknown: Vec<Diagnostic>,
    /// Warnings about targets that were not worked out by this elaboration.
    recalled: Vec<Diagnostic>,
    /// The file of properties for the project.
    beside: Option<Box<Self>>,
    /// Whether this is the meaning of such a file of properties.
    is_beside: bool,
    /// The names of the project's events, if it is.
    naming: Naming,
}

impl<'a> Meaning<'a> {
    pub(crate) fn of(project: &'a Project, budget: Budget<'a>) -> Self {
        Self {
            project,
            elaboration: project.elaborate(budget),
            budget,
            used: HashSet::new(),
            unknown: project.weights().findings.clone(),
            recalled: Vec::new(),
            beside: None,
            is_beside: false,
            naming: Naming::default(),
        }
    }

    /// The project.
    pub(crate) fn project(&self) -> &'a Project {
        self.project
    }

    /// The meaning of a project together with its file of properties.
    pub(crate) fn with_properties(project: &'a Project, budget: Budget<'a>) -> Self {
        let mut meaning = Self::of(project, budget);
        meaning.beside = meaning.of_properties().map(Box::new);
        meaning
    }

    /// The meaning of the project's file of properties, in terms of the names that the project gives to its events.
    pub(crate) fn of_properties(&mut self) -> Option<Self> {
        let beside = Self::of(self.project.properties()?, self.budget);
        // Statements are about events, whatever is one step.
        if !beside.elaboration.has_statements() && !self.elaboration.takes_properties() {
            return None;
        }
        // If there are no names because of errors, there is no target either, and the errors are reported with it.
        let naming = self.elaboration.naming().unwrap_or_default();
        Some(Self { naming, is_beside: true, ..beside })
    }

    /// The components that can be checked alone, if the language supports that.
    pub(crate) fn open_components(&mut self) -> Option<&mut dyn OpenComponents> {
        self.elaboration.open_components()
    }

    /// Checks that the language supports an environment of components alone; reports it otherwise.
    pub(crate) fn choose(&mut self, environment: Environment) {
        if environment != Environment::Universal && self.elaboration.open_components().is_none() {
            let message = "this language has no environments to choose from";
            self.report(Diagnostic::error(explain::NO_ENVIRONMENT, Span::new(0, 0), message));
        }
    }

    /// A component under assumptions.
    pub(crate) fn alone(
        &mut self,
        component: &str,
        assumed: &[Assumption],
    ) -> Result<Target<Behaviour>, Failure> {
        self.elaboration.open_components().ok_or(Failure::Errors)?.alone(component, assumed)
    }

    /// A component under assumptions, observed by one of its properties, which is the first part.
    pub(crate) fn watched_alone(
        &mut self,
        component: &str,
        property: &str,
        assumed: &[Assumption],
    ) -> Result<(Target<Behaviour>, ComponentId), Failure> {
        let open = self.elaboration.open_components().ok_or(Failure::Errors)?;
        Ok(with_watcher(open.watched_alone(component, property, assumed)?))
    }

    /// The environment of a component, or one of its senders, observed by assumptions, which are the first part.
    pub(crate) fn environment(
        &mut self,
        component: &str,
        sender: Option<&str>,
        watching: &[Assumption],
    ) -> Result<(Behaviour, ComponentId), Failure> {
        let open = self.elaboration.open_components().ok_or(Failure::Errors)?;
        let (target, watcher) = open.environment(component, sender, watching)?;
        Ok(target.behaviour.with_watcher(watcher))
    }

    /// A diagram of what the text says about a target or a part of one, if the language has diagrams.
    pub(crate) fn diagram(&mut self, name: &str) -> Option<Result<Diagram, Failure>> {
        self.elaboration.diagram(name)
    }

    /// Whether the language has flow models.
    pub(crate) fn has_flow(&self) -> bool {
        self.elaboration.has_flow()
    }

    /// The flow model of a target.
    pub(crate) fn flow(&mut self, target: &str) -> Result<Box<dyn FlowModel>, Failure> {
        self.elaboration.flow(target)
    }

    /// The names by which the actions of the project are shown.
    pub(crate) fn shown_names(&mut self) -> Naming {
        self.elaboration.naming().unwrap_or_default()
    }

    /// The properties that the text declares for a target and that are checked one by one.
    pub(crate) fn properties_of(&mut self, target: &str) -> Result<Vec<String>, Failure> {
        self.elaboration.properties_of(target)
    }

    /// The names of all questions that belong to a target alone.
    pub(crate) fn own_names(&mut self, target: &str) -> Vec<String> {
        let mut names = self.elaboration.properties_of(target).unwrap_or_default();
        if let Ok(Some(commitments)) = self.commitments(target) {
            names.extend(commitments.all().map(|commitment| commitment.name.clone()));
        }
        names
    }

    /// The commitments that the text declares of a target, if the language has them.
    pub(crate) fn declared_commitments(&mut self, target: &str) -> Result<Option<Commitments>, Failure> {
        self.elaboration.commitments(target)
    }

    /// The commitments of a target, if the language has them, and those that the project's file of properties states.
    pub(crate) fn commitments(&mut self, target: &str) -> Result<Option<Commitments>, Failure> {
        let own = self.elaboration.commitments(target)?;
        let Some(beside) = self.beside.as_ref().filter(|it| it.elaboration.has_statements()) else {
            return Ok(own);
        };
        let place = beside.project.name().to_owned();
        let behaviour = self.behaviour(target)?.behaviour;
        let Some(program) = behaviour.to_program() else {
            let message =
                format!("`{target}` has priorities, so it cannot be checked with the properties of {place}");
            let help = "write the property as an assertion or a progress property";
            self.report(Diagnostic::error(explain::NO_PRIORITY, Span::new(0, 0), message).with_help(help));
            return Err(Failure::Errors);
        };
        let naming = self.elaboration.naming_of(target)?;
        let mut all = own.unwrap_or_else(|| match &behaviour {
            Behaviour::Network(_) => Commitments::of_actions(&program),
            Behaviour::Program(_) => Commitments::default(),
        });
        let Some(beside) = &mut self.beside else { return Ok(Some(all)) };
        let events = Events { target, program: &program, naming: &naming };
        for stated in beside.elaboration.statements(&events)? {
            if all.all().any(|known| known.name == stated.name) {
                let message =
                    format!("`{target}` has two properties `{}`: its own, and that of {place}", stated.name);
                let diagnostic = Diagnostic::error(explain::AMBIGUOUS, Span::new(0, 0), message);
                self.report(diagnostic.with_help("give one of them another name"));
                return Err(Failure::Errors);
            }
            all.list.push(stated);
        }
        Ok(Some(all))
    }

    /// A target with its parts and their commitments, if the language has them.
    pub(crate) fn composition(&mut self, target: &str) -> Result<Option<Composition>, Failure> {
        self.elaboration.composition(target)
    }

    /// The messages that a target takes and gives, if the language knows that.
    pub(crate) fn ports(&mut self, target: &str) -> Result<Option<Ports>, Failure> {
        self.elaboration.ports(target)
    }

    /// The target, observed by one of these properties, and the part that fails if the property is broken.
    pub(crate) fn watched_target(
        &mut self,
        target: &str,
        property: &str,
    ) -> Result<(Target<Behaviour>, ComponentId), Failure> {
        Ok(with_watcher(self.elaboration.watched_target(target, property)?))
    }

    /// The property processes of the project's file of properties, as far as they are asked for by the name of their
    /// definition.
    pub(crate) fn properties_beside(&mut self, asked: IsWanted<'_>) -> Result<Vec<Component>, Failure> {
        let mut components = Vec::new();
        let Some(beside) = &mut self.beside else { return Ok(components) };
        for declaration in beside.project.declarations() {
            if declaration.kind.is_property() && asked(&declaration.name) {
                let target = beside.target(&declaration.name)?;
                components.extend(target.behaviour.components().iter().cloned());
            }
        }
        Ok(components)
    }

    /// The names of the property processes of the project's file of properties.
    pub(crate) fn names_beside(&self) -> impl Iterator<Item = &str> {
        let declarations = self.beside.iter().flat_map(|beside| beside.project.declarations());
        declarations.filter(|it| it.kind.is_property()).map(|it| &*it.name)
    }

    /// Advice on how to turn a component of the text into an interface automaton.
    pub(crate) fn advice_on_interfaces(&self) -> &'static str {
        self.project.advice_on_interfaces()
    }

    /// The default targets.
    pub(crate) fn default_targets(&self) -> Vec<String> {
        self.elaboration.default_targets()
    }

    /// The targets with some names, each once. If there are no names, the default ones, or every composite if `all`
    /// is true.
    pub(crate) fn wanted_targets(&self, names: &[String], all: bool) -> Vec<String> {
        if names.is_empty() {
            return if all { self.elaboration.all_composites() } else { self.default_targets() };
        }
        let is_first = |(i, name): &(usize, &String)| !names[..*i].contains(name);
        names.iter().enumerate().filter(is_first).map(|(_, name)| name.clone()).collect()
    }

    /// The only process of a file that has no other.
    pub(crate) fn only_process(&self) -> Option<String> {
        match self.all_targets().as_slice() {
            [name] if name != DEFAULT => Some(name.clone()),
            _ => None,
        }
    }

    /// All processes and composites, in order of definition.
    pub(crate) fn all_targets(&self) -> Vec<String> {
        self.elaboration.target_names()
    }

    /// Whether there is a target with a name.
    pub(crate) fn has_target(&self, name: &str) -> bool {
        self.elaboration.has_target(name)
    }

    /// The target with a name, whatever kind of behaviour it has. It is computed once for all questions, unless it has
    /// errors or a limit was met; see [`Project::keep`] for what else is not kept.
    pub(crate) fn behaviour(&mut self, name: &str) -> Result<Target<Behaviour>, Failure> {
        let target = match self.project.recall(name) {
            Some(Kept { target, warnings }) => {
                self.recalled.extend(warnings);
                target
            }
            None => self.worked_out(name)?,
        };
        self.used.extend(target.uses.iter().cloned());
        Ok(target)
    }

    /// Works out a target, and keeps it together with what was found on the way. Where there were findings before, an
    /// elaboration of its own tells which belong to the target.
    fn worked_out(&mut self, name: &str) -> Result<Target<Behaviour>, Failure> {
        let is_first_finding = self.elaboration.diagnostics().is_empty();
        if !is_first_finding && self.project.is_lasting() {
            let mut own = self.project.elaborate(self.budget);
            if let Ok(target) = own.target(name) {
                let findings = own.diagnostics();
                self.project.keep(name, &target, &findings);
                self.recalled.extend(findings);
                return Ok(target);
            }
        }
        let target = self.elaboration.target(name)?;
        if is_first_finding {
            self.project.keep(name, &target, &self.elaboration.diagnostics());
        }
        Ok(target)
    }

    /// The target with a name, as a network of components. The units of a program that share variables become one component.
    pub(crate) fn target(&mut self, name: &str) -> Result<Target, Failure> {
        let target = self.behaviour(name)?;
        let units: Vec<String> = target.behaviour.part_names().into_iter().map(str::to_owned).collect();
        let target = match target.into_network(&self.budget) {
            Ok(target) => target,
            Err(NotGenerated::Exhausted(exhausted)) => return Err(Failure::Exhausted(exhausted)),
            Err(NotGenerated::Cut(unit)) => {
                let message = format!(
                    "`{name}` leaves the bounds within which it is explored: {}",
                    units[unit.index()]
                );
                let help = "enlarge the bound, or ask `rely check`, which says what is known within it";
                self.report(Diagnostic::error(explain::BOUNDED, Span::new(0, 0), message).with_help(help));
                return Err(Failure::Errors);
            }
        };
        let mut components = target.behaviour.components().to_vec();
        let is_about_ends = |it: &Component| it.lts.alphabet().contains(END_OF_EXECUTION);
        if self.is_beside && self.naming.end == End::Unsaid && components.iter().any(is_about_ends) {
            self.report(no_end(name, self.place_of(name)));
            return Err(Failure::Errors);
        }
        if self.naming.is_empty() {
            return Ok(target);
        }
        for component in &mut components {
            self.warn_of_meaningless(component);
            match self.naming.of_process(&component.lts) {
                Ok(lts) => component.lts = Arc::new(lts),
                Err(ambiguous) => {
                    self.report(twice(&component.name, &ambiguous));
                    return Err(Failure::Errors);
                }
            }
        }
        Ok(target.map(|_| Network::new(components)))
    }

    /// The place of a declaration of the text.
    fn place_of(&self, name: &str) -> Span {
        let declared = self.project.declarations().iter().find(|it| &*it.name == name);
        declared.map_or(Span::new(0, 0), |declaration| declaration.place)
    }

    /// Warns of events in a property that the program does not have.
    fn warn_of_meaningless(&mut self, property: &Component) {
        for event in self.naming.meaningless(&property.lts) {
            let message =
                format!("the program has no event {event}, of which property `{}` speaks", property.name);
            let place = self.place_of(&property.name);
            let warning = Diagnostic::warning(explain::NO_SUCH_EVENT, place, message);
            let nearest = rely_syntax::nearest(event, self.naming.names());
            let help =
                nearest.map(|nearest| format!("did you mean {nearest}? as it is written, it never happens"));
            let help = help.unwrap_or_else(|| "it never happens".to_owned());
            let warning = warning.with_help(help);
            if !self.unknown.contains(&warning) {
                self.unknown.push(warning);
            }
        }
    }

    /// The property process of an assertion, if there is one with the name.
    pub(crate) fn assertion_as_property(&mut self, name: &str) -> Option<Result<Arc<Lts>, Failure>> {
        self.elaboration.assertion_as_property(name)
    }

    /// The names of the property processes that the text declares.
    pub(crate) fn declared_properties(&self) -> impl Iterator<Item = &str> {
        let declared = self.project.declarations().iter().filter(|it| it.kind.is_property());
        declared.map(|declaration| &*declaration.name)
    }

    /// Whether a word may be the name of a property process: of its definition, or of a part that is an instance of
    /// one.
    pub(crate) fn may_be_property(&self, word: &str) -> bool {
        let meant = definition_meant(word);
        self.declared_properties().any(|name| name == meant) || self.names_beside().any(|name| name == word)
    }

    /// Whether a target that was asked for has used a definition.
    pub(crate) fn is_used(&self, definition: &str) -> bool {
        self.used.contains(definition) || self.elaboration.is_used(definition)
    }

    /// The place of a composite and the name of a property process inside of it, if there is one.
    pub(crate) fn property_inside(&self, composite: &str) -> Option<(Span, String)> {
        self.elaboration.property_inside(composite)
    }

    /// The progress properties; errors in definitions that are not asked for do no harm.
    pub(crate) fn progress_properties(
        &mut self,
        asked: IsWanted<'_>,
    ) -> Result<Vec<ProgressProperty>, Failure> {
        let properties = self.elaboration.progress_properties(asked)?;
        let mut properties: Vec<_> = properties.into_iter().map(|it| self.naming.of_progress(it)).collect();
        if let Some(beside) = &mut self.beside {
            properties.extend(beside.progress_properties(asked)?);
        }
        Ok(properties)
    }

    /// The assertions; errors in those that are not asked for do no harm.
    pub(crate) fn assertions(&mut self, asked: IsWanted<'_>) -> Result<Vec<Assertion>, Failure> {
        let assertions = self.elaboration.assertions(asked)?;
        let mut assertions: Vec<_> = assertions.into_iter().map(|it| self.naming.of_assertion(it)).collect();
        if let Some(beside) = &mut self.beside {
            assertions.extend(beside.assertions(asked)?);
        }
        Ok(assertions)
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.error_count() > 0
            || self.project.diagnostics().iter().any(Diagnostic::is_error)
            || self.beside.as_ref().is_some_and(|beside| beside.has_errors())
    }

    /// How many errors have been found in the meaning of the text and in the question so far.
    pub(crate) fn error_count(&self) -> usize {
        let of_question = self.unknown.iter().filter(|diagnostic| diagnostic.is_error()).count();
        let of_properties = self.beside.as_ref().map_or(0, |beside| beside.error_count());
        self.elaboration.error_count() + of_question + of_properties
    }

    /// Adds an error about the question.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        if !self.unknown.contains(&diagnostic) {
            self.unknown.push(diagnostic);
        }
    }

    /// Checks the definitions that no target has used, and returns all findings. An unknown name without a similar one gets
    /// the list of known names as help.
    pub(crate) fn findings(self) -> Vec<Finding> {
        let names = self.all_targets();
        with_known_names(self.found(), &names)
    }

    /// All findings, as they were found.
    pub(crate) fn found(mut self) -> Vec<Finding> {
        let mut diagnostics: Vec<Diagnostic> = self.project.diagnostics().to_vec();
        if diagnostics.iter().any(Diagnostic::is_error) {
            // If the text has errors, errors about the question are not reported: they may be due to what could not
            // be read.
            self.unknown.retain(|diagnostic| !diagnostic.is_error());
        }
        diagnostics.append(&mut self.unknown);
        self.elaboration.check_unused(&|definition| self.used.contains(definition));
        let read = diagnostics.clone();
        let overlaps = |diagnostic: &Diagnostic| {
            read.iter().any(|syntax| syntax.is_error() && diagnostic.span.overlaps(syntax.span))
        };
        // Where the text could not be read, this has been reported, and findings about its meaning are dropped.
        let mut meant = self.elaboration.diagnostics();
        for warning in self.recalled {
            if !meant.contains(&warning) {
                meant.push(warning);
            }
        }
        diagnostics.extend(meant.into_iter().filter(|diagnostic| !overlaps(diagnostic)));
        diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end));
        let findings = diagnostics.iter().map(|diagnostic| Finding::new(self.project, diagnostic));
        findings.chain(self.beside.into_iter().flat_map(|beside| beside.found())).collect()
    }
}

/// A target that a part watches, with that part as the first one if it is a program.
fn with_watcher((target, watcher): WatchedTarget) -> (Target<Behaviour>, ComponentId) {
    let mut first = watcher;
    let target = target.map(|behaviour| {
        let (behaviour, place) = behaviour.with_watcher(watcher);
        first = place;
        behaviour
    });
    (target, first)
}

/// The error that a property is about whole executions, in a language that does not define where they end.
fn no_end(property: &str, place: Span) -> Diagnostic {
    let message = format!(
        "property `{property}` is about whole executions, and this language does not say where they end"
    );
    Diagnostic::error(explain::NO_END, place, message)
        .with_help("quantified regular expressions are about programs of tasks (.adb)")
}

/// The error that two names in a property mean the same action.
fn twice(property: &str, Ambiguous { first, second, action }: &Ambiguous) -> Diagnostic {
    let message =
        format!("property `{property}` calls the event {action} by two names, {first} and {second}");
    Diagnostic::error(explain::EVENT_NAMED_TWICE, Span::new(0, 0), message)
        .with_help("use one of them throughout")
}

/// Whether a word is the name of a property that a definition yields: its own name, or one with indices, such as
/// `P.1` for `P`.
pub(crate) fn is_made_by(word: &str, definition: &str) -> bool {
    word.strip_prefix(definition).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
