//! The products of groups, made once for all splits that have them.
//!
//! **Problem.** The 2ⁿ − 2 splits of n parts are made of as many groups, and each group is in two of them; what a group
//! is made of is in many more. Composing it anew for each is most of the work.
//!
//! **Idea.** What the rest of the system can feel of a group is its product, in which the actions that nobody else has
//! are hidden, reduced modulo branching bisimilarity. It depends on the group alone. It is made from the product of all
//! its parts but one, which is likewise made once. The part that comes last is the one that shares least with the
//! others, so that what belongs together is composed, hidden and reduced first [Graf, Steffen 1990].
//!
//! **Invariants.** The product of a group is the quotient of the whole product, however it was made: branching
//! bisimilarity is a congruence. (Only whether a product has ended may look different, which no goal feels.) Parts that
//! share nothing, not even through other parts of the group, are not composed: their product would only be large. The
//! result for a group is a function of the group and the limit, so who asks first does not matter.
//!
//! **Complexity.** For all groups of n parts, at most 2ⁿ − 1 products of two systems. Products that would make the
//! table larger than allowed are not kept, and are made again when they are needed again.
//!
//! **Deviation.** A product larger than the limit is not made, and the groups that need it cannot be used under it;
//! with a higher limit it is tried again.
//!
//! **Callers.** `Splitter` in `mod.rs`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use rely_base::{Budget, Exhausted, Progress, Resource};
use rely_explore::generate;
use rely_lts::equivalence::{Equivalence, minimise};
use rely_lts::{Component, Lts, Network, operators};
use rustc_hash::FxHashMap;

use crate::Problem;
use crate::cone::connected;

/// What the rest of the system feels of a group: its reduced products, and the largest step on the way to them.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) pieces: Vec<Component>,
    pub(super) peak_states: usize,
}

/// A product, and the largest step on the way to it.
#[derive(Clone)]
struct Product {
    lts: Arc<Lts>,
    peak_states: usize,
}

/// The products of groups of parts.
pub(super) struct Shared<'p> {
    problem: &'p Problem,
    /// For each action, which parts have it; the goal is the part after the last.
    owners: FxHashMap<&'p str, Vec<usize>>,
    /// For each part, those that it shares actions with, in order, and how many.
    links: Vec<Vec<(usize, usize)>>,
    /// For each part, whether the goal can feel it.
    is_felt: Vec<bool>,
    /// The products that have been made, by their parts.
    table: Mutex<Table>,
    /// The most bytes that the table may hold.
    most_bytes: usize,
}

#[derive(Default)]
struct Table {
    entries: FxHashMap<Vec<usize>, Arc<Mutex<Entry>>>,
    /// The bytes of all that is kept.
    bytes: usize,
    /// How many products have been composed.
    composed: usize,
}

/// What is known of a group.
#[derive(Default)]
enum Entry {
    #[default]
    Untried,
    Made(Product),
    /// There is a step with more states than this.
    Beyond(usize),
}

impl Table {
    /// What is known of a group; it is not kept if there is no room for that.
    fn entry(&mut self, parts: &[usize], most_bytes: usize) -> Arc<Mutex<Entry>> {
        if let Some(entry) = self.entries.get(parts) {
            return Arc::clone(entry);
        }
        let entry = Arc::default();
        let bytes = size_of_val(parts) + size_of::<(Vec<usize>, Arc<Mutex<Entry>>, Mutex<Entry>)>();
        if self.bytes.saturating_add(bytes) <= most_bytes {
            self.bytes += bytes;
            self.entries.insert(parts.to_vec(), Arc::clone(&entry));
        }
        entry
    }
}

