//! Conditions: formulas without temporal operators, which are true or false of a letter.

use rely_base::Id;

use crate::{AtomId, AtomSet, Formula};

impl Formula {
    /// Whether it has no temporal operators.
    pub fn is_condition(&self) -> bool {
        let mut pending = vec![self];
        while let Some(formula) = pending.pop() {
            match formula {
                Self::Next(_)
                | Self::Eventually(_)
                | Self::Always(_)
                | Self::Until(..)
                | Self::WeakUntil(..)
                | Self::Release(..) => return false,
                _ => pending.extend(formula.operands()),
            }
        }
        true
    }

    /// Whether a condition is true of a letter. Of a formula with temporal operators it says whether the formula is true of
    /// the letter repeated for ever.
    pub fn holds(&self, letter: &AtomSet) -> bool {
        match self {
            Self::True => true,
            Self::False => false,
            Self::Atom(atom) => letter.contains(*atom),
            Self::Not(operand) => !operand.holds(letter),
            Self::Next(operand) | Self::Eventually(operand) | Self::Always(operand) => operand.holds(letter),
            Self::And(left, right) => left.holds(letter) && right.holds(letter),
            Self::Or(left, right) => left.holds(letter) || right.holds(letter),
            Self::Implies(left, right) => !left.holds(letter) || right.holds(letter),
            Self::Iff(left, right) => left.holds(letter) == right.holds(letter),
            Self::WeakUntil(left, right) => left.holds(letter) || right.holds(letter),
            Self::Until(_, right) | Self::Release(_, right) => right.holds(letter),
        }
    }

    /// Whether a condition is true of some letter: one atom after the other is decided, both ways.
    pub fn is_satisfiable(&self) -> bool {
        let mut pending = vec![self.clone()];
        while let Some(formula) = pending.pop() {
            match (&formula, formula.atoms().iter().next()) {
                (Self::True, _) => return true,
                (Self::False, _) => {}
                (_, Some(atom)) => {
                    pending.push(formula.decided(atom, false));
                    pending.push(formula.decided(atom, true));
                }
                (_, None) => {
                    if formula.holds(&AtomSet::new()) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// A condition after it was decided whether an atom is true.
    fn decided(&self, atom: AtomId, value: bool) -> Self {
        let of = |operand: &Self| operand.decided(atom, value);
        match self {
            Self::Atom(found) if found.index() == atom.index() => {
                if value {
                    Self::True
                } else {
                    Self::False
                }
            }
            Self::Not(operand) => of(operand).negated(),
            Self::And(left, right) => of(left).and(of(right)),
            Self::Or(left, right) => of(left).or(of(right)),
            Self::Implies(left, right) => of(left).implies(of(right)),
            Self::Iff(left, right) => of(left).iff(of(right)),
            other => other.clone(),
        }
    }
}
