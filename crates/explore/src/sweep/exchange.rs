//! How successors get to the shards that they belong to.
//!
//! Either one worker has all shards at hand, or each worker has its own shard and sends states to the owners of the
//! others, in messages called *letters*. No worker waits while it has states to expand. A worker that has expanded
//! all its states sends a last letter to all others; when it has received the last letters of all others, nothing
//! more will come in this level.
//!
//! The buffers of letters that were dealt with (*pages*) are reused for the next letters to be sent: a worker
//! receives about as many as it sends.

use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;

use super::shard::{Shard, Visited};
use super::shared::Shared;
use super::{ENOUGH, LETTER};
use crate::{Arrivals, Inspector};

/// Takes successors to where they belong.
pub(super) trait Sink {
    /// The number of states for a shard that are collected before they are sent.
    fn most(&self, owner: usize) -> usize;

    /// Sends states; the batch is empty after that.
    fn send(&mut self, owner: usize, batch: &mut Arrivals, inspector: &mut impl Inspector);

    /// Deals with what others have sent.
    fn receive(&mut self, inspector: &mut impl Inspector);
}

/// All shards are at hand.
pub(super) struct All<'x, V> {
    pub(super) shards: &'x mut [Shard<V>],
    pub(super) shared: &'x Shared<'x>,
}

impl<V: Visited> Sink for All<'_, V> {
    #[inline]
    fn most(&self, _owner: usize) -> usize {
        ENOUGH
    }

    #[inline]
    fn send(&mut self, owner: usize, batch: &mut Arrivals, inspector: &mut impl Inspector) {
        self.shards[owner].settle(batch, inspector, self.shared);
    }

    #[inline]
    fn receive(&mut self, _inspector: &mut impl Inspector) {}
}

/// One shard is at hand, and the owners of the others can be reached.
pub(super) struct Own<'x, V> {
    shard: &'x mut Shard<V>,
    link: &'x mut Link,
    shared: &'x Shared<'x>,
    /// The number of other workers that have not sent their last letter.
    open: usize,
}

/// The letters that one worker receives, and the channels to the others.
pub(super) struct Link {
    me: usize,
    /// The channels to the other workers; none to itself.
    others: Vec<Option<Sender<Letter>>>,
    letters: Receiver<Letter>,
    /// Empty buffers for letters.
    pages: Vec<Arrivals>,
}

/// The maximum number of empty buffers that are kept.
const MOST_PAGES: usize = 1 << 6;

/// What workers send each other.
enum Letter {
    /// States that belong to the receiver.
    States(Arrivals),
    /// The sender sends no more states in this level.
    Last,
}

impl Link {
    fn say_last(&self) {
        for sender in self.others.iter().flatten() {
            // A receiver that is gone has panicked, and then the sweep ends.
            sender.send(Letter::Last).unwrap_or_default();
        }
    }
}

/// The links of this number of workers.
pub(super) fn links(workers: usize) -> Vec<Link> {
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..workers).map(|_| channel()).unzip();
    let others = |me: usize| {
        let to = |(i, sender): (usize, &Sender<Letter>)| (i != me).then(|| sender.clone());
        senders.iter().enumerate().map(to).collect()
    };
    let links = receivers.into_iter().enumerate();
    links.map(|(me, letters)| Link { me, others: others(me), letters, pages: Vec::new() }).collect()
}

impl<V: Visited> Sink for Own<'_, V> {
    #[inline]
    fn most(&self, owner: usize) -> usize {
        if owner == self.link.me { ENOUGH } else { LETTER }
    }

    fn send(&mut self, owner: usize, batch: &mut Arrivals, inspector: &mut impl Inspector) {
        let Link { others, pages, .. } = &mut *self.link;
        match &others[owner] {
            None => self.shard.settle(batch, inspector, self.shared),
            Some(sender) => {
                let letter = std::mem::replace(batch, pages.pop().unwrap_or_default());
                // A receiver that is gone has panicked, and then the sweep ends.
                sender.send(Letter::States(letter)).unwrap_or_default();
            }
        }
    }

    #[inline]
    fn receive(&mut self, inspector: &mut impl Inspector) {
        while let Ok(letter) = self.link.letters.try_recv() {
            self.read(letter, inspector);
        }
    }
}

impl<'x, V: Visited> Own<'x, V> {
    /// The sink of a worker for one level.
    pub(super) fn new(shard: &'x mut Shard<V>, link: &'x mut Link, shared: &'x Shared<'x>) -> Self {
        let open = link.others.len() - 1;
        Self { shard, link, shared, open }
    }

    /// Sends the last letter, and deals with letters until the last ones of all others have come.
    pub(super) fn wait(mut self, inspector: &mut impl Inspector) {
        self.link.say_last();
        while self.open > 0
            && let Some(letter) = await_next(&self.link.letters)
        {
            self.read(letter, inspector);
        }
    }

    fn read(&mut self, letter: Letter, inspector: &mut impl Inspector) {
        match letter {
            Letter::Last => self.open -= 1,
            Letter::States(mut states) => {
                self.shard.settle(&mut states, inspector, self.shared);
                if self.link.pages.len() < MOST_PAGES {
                    self.link.pages.push(states);
                }
            }
        }
    }
}

/// If a worker panics, the others must not wait for it.
impl<V> Drop for Own<'_, V> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.link.say_last();
        }
    }
}

/// The next message; `None` if there will be none.
///
/// A level is expanded in a few milliseconds, and waking a blocked thread can take a tenth of one if its processor
/// has become idle. So a thread yields for a while before it blocks.
pub(super) fn await_next<T>(messages: &Receiver<T>) -> Option<T> {
    /// The number of yields before blocking: about half a millisecond if no other thread wants the processor.
    const PATIENCE: usize = if cfg!(test) { 2 } else { 1 << 11 };
    for _ in 0..PATIENCE {
        match messages.try_recv() {
            Ok(message) => return Some(message),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) => thread::yield_now(),
        }
    }
    messages.recv().ok()
}
