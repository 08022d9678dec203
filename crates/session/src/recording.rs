//! Recorded executions: a JSON object on each line, or an export of OpenTelemetry spans.

use rely_base::Code;
use rely_harness::{Actions, Mapping};
use serde_json::Value;

use crate::report::Finding;

/// A recorded event that cannot be read.
const BAD_EVENT: Code = Code("E0272");

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

/// A recorded execution.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recording {
    /// The events, in the order in which they happened.
    pub events: Vec<Recorded>,
    /// How many spans are about objects that the mapping does not have: other libraries record spans, too.
    pub others: usize,
}

/// The events of a recording. The mapping says which event is which action; without a mapping, events name their
/// actions.
///
/// # Errors
/// What cannot be read, with its line.
pub fn read_recording(name: &str, text: &str, mapping: Option<&Mapping>) -> Result<Recording, Vec<Finding>> {
    let actions = mapping.map(Actions::of);
    let mut exports = Exports { actions: actions.as_ref(), found: Vec::new(), others: 0 };
    if let Ok(whole) = serde_json::from_str::<Value>(text)
        && whole.get("resourceSpans").is_some()
    {
        exports.read(&whole);
        return Ok(exports.sorted());
    }
    let (mut events, mut findings) = (Vec::new(), Vec::new());
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let value: Result<Value, _> = serde_json::from_str(line);
        match value {
            Ok(value) if value.get("resourceSpans").is_some() => exports.read(&value),
            Ok(value) if value.is_object() => match event(&value, actions.as_ref()) {
                Some(event) => events.push(event),
                None => findings.push(bad(name, i, "has neither `action` nor `method` and `object`")),
            },
            Ok(_) => findings.push(bad(name, i, "is no JSON object")),
            Err(error) => findings.push(bad(name, i, &format!("is no JSON: {error}"))),
        }
    }
    let exported = exports.sorted();
    events.extend(exported.events);
    if findings.is_empty() { Ok(Recording { events, others: exported.others }) } else { Err(findings) }
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
    let values = value.get("values").and_then(Value::as_array).into_iter().flatten();
    let values: Vec<i64> = values.filter_map(Value::as_i64).collect();
    Some(call(&thread, text("object")?, text("method")?, &values, actions))
}

/// A method of an object is called in a thread.
fn call(thread: &str, object: &str, method: &str, values: &[i64], actions: Option<&Actions>) -> Recorded {
    let shown: Vec<String> = values.iter().map(i64::to_string).collect();
    Recorded {
        thread: thread.to_owned(),
        action: actions.and_then(|actions| actions.of_call(thread, method, object, values)),
        shown: format!("{object}.{method}({})", shown.join(", ")),
    }
}

/// What is read from exports of OpenTelemetry.
///
/// The name of a span, or of an event of a span, is OBJECT.METHOD; `rely.values` are its values. It happens when it begins. A span
/// whose name is an object with the events `lock` and `unlock` is both: its beginning, and its end. An attribute
/// `rely.action` says the action, whatever the name. The thread is the attribute `thread.name`, or else the service.
struct Exports<'a> {
    actions: Option<&'a Actions>,
    /// Events with their times.
    found: Vec<(u64, Recorded)>,
    others: usize,
}

impl Exports<'_> {
    fn read(&mut self, export: &Value) {
        for resource in list(export, "resourceSpans") {
            let service = resource.get("resource").and_then(|it| attribute(it, "service.name")?.as_str());
            for span in list(resource, "scopeSpans").iter().flat_map(|scope| list(scope, "spans")) {
                let thread = thread_of(span).or(service).unwrap_or_default();
                self.add(span, "startTimeUnixNano", thread, true);
                for event in list(span, "events") {
                    self.add(event, "timeUnixNano", thread_of(event).unwrap_or(thread), false);
                }
            }
        }
    }

    /// A span, or an event of one.
    fn add(&mut self, value: &Value, start: &str, thread: &str, is_span: bool) {
        let name = value.get("name").and_then(Value::as_str).unwrap_or_default();
        let at = time(value, start);
        let named = |action: &str| Recorded {
            thread: thread.to_owned(),
            action: Some(action.to_owned()),
            shown: name.to_owned(),
        };
        if let Some(action) = attribute(value, "rely.action").and_then(Value::as_str) {
            self.found.push((at, named(action)));
            return;
        }
        let Some(actions) = self.actions else {
            // Without a mapping spans are named by their actions; events of spans are whatever libraries log.
            if is_span {
                self.found.push((at, named(name)));
            } else {
                self.others += 1;
            }
            return;
        };
        if is_span && actions.is_lock(name) {
            self.found.push((at, call(thread, name, "lock", &[], Some(actions))));
            self.found
                .push((time(value, "endTimeUnixNano"), call(thread, name, "unlock", &[], Some(actions))));
            return;
        }
        match name.rsplit_once('.').filter(|(object, _)| actions.has_object(object)) {
            Some((object, method)) => {
                let values = attribute(value, "rely.values").map(numbers).unwrap_or_default();
                self.found.push((at, call(thread, object, method, &values, Some(actions))));
            }
            None => self.others += 1,
        }
    }

    fn sorted(mut self) -> Recording {
        // The sort is stable, so what happens at the same time stays in the order of the export.
        self.found.sort_by_key(|&(time, _)| time);
        Recording { events: self.found.into_iter().map(|(_, event)| event).collect(), others: self.others }
    }
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn thread_of(value: &Value) -> Option<&str> {
    attribute(value, "thread.name")?.as_str()
}

