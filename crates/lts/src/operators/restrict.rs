//! Restriction: removing actions together with their transitions.

use rely_base::{Alphabet, Label};

use super::substitute;
use crate::Lts;

/// The system without the actions that satisfy `forbidden`: they are removed from the alphabet, and so are their
/// transitions.
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
