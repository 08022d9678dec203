//! What is wrong with a mapping is said with its code and its place, and everything at once.

use std::collections::BTreeSet;

use rely_base::{Alphabet, Label};
use rely_harness::{Explorer, Harness, Input, Mapping, Part, generate};
use rely_lts::{Lts, LtsBuilder};

const GOOD: &str = r#"
[program]
crate = "lamp"
path = "."
runtime = "../runtime"

[[event]]
method = "press"
object = "switch"
threads = ["user"]
action = "press"

[[event]]
method = "light"
object = "lamp"
threads = ["driver"]
action = "light[{0}]"
values = ["0..1"]

[component]
make = "lamp::Lamp::new()"
threads = { driver = "component.run()" }

[[component.call]]
run = "component.press()"
thread = "user"
signals = ["switch.press"]
"#;

/// A lamp that is switched on and off by a switch.
fn lamp() -> Lts {
    let alphabet: Alphabet = ["press", "light.0", "light.1"].into_iter().collect();
    let mut builder = LtsBuilder::with_states(alphabet, 4);
    let states: Vec<_> = builder.clone().build().states().collect();
    for (from, label, to) in [(0, 1, 1), (1, 3, 2), (2, 1, 3), (3, 2, 0)] {
        builder.add_transition(states[from], Label::from_raw(label), states[to]);
    }
    builder.build()
}

/// The codes that a mapping gets, and how many files.
fn codes(text: &str) -> (Vec<String>, usize) {
    let (codes, harness) = written(text);
    (codes, harness.files.len())
}

/// The codes that a mapping gets, and the harness.
fn written(text: &str) -> (Vec<String>, Harness) {
    let (mapping, mistakes) = Mapping::read(text);
    if !mistakes.is_empty() {
        return (mistakes.iter().map(|it| it.code.to_string()).collect(), Harness::default());
    }
    let modelled: BTreeSet<String> = lamp().alphabet().names().map(str::to_owned).collect();
    let part = |name: &str| Part { name: name.to_owned(), lts: lamp() };
    let (properties, assumptions) = ([part("P")], [part("A")]);
    let input = Input {
        mapping: &mapping,
        explorer: Explorer::Shuttle,
        name: "lamp",
        package: "harness",
        sources: &[],
        folder: "..",
        properties: &properties,
        assumptions: &assumptions,
        component: part("LAMP"),
        environment: None,
        modelled: &modelled,
    };
    let (harness, found) = generate(&input);
    let (again, _) = generate(&input);
    assert_eq!(harness, again, "the same input gives the same files");
    (found.iter().map(|it| it.code.to_string()).collect(), harness)
}

/// The text of a file of a harness.
fn file<'h>(harness: &'h Harness, path: &str) -> &'h str {
    &harness.files.iter().find(|file| file.path == path).expect("the harness has the file").text
}

#[test]
fn a_good_mapping_gives_files() {
    // There is nothing for premise 2 and the whole, which is said.
    assert_eq!(codes(GOOD), (vec!["W0260".to_owned(), "W0260".to_owned()], 8));
}

#[test]
fn an_environment_may_be_functions() {
    let text = format!("{GOOD}[environment]\nthreads = {{ user = \"lamp::use_it(&*component)\" }}\n");
    let (codes, harness) = written(&text);
    assert_eq!(codes, ["W0260"], "premise 2 has no stub");
    assert!(harness.premises.iter().any(|name| name == "whole"));
    // Threads that belong to neither side are there in the whole only.
    let (codes, harness) = written(&format!("{text}[whole]\nthreads = {{ clock = \"lamp::tick()\" }}\n"));
    assert_eq!(codes, ["W0260"]);
    assert_eq!(file(&harness, "src/premises.rs").matches("lamp::tick()").count(), 1);
    assert_eq!(written(&format!("{text}[whole]\nmake = \"1\"\n")).0, ["E0261"]);
}

#[test]
fn premises_know_what_calls_signal() {
    let (_, harness) = written(GOOD);
    let claim = "Claim { call: \"component.press()\", event: \"switch.press in thread user\", actions: &[\"press\"] }";
    // Premise 1, and whether the component refines its model; not the environment that asks first.
    assert_eq!(file(&harness, "src/premises.rs").matches(claim).count(), 2);
}

/// The component's automaton forbids a second press. Which side is to blame depends on which side chooses the time.
#[test]
fn what_happens_in_a_call_that_waits_is_the_choice_of_the_component() {
    let rows = |text: &str| {
        let (_, harness) = written(text);
        let automata = file(&harness, "src/automata.rs");
        let rows = |name: &str| {
            let (_, rest) =
                automata.split_once(&format!("static {name}: ")).expect("there is this automaton");
            rest.split("};").next().unwrap_or_default().matches('X').count()
        };
        (rows("AROUND_LAMP"), rows("LAMP"))
    };
    let waiting = GOOD.replace("thread = \"user\"\nsignals", "thread = \"user\"\nwaits = true\nsignals");
    assert_ne!(waiting, GOOD);
    let (around, itself) = rows(GOOD);
    let all = around + itself;
    assert!(around > 0 && itself > 0);
    assert_eq!(rows(&waiting), (0, all), "nobody else has an action left");
}

#[test]
fn mistakes_have_codes() {
    let cases: [(&str, &str, &[&str]); 12] = [
        ("[program]", "[program", &["E0260"]),
        ("crate = \"lamp\"", "crates = \"lamp\"", &["E0261", "E0262"]),
        ("path = \".\"", "", &["E0262"]),
        ("path = \".\"", "path = 1", &["E0263"]),
        ("values = [\"0..1\"]", "values = [\"1..0\"]", &["E0263"]),
        ("values = [\"0..1\"]", "values = [\"0..1000000000000\"]", &["E0263"]),
        ("signals = [\"switch.press\"]", "signals = [\"press\"]", &["E0263"]),
        ("make = \"lamp::Lamp::new()\"", "", &["E0262"]),
        ("action = \"press\"", "action = \"pres\"", &["E0264", "E0265"]),
        ("values = [\"0..1\"]", "values = [\"0..2\"]", &["E0264"]),
        (
            "object = \"lamp\"\nthreads = [\"driver\"]",
            "object = \"lamp\"\nthreads = [\"driver\", \"driver\"]",
            &["E0266"],
        ),
        ("signals = [\"switch.press\"]", "signals = [\"switch.pres\"]", &["E0267", "E0268"]),
    ];
    for (old, new, expected) in cases {
        let text = GOOD.replace(old, new);
        assert_ne!(text, GOOD, "{old}");
        let (mut found, files) = codes(&text);
        found.retain(|code| code != "W0260");
        found.dedup();
        assert_eq!((found, files), (expected.iter().map(|code| (*code).to_owned()).collect(), 0), "{new}");
    }
}

#[test]
fn hostile_texts_are_read() {
    let deep = format!("internal = {}", "[".repeat(100_000));
    for text in ["", "\0", "= = =", "[[event]]\n[[event]]", "internal = 1", "[shared]\nx = 1", deep.as_str()]
    {
        assert!(!Mapping::read(text).1.is_empty(), "{}", &text[..text.len().min(20)]);
    }
}
