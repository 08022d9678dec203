//! Several ways at once, under one budget.
//!
//! **Problem.** Which way of proving is quick is not known before one has tried. The product may have a hundred states or
//! a hundred million, and a reduction may be done after three parts or grow beyond the product.
//!
//! **Idea.** The search of the product, localisation and reduction take turns, and none starts again from the beginning:
//! each is put off as soon as it has reached a number of states; then all are allowed four times as many. What is small is
//! decided on the product before anything else is tried. The others get a share of what the search has had, the reduction
//! more than that in its first turn, so that trying them costs little where they lead nowhere. A reduction that has got on
//! well so far, and will be done soon if it goes on like this, gets more. What localisation and reduction make of the same pieces is made
//! once. A hunt for failures, which can only refute, gets a small share in every turn: failures that lie deep are out of
//! reach for a search level by level, and often no reduction shows them, either.
//!
//! **Invariants.** No step holds more states than the search of the product would have held in the end, but for the first
//! turn of the others. The order of the turns does not depend on time or on threads, so neither does the result.
//!
//! **Callers.** `rely verify`, unless another strategy is asked for.

use rely_base::{Budget, Exhausted, Limits, Resource};
use rely_decide::{FailureHunt, Limit, ReplayError, SafetySearch, Verdict};
use rely_explore::Product;

use crate::reduce::Table;
use crate::{Answer, Composition, Cone, Effort, Localisation, Problem, Proof, Reduction, Unrealised};

/// What was found, and how.
#[derive(Clone, Debug)]
pub struct Automatic {
    /// What was found.
    pub outcome: Answer<()>,
    /// The way that led to it.
    pub way: Way,
    /// What all ways together have cost.
    pub effort: Effort,
    /// Why it was this way: what was tried, in the user's words.
    pub story: String,
    /// The parts that localisation has needed, by number, if it decided.
    pub inside: Vec<usize>,
    /// The reduction and what it was applied to, if it decided.
    reduction: Option<Box<(Reduction, Cone)>>,
}

impl Automatic {
    /// A chain of assumptions that probably proves the problem, where reduction has found that it holds; see
    /// [`Reduction::sketch`].
    pub fn sketch(&self, budget: &Budget<'_>) -> Option<Proof> {
        let (reduction, cone) =
            self.reduction.as_deref().filter(|_| matches!(self.outcome, Answer::Proved(())))?;
        let mut proof = reduction.sketch(budget)?;
        let parts: Vec<usize> = cone.parts().collect();
        proof.groups.iter_mut().flatten().for_each(|part| *part = parts[*part]);
        Some(proof)
    }

    /// The compositions of the reduction, in order, if it decided.
    pub fn compositions(&self) -> Vec<Composition> {
        let Some((reduction, cone)) = self.reduction.as_deref() else { return Vec::new() };
        let parts: Vec<usize> = cone.parts().collect();
        let whole = |group: &Vec<usize>| group.iter().map(|&part| parts[part]).collect();
        let widened = |composition: &Composition| Composition {
            first: whole(&composition.first),
            second: whole(&composition.second),
            ..composition.clone()
        };
        reduction.compositions().iter().map(widened).collect()
    }
}

/// A way to an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// The product of everything.
    Monolithic,
    /// The product of the parts that matter.
    Localise,
    /// Part after part, reduced after each.
    Reduce,
    /// A run that was hunted down in the product.
    Hunt,
}

/// The product is searched up to this many states before anything else is tried.
const SMALL: usize = 1 << 12;

/// How many times the work of the search, in states and transitions, the reduction may do in its first turn.
const START: usize = 2;

/// How many times the work of the search a reduction may do in the first turn if it will then probably be done; half of that
/// for one within localisation.
const OUTLOOK: usize = 40;

/// What is left of [`OUTLOOK`] in late turns. In between it is halved from turn to turn while the work of the search is
/// multiplied by four, so that no system is just too large for it.
const LATE_OUTLOOK: usize = 2;

/// In later turns the reduction may do the work of the search divided by this.
const SHARE: usize = 12;

/// Localisation may do the work of the search divided by this, in its first turn, too: it mostly looks at few states again
/// and again.
const LOCAL_SHARE: usize = 2;

/// The hunt for failures may do the work of the search divided by this.
const HUNT_SHARE: usize = 4;

/// How much work the hunt may do where the product is too large: more than that is seldom of use.
const LONG_HUNT: usize = 1 << 24;

/// Which of many ways a hunt goes, unless somebody wants another one.
const SEED: u64 = 1;

