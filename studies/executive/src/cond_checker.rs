//! The thread that watches conditions.

use std::fmt;
use std::sync::Arc;

use rely_runtime::event;

use crate::sync::{Condvar, Mutex};
use crate::{Exec, Fault};

/// A wake-up call: the number of the condition that holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wakeup(pub u8);

/// A condition on the state of the rover.
#[derive(Clone)]
pub struct Condition {
    /// Its number.
    pub id: u8,
    /// Whether it holds now.
    pub holds: Arc<dyn Fn() -> bool + Send + Sync>,
}

impl Condition {
    /// Condition 0, which holds when a function says so.
    pub fn once(holds: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { id: 0, holds: Arc::new(holds) }
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Condition").field("id", &self.id).finish_non_exhaustive()
    }
}

/// What the executive asks of whoever watches conditions.
pub trait ConditionChecks {
    /// Watch this condition from now on.
    fn add_condition_check(&self, condition: Condition);
    /// Do not watch this condition any more.
    fn remove_condition_check(&self, id: u8);
    /// The wake-up call that waits, if there is one.
    fn get_saved_wakeup(&self) -> Option<Wakeup>;
    /// The wake-up call has been heard.
    fn delete_saved_wakeup(&self);
}

/// Watches conditions.
#[derive(Debug)]
pub struct CondChecker {
    exec: Arc<Exec>,
    fault: Fault,
    list: Mutex<List>,
    changed: Condvar,
    saved: Mutex<Option<Wakeup>>,
}

#[derive(Debug, Default)]
struct List {
    conditions: Vec<Condition>,
    is_stopped: bool,
}

impl CondChecker {
    /// A checker without conditions.
    pub fn new(exec: Arc<Exec>, fault: Fault) -> Self {
        let (list, changed) = (Mutex::new(List::default()), Condvar::new());
        Self { exec, fault, list, changed, saved: Mutex::new(None) }
    }

    /// The thread: whenever there are conditions, they are looked at, once each.
    pub fn run(&self) {
        while let Some(condition) = self.next_condition() {
            if (condition.holds)() {
                self.wake(condition.id);
            }
        }
    }

    /// Ends the thread as soon as it has nothing to look at. This is no event of the design.
    pub fn stop(&self) {
        self.list.lock().expect("nobody panics").is_stopped = true;
        self.changed.notify_all();
    }

    /// Takes a condition from the list; nothing when the thread is to end.
    fn next_condition(&self) -> Option<Condition> {
        let mut list = self.list.lock().expect("nobody panics");
        loop {
            if let Some(condition) = list.conditions.pop() {
                return Some(condition);
            }
            if list.is_stopped {
                return None;
            }
            list = self.changed.wait(list).expect("nobody panics");
        }
    }

    /// Leaves a call, unless there is one already, and wakes the executive.
    fn wake(&self, id: u8) {
        let holding = (self.fault != Fault::UnlockedWake).then(|| self.exec.hold());
        if self.fault == Fault::UnknownEvent {
            event!("peek", "saved");
        }
        let is_free = self.fault == Fault::BlindPut || self.get_saved_wakeup().is_none();
        if is_free || self.fault == Fault::SecondPut {
            let mut saved = self.saved.lock().expect("nobody panics");
            event!("put", "saved");
            *saved = Some(Wakeup(id));
        }
        self.exec.signal();
        drop(holding);
        if self.fault == Fault::SecondLook {
            self.get_saved_wakeup();
        }
    }
}

impl ConditionChecks for CondChecker {
    fn add_condition_check(&self, condition: Condition) {
        let mut list = self.list.lock().expect("nobody panics");
        event!("add", "conditions");
        list.conditions.push(condition);
        self.changed.notify_all();
    }

    fn remove_condition_check(&self, id: u8) {
        let mut list = self.list.lock().expect("nobody panics");
        event!("remove", "conditions");
        list.conditions.retain(|condition| condition.id != id);
    }

    fn get_saved_wakeup(&self) -> Option<Wakeup> {
        let saved = self.saved.lock().expect("nobody panics");
        event!("get", "saved", saved.is_some());
        *saved
    }

    fn delete_saved_wakeup(&self) {
        let mut saved = self.saved.lock().expect("nobody panics");
        event!("delete", "saved");
        *saved = None;
    }
}
