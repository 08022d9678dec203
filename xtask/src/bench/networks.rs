//! Networks of any size, in FSP for us and in Promela for SPIN: the same states and transitions in both.

use std::collections::BTreeSet;
use std::fmt;

use super::random::Random;

/// A family of networks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum System {
    /// Dining philosophers who take the fork with their own number first, so that they can deadlock.
    Philosophers,
    /// Milner's scheduler: a cell is started by the one before it, does its work, and starts the next before or after
    /// the work is done.
    Milner,
    /// Mutual exclusion by a token that goes round.
    Ring,
    /// Random components in a ring, each of which has actions of its own and actions with the next one. SPIN does not
    /// get these.
    Random {
        /// What decides on the transitions.
        seed: u64,
    },
}

/// A network, and how large it is known to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instance {
    pub(crate) system: System,
    /// How many philosophers, cells or stations.
    pub(crate) size: usize,
    pub(crate) states: usize,
    pub(crate) transitions: usize,
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.system {
            System::Philosophers => "phil",
            System::Milner => "milner",
            System::Ring => "ring",
            System::Random { .. } => "rand",
        };
        write!(f, "{name}{}", self.size)
    }
}

/// A component: transitions by the number of their source, and the initial state.
struct Component {
    initial: usize,
    transitions: Vec<(usize, String, usize)>,
}

impl Instance {
    /// The network in FSP, as the composite `SYS`.
    pub(crate) fn fsp(&self) -> String {
        let components = self.components();
        let mut text = String::new();
        for (i, component) in components.iter().enumerate() {
            text += &component.fsp(i);
        }
        let names: Vec<String> = (0..components.len()).map(|i| format!("C{i}")).collect();
        text + &format!("||SYS = ({}).\n", names.join(" || "))
    }

    fn components(&self) -> Vec<Component> {
        let n = self.size;
        let each = |component: fn(usize, usize) -> Component| (0..n).map(move |i| component(i, n));
        match self.system {
            System::Philosophers => each(philosopher).chain(each(fork)).collect(),
            System::Milner => each(cell).collect(),
            System::Ring => each(station).collect(),
            System::Random { seed } => random(n, &mut Random::new(seed)),
        }
    }

    /// The network in Promela, if there is one: one step for each transition.
    pub(crate) fn promela(&self) -> Option<String> {
        let template = match self.system {
            System::Philosophers => PHILOSOPHERS,
            System::Milner => MILNER,
            System::Ring => RING,
            System::Random { .. } => return None,
        };
        Some(format!("#define K {}\n{template}", self.size))
    }
}

impl Component {
    fn new(initial: usize, transitions: impl IntoIterator<Item = (usize, String, usize)>) -> Self {
        Self { initial, transitions: transitions.into_iter().collect() }
    }

    /// The process `C{number}`.
    fn fsp(&self, number: usize) -> String {
        let count =
            1 + self.transitions.iter().map(|&(source, _, target)| source.max(target)).max().unwrap_or(0);
        let state = |state: usize| {
            let from_here = self.transitions.iter().filter(|&&(source, _, _)| source == state);
            let choices: Vec<String> =
                from_here.map(|(_, action, target)| format!("{action} -> S{target}")).collect();
            if choices.is_empty() {
                return format!("  S{state} = STOP");
            }
            format!("  S{state} = ({})", choices.join(" | "))
        };
        let states: Vec<String> = (0..count).map(state).collect();
        format!("C{number} = S{},\n{}.\n", self.initial, states.join(",\n"))
    }
}

fn philosopher(i: usize, n: usize) -> Component {
    let right = (i + 1) % n;
    let steps = [
        format!("sit[{i}]"),
        format!("get[{i}][{i}]"),
        format!("get[{i}][{right}]"),
        format!("eat[{i}]"),
        format!("put[{i}][{right}]"),
        format!("put[{i}][{i}]"),
        format!("arise[{i}]"),
    ];
    Component::new(0, steps.into_iter().enumerate().map(|(state, step)| (state, step, (state + 1) % 7)))
}

fn fork(i: usize, n: usize) -> Component {
    let left = (i + n - 1) % n;
    Component::new(
        0,
        [
            (0, format!("get[{i}][{i}]"), 1),
            (1, format!("put[{i}][{i}]"), 0),
            (0, format!("get[{left}][{i}]"), 2),
            (2, format!("put[{left}][{i}]"), 0),
        ],
    )
}

fn cell(i: usize, n: usize) -> Component {
    let next = format!("start[{}]", (i + 1) % n);
    let done = format!("done[{i}]");
    Component::new(
        usize::from(i == 0),
        [
            (0, format!("start[{i}]"), 1),
            (1, format!("work[{i}]"), 2),
            (2, done.clone(), 3),
            (3, next.clone(), 0),
            (2, next, 4),
            (4, done, 0),
        ],
    )
}

