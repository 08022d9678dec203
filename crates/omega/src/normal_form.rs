//! Negation normal form, shared and simplified.
//!
//! Problem: the translation to automata and the simplifications want formulas in which only atoms are negated, equal
//! subformulas are one thing, and the order of operands does not matter.
//!
//! Idea: a table of forms. Conjunctions and disjunctions have sorted lists of operands. W, F, G, → and ↔ are written
//! with U, R, ∧ and ∨. A form and its dual, which is its negation, are entered together and have the numbers 2k and
//! 2k + 1: negation is one flipped bit, and a rule for ∧ or U gives the dual rule for ∨ or R for free.
//!
//! Invariant: the operands of a form are entered before it, so that a loop in order of number meets operands first,
//! and no walk over forms needs recursion. Entering a formula is linear in its size, whatever its shape.
//!
//! Called by the translation, by the test for safety and by [`Formula::simplified`].

use rustc_hash::FxHashMap;

use crate::{AtomId, Formula};

/// A form of a [`NormalForms`] table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct FormId(u32);

impl FormId {
    pub(crate) const TRUE: Self = Self(0);
    pub(crate) const FALSE: Self = Self(1);

    /// The negation.
    #[inline]
    pub(crate) const fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// A formula in negation normal form over the forms of a table.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Form {
    True,
    False,
    Literal { atom: AtomId, positive: bool },
    And(Vec<FormId>),
    Or(Vec<FormId>),
    Next(FormId),
    Until(FormId, FormId),
    Release(FormId, FormId),
}

impl Form {
    /// The negation.
    fn dual(&self) -> Self {
        let duals = |operands: &[FormId]| {
            let mut duals: Vec<FormId> = operands.iter().map(|operand| operand.negated()).collect();
            duals.sort_unstable();
            duals
        };
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            &Self::Literal { atom, positive } => Self::Literal { atom, positive: !positive },
            Self::And(operands) => Self::Or(duals(operands)),
            Self::Or(operands) => Self::And(duals(operands)),
            Self::Next(operand) => Self::Next(operand.negated()),
            Self::Until(left, right) => Self::Release(left.negated(), right.negated()),
            Self::Release(left, right) => Self::Until(left.negated(), right.negated()),
        }
    }

    /// The forms that it is made of.
    pub(crate) fn operands(&self) -> Vec<FormId> {
        match self {
            Self::True | Self::False | Self::Literal { .. } => Vec::new(),
            Self::And(operands) | Self::Or(operands) => operands.clone(),
            &Self::Next(operand) => vec![operand],
            &Self::Until(left, right) | &Self::Release(left, right) => vec![left, right],
        }
    }
}

/// What is known of a form besides its shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traits {
    /// It has no temporal operator.
    pub(crate) propositional: bool,
    /// Whether a word satisfies it does not depend on any finite prefix of the word: built from GF and FG.
    pub(crate) suspendable: bool,
    /// It has no U, so that it is a safety property.
    pub(crate) safety: bool,
    /// How many operators and literals it has as a tree.
    pub(crate) size: usize,
}

/// A table of forms.
pub(crate) struct NormalForms {
    forms: Vec<Form>,
    traits: Vec<Traits>,
    ids: FxHashMap<Form, FormId>,
    /// What [`NormalForms::implies`] has found out.
    pub(crate) implications: FxHashMap<(FormId, FormId), bool>,
}

impl NormalForms {
    /// The table that has the constants only.
    pub(crate) fn new() -> Self {
        let mut table = Self {
            forms: Vec::new(),
            traits: Vec::new(),
            ids: FxHashMap::default(),
            implications: FxHashMap::default(),
        };
        table.enter(Form::True);
        table
    }

    pub(crate) fn form(&self, id: FormId) -> &Form {
        &self.forms[id.0 as usize]
    }

    pub(crate) fn traits(&self, id: FormId) -> Traits {
        self.traits[id.0 as usize]
    }

    /// The number of a form, which is entered with its dual if it is new. It has to be simplified already.
    pub(crate) fn enter(&mut self, form: Form) -> FormId {
        if let Some(&id) = self.ids.get(&form) {
            return id;
        }
        let id = FormId(u32::try_from(self.forms.len()).expect("forms stay below 2^32"));
        let dual = form.dual();
        for (form, id) in [(form, id), (dual, id.negated())] {
            self.traits.push(self.find_traits(&form));
            self.forms.push(form.clone());
            self.ids.insert(form, id);
        }
        id
    }

