//! The configurations of an environment, as a component sees them.
//!
//! **Problem.** What a component may rely on is what its environment does in *every* configuration that it can be in,
//! whatever the component does. Which of the events that the component takes are there, and after which microstep?
//!
//! **Source.** The composition step of [de la Riva, Tuya 2006].
//!
//! **Idea.** Explore the program of the environment ([`View::Environment`]), in which the events of the component are free,
//! and look at every configuration. A macrostep of the environment may wait where it could end, so every macrostep has
//! configurations for all microsteps, and rules such as "e comes in microstep 3" are never drawn from the longest macrosteps
//! alone. Configurations with `ms` 0 are left out: nothing has been sent in them.
//!
//! Exploring is the task of others: they call [`Observer::observe`] once for each state of the program.

use std::collections::BTreeMap;

use rely_lts::SlotId;

use crate::program::{Layout, Lowered, Options, View, lower};
use crate::system::{ComponentId, EventId, System};

/// How many events an interface may have at most to be mined.
pub const MAX_EVENTS: usize = 128;

/// Which events of an interface are there: bit i is the event number i of the interface.
pub type Valuation = u128;

/// How often each combination of a microstep and a valuation was met.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Configurations {
    /// The events of the interface, in order.
    pub events: Vec<EventId>,
    /// The largest microstep that is counted: it stands for itself and all later ones.
    pub counted: i32,
    /// The number of configurations for each microstep, from 1 on, and each valuation.
    pub counts: BTreeMap<(i32, Valuation), u64>,
}

impl Configurations {
    /// How many configurations there are.
    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    /// The same configurations as somebody sees them who knows some of the events only.
    #[must_use]
    pub fn seen_by(&self, knows: impl Fn(EventId) -> bool) -> Self {
        let known: Vec<usize> = (0..self.events.len()).filter(|&bit| knows(self.events[bit])).collect();
        let events = known.iter().map(|&bit| self.events[bit]).collect();
        let mut seen = Self { events, counted: self.counted, counts: BTreeMap::new() };
        for (&(microstep, valuation), count) in &self.counts {
            let bits = known.iter().enumerate().filter(|(_, bit)| valuation >> **bit & 1 == 1);
            let shorter = bits.fold(0, |shorter: Valuation, (place, _)| shorter | 1 << place);
            *seen.counts.entry((microstep, shorter)).or_default() += count;
        }
        seen
    }

    /// Adds configurations over the same events.
    pub fn extend(&mut self, other: &Self) {
        for (&met, count) in &other.counts {
            *self.counts.entry(met).or_default() += count;
        }
    }

    /// Adds a configuration.
    pub fn record(&mut self, microstep: i32, valuation: Valuation) {
        *self.counts.entry((microstep, valuation)).or_default() += 1;
    }
}

/// Why the interface of a component cannot be mined: it has too many events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyEvents(pub usize);

/// Looks at the configurations of the environment of a component.
#[derive(Clone, Debug)]
pub struct Observer {
    layout: Layout,
    /// For each event of the interface, the slots that it is there in.
    slots: Vec<Vec<SlotId>>,
    found: Configurations,
}

impl Observer {
    /// The program of the environment of a component, and an observer of its states. `counted` says how far microsteps are
    /// told apart.
    ///
    /// # Errors
    /// When the component takes more than [`MAX_EVENTS`] events.
    pub fn new(
        system: &System,
        component: ComponentId,
        counted: i32,
    ) -> Result<(Lowered, Self), TooManyEvents> {
        let events = system.component(component).takes.clone();
        Self::of(system, View::Environment(component), events, counted)
    }

    /// The program of another component, and an observer of those events that it sends itself.
    ///
    /// # Errors
    /// When there are more than [`MAX_EVENTS`] events.
    pub fn of_part(
        system: &System,
        part: ComponentId,
        events: Vec<EventId>,
        counted: i32,
    ) -> Result<(Lowered, Self), TooManyEvents> {
        Self::of(system, View::Component(part), events, counted)
    }

    fn of(
        system: &System,
        view: View,
        events: Vec<EventId>,
        counted: i32,
    ) -> Result<(Lowered, Self), TooManyEvents> {
        if events.len() > MAX_EVENTS {
            return Err(TooManyEvents(events.len()));
        }
        let options = Options { counted, ..Options::without_properties() };
        let lowered = lower(system, view, &options);
        let layout = lowered.layout.clone();
        let is_chosen = |slot: &SlotId| layout.chosen.iter().any(|(_, chosen)| chosen == slot);
        let of = |event: &EventId| {
            let known = layout.events.iter().find(|(id, _)| id == event);
            known.map_or_else(Vec::new, |(_, slots)| {
                slots.iter().copied().filter(|slot| !is_chosen(slot)).collect()
            })
        };
        let slots = events.iter().map(of).collect();
        let found = Configurations { events, counted: layout.counted, counts: BTreeMap::new() };
        Ok((lowered, Self { layout, slots, found }))
    }

    /// Looks at a state of the program. Each state has to be shown once.
    pub fn observe(&mut self, state: &[i32]) {
        let microstep = self.layout.microstep(state);
        if microstep == 0 || !self.layout.is_fresh(state) {
            return;
        }
        let is_there = |slots: &Vec<SlotId>| slots.iter().any(|slot| state[rely_base::Id::index(*slot)] != 0);
        let bits = self.slots.iter().enumerate().filter(|(_, slots)| is_there(slots));
        let valuation = bits.fold(0, |valuation: Valuation, (bit, _)| valuation | 1 << bit);
        self.found.record(microstep, valuation);
    }

    /// What was found.
    pub fn finish(self) -> Configurations {
        self.found
    }
}
