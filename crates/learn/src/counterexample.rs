//! Where a hypothesis goes wrong: the analysis of counterexamples of [Rivest & Schapire 1993].
//!
//! Problem: a word is accepted by the hypothesis and not in the language, or the other way round; find one transition of
//! the hypothesis that leads to the wrong state, and a word that shows it. Idea: replace the first `i` letters of the
//! word by the access word of the state that the hypothesis reaches with them. For `i = 0` the answer is that of the
//! language, at the end it is that of the hypothesis; somewhere between, one more letter changes the answer: there the
//! transition is wrong, and the rest of the word shows it. Invariant: the answers at the two ends of the interval
//! differ. Complexity: 2 log m questions for a word of m letters.
//!
//! We deviate in the order of the questions. First the answers that the tree already has narrow the interval, at no
//! cost. Then the search begins at the end of the word, with strides that double, and bisects the last stride: the
//! rest of the word becomes a test that is asked often, and a short test costs less. Callers: all learners.

use rely_automata::Dfa;
use rely_base::{ActionId, Id, StateId};

use crate::observation::{NodeId, Observations};
use crate::{Teacher, Word};

/// The tree is searched for known answers at this number of places from the end of the word, before a question is
/// asked.
const LOOK_BACK: usize = 32;

/// A transition of a hypothesis that is wrong: from `state` by `letter` does not lead where the hypothesis says, since
/// `suffix` has different answers after the transition and after the access word of its target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WrongTransition {
    pub(crate) state: StateId,
    pub(crate) letter: ActionId,
    pub(crate) suffix: Word,
}

/// Finds a wrong transition with a counterexample: a word whose answer is not that of the hypothesis. `access` has the
/// access words of the hypothesis' states, whose answers are those of the hypothesis.
pub(crate) fn wrong_transition<T: Teacher>(
    tree: &mut Observations<'_, T>,
    access: &[NodeId],
    hypothesis: &Dfa,
    word: &[ActionId],
) -> Result<WrongTransition, T::Stop> {
    let mut states = vec![hypothesis.initial()];
    for &letter in word {
        states.push(hypothesis.step(states[states.len() - 1], letter));
    }
    let node = |i: usize| access[states[i].index()];
    let claimed = hypothesis.accepts(word);
    // At `low` the answer is that of the language, at `high` that of the hypothesis.
    let (mut low, mut high) = (0, word.len());
    for i in (1..word.len()).rev().take(LOOK_BACK) {
        match tree.peek_output(node(i), &word[i..]) {
            Some(answer) if answer != claimed => {
                low = i;
                break;
            }
            Some(_) => high = i,
            None => {}
        }
    }
    let mut stride = 1;
    while high - low > 1 {
        let middle = if stride < high - low { high - stride } else { low.midpoint(high) };
        if tree.output_after(node(middle), &word[middle..])? == claimed {
            high = middle;
            stride = stride.saturating_mul(2);
        } else {
            low = middle;
            stride = usize::MAX;
        }
    }
    Ok(WrongTransition { state: states[low], letter: word[low], suffix: word[high..].to_vec() })
}
