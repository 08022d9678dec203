//! Texts that are made to break the front end.

use rely_testkit::rng::{Rng, seeds};

use crate::parse;

/// A text with about everything that the language has.
const SAMPLE: &str = "
const N = 2 // constant
range R = 0..N
type Colour = {red, green} /* an enumeration */
import \"other.aim\"
component A {
    input go, data(v: R, c: Colour)
    output done(v: bool), out
    queue N
    process P[i: 1..N] { visible x: R = 1  a[1..2]: bool  input tick(n: 0..1)
        state s { x := x + 1; if x == i && !a[x] || x < N { send Q.m(any R); send P[x].tick(1) } else if any bool { send out } }
        final state t { a[1] := true; send done(a[i]) }
        s, t -> t on tick(x)
        t -> s on tick(_)
    }
    process Q { input m(v: R)  queue 3  state s  s -> s on m  s -> s on go  s -> s on data(_, red) }
    property p: After(data(1, red)) Never(done + P[1].x == 1) UntilAfter(go.received) assuming Repeatedly(go), [](out -> X (go U !done))
}
component B = a: A || b[1..2]: A { a.out -> b[1].go, b[2].go and out
    b[i: 1..2].out -> a.go  property q: IfRepeatedly(a.go) Repeatedly(b.1.P.x == 0) }
";

const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "||",
    "->",
    ".",
    "..",
    ",",
    ";",
    ":",
    ":=",
    "=",
    "==",
    "+",
    "-",
    "*",
    "/",
    "%",
    "!",
    "<",
    "<>",
    "[]",
    "\"",
    "/*",
    "*/",
    "//",
    "\n",
    " ",
    "any",
    "if",
    "else",
    "send",
    "state",
    "process",
    "component",
    "component C = A",
    "property",
    "assuming",
    "queue",
    "input",
    "on",
    "0",
    "99999999999",
    "x",
    "A",
    "P",
    "é",
    "\u{fffd}",
    "→",
    "$",
    "_",
    "After(",
    "Never(",
    "bool",
    "visible",
];

fn read(text: &str) {
    let read = parse(text);
    assert_eq!(read.syntax().text().to_string(), text, "the tree is not the text");
    super::findings(&read);
}

#[test]
fn mutations_never_panic() {
    for seed in seeds(1500) {
        let mut rng = Rng::new(seed);
        let mut text = SAMPLE.to_owned();
        for _ in 0..1 + rng.below(4) {
            let places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
            let (from, length) = (rng.below(places.len()), rng.below(12));
            let (start, end) = (places[from], *places.get(from + length).unwrap_or(&text.len()));
            match rng.below(3) {
                0 => text.replace_range(start..end, ""),
                1 => text.insert_str(start, rng.pick::<&str>(PIECES)),
                _ => text.replace_range(start..end, rng.pick::<&str>(PIECES)),
            }
        }
        read(&text);
    }
}

#[test]
fn every_prefix_is_read() {
    for (end, _) in SAMPLE.char_indices() {
        read(&SAMPLE[..end]);
    }
}

#[test]
fn deep_nesting_ends_with_an_error() {
    let many = 100_000;
    read(&format!("const N = {}1", "(".repeat(many)));
    read(&format!("const N = {}1", "-".repeat(many)));
    read(&format!("const N = 1{}", "+1".repeat(many)));
    let nested = "if true {".repeat(many);
    read(&format!("component C {{ process P {{ state s {{ {nested}"));
    let chain = "if true { } else ".repeat(many);
    read(&format!("component C {{ process P {{ state s {{ {chain}"));
    read(&"component C { process P { state s {".repeat(10_000));
    let parts: String = (0..300).map(|n| format!("component C{n} = C{}\n", n + 1)).collect();
    read(&parts);
}

#[test]
fn large_numbers_end_with_an_error() {
    let texts = [
        "component C { process P { x: 0..2000000000 state s { send out(x) } } output out(v: 0..2000000000) }",
        "component C { process P[i: 0..1000000000] { state s } }",
        "component C { process P { a[0..1000000000]: bool state s } }",
        "component C { process P { queue 1000000000 state s } }",
        "component C { process P { x: 0..2000000000 state s { x := any 0..2000000000 } } }",
        "component C { output o(a: 0..30, b: 0..30, c: 0..30) process P { state s } }",
    ];
    for text in texts {
        let read = parse(text);
        assert!(super::findings(&read).iter().any(|it| it.code == crate::codes::TOO_LARGE), "{text}");
    }
    // Every `if` doubles the ways.
    let action = "x := !x; if x { send o } else { };".repeat(64);
    let text = format!(
        "component C {{ output o process P {{ x: bool y: bool state s {{ {} }} }} }}",
        action.replace("if x", "if any bool")
    );
    let read = parse(&text);
    let loader = |_: &str| Err(String::new());
    let mut elaborator = crate::Elaborator::new(&read, &loader, rely_base::Budget::UNLIMITED);
    assert!(elaborator.system("C", &crate::Options::default()).is_err());
    assert!(elaborator.diagnostics().iter().any(|it| it.code == crate::codes::TOO_LARGE));
}
