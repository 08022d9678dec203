//! The consequences of an assumption for components, straight from the definitions: on tuples of states, without
//! hiding and without reduction.

use std::collections::{BTreeMap, BTreeSet};

use rely_base::StateId;
use rely_lts::{Component, Network};

use crate::naive::product::{NaiveProduct, Tuple, is_terminated};

/// Components together with an assumption, which is at the last place of a tuple.
pub struct NaiveConsequences {
    interface: BTreeSet<String>,
    own: BTreeSet<String>,
    /// The components with the assumption.
    together: System,
    /// The components alone.
    alone: System,
}

/// Runs of a network.
struct System {
    network: Network,
    product: NaiveProduct,
    /// For each tuple, the actions on paths from it.
    ahead: BTreeMap<Tuple, BTreeSet<String>>,
}

impl System {
    fn new(components: Vec<Component>) -> Self {
        let network = Network::new(components);
        let product = NaiveProduct::new(&network);
        let mut ahead: BTreeMap<Tuple, BTreeSet<String>> =
            product.moves.keys().map(|tuple| (tuple.clone(), BTreeSet::new())).collect();
        loop {
            let mut more = ahead.clone();
            for (tuple, moves) in &product.moves {
                for (action, target) in moves {
                    let name = action.map(|action| network.alphabet().name(action).to_owned());
                    let next: BTreeSet<String> = ahead[target].iter().cloned().chain(name).collect();
                    more.get_mut(tuple).expect("a tuple").extend(next);
                }
            }
            if more == ahead {
                return Self { network, product, ahead };
            }
            ahead = more;
        }
    }

    fn names_at(&self, tuple: &Tuple) -> BTreeSet<String> {
        let names = self.product.moves[tuple].iter().filter_map(|(action, _)| *action);
        names.map(|action| self.network.alphabet().name(action).to_owned()).collect()
    }

    /// The tuples that can be reached from a tuple.
    fn reachable(&self, from: &Tuple) -> BTreeSet<Tuple> {
        let mut reached = BTreeSet::from([from.clone()]);
        loop {
            let targets = reached.iter().flat_map(|tuple| &self.product.moves[tuple]);
            let more: BTreeSet<Tuple> =
                targets.map(|(_, target)| target.clone()).chain(reached.clone()).collect();
            if more == reached {
                return reached;
            }
            reached = more;
        }
    }
}

impl NaiveConsequences {
    /// The consequences for components that cannot fail under the assumption.
    pub fn new(components: &[Component], assumption: &Component) -> Self {
        let all = components.iter().cloned().chain([assumption.clone()]).collect();
        let names = |component: &Component| -> BTreeSet<String> {
            component.lts.alphabet().names().map(str::to_owned).collect()
        };
        Self {
            interface: names(assumption),
            own: components.iter().flat_map(names).collect(),
            together: System::new(all),
            alone: System::new(components.to_vec()),
        }
    }

    fn withheld(&self, tuple: &Tuple) -> BTreeSet<String> {
        let part: Tuple = tuple[..tuple.len() - 1].to_vec();
        let is_withheld = |name: &&String| {
            let could = !self.own.contains(*name) || self.alone.ahead[&part].contains(*name);
            !self.together.ahead[tuple].contains(*name) && could
        };
        self.interface.iter().filter(is_withheld).cloned().collect()
    }

    fn is_stuck(&self, tuple: &Tuple) -> bool {
        let part: Tuple = tuple[..tuple.len() - 1].to_vec();
        let ends = |tuples: BTreeSet<Tuple>, length: usize| {
            tuples.iter().any(|tuple| is_terminated(&self.alone.network, &tuple[..length]))
        };
        let shared = |names: &BTreeSet<String>| {
            names.iter().any(|name| self.own.contains(name) && self.interface.contains(name))
        };
        let alive = shared(&self.together.ahead[tuple]) || ends(self.together.reachable(tuple), part.len());
        let alive_alone = shared(&self.alone.ahead[&part]) || ends(self.alone.reachable(&part), part.len());
        !alive && alive_alone
    }

    /// The actions that never occur.
    pub fn never(&self) -> BTreeSet<String> {
        self.withheld(&self.together.product.initial)
    }

    /// The actions that, from some reachable tuple on, never occur.
    pub fn never_again(&self) -> BTreeSet<String> {
        let all = self.together.product.moves.keys().flat_map(|tuple| self.withheld(tuple));
        let never = self.never();
        all.filter(|name| !never.contains(name)).collect()
    }

    /// Whether the components may be stuck in some reachable tuple.
    pub fn may_be_stuck(&self) -> bool {
        self.together.product.moves.keys().any(|tuple| self.is_stuck(tuple))
    }

    /// After a word of the interface: whether the components may be stuck, and which actions may never occur again.
    pub fn after(&self, word: &[String]) -> (bool, BTreeSet<String>) {
        let mut tuples = self.unseen(BTreeSet::from([self.together.product.initial.clone()]));
        for letter in word {
            let mut next = BTreeSet::new();
            for (action, target) in tuples.iter().flat_map(|tuple| &self.together.product.moves[tuple]) {
                if action.is_some_and(|action| self.together.network.alphabet().name(action) == letter) {
                    next.insert(target.clone());
                }
            }
            tuples = self.unseen(next);
        }
        let stuck = tuples.iter().any(|tuple| self.is_stuck(tuple));
        (stuck, tuples.iter().flat_map(|tuple| self.withheld(tuple)).collect())
    }

    fn unseen(&self, mut tuples: BTreeSet<Tuple>) -> BTreeSet<Tuple> {
        loop {
            let mut more = tuples.clone();
            for (action, target) in tuples.iter().flat_map(|tuple| &self.together.product.moves[tuple]) {
                let name = action.map(|action| self.together.network.alphabet().name(action));
                if name.is_none_or(|name| !self.interface.contains(name)) {
                    more.insert(target.clone());
                }
            }
            if more == tuples {
                return tuples;
            }
            tuples = more;
        }
    }

    /// The states of the assumption in which only one action is possible, with the action.
    pub fn only(&self) -> BTreeSet<(StateId, String)> {
        let mut does: BTreeMap<StateId, BTreeSet<String>> = BTreeMap::new();
        let mut could: BTreeMap<StateId, BTreeSet<String>> = BTreeMap::new();
        for tuple in self.together.product.moves.keys() {
            let (&a, part) = tuple.split_last().expect("the assumption has a place");
            let here = self.together.names_at(tuple);
            does.entry(a).or_default().extend(here.intersection(&self.interface).cloned());
            let alone = self.alone.names_at(&part.to_vec());
            let without =
                self.interface.iter().filter(|name| !self.own.contains(*name) || alone.contains(*name));
            could.entry(a).or_default().extend(without.cloned());
        }
        let single = does.into_iter().filter(|(a, does)| does.len() == 1 && could[a].len() > 1);
        single.flat_map(|(a, does)| does.into_iter().map(move |name| (a, name))).collect()
    }
}
