//! Reduction of a system modulo an equivalence.
//!
//! Every equivalence has a file of its own, which gives a [`Partition`] of the states or, where it is about traces, a
//! deterministic system; [`quotient`] makes a system of a partition. π is kept apart from all other states throughout.
//! Termination is treated as an observable action (`termination.rs`), except by safety equivalence, which ignores it.

mod branching;
mod bunch;
mod compare;
mod determinise;
mod graph;
mod memory;
mod partition;
mod quotient;
mod safety;
mod signature;
mod silent;
mod strong;
mod termination;
#[cfg(test)]
mod tests;
mod weak;

pub use compare::compare;
pub use determinise::{determinise, determinise_within, deterministic};
pub use partition::{BlockId, Partition};
pub use quotient::{SilentLoops, quotient};
pub use safety::{completed, without_harmless_states};
pub use termination::{TICK, as_action as with_visible_end};

use rely_base::{Budget, Exhausted};

use self::{
    branching::Divergence,
    determinise::{Tau, determinise_reduced},
    memory::afford,
    quotient::{quotient_by_branching, quotient_by_strong},
    safety::error_automaton,
    silent::SilentComponents,
};
use crate::{Lts, operators::trim};

/// What a reduction preserves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Equivalence {
    /// Strong bisimilarity: τ is an action like any other.
    Strong,
    /// Branching bisimilarity, which does not see divergence.
    Branching,
    /// Branching bisimilarity with explicit divergence.
    DivergenceBranching,
    /// Weak bisimilarity, that is observation equivalence, which does not see divergence.
    Weak,
    /// Equality of traces, where τ is an action like any other. Deadlocks are not preserved.
    Trace,
    /// Equality of visible traces. Deadlocks are not preserved.
    WeakTrace,
    /// Equality of the visible traces that lead to π; nothing else is preserved.
    Safety,
}

impl Equivalence {
    /// All equivalences.
    pub const ALL: [Self; 7] = [
        Self::Strong,
        Self::Branching,
        Self::DivergenceBranching,
        Self::Weak,
        Self::Trace,
        Self::WeakTrace,
        Self::Safety,
    ];

    /// The name by which users choose it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strong => "strong",
            Self::Branching => "branching",
            Self::DivergenceBranching => "divergence-branching",
            Self::Weak => "weak",
            Self::Trace => "trace",
            Self::WeakTrace => "weak-trace",
            Self::Safety => "safety",
        }
    }

    /// Whether it is a bisimilarity that abstracts from silent steps.
    fn abstracts(self) -> bool {
        matches!(self, Self::Branching | Self::DivergenceBranching | Self::Weak)
    }

    /// The equivalence with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|equivalence| equivalence.name() == name)
    }
}

/// The smallest system that is equivalent to the given one.
///
/// Unreachable states are dropped. The result has the same alphabet; its states are numbered breadth first, π last, and
/// it is the same whenever the input is. For the bisimilarities its states are the classes of states, its transitions
/// those of all members; silent loops are kept for strong bisimilarity only, and where they show divergence. For the
/// trace and safety equivalences it is the minimal deterministic system.
///
/// ```
/// use rely_base::{Alphabet, Budget, Label};
/// use rely_lts::{LtsBuilder, equivalence::{Equivalence, minimise}};
///
/// // A silent step, then `tick` for ever.
/// let mut alphabet = Alphabet::new();
/// let tick = Label::visible(alphabet.intern("tick"));
/// let mut builder = LtsBuilder::new(alphabet);
/// let (start, clock) = (builder.add_state(), builder.add_state());
/// builder.add_transition(start, Label::TAU, clock);
/// builder.add_transition(clock, tick, clock);
/// let lts = builder.build();
///
/// let states = |equivalence| Ok(minimise(&lts, equivalence, &Budget::UNLIMITED)?.state_count());
/// assert_eq!(states(Equivalence::Strong)?, 2);
/// assert_eq!(states(Equivalence::Branching)?, 1);
/// # Ok::<(), rely_base::Exhausted>(())
/// ```
///
/// # Errors
/// When the budget is used up.
pub fn minimise(lts: &Lts, equivalence: Equivalence, budget: &Budget<'_>) -> Result<Lts, Exhausted> {
    if equivalence.abstracts() && !lts.has_tau() {
        // Without silent steps there is nothing to abstract from.
        return minimise(lts, Equivalence::Strong, budget);
    }
    if let Some(ticking) = equivalence.abstracts().then(|| termination::as_action(lts)).flatten() {
        return Ok(termination::as_state(&minimise(&ticking, equivalence, budget)?));
    }
    let automaton = match canonical_automaton(lts, equivalence, budget)? {
        None if !lts.is_trimmed() => {
            let numbers = 3 * lts.state_count() * size_of::<u32>();
            afford(lts, 2 * lts.bytes() + numbers, budget)?;
            Some(trim(lts))
        }
        automaton => automaton,
    };
    // The original system is held while its automaton is reduced.
    let budget = &automaton.as_ref().map_or(*budget, |_| budget.after_holding(lts.bytes()));
    let lts = automaton.as_ref().unwrap_or(lts);
    let initial = Partition::of_special_states(lts);
    Ok(match equivalence {
        Equivalence::Branching => minimise_branching(lts, &initial, Divergence::Ignored, budget)?,
        Equivalence::DivergenceBranching => minimise_branching(lts, &initial, Divergence::Explicit, budget)?,
        Equivalence::Weak => quotient(lts, &weak::partition(lts, &initial, budget)?, SilentLoops::Drop),
        Equivalence::Strong | Equivalence::Trace | Equivalence::WeakTrace | Equivalence::Safety => {
            quotient_by_strong(lts, &strong::partition(lts, &initial, budget)?)
        }
    })
}

