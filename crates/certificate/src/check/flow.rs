//! Judging proofs by flow analysis.
//!
//! **Claim.** As for decompositions: no run of the network leads a component of the goal to its error state (`goal.rs`).
//!
//! **Rule.** The proof names *threads*, components that run beside each other, and components that are *kept*. The judge
//! forgets all others, and of the threads it remembers only which step came last; of the goal and of what is kept it
//! remembers the state. It then searches everything that is possible as far as it remembers:
//! 1. *Pairs.* R is the least relation between states of two threads that has the initial states, and is closed under what a
//!    thread does alone, what two do together, and what one of a pair does with a third, if the third can be beside both.
//! 2. *Notice.* A step of a single thread by an action that neither the goal nor anything kept sees, but for the thread itself if
//!    it is kept, is *unnoticed*, like silent steps. All other steps of threads are noticed.
//! 3. *Order.* A noticed step may come next after a noticed step n if each thread q of it is where it has to be: if q took part in
//!    n, where n has left it, or unnoticed steps have led it from there; if not, at a state that is in R with the states from
//!    which the threads of n took n.
//! 4. *Search.* From the initial state of goal and kept components, every step that may come next is taken, with all that
//!    goal and kept components can do by its action; threads that are kept take their unnoticed steps one by one. None may lead the
//!    goal to its error state.
//!
//! **Why it is sound.** Along a run of the network, all pairs of states of threads are in R, by induction: 1 has a case for
//! each step. (In a step of more than two threads each moves as if alone, one after the other, which gives the pair after
//! the step as well; a thread that can only stay where it is by an action may be forgotten.) Let n be the last noticed step,
//! and q a thread without part in it. Before n, q was beside the threads of n, and has taken only unnoticed steps since, each of
//! them alone, under which R is closed. So the noticed step that comes next in the run is one that 3 allows. What goal and kept
//! components do in the run is possible by 4, since whatever is forgotten only restricts, and no unnoticed step changes the
//! state of any of them but of the thread that takes it.
//!
//! **Complexity.** R has at most as many pairs as there are pairs of states of threads; noticed steps are compared with each other once;
//! the search is as large as the graph of noticed steps times the states of goal and kept components.

use std::collections::BTreeSet;

use rely_base::{ActionId, Budget, Id, Label, Progress, StateId};
use rely_lts::{Lts, Network};

use super::goal::Goal;
use crate::{FlowProof, Rejection};

/// Judges whether the flow of threads shows that a goal does not fail.
pub(super) fn check_flow(
    network: &Network,
    goal: &Goal,
    proof: &FlowProof,
    budget: &Budget<'_>,
) -> Result<(), Rejection> {
    check_numbers(network, goal, proof)?;
    let tracked: Vec<usize> = goal.members.iter().chain(&proof.kept).copied().collect();
    let mut threads = Threads::new(network, &proof.threads);
    let pairs = threads.pairs(budget)?;
    let nodes = threads.noticed(&pairs, &tracked);
    let free = threads.free(&tracked);
    Search {
        network,
        goal: goal.members.len(),
        tracked: &tracked,
        threads: &threads,
        nodes: &nodes,
        free: &free,
        pairs: &pairs,
    }
    .run(budget)
}

/// Every component has one part to play.
fn check_numbers(network: &Network, goal: &Goal, proof: &FlowProof) -> Result<(), Rejection> {
    let count = network.components().len();
    let mut kept = BTreeSet::new();
    let mut threads = BTreeSet::new();
    let is_other = |number: &usize| {
        *number < count && !goal.members.contains(number) && !goal.observers.contains(number)
    };
    let fit = proof.threads.iter().all(|thread| is_other(thread) && threads.insert(*thread))
        && proof.kept.iter().all(|component| is_other(component) && kept.insert(*component));
    if fit { Ok(()) } else { Err(Rejection::BadGroups("flow".to_owned())) }
}

/// A thread leaves a state for another one; both are numbered across all threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Move {
    thread: usize,
    from: usize,
    to: usize,
}

/// What one or two threads do by an action. Of more than two, only what the first does.
#[derive(Clone, Debug)]
struct Node {
    action: ActionId,
    moves: Vec<Move>,
    /// All threads that take part.
    threads: Vec<usize>,
}

/// The threads of a network, and what they do.
struct Threads<'n> {
    network: &'n Network,
    /// The numbers of the components.
    components: Vec<usize>,
    /// The number of the first state of each thread.
    first: Vec<usize>,
    states: usize,
    nodes: Vec<Node>,
    /// For each state, the states that its thread can go to as if alone.
    alone: Vec<Vec<usize>>,
    /// For each state, the nodes of two threads of which one leaves it.
    meetings: Vec<Vec<usize>>,
    /// For each state, the states to which unnoticed and silent steps lead.
    unnoticed: Vec<Vec<usize>>,
}

