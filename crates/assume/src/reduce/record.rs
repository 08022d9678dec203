//! Evidence of a reduction, for certificates.
//!
//! **Problem.** A reduction has found that a goal cannot fail. Who doubts it should not have to search the product that the
//! reduction has avoided.
//!
//! **Idea.** What was composed with what is known afterwards ([`super::Reduction::compositions`]), and that is the expensive part to
//! find out. So nothing is noted on the way. Who wants evidence has the compositions made once more, in the same order and
//! without the trials between them, and each result is written down together with a *relation*: which state of the result
//! follows which state of the pieces that it stands for. The judge of [`rely_certificate`] has local conditions for that.
//!
//! **Relations.** The result is deterministic, or minimal modulo branching bisimilarity. If it is deterministic, there is one
//! state that it can be in after each sequence of actions. If it is minimal, a state is followed by the one that it is
//! bisimilar to; which one that is says a partition of the states of both. States of the goal's piece that fail silently
//! have failed in the result before, and those from which nothing fails are marked as such.
//!
//! **Where it differs from the reduction.** Pieces do not end here, since failing is all that matters; so they may be smaller.
//! If the pieces can still fail in the end, there is no evidence: the caller has to give another kind.
//!
//! **Complexity.** That of the compositions, and of one partition for each.
//!
//! **Callers.** `rely verify --certificate`: after `reduce`; after `localise`, for the parts that were needed; and for
//! premises and products that would be more work to search (`record/choice.rs`).

mod choice;
mod pairs;

use std::sync::Arc;

use rely_base::{Alphabet, Budget, Exhausted, Id, Label, StateId};
use rely_certificate::{Abstraction, ReductionProof, ReductionStep, StateTable};
use rely_explore::{Product, Search, Visitor};
use rely_lts::operators::restrict;
use rely_lts::{Component, ComponentId, Lts, LtsBuilder, Network, Transition};
use rustc_hash::{FxHashMap, FxHashSet};

use self::choice::{Choice, choose};
use self::pairs::{Keeps, pairs};
use super::piece::{Effect, effects};
use super::{Composition, component, reduced_goal, reduced_part};
use crate::Problem;
use crate::cone::connected;

/// What evidence speaks about: a network, and which of its components a problem is made of.
#[derive(Clone, Copy, Debug)]
pub struct Whole<'a> {
    /// The network.
    pub network: &'a Network,
    /// The components that are the parts of the problem, in order.
    pub parts: &'a [ComponentId],
    /// The components that are its goal.
    pub goal: &'a [ComponentId],
}

impl Whole<'_> {
    /// The evidence of a reduction in which these parts were composed; nothing if that does not show that the goal cannot
    /// fail.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn reduction_evidence(
        &self,
        compositions: &[Composition],
        budget: &Budget<'_>,
    ) -> Result<Option<ReductionProof>, Exhausted> {
        let mut recorder = Recorder::new(self);
        recorder.run(compositions, budget)?;
        let goal: Vec<usize> = self.goal.iter().map(|component| component.index()).collect();
        let Some((used, steps)) = recorder.needed_steps(self.network.components().len()) else {
            return Ok(None);
        };
        let parts = used.into_iter().filter(|component| !goal.contains(component)).collect();
        Ok(Some(ReductionProof { goal, parts, steps }))
    }

    /// The evidence that some parts of the problem keep the goal from failing.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn evidence_of_parts(
        &self,
        problem: &Problem,
        parts: &[usize],
        budget: &Budget<'_>,
    ) -> Result<Judgeable, Exhausted> {
        self.evidence_beyond(0, problem, parts, budget)
    }

    /// The evidence, where the judge may as well search a product of a few states.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn evidence_if_large(
        &self,
        problem: &Problem,
        parts: &[usize],
        budget: &Budget<'_>,
    ) -> Result<Judgeable, Exhausted> {
        self.evidence_beyond(FEW, problem, parts, budget)
    }

    /// The evidence, where a product of at most `few` states is searched in any case.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub(crate) fn evidence_beyond(
        &self,
        few: usize,
        problem: &Problem,
        parts: &[usize],
        budget: &Budget<'_>,
    ) -> Result<Judgeable, Exhausted> {
        // Where there is nothing that could fail, there is nothing to reduce towards.
        if self.goal.is_empty() {
            return Ok(Judgeable::ByProduct);
        }
        let inside = problem.about(parts);
        let reduction = match choose(&inside, few, budget)? {
            Choice::Reduction(reduction) => reduction,
            Choice::Product => return Ok(Judgeable::ByProduct),
            Choice::Neither => return Ok(Judgeable::Dear),
        };
        let components: Vec<ComponentId> = parts.iter().map(|&part| self.parts[part]).collect();
        let narrower = Whole { parts: &components, ..*self };
        let made = narrower.reduction_evidence(reduction.compositions(), budget)?;
        Ok(made.map_or(Judgeable::Dear, Judgeable::ByReduction))
    }
}

