//! Sets of dotted names, closed under going down.

use rustc_hash::FxHashSet;

/// A set of names and of everything below them.
#[derive(Clone, Debug, Default)]
pub struct NameSet {
    names: FxHashSet<String>,
}

impl NameSet {
    /// Whether a name or one of its dotted prefixes is in the set.
    pub fn covers(&self, name: &str) -> bool {
        self.names.contains(name) || name.match_indices('.').any(|(dot, _)| self.names.contains(&name[..dot]))
    }
}

impl<S: Into<String>> FromIterator<S> for NameSet {
    fn from_iter<T: IntoIterator<Item = S>>(names: T) -> Self {
        Self { names: names.into_iter().map(Into::into).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::NameSet;

    #[test]
    fn a_name_covers_what_is_below_it() {
        let names: NameSet = ["a", "b.1"].into_iter().collect();
        for covered in ["a", "a.x", "a.1.y", "b.1", "b.1.z"] {
            assert!(names.covers(covered), "{covered}");
        }
        for other in ["ab", "b", "b.10", "c.a", ""] {
            assert!(!names.covers(other), "{other}");
        }
    }
}