impl<'p> Shared<'p> {
    pub(super) fn new(problem: &'p Problem, most_bytes: usize) -> Self {
        let mut owners: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        let goal = problem.parts.len();
        let parts = problem.parts.iter().enumerate();
        for (i, component) in parts.chain(problem.goal.components.iter().map(|component| (goal, component))) {
            for name in component.lts.alphabet().names() {
                owners.entry(name).or_default().push(i);
            }
        }
        let mut counts: Vec<BTreeMap<usize, usize>> = vec![BTreeMap::new(); goal];
        for having in owners.values() {
            for &part in having.iter().filter(|&&part| part < goal) {
                for &other in having.iter().filter(|&&other| other < goal && other != part) {
                    *counts[part].entry(other).or_default() += 1;
                }
            }
        }
        let links = counts.into_iter().map(|counts| counts.into_iter().collect()).collect();
        let all = problem.components();
        let is_felt = connected(all.len(), |i| all[i].lts.alphabet().names(), goal..all.len());
        Self { problem, owners, links, is_felt, table: Mutex::default(), most_bytes }
    }

    /// The products that stand for a group, given by its parts. Parts that the goal cannot feel are left out.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub(super) fn group(&self, parts: &[usize], budget: &Budget<'_>) -> Result<Made, Exhausted> {
        let mut felt: Vec<usize> = parts.iter().copied().filter(|&part| self.is_felt[part]).collect();
        felt.sort_unstable();
        let mut made = Made { pieces: Vec::new(), peak_states: 0 };
        for set in self.linked(&felt) {
            let Product { lts, peak_states } = self.product(set, budget)?;
            made.pieces.push(Component { name: format!("G{}", made.pieces.len() + 1), lts });
            made.peak_states = made.peak_states.max(peak_states);
        }
        Ok(made)
    }

    /// The parts of a group, reduced, each by itself. Parts that the goal cannot feel are left out.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub(super) fn parts(&self, parts: &[usize], budget: &Budget<'_>) -> Result<Made, Exhausted> {
        let mut made = Made { pieces: Vec::new(), peak_states: 0 };
        for &part in parts.iter().filter(|&&part| self.is_felt[part]) {
            let Product { lts, peak_states } = self.looked_up(&[part], budget, || self.part(part, budget))?;
            made.pieces.push(Component { name: self.problem.parts[part].name.clone(), lts });
            made.peak_states = made.peak_states.max(peak_states);
        }
        Ok(made)
    }

    /// How many products have been composed so far.
    #[cfg(test)]
    pub(super) fn composed(&self) -> usize {
        self.table().composed
    }

    /// Parts, given in order, in sets that share no actions, each in order.
    fn linked(&self, parts: &[usize]) -> Vec<Vec<usize>> {
        let mut is_seen = vec![false; parts.len()];
        let mut sets = Vec::new();
        for first in 0..parts.len() {
            if std::mem::replace(&mut is_seen[first], true) {
                continue;
            }
            let mut set = vec![parts[first]];
            let mut next = 0;
            while let Some(&from) = set.get(next) {
                for (other, _) in &self.links[from] {
                    if let Ok(place) = parts.binary_search(other)
                        && !std::mem::replace(&mut is_seen[place], true)
                    {
                        set.push(*other);
                    }
                }
                next += 1;
            }
            set.sort_unstable();
            sets.push(set);
        }
        sets
    }

    /// The product of a set of parts that are linked.
    fn product(&self, parts: Vec<usize>, budget: &Budget<'_>) -> Result<Product, Exhausted> {
        // The sets on the way: each is the one before without the part that comes last in it.
        let mut sets = vec![parts];
        let mut last = Vec::new();
        while let Some(set) = sets.last().filter(|set| set.len() > 1) {
            budget.check(&Progress::default())?;
            let part = self.last_of(set);
            let before = set.iter().copied().filter(|&other| other != part).collect();
            last.push(part);
            sets.push(before);
        }
        let only = sets.pop().expect("the set is not empty");
        let mut product = self.looked_up(&only, budget, || self.part(only[0], budget))?;
        while let (Some(set), Some(part)) = (sets.pop(), last.pop()) {
            product = self.looked_up(&set, budget, || {
                let part = self.looked_up(&[part], budget, || self.part(part, budget))?;
                self.composed_of(&product, &part, &set, budget)
            })?;
        }
        Ok(product)
    }

    /// The part that shares least with the others of a set, and without which the others are still linked; the larger
    /// one, where several share as little.
    fn last_of(&self, set: &[usize]) -> usize {
        let merit = |part: &usize| {
            let inside = self.links[*part].iter().filter(|(other, _)| set.binary_search(other).is_ok());
            let shared: usize = inside.map(|(_, count)| count).sum();
            (shared, usize::MAX - self.problem.parts[*part].lts.state_count(), usize::MAX - part)
        };
        let mut candidates = set.to_vec();
        candidates.sort_by_cached_key(merit);
        let stays_linked = |part: &usize| {
            let others: Vec<usize> = set.iter().copied().filter(|other| other != part).collect();
            self.linked(&others).len() <= 1
        };
        // Of the parts of a set that is linked, two at least can be left out.
        candidates.into_iter().find(stays_linked).expect("the set is linked")
    }

    /// A single part, as the others feel it.
    fn part(&self, part: usize, budget: &Budget<'_>) -> Result<Product, Exhausted> {
        let lts = &self.problem.parts[part].lts;
        let hidden = operators::hide(lts, |name| !self.is_felt_outside(name, &[part]));
        let reduced = minimise(&hidden, Equivalence::Branching, budget)?;
        Ok(Product { lts: Arc::new(reduced), peak_states: lts.state_count() })
    }

    /// The product of two products, as the parts outside feel it.
    fn composed_of(
        &self,
        first: &Product,
        second: &Product,
        parts: &[usize],
        budget: &Budget<'_>,
    ) -> Result<Product, Exhausted> {
        self.table().composed += 1;
        let component = |product: &Product| Component { name: String::new(), lts: Arc::clone(&product.lts) };
        let network = Network::new(vec![component(first), component(second)])
            .with_hidden(|name| !self.is_felt_outside(name, parts));
        let lts = generate(&network, budget)?;
        let states = lts.state_count();
        let reduced = minimise(&lts, Equivalence::Branching, budget)?;
        let peak_states = states.max(first.peak_states).max(second.peak_states);
        Ok(Product { lts: Arc::new(reduced), peak_states })
    }

    /// Whether a part outside of a group, or the goal, has an action.
    fn is_felt_outside(&self, name: &str, parts: &[usize]) -> bool {
        self.owners[name].iter().any(|owner| !parts.contains(owner))
    }

    /// The product of a set, from the table if it is there.
    fn looked_up(
        &self,
        parts: &[usize],
        budget: &Budget<'_>,
        make: impl FnOnce() -> Result<Product, Exhausted>,
    ) -> Result<Product, Exhausted> {
        let limit = budget.max_states();
        let beyond = |limit: usize| Exhausted {
            resource: Resource::States,
            states: limit.saturating_add(1),
            transitions: 0,
        };
        let most_bytes = self.most_bytes.min(budget.max_bytes() / 2);
        let entry = self.table().entry(parts, most_bytes);
        let mut entry = entry.lock().expect("nobody panics while making a product");
        match &*entry {
            Entry::Made(product) if product.peak_states <= limit => return Ok(product.clone()),
            Entry::Made(_) => return Err(beyond(limit)),
            Entry::Beyond(tried) if limit <= *tried => return Err(beyond(limit)),
            Entry::Beyond(_) | Entry::Untried => {}
        }
        match make() {
            Ok(product) if product.peak_states > limit => {
                *entry = Entry::Beyond(limit);
                Err(beyond(limit))
            }
            Ok(product) => {
                let mut table = self.table();
                let bytes = table.bytes.saturating_add(product.lts.bytes());
                if bytes <= most_bytes {
                    table.bytes = bytes;
                    *entry = Entry::Made(product.clone());
                }
                Ok(product)
            }
            Err(exhausted) if exhausted.resource == Resource::States => {
                *entry = Entry::Beyond(limit);
                Err(beyond(limit))
            }
            Err(exhausted) => Err(exhausted),
        }
    }

    fn table(&self) -> std::sync::MutexGuard<'_, Table> {
        self.table.lock().expect("nobody panics with the table in hand")
    }
}
