//! What all learners have in common: hypotheses, counterexamples, and the loop between them.

use rely_automata::Dfa;
use rely_base::ActionId;

use crate::observation::Observations;
use crate::{Learned, Teacher};

/// A learner: it has a hypothesis, and learns from words on which it is wrong.
pub(crate) trait Learner<T: Teacher> {
    /// The hypothesis, made from what was observed. Different states have different access words and differ on some
    /// word that was observed.
    fn hypothesis(&self, tree: &Observations<'_, T>) -> Dfa;

    /// Learns from a word on which its hypothesis is wrong. The hypothesis has more states after this.
    fn refine(
        &mut self,
        tree: &mut Observations<'_, T>,
        hypothesis: &Dfa,
        word: &[ActionId],
    ) -> Result<(), T::Stop>;
}

/// Conjectures and refines until the teacher accepts.
///
/// A hypothesis that contradicts an observation is not conjectured: the observation is its counterexample. That saves
/// conjectures, which are expensive, and costs no queries.
pub(crate) fn until_accepted<T: Teacher>(
    mut tree: Observations<'_, T>,
    mut learner: impl Learner<T>,
) -> Result<Learned, T::Stop> {
    let mut hypothesis = learner.hypothesis(&tree);
    loop {
        while let Some(word) = tree.contradiction(&hypothesis) {
            learner.refine(&mut tree, &hypothesis, &word)?;
            hypothesis = learner.hypothesis(&tree);
        }
        let counterexamples = tree.conjecture(&hypothesis)?;
        if counterexamples.is_empty() {
            return Ok(Learned { hypothesis: hypothesis.minimise(), counts: tree.counts() });
        }
        let states = hypothesis.state_count();
        for word in &counterexamples {
            let root = tree.root();
            let answer = tree.output_after(root, word)?;
            if hypothesis.accepts(word) != answer {
                tree.count_counterexample();
            }
            while hypothesis.accepts(word) != answer {
                learner.refine(&mut tree, &hypothesis, word)?;
                hypothesis = learner.hypothesis(&tree);
            }
        }
        assert!(
            hypothesis.state_count() > states,
            "a teacher who does not accept a hypothesis gives a word on which it is wrong"
        );
    }
}
