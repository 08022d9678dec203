//! What is said about texts that are wrong. Every finding is announced below its place.

use super::check;

#[test]
fn a_correct_text_has_no_findings() {
    check(
        "
const N = 2
range Level = 0..N
type Mode = {calm, busy}
component Tank {
    input  fill(amount: Level), drain
    output full, level(now: Level)
    queue 2
    process Keeper {
        visible mode: Mode = calm
        now: Level = 0
        seen[1..N]: bool
        state waiting
        state filling {
            if now == N { send full } else { now := N };
            mode := busy;
            seen[1] := !seen[2];
            if any bool { send level(now) } else if mode == busy { send Meter[1].tick(any Mode) } else { }
        }
        waiting, filling -> filling on fill(now)
        filling -> waiting on drain
        waiting -> waiting on drain
    }
    process Meter[i: 1..2] {
        input tick(mode: Mode)
        queue i
        final state idle
        idle -> idle on tick(calm)
        idle -> idle on tick(_)
    }
    property drains: After(fill) Eventually(drain.received + level(2)) assuming Repeatedly(drain), [](full -> <>drain)
    property quiet: Never(Keeper.mode == busy && full) UntilAfter(Meter[1].tick(busy).received)
}
component Two = left: Tank || right: Tank {
    left.full -> right.drain, left.drain and out
    left.level -> right.fill
    property p: EventuallyAlways(left.Keeper.mode == calm)
}
",
    );
}

#[test]
fn no_definition() {
    check(
        r#"
    lamp Bulb
//  ^^^^ E0808 expected a definition, found `lamp`
"#,
    );
}

#[test]
fn definitions() {
    check(
        r#"
    const = 3
//        ^ E0807 expected the name of a constant, found `=`
    const N == 3
//          ^^ E0814 expected `=`, found `==`
    range R = 1
    const M = 4
//  ^^^^^ E0821 expected `..` and the greatest value of the range, found the keyword `const`
    component C {
        state idle
//      ^^^^^ E0809 expected a member of the component, found the keyword `state`
        process P { state idle }
    }
    }
//  ^ E0811 this `}` closes nothing
"#,
    );
}

