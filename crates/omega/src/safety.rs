//! Safety properties: is every violation of a formula visible after finitely many letters?
//!
//! Problem: a safety property can be checked by reachability, with a shortest trace as the counterexample. So it pays
//! to find out which formulas are safety properties, and exactly: users write `[](a -> <>b)` beside `[](<>a -> b)`.
//!
//! Source: [Alpern & Schneider 1987], [Sistla 1994]. Idea: the closure of a language are the words all of whose
//! prefixes can be continued to a word of the language. In the automaton of the formula every state accepts some word:
//! when all of its states are made accepting, it accepts the closure. The formula is a safety property when no word of
//! the closure satisfies its negation. Both are nondeterministic automata, and their product needs no letters: two
//! transitions agree when their guards do.
//!
//! Complexity: the product of the two automata. Formulas without U in negation normal form are safety properties and
//! need no automaton. Called by the check of assertions.

use rely_base::{Budget, Exhausted, Progress, StateId};
use rustc_hash::FxHashMap;

use crate::components::Components;
use crate::normal_form::{Form, FormId, NormalForms};
use crate::simplify::GROWTH;
use crate::{Buchi, Formula};

/// Whether the formula is a safety property: every word that violates it has a prefix of which all continuations do.
///
/// # Errors
/// When the budget is used up.
///
/// ```
/// use rely_base::Budget;
/// use rely_omega::{AtomId, Formula, is_safety};
///
/// let (ask, answer) = (Formula::atom(AtomId::from_raw(0)), Formula::atom(AtomId::from_raw(1)));
/// let exclusion = ask.clone().and(answer.clone()).negated().always();
/// assert_eq!(is_safety(&exclusion, &Budget::UNLIMITED), Ok(true));
/// let response = ask.implies(answer.eventually()).always();
/// assert_eq!(is_safety(&response, &Budget::UNLIMITED), Ok(false));
/// ```
pub fn is_safety(formula: &Formula, budget: &Budget<'_>) -> Result<bool, Exhausted> {
    if is_syntactic_safety(formula) {
        return Ok(true);
    }
    let closure = Buchi::translate(formula, budget)?;
    let violations = Buchi::translate(&formula.clone().negated(), budget)?;
    Intersection::new(&closure, &violations).accepts_nothing(budget)
}

/// Whether the formula is a safety property by its shape: simplified and in negation normal form, it has no temporal
/// operators but X, W, R and [].
pub fn is_syntactic_safety(formula: &Formula) -> bool {
    let mut forms = NormalForms::new();
    let form = forms.enter_formula(formula);
    forms.traits(form).safety
}

/// Formulas whose conjunction is the formula: its conjuncts, those of conjunctions under `[]` and `X` included.
///
/// A check of the formula may check them one by one, on automata that do not multiply. They come in a fixed order, which
/// need not be that of the text, and simplified. The formula `true` has none.
pub fn conjuncts(formula: &Formula) -> Vec<Formula> {
    let mut forms = NormalForms::new();
    let form = forms.enter_formula(formula);
    if forms.traits(form).size > formula.size().saturating_mul(GROWTH) {
        return vec![formula.clone()];
    }
    let mut found = Vec::new();
    let mut pending = vec![form];
    while let Some(form) = pending.pop() {
        match forms.form(form).clone() {
            Form::True => {}
            Form::And(operands) => pending.extend(operands.into_iter().rev()),
            other => match distributed(&forms, &other) {
                Some(apart) => pending.extend(apart.into_iter().rev().map(|form| forms.enter(form))),
                None => found.push(forms.to_formula(form)),
            },
        }
    }
    found
}

/// The forms whose conjunction is `X (f ∧ g)` or `h R (f ∧ g)`.
fn distributed(forms: &NormalForms, form: &Form) -> Option<Vec<Form>> {
    let operands = |form: FormId| match forms.form(form) {
        Form::And(operands) => Some(operands),
        _ => None,
    };
    match *form {
        Form::Next(operand) => Some(operands(operand)?.iter().map(|&operand| Form::Next(operand)).collect()),
        Form::Release(before, during) => {
            Some(operands(during)?.iter().map(|&operand| Form::Release(before, operand)).collect())
        }
        _ => None,
    }
}

/// The product of two automata, of which only the second one's acceptance counts.
struct Intersection<'a> {
    closure: &'a Buchi,
    violations: &'a Buchi,
    numbers: FxHashMap<(StateId, StateId), usize>,
    /// The pairs by number.
    pairs: Vec<(StateId, StateId)>,
    successors: Vec<Vec<usize>>,
}

impl<'a> Intersection<'a> {
    fn new(closure: &'a Buchi, violations: &'a Buchi) -> Self {
        Self { closure, violations, numbers: FxHashMap::default(), pairs: Vec::new(), successors: Vec::new() }
    }

    /// Whether no run is accepting.
    fn accepts_nothing(mut self, budget: &Budget<'_>) -> Result<bool, Exhausted> {
        for &left in self.closure.initial() {
            for &right in self.violations.initial() {
                self.number((left, right));
            }
        }
        let mut transitions = 0;
        while let Some(&(left, right)) = self.pairs.get(self.successors.len()) {
            let mut successors = Vec::new();
            for one in self.closure.edges(left) {
                for two in self.violations.edges(right).iter().filter(|two| one.guard.meets(&two.guard)) {
                    successors.push(self.number((one.target, two.target)));
                }
            }
            transitions += successors.len();
            self.successors.push(successors);
            let states = self.pairs.len();
            let bytes = states * size_of::<((StateId, StateId), Vec<usize>, [usize; 2])>()
                + transitions * size_of::<usize>();
            budget.check(&Progress { states, transitions, bytes, ..Progress::default() })?;
        }
        let components = Components::of(&self.successors);
        let accepting = |pair: usize| self.violations.is_accepting(self.pairs[pair].1);
        Ok(!(0..self.pairs.len()).any(|pair| accepting(pair) && components.is_recurrent(pair)))
    }

    fn number(&mut self, pair: (StateId, StateId)) -> usize {
        let next = self.pairs.len();
        let number = *self.numbers.entry(pair).or_insert(next);
        if number == next {
            self.pairs.push(pair);
        }
        number
    }
}
