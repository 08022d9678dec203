//! Counterexamples: runs of a behaviour, step by step, with the states of all components or the values of all slots.
//!
//! A run can take more memory than all the states of a search: its steps have names and full states, where a search
//! keeps a few bytes per state. So the budget is checked before a run is built. A run of a few thousand steps takes
//! next to nothing and is always built, even when a limit has ended the search that found it.

use rely_base::{Alphabet, Budget, Exhausted, Label, Progress, StateId};
use rely_explore::{Composite, Move, MoveEnd, Search, StateSet, Successor, System};
use rely_lts::{BehaviourRef, ComponentId, Fault};
use rely_omega::Fairness;
use rustc_hash::FxHashSet;

/// A run that shows why something is violated: a trace, and a cycle that is repeated for ever after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// The state at the start: that of each component of a network, or the position of each slot's value in a program.
    pub initial: Vec<u32>,
    /// From the initial state.
    pub trace: Vec<Step>,
    /// From the end of the trace back to it; empty when the run ends.
    pub cycle: Vec<Step>,
    /// What is wrong at the end of the trace.
    pub ending: Ending,
    /// The fault by which a unit of a program fails, unless it fails by a failing command.
    pub fault: Option<Fault>,
    /// For a progress property, and for a temporal formula if the run is fair and has a cycle, the names of all actions
    /// that can still occur, in dictionary order.
    pub recurring: Vec<String>,
    /// The actions that a progress property wants, or that would help a temporal formula, and that never occur again, in
    /// dictionary order.
    pub wanted: Vec<String>,
    /// Actions that no component has and that are free to occur at any time.
    pub free: Vec<String>,
    /// For a temporal formula, the fluents that hold before the first step.
    pub fluents: Vec<String>,
    /// For a temporal formula, the kind of fairness that the cycle satisfies; `None` if it satisfies none, or need
    /// not.
    pub fair: Option<Fairness>,
    /// Whether no run that ends like this is shorter.
    pub is_shortest: bool,
}

/// What is wrong at the end of the trace of a counterexample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Nothing is possible, and the behaviour has not terminated.
    Deadlock,
    /// The behaviour has terminated before something that has to happen.
    Terminated,
    /// A component has reached its error state, or a unit has failed.
    Error(ComponentId),
    /// The cycle can go on for ever.
    Cycle,
    /// The formula is broken, however the run continues.
    BadPrefix,
}

/// A step of a behaviour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The action, by the name it has before hiding, or `tau` for a silent step.
    pub action: String,
    /// The components or units that take part, in order.
    pub movers: Vec<ComponentId>,
    /// The state before, as in [`Counterexample::initial`].
    pub before: Vec<u32>,
    /// The state after. If a unit fails by a fault, the state is unchanged.
    pub after: Vec<u32>,
    /// For a temporal formula, the fluents that hold after it.
    pub fluents: Vec<String>,
}

impl Counterexample {
    /// A run of a behaviour; the fields that only some decisions use are empty.
    pub(crate) fn new(behaviour: BehaviourRef<'_>, trace: Vec<Step>, ending: Ending) -> Self {
        Self {
            initial: behaviour.initial(),
            trace,
            cycle: Vec::new(),
            ending,
            fault: None,
            recurring: Vec::new(),
            wanted: Vec::new(),
            free: Vec::new(),
            fluents: Vec::new(),
            fair: None,
            is_shortest: true,
        }
    }

    /// The names of the actions of the trace.
    pub fn trace_names(&self) -> Vec<&str> {
        self.trace.iter().map(|step| step.action.as_str()).collect()
    }

    /// The names of the actions of the cycle.
    pub fn cycle_names(&self) -> Vec<&str> {
        self.cycle.iter().map(|step| step.action.as_str()).collect()
    }
}

/// The names of the visible labels among some, in dictionary order.
pub(crate) fn names_of(labels: FxHashSet<Label>, alphabet: &Alphabet) -> Vec<String> {
    let visible = labels.into_iter().filter(|label| !label.is_tau());
    let mut names: Vec<String> = visible.map(|label| alphabet.label_name(label).to_owned()).collect();
    names.sort_unstable();
    names
}

/// The steps of a shortest run to a state that a search has found; its states begin with the words of the system.
/// `held` is the number of bytes held in addition to the search, which count for the budget, too.
///
/// # Errors
/// The limit of the budget that was met.
pub(crate) fn steps_to<C: Composite, S: System>(
    system: &C,
    search: &mut Search<'_, S>,
    state: StateId,
    budget: &Budget<'_>,
    held: usize,
) -> Result<Vec<Step>, Exhausted> {
    let path = search.try_trace_to(state, budget)?;
    let story = Storyteller { system, states: search.states(), budget, held: held + search.bytes() };
    story.steps(StateId::from_raw(0), path.into_iter().map(|step| (step.label, step.target)))
}