impl<'n> Threads<'n> {
    fn new(network: &'n Network, components: &[usize]) -> Self {
        let mut first = Vec::new();
        let mut states = 0;
        for &component in components {
            first.push(states);
            states += network.components()[component].lts.state_count();
        }
        let mut threads = Self {
            network,
            components: components.to_vec(),
            first,
            states,
            nodes: Vec::new(),
            alone: vec![Vec::new(); states],
            meetings: vec![Vec::new(); states],
            unnoticed: vec![Vec::new(); states],
        };
        for thread in 0..components.len() {
            for silent in threads.moves(thread, Label::TAU) {
                threads.alone[silent.from].push(silent.to);
                threads.unnoticed[silent.from].push(silent.to);
            }
        }
        for (action, _) in network.alphabet().iter() {
            threads.add_nodes(action);
        }
        for (number, node) in threads.nodes.iter().enumerate() {
            for step in node.moves.iter().filter(|_| node.moves.len() == 2) {
                threads.meetings[step.from].push(number);
            }
        }
        threads
    }

    fn lts(&self, thread: usize) -> &'n Lts {
        &self.network.components()[self.components[thread]].lts
    }

    /// The number of a state across all threads.
    fn number(&self, thread: usize, state: StateId) -> usize {
        self.first[thread] + state.index()
    }

    fn moves(&self, thread: usize, label: Label) -> Vec<Move> {
        let lts = self.lts(thread);
        let of = lts.transitions().filter(|transition| transition.label == label);
        of.map(|transition| Move {
            thread,
            from: self.number(thread, transition.source),
            to: self.number(thread, transition.target),
        })
        .collect()
    }

    /// What threads do by an action of the network.
    fn add_nodes(&mut self, action: ActionId) {
        let name = self.network.alphabet().name(action);
        let mut sides: Vec<Vec<Move>> = Vec::new();
        for thread in 0..self.components.len() {
            if let Some(own) = self.lts(thread).alphabet().get(name) {
                sides.push(self.moves(thread, Label::visible(own)));
            }
        }
        if sides.iter().any(Vec::is_empty) {
            return;
        }
        // Nobody notices by a hidden action, such as that nobody waits, who can only stay where it is.
        if self.network.is_hidden(action) && sides.iter().flatten().any(|step| step.from != step.to) {
            sides.retain(|side| side.iter().any(|step| step.from != step.to));
        }
        let threads: Vec<usize> = sides.iter().map(|side| side[0].thread).collect();
        let mut add = |moves: Vec<Move>| self.nodes.push(Node { action, moves, threads: threads.clone() });
        match &sides[..] {
            [] => {}
            [one, other] => {
                for (&a, &b) in one.iter().flat_map(|a| other.iter().map(move |b| (a, b))) {
                    add(vec![a, b]);
                }
            }
            [one, more @ ..] => {
                for &step in one {
                    add(vec![step]);
                    self.alone[step.from].push(step.to);
                }
                for step in more.iter().flatten() {
                    self.alone[step.from].push(step.to);
                }
            }
        }
    }

    /// The relation R.
    fn pairs(&self, budget: &Budget<'_>) -> Result<Pairs, Rejection> {
        let bytes = self.states * self.states + 64 * self.nodes.len();
        budget.check(&Progress { states: self.states, bytes, ..Progress::default() })?;
        let mut pairs = Pairs { states: self.states, known: vec![false; self.states * self.states] };
        let mut pending = Vec::new();
        let initial: Vec<usize> = (0..self.components.len())
            .map(|thread| self.number(thread, self.lts(thread).initial()))
            .collect();
        for (i, &a) in initial.iter().enumerate() {
            initial[..i].iter().for_each(|&b| pairs.add(a, b, &mut pending));
        }
        let mut steps = 0_usize;
        while let Some((a, b)) = pending.pop() {
            for (a, b) in [(a, b), (b, a)] {
                for &next in &self.alone[a] {
                    pairs.add(next, b, &mut pending);
                }
                for &node in &self.meetings[a] {
                    self.meet(&self.nodes[node], a, b, &mut pairs, &mut pending);
                }
            }
            steps += 1;
            if steps.is_multiple_of(Budget::INTERVAL) {
                budget.check(&Progress {
                    states: self.states,
                    transitions: steps,
                    bytes,
                    ..Progress::default()
                })?;
            }
        }
        Ok(pairs)
    }

    /// What follows from a new pair (a, b) and a step of two threads of which one is at a.
    fn meet(&self, node: &Node, a: usize, b: usize, pairs: &mut Pairs, pending: &mut Vec<(usize, usize)>) {
        let [one, other] = node.moves[..] else { return };
        let (here, partner) = if one.from == a { (one, other) } else { (other, one) };
        if partner.from == b {
            pairs.add(here.to, partner.to, pending);
            // Whoever is beside both stays where it is.
            for third in 0..self.states {
                if pairs.contains(a, third) && pairs.contains(b, third) {
                    pairs.add(here.to, third, pending);
                    pairs.add(partner.to, third, pending);
                }
            }
        } else if self.thread_of(b) != partner.thread
            && pairs.contains(a, partner.from)
            && pairs.contains(partner.from, b)
        {
            pairs.add(here.to, b, pending);
            pairs.add(partner.to, b, pending);
        }
    }

    fn thread_of(&self, state: usize) -> usize {
        self.first.partition_point(|&first| first <= state) - 1
    }

    /// The steps that are noticed and possible. The others of single threads are kept as unnoticed.
    fn noticed(&mut self, pairs: &Pairs, tracked: &[usize]) -> Vec<Node> {
        let network = self.network;
        let is_seen = |node: &Node| {
            let name = network.alphabet().name(node.action);
            let own = node.threads.first().map(|&thread| self.components[thread]);
            tracked
                .iter()
                .any(|&it| Some(it) != own && network.components()[it].lts.alphabet().contains(name))
        };
        let (unnoticed, noticed): (Vec<Node>, Vec<Node>) =
            self.nodes.iter().cloned().partition(|node| node.threads.len() == 1 && !is_seen(node));
        for step in unnoticed.iter().flat_map(|node| &node.moves) {
            self.unnoticed[step.from].push(step.to);
        }
        let is_possible = |node: &Node| match node.moves[..] {
            [one, other] => pairs.contains(one.from, other.from),
            _ => true,
        };
        noticed.into_iter().filter(is_possible).collect()
    }

    /// The actions that something tracked has and no thread.
    fn free(&self, tracked: &[usize]) -> Vec<ActionId> {
        let is_free = |action: &ActionId| {
            let participants = self.network.participants(*action);
            let is_one_of = |numbers: &[usize]| participants.iter().any(|it| numbers.contains(&it.index()));
            is_one_of(tracked) && !is_one_of(&self.components)
        };
        self.network.alphabet().iter().map(|(action, _)| action).filter(is_free).collect()
    }

    /// The states that a thread can be in after unnoticed steps.
    fn unnoticed_from(&self, from: usize) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut pending = vec![from];
        while let Some(state) = pending.pop() {
            if reached.insert(state) {
                pending.extend(&self.unnoticed[state]);
            }
        }
        reached
    }
}

