//! A system whose names and indices have been resolved: machines, events, components, properties. Plain data.
//!
//! Nested states are flat here: a machine has its innermost states only, a transition from an outer state is one transition
//! for each innermost state in it, and a transition to an outer state leads to its first innermost state.

use rely_base::{Id, Span};

use crate::formula::Formula;

rely_base::define_id! {
    /// An event of a system.
    EventId
}

rely_base::define_id! {
    /// A machine of a system.
    MachineId
}

rely_base::define_id! {
    /// A component of a system.
    ComponentId
}

rely_base::define_id! {
    /// A property of a system.
    PropertyId
}

/// A system of reactive machines.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Its name in the text.
    pub name: String,
    /// All events.
    pub events: Vec<Event>,
    /// All machines.
    pub machines: Vec<Machine>,
    /// All components.
    pub components: Vec<Component>,
    /// All properties, of components and of the system.
    pub properties: Vec<Property>,
    /// What components assume, written by hand.
    pub assumptions: Vec<Assumption>,
}

/// Something that is there or not in a microstep.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Its name in the text, with the component that it belongs to: `Pump[1].reading`.
    pub name: String,
    /// Its name for properties in FSP: `pump.1.reading`.
    pub action: String,
    /// Where it comes from or goes to.
    pub kind: EventKind,
    /// The number of the group of inputs of which at most one comes at a time, if it is in one.
    pub group: Option<u32>,
    /// The component that it belongs to, if it is not known everywhere.
    pub owner: Option<ComponentId>,
    /// The machines that send it, in increasing order.
    pub senders: Vec<MachineId>,
    /// The machines that read it, in increasing order.
    pub readers: Vec<MachineId>,
    /// Where it is declared, or first sent.
    pub place: Span,
}

/// Where an event comes from or goes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// From the environment of the system, when a macrostep begins.
    Input,
    /// To the environment of the system, when a macrostep ends.
    Output,
    /// From a machine to others, in the next microstep.
    Internal,
}

/// A finite-state machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    /// Its name in the text, with its component: `Pump[1].Motor`.
    pub name: String,
    /// The name of its definition: `Motor`.
    pub definition: String,
    /// Where the definition stands.
    pub place: Span,
    /// Its component, if it is in one.
    pub component: Option<ComponentId>,
    /// The names of its states.
    pub states: Vec<String>,
    /// The state at the start.
    pub initial: u32,
    /// Its timers.
    pub timers: Vec<Timer>,
    /// What it can do.
    pub transitions: Vec<Transition>,
}

/// Counts the macrosteps since a state was entered: 1 in the macrostep after the one that enters it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timer {
    /// The state, which may be one with states in it.
    pub state: String,
    /// The largest number that anybody waits for. The timer stops one after it.
    pub longest: i32,
}

/// A transition of a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The state before it.
    pub from: u32,
    /// The state behind it.
    pub to: u32,
    /// When it is enabled.
    pub condition: Formula,
    /// What it sends, in increasing order.
    pub outputs: Vec<EventId>,
    /// The timers that it sets back, because their states are left or entered.
    pub restarts: Vec<u32>,
    /// Where it stands.
    pub place: Span,
}

/// A group of machines that talks with others by declared events only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    /// Its name in the text: `Pump[1]`.
    pub name: String,
    /// The name of its definition: `Pump`.
    pub definition: String,
    /// Where the definition stands.
    pub place: Span,
    /// The events that it takes from others, in increasing order.
    pub takes: Vec<EventId>,
    /// The events that it gives to others, in increasing order.
    pub gives: Vec<EventId>,
}

/// A formula that is to hold at some points of every run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its name in the text, with its component: `Control.rescue`.
    pub name: String,
    /// The component whose property it is; nothing for one of the system.
    pub component: Option<ComponentId>,
    /// When it is to hold.
    pub instant: Instant,
    /// What is to hold.
    pub formula: Formula,
    /// The properties that are to imply it.
    pub from: Vec<PropertyId>,
    /// Where it stands.
    pub place: Span,
}

/// When a property is to hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instant {
    /// At the end of each macrostep.
    Macrostep,
    /// At the end of each microstep, or of the one with this number.
    Microstep(Option<i32>),
}

/// What a component relies on: a formula over the events that it takes, and the microstep that produces them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// Its name in the text, with its component.
    pub name: String,
    /// The component that assumes it.
    pub component: ComponentId,
    /// What holds at the end of each microstep.
    pub formula: Formula,
    /// Where it stands.
    pub place: Span,
}

impl System {
    /// An event.
    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id.index()]
    }

    /// A machine.
    pub fn machine(&self, id: MachineId) -> &Machine {
        &self.machines[id.index()]
    }

    /// A component.
    pub fn component(&self, id: ComponentId) -> &Component {
        &self.components[id.index()]
    }

    /// A property.
    pub fn property(&self, id: PropertyId) -> &Property {
        &self.properties[id.index()]
    }

    /// The component with a name.
    pub fn component_called(&self, name: &str) -> Option<ComponentId> {
        self.components.iter().position(|component| component.name == name).map(ComponentId::from_index)
    }

    /// The machines with their numbers.
    pub fn machines(&self) -> impl Iterator<Item = (MachineId, &Machine)> {
        self.machines.iter().enumerate().map(|(number, machine)| (MachineId::from_index(number), machine))
    }

    /// The events with their numbers.
    pub fn events(&self) -> impl Iterator<Item = (EventId, &Event)> {
        self.events.iter().enumerate().map(|(number, event)| (EventId::from_index(number), event))
    }
}
