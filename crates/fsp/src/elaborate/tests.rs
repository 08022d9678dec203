//! What FSP means: small texts, and the transition systems, properties and diagnostics that they stand for.

use rely_base::Budget;
use rely_lts::{Lts, operators};

use super::{Elaborator, Failure, compose};
use crate::parse;

fn no_imports(_: &str) -> Result<Vec<u8>, String> {
    Err("there are no imports here".to_owned())
}

/// The system of a target, composed: `source action target` for each transition, then the alphabet. States are
/// numbered breadth first, `E` is the error state and `$` the end.
fn system(text: &str, target: &str) -> String {
    let parse = parse(text);
    assert_eq!(parse.diagnostics(), [], "{text}");
    let mut elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
    let target = elaborator.target(target).unwrap_or_else(|_| panic!("{:?}", elaborator.diagnostics()));
    show(&operators::trim(&compose(&target, &Budget::UNLIMITED).expect("there is no limit")))
}

fn show(lts: &Lts) -> String {
    let state = |state| match Some(state) {
        error if error == lts.error() => "E".to_owned(),
        end if end == lts.end() => "$".to_owned(),
        _ => state.raw().to_string(),
    };
    let mut lines: Vec<String> = lts
        .transitions()
        .map(|t| format!("{} {} {}", state(t.source), lts.alphabet().label_name(t.label), state(t.target)))
        .collect();
    lines.push(format!("{{{}}}", lts.alphabet().sorted_names().join(" ")));
    lines.join("; ")
}

/// Checks the system of the only composite, or of all processes.
#[track_caller]
fn check(text: &str, expected: &str) {
    let parse = parse(text);
    let target = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED).default_targets().remove(0);
    assert_eq!(system(text, &target), expected, "{text}");
}

/// Checks the diagnostics of everything in a text against those announced below their places.
#[track_caller]
fn check_diagnostics(text: &str) {
    let parse = parse(text);
    let mut elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
    for target in elaborator.default_targets() {
        let _ = elaborator.target(&target);
    }
    let _ = elaborator.progress_properties();
    let _ = elaborator.assertions();
    elaborator.check_unused();
    let mut diagnostics = parse.diagnostics().to_vec();
    diagnostics.extend(elaborator.diagnostics());
    crate::tests::compare(text, &diagnostics);
}

#[test]
fn prefixes_choices_and_local_processes() {
    check("P = (a -> b -> P).", "0 a 1; 1 b 0; {a b}");
    check("P = (a -> Q | b -> STOP), Q = (c -> P).", "0 a 1; 0 b 2; 1 c 0; {a b c}");
    check("P = (a -> P | a -> STOP).", "0 a 0; 0 a 1; {a}");
    check("P = Q, Q = R, R = (a -> Q).", "0 a 0; {a}");
    check("P = ({a,b} -> P).", "0 a 0; 0 b 0; {a b}");
}

#[test]
fn actions_of_unreachable_local_processes_belong_to_the_alphabet() {
    check("P = (a -> P), Q = (b -> Q).", "0 a 0; {a b}");
    check("P = (a -> P) + {b, c[1..2]}.", "0 a 0; {a b c.1 c.2}");
}

#[test]
fn indices_guards_and_conditions() {
    check(
        "C(N=2) = C[0], C[i:0..N] = (when (i<N) inc -> C[i+1] | when (i>0) dec -> C[i-1]).",
        "0 inc 1; 1 inc 2; 1 dec 0; 2 dec 1; {dec inc}",
    );
    check(
        "P = (in[i:0..1] -> if i==0 then (zero -> P) else P).",
        "0 in.0 1; 0 in.1 0; 1 zero 0; {in.0 in.1 zero}",
    );
    check("P = if 0 then (a -> P).", "{}");
    check(
        "P = (a[i:0..1].b[j:i..1] -> P).",
        "0 a.0.b.0 0; 0 a.0.b.1 0; 0 a.1.b.1 0; {a.0.b.0 a.0.b.1 a.1.b.1}",
    );
}

#[test]
fn sets_and_labels_as_values() {
    check("set S = {a, b[1]} P = (S -> P).", "0 a 0; 0 b.1 0; {a b.1}");
    check("set S = {a, b} P = ([x:S] -> [x] -> P).", "0 a 1; 0 b 2; 1 a 0; 2 b 0; {a b}");
    check("set S = {a, b} P = (x.S\\{a} -> P).", "0 x.b 0; {x.b}");
    check("set S = {a, b, c} P = (n[#S].[@(S,1)] -> P).", "0 n.3.b 0; {n.3.b}");
    check("P = Q['go], Q[x:{go,stop}] = (when (x=='go) [x] -> Q['stop]).", "0 go 1; {go}");
    check(
        "set U = {[19],[7]} P = (n[v:U] -> if v>10 then (big -> P) else P).",
        "0 n.19 1; 0 n.7 0; 1 big 0; {big n.19 n.7}",
    );
}

