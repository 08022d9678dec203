//! Languages that contain the prefixes of their words, as the behaviours of a transition system and of assumptions do.

use rely_base::{Id, StateId};

use crate::Dfa;

impl Dfa {
    /// Whether every prefix of an accepted word is accepted.
    pub fn is_prefix_closed(&self) -> bool {
        let alive = self.can_accept();
        let trimmed = self.access_words();
        self.states().filter(|state| trimmed[state.index()].is_some()).all(|state| {
            // After a rejected prefix there may be no accepted word.
            self.is_accepting(state) || !alive[state.index()]
        })
    }

    /// Whether a word is accepted from a state: by backward reachability.
    fn can_accept(&self) -> Vec<bool> {
        let mut predecessors: Vec<Vec<StateId>> = vec![Vec::new(); self.state_count()];
        for state in self.states() {
            for to in self.successors(state) {
                predecessors[to.index()].push(state);
            }
        }
        let mut alive: Vec<bool> = self.states().map(|state| self.is_accepting(state)).collect();
        let mut stack: Vec<StateId> = self.states().filter(|&state| self.is_accepting(state)).collect();
        while let Some(state) = stack.pop() {
            for &from in &predecessors[state.index()] {
                if !std::mem::replace(&mut alive[from.index()], true) {
                    stack.push(from);
                }
            }
        }
        alive
    }
}
