//! A run of a target, step by step: what is possible next, and why everything else is not.
//!
//! The caller keeps no state but the choices that were made: a [`WalkQuery`] has all of them, and the [`Walk`] that answers it
//! has the whole run. So a run can be kept in a link, and whoever answers can be replaced at any time. A trace of an earlier
//! answer can be walked as well; then the same run is found, state by state, if the target has it.

use rely_base::{Budget, Id, Progress, StateId};
use rely_decide::Step;
use rely_lts::{Behaviour, ComponentId, Lts, Network};
use rely_model::{Naming, Target};
use serde::{Deserialize, Serialize};

use crate::meaning::Meaning;
use crate::places::locate;
use crate::report::{Cause, TraceStep};
use crate::simulate::{Choice, Simulation, WhyNot, target};
use crate::states::StateNaming;
use crate::{Failed, Project};

/// How many of the actions that are not possible are explained.
const MOST_REFUSALS: usize = 400;

/// A run, by the choices that were made.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WalkQuery {
    /// The target; the only one there is if none is named.
    pub target: Option<String>,
    /// A trace of an answer that the run begins with.
    pub trace: Vec<TraceStep>,
    /// For each further step, which of the possible ones it is, counted from 0.
    pub choices: Vec<usize>,
}

/// A step that is possible.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Offer {
    /// The action; `tau` is a silent one.
    pub action: String,
    /// The components that take part, by position.
    pub components: Vec<usize>,
    /// Whether a component fails by it.
    pub fails: bool,
    /// Whether it leaves the bounds of what is explored.
    pub is_cut: bool,
}

/// An action that is not possible.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Refusal {
    /// The action.
    pub action: String,
    /// Why: a sentence for each component that refuses it.
    pub reasons: Vec<String>,
}

/// Where a component is, or what a variable is worth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NamedState {
    /// The component or variable.
    pub name: String,
    /// Its state or value.
    pub state: String,
}

/// A run, and what there is to see at its end.
#[derive(Clone, Debug, Serialize)]
pub struct Walk {
    /// The target.
    pub target: String,
    /// Its components.
    pub components: Vec<String>,
    /// The steps of the run.
    pub steps: Vec<TraceStep>,
    /// How many steps of the trace, or of the choices, were not possible.
    pub left_out: usize,
    /// For a network, the numbers of the states of its components before the first step and after each step; shorter by one
    /// where the last step is a failure of somebody who has no error state.
    pub tuples: Vec<Vec<u32>>,
    /// Where everybody is at the end.
    pub states: Vec<NamedState>,
    /// What is possible, sorted by action.
    pub choices: Vec<Offer>,
    /// What is not, and why; not all of it if it is much.
    pub refused: Vec<Refusal>,
    /// Why nothing is possible, if that is so.
    pub end: Option<String>,
    /// Who waits for what, if that is why.
    pub cause: Option<Cause>,
}

/// Walks through a target.
///
/// # Errors
/// When the input has errors, a limit is met, or it is not clear which target is meant.
pub fn walk(project: &Project, query: &WalkQuery, budget: Budget<'_>) -> Result<Walk, Failed> {
    let target = target(project, query.target.as_deref(), budget)?;
    retrace(&target, project, query, budget).map(|(walk, _)| walk)
}

/// What there was to see along a run.
#[derive(Default)]
pub(crate) struct Moments {
    /// Where everybody was before the first step and after each.
    pub(crate) states: Vec<Vec<NamedState>>,
    /// The actions of the target, sorted.
    pub(crate) actions: Vec<String>,
    /// The names of states.
    naming: StateNaming,
}

impl Moments {
    /// The names of what has states, in their order.
    pub(crate) fn components(&self) -> Vec<&str> {
        self.states.first().into_iter().flatten().map(|it| it.name.as_str()).collect()
    }

    /// The names of all states of a component, sorted; nothing where they are not known, or are very many.
    pub(crate) fn state_names(&self, target: &Target<Behaviour>, component: usize) -> Option<Vec<String>> {
        const MOST: usize = 10_000;
        let lts = &target.behaviour.as_network()?.components().get(component)?.lts;
        if lts.state_count() > MOST {
            return None;
        }
        let mut names: Vec<String> = lts.states().map(|state| self.naming.name(lts, state)).collect();
        names.sort_unstable();
        names.dedup();
        Some(names)
    }
}

