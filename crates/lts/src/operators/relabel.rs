//! Relabelling M / {new/old, …}.
//!
//! The relation may send several names to one (their transitions then look the same) and one name to several (each of
//! its transitions is offered under all of them). Where a name is not in the relation itself, its longest dotted
//! prefix that is in it is replaced.

use rely_base::{Alphabet, Label};
use rustc_hash::FxHashMap;

use super::substitute;
use crate::Lts;

/// A relation from old names to new ones.
#[derive(Clone, Debug, Default)]
pub struct Relabelling {
    /// The new names of each old one, in the order in which they were added.
    images: FxHashMap<String, Alphabet>,
}

impl Relabelling {
    /// The identity.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `new/old`.
    pub fn add(&mut self, new: impl Into<String>, old: impl Into<String>) {
        self.images.entry(old.into()).or_default().intern(&new.into());
    }

    /// Whether nothing is relabelled.
    pub fn is_empty(&self) -> bool {
        self.images.is_empty()
    }

    /// The names that take the place of a name; itself if nothing in the relation fits.
    pub fn apply(&self, name: &str) -> Vec<String> {
        if let Some(images) = self.images.get(name) {
            return images.names().map(str::to_owned).collect();
        }
        for (dot, _) in name.rmatch_indices('.') {
            if let Some(images) = self.images.get(&name[..dot]) {
                return images.names().map(|image| format!("{image}{}", &name[dot..])).collect();
            }
        }
        vec![name.to_owned()]
    }

    /// Whether two different names of an alphabet become the same.
    pub fn merges<'a>(&self, names: impl Iterator<Item = &'a str>) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        names.flat_map(|name| self.apply(name)).any(|image| !seen.insert(image))
    }
}

/// The system with its actions renamed.
pub fn relabel(lts: &Lts, relabelling: &Relabelling) -> Lts {
    let mut alphabet = Alphabet::new();
    let mut images = vec![vec![Label::TAU]];
    for name in lts.alphabet().names() {
        images.push(
            relabelling.apply(name).iter().map(|image| Label::visible(alphabet.intern(image))).collect(),
        );
    }
    substitute(lts, alphabet, &images)
}

#[cfg(test)]
mod tests {
    use super::Relabelling;

    #[test]
    fn the_longest_prefix_is_replaced() {
        let mut relabelling = Relabelling::new();
        relabelling.add("x", "a");
        relabelling.add("y", "a.b");
        relabelling.add("z", "a.b");
        assert_eq!(relabelling.apply("a.b.c"), ["y.c", "z.c"]);
        assert_eq!(relabelling.apply("a.c"), ["x.c"]);
        assert_eq!(relabelling.apply("ab"), ["ab"]);
        assert!(relabelling.merges(["a", "x"].into_iter()));
        assert!(!relabelling.merges(["a", "b"].into_iter()));
    }
}
