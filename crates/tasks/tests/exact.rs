//! Small programs, construct by construct: what the network can do is what Ada says.

mod common;

use std::collections::BTreeSet;

use common::{network, with_property, with_tasks};
use rely_base::{Budget, Id, Label, StateId};
use rely_decide::{check_reachability, check_safety};
use rely_explore::generate;
use rely_lts::Network;
use rely_tasks::Exact;

const ELEVATOR: &str = include_str!("../../../models/elevator.adb");

const DOORS: &str = "property DOORS = CLOSED, CLOSED = (car.close_doors -> CLOSED | car.move_car -> CLOSED
    | car.open_doors -> OPEN), OPEN = (car.open_doors -> OPEN | car.close_doors -> CLOSED).";

/// How a run went on that could not go further.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Last {
    Ended,
    Stuck,
    Failed,
}

/// All runs of a program without cycles: the names of the events, and how each run ended. Ends of tasks are left out.
fn runs(exact: &Exact) -> BTreeSet<(Vec<String>, Last)> {
    let lts = generate(&exact.network, &Budget::UNLIMITED).expect("there is no limit");
    let mut runs = BTreeSet::new();
    let mut stack = vec![(lts.initial(), Vec::new())];
    while let Some((state, trace)) = stack.pop() {
        assert!(trace.len() < 50, "the program has a cycle");
        let last = match state {
            state if Some(state) == lts.error() => Some(Last::Failed),
            state if Some(state) == lts.end() => Some(Last::Ended),
            state if lts.edges(state).is_empty() => Some(Last::Stuck),
            _ => None,
        };
        if let Some(last) = last {
            runs.insert((trace.clone(), last));
        }
        for edge in lts.edges(state) {
            let mut trace = trace.clone();
            let name = exact.naming.shown(lts.alphabet().label_name(edge.label)).to_owned();
            if edge.label != Label::TAU && !name.ends_with(".end") {
                trace.push(name);
            }
            stack.push((edge.target, trace));
        }
    }
    runs
}

/// The runs of tasks, written with spaces, a sign at the end: `.` ended, `!` failed, `?` stuck.
#[track_caller]
fn expect(text: &str, expected: &[&str]) {
    let found: BTreeSet<String> = runs(&network(text))
        .into_iter()
        .map(|(trace, last)| {
            let sign = match last {
                Last::Ended => ".",
                Last::Stuck => "?",
                Last::Failed => "!",
            };
            trace.into_iter().chain([sign.to_owned()]).collect::<Vec<_>>().join(" ")
        })
        .collect();
    let expected: BTreeSet<String> = expected.iter().map(|&run| run.to_owned()).collect();
    assert_eq!(found, expected, "\n{text}");
}

fn deadlock(network: &Network) -> Option<Vec<String>> {
    let found = check_reachability(network, &Budget::UNLIMITED).expect("it can be replayed");
    found
        .deadlock
        .verdict
        .counterexample()
        .map(|it| it.trace_names().into_iter().map(str::to_owned).collect())
}

#[test]
fn the_elevator_never_moves_with_open_doors() {
    let exact = network(ELEVATOR);
    let names: Vec<&str> = exact.network.components().iter().map(|component| &*component.name).collect();
    assert_eq!(names, ["car", "controller", "elevator", "x"]);
    // Prefixes are there where both tasks have the event, as in the dissertation.
    let alphabet = exact.network.alphabet();
    for name in ["car.sync", "car.open_doors", "x=true", "x=false", "car.x==true", "controller.x==false"] {
        assert!(alphabet.contains(name), "{name} is missing among {alphabet:?}");
    }
    assert!(deadlock(&exact.network).is_none());
    let safe = with_property(&exact, DOORS);
    assert!(check_safety(&safe, &Budget::UNLIMITED).unwrap().verdict.holds());
    // The race decides whether the doors open at all.
    let opens = with_property(&exact, "property CLOSED = (car.move_car -> CLOSED) + {car.open_doors}.");
    let opened = check_safety(&opens, &Budget::UNLIMITED).unwrap();
    let trace = opened.verdict.counterexample().unwrap().trace_names().join(" ");
    assert!(trace.ends_with("car.open_doors"), "{trace}");
}

