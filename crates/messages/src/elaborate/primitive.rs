//! Primitive components: their interface, and the processes that take their inputs.

use std::sync::Arc;

use rely_base::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::scope::Scope;
use super::{Elaborator, Fallible, MAX_PROCESSES, Reported};
use crate::ast;
use crate::codes;
use crate::component::{
    Component, Input, Message, MessageRef, Output, Port, Process, Receiver, Statement, Subject, Type,
};

/// How many messages a queue holds where nobody says so.
pub(super) const DEFAULT_QUEUE: u32 = 4;

/// What processes have to know of the component around them while they are elaborated.
pub(super) struct Surroundings {
    /// The inputs with the types of their parameters.
    pub(super) inputs: FxHashMap<Arc<str>, Vec<Type>>,
    pub(super) outputs: Vec<(Arc<str>, Vec<Type>)>,
    pub(super) queue: u32,
    /// The processes by the names of their definitions, with their indices.
    pub(super) families: FxHashMap<Arc<str>, Family>,
    /// The names of the families, in order.
    pub(super) order: Vec<Arc<str>>,
}

/// A process, or processes with indices.
pub(super) struct Family {
    pub(super) is_indexed: bool,
    /// The indices with the numbers of the processes.
    pub(super) members: Vec<(i32, usize)>,
}

/// A process: its definition, its index with the index's name, and its own name.
type Instance<'d> = (&'d ast::ProcessDef, Option<(Arc<str>, i32)>, String);

