//! `rely repository` on files: processes that are killed, two that write at once, and files that others have written.

mod common;

use std::path::{Path, PathBuf};
use std::time::Duration;

use common::{Run, command, file_in, folder, start};
use rely_repository::{PACKAGES, Packages};

const ECHO: &str = "
component Echo {
    input  ask
    output told
    process P {
        state idle
        state telling { send told }
        idle, telling -> telling on ask
    }
    property tells: After(ask) Eventually(told) assuming After(ask) Never(ask) UntilAfter(told)
    property waits: Never(told) UntilAfter(ask) assuming After(ask) Never(ask) UntilAfter(told)
}
";

/// A folder with a file and a repository.
struct Bench {
    folder: PathBuf,
}

impl Bench {
    fn new(name: &str) -> Self {
        let folder = folder(&format!("repository-{name}"));
        file_in(&folder, "echo.aim", ECHO);
        Self { folder }
    }

    fn command(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = command(&["repository"]);
        command.args(arguments).args(["--in", "parts", "--json"]).current_dir(&self.folder);
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        start(self.command(arguments), b"").end()
    }

    fn status(&self, arguments: &[&str]) -> (String, i32) {
        let run = self.run(arguments);
        (run.result()["status"].as_str().unwrap_or_default().to_owned(), run.status)
    }

    fn parts(&self) -> PathBuf {
        self.folder.join("parts")
    }
}

fn answer(status: &str, exit: i32) -> (String, i32) {
    (status.to_owned(), exit)
}

#[test]
fn a_package_goes_its_way() {
    let bench = Bench::new("way");
    assert_eq!(bench.run(&["list"]).status, 3, "there is none yet");
    assert!(!bench.parts().exists());
    assert_eq!(bench.status(&["add", "echo.aim"]), answer("added", 0));
    assert_eq!(bench.status(&["list"]), answer("packaged", 0));
    assert_eq!(bench.status(&["verify"]), answer("verified", 0));
    let digest = |run: Run| run.result()["digest"].as_str().expect("a digest").to_owned();
    let before = digest(bench.run(&["show", "Echo"]));
    assert_eq!(bench.status(&["export", "Echo", "-o", "echo.package"]), answer("exported", 0));
    assert_eq!(bench.status(&["remove", "Echo"]), answer("removed", 0));
    assert_eq!(bench.run(&["show", "Echo"]).status, 2, "it is gone");
    assert_eq!(bench.status(&["import", "echo.package"]), answer("added", 0));
    assert_eq!(digest(bench.run(&["show", "Echo"])), before);
    // The file has another comment, then a mistake, then it is as it was.
    file_in(&bench.folder, "echo.aim", format!("// An echo.\n{ECHO}"));
    assert_eq!(bench.status(&["list"]), answer("stale", 0));
    assert_eq!(bench.status(&["verify", "Echo"]), answer("replaced", 0));
    assert_eq!(bench.status(&["list"]), answer("packaged", 0));
    file_in(&bench.folder, "echo.aim", ECHO.replace("{ send told }", ""));
    assert_eq!(bench.status(&["verify"]), answer("refused", 1));
    assert_eq!(bench.status(&["list"]), answer("stale", 0), "the version that was verified is still there");
    file_in(&bench.folder, "echo.aim", "component {");
    assert_eq!(bench.run(&["verify"]).status, 3);
}

#[test]
fn without_a_folder_nothing_is_done() {
    let mut command = command(&["repository", "list"]);
    command.env_remove("RELY_REPOSITORY");
    assert_eq!(start(command, b"").end().status, 2);
}

#[test]
fn two_writers_leave_one_whole_package() {
    let bench = Bench::new("two");
    let writers: Vec<_> = (0..4).map(|_| start(bench.command(&["add", "echo.aim"]), b"")).collect();
    for writer in writers {
        let run = writer.end();
        // Whoever comes too late is told so, or finds the same package.
        assert!(run.status == 0 || run.stderr.contains("somebody else has changed"), "{run:?}");
    }
    assert_eq!(bench.status(&["verify"]), answer("verified", 0));
}

