//! Random interface automata.

use rely_base::{Alphabet, Id, Label, StateId};
use rely_lts::{InterfaceAutomaton, LtsBuilder, Role};

use crate::rng::Rng;

/// Parameters of random interface automata.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Maximum number of states.
    pub states: usize,
    /// The chance, out of a hundred, of each transition that is drawn for a state and an action.
    pub percent: usize,
    /// Whether no action has two transitions in a state, and nothing is silent.
    pub deterministic: bool,
    /// Whether there may be silent steps.
    pub silent: bool,
}

impl Shape {
    /// The most general shape.
    pub const ANY: Self = Self { states: 4, percent: 45, deterministic: false, silent: true };
    /// At most one state after each sequence of actions; internal actions are possible if the signature has them.
    pub const DETERMINISTIC: Self = Self { deterministic: true, silent: false, ..Self::ANY };
}

/// The actions of an automaton, with their roles.
pub type Signature = Vec<(String, Role)>;

/// A signature from names by role.
pub fn signature(inputs: &[&str], outputs: &[&str], internal: &[&str]) -> Signature {
    let with = |names: &[&str], role| names.iter().map(|name| ((*name).to_owned(), role)).collect::<Vec<_>>();
    [with(inputs, Role::Input), with(outputs, Role::Output), with(internal, Role::Internal)].concat()
}

/// A random automaton with a signature; some of its states may be unreachable.
pub fn automaton(rng: &mut Rng, signature: &[(String, Role)], shape: &Shape) -> InterfaceAutomaton {
    let states = 1 + rng.below(shape.states);
    let alphabet: Alphabet = signature.iter().map(|(name, _)| name).collect();
    let mut builder = LtsBuilder::with_states(alphabet, states);
    for source in (0..states).map(StateId::from_index) {
        for action in 0..=signature.len() {
            let label = Label::from_raw(u32::try_from(action).expect("there are few actions"));
            let draws = match (label.is_tau(), shape.deterministic) {
                (true, _) => usize::from(shape.silent && rng.chance(1, 4)),
                (false, true) => 1,
                (false, false) => 1 + usize::from(rng.chance(1, 3)),
            };
            for _ in 0..draws {
                if rng.chance(shape.percent, 100) {
                    builder.add_transition(source, label, StateId::from_index(rng.below(states)));
                }
            }
        }
    }
    InterfaceAutomaton::new(builder.build(), signature.iter().map(|&(_, role)| role).collect())
}

/// Random signatures of parts that can be composed. Each of the names is sent by one part and received by another, or
/// internal to one. If the system may be open, the environment can take the place of a part.
pub fn signatures(rng: &mut Rng, parts: usize, names: &[&str], open: bool) -> Vec<Signature> {
    let mut signatures = vec![Signature::new(); parts];
    let ends = parts + usize::from(open);
    for name in names {
        let (sender, receiver) = (rng.below(ends), rng.below(ends));
        if sender == receiver {
            if let Some(signature) = signatures.get_mut(sender) {
                signature.push(((*name).to_owned(), Role::Internal));
            }
            continue;
        }
        for (end, role) in [(sender, Role::Output), (receiver, Role::Input)] {
            if let Some(signature) = signatures.get_mut(end) {
                signature.push(((*name).to_owned(), role));
            }
        }
    }
    signatures
}

/// An automaton from its transitions, whose actions have the marks of the literature: `a?`, `a!` and `a;`. The
/// actions in `more` are added to the signature. State 0 is initial.
///
/// # Panics
/// When an action has no mark.
pub fn from_marked(states: usize, transitions: &[(usize, &str, usize)], more: &[&str]) -> InterfaceAutomaton {
    let split = |marked: &str| {
        let (name, mark) = marked.split_at(marked.len() - 1);
        let role = match mark {
            "?" => Role::Input,
            "!" => Role::Output,
            ";" => Role::Internal,
            _ => panic!("{marked} has no mark"),
        };
        (name.to_owned(), role)
    };
    let mut builder = LtsBuilder::with_states(Alphabet::new(), states);
    let mut roles = Vec::new();
    let mut intern = |builder: &mut LtsBuilder, marked: &str| {
        let (name, role) = split(marked);
        let action = builder.alphabet_mut().intern(&name);
        if action.index() == roles.len() {
            roles.push(role);
        }
        assert_eq!(roles[action.index()], role, "{name} has one role");
        Label::visible(action)
    };
    for &(source, marked, target) in transitions {
        let label = intern(&mut builder, marked);
        builder.add_transition(StateId::from_index(source), label, StateId::from_index(target));
    }
    for marked in more {
        intern(&mut builder, marked);
    }
    InterfaceAutomaton::new(builder.build(), roles)
}
