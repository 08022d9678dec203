//! Monitors: the finite prefixes after which a formula can no longer be satisfied.
//!
//! Problem: watch a run letter by letter, and say so at the first letter after which no continuation satisfies the
//! formula any more.
//!
//! Source: [d'Amorim & Roşu 2005], [Bauer, Leucker & Schallhart 2011]. Idea: in the automaton of the formula every
//! state accepts some word, so a prefix can be continued exactly when some run on it exists. The monitor follows the
//! set of the states that all runs have reached; the prefix is bad when the set becomes empty.
//!
//! Invariant: a [`MonitorState`] stands for a nonempty set. Complexity: exponentially many sets at worst, of which only
//! those that occur are made. Called by the check of assertions, for safety properties and through [`crate::Outlook`].

use rely_base::{Budget, Exhausted, Id, StateId};
use rustc_hash::FxHashMap;

use crate::bits::Bits;
use crate::{AtomSet, Buchi, BuchiEdge, Formula};

rely_base::define_id! {
    /// What a [`Monitor`] remembers of the letters that it has read. Equal states of one monitor have equal futures.
    MonitorState
}

/// A hash table has at most this many places for each entry.
const ENTRY: usize = 2;

/// A deterministic automaton for the safety closure of a formula, made state by state as it is used.
#[derive(Clone, Debug)]
pub struct Monitor {
    buchi: Buchi,
    /// The sets of states by number.
    sets: Vec<Bits>,
    numbers: FxHashMap<Bits, MonitorState>,
    /// The steps that have been made before.
    known: FxHashMap<(MonitorState, AtomSet), Option<MonitorState>>,
    initial: Option<MonitorState>,
    /// How many bytes the sets and the steps take.
    held: usize,
}

impl Monitor {
    /// The monitor of a formula.
    ///
    /// # Errors
    /// When the budget is used up.
    ///
    /// ```
    /// use rely_base::Budget;
    /// use rely_omega::{AtomId, AtomSet, Formula, Monitor};
    ///
    /// let crash = AtomId::from_raw(0);
    /// let never = Formula::atom(crash).negated().always();
    /// let mut monitor = Monitor::new(&never, &Budget::UNLIMITED)?;
    /// let start = monitor.initial().expect("some word satisfies the formula");
    /// assert_eq!(monitor.step(start, &AtomSet::new()), Some(start));
    /// assert_eq!(monitor.step(start, &[crash].into_iter().collect()), None);
    /// # Ok::<(), rely_base::Exhausted>(())
    /// ```
    pub fn new(formula: &Formula, budget: &Budget<'_>) -> Result<Self, Exhausted> {
        Ok(Self::of(Buchi::translate(formula, budget)?))
    }

    /// The monitor of the language of an automaton that [`Buchi::translate`] made.
    pub fn of(buchi: Buchi) -> Self {
        let mut monitor = Self {
            sets: Vec::new(),
            numbers: FxHashMap::default(),
            known: FxHashMap::default(),
            initial: None,
            held: 0,
            buchi,
        };
        let initial = monitor.buchi.initial().iter().map(|state| state.index()).collect();
        monitor.initial = monitor.intern(initial);
        monitor
    }

    /// The state before the first letter; nothing when no word satisfies the formula.
    pub fn initial(&self) -> Option<MonitorState> {
        self.initial
    }

    /// The state after one more letter; nothing when no continuation satisfies the formula.
    pub fn step(&mut self, state: MonitorState, letter: &AtomSet) -> Option<MonitorState> {
        if let Some(&known) = self.known.get(&(state, letter.clone())) {
            return known;
        }
        let mut reached = Bits::default();
        for from in self.sets[state.index()].iter() {
            for target in self.buchi.successors(StateId::from_index(from), letter) {
                reached.insert(target.index());
            }
        }
        let reached = self.intern(reached);
        self.held += ENTRY * size_of::<(MonitorState, AtomSet, Option<MonitorState>)>() + letter.heap_bytes();
        self.known.insert((state, letter.clone()), reached);
        reached
    }

    /// Whether the prefix read so far can be continued by repeating one letter for ever so that the formula holds.
    pub fn accepts_forever(&self, state: MonitorState, letter: &AtomSet) -> bool {
        self.sets[state.index()]
            .iter()
            .any(|state| self.buchi.accepts_forever(StateId::from_index(state), letter))
    }

    /// The states of the automaton that runs on the prefix have reached.
    pub(crate) fn reached(&self, state: MonitorState) -> impl Iterator<Item = StateId> + '_ {
        self.sets[state.index()].iter().map(StateId::from_index)
    }

    /// The automaton of the formula.
    pub(crate) fn buchi(&self) -> &Buchi {
        &self.buchi
    }

    /// How many bytes have been taken by what was made so far: the automaton, sets of its states, and steps.
    pub fn bytes(&self) -> usize {
        self.held + self.buchi.edge_count() * size_of::<BuchiEdge>()
    }

    /// How many states have been made so far.
    pub fn state_count(&self) -> usize {
        self.sets.len()
    }

    /// The number of a set; nothing for the empty one.
    fn intern(&mut self, set: Bits) -> Option<MonitorState> {
        if set.is_empty() {
            return None;
        }
        if let Some(&number) = self.numbers.get(&set) {
            return Some(number);
        }
        let number = MonitorState::from_index(self.sets.len());
        self.held += (1 + ENTRY) * size_of::<(Bits, MonitorState)>() + 2 * set.heap_bytes();
        self.sets.push(set.clone());
        self.numbers.insert(set, number);
        Some(number)
    }
}
