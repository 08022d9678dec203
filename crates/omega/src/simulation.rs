//! Direct simulation between the states of a Büchi automaton.
//!
//! Problem: t simulates s when it accepts if s does, and for each transition of s has one that reads at least the same
//! letters and leads to a state that simulates the target.
//!
//! Source: [Dill, Hu & Wong-Toi 1991], [Etessami & Holzmann 2000]. Idea: start from all pairs that acceptance allows,
//! and remove pairs until the rest is a simulation. Guards are compared one to one, which is sound and cheap; a
//! transition that only several others together can answer counts as not answered.
//!
//! Complexity: states² rounds at worst of transitions² comparisons each; larger automata are left alone.

use rely_base::Id;

use crate::Buchi;

/// Automata whose number of transitions squared is larger than this are left alone.
const MAX_COMPARISONS: usize = 4_000_000;

/// The greatest direct simulation.
pub(crate) struct Simulation {
    count: usize,
    /// At `better * count + worse`: whether the one state simulates the other.
    related: Vec<bool>,
}

impl Simulation {
    /// The simulation of an automaton, if that is not too large.
    pub(crate) fn of(buchi: &Buchi) -> Option<Self> {
        let count = buchi.state_count();
        if buchi.edge_count().saturating_pow(2) > MAX_COMPARISONS {
            return None;
        }
        let related = (0..count * count)
            .map(|pair| buchi.accepting[pair / count] || !buchi.accepting[pair % count])
            .collect();
        let mut simulation = Self { count, related };
        while simulation.refine(buchi) {}
        Some(simulation)
    }

    /// Whether `better` simulates `worse`.
    pub(crate) fn simulates(&self, better: usize, worse: usize) -> bool {
        self.related[better * self.count + worse]
    }

    /// The class of each state, of those that simulate each other, numbered in the order of the first members.
    pub(crate) fn classes(&self) -> Vec<usize> {
        let mut classes: Vec<usize> = Vec::with_capacity(self.count);
        let mut next = 0;
        for state in 0..self.count {
            let equal =
                (0..state).find(|&other| self.simulates(other, state) && self.simulates(state, other));
            classes.push(equal.map_or(next, |other| classes[other]));
            next = next.max(classes[state] + 1);
        }
        classes
    }

    /// Removes the pairs in which a transition is not answered; whether there was one.
    fn refine(&mut self, buchi: &Buchi) -> bool {
        let mut changed = false;
        for better in 0..self.count {
            for worse in 0..self.count {
                if self.simulates(better, worse) && !self.answers(buchi, better, worse) {
                    self.related[better * self.count + worse] = false;
                    changed = true;
                }
            }
        }
        changed
    }

    fn answers(&self, buchi: &Buchi, better: usize, worse: usize) -> bool {
        buchi.edges[worse].iter().all(|step| {
            buchi.edges[better].iter().any(|answer| {
                step.guard.implies(&answer.guard)
                    && self.simulates(answer.target.index(), step.target.index())
            })
        })
    }
}
