//! Continuations: can a run that was cut short be continued so that an automaton accepts it?
//!
//! Problem: of a run that ends in an error nothing is known but that, had it gone on, it would have gone on with actions.
//! Given the state of an automaton and the fluents at its end, is there a sequence of actions, any actions in any order,
//! whose word the automaton accepts? It matters that these are actions and not letters: two actions never happen at
//! once, and a fluent changes only when an action switches it.
//!
//! Idea: emptiness of a Büchi automaton. The nodes are pairs of an automaton's state and the fluents; each label is
//! a step. Most automata that accept anything accept a word that repeats one label in the end, so that is tried at
//! every node on the way, and breadth first; only where this fails for all nodes are their strongly connected components
//! looked at. Labels that do the same are tried once.
//!
//! Complexity: O(2^fluents × states × labels) at worst. What was found out is kept: where the answer is no, for all
//! nodes that were looked at. Called by [`crate::Outlook`].

use rely_base::{Budget, Exhausted, Label, Progress, StateId};
use rustc_hash::FxHashMap;

use crate::components::Components;
use crate::{AtomSet, Buchi, Fluents, Letters};

/// Answers whether an automaton accepts some continuation.
#[derive(Clone, Debug)]
pub(crate) struct Continuations {
    /// A label for each thing that a label can do.
    labels: Vec<Label>,
    /// The answers that are known.
    known: FxHashMap<Node, bool>,
    /// Whether a state accepts a letter repeated for ever.
    repeating: FxHashMap<(StateId, AtomSet), bool>,
}

/// A state of the automaton, and the fluents.
type Node = (StateId, Fluents);

impl Continuations {
    /// Continuations by the actions that the letters were compiled for, and by silent steps.
    pub(crate) fn new(letters: &Letters) -> Self {
        Self {
            labels: letters.distinct_labels(),
            known: FxHashMap::default(),
            repeating: FxHashMap::default(),
        }
    }

    /// How many bytes the answers take.
    pub(crate) fn bytes(&self) -> usize {
        self.known.capacity() * size_of::<(Node, bool)>()
            + self.repeating.capacity() * size_of::<((StateId, AtomSet), bool)>()
    }

    /// Whether the automaton accepts the word of some continuation, from one of its states and these fluents on.
    ///
    /// The automaton and the letters have to be the same ones in every call.
    ///
    /// # Errors
    /// When the budget is used up.
    pub(crate) fn accepts(
        &mut self,
        (buchi, letters): (&Buchi, &Letters),
        state: StateId,
        fluents: &Fluents,
        budget: &Budget<'_>,
    ) -> Result<bool, Exhausted> {
        let start = (state, fluents.clone());
        if let Some(&known) = self.known.get(&start) {
            return Ok(known);
        }
        let mut nodes = Nodes::default();
        nodes.number(start.clone());
        let mut transitions = 0;
        while let Some(node) = nodes.nodes.get(nodes.successors.len()).cloned() {
            let mut successors = Vec::new();
            for &label in &self.labels {
                let (after, letter) = letters.step(&node.1, label);
                for target in buchi.successors(node.0, &letter) {
                    let next = (target, after.clone());
                    // The same label makes the same letter again.
                    if self.known.get(&next) == Some(&true)
                        || repeats(&mut self.repeating, buchi, target, &letter)
                    {
                        self.known.insert(start, true);
                        return Ok(true);
                    }
                    successors.push(nodes.number(next));
                }
            }
            transitions += successors.len();
            nodes.successors.push(successors);
            let states = nodes.nodes.len();
            let bytes = states * 2 * size_of::<(Node, Vec<usize>)>() + transitions * size_of::<usize>();
            budget.check(&Progress { states, transitions, bytes, ..Progress::default() })?;
        }
        Ok(self.conclude(nodes, buchi))
    }

    /// Whether there is an accepting cycle among nodes, the first of which reaches all.
    fn conclude(&mut self, nodes: Nodes, buchi: &Buchi) -> bool {
        let components = Components::of(&nodes.successors);
        let is_good = |node: usize| buchi.is_accepting(nodes.nodes[node].0) && components.is_recurrent(node);
        let found = (0..nodes.nodes.len()).any(is_good);
        let settled = if found { 1 } else { nodes.nodes.len() };
        self.known.extend(nodes.nodes.into_iter().take(settled).map(|node| (node, found)));
        found
    }
}

fn repeats(
    repeating: &mut FxHashMap<(StateId, AtomSet), bool>,
    buchi: &Buchi,
    state: StateId,
    letter: &AtomSet,
) -> bool {
    *repeating.entry((state, letter.clone())).or_insert_with(|| buchi.accepts_forever(state, letter))
}

/// The nodes that were reached, by number.
#[derive(Default)]
struct Nodes {
    nodes: Vec<Node>,
    numbers: FxHashMap<Node, usize>,
    /// Those of the nodes that have been looked at.
    successors: Vec<Vec<usize>>,
}

impl Nodes {
    fn number(&mut self, node: Node) -> usize {
        if let Some(&number) = self.numbers.get(&node) {
            return number;
        }
        let number = self.nodes.len();
        self.nodes.push(node.clone());
        self.numbers.insert(node, number);
        number
    }
}
