//! Mistakes in processes: their ends, their names, choices, guards and indices.

use crate::tests::check;

#[test]
fn nothing_is_wrong() {
    check(
        "
        const N = 2
        range R = 0..N
        set S = {a, b[R], c.{x, y}}
        P(M = N) = (a -> Q[0] | {c.x, d} -> STOP),
        Q[i:R] = (when (i < M) b[i] -> Q[i + 1] | when (i == M) [i] -> P | S -> Q[i]) + {z} / {e/d} \\ {a}.
        IFS = if (N > 1) then (a -> END) else IFS; IFS(2); END.
        property SAFE = (a -> b -> SAFE).
        minimal ||SYS(K = 2) = ({p, q}::LOCK || forall[i:1..K] u[i]:P || S::x:(P || P(3))/{a/b})
            /{forall[i:R] {a[i]/b[i]}, c/d} >> {a} @ {b}.
        deterministic ||D = if N == 2 then P else SYS.
        progress LIVE[i:R] = if {a} then {b[i]}
        menu M = {a, b}
        import I = \"file.aut\"
        animation AN = \"file.xml\" target SYS compose {AN / {a/b} || B} actions {a/b} controls {c/d}
        fluent F[i:R] = <a[i], {b, c}> initially (i == 1)
        assert A(K = 1) = [](a -> (F[0] U X b) && !forall[i:R] <>F[i]) + {x}
        constraint C = rigid(N == 2)
        ltl_property L = [](a -> X !a)
        ACC@ = (a -> ACC).
        interface IA(K = 2) = (go? -> {x[1..K], y}! -> work -> {in?, out!, rest} -> IA) + {never?, {u, v}!} / {b/x} \\ {y}.
        minimal interface IM = (when (N != 2) a[i:R]! -> IM | a[1]! -> ['a][N]? -> IM).
        USES = (interface -> interface.x -> USES) \\ {interface}.
        assert MARKED = (a && !b)
    ",
    );
}

#[test]
fn the_final_dot_is_missing() {
    check(
        "
        P = (a -> P)
        //         ^ E0111 the definition of `P` does not end with `.`
        const N = 2
        Q = STOP
        //  ^^^^ E0111 `Q`
        ||S = (P || Q)
        //           ^ E0111 `S`
    ",
    );
    check(
        "
        ||S = (P || Q)
        //           ^ E0111 `S`
        P = STOP.
    ",
    );
}

#[test]
fn nothing_separates_two_processes() {
    check(
        "
        P = (a -> Q)
        //         ^ E0112 no `,` or `.` before `Q`
        Q = (b -> P).
    ",
    );
    check(
        "
        P = (a -> Q[1])
        //            ^ E0112
        Q[i:1..2] = (b -> P).
    ",
    );
}

#[test]
fn dot_instead_of_comma() {
    check(
        "
        P = (a -> Q[1]).
        Q[i:1..2] = (b -> P).
     // ^ E0115 can only be a local process
    ",
    );
}

#[test]
fn comma_instead_of_dot() {
    check(
        "
        P = (a -> P),
        //          ^ E0122 no local process follows
        const N = 2
        Q = (a -> Q),.
        //          ^ E0122 no local process follows
    ",
    );
}

#[test]
fn lower_case_process() {
    check(
        "
        buffer = (put -> buffer | get -> fullBuffer),
     // ^^^^^^ E0114 the name of a process begins with an upper-case letter
        fullBuffer = (get -> buffer).
     // ^^^^^^^^^^ E0114 a local process
        ||S = (buffer || {a, b}:buffer).
    ",
    );
    check(
        "
        P = (a -> p).
        //        ^ E0131 after the action `p` there is no `->`
        Q = (a -> stop | b -> Q).
        //        ^^^^ E0131
        R = stop.
        //  ^^^^ E0114
        ||S = (p || Q).
        //     ^ E0114
    ",
    );
    check(
        "
        const n = 2
        //    ^ E0114 the name of a constant
        range r = 0..2
        //    ^ E0114 the name of a range
        P(n = 1) = STOP.
        //^ E0114 the name of a parameter
    ",
    );
}

#[test]
fn upper_case_action() {
    check(
        "
        P = (Coin -> P | a -> Tea[1] -> P | a.Big -> P).
        //   ^^^^ E0130 begins with a lower-case letter
        //                    ^^^ E0130
        //                                    ^^^ E0130
        ||S = (A:P || Q).
        //     ^ E0130
    ",
    );
    check(
        "
        P = (S -> P).
        //   ^ E0130 `S` is not the name of a set
        set S = {a, b}
        Q = (S -> Q | a.S -> Q).
    ",
    );
}

#[test]
fn composition_without_bars() {
    check(
        "
        S = (P || Q).
        //   ^ E0116 only in a composition
        T = (a:P || b:Q).
        //    ^ E0116
        U = P || Q.
        //    ^^ E0116
        V = (P/{a/b} || Q).
        //   ^ E0116
        P = STOP.
    ",
    );
}

#[test]
fn bars_that_are_too_few_or_too_many() {
    check(
        "
        ||S = (P | Q | R).
        //       ^ E0150 expected `||`
        //           ^ E0150 expected `||`
        P = (a -> P || b -> Q).
        //          ^^ E0137 expected `|`
        ||T = P || Q.
        //    ^^^^ E0151 in parentheses
        ||V = (P Q).
        //       ^ E0122 expected `||` between two processes
    ",
    );
}

#[test]
fn arrows_of_other_languages() {
    check(
        "
        P = (a => b --> c → P).
        //     ^^ E0105 `=>` is not FSP
        //          ^^^ E0105
        //                ^^^ E0105
        Q := (a -> Q).
        //^^ E0105
        range R = 0...3
        //         ^^^ E0105
    ",
    );
}

#[test]
fn semicolons() {
    check(
        "
        P = (a -> P);
        //          ^ E0113 a process does not end with `;`
        Q = R;
        //   ^ E0113
        R = (a -> Q);
        //          ^ E0113
        const N = 2;
        //         ^ E0113 ends nothing
        set S = {a}.
        //         ^ E0113
        ||S = (P || Q);
        //            ^ E0113 a composition
    ",
    );
}

#[test]
fn unbalanced_brackets() {
    check(
        "
        P = (a -> P.
        //         ^ E0120 expected `)`, found `.`
        Q = (a -> (b -> Q | c -> Q).
        //                         ^ E0120 expected `)`, found `.`
        R = (a -> R)).
        //          ^ E0121 closes nothing
        V = (a[1 -> V).
        //       ^^ E0120 expected `]`, found `->`
        ||S = (P || Q.
        //           ^ E0120 expected `)`
        T = (a -> T) \\ {a, b.
        //                  ^ E0120 expected `}`
    ",
    );
    check(
        "
        P = (a -> Q,
        //         ^ E0120 expected `)`, found `,`
        Q = (b -> P).
        R = (a -> R
        ||S = (P || R).
     // ^^ E0120 expected `)`, found `||`
    ",
    );
}

#[test]
fn choice_without_parentheses() {
    check(
        "
        P = a -> b -> P.
        //  ^ E0133 stand in parentheses
        Q = a -> P | b -> Q.
        //  ^ E0133
        R = (a -> R) | (b -> R).
        //           ^ E0133
        IF = if 1 then a -> IF else (b -> IF).
        //             ^ E0133
    ",
    );
}

#[test]
fn branches_that_lack_something() {
    check(
        "
        P = (a -> b | c).
        //        ^ E0131 after the action `b`
        //            ^ E0131 after the action `c`
        Q = (STOP).
        //   ^^^^ E0132 not with the process `STOP`
        R = (a -> R | STOP | b -> R).
        //            ^^^^ E0132
        V = (a b -> V).
        //     ^ E0135 expected `->`, found `b`
        W = (a -> -> W).
        //        ^^ E0122 expected a process, found `->`
        E = ().
        //   ^ E0132 found `)`
        F = (a -> (F)).
        //         ^ E0132
        T = (tau -> T).
        //   ^^^ E0139 silent
        N = (1 -> N).
        //   ^ E0140 bare number
        K = (set -> K | a.range -> K).
        //   ^^^ E0138 `set` is a keyword
        //                ^^^^^ E0138
    ",
    );
}

#[test]
fn guards() {
    check(
        "
        P[i:0..1] = (a -> when (i > 0) b -> P[i]).
     // ^ E0115
        //                ^^^^ E0134 behind an action
        Q = (when 1 -> a -> Q).
        //          ^^ E0136 expected an action after the guard
        R = (when (1) then a -> R).
        //            ^^^^ E0136
        V = (when (1) (a -> V) | b -> V).
        //            ^ E0136 found `(`
        W = (when (1 a -> W).
        //           ^ E0120 expected `)`, found `a`
    ",
    );
}

#[test]
fn indices_without_a_range() {
    check(
        "
        const N = 3
        range R = 0..N
        P = (a[i:3] -> P | b[i:N] -> P | c[i:R] -> P | d[i:N+1] -> P | e[i=0..2] -> P).
        //       ^ E0163 the index `i` needs a range
        //                     ^ E0163 `N` is a single value
        //                                                 ^^^ E0163
        //                                                                ^ E0163 expected `:`
        range B = 0
        range C = {0..1}
     // ^^^^^ E0163 expected `..`
        //        ^ E0163 expected the first value
        ||S = forall i:R P.
        //           ^ E0122 expected `[`
    ",
    );
}

#[test]
fn operators_of_other_languages() {
    check(
        "
        P = (when x = 1 a -> P | when x == 1 and y == 2 b -> P | when not (x) or y c -> P).
        //          ^ E0160 expected `==`, found `=`
        //                                   ^^^ E0161 `and`
        //                                                            ^^^ E0161 `not`
        //                                                                    ^^ E0161 `or`
        assert A = (not a and b or c implies d)
        //          ^^^ E0161
        //                ^^^ E0161
        //                      ^^ E0161
        //                           ^^^^^^^ E0161
        assert B = (a & b | c)
        //            ^ E0161
        //                ^ E0161
        const C = 1 < 2
        //          ^ E0164 needs parentheses
    ",
    );
    // Words are operators only where an operand follows them.
    check("P = (when x and -> P | when or or.a -> not -> P).");
}
