//! Which fairness goes with which language: about choices, or about processes that take turns.

use rely_base::{Diagnostic, Span};
use rely_omega::Justice;

use crate::explain;
use crate::report::Fairness;

/// How fair processes are treated, by the word for it; nothing if that is no word for it.
pub(super) fn justice(fairness: Option<Fairness>) -> Option<Justice> {
    match fairness {
        None | Some(Fairness::Weak) => Some(Justice::Weak),
        Some(Fairness::None) => Some(Justice::None),
        Some(Fairness::Strong) => Some(Justice::Strong),
        Some(Fairness::Choice | Fairness::Random) => None,
    }
}

/// Whether a fairness is one of processes only.
pub(super) fn is_of_processes(fairness: Option<Fairness>) -> bool {
    matches!(fairness, Some(Fairness::Weak | Fairness::Strong))
}

/// What is said of a fairness that a language does not have.
pub(super) fn wrong_fairness(fairness: Option<Fairness>) -> Diagnostic {
    let (message, help) = match is_of_processes(fairness) {
        true => ("this language has no processes to be fair to", "there are `none`, `choice` and `random`"),
        false => ("fairness is about processes here", "there are `none`, `weak` and `strong`"),
    };
    Diagnostic::error(explain::NO_SUCH_FAIRNESS, Span::new(0, 0), message).with_help(help)
}
