//! The formats: round trips, errors with places, hostile texts.

use rely_base::{Alphabet, Id, Label, StateId};
use rely_testkit::rng::{Rng, seeds};

use super::aut::{AutErrorKind, MAX_ERRORS, Spelling, Tau, WriteError};
use super::{aut, dot, json, marked, unmarked};
use crate::{InterfaceAutomaton, Lts, LtsBuilder, Role};

fn state(number: u32) -> StateId {
    StateId::from_raw(number)
}

/// A small random system; names are such that every format can have them.
fn random(rng: &mut Rng) -> Lts {
    const NAMES: [&str; 8] =
        ["a", "get.1", "put[3]", "send(1,2)", "GATE !true !5", "", "ünïcode→", "half\"quoted"];
    let states = 1 + rng.below(8);
    let mut builder = LtsBuilder::with_states(NAMES.into_iter().collect(), states);
    let error = rng.chance(1, 2).then(|| StateId::from_index(rng.below(states)));
    let end =
        rng.chance(1, 3).then(|| StateId::from_index(rng.below(states))).filter(|&end| Some(end) != error);
    builder.set_error(error);
    builder.set_end(end);
    builder.set_initial(StateId::from_index(rng.below(states)));
    for _ in 0..rng.below(20) {
        let (source, target) =
            (StateId::from_index(rng.below(states)), StateId::from_index(rng.below(states)));
        if Some(source) != error && Some(source) != end {
            let raw = u32::try_from(rng.below(NAMES.len() + 1)).unwrap();
            builder.add_transition(source, Label::from_raw(raw), target);
        }
    }
    builder.build()
}

fn aut_text(lts: &Lts, spelling: Spelling) -> String {
    let mut text = Vec::new();
    aut::write(lts, spelling, &mut text).expect("every label has a spelling");
    String::from_utf8(text).unwrap()
}

/// The transitions by name, with states renumbered.
fn named(lts: &Lts, number: impl Fn(StateId) -> i64) -> Vec<(i64, String, i64)> {
    let name = |label| lts.alphabet().label_name(label).to_owned();
    let mut all: Vec<_> =
        lts.transitions().map(|t| (number(t.source), name(t.label), number(t.target))).collect();
    all.sort();
    all
}

/// The number of a state when π is −1 and the states after it move down.
fn with_minus_one(lts: &Lts) -> impl Fn(StateId) -> i64 {
    let error = lts.error();
    move |state| match error {
        Some(error) if state == error => -1,
        Some(error) if state > error => i64::from(state.raw()) - 1,
        _ => i64::from(state.raw()),
    }
}

#[test]
fn aut_keeps_transitions_initial_state_and_error() {
    for seed in seeds(2000) {
        let lts = random(&mut Rng::new(seed));
        for tau in [Tau::Cadp, Tau::Mcrl2] {
            let text = aut_text(&lts, Spelling { tau, ..Spelling::default() });
            let again =
                aut::read(text.as_bytes()).unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}\n{text}"));
            let (before, after) = (with_minus_one(&lts), with_minus_one(&again));
            assert_eq!(named(&lts, &before), named(&again, &after), "seed {seed}\n{text}");
            assert_eq!(before(lts.initial()), after(again.initial()), "seed {seed}\n{text}");
            assert_eq!(lts.proper_state_count(), again.proper_state_count(), "seed {seed}\n{text}");
        }
        let ordinary = aut::read(aut_text(&lts, Spelling::CADP).as_bytes()).unwrap();
        let raw = |state: StateId| i64::from(state.raw());
        assert_eq!(named(&lts, raw), named(&ordinary, raw), "seed {seed}");
        assert_eq!((ordinary.state_count(), ordinary.error()), (lts.state_count(), None), "seed {seed}");
    }
}

