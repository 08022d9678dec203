//! Mistakes that only elaboration can see, and its warnings and limits.

use super::*;
use crate::elaborate::codes;

#[test]
fn undefined_names() {
    check_diagnostics(
        "
const MAX = 2
P = (when (MIN < MAX) a[MAXX] -> P
//         ^^^ E0301 `MIN` is not defined
//                      ^^^^ E0301 `MAXX` is not defined
    | b[j] -> P
//      ^ E0302 variable `j`
    | c -> X).
//         ^ W0301 `X` is not defined
",
    );
    check_diagnostics(
        "
P = (a -> P).
||S = (P || Q || R(1)).
//          ^ E0315 process `Q`
//               ^ E0315 process `R`
",
    );
    check_diagnostics(
        "
P = (a -> P).
assert A = [](a -> BUSY)
//                 ^^^^ E0320 `BUSY`
",
    );
}

#[test]
fn constants_are_defined_above_their_use() {
    check_diagnostics(
        "
range R = 0..N
//           ^ E0301 `N` is not defined
const N = 2
P = (a[R] -> P).
",
    );
}

#[test]
fn indices_out_of_range_are_warnings() {
    check_diagnostics(
        "
C = C[0],
C[i:0..2] = (inc -> C[i+1]).
//                  ^ W0301 `C[3]` is not defined
",
    );
}

#[test]
fn values_of_the_wrong_kind() {
    check_diagnostics(
        "
P = (a[x:{on,off}] -> b[x+1] -> P
//                      ^ E0303 the label `on`
    | c[1/0] -> P
//        ^ E0304 this is 0
    | d[2147483647+1] -> P
//      ^^^^^^^^^^^^ E0304 does not fit
    | e[3..1] -> P).
//     ^^^^^^ E0305 3..1 is empty
",
    );
}

#[test]
fn names_are_defined_once() {
    check_diagnostics(
        "
const N = 1
const N = 2
//    ^ E0307 constant `N`
P = (a -> P).
  P = (b -> P).
//^ E0307 process `P`
",
    );
}

#[test]
fn properties_are_deterministic() {
    check_diagnostics(
        "
property SAFE = (a -> SAFE | a -> b -> SAFE).
//       ^^^^ E0313 not deterministic
",
    );
}

#[test]
fn processes_in_a_sequence_end() {
    check_diagnostics(
        "
P = (a -> STOP).
Q = P; END.
//  ^ E0314 never reaches END
",
    );
}

#[test]
fn parameters_have_different_names() {
    check_diagnostics(
        "
P(N=1, N=2) = (a[N] -> P).
//     ^ E0307 parameter `N` is defined twice
",
    );
}

#[test]
fn definitions_do_not_go_round_in_circles() {
    check_diagnostics(
        "
  P = Q, Q = P.
//^ E0312 `P` is defined as itself
",
    );
    check_diagnostics(
        "
P = (a -> P).
||A = (P || B).
//          ^ E0317 `||B` contains itself
||B = (P || A).
//          ^ E0317 `||A` contains itself
",
    );
    check_diagnostics(
        "
assert A = !B
//          ^ E0325 `B` is defined by itself
assert B = !A
//          ^ E0325 `A` is defined by itself
P = (a -> P).
",
    );
}

#[test]
fn relabelling_and_hiding_of_nothing_is_a_warning() {
    check_diagnostics(
        "
P = (a -> P)/{a/b}\\{c}.
//              ^ W0302 no action `b`
//                  ^ W0303 no action `c`
",
    );
}

#[test]
fn calls_have_the_right_number_of_parameters() {
    check_diagnostics(
        "
P(N=1) = (a[N] -> P).
||S = P(1,2).
//    ^^^^^^ E0316 has 1 parameter, and this gives it 2
",
    );
}

#[test]
fn liveness_is_no_process() {
    check_diagnostics(
        "
constraint C = []<>a
//         ^ E0321 not a safety formula
",
    );
}

#[test]
fn a_reduction_that_hides_endless_work_is_a_warning() {
    check_diagnostics(
        "
minimal P = (a -> Q), Q = (b -> Q)\\{b}.
//      ^ W0306 silently for ever
R = (a -> b -> R)\\{b}.
minimal ||M = R.
||S = (P || M).
",
    );
}

