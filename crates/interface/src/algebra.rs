//! The algebra of contracts: interface automata are combined into new ones.
//!
//! **Problem.** Contracts are ordered by refinement. What do several parts guarantee together ([`compose`])? What
//! must one part do to meet several contracts at once ([`conjoin`])? What is missing between a part and a
//! specification ([`quotient`])? Views of one part are merged in `merge.rs`.
//!
//! **Source.** [de Alfaro, Henzinger 2001] for composition; [Doyen, Henzinger, Jobstmann, Petrov 2008] for conjunction,
//! there called shared refinement; [Bhaduri, Ramesh 2008] for the quotient as a mirrored composition with a mirror.
//!
//! **Idea.** Nearly everything is the most permissive environment of some system ([`crate::environment`]), or its
//! mirror. The mirror of the environment of a system is the composition; that of a single automaton is its
//! deterministic form. The quotient of S by A is the most permissive environment of A together with the mirror of S,
//! which is the environment that S describes. Only conjunction is a product of its own: an input is accepted if one
//! contract accepts it, and a contract that does not is void from then on; an output is sent if all contracts that
//! are not void send it.
//!
//! **Invariants.** Results are *plain*: deterministic, without internal steps, minimal. Laws, for all automata X with the
//! right signature:
//! - E is compatible with the composition of a system if and only if it is compatible with the system;
//! - A ≼ B if and only if the deterministic form of A refines B, for plain B;
//! - X ≼ A ∧ B if and only if X ≼ A and X ≼ B, for X that receive no output of A or B;
//! - X ≼ S / A if and only if A ‖ X ≼ S, and A and X are compatible in every environment that S allows.
//!
//! **Complexity.** That of determinisation, but for conjunction: the product of the sizes.

use rely_assume::Effort;
use rely_base::{Alphabet, Budget, Exhausted, Label, StateId};
use rely_decide::{Unknown, Verdict, check_reachability};
use rely_explore::generate;
use rely_lts::equivalence::{Equivalence, minimise};
use rely_lts::operators::trim;
use rely_lts::{Component, InterfaceAutomaton, Lts, LtsBuilder, Network, Role};

use crate::composable::Conflict;
use crate::merge::disputed;
use crate::problem::over;
use crate::refinement::is_plain;
use crate::{Part, Receptiveness, System, environment};

/// Why contracts cannot be combined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// A contract, by number, is not deterministic, has internal steps, or can reach an error state.
    NotPlain(usize),
    /// The signatures do not fit together.
    Conflicts(Vec<Conflict>),
    /// Actions that one contract receives and another sends, in dictionary order.
    Disputed(Vec<String>),
    /// A limit was met.
    Exhausted(Exhausted),
}

