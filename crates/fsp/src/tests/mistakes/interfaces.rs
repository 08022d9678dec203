//! Interface automata: marks, and how parsing goes on where they are wrong.

use crate::tests::check;

#[test]
fn marks_of_interface_automata() {
    check(
        "
        P = (a? -> b! -> {c, d}? -> P)
        //    ^ E0143 `?` marks an input, and only an interface automaton has inputs
          + {e?}.
        P2 = (b! -> P2).
        //     ^ E0143 `!` marks an output, and only an interface automaton has outputs
        interface A = (a? -> {b!, c}.d -> A) / {x?/a} \\ {b!}.
        //                           ^ E0144 have marks of their own
        //                                       ^ E0144 none here
        //                                                ^ E0144 none here
        interface A2 = (a -> A2) \\ {b!}.
        //                           ^ E0144
        interface B = ({a?, b}! -> B).
        //                    ^ E0144
        set S = {a?, b}
        //        ^ E0143
        interface q = (a? -> q).
        //        ^ E0114 `q` does not
        progress G = {a!}
        //             ^ E0143
        interface C = (set? -> C).
        //             ^^^ E0138
        interface D = (a? b! -> D).
        //                ^ E0135
        ||T = (A || a!:B).
        //           ^ E0143
        Q = (a -> Q).
    ",
    );
}

#[test]
fn recovery_at_interface_automata() {
    check(
        "
        P = (a -> P
        interface A = (a? -> A).
     // ^^^^^^^^^ E0120
        minimal ||S = (P
        property interface B = (a? -> B)
     // ^^^^^^^^ E0120
        //                             ^ E0111 `B`
        interface C = (b! -> C).
    ",
    );
}
