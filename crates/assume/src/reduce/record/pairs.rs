//! Which state of a result follows which state of the product that it was made of.

use rely_base::{Budget, Exhausted, Id, Label, Progress, StateId};
use rely_lts::equivalence::{Equivalence, Partition, partition};
use rely_lts::{Lts, LtsBuilder};
use rustc_hash::FxHashSet;

use crate::backwards::{reaching, sources};

/// A state of a product, and the state of the result that follows it, or what stands for giving up: one more than the
/// last state of the result.
type Pair = (StateId, u32);

/// What a result keeps of a product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keeps {
    /// All its traces.
    Traces,
    /// Those that can still fail.
    Failures,
}

/// The pairs that are reached when a result follows a product. Nothing if it cannot, which is a mistake in the program.
///
/// The result is deterministic without silent steps, or minimal modulo branching bisimilarity. Both have the same alphabet.
pub(super) fn pairs(
    product: &Lts,
    result: &Lts,
    keeps: Keeps,
    budget: &Budget<'_>,
) -> Result<Option<Vec<Pair>>, Exhausted> {
    let mut walk = Walk {
        product,
        result,
        has_failed: reaching_error(product, Label::is_tau),
        is_harmless: vec![false; product.state_count()],
        classes: None,
    };
    if keeps == Keeps::Failures {
        walk.is_harmless = reaching_error(product, |_| true).into_iter().map(|reaches| !reaches).collect();
    }
    if !result.is_deterministic() {
        walk.classes = Some(partition(&walk.side_by_side(), Equivalence::Branching, budget)?);
    }
    walk.run(budget)
}

/// Which states can reach the error state by steps of a kind; the error state does.
fn reaching_error(lts: &Lts, counts: impl Fn(Label) -> bool) -> Vec<bool> {
    let steps = lts.transitions().filter(|transition| counts(transition.label));
    let edges = steps.map(|transition| (transition.source, transition.target));
    reaching(&sources(lts.state_count(), edges), lts.error().into_iter())
}

struct Walk<'a> {
    product: &'a Lts,
    result: &'a Lts,
    /// By state of the product, whether it can fail silently: then the result has failed.
    has_failed: Vec<bool>,
    /// By state of the product, whether nothing can fail any more, where that matters.
    is_harmless: Vec<bool>,
    /// The classes of the states of the product and of the result, which come behind them; nothing where the result is
    /// deterministic.
    classes: Option<Partition>,
}

impl Walk<'_> {
    /// The product, as far as it can fail and has not, and the result.
    fn side_by_side(&self) -> Lts {
        let offset = self.product.state_count();
        let count = offset + self.result.state_count();
        let mut builder = LtsBuilder::with_states(self.product.alphabet().clone(), count);
        builder.set_initial(self.product.initial());
        let error = self.product.error().or(self.result.error().map(|error| self.behind(error)));
        builder.set_error(error);
        for transition in self.product.transitions() {
            let (source, target) = (transition.source, transition.target);
            if self.has_failed[source.index()] || self.is_harmless[target.index()] {
                continue;
            }
            let target = if self.has_failed[target.index()] { error.unwrap_or(target) } else { target };
            builder.add_transition(source, transition.label, target);
        }
        for transition in self.result.transitions() {
            let fails = Some(transition.target) == self.result.error();
            let target = error.filter(|_| fails).unwrap_or_else(|| self.behind(transition.target));
            builder.add_transition(self.behind(transition.source), transition.label, target);
        }
        builder.build()
    }

    /// A state of the result behind those of the product.
    fn behind(&self, state: StateId) -> StateId {
        StateId::from_index(self.product.state_count() + state.index())
    }

    fn run(&self, budget: &Budget<'_>) -> Result<Option<Vec<Pair>>, Exhausted> {
        let Some(first) = self.answer(self.product.initial(), [self.result.initial()]) else {
            return Ok(None);
        };
        let mut pairs: Vec<Pair> = first.into_iter().collect();
        let mut known: FxHashSet<Pair> = pairs.iter().copied().collect();
        let mut next = 0;
        while let Some(&(state, image)) = pairs.get(next) {
            next += 1;
            if next.is_multiple_of(Budget::INTERVAL) {
                let bytes = 2 * pairs.capacity() * size_of::<Pair>();
                budget.check(&Progress { states: pairs.len(), bytes, ..Progress::default() })?;
            }
            for edge in self.product.edges(state) {
                let Some(pair) = self.follow(image, edge.label, edge.target) else { return Ok(None) };
                pairs.extend(pair.filter(|&pair| known.insert(pair)));
            }
        }
        Ok(Some(pairs))
    }

    /// The pair after a step, which is none where the result has failed. Nothing if the result cannot follow.
    fn follow(&self, image: u32, label: Label, target: StateId) -> Option<Option<Pair>> {
        let edges = match image == self.given_up() {
            true => &[],
            false => self.result.edges_with(StateId::from_raw(image), label),
        };
        let stay = label.is_tau().then_some(StateId::from_raw(image));
        self.answer(target, stay.into_iter().chain(edges.iter().map(|edge| edge.target)))
    }

    /// The first of some states of the result that can follow a state of the product.
    fn answer(&self, state: StateId, among: impl IntoIterator<Item = StateId>) -> Option<Option<Pair>> {
        if self.is_harmless[state.index()] {
            return Some(Some((state, self.given_up())));
        }
        let mut among = among.into_iter();
        if self.has_failed[state.index()] {
            return among.any(|answer| self.result.error() == Some(answer)).then_some(None);
        }
        let is_like = |answer: &StateId| match &self.classes {
            None => true,
            Some(classes) => classes.equivalent(state, self.behind(*answer)),
        };
        let answer = among.find(is_like)?;
        Some((self.result.error() != Some(answer)).then_some((state, answer.raw())))
    }

    fn given_up(&self) -> u32 {
        u32::try_from(self.result.state_count()).expect("states are numbered with 32 bits")
    }
}
