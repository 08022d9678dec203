//! From text to certificates and back.

mod verified;

use rely_base::Budget;

use super::*;
use crate::{CheckQuery, check};

const LAMP: &str = "
    LAMP = (on -> off -> LAMP).
    property ONCE = (on -> off -> ONCE).
    ||SYS = (LAMP || ONCE).
    progress SHINES = {on}
    fluent LIT = <on, off>
    assert DARK = [](on -> <>!LIT)
    assert NEVER = []!LIT
";

fn project(text: &str) -> Project {
    Project::new("lamp.lts", text, Box::new(|_| Err("no imports".into())))
}

fn certificate_of(project: &Project, only: &[&str]) -> Certificate {
    let only = only.iter().map(|&only| only.to_owned()).collect();
    let report = check(project, &CheckQuery { only, ..CheckQuery::default() }, Budget::UNLIMITED).unwrap();
    certificate(project, &report.results, Budget::UNLIMITED).unwrap()
}

fn judged(project: &Project, certificate: &Certificate) -> Vec<(String, Option<String>)> {
    let mut text = Vec::new();
    certificate.write(&mut text).unwrap();
    let report = certify(project, "lamp.cert", &text, &[], Budget::UNLIMITED).unwrap();
    report.results.into_iter().map(|result| (result.property, result.reason)).collect()
}

#[test]
fn what_holds_is_certified() {
    let project = project(LAMP);
    let certificate = certificate_of(&project, &[]);
    let expected = ["deadlock", "safety", "SHINES", "DARK"].map(|name| (name.to_owned(), None));
    assert_eq!(judged(&project, &certificate), expected);
    let divergence = certificate_of(&project, &["divergence"]);
    assert_eq!(judged(&project, &divergence), [("divergence".to_owned(), None)]);
}

#[test]
fn default_progress_is_certified() {
    let project = project("LAMP = (on -> off -> LAMP).");
    assert_eq!(judged(&project, &certificate_of(&project, &["progress"])), [("progress".to_owned(), None)]);
}

#[test]
fn another_model_is_rejected() {
    let certificate = certificate_of(&project(LAMP), &[]);
    let reasons = |from: &str, to: &str| -> Vec<String> {
        let judged = judged(&project(&LAMP.replace(from, to)), &certificate);
        judged.into_iter().map(|(_, reason)| reason.unwrap_or_default()).collect()
    };
    let broken = reasons("LAMP = (on -> off", "LAMP = (on -> on");
    assert!(broken.iter().all(|reason| reason.contains("component LAMP is another one")), "{broken:?}");
    let renamed = reasons("||SYS", "||OTHER");
    assert!(renamed.iter().all(|reason| reason == "the file has no target SYS"), "{renamed:?}");
    let hidden = reasons("(LAMP || ONCE).", "(LAMP || ONCE)\\{on}.");
    assert!(hidden.iter().all(|reason| reason.contains("hiding")), "{hidden:?}");
    let fluent = reasons("LIT = <on, off>", "LIT = <off, on>");
    assert!(fluent[..3].iter().all(String::is_empty) && fluent[3].contains("another property"), "{fluent:?}");
    let gone = reasons("progress SHINES", "progress SHONE");
    assert_eq!(gone[2], "the file has no progress property SHINES");
}

#[test]
fn a_claim_that_is_false_is_rejected() {
    let project = project(LAMP);
    let mut certificate = certificate_of(&project, &["DARK"]);
    let model = Model::read(&project, [("SYS", "NEVER")].into_iter(), Budget::UNLIMITED).unwrap();
    let network = model.target("SYS").unwrap();
    let never = model.property((Kind::Ltl, Fairness::Choice), "NEVER").unwrap();
    certificate.claims[0] = Claim::new("SYS", network, &never, certificate.claims[0].evidence.clone());
    assert_ne!(judged(&project, &certificate)[0].1, None);
}

#[test]
fn what_is_no_certificate_is_an_error() {
    for text in ["", "{}", "[1, 2", "{\"schema\":\"rely/certificate/9\",\"claims\":[]}", "\u{1F600}"] {
        let failed = certify(&project(LAMP), "x.cert", text.as_bytes(), &[], Budget::UNLIMITED).unwrap_err();
        let Failed::Errors(findings) = failed else { panic!("{text}: {failed:?}") };
        assert_eq!((findings.len(), &*findings[0].file), (1, "x.cert"), "{text}");
    }
    let broken = certificate_of(&project(LAMP), &[]);
    let mut text = Vec::new();
    broken.write(&mut text).unwrap();
    let failed = certify(&project("LAMP = (on -> LAMB)."), "x.cert", &text, &[], Budget::UNLIMITED);
    assert!(!matches!(failed, Err(Failed::Exhausted(..))));
}

#[test]
fn a_certificate_without_claims_is_not_accepted() {
    let project = project(LAMP);
    let nothing = certificate_of(&project, &["NEVER"]);
    assert!(nothing.claims.is_empty(), "NEVER is violated");
    let mut text = Vec::new();
    nothing.write(&mut text).unwrap();
    match certify(&project, "lamp.cert", &text, &[], Budget::UNLIMITED) {
        Err(Failed::Errors(findings)) => {
            assert!(findings[0].message.contains("claims nothing"), "{findings:?}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_certificate_is_for_one_kind_of_fairness() {
    let coin = project("COIN = (a -> COIN | b -> COIN).\nassert TWICE = []<>(a && X a)");
    let query = CheckQuery {
        only: vec!["ltl".to_owned()],
        fairness: Some(Fairness::Random),
        ..CheckQuery::default()
    };
    let results = check(&coin, &query, Budget::UNLIMITED).unwrap().results;
    let mut certificate = certificate(&coin, &results, Budget::UNLIMITED).unwrap();
    let results = |certificate: &Certificate| {
        let mut text = Vec::new();
        certificate.write(&mut text).unwrap();
        certify(&coin, "coin.cert", &text, &[], Budget::UNLIMITED).unwrap().results
    };
    let accepted = &results(&certificate)[0];
    assert_eq!((accepted.accepted, accepted.fairness), (true, Some(Fairness::Random)));
    // The statement is what is judged.
    for (fairness, shown) in [
        ("choice", None),
        ("none", Some(Fairness::None)),
        ("whatever", None),
        ("random; fairness: choice", None),
    ] {
        let claim = &mut certificate.claims[0];
        claim.statement = claim.statement.split("; fairness").next().unwrap().to_owned();
        claim.statement.push_str(&format!("; fairness: {fairness}"));
        let rejected = &results(&certificate)[0];
        assert_eq!((rejected.accepted, rejected.fairness), (false, shown), "{fairness}");
    }
}
