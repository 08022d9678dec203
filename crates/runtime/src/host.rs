//! Where the program runs: on threads of the operating system, or under an explorer that has threads of its own.

use crate::Report;
use crate::ambient::{current_task, replace_task};

/// What a watch asks the place where the program runs.
pub trait Host: Send + Sync {
    /// Calls a function with the name of the current thread, or with an empty one.
    fn with_thread_name(&self, f: &mut dyn FnMut(&str));

    /// Gives what runs now another name, or its own again; the name that it was given before. An asynchronous task ([`crate::task`])
    /// does so while it is polled. An explorer may switch threads in the middle of that.
    fn rename(&self, name: Option<&'static str>) -> Option<&'static str> {
        replace_task(name)
    }

    /// Calls a function in one atomic step. The watch has a lock of its own; an explorer that leaves out orders of steps
    /// which have nothing to do with each other has to see one here.
    fn atomically(&self, f: &mut dyn FnMut()) {
        f();
    }

    /// The execution does not count any more, so an explorer may stop it here.
    fn ended(&self) {}

    /// What was checked is violated. Without an explorer, this ends the thread with everything that has happened.
    fn failed(&self, report: &Report) {
        panic!("{report}");
    }
}

/// Threads of the standard library, and asynchronous tasks that have a name ([`crate::task`]).
#[derive(Clone, Copy, Debug)]
pub struct Std;

impl Host for Std {
    fn with_thread_name(&self, f: &mut dyn FnMut(&str)) {
        match current_task() {
            Some(name) => f(name),
            None => f(std::thread::current().name().unwrap_or_default()),
        }
    }
}
