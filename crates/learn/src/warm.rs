//! Tests from an automaton of a similar language, to begin learning with.
//!
//! Problem: an assumption is learned again after a component or its interface has changed a little; most of what was
//! learned is still right. Source: reusing tests is adaptive learning [Groce, Peled, Yannakakis 2002]; matching the
//! states of an old automaton with those found, the adaptive L# of [Kruger, Junges, Rot 2024]. Idea: make the tree of
//! tests that distinguishes the states of the old automaton, without any states in it. Transitions that end in
//! different leaves lead to different states, whatever the language is; if it is the old one, all states are found
//! without a counterexample. Invariant: only questions are taken over, no answers: a start from an unrelated
//! automaton costs queries, but does not change the result. Complexity: n searches for a separating word, kn each.
//! Callers: the learners.

use rely_automata::Dfa;
use rely_base::StateId;

use crate::Word;
use crate::decision::{Decisions, TestId};

/// Extends the leaves below the first test, the empty word, by tests that distinguish the states of an automaton.
pub(crate) fn plant(decisions: &mut Decisions, start: &Dfa, adaptive: bool) {
    let start = start.minimise();
    let (accepting, others): (Vec<StateId>, _) = start.states().partition(|&state| start.is_accepting(state));
    let root = decisions.root();
    let mut work = vec![(decisions.child(root, true), accepting), (decisions.child(root, false), others)];
    while let Some((leaf, states)) = work.pop() {
        let [first, .., last] = states[..] else { continue };
        let word = start.separating_word(first, &start, last).expect("states of a minimal automaton differ");
        // The separating word is a shortest one, so its proper prefixes do not separate the two states: they stay
        // together up to the end, while others may leave them earlier.
        let (mut test, mut together) = (leaf, states);
        let prefixes = if adaptive { 1..=word.len() } else { word.len()..=word.len() };
        for end in prefixes {
            let step = if adaptive { vec![word[end - 1]] } else { word.clone() };
            let (branches, parts) = branch(decisions, &start, test, &together, (&word[..end], step));
            let answer = start.is_accepting(start.run(first, &word[..end]));
            let [no, yes] = parts;
            let (stay, leave) = if answer { (yes, no) } else { (no, yes) };
            work.push((branches[usize::from(!answer)], leave));
            (test, together) = (branches[usize::from(answer)], stay);
        }
        work.push((test, together));
    }
}

/// Extends a leaf by one test: a prefix of a separating word, of which `step` are the letters still to walk.
fn branch(
    decisions: &mut Decisions,
    start: &Dfa,
    leaf: TestId,
    states: &[StateId],
    (prefix, step): (&[rely_base::ActionId], Word),
) -> ([TestId; 2], [Vec<StateId>; 2]) {
    let restart = step.len() == prefix.len();
    decisions.grow(leaf, restart, step, [1.0; 2]);
    let (yes, no) = states.iter().partition(|&&state| start.is_accepting(start.run(state, prefix)));
    ([decisions.child(leaf, false), decisions.child(leaf, true)], [no, yes])
}

/// The separating words of the tests, for learners without a tree: any two states of the automaton differ on one of
/// them.
pub(crate) fn separating_words(start: &Dfa) -> Vec<Word> {
    let mut decisions = Decisions::new();
    decisions.grow(decisions.root(), true, Word::new(), [1.0; 2]);
    plant(&mut decisions, start, false);
    let mut words = Vec::new();
    let mut stack = vec![decisions.root()];
    while let Some(test) = stack.pop() {
        if let Some(step) = decisions.step(test) {
            words.push(step.word.clone());
            stack.extend(step.next);
        }
    }
    words.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    words.dedup();
    words
}