impl From<Exhausted> for Refusal {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

/// What a system guarantees as a whole, as long as its environment keeps it from illegal states: the composition
/// without the inputs after which illegal states can no longer be avoided. `None` if no environment can avoid them.
///
/// # Errors
/// The limit of the budget that was met.
pub fn compose(
    system: &System,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Option<InterfaceAutomaton>, Exhausted> {
    let around = environment(system, Receptiveness::Now, budget, effort)?;
    Ok(around.map(|around| around.mirror()))
}

/// The deterministic form of an automaton: the strongest plain contract that it refines.
///
/// It accepts an input if the automaton certainly accepts it, and sends an output if the automaton may send it.
///
/// # Errors
/// The limit of the budget that was met.
pub fn determinised(
    automaton: &InterfaceAutomaton,
    budget: &Budget<'_>,
) -> Result<InterfaceAutomaton, Exhausted> {
    let system = System::new(vec![Part::new("A", automaton.clone())], Vec::new())
        .expect("a part has no conflict with itself");
    let composed = compose(&system, budget, &mut Effort::default())?;
    Ok(composed.expect("an automaton alone has no illegal states"))
}

/// S / A: the most permissive automaton X with A ‖ X ≼ S. `None` if there is none.
///
/// # Errors
/// Why it is not defined, or the limit of the budget that was met.
pub fn quotient(
    specification: &InterfaceAutomaton,
    part: &InterfaceAutomaton,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Option<InterfaceAutomaton>, Refusal> {
    if let Some(bad) = first_not_plain(&[specification]) {
        return Err(Refusal::NotPlain(bad));
    }
    let around = surroundings(specification, part);
    let parts = vec![Part::new("PART", part.clone()), Part::new("SPECIFICATION", around)];
    let system = System::new(parts, Vec::new()).map_err(Refusal::Conflicts)?;
    Ok(environment(&system, Receptiveness::Now, budget, effort)?)
}

/// The environment that a specification describes. Inputs of the part are never sent by the whole.
fn surroundings(specification: &InterfaceAutomaton, part: &InterfaceAutomaton) -> InterfaceAutomaton {
    let mirror = specification.mirror();
    let is_received = |name: &str| {
        part.role_named(name) == Some(Role::Input) && specification.role_named(name) == Some(Role::Output)
    };
    let lts = mirror.lts();
    let alphabet: Alphabet = lts
        .alphabet()
        .iter()
        .filter(|&(action, name)| mirror.role(action) != Role::Internal && !is_received(name))
        .map(|(_, name)| name)
        .collect();
    let role = |name: &str| mirror.role_named(name).expect("an action of the mirror");
    InterfaceAutomaton::with_roles(over(lts, &alphabet), role)
}

/// A ∧ B ∧ …: the least refined automaton that refines all of them.
///
/// It has the inputs of all, and the outputs that all have.
///
/// # Errors
/// A contract that is not plain, actions that one contract receives and another sends (no automaton refines both), or the
/// limit of the budget that was met.
pub fn conjoin(
    contracts: &[&InterfaceAutomaton],
    budget: &Budget<'_>,
) -> Result<InterfaceAutomaton, Refusal> {
    let disputed = disputed(contracts);
    if first_not_plain(contracts).is_none() && !disputed.is_empty() {
        return Err(Refusal::Disputed(disputed));
    }
    let conjunction = Conjunction::new(contracts)?;
    let product = conjunction.product(|_| None, budget)?;
    let lts = over(&minimise(&product, Equivalence::Strong, budget)?, &conjunction.names);
    Ok(InterfaceAutomaton::with_roles(lts, |name| conjunction.role(name).expect("an action of it")))
}

/// Whether contracts can be met together, and if not, why. If their signatures fit, an automaton that refines all of
/// them always exists: at worst it is one that does nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Consistency {
    /// Actions that are inputs of one contract and outputs of another, in dictionary order: no part can meet both
    /// contracts.
    pub disputed: Vec<String>,
    /// A shortest sequence of actions after which each contract alone allows a further action, and all together allow
    /// none.
    pub dead_end: Option<Vec<String>>,
}

impl Consistency {
    /// Whether there is no conflict.
    pub fn holds(&self) -> bool {
        self.disputed.is_empty() && self.dead_end.is_none()
    }
}

/// Whether contracts can be met together.
///
/// # Errors
/// A contract that is not plain, or the limit of the budget that was met.
pub fn check_consistent(
    contracts: &[&InterfaceAutomaton],
    budget: &Budget<'_>,
) -> Result<Consistency, Refusal> {
    let conjunction = Conjunction::new(contracts)?;
    let disputed = disputed(contracts);
    if !disputed.is_empty() {
        return Ok(Consistency { disputed, dead_end: None });
    }
    // A contract that is stuck by itself continues with an action of its own, so the states that are still stuck are
    // due to several contracts.
    let own = |i: usize| Some(conjunction.own_marks[i].clone());
    let network = Network::new(vec![Component::new("", conjunction.product(own, budget)?)]);
    let found = check_reachability(&network, budget).expect("a run of a single system can be replayed");
    let dead_end = match found.deadlock.verdict {
        Verdict::Holds(_) => None,
        Verdict::Violated(run) => Some(run.trace_names().into_iter().map(str::to_owned).collect()),
        Verdict::Unknown(Unknown::Limit(limit)) => return Err(limit.exhausted().into()),
        Verdict::Unknown(
            Unknown::ErrorReachable
            | Unknown::FailureReachable
            | Unknown::GivenUpBesideError
            | Unknown::GivenUp
            | Unknown::Cut(_),
        ) => unreachable!("there is no error state, and a network has no bounds"),
    };
    Ok(Consistency { disputed, dead_end })
}

/// The first contract that is not plain, or can reach an error state, by number.
pub(crate) fn first_not_plain(contracts: &[&InterfaceAutomaton]) -> Option<usize> {
    contracts.iter().position(|contract| !is_plain(contract) || trim(contract.lts()).error().is_some())
}

/// Contracts that are to be met at once.
struct Conjunction<'a> {
    contracts: &'a [&'a InterfaceAutomaton],
    /// The actions that count.
    names: Alphabet,
    /// A name that no action has.
    mark: String,
    /// A name that no action has, for each contract.
    own_marks: Vec<String>,
}

