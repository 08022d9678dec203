//! When an infinite run is accepting: conditions over the colours that it passes infinitely often.
//!
//! Every edge of an automaton carries a set of *colours*. A condition is a Boolean combination without negation of `Inf(c)`,
//! which says that some edge with colour c is passed infinitely often, and `Fin(c)`, which says that none is. All classical
//! conditions are such combinations [Babiak et al. 2015]:
//!
//! | condition | combination |
//! |---|---|
//! | Büchi | `Inf(0)` |
//! | co-Büchi | `Fin(0)` |
//! | Streett | `(Fin(0)\|Inf(1)) & (Fin(2)\|Inf(3)) & …` |
//! | Rabin | `(Fin(0)&Inf(1)) \| (Fin(2)&Inf(3)) \| …` |
//!
//! The dual of a condition exchanges `Inf` and `Fin`, and `&` and `|`: it accepts exactly the runs that the condition rejects.

use std::fmt;

use crate::bits::Bits;

/// A set of colours.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colours(Bits);

impl Colours {
    /// No colour.
    pub fn none() -> Self {
        Self::default()
    }

    /// Whether a colour is in the set.
    #[inline]
    pub fn contains(&self, colour: u32) -> bool {
        self.0.contains(colour as usize)
    }

    /// Adds a colour.
    pub fn insert(&mut self, colour: u32) {
        self.0.insert(colour as usize);
    }

    /// Adds the colours of another set.
    pub fn insert_all(&mut self, other: &Self) {
        self.0.insert_all(&other.0);
    }

    /// Whether some colour is in both sets.
    #[inline]
    pub fn intersects(&self, other: &Self) -> bool {
        self.0.intersects(&other.0)
    }

    /// Whether there is no colour in the set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many colours are in the set.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The colours in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().map(|colour| u32::try_from(colour).unwrap_or(u32::MAX))
    }

    /// The same colours with numbers that are greater by `offset`.
    #[must_use]
    pub fn shifted(&self, offset: u32) -> Self {
        self.iter().map(|colour| colour + offset).collect()
    }
}

impl FromIterator<u32> for Colours {
    fn from_iter<T: IntoIterator<Item = u32>>(colours: T) -> Self {
        Self(colours.into_iter().map(|colour| colour as usize).collect())
    }
}

impl fmt::Debug for Colours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// A condition on the colours that a run passes infinitely often.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Acceptance {
    /// Every run is accepting.
    True,
    /// No run is accepting.
    False,
    /// The colour is passed infinitely often.
    Inf(u32),
    /// The colour is passed only finitely often.
    Fin(u32),
    /// All of these.
    And(Vec<Acceptance>),
    /// One of these.
    Or(Vec<Acceptance>),
}

impl Acceptance {
    /// Streett: for each pair, if the first colour is passed infinitely often, so is the second.
    pub fn streett(pairs: impl IntoIterator<Item = (u32, u32)>) -> Self {
        Self::all(pairs.into_iter().map(|(e, f)| Self::any([Self::Fin(e), Self::Inf(f)])))
    }

    /// Rabin: for some pair, the first colour is passed only finitely often, and the second infinitely often.
    pub fn rabin(pairs: impl IntoIterator<Item = (u32, u32)>) -> Self {
        Self::any(pairs.into_iter().map(|(e, f)| Self::all([Self::Fin(e), Self::Inf(f)])))
    }

    /// All of some conditions; true for none.
    pub fn all(conditions: impl IntoIterator<Item = Self>) -> Self {
        let mut operands = Vec::new();
        for condition in conditions {
            match condition {
                Self::True => {}
                Self::False => return Self::False,
                Self::And(inner) => operands.extend(inner),
                other => operands.push(other),
            }
        }
        match operands.len() {
            0 => Self::True,
            1 => operands.swap_remove(0),
            _ => Self::And(operands),
        }
    }

    /// One of some conditions; false for none.
    pub fn any(conditions: impl IntoIterator<Item = Self>) -> Self {
        let mut operands = Vec::new();
        for condition in conditions {
            match condition {
                Self::False => {}
                Self::True => return Self::True,
                Self::Or(inner) => operands.extend(inner),
                other => operands.push(other),
            }
        }
        match operands.len() {
            0 => Self::False,
            1 => operands.swap_remove(0),
            _ => Self::Or(operands),
        }
    }