#[test]
fn errors_of_unused_definitions_are_warnings() {
    let parse = parse("P = (a -> P). Q = (b[X] -> Q). ||S = P.");
    let mut elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
    assert!(elaborator.target("S").is_ok());
    elaborator.check_unused(&|_| false);
    assert!(!elaborator.has_errors());
    assert_eq!(elaborator.diagnostics().len(), 1);
}

/// What `{names}` of the properties means when only these are asked for, and the codes of the errors and of the rest.
fn asked(text: &str, names: &[&str]) -> (bool, Vec<&'static str>, Vec<&'static str>) {
    let parse = parse(text);
    let mut elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
    let is_asked = |name: &str| names.contains(&name);
    let progress = elaborator.asked_progress_properties(&is_asked);
    let assertions = elaborator.asked_assertions(&is_asked);
    elaborator.check_unused(&|_| false);
    let codes = |is_error: bool| {
        let diagnostics = elaborator.diagnostics().into_iter();
        let codes = diagnostics.filter(|diagnostic| diagnostic.is_error() == is_error);
        codes.map(|diagnostic| diagnostic.code.0).collect()
    };
    (progress.is_ok() && assertions.is_ok(), codes(true), codes(false))
}

#[test]
fn errors_of_properties_that_are_not_asked_for_are_warnings() {
    let text = "
P = (a -> b -> P).
fluent F[i:0..1] = <a, b>
assert GOOD = []<>a
assert OUTSIDE = [](F[5] || a)
assert CALLS = !OUTSIDE
progress BROKEN = {c[N]}
progress SOUND = {a}
menu M = {a[K]}
fluent BOTH = <a, a>
";
    // BROKEN, M and BOTH are never used by an assertion.
    let others = vec!["E0301", "E0301", "E0319"];
    assert_eq!(asked(text, &["GOOD", "SOUND"]), (true, vec![], vec!["E0320", "E0301", "E0301", "E0319"]));
    assert_eq!(asked(text, &["OUTSIDE"]), (false, vec!["E0320"], others.clone()));
    assert_eq!(asked(text, &["CALLS"]), (false, vec!["E0320"], others));
    assert_eq!(asked(text, &["BROKEN"]), (false, vec!["E0301"], vec!["E0320", "E0301", "E0319"]));
}

#[test]
fn an_assertion_is_no_advice_about_itself() {
    let parse = parse("assert B = []Q assert C = []R P = (a -> P).");
    let mut elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
    assert!(elaborator.assertions().is_err());
    let helps: Vec<Option<String>> = elaborator.diagnostics().into_iter().map(|d| d.help).collect();
    assert_eq!(helps, [Some("did you mean `C`?".to_owned()), Some("did you mean `B`?".to_owned())]);
}

#[test]
fn processes_of_sequences_are_no_parts_of_default() {
    check_diagnostics(
        "
P(N=1) = (a[N] -> END).
Q = P(2); P(2); P; END.
//  ^^^^ W0308 `P(2)` is no part of `DEFAULT`
",
    );
    // LTSA has no DEFAULT where there is a composite.
    check_diagnostics("P(N=1) = (a[N] -> END). Q = P(2); END. ||S = Q.");
}

#[test]
fn what_follows_an_empty_set_is_looked_at() {
    check_diagnostics(
        "
set A = {a}
P = (A\\{a}.b[3..1] -> P | c -> P).
//          ^^^^^^ E0305 empty
",
    );
    check_diagnostics("set A = {[1]} P = (x[i:A\\{[1]}][j:0..i] -> P | c -> P).");
}

#[test]
fn expansions_are_limited() {
    for text in [
        "P = (a[0..2000000000] -> P).",
        "P = P[0], P[i:0..100000][j:0..100000] = (a -> P).",
        "set S = {a[0..1000][0..1000][0..1000]} P = (a -> P).",
    ] {
        let parse = parse(text);
        let mut elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
        let _ = elaborator.target("P");
        assert!(elaborator.diagnostics().iter().any(|d| d.code == codes::TOO_LARGE), "{text}");
    }
}

#[test]
fn a_difference_that_takes_nothing_away() {
    check_diagnostics(
        r"set S = {a, b, c[0..1]}
P = (a -> b -> c[0..1] -> P).
progress A = S \ {b, bb}
//                   ^^ W0310 `bb` is taken away from a set that does not have it
progress B = S \ {c[1..5]}
set T = {b, zz}
progress C = S \ T
assert D = []!{S \ {cc[1]}}
//                  ^^^^^ W0310 `cc.1`
",
    );
}
