//! How every verb ends: with its exit status, with one object where `--json` asks for it, and soon, whatever it waits for.
#![cfg(unix)]

mod common;

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use common::{Run, file_in, folder, shell, start};

/// A process, a property that holds of it and one that does not, and systems of them; interface automata that fit.
const MODEL: &str = "\
A = (a -> b -> A).
B = (b -> c -> B).
property P = (a -> b -> P).
property Q = (b -> a -> Q).
||GOOD = (A || B || P).
||BAD = (A || B || Q).
||MIXED = (A || B || P || Q).
";
const AUTOMATA: &str = "interface IN = (take? -> give! -> IN).\ninterface OUT = (give? -> take! -> OUT).\n||BOTH = (IN || OUT).\n";

/// The verbs that analyse something, each with a question; `{…}` are files.
const QUESTIONS: [&str; 30] = [
    "check {m}",
    "check {m} --target GOOD --no-reduction",
    "assume {m} -c A -p P",
    "assume {m} -c A -p P --method learn",
    "assume {m} -c A -p P -e B --discharge",
    "assume {m} -c A -p P --deadlock-free",
    "verify {m} -s GOOD",
    "verify {m} -s GOOD --strategy monolithic",
    "verify {m} -s GOOD --strategy localise",
    "verify {m} -s GOOD --strategy reduce",
    "verify {m} -s GOOD --strategy learn",
    "verify {m} -s GOOD --strategy direct",
    "verify {m} -s GOOD --rule chain",
    "verify {i} -s BOTH --rule ia-compat",
    "decompose {m} -s GOOD -p P",
    "compatible {i} -c IN,OUT",
    "refines {i} -i IN -s IN",
    "contract mirror {i} --operands IN",
    "contract compose {i} --operands IN,OUT",
    "contract consistent {i} --operands IN,IN",
    "compose {m} -t GOOD",
    "minimise {m} -t GOOD",
    "convert {m} -t GOOD -o {o}.aut",
    "draw {m} -t GOOD -o {o}.svg",
    "monitor {m} -t A -l c -o {o}.c",
    "retrieve {n} {m}",
    "certify {c} {m}",
    "simulate {m} -t GOOD",
    "simulate {m} -t GOOD --replay {t}",
    "study {m} -s GOOD -o {o}-study",
];

/// A folder with the files that questions need.
struct Desk(PathBuf);

impl Desk {
    fn new(name: &str) -> Self {
        let desk = Self(folder(&format!("endings-{name}")));
        for (name, text) in [
            ("m.lts", MODEL),
            ("i.lts", AUTOMATA),
            ("need.fsp", "NEED = (a -> b -> NEED).\n"),
            ("trace", "a\nb\n"),
            ("wrong", "a\nb\nb\n"),
            ("syntax.lts", "A = (a -> b -> A.\nB = (b -> c).\n"),
        ] {
            file_in(&desk.0, name, text);
        }
        assert_eq!(desk.run("rely check m.lts --target GOOD --certificate c.cert").status, 0);
        desk
    }

    fn command(&self, line: &str) -> Command {
        let mut command = shell(line);
        command.current_dir(&self.0);
        command
    }

    #[track_caller]
    fn run(&self, line: &str) -> Run {
        start(self.command(line), b"").end()
    }

    fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }
}

/// A question with the names of its files.
fn asked(question: &str) -> String {
    let mut line = format!("rely {question}");
    for (short, name) in [
        ("{m}", "m.lts"),
        ("{i}", "i.lts"),
        ("{n}", "need.fsp"),
        ("{c}", "c.cert"),
        ("{t}", "trace"),
        ("{o}", "out"),
    ] {
        line = line.replace(short, name);
    }
    line
}

#[test]
fn a_limit_of_nothing_leaves_every_answer_open() {
    let desk = Desk::new("limits");
    for question in QUESTIONS {
        for limit in ["--timeout 0", "--max-states 0", "--max-memory 0"] {
            let line = format!("{} {limit}", asked(question));
            let run = desk.run(&line);
            assert_eq!(run.status, 4, "{line}: {} {}", run.stdout, run.stderr);
            let claims = ["holds\n", "satisfies it\n", "satisfies the", "certified", "1 holds", "2 holds"];
            assert!(!claims.iter().any(|claim| run.stdout.contains(claim)), "{line}: {}", run.stdout);
        }
    }
}