/// The quotient by branching bisimilarity. If divergence is explicit, a divergent class has a silent loop.
fn minimise_branching(
    lts: &Lts,
    initial: &Partition,
    divergence: Divergence,
    budget: &Budget<'_>,
) -> Result<Lts, Exhausted> {
    let components = SilentComponents::new(lts, budget)?;
    let partition = branching::partition_components(lts, &components, initial, divergence, budget)?;
    let keeps_loops =
        |component: u32| divergence == Divergence::Explicit && components.is_divergent[component as usize];
    Ok(quotient_by_branching(lts, &partition, &components, keeps_loops))
}

/// For an equivalence about traces, the deterministic system on which it is strong bisimilarity; `None` for the
/// others.
fn canonical_automaton(
    lts: &Lts,
    equivalence: Equivalence,
    budget: &Budget<'_>,
) -> Result<Option<Lts>, Exhausted> {
    Ok(match equivalence {
        Equivalence::Trace => Some(determinise_reduced(lts, Tau::Seen, budget)?),
        Equivalence::WeakTrace => Some(determinise_reduced(lts, Tau::Unseen, budget)?),
        Equivalence::Safety => Some(trim(&error_automaton(lts, budget)?)),
        Equivalence::Strong
        | Equivalence::Branching
        | Equivalence::DivergenceBranching
        | Equivalence::Weak => None,
    })
}

/// Whether a reachable state can go on silently for ever. Weak bisimilarity, and branching bisimilarity without
/// explicit divergence, do not preserve this.
///
/// # Errors
/// When the budget is used up.
pub fn diverges(lts: &Lts, budget: &Budget<'_>) -> Result<bool, Exhausted> {
    Ok(SilentComponents::new(&trim(lts), budget)?.is_divergent.contains(&true))
}

/// The classes of the states of a system. For the equivalences about traces the system has to be deterministic, as
/// [`determinise`] makes it.
///
/// # Errors
/// When the budget is used up.
pub fn partition(lts: &Lts, equivalence: Equivalence, budget: &Budget<'_>) -> Result<Partition, Exhausted> {
    let ticking = equivalence.abstracts().then(|| termination::as_action(lts)).flatten();
    let lts = ticking.as_ref().unwrap_or(lts);
    bisimulation(lts, &Partition::of_special_states(lts), equivalence, budget)
}

/// The partition of an equivalence; for those about traces, on a canonical automaton.
fn bisimulation(
    lts: &Lts,
    initial: &Partition,
    equivalence: Equivalence,
    budget: &Budget<'_>,
) -> Result<Partition, Exhausted> {
    match equivalence {
        Equivalence::Strong | Equivalence::Trace | Equivalence::WeakTrace | Equivalence::Safety => {
            strong::partition(lts, initial, budget)
        }
        Equivalence::Branching => branching::partition(lts, initial, Divergence::Ignored, budget),
        Equivalence::DivergenceBranching => branching::partition(lts, initial, Divergence::Explicit, budget),
        Equivalence::Weak => weak::partition(lts, initial, budget),
    }
}
