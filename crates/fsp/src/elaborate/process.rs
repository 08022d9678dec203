//! Primitive processes: from local processes and choices to a transition system.
//!
//! Every index of every local process becomes a state first, reachable or not, because the actions of all of them
//! belong to the alphabet. A local process that is only another name of a state (`IDLE = STOP`, `A = if … then B`)
//! becomes an alias. Then the choices are unfolded, depth first so that actions are numbered in reading order, on an
//! explicit stack so that a long chain of prefixes cannot overflow the stack of the program.

use std::sync::Arc;

use rely_base::{Diagnostic, Label, Span};
use rely_lts::equivalence;
use rely_lts::{Lts, Role, operators};
use rely_model::{Origin, Reduction, Signature, StateNames, Use, kept_by_minimal};

use super::definitions::instance_name;
use super::effort::{lts_bytes, name_bytes, scope_bytes};
use super::machine::{Machine, Place};
use super::relabel::Prefixes;
use super::scope::{Scope, Value};
use super::signature::signature_bytes;
use super::{Built, Elaborator, Fallible, Open, Reported, codes};
use crate::ast::{Body, BodyKind, Branch, Call, Expr, LocalDef, Modifiers, Name, ProcessDef};

/// Maximum number of states of a process before its unreachable ones are dropped.
const MAX_STATES: usize = 1 << 24;

/// The bytes of a transition in a transition system.
const EDGE_BYTES: usize = 8;

/// The bytes of a state, a transition or a task while a process is under construction, without its name and its
/// scope.
const STATE_BYTES: usize = 64;

/// A task of the unfolding.
enum Task<'a> {
    /// The prefix at a position of a branch, from a state.
    Prefix { from: usize, branch: &'a Branch, position: usize, scope: Scope },
    /// One action of that prefix.
    Action { from: usize, action: String, used: Use, branch: &'a Branch, position: usize, scope: Scope },
}

impl Task<'_> {
    fn scope(&self) -> &Scope {
        match self {
            Self::Prefix { scope, .. } | Self::Action { scope, .. } => scope,
        }
    }
}

impl<'a> Elaborator<'a> {
    /// A process with actual parameters.
    pub(super) fn process(
        &mut self,
        def: &'a ProcessDef,
        arguments: Option<&[Value]>,
        call: Span,
    ) -> Fallible<Built> {
        self.used.insert(Arc::clone(&def.name.text));
        let instance = instance_name(&def.name.text, arguments);
        if let Some(built) = self.recall(&instance) {
            return Ok(built);
        }
        let scope = self.parameters(&def.name, &def.params, arguments, call)?;
        let signature = def.modifiers.interface.then(Signature::default);
        self.build(instance, |elaborator, instance| {
            let built = elaborator.within(instance, call, |elaborator| {
                let acceptance = format!("@{instance}");
                let mut machine = Machine { acceptance, signature, ..Machine::default() };
                let built = elaborator.build_process(def, &scope, &mut machine);
                elaborator.release(machine.held);
                built
            })?;
            let open = built.before_hiding.as_ref();
            let systems = [Some(&built.lts), open.map(|open| &open.lts)].into_iter().flatten();
            let names = [built.states.as_ref(), open.map(|open| &open.states)].into_iter().flatten();
            let bytes: usize =
                systems.map(|lts| lts_bytes(lts, 1, 0)).chain(names.map(|names| names.bytes())).sum();
            elaborator
                .hold(bytes + built.signature.as_ref().map_or(0, |signature| signature_bytes(signature)))?;
            Ok(built)
        })
    }

    fn build_process(
        &mut self,
        def: &'a ProcessDef,
        scope: &Scope,
        machine: &mut Machine,
    ) -> Fallible<Built> {
        if def.modifiers.interface {
            self.check_interface_keywords(&def.name, def.modifiers)?;
        }
        let errors = self.errors;
        let locals = self.declare_locals(def, scope, machine)?;
        let mut tasks = Vec::new();
        for &(state, local, ref scope) in locals.iter().rev() {
            // After an error in one local process, the others are still elaborated.
            let _ = self.define_local(local, state, scope, machine, &mut tasks);
        }
        self.unfold(def, tasks, machine)?;
        let Some(&initial) = machine.places.get(&*def.name.text) else { return Err(Reported::already()) };
        let resolved = machine.resolve();
        self.check_aliases(&locals, &resolved, initial, machine)?;
        if let Some(extension) = &def.extension {
            for name in self.set(extension, scope)? {
                self.hold_for(machine, name_bytes(&name))?;
                machine.alphabet.intern(&name);
            }
            if machine.signature.is_some() {
                self.extend_signature(extension, scope, machine)?;
            }
        }
        if self.errors > errors {
            return Err(Reported::already());
        }
        let is_error = initial == Place::Error
            || matches!(initial, Place::State(state) if resolved[state] == Some(Place::Error));
        let lts = machine.finish(initial, &resolved);
        let states = machine.state_names(&lts);
        self.finish_process(def, scope, (lts, states), machine.signature.take(), is_error)
    }