#[test]
fn a_limit_is_in_the_object() {
    let desk = Desk::new("reasons");
    for question in QUESTIONS.into_iter().filter(|question| !question.starts_with("simulate")) {
        let line = format!("{} --timeout 0 --json", asked(question));
        let run = desk.run(&line);
        let object = run.json().to_string();
        assert_eq!(run.status, 4, "{line}: {}", run.stderr);
        assert!(object.contains("time ran out"), "{line}: {object}");
    }
}

#[test]
fn what_cannot_be_written_is_in_the_object() {
    let desk = Desk::new("unwritable");
    std::fs::create_dir(desk.0.join("folder.aut")).expect("a folder of ours");
    for line in [
        "check m.lts -t GOOD --certificate no/x.cert",
        "verify m.lts -s GOOD --certificate no/x.cert",
        "verify m.lts -s GOOD --explanation no/x.html",
        "compatible i.lts -c IN,OUT --certificate no/x.cert",
        "compatible i.lts -c IN --environment no/x.fsp",
        "refines i.lts -i IN -s IN --certificate no/x.cert",
        "contract mirror i.lts --operands IN -o no/x.fsp",
        "assume m.lts -c B -p P -o no/x.fsp",
        "decompose m.lts -s GOOD -p P -o no/x.csv",
        "compose m.lts -t GOOD -o no/x.aut",
        "compose m.lts -t GOOD -o folder.aut",
        "minimise m.lts -t GOOD -o no/x.aut",
        "convert m.lts -t GOOD -o no/x.aut",
        "draw m.lts -t GOOD -o no/x.svg",
        "draw m.lts -t GOOD -o no/x.dot",
        "monitor m.lts -t A -l c -o no/x.c",
        "study m.lts -s GOOD -o m.lts/x",
        "merge no -o no/x",
        "man m.lts/x",
    ] {
        let run = desk.run(&format!("rely {line} --json"));
        let report = run.json();
        assert_eq!(run.status, 3, "{line}: {}", run.stderr);
        assert_eq!(report["results"], serde_json::json!([]), "{line}");
        assert_eq!(run.codes(), ["E0001"], "{line}: {report}");
        let finding = &report["diagnostics"][0];
        let message = finding["message"].as_str().expect("a message");
        assert!(run.stderr.contains(message), "{line}: {message} is not in {}", run.stderr);
        assert!(finding["line"].is_null() && finding["bytes"].is_null(), "{line}: {finding}");
    }
    let run = desk.run("rely check m.lts -t GOOD --certificate no/x.cert --json");
    assert_eq!(run.json()["diagnostics"][0]["file"], "no/x.cert");
    // Who reads the text keeps the verdict.
    let told = desk.run("rely check m.lts -t GOOD --certificate no/x.cert");
    assert_eq!((told.status, &*told.stdout), (3, "GOOD: deadlock holds\nGOOD: safety holds\n"));
}

/// Runs a line until it waits, sends a signal, and sees that it ends at once.
#[track_caller]
fn ends_on_request(desk: &Desk, line: &str) {
    for signal in ["TERM", "INT"] {
        let running = start(desk.command(&format!("exec {line} <&3")), b"");
        std::thread::sleep(Duration::from_millis(400));
        running.signal(signal);
        let run = running.end();
        assert_eq!(run.status, 4, "{line}: {} {}", run.stdout, run.stderr);
        assert!(run.stderr.contains("stopped on request"), "{line}: {}", run.stderr);
        assert!(run.took < Duration::from_secs(10), "{line}: {:?}", run.took);
    }
}

#[test]
fn nobody_waits_for_ever_at_a_pipe() {
    let desk = Desk::new("pipes");
    assert_eq!(desk.run("mkfifo pipe.lts pipe.aut pipe.json").status, 0);
    for line in [
        "check pipe.lts",
        "check pipe.aut",
        "compose pipe.json",
        "certify pipe.lts m.lts",
        "retrieve pipe.lts m.lts",
        "simulate m.lts -t GOOD --replay pipe.lts",
        "convert m.lts -t GOOD -o pipe.aut",
        "check m.lts -t GOOD --certificate pipe.json",
    ] {
        let run = desk.run(&format!("rely {line} --timeout 300ms"));
        assert_eq!(run.status, 4, "{line}: {}", run.stderr);
        assert!(run.stderr.contains("time ran out"), "{line}: {}", run.stderr);
    }
    let run = desk.run("rely check pipe.lts --timeout 300ms --json");
    assert_eq!((run.status, run.codes()), (4, vec!["E0001".to_owned()]));
    // Standard input is a pipe that stays open and silent.
    let open = "exec 3<>pipe.lts;";
    let silent = desk.run(&format!("{open} rely check - --timeout 300ms <&3"));
    assert!(silent.status == 4 && silent.stderr.contains("time ran out"), "{}", silent.stderr);
    for line in [
        "rely check pipe.aut",
        "rely check -",
        "rely convert m.lts -t GOOD -o pipe.aut",
        "rely simulate m.lts -t GOOD",
    ] {
        ends_on_request(&desk, &format!("{line} 3<>pipe.json"));
    }
}

