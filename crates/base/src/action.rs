//! Actions are names; an alphabet numbers them; a label is an action or the silent τ.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::Id;

crate::define_id! {
    /// An action, by its place in an [`Alphabet`].
    ActionId
}

/// What a transition is labelled with: the silent action τ, or a visible action of the alphabet.
///
/// Packed into 32 bits: τ is 0 and action `i` is `i + 1`, so that labels index tables directly.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(u32);

impl Label {
    /// The silent action.
    pub const TAU: Self = Self(0);

    /// The label of a visible action.
    #[inline]
    pub const fn visible(action: ActionId) -> Self {
        Self(action.raw() + 1)
    }

    /// Whether this is the silent action.
    #[inline]
    pub const fn is_tau(self) -> bool {
        self.0 == 0
    }

    /// The visible action, or nothing for τ.
    #[inline]
    pub const fn action(self) -> Option<ActionId> {
        if self.0 == 0 { None } else { Some(ActionId::from_raw(self.0 - 1)) }
    }

    /// The position in a table that has τ at 0 and action `i` at `i + 1`.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The label at a position of such a table.
    #[inline]
    pub const fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    /// The label as a plain number, for packed tables.
    #[inline]
    pub const fn raw(self) -> u32 {
        self.0
    }
}

impl std::fmt::Debug for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.action() {
            None => f.write_str("τ"),
            Some(action) => write!(f, "{action:?}"),
        }
    }
}

/// A finite set of action names, numbered in the order in which they were added.
///
/// An alphabet is part of what a component is, and is never inferred from its transitions: an action that is in the
/// alphabet and on no transition is one that the component refuses.
#[derive(Clone, Default)]
pub struct Alphabet {
    /// The names by number.
    names: Vec<Arc<str>>,
    /// The numbers by name; `index[names[i]] == i`.
    index: FxHashMap<Arc<str>, ActionId>,
}

impl Alphabet {
    /// The empty alphabet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of a name, which is added if it is new.
    pub fn intern(&mut self, name: &str) -> ActionId {
        if let Some(&action) = self.index.get(name) {
            return action;
        }
        let name: Arc<str> = Arc::from(name);
        let action = ActionId::from_index(self.names.len());
        self.names.push(Arc::clone(&name));
        self.index.insert(name, action);
        action
    }

    /// The number of an action of another alphabet, which is added if it is new. Unlike with [`Alphabet::intern`],
    /// both alphabets share the memory of the name.
    pub fn adopt(&mut self, other: &Self, action: ActionId) -> ActionId {
        let name = &other.names[action.index()];
        if let Some(&known) = self.index.get(name) {
            return known;
        }
        let own = ActionId::from_index(self.names.len());
        self.names.push(Arc::clone(name));
        self.index.insert(Arc::clone(name), own);
        own
    }

    /// The numbers of all actions of another alphabet, which are added where they are new.
    pub fn adopt_all(&mut self, other: &Self) -> Vec<ActionId> {
        if self.is_empty() {
            *self = other.clone();
        }
        (0..other.len()).map(|action| self.adopt(other, ActionId::from_index(action))).collect()
    }

    /// The number of a name, if the alphabet has it.
    pub fn get(&self, name: &str) -> Option<ActionId> {
        self.index.get(name).copied()
    }

    /// Whether the alphabet has the name.
    pub fn contains(&self, name: &str) -> bool {
        self.index.contains_key(name)
    }

    /// A name that the alphabet does not have: the given one, changed if necessary.
    pub fn fresh(&self, stem: &str) -> String {
        let mut name = stem.to_owned();
        while self.contains(&name) {
            name.push('_');
        }
        name
    }

    /// The name of an action.
    pub fn name(&self, action: ActionId) -> &str {
        &self.names[action.index()]
    }

    /// The name of a label; τ is written `tau`.
    pub fn label_name(&self, label: Label) -> &str {
        label.action().map_or("tau", |action| self.name(action))
    }

    /// How many actions there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no action.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The actions with their names, in order of number.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ActionId, &str)> + '_ {
        self.names.iter().enumerate().map(|(i, name)| (ActionId::from_index(i), &**name))
    }

    /// The names in order of number.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> + '_ {
        self.names.iter().map(|name| &**name)
    }

    /// The names in dictionary order, for output.
    pub fn sorted_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.names().collect();
        names.sort_unstable();
        names
    }
}

impl PartialEq for Alphabet {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
    }
}

impl Eq for Alphabet {}

impl std::fmt::Debug for Alphabet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

impl<S: AsRef<str>> FromIterator<S> for Alphabet {
    fn from_iter<T: IntoIterator<Item = S>>(names: T) -> Self {
        let mut alphabet = Self::new();
        for name in names {
            alphabet.intern(name.as_ref());
        }
        alphabet
    }
}