    /// Reports keywords that are not allowed for an interface automaton.
    pub(super) fn check_interface_keywords(&mut self, name: &Name, modifiers: Modifiers) -> Fallible<()> {
        let keyword = match modifiers {
            Modifiers { property: true, .. } => "property",
            Modifiers { deterministic: true, .. } => "deterministic",
            _ => return Ok(()),
        };
        let message = format!("`{}` is an interface automaton and cannot be `{keyword}`", name.text);
        Err(self.report(Diagnostic::error(codes::INTERFACE_KEYWORD, name.span, message)))
    }

    /// Pays for bytes that are kept while a process is under construction.
    fn hold_for(&mut self, machine: &mut Machine, bytes: usize) -> Fallible<()> {
        machine.held += bytes;
        self.hold(bytes)
    }

    /// The operations after the local processes: relabelling, hiding, and the keywords. As in LTSA, `property` makes
    /// no difference for a process that is `ERROR` itself.
    fn finish_process(
        &mut self,
        def: &ProcessDef,
        scope: &Scope,
        (lts, states): (Lts, StateNames),
        signature: Option<Signature>,
        is_error: bool,
    ) -> Fallible<Built> {
        let (mut lts, mut states, mut signature) = (lts, states, signature);
        let mut before_hiding = None;
        if !def.relabels.is_empty() {
            let relabels = self.relabels(&def.relabels, scope)?;
            self.warn_idle_relabels(&relabels, &Prefixes::of(lts.alphabet().names()));
            self.pay_for_relabelling(&lts, &relabels.relabelling)?;
            lts = operators::relabel(&lts, &relabels.relabelling);
            if let Some(old) = &signature {
                signature = Some(self.relabelled_signature(old, &relabels.relabelling)?);
            }
        }
        if let Some(hiding) = &def.hiding {
            let hidden = self.hidden_names(hiding, scope, &Prefixes::of(lts.alphabet().names()))?;
            if let Some(old) = &signature {
                self.check_hidden(old, &hidden, hiding.labels.span)?;
                signature = Some(old.without(&hidden));
            }
            let Modifiers { property, deterministic, minimal, .. } = def.modifiers;
            let is_last = !property && !deterministic && !minimal && signature.is_none();
            before_hiding = is_last.then(|| {
                let (lts, states) = trimmed(&lts, &states);
                Open { lts: Arc::new(lts), states: Arc::new(states) }
            });
            lts = operators::hide(&lts, hidden);
        }
        (lts, states) = trimmed(&lts, &states);
        if def.modifiers.property && !is_error {
            if !lts.is_deterministic() {
                return Err(self.report(
                    Diagnostic::error(
                        codes::NONDETERMINISTIC_PROPERTY,
                        def.name.span,
                        format!("property `{}` is not deterministic", def.name.text),
                    )
                    .with_help("after each sequence of actions there must be one state to be in"),
                ));
            }
            let bytes = lts.state_count().saturating_mul(lts.alphabet().len()).saturating_mul(EDGE_BYTES);
            self.hold(bytes)?;
            (lts, states) = trimmed(&operators::complete(&lts), &states);
            self.release(bytes);
        }
        let Modifiers { deterministic, minimal, .. } = def.modifiers;
        if signature.is_none() {
            let reduction = Reduction { deterministic, minimal, property: false };
            self.warn_lost_divergence(&def.name, &lts, reduction)?;
        }
        if minimal {
            lts = equivalence::minimise(&lts, kept_by_minimal(signature.is_some()), &self.budget)?;
        }
        if deterministic {
            lts = equivalence::deterministic(&lts, &self.budget)?;
        }
        let origin = if def.modifiers.property { Origin::Property } else { Origin::Process };
        let states = (!minimal && !deterministic).then(|| Arc::new(states));
        Ok(Built { lts: Arc::new(lts), signature: signature.map(Arc::new), states, before_hiding, origin })
    }

