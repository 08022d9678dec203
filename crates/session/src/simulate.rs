//! `simulate`: a target, step by step.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use rely_base::{Alphabet, Budget, Exhausted, Id, Progress, StateId};
use rely_explore::{Composite, Machine, Move, MoveEnd, Product, moves_of};
use rely_lts::{Behaviour, ComponentId, Fault, Network, Role};
use rely_model::{Failure, Target};
use rely_syntax::nearest;

use crate::cause::stuck;
use crate::meaning::Meaning;
use crate::report::Cause;
use crate::states::StateNaming;
use crate::{Failed, Project, begin};

/// A possible step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The action; `tau` is a silent one.
    pub action: String,
    /// The components or units that take part, by position.
    pub components: Vec<usize>,
    /// The component or unit that fails by it.
    pub error: Option<usize>,
    /// What went wrong, if the unit did not fail by a failing command.
    pub fault: Option<Fault>,
    /// The unit that leaves the bounds of what is explored by it.
    pub cut: Option<usize>,
    /// The target; `None` after an error or beyond the bounds.
    target: Option<Vec<u32>>,
}

impl Choice {
    /// Where it leads; nothing after an error or beyond the bounds.
    pub(crate) fn leads_to(&self) -> Option<&[u32]> {
        self.target.as_deref()
    }

    /// The order in which choices are offered; equal ones are adjacent.
    fn order(&self, other: &Self) -> Ordering {
        self.action
            .cmp(&other.action)
            .then_with(|| self.target.cmp(&other.target))
            .then_with(|| (self.error, self.cut).cmp(&(other.error, other.cut)))
            .then_with(|| self.components.cmp(&other.components))
    }
}

/// The choices, sorted by action, each once.
fn distinct(mut choices: Vec<Choice>) -> Vec<Choice> {
    choices.sort_by(Choice::order);
    choices.dedup();
    choices
}

/// Why an action is not possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WhyNot {
    /// It is possible.
    Possible,
    /// The target has no such action; perhaps this one was meant.
    Unknown(Option<String>),
    /// The run has come to its end.
    AtTheEnd,
    /// These components take part in it, and are not ready for it.
    Refused(Vec<Refusing>),
    /// All participants are ready, but these actions have priority.
    Outranked(Vec<String>),
    /// These units take part in it, and at least one of them is not ready, or all are in a step of another kind.
    NotReady(Vec<String>),
}

/// A component that refuses an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusing {
    /// Its name.
    pub component: String,
    /// The state that it is in.
    pub state: String,
    /// The actions that it is ready for, sorted.
    pub ready: Vec<String>,
}

impl Refusing {
    /// Why the action is not possible, in a sentence.
    pub fn reason(&self) -> String {
        const SHOWN: usize = 6;
        let Self { component, state, ready } = self;
        let more = if ready.len() > SHOWN { " …" } else { "" };
        let ready = match &ready[..ready.len().min(SHOWN)] {
            [] => "which does nothing any more".to_owned(),
            ready => format!("ready for {}{more}", ready.join(", ")),
        };
        format!("{component} is at {state}, {ready}")
    }
}

/// A run of a target that can be extended and shortened.
pub struct Simulation<'n> {
    system: Compiled<'n>,
    naming: StateNaming,
    /// The initial state.
    initial: Vec<u32>,
    /// The steps so far.
    steps: Vec<Choice>,
}

