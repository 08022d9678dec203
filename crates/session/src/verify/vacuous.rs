//! Why an answer may not mean what was wanted: an action of a property that no part has, and properties that hold without
//! being put to the test.
//!
//! `check` sees what occurs while it searches the product. A strategy that avoids the product does not, so that the
//! question is asked afterwards, among the first few thousand states, so that it never takes much longer than the answer.
//! What cannot be known within that is not said: a property that nothing exercises in a large product may go unnoticed,
//! and nothing is ever called vacuous that is not.

use rely_base::{Budget, Limits};
use rely_decide::{Vacuity, inactive};
use rely_lts::{ComponentId, Network};

use super::questions::{Question, Questions};
use crate::check::warning;
use crate::doubts::{Fate, Names, of_untested};
use crate::goals::ERROR;
use crate::parts::ids;
use crate::report::{Kind, Verdict, VerifyResult};

/// At most this many states are looked at.
const FEW: usize = 1 << 12;

impl Questions {
    /// Why an answer may say less, or something else, than it seems to.
    pub(super) fn vacuity(
        &self,
        question: &Question,
        result: &VerifyResult,
        budget: &Budget<'_>,
    ) -> Vec<String> {
        let is_about_parts = question.name == ERROR;
        let free = if is_about_parts { Free::default() } else { Free::of(question) };
        let is_free = free.names(question).warning(&free.actions, Fate::Free);
        if result.verdict != Verdict::Holds || free.is_all {
            return is_free.into_iter().collect();
        }
        // With priority nobody can be left out.
        let network = match self.network.priority() {
            Some(_) => self.closed(question),
            None => question.problem.cone().problem.network(),
        };
        let parts = network.components().len() - question.problem.goal.components.len();
        let goal: Vec<ComponentId> = ids(&network).skip(parts).collect();
        let narrow = budget.narrowed(Limits { states: Some(FEW), bytes: None });
        let inactive = inactive(&network, &goal, &narrow);
        let vacuous: Vec<String> =
            inactive.into_iter().filter_map(|id| said(&network, id, is_about_parts)).collect();
        if !vacuous.is_empty() {
            // With priority, what is free may never be allowed to occur.
            return vacuous;
        }
        let mut doubts: Vec<String> = is_free.into_iter().collect();
        if !is_about_parts {
            doubts.extend(of_untested(&network, &goal, 0, budget));
        }
        doubts
    }
}

/// The actions of a property that no part has.
#[derive(Default)]
struct Free {
    actions: Vec<String>,
    /// Whether there are some, and the property has no others.
    is_all: bool,
}

impl Free {
    fn of(question: &Question) -> Self {
        let goal = question.problem.goal.alphabet();
        let parts = &question.problem.parts;
        let is_free = |name: &&str| !parts.iter().any(|part| part.lts.alphabet().contains(name));
        let actions: Vec<String> =
            goal.sorted_names().into_iter().filter(is_free).map(str::to_owned).collect();
        Self { is_all: !actions.is_empty() && actions.len() == goal.len(), actions }
    }

    /// The actions that can be meant instead; none where nothing is to be said.
    fn names<'q>(&self, question: &'q Question) -> Names<'q> {
        let parts = if self.actions.is_empty() { &[][..] } else { &question.problem.parts[..] };
        Names::new(parts.iter().flat_map(|part| part.lts.alphabet().names()).collect())
    }
}

/// The words of `check`.
fn said(network: &Network, id: ComponentId, is_about_parts: bool) -> Option<String> {
    match is_about_parts {
        true => warning(network.into(), Kind::Deadlock, &Vacuity::ComponentNeverMoves(id)),
        false => warning(network.into(), Kind::Safety, &Vacuity::PropertyNeverActive(id)),
    }
}
