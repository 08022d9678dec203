//! Inputs that are made to break the program: each ends soon, in bounded memory, with an error or a limit.
#![cfg(unix)]

mod common;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use common::{Run, Running, run, shell};

/// Nothing here takes longer, on a slow machine that has other things to do.
const DEADLINE: Duration = Duration::from_secs(60);

/// Exit statuses.
const HOLDS: i32 = 0;
const VIOLATED: i32 = 1;
const USAGE: i32 = 2;
const ERRORS: i32 = 3;
const LIMIT: i32 = 4;

/// A file for a test, which no other test has.
fn path(name: &str) -> PathBuf {
    common::place().join(format!("hostile-{name}"))
}

fn file(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = path(name);
    std::fs::write(&path, content).expect("the folder for tests can be written to");
    path
}

/// Starts the program on a file, with limited memory.
fn start(verb: &str, input: &Path, options: &str) -> Running {
    common::start(shell(&format!("exec rely {verb} '{}' {options}", input.display())), b"")
}

fn rely(verb: &str, input: &Path, options: &str) -> Run {
    let ended = start(verb, input, options).end();
    assert!(ended.took < DEADLINE, "{}: {:?}", input.display(), ended.took);
    assert!(!ended.stderr.contains("panicked"), "{}: {}", input.display(), ended.stderr);
    ended
}

/// Checks a text, and sees that it has errors, one of them with the code.
#[track_caller]
fn refused(name: &str, text: impl AsRef<[u8]>, code: &str) {
    let input = file(name, text);
    let ended = rely("check", &input, "");
    assert_eq!(ended.status, ERRORS, "{ended:?}");
    assert!(ended.stderr.contains(code) && ended.stdout.is_empty(), "{ended:?}");
    std::fs::remove_file(input).expect("it has been written");
}

/// Checks a text, and sees that it ends with a status.
#[track_caller]
fn ends(name: &str, text: impl AsRef<[u8]>, options: &str, status: i32) -> Run {
    let input = file(name, text);
    let ended = rely("check", &input, options);
    assert_eq!(ended.status, status, "{ended:?}");
    std::fs::remove_file(input).expect("it has been written");
    ended
}

/// `line(i)` for all numbers below a limit, joined.
fn lines(count: usize, separator: &str, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect::<Vec<_>>().join(separator)
}

/// 10¹² states, none of them wrong.
const LARGE: &str = "
P = L[0], L[i:0..9] = (up -> L[(i+1)%10] | down -> L[(i+9)%10] | when (i==0) zero -> L[0]).
||S = (forall[i:0..11] p[i]:P).
";

#[test]
fn nesting() {
    refused("parentheses.lts", format!("P = {}a -> P", "(".repeat(1_000_000)), "E01");
    refused("brackets.lts", format!("P = (a{}", "[".repeat(1_000_000)), "E01");
    ends("next.lts", format!("P = (a -> P).\nassert A = {}a\n", "X ".repeat(200)), "", HOLDS);
    refused("nexts.lts", format!("P = (a -> P).\nassert A = {}a\n", "X ".repeat(100_000)), "E01");
    let until =
        format!("P = (a -> P | b -> P | c -> P).\nassert A = {}b{}\n", "(a U ".repeat(100), ")".repeat(100));
    ends("until.lts", until, "", VIOLATED);
}

