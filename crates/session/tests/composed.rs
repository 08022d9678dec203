//! Random pairs of message components whose properties rest on each other: what is proved from the parts is never violated in
//! the product of both.

use rely_base::{Budget, Limits};
use rely_certificate::{Certificate, Claim, Derivation, Evidence, Grounds, PartPremise};
use rely_session::report::{Verdict, VerifyResult};
use rely_session::{CheckQuery, Project, Strategy, VerifyQuery, certificate, certify, check, verify};
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
    let (mut proved, mut open, mut mutual, mut certified) = (0, 0, 0, 0);
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
        let by_parts = ask(&text, Strategy::Abstract);
        if by_parts.iter().any(|result| result.verdict == Verdict::Holds) {
            certified += certify_all(&text, seed);
        }
        for (part, whole) in by_parts.iter().zip(&whole) {
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
        "too few: {proved}, {open}, {mutual}, {certified}"
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

/// Every proof from the parts is accepted by the judge. How many there are.
fn certify_all(text: &str, seed: u64) -> usize {
    let project = Project::new("m.aim", text, Box::new(|_| Err("nothing".to_owned())));
    let query = VerifyQuery { strategy: Strategy::Abstract, certify: true, ..VerifyQuery::about("Both") };
    let verified = verify(&project, &query, Budget::UNLIMITED).expect("runs can be replayed");
    let holding = verified.report.results.iter().filter(|result| result.verdict == Verdict::Holds);
    let expected: Vec<String> = holding.map(|result| format!("Both: {}", result.property)).collect();
    let json = serde_json::to_vec(&verified.certificate).expect("a certificate is plain JSON");
    let judged = certify(&project, "c.cert", &json, &expected, Budget::UNLIMITED).expect("it can be judged");
    for result in &judged.results {
        assert!(
            result.accepted,
            "seed {seed}: {} {}: {:?}\n{text}",
            result.target, result.property, result.reason
        );
    }
    expected.len()
}

/// The claims of everything that holds of the parts, and of the whole with evidence by a derivation.
fn forged(project: &Project, goal: &str, derivation: Derivation) -> Option<Certificate> {
    let query = CheckQuery { targets: vec!["A".to_owned(), "B".to_owned()], ..CheckQuery::default() };
    let report = check(project, &query, Budget::UNLIMITED).expect("runs can be replayed");
    let mut claims = certificate(project, &report.results, Budget::UNLIMITED).ok()?.claims;
    let whole = CheckQuery { targets: vec!["Both".to_owned()], ..CheckQuery::default() };
    let mut report = check(project, &whole, Budget::UNLIMITED).expect("runs can be replayed");
    // A claim about the whole, with evidence of any kind: that is replaced.
    report.results.retain(|result| result.property == goal);
    report.results.iter_mut().for_each(|result| result.verdict = Verdict::Holds);
    let claim = certificate(project, &report.results, Budget::UNLIMITED).ok()?.claims.pop()?;
    claims.push(Claim { evidence: Evidence::Derivation(derivation), ..claim });
    Some(Certificate::new(claims))
}

/// A derivation of any kind, over the properties of the parts.
fn random_derivation(rng: &mut Rng, assumptions: &dyn Fn(usize, usize) -> usize) -> Derivation {
    let count = 2 + rng.below(4);
    let any = |rng: &mut Rng| Grounds {
        premises: (0..count).filter(|_| rng.chance(1, 2)).collect(),
        environment: Vec::new(),
    };
    let mut premises = Vec::new();
    for number in 0..count {
        let (part, property) = (if number < 2 { number } else { rng.below(2) }, rng.below(3));
        let assumed = (0..assumptions(part, property)).map(|_| any(rng)).collect();
        let inductive = number < 2 || rng.chance(1, 2);
        premises.push(PartPremise {
            part,
            property: format!("p{property}"),
            inductive,
            assumptions: assumed,
        });
    }
    Derivation { premises, claim: any(rng), longer: rng.chance(1, 4) }
}

/// Forgers write derivations of properties that the product violates, with all that is true of the parts as premises.
#[test]
fn no_derivation_of_what_is_false_is_accepted() {
    let (mut forgeries, mut accepted) = (0, 0);
    for seed in seeds(80) {
        let mut rng = Rng::new(seed);
        let mut text = component(&mut rng, "A", "x", "y");
        text.push_str(&component(&mut rng, "B", "u", "v"));
        text.push_str("component Both = A || B {\n    A.y -> B.u\n    B.v -> A.x\n");
        for number in 0..3 {
            let (taken, sent) = if rng.chance(1, 2) { ("A.x", "A.y") } else { ("B.u", "B.v") };
            text.push_str(&format!("    property g{number}: {}\n", statement(&mut rng, taken, sent)));
        }
        text.push_str("}\n");
        let declared: Vec<&str> = text.lines().collect();
        let assumptions = |part: usize, property: usize| {
            let name = format!("    property p{property}:");
            let line = declared.iter().enumerate().filter(|(_, line)| line.starts_with(&name)).nth(part);
            line.map_or(0, |(at, _)| usize::from(declared[at + 1].contains("assuming")))
        };
        let whole = ask(&text, Strategy::Monolithic);
        let project = Project::new("m.aim", text.as_str(), Box::new(|_| Err("nothing".to_owned())));
        for result in &whole {
            for _ in 0..6 {
                let derivation = random_derivation(&mut rng, &assumptions);
                let Some(certificate) = forged(&project, &result.property, derivation) else { continue };
                let json = serde_json::to_vec(&certificate).expect("a certificate is plain JSON");
                let judged =
                    certify(&project, "c.cert", &json, &[], Budget::UNLIMITED).expect("it can be judged");
                let is_accepted = judged.results.iter().any(|it| it.target == "Both" && it.accepted);
                accepted += usize::from(is_accepted);
                if result.verdict == Verdict::Violated {
                    forgeries += 1;
                    assert!(
                        !is_accepted,
                        "seed {seed}: {}: {:?}\n{text}",
                        result.property,
                        certificate.claims.last()
                    );
                }
            }
        }
    }
    assert!((forgeries > 100 && accepted > 0) || is_single_seed(), "too few: {forgeries}, {accepted}");
}

/// The certificate of a composed proof stands only with all of its steps, and with the claims about the parts before it.
#[test]
fn a_derivation_with_a_step_less_is_rejected() {
    let text = format!("{ONE}{TWO}");
    let project = Project::new("m.aim", text.as_str(), Box::new(|_| Err("nothing".to_owned())));
    let query = VerifyQuery { strategy: Strategy::Abstract, certify: true, ..VerifyQuery::about("Both") };
    let honest = verify(&project, &query, Budget::UNLIMITED).expect("runs can be replayed").certificate;
    let is_accepted = |certificate: &Certificate| {
        let json = serde_json::to_vec(certificate).expect("a certificate is plain JSON");
        let judged = certify(&project, "c.cert", &json, &[], Budget::UNLIMITED).expect("it can be judged");
        judged.results.iter().any(|it| it.target == "Both" && it.accepted)
    };
    assert!(is_accepted(&honest));
    let last = honest.claims.len() - 1;
    for missing in 0..last {
        let mut certificate = honest.clone();
        certificate.claims.remove(missing);
        assert!(!is_accepted(&certificate), "without {}", honest.claims[missing].property);
    }
    let Evidence::Derivation(derivation) = &honest.claims[last].evidence else { panic!("a derivation") };
    let with = |changed: Derivation| {
        let mut certificate = honest.clone();
        certificate.claims[last].evidence = Evidence::Derivation(changed);
        certificate
    };
    for number in 0..derivation.premises.len() {
        // Nothing follows from nothing.
        for assumption in 0..derivation.premises[number].assumptions.len() {
            let mut changed = derivation.clone();
            changed.premises[number].assumptions[assumption] = Grounds::default();
            assert!(!is_accepted(&with(changed)), "premise {number} rests on nothing");
        }
        // In turn, two properties that rest on each other are none before the other.
        let mut changed = derivation.clone();
        changed.premises.iter_mut().for_each(|premise| premise.inductive = false);
        changed.premises[number].inductive = true;
        assert!(!is_accepted(&with(changed)), "only premise {number} is inductive");
    }
    let mut changed = derivation.clone();
    changed.claim = Grounds::default();
    assert!(!is_accepted(&with(changed)), "the claim follows from nothing");
    let mut changed = derivation.clone();
    changed.claim.premises.push(99);
    changed.claim.environment.push(99);
    assert!(!is_accepted(&with(changed)), "what does not exist");
    // The claims about the parts have to come first.
    let mut certificate = honest.clone();
    certificate.claims.rotate_right(1);
    assert!(!is_accepted(&certificate), "the derivation is first");
}

/// A composition of compositions: what holds one step longer than it assumes is shown from the parts, level by level.
#[test]
fn several_levels_of_composition_are_proved_and_certified() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/relay.aim");
    let text = std::fs::read_to_string(path).expect("there is the model");
    let project = Project::new("relay.aim", text.as_str(), Box::new(|_| Err("nothing".to_owned())));
    let query = VerifyQuery { strategy: Strategy::Abstract, certify: true, ..VerifyQuery::about("Eight") };
    // The product of all processes has many millions of states.
    let budget = Budget::new(Limits { states: Some(20_000), bytes: None }, None);
    let verified = verify(&project, &query, budget).expect("runs can be replayed");
    for result in &verified.report.results {
        assert_eq!(result.verdict, Verdict::Holds, "{}: {:?}", result.property, result.reason);
    }
    let json = serde_json::to_vec(&verified.certificate).expect("a certificate is plain JSON");
    let judged =
        certify(&project, "c.cert", &json, &["Eight: passes".to_owned()], budget).expect("it can be judged");
    for result in &judged.results {
        assert!(result.accepted, "{} {}: {:?}", result.target, result.property, result.reason);
    }
}