    /// Makes a state for every index of every local process.
    fn declare_locals(
        &mut self,
        def: &'a ProcessDef,
        scope: &Scope,
        machine: &mut Machine,
    ) -> Fallible<Vec<(usize, &'a LocalDef, Scope)>> {
        let mut locals = Vec::new();
        for (i, local) in def.locals.iter().enumerate() {
            let name = &local.name;
            if matches!(&*name.text, "STOP" | "END" | "ERROR") {
                let message = format!("`{}` is predefined and cannot be defined again", name.text);
                return Err(self.report(Diagnostic::error(codes::RESERVED, name.span, message)));
            }
            if i == 0 && !local.indices.is_empty() {
                let message = format!("process `{}` cannot have an index itself", name.text);
                return Err(self.report(Diagnostic::error(codes::RESERVED, name.span, message).with_help(
                    format!("start with a local process: `{0} = LOCAL[0], LOCAL[i:…] = …`", name.text),
                )));
            }
            for instance in self.expand_parts(&local.indices, name.span, scope)? {
                let key = key(&name.text, &instance.name);
                self.hold_for(machine, name_bytes(&key) + STATE_BYTES + scope_bytes(scope))?;
                let state = machine.add_state();
                if machine.places.insert(key.clone(), Place::State(state)).is_some() {
                    let message = format!("local process `{}` is defined twice", display(&key));
                    let first = first_definition(def, local);
                    self.report(
                        Diagnostic::error(codes::DUPLICATE_LOCAL, name.span, message)
                            .with_note(first, "the first definition is here"),
                    );
                }
                if state > MAX_STATES {
                    return Err(self.too_large(def.span));
                }
                locals.push((state, local, scope.extended(&instance.bindings)));
            }
        }
        Ok(locals)
    }

    /// The meaning of a local process: an alias of a place, or a choice that has to be unfolded.
    fn define_local(
        &mut self,
        local: &'a LocalDef,
        state: usize,
        scope: &Scope,
        machine: &mut Machine,
        tasks: &mut Vec<Task<'a>>,
    ) -> Fallible<()> {
        // As in LTSA, an alias of another place does not accept, nor does a local process with indices.
        let is_name = matches!(local.body.kind, BodyKind::Goto { .. });
        if local.accepting && local.indices.is_empty() && !is_name {
            let label = Label::visible(machine.alphabet.intern(&machine.acceptance));
            machine.transitions.push((state, label, Place::State(state)));
        }
        match self.decide(&local.body, scope)? {
            None => {
                machine.aliases[state] = Some(self.stop(machine));
                Ok(())
            }
            Some(Body { kind: BodyKind::Choice(branches), .. }) => {
                push_branches(tasks, state, branches, scope);
                Ok(())
            }
            Some(body) => {
                machine.aliases[state] = Some(self.goto(body, scope, machine)?);
                Ok(())
            }
        }
    }

    /// Unfolds choices until no task is left.
    fn unfold(&mut self, def: &ProcessDef, tasks: Vec<Task<'a>>, machine: &mut Machine) -> Fallible<()> {
        let mut tasks = tasks;
        // The memory of the tasks is paid for now and then, and again if their number has grown.
        let mut paid = 0;
        while let Some(task) = tasks.pop() {
            if machine.aliases.len() > MAX_STATES || tasks.len() > MAX_STATES {
                return Err(self.too_large(def.span));
            }
            // The scopes of the tasks below are hardly larger, since they are less deeply nested.
            let bytes = tasks.len() * (STATE_BYTES + scope_bytes(task.scope()));
            if bytes > paid {
                self.hold_for(machine, 2 * bytes - paid)?;
                paid = 2 * bytes;
            }
            self.spend(1 + task.scope().variable_count() / 16)?;
            match task {
                Task::Prefix { from, branch, position, scope } => {
                    // After an error in one branch, the others are still elaborated.
                    let _ = self.unfold_prefix(from, branch, position, &scope, &mut tasks);
                }
                Task::Action { from, action, used, branch, position, scope } => {
                    if !machine.alphabet.contains(&action) {
                        // An interface automaton also has it in its signature.
                        let copies = if machine.signature.is_some() { 3 } else { 2 };
                        self.hold_for(machine, copies * name_bytes(&action))?;
                    }
                    self.hold_for(machine, STATE_BYTES)?;
                    self.declare(machine, &action, used);
                    let label = Label::visible(machine.alphabet.intern(&action));
                    let target = self.successor(branch, position, &scope, machine, &mut tasks);
                    machine.transitions.push((from, label, target.unwrap_or(Place::Error)));
                }
            }
        }
        Ok(())
    }

