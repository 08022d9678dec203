//! Mistakes around processes: in tails, sets, formulas and whole definitions.

use crate::tests::check;

#[test]
fn tails_in_the_wrong_order() {
    check(
        "
        P = (a -> P) \\ {a} / {b/a}.
        //                 ^ E0117 `/` must stand before this
        Q = (a -> Q) / {b/a} + {c}.
        //                   ^ E0117 `+` must stand before this
        ||S = (P || Q) \\ {a} / {b/a}.
        //                   ^ E0117
        R = (a -> R) + {b} + {c}.
        //                 ^ E0117 for the second time
        ||T = (P || Q) + {a}.
        //             ^ E0117 cannot be extended
        V = (a -> V) >> {a}.
        //           ^^ E0117 only a composition
        ||W = (P \\ {a} || Q).
        //       ^ E0117 a part of a composition
    ",
    );
}

#[test]
fn sets_without_braces() {
    check(
        "
        set S = {a, b}
        set T = S\\{b}
        //      ^^^^^ E0141 the value of a set
        set V = {a, b}\\{b}
        //      ^^^^^^^^^^ E0141
        P = (a -> P) \\ a.
        //             ^ E0141 labels stand in braces
        Q = (a -> Q) / b/a.
        //             ^ E0141 relabellings
        set E = {}
        //       ^ E0142 empty
        set W = {a b}
        //         ^ E0122 expected `,`
        R = (a -> R) / {a -> b}.
        //                ^^ E0122 expected `/`
        set X = {S\\{b}}
    ",
    );
}

#[test]
fn missing_quotes() {
    check(
        "
        import P = file.aut
        //         ^^^^ E0180 in quotes
        import Q = \"file.aut
        //         ^^^^^^^^^ E0104 not closed
        Q = STOP.
    ",
    );
}

#[test]
fn formulas_without_parentheses() {
    check(
        "
        assert A = a -> b
        //           ^^ E0170 `->` needs parentheses
        assert B = []a && <>b
        //             ^^ E0170
        assert C = p U q
        //           ^ E0170
        assert D = a || b
        //           ^^ E0170
        assert E = (a -> b -> c)
        //                 ^^ E0172
        assert F = [](a -> )
        //                 ^ E0171 expected a formula
        assert G = a
        ||S = (P || Q).
        assert H = a
        U = (a -> U).
        assert I = []a.
        //            ^ E0113
    ",
    );
}

#[test]
fn an_empty_composition() {
    check(
        "
        ||S = ().
        //    ^^ E0152 empty
    ",
    );
}

#[test]
fn modifiers_in_the_wrong_order() {
    check(
        "
        property minimal ||S = (P || Q).
        //       ^^^^^^^ E0125 too far behind
        minimal property ||S = (P || Q).
    ",
    );
}

#[test]
fn numbers_of_other_languages() {
    check(
        "
        const HALF = 4 \\ 2
        //             ^ E0161 does not divide
        const RATE = 2.5
        //            ^ E0103 no fraction
        P = (a -> P).
        property controller ||C = (A)~{G}.
        //       ^^^^^^^^^^ E0118 MTSA
        Q = (a -> Q) \\ {a}.
    ",
    );
}

#[test]
fn other_tools() {
    check(
        "
        controller ||C = (A)~{G}.
     // ^^^^^^^^^^ E0118 MTSA
        P = (a -> P).
        include \"other.lts\"
     // ^^^^^^^ E0124
        controllerSpec G = {
     // ^^^^^^^^^^^^^^ E0118
            safety = {A}
            controllable = {S}
        }
        Q = (controller -> goal -> Q).
    ",
    );
}

#[test]
fn definitions_that_begin_wrongly() {
    check(
        "
        -> a.
     // ^^ E0110 expected a definition
        P = STOP.
        Q (a -> Q).
        //^ E0122 expected `=`
        R == (a -> R).
        //^^ E0122 expected `=`, found `==`
        const A = 1, B = 2
        //         ^ E0113
    ",
    );
    check(
        "
        N = 3
     // ^ E0122 a process cannot be a number
        R = 0..N
     // ^ E0122 a process cannot be a range
        S = {a, b}
     // ^ E0122 a process cannot be a set of labels
        P = (S -> a[i:R] -> P).
    ",
    );
}

#[test]
fn characters_and_numbers() {
    check(
        "
        P = (a -> $ P).
        //        ^ E0101 no meaning
        const A = 99999999999
        //        ^^^^^^^^^^^ E0102 too large
        const B = 08
        //        ^^ E0103 octal
        const C = 0x
        //        ^^ E0103
        const D = 0x7fffffff
        Q = (caf\u{e9} -> Q).
        //   ^^^^^ E0101 contains the letter
        /* this comment
     // ^^ W0101 never closed",
    );
}

#[test]
fn one_message_for_each_mistake_in_a_text() {
    check(
        "
        P = (a -> b -> Q),
        Q = (c -> | d -> P).
        //        ^ E0122 expected a process
        ||S = (a:P || b:).
        //              ^ E0122 expected a process
        R = (x[ -> R).
        //      ^^ E0162 expected a value
        T = (a -> T).
    ",
    );
}

#[test]
fn a_formula_goes_on_after_rigid() {
    check("P = (a -> P).\nassert A(N=1) = []((rigid(N > 0) && a) -> rigid(N) || X a)\n");
}
