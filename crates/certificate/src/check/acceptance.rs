//! Is there a path that postpones nothing for ever?
//!
//! Problem: every step of a graph *postpones* some until-formulas. Does some infinite path from a node postpone none of
//! them from some point on for ever?
//!
//! Idea: such a path stays in the end in a strongly connected component, and takes there, for each until-formula, a step
//! that does not postpone it. Conversely, in a component that has a step, and for each until-formula one that does not
//! postpone it, some path takes all of them again and again. The components are found by two searches
//! [Sharir 1981]: the first goes depth first and notes the order in which it leaves nodes; the second goes back along
//! the steps, from the nodes that were left last.
//!
//! From a node there is such a path if it leads to such a component. Once a node is decided, so are all nodes that it
//! leads to: so a component is decided as a whole, and later questions need not look at it again.
//!
//! Complexity: linear in nodes and steps, for all questions together, not counting the lookups of nodes. Called by
//! the rule for assertions: for continuations after an error (`continuations.rs`), and for runs that stop.

use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;

use rely_base::Exhausted;
use rely_omega::AtomSet;

use super::states::Meter;
use crate::{Choice, Rejection, Violations};

/// A step: where it leads, and for each until-formula, whether it is postponed.
pub(crate) type Onward<N> = (N, Vec<bool>);

/// The ways of an automaton to read a letter. The automaton caches them, so their bytes are counted.
pub(super) fn choices(
    violations: &Violations,
    (state, letter): (&[u32], &AtomSet),
    meter: &Meter<'_>,
) -> Result<Rc<Vec<Choice>>, Exhausted> {
    let held = violations.bytes();
    let choices = violations.choices(state, letter, meter.budget())?;
    meter.hold(violations.bytes() - held);
    meter.work(1 + choices.len(), 0)?;
    Ok(choices)
}

/// The nodes that are decided: whether some path from them postpones nothing for ever.
pub(crate) struct Acceptance<N> {
    known: HashMap<N, bool>,
    /// The bytes of a node, while it is explored and in `known`.
    bytes: usize,
}

impl<N: Clone + Eq + Hash> Acceptance<N> {
    /// No node is decided yet. `held` is the number of bytes that a node holds in addition to its own size.
    pub(crate) fn new(held: usize) -> Self {
        Self { known: HashMap::new(), bytes: 2 * (held + size_of::<N>()) }
    }

    /// Whether some path from a node postpones nothing for ever, where `steps` gives the steps of a node.
    pub(crate) fn is_accepted(
        &mut self,
        start: &N,
        meter: &Meter<'_>,
        steps: &mut impl FnMut(&N) -> Result<Vec<Onward<N>>, Rejection>,
    ) -> Result<bool, Rejection> {
        if let Some(&known) = self.known.get(start) {
            return Ok(known);
        }
        let (nodes, graph) = self.explore(start, meter, steps)?;
        let accepted = graph.accepted(meter)?;
        meter.release(graph.bytes);
        self.known.extend(nodes.into_iter().zip(accepted));
        Ok(self.known[start])
    }

    /// All nodes that a node leads to and that are not decided; the node itself is number 0.
    fn explore(
        &self,
        start: &N,
        meter: &Meter<'_>,
        steps: &mut impl FnMut(&N) -> Result<Vec<Onward<N>>, Rejection>,
    ) -> Result<(Vec<N>, Graph), Rejection> {
        let mut nodes = vec![start.clone()];
        let mut numbers = HashMap::from([(start.clone(), 0)]);
        let mut graph = Graph::default();
        while let Some(node) = nodes.get(graph.steps.len()) {
            let (seen, mut here, mut accepted) = (nodes.len(), Vec::new(), false);
            for (target, postponed) in steps(node)? {
                if let Some(known) = self.known.get(&target) {
                    accepted |= known;
                    continue;
                }
                let number = *numbers.entry(target).or_insert_with_key(|target| {
                    nodes.push(target.clone());
                    nodes.len() - 1
                });
                here.push((number, postponed));
            }
            meter.hold((nodes.len() - seen) * self.bytes + graph.push(here, accepted));
            meter.work(1, self.known.len() + nodes.len())?;
        }
        Ok((nodes, graph))
    }
}

/// Nodes by number, each with its steps: where they lead, and what they postpone.
#[derive(Default)]
struct Graph {
    steps: Vec<Vec<(usize, Vec<bool>)>>,
    /// By node, whether a step of it leads to a node that is known to be accepted.
    leads_to_accepted: Vec<bool>,
    /// The bytes of the steps, and of the tables for finding components.
    bytes: usize,
}

