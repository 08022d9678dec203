//! Alternating refinement: may one automaton take the place of another?
//!
//! **Problem.** A ≼ B if A accepts at least the inputs that B accepts, and sends at most the outputs that B sends, in
//! every situation that B describes.
//!
//! **Source.** [Emmi, Giannakopoulou, Păsăreanu 2008], definition 7 and theorem 4; [Alur, Henzinger, Kupferman, Vardi
//! 1998] for alternating simulation.
//!
//! **Idea.** Where B is deterministic and has no internal steps, there is one state of B for each sequence of actions.
//! Then A ≼ B exactly if no error state is reachable in A? ‖ B!, where inputs that A does not accept and outputs that B
//! does not have lead to an error: an ordinary search. In general B has a choice, and the game of `game.rs` decides.
//!
//! **Deviations.** Theorem 4 requires equal signatures and allows internal actions of B; with the latter it is wrong
//! (see the book). Here A may have more inputs than B and fewer outputs, as definition 7 allows: inputs that B does
//! not have are never sent to A, and outputs that A does not have are never sent, so both are left out of the
//! completions.
//!
//! Definition 7 does not say what happens if an output of B is an input of A: taken literally, A has one more input
//! and one output less. But a receiver of this output cannot even be composed with A, which receives it, too. So A
//! cannot take the place of B, and this is no refinement here.
//!
//! **Callers.** `rely refines`; the rules; the algebra of contracts in tests.

use std::fmt;

use rely_base::{Budget, Exhausted, Id, StateId};
use rely_decide::{Counterexample, Decision, Ending, Explored, ReplayError, Verdict, check_safety};
use rely_lts::{Component, InterfaceAutomaton, Network, Role, operators};

use crate::completion::{Treatment, completion};
use crate::game;

/// Whether an automaton refines another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refinement {
    /// It does.
    Refines,
    /// It does not.
    Fails(Box<Failure>),
    /// A limit was met.
    Unknown(Exhausted),
}

impl Refinement {
    /// Whether the answer is yes.
    pub fn holds(&self) -> bool {
        *self == Self::Refines
    }

    /// Why the answer is no.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Fails(failure) => Some(failure),
            Self::Refines | Self::Unknown(_) => None,
        }
    }
}

/// Why an automaton does not refine another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// Their signatures do not fit, or one of them can reach an error state of its own.
    Signature(Vec<Mismatch>),
    /// Their behaviours do not fit.
    Behaviour(Refutation),
}

/// Why signatures do not fit, or an automaton cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// The specification has an input that the implementation does not have.
    InputMissing(String),
    /// The implementation has an output that the specification does not have.
    OutputAdded(String),
    /// The implementation has an input that is an output of the specification.
    Turned(String),
    /// The implementation can reach an error state of its own.
    UnsafeImplementation,
    /// The specification can reach an error state of its own.
    UnsafeSpecification,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InputMissing(name) => {
                write!(f, "{name} is an input of the specification and none of the implementation")
            }
            Self::OutputAdded(name) => {
                write!(f, "{name} is an output of the implementation and none of the specification")
            }
            Self::Turned(name) => {
                write!(f, "{name} is an output of the specification and an input of the implementation")
            }
            Self::UnsafeImplementation => f.write_str("the implementation can reach an error state"),
            Self::UnsafeSpecification => f.write_str("the specification can reach an error state"),
        }
    }
}

/// Actions after which the implementation does what the specification does not allow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// What has happened, as far as it can be seen.
    pub moves: Vec<Move>,
    /// The action at the end.
    pub action: String,
    /// What is wrong with it.
    pub offence: Offence,
    /// The state in which the implementation refuses the input, or sends the output.
    pub implementation: StateId,
    /// The state of the specification.
    pub specification: StateId,
}

/// An action that both take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The action.
    pub action: String,
    /// Whether it is an input or an output.
    pub role: Role,
    /// Where the implementation is after it.
    pub implementation: StateId,
    /// Where the specification is after it.
    pub specification: StateId,
    /// How many answers the specification had. If there is more than one, none of them helps; this is one with which
    /// it can continue longest.
    pub answers: usize,
}

