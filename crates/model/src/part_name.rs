//! The full name of a part, with its structure.
//!
//! `RING.node.1:NODE(2)` is an instance of `NODE` with the argument 2, under the prefix `node.1`, in the composite
//! `RING`. A front end builds such a name step by step and records each step. Questions such as which definition a
//! part is an instance of, or whether a user means it by a shorter name, are answered from this structure, without
//! parsing strings.

use std::collections::BTreeMap;
use std::fmt;

use crate::Part;

/// The name of a part.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PartName {
    /// The scopes of the part, from the outside in.
    scopes: Vec<Scope>,
    own: Instance,
}

/// An instance of a definition, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Instance {
    /// The name of the definition, or the part's own name, such as `customer.1` in an array of tasks.
    pub name: String,
    /// The actual parameters as they are shown, such as `(1,2)`; empty if there are none.
    pub arguments: String,
}

/// A scope of parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Scope {
    /// A composite that the part is written in: `RING.`
    Composite(Instance),
    /// A label that prefixes all actions: `node.1:`
    Prefix(String),
    /// Labels, each of which prefixes all actions: `{a,b}::`
    Shared(Vec<String>),
}

impl From<&str> for Instance {
    fn from(name: &str) -> Self {
        Self { name: name.to_owned(), arguments: String::new() }
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.name, self.arguments)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Composite(instance) => write!(f, "{instance}."),
            Self::Prefix(label) => write!(f, "{label}:"),
            Self::Shared(labels) => write!(f, "{{{}}}::", labels.join(",")),
        }
    }
}

impl fmt::Display for PartName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.scopes.iter().try_for_each(|scope| scope.fmt(f))?;
        self.own.fmt(f)
    }
}

impl PartName {
    /// The name of a part without scopes.
    pub fn new(own: impl Into<Instance>) -> Self {
        Self { scopes: Vec::new(), own: own.into() }
    }

    /// The name of the part inside one more scope, around all others.
    pub fn within(mut self, scope: Scope) -> Self {
        self.scopes.insert(0, scope);
        self
    }

    /// The composites that the part is in, each with its prefixes, from the outside in, and then the part:
    /// `d.1:DISPATCH(2)` and `ORDER(1,2)` for `d.1:DISPATCH(2).ORDER(1,2)`.
    pub fn path(&self) -> Vec<String> {
        let mut path = Vec::new();
        let mut prefixes = String::new();
        for scope in &self.scopes {
            match scope {
                Scope::Composite(instance) => {
                    path.push(format!("{}{instance}", std::mem::take(&mut prefixes)));
                }
                Scope::Prefix(_) | Scope::Shared(_) => prefixes += &scope.to_string(),
            }
        }
        path.push(format!("{prefixes}{}", self.own));
        path
    }

    /// Whether a user may mean the part by a name: its full name, or one or more consecutive words of it, without
    /// arguments. So `RING.node.1:NODE(2)` is `node.1:NODE`, `NODE`, `RING`, `node.1` and `node`.
    pub fn is_called(&self, name: &str) -> bool {
        let words = self.words();
        let is_called_from = |first: usize| {
            let mut rest = name;
            for (word, separator) in &words[first..] {
                match rest.strip_prefix(word) {
                    Some("") => return true,
                    Some(behind) => match behind.strip_prefix(separator) {
                        Some(behind) => rest = behind,
                        None => return false,
                    },
                    None => return false,
                }
            }
            false
        };
        (0..words.len()).any(is_called_from) || self.to_string() == name
    }

    /// The words of the name, each with the separator that follows it.
    fn words(&self) -> Vec<(&str, &'static str)> {
        let mut words = Vec::new();
        for scope in &self.scopes {
            match scope {
                Scope::Composite(instance) => words.extend(dotted(&instance.name, ".")),
                Scope::Prefix(label) => words.extend(dotted(label, ":")),
                Scope::Shared(labels) => words.extend(labels.iter().map(|label| (label.as_str(), "::"))),
            }
        }
        words.extend(dotted(&self.own.name, ""));
        words
    }
}

/// The words of a label, which are separated by dots in every language; `behind` is the separator after the last one.
fn dotted<'l>(label: &'l str, behind: &'static str) -> impl Iterator<Item = (&'l str, &'static str)> {
    let mut words = label.split('.').peekable();
    std::iter::from_fn(move || {
        let word = words.next()?;
        Some((word, if words.peek().is_some() { "." } else { behind }))
    })
}