#[test]
fn places_point_into_the_text() {
    let exact = network(ELEVATOR);
    let car = &exact.network.components()[0].lts;
    let sync = Label::visible(car.alphabet().get("car.sync").unwrap());
    let state = car.states().find(|&state| !car.edges_with(state, sync).is_empty()).unwrap();
    let span = exact.places[0].step(state, sync.action()).unwrap();
    assert_eq!(&ELEVATOR[span.start as usize..span.end as usize], "accept Sync");
    let span = exact.places[0].state(StateId::from_index(0)).unwrap();
    assert_eq!(&ELEVATOR[span.start as usize..span.end as usize], "X := True;");
}

#[test]
fn a_property_may_name_the_caller_or_not() {
    let text = with_tasks(
        "",
        &[("S", "entry E;", "accept E; accept E;"), ("A", "", "S.E;"), ("B", "", "S.E;")],
        "null;",
    );
    let exact = network(&text);
    assert_eq!(exact.naming.actions("s.e").collect::<Vec<_>>(), ["a.s.e", "b.s.e"]);
    assert_eq!(exact.naming.actions("a.s.e").collect::<Vec<_>>(), ["a.s.e"]);
    let check = |property| {
        let network = with_property(&exact, property);
        check_safety(&network, &Budget::UNLIMITED).unwrap().verdict.holds()
    };
    assert!(check("property TWICE = (s.e -> s.e -> STOP)."));
    assert!(!check("property ONCE = (s.e -> STOP)."));
    assert!(check("property ONCE = (a.s.e -> STOP)."));
    assert!(!check("property NEVER = STOP + {a.s.e}."));
    let clash = exact.naming.relabelling(["s.e", "a.s.e"]).unwrap_err();
    assert_eq!((&*clash.first, &*clash.second, &*clash.action), ("s.e", "a.s.e", "a.s.e"));
}

#[test]
fn values_are_exchanged() {
    let text = with_tasks(
        "type T is range 1 .. 3; X : T := 1;",
        &[
            (
                "S",
                "entry Put (V : in T; W : out T); entry Last (V : in out T);",
                "accept Put (V : in T; W : out T) do W := V + 1; end Put;
                 accept Last (V : in out T) do V := V + 1; end Last;",
            ),
            ("A", "", "S.Put (2, X); S.Last (X);"),
        ],
        "null;",
    );
    expect(&text, &["s.put.2 s.put.end.3 x=3 x==3 s.last.3 s.constraint_error !"]);
    let fine = text.replace("S.Put (2, X)", "S.Put (1, X)");
    expect(&fine, &["s.put.1 s.put.end.2 x=2 x==2 s.last.2 s.last.end.3 x=3 ."]);
}

#[test]
fn families_and_arrays_of_tasks_have_indices() {
    let text = "procedure Main is
        task type Server is entry Get (Boolean); end Server;
        Servers : array (1 .. 2) of Server;
        task body Server is begin accept Get (True); end Server;
        task type Client (Id : Integer) is end Client;
        C : Client (2);
        task body Client is begin Servers (Id).Get (Id = 2); end Client;
    begin
        Servers (1).Get (True);
    end Main;";
    expect(text, &["servers.1.get.true servers.2.get.true .", "servers.2.get.true servers.1.get.true ."]);
}

#[test]
fn guards_close_alternatives() {
    let server = |guard: &str| {
        with_tasks(
            "",
            &[
                (
                    "S",
                    "entry A; entry B;",
                    &format!("select when {guard} => accept A; or accept B; end select;"),
                ),
                ("C", "", "S.A;"),
                ("D", "", "S.B;"),
            ],
            "null;",
        )
    };
    // Whoever comes too late calls a task that has ended.
    expect(&server("True"), &["s.a d.s.tasking_error !", "s.b c.s.tasking_error !"]);
    expect(&server("False"), &["s.b c.s.tasking_error !"]);
    let closed = server("False").replace("or accept B", "or when 1 = 2 => accept B");
    expect(&closed, &["s.program_error !"]);
}

