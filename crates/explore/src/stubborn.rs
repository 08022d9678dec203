//! Stubborn sets: which transitions of a state suffice.
//!
//! Problem: components that have nothing to do with each other can take their steps in any order, and all orders lead
//! to the same place. Choose for a state a few of its transitions, so that following only these finds a deadlock and an
//! error wherever there is one.
//!
//! Source: [Valmari 1991], strong stubborn sets, computed by closure on components.
//!
//! Idea: choose a set C of components such that nobody outside can interfere with what those in C can do now. Let T be
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
//! Cost: for a state, O(components × transitions of the components in their states).

use rely_base::{ActionId, Id, Label};

use crate::Product;

/// Chooses transitions. Everything in it is about the state that was looked at last.
pub(crate) struct Stubborn {
    /// The row of each component's state.
    rows: Vec<usize>,
    /// By action, how many participants are ready for it.
    ready: Vec<usize>,
    /// By component, how many steps are enabled that it leads or makes silently.
    steps: Vec<usize>,
    /// By component, whether it is in the set that is being made, and whether it is in the best so far.
    members: Vec<bool>,
    best: Vec<bool>,
    /// The members whose actions have not been looked at.
    open: Vec<usize>,
    /// By component, whether a closed set was made from it: one that needs it again is hardly better.
    is_useless: Vec<bool>,
    /// By action, the set for which it was looked at last, by number; and the number of the present one.
    looked_at: Vec<u64>,
    present: u64,
}

/// What suffices in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Suffices {
    /// All transitions are needed; there may be none.
    All,
    /// Those that the components of a set lead or make silently: [`Stubborn::chosen`].
    Some,
}

impl Stubborn {
    pub(crate) fn new(product: &Product<'_>) -> Self {
        let components = product.network().components().len();
        Self {
            rows: vec![0; components],
            ready: vec![0; product.network().alphabet().len()],
            steps: vec![0; components],
            members: vec![false; components],
            best: vec![false; components],
            open: Vec::new(),
            is_useless: vec![false; components],
            looked_at: vec![0; product.network().alphabet().len()],
            present: 0,
        }
    }

    /// Chooses transitions of a state.
    pub(crate) fn choose(&mut self, product: &Product<'_>, state: &[u64]) -> Suffices {
        if product.network().priority().is_some() {
            return Suffices::All;
        }
        self.look(product, state);
        let all: usize = self.steps.iter().sum();
        let mut least = all;
        self.is_useless.fill(false);
        for seed in 0..self.rows.len() {
            if least <= 1 {
                break;
            }
            if !self.is_active(product, seed) {
                continue;
            }
            if let Some(count) = self.close(product, seed, least) {
                least = count;
                std::mem::swap(&mut self.best, &mut self.members);
            }
            self.is_useless[seed] = true;
        }
        if least < all { Suffices::Some } else { Suffices::All }
    }

    /// By component, whether what it leads or does silently suffices together with that of the others.
    pub(crate) fn chosen(&self) -> &[bool] {
        &self.best
    }

    /// The steps that are enabled, each as its leader and its label.
    pub(crate) fn steps<'a>(&'a self, product: &'a Product<'_>) -> impl Iterator<Item = (usize, Label)> + 'a {
        let tables = product.tables();
        (0..self.rows.len()).flat_map(move |component| {
            let row = self.rows[component];
            let led = tables.led(row).map(|group| tables.label(group));
            let led =
                led.filter(|label| label.action().is_some_and(|action| self.is_enabled(product, action)));
            tables.silent(row).map(|_| Label::TAU).chain(led).map(move |label| (component, label))
        })
    }

    /// Finds out who is where, and who is ready for what.
    fn look(&mut self, product: &Product<'_>, state: &[u64]) {
        self.ready.fill(0);
        for component in 0..self.rows.len() {
            let row = product.tables().row(component, state);
            self.rows[component] = row;
            product.tables().actions(row).for_each(|action| self.ready[action.index()] += 1);
        }
        for component in 0..self.rows.len() {
            self.steps[component] = self.count_steps(product, component);
        }
    }

    fn is_enabled(&self, product: &Product<'_>, action: ActionId) -> bool {
        self.ready[action.index()] == product.network().participants(action).len()
    }

    /// How many steps are enabled that a component leads or makes silently.
    fn count_steps(&self, product: &Product<'_>, component: usize) -> usize {
        let tables = product.tables();
        let led = tables.led(self.rows[component]).filter_map(|group| tables.label(group).action());
        tables.silent(self.rows[component]).len() + led.filter(|&led| self.is_enabled(product, led)).count()
    }

    /// Whether a component takes part in something that is enabled.
    fn is_active(&self, product: &Product<'_>, component: usize) -> bool {
        let (tables, row) = (product.tables(), self.rows[component]);
        !tables.silent(row).is_empty() || tables.actions(row).any(|action| self.is_enabled(product, action))
    }

    /// Makes the least closed set that has a member, and counts its steps; nothing if they are not fewer than `least`.
    fn close(&mut self, product: &Product<'_>, seed: usize, least: usize) -> Option<usize> {
        self.members.fill(false);
        self.open.clear();
        self.present += 1;
        self.add(seed);
        let mut count = 0;
        while let Some(component) = self.open.pop() {
            count += self.steps[component];
            if count >= least || self.is_useless[component] {
                return None;
            }
            for action in product.tables().actions(self.rows[component]) {
                // What its first participant has asked for is there already.
                if std::mem::replace(&mut self.looked_at[action.index()], self.present) == self.present {
                    continue;
                }
                let participants = product.network().participants(action);
                if self.is_enabled(product, action) {
                    participants.iter().for_each(|participant| self.add(participant.index()));
                    continue;
                }
                let is_ready =
                    |&component: &usize| product.tables().has(self.rows[component], Label::visible(action));
                let missing =
                    || participants.iter().map(|participant| participant.index()).filter(|c| !is_ready(c));
                if !missing().any(|component| self.members[component]) {
                    let first = missing().next().expect("somebody is not ready for what is not enabled");
                    self.add(first);
                }
            }
        }
        Some(count)
    }

    fn add(&mut self, component: usize) {
        if !std::mem::replace(&mut self.members[component], true) {
            self.open.push(component);
        }
    }
}
