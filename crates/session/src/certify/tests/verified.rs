//! From text to proofs by decomposition, to certificates and back.

use rely_assume::{Algorithm, Rule};
use rely_base::{Budget, Id};
use rely_certificate::{Decomposition, Evidence, Premise};
use rely_lts::ComponentId;

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
        by_flow: None,
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
        ("SYS", &[], &["ORDER", "safety"]),
        ("OPEN", &["ORDER"], &["ORDER"]),
        ("OPEN", &["ORDER", "OTHER"], &["ORDER", "OTHER"]),
        ("SYS", &["OTHER", "ORDER"], &["OTHER", "ORDER", "safety"]),
        ("BOTH", &[], &["ORDER#1", "ORDER#3", "OTHER", "safety"]),
        ("FAULTY", &[], &["OTHER", "ERROR", "safety"]),
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
        assert_eq!(judged(&project, &hurry), [("ORDER".to_owned(), None), ("safety".to_owned(), None)]);
    }
}

/// P and Q forbid what M does, and T allows it; the step that breaks one of the first two breaks the other.
const TOGETHER: &str = "
    M = (a -> M).
    property P = STOP + {a}.
    property Q = STOP + {a}.
    property T = (a -> T).
    ||S = (M || P || Q || T).
";

#[test]
fn properties_that_are_broken_together_do_not_excuse_each_other() {
    let project = project(TOGETHER);
    for strategy in STRATEGIES {
        let (honest, answers) = verified(&project, "S", &[], Rule::Simple, strategy);
        assert_eq!((honest.claims.len(), answers), (1, 3), "only T holds");
        // The claim about T, made one about P or Q in every way that its parts allow.
        for (name, goal, observers) in [("P", 1, "2, 3"), ("Q", 2, "1, 3")] {
            for group in [vec![0], vec![0, 3], vec![0, 1, 3], vec![0, 2, 3], vec![0, 2], vec![0, 1]] {
                let mut forged = honest.clone();
                let claim = &mut forged.claims[0];
                claim.property = name.to_owned();
                claim.statement = format!(
                    "none of {{{goal}}} fails, unless something has failed before; {{{observers}}} are set aside"
                );
                claim.evidence = Evidence::Composition(Decomposition {
                    groups: vec![group.clone()],
                    ..Decomposition::monolithic(4, &[ComponentId::from_index(goal)], &[])
                });
                if let Evidence::Composition(decomposition) = &mut claim.evidence
                    && let Premise::Triple { components, .. } = &mut decomposition.premises[0]
                {
                    components.clone_from(&group);
                }
                let judgement = judged(&project, &forged);
                assert!(judgement[0].1.is_some(), "{name} {group:?}: {judgement:?}");
            }
        }
    }
}

#[test]
fn a_part_that_fails_does_not_excuse_a_property() {
    let project = project(
        "M = (a -> ERROR | b -> M). property P = (b -> P) + {a}. ||S = (M || P).
         N = (a -> STOP | c -> ERROR). property R = (b -> R) + {a, c}. ||T = (N || R || K). K = (b -> a -> K).",
    );
    for strategy in STRATEGIES {
        for system in ["S", "T"] {
            let (certificate, answers) = verified(&project, system, &[], Rule::Simple, strategy);
            assert_eq!((certificate.claims.len(), answers), (0, 2), "{system} {strategy:?}");
        }
    }
}

#[test]
fn a_run_ends_when_a_part_fails() {
    // E goes on when M has failed, and would break P; but nothing goes on then.
    let project = project(
        "M = (go -> ERROR). E = (go -> a -> E). property P = STOP + {a}. ||S = (M || E || P).
         F = (x -> go -> a -> F | y -> F).  G = (go -> ERROR | x -> G). ||T = (G || F || P).",
    );
    for strategy in STRATEGIES {
        for system in ["S", "T"] {
            let (certificate, answers) = verified(&project, system, &[], Rule::Simple, strategy);
            assert_eq!((certificate.claims.len(), answers), (1, 2), "{system} {strategy:?}");
            assert_eq!(judged(&project, &certificate), [("P".to_owned(), None)], "{system} {strategy:?}");
        }
    }
}

