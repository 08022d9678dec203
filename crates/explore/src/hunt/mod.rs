//! Hunting for a failure.
//!
//! Problem: find some run that fails in a network whose states are too many to be visited, although it may be long.
//!
//! Source: directed model checking [Edelkamp, Leue, Lluch-Lafuente 2004]: greedy best-first search, with the distances of
//! `distance.rs`, and now and then any state that is left, as in [Valenzano et al. 2014]; random walks.
//!
//! Idea: of the states that were found, the one from which a failure seems nearest is expanded, and of several of these
//! the one found last, so that where distances say nothing the search goes into depth. Estimates are made of states that are
//! expanded only; what was found from one counts as being as far away as that, but what was found by a step that the estimate
//! begins with comes before its like [Helmert 2006]. Distances are estimates, and some mislead. So one expansion in eight is of any state that is left, and a quarter of the work goes into random walks,
//! which remember nothing. Which ones, a seed decides. A run that was found is then made shorter (`shorten.rs`).
//!
//! Invariants: the result is a function of the network, the seed and the work that was allowed, in whatever portions. What
//! was found is a run of the network. That nothing is found says nothing about it.
//!
//! Cost: for each state that is expanded, that of an estimate; memory as for [`crate::StubbornSearch`]. Without priority
//! only. Called where failures are looked for that may be deep: `auto`.

mod distance;
mod shorten;
#[cfg(test)]
mod tests;
mod walks;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use rely_base::{Budget, Exhausted, Id, Label, Progress, Resource, StateId};
use rely_lts::ComponentId;

use crate::state_set::hash;
use crate::{Product, ProductCursor, StateSet, Step, Successor, System};

use distance::Distance;
use shorten::Run;
use walks::Walks;

/// How many transitions of components can be looked at with the work of finding one of the network.
const QUICKER: usize = 4;

/// One expansion in this many is of any state that is left.
const ANY: u64 = 8;

/// One unit of work in this many goes into random walks.
const WALKS: usize = 4;

/// A search for a failure that is guided by how far away failures seem, in a product seen through its hiding
/// ([`Product::transparent`]).
pub struct Hunt<'s, 'n> {
    product: &'s Product<'n>,
    cursor: ProductCursor,
    distance: Distance,
    states: StateSet,
    /// The state that each state was found from, and by which label.
    origins: Vec<(StateId, Label)>,
    /// The states that have not been expanded, by the estimate for the state that they were found from, and by whether it does
    /// not begin with the step by which they were.
    open: BTreeMap<(u32, bool), Vec<StateId>>,
    walks: Walks,
    random: Random,
    /// Work that was done, all of it and that of walks.
    work: usize,
    walked: usize,
    /// Whether the search of states has come to its end.
    is_over: bool,
}

/// A run that fails.
pub struct Prey {
    /// Its states, the initial one first, each once.
    pub states: StateSet,
    /// Its steps but the last.
    pub path: Vec<Step>,
    /// The label of the last step, and the component that fails.
    pub failure: (Label, ComponentId),
}

/// A run as it was found: the labels and states of its steps, and how it fails.
type Found = (Vec<(Label, Vec<u64>)>, (Label, ComponentId));

impl<'s, 'n> Hunt<'s, 'n> {
    /// A search that has not begun.
    pub fn new(product: &'s Product<'n>, seed: u64) -> Self {
        let mut hunt = Self {
            product,
            cursor: product.cursor(),
            distance: Distance::new(product.network()),
            states: StateSet::new(product.words()),
            origins: Vec::new(),
            open: BTreeMap::new(),
            walks: Walks::new(product),
            random: Random(seed),
            work: 0,
            walked: 0,
            // With priority, a step depends on what others could do.
            is_over: product.network().priority().is_some(),
        };
        let mut initial = vec![0; product.words()];
        match product.initial(&mut initial) {
            Ok(()) => hunt.add(&initial, (StateId::from_raw(0), Label::TAU), (0, true)),
            // There is nothing to be looked for.
            Err(_) => hunt.is_over = true,
        }
        hunt
    }

