//! Equivalences of states, straight from their definitions.
//!
//! Bisimilarities are greatest fixed points over pairs of states: start from all pairs of states with the same special
//! meaning, and drop pairs that break the definition until none does. Trace equivalences compare sets of states step by
//! step.

use std::collections::BTreeSet;

use rely_base::{Id, Label, StateId};
use rely_lts::{InterfaceAutomaton, Lts, LtsBuilder, Role, equivalence::Equivalence};

/// Which pairs of states are equivalent: `relation[s][t]`.
pub type Relation = Vec<Vec<bool>>;

/// The equivalent pairs of states of a system, reachable or not.
pub fn relation(lts: &Lts, equivalence: Equivalence) -> Relation {
    let by_pairs = |equivalent: fn((&Lts, StateId), (&Lts, StateId)) -> bool| {
        lts.states().map(|s| lts.states().map(|t| equivalent((lts, s), (lts, t))).collect()).collect()
    };
    match equivalence {
        Equivalence::Strong => strong(lts),
        Equivalence::Branching => branching(lts),
        Equivalence::DivergenceBranching => divergence_branching(lts),
        Equivalence::Weak => weak(lts),
        Equivalence::Trace => by_pairs(trace),
        Equivalence::WeakTrace => by_pairs(weak_trace),
        Equivalence::Safety => by_pairs(safety),
    }
}

/// Whether two systems with the same alphabet are equivalent.
pub fn equivalent(left: &Lts, right: &Lts, equivalence: Equivalence) -> bool {
    let starts = ((left, left.initial()), (right, right.initial()));
    match equivalence {
        Equivalence::Trace => trace(starts.0, starts.1),
        Equivalence::WeakTrace => weak_trace(starts.0, starts.1),
        Equivalence::Safety => safety(starts.0, starts.1),
        _ => {
            let (union, right_initial) = side_by_side(left, right);
            relation(&union, equivalence)[left.initial().index()][right_initial.index()]
        }
    }
}

/// Both systems as one, the states of the left one first, and the initial state of the right one. They share the
/// special states.
fn side_by_side(left: &Lts, right: &Lts) -> (Lts, StateId) {
    assert_eq!(left.alphabet(), right.alphabet());
    let mut builder = LtsBuilder::with_states(left.alphabet().clone(), left.state_count());
    builder.set_error(left.error());
    builder.set_end(left.end());
    let mut image = Vec::new();
    let mut end = left.end();
    for state in right.states() {
        image.push(if Some(state) == right.error() {
            builder.error_state()
        } else if Some(state) == right.end() {
            *end.get_or_insert_with(|| builder.add_state())
        } else {
            builder.add_state()
        });
    }
    builder.set_end(end);
    for t in left.transitions() {
        builder.add_transition(t.source, t.label, t.target);
    }
    for t in right.transitions() {
        builder.add_transition(image[t.source.index()], t.label, image[t.target.index()]);
    }
    (builder.build(), image[right.initial().index()])
}

/// Strong bisimilarity.
pub fn strong(lts: &Lts) -> Relation {
    let graph = Saturated::new(lts);
    greatest_fixed_point(lts, |related, s, t| {
        graph.edges[s]
            .iter()
            .all(|&(label, s1)| graph.edges[t].iter().any(|&(l, t1)| l == label && related[s1][t1]))
    })
}

/// Branching bisimilarity.
pub fn branching(lts: &Lts) -> Relation {
    let graph = Saturated::new(lts);
    greatest_fixed_point(lts, |related, s, t| graph.branching_transfer(related, s, t))
}

/// Branching bisimilarity of states of an interface automaton that take the same inputs at once; all states on the way to
/// an answer are related to the state that is answered.
pub fn receptive_branching(automaton: &InterfaceAutomaton) -> Relation {
    let lts = automaton.lts();
    let graph = Saturated::new(lts);
    let taken = |state: usize| -> BTreeSet<Label> {
        let edges = lts.edges(StateId::from_index(state)).iter();
        edges.map(|edge| edge.label).filter(|&label| automaton.role_of(label) == Role::Input).collect()
    };
    greatest_fixed_point(lts, |related, s, t| {
        taken(s) == taken(t) && graph.stuttering_transfer(related, s, t)
    })
}

