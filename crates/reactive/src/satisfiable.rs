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
    /// The state of a machine.
    State(MachineId),
    /// What a timer shows.
    Timer(MachineId, u32),
}

/// Whether a condition of a transition can be true while some machines are in given states; nothing if that takes too long.
pub(crate) fn can_hold(formula: &Formula, system: &System, fixed: &[(MachineId, u32)]) -> Option<bool> {
    let mut unknowns = BTreeSet::new();
    formula.for_each_atom(&mut |atom| {
        unknowns.extend(match *atom {
            Atom::Event(event) | Atom::OldEvent(event) => Some(Unknown::Event(event)),
            Atom::State(machine, _) | Atom::OldState(machine, _) => Some(Unknown::State(machine)),
            Atom::After(machine, timer, _) => Some(Unknown::Timer(machine, timer)),
            Atom::Microstep(..) => None,
        });
    });
    let mut is_unknown = false;
    for is_first in [true, false] {
        let mut values: FxHashMap<Unknown, i64> =
            fixed.iter().map(|&(machine, state)| (Unknown::State(machine), i64::from(state))).collect();
        let open: Vec<Unknown> =
            unknowns.iter().copied().filter(|unknown| !values.contains_key(unknown)).collect();
        let mut search = Search { formula, system, is_first, open, branches: 0 };
        match search.find(&mut values) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => is_unknown = true,
        }
    }
    (!is_unknown).then_some(false)
}

/// A search for values that make a formula true.
struct Search<'s> {
    formula: &'s Formula,
    system: &'s System,
    /// Whether the microstep is the first one of its macrostep.
    is_first: bool,
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
            Unknown::Event(event) => {
                let is_from_outside = self.system.event(event).kind == EventKind::Input;
                if is_from_outside == self.is_first { 2 } else { 1 }
            }
            Unknown::State(machine) => {
                i64::try_from(self.system.machine(machine).states.len()).unwrap_or(i64::MAX)
            }
            Unknown::Timer(machine, timer) => {
                i64::from(self.system.machine(machine).timers[timer as usize].longest) + 2
            }
        }
    }

    fn value(&self, atom: &Atom, values: &FxHashMap<Unknown, i64>) -> Option<bool> {
        match atom {
            Atom::Event(event) | Atom::OldEvent(event) => {
                values.get(&Unknown::Event(*event)).map(|&value| value == 1)
            }
            Atom::State(machine, states) | Atom::OldState(machine, states) => values
                .get(&Unknown::State(*machine))
                .map(|value| states.iter().any(|&state| i64::from(state) == *value)),
            Atom::After(..) if !self.is_first => Some(false),
            Atom::After(machine, timer, count) => {
                values.get(&Unknown::Timer(*machine, *timer)).map(|&value| value == i64::from(*count))
            }
            Atom::Microstep(..) => None,
        }
    }
}
