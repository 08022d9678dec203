//! From text to proofs by decomposition, to certificates and back.

use rely_assume::{Algorithm, Rule};
use rely_base::Budget;

use super::{certify, judged};
use crate::report::Verdict;
use crate::{Certificate, Project, Strategy, VerifyQuery, verify};

/// Two messages pass one after the other. ORDER is a part of SYS and not of OPEN; BOTH has it twice; GREEDY breaks it.
const CHANNEL: &str = "
    INPUT  = (in -> send -> ack -> INPUT).
    OUTPUT = (send -> out -> ack -> OUTPUT).
    HASTY  = (send -> ack -> out -> HASTY).
    CHECK  = (in -> CHECKED), CHECKED = (out -> CHECK | in -> ERROR).
    property ORDER = (in -> out -> ORDER).
    property OTHER = (send -> ack -> OTHER).
    ||SYS    = (INPUT || ORDER || OUTPUT).
    ||OPEN   = (INPUT || OUTPUT).
    ||PAIR   = (ORDER || ORDER/{send/in, ack/out}).
    ||BOTH   = (ORDER || INPUT || ORDER || OUTPUT || OTHER).
    ||FAULTY = (INPUT || CHECK || OTHER || OUTPUT).
    ||HURRY  = (INPUT || HASTY || ORDER) << {out}.
    ||CALM   = (INPUT || HASTY || ORDER).
    assert ALTERNATE = [](send -> X !send)
";

fn project(text: &str) -> Project {
    Project::new("channel.lts", text, Box::new(|_| Err("no imports".into())))
}

/// The certificate of what holds, and how many answers there are.
fn verified(
    project: &Project,
    system: &str,
    properties: &[&str],
    rule: Rule,
    strategy: Strategy,
) -> (Certificate, usize) {
    let query = VerifyQuery {
        system: system.to_owned(),
        properties: properties.iter().map(|&name| name.to_owned()).collect(),
        left: Vec::new(),
        rule,
        strategy,
        algorithm: Algorithm::LStar,
        alphabets: crate::Alphabets::Whole,
        details: crate::Details::default(),
        certify: true,
        clock: &|| 0,
    };
    let verified = verify(project, &query, Budget::UNLIMITED).unwrap_or_else(|_| panic!("a mistake"));
    let holding = verified.report.results.iter().filter(|result| result.verdict == Verdict::Holds).count();
    assert_eq!(verified.certificate.claims.len(), holding, "what holds is claimed");
    (verified.certificate, verified.report.results.len())
}

const STRATEGIES: [Strategy; 6] = [
    Strategy::Auto,
    Strategy::Monolithic,
    Strategy::Localise,
    Strategy::Reduce,
    Strategy::Direct,
    Strategy::Learn,
];

#[test]
fn proofs_by_every_rule_are_certified() {
    let project = project(CHANNEL);
    let questions: [(&str, &[&str], &[&str]); 7] = [
        ("OPEN", &["PAIR", "INPUT"], &["PAIR", "INPUT"]),
        ("SYS", &[], &["ORDER"]),
        ("OPEN", &["ORDER"], &["ORDER"]),
        ("OPEN", &["ORDER", "OTHER"], &["ORDER", "OTHER"]),
        ("SYS", &["OTHER", "ORDER"], &["OTHER", "ORDER"]),
        ("BOTH", &[], &["ORDER", "ORDER", "OTHER"]),
        ("FAULTY", &[], &["OTHER", "ERROR"]),
    ];
    for (system, properties, expected) in questions {
        for rule in Rule::ALL {
            for strategy in STRATEGIES {
                let (certificate, _) = verified(&project, system, properties, rule, strategy);
                let expected: Vec<_> = expected.iter().map(|&name| (name.to_owned(), None)).collect();
                assert_eq!(judged(&project, &certificate), expected, "{system} {rule} {strategy:?}");
            }
        }
    }
}

#[test]
fn what_holds_by_priority_is_certified() {
    let project = project(CHANNEL);
    for strategy in STRATEGIES {
        let (calm, answers) = verified(&project, "CALM", &[], Rule::Simple, strategy);
        assert_eq!((calm.claims.len(), answers), (0, 1));
        let (hurry, _) = verified(&project, "HURRY", &[], Rule::Simple, strategy);
        assert_eq!(judged(&project, &hurry), [("ORDER".to_owned(), None)]);
    }
}

#[test]
fn another_model_is_rejected() {
    let (certificate, _) = verified(&project(CHANNEL), "SYS", &[], Rule::Simple, Strategy::Direct);
    let reason = |from: &str, to: &str| {
        assert!(CHANNEL.contains(from));
        judged(&project(&CHANNEL.replace(from, to)), &certificate)[0].1.clone().unwrap_or_default()
    };
    assert!(
        reason("OUTPUT = (send -> out", "OUTPUT = (send -> in").contains("component OUTPUT is another one")
    );
    assert!(
        reason("property ORDER = (in", "property ORDER = (in -> in")
            .contains("component ORDER is another one")
    );
    assert_ne!(reason("property ORDER", "ORDER"), "", "it is no property any more");
    assert_eq!(reason("||SYS ", "||SYST "), "the file has no target SYS");
    let (outside, _) = verified(&project(CHANNEL), "OPEN", &["OTHER"], Rule::Simple, Strategy::Direct);
    let gone = project(&CHANNEL.replace("OTHER", "ANOTHER"));
    assert_eq!(judged(&gone, &outside)[0].1.as_deref(), Some("there is no property OTHER"));
}

#[test]
fn a_claim_about_something_else_is_rejected() {
    let project = project(CHANNEL);
    for (system, properties) in [("SYS", &[][..]), ("OPEN", &["ORDER"]), ("FAULTY", &["ERROR"])] {
        let (certificate, _) = verified(&project, system, properties, Rule::Simple, Strategy::Direct);
        for target in ["SYS", "OPEN", "BOTH", "FAULTY", "CALM", "HURRY", "DEFAULT", "NOBODY"] {
            for property in ["ORDER", "OTHER", "ERROR", "INPUT", "ALTERNATE", "NOBODY", ""] {
                let mut other = certificate.clone();
                other.claims[0].target = target.to_owned();
                other.claims[0].property = property.to_owned();
                let judgement = judged(&project, &other);
                assert_eq!(
                    judgement[0].1.is_none(),
                    other == certificate,
                    "{target} {property}: {judgement:?}"
                );
            }
        }
    }
}

#[test]
fn a_changed_text_is_rejected() {
    let project = project(CHANNEL);
    let (certificate, _) = verified(&project, "SYS", &[], Rule::Simple, Strategy::Direct);
    let mut text = Vec::new();
    certificate.write(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let mut changed = 0;
    for (i, line) in lines.iter().enumerate() {
        // Only transitions end like this: a name, a space, a number.
        let Some((start, target)) = line.trim_end_matches([',', '"']).rsplit_once(' ') else { continue };
        let Ok(target) = target.parse::<u32>() else { continue };
        if start.ends_with(':') {
            continue;
        }
        let end = &line[line.trim_end_matches([',', '"']).len()..];
        let elsewhere = format!("{start} {}{end}", (target + 1) % 2);
        let mut other = lines.clone();
        other[i] = &elsewhere;
        let report = certify(&project, "x", other.join("\n").as_bytes(), Budget::UNLIMITED).unwrap();
        assert!(!report.results[0].accepted, "{line} {elsewhere}");
        changed += 1;
    }
    assert!(changed >= 3, "{text}");
}
