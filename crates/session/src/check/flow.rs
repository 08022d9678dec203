//! Safety properties by flow analysis.
//!
//! **Problem.** Whether a property holds in all runs of a program that has too many states to be visited.
//!
//! **Idea.** *State propagation*: all paths of the flow graph are searched, together with the states of the property and of
//! some constraints. If no path breaks the property, no run does. A path that breaks it is made concrete: is there a run of
//! the program with the same events of the property, in the same order? If so, the property is violated. If not, a constraint
//! is looked for that does not allow the path, and the search begins anew with one constraint more. When none does, the answer
//! is unknown, and the path is shown.
//!
//! **Fewest tasks.** Only some tasks are followed at first, as few as do everything that the property sees. A path that breaks
//! the property without being a run calls for a constraint, or for one of the tasks that would have had to meet those on the
//! path. All tasks are followed in the end if nothing less suffices.
//!
//! **Fewest constraints.** Each constraint multiplies the states. Those that were added early may have become superfluous, so
//! each is left out once and taken back only where a path needs it: no constraint of the result can be left out alone.
//!
//! *Source*: Cobleigh's dissertation on FLAVERS, 3.1.

use std::collections::BTreeMap;

use rely_base::{Alphabet, Budget, Exhausted, Id, Label, Limits, StateId};
use rely_decide::{self as decide, Counterexample};
use rely_lts::{Behaviour, Component, ComponentId, Lts, LtsBuilder, Network};
use rely_model::{FlowEvent, FlowModel, FlowPath, FlowSlice};

use crate::Internal;
use crate::engine::Constraints;
use crate::meaning::is_made_by;

/// A run is looked for among at most this many states; a path fixes the order of all that the property sees.
const STATES_FOR_A_RUN: usize = 500_000;

/// How many states a run is looked for among while more tasks can still be followed.
const STATES_FOR_AN_EARLY_RUN: usize = 20_000;

/// At most this many tasks are followed in addition at a time.
const WIDENED_BY: usize = 3;

/// How often some tasks are followed in addition before all are.
const WIDENED: usize = 5;

/// At most this many constraints are tried before one is chosen.
const TRIED: usize = 6;

/// A constraint is tried with at most this many states.
const STATES_FOR_A_TRIAL: usize = 2_000_000;

/// What flow analysis says of a property.
pub(super) struct FlowAnswer {
    pub(super) outcome: FlowOutcome,
    /// The constraints that the answer rests on, by number.
    pub(super) constraints: Vec<usize>,
    /// The tasks that were followed in the end, by number.
    pub(super) threads: Vec<usize>,
    /// How often all paths were searched, each time with other constraints.
    pub(super) searches: usize,
    /// What the largest of these searches explored.
    pub(super) states: usize,
    pub(super) transitions: usize,
}

/// The answer itself.
pub(super) enum FlowOutcome {
    /// No path breaks the property.
    Holds,
    /// A run breaks it. The run is one of the target, the property and, last, an automaton that only follows the path.
    Violated(Box<(Behaviour, Counterexample)>),
    /// A path breaks it that is not known to be a run.
    Open {
        path: Vec<FlowEvent>,
        /// Whether it is known that no run has the events of the path.
        is_refuted: bool,
        /// The constraints that do not allow the path, by number.
        removed_by: Vec<usize>,
    },
    /// A limit was met.
    Limit(String),
}

/// A property, and what it is asked of.
pub(crate) struct FlowSearch<'a> {
    model: &'a dyn FlowModel,
    /// The target, exactly.
    exact: &'a Network,
    /// Over the actions of the target.
    property: &'a Component,
    budget: Budget<'a>,
    /// For each action of the property, the tasks that do it.
    doers: Vec<Vec<usize>>,
    /// The slices that were made, by the tasks that they follow.
    slices: BTreeMap<Vec<usize>, Box<dyn FlowSlice + 'a>>,
    searches: usize,
    /// The largest search so far.
    largest: decide::Explored,
}

