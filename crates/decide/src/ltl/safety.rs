//! Safety formulas: is a bad prefix reachable?
//!
//! Problem: for formulas that are safety properties, find a shortest run after which no continuation satisfies one of
//! them, or a finite run whose stuttering violates one. The last step may lead to the error state: the letter of such a
//! step counts, and nothing after it. Idea: the product of the network, the fluents and a monitor for
//! each formula is a [`System`] in which a bad prefix is an error; breadth-first search does the rest. The monitors run
//! side by side, since the monitor of a conjunction may be exponentially larger than those of its parts. Fairness plays
//! no part: every finite run can be continued to a fair one.
//!
//! Invariant: a state is the words of the product, the numbers of the monitors' states, two to a word, and the words of
//! the fluents.

use std::cell::RefCell;
use std::ops::ControlFlow;

use rely_base::{Alphabet, Exhausted, Id, Label, StateId};
use rely_explore::{Composite, Search, Successor, System, Visitor};
use rely_lts::ComponentId;
use rely_omega::{Fluents, Formula, Letters, Monitor, MonitorState};

use super::finite::{BreakingRun, Levels};
use super::{Findings, Question};
use crate::{Counterexample, Ending};

/// A shortest run that violates one of some safety formulas, if there is one.
pub(super) fn bad_prefix<C: Composite>(
    question: &Question<'_, C>,
    formulas: &[Formula],
    findings: &mut Findings,
) -> Result<Option<Counterexample>, Exhausted> {
    let system = question.system;
    let monitors: Vec<Monitor> =
        formulas.iter().map(|formula| Monitor::new(formula, question.budget)).collect::<Result<_, _>>()?;
    let Some(start) = monitors.iter().map(Monitor::initial).collect() else {
        // One of the formulas is unsatisfiable: the empty prefix is bad already.
        return Ok(Some(Counterexample::new(system.behaviour(), Vec::new(), Ending::BadPrefix)));
    };
    let observed = Observed { system, letters: question.letters, monitors: RefCell::new(monitors), start };
    let mut search = Search::new(&observed);
    let mut watch = Watch::new(&observed, findings);
    let outcome = search.run(question.budget, &mut watch);
    let found = watch.found;
    findings.explored.states += search.states().len();
    findings.explored.transitions += search.transitions();
    outcome?;
    findings.is_violated = found.is_some();
    found.map(|run| run.tell(system, &mut search, question.budget)).transpose()
}

/// The product of a system, its fluents and some monitors.
struct Observed<'a, C> {
    system: &'a C,
    letters: &'a Letters,
    /// The monitors are built during the search and shared by all cursors, so that the numbers of their states agree.
    monitors: RefCell<Vec<Monitor>>,
    /// The initial state of each monitor.
    start: Vec<MonitorState>,
}

/// The scratch space of [`Observed`].
struct ObservedCursor<S> {
    system: S,
    /// The states of the monitors after the step.
    monitor_states: Vec<MonitorState>,
    /// The successor under construction.
    next: Vec<u64>,
}

impl<C: Composite> Observed<'_, C> {
    /// Stands for the monitors, where the number of a failing component is expected.
    fn monitor_id(&self) -> ComponentId {
        ComponentId::from_index(self.system.behaviour().part_count())
    }

    /// Where the fluents begin.
    fn fluents_start(&self) -> usize {
        self.system.words() + self.start.len().div_ceil(2)
    }

    fn monitor_state(&self, state: &[u64], monitor: usize) -> MonitorState {
        let half = state[self.system.words() + monitor / 2] >> (32 * (monitor % 2)) & u64::from(u32::MAX);
        MonitorState::from_raw(u32::try_from(half).expect("half a word"))
    }

    fn fluents(&self, state: &[u64]) -> Fluents {
        Fluents::from_words(&state[self.fluents_start()..])
    }

    /// Writes the states of the monitors and the fluents after the words of the product.
    fn write(&self, state: &mut [u64], monitors: &[MonitorState], fluents: &Fluents) {
        let (halves, fluent_words) = state[self.system.words()..].split_at_mut(monitors.len().div_ceil(2));
        halves.fill(0);
        for (monitor, monitor_state) in monitors.iter().enumerate() {
            halves[monitor / 2] |= u64::from(monitor_state.raw()) << (32 * (monitor % 2));
        }
        fluents.write_to(fluent_words);
    }
}

