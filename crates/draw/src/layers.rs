//! Layers: every state gets a number, and arrows point from lower to higher numbers.
//!
//! **Idea.** The length of the longest path to a state is the lowest layer that it can have. From there, states are
//! moved to the right as long as that makes the arrows shorter in total: a state with more arrows out than in goes
//! next to its nearest successor. This is a local optimum of what the network simplex method of [Gansner et al. 1993]
//! minimises, and for automata it is nearly always the same, since most states have an arrow in that is tight.
//!
//! **Invariants.** After the first step the layers are as low as possible; every move keeps all arrows pointing to the
//! right and shortens the total, so the moves come to an end. The initial state stays in layer 0.
//!
//! **Complexity.** O(m) for each pass over the states, and at most [`MAX_PASSES`] of them.

use rely_base::Id;

use crate::graph::Graph;

const MAX_PASSES: usize = 64;

/// The layer of each state.
pub(crate) fn assign(graph: &Graph, reversed: &[bool]) -> Vec<usize> {
    let mut layering = Layering::new(graph, reversed);
    layering.longest_paths();
    for _ in 0..MAX_PASSES {
        if !layering.tighten(graph.initial.index()) {
            break;
        }
    }
    layering.layer
}

struct Layering {
    /// The states that have to be further to the right, by state.
    after: Vec<Vec<usize>>,
    /// The states that have to be further to the left, by state.
    before: Vec<Vec<usize>>,
    layer: Vec<usize>,
}

impl Layering {
    fn new(graph: &Graph, reversed: &[bool]) -> Self {
        let states = graph.nodes.len();
        let (mut before, mut after) = (vec![Vec::new(); states], vec![Vec::new(); states]);
        for (id, arrow) in graph.proper_arrows() {
            let (source, target) = (arrow.source.index(), arrow.target.index());
            let (left, right) = if reversed[id.index()] { (target, source) } else { (source, target) };
            after[left].push(right);
            before[right].push(left);
        }
        Self { after, before, layer: vec![0; states] }
    }

    fn longest_paths(&mut self) {
        let mut missing: Vec<usize> = self.before.iter().map(Vec::len).collect();
        let mut ready: Vec<usize> = (0..missing.len()).filter(|&state| missing[state] == 0).collect();
        while let Some(state) = ready.pop() {
            for &next in &self.after[state] {
                self.layer[next] = self.layer[next].max(self.layer[state] + 1);
                missing[next] -= 1;
                if missing[next] == 0 {
                    ready.push(next);
                }
            }
        }
    }

    /// One pass over the states; returns whether one was moved.
    fn tighten(&mut self, initial: usize) -> bool {
        let mut moved = false;
        for state in (0..self.layer.len()).filter(|&state| state != initial) {
            let nearest = self.after[state].iter().map(|&next| self.layer[next] - 1).min();
            if let Some(nearest) = nearest
                && nearest > self.layer[state]
                && self.after[state].len() > self.before[state].len()
            {
                self.layer[state] = nearest;
                moved = true;
            }
        }
        moved
    }
}
