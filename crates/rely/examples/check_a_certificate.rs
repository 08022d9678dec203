//! Writes a certificate of what holds, and re-checks it, as a reader would who does not trust its source.

#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

use rely::{Budget, CheckQuery, Project, certificate, certify, check};

const TEXT: &str = "
SENDER = (send -> ack -> SENDER).
RECEIVER = (send -> deliver -> ack -> RECEIVER).
property ORDER = (send -> deliver -> ORDER).
||SYSTEM = (SENDER || RECEIVER || ORDER).
";

fn main() {
    let project = Project::new("protocol.lts", TEXT, Box::new(|file| Err(format!("{file} is not there"))));
    let report = check(&project, &CheckQuery::default(), Budget::UNLIMITED).expect("no mistake in rely");
    let Ok(written) = certificate(&project, &report.results, Budget::UNLIMITED) else {
        panic!("there is no limit, and the text has no errors");
    };
    let mut text = Vec::new();
    written.write(&mut text).expect("memory can be written to");
    let Ok(judged) = certify(&project, "protocol.cert", &text, &[], Budget::UNLIMITED) else {
        panic!("there is no limit, and the certificate can be read");
    };
    for result in &judged.results {
        println!(
            "{}: {} {}",
            result.target,
            result.property,
            if result.accepted { "certified" } else { "rejected" }
        );
    }
    assert!(judged.results.iter().all(|result| result.accepted));
}