/// Branching bisimilarity with explicit divergence, in the form in which every infinite silent run of one state
/// contains a state that is related to a silent successor of the other [van Glabbeek, Luttik, Trčka 2009].
pub fn divergence_branching(lts: &Lts) -> Relation {
    let graph = Saturated::new(lts);
    greatest_fixed_point(lts, |related, s, t| {
        graph.branching_transfer(related, s, t) && !graph.diverges_alone(related, s, t)
    })
}

/// Weak bisimilarity, that is observation equivalence [Milner 1989].
pub fn weak(lts: &Lts) -> Relation {
    let graph = Saturated::new(lts);
    let labels = 0..=termination(lts).raw();
    let answers: Vec<Vec<BTreeSet<usize>>> = (0..lts.state_count())
        .map(|s| labels.clone().map(|label| graph.weak_successors(s, Label::from_raw(label))).collect())
        .collect();
    greatest_fixed_point(lts, |related, s, t| {
        graph.edges[s].iter().all(|&(label, s1)| answers[t][label.index()].iter().any(|&t1| related[s1][t1]))
    })
}

/// Whether two states have the same traces, where τ is an action like any other.
pub fn trace(left: (&Lts, StateId), right: (&Lts, StateId)) -> bool {
    compare_sets(left, right, true, Observation::of)
}

/// Whether two states have the same visible traces.
pub fn weak_trace(left: (&Lts, StateId), right: (&Lts, StateId)) -> bool {
    compare_sets(left, right, false, Observation::of)
}

/// Whether the same visible traces lead from two states to π for the first time.
pub fn safety(left: (&Lts, StateId), right: (&Lts, StateId)) -> bool {
    compare_sets(left, right, false, |graph, set, labels| Observation {
        enabled: Vec::new(),
        is_end: false,
        ..Observation::of(graph, set, labels)
    })
}

fn greatest_fixed_point(lts: &Lts, transfers: impl Fn(&Relation, usize, usize) -> bool) -> Relation {
    let meaning = |state: usize| lts.error() == Some(StateId::from_index(state));
    let n = lts.state_count();
    let mut related: Relation = (0..n).map(|s| (0..n).map(|t| meaning(s) == meaning(t)).collect()).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for s in 0..n {
            for t in 0..n {
                if related[s][t] && !(transfers(&related, s, t) && transfers(&related, t, s)) {
                    related[s][t] = false;
                    related[t][s] = false;
                    changed = true;
                }
            }
        }
    }
    related
}

/// The label that stands for termination: one more than there are.
fn termination(lts: &Lts) -> Label {
    Label::from_raw(u32::try_from(lts.alphabet().len() + 1).expect("small systems have few actions"))
}

/// A system with its silent steps closed under repetition.
struct Saturated {
    edges: Vec<Vec<(Label, usize)>>,
    /// The states that are reached by any number of silent steps, and by at least one.
    silent: Vec<BTreeSet<usize>>,
    silent_plus: Vec<BTreeSet<usize>>,
    error: Option<usize>,
    end: Option<usize>,
}

impl Saturated {
    fn new(lts: &Lts) -> Self {
        let mut edges: Vec<Vec<(Label, usize)>> = lts
            .states()
            .map(|s| lts.edges(s).iter().map(|edge| (edge.label, edge.target.index())).collect())
            .collect();
        // Termination can be observed: for bisimilarities it is an action that the end state repeats.
        if let Some(end) = lts.end() {
            edges[end.index()].push((termination(lts), end.index()));
        }
        let silent_plus: Vec<BTreeSet<usize>> = (0..edges.len())
            .map(|s| {
                let mut reached = BTreeSet::new();
                let mut stack = vec![s];
                while let Some(s) = stack.pop() {
                    for &(label, t) in &edges[s] {
                        if label.is_tau() && reached.insert(t) {
                            stack.push(t);
                        }
                    }
                }
                reached
            })
            .collect();
        let mut silent = silent_plus.clone();
        for (s, reached) in silent.iter_mut().enumerate() {
            reached.insert(s);
        }
        Self { edges, silent, silent_plus, error: lts.error().map(Id::index), end: lts.end().map(Id::index) }
    }

    fn branching_transfer(&self, related: &Relation, s: usize, t: usize) -> bool {
        self.edges[s].iter().all(|&(label, s1)| {
            (label.is_tau() && related[s1][t])
                || self.silent[t].iter().any(|&t1| {
                    related[s][t1] && self.edges[t1].iter().any(|&(l, t2)| l == label && related[s1][t2])
                })
        })
    }