/// Walks through a target, and keeps what there was to see on the way.
pub(crate) fn retrace(
    target: &Target<Behaviour>,
    project: &Project,
    query: &WalkQuery,
    budget: Budget<'_>,
) -> Result<(Walk, Moments), Failed> {
    let naming = Meaning::of(project, budget).shown_names();
    let states = StateNaming::of(target).located(target, project);
    let mut actions: Vec<String> =
        target.behaviour.alphabet().names().map(|name| naming.shown(name).to_owned()).collect();
    actions.sort_unstable();
    actions.dedup();
    let mut moments = Moments { states: Vec::new(), actions, naming: states.clone() };
    let components: Vec<String> = target.behaviour.part_names().into_iter().map(str::to_owned).collect();
    let empty = Walk {
        target: target.name.clone(),
        components,
        steps: Vec::new(),
        left_out: query.trace.len() + query.choices.len(),
        tuples: Vec::new(),
        states: Vec::new(),
        choices: Vec::new(),
        refused: Vec::new(),
        end: None,
        cause: None,
    };
    let simulation = match Simulation::new(target) {
        Ok(simulation) => simulation,
        Err(component) => {
            let name = &empty.components[component.index()];
            return Ok((Walk { end: Some(format!("{name} starts in its error state")), ..empty }, moments));
        }
    };
    let mut walker = Walker { target, naming: &naming, states: &states, simulation, taken: Vec::new() };
    let left_out = walker.retrace(&query.trace, &budget)? + walker.choose(&query.choices, &budget)?;
    moments.states = walker.moments();
    Ok((walker.finish(Walk { left_out, ..empty }, project), moments))
}

/// Somebody who walks.
struct Walker<'t> {
    target: &'t Target<Behaviour>,
    naming: &'t Naming,
    states: &'t StateNaming,
    simulation: Simulation<'t>,
    /// The steps so far, each with the state before it.
    taken: Vec<(Vec<u32>, Choice)>,
}