/// Decides a problem in the way that turns out to be quickest.
///
/// # Errors
/// A run that cannot be replayed: a mistake in the program.
pub fn automatic(problem: &Problem, budget: &Budget<'_>) -> Result<Automatic, ReplayError> {
    let cone = problem.cone();
    let network = cone.problem.network();
    let product = Product::transparent(&network);
    let mut turns = Turns::new(&cone, &product);
    let End { way, outcome } = loop {
        if let Some(end) = turns.turn(budget)? {
            break end;
        }
        turns.limit = turns.limit.saturating_mul(4);
        turns.turns += 1;
    };
    let Turns { effort, localisation, reduction, limit, reached, .. } = turns;
    let parts: Vec<usize> = cone.parts().collect();
    let inside: Vec<usize> = match way {
        Way::Localise => localisation.inside().map(|part| parts[part]).collect(),
        Way::Monolithic | Way::Reduce | Way::Hunt => Vec::new(),
    };
    let story = match (way, &outcome) {
        (Way::Monolithic, _) if limit == SMALL => "the product is small".to_owned(),
        (Way::Monolithic, _) => "reduction did not get ahead of the search of the product".to_owned(),
        (Way::Hunt, _) => {
            format!(
                "a hunt for failures found a run when the search of the product had reached {reached} states"
            )
        }
        (Way::Localise, _) => format!("{} of {} parts decide it", inside.len(), problem.parts.len()),
        (Way::Reduce, Answer::Unknown(_)) => {
            "both the search of the product and reduction were given up".to_owned()
        }
        (Way::Reduce, _) => format!("decided when the search of the product had reached {reached} states"),
    };
    let has_decided = way == Way::Reduce && !matches!(outcome, Answer::Unknown(_));
    let reduction = has_decided.then(|| Box::new((reduction, cone)));
    Ok(Automatic { outcome, way, effort, story, inside, reduction })
}

/// How it ended.
struct End {
    way: Way,
    outcome: Answer<()>,
}

/// The ways, each where it has got to.
struct Turns<'a> {
    cone: &'a Cone,
    /// The search of the product, until that turns out to be too large.
    search: Option<SafetySearch<'a, 'a>>,
    hunt: FailureHunt<'a, 'a>,
    /// How many steps a failure takes at least, as far as the search has shown.
    least: usize,
    localisation: Localisation,
    reduction: Reduction,
    /// What localisation and reduction have in common.
    table: Table,
    effort: Effort,
    /// How many states the product may have in this turn; twice as many as a step of the others.
    limit: usize,
    /// How many turns there were before this one.
    turns: u32,
    /// How many states of it have been reached.
    reached: usize,
    /// How many states and transitions the search has seen.
    work: usize,
    /// Why the product is too large.
    too_large: Option<Exhausted>,
}

/// What one of the others may do in a turn, in states and transitions.
#[derive(Clone, Copy)]
struct Allowance {
    work: usize,
    /// And once more, if it will then probably be done.
    more: usize,
}

impl Allowance {
    const EVERYTHING: Self = Self { work: usize::MAX, more: usize::MAX };
}

impl<'a> Turns<'a> {
    fn new(cone: &'a Cone, product: &'a Product<'a>) -> Self {
        let table = Table::default();
        Self {
            cone,
            search: Some(SafetySearch::new(product).with_all_below(SMALL)),
            hunt: FailureHunt::new(product, SEED),
            least: 0,
            localisation: Localisation::sharing(table.clone(), &cone.problem),
            reduction: Reduction::sharing(table.clone(), &cone.problem),
            table,
            effort: Effort::default(),
            limit: SMALL,
            turns: 0,
            reached: 0,
            work: 0,
            too_large: None,
        }
    }

    /// A turn of each, until one has decided.
    fn turn(&mut self, budget: &Budget<'_>) -> Result<Option<End>, ReplayError> {
        if let Some(end) = self.search(budget)? {
            return Ok(Some(end));
        }
        if let Some(end) = self.hunt(budget)? {
            return Ok(Some(end));
        }
        if let Some(end) = self.localise(budget)? {
            return Ok(Some(end));
        }
        self.reduce(budget)
    }

    /// A turn of the search of the product.
    fn search(&mut self, budget: &Budget<'_>) -> Result<Option<End>, ReplayError> {
        let Some(search) = &mut self.search else { return Ok(None) };
        let others =
            self.localisation.bytes() + self.reduction.bytes() + self.table.bytes() + self.hunt.bytes();
        let decision = search.run_until(self.limit, &budget.after_holding(others))?;
        self.reached = search.states();
        self.work = self.reached + search.transitions();
        self.least = search.least_steps();
        self.effort.held(self.reached);
        let outcome = match decision.map(|decision| decision.verdict) {
            None => return Ok(None),
            Some(Verdict::Holds(_)) => Answer::Proved(()),
            Some(Verdict::Violated(run)) => Answer::Refuted(Box::new(self.cone.widened(*run)?)),
            // The product is too large. What it held is given back, and the others have everything.
            Some(Verdict::Unknown(Limit::Answer(exhausted)))
                if matches!(exhausted.resource, Resource::States | Resource::Memory) =>
            {
                self.too_large = Some(exhausted);
                self.search = None;
                self.limit = usize::MAX;
                return Ok(None);
            }
            Some(Verdict::Unknown(limit)) => Answer::Unknown(limit.exhausted()),
        };
        Ok(Some(End { way: Way::Monolithic, outcome }))
    }