#[test]
fn ranges_and_constants() {
    refused("range12.lts", "range R = 0..1000000000000\nP = (a[i:R] -> P).", "E0102");
    refused("range9.lts", "P = (a[i:0..2000000000] -> P).", "E0306");
    refused("constant.lts", "const A = 2147483647\nconst B = A*A+1\nP = (a[B] -> P).", "E0304");
    refused("square.lts", "P = Q[0][0], Q[i:0..100000][j:0..100000] = (a -> Q[i][j]).", "E0306");
    refused("relabelling.lts", "P = (a -> P).\n||S = P/{x[0..999999]/a[0..999999]}.", "E0306");
    ends("sharing.lts", "P = (a[0..99999] -> P).\n||S = ({x[0..99999]}::P).", "", LIMIT);
    ends("completion.lts", "property P = L[0], L[i:0..99999] = (a[i] -> L[(i+1)%100000]).", "", LIMIT);
    ends("progress.lts", "P = (a -> P).\nprogress G[i:0..99999] = {a[0..99999]}", "--max-memory 200M", LIMIT);
    ends(
        "repeated.lts",
        format!("{}\nP = (a -> P).", lines(100, "\n", |i| format!("set S{i} = {{a[0..499999]}}"))),
        "--max-memory 200M",
        LIMIT,
    );
}

#[test]
fn circles() {
    refused("composites.lts", "P = (a -> P).\n||A = (P || B).\n||B = (P || A).", "E0317");
    refused("processes.lts", "P = Q;END.\nQ = P;END.\n||S = (P).", "E0317");
    refused("deeper.lts", "||A(N=0) = (A(N+1) || A(N+2)).", "E0318");
    refused("deeper-process.lts", "P(N=0) = (a -> P(N+1);END | b -> P(N+2);END).", "E0318");
    refused("wider.lts", "||A(N=1) = (A(2*N) || A(2*N+1)).", "E0304");
    refused(
        "aliases.lts",
        format!("P = L0, {}.", lines(50_000, ",\n", |i| format!("L{i} = L{}", (i + 1) % 50_000))),
        "E0312",
    );
}

#[test]
fn doubling() {
    let composites = |first: &str, each: fn(usize) -> String| format!("{first}\n{}", lines(100, "\n", each));
    let parts = |i: usize| format!("||A{} = (x:A{i} || y:A{i}).", i + 1);
    refused("parts.lts", composites("P = (a -> P).\n||A0 = (P).", parts), "E0306");
    refused("undefined-parts.lts", composites("||A0 = (NOPE).", parts), "E0315");
    let formulas = |i: usize| format!("assert A{} = (A{i} && X A{i})", i + 1);
    refused("formulas.lts", composites("P = (a -> P).\nassert A0 = a", formulas), "E0306");
    let processes = |i: usize| format!("P{} = (x -> P{i};END | y -> P{i};END).", i + 1);
    refused("undefined-processes.lts", composites("P0 = (a -> NOPE;END).", processes), "E0315");
    ends("processes-doubling.lts", composites("P0 = (a -> END).", processes), "--max-memory 200M", LIMIT);
}

#[test]
fn many_of_a_kind() {
    refused("label.lts", format!("P = (a{} -> P)\\{{a.c}}.", ".b".repeat(100_000)), "E0306");
    ends("set.lts", "set S = {a[0..999999]}\nP = (a -> P).", "", HOLDS);
    ends(
        "listed.lts",
        format!("set S = {{{}}}\nP = (S -> P).", lines(50_000, ",", |i| format!("a{i}"))),
        "",
        HOLDS,
    );
    let locals = lines(100_000, ",\n", |i| format!("L{i} = (a -> L{})", (i + 1) % 100_000));
    ends("locals.lts", format!("P = L0,\n{locals}."), "", HOLDS);
    let parts = lines(10_000, " || ", |i| format!("p{i}:P"));
    ends("parts-many.lts", format!("P = (a -> P).\n||S = ({parts})."), "", HOLDS);
    refused("forall.lts", "P = (a -> P).\n||S = (forall[i:0..1000000] p[i]:P).", "E0306");
    refused(
        "variables.lts",
        format!("P = ({} -> P).", lines(5000, " -> ", |i| format!("a[i{i}:0..0]"))),
        "E0306",
    );
    let findings = format!("{}{}", "\n".repeat(1_000_000), "P = (a -> Q).".repeat(1000));
    refused("findings.lts", findings, "E0307");
}