/// How a judge can find out without much work that a goal cannot fail.
#[derive(Clone, Debug)]
pub enum Judgeable {
    /// By a reduction.
    ByReduction(ReductionProof),
    /// By a search of the product.
    ByProduct,
    /// None of these is known to be little work.
    Dear,
}

/// A product of at most this many states needs no evidence.
pub(crate) const FEW: usize = 1 << 12;

/// A reduction that is made once more, and written down.
struct Recorder {
    /// The goal first, then every part that still matters.
    pieces: Vec<Piece>,
    /// What was done; nothing once it has gone wrong.
    steps: Option<Vec<Noted>>,
    /// The number of the next result.
    next: usize,
}

/// A step, and what it is for.
struct Noted {
    step: ReductionStep,
    /// The number of its result, or the numbers of those that forget an action.
    changed: Vec<usize>,
}

/// A piece as the judge sees it.
struct Piece {
    /// Its number in the certificate.
    number: usize,
    lts: Arc<Lts>,
    /// The parts of the problem that it was made of, in order.
    parts: Vec<usize>,
    /// Whether it is as small as it can be made.
    is_reduced: bool,
}

impl Recorder {
    fn new(whole: &Whole<'_>) -> Self {
        let lts = |id: &ComponentId| &whole.network.components()[id.index()].lts;
        let part = |(part, id): (usize, &ComponentId)| Piece {
            number: id.index(),
            lts: Arc::new(copied(lts(id), None)),
            parts: vec![part],
            is_reduced: false,
        };
        let goal = |id: &ComponentId| Piece {
            number: id.index(),
            lts: Arc::new(copied(lts(id), lts(id).error())),
            parts: Vec::new(),
            is_reduced: false,
        };
        let parts = whole.parts.iter().enumerate().map(part);
        let pieces = whole.goal.iter().map(goal).chain(parts).collect();
        Self { pieces, steps: Some(Vec::new()), next: whole.network.components().len() }
    }

    fn run(&mut self, compositions: &[Composition], budget: &Budget<'_>) -> Result<(), Exhausted> {
        let goals = self.pieces.iter().filter(|piece| piece.parts.is_empty()).count();
        if goals > 1 {
            self.replace(&(0..goals).collect::<Vec<_>>(), budget)?;
        }
        self.simplify(budget)?;
        for Composition { has_goal, first, second, .. } in compositions {
            let is_in = |part: &usize| first.contains(part) || second.contains(part);
            let belongs = |&i: &usize| match i {
                0 => *has_goal,
                _ => self.pieces[i].parts.iter().all(is_in),
            };
            let places: Vec<usize> = (0..self.pieces.len()).filter(belongs).collect();
            // What has been simplified away needs no composition.
            if places.len() > 1 {
                self.replace(&places, budget)?;
                self.simplify(budget)?;
            }
        }
        Ok(())
    }

    /// Does what `simplify.rs` does, until nothing changes.
    fn simplify(&mut self, budget: &Budget<'_>) -> Result<(), Exhausted> {
        loop {
            for i in 0..self.pieces.len() {
                if !self.pieces[i].is_reduced {
                    self.replace(&[i], budget)?;
                }
            }
            let names = |i: usize| self.pieces[i].lts.alphabet().names();
            let mut kept = connected(self.pieces.len(), names, [0]).into_iter();
            self.pieces.retain(|_| kept.next().unwrap_or(true));
            self.forget_actions();
            let owners = self.owners();
            let mut is_done = true;
            for piece in &mut self.pieces {
                let mut effects = piece.lts.alphabet().names().zip(effects(&piece.lts));
                piece.is_reduced &=
                    !effects.any(|(name, effect)| effect == Effect::Neutral || owners[name] == 1);
                is_done &= piece.is_reduced;
            }
            if is_done {
                return Ok(());
            }
        }
    }

