//! Refinement of interface automata by an alternating simulation.
//!
//! **Rule.** A set of pairs ⟨a, b⟩ of states with the initial states in it, such that for each pair
//! [Emmi, Giannakopoulou, Păsăreanu 2008, definition 7]
//! 1. an input that is possible in all states that internal steps lead to from b is possible in all those from a;
//! 2. an output that is possible in one of those from a is possible in one of those from b;
//! 3. for each of these actions and each a′ that it leads to from a, with internal steps before and after it, it leads from
//!    b in the same way to some b′ with ⟨a′, b′⟩ in the set.
//!
//! In addition, every input of B is one of A, every output of A is one of B, no output of B is an input of A (a
//! receiver of this output could not be composed with A), and neither reaches its error state. The set is then an
//! alternating simulation by definition, and nothing else has to be proved.
//!
//! Everything is computed from the definition, one state at a time; the external view of a state is cached.
//! Complexity: for each state its internal closure, and for each pair and action the destinations on both sides.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rely_base::{Budget, Exhausted, Label, Progress, StateId};
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
    budget.check(&Progress::default())?;
    check_model(claim, (&refinement.network()).into())?;
    check_statement(claim, Kind::Refinement, ("refinement", refinement.statement()))?;
    let Evidence::Simulation { pairs } = &claim.evidence else { return Err(Rejection::WrongEvidence) };
    let pairs = StateTable::decode(pairs, 2, 0, budget)??;
    let (implementation, specification) = (refinement.implementation.1, refinement.specification.1);
    check_signatures(implementation, specification)?;
    let meter = Meter::new(budget, pairs.bytes());
    let mut judge = Judge {
        implementation: Side::new(refinement.implementation, &meter)?,
        specification: Side::new(refinement.specification, &meter)?,
        meter,
        pairs,
    };
    judge.check_states()?;
    (0..judge.pairs.len()).try_for_each(|row| judge.check_pair(row))
}

/// αAᴵ ⊇ αBᴵ, αAᴼ ⊆ αBᴼ and αAᴵ ∩ αBᴼ = ∅.
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
    for name in specification.names(Role::Output).sorted_names() {
        if implementation.role_named(name) == Some(Role::Input) {
            let what = format!("{name} is an output of the specification and an input of the implementation");
            return Err(Rejection::BadSignature(what));
        }
    }
    Ok(())
}

/// The automata, the pairs, and the work done so far.
struct Judge<'a> {
    implementation: Side<'a>,
    specification: Side<'a>,
    pairs: StateTable,
    meter: Meter<'a>,
}