#[test]
fn json_keeps_everything() {
    for seed in seeds(2000) {
        let lts = random(&mut Rng::new(seed));
        let mut text = Vec::new();
        json::write(&lts, &mut text).unwrap();
        assert_eq!(json::read(&text).as_ref(), Ok(&lts), "seed {seed}");
    }
}

fn random_roles(rng: &mut Rng, lts: Lts) -> InterfaceAutomaton {
    let roles = [Role::Input, Role::Output, Role::Internal];
    let roles = lts.alphabet().names().map(|_| *rng.pick(&roles)).collect();
    InterfaceAutomaton::new(lts, roles)
}

#[test]
fn json_keeps_roles() {
    for seed in seeds(1000) {
        let mut rng = Rng::new(seed);
        let lts = random(&mut rng);
        let automaton = random_roles(&mut rng, lts);
        let mut text = Vec::new();
        json::write_interface(&automaton, &mut text).unwrap();
        let (lts, roles) = json::read_with_roles(&text).unwrap();
        assert_eq!((&lts, roles.as_deref()), (automaton.lts(), Some(automaton.roles())), "seed {seed}");
    }
    let plain = br#"{"schema":"rely/lts/1","states":1,"initial":0,"alphabet":["a"],"transitions":[]}"#;
    assert_eq!(json::read_with_roles(plain).unwrap().1, None);
    let closed =
        br#"{"schema":"rely/lts/1","states":1,"initial":0,"alphabet":["a"],"inputs":[],"transitions":[]}"#;
    assert_eq!(json::read_with_roles(closed).unwrap().1, Some(vec![Role::Internal]));
}

/// What is on no transition is lost in this format, and nothing else.
#[test]
fn aut_keeps_roles_as_marks() {
    let mut automata = 0;
    for seed in seeds(1000) {
        let mut rng = Rng::new(seed);
        let lts = aut::read(aut_text(&random(&mut rng), Spelling::default()).as_bytes()).unwrap();
        if lts.alphabet().contains("") || lts.alphabet().is_empty() {
            continue;
        }
        automata += 1;
        let automaton = random_roles(&mut rng, lts);
        let text = aut_text(&marked(&automaton), Spelling::default());
        let (again, roles) = unmarked(aut::read(text.as_bytes()).unwrap());
        // An automaton without inputs and outputs has names without marks.
        let is_closed = automaton.roles().iter().all(|&role| role == Role::Internal);
        let expected = (!is_closed).then(|| automaton.roles());
        assert_eq!((&again, roles.as_deref()), (automaton.lts(), expected), "seed {seed}: {text}");
    }
    assert!(automata > 300, "{automata}");
}

#[test]
fn names_are_marks_only_if_all_of_them_are() {
    let read = |labels: &[&str]| {
        let lines: String = labels.iter().map(|label| format!("(0,\"{label}\",0)\n")).collect();
        aut::read(format!("des (0,{},1)\n{lines}", labels.len()).as_bytes()).unwrap()
    };
    for labels in [&["a?", "b!", "c;"][..], &["a.1?"], &["a;", "b?", "tau"], &["a??"]] {
        assert!(unmarked(read(labels)).1.is_some(), "{labels:?}");
    }
    for labels in [
        &["a?", "b"][..],
        &["G !5"],
        &["?"],
        &["a?", "a!"],
        &["tau"],
        &[],
        &["?a"],
        &["a;", "tau"],
        &["x = 1;", "y;"],
    ] {
        let lts = read(labels);
        assert_eq!(unmarked(lts.clone()), (lts, None), "{labels:?}");
    }
}

