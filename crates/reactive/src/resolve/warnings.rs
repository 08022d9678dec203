//! What has a meaning, but probably not the one that was wanted.

use rely_base::{Diagnostic, Id};
use rustc_hash::FxHashSet;

use super::Resolver;
use crate::codes;
use crate::formula::Formula;
use crate::implied::{Implied, implied};
use crate::satisfiable::can_hold;
use crate::system::{EventKind, MachineId};

/// How many pairs of transitions are compared.
const MAX_PAIRS: usize = 100_000;

impl Resolver<'_> {
    /// Looks for what is probably a mistake in a system without errors.
    pub(super) fn warnings(&mut self) {
        for number in 0..self.system.machines.len() {
            let machine = MachineId::from_index(number);
            self.never_fires(machine);
            self.nondeterminism(machine);
            self.never_entered(machine);
        }
        self.misspelt_states();
        self.unused_events();
        self.not_implied();
    }

    /// A property of the system that does not follow from the local ones that it names.
    fn not_implied(&mut self) {
        let mut found = Vec::new();
        for property in &self.system.properties {
            if let Some(Implied::No(values)) = implied(&self.system, property) {
                let message =
                    format!("`{}` does not follow from the properties behind `from`", property.name);
                let diagnostic = Diagnostic::warning(codes::NOT_IMPLIED, property.place, message);
                found.push(diagnostic.with_help(format!("they hold and it does not where {values}")));
            }
        }
        for diagnostic in found {
            self.report::<()>(diagnostic);
        }
    }

    /// A transition that is never enabled for any of the values of its indices.
    fn never_fires(&mut self, machine: MachineId) {
        let mut can_fire = FxHashSet::default();
        let mut never = Vec::new();
        for transition in &self.system.machine(machine).transitions {
            let fixed = [(machine, transition.from)];
            if can_hold(&transition.condition, &self.system, &fixed) == Some(false) {
                never.push(transition.place);
            } else {
                can_fire.insert(transition.place);
            }
        }
        never.retain(|place| !can_fire.contains(place));
        never.dedup();
        for place in never {
            let help = "events from outside are there in the first microstep only, and events of machines from the second \
                        one on: remember one of them in a state";
            let diagnostic =
                Diagnostic::warning(codes::NEVER_FIRES, place, "this transition can never be taken")
                    .with_help(help);
            self.report::<()>(diagnostic);
        }
    }

    /// Two transitions of one state that can be enabled at once.
    fn nondeterminism(&mut self, machine: MachineId) {
        let it = self.system.machine(machine);
        let mut by_state: Vec<Vec<usize>> = vec![Vec::new(); it.states.len()];
        for (number, transition) in it.transitions.iter().enumerate() {
            by_state[transition.from as usize].push(number);
        }
        let mut found = Vec::new();
        let mut known = FxHashSet::default();
        for (state, transitions) in by_state.iter().enumerate() {
            for (at, &first) in transitions.iter().enumerate() {
                for &second in &transitions[at + 1..] {
                    self.pairs += 1;
                    let (first, second) = (&it.transitions[first], &it.transitions[second]);
                    let is_same = first.to == second.to && first.outputs == second.outputs;
                    if self.pairs > MAX_PAIRS || is_same || known.contains(&(first.place, second.place)) {
                        continue;
                    }
                    let both = Formula::all([first.condition.clone(), second.condition.clone()]);
                    let fixed = [(machine, u32::try_from(state).unwrap_or(u32::MAX))];
                    if can_hold(&both, &self.system, &fixed) == Some(true) {
                        known.insert((first.place, second.place));
                        found.push((first.place, second.place, it.states[state].clone()));
                    }
                }
            }
        }
        let name = it.name.clone();
        for (first, second, state) in found {
            let message = format!(
                "machine `{name}` has two transitions in state `{state}` that can be enabled at once"
            );
            let help = "both are explored; if that is not meant, make their conditions exclude each other";
            let diagnostic = Diagnostic::warning(codes::NONDETERMINISTIC, second, message);
            self.report::<()>(diagnostic.with_note(first, "this is the other one").with_help(help));
        }
    }

    /// States that no transitions lead to from the initial one, whatever their conditions are.
    fn never_entered(&mut self, machine: MachineId) {
        let it = self.system.machine(machine);
        let mut next: Vec<Vec<u32>> = vec![Vec::new(); it.states.len()];
        for transition in &it.transitions {
            next[transition.from as usize].push(transition.to);
        }
        let mut entered = FxHashSet::from_iter([it.initial]);
        let mut open = vec![it.initial];
        while let Some(state) = open.pop() {
            open.extend(next[state as usize].iter().copied().filter(|&state| entered.insert(state)));
        }
        let states = (0_u32..).zip(&it.states).filter(|(number, _)| !entered.contains(number));
        let mut lost: Vec<String> = states.map(|(_, name)| format!("`{name}`")).collect();
        if lost.is_empty() {
            return;
        }
        let (name, place) = (it.name.clone(), it.place);
        let message = match (lost.pop(), &lost[..]) {
            (Some(only), []) => format!("machine `{name}` never enters state {only}"),
            (last, others) => {
                format!(
                    "machine `{name}` never enters states {} and {}",
                    others.join(", "),
                    last.unwrap_or_default()
                )
            }
        };
        self.report::<()>(Diagnostic::warning(codes::NEVER_ENTERED, place, message));
    }

    /// Events that are sent for nobody, or declared for nothing.
    fn unused_events(&mut self) {
        let mut found = Vec::new();
        for (id, event) in self.system.events() {
            let is_mentioned = self.mentioned.contains(&id);
            let (is_sent, is_read) = (!event.senders.is_empty(), !event.readers.is_empty() || is_mentioned);
            let (code, message) = match event.kind {
                EventKind::Input if !is_read => (codes::NEVER_SENT, "no machine reads input"),
                EventKind::Output if !is_sent => (codes::NEVER_SENT, "no machine sends output"),
                EventKind::Internal if !is_sent => (codes::NEVER_SENT, "no machine sends"),
                EventKind::Internal if !is_read => (codes::NEVER_READ, "nobody reads"),
                _ => continue,
            };
            found.push(Diagnostic::warning(code, event.place, format!("{message} `{}`", event.name)));
        }
        for diagnostic in found {
            self.report::<()>(diagnostic);
        }
    }
}
