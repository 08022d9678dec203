//! The watch that is installed: for one thread of the operating system, or for the whole program.
//!
//! Explorers run all threads of a program on one thread of the operating system, and tests run beside each other; so a
//! watch of the thread goes before that of the program.

use std::cell::{Cell, RefCell};
use std::sync::{Arc, OnceLock};

use crate::{Answer, Watch};

thread_local! {
    static HERE: RefCell<Option<Arc<Watch>>> = const { RefCell::new(None) };
    /// The name of the asynchronous task that this thread polls now.
    static TASK: Cell<Option<&'static str>> = const { Cell::new(None) };
}

static EVERYWHERE: OnceLock<Arc<Watch>> = OnceLock::new();

/// Installs a watch for the whole program, for ever.
///
/// # Errors
/// The watch, if there is one already.
pub fn install(watch: Arc<Watch>) -> Result<(), Arc<Watch>> {
    EVERYWHERE.set(watch)
}

/// Installs a watch for this thread of the operating system, and for what an explorer runs on it, until the result is
/// dropped.
pub fn install_here(watch: Arc<Watch>) -> Installed {
    Installed { before: HERE.with(|here| here.replace(Some(watch))) }
}

/// A watch that is installed for a thread; when this is dropped, the one before it is again.
#[derive(Debug)]
pub struct Installed {
    before: Option<Arc<Watch>>,
}

impl Drop for Installed {
    fn drop(&mut self) {
        HERE.with(|here| *here.borrow_mut() = self.before.take());
    }
}

/// A method of an object is called in the current thread.
pub fn event(method: &str, object: &str, values: &[i64]) -> Answer {
    current(|watch| watch.event(method, object, values))
}

/// A method of an object is called by somebody who is no thread, such as an asynchronous task.
pub fn event_of(thread: &str, method: &str, object: &str, values: &[i64]) -> Answer {
    current(|watch| watch.event_of(thread, method, object, values))
}

fn current(f: impl FnOnce(&Watch) -> Answer) -> Answer {
    with_watch(|watch| watch.map_or(Answer::Unwatched, f))
}

fn with_watch<T>(f: impl FnOnce(Option<&Watch>) -> T) -> T {
    // The watch is not borrowed while it works: under an explorer, another thread may come here in between.
    match HERE.try_with(|here| here.borrow().clone()) {
        Ok(Some(watch)) => f(Some(&watch)),
        _ => f(EVERYWHERE.get().map(|watch| &**watch)),
    }
}

/// Gives what runs now another name, or its own again; the name that it was given before.
pub(crate) fn rename(name: Option<&'static str>) -> Option<&'static str> {
    with_watch(|watch| watch.map_or_else(|| replace_task(name), |watch| watch.rename(name)))
}

/// The name of the task that this thread polls now; nothing outside of tasks that have a name.
pub(crate) fn current_task() -> Option<&'static str> {
    TASK.try_with(Cell::get).unwrap_or_default()
}

/// Another name for the task that this thread polls; the name before it.
pub(crate) fn replace_task(name: Option<&'static str>) -> Option<&'static str> {
    TASK.try_with(|task| task.replace(name)).unwrap_or_default()
}
