//! Refinement of interface automata by an alternating simulation.
//!
//! **Rule.** A set of pairs ⟨a, b⟩ of states with the initial states in it, such that for each pair
//! [Emmi, Giannakopoulou, Păsăreanu 2008, definition 7]
//! 1. an input that is possible in all states that internal steps lead to from b is possible in all those from a;
//! 2. an output that is possible in one of those from a is possible in one of those from b;
//! 3. for each of these actions and each a′ that it leads to from a, with internal steps before it, and after it if they
//!    count, it leads from b in the same way to some b′ with ⟨a′, b′⟩ in the set.
//!
//! Besides, every input of B is one of A, every output of A is one of B, and neither reaches its error state. The set is
//! then an alternating simulation by definition, and there is nothing else to prove.
//!
//! All is computed from the definition, one state at a time; internal closures are kept once they are known.

use std::collections::{BTreeMap, BTreeSet};

use rely_base::{Budget, Label, StateId};
use rely_lts::{InterfaceAutomaton, Role};

use super::states::Meter;
use super::{check_model, check_statement};
use crate::rejection::shown;
use crate::{Claim, Evidence, Kind, Refinement, Rejection, StateTable};

/// Judges the claim that an interface automaton refines another.
///
/// # Errors
/// Why the claim is not proved, or the limit that was met.
pub fn check_refinement(
    claim: &Claim,
    refinement: &Refinement<'_>,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    check_model(claim, &refinement.network())?;
    check_statement(claim, Kind::Refinement, ("refinement", refinement.statement()))?;
    let Evidence::Simulation { pairs } = &claim.evidence else { return Err(Rejection::WrongEvidence) };
    let pairs = StateTable::decode(pairs, 2, 0, budget)??;
    let (implementation, specification) = (refinement.implementation.1, refinement.specification.1);
    check_signatures(implementation, specification)?;
    let mut judge = Judge {
        implementation: Side::new(refinement.implementation)?,
        specification: Side::new(refinement.specification)?,
        after: refinement.after,
        meter: Meter::new(budget, pairs.bytes()),
        pairs,
    };
    judge.check_states()?;
    (0..judge.pairs.len()).try_for_each(|row| judge.check_pair(row))
}

/// αAᴵ ⊇ αBᴵ and αAᴼ ⊆ αBᴼ.
fn check_signatures(
    implementation: &InterfaceAutomaton,
    specification: &InterfaceAutomaton,
) -> Result<(), Rejection> {
    for name in specification.names(Role::Input).sorted_names() {
        if implementation.role_named(name) != Some(Role::Input) {
            return Err(Rejection::BadSignature(format!("{name} is an input of the specification only")));
        }
    }
    for name in implementation.names(Role::Output).sorted_names() {
        if specification.role_named(name) != Some(Role::Output) {
            return Err(Rejection::BadSignature(format!("{name} is an output of the implementation only")));
        }
    }
    Ok(())
}

/// The automata, the pairs, and how far the judge has come.
struct Judge<'a> {
    implementation: Side<'a>,
    specification: Side<'a>,
    after: bool,
    pairs: StateTable,
    meter: Meter<'a>,
}

impl Judge<'_> {
    /// All pairs are of proper states, and the initial one is among them.
    fn check_states(&self) -> Result<(), Rejection> {
        for row in 0..self.pairs.len() {
            let key = self.pairs.key(row);
            if !self.implementation.is_proper(key[0]) || !self.specification.is_proper(key[1]) {
                return Err(Rejection::NoState(shown(key)));
            }
        }
        let initial =
            [&self.implementation, &self.specification].map(|side| side.automaton.lts().initial().raw());
        self.pairs.find(&initial).map(|_| ()).ok_or(Rejection::InitialMissing)
    }

    fn check_pair(&mut self, row: usize) -> Result<(), Rejection> {
        let key = self.pairs.key(row);
        let (a, b) = (StateId::from_raw(key[0]), StateId::from_raw(key[1]));
        let state = shown(key);
        let promised = self.specification.sure_inputs(b);
        let sent = self.implementation.possible_outputs(a);
        if let Some(name) = promised.difference(&self.implementation.sure_inputs(a)).next() {
            return Err(Rejection::InputRefused { state, action: (*name).to_owned() });
        }
        if let Some(name) = sent.difference(&self.specification.possible_outputs(b)).next() {
            return Err(Rejection::OutputNotAllowed { state, action: (*name).to_owned() });
        }
        for name in promised.union(&sent) {
            let answers = self.specification.destinations(b, name, self.after);
            for moved in self.implementation.destinations(a, name, self.after) {
                let mut is_answered = false;
                for answer in &answers {
                    self.meter.step(self.pairs.len())?;
                    is_answered |= self.pairs.find(&[moved.raw(), answer.raw()]).is_some();
                }
                if !is_answered {
                    return Err(Rejection::NotClosed { state, action: (*name).to_owned() });
                }
            }
        }
        Ok(())
    }
}