#[test]
fn formulas() {
    let conjuncts = "P = (a[0..9999] -> P).\nassert A = forall[i:0..9999] []<>a[i]";
    let ended = ends("conjuncts.lts", conjuncts, "--timeout 1s", LIMIT);
    assert!(ended.took < Duration::from_secs(10), "{ended:?}");
    let fluents = "
range R = 0..1999
P = (a[R] -> b -> P).
fluent F[i:R] = <a[i], b>
assert A = forall[i:R] []<>F[i]";
    ends("fluents.lts", fluents, "--timeout 1s", LIMIT);
    let fair =
        lines(20, " && ", |i| format!("([]<>a[{i}] && (<>[]!a[{i}] || (a[{i}] U X a[{}])))", (i + 1) % 20));
    let ended =
        ends("automaton.lts", format!("P = (a[0..19] -> P).\nassert A = !({fair})"), "--timeout 1s", LIMIT);
    assert!(ended.stdout.contains("assert A unknown"), "{ended:?}");
    // Nobody watches the clock: the limit on states alone ends the translation, which is at its first state.
    let strong = lines(20, " && ", |i| format!("([]<>a[{i}] -> []<>b[{i}])"));
    let strong = format!("P = (a[i:0..19] -> b[i] -> P).\nassert A = (({strong}) -> <>[]b[0])");
    let ended = ends("strong-fairness.lts", strong, "--max-states 10000", LIMIT);
    assert!(ended.stdout.contains("assert A unknown: the limit on states"), "{ended:?}");
    // A process of half a million states, which is made before anything is explored.
    let fluents = lines(19, "\n", |i| format!("fluent F{i} = <a{i}, b{i}>"));
    let all = lines(19, " && ", |i| format!("F{i}"));
    let process = format!("{fluents}\nltl_property P = []!({all})\n||S = P.");
    ends("process.lts", &process, "--max-memory 50M", LIMIT);
    let ended = ends("process.lts", &process, "--timeout 500ms", LIMIT);
    assert!(ended.took < Duration::from_secs(5), "{ended:?}");
}

#[test]
fn files_that_are_no_models() {
    refused("empty.lts", "", "E0326");
    refused("nul.lts", [0; 100_000], "E0106");
    // The bytes of a generator, which are no text.
    let mut state = 1_u32;
    let garbage: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    })
    .take(200_000)
    .collect();
    refused("garbage.lts", &garbage, "E01");
    refused("garbage.aut", &garbage, "E0201");
    refused("garbage-body.aut", [b"des (0,9,9)\n", &garbage[..]].concat(), "E02");
    refused("garbage.json", &garbage, "E02");
    refused("garbage", &garbage, "E01");
    refused("long.lts", "a".repeat(50_000_000), "E0110");
    refused("too-long.lts", " ".repeat(70_000_000), "E01");
    // More than the address space has room for, but all of it is not read.
    let huge = path("huge.lts");
    File::create(&huge).and_then(|file| file.set_len(6 << 30)).expect("a file with a hole takes no room");
    let ended = rely("check", &huge, "");
    assert!(ended.status == ERRORS && ended.stderr.contains("E0123"), "{ended:?}");
    std::fs::remove_file(huge).expect("it has been written");
    for (i, lie) in
        ["(0,1,4000000000)", "(0,4000000000,1)", "(7,0,1)", "(0,1,99999999999999999999)"].iter().enumerate()
    {
        refused(&format!("lie{i}.aut"), format!("des {lie}\n(0,a,0)\n"), "E02");
    }
    // An honest one that has no room is not read.
    let steps: String = (0..100_000).map(|state| format!("({state},a,{state})\n")).collect();
    let ended = ends("honest.aut", format!("des (0,100000,100000)\n{steps}"), "--max-memory 1M", LIMIT);
    assert!(ended.stderr.contains("does not fit"), "{ended:?}");
    let missing = rely("check", &path("nothing.lts"), "");
    assert_eq!(missing.status, ERRORS, "{missing:?}");
    let folder = rely("check", &common::place(), "");
    assert_eq!(folder.status, ERRORS, "{folder:?}");
}

