//! The parts of a question about assumptions: components, environments and properties, by name, from one or several
//! files.

use std::sync::Arc;

use rely_assume::{Goal, Problem};
use rely_base::{Budget, Diagnostic, Exhausted, Id, Span};
use rely_lts::{Component, ComponentId, Lts, Network, operators};
use rely_model::{DEFAULT, Failure, PartKind, PartTable, Reduction, Target};

use crate::explain::PROPERTY_BUILT_IN;
use crate::goals::ERROR;
use crate::meaning::Meaning;
use crate::report::Finding;
use crate::states::StateNaming;
use crate::{Project, doubts, explain};

/// The code for an undefined name.
const UNDEFINED: &str = "E0315";

/// Maximum number of names in a list.
const MOST_NAMES: usize = 12;

/// A component that was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) component: Component,
    /// The description of the part.
    pub(crate) about: rely_model::Part,
}

/// Several files. A name is looked up in the first file that defines it.
pub(crate) struct Library<'a> {
    files: Vec<(&'a str, Meaning<'a>)>,
    pub(crate) warnings: Vec<String>,
    /// Warnings of properties inside parts that were built first, and that have actions that no component has.
    pub(crate) warnings_inside: Vec<String>,
    /// The names of the states of what was asked for.
    pub(crate) states: StateNaming,
    /// The parts of everything that was asked for.
    pub(crate) table: PartTable,
}

impl<'a> Library<'a> {
    /// The library of some projects; there has to be at least one.
    pub(crate) fn of(projects: &'a [Project], budget: Budget<'a>) -> Self {
        assert!(!projects.is_empty(), "a question is about a file");
        let mut files = Vec::new();
        for project in projects {
            let mut meaning = Meaning::of(project, budget);
            let beside = project.properties().zip(meaning.of_properties());
            files.push((project.name(), meaning));
            files.extend(beside.map(|(properties, meaning)| (properties.name(), meaning)));
        }
        Self {
            files,
            warnings: Vec::new(),
            warnings_inside: Vec::new(),
            states: StateNaming::default(),
            table: PartTable::default(),
        }
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.files.iter().any(|(_, meaning)| meaning.has_errors())
    }

    /// All findings. An unknown name without a similar one gets the list of known names as help.
    pub(crate) fn findings(self) -> Vec<Finding> {
        let names = self.names();
        let found = self.files.into_iter().flat_map(|(_, meaning)| meaning.found());
        with_known_names(found.collect(), &names)
    }

    /// All processes and composites, in order of definition.
    pub(crate) fn names(&self) -> Vec<String> {
        self.files.iter().flat_map(|(_, meaning)| meaning.all_targets()).collect()
    }

