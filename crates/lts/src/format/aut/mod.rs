//! The `.aut` format, in which CADP, mCRL2 and LTSA exchange transition systems.
//!
//! ```text
//! des (0, 3, 2)          initial state, number of transitions, number of states
//! (0, coin, 1)           from, label, to
//! (1, "tea !sugar", 0)
//! (1, i, 1)
//! ```
//!
//! The format has no specification that all of its writers keep to; this is how it is read and written here.
//!
//! - **Blanks** are free between the parts, line ends count as blanks, and the last one may be missing.
//! - **Labels** in quotes end at the next quote: there are no escapes. Labels without quotes end at the first comma,
//!   and blanks around them do not belong to them. A label does not go over the end of its line.
//! - **τ** is `i` to CADP and LTSA and `tau` to mCRL2, which writes it in quotes; none of them gives quotes a
//!   meaning. So [`read`] takes both for τ, in quotes or not. A visible `i` can be written for mCRL2, and no action
//!   is called `tau`.
//! - **π** is state −1 to LTSA, which does not count it. The others know no error state and cannot read −1, hence
//!   [`ErrorState`].
//! - **Roles** of an interface automaton are marks behind its labels, `coin?` and `tea!`: see
//!   [`unmarked`](super::unmarked). To the format they belong to the name.
//! - **END** and actions that are on no transition cannot be written, and are lost.
//! - **Probabilistic** targets of mCRL2 (`1 1/2 2`) are refused.

mod error;
mod read;
mod scan;
mod write;

pub use error::{AutError, AutErrorKind};
pub use read::{MAX_ERRORS, StreamError, read, read_from};
pub use write::{ErrorState, Spelling, WriteError, write};

/// How τ is spelt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tau {
    /// `i`, as CADP and LTSA have it.
    Cadp,
    /// `tau`, as mCRL2 has it.
    Mcrl2,
}

impl Tau {
    /// The label in the text.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Cadp => "i",
            Self::Mcrl2 => "tau",
        }
    }
}