impl Graph {
    /// Adds the steps of the next node; returns the number of bytes that they take.
    fn push(&mut self, steps: Vec<(usize, Vec<bool>)>, leads_to_accepted: bool) -> usize {
        let step = size_of::<(usize, Vec<bool>)>() + size_of::<usize>();
        let postponed = steps.first().map_or(0, |(_, postponed)| postponed.len());
        // The space for a node's steps, for the steps that lead to it, and for its component.
        let node = 2 * size_of::<Vec<usize>>() + size_of::<usize>();
        let bytes = node + steps.len() * (step + postponed);
        self.steps.push(steps);
        self.leads_to_accepted.push(leads_to_accepted);
        self.bytes += bytes;
        bytes
    }

    /// By node, whether it leads to an accepting component, or to a node that is known to be accepted.
    fn accepted(&self, meter: &Meter<'_>) -> Result<Vec<bool>, Rejection> {
        let sources = self.sources();
        let component = self.components(&sources, meter)?;
        let accepting = self.accepting(&component);
        let is_seed = |&node: &usize| self.leads_to_accepted[node] || accepting[component[node]];
        let mut pending: Vec<usize> = (0..self.steps.len()).filter(is_seed).collect();
        let mut accepted = vec![false; self.steps.len()];
        while let Some(node) = pending.pop() {
            if !std::mem::replace(&mut accepted[node], true) {
                pending.extend(&sources[node]);
                meter.work(1 + sources[node].len(), self.steps.len())?;
            }
        }
        Ok(accepted)
    }

    /// By component, whether it has a step, and for each until-formula one that does not postpone it.
    fn accepting(&self, component: &[usize]) -> Vec<bool> {
        // The until-formulas that all steps seen so far inside a component postpone; `None` as long as there is no
        // step.
        let mut postponed: Vec<Option<Vec<bool>>> = vec![None; self.steps.len()];
        for (node, steps) in self.steps.iter().enumerate() {
            for (_, here) in steps.iter().filter(|(target, _)| component[*target] == component[node]) {
                let all = postponed[component[node]].get_or_insert_with(|| vec![true; here.len()]);
                all.iter_mut().zip(here).for_each(|(all, here)| *all &= here);
            }
        }
        postponed.into_iter().map(|all| all.is_some_and(|all| !all.contains(&true))).collect()
    }

    /// By node, the nodes that have a step to it.
    fn sources(&self) -> Vec<Vec<usize>> {
        let mut sources: Vec<Vec<usize>> = vec![Vec::new(); self.steps.len()];
        for (node, steps) in self.steps.iter().enumerate() {
            steps.iter().for_each(|(target, _)| sources[*target].push(node));
        }
        sources
    }

    /// By node, the number of its strongly connected component.
    fn components(&self, sources: &[Vec<usize>], meter: &Meter<'_>) -> Result<Vec<usize>, Rejection> {
        let mut component: Vec<Option<usize>> = vec![None; self.steps.len()];
        for (number, root) in self.leaving_order(meter)?.into_iter().rev().enumerate() {
            let mut pending = vec![root];
            while let Some(node) = pending.pop() {
                if component[node].is_none() {
                    component[node] = Some(number);
                    pending.extend(&sources[node]);
                    meter.work(sources[node].len(), self.steps.len())?;
                }
            }
        }
        Ok(component.into_iter().map(|number| number.expect("every node has been a root")).collect())
    }

    /// The nodes in the order in which a depth-first search leaves them.
    fn leaving_order(&self, meter: &Meter<'_>) -> Result<Vec<usize>, Rejection> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.steps.len()];
        for root in 0..self.steps.len() {
            // The nodes on the path, each with the place of its next step.
            let mut path = if std::mem::replace(&mut seen[root], true) { vec![] } else { vec![(root, 0)] };
            while let Some((node, place)) = path.last_mut() {
                meter.work(1, self.steps.len())?;
                match self.steps[*node].get(*place) {
                    None => {
                        order.push(*node);
                        path.pop();
                    }
                    Some(&(target, _)) => {
                        *place += 1;
                        if !std::mem::replace(&mut seen[target], true) {
                            path.push((target, 0));
                        }
                    }
                }
            }
        }
        Ok(order)
    }
}

#[cfg(test)]
mod tests;
