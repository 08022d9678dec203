//! The existence of a separator with a given number of states, as a formula.
//!
//! Variables: *move(q, a, p)*, the separator goes from state q by letter a to state p; *meet(s, q)*, a word that leads
//! the sample to s leads the separator to q, at least if it does. Clauses:
//! - a state has at most one successor by a letter;
//! - the initial states meet;
//! - for a step of the sample from s by a to t, and every q: if t is accepted and s meets q, then q has a successor by a;
//!   if t is rejected and s meets q, it has none; otherwise, if s meets q and q goes by a to p, then t meets p;
//! - states that are apart do not meet the same state. This follows from the other clauses, and helps the solver;
//! - the members of a clique meet states 0, 1, …, and the other states are numbered in the order in which they are
//!   first entered, state by state and letter by letter: so separators that differ only in numbering are tried once.
//!   All states can be entered, since there is no separator with fewer of them.

//!
//! A sample that grows adds variables and clauses; none is ever taken back, so that the solver keeps what it has learned.
//! The clique is that of the first sample: it stays one.

use std::cell::RefCell;

use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, lbool};
use rely_base::{ActionId, Budget, Exhausted, Id, Progress, StateId};
use rustc_hash::FxHashSet;

use super::apartness::Apartness;
use super::{Mark, Sample};

/// The result of solving a formula.
pub(super) enum Solution {
    /// By state and letter, the target in the separator.
    Table(Vec<Option<StateId>>),
    /// There is no separator with this number of states.
    None,
    /// The limit on conflicts or clauses was met.
    TooMuch,
}

/// The formula for a number of states.
pub(super) struct Formula<'b> {
    letters: usize,
    /// How many states the separator has.
    states: usize,
    /// The separator goes from state q by letter a to state p: at (q · letters + a) · states + p.
    moves: Vec<Lit>,
    /// State s of the sample meets state q of the separator: at s · states + q.
    meetings: Vec<Lit>,
    /// The transitions of the sample that the formula knows.
    known_steps: FxHashSet<(StateId, ActionId)>,
    /// The pairs of states that the formula knows to be apart.
    known_apart: FxHashSet<(StateId, StateId)>,
    solver: Solver<Watch<'b>>,
}

impl<'b> Formula<'b> {
    /// The formula of the empty sample.
    pub(super) fn new(letters: usize, states: usize, conflicts: usize, budget: &'b Budget<'b>) -> Self {
        let watch = Watch { left: conflicts, clauses: 0, states: 0, budget, met: RefCell::new(None) };
        Self {
            letters,
            states,
            moves: Vec::new(),
            meetings: Vec::new(),
            known_steps: FxHashSet::default(),
            known_apart: FxHashSet::default(),
            solver: Solver::new_with(SolverOpts::default(), watch),
        }
    }

    /// How many states the separator has.
    pub(super) fn states(&self) -> usize {
        self.states
    }

    /// The number of conflicts that the solver may still have.
    pub(super) fn conflicts_left(&self) -> usize {
        self.solver.cb().left
    }

    /// Adds what is new in the sample; returns false if this would exceed the limit on clauses.
    pub(super) fn extend(
        &mut self,
        sample: &Sample,
        apartness: &Apartness,
        clique: &[StateId],
        most_clauses: usize,
    ) -> bool {
        let steps: Vec<_> = sample
            .transitions()
            .filter(|&(source, letter, _)| !self.known_steps.contains(&(source, letter)))
            .collect();
        let pairs: Vec<_> =
            apartness.pairs(sample).into_iter().filter(|pair| !self.known_apart.contains(pair)).collect();
        let is_new = self.moves.is_empty() && self.meetings.is_empty();
        let square = self.states.saturating_mul(self.states);
        let table = if is_new { self.letters * self.states } else { 0 };
        let new = (steps.len() + table).saturating_mul(square).saturating_add(pairs.len() * self.states);
        let watch = self.solver.cb_mut();
        watch.clauses = watch.clauses.saturating_add(new);
        watch.states = sample.state_count();
        if watch.clauses > most_clauses {
            return false;
        }
        if is_new {
            self.add_table();
        }
        let missing = sample.state_count() * self.states - self.meetings.len();
        self.meetings.extend((0..missing).map(|_| Lit::new(self.solver.new_var_default(), true)));
        if is_new {
            self.add([self.meet(sample.initial(), 0)]);
            self.add_order(clique.len());
            for (q, &s) in clique.iter().enumerate() {
                self.add([self.meet(s, q)]);
            }
        }
        for (source, letter, target) in steps {
            self.known_steps.insert((source, letter));
            for from in 0..self.states {
                self.add_step((source, letter, target), sample.mark(target), from);
            }
        }
        for (s, t) in pairs {
            self.known_apart.insert((s, t));
            for q in 0..self.states {
                self.add([!self.meet(s, q), !self.meet(t, q)]);
            }
        }
        true
    }

