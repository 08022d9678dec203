//! Learning with a discrimination tree.
//!
//! Problem: find the minimal automaton of a teacher's language. Source: discrimination trees are from [Kearns &
//! Vazirani 1994]; keeping transitions in the leaves, from the observation packs of [Howar 2012]; adaptive
//! continuation of tests, from L# with adaptive distinguishing sequences [Vaandrager, Garhewal, Rot, Wißmann 2022].
//!
//! Idea: a state is an access word. Each of its transitions is *sifted* through a tree of tests ([`Decisions`]); if it
//! comes to a leaf without a state, it is a new state, otherwise it leads to the state there. A counterexample names a
//! transition whose target is wrong, and a word that shows it: the leaf of the target grows by this test.
//!
//! With a teacher that shows prefixes, a test need not end after its word. The *adaptive* learner continues a test
//! until it is confident that the leaf has only one state, and makes every letter a test: one query gives many
//! answers, and states are found before a counterexample is needed. Confidence is measured in bits of information:
//! with m known states, the answers on the way to a leaf should have log m + [`MARGIN`] bits, which leaves little
//! room for a second state in the leaf, and at least [`ENOUGH`] bits, since the number of states is not known in
//! advance. Guessed tests are made only in passing: if a transition would need a new query for them, it stays where
//! it is until a second state is found below.
//!
//! Invariants: those of [`Decisions`]; every state's access word is a transition of an earlier state, in breadth-first
//! order. Complexity: every conjecture adds a state, so there are at most n; at most kn² + n log m queries, about kn in
//! the best case. Callers: [`learn`](crate::learn).

use std::collections::VecDeque;

use rely_automata::Dfa;
use rely_base::{ActionId, Id, StateId};

use crate::counterexample::{WrongTransition, wrong_transition};
use crate::decision::{Below, Decisions, Member, TestId};
use crate::learner::Learner;
use crate::observation::{NodeId, Observations};
use crate::{Teacher, Word};

/// The bits that a leaf needs beyond the logarithm of the number of known states.
const MARGIN: f64 = 2.0;

/// The bits that a leaf needs at least, even if few states are known.
const ENOUGH: f64 = 8.0;

/// How far a test continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tests {
    /// To the end of its word.
    Fixed,
    /// Until the state is identified with confidence; needs a teacher that shows prefixes.
    Adaptive,
}

/// The learner.
pub(crate) struct DiscriminationTree {
    letters: usize,
    /// Whether tests continue adaptively.
    adaptive: bool,
    decisions: Decisions,
    states: Vec<State>,
    /// The node that keeps the transition of state `s` by letter `a` is at `s · letters + a`.
    targets: Vec<TestId>,
    /// Transitions that were not sifted yet, in the order of their sources.
    fresh: VecDeque<(StateId, ActionId)>,
    /// Transitions that have to be sifted further, and from which node on. They wait until no fresh ones are left,
    /// since by then more states may have been found, and one query may serve several of them.
    ambiguous: VecDeque<(TestId, Member)>,
}

/// A state of the hypothesis.
struct State {
    access: NodeId,
    leaf: TestId,
    /// Where the last test on the way to the leaf ended.
    at: NodeId,
}

impl DiscriminationTree {
    /// A learner that knows all transitions of the states that it can distinguish. A `start` gives it tests.
    pub(crate) fn new<T: Teacher>(
        letters: usize,
        tests: Tests,
        tree: &mut Observations<'_, T>,
        start: Option<&Dfa>,
    ) -> Result<Self, T::Stop> {
        let adaptive = tests == Tests::Adaptive && tree.shows_prefixes();
        let mut decisions = Decisions::new();
        decisions.grow(decisions.root(), true, Word::new(), [1.0; 2]);
        if let Some(start) = start {
            crate::warm::plant(&mut decisions, start, adaptive);
        }
        let mut learner = Self {
            letters,
            adaptive,
            decisions,
            states: Vec::new(),
            targets: Vec::new(),
            fresh: VecDeque::new(),
            ambiguous: VecDeque::new(),
        };
        let (node, root) = (tree.root(), learner.decisions.root());
        let (leaf, at) = learner.sift(tree, root, node, node)?;
        learner.promote(tree, leaf, node, at)?;
        learner.close(tree)?;
        Ok(learner)
    }