/// The system of a behaviour, with hidden actions under their names.
enum Compiled<'n> {
    Network(Box<Product<'n>>),
    Program(Box<Machine<'n>>),
}

impl<'n> Compiled<'n> {
    fn new(behaviour: &'n Behaviour) -> Self {
        match behaviour {
            Behaviour::Network(network) => Self::Network(Box::new(Product::transparent(network))),
            Behaviour::Program(program) => Self::Program(Box::new(Machine::transparent(program))),
        }
    }

    fn initial(&self) -> Result<Vec<u32>, ComponentId> {
        fn of(system: &impl Composite) -> Result<Vec<u32>, ComponentId> {
            let mut state = vec![0; system.words()];
            system.initial(&mut state)?;
            Ok(system.numbers(&state))
        }
        match self {
            Self::Network(product) => of(&**product),
            Self::Program(machine) => of(&**machine),
        }
    }

    /// The steps of a state, and the action of each.
    fn moves(&self, state: &[u32]) -> Vec<(String, Move)> {
        fn of(system: &impl Composite, state: &[u32]) -> Vec<(String, Move)> {
            let moves = moves_of(system, state, &Budget::UNLIMITED).expect("there is no limit");
            let named = |it: Move| (system.alphabet().label_name(it.label).to_owned(), it);
            moves.unwrap_or_default().into_iter().map(named).collect()
        }
        match self {
            Self::Network(product) => of(&**product, state),
            Self::Program(machine) => of(&**machine, state),
        }
    }

    fn is_end(&self, state: &[u32]) -> bool {
        fn of(system: &impl Composite, state: &[u32]) -> bool {
            system.state(state).is_some_and(|words| system.is_end(&words))
        }
        match self {
            Self::Network(product) => of(&**product, state),
            Self::Program(machine) => of(&**machine, state),
        }
    }

    /// The state of each component, or the value of each slot, by name.
    fn show(&self, state: &[u32], naming: &StateNaming) -> Vec<(String, String)> {
        match self {
            Self::Network(product) => {
                let names = product.network().components().iter().map(|component| component.name.clone());
                names.zip(naming.all(product.network(), state)).collect()
            }
            Self::Program(machine) => {
                let slots = machine.program().slots().iter().zip(machine.program().values(state));
                slots.map(|(slot, value)| (slot.name.clone(), slot.values.show(value))).collect()
            }
        }
    }
}

/// The target to simulate; if none is named, there has to be only one.
///
/// # Errors
/// When the input has errors, a limit is met, or it is not clear which target is meant.
pub fn target(
    project: &Project,
    name: Option<&str>,
    budget: Budget<'_>,
) -> Result<Target<Behaviour>, Failed> {
    let mut meaning = Meaning::of(project, budget);
    let name = match name {
        Some(name) => name.to_owned(),
        None => match &*meaning.default_targets() {
            [only] => only.clone(),
            [] => return Err(Failed::Errors(meaning.findings())),
            several => return Err(Failed::Ambiguous(several.to_vec())),
        },
    };
    let target = meaning.behaviour(&name);
    let failed = meaning.has_errors();
    let target = target.and_then(|target| begin(&budget).map(|()| target).map_err(Failure::Exhausted));
    match target {
        Ok(target) if !failed => Ok(target),
        Err(Failure::Exhausted(exhausted)) => Err(Failed::Exhausted(exhausted, meaning.findings())),
        _ => Err(Failed::Errors(meaning.findings())),
    }
}

/// The marks of the actions of a target: `?`, `!` and `;` if it has interface automata, none otherwise.
pub fn marks(target: &Target<Behaviour>) -> BTreeMap<String, char> {
    let Some(signature) = target.signature() else { return BTreeMap::new() };
    let role = |name: &str| signature.role(name).unwrap_or(Role::Internal);
    target.behaviour.alphabet().names().map(|name| (name.to_owned(), role(name).mark())).collect()
}

impl<'n> Simulation<'n> {
    /// A simulation in the initial state of a target. Hidden actions are shown under their names.
    ///
    /// # Errors
    /// The component that starts in its error state.
    pub fn new(target: &'n Target<Behaviour>) -> Result<Self, ComponentId> {
        let system = Compiled::new(&target.behaviour);
        let initial = system.initial()?;
        Ok(Self { system, naming: StateNaming::of(target), initial, steps: Vec::new() })
    }

    /// The steps so far.
    pub fn steps(&self) -> &[Choice] {
        &self.steps
    }

    /// The last step, if nothing is possible after it because it fails or leaves the bounds of what is explored.
    pub fn end(&self) -> Option<&Choice> {
        self.steps.last().filter(|step| step.target.is_none())
    }

    /// The state of each component, or the value of each variable, by name; nothing after an error.
    pub fn states(&self) -> Option<Vec<(String, String)>> {
        self.current().map(|state| self.system.show(state, &self.naming))
    }

    /// What is possible now, sorted by action.
    pub fn choices(&self) -> Vec<Choice> {
        let Some(current) = self.current() else { return Vec::new() };
        distinct(self.system.moves(current).into_iter().map(|(action, it)| choice(action, it)).collect())
    }

    /// Why an action is not possible now.
    pub fn why_not(&self, action: &str) -> WhyNot {
        let choices = self.choices();
        if choices.iter().any(|choice| choice.action == action) {
            return WhyNot::Possible;
        }
        let Some(state) = self.current() else { return WhyNot::AtTheEnd };
        match &self.system {
            Compiled::Network(product) => self.refused(product.network(), state, action, &choices),
            Compiled::Program(machine) => {
                let program = machine.program();
                let Some(action) = program.alphabet().get(action) else {
                    return unknown(action, program.alphabet());
                };
                let having = program.units().iter().filter(|unit| unit.alphabet.contains(&action));
                WhyNot::NotReady(having.map(|unit| unit.name.clone()).collect())
            }
        }
    }

    /// Why an action is none of the choices in a state of a network.
    fn refused(&self, network: &Network, state: &[u32], action: &str, choices: &[Choice]) -> WhyNot {
        let Some(action) = network.alphabet().get(action) else { return unknown(action, network.alphabet()) };
        let refusing = rely_decide::refusing(network, state, action);
        if refusing.is_empty() {
            let mut first: Vec<String> = choices.iter().map(|choice| choice.action.clone()).collect();
            first.dedup();
            return WhyNot::Outranked(first);
        }
        let told = |id: &ComponentId| {
            let component = &network.components()[id.index()];
            let at = StateId::from_raw(state[id.index()]);
            let own = component.lts.alphabet();
            let offered = component.lts.edges(at).iter().filter_map(|edge| edge.label.action());
            let ready: BTreeSet<&str> = offered.map(|action| own.name(action)).collect();
            Refusing {
                component: component.name.clone(),
                state: self.naming.name(&component.lts, at),
                ready: ready.into_iter().map(str::to_owned).collect(),
            }
        };
        WhyNot::Refused(refusing.iter().map(told).collect())
    }

    /// What is shown if nothing is possible, and the target has not terminated.
    pub fn deadlock(&self) -> Option<Cause> {
        let (state, Compiled::Network(product)) = (self.current()?, &self.system) else { return None };
        (self.choices().is_empty() && !self.has_ended())
            .then(|| stuck(product.network(), state, &self.naming))
    }

    /// Takes a random step, given a large random number; a failing one only if there is no other. Returns `false` if
    /// nothing is possible.
    pub fn wander(&mut self, chance: u64) -> bool {
        let choices = self.choices();
        let harmless: Vec<&Choice> = choices.iter().filter(|choice| choice.target.is_some()).collect();
        let among = if harmless.is_empty() { choices.iter().collect() } else { harmless };
        let chosen = chance.checked_rem(among.len() as u64).and_then(|place| usize::try_from(place).ok());
        let Some(choice) = chosen.map(|place| among[place].clone()) else { return false };
        self.take(choice);
        true
    }

    /// Whether the target has terminated, if nothing is possible.
    pub fn has_ended(&self) -> bool {
        self.current().is_some_and(|state| self.system.is_end(state))
    }

    /// Takes a step.
    pub fn take(&mut self, choice: Choice) {
        self.steps.push(choice);
    }

    /// Takes back the last step; `false` at the start.
    pub fn undo(&mut self) -> bool {
        self.steps.pop().is_some()
    }

    /// Goes back to the start.
    pub fn restart(&mut self) {
        self.steps.clear();
    }

    /// Looks for a run with the given actions; if several steps have the same name, each may be meant. Returns
    /// whether there is such a run; if not, the longest beginning of one is kept.
    ///
    /// Actions of `between` that the trace does not have may happen between its steps: a trace of a program does not
    /// show everything that its design does. No state is tried twice after the same number of actions, so the work is
    /// at most the number of states times the number of actions.
    ///
    /// # Errors
    /// The limit of the budget that was met. The longest beginning found so far is kept.
    pub fn follow(
        &mut self,
        actions: &[String],
        between: &[String],
        budget: &Budget<'_>,
    ) -> Result<bool, Exhausted> {
        self.restart();
        let between = between.iter().filter(|name| !actions.contains(name)).map(String::as_str).collect();
        let (seen, longest) = (BTreeSet::new(), Vec::new());
        let mut search = Following { actions, between, followed: 0, seen, longest, most: 0, tried: 0 };
        let end = search.run(self, budget);
        if end != Ok(true) {
            self.steps = search.longest;
        }
        end
    }

    /// The state that the run has come to, as numbers; nothing after an error.
    pub(crate) fn tuple(&self) -> Option<&[u32]> {
        self.current()
    }

    fn current(&self) -> Option<&[u32]> {
        match self.steps.last() {
            None => Some(&self.initial),
            Some(step) => step.target.as_deref(),
        }
    }
}

/// The answer for an action that no part has.
fn unknown(action: &str, known: &Alphabet) -> WhyNot {
    WhyNot::Unknown(nearest(action, known.names()).map(str::to_owned))
}

/// A step as a choice.
fn choice(action: String, Move { movers, end, .. }: Move) -> Choice {
    let components = movers.iter().map(|mover| mover.index()).collect();
    let choice = Choice { action, components, error: None, fault: None, cut: None, target: None };
    match end {
        MoveEnd::State(state) => Choice { target: Some(state), ..choice },
        MoveEnd::Error { part, fault, .. } => Choice { error: Some(part.index()), fault, ..choice },
        MoveEnd::Cut(unit) => Choice { cut: Some(unit.index()), ..choice },
    }
}

/// Looks for a run with some actions, depth first.
struct Following<'a> {
    actions: &'a [String],
    /// The actions that may happen between them.
    between: BTreeSet<&'a str>,
    /// How many of the actions have been taken.
    followed: usize,
    /// The states that have been tried, each with the number of actions before it.
    seen: BTreeSet<(usize, Option<Vec<u32>>)>,
    /// The longest beginning of such a run.
    longest: Vec<Choice>,
    /// How many of the actions it has.
    most: usize,
    /// How many steps have been tried.
    tried: usize,
}

