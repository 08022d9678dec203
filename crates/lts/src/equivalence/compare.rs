//! Whether two systems are equivalent.

use rely_base::{Alphabet, Budget, Exhausted, Id, Label, StateId};

use super::{Equivalence, Partition, bisimulation, canonical_automaton, termination};
use crate::{Lts, LtsBuilder};

/// Whether two systems are equivalent: whether their initial states are, in the disjoint union of the two.
///
/// Actions are the same if they have the same name. An action that only one alphabet has is one that the other system
/// never takes.
///
/// # Errors
/// When the budget is used up.
pub fn compare(
    left: &Lts,
    right: &Lts,
    equivalence: Equivalence,
    budget: &Budget<'_>,
) -> Result<bool, Exhausted> {
    let mut alphabet = left.alphabet().clone();
    for name in right.alphabet().names() {
        alphabet.intern(name);
    }
    let left = over(left, &alphabet);
    let right = over(right, &alphabet);
    if equivalence.abstracts() && (left.end().is_some() || right.end().is_some()) {
        let ticking = |lts: Lts| termination::as_action(&lts).unwrap_or(lts);
        return compare(&ticking(left), &ticking(right), equivalence, budget);
    }
    let (union, left_initial, right_initial) = match canonical_automaton(&left, equivalence, budget)? {
        Some(left) => {
            let right = canonical_automaton(&right, equivalence, budget)?;
            disjoint_union(
                &left,
                &right.expect("an equivalence has an automaton for all systems or for none"),
            )
        }
        None => disjoint_union(&left, &right),
    };
    let initial = Partition::of_special_states(&union);
    let partition = bisimulation(&union, &initial, equivalence, budget)?;
    Ok(partition.equivalent(left_initial, right_initial))
}

/// The system with its transitions over a larger alphabet.
fn over(lts: &Lts, alphabet: &Alphabet) -> Lts {
    let image: Vec<Label> = std::iter::once(Label::TAU)
        .chain(lts.alphabet().names().map(|name| {
            Label::visible(alphabet.get(name).expect("the larger alphabet has the names of the smaller"))
        }))
        .collect();
    let mut builder = LtsBuilder::with_states(alphabet.clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_error(lts.error());
    builder.set_end(lts.end());
    for transition in lts.transitions() {
        builder.add_transition(transition.source, image[transition.label.index()], transition.target);
    }
    builder.build()
}

/// The disjoint union of two systems with the same alphabet, and the initial state of each. Only π and the end state
/// are shared, which have no transitions.
fn disjoint_union(left: &Lts, right: &Lts) -> (Lts, StateId, StateId) {
    let offset = left.state_count();
    let shift = |state: StateId| StateId::from_index(offset + state.index());
    let error = left.error().or(right.error().map(shift));
    let end = left.end().or(right.end().map(shift));
    let image = |state: StateId| {
        if Some(state) == right.error() {
            error.expect("the right system has an error state")
        } else if Some(state) == right.end() {
            end.expect("the right system has an end state")
        } else {
            shift(state)
        }
    };
    let mut builder = LtsBuilder::with_states(left.alphabet().clone(), offset + right.state_count());
    builder.set_error(error);
    builder.set_end(end);
    for transition in left.transitions() {
        builder.add_transition(transition.source, transition.label, transition.target);
    }
    for transition in right.transitions() {
        builder.add_transition(image(transition.source), transition.label, image(transition.target));
    }
    (builder.build(), left.initial(), image(right.initial()))
}
