//! Conditions, properties and assumptions after all names and indices have been resolved.

use crate::system::{EventId, MachineId};

/// A Boolean formula over atoms. Its height is bounded, because that of the text is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    /// True or false.
    Constant(bool),
    /// Something that is true or false in a configuration.
    Atom(Atom),
    /// The negation.
    Not(Box<Formula>),
    /// The conjunction; true for none.
    All(Vec<Formula>),
    /// The disjunction; false for none.
    Any(Vec<Formula>),
    /// Whether both have the same value.
    Iff(Box<Formula>, Box<Formula>),
}

/// What a formula speaks about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Atom {
    /// The event is there: in this microstep, or, in a property of macrosteps, somewhere in this macrostep.
    Event(EventId),
    /// The event was there in the macrostep before this one.
    OldEvent(EventId),
    /// The event was there one microstep earlier in this macrostep. Only assumptions speak of that.
    Before(EventId),
    /// The machine is in one of these states, in increasing order.
    State(MachineId, Vec<u32>),
    /// The machine was in one of these states when the macrostep began.
    OldState(MachineId, Vec<u32>),
    /// A timer of the machine, given by number, shows this many macrosteps, and the macrostep is about to begin.
    After(MachineId, u32, i32),
    /// How the number of the microstep compares with a number.
    Microstep(Comparison, i32),
}

/// A comparison of two numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
}

impl Comparison {
    /// Whether it holds.
    pub fn holds(self, left: i32, right: i32) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Less => left < right,
            Self::LessEqual => left <= right,
        }
    }
}

impl Formula {
    /// The negation.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(!value),
            Self::Not(inner) => *inner,
            other => Self::Not(Box::new(other)),
        }
    }

    /// The conjunction, without what is certainly true.
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        let parts: Vec<Self> = parts.into_iter().filter(|part| *part != Self::Constant(true)).collect();
        if parts.contains(&Self::Constant(false)) {
            return Self::Constant(false);
        }
        Self::joined(parts, true, Self::All)
    }

    /// The disjunction, without what is certainly false.
    pub fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        let parts: Vec<Self> = parts.into_iter().filter(|part| *part != Self::Constant(false)).collect();
        if parts.contains(&Self::Constant(true)) {
            return Self::Constant(true);
        }
        Self::joined(parts, false, Self::Any)
    }

    fn joined(mut parts: Vec<Self>, of_none: bool, join: impl Fn(Vec<Self>) -> Self) -> Self {
        match (parts.pop(), parts.is_empty()) {
            (None, _) => Self::Constant(of_none),
            (Some(only), true) => only,
            (Some(last), false) => {
                parts.push(last);
                join(parts)
            }
        }
    }

    /// Its value where some atoms have one and others are not known.
    pub fn partial(&self, value: &impl Fn(&Atom) -> Option<bool>) -> Option<bool> {
        let some = |parts: &[Self], wanted: bool| {
            let mut all_known = true;
            for part in parts {
                match part.partial(value) {
                    Some(it) if it == wanted => return Some(wanted),
                    Some(_) => {}
                    None => all_known = false,
                }
            }
            all_known.then_some(!wanted)
        };
        match self {
            Self::Constant(value) => Some(*value),
            Self::Atom(atom) => value(atom),
            Self::Not(inner) => inner.partial(value).map(|value| !value),
            Self::All(parts) => some(parts, false),
            Self::Any(parts) => some(parts, true),
            Self::Iff(left, right) => Some(left.partial(value)? == right.partial(value)?),
        }
    }

    /// Whether events of the microstep can only make it false: every one stands below an odd number of negations. What was
    /// there earlier is not changed any more.
    pub fn only_forbids(&self) -> bool {
        self.has_events_only(true)
    }

    /// Whether it speaks about events of an earlier microstep or macrostep.
    pub fn has_past(&self) -> bool {
        let mut found = false;
        self.for_each_atom(&mut |atom| found |= matches!(atom, Atom::OldEvent(_) | Atom::Before(_)));
        found
    }

    /// Whether every event stands where it makes the formula false, or true.
    fn has_events_only(&self, forbidding: bool) -> bool {
        match self {
            Self::Constant(_) => true,
            Self::Atom(Atom::Event(_)) => !forbidding,
            Self::Atom(_) => true,
            Self::Not(inner) => inner.has_events_only(!forbidding),
            Self::All(parts) | Self::Any(parts) => parts.iter().all(|part| part.has_events_only(forbidding)),
            Self::Iff(left, right) => {
                [left, right].iter().all(|side| side.has_events_only(true) && side.has_events_only(false))
            }
        }
    }

    /// Whether it speaks about an event.
    pub fn mentions(&self, event: EventId) -> bool {
        let mut found = false;
        self.for_each_atom(&mut |atom| found |= *atom == Atom::Event(event));
        found
    }

    /// Calls `visit` for every atom, once for each place where it stands.
    pub fn for_each_atom<'f>(&'f self, visit: &mut impl FnMut(&'f Atom)) {
        match self {
            Self::Constant(_) => {}
            Self::Atom(atom) => visit(atom),
            Self::Not(inner) => inner.for_each_atom(visit),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.for_each_atom(visit)),
            Self::Iff(left, right) => {
                left.for_each_atom(visit);
                right.for_each_atom(visit);
            }
        }
    }
}
