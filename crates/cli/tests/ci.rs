//! What the repository offers to systems for continuous integration: the action for GitHub and the hooks for pre-commit, run as
//! they are written.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const GOOD: &str = "P = (a -> P).\n||GOOD = P.\n";
const BAD: &str = "LOCK = (acquire -> release -> LOCK).\nUSER = (lock.acquire -> rest -> STOP).\n||SYSTEM = (USER || lock:LOCK).\n";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder with a model that is right and one that is not.
fn folder(name: &str) -> PathBuf {
    let folder = common::place().join(name);
    std::fs::create_dir_all(folder.join("models")).expect("the folder for tests can be written to");
    std::fs::write(folder.join("models/good.lts"), GOOD).expect("it can be written");
    std::fs::write(folder.join("models/bad.lts"), BAD).expect("it can be written");
    let _ = std::fs::remove_file(folder.join("summary.md"));
    folder
}

/// A shell in a folder, in which `rely` is the program under test.
fn bash(folder: &Path, arguments: &[&str]) -> Command {
    let bin = Path::new(env!("CARGO_BIN_EXE_rely")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("bash");
    command.args(arguments).current_dir(folder).env("PATH", format!("{}:{path}", bin.display()));
    command
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The script of the action: what stands below `run: |`.
fn script() -> String {
    let action = std::fs::read_to_string(root().join("action.yml")).expect("the action");
    let (_, script) = action.split_once("run: |\n").expect("a script");
    script.lines().map(|line| line.strip_prefix("        ").unwrap_or(line).to_owned() + "\n").collect()
}

#[test]
fn the_action_tells_what_does_not_hold() {
    let folder = folder("action");
    let act = |files: &str| {
        let script = script();
        let mut command = bash(&folder, &["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", &script]);
        let settings = [("FILES", files), ("OPTIONS", "--quiet"), ("RELY", "rely"), ("SARIF", "reports")];
        command.envs(settings).env("GITHUB_STEP_SUMMARY", folder.join("summary.md"));
        command.output().expect("bash is there")
    };
    let output = act("models/*.lts");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    let printed = text(&output);
    let annotation = "::error file=models/bad.lts,line=3,endLine=3,col=3,title=rely deadlock::SYSTEM: deadlock violated%0Alock.acquire, rest";
    assert!(printed.contains(annotation), "{printed}");
    let summary = std::fs::read_to_string(folder.join("summary.md")).expect("a summary");
    assert!(summary.contains("| ✅ | GOOD | deadlock | holds |"), "{summary}");
    assert!(summary.contains("| 1 | lock.acquire | ● | ● |\n| 2 | rest | ● | |"), "{summary}");
    assert!(folder.join("reports/models_bad.lts.sarif").is_file());
    assert_eq!(act("models/good.lts").status.code(), Some(0));
    let missing = act("nowhere/*.lts");
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing).contains("::error::rely: there is no model"), "{}", text(&missing));
}

#[test]
fn the_hooks_check_and_format_what_has_changed() {
    let folder = folder("hooks");
    let hooks = std::fs::read_to_string(root().join(".pre-commit-hooks.yaml")).expect("the hooks");
    let entries: Vec<&str> = hooks.lines().filter_map(|line| line.trim().strip_prefix("entry: ")).collect();
    let [check, format] = entries.as_slice() else { panic!("{entries:?}") };
    // Files are appended to the entry.
    let run = |entry: &str, files: &str| {
        bash(&folder, &["-c", &format!("{entry} {files}")]).output().expect("bash")
    };
    assert_eq!(run(check, "models/good.lts").status.code(), Some(0));
    let output = run(check, "models/bad.lts models/good.lts");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("GOOD: deadlock holds"), "{}", text(&output));
    std::fs::write(folder.join("models/good.lts"), "P=(a->P).\n||GOOD=P.\n").expect("it can be written");
    assert_eq!(run(format, "models/good.lts models/bad.lts").status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(folder.join("models/good.lts")).expect("it is there"), GOOD);
}

#[test]
fn a_change_is_checked_again() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    let folder = folder("watch");
    let file = folder.join("models/bad.lts");
    let mut watching = Command::new(env!("CARGO_BIN_EXE_rely"))
        .args(["check", "--watch", "--quiet", "--only", "deadlock"])
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program is there");
    let mut lines = BufReader::new(watching.stdout.take().expect("piped")).lines();
    let mut next = || lines.next().expect("a line").expect("UTF-8");
    assert_eq!(next(), "SYSTEM: deadlock violated");
    // The clock of some file systems is slow.
    std::thread::sleep(std::time::Duration::from_millis(50));
    std::fs::write(&file, BAD.replace("STOP", "lock.release -> USER")).expect("it can be written");
    assert_eq!(next(), "SYSTEM: deadlock holds");
    watching.kill().expect("it is still running");
    watching.wait().expect("it has ended");
}
