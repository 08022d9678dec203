//! Temporal logic against brute force.
//!
//! The naive twin follows the definition of a violating run: the transitions that a run takes infinitely often form a
//! strongly connected part of the product with the automaton of the negation; it looks at *every* set of states, where
//! the real one looks at maximal components only. A network that stops takes silent steps on the spot.

mod fairness;
mod probability;
pub(super) mod progression;

use std::collections::{BTreeMap, BTreeSet};

use rely_base::{Budget, Id, StateId};
use rely_lts::Network;
use rely_omega::{
    Assertion, AtomId, AtomSet, Buchi, Fairness, Fluent, Formula, Proposition, conjuncts, is_safety,
};
use rely_testkit::naive::product::{NaiveProduct, Tuple, error_in};
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::{Rng, seeds};

use self::progression::{ACTIONS, Twin};
use super::{check_ltl, free_actions, with_free_actions};
use crate::{Ending, Vacuity, Verdict};

const ANY: Budget<'static> = Budget::UNLIMITED;

/// The most states of a strongly connected component whose subsets are enumerated.
const MOST: usize = 11;

/// A state of the product: a tuple, the value of each proposition, and a state of the automaton, or nothing before the
/// first letter.
pub(super) type Node = (Tuple, Vec<bool>, Option<StateId>);

/// The transitions of each node.
pub(super) type Nodes = BTreeMap<Node, Vec<(Option<String>, Node)>>;

/// Which sets of nodes a run may stay in for ever.
pub(super) type Judge = fn(&BTreeSet<&Node>, &BTreeMap<Tuple, BTreeSet<Move>>, &Nodes) -> bool;

/// A transition of the network: the name of its action, and where it leads.
pub(super) type Move = (Option<String>, Tuple);

/// The moves of each tuple; a tuple where nothing is possible has a silent move on the spot unless it is an error.
fn moves(network: &Network) -> BTreeMap<Tuple, BTreeSet<Move>> {
    let naive = NaiveProduct::new(network);
    let named = |(action, target): &(Option<rely_base::ActionId>, Tuple)| {
        (action.map(|action| network.alphabet().name(action).to_owned()), target.clone())
    };
    let mut moves: BTreeMap<Tuple, BTreeSet<Move>> =
        naive.moves.iter().map(|(tuple, moves)| (tuple.clone(), moves.iter().map(named).collect())).collect();
    for (tuple, moves) in &mut moves {
        if moves.is_empty() && error_in(network, tuple).is_none() {
            moves.insert((None, tuple.clone()));
        }
    }
    moves
}

/// The values of the propositions after an action.
pub(super) fn after(assertion: &Assertion, values: &[bool], action: Option<&String>) -> Vec<bool> {
    let among = |names: &Vec<String>| action.is_some_and(|action| names.contains(action));
    let propositions = assertion.propositions.iter().zip(values);
    propositions
        .map(|(proposition, &value)| match proposition {
            Proposition::Action(names) => among(names),
            Proposition::Fluent(fluent) if among(&fluent.on) => true,
            Proposition::Fluent(fluent) if among(&fluent.off) => false,
            Proposition::Fluent(_) => value,
        })
        .collect()
}

pub(super) fn letter(values: &[bool]) -> AtomSet {
    (0..values.len()).filter(|&i| values[i]).map(AtomId::from_index).collect()
}

pub(super) fn initial_values(assertion: &Assertion) -> Vec<bool> {
    assertion.propositions.iter().map(|p| matches!(p, Proposition::Fluent(f) if f.initially)).collect()
}

/// The reachable product with the automaton of the negation: with each node its action and target for each transition.
fn product(network: &Network, assertion: &Assertion) -> (BTreeMap<Tuple, BTreeSet<Move>>, Buchi, Nodes) {
    let moves = moves(network);
    let negation = Buchi::translate(&assertion.formula.clone().negated(), &ANY).unwrap();
    let initial: Tuple = network.components().iter().map(|component| component.lts.initial()).collect();
    let mut nodes = BTreeMap::new();
    let mut pending: Vec<Node> = vec![(initial, initial_values(assertion), None)];
    while let Some(node) = pending.pop() {
        if nodes.contains_key(&node) {
            continue;
        }
        let (tuple, values, automaton) = &node;
        let mut targets = Vec::new();
        for (action, target) in &moves[tuple] {
            let values = after(assertion, values, action.as_ref());
            let from = automaton.map_or(negation.initial().to_vec(), |state| vec![state]);
            for state in from {
                for next in negation.successors(state, &letter(&values)) {
                    targets.push((action.clone(), (target.clone(), values.clone(), Some(next))));
                }
            }
        }
        pending.extend(targets.iter().map(|(_, target)| target.clone()));
        nodes.insert(node, targets);
    }
    (moves, negation, nodes)
}