#[test]
fn expressions_have_the_precedence_of_c() {
    let value = |expr: &str| system(&format!("P = (a[{expr}] -> P)."), "P");
    for (expr, expected) in [
        ("1+2*3", "7"),
        ("(1+2)*3", "9"),
        ("7/2", "3"),
        ("-7/2", "-3"),
        ("-7%3", "-1"),
        ("1<<3", "8"),
        ("1|6&3", "3"),
        ("5^1", "4"),
        ("2<3 == 1", "1"),
        ("!0", "1"),
        ("!(-1)", "1"),
        ("1 && 0 || 1", "1"),
        ("010", "8"),
        ("0x1F", "31"),
    ] {
        assert_eq!(value(expr), format!("0 a.{expected} 0; {{a.{expected}}}"), "{expr}");
    }
}

#[test]
fn end_is_a_state_of_its_own() {
    check("P = (a -> END).", "0 a $; {a}");
    check("P = (a -> Q), Q = END.", "0 a $; {a}");
    check("P = END.", "{}");
    check("P = (a -> END). Q = (a -> b -> END). ||S = (P || Q).", "0 a 1; 1 b $; {a b}");
}

#[test]
fn sequences_of_processes() {
    let text = "A = (a -> END). B(N=1) = (b[N] -> END). C = A; B(2); C. D = (go -> A; A; END).";
    assert_eq!(system(text, "C"), "0 a 1; 1 b.2 0; {a b.2}");
    assert_eq!(system(text, "D"), "0 go 1; 1 a 2; 2 a $; {a go}");
    assert_eq!(system("E = END. P = (a -> E; E; P).", "P"), "0 a 0; {a}");
}

#[test]
fn errors_are_states() {
    check("P = (a -> ERROR).", "0 a E; {a}");
    check("P = ERROR.", "0 tau E; {}");
    check("property P = ERROR + {a}.", "0 tau E; {a}");
    let parse = parse("P = (a -> Q).");
    let mut elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
    let target = elaborator.target("P").expect("an undefined process is only a warning");
    assert_eq!(show(&compose(&target, &Budget::UNLIMITED).expect("there is no limit")), "0 a E; {a}");
}

#[test]
fn accepting_states_repeat_a_label_of_their_own() {
    check("P@ = (a -> P).", "0 @P 0; 0 a 0; {@P a}");
    check("P = (a -> Q), Q@ = (b -> P).", "0 a 1; 1 @P 1; 1 b 0; {@P a b}");
    check("P(N=1)@ = (a -> P). ||S = P(2).", "0 @P(2) 0; 0 a 0; {@P(2) a}");
    check("P = (a -> Q), Q@ = P.", "0 a 0; {a}");
    check("P = (a -> Q), Q@ = if 1 then P.", "0 @P 0; 0 a 0; {@P a}");
    check("P = (a -> Q[0]), Q@[i:0..0] = (b -> P).", "0 a 1; 1 b 0; {a b}");
}

#[test]
fn relabelling_in_all_forms() {
    check("P = (a -> b -> P)/{x/a}.", "0 x 1; 1 b 0; {b x}");
    check("P = (a -> b -> P)/{x/{a,b}}.", "0 x 1; 1 x 0; {x}");
    check("P = (a -> P)/{{x,y}/a}.", "0 x 0; 0 y 0; {x y}");
    check("P = (a.b -> a.c -> P)/{x/a, y/a.c}.", "0 x.b 1; 1 y 0; {x.b y}");
    check("P = (a[i:0..1] -> P)/{forall[i:0..1] {b[1-i]/a[i]}}.", "0 b.1 0; 0 b.0 0; {b.0 b.1}");
    check("P = (a[i:0..1] -> P)/{b[i:0..1]/a[i]}.", "0 b.0 0; 0 b.1 0; {b.0 b.1}");
}

#[test]
fn hiding_covers_everything_below_a_name() {
    check("P = (a.x -> b -> P)\\{a}.", "0 tau 1; 1 b 0; {b}");
    check("P = (a.x -> ab -> P)@{a}.", "0 a.x 1; 1 tau 0; {a.x}");
}

#[test]
fn composition_synchronises_on_shared_actions() {
    check("P = (a -> b -> P). Q = (b -> c -> Q). ||S = (P || Q).", {
        "0 a 1; 1 b 2; 2 a 3; 2 c 0; 3 c 1; {a b c}"
    });
    check("P = (a -> STOP). ||S = ({x,y}:P).", "0 x.a 1; 0 y.a 2; 1 y.a 3; 2 x.a 3; {x.a y.a}");
    check("P = (a -> b -> P). ||S = ({x,y}::P).", "0 x.a 1; 0 y.a 1; 1 x.b 0; 1 y.b 0; {x.a x.b y.a y.b}");
    check(
        "P = (a -> P). ||S(N=2) = if N > 0 then (p[N]:P || S(N-1)).",
        "0 p.2.a 0; 0 p.1.a 0; {p.1.a p.2.a}",
    );
    check("set A = {x} P = (a -> P). ||S = (A\\A::P).", "0 a 0; {a}");
    check("P(N=1) = (a[N] -> STOP). ||S = (p[i:1..2]:P(i)).", {
        "0 p.1.a.1 1; 0 p.2.a.2 2; 1 p.2.a.2 3; 2 p.1.a.1 3; {p.1.a.1 p.2.a.2}"
    });
    check("P(N=1) = (a[N] -> STOP). ||S = (forall[i:1..2] if i>1 then P(i)).", "0 a.2 1; {a.2}");
    check("P = (a -> P). ||S = x:P/{y/x.a}.", "0 y 0; {y}");
}

