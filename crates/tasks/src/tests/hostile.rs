//! Whatever the text is, reading it ends, and gives diagnostics.

use rely_testkit::rng::{Rng, seeds};

use rely_base::{Budget, Limits};

use crate::{Elaborator, Refused, exact, parse, resolve};

const MODEL: &str = include_str!("../../../../models/elevator.adb");

#[test]
fn deep_nesting_is_refused() {
    for text in [
        format!(
            "procedure M is X : Integer := {}1{}; begin null; end M;",
            "(".repeat(100_000),
            ")".repeat(100_000)
        ),
        format!(
            "procedure M is begin {} null; {} end M;",
            "loop ".repeat(50_000),
            "end loop; ".repeat(50_000)
        ),
        format!("procedure M is X : Boolean := 1{} = 1; begin null; end M;", " + 1".repeat(100_000)),
        format!("procedure M is X : Boolean := {} True; begin null; end M;", "not ".repeat(100_000)),
        "procedure M is ".repeat(20_000),
        "task T is ".repeat(20_000),
        "package P is ".repeat(20_000),
        format!("procedure M is X : {}Y; begin null; end M;", "A.".repeat(50_000)),
        (0..5_000).map(|at| format!("with P{}; package P{at} is end P{at};", at + 1)).collect(),
        "select ".repeat(20_000),
        "if ".repeat(20_000),
        "procedure M is begin accept ".repeat(10_000),
    ] {
        let parse = parse(&text);
        let resolved = resolve(&parse);
        assert!(parse.has_errors() || resolved.program.is_none());
    }
}

#[test]
fn any_piece_of_a_program_is_read() {
    let tokens: Vec<&str> = MODEL.split_inclusive([' ', ';', '.']).collect();
    for seed in seeds(3000) {
        let mut rng = Rng::new(seed);
        let mut text = String::new();
        for _ in 0..rng.below(60) {
            text += rng.pick::<&str>(&tokens);
        }
        resolve(&parse(&text));
        let mut mutated: Vec<&str> = tokens.clone();
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(mutated.len());
            match rng.below(3) {
                0 => _ = mutated.remove(at),
                1 => mutated.insert(at, rng.pick::<&str>(&tokens)),
                _ => mutated[at] = rng.pick::<&str>(&tokens),
            }
        }
        resolve(&parse(&mutated.concat()));
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    assert!(parse("\0\u{1}\u{2}binary\0").has_errors());
    assert!(parse("").has_errors());
}

/// Why a program without mistakes has no network.
fn refusal(text: &str) -> Refused {
    let parse = parse(text);
    assert_eq!(parse.diagnostics(), []);
    let program = resolve(&parse).program.expect("it has no mistakes");
    let budget = Budget::new(Limits { states: Some(100_000), bytes: None }, None);
    exact(&program, &budget).expect_err("it is too large")
}

#[test]
fn programs_that_get_too_large_are_refused() {
    let loops = "procedure M is begin for I in 1 .. 2_000_000_000 loop null; end loop; end M;";
    assert!(matches!(refusal(loops), Refused::Exhausted(_)));
    let counter = "procedure M is X : Integer := 0; begin loop X := X + 1; end loop; end M;";
    assert!(matches!(refusal(counter), Refused::Exhausted(_)));
    // Each procedure calls the one before it twice.
    let mut text = "procedure M is X : Boolean := True; procedure P0 is begin X := True; end P0;".to_owned();
    for i in 1..60 {
        text += &format!("procedure P{i} is begin P{}; P{}; end P{i};", i - 1, i - 1);
    }
    assert!(matches!(refusal(&(text + "begin P59; end M;")), Refused::Mistakes(_)));
    // Each calls the one before it, with statements around the call.
    let mut text = "procedure M is X : Boolean := True; procedure P0 is begin X := True; end P0;".to_owned();
    for i in 1..2000 {
        text += &format!("procedure P{i} is begin if X then P{}; end if; end P{i};", i - 1);
    }
    assert!(matches!(refusal(&(text + "begin P1999; end M;")), Refused::Mistakes(_)));
}

#[test]
fn expressions_are_bounded_in_height() {
    let sum = |count: usize| "1 + ".repeat(count) + "1";
    let high = format!("procedure M is X : Integer := {}; begin null; end M;", sum(450));
    assert!(!Elaborator::new(&parse(&high), Budget::UNLIMITED).default_targets().is_empty());
    // Many operators at each of many levels.
    let nested = (0..200).fold("1".to_owned(), |inner, _| format!("({inner} + {})", sum(20)));
    assert!(parse(&format!("procedure M is X : Integer := {nested}; begin null; end M;")).has_errors());
}
