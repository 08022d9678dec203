//! The meaning of a system: a program whose machines all move at once.
//!
//! **Problem.** A macrostep begins with a set of events from outside, and goes on in microsteps in which every machine with
//! an enabled transition takes one, until none is enabled. Outputs leave the system at the end. How is that a
//! [`Program`], without an action for each of the exponentially many sets of events?
//!
//! **Source.** The step semantics of RSML and of STATEMATE's asynchronous mode, as [de la Riva, Tuya 2006] use it.
//!
//! **Idea.** A configuration is a state of the program: the states of the machines, the events that are there, and the
//! number `ms` of the microstep that led to it. `ms` is 0 where the system is stable.
//!
//! - *Choosing.* In a stable configuration the environment adds one input after the other, in the order of their
//!   declaration, so that each set is reached in one way; inputs that exclude each other are never added together. Each choice is an action with the name of the event.
//! - *Microsteps* are a silent tick of all machines. The first one is always taken, even where no transition is enabled;
//!   further ones as long as one is. Events are momentary slots: the tick removes them, unless they are sent again.
//! - *Ending.* Where no transition is enabled, the outputs that were sent in the macrostep are delivered, each as an action
//!   with its name, and then comes the action `end`, a tick that makes the system stable again.
//!
//! Properties look at the configuration that a tick leaves: those of microsteps at both kinds of ticks, those of macrosteps
//! at `end`. They are units that fail.
//!
//! **Open components.** A component alone sees events of others. After each microstep the environment adds some of them,
//! one after the other, as if other machines had sent them in that microstep. Where no transition is enabled, the
//! macrostep may end, or the component waits: others may still move. Assumptions are conditions that the configuration has
//! to satisfy before a tick can leave it; a choice that breaks them leads nowhere, and such a dead end is no deadlock. Where an
//! assumption only forbids events, one that would break it is not even chosen: of many events that exclude each other there
//! are a few choices then, and not exponentially many dead ends.
//!
//! Assumptions may also speak of the microstep or the macrostep before. What the environment did then is remembered: what it
//! chose, if a component is looked at under assumptions, and what machines in view sent, if the environment is looked at.
//!
//! **Macrosteps that do not end.** `ms` counts up to a limit and stays there. Beyond the limit, the program guesses a
//! configuration, remembers it, and fails when the same one comes back in the same macrostep: that is a loop, and every
//! loop is found, because the guess may be any configuration of it [Biere, Artho, Schuppan 2002]. Below the limit nothing is
//! remembered, so systems with short macrosteps do not pay for it. In an open component a microstep with events of others,
//! or one in which nothing moves, forgets the guess: only a loop without help from outside is a mistake.

mod builder;
mod formulas;
mod relevance;
mod steps;

use rely_base::{Id, Span};
use rely_lts::{ExpressionId, Program, SlotId};
use rely_model::Part;

use crate::formula::Formula;
use crate::system::{ComponentId, EventId, Instant, MachineId, System};

pub(crate) use crate::resolve::END;

/// Which machines of a system a program has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// All of them: the closed system.
    Whole,
    /// Those of one component.
    Component(ComponentId),
    /// All but those of one component: its environment.
    Environment(ComponentId),
}

impl View {
    /// Whether a machine of a component, or of none, is in view.
    pub fn has(self, component: Option<ComponentId>) -> bool {
        match self {
            Self::Whole => true,
            Self::Component(own) => component == Some(own),
            Self::Environment(other) => component != Some(other),
        }
    }
}

/// How events arrive from outside of the system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Arrivals {
    /// Any set of them begins a macrostep, the empty one included.
    #[default]
    Sets,
    /// At most one of them begins a macrostep.
    OneAtATime,
}

/// A formula that a program watches: a property, or an assumption that is to be discharged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// Its name.
    pub name: String,
    /// When it is to hold.
    pub instant: Instant,
    /// What is to hold.
    pub formula: Formula,
    /// Where it stands.
    pub place: Span,
    /// Whether it speaks about what machines in view send to others, as assumptions of others do: then an event that others
    /// send as well is there only if a machine in view has sent it.
    pub is_about_border: bool,
}