    /// Whether t can answer s, where every state on the silent path of t is related to s. Without labels of states
    /// this makes no difference.
    fn stuttering_transfer(&self, related: &Relation, s: usize, t: usize) -> bool {
        let mut on_the_way = BTreeSet::from([t]);
        let mut stack = vec![t];
        while let Some(t1) = stack.pop() {
            for &(label, t2) in &self.edges[t1] {
                if label.is_tau() && related[s][t2] && on_the_way.insert(t2) {
                    stack.push(t2);
                }
            }
        }
        self.edges[s].iter().all(|&(label, s1)| {
            let answers = |&(l, t2): &(Label, usize)| l == label && related[s1][t2];
            (label.is_tau() && related[s1][t])
                || on_the_way.iter().any(|&t1| self.edges[t1].iter().any(answers))
        })
    }

    /// Whether s has an infinite silent run on which no state is related to a state after a silent step of t.
    fn diverges_alone(&self, related: &Relation, s: usize, t: usize) -> bool {
        let is_met = |x: usize| self.silent_plus[t].iter().any(|&t1| related[x][t1]);
        let mut alone: Vec<bool> = (0..self.edges.len()).map(|x| !is_met(x)).collect();
        // Remove the states that cannot go on for ever.
        for _ in 0..self.edges.len() {
            for x in 0..self.edges.len() {
                alone[x] &= self.edges[x].iter().any(|&(label, y)| label.is_tau() && alone[y]);
            }
        }
        alone[s]
    }

    /// The states after silent steps, the label, and silent steps; for τ, after any number of silent steps.
    fn weak_successors(&self, s: usize, label: Label) -> BTreeSet<usize> {
        if label.is_tau() {
            return self.silent[s].clone();
        }
        self.closure(&self.successors(&self.silent[s], label))
    }

    fn successors(&self, set: &BTreeSet<usize>, label: Label) -> BTreeSet<usize> {
        set.iter().flat_map(|&s| &self.edges[s]).filter(|(l, _)| *l == label).map(|&(_, t)| t).collect()
    }

    fn closure(&self, set: &BTreeSet<usize>) -> BTreeSet<usize> {
        set.iter().flat_map(|&s| self.silent[s].iter().copied()).collect()
    }
}

/// What can be observed of a set of states. Nothing can be observed after π.
#[derive(PartialEq, Eq)]
struct Observation {
    is_error: bool,
    is_end: bool,
    enabled: Vec<Label>,
}

impl Observation {
    fn of(graph: &Saturated, set: &BTreeSet<usize>, labels: &[Label]) -> Self {
        let is_error = graph.error.is_some_and(|error| set.contains(&error));
        let is_end = graph.end.is_some_and(|end| set.len() == 1 && set.contains(&end));
        let enabled =
            labels.iter().copied().filter(|&l| !is_error && !graph.successors(set, l).is_empty()).collect();
        Self { is_error, is_end, enabled }
    }
}

/// Compares the observations after each word. The systems have the same alphabet.
fn compare_sets(
    (left, left_start): (&Lts, StateId),
    (right, right_start): (&Lts, StateId),
    tau_is_seen: bool,
    observe: impl Fn(&Saturated, &BTreeSet<usize>, &[Label]) -> Observation,
) -> bool {
    assert_eq!(left.alphabet(), right.alphabet());
    let labels: Vec<Label> = tau_is_seen
        .then_some(Label::TAU)
        .into_iter()
        .chain(left.alphabet().iter().map(|(action, _)| Label::visible(action)))
        .collect();
    let (left, right) = (Saturated::new(left), Saturated::new(right));
    let close = |graph: &Saturated, set: BTreeSet<usize>| if tau_is_seen { set } else { graph.closure(&set) };
    let start = (
        close(&left, BTreeSet::from([left_start.index()])),
        close(&right, BTreeSet::from([right_start.index()])),
    );
    let mut seen = BTreeSet::from([start.clone()]);
    let mut stack = vec![start];
    while let Some((l, r)) = stack.pop() {
        let seen_left = observe(&left, &l, &labels);
        if seen_left != observe(&right, &r, &labels) {
            return false;
        }
        if seen_left.is_error {
            continue;
        }
        for &label in &labels {
            let next = (close(&left, left.successors(&l, label)), close(&right, right.successors(&r, label)));
            if seen.insert(next.clone()) {
                stack.push(next);
            }
        }
    }
    true
}