impl<'a> Conjunction<'a> {
    fn new(contracts: &'a [&'a InterfaceAutomaton]) -> Result<Self, Refusal> {
        if let Some(bad) = first_not_plain(contracts) {
            return Err(Refusal::NotPlain(bad));
        }
        let all: Alphabet = contracts.iter().flat_map(|contract| contract.lts().alphabet().names()).collect();
        let own_marks = (0..contracts.len()).map(|i| all.fresh(&format!("void.{i}"))).collect();
        let mut conjunction = Self { contracts, names: Alphabet::new(), mark: all.fresh("void"), own_marks };
        conjunction.names = all.names().filter(|name| conjunction.role(name).is_some()).collect();
        Ok(conjunction)
    }

    /// The role of an action in the conjunction: an input if it is one of some contract, an output if it is one of
    /// all.
    fn role(&self, name: &str) -> Option<Role> {
        let has = |role: Role| move |contract: &&InterfaceAutomaton| contract.role_named(name) == Some(role);
        if self.contracts.iter().any(has(Role::Input)) {
            Some(Role::Input)
        } else {
            self.contracts.iter().all(has(Role::Output)).then_some(Role::Output)
        }
    }

    /// The product, without the states in which all contracts are void. A contract that cannot do anything has a loop
    /// with the action that `stuck` gives it, if any.
    fn product(
        &self,
        stuck: impl Fn(usize) -> Option<String>,
        budget: &Budget<'_>,
    ) -> Result<Lts, Exhausted> {
        let voidable = |(i, contract): (usize, &&InterfaceAutomaton)| {
            Component::new("", self.voidable(contract, stuck(i)))
        };
        let network = Network::new(self.contracts.iter().enumerate().map(voidable).collect());
        Ok(trim(&without_marked(&generate(&network, budget)?, &self.mark)))
    }

    /// The contract, extended by a void state that it enters by an input that it does not accept, and in which it
    /// allows everything. The mark is possible exactly in the void state.
    fn voidable(&self, contract: &InterfaceAutomaton, stuck: Option<String>) -> Lts {
        let lts = contract.lts();
        let mut builder = LtsBuilder::with_states(self.names.clone(), lts.state_count());
        let mark = Label::visible(builder.alphabet_mut().intern(&self.mark));
        let stuck = stuck.map(|name| Label::visible(builder.alphabet_mut().intern(&name)));
        builder.set_initial(lts.initial());
        let void = builder.add_state();
        for state in lts.states() {
            if let Some(stuck) = stuck.filter(|_| lts.edges(state).is_empty()) {
                builder.add_transition(state, stuck, state);
            }
            for (action, name) in self.names.iter() {
                let role = self.role(name);
                let own = lts.alphabet().get(name).filter(|&own| Some(contract.role(own)) == role);
                let edges = own.map_or(&[][..], |own| lts.edges_with(state, Label::visible(own)));
                let refused = (role == Some(Role::Input)).then_some(void);
                if let Some(target) = edges.first().map(|edge| edge.target).or(refused) {
                    builder.add_transition(state, Label::visible(action), target);
                }
            }
        }
        for (action, _) in self.names.iter() {
            builder.add_transition(void, Label::visible(action), void);
        }
        builder.add_transition(void, mark, void);
        builder.build()
    }
}

/// The system without the transitions into states in which the mark is possible: there all contracts are void.
fn without_marked(lts: &Lts, mark: &str) -> Lts {
    let mark = lts.alphabet().get(mark).map(Label::visible);
    let is_void = |state: StateId| mark.is_some_and(|mark| !lts.edges_with(state, mark).is_empty());
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    for transition in lts.transitions().filter(|transition| !is_void(transition.target)) {
        builder.add_transition(transition.source, transition.label, transition.target);
    }
    builder.build()
}