/// The bytes of a run of `steps` steps, where a state has `width` numbers: as the path of the search, as the replayed
/// run and in the report.
pub(crate) fn bytes_of(width: usize, steps: usize) -> usize {
    /// Typical length of a name; names are seldom longer.
    const NAME: usize = 24;
    let allocated = |bytes: usize| (bytes + size_of::<usize>()).next_multiple_of(16);
    let told = size_of::<Step>() + allocated(NAME) + 3 * allocated(width * size_of::<StateId>());
    let shown = size_of::<Step>() + 2 * allocated(NAME) + allocated(width * size_of::<usize>());
    steps.saturating_mul(size_of::<rely_explore::Step>() + told + shown)
}

/// Turns paths through the system of a behaviour into steps, within a budget.
pub(crate) struct Storyteller<'p, C> {
    pub(crate) system: &'p C,
    pub(crate) states: &'p StateSet,
    pub(crate) budget: &'p Budget<'p>,
    /// Bytes that are held meanwhile, including the states.
    pub(crate) held: usize,
}

impl<C> Clone for Storyteller<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Storyteller<'_, C> {}

impl<C: Composite> Storyteller<'_, C> {
    /// The steps of a path from a state on.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub(crate) fn steps(
        &self,
        source: StateId,
        path: impl ExactSizeIterator<Item = (Label, StateId)>,
    ) -> Result<Vec<Step>, Exhausted> {
        let progress = Progress {
            states: self.states.len(),
            bytes: self.held.saturating_add(bytes_of(self.system.width(), path.len())),
            ..Progress::default()
        };
        let is_long = path.len() >= Budget::INTERVAL;
        let mut steps = Vec::new();
        let mut before = source;
        for (number, (label, target)) in path.enumerate() {
            if is_long && number.is_multiple_of(Budget::INTERVAL) {
                self.budget.check(&progress)?;
            }
            steps.push(self.step(before, label, Successor::State(self.words(target))).0);
            before = target;
        }
        Ok(steps)
    }

    /// The story teller for a continuation: the steps in `told` count as held.
    pub(crate) fn after(self, told: &[Step]) -> Self {
        Self { held: self.held.saturating_add(bytes_of(self.system.width(), told.len())), ..self }
    }

    /// The step from a state on by which a component or a unit fails, and its fault.
    pub(crate) fn failing_step(
        &self,
        source: StateId,
        label: Label,
        failing: ComponentId,
    ) -> (Step, Option<Fault>) {
        self.step(source, label, Successor::Error(failing))
    }

    /// A step with a label from a state that has such a step, to the first state that it leads to; into the error
    /// state if all lead there, with the fault if there is one.
    pub(crate) fn any_step(&self, source: StateId, label: Label) -> (Step, Option<Fault>) {
        let (mut after, mut failing): (Option<Vec<u64>>, _) = (None, None);
        self.system.successors(self.words(source), &mut self.system.cursor(), &mut |shown, successor| {
            match successor {
                Successor::State(target) if shown == label && after.is_none() => {
                    after = Some(target.to_vec());
                }
                Successor::Error(component) if shown == label => failing = failing.or(Some(component)),
                Successor::State(_) | Successor::Error(_) | Successor::Cut(_) => {}
            }
        });
        match (after, failing) {
            (Some(after), _) => self.step(source, label, Successor::State(&after)),
            (None, failing) => {
                self.failing_step(source, label, failing.expect("the state has a step with the label"))
            }
        }
    }

    /// A transition of the system as a step, and its fault if it has one.
    fn step(&self, source: StateId, label: Label, successor: Successor<'_>) -> (Step, Option<Fault>) {
        let words = self.words(source);
        let before = self.system.numbers(words);
        let Move { movers, end, .. } = self.system.explain(words, label, successor);
        let (after, fault) = match end {
            MoveEnd::State(after) => (after, None),
            MoveEnd::Error { after, fault, .. } => (after, fault),
            MoveEnd::Cut(_) => (before.clone(), None),
        };
        let action = self.system.alphabet().label_name(label).to_owned();
        (Step { action, movers, before, after, fluents: Vec::new() }, fault)
    }

    /// The words of the system in a state; a state of the search may have more words.
    fn words(&self, state: StateId) -> &[u64] {
        &self.states.get(state)[..self.system.words()]
    }
}
