//! Prefixing `a:M` and sharing `{a,b}::M`.

use rely_base::{Alphabet, Label};

use super::substitute;
use crate::Lts;

/// `a:M`: every action gets the prefix.
pub fn prefix(lts: &Lts, prefix: &str) -> Lts {
    share(lts, &[prefix])
}

/// `{a,b}::M`: every action is offered under every prefix, so that several users share one system.
pub fn share<S: AsRef<str>>(lts: &Lts, prefixes: &[S]) -> Lts {
    let mut alphabet = Alphabet::new();
    let mut images = vec![Vec::new(); lts.alphabet().len() + 1];
    images[Label::TAU.index()].push(Label::TAU);
    for prefix in prefixes {
        for (action, name) in lts.alphabet().iter() {
            let shared = alphabet.intern(&format!("{}.{name}", prefix.as_ref()));
            images[Label::visible(action).index()].push(Label::visible(shared));
        }
    }
    substitute(lts, alphabet, &images)
}
