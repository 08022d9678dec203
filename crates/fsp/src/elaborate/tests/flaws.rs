//! What is not said about the meaning of a text whose syntax is broken: whatever may only follow from that.

use super::*;

#[test]
fn what_a_broken_definition_lacks() {
    check_diagnostics(
        "
property SAFE = (a -> L) | (b -> M),
//                       ^ E0133 expected `,` or `.`
L = (c -> SAFE), M = (d -> SAFE).
P = (a -> X).
//        ^ W0301 `X` is not defined
",
    );
    check_diagnostics(
        "
P = (a -> P).
S = P || P.
//    ^^ E0116 composed only in a composition
",
    );
    check_diagnostics(
        "
P = (foreach[w:0..1] when (w==0) a[w] -> P | b[w] -> P).
//   ^^^^^^^ E0118
",
    );
    check_diagnostics(
        "
P = (a -> b)\\{b}.
//        ^ E0131
Q = (c -> Q).
||S = (P || Q)\\{b}.
",
    );
    check_diagnostics(
        "
P = (a -> Q)
//         ^ E0112
Q = (b -> P).
",
    );
}

#[test]
fn names_that_a_broken_definition_may_bind() {
    check_diagnostics(
        "
P(N 2) = (a[N] -> P | b[M] -> P).
//  ^ E0122 default value
//                      ^ E0301 `M`
C = C[0], C[i:0..3 = (inc[i] -> C[i+1]).
//                 ^ E0120 expected `]`
D = D[0], D[i:0..1] = (when (i = 1) a[i] -> D[0] | b[j] -> D[i]).
//                             ^ E0160
//                                                   ^ E0302 variable `j`
",
    );
}

#[test]
fn what_is_certain_in_spite_of_a_mistake() {
    check_diagnostics(
        "
P = (a -> X | b -> P)
//        ^ W0301 `X` is not defined
//                  ^ E0111
const N = 1
const N =
//    ^^^ E0122
Q = (a -> Q).
  Q = (b -> ).
//^ E0307 defined twice
//          ^ E0122
",
    );
}

#[test]
fn names_that_could_not_be_read() {
    check_diagnostics(
        "
        controller ||C = ENV~{G}.
     // ^^^^^^^^^^ E0118
        const N =
        //    ^^^ E0122
        assert A =
        //     ^^^ E0122
        D =
     // ^^^ E0122
        ENV = (a[N] -> ENV).
        ||TEST = (C || D || ENV || F).
        //                         ^ E0315 process `F`
        assert B = []A
    ",
    );
}

#[test]
fn a_file_without_a_process() {
    check_diagnostics(
        "
        P : (a -> P).
        //^ E0122 expected `=`
    ",
    );
    let parse = parse("P = (a -> P).\0");
    let mut elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
    assert!(parse.has_errors() && elaborator.target("DEFAULT").is_err());
    assert_eq!(elaborator.diagnostics(), []);
}

#[test]
fn a_local_process_that_is_defined_twice() {
    let text = "COURT = (a -> COURT), COURT = (b -> COURT).";
    let parse = parse(text);
    let mut elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
    assert!(elaborator.target("COURT").is_err());
    let diagnostics = elaborator.diagnostics();
    let [diagnostic] = &diagnostics[..] else { panic!("{diagnostics:?}") };
    assert_eq!((diagnostic.code.0, diagnostic.span.start), ("E0310", 22));
    let [note] = &diagnostic.notes[..] else { panic!("one note") };
    assert_eq!((note.span.start, note.span.end), (0, 5));
}
