//! The weakest assumptions of the rules for interface automata, by direct construction.
//!
//! **Problem.** Of two groups of parts, what does the first need of the second? An interface automaton A over the actions
//! Σ that they share, such that the second group refines A if and only if the whole system meets its aim.
//!
//! **Source.** [Emmi, Giannakopoulou, Păsăreanu 2008], section 5: A_W for IA-Compat, A_C for IA-Prop.
//!
//! **Idea.** Compose the completions of the first group with the further components that must not fail, and hide what
//! is not in Σ. A state from which silent steps, or actions that the second group has to take, lead to an error
//! counts as an error: nothing that the second group does can avoid it. Determinise, where a set with an error is an
//! error; remove the errors; exchange inputs and outputs. For a property alone the second group need not take
//! anything more than it does, so what the first group never does is allowed; for compatibility, what the first group
//! never sends need not be taken.
//!
//! **Invariants.** The result is deterministic, has no internal steps, and is minimal.
//!
//! **Complexity.** Exponential in the size of the reduced first group at worst, because of determinisation.
//!
//! **Deviations.** For IA-Compat the paper follows errors back over internal steps only, which is enough when errors are
//! inputs of M₁ that are refused. The first group may also consist of parts that are incompatible with each other, or
//! break a property: then the errors are after outputs, too, and have to be followed back over them. A_C is the
//! prefix-closed language that this gives; the set that the paper writes down is not prefix-closed.
//!
//! **Callers.** `verify.rs`; the teacher of `teacher.rs` learns the same language; [`crate::environment`].

use std::sync::Arc;

use rely_assume::Effort;
use rely_base::{Alphabet, Budget, Exhausted, Id, Label};
use rely_explore::generate;
use rely_lts::equivalence::{Equivalence, completed, determinise, minimise};
use rely_lts::operators::{merged_into_error, propagate_error, without_error};
use rely_lts::{Component, InterfaceAutomaton, Lts, Network, Role};

use crate::problem::{Split, over};
use crate::view::leading_to;
use crate::{Aim, Inapplicable, Problem, Receptiveness, System};

/// What the first group does at the interface, and when it fails.
pub(crate) struct First {
    /// With errors where they occur.
    pub(crate) plain: Arc<Lts>,
    /// With errors as soon as the second group cannot avoid them.
    pub(crate) doomed: Arc<Lts>,
}

/// What is assumed about actions that the first group never takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unsent {
    /// The second group need not take them: for compatibility.
    Refused,
    /// They are allowed: for a property alone.
    Allowed,
}

impl Unsent {
    pub(crate) fn of(aim: &Aim) -> Self {
        match aim {
            Aim::Safe(_) => Self::Allowed,
            Aim::Compatible | Aim::CompatibleAndSafe(_) | Aim::Refines(_) => Self::Refused,
        }
    }
}

