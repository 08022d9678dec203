//! What a watch says to an event.

use crate::design::Unknown;

/// What a watch says to an event. Automata are known by their place in the watch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The event is allowed by all automata.
    Ok,
    /// No watch is installed.
    Unwatched,
    /// An automaton has nothing to say any more: nothing is forbidden after what has happened. No other one is violated.
    Left(usize),
    /// The design does not know the event, or has not known one before it.
    Unknown(Unknown),
    /// An automaton is violated, by this event or by one before it.
    Violated(usize),
    /// The execution had ended before, so this event does not count.
    Ended(End),
}

/// Why an execution does not count any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// An assumption was violated: what happens from there on is nobody's promise.
    Pruned(usize),
    /// As many events as the bound allows have happened.
    Cut,
    /// What was checked is violated, or an event was unknown.
    Failed,
    /// Whoever runs the program has closed the watch.
    Closed,
}
