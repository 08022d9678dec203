//! Random components, assumptions and properties; and what a premise means, by definition.

use std::collections::BTreeSet;

use rely_runtime::{Automaton, Design, EventKey, VIOLATED};

/// The actions: the first two are the component's own, the others are called by its environment.
pub const ACTIONS: &[&str] = &["own.a", "own.b", "call.c", "call.d"];

/// How many actions are the component's own.
pub const OWN: usize = 2;

/// How many steps the component takes.
pub const OWN_STEPS: usize = 2;

/// How many calls the environment of the component makes.
pub const CALLS: usize = 2;

/// The state of a process: its place, and an index.
pub type Local = (usize, usize);

/// The state of a component: of two processes.
pub type State = [Local; 2];

const DIGEST: u64 = 1;

/// The design of all cases.
pub static DESIGN: Design = Design {
    name: "random",
    digest: DIGEST,
    actions: ACTIONS,
    events: &[
        EventKey { method: "a", object: "it", thread: "own", values: &[], actions: &[0] },
        EventKey { method: "b", object: "it", thread: "own", values: &[], actions: &[1] },
        EventKey { method: "c", object: "it", thread: "call", values: &[], actions: &[2] },
        EventKey { method: "d", object: "it", thread: "call", values: &[], actions: &[3] },
    ],
};

/// A component with an assumption and a property. Automata live as long as the program, since watches want them to.
#[derive(Clone, Debug)]
pub struct Case {
    /// For each state and action, the states that it leads to.
    pub component: Vec<[Vec<usize>; 4]>,
    /// The assumption.
    pub assumption: &'static Automaton,
    /// The property.
    pub property: &'static Automaton,
}

/// Numbers at random: xorshift.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// Numbers that follow from a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below another.
    pub fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % count as u64).unwrap_or(0)
    }
}

impl Case {
    /// The case of a seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let states = 1 + random.below(4);
        let component = (0..states)
            .map(|_| std::array::from_fn(|_| (0..random.below(3)).map(|_| random.below(states)).collect()))
            .collect();
        let assumption = random_automaton("ASSUMPTION", &mut random);
        let property = random_automaton("PROPERTY", &mut random);
        Self { component, assumption, property }
    }

    /// Whether some run with at most this many steps of its own and calls breaks the property before the assumption.
    pub fn is_violated(&self, own: usize, calls: usize) -> bool {
        let mut seen = BTreeSet::new();
        let mut pending = vec![(0, self.assumption.initial(), self.property.initial(), own, calls)];
        while let Some(now) = pending.pop() {
            if !seen.insert(now) {
                continue;
            }
            let (state, assumed, kept, own, calls) = now;
            for (action, targets) in self.component[state].iter().enumerate() {
                let is_own = action < OWN;
                if targets.is_empty() || (if is_own { own } else { calls }) == 0 {
                    continue;
                }
                let number = u32::try_from(action).unwrap_or_default();
                let assumed = self.assumption.step(assumed, number, ACTIONS.len());
                // The assumption sees the event first.
                if assumed == VIOLATED {
                    continue;
                }
                let kept = self.property.step(kept, number, ACTIONS.len());
                if kept == VIOLATED {
                    return true;
                }
                let (own, calls) = if is_own { (own - 1, calls) } else { (own, calls - 1) };
                pending.extend(targets.iter().map(|&target| (target, assumed, kept, own, calls)));
            }
        }
        false
    }
}

impl Case {
    /// All sequences of events with at most this many steps of its own and calls. What breaks the assumption is the last
    /// event of its sequence. The property is not looked at.
    pub fn sequences(&self, own: usize, calls: usize) -> BTreeSet<Vec<usize>> {
        let mut found = BTreeSet::new();
        let mut pending = vec![(0, self.assumption.initial(), Vec::new())];
        while let Some((state, assumed, events)) = pending.pop() {
            let owns = events.iter().filter(|&&action| action < OWN).count();
            found.insert(events.clone());
            if assumed == VIOLATED {
                continue;
            }
            for (action, targets) in self.component[state].iter().enumerate() {
                let is_left = if action < OWN { owns < own } else { events.len() - owns < calls };
                let number = u32::try_from(action).unwrap_or_default();
                let assumed = self.assumption.step(assumed, number, ACTIONS.len());
                let events: Vec<usize> = events.iter().copied().chain([action]).collect();
                pending.extend(targets.iter().filter(|_| is_left).map(|&target| (target, assumed, events.clone())));
            }
        }
        found
    }
}

/// A random automaton that forbids an action now and then.
fn random_automaton(name: &'static str, random: &mut Random) -> &'static Automaton {
    let states = 1 + random.below(3);
    let entry = |random: &mut Random| match random.below(5) {
        0 => VIOLATED,
        _ => u32::try_from(random.below(states)).unwrap_or(0),
    };
    let next: Vec<u32> = (0..states * ACTIONS.len()).map(|_| entry(random)).collect();
    Box::leak(Box::new(automaton(name, next.leak())))
}

/// An automaton over the actions.
pub const fn automaton(name: &'static str, next: &'static [u32]) -> Automaton {
    Automaton { name, digest: DIGEST, next, starts_violated: false }
}
