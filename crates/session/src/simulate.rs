//! `simulate`: a target, step by step.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use rely_base::{Budget, Exhausted, Id, Progress};
use rely_explore::{Composite, Machine, Move, MoveEnd, Product, moves_of};
use rely_lts::{Behaviour, ComponentId, Fault, Role};
use rely_model::{Failure, Target};

use crate::meaning::Meaning;
use crate::{Failed, Project, begin};

/// A step that is possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The action; `tau` is a silent one.
    pub action: String,
    /// The components or units that take part, by position.
    pub components: Vec<usize>,
    /// The component or unit that fails by it.
    pub error: Option<usize>,
    /// What was wrong, if a unit fails for another reason than that it says so.
    pub fault: Option<Fault>,
    /// The unit that leaves the bounds of what is explored by it.
    pub cut: Option<usize>,
    /// Where it leads; nothing after an error or beyond the bounds.
    target: Option<Vec<u32>>,
}

impl Choice {
    /// The order in which choices are offered: equal ones are neighbours.
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

/// A run of a target that grows and shrinks.
pub struct Simulation<'n> {
    system: Compiled<'n>,
    /// The initial state.
    initial: Vec<u32>,
    /// The steps so far.
    steps: Vec<Choice>,
}

/// The system of a behaviour, seen through its hiding.
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
    fn show(&self, state: &[u32]) -> Vec<(String, String)> {
        match self {
            Self::Network(product) => {
                let names = product.network().components().iter().map(|component| component.name.clone());
                names.zip(state.iter().map(ToString::to_string)).collect()
            }
            Self::Program(machine) => {
                let slots = machine.program().slots().iter().zip(machine.program().values(state));
                slots.map(|(slot, value)| (slot.name.clone(), slot.values.show(value))).collect()
            }
        }
    }
}

/// The target to simulate; the only one there is if none is named.
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
    /// At the initial state of a behaviour. Hidden actions are shown under their names.
    ///
    /// # Errors
    /// The component that starts in its error state.
    pub fn new(behaviour: &'n Behaviour) -> Result<Self, ComponentId> {
        let system = Compiled::new(behaviour);
        let initial = system.initial()?;
        Ok(Self { system, initial, steps: Vec::new() })
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
        self.current().map(|state| self.system.show(state))
    }

    /// What is possible now, sorted by action.
    pub fn choices(&self) -> Vec<Choice> {
        let Some(current) = self.current() else { return Vec::new() };
        distinct(self.system.moves(current).into_iter().map(|(action, it)| choice(action, it)).collect())
    }

    /// Whether the target has ended, if nothing is possible.
    pub fn has_ended(&self) -> bool {
        self.current().is_some_and(|state| self.system.is_end(state))
    }

    /// Takes a step.
    pub fn take(&mut self, choice: Choice) {
        self.steps.push(choice);
    }

    /// Takes the last step back; `false` at the start.
    pub fn undo(&mut self) -> bool {
        self.steps.pop().is_some()
    }

    /// Goes back to the start.
    pub fn restart(&mut self) {
        self.steps.clear();
    }

    /// Looks for a run with some actions: where several steps have a name, each may be the one that is meant. Whether
    /// there is such a run; if not, the longest beginning of one is left.
    ///
    /// Actions of `between` that the trace does not have may happen between its steps: a trace of a program does not show
    /// everything that its design does. No state is tried twice after the same number of actions, so that the work is at
    /// most the states times the actions.
    ///
    /// # Errors
    /// The limit of the budget that was met. The longest beginning that had been found is left.
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

    fn current(&self) -> Option<&[u32]> {
        match self.steps.last() {
            None => Some(&self.initial),
            Some(step) => step.target.as_deref(),
        }
    }
}

/// A step as it is offered.
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
    /// What may happen between them.
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
        // For each step so far and the next one, what has not been tried.
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

    /// Where it goes no further, the steps so far may be the longest beginning.
    fn keep_longest(&mut self, simulation: &Simulation<'_>) {
        if self.followed > self.most {
            self.longest.clone_from(&simulation.steps);
            self.most = self.followed;
        }
    }

    /// Whether a step is one of the actions, and not between them.
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
mod tests {
    use rely_base::{Limits, Resource};
    use rely_testkit::rng::{Rng, seeds};

    use super::*;