/// A symmetric relation between the states of threads.
struct Pairs {
    states: usize,
    known: Vec<bool>,
}

impl Pairs {
    fn contains(&self, a: usize, b: usize) -> bool {
        self.known[a * self.states + b]
    }

    fn add(&mut self, a: usize, b: usize, pending: &mut Vec<(usize, usize)>) {
        if !std::mem::replace(&mut self.known[a * self.states + b], true) {
            self.known[b * self.states + a] = true;
            pending.push((a, b));
        }
    }
}

/// The search of everything that is possible.
struct Search<'a, 'n> {
    network: &'n Network,
    /// How many of the tracked components are the goal.
    goal: usize,
    /// The goal, and what is kept.
    tracked: &'a [usize],
    threads: &'a Threads<'n>,
    /// The noticed steps.
    nodes: &'a [Node],
    /// The actions that something tracked has and no thread.
    free: &'a [ActionId],
    pairs: &'a Pairs,
}

/// The noticed step that came last, and the states of the tracked components.
type State = (Option<usize>, Vec<StateId>);

impl Search<'_, '_> {
    fn run(&self, budget: &Budget<'_>) -> Result<(), Rejection> {
        let after: Vec<Vec<usize>> = (0..self.nodes.len()).map(|node| self.after(Some(node))).collect();
        let at_first = self.after(None);
        let initial: Vec<StateId> = self.tracked.iter().map(|&it| self.lts(it).initial()).collect();
        if let Some(failed) = self.failed(&initial) {
            return Err(Rejection::Fails { state: None, action: String::new(), component: failed });
        }
        let edges: usize = after.iter().map(Vec::len).sum();
        let mut seen: BTreeSet<State> = [(None, initial.clone())].into_iter().collect();
        let mut pending: Vec<State> = vec![(None, initial)];
        let mut transitions = 0_usize;
        while let Some((last, states)) = pending.pop() {
            let mut successors: Vec<(String, State)> = Vec::new();
            self.unthreaded(last, &states, &mut successors);
            for &next in last.map_or(&at_first, |last| &after[last]) {
                let node = &self.nodes[next];
                let name = self.network.alphabet().name(node.action);
                for states in self.together(&states, name, &node.moves) {
                    successors.push((name.to_owned(), (Some(next), states)));
                }
            }
            for (action, state) in successors {
                if let Some(component) = self.failed(&state.1) {
                    return Err(Rejection::Fails { state: None, action, component });
                }
                if seen.insert(state.clone()) {
                    pending.push(state);
                }
                transitions += 1;
            }
            let bytes = seen.len() * (64 + 8 * self.tracked.len()) + 8 * edges + self.pairs.known.len();
            budget.check(&Progress { states: seen.len(), transitions, bytes, ..Progress::default() })?;
        }
        Ok(())
    }