    fn goes(&self, from: usize, letter: usize, to: usize) -> Lit {
        self.moves[(from * self.letters + letter) * self.states + to]
    }

    fn meet(&self, state: StateId, with: usize) -> Lit {
        self.meetings[state.index() * self.states + with]
    }

    fn add(&mut self, clause: impl IntoIterator<Item = Lit>) {
        let mut clause: Vec<Lit> = clause.into_iter().collect();
        // Whether the formula is still satisfiable is found out later.
        let _ = self.solver.add_clause_reuse(&mut clause);
    }

    /// A state has at most one successor by a letter.
    fn add_table(&mut self) {
        let count = self.states * self.letters * self.states;
        self.moves = (0..count).map(|_| Lit::new(self.solver.new_var_default(), true)).collect();
        for from in 0..self.states {
            for letter in 0..self.letters {
                for to in 0..self.states {
                    for other in to + 1..self.states {
                        self.add([!self.goes(from, letter, to), !self.goes(from, letter, other)]);
                    }
                }
            }
        }
    }

    /// The states from number `first` on are entered in their order.
    fn add_order(&mut self, first: usize) {
        // Whether the state before has been entered, after each place of the table.
        let mut before: Option<Vec<Lit>> = None;
        for state in first..self.states {
            let places = self.states * self.letters;
            let entered: Vec<Lit> =
                (0..places).map(|_| Lit::new(self.solver.new_var_default(), true)).collect();
            for place in 0..places {
                let goes = self.moves[place * self.states + state];
                let earlier = place.checked_sub(1).map(|earlier| entered[earlier]);
                self.add([!goes, entered[place]]);
                self.add(earlier.into_iter().chain([goes, !entered[place]]));
                if let Some(earlier) = earlier {
                    self.add([!earlier, entered[place]]);
                }
                if let Some(before) = &before {
                    self.add([!entered[place], before[place]]);
                }
            }
            before = Some(entered);
        }
    }

    /// The clauses for a step of the sample to a target with this mark, and for a state of the separator that its
    /// source meets.
    fn add_step(&mut self, (source, letter, target): (StateId, ActionId, StateId), mark: Mark, from: usize) {
        let (letter, here) = (letter.index(), self.meet(source, from));
        if mark == Mark::Accepted {
            let somewhere: Vec<Lit> = (0..self.states).map(|to| self.goes(from, letter, to)).collect();
            self.add(somewhere.into_iter().chain([!here]));
        }
        for to in 0..self.states {
            let goes = self.goes(from, letter, to);
            match mark {
                Mark::Rejected => self.add([!here, !goes]),
                Mark::Accepted | Mark::Open => self.add([!here, !goes, self.meet(target, to)]),
            }
        }
    }

    /// Searches for a separator.
    pub(super) fn solve(&mut self) -> Result<Solution, Exhausted> {
        self.solver.cb().check()?;
        let answer = self.solver.solve_limited(&[]);
        if let Some(exhausted) = self.solver.cb().met.take() {
            return Err(exhausted);
        }
        if answer == lbool::FALSE {
            return Ok(Solution::None);
        }
        if answer != lbool::TRUE {
            return Ok(Solution::TooMuch);
        }
        let is_true = |literal: Lit| self.solver.value_lit(literal) == lbool::TRUE;
        let mut table = Vec::with_capacity(self.states * self.letters);
        for from in 0..self.states {
            for letter in 0..self.letters {
                let to = (0..self.states).find(|&to| is_true(self.goes(from, letter, to)));
                table.push(to.map(StateId::from_index));
            }
        }
        Ok(Solution::Table(table))
    }
}

/// Stops the solver at a limit.
struct Watch<'b> {
    /// How many conflicts there may still be.
    left: usize,
    /// The number of clauses, and of states of the sample, as the budget sees them.
    clauses: usize,
    states: usize,
    budget: &'b Budget<'b>,
    /// The limit of the budget that was met.
    met: RefCell<Option<Exhausted>>,
}

impl Watch<'_> {
    fn check(&self) -> Result<(), Exhausted> {
        let bytes = self.clauses.saturating_mul(CLAUSE);
        self.budget.check(&Progress { states: self.states, bytes, ..Progress::default() })
    }
}

impl Callbacks for Watch<'_> {
    fn on_new_clause(&mut self, _clause: &[Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.left = self.left.saturating_sub(1);
            self.clauses = self.clauses.saturating_add(1);
        }
    }

    fn stop(&self) -> bool {
        if self.left == 0 {
            return true;
        }
        // Reading a clock costs about as much as a few conflicts.
        if self.left.is_multiple_of(CONFLICTS) {
            *self.met.borrow_mut() = self.check().err();
        }
        self.met.borrow().is_some()
    }
}

/// The number of conflicts between two checks of the budget.
const CONFLICTS: usize = 64;

/// Approximate number of bytes of a clause.
const CLAUSE: usize = 24;
