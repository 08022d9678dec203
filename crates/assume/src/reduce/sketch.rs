//! From a reduction to a proof with assumptions.
//!
//! A reduction that ends well has shown that a goal cannot fail, but what it leaves behind is of no use for another
//! system. Yet after each composition of the goal with a piece, the goal stands for what the parts that have not been
//! composed yet must not do: its weakest assumption on them. So the assumptions of a chain are there already, and only
//! have to be written down: ⟨A₁⟩ M₁ ⟨G⟩, ⟨A₂⟩ M₂ ⟨A₁⟩, …, where Mᵢ is what was composed with the goal in its i-th
//! composition.
//!
//! It is a sketch and no proof. What a look at single actions has taken out of the pieces (`simplify.rs`) depends on
//! pieces that a premise does not speak about. Who uses it checks the premises ([`crate::check_again`]).

use rely_base::{Budget, Limits};

use super::Reduction;
use crate::weakest::{Variant, weakest};
use crate::{Assumption, Effort, Goal, Proof, Rule};

/// An assumption with more states than this is not worth remembering.
const LARGEST: usize = 20_000;

impl Reduction {
    /// A chain of assumptions that probably proves that the goal cannot fail, once the reduction has found that out.
    /// Nothing where the goal was composed with less than two pieces, or where an assumption would be large.
    pub fn sketch(&self, budget: &Budget<'_>) -> Option<Proof> {
        let mut groups: Vec<Vec<usize>> = self.absorbed.iter().map(|(parts, _)| parts.clone()).collect();
        let (_, last) = self.absorbed.last()?;
        let mut goals = self.absorbed.iter().map(|(_, goal)| goal).collect::<Vec<_>>();
        if last.error().is_none() {
            goals.pop();
        } else {
            // It was the others' refusing an action that decided.
            let rest: Vec<usize> = self.pieces[1..].iter().flat_map(|piece| piece.parts.clone()).collect();
            groups.push(rest);
        }
        groups.iter_mut().for_each(|group| group.sort_unstable());
        if groups.len() < 2 || groups.iter().any(Vec::is_empty) {
            return None;
        }
        let narrow = budget.narrowed(Limits { states: Some(LARGEST), bytes: None });
        let assumption = |goal: &&std::sync::Arc<rely_lts::Lts>| -> Option<Assumption> {
            let alphabet = goal.alphabet();
            let component = super::component(goal);
            let goal = Goal::property(component);
            // What this takes is not a step of the analysis.
            let mut aside = Effort::default();
            let (requirement, _) =
                weakest(&[], &goal, alphabet, Variant::Weakest, &narrow, &mut aside).ok()?;
            requirement.assumption(alphabet)
        };
        let assumptions = goals.iter().map(assumption).collect::<Option<Vec<_>>>()?;
        Some(Proof { rule: Rule::Chain, groups, assumptions })
    }
}