#[test]
fn aut_is_lenient_about_blanks() {
    let plain = aut::read(b"des (0,2,2)\n(0,a b,1)\n(1,\"c,d)\",0)\n").unwrap();
    for text in [
        "des(0,2,2)\n(0,a b,1)\n(1,\"c,d)\",0)",
        "\u{feff}des ( 0 , 2 , 2 )\r\n( 0 , a b , 1 )\r\n\r\n\t( 1 , \"c,d)\" , 0 )\r\n\r\n",
        "  des (0,2,2) (0,a b,1) (1,\"c,d)\",0)",
        "des\n(0,2,\n2)\n(0,\na b,\n1)\n(1,\"c,d)\",0)",
    ] {
        assert_eq!(aut::read(text.as_bytes()).as_ref(), Ok(&plain), "{text:?}");
    }
    assert_eq!(plain.alphabet().names().collect::<Vec<_>>(), ["a b", "c,d)"]);
}

#[test]
fn aut_reads_both_spellings_of_tau() {
    let text = b"des (1,4,2)\n(0,i,1)\n(0,\"tau\",1)\n(1,tau,0)\n(1,\"i\",0)\n";
    let lts = aut::read(text).unwrap();
    assert_eq!((lts.initial(), lts.transition_count(), lts.alphabet().len()), (state(1), 2, 0));
    let mut visible = LtsBuilder::with_states(["i"].into_iter().collect(), 1);
    visible.add_transition(state(0), Label::visible(rely_base::ActionId::from_index(0)), state(0));
    let visible = visible.build();
    assert!(matches!(
        aut::write(&visible, Spelling::CADP, &mut Vec::new()),
        Err(WriteError::Unspellable { .. })
    ));
    assert_eq!(aut_text(&visible, Spelling::MCRL2), "des (0,1,1)\n(0,i,0)\n");
}

#[test]
fn names_that_mean_something_else_are_no_actions() {
    let errors = aut::read("des (0,2,2)\n(0,√,1)\n(0,\"√\",0)\n".as_bytes()).unwrap_err();
    let kind = AutErrorKind::Reserved("√".into());
    assert_eq!(errors.iter().map(|e| (e.line, &e.kind)).collect::<Vec<_>>(), [(2, &kind), (3, &kind)]);
    for name in ["tau", "√"] {
        let document = format!(
            r#"{{"schema":"rely/lts/1","states":2,"initial":0,"end":1,"alphabet":["a","{name}"],"transitions":[]}}"#
        );
        let errors = json::read(document.as_bytes()).unwrap_err();
        assert_eq!(errors.iter().map(|e| &*e.path).collect::<Vec<_>>(), ["alphabet[1]"], "{name}");
    }
}

#[test]
fn aut_writes_what_the_tools_expect() {
    let lts = aut::read(b"des (0,4,2)\n(0,phil[0].get,1)\n(0,tau,-1)\n(1,\"G !1\",-1)\n(1,\"\",0)").unwrap();
    assert_eq!((lts.state_count(), lts.error()), (3, Some(state(2))));
    let ltsa = "des (0,4,2)\n(0,i,-1)\n(0,phil[0].get,1)\n(1,\"G !1\",-1)\n(1,\"\",0)\n";
    assert_eq!(aut_text(&lts, Spelling::LTSA), ltsa);
    let mcrl2 = "des (0,4,3)\n(0,tau,2)\n(0,phil[0].get,1)\n(1,\"G !1\",2)\n(1,\"\",0)\n";
    assert_eq!(aut_text(&lts, Spelling::MCRL2), mcrl2);
    let error_at_once = aut::read(b"des (-1,0,0)").unwrap();
    assert_eq!(error_at_once.error(), Some(error_at_once.initial()));
    assert_eq!(aut_text(&error_at_once, Spelling::LTSA), "des (-1,0,0)\n");
}

#[test]
fn aut_refuses_names_that_no_reader_would_get_back() {
    for name in ["two\nlines", "\"", "a\"b,c", " a\"", "a\"\t", "tau", "cr\r"] {
        let mut builder = LtsBuilder::with_states([name].into_iter().collect(), 1);
        builder.add_transition(state(0), Label::from_raw(1), state(0));
        let result = aut::write(&builder.build(), Spelling::default(), &mut Vec::new());
        assert!(matches!(result, Err(WriteError::Unspellable { .. })), "{name:?}");
    }
    let unused = LtsBuilder::with_states(["tau"].into_iter().collect(), 1).build();
    assert_eq!(aut_text(&unused, Spelling::default()), "des (0,0,1)\n");
}

