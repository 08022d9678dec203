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
//! What the environment does may depend on what it did before. For rules about that, the program remembers what it sent one
//! microstep earlier, or in the macrostep before ([`Past`]): a state is then a configuration with its past, and what is met
//! are pairs of valuations.
//!
//! Exploring is the task of others: they call [`Observer::observe`] once for each state of the program.

use std::collections::BTreeMap;

use rely_lts::SlotId;
use rustc_hash::FxHashMap;

use crate::program::{Layout, Lowered, Options, View, lower};
use crate::system::{ComponentId, EventId, System};

/// How many events an interface may have at most to be mined; half as many with their past.
pub const MAX_EVENTS: usize = 128;

/// Which events of an interface are there: bit i is the event number i of the interface.
pub type Valuation = u128;

/// What is known of a configuration beside itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Past {
    /// Nothing.
    #[default]
    None,
    /// Which events were there one microstep earlier in the same macrostep; none in the first one.
    Microstep,
    /// Which events were there in some microstep of the macrostep before.
    Macrostep,
}

/// How often each combination of a microstep and a valuation was met.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Configurations {
    /// The events of the interface, in order.
    pub events: Vec<EventId>,
    /// Whether a valuation has its past behind it: then bit n + i of n events is the event number i, earlier.
    pub past: Past,
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
        let count = self.events.len();
        let known: Vec<usize> =
            (0..self.variables()).filter(|&bit| knows(self.events[bit % count])).collect();
        let events = known.iter().filter(|&&bit| bit < count).map(|&bit| self.events[bit]).collect();
        let mut seen = Self { events, past: self.past, counted: self.counted, counts: BTreeMap::new() };
        for (&(microstep, valuation), count) in &self.counts {
            let bits = known.iter().enumerate().filter(|(_, bit)| valuation >> **bit & 1 == 1);
            let shorter = bits.fold(0, |shorter: Valuation, (place, _)| shorter | 1 << place);
            *seen.counts.entry((microstep, shorter)).or_default() += count;
        }
        seen
    }

    /// How many bits a valuation has.
    pub fn variables(&self) -> usize {
        if self.past == Past::None { self.events.len() } else { 2 * self.events.len() }
    }

    /// The same configurations without their past.
    #[must_use]
    pub fn now(&self) -> Self {
        let mut now = Self { past: Past::None, counts: BTreeMap::new(), ..self.clone() };
        for (&(microstep, valuation), count) in &self.counts {
            *now.counts.entry((microstep, valuation & self.mask_of_now())).or_default() += count;
        }
        now
    }

    /// The bits of a valuation that are not about the past.
    pub fn mask_of_now(&self) -> Valuation {
        1_u128.checked_shl(u32::try_from(self.events.len()).unwrap_or(u32::MAX)).map_or(!0, |bit| bit - 1)
    }

    /// Adds configurations over the same events.
    pub fn extend(&mut self, other: &Self) {
        for (&met, count) in &other.counts {
            *self.counts.entry(met).or_default() += count;
        }
    }

    /// Adds configurations, given by the number of the microstep and the valuation of each.
    pub fn record(&mut self, all: impl IntoIterator<Item = (i32, Valuation)>) {
        let mut counts: FxHashMap<(i32, Valuation), u64> = FxHashMap::default();
        all.into_iter().for_each(|met| *counts.entry(met).or_default() += 1);
        for (met, count) in counts {
            *self.counts.entry(met).or_default() += count;
        }
    }
}

/// Why the interface of a component cannot be mined: it has too many events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyEvents(pub usize);

/// Looks at the configurations of the environment of a component.
#[derive(Clone, Debug)]
pub struct Observer {
    layout: Layout,
    /// For each bit of a valuation, the slots of which one is not 0 where it is set.
    slots: Vec<Vec<SlotId>>,
    counts: FxHashMap<(i32, Valuation), u64>,
    /// What is known but for the counts.
    found: Configurations,
}

