//! One test for each mistake that is known: where it is reported, with which code, and that it is reported once.

use super::check;

#[test]
fn signs_and_names() {
    check(
        "
        system S {
            input a, B
//                   ^ E0710 begins with a lower-case letter
            machine m { x -> y on a && !B }
//                  ^ E0710 begins with an upper-case letter
//                                  ^^ E0703 has no meaning here
//                                      ^ E0722 is no condition
            machine N { x --> y on a or b ; }
//                        ^^^ E0703 has no meaning here
//                                   ^^ E0703 `or` is no operator here
//                                      ^ E0721 event `b` is not defined
//                                        ^ E0714 nothing ends with `;`
        }",
    );
    check(
        "
        const N = 99999999999
//                ^^^^^^^^^^^ E0702 too large
        system S { input a machine M { x -> y on a$ } }
//                                                ^ E0701 `$`
        /* the rest
//      ^^ W0701 never closed",
    );
}

#[test]
fn what_cannot_be_read_does_not_hide_the_rest() {
    check(
        "
        system S {
            input a, ms
//                   ^^ E0711 is a keyword
            output
            machine M {
//          ^^^^^^^ E0711 is a keyword
                x y on a
//                ^ E0706 expected `->`
                x -> on a
//                   ^^ E0706 expected the state that the transition leads to
                y -> z on
                z -> x on a & (b
//              ^ E0706 expected a condition behind `on`
            }
//          ^ E0708 expected `)`
            property p: M.x
//                    ^ E0706 expected `at macrostep` or `at microstep`
            property q at macrostep: M.x => M.y => M.z
//                                              ^^ E0712 it is not clear
            machin N { }
//          ^^^^^^ E0707 expected a part of the system
            component C { takes c }
//                              ^ E0721 nobody gives `c`
        }
        x
//      ^ E0707 expected a definition",
    );
}

#[test]
fn brackets_that_are_not_closed() {
    check(
        "
        system S {
            input a
            machine M {
                x -> y on a
            machine N { x -> y on a }
//          ^^^^^^^ E0708 expected `}`, found the keyword `machine`
        }
        system T { input a machine M { x -> y on a }
//                                                  ^ E0708 expected `}`",
    );
}

#[test]
fn numbers() {
    check(
        "
        const A = 1 / 0
//                    ^ E0723 divided by it
        const B = C + 1
//                ^ E0720 constant `C` is not defined
        const C = 2147483647 + 1
//                ^^^^^^^^^^^^^^ E0723 does not fit
        const D = 1
        const D = 2
//            ^ E0726 defined twice
        range R = 3..1
//                ^^^^ E0724 is empty
        system S {
            input a[1..3]
            machine M { forall [i: 1..3] x -> y[i] on a[i] & i  x -> z on a[4] }
//                                                           ^ E0722 `i` is a number
//                                                                        ^^^^ E0721 there is no event `a[4]`
            machine N { forall [i: 1..3][i: 1..2] x -> y on a[i] }
//                                       ^ E0727 another index around it
            machine O { x -> y on a[1..2]   y -> z on D }
//                                  ^^^^ E0722 this is a range
//                                                    ^ E0722 `D` is a number
        }",
    );
    check(
        "
        system S { input a[1..1000][1..1000] machine M { x -> y on a[1][1] } }
//                                  ^^^^^^^ E0725 more than 300000",
    );
}

#[test]
fn events_states_and_machines() {
    check(
        "
        system S {
            input init, init
//                      ^^^^ E0726 declared twice
            output out
            machine Door {
                closed -> open on int
//                                ^^^ E0721 event `int` is not defined
                open -> closed on init / init
//                                       ^^^^ E0732 no machine can send it
                open -> stuck on out & Dor.open
//                               ^^^ E0733 no machine can read it
//                                     ^^^^^^^^ E0728 there is no machine or component `Dor`
                stuck -> open on Door.opened
//                               ^^^^^^^^^^^ E0729 has no state `opened`
            }
            machine Door { a -> b }
//                  ^^^^ E0726 `Door` is defined twice
            machine Empty { }
            takes x
//                ^ E0713 crosses the border
            property p at macrostep: true from q
//                                             ^ E0734 property `q` is not defined
            assume a: true
//                 ^ E0713 belongs to a component
        }",
    );
    check(
        "
        system S { input a machine Empty { } machine M { x -> y on a } }
//                                 ^^^^^ E0735 has no states
        system T { input a }
//             ^ E0735 has no machines",
    );
}

#[test]
fn borders_of_components() {
    check(
        "
        system S {
            input a
            output out
            component C { machine M { x -> y on a / out } }
            component D {
                machine M { x -> y on a }
                property p at macrostep: !out
//                                        ^^^ E0730 machines outside of component `D` send `out`
            }
        }",
    );
    check(
        "
        system S {
            input a
            component C {
                takes a
//                    ^ E0730 is an input of the system
                gives b
                machine M { x -> x on a / b, own }
                assume x: own & M.x
//                        ^^^ E0739 is nothing that component `C` takes
//                              ^^^ E0739 cannot speak about states
                property p at macrostep: after 3
//                                       ^^^^^^^ E0713 `after` belongs to
            }
            component D {
                machine M { x -> y on b & own  y -> x on C.M.x }
//                                    ^ E0730 comes from outside of component `D`
//                                        ^^^ E0730 belongs to component `C`
//                                                       ^^^^^ E0731 is outside of component `D`
                component E { }
//              ^^^^^^^^^ E0713 cannot stand in another one
                machine N { x -> y on old a & ms == 1  y -> x on after 0 }
//                                    ^^^^^ E0713 `old` belongs to properties
//                                            ^^^^^^^ E0713 `ms` has no meaning here
//                                                                     ^ E0722 at least one macrostep
            }
        }",
    );
}

#[test]
fn names_outside_of_the_system() {
    check(
        "
        system S {
            input end, pump[1..1]
//                ^^^ E0736 `end`
            component Pump {
                input x
                machine M { a -> b on x & pump[1] }
            }
            machine M { a -> b on end }
        }",
    );
}

#[test]
fn advice_names_what_was_meant() {
    let found = super::findings("system S { input init machine M { x -> y on inti } }");
    assert_eq!(found[0].help.as_deref(), Some("did you mean `init`?"));
    let found = super::findings("system S { input a machine Door { x -> y on a & Dor.x } }");
    assert_eq!(found[0].help.as_deref(), Some("did you mean `Door`?"));
}

#[test]
fn inputs_that_exclude_each_other() {
    check(
        "
        system S {
            input one of a, b
            output one of c, d
//                 ^^^ E0713 `one of` belongs to `input`
            machine M { x -> y on a / c   x -> z on b / d }
        }",
    );
    check("system S { input one of a, b machine M { x -> y on a   x -> z on b } }");
    check(
        "
        system S { input one of a, b machine M { x -> y on a & b } }
//                                               ^^^^^^^^^^^^^^^ W0711 can never be taken",
    );
}

#[test]
fn global_properties_that_do_not_follow() {
    let text = |global: &str| {
        format!(
            "system S {{
                input a
                component C {{ gives b machine M {{ x -> y on a / b }} property p at macrostep: b => a }}
                component D {{ takes b machine M {{ x -> y on b }} property q at macrostep: D_y => b }}
                property r at macrostep: {global} from C.p, D.q
            }}"
        )
        .replace("D_y", "old M.x & M.y")
    };
    assert_eq!(super::findings(&text("old D.M.x & D.M.y => a")), []);
    let found = super::findings(&text("D.M.y => a"));
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].code.0, found[0].message.as_str()),
        ("W0715", "`r` does not follow from the properties behind `from`")
    );
    assert_eq!(found[0].help.as_deref(), Some("they hold and it does not where !a, !b, D.M.y, old D.M.y"));
}

#[test]
fn rules_in_assumptions() {
    check(
        "
        system S {
            input a
            component C { gives b, c, d machine M { x -> x on a / b, c, d } }
            component D {
                takes b, c, d
                machine M { x -> y on b & c & d }
                assume good {
                    never b with c without d in microstep 2
                    never b without c or d
                    always b or c in microsteps 1, 2 and later
                    no b, c in microstep 1
                    b: always in microsteps 2 and 3
                    b, c: only in microstep 3
                    d: never
                }
                assume bad {
                    b: sometimes
//                     ^^^^^^^^^ E0706 expected `never`, `always` or `only
                    never a
//                        ^ E0739 is nothing that component `D` takes
                    no b
                }
//              ^ E0706 expected `in microstep`
            }
        }",
    );
}

#[test]
fn warnings() {
    check(
        "
        system S {
            input a, b, unread
//                      ^^^^^^ W0714 no machine reads input
            output unsent
//                 ^^^^^^ W0714 no machine sends output
            machine M {
                x -> y on a
                x -> z on b / ping
//              ^^^^^^^^^^^^^^^^^^ W0710 machine `M` has two transitions in state `x`
                y -> x on a & ping
//              ^^^^^^^^^^^^^^^^^^ W0711 can never be taken
                z -> x on after 2 & !a
                z -> x on a & M.y
//              ^^^^^^^^^^^^^^^^^ W0711 can never be taken
            }
            machine N {
//                  ^ W0712 never enters state `lost`
                p -> q on a & !b / pong
//                                 ^^^^ W0713 nobody reads `pong`
                q -> p on b & !a
                lost -> p on b
            }
        }",
    );
}

#[test]
fn states_that_are_misspelt() {
    check(
        "
        system S {
            input open, close
            machine Door[i: 1..2] {
                closed -> opened on open & !close
                opened -> closde on close & !open
//                        ^^^^^^ W0716 enters state `closde` here and never leaves it
            }
            machine Log[i: 1..2] { at[1] -> att[2] on open }
//                                          ^^^ W0716 enters state `att`
            // Declared, asked about, short, left, entered twice, or like no other.
            machine Declared { state idle state idle2 idle -> idle2 on open }
            machine Asked    { idle -> idel on open }
            machine Short    { p -> q on open }
            machine Left     { idle -> idel on open & !close   idel -> idle on close & !open }
            machine Twice    { idle -> idel on open & !close   idle -> idel on close & !open }
            machine Unlike   { idle -> broken on open }
            property p at macrostep: !Asked.idel
        }",
    );
}

#[test]
fn states_that_lead_to_themselves_only() {
    check(
        "
        system S {
            input a
            machine M { p -> q on a   q -> p on a   r -> s on a   s -> r on a }
//                  ^ W0712 never enters states `r` and `s`
        }",
    );
}