/// A time in nanoseconds, a number or a text: JSON has no numbers of 64 bits.
fn time(value: &Value, key: &str) -> u64 {
    let time = value.get(key);
    time.and_then(|it| it.as_u64().or_else(|| it.as_str()?.parse().ok())).unwrap_or_default()
}

/// What an attribute has: an object with one key, such as `stringValue`, of which only the value matters here.
fn attribute<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    let is_it = |it: &&Value| it.get("key").and_then(Value::as_str) == Some(name);
    content(list(value, "attributes").iter().find(is_it)?.get("value")?)
}

fn content(value: &Value) -> Option<&Value> {
    value.as_object()?.values().next()
}

/// The numbers in an attribute: one, or several in an array. Numbers of 64 bits are texts, and truths are 0 and 1.
fn numbers(value: &Value) -> Vec<i64> {
    let number = |it: &Value| {
        let truth = it.as_bool().map(i64::from);
        truth.or_else(|| it.as_i64()).or_else(|| it.as_str()?.trim().parse().ok())
    };
    match value.get("values") {
        Some(_) => list(value, "values").iter().filter_map(|it| number(content(it)?)).collect(),
        None => number(value).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Recorded, Recording, read_recording};
    use rely_harness::Mapping;

    const MAPPING: &str = r#"
        [program]
        crate = "store"
        path = "."
        [component]
        make = "store::new()"
        [[event]]
        method = "lock"
        object = "door"
        threads = ["one"]
        action = "{thread}.door.lock"
        [[event]]
        method = "unlock"
        object = "door"
        threads = ["one"]
        action = "{thread}.door.unlock"
        [[event]]
        method = "put"
        object = "shelf"
        threads = ["one", "shop"]
        action = "{thread}.shelf.put[{0}][{1}]"
        values = ["0..1", "0..9"]
    "#;

    fn read(text: &str) -> Recording {
        let (mapping, mistakes) = Mapping::read(MAPPING);
        assert!(mistakes.is_empty(), "{mistakes:?}");
        read_recording("spans.json", text, Some(&mapping)).expect("it can be read")
    }

    fn actions(recording: &Recording) -> Vec<&str> {
        let action = |event: &'_ Recorded| event.action.is_some();
        let shown = |event| if action(event) { event.action.as_deref().unwrap_or("") } else { &*event.shown };
        recording.events.iter().map(shown).collect()
    }

    #[test]
    fn a_span_of_a_lock_is_its_beginning_and_its_end() {
        let found = read(
            r#"{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},
            "scopeSpans":[{"spans":[
            {"name":"door","startTimeUnixNano":10,"endTimeUnixNano":"40",
             "attributes":[{"key":"thread.name","value":{"stringValue":"one"}}],
             "events":[{"name":"shelf.put","timeUnixNano":"30","attributes":[{"key":"rely.values","value":
               {"arrayValue":{"values":[{"boolValue":true},{"intValue":"7"}]}}}]},
               {"name":"exception","timeUnixNano":"31"}]},
            {"name":"GET /shelf","startTimeUnixNano":"5"},
            {"name":"shelf.put","startTimeUnixNano":"20"}]}]}]}"#,
        );
        let expected = ["one.door.lock", "shelf.put()", "one.shelf.put.1.7", "one.door.unlock"];
        assert_eq!((actions(&found), found.others), (expected.to_vec(), 2));
        assert_eq!(found.events[1].thread, "shop");
    }

    #[test]
    fn hostile_exports_are_read() {
        for text in [
            r#"{"resourceSpans":1}"#,
            r#"{"resourceSpans":[{"scopeSpans":[{"spans":[{},{"name":1},{"name":"."}]}]}]}"#,
            r#"{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{}}]}}]}"#,
        ] {
            assert!(read(text).events.is_empty(), "{text}");
        }
    }
}
