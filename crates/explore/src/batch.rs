//! The successors of a few states, collected before they are looked up.
//!
//! A lookup that misses the cache takes as long as computing several successors. A batch knows what will be looked up
//! next, so that the misses can overlap; it gives everything back in the order in which it came.

use rely_base::Label;
use rely_lts::ComponentId;

use crate::state_set::hash;
use crate::{StateSet, Successor};

/// The events of states that are being expanded, in order.
pub(crate) struct Batch {
    /// Words per state.
    words: usize,
    entries: Vec<Entry>,
    /// The words of the targets of the transitions, one after the other.
    targets: Vec<u64>,
    /// The hashes of the targets.
    hashes: Vec<u64>,
    /// The numbers that the targets probably have.
    guesses: Vec<u32>,
    /// How many entries and how many targets there are up to the last end of a state.
    finished: (usize, usize),
}

#[derive(Clone, Copy)]
enum Entry {
    Transition(Label),
    Error(Label, ComponentId),
    Cut(Label, ComponentId),
    End,
}

/// What can be met while a state is expanded.
pub(crate) enum Event<'a> {
    /// A transition to a state.
    Transition { label: Label, target: &'a [u64], hash: u64, guess: u32 },
    /// A transition to the error state.
    Error { label: Label, component: ComponentId },
    /// A transition out of the bounds.
    Cut { label: Label, component: ComponentId },
    /// The end of the transitions of one state.
    End,
}

impl Batch {
    /// How many states are expanded together.
    pub(crate) const SOURCES: usize = 16;

    /// About how many events are collected at most.
    const MOST: usize = 1 << 10;

    pub(crate) fn new(words: usize) -> Self {
        Self {
            words,
            entries: Vec::new(),
            targets: Vec::new(),
            hashes: Vec::new(),
            guesses: Vec::new(),
            finished: (0, 0),
        }
    }

    /// Whether it is time to deal with what was collected.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.entries.len() >= Self::MOST
    }

    #[inline]
    pub(crate) fn push(&mut self, label: Label, successor: Successor<'_>) {
        match successor {
            Successor::Error(component) => self.entries.push(Entry::Error(label, component)),
            Successor::Cut(component) => self.entries.push(Entry::Cut(label, component)),
            Successor::State(target) => {
                self.entries.push(Entry::Transition(label));
                self.targets.extend_from_slice(target);
                self.hashes.push(hash(target));
            }
        }
    }

    /// Marks the end of the transitions of one state.
    #[inline]
    pub(crate) fn push_end(&mut self) {
        self.entries.push(Entry::End);
        self.finished = (self.entries.len(), self.hashes.len());
    }

    /// Whether the batch holds all transitions of at least one state.
    #[inline]
    pub(crate) fn has_end(&self) -> bool {
        self.finished.0 > 0
    }

    /// Drops the transitions after the last end of a state.
    pub(crate) fn drop_unfinished(&mut self) {
        let (entries, targets) = self.finished;
        self.entries.truncate(entries);
        self.hashes.truncate(targets);
        self.targets.truncate(targets * self.words);
    }

    /// Guesses the number of each target: see [`StateSet::guess`].
    pub(crate) fn guess(&mut self, states: &StateSet) {
        states.guess(&self.hashes, &mut self.guesses);
    }

    /// The collected events, in order.
    #[inline]
    pub(crate) fn events(&self) -> impl Iterator<Item = Event<'_>> {
        let mut targets = self.targets.chunks_exact(self.words).zip(&self.hashes).zip(&self.guesses);
        self.entries.iter().map(move |&entry| match entry {
            Entry::Transition(label) => {
                let ((target, &hash), &guess) =
                    targets.next().expect("there is a target for each transition");
                Event::Transition { label, target, hash, guess }
            }
            Entry::Error(label, component) => Event::Error { label, component },
            Entry::Cut(label, component) => Event::Cut { label, component },
            Entry::End => Event::End,
        })
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.targets.clear();
        self.hashes.clear();
        self.guesses.clear();
        self.finished = (0, 0);
    }
}
