//! Learning with a discrimination tree.
//!
//! Problem: find the minimal automaton of a teacher's language. Source: discrimination trees are from [Kearns & Vazirani
//! 1994]; that transitions live in the leaves, from the observation packs of [Howar 2012]; that tests walk on
//! adaptively, from L# with adaptive distinguishing sequences [Vaandrager, Garhewal, Rot, Wißmann 2022].
//!
//! Idea: a state is an access word. Each of its transitions is *sifted* through a tree of tests ([`Decisions`]); if it
//! comes to a leaf without a state, it is a new state, otherwise it leads to the state there. A counterexample names a
//! transition whose target is wrong, and a word that shows it: the leaf of the target grows by this test.
//!
//! With a teacher who shows prefixes, a test need not end after its word. The *adaptive* learner walks on as long as it
//! is not confident enough that all that comes this way is one state, and makes a test of every letter: one query gives
//! many answers, and states are found before a counterexample is needed. Confidence is counted in bits: the answers on
//! the way to a leaf are so many bits of information; with m states known, log m + [`MARGIN`] bits leave little room for
//! a second state in the leaf, and less than [`ENOUGH`] are never enough, since nobody knows how many states there will
//! be. Guessed tests are made only in passing: a transition of which they would need a new query stays where it is,
//! until a second state is found below.
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

/// So many bits more than it takes to number the known states make a leaf trustworthy.
const MARGIN: f64 = 2.0;

/// So many bits are wanted even if few states are known yet.
const ENOUGH: f64 = 8.0;

/// How far a test goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tests {
    /// To the end of its word.
    Fixed,
    /// As far as its answers make it worth while, with a teacher who shows prefixes.
    Adaptive,
}

/// The learner.
pub(crate) struct DiscriminationTree {
    letters: usize,
    /// Whether tests walk on.
    adaptive: bool,
    decisions: Decisions,
    states: Vec<State>,
    /// Where the transition of state `s` by letter `a` is kept is at `s · letters + a`.
    targets: Vec<TestId>,
    /// Transitions that were not sifted yet, in the order of their sources.
    fresh: VecDeque<(StateId, ActionId)>,
    /// Transitions that have to be sifted further, and from where. They wait until there is nothing fresh left, because
    /// more states may be found until then, and one query may do for all of them.
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
    /// A learner that knows all transitions of the states that it can tell apart. A `start` gives it tests.
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

    /// Sifts a transition from a test on and keeps it where it ends, as a new state if nothing like it is known.
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

    /// Tests a word, given by its node, down to a leaf, or to a single state from which on tests are only guesses that
    /// would cost a query. Returns where the tests ended.
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

    /// Makes a word a state, in a leaf that has none, and walks on for more tests of it.
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

    /// A run has come to a leaf, of which too little is known to trust it: walks on, and lets the state that lives there
    /// follow, up to the first answer that tells them apart. Returns where the run ended.
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

    /// Makes each letter of a word a test below a leaf, up to the first one that tells two nodes apart. Returns the
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

    /// Lets the leaf of a wrong target grow by the test that shows it, and finds the right target.
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
        // The guesses between here and the leaf are now worth a query: they lead to the test that is known to help.
        let mut test = kept;
        let mut at = member.at;
        while let Some(step) = self.decisions.step(test) {
            at = tree.walk(if step.restart { member.node } else { at }, &step.word)?;
            test = self.decisions.child(test, tree.output(at)?);
        }
        self.place(tree, test, Member { at, ..member })
    }

    /// Puts a state into a leaf; what has to be sifted further because of it will be.
    fn settle(&mut self, state: StateId, leaf: TestId, at: NodeId) {
        self.ambiguous.extend(self.decisions.settle(state, leaf));
        let state = &mut self.states[state.index()];
        (state.leaf, state.at) = (leaf, at);
    }

    /// Whether a run that has shown so many bits should walk on from here.
    fn goes_on<T: Teacher>(&self, tree: &Observations<'_, T>, bits: f64, at: NodeId) -> bool {
        let known = u32::try_from(self.states.len()).map_or(f64::MAX, f64::from);
        let wanted = (known.log2() + MARGIN).max(ENOUGH);
        self.adaptive && self.letters > 0 && bits < wanted && tree.is_tip(at) && !tree.seems_dead(at)
    }

    /// A letter to guess with. Any will do; that different places get different ones keeps runs from staying in a loop.
    fn guess(&self, place: usize) -> ActionId {
        ActionId::from_index((place * 7 + 3) % 1009 % self.letters)
    }

    /// The one state below the node where a transition is kept.
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
