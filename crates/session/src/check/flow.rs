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
//! **Fewest constraints.** Each constraint multiplies the states. Those that were added early may have become superfluous, so
//! each is left out once and taken back only where a path needs it: no constraint of the result can be left out alone.
//!
//! *Source*: Cobleigh's dissertation on FLAVERS, 3.1.

use rely_base::{Alphabet, Budget, Id, Label, Limits, StateId};
use rely_decide::{self as decide, Counterexample};
use rely_lts::{Behaviour, Component, ComponentId, Lts, LtsBuilder, Network};
use rely_model::{FlowEvent, FlowModel};

use crate::Internal;
use crate::engine::Constraints;
use crate::meaning::is_made_by;

/// A run is looked for among at most this many states; a path fixes the order of all that the property sees.
const STATES_FOR_A_RUN: usize = 500_000;

/// At most this many constraints are tried before one is chosen.
const TRIED: usize = 6;

/// A constraint is tried with at most this many states.
const STATES_FOR_A_TRIAL: usize = 2_000_000;

/// What flow analysis says of a property.
pub(super) struct FlowAnswer {
    pub(super) outcome: FlowOutcome,
    /// The constraints that the answer rests on, by number.
    pub(super) constraints: Vec<usize>,
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
pub(super) struct FlowSearch<'a> {
    pub(super) model: &'a dyn FlowModel,
    /// The target, exactly.
    pub(super) exact: &'a Network,
    /// Over the actions of the target.
    pub(super) property: &'a Component,
    pub(super) budget: Budget<'a>,
    /// Over nodes.
    goal: Component,
    searches: usize,
    /// The largest search so far.
    largest: decide::Explored,
}

/// What a search of all paths found.
enum Paths {
    AllKeepIt,
    Broken(Box<Counterexample>),
    Limit(String),
}