#[test]
fn a_pipe_with_somebody_at_its_other_end_is_a_file_like_others() {
    let desk = Desk::new("fed");
    assert_eq!(desk.run("mkfifo pipe.lts pipe.aut").status, 0);
    let piped = desk.run("(sleep 0.3; cat m.lts > pipe.lts) & rely check pipe.lts -t GOOD; wait");
    assert_eq!(piped.stdout, "GOOD: deadlock holds\nGOOD: safety holds\n", "{}", piped.stderr);
    assert_eq!(desk.run("rely convert m.lts -t GOOD -o plain.aut").status, 0);
    let piped = desk.run("(sleep 0.3; cat plain.aut > pipe.aut) & rely compose pipe.aut; wait");
    assert_eq!(piped.stdout, desk.run("rely compose plain.aut").stdout, "{}", piped.stderr);
    let judged = desk.run("rely certify <(cat c.cert) <(cat m.lts)");
    assert_eq!(judged.status, 0, "{} {}", judged.stdout, judged.stderr);
}

#[test]
fn an_output_that_is_full_is_an_error_like_any_that_cannot_be_written() {
    let desk = Desk::new("full");
    for line in [
        "rely --help",
        "rely --version",
        "rely check --help",
        "rely schema",
        "rely completions bash",
        "rely check m.lts",
    ] {
        let run = desk.run(&format!("{line} > /dev/full"));
        assert_eq!(run.status, 3, "{line}: {}", run.stderr);
        assert!(run.stderr.contains("cannot write to standard output"), "{line}: {}", run.stderr);
        let gone = desk.run(&format!("{line} | true; exit ${{PIPESTATUS[0]}}"));
        assert!(gone.status <= 1 && !gone.stderr.contains("cannot write"), "{line}: {}", gone.stderr);
    }
}

#[test]
fn remarks_that_cannot_be_made_change_nothing() {
    let desk = Desk::new("mute");
    for (line, status) in [
        ("rely check m.lts -t BAD", 1),
        ("rely check syntax.lts", 3),
        ("rely check nothing.lts", 3),
        ("rely check", 2),
        ("rely check m.lts --timeout 0", 4),
        ("rely verify m.lts -s BAD --certificate x.cert", 1),
    ] {
        assert_eq!(desk.run(&format!("{line} 2> /dev/full")).status, status, "{line}");
    }
}

#[test]
fn dead_options_are_wrong_usage() {
    let desk = Desk::new("dead");
    for strategy in ["auto", "monolithic", "localise", "reduce"] {
        let run = desk.run(&format!("rely verify m.lts -s GOOD --left A --strategy {strategy}"));
        assert_eq!((run.status, &*run.stdout), (2, ""), "{strategy}");
        assert!(run.stderr.contains("--left is of no use"), "{strategy}: {}", run.stderr);
    }
    let whole = desk.run("rely verify i.lts -s BOTH --rule ia-compat --left IN --strategy monolithic");
    assert!(whole.status == 2 && whole.stderr.contains("--left is of no use"), "{}", whole.stderr);
    for line in ["convert m.lts -t GOOD -o x.dot --tau tau", "check m.lts -t GOOD --coverage --only deadlock"]
    {
        assert_eq!(desk.run(&format!("rely {line}")).status, 2, "{line}");
    }
    for line in ["convert m.lts -t GOOD -o x.aut --tau tau", "check m.lts -t GOOD --coverage --only safety"] {
        assert_eq!(desk.run(&format!("rely {line}")).status, 0, "{line}");
    }
    for used in ["--strategy learn", "--strategy direct", "--rule chain", ""] {
        assert_eq!(desk.run(&format!("rely verify m.lts -s GOOD --left A {used}")).status, 0, "{used}");
    }
}

