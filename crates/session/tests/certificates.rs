//! What certificates of `verify` are about.

use rely_base::Budget;
use rely_certificate::Evidence;
use rely_session::{Certificate, Project, Strategy, VerifyQuery, certify, verify};

const TEXT: &str = "
    USER = (take -> give -> USER).
    LOCK = (take -> {give, open} -> LOCK).
    DOOR = (open -> shut -> DOOR).
    LAMP = (on -> off -> LAMP).
    property TURNS = (take -> give -> TURNS).
    ||S = (LAMP || DOOR || USER || LOCK || TURNS).
";

/// The components of the only group, after the judge has accepted the certificate.
fn group(strategy: Strategy) -> Vec<usize> {
    let project = Project::new("s.lts", TEXT, Box::new(|_| Err("there are no imports".to_owned())));
    let query = VerifyQuery { strategy, ..VerifyQuery::about("S") };
    let Certificate { claims, .. } =
        verify(&project, &query, Budget::UNLIMITED).expect("no mistake").certificate;
    let mut text = Vec::new();
    Certificate::new(claims.clone()).write(&mut text).expect("a vector can be written to");
    let judged = certify(&project, "certificate", &text, Budget::UNLIMITED).expect("it can be judged");
    assert!(judged.results.len() == 1 && judged.results[0].accepted, "{:?}", judged.results);
    match &claims[0].evidence {
        Evidence::Composition(proof) => proof.groups.concat(),
        _ => panic!("properties are proved by composition"),
    }
}

#[test]
fn parts_that_are_not_needed_are_not_in_the_certificate() {
    assert_eq!(group(Strategy::Monolithic), [1, 2, 3], "nothing reaches the lamp");
    assert_eq!(group(Strategy::Reduce), [1, 2, 3]);
    assert_eq!(group(Strategy::Localise), [2], "the user suffices");
}
