//! Counterexamples: runs of a network, step by step, with what every component does.
//!
//! A run can be longer than anything else that was kept: its steps have names and tuples of states, where a search keeps a
//! few bytes for a state. So the budget is asked for all of it before it is told. A run of a few thousand steps takes next
//! to nothing and is always told, also when the search that has found it was ended by a limit.

use rely_base::{ActionId, Alphabet, Budget, Exhausted, Id, Label, Progress, StateId};
use rely_explore::{Product, Search, StateSet, Successor, System};
use rely_lts::{ComponentId, Network};
use rely_omega::Fairness;

/// A run that shows why something is violated: a trace, and a cycle that is repeated for ever after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// The state that each component starts in.
    pub initial: Vec<StateId>,
    /// From the initial state.
    pub trace: Vec<Step>,
    /// From the end of the trace back to it; empty when the run ends.
    pub cycle: Vec<Step>,
    /// What is wrong at the end of the trace.
    pub ending: Ending,
    /// For a progress property, the names of all actions that can still occur, in dictionary order.
    pub recurring: Vec<String>,
    /// Actions that no component has and that are free to occur at any time.
    pub free: Vec<String>,
    /// For a temporal formula, the fluents that hold before the first step.
    pub fluents: Vec<String>,
    /// For a temporal formula, the sense in which the cycle is fair; nothing if it is not, or need not be.
    pub fair: Option<Fairness>,
    /// Whether no run that ends like this is shorter.
    pub is_shortest: bool,
}

/// What is wrong at the end of the trace of a counterexample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Nothing is possible, and the network has not terminated.
    Deadlock,
    /// The network has terminated, and something that was to happen has not.
    Terminated,
    /// A component has reached its error state.
    Error(ComponentId),
    /// The cycle can go on for ever.
    Cycle,
    /// However the run goes on, it breaks the formula.
    BadPrefix,
}

/// A step of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The action, by the name it has before hiding, or `tau` for a silent step of one component.
    pub action: String,
    /// The components that take part, in order.
    pub movers: Vec<ComponentId>,
    /// The states of the components before.
    pub before: Vec<StateId>,
    /// The states of the components after.
    pub after: Vec<StateId>,
    /// For a temporal formula, the fluents that hold after it.
    pub fluents: Vec<String>,
}

