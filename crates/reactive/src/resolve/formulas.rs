//! Conditions of transitions, properties and assumptions.

use rely_base::{Diagnostic, Id, Span};

use super::machines::compare;
use super::numbers::is_arithmetic;
use super::{Names, Owner, Resolver, Scope, indexed};
use crate::ast::{self, BinaryOp, Expr, ExprKind, Path, UnaryOp};
use crate::codes;
use crate::formula::{Atom, Comparison, Formula};
use crate::system::{
    Assumption, ComponentId, EventId, EventKind, Instant, MachineId, Property, PropertyId, Transition,
};

/// What a formula is part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A condition of a transition, with the timer of the state before it.
    Transition(MachineId, Option<u32>),
    /// A property at the end of macrosteps.
    Macrostep,
    /// A property at the end of microsteps.
    Microstep,
    /// An assumption.
    Assumption(ComponentId),
}

/// Where a formula stands.
#[derive(Clone)]
struct Place {
    scope: Scope,
    kind: Kind,
    /// Whether it stands behind `old`.
    is_old: bool,
}

impl<'a> Resolver<'a> {
    /// Reads the conditions of all transitions.
    pub(super) fn conditions(&mut self) {
        let numbered = self.system.machines.iter().enumerate();
        self.machine_ids =
            numbered.map(|(number, machine)| (machine.name.clone(), MachineId::from_index(number))).collect();
        for raw in std::mem::take(&mut self.raw) {
            let kind = Kind::Transition(raw.machine, raw.timer);
            let place = Place { scope: raw.scope, kind, is_old: false };
            let condition = match &raw.def.condition {
                None => Some(Formula::Constant(true)),
                Some(condition) => self.formula(condition, &place),
            };
            let Some(condition) = condition else { continue };
            self.note_readers(raw.machine, &condition);
            for from in raw.sources {
                if !self.pay(raw.def.span) {
                    return;
                }
                self.system.machines[raw.machine.index()].transitions.push(Transition {
                    from,
                    to: raw.target,
                    condition: condition.clone(),
                    outputs: raw.outputs.clone(),
                    restarts: raw.restarts.clone(),
                    place: raw.def.span,
                });
            }
        }
    }

    fn note_readers(&mut self, machine: MachineId, condition: &Formula) {
        condition.for_each_atom(&mut |atom| {
            if let Atom::Event(event) = atom {
                let readers = &mut self.system.events[event.index()].readers;
                if readers.last() != Some(&machine) {
                    readers.push(machine);
                }
            }
        });
    }

    /// Reads properties and assumptions.
    pub(super) fn properties(&mut self) {
        let mut sources = Vec::new();
        for place in 0..self.items.len() {
            let (instance, owner) = &self.items[place];
            let (items, scope, owner) = (instance.def, instance.scope.clone(), *owner);
            let mut names = Names::default();
            for item in items {
                match item {
                    ast::Item::Property(def) => {
                        for scope in self.bindings(&def.binders, &scope) {
                            self.property(def, scope, owner, &mut names, &mut sources);
                        }
                    }
                    ast::Item::Assume(def) => {
                        for scope in self.bindings(&def.binders, &scope) {
                            self.assumption(def, scope, owner, &mut names);
                        }
                    }
                    _ => {}
                }
            }
        }
        for (property, path, scope) in sources {
            if let Some(source) = self.property_called(path, &scope) {
                self.system.properties[property].from.push(source);
            }
        }
    }

