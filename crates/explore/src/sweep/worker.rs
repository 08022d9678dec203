//! Expanding states in a sweep.

use std::ops::ControlFlow;

use rely_base::Budget;

use super::exchange::Sink;
use super::shard::owner;
use super::shared::Shared;
use super::{ENOUGH, FEW, Inspector};
use crate::{Arrival, Arrivals, Successor, System};

/// The scratch space for expanding states.
pub(super) struct Worker<S: System, I> {
    cursor: S::Cursor,
    pub(super) inspector: I,
    /// For each shard the states to be sent to it.
    pub(super) pending: Vec<Arrivals>,
    /// States that are not yet divided among the shards.
    fan: Arrivals,
    /// The transitions of the states expanded in this level.
    pub(super) transitions: usize,
}

impl<S: System, I: Inspector> Worker<S, I> {
    pub(super) fn new(system: &S, inspector: I) -> Self {
        let (pending, fan) = (vec![Arrivals::default()], Arrivals::default());
        Self { cursor: system.cursor(), inspector, pending, fan, transitions: 0 }
    }

    /// Expands the states of a level, and sends the successors to their shards.
    pub(super) fn expand_all<K: Sink>(
        &mut self,
        system: &S,
        level: &Arrivals,
        sink: &mut K,
        shared: &Shared<'_>,
    ) {
        if system.can_fan_out() && !self.inspector.is_thorough() {
            return self.fan_out(system, level, sink, shared);
        }
        let (mut states, mut transitions) = (0, self.transitions);
        for (state, arrival) in level.iter(system.words()) {
            self.expand(system, state, arrival, sink, shared);
            states += 1;
            if states % FEW == 0 {
                sink.receive(&mut self.inspector);
            }
            if states == Budget::INTERVAL {
                shared.expanded(std::mem::take(&mut states), self.transitions - transitions);
                transitions = self.transitions;
            }
            if shared.is_stopped() {
                return;
            }
        }
        shared.expanded(states, self.transitions - transitions);
    }

    /// Expands the states of a level by [`System::fan_out`], for inspectors that need not see each transition.
    fn fan_out<K: Sink>(&mut self, system: &S, level: &Arrivals, sink: &mut K, shared: &Shared<'_>) {
        let (mut states, mut transitions) = (0, self.transitions);
        for (state, arrival) in level.iter(system.words()) {
            let Self { cursor, inspector, fan, .. } = self;
            let count = system.fan_out(state, arrival, cursor, fan, &mut |label, successor| {
                inspector.transition(label, successor);
            });
            self.transitions += inspector.expanded(state, count);
            states += 1;
            if self.fan.len() >= ENOUGH {
                self.distribute(system.words(), sink);
            }
            if states % FEW == 0 {
                sink.receive(&mut self.inspector);
            }
            if states == Budget::INTERVAL {
                shared.expanded(std::mem::take(&mut states), self.transitions - transitions);
                transitions = self.transitions;
            }
            if shared.is_stopped() {
                return;
            }
        }
        self.distribute(system.words(), sink);
        shared.expanded(states, self.transitions - transitions);
    }

    /// Divides the collected states among the shards, and sends what is enough for a letter.
    fn distribute<K: Sink>(&mut self, words: usize, sink: &mut K) {
        let Self { inspector, pending, fan, .. } = self;
        if pending.len() == 1 {
            return sink.send(0, fan, inspector);
        }
        for (state, arrival) in fan.iter(words) {
            let owner = owner(state, pending.len());
            pending[owner].push(state, arrival);
            if pending[owner].len() >= sink.most(owner) {
                sink.send(owner, &mut pending[owner], inspector);
            }
        }
        fan.clear();
    }

    /// Collects the successors of a state, and counts its transitions.
    #[inline]
    fn expand<K: Sink>(
        &mut self,
        system: &S,
        state: &[u64],
        arrival: Arrival,
        sink: &mut K,
        shared: &Shared<'_>,
    ) {
        let Self { cursor, inspector, pending, .. } = self;
        let mut transitions = 0;
        let all = system.try_awake(state, arrival, cursor, &mut |label, successor, awake| {
            transitions += 1;
            if transitions % Budget::INTERVAL == 0 {
                shared.check();
            }
            inspector.transition(label, successor);
            if let (Successor::State(target), Some(arrival)) = (successor, awake) {
                let owner = owner(target, pending.len());
                pending[owner].push(target, arrival);
                if pending[owner].len() >= sink.most(owner) {
                    sink.send(owner, &mut pending[owner], inspector);
                }
            }
            // A state may have exponentially many transitions.
            if shared.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if all.is_continue() {
            self.transitions += self.inspector.expanded(state, transitions);
        }
    }

    /// Sends what remains.
    pub(super) fn finish<K: Sink>(&mut self, sink: &mut K) {
        for (owner, batch) in self.pending.iter_mut().enumerate() {
            sink.send(owner, batch, &mut self.inspector);
        }
    }
}
