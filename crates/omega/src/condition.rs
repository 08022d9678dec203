//! Conditions: formulas without temporal operators, which are true or false of a letter.

use rely_base::{Budget, Exhausted, Id, Progress};

use crate::{AtomId, AtomSet, Formula};

/// After how many cases the budget is asked.
const CASES: usize = 1 << 10;

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

    /// Whether a condition is true of some letter: one atom after the other is decided, both ways. That may take exponentially
    /// many cases, so the budget is asked for each.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn is_satisfiable(&self, budget: &Budget<'_>) -> Result<bool, Exhausted> {
        let mut pending = vec![self.clone()];
        let mut cases: usize = 0;
        while let Some(formula) = pending.pop() {
            cases += 1;
            if cases.is_multiple_of(CASES) {
                budget.check(&Progress { transitions: cases, ..Progress::default() })?;
            }
            match (&formula, formula.atoms().iter().next()) {
                (Self::True, _) => return Ok(true),
                (Self::False, _) => {}
                (_, Some(atom)) => {
                    pending.push(formula.decided(atom, false));
                    pending.push(formula.decided(atom, true));
                }
                (_, None) => {
                    if formula.holds(&AtomSet::new()) {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Whether a condition may be true of a letter of which only some atoms are known: `None` stands for the others.
    pub fn may_hold(&self, known: &impl Fn(AtomId) -> Option<bool>) -> bool {
        self.known(known) != Some(false)
    }

    /// The value of a condition, as far as the atoms that are known decide it one by one.
    fn known(&self, value: &impl Fn(AtomId) -> Option<bool>) -> Option<bool> {
        let of = |operand: &Self| operand.known(value);
        let either = |left: Option<bool>, right: Option<bool>| match (left, right) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        };
        match self {
            Self::True => Some(true),
            Self::False => Some(false),
            Self::Atom(atom) => value(*atom),
            Self::Not(operand) => of(operand).map(|known| !known),
            Self::Or(left, right) => either(of(left), of(right)),
            Self::Implies(left, right) => either(of(left).map(|known| !known), of(right)),
            Self::And(left, right) => {
                either(of(left).map(|known| !known), of(right).map(|known| !known)).map(|known| !known)
            }
            Self::Iff(left, right) => Some(of(left)? == of(right)?),
            _ => None,
        }
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