/// Moves of components that have many states are not compiled, and those that were are not more than may be held.
#[test]
fn many_moves_take_little_memory() {
    let text = "
const N = 100000
A = C[0], C[i:0..N-1] = (t[k:0..15] -> C[(i+k+1)%N]).
B = D[0], D[i:0..15] = (t[k:0..15] -> D[(i+k)%16]).
||S = (A || B).
";
    let input = file("moves.lts", text);
    let options = "--max-states 1000 --max-memory 300M -j1";
    let ended = run(&format!("ulimit -v 1000000; exec rely compose '{}' {options}", input.display()));
    assert_eq!(ended.status, LIMIT, "{ended:?}");
    assert!(ended.stdout.contains("after 1000 states"), "{ended:?}");
}

/// Monitors have sets of states of an automaton, and are made while a search goes on.
#[test]
fn formulas_take_no_more_memory_than_they_may() {
    let untils = lines(60, " && ", |i| format!("(a[{i}] U a[{}])", (i + 1) % 60));
    let input = file("untils.lts", format!("P = (a[0..59] -> P).\nassert A = !({untils})\n"));
    for limit in ["20M", "50M"] {
        let line = format!("ulimit -v 600000; exec rely check '{}' --max-memory {limit}", input.display());
        let ended = run(&line);
        assert_eq!(ended.status, LIMIT, "{ended:?}");
        assert!(ended.stdout.contains("assert A unknown: memory ran out"), "{ended:?}");
        assert!(ended.took < Duration::from_secs(30), "{ended:?}");
    }
}

/// Partial-order reduction makes short work of the large model, so it is switched off here.
#[test]
fn limits_end_an_analysis_in_time() {
    let ended = ends("time.lts", LARGE, "--no-reduction --timeout 1s", LIMIT);
    assert!(ended.took < Duration::from_secs(5), "{ended:?}");
    assert!(ended.stdout.contains("deadlock unknown: time ran out after"), "{ended:?}");
    ends("memory.lts", LARGE, "--no-reduction --max-memory 4M", LIMIT);
    ends("states.lts", LARGE, "--no-reduction --max-states 10000", LIMIT);
    // Time is watched while the text is given its meaning, too.
    let slow = "P = L[0][0], L[i:0..999][j:0..999] = (a[k:0..99] -> L[k][j]).";
    let ended = ends("elaboration.lts", slow, "--timeout 500ms", LIMIT);
    assert!(ended.took < Duration::from_secs(5), "{ended:?}");
    ends("elaboration-memory.lts", slow, "--max-memory 10M", LIMIT);
}

/// What takes too long does not take the answers along that were there before it.
#[test]
fn targets_before_a_large_one_are_answered() {
    let text = "
P = L[0], L[i:0..9] = (up -> L[(i+1)%10] | down -> L[(i+9)%10]).
||SMALL = (P).
minimal ||HUGE = (forall[i:0..8] p[i]:P).
||TOP = (HUGE || P).";
    let ended = ends("two-targets.lts", text, "--timeout 1s", LIMIT);
    assert!(ended.stdout.contains("SMALL: deadlock holds"), "{ended:?}");
    assert!(ended.stdout.contains("TOP: deadlock unknown"), "{ended:?}");
}

/// Whoever reads thousands of mistakes does not want advice about each.
#[test]
fn thousands_of_undefined_names() {
    let names = lines(10_000, "\n", |i| format!("const N{i} = M{i}"));
    let ended = ends("undefined.lts", format!("{names}\nP = (a -> P)."), "--timeout 20s", ERRORS);
    assert!(ended.took < Duration::from_secs(15), "{:?}", ended.took);
    let processes = lines(10_000, "\n", |i| format!("P{i} = (a{i} -> p{i})."));
    ends("lower-case.lts", processes, "--timeout 20s", ERRORS);
}