    fn unfold_prefix(
        &mut self,
        from: usize,
        branch: &'a Branch,
        position: usize,
        scope: &Scope,
        tasks: &mut Vec<Task<'a>>,
    ) -> Fallible<()> {
        let allowed = match (position, &branch.guard) {
            (0, Some(guard)) => self.condition(guard, scope),
            _ => Ok(true),
        };
        if allowed == Ok(false) {
            return Ok(());
        }
        // If the guard has errors, the label is still elaborated.
        let instances = self.actions(&branch.prefixes[position], scope);
        allowed?;
        let instances = instances?;
        tasks.extend(instances.into_iter().rev().map(|(instance, used)| Task::Action {
            from,
            scope: scope.extended(&instance.bindings),
            action: instance.name,
            used,
            branch,
            position,
        }));
        Ok(())
    }

    /// The place where a branch continues after the prefix at a position.
    fn successor(
        &mut self,
        branch: &'a Branch,
        position: usize,
        scope: &Scope,
        machine: &mut Machine,
        tasks: &mut Vec<Task<'a>>,
    ) -> Fallible<Place> {
        if position + 1 < branch.prefixes.len() {
            let state = machine.add_state();
            tasks.push(Task::Prefix { from: state, branch, position: position + 1, scope: scope.clone() });
            return Ok(Place::State(state));
        }
        match self.decide(&branch.body, scope)? {
            None => Ok(self.stop(machine)),
            Some(Body { kind: BodyKind::Choice(branches), .. }) => {
                let state = machine.add_state();
                push_branches(tasks, state, branches, scope);
                Ok(Place::State(state))
            }
            Some(body) => self.goto(body, scope, machine),
        }
    }

