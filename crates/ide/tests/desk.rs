//! The desk: messages in, answers out.

use rely_ide::Desk;
use serde_json::{Value, json};

fn call(desk: &mut Desk, message: &Value) -> Value {
    let answer = desk.call(&message.to_string(), None).expect("an answer");
    serde_json::from_str(&answer).expect("JSON")
}

const MODEL: &str = "FORK = (get -> put -> FORK).\nPHIL = (right.get -> left.get -> eat -> left.put -> right.put -> PHIL).\n||DINERS(N = 2) = forall[i:0..N-1] (phil[i]:PHIL || {phil[i].left, phil[((i-1)+N)%N].right}::FORK).\n";

fn desk(text: &str) -> Desk {
    let mut desk = Desk::default();
    call(&mut desk, &json!({"set": {"name": "d.lts", "text": text}}));
    desk
}

#[test]
fn a_trace_is_walked_and_goes_on_as_the_caller_chooses() {
    let mut desk = desk(MODEL);
    let report = call(&mut desk, &json!({"ask": {"file": "d.lts", "query": {"verb": "check"}}}));
    let deadlock = &report["results"][0];
    assert_eq!(deadlock["verdict"], "violated");
    let walk = |desk: &mut Desk, trace: &Value, choices: Value| {
        let request =
            json!({"file": "d.lts", "view": "walk", "target": "DINERS", "trace": trace, "choices": choices});
        call(desk, &json!({"view": request}))["walk"].clone()
    };
    // The states, places and components of the walk are those of the trace.
    let walked = walk(&mut desk, &deadlock["steps"], json!([]));
    assert_eq!(walked["left_out"], 0);
    assert_eq!(walked["steps"], deadlock["steps"]);
    assert_eq!(walked["tuples"].as_array().map(Vec::len), Some(3));
    assert_eq!(walked["end"], "deadlock: nothing is possible");
    assert_eq!(walked["cause"], deadlock["cause"]);
    assert!(walked["refused"].as_array().is_some_and(|it| it.len() == 10), "{walked}");
    // From its first step on, something else can be done.
    let first = json!([deadlock["steps"][0]]);
    let walked = walk(&mut desk, &first, json!([0]));
    assert_eq!(walked["steps"].as_array().map(Vec::len), Some(2));
    assert!(walked["choices"].as_array().is_some_and(|it| !it.is_empty()));
    // A choice that there is not is left out, and so is all that follows.
    assert_eq!(walk(&mut desk, &json!([]), json!([0, 99, 0]))["left_out"], 2);
}

#[test]
fn pictures_carry_the_numbers_of_states() {
    let mut desk = desk(MODEL);
    let seen = call(&mut desk, &json!({"view": {"file": "d.lts", "view": "components", "target": "DINERS"}}));
    let pictures = seen["pictures"].as_array().expect("pictures");
    assert_eq!(pictures.len(), 4);
    for picture in pictures {
        let svg = picture["svg"].as_str().expect("a picture");
        assert!(svg.contains("data-state=\"1\"") && svg.contains("data-from=\"0\""), "{svg}");
    }
    let whole = call(&mut desk, &json!({"view": {"file": "d.lts", "view": "whole", "target": "DINERS"}}));
    assert!(whole["pictures"][0]["svg"].is_string());
}

#[test]
fn an_edit_makes_verdicts_stale_until_they_are_asked_again() {
    let mut desk = desk(MODEL);
    let lens = |desk: &mut Desk| {
        call(desk, &json!({"look": {"file": "d.lts", "look": "text"}}))["lenses"][0].clone()
    };
    assert_eq!(lens(&mut desk)["title"], "check");
    call(&mut desk, &json!({"ask": {"file": "d.lts", "query": {"verb": "check"}}}));
    let fresh = lens(&mut desk);
    assert!(
        fresh["title"].as_str().is_some_and(|it| it.starts_with("deadlock ✗ 2 steps · safety ✓")),
        "{fresh}"
    );
    assert_eq!(fresh["stale"], false);
    call(&mut desk, &json!({"set": {"name": "d.lts", "text": format!("// another\n{MODEL}")}}));
    let stale = lens(&mut desk);
    assert_eq!((&stale["stale"], stale["title"].as_str().map(|it| &it[..6])), (&json!(true), Some("stale:")));
    call(&mut desk, &json!({"set": {"name": "d.lts", "text": MODEL}}));
    assert_eq!(lens(&mut desk)["stale"], false);
}