#[test]
fn members_and_properties() {
    check(
        r#"
    component C {
        input a b
//              ^ E0819 expected `,` between two messages, found `b`
        process P {
            state s { x = 1; send }
//                      ^ E0815 expected `:=`, found `=`
//                                ^ E0807 expected the name of a message, process or variable, found `}`
            state t { x := 1 send out }
//                           ^^^^ E0819 expected `;` between two statements, found the keyword `send`
            s > t on m
//            ^ E0820 expected `->` and the state that follows, found `>`
            s -> t
            s -> t on a(x
//          ^ E0820 expected `on` and a message, found `s`
            x: bool
        }
        property p Never(a)
//                 ^^^^^ E0807 expected `:`, found `Never`
        property q: Never(a) Repeatedly(b)
        property r: a -> b -> a
//                         ^^ E0823 `->` cannot follow another of `->`, `<->`, `U` and `W` without parentheses
        property s: [](a and b)
//                       ^^^ E0816 `and` is not an operator
        property t: Never(a | b)
//                          ^ E0816 conditions are joined by `||`, not by `|`
        property u: Never(x = 1)
//                          ^ E0814 expected `==`, found `=`
    }
"#,
    );
}

#[test]
fn a_brace_that_is_not_closed() {
    check(
        r#"
    component C {
        process P {
            state s {
                if x { x := 1
        }
    }
    component D { process P { state s } }
//  ^^^^^^^^^ E0810 expected `}`, found the keyword `component`
"#,
    );
}

#[test]
fn connections_in_form() {
    check(
        r#"
    component C = A | B
//                  ^ E0816 components are composed with `||`, not with `|`
    component D = A || B { A.x B.y
//                             ^ E0824 expected `->` and the input that the output goes to, found `B`
        A.x -> B.y and in
//                     ^^ E0824 expected `out`, found `in`
    }
    component A { process P { state s } }
    component B { process P { state s } }
"#,
    );
}

#[test]
fn values_states_and_messages() {
    check(
        r#"
    const N = M
//            ^ E0830 `M` is not defined
    const N = 1 / 0
//            ^^^^^ E0839 this divides by zero
    range E = 3..1
//            ^^^^ E0841 the range 3..1 has no values
    component C {
        input a(v: Unknown), b, b
//                              ^ E0831 `b` is defined twice: a message of this name stands above
        process P {
            x: 0..3 = 7
//                    ^ E0840 7 is not a value of 0..3
            x: bool
//          ^ E0831 `x` is defined twice: a variable of this name stands above
            y: bool = 1
//                    ^ E0837 expected a truth value, found a number
            state s { x := true; y := x; z := 1; x := 9; x := 1 + any 0..2; if x { } }
//                         ^^^^ E0837 expected a number, found a truth value
//                                    ^ E0837 expected a truth value, found a number
//                                       ^ E0830 there is no variable `z` in this process
//                                                    ^ E0840 9 is not a value of 0..3
//                                                                ^^^^^^^^ E0846 `any` can only be all of what is assigned, sent or decided
//                                                                             ^ E0837 expected a truth value, found a number
            state s
//                ^ E0831 `s` is defined twice: a state of this name stands above
            state t { send nothing; send Q.m; send P.b; send out(5); send out; send R.x.y }
//                         ^^^^^^^ E0835 `nothing` is no output of this component
//                                       ^ E0836 there is no process `Q` in this component
//                                                               ^ E0840 5 is not a value of 0..1
//                                                                        ^^^ E0844 this message has one parameter, not 0
//                                                                                  ^^^^^ E0835 expected an output of the component, or a process and its message
            s -> u on a
//               ^ E0834 there is no state `u` in this process
            s -> t on b(1)
//                    ^ E0844 `b` has no parameters, not 1
        }
        process P { state s  s -> s on b }
//              ^ E0831 `P` is defined twice: a process of this name stands above
        process Empty { }
//              ^^^^^ E0843 process `Empty` has no state
        output out(v: 0..1)
    }
"#,
    );
}

#[test]
fn enumerations_arrays_and_families() {
    check(
        r#"
    type T = {red, green, red}
//                        ^^^ E0831 `red` is defined twice: a value of this name stands above
    type U = {blue, white}
    type V = {white, black}
    component C {
        input go
        process P {
            c: U = blue
            n: 0..2
            a[0..1]: bool
            b: bool
            state s { c := white; c := black; b := white == white; a := true; n[1] := 1; a[5] := b; b := a[n] && c == blue; b := P.b; Q.n := 1 }
//                                     ^^^^^ E0837 expected a value of {blue, white}, found a value of {white, black}
//                                                          ^^^^^ E0851 `white` is a value of several enumerations
//                                                                 ^ E0849 `a` is an array, which needs an index here
//                                                                             ^^^ E0849 `n` is no array
//                                                                                        ^^^ E0840 the index 5 lies outside of 0..1
//                                                                                                                               ^^^ E0845 a process sees only its own variables
//                                                                                                                                    ^^^ E0845 a process assigns only its own variables
            s -> s on go
        }
        process Q[i: 1..2] { n: 0..2  state s { send Q.m; send Q[3].m; send P[1].go; send Q[i + 1].m }  s -> s on m  }
//                                                   ^ E0849 there are several processes `Q`: an index says which
//                                                              ^^^ E0840 the index 3 lies outside of 1..2
//                                                                           ^^^ E0849 there is only one process `P`
//                                                                                         ^^^^^^^ E0840 the index 3 lies outside of 1..2
    }
"#,
    );
}

#[test]
fn interfaces_and_properties() {
    check(
        r#"
    component C {
        input a, b, c
//               ^ E0847 the input `b` is taken by `P` and by `Q`
//                  ^ E0848 no process has a transition on the input `c`
        output unused
        process P { visible v: bool  h: bool  x: 0..2  state s  s -> s on a  s -> s on b  state lost  s -> s on never }
//                                                                                              ^^^^ W0831 no transition leads to the state `lost`
        process Q { state s  s -> s on b }
        property p: Never(P.h)
//                        ^^^ E0850 the variable `P.h` is not visible
        property q: Never(P.w)
//                        ^^^ E0835 there is no message or variable `P.w`
        property r: Never([]a)
//                        ^^^ E0852 a temporal operator cannot stand here
        property s: Never(a + P.v == true)
//                        ^ E0837 a message is no value
        property t: Repeatedly(unused.received)
//                             ^^^^^^^^^^^^^^^ E0835 an output is received outside, where nobody sees it
        property t: Repeatedly(a(1))
//               ^ E0831 `t` is defined twice: a property of this name stands above
//                             ^ E0844 this message has no parameters, not 1
        property u: After(a)
//                  ^^^^^^^^ E0822 there is no such template
        property v: Never(P.v == 1)
//                               ^ E0837 expected a truth value, found a number
        property w: Never(3)
//                        ^ E0837 expected a truth value, found a number
    }
"#,
    );
}

#[test]
fn compositions() {
    check(
        r#"
    component A { input i(v: 0..1), j  output o(v: 0..3), k, l process P { state s { send o(1); send k; send l }  s -> s on i  s -> s on j } }
    component B = A || A
//                     ^ E0831 there are two parts `A`
    component C = a: A || b: A || Missing
    component D = a: A || b: A {
        a.o -> b.i
//             ^^^ E0853 the output has values of 0..3, and the input takes 0..1
        a.k -> b.i
//             ^^^ E0853 the output has no parameters, and the input one parameter
        a.x -> b.j
//      ^^^ E0854 `x` is no output of `a`
        z.k -> b.j
//      ^^^ E0836 there is no part `z` in this composition
        a.l -> b.nowhere, a.j and out
//             ^^^^^^^^^ E0854 `nowhere` is no input of `b`
        property p: Never(k)
//                        ^ E0851 several parts have something of this name
        property q: Never(a.k && P.x == 1)
//                               ^^^ E0835 there is no message or variable `P.x`
    }
    component E = F
    component F = E
//                ^ E0855 component `E` contains itself
    import "gone.aim"
//         ^^^^^^^^^^ E0856 `gone.aim` cannot be read: there are no files
"#,
    );
}

#[test]
fn properties_outside_of_components_stand_alone() {
    check(
        "property p: Never(a) assuming Repeatedly(b.c), [](d(1, red).received -> <>e[2].f)\nproperty q: Always(true)\n",
    );
    check(
        r#"
component A { input i process P { state s s -> s on i } }
property p: Never(i)
//       ^ E0858 property `p` stands outside of a component
"#,
    );
}
