//! Accepting lassos against the definition: every set of edges that a cycle can pass, one after the other.

use rely_base::Budget;
use rely_testkit::rng::{Rng, is_single_seed, seeds};

use super::{ColouredGraph, Lasso, accepting_lasso};
use crate::{Acceptance, Automaton, Colours, Formula};

/// A graph with few edges; guards play no role.
fn graph(rng: &mut Rng, colours: u32) -> Automaton {
    let states = 1 + rng.below(5);
    let mut graph = Automaton::with_states(states, Acceptance::True);
    for _ in 0..1 + rng.below(9) {
        let colours = (0..colours).filter(|_| rng.chance(1, 3)).collect::<Vec<u32>>();
        let (source, target) = (rng.below(states), rng.below(states));
        graph.add(source, Formula::True, target, colours);
    }
    graph
}

pub(crate) fn condition(rng: &mut Rng, colours: u32, depth: usize) -> Acceptance {
    let colour = u32::try_from(rng.below(colours as usize)).expect("few colours");
    match rng.below(if depth == 0 { 2 } else { 5 }) {
        0 => Acceptance::Inf(colour),
        1 => Acceptance::Fin(colour),
        2 | 3 => {
            let operands: Vec<Acceptance> =
                (0..2 + rng.below(2)).map(|_| condition(rng, colours, depth - 1)).collect();
            if rng.chance(1, 2) { Acceptance::all(operands) } else { Acceptance::any(operands) }
        }
        _ => match rng.below(3) {
            0 => Acceptance::streett([(0, 1), (2, 3)]),
            1 => Acceptance::rabin([(0, 1), (2, 3)]),
            _ => Acceptance::streett([(0, 1), (1, 2), (3, 0)]),
        },
    }
}

/// Whether some reachable set of edges, all of which one cycle can pass, has colours that satisfy the condition.
fn has_accepting_cycle(graph: &Automaton, acceptance: &Acceptance) -> bool {
    let all: Vec<(usize, usize, &Colours)> = (0..graph.state_count())
        .flat_map(|state| graph.edges[state].iter().map(move |edge| (state, edge.target, &edge.colours)))
        .collect();
    let closure = |edges: &[(usize, usize, &Colours)], start: usize| {
        let mut reached = vec![false; graph.state_count()];
        reached[start] = true;
        for _ in 0..graph.state_count() {
            for &(source, target, _) in edges {
                reached[target] |= reached[source];
            }
        }
        reached
    };
    let from_initial = closure(&all, 0);
    (1..1_usize << all.len()).any(|chosen| {
        let edges: Vec<_> = (0..all.len()).filter(|it| chosen >> it & 1 == 1).map(|it| all[it]).collect();
        let is_cycle = edges.iter().all(|&(_, target, _)| {
            let reached = closure(&edges, target);
            edges.iter().all(|&(source, _, _)| reached[source])
        });
        let mut colours = Colours::none();
        edges.iter().for_each(|(_, _, it)| colours.insert_all(it));
        from_initial[edges[0].0] && is_cycle && acceptance.accepts(&colours)
    })
}

/// That a lasso is a path of the graph whose cycle satisfies the condition.
fn assert_real(graph: &Automaton, acceptance: &Acceptance, lasso: &Lasso, seed: u64) {
    let mut state = 0;
    for step in &lasso.prefix {
        assert_eq!(step.source, state, "seed {seed}");
        state = graph.edge(state, step.edge).0;
    }
    let start = state;
    let mut colours = Colours::none();
    for step in &lasso.cycle {
        assert_eq!(step.source, state, "seed {seed}");
        let (target, found) = graph.edge(state, step.edge);
        colours.insert_all(found);
        state = target;
    }
    assert!(!lasso.cycle.is_empty() && state == start, "seed {seed}: no cycle");
    assert!(acceptance.accepts(&colours), "seed {seed}: {acceptance} does not accept {colours:?}");
}

#[test]
fn lassos_are_found_where_there_are_some() {
    let (mut found, mut none) = (0, 0);
    for seed in seeds(4000) {
        let mut rng = Rng::new(seed);
        let graph = graph(&mut rng, 4);
        let acceptance = condition(&mut rng, 4, 2);
        let lasso = accepting_lasso(&graph, &acceptance, &Budget::UNLIMITED).expect("there is no limit");
        assert_eq!(lasso.is_some(), has_accepting_cycle(&graph, &acceptance), "seed {seed}: {acceptance}");
        match lasso {
            Some(lasso) => {
                assert_real(&graph, &acceptance, &lasso, seed);
                found += 1;
            }
            None => none += 1,
        }
    }
    assert!(is_single_seed() || (found > 500 && none > 500), "{found} found, {none} not");
}

#[test]
fn the_dual_accepts_what_is_rejected() {
    for seed in seeds(500) {
        let mut rng = Rng::new(seed);
        let acceptance = condition(&mut rng, 4, 3);
        let dual = acceptance.dual();
        for bits in 0..16_u32 {
            let colours: Colours = (0..4).filter(|colour| bits >> colour & 1 == 1).collect();
            assert_eq!(acceptance.accepts(&colours), !dual.accepts(&colours), "seed {seed}: {acceptance}");
        }
    }
}

#[test]
fn a_limit_is_obeyed() {
    let graph = graph(&mut Rng::new(1), 2);
    let limits = rely_base::Limits { states: Some(0), bytes: None };
    assert!(accepting_lasso(&graph, &Acceptance::True, &Budget::new(limits, None)).is_err());
}