/// Line, column and kind of each error of a text.
type Found = Vec<(usize, usize, AutErrorKind)>;

fn aut_errors(text: &[u8]) -> Found {
    let errors = aut::read(text).expect_err("the text is wrong");
    errors.into_iter().map(|error| (error.line, error.column, error.kind)).collect()
}

#[test]
fn aut_errors_have_places() {
    use AutErrorKind::*;
    let cases: Vec<(&[u8], Found)> = vec![
        (b"", vec![(1, 1, NoHeader)]),
        (b"\n digraph {}", vec![(2, 2, NoHeader)]),
        (b"des", vec![(1, 4, Expected("`(`"))]),
        (b"des (0", vec![(1, 7, Expected("`,`"))]),
        (b"des (x,1,1)", vec![(1, 6, Expected("a state"))]),
        (b"des (0 1/2 1,1,1)", vec![(1, 8, Probabilistic)]),
        (b"des (0,1,1", vec![(1, 11, Expected("`)` at the end of the header"))]),
        (b"des (0,0,0)", vec![(1, 6, NoSuchState { state: 0, declared: 0 })]),
        (b"des (0,2,1)\n(0,a,0)", vec![(1, 8, TransitionCount { declared: 2, found: 1 })]),
        (b"des (0,0,1)\n(0,a,0)", vec![(1, 8, TransitionCount { declared: 0, found: 1 })]),
        (b"des (0,1,99999999999999999999)", vec![(1, 10, NumberTooLarge)]),
        (b"des (0,1,4000000000)\n(0,a,3999999999)", vec![(1, 10, TooManyStates { declared: 4_000_000_000 })]),
        (
            b"des (0,1000000000000000000,1000000000000000000)\n(0,a,999999999999)\n(0,a",
            vec![
                (1, 28, TooManyStates { declared: 1_000_000_000_000_000_000 }),
                (2, 6, NoSuchState { state: 999_999_999_999, declared: 1_000_000_000_000_000_000 }),
                (3, 4, Expected("a label and `,`")),
            ],
        ),
        (
            "des (0,9,2)\n(0,\"é\",2)\n(0,a(1,2),1)\n(0,,1)\n(0,\"a,1)\n(0,a,0 1/2 1)\n(-1,a,0)\n(-2,a,0)\n(0 1)\n0"
                .as_bytes(),
            vec![
                (2, 8, NoSuchState { state: 2, declared: 2 }),
                (3, 8, NoSuchState { state: 2, declared: 2 }),
                (4, 4, Expected("a label")),
                (5, 4, UnclosedLabel),
                (6, 6, Probabilistic),
                (7, 2, LeavesError),
                (8, 2, Expected("a state: only -1, the error state, is negative")),
                (9, 4, Expected("`,`")),
                (10, 1, Expected("`(` and a transition")),
            ],
        ),
        (b"des (0,1,1)\n(0,\"\xFF\xFE\",0)", vec![(2, 4, NotUtf8)]),
        (b"des (0,1,1)\n(0,\xFF,0)", vec![(2, 4, NotUtf8)]),
    ];
    for (text, expected) in cases {
        assert_eq!(aut_errors(text), expected, "{}", String::from_utf8_lossy(text));
    }
    let many = format!("des (0,1,1)\n{}", "(0,a,7)\n".repeat(1000));
    assert_eq!(aut_errors(many.as_bytes()).len(), MAX_ERRORS);
    let error = &aut::read(b"des (0,1,3)\n(0,a(1,2),1)").expect_err("a comma in a label")[0];
    assert_eq!(error.to_string(), "2:10: expected `(` and a transition");
    assert_eq!(error.to_diagnostic().help.as_deref(), Some("a label with a comma in it has to be in quotes"));
}

