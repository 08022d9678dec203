//! The threads of a sweep, which are kept from level to level.
//!
//! A large network has a hundred levels, each of which is expanded in a few milliseconds. Starting threads for each
//! level, or waking those that are blocked, would take a good part of that time. So they are started once. For each
//! level that is worth it, each thread receives a shard and the scratch space of a worker, and returns them at the
//! end: between levels, the main thread has all shards.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;

use super::Inspector;
use super::exchange::{Link, Own, await_next, links};
use super::shard::{Shard, Visited};
use super::shared::Shared;
use super::worker::Worker;
use crate::System;

/// What is needed to expand the states of a level that belong to one worker.
pub(super) struct Share<S: System, V, I> {
    pub(super) shard: Shard<V>,
    pub(super) worker: Worker<S, I>,
}

/// The threads. The thread that owns the crew works, too.
pub(super) struct Crew<'e, S: System, V, I> {
    system: &'e S,
    shared: &'e Shared<'e>,
    link: Link,
    others: Vec<Mate<S, V, I>>,
}

/// Another thread: the channels for the shares that it is to expand, and for those that it has expanded.
struct Mate<S: System, V, I> {
    orders: Sender<Share<S, V, I>>,
    results: Receiver<Share<S, V, I>>,
}

impl<'e, S: System + Sync, V: Visited, I: Inspector> Crew<'e, S, V, I> {
    /// A crew of `count` threads, the calling one included; at least one. The others end when the crew is dropped.
    pub(super) fn start<'s>(
        count: usize,
        system: &'e S,
        shared: &'e Shared<'e>,
        scope: &'s Scope<'s, 'e>,
    ) -> Self
    where
        V: 's,
        I: 's,
        S::Cursor: 's,
    {
        let mut links = links(count).into_iter();
        let link = links.next().expect("a crew has somebody");
        let others = links.map(|mut link| {
            let (orders, to_do) = channel::<Share<S, V, I>>();
            let (done, results) = channel();
            scope.spawn(move || {
                while let Some(mut share) = await_next(&to_do) {
                    share.expand(system, &mut link, shared);
                    // The receiver is gone only if its thread has panicked.
                    done.send(share).unwrap_or_default();
                }
            });
            Mate { orders, results }
        });
        Self { system, shared, link, others: others.collect() }
    }

    /// Expands the states of a level. Each thread gets one share.
    pub(super) fn expand(&mut self, shards: &mut Vec<Shard<V>>, workers: &mut Vec<Worker<S, I>>) {
        let pairs = shards.drain(..).zip(workers.drain(..));
        let mut shares = pairs.map(|(shard, worker)| Share { shard, worker });
        let mut own = shares.next().expect("there is a share for each of the crew");
        for (mate, share) in self.others.iter().zip(shares) {
            // If the thread has ended, its share is missing when it is collected.
            mate.orders.send(share).unwrap_or_default();
        }
        own.expand(self.system, &mut self.link, self.shared);
        let theirs = self.others.iter().map(|mate| await_next(&mate.results).expect("no worker panics"));
        for Share { shard, worker } in std::iter::once(own).chain(theirs) {
            shards.push(shard);
            workers.push(worker);
        }
    }
}

impl<S: System, V: Visited, I: Inspector> Share<S, V, I> {
    /// Expands the states of the level. Each new successor is in the next level of its owner when all threads are
    /// done.
    fn expand(&mut self, system: &S, link: &mut Link, shared: &Shared<'_>) {
        let Self { shard, worker } = self;
        let level = std::mem::take(&mut shard.level);
        let mut sink = Own::new(shard, link, shared);
        worker.expand_all(system, &level, &mut sink, shared);
        worker.finish(&mut sink);
        sink.wait(&mut worker.inspector);
        shard.level = level;
    }
}
