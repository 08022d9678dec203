//! SARIF 2.1.0, the static analysis results interchange format of OASIS, as code scanning services read it.
//!
//! A trace is a code flow with a thread flow for each component, so that a viewer shows the lanes; `executionOrder` says how
//! the steps interleave. A result has one rule for each kind of question, and a fingerprint of target and property, so that
//! the same alert is recognised after lines have moved.

use serde_json::{Value, json};

use super::{Case, Gate, Outcome};
use crate::report::{Finding, Level, Place, TraceStep};

/// The rules: identifier, and a description of what a result of this rule means.
const RULES: [(&str, &str); 6] = [
    ("deadlock", "A reachable state in which nothing is possible"),
    ("safety", "A property process that can be violated"),
    ("progress", "An action that may not occur again and again"),
    ("ltl", "An assertion that some run breaks"),
    ("divergence", "Silent steps without end"),
    ("undecided", "A question that was not decided: a limit was reached, or an approximation was too rough"),
];

pub(super) fn write(gate: &Gate<'_>) -> String {
    let findings = gate.findings.iter().map(|finding| of_finding(gate, finding));
    let cases = gate.cases.iter().filter(|case| case.outcome() != Outcome::Passed);
    let results: Vec<Value> = findings.chain(cases.map(|case| of_case(gate, case))).collect();
    let mut rules: Vec<Value> =
        RULES.iter().map(|(id, text)| json!({"id": id, "shortDescription": {"text": text}})).collect();
    let mut codes: Vec<&str> = gate.findings.iter().map(|finding| finding.code.as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    for code in codes {
        let help = format!("`rely explain {code}` says more");
        rules.push(json!({"id": code, "help": {"text": help}}));
    }
    let log = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "rely",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    let mut text = serde_json::to_string_pretty(&log).expect("plain JSON");
    text.push('\n');
    text
}

fn of_finding(gate: &Gate<'_>, finding: &Finding) -> Value {
    let level = match finding.severity {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    };
    let message = match &finding.help {
        Some(help) => format!("{}. {help}", finding.message),
        None => finding.message.clone(),
    };
    let file = if finding.file.is_empty() { gate.project.name() } else { &finding.file };
    json!({
        "ruleId": finding.code,
        "level": level,
        "message": {"text": message},
        "locations": [location(file, finding.place.as_ref(), None)],
    })
}

fn of_case(gate: &Gate<'_>, case: &Case<'_>) -> Value {
    let (rule, level) = match case.outcome() {
        Outcome::Undecided => ("undecided", "warning"),
        Outcome::Failed | Outcome::Passed => (case.kind, "error"),
    };
    let place = gate.place(case);
    let mut result = json!({
        "ruleId": rule,
        "level": level,
        "message": {"text": case.summary()},
        "locations": [location(gate.project.name(), place.as_ref(), None)],
        "partialFingerprints": {
            "relyQuestion/v1": format!("{}/{}/{}", case.target, case.kind, case.property),
        },
    });
    let lanes = lanes(gate, case, place.as_ref());
    if !lanes.is_empty() {
        result["codeFlows"] = json!([{"threadFlows": lanes}]);
    }
    result
}

/// The trace as thread flows: one for each component that moves, or a single one if the components are not known. A
/// step is shown at its own place if the language provides it, otherwise at the declaration of its component,
/// otherwise at the question.
fn lanes(gate: &Gate<'_>, case: &Case<'_>, place: Option<&Place>) -> Vec<Value> {
    let lane = |name: &str, component: Option<usize>| {
        let declared = gate.declared(name);
        let place = declared.as_ref().or(place);
        let is_seen =
            |step: &TraceStep| component.is_none_or(|component| step.components.contains(&component));
        let steps = case.numbered_steps().filter(|(_, _, step)| is_seen(step));
        let locations: Vec<Value> = steps
            .map(|(number, repeats, step)| {
                let text =
                    if repeats { format!("{} (again and again)", step.action) } else { step.action.clone() };
                let known = step.places.iter().find(|it| component.is_none_or(|c| c == it.component));
                let place = known.map(|it| &it.place).or(place);
                json!({
                    "executionOrder": number,
                    "location": location(gate.project.name(), place, Some(&text)),
                })
            })
            .collect();
        (!locations.is_empty()).then(|| json!({"id": name, "locations": locations}))
    };
    match case.components {
        [] => lane("trace", None).into_iter().collect(),
        components => components.iter().enumerate().filter_map(|(i, name)| lane(name, Some(i))).collect(),
    }
}

fn location(file: &str, place: Option<&Place>, message: Option<&str>) -> Value {
    let mut location = json!({"physicalLocation": {"artifactLocation": {"uri": uri(file)}}});
    if let Some(Place { line, column, end_line, end_column, .. }) = place {
        location["physicalLocation"]["region"] = json!({
            "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column,
        });
    }
    if let Some(message) = message {
        location["message"] = json!({"text": message});
    }
    location
}

/// A path as a relative reference: characters with a special meaning in URIs are percent-encoded.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            b'\\' => uri.push('/'),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
