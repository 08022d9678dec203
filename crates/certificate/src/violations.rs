//! The automaton of the words that violate a formula, made step by step.
//!
//! Problem: read a word letter by letter and say whether it violates a formula. The engine has a translation to small
//! Büchi automata for this. Here it is done once more in the plainest way, so that nothing has to be trusted.
//!
//! Source: [Muller, Saoudi & Schupp 1988] for alternating automata, [Gastin & Oddoux 2001] for how to follow them. Idea:
//! a state is a set of *obligations*, formulas that the rest of the word has to satisfy; at first there is one, the
//! negated formula. To read a letter, resolve every obligation: a literal is true or false of the letter, a conjunction
//! is two obligations, of a disjunction one is chosen, `X f` leaves the obligation f for the next letter, and
//! - `f U g` is g, or it is f and is left for the next letter again: then it is *postponed*;
//! - `f R g` is g, and also f, or it is left for the next letter again.
//!
//! A run is accepting when no until-formula is postponed from some point on for ever. A choice is dropped if another
//! one leaves no more obligations and postpones no more: whatever is accepted after it is accepted after the other.
//!
//! Complexity: exponentially many sets in the length of the formula at worst, of which only those that occur are made.
//! Called by the judge and by the code that makes evidence, so that both use the same obligations.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use rely_base::{Budget, Exhausted, Progress};
use rely_omega::{AtomSet, Formula};

use crate::forms::{Form, FormId, Forms};

/// The automaton of the words that violate a conjunct of a formula.
///
/// A state is a number for each possible obligation: 1 if it is one, and 0 otherwise.
#[derive(Clone, Debug)]
pub struct Violations {
    forms: Rc<Forms>,
    /// The negated conjunct.
    root: FormId,
    /// The formulas that may be left for the next letter, and the root.
    obligations: Vec<FormId>,
    /// The until-formulas among them.
    untils: Vec<FormId>,
    /// The atoms of the conjunct.
    atoms: AtomSet,
    /// A cache of the steps.
    known: RefCell<HashMap<Question, Rc<Vec<Choice>>>>,
    /// The bytes of the cache.
    bytes: Cell<usize>,
    /// The work done since the last check of the budget.
    unasked: Cell<usize>,
}

/// A state and a letter.
type Question = (Vec<u32>, AtomSet);

/// A way to read a letter.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Choice {
    /// The state that it leads to.
    pub target: Vec<u32>,
    /// For each until-formula, whether it is postponed.
    pub postponed: Vec<bool>,
}

impl Violations {
    /// The automata of the conjuncts of a formula, in a fixed order. A word violates the formula if it violates one.
    pub fn of(formula: &Formula) -> Vec<Self> {
        let mut forms = Forms::default();
        let whole = forms.enter(formula);
        let conjuncts = forms.conjuncts(whole);
        let forms = Rc::new(forms);
        conjuncts.into_iter().map(|conjunct| Self::new(Rc::clone(&forms), conjunct)).collect()
    }

    /// The automaton of the words that satisfy a formula: those that violate its negation.
    pub fn of_negation(formula: &Formula) -> Self {
        let mut forms = Forms::default();
        let negation = forms.enter(&formula.clone().negated());
        Self::new(Rc::new(forms), negation)
    }

    fn new(forms: Rc<Forms>, conjunct: FormId) -> Self {
        let mut atoms = AtomSet::new();
        let root = forms.negation(conjunct);
        let mut seen = BTreeSet::new();
        let mut obligations = BTreeSet::from([root]);
        let mut pending = vec![root];
        while let Some(form) = pending.pop() {
            if !seen.insert(form) {
                continue;
            }
            match forms.get(form) {
                Form::Constant(_) => {}
                Form::Literal(atom, _) => atoms.insert(atom),
                Form::And(f, g) | Form::Or(f, g) => pending.extend([f, g]),
                Form::Next(f) => {
                    obligations.insert(f);
                    pending.push(f);
                }
                Form::Until(f, g) | Form::Release(f, g) => {
                    obligations.insert(form);
                    pending.extend([f, g]);
                }
            }
        }
        let is_until = |form: &FormId| matches!(forms.get(*form), Form::Until(..));
        let untils = obligations.iter().copied().filter(is_until).collect();
        Self {
            root,
            obligations: obligations.into_iter().collect(),
            untils,
            atoms,
            forms,
            known: RefCell::default(),
            bytes: Cell::new(0),
            unasked: Cell::new(0),
        }
    }

    /// How many numbers a state has.
    pub fn width(&self) -> usize {
        self.obligations.len()
    }

    /// How many until-formulas there are.
    pub fn until_count(&self) -> usize {
        self.untils.len()
    }

    /// The atoms of the conjunct. Others do not matter for reading a letter.
    pub fn atoms(&self) -> &AtomSet {
        &self.atoms
    }

    /// Bytes held by the cache of steps.
    pub fn bytes(&self) -> usize {
        self.bytes.get()
    }