/// One of the automata, as it is seen from outside.
struct Side<'a> {
    automaton: &'a InterfaceAutomaton,
    /// The states that internal steps lead to, for each state that was asked about.
    closures: BTreeMap<StateId, BTreeSet<StateId>>,
}

impl<'a> Side<'a> {
    /// The automaton, unless it can reach its error state.
    fn new((name, automaton): (&str, &'a InterfaceAutomaton)) -> Result<Self, Rejection> {
        let reached = reachable(automaton, automaton.lts().initial(), |_| true);
        match automaton.lts().error().filter(|error| reached.contains(error)) {
            None => Ok(Self { automaton, closures: BTreeMap::new() }),
            Some(_) => Err(Rejection::BadSignature(format!("{name} can reach its error state"))),
        }
    }

    fn is_proper(&self, state: u32) -> bool {
        let lts = self.automaton.lts();
        (state as usize) < lts.state_count() && lts.error() != Some(StateId::from_raw(state))
    }

    fn closure(&mut self, state: StateId) -> &BTreeSet<StateId> {
        let Self { automaton, closures } = self;
        let is_internal = |label| automaton.role_of(label) == Role::Internal;
        closures.entry(state).or_insert_with(|| reachable(automaton, state, is_internal))
    }

    /// I-ExtEn: the inputs that are possible in all states of the closure.
    fn sure_inputs(&mut self, state: StateId) -> BTreeSet<&'a str> {
        self.closure(state);
        let closure = &self.closures[&state];
        let is_sure = |label: &Label| closure.iter().all(|&state| self.is_possible(state, *label));
        self.named(Role::Input, is_sure)
    }

    /// O-ExtEn: the outputs that are possible in some state of the closure.
    fn possible_outputs(&mut self, state: StateId) -> BTreeSet<&'a str> {
        self.closure(state);
        let closure = &self.closures[&state];
        let is_sent = |label: &Label| closure.iter().any(|&state| self.is_possible(state, *label));
        self.named(Role::Output, is_sent)
    }

    fn named(&self, role: Role, is_meant: impl Fn(&Label) -> bool) -> BTreeSet<&'a str> {
        let automaton = self.automaton;
        let actions = automaton.actions(role).filter(|&action| is_meant(&Label::visible(action)));
        actions.map(|action| automaton.lts().alphabet().name(action)).collect()
    }

    fn is_possible(&self, state: StateId, label: Label) -> bool {
        self.automaton.lts().edges(state).iter().any(|edge| edge.label == label)
    }

    /// The external destinations of an action.
    fn destinations(&mut self, state: StateId, name: &str, after: bool) -> BTreeSet<StateId> {
        let lts = self.automaton.lts();
        let Some(label) = lts.alphabet().get(name).map(Label::visible) else { return BTreeSet::new() };
        let before = self.closure(state).clone();
        let edges = before.iter().flat_map(|&state| lts.edges(state)).filter(|edge| edge.label == label);
        let direct: BTreeSet<StateId> = edges.map(|edge| edge.target).collect();
        match after {
            false => direct,
            true => direct.iter().flat_map(|&state| self.closure(state).clone()).collect(),
        }
    }
}

/// The states that steps of a kind lead to from a state, itself included.
fn reachable(
    automaton: &InterfaceAutomaton,
    from: StateId,
    counts: impl Fn(Label) -> bool,
) -> BTreeSet<StateId> {
    let mut reached = BTreeSet::from([from]);
    let mut pending = vec![from];
    while let Some(state) = pending.pop() {
        for edge in automaton.lts().edges(state) {
            if counts(edge.label) && reached.insert(edge.target) {
                pending.push(edge.target);
            }
        }
    }
    reached
}
