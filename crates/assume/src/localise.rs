//! Localisation: as few parts as the goal needs.
//!
//! **Problem.** Whether a goal can fail, without looking at the parts that have nothing to do with it, although they are
//! connected with it.
//!
//! **Source.** Localisation reduction [Kurshan 1994], guided by counterexamples [Clarke et al. 2000].
//!
//! **Idea.** A part that is left out refuses nothing, so what cannot fail without it cannot fail with it. Begin with the
//! goal alone. A run that fails is shown to the parts outside: one that refuses it is taken in, and it starts again. Of
//! several that refuse it, the one is taken after which failures are furthest away.
//!
//! An outside part may do in between what nobody inside knows of; it refuses a run if it cannot take part in it even so.
//! Where nobody does, two may refuse it together, because one waits for what the other does not do in time; then both
//! are taken in. Else a part is taken in that cannot do the run without such steps, so that more is known of them. If
//! there is none either, everybody can do exactly this, and it is a run of the whole.
//!
//! **Invariants.** The parts inside let the goal fail after more sequences of actions than the whole does, and each one that
//! was taken in has a say in one of these.
//!
//! What those inside can do, where actions of parts outside are free to occur, is searched for a while. Few parts that are
//! hardly held back may have more states than many. So where that does not suffice, parts are taken in that *close* more
//! actions than they *open*: actions of those inside that nobody else outside has, against actions that only others
//! outside have. What is closed occurs no longer at any time, and can be hidden. If even this does not suffice, those
//! inside are reduced.
//!
//! **Complexity.** At most one search or reduction for each part that is taken in, and a few short ones to choose it.
//!
//! **Callers.** `auto`, and `rely verify --strategy localise`.

use rely_base::{Alphabet, Budget, Exhausted, Limits, Resource};
use rely_decide::{Counterexample, Decision, Limit, SafetySearch, Verdict, check_safety};
use rely_explore::Product;
use rely_lts::{Component, Network};
use rustc_hash::FxHashMap;

use crate::premise::Sequence;
use crate::problem::alphabet_of;
use crate::realise::failing_after;
use crate::reduce::{Table, accepts, kind, out_of_work, preparation, shortest_failure};
use crate::{Answer, Effort, Problem, Reduction, Unrealised, realise};

/// A localisation under way.
#[derive(Clone, Debug)]
pub struct Localisation {
    /// By part, whether it has been taken in.
    is_inside: Vec<bool>,
    /// The reduction of the parts inside, once it has begun.
    reduction: Option<Reduction>,
    /// What reductions before this one, and others, have made of the same pieces.
    table: Table,
    /// The limit that the last search met.
    met: Option<Exhausted>,
}

/// How many parts that refuse a run are looked at more closely.
const CANDIDATES: usize = 12;

/// How many states are looked at to find out how far away failures are with a candidate.
const LOOKAHEAD: usize = 1 << 9;

/// How many times as long it takes to read a transition or an action while a short search is prepared as to make a transition.
const DEARER: usize = 4;

/// How many copies of a part are taken in one by one.
const COPIES: usize = 2;

/// How many states of the parts inside are searched before they are reduced.
const BRIEF: usize = 1 << 9;

impl Localisation {
    /// A localisation that has not begun.
    pub fn new(problem: &Problem) -> Self {
        Self::sharing(Table::default(), problem)
    }

    /// A localisation that has not begun, and that shares a table of reduced pieces with others.
    pub(crate) fn sharing(table: Table, problem: &Problem) -> Self {
        Self { is_inside: vec![false; problem.parts.len()], reduction: None, table, met: None }
    }