#[test]
fn else_is_taken_only_if_nobody_waits() {
    let text = with_tasks(
        "",
        &[
            (
                "S",
                "entry A; entry Done;",
                "select accept A; pragma Annotate (Rely, Event, \"taken\");
                 else pragma Annotate (Rely, Event, \"none\"); accept A; end select; accept Done;",
            ),
            ("C", "", "S.A; S.Done;"),
        ],
        "null;",
    );
    let exact = network(&text);
    let found: BTreeSet<Vec<String>> = runs(&exact)
        .into_iter()
        .map(|(trace, last)| {
            assert_eq!(last, Last::Ended);
            trace.into_iter().filter(|name| !name.contains("else") && name != "terminate").collect()
        })
        .collect();
    let expected: BTreeSet<Vec<String>> = [vec!["s.a", "taken", "s.done"], vec!["none", "s.a", "s.done"]]
        .into_iter()
        .map(|run| run.into_iter().map(str::to_owned).collect())
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn conditional_and_timed_calls_may_be_given_up() {
    let conditional = with_tasks(
        "",
        &[
            ("S", "entry A; entry Stop;", "select accept A; accept Stop; or accept Stop; end select;"),
            ("C", "", "select S.A; else pragma Annotate (Rely, Event, \"refused\"); end select; S.Stop;"),
        ],
        "null;",
    );
    expect(&conditional, &["s.a s.stop .", "refused s.stop ."]);
    // Once the server has been met, and waits again, a conditional call succeeds or not; after its end it is an error.
    let timed = conditional.replace("else", "or delay 1.0;");
    expect(&timed, &["s.a s.stop .", "refused s.stop ."]);
    let gone =
        conditional.replace("end select; S.Stop;", "end select;").replace("or accept Stop", "or delay 1.0");
    assert!(runs(&network(&gone)).iter().any(|(trace, last)| {
        *last == Last::Failed && trace.last().is_some_and(|last| last == "c.s.tasking_error")
    }));
}

#[test]
fn terminate_waits_for_all_others() {
    let text = with_tasks(
        "",
        &[
            ("S", "entry A;", "loop select accept A; or terminate; end select; end loop;"),
            ("C", "", "S.A; S.A;"),
        ],
        "null;",
    );
    expect(&text, &["s.a s.a ."]);
    // Without it the server waits for ever.
    let stuck = text.replace("select accept A; or terminate; end select;", "accept A;");
    expect(&stuck, &["s.a s.a ?"]);
    let two = text.replace("S.A; S.A;", "loop null; end loop;");
    let found = check_reachability(&network(&two).network, &Budget::UNLIMITED).unwrap();
    assert!(found.deadlock.verdict.holds(), "a task that runs for ever keeps the server waiting");
}

#[test]
fn undefined_values_are_any_values() {
    let text = with_tasks("", &[("A", "", "if X then null; end if; if X then null; end if;")], "null;")
        .replace("procedure Main is", "procedure Main is X : Boolean;");
    expect(&text, &["x==true x==true .", "x==false x==false ."]);
    let local = "procedure Main is
        task A;
        task body A is
            type T is range 1 .. 2;
            V : T;
            W : T;
        begin
            if V = W then
                pragma Annotate (Rely, Event, \"same\");
            end if;
            W := V;
            if V /= W then
                pragma Annotate (Rely, Event, \"impossible\");
            end if;
        end A;
    begin null; end Main;";
    expect(local, &["same .", "."]);
}

#[test]
fn subprograms_are_executed_in_place() {
    let text = "procedure Main is
        type T is mod 3;
        X : T := 1;
        procedure Bump (V : in out T; By : T) is
            Old : constant T := V;
        begin
            if By = 0 then return; end if;
            V := Old + By;
        end Bump;
        function Twice (V : T) return T is
        begin
            for I in 1 .. 2 loop
                if I = 2 then return V + V; end if;
            end loop;
            return 0;
        end Twice;
    begin
        Bump (X, 0);
        Bump (X, Twice (1) + X);
    end Main;";
    expect(text, &["x==1 x=1 x==1 x==1 x=1 ."]);
}

#[test]
fn statements_do_what_they_say() {
    let text = "procedure Main is
        type Color is (Red, Green, Blue);
        X : Integer := 0;
        A : array (Color) of Boolean := (Red => True, others => False);
        package_free : constant Color := Color'Last;
    begin
        Outer : for C in reverse Color loop
            case C is
                when Red => X := 1;
                when Green | Blue =>
                    declare
                        L : Integer := Color'Pos (C);
                    begin
                        while L < 5 loop
                            L := L + 2;
                            exit Outer when L = 4 and then A (Red);
                        end loop;
                        X := L;
                    end;
            end case;
        end loop Outer;
        A (Color'Val (X - 5 + 2)) := package_free = Blue;
        A (Color'Succ (Blue)) := False;
    end Main;";
    // Blue: 2, then 4 with A (Red), so the loop is left; X is still 0, and Val (-3) raises.
    expect(text, &["a.red==true x==0 main.constraint_error !"]);
    let green = text.replace("Red => True, others", "others");
    // Blue: 4, 6; Green: 3, 5; Red; then A (Val (1 - 5 + 2)) raises.
    expect(&green, &["a.red==false x=6 x=5 x=1 x==1 main.constraint_error !"]);
    let mended = green.replace("X - 5 + 2", "X");
    expect(&mended, &["a.red==false x=6 x=5 x=1 x==1 a.green=true main.constraint_error !"]);
}

#[test]
fn a_silent_loop_is_no_deadlock() {
    let text = with_tasks("", &[("A", "", "loop null; end loop;")], "null;");
    assert!(deadlock(&network(&text).network).is_none());
    let stuck = with_tasks("", &[("A", "entry E;", "accept E;")], "null;");
    assert!(deadlock(&network(&stuck).network).is_some());
}

#[test]
fn a_return_leaves_an_accept_statement() {
    let text = with_tasks(
        "X : Boolean := True;",
        &[
            ("S", "entry A;", "accept A do if X then return; end if; X := True; end A; X := False;"),
            ("C", "", "S.A;"),
        ],
        "null;",
    );
    expect(
        &text,
        &["s.a x==true s.a.end x=false ."].map(|run| run.replace("s.a.end ", "")).each_ref().map(|r| &**r),
    );
}

#[test]
fn an_elaborator_gives_the_target() {
    let mut parse = rely_tasks::parse(include_str!("../../../models/relay.adb"));
    assert!(parse.define("runner_count", 3) && !parse.define("walker_count", 3));
    let mut elaborator = rely_tasks::Elaborator::new(&parse, Budget::UNLIMITED);
    assert_eq!(elaborator.default_targets(), ["relay"]);
    let target = elaborator.target("relay").expect("it has no errors");
    let parts: Vec<(&str, &str)> = target
        .behaviour
        .components()
        .iter()
        .zip(&target.parts)
        .map(|(c, part)| (&*c.name, &*part.definition))
        .collect();
    let runner = "runner_task";
    assert_eq!(
        parts,
        [
            ("server", "server"),
            ("runner.0", runner),
            ("runner.1", runner),
            ("runner.2", runner),
            ("relay", "relay")
        ]
    );
    assert!(target.parts.iter().all(|part| part.place.is_some()));
    assert!(elaborator.target("race").is_err());
}

#[test]
fn mistakes_that_show_in_values_are_told() {
    for (text, place) in [
        ("procedure Main is X : Integer; begin if X = 1 then null; end if; end Main;", "X"),
        (
            "procedure Main is task A is entry E; end A;
          task body A is begin accept E; end A;
          begin A.E; pragma Annotate (Rely, Event, \"a.e\"); end Main;",
            "Main",
        ),
    ] {
        let parse = rely_tasks::parse(text);
        let mut elaborator = rely_tasks::Elaborator::new(&parse, Budget::UNLIMITED);
        assert_eq!(elaborator.exact().err(), Some(rely_model::Failure::Errors));
        let found = elaborator.diagnostics()[0].span;
        assert_eq!(&text[found.start as usize..found.end as usize], place);
        assert!(elaborator.exact().is_err());
        assert_eq!(elaborator.diagnostics().len(), 1);
    }
}

#[test]
fn what_never_happens_has_a_name() {
    let text = with_tasks(
        "",
        &[
            ("S", "entry E; entry F (Boolean);", "loop accept E; accept F (True); end loop;"),
            ("C", "", "loop S.E; if False then pragma Annotate (Rely, Event, \"never\"); end if; end loop;"),
        ],
        "null;",
    );
    let exact = network(&text);
    for name in ["s.f.true", "s.f.false", "s.end", "never"] {
        assert_eq!(exact.naming.actions(name).collect::<Vec<_>>(), [name]);
        let network = with_property(&exact, &format!("property NEVER = STOP + {{{name}}}."));
        assert!(check_safety(&network, &Budget::UNLIMITED).unwrap().verdict.holds(), "{name}");
    }
}