    fn property(
        &mut self,
        def: &'a ast::PropertyDef,
        scope: Scope,
        owner: Owner,
        names: &mut Names,
        sources: &mut Vec<(usize, &'a Path, Scope)>,
    ) {
        let own = indexed(&def.name.text, &def.binders, &scope);
        if !names.add(self, &own, def.name.span) || !self.pay(def.name.span) {
            return;
        }
        let (kind, instant) = match &def.instant {
            ast::Instant::Macrostep => (Kind::Macrostep, Some(Instant::Macrostep)),
            ast::Instant::Microstep(None) => (Kind::Microstep, Some(Instant::Microstep(None))),
            ast::Instant::Microstep(Some(number)) => {
                let value = self.number(number, &scope);
                if value.is_some_and(|value| value < 1) {
                    self.error::<()>(
                        codes::KIND,
                        number.span,
                        "the first microstep of a macrostep is number 1",
                    );
                }
                (Kind::Microstep, value.map(|value| Instant::Microstep(Some(value))))
            }
        };
        let place = Place { scope, kind, is_old: false };
        let formula = self.formula(&def.formula, &place);
        let number = self.system.properties.len();
        sources.extend(def.from.iter().map(|path| (number, path, place.scope.clone())));
        // What has mistakes still has a name.
        self.system.properties.push(Property {
            name: self.qualified(owner, &own),
            component: owner,
            instant: instant.unwrap_or(Instant::Macrostep),
            formula: formula.unwrap_or(Formula::Constant(true)),
            from: Vec::new(),
            place: def.name.span,
        });
    }

    fn assumption(&mut self, def: &'a ast::AssumeDef, scope: Scope, owner: Owner, names: &mut Names) {
        let own = indexed(&def.name.text, &def.binders, &scope);
        if !names.add(self, &own, def.name.span) || !self.pay(def.name.span) {
            return;
        }
        let Some(component) = owner else {
            let message = "an assumption belongs to a component, and there is none around it";
            self.error::<()>(codes::MISPLACED, def.name.span, message);
            return;
        };
        let place = Place { scope, kind: Kind::Assumption(component), is_old: false };
        if let Some(formula) = self.formula(&def.formula, &place) {
            let name = self.qualified(owner, &own);
            self.system.assumptions.push(Assumption { name, component, formula, place: def.name.span });
        }
    }

    fn property_called(&mut self, path: &Path, scope: &Scope) -> Option<PropertyId> {
        let mut parts = Vec::new();
        for segment in &path.segments {
            parts.push(format!("{}{}", segment.name.text, self.index_tuple(&segment.indices, scope)?));
        }
        let written = parts.join(".");
        let full = match &parts[..] {
            [own] => self.qualified(scope.component, own),
            _ => written.clone(),
        };
        let found = self.system.properties.iter().position(|property| property.name == full);
        if let Some(number) = found {
            return Some(PropertyId::from_index(number));
        }
        let diagnostic = Diagnostic::error(
            codes::UNDEFINED_PROPERTY,
            path.span,
            format!("property `{written}` is not defined"),
        );
        let known: Vec<String> =
            self.system.properties.iter().map(|property| property.name.clone()).collect();
        let name = ast::Name { text: written.as_str().into(), span: path.span };
        self.undefined(diagnostic, &name, known.iter().map(String::as_str))
    }

    /// The value of an expression that is to be true or false. All mistakes in it are reported.
    fn formula(&mut self, expr: &Expr, place: &Place) -> Option<Formula> {
        let Expr { kind, span } = expr;
        match kind {
            ExprKind::Truth(value) => Some(Formula::Constant(*value)),
            ExprKind::Path(path) => self.atom(path, place),
            ExprKind::Unary(UnaryOp::Not, inner) => Some(self.formula(inner, place)?.negated()),
            ExprKind::Unary(UnaryOp::Old, inner) => self.old(inner, *span, place),
            ExprKind::Unary(UnaryOp::Before, inner) => match self.formula(inner, place)? {
                Formula::Atom(Atom::Event(event)) => Some(Formula::Atom(Atom::Before(event))),
                _ => None,
            },
            ExprKind::Unary(UnaryOp::After, count) => self.after(count, *span, place),
            ExprKind::Chain(is_or, parts) => {
                let parts: Vec<Option<Formula>> =
                    parts.iter().map(|part| self.formula(part, place)).collect();
                let parts = parts.into_iter().collect::<Option<Vec<Formula>>>()?;
                Some(if *is_or { Formula::any(parts) } else { Formula::all(parts) })
            }
            ExprKind::Quantified(is_exists, binders, inner) => {
                let mut parts = Vec::new();
                for scope in self.bindings(binders, &place.scope) {
                    parts.push(self.formula(inner, &Place { scope, ..place.clone() })?);
                }
                Some(if *is_exists { Formula::any(parts) } else { Formula::all(parts) })
            }
            ExprKind::Binary(op @ (BinaryOp::Implies | BinaryOp::Iff), left, right) => {
                let (left, right) = (self.formula(left, place), self.formula(right, place));
                let (left, right) = (left?, right?);
                Some(match op {
                    BinaryOp::Implies => Formula::any([left.negated(), right]),
                    _ => Formula::Iff(Box::new(left), Box::new(right)),
                })
            }
            ExprKind::Binary(op, left, right) if !is_arithmetic(*op) => {
                self.comparison(*op, left, right, *span, place)
            }
            ExprKind::Int(_) | ExprKind::Ms | ExprKind::Unary(..) | ExprKind::Binary(..) => {
                let message = "a condition is needed here, and this is a number";
                self.report(Diagnostic::error(codes::KIND, *span, message).with_help("compare it: `== 1`"))
            }
        }
    }

    fn old(&mut self, inner: &Expr, span: Span, place: &Place) -> Option<Formula> {
        if !matches!(place.kind, Kind::Macrostep | Kind::Microstep | Kind::Assumption(_)) {
            let help = "let a machine remember it in its state";
            let message = "`old` belongs to properties and assumptions";
            return self.report(Diagnostic::error(codes::MISPLACED, span, message).with_help(help));
        }
        self.formula(inner, &Place { is_old: true, ..place.clone() })
    }

    fn after(&mut self, count: &Expr, span: Span, place: &Place) -> Option<Formula> {
        let Kind::Transition(machine, timer) = place.kind else {
            return self.error(codes::MISPLACED, span, "`after` belongs to conditions of transitions");
        };
        let value = self.number(count, &place.scope)?;
        if value < 1 {
            return self.error(codes::KIND, count.span, "a timeout takes at least one macrostep");
        }
        Some(Formula::Atom(Atom::After(machine, timer?, value)))
    }

    fn comparison(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
        place: &Place,
    ) -> Option<Formula> {
        let is_ms = |expr: &Expr| matches!(expr.kind, ExprKind::Ms);
        if !is_ms(left) && !is_ms(right) {
            let (left, right) = (self.number(left, &place.scope), self.number(right, &place.scope));
            return compare(op, left?, right?).map(Formula::Constant);
        }
        if place.is_old || !matches!(place.kind, Kind::Microstep | Kind::Assumption(_)) {
            let help = "`ms` is the number of the microstep, in properties `at microstep` and in assumptions";
            return self.report(
                Diagnostic::error(codes::MISPLACED, span, "`ms` has no meaning here").with_help(help),
            );
        }
        let (op, number) = if is_ms(left) { (op, right) } else { (mirrored(op), left) };
        let number = self.number(number, &place.scope)?;
        let atom = |comparison| Formula::Atom(Atom::Microstep(comparison, number));
        Some(match op {
            BinaryOp::Equal => atom(Comparison::Equal),
            BinaryOp::NotEqual => atom(Comparison::Equal).negated(),
            BinaryOp::Less => atom(Comparison::Less),
            BinaryOp::LessEqual => atom(Comparison::LessEqual),
            BinaryOp::Greater => atom(Comparison::LessEqual).negated(),
            _ => atom(Comparison::Less).negated(),
        })
    }

    /// An event or a state.
    fn atom(&mut self, path: &Path, place: &Place) -> Option<Formula> {
        let [first, rest @ ..] = &path.segments[..] else { return None };
        let tuple = self.index_tuple(&first.indices, &place.scope)?;
        let is_upper = first.name.text.starts_with(|c: char| c.is_ascii_uppercase());
        let head = format!("{}{tuple}", first.name.text);
        if !is_upper {
            if let Some(extra) = rest.first() {
                let message = format!("`{head}` is an event, and an event has no parts");
                return self.error(codes::KIND, first.name.span.to(extra.name.span), message);
            }
            if tuple.is_empty() && self.known_number(&head, &place.scope).is_some() {
                let message = format!("a condition is needed here, and `{head}` is a number");
                let help = format!("compare it: `{head} == 1`");
                return self.report(Diagnostic::error(codes::KIND, path.span, message).with_help(help));
            }
            let event = self.event_called(&first.name, &tuple, path.span, &place.scope)?;
            return self.event_atom(event, path.span, place);
        }
        if rest.is_empty() {
            let is_number = self.known_number(&head, &place.scope).is_some();
            let message = match is_number {
                true => format!("a condition is needed here, and `{head}` is a number"),
                false => format!("`{head}` is no condition"),
            };
            let help = "a state of a machine is written `Door.open`";
            return self.report(Diagnostic::error(codes::KIND, path.span, message).with_help(help));
        }
        self.dotted(path, place)
    }

    fn event_atom(&mut self, event: EventId, span: Span, place: &Place) -> Option<Formula> {
        let it = self.system.event(event);
        match place.kind {
            Kind::Transition(..) if it.kind == EventKind::Output => {
                let message = format!("`{}` leaves the system, and no machine can read it", it.name);
                let diagnostic = Diagnostic::error(codes::READS_OUTPUT, span, message);
                let place = it.place;
                return self.report(diagnostic.with_note(place, "it is declared as an output here"));
            }
            Kind::Assumption(component) if !self.system.component(component).takes.contains(&event) => {
                let component = &self.system.component(component).name;
                let message = format!("`{}` is nothing that component `{component}` takes", it.name);
                return self.error(codes::ASSUMPTION, span, message);
            }
            Kind::Transition(..) | Kind::Assumption(_) => {}
            _ if it.kind == EventKind::Output && !self.sends_alone(place.scope.component, event) => {
                let message = format!(
                    "machines outside of {} send `{}`, or nobody does",
                    self.place_name(place.scope.component),
                    it.name
                );
                let help = "a property of a component speaks about what the component can see; make it one of the system";
                return self.report(Diagnostic::error(codes::BORDER, span, message).with_help(help));
            }
            Kind::Macrostep | Kind::Microstep => {
                self.mentioned.insert(event);
            }
        }
        Some(Formula::Atom(if place.is_old { Atom::OldEvent(event) } else { Atom::Event(event) }))
    }

    /// Whether an event is sent, and by machines of a component only; of the system, all machines count.
    fn sends_alone(&self, owner: Owner, event: EventId) -> bool {
        let senders = &self.system.event(event).senders;
        let is_own = |&sender: &MachineId| self.system.machine(sender).component == owner;
        owner.is_none() || (!senders.is_empty() && senders.iter().all(is_own))
    }

    /// `Machine.state`, `Component.Machine.state` or `Component.event`.
    fn dotted(&mut self, path: &Path, place: &Place) -> Option<Formula> {
        let mut parts = Vec::new();
        for segment in &path.segments {
            parts.push(format!("{}{}", segment.name.text, self.index_tuple(&segment.indices, &place.scope)?));
        }
        let last = parts.pop()?;
        let owner = place.scope.component;
        let written = parts.join(".");
        let own = self.machine_ids.get(&self.qualified(owner, &written)).copied();
        let machine = own.or_else(|| self.machine_ids.get(&written).copied());
        if let Some(machine) = machine {
            return self.state_atom(machine, &last, path, place);
        }
        if let Some(component) = self.system.component_called(&written) {
            return self.foreign_event(component, &last, path, place);
        }
        let message = match owner {
            Some(owner) => {
                format!(
                    "there is no machine `{written}` in component `{}`",
                    self.system.component(owner).name
                )
            }
            None => format!("there is no machine or component `{written}`"),
        };
        let prefix = owner.map(|owner| format!("{}.", self.system.component(owner).name)).unwrap_or_default();
        let machines = self.system.machines.iter().map(|it| it.name.as_str());
        let components = self.system.components.iter().map(|it| it.name.as_str());
        let known: Vec<String> = machines
            .chain(components)
            .map(|name| name.strip_prefix(&prefix).unwrap_or(name).to_owned())
            .collect();
        let head = &path.segments[0].name;
        let name = ast::Name { text: written.as_str().into(), span: head.span };
        if self.findings.flaws.may_define(&head.text) {
            self.errors += 1;
            return None;
        }
        let diagnostic = Diagnostic::error(codes::UNDEFINED_MACHINE, path.span, message);
        self.undefined(diagnostic, &name, known.iter().map(String::as_str))
    }

    fn state_atom(&mut self, machine: MachineId, state: &str, path: &Path, place: &Place) -> Option<Formula> {
        let it = self.system.machine(machine);
        if let Kind::Assumption(component) = place.kind {
            let message = format!(
                "an assumption of component `{}` cannot speak about states",
                self.system.component(component).name
            );
            return self.error(codes::ASSUMPTION, path.span, message);
        }
        let sees_all =
            matches!(place.kind, Kind::Macrostep | Kind::Microstep) && place.scope.component.is_none();
        if it.component != place.scope.component && !sees_all {
            let message =
                format!("machine `{}` is outside of {}", it.name, self.place_name(place.scope.component));
            let help = "components talk by events: let the machine send one when it enters the state";
            return self.report(Diagnostic::error(codes::FOREIGN_STATE, path.span, message).with_help(help));
        }
        let Some(states) = self.states[machine.index()].get(state) else {
            let message = format!("machine `{}` has no state `{state}`", it.name);
            let mut known: Vec<String> = self.states[machine.index()].keys().cloned().collect();
            known.sort_unstable();
            let span = path.segments.last().map_or(path.span, |last| last.name.span);
            let name = ast::Name { text: state.into(), span };
            let diagnostic = Diagnostic::error(codes::UNDEFINED_STATE, path.span, message);
            return self.undefined(diagnostic, &name, known.iter().map(String::as_str));
        };
        let states = states.clone();
        if let Some(last) = path.segments.last() {
            self.states_asked_about.insert((it.place, last.name.text.clone()));
        }
        Some(Formula::Atom(match place.is_old {
            true => Atom::OldState(machine, states),
            false => Atom::State(machine, states),
        }))
    }

    /// `Component.event` in a property of the system.
    fn foreign_event(
        &mut self,
        component: ComponentId,
        event: &str,
        path: &Path,
        place: &Place,
    ) -> Option<Formula> {
        let is_property = matches!(place.kind, Kind::Macrostep | Kind::Microstep);
        if !is_property || place.scope.component.is_some() {
            let message =
                format!("`{event}` belongs to component `{}`", self.system.component(component).name);
            let help = "components see what others give: declare `gives` there and `takes` here";
            return self.report(Diagnostic::error(codes::BORDER, path.span, message).with_help(help));
        }
        let scope = Scope { component: Some(component), ..Scope::default() };
        let name = path.segments.last().map(|segment| segment.name.clone())?;
        let tuple = event.strip_prefix(&*name.text).unwrap_or_default().to_owned();
        let event = self.event_called(&name, &tuple, path.span, &scope)?;
        self.event_atom(event, path.span, place)
    }
}

/// The comparison with its sides exchanged.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        other => other,
    }
}
