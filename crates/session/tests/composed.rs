//! Random pairs of message components whose properties rest on each other: what is proved from the parts is never violated in
//! the product of both.

use rely_base::{Budget, Limits};
use rely_session::report::{Verdict, VerifyResult};
use rely_session::{Project, Strategy, VerifyQuery, certify, verify};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

/// A component with one process that takes `input` and sends `output`, and random properties over both.
fn component(rng: &mut Rng, name: &str, input: &str, output: &str) -> String {
    let states = 1 + rng.below(3);
    let mut text = format!("component {name} {{\n    input {input}\n    output {output}\n    process P {{\n");
    for state in 0..states {
        let action = if rng.chance(1, 2) { format!(" {{ send {output} }}") } else { String::new() };
        text.push_str(&format!("        state s{state}{action}\n"));
    }
    for state in 0..states {
        // Every message that comes has a transition.
        if state == 0 || rng.chance(5, 6) {
            text.push_str(&format!("        s{state} -> s{} on {input}\n", rng.below(states)));
        }
    }
    text.push_str("    }\n");
    for number in 0..3 {
        text.push_str(&format!("    property p{number}: {}\n", statement(rng, input, output)));
        if rng.chance(3, 4) {
            text.push_str(&format!("        assuming {}\n", statement(rng, output, input)));
        }
    }
    text.push_str("}\n");
    text
}

/// A statement about what is sent, given what is taken.
fn statement(rng: &mut Rng, taken: &str, sent: &str) -> String {
    match rng.below(7) {
        0 => format!("Never({sent})"),
        1 => format!("Never({sent}) UntilAfter({taken})"),
        2 => format!("After({sent}) Never({sent}) UntilAfter({taken})"),
        3 => format!("After({taken}) Eventually({sent})"),
        4 => format!("Eventually({sent})"),
        5 => format!("Repeatedly({sent})"),
        _ => format!("IfRepeatedly({taken}) Repeatedly({sent})"),
    }
}

fn ask(text: &str, strategy: Strategy) -> Vec<VerifyResult> {
    let project = Project::new("m.aim", text, Box::new(|_| Err("nothing".to_owned())));
    let query = VerifyQuery { strategy, ..VerifyQuery::about("Both") };
    let budget = Budget::new(Limits { states: Some(50_000), bytes: None }, None);
    let verified = verify(&project, &query, budget).expect("runs can be replayed");
    assert!(!verified.report.has_errors(), "{text}\n{:?}", verified.report.diagnostics);
    verified.report.results
}

#[test]
fn what_is_proved_from_parts_is_true_of_the_whole() {
    let (mut proved, mut open, mut mutual) = (0, 0, 0);
    for seed in seeds(1_200) {
        let mut rng = Rng::new(seed);
        let mut text = component(&mut rng, "A", "x", "y");
        text.push_str(&component(&mut rng, "B", "u", "v"));
        text.push_str("component Both = A || B {\n    A.y -> B.u\n    B.v -> A.x\n");
        for number in 0..3 {
            let (taken, sent) = if rng.chance(1, 2) { ("A.x", "A.y") } else { ("B.u", "B.v") };
            text.push_str(&format!("    property g{number}: {}\n", statement(&mut rng, taken, sent)));
        }
        text.push_str("}\n");
        let whole = ask(&text, Strategy::Monolithic);
        for (part, whole) in ask(&text, Strategy::Abstract).iter().zip(&whole) {
            match part.verdict {
                Verdict::Holds => {
                    assert_ne!(whole.verdict, Verdict::Violated, "seed {seed}: {}\n{text}", part.property);
                    proved += 1;
                    let uses = |name: &str| part.used.iter().any(|used| used.component == name);
                    mutual += usize::from(uses("A") && uses("B"));
                }
                Verdict::Unknown => open += 1,
                Verdict::Violated => panic!("seed {seed}: an abstraction violates nothing"),
            }
        }
    }
    assert!(
        (proved > 40 && open > 30 && mutual > 20) || is_single_seed(),
        "too few: {proved}, {open}, {mutual}"
    );
}

/// Two of these that send to each other: none goes first.
const ONE: &str = "
component One {
    input  after_you
    output first
    process P {
        state waiting
        state goes { send first }
        waiting, goes -> goes on after_you
    }
    property waits: Never(first) UntilAfter(after_you) assuming After(after_you) Never(after_you) UntilAfter(first)
    property alternates: After(first) Never(first) UntilAfter(after_you)
        assuming After(after_you) Never(after_you) UntilAfter(first)
}
";

const TWO: &str = "
component Both = left: One || right: One {
    left.first  -> right.after_you
    right.first -> left.after_you
    property nobody_goes: Never(left.first)
}
";

#[test]
fn what_a_proof_rests_on_is_certified_wherever_the_parts_stand() {
    for text in [format!("{ONE}{TWO}"), format!("import \"one.aim\"\n{TWO}")] {
        let loader = |name: &str| match name {
            "one.aim" => Ok(ONE.as_bytes().to_vec()),
            _ => Err("there is no such file".to_owned()),
        };
        let project = Project::new("m.aim", text.as_str(), Box::new(loader));
        let query = VerifyQuery { strategy: Strategy::Abstract, certify: true, ..VerifyQuery::about("Both") };
        let verified = verify(&project, &query, Budget::UNLIMITED).expect("runs can be replayed");
        assert_eq!(verified.report.results[0].verdict, Verdict::Holds, "{text}");
        assert!(!verified.certificate.claims.is_empty());
        let json = serde_json::to_vec(&verified.certificate).expect("a certificate is plain JSON");
        let judged = certify(&project, "c.cert", &json, &[], Budget::UNLIMITED).expect("it can be judged");
        assert_eq!(judged.results.len(), verified.certificate.claims.len());
        for result in &judged.results {
            assert!(result.accepted, "{} {}: {:?}", result.target, result.property, result.reason);
        }
    }
}
