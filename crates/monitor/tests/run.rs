//! Monitors are compiled and run: on random traces they answer what a naive interpreter of the system answers.
//!
//! All monitors of a language are put into one program, which reads traces and writes what the monitors say. A language
//! whose compiler is not on the machine is skipped, and that is said on standard error.

mod drivers;
mod tools;
mod traces;

use std::path::Path;
use std::process::Command;

use rely_monitor::{Language, Unmonitorable, file_name, generate};
use rely_testkit::rng::Rng;
use tools::{folder, is_there, run};
use traces::{Case, Names, Word, cases, check_answers, random_words};

/// How many traces each monitor gets.
const TRACES: usize = 40;

/// Writes the monitors of all cases.
fn write_monitors(language: Language, folder: &Path, cases: &[Case]) {
    for case in cases {
        let text = generate(language, &case.name, &case.lts).expect("the cases can be monitored");
        std::fs::write(folder.join(file_name(language, &case.name)), text)
            .expect("the folder can be written");
    }
}

/// The program is told all traces of all cases, and its answers are compared.
fn compare(cases: &[Case], program: impl FnOnce(&str) -> String) {
    let mut rng = Rng::new(1);
    let traces: Vec<(usize, Vec<Word>)> = (0..cases.len())
        .flat_map(|case| std::iter::repeat_n(case, TRACES))
        .map(|case| (case, random_words(&mut rng, &cases[case])))
        .collect();
    let line = |(case, words): &(usize, Vec<Word>)| {
        let words: String = words.iter().map(|word| format!(" {}", word.encode())).collect();
        format!("{case}{words}\n")
    };
    let input: String = traces.iter().map(line).collect();
    check_answers(cases, &traces, &program(&input));
}

#[test]
fn monitors_in_rust() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let (folder, cases) = (folder("rust"), cases(Names::All));
    write_monitors(Language::Rust, &folder, &cases);
    // A crate without the standard library has the monitors, a program uses it.
    std::fs::write(folder.join("monitors.rs"), drivers::rust_library(&cases)).expect("writable");
    std::fs::write(folder.join("main.rs"), drivers::rust(&cases)).expect("writable");
    let compile = |file: &str, kind: &str| {
        let mut command = Command::new(&rustc);
        command.current_dir(&folder).args([
            "--edition",
            "2021",
            "-D",
            "warnings",
            "--crate-type",
            kind,
            "-L",
            ".",
        ]);
        run(command.arg(file), "");
    };
    compile("monitors.rs", "rlib");
    compile("main.rs", "bin");
    compare(&cases, |input| run(&mut Command::new(folder.join("main")), input));
}

#[test]
fn monitors_in_c() {
    if !is_there("gcc", "C") {
        return;
    }
    let (folder, cases) = (folder("c"), cases(Names::WithoutNul));
    write_monitors(Language::C, &folder, &cases);
    std::fs::write(folder.join("main.c"), drivers::c(&cases)).expect("writable");
    let mut command = Command::new("gcc");
    command.current_dir(&folder).args([
        "-std=c99",
        "-pedantic",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wtrigraphs",
    ]);
    run(command.args(["-o", "main", "main.c"]), "");
    compare(&cases, |input| run(&mut Command::new(folder.join("main")), input));
}

#[test]
fn monitors_in_java() {
    if !is_there("javac", "Java") || !is_there("java", "Java") {
        return;
    }
    let (folder, cases) = (folder("java"), cases(Names::All));
    write_monitors(Language::Java, &folder, &cases);
    std::fs::write(folder.join("Main.java"), drivers::java(&cases)).expect("writable");
    let mut command = Command::new("javac");
    command.current_dir(&folder).args([
        "-Xlint:all",
        "-Werror",
        "-J-XX:TieredStopAtLevel=1",
        "-encoding",
        "US-ASCII",
    ]);
    run(command.arg("Main.java"), "");
    let mut java = Command::new("java");
    java.current_dir(&folder).args(["-XX:TieredStopAtLevel=1", "-Xshare:auto", "Main"]);
    compare(&cases, |input| run(&mut java, input));
}

#[test]
fn monitors_in_python() {
    if !is_there("python3", "Python") {
        return;
    }
    let (folder, cases) = (folder("python"), cases(Names::All));
    write_monitors(Language::Python, &folder, &cases);
    std::fs::write(folder.join("main.py"), drivers::python(&cases)).expect("writable");
    let mut python = Command::new("python3");
    python.current_dir(&folder).args(["-W", "error", "-B", "main.py"]);
    compare(&cases, |input| run(&mut python, input));
}

#[test]
fn the_same_system_gives_the_same_text() {
    for language in Language::ALL {
        for (case, again) in cases(Names::WithoutNul).iter().zip(cases(Names::WithoutNul)) {
            let text = generate(language, &case.name, &case.lts);
            assert_eq!(text, generate(language, &again.name, &again.lts));
            let text = text.expect("the cases can be monitored");
            assert!(text.is_ascii() && text.ends_with('\n'), "{}", language.name());
            assert_eq!(text.lines().find(|line| line.ends_with(' ')), None);
        }
    }
}

#[test]
fn what_cannot_be_monitored_is_refused() {
    use rely_base::{Alphabet, Label, StateId};
    use rely_lts::LtsBuilder;
    let alphabet: Alphabet = ["a", "b"].into_iter().collect();
    let state = StateId::from_raw;
    let label = Label::from_raw;
    let system = |transitions: &[(u32, Label, u32)]| {
        let mut builder = LtsBuilder::with_states(alphabet.clone(), 3);
        for &(source, label, target) in transitions {
            builder.add_transition(state(source), label, state(target));
        }
        builder.build()
    };
    let silent = system(&[(0, Label::TAU, 1)]);
    let choosing = system(&[(0, label(2), 0), (0, label(2), 1)]);
    // What cannot be reached does no harm.
    let elsewhere = system(&[(1, Label::TAU, 1), (1, label(2), 0), (1, label(2), 2)]);
    for language in Language::ALL {
        assert_eq!(generate(language, "P", &silent), Err(Unmonitorable::Silent));
        let nondeterministic = Unmonitorable::Nondeterministic { action: "b".to_owned() };
        assert_eq!(generate(language, "P", &choosing), Err(nondeterministic));
        assert!(generate(language, "P", &elsewhere).is_ok());
    }
    let nul = LtsBuilder::new(["a\0b"].into_iter().collect()).build();
    let refusal = Unmonitorable::Action { language: Language::C, name: "a\0b".to_owned() };
    assert_eq!(generate(Language::C, "P", &nul), Err(refusal));
    let many: Alphabet = (0..5001).map(|i| format!("a.{i}")).collect();
    assert_eq!(generate(Language::Java, "P", &LtsBuilder::new(many).build()), Err(Unmonitorable::TooLarge));
}
