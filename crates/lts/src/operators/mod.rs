//! Operators on transition systems: each takes one and gives a new one.
//!
//! Names of actions are sequences of parts joined by dots. A name *covers* itself and all names below it: `a` covers
//! `a`, `a.b` and `a.1.c`, not `ab`. Hiding, priority and relabelling speak about names in this sense.

mod hide;
mod names;
mod prefix;
mod propagate;
mod property;
mod relabel;
mod restrict;
mod trim;

pub use hide::hide;
pub use names::NameSet;
pub use prefix::{prefix, share};
pub use propagate::{merged_into_error, propagate_error};
pub use property::{complete, harmless, stopped, without_error};
pub use relabel::{Relabelling, relabel};
pub use restrict::restrict;
pub use trim::{trim, trim_numbered};

use rely_base::{Alphabet, Label};

use crate::{Lts, LtsBuilder};

/// The system over another alphabet, with each label replaced by any number of labels.
///
/// `images[label.index()]` are the labels, of the new alphabet, that take a label's place.
pub fn substitute(lts: &Lts, alphabet: Alphabet, images: &[Vec<Label>]) -> Lts {
    let mut builder = LtsBuilder::with_states(alphabet, lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_error(lts.error());
    builder.set_end(lts.end());
    for transition in lts.transitions() {
        for &label in &images[transition.label.index()] {
            builder.add_transition(transition.source, label, transition.target);
        }
    }
    builder.build()
}
