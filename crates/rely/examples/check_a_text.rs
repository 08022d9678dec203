//! Checks a text, and prints verdicts and traces as the reader of a program would want them.

#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

use rely::report::Verdict;
use rely::{Budget, CheckQuery, Limits, Project, check};

const TEXT: &str = "
FORK = (get -> put -> FORK).
PHIL = (left.get -> right.get -> eat -> left.put -> right.put -> PHIL).
||DINERS = (forall [i:0..2] (phil[i]:PHIL || {phil[i].left, phil[(i + 2) % 3].right}::FORK)).
";

fn main() -> Result<(), rely::Internal> {
    let project = Project::new("diners.lts", TEXT, Box::new(|file| Err(format!("{file} is not there"))));
    // At most a million states: then the verdict is unknown, and says so.
    let budget = Budget::new(Limits { states: Some(1_000_000), bytes: None }, None);
    let report = check(&project, &CheckQuery::default(), budget)?;
    for finding in &report.diagnostics {
        println!("{}: {}", finding.code, finding.message);
    }
    for result in &report.results {
        match result.verdict {
            Verdict::Holds => println!("{}: {} holds", result.target, result.property),
            Verdict::Violated => {
                println!("{}: {} violated after {}", result.target, result.property, result.trace.join(", "));
            }
            Verdict::Unknown => println!("{}: {} unknown", result.target, result.property),
        }
    }
    assert!(report.results.iter().any(|result| result.verdict == Verdict::Violated), "they can starve");
    Ok(())
}
