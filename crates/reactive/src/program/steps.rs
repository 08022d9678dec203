//! What the program does: machines, the environment, the bookkeeping of steps, and what is watched.

use rely_lts::{Expression, ExpressionId, Outcome, SlotId, Trigger, UnitId};
use rely_model::Origin;

use super::builder::{Lowering, Slots, Ticks};
use super::formulas::Sight;
use super::{Arrivals, END};
use crate::system::{EventId, Instant};

/// A unit that is not in the text: it chooses what comes from outside, and receives what goes there.
const ENVIRONMENT: &str = "environment";

/// A unit that is not in the text: it counts, remembers, and fails where a macrostep does not end.
const CLOCK: &str = "macrostep";

/// New values for slots.
type Changes = Vec<(SlotId, ExpressionId)>;

impl Lowering<'_> {
    /// Finds the guards of all transitions, in the order of machines and transitions.
    pub(super) fn find_enabled(&mut self) {
        let (system, view) = (self.system, self.view);
        for (id, machine) in system.machines().filter(|(_, machine)| view.has(machine.component)) {
            let state = self.slots.machines[&id];
            for transition in &machine.transitions {
                let here = self.builder.is(state, i64::from(transition.from));
                let condition = self.formula(&transition.condition, Sight::Now);
                self.enabled.push(self.builder.and(here, condition));
            }
        }
    }

    /// One unit for each machine, with one command for each of its transitions.
    pub(super) fn machines(&mut self, ticks: Ticks) {
        let (system, view) = (self.system, self.view);
        let mut number = 0;
        for (id, machine) in system.machines().filter(|(_, machine)| view.has(machine.component)) {
            let unit = self.unit(&machine.name, &machine.definition, Some(machine.place), Origin::Process);
            self.builder.join(unit, ticks.step);
            let state = self.slots.machines[&id];
            for transition in &machine.transitions {
                let guard = self.enabled[number];
                number += 1;
                let mut changes = vec![(state, self.builder.constant(i64::from(transition.to)))];
                let one = self.builder.constant(1);
                for &event in &transition.outputs {
                    changes.extend(self.slots.sent.get(&event).map(|&slot| (slot, one)));
                    let pending = self.slots.pending.iter().find(|(id, _)| *id == event);
                    changes.extend(pending.map(|&(_, slot)| (slot, one)));
                }
                let zero = self.builder.constant(0);
                let restarts =
                    transition.restarts.iter().filter_map(|&timer| self.slots.timers.get(&(id, timer)));
                changes.extend(restarts.map(|&timer| (timer, zero)));
                let command =
                    self.builder.command(unit, Trigger::Tick(ticks.step), guard).place(transition.place);
                changes.into_iter().fold(command, |command, (slot, value)| command.assign(slot, value));
            }
        }
    }

    /// The ticks, with the conditions under which microsteps and ends of macrosteps are possible.
    pub(super) fn ticks(&mut self) -> Ticks {
        let stable = self.is_stable();
        let some = self.some_enabled();
        let sound = self.assumptions_hold();
        let go_on = match self.is_open() {
            false => self.builder.or(stable, some),
            true => {
                let ready = self.builder.or(stable, sound);
                let free = self.is_not_delivering();
                self.builder.and(ready, free)
            }
        };
        let step = self.builder.tick(None, go_on);
        let can_end = self.can_end();
        let owed: Vec<_> = self.slots.pending.iter().map(|&(_, slot)| self.builder.value(slot)).collect();
        let owed = self.builder.any(owed);
        let paid = self.builder.not(owed);
        let ends = self.builder.and(can_end, paid);
        let action = self.builder.action(END);
        let end = self.builder.tick(Some(action), ends);
        // A choice that breaks an assumption leads nowhere.
        let broken = self.builder.not(sound);
        self.builder.end(broken);
        Ticks { step, end }
    }

    /// Whether some machine has an enabled transition.
    fn some_enabled(&mut self) -> ExpressionId {
        self.builder.any(self.enabled.clone())
    }

    fn is_not_delivering(&mut self) -> ExpressionId {
        match self.slots.delivering {
            None => self.builder.constant(1),
            Some(slot) => self.builder.is(slot, 0),
        }
    }

    /// Whether a macrostep is going on that may end.
    fn can_end(&mut self) -> ExpressionId {
        let stable = self.is_stable();
        let running = self.builder.not(stable);
        let some = self.some_enabled();
        let none = self.builder.not(some);
        let sound = self.assumptions_hold();
        let still = self.builder.and(running, none);
        self.builder.and(still, sound)
    }

    /// Whether the present configuration is one that the assumptions allow; stable ones are.
    fn assumptions_hold(&mut self) -> ExpressionId {
        let options = self.options;
        let all: Vec<_> = options.assumptions.iter().map(|it| self.formula(it, Sight::Border)).collect();
        let all = self.builder.all(all);
        let stable = self.is_stable();
        self.builder.or(stable, all)
    }

    /// The unit that chooses events, and receives outputs.
    pub(super) fn environment(&mut self) {
        let unit = self.unit(ENVIRONMENT, ENVIRONMENT, None, Origin::Process);
        let stable = self.is_stable();
        let running = self.builder.not(stable);
        let free = self.is_not_delivering();
        let running = self.builder.and(running, free);
        let one_at_a_time = self.options.arrivals == Arrivals::OneAtATime;
        let one = self.builder.constant(1);
        let zero = self.builder.constant(0);
        let lists =
            [(self.slots.inputs.clone(), stable, one_at_a_time), (self.slots.taken.clone(), running, false)];
        for (list, when, only_one) in lists {
            for (at, &(event, slot)) in list.iter().enumerate() {
                // In one order only, so that each set is chosen in one way.
                let group = self.system.event(event).group;
                let excludes = |other: &EventId| group.is_some() && self.system.event(*other).group == group;
                let others = list.iter().enumerate();
                let others = others.filter(|(other, (id, _))| only_one || *other >= at || excludes(id));
                let others: Vec<_> = others.map(|(_, &other)| other).collect();
                let none = self.none_of(&others);
                let guard = self.builder.and(when, none);
                let allowed = self.may_come(event);
                let mut guard = self.builder.and(guard, allowed);
                if let Some(matters) = self.matters(event) {
                    guard = self.builder.and(guard, matters);
                }
                let action = self.action(event);
                self.builder.command(unit, Trigger::Action(action), guard).assign(slot, one);
            }
        }
        let can_end = self.can_end();
        let pending = self.slots.pending.clone();
        for (at, &(event, slot)) in pending.iter().enumerate() {
            let earlier = self.none_of(&pending[..at]);
            let due = self.builder.value(slot);
            let guard = self.builder.and(can_end, earlier);
            let guard = self.builder.and(guard, due);
            let action = self.action(event);
            let delivering = self.slots.delivering;
            let command = self.builder.command(unit, Trigger::Action(action), guard).assign(slot, zero);
            if let Some(delivering) = delivering {
                command.assign(delivering, one);
            }
        }
    }

    /// Whether the environment may add an event to those that it has chosen: no assumption that only forbids events, and so
    /// stays broken once it is, says the contrary.
    fn may_come(&mut self, event: EventId) -> ExpressionId {
        let options = self.options;
        let forbidding = options.assumptions.iter().filter(|it| it.only_forbids() && it.mentions(event));
        self.supposed = Some(event);
        let allowed: Vec<_> = forbidding.map(|it| self.formula(it, Sight::Border)).collect();
        self.supposed = None;
        self.builder.all(allowed)
    }

    fn action(&mut self, event: EventId) -> rely_base::ActionId {
        let system = self.system;
        self.builder.action(&system.event(event).action)
    }

    fn none_of(&mut self, slots: &[(EventId, SlotId)]) -> ExpressionId {
        let values: Vec<_> = slots.iter().map(|&(_, slot)| self.builder.value(slot)).collect();
        let some = self.builder.any(values);
        self.builder.not(some)
    }

    /// The unit that counts microsteps, remembers what properties need, and notices loops.
    pub(super) fn clock(&mut self, ticks: Ticks) {
        let unit = self.unit(CLOCK, CLOCK, None, Origin::Process);
        let memories = self.memories_of_step();
        let microstep = self.slots.microstep;
        let now = self.builder.value(microstep);
        let limit = self.builder.constant(i64::from(self.slots.counted));
        let one = self.builder.constant(1);
        let below = self.builder.less(now, limit);
        let next = self.builder.add(now, one);
        let counting = with(&memories, [(microstep, next)]);
        self.clock_command(unit, ticks, below, counting, Outcome::Continue);

        // Beyond the limit: what moves without help from outside is looked at for loops.
        let beyond = self.builder.not(below);
        let some = self.some_enabled();
        let helped = self.none_of(&self.slots.taken.clone());
        let alone = self.builder.and(some, helped);
        let suspicious = self.builder.and(beyond, alone);
        let remembers = self.builder.value(self.slots.is_remembered);
        let again = self.is_remembered_configuration();
        let loops = self.builder.and(suspicious, remembers);
        let loops = self.builder.and(loops, again);
        self.clock_command(unit, ticks, loops, Vec::new(), Outcome::Fail);
        let differs = self.builder.not(again);
        let fresh = self.builder.not(remembers);
        let unsure = self.builder.or(fresh, differs);
        let keep = self.builder.and(suspicious, unsure);
        self.clock_command(unit, ticks, keep, memories.clone(), Outcome::Continue);
        let guess = self.builder.and(suspicious, fresh);
        let mut copies = vec![(self.slots.is_remembered, one)];
        for (slot, copy, _) in self.slots.remembered.clone() {
            copies.push((copy, self.builder.value(slot)));
        }
        self.clock_command(unit, ticks, guess, with(&memories, copies), Outcome::Continue);
        let harmless = self.builder.not(alone);
        let harmless = self.builder.and(beyond, harmless);
        let forget = self.forgetting();
        self.clock_command(unit, ticks, harmless, with(&memories, forget), Outcome::Continue);

        let changes = self.changes_of_end();
        let truth = self.builder.constant(1);
        let command = self.builder.command(unit, Trigger::Tick(ticks.end), truth);
        changes.into_iter().fold(command, |command, (slot, value)| command.assign(slot, value));
    }

    fn clock_command(
        &mut self,
        unit: UnitId,
        ticks: Ticks,
        guard: ExpressionId,
        changes: Changes,
        outcome: Outcome,
    ) {
        let command = self.builder.command(unit, Trigger::Tick(ticks.step), guard).outcome(outcome);
        changes.into_iter().fold(command, |command, (slot, value)| command.assign(slot, value));
    }

    /// Events that have been there so far in this macrostep, and those that are there now.
    fn memories_of_step(&mut self) -> Changes {
        let (seen, before) = (self.slots.seen.clone(), self.slots.before.clone());
        let mut changes: Changes =
            seen.into_iter().map(|(event, slot)| (slot, self.occurred(event))).collect();
        for (event, slot) in before {
            let now = self.event(event, self.past_sight());
            changes.push((slot, self.flag(now)));
        }
        for (event, slot) in self.slots.so_far.clone() {
            changes.push((slot, self.occurred_at_border(event)));
        }
        changes
    }

    /// What is remembered of the border.
    fn past_sight(&self) -> Sight {
        if self.options.assumptions.is_empty() { Sight::Sent } else { Sight::Border }
    }

    /// Whether an event of the border has been there in this macrostep, as 0 or 1.
    fn occurred_at_border(&mut self, event: EventId) -> ExpressionId {
        let now = self.event(event, self.past_sight());
        let so_far = self.slot_or_false(Slots::find(&self.slots.so_far, event));
        let occurred = self.builder.or(so_far, now);
        self.flag(occurred)
    }

    /// A condition as 0 or 1.
    fn flag(&mut self, condition: ExpressionId) -> ExpressionId {
        let (one, zero) = (self.builder.constant(1), self.builder.constant(0));
        self.builder.expression(Expression::If(condition, one, zero))
    }

    /// Whether an event has been there in this macrostep, as 0 or 1.
    fn occurred(&mut self, event: EventId) -> ExpressionId {
        let occurred = self.event(event, Sight::Macrostep);
        self.flag(occurred)
    }

    fn is_remembered_configuration(&mut self) -> ExpressionId {
        let pairs = self.slots.remembered.clone();
        let equal: Vec<_> = pairs
            .into_iter()
            .map(|(slot, copy, _)| {
                let (now, then) = (self.builder.value(slot), self.builder.value(copy));
                self.builder.equal(now, then)
            })
            .collect();
        self.builder.all(equal)
    }

    /// Forgets the configuration that was remembered, so that states differ no more than they have to.
    fn forgetting(&mut self) -> Changes {
        let mut changes = vec![(self.slots.is_remembered, self.builder.constant(0))];
        for (_, copy, initial) in self.slots.remembered.clone() {
            changes.push((copy, self.builder.constant(i64::from(initial))));
        }
        changes
    }

    fn changes_of_end(&mut self) -> Changes {
        let zero = self.builder.constant(0);
        let mut changes = self.forgetting();
        changes.push((self.slots.microstep, zero));
        changes.extend(self.slots.delivering.map(|slot| (slot, zero)));
        let forgotten = self.slots.seen.iter().chain(&self.slots.before).chain(&self.slots.so_far);
        changes.extend(forgotten.map(|&(_, slot)| (slot, zero)));
        for (event, slot) in self.slots.last.clone() {
            changes.push((slot, self.occurred_at_border(event)));
        }
        for (event, slot) in self.slots.old_events.clone() {
            changes.push((slot, self.occurred(event)));
        }
        for (machine, slot) in self.slots.old_states.clone() {
            changes.push((slot, self.builder.value(self.slots.machines[&machine])));
        }
        let mut timers: Vec<_> = self.slots.timers.iter().map(|(&id, &slot)| (id, slot)).collect();
        timers.sort_unstable();
        for ((machine, timer), slot) in timers {
            let longest = self.system.machine(machine).timers[timer as usize].longest;
            let (now, one) = (self.builder.value(slot), self.builder.constant(1));
            let last = self.builder.constant(i64::from(longest.saturating_add(1)));
            let runs = self.builder.less(now, last);
            let next = self.builder.add(now, one);
            changes.push((slot, self.builder.expression(Expression::If(runs, next, now))));
        }
        changes
    }

    /// One unit for each property: it fails where the property does not hold.
    pub(super) fn checks(&mut self, ticks: Ticks) {
        let options = self.options;
        for check in &options.checks {
            let unit = self.unit(&check.name, &check.name, Some(check.place), Origin::Property);
            let sight = match check.instant {
                _ if check.is_about_border => Sight::Sent,
                Instant::Macrostep => Sight::Macrostep,
                Instant::Microstep(_) => Sight::Microstep,
            };
            let holds = self.formula(&check.formula, sight);
            let fails = self.builder.not(holds);
            let stable = self.is_stable();
            let running = self.builder.not(stable);
            let guard = match check.instant {
                Instant::Microstep(Some(number)) => {
                    let here = self.builder.is(self.slots.microstep, i64::from(number));
                    self.builder.and(here, fails)
                }
                _ => self.builder.and(running, fails),
            };
            let ticks = match check.instant {
                Instant::Macrostep => vec![ticks.end],
                Instant::Microstep(_) => vec![ticks.step, ticks.end],
            };
            for tick in ticks {
                let command = self.builder.command(unit, Trigger::Tick(tick), guard);
                command.outcome(Outcome::Fail).place(check.place);
            }
        }
    }
}

/// Some changes after others.
fn with(changes: &Changes, more: impl IntoIterator<Item = (SlotId, ExpressionId)>) -> Changes {
    changes.iter().copied().chain(more).collect()
}