    /// A machine that makes choices: names lead to several states.
    fn text(rng: &mut Rng) -> String {
        let states = 2 + rng.below(3);
        let step = |rng: &mut Rng| format!("{} -> Q{}", ["a", "b"][rng.below(2)], rng.below(states));
        let state = |rng: &mut Rng, i: usize| {
            let steps: Vec<String> = (0..1 + rng.below(3)).map(|_| step(rng)).collect();
            format!("Q{i} = ({})", steps.join(" | "))
        };
        let all: Vec<String> = (0..states).map(|i| state(rng, i)).collect();
        format!("M = Q0, {}.\n||S = (x:M || M).\n", all.join(", "))
    }

    fn target_of(text: &str) -> Target<Behaviour> {
        let project = Project::new("m.lts", text, Box::new(|_| Err("nothing".to_owned())));
        target(&project, Some("S"), Budget::UNLIMITED).unwrap_or_else(|_| panic!("{text}"))
    }

    /// How many of the actions a run can have, from the definition: all states that the actions so far lead to.
    fn longest(behaviour: &Behaviour, actions: &[String]) -> usize {
        let Ok(mut simulation) = Simulation::new(behaviour) else { return 0 };
        let mut runs: Vec<Vec<Choice>> = vec![Vec::new()];
        for (done, action) in actions.iter().enumerate() {
            let mut next: Vec<Vec<Choice>> = Vec::new();
            for run in &runs {
                simulation.steps.clone_from(run);
                let fitting = simulation.choices().into_iter().filter(|choice| choice.action == *action);
                next.extend(fitting.map(|choice| run.iter().cloned().chain([choice]).collect()));
            }
            if next.is_empty() {
                return done;
            }
            runs = next;
        }
        actions.len()
    }

    #[test]
    fn a_trace_is_followed_if_it_is_one() {
        let (mut possible, mut impossible) = (0, 0);
        for seed in seeds(60) {
            let mut rng = Rng::new(seed);
            let text = text(&mut rng);
            let target = target_of(&text);
            let names = ["a", "b", "x.a", "x.b"];
            let actions: Vec<String> = (0..rng.below(6)).map(|_| names[rng.below(4)].to_owned()).collect();
            let mut simulation = Simulation::new(&target.behaviour).expect("nothing fails at once");
            let found = simulation.follow(&actions, &[], &Budget::UNLIMITED).expect("there is no limit");
            let expected = longest(&target.behaviour, &actions);
            assert_eq!(found, expected == actions.len(), "seed {seed}: {text} {actions:?}");
            let taken: Vec<&String> = simulation.steps().iter().map(|step| &step.action).collect();
            assert_eq!(taken, actions[..expected].iter().collect::<Vec<_>>(), "seed {seed}: {text}");
            if found { possible += 1 } else { impossible += 1 }
        }
        assert!(possible > 5 && impossible > 5 || rely_testkit::rng::is_single_seed());
    }

    #[test]
    fn no_choice_is_offered_twice() {
        let fails = |component| Choice {
            action: "x".to_owned(),
            components: vec![0, 1],
            error: Some(component),
            fault: None,
            cut: None,
            target: None,
        };
        let choices = distinct(vec![fails(1), fails(0), fails(1)]);
        assert_eq!(choices.iter().map(|choice| choice.error).collect::<Vec<_>>(), [Some(0), Some(1)]);
        let target = target_of("A = (x -> ERROR | x -> A).\n||S = (a:A || b:A)/{x/{a,b}.x}.\n");
        let simulation = Simulation::new(&target.behaviour).expect("nothing fails at once");
        let errors: Vec<Option<usize>> = simulation.choices().iter().map(|choice| choice.error).collect();
        assert_eq!(errors, [Some(0), Some(1), None]);
    }

    #[test]
    fn following_has_a_budget() {
        let target = target_of("A = (x -> A | x -> B), B = (x -> A | x -> B).\n||S = A.\n");
        let actions = vec!["x".to_owned(); 50];
        let mut simulation = Simulation::new(&target.behaviour).expect("nothing fails at once");
        let limited = |states, bytes| Budget::new(Limits { states, bytes }, None);
        let met =
            simulation.follow(&actions, &[], &limited(Some(10), None)).expect_err("it needs more states");
        assert_eq!((met.resource, simulation.steps().len()), (Resource::States, 11));
        let met =
            simulation.follow(&actions, &[], &limited(None, Some(1000))).expect_err("it needs more memory");
        assert_eq!(met.resource, Resource::Memory);
        assert_eq!(simulation.follow(&actions, &[], &limited(Some(60), None)), Ok(true));
    }
}
