//! The weakest assumption of components and a goal, by direct construction.
//!
//! **Problem.** Given components M, a goal G and an interface Σ, the language A over Σ such that for every environment E
//! that shares nothing but Σ with them: E ⊨ A if and only if E ‖ M ⊨ G.
//!
//! **Source.** [Giannakopoulou, Păsăreanu, Barringer 2003], section 3; the paper's figures 4 to 6 are one run of it.
//!
//! **Idea.** A word over Σ is bad if it is what Σ shows of some run of M ‖ G that fails. So: compose and hide what is
//! not in Σ; reduce (*minimised*); what fails by silent steps has failed, and what cannot fail any more is dropped
//! (*propagated*); follow all runs with the same word at once, where a set with the error state is the error
//! (*determinised*); words that M never takes part in lead to the sink θ where everything is allowed; take away the
//! error state; reduce again (*final*).
//!
//! **Invariants.** The result is prefix-closed, deterministic and minimal, and so unique: its size is a fact about the
//! problem and not about the construction.
//!
//! **Complexity.** Exponential in the size of the reduced product at worst, because of determinisation.
//!
//! **Deviations.** The deadlock-free form (section 3.4) is in `deadlock.rs`. There nothing is dropped before
//! determinisation: what was dropped would look like a deadlock.
//!
//! **Callers.** `rely assume`; the rules when assumptions are to be constructed and not learned.

use std::sync::Arc;

use rely_base::{Alphabet, Budget, Exhausted, Label};
use rely_explore::generate;
use rely_lts::equivalence::{Equivalence, TICK, completed, determinise, minimise, without_harmless_states};
use rely_lts::operators::{propagate_error, trim, without_error};
use rely_lts::{Component, Lts, LtsBuilder, Network};

use crate::deadlock::{with_visible_end, without_deadlocks, without_stuck_members};
use crate::partial::certain;
use crate::problem::alphabet_of;
use crate::{Assumption, Certain, Effort, Goal};

/// What components need of their environment.
#[derive(Clone, Debug)]
pub enum Requirement {
    /// Nothing: the goal is met in every environment.
    Nothing,
    /// More than any environment can give: the goal fails in every one.
    Impossible,
    /// Exactly this.
    Assumption(Assumption),
}

impl Requirement {
    /// The assumption as an automaton, also where it allows everything; nothing if it cannot be met.
    pub fn assumption(&self, interface: &Alphabet) -> Option<Assumption> {
        match self {
            Self::Nothing => Some(everything(interface)),
            Self::Impossible => None,
            Self::Assumption(assumption) => Some(assumption.clone()),
        }
    }
}

/// The assumption that allows everything.
pub fn everything(interface: &Alphabet) -> Assumption {
    let dfa = rely_automata::Dfa::constant(interface.len(), true);
    Assumption::of_dfa(interface, &dfa).expect("the empty word is accepted")
}

/// How many states each step of the construction has; the error state is never counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Steps {
    /// The product of the components and the goal.
    pub composed: usize,
    /// After hiding what is not in the interface, and reduction modulo observational equivalence.
    pub minimised: usize,
    /// After propagation of the error over silent steps, without the states from which no error can be reached.
    pub propagated: usize,
    /// After determinisation.
    pub determinised: usize,
    /// The assumption, minimal, with the sink θ where it can be reached.
    pub last: usize,
}

/// A construction met a limit.
#[derive(Clone, Debug)]
pub struct Interrupted {
    /// The limit.
    pub exhausted: Exhausted,
    /// The steps that were completed.
    pub steps: Steps,
    /// The product, reduced to what matters for the weakest assumption, if the construction came so far.
    reduced: Option<Arc<Lts>>,
}

impl Interrupted {
    /// What is certain of the weakest assumption all the same, with as much more work as a budget allows.
    pub fn certain(
        self,
        components: &[Component],
        goal: &Goal,
        interface: &Alphabet,
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Certain {
        let all = match self.reduced {
            Some(reduced) => vec![Component { name: "M".to_owned(), lts: reduced }],
            None => components.iter().chain(&goal.components).cloned().collect(),
        };
        certain(&Network::new(all), interface, budget, effort)
    }
}

/// Which of the constructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Variant {
    /// The weakest assumption.
    #[default]
    Weakest,
    /// The weakest assumption that never leaves the components without anything to do.
    DeadlockFree,
}

