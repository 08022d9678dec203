//! Interface automata: roles, signatures, and which of them can be composed.

use super::*;

/// The signature of the only composite, or of all processes: inputs, outputs and internal actions with their marks.
fn signature(text: &str) -> String {
    let parse = parse(text);
    assert_eq!(parse.diagnostics(), [], "{text}");
    let mut elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
    let name = elaborator.all_composites().remove(0);
    let target = elaborator.target(&name).unwrap_or_else(|_| panic!("{:?}", elaborator.diagnostics()));
    let Some(signature) = target.signature() else { return "none".to_owned() };
    let automaton = signature.automaton(compose(&target, &Budget::UNLIMITED).expect("there is no limit"));
    let alphabet = automaton.lts().alphabet();
    let mut actions: Vec<String> =
        alphabet.iter().map(|(action, name)| format!("{name}{}", automaton.role(action).mark())).collect();
    actions.sort_unstable();
    actions.join(" ")
}

#[test]
fn interface_automata_behave_as_their_transition_systems() {
    check("interface A = (a? -> b! -> c -> A).", "0 a 1; 1 b 2; 2 c 0; {a b c}");
    check(
        "interface A = ({a, b}? -> x[i:0..1]! -> y[i] -> A).",
        &system("interface A = ({a, b} -> x[i:0..1] -> y[i] -> A).", "A"),
    );
    check("interface A = ({a?, b!} -> A) + {c?, d}.", "0 a 0; 0 b 0; {a b c d}");
}

#[test]
fn marks_give_roles() {
    assert_eq!(signature("A = (a -> A)."), "none");
    assert_eq!(signature("interface A = (a? -> b! -> c -> A)."), "a? b! c;");
    assert_eq!(signature("interface A = ({a, b}? -> x[i:0..1]! -> y[i] -> A)."), "a? b? x.0! x.1! y.0; y.1;");
    assert_eq!(signature("interface A = ({a?, {b!, c[0..1]?}, d} -> A)."), "a? b! c.0? c.1? d;");
    assert_eq!(signature("interface A = (a? -> A) + {b?, {c, d[1..2]}!, e}."), "a? b? c! d.1! d.2! e;");
    assert_eq!(signature("set S = {a, b}\ninterface A = (S? -> A) + {S?}."), "a? b?");
    assert_eq!(signature("set S = {a, b}\ninterface A = (c! -> A) + S."), "a; b; c!");
    assert_eq!(signature("interface A(N = 2) = (a[1..N]! -> A)."), "a.1! a.2!");
    assert_eq!(signature("minimal interface A = (a? -> a? -> A | b! -> STOP)."), "a? b!");
}

#[test]
fn roles_follow_names() {
    let a = "interface A = (a? -> b! -> c -> A)";
    assert_eq!(signature(&format!("{a}/{{x/a, {{y, z}}/b}}.")), "c; x? y! z!");
    assert_eq!(signature(&format!("{a}\\{{b}}.")), "a? c;");
    assert_eq!(signature(&format!("{a}@{{a}}.")), "a?");
    assert_eq!(signature(&format!("{a}. ||S = (p:A)/{{q/p.a}}.")), "p.b! p.c; q?");
    assert_eq!(signature(&format!("{a}. ||S = ({{p, q}}::A).")), "p.a? p.b! p.c; q.a? q.b! q.c;");
    assert_eq!(
        signature(&format!("{a}. ||S = (forall[i:1..2] x[i]:A)\\{{x[2].b}}.")),
        "x.1.a? x.1.b! x.1.c; x.2.a? x.2.c;"
    );
    assert_eq!(
        signature("interface E = (e! -> END). interface A = (a? -> E; P; A). P = (p -> END). ||S = A."),
        "a? e! p;"
    );
}

#[test]
fn shared_actions_become_internal() {
    let parts = "interface A = (a? -> b! -> A). interface B = (b? -> c! -> B). T = (c -> d -> T). property P = (a -> c -> P).";
    assert_eq!(signature(&format!("{parts} ||S = (A || B).")), "a? b; c!");
    assert_eq!(signature(&format!("{parts} ||S = (A || B || T || P).")), "a? b; c! d;");
    assert_eq!(signature(&format!("{parts} ||S = (A || B)\\{{b, c}}.")), "a?");
    assert_eq!(
        signature(&format!(
            "{parts} ||AB = (A || B)@{{a, c}}. interface C = (c? -> a! -> C). ||S = (AB || C)."
        )),
        "a? c!"
    );
    assert_eq!(signature(&format!("{parts} ||S = (T || P).")), "none");
}

#[test]
fn minimal_keeps_when_an_input_is_taken() {
    let later = "(b -> a? -> A)\\{b}";
    check(&format!("minimal interface A = {later}."), "0 tau 1; 1 a 0; {a}");
    check("minimal A = (b -> a -> A)\\{b}.", "0 a 0; {a}");
    check("minimal interface A = (a? -> a? -> A).", "0 a 0; {a}");
    let built = format!("interface A = {later}. minimal ||M = A. ||S = (M || p:A).");
    assert_eq!(system(&built, "M"), system("interface A = (b -> a? -> A)\\{b}.", "A"));
}