    /// Goes on with `work` more work. After a run was found it must not be called again.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn run_for(&mut self, work: usize, budget: &Budget<'_>) -> Result<Option<Prey>, Exhausted> {
        let end = self.work.saturating_add(work);
        let mut next_check = self.work;
        while self.work < end && !self.is_over {
            if self.work >= next_check {
                budget.check(&self.progress())?;
                next_check = self.work + Budget::INTERVAL;
            }
            let found = match self.walked < self.work / WALKS {
                true => self.walk(),
                false => self.expand(budget.max_states())?,
            };
            if let Some(found) = found {
                self.is_over = true;
                return Ok(Some(self.prey(found)));
            }
        }
        Ok(None)
    }

    /// Expands the next state, unless no failure can be reached from it. At most `most` states are kept: a state whose
    /// successors are too many stays open, so that the search can go on when more are allowed.
    fn expand(&mut self, most: usize) -> Result<Option<Found>, Exhausted> {
        let Some((place, source)) = self.next_state() else {
            self.is_over = true;
            return Ok(None);
        };
        let words = self.states.get(source).to_vec();
        let distance = self.distance.of(&self.product.unpack(&words));
        self.work += 1 + self.distance.take_work() / QUICKER;
        let Some(distance) = distance else { return Ok(None) };
        let (mut failure, mut fresh) = (None, Vec::new());
        let Self { product, cursor, states, work, .. } = self;
        let _ = product.try_successors(&words, cursor, &mut |label, successor| {
            *work += 1;
            match successor {
                Successor::Error(component) => {
                    failure = Some((label, component));
                    return ControlFlow::Break(());
                }
                Successor::State(target) if states.find(target).is_none() => {
                    fresh.push((label, target.to_vec()));
                }
                Successor::State(_) | Successor::Cut(_) => {}
            }
            ControlFlow::Continue(())
        });
        if let Some(failure) = failure {
            return Ok(Some((self.path_to(source), failure)));
        }
        if self.states.len().saturating_add(fresh.len()) > most {
            self.open.entry(place).or_default().push(source);
            let (states, transitions) = (self.states.len(), self.work);
            return Err(Exhausted { resource: Resource::States, states, transitions });
        }
        for (label, target) in fresh {
            let is_aside = !self.distance.begins_with(label);
            self.add(&target, (source, label), (distance, is_aside));
        }
        Ok(None)
    }

    /// Removes the next state from the open ones, and says where it was among them.
    fn next_state(&mut self) -> Option<((u32, bool), StateId)> {
        let place = match self.random.next().is_multiple_of(ANY) {
            true => self.open.keys().copied().nth(self.random.below(self.open.len().max(1))),
            false => self.open.keys().next().copied(),
        }?;
        let states = self.open.get_mut(&place)?;
        let state = states.pop();
        if states.is_empty() {
            self.open.remove(&place);
        }
        state.map(|state| (place, state))
    }

    fn add(&mut self, words: &[u64], origin: (StateId, Label), place: (u32, bool)) {
        let hash = hash(words);
        if self.states.find_hashed(words, hash).is_some() || self.states.len() >= StateSet::MAX {
            return;
        }
        if !self.states.has_room() {
            self.states.grow();
        }
        let new = self.states.add(words, hash);
        self.origins.push(origin);
        self.open.entry(place).or_default().push(new);
    }

    fn walk(&mut self) -> Option<Found> {
        let before = self.walks.work();
        let found = self.walks.step(self.product, &mut self.cursor, &mut self.random);
        let work = self.walks.work() - before;
        self.walked += work;
        self.work += work;
        found
    }

    /// The steps by which a state was found.
    fn path_to(&self, state: StateId) -> Vec<(Label, Vec<u64>)> {
        let mut path = Vec::new();
        let mut place = state;
        while place.index() != 0 {
            let (source, label) = self.origins[place.index()];
            path.push((label, self.states.get(place).to_vec()));
            place = source;
        }
        path.reverse();
        path
    }

    /// The run, made shorter.
    fn prey(&mut self, (steps, failure): Found) -> Prey {
        let initial = self.states.get(StateId::from_raw(0)).to_vec();
        prey_of(self.product, Run { initial, steps, failure }.shortened(self.product, &mut self.cursor))
    }

    /// How many states were found.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// Whether it has nothing to do any more.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Bytes that the search holds.
    pub fn bytes(&self) -> usize {
        let of_state = size_of::<(StateId, Label)>() + size_of::<StateId>();
        self.states.bytes() + self.origins.capacity() * of_state + self.distance.bytes() + self.walks.bytes()
    }

    fn progress(&self) -> Progress {
        let frontier = self.open.values().map(Vec::len).sum();
        let bytes = self.bytes() + self.product.bytes();
        Progress { states: self.states.len(), transitions: self.work, frontier, bytes }
    }
}

/// A run to a failure made shorter, with an effort that does not depend on how many states there are: a path from the initial
/// state, and how it fails after that. Without priority only.
pub fn shortened(
    product: &Product<'_>,
    states: &StateSet,
    path: &[Step],
    failure: (Label, ComponentId),
) -> Prey {
    let steps = path.iter().map(|step| (step.label, states.get(step.target).to_vec())).collect();
    let initial = states.get(StateId::from_raw(0)).to_vec();
    prey_of(product, Run { initial, steps, failure }.shortened(product, &mut product.cursor()))
}

fn prey_of(product: &Product<'_>, run: Run) -> Prey {
    let Run { initial, steps, failure } = run;
    let mut states = StateSet::new(product.words());
    states.insert(&initial);
    let step = |(label, words): (Label, Vec<u64>)| Step { label, target: states.insert(&words).0 };
    let path = steps.into_iter().map(step).collect();
    Prey { states, path, failure }
}

/// Random numbers that are the same for the same seed: splitmix64 [Steele, Lea, Flood 2014].
pub(crate) struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound, which is not 0.
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("the remainder is below a usize")
    }
}
