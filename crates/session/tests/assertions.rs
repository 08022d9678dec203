//! An assertion that `verify` takes as a property process gets the verdict that `check` gives it, or none.

use rely_base::Budget;
use rely_session::report::Verdict;
use rely_session::{CheckQuery, Project, VerifyQuery, check, verify};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

/// A random formula over the actions a and b and the fluent F.
fn formula(rng: &mut Rng, depth: usize) -> String {
    if depth == 0 || rng.chance(1, 5) {
        return (*rng.pick(&["a", "b", "F", "!a", "!b", "!F"])).to_owned();
    }
    let below = |rng: &mut Rng| formula(rng, depth - 1);
    match rng.below(8) {
        0 => format!("X {}", below(rng)),
        1 | 2 => format!("[]({})", below(rng)),
        3 => format!("({} W {})", below(rng), below(rng)),
        4 => format!("({} -> {})", below(rng), below(rng)),
        5 => format!("({} && {})", below(rng), below(rng)),
        6 => format!("({} || {})", below(rng), below(rng)),
        _ => format!("!({})", below(rng)),
    }
}

/// A random process, which may get stuck.
fn process(rng: &mut Rng, name: &str, actions: &[&str]) -> String {
    let states = 1 + rng.below(3);
    let mut text = format!("{name} = {name}_0");
    for state in 0..states {
        let step = |rng: &mut Rng| format!("{} -> {name}_{}", *rng.pick(actions), rng.below(states));
        let steps: Vec<String> = (0..rng.below(4)).map(|_| step(rng)).collect();
        let body = if steps.is_empty() { "STOP".to_owned() } else { format!("({})", steps.join(" | ")) };
        text += &format!(", {name}_{state} = {body}");
    }
    text + ".\n"
}

#[test]
fn a_property_process_of_an_assertion_means_what_the_assertion_means() {
    let (mut holds, mut violated, mut refused) = (0, 0, 0);
    for seed in seeds(2500) {
        let rng = &mut Rng::new(seed);
        let (first, second) = (process(rng, "M", &["a", "c"]), process(rng, "N", &["b", "c", "d"]));
        let text = format!(
            "{first}{second}||S = (M || N).\nfluent F = <a, {{b, c}}>\nassert A = []({})\n",
            formula(rng, 3)
        );
        let project = Project::new("m.lts", text.clone(), Box::new(|_| Err("no imports".to_owned())));
        let asked = VerifyQuery { properties: vec!["A".to_owned()], ..VerifyQuery::about("S") };
        let proved = verify(&project, &asked, Budget::UNLIMITED).expect("no mistake").report;
        if proved.has_errors() {
            let codes: Vec<&str> = proved.diagnostics.iter().map(|finding| finding.code.as_str()).collect();
            assert!(codes.contains(&"E0321") || codes.contains(&"E0332"), "seed {seed}: {codes:?}\n{text}");
            refused += 1;
            continue;
        }
        let only = CheckQuery { only: vec!["A".to_owned()], ..CheckQuery::default() };
        let checked = check(&project, &only, Budget::UNLIMITED).expect("no mistake");
        let [proved, checked] = [proved.results[0].verdict, checked.results[0].verdict];
        assert_eq!(proved, checked, "seed {seed}\n{text}");
        if checked == Verdict::Holds { holds += 1 } else { violated += 1 }
    }
    let enough = holds > 200 && violated > 200 && refused > 200;
    assert!(enough || is_single_seed(), "too lopsided: {holds}, {violated}, {refused}");
}
