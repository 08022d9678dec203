//! Assertions by an invariant of the product with the automaton of the negation.
//!
//! Problem: show that no run of the network violates a formula, where runs are infinite and fair, or stop where
//! nothing is possible and then stutter for ever. Let V be the automaton of the words that violate it
//! (`violations.rs`); it accepts a run when no until-formula is postponed from some point on for ever. Which runs are
//! fair is part of the claim ([`Fairness`]); the rule below is for fair choice, and the changes for the other kinds
//! follow it.
//!
//! Evidence: an inductive invariant of the product of network, fluents and V. Every state has a *class* and a *rank*. A
//! class is *waiting* when there is an until-formula that every step between two of its states postpones. Write s for
//! the state of the network in a state of the product, and say that a class *covers* a step s –a→ s′ of the network when
//! some step of the product between two states of the class is over it.
//!
//! A run into the error state ends there, its last step included, and has to satisfy the formula whatever would have come
//! next: V must not accept any continuation of it by actions (`continuations.rs`).
//!
//! Rule: besides initiation and consecution, and that no step leads to the error state and leaves something that V
//! accepts,
//! 1. no step leads to a larger class;
//! 2. where s has no step, V does not accept the stuttering that follows;
//! 3. in a class that is not waiting, a state of rank 0 is over an s that has no step, or one that the class does not
//!    cover; and a state of greater rank has a step to one of smaller rank in its class.
//!
//! Sound: a run that stops does not violate the formula by 2, and one into the error state has been looked at. Suppose
//! an infinite fair run does, and take an accepting run of V on it. By 1 it stays in one class from some point on,
//! which therefore is not waiting. Let S be the states of the network that occur infinitely often. By fairness each
//! step of a state of S is taken infinitely often: so it leads to S, and the class covers it. From a state of the class
//! over S go down the ranks: every step is one of the network, so the state of rank 0 where this ends is over S, too.
//! But by 3 it has a step that is not covered, or none. ∎
//!
//! Without fairness, rule 3 is: a class that is not waiting has no step between two of its states. Sound: an accepting run
//! stays in one class from some point on, which has steps and therefore is waiting; but then V does not accept.
//!
//! For choices at random, rule 3 is that of `random.rs`: whatever happens in a class that is not waiting, V may have
//! to leave it. Ranks are not used in either case.
//!
//! The formula is split into conjuncts first, each of which has its evidence. The letters are computed from the names of
//! actions (`meaning.rs`).
//!
//! Complexity: for each state of the product its steps, three times, and a bisection for each; in addition, the
//! continuations of errors and the stuttering of runs that stop, each once.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use rely_base::{ActionId, Budget};
use rely_omega::{Assertion, AtomSet, Fairness};

use super::acceptance::{Acceptance, choices};
use super::continuations::Continuations;
use super::meaning::Meaning;
use super::random::Immortality;
use super::states::{Meter, action_name, cut, part_name};
use crate::rejection::shown;
use crate::semantics::{Semantics, Target};
use crate::violations::Violations;
use crate::{Choice, Rejection, StateTable, Table};

/// Judges whether the tables, one for each conjunct, show that an assertion holds of a behaviour that has all its actions.
pub(super) fn check_assertion(
    semantics: &impl Semantics,
    (assertion, fairness): (&Assertion, Fairness),
    tables: &[Table],
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    let conjuncts = Violations::of(&assertion.formula);
    if conjuncts.len() != tables.len() {
        return Err(Rejection::WrongEvidence);
    }
    let meaning = Meaning::new(assertion, semantics.behaviour().alphabet());
    // The cache of an automaton is dropped together with it.
    for (violations, table) in conjuncts.into_iter().zip(tables) {
        Observed::read(semantics, &meaning, &violations, table, budget)?.check(fairness)?;
    }
    Ok(())
}

