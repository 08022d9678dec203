//! What does the actions of a plan.

use std::sync::Mutex;

/// Issues commands to the rover; here, remembers them.
#[derive(Debug, Default)]
pub struct ActionExecution {
    done: Mutex<Vec<&'static str>>,
}

impl ActionExecution {
    /// Does an action.
    pub fn execute(&self, action: &'static str) {
        self.done.lock().expect("nobody panics").push(action);
    }

    /// The actions that have been done.
    pub fn done(&self) -> Vec<&'static str> {
        self.done.lock().expect("nobody panics").clone()
    }
}