/// What an implementation must not do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offence {
    /// The specification promises to accept the input, and the implementation may refuse it.
    InputRefused,
    /// The implementation may send the output, and the specification never does.
    OutputNotAllowed,
}

/// How refinement was decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// By the signatures.
    Signature,
    /// By the reachability of an error state in A? ‖ B!.
    Reachability,
    /// By the game of alternating simulation.
    Game,
}

/// Whether an implementation refines a specification, how it was decided, and the effort: the number of states of A?
/// ‖ B!, or of pairs of the game and choices in them.
///
/// # Errors
/// A counterexample that could not be replayed: a mistake in the program.
pub fn check_refinement(
    implementation: &InterfaceAutomaton,
    specification: &InterfaceAutomaton,
    budget: &Budget<'_>,
) -> Result<(Refinement, Method, Explored), ReplayError> {
    if let Some(failure) = signature_failure(implementation, specification) {
        return Ok((Refinement::Fails(Box::new(failure)), Method::Signature, Explored::default()));
    }
    if is_decided_by_reachability(implementation, specification) {
        let (refinement, explored) = by_reachability(implementation, specification, budget)?;
        return Ok((refinement, Method::Reachability, explored));
    }
    let (refinement, explored) = game::play(implementation, specification, budget);
    Ok((refinement, Method::Game, explored))
}

/// The answer of [`check_refinement`], always by the game of alternating simulation.
pub fn check_refinement_by_game(
    implementation: &InterfaceAutomaton,
    specification: &InterfaceAutomaton,
    budget: &Budget<'_>,
) -> (Refinement, Explored) {
    match signature_failure(implementation, specification) {
        Some(failure) => (Refinement::Fails(Box::new(failure)), Explored::default()),
        None => game::play(implementation, specification, budget),
    }
}

/// Pairs of states that show refinement: an alternating simulation with the initial states in it, sorted. `None` if
/// the implementation does not refine the specification.
///
/// # Errors
/// The limit of the budget that was met.
pub fn alternating_simulation(
    implementation: &InterfaceAutomaton,
    specification: &InterfaceAutomaton,
    budget: &Budget<'_>,
) -> Result<Option<Vec<(StateId, StateId)>>, Exhausted> {
    match signature_failure(implementation, specification) {
        Some(_) => Ok(None),
        None => game::simulation(implementation, specification, budget),
    }
}

/// αAᴵ ⊇ αBᴵ, αAᴼ ⊆ αBᴼ, αAᴵ ∩ αBᴼ = ∅, and both are safe.
fn signature_failure(
    implementation: &InterfaceAutomaton,
    specification: &InterfaceAutomaton,
) -> Option<Failure> {
    let is_unsafe = |automaton: &InterfaceAutomaton| {
        automaton.lts().error().is_some() && operators::trim(automaton.lts()).error().is_some()
    };
    let alphabet = implementation.lts().alphabet();
    let outputs: Vec<&str> =
        implementation.actions(Role::Output).map(|action| alphabet.name(action)).collect();
    let mut found = signature_mismatches(|name| implementation.role_named(name), &outputs, specification);
    found.extend(is_unsafe(implementation).then_some(Mismatch::UnsafeImplementation));
    found.extend(is_unsafe(specification).then_some(Mismatch::UnsafeSpecification));
    (!found.is_empty()).then_some(Failure::Signature(found))
}

