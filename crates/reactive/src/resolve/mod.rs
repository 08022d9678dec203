//! Giving names and indices a meaning: from the abstract syntax of a system to machines, events and formulas.
//!
//! **Order.** First constants and parameters have to be known, then which components and machines there are, then which
//! events: those that are declared, and those that some machine sends. Only then can conditions and properties be read,
//! because a lower-case name in them may be any of these.
//!
//! All mistakes are collected: one ends the reading of the transition, declaration or property that has it, and the rest
//! goes on. What a mistake leaves behind is never shown, because a system with mistakes is not analysed.

mod events;
mod formulas;
mod machines;
mod misspelt;
mod numbers;
mod warnings;

pub(crate) use events::END;

use std::sync::Arc;

use rely_base::{Code, Diagnostic, Id, Span};
use rely_syntax::{nearest, say_how_many_more};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast;
use crate::codes;
use crate::system::{Component, ComponentId, EventId, MachineId, System};

/// How many machines, states, transitions and events a system may have together.
const MAX_INSTANCES: usize = 300_000;

/// How many findings are kept.
const MAX_FINDINGS: usize = 500;

/// How many names may be compared with misspelt ones, in all the advice that is given.
const MAX_COMPARISONS: usize = 1_000_000;

/// The system that a definition describes, and what is wrong with it. There is none if there are errors.
pub(crate) fn system(file: &ast::File, def: &ast::SystemDef) -> (Option<System>, Vec<Diagnostic>) {
    let mut resolver = Resolver::new(file);
    resolver.system.name = def.name.text.to_string();
    resolver.constants(&file.definitions);
    resolver.parameters(&def.params);
    resolver.instances(def);
    resolver.declarations();
    resolver.machines();
    resolver.conditions();
    resolver.properties();
    resolver.names_outside(def.name.span);
    if resolver.errors == 0 && !file.flaws.has_errors {
        resolver.warnings();
    }
    let is_sound = resolver.errors == 0 && !file.flaws.has_errors;
    let diagnostics = resolver.findings.all();
    (is_sound.then_some(resolver.system), diagnostics)
}

/// What an index variable, and what a constant stands for.
type Variables = Vec<(Arc<str>, i32)>;

/// Where an expression stands: what its variables are, and whose names it sees.
#[derive(Clone, Debug, Default)]
struct Scope {
    variables: Variables,
    component: Option<ComponentId>,
}

/// A component or the system as a place of names.
type Owner = Option<ComponentId>;

/// A component, a machine, or the system itself with what stands in it.
struct Instance<'a, D: ?Sized> {
    def: &'a D,
    scope: Scope,
}

/// All findings, each once.
struct Findings<'a> {
    flaws: &'a ast::Flaws,
    kept: Vec<Diagnostic>,
    dropped: usize,
    known: FxHashSet<(Span, Code)>,
}

impl Findings<'_> {
    fn all(mut self) -> Vec<Diagnostic> {
        self.kept.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end, diagnostic.code));
        say_how_many_more(&mut self.kept, self.dropped);
        self.kept
    }

    /// Keeps a finding, unless it is known or may only follow from what could not be read.
    fn add(&mut self, diagnostic: Diagnostic) {
        if self.flaws.cover(diagnostic.span) || !self.known.insert((diagnostic.span, diagnostic.code)) {
            return;
        }
        match self.kept.len() < MAX_FINDINGS {
            true => self.kept.push(diagnostic),
            false => self.dropped += 1,
        }
    }
}

/// A transition of a machine for some values of its indices.
struct Raw<'a> {
    machine: MachineId,
    def: &'a ast::TransitionDef,
    scope: Scope,
    /// The states before it, and the one behind it.
    sources: Vec<u32>,
    target: u32,
    /// The timer of the state before it, if it waits.
    timer: Option<u32>,
    restarts: Vec<u32>,
    outputs: Vec<EventId>,
}

/// A system that is being resolved.
struct Resolver<'a> {
    findings: Findings<'a>,
    /// How many errors there are, those that are not kept included.
    errors: usize,
    constants: FxHashMap<Arc<str>, i32>,
    ranges: FxHashMap<Arc<str>, (i32, i32)>,
    /// Where each constant, parameter and range is defined.
    defined: FxHashMap<Arc<str>, Span>,
    /// The items of the system, then those of each component.
    items: Vec<(Instance<'a, [ast::Item]>, Owner)>,
    /// The definitions of machines, in the order of the machines.
    machine_defs: Vec<Instance<'a, ast::MachineDef>>,
    /// The events by owner and name with indices.
    events: FxHashMap<(Owner, String), EventId>,
    /// For each state of each machine, by name, its innermost states.
    states: Vec<FxHashMap<String, Vec<u32>>>,
    /// The machines by name.
    machine_ids: FxHashMap<String, MachineId>,
    /// The events that properties speak about.
    mentioned: FxHashSet<EventId>,
    /// The states that conditions and properties speak about: the place of the machine's definition, and the name.
    states_asked_about: FxHashSet<(Span, Arc<str>)>,
    /// All transitions before their conditions are read.
    raw: Vec<Raw<'a>>,
    /// How many machines, states, transitions and events there are.
    instances: usize,
    /// How many names may still be compared with misspelt ones.
    comparisons: usize,
    /// How many pairs of transitions have been compared.
    pairs: usize,
    system: System,
}

