//! The game of alternating simulation.
//!
//! **Problem.** Refinement in general, where the specification may have several states after the same actions: is there a
//! relation ≼ with ⟨I_A, I_B⟩ in it such that a ≼ b implies
//! 1. every input that b is sure to accept, a is sure to accept;
//! 2. every output that a may send, b may send;
//! 3. for all of these actions and every state a′ that a can be in after it, b can be in a state b′ with a′ ≼ b′?
//!
//! **Source.** [Emmi, Giannakopoulou, Păsăreanu 2008], definition 7; [Alur, Henzinger, Kupferman, Vardi 1998].
//!
//! **Idea.** The largest such relation is what remains when pairs that break a condition are removed until none does.
//! Only pairs that the game can reach from the initial one are considered. A pair that breaks 1 or 2 is removed at
//! once. Each move of A from a pair is a *demand*: it is met as long as one of the answers of B leads to a pair that
//! is not removed. A demand counts these answers, and a pair knows the demands that it answers, so removing a pair
//! takes time proportional to the number of these demands.
//!
//! **Invariants.** A pair stores why it was removed, and the pairs that are the reason have been removed before it:
//! following the reasons, each time by the answer of B that was removed last, ends at a pair that breaks 1 or 2.
//!
//! **Complexity.** O(|A|·|B|) pairs and, for each, the product of the moves of both. The closures of internal steps take
//! O(|A|² + |B|²) at worst, and count against the budget.
//!
//! As evidence it suffices to keep, from the initial pair on, the pairs that one answer to each demand leads to: this
//! relation is smaller than the largest one, and also an alternating simulation.
//!
//! **Callers.** `refinement.rs`.

use rely_base::{ActionId, Budget, Exhausted, Progress, StateId};
use rely_decide::Explored;
use rely_lts::{InterfaceAutomaton, Role};
use rustc_hash::FxHashMap;

use crate::view::View;
use crate::{Failure, Move, Offence, Refinement, Refutation};

/// Plays the game for automata whose signatures fit.
pub(crate) fn play(
    implementation: &InterfaceAutomaton,
    specification: &InterfaceAutomaton,
    budget: &Budget<'_>,
) -> (Refinement, Explored) {
    let mut game = Game::new(implementation, specification);
    let outcome = game.explore(budget);
    let explored = Explored { states: game.pairs.len(), transitions: game.answers };
    let refinement = match outcome {
        Err(exhausted) => Refinement::Unknown(exhausted),
        Ok(()) => {
            game.remove();
            match game.pairs[0].blame {
                None => Refinement::Refines,
                Some(_) => Refinement::Fails(Box::new(Failure::Behaviour(game.refutation()))),
            }
        }
    };
    (refinement, explored)
}

/// An alternating simulation with the initial states in it, sorted, for automata whose signatures fit. `None` if
/// there is none.
pub(crate) fn simulation(
    implementation: &InterfaceAutomaton,
    specification: &InterfaceAutomaton,
    budget: &Budget<'_>,
) -> Result<Option<Vec<(StateId, StateId)>>, Exhausted> {
    let mut game = Game::new(implementation, specification);
    game.explore(budget)?;
    game.remove();
    Ok(game.pairs[0].blame.is_none().then(|| game.relation()))
}

/// A number of a pair.
type PairIndex = usize;

struct Game<'a> {
    implementation: View<'a>,
    specification: View<'a>,
    /// The actions that both have with the same role: the number in the implementation and in the specification.
    actions: Vec<Shared>,
    pairs: Vec<Pair>,
    numbers: FxHashMap<(StateId, StateId), PairIndex>,
    demands: Vec<Demand>,
    /// The pairs that have been removed, in order.
    removed: Vec<PairIndex>,
    /// The number of all answers to all demands.
    answers: usize,
}

/// An action of both.
#[derive(Clone, Copy)]
struct Shared {
    role: Role,
    implementation: ActionId,
    specification: ActionId,
}