    /// The state before the first letter.
    pub fn initial(&self) -> Vec<u32> {
        self.obligations.iter().map(|&form| u32::from(form == self.root)).collect()
    }

    /// The ways to read a letter in a state.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn choices(
        &self,
        state: &[u32],
        letter: &AtomSet,
        budget: &Budget<'_>,
    ) -> Result<Rc<Vec<Choice>>, Exhausted> {
        let question = (state.to_vec(), letter.clone());
        if let Some(known) = self.known.borrow().get(&question) {
            return Ok(Rc::clone(known));
        }
        let obligations = (0..state.len()).filter(|&i| state[i] == 1).map(|i| self.obligations[i]);
        let choices = Rc::new(self.resolve(obligations.collect(), letter, budget)?);
        self.known.borrow_mut().insert(question, Rc::clone(&choices));
        self.bytes.set(self.bytes.get() + self.bytes_of(choices.len()));
        Ok(choices)
    }

    /// All ways to resolve obligations, except those that others make superfluous.
    fn resolve(
        &self,
        obligations: Vec<FormId>,
        letter: &AtomSet,
        budget: &Budget<'_>,
    ) -> Result<Vec<Choice>, Exhausted> {
        let mut open = vec![Branch { pending: obligations, ..Branch::default() }];
        let mut choices: Vec<Choice> = Vec::new();
        while let Some(mut branch) = open.pop() {
            // Resolving looks at every obligation, and comparing at every choice.
            self.work(self.width() + choices.len(), choices.len(), budget)?;
            if branch.resolve(&self.forms, letter, &mut open) {
                let choice = self.choice(&branch);
                if !choices.iter().any(|other| other.is_no_more_than(&choice)) {
                    choices.retain(|other| !choice.is_no_more_than(other));
                    choices.push(choice);
                }
            }
        }
        choices.sort_unstable();
        Ok(choices)
    }

    fn choice(&self, branch: &Branch) -> Choice {
        let target = self.obligations.iter().map(|form| u32::from(branch.next.contains(form)));
        let postponed = self.untils.iter().map(|form| branch.postponed.contains(form));
        Choice { target: target.collect(), postponed: postponed.collect() }
    }

    /// Counts `amount` units of work; `choices` is the number of choices made so far.
    fn work(&self, amount: usize, choices: usize, budget: &Budget<'_>) -> Result<(), Exhausted> {
        self.unasked.set(self.unasked.get() + amount);
        if self.unasked.get() < 8 * Budget::INTERVAL {
            return Ok(());
        }
        self.unasked.set(0);
        let (states, bytes) = (self.known.borrow().len(), self.bytes.get() + self.bytes_of(choices));
        budget.check(&Progress { states, bytes, ..Progress::default() })
    }

    /// The bytes of `choices` choices and of their entry in the cache.
    fn bytes_of(&self, choices: usize) -> usize {
        let state = self.width() * size_of::<u32>();
        let choice = size_of::<Choice>() + state + self.untils.len();
        2 * size_of::<Question>() + state + choices * choice
    }
}

impl Choice {
    /// Whether it leaves and postpones nothing that the other does not.
    fn is_no_more_than(&self, other: &Self) -> bool {
        self.target.iter().zip(&other.target).all(|(mine, others)| mine <= others)
            && self.postponed.iter().zip(&other.postponed).all(|(mine, others)| mine <= others)
    }
}

/// Obligations that are being resolved.
#[derive(Clone, Default)]
struct Branch {
    pending: Vec<FormId>,
    resolved: BTreeSet<FormId>,
    next: BTreeSet<FormId>,
    postponed: BTreeSet<FormId>,
}

impl Branch {
    /// Resolves the pending obligations; alternatives are added to `open`. Returns false if they cannot be resolved.
    fn resolve(&mut self, forms: &Forms, letter: &AtomSet, open: &mut Vec<Self>) -> bool {
        while let Some(form) = self.pending.pop() {
            if !self.resolved.insert(form) {
                continue;
            }
            match forms.get(form) {
                Form::Constant(false) => return false,
                Form::Constant(true) => {}
                Form::Literal(atom, positive) => {
                    if letter.contains(atom) != positive {
                        return false;
                    }
                }
                Form::And(f, g) => self.pending.extend([f, g]),
                Form::Or(f, g) => {
                    open.push(self.with(g));
                    self.pending.push(f);
                }
                Form::Next(f) => {
                    self.next.insert(f);
                }
                Form::Until(f, g) => {
                    open.push(self.with(g));
                    self.next.insert(form);
                    self.postponed.insert(form);
                    self.pending.push(f);
                }
                Form::Release(f, g) => {
                    self.pending.push(g);
                    open.push(self.with(f));
                    self.next.insert(form);
                }
            }
        }
        true
    }

    fn with(&self, form: FormId) -> Self {
        let mut branch = self.clone();
        branch.pending.push(form);
        branch
    }
}

#[cfg(test)]
pub(crate) mod tests;
