//! `monitor --check`: the first step of a recorded execution that a design, an assumption or a property does not
//! allow.

use rely_base::{Budget, Code, Exhausted};
use rely_harness::{Actions, Mapping};
use rely_lts::equivalence::{Equivalence, minimise};
use rely_lts::operators;
use rely_monitor::Table;
use serde_json::Value;

use crate::explain::FOREIGN_ACTIONS;
use crate::report::{ConformanceResult, Finding, RecordedStep, Report, Verdict};
use crate::{Built, Project};

/// A recorded event that cannot be read.
const BAD_EVENT: Code = Code("E0272");

/// A target for which no monitor can be made.
const NO_MONITOR: Code = Code("E0273");

/// A recorded event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The thread; empty if it is unknown.
    pub thread: String,
    /// The action of the design; `None` if the event is none.
    pub action: Option<String>,
    /// The event as it was recorded.
    pub shown: String,
}

/// The events of a recording: a JSON object on each line, or an export of OpenTelemetry spans. The mapping says which
/// event is which action; without a mapping, events name their actions.
///
/// # Errors
/// What cannot be read, with its line.
pub fn read_recording(
    name: &str,
    text: &str,
    mapping: Option<&Mapping>,
) -> Result<Vec<Recorded>, Vec<Finding>> {
    let actions = mapping.map(Actions::of);
    let actions = actions.as_ref();
    if let Ok(whole) = serde_json::from_str::<Value>(text)
        && whole.get("resourceSpans").is_some()
    {
        return Ok(spans(&[whole], actions));
    }
    let (mut events, mut exports, mut findings) = (Vec::new(), Vec::new(), Vec::new());
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let value: Result<Value, _> = serde_json::from_str(line);
        match value {
            Ok(value) if value.get("resourceSpans").is_some() => exports.push(value),
            Ok(value) if value.is_object() => match event(&value, actions) {
                Some(event) => events.push(event),
                None => findings.push(bad(name, i, "has neither `action` nor `method` and `object`")),
            },
            Ok(_) => findings.push(bad(name, i, "is no JSON object")),
            Err(error) => findings.push(bad(name, i, &format!("is no JSON: {error}"))),
        }
    }
    events.extend(spans(&exports, actions));
    if findings.is_empty() { Ok(events) } else { Err(findings) }
}

fn bad(name: &str, line: usize, what: &str) -> Finding {
    Finding::about(name, BAD_EVENT, &format!("line {} {what}", line + 1))
}

/// The event of a line: an action, or a method of an object in a thread, with values.
fn event(value: &Value, actions: Option<&Actions>) -> Option<Recorded> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let thread = text("thread").unwrap_or_default().to_owned();
    if let Some(action) = text("action") {
        return Some(Recorded { thread, action: Some(action.to_owned()), shown: action.to_owned() });
    }
    let (method, object) = (text("method")?, text("object")?);
    let values: Vec<i64> = value
        .get("values")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_i64)
        .collect();
    let shown: Vec<String> = values.iter().map(i64::to_string).collect();
    let action = actions.and_then(|actions| actions.of_call(&thread, method, object, &values));
    Some(Recorded { thread, action, shown: format!("{object}.{method}({})", shown.join(", ")) })
}

/// The spans of exports, in the order of their beginnings. The name of a span is its action, unless it has an
/// attribute `rely.action`; its thread is the attribute `thread.name`.
fn spans(exports: &[Value], actions: Option<&Actions>) -> Vec<Recorded> {
    let list =
        |value: &Value, key: &str| value.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let mut found: Vec<(u64, Recorded)> = Vec::new();
    for resource in exports.iter().flat_map(|export| list(export, "resourceSpans")) {
        for span in list(&resource, "scopeSpans").iter().flat_map(|scope| list(scope, "spans")) {
            let start = span.get("startTimeUnixNano");
            let start =
                start.and_then(|it| it.as_u64().or_else(|| it.as_str()?.parse().ok())).unwrap_or_default();
            let attributes = list(&span, "attributes");
            let attribute = |name: &str| {
                let it = attributes.iter().find(|it| it.get("key").and_then(Value::as_str) == Some(name))?;
                it.get("value")?.get("stringValue")?.as_str().map(str::to_owned)
            };
            let name = span.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
            let thread = attribute("thread.name").unwrap_or_default();
            let mapped = actions.and_then(|actions| {
                let (object, method) = name.rsplit_once('.')?;
                actions.of_call(&thread, method, object, &[])
            });
            let action = attribute("rely.action").or(mapped).unwrap_or_else(|| name.clone());
            found.push((start, Recorded { thread, action: Some(action), shown: name }));
        }
    }
    // The sort is stable, so spans that begin at the same time stay in the order of the export.
    found.sort_by_key(|&(start, _)| start);
    found.into_iter().map(|(_, event)| event).collect()
}