    fn lts(&self, component: usize) -> &Lts {
        &self.network.components()[component].lts
    }

    /// The name of a member of the goal that has failed.
    fn failed(&self, states: &[StateId]) -> Option<String> {
        let members = self.tracked.iter().zip(states).take(self.goal);
        let mut failed = members.filter(|&(&member, &state)| self.lts(member).error() == Some(state));
        failed.next().map(|(&member, _)| self.network.components()[member].name.clone())
    }

    /// The nodes that may come next after a node, or at first.
    fn after(&self, last: Option<usize>) -> Vec<usize> {
        let threads = self.threads;
        let left: Vec<(usize, BTreeSet<usize>)> = match last {
            Some(last) => {
                let moves = self.nodes[last].moves.iter();
                moves.map(|step| (step.thread, threads.unnoticed_from(step.to))).collect()
            }
            None => (0..threads.components.len())
                .map(|thread| {
                    let initial = threads.number(thread, threads.lts(thread).initial());
                    (thread, threads.unnoticed_from(initial))
                })
                .collect(),
        };
        let can_move = |step: &Move| match left.iter().find(|(thread, _)| *thread == step.thread) {
            Some((_, states)) => states.contains(&step.from),
            None => last.is_some_and(|last| {
                self.nodes[last].moves.iter().all(|other| self.pairs.contains(other.from, step.from))
            }),
        };
        (0..self.nodes.len()).filter(|&next| self.nodes[next].moves.iter().all(can_move)).collect()
    }

    /// What tracked components do in silence, what tracked threads do unnoticed, and actions that no thread has.
    fn unthreaded(&self, last: Option<usize>, states: &[StateId], successors: &mut Vec<(String, State)>) {
        for (at, &component) in self.tracked.iter().enumerate() {
            let mut move_to = |target: StateId| {
                let mut next = states.to_vec();
                next[at] = target;
                successors.push(("tau".to_owned(), (last, next)));
            };
            match self.threads.components.iter().position(|&thread| thread == component) {
                Some(thread) => {
                    let first = self.threads.first[thread];
                    let targets = &self.threads.unnoticed[self.threads.number(thread, states[at])];
                    targets.iter().for_each(|target| move_to(StateId::from_index(target - first)));
                }
                None => {
                    let silent = self.lts(component).silent_edges(states[at]);
                    silent.iter().for_each(|edge| move_to(edge.target));
                }
            }
        }
        for &action in self.free {
            let name = self.network.alphabet().name(action);
            for next in self.together(states, name, &[]) {
                successors.push((name.to_owned(), (last, next)));
            }
        }
    }

    /// The states of the tracked components after an action by which threads take some moves.
    fn together(&self, states: &[StateId], name: &str, moves: &[Move]) -> Vec<Vec<StateId>> {
        let mut reached = vec![states.to_vec()];
        for (at, &component) in self.tracked.iter().enumerate() {
            let lts = self.lts(component);
            let Some(action) = lts.alphabet().get(name) else { continue };
            let taken = moves.iter().find(|step| self.threads.components[step.thread] == component);
            let is_taken = |target: StateId| match taken {
                None => true,
                Some(step) => {
                    self.threads.number(step.thread, states[at]) == step.from
                        && self.threads.number(step.thread, target) == step.to
                }
            };
            let targets: Vec<StateId> = lts
                .edges_with(states[at], Label::visible(action))
                .iter()
                .map(|edge| edge.target)
                .filter(|&target| is_taken(target))
                .collect();
            let extended = reached.iter().flat_map(|before| {
                targets.iter().map(|&target| {
                    let mut next = before.clone();
                    next[at] = target;
                    next
                })
            });
            reached = extended.collect();
        }
        reached
    }
}

#[cfg(test)]
mod tests;
