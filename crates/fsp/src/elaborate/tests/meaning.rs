//! What processes, composites and properties mean.

use super::*;

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

/// The names of the components of a target.
fn components(text: &str, target: &str) -> Vec<String> {
    let parse = parse(text);
    let mut elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
    let target = elaborator.target(target).expect("there are no errors");
    target.behaviour.components().iter().map(|component| component.name.clone()).collect()
}

#[test]
fn components_have_the_names_that_are_written() {
    let text = "P = (a -> P). Q = (b -> Q). ||G(N=1) = (P || Q). ||S = ({x,y}::G || z:G(2) || P).";
    let flat = ["{x,y}::G.P", "{x,y}::G.Q", "z:G(2).P", "z:G(2).Q", "P"];
    assert_eq!(components(text, "S"), flat);
    // What has to be composed first is one component.
    let text = text.replace("::G", "::G/{c/x.a, c/y.b}").replace("G(2)", "G(2)/{z/{z.a, z.b}}");
    assert_eq!(components(&text, "S"), ["{x,y}::G", "z:G(2)", "P"]);
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
    // Two actions never occur at once, so these say nothing, or only what is said beside.
    assert_eq!(system("constraint C = []<>!(a && b)", "C"), "0 a 0; 0 b 0; {a b}");
    assert_eq!(system("constraint C = (<>!(a && {a,b} && b) && []!b)", "C"), "0 a 0; {a b}");
}

#[test]
fn default_is_all_processes_side_by_side() {
    check("P = (a -> P). property Q = (a -> b -> Q).", "0 a 1; 0 b E; 1 a E; 1 b 0; {a b}");
    // Also where one of them is called so.
    check("DEFAULT = (a -> DEFAULT). Q = (b -> Q).", "0 a 0; 0 b 0; {a b}");
    assert_eq!(system("DEFAULT = (a -> DEFAULT). Q = (b -> Q). ||S = Q.", "DEFAULT"), "0 a 0; {a}");
    check("P = (a -> b -> P)\\{a}. Q = (b -> a -> Q).", "0 tau 1; 1 b 2; 2 tau 3; 2 a 0; 3 a 1; {a b}");
}

#[test]
fn a_process_as_a_target_hides_last() {
    let text = "P = (a -> b -> P)\\{a}. minimal Q = (a -> b -> Q)\\{a}.";
    assert_eq!(system(text, "P"), "0 tau 1; 1 b 0; {b}");
    let parse = parse(text);
    let mut elaborator = Elaborator::new(parse.file(), &no_imports, Budget::UNLIMITED);
    let mut names = |target: &str| {
        let target = elaborator.target(target).expect("there are no errors");
        target.behaviour.alphabet().names().map(str::to_owned).collect::<Vec<_>>().join(" ")
    };
    assert_eq!([names("P"), names("Q")], ["a b", "b"]);
}

#[test]
fn circles_that_are_not_reached_do_not_matter() {
    check("P = (a -> P), L = L.", "0 a 0; {a}");
    check("P = (a -> P | when 0 b -> L), L = L.", "0 a 0; {a}");
    check("P = (a -> P), L[i:0..1] = if i then L[i] else (b -> P).", "0 a 0; {a b}");
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