/// A program that writes steps without end is stopped, and so is the judge at the first state too many.
#[test]
fn simulation_and_judge_keep_to_their_limits() {
    let input = file("simulated.lts", "P = (a -> b -> P).");
    let line = format!("yes 1 | exec rely simulate '{}' --max-memory 5M --timeout 30s", input.display());
    assert_eq!(run(&line).status, LIMIT);
    let checked =
        "exec rely check hostile-simulated.lts --only deadlock --certificate hostile-simulated.cert";
    assert_eq!(run(checked).status, HOLDS);
    let judged = |states| {
        run(&format!("exec rely certify hostile-simulated.cert hostile-simulated.lts --max-states {states}"))
    };
    assert_eq!((judged(1).status, judged(2).status), (LIMIT, HOLDS));
}

/// What is written to a file has the name of its target also where it could not be finished.
#[test]
fn an_unfinished_file_names_its_target() {
    let input = file("unfinished.lts", LARGE);
    for verb in ["compose", "minimise", "convert", "draw"] {
        let ending = if verb == "draw" { "svg" } else { "aut" };
        let options = format!("-o hostile-unfinished.{ending} --max-states 10 --json");
        let ended = rely(verb, &input, &options);
        assert_eq!((ended.status, &ended.json()["results"][0]["target"]), (LIMIT, &"S".into()), "{verb}");
    }
}

/// Assumptions of such a ring are large, and so is what the learners of all levels have seen.
#[test]
fn learners_keep_to_their_memory() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/peterson.lts");
    let system = "--system SYSTEM --property A3_1_MUTUAL_EXCLUSION --define N=4";
    for (rule, memory) in [("symmetric --learner lstar", "30M"), ("symmetric", "30M"), ("chain", "12M")] {
        let options = format!("{system} --rule {rule} --max-memory {memory} --timeout 30s");
        let ended = rely("verify", Path::new(model), &options);
        assert_eq!(ended.status, LIMIT, "{ended:?}");
        assert!(ended.stdout.contains("unknown: memory ran out"), "{ended:?}");
    }
}

/// What the system can give is a limit, too, even if nobody has set one.
#[test]
fn no_memory_is_no_crash() {
    let input = file("no-memory.lts", LARGE);
    for (verb, options) in
        [("compose", "-o 'hostile-no-memory.aut'"), ("compose", ""), ("check", "--no-reduction")]
    {
        let line = format!("ulimit -v 1000000; exec rely {verb} '{}' {options} --json", input.display());
        let ended = run(&line);
        assert_eq!(ended.status, LIMIT, "{verb} {options}: {}", ended.stderr);
        assert!(ended.json()["results"].is_array(), "{ended:?}");
    }
    std::fs::remove_file(input).expect("it has been written");
}

/// Whatever address space there is, a limit is the end, and not an abort; also where more memory is asked for.
#[test]
fn a_small_address_space_is_no_crash() {
    let input = file("address-space.lts", LARGE);
    for kibibytes in [150_000, 300_000, 400_000] {
        for (verb, options) in [
            ("compose", ""),
            ("compose", "--max-memory 4G -j8"),
            ("check", "--no-reduction"),
            ("minimise", ""),
        ] {
            let line = format!("ulimit -v {kibibytes}; exec rely {verb} '{}' {options}", input.display());
            let ended = run(&line);
            assert_eq!(ended.status, LIMIT, "{kibibytes} {verb} {options}: {}", ended.stderr);
            assert!(ended.stdout.contains("memory ran out after"), "{ended:?}");
        }
    }
    std::fs::remove_file(input).expect("it has been written");
}

