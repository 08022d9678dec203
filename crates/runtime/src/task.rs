//! Names of asynchronous tasks.
//!
//! A thread of an executor runs many tasks, a piece of each at a time, and a task may go on in another thread. So who causes an
//! event is the task that is being polled, and not the thread.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::ambient::rename;

/// Gives a task a name: what happens while it is polled happens in a thread of this name, whichever thread polls it, under an
/// explorer as well.
pub fn task<F: Future>(name: &'static str, future: F) -> Task<F> {
    Task { name, future: Some(Box::pin(future)) }
}

/// A task with a name, made by [`task`].
pub struct Task<F> {
    name: &'static str,
    /// Nothing once it has been dropped.
    future: Option<Pin<Box<F>>>,
}

impl<F> fmt::Debug for Task<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Makes a name the current one until this is dropped, also by a panic. Tasks may poll tasks.
struct Named(Option<&'static str>);

impl Named {
    fn new(name: &'static str) -> Self {
        Self(rename(Some(name)))
    }
}

impl Drop for Named {
    fn drop(&mut self) {
        rename(self.0);
    }
}

impl<F: Future> Future for Task<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let _named = Named::new(self.name);
        let future = self.future.as_mut().expect("a task is not polled after it was dropped");
        future.as_mut().poll(context)
    }
}

impl<F> Drop for Task<F> {
    fn drop(&mut self) {
        // What the future holds is dropped in its name, too: guards of locks signal that they are released.
        let _named = Named::new(self.name);
        self.future = None;
    }
}