#[test]
fn mutilated_texts_never_panic() {
    const NOISE: &[u8] = b"(),\"\n\r -0123456789ides\xFF{}[]:";
    for seed in seeds(3000) {
        let mut rng = Rng::new(seed);
        let lts = random(&mut rng);
        let mut json_text = Vec::new();
        json::write(&lts, &mut json_text).unwrap();
        for mut text in [aut_text(&lts, Spelling::default()).into_bytes(), json_text] {
            for _ in 0..=rng.below(4) {
                let at = rng.below(text.len());
                match rng.below(3) {
                    0 => text[at] = *rng.pick(NOISE),
                    1 => text.insert(at, *rng.pick(NOISE)),
                    _ => text.truncate(at + 1),
                }
            }
            // Whatever is still read is a system: its states and labels are there.
            for lts in [aut::read(&text).ok(), json::read(&text).ok()].into_iter().flatten() {
                assert!(lts.initial().index() < lts.state_count(), "seed {seed}");
                assert!(lts.transitions().all(|t| t.target.index() < lts.state_count()), "seed {seed}");
                assert!(lts.transitions().all(|t| t.label.index() <= lts.alphabet().len()), "seed {seed}");
            }
        }
    }
}

#[test]
fn json_errors_are_collected() {
    let errors = |text: &str| -> Vec<String> {
        json::read(text.as_bytes()).expect_err("the text is wrong").iter().map(ToString::to_string).collect()
    };
    assert_eq!(errors("[").len(), 1);
    assert_eq!(
        errors(
            r#"{"schema":"rely/lts/2","states":2,"initial":2,"error":1,"end":1,"alphabet":["a"],
               "transitions":[[0,"b",5],[1,null,0]]}"#
        ),
        [
            "schema: expected `rely/lts/1`, found `rely/lts/2`",
            "initial: there is no state 2: there are 2 states",
            "end: the error state cannot be the end state",
            "transitions[0]: there is no state 5: there are 2 states",
            "transitions[0]: `b` is not in the alphabet",
            "transitions[1]: the error state has no transitions",
            "transitions[1]: the end state has no transitions",
        ]
    );
    let roles = r#"{"schema":"rely/lts/1","states":1,"initial":0,"alphabet":["a"],
                    "inputs":["a","b"],"outputs":["a"],"transitions":[]}"#;
    assert_eq!(
        errors(roles),
        ["inputs[1]: `b` is not in the alphabet", "outputs[0]: `a` has its role already"]
    );
    let header = |states: u64| {
        format!(
            r#"{{"schema":"rely/lts/1","states":{states},"initial":0,"alphabet":["a","a"],"transitions":[]}}"#
        )
    };
    assert_eq!(errors(&header(1)), ["alphabet[1]: `a` is there twice"]);
    let twice = r#"{"schema":"rely/lts/1","states":1,"initial":0,"alphabet":["a","a","b","b"],"transitions":[[0,"b",0]]}"#;
    assert_eq!(errors(twice), ["alphabet[1]: `a` is there twice", "alphabet[3]: `b` is there twice"]);
    assert_eq!(errors(&header(1 << 60))[0], "states: more states than the text can describe");
}

#[test]
fn json_knows_both_spellings_of_tau() {
    let text = |alphabet: &str| {
        format!(
            r#"{{"schema":"rely/lts/1","states":1,"initial":0,"alphabet":[{alphabet}],"transitions":[[0,"tau",0]]}}"#
        )
    };
    assert!(json::read(text("").as_bytes()).unwrap().has_tau());
    assert!(json::read(text("\"tau\"").as_bytes()).is_err());
}