/// What a search knows: the tasks that are followed, and constraints, both by number.
#[derive(Clone)]
struct Scope {
    threads: Vec<usize>,
    constraints: Vec<usize>,
}

impl Scope {
    /// More tasks.
    fn following(&self, more: impl IntoIterator<Item = usize>) -> Self {
        let mut threads = self.threads.clone();
        threads.extend(more);
        threads.sort_unstable();
        threads.dedup();
        Self { threads, constraints: self.constraints.clone() }
    }

    /// One constraint more, with the tasks that it needs.
    fn with(&self, model: &dyn FlowModel, constraint: usize) -> Self {
        let mut scope = self.following(model.constraints()[constraint].threads.iter().copied());
        scope.constraints.push(constraint);
        scope
    }
}

/// A path that breaks the property.
struct Broken {
    path: FlowPath,
    /// The action by which the path ends, if that is the end of the program.
    end: Option<String>,
    /// How many steps the graph has taken.
    length: usize,
}

/// What a search of all paths found.
enum Paths {
    AllKeepIt,
    Broken(Box<Broken>),
    Limit(String),
}

impl Paths {
    /// How long the path is that breaks the property. A search that meets a limit is of no use.
    fn length(&self) -> Option<usize> {
        match self {
            Self::Broken(broken) => Some(broken.length),
            Self::AllKeepIt | Self::Limit(_) => None,
        }
    }
}

impl<'a> FlowSearch<'a> {
    pub(super) fn new(
        model: &'a dyn FlowModel,
        exact: &'a Network,
        property: &'a Component,
        budget: Budget<'a>,
    ) -> Self {
        Self {
            model,
            exact,
            property,
            budget,
            doers: doers(model, &property.lts),
            slices: BTreeMap::new(),
            searches: 0,
            largest: decide::Explored::default(),
        }
    }

    /// The constraints with a name, or those of the elements of an array with that name.
    pub(crate) fn named(model: &dyn FlowModel, name: &str) -> Vec<usize> {
        let all = model.constraints().iter().enumerate();
        all.filter(|(_, constraint)| is_made_by(&constraint.name, name)).map(|(number, _)| number).collect()
    }

    /// Answers the question.
    pub(super) fn answer(mut self, choice: &Constraints) -> Result<FlowAnswer, Internal> {
        let cover = Self::cover(self.model, &self.property.lts);
        let first = Scope { threads: Vec::new(), constraints: Vec::new() }.following(cover);
        let (outcome, mut scope) = match choice {
            Constraints::Auto => self.automatic(first)?,
            Constraints::None => self.fixed(first)?,
            Constraints::Named(names) => {
                let mut chosen: Vec<usize> =
                    names.iter().flat_map(|name| Self::named(self.model, name)).collect();
                chosen.sort_unstable();
                chosen.dedup();
                let with = |scope: Scope, number: usize| scope.with(self.model, number);
                self.fixed(chosen.into_iter().fold(first, with))?
            }
        };
        scope.constraints.sort_unstable();
        let Scope { threads, constraints } = scope;
        let decide::Explored { states, transitions, .. } = self.largest;
        Ok(FlowAnswer { outcome, constraints, threads, searches: self.searches, states, transitions })
    }

    /// Some tasks that do everything which a property sees: one after the other that does most of what is left.
    pub(crate) fn cover(model: &dyn FlowModel, property: &Lts) -> Vec<usize> {
        let mut left = doers(model, property);
        let mut cover = Vec::new();
        while !left.is_empty() {
            let does = |thread: &usize| left.iter().filter(|doers| doers.contains(thread)).count();
            let Some(best) = model.threads().into_iter().rev().max_by_key(does) else { break };
            let before = left.len();
            left.retain(|doers| !doers.contains(&best));
            if left.len() == before {
                break;
            }
            cover.push(best);
        }
        cover
    }

