//! Properties that hold without being put to the test.
//!
//! `check` sees what occurs while it searches the product. A strategy that avoids the product does not, so that the
//! question is asked afterwards, among the first few thousand states, so that it never takes much longer than the answer.
//! What cannot be known within that is not said: a property that nothing exercises in a large product may go unnoticed,
//! and nothing is ever called vacuous that is not.

use rely_base::{Budget, Limits};
use rely_decide::{Vacuity, inactive};
use rely_lts::{ComponentId, Network};

use super::questions::{Question, Questions};
use crate::certify::ERROR;
use crate::check::{free_to_occur, warning};
use crate::parts::ids;
use crate::report::{Kind, Verdict, VerifyResult};

/// So many states are looked at.
const FEW: usize = 1 << 12;

impl Questions {
    /// Why an answer may say less than it seems to.
    pub(super) fn vacuity(
        &self,
        question: &Question,
        result: &VerifyResult,
        budget: &Budget<'_>,
    ) -> Vec<String> {
        if result.verdict != Verdict::Holds {
            return Vec::new();
        }
        let is_about_parts = question.name == ERROR;
        let free = free(question);
        if !is_about_parts && !free.is_empty() {
            return vec![free_to_occur(&free)];
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
        inactive.into_iter().filter_map(|id| said(&network, id, is_about_parts)).collect()
    }
}

/// The actions of a property, if no part has any of them.
fn free(question: &Question) -> Vec<String> {
    let goal = question.problem.goal.alphabet();
    let mut parts = question.problem.parts.iter().flat_map(|part| part.lts.alphabet().names());
    match parts.any(|name| goal.contains(name)) {
        true => Vec::new(),
        false => goal.sorted_names().into_iter().map(str::to_owned).collect(),
    }
}

/// The words of `check`.
fn said(network: &Network, id: ComponentId, is_about_parts: bool) -> Option<String> {
    match is_about_parts {
        true => warning(network, Kind::Deadlock, &Vacuity::ComponentNeverMoves(id)),
        false => warning(network, Kind::Safety, &Vacuity::PropertyNeverActive(id)),
    }
}