    /// Sifts all transitions that are waiting.
    fn close<T: Teacher>(&mut self, tree: &mut Observations<'_, T>) -> Result<(), T::Stop> {
        loop {
            if let Some((from, letter)) = self.fresh.pop_front() {
                let node = tree.step(self.states[from.index()].access, letter)?;
                let root = self.decisions.root();
                self.place(tree, root, Member { from, letter, node, at: node })?;
            } else if let Some((test, member)) = self.ambiguous.pop_front() {
                self.place(tree, test, member)?;
            } else {
                return Ok(());
            }
        }
    }

    /// Sifts a transition from a test on and keeps it where it ends; it becomes a new state if the leaf has none.
    fn place<T: Teacher>(
        &mut self,
        tree: &mut Observations<'_, T>,
        test: TestId,
        member: Member,
    ) -> Result<(), T::Stop> {
        let (mut test, mut at) = self.sift(tree, test, member.node, member.at)?;
        if let Below::One(resident) = self.decisions.below(test)
            && self.decisions.step(test).is_none()
            && self.goes_on(tree, self.decisions.bits(test), at)
        {
            (test, at) = self.deepen(tree, test, resident, at)?;
        }
        if self.decisions.below(test) == Below::Nothing {
            (test, at) = self.promote(tree, test, member.node, at)?;
        }
        self.decisions.keep(test, Member { at, ..member });
        self.targets[member.from.index() * self.letters + member.letter.index()] = test;
        Ok(())
    }

    /// Tests a word, given by its node, down to a leaf, or to a node with a single state below it if the tests from
    /// there on are guesses that would cost a query. Returns where the tests ended.
    fn sift<T: Teacher>(
        &self,
        tree: &mut Observations<'_, T>,
        mut test: TestId,
        node: NodeId,
        mut at: NodeId,
    ) -> Result<(TestId, NodeId), T::Stop> {
        while let Some(step) = self.decisions.step(test) {
            let from = if step.restart { node } else { at };
            if step.speculative && matches!(self.decisions.below(test), Below::One(_)) {
                let known = tree.peek_output(from, &step.word).is_some();
                if !known && (step.restart || !tree.is_tip(at)) {
                    break;
                }
            }
            at = tree.walk(from, &step.word)?;
            let answer = tree.output(at)?;
            test = self.decisions.child(test, answer);
        }
        Ok((test, at))
    }

    /// Makes a word a state, in a leaf that has none, and extends its run for more tests.
    fn promote<T: Teacher>(
        &mut self,
        tree: &mut Observations<'_, T>,
        mut leaf: TestId,
        access: NodeId,
        mut at: NodeId,
    ) -> Result<(TestId, NodeId), T::Stop> {
        let new = StateId::from_index(self.states.len());
        self.states.push(State { access, leaf, at });
        while self.goes_on(tree, self.decisions.bits(leaf), at) {
            let letter = self.guess(leaf.index());
            let gains = tree.surprise(at);
            at = tree.step(at, letter)?;
            self.decisions.grow(leaf, false, vec![letter], gains);
            self.decisions.speculate(leaf);
            leaf = self.decisions.child(leaf, tree.output(at)?);
        }
        self.settle(new, leaf, at);
        for letter in (0..self.letters).map(ActionId::from_index) {
            self.targets.push(leaf);
            self.fresh.push_back((new, letter));
        }
        Ok((leaf, at))
    }

    /// Continues a run that has come to a leaf with too little information. The state of the leaf follows, up to the
    /// first answer that distinguishes the two. Returns where the run ended.
    fn deepen<T: Teacher>(
        &mut self,
        tree: &mut Observations<'_, T>,
        leaf: TestId,
        resident: StateId,
        start: NodeId,
    ) -> Result<(TestId, NodeId), T::Stop> {
        let (mut word, mut end, mut bits) = (Word::new(), start, self.decisions.bits(leaf));
        while self.goes_on(tree, bits, end) {
            let letter = self.guess(leaf.index() + word.len());
            let gains = tree.surprise(end);
            end = tree.step(end, letter)?;
            bits += gains[usize::from(tree.output(end)?)];
            word.push(letter);
        }
        let old = self.states[resident.index()].at;
        let (tests, ends) = self.tell_apart(tree, leaf, [old, start], &word, false)?;
        self.settle(resident, tests[0], ends[0]);
        Ok((tests[1], ends[1]))
    }

