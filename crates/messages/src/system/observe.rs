//! Property processes that watch a message system.
//!
//! **Problem.** A property process speaks of events, `reading.1` or `idle`. One step of a system may be several events: the
//! messages of one action are sent together, in the step `reading.1+idle`. A property that knows `idle` would not see it.
//!
//! **Idea.** The property reads the events of a step one after the other, in the order in which they are sent, and passes over those
//! that it does not know. So each step that has an event of the property's alphabet becomes one action of a new process.

use rely_base::{ActionId, Alphabet, Id, Label, StateId};
use rely_lts::{Lts, LtsBuilder};
use rely_model::Naming;

use super::System;
use crate::component::{Event, EventKind, Subject, Type};

impl System {
    /// The names that statements of another text have for events: `ask.1` for a message with its values, `ask` for all of them, both with
    /// `.received` behind it where it is taken.
    pub fn event_names(&self) -> Naming {
        let mut naming = Naming::default();
        let name = |number: usize| self.program.alphabet().name(ActionId::from_index(number));
        for (number, events) in self.events.iter().enumerate() {
            events.iter().for_each(|event| naming.add(event.clone(), name(number)));
        }
        for (subject_name, subject) in &self.component.subjects {
            let params: &[Type] = match subject {
                Subject::Port(port) => &self.component.ports[*port].params,
                Subject::Message(it) => &self.component.processes[it.process].messages[it.message].params,
            };
            for (kind, suffix) in [(EventKind::Sent, ""), (EventKind::Received, ".received")] {
                let event = Event { subject: *subject, kind, values: vec![None; params.len()] };
                for action in self.actions(&event) {
                    naming.add(format!("{subject_name}{suffix}"), self.program.alphabet().name(action));
                }
            }
        }
        naming
    }

    /// A process over events as one over the actions of the program, to be added to it as a unit. Its states are the
    /// same.
    ///
    /// Silent transitions of the process stay as they are; between the events of one step there are none. Where a step
    /// enters the error state, the rest of its events does not matter.
    pub fn observer(&self, process: &Lts) -> Lts {
        let words: Vec<(&str, Vec<Label>)> = (0..self.steps.len())
            .filter_map(|number| {
                let known = self.events[number].iter().filter_map(|event| process.alphabet().get(event));
                let word: Vec<Label> = known.map(Label::visible).collect();
                (!word.is_empty()).then(|| (self.program.alphabet().name(ActionId::from_index(number)), word))
            })
            .collect();
        let alphabet: Alphabet = words.iter().map(|(name, _)| *name).collect();
        let mut observer = LtsBuilder::with_states(alphabet, process.state_count());
        observer.set_initial(process.initial());
        observer.set_error(process.error());
        observer.set_end(process.end());
        for state in process.states().filter(|&state| Some(state) != process.error()) {
            for edge in process.silent_edges(state) {
                observer.add_transition(state, Label::TAU, edge.target);
            }
            for (number, (_, word)) in words.iter().enumerate() {
                let label = Label::visible(ActionId::from_index(number));
                for target in after(process, state, word) {
                    observer.add_transition(state, label, target);
                }
            }
        }
        observer.build()
    }
}

/// The states of a process after a word, in order.
fn after(process: &Lts, state: StateId, word: &[Label]) -> Vec<StateId> {
    let mut reached = vec![state];
    for &label in word {
        let mut next = Vec::new();
        for state in reached {
            if Some(state) == process.error() {
                next.push(state);
            } else {
                next.extend(process.edges_with(state, label).iter().map(|edge| edge.target));
            }
        }
        next.sort_unstable();
        next.dedup();
        reached = next;
    }
    reached
}
