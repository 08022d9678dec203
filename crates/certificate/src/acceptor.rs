//! Automata that read the letters of a run, for the judge: built from templates and formulas, with Streett pairs.
//!
//! An acceptor says of every letter that it reads which *pairs* are requested and which are answered. A run is accepting if
//! every pair that is requested again and again is answered again and again. Templates are read as the table in the head of
//! `rely_omega`'s templates says, formulas by [`Violations`]; no automaton of the engine is used.
//!
//! Called by the judge of commitments (`check/commitment.rs`) and by the code that makes evidence, so that both use
//! the same states.

use rely_base::{Budget, Exhausted};
use rely_omega::{AtomSet, Formula, Statement, Template};

use crate::Violations;

/// Reads the words of which a statement is true, or those that violate it.
#[derive(Clone, Debug)]
pub struct Acceptor(Kind);

#[derive(Clone, Debug)]
enum Kind {
    /// The words of which a template is true; if it is negated, all others. A state is one number.
    Template { template: Template, negated: bool },
    /// The words that satisfy the obligations.
    Obligations(Violations),
}

/// A way to read a letter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The state that it leads to.
    pub target: Vec<u32>,
    /// For each pair, whether it is requested, and whether it is answered.
    pub pairs: Vec<(bool, bool)>,
}

/// The state of a template before its event has happened, and after a request has been answered.
const IDLE: u32 = 0;
/// The state of a template after its event has happened.
const ARMED: u32 = 1;
/// The state of a template that is violated for good.
const BROKEN: u32 = 2;

impl Acceptor {
    /// The acceptor of the words of which a statement is true.
    pub fn of(statement: &Statement) -> Self {
        Self(match statement {
            Statement::Template(template) => Kind::Template { template: template.clone(), negated: false },
            Statement::Formula(formula) => Kind::Obligations(Violations::of_negation(formula)),
        })
    }

    /// Acceptors of the words that violate a statement: each such word is accepted by one of them.
    pub fn of_violations(statement: &Statement) -> Vec<Self> {
        match statement {
            Statement::Template(template) => {
                vec![Self(Kind::Template { template: template.clone(), negated: true })]
            }
            Statement::Formula(formula) => {
                Violations::of(formula).into_iter().map(|it| Self(Kind::Obligations(it))).collect()
            }
        }
    }

    /// How many numbers a state has.
    pub fn width(&self) -> usize {
        match &self.0 {
            Kind::Template { .. } => 1,
            Kind::Obligations(violations) => violations.width(),
        }
    }

    /// How many pairs there are.
    pub fn pair_count(&self) -> usize {
        match &self.0 {
            Kind::Template { template: Template::IfRepeatedlyRepeatedly(..), negated: true } => 2,
            Kind::Template { template, negated } => usize::from(*negated || !template.is_safety()),
            Kind::Obligations(violations) => violations.until_count(),
        }
    }

    /// The atoms that it speaks of. Others do not matter for reading a letter.
    pub fn atoms(&self) -> AtomSet {
        match &self.0 {
            Kind::Template { template, .. } => Statement::Template(template.clone()).atoms(),
            Kind::Obligations(violations) => violations.atoms().clone(),
        }
    }

    /// The state before the first letter.
    pub fn initial(&self) -> Vec<u32> {
        match &self.0 {
            Kind::Template { .. } => vec![IDLE],
            Kind::Obligations(violations) => violations.initial(),
        }
    }

    /// The ways to read a letter in a state; none if no word goes on like this.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn read(
        &self,
        state: &[u32],
        letter: &AtomSet,
        budget: &Budget<'_>,
    ) -> Result<Vec<Reading>, Exhausted> {
        match &self.0 {
            Kind::Template { template, negated } => {
                let next = step(template, state[0], letter);
                if next == BROKEN && !negated {
                    return Ok(Vec::new());
                }
                let pairs = pairs(template, *negated, next, letter);
                Ok(vec![Reading { target: vec![next], pairs }])
            }
            Kind::Obligations(violations) => {
                let choices = violations.choices(state, letter, budget)?;
                let reading = |choice: &crate::Choice| Reading {
                    target: choice.target.clone(),
                    pairs: choice.postponed.iter().map(|postponed| (true, !postponed)).collect(),
                };
                Ok(choices.iter().map(reading).collect())
            }
        }
    }
}

/// Where a letter leads a template.
fn step(template: &Template, state: u32, letter: &AtomSet) -> u32 {
    let is = |condition: &Formula| condition.holds(letter);
    if state == BROKEN {
        return BROKEN;
    }
    match template {
        Template::Never(d) if is(d) => BROKEN,
        Template::Always(p) if !is(p) => BROKEN,
        Template::Eventually(d) if is(d) => ARMED,
        // Before and at the first step of f there must be no d; afterwards everything is allowed.
        Template::NeverUntilAfter(d, _) if state == IDLE && is(d) => BROKEN,
        Template::NeverUntilAfter(_, f) if is(f) => ARMED,
        Template::AfterNeverUntilAfter(e, _, _) if state == IDLE => u32::from(is(e)),
        Template::AfterNeverUntilAfter(_, d, _) if is(d) => BROKEN,
        Template::AfterNeverUntilAfter(e, _, f) if is(f) && !is(e) => IDLE,
        Template::AfterEventually(e, _) if state == IDLE => u32::from(is(e)),
        Template::AfterEventually(_, d) if is(d) => IDLE,
        _ => state,
    }
}

/// For each pair of a template, whether a letter that leads to the state `next` requests it, and whether it answers
/// it.
fn pairs(template: &Template, negated: bool, next: u32, letter: &AtomSet) -> Vec<(bool, bool)> {
    let is = |condition: &Formula| condition.holds(letter);
    // The condition has to occur infinitely often or, if negated, only finitely often.
    let recurs = |it: bool| if negated { vec![(it, false)] } else { vec![(true, it)] };
    match template {
        Template::Never(_)
        | Template::Always(_)
        | Template::NeverUntilAfter(..)
        | Template::AfterNeverUntilAfter(..) => match negated {
            true => vec![(true, next == BROKEN)],
            false => Vec::new(),
        },
        Template::Eventually(_) => recurs(next == ARMED),
        Template::AfterEventually(..) => recurs(next == IDLE),
        Template::Repeatedly(e) => recurs(is(e)),
        Template::EventuallyAlways(p) => match negated {
            true => vec![(true, !is(p))],
            false => vec![(!is(p), false)],
        },
        Template::IfRepeatedlyRepeatedly(e, d) => match negated {
            true => vec![(true, is(e)), (is(d), false)],
            false => vec![(is(e), is(d))],
        },
    }
}