impl Walker<'_> {
    fn take(&mut self, choice: Choice) {
        let before = self.simulation.tuple().map(<[u32]>::to_vec).unwrap_or_default();
        self.taken.push((before, choice.clone()));
        self.simulation.take(choice);
    }

    /// Takes the steps of a trace, as far as they are possible. How many are not?
    fn retrace(&mut self, trace: &[TraceStep], budget: &Budget<'_>) -> Result<usize, Failed> {
        for step in trace {
            self.check(budget)?;
            let Some(choice) = self.meant(step) else { break };
            self.take(choice);
        }
        if self.taken.len() < trace.len() && !trace.is_empty() {
            // The names of states do not tell where the trace goes: any run with these actions will do.
            let actions: Vec<String> = trace.iter().map(|step| step.action.clone()).collect();
            let followed = self.simulation.follow(&actions, &[], budget);
            followed.map_err(|exhausted| Failed::Exhausted(exhausted, Vec::new()))?;
            let steps = self.simulation.steps().to_vec();
            self.simulation.restart();
            self.taken.clear();
            steps.into_iter().for_each(|step| self.take(step));
        }
        Ok(trace.len() - self.taken.len().min(trace.len()))
    }

    /// The possible step that a step of a trace is: by its action, who takes part, and where that leads.
    fn meant(&self, step: &TraceStep) -> Option<Choice> {
        let before = self.simulation.tuple()?.to_vec();
        let is_alike = |choice: &Choice| {
            self.naming.shown(&choice.action) == step.action && choice.components == step.components
        };
        let leads_there =
            |choice: &Choice| step.states.is_empty() || self.step(&before, choice).states == step.states;
        self.simulation.choices().into_iter().find(|choice| is_alike(choice) && leads_there(choice))
    }

    /// Takes steps by their numbers, as far as there are such. How many are there not?
    fn choose(&mut self, choices: &[usize], budget: &Budget<'_>) -> Result<usize, Failed> {
        for (done, &number) in choices.iter().enumerate() {
            self.check(budget)?;
            let Some(choice) = self.simulation.choices().into_iter().nth(number) else {
                return Ok(choices.len() - done);
            };
            self.take(choice);
        }
        Ok(0)
    }

    fn check(&self, budget: &Budget<'_>) -> Result<(), Failed> {
        let states = self.taken.len() + 1;
        let bytes = states.saturating_mul(256 + 8 * self.target.behaviour.part_names().len());
        let progress = Progress { states, bytes, ..Progress::default() };
        budget.check(&progress).map_err(|exhausted| Failed::Exhausted(exhausted, Vec::new()))
    }

    /// A step as traces have it.
    fn step(&self, before: &[u32], choice: &Choice) -> TraceStep {
        let step = Step {
            action: choice.action.clone(),
            movers: choice.components.iter().map(|&component| ComponentId::from_index(component)).collect(),
            before: before.to_vec(),
            after: self.after(before, choice),
            fluents: Vec::new(),
        };
        TraceStep::new(step, &self.target.behaviour, self.states)
    }

    /// The state after a step; whoever fails is in its error state.
    fn after(&self, before: &[u32], choice: &Choice) -> Vec<u32> {
        if let Some(after) = choice.leads_to() {
            return after.to_vec();
        }
        let mut after = before.to_vec();
        if let (Some(failing), Some(network)) = (choice.error, self.target.behaviour.as_network())
            && let Some(component) = network.components().get(failing)
            && let (Some(error), Some(place)) = (component.lts.error(), after.get_mut(failing))
        {
            *place = error.raw();
        }
        after
    }

    /// Everything there is to see.
    fn finish(self, empty: Walk, project: &Project) -> Walk {
        let mut steps: Vec<TraceStep> =
            self.taken.iter().map(|(before, choice)| self.step(before, choice)).collect();
        let tuples = self.tuples();
        if let Some(network) = self.target.behaviour.as_network() {
            locate(steps.iter_mut(), network, &self.target.parts, project);
        }
        for step in &mut steps {
            step.action = self.naming.shown(&step.action).to_owned();
        }
        let choices = self.simulation.choices();
        let offer = |choice: &Choice| Offer {
            action: self.naming.shown(&choice.action).to_owned(),
            components: choice.components.clone(),
            fails: choice.error.is_some(),
            is_cut: choice.cut.is_some(),
        };
        Walk {
            steps,
            tuples,
            states: self.named_states(),
            choices: choices.iter().map(offer).collect(),
            refused: self.refused(&choices),
            end: self.end(&choices, &empty.components),
            cause: self.simulation.deadlock(),
            ..empty
        }
    }

    /// The numbers of the states of the components along the run.
    fn tuples(&self) -> Vec<Vec<u32>> {
        if self.target.behaviour.as_network().is_none() {
            return Vec::new();
        }
        let last = match self.taken.last() {
            None => self.simulation.tuple().map(<[u32]>::to_vec),
            Some((before, choice)) => Some(self.after(before, choice)),
        };
        self.taken.iter().map(|(before, _)| before.clone()).chain(last).collect()
    }

    /// Where everybody was before the first step and after each.
    fn moments(&mut self) -> Vec<Vec<NamedState>> {
        if let Some(network) = self.target.behaviour.as_network() {
            let named = |(name, state): (String, String)| NamedState { name, state };
            let tuples = self.tuples();
            return tuples.iter().map(|tuple| self.of_network(network, tuple).map(named).collect()).collect();
        }
        self.simulation.restart();
        let mut moments = vec![self.named_states()];
        for (_, choice) in &self.taken {
            self.simulation.take(choice.clone());
            moments.push(self.named_states());
        }
        moments
    }

    fn named_states(&self) -> Vec<NamedState> {
        let named = |(name, state): (String, String)| NamedState { name, state };
        match (self.target.behaviour.as_network(), self.simulation.tuple()) {
            (Some(network), Some(tuple)) => self.of_network(network, tuple).map(named).collect(),
            _ => self.simulation.states().unwrap_or_default().into_iter().map(named).collect(),
        }
    }

    fn of_network<'n>(
        &'n self,
        network: &'n Network,
        tuple: &'n [u32],
    ) -> impl Iterator<Item = (String, String)> {
        let name = |(component, &state): (&rely_lts::Component, &u32)| {
            (component.name.clone(), self.states.name(&component.lts, StateId::from_raw(state)))
        };
        network.components().iter().zip(tuple).map(name)
    }

    /// The actions of the target that are not possible, with the reasons.
    fn refused(&self, choices: &[Choice]) -> Vec<Refusal> {
        if self.simulation.tuple().is_none() {
            return Vec::new();
        }
        let alphabet = self.target.behaviour.alphabet();
        let mut names: Vec<&str> = alphabet.names().collect();
        names.sort_unstable();
        let impossible =
            names.into_iter().filter(|name| !choices.iter().any(|choice| choice.action == *name));
        let told = |name: &str| Refusal {
            action: self.naming.shown(name).to_owned(),
            reasons: self.simulation.why_not(name).reasons(),
        };
        impossible.take(MOST_REFUSALS).map(told).collect()
    }

    fn end(&self, choices: &[Choice], components: &[String]) -> Option<String> {
        if let Some(end) = self.simulation.end() {
            let part = end.error.or(end.cut).and_then(|part| components.get(part)).map_or("", String::as_str);
            let fault = end.fault.map_or(String::new(), |fault| format!(": {fault}"));
            return Some(match end.error {
                Some(_) => format!("error in {part}{fault}"),
                None => format!("{part} leaves the bounds of what is explored"),
            });
        }
        if !choices.is_empty() {
            return None;
        }
        let ended = self.simulation.has_ended();
        Some(if ended { "ended: nothing is left to do" } else { "deadlock: nothing is possible" }.to_owned())
    }
}

impl WhyNot {
    /// Why an action is not possible, in a sentence for each component that has a part in that; nothing if it is possible.
    pub fn reasons(&self) -> Vec<String> {
        match self {
            Self::Possible => Vec::new(),
            Self::AtTheEnd => vec!["the run has come to its end".to_owned()],
            Self::Unknown(Some(meant)) => vec![format!("there is no such action; did you mean {meant}?")],
            Self::Unknown(None) => vec!["there is no such action".to_owned()],
            Self::Outranked(first) if first.is_empty() => vec!["it has no priority".to_owned()],
            Self::Outranked(first) => vec![format!("{} go first", first.join(", "))],
            Self::NotReady(units) => vec![format!("it takes {}, and not all are ready", units.join(", "))],
            Self::Refused(refusing) => refusing.iter().map(crate::simulate::Refusing::reason).collect(),
        }
    }
}

/// A system of a component, if the target is a network.
pub(super) fn component_systems(target: &Target<Behaviour>) -> Vec<(&str, &Lts)> {
    let components = target.behaviour.as_network().map_or(&[][..], Network::components);
    components.iter().map(|component| (component.name.as_str(), &*component.lts)).collect()
}
