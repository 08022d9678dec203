//! From a sequence of shared actions to a run of the whole system.
//!
//! Rules see components through their interfaces and reduced. When the premises show that a goal fails, they show it as
//! a sequence of the actions that are left; what the components do in between has to be found again. The system as it
//! was given is composed with a component that allows this sequence only, and searched: a run that fails is a run of
//! the system. It is replayed before it is returned, without that component.

use std::sync::Arc;

use rely_base::{Alphabet, Budget, Exhausted, Id, Label, StateId};
use rely_decide::{Counterexample, Decision, ReplayError, Verdict, check_safety, replay};
use rely_lts::{Component, LtsBuilder, Network};

use crate::Effort;

/// Why there is no run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unrealised {
    /// A limit was met.
    Exhausted(Exhausted),
    /// The run cannot be replayed, or there is none: a mistake in the program.
    Mistake(ReplayError),
}

impl From<Exhausted> for Unrealised {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

impl From<ReplayError> for Unrealised {
    fn from(mistake: ReplayError) -> Self {
        Self::Mistake(mistake)
    }
}

/// A shortest run of components that fails and of whose actions an alphabet shows a sequence, or a beginning of it.
///
/// # Errors
/// A limit, or a mistake in the program: the sequence is one that leads nowhere.
pub fn realise(
    components: &[Component],
    sequence: &[String],
    alphabet: &Alphabet,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Counterexample, Unrealised> {
    let run = realisable(components, sequence, alphabet, budget, effort)?;
    let reason = "the premises blame a sequence that does not fail";
    run.ok_or(Unrealised::Mistake(ReplayError { step: sequence.len(), reason }))
}

/// A run of the components with this sequence of actions that fails; nothing if there is none.
pub(crate) fn realisable(
    components: &[Component],
    sequence: &[String],
    alphabet: &Alphabet,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Option<Counterexample>, Unrealised> {
    let only = only_sequence(sequence, alphabet);
    let constrained = Network::new(components.iter().cloned().chain([only]).collect());
    let Decision { verdict, explored } = check_safety(&constrained, budget).map_err(Unrealised::Mistake)?;
    effort.held(explored.states);
    let mut run = match verdict {
        Verdict::Violated(run) => *run,
        Verdict::Holds(_) => return Ok(None),
        Verdict::Unknown(limit) => return Err(Unrealised::Exhausted(limit.exhausted())),
    };
    run.initial.pop();
    for step in &mut run.trace {
        step.before.pop();
        step.after.pop();
        step.movers.retain(|mover| mover.index() < components.len());
    }
    replay(&Network::new(components.to_vec()), &run).map_err(Unrealised::Mistake)?;
    Ok(Some(run))
}

/// The component that takes the actions of an alphabet in this sequence only.
pub(crate) fn only_sequence(sequence: &[String], alphabet: &Alphabet) -> Component {
    let mut builder = LtsBuilder::with_states(alphabet.clone(), sequence.len() + 1);
    for (i, name) in sequence.iter().enumerate() {
        let action = alphabet.get(name).expect("a sequence is made of actions of its alphabet");
        let place = StateId::from_index(i);
        builder.add_transition(place, Label::visible(action), StateId::from_index(i + 1));
    }
    Component { name: "SEQUENCE".to_owned(), lts: Arc::new(builder.build()) }
}

/// The component that takes the actions of an alphabet in this sequence only, which is not empty, and fails by the last
/// of them.
pub(crate) fn failing_after(sequence: &[String], alphabet: &Alphabet) -> Component {
    let mut builder = LtsBuilder::with_states(alphabet.clone(), sequence.len());
    let error = builder.error_state();
    for (i, name) in sequence.iter().enumerate() {
        let action = alphabet.get(name).expect("a sequence is made of actions of its alphabet");
        let target = if i + 1 == sequence.len() { error } else { StateId::from_index(i + 1) };
        builder.add_transition(StateId::from_index(i), Label::visible(action), target);
    }
    Component { name: "SEQUENCE".to_owned(), lts: Arc::new(builder.build()) }
}