/// How a system is made a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// How events arrive from outside of the system.
    pub arrivals: Arrivals,
    /// How far microsteps are counted at least. Formulas that compare `ms` with larger numbers raise the limit.
    pub counted: i32,
    /// What is watched.
    pub checks: Vec<Check>,
    /// What an open component may rely on: formulas over the events that it takes, and over `ms`.
    pub assumptions: Vec<Formula>,
    /// Whether the environment may choose events that make no difference (`relevance.rs`). Only those who look at the actions
    /// of runs, and not at properties of the text, need them.
    pub all_choices: bool,
    /// Events of the border that are remembered for one microstep, beside those that assumptions speak of.
    pub before: Vec<EventId>,
    /// Events of the border that are remembered until the end of the next macrostep.
    pub last: Vec<EventId>,
}

/// How far microsteps are counted if nothing else is asked for.
pub const COUNTED: i32 = 8;

impl Options {
    /// The properties of what is in view, and no assumptions.
    pub fn with_properties(system: &System, view: View) -> Self {
        let in_view = system.properties.iter().filter(|property| match view {
            View::Whole => true,
            _ => property.component.is_some() && view.has(property.component),
        });
        let check = |property: &crate::system::Property| Check {
            name: property.name.clone(),
            instant: property.instant,
            formula: property.formula.clone(),
            place: property.place,
            is_about_border: false,
        };
        let checks = in_view.map(check).collect();
        Self { checks, ..Self::without_properties() }
    }

    /// Nothing to watch.
    pub fn without_properties() -> Self {
        Self {
            arrivals: Arrivals::Sets,
            counted: COUNTED,
            checks: Vec::new(),
            assumptions: Vec::new(),
            all_choices: true,
            before: Vec::new(),
            last: Vec::new(),
        }
    }

    /// Adds what a component assumes, written by hand.
    #[must_use]
    pub fn assuming_written(mut self, system: &System, component: ComponentId) -> Self {
        let own = system.assumptions.iter().filter(|assumption| assumption.component == component);
        self.assumptions.extend(own.map(|assumption| assumption.formula.clone()));
        self
    }
}

/// A system as a program.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// What each unit of the program is.
    pub parts: Vec<Part>,
    /// Where the configuration is found in a state of the program.
    pub layout: Layout,
}

/// Where the configuration is found in a state of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The number of the microstep; 0 where the system is stable.
    pub microstep: SlotId,
    /// The largest number that is counted: it stands for itself and all larger ones.
    pub counted: i32,
    /// The states of the machines in view.
    pub machines: Vec<(MachineId, SlotId)>,
    /// What timers of machines show.
    pub timers: Vec<(MachineId, u32, SlotId)>,
    /// The events that can be there: one is there if one of its slots is not 0.
    pub events: Vec<(EventId, Vec<SlotId>)>,
    /// The outputs that will be delivered at the end of the macrostep.
    pub pending: Vec<(EventId, SlotId)>,
    /// The events that the environment chooses: inputs, and events of machines that are not in view.
    pub chosen: Vec<(EventId, SlotId)>,
    /// Not 0 as soon as an open component has delivered an output, so that the macrostep has to end.
    pub delivering: Option<SlotId>,
    /// Whether the transitions of machines in view are enabled, in the order of machines and transitions.
    pub enabled: Vec<ExpressionId>,
    /// Whether events of the border were there one microstep earlier.
    pub before: Vec<(EventId, SlotId)>,
    /// Whether events of the border were there in the macrostep before.
    pub last: Vec<(EventId, SlotId)>,
}

impl Layout {
    /// The number of the microstep.
    pub fn microstep(&self, state: &[i32]) -> i32 {
        state[self.microstep.index()]
    }

    /// The events that are there.
    pub fn events(&self, state: &[i32]) -> impl Iterator<Item = EventId> {
        let is_there = |slots: &Vec<SlotId>| slots.iter().any(|slot| state[slot.index()] != 0);
        self.events.iter().filter(move |(_, slots)| is_there(slots)).map(|&(event, _)| event)
    }

    /// Whether the state is a configuration as its microstep has left it: the environment has chosen nothing yet, and no
    /// output has been delivered. Each configuration is one such state.
    pub fn is_fresh(&self, state: &[i32]) -> bool {
        let is_zero = |slot: &SlotId| state[slot.index()] == 0;
        self.chosen.iter().all(|(_, slot)| is_zero(slot)) && self.delivering.iter().all(is_zero)
    }
}

/// The program of what is in view.
pub fn lower(system: &System, view: View, options: &Options) -> Lowered {
    builder::Lowering::new(system, view, options).finish()
}
