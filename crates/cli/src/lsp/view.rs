//! What a view of runs asks: the page in a window of the editor, which passes its messages on.
//!
//! The messages are those of [`Desk`]. One thread answers them in their order, so that a long search does not keep those who type
//! waiting. Its texts are its own: a view says which text it is about.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use lsp_server::RequestId;
use rely_ide::Desk;

use super::Event;
use crate::memory;
use crate::question::Question;

/// The thread that answers.
pub(super) struct Viewer {
    messages: Sender<(RequestId, String)>,
    /// How often it was said that what is being answered is to be given up.
    stops: Arc<AtomicU64>,
}

impl Viewer {
    /// Starts the thread. Answers come as events; each may take as long as `patience` says.
    pub(super) fn start(patience: Duration, events: Sender<Event>) -> std::io::Result<Self> {
        let (messages, received) = channel();
        let stops = Arc::new(AtomicU64::new(0));
        let own = Arc::clone(&stops);
        let work = move || answer(&received, patience, &own, &events);
        let stack = memory::stack(crate::STACK);
        std::thread::Builder::new().name("view".to_owned()).stack_size(stack).spawn(work)?;
        Ok(Self { messages, stops })
    }

    /// Passes a message on. Whether the thread is still there.
    pub(super) fn ask(&self, id: RequestId, message: String) -> bool {
        self.messages.send((id, message)).is_ok()
    }

    /// Gives up what is being answered.
    pub(super) fn stop(&self) {
        self.stops.fetch_add(1, Ordering::Relaxed);
    }
}

fn answer(
    messages: &Receiver<(RequestId, String)>,
    patience: Duration,
    stops: &AtomicU64,
    events: &Sender<Event>,
) {
    let mut desk = Desk::default();
    while let Ok((id, message)) = messages.recv() {
        let answer = Question::begin(patience, stops).ask(&mut desk, &message);
        // Where nobody listens any more, the server has ended.
        if events.send(Event::Viewed(id, answer)).is_err() {
            return;
        }
    }
}