#[test]
fn verbs_that_print_something_else_have_no_json() {
    let desk = Desk::new("other");
    for (line, advice) in [
        ("completions bash", "has no --json"),
        ("schema", "has no --json"),
        ("simulate m.lts", "has no --json"),
        ("monitor m.lts -t A -l c", "give a file with -o"),
        ("draw m.lts -t A", "give a file with -o"),
    ] {
        let run = desk.run(&format!("rely {line} --json"));
        assert_eq!((run.status, run.codes()), (2, vec!["E0009".to_owned()]), "{line}");
        assert_eq!(run.json()["command"], line.split(' ').next().expect("a verb"), "{line}");
        assert!(run.stderr.contains(advice), "{line}: {}", run.stderr);
    }
}

#[test]
fn a_certificate_has_claims() {
    let desk = Desk::new("claims");
    for line in [
        "verify m.lts -s BAD",
        "check m.lts -t BAD --only safety",
        "verify m.lts -s GOOD --timeout 0",
        "refines i.lts -i IN -s OUT",
        "verify i.lts -s BOTH --rule ia-compat --max-states 1",
    ] {
        let run = desk.run(&format!("rely {line} --certificate empty.cert"));
        assert!(matches!(run.status, 1 | 4), "{line}: {}", run.stderr);
        assert!(!desk.has("empty.cert"), "{line}");
        assert!(
            run.stderr.contains("W0005") && run.stderr.contains("no certificate is written"),
            "{line}: {}",
            run.stderr
        );
        assert_eq!(
            desk.run(&format!("rely {line} --certificate empty.cert --json")).codes(),
            ["W0005"],
            "{line}"
        );
        let quiet = desk.run(&format!("rely {line} --certificate empty.cert -q"));
        assert_eq!((&*quiet.stderr, desk.has("empty.cert")), ("", false), "{line}");
    }
    // A certificate of an earlier run is not taken for one of this.
    let kept = desk.run("rely verify m.lts -s BAD --certificate c.cert");
    assert!(desk.has("c.cert") && kept.stderr.contains("from an earlier run"), "{}", kept.stderr);
    // What holds beside what does not is certified.
    assert_eq!(desk.run("rely verify m.lts -s MIXED --certificate some.cert").status, 1);
    assert_eq!(
        desk.run("rely certify some.cert m.lts").stdout,
        "MIXED: property P (component 3) certified\n"
    );
}

#[test]
fn a_trace_that_is_no_run_is_a_diagnostic() {
    let desk = Desk::new("traces");
    let run = desk.run("rely simulate m.lts -t GOOD --replay wrong");
    assert_eq!(run.status, 3);
    assert!(!run.stdout.contains("not possible"), "{}", run.stdout);
    assert!(run.stderr.contains("error[E0011]: step 3 of the trace, b, is not possible"), "{}", run.stderr);
    assert!(run.stderr.contains("--> wrong"), "{}", run.stderr);
    assert_eq!(desk.run("rely simulate m.lts -t GOOD --replay trace").status, 0);
    // The first `x` that is tried leads astray, and so does the second one after it: only later it shows.
    let astray = "N = (x -> U | x -> V), U = (x -> y -> y -> STOP), V = (x -> y -> z -> STOP).\n";
    file_in(&desk.0, "n.lts", astray);
    for (trace, status) in [("x x y z", 0), ("x x y y", 0), ("x x y x", 3), ("", 0), ("y", 3)] {
        file_in(&desk.0, "n.trace", trace.replace(' ', "\n"));
        let run = desk.run("rely simulate n.lts --replay n.trace");
        assert_eq!(run.status, status, "{trace}: {} {}", run.stdout, run.stderr);
    }
}

#[test]
fn a_link_to_itself_is_no_file() {
    let desk = Desk::new("circle");
    assert_eq!(desk.run("ln -s one.aut two.aut; ln -s two.aut one.aut; ln -s self.aut self.aut").status, 0);
    for name in ["one.aut", "self.aut"] {
        let run = desk.run(&format!("rely convert m.lts -t GOOD -o {name}"));
        assert_eq!(run.status, 3, "{name}: {}", run.stderr);
        assert!(run.stderr.contains("a link that leads to itself"), "{name}: {}", run.stderr);
        let kept = std::fs::symlink_metadata(desk.0.join(name)).expect("it is still there");
        assert!(kept.is_symlink(), "{name}");
        let files = std::fs::read_dir(&desk.0).expect("a folder of ours");
        let is_partial = |file: std::io::Result<std::fs::DirEntry>| {
            file.expect("a file of ours").file_name().to_string_lossy().ends_with(".partial")
        };
        assert!(!files.into_iter().any(is_partial), "{name}");
    }
}

