//! A gate that opens once. Guests wait for it with [`event_listener::Event`], a crate of others, which is explored with the
//! gate: with the feature `loom` and `--cfg loom` its locks and atomics are those of loom.
//!
//! Its documentation says how to wait: look; if there is nothing, ask for a listener; look again; only then wait. And whoever
//! notifies has to do first what the others wait for. [`Fault::NoSecondLook`] and [`Fault::EarlyNotify`] do otherwise.

mod fault;
mod sync;

use event_listener::{Event, Listener};
use rely_runtime::event;

use crate::sync::{Mutex, MutexGuard};

pub use fault::Fault;

/// What a keeper does with a gate.
pub trait Doorway {
    /// Opens it.
    fn open(&self);
    /// Tells whoever waits.
    fn notify(&self);
}

/// A gate.
#[derive(Debug)]
pub struct Gate {
    state: Mutex<State>,
    event: Event,
    fault: Fault,
}

#[derive(Debug, Default)]
struct State {
    is_open: bool,
    /// Guests need not wait any more, open or not. The design does not have this.
    is_stopped: bool,
}

impl Gate {
    /// A closed gate.
    pub fn new(fault: Fault) -> Self {
        Self { state: Mutex::new(State::default()), event: Event::new(), fault }
    }

    /// A guest: waits until the gate is open.
    pub fn pass(&self) {
        while self.look() == Some(false) {
            let listener = self.event.listen();
            event!("listen", "event");
            match self.second_look() {
                Some(false) => {}
                Some(true) => {
                    event!("discard", "event");
                    return;
                }
                None => return,
            }
            event!("wait", "event");
            listener.wait();
            if self.lock().is_stopped {
                return;
            }
            event!("woken", "event");
        }
    }

    /// Guests go on, though the gate may be closed. This is no event of the design.
    pub fn stop(&self) {
        self.lock().is_stopped = true;
        self.event.notify(usize::MAX);
    }

    /// Whether the gate is open; nothing if guests need not wait any more.
    fn look(&self) -> Option<bool> {
        let state = self.lock();
        if state.is_stopped {
            return None;
        }
        event!("look", "gate", state.is_open);
        Some(state.is_open)
    }

    /// What a guest sees who has a listener. One who does not look can be stopped all the same.
    fn second_look(&self) -> Option<bool> {
        match self.fault {
            Fault::NoSecondLook => (!self.lock().is_stopped).then_some(false),
            _ => self.look(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nobody panics with the mutex")
    }
}

impl Doorway for Gate {
    fn open(&self) {
        let mut state = self.lock();
        event!("open", "gate");
        state.is_open = true;
    }

    fn notify(&self) {
        event!("notify", "event");
        self.event.notify(usize::MAX);
    }
}

/// A keeper: opens the gate, and tells whoever waits.
#[derive(Debug)]
pub struct Keeper {
    fault: Fault,
}

impl Keeper {
    /// A keeper.
    pub fn new(fault: Fault) -> Self {
        Self { fault }
    }

    /// The thread.
    pub fn run(&self, gate: &impl Doorway) {
        match self.fault {
            Fault::EarlyNotify => {
                gate.notify();
                gate.open();
            }
            Fault::NoNotify => gate.open(),
            Fault::None | Fault::NoSecondLook => {
                gate.open();
                gate.notify();
            }
        }
    }
}