/// A step of a state of the product.
pub(super) struct Step<'s> {
    pub(super) action: Option<ActionId>,
    /// Where it leads in the behaviour.
    pub(super) place: &'s [u32],
    /// The row where it leads in the product.
    pub(super) row: usize,
    /// For each until-formula, whether it is postponed.
    postponed: &'s [bool],
}

/// The steps of the network that classes cover.
struct Covered<'t> {
    /// A number for each state of the network that is part of one of the classes.
    places: HashMap<&'t [u32], usize>,
    steps: HashSet<CoveredStep>,
}

/// Class, source, action and target of a step of the network.
type CoveredStep = (u32, usize, Option<ActionId>, usize);

impl Covered<'_> {
    fn contains(&self, class: u32, source: &[u32], action: Option<ActionId>, target: &[u32]) -> bool {
        match (self.places.get(source), self.places.get(target)) {
            (Some(&source), Some(&target)) => self.steps.contains(&(class, source, action, target)),
            _ => false,
        }
    }
}

/// The product of the behaviour, the fluents and the automaton of the violations, as the certificate gives it.
pub(super) struct Observed<'a, S> {
    semantics: &'a S,
    meaning: &'a Meaning,
    violations: &'a Violations,
    table: StateTable,
    /// The continuations of errors.
    continuations: RefCell<Continuations<'a>>,
    pub(super) meter: Meter<'a>,
}

impl<'a, S: Semantics> Observed<'a, S> {
    /// Reads the states of the product, the initial one among them.
    fn read(
        semantics: &'a S,
        meaning: &'a Meaning,
        violations: &'a Violations,
        table: &Table,
        budget: &'a Budget<'a>,
    ) -> Result<Self, Rejection> {
        let key = violations.width() + meaning.fluent_count() + semantics.width();
        let table = StateTable::decode(table, key, 2, budget)??;
        let meter = Meter::new(budget, table.bytes());
        let continuations = RefCell::new(Continuations::new(meaning, violations));
        let product = Self { semantics, meaning, violations, table, continuations, meter };
        for row in 0..product.table.len() {
            product.meter.step(product.table.len())?;
            let place = product.place(row);
            let mut bits = product.obligations(row).iter().chain(product.fluents(row));
            let proper = bits.all(|&value| value <= 1) && semantics.is_state(place);
            if !proper {
                return Err(Rejection::NoState(product.shown(row)));
            }
        }
        product.check_initiation()?;
        Ok(product)
    }

    fn check_initiation(&self) -> Result<(), Rejection> {
        let (start, fluents) = (self.violations.initial(), self.meaning.initial());
        if let Some(component) = self.semantics.failed_at_start() {
            return match self.some_continuation_violates(&start, &fluents)? {
                true => Err(self.fails(None, String::new(), component)),
                false => Ok(()),
            };
        }
        let key = [start, fluents, self.semantics.initial()].concat();
        self.table.find(&key).map(|_| ()).ok_or(Rejection::InitialMissing)
    }

    /// Whether V accepts, in a state and with these fluents, some continuation after an error.
    fn some_continuation_violates(&self, state: &[u32], fluents: &[u32]) -> Result<bool, Rejection> {
        self.continuations.borrow_mut().some_violates(state, fluents, &self.meter)
    }

    /// The rejection because a component reaches its error state.
    fn fails(&self, row: Option<usize>, action: String, component: usize) -> Rejection {
        let component = part_name(self.semantics, component);
        Rejection::Fails { state: row.map(|row| self.shown(row)), action, component }
    }

    /// The state of the automaton.
    fn obligations(&self, row: usize) -> &[u32] {
        &self.table.key(row)[..self.violations.width()]
    }

    fn fluents(&self, row: usize) -> &[u32] {
        &self.table.key(row)[self.violations.width()..][..self.meaning.fluent_count()]
    }

    /// The state of the network.
    fn place(&self, row: usize) -> &[u32] {
        &self.table.key(row)[self.violations.width() + self.meaning.fluent_count()..]
    }

    pub(super) fn class(&self, row: usize) -> u32 {
        self.table.notes(row)[0]
    }

