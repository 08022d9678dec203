//! The definitions of a file by name, and the values of its constants, ranges and sets.

use std::sync::Arc;

use rely_base::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use super::effort::name_bytes;
use super::scope::{Global, Scope, Value};
use super::{Elaborator, Fallible, Reported, codes};
use crate::ast::{
    AssertDef, AssertKind, Call, CompositeDef, Definition, FluentDef, ImportDef, Name, Param, ProcessDef,
};

/// The definitions of a file, by name where they are called by name.
#[derive(Default)]
pub(super) struct Definitions<'a> {
    /// The primitive processes.
    pub(super) processes: FxHashMap<Arc<str>, &'a ProcessDef>,
    /// The imported processes.
    pub(super) imports: FxHashMap<Arc<str>, &'a ImportDef>,
    /// The formulas that are used as processes.
    pub(super) constraints: FxHashMap<Arc<str>, &'a AssertDef>,
    /// The formulas that are checked, in order.
    pub(super) assertions: Vec<&'a AssertDef>,
    /// The place of each formula among `assertions`.
    pub(super) assertion_places: FxHashMap<Arc<str>, usize>,
    /// The fluents.
    pub(super) fluents: FxHashMap<Arc<str>, &'a FluentDef>,
    /// The composites, in order.
    pub(super) composites: Vec<&'a CompositeDef>,
    /// The place of each composite among `composites`.
    pub(super) composite_places: FxHashMap<Arc<str>, usize>,
    /// The names of everything that can be a target, in order.
    pub(super) order: Vec<Arc<str>>,
}

/// Lower bound of the bytes of a definition with actual parameters: its name in several tables, and its parts.
const INSTANCE_BYTES: usize = 4096;

impl<'a> Elaborator<'a> {
    /// Fills the tables, in order of definition.
    pub(super) fn collect_definitions(&mut self) {
        let mut places = FxHashMap::default();
        for definition in &self.file.definitions {
            match definition {
                Definition::Const(def) => {
                    self.define_global(&def.name, |elaborator| {
                        Ok(Global::Const(elaborator.value(&def.value, &Scope::default())?))
                    });
                }
                Definition::Range(def) => {
                    self.define_global(&def.name, |elaborator| {
                        let scope = Scope::default();
                        let (low, high) =
                            (elaborator.number(&def.low, &scope)?, elaborator.number(&def.high, &scope)?);
                        Ok(Global::Range(low, high))
                    });
                }
                Definition::Set(def) => self.define_global(&def.name, |elaborator| {
                    let set = crate::ast::SetExpr {
                        base: crate::ast::SetBase::Literal(def.labels.clone()),
                        minus: None,
                        span: def.name.span,
                    };
                    let labels = elaborator.set(&set, &Scope::default())?;
                    elaborator.hold(labels.iter().map(|label| name_bytes(label)).sum())?;
                    Ok(Global::Set(labels.into_iter().map(Arc::from).collect()))
                }),
                Definition::Animation(def) => {
                    let message = format!("animation `{}` is passed over", def.name.text);
                    let help =
                        "bind a picture in SVG to the model with a view: `rely explain E0280` shows one";
                    self.report(Diagnostic::note(codes::PASSED_OVER, def.span, message).with_help(help));
                }
                Definition::Process(def) => {
                    self.check_params(&def.params);
                    if self.is_new(&mut places, "process", &def.name) {
                        self.definitions.processes.insert(Arc::clone(&def.name.text), def);
                        self.definitions.order.push(Arc::clone(&def.name.text));
                    }
                }
                Definition::Import(def) => {
                    if self.is_new(&mut places, "process", &def.name) {
                        self.definitions.imports.insert(Arc::clone(&def.name.text), def);
                        self.definitions.order.push(Arc::clone(&def.name.text));
                    }
                }
                Definition::Composite(def) => {
                    self.check_params(&def.params);
                    if self.is_new(&mut places, "composite", &def.name) {
                        let place = self.definitions.composites.len();
                        self.definitions.composite_places.insert(Arc::clone(&def.name.text), place);
                        self.definitions.composites.push(def);
                        self.definitions.order.push(Arc::clone(&def.name.text));
                    }
                }
                Definition::Assert(def) if def.kind == AssertKind::Assert => {
                    if self.is_new(&mut places, "assertion", &def.name) {
                        let place = self.definitions.assertions.len();
                        self.definitions.assertion_places.insert(Arc::clone(&def.name.text), place);
                        self.definitions.assertions.push(def);
                    }
                }
                Definition::Assert(def) => {
                    if self.is_new(&mut places, "process", &def.name) {
                        self.definitions.constraints.insert(Arc::clone(&def.name.text), def);
                        self.definitions.order.push(Arc::clone(&def.name.text));
                    }
                }
                Definition::Fluent(def) => {
                    if self.is_new(&mut places, "fluent", &def.name) {
                        self.definitions.fluents.insert(Arc::clone(&def.name.text), def);
                    }
                }
                Definition::Progress(def) => {
                    self.is_new(&mut places, "progress property", &def.name);
                }
                Definition::Menu(def) => {
                    self.is_new(&mut places, "menu", &def.name);
                }
            }
        }
    }

