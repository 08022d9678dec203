//! Formulas of linear temporal logic over atomic propositions.

use crate::AtomSet;

rely_base::define_id! {
    /// An atomic proposition, by its place in the list that belongs to the formula.
    AtomId
}

/// A formula of linear temporal logic.
///
/// Formulas are interpreted over infinite words of letters; a letter is the set of atoms that hold at a position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the names are the operators'")]
pub enum Formula {
    True,
    False,
    Atom(AtomId),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Iff(Box<Formula>, Box<Formula>),
    Next(Box<Formula>),
    Eventually(Box<Formula>),
    Always(Box<Formula>),
    Until(Box<Formula>, Box<Formula>),
    WeakUntil(Box<Formula>, Box<Formula>),
    /// `Release(f, g)`: g holds up to and including the first position where f holds, or for ever.
    Release(Box<Formula>, Box<Formula>),
}

/// Constructors that simplify what is plain to see: constants, double negation, equal operands, repeated `[]` and
/// `<>`. [`Formula::simplified`] does more.
///
/// Formulas are trees of boxes, which Rust copies, compares and drops by recursion: whoever builds one keeps its depth
/// below some ten thousand levels. A parser limits nesting; wide conjunctions and disjunctions are built with
/// [`Formula::all`] and [`Formula::any`], whose depth is logarithmic in the number of operands.
impl Formula {
    /// An atom.
    pub const fn atom(atom: AtomId) -> Self {
        Self::Atom(atom)
    }

    /// The negation.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Not(operand) => *operand,
            other => Self::Not(Box::new(other)),
        }
    }

    /// The conjunction.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::True, formula) | (formula, Self::True) => formula,
            (Self::False, _) | (_, Self::False) => Self::False,
            (left, right) if left == right => left,
            (left, right) => Self::And(Box::new(left), Box::new(right)),
        }
    }

    /// The disjunction.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::False, formula) | (formula, Self::False) => formula,
            (Self::True, _) | (_, Self::True) => Self::True,
            (left, right) if left == right => left,
            (left, right) => Self::Or(Box::new(left), Box::new(right)),
        }
    }

    /// `self -> other`.
    #[must_use]
    pub fn implies(self, other: Self) -> Self {
        match (self, other) {
            (Self::True, formula) => formula,
            (Self::False, _) | (_, Self::True) => Self::True,
            (formula, Self::False) => formula.negated(),
            (left, right) if left == right => Self::True,
            (left, right) => Self::Implies(Box::new(left), Box::new(right)),
        }
    }

    /// `self <-> other`.
    #[must_use]
    pub fn iff(self, other: Self) -> Self {
        match (self, other) {
            (Self::True, formula) | (formula, Self::True) => formula,
            (Self::False, formula) | (formula, Self::False) => formula.negated(),
            (left, right) if left == right => Self::True,
            (left, right) => Self::Iff(Box::new(left), Box::new(right)),
        }
    }

    /// `X self`: it holds at the next position.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            constant @ (Self::True | Self::False) => constant,
            operand => Self::Next(Box::new(operand)),
        }
    }

    /// `<> self`: it holds now or later.
    #[must_use]
    pub fn eventually(self) -> Self {
        match self {
            same @ (Self::True | Self::False | Self::Eventually(_)) => same,
            operand => Self::Eventually(Box::new(operand)),
        }
    }

    /// `[] self`: it holds from now on.
    #[must_use]
    pub fn always(self) -> Self {
        match self {
            same @ (Self::True | Self::False | Self::Always(_)) => same,
            operand => Self::Always(Box::new(operand)),
        }
    }

    /// `self U other`: the other holds now or later, and up to then this one does.
    #[must_use]
    pub fn until(self, other: Self) -> Self {
        match (self, other) {
            (_, constant @ (Self::True | Self::False)) => constant,
            (Self::True, formula) => formula.eventually(),
            (Self::False, formula) => formula,
            (left, right) if left == right => left,
            (left, right) => Self::Until(Box::new(left), Box::new(right)),
        }
    }

    /// `self W other`: `self U other`, or this one holds for ever.
    #[must_use]
    pub fn weak_until(self, other: Self) -> Self {
        match (self, other) {
            (Self::True, _) | (_, Self::True) => Self::True,
            (Self::False, formula) => formula,
            (formula, Self::False) => formula.always(),
            (left, right) if left == right => left,
            (left, right) => Self::WeakUntil(Box::new(left), Box::new(right)),
        }
    }

    /// `self R other`: see [`Formula::Release`].
    #[must_use]
    pub fn release(self, other: Self) -> Self {
        match (self, other) {
            (_, constant @ (Self::True | Self::False)) => constant,
            (Self::False, formula) => formula.always(),
            (Self::True, formula) => formula,
            (left, right) if left == right => left,
            (left, right) => Self::Release(Box::new(left), Box::new(right)),
        }
    }

    /// The conjunction of all, as a balanced tree.
    pub fn all(formulas: impl IntoIterator<Item = Self>) -> Self {
        balanced(formulas.into_iter().collect(), Self::and, Self::True)
    }

    /// The disjunction of all, as a balanced tree.
    pub fn any(formulas: impl IntoIterator<Item = Self>) -> Self {
        balanced(formulas.into_iter().collect(), Self::or, Self::False)
    }

    /// The operands, left to right: none for constants and atoms.
    pub fn operands(&self) -> impl DoubleEndedIterator<Item = &Self> {
        let (first, second) = match self {
            Self::True | Self::False | Self::Atom(_) => (None, None),
            Self::Not(operand) | Self::Next(operand) | Self::Eventually(operand) | Self::Always(operand) => {
                (Some(&**operand), None)
            }
            Self::And(left, right)
            | Self::Or(left, right)
            | Self::Implies(left, right)
            | Self::Iff(left, right)
            | Self::Until(left, right)
            | Self::WeakUntil(left, right)
            | Self::Release(left, right) => (Some(&**left), Some(&**right)),
        };
        first.into_iter().chain(second)
    }

    /// How many operators, atoms and constants it has.
    pub fn size(&self) -> usize {
        let mut size = 0;
        let mut pending = vec![self];
        while let Some(formula) = pending.pop() {
            size += 1;
            pending.extend(formula.operands());
        }
        size
    }

    /// The atoms that occur.
    pub fn atoms(&self) -> AtomSet {
        let mut atoms = AtomSet::new();
        let mut pending = vec![self];
        while let Some(formula) = pending.pop() {
            if let Self::Atom(atom) = formula {
                atoms.insert(*atom);
            }
            pending.extend(formula.operands());
        }
        atoms
    }
}

/// Joins neighbours until one formula is left, so that the depth is logarithmic.
fn balanced(mut formulas: Vec<Formula>, join: fn(Formula, Formula) -> Formula, none: Formula) -> Formula {
    while formulas.len() > 1 {
        let mut halved = Vec::with_capacity(formulas.len().div_ceil(2));
        let mut rest = formulas.into_iter();
        while let Some(left) = rest.next() {
            halved.push(match rest.next() {
                Some(right) => join(left, right),
                None => left,
            });
        }
        formulas = halved;
    }
    formulas.pop().unwrap_or(none)
}