    /// Follows `if`s to a body that is none; `None` for a missing `else`, which is STOP.
    fn decide(&mut self, body: &'a Body, scope: &Scope) -> Fallible<Option<&'a Body>> {
        let mut body = body;
        while let BodyKind::If { condition, then, otherwise } = &body.kind {
            body = if self.condition(condition, scope)? {
                then
            } else {
                match otherwise {
                    Some(otherwise) => otherwise,
                    None => return Ok(None),
                }
            };
        }
        Ok(Some(body))
    }

    fn stop(&mut self, machine: &mut Machine) -> Place {
        self.predefined("STOP", machine)
    }

    fn predefined(&mut self, name: &str, machine: &mut Machine) -> Place {
        if let Some(&place) = machine.places.get(name) {
            return place;
        }
        let place = if name == "ERROR" { Place::Error } else { Place::State(machine.add_state()) };
        machine.places.insert(name.to_owned(), place);
        place
    }

    /// The place that `P; Q; LOCAL[e]` leads to.
    fn goto(&mut self, body: &'a Body, scope: &Scope, machine: &mut Machine) -> Fallible<Place> {
        let BodyKind::Goto { sequence, name, indices } = &body.kind else {
            unreachable!("conditions have been decided and choices are unfolded elsewhere");
        };
        let mut place = self.local(name, indices, scope, machine)?;
        // From the last to the first: each process ends where the next one starts.
        for call in sequence.iter().rev() {
            let Built { lts, signature, states, .. } = self.sequential(call, scope)?;
            if machine.signature.is_some() {
                for name in lts.alphabet().names() {
                    let role = signature.as_ref().and_then(|signature| signature.role(name));
                    let used = Use { role: role.unwrap_or(Role::Internal), span: call.span };
                    self.declare(machine, name, used);
                }
            }
            if lts.end() != Some(lts.initial()) {
                if machine.aliases.len() + lts.state_count() > MAX_STATES {
                    return Err(self.too_large(call.span));
                }
                self.spend(1 + lts.transition_count() / 16)?;
                let size = lts.state_count() + lts.transition_count();
                self.hold_for(machine, lts_bytes(&lts, 1, 0) + STATE_BYTES * size)?;
                place = machine.insert((&lts, states.as_deref()), &call.name.text, place);
            }
        }
        Ok(place)
    }

    /// The place of a local process.
    fn local(
        &mut self,
        name: &Name,
        indices: &[Expr],
        scope: &Scope,
        machine: &mut Machine,
    ) -> Fallible<Place> {
        let mut key = name.text.to_string();
        for index in indices {
            let value = self.value(index, scope)?;
            key = format!("{key}.{value}");
        }
        if let Some(&place) = machine.places.get(&key) {
            return Ok(place);
        }
        if matches!(key.as_str(), "STOP" | "END" | "ERROR") {
            return Ok(self.predefined(&key, machine));
        }
        self.warn_undefined_local(name, &key, machine);
        machine.places.insert(key, Place::Error);
        Ok(Place::Error)
    }

    fn warn_undefined_local(&mut self, name: &Name, key: &str, machine: &Machine) {
        // One remark for each place, since finding advice takes time.
        let place = (name.span, codes::DEFINED_AS_ERROR);
        if self.reported.contains(&place) || !self.keeps_remark(place.0, place.1) {
            return;
        }
        let below = |place: &str| place.split('.').next() == Some(&*name.text);
        let is_local = machine.places.keys().any(|place| below(place));
        let what = match !is_local && self.is_defined(&name.text) {
            true => "is no local process here",
            false => "is not defined",
        };
        let message = format!("`{}` {what}, and so is taken as ERROR", display(key));
        let diagnostic = Diagnostic::warning(codes::DEFINED_AS_ERROR, name.span, message);
        let diagnostic = if is_local {
            diagnostic.with_help("its index is outside of the range: is a guard missing?")
        } else if self.is_defined(&name.text) {
            diagnostic.with_help(format!(
                "`{0}` is a process of its own; to make it a local process, end the definition before it with `,` \
                 instead of `.`; to run it until its END, write `{0};END`",
                name.text
            ))
        } else {
            let places = machine.places.keys().filter_map(|place| place.split('.').next());
            super::suggest(&mut self.effort, diagnostic, &name.text, places.chain(["STOP", "END"]))
        };
        self.report(diagnostic);
    }

    /// A process of a sequence, which has to end.
    fn sequential(&mut self, call: &Call, scope: &Scope) -> Fallible<Built> {
        let arguments = self.arguments(call, scope)?;
        let built = self.part(call, arguments.as_deref())?;
        if arguments.is_some() && self.sequenced.len() < super::MAX_FINDINGS {
            self.sequenced.push((instance_name(&call.name.text, arguments.as_deref()), call.span));
        }
        if built.lts.end().is_none() {
            return Err(self.report(
                Diagnostic::error(
                    codes::NOT_SEQUENTIAL,
                    call.span,
                    format!("process `{}` never reaches END, so nothing can follow it", call.name.text),
                )
                .with_help("a process of a sequence has to end with `END`"),
            ));
        }
        Ok(built)
    }

    /// Reports a reachable local process that is only an alias of itself, if there is one.
    fn check_aliases(
        &mut self,
        locals: &[(usize, &'a LocalDef, Scope)],
        resolved: &[Option<Place>],
        initial: Place,
        machine: &Machine,
    ) -> Fallible<()> {
        let is_circular = |(state, ..): &&(usize, &LocalDef, Scope)| resolved[*state].is_none();
        if !locals.iter().any(|local| is_circular(&local)) {
            return Ok(());
        }
        let is_reached = machine.reachable(initial);
        match locals.iter().filter(is_circular).find(|(state, ..)| is_reached[*state]) {
            None => Ok(()),
            Some((_, local, _)) => {
                let message = format!("local process `{}` is defined as itself", local.name.text);
                Err(self.report(
                    Diagnostic::error(codes::CIRCULAR, local.name.span, message)
                        .with_help("give it an action: `P = (a -> P)`"),
                ))
            }
        }
    }
}

/// The reachable part of a process, and the names of its states.
fn trimmed(lts: &Lts, states: &StateNames) -> (Lts, StateNames) {
    let (lts, order) = operators::trim_numbered(lts);
    let states = states.renumbered(&order);
    (lts, states)
}

/// The first definition of a local process with the same name.
fn first_definition(def: &ProcessDef, local: &LocalDef) -> Span {
    let first = def.locals.iter().find(|first| first.name.text == local.name.text);
    first.unwrap_or(local).name.span
}

fn push_branches<'a>(tasks: &mut Vec<Task<'a>>, from: usize, branches: &'a [Branch], scope: &Scope) {
    tasks.extend(branches.iter().rev().map(|branch| Task::Prefix {
        from,
        branch,
        position: 0,
        scope: scope.clone(),
    }));
}

fn key(name: &str, index: &str) -> String {
    if index.is_empty() { name.to_owned() } else { format!("{name}.{index}") }
}

/// The name of an indexed local process as it is written.
pub(super) fn display(key: &str) -> String {
    let mut parts = key.split('.');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push('[');
        text.push_str(part);
        text.push(']');
    }
    text
}
