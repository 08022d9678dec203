//! Judging proofs by reduction.
//!
//! **Claim.** No run of the network leads a component of the goal to its error state, unless a component has failed before
//! its last step; observers are set aside (`goal.rs`).
//!
//! **Pieces.** At first they are components: those of the goal as they are, and those of the parts *stopped*, so that
//! the steps by which they fail lead to an ordinary state without transitions. An observer is not a part. A piece is
//! *live* until it is replaced. The pieces can fail if some run of the composition of all live pieces leads one of
//! them to its error state.
//!
//! **Rule.** Each step keeps this invariant: *if the claim is false, the live pieces can fail*. In the end no live
//! piece has an error state, so they cannot, and the claim is true. There are three kinds of steps:
//! - *never*: a live piece has an action a in its alphabet, and no transition with it. All live pieces lose a, and their
//!   transitions with it.
//! - *idle*: there is an action a with which no live piece has a transition from a state to another. All live pieces lose a.
//! - *replace*: live pieces X₁ … Xₙ are replaced by a system R. The actions of R are actions of theirs. There is a set of
//!   pairs (x, r) of a state of X₁ ‖ … ‖ Xₙ in which none has failed, and a state of R that is not its error state, or
//!   the mark ⊥, with local conditions:
//!   1. (x₀, r₀) or (x₀, ⊥) is in it for the initial states, or r₀ is the error state of R;
//!   2. for (x, r) and x –a→ x′, R has an *answer* r′: where it sees a, a transition r –a→ r′; where it does not see it,
//!      or the step is silent, r′ = r or a silent transition r –τ→ r′. Then r′ is the error state, or x′ has not failed
//!      and (x′, r′) is in the set; or else (x′, ⊥) is in it;
//!   3. for (x, ⊥) and x –a→ x′, x′ has not failed and (x′, ⊥) is in it.
//!
//!   ⊥ is allowed only if no live piece other than X₁ … Xₙ has an error state.
//!
//! **Why it is sound.** At first: a run against the claim, up to where the goal fails, has all its steps after stopping, and
//! it is a run of the pieces, to which more is possible than to the network: other components, priority and hiding are left
//! out.
//!
//! *Never*: since all pieces that have a take part in it, a does not occur in any run of the pieces. *Idle*: what is left of
//! a run when its steps with a are taken out is a run, since none of them has changed anything.
//!
//! *Replace*: take a run of the live pieces up to where one fails, and let R follow what X₁ … Xₙ do in it, answer by answer;
//! where it has several, it takes one that is in the set or its error state, if there is one. Three things may happen.
//! - R comes to its error state. Up to there the other pieces can do their part of the run together with R: what R sees
//!   is what X₁ … Xₙ have done, and in what R does not see the others do not need it. So the new pieces fail.
//! - R follows to the end and does not fail. By 2, none of X₁ … Xₙ has failed, so another piece has, and it fails as well
//!   in the run with R.
//! - R gives up: there is a pair (x′, ⊥) for the state x′ that was reached. By 3, none of X₁ … Xₙ fails in the rest of the
//!   run. But then another piece does, which cannot be, because none of them has an error state.
//!
//! So a composition with whatever is hidden, each reduction that keeps traces, and cutting off of what can no longer
//! fail are steps of one kind.
//!
//! **Complexity.** For each pair, its steps, its answers, and a bisection for each. Only one set is held at a time.

use std::sync::Arc;

use rely_base::{ActionId, Budget, Exhausted, Id, Label, Progress, StateId};
use rely_lts::{Component, Lts, LtsBuilder, Network};

use super::goal::Goal;
use super::premise::stopped;
use super::states::{Meter, action_name};
use crate::rejection::shown;
use crate::semantics::network::Composition;
use crate::{Abstraction, ReductionProof, ReductionStep, Rejection, StateTable, Table};