    /// Whether runs are accepting that pass exactly these colours infinitely often.
    pub fn accepts(&self, infinitely_often: &Colours) -> bool {
        match self {
            Self::True => true,
            Self::False => false,
            Self::Inf(colour) => infinitely_often.contains(*colour),
            Self::Fin(colour) => !infinitely_often.contains(*colour),
            Self::And(operands) => operands.iter().all(|operand| operand.accepts(infinitely_often)),
            Self::Or(operands) => operands.iter().any(|operand| operand.accepts(infinitely_often)),
        }
    }

    /// The condition that accepts what this one rejects.
    #[must_use]
    pub fn dual(&self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Inf(colour) => Self::Fin(*colour),
            Self::Fin(colour) => Self::Inf(*colour),
            Self::And(operands) => Self::any(operands.iter().map(Self::dual)),
            Self::Or(operands) => Self::all(operands.iter().map(Self::dual)),
        }
    }

    /// The same condition over colours whose numbers are greater by `offset`.
    #[must_use]
    pub fn shifted(&self, offset: u32) -> Self {
        self.replaced(&|atom| match atom {
            Self::Inf(colour) => Some(Self::Inf(colour + offset)),
            Self::Fin(colour) => Some(Self::Fin(colour + offset)),
            _ => None,
        })
    }

    /// The condition with some of its atoms replaced by others.
    #[must_use]
    pub(crate) fn replaced(&self, by: &impl Fn(&Self) -> Option<Self>) -> Self {
        match self {
            Self::True | Self::False => self.clone(),
            Self::Inf(_) | Self::Fin(_) => by(self).unwrap_or_else(|| self.clone()),
            Self::And(operands) => Self::all(operands.iter().map(|operand| operand.replaced(by))),
            Self::Or(operands) => Self::any(operands.iter().map(|operand| operand.replaced(by))),
        }
    }

    /// The number above all colours that it speaks of.
    pub fn colour_count(&self) -> u32 {
        match self {
            Self::True | Self::False => 0,
            Self::Inf(colour) | Self::Fin(colour) => colour + 1,
            Self::And(operands) | Self::Or(operands) => {
                operands.iter().map(Self::colour_count).max().unwrap_or(0)
            }
        }
    }

    /// Its name and parameters in the Hanoi format, if it is one of the classical conditions.
    pub fn classical_name(&self) -> Option<String> {
        let pairs = u32::try_from(match self {
            Self::And(operands) | Self::Or(operands) => operands.len(),
            _ => 1,
        });
        let pairs = pairs.ok()?;
        let numbered = || (0..pairs).map(|pair| (2 * pair, 2 * pair + 1));
        Some(match self {
            Self::True => "all".to_owned(),
            Self::False => "none".to_owned(),
            Self::Inf(0) => "Buchi".to_owned(),
            Self::Fin(0) => "co-Buchi".to_owned(),
            _ if *self == Self::streett([(0, 1)]) => "Streett 1".to_owned(),
            _ if *self == Self::rabin([(0, 1)]) => "Rabin 1".to_owned(),
            _ if *self == Self::streett(numbered()) => format!("Streett {pairs}"),
            _ if *self == Self::rabin(numbered()) => format!("Rabin {pairs}"),
            _ if *self == Self::all((0..pairs).map(Self::Inf)) => format!("generalized-Buchi {pairs}"),
            _ => return None,
        })
    }
}

/// As in the Hanoi format.
impl fmt::Display for Acceptance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (operands, sign) = match self {
            Self::True => return f.write_str("t"),
            Self::False => return f.write_str("f"),
            Self::Inf(colour) => return write!(f, "Inf({colour})"),
            Self::Fin(colour) => return write!(f, "Fin({colour})"),
            Self::And(operands) => (operands, " & "),
            Self::Or(operands) => (operands, " | "),
        };
        for (number, operand) in operands.iter().enumerate() {
            if number > 0 {
                f.write_str(sign)?;
            }
            match operand {
                Self::And(_) | Self::Or(_) => write!(f, "({operand})")?,
                _ => write!(f, "{operand}")?,
            }
        }
        Ok(())
    }
}
