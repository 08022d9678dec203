//! Whatever the text is, reading it ends, and gives diagnostics.

use rely_testkit::rng::{Rng, seeds};

use crate::{parse, resolve};

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
        "select ".repeat(20_000),
        "if ".repeat(20_000),
        "procedure M is begin accept ".repeat(10_000),
    ] {
        let parse = parse(&text);
        assert!(parse.has_errors());
        resolve(&parse);
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
