//! Statements about runs, and what a component commits itself to: a statement under assumptions.
//!
//! **Source.** The pairs (p, A(p)) of [Xie & Browne 2003]: p holds of a component if all of A(p) hold of its environment.
//! Assumptions speak of the same runs as p, so the pair says that every run of which all assumptions are true is one of which
//! p is true.
//!
//! What the atoms stand for is left to whoever has the runs: it is the parameter of [`Commitment`].

use std::fmt;

use rely_base::{ActionId, Budget, Exhausted};

use crate::{AtomId, AtomSet, Automaton, Buchi, Formula, Template, is_safety};

/// A temporal statement: a template, or a formula of linear temporal logic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// A template over conditions, which are formulas without temporal operators.
    Template(Template),
    /// A formula of linear temporal logic.
    Formula(Formula),
}

impl Statement {
    /// An automaton that accepts the words of which it is true; that of a template is deterministic.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn automaton(&self, budget: &Budget<'_>) -> Result<Automaton, Exhausted> {
        match self {
            Self::Template(template) => Ok(template.acceptor()),
            Self::Formula(formula) => Ok(Automaton::from(&Buchi::translate(formula, budget)?)),
        }
    }

    /// An automaton that accepts the words of which it is not true.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn complement(&self, budget: &Budget<'_>) -> Result<Automaton, Exhausted> {
        match self {
            Self::Template(template) => {
                let mut complement = template.acceptor().completed(budget)?;
                complement.acceptance = complement.acceptance.dual();
                Ok(complement)
            }
            Self::Formula(formula) => {
                Ok(Automaton::from(&Buchi::translate(&formula.clone().negated(), budget)?))
            }
        }
    }

    /// Whether every violation shows itself after finitely many steps.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn is_safety(&self, budget: &Budget<'_>) -> Result<bool, Exhausted> {
        match self {
            Self::Template(template) => Ok(template.is_safety()),
            Self::Formula(formula) => is_safety(formula, budget),
        }
    }

    /// The atoms that it speaks of.
    pub fn atoms(&self) -> AtomSet {
        match self {
            Self::Formula(formula) => formula.atoms(),
            Self::Template(template) => {
                let mut atoms = AtomSet::new();
                template.conditions().for_each(|condition| atoms.insert_all(&condition.atoms()));
                atoms
            }
        }
    }

    /// This claim about other atoms.
    #[must_use]
    pub fn renamed(&self, rename: &impl Fn(AtomId) -> AtomId) -> Self {
        match self {
            Self::Template(template) => {
                Self::Template(template.mapped(|condition| condition.renamed(rename)))
            }
            Self::Formula(formula) => Self::Formula(formula.renamed(rename)),
        }
    }

    /// The statement as it is written, with the names of its atoms.
    pub fn display(&self, name: impl Fn(AtomId) -> String) -> String {
        let show = |condition: &Formula| condition.display(&name).to_string();
        match self {
            Self::Formula(formula) => show(formula),
            Self::Template(template) => match template {
                Template::Never(d) => format!("Never({})", show(d)),
                Template::Always(p) => format!("Always({})", show(p)),
                Template::Eventually(d) => format!("Eventually({})", show(d)),
                Template::NeverUntilAfter(d, f) => format!("Never({}) UntilAfter({})", show(d), show(f)),
                Template::AfterNeverUntilAfter(e, d, f) => {
                    format!("After({}) Never({}) UntilAfter({})", show(e), show(d), show(f))
                }
                Template::AfterEventually(e, d) => format!("After({}) Eventually({})", show(e), show(d)),
                Template::Repeatedly(e) => format!("Repeatedly({})", show(e)),
                Template::EventuallyAlways(p) => format!("EventuallyAlways({})", show(p)),
                Template::IfRepeatedlyRepeatedly(e, d) => {
                    format!("IfRepeatedly({}) Repeatedly({})", show(e), show(d))
                }
            },
        }
    }
}

impl Formula {
    /// The same formula about other atoms.
    #[must_use]
    pub fn renamed(&self, rename: &impl Fn(AtomId) -> AtomId) -> Self {
        let of = |operand: &Self| Box::new(operand.renamed(rename));
        match self {
            Self::True => Self::True,
            Self::False => Self::False,
            Self::Atom(atom) => Self::Atom(rename(*atom)),
            Self::Not(f) => Self::Not(of(f)),
            Self::Next(f) => Self::Next(of(f)),
            Self::Eventually(f) => Self::Eventually(of(f)),
            Self::Always(f) => Self::Always(of(f)),
            Self::And(f, g) => Self::And(of(f), of(g)),
            Self::Or(f, g) => Self::Or(of(f), of(g)),
            Self::Implies(f, g) => Self::Implies(of(f), of(g)),
            Self::Iff(f, g) => Self::Iff(of(f), of(g)),
            Self::Until(f, g) => Self::Until(of(f), of(g)),
            Self::WeakUntil(f, g) => Self::WeakUntil(of(f), of(g)),
            Self::Release(f, g) => Self::Release(of(f), of(g)),
        }
    }
}

/// A statement under assumptions. All of them have their atoms in common, which stand for propositions `P`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Commitment<P> {
    /// Its name.
    pub name: String,
    /// What is claimed.
    pub claim: Statement,
    /// What is assumed.
    pub assuming: Vec<Statement>,
    /// What the atoms stand for.
    pub propositions: Vec<P>,
    /// What the atoms are called.
    pub names: Vec<String>,
}

impl<P> Commitment<P> {
    /// A statement in the names of the atoms.
    pub fn show(&self, statement: &Statement) -> String {
        let name = |atom: AtomId| self.names.get(atom.raw() as usize).cloned();
        statement.display(|atom| name(atom).unwrap_or_else(|| format!("p{}", atom.raw())))
    }

    /// The whole, in words.
    pub fn text(&self) -> String {
        let assuming: Vec<String> = self.assuming.iter().map(|assumption| self.show(assumption)).collect();
        match assuming.is_empty() {
            true => self.show(&self.claim),
            false => format!("{} assuming {}", self.show(&self.claim), assuming.join(", ")),
        }
    }

    /// This commitment without one of its assumptions.
    #[must_use]
    pub fn without(&self, assumption: usize) -> Self
    where
        P: Clone,
    {
        let mut weaker = self.clone();
        weaker.assuming.remove(assumption);
        weaker
    }
}

/// Which processes are treated fairly, where processes take turns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Justice {
    /// None: a process that could go on may wait for ever.
    None,
    /// A process that could go on from some time on for ever goes on some time.
    #[default]
    Weak,
    /// A process that could go on again and again goes on again and again.
    Strong,
}

impl Justice {
    /// All of them, the one that counts most runs first.
    pub const ALL: [Self; 3] = [Self::None, Self::Weak, Self::Strong];
}

impl fmt::Display for Justice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Weak => "weak",
            Self::Strong => "strong",
        })
    }
}

/// How the steps of a system are scheduled.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scheduling {
    /// How fair that is.
    pub justice: Justice,
    /// The actions of each process that is treated fairly, in increasing order. No action belongs to two of them.
    pub processes: Vec<Vec<ActionId>>,
}
