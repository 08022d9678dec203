//! Restriction: what is left of a system that never takes some actions.

use rely_base::{Alphabet, Label};

use super::substitute;
use crate::Lts;

/// The system without the actions of a kind: they are taken out of its alphabet, and their transitions with them.
///
/// All states keep their numbers.
pub fn restrict(lts: &Lts, forbidden: impl Fn(&str) -> bool) -> Lts {
    let mut alphabet = Alphabet::new();
    let mut images = vec![vec![Label::TAU]];
    for (action, name) in lts.alphabet().iter() {
        let image = (!forbidden(name)).then(|| Label::visible(alphabet.adopt(lts.alphabet(), action)));
        images.push(image.into_iter().collect());
    }
    substitute(lts, alphabet, &images)
}