impl<'a> Resolver<'a> {
    fn new(file: &'a ast::File) -> Self {
        let (kept, dropped, known) = (Vec::new(), 0, FxHashSet::default());
        Self {
            findings: Findings { flaws: &file.flaws, kept, dropped, known },
            errors: 0,
            constants: FxHashMap::default(),
            ranges: FxHashMap::default(),
            defined: FxHashMap::default(),
            items: Vec::new(),
            machine_defs: Vec::new(),
            events: FxHashMap::default(),
            states: Vec::new(),
            machine_ids: FxHashMap::default(),
            mentioned: FxHashSet::default(),
            states_asked_about: FxHashSet::default(),
            raw: Vec::new(),
            instances: 0,
            comparisons: MAX_COMPARISONS,
            pairs: 0,
            system: System::default(),
        }
    }

    /// Adds a finding. Gives nothing, which is what a mistake leaves of the thing that has it.
    fn report<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.errors += usize::from(diagnostic.is_error());
        self.findings.add(diagnostic);
        None
    }

    /// Adds an error.
    fn error<T>(&mut self, code: Code, span: Span, message: impl Into<String>) -> Option<T> {
        self.report(Diagnostic::error(code, span, message))
    }

    /// Adds an error about a name that is not defined, with advice, unless it may be defined where the text could not be
    /// read.
    fn undefined<'n, T>(
        &mut self,
        diagnostic: Diagnostic,
        name: &ast::Name,
        known: impl Iterator<Item = &'n str>,
    ) -> Option<T> {
        if self.findings.flaws.may_define(&name.text) {
            self.errors += 1;
            return None;
        }
        let known: Vec<&str> = known.take(self.comparisons).collect();
        self.comparisons -= known.len();
        let diagnostic = match nearest(&name.text, known.into_iter()) {
            Some(near) => diagnostic.did_you_mean(near),
            None => diagnostic,
        };
        self.report(diagnostic)
    }

    /// Counts one more machine, state, transition or event. Whether there may be one more.
    fn pay(&mut self, place: Span) -> bool {
        self.instances += 1;
        if self.instances == MAX_INSTANCES + 1 {
            let message =
                format!("the system has more than {MAX_INSTANCES} machines, states, transitions and events");
            let diagnostic =
                Diagnostic::error(codes::TOO_LARGE, place, message).with_help("use a smaller range");
            self.report::<()>(diagnostic);
        }
        self.instances <= MAX_INSTANCES
    }

    /// Finds out which components and machines there are.
    fn instances(&mut self, def: &'a ast::SystemDef) {
        let system = Scope::default();
        self.items.push((Instance { def: &def.items, scope: system.clone() }, None));
        let mut names = Names::default();
        for item in &def.items {
            let ast::Item::Component(component) = item else { continue };
            for scope in self.bindings(&component.binders, &system) {
                let name = indexed(&component.name.text, &component.binders, &scope);
                if !names.add(self, &name, component.name.span) || !self.pay(component.name.span) {
                    continue;
                }
                let id = ComponentId::from_index(self.system.components.len());
                self.system.components.push(Component {
                    name,
                    definition: component.name.text.to_string(),
                    place: component.name.span,
                    takes: Vec::new(),
                    gives: Vec::new(),
                });
                let scope = Scope { component: Some(id), ..scope };
                self.items.push((Instance { def: &component.items, scope }, Some(id)));
            }
        }
        for place in 0..self.items.len() {
            let (instance, owner) = &self.items[place];
            let (items, scope, owner) = (instance.def, instance.scope.clone(), *owner);
            let mut names = if owner.is_none() { std::mem::take(&mut names) } else { Names::default() };
            for item in items {
                if let ast::Item::Machine(machine) = item {
                    self.machine_instances(machine, &scope, &mut names);
                }
            }
        }
        if self.machine_defs.is_empty() && self.errors == 0 {
            let message = format!("system `{}` has no machines", def.name.text);
            self.error::<()>(codes::EMPTY, def.name.span, message);
        }
    }

    /// A name with the component that it belongs to.
    fn qualified(&self, owner: Owner, name: &str) -> String {
        match owner {
            None => name.to_owned(),
            Some(owner) => format!("{}.{name}", self.system.component(owner).name),
        }
    }

    /// What is meant by `what` in messages: a component or the system.
    fn place_name(&self, owner: Owner) -> String {
        match owner {
            None => "the system".to_owned(),
            Some(owner) => format!("component `{}`", self.system.component(owner).name),
        }
    }
}

/// The names that are taken at some place.
#[derive(Default)]
struct Names(FxHashMap<String, Span>);

impl Names {
    /// Takes a name, or says that it is taken.
    fn add(&mut self, resolver: &mut Resolver<'_>, name: &str, place: Span) -> bool {
        match self.0.get(name) {
            None => {
                self.0.insert(name.to_owned(), place);
                true
            }
            Some(&first) => {
                let message = format!("`{name}` is defined twice");
                let diagnostic = Diagnostic::error(codes::DUPLICATE, place, message);
                resolver.report::<()>(diagnostic.with_note(first, "it is defined here"));
                false
            }
        }
    }
}

/// A name with the values that its binders have in a scope: `Pump[1]`.
fn indexed(name: &str, binders: &[ast::Binder], scope: &Scope) -> String {
    let values = scope.variables.iter().skip(scope.variables.len() - binders.len());
    let indices: String = values.map(|(_, value)| format!("[{value}]")).collect();
    format!("{name}{indices}")
}