    /// The answer with some constraints, and the tasks that were followed.
    fn fixed(&mut self, mut scope: Scope) -> Result<(FlowOutcome, Scope), Internal> {
        for round in 0.. {
            let broken = match self.search(&scope)? {
                Paths::AllKeepIt => return Ok((FlowOutcome::Holds, scope)),
                Paths::Limit(reason) => return Ok((FlowOutcome::Limit(reason), scope)),
                Paths::Broken(broken) => broken,
            };
            match self.widened(&scope, &broken.path, round) {
                Some(wider) => scope = wider,
                None => return Ok((self.judge(*broken, &scope, STATES_FOR_A_RUN)?, scope)),
            }
        }
        Ok((FlowOutcome::Limit(String::new()), scope))
    }

    /// The answer with as few tasks and constraints as will do.
    fn automatic(&mut self, mut scope: Scope) -> Result<(FlowOutcome, Scope), Internal> {
        let mut found = self.search(&scope)?;
        let mut rounds = 0;
        loop {
            let broken = match found {
                Paths::AllKeepIt => break,
                Paths::Limit(reason) => return Ok((FlowOutcome::Limit(reason), scope)),
                Paths::Broken(broken) => broken,
            };
            let candidates = self.removing(&broken.path, &scope);
            if let Some((with, then)) = self.best_of(candidates, &scope)? {
                (scope, found) = (with, then);
                continue;
            }
            let wider = self.widened(&scope, &broken.path, rounds);
            let states = if wider.is_some() { STATES_FOR_AN_EARLY_RUN } else { STATES_FOR_A_RUN };
            let touching = self.touching(&broken.path, &scope);
            let outcome = self.judge(*broken, &scope, states)?;
            if let FlowOutcome::Violated(_) = outcome {
                return Ok((outcome, scope));
            }
            if let Some(wider) = wider {
                rounds += 1;
                scope = wider;
                found = self.search(&scope)?;
                continue;
            }
            // What was passed over is only one of the ways there are. Another one may need the value of a variable.
            match self.best_of(touching, &scope)? {
                Some((with, then)) => (scope, found) = (with, then),
                None => return Ok((outcome, scope)),
            }
        }
        // The dear ones first: what they did, cheaper ones that came later may do as well.
        let mut used = scope.constraints.clone();
        used.sort_by_key(|&number| std::cmp::Reverse(self.size(number)));
        for constraint in used {
            let mut without = scope.clone();
            without.constraints.retain(|&other| other != constraint);
            if matches!(self.search(&without)?, Paths::AllKeepIt) {
                scope = without;
            }
        }
        Ok((FlowOutcome::Holds, scope))
    }

    /// Follows some of the tasks in addition that would have had to meet those on the path, the last ones first; after some
    /// rounds, or if there are none, all tasks.
    fn widened(&self, scope: &Scope, path: &FlowPath, round: usize) -> Option<Scope> {
        let all = self.model.threads();
        if scope.threads.len() == all.len() {
            return None;
        }
        let mut more: Vec<usize> = Vec::new();
        for outsider in path.events.iter().rev().filter_map(|event| event.outsider) {
            if more.len() < WIDENED_BY && !more.contains(&outsider) {
                more.push(outsider);
            }
        }
        let is_enough = !more.is_empty() && round < WIDENED;
        Some(scope.following(if is_enough { more } else { all }))
    }

    /// The number of states of what a constraint knows.
    pub(super) fn size_of(model: &dyn FlowModel, exact: &Network, number: usize) -> usize {
        let constraint = &model.constraints()[number];
        match &constraint.variable {
            Some(lts) => lts.state_count(),
            None => exact.components()[constraint.threads[0]].lts.state_count(),
        }
    }

    fn size(&self, number: usize) -> usize {
        Self::size_of(self.model, self.exact, number)
    }

