//! Deterministic automata as tables.

/// The state after a violation. It has no row.
pub const VIOLATED: u32 = u32::MAX;

/// The state in which nothing is forbidden any more, so that there is nothing left to say. It has no row.
pub const LEFT: u32 = u32::MAX - 1;

/// An assumption, a property, or a component of the design: which sequences of actions are allowed.
///
/// Actions outside of its alphabet do not concern it: they leave it where it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// Its name in the design.
    pub name: &'static str,
    /// The digest of the design that it was made from.
    pub digest: u64,
    /// For each state, row after row, the next state of each action of the design, or [`VIOLATED`] or [`LEFT`]. The
    /// initial state is 0.
    pub next: &'static [u32],
    /// Whether it allows nothing at all: it is violated before the first event.
    pub starts_violated: bool,
}

impl Automaton {
    /// Where it starts.
    pub const fn initial(&self) -> u32 {
        if self.starts_violated { VIOLATED } else { 0 }
    }

    /// Where an action leads from a state, in a design with some number of actions.
    #[inline]
    pub fn step(&self, state: u32, action: u32, actions: usize) -> u32 {
        if state >= LEFT {
            return state;
        }
        self.next.get(state as usize * actions + action as usize).copied().unwrap_or(LEFT)
    }
}
