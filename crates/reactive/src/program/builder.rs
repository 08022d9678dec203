//! The slots and units of the program.

use rely_base::Span;
use rely_lts::{ExpressionId, ProgramBuilder, SlotId, TickId, UnitId, Values};
use rely_model::{Origin, Part};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Layout, Lowered, Options, View};
use crate::formula::{Atom, Formula};
use crate::system::{EventId, EventKind, Instant, MachineId, System};

/// A program that is being written.
pub(super) struct Lowering<'s> {
    pub(super) system: &'s System,
    pub(super) view: View,
    pub(super) options: &'s Options,
    pub(super) builder: ProgramBuilder,
    pub(super) parts: Vec<Part>,
    pub(super) slots: Slots,
    /// The guards of all transitions, once they are known.
    pub(super) enabled: Vec<ExpressionId>,
    /// An event that is taken to come from the environment, while an assumption is written down.
    pub(super) supposed: Option<EventId>,
}

/// The ticks of the program.
#[derive(Clone, Copy)]
pub(super) struct Ticks {
    /// A microstep.
    pub(super) step: TickId,
    /// The end of a macrostep.
    pub(super) end: TickId,
}

/// The slots of the program.
pub(super) struct Slots {
    pub(super) microstep: SlotId,
    pub(super) counted: i32,
    pub(super) machines: FxHashMap<MachineId, SlotId>,
    pub(super) timers: FxHashMap<(MachineId, u32), SlotId>,
    /// Set by machines in view.
    pub(super) sent: FxHashMap<EventId, SlotId>,
    /// Set by the environment, in the order in which it chooses.
    pub(super) inputs: Vec<(EventId, SlotId)>,
    pub(super) taken: Vec<(EventId, SlotId)>,
    /// Whether an event has been there in this macrostep before.
    pub(super) seen: Vec<(EventId, SlotId)>,
    /// Whether an event was there in the macrostep before.
    pub(super) old_events: Vec<(EventId, SlotId)>,
    /// Whether an event of the border was there one microstep earlier, in this macrostep so far, and in the one before.
    pub(super) before: Vec<(EventId, SlotId)>,
    pub(super) so_far: Vec<(EventId, SlotId)>,
    pub(super) last: Vec<(EventId, SlotId)>,
    /// The states at the start of the macrostep.
    pub(super) old_states: Vec<(MachineId, SlotId)>,
    pub(super) pending: Vec<(EventId, SlotId)>,
    pub(super) delivering: Option<SlotId>,
    /// Whether a configuration is remembered, and the slots that are, each with its copy and their value at the start.
    pub(super) is_remembered: SlotId,
    pub(super) remembered: Vec<(SlotId, SlotId, i32)>,
}

/// What the checks speak about beside the present configuration.
#[derive(Default)]
struct Memory {
    seen: FxHashSet<EventId>,
    old_events: FxHashSet<EventId>,
    old_states: FxHashSet<MachineId>,
    /// Events of the border.
    before: FxHashSet<EventId>,
    last: FxHashSet<EventId>,
    /// Everything that is mentioned at all.
    mentioned: FxHashSet<EventId>,
    /// The largest number with which `ms` is compared.
    highest: i32,
}

impl Memory {
    fn of(options: &Options, system: &System) -> Self {
        let mut memory = Self::default();
        for check in &options.checks {
            if let Instant::Microstep(Some(number)) = check.instant {
                memory.highest = memory.highest.max(number);
            }
            match check.is_about_border {
                true => memory.add_of_border(&check.formula),
                false => memory.add(&check.formula, check.instant == Instant::Macrostep, system),
            }
        }
        options.assumptions.iter().for_each(|assumption| memory.add_of_border(assumption));
        memory.before.extend(&options.before);
        memory.last.extend(&options.last);
        memory
    }

    /// What a formula needs that speaks about events at the border of what is in view.
    fn add_of_border(&mut self, formula: &Formula) {
        formula.for_each_atom(&mut |atom| {
            if let Atom::Event(event) | Atom::Before(event) | Atom::OldEvent(event) = *atom {
                self.mentioned.insert(event);
            }
            match *atom {
                Atom::Before(event) => _ = self.before.insert(event),
                Atom::OldEvent(event) => _ = self.last.insert(event),
                Atom::Microstep(_, number) => self.highest = self.highest.max(number),
                _ => {}
            }
        });
    }

