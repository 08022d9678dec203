//! The names of steps.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Sent, Step};
use crate::component::{Component, MessageRef, Subject, Type};

/// The name of the environment.
pub(super) const ENVIRONMENT: &str = "ENV";

/// Names steps, each with a name of its own.
pub(super) struct Naming<'c> {
    component: &'c Component,
    /// The names of messages of processes.
    messages: FxHashMap<MessageRef, String>,
    /// The names of ports, if messages leave the component by them.
    ports: FxHashMap<usize, String>,
    /// The names that several processes would give to a step.
    shared: FxHashSet<String>,
    taken: FxHashSet<String>,
}

impl<'c> Naming<'c> {
    /// Names for the steps of a component in which these messages are sent together.
    pub(super) fn new<'s>(component: &'c Component, sends: impl Iterator<Item = &'s Step>) -> Self {
        let mut messages = FxHashMap::default();
        for (name, subject) in &component.subjects {
            if let Subject::Message(message) = subject {
                // The name at the border of a part comes first.
                messages.entry(*message).or_insert_with(|| name.clone());
            }
        }
        for input in &component.inputs {
            messages.insert(input.receiver, input.name.clone());
        }
        let ports = component.outputs.iter().map(|output| (output.port, output.name.clone())).collect();
        let (shared, taken) = (FxHashSet::default(), FxHashSet::default());
        let mut naming = Self { component, messages, ports, shared, taken };
        let mut seen = FxHashSet::default();
        for step in sends {
            if let Step::Sent { messages, .. } = step {
                let name = naming.together(messages);
                if !seen.insert(name.clone()) {
                    naming.shared.insert(name);
                }
            }
        }
        naming
    }

    /// The name of a step.
    pub(super) fn name(&mut self, step: &Step) -> String {
        let mut name = match step {
            Step::Sent { sender, messages } => {
                let name = self.together(messages);
                let sender = sender.map_or(ENVIRONMENT, |sender| &self.component.processes[sender].name);
                if self.shared.contains(&name) { format!("{sender}.{name}") } else { name }
            }
            Step::Received(message, values) => format!("{}.received", self.delivered(*message, values)),
            Step::Dropped(message, values) => format!("{}.dropped", self.delivered(*message, values)),
            Step::Unexpected(message, values) => format!("{}.unexpected", self.delivered(*message, values)),
            Step::Done { process, state } => {
                let process = &self.component.processes[*process];
                format!("{}.{}.done", process.name, process.states[*state].name)
            }
        };
        while !self.taken.insert(name.clone()) {
            name.push('\'');
        }
        name
    }

    /// Messages that are sent in one step.
    fn together(&self, messages: &[Sent]) -> String {
        self.each(messages).join("+")
    }

    /// The names of messages, in the order in which they are sent.
    fn each(&self, messages: &[Sent]) -> Vec<String> {
        let mut names = Vec::new();
        for sent in messages {
            names.extend(sent.deliveries.iter().map(|to| self.delivered(*to, &sent.values)));
            if let Some(name) = sent.port.and_then(|port| self.ports.get(&port)) {
                let params = sent.port.map_or(&[][..], |port| &self.component.ports[port].params);
                names.push(with_values(name, params, &sent.values));
            }
        }
        names
    }

    /// The events that a step with a name is.
    pub(super) fn events(&self, step: &Step, name: &str) -> Vec<String> {
        match step {
            Step::Sent { messages, .. } => self.each(messages),
            _ => vec![name.to_owned()],
        }
    }

    /// A message with the values of its parameters.
    pub(super) fn delivered(&self, to: MessageRef, values: &[i32]) -> String {
        let message = &self.component.processes[to.process].messages[to.message];
        let name = self.messages.get(&to).map_or(&*message.name, String::as_str);
        with_values(name, &message.params, values)
    }
}

/// `sample.1`
pub(super) fn with_values(name: &str, params: &[Type], values: &[i32]) -> String {
    let mut text = name.to_owned();
    for (ty, value) in params.iter().zip(values) {
        text.push('.');
        text.push_str(&ty.show(*value));
    }
    text
}
