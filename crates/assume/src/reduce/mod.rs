//! Compositional reduction towards the goal.
//!
//! **Problem.** Whether a goal can fail, without ever building the product of everything.
//!
//! **Source.** Compositional reachability analysis [Cheung, Kramer 1999], with the error propagated at every step
//! [Giannakopoulou, Păsăreanu, Barringer 2003, section 3.2]; stopping as soon as the error is out of reach is the
//! recomposition of [Dardik et al. 2024]; the order follows the smart reduction of [Crouzen, Lang 2011].
//!
//! **Idea.** The system is a set of *pieces*: the goal, and each part. Two pieces that share actions are composed, what
//! nobody else has is hidden, and the result is reduced; so again and again, until no run fails any more, or there is one
//! piece left. Only failing matters, which is coarser than any equivalence of parts: in the piece of the goal, what fails
//! by silent steps has failed, and runs that can no longer fail are cut off; pieces without the goal are reduced as far as
//! their traces allow. Between the compositions, `simplify.rs` takes away what a look at single actions shows to be
//! without effect; in a composition, one action stands for all that do the same (`twins.rs`). Several reductions can have
//! in common what they make of the same pieces (`table.rs`). Composites
//! that the user wrote are composed before anything else, where that pays (`composite.rs`).
//!
//! **Invariants.** At every step, the goal can fail in the composition of the pieces exactly if it can in the problem, and
//! every failing run of the pieces is what their actions show of a failing run of the pieces before.
//!
//! **Complexity.** That of the largest product of two pieces, if the order is good. The state of a [`Reduction`] survives
//! a limit: with a larger one it goes on where it was.
//!
//! **Callers.** `rely verify --strategy reduce`, and `auto`.

mod composite;
mod composition;
mod order;
mod piece;
mod record;
mod simplify;
mod sketch;
mod table;
mod twins;

pub use self::composition::Composition;
pub(crate) use self::order::{accepts, kind, shortest_failure};
pub(crate) use self::record::FEW;
pub use self::record::{Judgeable, Whole};
pub(crate) use self::table::Table;

use std::sync::Arc;

use rely_base::{Alphabet, Budget, Exhausted, Limits, Progress, Resource};
use rely_decide::Counterexample;
use rely_explore::generate;
use rely_lts::equivalence::{Equivalence, determinise_within, minimise, without_harmless_states};
use rely_lts::operators::{propagate_error, trim};
use rely_lts::{Component, Lts, Network};
use rustc_hash::{FxHashMap, FxHashSet};

use self::composite::Composites;
use self::piece::{Owners, Piece};
use self::table::Pair;
use self::twins::Twins;
use crate::{Effort, Problem, Unrealised, realise};

/// Whether the goal of a problem can fail.
///
/// # Errors
/// The limit of the budget that was met.
pub fn reduce(problem: &Problem, budget: &Budget<'_>, effort: &mut Effort) -> Result<bool, Exhausted> {
    Reduction::new(problem).run(budget, effort)
}

/// A reduction under way.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The goal first, then everything else that still matters.
    pieces: Vec<Piece>,
    /// The actions of all pieces.
    names: Alphabet,
    /// What the pieces were before each composition, for the way back from a failure to a run.
    history: Vec<Vec<Component>>,
    /// Bytes of the systems in `history` and `absorbed`.
    history_bytes: usize,
    /// What became of the composition of two pieces, by identity.
    trials: Trials,
    /// What others have made of the same pieces.
    table: Table,
    /// How many states a product may have at present.
    limit: usize,
    /// How many states and transitions all products that are still to be made may have together.
    work: usize,
    /// How many have been made so far.
    spent: usize,
    /// The identity of the next piece.
    next: usize,
    /// The components of the goal, until they are the first piece.
    goal: Option<Vec<Component>>,
    /// Which parts were composed with the goal, one piece after the other, and what became of the goal each time.
    absorbed: Vec<(Vec<usize>, Arc<Lts>)>,
    /// What was composed, in order.
    compositions: Vec<Composition>,
    /// The composites that are still to be composed, and how far that has come.
    composites: Composites,
}

/// What became of the composition of two pieces, by identity.
type Trials = FxHashMap<(usize, usize), Trial>;

