//! The decisions about a network, straight from their definitions, on the naive product.

use std::collections::{BTreeMap, BTreeSet};

use rely_base::ActionId;
use rely_lts::Network;

use super::product::{NaiveProduct, Tuple, error_in, is_deadlocked};

/// The naive product, and which tuples each tuple reaches in any number of steps.
#[derive(Clone, Debug)]
pub struct NaiveDecisions<'n> {
    /// The network.
    pub network: &'n Network,
    /// Its product.
    pub product: NaiveProduct,
    /// For each tuple those that it reaches, itself included.
    pub reach: BTreeMap<Tuple, BTreeSet<Tuple>>,
}

impl<'n> NaiveDecisions<'n> {
    /// The product and its closure.
    pub fn new(network: &'n Network) -> Self {
        let product = NaiveProduct::new(network);
        let reach = closure(&product, |_| true);
        Self { network, product, reach }
    }

    /// The length of a shortest trace to a deadlock.
    pub fn deadlock(&self) -> Option<usize> {
        self.nearest(|tuple| is_deadlocked(self.network, tuple))
    }

    /// The length of a shortest trace to an error.
    pub fn error(&self) -> Option<usize> {
        self.nearest(|tuple| error_in(self.network, tuple).is_some())
    }

    /// The length of a shortest trace to a tuple of a kind.
    pub fn nearest(&self, kind: impl Fn(&Tuple) -> bool) -> Option<usize> {
        self.product.distance.iter().filter(|(tuple, _)| kind(tuple)).map(|(_, &distance)| distance).min()
    }

    /// Whether everything that a tuple reaches leads back to it, and it is no error.
    pub fn is_terminal(&self, tuple: &Tuple) -> bool {
        error_in(self.network, tuple).is_none()
            && self.reach[tuple].iter().all(|other| self.reach[other].contains(tuple))
    }

    /// The names of the actions that a tuple can ever reach.
    pub fn future(&self, tuple: &Tuple) -> BTreeSet<&'n str> {
        let moves = self.reach[tuple].iter().flat_map(|other| &self.product.moves[other]);
        moves.filter_map(|(action, _)| action.map(|action| self.network.alphabet().name(action))).collect()
    }

    /// The length of a shortest trace to a terminal tuple whose future violates a progress property: no action of
    /// the set is in it, though one of the condition is.
    pub fn progress(&self, condition: Option<&[String]>, actions: &[String]) -> Option<usize> {
        self.nearest(|tuple| {
            let future = self.future(tuple);
            let some = |names: &[String]| names.iter().any(|name| future.contains(name.as_str()));
            self.is_terminal(tuple) && !some(actions) && condition.is_none_or(some)
        })
    }

    /// The length of a shortest trace to a terminal tuple whose future lacks an action of the alphabet.
    pub fn default_progress(&self) -> Option<usize> {
        let all: BTreeSet<&str> = self.network.alphabet().names().collect();
        self.nearest(|tuple| self.is_terminal(tuple) && self.future(tuple) != all)
    }

    /// The length of a shortest trace to a tuple that silent steps lead back to.
    pub fn divergence(&self) -> Option<usize> {
        let silent = |action: Option<ActionId>| action.is_none_or(|action| self.network.is_hidden(action));
        let reach = closure(&self.product, silent);
        self.nearest(|tuple| {
            let moves = &self.product.moves[tuple];
            moves.iter().any(|(action, target)| silent(*action) && reach[target].contains(tuple))
        })
    }
}

/// The tuples that each tuple reaches by moves of a kind, by adding those of its successors until nothing changes.
fn closure(
    product: &NaiveProduct,
    kind: impl Fn(Option<ActionId>) -> bool,
) -> BTreeMap<Tuple, BTreeSet<Tuple>> {
    let mut reach: BTreeMap<Tuple, BTreeSet<Tuple>> =
        product.moves.keys().map(|tuple| (tuple.clone(), BTreeSet::from([tuple.clone()]))).collect();
    loop {
        let mut changed = false;
        for (tuple, moves) in &product.moves {
            let mut mine = reach[tuple].clone();
            for (action, target) in moves {
                if kind(*action) {
                    mine.extend(reach[target].iter().cloned());
                }
            }
            changed |= mine.len() != reach[tuple].len();
            reach.insert(tuple.clone(), mine);
        }
        if !changed {
            return reach;
        }
    }
}
