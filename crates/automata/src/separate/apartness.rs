//! Which states of a sample need different states of a separator.
//!
//! Two states are apart if some word leads one of them to an accepted state and the other to a rejected one: a
//! separator that merged them would be wrong about that word. Apartness is computed backwards from pairs of an
//! accepted and a rejected state, each pair once: O(n² · letters) time and n² bits for a sample of n states.

use rely_base::{ActionId, Budget, Exhausted, Id, Progress, StateId};

use super::{Mark, Sample};

/// The relation.
pub(super) struct Apartness {
    states: usize,
    /// The states that are reached by words that have to be accepted, the initial one first.
    accepted: Vec<usize>,
    /// Whether states `s` and `t` are apart, at `s · states + t`.
    apart: Vec<bool>,
}

impl Apartness {
    pub(super) fn new(sample: &Sample, budget: &Budget<'_>) -> Result<Self, Exhausted> {
        let states = sample.state_count();
        let marked = |mark: Mark| -> Vec<usize> {
            sample.states().filter(|&state| sample.mark(state) == mark).map(Id::index).collect()
        };
        let mut found =
            Self { states, apart: vec![false; states * states], accepted: reached_accepted(sample) };
        let mut stack = Vec::new();
        for s in marked(Mark::Accepted) {
            for t in marked(Mark::Rejected) {
                found.note(s, t, &mut stack);
            }
        }
        // By letter and target, the sources.
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); sample.letter_count() * states];
        for (source, letter, target) in sample.transitions() {
            before[letter.index() * states + target.index()].push(source.index());
        }
        let mut steps = 0;
        while let Some((s, t)) = stack.pop() {
            for sources in before.chunks_exact(states.max(1)) {
                for &from_s in &sources[s] {
                    for &from_t in &sources[t] {
                        found.note(from_s, from_t, &mut stack);
                    }
                }
            }
            steps += 1;
            if steps % Budget::INTERVAL == 0 {
                budget.check(&Progress { states, bytes: found.apart.len(), ..Progress::default() })?;
            }
        }
        Ok(found)
    }

    fn note(&mut self, s: usize, t: usize, stack: &mut Vec<(usize, usize)>) {
        if !self.apart[s * self.states + t] {
            self.apart[s * self.states + t] = true;
            self.apart[t * self.states + s] = true;
            stack.push((s, t));
        }
    }

    fn are_apart(&self, s: usize, t: usize) -> bool {
        self.apart[s * self.states + t]
    }

    /// The pairs of states that are apart and neither of which is rejected, each once, in order.
    pub(super) fn pairs(&self, sample: &Sample) -> Vec<(StateId, StateId)> {
        let kept = |state: &StateId| sample.mark(*state) != Mark::Rejected;
        let states: Vec<StateId> = sample.states().filter(kept).collect();
        let mut pairs = Vec::new();
        for (i, &s) in states.iter().enumerate() {
            let others = states[i + 1..].iter().filter(|t| self.are_apart(s.index(), t.index()));
            pairs.extend(others.map(|&t| (s, t)));
        }
        pairs
    }

    /// Accepted states of which every two are apart, the initial one first: no separator has fewer states.
    ///
    /// A largest clique is hard to find, and a large one suffices: the next member is always the one that leaves most
    /// candidates.
    pub(super) fn clique(&self) -> Vec<StateId> {
        let mut clique = vec![self.accepted[0]];
        let mut rest: Vec<usize> =
            self.accepted.iter().copied().filter(|&s| self.are_apart(s, clique[0])).collect();
        while !rest.is_empty() {
            let neighbours = |s: usize| rest.iter().filter(|&&t| self.are_apart(s, t)).count();
            let best = rest.iter().copied().max_by_key(|&s| (neighbours(s), std::cmp::Reverse(s)));
            let best = best.expect("there is a state left");
            clique.push(best);
            rest.retain(|&t| self.are_apart(best, t));
        }
        clique.into_iter().map(StateId::from_index).collect()
    }
}

/// The accepted states that can be reached, breadth first.
fn reached_accepted(sample: &Sample) -> Vec<usize> {
    let mut is_reached = vec![false; sample.state_count()];
    is_reached[sample.initial().index()] = true;
    let mut reached = vec![sample.initial().index()];
    let mut next = 0;
    while let Some(&source) = reached.get(next) {
        next += 1;
        for letter in (0..sample.letter_count()).map(ActionId::from_index) {
            let target = sample.step(StateId::from_index(source), letter);
            let target = target.filter(|&target| sample.mark(target) == Mark::Accepted).map(Id::index);
            if let Some(target) = target
                && !std::mem::replace(&mut is_reached[target], true)
            {
                reached.push(target);
            }
        }
    }
    reached
}