    fn find_traits(&self, form: &Form) -> Traits {
        let mut found = Traits { propositional: true, suspendable: true, safety: true, size: 1 };
        for operand in form.operands() {
            let of = self.traits(operand);
            found.propositional &= of.propositional;
            found.suspendable &= of.suspendable;
            found.safety &= of.safety;
            found.size = found.size.saturating_add(of.size);
        }
        match form {
            Form::Literal { .. } => found.suspendable = false,
            Form::Next(_) => found.propositional = false,
            &Form::Until(left, right) => {
                found.propositional = false;
                found.safety = false;
                found.suspendable |= left == FormId::TRUE && self.always_of(right).is_some();
            }
            &Form::Release(left, right) => {
                found.propositional = false;
                found.suspendable |= left == FormId::FALSE && self.eventually_of(right).is_some();
            }
            Form::True | Form::False | Form::And(_) | Form::Or(_) => {}
        }
        found
    }

    /// The f of `G f`.
    pub(crate) fn always_of(&self, id: FormId) -> Option<FormId> {
        match *self.form(id) {
            Form::Release(FormId::FALSE, operand) => Some(operand),
            _ => None,
        }
    }

    /// The f of `F f`.
    pub(crate) fn eventually_of(&self, id: FormId) -> Option<FormId> {
        match *self.form(id) {
            Form::Until(FormId::TRUE, operand) => Some(operand),
            _ => None,
        }
    }

    /// The f of `G F f`.
    pub(crate) fn infinitely_often_of(&self, id: FormId) -> Option<FormId> {
        self.always_of(id).and_then(|operand| self.eventually_of(operand))
    }

    /// Enters a formula, simplified.
    pub(crate) fn enter_formula(&mut self, formula: &Formula) -> FormId {
        let mut tasks = vec![Task::Enter(formula)];
        let mut done = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Enter(formula) => {
                    let operands = wide_operands(formula);
                    tasks.push(Task::Build(formula, operands.len()));
                    tasks.extend(operands.into_iter().rev().map(Task::Enter));
                }
                Task::Build(formula, count) => {
                    let operands = done.split_off(done.len() - count);
                    done.push(self.build(formula, operands));
                }
            }
        }
        done.pop().expect("the last task built the whole formula")
    }

    /// The form of a formula whose operands are entered.
    fn build(&mut self, formula: &Formula, operands: Vec<FormId>) -> FormId {
        let both = |operands: &[FormId]| (operands[0], operands[1]);
        match formula {
            Formula::True => FormId::TRUE,
            Formula::False => FormId::FALSE,
            &Formula::Atom(atom) => self.enter(Form::Literal { atom, positive: true }),
            Formula::Not(_) => operands[0].negated(),
            Formula::And(..) => self.and(operands),
            Formula::Or(..) => self.or(operands),
            Formula::Implies(..) => self.or(vec![operands[0].negated(), operands[1]]),
            Formula::Iff(..) => {
                let (left, right) = both(&operands);
                let forth = self.or(vec![left.negated(), right]);
                let back = self.or(vec![left, right.negated()]);
                self.and(vec![forth, back])
            }
            Formula::Next(_) => self.next(operands[0]),
            Formula::Eventually(_) => self.until(FormId::TRUE, operands[0]),
            Formula::Always(_) => self.release(FormId::FALSE, operands[0]),
            Formula::Until(..) => self.until(operands[0], operands[1]),
            Formula::Release(..) => self.release(operands[0], operands[1]),
            Formula::WeakUntil(..) => {
                let (left, right) = both(&operands);
                let either = self.or(vec![left, right]);
                self.release(right, either)
            }
        }
    }
}

/// What is left to do on the way from a formula to its form.
enum Task<'a> {
    /// Enter the operands, then the formula.
    Enter(&'a Formula),
    /// The operator, and how many operands it has: they are the last that were entered.
    Build(&'a Formula, usize),
}

/// The operands of a formula; those of nested conjunctions are given as operands of one, and so for disjunctions.
fn wide_operands(formula: &Formula) -> Vec<&Formula> {
    let same = |other: &Formula| {
        matches!((formula, other), (Formula::And(..), Formula::And(..)) | (Formula::Or(..), Formula::Or(..)))
    };
    let mut operands = Vec::new();
    let mut pending: Vec<&Formula> = formula.operands().rev().collect();
    while let Some(operand) = pending.pop() {
        if same(operand) {
            pending.extend(operand.operands().rev());
        } else {
            operands.push(operand);
        }
    }
    operands
}