struct Pair {
    implementation: StateId,
    specification: StateId,
    /// The demands to which this pair is an answer.
    answered: Vec<usize>,
    /// Why it was removed, and the position of its removal in the order of removals.
    blame: Option<(Blame, usize)>,
}

/// Why a pair is not in the relation.
#[derive(Clone, Copy)]
enum Blame {
    /// It breaks condition 1 or 2 with an action, in a state that internal steps of the implementation lead to.
    Action(Shared, StateId),
    /// It breaks condition 3: all answers to a demand have been removed.
    Demand(usize),
}

/// A move of the implementation from a pair.
struct Demand {
    pair: PairIndex,
    action: Shared,
    /// The pairs that answers of the specification lead to.
    answers: Vec<PairIndex>,
    /// How many of them have not been removed.
    left: usize,
}

impl<'a> Game<'a> {
    fn new(implementation: &'a InterfaceAutomaton, specification: &'a InterfaceAutomaton) -> Self {
        let shared = |(action, name): (ActionId, &str)| {
            let role = implementation.role(action);
            let other = specification.lts().alphabet().get(name)?;
            let same = role != Role::Internal && specification.role(other) == role;
            same.then_some(Shared { role, implementation: action, specification: other })
        };
        let mut game = Self {
            actions: implementation.lts().alphabet().iter().filter_map(shared).collect(),
            implementation: View::new(implementation),
            specification: View::new(specification),
            pairs: Vec::new(),
            numbers: FxHashMap::default(),
            demands: Vec::new(),
            removed: Vec::new(),
            answers: 0,
        };
        game.number(implementation.lts().initial(), specification.lts().initial());
        game
    }

    /// Finds the pairs and the demands, and removes the pairs that break conditions 1 and 2.
    fn explore(&mut self, budget: &Budget<'_>) -> Result<(), Exhausted> {
        let (mut next, mut observed) = (0, 0);
        while next < self.pairs.len() {
            self.expand(next);
            next += 1;
            if self.work(next) - observed >= Budget::INTERVAL || self.pairs.len() > budget.max_states() {
                observed = self.work(next);
                self.observe(next, budget)?;
            }
        }
        self.observe(next, budget)
    }

    /// The amount of work done so far, for the budget: a pair may have many answers and large closures.
    fn work(&self, expanded: usize) -> usize {
        expanded + self.answers + self.implementation.held() + self.specification.held()
    }

    fn observe(&self, expanded: usize, budget: &Budget<'_>) -> Result<(), Exhausted> {
        let states = self.pairs.len();
        let bytes = states * (size_of::<Pair>() + 2 * size_of::<(StateId, StateId, PairIndex)>())
            + self.demands.len() * size_of::<Demand>()
            + 2 * self.answers * size_of::<PairIndex>()
            + (self.implementation.held() + self.specification.held()) * size_of::<StateId>();
        budget.check(&Progress { states, transitions: self.answers, frontier: states - expanded, bytes })
    }

    fn expand(&mut self, pair: PairIndex) {
        let Pair { implementation: a, specification: b, .. } = self.pairs[pair];
        let mut moves = Vec::new();
        for place in 0..self.actions.len() {
            let shared = self.actions[place];
            let offender = match shared.role {
                Role::Output => match self.implementation.offerer(a, shared.implementation) {
                    None => continue,
                    sender => {
                        sender.filter(|_| self.specification.offerer(b, shared.specification).is_none())
                    }
                },
                _ => match self.specification.refuser(b, shared.specification) {
                    Some(_) => continue,
                    None => self.implementation.refuser(a, shared.implementation),
                },
            };
            if let Some(offender) = offender {
                self.blame(pair, Blame::Action(shared, offender));
                return;
            }
            moves.push(shared);
        }
        for shared in moves {
            let answers = self.specification.destinations(b, shared.specification);
            for to in self.implementation.destinations(a, shared.implementation) {
                self.demand(pair, shared, to, &answers);
            }
        }
    }