/// The weakest assumption over an interface under which components meet a goal.
///
/// # Errors
/// The limit of the budget that was met, and how far the construction had come.
pub fn weakest(
    components: &[Component],
    goal: &Goal,
    interface: &Alphabet,
    variant: Variant,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<(Requirement, Steps), Interrupted> {
    let mut construction =
        Construction { components, goal, interface, variant, budget, steps: Steps::default(), reduced: None };
    let found = construction.run(effort);
    let Construction { steps, reduced, .. } = construction;
    match found {
        Ok(requirement) => Ok((requirement, steps)),
        Err(exhausted) => {
            effort.held(exhausted.states);
            Err(Interrupted { exhausted, steps, reduced })
        }
    }
}

struct Construction<'a> {
    components: &'a [Component],
    goal: &'a Goal,
    interface: &'a Alphabet,
    variant: Variant,
    budget: &'a Budget<'a>,
    /// The steps that were completed.
    steps: Steps,
    /// The reduced product of the weakest assumption, once it is known.
    reduced: Option<Arc<Lts>>,
}

impl Construction<'_> {
    fn run(&mut self, effort: &mut Effort) -> Result<Requirement, Exhausted> {
        let budget = self.budget;
        let own = alphabet_of(self.components);
        let is_own = |name: &str| name == TICK || own.contains(name);
        let composed = self.composed(effort)?;
        self.steps.composed = composed.proper_state_count();
        effort.held(composed.state_count());
        let minimised = minimise(&composed, Equivalence::Weak, budget)?;
        self.steps.minimised = minimised.proper_state_count();
        drop(composed);
        let propagated = match self.variant {
            Variant::Weakest => trim(&without_harmless_states(&propagate_error(&minimised))?),
            Variant::DeadlockFree => without_deadlocks(&propagate_error(&minimised), is_own, budget)?,
        };
        if propagated.error() == Some(propagated.initial()) {
            return Ok(Requirement::Impossible);
        }
        if propagated.error().is_none() && self.variant == Variant::Weakest {
            self.steps.last = 1;
            return Ok(Requirement::Nothing);
        }
        self.steps.propagated = propagated.proper_state_count();
        let determinised = match determinise(&propagated, budget) {
            Ok(determinised) => determinised,
            Err(exhausted) => {
                self.reduced = (self.variant == Variant::Weakest).then(|| Arc::new(propagated));
                return Err(exhausted);
            }
        };
        effort.held(determinised.state_count());
        let determinised = match self.variant {
            Variant::Weakest => determinised,
            Variant::DeadlockFree => {
                without_stuck_members(propagated, &determinised, is_own, budget, effort)?
            }
        };
        if determinised.error() == Some(determinised.initial()) {
            return Ok(Requirement::Impossible);
        }
        self.steps.determinised = determinised.proper_state_count();
        let all = extended(&completed(&determinised), self.interface);
        let last = without_error(&minimise(&all, Equivalence::Strong, budget)?);
        self.steps.last = last.state_count();
        let assumption = Assumption::new(last);
        match assumption.sink() == Some(assumption.lts().initial()) {
            true => Ok(Requirement::Nothing),
            false => Ok(Requirement::Assumption(assumption)),
        }
    }

    /// The product, of which only the interface is visible, and in the deadlock-free form the end of the components.
    fn composed(&self, effort: &mut Effort) -> Result<Lts, Exhausted> {
        let mut all = match self.variant {
            Variant::Weakest => self.components.to_vec(),
            Variant::DeadlockFree => with_visible_end(self.components, self.budget, effort)?,
        };
        all.extend(self.goal.components.iter().cloned());
        let network = Network::new(all).with_hidden(|name| name != TICK && !self.interface.contains(name));
        generate(&network, self.budget)
    }
}

/// The same system over the interface, in its order: an action that the system does not have changes nothing.
fn extended(lts: &Lts, interface: &Alphabet) -> Lts {
    let mut builder = LtsBuilder::with_states(interface.clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_error(lts.error());
    for state in lts.states().filter(|&state| Some(state) != lts.error()) {
        for (action, name) in interface.iter() {
            let label = Label::visible(action);
            match lts.alphabet().get(name) {
                None => builder.add_transition(state, label, state),
                Some(own) => {
                    for edge in lts.edges_with(state, Label::visible(own)) {
                        builder.add_transition(state, label, edge.target);
                    }
                }
            }
        }
    }
    builder.build()
}
