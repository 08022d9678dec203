//! Hiding: M \ A makes the actions of A silent and takes them out of the alphabet.

use rely_base::{Alphabet, Label};

use super::substitute;
use crate::Lts;

/// The system with the actions of a kind made silent.
pub fn hide(lts: &Lts, hidden: impl Fn(&str) -> bool) -> Lts {
    let mut alphabet = Alphabet::new();
    let mut images = vec![vec![Label::TAU]];
    for name in lts.alphabet().names() {
        let label = if hidden(name) { Label::TAU } else { Label::visible(alphabet.intern(name)) };
        images.push(vec![label]);
    }
    substitute(lts, alphabet, &images)
}
