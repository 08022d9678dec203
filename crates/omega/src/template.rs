//! Templates for properties: the temporal statements that people need most, in words.
//!
//! **Source.** The templates are those of the appendix of [Xie & Browne 2003], and a few of the same kind. Their arguments
//! are conditions: formulas without temporal operators. The letters are those of the paper: e *enables*, d *discharges*.
//!
//! | template | meaning |
//! |---|---|
//! | `Never(d)` | at no step d |
//! | `Always(p)` | at every step p |
//! | `Eventually(d)` | at some step d |
//! | `Never(d) UntilAfter(f)` | no d up to and with the first step of f, or for ever |
//! | `After(e) Never(d) UntilAfter(f)` | after each e, no d up to and with the next step of f, or for ever |
//! | `After(e) Eventually(d)` | each e that finds nothing pending is followed by a d |
//! | `Repeatedly(e)` | e infinitely often |
//! | `EventuallyAlways(p)` | from some step on p |
//! | `IfRepeatedly(e) Repeatedly(d)` | infinitely often e implies infinitely often d |
//!
//! A step in which something happens twice needs a decision:
//!
//! - `After(e) Never(d) UntilAfter(f)`: d in the step of e is allowed, and f in that step ends nothing. Afterwards, d in the step
//!   of f is an error, and e in the step of f begins anew.
//! - `After(e) Eventually(d)`: d in the step of an e that begins something does not discharge it; later a d discharges
//!   it even with another e in the same step. No formula of linear temporal logic says this: `[](e -> X <>d)` wants another d
//!   for the other e.

use crate::{Acceptance, Automaton, Formula};

/// A template with its conditions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Template {
    /// `Never(d)`
    Never(Formula),
    /// `Always(p)`
    Always(Formula),
    /// `Eventually(d)`
    Eventually(Formula),
    /// `Never(d) UntilAfter(f)`
    NeverUntilAfter(Formula, Formula),
    /// `After(e) Never(d) UntilAfter(f)`
    AfterNeverUntilAfter(Formula, Formula, Formula),
    /// `After(e) Eventually(d)`
    AfterEventually(Formula, Formula),
    /// `Repeatedly(e)`
    Repeatedly(Formula),
    /// `EventuallyAlways(p)`
    EventuallyAlways(Formula),
    /// `IfRepeatedly(e) Repeatedly(d)`
    IfRepeatedlyRepeatedly(Formula, Formula),
}

impl Template {
    /// Its conditions, in the order in which they are written.
    pub fn conditions(&self) -> impl Iterator<Item = &Formula> {
        let conditions = match self {
            Self::Never(a)
            | Self::Always(a)
            | Self::Eventually(a)
            | Self::Repeatedly(a)
            | Self::EventuallyAlways(a) => [Some(a), None, None],
            Self::NeverUntilAfter(a, b)
            | Self::AfterEventually(a, b)
            | Self::IfRepeatedlyRepeatedly(a, b) => [Some(a), Some(b), None],
            Self::AfterNeverUntilAfter(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        conditions.into_iter().flatten()
    }

    /// The deterministic automaton that accepts the words of which the template is true. It is not completed: a safety
    /// template has no transition for the letter that breaks it.
    pub fn acceptor(&self) -> Automaton {
        let not = |condition: &Formula| condition.clone().negated();
        match self {
            Self::Never(d) => {
                let mut automaton = Automaton::with_states(1, Acceptance::True);
                automaton.add(0, not(d), 0, []);
                automaton
            }
            Self::Always(p) => {
                let mut automaton = Automaton::with_states(1, Acceptance::True);
                automaton.add(0, p.clone(), 0, []);
                automaton
            }
            Self::Eventually(d) => {
                let mut automaton = Automaton::with_states(2, Acceptance::Inf(0));
                automaton.add(0, not(d), 0, []);
                automaton.add(0, d.clone(), 1, []);
                automaton.add(1, Formula::True, 1, [0]);
                automaton
            }
            Self::NeverUntilAfter(d, f) => {
                let mut automaton = Automaton::with_states(2, Acceptance::True);
                automaton.add(0, not(d).and(not(f)), 0, []);
                automaton.add(0, not(d).and(f.clone()), 1, []);
                automaton.add(1, Formula::True, 1, []);
                automaton
            }
            Self::AfterNeverUntilAfter(e, d, f) => {
                let mut automaton = Automaton::with_states(2, Acceptance::True);
                automaton.add(0, not(e), 0, []);
                automaton.add(0, e.clone(), 1, []);
                automaton.add(1, not(d).and(not(f).or(e.clone())), 1, []);
                automaton.add(1, not(d).and(f.clone().and(not(e))), 0, []);
                automaton
            }
            Self::AfterEventually(e, d) => {
                let mut automaton = Automaton::with_states(2, Acceptance::Inf(0));
                automaton.add(0, not(e), 0, [0]);
                automaton.add(0, e.clone(), 1, [0]);
                automaton.add(1, not(d), 1, []);
                automaton.add(1, d.clone(), 0, []);
                automaton
            }
            Self::Repeatedly(e) => {
                let mut automaton = Automaton::with_states(1, Acceptance::Inf(0));
                automaton.add(0, e.clone(), 0, [0]);
                automaton.add(0, not(e), 0, []);
                automaton
            }
            Self::EventuallyAlways(p) => {
                let mut automaton = Automaton::with_states(1, Acceptance::Fin(0));
                automaton.add(0, p.clone(), 0, []);
                automaton.add(0, not(p), 0, [0]);
                automaton
            }
            Self::IfRepeatedlyRepeatedly(e, d) => {
                let mut automaton = Automaton::with_states(1, Acceptance::streett([(0, 1)]));
                automaton.add(0, e.clone().and(d.clone()), 0, [0, 1]);
                automaton.add(0, e.clone().and(not(d)), 0, [0]);
                automaton.add(0, not(e).and(d.clone()), 0, [1]);
                automaton.add(0, not(e).and(not(d)), 0, []);
                automaton
            }
        }
    }

    /// The template with other conditions in the places of its own.
    #[must_use]
    pub fn mapped(&self, map: impl Fn(&Formula) -> Formula) -> Self {
        match self {
            Self::Never(d) => Self::Never(map(d)),
            Self::Always(p) => Self::Always(map(p)),
            Self::Eventually(d) => Self::Eventually(map(d)),
            Self::NeverUntilAfter(d, f) => Self::NeverUntilAfter(map(d), map(f)),
            Self::AfterNeverUntilAfter(e, d, f) => Self::AfterNeverUntilAfter(map(e), map(d), map(f)),
            Self::AfterEventually(e, d) => Self::AfterEventually(map(e), map(d)),
            Self::Repeatedly(e) => Self::Repeatedly(map(e)),
            Self::EventuallyAlways(p) => Self::EventuallyAlways(map(p)),
            Self::IfRepeatedlyRepeatedly(e, d) => Self::IfRepeatedlyRepeatedly(map(e), map(d)),
        }
    }

    /// Whether every violation shows itself after finitely many steps.
    pub fn is_safety(&self) -> bool {
        match self {
            Self::Never(_) | Self::Always(_) | Self::NeverUntilAfter(..) | Self::AfterNeverUntilAfter(..) => {
                true
            }
            Self::Eventually(_)
            | Self::AfterEventually(..)
            | Self::Repeatedly(_)
            | Self::EventuallyAlways(_)
            | Self::IfRepeatedlyRepeatedly(..) => false,
        }
    }
}

#[cfg(test)]
mod tests;
