//! Which events there are, and what a lower-case name means at a place.
//!
//! Inputs and outputs of the system, what components give, and what machines outside of components send are known by name
//! everywhere. What is declared with `input` or `output` in a component, and what its machines send without declaring it,
//! belongs to the component: `Pump[1].reading`. A component sees what belongs to it, what it gives and takes, and the
//! inputs and outputs of the system.

use rely_base::{Diagnostic, Id, Span};

use super::{Owner, Resolver, Scope};
use crate::ast::{self, Direction};
use crate::codes;
use crate::system::{Event, EventId, EventKind};

impl<'a> Resolver<'a> {
    /// Collects the declared events. What is taken is looked up later, when all that is sent is known.
    pub(super) fn declarations(&mut self) {
        for place in 0..self.items.len() {
            let (instance, owner) = &self.items[place];
            let (items, scope, owner) = (instance.def, instance.scope.clone(), *owner);
            for item in items {
                let ast::Item::Events(def) = item else { continue };
                let known = self.system.events.len();
                for event in &def.events {
                    self.declare(def.direction, event, &scope, owner);
                }
                if def.is_one_of {
                    let number = u32::try_from(known).unwrap_or(u32::MAX);
                    for event in &mut self.system.events[known..] {
                        event.group = Some(number);
                    }
                }
            }
        }
    }

    fn declare(&mut self, direction: Direction, event: &'a ast::EventDecl, scope: &Scope, owner: Owner) {
        let is_crossing = matches!(direction, Direction::Takes | Direction::Gives);
        let Some(owner_id) = owner else {
            if is_crossing {
                let help = "a system has `input` and `output`; `takes` and `gives` belong to components";
                let message = "this says what crosses the border of a component, and there is none around it";
                let diagnostic = Diagnostic::error(codes::MISPLACED, event.span, message);
                self.report::<()>(diagnostic.with_help(help));
            } else {
                self.declare_all(direction, event, scope, None);
            }
            return;
        };
        match direction {
            Direction::Takes => {}
            Direction::Gives => {
                for id in self.declare_all(direction, event, scope, None) {
                    let gives = &mut self.system.components[owner_id.index()].gives;
                    if let Err(at) = gives.binary_search(&id) {
                        gives.insert(at, id);
                    }
                }
            }
            Direction::Input | Direction::Output => {
                self.declare_all(direction, event, scope, owner);
            }
        }
    }

    /// Declares all elements of an array of events.
    fn declare_all(
        &mut self,
        direction: Direction,
        event: &ast::EventDecl,
        scope: &Scope,
        owner: Owner,
    ) -> Vec<EventId> {
        let kind = match direction {
            Direction::Input => EventKind::Input,
            Direction::Output => EventKind::Output,
            Direction::Takes | Direction::Gives => EventKind::Internal,
        };
        let Some(tuples) = self.index_tuples(&event.indices, scope) else { return Vec::new() };
        let mut ids = Vec::new();
        for tuple in tuples {
            let name = format!("{}{tuple}", event.name.text);
            match self.events.get(&(owner, name.clone())) {
                // Several components may give the same event.
                Some(&known) if direction == Direction::Gives && self.system.event(known).kind == kind => {
                    ids.push(known);
                }
                Some(&known) => {
                    let first = self.system.event(known).place;
                    let message = format!("event `{name}` is declared twice");
                    let diagnostic = Diagnostic::error(codes::DUPLICATE, event.span, message);
                    self.report::<()>(diagnostic.with_note(first, "it is declared here"));
                }
                None => ids.extend(self.new_event(owner, name, kind, event.span)),
            }
        }
        ids
    }

    fn new_event(&mut self, owner: Owner, name: String, kind: EventKind, place: Span) -> Option<EventId> {
        if !self.pay(place) {
            return None;
        }
        let id = EventId::from_index(self.system.events.len());
        let full = self.qualified(owner, &name);
        let (senders, readers) = (Vec::new(), Vec::new());
        let action = action_name(&full);
        self.system.events.push(Event {
            name: full,
            action,
            kind,
            group: None,
            owner,
            senders,
            readers,
            place,
        });
        self.events.insert((owner, name), id);
        Some(id)
    }

