//! Strongly connected components.
//!
//! Problem: which states lie on a common cycle. Source: [Tarjan 1972], with an explicit stack instead of recursion.
//! Complexity: linear in states and edges. The components come numbered so that an edge between two of them leads to
//! the smaller number: the reverse of a topological order. Called by everything here that asks about infinite runs.

/// The strongly connected components of a graph.
#[derive(Debug)]
pub(crate) struct Components {
    /// The component of each state; edges never lead to a greater one.
    pub(crate) of: Vec<usize>,
    /// How many components there are.
    pub(crate) count: usize,
    /// By state: whether it lies on a cycle.
    recurrent: Vec<bool>,
}

impl Components {
    /// The components of a graph that is given by the successors of each state.
    pub(crate) fn of(successors: &[Vec<usize>]) -> Self {
        let runner = Tarjan {
            successors,
            order: vec![UNSEEN; successors.len()],
            low: vec![UNSEEN; successors.len()],
            next_order: 0,
            open: Vec::new(),
            path: Vec::new(),
            components: Self {
                of: vec![UNSEEN; successors.len()],
                count: 0,
                recurrent: vec![false; successors.len()],
            },
        };
        runner.run()
    }

    /// Whether the state lies on a cycle.
    pub(crate) fn is_recurrent(&self, state: usize) -> bool {
        self.recurrent[state]
    }
}

/// The number of a state or component that has none yet.
const UNSEEN: usize = usize::MAX;

struct Tarjan<'a> {
    successors: &'a [Vec<usize>],
    /// When each state was entered.
    order: Vec<usize>,
    /// The earliest open state that each state is known to reach.
    low: Vec<usize>,
    next_order: usize,
    /// The states whose component is not complete, in the order of entering.
    open: Vec<usize>,
    /// The path of the search: a state, and how many of its successors are done.
    path: Vec<(usize, usize)>,
    components: Components,
}

impl Tarjan<'_> {
    fn run(mut self) -> Components {
        for root in 0..self.successors.len() {
            if self.order[root] == UNSEEN {
                self.enter(root);
                self.search();
            }
        }
        self.components
    }

    fn enter(&mut self, state: usize) {
        self.order[state] = self.next_order;
        self.low[state] = self.next_order;
        self.next_order += 1;
        self.open.push(state);
        self.path.push((state, 0));
    }

    fn search(&mut self) {
        while let Some((state, done)) = self.path.last_mut() {
            let state = *state;
            let Some(&target) = self.successors[state].get(*done) else {
                self.leave(state);
                continue;
            };
            *done += 1;
            if self.order[target] == UNSEEN {
                self.enter(target);
            } else if self.components.of[target] == UNSEEN {
                self.low[state] = self.low[state].min(self.order[target]);
            }
        }
    }

    /// All successors are done: pass on what was learned, and close the component if this state is its first.
    fn leave(&mut self, state: usize) {
        self.path.pop();
        if let Some(&(parent, _)) = self.path.last() {
            self.low[parent] = self.low[parent].min(self.low[state]);
        }
        if self.low[state] < self.order[state] {
            return;
        }
        let start =
            self.open.iter().rposition(|&open| open == state).expect("a state is open until it is left");
        let members = self.open.split_off(start);
        let recurrent = members.len() > 1 || self.successors[state].contains(&state);
        for member in members {
            self.components.of[member] = self.components.count;
            self.components.recurrent[member] = recurrent;
        }
        self.components.count += 1;
    }
}
