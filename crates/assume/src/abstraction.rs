//! Assumptions that are abstractions of what the groups that follow do.
//!
//! **Problem.** Find an assumption that the groups that follow guarantee by its very construction, and that is no larger
//! than they are.
//!
//! **Source.** Assume-guarantee abstraction refinement [Gheorghiu Bobaru, Păsăreanu, Giannakopoulou 2008].
//!
//! **Idea.** The assumption is a quotient of the groups that follow: states are put together in blocks, at first all in
//! one, and a block can do what one of its states can. So it allows whatever they do. If the goal fails within it, the
//! failure is followed through the real states. If these can follow to the end, there is a conflict; otherwise there is
//! a block in which the states that were reached are not those that can go on, and it is split between the two.
//!
//! **Invariants.** The quotient contains the language of the groups that follow. Blocks are never empty: there are at
//! most as many as states.
//!
//! **Termination and cost.** Every failure that is no conflict splits a block. The product of the groups that follow is
//! built; it is reduced before it is put into blocks.
//!
//! **Deviations.** The quotient is not deterministic, and silent steps remain in it, while assumptions are deterministic
//! so that anybody can check what they forbid. It is determinised at the end, after everything has been found out, and
//! then minimised. Where that makes it larger than the groups that follow, their own language is the assumption if it is
//! smaller; and where it takes too much, an assumption is learned.
//!
//! **Callers.** `chain.rs`, for [`crate::Method::Abstract`].

use std::ops::ControlFlow;
use std::sync::Arc;

use rely_base::{Alphabet, Budget, Exhausted, Id, Label, Limits, StateId};
use rely_explore::{Product, Search, Visitor, generate};
use rely_learn::Algorithm;
use rely_lts::equivalence::{Equivalence, determinise, minimise};
use rely_lts::{Component, Lts, LtsBuilder, Network, Transition};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::chain::{Assumed, Chain, HARVEST};
use crate::premise::{failures, projected};
use crate::realise::only_sequence;
use crate::{Assumption, Effort, Goal};

/// The most sets of blocks that a determinisation may make.
const MOST_SETS: usize = 5_000;

impl Chain<'_> {
    /// Looks for an assumption over an alphabet among the abstractions of the groups that follow.
    pub(crate) fn abstract_environment(
        &mut self,
        position: usize,
        goal: &Goal,
        alphabet: &Alphabet,
    ) -> Result<Assumed, Exhausted> {
        let network = Network::new(self.environment(position)).with_hidden(|name| !alphabet.contains(name));
        let product = generate(&network, self.budget)?;
        self.effort.held(product.state_count());
        let concrete = minimise(&product, Equivalence::Branching, self.budget)?;
        drop(product);
        let mut abstraction = Abstraction::new(&concrete, alphabet);
        loop {
            self.effort.conjectures += 1;
            let quotient = Component { name: "A".to_owned(), lts: Arc::new(abstraction.quotient()) };
            let members = self.group(position).iter().chain(&goal.components).cloned();
            let components = [quotient].into_iter().chain(members).collect();
            let found = failures(components, HARVEST, self.budget, &mut self.effort)?;
            if found.is_empty() {
                break;
            }
            for sequence in &found {
                let shown = projected(sequence, alphabet);
                if !abstraction.excludes(&shown, self.budget, &mut self.effort)? {
                    return Ok(Assumed::Conflict(self.showing(position, alphabet, &shown)?));
                }
            }
        }
        match self.deterministic(&abstraction)? {
            Some(assumption) => self.guaranteed(position, assumption),
            None => self.learn(position, goal, alphabet, Algorithm::default(), usize::MAX),
        }
    }

    /// The language of an abstraction as an assumption, or that of the system itself if that is smaller and would be
    /// larger than the system otherwise; nothing if it takes too much.
    fn deterministic(&mut self, abstraction: &Abstraction) -> Result<Option<Assumption>, Exhausted> {
        let Some(found) = self.determinised(&abstraction.quotient())? else { return Ok(None) };
        if found.state_count() <= abstraction.concrete.state_count() {
            return Ok(Some(found));
        }
        let own = self.determinised(&abstraction.concrete)?;
        Ok(Some(own.filter(|own| own.state_count() < found.state_count()).unwrap_or(found)))
    }

    fn determinised(&mut self, lts: &Lts) -> Result<Option<Assumption>, Exhausted> {
        let limits = Limits { states: Some(MOST_SETS), bytes: None };
        match determinise(lts, &self.budget.narrowed(limits)) {
            Ok(deterministic) => {
                self.effort.held(deterministic.state_count());
                Ok(Some(Assumption::new(deterministic).minimised()))
            }
            Err(exhausted) => {
                self.effort.held(exhausted.states);
                // Was it the limit of this step, or that of the whole analysis?
                let is_own = exhausted.states > MOST_SETS && self.budget.max_states() > exhausted.states;
                if is_own { Ok(None) } else { Err(exhausted) }
            }
        }
    }
}