    /// The parts that have been taken in, by number.
    pub fn inside(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.is_inside.len()).filter(|&part| self.is_inside[part])
    }

    /// Whether nothing is outside any more: then it does what others do as well.
    pub(crate) fn is_whole(&self) -> bool {
        !self.is_inside.contains(&false)
    }

    /// Goes on until there is an answer, or searches have looked at so many states and transitions. After a limit was met
    /// it can be called again, and needs a larger one.
    ///
    /// # Errors
    /// A limit, or a mistake in the program.
    pub fn run_for(
        &mut self,
        mut work: usize,
        problem: &Problem,
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Result<Answer<()>, Unrealised> {
        if let Some(met) = self.met.take_if(|met| met.states >= budget.max_states().min(work)) {
            self.met = Some(met.clone());
            return Err(Unrealised::Exhausted(met));
        }
        loop {
            if work == 0 {
                return Err(Unrealised::Exhausted(out_of_work()));
            }
            let trace = match self.failure(problem, &mut work, budget, effort) {
                Ok(None) => return Ok(Answer::Proved(())),
                Ok(Some(trace)) => trace,
                Err(unrealised) => {
                    if let Unrealised::Exhausted(exhausted) = &unrealised {
                        self.met = Some(exhausted.clone());
                    }
                    return Err(unrealised);
                }
            };
            let taken = self.who_refuses(problem, &trace, &mut work, budget, effort)?;
            if taken.is_empty() {
                // Everybody can do this.
                let components = problem.components();
                let run = realise(&components, &trace, &alphabet_of(&components), budget, effort)?;
                return Ok(Answer::Refuted(Box::new(run)));
            }
            taken.into_iter().for_each(|part| self.take_in(problem, part));
            self.reduction = None;
        }
    }

    /// Bytes of the systems that it holds, the table excepted.
    pub(crate) fn bytes(&self) -> usize {
        self.reduction.as_ref().map_or(0, Reduction::bytes)
    }

    /// How much work there is probably left, if those inside are being reduced; see [`Reduction::outlook`].
    pub(crate) fn outlook(&self) -> Option<usize> {
        self.reduction.as_ref().and_then(Reduction::outlook)
    }

    /// Takes a part in, and its copies as well if some have been taken in before: what matters of some of them mostly
    /// matters of all.
    fn take_in(&mut self, problem: &Problem, part: usize) {
        let wanted = kind(&problem.parts[part].lts);
        let copies = self.inside().filter(|&other| kind(&problem.parts[other].lts) == wanted).count();
        for (other, is_inside) in self.is_inside.iter_mut().enumerate() {
            *is_inside |= other == part || copies >= COPIES && kind(&problem.parts[other].lts) == wanted;
        }
    }

    /// Takes in the parts that close more actions than they open; whether there were any.
    fn close_some(&mut self, problem: &Problem) -> bool {
        let inside = self.inside().map(|part| &problem.parts[part]);
        let known = alphabet_of(inside.chain(&problem.goal.components));
        let parts = || problem.parts.iter().enumerate();
        let mut owners: FxHashMap<&str, usize> = FxHashMap::default();
        for (_, part) in parts().filter(|&(part, _)| !self.is_inside[part]) {
            part.lts.alphabet().names().for_each(|name| *owners.entry(name).or_default() += 1);
        }
        let closes_more = |part: &Component| {
            let (mut closed, mut opened) = (0, 0);
            for name in part.lts.alphabet().names() {
                let is_shared_outside = owners[name] > 1;
                closed += usize::from(known.contains(name) && !is_shared_outside);
                opened += usize::from(!known.contains(name) && is_shared_outside);
            }
            closed > opened
        };
        let closing: Vec<usize> = parts()
            .filter(|&(part, lts)| !self.is_inside[part] && closes_more(lts))
            .map(|(part, _)| part)
            .collect();
        closing.iter().for_each(|&part| self.is_inside[part] = true);
        !closing.is_empty()
    }

    /// The visible actions of a run of those inside that fails, if there is one: a search for a while, then a reduction.
    fn failure(
        &mut self,
        problem: &Problem,
        work: &mut usize,
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Result<Option<Sequence>, Unrealised> {
        if let ([goal], None) = (problem.goal.components.as_slice(), self.inside().next()) {
            effort.held(goal.lts.state_count());
            *work = work.saturating_sub(preparation(&problem.goal.components));
            return Ok(shortest_failure(&goal.lts));
        }
        let visible = |run: &Counterexample| -> Sequence {
            run.trace_names().into_iter().filter(|&name| name != "tau").map(str::to_owned).collect()
        };
        let mut inside = self.with(problem, None);
        while self.reduction.is_none() {
            let brief = budget.narrowed(Limits { states: Some(BRIEF), bytes: None });
            match search(&inside, work, &brief, effort) {
                Err(Unrealised::Exhausted(exhausted))
                    if exhausted.resource == Resource::States
                        && exhausted.states < budget.max_states()
                        && *work > 0 => {}
                end => return Ok(end?.as_ref().map(visible)),
            }
            if !self.close_some(problem) {
                break;
            }
            inside = self.with(problem, None);
        }
        let begin = || Reduction::sharing(self.table.clone(), &inside);
        let reduction = self.reduction.get_or_insert_with(begin);
        let end = reduction.run_for(*work, budget, effort);
        *work = reduction.work_left();
        match end.map_err(Unrealised::Exhausted)? {
            false => Ok(None),
            true => {
                let narrow = budget.narrowed(Limits { states: Some(BRIEF.max(*work)), bytes: None });
                let run = reduction.counterexample(&inside, &narrow, effort)?;
                Ok(Some(visible(&run)))
            }
        }
    }

    /// The problem of those inside, and perhaps one more.
    fn with(&self, problem: &Problem, more: Option<usize>) -> Problem {
        problem.about(&self.inside().chain(more).collect::<Vec<_>>())
    }

    /// The parts outside that are to be taken in because of a run; none if all of them can do it.
    fn who_refuses(
        &self,
        problem: &Problem,
        trace: &[String],
        work: &mut usize,
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Result<Vec<usize>, Unrealised> {
        let inside = self.inside().map(|part| &problem.parts[part]);
        let known = alphabet_of(inside.chain(&problem.goal.components));
        let mut outside: Vec<usize> =
            (0..self.is_inside.len()).filter(|&part| !self.is_inside[part]).collect();
        outside.sort_by_key(|&part| kind(&problem.parts[part].lts));
        let refusing = |known: Option<&Alphabet>| -> Vec<usize> {
            let refuses = |part: &usize| !accepts(&problem.parts[*part].lts, trace, known);
            outside.iter().copied().filter(refuses).collect()
        };
        let alone = refusing(Some(&known));
        if !alone.is_empty() {
            let part = self.most_helpful(problem, alone, work, budget, effort)?;
            return Ok(part.into_iter().collect());
        }
        let hesitating = refusing(None);
        for (i, &first) in hesitating.iter().enumerate().take(CANDIDATES) {
            for &second in &hesitating[..i] {
                let pair = [first, second].map(|part| problem.parts[part].clone());
                if refuse_together(&pair, trace, &known, work, budget, effort)? {
                    return Ok(vec![first, second]);
                }
            }
        }
        let part = self.most_helpful(problem, hesitating, work, budget, effort)?;
        Ok(part.into_iter().collect())
    }

    /// Of some parts that refuse a run, the one after which failures are furthest away.
    fn most_helpful(
        &self,
        problem: &Problem,
        mut candidates: Vec<usize>,
        work: &mut usize,
        budget: &Budget<'_>,
        effort: &mut Effort,
    ) -> Result<Option<usize>, Unrealised> {
        candidates.dedup_by_key(|part| kind(&problem.parts[*part].lts));
        candidates.truncate(CANDIDATES);
        if candidates.len() < 2 {
            return Ok(candidates.pop());
        }
        let mut best: Option<(usize, usize)> = None;
        for &part in &candidates {
            if *work == 0 {
                break;
            }
            let narrow = budget.narrowed(Limits { states: Some(LOOKAHEAD), bytes: None });
            let mut allowed = *work;
            let distance = match search(&self.with(problem, Some(part)), &mut allowed, &narrow, effort) {
                Ok(None) => return Ok(Some(part)),
                Ok(Some(run)) => run.trace.len(),
                // Further away than can be seen.
                Err(Unrealised::Exhausted(Exhausted { resource: Resource::States, .. })) => usize::MAX,
                Err(unrealised) => return Err(unrealised),
            };
            *work = allowed;
            if best.is_none_or(|(furthest, _)| distance > furthest) {
                best = Some((distance, part));
            }
        }
        Ok(best.map_or(candidates.first().copied(), |(_, part)| Some(part)))
    }
}

/// A run that fails, if there is one.
fn search(
    problem: &Problem,
    work: &mut usize,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<Option<Counterexample>, Unrealised> {
    let network = problem.network();
    let product = Product::transparent(&network);
    let mut search = SafetySearch::new(&product);
    let narrow = budget.narrowed(Limits { states: Some(*work), bytes: None });
    let decision = search.run_until(usize::MAX, &narrow).map_err(Unrealised::Mistake)?;
    effort.held(search.states());
    let prepared = DEARER * preparation(network.components());
    *work = work.saturating_sub(prepared + search.states() + search.transitions());
    match decision.expect("it goes on until there is a decision").verdict {
        Verdict::Holds(_) => Ok(None),
        Verdict::Violated(run) => Ok(Some(*run)),
        Verdict::Unknown(limit) => Err(Unrealised::Exhausted(limit.exhausted())),
    }
}

/// Whether two parts cannot do together what they know of a run, even if they do in between what it does not know of.
fn refuse_together(
    pair: &[Component; 2],
    trace: &[String],
    known: &Alphabet,
    work: &mut usize,
    budget: &Budget<'_>,
    effort: &mut Effort,
) -> Result<bool, Unrealised> {
    let alphabet = alphabet_of(pair);
    if !pair[0].lts.alphabet().names().any(|name| pair[1].lts.alphabet().contains(name)) {
        return Ok(false);
    }
    let seen: Alphabet = known.names().filter(|name| alphabet.contains(name)).collect();
    let sequence: Vec<String> = trace.iter().filter(|name| seen.contains(name)).cloned().collect();
    let narrow = budget.narrowed(Limits { states: Some(LOOKAHEAD.min(*work)), bytes: None });
    let [first, second] = pair.clone();
    let network = Network::new(vec![first, second, failing_after(&sequence, &seen)]);
    let Decision { verdict, explored } = check_safety(&network, &narrow).map_err(Unrealised::Mistake)?;
    effort.held(explored.states);
    *work = work.saturating_sub(explored.states + explored.transitions);
    match verdict {
        Verdict::Holds(_) => Ok(true),
        Verdict::Violated(_) => Ok(false),
        // More than can be seen.
        Verdict::Unknown(Limit::Answer(Exhausted { resource: Resource::States, .. })) => Ok(false),
        Verdict::Unknown(limit) => Err(Unrealised::Exhausted(limit.exhausted())),
    }
}
