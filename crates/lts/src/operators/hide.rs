//! Hiding: M \ A makes the actions of A silent and takes them out of the alphabet.

use rely_base::{Alphabet, Label};

use super::substitute;
use crate::Lts;

/// The system with those actions made silent that satisfy `hidden`.
pub fn hide(lts: &Lts, hidden: impl Fn(&str) -> bool) -> Lts {
    let mut alphabet = Alphabet::new();
    let mut images = vec![vec![Label::TAU]];
    for (action, name) in lts.alphabet().iter() {
        let label = match hidden(name) {
            true => Label::TAU,
            false => Label::visible(alphabet.adopt(lts.alphabet(), action)),
        };
        images.push(vec![label]);
    }
    substitute(lts, alphabet, &images)
}
