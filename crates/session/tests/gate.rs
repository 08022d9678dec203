//! Reports for systems for continuous integration: every question is a case, limits never pass, traces are lanes.

use rely_base::{Budget, Limits};
use rely_session::report::{CheckResult, Report, Verdict};
use rely_session::{CheckQuery, Gate, Project, check};
use serde_json::Value;

const LOCKS: &str = "\
LOCK = (acquire -> release -> LOCK).
USER = (lock.acquire -> work -> lock.release -> USER | lock.acquire -> rest -> STOP).
property CALM = (lock.acquire -> work -> lock.release -> CALM).
||BAD = (USER || lock:LOCK || CALM).
progress WORKS = {work}
assert RESTS = []!rest
//! expect BAD RESTS violated
";

fn project(text: &str) -> Project {
    Project::new("a lock.lts", text, Box::new(|_| Err("no imports".to_owned())))
}

fn answers(project: &Project, budget: Budget<'_>) -> Report<CheckResult> {
    check(project, &CheckQuery::default(), budget).expect("it can be asked")
}

/// The values of an attribute, in the order of the text.
fn attributes<'a>(xml: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!(" {name}=\"");
    xml.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn every_question_is_a_case() {
    let project = project(LOCKS);
    let report = answers(&project, Budget::UNLIMITED);
    let xml = Gate::of_check(&project, &report).junit();
    assert_eq!(xml.matches("<testcase").count(), report.results.len(), "{xml}");
    // Deadlock and progress fail; that RESTS is violated is as expected.
    assert_eq!(attributes(&xml, "failures"), ["2", "2"], "{xml}");
    assert_eq!(attributes(&xml, "errors"), ["0", "0"], "{xml}");
    assert_eq!(xml.matches("<failure").count(), 2, "{xml}");
    assert!(xml.contains(">\na lock.lts:4\n") && xml.contains("name=\"ltl RESTS\"/>"), "{xml}");
    assert!(xml.contains("   1  lock.acquire  USER, lock:LOCK, CALM"), "{xml}");
}

#[test]
fn a_limit_is_an_error_and_no_pass() {
    let project = project(LOCKS);
    let limits = Limits { states: Some(2), ..Limits::default() };
    let report = answers(&project, Budget::new(limits, None));
    let gate = Gate::of_check(&project, &report);
    let unknown = report.results.iter().filter(|result| result.verdict == Verdict::Unknown).count();
    assert!(unknown > 0);
    assert_eq!(gate.junit().matches("<error type=\"unknown\"").count(), unknown);
    let log: Value = serde_json::from_str(&gate.sarif()).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.iter().filter(|result| result["ruleId"] == "undecided").count(), unknown);
}

#[test]
fn errors_of_the_input_are_one_case_and_a_result_each() {
    let project = project("A = (a -> ).\nB = (b -> ).\n");
    let report = answers(&project, Budget::UNLIMITED);
    let gate = Gate::of_check(&project, &report);
    let xml = gate.junit();
    assert_eq!(
        (attributes(&xml, "tests"), attributes(&xml, "errors")),
        (vec!["1", "1"], vec!["1", "1"]),
        "{xml}"
    );
    let log: Value = serde_json::from_str(&gate.sarif()).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), report.diagnostics.len());
    for (result, finding) in results.iter().zip(&report.diagnostics) {
        assert_eq!(result["ruleId"], finding.code.as_str());
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20lock.lts");
        assert_eq!(place["region"]["startLine"], finding.place.as_ref().expect("a place").line);
    }
}

#[test]
fn a_trace_is_a_lane_for_each_component() {
    let project = project(LOCKS);
    let report = answers(&project, Budget::UNLIMITED);
    let log: Value = serde_json::from_str(&Gate::of_check(&project, &report).sarif()).expect("JSON");
    let run = &log["runs"][0];
    let rules: Vec<&Value> =
        run["tool"]["driver"]["rules"].as_array().expect("rules").iter().map(|rule| &rule["id"]).collect();
    let results = run["results"].as_array().expect("results");
    for result in results {
        assert!(rules.contains(&&result["ruleId"]), "{result}");
    }
    let cases: Vec<&Value> =
        results.iter().filter(|result| !result["partialFingerprints"].is_null()).collect();
    assert_eq!(cases.len(), 2);
    for case in cases {
        let is_meant = |answer: &&CheckResult| match &answer.property {
            name if name == "WORKS" => case["ruleId"] == "progress",
            name => case["ruleId"] == name.as_str(),
        };
        let answer = report.results.iter().find(is_meant).expect("the answer");
        // Every step is in the lane of each component that takes part in it, at its place in the order.
        let mut seen = Vec::new();
        for lane in case["codeFlows"][0]["threadFlows"].as_array().expect("lanes") {
            let component = answer.components.iter().position(|name| lane["id"] == name.as_str());
            for location in lane["locations"].as_array().expect("steps") {
                let order =
                    usize::try_from(location["executionOrder"].as_u64().expect("a number")).expect("small");
                assert_eq!(location["location"]["message"]["text"], answer.steps[order - 1].action.as_str());
                seen.push((order, component.expect("a component")));
            }
        }
        seen.sort_unstable();
        let steps = answer.steps.iter().enumerate();
        let mut expected: Vec<(usize, usize)> = steps
            .flat_map(|(i, step)| step.components.iter().map(move |&component| (i + 1, component)))
            .collect();
        expected.sort_unstable();
        assert_eq!(seen, expected);
    }
}

#[test]
fn names_cannot_end_an_element() {
    let project = project("A = ('a<b&\"c' -> STOP).");
    let report = answers(&project, Budget::UNLIMITED);
    let xml = Gate::of_check(&project, &report).junit();
    for line in xml.lines() {
        let text = line
            .replace("&lt;", "")
            .replace("&gt;", "")
            .replace("&amp;", "")
            .replace("&quot;", "")
            .replace("&#39;", "");
        assert!(!text.contains('&'), "{line}");
        assert_eq!(text.matches('<').count(), text.matches('>').count(), "{line}");
    }
}
