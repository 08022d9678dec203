//! Stubborn sets: which transitions of a state suffice.
//!
//! Problem: components that have nothing to do with each other can take their steps in any order, and all orders lead
//! to the same state. Choose for a state a few of its transitions, so that following only these finds a deadlock and
//! an error wherever there is one.
//!
//! Source: [Valmari 1991], strong stubborn sets, computed by closure on components.
//!
//! Idea: choose a set C of components such that no others can interfere with what those in C can do now. Let T be
//! the actions, τ included, for which some component of C has a transition in its present state. C is closed when
//!
//! 1. all participants of an action of T that is enabled are in C, and
//! 2. for an action of T that is not enabled, some participant that is not ready for it is in C.
//!
//! As long as only actions outside of T occur, no component of C moves: its first move would be in T. So what is
//! disabled in T stays disabled by (2), and what is enabled stays so and commutes with everything outside by (1). Hence
//! of every run from the state, the first step that is in T could as well have come first; and where there is none,
//! every enabled step of T can be put before the run, which stays possible after it.
//!
//! So every deadlock is reached. An action that is enabled could be put off for ever, though, while the steps chosen go
//! round in a circle. The search sees to it that this does not happen (`stubborn_search.rs`); then every action that can
//! occur does, and every move of a component that can be made is.
//!
//! Priority makes actions depend on each other that have no component in common: there is no reduction then.
//!
//! Closing: what a member requires depends mostly on its state alone, so it is prepared (`Demands`). By (1), an
//! enabled action requires all its participants. By (2), an action that only one other participant can ever refuse
//! requires that participant, whether it is enabled or not. The remaining actions are those that several others can
//! refuse: they are put off until nothing else is to be done, since by then some participant that is not ready is
//! likely to be a member.
//!
//! Cost: for a state, as for [`Readiness`], and for each component to begin with O(components²/64) at most.

use rely_base::{ActionId, Id, Label};
use rely_lts::ComponentId;
use rustc_hash::FxHashMap;

use crate::readiness::{Readiness, Refusals};
use crate::{Product, bits};

/// Chooses transitions. All fields but `demands` describe the state that was looked at last.
pub(crate) struct Stubborn {
    readiness: Readiness,
    demands: Demands,
    /// For each component, the set of components that share an enabled step with it, itself included.
    together: Vec<u64>,
    /// The set under construction, its members that have been dealt with, and the best set so far.
    members: Vec<u64>,
    settled: Vec<u64>,
    best: Vec<u64>,
    /// The rows of members whose disabled actions have not been looked at.
    put_off: Vec<usize>,
    /// Members of closed sets made before: a set made from one of them is hardly better.
    useless: Vec<u64>,
    /// For each action, the number of the set for which it was last looked at; and the number of the current set.
    looked_at: Vec<u64>,
    present: u64,
}

/// Which transitions suffice in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Suffices {
    /// All transitions are needed, if there are any.
    All,
    /// The transitions that the components of a set lead or make silently: see [`Stubborn::is_chosen`].
    Some,
}

impl Stubborn {
    pub(crate) fn new(product: &Product<'_>) -> Self {
        let components = product.network().components().len();
        let none = bits::empty(components);
        Self {
            readiness: Readiness::new(product),
            demands: Demands::new(product),
            together: vec![0; components * none.len()],
            members: none.clone(),
            settled: none.clone(),
            best: none.clone(),
            put_off: Vec::new(),
            useless: none,
            looked_at: vec![0; product.network().alphabet().len()],
            present: 0,
        }
    }

    /// Chooses transitions of a state.
    pub(crate) fn choose(&mut self, product: &Product<'_>, state: &[u64]) -> Suffices {
        self.readiness.look(product.tables(), state);
        if product.network().priority().is_some() {
            return Suffices::All;
        }
        self.gather(product);
        let all = self.readiness.all_steps();
        let mut least = all;
        self.useless.fill(0);
        for seed in 0..product.network().components().len() {
            if least <= 1 {
                break;
            }
            if !self.is_active(seed) {
                continue;
            }
            if let Some(count) = self.close(product, seed, least) {
                least = count;
                std::mem::swap(&mut self.best, &mut self.members);
            }
            bits::insert(&mut self.useless, seed);
        }
        if least < all { Suffices::Some } else { Suffices::All }
    }

    /// Whether a component is in the chosen set, so that the steps that it leads or makes silently are to be
    /// followed.
    #[inline]
    pub(crate) fn is_chosen(&self, component: usize) -> bool {
        bits::contains(&self.best, component)
    }