#[test]
fn an_assumption_is_shown_in_words_as_a_picture_and_as_fsp() {
    let mutex = include_str!("../../../models/mutex-writer.lts");
    let mut desk = Desk::default();
    call(&mut desk, &json!({"set": {"name": "m.lts", "text": mutex}}));
    let request = json!({"file": "m.lts", "view": "assumption", "components": ["WRITER", "MUTEX"], "property": "EXCLUSION"});
    let shown = call(&mut desk, &json!({"view": request}))["assumption"].clone();
    assert_eq!(shown["report"]["results"][0]["outcome"], "assumption");
    assert!(shown["picture"]["svg"].is_string());
    // What is written is a text with a meaning of its own.
    let fsp = shown["fsp"].as_str().expect("FSP");
    call(&mut desk, &json!({"set": {"name": "a.lts", "text": fsp}}));
    let report = call(&mut desk, &json!({"ask": {"file": "a.lts", "query": {"verb": "check"}}}));
    assert!(report["results"].as_array().is_some_and(|it| !it.is_empty()), "{report}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let mut desk = desk("P = (a -> Q).");
    for message in
        ["", "{}", "[]", "{\"set\": 1}", "{\"look\": {\"file\": \"d.lts\"}}", "{\"ask\": {}, \"view\": {}}"]
    {
        assert!(desk.call(message, None).is_err(), "{message}");
    }
    let missing = call(&mut desk, &json!({"view": {"file": "no.lts", "view": "targets"}}));
    assert!(missing["nothing"]["findings"][0]["message"].is_string());
    let walk = call(&mut desk, &json!({"view": {"file": "d.lts", "view": "walk"}}));
    assert!(walk["walk"].is_object() || walk["nothing"].is_object(), "{walk}");
    assert_eq!(call(&mut desk, &json!({"look": {"file": "d.lts", "look": "hover", "at": 999}})), Value::Null);
}

/// A desk with the files of an example, by its name.
fn example(name: &str) -> Desk {
    let example = rely_ide::EXAMPLES.iter().find(|it| it.name == name).expect("an example");
    let mut desk = Desk::default();
    for (name, text) in [(example.name, example.text)].iter().chain(example.others) {
        call(&mut desk, &json!({"set": {"name": name, "text": text}}));
    }
    desk
}

#[test]
fn examples_with_a_view_are_animated() {
    let animated: Vec<&str> =
        rely_ide::EXAMPLES.iter().filter(|it| !it.others.is_empty()).map(|it| it.name).collect();
    assert_eq!(animated, ["philosophers.lts", "traffic-light.lts"]);
    let targets = [
        ("philosophers.lts", "DINERS"),
        ("traffic-light.lts", "OLD_CROSSING"),
        ("traffic-light.lts", "NEW_CROSSING"),
    ];
    for (file, target) in targets {
        let mut desk = example(file);
        let request = json!({"file": file, "view": "animation", "target": target, "choices": [0, 0, 0]});
        let shown = call(&mut desk, &json!({"view": request}));
        let shown = &shown["animation"];
        assert_eq!(shown["walk"]["steps"].as_array().map(Vec::len), Some(3), "{file}");
        for item in shown["items"].as_array().expect("items") {
            assert_eq!(item["values"].as_array().map(Vec::len), Some(4), "{file}: {item}");
        }
        assert!(shown["items"].as_array().is_some_and(|it| it.len() > 5), "{file}");
        assert!(shown["clicks"].as_array().is_some_and(|it| it.iter().any(|click| click["choice"].is_u64())));
        let view = rely_session::view_of(file);
        let look = call(&mut desk, &json!({"look": {"file": view, "look": "text"}}));
        assert_eq!((&look["findings"], &look["is_model"]), (&json!([]), &json!(false)), "{file}");
    }
}

#[test]
fn a_view_is_looked_at_while_somebody_types_it() {
    let mut desk = example("philosophers.lts");
    let view = rely_ide::EXAMPLES[0].others[0].1.replacen("body-0", "bôdy-0", 1);
    let name = "philosophers.view.json";
    call(&mut desk, &json!({"set": {"name": name, "text": view}}));
    let look = call(&mut desk, &json!({"look": {"file": name, "look": "text"}}));
    let finding = &look["findings"][0];
    assert_eq!(finding["code"], "E0281");
    let at: Vec<usize> = serde_json::from_value(finding["at"].clone()).expect("a place");
    let units: Vec<u16> = view.encode_utf16().collect();
    assert_eq!(String::from_utf16(&units[at[0]..at[1]]).expect("text"), "\"bôdy-0\"");
    assert_eq!(call(&mut desk, &json!({"look": {"file": name, "look": "hover", "at": 5}})), Value::Null);
    let walk = json!({"view": {"file": "philosophers.lts", "view": "animation"}});
    assert_eq!(call(&mut desk, &walk)["nothing"]["findings"][0]["code"], "E0281");
    call(&mut desk, &json!({"remove": name}));
    assert!(call(&mut desk, &walk)["nothing"]["findings"][0]["message"].is_string());
}