impl Judge<'_> {
    /// Checks that all pairs are of proper states, and that the initial one is among them.
    fn check_states(&self) -> Result<(), Rejection> {
        for row in 0..self.pairs.len() {
            self.meter.step(self.pairs.len())?;
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
        let ours = self.implementation.view(a, &self.meter)?;
        let theirs = self.specification.view(b, &self.meter)?;
        if let Some(name) = theirs.sure_inputs.difference(&ours.sure_inputs).next() {
            return Err(Rejection::InputRefused { state, action: (*name).to_owned() });
        }
        if let Some(name) = ours.possible_outputs.difference(&theirs.possible_outputs).next() {
            return Err(Rejection::OutputNotAllowed { state, action: (*name).to_owned() });
        }
        for name in theirs.sure_inputs.union(&ours.possible_outputs) {
            for moved in ours.destinations(name) {
                let mut is_answered = false;
                for answer in theirs.destinations(name) {
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

/// The external view of a state.
#[derive(Default)]
struct View<'a> {
    /// I-ExtEn: the inputs that are possible in all states that internal steps lead to.
    sure_inputs: BTreeSet<&'a str>,
    /// O-ExtEn: the outputs that are possible in some of them.
    possible_outputs: BTreeSet<&'a str>,
    /// The external destinations of each of its inputs and outputs.
    destinations: BTreeMap<&'a str, BTreeSet<StateId>>,
}

impl View<'_> {
    fn destinations(&self, name: &str) -> impl Iterator<Item = &StateId> {
        self.destinations.get(name).into_iter().flatten()
    }
}

/// One of the automata.
struct Side<'a> {
    automaton: &'a InterfaceAutomaton,
    /// The views of the states that have been asked for.
    views: BTreeMap<StateId, Rc<View<'a>>>,
}

/// The bytes of a state in a set, with its share of the tree.
const BYTES: usize = 4 * size_of::<usize>();

impl<'a> Side<'a> {
    /// The automaton, unless it can reach its error state.
    fn new((name, automaton): (&str, &'a InterfaceAutomaton), meter: &Meter<'_>) -> Result<Self, Rejection> {
        let reached = reachable(automaton, BTreeSet::from([automaton.lts().initial()]), |_| true, meter)?;
        meter.release(reached.len() * BYTES);
        match automaton.lts().error().filter(|error| reached.contains(error)) {
            None => Ok(Self { automaton, views: BTreeMap::new() }),
            Some(_) => Err(Rejection::BadSignature(format!("{name} can reach its error state"))),
        }
    }

    fn is_proper(&self, state: u32) -> bool {
        let lts = self.automaton.lts();
        (state as usize) < lts.state_count() && lts.error() != Some(StateId::from_raw(state))
    }

    fn view(&mut self, state: StateId, meter: &Meter<'_>) -> Result<Rc<View<'a>>, Exhausted> {
        if let Some(known) = self.views.get(&state) {
            return Ok(Rc::clone(known));
        }
        let view = Rc::new(self.look(state, meter)?);
        self.views.insert(state, Rc::clone(&view));
        Ok(view)
    }

    fn look(&self, state: StateId, meter: &Meter<'_>) -> Result<View<'a>, Exhausted> {
        let automaton = self.automaton;
        let is_internal = |label: Label| automaton.role_of(label) == Role::Internal;
        let closure = reachable(automaton, BTreeSet::from([state]), is_internal, meter)?;
        // By action, in how many states of the closure it is possible, and where it leads from there.
        let mut possible: BTreeMap<Label, (usize, BTreeSet<StateId>)> = BTreeMap::new();
        for &member in &closure {
            for same in automaton.lts().edges(member).chunk_by(|one, other| one.label == other.label) {
                if !is_internal(same[0].label) {
                    let (count, targets) = possible.entry(same[0].label).or_default();
                    *count += 1;
                    targets.extend(same.iter().map(|edge| edge.target));
                    meter.work(same.len(), self.views.len())?;
                }
            }
        }
        let mut view = View::default();
        for (label, (count, targets)) in possible {
            let name = automaton.lts().alphabet().label_name(label);
            match automaton.role_of(label) {
                Role::Input if count == closure.len() => drop(view.sure_inputs.insert(name)),
                Role::Output => drop(view.possible_outputs.insert(name)),
                Role::Input | Role::Internal => {}
            }
            view.destinations.insert(name, reachable(automaton, targets, is_internal, meter)?);
        }
        meter.release(closure.len() * BYTES);
        Ok(view)
    }
}

/// The states that steps satisfying a condition lead to from some states, these included. Their bytes are counted.
fn reachable(
    automaton: &InterfaceAutomaton,
    from: BTreeSet<StateId>,
    counts: impl Fn(Label) -> bool,
    meter: &Meter<'_>,
) -> Result<BTreeSet<StateId>, Exhausted> {
    let mut pending: Vec<StateId> = from.iter().copied().collect();
    let mut reached = from;
    while let Some(state) = pending.pop() {
        let edges = automaton.lts().edges(state);
        meter.hold(BYTES);
        meter.work(1 + edges.len(), reached.len())?;
        for edge in edges {
            if counts(edge.label) && reached.insert(edge.target) {
                pending.push(edge.target);
            }
        }
    }
    Ok(reached)
}