/// What became of the composition of two pieces.
#[derive(Clone, Debug)]
enum Trial {
    /// It has been made and reduced. The number of steps that lead to a failure.
    Made(Arc<Lts>, usize),
    /// It has more states than were allowed.
    Beyond(Exhausted),
}

/// A pair of pieces, if there is one that pays, and the limit that was met on the way.
type Chosen = (Option<(usize, usize)>, Option<Exhausted>);

/// What speaks for a composition, in order of importance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Merit {
    /// How many steps lead to a failure.
    distance: usize,
    /// By how many states it is smaller than its operands together.
    shrinks: isize,
}

/// The first limit on products.
const FIRST_LIMIT: usize = 256;

/// How many transitions can be read with the work of making one.
const QUICKER: usize = 4;

/// How many times the limit all products that are tried may have together.
const PATIENCE: usize = 8;

impl Reduction {
    /// A reduction that has not begun.
    pub fn new(problem: &Problem) -> Self {
        Self::sharing(Table::default(), problem)
    }

    /// A reduction that has not begun, and that shares a table of reduced pieces with others.
    pub(crate) fn sharing(table: Table, problem: &Problem) -> Self {
        let mut names = Alphabet::new();
        let mut piece = |(id, component): (usize, &Component)| {
            Piece::new(Arc::clone(&component.lts), id, vec![id], &mut names)
        };
        let pieces: Vec<Piece> = problem.parts.iter().enumerate().map(&mut piece).collect();
        let next = pieces.len();
        let goal = Some(problem.goal.components.clone());
        let trials = Trials::default();
        let (history, absorbed, compositions) = (Vec::new(), Vec::new(), Vec::new());
        let composites = Composites::of(problem);
        Self {
            goal,
            pieces,
            names,
            history,
            history_bytes: 0,
            trials,
            table,
            limit: FIRST_LIMIT,
            work: usize::MAX,
            spent: 0,
            next,
            absorbed,
            compositions,
            composites,
        }
    }

    /// Makes the components of the goal the first piece.
    fn begin(&mut self, budget: &Budget<'_>, effort: &mut Effort) -> Result<(), Exhausted> {
        let Some(goal) = &self.goal else { return Ok(()) };
        let lts = match goal.as_slice() {
            [only] => Arc::clone(&only.lts),
            several => Arc::new(generate(&Network::new(several.to_vec()), budget)?),
        };
        let piece = Piece::new(lts, self.identity(), Vec::new(), &mut self.names);
        self.pieces.insert(0, piece);
        self.goal = None;
        let largest = self.pieces.iter().map(|piece| piece.lts.state_count()).max();
        effort.held(largest.unwrap_or(0));
        Ok(())
    }

    fn identity(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    /// Goes on until it is known whether the goal can fail. After a limit was met it can be called again.
    ///
    /// # Errors
    /// The limit of the budget that was met.
    pub fn run(&mut self, budget: &Budget<'_>, effort: &mut Effort) -> Result<bool, Exhausted> {
        self.run_for(usize::MAX, budget, effort)
    }

    /// [`Self::run`] until products with `work` states and transitions have been made; to go beyond that is to meet a limit
    /// on states.
    ///
    /// # Errors
    /// The limit that was met.
    pub fn run_for(
        &mut self,
        work: usize,
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Result<bool, Exhausted> {
        self.work = work;
        let answer = self.advance(budget, effort);
        self.spent = self.spent.saturating_add(work - self.work);
        if let Err(exhausted) = &answer {
            effort.held(exhausted.states);
        }
        answer
    }

    /// Bytes of the systems that it holds, the table excepted.
    pub(crate) fn bytes(&self) -> usize {
        let pieces = self.pieces.iter().filter(|piece| !piece.is_in_history).map(|piece| &piece.lts);
        let made = self.trials.values().filter_map(|trial| match trial {
            Trial::Made(lts, _) => Some(lts),
            Trial::Beyond(_) => None,
        });
        self.history_bytes + pieces.chain(made).map(|lts| lts.bytes()).sum::<usize>()
    }

    /// What is left of a budget beside everything that is held.
    fn rest<'b>(&self, budget: &Budget<'b>) -> Budget<'b> {
        budget.after_holding(self.bytes() + self.table.bytes())
    }

    /// How much work there is probably left, if it goes on as it has begun.
    pub(crate) fn outlook(&self) -> Option<usize> {
        let composed = self.compositions.len();
        (composed > 0).then(|| (self.spent / composed).saturating_mul(self.pieces.len() - 1))
    }