/// Which nodes each node reaches in one or more steps within a set.
fn reach(nodes: &Nodes, within: &BTreeSet<&Node>) -> BTreeMap<Node, BTreeSet<Node>> {
    let step = |node: &Node| nodes[node].iter().map(|(_, target)| target).filter(|t| within.contains(*t));
    let from = |start: &Node| {
        let mut reached: BTreeSet<Node> = BTreeSet::new();
        let mut pending: Vec<&Node> = step(start).collect();
        while let Some(node) = pending.pop() {
            if reached.insert(node.clone()) {
                pending.extend(step(node));
            }
        }
        reached
    };
    within.iter().map(|&node| (node.clone(), from(node))).collect()
}

/// Whether some run violates an assertion, where `judge` says whether a run may take exactly the transitions between
/// some nodes for ever; nothing when there are too many sets to look at.
pub(super) fn violated(network: &Network, assertion: &Assertion, judge: Judge) -> Option<bool> {
    let (moves, negation, nodes) = product(network, assertion);
    let all = reach(&nodes, &nodes.keys().collect());
    let mut components: BTreeSet<Vec<&Node>> = BTreeSet::new();
    for node in nodes.keys().filter(|node| all[*node].contains(*node)) {
        components
            .insert(nodes.keys().filter(|o| all[node].contains(*o) && all[*o].contains(node)).collect());
    }
    if components.iter().any(|component| component.len() > MOST) {
        return None;
    }
    let found = components.iter().any(|component| {
        (1..1_usize << component.len()).any(|bits| {
            let set: BTreeSet<&Node> = component
                .iter()
                .enumerate()
                .filter(|(i, _)| bits >> i & 1 == 1)
                .map(|(_, &node)| node)
                .collect();
            judge(&set, &moves, &nodes) && is_accepted(&set, &negation, &nodes)
        })
    });
    Some(found)
}

/// Whether the automaton of the negation accepts a run that takes the transitions between these nodes for ever.
fn is_accepted(set: &BTreeSet<&Node>, negation: &Buchi, nodes: &Nodes) -> bool {
    set.iter().any(|(_, _, state)| state.is_some_and(|state| negation.is_accepting(state)))
        && reach(nodes, set).values().all(|reached| set.iter().all(|&node| reached.contains(node)))
}

/// Whether a run that takes the transitions between these nodes for ever is fair in choice.
pub(super) fn is_fair(set: &BTreeSet<&Node>, moves: &BTreeMap<Tuple, BTreeSet<Move>>, nodes: &Nodes) -> bool {
    let taken = |tuple: &Tuple, (action, target): &Move| {
        let here = set.iter().filter(|node| node.0 == *tuple).flat_map(|node| &nodes[*node]);
        here.into_iter().any(|(a, t)| a == action && t.0 == *target && set.contains(t))
    };
    set.iter().all(|(tuple, ..)| moves[tuple].iter().all(|step| taken(tuple, step)))
}

pub(super) fn random_formula(rng: &mut Rng, depth: usize, atoms: usize) -> Formula {
    if depth == 0 || rng.chance(1, 5) {
        return Formula::Atom(AtomId::from_index(rng.below(atoms)));
    }
    let kind = rng.below(12);
    let mut operand = || random_formula(rng, depth - 1, atoms);
    match kind {
        0 | 1 => operand().negated(),
        2 => operand().and(operand()),
        3 => operand().or(operand()),
        4 => operand().implies(operand()).always(),
        5 => operand().next(),
        6 => operand().eventually(),
        7 => operand().always(),
        8 => operand().until(operand()),
        9 => operand().weak_until(operand()),
        10 => operand().eventually().always(),
        _ => operand().always().eventually(),
    }
}

pub(crate) fn random_assertion(rng: &mut Rng, actions: &[&str]) -> Assertion {
    let name = |rng: &mut Rng| (*rng.pick(actions)).to_owned();
    let (on, off) = (name(rng), name(rng));
    let off = if on == off { Vec::new() } else { vec![off] };
    let fluent = Fluent { name: "F".into(), on: vec![on], off, initially: rng.chance(1, 3) };
    let propositions = vec![
        Proposition::Action(vec![name(rng)]),
        Proposition::Fluent(fluent),
        Proposition::Action(vec![name(rng), name(rng)]),
    ];
    let formula = random_formula(rng, 3, propositions.len());
    Assertion { name: "A".into(), formula, propositions, extension: Vec::new() }
}

fn can_fail(network: &Network) -> bool {
    NaiveProduct::new(network).moves.keys().any(|tuple| error_in(network, tuple).is_some())
}