impl Observer {
    /// The program of the environment of a component, and an observer of its states. `counted` says how far microsteps are
    /// told apart.
    ///
    /// # Errors
    /// When the component takes more events than can be mined.
    pub fn new(
        system: &System,
        component: ComponentId,
        past: Past,
        counted: i32,
    ) -> Result<(Lowered, Self), TooManyEvents> {
        let events = system.component(component).takes.clone();
        Self::of(system, View::Environment(component), events, past, counted)
    }

    /// The program of another component, and an observer of those events that it sends itself.
    ///
    /// # Errors
    /// When there are more events than can be mined.
    pub fn of_part(
        system: &System,
        part: ComponentId,
        events: Vec<EventId>,
        past: Past,
        counted: i32,
    ) -> Result<(Lowered, Self), TooManyEvents> {
        Self::of(system, View::Component(part), events, past, counted)
    }

    fn of(
        system: &System,
        view: View,
        events: Vec<EventId>,
        past: Past,
        counted: i32,
    ) -> Result<(Lowered, Self), TooManyEvents> {
        let mut found = Configurations { events, past, counted, counts: BTreeMap::new() };
        if found.variables() > MAX_EVENTS {
            return Err(TooManyEvents(found.events.len()));
        }
        let remembered = |which: Past| if past == which { found.events.clone() } else { Vec::new() };
        let (before, last) = (remembered(Past::Microstep), remembered(Past::Macrostep));
        let options = Options { counted, before, last, all_choices: false, ..Options::without_properties() };
        let lowered = lower(system, view, &options);
        let layout = lowered.layout.clone();
        let is_chosen = |slot: &SlotId| layout.chosen.iter().any(|(_, chosen)| chosen == slot);
        let of = |event: &EventId| {
            let known = layout.events.iter().find(|(id, _)| id == event);
            known.map_or_else(Vec::new, |(_, slots)| {
                slots.iter().copied().filter(|slot| !is_chosen(slot)).collect()
            })
        };
        let mut slots: Vec<Vec<SlotId>> = found.events.iter().map(of).collect();
        let earlier = layout.before.iter().chain(&layout.last);
        for event in found.events.iter().filter(|_| past != Past::None) {
            slots.push(earlier.clone().filter(|(id, _)| id == event).map(|&(_, slot)| slot).collect());
        }
        found.counted = layout.counted;
        Ok((lowered, Self { layout, slots, counts: FxHashMap::default(), found }))
    }

    /// Looks at a state of the program. Each state has to be shown once.
    pub fn observe(&mut self, state: &[i32]) {
        self.observe_values(|slot| i64::from(state[rely_base::Id::index(slot)]));
    }

    /// Looks at a state of the program, given by the values of the slots.
    pub fn observe_values(&mut self, value: impl Fn(SlotId) -> i64) {
        if let Some(met) = self.met(value) {
            *self.counts.entry(met).or_default() += 1;
        }
    }

    /// The number of the microstep and the valuation, if a state is a configuration.
    pub fn met(&self, value: impl Fn(SlotId) -> i64) -> Option<(i32, Valuation)> {
        let microstep = value(self.layout.microstep);
        let is_zero = |slot: SlotId| value(slot) == 0;
        let is_fresh = self.layout.chosen.iter().all(|&(_, slot)| is_zero(slot))
            && self.layout.delivering.iter().all(|&slot| is_zero(slot));
        if microstep == 0 || !is_fresh {
            return None;
        }
        let is_there = |slots: &Vec<SlotId>| slots.iter().any(|&slot| !is_zero(slot));
        let bits = self.slots.iter().enumerate().filter(|(_, slots)| is_there(slots));
        let valuation = bits.fold(0, |valuation: Valuation, (bit, _)| valuation | 1 << bit);
        Some((i32::try_from(microstep).unwrap_or(i32::MAX), valuation))
    }

    /// What was found.
    pub fn finish(mut self) -> Configurations {
        self.found.counts.extend(self.counts);
        self.found
    }
}
