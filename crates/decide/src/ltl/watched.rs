//! The value of formulas after a finite run, over all continuations.
//!
//! Problem: after a finite run there are three cases for a formula: every continuation breaks it, every continuation
//! satisfies it, or that depends on the continuation. A continuation is any sequence of actions. Which runs of a network
//! are of which kind?
//!
//! Source: the three values of [Bauer, Leucker & Schallhart 2011]. Idea: an [`Outlook`] of the formula and one of its
//! negation follow the network in parallel. The product is a [`System`] in which a run that has broken a formula ends
//! in the error state, just as a run that reaches the error state of the network.
//!
//! Invariants: a state is the words of the product, then a word for each formula with the state of the monitor in the
//! lower half and in the upper half that of the negation's, or [`NONE`], and then the words of the fluents. No step is
//! taken from a state where no negation's monitor has a state: whatever comes next, the formulas are satisfied.
//!
//! Complexity: as for safety formulas, with two monitors for each formula. Called by `into_error.rs` and `earliest.rs`.

use std::cell::RefCell;
use std::ops::ControlFlow;

use rely_base::{Alphabet, Budget, Exhausted, Id, Label};
use rely_explore::{Composite, Successor, System};
use rely_lts::ComponentId;
use rely_omega::{AtomSet, Fluents, Formula, Letters, MonitorState, Outlook};

use super::Question;

/// Stands for the state of a monitor that has none: no continuation is accepted.
const NONE: u32 = u32::MAX;

/// The value of a formula after a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    /// The run has not ended, or every continuation satisfies the formula.
    Good,
    /// The run has ended, and the formula depends on the continuation.
    Open,
    /// No continuation satisfies the formula.
    Broken,
}

/// Where a run has led.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    State,
    Error,
}

/// A formula and its negation, each with its monitor.
struct Judge {
    formula: Outlook,
    negation: Outlook,
}

impl Judge {
    fn new(formula: &Formula, letters: &Letters, budget: &Budget<'_>) -> Result<Self, Exhausted> {
        let outlook = |formula: &Formula| Outlook::new(formula, letters, budget);
        Ok(Self { formula: outlook(formula)?, negation: outlook(&formula.clone().negated())? })
    }

    /// The value of a run that led to some states of the monitors, if there are any, and to some fluents.
    fn value(&mut self, word: u64, run: &End<'_>) -> Result<Value, Exhausted> {
        let [formula, negation] = unpack(word);
        let follows = (run.letters, run.fluents);
        if !self.formula.can_go_on(formula, follows, run.budget)? {
            return Ok(Value::Broken);
        }
        let open = run.place == Place::Error && self.negation.can_go_on(negation, follows, run.budget)?;
        Ok(if open { Value::Open } else { Value::Good })
    }

    /// Whether stuttering for ever breaks the formula.
    fn breaks_by_stuttering(&self, word: u64, letter: &AtomSet) -> bool {
        let [formula, _] = unpack(word);
        !formula.is_some_and(|state| self.formula.accepts_forever(state, letter))
    }
}

/// The end of a run.
struct End<'a> {
    place: Place,
    fluents: &'a Fluents,
    letters: &'a Letters,
    budget: &'a Budget<'a>,
}

/// The product of a network, its fluents, and two monitors for each formula. A step into the error state, or to where a
/// formula is broken, leads to the error with a component that stands for its [`Value`].
pub(super) struct Watched<'a, C> {
    system: &'a C,
    letters: &'a Letters,
    budget: &'a Budget<'a>,
    /// The number of formulas.
    conjuncts: usize,
    /// One for each formula; their states are built during the search.
    judges: RefCell<Vec<Judge>>,
    /// The limit that was met, if one was. There are no successors from then on.
    exhausted: RefCell<Option<Exhausted>>,
}

/// The scratch space of [`Watched`].
pub(super) struct WatchedCursor<S> {
    system: S,
    /// The words of the formulas after the step.
    verdicts: Vec<u64>,
    /// The successor under construction.
    next: Vec<u64>,
}

impl<C: Composite> Watched<'_, C> {
    /// The bytes that the monitors hold, which grow as the search goes on.
    pub(super) fn bytes(&self) -> usize {
        self.judges.borrow().iter().map(|judge| judge.formula.bytes() + judge.negation.bytes()).sum()
    }
}

impl<'a, C: Composite> Watched<'a, C> {
    /// The whole formula of an assertion, or its conjuncts one by one if its automaton is large.
    pub(super) fn of(question: &Question<'a, C>, conjuncts: &[Formula]) -> Result<Self, Exhausted> {
        let whole = question
            .short_formula()
            .and_then(|formula| Judge::new(formula, question.letters, &question.modest_budget()).ok());
        if let Some(judge) = whole {
            return Ok(Self::new(question, vec![judge]));
        }
        let judge = |formula| Judge::new(formula, question.letters, question.budget);
        Ok(Self::new(question, conjuncts.iter().map(judge).collect::<Result<_, _>>()?))
    }

    fn new(question: &Question<'a, C>, judges: Vec<Judge>) -> Self {
        Self {
            system: question.system,
            letters: question.letters,
            budget: question.budget,
            conjuncts: judges.len(),
            judges: RefCell::new(judges),
            exhausted: RefCell::new(None),
        }
    }

    /// Whether a formula is unsatisfiable, so that it is broken from the start.
    pub(super) fn is_broken(&self) -> bool {
        self.value_of(&self.start(), &self.letters.initial(), Place::State) == Value::Broken
    }