/// Judges whether a reduction shows that a goal does not fail, unless something has failed before.
pub(super) fn check_reduction(
    network: &Network,
    goal: &Goal,
    proof: &ReductionProof,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    if proof.goal != goal.members {
        return Err(Rejection::AnotherGoal);
    }
    let mut pieces: Vec<Option<Arc<Lts>>> = vec![None; network.components().len()];
    for &member in goal.members.iter().chain(&proof.parts) {
        let Some(component) = network.components().get(member) else {
            return Err(Rejection::BadGroups(format!("the target has no component {member}")));
        };
        if pieces[member].is_some() {
            return Err(Rejection::BadGroups(format!("{} is there twice", component.name)));
        }
        if goal.observers.contains(&member) {
            let what = format!("{} is a property that is set aside", component.name);
            return Err(Rejection::BadGroups(what));
        }
        pieces[member] = match goal.members.contains(&member) {
            true => Some(Arc::clone(&component.lts)),
            false => Some(Arc::new(stopped(&component.lts))),
        };
    }
    let mut judge = Judge { pieces, budget };
    for (i, step) in proof.steps.iter().enumerate() {
        // Each step looks at all pieces, so the budget is checked before it.
        budget.check(&Progress { states: judge.pieces.len(), transitions: i, ..Progress::default() })?;
        let reject = |flaw| match flaw {
            Flaw::Wrong(what) => Rejection::BadStep { number: i + 1, what },
            Flaw::Other(rejection) => rejection,
        };
        match step {
            ReductionStep::Never { action, piece } => judge.never(action, *piece),
            ReductionStep::Idle { action } => judge.idle(action),
            ReductionStep::Replace { pieces, by, relation } => judge.replace(pieces, by, relation),
        }
        .map_err(reject)?;
    }
    match judge.pieces.iter().position(|piece| piece.as_ref().is_some_and(|lts| lts.error().is_some())) {
        None => Ok(()),
        Some(piece) => Err(Rejection::MayFail { piece }),
    }
}

/// Why a step is not accepted.
enum Flaw {
    /// What is wrong with it.
    Wrong(String),
    /// It cannot be judged.
    Other(Rejection),
}

impl<E: Into<Rejection>> From<E> for Flaw {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}

fn wrong<T>(what: impl Into<String>) -> Result<T, Flaw> {
    Err(Flaw::Wrong(what.into()))
}

/// The current pieces.
struct Judge<'a> {
    /// The components, then the results of the steps; `None` for a component that is not used, and for a replaced
    /// piece.
    pieces: Vec<Option<Arc<Lts>>>,
    budget: &'a Budget<'a>,
}

impl Judge<'_> {
    fn live(&self, piece: usize) -> Result<&Arc<Lts>, Flaw> {
        match self.pieces.get(piece) {
            Some(Some(lts)) => Ok(lts),
            Some(None) => wrong(format!("piece {piece} is left out, or has been replaced")),
            None => wrong(format!("there is no piece {piece}")),
        }
    }

    /// Judges a step *never*: an action does not occur, because of a piece.
    fn never(&mut self, action: &str, piece: usize) -> Result<(), Flaw> {
        let lts = self.live(piece)?;
        let Some(label) = lts.alphabet().get(action).map(Label::visible) else {
            return wrong(format!("piece {piece} does not know {action}"));
        };
        if lts.transitions().any(|transition| transition.label == label) {
            return wrong(format!("piece {piece} can do {action}"));
        }
        self.forget(action);
        Ok(())
    }

    /// Judges a step *idle*: an action changes nothing.
    fn idle(&mut self, action: &str) -> Result<(), Flaw> {
        for (i, lts) in self.pieces.iter().enumerate().filter_map(|(i, piece)| Some((i, piece.as_ref()?))) {
            let Some(label) = lts.alphabet().get(action).map(Label::visible) else { continue };
            if lts.transitions().any(|step| step.label == label && step.source != step.target) {
                return wrong(format!("piece {i} is changed by {action}"));
            }
        }
        self.forget(action);
        Ok(())
    }

    fn forget(&mut self, action: &str) {
        for lts in self.pieces.iter_mut().flatten().filter(|lts| lts.alphabet().contains(action)) {
            *lts = Arc::new(without(lts, action));
        }
    }

    /// Judges a step *replace*.
    fn replace(&mut self, pieces: &[usize], by: &Abstraction, relation: &Table) -> Result<(), Flaw> {
        if pieces.is_empty() {
            return wrong("it replaces nothing");
        }
        let mut replaced = Vec::new();
        for (place, &piece) in pieces.iter().enumerate() {
            if pieces[..place].contains(&piece) {
                return wrong(format!("piece {piece} is there twice"));
            }
            replaced.push(Component::new("", Arc::clone(self.live(piece)?)));
        }
        let result = by.read(self.budget)?.map_err(Flaw::Wrong)?;
        let network = Network::new(replaced);
        if let Some(name) = result.alphabet().names().find(|name| !network.alphabet().contains(name)) {
            return wrong(format!("its result knows {name}, which none of its pieces does"));
        }
        let can_fail = |(i, piece): (usize, &Option<Arc<Lts>>)| {
            !pieces.contains(&i) && piece.as_ref().is_some_and(|lts| lts.error().is_some())
        };
        let may_give_up = !self.pieces.iter().enumerate().any(can_fail);
        let composition = Composition::new(&network);
        let relation = StateTable::decode(relation, network.components().len() + 1, 0, self.budget)??;
        Following::new(&composition, &result, &relation, may_give_up).check(self.budget)?;
        pieces.iter().for_each(|&piece| self.pieces[piece] = None);
        self.pieces.push(Some(Arc::new(result)));
        Ok(())
    }
}