    /// A turn of the hunt.
    fn hunt(&mut self, budget: &Budget<'_>) -> Result<Option<End>, ReplayError> {
        let work = if self.search.is_some() { self.work / HUNT_SHARE } else { LONG_HUNT };
        let narrow = self.narrowed(budget).after_holding(self.localisation.bytes() + self.reduction.bytes());
        let decision = self.hunt.run_for(work, self.least, &narrow)?;
        self.effort.held(self.hunt.states());
        let Some(Verdict::Violated(run)) = decision.map(|decision| decision.verdict) else { return Ok(None) };
        let outcome = Answer::Refuted(Box::new(self.cone.widened(*run)?));
        Ok(Some(End { way: Way::Hunt, outcome }))
    }

    /// A turn of localisation.
    fn localise(&mut self, budget: &Budget<'_>) -> Result<Option<End>, ReplayError> {
        let share = self.work / LOCAL_SHARE;
        let more = self.work.saturating_mul(self.outlook() / 2);
        let first = Allowance { work: share, more };
        let later = Allowance { work: share, more };
        let Allowance { mut work, mut more } = self.allowance(first, later);
        // What is far from being done gets little, and what others do as well gets nothing.
        if self.localisation.outlook().is_some_and(|left| left > more) {
            work /= SHARE;
        }
        if self.search.is_some() && self.localisation.is_whole() {
            [work, more] = [0; 2];
        }
        let narrow = self.narrowed(budget).after_holding(self.reduction.bytes());
        let Self { cone, localisation, effort, .. } = self;
        let mut end = localisation.run_for(work, &cone.problem, &narrow, effort);
        if matches!(end, Err(Unrealised::Exhausted(_)))
            && localisation.outlook().is_some_and(|left| left <= more)
        {
            end = localisation.run_for(more, &cone.problem, &narrow, effort);
        }
        match end {
            Ok(outcome) => Ok(Some(End { way: Way::Localise, outcome: self.widened(outcome)? })),
            Err(Unrealised::Exhausted(_)) => Ok(None),
            Err(Unrealised::Mistake(mistake)) => Err(mistake),
        }
    }

    /// A turn of the reduction.
    fn reduce(&mut self, budget: &Budget<'_>) -> Result<Option<End>, ReplayError> {
        let more = self.work.saturating_mul(self.outlook());
        let first = Allowance { work: self.work.saturating_mul(START), more };
        let later = Allowance { work: self.work / SHARE, more };
        let Allowance { work, more } = self.allowance(first, later);
        let narrow = self.narrowed(budget).after_holding(self.localisation.bytes());
        let Self { cone, reduction, effort, .. } = self;
        let mut end = reduction.run_for(work, &narrow, effort);
        if end.is_err() && reduction.work_left() == 0 && reduction.outlook().is_some_and(|left| left <= more)
        {
            end = reduction.run_for(more, &narrow, effort);
        }
        let end = match end {
            Ok(false) => Ok(Answer::Proved(())),
            Ok(true) => reduction
                .counterexample(&cone.problem, &narrow, effort)
                .map(|run| Answer::Refuted(Box::new(run))),
            Err(exhausted) => Err(Unrealised::Exhausted(exhausted)),
        };
        let outcome = match end {
            Ok(outcome) => self.widened(outcome)?,
            Err(Unrealised::Mistake(mistake)) => return Err(mistake),
            Err(Unrealised::Exhausted(exhausted)) => {
                let can_go_on = matches!(exhausted.resource, Resource::States | Resource::Memory);
                if can_go_on && self.search.is_some() {
                    return Ok(None);
                }
                // What came furthest says how far.
                let furthest =
                    self.too_large.take().filter(|other| can_go_on && other.states > exhausted.states);
                Answer::Unknown(furthest.unwrap_or(exhausted))
            }
        };
        Ok(Some(End { way: Way::Reduce, outcome }))
    }

    /// How many times the work of the search may be done by what will then probably be done.
    fn outlook(&self) -> usize {
        (OUTLOOK >> self.turns.min(usize::BITS - 1)).max(LATE_OUTLOOK)
    }

    /// What may be done now: in the first turn, in later ones, and when the product is too large.
    fn allowance(&self, first: Allowance, later: Allowance) -> Allowance {
        match self.limit {
            _ if self.search.is_none() => Allowance::EVERYTHING,
            SMALL => first,
            _ => later,
        }
    }

    /// What the search of the product leaves of a budget.
    fn narrowed<'b>(&self, budget: &Budget<'b>) -> Budget<'b> {
        let held = self.search.as_ref().map_or(0, SafetySearch::bytes);
        budget.after_holding(held).narrowed(Limits { states: Some(self.limit / 2), bytes: None })
    }

    /// What was found of the cone, for the whole.
    fn widened(&self, outcome: Answer<()>) -> Result<Answer<()>, ReplayError> {
        Ok(match outcome {
            Answer::Refuted(run) => Answer::Refuted(Box::new(self.cone.widened(*run)?)),
            Answer::Proved(()) | Answer::Unknown(_) => outcome,
        })
    }
}
