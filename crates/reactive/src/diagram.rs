//! Diagrams of what a text says: a machine with its transitions, and who sends what to whom.
//!
//! A machine is shown as it is explored, with nested states flat and indices replaced by their values. Of a system the
//! components are shown, and the machines that are in none; of a component its machines. What lies around them is one node.

use std::collections::{BTreeMap, BTreeSet};

use rely_base::{Alphabet, Id, Label, StateId};
use rely_lts::LtsBuilder;
use rely_model::{Diagram, StateNames};

use crate::formula::{Atom, Comparison, Formula};
use crate::program::View;
use crate::system::{Event, EventId, EventKind, Machine, MachineId, System};

/// The arrows of a graph: from where, what it says, to where.
type Arrows = BTreeSet<(usize, String, usize)>;

/// The machine with a name, with or without that of the system in front.
pub(crate) fn machine_called(system: &System, name: &str) -> Option<MachineId> {
    let own = name.strip_prefix(&format!("{}.", system.name));
    let is_meant = |machine: &Machine| machine.name == name || Some(machine.name.as_str()) == own;
    system.machines().find(|(_, machine)| is_meant(machine)).map(|(id, _)| id)
}

/// The states of a machine. Each arrow has the condition of a transition, and behind `/` what it sends.
pub(crate) fn of_machine(system: &System, id: MachineId) -> Diagram {
    let machine = system.machine(id);
    let writer = Writer { system, owner: machine };
    let label = |transition: &crate::system::Transition| {
        let sent: Vec<&str> = transition.outputs.iter().map(|&event| writer.event(event)).collect();
        match (&transition.condition, &sent[..]) {
            (condition, []) => writer.text(condition),
            (Formula::Constant(true), sent) => format!("/ {}", sent.join(", ")),
            (condition, sent) => format!("{} / {}", writer.text(condition), sent.join(", ")),
        }
    };
    let arrow = |it: &crate::system::Transition| (it.from as usize, label(it), it.to as usize);
    let arrows = machine.transitions.iter().map(arrow).collect();
    graph(&machine.states, machine.initial as usize, &arrows)
}

/// The parts of a system or of a component, and the events between them.
pub(crate) fn of_parts(system: &System, view: View) -> Diagram {
    // What lies around the parts is the first node; it is left out where nothing crosses the border.
    let around = match view {
        View::Whole => "outside",
        View::Component(_) | View::Environment(_) => "environment",
    };
    let mut nodes = vec![around.to_owned()];
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut node_of: Vec<usize> = Vec::new();
    for machine in &system.machines {
        let part = match (view, machine.component) {
            (View::Component(component), of) if of == Some(component) => Some(machine.name.clone()),
            (View::Whole, Some(component)) => Some(system.component(component).name.clone()),
            (View::Whole, None) => Some(machine.name.clone()),
            _ => None,
        };
        node_of.push(match part {
            None => 0,
            Some(part) => *numbers.entry(part.clone()).or_insert_with(|| {
                let own = part.rsplit_once('.').map_or(part.as_str(), |(_, own)| own);
                nodes.push(own.to_owned());
                nodes.len() - 1
            }),
        });
    }
    let mut arrows = Arrows::new();
    for event in &system.events {
        let places = |machines: &[MachineId], comes_from_around: bool| {
            let machines = machines.iter().map(|&id| node_of[id.index()]);
            machines.chain(comes_from_around.then_some(0)).collect::<BTreeSet<usize>>()
        };
        let senders = places(&event.senders, event.kind == EventKind::Input);
        let readers = places(&event.readers, event.kind == EventKind::Output);
        for &sender in &senders {
            for &reader in readers.iter().filter(|&&reader| reader != sender) {
                arrows.insert((sender, own_name(event).to_owned(), reader));
            }
        }
    }
    let crosses = arrows.iter().any(|&(from, _, to)| from == 0 || to == 0);
    if !crosses && nodes.len() > 1 {
        nodes.remove(0);
        arrows = arrows.into_iter().map(|(from, label, to)| (from - 1, label, to - 1)).collect();
    }
    graph(&nodes, 0, &arrows)
}

/// The name of an event without that of its component.
fn own_name(event: &Event) -> &str {
    event.name.rsplit_once('.').map_or(event.name.as_str(), |(_, own)| own)
}

fn graph(nodes: &[String], initial: usize, arrows: &Arrows) -> Diagram {
    let labels: BTreeSet<&str> = arrows.iter().map(|(_, label, _)| label.as_str()).collect();
    let alphabet: Alphabet = labels.iter().copied().collect();
    let mut names = StateNames::new(Alphabet::new(), nodes.len());
    for (number, node) in nodes.iter().enumerate() {
        names.name(StateId::from_index(number), node);
    }
    let mut builder = LtsBuilder::with_states(alphabet, nodes.len());
    builder.set_initial(StateId::from_index(initial));
    for (from, label, to) in arrows {
        let action = builder.alphabet_mut().intern(label);
        builder.add_transition(StateId::from_index(*from), Label::visible(action), StateId::from_index(*to));
    }
    Diagram { graph: builder.build(), names }
}

/// Writes formulas as they are written in the text, with the names that its owner uses.
struct Writer<'s> {
    system: &'s System,
    owner: &'s Machine,
}

impl Writer<'_> {
    fn event(&self, id: EventId) -> &str {
        own_name(self.system.event(id))
    }

    /// The text of a formula. Its height is bounded.
    fn text(&self, formula: &Formula) -> String {
        match formula {
            Formula::Constant(value) => value.to_string(),
            Formula::Atom(atom) => self.atom(atom),
            Formula::Not(inner) => format!("!{}", self.inside(inner)),
            Formula::All(parts) => self.joined(parts, " & "),
            Formula::Any(parts) => self.joined(parts, " | "),
            Formula::Iff(left, right) => format!("{} <=> {}", self.inside(left), self.inside(right)),
        }
    }

    fn joined(&self, parts: &[Formula], operator: &str) -> String {
        parts.iter().map(|part| self.inside(part)).collect::<Vec<_>>().join(operator)
    }

    /// The text of a formula inside of another one: in parentheses unless it is a single name.
    fn inside(&self, formula: &Formula) -> String {
        let text = self.text(formula);
        if text.contains(' ') && !text.starts_with("after ") { format!("({text})") } else { text }
    }

    fn atom(&self, atom: &Atom) -> String {
        match atom {
            Atom::Event(event) => self.event(*event).to_owned(),
            Atom::OldEvent(event) => format!("old {}", self.event(*event)),
            Atom::Before(event) => format!("after {}", self.event(*event)),
            Atom::State(machine, states) => self.states(*machine, states),
            Atom::OldState(machine, states) => format!("old {}", self.states(*machine, states)),
            Atom::After(_, _, count) => format!("after {count}"),
            Atom::Microstep(comparison, number) => {
                let sign = match comparison {
                    Comparison::Equal => "==",
                    Comparison::Less => "<",
                    Comparison::LessEqual => "<=",
                };
                format!("ms {sign} {number}")
            }
        }
    }

    fn states(&self, id: MachineId, states: &[u32]) -> String {
        let machine = self.system.machine(id);
        let name = match machine.component == self.owner.component {
            true => machine.name.rsplit_once('.').map_or(machine.name.as_str(), |(_, own)| own),
            false => &machine.name,
        };
        let named = |&state: &u32| format!("{name}.{}", machine.states[state as usize]);
        states.iter().map(named).collect::<Vec<_>>().join(" | ")
    }
}
