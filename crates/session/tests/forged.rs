//! A forger who can write to the store: nothing that he writes is believed.
//!
//! There are two versions of a system: one that has the property and one that has not. The forger knows what an honest
//! store holds about both, under which keys it is looked for, and how it is written. He puts entries of the one where
//! those of the other are expected, changes every value in them, and says of every premise that it is known.

use std::cell::RefCell;
use std::collections::BTreeMap;

use rely_base::Budget;
use rely_session::report::{Verdict, VerifyResult};
use rely_session::{Key, Memory, Project, Rule, Strategy, VerifyQuery, verify_with_memory};
use serde_json::{Value, json};

const RIGHT: &str = "send -> out -> ack -> OUT";
const WRONG: &str = "send -> ack -> out -> OUT";

fn model(out: &str) -> Project {
    let text = format!(
        "IN = (in -> send -> ack -> IN).\nOUT = ({out}).\nLOG = (ack -> log -> LOG).\n\
         property ORDER = (in -> out -> ORDER).\n||SYSTEM = (IN || OUT || LOG || ORDER).\n"
    );
    Project::new("model.lts", text, Box::new(|_| Err("there are no imports".to_owned())))
}

/// A store, in which a forger has been.
#[derive(Default)]
struct Store {
    is_trusted: bool,
    entries: RefCell<BTreeMap<Key, Vec<u8>>>,
    /// What it says about keys that it has no entry for: premises are known by an empty one.
    otherwise: Option<Vec<u8>>,
    /// The keys that it was asked for, in order.
    asked: RefCell<Vec<Key>>,
}

impl Memory for Store {
    fn is_trusted(&self) -> bool {
        self.is_trusted
    }

    fn recall(&self, key: &Key) -> Option<Vec<u8>> {
        self.asked.borrow_mut().push(*key);
        self.entries.borrow().get(key).cloned().or_else(|| self.otherwise.clone())
    }

    fn remember(&self, entries: &[(Key, Vec<u8>)]) {
        // What the forger has written stays.
        for (key, value) in entries {
            self.entries.borrow_mut().entry(*key).or_insert_with(|| value.clone());
        }
    }
}

fn answer(out: &str, strategy: Strategy, rule: Rule, store: &Store) -> VerifyResult {
    let query = VerifyQuery { strategy, rule, ..VerifyQuery::about("SYSTEM") };
    let verified =
        verify_with_memory(&model(out), &query, Some(store), Budget::UNLIMITED).expect("no mistake");
    verified.report.results.into_iter().next().expect("there is one property")
}

/// What an honest store holds after a question, by kind, and the keys that the question asks for.
struct Honest {
    /// The record of the answer.
    answer: Value,
    /// The record of the last proof, if there is one.
    last: Option<Value>,
    /// Where the answer, the names, and the last proof (twice) are looked for.
    keys: Vec<Key>,
}

impl Honest {
    fn about(out: &str, strategy: Strategy, rule: Rule) -> Self {
        let store = Store::default();
        answer(out, strategy, rule, &store);
        let keys = store.asked.borrow().clone();
        let records: Vec<Value> =
            store.entries.borrow().values().filter_map(|value| serde_json::from_slice(value).ok()).collect();
        let with = |field: &str| records.iter().find(|record| record.get(field).is_some()).cloned();
        Self { answer: with("result").expect("an answer is kept"), last: with("parts"), keys }
    }
}

/// What a forger writes: entries, and what is said of every other key.
type Forgery = (Vec<(Key, Vec<u8>)>, Option<Vec<u8>>);

fn written(value: &Value) -> Vec<u8> {
    serde_json::to_vec(value).expect("plain data")
}

/// Where an entry can be put that another one leads to.
const ELSEWHERE: Key = [7; 32];

/// All places for the record of an answer: where it is looked for, and where an entry about names leads.
fn as_answer(record: &Value, keys: &[Key]) -> Vec<Forgery> {
    let names = json!({"key": ELSEWHERE.to_vec(), "system": "SYSTEM", "property": "ORDER",
        "components": ["IN", "OUT", "LOG", "ORDER"]});
    let direct = vec![(keys[0], written(record))];
    let led = vec![(keys[1], written(&names)), (ELSEWHERE, written(record))];
    vec![(direct, None), (led, None)]
}