impl<C: Composite> System for Observed<'_, C> {
    type Cursor = ObservedCursor<C::Cursor>;

    fn words(&self) -> usize {
        self.fluents_start() + self.letters.fluent_count().div_ceil(64)
    }

    fn bytes(&self) -> usize {
        self.system.bytes()
    }

    fn cursor(&self) -> Self::Cursor {
        ObservedCursor {
            system: self.system.cursor(),
            monitor_states: Vec::new(),
            next: vec![0; self.words()],
        }
    }

    fn initial(&self, state: &mut [u64]) -> Result<(), ComponentId> {
        self.system.initial(&mut state[..self.system.words()])?;
        self.write(state, &self.start, &self.letters.initial());
        Ok(())
    }

    fn try_successors(
        &self,
        state: &[u64],
        cursor: &mut Self::Cursor,
        visit: &mut impl FnMut(Label, Successor<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let words = self.system.words();
        let fluents = self.fluents(state);
        let mut monitors = self.monitors.borrow_mut();
        let ObservedCursor { system, monitor_states, next } = cursor;
        self.system.try_successors(&state[..words], system, &mut |label, successor| {
            // The target of a step that leaves the bounds is not known.
            if let Successor::Cut(_) = successor {
                return visit(label, successor);
            }
            let (after, letter) = self.letters.step(&fluents, label);
            monitor_states.clear();
            for (i, monitor) in monitors.iter_mut().enumerate() {
                match monitor.step(self.monitor_state(state, i), &letter) {
                    Some(monitor_state) => monitor_states.push(monitor_state),
                    None => return visit(label, Successor::Error(self.monitor_id())),
                }
            }
            let Successor::State(target) = successor else { return visit(label, successor) };
            next[..words].copy_from_slice(target);
            self.write(next, monitor_states, &after);
            visit(label, Successor::State(next))
        })
    }

    fn is_end(&self, state: &[u64]) -> bool {
        self.system.is_end(&state[..self.system.words()])
    }

    fn alphabet(&self) -> &Alphabet {
        self.system.alphabet()
    }
}

/// Looks for the nearest violation.
struct Watch<'w, 'a, C> {
    observed: &'w Observed<'a, C>,
    findings: &'w mut Findings,
    /// The labels of the current state, while premises are watched.
    labels: Vec<Label>,
    found: Option<BreakingRun>,
    levels: Levels,
}

impl<'w, 'a, C: Composite> Watch<'w, 'a, C> {
    fn new(observed: &'w Observed<'a, C>, findings: &'w mut Findings) -> Self {
        Self { observed, findings, labels: Vec::new(), found: None, levels: Levels::new() }
    }

    /// Whether stuttering for ever in a state violates one of the formulas.
    fn stuttering_violates(&mut self, words: &[u64]) -> bool {
        let letter = self.observed.letters.stutter_letter(&self.observed.fluents(words));
        self.findings.premises.observe(&letter);
        let monitors = self.observed.monitors.borrow();
        let mut states = monitors.iter().enumerate().map(|(i, m)| (m, self.observed.monitor_state(words, i)));
        !states.all(|(monitor, state)| monitor.accepts_forever(state, &letter))
    }
}

impl<C: Composite> Visitor for Watch<'_, '_, C> {
    fn discovered(&mut self, _state: StateId, _words: &[u64]) {
        self.levels.discover();
    }

    fn transition(&mut self, _source: StateId, label: Label, _target: StateId) {
        if !self.findings.premises.is_done() {
            self.labels.push(label);
        }
    }

    fn error(&mut self, source: Option<StateId>, label: Label, component: ComponentId) {
        match source {
            Some(source) if component == self.observed.monitor_id() => {
                self.found.get_or_insert(BreakingRun::Step(source, label));
            }
            _ => self.findings.error_reachable = true,
        }
    }

    fn cut(&mut self, _source: StateId, _label: Label, component: ComponentId) {
        self.findings.cut.get_or_insert(component);
    }

    fn expanded(&mut self, state: StateId, words: &[u64], transitions: usize) -> ControlFlow<()> {
        let fluents = self.observed.fluents(words);
        for label in self.labels.drain(..) {
            self.findings.premises.observe(&self.observed.letters.step(&fluents, label).1);
        }
        if transitions == 0 && self.stuttering_violates(words) {
            self.found = Some(BreakingRun::Stop(state));
            return ControlFlow::Break(());
        }
        match self.levels.end_with(state) && self.found.is_some() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// The monitors grow during the search.
    fn bytes(&self) -> usize {
        self.observed.monitors.borrow().iter().map(Monitor::bytes).sum()
    }
}