    fn rank(&self, row: usize) -> u32 {
        self.table.notes(row)[1]
    }

    pub(super) fn shown(&self, row: usize) -> String {
        shown(self.table.key(row))
    }

    fn check(&self, fairness: Fairness) -> Result<(), Rejection> {
        let rows = || 0..self.table.len();
        let stuttering = (self.violations.width() + 1) * size_of::<u32>();
        let mut known = Acceptance::new(stuttering);
        // By class, the until-formulas that all steps between its states seen so far postpone.
        let mut postponed: BTreeMap<u32, Vec<bool>> = BTreeMap::new();
        for row in rows() {
            postponed.entry(self.class(row)).or_insert_with(|| vec![true; self.violations.until_count()]);
            self.check_classes(row, &mut postponed)?;
            self.check_stopping(row, &mut known)?;
        }
        let waiting = |untils: &Vec<bool>| untils.contains(&true);
        let active: BTreeSet<u32> =
            postponed.iter().filter(|(_, untils)| !waiting(untils)).map(|(&class, _)| class).collect();
        let mut members = rows().filter(|&row| active.contains(&self.class(row)));
        match fairness {
            Fairness::None => members.try_for_each(|row| self.check_is_left(row)),
            Fairness::Choice => {
                let covered = self.covered(&active)?;
                members.try_for_each(|row| self.check_rank(row, &covered))
            }
            Fairness::Random => Immortality::new(self).check(members),
        }
    }

    /// Rule 3 without fairness.
    fn check_is_left(&self, row: usize) -> Result<(), Rejection> {
        self.steps(row, &mut |step| match self.class(step.row) == self.class(row) {
            true => Err(Rejection::Stays(self.shown(row))),
            false => Ok(()),
        })
    }

