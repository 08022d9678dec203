//! How successors come to the shards that they belong to.
//!
//! Either one worker has all shards at hand, or each has its own and sends letters to the others. Nobody waits while
//! there are states to be expanded. A worker who has expanded all its states says so; whoever has heard it from all
//! others knows that no letter will follow in this level.
//!
//! A letter that was dealt with is not thrown away: its pages are used for the next one to be sent. Each worker gets
//! about as many as it sends.

use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;

use super::shard::{Shard, Visited};
use super::shared::Shared;
use super::{ENOUGH, LETTER};
use crate::{Arrivals, Inspector};

/// Takes successors to where they belong.
pub(super) trait Sink {
    /// How many states for a shard are collected before they are sent.
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
    /// How many of the others may still send something.
    open: usize,
}

/// The letter box of one worker, and the way to those of the others.
pub(super) struct Link {
    me: usize,
    /// Nobody writes to themselves.
    others: Vec<Option<Sender<Letter>>>,
    letters: Receiver<Letter>,
    /// Empty pages for letters.
    pages: Vec<Arrivals>,
}

/// So many empty pages are kept at most.
const MOST_PAGES: usize = 1 << 6;

/// What workers tell each other.
enum Letter {
    /// States that belong to you.
    States(Arrivals),
    /// There will be no more of them in this level.
    Last,
}

impl Link {
    fn say_last(&self) {
        for sender in self.others.iter().flatten() {
            // Whoever takes no letters has panicked, and the sweep ends.
            sender.send(Letter::Last).unwrap_or_default();
        }
    }
}

/// The links of so many workers.
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
                // Whoever takes no letters has panicked, and the sweep ends.
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
    /// For one level.
    pub(super) fn new(shard: &'x mut Shard<V>, link: &'x mut Link, shared: &'x Shared<'x>) -> Self {
        let open = link.others.len() - 1;
        Self { shard, link, shared, open }
    }

    /// Deals with letters until there will be no more.
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

/// Nobody is to wait for somebody who has panicked.
impl<V> Drop for Own<'_, V> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.link.say_last();
        }
    }
}

/// The next message, or nothing if there will be none.
///
/// A level is expanded in a few milliseconds, and to be woken can take a tenth of one where the processor has gone to
/// sleep because there was nothing to do. So nobody falls asleep at once; who waits lets others go first.
pub(super) fn await_next<T>(messages: &Receiver<T>) -> Option<T> {
    /// About half a millisecond, where nobody else wants the processor.
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
