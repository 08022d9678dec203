//! The threads of a sweep, which last from level to level.
//!
//! A large network has a hundred levels, each of which is expanded in a few milliseconds. To start threads for each of
//! them, and to wake those that have fallen asleep, takes a good part of that time. So they are started once. Where there
//! is a level to expand, each thread is handed a shard and the scratch space of a worker, and hands them back at the end:
//! between levels, all shards are at hand.

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

/// The threads; the one that has them works, too.
pub(super) struct Crew<'e, S: System, V, I> {
    system: &'e S,
    shared: &'e Shared<'e>,
    link: Link,
    others: Vec<Mate<S, V, I>>,
}

/// Another thread: what it is to expand, and what it has expanded.
struct Mate<S: System, V, I> {
    orders: Sender<Share<S, V, I>>,
    results: Receiver<Share<S, V, I>>,
}

impl<'e, S: System + Sync, V: Visited, I: Inspector> Crew<'e, S, V, I> {
    /// A crew of so many, at least one. The others go home when it is dropped.
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
                    // Whoever does not take it back has panicked.
                    done.send(share).unwrap_or_default();
                }
            });
            Mate { orders, results }
        });
        Self { system, shared, link, others: others.collect() }
    }

    /// Expands the states of a level: a share for each of the crew.
    pub(super) fn expand(&mut self, shards: &mut Vec<Shard<V>>, workers: &mut Vec<Worker<S, I>>) {
        let pairs = shards.drain(..).zip(workers.drain(..));
        let mut shares = pairs.map(|(shard, worker)| Share { shard, worker });
        let mut own = shares.next().expect("there is a share for each of the crew");
        for (mate, share) in self.others.iter().zip(shares) {
            // It is missed when it does not come back.
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
    /// Expands the states of the level; each new successor is in the next level of its owner when all have done so.
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