    /// Reports parameters of a definition that have the same name.
    fn check_params(&mut self, params: &[Param]) {
        let mut places = FxHashMap::default();
        for param in params {
            self.is_new(&mut places, "parameter", &param.name);
        }
    }

    /// Whether a name is defined for the first time among the definitions of its kind; if not, this is reported.
    fn is_new(
        &mut self,
        places: &mut FxHashMap<(&'static str, Arc<str>), Span>,
        kind: &'static str,
        name: &Name,
    ) -> bool {
        match places.insert((kind, Arc::clone(&name.text)), name.span) {
            None => true,
            Some(first) => {
                places.insert((kind, Arc::clone(&name.text)), first);
                self.duplicate(kind, name, first);
                false
            }
        }
    }

    fn duplicate(&mut self, kind: &str, name: &Name, first: Span) {
        self.report(
            Diagnostic::error(
                codes::DUPLICATE,
                name.span,
                format!("{kind} `{}` is defined twice", name.text),
            )
            .with_note(first, "the first definition is here"),
        );
    }

    /// Evaluates and stores a constant, range or set.
    fn define_global(&mut self, name: &Name, evaluate: impl FnOnce(&mut Self) -> Fallible<Global>) {
        // A limit that is met here will be met again by every target.
        let value = evaluate(self).unwrap_or(Global::Broken);
        let (table, kind) = match &value {
            Global::Const(_) | Global::Broken => (&mut self.globals.constants, "constant"),
            Global::Range(..) => (&mut self.globals.ranges, "range"),
            Global::Set(_) => (&mut self.globals.sets, "set"),
        };
        if matches!(value, Global::Broken) {
            // The intended kind is unknown: so the name is defined, but broken, in all tables.
            for table in [&mut self.globals.ranges, &mut self.globals.sets] {
                table.entry(Arc::clone(&name.text)).or_insert((Global::Broken, name.span));
            }
            self.globals.constants.entry(Arc::clone(&name.text)).or_insert((Global::Broken, name.span));
            return;
        }
        if let Some((_, first)) = table.get(&name.text) {
            let first = *first;
            self.duplicate(kind, name, first);
        } else {
            table.insert(Arc::clone(&name.text), (value, name.span));
        }
    }

    /// The place of a constant that is defined further below.
    pub(super) fn later_definition(&self, name: &str) -> Option<Span> {
        self.file.definitions.iter().find_map(|definition| match definition {
            Definition::Const(def) if &*def.name.text == name => Some(def.name.span),
            _ => None,
        })
    }

    /// The composite with a name.
    pub(super) fn composite(&self, name: &str) -> Option<&'a CompositeDef> {
        self.definitions.composite_places.get(name).map(|&place| self.definitions.composites[place])
    }