#[test]
fn nothing_is_written_over_what_is_read() {
    let desk = Desk::new("over");
    std::os::unix::fs::symlink("m.lts", desk.0.join("link.lts")).expect("a link of ours");
    for line in [
        "check m.lts -t GOOD --certificate m.lts",
        "check m.lts -t GOOD --certificate ./m.lts",
        "check link.lts -t GOOD --certificate m.lts",
        "minimise m.lts -t GOOD -o link.lts",
        "assume need.fsp m.lts -c A -p P -o m.lts",
        "compatible i.lts -c IN --environment i.lts",
        "verify m.lts -s GOOD --certificate x.txt --explanation ./x.txt",
        "check m.lts -t GOOD --certificate -",
    ] {
        let run = desk.run(&format!("rely {line}"));
        assert_eq!((run.status, &*run.stdout), (2, ""), "{line}: {}", run.stderr);
        assert_eq!(desk.run(&format!("rely {line} --json")).codes(), ["E0009"], "{line}");
        assert!(!desk.has("x.txt") && !desk.has("-"), "{line}");
    }
    let read = |name: &str| std::fs::read_to_string(desk.0.join(name)).expect("it is there");
    assert_eq!((read("m.lts"), read("i.lts")), (MODEL.to_owned(), AUTOMATA.to_owned()));
    let thrown = "rely verify m.lts -s GOOD --certificate /dev/null -q";
    assert_eq!(desk.run(thrown).status, 0);
}

#[test]
fn standard_input_is_read_once() {
    let desk = Desk::new("once");
    for line in [
        "assume - - -c A -p P",
        "retrieve - -",
        "simulate -",
        "study - -s GOOD -o out",
        "decompose - -s GOOD -p P --generalise N=1..2",
    ] {
        let run = desk.run(&format!("rely {line} < m.lts"));
        assert_eq!((run.status, &*run.stdout), (2, ""), "{line}: {}", run.stderr);
    }
    for line in ["retrieve need.fsp -", "retrieve - m.lts", "certify c.cert -", "assume - need.fsp -c A -p P"]
    {
        let from = if line.starts_with("retrieve -") { "need.fsp" } else { "m.lts" };
        assert_eq!(desk.run(&format!("rely {line} < {from}")).status, 0, "{line}");
    }
    let told = desk.run("rely help check");
    assert_eq!((told.status, told.stdout), (0, desk.run("rely check --help").stdout));
    assert_eq!(desk.run("rely help").stdout, desk.run("rely --help").stdout);
}

#[test]
fn what_is_named_twice_is_asked_once() {
    let desk = Desk::new("twice");
    for verb in ["check", "compose", "minimise"] {
        let once = desk.run(&format!("rely {verb} m.lts -t A,B")).stdout;
        assert_eq!(desk.run(&format!("rely {verb} m.lts -t A,B -t A")).stdout, once, "{verb}");
    }
    let once = desk.run("rely retrieve need.fsp m.lts").stdout;
    assert_eq!(desk.run("rely retrieve need.fsp m.lts ./m.lts m.lts").stdout, once);
    let assumed = desk.run("rely assume m.lts ./m.lts -c A -p P");
    assert_eq!((assumed.status, &*assumed.stderr), (0, ""), "{}", assumed.stdout);
    let study = desk.run("rely study m.lts m.lts -s GOOD -p P --strategy auto -o out --json").json();
    assert_eq!(study["results"].as_array().map(Vec::len), Some(1), "{study}");
}