#[test]
fn dot_text() {
    let alphabet: Alphabet = ["a\"\\", "b"].into_iter().collect();
    let mut builder = LtsBuilder::with_states(alphabet, 3);
    builder.set_error(Some(state(1)));
    builder.set_end(Some(state(2)));
    for (source, label, target) in [(0, 1, 1), (0, 2, 1), (0, 0, 2)] {
        builder.add_transition(state(source), Label::from_raw(label), state(target));
    }
    let mut text = Vec::new();
    dot::write(&builder.build(), "bell\u{7}", &mut text).unwrap();
    let expected = r#"digraph "bell\\u{7}" {
  rankdir=LR;
  node [shape=circle, fontname="Helvetica"];
  edge [fontname="Helvetica", fontsize=11];
  start [shape=point, style=invis, label=""];
  0 [label="0"];
  1 [label="ERROR", color=red, fontcolor=red];
  2 [label="2", shape=doublecircle];
  start -> 0;
  0 -> 1 [label="a\"\\,\nb"];
  0 -> 2 [label="tau", style=dashed];
}
"#;
    assert_eq!(String::from_utf8(text).unwrap(), expected);
}

#[test]
fn programs_as_promela() {
    use crate::{Lifetime, Outcome, ProgramBuilder, Slot, Trigger, Values};

    // A counter that ticks up to 2 and is heard where it is even, and fails beyond.
    let mut program = ProgramBuilder::new();
    let count = program.slot("count */", Values::Range(0, 2), 0);
    let (values, lifetime) = (Values::Boolean, Lifetime::Momentary);
    let even = program.slot_with(Slot { name: "even".to_owned(), values, initial: 0, lifetime });
    let counter = program.unit("counter \"%\"");
    let (now, one, two) = (program.value(count), program.constant(1), program.constant(2));
    let below = program.less(now, two);
    let (more, full) = (program.add(now, one), program.not(below));
    let up = program.action("up");
    let tick = program.tick(Some(up), one);
    program.command(counter, Trigger::Tick(tick), below).assign(count, more).assign(even, now);
    program.command(counter, Trigger::Tick(tick), full).outcome(Outcome::Fail);
    let program = program.build().expect("it has a meaning");
    let mut text = Vec::new();
    super::promela::write(&program, "counter", &mut text).expect("memory is large enough");
    let text = String::from_utf8(text).expect("it is text");
    let expected = "\
/* counter */
byte s_count_0 = 0; /* count * / */
bit s_even_1 = 0; /* even */
/* The new value of each variable in a step, by its number, and whether it has one. */
hidden int n0; hidden byte w0;
hidden int n1; hidden byte w1;
hidden int e3;
hidden int e5;
hidden int failed; hidden byte cut;

active proctype program() {
  do
  :: atomic {
    e3 = (s_count_0 < 2);
    e5 = !(e3);
    if
    :: (1) ->
      printf(\"does up\\n\");
      n0 = s_count_0; w0 = 0;
      n1 = 0; w1 = 0;
      failed = 0; cut = 0;
      if
      :: (e3) ->
        failed = (failed == 0 && ((s_count_0 + 1) < 0 || (s_count_0 + 1) > 2 || (w0 && n0 != (s_count_0 + 1))) -> 1 : failed);
        n0 = (s_count_0 + 1); w0 = 1;
        failed = (failed == 0 && (s_count_0 < 0 || s_count_0 > 1 || (w1 && n1 != s_count_0)) -> 1 : failed);
        n1 = s_count_0; w1 = 1;
        skip
      :: (e5) ->
        failed = (failed == 0 -> 1 : failed);
        skip
      :: else -> skip
      fi;
      if :: (failed == 1) -> printf(\"fails counter ___\\n\") :: else -> skip fi;
      assert(failed == 0);
      if :: (cut || failed) -> break :: else -> skip fi;
      s_count_0 = n0; s_even_1 = n1; skip
    :: else ->
      if :: (false) -> break :: else -> false /* a deadlock */ fi
    fi
  }
  od
}
";
    assert_eq!(text, expected);
}