/// The record of a last proof where it is looked for; its premises are said to be known, or not.
fn as_last(record: &Value, keys: &[Key]) -> Vec<Forgery> {
    let Some(&last) = keys.get(2) else { return Vec::new() };
    let entries = vec![(last, ELSEWHERE.to_vec()), (ELSEWHERE, written(record))];
    vec![(entries.clone(), None), (entries, Some(Vec::new()))]
}

/// Everything that can be made of a value by changing it in one place.
fn changed(value: &Value) -> Vec<Value> {
    let mut all = vec![Value::Null];
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let mut without = fields.clone();
                without.remove(name);
                all.push(without.into());
                for other in changed(field) {
                    let mut fields = fields.clone();
                    fields.insert(name.clone(), other);
                    all.push(fields.into());
                }
            }
        }
        Value::Array(items) => {
            all.push(json!([]));
            all.push(items.iter().chain(items).cloned().collect());
            all.push(items.iter().rev().cloned().collect());
            for (i, item) in items.iter().enumerate() {
                let put = |other: Option<Value>| -> Value {
                    let before = items[..i].iter().cloned();
                    before.chain(other).chain(items[i + 1..].iter().cloned()).collect()
                };
                all.push(put(None));
                all.extend(changed(item).into_iter().map(|other| put(Some(other))));
            }
        }
        Value::String(text) => all.extend(other_texts(text)),
        Value::Number(_) => all.extend([json!(0), json!(1), json!(2), json!(u64::MAX)]),
        Value::Bool(is_so) => all.push((!is_so).into()),
        Value::Null => {}
    }
    all
}

/// Other texts in the place of one: those of records, other systems in the place of a system, and evil ones.
fn other_texts(text: &str) -> Vec<Value> {
    let mut all = vec![json!(""), json!("IN"), json!("a\nSYSTEM: ORDER holds"), json!("\u{1b}[2J")];
    match text {
        "holds" | "violated" => all.extend([json!("holds"), json!("violated")]),
        "learn" | "monolithic" | "localise" | "reduce" | "abstract" => {
            all.extend(["learn", "monolithic", "localise", "abstract"].map(Value::from));
        }
        "simple" | "chain" => all.extend(["simple", "chain", "circular", "conjunction"].map(Value::from)),
        _ => {}
    }
    if text.starts_with('{') {
        let system = |states: u64, alphabet: Value, transitions: Value| {
            let document = json!({"schema": "rely/lts/1", "states": states, "initial": 0, "alphabet": alphabet,
                "transitions": transitions});
            Value::from(document.to_string())
        };
        let all_actions = json!(["ack", "out", "send"]);
        // Nothing is allowed, everything is, other actions are, and something that is no assumption.
        all.push(system(1, all_actions.clone(), json!([])));
        all.push(system(1, all_actions, json!([[0, "ack", 0], [0, "out", 0], [0, "send", 0]])));
        all.push(system(1, json!([]), json!([])));
        all.push(system(1, json!(["nobody"]), json!([])));
        all.push(system(2, json!(["ack"]), json!([[0, "ack", 0], [0, "ack", 1], [0, null, 1]])));
    }
    all
}

/// What the forger can do to a question, given what an honest store holds about both versions.
fn forgeries(here: &Honest, other: &Honest) -> Vec<Forgery> {
    let mut records = vec![other.answer.clone()];
    // The own answer turned round, with and without the evidence of the other one.
    for evidence in [&Value::Null, &other.answer["proof"]] {
        let mut turned = here.answer.clone();
        turned["result"]["verdict"] = other.answer["result"]["verdict"].clone();
        turned["proof"] = evidence.clone();
        records.push(turned);
    }
    let mut all: Vec<Forgery> = Vec::new();
    for record in &records {
        all.extend(as_answer(record, &here.keys));
        all.extend(changed(record).iter().flat_map(|record| as_answer(record, &here.keys)));
    }
    if let Some(last) = &other.last {
        let mut unchanged = last.clone();
        // The components as they are here: then nothing seems to have changed since.
        if let Some(own) = &here.last {
            unchanged["parts"] = own["parts"].clone();
        }
        for record in [last, &unchanged] {
            all.extend(as_last(record, &here.keys));
            all.extend(changed(record).iter().flat_map(|record| as_last(record, &here.keys)));
        }
    }
    all
}