    /// How many events of the property a constraint sees.
    fn known(&self, number: usize) -> usize {
        let constraint = &self.model.constraints()[number];
        match &constraint.variable {
            Some(lts) => {
                let names = self.property.lts.alphabet().names();
                names.filter(|name| lts.alphabet().contains(name)).count()
            }
            None => self.doers.iter().filter(|doers| doers.contains(&constraint.threads[0])).count(),
        }
    }

    /// The constraint that is best added to others, with what it needs, and what a search with it finds: one with which all
    /// paths keep the property, or one with which the shortest path that breaks it is longest. Constraints that know most
    /// events of the property are tried first, then small ones, and not all.
    fn best_of(
        &mut self,
        mut candidates: Vec<usize>,
        scope: &Scope,
    ) -> Result<Option<(Scope, Paths)>, Internal> {
        candidates.sort_by_key(|&number| (std::cmp::Reverse(self.known(number)), self.size(number)));
        candidates.truncate(TRIED);
        let brief = self.budget.narrowed(Limits { states: Some(STATES_FOR_A_TRIAL), bytes: None });
        let mut best: Option<(Scope, Paths)> = None;
        for constraint in candidates {
            let with = scope.with(self.model, constraint);
            let found = self.search_within(&with, &brief)?;
            if matches!(found, Paths::AllKeepIt) {
                return Ok(Some((with, found)));
            }
            if best.as_ref().is_none_or(|(_, best)| found.length() > best.length()) {
                best = Some((with, found));
            }
        }
        if let Some((with, found @ Paths::Limit(_))) = &mut best {
            let with = with.clone();
            *found = self.search(&with)?;
        }
        Ok(best)
    }

    /// Searches all paths of a scope.
    fn search(&mut self, scope: &Scope) -> Result<Paths, Internal> {
        let budget = self.budget;
        self.search_within(scope, &budget)
    }

    /// The slice of some tasks.
    fn slice(&mut self, threads: &[usize]) -> Result<&dyn FlowSlice, Exhausted> {
        if !self.slices.contains_key(threads) {
            let slice = self.model.slice(threads, &self.budget)?;
            self.slices.insert(threads.to_vec(), slice);
        }
        Ok(&*self.slices[threads])
    }

    /// Searches within a scope, with a budget of its own.
    fn search_within(&mut self, scope: &Scope, budget: &Budget<'_>) -> Result<Paths, Internal> {
        let property = self.property;
        let network = match self.slice(&scope.threads) {
            Ok(slice) => slice.network(&property.lts, &scope.constraints),
            Err(exhausted) => return Ok(Paths::Limit(exhausted.to_string())),
        };
        let goal = ComponentId::from_index(1);
        let decision = decide::check_safety_of(&network, &[goal], budget)?;
        self.searches += 1;
        if decision.explored.states > self.largest.states {
            self.largest = decision.explored;
        }
        Ok(match decision.verdict {
            decide::Verdict::Holds(_) => Paths::AllKeepIt,
            decide::Verdict::Unknown(limit) => Paths::Limit(limit.to_string()),
            decide::Verdict::Violated(found) => {
                let slice = &self.slices[&scope.threads];
                let steps: Vec<(String, u32)> =
                    found.trace.iter().map(|step| (step.action.clone(), step.after[0])).collect();
                let path = slice.path(&property.lts, &scope.constraints, &steps);
                let last = steps.last().filter(|(_, state)| slice.event(*state).is_none());
                let end = last.map(|(action, _)| action.clone());
                Paths::Broken(Box::new(Broken { path, end, length: steps.len() }))
            }
        })
    }

    /// The constraints that do not allow a path.
    ///
    /// This is how they are chosen, and no proof: a task that is not followed is not on the path, and what it assigns to a
    /// variable is missing there.
    fn removing(&self, path: &FlowPath, scope: &Scope) -> Vec<usize> {
        let actions: Vec<&str> = path.events.iter().map(|event| &*event.action).collect();
        let removes = |number: &usize| {
            let constraint = &self.model.constraints()[*number];
            match &constraint.variable {
                Some(lts) => !allows(lts, &actions),
                None => path.astray.contains(&constraint.threads[0]),
            }
        };
        let all = 0..self.model.constraints().len();
        all.filter(|number| !scope.constraints.contains(number)).filter(removes).collect()
    }

