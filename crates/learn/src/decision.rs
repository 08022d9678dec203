//! A tree of tests that distinguishes the states of a hypothesis.
//!
//! An inner node is a test: walk some letters, either from where the test before ended or from the state itself, and
//! go to one of two children by the answer. A leaf has at most one state. The tree also keeps the transitions that were
//! tested, each at the node where its tests ended; below that node there is exactly one state, the target.
//!
//! Invariant: two states in different leaves have different answers to the test where their paths part, and both
//! answers are known. A transition at a node has given the answers that lead there. So a transition with a single
//! state below it is known to lead to none of the other states; when a second state is put below the node, it has to
//! be tested further.

use rely_base::{ActionId, Id, StateId};

use crate::Word;
use crate::observation::NodeId;

rely_base::define_id! {
    /// A node of a tree of tests.
    TestId
}

/// A test: the letters to walk, and where to go for each answer.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// Whether to walk from the state itself instead of from where the test before ended.
    pub(crate) restart: bool,
    pub(crate) word: Word,
    /// Whether the test is a guess, not known to distinguish any states: then it is made only where it costs little.
    pub(crate) speculative: bool,
    /// The children for the answers no and yes.
    pub(crate) next: [TestId; 2],
}

/// The states below a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Below {
    Nothing,
    One(StateId),
    Many,
}

/// A transition under test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Member {
    pub(crate) from: StateId,
    pub(crate) letter: ActionId,
    /// The access word of its source with its letter.
    pub(crate) node: NodeId,
    /// Where the last test ended.
    pub(crate) at: NodeId,
}

/// A tree of tests.
pub(crate) struct Decisions {
    tests: Vec<Test>,
}

struct Test {
    parent: Option<TestId>,
    /// The information, in bits, of the answers that lead here.
    bits: f64,
    /// The test; a leaf has none.
    step: Option<Step>,
    below: Below,
    /// The transitions whose tests ended here.
    members: Vec<Member>,
}

impl Decisions {
    /// A tree that is a leaf.
    pub(crate) fn new() -> Self {
        let mut tree = Self { tests: Vec::new() };
        tree.push(None, 0.0);
        tree
    }

    pub(crate) fn root(&self) -> TestId {
        TestId::from_index(0)
    }

    /// The test at a node; nothing at a leaf.
    pub(crate) fn step(&self, test: TestId) -> Option<&Step> {
        self.tests[test.index()].step.as_ref()
    }

    /// The child of an inner node by an answer.
    pub(crate) fn child(&self, test: TestId, answer: bool) -> TestId {
        self.step(test).expect("only inner nodes have children").next[usize::from(answer)]
    }

    pub(crate) fn below(&self, test: TestId) -> Below {
        self.tests[test.index()].below
    }

    /// The information, in bits, of the answers that lead here.
    pub(crate) fn bits(&self, test: TestId) -> f64 {
        self.tests[test.index()].bits
    }

    /// Makes a leaf an inner node above two empty leaves. A state that was there is still counted as below, and has
    /// to be put into one of the leaves. `gains` is the information, in bits, of the answers no and yes.
    pub(crate) fn grow(&mut self, leaf: TestId, restart: bool, word: Word, gains: [f64; 2]) {
        debug_assert!(self.step(leaf).is_none(), "only leaves grow");
        let bits = self.bits(leaf);
        let next = gains.map(|gain| self.push(Some(leaf), bits + gain));
        self.tests[leaf.index()].step = Some(Step { restart, word, speculative: false, next });
    }

    /// Marks the test at an inner node as a guess.
    pub(crate) fn speculate(&mut self, test: TestId) {
        self.tests[test.index()].step.as_mut().expect("only inner nodes are tests").speculative = true;
    }

    /// Puts a state into a leaf that has none. Transitions with more than one state below them are taken out and
    /// returned, with the nodes where their tests continue.
    pub(crate) fn settle(&mut self, state: StateId, leaf: TestId) -> Vec<(TestId, Member)> {
        let mut ambiguous = Vec::new();
        let mut next = Some(leaf);
        while let Some(id) = next {
            let test = &mut self.tests[id.index()];
            match test.below {
                Below::Nothing => test.below = Below::One(state),
                Below::One(other) if other == state => {}
                Below::One(_) => {
                    test.below = Below::Many;
                    ambiguous
                        .extend(std::mem::take(&mut test.members).into_iter().map(|member| (id, member)));
                }
                Below::Many => break,
            }
            next = test.parent;
        }
        ambiguous
    }

    /// Keeps a transition at the node where its tests ended.
    pub(crate) fn keep(&mut self, test: TestId, member: Member) {
        self.tests[test.index()].members.push(member);
    }

    /// Takes a transition out of the node where it is kept.
    pub(crate) fn take(&mut self, test: TestId, from: StateId, letter: ActionId) -> Member {
        let members = &mut self.tests[test.index()].members;
        let place = members.iter().position(|member| member.from == from && member.letter == letter);
        members.swap_remove(place.expect("a transition is kept where its tests ended"))
    }

    fn push(&mut self, parent: Option<TestId>, bits: f64) -> TestId {
        self.tests.push(Test { parent, bits, step: None, below: Below::Nothing, members: Vec::new() });
        TestId::from_index(self.tests.len() - 1)
    }
}
