//! Implication between formulas that can be read off their shape.
//!
//! Problem: simplification wants to know whether f → g is valid, which is as hard as the whole translation.
//!
//! Source: the syntactic rules of [Somenzi & Bloem 2000]. Idea: rules that are sound and not complete, each of which
//! goes on with smaller pairs. Complexity: every pair is looked at once, and large forms are not looked at.

use crate::normal_form::{Form, FormId, NormalForms};

/// Pairs that are larger together than this count as unrelated. It also bounds the depth of the recursion.
const MAX_SIZE: usize = 300;

impl NormalForms {
    /// Whether the rules show that every word that satisfies `left` satisfies `right`.
    pub(crate) fn implies(&mut self, left: FormId, right: FormId) -> bool {
        if left == right || left == FormId::FALSE || right == FormId::TRUE {
            return true;
        }
        if left == FormId::TRUE || right == FormId::FALSE {
            return false;
        }
        if self.traits(left).size.saturating_add(self.traits(right).size) > MAX_SIZE {
            return false;
        }
        if let Some(&known) = self.implications.get(&(left, right)) {
            return known;
        }
        let found = self.implies_left(left, right)
            || self.implies_right(left, right)
            || self.implies_both(left, right);
        self.implications.insert((left, right), found);
        found
    }

    /// The rules that take the left side apart.
    fn implies_left(&mut self, left: FormId, right: FormId) -> bool {
        match self.form(left).clone() {
            Form::And(operands) => operands.into_iter().any(|operand| self.implies(operand, right)),
            Form::Or(operands) => operands.into_iter().all(|operand| self.implies(operand, right)),
            Form::Until(before, at) => self.implies(before, right) && self.implies(at, right),
            Form::Release(_, during) => self.implies(during, right),
            _ => false,
        }
    }

    /// The rules that take the right side apart: those for the left, seen in a mirror.
    fn implies_right(&mut self, left: FormId, right: FormId) -> bool {
        match self.form(right).clone() {
            Form::And(operands) => operands.into_iter().all(|operand| self.implies(left, operand)),
            Form::Or(operands) => operands.into_iter().any(|operand| self.implies(left, operand)),
            Form::Until(_, at) => self.implies(left, at),
            Form::Release(at, during) => self.implies(left, at) && self.implies(left, during),
            _ => false,
        }
    }

    /// The rules that take both sides apart.
    fn implies_both(&mut self, left: FormId, right: FormId) -> bool {
        match (self.form(left).clone(), self.form(right).clone()) {
            (Form::Next(left), Form::Next(right)) => self.implies(left, right),
            (Form::Until(f, g), Form::Until(h, k)) => {
                self.implies(g, k) && self.implies(f, h) || h == FormId::TRUE && self.implies(g, right)
            }
            (Form::Release(f, g), Form::Release(h, k)) => {
                self.implies(g, k) && self.implies(f, h) || f == FormId::FALSE && self.implies(left, k)
            }
            (Form::Release(FormId::FALSE, _), Form::Next(later)) => self.implies(left, later),
            (Form::Next(later), Form::Until(FormId::TRUE, _)) => self.implies(later, right),
            _ => false,
        }
    }
}