    /// Calls `visit` for every step of the behaviour in a row. None may leave the bounds of what is explored.
    pub(super) fn behaviour_steps(
        &self,
        row: usize,
        visit: &mut impl FnMut(Option<ActionId>, Target<'_>) -> Result<(), Rejection>,
    ) -> Result<(), Rejection> {
        self.meter.work(self.semantics.effort(), self.table.len())?;
        self.semantics.steps(self.place(row), &mut |action, target| {
            self.meter.step(self.table.len())?;
            match target {
                Target::Cut(unit) => Err(cut(self.semantics, self.shown(row), action, unit)),
                Target::State(_) | Target::Failure(_) => visit(action, target),
            }
        })
    }

    /// Calls `visit` for every step of a row. All targets have to be in the table.
    pub(super) fn steps(
        &self,
        row: usize,
        visit: &mut impl FnMut(&Step<'_>) -> Result<(), Rejection>,
    ) -> Result<(), Rejection> {
        let mut target: Vec<u32> = Vec::new();
        self.behaviour_steps(row, &mut |action, end| {
            let fluents = self.meaning.after(self.fluents(row), action);
            let letter = self.meaning.letter(&fluents, action, self.violations.atoms());
            let choices = choices(self.violations, (self.obligations(row), &letter), &self.meter)?;
            let place = match end {
                Target::State(place) => place,
                Target::Failure(part) | Target::Cut(part) => {
                    for choice in choices.iter() {
                        if self.some_continuation_violates(&choice.target, &fluents)? {
                            let action = action_name(self.semantics, action);
                            return Err(self.fails(Some(row), action, part));
                        }
                    }
                    return Ok(());
                }
            };
            for choice in choices.iter() {
                target.clear();
                target.extend(choice.target.iter().chain(&fluents).chain(place));
                let Some(row) = self.table.find(&target) else {
                    let action = action_name(self.semantics, action);
                    return Err(Rejection::NotClosed { state: self.shown(row), action });
                };
                visit(&Step { action, place, row, postponed: &choice.postponed })?;
            }
            Ok(())
        })
    }

    /// Checks rule 1. Also removes from `postponed` what the steps inside the class of a row do not postpone.
    fn check_classes(&self, row: usize, postponed: &mut BTreeMap<u32, Vec<bool>>) -> Result<(), Rejection> {
        let class = self.class(row);
        self.steps(row, &mut |step| {
            if self.class(step.row) > class {
                return Err(Rejection::ClassIncreases(self.shown(row)));
            }
            if let (true, Some(all)) = (self.class(step.row) == class, postponed.get_mut(&class)) {
                all.iter_mut().zip(step.postponed).for_each(|(all, postponed)| *all &= postponed);
            }
            Ok(())
        })
    }

    /// Rule 2. A node is a state of the automaton and the letter that the run stutters on.
    fn check_stopping(
        &self,
        row: usize,
        known: &mut Acceptance<(Vec<u32>, AtomSet)>,
    ) -> Result<(), Rejection> {
        let mut stops = true;
        self.behaviour_steps(row, &mut |_, _| {
            stops = false;
            Ok(())
        })?;
        if !stops {
            return Ok(());
        }
        let letter = self.meaning.letter(self.fluents(row), None, self.violations.atoms());
        let start = (self.obligations(row).to_vec(), letter);
        let accepted = known.is_accepted(&start, &self.meter, &mut |(state, letter)| {
            let onward =
                |choice: &Choice| ((choice.target.clone(), letter.clone()), choice.postponed.clone());
            Ok(choices(self.violations, (state, letter), &self.meter)?.iter().map(onward).collect())
        })?;
        if accepted { Err(Rejection::StopsInViolation(self.shown(row))) } else { Ok(()) }
    }

    /// The steps that some classes cover.
    fn covered(&self, classes: &BTreeSet<u32>) -> Result<Covered<'_>, Rejection> {
        let members = || (0..self.table.len()).filter(|&row| classes.contains(&self.class(row)));
        // At least half of the capacity of a set is used, so its content counts twice.
        let held = [2 * size_of::<(&[u32], usize)>(), 2 * size_of::<CoveredStep>()];
        let mut places = HashMap::new();
        for row in members() {
            let next = places.len();
            let place = *places.entry(self.place(row)).or_insert(next);
            self.meter.hold(if place == next { held[0] } else { 0 });
            self.meter.step(self.table.len())?;
        }
        let mut steps = HashSet::new();
        for row in members() {
            self.steps(row, &mut |step| {
                if self.class(step.row) == self.class(row) {
                    let (source, target) = (places[self.place(row)], places[step.place]);
                    let is_new = steps.insert((self.class(row), source, step.action, target));
                    self.meter.hold(if is_new { held[1] } else { 0 });
                }
                Ok(())
            })?;
        }
        Ok(Covered { places, steps })
    }

    /// Rule 3.
    fn check_rank(&self, row: usize, covered: &Covered<'_>) -> Result<(), Rejection> {
        if self.rank(row) == 0 {
            return match self.is_left(row, covered)? {
                true => Ok(()),
                false => Err(Rejection::NotAGoal(self.shown(row))),
            };
        }
        let mut decreases = false;
        self.steps(row, &mut |step| {
            decreases |= self.class(step.row) == self.class(row) && self.rank(step.row) < self.rank(row);
            Ok(())
        })?;
        if decreases { Ok(()) } else { Err(Rejection::RankNotDecreasing(self.shown(row))) }
    }

    /// Whether no fair run that stays in its class visits the row infinitely often: the state of the network has no
    /// step, or one that the class does not cover.
    fn is_left(&self, row: usize, covered: &Covered<'_>) -> Result<bool, Rejection> {
        let (mut stops, mut left) = (true, false);
        self.behaviour_steps(row, &mut |action, target| {
            stops = false;
            left |= match target {
                Target::State(target) => !covered.contains(self.class(row), self.place(row), action, target),
                Target::Failure(_) | Target::Cut(_) => true,
            };
            Ok(())
        })?;
        Ok(stops || left)
    }
}