    /// What the last call left of its work.
    pub(crate) fn work_left(&self) -> usize {
        self.work
    }

    fn advance(&mut self, budget: &Budget<'_>, effort: &mut Effort) -> Result<bool, Exhausted> {
        self.begin(budget, effort)?;
        loop {
            if self.work == 0 {
                return Err(out_of_work());
            }
            self.work = self.work.saturating_sub(self.reading());
            self.simplify(&self.rest(budget))?;
            let goal = &self.pieces[0].lts;
            if goal.error().is_none() {
                return Ok(false);
            }
            if goal.error() == Some(goal.initial()) || self.pieces.len() == 1 {
                return Ok(true);
            }
            if !self.compose_inside(budget, effort)? {
                self.compose_some(budget, effort)?;
            }
        }
    }

    /// The work of looking at all pieces.
    fn reading(&self) -> usize {
        self.pieces.iter().map(|piece| piece.lts.transition_count()).sum::<usize>() / QUICKER
    }

    /// Replaces two pieces by their composition.
    ///
    /// What is small is not known before. So products are made within a limit, and the limit grows while there is none.
    fn compose_some(&mut self, budget: &Budget<'_>, effort: &mut Effort) -> Result<(), Exhausted> {
        let refuses = order::refusing(&self.pieces);
        let owners = Owners::of(&self.pieces, self.names.len());
        loop {
            let narrow = budget.narrowed(Limits { states: Some(self.limit), bytes: None });
            let pairs = order::pairs(&self.pieces, &owners, &self.trials);
            let (with_goal, others): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|&(first, _)| first == 0);
            let with_goal = with_goal.into_iter().filter(|&(_, second)| refuses[second]).collect();
            let (mut best, mut met) = self.best(with_goal, &owners, &narrow, effort)?;
            if best.is_none() {
                let (shrinking, other) = self.best(others, &owners, &narrow, effort)?;
                best = shrinking;
                met = furthest(met, other);
            }
            if let Some((first, second)) = best {
                self.replace_two(first, second);
                return Ok(());
            }
            // With a higher limit the same would be refused for the work of preparing it.
            let is_refused = met.as_ref().is_some_and(|met| met.states == 0);
            if self.limit >= budget.max_states() || self.work == 0 || is_refused {
                return Err(met.expect("the goal shares actions with a piece, so there is a pair"));
            }
            self.limit = self.limit.saturating_mul(4);
        }
    }

    /// The best of some pairs within a limit, and the limit if it was met.
    ///
    /// With the goal, it is the one after which a failure is furthest away. Without, it is the one that shrinks most.
    fn best(
        &mut self,
        pairs: Vec<(usize, usize)>,
        owners: &Owners,
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Result<Chosen, Exhausted> {
        let mut met = None;
        let mut best: Option<(Merit, (usize, usize))> = None;
        let mut seen = 0;
        let mut kinds = FxHashSet::default();
        for (first, second) in pairs {
            // What becomes of one pair becomes of its copies.
            if !kinds.insert([first, second].map(|i| kind(&self.pieces[i].lts))) {
                continue;
            }
            if seen > self.limit.saturating_mul(PATIENCE) || (met.is_some() && self.work == 0) {
                break;
            }
            if let Err(exhausted) = self.attempt([first, second], owners, budget, effort, &mut seen) {
                if exhausted.resource != Resource::States {
                    return Err(exhausted);
                }
                met = furthest(met, Some(exhausted));
                continue;
            }
            let ids = (self.pieces[first].id, self.pieces[second].id);
            let Some(Trial::Made(product, distance)) = self.trials.get(&ids) else { continue };
            let size = |i: usize| self.pieces[i].lts.state_count();
            let growth = product.state_count().cast_signed() - (size(first) + size(second)).cast_signed();
            let merit = Merit { distance: *distance, shrinks: -growth };
            if (first == 0 || growth <= 0) && best.as_ref().is_none_or(|(most, _)| merit > *most) {
                best = Some((merit, (first, second)));
            }
            if first == 0 && product.error().is_none() {
                break;
            }
        }
        Ok((best.map(|(_, pair)| pair), met))
    }

    /// Composes and reduces two pieces, unless that has been done, has been seen to go beyond the limit, or takes more
    /// work to prepare than is left.
    fn attempt(
        &mut self,
        [first, second]: [usize; 2],
        owners: &Owners,
        budget: &Budget<'_>,
        effort: &mut Effort,
        seen: &mut usize,
    ) -> Result<(), Exhausted> {
        let ids = (self.pieces[first].id, self.pieces[second].id);
        let budget = &budget.narrowed(Limits { states: Some(self.work), bytes: None });
        match self.trials.get(&ids) {
            Some(Trial::Made(..)) => return Ok(()),
            Some(Trial::Beyond(exhausted)) if exhausted.states >= budget.max_states() => {
                return Err(exhausted.clone());
            }
            Some(Trial::Beyond(_)) | None => {}
        }
        let operands = [first, second].map(|i| component(&self.pieces[i].lts));
        let prepared = preparation(&operands);
        if prepared / QUICKER > self.work {
            return Err(out_of_work());
        }
        let having = |name: &str| owners.having(self.names.get(name).expect("an action of a piece"));
        let is_hidden = |name: &str| having(name).iter().all(|place| [first, second].contains(place));
        let pair = Pair::new([first, second].map(|i| &self.pieces[i]), is_hidden, first == 0);
        match self.table.composed(&pair) {
            Some(Trial::Beyond(exhausted)) if exhausted.states >= budget.max_states() => {
                return Err(exhausted);
            }
            Some(made @ Trial::Made(..)) => {
                self.work = self.work.saturating_sub(prepared / QUICKER);
                self.trials.insert(ids, made);
                return Ok(());
            }
            Some(Trial::Beyond(_)) | None => {}
        }
        let twins = Twins::of(&operands, is_hidden);
        let taken_out: Vec<Component> = operands.iter().map(|piece| twins.taken_out_of(piece)).collect();
        let is_new = |(piece, before): &(&Component, &Component)| !Arc::ptr_eq(&piece.lts, &before.lts);
        let new = taken_out.iter().zip(&operands).filter(is_new).map(|(piece, _)| piece.lts.bytes()).sum();
        let budget = &self.rest(budget).after_holding(new);
        let network = Network::new(taken_out).with_hidden(is_hidden);
        let made = generate(&network, budget).and_then(|product| {
            effort.held(product.state_count());
            *seen += product.state_count();
            let cost = prepared + product.state_count() + product.transition_count();
            self.work = self.work.saturating_sub(cost);
            let reduced =
                if first == 0 { reduced_goal(&product, budget) } else { reduced_part(&product, budget) };
            Ok((twins.put_back_into(reduced?), order::distance(&product)))
        });
        let (trial, end) = match made {
            Ok((product, distance)) => (Trial::Made(Arc::new(product), distance), Ok(())),
            Err(exhausted) => {
                effort.held(exhausted.states);
                *seen += exhausted.states;
                let cost = prepared + exhausted.states + exhausted.transitions;
                self.work = self.work.saturating_sub(cost);
                (Trial::Beyond(exhausted.clone()), Err(exhausted))
            }
        };
        self.table.keep_composed(pair, &trial, budget);
        self.trials.insert(ids, trial);
        end
    }

    /// Puts the composition of two pieces in their place.
    fn replace_two(&mut self, first: usize, second: usize) {
        let ids = (self.pieces[first].id, self.pieces[second].id);
        let Some(Trial::Made(product, _)) = self.trials.remove(&ids) else { return };
        self.remember_pieces();
        let id = self.identity();
        self.note_composition(first, second, &product);
        let mut parts = self.pieces.remove(second).parts;
        let has_goal = first == 0;
        if has_goal {
            self.history_bytes += product.bytes();
            self.absorbed.push((parts.clone(), Arc::clone(&product)));
        }
        parts.extend(&self.pieces[first].parts);
        let piece = Piece::new(product, id, parts, &mut self.names);
        self.pieces[first] = Piece { is_reduced: true, is_in_history: has_goal, ..piece };
        let alive: Vec<usize> = self.pieces.iter().map(|piece| piece.id).collect();
        self.trials.retain(|(first, second), _| alive.contains(first) && alive.contains(second));
    }

    /// Keeps the pieces as they are, for the way back.
    fn remember_pieces(&mut self) {
        for piece in self.pieces.iter_mut().filter(|piece| !piece.is_in_history) {
            self.history_bytes += piece.lts.bytes();
            piece.is_in_history = true;
        }
        self.history.push(self.pieces.iter().map(|piece| component(&piece.lts)).collect());
    }

    /// A run of the whole problem, once it is known that the goal can fail: what the pieces did is played on what they
    /// were made of, and so back to the components.
    ///
    /// # Errors
    /// A limit, or a mistake in the program.
    pub fn counterexample(
        &self,
        problem: &Problem,
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Result<Counterexample, Unrealised> {
        let budget = &self.rest(budget);
        let mut sequence: Vec<String> = Vec::new();
        let mut alphabet = Alphabet::new();
        for pieces in self.history.iter().rev() {
            let run = realise(pieces, &sequence, &alphabet, budget, effort)?;
            let names = run.trace_names();
            sequence = names.into_iter().filter(|&name| name != "tau").map(str::to_owned).collect();
            alphabet = alphabet
                .names()
                .chain(pieces.iter().flat_map(|piece| piece.lts.alphabet().names()))
                .collect();
        }
        let cone = problem.cone();
        let run = realise(&cone.problem.components(), &sequence, &alphabet, budget, effort)?;
        cone.widened(run).map_err(Unrealised::Mistake)
    }
}

/// The limit that was met by who came further.
fn furthest(one: Option<Exhausted>, other: Option<Exhausted>) -> Option<Exhausted> {
    one.into_iter().chain(other).max_by_key(|exhausted| exhausted.states)
}

/// The end of the work that was allowed.
pub(crate) fn out_of_work() -> Exhausted {
    Exhausted { resource: Resource::States, states: 0, transitions: 0 }
}

/// The work of preparing a product, in states and transitions: components are read, and actions are matched.
pub(crate) fn preparation(components: &[Component]) -> usize {
    components.iter().map(|part| part.lts.transition_count() + part.lts.alphabet().len()).sum()
}

fn component(lts: &Arc<Lts>) -> Component {
    Component { name: String::new(), lts: Arc::clone(lts) }
}

/// What the pieces outside can feel of whether the error is reached.
fn reduced_goal(lts: &Lts, budget: &Budget<'_>) -> Result<Lts, Exhausted> {
    /// How many times the bytes of a system are held at once where its harmless states are looked for: the system itself,
    /// the one with the error propagated, the transitions by target, and what is left of it.
    const COPIES: usize = 5;
    budget.check(&Progress { bytes: COPIES * lts.bytes(), ..Progress::default() })?;
    let harmful = trim(&without_harmless_states(&propagate_error(lts))?);
    let reduced = minimise(&harmful, Equivalence::Branching, &budget.after_holding(lts.bytes()))?;
    drop(harmful);
    let budget = &budget.after_holding(lts.bytes());
    // A set of states that may have failed has failed, so the traces to the error stay the same.
    or_deterministic(reduced, budget, |automaton| Ok(trim(&without_harmless_states(automaton)?)))
}

/// What the pieces outside can feel of a part: its traces.
fn reduced_part(lts: &Lts, budget: &Budget<'_>) -> Result<Lts, Exhausted> {
    let reduced = minimise(lts, Equivalence::Branching, budget)?;
    or_deterministic(reduced, &budget.after_holding(lts.bytes()), |automaton| Ok(automaton.clone()))
}

/// A deterministic system with the same traces, if it is smaller and little work, or else the system itself.
fn or_deterministic(
    lts: Lts,
    budget: &Budget<'_>,
    finish: impl FnOnce(&Lts) -> Result<Lts, Exhausted>,
) -> Result<Lts, Exhausted> {
    /// How often each state and transition may be looked at.
    const OFTEN: usize = 8;
    if lts.is_deterministic() {
        return Ok(lts);
    }
    let work = OFTEN * (lts.state_count() + lts.transition_count());
    let narrow = budget.narrowed(Limits { states: Some(lts.state_count()), bytes: None });
    let automaton = match determinise_within(&lts, work, &narrow) {
        Ok(Some(automaton)) => {
            let budget = budget.after_holding(lts.bytes() + automaton.bytes());
            minimise(&finish(&automaton)?, Equivalence::Strong, &budget)?
        }
        Ok(None) | Err(Exhausted { resource: Resource::States, .. }) => return Ok(lts),
        Err(exhausted) => return Err(exhausted),
    };
    Ok(if automaton.state_count() < lts.state_count() { automaton } else { lts })
}
