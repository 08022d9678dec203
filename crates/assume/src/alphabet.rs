//! Over which actions an assumption is looked for.
//!
//! **Problem.** An assumption may speak about all of the interface of its group, but often a few actions are enough, and
//! an assumption that speaks about them only is smaller and easier to find.
//!
//! **Source.** [Gheorghiu, Giannakopoulou, Păsăreanu 2007]; the forward heuristic is theirs.
//!
//! **Idea.** Begin with the actions of the interface that the goal has, too. What is not in the alphabet is not seen, so
//! there may be a *conflict* that is none: what the groups that follow do, and what must not be done, look the same. Then
//! the two sequences are compared over the whole interface, and the actions by which they differ first are added.
//!
//! **Invariants.** An assumption over a part of the interface proves what it proves: rules are sound with any alphabet.
//! A conflict is believed only if it is one over the whole interface.
//!
//! **Termination.** Every conflict that is none adds an action; over the whole interface there are none of these.
//!
//! **Deviations.** With fewer actions, an assumption can have *more* states: what was seen has to be guessed. So in the
//! end the assumption over the whole interface is learned as well, as long as it has fewer states than the one that was
//! found. Learners never have more states than the weakest assumption: the result has at most as many.
//!
//! **Callers.** `chain.rs`.

use rely_base::{Alphabet, Exhausted};
use rely_learn::Algorithm;

use crate::chain::{Assumed, Chain, Solved};
use crate::premise::projected;
use crate::{Assumption, Goal};

/// Over which actions assumptions are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Alphabets {
    /// The whole interface.
    #[default]
    Whole,
    /// At first those that the goal has, then more as they are needed.
    Refined,
}

impl Alphabets {
    /// The alphabet to begin with.
    fn first(self, goal: &Goal, interface: &Alphabet) -> Alphabet {
        match self {
            Self::Whole => interface.clone(),
            Self::Refined => {
                let goal = goal.alphabet();
                interface.names().filter(|name| goal.contains(name)).collect()
            }
        }
    }
}

impl Chain<'_> {
    /// Looks for assumptions from a position on, whose interface is given.
    pub(crate) fn assume_over_some(
        &mut self,
        position: usize,
        goal: &Goal,
        interface: &Alphabet,
    ) -> Result<Solved, Exhausted> {
        let mut alphabet = self.alphabets.first(goal, interface);
        loop {
            let is_whole = alphabet.len() == interface.len();
            let conflict = match self.assume(position, goal, &alphabet)? {
                Assumed::Proved(found) if is_whole => return Ok(Solved::Proved(found)),
                Assumed::Proved(found) => {
                    return Ok(Solved::Proved(self.or_smaller(position, goal, interface, found)));
                }
                Assumed::Conflict(sequence) => sequence,
                Assumed::Larger => unreachable!("there is no limit to the size of the assumption"),
            };
            if let Some(failure) = self.extended(position, goal, interface, &conflict)? {
                return Ok(Solved::Refuted(vec![failure]));
            }
            assert!(!is_whole, "over the whole interface, every conflict is one");
            alphabet = self.widened(position, goal, interface, &alphabet, &conflict)?;
        }
    }

    /// The alphabet with the actions that show that a conflict is none.
    fn widened(
        &mut self,
        position: usize,
        goal: &Goal,
        interface: &Alphabet,
        alphabet: &Alphabet,
        conflict: &[String],
    ) -> Result<Alphabet, Exhausted> {
        let failure = self.failure(position, goal, alphabet, &projected(conflict, alphabet))?;
        let failing = projected(&failure.expect("over this alphabet there is a conflict"), interface);
        let harmless = projected(conflict, interface);
        // Where neither has an action that is seen more than the other, they differ by one that is not seen.
        let at = (0..).find(|&i| failing.get(i) != harmless.get(i)).expect("sequences end");
        let differing = [failing.get(at), harmless.get(at)];
        let is_wanted = |name: &&str| {
            alphabet.contains(name) || differing.into_iter().flatten().any(|differing| differing == name)
        };
        let wider: Alphabet = interface.names().filter(is_wanted).collect();
        assert!(wider.len() > alphabet.len(), "sequences that look the same differ in what is not seen");
        Ok(wider)
    }

    /// The assumptions that have been found, or others of which the first one is over the whole interface and smaller.
    fn or_smaller(
        &mut self,
        position: usize,
        goal: &Goal,
        interface: &Alphabet,
        found: Vec<Assumption>,
    ) -> Vec<Assumption> {
        let size = found[0].state_count();
        match self.learn(position, goal, interface, Algorithm::default(), size) {
            Ok(Assumed::Proved(smaller)) => smaller,
            Ok(Assumed::Larger | Assumed::Conflict(_)) => found,
            // There is an answer, even if it may not be the smallest.
            Err(exhausted) => {
                self.effort.held(exhausted.states);
                found
            }
        }
    }
}
