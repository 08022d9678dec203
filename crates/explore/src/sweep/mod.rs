//! Visiting every reachable state once, level by level, on all cores.
//!
//! Problem: questions about single states and transitions (how many are there, is one of them a deadlock) of systems
//! with up to 10⁹ states, in as little time and memory as possible. Such questions need neither the numbers of states
//! nor traces, so nothing is kept but the set of states seen and two levels: the one that is being expanded, and the
//! one that is being found.
//!
//! Idea: a state belongs to a *shard* by its hash, and each shard to one worker; only this worker looks up and adds
//! its states. A worker expands those states of a level that are its own, and sends each successor to the owner, many
//! at a time. So nothing is locked, and what is found in a level does not depend on the speed of the workers.
//!
//! - Successors are collected before they are looked up, so that the cache misses of the lookups overlap. If the
//!   inspector does not need to see each of them, only those are enumerated that have to be looked up
//!   ([`System::fan_out`]).
//! - With each state of a level, the move is kept by which it was found; it makes most lookups unnecessary
//!   ([`System::try_awake`]).
//! - Threads cost more than they give where there is little to do: there is one shard until there are some 10⁴ states,
//!   and small levels are expanded by one worker, for all shards. They are started once and stay awake between levels
//!   (`crew.rs`).
//!
//! Source: ownership by hash [Stern Dill 1997].
//!
//! Invariants: a level has no state twice; all states of one depth are expanded before those of the next; the results
//! do not depend on the number of threads, unless time or memory runs out: then they depend on what had been found by
//! then.
//!
//! Cost: time O(states + transitions), shared between the workers; memory 10 to 11 bytes for each state of one word, or
//! as for [`StateSet`] for states of several, and w + 1/2 words for each state of two levels.
//!
//! Called by [`crate::count`], and where a property of all states is decided.

use std::ops::ControlFlow;
use std::thread;

use rely_base::{Budget, Exhausted, Id, Label, StateId};

use self::crew::Crew;
use self::exchange::All;
use self::shard::{Shard, Visited, WideSet, owner};
use self::shared::Shared;
use self::worker::Worker;
use crate::word_set::WordSet;
use crate::{Arrival, Arrivals, StateSet, Successor, System};

mod crew;
mod exchange;
mod shard;
mod shared;
#[cfg(test)]
mod tests;
mod worker;

/// Watches a sweep. Each worker has one, and one more collects what they have seen.
pub trait Inspector: Send {
    /// An inspector for another worker, which has seen nothing.
    fn fresh(&self) -> Self;

    /// A state was found for the first time.
    fn found(&mut self, _state: &[u64]) {}

    /// Whether every transition has to be shown, before the state that it starts from is expanded. If not, the
    /// transitions that are not asleep ([`System::try_awake`]) and those into the error state are shown, and the
    /// others may be. A move that is made for the first time is not asleep, so each label that occurs is shown at
    /// least once.
    fn is_thorough(&self) -> bool {
        true
    }

    /// A transition of the state that is being expanded was seen.
    fn transition(&mut self, _label: Label, _successor: Successor<'_>) {}

    /// A state was expanded, and this number of transitions was shown; returns how many of them count.
    fn expanded(&mut self, _state: &[u64], transitions: usize) -> usize {
        transitions
    }

    /// Takes over what another inspector has seen, at the end of a level.
    fn take_level(&mut self, _other: &mut Self) {}

    /// The end of a level, after [`Inspector::take_level`] for all workers. `Break` ends the sweep.
    fn end_level(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Takes over everything that another inspector has seen.
    fn absorb(&mut self, other: Self);
}

/// Where a sweep begins: with some states known, of which the first have been expanded.
pub struct Known<'s> {
    /// All states up to some depth, in the order of their depth.
    pub states: &'s StateSet,
    /// The number of states that have been expanded: all but those of the greatest depth.
    pub expanded: usize,
    /// The number of their transitions.
    pub transitions: usize,
}

/// What a sweep has found.
pub struct Sweep<I> {
    /// The inspector that has collected what all have seen.
    pub inspector: I,
    /// How many states were found.
    pub states: usize,
    /// The number of transitions of the states that were expanded.
    pub transitions: usize,
    /// The bytes that were held in the end.
    pub bytes: usize,
    /// The limit that was met, if one was.
    pub exhausted: Option<Exhausted>,
}

/// Visits all states of a system that are not known, level by level.
pub fn sweep<S: System + Sync, I: Inspector>(
    system: &S,
    known: &Known<'_>,
    budget: &Budget<'_>,
    inspector: I,
) -> Sweep<I> {
    let budget = &budget.after_holding(system.bytes());
    let shared = Shared::new(budget);
    match system.words() {
        1 => Sweeper::<S, WordSet, I>::new(system, &shared, budget, inspector).run(known),
        _ => Sweeper::<S, WideSet, I>::new(system, &shared, budget, inspector).run(known),
    }
}

/// From this number of states on there is a shard for each thread. Tests use a small number.
const MANY: usize = if cfg!(test) { 4 } else { 1 << 13 };

/// From this number of states in a level on, it is expanded by all threads.
const MUCH: usize = if cfg!(test) { 3 } else { 1 << 11 };

/// This number of successors is collected before they are looked up.
const ENOUGH: usize = if cfg!(test) { 3 } else { 1 << 8 };

/// This number of successors is sent to another worker at a time.
const LETTER: usize = if cfg!(test) { 2 } else { 1 << 10 };

/// After this number of states a worker looks for letters from others.
const FEW: usize = if cfg!(test) { 2 } else { 1 << 6 };

struct Sweeper<'a, S: System, V, I> {
    system: &'a S,
    shared: &'a Shared<'a>,
    threads: usize,
    shards: Vec<Shard<V>>,
    /// One for each shard.
    workers: Vec<Worker<S, I>>,
    /// What the workers have seen in complete levels.
    inspector: I,
    /// How many transitions the states of complete levels have.
    transitions: usize,
}