#[test]
fn compositions_know_that_their_parts_send_to_each_other() {
    let parts = "interface A = (a? -> b! -> A). interface B = (b? -> c! -> B).";
    let is_linked = |rest: &str| {
        let text = format!("{parts} {rest}");
        let parse = parse(&text);
        let mut elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
        let target = elaborator.target("S").unwrap_or_else(|_| panic!("{:?}", elaborator.diagnostics()));
        target.signatures().flatten().any(|signature| signature.is_linked())
    };
    assert!(!is_linked("||S = (A || B)."));
    assert!(!is_linked("||S = (A || B)\\{b}."));
    assert!(!is_linked("||AB = (A || B). ||S = (AB)\\{b}."));
    assert!(!is_linked("||AB = (A || x:B)\\{b}. ||S = AB."));
    assert!(is_linked("||AB = (A || B)\\{b}. ||S = AB."));
    assert!(is_linked("||AB = (A || B)\\{b}. ||S = (x:AB)/{y/x.a}."));
    assert!(is_linked("||AB = (A || B)\\{b}. ||S = ({x, y}::AB)."));
    assert!(is_linked("||AB = (A || B)\\{b}. ||C = (AB)\\{c}. ||S = C."));
    assert!(is_linked("minimal ||AB = (A || B). ||S = AB."));
    assert!(is_linked("interface D = (d! -> D). ||AB = (A || B || D). ||S = AB/{e/{c, d}}."));
}

#[test]
fn compositions_know_that_a_process_keeps_a_part_from_an_input() {
    let parts = "interface A = (a? -> b! -> A). T = (a -> b -> T). U = (a -> U | b -> U). P = STOP + {b}.";
    let is_restricted = |rest: &str| {
        let text = format!("{parts} {rest}");
        let parse = parse(&text);
        let mut elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
        let target = elaborator.target("S").unwrap_or_else(|_| panic!("{:?}", elaborator.diagnostics()));
        target.signatures().flatten().any(|signature| signature.is_restricted())
    };
    assert!(!is_restricted("||S = (A || T)."));
    assert!(!is_restricted("||AT = (A || T). ||S = AT."));
    assert!(is_restricted("minimal ||AT = (A || T). ||S = AT."));
    assert!(is_restricted("||AT = (A || T)\\{b}. ||S = (x:AT)/{y/x.a}."));
    assert!(is_restricted("interface D = (d! -> D). ||AT = (A || T || D). ||S = AT/{e/{b, d}}."));
    // One that always lets it happen, one that does not have it, and one that only observes.
    assert!(!is_restricted("minimal ||AU = (A || U). ||S = AU."));
    assert!(!is_restricted("minimal ||AP = (A || P). ||S = AP."));
    assert!(!is_restricted("property Q = (a -> b -> Q). minimal ||AQ = (A || Q). ||S = AQ."));
}

#[test]
fn roles_that_do_not_go_together() {
    check_diagnostics(
        "
        interface A = (a? -> a! -> A).
        //                   ^^ E0328 `a` is an output here, but an input elsewhere
        interface B = (x[0..1]! -> x[1] -> B) + {x[2]!, x[0]?}.
        //                         ^^^^ E0328 `x.1` is internal here, but an output elsewhere
        //                                              ^^^^^ E0328 `x.0` is an input here
        interface C = (a? -> b! -> C) / {a/b}.
        //                   ^^ E0328 `a` is an output here, but an input elsewhere
        interface D = (a? -> b! -> D) \\ {a, b}.
        //                              ^^^^^^ E0330 the input `a` cannot be hidden
        property interface E = (a? -> E).
        //                 ^ E0331 cannot be `property`
        deterministic interface F = (a? -> F).
        //                      ^ E0331 cannot be `deterministic`
        ||S = (A || B || C || D || E || F).
    ",
    );
}

#[test]
fn interface_automata_that_are_not_composable() {
    check_diagnostics(
        "
        interface IN = (a? -> IN).
        //              ^^ E0329 `a` is an input of both `IN` and `IN`
        interface OUT = (a! -> OUT).
        interface OUT2 = (a! -> OUT2).
        //                ^^ E0329 `a` is an output of both `OUT` and `OUT2`
        interface OUT3 = (a! -> OUT3).
        //                ^^ E0329 shared by two parts already
        interface OWN = (a -> OWN).
        //               ^ E0329 `a` is an input of `IN`, but internal to `OWN`
        interface OWN2 = (b -> OWN2).
        interface OWN3 = (b -> OWN3).
        //                ^ E0329 `b` is an internal action of both `OWN2` and `OWN3`
        ||S1 = (IN || IN).
        ||S2 = (OUT || OUT2).
        ||S3 = (IN || OUT || OUT3).
        ||S4 = (IN || OWN).
        ||S5 = (OWN2 || OWN3).
        ||S6 = (IN || OUT).
        ||S7 = (x:IN || y:OUT)/{a/{x, y}.a}.
        ||S8 = (S6)\\{a}.
        property ||S9 = (IN).
        //         ^^ E0331
        ||S10 = (IN)@{zero}.
        //           ^^^^^^ E0330
        //            ^^^^ W0303
    ",
    );
}