#[test]
fn each_of_several_properties_with_one_name_is_meant() {
    let project = project(
        "M = (a -> b -> M). N = (c -> c -> d -> N). property P = (a -> b -> P). ||S = (M || N || P || P/{c/a, d/b}).
         ||X = (M || x:P/{a/x.a, b/x.b}).",
    );
    let (certificate, answers) = verified(&project, "S", &[], Rule::Simple, Strategy::Auto);
    assert_eq!(answers, 2);
    assert_eq!(judged(&project, &certificate), [("P#3".to_owned(), None)]);
    // A name that several goals share has to be made unique.
    let asked = VerifyQuery { properties: vec!["P".to_owned()], ..VerifyQuery::about("S") };
    let report = verify(&project, &asked, Budget::UNLIMITED).unwrap_or_else(|_| panic!("a mistake")).report;
    assert_eq!(report.diagnostics[0].code, "E0012");
    let mut unclear = certificate.clone();
    unclear.claims[0].property = "P".to_owned();
    assert_eq!(judged(&project, &unclear)[0].1.as_deref(), Some("P may be P#3 or P#4"));
    let (fourth, _) = verified(&project, "S", &["P#4"], Rule::Simple, Strategy::Auto);
    assert_eq!(fourth.claims.len(), 0, "it is violated");
    // What `verify` takes a name for, the judge takes it for.
    let (inside, _) = verified(&project, "X", &["P"], Rule::Simple, Strategy::Auto);
    assert_eq!(judged(&project, &inside), [("x:P".to_owned(), None), ("safety".to_owned(), None)]);
    let mut short = inside.clone();
    short.claims[0].property = "P".to_owned();
    assert_eq!(judged(&project, &short)[0].1.as_deref(), Some("P is called x:P here"));
}

#[test]
fn what_is_not_claimed_is_said() {
    let project = project(CHANNEL);
    let report = |certificate: &Certificate, expected: &[&str]| {
        let mut text = Vec::new();
        certificate.write(&mut text).unwrap();
        let expected: Vec<String> = expected.iter().map(|&name| name.to_owned()).collect();
        certify(&project, "x", &text, &expected, Budget::UNLIMITED).unwrap()
    };
    let (some, _) = verified(&project, "FAULTY", &["OTHER"], Rule::Simple, Strategy::Auto);
    let partial = report(&some, &["FAULTY: property OTHER"]);
    assert!(partial.results.iter().all(|result| result.accepted && !result.derived));
    assert_eq!(partial.diagnostics[0].code, "W0007");
    assert!(partial.diagnostics[0].message.ends_with("nothing shows ERROR of CHECK"));
    for missing in ["FAULTY: safety", "ERROR", "progress OTHER", "SYS: OTHER"] {
        let last = report(&some, &[missing]).results.pop().unwrap();
        assert!(!last.accepted && last.reason.is_some(), "{missing}");
    }
    let (all, _) = verified(&project, "FAULTY", &[], Rule::Simple, Strategy::Auto);
    let whole = report(&all, &["FAULTY: safety", "ERROR", "property OTHER"]);
    assert!(whole.results.iter().all(|result| result.accepted) && whole.diagnostics.is_empty());
    assert!(whole.results.last().unwrap().derived);
    // A claim that is not accepted covers nothing.
    let mut broken = all.clone();
    broken.claims[0].statement.push('!');
    assert_eq!(report(&broken, &[]).diagnostics.len(), 1);
}

#[test]
fn claims_of_the_former_format_are_refused() {
    let project = project(CHANNEL);
    let (mut certificate, _) = verified(&project, "SYS", &[], Rule::Simple, Strategy::Auto);
    certificate.schema = "rely/certificate/1".to_owned();
    let reason = judged(&project, &certificate)[0].1.clone().unwrap();
    assert!(reason.contains("write the certificate anew"), "{reason}");
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
        let report = certify(&project, "x", other.join("\n").as_bytes(), &[], Budget::UNLIMITED).unwrap();
        assert!(!report.results[0].accepted, "{line} {elsewhere}");
        changed += 1;
    }
    assert!(changed >= 3, "{text}");
}