impl<'a, S: System + Sync, V: Visited, I: Inspector> Sweeper<'a, S, V, I> {
    fn new(system: &'a S, shared: &'a Shared<'a>, budget: &Budget<'_>, inspector: I) -> Self {
        let shards = vec![Shard::new(system.words(), shared)];
        let workers = vec![Worker::new(system, inspector.fresh())];
        let threads = budget.threads().get();
        Self { system, shared, threads, shards, workers, inspector, transitions: 0 }
    }

    fn run(mut self, known: &Known<'_>) -> Sweep<I> {
        self.start(known);
        thread::scope(|scope| {
            let mut crew = None;
            while !self.shared.is_stopped() && self.shards.iter().any(|shard| shard.level.len() > 0) {
                if self.shards.len() < self.threads && self.shared.states() >= MANY {
                    self.split();
                }
                if self.is_worth_a_crew() {
                    let start = || Crew::start(self.threads, self.system, self.shared, scope);
                    crew.get_or_insert_with(start).expand(&mut self.shards, &mut self.workers);
                } else {
                    self.expand_alone();
                }
                if !self.shared.is_stopped() && self.end_level().is_break() {
                    break;
                }
            }
        });
        let Self { shared, workers, mut inspector, transitions, .. } = self;
        let exhausted = shared.exhausted(transitions);
        let transitions = exhausted.as_ref().map_or(transitions, |exhausted| exhausted.transitions);
        workers.into_iter().for_each(|worker| inspector.absorb(worker.inspector));
        Sweep { inspector, states: shared.states(), transitions, bytes: shared.bytes(), exhausted }
    }

    /// Takes over what is known.
    fn start(&mut self, known: &Known<'_>) {
        // The caller holds the known states.
        self.shared.claim(known.states.bytes());
        let (shard, inspector) = (&mut self.shards[0], &mut self.workers[0].inspector);
        let mut batch = Arrivals::default();
        for number in 0..known.states.len() {
            batch.push(known.states.get(StateId::from_index(number)), Arrival::UNKNOWN);
            if number + 1 == known.expanded {
                shard.add_known(&mut batch, self.shared);
            } else if batch.len() == LETTER || number + 1 == known.states.len() {
                match number < known.expanded {
                    true => shard.add_known(&mut batch, self.shared),
                    false => shard.settle(&mut batch, inspector, self.shared),
                }
            }
        }
        shard.turn();
        self.shared.found(known.expanded);
        self.transitions = known.transitions;
        self.shared.expanded(known.expanded, known.transitions);
    }

    /// Divides the only shard.
    fn split(&mut self) {
        let words = self.system.words();
        let whole = self.shards.pop().expect("there is always a shard");
        self.shards.extend((0..self.threads).map(|_| Shard::new(words, self.shared)));
        // The states come in the order of the table: in a table that is too small they would all fall into one
        // region.
        let each = self.shared.states() / self.threads;
        self.shards.iter_mut().for_each(|shard| shard.expect(each + each / 8, self.shared));
        let mut batches: Vec<Arrivals> = self.shards.iter().map(|_| Arrivals::default()).collect();
        let Self { shards, shared, threads, .. } = self;
        whole.seen().for_each(|state| {
            let owner = owner(state, *threads);
            batches[owner].push(state, Arrival::UNKNOWN);
            if batches[owner].len() == LETTER {
                shards[owner].add_known(&mut batches[owner], shared);
            }
        });
        for (shard, batch) in shards.iter_mut().zip(&mut batches) {
            shard.add_known(batch, shared);
        }
        for (state, arrival) in whole.level.iter(words) {
            shards[owner(state, *threads)].level.push(state, arrival);
        }
        shared.release(whole.bytes());
        let more = (1..self.threads).map(|_| Worker::new(self.system, self.inspector.fresh()));
        self.workers.extend(more);
        for worker in &mut self.workers {
            worker.pending.resize_with(self.threads, Arrivals::default);
        }
    }

    /// Whether the states of the level are to be expanded by all threads.
    fn is_worth_a_crew(&self) -> bool {
        self.shards.len() > 1 && self.shards.iter().map(|shard| shard.level.len()).sum::<usize>() >= MUCH
    }

    /// Expands the states of the level on this thread, for all shards.
    fn expand_alone(&mut self) {
        let Self { system, shared, shards, workers, .. } = self;
        for i in 0..shards.len() {
            let level = std::mem::take(&mut shards[i].level);
            let mut sink = All { shards, shared };
            workers[0].expand_all(*system, &level, &mut sink, shared);
            workers[0].finish(&mut sink);
            shards[i].level = level;
        }
    }

    /// Goes on to the next level.
    fn end_level(&mut self) -> ControlFlow<()> {
        self.shards.iter_mut().for_each(Shard::turn);
        for worker in &mut self.workers {
            self.transitions += std::mem::take(&mut worker.transitions);
            self.inspector.take_level(&mut worker.inspector);
        }
        self.inspector.end_level()
    }
}