#[test]
fn a_finding_about_no_place_has_none() {
    let desk = Desk::new("placeless");
    file_in(&desk.0, "beside.lts", "A = (x -> ERROR).\nproperty P = (x -> P | y -> P).\n||S = (A || P).\n");
    file_in(&desk.0, "empty.cert", r#"{"schema": "rely/certificate/2", "claims": []}"#);
    for (line, code) in [
        ("verify beside.lts -s S -p P", "W0004"),
        ("check nothing.lts", "E0001"),
        ("check m.lts --only NOTHING", "E0002"),
        ("check m.lts --target NOTHING", "E0315"),
        ("check m.lts --define N=1", "E0009"),
        ("check --no-such-option", "E0009"),
        ("verify m.lts -s GOOD --left NOBODY", "E0004"),
        ("compatible m.lts -c A,B", "E0005"),
        ("certify empty.cert m.lts", "E0230"),
        ("retrieve need.fsp m.lts -t NOBODY", "E0004"),
    ] {
        let report = desk.run(&format!("rely {line} --json")).json();
        let finding = &report["diagnostics"][0];
        assert_eq!(finding["code"], code, "{line}: {report}");
        for field in ["line", "column", "end_line", "end_column", "bytes"] {
            assert!(finding.get(field).is_none(), "{line}: {finding}");
        }
    }
    file_in(
        &desk.0,
        "open.lts",
        "interface A = (in? -> out! -> A).\ninterface B = (out? -> B).\n||S = (A || B).\n",
    );
    for (line, code) in [
        ("verify open.lts -s S --rule ia-compat --left A,B", "E0006"),
        ("verify open.lts -s S --rule ia-prop", "E0003"),
        ("verify open.lts -s S --rule ia-compat --left C", "E0004"),
        ("verify m.lts -s A", "E0003"),
        ("verify m.lts -s A --rule ia-compat", "E0005"),
    ] {
        let run = desk.run(&format!("rely {line} --json"));
        let file = line.split(' ').nth(1);
        assert_eq!((run.status, run.codes()), (3, vec![code.to_owned()]), "{line}: {}", run.stdout);
        assert_eq!(run.json()["diagnostics"][0]["file"].as_str(), file, "{line}");
    }
    let placed = desk.run("rely check syntax.lts --json").json();
    assert_eq!(
        (&placed["diagnostics"][0]["line"], &placed["diagnostics"][0]["column"]),
        (&1.into(), &17.into())
    );
}

#[test]
fn what_could_not_be_read_is_not_judged() {
    let desk = Desk::new("follow-on");
    for line in [
        "compatible syntax.lts -c A,B",
        "refines syntax.lts -i A -s B",
        "contract mirror syntax.lts --operands A",
        "verify syntax.lts -s A --rule ia-compat",
    ] {
        let run = desk.run(&format!("rely {line} --json"));
        assert_eq!((run.status, run.codes()), (3, vec!["E0120".to_owned(), "E0131".to_owned()]), "{line}");
    }
    assert_eq!(desk.run("rely compatible m.lts -c A,B --json").codes(), ["E0005", "E0005"]);
}

#[test]
fn whatever_cannot_be_read_is_told() {
    let desk = Desk::new("unread");
    file_in(&desk.0, "lies.aut", "des (0, 5, 3)\n(0, \"a\", 1)\n");
    for line in [
        "check lies.aut",
        "compose lies.aut -o out.aut",
        "minimise lies.aut -o out.aut",
        "convert lies.aut -o out.json",
        "draw lies.aut -o out.svg",
        "monitor lies.aut --language c -o out.c",
        "retrieve lies.aut m.lts",
        "retrieve need.fsp lies.aut",
    ] {
        let run = desk.run(&format!("rely {line} --json"));
        assert_eq!((run.status, run.codes()), (3, vec!["E0206".to_owned()]), "{line}: {}", run.stdout);
    }
    let run = desk.run("rely simulate lies.aut");
    assert!(run.status == 3 && run.stderr.contains("E0206"), "{}", run.stderr);
}

#[test]
fn nothing_is_written_over_an_import() {
    let desk = Desk::new("import");
    let part = "des (0, 1, 1)\n(0, \"a\", 0)\n";
    file_in(&desk.0, "part.aut", part);
    file_in(&desk.0, "imports.lts", "import X = \"part.aut\"\n||S = (X).\n");
    for line in ["check imports.lts --certificate part.aut", "compose imports.lts -t S -o ./part.aut"] {
        let run = desk.run(&format!("rely {line}"));
        assert!(run.status == 2 && run.stderr.contains("the model imports it"), "{line}: {}", run.stderr);
        let kept = std::fs::read_to_string(desk.0.join("part.aut")).expect("it is still there");
        assert_eq!(kept, part, "{line}");
    }
}