/// Whether a recorded execution is one that a target allows.
///
/// Actions that the mapping calls internal may happen unseen. Events of the mapping that are not actions of the
/// target are ignored; an event that is in neither is unknown, which counts as a violation.
///
/// # Errors
/// The limit that was met.
pub fn conforms(
    built: &Built,
    events: &[Recorded],
    mapping: Option<&Mapping>,
    budget: &Budget<'_>,
) -> Result<Report<ConformanceResult>, Exhausted> {
    let is_internal =
        |name: &str| mapping.is_some_and(|it| it.internal.iter().any(|internal| internal.text == name));
    let lts = minimise(&operators::hide(&built.lts, is_internal), Equivalence::WeakTrace, budget)?;
    let table = match Table::new(&lts) {
        Ok(table) => table,
        Err(reason) => {
            let finding = Finding::without_place(NO_MONITOR, &format!("{}: {reason}", built.target));
            return Ok(Report::new("monitor", Vec::new(), vec![finding]));
        }
    };
    let actions = mapping.map(Actions::of);
    let concerns_others =
        |name: &str| actions.as_ref().is_some_and(|actions| actions.contains(name)) || is_internal(name);
    let mut result = ConformanceResult {
        target: built.target.clone(),
        verdict: Verdict::Holds,
        events: events.len(),
        step: None,
        reason: None,
        steps: Vec::new(),
    };
    let mut state = 0;
    for (i, event) in events.iter().enumerate() {
        let name = event.action.as_deref().unwrap_or(&event.shown);
        result.steps.push(RecordedStep { thread: event.thread.clone(), action: name.to_owned() });
        let column = event.action.as_ref().and_then(|action| table.actions.binary_search(action).ok());
        let is_started = state < table.rows.len();
        let (verdict, reason) = match column {
            None if event.action.as_deref().is_some_and(concerns_others) => continue,
            None => (Verdict::Violated, format!("{name} is not known")),
            Some(_) if !is_started => (Verdict::Violated, format!("{} allows nothing", built.target)),
            Some(column) => {
                state = table.rows[state][column];
                if state == table.violated() {
                    (Verdict::Violated, format!("{} does not allow {name} here", built.target))
                } else if state == table.left() {
                    (
                        Verdict::Unknown,
                        format!("nothing is forbidden after {name}: {} says no more", built.target),
                    )
                } else {
                    continue;
                }
            }
        };
        result.verdict = verdict;
        result.step = Some(i + 1);
        result.reason = Some(reason);
        break;
    }
    // This warning is for assumptions; a component of a design may have such actions.
    let is_about_it = |finding: &&Finding| finding.code != FOREIGN_ACTIONS.0;
    let findings = built.findings.iter().filter(is_about_it).cloned().collect();
    Ok(Report::new("monitor", vec![result], findings))
}

/// Reads a mapping, whose file is needed for places and names. If it has errors, these are returned.
///
/// # Errors
/// What was found.
pub fn read_mapping(file: &Project) -> Result<Mapping, Vec<Finding>> {
    let (mapping, mistakes) = Mapping::read(file.text_of(file.name()));
    match mistakes.is_empty() {
        true => Ok(mapping),
        false => Err(mistakes.iter().map(|it| Finding::new(file, it)).collect()),
    }
}