    /// The events that a machine sends by a name behind `/`.
    pub(super) fn sent(&mut self, event: &ast::EventDecl, scope: &Scope) -> Option<Vec<EventId>> {
        let owner = scope.component;
        let mut ids = Vec::new();
        for tuple in self.index_tuples(&event.indices, scope)? {
            let name = format!("{}{tuple}", event.name.text);
            let own = self.events.get(&(owner, name.clone())).copied();
            let global = self.events.get(&(None, name.clone())).copied();
            let gives = |id: &EventId| match owner {
                None => true,
                Some(owner) => self.system.component(owner).gives.contains(id),
            };
            let is_outside = |id: &EventId| self.system.event(*id).kind != EventKind::Internal;
            let known = own.or_else(|| global.filter(|id| gives(id) || is_outside(id)));
            let id = match known {
                Some(id) => id,
                None => self.new_event(owner, name.clone(), EventKind::Internal, event.span)?,
            };
            if self.system.event(id).kind == EventKind::Input {
                let first = self.system.event(id).place;
                let message =
                    format!("`{name}` comes from outside of the system, and no machine can send it");
                let diagnostic = Diagnostic::error(codes::SENDS_INPUT, event.span, message);
                return self.report(diagnostic.with_note(first, "it is declared as an input here"));
            }
            ids.push(id);
        }
        Some(ids)
    }

    /// Looks up what components take, once everything that is sent is known.
    pub(super) fn taken(&mut self) {
        for place in 0..self.items.len() {
            let (instance, owner) = &self.items[place];
            let (items, scope, Some(owner)) = (instance.def, instance.scope.clone(), *owner) else {
                continue;
            };
            for item in items {
                let ast::Item::Events(def) = item else { continue };
                for event in def.events.iter().filter(|_| def.direction == Direction::Takes) {
                    for id in self.look_up_taken(event, &scope) {
                        let takes = &mut self.system.components[owner.index()].takes;
                        if let Err(at) = takes.binary_search(&id) {
                            takes.insert(at, id);
                        }
                    }
                }
            }
        }
    }

    fn look_up_taken(&mut self, event: &ast::EventDecl, scope: &Scope) -> Vec<EventId> {
        let Some(tuples) = self.index_tuples(&event.indices, scope) else { return Vec::new() };
        let mut ids = Vec::new();
        for tuple in tuples {
            let name = format!("{}{tuple}", event.name.text);
            let own = self.events.get(&(scope.component, name.clone())).copied();
            let found = self.events.get(&(None, name.clone())).copied();
            match found.map(|id| (id, self.system.event(id).kind)) {
                _ if own.is_some() => {
                    let message =
                        format!("`{name}` is sent by a machine of this component, so it cannot take it");
                    self.error::<()>(codes::SENDS_INPUT, event.span, message);
                }
                Some((id, EventKind::Internal)) => ids.push(id),
                Some((_, EventKind::Input)) => {
                    let help = "delete it here: every component sees the inputs of the system";
                    let message = format!("`{name}` is an input of the system, and comes from no component");
                    let diagnostic = Diagnostic::error(codes::BORDER, event.span, message);
                    self.report::<()>(diagnostic.with_help(help));
                }
                Some((_, EventKind::Output)) => {
                    let message =
                        format!("`{name}` is an output of the system, and nobody in it can take it");
                    self.error::<()>(codes::READS_OUTPUT, event.span, message);
                }
                None => {
                    let message = format!("nobody gives `{name}`");
                    let diagnostic = Diagnostic::error(codes::UNDEFINED_NAME, event.span, message);
                    let known = self.global_names();
                    self.undefined::<()>(diagnostic, &event.name, known.iter().map(String::as_str));
                }
            }
        }
        ids
    }

