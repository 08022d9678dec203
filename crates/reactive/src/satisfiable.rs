//! Whether a condition can ever be true, as far as logic alone tells.
//!
//! **Problem.** A condition that can never be true is a mistake, and so is, most often, a pair of transitions whose
//! conditions can be true together. Which configurations are reachable is not known when a text is read; which combinations
//! of events and states make sense is.
//!
//! **Idea.** Search for values of the atoms, one unknown after the other, and stop a branch as soon as the formula has a
//! value whatever the rest is. What makes sense: a machine is in one state; events from outside and timeouts are there in
//! the first microstep only, and events that machines send from the second one on; of inputs that exclude each other, at most
//! one is there.
//!
//! **Complexity.** Exponential in the atoms of one condition at worst, so the number of branches is limited.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::formula::{Atom, Formula};
use crate::system::{EventId, EventKind, MachineId, System};

/// How many branches are looked at.
const MAX_BRANCHES: usize = 20_000;

/// Something of which the value is searched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Unknown {
    /// Whether an event is there.
    Event(EventId),
    /// Whether an event was there in the macrostep before.
    OldEvent(EventId),
    /// The state of a machine.
    State(MachineId),
    /// The state of a machine when the macrostep began.
    OldState(MachineId),
    /// What a timer shows.
    Timer(MachineId, u32),
    /// The number of the microstep, minus 1.
    Microstep,
}

/// Which configurations are meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// Those in which a macrostep begins.
    First,
    /// Those between microsteps of a macrostep.
    Later,
    /// Those that a property judges: events of the whole macrostep may be there together.
    Judged,
}

/// Whether a condition of a transition can be true while some machines are in given states; nothing if that takes too long.
pub(crate) fn can_hold(formula: &Formula, system: &System, fixed: &[(MachineId, u32)]) -> Option<bool> {
    let mut is_unknown = false;
    for moment in [Moment::First, Moment::Later] {
        match find(formula, system, moment, fixed) {
            Some(Some(_)) => return Some(true),
            Some(None) => {}
            None => is_unknown = true,
        }
    }
    (!is_unknown).then_some(false)
}

/// Values that make a formula of a property true, as text; nothing inside if there are none, nothing at all if finding out
/// takes too long.
pub(crate) fn witness(formula: &Formula, system: &System) -> Option<Option<String>> {
    let values = find(formula, system, Moment::Judged, &[])?;
    Some(values.map(|values| {
        let mut values: Vec<(Unknown, i64)> = values.into_iter().collect();
        values.sort_unstable();
        let shown: Vec<String> =
            values.into_iter().map(|(unknown, value)| show(unknown, value, system)).collect();
        shown.join(", ")
    }))
}

fn show(unknown: Unknown, value: i64, system: &System) -> String {
    let state = |machine: MachineId| {
        let machine = system.machine(machine);
        let state = usize::try_from(value).ok().and_then(|value| machine.states.get(value));
        format!("{}.{}", machine.name, state.map_or("?", |state| state.as_str()))
    };
    let sign = if value == 0 { "!" } else { "" };
    match unknown {
        Unknown::Event(event) => format!("{sign}{}", system.event(event).name),
        Unknown::OldEvent(event) => format!("old {sign}{}", system.event(event).name),
        Unknown::State(machine) => state(machine),
        Unknown::OldState(machine) => format!("old {}", state(machine)),
        Unknown::Timer(machine, _) => format!("{} after {value}", system.machine(machine).name),
        Unknown::Microstep => format!("ms == {}", value + 1),
    }
}

/// Values that make a formula true.
fn find(
    formula: &Formula,
    system: &System,
    moment: Moment,
    fixed: &[(MachineId, u32)],
) -> Option<Option<FxHashMap<Unknown, i64>>> {
    let mut unknowns = BTreeSet::new();
    let mut highest = 0;
    formula.for_each_atom(&mut |atom| {
        unknowns.insert(match *atom {
            Atom::Event(event) => Unknown::Event(event),
            // Only assumptions speak of the microstep before, and nobody asks whether they can be satisfied.
            Atom::OldEvent(event) | Atom::Before(event) => Unknown::OldEvent(event),
            Atom::State(machine, _) => Unknown::State(machine),
            Atom::OldState(machine, _) => Unknown::OldState(machine),
            Atom::After(machine, timer, _) => Unknown::Timer(machine, timer),
            Atom::Microstep(_, number) => {
                highest = highest.max(number);
                Unknown::Microstep
            }
        });
    });
    let mut values: FxHashMap<Unknown, i64> =
        fixed.iter().map(|&(machine, state)| (Unknown::State(machine), i64::from(state))).collect();
    let open: Vec<Unknown> = unknowns.into_iter().filter(|unknown| !values.contains_key(unknown)).collect();
    let mut search = Search { formula, system, moment, highest, open, branches: 0 };
    search.find(&mut values).map(|is_found| is_found.then_some(values))
}