/// A system that follows a composition.
struct Following<'a, 'n> {
    composition: &'a Composition<'n>,
    result: &'a Lts,
    /// The pairs: a tuple, then a state of the result or ⊥.
    relation: &'a StateTable,
    /// The number that stands for ⊥: one more than the last state of the result.
    given_up: u32,
    may_give_up: bool,
    /// For each action of the composition, the label of the result, silent if the result does not see it.
    labels: Vec<Label>,
}

impl<'a, 'n> Following<'a, 'n> {
    fn new(
        composition: &'a Composition<'n>,
        result: &'a Lts,
        relation: &'a StateTable,
        may_give_up: bool,
    ) -> Self {
        let seen = |name: &str| result.alphabet().get(name).map_or(Label::TAU, Label::visible);
        let labels = composition.network().alphabet().names().map(seen).collect();
        let given_up = u32::try_from(result.state_count()).expect("states are numbered with 32 bits");
        Self { composition, result, relation, given_up, may_give_up, labels }
    }

    /// Checks all conditions on the pairs.
    fn check(&self, budget: &Budget<'_>) -> Result<(), Flaw> {
        let initial = self.composition.initial();
        if !self.is_answered(&initial, self.result.initial()) && !self.is_given_up(&initial) {
            return wrong("its relation lacks the initial states");
        }
        let meter = Meter::new(budget, self.relation.bytes());
        for row in 0..self.relation.len() {
            let (&image, tuple) = self.relation.key(row).split_last().expect("a pair has two sides");
            self.check_pair(tuple, image)?;
            meter.work(self.composition.effort(), self.relation.len())?;
            self.composition.steps(tuple, &mut |action, target| match self
                .follows(image, action, target, &meter)?
            {
                true => Ok(()),
                false => {
                    let (action, state) = (action_name(self.composition, action), shown(tuple));
                    wrong(format!("its result does not follow {action} from {state}"))
                }
            })?;
        }
        Ok(())
    }

    /// Checks that a pair consists of a state in which nothing has failed, and of a state of the result other than
    /// its error state, or ⊥.
    fn check_pair(&self, tuple: &[u32], image: u32) -> Result<(), Flaw> {
        let is_error = self.result.error() == Some(StateId::from_raw(image));
        if !self.composition.is_tuple(tuple) || self.composition.failed(tuple).is_some() {
            return wrong(format!("its relation has {}, which is no proper state", shown(tuple)));
        }
        match image == self.given_up {
            true if !self.may_give_up => wrong("it leaves out what cannot fail, but another piece can fail"),
            false if image > self.given_up || is_error => {
                wrong(format!("its relation has {image}, which is no proper state of its result"))
            }
            _ => Ok(()),
        }
    }

    /// Whether the result has an answer to a step, or need not have one.
    fn follows(
        &self,
        image: u32,
        action: Option<ActionId>,
        target: &[u32],
        meter: &Meter<'_>,
    ) -> Result<bool, Exhausted> {
        meter.step(self.relation.len())?;
        if self.is_given_up(target) {
            return Ok(true);
        }
        if image == self.given_up {
            return Ok(false);
        }
        let state = StateId::from_raw(image);
        let label = action.map_or(Label::TAU, |action| self.labels[action.index()]);
        if label.is_tau() && self.is_answered(target, state) {
            return Ok(true);
        }
        for edge in self.result.edges_with(state, label) {
            meter.step(self.relation.len())?;
            if self.is_answered(target, edge.target) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a state of the result can stand for a tuple.
    fn is_answered(&self, tuple: &[u32], state: StateId) -> bool {
        self.result.error() == Some(state) || self.is_pair(tuple, state.raw())
    }

    fn is_given_up(&self, tuple: &[u32]) -> bool {
        self.is_pair(tuple, self.given_up)
    }

    /// Whether there is a pair. All pairs are of states in which nothing has failed.
    fn is_pair(&self, tuple: &[u32], image: u32) -> bool {
        let compare = |pair: &[u32]| pair[..tuple.len()].cmp(tuple).then(pair[tuple.len()].cmp(&image));
        self.relation.find_by(compare).is_some()
    }
}

/// The piece without an action; its states keep their numbers.
fn without(lts: &Lts, action: &str) -> Lts {
    let alphabet = lts.alphabet().names().filter(|&name| name != action).collect();
    let mut builder = LtsBuilder::with_states(alphabet, lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_error(lts.error());
    for transition in lts.transitions() {
        let name = transition.label.action().map(|name| lts.alphabet().name(name));
        let label = match name {
            None => Label::TAU,
            Some(name) if name == action => continue,
            Some(name) => Label::visible(builder.alphabet().get(name).expect("it is kept")),
        };
        builder.add_transition(transition.source, label, transition.target);
    }
    builder.build()
}