/// A system, and a partition of its states into blocks.
struct Abstraction {
    /// The system, which cannot fail or end as far as its abstraction is concerned.
    concrete: Lts,
    /// The block of each state.
    block_of: Vec<StateId>,
    block_count: usize,
}

impl Abstraction {
    /// All states of a system in one block. The system has no actions but those of the alphabet.
    fn new(lts: &Lts, alphabet: &Alphabet) -> Self {
        let mut builder = LtsBuilder::with_states(alphabet.clone(), lts.state_count());
        builder.set_initial(lts.initial());
        let own = |action| alphabet.get(lts.alphabet().name(action)).expect("all other actions are hidden");
        for Transition { source, label, target } in lts.transitions() {
            let label = label.action().map_or(Label::TAU, |action| Label::visible(own(action)));
            builder.add_transition(source, label, target);
        }
        let only = StateId::from_index(0);
        let block_of = vec![only; lts.state_count()];
        Self { concrete: builder.build(), block_of, block_count: 1 }
    }

    fn block(&self, state: StateId) -> StateId {
        self.block_of[state.index()]
    }

    /// The system of the blocks. Silent steps within a block are left out.
    fn quotient(&self) -> Lts {
        let mut builder = LtsBuilder::with_states(self.concrete.alphabet().clone(), self.block_count);
        builder.set_initial(self.block(self.concrete.initial()));
        for Transition { source, label, target } in self.concrete.transitions() {
            let (from, to) = (self.block(source), self.block(target));
            if from != to || !label.is_tau() {
                builder.add_transition(from, label, to);
            }
        }
        builder.build()
    }

