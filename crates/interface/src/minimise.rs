//! The smallest interface automaton that behaves like a given one in every system.
//!
//! **Problem.** Observational equivalence identifies a state that takes an input with one that takes it after a
//! silent step. A sender that cannot wait distinguishes them: in the first state its action is taken, in the second
//! it is not. So minimisation as for processes would change which automata are compatible. Which states may be
//! identified?
//!
//! **Source.** Branching bisimilarity [van Glabbeek, Weijland 1996], with the inputs that a state takes now as a label of
//! the state.
//!
//! **Idea.** *Receptive branching bisimilarity* is the largest branching bisimulation whose pairs take the same
//! inputs at once, and in which all states on the way to an answer are related to the state that is answered. A
//! silent step between states with different inputs can never be inert. So such steps get a name, which makes them
//! actions like any other; the remaining silent steps keep the inputs, and receptive branching bisimilarity is
//! ordinary branching bisimilarity: if a ≈ b and a takes x, b takes it after silent steps, none of which changes what
//! is taken, and so b takes x, too. The algorithms for branching bisimilarity do the rest, and the named steps become
//! silent again.
//!
//! **Why it is sound.** Let R be such a relation between the states of A and of B, with the initial states in it, and
//! a R b. What follows is symmetric in A and B.
//! - *Compatibility* with every partner C, beside any constraints, in either environment. By induction on a run of A ‖ C
//!   to ⟨a, c⟩ there is one of B ‖ C to some ⟨b, c⟩ with a R b, which has more silent steps at most. If c sends x and a
//!   does not take it, b does not take it either. If a sends x and c does not take it, silent steps lead b to a state
//!   that sends x, and c stays where it is. Where a receiver may take internal steps first: if no internal steps lead a to
//!   a state that takes x, none lead b to one.
//! - *Refinement* A ≼ S exactly if B ≼ S, and S ≼ A exactly if S ≼ B, with internal steps before an action or on both
//!   sides of it. Each state of H-Closure(b) is related to one of H-Closure(a) by the induction above. So inputs that are
//!   possible in all of them, and outputs that are possible in one, are the same; and external destinations of a are
//!   related to external destinations of b. The composition of R and an alternating simulation is one.
//!
//! Weak bisimilarity with the same labels would not suffice where internal steps count only before an action: there
//! the state right after an action matters, and weak bisimilarity relates the states after some more silent steps.
//! Internal actions with a name are kept, since constraints and properties may have them. The equivalence does not
//! preserve divergence, and neither do the questions above depend on it.
//!
//! **Complexity.** That of branching bisimilarity, O(m log n), and O(m) for the names.
//!
//! **Callers.** `rely minimise` and `rely draw --minimise`.

use rely_base::{ActionId, Budget, Exhausted, Id, Label, StateId};
use rely_lts::equivalence::{self, Equivalence};
use rely_lts::{InterfaceAutomaton, Lts, LtsBuilder, Role, operators};

/// The smallest automaton that is receptive branching bisimilar to a given one. It has the same signature, is compatible
/// with the same partners, refines the same specifications, and is refined by the same implementations.
///
/// ```
/// use rely_base::{Alphabet, Budget, Label};
/// use rely_interface::minimise;
/// use rely_lts::{InterfaceAutomaton, LtsBuilder, Role};
///
/// // Two silent steps, then `call` is taken: before the second one it is not.
/// let mut builder = LtsBuilder::with_states(["call"].into_iter().collect(), 3);
/// let call = Label::visible(builder.alphabet_mut().intern("call"));
/// let [first, second, third] = [0, 1, 2].map(rely_base::StateId::from_raw);
/// builder.add_transition(first, Label::TAU, second);
/// builder.add_transition(second, Label::TAU, third);
/// builder.add_transition(third, call, third);
/// let automaton = InterfaceAutomaton::new(builder.build(), vec![Role::Input]);
///
/// assert_eq!(minimise(&automaton, &Budget::UNLIMITED)?.lts().state_count(), 2);
/// # Ok::<(), rely_base::Exhausted>(())
/// ```
///
/// # Errors
/// The limit of the budget that was met.
pub fn minimise(
    automaton: &InterfaceAutomaton,
    budget: &Budget<'_>,
) -> Result<InterfaceAutomaton, Exhausted> {
    let mark = automaton.lts().alphabet().fresh("changes");
    let minimal = equivalence::minimise(&marked(automaton, &mark), Equivalence::Branching, budget)?;
    let lts = operators::hide(&minimal, |name| name == mark);
    let role = |name: &str| automaton.role_named(name).expect("the alphabet is the same");
    Ok(InterfaceAutomaton::with_roles(lts, role))
}

/// The behaviour with the mark in place of τ on every silent step that changes which inputs are taken.
fn marked(automaton: &InterfaceAutomaton, mark: &str) -> Lts {
    let lts = automaton.lts();
    let inputs: Vec<Vec<ActionId>> = lts.states().map(|state| taken(automaton, state)).collect();
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    let changes = Label::visible(builder.alphabet_mut().intern(mark));
    builder.set_initial(lts.initial());
    builder.set_error(lts.error());
    builder.set_end(lts.end());
    for step in lts.transitions() {
        let is_change = step.label.is_tau() && inputs[step.source.index()] != inputs[step.target.index()];
        builder.add_transition(step.source, if is_change { changes } else { step.label }, step.target);
    }
    builder.build()
}

/// I-Enabled: the inputs that are taken in a state, sorted.
fn taken(automaton: &InterfaceAutomaton, state: StateId) -> Vec<ActionId> {
    let edges = automaton.lts().edges(state).iter();
    let inputs = edges.filter(|edge| automaton.role_of(edge.label) == Role::Input);
    let mut inputs: Vec<ActionId> = inputs.filter_map(|edge| edge.label.action()).collect();
    inputs.sort_unstable();
    inputs.dedup();
    inputs
}
