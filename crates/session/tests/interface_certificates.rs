//! Certificates of `compatible` and `refines`: what they say is judged, and nothing of it can be left out.

use rely_base::Budget;
use rely_certificate::{Evidence, StateTable, Table};
use rely_session::report::Verdict;
use rely_session::{Certificate, CompatibleQuery, Project, RefinesQuery, certify, compatible, refines};

const MESSAGING: &str = "
interface MSG = (msg? -> send! -> (ack? -> OK | nack? -> send! -> (ack? -> OK | nack? -> fail! -> MSG))),
OK = (ok! -> MSG).
interface USR = (msg! -> ok? -> USR) + {fail?}.
interface ENV = (send? -> (ack! -> ENV | busy -> nack! -> send? -> ack! -> ENV)).
interface E_GOOD = (send? -> (ack! -> E_GOOD | nack! -> send? -> ack! -> E_GOOD)).
interface E_BAD  = (send? -> {ack!, nack!} -> E_BAD).
// Between two answers there is a rest.
REST = (send -> {ack, nack} -> rest -> REST).
||SYS    = (MSG || USR).
||RESTED = (SYS || ENV || REST).
";

fn project(text: &str) -> Project {
    Project::new("messaging.lts", text, Box::new(|_| Err("there are no imports".to_owned())))
}

/// Why each claim of a certificate is not accepted; nothing for those that are.
fn judged(text: &str, certificate: &Certificate) -> Vec<Option<String>> {
    let mut written = Vec::new();
    certificate.write(&mut written).expect("memory can be written to");
    let report = certify(&project(text), "x.cert", &written, &[], Budget::UNLIMITED).expect("it can be read");
    report.results.into_iter().map(|result| result.reason).collect()
}

fn compatible_certificate(query: &CompatibleQuery) -> Certificate {
    let matched = compatible(&project(MESSAGING), query, Budget::UNLIMITED).expect("no mistake");
    assert_eq!(matched.report.results[0].verdict, Verdict::Holds, "{query:?}");
    matched.certificate
}

fn refines_certificate(implementation: &str, specification: &str) -> Certificate {
    let (implementation, specification) = (implementation.to_owned(), specification.to_owned());
    let query = RefinesQuery { implementation, specification, certify: true };
    let compared = refines(&project(MESSAGING), &query, Budget::UNLIMITED).expect("no mistake");
    assert_eq!(compared.report.results[0].verdict, Verdict::Holds, "{query:?}");
    compared.certificate
}

/// The table of a claim; how many numbers a key has is the number of components of the claim.
fn table(certificate: &mut Certificate) -> (&mut Table, usize) {
    let claim = &mut certificate.claims[0];
    let width = claim.components.len();
    match &mut claim.evidence {
        Evidence::Invariant { states } => (states, width),
        Evidence::Simulation { pairs } => (pairs, width),
        other => panic!("no table: {other:?}"),
    }
}

/// The certificate without each of its rows.
fn without_a_row(certificate: &Certificate) -> Vec<Certificate> {
    let mut original = certificate.clone();
    let (encoded, width) = table(&mut original);
    let rows = StateTable::decode(encoded, width, 0, &Budget::UNLIMITED).expect("no limit").expect("a table");
    let without = |left_out: usize| {
        let mut changed = certificate.clone();
        let mut kept = StateTable::new(width, 0);
        (0..rows.len())
            .filter(|&row| row != left_out)
            .for_each(|row| kept.push(rows.key(row).iter().copied()));
        *table(&mut changed).0 = kept.encode();
        changed
    };
    (0..rows.len()).map(without).collect()
}

#[test]
fn no_state_of_a_compatible_system_can_be_left_out() {
    let queries = [
        (&["MSG", "USR", "ENV"][..], false, false),
        (&["SYS", "E_GOOD"], false, true),
        (&["RESTED"], false, false),
        // Open systems: in some environment, and in every one that keeps to the inputs.
        (&["SYS"], false, false),
        (&["MSG"], true, false),
    ];
    for (components, every_environment, weak) in queries {
        let components: Vec<String> = components.iter().map(|&name| name.to_owned()).collect();
        let query = CompatibleQuery {
            components,
            every_environment,
            weak,
            certify: true,
            ..CompatibleQuery::default()
        };
        let certificate = compatible_certificate(&query);
        assert_eq!(judged(MESSAGING, &certificate), [None], "{query:?}");
        let changed = without_a_row(&certificate);
        assert!(changed.len() > 1, "{query:?}");
        for (row, changed) in changed.iter().enumerate() {
            let reasons = judged(MESSAGING, changed);
            assert!(
                reasons[0].as_ref().is_some_and(|reason| reason.contains("lacks")),
                "{query:?} {row}: {reasons:?}"
            );
        }
        // Another question has another answer.
        let mut other = certificate.clone();
        other.claims[0].target = "MSG,USR,E_BAD: compatible".to_owned();
        assert_ne!(judged(MESSAGING, &other), [None], "{query:?}");
    }
}

#[test]
fn no_pair_of_a_refinement_can_be_left_out() {
    for (implementation, specification) in [("ENV", "E_GOOD"), ("E_GOOD", "E_BAD"), ("SYS", "SYS")] {
        let certificate = refines_certificate(implementation, specification);
        assert_eq!(judged(MESSAGING, &certificate), [None], "{implementation} {specification}");
        let changed = without_a_row(&certificate);
        assert!(changed.len() > 1, "{implementation} {specification}");
        for (row, changed) in changed.iter().enumerate() {
            assert_ne!(judged(MESSAGING, changed), [None], "{implementation} {specification}: row {row}");
        }
    }
}

#[test]
fn a_refinement_is_one_of_the_automata_in_the_file() {
    let certificate = refines_certificate("ENV", "E_GOOD");
    let says = |text: &str, target: &str| {
        let mut claimed = certificate.clone();
        claimed.claims[0].target = target.to_owned();
        judged(text, &claimed)[0].clone().expect("it is rejected")
    };
    let original = "ENV: in place of E_GOOD";
    assert!(says(MESSAGING, "E_BAD: in place of E_GOOD").contains("another model"));
    assert!(
        says(MESSAGING, "ENV: in place of E_GOOD, internal steps before").contains("no interface automata")
    );
    assert!(says(MESSAGING, "ENV: in place of REST").contains("no interface automata"));
    assert!(says(MESSAGING, "ENV: in place of NOBODY").contains("no interface automata"));
    let twice = MESSAGING.replace("nack! -> send? -> ack! -> ENV", "nack! -> send? -> nack! -> ENV");
    assert!(says(&twice, original).contains("another model"));
    // Equal transitions with other roles.
    let turned = MESSAGING
        .replace("interface E_GOOD = (send?", "interface E_GOOD = (send!")
        .replace("nack! -> send? -> ack! -> E_GOOD", "nack! -> send! -> ack! -> E_GOOD");
    assert!(says(&turned, original).contains("another property"));
    // A claim of another kind with the same evidence.
    let mut other = certificate.clone();
    other.claims[0].target = "ENV".to_owned();
    assert_ne!(judged(MESSAGING, &other), [None]);
}

#[test]
fn what_does_not_refine_has_no_certificate() {
    let query = RefinesQuery {
        implementation: "E_BAD".to_owned(),
        specification: "E_GOOD".to_owned(),
        certify: true,
    };
    let compared = refines(&project(MESSAGING), &query, Budget::UNLIMITED).expect("no mistake");
    assert_eq!(compared.report.results[0].verdict, Verdict::Violated);
    assert!(compared.certificate.claims.is_empty());
}
