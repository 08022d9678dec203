//! What a formula says about the first letter and about the rest of the word.
//!
//! Problem: rewrite a formula as a disjunction of terms, each of which asks for some literals now and for a set of
//! formulas from the next position on.
//!
//! Source: the one-step expansion of [Couvreur 1999] and [Gastin & Oddoux 2001]: `f U g` is `g ∨ (f ∧ X (f U g))`, and
//! `f R g` is `g ∧ (f ∨ X (f R g))`.
//!
//! Idea: a term that puts off `f U g` promises to fulfil it later; a run keeps its promises when it is free of each one
//! infinitely often. A term that asks for less than another makes that one superfluous.
//!
//! Deviation: `GF b` for a propositional b is not expanded. It stays for ever as an element that demands b infinitely
//! often of the letters themselves, which spares the 2ⁿ sets of pending eventualities of n such formulas.
//!
//! Complexity: the terms are a disjunctive normal form and may be exponentially many, long before there is a second
//! state. So the budget counts comparisons of terms, too: [`COMPARISONS_PER_STATE`] of them cost what a state does.

use std::rc::Rc;

use rely_base::{Budget, Exhausted, Progress};
use rustc_hash::FxHashMap;

use crate::bits::Bits;
use crate::normal_form::{Form, FormId, NormalForms};
use crate::{AtomSet, Guard};

/// How many comparisons of two terms are about as much work as reaching a state of a system.
const COMPARISONS_PER_STATE: usize = 256;

/// One way to satisfy a formula.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Term {
    /// What the first letter has to be.
    pub(crate) guard: Guard,
    /// What the rest of the word has to satisfy: elements, by their number in the [`Expansion`].
    pub(crate) next: Bits,
    /// Which until-elements are put off.
    pub(crate) promises: Bits,
}

impl Term {
    fn guarded(guard: Guard) -> Self {
        Self { guard, ..Self::default() }
    }

    /// Both at once, if the guards allow it.
    fn both(&self, other: &Self) -> Option<Self> {
        let guard = self.guard.both(&other.guard)?;
        let (mut next, mut promises) = (self.next.clone(), self.promises.clone());
        next.insert_all(&other.next);
        promises.insert_all(&other.promises);
        Some(Self { guard, next, promises })
    }

    /// Whether it asks for no more than the other.
    fn dominates(&self, other: &Self) -> bool {
        other.guard.implies(&self.guard)
            && self.next.is_subset(&other.next)
            && self.promises.is_subset(&other.promises)
    }

    fn weight(&self) -> usize {
        self.guard.literal_count() + self.next.len() + self.promises.len()
    }
}

/// Expands forms, and numbers the elements: the forms that are conjuncts of what is asked of the rest of a word.
pub(crate) struct Expansion<'a> {
    pub(crate) forms: NormalForms,
    budget: &'a Budget<'a>,
    /// The elements by number.
    elements: Vec<FormId>,
    element_ids: FxHashMap<FormId, usize>,
    /// The terms of the forms that have been expanded.
    known: FxHashMap<FormId, Rc<[Term]>>,
    /// How many states the automaton has.
    states: usize,
    /// How many comparisons of terms have been made.
    comparisons: usize,
    /// How many of them had been made when the budget was last asked.
    checked: usize,
    /// How many terms are kept in `known`.
    known_terms: usize,
    /// How many bytes the automaton takes.
    held: usize,
}

impl<'a> Expansion<'a> {
    pub(crate) fn new(forms: NormalForms, budget: &'a Budget<'a>) -> Self {
        Self {
            forms,
            budget,
            elements: Vec::new(),
            element_ids: FxHashMap::default(),
            known: FxHashMap::default(),
            states: 0,
            comparisons: 0,
            checked: 0,
            known_terms: 0,
            held: 0,
        }
    }

    /// Tells the budget that there is another state, which takes `bytes` bytes.
    pub(crate) fn count_state(&mut self, bytes: usize) -> Result<(), Exhausted> {
        self.states += 1;
        self.held += bytes;
        self.check_budget(0)
    }

