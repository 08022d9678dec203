//! How successors come to the shards that they belong to.
//!
//! Either one worker has all shards at hand, or each has its own and sends letters to the others. Nobody waits while
//! there are states to be expanded. A worker who has expanded all its states hangs up; whoever is hung up on by all
//! others knows that no letter will follow.

use std::sync::mpsc::{Receiver, Sender, channel};

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
    pub(super) shard: &'x mut Shard<V>,
    pub(super) link: Link,
    pub(super) shared: &'x Shared<'x>,
}

/// The letter box of one worker, and the way to those of the others.
pub(super) struct Link {
    me: usize,
    /// Nobody writes to themselves.
    others: Vec<Option<Sender<Arrivals>>>,
    letters: Receiver<Arrivals>,
}

/// The links of so many workers.
pub(super) fn links(workers: usize) -> Vec<Link> {
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..workers).map(|_| channel()).unzip();
    let others = |me: usize| {
        let to = |(i, sender): (usize, &Sender<Arrivals>)| (i != me).then(|| sender.clone());
        senders.iter().enumerate().map(to).collect()
    };
    let links = receivers.into_iter().enumerate();
    links.map(|(me, letters)| Link { me, others: others(me), letters }).collect()
}

impl<V: Visited> Sink for Own<'_, V> {
    #[inline]
    fn most(&self, owner: usize) -> usize {
        if owner == self.link.me { ENOUGH } else { LETTER }
    }

    fn send(&mut self, owner: usize, batch: &mut Arrivals, inspector: &mut impl Inspector) {
        match &self.link.others[owner] {
            None => self.shard.settle(batch, inspector, self.shared),
            // Nobody takes their letter box away before they have been hung up on.
            Some(sender) => sender.send(std::mem::take(batch)).unwrap_or_default(),
        }
    }

    #[inline]
    fn receive(&mut self, inspector: &mut impl Inspector) {
        while let Ok(mut letter) = self.link.letters.try_recv() {
            self.shard.settle(&mut letter, inspector, self.shared);
        }
    }
}

impl<'x, V: Visited> Own<'x, V> {
    /// Hangs up, and deals with letters until all others have hung up.
    pub(super) fn wait(mut self, inspector: &mut impl Inspector) -> &'x mut Shard<V> {
        self.link.others.clear();
        while let Ok(mut letter) = self.link.letters.recv() {
            self.shard.settle(&mut letter, inspector, self.shared);
        }
        self.shard
    }
}