    /// The assertion with a name.
    pub(super) fn assertion(&self, name: &str) -> Option<&'a AssertDef> {
        self.definitions.assertion_places.get(name).map(|&place| self.definitions.assertions[place])
    }

    /// Whether there is a process or composite with a name.
    pub(super) fn is_defined(&self, name: &str) -> bool {
        self.is_primitive(name) || self.composite(name).is_some()
    }

    /// The values of the actual parameters of a call.
    pub(super) fn arguments(&mut self, call: &Call, scope: &Scope) -> Fallible<Option<Vec<Value>>> {
        match &call.arguments {
            None => Ok(None),
            Some(arguments) => {
                let values: Fallible<Vec<Value>> =
                    arguments.iter().map(|argument| self.value(argument, scope)).collect();
                values.map(Some)
            }
        }
    }

    /// The scope of a definition: its parameters with their actual or default values.
    pub(super) fn parameters(
        &mut self,
        name: &Name,
        params: &[Param],
        arguments: Option<&[Value]>,
        call: Span,
    ) -> Fallible<Scope> {
        if let Some(arguments) = arguments
            && arguments.len() != params.len()
        {
            return Err(self.report(
                Diagnostic::error(
                    codes::ARITY,
                    call,
                    format!(
                        "`{}` has {} parameter{}, and this gives it {}",
                        name.text,
                        params.len(),
                        if params.len() == 1 { "" } else { "s" },
                        arguments.len()
                    ),
                )
                .with_note(name.span, "it is defined here"),
            ));
        }
        let mut values = FxHashMap::default();
        for (i, param) in params.iter().enumerate() {
            let value = match arguments {
                Some(arguments) => arguments[i].clone(),
                None => self.value(&param.default, &Scope::default())?,
            };
            values.insert(Arc::clone(&param.name.text), value);
        }
        Ok(Scope::with_params(values))
    }

    /// Does something for a definition, unless the definition is being elaborated already, or is known to have
    /// errors.
    pub(super) fn within<T>(
        &mut self,
        instance: &str,
        span: Span,
        action: impl FnOnce(&mut Self) -> Fallible<T>,
    ) -> Fallible<T> {
        if let Some(start) = self.active.iter().position(|active| active == instance) {
            self.failed_inside = true;
            let mut circle = self.active[start..].join(" → ");
            circle.push_str(" → ");
            circle.push_str(instance);
            return Err(self.report(
                Diagnostic::error(codes::RECURSIVE, span, format!("`{instance}` contains itself"))
                    .with_help(format!("the circle is {circle}")),
            ));
        }
        if self.active.len() >= super::MAX_DEPTH {
            self.failed_inside = true;
            return Err(self.report(Diagnostic::error(
                codes::TOO_DEEP,
                span,
                format!("`{instance}` is nested more than {} levels deep", super::MAX_DEPTH),
            )));
        }
        if self.failed.contains(instance) {
            return Err(Reported::already());
        }
        self.spend(1)?;
        self.hold(INSTANCE_BYTES)?;
        self.active.push(instance.to_owned());
        let result = action(self);
        self.active.pop();
        if matches!(result, Err(Reported(None))) {
            self.failed.insert(instance.to_owned());
        }
        if self.active.is_empty() && std::mem::take(&mut self.failed_inside) {
            // A circle has to be reported differently for each definition in it.
            self.failed.clear();
        }
        result
    }

    /// Reports that there is no process with a name.
    pub(super) fn undefined_process(&mut self, name: &str, span: Span) -> Reported {
        let mut diagnostic =
            Diagnostic::error(codes::UNDEFINED_PROCESS, span, format!("process `{name}` is not defined"));
        if self.assertion(name).is_some() {
            diagnostic = diagnostic.with_help(
                "it is an assertion, which is checked and not composed; define it with `constraint` or \
                 `ltl_property` to use it as a process",
            );
        } else if name.contains(':') {
            diagnostic = diagnostic.with_help(
                "a part of a composite has no name of its own; define one, such as `||PART = node[1]:NODE.`",
            );
        } else {
            let known = self.definitions.order.clone();
            diagnostic = super::suggest(&mut self.effort, diagnostic, name, known.iter().map(|name| &**name));
        }
        self.report_undefined(name, diagnostic)
    }
}

/// The name of a definition with actual parameters, such as `P(2,a)`.
pub(super) fn instance_name(name: &str, arguments: Option<&[Value]>) -> String {
    instance(name, arguments).to_string()
}

/// The name and the arguments of a definition with actual parameters, separately.
pub(super) fn instance(name: &str, arguments: Option<&[Value]>) -> rely_model::Instance {
    let shown = |values: &[Value]| {
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        format!("({})", values.join(","))
    };
    rely_model::Instance { name: name.to_owned(), arguments: arguments.map(shown).unwrap_or_default() }
}