    fn add(&mut self, formula: &Formula, is_macrostep: bool, system: &System) {
        formula.for_each_atom(&mut |atom| match *atom {
            Atom::Event(event) => {
                self.mentioned.insert(event);
                if is_macrostep || system.event(event).kind == EventKind::Input {
                    self.seen.insert(event);
                }
            }
            Atom::OldEvent(event) => {
                self.mentioned.insert(event);
                self.seen.insert(event);
                self.old_events.insert(event);
            }
            Atom::OldState(machine, _) => {
                self.old_states.insert(machine);
            }
            Atom::Microstep(_, number) => self.highest = self.highest.max(number),
            Atom::State(..) | Atom::After(..) | Atom::Before(_) => {}
        });
    }
}

impl<'s> Lowering<'s> {
    pub(super) fn new(system: &'s System, view: View, options: &'s Options) -> Self {
        let memory = Memory::of(options, system);
        let mut builder = ProgramBuilder::new();
        let slots = Slots::new(system, view, options, &memory, &mut builder);
        let (parts, enabled) = (Vec::new(), Vec::new());
        Self { system, view, options, builder, parts, slots, enabled, supposed: None }
    }

    pub(super) fn finish(mut self) -> Lowered {
        self.find_enabled();
        let ticks = self.ticks();
        self.machines(ticks);
        self.environment();
        self.clock(ticks);
        self.checks(ticks);
        let layout = self.layout();
        let program = self.builder.build().expect("everything that is used has been made by this builder");
        Lowered { program, parts: self.parts, layout }
    }

    /// A unit, and what it is.
    pub(super) fn unit(
        &mut self,
        name: &str,
        definition: &str,
        place: Option<Span>,
        origin: Origin,
    ) -> UnitId {
        let part = if origin == Origin::Property { Part::property(name) } else { Part::new(name) };
        self.parts.push(Part { definition: definition.into(), place, origin, ..part });
        self.builder.unit(name)
    }

    /// Whether the program is one of an open component.
    pub(super) fn is_open(&self) -> bool {
        self.view != View::Whole
    }

    fn layout(&self) -> Layout {
        let slots = &self.slots;
        let mut machines: Vec<_> = slots.machines.iter().map(|(&machine, &slot)| (machine, slot)).collect();
        machines.sort_unstable();
        let mut timers: Vec<_> =
            slots.timers.iter().map(|(&(machine, timer), &slot)| (machine, timer, slot)).collect();
        timers.sort_unstable();
        let events = self.system.events().map(|(event, _)| (event, slots.of(event)));
        Layout {
            microstep: slots.microstep,
            counted: slots.counted,
            machines,
            timers,
            events: events.filter(|(_, slots)| !slots.is_empty()).collect(),
            pending: slots.pending.clone(),
            chosen: slots.inputs.iter().chain(&slots.taken).copied().collect(),
            delivering: slots.delivering,
            enabled: self.enabled.clone(),
            before: slots.before.clone(),
            last: slots.last.clone(),
        }
    }
}