/// Compares a specification with the roles of actions in something else: its inputs that are missing there, outputs
/// that only the other has, and its outputs that are inputs there.
pub(crate) fn signature_mismatches(
    role: impl Fn(&str) -> Option<Role>,
    outputs: &[&str],
    specification: &InterfaceAutomaton,
) -> Vec<Mismatch> {
    let inputs = specification
        .actions(Role::Input)
        .map(|action| specification.lts().alphabet().name(action))
        .filter(|name| role(name) != Some(Role::Input));
    let outputs = outputs.iter().filter(|name| specification.role_named(name) != Some(Role::Output));
    let missing = inputs.map(|name| Mismatch::InputMissing(name.to_owned()));
    let added = outputs.map(|&name| Mismatch::OutputAdded(name.to_owned()));
    let turned = specification
        .actions(Role::Output)
        .map(|action| specification.lts().alphabet().name(action))
        .filter(|name| role(name) == Some(Role::Input))
        .map(|name| Mismatch::Turned(name.to_owned()));
    missing.chain(added).chain(turned).collect()
}

/// Whether reachability decides: the specification leaves no choice, and it has no action with the name of an
/// internal action of the implementation, which would be taken for a shared one.
fn is_decided_by_reachability(
    implementation: &InterfaceAutomaton,
    specification: &InterfaceAutomaton,
) -> bool {
    let alphabet = implementation.lts().alphabet();
    let known = |action| specification.lts().alphabet().contains(alphabet.name(action));
    is_plain(specification) && !implementation.actions(Role::Internal).any(known)
}

/// Whether an automaton is deterministic and takes no internal steps.
pub(crate) fn is_plain(automaton: &InterfaceAutomaton) -> bool {
    let lts = automaton.lts();
    let internal = |edge: &rely_lts::Edge| automaton.role_of(edge.label) == Role::Internal;
    lts.is_deterministic() && !lts.states().any(|state| lts.edges(state).iter().any(internal))
}

/// The network A? ‖ B!, over the actions that both have.
fn refinement_network(implementation: &InterfaceAutomaton, specification: &InterfaceAutomaton) -> Network {
    let both = |name: &str, role: Role| {
        [implementation, specification].iter().all(|automaton| automaton.role_named(name) == Some(role))
    };
    let treated = |completed: Role| {
        move |name: &str, role: Role| match role {
            Role::Internal => Treatment::Kept,
            _ if !both(name, role) => Treatment::Dropped,
            _ if role == completed => Treatment::Completed,
            _ => Treatment::Kept,
        }
    };
    let accepting = completion(implementation, treated(Role::Input));
    let sending = completion(specification, treated(Role::Output));
    Network::new(vec![Component::new("IMPLEMENTATION", accepting), Component::new("SPECIFICATION", sending)])
}

fn by_reachability(
    implementation: &InterfaceAutomaton,
    specification: &InterfaceAutomaton,
    budget: &Budget<'_>,
) -> Result<(Refinement, Explored), ReplayError> {
    let network = refinement_network(implementation, specification);
    let Decision { verdict, explored } = check_safety(&network, budget)?;
    let refinement = match verdict {
        Verdict::Holds(_) => Refinement::Refines,
        Verdict::Violated(run) => {
            Refinement::Fails(Box::new(Failure::Behaviour(refutation(specification, &run))))
        }
        Verdict::Unknown(limit) => Refinement::Unknown(limit.exhausted()),
    };
    Ok((refinement, explored))
}

/// The refutation that a run of A? ‖ B! into the error state shows.
fn refutation(specification: &InterfaceAutomaton, run: &Counterexample) -> Refutation {
    let (last, before) = run.trace.split_last().expect("neither starts in an error state");
    let visible = |step: &&rely_decide::Step| step.movers.len() == 2;
    let moves = before.iter().filter(visible).map(|step| Move {
        action: step.action.clone(),
        role: specification.role_named(&step.action).expect("both have the action"),
        implementation: StateId::from_raw(step.after[0]),
        specification: StateId::from_raw(step.after[1]),
        answers: 1,
    });
    let offence = match run.ending {
        Ending::Error(component) if component.index() == 0 => Offence::InputRefused,
        _ => Offence::OutputNotAllowed,
    };
    Refutation {
        moves: moves.collect(),
        action: last.action.clone(),
        offence,
        implementation: StateId::from_raw(last.before[0]),
        specification: StateId::from_raw(last.before[1]),
    }
}
