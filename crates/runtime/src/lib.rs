//! What a program needs to be watched: events, and monitors made from the assumptions and properties of its design.
//!
//! *Problem*: a design has been proved component by component, under assumptions. Does the program keep to them? Each
//! event of the design is a place in the program: a method call, or a lock that is taken or given back [Cobleigh 2007,
//! section 6.1.2].
//!
//! *Idea*: a [`Design`] says which event is which action; an [`Automaton`] is an assumption, a property or a component of
//! the design, as a table. A [`Watch`] steps its automata in one atomic step for each event, those that restrict
//! the executions that count (assumptions) before those that are checked: what breaks both breaks only the
//! assumption. `rely harness` writes designs and automata; nobody writes tables by hand.
//!
//! The program signals events with [`event!`] and [`locked!`]; they find the watch that is installed, so no signature
//! changes. Without a watch an event costs the look at a variable of the thread, and of the program.
//!
//! *Invariants*: an answer is [`Answer::Ok`] only while every automaton is in a state of which it knows what comes next.
//! An event that the design does not know, or that leads out of what an automaton says something about, is said, and *ok*
//! is never answered after it. An automaton that was made from another version of the design is refused. There are no
//! dependencies, since this crate is linked into programs of others.

mod ambient;
mod answer;
mod automaton;
mod design;
mod digest;
mod guard;
mod host;
mod lanes;
mod task;
mod watch;

pub use ambient::{Installed, event, event_of, install, install_here};
pub use answer::{Answer, End};
pub use automaton::{Automaton, LEFT, VIOLATED};
pub use design::{Design, EventKey, NO_ACTION, Unknown, ValueRange};
pub use digest::digest;
pub use guard::Guarded;
pub use host::{Host, Std};
pub use lanes::lanes;
pub use task::{Task, task};
pub use watch::{Reaction, Refused, Report, Step, Watch, WatchBuilder};

/// Signals that a method of an object is called, with values: `event!("take", "list", urgency)`.
///
/// An asynchronous task, which is no thread, has a name if [`task`] gave it one, or says who it is:
/// `event!(in "worker"; "take", "list", urgency)`. The values are numbers of any integer type.
#[macro_export]
macro_rules! event {
    (in $thread:expr; $method:expr, $object:expr $(, $value:expr)* $(,)?) => {
        $crate::event_of($thread, $method, $object, &[$(($value) as i64),*])
    };
    ($method:expr, $object:expr $(, $value:expr)* $(,)?) => {
        $crate::event($method, $object, &[$(($value) as i64),*])
    };
}

/// Takes a lock and signals it: `lock` after it is acquired, and `unlock` before it is released, when the result is dropped.
///
/// ```
/// let list = std::sync::Mutex::new(vec![1]);
/// let mut guard = rely_runtime::locked!("list", list.lock().unwrap());
/// guard.push(2);
/// ```
#[macro_export]
macro_rules! locked {
    ($object:expr, $acquire:expr) => {
        $crate::Guarded::new($object, $acquire)
    };
}