/// A search for values that make a formula true.
struct Search<'s> {
    formula: &'s Formula,
    system: &'s System,
    moment: Moment,
    /// The largest number with which the number of the microstep is compared.
    highest: i32,
    /// What is to be given a value, in order.
    open: Vec<Unknown>,
    /// How many branches have been looked at.
    branches: usize,
}

impl Search<'_> {
    /// Whether some values of the open unknowns make the formula true. Depth first, without recursion: `chosen` has the
    /// value that was tried last for each unknown so far.
    fn find(&mut self, values: &mut FxHashMap<Unknown, i64>) -> Option<bool> {
        let mut chosen: Vec<i64> = Vec::new();
        loop {
            self.branches += 1;
            if self.branches > MAX_BRANCHES {
                return None;
            }
            let value = match self.is_possible(values) {
                true => self.formula.partial(&|atom| self.value(atom, values)),
                false => Some(false),
            };
            match value {
                Some(true) => return Some(true),
                None if chosen.len() < self.open.len() => {
                    let next = self.open[chosen.len()];
                    values.insert(next, 0);
                    chosen.push(0);
                    continue;
                }
                _ => {}
            }
            // Try the next value of the last unknown that has one.
            loop {
                let Some(last) = chosen.pop() else { return Some(false) };
                let unknown = self.open[chosen.len()];
                if last + 1 < self.count(unknown) {
                    values.insert(unknown, last + 1);
                    chosen.push(last + 1);
                    break;
                }
                values.remove(&unknown);
            }
        }
    }

    /// Whether at most one input of each group is there.
    fn is_possible(&self, values: &FxHashMap<Unknown, i64>) -> bool {
        let mut groups = Vec::new();
        for unknown in &self.open {
            if let Unknown::Event(event) = unknown
                && let Some(group) = self.system.event(*event).group
                && values.get(unknown) == Some(&1)
            {
                groups.push(group);
            }
        }
        groups.sort_unstable();
        groups.windows(2).all(|pair| pair[0] != pair[1])
    }

    /// How many values an unknown has.
    fn count(&self, unknown: Unknown) -> i64 {
        match unknown {
            Unknown::OldEvent(_) => 2,
            Unknown::Event(event) => {
                let is_from_outside = self.system.event(event).kind == EventKind::Input;
                let can_be_there = match self.moment {
                    Moment::First => is_from_outside,
                    Moment::Later => !is_from_outside,
                    Moment::Judged => true,
                };
                if can_be_there { 2 } else { 1 }
            }
            Unknown::State(machine) | Unknown::OldState(machine) => {
                i64::try_from(self.system.machine(machine).states.len()).unwrap_or(i64::MAX)
            }
            Unknown::Timer(machine, timer) => {
                i64::from(self.system.machine(machine).timers[timer as usize].longest) + 2
            }
            Unknown::Microstep => i64::from(self.highest) + 1,
        }
    }

    fn value(&self, atom: &Atom, values: &FxHashMap<Unknown, i64>) -> Option<bool> {
        let one_of = |unknown: Unknown, states: &[u32]| {
            values.get(&unknown).map(|value| states.iter().any(|&state| i64::from(state) == *value))
        };
        match atom {
            Atom::Event(event) => values.get(&Unknown::Event(*event)).map(|&value| value == 1),
            Atom::OldEvent(event) | Atom::Before(event) => {
                values.get(&Unknown::OldEvent(*event)).map(|&value| value == 1)
            }
            Atom::State(machine, states) => one_of(Unknown::State(*machine), states),
            Atom::OldState(machine, states) => one_of(Unknown::OldState(*machine), states),
            Atom::After(..) if self.moment != Moment::First => Some(false),
            Atom::After(machine, timer, count) => {
                values.get(&Unknown::Timer(*machine, *timer)).map(|&value| value == i64::from(*count))
            }
            Atom::Microstep(comparison, number) => {
                let value = *values.get(&Unknown::Microstep)?;
                Some(comparison.holds(i32::try_from(value + 1).unwrap_or(i32::MAX), *number))
            }
        }
    }
}
