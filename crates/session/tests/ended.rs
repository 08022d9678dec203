//! What it means that a system has ended: `check`, `compose` and `certify` agree with the definition, also beside components
//! that can still work in silence.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rely_base::Budget;
use rely_fsp::Elaborator;
use rely_lts::Network;
use rely_session::report::Verdict;
use rely_session::{CheckQuery, ComposeQuery, Project, certificate, certify, check, compose};
use rely_testkit::naive::product::{NaiveProduct, is_deadlocked, is_terminated};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

fn network(text: &str) -> Network {
    let parse = rely_fsp::parse(text);
    let no_imports = |_: &str| Err("no imports".to_owned());
    let mut elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
    elaborator.target("S").unwrap_or_else(|_| panic!("{text}")).behaviour
}

/// Two or three processes that may end, stop, or work in silence for ever.
fn random_model(rng: &mut Rng) -> String {
    let mut text = String::new();
    let count = 2 + rng.below(2);
    for process in 0..count {
        let states: Vec<String> = ["", "A", "B"].map(|state| format!("P{process}{state}")).into();
        let states = &states[..1 + rng.below(3)];
        let mut definitions = Vec::new();
        for state in states {
            let mut branch = || {
                let target = match rng.below(8) {
                    0..3 => "END",
                    3 => "STOP",
                    _ => rng.pick(states).as_str(),
                };
                format!("{} -> {target}", rng.pick(&["a", "b", "d"]))
            };
            definitions.push(format!("{state} = ({} | {})", branch(), branch()));
        }
        // What is hidden belongs to one process alone.
        let _ = writeln!(text, "{}\\{{d}}.", definitions.join(",\n"));
    }
    let parts: Vec<String> = (0..count).map(|process| format!("P{process}")).collect();
    let _ = writeln!(text, "||S = ({}).", parts.join(" || "));
    text
}

#[test]
fn a_system_has_ended_where_nothing_is_possible_any_more() {
    // How often the end was reached, a deadlock was, and all that end are at their ends while another works in silence.
    let mut counts = [0; 3];
    for seed in seeds(600) {
        let text = random_model(&mut Rng::new(seed));
        let network = network(&text);
        let naive = NaiveProduct::new(&network);
        let tuples: Vec<_> = naive.moves.keys().collect();
        let ended = tuples.iter().filter(|tuple| is_terminated(&network, tuple)).count();
        let is_stuck = tuples.iter().any(|tuple| is_deadlocked(&network, tuple));
        let is_busy = |tuple: &&&Vec<rely_base::StateId>| {
            let mut parts = network.components().iter().zip(tuple.iter());
            let all_ended = parts.all(|(part, state)| part.lts.end().is_none_or(|end| end == *state));
            network.can_terminate() && all_ended && !is_terminated(&network, tuple)
        };
        counts[0] += usize::from(ended > 0);
        counts[1] += usize::from(is_stuck);
        counts[2] += usize::from(tuples.iter().any(|tuple| is_busy(&tuple)));

        let project = Project::new("m.lts", text.clone(), Box::new(|_| Err("no imports".to_owned())));
        let query = CheckQuery { only: vec!["deadlock".to_owned()], ..CheckQuery::default() };
        let report = check(&project, &query, Budget::UNLIMITED).expect("no mistake");
        assert_eq!(report.results[0].verdict == Verdict::Violated, is_stuck, "seed {seed}:\n{text}");
        for diagram in [false, true] {
            let query = ComposeQuery { targets: vec!["S".to_owned()], all_targets: false, diagram };
            let size = &compose(&project, &query, Budget::UNLIMITED).results[0];
            // All states where the system has ended are one.
            assert_eq!(size.states, tuples.len() - ended.saturating_sub(1), "seed {seed}:\n{text}");
        }
        let claims = certificate(&project, &report.results, Budget::UNLIMITED).expect("no limit");
        let mut written = Vec::new();
        claims.write(&mut written).expect("memory can be written to");
        if !is_stuck {
            let judged = certify(&project, "c", &written, &[], Budget::UNLIMITED).expect("it can be read");
            assert!(judged.results.iter().all(|result| result.accepted), "seed {seed}:\n{text}");
        }
    }
    assert!(is_single_seed() || counts.iter().all(|&count| count > 20), "{counts:?}");
}

#[test]
fn a_silent_loop_beside_the_end_is_no_end() {
    let text = "A = (a -> END). B = (d -> B | a -> B)\\{d}. ||S = (A || B). ||T = (A || C). C = (a -> STOP).";
    let project = Project::new("m.lts", text, Box::new(|_| Err("no imports".to_owned())));
    let only = ["deadlock", "divergence", "progress"].map(str::to_owned).to_vec();
    let report = check(&project, &CheckQuery { only, ..CheckQuery::default() }, Budget::UNLIMITED)
        .expect("no mistake");
    let told: BTreeSet<String> = report
        .results
        .iter()
        .map(|result| {
            format!("{} {} {:?} {:?}", result.target, result.property, result.verdict, result.cycle)
        })
        .collect();
    let expected = [
        "S deadlock Holds []",
        "S divergence Violated [\"tau\"]",
        "S progress Violated [\"tau\"]",
        "T deadlock Holds []",
        "T divergence Holds []",
        "T progress Violated []",
    ];
    assert_eq!(told, expected.map(str::to_owned).into());
}