    /// Takes the actions out of all pieces for which one is never ready, and those that change nobody.
    fn forget_actions(&mut self) {
        for i in 0..self.pieces.len() {
            let piece = self.pieces[i].number;
            for action in having_effect(&self.pieces[i].lts, Effect::Never) {
                let changed = self.forget(&action).filter(|&number| number != piece).collect();
                self.note(ReductionStep::Never { action, piece }, changed);
            }
        }
        let moving: FxHashSet<String> =
            self.pieces.iter().flat_map(|piece| having_effect(&piece.lts, Effect::Moves)).collect();
        let owners = self.owners();
        let is_idle = |name: &&str| !moving.contains(*name) && owners[*name] > 1;
        let names = self.pieces.iter().flat_map(|piece| piece.lts.alphabet().names());
        let idle: Alphabet = names.filter(is_idle).collect();
        for action in idle.names().map(str::to_owned) {
            let changed = self.forget(&action).collect();
            self.note(ReductionStep::Idle { action }, changed);
        }
    }

    /// Takes an action out of all pieces; the numbers of those that knew it.
    fn forget(&mut self, action: &str) -> std::vec::IntoIter<usize> {
        let mut numbers = Vec::new();
        for piece in self.pieces.iter_mut().filter(|piece| piece.lts.alphabet().contains(action)) {
            piece.lts = Arc::new(restrict(&piece.lts, |name| name == action));
            piece.is_reduced = false;
            numbers.push(piece.number);
        }
        numbers.into_iter()
    }

    fn note(&mut self, step: ReductionStep, changed: Vec<usize>) {
        if let Some(steps) = &mut self.steps {
            steps.push(Noted { step, changed });
        }
    }

    /// The steps that lead to the goal's piece, if it cannot fail, with their results numbered anew, and the components
    /// that they use. All others are left out, so what was done to them need not be judged.
    fn needed_steps(self, components: usize) -> Option<(Vec<usize>, Vec<ReductionStep>)> {
        let goal = self.pieces.into_iter().next().filter(|goal| goal.lts.error().is_none())?;
        let mut needed = FxHashSet::from_iter([goal.number]);
        let mut kept: Vec<Noted> = Vec::new();
        for noted in self.steps?.into_iter().rev() {
            if !noted.changed.iter().any(|piece| needed.contains(piece)) {
                continue;
            }
            match &noted.step {
                ReductionStep::Never { piece, .. } => needed.extend([*piece]),
                ReductionStep::Idle { .. } => {}
                ReductionStep::Replace { pieces, .. } => needed.extend(pieces),
            }
            kept.push(noted);
        }
        kept.reverse();
        let mut numbers: FxHashMap<usize, usize> = (0..components).map(|piece| (piece, piece)).collect();
        for Noted { step, changed } in &mut kept {
            match step {
                ReductionStep::Never { piece, .. } => *piece = numbers[piece],
                ReductionStep::Idle { .. } => {}
                ReductionStep::Replace { pieces, .. } => {
                    pieces.iter_mut().for_each(|piece| *piece = numbers[piece]);
                    numbers.insert(changed[0], numbers.len());
                }
            }
        }
        let used = (0..components).filter(|component| needed.contains(component)).collect();
        Some((used, kept.into_iter().map(|noted| noted.step).collect()))
    }

    /// How many pieces have each action.
    fn owners(&self) -> FxHashMap<String, usize> {
        let mut owners: FxHashMap<String, usize> = FxHashMap::default();
        for name in self.pieces.iter().flat_map(|piece| piece.lts.alphabet().names()) {
            *owners.entry(name.to_owned()).or_default() += 1;
        }
        owners
    }