    /// Whether a limit was met while a formula was watched: there are no successors from then on.
    pub(super) fn met_limit(&self) -> bool {
        self.exhausted.borrow().is_some()
    }

    /// Fails with the limit that was met, if one was.
    pub(super) fn within_limits(&self) -> Result<(), Exhausted> {
        self.exhausted.borrow().clone().map_or(Ok(()), Err)
    }

    /// Whether stuttering for ever in a state breaks a formula.
    pub(super) fn breaks_by_stuttering(&self, state: &[u64]) -> bool {
        let letter = self.letters.stutter_letter(&self.fluents(state));
        let judges = self.judges.borrow();
        judges
            .iter()
            .zip(self.verdicts(state))
            .any(|(judge, &word)| judge.breaks_by_stuttering(word, &letter))
    }

    /// Where the fluents begin.
    fn fluents_start(&self) -> usize {
        self.system.words() + self.conjuncts
    }

    fn fluents(&self, state: &[u64]) -> Fluents {
        Fluents::from_words(&state[self.fluents_start()..])
    }

    /// The words of the formulas in a state.
    fn verdicts<'s>(&self, state: &'s [u64]) -> &'s [u64] {
        &state[self.system.words()..self.fluents_start()]
    }

    fn write(&self, state: &mut [u64], verdicts: &[u64], fluents: &Fluents) {
        let (formulas, fluent_words) = state[self.system.words()..].split_at_mut(self.conjuncts);
        formulas.copy_from_slice(verdicts);
        fluents.write_to(fluent_words);
    }

    /// The words of the formulas before the first letter.
    fn start(&self) -> Vec<u64> {
        let judges = self.judges.borrow();
        judges.iter().map(|judge| pack([judge.formula.initial(), judge.negation.initial()])).collect()
    }

    /// The worst value of a formula after a run.
    fn value_of(&self, verdicts: &[u64], fluents: &Fluents, place: Place) -> Value {
        let run = End { place, fluents, letters: self.letters, budget: self.budget };
        let mut worst = Value::Good;
        for (judge, &word) in self.judges.borrow_mut().iter_mut().zip(verdicts) {
            match judge.value(word, &run) {
                Ok(value) => worst = worst.max(value),
                Err(exhausted) => {
                    self.exhausted.replace(Some(exhausted));
                }
            }
        }
        worst
    }

    /// Stands for a value, where the number of a failing component is expected.
    pub(super) fn id(&self, value: Value) -> ComponentId {
        ComponentId::from_index(self.system.behaviour().part_count() + value as usize)
    }
}

/// A word with the states of a formula's monitor and of its negation's.
fn pack(states: [Option<MonitorState>; 2]) -> u64 {
    let [formula, negation] = states.map(|state| u64::from(state.map_or(NONE, MonitorState::raw)));
    formula | negation << 32
}

fn unpack(word: u64) -> [Option<MonitorState>; 2] {
    [word, word >> 32].map(|half| {
        let raw = u32::try_from(half & u64::from(u32::MAX)).expect("half a word");
        (raw != NONE).then(|| MonitorState::from_raw(raw))
    })
}

impl<C: Composite> System for Watched<'_, C> {
    type Cursor = WatchedCursor<C::Cursor>;

    fn words(&self) -> usize {
        self.fluents_start() + self.letters.fluent_count().div_ceil(64)
    }

    fn bytes(&self) -> usize {
        self.system.bytes()
    }

    fn cursor(&self) -> Self::Cursor {
        WatchedCursor { system: self.system.cursor(), verdicts: Vec::new(), next: vec![0; self.words()] }
    }

    fn initial(&self, state: &mut [u64]) -> Result<(), ComponentId> {
        let (start, fluents) = (self.start(), self.letters.initial());
        if self.system.initial(&mut state[..self.system.words()]).is_err() {
            return Err(self.id(self.value_of(&start, &fluents, Place::Error)));
        }
        self.write(state, &start, &fluents);
        Ok(())
    }

    fn try_successors(
        &self,
        state: &[u64],
        cursor: &mut Self::Cursor,
        visit: &mut impl FnMut(Label, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let settled = self.verdicts(state).iter().all(|&word| unpack(word)[1].is_none());
        if settled || self.exhausted.borrow().is_some() {
            return ControlFlow::Continue(());
        }
        let words = self.system.words();
        let fluents = self.fluents(state);
        let WatchedCursor { system, verdicts, next } = cursor;
        self.system.try_successors(&state[..words], system, &mut |label, successor| {
            let (after, letter) = self.letters.step(&fluents, label);
            verdicts.clear();
            for (judge, &word) in self.judges.borrow_mut().iter_mut().zip(self.verdicts(state)) {
                let [formula, negation] = unpack(word);
                let formula = formula.and_then(|state| judge.formula.step(state, &letter));
                let negation = negation.and_then(|state| judge.negation.step(state, &letter));
                verdicts.push(pack([formula, negation]));
            }
            let (place, target) = match successor {
                Successor::State(target) => (Place::State, Some(target)),
                Successor::Error(_) => (Place::Error, None),
                Successor::Cut(_) => return visit(label, successor),
            };
            let value = self.value_of(verdicts, &after, place);
            let Some(target) = target.filter(|_| value != Value::Broken) else {
                return visit(label, Successor::Error(self.id(value)));
            };
            next[..words].copy_from_slice(target);
            self.write(next, verdicts, &after);
            visit(label, Successor::State(next))
        })
    }

    fn is_end(&self, _state: &[u64]) -> bool {
        true
    }

    fn alphabet(&self) -> &Alphabet {
        self.system.alphabet()
    }
}