#[test]
fn a_killed_writer_leaves_what_was_there() {
    let bench = Bench::new("killed");
    assert_eq!(bench.status(&["add", "echo.aim"]), answer("added", 0));
    for round in 0..6 {
        file_in(&bench.folder, "echo.aim", format!("// Version {round}.\n{ECHO}"));
        let writer = start(bench.command(&["verify"]), b"");
        std::thread::sleep(Duration::from_millis(4 * round));
        // It may have ended before.
        writer.kill();
        let store = Packages::open(&bench.parts()).expect("it is not damaged").expect("it is there");
        assert!(store.get("Echo").expect("it is whole").is_some());
    }
    let (status, exit) = bench.status(&["verify"]);
    assert!(exit == 0 && ["replaced", "verified"].contains(&status.as_str()), "{status}");
}

/// The content of the package is replaced by that of a forger, with a checksum that fits.
fn forge(folder: &Path, change: impl Fn(String) -> String) {
    let store = Packages::open(folder).expect("it can be opened").expect("it is there");
    let honest = store.get("Echo").expect("it is whole").expect("it is there");
    let forged = change(String::from_utf8(honest.clone()).expect("a package is text"));
    assert_ne!(forged.as_bytes(), honest, "nothing was forged");
    store.put("Echo", forged.as_bytes(), Some(&honest)).expect("it can be written");
}

#[test]
fn what_was_forged_is_refused() {
    let bench = Bench::new("forged");
    bench.run(&["add", "echo.aim"]);
    // The text of a component that never answers, with the evidence of one that does.
    forge(&bench.parts(), |text| text.replace("{ send told }", ""));
    std::fs::remove_file(bench.folder.join("echo.aim")).expect("a file of ours");
    assert_eq!(bench.status(&["verify"]), answer("refused", 1));
    let property = "After(ask) Eventually(told) assuming After(ask) Never(ask) UntilAfter(told)";
    assert_eq!(bench.status(&["search", "--property", property]).1, 1, "it is not found");
    assert_eq!(bench.status(&["search", "--input", "ask"]).1, 1, "not even by its interface");
    bench.run(&["export", "Echo", "-o", "forged.package"]);
    bench.run(&["remove", "Echo"]);
    assert_eq!(bench.status(&["import", "forged.package"]), answer("refused", 1));
    assert_eq!(bench.run(&["list"]).json()["results"].as_array().map(Vec::len), Some(0));
}

#[test]
fn no_package_at_all_is_told() {
    let bench = Bench::new("garbage");
    bench.run(&["add", "echo.aim"]);
    forge(&bench.parts(), |text| text[..text.len() / 2].to_owned());
    let run = bench.run(&["list"]);
    assert_eq!((run.status, run.result()["status"].as_str()), (1, Some("damaged")), "{run:?}");
    assert_eq!(bench.run(&["verify"]).status, 1);
    assert_eq!(bench.status(&["remove", "Echo"]), answer("removed", 0));
    std::fs::write(bench.parts().join(PACKAGES), b"this is no database".repeat(100)).expect("a file of ours");
    for arguments in [&["list"][..], &["verify"], &["add", "echo.aim"], &["remove", "Echo"]] {
        let run = bench.run(arguments);
        assert_eq!(run.status, 3, "{arguments:?}: {run:?}");
    }
    let kept = std::fs::read(bench.parts().join(PACKAGES)).expect("a file of ours");
    assert_eq!(kept, b"this is no database".repeat(100), "it was left as it is");
    for (name, bytes) in
        [("empty", &b""[..]), ("json", b"{}"), ("long", &[b'['; 100_000]), ("binary", &[0xff; 64])]
    {
        let file = file_in(&bench.folder, name, bytes);
        assert_eq!(bench.run(&["import", &file]).status, 3, "{name}");
    }
}