    /// The steps that are enabled, each as its leader and the network's label: τ by component, then actions in order.
    pub(crate) fn steps<'a>(
        &'a self,
        product: &'a Product<'_>,
    ) -> impl Iterator<Item = (ComponentId, Label)> + 'a {
        let is_silent =
            |component: &ComponentId| !product.tables().silent(self.row(component.index())).is_empty();
        let silent = product.tables().silent_components.iter().copied().filter(is_silent);
        let silent = silent.map(|component| (component, Label::TAU));
        let leader = |action: ActionId| product.network().participants(action)[0];
        silent.chain(self.readiness.enabled().map(move |action| (leader(action), Label::visible(action))))
    }

    /// The row of a component's state.
    #[inline]
    pub(crate) fn row(&self, component: usize) -> usize {
        self.readiness.row(component)
    }

    /// Computes which components share an enabled step.
    fn gather(&mut self, product: &Product<'_>) {
        let width = self.members.len();
        self.together.fill(0);
        for component in product.tables().silent_components.iter().map(|component| component.index()) {
            if !product.tables().silent(self.row(component)).is_empty() {
                bits::insert(&mut self.together[component * width..], component);
            }
        }
        for action in self.readiness.enabled() {
            let all = self.demands.participants(action, width);
            for participant in product.network().participants(action) {
                bits::unite(&mut self.together[participant.index() * width..], all);
            }
        }
    }

    /// Whether a component takes part in an enabled step.
    fn is_active(&self, component: usize) -> bool {
        bits::contains(&self.together[component * self.members.len()..], component)
    }

    /// Makes a small closed set that contains `seed`, and counts its steps; `None` if they are not fewer than
    /// `least`.
    fn close(&mut self, product: &Product<'_>, seed: usize, least: usize) -> Option<usize> {
        let width = self.members.len();
        self.members.fill(0);
        self.settled.fill(0);
        self.put_off.clear();
        self.present += 1;
        bits::insert(&mut self.members, seed);
        let mut count = 0;
        loop {
            while let Some(component) = bits::first_without(&self.members, &self.settled) {
                bits::insert(&mut self.settled, component);
                count += self.readiness.steps(component);
                let row = self.readiness.row(component);
                bits::unite(&mut self.members, self.demands.always(row, width));
                bits::unite(&mut self.members, &self.together[component * width..(component + 1) * width]);
                if count >= least || bits::meet(&self.members, &self.useless) {
                    return None;
                }
                if !self.demands.choosy(row).is_empty() {
                    self.put_off.push(row);
                }
            }
            let Some(row) = self.put_off.pop() else { return Some(count) };
            for place in 0..self.demands.choosy(row).len() {
                self.disable(product, self.demands.choosy(row)[place]);
            }
        }
    }

    /// Keeps a disabled action disabled: a participant that is not ready for it becomes a member.
    fn disable(&mut self, product: &Product<'_>, action: ActionId) {
        let present = self.present;
        if std::mem::replace(&mut self.looked_at[action.index()], present) == present
            || self.readiness.is_enabled(action)
        {
            return;
        }
        let label = Label::visible(action);
        let missing = || {
            let participants = product.network().participants(action).iter().map(|who| who.index());
            participants.filter(|&who| !product.tables().has(self.readiness.row(who), label))
        };
        let is_member = |who: usize| bits::contains(&self.members, who);
        if !missing().any(is_member) {
            let first = missing().next().expect("somebody is not ready for what is not enabled");
            bits::insert(&mut self.members, first);
        }
    }
}

/// What a member of a closed set requires, by the row of its state.
struct Demands {
    /// Different sets of components, one after the other.
    sets: Vec<u64>,
    /// By row, the components that always have to be members, too, as the number of a set.
    always: Vec<usize>,
    /// By action, its participants, as the number of a set.
    participants: Vec<usize>,
    /// The actions of row `r` that several other participants can refuse are `choosy[first[r] .. first[r + 1]]`.
    choosy: Vec<ActionId>,
    first: Vec<usize>,
}

impl Demands {
    fn new(product: &Product<'_>) -> Self {
        let (network, tables) = (product.network(), product.tables());
        let refusals = Refusals::new(product);
        let (mut sets, mut always) = (Sets::default(), Vec::new());
        let (mut choosy, mut first) = (Vec::new(), vec![0]);
        let none = bits::empty(network.components().len());
        for component in (0..network.components().len()).map(ComponentId::from_index) {
            for row in tables.rows_of(component) {
                let mut along = none.clone();
                for action in tables.actions(row) {
                    let others = network.participants(action).iter().filter(|&&who| who != component);
                    let mut refusing = others.filter(|who| refusals.contains(who.index(), action));
                    match (refusing.next(), refusing.next()) {
                        (Some(only), None) => bits::insert(&mut along, only.index()),
                        (Some(_), Some(_)) => choosy.push(action),
                        (None, _) => {}
                    }
                }
                always.push(sets.intern(along));
                first.push(choosy.len());
            }
        }
        let participants = network.alphabet().iter().map(|(action, _)| {
            let mut all = none.clone();
            network.participants(action).iter().for_each(|who| bits::insert(&mut all, who.index()));
            sets.intern(all)
        });
        let participants = participants.collect();
        Self { sets: sets.words, always, participants, choosy, first }
    }

    #[inline]
    fn always(&self, row: usize, width: usize) -> &[u64] {
        &self.sets[self.always[row] * width..][..width]
    }

    #[inline]
    fn participants(&self, action: ActionId, width: usize) -> &[u64] {
        &self.sets[self.participants[action.index()] * width..][..width]
    }

    #[inline]
    fn choosy(&self, row: usize) -> &[ActionId] {
        &self.choosy[self.first[row]..self.first[row + 1]]
    }
}

/// Sets of components without duplicates, numbered.
#[derive(Default)]
struct Sets {
    words: Vec<u64>,
    numbers: FxHashMap<Vec<u64>, usize>,
}

impl Sets {
    fn intern(&mut self, set: Vec<u64>) -> usize {
        let next = self.numbers.len();
        let Self { words, numbers } = self;
        *numbers.entry(set).or_insert_with_key(|set| {
            words.extend_from_slice(set);
            next
        })
    }
}

#[cfg(test)]
mod tests;
