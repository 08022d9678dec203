//! Formulas of linear temporal logic over atomic propositions.

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