    /// Splits blocks until the quotient does not have the word any more; false if the system itself has it.
    fn excludes(
        &mut self,
        word: &[String],
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Result<bool, Exhausted> {
        while let Some(path) = self.path(word, budget, effort)? {
            let Some(stuck) = self.first_that_cannot_follow(&path) else { return Ok(false) };
            self.split(path[stuck]);
        }
        Ok(true)
    }

    /// A shortest way of the quotient with a word.
    fn path(
        &self,
        word: &[String],
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Result<Option<Vec<Transition>>, Exhausted> {
        let quotient = Component { name: "A".to_owned(), lts: Arc::new(self.quotient()) };
        let network = Network::new(vec![quotient, only_sequence(word, self.concrete.alphabet())]);
        let product = Product::transparent(&network);
        let mut search = Search::new(&product);
        let mut visitor = HasRead { product: &product, word: StateId::from_index(word.len()), found: None };
        let outcome = search.run(budget, &mut visitor);
        effort.held(search.states().len());
        let Some(found) = visitor.found else {
            outcome?;
            return Ok(None);
        };
        let own = |name: &str| self.concrete.alphabet().get(name).expect("both have the same alphabet");
        let mut source = self.block(self.concrete.initial());
        let mut path = Vec::new();
        for step in search.try_trace_to(found, budget)? {
            let action = step.label.action();
            let label =
                action.map_or(Label::TAU, |action| Label::visible(own(network.alphabet().name(action))));
            let target = product.unpack(search.states().get(step.target))[0];
            path.push(Transition { source, label, target });
            source = target;
        }
        Ok(Some(path))
    }

    /// The first step of a way that no state can take that is reached by following the steps before; nothing if the
    /// system can follow to the end.
    fn first_that_cannot_follow(&self, path: &[Transition]) -> Option<usize> {
        let mut reached = self.closed(vec![self.concrete.initial()]);
        for (i, step) in path.iter().enumerate() {
            let edges = reached.iter().flat_map(|&state| self.concrete.edges_with(state, step.label));
            let targets = edges.map(|edge| edge.target).filter(|&target| self.block(target) == step.target);
            reached = self.closed(targets.collect());
            if reached.is_empty() {
                return Some(i);
            }
        }
        None
    }

    /// What is reached silently within a block from some states of it, these included.
    fn closed(&self, states: Vec<StateId>) -> Vec<StateId> {
        let mut is_reached = FxHashSet::default();
        let mut reached: Vec<StateId> =
            states.into_iter().filter(|&state| is_reached.insert(state)).collect();
        let mut next = 0;
        while let Some(&state) = reached.get(next) {
            next += 1;
            let silent = self.concrete.silent_edges(state).iter().map(|edge| edge.target);
            let inside = silent.filter(|&target| self.block(target) == self.block(state));
            reached.extend(inside.filter(|&target| is_reached.insert(target)));
        }
        reached
    }

    /// Splits the block of a step between the states that can take it and those that cannot. It is a step that none of
    /// the states takes that are reached within the block, and some other state does: neither part is empty.
    fn split(&mut self, step: Transition) {
        let able = self.able(step);
        let block = StateId::from_index(self.block_count);
        for state in able {
            self.block_of[state.index()] = block;
        }
        self.block_count += 1;
        debug_assert!(self.block_of.contains(&step.source) && self.block_of.contains(&block));
    }

    /// The states of a block that can take a step, at once or after silent steps within the block: to tell these apart as
    /// well would be of no use, and takes many more blocks.
    fn able(&self, step: Transition) -> Vec<StateId> {
        let members = || self.concrete.states().filter(|&state| self.block(state) == step.source);
        let mut silent_before: FxHashMap<StateId, Vec<StateId>> = FxHashMap::default();
        for source in members() {
            for edge in self.concrete.silent_edges(source) {
                silent_before.entry(edge.target).or_default().push(source);
            }
        }
        let takes = |&state: &StateId| {
            let mut edges = self.concrete.edges_with(state, step.label).iter();
            edges.any(|edge| self.block(edge.target) == step.target)
        };
        let mut able: Vec<StateId> = members().filter(takes).collect();
        let mut is_able: FxHashSet<StateId> = able.iter().copied().collect();
        let mut next = 0;
        while let Some(state) = able.get(next) {
            next += 1;
            let sources = silent_before.get(state).into_iter().flatten().copied();
            able.extend(sources.filter(|&source| is_able.insert(source)));
        }
        able
    }
}

/// Ends a search where all of a word has been read.
struct HasRead<'p> {
    product: &'p Product<'p>,
    /// The state of the second component when it has been read.
    word: StateId,
    found: Option<StateId>,
}

impl Visitor for HasRead<'_> {
    fn discovered(&mut self, state: StateId, words: &[u64]) {
        if self.found.is_none() && self.product.unpack(words)[1] == self.word {
            self.found = Some(state);
        }
    }

    fn expanded(&mut self, _state: StateId, _words: &[u64], _transitions: usize) -> ControlFlow<()> {
        if self.found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