#[test]
fn verdicts_are_those_of_brute_force() {
    let (mut holds, mut cycles, mut stops, mut prefixes) = (0, 0, 0, 0);
    for seed in seeds(6000) {
        let mut rng = Rng::new(seed);
        let network = networks::network(&mut rng, &Shape { errors: seed % 4 == 0, ..Shape::TINY });
        let assertion = random_assertion(&mut rng, &["a", "b", "c"]);
        let closed = with_free_actions(&network, &free_actions(network.alphabet(), &assertion));
        if can_fail(&closed) {
            // Runs into the error state have a twin of their own.
            continue;
        }
        let Some(expected) = violated(&closed, &assertion, is_fair) else { continue };
        let found = check_ltl(&network, &assertion, Fairness::Choice, &ANY).unwrap();
        match &found.decision.verdict {
            Verdict::Holds(_) => {
                holds += 1;
                assert!(!expected, "seed {seed}: {:?}", assertion.formula);
            }
            Verdict::Violated(counterexample) => {
                assert!(expected, "seed {seed}: {:?}", assertion.formula);
                match counterexample.ending {
                    Ending::Cycle => cycles += 1,
                    Ending::BadPrefix => prefixes += 1,
                    _ => stops += 1,
                }
            }
            Verdict::Unknown(reason) => panic!("seed {seed}: {reason}"),
        }
    }
    let counts = (holds, cycles, stops, prefixes);
    let enough = holds > 300 && cycles > 200 && stops > 100 && prefixes > 300;
    assert!(enough, "too lopsided: {counts:?}");
}

#[test]
fn a_step_into_the_error_state_counts() {
    // Of the safety formula []!a it is clear by hand whether a step breaks it, the last one included.
    let (mut holds, mut broken_last, mut unknown) = (0, 0, 0);
    for seed in seeds(2000) {
        let mut rng = Rng::new(seed);
        let network = networks::network(&mut rng, &Shape { errors: true, ..Shape::TINY });
        let Some(a) = network.alphabet().get("a") else { continue };
        let assertion = Assertion {
            name: "A".into(),
            formula: Formula::Atom(AtomId::from_index(0)).negated().always(),
            propositions: vec![Proposition::Action(vec!["a".into()])],
            extension: Vec::new(),
        };
        let naive = NaiveProduct::new(&network);
        let starts_in_error = naive.moves.len() == 1 && can_fail(&network);
        let steps = || naive.moves.values().flatten().filter(|(action, _)| *action == Some(a));
        let into_error = |target: &Tuple| error_in(&network, target).is_some();
        let found = check_ltl(&network, &assertion, Fairness::Choice, &ANY).unwrap();
        match &found.decision.verdict {
            Verdict::Violated(_) => {
                assert!(steps().next().is_some(), "seed {seed}");
                broken_last += usize::from(steps().all(|(_, target)| into_error(target)));
            }
            Verdict::Holds(_) => {
                assert!(steps().next().is_none() && !can_fail(&network), "seed {seed}");
                holds += 1;
            }
            Verdict::Unknown(_) => {
                assert!(starts_in_error || steps().next().is_none() && can_fail(&network), "seed {seed}");
                unknown += 1;
            }
        }
    }
    let counts = (holds, broken_last, unknown);
    assert!(holds > 20 && broken_last > 20 && unknown > 20, "too lopsided: {counts:?}");
}

#[test]
fn forgetting_fairness_would_be_noticed() {
    // A canary: every run counts, fair or not.
    let mut differences = 0;
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let network = networks::network(&mut rng, &Shape::TINY);
        let assertion = random_assertion(&mut rng, &["a", "b", "c"]);
        let closed = with_free_actions(&network, &free_actions(network.alphabet(), &assertion));
        let Some(wrong) = violated(&closed, &assertion, |_, _, _| true) else { continue };
        let found = check_ltl(&network, &assertion, Fairness::Choice, &ANY).unwrap();
        differences += usize::from(wrong == found.decision.verdict.holds());
    }
    assert!(differences > 10, "{differences}");
}

/// One state with a and b.
fn coin() -> Network {
    let lts = networks::from_transitions(1, &[(0, "a", 0), (0, "b", 0)]);
    Network::new(vec![rely_lts::Component::new("COIN", lts)])
}

/// An assertion about the action a.
fn about_a(formula: Formula) -> Assertion {
    let propositions = vec![Proposition::Action(vec!["a".into()])];
    Assertion { name: "A".into(), formula, propositions, extension: Vec::new() }
}

#[test]
fn fair_runs_may_avoid_what_fairness_of_the_graph_does_not_force() {
    // Fairness makes both recur, but never twice in a row.
    let a = || Formula::Atom(AtomId::from_raw(0));
    let check = |formula: Formula| {
        check_ltl(&coin(), &about_a(formula), Fairness::Choice, &ANY).unwrap().decision.verdict
    };
    assert!(check(a().eventually().always()).holds());
    let twice = check(a().and(a().next()).eventually().always());
    assert_eq!(twice.counterexample().unwrap().cycle_names().len(), 2);
}