    /// Replaces pieces, in order of their places, by what others can feel of their composition. The goal is among them if
    /// the first place is.
    fn replace(&mut self, places: &[usize], budget: &Budget<'_>) -> Result<(), Exhausted> {
        let elsewhere: Alphabet = self
            .pieces
            .iter()
            .enumerate()
            .filter(|(i, _)| !places.contains(i))
            .flat_map(|(_, piece)| piece.lts.alphabet().names())
            .collect();
        let operands: Vec<Component> = places.iter().map(|&i| component(&self.pieces[i].lts)).collect();
        // What a piece by itself can always take without being changed is none of its business.
        let ignored: FxHashSet<String> = match places {
            &[only] => having_effect(&self.pieces[only].lts, Effect::Neutral).into_iter().collect(),
            _ => FxHashSet::default(),
        };
        let is_hidden = |name: &str| !elsewhere.contains(name) || ignored.contains(name);
        let network = Network::new(operands).with_hidden(is_hidden);
        let product = Product::new(&network);
        let mut search = Search::new(&product);
        let mut steps = Steps::default();
        search.run(budget, &mut steps)?;
        let made = steps.lts(search.states().len(), product.network().visible_alphabet());
        let (keeps, result) = match places[0] {
            0 => (Keeps::Failures, reduced_goal(&made, budget)?),
            _ => (Keeps::Traces, reduced_part(&made, budget)?),
        };
        let first = &mut self.pieces[places[0]];
        first.is_reduced = true;
        let sizes = |lts: &Lts| (lts.state_count(), lts.alphabet().len());
        if places.len() == 1 && sizes(&result) == sizes(&first.lts) {
            return Ok(());
        }
        let Some(pairs) = pairs(&made, &result, keeps, budget)? else {
            self.steps = None;
            return Ok(());
        };
        let mut table = StateTable::new(places.len() + 1, 0);
        for (state, image) in pairs {
            let tuple = product.unpack(search.states().get(state)).into_iter().map(StateId::raw);
            table.push(tuple.chain([image]));
        }
        table.sort();
        let pieces = places.iter().map(|&i| self.pieces[i].number).collect();
        let by = Abstraction::of(&result);
        let changed = vec![self.next];
        self.note(ReductionStep::Replace { pieces, by, relation: table.encode() }, changed);
        self.put(places, result);
        Ok(())
    }

    /// Puts a result in the place of the first of some pieces, and takes the others away.
    fn put(&mut self, places: &[usize], result: Lts) {
        let mut parts: Vec<usize> =
            places.iter().flat_map(|&i| self.pieces[i].parts.iter().copied()).collect();
        parts.sort_unstable();
        self.pieces[places[0]] = Piece { number: self.next, lts: Arc::new(result), parts, is_reduced: true };
        self.next += 1;
        let mut place = 0;
        self.pieces.retain(|_| {
            place += 1;
            !places[1..].contains(&(place - 1))
        });
    }
}

/// A system without an end, and with no error state but this one: where there is none, it halts instead of failing. Its
/// states keep their numbers.
fn copied(lts: &Lts, error: Option<StateId>) -> Lts {
    let mut builder = LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    builder.set_initial(lts.initial());
    builder.set_error(error);
    for transition in lts.transitions() {
        builder.add_transition(transition.source, transition.label, transition.target);
    }
    builder.build()
}

/// The steps of a product; its states are numbered as the search finds them.
#[derive(Default)]
struct Steps {
    transitions: Vec<Transition>,
    /// Source and label of the steps into the error state.
    failures: Vec<(StateId, Label)>,
}

impl Steps {
    fn lts(self, states: usize, alphabet: Alphabet) -> Lts {
        let mut builder = LtsBuilder::with_states(alphabet, states);
        for Transition { source, label, target } in self.transitions {
            builder.add_transition(source, label, target);
        }
        if !self.failures.is_empty() || states == 0 {
            let error = builder.error_state();
            for (source, label) in self.failures {
                builder.add_transition(source, label, error);
            }
        }
        builder.build()
    }
}

impl Visitor for Steps {
    fn transition(&mut self, source: StateId, label: Label, target: StateId) {
        self.transitions.push(Transition { source, label, target });
    }

    fn error(&mut self, source: Option<StateId>, label: Label, _component: ComponentId) {
        self.failures.extend(source.map(|source| (source, label)));
    }

    fn bytes(&self) -> usize {
        self.transitions.capacity() * size_of::<Transition>()
    }
}

/// The actions of a system that do something of a kind.
fn having_effect(lts: &Lts, wanted: Effect) -> Vec<String> {
    let actions = lts.alphabet().names().zip(effects(lts));
    actions.filter(|&(_, effect)| effect == wanted).map(|(name, _)| name.to_owned()).collect()
}