/// What has no end is not read to its end, and nothing is read that has no room.
#[test]
fn certificates_and_traces_keep_to_their_memory() {
    let model = file("read.lts", "P = (a -> P).");
    let model = model.display();
    for line in [
        format!("rely certify /dev/zero {model}"),
        format!("rely simulate {model} --replay /dev/zero < /dev/null"),
        format!("rely certify /dev/stdin {model} < /dev/zero"),
    ] {
        let ended = run(&format!("ulimit -v 400000; {line}"));
        assert!(ended.status == ERRORS && ended.stderr.contains("it is no text"), "{line}: {ended:?}");
    }
    for line in [
        format!("yes '[' | rely certify /dev/stdin {model} --max-memory 20M"),
        format!("yes a | rely simulate {model} --replay /dev/stdin --max-memory 20M"),
        format!("yes '{{}},' | rely certify /dev/stdin {model}"),
        format!("yes | rely simulate {model} --replay /dev/stdin"),
    ] {
        let ended = run(&format!("ulimit -v 400000; {line}"));
        assert!(ended.status == LIMIT && ended.stderr.contains("does not fit"), "{line}: {ended:?}");
    }
    // Each value of a text takes more room than its letters.
    let values = format!("{{\"schema\":\"rely/lts/1\",\"alphabet\":[{}", "\"a\",".repeat(2_000_000));
    for name in ["values.json", "values.cert"] {
        let input = file(name, &values);
        let line = match name {
            "values.json" => format!("rely check {} --max-memory 50M", input.display()),
            _ => format!("rely certify {} {model} --max-memory 50M", input.display()),
        };
        let ended = run(&format!("ulimit -v 400000; {line}"));
        assert!(ended.status == LIMIT && ended.stderr.contains("does not fit"), "{line}: {ended:?}");
    }
}

#[test]
fn an_interrupt_gives_the_partial_answer() {
    let input = file("interrupt.lts", LARGE);
    let running = start("check", &input, "--no-reduction");
    std::thread::sleep(Duration::from_millis(700));
    running.signal("INT");
    let ended = running.end();
    assert_eq!(ended.status, LIMIT, "{ended:?}");
    assert!(ended.stdout.contains("unknown: stopped on request after"), "{ended:?}");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let text = lines(2000, "\n", |i| format!("P{i} = (a -> STOP).\n||C{i} = P{i}."));
    let input = file("reader.lts", text);
    for verb in ["check", "compose", "draw --target P0", "check --json", "schema; true"] {
        let input = input.display();
        let command =
            format!("rely {verb} '{input}' 2>&1 >/dev/full | cat; rely {verb} '{input}' 2>&1 | head -n 1");
        let text = run(&command).stdout;
        assert!(!text.contains("panicked"), "{verb}: {text}");
    }
}

#[test]
fn nothing_half_written_is_left() {
    let folder = path("outputs");
    std::fs::create_dir_all(&folder).expect("the folder for tests can be written to");
    let large = file("output.lts", LARGE);
    let wrong = file("output-wrong.lts", "P = (a -> ");
    let target = |name: &str| folder.join(name).display().to_string();
    let compose = |input: &PathBuf, options: &str, status: i32| {
        let ended = rely("compose", input, options);
        assert_eq!(ended.status, status, "{options}: {ended:?}");
    };
    compose(&large, &format!("--timeout 200ms -o {}", target("slow.aut")), LIMIT);
    compose(&wrong, &format!("-o {}", target("wrong.aut")), ERRORS);
    compose(&large, &format!("-o {}", target("no.format")), USAGE);
    compose(&large, &format!("--target P -o {}/missing/out.aut", folder.display()), ERRORS);
    let left: Vec<_> = std::fs::read_dir(&folder).expect("it has been made").collect();
    assert!(left.is_empty(), "{left:?}");
    compose(&large, &format!("--target P -o {}", target("right.aut")), HOLDS);
    assert!(std::fs::read_to_string(folder.join("right.aut")).is_ok_and(|text| text.starts_with("des (")));
    std::fs::remove_dir_all(&folder).expect("it has been made");
}