/// The weakest assumption about the second group of parts under which a system meets its aim. `None` if there is
/// none: the first group fails whatever the second does.
///
/// # Errors
/// Why the rule cannot be applied, or the limit of the budget that was met.
pub fn weakest(
    problem: &Problem,
    groups: &[Vec<usize>; 2],
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Result<Option<InterfaceAutomaton>, Exhausted>, Inapplicable> {
    let split = Split::new(problem, groups)?;
    Ok(split.first(problem, budget, effort).and_then(|first| {
        let assumption = construct(&first.doomed, &split.letters, Unsent::of(&problem.aim), budget, effort)?;
        Ok(assumption.map(|lts| InterfaceAutomaton::new(lts, split.roles.clone())))
    }))
}

/// The most permissive environment of an open system that keeps its parts compatible: it takes every output, and
/// sends what is accepted and does not lead to an illegal state that it could no longer avoid. `None` if there is
/// none.
///
/// # Errors
/// The limit of the budget that was met.
pub fn environment(
    system: &System,
    receptiveness: Receptiveness,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Option<InterfaceAutomaton>, Exhausted> {
    let mut letters = [system.actions(Role::Input), system.actions(Role::Output)].concat();
    letters.sort_unstable();
    let letters: Alphabet = letters.into_iter().collect();
    let whole = composed(&system.receptive(receptiveness), &letters, budget, effort)?;
    let is_output = |name: &str| system.role(name) == Some(Role::Output);
    let doomed = without_escape(&whole, is_output);
    let lts = construct(&doomed, &letters, Unsent::Refused, budget, effort)?;
    let mirrored = |name: &str| system.role(name).map_or(Role::Internal, Role::mirrored);
    Ok(lts.map(|lts| InterfaceAutomaton::with_roles(lts, mirrored)))
}

impl Split {
    /// The first group, composed and reduced.
    pub(crate) fn first(
        &self,
        problem: &Problem,
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Result<First, Exhausted> {
        let plain = self.group(problem, 0, budget, effort)?;
        let doomed = without_escape(&plain, |name| self.is_input(name));
        let doomed = minimise(&doomed, Equivalence::Branching, budget)?;
        Ok(First { plain: Arc::new(plain), doomed: Arc::new(doomed) })
    }

    /// The second group, composed and reduced. States from which silent steps lead to a failure count as failures.
    pub(crate) fn second(
        &self,
        problem: &Problem,
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Result<Arc<Lts>, Exhausted> {
        let plain = self.group(problem, 1, budget, effort)?;
        Ok(Arc::new(minimise(&propagate_error(&plain), Equivalence::Branching, budget)?))
    }

    fn group(
        &self,
        problem: &Problem,
        group: usize,
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Result<Lts, Exhausted> {
        let components = problem.components();
        let members = self.members[group].iter().map(|&member| components[member].clone());
        composed(&Network::new(members.collect()), &self.letters, budget, effort)
    }
}

/// The behaviour of a network observed through some letters, reduced.
fn composed(
    network: &Network,
    letters: &Alphabet,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Lts, Exhausted> {
    // Actions of a single component are hidden before the composition.
    let participants = |name: &str| {
        let action = network.alphabet().get(name);
        action.map_or(0, |action| network.participants(action).len())
    };
    let mut reduced = Vec::new();
    for component in network.components() {
        effort.held(component.lts.state_count());
        let own = |name: &str| !letters.contains(name) && participants(name) == 1;
        let lts = minimise(&rely_lts::operators::hide(&component.lts, own), Equivalence::Branching, budget)?;
        reduced.push(Component::new(&component.name, lts));
    }
    let network = Network::new(reduced).with_hidden(|name| !letters.contains(name));
    let product = generate(&network, budget)?;
    effort.held(product.state_count());
    Ok(over(&minimise(&product, Equivalence::Branching, budget)?, letters))
}

/// The system in which a state is an error if silent steps and actions that satisfy `is_unavoidable` lead to one.
fn without_escape(lts: &Lts, is_unavoidable: impl Fn(&str) -> bool) -> Lts {
    if lts.error().is_none() {
        return lts.clone();
    }
    let unavoidable: Vec<bool> = lts.alphabet().names().map(is_unavoidable).collect();
    let counts = |label: Label| label.action().is_none_or(|action| unavoidable[action.index()]);
    let fails = leading_to(lts, lts.error(), counts);
    merged_into_error(lts, |state| fails[state.index()])
}

/// The deterministic system of the words over some letters that do not fail. `None` if even the empty word may fail.
pub(crate) fn construct(
    doomed: &Lts,
    letters: &Alphabet,
    unsent: Unsent,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Option<Lts>, Exhausted> {
    let determinised = determinise(&over(doomed, letters), budget)?;
    effort.held(determinised.state_count());
    if determinised.error() == Some(determinised.initial()) {
        return Ok(None);
    }
    let all = match unsent {
        Unsent::Refused => determinised,
        Unsent::Allowed => completed(&determinised),
    };
    let good = minimise(&without_error(&all), Equivalence::Strong, budget)?;
    Ok(Some(over(&good, letters)))
}