fn store_of((entries, otherwise): Forgery, is_trusted: bool) -> Store {
    Store { is_trusted, entries: RefCell::new(entries.into_iter().collect()), otherwise, ..Store::default() }
}

const WAYS: [(Strategy, Rule); 7] = [
    (Strategy::Auto, Rule::Simple),
    (Strategy::Monolithic, Rule::Simple),
    (Strategy::Localise, Rule::Simple),
    (Strategy::Reduce, Rule::Simple),
    (Strategy::Learn, Rule::Simple),
    (Strategy::Learn, Rule::Chain),
    (Strategy::Direct, Rule::Simple),
];

/// How many forgeries are believed.
fn believed(
    out: &str,
    other: &str,
    truth: Verdict,
    (strategy, rule): (Strategy, Rule),
    trust: bool,
) -> (usize, usize) {
    let (here, there) = (Honest::about(out, strategy, rule), Honest::about(other, strategy, rule));
    let forgeries = forgeries(&here, &there);
    let count = forgeries.len();
    let is_believed = |forgery: Forgery| {
        let result = answer(out, strategy, rule, &store_of(forgery, trust));
        let texts =
            serde_json::to_string(&(&result.left, &result.right, &result.components)).expect("plain data");
        assert!(trust || !texts.contains("\\n"), "{texts}");
        result.verdict != truth
    };
    (forgeries.into_iter().filter(|forgery| is_believed(forgery.clone())).count(), count)
}

#[test]
fn no_forged_entry_is_believed() {
    for way in WAYS {
        let (wrong, tried) = believed(WRONG, RIGHT, Verdict::Violated, way, false);
        assert_eq!(wrong, 0, "{way:?}: *holds* is believed of a system that fails");
        assert!(tried > 100, "{way:?}: {tried}");
        let (wrong, tried) = believed(RIGHT, WRONG, Verdict::Holds, way, false);
        assert_eq!(wrong, 0, "{way:?}: *violated* is believed of a system that holds");
        assert!(tried > 100, "{way:?}: {tried}");
    }
}

/// The forger can write: a store that is trusted is believed. What is replayed is not believed even then.
#[test]
fn the_forger_is_good_enough() {
    for way in WAYS {
        let (believed_holds, _) = believed(WRONG, RIGHT, Verdict::Violated, way, true);
        assert!(believed_holds > 0, "{way:?}");
        let (believed_violated, _) = believed(RIGHT, WRONG, Verdict::Holds, way, true);
        assert_eq!(believed_violated, 0, "{way:?}: a run is replayed");
    }
}

/// True entries are used without another search; forged ones are computed again, with a warning.
#[test]
fn true_answers_are_told_and_false_ones_noticed() {
    let way = (Strategy::Learn, Rule::Simple);
    let store = Store::default();
    let fresh = answer(RIGHT, way.0, way.1, &store);
    let again = answer(RIGHT, way.0, way.1, &store);
    let reused = again.reused.clone().expect("it is known");
    assert!(reused.verdict && !reused.unchecked, "{reused:?}");
    assert_eq!(VerifyResult { reused: None, ..again }, fresh);
    // A proof of another system.
    let (here, there) = (Honest::about(WRONG, way.0, way.1), Honest::about(RIGHT, way.0, way.1));
    let forged = as_answer(&there.answer, &here.keys).remove(0);
    let result = answer(WRONG, way.0, way.1, &store_of(forged, false));
    assert_eq!(result.verdict, Verdict::Violated);
    assert!(result.warnings.iter().any(|warning| warning.contains("tampered")), "{:?}", result.warnings);
    // With trust, the answer says that it was not checked.
    let trusted = Store { is_trusted: true, entries: store.entries.clone(), ..Store::default() };
    let known = answer(RIGHT, way.0, way.1, &trusted);
    assert!(known.reused.is_some_and(|reused| reused.verdict && reused.unchecked));
}