impl Elaborator<'_> {
    pub(super) fn primitive(
        &mut self,
        definition: &ast::ComponentDef,
        primitive: &ast::Primitive,
    ) -> Component {
        let before = self.errors;
        self.doubtful.clear();
        let mut around = self.surroundings(primitive);
        let instances = self.instances(primitive, &mut around);
        let mut processes: Vec<Process> = Vec::new();
        for (def, index, name) in &instances {
            processes.push(self.process_frame(def, index.as_ref(), name, &around));
        }
        for (number, (def, index, _)) in instances.iter().enumerate() {
            let behaviour = self.process_behaviour(def, index.as_ref(), number, &processes, &around);
            (processes[number].states, processes[number].transitions) = behaviour;
        }
        let inputs = self.receivers(primitive, &processes);
        let mut ports = Vec::new();
        for (def, (name, params)) in primitive.outputs.iter().zip(&around.outputs) {
            let place = def.name.span;
            ports.push(Port { name: name.to_string(), params: params.clone(), routes: Vec::new(), place });
        }
        let outputs =
            ports.iter().enumerate().map(|(port, it)| Output { name: it.name.clone(), port }).collect();
        let subjects = subjects(&processes, &inputs, &ports);
        let component = Component {
            name: Arc::clone(&definition.name.text),
            place: definition.span,
            parts: Vec::new(),
            processes,
            ports,
            inputs,
            outputs,
            properties: Vec::new(),
            subjects,
        };
        if self.errors == before {
            self.look_for_loose_ends(&component);
        }
        component
    }

    fn surroundings(&mut self, primitive: &ast::Primitive) -> Surroundings {
        let mut seen = FxHashSet::default();
        for message in primitive.inputs.iter().chain(&primitive.outputs) {
            if !seen.insert(&message.name.text) {
                self.duplicate(&message.name, "a message");
            }
        }
        let mut typed = |messages: &[ast::MessageDef]| -> Vec<(Arc<str>, Vec<Type>)> {
            let params = messages.iter().map(|def| self.params(def, Scope::GLOBAL));
            params.zip(messages).map(|(params, def)| (Arc::clone(&def.name.text), params)).collect()
        };
        let inputs = typed(&primitive.inputs).into_iter().collect();
        let outputs = typed(&primitive.outputs);
        let queue = primitive.queue.as_ref().and_then(|bound| self.queue_bound(bound, Scope::GLOBAL).ok());
        Surroundings {
            inputs,
            outputs,
            queue: queue.unwrap_or(DEFAULT_QUEUE),
            families: FxHashMap::default(),
            order: Vec::new(),
        }
    }

    /// The types of the parameters of a message; where they are wrong, the message is doubtful.
    pub(super) fn params(&mut self, def: &ast::MessageDef, scope: Scope<'_>) -> Vec<Type> {
        self.types(def, scope).unwrap_or_else(|Reported| {
            self.doubtful.insert(Arc::clone(&def.name.text));
            Vec::new()
        })
    }

    fn types(&mut self, def: &ast::MessageDef, scope: Scope<'_>) -> Fallible<Vec<Type>> {
        let types: Vec<Fallible<Type>> = def.params.iter().map(|(_, ty)| self.ty(ty, scope)).collect();
        let types: Vec<Type> = types.into_iter().collect::<Fallible<_>>()?;
        let count = types.iter().try_fold(1_u64, |count, ty| count.checked_mul(ty.count()));
        self.limit(count.unwrap_or(u64::MAX), def.name.span, "different messages of this name")?;
        Ok(types)
    }

    /// How many messages a queue holds.
    pub(super) fn queue_bound(&mut self, bound: &ast::Expr, scope: Scope<'_>) -> Fallible<u32> {
        let value = self.number(bound, scope)?;
        let Some(value) = u32::try_from(value).ok().filter(|&value| value > 0) else {
            let message = format!("a queue cannot hold {value} messages");
            return Err(self.report(Diagnostic::error(codes::OUT_OF_RANGE, bound.span, message)));
        };
        self.limit(u64::from(value), bound.span, "places in a queue")?;
        Ok(value)
    }

    /// The processes of all families, with their indices and names.
    fn instances<'d>(
        &mut self,
        primitive: &'d ast::Primitive,
        around: &mut Surroundings,
    ) -> Vec<Instance<'d>> {
        let mut instances = Vec::new();
        for def in &primitive.processes {
            if around.families.contains_key(&def.name.text) {
                self.duplicate(&def.name, "a process");
                continue;
            }
            let mut members = Vec::new();
            match &def.index {
                None => {
                    members.push((0, instances.len()));
                    instances.push((def, None, def.name.text.to_string()));
                }
                Some(index) => {
                    let Ok((low, high)) = self.indices(index, Scope::GLOBAL) else { continue };
                    let variable =
                        index.variable.as_ref().map_or_else(|| Arc::from(""), |it| Arc::clone(&it.text));
                    for value in low..=high {
                        members.push((value, instances.len()));
                        let name = format!("{}.{value}", def.name.text);
                        instances.push((def, Some((Arc::clone(&variable), value)), name));
                    }
                }
            }
            around.order.push(Arc::clone(&def.name.text));
            let family = Family { is_indexed: def.index.is_some(), members };
            around.families.insert(Arc::clone(&def.name.text), family);
            if instances.len() > MAX_PROCESSES {
                let message = format!("there are more than {MAX_PROCESSES} processes");
                self.report(Diagnostic::error(codes::TOO_LARGE, def.name.span, message));
                instances.truncate(MAX_PROCESSES);
                break;
            }
        }
        instances
    }

    /// Which process takes each input.
    fn receivers(&mut self, primitive: &ast::Primitive, processes: &[Process]) -> Vec<Input> {
        let mut inputs = Vec::new();
        for def in &primitive.inputs {
            let is_it = |message: &Message| message.is_input && message.name == def.name.text;
            let takers = processes.iter().enumerate().filter_map(|(process, it)| {
                it.messages.iter().position(is_it).map(|message| MessageRef { process, message })
            });
            let takers: Vec<MessageRef> = takers.collect();
            match takers.as_slice() {
                &[receiver] => {
                    inputs.push(Input { name: def.name.text.to_string(), receiver, place: def.name.span });
                }
                [] => {
                    let message = format!("no process has a transition on the input `{}`", def.name.text);
                    let diagnostic = Diagnostic::error(codes::NO_RECEIVER, def.name.span, message);
                    self.report(
                        diagnostic.with_help("add a transition on it to the process that should take it"),
                    );
                }
                [first, second, ..] => {
                    let name = |taker: &MessageRef| processes[taker.process].name.as_str();
                    let message = format!(
                        "the input `{}` is taken by `{}` and by `{}`",
                        def.name.text,
                        name(first),
                        name(second)
                    );
                    let diagnostic = Diagnostic::error(codes::TWO_RECEIVERS, def.name.span, message);
                    self.report(diagnostic.with_help("declare an input for each of them"));
                }
            }
        }
        inputs
    }

    /// Warns of messages that nobody sends.
    fn look_for_loose_ends(&mut self, component: &Component) {
        let mut sent: FxHashSet<MessageRef> = FxHashSet::default();
        let mut used = FxHashSet::default();
        let mut pending: Vec<&Statement> = Vec::new();
        for process in &component.processes {
            pending.extend(process.states.iter().flat_map(|state| &state.action));
        }
        while let Some(statement) = pending.pop() {
            match statement {
                Statement::Assign { .. } => {}
                Statement::If { then, otherwise, .. } => pending.extend(then.iter().chain(otherwise)),
                Statement::Send { receiver: Receiver::Port(port), .. } => _ = used.insert(*port),
                Statement::Send { receiver: Receiver::Process(message), .. } => _ = sent.insert(*message),
                Statement::Send { receiver: Receiver::Family { members, .. }, .. } => {
                    sent.extend(members.iter().map(|(_, message)| *message));
                }
            }
        }
        let place = |it: &MessageRef| component.processes[it.process].messages[it.message].place;
        // The processes of a family have their messages in common.
        let sent: FxHashSet<Span> = sent.iter().map(place).collect();
        for process in &component.processes {
            for (message, it) in process.messages.iter().enumerate() {
                let is_sent = it.is_input || sent.contains(&it.place);
                if !is_sent && process.transitions.iter().any(|transition| transition.message == message) {
                    let message = format!("nobody sends the message `{}` to `{}`", it.name, process.name);
                    self.report(Diagnostic::warning(codes::NEVER_SENT, it.place, message));
                }
            }
        }
        for (_, port) in component.ports.iter().enumerate().filter(|(number, _)| !used.contains(number)) {
            let message = format!("no process sends the output `{}`", port.name);
            self.report(Diagnostic::warning(codes::OUTPUT_UNUSED, port.place, message));
        }
    }

    pub(super) fn undefined_process(&mut self, name: &ast::Name, around: &Surroundings) -> Reported {
        let message = format!("there is no process `{}` in this component", name.text);
        let diagnostic = Diagnostic::error(codes::UNDEFINED_PROCESS, name.span, message);
        let diagnostic = super::suggest(diagnostic, &name.text, around.order.iter().map(|known| &**known));
        self.report(diagnostic)
    }
}

/// The names that properties have for the messages of a primitive component.
fn subjects(processes: &[Process], inputs: &[Input], ports: &[Port]) -> Vec<(String, Subject)> {
    let inputs = inputs.iter().map(|input| (input.name.clone(), Subject::Message(input.receiver)));
    let outputs = ports.iter().enumerate().map(|(port, it)| (it.name.clone(), Subject::Port(port)));
    let mut subjects: Vec<(String, Subject)> = inputs.chain(outputs).collect();
    for (process, it) in processes.iter().enumerate() {
        for (message, def) in it.messages.iter().enumerate() {
            let name = format!("{}.{}", it.name, def.name);
            subjects.push((name, Subject::Message(MessageRef { process, message })));
        }
    }
    subjects
}
