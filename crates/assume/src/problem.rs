//! What is to be proved: components, and a goal that must not fail.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use rely_base::{Alphabet, Budget, Exhausted, Id, StateId};
use rely_decide::Counterexample;
use rely_lts::equivalence::{Equivalence, minimise};
use rely_lts::{Component, ComponentId, Lts, Network, operators};
use rustc_hash::FxHashMap;

/// What must not fail: components that have an error state.
///
/// Usually a single property process, which refuses nothing and so only looks on. Where the question is whether some
/// parts of a system can reach error states of their own, the goal is these parts.
#[derive(Clone, Debug)]
pub struct Goal {
    /// Its name, in the user's words.
    pub name: String,
    /// The components that can fail.
    pub components: Vec<Component>,
}

impl Goal {
    /// A single property process.
    pub fn property(component: Component) -> Self {
        Self { name: component.name.clone(), components: vec![component] }
    }

    /// Whether the goal only looks on: each of its components has exactly one transition for every action of its
    /// alphabet in every state, and no silent one.
    pub fn is_observer(&self) -> bool {
        let observes = |lts: &Lts| {
            let proper = |&state: &_| Some(state) != lts.error();
            let mut states = lts.states().filter(proper);
            lts.is_deterministic() && states.all(|state| lts.edges(state).len() == lts.alphabet().len())
        };
        self.components.iter().all(|component| observes(&component.lts))
    }

    /// The actions of the goal.
    pub fn alphabet(&self) -> Alphabet {
        alphabet_of(&self.components)
    }
}

/// M₁ ‖ … ‖ Mₙ ⊨ G: parts that cannot fail by themselves, and a goal.
///
/// It is the question whether G can fail before anything else has. A component that can fail and is not asked about is
/// *stopped*: it halts where it would fail. So every run up to the first failure is there, with its last step, in which
/// several components may fail at once. But other parts may go on after one has halted, so a run may be one too many:
/// see [`outlives_a_failure`].
#[derive(Clone, Debug)]
pub struct Problem {
    /// The parts.
    pub parts: Vec<Component>,
    /// What must not fail.
    pub goal: Goal,
    /// The parts of each composite that the user wrote, by number, those inside of others first. They say nothing about
    /// what is true, only in which order parts are well composed.
    pub composites: Vec<Vec<usize>>,
}

impl Problem {
    /// The question whether some components of a network can fail before anything else has. `observers` are left out,
    /// since they keep nothing from happening; other components that can fail are stopped.
    pub fn new(
        name: impl Into<String>,
        network: &Network,
        goal: &[ComponentId],
        observers: &[ComponentId],
    ) -> Self {
        let mut parts = Vec::new();
        let mut failing = Vec::new();
        for (i, component) in network.components().iter().enumerate() {
            let id = ComponentId::from_index(i);
            if goal.contains(&id) {
                failing.push(component.clone());
            } else if !observers.contains(&id) {
                parts.push(stopped(component));
            }
        }
        let goal = Goal { name: name.into(), components: failing };
        Self { parts, goal, composites: Vec::new() }
    }

    /// Adds the composites: for each part those that it is in, from the outside in.
    #[must_use]
    pub fn with_composites(mut self, paths: &[Vec<String>]) -> Self {
        let mut members: BTreeMap<(Reverse<usize>, &[String]), Vec<usize>> = BTreeMap::new();
        for (part, path) in paths.iter().enumerate() {
            for depth in 1..=path.len() {
                members.entry((Reverse(depth), &path[..depth])).or_default().push(part);
            }
        }
        self.composites = members.into_values().filter(|parts| parts.len() > 1).collect();
        self
    }

    /// The question about some of the parts.
    pub(crate) fn about(&self, chosen: &[usize]) -> Self {
        let number = |part: &usize| chosen.iter().position(|other| other == part);
        let inside = |parts: &Vec<usize>| -> Vec<usize> { parts.iter().filter_map(number).collect() };
        let composites = self.composites.iter().map(inside).filter(|parts| parts.len() > 1).collect();
        let parts = chosen.iter().map(|&part| self.parts[part].clone()).collect();
        Self { parts, goal: self.goal.clone(), composites }
    }

    /// All components, the parts first.
    pub fn components(&self) -> Vec<Component> {
        self.parts.iter().chain(&self.goal.components).cloned().collect()
    }

    /// The closed system.
    pub fn network(&self) -> Network {
        Network::new(self.components())
    }

    /// The same problem with parts that keep what the others and the goal can feel of them.
    ///
    /// Actions that belong to a single part are hidden, and the part is reduced modulo branching bisimilarity, which
    /// keeps the traces and is a congruence: the goal fails after the same sequences of the remaining actions. What is
    /// left out of a sequence is found again when it is played on the problem as it was given (see
    /// [`crate::realise`]).
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn abstracted(&self, budget: &Budget<'_>) -> Result<Self, Exhausted> {
        let mut owners: FxHashMap<&str, usize> = FxHashMap::default();
        for component in self.parts.iter().chain(&self.goal.components) {
            for name in component.lts.alphabet().names() {
                *owners.entry(name).or_default() += 1;
            }
        }
        let reduce = |part: &Component| -> Result<Component, Exhausted> {
            let hidden = operators::hide(&part.lts, |name| owners[name] == 1);
            let lts = minimise(&hidden, Equivalence::Branching, budget)?;
            Ok(Component { name: part.name.clone(), lts: Arc::new(lts) })
        };
        let parts = self.parts.iter().map(reduce).collect::<Result<_, _>>()?;
        Ok(Self { parts, ..self.clone() })
    }
}

/// A component that halts where it would fail.
fn stopped(component: &Component) -> Component {
    match component.lts.error() {
        None => component.clone(),
        Some(_) => Component::new(&component.name, operators::stopped(&component.lts)),
    }
}

/// Whether a run of the problem that [`Problem::new`] makes of these parts of a network goes on after one of them has
/// failed. Then it is no run of the network, in which the first failure is the end.
pub fn outlives_a_failure(run: &Counterexample, network: &Network, parts: &[ComponentId]) -> bool {
    // Stopping keeps the numbers of states.
    let has_failed = |(part, &state): (&ComponentId, &u32)| {
        network.components()[part.index()].lts.error() == Some(StateId::from_raw(state))
    };
    run.trace.iter().any(|step| parts.iter().zip(&step.before).any(has_failed))
}

/// The union of the alphabets of components, in order of first appearance.
pub(crate) fn alphabet_of<'a>(components: impl IntoIterator<Item = &'a Component>) -> Alphabet {
    let mut alphabet = Alphabet::new();
    for component in components {
        alphabet.adopt_all(component.lts.alphabet());
    }
    alphabet
}

/// Σ = (αM ∪ αG) ∩ αE: what components and their goal share with their environment, in dictionary order.
///
/// It contains every action by which the environment can influence whether the goal fails. Actions that only the goal
/// has are in the environment's hands as little as in the components'.
pub fn interface(components: &[Component], goal: &Goal, environment: &[Component]) -> Alphabet {
    let own = alphabet_of(components);
    let observed = goal.alphabet();
    let shared = alphabet_of(environment);
    let mut names: Vec<&str> =
        shared.names().filter(|name| own.contains(name) || observed.contains(name)).collect();
    names.sort_unstable();
    names.into_iter().collect()
}
