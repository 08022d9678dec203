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

use crate::Formula;

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
}