    /// Notes that transitions of the automaton take `bytes` more bytes.
    pub(crate) fn hold(&mut self, bytes: usize) {
        self.held += bytes;
    }

    /// The number of a form among the elements.
    fn number(&mut self, form: FormId) -> usize {
        let next = self.elements.len();
        let number = *self.element_ids.entry(form).or_insert(next);
        if number == next {
            self.elements.push(form);
        }
        number
    }

    /// The set of elements that together say the same as a form: its conjuncts, with `G` taken apart over ∧.
    pub(crate) fn conjuncts(&mut self, form: FormId) -> Bits {
        let mut found = Bits::default();
        let mut pending = vec![form];
        while let Some(form) = pending.pop() {
            match self.forms.form(form).clone() {
                Form::True => {}
                Form::And(operands) => pending.extend(operands),
                Form::Release(FormId::FALSE, always) => match self.forms.form(always).clone() {
                    Form::And(operands) => {
                        for operand in operands {
                            let operand = self.forms.enter(Form::Release(FormId::FALSE, operand));
                            found.insert(self.number(operand));
                        }
                    }
                    _ => found.insert(self.number(form)),
                },
                _ => found.insert(self.number(form)),
            }
        }
        self.without_repetitions(found)
    }

    /// The set without the elements whose terms another one brings along anyway: g and the conjuncts of g beside
    /// `f R g`. The expansions with and without them are the same. Elements that are left to the acceptance condition
    /// have to stay, since it is read off the set.
    pub(crate) fn without_repetitions(&self, mut set: Bits) -> Bits {
        let mut repeated = Bits::default();
        for number in set.iter() {
            let Form::Release(_, during) = *self.forms.form(self.elements[number]) else { continue };
            let parts: &[FormId] = match self.forms.form(during) {
                Form::And(operands) => operands,
                _ => &[],
            };
            for form in parts.iter().chain([&during]) {
                if let Some(&number) = self.element_ids.get(form)
                    && self.fairness_of(number).is_none()
                {
                    repeated.insert(number);
                }
            }
        }
        set.remove_all(&repeated);
        set
    }

    /// The b of an element `GF b` that is left to the acceptance condition.
    pub(crate) fn fairness_of(&self, number: usize) -> Option<FormId> {
        self.fair(self.elements[number])
    }

    fn fair(&self, form: FormId) -> Option<FormId> {
        self.forms.infinitely_often_of(form).filter(|&often| self.forms.traits(often).propositional)
    }

    /// The terms of a set of elements.
    pub(crate) fn expand_set(&mut self, set: &Bits) -> Result<Vec<Term>, Exhausted> {
        let mut terms = vec![Term::default()];
        for number in set.iter() {
            let of_element = self.expand(self.elements[number])?;
            terms = self.product(&terms, &of_element)?;
        }
        Ok(terms)
    }

    /// The terms of a form.
    pub(crate) fn expand(&mut self, form: FormId) -> Result<Rc<[Term]>, Exhausted> {
        for part in self.parts_to_expand(form) {
            let terms = self.expand_over_parts(part)?;
            self.known_terms += terms.len();
            self.known.insert(part, terms.into());
        }
        Ok(Rc::clone(&self.known[&form]))
    }

    /// The form and what it is made of, as far as it speaks of the first letter and is not yet expanded; parts first.
    fn parts_to_expand(&self, form: FormId) -> Vec<FormId> {
        let mut parts = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut pending = vec![form];
        while let Some(part) = pending.pop() {
            if self.known.contains_key(&part) || !seen.insert(part) {
                continue;
            }
            parts.push(part);
            if !matches!(self.forms.form(part), Form::Next(_)) && self.fair(part).is_none() {
                pending.extend(self.forms.form(part).operands());
            }
        }
        // Operands have smaller numbers than what is made of them.
        parts.sort_unstable();
        parts
    }