impl Following<'_> {
    fn run(&mut self, simulation: &mut Simulation<'_>, budget: &Budget<'_>) -> Result<bool, Exhausted> {
        // For each step so far and the next one, the choices that have not been tried.
        let mut untried = vec![self.fitting(simulation)];
        while self.followed < self.actions.len() {
            let Some(choice) = untried.last_mut().and_then(Vec::pop) else {
                self.keep_longest(simulation);
                untried.pop();
                if untried.is_empty() {
                    return Ok(false);
                }
                let undone = simulation.steps.last().is_some_and(|step| self.is_followed(step));
                self.followed -= usize::from(undone);
                simulation.undo();
                continue;
            };
            self.tried += 1;
            if let Err(exhausted) = budget.check(&self.progress(simulation, untried.len())) {
                self.keep_longest(simulation);
                return Err(exhausted);
            }
            self.followed += usize::from(self.is_followed(&choice));
            let is_new = self.seen.insert((self.followed, choice.target.clone()));
            simulation.take(choice);
            untried.push(if is_new { self.fitting(simulation) } else { Vec::new() });
        }
        Ok(true)
    }

    /// Keeps the steps so far if they are the longest beginning.
    fn keep_longest(&mut self, simulation: &Simulation<'_>) {
        if self.followed > self.most {
            self.longest.clone_from(&simulation.steps);
            self.most = self.followed;
        }
    }

    /// Whether a step is one of the actions, and not one between them.
    fn is_followed(&self, step: &Choice) -> bool {
        !self.between.contains(&*step.action)
    }

    /// The possible steps with the name of the next action, the first one last.
    fn fitting(&self, simulation: &Simulation<'_>) -> Vec<Choice> {
        let action = self.actions.get(self.followed);
        let choices = simulation.choices().into_iter().rev();
        choices.filter(|choice| Some(&choice.action) == action || !self.is_followed(choice)).collect()
    }

    fn progress(&self, simulation: &Simulation<'_>, frontier: usize) -> Progress {
        let state = size_of::<(usize, Option<Vec<u32>>)>() + simulation.initial.len() * size_of::<u32>();
        let bytes = self.seen.len().saturating_mul(state);
        Progress { states: self.seen.len(), transitions: self.tried, frontier, bytes }
    }
}

#[cfg(test)]
mod tests;