    /// Makes each letter of a word a test below a leaf, up to the first one that distinguishes two nodes. Returns the
    /// leaves to which the two belong, and where their tests ended.
    fn tell_apart<T: Teacher>(
        &mut self,
        tree: &mut Observations<'_, T>,
        leaf: TestId,
        mut ends: [NodeId; 2],
        word: &[ActionId],
        restart: bool,
    ) -> Result<([TestId; 2], [NodeId; 2]), T::Stop> {
        let mut tests = [leaf; 2];
        for (i, &letter) in word.iter().enumerate() {
            let gains = tree.surprise(ends[0]);
            self.decisions.grow(tests[0], restart && i == 0, vec![letter], gains);
            if !restart {
                self.decisions.speculate(tests[0]);
            }
            let test = tests[0];
            for (test_of, end) in tests.iter_mut().zip(&mut ends) {
                *end = tree.step(*end, letter)?;
                *test_of = self.decisions.child(test, tree.output(*end)?);
            }
            if tests[0] != tests[1] {
                break;
            }
        }
        Ok((tests, ends))
    }

    /// Splits the leaf of a wrong target by the test that shows it, and finds the right target.
    fn split<T: Teacher>(
        &mut self,
        tree: &mut Observations<'_, T>,
        wrong: &WrongTransition,
    ) -> Result<(), T::Stop> {
        let kept = self.targets[wrong.state.index() * self.letters + wrong.letter.index()];
        let resident = self.target(kept);
        let State { access, leaf, .. } = self.states[resident.index()];
        let member = self.decisions.take(kept, wrong.state, wrong.letter);
        let (old_leaf, old_end) = if self.adaptive {
            let nodes = [access, member.node];
            let (tests, ends) = self.tell_apart(tree, leaf, nodes, &wrong.suffix, true)?;
            (tests[0], ends[0])
        } else {
            let end = tree.walk(access, &wrong.suffix)?;
            self.decisions.grow(leaf, true, wrong.suffix.clone(), [1.0; 2]);
            (self.decisions.child(leaf, tree.output(end)?), end)
        };
        self.settle(resident, old_leaf, old_end);
        // The guesses between here and the leaf are now worth a query, since they lead to a test that is known to be
        // needed.
        let mut test = kept;
        let mut at = member.at;
        while let Some(step) = self.decisions.step(test) {
            at = tree.walk(if step.restart { member.node } else { at }, &step.word)?;
            test = self.decisions.child(test, tree.output(at)?);
        }
        self.place(tree, test, Member { at, ..member })
    }

    /// Puts a state into a leaf, and queues the transitions that have to be sifted further because of it.
    fn settle(&mut self, state: StateId, leaf: TestId, at: NodeId) {
        self.ambiguous.extend(self.decisions.settle(state, leaf));
        let state = &mut self.states[state.index()];
        (state.leaf, state.at) = (leaf, at);
    }

    /// Whether a run whose answers have this number of bits should continue from here.
    fn goes_on<T: Teacher>(&self, tree: &Observations<'_, T>, bits: f64, at: NodeId) -> bool {
        let known = u32::try_from(self.states.len()).map_or(f64::MAX, f64::from);
        let wanted = (known.log2() + MARGIN).max(ENOUGH);
        self.adaptive && self.letters > 0 && bits < wanted && tree.is_tip(at) && !tree.seems_dead(at)
    }

    /// A letter for a guess. It varies with the place, so that runs do not stay in a loop.
    fn guess(&self, place: usize) -> ActionId {
        ActionId::from_index((place * 7 + 3) % 1009 % self.letters)
    }

    /// The only state below the node where a transition is kept.
    fn target(&self, kept: TestId) -> StateId {
        match self.decisions.below(kept) {
            Below::One(state) => state,
            Below::Nothing | Below::Many => unreachable!("a transition is kept above one state"),
        }
    }
}

impl<T: Teacher> Learner<T> for DiscriminationTree {
    fn hypothesis(&self, tree: &Observations<'_, T>) -> Dfa {
        let accepting = self.states.iter().map(|state| tree.known(state.access) == Some(true));
        let successors = self.targets.iter().map(|&kept| self.target(kept));
        Dfa::new(self.letters, StateId::from_index(0), accepting.collect(), successors.collect())
    }

    fn refine(
        &mut self,
        tree: &mut Observations<'_, T>,
        hypothesis: &Dfa,
        word: &[ActionId],
    ) -> Result<(), T::Stop> {
        let access: Vec<NodeId> = self.states.iter().map(|state| state.access).collect();
        let wrong = wrong_transition(tree, &access, hypothesis, word)?;
        self.split(tree, &wrong)?;
        self.close(tree)
    }
}
