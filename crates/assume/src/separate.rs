//! Separating assumptions: as few states as possible.
//!
//! **Problem.** Of an assumption A of a group M and a goal G, with the groups N that follow, it is only needed that it
//! allows what N does and nothing by which M ‖ G may fail: L(N) ⊆ L(A), and L(A) is disjoint from the failures. The
//! weakest assumption is one, and seldom the smallest.
//!
//! **Source.** [Chen et al. 2009] and [Gupta, McMillan, Fu 2007].
//!
//! **Idea.** The learner of `rely_learn::learn_separator` with a teacher who follows a word through N and through M ‖ G at
//! the same time: words of N have to be accepted, failures rejected, and all else is open. The counterexamples are those
//! of the teacher in `chain.rs`, who also finds conflicts: a word that has to be both accepted and rejected is rejected
//! until N breaks the assumption by it.
//!
//! **Invariants.** The result has as few states as any assumption over the alphabet that proves the problem.
//!
//! **Cost.** As in `separating.rs` of the crate `learn`. Where that is more than [`PATIENCE`], an assumption is learned
//! in the usual way, and is at most as large as the weakest one.
//!
//! **Callers.** `chain.rs`, for [`crate::Method::Separate`].

use rely_automata::{Dfa, Mark, Patience};
use rely_base::{ActionId, Alphabet, Exhausted};
use rely_explore::{Belief, Product, Subsets};
use rely_learn::{Algorithm, SeparationTeacher, Teacher, Word, learn_separator};
use rely_lts::Network;

use crate::Goal;
use crate::chain::{Assumed, Chain, ChainTeacher, Stop, letters_of};
use crate::premise::Sequence;

/// How much the search for a smallest assumption may take before something else is done.
const PATIENCE: Patience = Patience { states: 24, clauses: 1_000_000, conflicts: 50_000 };

impl Chain<'_> {
    /// Looks for a smallest assumption over an alphabet.
    pub(crate) fn separate(
        &mut self,
        position: usize,
        goal: &Goal,
        alphabet: &Alphabet,
    ) -> Result<Assumed, Exhausted> {
        let (inside, outside) = (self.with_goal(position, goal), Network::new(self.environment(position)));
        let (inside_product, outside_product) =
            (Product::transparent(&inside), Product::transparent(&outside));
        let mut failing = Subsets::new(&inside_product, letters_of(&inside, alphabet));
        let mut following = Subsets::new(&outside_product, letters_of(&outside, alphabet));
        let start = (following.initial(self.budget)?, failing.initial(self.budget)?);
        if start.1 == Belief::Error {
            return Ok(Assumed::Conflict(Sequence::new()));
        }
        let budget = self.budget;
        let chain = ChainTeacher {
            chain: self,
            position,
            goal,
            alphabet,
            subsets: failing,
            start: start.1,
            less_than: usize::MAX,
            proved: Vec::new(),
            last: None,
            held: 0,
        };
        let mut teacher = Between { chain, following, start, places: 1 };
        let learned = learn_separator(alphabet.len(), &mut teacher, PATIENCE, budget);
        let Between { chain: ChainTeacher { subsets: failing, proved, .. }, following, places, .. } = teacher;
        let sizes = [&failing, &following].map(|subsets| subsets.state_count().max(subsets.subset_count()));
        self.effort.held(sizes[0].max(sizes[1]).max(places));
        match learned {
            Ok(Some(_)) => Ok(Assumed::Proved(proved)),
            Ok(None) => self.learn(position, goal, alphabet, Algorithm::default(), usize::MAX),
            Err(stop) => stop.into_assumed(),
        }
    }
}

/// Teaches which words an assumption has to accept and which to reject, and accepts any with which the whole chain is
/// proved.
struct Between<'c, 'a, 'g, 's> {
    /// The group and the goal, and the counterexamples.
    chain: ChainTeacher<'c, 'a, 'g, 's>,
    /// What the groups that follow may do after a word.
    following: Subsets<'s, Product<'s>>,
    start: (Belief, Belief),
    /// How many places the learner has come to.
    places: usize,
}

impl SeparationTeacher for Between<'_, '_, '_, '_> {
    /// What is known of the groups that follow, and of the group with the goal.
    type Place = (Belief, Belief);
    type Stop = Stop;

    fn start(&mut self) -> Result<Self::Place, Stop> {
        Ok(self.start)
    }

    fn step(&mut self, from: &Self::Place, letter: ActionId) -> Result<Self::Place, Stop> {
        let budget = self.chain.chain.budget;
        let following = self.following.step(from.0, letter, budget)?;
        Ok((following, self.chain.subsets.step(from.1, letter, budget)?))
    }

    fn mark(&mut self, place: &Self::Place) -> Result<Mark, Stop> {
        self.places += 1;
        let Chain { effort, most_words, .. } = &mut *self.chain.chain;
        effort.asked(*most_words)?;
        Ok(match place {
            (_, Belief::Error) => Mark::Rejected,
            (following, _) if self.following.is_impossible(*following) => Mark::Open,
            _ => Mark::Accepted,
        })
    }

    fn conjecture(&mut self, hypothesis: &Dfa) -> Result<Vec<Word>, Stop> {
        self.chain.conjecture(hypothesis)
    }
}
