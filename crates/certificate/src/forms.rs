//! Formulas in negation normal form, each stored once, together with its negation.
//!
//! The operators are those of the textbook: `f W g` is `g R (f ∨ g)`, `<>f` is `true U f`, `[]f` is `false R f`. Since
//! every form knows its negation, no formula is ever negated by walking through it.

use std::collections::{BTreeSet, HashMap};

use rely_omega::{AtomId, Formula};

/// A form, by its number.
pub(crate) type FormId = usize;

/// A formula in negation normal form; operands are numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Form {
    /// `true`, or `false`.
    Constant(bool),
    /// The atom, or its negation.
    Literal(AtomId, bool),
    /// Both hold.
    And(FormId, FormId),
    /// At least one holds.
    Or(FormId, FormId),
    /// It holds at the next position.
    Next(FormId),
    /// The second holds at some position, and the first at all positions before.
    Until(FormId, FormId),
    /// The second holds for ever, or up to and including a position where the first holds.
    Release(FormId, FormId),
}

/// The forms of a formula.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forms {
    forms: Vec<Form>,
    /// The negation of each form.
    negations: Vec<FormId>,
    numbers: HashMap<Form, FormId>,
}

impl Forms {
    pub(crate) fn get(&self, form: FormId) -> Form {
        self.forms[form]
    }

    pub(crate) fn negation(&self, form: FormId) -> FormId {
        self.negations[form]
    }

    /// The form of a formula. Operands come first; pending ones are kept on a stack.
    pub(crate) fn enter(&mut self, formula: &Formula) -> FormId {
        let mut pending = vec![(formula, false)];
        let mut entered: Vec<FormId> = Vec::new();
        while let Some((formula, operands_done)) = pending.pop() {
            if operands_done {
                let operands = entered.split_off(entered.len() - formula.operands().count());
                let form = self.combine(formula, &operands);
                entered.push(form);
            } else {
                pending.push((formula, true));
                pending.extend(formula.operands().rev().map(|operand| (operand, false)));
            }
        }
        entered.pop().expect("the formula itself has been entered")
    }

    fn combine(&mut self, formula: &Formula, operands: &[FormId]) -> FormId {
        let not = |form: FormId, forms: &Self| forms.negations[form];
        match (formula, operands) {
            (Formula::Atom(atom), _) => self.intern(Form::Literal(*atom, true)),
            (Formula::Not(_), &[f]) => not(f, self),
            (Formula::And(..), &[f, g]) => self.and(f, g),
            (Formula::Or(..), &[f, g]) => self.or(f, g),
            (Formula::Implies(..), &[f, g]) => self.or(not(f, self), g),
            (Formula::Iff(..), &[f, g]) => {
                let both = self.and(f, g);
                let neither = self.and(not(f, self), not(g, self));
                self.or(both, neither)
            }
            (Formula::Next(_), &[f]) => self.intern(Form::Next(f)),
            (Formula::Eventually(_), &[f]) => {
                let before = self.constant(true);
                self.intern(Form::Until(before, f))
            }
            (Formula::Always(_), &[f]) => {
                let never = self.constant(false);
                self.intern(Form::Release(never, f))
            }
            (Formula::Until(..), &[f, g]) => self.intern(Form::Until(f, g)),
            (Formula::WeakUntil(..), &[f, g]) => {
                let either = self.or(f, g);
                self.intern(Form::Release(g, either))
            }
            (Formula::Release(..), &[f, g]) => self.intern(Form::Release(f, g)),
            (constant, _) => self.constant(*constant == Formula::True),
        }
    }

    fn constant(&mut self, value: bool) -> FormId {
        self.intern(Form::Constant(value))
    }

    fn and(&mut self, f: FormId, g: FormId) -> FormId {
        match (self.forms[f], self.forms[g]) {
            (Form::Constant(true), _) | (_, Form::Constant(false)) => g,
            (_, Form::Constant(true)) | (Form::Constant(false), _) => f,
            _ if f == g => f,
            _ => self.intern(Form::And(f, g)),
        }
    }

    fn or(&mut self, f: FormId, g: FormId) -> FormId {
        let neither = self.and(self.negations[f], self.negations[g]);
        self.negations[neither]
    }

    /// The number of a form, which is added with its negation if it is new.
    fn intern(&mut self, form: Form) -> FormId {
        if let Some(&number) = self.numbers.get(&form) {
            return number;
        }
        let not = |form: FormId| self.negations[form];
        let negation = match form {
            Form::Constant(value) => Form::Constant(!value),
            Form::Literal(atom, positive) => Form::Literal(atom, !positive),
            Form::And(f, g) => Form::Or(not(f), not(g)),
            Form::Or(f, g) => Form::And(not(f), not(g)),
            Form::Next(f) => Form::Next(not(f)),
            Form::Until(f, g) => Form::Release(not(f), not(g)),
            Form::Release(f, g) => Form::Until(not(f), not(g)),
        };
        let number = self.forms.len();
        self.forms.extend([form, negation]);
        self.negations.extend([number + 1, number]);
        self.numbers.extend([(form, number), (negation, number + 1)]);
        number
    }

    /// Forms whose conjunction is the form: its conjuncts, those of conjunctions under `[]` and `X` included, each once.
    pub(crate) fn conjuncts(&mut self, form: FormId) -> Vec<FormId> {
        let mut found = Vec::new();
        let mut seen = BTreeSet::new();
        let mut pending = vec![form];
        while let Some(form) = pending.pop() {
            if !seen.insert(form) {
                continue;
            }
            let under = |operand: FormId, forms: &Self| match forms.forms[operand] {
                Form::And(f, g) => Some([g, f]),
                _ => None,
            };
            match self.forms[form] {
                Form::Constant(true) => {}
                Form::And(f, g) => pending.extend([g, f]),
                Form::Next(operand) if under(operand, self).is_some() => {
                    let parts = under(operand, self).into_iter().flatten();
                    pending.extend(parts.map(|part| self.intern(Form::Next(part))).collect::<Vec<_>>());
                }
                Form::Release(before, during) if under(during, self).is_some() => {
                    let parts = under(during, self).into_iter().flatten();
                    pending.extend(
                        parts.map(|part| self.intern(Form::Release(before, part))).collect::<Vec<_>>(),
                    );
                }
                _ => found.push(form),
            }
        }
        found
    }
}
