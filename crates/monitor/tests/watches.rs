//! Watches in C, Java and Python are compiled and told random events; what they say is what `rely-runtime` says.

#[path = "watches/cases.rs"]
mod cases;
#[path = "watches/drivers.rs"]
mod drivers;
mod tools;

use std::path::Path;
use std::process::Command;

use rely_monitor::{Language, Unmonitorable, generate_watch, watch_file_name};
use rely_testkit::rng::Rng;

use crate::cases::{Case, Session, random_sessions};
use crate::tools::{folder, is_there, run};

/// How many designs, and how often each is watched.
const CASES: u64 = 12;
const SESSIONS: usize = 40;

fn written(language: Language, folder: &Path) -> (Vec<Case>, Vec<Session>) {
    let cases: Vec<Case> = (0..CASES).map(Case::new).collect();
    for case in &cases {
        let text = generate_watch(language, &case.input).expect("the cases can be watched");
        assert!(text.is_ascii() && text.ends_with('\n'));
        assert_eq!(text, generate_watch(language, &case.input).expect("as before"));
        let path = folder.join(watch_file_name(language, &case.input.name));
        std::fs::write(path, text).expect("the folder can be written");
    }
    let mut rng = Rng::new(1);
    let sessions = random_sessions(&mut rng, &cases, SESSIONS);
    (cases, sessions)
}

/// Every line of a program's answers is that of `rely-runtime`.
fn compare(cases: &[Case], sessions: &[Session], program: impl FnOnce(&str) -> String) {
    let input: String = sessions.iter().map(Session::encoded).collect();
    let answers = program(&input);
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(lines.len(), sessions.len());
    let mut letters = std::collections::BTreeSet::new();
    for (session, line) in sessions.iter().zip(lines) {
        let expected = session.expected(&cases[session.case]);
        assert_eq!(line.trim_end(), expected.trim_end(), "{:?}\n{session:?}", cases[session.case].input);
        letters.extend(expected.chars().filter(char::is_ascii_alphabetic));
    }
    // Every answer is given: ended, failed, left, ok, unknown, violated.
    assert_eq!(letters.into_iter().collect::<String>(), "eflouv");
}

#[test]
fn watches_in_c() {
    if !is_there("gcc", "C") {
        return;
    }
    let folder = folder("watches-c");
    let (cases, sessions) = written(Language::C, &folder);
    std::fs::write(folder.join("main.c"), drivers::c(&cases)).expect("writable");
    let mut gcc = Command::new("gcc");
    gcc.current_dir(&folder).args(["-std=c11", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1"]);
    run(gcc.args(["-o", "main", "main.c"]), "");
    compare(&cases, &sessions, |input| run(&mut Command::new(folder.join("main")), input));
}

#[test]
fn watches_in_java() {
    if !is_there("javac", "Java") || !is_there("java", "Java") {
        return;
    }
    let folder = folder("watches-java");
    let (cases, sessions) = written(Language::Java, &folder);
    std::fs::write(folder.join("Main.java"), drivers::java(&cases)).expect("writable");
    let mut javac = Command::new("javac");
    javac.current_dir(&folder).args([
        "-Xlint:all",
        "-Werror",
        "-J-XX:TieredStopAtLevel=1",
        "-encoding",
        "US-ASCII",
    ]);
    run(javac.arg("Main.java"), "");
    let mut java = Command::new("java");
    java.current_dir(&folder).args(["-XX:TieredStopAtLevel=1", "-Xshare:auto", "Main"]);
    compare(&cases, &sessions, |input| run(&mut java, input));
}

#[test]
fn watches_in_python() {
    if !is_there("python3", "Python") {
        return;
    }
    let folder = folder("watches-python");
    let (cases, sessions) = written(Language::Python, &folder);
    std::fs::write(folder.join("main.py"), drivers::python(&cases)).expect("writable");
    let mut python = Command::new("python3");
    python.current_dir(&folder).args(["-W", "error", "-B", "main.py"]);
    compare(&cases, &sessions, |input| run(&mut python, input));
}

/// Threads that race: what each does is counted once, and the order is that of a lock.
#[test]
fn threads_share_a_watch() {
    let case = Case::lock();
    for language in [Language::C, Language::Java, Language::Python] {
        let folder = folder(&format!("watches-threads-{}", language.name()));
        let text = generate_watch(language, &case.input).expect("it can be watched");
        std::fs::write(folder.join(watch_file_name(language, &case.input.name)), text).expect("writable");
        let (tools, file, program): (&[&str], _, _) = match language {
            Language::C => (&["gcc"], "main.c", drivers::C_THREADS),
            Language::Java => (&["javac", "java"], "Main.java", drivers::JAVA_THREADS),
            _ => (&["python3"], "main.py", drivers::PYTHON_THREADS),
        };
        if !tools.iter().all(|tool| is_there(tool, language.name())) {
            continue;
        }
        let program = program.replace("{digest}", &format!("{:016x}", case.input.digest));
        std::fs::write(folder.join(file), program).expect("writable");
        let mut command = match language {
            Language::C => {
                let mut gcc = Command::new("gcc");
                run(
                    gcc.current_dir(&folder)
                        .args(["-std=c11", "-pthread", "-Wall", "-Werror", "-o", "main", file]),
                    "",
                );
                Command::new(folder.join("main"))
            }
            Language::Java => {
                let mut javac = Command::new("javac");
                run(javac.current_dir(&folder).arg(file), "");
                let mut java = Command::new("java");
                java.current_dir(&folder).arg("Main");
                java
            }
            _ => {
                let mut python = Command::new("python3");
                python.current_dir(&folder).args(["-B", file]);
                python
            }
        };
        // Four threads, 500 times lock and unlock each, and a program for another design is refused.
        assert_eq!(run(&mut command, "").trim(), "4000 events, 0 violations, refused", "{}", language.name());
    }
}

#[test]
fn what_a_language_cannot_hold_is_refused() {
    let mut case = Case::lock();
    case.input.events[0].method = "a\0b".to_owned();
    let refusal = Unmonitorable::Action { language: Language::C, name: "a\0b".to_owned() };
    assert_eq!(generate_watch(Language::C, &case.input), Err(refusal));
    assert!(generate_watch(Language::Python, &case.input).is_ok());
    case.input.actions = (0..6000).map(|i| format!("a.{i}")).collect();
    assert_eq!(generate_watch(Language::Java, &case.input), Err(Unmonitorable::TooLarge));
}