#[test]
fn a_relabelling_that_merges_actions_of_a_composite_composes_first() {
    // The two parts do not share an action. Were `b/c` applied to each of them alone, they would.
    let text = "P = (b -> STOP). Q = (c -> STOP). ||G = (P || Q). ||S = (G/{b/c}).";
    assert_eq!(system(text, "S"), "0 b 1; 0 b 2; 1 b 3; 2 b 3; {b}");
    // A group in parentheses is relabelled part by part, as in LTSA.
    let text = "P = (b -> STOP). Q = (c -> STOP). ||S = ((P || Q)/{b/c}).";
    assert_eq!(system(text, "S"), "0 b 1; {b}");
}

#[test]
fn priority_counts_before_hiding() {
    check("P = (a -> P | b -> STOP). ||S = P >> {b}.", "0 a 0; {a b}");
    check("P = (a -> P | b -> STOP). ||S = P << {b} \\ {b}.", "0 tau 1; {a}");
    check("P = (a -> P | b -> STOP)\\{a}. ||S = P >> {b}.", "0 tau 0; {b}");
}

#[test]
fn keywords_before_definitions() {
    check("property P = (a -> b -> P).", "0 a 1; 0 b E; 1 a E; 1 b 0; {a b}");
    check("minimal P = (a -> b -> P)\\{b}.", "0 a 0; {a}");
    check("deterministic P = (a -> b -> P | a -> c -> P).", "0 a 1; 1 b 0; 1 c 0; {a b c}");
    check("P = (a -> b -> P)\\{b}. minimal ||S = P.", "0 a 0; {a}");
    check("P = (a -> P | b -> P). property ||S = P\\{b}.", "0 a 0; {a}");
    check("P = (a -> STOP). property ||S = P.", "0 a 1; 1 a E; {a}");
}

#[test]
fn formulas_as_processes() {
    let text = "fluent ON = <on, off> constraint C = [](bad -> !ON) ltl_property L = [](bad -> !ON)";
    assert_eq!(system(text, "C"), "0 bad 0; 0 on 1; 0 off 0; 1 on 1; 1 off 0; {bad off on}");
    assert_eq!(system(text, "L"), "0 bad 0; 0 on 1; 0 off 0; 1 bad E; 1 on 1; 1 off 0; {bad off on}");
    assert_eq!(system("constraint C(N=1) = []!a[N] + {b} ||S = C(2).", "S"), "0 b 0; {a.2 b}");
}

#[test]
fn default_is_all_processes_side_by_side() {
    check("P = (a -> P). property Q = (a -> b -> Q).", "0 a 1; 0 b E; 1 a E; 1 b 0; {a b}");
}

#[test]
fn unknown_targets_are_errors() {
    let parse = parse("PHIL = (a -> PHIL).");
    let mut elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
    assert_eq!(elaborator.target("PHILL").err(), Some(Failure::Errors));
    assert_eq!(elaborator.diagnostics()[0].help.as_deref(), Some("did you mean `PHIL`?"));
}

#[test]
fn progress_and_assertions() {
    let parse = parse(
        "range R = 1..2 progress P[i:R] = if {a[i]} then {b[i], c}
         fluent F[i:R] = <on[i], off[i]> initially (i == 1)
         assert A = forall[i:R] [](a -> <>F[i])
         assert B(N=1) = (A && !F[N])",
    );
    assert_eq!(parse.diagnostics(), []);
    let mut elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
    let progress = elaborator.progress_properties().expect("there are no errors");
    assert_eq!(progress.iter().map(|p| &*p.name).collect::<Vec<_>>(), ["P.1", "P.2"]);
    assert_eq!(progress[1].condition.as_deref(), Some(&["a.2".to_owned()][..]));
    assert_eq!(progress[1].actions, ["b.2", "c"]);
    let assertions = elaborator.assertions().expect("there are no errors");
    assert_eq!(assertions[0].propositions.len(), 3);
    assert_eq!(assertions[1].propositions.len(), 3, "the fluent of the parameter is one of those of A");
    let fluents = elaborator.fluents();
    assert_eq!(
        fluents.iter().map(|f| (&*f.name, f.initially)).collect::<Vec<_>>(),
        [("F.1", true), ("F.2", false)]
    );
}

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
    elaborator.check_unused();
    assert!(!elaborator.has_errors());
    assert_eq!(elaborator.diagnostics().len(), 1);
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
        assert!(elaborator.diagnostics().iter().any(|d| d.code == super::codes::TOO_LARGE), "{text}");
    }
}

/// The signature of the only composite, or of all processes: inputs, outputs and internal actions with their marks.
fn signature(text: &str) -> String {
    let parse = parse(text);
    assert_eq!(parse.diagnostics(), [], "{text}");
    let mut elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
    let name = elaborator.default_targets().remove(0);
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