    /// The names of the events that are known everywhere, without indices, sorted.
    fn global_names(&self) -> Vec<String> {
        let global = self.events.keys().filter(|(owner, _)| owner.is_none());
        let mut names: Vec<String> = global.map(|(_, name)| without_indices(name)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The event that a name means at a place.
    pub(super) fn event_called(
        &mut self,
        name: &ast::Name,
        tuple: &str,
        span: Span,
        scope: &Scope,
    ) -> Option<EventId> {
        let owner = scope.component;
        let full = format!("{}{tuple}", name.text);
        if let Some(&own) = self.events.get(&(owner, full.clone())) {
            return Some(own);
        }
        let global = self.events.get(&(None, full.clone())).copied();
        match (global, owner) {
            (Some(id), Some(component)) => {
                let component = self.system.component(component);
                let is_known = self.system.event(id).kind != EventKind::Internal
                    || component.takes.contains(&id)
                    || component.gives.contains(&id);
                if is_known {
                    return Some(id);
                }
                let message = format!("`{full}` comes from outside of component `{}`", component.name);
                let help = format!("declare it in the component: `takes {full}`");
                self.report(Diagnostic::error(codes::BORDER, span, message).with_help(help))
            }
            (Some(id), None) => Some(id),
            (None, _) => self.no_event(name, &full, span, scope),
        }
    }

    fn no_event<T>(&mut self, name: &ast::Name, full: &str, span: Span, scope: &Scope) -> Option<T> {
        let owner = scope.component;
        let belongs = |id: EventId| self.system.event(id).owner.filter(|&it| Some(it) != owner);
        let foreign = self.events.iter().filter(|((_, name), _)| name == full);
        let foreign = foreign.filter_map(|(_, &id)| belongs(id)).min();
        if let Some(foreign) = foreign {
            let component = &self.system.component(foreign).name;
            let message = format!("`{full}` belongs to component `{component}`, which does not give it");
            let help = match owner {
                None => format!(
                    "write `{component}.{full}` in a property, or declare `gives {full}` in the component"
                ),
                Some(_) => {
                    format!("declare `gives {full}` in component `{component}`, and `takes {full}` here")
                }
            };
            return self.report(Diagnostic::error(codes::BORDER, span, message).with_help(help));
        }
        let mut known = self.global_names();
        let own = self.events.keys().filter(|(it, _)| owner.is_some() && *it == owner);
        known.extend(own.map(|(_, name)| without_indices(name)));
        known.extend(scope.variables.iter().map(|(name, _)| name.to_string()));
        known.sort_unstable();
        known.dedup();
        let message = if known.binary_search(&name.text.to_string()).is_ok() {
            format!("there is no event `{full}`")
        } else {
            format!(
                "event `{full}` is not defined: it is no input, and no machine of {} sends it",
                self.place_name(owner)
            )
        };
        let known = known.iter().map(String::as_str).filter(|known| **known != *name.text);
        self.undefined(Diagnostic::error(codes::UNDEFINED_NAME, span, message), name, known)
    }

    /// Two events must not have the same name for properties in FSP.
    pub(super) fn names_outside(&mut self, system: Span) {
        let mut named: rustc_hash::FxHashMap<String, EventId> = rustc_hash::FxHashMap::default();
        for number in 0..self.system.events.len() {
            let id = EventId::from_index(number);
            let Event { name, action, place, .. } = self.system.event(id).clone();
            if action == END {
                let message = "no event can be called `end`: that is the end of a macrostep";
                self.error::<()>(codes::SAME_ACTION, place, message);
            }
            if let Some(&other) = named.get(&action) {
                let other = self.system.event(other).clone();
                let message =
                    format!("`{name}` and `{}` are both `{action}` outside of the system", other.name);
                let place = if place == other.place { system } else { place };
                let diagnostic = Diagnostic::error(codes::SAME_ACTION, place, message);
                self.report::<()>(diagnostic.with_note(other.place, "the other one is here"));
            }
            named.insert(action, id);
        }
    }
}

/// The action that ends a macrostep.
pub(crate) const END: &str = "end";

/// The name of an event for properties in FSP: each part begins with a lower-case letter, and indices are parts.
fn action_name(name: &str) -> String {
    let parts = name.split(['.', '[']).map(|part| part.trim_end_matches(']'));
    let parts = parts.map(|part| {
        let mut letters = part.chars();
        letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect::<String>()
    });
    parts.collect::<Vec<String>>().join(".")
}

fn without_indices(name: &str) -> String {
    name.split('[').next().unwrap_or(name).to_owned()
}