    /// The file that defines a name; the first one if none does, so that it reports the error.
    fn file(&mut self, name: &str) -> usize {
        let mut having: Vec<usize> = (0..self.files.len())
            .filter(|&i| self.files[i].1.has_target(name) && (name != DEFAULT || i == 0))
            .collect();
        if having.len() > 1 {
            let names: Vec<&str> = having.iter().map(|&i| self.files[i].0).collect();
            let warning = format!("{name} is defined in {}; the first is taken", names.join(" and in "));
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        having.truncate(1);
        having.pop().unwrap_or(0)
    }

    /// The components with the given names, in parallel.
    ///
    /// A composite that is only a parallel composition gives its parts; any other is built and becomes one component.
    pub(crate) fn parts(&mut self, names: &[String], budget: &Budget<'_>) -> Result<Vec<Part>, Failure> {
        let mut parts = Vec::new();
        let mut failure = None;
        for name in names {
            let file = self.file(name);
            let meaning = &mut self.files[file].1;
            // After an error in one name, the others are still checked.
            match meaning.target(name) {
                Ok(target) => {
                    self.states.add(&target.behaviour, &target.parts);
                    parts.extend(components_of(&target, budget).map_err(Failure::Exhausted)?);
                }
                Err(Failure::Errors) => failure = Some(Failure::Errors),
                Err(exhausted) => return Err(exhausted),
            }
        }
        self.table.add(parts.iter().map(|part| &part.about));
        failure.map_or(Ok(parts), Err)
    }

    /// The components with the given names, for a question about assumptions: property processes only observe.
    ///
    /// A composite that has to be built (`minimal`, hiding, priority) is built without the properties among its
    /// parts, which restrict nothing; otherwise a failure of a property would count as a failure of the component. If
    /// such a composite is itself a part of another, it has been built with its properties, and is rejected.
    pub(crate) fn behaviour(&mut self, names: &[String], budget: &Budget<'_>) -> Result<Vec<Part>, Failure> {
        let mut parts = Vec::new();
        let mut failure = None;
        for name in names {
            let file = self.file(name);
            let meaning = &mut self.files[file].1;
            match meaning.target(name) {
                Ok(target) => match behaviour_of(meaning, &target, budget)? {
                    Some(found) => parts.extend(found),
                    None => failure = Some(Failure::Errors),
                },
                Err(Failure::Errors) => failure = Some(Failure::Errors),
                Err(exhausted) => return Err(exhausted),
            }
        }
        self.table.add(parts.iter().map(|part| &part.about));
        failure.map_or(Ok(parts), Err)
    }

    /// The visible actions of a target.
    pub(crate) fn actions(&mut self, name: &str) -> Result<Vec<String>, Failure> {
        let file = self.file(name);
        let target = self.files[file].1.target(name)?;
        Ok(target.behaviour.visible_alphabet().names().map(str::to_owned).collect())
    }

    /// Why [`Library::behaviour`] rejects a name, if it does, without reporting an error.
    pub(crate) fn refusal(&mut self, name: &str) -> Result<Option<String>, Failure> {
        let file = self.file(name);
        let meaning = &mut self.files[file].1;
        let target = meaning.target(name)?;
        let built_in = properties_built_in(meaning, &target).into_iter().next();
        Ok(built_in.map(|diagnostic| diagnostic.message))
    }

    /// The network of a composite, with all its components and its hiding.
    pub(crate) fn system(&mut self, name: &str) -> Result<Network, Failure> {
        let file = self.file(name);
        let meaning = &mut self.files[file].1;
        let target = meaning.target(name)?;
        if let Some(why) = target.overapproximates {
            let message = format!("`{name}` alone cannot be verified: {why}");
            let help = "ask about the whole system, or `rely check`, which says what is known";
            let error = Diagnostic::error(explain::BOUNDED, Span::new(0, 0), message);
            meaning.report(error.with_help(help));
            return Err(Failure::Errors);
        }
        self.warnings_inside = doubts::of_properties_inside(&target);
        self.states.add(&target.behaviour, &target.parts);
        self.table.add(&target.parts);
        Ok(target.behaviour)
    }

    /// The network, as [`Library::system`] makes it, after checking the names of properties: an unknown one is an
    /// error even if the system is too large.
    pub(crate) fn system_with(
        &mut self,
        name: &str,
        properties: &[String],
        budget: &Budget<'_>,
    ) -> Result<Network, Failure> {
        let system = self.system(name);
        // Names with other characters than letters may be those of parts, which are known only when the system is.
        let is_plain =
            |name: &&String| name.chars().all(|c| c.is_alphanumeric() || c == '_') && name.as_str() != ERROR;
        if let Err(Failure::Exhausted(_)) = system {
            for property in properties.iter().filter(is_plain) {
                if let Err(Failure::Errors) = self.property(property, budget) {
                    return Err(Failure::Errors);
                }
            }
        }
        system
    }

    /// The names of the property processes that the files declare.
    pub(crate) fn declared_properties(&self) -> Vec<String> {
        let properties = self.files.iter().flat_map(|(_, meaning)| meaning.declared_properties());
        properties.map(str::to_owned).collect()
    }

    /// The property with a name: a property process, an assertion, or a process that is used as a property, so that
    /// everything that it does not allow is an error.
    pub(crate) fn property(&mut self, name: &str, budget: &Budget<'_>) -> Result<Goal, Failure> {
        if !self.files.iter().any(|(_, meaning)| meaning.has_target(name))
            && let Some(lts) = self.assertion(name)
        {
            let component = Component { name: name.to_owned(), lts: lts? };
            return Ok(Goal::property(component));
        }
        let parts = self.parts(&[name.to_owned()], budget)?;
        let mut components = Vec::new();
        for Part { mut component, about } in parts {
            if component.lts.error().is_none() {
                if !about.is_property() {
                    let taken = "is not declared as a property, and is taken as one";
                    self.warnings.push(format!("{} {taken}", component.name));
                }
                component.lts = Arc::new(operators::trim(&operators::complete(&component.lts)));
            }
            components.push(component);
        }
        Ok(Goal { name: name.to_owned(), components })
    }

    fn assertion(&mut self, name: &str) -> Option<Result<Arc<Lts>, Failure>> {
        self.files.iter_mut().find_map(|(_, meaning)| meaning.assertion_as_property(name))
    }

    /// Components that cannot fail: property processes are left out, and the others halt where they would fail.
    pub(crate) fn faultless(&mut self, parts: Vec<Part>) -> Vec<Component> {
        let mut components = Vec::new();
        if !parts.is_empty() && parts.iter().all(|part| part.about.is_property()) {
            let names: Vec<&str> = parts.iter().map(|part| part.component.name.as_str()).collect();
            self.warnings.push(format!(
                "{} only observes, as every property does: it is not a component",
                names.join(", ")
            ));
        }
        for Part { component, about } in parts {
            if about.is_property() {
                continue;
            }
            if component.lts.error().is_some() {
                let warning = "can fail by itself; only runs up to that are considered";
                self.warnings.push(format!("{} {warning}", component.name));
            }
            components.push(component);
        }
        let network = Network::new(components);
        Problem::new("", &network, &[], &[]).parts
    }
}

/// Findings; an unknown name that was asked for, and that is similar to no other, gets the list of known names as help.
pub(crate) fn with_known_names(mut findings: Vec<Finding>, names: &[String]) -> Vec<Finding> {
    let is_asked_for = |finding: &&mut Finding| {
        finding.code == UNDEFINED && finding.place.is_none() && finding.help.is_none()
    };
    findings.iter_mut().filter(is_asked_for).for_each(|finding| finding.help = listed(names));
    findings
}

/// A sentence that lists some names.
pub(crate) fn listed(names: &[String]) -> Option<String> {
    let shown = names.iter().take(MOST_NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len() {
        0 => None,
        count if count > MOST_NAMES => Some(format!("there are {shown} and {} more", count - MOST_NAMES)),
        1 => Some(format!("there is {shown}")),
        _ => Some(format!("there are {shown}")),
    }
}

/// The parts of a target, whose properties only observe; `None` if it is rejected, which has been reported.
fn behaviour_of(
    meaning: &mut Meaning<'_>,
    target: &Target,
    budget: &Budget<'_>,
) -> Result<Option<Vec<Part>>, Failure> {
    let refused = properties_built_in(meaning, target);
    if !refused.is_empty() {
        refused.into_iter().for_each(|diagnostic| meaning.report(diagnostic));
        return Ok(None);
    }
    let is_property: Vec<bool> = target.parts.iter().map(rely_model::Part::is_property).collect();
    let only_looks_on = is_property.iter().all(|&is| is);
    let target = if only_looks_on { target.clone() } else { without(target, &is_property) };
    let mut built = components_of(&target, budget).map_err(Failure::Exhausted)?;
    if only_looks_on {
        // A composition of properties only observes, even if it is declared as something else.
        built.iter_mut().for_each(|part| part.about.kind = PartKind::Property);
    }
    Ok(Some(built))
}

/// The parts of a target that were built with a property inside, which can fail.
fn properties_built_in(meaning: &mut Meaning<'_>, target: &Target) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (component, part) in target.behaviour.components().iter().zip(&target.parts) {
        if component.lts.error().is_some()
            && !part.is_property()
            && let Some((span, property)) = meaning.property_inside(&part.definition)
        {
            found.push(property_is_built_in(component, &property, span));
        }
    }
    found
}

fn property_is_built_in(component: &Component, property: &str, span: Span) -> Diagnostic {
    let message =
        format!("`{}` is built before it is composed, with the property `{property}` in it", component.name);
    let help = "a failure of the property would be one of the component: leave the property out of it, or compose them \
                without `minimal`, `deterministic`, priority and hiding";
    Diagnostic::error(PROPERTY_BUILT_IN, span, message).with_help(help)
}

/// A target without some of its components, with the same priority and hiding.
fn without(target: &Target, is_left_out: &[bool]) -> Target {
    let network = &target.behaviour;
    let id = |name: &str| network.alphabet().get(name);
    let kept = || is_left_out.iter().map(|&is_left_out| !is_left_out);
    let components = network.components().iter().zip(kept()).filter(|(_, is_kept)| *is_kept);
    let mut left = Network::new(components.map(|(component, _)| component.clone()).collect());
    if let Some(priority) = network.priority() {
        left = left
            .with_priority(priority.rank, |name| id(name).is_some_and(|action| priority.is_named(action)));
    }
    let left = left.with_hidden(|name| id(name).is_some_and(|action| network.is_hidden(action)));
    let parts = target.parts.iter().zip(kept()).filter(|(_, is_kept)| *is_kept);
    let parts = parts.map(|(part, _)| part.clone()).collect();
    Target { behaviour: left, parts, ..target.clone() }
}

/// The components of a target that is only a parallel composition; any other is built and becomes one.
fn components_of(target: &Target, budget: &Budget<'_>) -> Result<Vec<Part>, Exhausted> {
    let network = &target.behaviour;
    let is_plain = network.priority().is_none() && !network.has_hidden();
    if is_plain && target.reduction == Reduction::default() {
        let parts = network.components().iter().cloned().zip(target.parts.iter().cloned());
        return Ok(parts.map(|(component, about)| Part { component, about }).collect());
    }
    let lts = rely_model::compose(target, budget)?;
    let component = Component { name: target.name.clone(), lts: Arc::new(lts) };
    Ok(vec![Part { component, about: target.as_part() }])
}

/// The components of a network, by number.
pub(crate) fn ids(network: &Network) -> impl Iterator<Item = ComponentId> + use<> {
    (0..network.components().len()).map(ComponentId::from_index)
}
