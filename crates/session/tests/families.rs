//! The families of `models/families`: all strategies give the verdicts that the models expect, with certificates that the judge
//! accepts.
//!
//! Each property is asked by a few strategies at the smallest size; with `SEEDS_TIMES=6` by all of them.

use std::path::PathBuf;

use rely_base::{Budget, Limits};
use rely_session::report::Verdict;
use rely_session::{Project, Rule, Strategy, VerifyQuery, certify, verify};
use rely_testkit::rng::seeds;

const WAYS: [(Strategy, Rule); 11] = [
    (Strategy::Monolithic, Rule::Simple),
    (Strategy::Localise, Rule::Simple),
    (Strategy::Reduce, Rule::Simple),
    (Strategy::Auto, Rule::Simple),
    (Strategy::Direct, Rule::Simple),
    (Strategy::Learn, Rule::Simple),
    (Strategy::Separate, Rule::Simple),
    (Strategy::Abstract, Rule::Simple),
    (Strategy::Learn, Rule::Chain),
    (Strategy::Learn, Rule::Symmetric),
    (Strategy::Learn, Rule::Circular),
];

/// The limits of each question, so that a rule that does not suit a system ends soon.
const STATES: usize = 20_000;

fn families() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models/families");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let read = |file: PathBuf| {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read_to_string(file).expect("a text"))
    };
    files.into_iter().map(read).collect()
}

#[test]
fn strategies_agree_on_all_families() {
    let (mut asked, mut decided, mut number) = (0, 0, 0);
    for (name, text) in families() {
        let sizes = text.lines().find_map(|line| line.strip_prefix("// family N: ")).expect("sizes");
        let size: i32 = sizes.split(' ').next().and_then(|size| size.parse().ok()).expect("a size");
        let mut project = Project::new(&name, &text, Box::new(|_| Err("it imports nothing".to_owned())));
        assert!(project.define("N", size), "{name} has no size");
        for line in text.lines().filter_map(|line| line.strip_prefix("//! expect SYSTEM ")) {
            let (property, expected) = line.split_once(' ').expect("a property and a verdict");
            for seed in seeds(2) {
                let way = WAYS[(number + 4 * usize::try_from(seed).expect("a small seed")) % WAYS.len()];
                asked += 1;
                decided += usize::from(is_decided(&project, (property, expected), way));
            }
            number += 1;
        }
    }
    assert!(decided * 10 >= asked * 9, "only {decided} of {asked} questions were answered");
}

/// Whether a strategy decides about a property; if so, as expected, and a certificate of what holds is accepted.
fn is_decided(
    project: &Project,
    (property, expected): (&str, &str),
    (strategy, rule): (Strategy, Rule),
) -> bool {
    let at = format!("{} {property} by {strategy:?} with {rule:?}", project.name());
    let properties = vec![property.to_owned()];
    let query = VerifyQuery { properties, strategy, rule, certify: true, ..VerifyQuery::about("SYSTEM") };
    let budget = Budget::new(Limits { states: Some(STATES), bytes: None }, None);
    let verified = verify(project, &query, budget).unwrap_or_else(|mistake| panic!("{at}: {mistake:?}"));
    let [result] = &verified.report.results[..] else { panic!("{at}: {:?}", verified.report.diagnostics) };
    let verdict = match result.verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Unknown => return false,
    };
    assert_eq!(verdict, expected, "{at}");
    if result.verdict == Verdict::Holds {
        let mut text = Vec::new();
        verified.certificate.write(&mut text).expect("memory takes it");
        let judged = certify(project, "certificate", &text, &[], Budget::UNLIMITED)
            .unwrap_or_else(|_| panic!("{at}: the certificate cannot be judged"));
        assert!(judged.results.iter().all(|result| result.accepted), "{at}: {:?}", judged.results);
    }
    true
}