    fn demand(&mut self, pair: PairIndex, action: Shared, to: StateId, answers: &[StateId]) {
        let demand = self.demands.len();
        let answers: Vec<PairIndex> = answers.iter().map(|&answer| self.number(to, answer)).collect();
        for &answer in &answers {
            self.pairs[answer].answered.push(demand);
        }
        self.answers += answers.len();
        // An answer that has been removed already is counted here, and subtracted when its removal is processed.
        self.demands.push(Demand { pair, action, left: answers.len(), answers });
    }

    fn number(&mut self, implementation: StateId, specification: StateId) -> PairIndex {
        let next = self.pairs.len();
        let number = *self.numbers.entry((implementation, specification)).or_insert(next);
        if number == next {
            self.pairs.push(Pair { implementation, specification, answered: Vec::new(), blame: None });
        }
        number
    }

    fn blame(&mut self, pair: PairIndex, blame: Blame) {
        if self.pairs[pair].blame.is_none() {
            self.pairs[pair].blame = Some((blame, self.removed.len()));
            self.removed.push(pair);
        }
    }

    /// Removes the pairs that break condition 3, until none does.
    fn remove(&mut self) {
        let mut next = 0;
        while let Some(&pair) = self.removed.get(next) {
            next += 1;
            for demand in std::mem::take(&mut self.pairs[pair].answered) {
                self.demands[demand].left -= 1;
                if self.demands[demand].left == 0 {
                    self.blame(self.demands[demand].pair, Blame::Demand(demand));
                }
            }
        }
    }

    /// The pairs that are needed as evidence: from the initial pair on, those that one answer to each demand leads
    /// to.
    fn relation(&self) -> Vec<(StateId, StateId)> {
        let mut of_pair: Vec<Vec<&Demand>> = self.pairs.iter().map(|_| Vec::new()).collect();
        for demand in &self.demands {
            of_pair[demand.pair].push(demand);
        }
        let mut is_chosen = vec![false; self.pairs.len()];
        is_chosen[0] = true;
        let mut pending = vec![0];
        while let Some(pair) = pending.pop() {
            for demand in &of_pair[pair] {
                let mut left =
                    demand.answers.iter().copied().filter(|&answer| self.pairs[answer].blame.is_none());
                if !left.clone().any(|answer| is_chosen[answer]) {
                    let answer = left.next().expect("a pair that is left has an answer to each demand");
                    is_chosen[answer] = true;
                    pending.push(answer);
                }
            }
        }
        let chosen = self.pairs.iter().zip(&is_chosen).filter(|(_, is_chosen)| **is_chosen);
        let mut relation: Vec<(StateId, StateId)> =
            chosen.map(|(pair, _)| (pair.implementation, pair.specification)).collect();
        relation.sort_unstable();
        relation
    }

    /// Why the initial pair was removed.
    fn refutation(&self) -> Refutation {
        let mut moves = Vec::new();
        let mut pair = 0;
        loop {
            let Pair { specification, .. } = self.pairs[pair];
            match self.blame_of(pair).0 {
                Blame::Action(action, implementation) => {
                    let offence = match action.role {
                        Role::Output => Offence::OutputNotAllowed,
                        _ => Offence::InputRefused,
                    };
                    let action = self.name(action);
                    return Refutation { moves, action, offence, implementation, specification };
                }
                Blame::Demand(demand) => {
                    let Demand { action, answers, .. } = &self.demands[demand];
                    let last = answers.iter().copied().max_by_key(|&answer| self.blame_of(answer).1);
                    pair = last.expect("every action that counts has an answer");
                    moves.push(Move {
                        action: self.name(*action),
                        role: action.role,
                        implementation: self.pairs[pair].implementation,
                        specification: self.pairs[pair].specification,
                        answers: answers.len(),
                    });
                }
            }
        }
    }

    fn blame_of(&self, pair: PairIndex) -> (Blame, usize) {
        self.pairs[pair].blame.expect("what a removed pair blames has been removed")
    }

    fn name(&self, action: Shared) -> String {
        self.implementation.automaton().lts().alphabet().name(action.implementation).to_owned()
    }
}