    /// The terms of a form whose parts are expanded.
    fn expand_over_parts(&mut self, form: FormId) -> Result<Vec<Term>, Exhausted> {
        if self.fair(form).is_some() {
            return Ok(vec![self.stay(form)]);
        }
        match self.forms.form(form).clone() {
            Form::True => Ok(vec![Term::default()]),
            Form::False => Ok(Vec::new()),
            Form::Literal { atom, positive } => {
                let atom: AtomSet = [atom].into_iter().collect();
                Ok(vec![Term::guarded(match positive {
                    true => Guard { positive: atom, negative: AtomSet::new() },
                    false => Guard { positive: AtomSet::new(), negative: atom },
                })])
            }
            Form::And(operands) => {
                let mut terms = vec![Term::default()];
                for operand in operands {
                    let of_operand = Rc::clone(&self.known[&operand]);
                    terms = self.product(&terms, &of_operand)?;
                }
                Ok(terms)
            }
            Form::Or(operands) => {
                let terms = operands.iter().flat_map(|operand| self.known[operand].iter().cloned()).collect();
                self.undominated(terms)
            }
            Form::Next(operand) => Ok(vec![Term { next: self.conjuncts(operand), ..Term::default() }]),
            Form::Until(before, at) => {
                let mut later = self.stay(form);
                later.promises.insert(self.number(form));
                let before = Rc::clone(&self.known[&before]);
                let mut terms = self.product(&before, &[later])?;
                terms.extend_from_slice(&self.known[&at]);
                self.undominated(terms)
            }
            Form::Release(at, during) => {
                let mut ends = self.known[&at].to_vec();
                ends.push(self.stay(form));
                let during = Rc::clone(&self.known[&during]);
                self.product(&during, &ends)
            }
        }
    }

    /// The term that asks for the form itself from the next position on.
    fn stay(&mut self, form: FormId) -> Term {
        Term { next: self.conjuncts(form), ..Term::default() }
    }

    /// The terms that satisfy one of each side.
    fn product(&mut self, left: &[Term], right: &[Term]) -> Result<Vec<Term>, Exhausted> {
        let mut terms = Vec::new();
        for one in left {
            terms.extend(right.iter().filter_map(|two| one.both(two)));
            self.count_comparisons(right.len(), terms.len())?;
        }
        self.undominated(terms)
    }

    /// The terms that no other one makes superfluous, in a fixed order.
    fn undominated(&mut self, mut terms: Vec<Term>) -> Result<Vec<Term>, Exhausted> {
        let count = terms.len();
        terms.sort_by_cached_key(Term::weight);
        let mut kept: Vec<Term> = Vec::with_capacity(count);
        for term in terms {
            self.count_comparisons(1 + kept.len(), count)?;
            if !kept.iter().any(|other| other.dominates(&term)) {
                kept.push(term);
            }
        }
        Ok(kept)
    }

    /// Asks the budget now and then, while `terms` terms are held besides those that are known.
    fn count_comparisons(&mut self, comparisons: usize, terms: usize) -> Result<(), Exhausted> {
        self.comparisons += comparisons;
        if self.comparisons - self.checked < Budget::INTERVAL {
            return Ok(());
        }
        self.checked = self.comparisons;
        self.check_budget(terms)
    }

    fn check_budget(&self, terms: usize) -> Result<(), Exhausted> {
        /// While terms are compared they are held twice, and the list of those that were made has room for more.
        const COPIES: usize = 4;
        let words = self.elements.len().div_ceil(64).saturating_sub(1);
        // A set with further words has an allocation for them.
        let heap = if words == 0 { 0 } else { 2 * (2 + words) * size_of::<u64>() };
        let each = size_of::<Term>() + heap;
        self.budget.check(&Progress {
            states: self.states + self.comparisons / COMPARISONS_PER_STATE,
            transitions: self.known_terms + terms,
            bytes: self.held + (self.known_terms + COPIES * terms) * each,
            ..Progress::default()
        })
    }
}