/// The definition that a user may mean by the name of a part that has not been built: `SAFE` by `a.1:SAFE`.
pub fn definition_meant(word: &str) -> &str {
    let plain = word.split('(').next().unwrap_or(word);
    plain.rsplit([':', '.']).next().unwrap_or(plain)
}

/// The parts of some targets, by the names of their components.
///
/// Components are combined in new ways while a question is answered, and keep their names; this table says what they
/// are.
#[derive(Clone, Debug, Default)]
pub struct PartTable {
    parts: BTreeMap<String, Part>,
}

impl PartTable {
    /// Adds parts. If two have the same name, the first one counts.
    pub fn add<'p>(&mut self, parts: impl IntoIterator<Item = &'p Part>) {
        for part in parts {
            self.parts.entry(part.name.to_string()).or_insert_with(|| part.clone());
        }
    }

    /// The part that a component is.
    pub fn get(&self, component: &str) -> Option<&Part> {
        self.parts.get(component)
    }

    /// Whether a component is a property process.
    pub fn is_property(&self, component: &str) -> bool {
        self.get(component).is_some_and(Part::is_property)
    }

    /// The definition that a component is an instance of; its own name if it is not in the table.
    pub fn definition<'s>(&'s self, component: &'s str) -> &'s str {
        self.get(component).map_or(component, |part| &part.definition)
    }

    /// Whether a user may mean a component by a name.
    pub fn is_called(&self, component: &str, name: &str) -> bool {
        component == name || self.get(component).is_some_and(|part| part.is_called(name))
    }

    /// The composites that a component is in, and then the component, as in [`PartName::path`].
    pub fn path(&self, component: &str) -> Vec<String> {
        self.get(component).map_or_else(|| vec![component.to_owned()], |part| part.name.path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instance(name: &str, arguments: &str) -> Instance {
        Instance { name: name.to_owned(), arguments: arguments.to_owned() }
    }

    fn node() -> PartName {
        let own = PartName::new(instance("NODE", "(2)"));
        own.within(Scope::Prefix("node.1".to_owned())).within(Scope::Composite(instance("RING", "(3)")))
    }

    #[test]
    fn names_are_shown_in_full() {
        assert_eq!(node().to_string(), "RING(3).node.1:NODE(2)");
        let shared = PartName::new("LOCK").within(Scope::Shared(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(shared.to_string(), "{a,b}::LOCK");
    }

    #[test]
    fn a_path_goes_through_composites() {
        assert_eq!(node().path(), ["RING(3)", "node.1:NODE(2)"]);
        let order = PartName::new(instance("ORDER", "(1,2)"));
        let order = order.within(Scope::Composite(instance("DISPATCH", "(2)")));
        assert_eq!(order.within(Scope::Prefix("d.1".to_owned())).path(), ["d.1:DISPATCH(2)", "ORDER(1,2)"]);
        assert_eq!(PartName::new("P").path(), ["P"]);
    }

    #[test]
    fn a_part_is_called_by_its_words() {
        for name in
            ["RING(3).node.1:NODE(2)", "RING", "RING.node", "node", "node.1", "1:NODE", "node.1:NODE", "NODE"]
        {
            assert!(node().is_called(name), "{name}");
        }
        for name in ["", "NODE(2)", "NOD", "ODE", "node:1", "RING:node", "node.", "ring", "NODE."] {
            assert!(!node().is_called(name), "{name}");
        }
        let shared = PartName::new("LOCK").within(Scope::Shared(vec!["a".to_owned(), "b".to_owned()]));
        assert!(shared.is_called("LOCK") && shared.is_called("b") && shared.is_called("{a,b}::LOCK"));
        assert!(PartName::new("customer.1").is_called("customer"));
    }

    #[test]
    fn what_a_user_writes_names_a_definition() {
        assert_eq!(definition_meant("SYSTEM.a.1:SAFE(2)"), "SAFE");
        assert_eq!(definition_meant("{a,b}::SAFE"), "SAFE");
        assert_eq!(definition_meant("SAFE"), "SAFE");
    }
}