    /// The variables that a path touches.
    fn touching(&self, path: &FlowPath, scope: &Scope) -> Vec<usize> {
        let touches = |number: &usize| {
            let variable = self.model.constraints()[*number].variable.as_ref();
            variable.is_some_and(|lts| path.events.iter().any(|event| lts.alphabet().contains(&event.action)))
        };
        let all = 0..self.model.constraints().len();
        all.filter(|number| !scope.constraints.contains(number)).filter(touches).collect()
    }

    /// What a path does, and whether a run does the same.
    fn judge(&self, broken: Broken, scope: &Scope, states: usize) -> Result<FlowOutcome, Internal> {
        let Broken { path, end, .. } = broken;
        let mut names: Vec<&str> = path.events.iter().map(|event| &*event.action).collect();
        names.extend(end.as_deref());
        let is_refuted = match made_concrete(self.exact, self.property, &names, states, &self.budget)? {
            Concrete::Run(run) => return Ok(FlowOutcome::Violated(run)),
            Concrete::None => true,
            Concrete::Open => false,
        };
        let removed_by = self.removing(&path, scope);
        Ok(FlowOutcome::Open { path: path.events, is_refuted, removed_by })
    }
}

/// For each action that a property sees, the threads that do it.
fn doers(model: &dyn FlowModel, property: &Lts) -> Vec<Vec<usize>> {
    property.alphabet().names().flat_map(|name| model.threads_of(name)).collect()
}

/// What there is of a path among the runs of a target.
pub(crate) enum Concrete {
    /// A run, of the target, the property and, last, an automaton that only follows the path.
    Run(Box<(Behaviour, Counterexample)>),
    /// There is none with the same events.
    None,
    /// A limit was met.
    Open,
}

/// Looks for a run of a target that breaks a property by the actions of a path, in their order.
pub(crate) fn made_concrete(
    exact: &Network,
    property: &Component,
    actions: &[&str],
    states: usize,
    budget: &Budget<'_>,
) -> Result<Concrete, Internal> {
    let follower = Component::new("path", only(actions, property.lts.alphabet()));
    let goal = ComponentId::from_index(exact.components().len());
    let network = exact.clone().with_components([property.clone(), follower]);
    let budget = budget.narrowed(Limits { states: Some(states), bytes: None });
    let decision = decide::check_safety_of(&network, &[goal], &budget.share_of_time(2))?;
    Ok(match decision.verdict {
        decide::Verdict::Violated(run) => Concrete::Run(Box::new((network.into(), *run))),
        decide::Verdict::Holds(_) => Concrete::None,
        decide::Verdict::Unknown(_) => Concrete::Open,
    })
}

/// Whether a deterministic automaton allows a sequence of actions, of which it sees those that it has.
fn allows(lts: &Lts, actions: &[&str]) -> bool {
    let mut state = lts.initial();
    for action in actions.iter().filter_map(|name| lts.alphabet().get(name)) {
        match lts.edges_with(state, Label::visible(action)) {
            [edge, ..] => state = edge.target,
            [] => return false,
        }
    }
    true
}

/// The automaton that follows a sequence of actions, of which it sees those in an alphabet, and allows nothing else.
fn only(actions: &[&str], alphabet: &Alphabet) -> Lts {
    let seen: Vec<Label> = actions.iter().filter_map(|name| alphabet.get(name)).map(Label::visible).collect();
    let mut builder = LtsBuilder::with_states(alphabet.clone(), seen.len() + 1);
    for (number, label) in seen.into_iter().enumerate() {
        builder.add_transition(StateId::from_index(number), label, StateId::from_index(number + 1));
    }
    builder.build()
}