/// Idle, idle with the token, waiting, waiting with the token, in the critical section.
fn station(i: usize, n: usize) -> Component {
    Component::new(
        usize::from(i == 0),
        [
            (0, format!("request[{i}]"), 2),
            (1, format!("request[{i}]"), 3),
            (0, format!("token[{i}]"), 1),
            (2, format!("token[{i}]"), 3),
            (1, format!("token[{}]", (i + 1) % n), 0),
            (3, format!("enter[{i}]"), 4),
            (4, format!("exit[{i}]"), 1),
        ],
    )
}

/// Components of six states and some fourteen transitions. Each has an action that is to be hidden, two that are to be
/// seen, and two with the one after it; each of its actions occurs, and each of its states can be reached.
fn random(n: usize, random: &mut Random) -> Vec<Component> {
    const STATES: usize = 6;
    const TRANSITIONS: usize = 14;
    let component = |i: usize| {
        let before = (i + n - 1) % n;
        let actions = [
            format!("hidden[{i}]"),
            format!("seen[{i}][0]"),
            format!("seen[{i}][1]"),
            format!("link[{i}][0]"),
            format!("link[{i}][1]"),
            format!("link[{before}][0]"),
            format!("link[{before}][1]"),
        ];
        let mut transitions = BTreeSet::new();
        for target in 1..STATES {
            transitions.insert((random.below(target), random.below(actions.len()), target));
        }
        while transitions.len() < TRANSITIONS {
            transitions.insert((random.below(STATES), random.below(actions.len()), random.below(STATES)));
        }
        for action in 0..actions.len() {
            if !transitions.iter().any(|&(_, label, _)| label == action) {
                transitions.insert((random.below(STATES), action, random.below(STATES)));
            }
        }
        let named =
            transitions.into_iter().map(|(source, action, target)| (source, actions[action].clone(), target));
        Component::new(0, named)
    };
    (0..n).map(component).collect()
}

const PHILOSOPHERS: &str = "
chan get[K] = [0] of { byte };
chan put[K] = [0] of { byte };
active [K] proctype Philosopher() {
  do
  :: true; get[_pid]!_pid; get[(_pid + 1) % K]!_pid; true; put[(_pid + 1) % K]!_pid; put[_pid]!_pid; true
  od
}
active [K] proctype Fork() {
  do
  :: get[_pid - K]?eval(_pid - K) -> put[_pid - K]?eval(_pid - K)
  :: get[_pid - K]?eval((_pid - 1) % K) -> put[_pid - K]?eval((_pid - 1) % K)
  od
}
";

const MILNER: &str = "
chan start[K] = [0] of { bit };
inline work_and_pass() {
  true;
  if
  :: true -> start[(_pid + 1) % K]!1
  :: start[(_pid + 1) % K]!1 -> true
  fi
}
active proctype First() {
  goto started;
idle: start[_pid]?_;
started: work_and_pass();
  goto idle
}
active [K - 1] proctype Other() {
idle: start[_pid]?_;
  work_and_pass();
  goto idle
}
";

/// A macro, not an inline: its labels have to belong to each proctype.
const RING: &str = r"
chan token[K] = [0] of { bit };
#define STATION \
idle: if :: true -> goto waiting :: token[_pid]?_ -> goto idle_with fi; \
idle_with: if :: true -> goto waiting_with :: token[(_pid + 1) % K]!1 -> goto idle fi; \
waiting: token[_pid]?_ -> goto waiting_with; \
waiting_with: true -> goto critical; \
critical: true -> goto idle_with
active proctype First() { goto idle_with; STATION }
active [K - 1] proctype Other() { STATION }
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_components_have_all_their_actions_and_states() {
        for seed in 0..50 {
            for component in random(5, &mut Random::new(seed)) {
                let actions: BTreeSet<&String> =
                    component.transitions.iter().map(|(_, action, _)| action).collect();
                assert_eq!(actions.len(), 7, "seed {seed}");
                // Each state but the first is the target of a transition from a smaller one.
                let has_smaller = |state: usize| {
                    component.transitions.iter().any(|&(source, _, target)| source < state && target == state)
                };
                assert!((1..6).all(has_smaller), "seed {seed}");
            }
        }
    }

    #[test]
    fn state_without_transitions_stops() {
        let component = Component::new(0, [(0, "a".to_owned(), 1)]);
        assert_eq!(component.fsp(7), "C7 = S0,\n  S0 = (a -> S1),\n  S1 = STOP.\n");
    }
}