impl Slots {
    fn new(
        system: &System,
        view: View,
        options: &Options,
        memory: &Memory,
        builder: &mut ProgramBuilder,
    ) -> Self {
        let counted = options.counted.max(memory.highest.saturating_add(1)).max(1);
        let microstep = builder.slot("ms", Values::Range(0, counted), 0);
        let mut machines = FxHashMap::default();
        let mut timers = FxHashMap::default();
        for (id, machine) in system.machines().filter(|(_, machine)| view.has(machine.component)) {
            let initial = i32::try_from(machine.initial).unwrap_or(0);
            machines.insert(id, builder.slot(&machine.name, Values::Named(machine.states.clone()), initial));
            for (number, timer) in (0_u32..).zip(&machine.timers) {
                let values = Values::Range(0, timer.longest.saturating_add(1));
                let name = format!("{} since {}", machine.name, timer.state);
                timers.insert((id, number), builder.slot(name, values, 1));
            }
        }
        let in_view = |machine: &MachineId| view.has(system.machine(*machine).component);
        let (mut sent, mut inputs, mut taken, mut pending) =
            (FxHashMap::default(), Vec::new(), Vec::new(), Vec::new());
        for (id, event) in system.events() {
            let is_read = event.readers.iter().any(in_view) || memory.mentioned.contains(&id);
            let is_sent = event.senders.iter().any(in_view);
            let is_sent_outside = event.senders.iter().any(|sender| !in_view(sender));
            match event.kind {
                EventKind::Input => {
                    if is_read || view == View::Whole {
                        inputs.push((id, builder.event(&event.name)));
                    }
                }
                EventKind::Output => {
                    if is_sent {
                        pending
                            .push((id, builder.slot(format!("{} is due", event.name), Values::Boolean, 0)));
                    }
                    if is_sent && memory.mentioned.contains(&id) {
                        sent.insert(id, builder.event(&event.name));
                    }
                }
                EventKind::Internal => {
                    if is_sent {
                        sent.insert(id, builder.event(&event.name));
                    }
                    if is_sent_outside && is_read {
                        let name = match is_sent {
                            true => format!("{} from outside", event.name),
                            false => event.name.clone(),
                        };
                        taken.push((id, builder.event(name)));
                    }
                }
            }
        }
        let mut remember = |prefix: &str, set: &FxHashSet<EventId>| -> Vec<(EventId, SlotId)> {
            let mut events: Vec<EventId> = set.iter().copied().collect();
            events.sort_unstable();
            let slot =
                |id| (id, builder.slot(format!("{prefix} {}", system.event(id).name), Values::Boolean, 0));
            events.into_iter().map(slot).collect()
        };
        let seen = remember("seen", &memory.seen);
        let old_events = remember("old", &memory.old_events);
        let before = remember("before", &memory.before);
        let so_far = remember("so far", &memory.last);
        let last = remember("last", &memory.last);
        let mut old: Vec<MachineId> =
            memory.old_states.iter().copied().filter(|machine| machines.contains_key(machine)).collect();
        old.sort_unstable();
        let copy = |id: MachineId, builder: &mut ProgramBuilder, prefix: &str| {
            let machine = system.machine(id);
            let initial = i32::try_from(machine.initial).unwrap_or(0);
            builder.slot(format!("{prefix} {}", machine.name), Values::Named(machine.states.clone()), initial)
        };
        let old_states = old.into_iter().map(|id| (id, copy(id, builder, "old"))).collect();
        let is_open = view != View::Whole;
        let delivering =
            (is_open && !pending.is_empty()).then(|| builder.slot("delivering", Values::Boolean, 0));
        let is_remembered = builder.slot("remembers", Values::Boolean, 0);
        let mut remembered = Vec::new();
        for (id, machine) in system.machines() {
            if let Some(&slot) = machines.get(&id) {
                let initial = i32::try_from(machine.initial).unwrap_or(0);
                remembered.push((slot, copy(id, builder, "remembered"), initial));
            }
        }
        for (id, event) in system.events().filter(|(_, event)| event.kind == EventKind::Internal) {
            if let Some(&slot) = sent.get(&id) {
                let name = format!("remembered {}", event.name);
                remembered.push((slot, builder.slot(name, Values::Boolean, 0), 0));
            }
        }
        Self {
            microstep,
            counted,
            machines,
            timers,
            sent,
            inputs,
            taken,
            seen,
            old_events,
            before,
            so_far,
            last,
            old_states,
            pending,
            delivering,
            is_remembered,
            remembered,
        }
    }

    /// The slots of an event: it is there if one of them is not 0.
    pub(super) fn of(&self, event: EventId) -> Vec<SlotId> {
        let chosen = self.inputs.iter().chain(&self.taken);
        let chosen = chosen.filter(|(id, _)| *id == event).map(|&(_, slot)| slot);
        self.sent.get(&event).copied().into_iter().chain(chosen).collect()
    }

    /// The slot of an event in one of the lists.
    pub(super) fn find(list: &[(EventId, SlotId)], event: EventId) -> Option<SlotId> {
        list.iter().find(|(id, _)| *id == event).map(|&(_, slot)| slot)
    }
}