impl Paths {
    /// How long the path is that breaks the property. A search that meets a limit is of no use.
    fn length(&self) -> Option<usize> {
        match self {
            Self::Broken(path) => Some(path.trace.len()),
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
        let goal = Component::new(&property.name, model.over_nodes(&property.lts));
        Self { model, exact, property, budget, goal, searches: 0, largest: decide::Explored::default() }
    }

    /// The constraints with a name, or those of the elements of an array with that name.
    pub(super) fn named(model: &dyn FlowModel, name: &str) -> Vec<usize> {
        let all = model.constraints().iter().enumerate();
        all.filter(|(_, constraint)| is_made_by(&constraint.name, name)).map(|(number, _)| number).collect()
    }

    /// Answers the question.
    pub(super) fn answer(mut self, choice: &Constraints) -> Result<FlowAnswer, Internal> {
        let (outcome, constraints) = match choice {
            Constraints::Auto => self.automatic()?,
            Constraints::None => (self.fixed(&[])?, Vec::new()),
            Constraints::Named(names) => {
                let mut chosen: Vec<usize> =
                    names.iter().flat_map(|name| Self::named(self.model, name)).collect();
                chosen.sort_unstable();
                chosen.dedup();
                (self.fixed(&chosen)?, chosen)
            }
        };
        let decide::Explored { states, transitions, .. } = self.largest;
        Ok(FlowAnswer { outcome, constraints, searches: self.searches, states, transitions })
    }

    /// The answer with some constraints.
    fn fixed(&mut self, constraints: &[usize]) -> Result<FlowOutcome, Internal> {
        match self.search(constraints)? {
            Paths::AllKeepIt => Ok(FlowOutcome::Holds),
            Paths::Limit(reason) => Ok(FlowOutcome::Limit(reason)),
            Paths::Broken(path) => self.judge(&path),
        }
    }

    /// The answer with as few constraints as will do.
    fn automatic(&mut self) -> Result<(FlowOutcome, Vec<usize>), Internal> {
        let mut used: Vec<usize> = Vec::new();
        let mut found = self.search(&used)?;
        loop {
            match found {
                Paths::AllKeepIt => break,
                Paths::Limit(reason) => return Ok((FlowOutcome::Limit(reason), used)),
                Paths::Broken(path) => match self.best_of(self.removing(&path), &used)? {
                    Some((constraint, then)) => {
                        used.push(constraint);
                        found = then;
                    }
                    None => return Ok((self.judge(&path)?, used)),
                },
            }
        }
        // The dear ones first: what they did, cheaper ones that came later may do as well.
        used.sort_by_key(|&number| std::cmp::Reverse(self.model.constraints()[number].lts.state_count()));
        for constraint in used.clone() {
            let others: Vec<usize> = used.iter().copied().filter(|&other| other != constraint).collect();
            // The first search was the one without any.
            if !others.is_empty() && matches!(self.search(&others)?, Paths::AllKeepIt) {
                used = others;
            }
        }
        used.sort_unstable();
        Ok((FlowOutcome::Holds, used))
    }

    /// The constraint that is best added to others, and what a search with it finds: one with which all paths keep the
    /// property, or one with which the shortest path that breaks it is longest. Constraints that know most events of the
    /// property are tried first, then small ones, and not all.
    fn best_of(
        &mut self,
        mut candidates: Vec<usize>,
        used: &[usize],
    ) -> Result<Option<(usize, Paths)>, Internal> {
        let all = self.model.constraints();
        let goal = self.goal.lts.alphabet();
        let known =
            |number: usize| all[number].lts.alphabet().names().filter(|name| goal.contains(name)).count();
        candidates.sort_by_key(|&number| (std::cmp::Reverse(known(number)), all[number].lts.state_count()));
        candidates.truncate(TRIED);
        let brief = self.budget.narrowed(Limits { states: Some(STATES_FOR_A_TRIAL), bytes: None });
        let mut best: Option<(usize, Paths)> = None;
        for constraint in candidates {
            let with: Vec<usize> = used.iter().copied().chain([constraint]).collect();
            let found = self.search_within(&with, &brief)?;
            if matches!(found, Paths::AllKeepIt) {
                return Ok(Some((constraint, found)));
            }
            if best.as_ref().is_none_or(|(_, best)| found.length() > best.length()) {
                best = Some((constraint, found));
            }
        }
        if let Some((constraint, found @ Paths::Limit(_))) = &mut best {
            let with: Vec<usize> = used.iter().copied().chain([*constraint]).collect();
            *found = self.search(&with)?;
        }
        Ok(best)
    }

    /// Searches all paths that some constraints allow.
    fn search(&mut self, constraints: &[usize]) -> Result<Paths, Internal> {
        let budget = self.budget;
        self.search_within(constraints, &budget)
    }

    /// The same with a budget of its own.
    fn search_within(&mut self, constraints: &[usize], budget: &Budget<'_>) -> Result<Paths, Internal> {
        let all = self.model.constraints();
        let chosen = constraints.iter().map(|&number| all[number].clone());
        let network = self.model.network([self.goal.clone()].into_iter().chain(chosen).collect());
        let goal = ComponentId::from_index(1);
        let decision = decide::check_safety_of(&network, &[goal], budget)?;
        self.searches += 1;
        if decision.explored.states > self.largest.states {
            self.largest = decision.explored;
        }
        Ok(match decision.verdict {
            decide::Verdict::Holds(_) => Paths::AllKeepIt,
            decide::Verdict::Violated(path) => Paths::Broken(path),
            decide::Verdict::Unknown(limit) => Paths::Limit(limit.to_string()),
        })
    }

    /// The constraints that do not allow a path.
    ///
    /// This is how they are chosen, and no proof: a task that nothing looks at is not on the path, and what it assigns to a
    /// variable is missing there.
    fn removing(&self, path: &Counterexample) -> Vec<usize> {
        let node = |step: &decide::Step| {
            self.model.event(step.after[0]).map_or_else(|| step.action.clone(), |event| event.node)
        };
        let actions: Vec<String> = path.trace.iter().map(node).collect();
        let all = self.model.constraints().iter().enumerate();
        all.filter(|(_, constraint)| !allows(&constraint.lts, &actions)).map(|(number, _)| number).collect()
    }

    /// What a path does, and whether a run does the same.
    fn judge(&self, path: &Counterexample) -> Result<FlowOutcome, Internal> {
        let events: Vec<FlowEvent> =
            path.trace.iter().filter_map(|step| self.model.event(step.after[0])).collect();
        let last = path.trace.last().map(|step| step.action.clone());
        let mut names: Vec<&str> = events.iter().map(|event| &*event.action).collect();
        // The end of the program is no node.
        let ends = path.trace.last().is_some_and(|step| self.model.event(step.after[0]).is_none());
        names.extend(last.as_deref().filter(|_| ends));
        let follower = Component::new("path", only(&names, self.property.lts.alphabet()));
        let goal = ComponentId::from_index(self.exact.components().len());
        let network = self.exact.clone().with_components([self.property.clone(), follower]);
        let budget = self.budget.narrowed(Limits { states: Some(STATES_FOR_A_RUN), bytes: None });
        let decision = decide::check_safety_of(&network, &[goal], &budget.share_of_time(2))?;
        Ok(match decision.verdict {
            decide::Verdict::Violated(run) => FlowOutcome::Violated(Box::new((network.into(), *run))),
            decide::Verdict::Holds(_) => {
                FlowOutcome::Open { path: events, is_refuted: true, removed_by: self.removing(path) }
            }
            decide::Verdict::Unknown(_) => {
                FlowOutcome::Open { path: events, is_refuted: false, removed_by: self.removing(path) }
            }
        })
    }
}

/// Whether a deterministic automaton allows a sequence of actions, of which it sees those that it has.
fn allows(lts: &Lts, actions: &[String]) -> bool {
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