#[test]
fn traces_are_shortest() {
    let (mut finite, mut earlier, mut late) = (0, 0, 0);
    for seed in seeds(8000) {
        let mut rng = Rng::new(seed);
        let network = networks::network(&mut rng, &Shape { errors: seed % 4 == 0, ..Shape::TINY });
        let mut assertion = random_assertion(&mut rng, &ACTIONS);
        if seed % 2 == 0 {
            // Parts of different kinds, which may contradict one another.
            let (one, other) = (random_formula(&mut rng, 2, 3), random_formula(&mut rng, 2, 3));
            assertion.formula = one.and(other.always());
        }
        let found = check_ltl(&network, &assertion, Fairness::Choice, &ANY).unwrap();
        let Some(run) = found.decision.verdict.counterexample() else { continue };
        let closed = with_free_actions(&network, &found.free);
        let Some(shortest) = Twin::new(&closed, &assertion).shortest() else { continue };
        let message = format!("seed {seed}: {:?}", assertion.formula);
        assert!(run.is_shortest, "{message}");
        if run.ending == Ending::Cycle {
            assert!(shortest.is_none_or(|shortest| shortest > run.trace.len()), "{message}: {shortest:?}");
            late += usize::from(shortest.is_some());
            continue;
        }
        assert_eq!(shortest, Some(run.trace.len()), "{message}");
        finite += usize::from(run.trace.len() > 1);
        let parts = conjuncts(&assertion.formula);
        earlier += usize::from(!parts.iter().all(|part| is_safety(part, &ANY).unwrap()));
    }
    let counts = (finite, earlier, late);
    assert!(finite > 300 && earlier > 300 && late > 5, "too lopsided: {counts:?}");
}

#[test]
fn long_formulas_are_asked_conjunct_by_conjunct() {
    // Two actions never happen at once, so the first a breaks it; the monitor sees that one step later.
    let lts = networks::from_transitions(1, &[(0, "a", 0), (0, "b", 0), (0, "c", 0)]);
    let network = Network::new(vec![rely_lts::Component { name: "M".into(), lts: std::sync::Arc::new(lts) }]);
    let atom = |i: u32| Formula::Atom(AtomId::from_raw(i));
    let part = atom(0).implies(atom(1).and(atom(2)).next()).always();
    // The others hold, and make the formula long.
    let never_both = atom(1).and(atom(2)).negated().always();
    for others in [0, 12] {
        let later = |steps| (0..steps).fold(never_both.clone(), |formula, _| formula.next());
        let formula = (0..others).map(later).fold(part.clone(), Formula::and);
        let propositions = ["a", "b", "c"].map(|name| Proposition::Action(vec![name.to_owned()])).to_vec();
        let assertion = Assertion { name: "A".into(), formula, propositions, extension: Vec::new() };
        let found = check_ltl(&network, &assertion, Fairness::Choice, &ANY).unwrap().decision.verdict;
        assert_eq!(found.counterexample().unwrap().trace_names(), ["a"], "{others} others");
    }
}

#[test]
fn premise_that_never_holds_is_reported() {
    let lts = networks::from_transitions(2, &[(0, "a", 1), (1, "b", 0)]);
    let network = Network::new(vec![rely_lts::Component { name: "M".into(), lts: std::sync::Arc::new(lts) }]);
    let fluent = |name: &str, on: &str, off: &str| {
        let (on, off) = (vec![on.to_owned()], vec![off.to_owned()]);
        Proposition::Fluent(Fluent { name: name.into(), on, off, initially: false })
    };
    let propositions = vec![fluent("F", "a", "b"), Proposition::Action(vec!["b".into()])];
    let (f, b) = (Formula::Atom(AtomId::from_raw(0)), Formula::Atom(AtomId::from_raw(1)));
    let never = f.clone().and(b.clone());
    let mut held = 0;
    for conclusion in [f.clone().next(), f.clone().negated().eventually()] {
        for (premise, vacuous) in [(never.clone(), true), (f.clone(), false)] {
            let formula = premise.implies(conclusion.clone()).always();
            let assertion = Assertion {
                name: "A".into(),
                formula,
                propositions: propositions.clone(),
                extension: Vec::new(),
            };
            let Verdict::Holds(evidence) =
                check_ltl(&network, &assertion, Fairness::Choice, &ANY).unwrap().decision.verdict
            else {
                continue;
            };
            let expected = if vacuous { vec![Vacuity::PremiseNeverHolds(never.clone())] } else { Vec::new() };
            assert_eq!(evidence.vacuity, expected, "{:?}", assertion.formula);
            held += 1;
        }
    }
    assert_eq!(held, 3, "all but `[](F -> X F)` hold");
}
