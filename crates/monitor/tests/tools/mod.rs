//! Compilers and programs that tests run.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder of our own that is empty.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder for tests can be written");
    folder
}

/// Whether a program can be started; if not, this is said where no harness swallows it.
pub(crate) fn is_there(program: &str, skipped: &str) -> bool {
    let started = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let is_there = started.is_ok_and(|status| status.success());
    if !is_there {
        let message =
            format!("SKIPPED: no `{program}` on this machine, monitors in {skipped} were not run\n");
        let _ = std::io::stderr().write_all(message.as_bytes());
    }
    is_there
}

/// Runs a program to its end, with an input, and gives its output.
pub(crate) fn run(command: &mut Command, input: &str) -> String {
    let shown = format!("{command:?}");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{shown}: {error}"));
    let mut stdin = child.stdin.take().expect("it is piped");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        // A program that fails does not read to the end.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().expect("the program has been started");
    writer.join().expect("writing does not panic");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{shown}:\n{errors}");
    assert_eq!(errors, "", "{shown}");
    String::from_utf8(output.stdout).expect("drivers write ASCII")
}