impl Counterexample {
    /// A run of a network; everything that only some decisions know is empty.
    pub(crate) fn new(network: &Network, trace: Vec<Step>, ending: Ending) -> Self {
        Self {
            initial: network.components().iter().map(|component| component.lts.initial()).collect(),
            trace,
            cycle: Vec::new(),
            ending,
            recurring: Vec::new(),
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

/// The steps of a shortest run to a state that a search has found; its states begin with the words of the product.
/// Besides the search, `held` bytes count for the budget.
///
/// # Errors
/// The limit of the budget that was met.
pub(crate) fn steps_to<S: System>(
    product: &Product<'_>,
    search: &mut Search<'_, S>,
    state: StateId,
    budget: &Budget<'_>,
    held: usize,
) -> Result<Vec<Step>, Exhausted> {
    let path = search.try_trace_to(state, budget)?;
    let story = Storyteller { product, states: search.states(), budget, held: held + search.bytes() };
    story.steps(StateId::from_raw(0), path.into_iter().map(|step| (step.label, step.target)))
}

/// The bytes that so many steps take: in the path, in the run that is told of it, and in the report that is made of that.
pub(crate) fn bytes_of(network: &Network, steps: usize) -> usize {
    /// Names are seldom longer.
    const NAME: usize = 24;
    let components = network.components().len();
    let allocated = |bytes: usize| (bytes + size_of::<usize>()).next_multiple_of(16);
    let told = size_of::<Step>() + allocated(NAME) + 3 * allocated(components * size_of::<StateId>());
    let shown = size_of::<Step>() + 2 * allocated(NAME) + allocated(components * size_of::<usize>());
    steps.saturating_mul(size_of::<rely_explore::Step>() + told + shown)
}

/// Turns paths through a transparent product into steps, as far as the budget allows it.
#[derive(Clone, Copy)]
pub(crate) struct Storyteller<'p, 'n> {
    pub(crate) product: &'p Product<'n>,
    pub(crate) states: &'p StateSet,
    pub(crate) budget: &'p Budget<'p>,
    /// Bytes that are held meanwhile, those of the states included.
    pub(crate) held: usize,
}

impl Storyteller<'_, '_> {
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
            bytes: self.held.saturating_add(bytes_of(self.product.network(), path.len())),
            ..Progress::default()
        };
        let is_long = path.len() >= Budget::INTERVAL;
        let mut steps = Vec::new();
        let mut before = self.tuple(source);
        for (number, (label, target)) in path.enumerate() {
            if is_long && number.is_multiple_of(Budget::INTERVAL) {
                self.budget.check(&progress)?;
            }
            let after = self.tuple(target);
            let step = self.step(label, std::mem::replace(&mut before, after.clone()), after);
            steps.push(step.expect("a path of the product is made of its transitions"));
        }
        Ok(steps)
    }

    /// The same teller, while steps are held that were told before.
    pub(crate) fn after(self, told: &[Step]) -> Self {
        Self { held: self.held.saturating_add(bytes_of(self.product.network(), told.len())), ..self }
    }

    /// The step from a state on by which a component reaches its error state.
    pub(crate) fn failing_step(&self, source: StateId, label: Label, failing: ComponentId) -> Step {
        let network = self.product.network();
        let before = self.tuple(source);
        let mut after = before.clone();
        let participants = label.action().map_or(std::slice::from_ref(&failing), |a| network.participants(a));
        for &component in participants {
            let lts = &network.components()[component.index()].lts;
            after[component.index()] = if component == failing {
                lts.error().expect("a component that failed has an error state")
            } else {
                self.any_target(component, label, before[component.index()])
            };
        }
        Step {
            action: self.alphabet().label_name(label).to_owned(),
            movers: participants.to_vec(),
            before,
            after,
            fluents: Vec::new(),
        }
    }

    /// A step with a label from a state that has one, to the first state that it leads to; into the error state if it
    /// leads to no other.
    pub(crate) fn any_step(&self, source: StateId, label: Label) -> Step {
        let words = &self.states.get(source)[..self.product.words()];
        let (mut after, mut failing) = (None, None);
        self.product.successors(words, &mut self.product.cursor(), &mut |shown, successor| match successor {
            Successor::State(target) if shown == label && after.is_none() => {
                after = Some(self.product.unpack(target));
            }
            Successor::Error(component) if shown == label => failing = failing.or(Some(component)),
            Successor::State(_) | Successor::Error(_) => {}
        });
        let Some(after) = after else {
            return self.failing_step(source, label, failing.expect("the state has a step with the label"));
        };
        self.step(label, self.tuple(source), after).expect("a transition of the product")
    }

    fn step(&self, label: Label, before: Vec<StateId>, after: Vec<StateId>) -> Option<Step> {
        let movers = match label.action() {
            Some(action) => self.product.network().participants(action).to_vec(),
            None => vec![self.silent_mover(&before, &after)?],
        };
        let action = self.alphabet().label_name(label).to_owned();
        Some(Step { action, movers, before, after, fluents: Vec::new() })
    }

    /// The component whose silent step leads from one state to the other.
    fn silent_mover(&self, before: &[StateId], after: &[StateId]) -> Option<ComponentId> {
        let components = self.product.network().components();
        let explains = |&i: &usize| {
            let silent = components[i].lts.silent_edges(before[i]);
            silent.iter().any(|edge| edge.target == after[i])
                && (0..before.len()).all(|j| j == i || before[j] == after[j])
        };
        (0..before.len()).find(explains).map(ComponentId::from_index)
    }

    /// Where a component may go with an action of the network.
    fn any_target(&self, component: ComponentId, label: Label, state: StateId) -> StateId {
        let network = self.product.network();
        let lts = &network.components()[component.index()].lts;
        let wanted = label.action();
        let own = network.actions_of(component).iter().position(|&action| Some(action) == wanted);
        let own = own.map_or(Label::TAU, |own| Label::visible(ActionId::from_index(own)));
        lts.edges_with(state, own).first().expect("every participant takes part in a joint action").target
    }

    fn tuple(&self, state: StateId) -> Vec<StateId> {
        self.product.unpack(self.states.get(state))
    }

    fn alphabet(&self) -> &Alphabet {
        self.product.network().alphabet()
    }
}
